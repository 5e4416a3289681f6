"""Findings as a record of the store, and back.

In: diagnostics and the key that they are kept under, or a record. Out: the other. A record says what it is
the record of, so that one that is damaged, or another's, is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from jaxlint.diagnostic import APPLICABILITIES, Diagnostic, Edit, Fix, Note, Severity, Span


def is_kept(found: Iterable[Diagnostic]) -> bool:
    """Whether these may be told again without a new run: a failure of jaxlint's own may not come again."""
    return all(diagnostic.code != "JAX003" for diagnostic in found)


def written(found: Sequence[Diagnostic], key: str) -> dict[str, Any]:
    """A record of findings, which says what it is the record of."""
    return {"key": key, "found": [_row(diagnostic) for diagnostic in found]}


def _row(found: Diagnostic) -> list[Any]:
    fix = found.fix
    return [
        found.filename,
        _places(found.span),
        found.code,
        found.name,
        found.severity.value,
        found.message,
        found.help,
        fix and [fix.applicability, fix.message, [[*_places(edit.span), edit.content] for edit in fix.edits]],
        [[note.filename, *_places(note.span), note.message] for note in found.related],
        found.cell,
        found.noqa_row,
        found.url,
        found.label,
    ]


def _places(span: Span) -> list[int]:
    return [span.row, span.column, span.end_row, span.end_column]


def read(record: Any, key: str) -> list[Diagnostic] | None:
    """The findings of a record; None where it is damaged, or another's."""
    try:
        return [_diagnostic(row) for row in record["found"]] if record["key"] == key else None
    except Exception:  # a record may hold anything
        return None


def _require(kind: type, *rows: Iterable[Any]) -> None:
    """Raises ValueError where something is of another type: what a record holds is compared and written."""
    if any(type(each) is not kind for row in rows for each in row):
        raise ValueError(kind)


def _diagnostic(row: list[Any]) -> Diagnostic:
    filename, span, code, name, severity, message, help, fix, related, cell, noqa_row, url, label = row
    made = None
    if fix is not None:
        applicability, said, edits = fix
        if applicability not in APPLICABILITIES:
            raise ValueError(applicability)
        made = Fix(applicability, said, tuple(Edit(Span(*edit[:4]), edit[4]) for edit in edits))
    edits = [] if made is None else made.edits
    texts = [filename, code, name, message, *(text for text in (help, url, label) if text is not None)]
    _require(str, texts, (each.content for each in edits), (text for note in related for text in note[::5]))
    numbers = [*span, noqa_row, *([] if cell is None else [cell])]
    _require(int, numbers, *(_places(each.span) for each in edits), *(note[1:5] for note in related))
    notes = tuple(Note(note[0], Span(*note[1:5]), note[5]) for note in related)
    return Diagnostic(
        filename,
        Span(*span),
        code,
        name,
        Severity(severity),
        message,
        help,
        made,
        notes,
        cell,
        noqa_row,
        url,
        label,
    )
