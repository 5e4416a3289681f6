"""Pylint's parseable form, as the tools read it that know pylint: `path:row: [CODE(name)] message`."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.cli.formats.context import Context
from jaxlint.diagnostic import Diagnostic


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    return "".join(_line(diagnostic, context) + "\n" for diagnostic in diagnostics)


def _line(diagnostic: Diagnostic, context: Context) -> str:
    path, row = context.path_at_start(diagnostic.filename), diagnostic.span.row
    cell = "" if diagnostic.cell is None else f"cell {diagnostic.cell}:"
    return f"{path}:{cell}{row}: [{diagnostic.code}({diagnostic.name})] {diagnostic.message}"
