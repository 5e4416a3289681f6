"""The settings in force for a file, as frozen data, and the table of options that they are read from.

In: tables of kebab-case keys, as a TOML parser gives them, layer upon layer. Out: `Settings`, and `OPTIONS`,
the one list from which the reading, its error messages and `jaxlint config` come. It knows neither where
the tables are found (configfile does) nor which rules exist (registry does).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from jaxlint._version import __version__
from jaxlint.diagnostic import Severity
from jaxlint.project.globs import Glob, GlobError
from jaxlint.project.toml_rows import row_of
from jaxlint.project.versions import NEWEST_VERIFIED, VersionRange, dotted, parsed, version_of
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

# `.*` stands for every hidden folder: version control, tool caches, most virtual environments.
DEFAULT_EXCLUDE = (
    ".*",
    "__pycache__",
    "__pypackages__",
    "_build",
    "buck-out",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)

DEFAULT_TESTS = ("**/test_*.py", "**/*_test.py", "**/conftest.py", "**/tests/**")


class SettingsError(ValueError):
    """The configuration or the command line is wrong; the text is the whole of the one line that is shown."""

    def __init__(self, text: str, value: str | None = None) -> None:
        super().__init__(text)
        self.value = value  # the string that is wrong, where it is one of several


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
        return SettingsError(f"{self.origin}{'' if row is None else f':{row}'}: {text}")

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


def _option(type: str, read: Reader, doc: str, default: Any = (), shown: str = "[]") -> Any:
    return field(default=default, metadata={"type": type, "read": read, "doc": doc, "shown": shown})


def _string(value: Any, place: Place) -> str:
    if not isinstance(value, str):
        raise place.wrong(value, "a string")
    return value


def _strings(value: Any, place: Place) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise place.wrong(value, "a list of strings")
    for item in value:
        if not isinstance(item, str):
            raise place.wrong(item, "a list of strings")
    return tuple(value)


def _flag(value: Any, place: Place) -> bool:
    if not isinstance(value, bool):
        raise place.wrong(value, "true or false")
    return value


def _seconds(value: Any, place: Place) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise place.wrong(value, "a number of seconds")
    if value <= 0:
        raise place.error(f"`{place.key}` must be above zero")
    return float(value)


def _path(value: Any, place: Place) -> str:
    if not _string(value, place):
        raise place.error(f"`{place.key}` has an empty path")
    return os.path.normpath(os.path.join(place.base, os.path.expanduser(value)))


def _paths(value: Any, place: Place) -> tuple[str, ...]:
    return tuple(_path(item, place) for item in _strings(value, place))


def _glob(pattern: str, place: Place) -> Glob:
    if not pattern:
        raise place.error(f"`{place.key}` has an empty glob")
    try:
        return Glob(os.path.expanduser(pattern), place.base)
    except GlobError as error:
        raise place.error(f"`{place.key}`: {error}") from None


def _globs(value: Any, place: Place) -> tuple[Glob, ...]:
    return tuple(_glob(pattern, place) for pattern in _strings(value, place))


def _format(value: Any, place: Place) -> str:
    name = _string(value, place)
    if name not in FORMATS:
        raise place.error(f"`{place.key}`: no format `{name}`{meant(name, FORMATS)}")
    return name


def _extension(value: Any, place: Place) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, Mapping):
        raise place.wrong(value, "a table from ends of file names to formats")
    rows = []
    for end, name in value.items():
        key = place.at(end)
        if _string(name, key) not in CODE_FORMATS:
            raise key.error(f"`{key.key}` must be one of {', '.join(CODE_FORMATS)}, not `{name}`")
        if not end.strip(".") or not end.lstrip(".").isalnum():
            raise key.error(f"`{place.key}`: `{end}` is no end of a file name, such as `md`")
        rows.append((end.lstrip(".").lower(), name))
    return tuple(rows)


def _versions(value: Any, place: Place) -> str:
    text = _string(value, place)
    try:
        parsed(text)
    except ValueError as error:
        raise place.error(f"`{place.key}`: {error}") from None
    return text


def _jax_versions(value: Any, place: Place) -> str:
    text = _versions(value, place)
    if not text.strip():
        raise place.error(f"`{place.key}` is empty")
    lowest, _ = parsed(text)
    if lowest[0] > NEWEST_VERIFIED[0] + 1:
        newest = ".".join(map(str, NEWEST_VERIFIED[:2]))
        raise place.error(f"`{place.key}`: there is no JAX `{text}`; the newest that is known is {newest}")
    return text


def _required_version(value: Any, place: Place) -> str:
    text = _versions(value, place)
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


def _per_file_ignores(value: Any, place: Place) -> tuple[PerFileIgnore, ...]:
    if not isinstance(value, Mapping):
        raise place.wrong(value, "a table from globs to lists of selectors")
    rows = []
    for pattern, selectors in value.items():
        glob = _glob(pattern.removeprefix("!"), place)
        rows.append(PerFileIgnore(glob, pattern.startswith("!"), _strings(selectors, place.at(pattern))))
    return tuple(rows)


def _severities(value: Any, place: Place) -> tuple[tuple[str, Severity], ...]:
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


_SELECTORS = "list of selectors"
_NAMES = "list of dotted names"


@dataclass(frozen=True, slots=True)
class JaxSettings:
    """What a project teaches about its own code."""

    jit_wrappers: tuple[str, ...] = _option(
        _NAMES, _strings, "Functions that compile the function passed to them, as `jax.jit` does."
    )
    traced_functions: tuple[str, ...] = _option(
        _NAMES, _strings, "Functions that run while tracing although nothing in the project transforms them."
    )
    static_types: tuple[str, ...] = _option(
        _NAMES, _strings, "Classes whose instances are configuration: their fields are never tracers."
    )
    key_sinks: tuple[str, ...] = _option(
        _NAMES, _strings, "Functions that consume the PRNG key passed to them, as `jax.random.normal` does."
    )


@dataclass(frozen=True, slots=True)
class ConfirmSettings:
    """How `jaxlint confirm` runs the rules' claims."""

    platforms: tuple[str, ...] = _option(
        "list of strings",
        _strings,
        "Platforms that the claims run on, such as `cpu` and `gpu`; empty: all that JAX sees.",
    )
    timeout: float = _option(
        "number of seconds",
        _seconds,
        "Time limit of one claim; a claim that takes longer counts as failed.",
        60.0,
        "60",
    )


