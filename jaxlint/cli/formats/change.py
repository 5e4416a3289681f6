"""The rows that a fix changes, before and after.

In: a text and a fix. Out: hunks as in a unified diff: the rows taken away, those added, and unchanged ones
around and between them. Only rows near an edit are compared, so that the cost does not grow with the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher

from jaxlint.diagnostic import Edit, Fix, Span
from jaxlint.fixes.apply import apply_fixes
from jaxlint.source.text import Source

Row = tuple[int, str, str]
"""Its number in the text that it is of; `-`, `+` or a space; the row."""


def hunks_of(before: Source, fix: Fix, around: int, between: int, cell: int | None = None) -> list[list[Row]]:
    """The hunks of a fix, none where it changes nothing, or more than the text.

    Args:
        around: How many unchanged rows are shown before and after a change.
        between: Two changes with at most so many unchanged rows between them are in one hunk; at least twice
            `around`.
        cell: Whose text it is, in a notebook.
    """
    if any(edit.cell != cell for edit in fix.edits):
        return []
    hunks: list[list[Row]] = []
    shift = 0
    for group in _groups(fix, between):
        first, last = group[0].span.row, max(edit.span.end_row for edit in group)
        if last > before.row_count:  # the file is no longer what was analysed
            return []
        first, last = max(1, first - around), min(before.row_count, last + around)
        old = [before.line(row) for row in range(first, last + 1)]
        part = Source("\n".join(old))
        moved = tuple(_moved(edit, first - 1) for edit in group)
        changed = Source.from_text(apply_fixes(part.text, [replace(fix, edits=moved)])[0])
        new = [changed.line(row + 1) for row in range(changed.row_count)]
        rows = list(_compared(old, new, first, first + shift))
        if last == before.row_count and rows[-1][1:] == (" ", ""):
            rows.pop()  # a final newline opens no row
        hunks += _cut(rows, around, between)
        shift += len(new) - len(old)
    return hunks


def _cut(rows: list[Row], around: int, between: int) -> Iterator[list[Row]]:
    changed = [number for number, (_, sign, _) in enumerate(rows) if sign != " "]
    begin = 0
    for place, number in enumerate(changed):
        is_last = place + 1 == len(changed)
        if is_last or changed[place + 1] - number - 1 > between:
            yield rows[max(0, changed[begin] - around) : number + 1 + around]
            begin = place + 1


def _groups(fix: Fix, between: int) -> Iterator[list[Edit]]:
    """The edits in the order of the text; those with more unchanged rows between them are apart."""
    group: list[Edit] = []
    last = 0
    for edit in sorted(fix.edits, key=lambda edit: edit.span):
        if group and edit.span.row - last - 1 > between:
            yield group
            group = []
        group.append(edit)
        last = max(last, edit.span.end_row)
    if group:
        yield group


def _moved(edit: Edit, rows: int) -> Edit:
    span = edit.span
    return replace(edit, span=Span(span.row - rows, span.column, span.end_row - rows, span.end_column))


def _compared(old: list[str], new: list[str], first_old: int, first_new: int) -> Iterator[Row]:
    for kind, first, last, begin, end in SequenceMatcher(None, old, new, False).get_opcodes():
        if kind == "equal":
            yield from ((first_new + row, " ", new[row]) for row in range(begin, end))
        else:
            yield from ((first_old + row, "-", old[row]) for row in range(first, last))
            yield from ((first_new + row, "+", new[row]) for row in range(begin, end))
