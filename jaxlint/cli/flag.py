"""The flags of `check`, and the settings that they stand for.

In: what click read. Out: overrides by the keys of the configuration file. It knows which flags are accepted
before their machinery is there; those end the run with one line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from jaxlint.settings import FORMATS, SettingsError

ABSENT = ("baseline", "write_baseline", "baseline_strict")

_SELECTORS = ("select", "ignore", "extend_select", "extend_ignore", "fixable", "unfixable")
_GLOBS = ("exclude", "extend_exclude")
_PLAIN = ("preview", "force_exclude", "respect_gitignore", "output_format", "cache_dir", "target_jax")

Command = TypeVar("Command", bound=Callable[..., Any])


def _flag(*names: str, help: str, **kwargs: Any) -> Callable[[Any], Any]:
    return click.option(*names, help=help, **kwargs)


def _list(name: str, help: str, metavar: str = "SELECTORS") -> Callable[[Any], Any]:
    return click.option(name, multiple=True, metavar=metavar, help=f"{help}, by comma; may be repeated.")


def _switch(*names: str, help: str) -> Callable[[Any], Any]:
    return click.option(*names, is_flag=True, help=help)


def _either(name: str, help: str) -> Callable[[Any], Any]:
    """A flag that can be turned on and off, and else leaves the setting as it is."""
    return click.option(f"{name}/--no-{name.removeprefix('--')}", default=None, help=help)


_FLAGS: tuple[Callable[[Any], Any], ...] = (
    click.argument("paths", nargs=-1, metavar="[PATHS]..."),
    _list("--select", "Rules that are on: codes, prefixes, names, categories, ALL"),
    _list("--ignore", "Rules that are off"),
    _list("--extend-select", "Rules that are on besides those selected"),
    _list("--extend-ignore", "Rules that are off besides those ignored"),
    _list("--per-file-ignores", "Rules that are off in files that match", "GLOB:SELECTOR"),
    _either("--fix", "Apply the safe fixes."),
    _either("--unsafe-fixes", "Also apply, or show as fixable, what may change results."),
    _switch("--fix-only", help="Apply fixes and report nothing else; implies --fix."),
    _switch("--diff", help="Print what fixes would change, and change nothing; implies --fix-only."),
    _switch("--show-fixes", help="List the fixes that were applied."),
    _list("--fixable", "Rules whose fixes may be applied"),
    _list("--unfixable", "Rules whose fixes are never applied"),
    _either("--preview", "Also offer the rules that are still in nursery."),
    _list("--exclude", "Files and folders that are not read", "GLOBS"),
    _list("--extend-exclude", "Files and folders that are not read, besides", "GLOBS"),
    _either("--force-exclude", "Leave out excluded files also where they are named here."),
    _either("--respect-gitignore", "Leave out what .gitignore files leave out (the default)."),
    _flag("--output-format", metavar="FORMAT", help="One of " + ", ".join(FORMATS) + "."),
    _flag("-o", "--output-file", metavar="FILE", help="Write the report to a file."),
    _flag("-j", "--jobs", type=click.IntRange(min=0), metavar="N", help="Projects at once; 0: one a core."),
    _flag("--executor", metavar="dask://HOST:PORT", help="Parse on the workers of a Dask scheduler."),
    _switch("-n", "--no-cache", help="Neither read nor write the cache."),
    _flag("--cache-dir", metavar="FOLDER", help="The folder of the cache."),
    _flag("--config", multiple=True, metavar="PATH|KEY=VALUE", help="A configuration file, or one setting."),
    _switch("--isolated", help="Read no configuration file."),
    _switch("--no-plugins", help="Import no module that the configuration names as a plugin."),
    _flag("--stdin-filename", metavar="FILE", help="The name that text from standard input goes under."),
    _switch("--show-files", help="List the files that would be reported, and stop."),
    _switch("--show-settings", help="Show the settings in force, and stop."),
    _switch("--statistics", help="Count the findings of each rule."),
    _switch("--add-ignore", help="Add an ignore comment for each finding."),
    _switch("--ignore-noqa", help="Report also what comments hide."),
    _flag("--baseline", metavar="FILE", help="Do not report the findings in FILE (not in this release)."),
    _switch("--write-baseline", help="Write the baseline (not in this release)."),
    _switch("--baseline-strict", help="Report what a baseline lists and is gone (not in this release)."),
    _flag("--target-jax", metavar="X.Y", help="The version of JAX, or the range, that the code is for."),
    _flag(
        "--min-severity",
        type=click.Choice(["error", "warning", "info"]),
        default="info",
        help="Hide what lies below.",
    ),
    _switch("--exit-zero", help="End with 0 although something is reported."),
    _switch("--exit-non-zero-on-fix", help="End with 1 where something was fixed."),
    _switch("--watch", help="Run again on each change, until interrupted."),
    _switch("-q", "--quiet", help="Print findings only."),
    _switch("-v", "--verbose", help="Also say which projects and settings were used."),
    _flag("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours."),
)


def flags_of_check(command: Command) -> Command:
    """All flags, in the order in which help lists them."""
    for flag in reversed(_FLAGS):
        command = flag(command)
    return command


def overrides(flags: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that the flags state, by key.

    Raises:
        SettingsError: a flag whose machinery is not there yet, or `--per-file-ignores` without a colon.
    """
    for name in ABSENT:
        if flags[name]:
            raise SettingsError(f"the flag --{name.replace('_', '-')} is not in this release")
    table: dict[str, Any] = {}
    for name in (*_SELECTORS, *_GLOBS):
        if flags[name]:
            table[_key(name)] = _items(flags[name])
    for name in _PLAIN:
        if flags[name] is not None:
            table[_key(name)] = flags[name]
    if flags["no_plugins"]:
        table["plugins"] = []
    if flags["per_file_ignores"]:
        rows: dict[str, list[str]] = {}
        for item in _items(flags["per_file_ignores"]):
            pattern, colon, selector = item.rpartition(":")
            if not colon or not pattern or not selector:
                raise SettingsError(f"command line: --per-file-ignores `{item}` is not GLOB:SELECTOR")
            rows.setdefault(pattern.strip(), []).append(selector.strip())
        table["per-file-ignores"] = rows
    return table


def _key(name: str) -> str:
    return name.replace("_", "-")


def _items(values: tuple[str, ...]) -> list[str]:
    """The items of several lists by comma; a comma within braces belongs to a glob."""
    items: list[str] = []
    for value in values:
        depth = 0
        item = ""
        for char in value:
            depth += {"{": 1, "}": -1}.get(char, 0)
            if char == "," and depth <= 0:
                items.append(item)
                item = ""
            else:
                item += char
        items.append(item)
    return [item.strip() for item in items if item.strip()]
