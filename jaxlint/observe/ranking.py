"""What of the facts is shown first.

In: facts. Out: functions by the seconds that compiling them took, events by kind and count; and places, of
notebooks by cell.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping

from jaxlint.observe.facts import Event, Facts, Function, split_key

ORDER = ("leak", "key reused", "nan", "raised", "transfer")


class Rows(dict[str, int]):
    """The row of `def` of functions, by key.

    cells: of notebooks, by path, the row at which each cell begins.
    """

    def __init__(self, rows: Mapping[str, int] | None = None) -> None:
        super().__init__(rows or {})
        self.cells: dict[str, tuple[int, ...]] = {}


def by_seconds(facts: Facts) -> list[tuple[str, Function]]:
    """Functions that were traced by `jit`, those that took most seconds first."""
    traced = [(key, function) for key, function in facts.functions.items() if function.traced]
    return sorted(traced, key=lambda item: (-compiling(item[1]), -item[1].traced, item[0]))


def compiling(function: Function) -> float:
    """Seconds of tracing, lowering and compiling."""
    return function.seconds.trace + function.seconds.lower + function.seconds.compile


def events(facts: Facts) -> list[Event]:
    """By kind, the gravest first; transfers in loops before others."""

    def rank(event: Event) -> tuple[int, bool, int, object]:
        place = ORDER.index(event.kind) if event.kind in ORDER else len(ORDER)
        return place, not event.loop, -event.count, event.identity()

    return sorted(facts.events, key=rank)


def place(key: str, line: int, rows: Rows, shown: Callable[[str], str] = str) -> str:
    """`path:row` of a line of a function, where the row of its `def` is known; else `path` and its name. Of a
    notebook `path:cell 2:row`. shown: how a path is written."""
    path, name = split_key(key)
    begin = rows.get(key)
    if begin is None:
        return f"{shown(path)} {name}+{line}"
    row = begin + line
    starts = rows.cells.get(path, ())
    cell = bisect_right(starts, row)
    return f"{shown(path)}:cell {cell}:{row - starts[cell - 1] + 1}" if cell else f"{shown(path)}:{row}"
