"""Ranges of versions, and the range of JAX versions that a project admits.

In: a version (`0.6`), a specifier (`>=0.4.30,<0.6`), or the folder of a project whose own dependency on jax
is looked up. Out: a `VersionRange` with a lowest and a highest version, both always there. It knows nothing
of what is installed and never imports jax.
"""

from __future__ import annotations

import glob
import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from jaxlint.source.regular_files import SETTINGS, read_regular

Version = tuple[int, int, int]

NEWEST_VERIFIED: Version = (0, 12, 0)
"""The newest JAX whose behaviour the tables and the rules were checked against."""

_ANY = 10**6
_LOWEST: Version = (0, 0, 0)
_HIGHEST: Version = (_ANY, _ANY, _ANY)

_CLAUSE = re.compile(
    r"(?P<sign>~=|===?|!=|<=|>=|<|>|\^|~)?\s*v?(?P<number>\d+(?:\.\d+)*)(?P<star>\.\*)?"
    r"(?:[-_.]?(?:a|b|c|rc|alpha|beta|pre|post|dev)(?:[-_.]?\d+)?)*(?:\+[\w.]+)?"
)
_REQUIREMENT = re.compile(
    r"\s*(?P<name>[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^]]*\])?\s*(?P<spec>[^;#]*)"
)


@dataclass(frozen=True, slots=True)
class VersionRange:
    """Every version from `lowest` to `highest`, both included.

    `below 0.6` ends at 0.5 with the greatest number there is, so comparing tuples is right. `origin` says
    where the range is stated, in words for a message; it is empty when nothing states one.
    """

    lowest: Version
    highest: Version
    origin: str = ""

    def admits(self, version: Version) -> bool:
        return self.lowest <= version <= self.highest

    def reaches(self, version: Version) -> bool:
        """Whether some admitted version is `version` or later: what went with it is gone for someone."""
        return self.highest >= version

    def __str__(self) -> str:
        return f"{dotted(self.lowest)} to {dotted(self.highest)}"


def dotted(version: Version) -> str:
    return ".".join("*" if number >= _ANY else str(number) for number in version)


def version_of(text: str) -> Version:
    """The first three numbers of a version; `0.6` is 0.6.0.

    Raises:
        ValueError: the text does not start with a number.
    """
    match = re.match(r"v?(\d+(?:\.\d+)*)", text.strip())
    if match is None:
        raise ValueError(f"`{text}` is not a version")
    return _padded(_numbers(match[1]), 0)


def parsed(text: str) -> tuple[Version, Version]:
    """The lowest and the highest version that a version or a specifier admits.

    A bare version of fewer than three numbers means all that start with it. `!=` does not move a bound.

    Raises:
        ValueError: no specifier, or one that admits nothing.
    """
    lowest, highest = _LOWEST, _HIGHEST
    for clause in filter(None, (part.strip() for part in text.split(","))):
        match = _CLAUSE.fullmatch(clause)
        if match is None:
            raise ValueError(f"`{clause}` is not a version or a range of versions")
        low, high = _bounds(match["sign"] or "==", _numbers(match["number"]), match)
        lowest, highest = max(lowest, low), min(highest, high)
    if lowest > highest:
        raise ValueError(f"`{text}` admits no version")
    return lowest, highest


def _bounds(sign: str, numbers: tuple[int, ...], match: re.Match[str]) -> tuple[Version, Version]:
    floor = _padded(numbers, 0)
    if match["star"] or (match["sign"] is None and len(numbers) < 3):
        return (_LOWEST, _HIGHEST) if sign == "!=" else (floor, _padded(numbers, _ANY))
    match sign:
        case ">=":
            return floor, _HIGHEST
        case ">":
            return (*floor[:2], floor[2] + 1), _HIGHEST
        case "<=":
            return _LOWEST, floor
        case "<":
            return _LOWEST, _before(floor)
        case "==" | "===":
            return floor, floor
        case "~=":
            return floor, _padded(numbers[:-1] or numbers, _ANY)
        case "~":
            return floor, _padded(numbers[:2], _ANY)
        case "^":
            kept = next((i for i, number in enumerate(floor) if number), len(numbers) - 1) + 1
            return floor, _padded(floor[:kept], _ANY)
        case _:
            return _LOWEST, _HIGHEST


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split("."))


def _padded(numbers: tuple[int, ...], filler: int) -> Version:
    major, minor, patch = (*numbers[:3], filler, filler, filler)[:3]
    return major, minor, patch


