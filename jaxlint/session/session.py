"""What is kept while projects are linted again and again, on disk and in memory.

In: a `Project`, unsaved text by path, and how its findings are to be reported. Out: the findings of all
rules, and what an earlier run reported, from the cache where nothing that they depend on has changed. It
loads the analysis only when something has to be analyzed, and never selects or hides a finding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from jaxlint.diagnostic import Diagnostic
from jaxlint.failure import Failure, in_a_line
from jaxlint.project.project import Project
from jaxlint.project.settings import ConfirmSettings
from jaxlint.report.record import is_kept, read, written
from jaxlint.session.fingerprints import Fingerprints, digest, project_fingerprint, tool_fingerprint
from jaxlint.session.progress import SILENT, Progress
from jaxlint.session.store import Store, folder_for

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from jaxlint.session.observed import Observed, Read
    from jaxlint.session.stage import Analysed, Stage, Task

Say = Callable[[str], None]


def _silent(text: str) -> None:
    """Says nothing."""


class Session:
    """What runs share: caches, and workers.

    Args:
        cache: Whether results are kept on disk. The folder is the settings' `cache_dir`, else in the project.
        jobs: How many processes may analyze at the same time; None: as many as the work is worth.
        is_lasting: Whether programs stay in memory: the same projects will be linted again.
        executor: Works in place of processes of this session.
        skip: Whether files that cannot matter are left unparsed.
        say: Gets a line about a cache that cannot be used.
        warn: Gets that line in its place where the settings name the folder.
        progress: Gets the steps of the work.
        read: Gives the facts that a file of them has; None: reads them.
    """

    def __init__(
        self,
        *,
        cache: bool = False,
        jobs: int | None = 1,
        is_lasting: bool = False,
        executor: Executor | None = None,
        skip: bool = True,
        say: Say | None = None,
        warn: Say | None = None,
        progress: Progress = SILENT,
        read: Read | None = None,
    ) -> None:
        self.progress = progress
        self._is_caching = cache
        self._jobs = jobs
        self._is_lasting = is_lasting
        self._executor = executor
        self._skip = skip
        self._say = say or _silent
        self._warn = warn or self._say
        self.reached: Counter[str] = Counter()  # limits of the analysis, by name
        self._stores: dict[str, Store] = {}
        self._stage: Stage | None = None
        self._read = read

    def observed(self, project: Project) -> Observed | None:
        """What runs showed of a project; None where its settings name no facts."""
        if not project.settings.facts:
            return None
        from jaxlint.session.observed import Reader, observed

        self._read = self._read or Reader()
        return observed(project, self._read)

    def results(self, project: Project, unsaved: Mapping[str, bytes]) -> Results:
        """The findings of a project as its files are now."""
        return Results(self, project, unsaved)

    def store_of(self, project: Project) -> Store | None:
        """Where a project's results are kept; None where they are not."""
        if not self._is_caching:
            return None
        named = project.settings.cache_dir
        folder = folder_for(project.root, named)
        if folder not in self._stores:
            self._stores[folder] = Store(folder, self._say if named is None else self._warn)
        return self._stores[folder]

    @property
    def stage(self) -> Stage:
        """The work on files; loading it loads the analysis."""
        if self._stage is None:
            from jaxlint.session.stage import Stage

            self._stage = Stage(self._jobs, self._executor, self._skip, self._is_lasting, self.progress)
        return self._stage

    def analyse(self, pending: Sequence[Results]) -> None:
        """Finds what is in several projects, on workers where these help."""
        if pending:
            tasks = [results.task() for results in pending]
            for results, task, made in zip(pending, tasks, self.stage.together(tasks), strict=True):
                results.settle(task, made)

    def stop(self) -> None:
        """Ends the workers in the middle of what they do."""
        self.progress.close()
        if self._stage is not None:
            self._stage.stop()

    def close(self) -> None:
        """Ends the workers, and keeps the caches to their size."""
        self.progress.close()
        if self._stage is not None:
            self._stage.close()
        for store in self._stores.values():
            try:
                store.trim()
            except Exception as error:
                self.doubt(error)

    def doubt(self, error: BaseException | str) -> None:
        """Something went wrong in what is kept: that costs time, and nothing else."""
        what = error if isinstance(error, str) else in_a_line(error)
        self._say(f"the cache is not used: {what}")


