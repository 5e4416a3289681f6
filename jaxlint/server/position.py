"""Places as the protocol has them, and as jaxlint has them.

In: rows and columns that count characters from 1, or lines and characters that count code units from 0. Out:
the other. What lies behind the end of a line or of the text is taken for that end.
"""

from __future__ import annotations

from lsprotocol import types

from jaxlint.diagnostic import Span
from jaxlint.source.text import Source

_SIZES = {types.PositionEncodingKind.Utf8: 1, types.PositionEncodingKind.Utf16: 2}
_NAMES = {types.PositionEncodingKind.Utf8: "utf-8", types.PositionEncodingKind.Utf16: "utf-16-le"}


class Encoding:
    """How a client counts the characters of a line."""

    def __init__(self, kind: types.PositionEncodingKind | str | None) -> None:
        kind = types.PositionEncodingKind(kind or types.PositionEncodingKind.Utf16)
        self.kind = kind.value
        self._size = _SIZES.get(kind, 1)
        self._name = _NAMES.get(kind)

    def units(self, text: str) -> int:
        """How many code units a text has."""
        if self._name is None or text.isascii():
            return len(text)
        return len(text.encode(self._name, "surrogatepass")) // self._size

    def characters(self, text: str, units: int) -> int:
        """How many characters of a text so many code units are; one of which they are a part is none."""
        if self._name is None or text.isascii():
            return min(max(units, 0), len(text))
        for number, character in enumerate(text):
            units -= self.units(character)
            if units < 0:
                return number
        return len(text)

    def position(self, source: Source | None, row: int, column: int) -> types.Position:
        if source is None:
            return types.Position(max(row - 1, 0), max(column - 1, 0))
        row = min(max(row, 1), source.row_count)
        return types.Position(row - 1, self.units(source.line(row)[: max(column - 1, 0)]))

    def range(self, source: Source | None, span: Span) -> types.Range:
        start = self.position(source, *span.start)
        return types.Range(start, max(start, self.position(source, *span.end), key=_order))

    def place(self, source: Source, position: types.Position) -> tuple[int, int]:
        """Row and column."""
        row = min(position.line + 1, source.row_count)
        line = source.line(row)
        if position.line >= source.row_count:
            return row, len(line) + 1
        return row, self.characters(line, max(position.character, 0)) + 1


def _order(position: types.Position) -> tuple[int, int]:
    return position.line, position.character
