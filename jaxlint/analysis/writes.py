"""Writes of variables, attributes and containers outside of traces, put together in their order.

In: what was there and what is there, and how it came there. Out: one write for several of a place; none where
there is again what was there before. It refuses to know who reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jaxlint.domain.join import MutableContainer, Tuple, join, options_of
from jaxlint.domain.objects import Instance, Key
from jaxlint.domain.values import (
    GRAPHDEF_PARTS,
    Array,
    NumPyArray,
    OneOf,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Hashable

    from jaxlint.domain.objects import Module


class Write(NamedTuple):
    """One or several writes of one place: where the last one is, what was there before the first one and
    what is there now. moved: what is written last was read somewhere. restores: what a copy of a
    container has is put back into it. lender: the run of a context manager that writes this on entering and,
    `leaves`, on leaving; varies: where it is entered again it may write something else. under: the writes
    before it was entered."""

    module: Module
    nid: int
    before: Value | None = None
    after: Value | None = None
    moved: bool = False
    restores: bool = False
    lender: Hashable = None
    leaves: bool = False
    varies: bool = False
    under: Write | None = None

    def undone(self) -> Write:
        """The write that puts back what was there."""
        return self._replace(before=self.after, after=self.before, leaves=True)

    def then(self, later: Write) -> Write | None:
        """This and a later write; None where there is again what was there before."""
        if later.lender is not None:
            is_other_end = later.lender is self.lender and later.leaves is not self.leaves
            if is_other_end and (later.leaves or not self.varies):
                return self.under
            if not later.leaves:
                return later._replace(before=self.before, under=self)
        if later.restores:
            return None
        before, after = self.before, later.after
        if before is not None and after is not None:
            if after is before or is_same(before, after):
                return None
            alike = isinstance(after, Unknown) or join(before, after) in (before, after)
            if alike and later.moved and later.nid != self.nid:
                return None  # as far as is known; a loop that writes again and again puts nothing back
        if later.lender is None and self.lender is not None and not self.leaves:
            return later._replace(before=before, lender=self.lender, varies=self.varies, under=self.under)
        return later._replace(before=before)


def is_same(before: Value | None, after: Value) -> bool:
    """Whether an assignment certainly changes nothing: equal arrays, types and layers may differ in value.
    Definitions of one nnx graph are equal."""
    is_definition = isinstance(after, Product) and (after.kind, *after.parts[:1]) == GRAPHDEF_PARTS
    if is_definition and before is not None:
        return after in options_of(before)
    if isinstance(after, Product) and after.kind == "layer":
        return before is after
    if isinstance(after, Product) and after.given:
        return isinstance(before, Product) and _is_made_alike(before, after)
    if isinstance(after, Instance) and after.many:
        return False  # each turn of a loop makes another object
    return before == after and not isinstance(
        after, (Array, NumPyArray, Key, Static, TracerPytree, Tuple, Unknown, OneOf)
    )


def _is_made_alike(one: Product, other: Product) -> bool:
    """Whether two objects of a library are made by the same call, as far as the arguments are known."""
    if one != other or len(one.given) != len(other.given) or one.given[:1] != other.given[:1]:
        return False
    return all(map(_is_alike, one.given[1:], other.given[1:]))


def _is_alike(one: Value, other: Value) -> bool:
    if isinstance(one, Product) and isinstance(other, Product):
        return _is_made_alike(one, other)
    if isinstance(one, Tuple) and isinstance(other, Tuple) and one.items and other.items:
        return len(one.items) == len(other.items) and all(map(_is_alike, one.items, other.items))
    if isinstance(one, Unknown) and isinstance(other, Unknown):
        return one.token == other.token
    if isinstance(one, MutableContainer) and isinstance(other, MutableContainer):
        names = one.entries.keys() & other.entries.keys()
        return one.kind == other.kind and all(_is_alike(one.entries[at], other.entries[at]) for at in names)
    return one == other
