"""Bytes of a Python file to text and back, and places in that text.

In: bytes, or text already decoded. Out: `Source`, which holds the text exactly as it stands in the file
(newlines untouched, a byte order mark taken off), and how to encode it again. Rows are an editor's: they
end at \\n, \\r\\n or \\r and at nothing else. Knows nothing of syntax: whether the text parses is asked
elsewhere.
"""

from __future__ import annotations

import codecs
import re
import tokenize
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from jaxlint.diagnostic import Span

NEWLINE = re.compile(r"\r\n|\r|\n")
_ROW_END = re.compile(rb"\r\n|\r|\n")  # what ends a row for bytes, to Python


class UnreadableSource(Exception):
    """The bytes are no text that Python would read; `reason` says why in one line, `row` where."""

    def __init__(self, reason: str, row: int = 1) -> None:
        super().__init__(reason)
        self.reason = reason
        self.row = row


@dataclass(frozen=True)
class Source:
    """`style`: the newline of what is written, where it is not the one that the text has most."""

    text: str
    encoding: str = "utf-8"
    bom: bool = False
    style: str = ""

    @classmethod
    def from_text(cls, text: str, encoding: str = "utf-8", bom: bool = False) -> Source:
        return cls(text, encoding, bom)

    def with_text(self, text: str) -> Source:
        """Another text for the same file: the encoding, the mark and the newline style stay."""
        return Source(text, self.encoding, self.bom, self.newline)

    def reread(self, data: bytes) -> Source:
        """The text of other bytes of the same file.

        Raises:
            UnreadableSource: they are no text.
        """
        return read_source(data)

    @cached_property
    def newline(self) -> str:
        return self.style or newline_of(self.text)

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        return (0, *(match.end() for match in NEWLINE.finditer(self.text)))

    @property
    def row_count(self) -> int:
        """Rows as an editor numbers them: a final newline opens one more, empty row."""
        return len(self.line_starts)

    def line(self, row: int) -> str:
        """The text of a row without its newline; empty where there is no such row."""
        if not 1 <= row <= self.row_count:
            return ""
        return self.text[self.line_starts[row - 1] : self.end_of(row)]

    def end_of(self, row: int) -> int:
        """The offset of the newline of a row, or of the end of the text. The row is one of the text."""
        if row == self.row_count:
            return len(self.text)
        start, end = self.line_starts[row - 1], self.line_starts[row]
        return end - (2 if self.text.endswith("\r\n", start, end) else 1)

    def offset(self, row: int, column: int) -> int:
        """The index in `text` of a place.

        Raises:
            ValueError: no such place. The column after a row's last character is one, as is the start of
                the row after the last newline.
        """
        if 1 <= row <= self.row_count and column >= 1:
            offset = self.line_starts[row - 1] + column - 1
            if offset <= self.end_of(row):
                return offset
        raise ValueError(f"no row {row}, column {column} in a text of {self.row_count} rows")

    def position(self, offset: int) -> tuple[int, int]:
        """Row and column of an index in `text`, the end included."""
        if not 0 <= offset <= len(self.text):
            raise ValueError(f"no offset {offset} in a text of {len(self.text)} characters")
        row = bisect_right(self.line_starts, offset)
        return row, offset - self.line_starts[row - 1] + 1

    def offsets(self, span: Span) -> tuple[int, int]:
        start, end = self.offset(*span.start), self.offset(*span.end)
        if end < start:
            raise ValueError(f"{span} ends before it starts")
        return start, end

    def span(self, start: int, end: int) -> Span:
        return Span(*self.position(start), *self.position(end))

    def slice(self, span: Span) -> str:
        start, end = self.offsets(span)
        return self.text[start:end]

    def encode(self, errors: str = "strict") -> bytes:
        """The file's bytes.

        Args:
            errors: What is done with a character that the file's encoding lacks, as for `str.encode`.

        Raises:
            UnicodeEncodeError: there is one, and `errors` is "strict".
        """
        data = self.text.encode(self.encoding, errors)
        return codecs.BOM_UTF8 + data if self.bom else data


def newline_of(text: str) -> str:
    r"""The newline most used in `text`, the earlier one where two are used alike; \n where there is none."""
    counts = Counter(NEWLINE.findall(text))
    return counts.most_common(1)[0][0] if counts else "\n"


def read_source(data: bytes) -> Source:
    """Decode as Python does: byte order mark, coding cookie in the first two rows, else UTF-8.

    Raises:
        UnreadableSource: the bytes have no meaning as Python text.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UnreadableSource("the file is UTF-16, which Python does not read")
    if b"\0" in data:
        raise UnreadableSource(f"the file has a NUL byte in row {_row_of(data, data.index(0))}")
    encoding = _encoding_of(data)
    bom = data.startswith(codecs.BOM_UTF8)
    try:
        # `str(bytes, name)` refuses codecs that do not make text (hex, rot13) with a LookupError.
        text = str(data[len(codecs.BOM_UTF8) :] if bom else data, encoding)
    except UnicodeDecodeError as error:
        row = _row_of(data, error.start + (len(codecs.BOM_UTF8) if bom else 0))
        raise UnreadableSource(f"row {row} is not valid {encoding}", row) from error
    except (LookupError, ValueError) as error:
        raise UnreadableSource(f"the coding cookie names `{encoding}`, which cannot be read") from error
    if "\0" in text:
        raise UnreadableSource(f"the file has a NUL character under its encoding {encoding}")
    return Source.from_text(text, encoding, bom)


def as_bytes(text: str) -> bytes:
    """The bytes of a Python file with a text: those that `read_source` reads as that text, whatever encoding
    its first rows name; with `?` for what that lacks."""
    data = text.encode("utf-8", "replace")
    try:
        named = text.encode(_encoding_of(data), "replace")
        return named if len(read_source(named).text) == len(text) else data
    except (UnreadableSource, LookupError, ValueError):
        return data


def _encoding_of(data: bytes) -> str:
    # `detect_encoding` would take a \r file for a single row.
    first_rows = iter([row + b"\n" for row in _ROW_END.split(data, 2)[:2]])
    try:
        encoding, _ = tokenize.detect_encoding(lambda: next(first_rows))
    except SyntaxError as error:
        reason = str(error)
        if "unknown encoding" in reason:
            name = reason.partition("unknown encoding")[2].strip(" :'\"") or "?"
            raise UnreadableSource(f"the coding cookie names `{name}`, which is no known encoding") from error
        if data.startswith(codecs.BOM_UTF8) and "encoding problem" in reason:
            raise UnreadableSource("the file has a UTF-8 mark but its coding cookie is another") from error
        return "utf-8"
    return "utf-8" if encoding == "utf-8-sig" else encoding


def _row_of(data: bytes, offset: int) -> int:
    before = data[:offset]
    return before.count(b"\n") + before.replace(b"\r\n", b"").count(b"\r") + 1