@dataclass(frozen=True, slots=True)
class Layer:
    """What one source of settings says about rules. A later layer wins over an earlier one."""

    place: Place
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    fixable: tuple[str, ...] | None = None
    extend_fixable: tuple[str, ...] = ()
    unfixable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting, each under its key with underscores.

    `layers` is what the selection of rules is resolved from; `select` and the like only show the last word
    on each. `target` is the range of JAX versions in force, also where `target_jax` is not set. `origin`
    names the configuration file, None where there is none.
    """

    extend: str | None = _option(
        "path",
        _string,
        "Another configuration file, which supplies the settings that are not set here.",
        None,
        "none",
    )
    required_version: str | None = _option(
        "version range",
        _required_version,
        "Versions of jaxlint that may run here; any other version ends with status 2.",
        None,
        "none",
    )
    target_jax: str | None = _option(
        "version or range",
        _jax_versions,
        "Versions of JAX that the code is for.",
        None,
        "the project's own dependency on jax",
    )
    select: tuple[str, ...] | None = _option(
        _SELECTORS,
        _strings,
        "Rules to turn on: codes, prefixes, names, categories or `ALL`.",
        None,
        "the rules that are on by default",
    )
    ignore: tuple[str, ...] = _option(_SELECTORS, _strings, "Rules to turn off, of those that are selected.")
    extend_select: tuple[str, ...] = _option(
        _SELECTORS, _strings, "Rules to turn on in addition to `select`."
    )
    extend_ignore: tuple[str, ...] = _option(
        _SELECTORS, _strings, "Rules to turn off in addition to `ignore`."
    )
    per_file_ignores: tuple[PerFileIgnore, ...] = _option(
        "table of globs to selectors",
        _per_file_ignores,
        "Rules to turn off in files that match the glob, or, with `!` before it, that do not match.",
        shown="{}",
    )
    extend_per_file_ignores: tuple[PerFileIgnore, ...] = _option(
        "table of globs to selectors",
        _per_file_ignores,
        "Rules to turn off in files in addition to `per-file-ignores`.",
        shown="{}",
    )
    tests: tuple[Glob, ...] | None = _option(
        "list of globs",
        _globs,
        "Test files, where rules marked as off in tests are off, unless selected by code or name.",
        None,
        "[" + ", ".join(f'"{pattern}"' for pattern in DEFAULT_TESTS) + "]",
    )
    preview: bool = _option(
        "boolean", _flag, "Enable preview rules (category `nursery`) for selection.", False, "false"
    )
    explicit_preview_rules: bool = _option(
        "boolean", _flag, "Have only codes and names select preview rules, no prefixes.", False, "false"
    )
    fix: bool = _option("boolean", _flag, "Apply safe fixes, as `--fix` does.", False, "false")
    unsafe_fixes: bool = _option("boolean", _flag, "Include unsafe fixes.", False, "false")
    fix_only: bool = _option(
        "boolean", _flag, "Apply fixes and report nothing, as `--fix-only` does.", False, "false"
    )
    show_fixes: bool = _option("boolean", _flag, "List the fixes that were applied.", False, "false")
    fixable: tuple[str, ...] | None = _option(
        _SELECTORS, _strings, "Rules whose fixes may be applied.", None, '["ALL"]'
    )
    extend_fixable: tuple[str, ...] = _option(
        _SELECTORS, _strings, "Rules whose fixes may be applied in addition to `fixable`."
    )
    unfixable: tuple[str, ...] = _option(_SELECTORS, _strings, "Rules whose fixes are never applied.")
    extend_safe_fixes: tuple[str, ...] = _option(
        _SELECTORS, _strings, "Rules whose unsafe fixes count as safe."
    )
    extend_unsafe_fixes: tuple[str, ...] = _option(
        _SELECTORS, _strings, "Rules whose safe fixes count as unsafe."
    )
    severity: tuple[tuple[str, Severity], ...] = _option(
        "table of selectors to severities",
        _severities,
        "Severities that replace the rules' own: error, warning or info.",
        shown="{}",
    )
    src: tuple[str, ...] = _option(
        "list of folders",
        _paths,
        "Root folders of imports; a glob stands for every folder that matches.",
        (".", "src"),
        '[".", "src"]',
    )
    include: tuple[Glob, ...] = _option(
        "list of globs",
        _globs,
        "Files to read in a folder.",
        (Glob("*.py"), Glob("*.pyi"), Glob("*.ipynb")),
        '["*.py", "*.pyi", "*.ipynb"]',
    )
    extend_include: tuple[Glob, ...] = _option(
        "list of globs", _globs, "Files to read in a folder in addition to `include`."
    )
    extension: tuple[tuple[str, str], ...] = _option(
        "table of ends of file names to formats",
        _extension,
        'Formats of files by the ends of their names, such as `md = "myst"`; they are read in folders too.',
        shown="{}",
    )
    exclude: tuple[Glob, ...] = _option(
        "list of globs",
        _globs,
        "Files and folders to leave out, unless given on the command line.",
        tuple(Glob(pattern) for pattern in DEFAULT_EXCLUDE),
        "[" + ", ".join(f'"{pattern}"' for pattern in DEFAULT_EXCLUDE) + "]",
    )
    extend_exclude: tuple[Glob, ...] = _option(
        "list of globs", _globs, "Files and folders to leave out in addition to `exclude`."
    )
    force_exclude: bool = _option(
        "boolean",
        _flag,
        "Leave out excluded files even if they are given on the command line.",
        False,
        "false",
    )
    respect_gitignore: bool = _option(
        "boolean", _flag, "Leave out the files that .gitignore excludes.", True, "true"
    )
    output_format: str | None = _option(
        "one of " + ", ".join(FORMATS),
        _format,
        "Format of the output.",
        None,
        '"full" on a terminal, else "concise"',
    )
    cache_dir: str | None = _option(
        "path", _path, "Folder of the cache.", None, '".jaxlint_cache" in the project'
    )
    baseline: str | None = _option(
        "path", _path, "File of known findings, which are not reported.", None, "none"
    )
    plugins: tuple[str, ...] = _option(
        "list of modules", _strings, "Modules or packages with additional rules."
    )
    jax: JaxSettings = JaxSettings()
    confirm: ConfirmSettings = ConfirmSettings()

    layers: tuple[Layer, ...] = ()
    target: VersionRange = VersionRange(NEWEST_VERIFIED, NEWEST_VERIFIED)
    origin: str | None = None

    def updated(self, table: Mapping[str, Any], place: Place) -> Settings:
        """These settings with those of `table` over them.

        Raises:
            SettingsError: an unknown key, named with the nearest that exists, or a value of the wrong type.
        """
        changes = dict(_read(Settings, table, place))
        for name, nested in (("jax", self.jax), ("confirm", self.confirm)):
            if name in changes:
                changes[name] = replace(nested, **changes[name])
        layer = Layer(
            place,
            changes.get("select"),
            (*changes.get("ignore", ()), *changes.get("extend_ignore", ())),
            changes.get("extend_select", ()),
            changes.get("fixable"),
            changes.get("extend_fixable", ()),
            changes.get("unfixable", ()),
        )
        if layer != Layer(place):
            changes["layers"] = (*self.layers, layer)
        for name in changes:
            if name.startswith("extend_"):
                changes[name] = (*getattr(self, name), *changes[name])
        if "severity" in changes:
            changes["severity"] = tuple({**dict(self.severity), **dict(changes["severity"])}.items())
        return replace(self, **changes)


def _read(owner: type, table: Mapping[str, Any], place: Place) -> Iterator[tuple[str, Any]]:
    known = {_key(item.name): item for item in fields(owner) if item.metadata or item.name in _TABLES}
    for key, value in table.items():
        item = known.get(key)
        if item is None:
            table_name = f" in `{place.key}`" if place.key else ""
            near = meant(key.replace("_", "-"), known)
            raise place.at(key).error(f"unknown key `{key}`{table_name}{near}")
        if item.name in _TABLES and owner is Settings:
            if not isinstance(value, Mapping):
                raise place.at(key).wrong(value, "a table")
            yield item.name, dict(_read(_TABLES[item.name], value, place.at(key)))
        else:
            yield item.name, item.metadata["read"](value, place.at(key))


_TABLES: dict[str, type] = {"jax": JaxSettings, "confirm": ConfirmSettings}


def _key(name: str) -> str:
    return name.replace("_", "-")


def meant(wrong: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: which known one is nearest, or nothing."""
    import difflib

    near = difflib.get_close_matches(wrong, list(known), 1, 0.5)
    return f"; did you mean `{near[0]}`?" if near else ""


