"""What is kept of a function while the program runs: bounded by its ways and signatures, never by its calls.

In: entries of the function. Out: lines of the journal, as differences since the last flush.
"""

from __future__ import annotations

import inspect
from collections import deque
from types import CodeType
from typing import Any

from .compare import Signature
from .journal import Journal
from .project import absolute

WAYS, SIGNATURES = 64, 64
FUNCTION = inspect.CO_OPTIMIZED | inspect.CO_NEWLOCALS


class Record:
    """One function, or the rows of a module outside of functions.

    number: in the journal. row: the first, decorators included. column: of a lambda, where it is known.
    """

    __slots__ = (
        "calls", "column", "compiled", "dirty", "from_place", "lines", "more", "name", "names", "number",
        "path", "row", "run", "runs", "said", "signatures", "stars", "traces", "ways", "written",
    )  # fmt: skip

    def __init__(self, number: int, code: CodeType) -> None:
        self.number = number
        self.path = absolute(code.co_filename)
        is_function = code.co_flags & FUNCTION == FUNCTION
        self.name = code.co_name if is_function else "<module>"
        self.row = code.co_firstlineno if is_function else 1
        self.column = _column(code) if self.name == "<lambda>" else -1
        named = code.co_argcount + code.co_kwonlyargcount if is_function else 0
        stars = bool(code.co_flags & inspect.CO_VARARGS), bool(code.co_flags & inspect.CO_VARKEYWORDS)
        self.names = code.co_varnames[: named + sum(stars)] if is_function else ()
        self.stars = dict(zip(self.names[named:], [k for k, on in zip(("tuple", "dict"), stars) if on]))
        self.calls = self.said = 0
        self.from_place: dict[tuple[int, int], int] = {}
        self.lines: set[int] = set()
        self.ways: dict[str, list[int]] = {}
        self.more = 0
        self.signatures: deque[Signature] = deque(maxlen=SIGNATURES)
        self.traces = self.compiled = 0
        self.run = 0.0
        self.runs = 0
        self.dirty = False
        self.written = False

    def entered(self, way: str) -> None:
        """Counts a way, a text that begins a line of the journal."""
        found = self.ways.get(way)
        if found is not None:
            found[0] += 1
        elif len(self.ways) < WAYS:
            self.ways[way] = [1, 0]
        else:
            self.more += 1

    def write(self, journal: Journal) -> None:
        """Adds what is new since the last time."""
        self.dirty = False
        if not self.written:
            self.written = True
            journal.add(
                "function", n=self.number, path=self.path, row=self.row, name=self.name, column=self.column
            )
        calls = self.calls - self.said
        if calls or self.lines or self.runs or self.more:
            lines, run = sorted(self.lines), round(self.run, 6)
            journal.add(
                "seen", n=self.number, calls=calls, lines=lines, run=run, runs=self.runs, more=self.more
            )
            self.said = self.calls
            self.lines = set()
            self.run = 0.0
            self.runs = self.more = 0
        for way, counts in self.ways.items():
            if counts[0] > counts[1]:
                journal.add("entry", n=self.number, way=way, count=counts[0] - counts[1])
                counts[1] = counts[0]

    def forked(self) -> None:
        """In the child of a fork: the parent writes what was seen before."""
        self.written = False
        self.said = self.calls
        self.lines = set()
        self.run = 0.0
        self.runs = self.more = 0
        for counts in self.ways.values():
            counts[1] = counts[0]


def _column(code: CodeType) -> int:
    """A column at which something of a lambda is, on its first row; -1 where it is not known."""
    positions: Any | None = getattr(code, "co_positions", None)
    if positions is None:
        return -1
    columns = [
        column for row, _, column, _ in positions() if row == code.co_firstlineno and column is not None
    ]
    # The first instructions of a function stand at its first column or at none.
    return max(columns, default=-1)
