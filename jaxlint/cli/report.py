"""What `check` prints about a run.

In: diagnostics, what was fixed, and where to print. Out: the report in its format, the lines below it that
sum it up, statistics, differences. It decides nothing: neither what is reported nor the exit status.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

import click

from jaxlint._version import __version__
from jaxlint.cli import formats
from jaxlint.cli.formats.context import RulePage
from jaxlint.cli.neutral import neutral, neutral_change
from jaxlint.diagnostic import Diagnostic, Severity
from jaxlint.project.option import SettingsError

if TYPE_CHECKING:
    from jaxlint.session.check import FixedFile

SUMMED_UP = ("full", "concise", "grouped")
"""The formats that people read: below them stands a summary."""

TextOf = Callable[[str, int | None], str | None]


@dataclass(frozen=True, slots=True)
class Report:
    """Where and how a run is printed.

    `stream` takes the report. With text from standard input that is fixed, the text itself goes to standard
    output, and the report to the other one.
    """

    format: str
    stream: TextIO
    colour: bool
    unsafe_fixes: bool
    quiet: bool
    text_of: TextOf
    plugins: tuple[str, ...] = ()

    def diagnostics(self, found: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
        """Prints the diagnostics in the format. Gives them as they are printed: an internal error stands for
        one that cannot be."""
        context = self._context()
        try:
            text = formats.render(self.format, found, context)
        except Exception:
            found = formats.showable(self.format, found, context)
            text = formats.render(self.format, found, context)
        self.stream.write(text)
        return found

    def summary(self, found: Sequence[Diagnostic], fixed: int, known: int = 0, gone: int = 0) -> None:
        """How many of what; nothing in the formats that programs read. `known`: how many the baseline has;
        `gone`: how many of its entries fail the run because nothing matches them."""
        if self.quiet or self.format not in SUMMED_UP:
            return
        if self.format == "full" and found:
            self.stream.write("\n")
        for line in self._summary(found, fixed, "" if gone else "All checks passed!"):
            self.stream.write(line + "\n")
        if known:
            self.stream.write(f"{_counted(known, 'known finding')} in the baseline\n")
        if gone:
            what = "1 entry of the baseline is" if gone == 1 else f"{gone} entries of the baseline are"
            self.stream.write(f"{what} gone: `--write-baseline` takes what is gone out\n")

    def _summary(self, found: Sequence[Diagnostic], fixed: int, passed: str) -> Iterable[str]:
        said = f"{_counted(fixed, 'finding')} fixed" if fixed else ""
        if not found:
            yield from filter(None, [said or passed])
            return
        grades = Counter(diagnostic.severity for diagnostic in found)
        parts = [_counted(grades[grade], _GRADES[grade]) for grade in Severity if grades[grade]]
        left = " left" if fixed else ""
        yield f"{said}; " * bool(said) + f"{_counted(len(found), 'finding')}{left}: {', '.join(parts)}"
        reach = Counter(diagnostic.fix.applicability for diagnostic in found if diagnostic.fix)
        safe, unsafe = reach["safe"], reach["unsafe"]
        if self.unsafe_fixes:
            safe, unsafe = safe + unsafe, 0
        if safe and unsafe:
            yield f"[*] {safe} fixable with `--fix`, {unsafe} more with `--unsafe-fixes`"
        elif safe:
            yield f"[*] {safe} fixable with `--fix`"
        elif unsafe:
            yield f"{unsafe} fixable with `--fix --unsafe-fixes`"

    def statistics(self, found: Sequence[Diagnostic]) -> None:
        """The number of findings of each rule, most first, and how many of them `--fix` would fix."""
        context = self._context()
        counts = Counter(diagnostic.code for diagnostic in found)
        names = {diagnostic.code: diagnostic.name for diagnostic in found}
        fixable = Counter(diagnostic.code for diagnostic in found if context.is_fixable(diagnostic))
        rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
        if self.format in ("json", "json-lines"):
            table = [
                {
                    "code": code,
                    "name": names[code],
                    "count": count,
                    "fixable": fixable[code] == count,
                    "fixable_count": fixable[code],
                }
                for code, count in rows
            ]
            if self.format == "json":
                self.stream.write(json.dumps(table, indent=2) + "\n")
            else:
                self.stream.writelines(json.dumps(row) + "\n" for row in table)
            return
        width = len(str(rows[0][1])) if rows else 0
        for code, count in rows:
            marker = context.style(_marker(fixable[code], count), "cyan")
            shown = context.style(f"{count:>{width}}", bold=True)
            rule = context.style(neutral(code), bold=True)
            self.stream.write(f"{shown}  {rule}  {marker}  {neutral(names[code])}\n")

    def fixes(self, files: Sequence[FixedFile]) -> None:
        """The fixes that were applied, file by file."""
        context = self._context()
        for file in files:
            applied = Counter((row.code, row.name) for row in file.outcome.applied)
            if applied:
                self.stream.write(neutral(context.path(file.path)) + ":\n")
            for (code, name), count in sorted(applied.items()):
                self.stream.write(f"  {count} x {code} {name}\n")

    def difference(self, files: Sequence[FixedFile]) -> None:
        """The changes: where a program reads them a patch of the files; on a terminal what can be shown,
        of notebooks by cell."""
        from jaxlint.cli.patch import patch
        from jaxlint.fixes.apply import unified_diff

        for file in files:
            path = os.path.relpath(file.path)
            if hasattr(self.stream, "buffer") and not self.stream.isatty():
                after = file.before.with_text(file.outcome.text)
                data = patch(path, file.before.encode("backslashreplace"), after.encode("backslashreplace"))
                self.stream.flush()
                self.stream.buffer.write(data)
                continue
            for cell, before, then in file.changes():
                name = f"{neutral(path)}:cell {cell}" if cell else neutral(path)
                self.stream.write(neutral_change(unified_diff(before, then, name)))

    def _context(self) -> formats.Context:
        return formats.Context(
            cwd=os.getcwd(),
            colour=self.colour,
            unsafe_fixes=self.unsafe_fixes,
            version=__version__,
            text_of=self.text_of,
            page_of=self._page_of,
        )

    def _page_of(self, code: str) -> RulePage | None:
        import inspect

        from jaxlint.confirm import rule_page
        from jaxlint.rule.registry import registry

        entry = registry(self.plugins).by_code.get(code)
        if entry is None:
            return None
        explanation = inspect.cleandoc(entry.doc)
        pages = rule_page.text(entry), rule_page.markdown(entry)
        return RulePage(entry.summary, explanation, *pages, entry.category, entry.severity)


_GRADES: Mapping[Severity, str] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "info",
}


def _marker(fixable: int, count: int) -> str:
    """As Ruff's: all, some or none of the findings can be fixed."""
    if not fixable:
        return "[ ]"
    return "[*]" if fixable == count else "[-]"