def _options(owner: type, prefix: str) -> Iterator[Option]:
    for item in fields(owner):
        if item.metadata:
            data = item.metadata
            yield Option(prefix + _key(item.name), data["type"], data["shown"], data["doc"])
        elif item.name in _TABLES and owner is Settings:
            yield from _options(_TABLES[item.name], f"{item.name}.")


def test_globs(settings: Settings, root: str) -> tuple[Glob, ...]:
    """What the setting `tests` says of a project; its default is relative to the project's folder."""
    if settings.tests is not None:
        return settings.tests
    return tuple(Glob(pattern, root) for pattern in DEFAULT_TESTS)


OPTIONS: tuple[Option, ...] = tuple(_options(Settings, ""))


def shown(settings: Settings) -> Iterator[tuple[str, str]]:
    """Each key with the value in force, as TOML would write it, for `--show-settings`."""
    for option in OPTIONS:
        owner: Any = settings
        for name in option.key.replace("-", "_").split("."):
            owner = getattr(owner, name)
        # A default in words stands for None; an empty table looks like an empty list once it is read.
        is_default = owner is None or (owner == () and option.default == "{}")
        yield option.key, option.default if is_default else _toml(owner)
    yield "target", f"jax {dotted(settings.target.lowest)} to {dotted(settings.target.highest)}"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple):
        if value and isinstance(value[0], PerFileIgnore):
            rows = [f'"{"!" * row.negated}{row.glob}" = {_toml(row.selectors)}' for row in value]
            return "{" + ", ".join(rows) + "}"
        if value and isinstance(value[0], tuple):
            return "{" + ", ".join(f"{selector} = {_toml(severity)}" for selector, severity in value) + "}"
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return f'"{value}"'
