"""Structures of pytrees: what is left of one without its leaves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jaxlint.domain.values import Value


@dataclass(frozen=True, slots=True)
class Structure:
    """A pytree without its leaves.

    kind: `leaf`; `some`, of which neither the number of leaves nor their places are known; `tuple`, `list`,
    `dict`, `object`, `layers` of a sequence of them, `none`; `either`, of which it is not known which of its
    parts it is.
    names: of the parts of a dict or an object. like: the class of a named tuple; the object that it
    was; a layer of a library, which stays one whatever its leaves become.
    rest: how elements are built of which the number is not known.
    """

    kind: str
    parts: tuple[Structure, ...] = ()
    names: tuple[Any, ...] = ()
    like: Value | None = None
    rest: Structure | None = None
    is_certain: bool = True

    def count(self) -> int:
        """How many values stand for its leaves."""
        if self.kind in ("leaf", "some"):
            return 1
        own = sum(part.count() for part in self.parts)
        return own if self.rest is None else own + self.rest.count()

    def is_exact(self) -> bool:
        """Whether there is one value for each leaf."""
        if self.kind in ("some", "either") or self.rest is not None:
            return False
        return all(part.is_exact() for part in self.parts)

    def is_sure(self) -> bool:
        """Whether nothing on another path may have added to it."""
        return self.is_certain and all(part.is_sure() for part in self.parts)

    def places(self) -> Iterator[Structure]:
        """The `leaf` and `some` in it, in the order of their values."""
        if self.kind in ("leaf", "some"):
            yield self
        for part in self.parts:
            yield from part.places()
        if self.rest is not None:
            yield from self.rest.places()


LEAF = Structure("leaf")
SOME = Structure("some")
NOTHING = Structure("none")
