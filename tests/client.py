"""A client of the language server that can also send nonsense.

In: messages. Out: what the server answers and tells, as JSON. Requests of the server are answered with null.
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Message = dict[str, Any]
PATIENCE = 60.0  # seconds


class Client:
    """A server in a process of its own, and its only client."""

    def __init__(
        self,
        root: Path,
        *,
        settings: Mapping[str, Any] | None = None,
        module: tuple[str, ...] = ("jaxlint", "server", "--stdio"),
        **capabilities: Any,
    ) -> None:
        self.root = root
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", *module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=root,
        )
        self.told: list[Message] = []  # what nobody has waited for yet
        self.diagnostics: dict[str, list[Message]] = {}
        self.versions: dict[str, int] = {}
        self._queue: queue.Queue[Message | None] = queue.Queue()
        self._number = 0
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        self.answer = self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": root.as_uri(),
                "workspaceFolders": [{"uri": root.as_uri(), "name": "root"}],
                "capabilities": capabilities,
                "initializationOptions": dict(settings or {}),
            },
        )
        self.notify("initialized", {})

    # ---- messages

    def _read(self) -> None:
        assert self.process.stdout is not None
        while header := self.process.stdout.readline():
            length = int(header.split(b":")[1])
            while self.process.stdout.readline().strip():
                pass
            self._queue.put(json.loads(self.process.stdout.read(length)))
        self._queue.put(None)

    def send(self, message: Mapping[str, Any]) -> None:
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def notify(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> int:
        self._number += 1
        self.send({"id": self._number, "method": method, "params": params})
        return self._number

    def request(self, method: str, params: Any) -> Any:
        """The result of a request.

        Raises:
            RuntimeError: the server answers that it failed.
        """
        number = self.ask(method, params)
        found = self.wait(lambda message: message.get("id") == number and "method" not in message)
        if "error" in found:
            raise RuntimeError(found["error"]["message"])
        return found["result"]

    def wait(self, is_wanted: Callable[[Message], bool], patience: float = PATIENCE) -> Message:
        """The first message of a kind, of those that came already and those to come."""
        for message in self.told:
            if is_wanted(message):
                self.told.remove(message)
                return message
        end = time.monotonic() + patience
        while True:
            message = self._queue.get(timeout=max(end - time.monotonic(), 0.01))
            if message is None:
                raise EOFError("the server has ended")
            self._take(message)
            if is_wanted(message):
                return message
            self.told.append(message)

    def _take(self, message: Message) -> None:
        if "id" in message and "method" in message:
            self.send({"id": message["id"], "result": None})
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]

    # ---- documents

    def open(self, name: str, text: str, language: str = "python") -> str:
        uri = name if ":" in name else (self.root / name).as_uri()
        self.versions[uri] = 1
        document = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return uri

    def change(self, uri: str, *changes: Mapping[str, Any]) -> None:
        """`{"text": ...}` replaces everything; with a `range` that alone."""
        self.versions[uri] += 1
        document = {"uri": uri, "version": self.versions[uri]}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def published(self, uri: str) -> list[Message]:
        """What is told of the document as it is now."""
        version = self.versions[uri]

        def is_wanted(message: Message) -> bool:
            if message.get("method") != "textDocument/publishDiagnostics":
                return False
            return message["params"]["uri"] == uri and message["params"].get("version") == version

        found: list[Message] = self.wait(is_wanted)["params"]["diagnostics"]
        return found

    def close(self) -> int:
        """Says goodbye; the server's exit status."""
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(PATIENCE)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *args: object) -> None:
        self.process.kill()
        self.process.wait()
