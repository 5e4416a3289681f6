"""Checkstyle's XML, which Jenkins and many review tools read: a file with its errors."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from jaxlint.cli.formats.context import Context, by_file
from jaxlint.cli.formats.junit import clean
from jaxlint.diagnostic import Diagnostic


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    root = Element("checkstyle", version="4.3")
    for filename, found in by_file(diagnostics):
        file = SubElement(root, "file", name=clean(context.posix_path(filename)))
        for diagnostic in found:
            cell = "" if diagnostic.cell is None else f"cell {diagnostic.cell}: "
            SubElement(
                file,
                "error",
                line=str(diagnostic.span.row),
                column=str(diagnostic.span.column),
                severity=diagnostic.severity.value,
                message=clean(cell + diagnostic.message),
                source=f"jaxlint.{clean(diagnostic.code)}",
            )
    indent(root, "  ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"
