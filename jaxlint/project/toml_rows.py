"""The row of a TOML text on which a key stands, for messages: tomllib tells values only.

In: a text that tomllib reads, and the path of a key. Out: a row, counted from 1; None where a row cannot be
told, as of a key within an inline table that begins on another row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_PATH = rf"{_PART}(?:\s*\.\s*{_PART})*"
_TABLE = re.compile(rf"\s*\[\[?\s*({_PATH})\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(rf"\s*({_PATH})\s*=")
_QUOTES = re.compile(r'"""|\'\'\'')


def row_of(text: str, path: tuple[str, ...], value: str | None = None) -> int | None:
    """The row of a key, or of the closest table around it that has one. `value`: the row behind it where this
    text stands in quotes, if there is one."""
    rows = text.split("\n")
    known: dict[tuple[str, ...], int] = {}
    for number, found in _keys(rows):
        for end in range(len(found), 0, -1):
            known.setdefault(found[:end], number)
    row = next((known[path[:end]] for end in range(len(path), 0, -1) if path[:end] in known), None)
    if value is not None and (row is not None or not path):
        quoted = (f'"{value}"', f"'{value}'")
        behind = range((row or 1) - 1, len(rows))
        return next((each + 1 for each in behind if any(text in rows[each] for text in quoted)), row)
    return row


def _keys(rows: list[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    table: tuple[str, ...] = ()
    closing = ""
    for number, row in enumerate(rows, 1):
        if closing:
            closing = "" if closing in row else closing
            continue
        if found := _TABLE.match(row):
            table = _parts(found[1])
            yield number, table
        elif found := _KEY.match(row):
            yield number, (*table, *_parts(found[1]))
        quotes = _QUOTES.findall(row)
        closing = quotes[0] if quotes and row.count(quotes[0]) % 2 else ""


def _parts(path: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in re.findall(_PART, path))
