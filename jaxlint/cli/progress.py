"""A line on the terminal that says how far a run is, from two seconds on.

In: the steps of a run, and a terminal. Out: one line that is written over as the run goes on, and erased
before anything else is printed. Nothing is written to what is no terminal.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import TextIO

from jaxlint.cli.neutral import neutral
from jaxlint.session.progress import SILENT, Progress

AFTER = 2.0  # seconds
PERIOD = 0.2  # seconds between two lines
_SLOW = 1.0  # seconds from which it is said how long a component takes
_ERASE = "\r\x1b[K"


class ProgressLine(Progress):
    """The line on a terminal. It starts a thread when the work begins."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._start = self._drawn = clock()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._is_shown = False
        self._files = 0
        self._projects = (0, 0)
        self._components = (0, 0)
        self._name = ""
        self._since = self._start

    def begin(self) -> None:
        self._files, self._components, self._name = 0, (0, 0), ""
        if self._thread is None:
            self._over.clear()
            self._start = self._drawn = self._clock()
            self._thread = threading.Thread(target=self._go_on, daemon=True)
            self._thread.start()

    def read(self, files: int) -> None:
        self._files += files
        self.draw()

    def project(self, number: int, count: int) -> None:
        self._projects = number, count
        self.draw()

    def component(self, number: int, count: int, paths: Sequence[str]) -> None:
        self._components = number, count
        others = len(paths) - 1
        more = "" if not others else f" and {others} other{'s' if others > 1 else ''}"
        self._name = neutral(os.path.relpath(paths[0])) + more if paths else ""
        self._since = self._clock()
        self.draw()

    def text(self) -> str:
        """What there is to say now."""
        parts = []
        number, count = self._projects
        if count > 1:
            parts.append(f"{number} of {count} projects done")
        if self._files:
            parts.append(f"{self._files} file{'s' if self._files > 1 else ''} read")
        number, count = self._components
        if count:
            parts.append(f"{number - 1} of {count} component{'s' if count > 1 else ''} analyzed")
        said = ", ".join(parts) or "reading files"
        seconds = self._clock() - self._since
        if self._name and seconds >= _SLOW:
            said += f"; {self._name}: {seconds:.0f} s"
        return f"jaxlint: {said}"

    def draw(self) -> None:
        """Shows the line, where it is time."""
        now = self._clock()
        if now - self._start < AFTER or now - self._drawn < PERIOD:
            return
        with self._lock:
            if self._over.is_set():
                return
            self._drawn = now
            width = shutil.get_terminal_size().columns - 1
            text = self.text()
            self._write(_ERASE + (text if len(text) <= width else f"{text[: width - 1]}…"))
            self._is_shown = True

    def close(self) -> None:
        """Erases the line; none follows until work begins again."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self.erase()

    def erase(self) -> None:
        """Makes room for something else. The line comes back below it."""
        with self._lock:
            if self._is_shown:
                self._write(_ERASE)
                self._is_shown = False

    def _go_on(self) -> None:
        while not self._over.wait(PERIOD):
            self.draw()

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # the terminal has gone
            self._over.set()


def progress_of(is_quiet: bool) -> Progress:
    """The line on standard error, where that is a terminal that can erase a line, and it is wanted."""
    is_shown = not is_quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    return ProgressLine(sys.stderr) if is_shown else SILENT
