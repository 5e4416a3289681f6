"""The server: what a client asks and tells, and what it is told.

In: a client at standard input. Out: diagnostics, pushed, or pulled where the client does that; code actions,
hovers, hints. One thread looks at the files; requests never wait for a look that is out of date, and a newer
edit makes an older look's result unused.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException, PyglsError
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from jaxlint._version import __version__
from jaxlint.failure import in_a_line
from jaxlint.project.option import SettingsError
from jaxlint.server.buffers import Buffer, buffers_of, root_of
from jaxlint.server.convert import SOURCE, Converter
from jaxlint.server.documents import SYNC
from jaxlint.server.option import Options
from jaxlint.server.position import Encoding
from jaxlint.server.told import Superseded, Teller, Told

WAIT = 0.1  # seconds of silence after an edit before the files are looked at, at most
SHARE = 4  # and no longer than the last look took, over this: a short look is worth no long wait
PATIENCE = 5.0  # seconds after which a look ends although the text has changed
WATCHED = "**/{*.py,*.pyi,*.ipynb,pyproject.toml,jaxlint.toml,.jaxlint.toml}"

Found = TypeVar("Found")


class _Protocol(LanguageServerProtocol):
    """Answers requests that make no sense, or come at the wrong time, too: a client waits for an answer."""

    def handle_message(self, message: Any) -> None:
        method = getattr(message, "method", None)
        error = None if method in (None, types.EXIT) else self._untimely(method)
        if error is None:
            super().handle_message(message)
        elif getattr(message, "id", None) is not None:
            self._send_response(message.id, error=error)

    def _untimely(self, method: str) -> types.ResponseError | None:
        """What is wrong with a message where it comes before or after the time when there is a client."""
        if self._shutdown:
            return types.ResponseError(types.ErrorCodes.InvalidRequest, "the server has been shut down")
        if (method == types.INITIALIZE) == (self._workspace is None):
            return None
        if self._workspace is None:
            return types.ResponseError(types.ErrorCodes.ServerNotInitialized, "`initialize` comes first")
        return types.ResponseError(types.ErrorCodes.InvalidRequest, "`initialize` comes only once")

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" in data and isinstance(data.get("id"), int | str):
                self._send_response(data["id"], error=error.to_response_error())
            raise


class Server(LanguageServer):
    """The server of one client."""

    def __init__(self, options: Options) -> None:
        cells = types.NotebookDocumentFilterWithCells(
            notebook="jupyter-notebook", cells=[types.NotebookCellLanguage(language="python")]
        )
        super().__init__(
            SOURCE,
            __version__,
            text_document_sync_kind=SYNC,
            notebook_document_sync=types.NotebookDocumentSyncOptions([cells], save=True),
            protocol_cls=_Protocol,
        )
        self.options = self._given = options
        self.status = 0  # with which the process ends
        self._thread = ThreadPoolExecutor(1, "jaxlint")
        self._start = os.getcwd()
        self._teller = Teller(self._start, self._is_wanted)
        self._edits = 0  # how many changes there were
        self._looked = -1  # how many there were before the last look
        self._looking = -1  # the same of the look that goes on
        self._ended = 0.0  # when the last one ended
        self._took = WAIT * SHARE  # seconds
        self._look: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._settled = asyncio.Event()
        self._buffers: dict[str, Buffer] = {}  # of the last look
        self._told: dict[str, Told] = {}
        self._shown: dict[str, list[types.Diagnostic]] = {}  # by address
        self._said: set[str] = set()
        self._wrong: list[str] = []  # with settings, at the last look

    # ---- what is the case

    @property
    def encoding(self) -> Encoding:
        return Encoding(self.workspace.position_encoding)

    @property
    def converter(self) -> Converter:
        return Converter(self.encoding, self._buffers)

    @property
    def _root(self) -> str:
        return root_of(self.workspace, self._start)

    @property
    def is_pulled(self) -> bool:
        """Whether the client asks for diagnostics of documents itself."""
        capabilities = self.client_capabilities.text_document
        return capabilities is not None and capabilities.diagnostic is not None

    def buffer_of(self, uri: str) -> tuple[Buffer, Told] | None:
        """The buffer that a document is of, and what is told of it."""
        for path, buffer in self._buffers.items():
            if uri in buffer.uris and path in self._told:
                return buffer, self._told[path]
        return None

    def texts(self) -> dict[str, bytes]:
        return {path: buffer.data for path, buffer in buffers_of(self.workspace, self._root).items()}

    # ---- looking

    def changed(self, wait: float | None = None) -> None:
        """Something is no longer as it was.

        Args:
            wait: Seconds until it is looked at, unless something else changes before.
        """
        wait = min(WAIT, self._took / SHARE) if wait is None else wait
        self._edits += 1
        self._settled.clear()
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(wait, self._begin)

    def _begin(self) -> None:
        self._timer = None
        if self._look is None or self._look.done():
            self._look = asyncio.get_running_loop().create_task(self._look_around())

    async def settled(self) -> None:
        """Waits for a look that came after the last change."""
        if self._looked != self._edits:
            if self._timer is not None:
                self._timer.cancel()
            self._begin()
        await self._settled.wait()

    def _is_wanted(self) -> bool:
        """Whether the look that goes on is to end: one of a text that has changed since only where the client
        has been told nothing for long."""
        return self._looking in (-1, self._edits) or time.monotonic() - self._ended > PATIENCE

    async def in_thread(self, work: Callable[[], Found]) -> Found:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def _look_around(self) -> None:
        progress = await self._progress() if self._looked < 0 else None
        while self._looked != self._edits:
            edits, begin = self._edits, time.monotonic()
            buffers = buffers_of(self.workspace, self._root)
            try:
                wrong: list[str] = []
                told = await self.in_thread(partial(self._tell, buffers, self.options, edits, wrong))
                self._took = time.monotonic() - begin
                self._warn(wrong)
                await self._take(buffers, told)
            except Superseded:
                if self._timer is not None:
                    break  # the client is still typing
                continue
            except (SettingsError, OSError) as error:
                self._warn([str(error)])
            except Exception as error:
                self.say(f"internal error: {in_a_line(error)} (please report it)")
            self._looked, self._ended = edits, time.monotonic()
            if edits != self._edits and self._timer is not None:
                break
        if progress is not None:
            self.work_done_progress.end(progress, types.WorkDoneProgressEnd())
        if self._looked == self._edits:
            self._settled.set()

    def _tell(
        self, buffers: Mapping[str, Buffer], options: Options, edits: int, wrong: list[str]
    ) -> dict[str, Told]:
        """One look, in the thread."""
        self._looking = edits
        try:
            return self._teller.told({path: buffer.data for path, buffer in buffers.items()}, options, wrong)
        finally:
            self._looking = -1

    async def _take(self, buffers: dict[str, Buffer], told: dict[str, Told]) -> None:
        """What was found becomes what is told, but for documents that are another text by now."""
        self._buffers, self._told = buffers, told
        converter = self.converter
        shown: dict[str, list[types.Diagnostic]] = {}

        def convert() -> None:
            for path, each in told.items():
                shown.update(converter.diagnostics(buffers[path], each))

        await self.in_thread(convert)
        now = buffers_of(self.workspace, self._root)
        before, self._shown = self._shown, shown
        if self.is_pulled:
            self._refresh(before, shown)
        for path, buffer in buffers.items():
            is_pushed = buffer.is_notebook or not self.is_pulled
            if is_pushed and path in now and now[path].versions == buffer.versions:
                for uri, version in zip(buffer.uris, buffer.versions, strict=True):
                    self._publish(uri, shown.get(uri, []), version)
        for uri in before.keys() - shown.keys():
            self._publish(uri, [])
        for each in told.values():
            for found in each.diagnostics:
                if found.code == "JAX003":
                    self.say(f"{os.path.basename(found.filename)}: {found.message}")

    def _publish(self, uri: str, found: list[types.Diagnostic], version: int | None = None) -> None:
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))

    def _refresh(
        self, before: Mapping[str, list[types.Diagnostic]], now: Mapping[str, list[types.Diagnostic]]
    ) -> None:
        """Has the client pull again where something else is told of a document."""
        workspace = self.client_capabilities.workspace
        can = (
            workspace is not None
            and workspace.diagnostics is not None
            and workspace.diagnostics.refresh_support
        )
        if can and before != now:
            self.workspace_diagnostic_refresh(None)

    def shown(self, uri: str) -> list[types.Diagnostic]:
        return self._shown.get(uri, [])

    async def _progress(self) -> str | None:
        """Tells the client that its files are looked at for the first time, if it wants to know."""
        window = self.client_capabilities.window
        if window is None or not window.work_done_progress:
            return None
        token = "jaxlint/first"
        try:
            await self.work_done_progress.create_async(token)
        except (PyglsError, asyncio.CancelledError):
            return None
        self.work_done_progress.begin(token, types.WorkDoneProgressBegin("jaxlint: analyzing"))
        return token

    # ---- talking

    def say(self, text: str, kind: types.MessageType = types.MessageType.Error) -> None:
        """A line to the user, once."""
        if text not in self._said:
            self._said.add(text)
            self.window_show_message(types.ShowMessageParams(kind, f"jaxlint: {text}"))

    def _warn(self, wrong: list[str]) -> None:
        """Says what is wrong with settings, again where it was mended in between."""
        self._said -= set(self._wrong) - set(wrong)
        self._wrong = wrong
        for line in wrong:
            self.say(line, types.MessageType.Warning)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """What a client sent that makes no sense costs it a line in the log."""
        logging.getLogger(__name__).warning("%s: %s", getattr(source, "__name__", source), in_a_line(error))

    def take_options(self, sent: object) -> None:
        self.options, wrong = Options.read(sent, self._given)
        for line in wrong:
            self.say(line, types.MessageType.Warning)

    async def ask_options(self) -> None:
        """Asks the client for its settings, where it can tell them."""
        workspace = self.client_capabilities.workspace
        if workspace is None or not workspace.configuration:
            return
        try:
            items = [types.ConfigurationItem(section=SOURCE)]
            found = await self.workspace_configuration_async(types.ConfigurationParams(items))
        except PyglsError:
            return
        if found and found[0]:
            self.take_options(found[0])

    async def check_of(self, path: str) -> Any:
        texts, options = self.texts(), self.options
        return await self.in_thread(lambda: self._teller.check_of(path, texts, options))

    async def hints_of(self, path: str) -> list[tuple[int, int | None, str]]:
        texts, options = self.texts(), self.options
        if path not in texts:
            return []
        return await self.in_thread(lambda: self._teller.hints(path, texts, options))

    def end(self) -> None:
        """The client has said goodbye: nothing is looked at, or said, any more."""
        if self._timer is not None:
            self._timer.cancel()
        if self._look is not None:
            self._look.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)
