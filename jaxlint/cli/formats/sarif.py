"""SARIF 2.1.0: what code scanning services read, with the chain of reasons as a code flow.

Columns count Unicode code points and the end is exclusive, as in `Span`; paths are relative to the working
folder where they lie below it. The limits are those beyond which GitHub refuses a file or cuts
it (docs.github.com, "SARIF results exceed one or more limits" and "SARIF support for code scanning").
"""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from jaxlint.cli.formats.context import Context, RulePage, span_in_file
from jaxlint.cli.formats.fingerprint import partial_fingerprints
from jaxlint.diagnostic import Diagnostic, Note, Severity, Span

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
HOME = "https://github.com/jaxlint/jaxlint"
MOST_RESULTS, MOST_STEPS, MOST_TAGS, LONGEST_NAME, LONGEST_DESCRIPTION = 25_000, 1_000, 20, 255, 1_024

_INTERNAL_ERROR = "JAX003"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PROBLEMS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}
_RANKS = {"correctness": 95.0, "suspicious": 70.0, "performance": 50.0, "style": 20.0, "pedantic": 10.0}
_RANKS_BY_SEVERITY = {Severity.ERROR: 90.0, Severity.WARNING: 60.0, Severity.INFO: 15.0}


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    found = _first(diagnostics)
    pages = {code: context.page_of(code) for code in {each.code for each in found}}
    rules = _rules(found, pages)
    index = {rule["id"]: position for position, rule in enumerate(rules)}
    results = [
        _result(each, index[each.code], pages[each.code], fingerprint, context)
        for each, fingerprint in zip(found, partial_fingerprints(found, context), strict=True)
    ]
    driver = {
        "name": "jaxlint",
        "version": context.version,
        "semanticVersion": context.version,
        "informationUri": HOME,
        "rules": rules,
    }
    if not re.fullmatch(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?", context.version):
        del driver["semanticVersion"]
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": "jaxlint/"},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"ROOT": {"uri": pathlib.PurePath(context.cwd).as_uri().rstrip("/") + "/"}},
        "invocations": [_invocation(diagnostics, len(found))],
        "results": results,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _first(diagnostics: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    """As many as a service takes, the severe ones before the others, in their order."""
    if len(diagnostics) <= MOST_RESULTS:
        return diagnostics
    ranked = sorted(range(len(diagnostics)), key=lambda number: -diagnostics[number].severity.rank)
    return [diagnostics[number] for number in sorted(ranked[:MOST_RESULTS])]


def _invocation(diagnostics: Sequence[Diagnostic], shown: int) -> dict[str, Any]:
    failed = any(each.code == _INTERNAL_ERROR for each in diagnostics)
    invocation: dict[str, Any] = {"executionSuccessful": not failed}
    if shown < len(diagnostics):
        text = (
            f"{len(diagnostics) - shown} of {len(diagnostics)} findings are left out, the least severe ones: "
            f"code scanning takes {MOST_RESULTS:,} a run"
        )
        notification = {"level": "warning", "message": {"text": text}}
        invocation["toolExecutionNotifications"] = [notification]
    return invocation


def _rules(diagnostics: Sequence[Diagnostic], pages: Mapping[str, RulePage | None]) -> list[dict[str, Any]]:
    first = {found.code: found for found in reversed(diagnostics)}
    return [_rule(found, pages[code]) for code, found in sorted(first.items())]


def _rule(found: Diagnostic, page: RulePage | None) -> dict[str, Any]:
    summary = page.summary if page else found.name.replace("-", " ")
    severity = page.severity if page else found.severity
    tags = ["jax", *([page.category] if page else [])][:MOST_TAGS]
    help = {"text": page.text, "markdown": page.markdown} if page else {"text": f"jaxlint rule {found.code}"}
    rule: dict[str, Any] = {
        "id": found.code,
        "name": _cut(found.name, LONGEST_NAME),
        "shortDescription": {"text": _cut(summary, LONGEST_DESCRIPTION)},
        "fullDescription": {"text": _cut(_plain(page.explanation) if page else summary, LONGEST_DESCRIPTION)},
        "help": help,
        "defaultConfiguration": {"level": _LEVELS[severity], "rank": _rank(severity, page)},
        "properties": {"tags": tags, "precision": "high", "problem.severity": _PROBLEMS[severity]},
    }
    if found.url:
        rule["helpUri"] = found.url
    return rule


def _rank(severity: Severity, page: RulePage | None) -> float:
    """From 0 to 100; a severity of the settings counts for more than the rule's category."""
    if page is None or page.severity is not severity:
        return _RANKS_BY_SEVERITY[severity]
    return _RANKS.get(page.category, _RANKS_BY_SEVERITY[severity])


def _plain(explanation: str) -> str:
    """Its sentences, without the headings."""
    parts = [part for part in explanation.split("\n\n") if part.strip()]
    rows = [" ".join(row for row in part.split("\n") if not row.startswith("#")) for part in parts]
    return "\n\n".join(row for row in rows if row)


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    kept = text[: most - 1]
    return (kept.rpartition(" ")[0] or kept) + "…"


def _result(
    found: Diagnostic, index: int, page: RulePage | None, fingerprint: str, context: Context
) -> dict[str, Any]:
    location = _location(found.filename, _region(found), context)
    text = found.message if found.help is None else f"{found.message}\nhelp: {found.help}"
    if found.cell is not None:
        name = f"cell {found.cell}"
        place = f"{name}:{found.span.row}:{found.span.column}"
        location["logicalLocations"] = [{"name": name, "fullyQualifiedName": place, "kind": "module"}]
    result: dict[str, Any] = {
        "ruleId": found.code,
        "ruleIndex": index,
        "level": _LEVELS[found.severity],
        "rank": _rank(found.severity, page),
        "message": {"text": text},
        "locations": [location],
        "partialFingerprints": {"jaxlintFingerprint/v1": fingerprint},
    }
    if found.observed is not None:
        result["properties"] = {"observed": found.observed}
    if found.related:
        steps = [
            _location(note.filename, _region(note), context, note.message)
            for note in found.related[: MOST_STEPS - 1]
        ]
        result["relatedLocations"] = [{**step, "id": number} for number, step in enumerate(steps)]
        end = _location(found.filename, _region(found), context, found.message)
        flow = [{"location": step} for step in [*steps, end]]
        result["codeFlows"] = [{"threadFlows": [{"locations": flow}]}]
    # The edits of a cell are not edits of the notebook's file.
    is_offered = found.fix is not None and found.fix.applicability != "displayonly" and found.cell is None
    if is_offered and found.fix is not None and found.fix.edits:
        result["fixes"] = [_fix(found, context)]
    return result


def _fix(found: Diagnostic, context: Context) -> dict[str, Any]:
    assert found.fix is not None
    replacements = [
        {"deletedRegion": _rows(edit.span), "insertedContent": {"text": edit.content}}
        for edit in found.fix.edits
    ]
    change = {"artifactLocation": _artifact(found.filename, context), "replacements": replacements}
    how = " (unsafe: it may change results)" if found.fix.applicability == "unsafe" else ""
    return {"description": {"text": found.fix.message + how}, "artifactChanges": [change]}


def _location(
    filename: str, region: dict[str, int], context: Context, message: str | None = None
) -> dict[str, Any]:
    physical = {"artifactLocation": _artifact(filename, context), "region": region}
    location: dict[str, Any] = {"physicalLocation": physical}
    if message is not None:
        location["message"] = {"text": message}
    return location


def _artifact(filename: str, context: Context) -> dict[str, str]:
    uri, is_relative = context.uri(filename)
    return {"uri": uri, "uriBaseId": "ROOT"} if is_relative else {"uri": uri}


def _region(found: Diagnostic | Note) -> dict[str, int]:
    return _rows(span_in_file(found))


def _rows(span: Span) -> dict[str, int]:
    return {
        "startLine": span.row,
        "startColumn": span.column,
        "endLine": span.end_row,
        "endColumn": span.end_column,
    }
