"""What the functions of `itertools` and `operator` give back, and those of `heapq` and `bisect`.

In: the arguments' values. Out: the result's, and a word on counts and truths that Python asks for.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.analysis.events import Call
from jaxlint.domain.join import Tuple, join_all, level_of
from jaxlint.domain.objects import Key
from jaxlint.domain.questions import is_rest
from jaxlint.domain.values import UNKNOWN, Const, Product, Value
from jaxlint.evaluation.attributes import Attributes
from jaxlint.library.containers import FEW, Containers


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
            core, level = self.attributes.core, level_of(which)
            if level and not core.silent:
                core.emit_call(
                    Call(nid, core.flow.frame, "operator.getitem", [owner, which], {}, None, level)
                )
            return self.containers.subscript(owner, which, nid)
        if not isinstance(which, Const) or not isinstance(which.value, str):
            return UNKNOWN
        for part in which.value.split("."):
            owner = self.attributes.attribute(owner, part, nid)
        return owner

    # ---- builtins and itertools

    def b_zip(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        """As long as the shortest argument whose number of items is known, as a program means it that hands
        over others beside it; `zip(*rows)` as a row."""
        row = args[0].parts[0] if len(args) == 1 and is_rest(args[0]) else None
        if isinstance(row, Tuple) and row.items is not None:
            columns = tuple([Tuple(None, item) for item in row.items])
            return Product("iterator", join_all(columns), columns)
        if row is not None:
            return Product("iterator", Tuple(None, self.containers.iterate(row, nid)), None)
        items = [self.containers.exact_items(value) for value in args]
        known = [len(part) for part in items if part is not None]
        known += [value.count for value in args if isinstance(value, Key) and value.count is not None]
        if known and min(known) <= FEW and not any(map(is_rest, args)):
            items = [
                self._items(value, min(known), nid) if part is None else part
                for value, part in zip(args, items, strict=True)
            ]
        each = Tuple(tuple(self.containers.iterate(value, nid) for value in args))
        if items and all(part is not None for part in items):
            rows = tuple(Tuple(tuple(row)) for row in zip(*(p for p in items if p is not None), strict=False))
            return Product("iterator", each, rows)
        return Product("iterator", each, None)

    def _items(self, value: Value, count: int, nid: int) -> tuple[Value, ...] | None:
        """The first items of an argument of which more is not known than what each of them is."""
        if isinstance(value, Key):
            return self.containers.items_of_keys(value, count)
        return tuple([self.containers.iterate(value, nid) for _ in range(count)])

    def flat(self, rows: Sequence[Value], nid: int) -> Value:
        return join_all(self.containers.iterate(row, nid) for row in rows)
