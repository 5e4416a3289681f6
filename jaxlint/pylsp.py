"""jaxlint in python-lsp-server: what is told of the open text, and what can be done about it.

In: the calls of python-lsp-server, with its documents and settings. Out: diagnostics and code actions in the
JSON of the protocol. It looks as jaxlint's own server does; what does not parse is left to the other plugins.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from typing import Any

from lsprotocol import converters, types
from pylsp import hookimpl

from jaxlint.project.option import SettingsError
from jaxlint.server.action import FIX_ALL, computed, fix_all, quick_fixes, wants
from jaxlint.server.buffers import Buffer, path_of
from jaxlint.server.convert import SOURCE, Converter
from jaxlint.server.option import Options
from jaxlint.server.position import Encoding
from jaxlint.server.told import Teller
from jaxlint.source.text import as_bytes

_OWN = frozenset(("JAX001", "JAX002"))
_JSON = converters.get_converter()

_lock = threading.Lock()  # texts are linted in a thread of their own
_tellers: dict[str, Teller] = {}


@hookimpl
def pylsp_settings() -> dict[str, Any]:
    """The settings below `pylsp` that there are: those of jaxlint's server."""
    return {"plugins": {SOURCE: {"enabled": True}}}


@hookimpl
def pylsp_lint(config: Any, workspace: Any, document: Any) -> list[dict[str, Any]]:
    """The diagnostics of a document."""
    with _lock:
        try:
            found = _Look(config, workspace, document).diagnostics()
        except SettingsError as error:
            workspace.show_message(f"jaxlint: {error}", types.MessageType.Warning.value)
            return []
    return [_JSON.unstructure(each, types.Diagnostic) for each in found]


@hookimpl
def pylsp_code_actions(
    config: Any, workspace: Any, document: Any, range: dict[str, Any], context: dict[str, Any]
) -> list[dict[str, Any]]:
    """The fixes and ignores of the findings in a range."""
    with _lock:
        try:
            look = _Look(config, workspace, document)
            wanted = _JSON.structure(range, types.Range)
            named = _JSON.structure(context.get("diagnostics") or [], list[types.Diagnostic])
            found = [*look.actions(wanted, context.get("only") or (), named)]
        except SettingsError:
            return []
    return [_JSON.unstructure(each, types.CodeAction) for each in found]


class _Look:
    """The open documents of a workspace, and what is told of one of them."""

    def __init__(self, config: Any, workspace: Any, document: Any) -> None:
        self._options, _ = Options.read(config.plugin_settings(SOURCE, document_path=document.path))
        root = os.path.realpath(workspace.root_path or os.getcwd())
        self._buffers = {}
        self._path = ""  # of a cell of a notebook, or of what is closed by now, there is nothing to tell
        for uri, each in list(workspace.documents.items()):
            text = getattr(each, "source", None)  # notebooks have none
            if isinstance(text, str) and not hasattr(each, "notebook_uri"):
                # The text of a whole notebook goes by a random name.
                path = path_of(uri, root) or os.path.join(root, f"{uri}.py")
                self._buffers[path] = Buffer(path, as_bytes(text), (uri,), (each.version,))
                if uri == document.uri:
                    self._path = path
        self._uri = document.uri
        self._texts = {path: buffer.data for path, buffer in self._buffers.items()}
        self._teller = _tellers.setdefault(root, Teller(root, lambda: True))
        self._told = self._teller.told(self._texts, self._options).get(self._path)
        self._converter = Converter(Encoding(types.PositionEncodingKind.Utf16), self._buffers)

    def diagnostics(self) -> list[types.Diagnostic]:
        if self._told is None:
            return []
        found = self._converter.diagnostics(self._buffers[self._path], self._told)[self._uri]
        return [each for each in found if each.code not in _OWN]

    def actions(
        self, wanted: types.Range, only: Any, context: list[types.Diagnostic]
    ) -> Iterator[types.CodeAction]:
        if self._told is None:
            return
        buffer = self._buffers[self._path]
        found: list[types.CodeAction] = []
        if wants("quickfix", only):
            found += quick_fixes(
                buffer, self._told, self._uri, wanted, self._converter, context, self._options.ignoreComments
            )
        if wants(FIX_ALL, only) and any(each.fix for each in self._told.diagnostics):
            found.append(fix_all(buffer, self._options))
        for action in found:
            if action.edit is None and action.data is not None:
                check = self._teller.check_of(self._path, self._texts, self._options)
                if check is None:
                    continue
                action.edit = computed(action.data, check, self._converter)
                action.data = None
            yield action
