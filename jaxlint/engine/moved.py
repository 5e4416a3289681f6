"""Findings of an earlier run in texts that have changed since, around them.

In: the texts that findings speak of, as they were and as they are. Out: the same findings at the rows where
what they speak of is now; None where it is no longer there, or where a fix might have to be another one.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from jaxlint.diagnostic import Diagnostic, Edit, Fix, Span
from jaxlint.engine.change import Change
from jaxlint.engine.spelling import USUAL


class Moved:
    """The way from earlier texts of files to those of now."""

    def __init__(
        self, data: Mapping[str, bytes], texts: Mapping[str, bytes], changes: Mapping[str, Change]
    ) -> None:
        self.shifts = {
            path: _Shift(texts[path], data[path], change) for path, change in changes.items() if path in texts
        }
        self.changes = changes

    def all(self, found: Iterable[Diagnostic]) -> list[Diagnostic] | None:
        try:
            return [self._diagnostic(each) for each in found]
        except LookupError:
            return None

    def _diagnostic(self, found: Diagnostic) -> Diagnostic:
        shift = self.shifts.get(found.filename)
        related = tuple(
            replace(note, span=self.shifts[note.filename].span(note.span))
            if note.filename in self.shifts
            else note
            for note in found.related
        )
        if shift is not None and not shift.is_apart:
            raise LookupError(found)
        if shift is not None and not self.changes[found.filename].lost.isdisjoint(shift.telling):
            raise LookupError(found)  # it may have a fix now, or another one
        if shift is None:
            return found if related == found.related else replace(found, related=related)
        return replace(
            found,
            span=shift.span(found.span),
            fix=None if found.fix is None else self._fix(found.filename, found.span, found.fix, shift),
            related=related,
            noqa_row=shift.row(found.noqa_row) if found.noqa_row else 0,
        )

    def _fix(self, path: str, span: Span, fix: Fix, shift: _Shift) -> Fix:
        """A fix may choose names that are free, and import what is not there."""
        pieces = [each for each in self.changes[path].pieces if each[0] <= span.row <= each[1]]
        first, last = min(pieces, key=lambda each: each[1] - each[0], default=(1, shift.tail))
        if shift.head <= last and first <= shift.tail + 1:
            raise LookupError(path)  # a fix may look at comments around
        if not shift.keeps_imports and any(edit.span.end_row != span.end_row for edit in fix.edits):
            raise LookupError(path)  # where an import goes may hang on what has changed
        words = set(re.findall(r"\w+", " ".join(edit.content for edit in fix.edits)))
        free = {word for word in words if re.sub(r"_\d+$", "", word) in self.changes[path].lost}
        if free or not words.isdisjoint(self.changes[path].bound):
            raise LookupError(path)
        return replace(fix, edits=tuple(Edit(shift.span(edit.span), edit.content) for edit in fix.edits))


_TELLING = frozenset((*USUAL.values(), *dir(builtins)))  # what fixes may spell
_SAYS_NOTHING = re.compile(rb"\s*(#.*|\w+\s*=\s*[^\\\"'(\[{]*)?$")  # blank, a comment, a constant


def _is_apart(rows: Sequence[bytes], first: int, last: int, apart: Sequence[tuple[int, int]]) -> bool:
    """Whether some rows say nothing, or are among those that are apart."""
    return all(
        _SAYS_NOTHING.match(rows[each]) or any(row <= each + 1 <= end for row, end in apart)
        for each in range(first, last)
    )


class _Shift:
    """What became of the rows of a text: those before the first and behind the last that has changed.

    is_apart: whether what has changed is blanks, comments, constants and functions that only one of the two
    has, or in one function that differs: elsewhere it may be what a message speaks of, spelled in another
    way. keeps_imports: whether nothing has changed between the imports of the module, and no statement before
    them.
    """

    def __init__(self, before: bytes, now: bytes, change: Change) -> None:
        old, new = before.splitlines(keepends=True), now.splitlines(keepends=True)
        most = min(len(old), len(new))
        self.head = next((row for row in range(most) if old[row] != new[row]), most)
        most -= self.head
        tail = next((row for row in range(most) if old[-1 - row] != new[-1 - row]), most)
        self.tail = len(old) - tail
        self.by = len(new) - len(old)
        inside = any(first <= self.head + 1 and self.tail <= last for first, last in change.rows)
        added = [(each.row, each.last) for each in change.added]
        self.is_apart = inside or (
            _is_apart(old, self.head, self.tail, change.rows)
            and _is_apart(new, self.head, len(new) - tail, added)
        )
        self.telling = _TELLING | change.imported
        above, last = change.imports or (-1, len(old) + 1)
        self.keeps_imports = inside or self.head >= last or (self.tail <= above and not change.names)

    def row(self, row: int) -> int:
        """Raises: LookupError: The row is among those that have changed."""
        if row <= self.head:
            return row
        if row > self.tail:
            return row + self.by
        raise LookupError(row)

    def span(self, span: Span) -> Span:
        row, last = self.row(span.row), self.row(span.end_row)
        if span.start == span.end and span.column == 1 and self.head <= span.row - 1 <= self.tail:
            raise LookupError(span)  # behind the row before it, or before its own
        if last - row != span.end_row - span.row:
            raise LookupError(span)
        return Span(row, span.column, last, span.end_column)