class Results:
    """The findings of one project in one state of its files."""

    def __init__(self, session: Session, project: Project, unsaved: Mapping[str, bytes]) -> None:
        self._session = session
        self._project = project
        self._unsaved = unsaved
        self._found: list[Diagnostic] | None = None
        self._told: tuple[str, list[Diagnostic] | None] | None = None
        self.facts = session.observed(project)  # what runs showed; None where no facts are given

    def found(self) -> list[Diagnostic]:
        """What the rules that are on find in the reported files, before anything is hidden."""
        if not self.is_found():
            task = self.task()
            self.settle(task, self._session.stage.attempted(task))
        return [each for each in self._found or () if each.filename in self._project.reported]

    def is_found(self) -> bool:
        """Whether the findings are known, from the cache or from before."""
        if self._found is None and self._store is not None and self._key is not None:
            try:
                kept = self._store.value_of("found", self._key)
                codes = kept.get("codes") if isinstance(kept, dict) else None
                if isinstance(codes, list) and all(code in codes for code in self._codes):
                    self._found = read(kept, self._key)
            except Exception as error:
                self._forgo_cache(error)
        return self._found is not None

    def task(self) -> Task:
        """What has to be done to know the findings."""
        from jaxlint.session.stage import Task

        try:
            is_cached = self._key is not None
        except Exception as error:
            self._forgo_cache(error)
            is_cached = False
        task = Task(self._project, self._unsaved)
        if self.facts is not None:
            task = task._replace(facts=self.facts)
        return task._replace(store=self._store, tool=self._tool) if is_cached else task

    def settle(self, task: Task, made: Analysed | Failure) -> None:
        """Takes what came of the task. What went wrong where something was kept is answered by a run that
        begins with nothing, but not what a process died of."""
        stage = self._session.stage
        if isinstance(made, Failure) or not (made.is_lost or is_kept(made.found)):
            if task.store is not None or stage.knows(self._project):
                if isinstance(made, Failure):
                    self._forgo_cache(made.what)
                stage.forget(self._project)
                made = stage.attempted(task._replace(store=None, tool=""))
        if isinstance(made, Failure):
            made = stage.lost(self._project, made)
        try:
            self._take(made)
        except Exception as error:
            self._forgo_cache(error)

    def _forgo_cache(self, error: Exception | str) -> None:
        self._session.doubt(error)
        self.__dict__.update(_store=None, _key=None)

    def _take(self, analysed: Analysed) -> None:
        self._found = analysed.found
        self._session.reached.update(analysed.reached)
        if self._store is None or self._key is None:
            return
        # A file may have changed since its stamp was taken.
        self._key = project_fingerprint(
            self._project, self._tool, analysed.digests, {}, self._digest_of_facts
        )
        if self._is_kept and analysed.is_everything and is_kept(self._found):
            record = written(self._found, self._key)
            self._store.keep("found", self._key, {**record, "codes": sorted(analysed.codes)})

    def reported(self, how: Sequence[object]) -> tuple[Diagnostic, ...] | None:
        """What an earlier run reported under the same settings and flags; None where none did."""
        try:
            if self._store is None or self._key is None:
                return None
            key = self._report_key(how)
            if self._told is None or self._told[0] != key:
                self._told = key, read(self._store.value_of("reported", key), key)
        except Exception as error:
            self._forgo_cache(error)
            return None
        return None if self._told[1] is None else tuple(self._told[1])

    def keep_reported(self, how: Sequence[object], reported: Sequence[Diagnostic]) -> None:
        if self._store is None or self._key is None or not self._is_kept or not is_kept(reported):
            return
        try:
            key = self._report_key(how)
            self._store.keep("reported", key, written(reported, key))
        except Exception as error:
            self._forgo_cache(error)

    @cached_property
    def _codes(self) -> frozenset[str]:
        """What the settings let be told."""
        from jaxlint.rule.registry import registry

        settings = self._project.settings
        return registry(settings.plugins).told(settings)

    @cached_property
    def _store(self) -> Store | None:
        # A plugin's rules may depend on anything.
        return None if self._project.settings.plugins else self._session.store_of(self._project)

    @cached_property
    def _fingerprints(self) -> Fingerprints:
        assert self._store is not None
        return Fingerprints(self._store, self._project.root)

    @cached_property
    def _tool(self) -> str:
        """The stamp of the tool; empty where the findings depend on more than can be looked at."""
        return "" if self._store is None else tool_fingerprint(self._fingerprints) or ""

    @cached_property
    def _key(self) -> str | None:
        """The key of the findings; None where there can be none."""
        if self._store is None or not self._tool:
            return None
        saved = [file.path for file in self._project.files if file.path not in self._unsaved]
        digests = {path: self._fingerprints.of(path) for path in saved}
        if self._is_kept:
            self._fingerprints.save()
        return project_fingerprint(self._project, self._tool, digests, self._unsaved, self._digest_of_facts)

    @cached_property
    def _digest_of_facts(self) -> str:
        """Of all that findings depend on of what runs showed."""
        return "" if self.facts is None else self.facts.digest_of(file.path for file in self._project.files)

    @property
    def _is_kept(self) -> bool:
        """What is found in unsaved text is not kept: the next key stroke makes it useless."""
        return not self._unsaved

    def _report_key(self, how: Sequence[object]) -> str:
        project = self._project
        settings = replace(
            project.settings,
            output_format=None,
            cache_dir=None,
            baseline=None,  # what it hides is taken out afterwards
            confirm=ConfirmSettings(),
            target_jax=None,
            facts=(),  # what they hold is in the key of the findings
        )
        parts = [self._key, repr(settings), repr(project.whole), repr(how), *sorted(project.reported)]
        return digest("\n".join(map(str, parts)).encode("utf-8", "surrogatepass"))
