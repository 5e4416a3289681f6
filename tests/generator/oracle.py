"""What really happens: programs are written to disk and run under JAX by child processes.

Takes programs, gives an `Outcome` each, in order. A child that hangs or dies costs the
program that it was running, which is then said to be lost.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from .operation import OPERATIONS
from .program import Program

CHILD = Path(__file__).with_name("child.py")
ENVIRONMENT = {
    "JAX_PLATFORMS": "cpu",
    "JAX_TRACEBACK_FILTERING": "off",
    "JAX_DISABLE_MOST_OPTIMIZATIONS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}
LIMIT = 60.0  # seconds for one program
BATCH = 64

# What JAX raises when Python asks a tracer for a value.
TRACER_ERRORS = frozenset(
    {
        "ConcretizationTypeError",
        "TracerArrayConversionError",
        "TracerIntegerConversionError",
        "NonConcreteBooleanIndexError",
    }
)
# Plain errors of the operations that JAX answers without a class of its own.
PLAIN_MESSAGES = (
    "Shapes must be 1D sequences of concrete values",
    "does not support item assignment",
    "unsupported format string passed to",
    "%d format: a real number is required",
    "must be real number, not",
    "do not support in-place item assignment",
    "expected a sequence of integers or a single integer",
    "setting an array element with a sequence",
    "was not hashable",
    "unhashable type: 'BatchTracer'",
    "unhashable type: 'DynamicJaxprTracer'",
    "Slice entries must be static integers",
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a program ended: `runs`, `raises` (at the operation), `invalid` or `lost`."""

    verdict: str
    error: str = ""
    message: str = ""
    path: str = ""
    row: int = 0
    seconds: float = 0.0


def judged(program: Program, result: dict[str, object]) -> Outcome:
    """Raising means: at the operation's line, with an error that a tracer causes."""
    lineage, message = list(map(str, result["error"])), str(result["message"])  # type: ignore[call-overload]
    path, row, seconds = str(result["path"]), int(str(result["row"])), float(str(result["seconds"]))
    if not lineage:
        return Outcome("runs", seconds=seconds)
    expected = bool(TRACER_ERRORS & set(lineage)) or any(text in message for text in PLAIN_MESSAGES)
    at_operation = (path, row) == (program.path, program.row)
    has_codes = bool(OPERATIONS[program.spec.operation].codes)
    verdict = "raises" if expected and at_operation and has_codes else "invalid"
    return Outcome(verdict, lineage[0], message, path, row, seconds)


class Runner:
    """One child process, started again when it is lost."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-P", str(CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **ENVIRONMENT},
        )

    def run(self, program: Program, folder: Path) -> Outcome:
        if self.process is None:
            self.process = self.start()
        job = {"folder": str(folder), "roots": program.roots, "entry": program.entry}
        line = self.exchanged(json.dumps(job))
        if not line:
            self.stop()
            return Outcome("lost", message=f"no answer within {LIMIT} s")
        return judged(program, json.loads(line))

    def entered(self, program: Program, folder: Path) -> frozenset[tuple[str, int]]:
        """The functions of the program that were entered, by path and first line."""
        self.process = self.process or self.start()
        job = {"folder": str(folder), "roots": program.roots, "entry": program.entry, "watch": True}
        line = self.exchanged(json.dumps(job))
        return frozenset((path, row) for path, row in json.loads(line)["entered"]) if line else frozenset()

    def exchanged(self, job: str) -> str:
        assert self.process is not None and self.process.stdin and self.process.stdout
        try:
            self.process.stdin.write(job + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return ""
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            return self.process.stdout.readline() if selector.select(LIMIT) else ""

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def write_files(program: Program, folder: Path) -> None:
    for path, text in program.files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    # The folder is a project of its own, whatever lies above it.
    (folder / "jaxlint.toml").write_text("")


def outcomes(programs: Sequence[Program], root: Path, workers: int = 2) -> list[Outcome]:
    """Runs the programs, each in its folder `root`/<number>, which stays."""
    folders = [root / str(number) for number in range(len(programs))]
    for program, folder in zip(programs, folders, strict=True):
        write_files(program, folder)
    jobs = iter(list(zip(programs, folders, strict=True)))
    batches = list(iter(lambda: list(islice(jobs, BATCH)), []))
    runners = [Runner() for _ in range(workers)]
    shares = [batches[k::workers] for k in range(workers)]

    def work(runner: Runner, share: list[list[tuple[Program, Path]]]) -> Iterator[list[Outcome]]:
        try:
            for batch in share:
                yield [runner.run(program, folder) for program, folder in batch]
        finally:
            runner.stop()

    with ThreadPoolExecutor(workers) as pool:
        shared = list(pool.map(lambda pair: list(work(*pair)), zip(runners, shares, strict=True)))
    ordered = [shared[k % workers][k // workers] for k in range(len(batches))]
    return [outcome for batch in ordered for outcome in batch]
