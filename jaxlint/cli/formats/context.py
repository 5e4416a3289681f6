"""What a format may know besides the diagnostics.

In: the working folder, whether to colour, how to get at a file's text and a rule's page. Out: paths as a
reader wants them, the source, whether a diagnostic can be fixed. Knows nothing of any one format.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import click

from jaxlint.diagnostic import Diagnostic, Note, Severity, Span
from jaxlint.source.regular_files import SOURCE, read_regular
from jaxlint.source.text import Source, UnreadableSource, read_source

COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}


def text_of_file(filename: str, cell: int | None) -> str | None:
    """The text of a Python file on disk; None for a notebook's cell and for what cannot be read."""
    if cell is not None:
        return None
    try:
        return read_source(read_regular(filename, SOURCE)).text
    except (OSError, UnreadableSource):
        return None


def span_in_file(found: Diagnostic | Note) -> Span:
    """Where a program finds it in the file: a row within a cell is no row of the notebook's file."""
    return found.span if found.cell is None else Span(1, 1, 1, 1)


def cell_of(found: Diagnostic | Note) -> str:
    """What a message says before all else where `span_in_file` does not say it."""
    return "" if found.cell is None else f"cell {found.cell}, row {found.span.row}: "


@dataclass(frozen=True, slots=True)
class RulePage:
    """What there is to read about a rule; `text` and `markdown` are its whole page."""

    summary: str
    explanation: str
    text: str
    markdown: str
    category: str
    severity: Severity


@dataclass(slots=True)
class Context:
    """`unsafe_fixes` says that unsafe fixes are wanted too: they then carry the marker of the fixable.

    `text_of(filename, cell)` gives what the diagnostics' rows refer to, None where it is not known;
    `page_of(code)` what there is to read about a rule.
    """

    cwd: str = field(default_factory=os.getcwd)
    colour: bool = False
    unsafe_fixes: bool = False
    version: str = "0"
    text_of: Callable[[str, int | None], str | None] = text_of_file
    page_of: Callable[[str], RulePage | None] = lambda code: None
    _sources: dict[tuple[str, int | None], Source | None] = field(default_factory=dict, repr=False)

    def path(self, filename: str) -> str:
        """Relative where the file lies below the working folder."""
        root = self.cwd if self.cwd.endswith(os.sep) else self.cwd + os.sep
        return filename[len(root) :] if filename.startswith(root) else filename

    def path_at_start(self, filename: str) -> str:
        """The same as a line begins with it: a log must not take it for a command, as `::error::` is one."""
        shown = self.path(filename)
        return f".{os.sep}{shown}" if shown.startswith(("::", "##")) else shown

    def posix_path(self, filename: str) -> str:
        return self.path(filename).replace(os.sep, "/")

    def uri(self, filename: str) -> tuple[str, bool]:
        """The file's address, and whether it is relative to the working folder."""
        shown = self.path(filename)
        if shown != filename or not os.path.isabs(filename):
            from urllib.parse import quote

            return quote(shown.replace(os.sep, "/"), errors="surrogateescape"), True
        import pathlib

        return pathlib.PurePath(filename).as_uri(), False

    def place(self, diagnostic: Diagnostic) -> str:
        """`path:row:column`, with the cell in a notebook."""
        path = self.path(diagnostic.filename)
        cell = "" if diagnostic.cell is None else f"cell {diagnostic.cell}:"
        return f"{path}:{cell}{diagnostic.span.row}:{diagnostic.span.column}"

    def note_place(self, note: Note) -> str:
        cell = "" if note.cell is None else f"cell {note.cell}:"
        return f"{self.path(note.filename)}:{cell}{note.span.row}"

    def is_fixable(self, diagnostic: Diagnostic) -> bool:
        """Whether `--fix`, as it is set now, would apply the diagnostic's fix."""
        fix = diagnostic.fix
        if fix is None:
            return False
        return fix.applicability == "safe" or (self.unsafe_fixes and fix.applicability == "unsafe")

    def source(self, filename: str, cell: int | None = None) -> Source | None:
        key = filename, cell
        if key not in self._sources:
            text = self.text_of(filename, cell)
            self._sources[key] = None if text is None else Source.from_text(text)
        return self._sources[key]

    def style(self, text: str, colour: str | None = None, *, bold: bool = False) -> str:
        return click.style(text, fg=colour, bold=bold or None) if self.colour else text

    def code(self, diagnostic: Diagnostic) -> str:
        return self.style(diagnostic.code, COLOURS[diagnostic.severity], bold=True)


def ran_note(diagnostic: Diagnostic) -> str | None:
    """Whether runs showed that a diagnostic's line runs, as a note; None where nothing is known of it."""
    if diagnostic.observed is None:
        return None
    return f"this line {'ran' if diagnostic.observed else 'did not run'} (observed)"


def by_file(diagnostics: Sequence[Diagnostic]) -> list[tuple[str, list[Diagnostic]]]:
    return [(name, list(found)) for name, found in groupby(diagnostics, key=lambda found: found.filename)]
