"""Jupyter notebooks: the code cells of the JSON, and the JSON with other text in them.

In: the bytes of a notebook. Out: `Notebook`, with the text of each code cell, and the bytes of the notebook
in which some cells have another text: what does not belong to a changed row of a source stays byte for byte.
Outputs are passed over without being decoded. The format is nbformat's, version 4.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from jaxlint.engine.source import UnreadableSource

FORMAT = 4

_SPACE = re.compile(r"[ \t\r\n]*")
_MARKS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]', re.DOTALL)
_SCALAR = re.compile(r"[-+\w.]+")
_ROWS = re.compile(r"(?:[^\\]|\\.)*?(?:\\n|\\u000[aA])|(?:[^\\]|\\.)+", re.DOTALL)
_PYTHON = frozenset(("python", "ipython", "python3", "ipython3"))


class Value(NamedTuple):
    """Where a value stands in the text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell.

    is_python: whether the notebook or the cell names no other language. raises: whether it is marked as one
    that raises an exception, or is saved with one. place: where its source stands in the notebook's text.
    """

    text: str
    is_python: bool
    raises: bool
    place: Value


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook's JSON, and its code cells."""

    json: str
    cells: tuple[Cell, ...]

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
            return cls(text, tuple(_cells(text)) if text.strip() else ())
        except _Malformed as error:
            raise UnreadableSource(f"not a notebook: {error.reason or _json_fault(text)}") from None

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
        json.loads(text)
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:].removesuffix(" starting at")
        return f"{reason} in row {error.lineno}, column {error.colno}"
    except (RecursionError, ValueError):
        pass
    return "no JSON that can be read"


# ---- reading


def _cells(text: str) -> Iterator[Cell]:
    start = _skip_space(text, 1 if text.startswith("\ufeff") else 0)
    members = dict(_members(text, start)) if text.startswith("{", start) else None
    if members is None:
        raise _Malformed("it is no JSON object")
    if _skip_space(text, _end_of(text, start)) != len(text):
        raise _Malformed
    version = _decoded(text, members.get("nbformat"))
    if not isinstance(version, int) or isinstance(version, bool):
        raise _Malformed("it has no `nbformat`")
    if version < FORMAT:
        raise _Malformed(f"its format is {version}; `jupyter nbconvert --to notebook` writes {FORMAT}")
    if version > FORMAT:
        raise _Malformed(f"its format is {version}, and the newest that is known is {FORMAT}")
    if "cells" not in members or text[members["cells"].start] != "[":
        raise _Malformed("it has no list of `cells`")
    is_python = _is_python(_table(text, members.get("metadata")))
    for place in _items(text, members["cells"].start):
        if text[place.start] != "{":
            raise _Malformed("a cell is no object")
        cell = dict(_members(text, place.start))
        if _decoded(text, cell.get("cell_type")) == "code":
            yield _cell(text, cell, is_python)


def _cell(text: str, members: dict[str, Value], is_python: bool) -> Cell:
    place = members.get("source")
    source = _decoded(text, place)
    if isinstance(source, list) and all(isinstance(each, str) for each in source):
        source = "".join(source)
    if not isinstance(source, str) or place is None:
        raise _Malformed("a code cell has no `source`")
    if source.endswith("\r"):
        raise _Malformed("a code cell ends in a carriage return")
    metadata = _table(text, members.get("metadata"))
    editor = metadata.get("vscode")
    language = editor.get("languageId") if isinstance(editor, dict) else None
    tags = metadata.get("tags")
    return Cell(
        source,
        is_python and (not isinstance(language, str) or language.lower() in _PYTHON),
        (isinstance(tags, list) and "raises-exception" in tags) or _shows_error(text, members.get("outputs")),
        place,
    )


def _shows_error(text: str, outputs: Value | None) -> bool:
    """Whether an exception is among the saved outputs."""
    if outputs is None or text[outputs.start] != "[":
        return False
    for place in _items(text, outputs.start):
        if text[place.start] == "{":
            kind = next((each for key, each in _members(text, place.start) if key == "output_type"), None)
            if _decoded(text, kind) == "error":
                return True
    return False


def _is_python(metadata: dict[str, Any]) -> bool:
    kernel, language = metadata.get("kernelspec"), metadata.get("language_info")
    named = [
        language.get("name") if isinstance(language, dict) else None,
        kernel.get("language") if isinstance(kernel, dict) else None,
    ]
    name = next((each for each in named if isinstance(each, str) and each), "python")
    return name.lower() in _PYTHON


def _table(text: str, place: Value | None) -> dict[str, Any]:
    found = _decoded(text, place)
    return found if isinstance(found, dict) else {}


def _decoded(text: str, place: Value | None) -> Any:
    if place is None:
        return None
    try:
        return json.loads(text[place.start : place.end])
    except (ValueError, RecursionError):
        raise _Malformed from None


def _skip_space(text: str, start: int) -> int:
    found = _SPACE.match(text, start)
    return start if found is None else found.end()


def _members(text: str, start: int) -> Iterator[tuple[str, Value]]:
    """The keys of an object, and where their values are."""
    at = _skip_space(text, start + 1)
    while not text.startswith("}", at):
        if not text.startswith('"', at):
            raise _Malformed
        try:
            key, at = scanstring(text, at + 1, True)
        except ValueError:
            raise _Malformed from None
        at = _skip_space(text, at)
        if not text.startswith(":", at):
            raise _Malformed
        begin = _skip_space(text, at + 1)
        end = _end_of(text, begin)
        yield key, Value(begin, end)
        at = _behind_comma(text, end, "}")


def _items(text: str, start: int) -> Iterator[Value]:
    """Where the items of a list are."""
    at = _skip_space(text, start + 1)
    while not text.startswith("]", at):
        end = _end_of(text, at)
        yield Value(at, end)
        at = _behind_comma(text, end, "]")


def _behind_comma(text: str, end: int, close: str) -> int:
    """Where the next item starts, or the list is closed."""
    at = _skip_space(text, end)
    if text.startswith(close, at):
        return at
    if not text.startswith(",", at):
        raise _Malformed
    at = _skip_space(text, at + 1)
    if text.startswith(close, at):
        raise _Malformed
    return at


def _end_of(text: str, start: int) -> int:
    """Where a value ends. What is inside of lists and objects is not decoded."""
    if text.startswith(("[", "{"), start):
        depth = 0
        for mark in _MARKS.finditer(text, start):
            if mark.group() in "[{":
                depth += 1
            elif mark.group() in "]}":
                depth -= 1
                if not depth:
                    return mark.end()
        raise _Malformed
    found = (_MARKS if text.startswith('"', start) else _SCALAR).match(text, start)
    if found is None:
        raise _Malformed
    return found.end()


# ---- writing


def _source(text: str, place: Value, new: str) -> str:
    """The source of a cell with another text, in the form that it has: a list of rows, or one string."""
    old = text[place.start : place.end]
    ascii_only = "\\u" in old and old.isascii()
    if old.startswith('"'):
        rows = [(row, _text_of(f'"{row}"')) for row in _ROWS.findall(old[1:-1])]
        return '"' + "".join(each[1:-1] for each in _written(rows, new, ascii_only, quoted=False)) + '"'
    items = [*_items(text, place.start)]
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


def _written(
    old: Sequence[tuple[str, str]], new: str, ascii_only: bool, quoted: bool = True
) -> list[str]:
    """The literals of a text, those of rows that it shares with the old one at its start and its end as they
    were.

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
    made = [json.dumps(each, ensure_ascii=ascii_only) for each in texts]
    return [*kept[:head], *made, *kept[tail:]]
