"""What JAX has removed or deprecated, in which version, and what takes its place.

In: qualified names, keywords and methods, with the JAX versions that a project admits. Out: verdicts, and
the dotted name that a fix may write. The rows are in deprecations.csv; a test re-derives them from the JAX
that is installed. It alone knows versions, and it refuses to know syntax, scopes and rules.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, cast

from jaxlint.diagnostic import Applicability
from jaxlint.project import versions

Version = tuple[int, ...]
Kind = Literal["function", "attribute", "module", "kwarg", "method", "behaviour"]

NEWEST_VERIFIED: Version = versions.NEWEST_VERIFIED
"""The newest JAX that every row was run against; what an open range of versions ends with."""

PLACEHOLDERS: dict[str, tuple[str, Version | None]] = {
    "jax.checkpoint(concrete=)": ("NotImplementedError", (0, 11, 0)),
    "jax.numpy.argsort(kind=)": ("TypeError", None),
    "jax.numpy.sort(kind=)": ("TypeError", None),
    "jax.remat(concrete=)": ("NotImplementedError", (0, 11, 0)),
}
"""Removed keywords that are still there to be refused: their default may be passed on. With the error, and
the first version that has them no more, where one is known."""

BY_POSITION = {"jax.experimental.pjit.pjit": 1}
"""Names whose replacement takes fewer arguments by position, and how many it takes."""

TABLE = Path(__file__).with_name("deprecations.csv")

_OF_VALUES = ("kwarg", "method", "behaviour")
"""Kinds whose replacement is no name of a module."""

_IMPORT = "import "
"""Before the name of a module that only an import statement cannot reach: the attribute is something else."""

_APART = (
    "jax.ad_checkpoint",
    "jax.example_libraries",
    "jax.experimental",
    "jax.export",
    "jax.extend",
    "jax.ffi",
    "jax.flatten_util",
)
"""Modules that `import jax` does not bring along, in every version or in some."""


@dataclass(frozen=True, slots=True)
class Row:
    """One API.

    name: the qualified name; for a keyword `function(keyword=)`, for a method `receiver.method`, with `()`
    where only the call is wrong. replacement: a dotted name, a keyword, a method, or an expression to show;
    empty where there is none. deprecated_in: None where JAX did not warn before it removed the API, or since
    when is not known. removed_in: None while no release is known that takes it away. restored_in: the first
    version that has it again. available_from: the first version with the replacement; None where it is as
    old as the API. fix: the most that a fix can reach, None where there is none.
    """

    name: str
    kind: Kind
    replacement: str
    deprecated_in: Version | None
    removed_in: Version | None
    restored_in: Version | None
    available_from: Version | None
    fix: Applicability | None
    note: str

    @property
    def keyword(self) -> str:
        """The keyword that a `kwarg` row is about."""
        return self.name.rpartition("(")[2].removesuffix("=)") if self.kind == "kwarg" else ""

    def refused_with(self, highest: Version | None) -> str:
        """The error where the keyword is there to be refused in this version; empty where it is gone."""
        error, until = PLACEHOLDERS.get(self.name, ("", None))
        at = NEWEST_VERIFIED if highest is None else _padded(highest)
        return error if until is None or at < until else ""


class Verdict(NamedTuple):
    """`replacement_exists`: the lowest version admitted has it, and the highest neither lacks it nor warns of
    it, so that it may be offered. `lapsed`: the version that took the replacement away, or deprecated it."""

    status: Literal["removed", "deprecated"]
    row: Row
    replacement_exists: bool
    lapsed: Version | None = None


class Replacement(NamedTuple):
    """A dotted name in two parts. `needs`: the module to import for it where `import jax` does not do."""

    module: str
    attribute: str
    needs: str

    @property
    def qualified(self) -> str:
        return f"{self.module}.{self.attribute}" if self.module else self.attribute


def version(text: str) -> Version:
    """`"0.4.26"` as numbers; suffixes such as `.dev1` or `rc1` are dropped.

    Raises ValueError where the text does not start with a number.
    """
    parts: list[int] = []
    for part in text.strip().split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        parts.append(int(digits))
        if digits != part:
            break
    if not parts:
        raise ValueError(f"not a version: {text!r}")
    return tuple(parts)


def _maybe(text: str) -> Version | None:
    return version(text) if text else None


@cache
def rows() -> tuple[Row, ...]:
    """All rows, in the order of the table."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(
            Row(
                name=line["name"],
                kind=cast(Kind, line["kind"]),
                replacement=line["replacement"],
                deprecated_in=_maybe(line["deprecated_in"]),
                removed_in=_maybe(line["removed_in"]),
                restored_in=_maybe(line["restored_in"]),
                available_from=_maybe(line["available_from"]),
                fix=None if line["fix"] == "no" else cast(Applicability, line["fix"]),
                note=line["note"],
            )
            for line in csv.DictReader(file)
        )


