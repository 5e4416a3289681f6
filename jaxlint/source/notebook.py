"""Jupyter notebooks: the code cells of the JSON, and the JSON with other text in them.

In: the bytes of a notebook. Out: `Notebook`, with the text of each code cell, and the bytes of the notebook
in which some cells have another text: what does not belong to a changed row of a source stays byte for byte.
Outputs are passed over without being decoded, except tracebacks. The format is nbformat's, version 4.
"""

from __future__ import annotations

import builtins
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

from jaxlint.source.text import NEWLINE, UnreadableSource

FORMAT = 4

_SPACE = re.compile(r"[ \t\r\n]*")
_MARK = re.compile(r'["\[\]{}]')
_SCALAR = re.compile(r"[-+\w.]+")
_ROWS = re.compile(r"(?:[^\\]|\\.)*?(?:\\n|\\u000[aA])|(?:[^\\]|\\.)+", re.DOTALL)
_ARROW = re.compile(r"^-+> (\d{1,9})(.*)$", re.MULTILINE)  # as IPython marks a row in a frame
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_BLANK = " \t\r\n\ufeff"
_SURROGATE = re.compile("[\ud800-\udfff]")
_PYTHON = frozenset(("python", "ipython", "python3", "ipython3"))


class Value(NamedTuple):
    """Where a value stands in the text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell.

    is_python: whether the notebook or the cell names no other language. raises: the class of the error that
    it is saved with; `Exception` where that is not known, or it is marked as one that raises; empty where it
    does not. raised: its rows, from 1, that the tracebacks point at; none where one of them does not say.
    place: where its source stands in the notebook's text. has_outputs: whether it is saved with any.
    """

    text: str
    is_python: bool
    raises: str
    raised: frozenset[int]
    place: Value
    has_outputs: bool


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook's JSON, and its code cells.

    is_run: whether it may have been run as it is: it names its kernel, as whatever runs a notebook writes it
    there, or a cell has outputs.
    """

    json: str
    cells: tuple[Cell, ...]
    is_run: bool = True

    @classmethod
    def read(cls, data: bytes) -> Notebook:
        """Read a notebook.

        Raises:
            UnreadableSource: it is none, or one of another version of the format.
        """
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            raise UnreadableSource("not a notebook: not UTF-8") from None
        try:
            # Editors open an empty file as a notebook without cells.
            if not text.strip(_BLANK):
                return cls(text, ())
            reader = _Reader(text)
            cells = tuple(reader.cells())
            return cls(text, cells, reader.names_kernel or any(cell.has_outputs for cell in cells))
        except _Malformed as error:
            raise UnreadableSource(f"not a notebook: {error.reason or _json_fault(text)}") from None

    @property
    def first_rows(self) -> tuple[int, ...]:
        """The row at which each code cell begins in the text of all of them, where each stands between two
        rows of its own."""
        starts = accumulate((len(NEWLINE.split(cell.text)) + 2 for cell in self.cells), initial=2)
        return tuple(starts)[:-1]

    def with_texts(self, texts: Sequence[str], errors: str = "strict") -> bytes:
        """The bytes of the notebook in which its code cells have these texts."""
        pieces: list[str] = []
        end = 0
        for cell, text in zip(self.cells, texts, strict=True):
            if text != cell.text:
                pieces += [self.json[end : cell.place.start], _source(self.json, cell.place, text)]
                end = cell.place.end
        return "".join([*pieces, self.json[end:]]).encode("utf-8", errors)


class _Malformed(Exception):
    """`reason`: what is wrong; empty where the text is no JSON."""

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason)
        self.reason = reason


def _json_fault(text: str) -> str:
    try:
        json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:].removesuffix(" starting at")
        return f"{reason} in row {error.lineno}, column {error.colno}"
    except (RecursionError, ValueError):
        pass
    return "no JSON that can be read"


# ---- reading


class _Reader:
    """The values of a JSON text, by place. Where lists and objects end is found in one pass, which jumps over
    strings."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends: dict[int, int] = {}
        self.names_kernel = False

    def cells(self) -> Iterator[Cell]:
        """The code cells."""
        text = self._text
        start = self._behind_space(1 if text.startswith("\ufeff") else 0)
        if not text.startswith("{", start):
            raise _Malformed("it is no JSON object")
        if self._behind_space(self._end_of(start)) != len(text):
            raise _Malformed
        members = dict(self._members(start))
        version = self._scalar(members.get("nbformat"))
        if not isinstance(version, int) or isinstance(version, bool):
            raise _Malformed("it has no `nbformat`")
        if version < FORMAT:
            raise _Malformed(f"its format is {version}; `jupyter nbconvert --to notebook` writes {FORMAT}")
        if version > FORMAT:
            raise _Malformed(f"its format is {version}, and the newest that is known is {FORMAT}")
        if "cells" not in members or not self._is(members["cells"], "["):
            raise _Malformed("it has no list of `cells`")
        is_python = self._is_python(members.get("metadata"))
        self.names_kernel = bool(self._scalar(self._below(members.get("metadata"), "kernelspec", "name")))
        for place in self.items(members["cells"].start):
            if not self._is(place, "{"):
                raise _Malformed("a cell is no object")
            cell = dict(self._members(place.start))
            if self._scalar(cell.get("cell_type")) == "code":
                yield self._cell(cell, is_python)

    def items(self, start: int) -> Iterator[Value]:
        """Where the items of a list are."""
        at = self._behind_space(start + 1)
        while not self._text.startswith("]", at):
            end = self._end_of(at)
            yield Value(at, end)
            at = self._behind_comma(end, "]")

    def _cell(self, members: dict[str, Value], is_python: bool) -> Cell:
        place = members.get("source")
        source = self._source(place)
        if source is None or place is None:
            raise _Malformed("a code cell has no `source`")
        if source.endswith("\r"):
            raise _Malformed("a code cell ends in a carriage return")
        metadata = members.get("metadata")
        language = self._scalar(self._below(metadata, "vscode", "languageId"))
        tags = self._below(metadata, "tags")
        listed = () if tags is None or not self._is(tags, "[") else self.items(tags.start)
        is_tagged = "raises-exception" in map(self._scalar, listed)
        outputs = members.get("outputs")
        errors = [*self._errors(outputs, source)]
        stops = [kind for kind, _ in errors if kind]
        rows = [rows for kind, rows in errors if kind]
        return Cell(
            source,
            is_python and (not isinstance(language, str) or language.lower() in _PYTHON),
            "Exception" if is_tagged or len({*stops}) > 1 else "".join(stops[:1]),
            frozenset().union(*rows) if not is_tagged and all(rows) else frozenset(),
            place,
            outputs is not None and self._is(outputs, "[") and any(True for _ in self.items(outputs.start)),
        )

    def _source(self, place: Value | None) -> str | None:
        """A text, or the texts of a list as one; None for anything else."""
        if place is None or not self._is(place, "["):
            found = self._scalar(place)
            return found if isinstance(found, str) else None
        rows = [self._scalar(each) for each in self.items(place.start)]
        texts = [each for each in rows if isinstance(each, str)]
        return "".join(texts) if len(texts) == len(rows) else None

    def _is_python(self, metadata: Value | None) -> bool:
        """Whether a notebook's metadata names no other language."""
        paths = ("language_info", "name"), ("kernelspec", "language")
        named = (self._scalar(self._below(metadata, *path)) for path in paths)
        name = next((each for each in named if isinstance(each, str) and each), "python")
        return name.lower() in _PYTHON

    def _errors(self, outputs: Value | None, source: str) -> Iterator[tuple[str, frozenset[int]]]:
        """The class of each exception that is among the saved outputs, and the rows of a cell that it shows.
        What interrupts a program is none of its errors: the class is empty."""
        if outputs is None or not self._is(outputs, "["):
            return
        for place in self.items(outputs.start):
            found = dict(self._members(place.start)) if self._is(place, "{") else {}
            if self._scalar(found.get("output_type")) != "error":
                continue
            name, shown = self._scalar(found.get("ename")), found.get("traceback")
            kind = getattr(builtins, name, None) if isinstance(name, str) else None
            if not isinstance(kind, type) or not issubclass(kind, BaseException):
                name = "Exception"  # of a library
            elif not issubclass(kind, Exception):
                name = ""
            elif issubclass(kind, (ImportError, AttributeError)):
                name = "Exception"  # a handler of these would ask for what is missing
            lines = () if shown is None or not self._is(shown, "[") else self.items(shown.start)
            texts = [text for each in lines if isinstance(text := self._scalar(each), str)]
            yield str(name), _rows_shown(texts, source)

    def _is(self, place: Value, opening: str) -> bool:
        return self._text.startswith(opening, place.start)

    def _below(self, place: Value | None, *keys: str) -> Value | None:
        """What is under keys in objects inside one another; of equal keys the last counts."""
        for key in keys:
            if place is None or not self._is(place, "{"):
                return None
            place = dict(self._members(place.start)).get(key)
        return place

    def _scalar(self, place: Value | None) -> str | int | float | bool | None:
        """A text, a number or a truth value; None for everything else. Nothing nested is decoded, so no depth
        is too much."""
        if place is None or self._text.startswith(("[", "{"), place.start):
            return None
        try:
            found = json.loads(self._text[place.start : place.end])
        except ValueError:
            raise _Malformed from None
        return found if isinstance(found, str | int | float) else None

    def _members(self, start: int) -> Iterator[tuple[str, Value]]:
        """The keys of an object, and where their values are."""
        text = self._text
        at = self._behind_space(start + 1)
        while not text.startswith("}", at):
            if not text.startswith('"', at):
                raise _Malformed
            end = self._end_of(at)
            key = str(self._scalar(Value(at, end)))
            at = self._behind_space(end)
            if not text.startswith(":", at):
                raise _Malformed
            begin = self._behind_space(at + 1)
            end = self._end_of(begin)
            yield key, Value(begin, end)
            at = self._behind_comma(end, "}")

    def _behind_space(self, start: int) -> int:
        found = _SPACE.match(self._text, start)
        return start if found is None else found.end()

    def _behind_comma(self, end: int, close: str) -> int:
        """Where the next item starts, or the list is closed."""
        at = self._behind_space(end)
        if self._text.startswith(close, at):
            return at
        if not self._text.startswith(",", at):
            raise _Malformed
        at = self._behind_space(at + 1)
        if self._text.startswith(close, at):
            raise _Malformed
        return at

    def _end_of(self, start: int) -> int:
        """Where a value ends."""
        if self._text.startswith('"', start):
            return self._end_of_string(start)
        if not self._text.startswith(("[", "{"), start):
            found = _SCALAR.match(self._text, start)
            if found is None:
                raise _Malformed
            return found.end()
        if start not in self._ends:
            self._find_ends(start)
        return self._ends[start]

    def _find_ends(self, start: int) -> None:
        open_at: list[int] = []
        at = start
        while mark := _MARK.search(self._text, at):
            at = mark.end()
            if mark.group() == '"':
                at = self._end_of_string(mark.start())
            elif mark.group() in "[{":
                open_at.append(mark.start())
            else:
                self._ends[open_at.pop()] = at
                if not open_at:
                    return
        raise _Malformed

    def _end_of_string(self, start: int) -> int:
        at = start
        while (at := self._text.find('"', at + 1)) >= 0:
            before = at
            while self._text[before - 1] == "\\":
                before -= 1
            if (at - before) % 2 == 0:
                return at + 1
        raise _Malformed