def _counted(number: int, noun: str) -> str:
    """`1 error`, `2 errors`; info has no plural."""
    return f"{number} {noun}" if number == 1 or noun == "info" else f"{number} {noun}s"


def require_format(name: str, statistics: bool) -> None:
    """Make sure that a report can be printed, before anything is changed.

    Raises:
        SettingsError: the format is not in this release, or holds no statistics.
    """
    if statistics and name not in (*SUMMED_UP, "json", "json-lines"):
        raise SettingsError(f"--statistics is not printed in the format `{name}`")
    try:
        formats.format_named(name)
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith(formats.__name__):
            raise
        raise SettingsError(f"the output format `{name}` is not in this release") from None


def says(text: str) -> None:
    """One line to the user, beside the report."""
    click.echo(f"jaxlint: {neutral(text)}", err=True)


def is_coloured(choice: str, stream: TextIO) -> bool:
    """`auto` colours a terminal. NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE, then CLICOLOR=0 and TERM=dumb
    say otherwise, as with Ruff; what is empty says nothing."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR") or os.environ.get("CLICOLOR_FORCE"):
        return True
    return os.environ.get("CLICOLOR") != "0" and os.environ.get("TERM") != "dumb" and stream.isatty()


def default_format(stream: TextIO) -> str:
    return "full" if stream.isatty() else "concise"
