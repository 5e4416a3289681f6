"""The settings in force for a file, as frozen data, and the table of options that they are read from.

In: tables of kebab-case keys, as a TOML parser gives them, layer upon layer. Out: `Settings`, and `OPTIONS`,
the one list from which the reading, its error messages and `jaxlint config` come. It knows neither where
the tables are found (configfile does) nor which rules exist (registry does).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from jaxlint.diagnostic import Severity
from jaxlint.project.globs import Glob
from jaxlint.project.option import (
    FORMATS,
    Option,
    PerFileIgnore,
    Place,
    extension_of,
    flag_of,
    format_of,
    globs_of,
    jax_versions_of,
    meant,
    option_of,
    path_of,
    paths_of,
    per_file_ignores_of,
    required_version_of,
    seconds_of,
    severities_of,
    string_of,
    strings_of,
)
from jaxlint.project.versions import NEWEST_VERIFIED, VersionRange, dotted

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

DEFAULT_TESTS = (
    "**/test_*.py", "**/*_test.py", "**/*_test_util*.py", "**/tests.py", "**/conftest.py", "**/tests/**",
    "**/test/**", "**/unittests/**", "**/*benchmark*", "**/bench_*", "**/bench/**", "**/deprecated/**",
)  # fmt: skip


_SELECTORS = "list of selectors"
_NAMES = "list of dotted names"


@dataclass(frozen=True, slots=True)
class JaxSettings:
    """What a project teaches about its own code."""

    jit_wrappers: tuple[str, ...] = option_of(
        _NAMES, strings_of, "Functions that compile the function passed to them, as `jax.jit` does."
    )
    traced_functions: tuple[str, ...] = option_of(
        _NAMES,
        strings_of,
        "Functions that run while tracing although nothing in the project transforms them.",
    )
    static_types: tuple[str, ...] = option_of(
        _NAMES, strings_of, "Classes whose instances are configuration: their fields are never tracers."
    )
    key_sinks: tuple[str, ...] = option_of(
        _NAMES, strings_of, "Functions that consume the PRNG key passed to them, as `jax.random.normal` does."
    )


@dataclass(frozen=True, slots=True)
class ConfirmSettings:
    """How `jaxlint confirm` runs the rules' claims."""

    platforms: tuple[str, ...] = option_of(
        "list of strings",
        strings_of,
        "Platforms that the claims run on, such as `cpu` and `gpu`; empty: all that JAX sees.",
    )
    timeout: float = option_of(
        "number of seconds",
        seconds_of,
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

    extend: str | None = option_of(
        "path",
        string_of,
        "Another configuration file, which supplies the settings that are not set here.",
        None,
        "none",
    )
    required_version: str | None = option_of(
        "version range",
        required_version_of,
        "Versions of jaxlint that may run here; any other version ends with status 2.",
        None,
        "none",
    )
    target_jax: str | None = option_of(
        "version or range",
        jax_versions_of,
        "Versions of JAX that the code is for.",
        None,
        "the project's own dependency on jax",
    )
    select: tuple[str, ...] | None = option_of(
        _SELECTORS,
        strings_of,
        "Rules to turn on: codes, prefixes, names, categories or `ALL`.",
        None,
        "the rules that are on by default",
    )
    ignore: tuple[str, ...] = option_of(
        _SELECTORS, strings_of, "Rules to turn off, of those that are selected."
    )
    extend_select: tuple[str, ...] = option_of(
        _SELECTORS, strings_of, "Rules to turn on in addition to `select`."
    )
    extend_ignore: tuple[str, ...] = option_of(
        _SELECTORS, strings_of, "Rules to turn off in addition to `ignore`."
    )
    per_file_ignores: tuple[PerFileIgnore, ...] = option_of(
        "table of globs to selectors",
        per_file_ignores_of,
        "Rules to turn off in files that match the glob, or, with `!` before it, that do not match.",
        shown="{}",
    )
    extend_per_file_ignores: tuple[PerFileIgnore, ...] = option_of(
        "table of globs to selectors",
        per_file_ignores_of,
        "Rules to turn off in files in addition to `per-file-ignores`.",
        shown="{}",
    )
    tests: tuple[Glob, ...] | None = option_of(
        "list of globs",
        globs_of,
        "Tests, benchmarks and what is deprecated: rules marked as off in tests are off there, "
        "unless selected by code or name.",
        None,
        "[" + ", ".join(f'"{pattern}"' for pattern in DEFAULT_TESTS) + "]",
    )
    preview: bool = option_of(
        "boolean",
        flag_of,
        "Enable preview rules for selection; none of them is on by default.",
        False,
        "false",
    )
    explicit_preview_rules: bool = option_of(
        "boolean", flag_of, "Have only codes and names select preview rules, no prefixes.", False, "false"
    )
    fix: bool = option_of("boolean", flag_of, "Apply safe fixes, as `--fix` does.", False, "false")
    unsafe_fixes: bool = option_of("boolean", flag_of, "Include unsafe fixes.", False, "false")
    fix_only: bool = option_of(
        "boolean", flag_of, "Apply fixes and report nothing, as `--fix-only` does.", False, "false"
    )
    show_fixes: bool = option_of("boolean", flag_of, "List the fixes that were applied.", False, "false")
    fixable: tuple[str, ...] | None = option_of(
        _SELECTORS, strings_of, "Rules whose fixes may be applied.", None, '["ALL"]'
    )
    extend_fixable: tuple[str, ...] = option_of(
        _SELECTORS, strings_of, "Rules whose fixes may be applied in addition to `fixable`."
    )
    unfixable: tuple[str, ...] = option_of(_SELECTORS, strings_of, "Rules whose fixes are never applied.")
    extend_safe_fixes: tuple[str, ...] = option_of(
        _SELECTORS, strings_of, "Rules whose unsafe fixes count as safe."
    )
    extend_unsafe_fixes: tuple[str, ...] = option_of(
        _SELECTORS, strings_of, "Rules whose safe fixes count as unsafe."
    )
    severity: tuple[tuple[str, Severity], ...] = option_of(
        "table of selectors to severities",
        severities_of,
        "Severities that replace the rules' own: error, warning or info.",
        shown="{}",
    )
    src: tuple[str, ...] = option_of(
        "list of folders",
        paths_of,
        "Root folders of imports; a glob stands for every folder that matches.",
        (".", "src"),
        '[".", "src"]',
    )
    include: tuple[Glob, ...] = option_of(
        "list of globs",
        globs_of,
        "Files to read in a folder.",
        (Glob("*.py"), Glob("*.pyi"), Glob("*.ipynb")),
        '["*.py", "*.pyi", "*.ipynb"]',
    )
    extend_include: tuple[Glob, ...] = option_of(
        "list of globs", globs_of, "Files to read in a folder in addition to `include`."
    )
    extension: tuple[tuple[str, str], ...] = option_of(
        "table of ends of file names to formats",
        extension_of,
        'Formats of files by the ends of their names, such as `md = "myst"`; they are read in folders too.',
        shown="{}",
    )
    exclude: tuple[Glob, ...] = option_of(
        "list of globs",
        globs_of,
        "Files and folders to leave out, unless given on the command line.",
        tuple(Glob(pattern) for pattern in DEFAULT_EXCLUDE),
        "[" + ", ".join(f'"{pattern}"' for pattern in DEFAULT_EXCLUDE) + "]",
    )
    extend_exclude: tuple[Glob, ...] = option_of(
        "list of globs", globs_of, "Files and folders to leave out in addition to `exclude`."
    )
    force_exclude: bool = option_of(
        "boolean",
        flag_of,
        "Leave out excluded files even if they are given on the command line.",
        False,
        "false",
    )
    respect_gitignore: bool = option_of(
        "boolean", flag_of, "Leave out the files that .gitignore excludes.", True, "true"
    )
    output_format: str | None = option_of(
        "one of " + ", ".join(FORMATS),
        format_of,
        "Format of the output.",
        None,
        '"full" on a terminal, else "concise"',
    )
    cache_dir: str | None = option_of(
        "path", path_of, "Folder of the cache.", None, '".jaxlint_cache" in the project'
    )
    baseline: str | None = option_of(
        "path", path_of, "File of known findings, which are not reported.", None, "none"
    )
    facts: tuple[str, ...] = option_of(
        "list of paths",
        paths_of,
        "Files of what runs showed, as `jaxlint observe` writes them; the analysis takes it for calls.",
    )
    plugins: tuple[str, ...] = option_of(
        "list of modules", strings_of, "Modules or packages with additional rules."
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
