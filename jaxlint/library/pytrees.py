"""`jax.tree`: leaves, maps and reductions of pytrees."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any

from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import FlowState
from jaxlint.calling.lifting import Lifting
from jaxlint.domain.join import MutableContainer, Tuple, any_of, join_all, options_of
from jaxlint.domain.key_tokens import EACH, is_each
from jaxlint.domain.layers import layers_of, level_of_layer, sequence, with_level
from jaxlint.domain.objects import Bound, Class, Function, Instance, Key, Partial, Transformed
from jaxlint.domain.questions import holds
from jaxlint.domain.values import (
    ANY,
    NONE,
    UNKNOWN,
    Array,
    Const,
    External,
    NumPyArray,
    OneOf,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.keys import Keys
from jaxlint.library.containers import FEW
from jaxlint.library.structures import LEAF, NOTHING, SOME, Structure
from jaxlint.tables.layers import OF_ARRAYS, WITH_ARRAYS

# functions of one pytree that give back the leaves that they are given, and those that leave NumPy's arrays
# to NumPy: tests/test_api_table.py finds both by running JAX
GIVEN_BACK = frozenset(("jax.block_until_ready", "jax.copy_to_host_async"))
KEPT_ON_HOST = frozenset(("jax.lax.stop_gradient",))
_LEAVES = (Array, NumPyArray, Key, Static, Function, Bound, Partial, Transformed, Class, External)
_DEEP = 12  # containers in containers that are looked into

IsLeaf = Callable[[Value], bool | None]


class Pytrees:
    """What the functions on pytrees give back."""

    def __init__(
        self, flow: FlowState, core: Core, keys: Keys, attributes: Attributes, lifting: Lifting
    ) -> None:
        self.flow = flow
        self.core = core
        self.keys = keys
        self.attributes = attributes
        self.lifting = lifting

    def tree_of(self, name: str, target: Value | None, level: int) -> Value:
        """What a function gives that maps the leaves of a pytree."""
        if target is None:
            return TracerPytree(level)
        if name in GIVEN_BACK:
            return target
        if name in KEPT_ON_HOST and not self.flow.context.staged:
            return self._kept_on_host(target, level)
        if isinstance(target, (Array, NumPyArray)):
            return Array(level, target.dtype, target.ndim)
        return self.lifting.lower(target, level)

    def _kept_on_host(self, value: Value, level: int) -> Value:
        """What a function of `KEPT_ON_HOST` gives outside of staged code: NumPy's arrays stay such, or become
        JAX's in older versions; Python's numbers stay numbers."""
        if isinstance(value, Tuple) and value.items is not None:
            return Tuple(tuple([self._kept_on_host(each, level) for each in value.items]), cls=value.cls)
        if isinstance(value, (Const, Static)):
            return value
        return UNKNOWN if isinstance(value, NumPyArray) else self.lifting.lower(value, level)

    def leaf_of(self, value: Value) -> Value:
        """What one leaf of a pytree is, whichever."""
        leaves, _ = self.flatten(value)
        return join_all([_any_of(each) if isinstance(each, TracerPytree) else each for each in leaves])

    # ---- taking apart

    def flatten(self, value: Value, is_leaf: IsLeaf | None = None) -> tuple[list[Value], Structure]:
        """The leaves of a pytree in their order, and what is left. Of a part with leaves that are not told
        apart one value stands for all: a pytree of arrays where they are arrays."""
        leaves: list[Value] = []
        return leaves, self._taken(value, is_leaf, leaves, ())

    def _taken(
        self, value: Value, is_leaf: IsLeaf | None, leaves: list[Value], around: tuple[int, ...]
    ) -> Structure:
        own = None if is_leaf is None else is_leaf(value)
        if own:
            leaves.append(value)
            return LEAF
        if (is_leaf is not None and own is None) or len(around) > _DEEP or id(value) in around:
            leaves.append(self.core.any_inside(value))
            return SOME
        if value == NONE:
            return NOTHING
        if _is_one_leaf(value):
            leaves.append(value)
            return LEAF
        if isinstance(value, TracerPytree):
            leaves.append(UNKNOWN if is_leaf is not None else value)
            return SOME
        if isinstance(value, Product) and value.kind == "layer":
            level = level_of_layer(value)
            is_known = value.parts[-1] != ANY and (level or not self.flow.context.depth)
            leaves.append(Array(level) if is_known and value.parts[0] in OF_ARRAYS else UNKNOWN)
            return Structure("some", like=value)
        inside = (*around, id(value))
        if isinstance(value, OneOf):
            given = [each for each in value.options if each != NONE]
            if all(map(_is_one_leaf, given)):
                # one leaf: what is called with it is not called with each of these
                leaves.append(any_of(given))
                return LEAF if len(given) == len(value.options) else Structure("either", (LEAF, NOTHING))
            if (record := _one_record(value.options)) is not None:
                return self._taken(record, is_leaf, leaves, inside)
            return Structure(
                "either", tuple([self._taken(each, is_leaf, leaves, inside) for each in value.options])
            )
        found = self._parts(value)
        if found is None:
            leaves.append(self.core.any_inside(value))
            return SOME
        kind, names, parts, rest, like = found
        if kind == "leaf":
            leaves.append(value)
            return LEAF
        return Structure(
            kind,
            tuple([self._taken(each, is_leaf, leaves, inside) for each in parts]),
            names,
            like,
            None if rest is None else self._taken(rest, is_leaf, leaves, inside),
            kind != "dict" or getattr(value, "block", 0) == self.flow.block,
        )

    def _parts(
        self, value: Value
    ) -> tuple[str, tuple[Any, ...], Sequence[Value], Value | None, Class | Instance | None] | None:
        """The kind of a node, the names of its parts, these, what all further ones are, and what it is like;
        None where that is not known."""
        if isinstance(value, Tuple):
            known = value.items is not None
            return "tuple", (), value.items or (), None if known else value.elem, value.cls
        if isinstance(value, MutableContainer):
            if value.kind == "dict":
                names = _in_order(value.entries)
                return "dict", names, [value.entries[name] for name in names], value.elem, None
            if value.kind != "list":
                return None
            return "list", (), value.items or (), value.elem if value.items is None else None, None
        if isinstance(value, Instance):
            data = self.data_of(value)
            if data is None:
                return None
            if not value.cls.has_mark("pytree"):
                return "leaf", (), (), None, None
            return "object", data, [self.attributes.of_instance(value, name) for name in data], None, value
        layers = layers_of(value)
        return None if layers is None else ("layers", (), layers, None, None)

    def data_of(self, value: Instance) -> tuple[str, ...] | None:
        """The attributes of an object in which a pytree goes on; None where that is not known."""
        cls = value.cls
        if not cls.has_mark("pytree"):
            return () if not cls.opaque() and not cls.has_mark("altered") else None
        if cls.has_mark("static"):
            return ()
        if cls.has_mark("nnx"):
            return None
        parts = self.lifting.parts_of(value)
        if parts is not None:
            return tuple(parts.children)
        if cls.has_mark("flattened"):
            return None
        fields = cls.all_fields()
        if not fields or not cls.has_mark("dataclass"):
            return None
        return tuple([name for name, (_, static) in fields.items() if not static])

    def holds_tracer(self, value: Value, letters: str, depth: int = 4) -> bool:
        """Whether a tracer of these levels is certainly in a value: in what containers and pytrees hold."""
        if holds(value, letters):
            return True
        held: Iterable[Value] = ()
        if isinstance(value, OneOf):
            rest = [each for each in value.options if each != NONE]
            return bool(rest) and all(self.holds_tracer(each, letters, depth) for each in rest)
        if isinstance(value, Tuple):
            held = value.items or (value.elem,)
        elif isinstance(value, MutableContainer):
            held = (*value.entries.values(), *(value.items or ()), *((value.elem,) if value.elem else ()))
        elif isinstance(value, Instance):
            held = [self.attributes.of_instance(value, name) for name in self.data_of(value) or ()]
        return depth > 0 and any(self.holds_tracer(each, letters, depth - 1) for each in held)

    # ---- putting together

    def unflatten(self, structure: Structure, leaves: Iterable[Value], nid: int) -> Value:
        """A pytree of this structure with a value for each value of `flatten`, made at this place."""
        return self._built(structure, iter(leaves), nid, ())

    def _built(
        self, structure: Structure, leaves: Iterator[Value], nid: int, path: tuple[Hashable, ...]
    ) -> Value:
        kind = structure.kind
        if kind == "leaf":
            return next(leaves)
        if kind == "some":
            leaf = next(leaves)
            if isinstance(structure.like, Product):  # a layer with other leaves
                return self._layer(structure.like, leaf)
            return self.spread(leaf) if structure.like is None else structure.like
        parts = [self._built(part, leaves, nid, (*path, place)) for place, part in enumerate(structure.parts)]
        rest = None if structure.rest is None else self._built(structure.rest, leaves, nid, (*path, "rest"))
        if kind == "none":
            return NONE
        if kind == "either":
            return join_all(parts)
        if kind == "layers":
            return sequence(parts)
        if kind == "tuple":
            cls = structure.like if isinstance(structure.like, Class) else None
            return Tuple(tuple(parts), cls=cls) if rest is None else Tuple(None, rest, cls)
        if isinstance(structure.like, Instance):
            return self._rebuilt(structure.like, dict(zip(structure.names, parts, strict=True)), nid, path)
        box = self.core.box(kind, nid, ("tree", path))
        if kind == "dict":
            box.entries, box.elem = dict(zip(structure.names, parts, strict=True)), rest
            if not structure.is_certain:
                box.block = 0
        else:
            box.items, box.elem = (parts, None) if rest is None else (None, rest)
        return box

    def _layer(self, like: Product, leaf: Value) -> Product:
        """A layer with other leaves; those of equinox are marked where these may be NumPy's, or None."""
        held = [each for each in like.parts if each != ANY and not isinstance(each, Array)]
        if like.parts[0] not in WITH_ARRAYS:
            return Product(like.kind, *held)
        made = Product(like.kind, *held, *[ANY] * (not isinstance(leaf, Array)))
        return with_level(made, leaf.level) if isinstance(leaf, Array) else made

    def changed(self, tree: Value, change: Callable[[Value], Value], nid: int) -> Value:
        """A pytree of the structure of another one, made at this place, with each leaf changed."""
        leaves, structure = self.flatten(tree)
        return self.unflatten(structure, [join_all(map(change, options_of(each))) for each in leaves], nid)

    def _rebuilt(
        self, like: Instance, values: dict[str, Value], nid: int, path: tuple[Hashable, ...]
    ) -> Instance:
        key = ("rebuilt", nid, path, id(like))
        found = self.flow.frame.heap.get(key)
        copy = found if isinstance(found, Instance) else Instance(like.cls, self.flow.context.depth)
        self.core.keep(key, copy)
        copy.many, copy.generic = copy.many or like.many or self.flow.frame.loop > 0, like.generic
        kept = {
            name: self.flow.env.vars.get(("@", id(like), name), value)
            for name, value in like.attributes.items()
        }
        copy.attributes = {**kept, **values}
        return copy

    def spread(self, leaf: Value) -> Value:
        """A pytree of which each leaf is this, or a pytree of such leaves."""
        if isinstance(leaf, (Tuple, MutableContainer, TracerPytree)):
            leaf = self.leaf_of(leaf)
        if isinstance(leaf, Key) and is_each(leaf.token):
            return TracerPytree(leaf.level, leaf.token)
        return TracerPytree(leaf.level) if isinstance(leaf, Array) else UNKNOWN

    def of_leaves(self, structure: Structure, given: Value, nid: int) -> Value:
        """What a structure makes of leaves in a list, a tuple or an iterator."""
        items: Sequence[Value] | None = None
        if isinstance(given, (Tuple, MutableContainer)) and not getattr(given, "entries", None):
            items = given.items
        elif isinstance(given, Product) and given.kind == "iterator":
            items = given.parts[1]
            given = given.parts[0]
        if items is not None and structure.is_exact() and structure.count() == len(items):
            return self.unflatten(structure, items, nid)
        if items is not None:
            return self.unflatten(structure, [join_all(map(self.leaf_of, items))] * structure.count(), nid)
        count = structure.count()
        if isinstance(given, Key):
            if given.many and structure.is_exact() and count <= FEW:
                return self.unflatten(structure, [self.keys.key_item(given, i) for i in range(count)], nid)
            is_known = given.many and given.token is not None
            token = (given.token, EACH, "leaf") if is_known else self.core.fresh()
            each: Value = Key(token, given.level, made=given.made)
        else:
            each = self.leaf_of(given)
        leaves = [each] * count
        is_new = isinstance(each, Key) and isinstance(each.token, tuple) and each.token[0] == "new"
        if is_new or (isinstance(each, Key) and is_each(each.token)):
            leaves[1:] = map(self.core.fresh_copy, leaves[1:])  # each is another one of many keys
        return self.unflatten(structure, leaves, nid)

    # ---- several trees

    def at_leaves(self, structure: Structure, other: Value) -> list[Value]:
        """The parts of another pytree that lie where this one has its leaves."""
        if structure.kind == "leaf":
            return [_any_of(other) if isinstance(other, TracerPytree) else other]
        if structure.kind == "none":
            return []
        if structure.kind in ("some", "either"):
            return [self.leaf_of(other)] * structure.count()
        if isinstance(other, (TracerPytree, Unknown)):
            return [self.leaf_of(other)] * structure.count()
        found = self._parts(other)
        is_alike = (
            found is not None
            and (found[0], found[1], len(found[2])) == (structure.kind, structure.names, len(structure.parts))
            and (found[3] is None) == (structure.rest is None)
        )
        if found is None or not is_alike:
            return [UNKNOWN] * structure.count()
        rows = [
            each
            for part, own in zip(structure.parts, found[2], strict=True)
            for each in self.at_leaves(part, own)
        ]
        if structure.rest is not None and found[3] is not None:
            rows += self.at_leaves(structure.rest, found[3])
        return rows

    def transposed(self, outer: Structure, inner: Structure, tree: Value, nid: int) -> Value:
        """A pytree of pytrees turned inside out."""
        many, few = outer.count(), inner.count()
        leaves, own = self.flatten(tree)
        if not (outer.is_exact() and inner.is_exact() and own.is_exact()) or len(leaves) != many * few:
            return self.spread(self.leaf_of(tree))
        columns = [
            self._built(outer, iter(leaves[place::few]), nid, ("column", place)) for place in range(few)
        ]
        return self.unflatten(inner, columns, nid)


def _any_of(tree: TracerPytree) -> Value:
    """Any leaf of a pytree of arrays: of one that was made of an array of keys, any of these."""
    return Key(tree.token, tree.level) if is_each(tree.token) else Array(tree.level)


def _in_order(entries: dict[Any, Value]) -> tuple[Any, ...]:
    try:
        return tuple(sorted(entries))
    except TypeError:
        return tuple(entries)


def _one_record(options: Sequence[Value]) -> MutableContainer | None:
    """What several dicts are that have the same keys: what is made of them is made anew in any case."""
    boxes = [each for each in options if isinstance(each, MutableContainer)]
    if len(boxes) < len(options) or any(each.kind != "dict" or each.elem is not None for each in boxes):
        return None
    first = boxes[0]
    if any(each.entries.keys() != first.entries.keys() for each in boxes):
        return None
    is_certain = all(each.block == first.block for each in boxes)
    record = MutableContainer("dict", first.depth, first.block if is_certain else 0)
    record.entries = {name: join_all([each.entries[name] for each in boxes]) for name in first.entries}
    return record


def _is_one_leaf(value: Value) -> bool:
    return isinstance(value, Const) or (isinstance(value, _LEAVES) and value != ANY)
