"""What the functions of `itertools` and `operator` give back, and those of `heapq` and `bisect`.

In: the arguments' values. Out: the result's, and a word on counts and truths that Python asks for.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.domain.join import join_all
from jaxlint.domain.values import UNKNOWN, Const, Product, Value
from jaxlint.evaluation.attributes import Attributes
from jaxlint.library.containers import Containers


class Iterators:
    """Calls of the standard library's functions on iterables."""

    def __init__(
        self,
        attributes: Attributes,
        containers: Containers,
    ) -> None:
        self.attributes = attributes
        self.containers = containers

    # ---- operator

    def got(self, getter: Product, owner: Value, nid: int) -> Value:
        """What `itemgetter(...)` or `attrgetter(...)` gives of an object."""
        name, which = getter.parts
        if name == "itemgetter":
            return self.containers.subscript(owner, which, nid)
        if not isinstance(which, Const) or not isinstance(which.value, str):
            return UNKNOWN
        for part in which.value.split("."):
            owner = self.attributes.attribute(owner, part, nid)
        return owner

    # ---- heapq, bisect, statistics

    # ---- itertools

    def flat(self, rows: Sequence[Value], nid: int) -> Value:
        return join_all(self.containers.iterate(row, nid) for row in rows)
