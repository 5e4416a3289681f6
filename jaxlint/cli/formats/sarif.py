"""SARIF 2.1.0: what code scanning services read, with the chain of reasons as a code flow.

Columns count Unicode code points and the end is exclusive, as in `Span`; paths are relative to the working
folder where they lie below it.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Sequence
from typing import Any

from jaxlint.cli.formats.context import Context
from jaxlint.cli.formats.fingerprint import fingerprints
from jaxlint.diagnostic import Diagnostic, Severity, Span

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    rules = _rules(diagnostics, context)
    index = {rule["id"]: position for position, rule in enumerate(rules)}
    results = [
        _result(found, index[found.code], fingerprint, context)
        for found, fingerprint in zip(diagnostics, fingerprints(diagnostics, context), strict=True)
    ]
    run = {
        "tool": {"driver": {"name": "jaxlint", "version": context.version, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"ROOT": {"uri": pathlib.PurePath(context.cwd).as_uri().rstrip("/") + "/"}},
        "results": results,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rules(diagnostics: Sequence[Diagnostic], context: Context) -> list[dict[str, Any]]:
    rules = []
    for code, found in sorted({found.code: found for found in reversed(diagnostics)}.items()):
        summary = context.summary_of(code) or found.name.replace("-", " ")
        rule: dict[str, Any] = {
            "id": code,
            "name": found.name,
            "shortDescription": {"text": summary},
            "defaultConfiguration": {"level": _LEVELS[found.severity]},
            "help": {"text": f"jaxlint rule {code}"},
        }
        if found.url:
            rule["helpUri"] = found.url
        rules.append(rule)
    return rules


def _result(found: Diagnostic, index: int, fingerprint: str, context: Context) -> dict[str, Any]:
    location = _location(found.filename, found.span, context)
    if found.cell is not None:
        location["logicalLocations"] = [{"name": f"cell {found.cell}", "kind": "module"}]
    text = found.message if found.help is None else f"{found.message}\nhelp: {found.help}"
    result: dict[str, Any] = {
        "ruleId": found.code,
        "ruleIndex": index,
        "level": _LEVELS[found.severity],
        "message": {"text": text},
        "locations": [location],
        "partialFingerprints": {"jaxlint/v1": fingerprint},
    }
    if found.related:
        steps = [_location(note.filename, note.span, context, note.message) for note in found.related]
        result["relatedLocations"] = [{**step, "id": number} for number, step in enumerate(steps)]
        end = _location(found.filename, found.span, context, found.message)
        flow = [{"location": step} for step in [*steps, end]]
        result["codeFlows"] = [{"threadFlows": [{"locations": flow}]}]
    if found.fix is not None and found.fix.edits and found.fix.applicability != "displayonly":
        result["fixes"] = [_fix(found, context)]
    return result


def _fix(found: Diagnostic, context: Context) -> dict[str, Any]:
    assert found.fix is not None
    replacements = [
        {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.content}}
        for edit in found.fix.edits
    ]
    change = {"artifactLocation": _artifact(found.filename, context), "replacements": replacements}
    return {"description": {"text": found.fix.message}, "artifactChanges": [change]}


def _location(filename: str, span: Span, context: Context, message: str | None = None) -> dict[str, Any]:
    physical = {"artifactLocation": _artifact(filename, context), "region": _region(span)}
    location: dict[str, Any] = {"physicalLocation": physical}
    if message is not None:
        location["message"] = {"text": message}
    return location


def _artifact(filename: str, context: Context) -> dict[str, str]:
    uri, is_relative = context.uri(filename)
    return {"uri": uri, "uriBaseId": "ROOT"} if is_relative else {"uri": uri}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.row,
        "startColumn": span.column,
        "endLine": span.end_row,
        "endColumn": span.end_column,
    }
