"""What a client can do about findings: fixes, all fixes of a rule or of a file, comments that ignore.

In: what is told of a buffer, and what the client asks for. Out: code actions. Those that need another look at
the file carry what they are, and get their edits when the client resolves them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from lsprotocol import types

from jaxlint.diagnostic import Diagnostic
from jaxlint.ir.document import changes
from jaxlint.report.suppression import FAILURES, NAMES, add_ignores
from jaxlint.server.buffers import Buffer
from jaxlint.server.convert import Converter, titled
from jaxlint.server.option import Options
from jaxlint.server.told import Told
from jaxlint.session.check import Check

FIX_ALL = "source.fixAll.jaxlint"
NOTEBOOK_FIX_ALL = "notebook.source.fixAll.jaxlint"
"""The kind by which VS Code asks for the actions of a notebook as a whole."""

Edits = Mapping[str, Sequence[types.TextEdit]]
Kinds = Collection[str] | None


def wants(kind: str, only: Kinds) -> bool:
    """Whether a client that asks for some kinds of actions asks for this one."""
    return not only or any(kind == each or kind.startswith(f"{each}.") for each in only)


def quick_fixes(
    buffer: Buffer,
    told: Told,
    uri: str,
    wanted: types.Range,
    converter: Converter,
    context: Collection[types.Diagnostic] = (),
    ignores: bool = True,
) -> Iterator[types.CodeAction]:
    """The fixes and ignores of the findings that a range of a document touches, and of those that the client
    names as its context: some send an empty range at the cursor, with all that the line has. `ignores`:
    whether comments that ignore a finding are offered."""
    here = [
        found
        for found in told.diagnostics
        if converter.uri_of(buffer.path, found.cell) == uri
        and (
            converter.contains(found, told.check, wanted)
            or any(converter.is_same(found, told.check, each) for each in context)
        )
    ]
    kind = types.CodeActionKind.QuickFix
    for found in here:
        if found.fix is not None and found.fix.edits:
            yield types.CodeAction(
                titled(found),
                kind,
                [converter.diagnostic(found, told.check)],
                found.fix.applicability == "safe",
                edit=_edit(converter.edits(found.fix.edits, buffer.path, told.check)),
            )
    for found in here if ignores else ():
        if found.code not in FAILURES and found.code not in NAMES:
            yield types.CodeAction(
                f"jaxlint ({found.code}): ignore here",
                kind,
                [converter.diagnostic(found, told.check)],
                edit=_edit(ignoring(buffer, told.check, found, converter)),
            )
    codes = sorted(
        {found.code for found in here if found.fix is not None and found.fix.applicability == "safe"}
    )
    for code in codes:
        data = {"path": buffer.path, "codes": [code], "unsafe": False}
        yield types.CodeAction(f"jaxlint: fix all {code} in this file", kind, data=data)


def fix_all(buffer: Buffer, options: Options, kind: str = FIX_ALL) -> types.CodeAction:
    """All fixes of a file, as editors run them on save."""
    data = {"path": buffer.path, "codes": None, "unsafe": options.unsafeFixes}
    return types.CodeAction("jaxlint: fix all", kind, data=data)


def computed(data: Mapping[str, Any], check: Check, converter: Converter) -> types.WorkspaceEdit:
    """The edits of an action that needs another look."""
    codes = data.get("codes")
    files, _ = check.fixed(bool(data.get("unsafe")), None if codes is None else frozenset(codes))
    found: dict[str, list[types.TextEdit]] = {}
    for file in files:
        found |= converter.changes(file.changes(), file.path)
    return _edit(found)


def ignoring(buffer: Buffer, check: Check, found: Diagnostic, converter: Converter) -> Edits:
    """The comment that ignores a finding, as `--add-ignore` writes it."""
    document = check.document(buffer.path)
    same = next((each for each in check.matched.new if _is_same(each, found, check)), None)
    if document is None or same is None:
        return {}
    text = add_ignores(document.source.text, [same], plain=document.plain)
    return converter.changes(changes(document.source, text), buffer.path)


def _is_same(each: Diagnostic, found: Diagnostic, check: Check) -> bool:
    """Whether a diagnostic by the rows of the whole text is one by the rows of cells."""
    document = check.document(each.filename)
    cell, row = (None, each.span.row) if document is None else document.cell_of(each.span.row)
    return (each.filename, each.code, cell, row, each.span.column) == (
        found.filename,
        found.code,
        found.cell,
        found.span.row,
        found.span.column,
    )


def _edit(edits: Edits) -> types.WorkspaceEdit:
    return types.WorkspaceEdit(changes={uri: [*each] for uri, each in edits.items()})
