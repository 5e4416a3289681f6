"""Diagnostics under the name of their file, rows and columns aligned, as Ruff groups them."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.cli.formats.context import Context, by_file
from jaxlint.diagnostic import Diagnostic


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    groups = []
    for filename, found in by_file(diagnostics):
        places = [_place(diagnostic) for diagnostic in found]
        before = max(len(row) for row, _ in places)
        after = max(len(column) for _, column in places)
        lines = [context.style(context.path(filename), bold=True) + ":"]
        for (row, column), diagnostic in zip(places, found, strict=True):
            marker = context.style("[*]", "cyan") + " " if context.is_fixable(diagnostic) else ""
            place = f"{row.rjust(before)}:{column.ljust(after)}"
            lines.append(f"  {place} {context.code(diagnostic)} {marker}{diagnostic.message}")
        groups.append("\n".join(lines) + "\n")
    return "\n".join(groups)


def _place(diagnostic: Diagnostic) -> tuple[str, str]:
    cell = "" if diagnostic.cell is None else f"cell {diagnostic.cell}:"
    return f"{cell}{diagnostic.span.row}", str(diagnostic.span.column)
