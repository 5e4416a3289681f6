"""The work on projects that are not in the cache, in this process and in others.

In: projects, unsaved text, and stores. Out: their findings, and the digests of the bytes that they rest on.
All projects are divided into shards, and these are one list of work: here one after the other, or side by
side on workers, the largest first. Where a shard is analyzed, and when it ends, changes nothing. It refuses
to know how findings come about.
"""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.diagnostic import Diagnostic
from jaxlint.failure import Failure
from jaxlint.ir import parsing
from jaxlint.ir.limits import REACHED
from jaxlint.project.project import Project
from jaxlint.report.record import is_kept, read, written
from jaxlint.session.division import Division, Moved, Shard
from jaxlint.session.fingerprints import own_digest
from jaxlint.session.observed import NOTHING, Observed
from jaxlint.session.progress import SILENT, Progress
from jaxlint.session.state import Remains, State, told_key
from jaxlint.session.store import Store
from jaxlint.session.workers import DIED, Workers, through
from jaxlint.source.deep_stack import with_room

if TYPE_CHECKING:
    from concurrent.futures import Executor

WORTH_WORKERS = 1_500_000  # bytes of files, below which workers start too late to help
_UNEVEN = 0.9  # of the work in one shard: the other processes would have next to none
_MUCH = 5_000_000  # bytes of files whose analysis may leave its remains in memory


@dataclass(frozen=True, slots=True)
class Analysed:
    """The findings of a project, and what they rest on, by path.

    codes: what is told of, as `Registry.told` gives it. is_everything: whether all that may be told of the
    project is among the findings. reached: how often each limit of the analysis was reached, by its name;
    nothing of what was kept. is_lost: a process died on a shard of it, as this one might.
    """

    found: list[Diagnostic]
    digests: dict[str, str]
    codes: frozenset[str]
    is_everything: bool
    reached: Mapping[str, int]
    is_lost: bool = False


class Task(NamedTuple):
    """A project to be analyzed; where results are kept, with the store and the stamp of the tool. facts: what
    runs showed of it."""

    project: Project
    unsaved: Mapping[str, bytes]
    store: Store | None = None
    tool: str = ""
    facts: Observed = NOTHING


@dataclass(frozen=True, slots=True)
class Made:
    """What came of a shard: its findings, those of its components by key, and as `Analysed` has it."""

    found: list[Diagnostic]
    components: Mapping[str, list[Diagnostic]]
    is_everything: bool
    reached: Mapping[str, int]
    remains: Remains


