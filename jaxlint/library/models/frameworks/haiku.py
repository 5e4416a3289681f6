"""haiku."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.join import Tuple
from jaxlint.domain.objects import Key
from jaxlint.domain.values import UNKNOWN, Array, Const, External, Product, TracerPytree, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("haiku.transform", "haiku.transform_with_state")
def haiku_transform(call: Call, m: Parts) -> Value:
    func = call.get(0, "f")
    return UNKNOWN if func is None else Product("haiku", func, True, call.name.endswith("_with_state"))


@model("haiku.multi_transform", "haiku.multi_transform_with_state")
def haiku_multi_transform(call: Call, m: Parts) -> Value:
    """The function gives one that initializes, and a tree of functions, each applied by itself."""
    func, is_stateful = call.get(0, "f"), call.name.endswith("_with_state")
    made = UNKNOWN if func is None else m.calls.call(func, [], {}, call.nid)
    if not isinstance(made, Tuple) or made.items is None or len(made.items) != 2:
        return UNKNOWN
    initial, tree = made.items
    leaves, structure = m.pytrees.flatten(tree)
    applied = [_method("apply", each, is_stateful) for each in leaves]
    methods = m.pytrees.unflatten(structure, applied, call.nid)
    return Product("haiku-several", _method("init", initial, is_stateful), methods)


def _method(name: str, func: Value, is_stateful: bool) -> Product:
    return Product("haiku-method", name, Product("haiku", func, True, is_stateful))


@model("haiku.without_apply_rng")
def haiku_without_key(call: Call, m: Parts) -> Value:
    made = call.get(0, "f")
    if not isinstance(made, Product) or made.kind != "haiku":
        return UNKNOWN
    return Product("haiku", made.parts[0], False, made.parts[2])


@model("haiku.next_rng_key")
def haiku_key(call: Call, m: Parts) -> Value:
    return m.modules.new_key("haiku")


@model("haiku.next_rng_keys")
def haiku_keys(call: Call, m: Parts) -> Value:
    return m.modules.new_key("haiku", many=True)


@model("haiku.PRNGSequence")
def haiku_sequence(call: Call, m: Parts) -> Value:
    """A stream of keys: what it gives first is the second child of the key or seed that it is made of."""
    source = call.get(0, "key_or_seed")
    if source is None:
        return UNKNOWN
    key = source if isinstance(source, Key) else m.keys.random_source([source], call.nid)
    children = m.keys.random_split(key, Const(2), call.nid)
    first = m.containers.subscript(children, Const(1), call.nid)
    begun, depth = m.core.box("begun", call.nid), m.flow.context.depth
    return Product("iterator", Key(m.core.fresh(), m.keys.key_level()), None, first, begun, depth)


@model("haiku.get_parameter")
def haiku_parameter(call: Call, m: Parts) -> Value:
    """It is what the parameters are that the function is applied to."""
    return Array(m.flow.context.given or 0)


@model("haiku.running_init")
def haiku_running_init(call: Call, m: Parts) -> Value:
    return m.modules.is_initial()


@model("haiku.get_state")
def haiku_state(call: Call, m: Parts) -> Value:
    """Of a shape a function of another library makes one array."""
    level, shape, make = m.flow.context.stored, call.get(1, "shape"), call.get(3, "init")
    is_array = shape is not None and isinstance(make, External)
    return Array(level) if is_array else TracerPytree(level)
