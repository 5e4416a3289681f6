"""Diagnostics and edits as the protocol has them.

In: what is told of a buffer. Out: diagnostics by the address of the document or cell that they are in, and
edits likewise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher

from lsprotocol import types
from pygls.uris import from_fs_path

from jaxlint.diagnostic import Diagnostic, Edit, Note, Severity, Span
from jaxlint.server.buffers import Buffer
from jaxlint.server.position import Encoding
from jaxlint.server.told import Told
from jaxlint.session.check import Check
from jaxlint.source.text import NEWLINE, Source

SOURCE = "jaxlint"
_ROW = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}


class Converter:
    """Converts for one client.

    Args:
        encoding: How it counts.
        buffers: What it has open, by path.
    """

    def __init__(self, encoding: Encoding, buffers: Mapping[str, Buffer]) -> None:
        self._encoding = encoding
        self._buffers = buffers
        self._sources: dict[tuple[str, int | None], Source | None] = {}

    def uri_of(self, path: str, cell: int | None = None) -> str:
        """The address of a file, or of a cell, as the client knows it."""
        buffer = self._buffers.get(path)
        if buffer is not None and cell is not None and 1 <= cell <= len(buffer.uris):
            return buffer.uris[cell - 1]
        if buffer is not None and not buffer.is_notebook:
            return buffer.uris[0]
        return from_fs_path(path) or path

    def diagnostics(self, buffer: Buffer, told: Told) -> dict[str, list[types.Diagnostic]]:
        """What is told of a buffer, for each of its documents."""
        found: dict[str, list[types.Diagnostic]] = {uri: [] for uri in buffer.uris}
        for each in told.diagnostics:
            uri = self.uri_of(buffer.path, each.cell)
            if uri in found:
                found[uri].append(self.diagnostic(each, told.check))
        return found

    def diagnostic(self, found: Diagnostic, check: Check) -> types.Diagnostic:
        tags = []
        if found.code == "JAX011":
            tags.append(types.DiagnosticTag.Unnecessary)
        if found.code.startswith("JAX9"):
            tags.append(types.DiagnosticTag.Deprecated)
        return types.Diagnostic(
            range=self._range(found.filename, found.cell, found.span, check),
            message=found.message if found.help is None else f"{found.message}\n{found.help}",
            severity=_SEVERITIES[found.severity],
            code=found.code,
            code_description=types.CodeDescription(found.url) if found.url else None,
            source=SOURCE,
            tags=tags or None,
            related_information=[self._related(note, check) for note in found.related] or None,
        )

    def edits(self, edits: Iterable[Edit], path: str, check: Check) -> dict[str, list[types.TextEdit]]:
        """The edits of a fix, for each document, with its newlines."""
        found: dict[str, list[types.TextEdit]] = {}
        for edit in edits:
            source = self._source(path, edit.cell, check)
            text = edit.content if source is None else NEWLINE.sub(source.newline, edit.content)
            made = types.TextEdit(self._encoding.range(source, edit.span), text)
            found.setdefault(self.uri_of(path, edit.cell), []).append(made)
        return found

    def changes(
        self, changes: Iterable[tuple[int | None, str, str]], path: str
    ) -> dict[str, list[types.TextEdit]]:
        """The rows that differ between texts before and after, for each document. A cell's text lacks the
        newline that its texts here end in."""
        found: dict[str, list[types.TextEdit]] = {}
        for cell, before, after in changes:
            if cell is not None:
                before, after = before.removesuffix("\n"), after.removesuffix("\n")
            source = Source.from_text(before)
            rows, others = _ROW.findall(before), _ROW.findall(after)
            edits = []
            for kind, start, end, other, last in SequenceMatcher(None, rows, others, False).get_opcodes():
                if kind != "equal":
                    begin = sum(map(len, rows[:start]))
                    span = source.span(begin, begin + sum(map(len, rows[start:end])))
                    edits.append(
                        types.TextEdit(self._encoding.range(source, span), "".join(others[other:last]))
                    )
            if edits:
                found[self.uri_of(path, cell)] = edits
        return found

    def contains(self, found: Diagnostic, check: Check, wanted: types.Range) -> bool:
        """Whether a range of the client touches a diagnostic."""
        own = self._range(found.filename, found.cell, found.span, check)
        return _order(own.start) <= _order(wanted.end) and _order(wanted.start) <= _order(own.end)

    def is_same(self, found: Diagnostic, check: Check, sent: types.Diagnostic) -> bool:
        """Whether a diagnostic that the client sends back is this one."""
        return (sent.source, sent.code) == (SOURCE, found.code) and (
            sent.range == self._range(found.filename, found.cell, found.span, check)
        )

    def _related(self, note: Note, check: Check) -> types.DiagnosticRelatedInformation:
        place = self._range(note.filename, note.cell, note.span, check)
        return types.DiagnosticRelatedInformation(
            types.Location(self.uri_of(note.filename, note.cell), place), note.message
        )

    def _range(self, path: str, cell: int | None, span: Span, check: Check) -> types.Range:
        return self._encoding.range(self._source(path, cell, check), span)

    def _source(self, path: str, cell: int | None, check: Check) -> Source | None:
        key = path, cell
        if key not in self._sources:
            document = check.document(path)
            text = None if document is None else document.text_of(cell)
            self._sources[key] = None if text is None else Source.from_text(text)
        return self._sources[key]


def _order(position: types.Position) -> tuple[int, int]:
    return position.line, position.character


def titled(found: Diagnostic) -> str:
    """What a menu says of a fix."""
    assert found.fix is not None
    unsafe = " (unsafe)" if found.fix.applicability != "safe" else ""
    return f"{SOURCE} ({found.code}): {found.fix.message}{unsafe}"
