"""The flags of `check`, and the settings that they stand for.

In: what click read. Out: overrides by the keys of the configuration file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from jaxlint.cli import complete
from jaxlint.project.option import FORMATS, SettingsError

_SELECTORS = ("select", "ignore", "extend_select", "extend_ignore", "fixable", "extend_fixable", "unfixable")
_GLOBS = ("exclude", "extend_exclude")
_PLAIN = (
    "preview", "force_exclude", "respect_gitignore", "output_format", "cache_dir", "baseline", "target_jax"
)  # fmt: skip

Command = TypeVar("Command", bound=Callable[..., Any])


def _flag(*names: str, help: str, **kwargs: Any) -> Callable[[Any], Any]:
    return click.option(*names, help=help, **kwargs)


def _list(name: str, help: str, metavar: str = "SELECTORS") -> Callable[[Any], Any]:
    return click.option(
        name,
        multiple=True,
        metavar=metavar,
        help=f"{help}, by comma; may be repeated.",
        shell_complete=complete.selector if metavar == "SELECTORS" else None,
    )


def _switch(*names: str, help: str) -> Callable[[Any], Any]:
    return click.option(*names, is_flag=True, help=help)


def _either(name: str, help: str) -> Callable[[Any], Any]:
    """A flag that can be turned on and off, and else leaves the setting as it is."""
    return click.option(f"{name}/--no-{name.removeprefix('--')}", default=None, help=help)


class OptionalValue(click.Option):
    """A flag whose value, where it has one, stands behind `=`: the next word is never taken for it."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = super().get_help_record(ctx)
        return record and (record[0].replace(" [=", "[="), record[1])