def _rows_shown(traceback: Iterable[str], source: str) -> frozenset[int]:
    """The rows of a cell, from 1, at which arrows of a traceback point, if they have the text beside it."""
    rows = NEWLINE.split(source)
    arrows = [found for each in traceback for found in _ARROW.finditer(_COLOUR.sub("", each))]
    found = ((int(arrow[1]), arrow[2].strip()) for arrow in arrows)
    return frozenset(row for row, text in found if 1 <= row <= len(rows) and rows[row - 1].strip() == text)


# ---- writing


def _source(text: str, place: Value, new: str) -> str:
    """The source of a cell with another text, in the form that it has: a list of rows, or one string."""
    old = text[place.start : place.end]
    ascii_only = "\\u" in old and old.isascii()
    if old.startswith('"'):
        rows = [(row, _text_of(f'"{row}"')) for row in _ROWS.findall(old[1:-1])]
        return '"' + "".join(each[1:-1] for each in _written(rows, new, ascii_only, quoted=False)) + '"'
    items = [*_Reader(text).items(place.start)]
    literals = [(text[item.start : item.end], _text_of(text[item.start : item.end])) for item in items]
    if not items:
        return "[" + ", ".join(_written([], new, ascii_only)) + "]"
    between = "," + text[place.start + 1 : items[0].start]
    if len(items) > 1:
        between = text[items[0].end : items[1].start]
    written = between.join(_written(literals, new, ascii_only))
    return text[place.start : items[0].start] + written + text[items[-1].end : place.end]


