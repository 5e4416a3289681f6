"""Options of configuration files: how the value of a key is read, and what is said of a wrong one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from jaxlint._version import __version__
from jaxlint.diagnostic import Severity
from jaxlint.project.globs import Glob, GlobError
from jaxlint.project.toml_rows import row_of
from jaxlint.project.versions import NEWEST_VERIFIED, parsed, version_of
from jaxlint.source.formats import CODE_FORMATS

FORMATS = (
    "full",
    "concise",
    "grouped",
    "json",
    "json-lines",
    "github",
    "gitlab",
    "sarif",
    "junit",
    "rdjson",
    "html",
    "azure",
    "pylint",
    "checkstyle",
    "markdown",
)


class SettingsError(ValueError):
    """The configuration or the command line is wrong; the text is the whole of the one line that is shown.

    value: the string that is wrong, where it is one of several. origin: the file, or the command line.
    """

    def __init__(self, text: str, value: str | None = None, origin: str = "") -> None:
        super().__init__(text)
        self.value = value
        self.origin = origin


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands: the file or the command line, the folder of its relative paths, its key.

    path: the keys that lead there in the file. text: the text of the file.
    """

    origin: str
    base: str
    key: str = ""
    path: tuple[str, ...] = field(default=(), compare=False, repr=False)
    text: str = field(default="", compare=False, repr=False)

    def at(self, key: str) -> Place:
        name = f"{self.key}.{key}" if self.key else key
        return replace(self, key=name, path=(*self.path, key))

    def error(self, text: str, value: str | None = None) -> SettingsError:
        """`value`: what is wrong, where it is one of several strings."""
        row = row_of(self.text, self.path, value) if self.text else None
        where = f"{self.origin}{'' if row is None else f':{row}'}"
        return SettingsError(f"{where}: {text}", origin=self.origin)

    def wrong(self, value: object, expected: str) -> SettingsError:
        found = next((name for kind, name in _TYPE_NAMES if isinstance(value, kind)), type(value).__name__)
        return self.error(f"`{self.key}` must be {expected}, not {found}")


_TYPE_NAMES: tuple[tuple[type, str], ...] = (
    (bool, "a boolean"),
    (str, "a string"),
    (int, "a number"),
    (float, "a number"),
    (list, "a list"),
    (tuple, "a list"),
    (dict, "a table"),
)

Reader = Callable[[Any, Place], Any]


@dataclass(frozen=True, slots=True)
class Option:
    """One key of the configuration, as `jaxlint config` shows it."""

    key: str
    type: str
    default: str
    doc: str


def option_of(type: str, read: Reader, doc: str, default: Any = (), shown: str = "[]") -> Any:
    return field(default=default, metadata={"type": type, "read": read, "doc": doc, "shown": shown})


def string_of(value: Any, place: Place) -> str:
    if not isinstance(value, str):
        raise place.wrong(value, "a string")
    return value


def strings_of(value: Any, place: Place) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise place.wrong(value, "a list of strings")
    for item in value:
        if not isinstance(item, str):
            raise place.wrong(item, "a list of strings")
    return tuple(value)


def flag_of(value: Any, place: Place) -> bool:
    if not isinstance(value, bool):
        raise place.wrong(value, "true or false")
    return value


def seconds_of(value: Any, place: Place) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise place.wrong(value, "a number of seconds")
    if value <= 0:
        raise place.error(f"`{place.key}` must be above zero")
    return float(value)


def path_of(value: Any, place: Place) -> str:
    if not string_of(value, place):
        raise place.error(f"`{place.key}` has an empty path")
    return os.path.normpath(os.path.join(place.base, os.path.expanduser(value)))


def paths_of(value: Any, place: Place) -> tuple[str, ...]:
    return tuple(path_of(item, place) for item in strings_of(value, place))


def glob_of(pattern: str, place: Place) -> Glob:
    if not pattern:
        raise place.error(f"`{place.key}` has an empty glob")
    try:
        return Glob(os.path.expanduser(pattern), place.base)
    except GlobError as error:
        raise place.error(f"`{place.key}`: {error}") from None


def globs_of(value: Any, place: Place) -> tuple[Glob, ...]:
    return tuple(glob_of(pattern, place) for pattern in strings_of(value, place))


def format_of(value: Any, place: Place) -> str:
    name = string_of(value, place)
    if name not in FORMATS:
        raise place.error(f"`{place.key}`: no format `{name}`{meant(name, FORMATS)}")
    return name


def extension_of(value: Any, place: Place) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, Mapping):
        raise place.wrong(value, "a table from ends of file names to formats")
    rows = []
    for end, name in value.items():
        key = place.at(end)
        if string_of(name, key) not in CODE_FORMATS:
            raise key.error(f"`{key.key}` must be one of {', '.join(CODE_FORMATS)}, not `{name}`")
        if not end.strip(".") or not end.lstrip(".").isalnum():
            raise key.error(f"`{place.key}`: `{end}` is no end of a file name, such as `md`")
        rows.append((end.lstrip(".").lower(), name))
    return tuple(rows)


def versions_of(value: Any, place: Place) -> str:
    text = string_of(value, place)
    try:
        parsed(text)
    except ValueError as error:
        raise place.error(f"`{place.key}`: {error}") from None
    return text


def jax_versions_of(value: Any, place: Place) -> str:
    text = versions_of(value, place)
    if not text.strip():
        raise place.error(f"`{place.key}` is empty")
    lowest, _ = parsed(text)
    if lowest[0] > NEWEST_VERIFIED[0] + 1:
        newest = ".".join(map(str, NEWEST_VERIFIED[:2]))
        raise place.error(f"`{place.key}`: there is no JAX `{text}`; the newest that is known is {newest}")
    return text


def required_version_of(value: Any, place: Place) -> str:
    text = versions_of(value, place)
    lowest, highest = parsed(text)
    if not lowest <= version_of(__version__) <= highest:
        raise place.error(f"`{place.key}` is `{text}`, and this is jaxlint {__version__}")
    return text


@dataclass(frozen=True, slots=True)
class PerFileIgnore:
    """Rules ignored in the files that match, or, where negated (`!src/*`), in those that do not."""

    glob: Glob
    negated: bool
    selectors: tuple[str, ...]

    def applies_to(self, path: str) -> bool:
        return self.glob.matches(path) is not self.negated


def per_file_ignores_of(value: Any, place: Place) -> tuple[PerFileIgnore, ...]:
    if not isinstance(value, Mapping):
        raise place.wrong(value, "a table from globs to lists of selectors")
    rows = []
    for pattern, selectors in value.items():
        glob = glob_of(pattern.removeprefix("!"), place)
        rows.append(PerFileIgnore(glob, pattern.startswith("!"), strings_of(selectors, place.at(pattern))))
    return tuple(rows)


def severities_of(value: Any, place: Place) -> tuple[tuple[str, Severity], ...]:
    if not isinstance(value, Mapping):
        raise place.wrong(value, "a table from selectors to severities")
    rows = []
    for selector, name in value.items():
        try:
            rows.append((selector, Severity(name)))
        except ValueError:
            raise place.at(selector).error(
                f"`{place.key}.{selector}` must be error, warning or info, not `{name}`"
            ) from None
    return tuple(rows)


def meant(wrong: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: which known one is nearest, or nothing."""
    import difflib

    near = difflib.get_close_matches(wrong, list(known), 1, 0.7)
    return f"; did you mean `{near[0]}`?" if near else ""