class _Index(NamedTuple):
    names: dict[str, Row]
    imports: dict[str, Row]
    keywords: dict[str, Row]
    methods: dict[str, Row]


@cache
def _index() -> _Index:
    index = _Index({}, {}, {}, {})
    for row in rows():
        if row.kind == "kwarg":
            index.keywords[row.name] = row
        elif row.kind == "method":
            index.methods[row.name] = row
        elif row.kind != "behaviour":
            if row.name.startswith(_IMPORT):
                index.imports[row.name.removeprefix(_IMPORT)] = row
            else:
                index.names[row.name] = row
    return index


def _prefixes(qualified: str) -> Iterator[str]:
    """`a.b.c`, `a.b`, `a`."""
    while qualified:
        yield qualified
        qualified = qualified.rpartition(".")[0]


def _padded(number: Version) -> Version:
    """0.10 is 0.10.0."""
    return number + (0,) * (3 - len(number))


def _judge(row: Row | None, lowest: Version | None, highest: Version | None) -> Verdict | None:
    if row is None:
        return None
    at = NEWEST_VERIFIED if highest is None else _padded(highest)
    if row.restored_in is not None and row.restored_in <= at:
        return None
    if row.removed_in is not None and row.removed_in <= at:
        status: Literal["removed", "deprecated"] = "removed"
    elif row.deprecated_in is not None and row.deprecated_in <= at:
        status = "deprecated"
    else:
        return None
    return Verdict(status, row, *replacement_of(row, lowest, highest))


def replacement_of(row: Row, lowest: Version | None, highest: Version | None) -> tuple[bool, Version | None]:
    """Whether the replacement may be offered, and since when it is removed or deprecated itself."""
    oldest = NEWEST_VERIFIED if lowest is None else _padded(lowest)
    exists = bool(row.replacement) and (row.available_from is None or row.available_from <= oldest)
    newer: Verdict | None = None
    if row.kind not in _OF_VALUES:
        newer = lookup(row.replacement, lowest=lowest, highest=highest)
    elif row.kind == "kwarg" and row.replacement.isidentifier():
        function = row.name.partition("(")[0]
        newer = lookup_keyword(function, row.replacement, lowest=lowest, highest=highest)
    elif row.kind == "method":
        kind, method = row.name.partition(".")[0], row.replacement.partition("(")[0]
        newer = lookup_method(kind, method, called="(" in row.replacement, lowest=lowest, highest=highest)
    if newer is None:
        return exists, None
    return False, newer.row.removed_in if newer.status == "removed" else newer.row.deprecated_in


def lookup(
    qualified: str, *, lowest: Version | None = None, highest: Version | None = None
) -> Verdict | None:
    """The verdict on a name, or on what it is a part of: `jax.util.safe_zip` is gone with `jax.util`.

    `verdict.row.name` is the part that is meant. A removal is judged at `highest`, a replacement at `lowest`;
    None stands for the newest version verified. Removed outranks deprecated, the longer name the shorter.
    """
    if not qualified.startswith("jax"):
        return None
    found: Verdict | None = None
    names = _index().names
    for part in _prefixes(qualified):
        verdict = _judge(names.get(part), lowest, highest)
        if verdict is not None and (
            found is None or (found.status == "deprecated" and verdict.status == "removed")
        ):
            found = verdict
    return found


