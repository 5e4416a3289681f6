"""What the server answers: each request of the protocol and what is done for it."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from typing import Any

from lsprotocol import types

from jaxlint._version import __version__
from jaxlint.report.ignores import named_in_comment
from jaxlint.rule.registry import registry
from jaxlint.server.action import FIX_ALL, NOTEBOOK_FIX_ALL, computed, fix_all, quick_fixes, wants
from jaxlint.server.app import WATCHED, Server
from jaxlint.server.convert import SOURCE
from jaxlint.server.documents import Documents
from jaxlint.server.option import Options
from jaxlint.source.text import Source


def server(options: Options | None = None) -> Server:
    """A server, with what it answers. `options`: what counts where a client sets nothing else."""
    ls = Server(options or Options())
    _answer_for_workspace(ls)
    _answer_with_diagnostics(ls)
    _answer_with_actions(ls)
    _answer_at_places(ls)
    _answer_to_commands(ls)
    return ls


def _answer_for_workspace(ls: Server) -> None:
    """The life of the server, its options, and what tells it that something has changed."""

    @ls.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        ls.protocol._workspace = Documents.like(ls.workspace)
        ls.take_options(params.initialization_options)

    @ls.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        await ls.ask_options()
        workspace = ls.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace is not None else None
        if watched is not None and watched.dynamic_registration:
            options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(WATCHED)])
            registration = types.Registration(
                "jaxlint/watch", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options
            )
            await ls.client_register_capability_async(types.RegistrationParams([registration]))
        ls.changed(0)

    def changed(params: Any) -> None:
        ls.changed()

    def opened(params: Any) -> None:
        ls.changed(0)

    for method in (types.TEXT_DOCUMENT_DID_CHANGE, types.NOTEBOOK_DOCUMENT_DID_CHANGE):
        ls.feature(method)(changed)
    for method in (
        types.TEXT_DOCUMENT_DID_OPEN,
        types.TEXT_DOCUMENT_DID_CLOSE,
        types.TEXT_DOCUMENT_DID_SAVE,
        types.NOTEBOOK_DOCUMENT_DID_OPEN,
        types.NOTEBOOK_DOCUMENT_DID_CLOSE,
        types.NOTEBOOK_DOCUMENT_DID_SAVE,
        types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
        types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
    ):
        ls.feature(method)(opened)

    @ls.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configured(params: types.DidChangeConfigurationParams) -> None:
        if params.settings:
            ls.take_options(params.settings)
        await ls.ask_options()
        ls.changed(0)

    @ls.feature(types.SHUTDOWN)
    def shutdown(params: Any) -> None:
        ls.end()

    @ls.feature(types.EXIT)
    def exit(params: Any) -> None:
        ls.status = 0 if ls.protocol._shutdown else 1


def _answer_with_diagnostics(ls: Server) -> None:
    @ls.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier=SOURCE),
    )
    async def diagnostic(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        await ls.settled()
        found = ls.shown(params.text_document.uri)
        result = _identifier(found)
        if params.previous_result_id == result:
            return types.RelatedUnchangedDocumentDiagnosticReport(result)
        return types.RelatedFullDocumentDiagnosticReport(found, result_id=result)


def _answer_with_actions(ls: Server) -> None:
    kinds = [types.CodeActionKind.QuickFix, FIX_ALL, NOTEBOOK_FIX_ALL]

    @ls.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(kinds, resolve_provider=True))
    async def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        await ls.settled()
        found = ls.buffer_of(params.text_document.uri)
        if found is None:
            return []
        buffer, told = found
        only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
        converter, uri = ls.converter, params.text_document.uri
        actions: list[types.CodeAction] = []
        if wants("quickfix", only):
            context = params.context.diagnostics
            actions += await ls.in_thread(
                lambda: [
                    *quick_fixes(
                        buffer, told, uri, params.range, converter, context, ls.options.ignoreComments
                    )
                ]
            )
        if (
            wants(FIX_ALL, only)
            and ls.options.fixAll
            and (only or any(each.fix for each in told.diagnostics))
        ):
            actions.append(fix_all(buffer, ls.options))
        if buffer.is_notebook and ls.options.fixAll and only and wants(NOTEBOOK_FIX_ALL, only):
            actions.append(fix_all(buffer, ls.options, NOTEBOOK_FIX_ALL))
        if not _resolves(ls):
            actions = [await resolved(ls, each) for each in actions]
        return actions

    @ls.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(action: types.CodeAction) -> types.CodeAction:
        return await resolved(ls, action)


async def resolved(ls: Server, action: types.CodeAction) -> types.CodeAction:
    """A code action with its edits."""
    data = action.data
    if action.edit is not None or not isinstance(data, Mapping) or not isinstance(data.get("path"), str):
        return action
    check = await ls.check_of(data["path"])
    await ls.settled()
    converter = ls.converter
    if check is not None:
        action.edit = await ls.in_thread(lambda: computed(data, check, converter))
    return action


def _answer_at_places(ls: Server) -> None:
    @ls.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        from jaxlint.confirm.rule_page import markdown

        await ls.settled()
        found = ls.buffer_of(params.text_document.uri)
        if found is None:
            return None
        buffer, told = found
        rules = registry(told.check.project.settings.plugins)
        source = Source.from_text(ls.workspace.get_text_document(params.text_document.uri).source)
        named = named_in_comment(source, *ls.encoding.place(source, params.position))
        if named is not None:
            name, span = named
            entry = rules.by_code.get(name) or rules.by_name.get(name)
            if entry is not None:
                page = types.MarkupContent(types.MarkupKind.Markdown, markdown(entry))
                return types.Hover(page, ls.encoding.range(source, span))
        at = types.Range(params.position, params.position)
        for each in told.diagnostics:
            own = ls.converter.uri_of(buffer.path, each.cell) == params.text_document.uri
            if own and ls.converter.contains(each, told.check, at):
                page = types.MarkupContent(types.MarkupKind.Markdown, markdown(rules.entry(each.code)))
                return types.Hover(page, ls.converter.diagnostic(each, told.check).range)
        return None

    @ls.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hint(params: types.InlayHintParams) -> list[types.InlayHint]:
        await ls.settled()
        found = ls.buffer_of(params.text_document.uri)
        if not ls.options.traceHints or found is None:
            return []
        buffer, told = found
        hints = []
        for row, cell, text in await ls.hints_of(buffer.path):
            document = told.check.document(buffer.path)
            if document is not None and ls.converter.uri_of(buffer.path, cell) == params.text_document.uri:
                rows = (document.text_of(cell) or "").split("\n")
                line = rows[row - 1].rstrip("\r") if row <= len(rows) else ""
                place = types.Position(row - 1, ls.encoding.units(line))
                if params.range.start.line <= place.line <= params.range.end.line:
                    hints.append(types.InlayHint(place, text, padding_left=True))
        return hints


def _answer_to_commands(ls: Server) -> None:
    """For clients that offer commands and no code actions; named and called as Ruff's are."""

    @ls.command("jaxlint.applyAutofix")
    async def apply_autofix(document: types.TextDocumentIdentifier) -> None:
        await ls.settled()
        found = ls.buffer_of(document.uri)
        if found is None:
            return
        action = await resolved(ls, fix_all(found[0], ls.options))
        if action.edit is not None:
            ls.workspace_apply_edit(types.ApplyWorkspaceEditParams(action.edit, action.title))

    @ls.command("jaxlint.printDebugInformation")
    def print_debug_information() -> str:
        told = [f"jaxlint {__version__}, Python {platform.python_version()}: {sys.executable}"]
        told += [f"root: {ls._root}", f"positions: {ls.encoding.kind}", f"options: {ls.options}"]
        told += [f"open: {path}: {len(each.diagnostics)} findings" for path, each in ls._told.items()]
        text = "\n".join(told)
        ls.window_log_message(types.LogMessageParams(types.MessageType.Info, text))
        return text


def _resolves(ls: Server) -> bool:
    """Whether the client asks for the edits of an action later."""
    capabilities = ls.client_capabilities.text_document
    action = None if capabilities is None else capabilities.code_action
    support = None if action is None else action.resolve_support
    return support is not None and "edit" in support.properties


def _identifier(found: list[types.Diagnostic]) -> str:
    from jaxlint.session.fingerprints import digest

    return digest(repr(found).encode("utf-8", "surrogatepass"))
