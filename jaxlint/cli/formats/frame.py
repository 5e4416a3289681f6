"""A row of source with carets below it, aligned as a terminal shows it.

In: a row and a span in it. Out: the row made fit to print and the carets' place and length. Tabs become
spaces, wide and combining characters are counted as they are drawn, what would steer the terminal is shown as
a symbol, and of a very long row only the part around the span is kept.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from jaxlint.diagnostic import Span
from jaxlint.source.text import Source

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
    begin = source.line_starts[span.row - 1]
    length = source.end_of(span.row) - begin
    start = min(span.column - 1, length)
    end = min(span.end_column - 1, length) if span.end_row == span.row else length
    first, last = _window(length, start, max(end, start))
    line = source.text[begin + first : begin + last]
    if span.end_row != span.row and last == length:
        end = first + len(line.rstrip())
    end = max(end, start)
    cells = _drawn(line)
    head, tail = ("…" if first else ""), ("…" if last < length else "")
    indent = len(head) + sum(width for _, width in cells[: start - first])
    width = sum(width for _, width in cells[start - first : end - first])
    text = head + "".join(shown for shown, _ in cells) + tail
    return Frame(span.row, text.rstrip(), indent, max(1, width))


def drawn(line: str) -> str:
    """A row made fit to print, from its begin."""
    first, last = _window(len(line), 0, 0)
    text = "".join(shown for shown, _ in _drawn(line[first:last]))
    return (text + ("…" if last < len(line) else "")).rstrip()


def width_of(text: str) -> int:
    """The columns that a text takes in a terminal."""
    return sum(width for _, width in _drawn(text))


def _window(length: int, start: int, end: int) -> tuple[int, int]:
    if length <= WIDEST:
        return 0, length
    first = max(0, min(start - _LEAD, length - WIDEST))
    last = min(length, first + WIDEST)
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