def _before(version: Version) -> Version:
    """The greatest version below."""
    major, minor, patch = version
    if patch:
        return major, minor, patch - 1
    if minor:
        return major, minor - 1, _ANY
    return (major - 1, _ANY, _ANY) if major else _LOWEST


def jax_range(text: str, origin: str) -> VersionRange:
    """The range of JAX versions that a specifier admits, with both ends definite.

    Without an upper bound it ends at the newest version that was verified. Without a lower bound it starts
    where it ends: nobody promised to support an old one.

    Raises:
        ValueError: as `parsed`.
    """
    return _definite(*parsed(text), origin)


def _definite(lowest: Version, highest: Version, origin: str) -> VersionRange:
    if highest == _HIGHEST:
        highest = max(NEWEST_VERIFIED, lowest)
    return VersionRange(highest if lowest == _LOWEST else lowest, highest, origin)


def declared_jax(root: str) -> VersionRange:
    """The range that a project's own dependency on jax admits; the newest verified one where none is stated.

    The first place that names jax decides: the dependencies in pyproject.toml, those of setup.cfg, the
    optional ones of either, requirements files. Several rows there (by marker, by extra) are taken together.
    """
    for origin, requirements in _places(root):
        lowest: list[Version] = []
        highest: list[Version] = []
        for specifier in _on_jax(requirements):
            try:
                low, high = parsed(specifier)
            except ValueError:
                low, high = _LOWEST, _HIGHEST
            lowest.append(low)
            highest.append(high)
        if lowest:
            return _definite(min(lowest), max(highest), origin)
    return VersionRange(NEWEST_VERIFIED, NEWEST_VERIFIED)


def _on_jax(requirements: Iterable[object]) -> Iterator[str]:
    for requirement in requirements:
        match = _REQUIREMENT.match(requirement) if isinstance(requirement, str) else None
        if match is not None and match["name"].lower() == "jax":
            yield match["spec"].strip().strip("()")


def _places(root: str) -> Iterator[tuple[str, list[Any]]]:
    document = _toml(os.path.join(root, "pyproject.toml"))
    project = _table(document, "project")
    setup = _setup_cfg(os.path.join(root, "setup.cfg"))
    poetry = _table(_table(_table(document, "tool"), "poetry"), "dependencies")
    yield "pyproject.toml", _rows(project.get("dependencies"))
    yield "pyproject.toml", [f"jax {spec}" for spec in _poetry_specs(poetry.get("jax"))]
    yield "setup.cfg", setup.get("install_requires", [])
    for optional in (_table(project, "optional-dependencies"), _table(document, "dependency-groups")):
        yield "pyproject.toml", [row for rows in optional.values() for row in _rows(rows)]
    yield "setup.cfg", setup.get("extras_require", [])
    named = [*glob.glob("requirements*.txt", root_dir=root), *glob.glob("requirements/*.txt", root_dir=root)]
    for name in sorted(named):
        yield name.replace(os.sep, "/"), _lines(os.path.join(root, name))


def _poetry_specs(value: object) -> list[str]:
    version = value.get("version") if isinstance(value, dict) else value
    return ["" if version == "*" else version] if isinstance(version, str) else []


def _toml(path: str) -> dict[str, Any]:
    try:
        return toml_of(read_regular(path, SETTINGS).decode())
    except (OSError, ValueError):
        return {}


def toml_of(text: str) -> dict[str, Any]:
    """The document that a text is.

    Raises:
        ValueError: the text is no TOML, or nested deeper than Python recurses.
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _table(document: dict[str, Any], key: str) -> dict[str, Any]:
    value = document.get(key)
    return value if isinstance(value, dict) else {}


def _rows(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _setup_cfg(path: str) -> dict[str, list[Any]]:
    try:
        text = read_regular(path, SETTINGS).decode()
    except (UnicodeDecodeError, OSError):
        return {}
    import configparser

    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
    except configparser.Error:
        return {}
    extras = "options.extras_require"
    optional = [rows for _, rows in parser.items(extras)] if parser.has_section(extras) else []
    return {
        "install_requires": parser.get("options", "install_requires", fallback="").splitlines(),
        "extras_require": [row for rows in optional for row in rows.splitlines()],
    }


def _lines(path: str) -> list[Any]:
    try:
        return read_regular(path, SETTINGS).decode(errors="replace").splitlines()
    except OSError:
        return []
