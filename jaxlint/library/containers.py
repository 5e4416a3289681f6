"""Iteration, subscripts and the methods of containers, strings and iterators."""

from __future__ import annotations

from collections.abc import Hashable

from jaxlint.analysis.core import Core, Unreachable, readers
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.numpy_memory import part_of, row_of
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.calling.calls import Calls
from jaxlint.domain.join import (
    MutableContainer,
    Tuple,
    VariableRef,
    any_of,
    join,
    join_all,
    level_of,
    options_of,
)
from jaxlint.domain.layers import any_layer, layers_of, sequence
from jaxlint.domain.members import MEMBER, is_enumeration
from jaxlint.domain.objects import Class, Imported, Instance, Key
from jaxlint.domain.questions import as_mapping, constants, is_open, of_any_call, texts_of
from jaxlint.domain.references import item_of
from jaxlint.domain.tokens import OPTAX_STATE
from jaxlint.domain.values import (
    ALIKE,
    ANY,
    BOOL,
    INT,
    NONE,
    NUMBERS,
    STR,
    UNKNOWN,
    VIEW,
    Array,
    Const,
    External,
    FeatureProbe,
    ModuleName,
    NumPyArray,
    OneOf,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.comparisons import Comparisons
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.inherited_containers import may_lack
from jaxlint.evaluation.keys import Keys
from jaxlint.evaluation.results import indexed_ndim, is_of_arrays, slice_of
from jaxlint.evaluation.storing import Storing
from jaxlint.evaluation.texts import FORMATS
from jaxlint.ir.loop_carried import is_refilled
from jaxlint.ir.nodes import OPAQUE
from jaxlint.library.records import any_record, kept_in, stays_empty, told_apart
from jaxlint.library.texts import LISTING, answered

FEW = 8  # keys of an array that are told apart
_ADDERS = frozenset(("append", "add", "appendleft", "put", "put_nowait"))
_TAKERS = frozenset(("pop", "popleft", "get_nowait"))
_EXTENDERS = frozenset(("extend", "extendleft"))
_FORGETTERS = frozenset(
    "insert remove clear sort reverse rotate discard difference_update intersection_update popitem".split()
)


class Containers:
    """What Python's own containers give back."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        staleness: TraceStaleness,
        expressions: Expressions,
        keys: Keys,
        attributes: Attributes,
        comparisons: Comparisons,
        calls: Calls,
        storing: Storing,
    ) -> None:
        self.flow, self.core, self.storing = flow, core, storing
        self.staleness, self.expressions = staleness, expressions
        self.keys = keys
        self.attributes, self.comparisons = attributes, comparisons
        self.calls = calls
        self._items_of = readers(self, "i_")

    # ---- iteration

    def iterator_of(self, value: Value, nid: int) -> Value:
        """What a loop goes through: of an object with `__iter__` what that gives, where it is called once."""
        method = self.attributes.special(value, "__iter__", nid) if isinstance(value, Instance) else None
        made = value if method is None else self.calls.call(method, [], {}, nid)
        return value if any(isinstance(each, Instance) for each in options_of(made)) else made

    def iterate(self, value: Value, nid: int, turn: Hashable = 0) -> Value:
        """What any one element of an iterable is; `turn`: of a loop, each of which has another one."""
        if isinstance(value, Tuple):
            return self.core.one_of_many(value.each(), nid, turn)
        if isinstance(value, MutableContainer):
            if value.kind == "dict":
                if value.elem is None and value.entries:
                    return join_all(Const(name) for name in value.entries)
                return STR if value.entries and all(isinstance(n, str) for n in value.entries) else UNKNOWN
            if value.items is not None and value.elem is None:
                return any_record(self.core, value.items, nid)
            return self.core.one_of_many(value.each(), nid, turn)
        if isinstance(value, Array):
            level = value.level | (1 if self.flow.context.staged else 0)
            return Array(level, value.dtype, None if value.ndim is None else max(value.ndim - 1, 0))
        if isinstance(value, TracerPytree):
            return TracerPytree(value.level, self.core.fresh())
        if isinstance(value, NumPyArray):
            return row_of(value)
        if isinstance(value, Key):
            return Key(self.core.fresh(), value.level, made=value.made)
        if isinstance(value, Product):
            if value.kind in ("iterator", "stream"):
                return self.next_in(value, nid, turn)
            return INT if value.kind == "range" else any_layer(value)
        if isinstance(value, Const):
            return STR if isinstance(value.value, str) else UNKNOWN
        if isinstance(value, FeatureProbe):
            return value
        if isinstance(value, Unknown):
            return self.core.any_inside(value)
        if isinstance(value, Instance):
            method = self.attributes.special(value, "__iter__", nid)
            if method is None:
                return UNKNOWN
            made = options_of(self.calls.call(method, [], {}, nid))
            return join_all(
                self.next_of(each, nid) if isinstance(each, Instance) else self.iterate(each, nid, turn)
                for each in made
            )
        if isinstance(value, OneOf):
            return join_all(self.iterate(option, nid, turn) for option in value.options if option != NONE)
        if isinstance(value, Class) and value.has_mark("enum"):
            return MEMBER if is_enumeration(value) else ANY
        return UNKNOWN

    def next_in(self, iterator: Product, nid: int, turn: Hashable = 0) -> Value:
        """What a generator or another iterator of Python's gives next."""
        each: Value = iterator.parts[0]
        return each if ALIKE in iterator.parts[2:] else self.core.one_of_many(each, nid, turn)

    def next_of(self, iterator: Instance, nid: int) -> Value:
        """What an iterator that the project defines gives."""
        method = self.attributes.special(iterator, "__next__", nid)
        return UNKNOWN if method is None else self.calls.call(method, [], {}, nid)

    # ---- subscripts

    def item(self, owner: Value, index: Value, nid: int) -> Value:
        """What a program reads of a container. Without an item of this index nothing follows."""
        options = options_of(owner)
        there = [each for each in options if not self.comparisons.lacks_item(each, index)]
        if not there and not self.flow.arms:
            raise Unreachable  # KeyError, or IndexError
        return self.subscript(owner if len(there) in (0, len(options)) else any_of(there), index, nid)

    def subscript(self, owner: Value, index: Value, nid: int) -> Value:
        reader = self._items_of.get(type(owner))
        return UNKNOWN if reader is None else reader(owner, index, nid)

    def i_FeatureProbe(self, owner: FeatureProbe, index: Value, nid: int) -> Value:
        return owner

    def i_Tuple(self, owner: Tuple, index: Value, nid: int) -> Value:
        if owner.items is None:
            return owner if slice_of(index) is not None else self.core.one_of_many(owner.elem, nid)
        found = self._pick(owner.items, index)
        if isinstance(found, tuple):
            return Tuple(found)
        return self.core.one_of_many(owner.each(), nid) if found is None else found

    @staticmethod
    def _pick(items: tuple[Value, ...], index: Value) -> Value | tuple[Value, ...] | None:
        if isinstance(index, Const) and isinstance(index.value, int):
            return items[index.value] if -len(items) <= index.value < len(items) else UNKNOWN
        bounds = slice_of(index)
        if bounds is not None and all(isinstance(each, Const) for each in bounds):
            try:
                return items[slice(*(each.value for each in bounds))]
            except (TypeError, ValueError):
                return None
        return None

    def i_MutableContainer(self, owner: MutableContainer, index: Value, nid: int) -> Value:
        if owner.kind == "dict":
            if isinstance(index, Const):
                try:
                    found = owner.entries.get(index.value)
                except TypeError:
                    return UNKNOWN
                if found is None and owner.elem is not None:
                    found = self.core.one_of_many(owner.elem, nid)
                return UNKNOWN if found is None else found
            named = [owner.entries[each] for each in sorted(texts_of(index)) if each in owner.entries]
            values = (*(named or owner.entries.values()), *(() if owner.elem is None else (owner.elem,)))
            found = any_record(self.core, values, nid)  # another name finds another one, also of only one
            return self.core.one_of_many(found, nid) if isinstance(found, MutableContainer) else found
        found_item = None if owner.items is None else self._pick(tuple(owner.items), index)
        if (bounds := slice_of(index)) is not None:
            if isinstance(found_item, tuple):
                box = self.core.list_of(found_item, nid)
            else:
                box = self.core.box("list", nid, "slice")
                box.items, box.elem = None, owner.each()
            box.source = owner if bounds == (NONE, NONE, NONE) else None
            return box
        if found_item is not None and not isinstance(found_item, tuple):
            return found_item
        if owner.items is not None and owner.elem is None:
            return any_record(self.core, owner.items, nid)
        return self.core.one_of_many(owner.each(), nid)

    def i_Array(self, owner: Array, index: Value, nid: int) -> Value:
        level = owner.level | level_of(index) | (1 if self.flow.context.staged else 0)
        self.flow.frame.operations += self.flow.context.staged
        return Array(level, owner.dtype, indexed_ndim(owner.ndim, index), owner.shape)

    def i_TracerPytree(self, owner: TracerPytree, index: Value, nid: int) -> Value:
        is_whole = isinstance(index, Const) and (index.value is None or index.value is ...)
        if is_whole or isinstance(index, (Array, NumPyArray, Tuple)) or slice_of(index) is not None:
            return Array(owner.level | level_of(index) | (1 if self.flow.context.staged else 0))
        made = OPTAX_STATE if owner.made == OPTAX_STATE else ""
        if not isinstance(index, Const) or not owner.token:
            return TracerPytree(owner.level, made=made)
        token = self.core.fresh() if owner.token in self.flow.frame.touched else None
        return TracerPytree(owner.level, token or (owner.token, "[]", index.value), made)

    def i_VariableRef(self, owner: VariableRef, index: Value, nid: int) -> Value:
        if index == Const(...):
            return owner.inner
        return self.subscript(owner.inner, index, nid)

    def i_NumPyArray(self, owner: NumPyArray, index: Value, nid: int) -> Value:
        return part_of(owner, indexed_ndim(owner.ndim, index), index)

    def i_Key(self, owner: Key, index: Value, nid: int) -> Value:
        return self.keys.key_subscript(owner, index, nid)

    def i_Unknown(self, owner: Unknown, index: Value, nid: int) -> Value:
        if owner.arrays and isinstance(index, Tuple) and any(map(is_of_arrays, index.items or ())):
            return Array(owner.arrays & ~NUMBERS)
        if owner.token is None:
            return owner.inside()
        which = index.value if isinstance(index, Const) else self.keys.turn_of(index)
        if isinstance(which, (int, str)) and owner.token not in self.flow.frame.touched:
            return owner.inside((owner.token, "[]", which))
        return owner.inside(self.core.fresh())

    def i_Const(self, owner: Const, index: Value, nid: int) -> Value:
        if not isinstance(owner.value, str):
            return UNKNOWN
        found = self._pick(tuple(map(Const, owner.value)), index)
        if isinstance(found, tuple):
            return Const("".join([str(each.value) for each in found if isinstance(each, Const)]))
        return found if isinstance(found, Const) else STR

    def i_Static(self, owner: Static, index: Value, nid: int) -> Value:
        return STR if owner.type == "str" else Static("any") if owner.type == "any" else UNKNOWN

    def i_Product(self, owner: Product, index: Value, nid: int) -> Value:
        if owner.kind == "at":
            return Product("at-index", owner.parts[0], index)
        if owner.kind == "ref":
            return item_of(owner, index)
        if (layers := layers_of(owner)) is not None:
            found = self._pick(layers, index)
            return sequence(found) if isinstance(found, tuple) else found or any_layer(owner)
        return self.attributes.named(owner.parts[0], index, nid) if owner.kind == "variables" else UNKNOWN

    def i_External(self, owner: External, index: Value, nid: int) -> Value:
        if owner.name != "sys.modules":
            return UNKNOWN if owner.name in ("typing.Union", "typing.Optional") else owner
        module = self.core.world.by_path.get(index.path) if isinstance(index, ModuleName) else None
        return UNKNOWN if module is None else Imported(module)

    def i_Class(self, owner: Class, index: Value, nid: int) -> Value:
        return owner if not owner.has_mark("enum") else UNKNOWN

    def i_Instance(self, owner: Instance, index: Value, nid: int) -> Value:
        method = self.attributes.special(owner, "__getitem__", nid)
        if method is None and isinstance(index, Const) and owner.cls.has_mark("mappable"):
            return self.attributes.attribute(owner, str(index.value), nid)
        found = UNKNOWN if method is None else self.calls.call(method, [index], {}, nid)
        if may_lack(owner, index) and (missing := self.attributes.special(owner, "__missing__", nid)):
            return join(found, self.calls.call(missing, [index], {}, nid))
        return found

    def i_OneOf(self, owner: OneOf, index: Value, nid: int) -> Value:
        return join_all(
            self.subscript(option, index, nid)
            for option in owner.options
            if option != NONE and not stays_empty(self.core, option)
        )

    # ---- methods

    def container_method(
        self, name: str, box: MutableContainer, args: list[Value], keywords: dict[str, Value], nid: int
    ) -> Value:
        if name == "__setitem__" and len(args) == 2:
            self.storing.store_item(box, args[0], args[1], nid, "assign", "", OPAQUE)
            return NONE
        if name in _ADDERS and args:
            box.add(args[0], self.flow.block)
            self.storing.mutated(nid, "append", box, args[0])
            return NONE
        if name in _EXTENDERS and args:
            items = self.expressions.known_items(args[0])
            if items is None:
                box.widen(self.iterate(args[0], nid))
            for item in items or ():
                box.add(item, self.flow.block)
            self.storing.mutated(nid, "append", box, args[0])
            return NONE
        if name == "insert" and len(args) == 2:
            box.insert(args[0], args[1], self.flow.block)
            self.storing.mutated(nid, "append", box, args[1])
            return NONE
        if name == "update":
            return self._update(box, args, keywords, nid)
        if name in _FORGETTERS:
            self.staleness.note_dropped(box)
            refilled = name == "clear" and is_refilled(self.flow.frame.code.body, nid)
            if not refilled or self.flow.context.depth:
                self.storing.note_taken(nid, box, None, refilled, name == "clear")
            box.lose()
            return NONE
        if name in _TAKERS or (name == "get" and box.kind != "dict"):
            if not self._is_empty_default(box):
                self.storing.note_taken(nid, box, args[0] if args and box.kind == "dict" else None)
            return self._popped(box, [Const(0)] if name == "popleft" else args)
        if name == "copy":
            copy = self.core.box(box.kind, nid, "copy")
            copy.fill_as(box)
            copy.source = box
            return copy
        if box.kind == "dict":
            return self._dict_method(name, box, args, nid)
        if name in ("index", "count"):
            return INT
        return UNKNOWN

    def _is_empty_default(self, box: MutableContainer) -> bool:
        """Whether a container is the default of a parameter of the function that runs, which nothing has been
        put into: what takes from it is on a path that is for other containers."""
        func = self.flow.frame.func
        return func is not None and box.is_empty() and any(each is box for each in func.defaults.values())

    def _update(
        self, box: MutableContainer, args: list[Value], keywords: dict[str, Value], nid: int
    ) -> Value:
        for value in args:
            held = None if box.is_empty() else box.each()
            mapping = as_mapping(value) if box.kind == "dict" else None
            box.is_open |= is_open(value)
            if box.kind != "dict":
                box.widen(self.iterate(value, nid))
            elif mapping is None:
                box.widen(UNKNOWN)
            elif mapping[1] is None and getattr(value, "source", None) is not box:
                keywords = {**mapping[0], **keywords}
                continue
            else:
                for key, inner in mapping[0].items():
                    box.set(key, inner, self.flow.block)
                if mapping[1] is not None:
                    box.widen(join_all((*mapping[0].values(), mapping[1])))
            self.storing.mutated(nid, "item", box, value, before=held)
        for key, inner in keywords.items():
            self.storing.mutated(nid, "item", box, inner, before=box.entries.get(key), item=Const(key))
            box.set(key, inner, self.flow.block)
        return NONE

    def _popped(self, box: MutableContainer, args: list[Value]) -> Value:
        if box.kind == "dict":
            name = args[0].value if args and isinstance(args[0], Const) else None
            found = None if name is None else box.entries.get(name)
            if found is not None:
                box.take(name, self.flow.block)
                return found
            if len(args) > 1 and self.comparisons.lacks(box, args[0]):
                return args[1]
            return told_apart(self.core, join(box.each(), args[1]) if len(args) > 1 else box.each())
        if box.items and box.block == self.flow.block:
            which = constants(args[0]) if args else (-1,)
            if which is not None and which[0] in range(-len(box.items), len(box.items)):
                return box.items.pop(int(which[0]))
        value = box.each()
        box.lose()
        return self.core.fresh_copy(value)

    def _dict_method(self, name: str, box: MutableContainer, args: list[Value], nid: int) -> Value:
        names = [Const(each) for each in box.entries]
        exact = box.elem is None
        if name in ("get", "setdefault"):
            default = args[1] if len(args) > 1 else NONE
            if args and isinstance(args[0], Const):
                found = box.entries.get(args[0].value)
                if found is not None:
                    if name == "setdefault" and box.block != self.flow.block:  # a trace may have put it there
                        self.storing.mutated(nid, "item", box, NONE, memo=True, item=args[0])
                    return found
                if name == "setdefault":
                    box.set(args[0].value, kept_in(box, default), self.flow.block)
                    self.storing.mutated(nid, "item", box, default, memo=True)
                    default = default if box.block == self.flow.block else of_any_call(default)
                if name == "get" and self.comparisons.lacks(box, args[0]):
                    return default
                if exact and not box.entries and box.block != self.flow.block:
                    return self._if_there(default, UNKNOWN)  # a memo or a registry, which other calls fill
                return default if exact else self._if_there(default, box.elem or UNKNOWN)
            if name == "setdefault":
                box.widen(default)
                self.storing.mutated(nid, "item", box, default, memo=True)
                default = of_any_call(default)
            return self._if_there(default, box.each())
        if name == "keys":
            return Product("iterator", self.iterate(box, nid), tuple(names) if exact else None, VIEW)
        if name == "values":
            items = tuple(box.entries.values()) if exact else None
            return Product("iterator", box.each(), items)
        if name == "items":
            pairs = tuple(Tuple((key, value)) for key, value in zip(names, box.entries.values(), strict=True))
            each = Tuple((self.iterate(box, nid), box.each()))
            return Product("iterator", each, pairs if exact else None, VIEW)
        return UNKNOWN

    def _if_there(self, default: Value, held: Value) -> Value:
        result = told_apart(self.core, join(default, held))
        if isinstance(result, Unknown) and default == NONE:
            return self.flow.may_be_absent(result.token)
        return result

    def tree_method(self, name: str, tree: TracerPytree, args: list[Value], nid: int) -> Value:
        inner = TracerPytree(tree.level)
        rows = {"keys": STR, "values": inner, "items": Tuple((STR, inner))}
        if name in rows:
            return Product("iterator", rows[name], None)
        return UNKNOWN if name in ("get", "pop") and len(args) > 1 else inner

    def text_method(
        self, name: str, args: list[Value], keywords: dict[str, Value], template: Value, nid: int
    ) -> Value:
        if name == "format" and isinstance(template, Const) and isinstance(template.value, str):
            if not self.expressions.texts.takes_all(template.value, args, keywords, nid):
                return STR
            return self.expressions.texts.made_of((*args, *keywords.values()), nid, FORMATS)
        known = answered(template, name, args) if not keywords else None
        if name in LISTING:
            box = self.core.box("list", nid, name)
            box.items = list(known.items) if isinstance(known, Tuple) and known.items is not None else None
            box.elem = STR if box.items is None else None
            return box
        if known is not None:
            return known
        if name in ("partition", "rpartition"):
            return Tuple((STR, STR, STR))
        if name.startswith(("is", "starts", "ends")):
            return BOOL
        if name in ("find", "rfind", "index", "count", "bit_length"):
            return INT
        return STR

    def percent_format(self, template: str, value: Value, nid: int) -> Value:
        """What the operator `%` makes of a template and a value."""
        import re

        specs = re.findall(r"%[-#0 +]*(?:\d+|\*)?(?:\.\d+)?([diouxXeEfFgGcrsa])", template)
        texts, is_tuple = self.expressions.texts, isinstance(value, Tuple)
        items = self.expressions.known_items(value) if is_tuple else (value,)
        numbers = [pair for pair in zip(specs, items or (), strict=False) if pair[0] not in "rsa"]
        taken = [texts.takes(item, f"%{spec}", nid) for spec, item in numbers]
        if not all(taken):
            return STR
        return texts.made_of(value.items or (value.elem,) if isinstance(value, Tuple) else (value,), nid)

    def items_of_keys(self, keys: Key, count: int | None) -> tuple[Value, ...] | None:
        """The first keys of an array of them, where it is one, and there are not many."""
        if count is None or count > FEW or not keys.many:
            return None
        return tuple(self.keys.key_item(keys, index) for index in range(count))

    def exact_items(self, value: Value) -> tuple[Value, ...] | None:
        found = self.expressions.known_items(value)
        if found is None and isinstance(value, Product) and value.kind == "iterator":
            found = value.parts[1]
        return found
