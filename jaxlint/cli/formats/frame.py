"""A row of source with carets below it, aligned as a terminal shows it.

In: a row and a span in it. Out: the row made fit to print and the carets' place and length. Tabs become
spaces, wide and combining characters are counted as they are drawn, what would steer the terminal is shown as
a symbol, and of a very long row only the part around the span is kept.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from jaxlint.diagnostic import Span
from jaxlint.engine.source import Source

TAB = 4
WIDEST = 160
_LEAD = 40
_STEERING = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))


@dataclass(frozen=True, slots=True)
class Frame:
    """`indent` columns lie before the carets, of which there are `width`."""

    row: int
    text: str
    indent: int
    width: int

    @property
    def carets(self) -> str:
        return " " * self.indent + "^" * self.width


def frame_of(source: Source, span: Span) -> Frame | None:
    """The first row of a span; None where the text has no such row."""
    if not 1 <= span.row <= source.row_count:
        return None
    line = source.line(span.row)
    start = min(span.column - 1, len(line))
    end = min(span.end_column - 1, len(line)) if span.end_row == span.row else len(line.rstrip())
    end = max(end, start)
    first, last = _window(line, start, end)
    drawn = _drawn(line[first:last])
    head, tail = ("…" if first else ""), ("…" if last < len(line) else "")
    indent = len(head) + sum(width for _, width in drawn[: start - first])
    width = sum(width for _, width in drawn[start - first : end - first])
    text = head + "".join(shown for shown, _ in drawn) + tail
    return Frame(span.row, text.rstrip(), indent, max(1, width))


def width_of(text: str) -> int:
    """The columns that a text takes in a terminal."""
    return sum(width for _, width in _drawn(text))


def _window(line: str, start: int, end: int) -> tuple[int, int]:
    if len(line) <= WIDEST:
        return 0, len(line)
    first = max(0, min(start - _LEAD, len(line) - WIDEST))
    last = min(len(line), first + WIDEST)
    return first, max(last, min(end, start + WIDEST))


def _drawn(text: str) -> list[tuple[str, int]]:
    """Each character as it is shown and the columns it takes."""
    drawn = []
    column = 0
    for character in text:
        shown, width = character, 1
        if character == "\t":
            width = TAB - column % TAB
            shown = " " * width
        elif character < "\x7f" and character >= " ":
            pass
        elif unicodedata.category(character) in _STEERING:
            # U+2400 and on picture the control characters.
            shown = chr(0x2400 + ord(character)) if character < " " else "\ufffd"
        elif unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me"):
            width = 0
        elif unicodedata.east_asian_width(character) in ("W", "F"):
            width = 2
        drawn.append((shown, width))
        column += width
    return drawn
