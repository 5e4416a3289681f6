"""What is told of open files: one look at all of them, in their projects.

In: buffers, options, a session. Out: a `Told` for each buffer. A buffer that does not parse is told of alone;
for the others its last text that did parse stands in for it. It knows nothing of the protocol.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from jaxlint.diagnostic import Diagnostic
from jaxlint.fixes.apply import parses
from jaxlint.project.configuration import Configuration
from jaxlint.project.discovery import find_projects
from jaxlint.project.option import SettingsError
from jaxlint.project.project import Project
from jaxlint.server.option import Options
from jaxlint.session.check import Check
from jaxlint.session.progress import Progress
from jaxlint.session.session import Session
from jaxlint.session.state import traced_functions
from jaxlint.source.formats import format_of, is_embedded
from jaxlint.source.text import UnreadableSource, read_source

SYNTAX_ERROR = "JAX001"


@dataclass(frozen=True)
class Told:
    """What is told of a file, and the project in which it was found."""

    diagnostics: tuple[Diagnostic, ...]
    check: Check


class Superseded(BaseException):
    """Nobody waits for a look any more: there was another edit."""


class _Steps(Progress):
    def __init__(self, is_wanted: Callable[[], bool]) -> None:
        self._is_wanted = is_wanted

    def step(self) -> None:
        if not self._is_wanted():
            raise Superseded


class Teller:
    """Looks at buffers again and again, and keeps what it has read.

    Args:
        folder: What paths in options are relative to.
        is_wanted: Whether somebody still waits for the look that goes on.
    """

    def __init__(self, folder: str, is_wanted: Callable[[], bool]) -> None:
        self._session = Session(cache=True, is_lasting=True, progress=_Steps(is_wanted))
        self._folder = folder
        self._whole: dict[str, bytes] = {}  # the last text of each buffer that parsed
        self._last: dict[str, tuple[bytes, Told]] = {}  # what was told of each buffer, and of which text

    def told(
        self, texts: Mapping[str, bytes], options: Options, wrong: list[str] | None = None
    ) -> dict[str, Told]:
        """What is told of each buffer, by path.

        Args:
            wrong: Gets what is wrong with the settings of projects, of which nothing new is told then; it is
                raised where there is none.

        Raises:
            SettingsError: a configuration file, or an option, is wrong.
            Superseded: nobody waits for it any more.
        """
        broken = {path for path, data in texts.items() if not _parses(path, data)}
        self._whole = {path: data for path, data in self._whole.items() if path in texts}
        self._whole |= {path: data for path, data in texts.items() if path not in broken}
        standing = {path: self._whole.get(path, data) for path, data in texts.items()}
        alone = {path for path in broken if standing[path] is not texts[path]}
        found: dict[str, Told] = {}
        for project in self._projects(texts, options, wrong):
            try:
                for path in sorted(project.reported & alone):
                    own = Project(
                        project.root, (project.by_path[path],), frozenset([path]), project.settings, False
                    )
                    found |= self._told(self._check(own, texts, options), [path])
                check = self._check(project, standing, options)
                found |= self._told(check, project.reported - alone)
                if wrong is not None:
                    wrong += [problem for problem in check.problems if problem not in wrong]
            except SettingsError as error:
                _note(error, wrong)
        if wrong:
            kept = {path: told for path, (data, told) in self._last.items() if texts.get(path) == data}
            found = kept | found
        self._last = {path: (texts[path], told) for path, told in found.items()}
        return found if options.syntaxErrors else {path: _that_parses(each) for path, each in found.items()}

    def check_of(self, path: str, texts: Mapping[str, bytes], options: Options) -> Check | None:
        """The project of a buffer as it is now, of which only this one is reported."""
        for project in self._projects(texts, options, []):
            if path in project.reported:
                return self._check(replace(project, reported=frozenset([path])), texts, options)
        return None

    def hints(
        self, path: str, texts: Mapping[str, bytes], options: Options
    ) -> list[tuple[int, int | None, str]]:
        """For each traced function of a buffer its row, its cell, and what traces it."""
        found = []
        for project in self._projects({path: texts[path]}, options, []):
            facts = self._session.observed(project)
            functions = traced_functions(project, _inside(project, texts), facts).functions
            for each in functions:
                if each.chain:
                    text = f"traced: {each.transform} at {os.path.basename(each.chain[0].filename)}"
                    found.append((each.place.span.row, each.place.cell, f"{text}:{each.chain[0].span.row}"))
        return found

    def _projects(
        self, texts: Mapping[str, bytes], options: Options, wrong: list[str] | None
    ) -> Sequence[Project]:
        """The projects of buffers, but for those whose settings are wrong."""

        def projects(paths: Iterable[str]) -> Sequence[Project]:
            configuration = Configuration(
                file=options.file,
                overrides=options.overrides(),
                origin="settings of the editor",
                cwd=self._folder,
            )
            return find_projects([], configuration, unsaved=paths).projects

        try:
            return projects(texts)
        except SettingsError:
            sound = []
            for path in texts:
                try:
                    projects([path])
                    sound.append(path)
                except SettingsError as error:
                    _note(error, wrong)
            return projects(sound)

    def _check(self, project: Project, texts: Mapping[str, bytes], options: Options) -> Check:
        return Check(project, unsaved=_inside(project, texts), lowest=options.lowest, session=self._session)

    def _told(self, check: Check, paths: Iterable[str]) -> dict[str, Told]:
        rows: dict[str, list[Diagnostic]] = {}
        for each in check.diagnostics:
            rows.setdefault(each.filename, []).append(each)
        return {path: Told(tuple(rows.get(path, ())), check) for path in paths}


def _note(error: SettingsError, wrong: list[str] | None) -> None:
    if wrong is None:
        raise error
    if str(error) not in wrong:
        wrong.append(str(error))


def _inside(project: Project, texts: Mapping[str, bytes]) -> dict[str, bytes]:
    return {path: data for path, data in texts.items() if path in project.by_path}


def _that_parses(told: Told) -> Told:
    """The same without what other tools of the editor say too."""
    return replace(told, diagnostics=tuple(each for each in told.diagnostics if each.code != SYNTAX_ERROR))


def _parses(path: str, data: bytes) -> bool:
    """Whether a text can stand for its file; of a notebook each cell is looked at by itself."""
    if is_embedded(format_of(path, {})):
        return True
    try:
        return parses(read_source(data).text)
    except UnreadableSource:
        return False
