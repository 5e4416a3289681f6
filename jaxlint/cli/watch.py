"""`check --watch`: a round at each change of the files.

In: what runs a round, and what finds the files that it reads. Out: 0, once the user interrupts. It looks at
names, sizes and times, never into files, and a round that goes wrong does not end it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable

from jaxlint.cli.report import says
from jaxlint.project.configuration import COMMAND_LINE
from jaxlint.project.discovery import SETTINGS_MARKERS, Found
from jaxlint.project.option import SettingsError
from jaxlint.project.project import Project

INTERVAL = 0.3  # seconds between two looks
SHARE = 10  # times as long as a look takes is waited at least
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"


def watched(round: Callable[[], int], look: Callable[[], Found]) -> int:
    """Runs rounds until interrupted."""
    try:
        while True:
            before = _state(look)
            if sys.stdout.isatty():
                sys.stdout.write(_CLEAR)
            try:
                round()
            except (SettingsError, FileNotFoundError) as error:
                if isinstance(error, SettingsError) and error.origin == COMMAND_LINE:
                    raise  # no change of a file mends it
                says(str(error))
            says("watching for changes; press Ctrl-C to stop")
            sys.stdout.flush()
            wait = INTERVAL
            while True:
                time.sleep(wait)
                begin = time.monotonic()
                if _state(look) != before:
                    break
                wait = max(INTERVAL, SHARE * (time.monotonic() - begin))
    except KeyboardInterrupt:
        return 0


def _state(look: Callable[[], Found]) -> object:
    """What is read, by path; the text of the error where nothing can be."""
    try:
        found = look()
    except (SettingsError, FileNotFoundError) as error:
        return str(error)
    return [
        (path, _fingerprint(path))
        for project in found.projects
        for path in (*_settings_of(project), *(file.path for file in project.files))
    ]


def _settings_of(project: Project) -> Iterable[str]:
    yield from (os.path.join(project.root, name) for name in SETTINGS_MARKERS)
    yield from project.settings.facts
    if project.settings.origin is not None:
        yield project.settings.origin


def _fingerprint(path: str) -> tuple[int, int] | None:
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size
