"""What the functions of `itertools` and `operator` give back, and those of `heapq` and `bisect`.

In: the arguments' values. Out: the result's, and a word on counts and truths that Python asks for.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.analysis.events import Call
from jaxlint.analysis.key_consumption import KeyConsumption
from jaxlint.calling.calls import Calls
from jaxlint.domain.join import Tuple, join_all, level_of
from jaxlint.domain.objects import Key
from jaxlint.domain.questions import is_rest
from jaxlint.domain.values import UNKNOWN, Const, Product, TracerPytree, Unknown, Value
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.keys import Keys
from jaxlint.library.containers import FEW, Containers


class Iterators:
    """Calls of the standard library's functions on iterables."""

    def __init__(
        self,
        consumption: KeyConsumption,
        keys: Keys,
        attributes: Attributes,
        calls: Calls,
        containers: Containers,
    ) -> None:
        self.consumption = consumption
        self.keys = keys
        self.attributes = attributes
        self.calls = calls
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
        rows = self._rows(args, nid)
        each = Tuple(tuple([self.containers.iterate(value, nid, at) for at, value in enumerate(args)]))
        for value, item in zip(args, each.items or (), strict=True):
            if isinstance(value, Key):
                self.keys.walk(value, item, len(args) > 1)
        return Product("iterator", each, None if rows is None else tuple([Tuple(row) for row in rows]))

    def _rows(self, args: Sequence[Value], nid: int) -> list[tuple[Value, ...]] | None:
        """The items of several iterables side by side, where it is known how many there are."""
        items = [self.containers.exact_items(value) for value in args]
        known = [len(part) for part in items if part is not None]
        known += [value.count for value in args if isinstance(value, Key) and value.count is not None]
        if known and min(known) <= FEW and not any(map(is_rest, args)):
            items = [
                self._items(value, at, min(known), nid) if part is None else part
                for at, (value, part) in enumerate(zip(args, items, strict=True))
            ]
        exact = [part for part in items if part is not None]
        return list(zip(*exact, strict=False)) if items and len(exact) == len(items) else None

    def _items(self, value: Value, at: int, count: int, nid: int) -> tuple[Value, ...] | None:
        """The first items of the argument at this position of which more is not known than what each is."""
        if isinstance(value, Key):
            return self.containers.items_of_keys(value, count)
        return tuple([self.containers.iterate(value, nid, (at, turn)) for turn in range(count)])

    def b_map(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        if len(args) < 2:
            return UNKNOWN
        func, *iterables = args
        known = None if any(map(is_rest, iterables)) else self._rows(iterables, nid)
        rows: Sequence[Sequence[Value]] = known or ()
        if known is None or not _are_of_keys(known):
            rows = [[self.containers.iterate(value, nid) for value in iterables] for _ in range(2)]
        return self._called(func, rows, "map", nid)

    def starmap(self, func: Value, iterable: Value, nid: int) -> Value:
        """A function is called with the items of each item."""
        known = self.containers.exact_items(iterable)
        found = [self.containers.expressions.known_items(row) for row in known or (UNKNOWN,)]
        rows: list[Sequence[Value]] = [row for row in found if row is not None]
        if len(rows) < len(found) or not _are_of_keys(rows):
            rows = [self._arguments_in(self.containers.iterate(iterable, nid), nid) for _ in range(2)]
        return self._called(func, rows, "starmap", nid)

    def _arguments_in(self, row: Value, nid: int) -> Sequence[Value]:
        items = self.containers.expressions.known_items(row)
        return (Product("rest", self.containers.iterate(row, nid)),) if items is None else items

    def _called(self, func: Value, rows: Sequence[Sequence[Value]], what: str, nid: int) -> Value:
        """What a function gives in turn. Where rows have keys, these are all rows that there are."""
        flow = self.calls.flow
        flow.frame.loop += 1
        rounds, found, varied = len(flow.rounds), [], self.consumption.varied
        place, iterations, block = (flow.module, nid), flow.frame.iterations, self.calls.core.new_block()
        try:
            for turn, row in enumerate(rows):
                flow.frame.iterations = (*iterations, (block, turn))
                flow.rounds[rounds:] = [(place, what, turn)]
                self.consumption.varied = place if turn > 0 and not all(map(_has_token, row)) else None
                found.append(self.calls.call(func, list(row), {}, nid, not any(map(is_rest, row))))
        finally:
            self.consumption.varied, flow.frame.iterations = varied, iterations
        del flow.rounds[rounds:]
        flow.frame.loop -= 1
        return Product("iterator", join_all(found) if found else UNKNOWN, None)

    def flat(self, rows: Sequence[Value], nid: int) -> Value:
        return join_all(self.containers.iterate(row, nid) for row in rows)


def _are_of_keys(rows: Sequence[Sequence[Value]]) -> bool:
    """Whether a function is called with one key after another, and not often."""
    return len(rows) <= FEW and any(_has_token(each) for row in rows for each in row)


def _has_token(value: Value) -> bool:
    """Whether this is a key, or may be one that is known again."""
    return isinstance(value, (Key, Unknown, TracerPytree)) and value.token is not None
