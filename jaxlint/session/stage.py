"""The work on projects that are not in the cache, in this process and in others.

In: a `Project`, unsaved text, and a store. Out: its findings, and the digests of the bytes that they rest on.
Several projects are worked on side by side; in which order workers end changes nothing. It refuses to know
how findings come about.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.diagnostic import Diagnostic
from jaxlint.failure import Failure
from jaxlint.ir import parsing
from jaxlint.ir.limits import REACHED
from jaxlint.project.project import Project, SourceFile
from jaxlint.session.progress import SILENT, Progress
from jaxlint.session.state import Remains, State
from jaxlint.session.store import Store
from jaxlint.source.deep_stack import with_room

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future, ProcessPoolExecutor

WORTH_WORKERS = 1_500_000  # bytes of files, below which workers start too late to help
_UNEVEN = 0.9  # of the work in one project: the other processes would have next to none
_MORE = 1.25  # times the largest component: memory above this is worth a collection
_MUCH = 8_000_000  # bytes of files whose analysis may leave its remains in memory
_BATCH = 60_000  # bytes: long enough for the way there and back not to count


@dataclass(frozen=True, slots=True)
class Analysed:
    """The findings of a project, and what they rest on, by path.

    codes: what is told of, as `Registry.told` gives it. is_everything: whether all that may be told of the
    project is among the findings. reached: how often each limit of the analysis was reached, by its name;
    nothing of what was kept.
    """

    found: list[Diagnostic]
    digests: dict[str, str]
    codes: frozenset[str]
    is_everything: bool
    reached: Mapping[str, int]


class Stage:
    """What works on files. Where it is lasting, programs stay in memory, and the next run parses what has
    changed."""

    def __init__(
        self,
        jobs: int | None,
        executor: Executor | None,
        skip: bool,
        is_lasting: bool,
        progress: Progress = SILENT,
    ) -> None:
        self._jobs = jobs
        self._executor = executor
        self._pool: ProcessPoolExecutor | None = None
        self._skip = skip
        self._is_lasting = is_lasting
        self._progress = progress
        self._remains: dict[str, Remains] = {}  # by the root of a project
        self._largest = 0  # bytes of the files of a component
        self._left = 0  # bytes of the files of components whose remains may still be in memory

    def analysed(
        self, project: Project, unsaved: Mapping[str, bytes], store: Store | None = None, tool: str = ""
    ) -> Analysed:
        """What the rules that are on find in reported files; where results are kept, also in the files that
        are analyzed with these."""
        state = State(project, unsaved, store, tool, self._is_lasting)
        known = self._remains.get(project.root, Remains())
        self._progress.begin()
        REACHED.clear()
        found = with_room(lambda: state.found(known, self.records, self._skip, self._tidy, self._progress))
        if self._is_lasting:
            self._remains[project.root] = state.remains()
        return Analysed(found, state.digests, state.codes, state.is_everything, dict(REACHED))

    def _tidy(self, size: int) -> None:
        """Before a component of so many bytes: collects what others have left, where Python does not do it
        and both would need much more memory than the largest component alone."""
        self._largest = max(self._largest, size)
        if self._left + size > max(_MUCH, self._largest * _MORE) and not gc.isenabled():
            gc.collect()
            self._left = 0
        self._left += size

    def attempted(self, task: Task) -> Analysed | Exception:
        """What `analyzed` gives, or raises."""
        try:
            return self.analysed(*task)
        except Exception as error:
            return error

    def knows(self, project: Project) -> bool:
        """Whether the next run over a project begins with what an earlier one left."""
        return project.root in self._remains

    def forget(self, project: Project) -> None:
        self._remains.pop(project.root, None)

    def lost(self, project: Project, error: Exception) -> Analysed:
        """What is reported of a project of which nothing can be told."""
        failure = Failure.of(error, min(project.reported))
        found = failure.diagnostic(message=f"jaxlint failed on the project of this file: {failure.what}")
        return Analysed([found], {}, frozenset(), False, {})

    def together(self, tasks: Sequence[Task]) -> list[Analysed | Exception]:
        """The findings of several projects: whole projects side by side where that is even enough."""
        sizes = [sum(map(_size, task.project.files)) for task in tasks]
        workers = None
        if len(tasks) > 1 and max(sizes) <= _UNEVEN * sum(sizes) and self._executor is None:
            workers = self._workers(sum(sizes), len(tasks))
        if workers is None:
            made = []
            for number, task in enumerate(tasks):
                self._progress.project(number, len(tasks))
                made.append(self.attempted(task))
            return made
        from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
        from multiprocessing import get_context

        order = sorted(range(len(tasks)), key=lambda number: (-sizes[number], number))
        started = [(number, _submitted(workers, tasks[number], self._skip)) for number in order]
        self._progress.begin()
        ended = {}
        for number, future in started:
            ended[number] = _ended(future)
            self._progress.project(len(ended), len(tasks))
        for number in sorted(ended):
            # A worker that dies takes all others with it: each project in one of its own says which it was.
            if isinstance(ended[number], BrokenExecutor):
                self.close()
                with ProcessPoolExecutor(1, get_context(_start_method()), _begin) as alone:
                    ended[number] = _ended(_submitted(alone, tasks[number], self._skip))
                if isinstance(ended[number], BrokenExecutor):
                    died = RuntimeError("the process that analysed it died")
                    ended[number] = self.lost(tasks[number].project, died)
        return [ended[number] for number in range(len(tasks))]

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
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import get_context

            context = get_context(_start_method())
            if context.get_start_method() == "forkserver":
                context.set_forkserver_preload(["jaxlint.session.stage"])
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
    """What `Stage.analyzed` is asked."""

    project: Project
    unsaved: Mapping[str, bytes]
    store: Store | None = None
    tool: str = ""


def _start_method() -> str:
    """How workers start. A fork starts at once, but may hang in a process with threads; a server that forks
    has none. Elsewhere than on Linux system libraries may have threads of their own."""
    from multiprocessing import get_all_start_methods

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


def _submitted(workers: Executor, task: Task, skip: bool) -> Future[Analysed] | Exception:
    from concurrent.futures import BrokenExecutor

    try:
        return workers.submit(_apart, task, skip)
    except BrokenExecutor as error:
        return error


def _ended(future: Future[Analysed] | Exception) -> Analysed | Exception:
    if isinstance(future, Exception):
        return future
    try:
        return future.result()
    except Exception as error:
        return error


def _size(file: SourceFile) -> int:
    try:
        return os.stat(file.path).st_size
    except OSError:
        return 0


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
