"""The references that Pallas gives a kernel, and `run_scoped` a function: one for each leaf of a tree.

In: what stands for the arrays, or for what says their shapes. Out: the references, in trees of the same
structure as far as it is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Final

from jaxlint.domain.join import SHAPE, MutableContainer, Tuple
from jaxlint.domain.objects import Instance, Transformed
from jaxlint.domain.values import ANY, NONE, STAGED, UNKNOWN, Array, Const, OneOf, Product, Unknown, Value

REF: Final = Product("ref")
TREE: Final = Product("ref", "tree")
"""What may be one reference or a tree of them."""


def references(given: Value) -> Value:
    """The references for what a tree holds, or says the shapes of."""
    items = _items(given)
    if items is not None:
        return Tuple(tuple(map(references, items)))
    if given == NONE:
        return NONE
    return TREE if isinstance(given, (Unknown, Instance, OneOf)) else REF


def of_kernel(kernel: Transformed, args: Sequence[Value], is_exact: bool) -> Iterator[Value]:
    """The references of a kernel that is called with these arguments, in their order: of the arguments, the
    results and the scratch memory; without end, of what is not known."""
    is_known = is_exact and kernel.option("grid_spec") is None
    yield from map(references, args if is_exact else ())
    for name in ("out_shape", "scratch_shapes") if is_known else ():
        shapes = kernel.option(name)
        held = Tuple(()) if shapes is None else references(shapes)
        if held == TREE:
            break
        yield from held.items or () if isinstance(held, Tuple) else (held,)
    yield from repeat(TREE)


def _items(value: Value) -> Sequence[Value] | None:
    return value.items if isinstance(value, (MutableContainer, Tuple)) else None


def attribute_of(reference: Product, name: str) -> Value:
    if name == "at":
        return Product("at", reference)
    return UNKNOWN if reference == TREE else SHAPE if name == "shape" else ANY


def item_of(reference: Product, index: Value) -> Value:
    """What reading an item gives: of a tree an integer or a slice may be the place of a reference."""
    is_array = reference != TREE or isinstance(index, (Tuple, Array)) or index == Const(...)
    return Array(STAGED) if is_array else UNKNOWN
