"""One line a diagnostic, as flake8's and Ruff's parsers read it: `path:row:column: CODE [*] message`."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.cli.formats.context import Context
from jaxlint.diagnostic import Diagnostic


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    return "".join(_line(diagnostic, context) + "\n" for diagnostic in diagnostics)


def _line(diagnostic: Diagnostic, context: Context) -> str:
    marker = context.style("[*]", "cyan") + " " if context.is_fixable(diagnostic) else ""
    path = context.path_at_start(diagnostic.filename)
    rest = context.place(diagnostic).removeprefix(context.path(diagnostic.filename))
    return f"{context.style(path, bold=True)}{rest}: {context.code(diagnostic)} {marker}{diagnostic.message}"
