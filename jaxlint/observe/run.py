"""A command run as it is, with the recorder in each Python that it starts.

In: the words of a command and what to record. Out: its exit status, and a folder of journals. The recorder
comes in by PYTHONPATH, from a temporary folder: nothing is written into the project or its environment.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from jaxlint.observe.recorder.begin import SETTINGS

RECORDER = Path(__file__).resolve().parent / "recorder"
JOURNALS = "journals"
LEAK_CHECK = "JAX_CHECK_TRACER_LEAKS"
"""The environment variable that JAX reads as it is imported."""
NOT_FOUND, NOT_RUNNABLE = 127, 126


class NotStarted(Exception):
    """The command could not be started; the message is one line.

    Attributes:
        status: what a shell would end with.
    """

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


@contextmanager
def observation() -> Iterator[Path]:
    """A folder for the recorder and its journals, which is removed in the end."""
    folder = tempfile.mkdtemp(prefix="jaxlint-observe-")
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def prepared(folder: Path, config: Mapping[str, Any], environment: Mapping[str, str]) -> dict[str, str]:
    """Puts the recorder into a folder; the environment in which Python loads it.

    config: `roots`, absolute; `values`; `nans`; `leaks`, which turns JAX's own check on.
    """
    target = folder / "jaxlint_recorder"
    target.mkdir()
    for path in RECORDER.glob("*.py"):
        shutil.copyfile(path, target / path.name)
    shutil.copyfile(RECORDER / "sitecustomize.txt", folder / "sitecustomize.py")
    journals = folder / JOURNALS
    journals.mkdir()
    settings = folder / "settings.json"
    settings.write_text(json.dumps({**config, "folder": str(journals)}), encoding="utf-8")
    before = environment.get("PYTHONPATH")
    search = str(folder) + (os.pathsep + before if before else "")
    found = {**environment, "PYTHONPATH": search, SETTINGS: str(settings)}
    return {**found, LEAK_CHECK: "1"} if config.get("leaks") else found


def run(words: Sequence[str], environment: Mapping[str, str]) -> int:
    """Runs a command to its end with this process's input and output; its exit status as a shell has it.

    Raises:
        NotStarted: there is no such command, or it can't be executed.
    """
    with _passed_on() as child:
        try:
            process = subprocess.Popen(words, env=dict(environment), close_fds=False)
        except FileNotFoundError:
            raise NotStarted(f"`{words[0]}` is not found", NOT_FOUND) from None
        except (OSError, ValueError) as error:
            said = getattr(error, "strerror", None) or str(error)
            raise NotStarted(f"`{words[0]}` cannot be run: {said}", NOT_RUNNABLE) from None
        child.append(process)
        status = process.wait()
    return 128 - status if status < 0 else status


@contextmanager
def _passed_on() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Signals go to the child. Those of a terminal reach it by themselves, and are its own business."""
    child: list[subprocess.Popen[bytes]] = []

    def send(number: int, _: FrameType | None) -> None:
        for process in child:
            process.send_signal(number)

    def ignore(number: int, _: FrameType | None) -> None:
        """The child has it, too. A function, since a signal that is ignored would be ignored by the child."""

    if threading.current_thread() is not threading.main_thread():
        yield child
        return
    handlers = {"SIGINT": ignore, "SIGQUIT": ignore, "SIGTERM": send, "SIGHUP": send, "SIGUSR1": send}
    before = {}
    for name, handler in handlers.items():
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, handler)
    try:
        yield child
    finally:
        for number, old in before.items():
            signal.signal(number, old)
