"""The work on projects that are not in the cache: files are read and parsed, and the projects followed.

In: a `Project`, unsaved text, and a store of programs. Out: its findings, and the digests of the bytes that
they rest on. A file is parsed only where no program of the same bytes is at hand, by workers where there are
any, and followed only where it can matter; in which order workers end changes nothing. Several projects are
worked on side by side.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_all_start_methods, get_context
from typing import NamedTuple

from jaxlint.diagnostic import Diagnostic
from jaxlint.engine import parsing, pipeline, relevance
from jaxlint.engine.lower import Program
from jaxlint.engine.parsing import Outcome
from jaxlint.engine.project import Project, SourceFile
from jaxlint.engine.room import with_room
from jaxlint.engine.stamp import digest
from jaxlint.engine.store import Store

WORTH_WORKERS = 1_500_000  # bytes of files, below which workers start too late to help
_UNEVEN = 0.9  # of the work in one project: the other processes would have next to none
_MUCH = 8_000_000  # bytes of files whose projects' remains may stay in memory
_BATCH = 60_000  # bytes: long enough for the way there and back not to count


@dataclass(frozen=True, slots=True)
class Analysed:
    """The findings of a project, and what they rest on, by path."""

    found: list[Diagnostic]
    digests: dict[str, str]


class Stage:
    """What works on files. Where it is lasting, programs stay in memory, and the next run parses what has
    changed."""

    def __init__(self, jobs: int | None, executor: Executor | None, skip: bool, is_lasting: bool) -> None:
        self._jobs = jobs
        self._executor = executor
        self._pool: ProcessPoolExecutor | None = None
        self._skip = skip
        self._is_lasting = is_lasting
        self._outcomes: dict[str, dict[str, Outcome]] = {}  # by the root of a project, by digest
        self._left = 0  # bytes of the files of projects whose remains may still be in memory

    def analysed(
        self, project: Project, unsaved: Mapping[str, bytes], store: Store | None = None, tool: str = ""
    ) -> Analysed:
        """All findings of all rules in the reported files."""
        self._tidy()
        data = dict(unsaved)
        outcomes: dict[str, Outcome] = {}
        digests: dict[str, str] = {}
        for file in project.files:
            try:
                if file.path not in data:
                    data[file.path] = parsing.read_bytes(file.path)
                digests[file.path] = digest(data[file.path])
            except OSError as error:
                outcomes[file.path] = parsing.unreadable(error)
                digests[file.path] = f"unreadable: {error.strerror or error}"
        files = _Files(self, project, data, digests, store, tool)
        found = with_room(lambda: self._followed(project, files, outcomes))
        self._left += sum(map(len, data.values()))
        return Analysed(found, digests)

    def _tidy(self) -> None:
        """Collects what earlier projects left, once it is much and where Python does not do it."""
        if self._left > _MUCH and not gc.isenabled():
            gc.collect()
            self._left = 0

    def _followed(self, project: Project, files: _Files, outcomes: dict[str, Outcome]) -> list[Diagnostic]:
        readable = [file for file in project.files if file.path not in outcomes]
        outcomes.update(files.parsed([file.path for file in readable]))
        if self._is_lasting:
            kept = {files.digests[path]: outcome for path, outcome in outcomes.items()}
            self._outcomes[project.root] = kept
        if self._skip and relevance.is_decidable(project):
            programs = {path: each for path, each in outcomes.items() if isinstance(each, Program)}
            idle = relevance.idle(project, programs, files.data)
            outcomes = {**outcomes, **dict.fromkeys(idle)}
        return pipeline.analyse(project, files.data, outcomes)

    def together(self, tasks: Sequence[Task]) -> list[Analysed]:
        """The findings of several projects: whole projects side by side where that is even enough."""
        sizes = [sum(map(_size, task.project.files)) for task in tasks]
        workers = None
        if len(tasks) > 1 and max(sizes) <= _UNEVEN * sum(sizes) and self._executor is None:
            workers = self._workers(sum(sizes), len(tasks))
        if workers is None:
            return [self.analysed(*task) for task in tasks]
        order = sorted(range(len(tasks)), key=lambda number: (-sizes[number], number))
        started = {number: workers.submit(_apart, tasks[number], self._skip) for number in order}
        return [started[number].result() for number in range(len(tasks))]

    def remembered(self, project: Project, key: str) -> Outcome:
        return self._outcomes.get(project.root, {}).get(key)

    def records(self, files: Sequence[bytes]) -> list[bytes] | None:
        """The records of the files' outcomes, made by the executor that was given. Processes of this machine
        would take longer to hand programs over than it takes to make them here."""
        if self._executor is None:
            return None
        order = sorted(range(len(files)), key=lambda number: (-len(files[number]), number))
        batches = [[files[number] for number in batch] for batch in _batches(order, files)]
        made = [self._executor.submit(parsing.records, batch, parsing.versions()) for batch in batches]
        by_number = dict(zip(order, (record for each in made for record in each.result()), strict=True))
        return [by_number[number] for number in range(len(files))]

    def _workers(self, size: int, count: int) -> Executor | None:
        jobs = self._jobs
        if jobs is None:
            jobs = _cores() if size >= WORTH_WORKERS else 1
        if min(jobs, count) < 2:
            return None
        if self._pool is None:
            context = get_context(_start_method())
            if context.get_start_method() == "forkserver":
                context.set_forkserver_preload(["jaxlint.stage"])
            self._pool = ProcessPoolExecutor(jobs, context, _begin)
        return self._pool

    def stop(self) -> None:
        """Ends the workers in the middle of what they do."""
        if self._pool is not None:
            processes = list((getattr(self._pool, "_processes", None) or {}).values())
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()
            self._pool = None

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


class Task(NamedTuple):
    """What `Stage.analysed` is asked."""

    project: Project
    unsaved: Mapping[str, bytes]
    store: Store | None = None
    tool: str = ""


def _start_method() -> str:
    """How workers start. A fork starts at once, but may hang in a process with threads; a server that forks
    has none. Elsewhere than on Linux system libraries may have threads of their own."""
    if sys.platform != "linux" or "fork" not in get_all_start_methods():
        return "spawn"
    return "fork" if threading.active_count() == 1 else "forkserver"


def _begin() -> None:
    """A worker ends with the run, and what it leaves behind with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()


