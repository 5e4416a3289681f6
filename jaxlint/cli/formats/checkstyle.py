"""Checkstyle's XML, which Jenkins and many review tools read: a file with its errors."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from jaxlint.cli.formats.context import Context, by_file, cell_of, span_in_file
from jaxlint.cli.formats.junit import clean
from jaxlint.diagnostic import Diagnostic


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    root = Element("checkstyle", version="4.3")
    for filename, found in by_file(diagnostics):
        file = SubElement(root, "file", name=clean(context.posix_path(filename)))
        for diagnostic in found:
            span = span_in_file(diagnostic)
            SubElement(
                file,
                "error",
                line=str(span.row),
                column=str(span.column),
                severity=diagnostic.severity.value,
                message=clean(cell_of(diagnostic) + diagnostic.message),
                source=f"jaxlint.{clean(diagnostic.code)}",
            )
    indent(root, "  ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"
