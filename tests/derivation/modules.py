"""The text of a data module: a docstring, and tables of literals with one row a line.

In: a module docstring and its tables. Out: Python source that a formatter leaves alone and that
is quick to import. It does not know what the tables say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Table:
    """A named literal: a mapping (sorted by key) or a sequence of names (sorted)."""

    name: str
    annotation: str
    value: Any
    comment: str = ""


def source_of(docstring: str, tables: list[Table]) -> str:
    """The source of a data module."""
    parts = [f'"""{docstring.strip()}\n"""\n', "# fmt: off\n# ruff: noqa: E501\n"]
    for table in tables:
        lines = [f"# {line}" for line in table.comment.splitlines()]
        lines.append(f"{table.name}: {table.annotation} = {opening(table.value)}")
        if isinstance(table.value, Mapping):
            lines += [f"    {literal(key)}: {literal(table.value[key])}," for key in sorted(table.value)]
        elif not isinstance(table.value, str):
            lines += [f"    {literal(each)}," for each in sorted(table.value)]
        lines.append(closing(table.value))
        parts.append("\n".join(line for line in lines if line) + "\n")
    return "\n".join(parts)


def opening(value: Any) -> str:
    if isinstance(value, str):
        return literal(value)
    return "{" if isinstance(value, Mapping) else "frozenset(("


def closing(value: Any) -> str:
    if isinstance(value, str):
        return ""
    return "}" if isinstance(value, Mapping) else "))"


def literal(value: Any) -> str:
    """A literal with double quotes."""
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, tuple):
        inner = ", ".join(literal(each) for each in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{literal(key)}: {literal(value[key])}" for key in sorted(value)) + "}"
    return repr(value)
