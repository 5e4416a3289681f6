"""equinox: which leaves of a pytree are arrays, and pytrees split by that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.join import MutableContainer, Tuple, join, join_all
from jaxlint.domain.layers import layers_of, sequence
from jaxlint.domain.objects import Bound, Class, Function, Instance, Key, Partial, Transformed
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
    Value,
)
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts

_NO_ARRAYS = (Function, Bound, Partial, Transformed, Class, External, Instance, Tuple, MutableContainer)
_DEEP = 8  # pytrees in pytrees that are put together again


def _is_kept(name: str, value: Value) -> bool | None:
    """What `equinox.is_array` and its like say of a leaf."""
    like, inexact = name.endswith("_like"), "inexact" in name
    if isinstance(value, Array):
        return value.dtype in ("f", "c") if inexact and value.dtype != "?" else None if inexact else True
    if isinstance(value, Key):
        return not inexact
    if isinstance(value, NumPyArray):
        return True if like and not inexact else None if like or inexact else False
    if isinstance(value, Const) or (isinstance(value, Static) and value != ANY):
        kind = value.type if isinstance(value, Static) else type(value.value).__name__
        return like and kind in ("float", "complex", *(() if inexact else ("int", "bool")))
    return False if isinstance(value, _NO_ARRAYS) else None


@model(
    "equinox.is_array", "equinox.is_array_like", "equinox.is_inexact_array", "equinox.is_inexact_array_like"
)
def is_array(call: Call, m: Parts) -> Value:
    value = call.get(0, "element")
    if value is not None:
        m.flow.subjects[call.nid] = value
    truth = None if value is None else _is_kept(call.name, value)
    return Static("bool") if truth is None else Const(truth)


def _parted(leaf: Value, spec: Value, call: Call, m: Parts) -> tuple[Value, Value]:
    """What is kept of a leaf, and what is left."""
    if isinstance(leaf, TracerPytree):
        is_of_arrays = isinstance(spec, External) and spec.name.startswith("equinox.is_")
        return (leaf, UNKNOWN) if is_of_arrays and leaf.level else (UNKNOWN, UNKNOWN)
    truth = None
    if isinstance(spec, Const) and isinstance(spec.value, bool):
        truth = spec.value
    elif isinstance(spec, (External, Function, Bound, Partial)):
        truth = m.calls.truth(m.calls.call(spec, [leaf], {}, call.nid))
    if truth is None:
        either = join(leaf, NONE) if isinstance(leaf, Array) and isinstance(spec, External) else UNKNOWN
        return either, either
    return (leaf, NONE) if truth else (NONE, leaf)


def _split(call: Call, m: Parts) -> tuple[Value, Value]:
    tree, spec = call.get(0, "pytree"), call.get(1, "filter_spec")
    if tree is None or spec is None or not call.exact or call.keywords.keys() - {"pytree", "filter_spec"}:
        return UNKNOWN, UNKNOWN
    leaves, structure = m.pytrees.flatten(tree)
    found = [_parted(leaf, spec, call, m) for leaf in leaves]
    kept = m.pytrees.unflatten(structure, [each[0] for each in found], call.nid)
    return kept, m.pytrees.unflatten(structure, [each[1] for each in found], -1 - call.nid)


@model("equinox.filter")
def filter_leaves(call: Call, m: Parts) -> Value:
    """A pytree in which other leaves are None."""
    return _split(call, m)[0]


@model("equinox.partition")
def partition(call: Call, m: Parts) -> Value:
    """Two pytrees, of which one has None where the other one has a leaf."""
    return Tuple(_split(call, m))


@model("equinox.combine")
def combine(call: Call, m: Parts) -> Value:
    """The first leaf of each place that is not None."""
    if not call.args or not call.exact or call.keywords:
        return UNKNOWN
    result = call.args[0]
    for each in call.args[1:]:
        result = _combined(result, each, call.nid, m, _DEEP)
    return result


def _combined(first: Value, second: Value, nid: int, m: Parts, depth: int) -> Value:
    if first == NONE:
        return second
    if second == NONE or (first == second and isinstance(first, Product)):
        return first
    if isinstance(first, OneOf) and NONE in first.options:
        rest = join_all(each for each in first.options if each != NONE)
        return rest if second == first else UNKNOWN
    if not depth:
        return UNKNOWN
    if isinstance(first, Tuple) and isinstance(second, Tuple) and first.items and second.items:
        if len(first.items) == len(second.items):
            pairs = zip(first.items, second.items, strict=True)
            return Tuple(tuple([_combined(*pair, nid, m, depth - 1) for pair in pairs]), cls=first.cls)
    layers, others = layers_of(first), layers_of(second)
    if layers is not None and others is not None and len(layers) == len(others):
        return sequence([_combined(*pair, nid, m, depth - 1) for pair in zip(layers, others, strict=True)])
    if isinstance(first, Instance) and isinstance(second, Instance) and first.cls is second.cls:
        values = {
            name: _combined(
                m.attributes.of_instance(first, name),
                m.attributes.of_instance(second, name),
                nid,
                m,
                depth - 1,
            )
            for name in m.pytrees.data_of(first) or ()
        }
        return m.construction.copy_with(first, values, nid)
    if isinstance(first, MutableContainer) and isinstance(second, MutableContainer):
        return _combined_boxes(first, second, nid, m, depth)
    return first if isinstance(first, (Array, Key)) else UNKNOWN


def _combined_boxes(
    first: MutableContainer, second: MutableContainer, nid: int, m: Parts, depth: int
) -> Value:
    if first.kind != second.kind or first.elem is not None or second.elem is not None:
        return UNKNOWN
    box = m.core.box(first.kind, nid, ("combined", id(first)))
    if first.kind == "dict":
        if first.entries.keys() != second.entries.keys():
            return UNKNOWN
        box.entries = {
            name: _combined(value, second.entries[name], nid, m, depth - 1)
            for name, value in first.entries.items()
        }
        return box
    if first.items is None or second.items is None or len(first.items) != len(second.items):
        return UNKNOWN
    pairs = zip(first.items, second.items, strict=True)
    box.items = [_combined(*pair, nid, m, depth - 1) for pair in pairs]
    return box


@model("equinox.apply_updates")
def apply_updates(call: Call, m: Parts) -> Value:
    """A model of which the arrays that have an update are computed anew."""
    tree = call.get(0, "model")
    if tree is None:
        return UNKNOWN
    if isinstance(tree, Product) and tree.kind == "layer":
        return Product(tree.kind, *tree.parts)  # another one
    level = m.core.arrays_level([*call.args, *call.keywords.values()])
    leaves, structure = m.pytrees.flatten(tree)
    return m.pytrees.unflatten(structure, [_updated(leaf, level) for leaf in leaves], call.nid)


def _updated(leaf: Value, level: int) -> Value:
    if isinstance(leaf, TracerPytree):
        return TracerPytree(leaf.level & level)
    return Array(leaf.level & level, leaf.dtype, leaf.ndim) if isinstance(leaf, Array) else leaf