@dataclass(slots=True)
class _Work:
    """A project while it is worked on. made: what came of its shards, by number; None where a shard must be
    analyzed in this process, of bytes that are read now."""

    task: Task
    division: Division | None = None
    failure: Failure | None = None
    known: Remains = field(default_factory=Remains)
    remains: Remains = field(default_factory=Remains)
    made: dict[int, Made | Failure | None] = field(default_factory=dict)
    is_lost: bool = False

    @property
    def shards(self) -> list[Shard]:
        return [] if self.division is None else self.division.shards

    def left_of(self) -> list[_Left]:
        return [(self, number, shard) for number, shard in self.left()]

    def left(self) -> list[tuple[int, Shard]]:
        """The shards that nothing is known of, by number."""
        return [(number, shard) for number, shard in enumerate(self.shards) if number not in self.made]


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
        self._workers: Workers | None = None
        self._skip = skip
        self._is_lasting = is_lasting
        self._progress = progress
        self._remains: dict[str, Remains] = {}  # by the root of a project
        self._tidying = _Tidying()

    def attempted(self, task: Task) -> Analysed | Failure:
        """What is found in a project."""
        return self.together([task])[0]

    def together(self, tasks: Sequence[Task]) -> list[Analysed | Failure]:
        """What is found in each of several projects."""
        works = [self._begun(task) for task in tasks]
        self._finish(works)
        return [self._ended(work) for work in works]

    def knows(self, project: Project) -> bool:
        """Whether the next run over a project begins with what an earlier one left."""
        return project.root in self._remains

    def forget(self, project: Project) -> None:
        self._remains.pop(project.root, None)

    def lost(self, project: Project, failure: Failure) -> Analysed:
        """What is reported of a project of which nothing can be told."""
        return Analysed([_lost(project, failure)], {}, frozenset(), False, {})

    def stop(self) -> None:
        """Ends the workers in the middle of what they do."""
        if self._workers is not None:
            self._workers.stop()

    def close(self) -> None:
        if self._workers is not None:
            self._workers.close()

    # ---- projects

    def _begun(self, task: Task, is_held: bool = False) -> _Work:
        """A project, divided, with what is known of its shards. is_held: see `Division`."""
        work = _Work(task)
        known = self._remains.get(task.project.root, Remains())
        work.known = Remains({**known.rows}, known.found, known.rendered)
        try:
            work.division = with_room(
                lambda: Division(
                    task.project,
                    task.unsaved,
                    tool=task.tool,
                    is_stored=task.store is not None,
                    is_apart=self._skip,
                    is_held=is_held,
                    progress=self._progress,
                    facts=task.facts,
                )
            )
            for number, shard in work.left():
                found = _known(shard, work)
                if found is not None:
                    rows = work.known.rows
                    left = {each: rows.pop(each) for each in shard.contents.values() if each in rows}
                    remains = Remains(left, {told_key(shard, shard.files): found})
                    self._take(work, number, Made(found, {}, True, {}, remains))
        except Exception as error:
            work.failure = Failure.of(error, "")
        return work

    def _take(self, work: _Work, number: int, made: Made | Failure | None) -> None:
        """Takes what came of a shard, and keeps it for other runs."""
        work.made[number] = made
        if not isinstance(made, Made):
            return
        if self._is_lasting:
            work.remains.add(made.remains)
        # What is found in unsaved text is not kept: the next key stroke makes it useless.
        if work.task.store is not None and not work.task.unsaved:
            try:
                _keep(work.task.store, work.shards[number], made)
            except Exception as error:
                work.failure = Failure.of(error, "")

    def _ended(self, work: _Work) -> Analysed | Failure:
        if work.failure is None and None in work.made.values():
            work = self._begun(work.task, is_held=True)
            self._here(work.left_of())
        division = work.division
        if work.failure is not None or division is None:
            return work.failure or Failure("", None, "", "nothing was read")
        found: list[Diagnostic] = []
        reached: Counter[str] = Counter()
        is_everything = division.is_everything
        for _, made in sorted(work.made.items()):
            if isinstance(made, Failure):
                return made
            assert made is not None
            found += made.found
            reached.update(made.reached)
            is_everything = is_everything and made.is_everything
        if self._is_lasting:
            self._remains[work.task.project.root] = work.remains
        found.sort(key=Diagnostic.sort_key)
        return Analysed(found, division.digests, division.codes, is_everything, reached, work.is_lost)

    # ---- shards

    def _finish(self, works: Sequence[_Work]) -> None:
        """Analyzes all shards that nothing is known of."""
        left = [each for work in works for each in work.left_of()]
        steps = _Steps(self._progress, works, len(left))
        ends = self._elsewhere(left)
        steps.begin()
        if ends is None:
            self._here(left, steps)
            return
        died: list[_Left] = []
        for each, made in ends:
            steps.end(each)
            if made is DIED:
                died.append(each)
            else:
                self._take(*each[:2], made)
        self._again(died)

    def _again(self, died: Sequence[_Left]) -> None:
        """Shards on which a process died, once more, each with nothing beside it."""
        if not died:
            return
        workers = Workers(1, _apart)
        try:
            items = [self._item(work, shard) for work, _, shard in died]
            ends = dict(workers.run(items, [shard.size for _, _, shard in died]))
        except OSError:
            ends = {}
        finally:
            workers.stop()
        for index, (work, number, shard) in enumerate(died):
            made = ends.get(index, DIED)
            if made is DIED:
                failure = Failure.of(RuntimeError("the process that analysed it died"), "")
                made = Made([_lost(shard.project, failure)], {}, False, {}, Remains())
                work.is_lost = True
            self._take(work, number, made)

    def _here(self, left: Sequence[_Left], steps: _Steps | None = None) -> None:
        """Analyzes shards in this process, in their order."""
        for each in left:
            work, number, shard = each
            if steps is not None:
                steps.start(shard)
            made = self.made(shard, work.task.store, work.known, self._is_lasting)
            self._take(work, number, made)
            if steps is not None:
                steps.end(each)

    def made(
        self, shard: Shard, store: Store | None, known: Remains | None, has_programs: bool
    ) -> Made | Failure | None:
        """What comes of a shard; None where its files have changed since the project was divided."""
        REACHED.clear()
        self._tidying.begin(shard.size)
        state = State(shard, store, known, has_programs, self._progress, self._tidying.left)
        try:
            with self._tidying:
                found = with_room(state.found)
        except Moved:
            return None
        except Exception as error:
            return Failure.of(error, "")
        remains = state.remains(has_programs)
        return Made(found, state.kept, state.is_everything, dict(REACHED), remains)

    def _elsewhere(self, left: list[_Left]) -> Iterator[tuple[_Left, Any]] | None:
        """What comes of shards on workers, as they end; None where they would not help."""
        sizes = [shard.size for _, _, shard in left]
        if self._is_lasting and any(work.known.rows for work, _, _ in left):
            return None  # programs are here
        order = sorted(range(len(left)), key=lambda number: (-sizes[number], number))
        left = [left[number] for number in order]
        sizes = [sizes[number] for number in order]
        if self._executor is not None:
            if not left or any(shard.project.settings.plugins for _, _, shard in left):
                return None  # what is installed here need not be there
            items = [self._item(work, shard, is_here=False) for work, _, shard in left]
            ends = through(self._executor, _apart, items, sizes, _Item.with_bytes)
        else:
            workers = self._workers_for(sizes)
            if workers is None:
                return None
            try:
                ends = workers.run([self._item(work, shard) for work, _, shard in left], sizes)
            except OSError:  # no processes here
                self.stop()
                return None
        return ((left[number], made) for number, made in ends)

    def _item(self, work: _Work, shard: Shard, is_here: bool = True) -> _Item:
        store = work.task.store
        folder = store.folder if is_here and store is not None else None
        return _Item(shard, folder, self._is_lasting, None if is_here else _versions())

    def _workers_for(self, sizes: Sequence[int]) -> Workers | None:
        jobs = self._jobs
        if jobs is None:
            jobs = _cores() if sum(sizes) >= WORTH_WORKERS else 1
        if min(jobs, len(sizes)) < 2 or max(sizes) > _UNEVEN * sum(sizes):
            return None
        if self._workers is None:
            self._workers = Workers(jobs, _apart)
        return self._workers


