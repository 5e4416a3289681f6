"""The journal of one process: lines of JSON that add up, appended to a file.

In: what is seen, in pieces. Out: a file of its own for each process in one folder. What is written is never
changed, so that a killed process loses what it saw since the last flush and nothing else.
"""

from __future__ import annotations

import json
import os
import threading
import time
from typing import Any

INTERVAL = 1.0
"""Seconds after which what is seen next is written together with what is held."""
HELD = 2000
"""Lines that are held at most."""
LARGEST = 128 * 1024 * 1024
"""Bytes of a journal; what comes later is counted only."""


class Journal:
    """Appends lines to a file in a folder, which may go away at any time."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.path = ""
        self.size = 0
        self.lines: list[str] = []
        self.last = time.monotonic()
        self.lock = threading.RLock()
        self.dropped = 0

    def add(self, kind_of_line: str, /, **fields: Any) -> None:
        if self.size > LARGEST:
            self.dropped += 1
            return
        fields["t"] = kind_of_line
        self.lines.append(json.dumps(fields, separators=(",", ":")))

    def is_due(self) -> bool:
        return time.monotonic() - self.last > INTERVAL or len(self.lines) > HELD

    def write(self) -> None:
        """Appends what is held. What the system refuses is dropped."""
        with self.lock:
            lines, self.lines = self.lines, []
            self.last = time.monotonic()
            if not lines:
                return
            data = ("\n".join(lines) + "\n").encode("ascii")
            try:
                if not self.path:
                    name = f"{os.getpid()}-{time.time_ns()}.jsonl"
                    self.path = os.path.join(self.folder, name)
                handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
                try:
                    self.size += os.write(handle, data)
                finally:
                    os.close(handle)
            except OSError:
                self.dropped += len(lines)

    def forked(self) -> None:
        """Begins a journal of its own in the child of a fork."""
        self.lock = threading.RLock()
        self.lines = []
        self.path = ""
        self.size = 0
        self.last = time.monotonic()
