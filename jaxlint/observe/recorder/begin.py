"""Begins to record in this process, as its environment says.

In: a file of settings, which the parent wrote. Out: a recorder that listens, and that writes its journal as
the process ends.
"""

from __future__ import annotations

import atexit
import json
import os
from typing import Any

from .monitor import start
from .recorder import Recorder

SETTINGS = "JAXLINT_OBSERVE"
"""The environment variable with the path of the settings."""


active: Recorder | None = None
"""The recorder of this process."""


def begin(config: dict[str, Any]) -> Recorder:
    """A recorder that has begun."""
    global active
    active = recorder = Recorder(config)
    how = start(recorder)
    if how == "no tool id is free":
        recorder.journal.add("note", text="other tools have taken all of sys.monitoring")
    elif how == "profile":
        recorder.journal.add("note", text="another tool traces rows: which rows ran is not known")
    recorder.journal.write()
    atexit.register(recorder.finish)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=recorder.forked)
    _at_hard_exit(recorder)
    return recorder


def _at_hard_exit(recorder: Recorder) -> None:
    """Writes the journal before `os._exit`, by which forked workers end."""
    exit_at_once = os._exit

    def _exit(status: int) -> None:
        recorder.finish()
        exit_at_once(status)

    _exit.__doc__ = exit_at_once.__doc__
    os._exit = _exit  # type: ignore[assignment]


def begin_as_told() -> None:
    """Begins where the environment says so; never raises."""
    try:
        with open(os.environ[SETTINGS], encoding="utf-8") as file:
            begin(json.load(file))
    except Exception:  # the user's program runs whether or not it is recorded
        pass