class _Item(NamedTuple):
    """What a worker is given. folder: of the store. versions: that the worker must have."""

    shard: Shard
    folder: str | None
    is_lasting: bool
    versions: tuple[str, ...] | None

    def with_bytes(self) -> _Item:
        try:
            return self._replace(shard=self.shard.with_bytes())
        except Moved:
            return self._replace(versions=())


def _apart(item: _Item) -> Made | Failure | None:
    """What comes of a shard in a worker; None where it must be done elsewhere."""
    if item.versions is not None and item.versions != _versions():
        return None
    store = None if item.folder is None else _store(item.folder)
    with _ALONE:
        made = _own_stage().made(item.shard, store, None, False)
    if isinstance(made, Made) and not item.is_lasting:
        made = replace(made, remains=Remains())
    return made


_ALONE = Lock()
"""A worker may have several threads, and the analysis is one per process."""


@lru_cache(maxsize=1)
def _own_stage() -> Stage:
    return Stage(1, None, True, False)


@lru_cache(maxsize=64)
def _store(folder: str) -> Store:
    return Store(folder)


def _versions() -> tuple[str, ...]:
    return (*parsing.versions(), own_digest())


class _Tidying:
    """Has what shards leave in memory taken apart before it is much; what ends before that pays nothing."""

    def __init__(self) -> None:
        self.left: list[Callable[[], None]] = []
        self._is_collecting = False
        self._size = 0  # bytes of the files of shards that have left something

    def begin(self, size: int) -> None:
        """Files of so many bytes are analyzed next."""
        if self._size and self._size + size > _MUCH:
            self._tidy()
            gc.collect(0)  # what was there before is older
        self._size += size

    def __enter__(self) -> None:
        self._is_collecting = gc.isenabled()
        gc.disable()

    def __exit__(self, *error: object) -> None:
        """What is left is taken apart before Python looks through it; where it does not, more may be left."""
        if self._is_collecting:
            self._tidy()
            gc.enable()

    def _tidy(self) -> None:
        for release in self.left:
            release()
        self.left.clear()
        self._size = 0


_Left = tuple[_Work, int, Shard]


class _Steps:
    """Tells how many shards and projects are done."""

    def __init__(self, progress: Progress, works: Sequence[_Work], left: int) -> None:
        self._progress = progress
        self._works = works
        self._count = sum(len(work.shards) for work in works)
        self._done = self._count - left
        self._left = {id(work): len(work.left()) for work in works}

    def begin(self) -> None:
        self._progress.begin()
        self._progress.read(sum(len(work.task.project.files) for work in self._works))
        self._projects()

    def start(self, shard: Shard) -> None:
        self._progress.component(self._done + 1, self._count, shard.paths)

    def end(self, left: _Left) -> None:
        work, _, shard = left
        self._done += 1
        self._left[id(work)] -= 1
        self.start(shard)
        self._projects()

    def _projects(self) -> None:
        self._progress.project(sum(not left for left in self._left.values()), len(self._works))


def _known(shard: Shard, work: _Work) -> list[Diagnostic] | None:
    """The findings of a shard, from memory or from the store if they are there."""
    files, store = shard.files, work.task.store
    found = work.known.found.get(told_key(shard, files))
    if found is None and not shard.is_only and store is not None:
        key = shard.key(files)
        found = read(store.value_of("component", key), key)
    return found


def _keep(store: Store, shard: Shard, made: Made) -> None:
    """Keeps the findings of the components of a shard, and of all of it."""
    records = dict(made.components)
    whole = shard.key(shard.files)
    if shard.is_only and whole in records:
        return  # it is kept as the project
    if made.is_everything and is_kept(made.found) and not shard.is_only:
        records.setdefault(whole, made.found)
    for key, found in records.items():
        store.keep("component", key, written(found, key))


def _lost(project: Project, failure: Failure) -> Diagnostic:
    found = replace(failure, path=min(project.reported))
    return found.diagnostic(message=f"jaxlint failed on the project of this file: {failure.what}")


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