@cache
def is_listed(name: str, keyword: str = "") -> bool:
    """Whether any row is about this name or method, a part of it, or a keyword of this function."""
    index = _index()
    if keyword:
        return f"{name}({keyword}=)" in index.keywords
    if name in index.methods or f"{name}()" in index.methods:
        return True
    return any(part in index.names or part in index.imports for part in _prefixes(name))


def row_of(qualified: str) -> Row | None:
    """The row of exactly this name, whatever its versions."""
    return _index().names.get(qualified)


def lookup_import(
    module: str, *, lowest: Version | None = None, highest: Version | None = None
) -> Verdict | None:
    """The verdict on `import module` and on the module of `from module import ...`.

    `import jax.config` raises, although the attribute `jax.config` is there.
    """
    if not module.startswith("jax"):
        return None
    imports = _index().imports
    for part in _prefixes(module):
        verdict = _judge(imports.get(part), lowest, highest)
        if verdict is not None:
            return verdict
    return lookup(module, lowest=lowest, highest=highest)


def lookup_keyword(
    qualified_function: str, keyword: str, *, lowest: Version | None = None, highest: Version | None = None
) -> Verdict | None:
    """The verdict on an argument given by keyword: `lookup_keyword("jax.numpy.clip", "a_min")`."""
    return _judge(_index().keywords.get(f"{qualified_function}({keyword}=)"), lowest, highest)


def lookup_method(
    receiver_kind: str,
    method: str,
    *,
    called: bool = False,
    lowest: Version | None = None,
    highest: Version | None = None,
) -> Verdict | None:
    """The verdict on an attribute of a value of a known kind.

    Kinds: array, key, compiled, device, namedsharding, shapedtype. `called`: the attribute is called on the
    spot, which is wrong for some that may be read (`x.device()`).
    """
    methods = _index().methods
    name = f"{receiver_kind}.{method}"
    verdict = _judge(methods.get(name), lowest, highest)
    if verdict is None and called:
        verdict = _judge(methods.get(name + "()"), lowest, highest)
    return verdict


def lookup_flag(
    flag: str, *, lowest: Version | None = None, highest: Version | None = None
) -> Verdict | None:
    """The verdict on an option of `jax.config`, as named in `jax.config.update("jax_...", ...)`."""
    return lookup(f"jax.config.{flag}", lowest=lowest, highest=highest)


def plan(row: Row) -> Replacement | None:
    """The dotted name that takes the place of a name; None where the replacement is not one, or no fix is."""
    if row.fix is None or row.kind in _OF_VALUES:
        return None
    parts = row.replacement.split(".")
    if not all(part.isidentifier() for part in parts):
        return None
    module = ".".join(parts[:-1])
    home = module if module and row.kind != "module" else row.replacement
    own = parts[0] == "jax" and not any(part in _APART for part in _prefixes(home))
    return Replacement(module, parts[-1], "" if own else home)


def renamed(row: Row) -> str | None:
    """What replaces the keyword, or the text after the dot of a method; None where that is no plain change.

    `x.device_buffer` becomes `x.addressable_data(0)`.
    """
    if row.fix is None or row.kind not in ("kwarg", "method"):
        return None
    return row.replacement if row.kind == "method" or row.replacement.isidentifier() else None


def spelling(
    replacement: Replacement, bound: Mapping[str, str], imported: Collection[str] = ()
) -> str | None:
    """The replacement in the user's own names, or None where an import is missing.

    bound: by qualified name, the text that stands for it (`{"jax.numpy": "jnp", "jax": "jax"}`). imported:
    the modules that the file imports, under their full names. The longest bound name wins.
    """
    needs = replacement.needs
    there = not needs or any(needs in _prefixes(module) for module in imported)
    for part in _prefixes(replacement.qualified):
        text = bound.get(part)
        if text is not None and (there or needs in _prefixes(part)):
            return text + replacement.qualified[len(part) :]
    return None
