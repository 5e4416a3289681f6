"""JUnit's XML, shaped as Ruff's: a suite a file, a failed case a diagnostic, and one passed case for none."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from jaxlint.cli.formats.context import Context, by_file, span_in_file
from jaxlint.diagnostic import Diagnostic

# What XML 1.0 cannot hold, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    suites = Element("testsuites", _attributes("jaxlint", max(1, len(diagnostics)), len(diagnostics)))
    if not diagnostics:
        suite = SubElement(suites, "testsuite", _attributes("jaxlint", 1, 0))
        SubElement(suite, "testcase", name="No errors found", classname="jaxlint")
    for filename, found in by_file(diagnostics):
        suite = SubElement(suites, "testsuite", _attributes(clean(filename), len(found), len(found)))
        for diagnostic in found:
            _case(suite, diagnostic)
    indent(suites, "    ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def _attributes(name: str, tests: int, failures: int) -> dict[str, str]:
    return {"name": name, "tests": str(tests), "skipped": "0", "failures": str(failures), "errors": "0"}


def _case(suite: Element, diagnostic: Diagnostic) -> None:
    span, place = diagnostic.span, span_in_file(diagnostic)
    case = SubElement(
        suite,
        "testcase",
        name=f"org.jaxlint.{diagnostic.code}",
        classname=clean(os.path.splitext(diagnostic.filename)[0]),
        line=str(place.row),
        column=str(place.column),
    )
    properties = SubElement(case, "properties")
    SubElement(properties, "property", name="severity", value=diagnostic.severity.value)
    if diagnostic.observed is not None:
        SubElement(properties, "property", name="observed", value=str(diagnostic.observed).lower())
    cell = "" if diagnostic.cell is None else f"cell {diagnostic.cell}, "
    failure = SubElement(case, "failure", message=clean(diagnostic.message))
    lines = [f"{cell}line {span.row}, col {span.column}, {diagnostic.message}"]
    if diagnostic.help is not None:
        lines.append(f"help: {diagnostic.help}")
    failure.text = clean("\n".join(lines))


def clean(text: str) -> str:
    """Text that XML can hold."""
    return _FORBIDDEN.sub("\ufffd", text)