def _text_of(literal: str) -> str:
    return str(json.loads(literal))


def _written(old: Sequence[tuple[str, str]], new: str, ascii_only: bool, quoted: bool = True) -> list[str]:
    """The literals of a text, those of rows that it shares with the old one as they were.

    Args:
        old: The literals, and the text of each.
        quoted: Whether the old literals stand in quotes.
    """
    head = 0
    start = 0
    while head < len(old) and new.startswith(old[head][1], start):
        start += len(old[head][1])
        head += 1
    while head and start < len(new) and not old[head - 1][1].endswith("\n"):
        head -= 1
        start -= len(old[head][1])
    tail = len(old)
    end = len(new)
    while tail > head and end - len(old[tail - 1][1]) >= start and new.endswith(old[tail - 1][1], start, end):
        tail -= 1
        end -= len(old[tail][1])
    while tail < len(old) and end > start and new[end - 1] != "\n":
        end += len(old[tail][1])
        tail += 1
    rows = new[start:end].split("\n")
    texts = [row + "\n" for row in rows[:-1]] + [row for row in rows[-1:] if row]
    kept = [literal if quoted else f'"{literal}"' for literal, _ in old]
    found = kept[:head]
    between = SequenceMatcher(None, [text for _, text in old[head:tail]], texts, autojunk=False)
    for how, before, behind, first, last in between.get_opcodes():
        found += (
            kept[head + before : head + behind]
            if how == "equal"
            else [_literal(row, ascii_only) for row in texts[first:last]]
        )
    return [*found, *kept[tail:]]


def _literal(row: str, ascii_only: bool) -> str:
    """A row in JSON. Half a character has no bytes of its own."""
    return json.dumps(row, ensure_ascii=ascii_only or _SURROGATE.search(row) is not None)