@lru_cache(maxsize=1)
def _own_stage(skip: bool) -> Stage:
    return Stage(1, None, skip, False)


def _apart(task: Task, skip: bool) -> Analysed:
    """A project in a worker."""
    return _own_stage(skip).analysed(*task)


def _size(file: SourceFile) -> int:
    try:
        return os.stat(file.path).st_size
    except OSError:
        return 0


@dataclass(frozen=True, slots=True)
class _Files:
    """The files of one project in one state."""

    stage: Stage
    project: Project
    data: dict[str, bytes]
    digests: dict[str, str]
    store: Store | None
    tool: str

    def parsed(self, paths: Sequence[str]) -> dict[str, Outcome]:
        """The outcomes of files, from memory, from the store, or made now."""
        found: dict[str, Outcome] = {}
        for path in paths:
            outcome = self.stage.remembered(self.project, self.digests[path])
            if outcome is None and self.store is not None:
                outcome = parsing.outcome_of(self.store.bytes_of("program", self._key(path)))
            if outcome is not None:
                found[path] = outcome
        left = [path for path in paths if path not in found]
        records = self.stage.records([self.data[path] for path in left]) if left else None
        for number, path in enumerate(left):
            outcome = None if records is None else parsing.outcome_of(records[number])
            record = b"" if outcome is None or records is None else records[number]
            if outcome is None:
                outcome = parsing.parsed(self.data[path])
            found[path] = outcome
            if self.store is not None:
                record = record or parsing.record_of(outcome)
                if record:
                    self.store.keep_bytes("program", self._key(path), record)
        return found

    def _key(self, path: str) -> str:
        return digest(f"{self.tool} {self.digests[path]}".encode())


def _batches(order: Sequence[int], files: Sequence[bytes]) -> Iterable[list[int]]:
    """The numbers in their order, in batches of about one length."""
    batch: list[int] = []
    size = 0
    for number in order:
        batch.append(number)
        size += len(files[number])
        if size >= _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
