"""What calls put into containers that modules make, to put it there again.

In: containers as calls leave them. Out: the same contents in containers that were made anew, as the bodies of
modules do in each round of the analysis, where calls are remembered. It refuses to know who calls what.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from jaxlint.domain.join import MutableContainer
from jaxlint.domain.values import Value


class Filled(NamedTuple):
    """A container that a call fills, in which round of the analysis, and what is in it by then."""

    box: MutableContainer
    round: int
    entries: Mapping[Any, Value]
    items: tuple[Value, ...]
    elem: Value | None
    lacking: bool = False

    @classmethod
    def of(cls, box: MutableContainer, round: int) -> Filled:
        return cls(box, round, dict(box.entries), tuple(box.items or ()), box.elem, box.lacking)

    def again(self) -> bool:
        """Puts into the container what it lacks of this, if it was made anew; says whether it was."""
        box = self.box
        if box.made <= self.round:
            return False
        for name, value in self.entries.items():
            box.entries.setdefault(name, value)
        known = {id(each) for each in box.items or ()}
        for each in self.items:
            if id(each) not in known:
                box.add(each, box.block)
        if self.elem is not None:
            box.widen(self.elem)
        box.lacking |= self.lacking
        return True
