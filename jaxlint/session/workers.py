"""Processes that work on shards, and executors that do.

In: shards, in the order in which they are begun. Out: each with what came of it, as they end: what it was
answered with, or `DIED` where the process died on it. The others are not touched by that. It refuses to know
what is done with a shard.
"""

from __future__ import annotations

import contextlib
import gc
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from multiprocessing import connection, get_all_start_methods, get_context
from typing import Any

Item = Any  # what a worker is given, and what it answers: plain data
Work = Callable[[Item], Item]
Ended = tuple[int, Item]  # the number of an item, and what came of it

DIED = "died"
"""What comes of an item whose process died."""

_BATCH = 60_000  # bytes: long enough for the way there and back not to count
_IN_FLIGHT = 256  # batches that wait at an executor


def start_method() -> str:
    """How workers start. A fork starts at once, but may hang in a process with threads; a server that forks
    has none. Elsewhere than on Linux system libraries may have threads of their own."""
    if sys.platform != "linux" or "fork" not in get_all_start_methods():
        return "spawn"
    return "fork" if threading.active_count() == 1 else "forkserver"


@dataclass(eq=False)
class _Worker:
    process: Any
    pipe: connection.Connection
    waiting: list[int] = field(default_factory=list)  # the items that it was given, the next one first


class Workers:
    """Processes on this machine; they start with the first work and stay until `close`."""

    def __init__(self, count: int, work: Work) -> None:
        self._count = count
        self._work = work
        self._free: list[_Worker] = []
        self._busy: list[_Worker] = []

    def run(self, items: Sequence[Item], sizes: Sequence[int]) -> Iterator[Ended]:
        """Gives each item to a process; a process that dies is replaced. The first ones have begun at once.

        Raises:
            OSError: no process can be started.
        """
        batches = batched(range(len(items)), sizes)
        self._begin(items, batches)
        return self._ends(items, batches)

    def _ends(self, items: Sequence[Item], batches: Iterator[list[int]]) -> Iterator[Ended]:
        while self._busy:
            ready = connection.wait([worker.pipe for worker in self._busy])
            for worker in [each for each in self._busy if each.pipe in ready]:
                number = worker.waiting.pop(0)
                try:
                    made = worker.pipe.recv()
                except (EOFError, OSError):
                    made = DIED
                    self._busy.remove(worker)
                    self._drop(worker)
                    if worker.waiting:
                        batches = _first(worker.waiting, batches)
                yield number, made
                if made is not DIED and not worker.waiting:
                    self._busy.remove(worker)
                    self._free.append(worker)
            self._begin(items, batches)

    def _begin(self, items: Sequence[Item], batches: Iterator[list[int]]) -> None:
        while len(self._busy) < self._count and (batch := next(batches, None)) is not None:
            worker = self._free.pop() if self._free else self._started()
            worker.waiting = batch
            self._busy.append(worker)
            # One that has died is seen when it is asked for its answer.
            with contextlib.suppress(OSError):
                worker.pipe.send([items[number] for number in batch])

    def _started(self) -> _Worker:
        context = get_context(start_method())
        if context.get_start_method() == "forkserver":
            context.set_forkserver_preload(["jaxlint.session.stage"])
        ours, theirs = context.Pipe()
        # Whoever has our end keeps the process waiting, also when we are gone.
        process: Any = context.Process(  # type: ignore[attr-defined]
            target=_serve, args=(theirs, ours, self._work), daemon=True
        )
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def _drop(self, worker: _Worker) -> None:
        worker.pipe.close()
        worker.process.kill()
        worker.process.join()

    def stop(self) -> None:
        """Ends the processes in the middle of what they do."""
        for worker in (*self._free, *self._busy):
            self._drop(worker)
        self._free, self._busy = [], []

    def close(self) -> None:
        for worker in self._free:
            with contextlib.suppress(OSError):
                worker.pipe.send(None)
        for worker in self._free:
            worker.process.join(1)
        self.stop()


def _serve(pipe: connection.Connection, other: connection.Connection, work: Work) -> None:
    """A worker: answers each item of each list that it is sent, until it is told to end."""
    other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    with contextlib.suppress(EOFError, OSError):
        while (items := pipe.recv()) is not None:
            for item in items:
                pipe.send(work(item))


def through(
    executor: Executor, work: Work, items: Sequence[Item], sizes: Sequence[int], sent: Work
) -> Iterator[Ended]:
    """What an executor makes of items. What it fails on counts as an item on which a process died: it has
    then tried as often as it does.

    Args:
        sent: What is sent in place of an item; called shortly before.
    """
    batches = batched(range(len(items)), sizes)
    running: dict[Future[Any], list[int]] = {}
    while True:
        while len(running) < _IN_FLIGHT and (batch := next(batches, None)) is not None:
            given = [sent(items[number]) for number in batch]
            running[executor.submit(_all, work, given)] = batch
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            batch = running.pop(future)
            try:
                made = future.result()
            except Exception:
                made = [DIED] * len(batch)
            yield from zip(batch, made, strict=True)


def _all(work: Work, items: Iterable[Item]) -> list[Item]:
    return [work(item) for item in items]


def batched(numbers: Iterable[int], sizes: Sequence[int]) -> Iterator[list[int]]:
    """The numbers in their order, in batches of about one size."""
    batch: list[int] = []
    size = 0
    for number in numbers:
        batch.append(number)
        size += sizes[number]
        if size >= _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _first(batch: list[int], others: Iterator[list[int]]) -> Iterator[list[int]]:
    yield batch
    yield from others
