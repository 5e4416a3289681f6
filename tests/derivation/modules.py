"""The text of a data module: a docstring, and tables of literals with one row a line, for several versions of JAX.

In: what a module is, and its tables by version. Out: Python source that a formatter leaves alone and that is quick
to import, and from such source the tables of each version again. It does not know what the tables say.

A mapping has the rows of the newest version, and of older ones those whose names the newest has not: a name that
is gone is still one that programs use. OTHERWISE says what a version has in place of that: its row, or None where it
lacks the name; for a set, whether it has the name.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Tables = dict[str, Any]
Versions = tuple[tuple[str, str], ...]
"""Packages with their versions, the first of them the one that tells releases apart."""

OTHERWISE = """
VERSIONS: the versions that the tables were made with, the newest first
OTHERWISE: version -> table -> the rows that this version has otherwise; None where it lacks the name
"""


@dataclass(frozen=True)
class Module:
    """A data module: its docstring, the packages it depends on, the type of each table, and what makes them."""

    docstring: str
    packages: tuple[str, ...]
    tables: Mapping[str, str]
    derive: Callable[[], Tables]


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def same_release(one: Versions, other: Versions) -> bool:
    """Whether two sets of versions are of one minor release of the first package: the later takes its place."""
    return numbers(one[0][1])[:2] == numbers(other[0][1])[:2]


def label(versions: Versions) -> str:
    return ", ".join(f"{package} {version}" for package, version in versions)


def source_of(module: Module, recorded: Mapping[Versions, Tables]) -> str:
    """The source of a data module."""
    order = sorted(recorded, key=lambda each: [numbers(version) for _, version in each], reverse=True)
    united = {name: union([recorded[each][name] for each in order]) for name in module.tables}
    if "ALIASES" in united:
        united["ALIASES"] = direct(united["ALIASES"])
    parts = [f'"""{module.docstring.strip()}{OTHERWISE}"""\n', "# fmt: off\n# ruff: noqa: E501\n"]
    lines = ["VERSIONS: tuple[dict[str, str], ...] = ("]
    parts.append("\n".join([*lines, *(f"    {literal(dict(each))}," for each in order), ")"]) + "\n")
    for name, annotation in module.tables.items():
        parts.append("\n".join(rows(f"{name}: {annotation} = ", united[name])) + "\n")
    lines = ["OTHERWISE: dict[str, dict[str, dict[str, object]]] = {"]
    for versions in order:
        lines.append(f"    {literal(label(versions))}: {{")
        for name in module.tables:
            if apart := otherwise(united[name], recorded[versions][name]):
                inner = (f"            {literal(key)}: {literal(apart[key])}," for key in sorted(apart))
                lines += [f"        {literal(name)}: {{", *inner, "        },"]
        lines.append("    },")
    parts.append("\n".join([*lines, "}"]) + "\n")
    return "\n".join(parts)


def union(tables: list[Any]) -> Any:
    """The newest table, with what only older ones name."""
    if not isinstance(tables[0], Mapping):
        return tables[0]
    return {name: row for table in reversed(tables) for name, row in table.items()}


def direct(aliases: Mapping[str, str]) -> dict[str, str]:
    """Aliases of an older version lead to what is canonical in the newest."""
    found = dict(aliases)
    for name in found:
        while found[name] in found:
            found[name] = found[found[name]]
    return found


def otherwise(united: Any, table: Any) -> dict[str, Any]:
    """What a version has that differs from the united table."""
    if not isinstance(united, Mapping):
        return {name: name in table for name in united ^ table}
    return {name: table.get(name) for name in united.keys() | table.keys() if table.get(name) != united.get(name)}


def read(source: str) -> dict[Versions, Tables]:
    """The tables of each version from the source of a module."""
    united: Tables = {}
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            value = statement.value
            if isinstance(value, ast.Call):  # frozenset((...))
                united[statement.target.id] = frozenset(ast.literal_eval(value.args[0]) if value.args else ())
            elif value is not None:
                united[statement.target.id] = ast.literal_eval(value)
    made, apart = united.pop("VERSIONS"), united.pop("OTHERWISE")
    recorded = {tuple(each.items()): united for each in made}
    return {
        versions: {name: restored(table, apart.get(label(versions), {}).get(name, {})) for name, table in united.items()}
        for versions in recorded
    }


def restored(united: Any, apart: Mapping[str, Any]) -> Any:
    if not isinstance(united, Mapping):
        return frozenset(united - apart.keys()) | {name for name, there in apart.items() if there}
    return {name: row for name, row in {**united, **apart}.items() if row is not None}


def differences(known: Tables, found: Tables) -> Iterator[str]:
    """A line for each row that differs between two versions of a module's tables."""
    for table in found:
        before, after = known.get(table, {}), found[table]
        if not isinstance(after, Mapping):
            before, after = dict.fromkeys(before, True), dict.fromkeys(after, True)
        for name in sorted(before.keys() | after.keys()):
            if before.get(name) != after.get(name):
                yield f"  {table} {name}: {before.get(name, '-')} -> {after.get(name, '-')}"


def rows(head: str, table: Any) -> list[str]:
    if isinstance(table, Mapping):
        return [head + "{", *(f"    {literal(key)}: {literal(table[key])}," for key in sorted(table)), "}"]
    return [head + "frozenset((", *(f"    {literal(each)}," for each in sorted(table)), "))"]


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
