"""What a command costs: time by the clock, time of the processor, memory.

In: a command and the folder that it runs in. Out: its cost and what it printed. Every measurement of these
benchmarks is of a fresh process, so that none leaves anything warm for the next but what the system caches.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

BARE_PARSE = """
import gc, sys
gc.disable()
import libcst
for path in sys.stdin.read().splitlines():
    try:
        libcst.parse_module(open(path, "rb").read())
    except libcst.ParserSyntaxError:
        pass
"""
"""A program that parses the files whose paths it is given, with the garbage collector off."""


@dataclass(frozen=True)
class Cost:
    """Seconds by the clock, seconds of the processor, and the most memory of any process in MB.

    Processor time and memory are those of the process and of the children that it waited for. Less memory
    than the benchmark itself takes is not seen.
    """

    wall: float
    cpu: float
    memory: float


@dataclass(frozen=True)
class Ran:
    """What a command cost, what it printed, and its exit status."""

    cost: Cost
    text: str
    status: int = 0


def ran(command: Sequence[str], folder: Path, given: str = "", ends: Container[int] | None = (0, 1)) -> Ran:
    """Runs a command with text on its standard input.

    Args:
        ends: The exit statuses that are expected; None for any.

    Raises:
        SystemExit: it ended with none of `ends`.
    """
    with TemporaryFile() as stdin, TemporaryFile() as stdout, TemporaryFile() as stderr:
        stdin.write(given.encode())
        stdin.seek(0)
        begin = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, stdin=stdin, stdout=stdout, stderr=stderr, env=_environment()
        )
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        stdout.seek(0)
        stderr.seek(0)
        if ends is not None and process.returncode not in ends:
            said = stderr.read().decode(errors="replace")
            raise SystemExit(f"{' '.join(command)} ended with {process.returncode}: {said}")
        scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
        cost = Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / scale)
        return Ran(cost, stdout.read().decode(errors="replace"), process.returncode)


def _environment() -> dict[str, str]:
    """This process's environment without the variable that has Python compile at each start: what pip
    installs is compiled."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def least(costs: Sequence[Cost]) -> Cost:
    """The least times of several runs, and the most memory."""
    return Cost(min(c.wall for c in costs), min(c.cpu for c in costs), max(c.memory for c in costs))