class CommandWithOptionalValues(click.Command):
    """Has a flag of class `OptionalValue` without a value give an empty one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        alone = {name for item in self.params if isinstance(item, OptionalValue) for name in item.opts}
        end = args.index("--") if "--" in args else len(args)
        return super().parse_args(
            ctx, [f"{word}=" if word in alone else word for word in args[:end]] + args[end:]
        )


_FLAGS: tuple[Callable[[Any], Any], ...] = (
    click.argument("paths", nargs=-1, metavar="[PATHS]...", shell_complete=complete.path),
    _list("--select", "Rules to turn on: codes, prefixes, names, categories or ALL"),
    _list("--ignore", "Rules to turn off"),
    _list("--extend-select", "Rules to turn on in addition to those selected"),
    _list("--extend-ignore", "Rules to turn off in addition to those ignored"),
    _list("--per-file-ignores", "Rules to turn off in files that match", "GLOB:SELECTOR"),
    _list("--extend-per-file-ignores", "Rules to turn off in files in addition", "GLOB:SELECTOR"),
    _either("--fix", "Apply safe fixes."),
    _either("--unsafe-fixes", "Include unsafe fixes, which may change results."),
    _either("--fix-only", "Apply fixes, but do not report the remaining findings; implies --fix."),
    _switch("--diff", help="Print the changes as a diff instead of writing them; implies --fix-only."),
    _either("--show-fixes", "List the fixes that were applied."),
    _list("--fixable", "Rules whose fixes may be applied"),
    _list("--extend-fixable", "Rules whose fixes may be applied in addition"),
    _list("--unfixable", "Rules whose fixes are never applied"),
    _either("--preview", "Enable preview rules for selection."),
    _list("--exclude", "Files and folders to leave out", "GLOBS"),
    _list("--extend-exclude", "Files and folders to leave out in addition", "GLOBS"),
    _either("--force-exclude", "Leave out excluded files even if they are given as paths."),
    _either("--respect-gitignore", "Leave out the files that .gitignore excludes (the default)."),
    _flag(
        "--output-format",
        metavar="FORMAT",
        help="One of " + ", ".join(FORMATS) + ".",
        shell_complete=complete.format,
        envvar="JAXLINT_OUTPUT_FORMAT",
        show_envvar=True,
    ),
    _flag(
        "-o",
        "--output-file",
        metavar="FILE",
        help="Write the report to a file.",
        envvar="JAXLINT_OUTPUT_FILE",
        show_envvar=True,
    ),
    _flag(
        "-j",
        "--jobs",
        type=click.IntRange(min=0),
        metavar="N",
        help="Processes that analyze components; 0: one per core.",
    ),
    _flag(
        "--executor",
        metavar="dask://HOST:PORT",
        help="Analyze components on the workers of a Dask scheduler.",
    ),
    _flag(
        "-n",
        "--no-cache",
        is_flag=True,
        help="Neither read nor write the cache.",
        envvar="JAXLINT_NO_CACHE",
        show_envvar=True,
    ),
    _flag(
        "--cache-dir",
        metavar="FOLDER",
        help="Folder of the cache.",
        envvar="JAXLINT_CACHE_DIR",
        show_envvar=True,
    ),
    _flag(
        "--config",
        multiple=True,
        metavar="PATH|KEY=VALUE",
        help="A configuration file, or one setting.  [env var: JAXLINT_CONFIG]",
    ),
    _switch("--isolated", help="Read no configuration file."),
    _switch("--no-plugins", help="Do not import the plugins of the configuration."),
    _list("--extension", "Formats of files by the end of their names, as md:myst", "END:FORMAT"),
    _flag("--stdin-filename", metavar="FILE", help="Path of the text from standard input."),
    _switch("--show-files", help="List the files that would be reported, and exit."),
    _switch("--show-settings", help="Show the settings in effect, and exit."),
    _switch("--statistics", help="Count the findings of each rule."),
    _flag(
        "--add-ignore",
        cls=OptionalValue,
        metavar="[=REASON]",
        help="Add an ignore comment for each finding, with a reason.",
        shell_complete=complete.path,  # of what comes behind: the reason stands behind `=`
    ),
    _flag(
        "--add-noqa",
        cls=OptionalValue,
        metavar="[=REASON]",
        help="The same with `# noqa: CODE`, which flake8 and Ruff read too.",
        shell_complete=complete.path,
    ),
    _switch("--ignore-noqa", help="Report suppressed findings as well."),
    _flag("--baseline", metavar="FILE", help="A file of known findings, which are not reported."),
    _switch("--write-baseline", help="Write the findings to the baseline."),
    _switch("--baseline-strict", help="Exit with 1 also if the baseline has a finding that is gone."),
    _flag("--target-jax", metavar="X.Y", help="Version or range of versions of JAX that the code is for."),
    _flag(
        "--facts",
        multiple=True,
        metavar="FILE",
        help="A file of what runs showed, as `jaxlint observe` writes it; may be repeated.",
    ),
    _switch("--only-observed", help="Report only findings on lines that ran."),
    _flag(
        "--min-severity",
        type=click.Choice(["error", "warning", "info"]),
        default="info",
        help="Lowest severity to report.",
    ),
    _switch("-e", "--exit-zero", help="Exit with 0 even if there are findings."),
    _switch("--exit-non-zero-on-fix", help="Exit with 1 if files were fixed."),
    _switch("-w", "--watch", help="Run again after each change, until interrupted."),
    _switch("-q", "--quiet", help="Print findings only."),
    _switch("-s", "--silent", help="Print nothing; the exit status tells."),
    _switch(
        "-v",
        "--verbose",
        help="Also print the projects, the settings, how often each limit of the analysis was reached, and "
        "tracebacks of internal errors.",
    ),
    _flag(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        help="When to color the output.",
    ),
)


def flags_of_check(command: Command) -> Command:
    """All flags, in the order in which help lists them."""
    for flag in reversed(_FLAGS):
        command = flag(command)
    return command


def overrides(flags: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that the flags state, by key.

    Raises:
        SettingsError: `--per-file-ignores`, `--extend-per-file-ignores` or `--extension` without a colon, or
            a list with nothing in it.
    """
    table: dict[str, Any] = {}
    for name in (*_SELECTORS, *_GLOBS, "per_file_ignores", "extend_per_file_ignores", "extension"):
        if flags[name] and not _items(flags[name]):
            # As of a variable that a script has not set: `--select ""` would turn every rule off.
            raise SettingsError(f"command line: --{_key(name)} is empty")
    for name in (*_SELECTORS, *_GLOBS):
        if flags[name]:
            table[_key(name)] = _items(flags[name])
    for name in _PLAIN:
        if flags[name] is not None:
            table[_key(name)] = flags[name]
    if flags["facts"]:
        table["facts"] = list(flags["facts"])
    if flags["no_plugins"]:
        table["plugins"] = []
    for name in ("per_file_ignores", "extend_per_file_ignores"):
        if flags[name]:
            table[_key(name)] = _by_glob(_key(name), flags[name])
    if flags["extension"]:
        pairs = [item.partition(":") for item in _items(flags["extension"])]
        for end, colon, _ in pairs:
            if not colon:
                raise SettingsError(f"command line: --extension `{end}` is not END:FORMAT")
        table["extension"] = {end.strip(): name.strip() for end, _, name in pairs}
    return table


def _by_glob(key: str, values: tuple[str, ...]) -> dict[str, list[str]]:
    """The selectors of each glob."""
    rows: dict[str, list[str]] = {}
    for item in _items(values):
        pattern, colon, selector = item.rpartition(":")
        if not colon or not pattern or not selector:
            raise SettingsError(f"command line: --{key} `{item}` is not GLOB:SELECTOR")
        rows.setdefault(pattern.strip(), []).append(selector.strip())
    return rows


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
