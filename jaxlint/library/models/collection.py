"""collections, copy and types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.container_methods import UNBOUND
from jaxlint.domain.join import MutableContainer, Tuple, VariableRef, any_of
from jaxlint.domain.objects import Class, Instance, Key
from jaxlint.domain.questions import constants, contents_of
from jaxlint.domain.values import (
    NONE,
    UNKNOWN,
    Const,
    External,
    OneOf,
    Product,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.ir.program import ClassCode
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model
from jaxlint.library.models.dataclass import replace

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("collections.defaultdict", "collections.Counter")
def defaultdict(call: Call, m: Parts) -> Value:
    box = m.core.box("dict", call.nid, "defaultdict")
    factory = call.args[0] if call.args else NONE
    if factory == External("builtins.list"):
        inner = m.core.box("list", call.nid, "inner")
        inner.blur()
        box.elem = inner
    box.is_open = True  # it makes what is missing
    return box


@model("collections.deque")
def deque(call: Call, m: Parts) -> Value:
    most = call.get(1, "maxlen")
    m.operators.count(call.nid, call.name, most, 1 if len(call.args) > 1 else "maxlen")
    box = m.builtins.sequence(call.args[:1], call.nid, "list")
    if isinstance(box, MutableContainer):
        box.most = most.value if isinstance(most, Const) and type(most.value) is int else None
    return box


@model("queue.Queue", "queue.LifoQueue", "queue.PriorityQueue", "queue.SimpleQueue", "multiprocessing.Queue")
def queue(call: Call, m: Parts) -> Value:
    """A list as far as is asked of it; other threads may fill it."""
    box = m.core.box("list", call.nid, "queue")
    box.widen(UNKNOWN)
    return box


@model("heapq.heappush", "heapq.heappop", "heapq.heappushpop", "heapq.heapreplace")
def heap(call: Call, m: Parts) -> Value:
    """Puts an item into a list, or takes one out, or both."""
    name, args = call.name.rpartition(".")[2], call.args
    box = args[0] if args else UNKNOWN
    if not isinstance(box, MutableContainer) or not call.exact:
        m.calls.escape(args, call.keywords)
        return UNKNOWN
    if len(args) > 1:
        if not isinstance(box.each(), Unknown):  # it may be empty
            m.decisions.put_in_order(call.name, Tuple((box.each(), args[1])), {}, call.nid, 1)
        m.containers.container_method("append", box, [args[1]], {}, call.nid)
    return NONE if name == "heappush" else m.containers.container_method("pop", box, [], {}, call.nid)


@model("collections.namedtuple")
def namedtuple(call: Call, m: Parts) -> Value:
    """A class of tuples, where its fields are known."""
    given = call.get(1, "field_names")
    found = None if given is None else constants(given)
    if found is None:
        return UNKNOWN
    if isinstance(given, Const) and isinstance(given.value, str):
        found = tuple(given.value.replace(",", " ").split())
    key = ("namedtuple", call.nid, m.flow.module.path)
    cls = m.flow.frame.heap.get(key)
    if not isinstance(cls, Class):
        record = ClassCode(-1, "<namedtuple>", "<namedtuple>", call.nid, (), (), (), ())
        cls = m.core.keep(key, Class(record, m.flow.module, m.flow.env))
    default = UNKNOWN if "defaults" in call.keywords else None
    cls.fields = {str(name): (default, False) for name in found}
    cls.marks.add("namedtuple")
    return cls


@model("collections.OrderedDict")
def ordered(call: Call, m: Parts) -> Value:
    return m.builtins.b_dict(call.args, call.keywords, call.nid)


@model("builtins.dict.fromkeys", "collections.OrderedDict.fromkeys")
def one_for_all(call: Call, m: Parts) -> Value:
    """A dict that holds one value under each of the names."""
    names = None if not call.args or not call.exact else m.containers.exact_items(call.args[0])
    if names is None or not all(isinstance(each, Const) for each in names):
        return UNKNOWN
    value = call.args[1] if len(call.args) > 1 else NONE
    box = m.core.box("dict", call.nid, "fromkeys")
    box.entries = {name.value: value for name in names if isinstance(name, Const)}
    return box


@model(*UNBOUND)
def unbound(call: Call, m: Parts) -> Value:
    """A method as its class has it, which is given the container."""
    owner = call.args[0] if call.args else UNKNOWN
    held = contents_of(owner) or owner
    if not isinstance(held, (MutableContainer, Tuple)):
        m.calls.escape(call.args, call.keywords)
        return UNKNOWN
    name = call.name.rpartition(".")[2]
    return m.methods.call_method(name, held, call.args[1:], call.keywords, call.nid, call.exact)


@model("copy.copy", "copy.deepcopy")
def copy(call: Call, m: Parts) -> Value:
    """A container, and after `deepcopy` what is in it, is another one than before."""
    if not call.args:
        return UNKNOWN
    if isinstance(call.args[0], Instance):
        made: dict[Instance, Instance] = {}
        copied = replace(call, m) if call.name == "copy.copy" else _deep(call.args[0], call.nid, m, made)
        objects = [*made.values(), *([copied] if isinstance(copied, Instance) else ())]
        for each in objects if m.flow.frame.loop else ():  # others in each turn, which begin with these keys
            held = [value.token for value in each.attributes.values() if isinstance(value, Key)]
            each.many, each.alike = True, each.alike.union(held)
        return copied
    if isinstance(call.args[0], (TracerPytree, Unknown)):
        return m.core.fresh_copy(call.args[0])  # another key may be written into it
    return m.standard.copied(call.args[0], 4 if call.name == "copy.deepcopy" else 1)


def _deep(value: Value, nid: int, m: Parts, made: dict[Instance, Instance]) -> Value:
    """A copy of an object with copies of the objects and containers in it. made: those that there are."""
    if isinstance(value, OneOf):
        return any_of([_deep(each, nid, m, made) for each in value.options])
    if isinstance(value, VariableRef):
        return VariableRef(value.inner, value.is_parameter, m.flow.context.depth)
    if not isinstance(value, Instance):
        return m.standard.copied(value, 4)
    if value not in made:
        made[value] = copy = m.construction.copy_with(value, {}, nid)
        copy.attributes = {name: _deep(each, nid, m, made) for name, each in copy.attributes.items()}
    return made[value]


@model("types.SimpleNamespace")
def namespace(call: Call, m: Parts) -> Value:
    return UNKNOWN if call.args else m.construction.namespace(call.keywords, call.nid)


@model("types.MappingProxyType")
def mapping_proxy(call: Call, m: Parts) -> Value:
    """A view of a mapping, of which no more is known than that it has no hash."""
    return Product("opaque", call.name) if len(call.args) == 1 else UNKNOWN
