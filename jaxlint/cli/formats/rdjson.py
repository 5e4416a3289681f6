"""Reviewdog's diagnostic format, whose columns count UTF-8 bytes from 1.

A suggestion is one replacement; a fix of several edits becomes one from the first edit to the last, and none
where the source is not known. The edits of a cell are no edits of the notebook's file.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from jaxlint.cli.formats.context import Context, cell_of, span_in_file
from jaxlint.diagnostic import Diagnostic, Fix, Note, Severity, Span
from jaxlint.source.text import Source

_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.INFO: "INFO"}


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    report = {
        "source": {"name": "jaxlint"},
        "severity": "WARNING",
        "diagnostics": [_diagnostic(found, context) for found in diagnostics],
    }
    return json.dumps(report, indent=2) + "\n"


def _diagnostic(found: Diagnostic, context: Context) -> dict[str, Any]:
    source = context.source(found.filename) if found.cell is None else None
    code = {"value": found.code, "url": found.url} if found.url else {"value": found.code}
    result: dict[str, Any] = {
        "message": cell_of(found) + found.message,
        "severity": _SEVERITIES[found.severity],
        "code": code,
        "location": _location(found, context),
    }
    if found.related:
        result["related_locations"] = [
            {
                "message": cell_of(note) + note.message,
                "location": _location(note, context),
            }
            for note in found.related
        ]
    suggestion = None if found.fix is None or found.cell is not None else _suggestion(found.fix, source)
    if suggestion is not None:
        result["suggestions"] = [suggestion]
    return result


def _location(found: Diagnostic | Note, context: Context) -> dict[str, Any]:
    source = context.source(found.filename) if found.cell is None else None
    return {"path": context.posix_path(found.filename), "range": _range(span_in_file(found), source)}


def _range(span: Span, source: Source | None) -> dict[str, Any]:
    return {
        "start": {"line": span.row, "column": _bytes_column(source, span.row, span.column)},
        "end": {"line": span.end_row, "column": _bytes_column(source, span.end_row, span.end_column)},
    }


def _bytes_column(source: Source | None, row: int, column: int) -> int:
    if source is None:
        return column
    return len(source.line(row)[: column - 1].encode("utf-8", "replace")) + 1


def _suggestion(fix: Fix, source: Source | None) -> dict[str, Any] | None:
    if fix.applicability == "displayonly" or fix.span is None:
        return None
    if len(fix.edits) == 1:
        return {"range": _range(fix.span, source), "text": fix.edits[0].content}
    if source is None:
        return None
    text = ""
    end, _ = source.offsets(fix.span)
    for edit in sorted(fix.edits, key=lambda edit: edit.span):
        start, after = source.offsets(edit.span)
        text += source.text[end:start] + edit.content
        end = after
    return {"range": _range(fix.span, source), "text": text}
