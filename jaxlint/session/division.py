"""A project divided into shards that can be analyzed by themselves: here, in other processes, elsewhere.

In: a `Project` and unsaved text. Out: shards, each with all files that imports may connect. A shard is plain
data, and has all that its findings depend on. No file is parsed here: a look at the lines that may be imports
puts no files apart that belong together.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from jaxlint.failure import in_a_line
from jaxlint.ir import parsing
from jaxlint.ir.document import read_document
from jaxlint.ir.parsing import Refusal
from jaxlint.ir.program import Import
from jaxlint.project.project import Project, SourceFile
from jaxlint.rule.registry import registry
from jaxlint.session.components import components, is_decidable, is_named
from jaxlint.session.fingerprints import digest, files_fingerprint, shape_fingerprint
from jaxlint.session.import_scan import possible_imports
from jaxlint.session.observed import NOTHING, Observed
from jaxlint.session.progress import SILENT, Progress
from jaxlint.source.formats import is_embedded
from jaxlint.source.text import UnreadableSource

_REST = 500_000  # bytes of files in a shard in which only files that are not parsed have a finding
Known = TypeVar("Known")
_TAILS = (f"{os.sep}__init__.py", ".py", f"{os.sep}__init__.pyi", ".pyi")
_ENDINGS = (*_TAILS, "")


class Moved(Exception):
    """A file has other bytes than when the project was divided."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Files of a project that are analyzed apart from the others.

    project: these files, and those that decide what names in them mean. paths: of these files, in order.
    shape: what findings depend on besides bytes. codes: what is told of. digests: of the bytes of files.
    contents: of what is analyzed of them. refused: what cannot be read, and why. data: bytes that stand in
    for those on disk. named: the files that speak of a library of the tables. size: bytes of all files.
    facts: what runs showed of these files. is_only: the project has no other shard. is_stored: what is found
    is kept for other runs, so that it is looked for in all files. is_apart: whether files that imports do not
    connect are analyzed apart.
    """

    project: Project
    paths: tuple[str, ...]
    tool: str
    shape: str
    codes: frozenset[str]
    digests: Mapping[str, str]
    contents: Mapping[str, str]
    refused: Mapping[str, Refusal]
    data: Mapping[str, bytes]
    unsaved: frozenset[str]
    named: frozenset[str]
    size: int
    facts: Observed
    is_only: bool
    is_stored: bool
    is_apart: bool

    @property
    def files(self) -> list[SourceFile]:
        return [self.project.by_path[path] for path in self.paths]

    def key(self, component: Sequence[SourceFile]) -> str:
        """What the findings in some of the files are kept under."""
        return files_fingerprint(
            self.shape, component, self.contents, self.facts.digest_of(file.path for file in component)
        )

    def told(self, component: Iterable[SourceFile]) -> set[str]:
        """The files of these in which findings are looked for."""
        paths = {file.path for file in component}
        return paths if self.is_stored else paths & self.project.reported

    def bytes_of(self, path: str) -> bytes:
        """The bytes of a file as they were when the project was divided.

        Raises:
            Moved: they are gone.
        """
        if path in self.data:
            return self.data[path]
        try:
            data = parsing.read_bytes(path)
        except OSError:
            raise Moved(path) from None
        if digest(data) != self.digests[path]:
            raise Moved(path)
        return data

    def with_bytes(self) -> Shard:
        """The same with all that is on disk, for a machine that has another one."""
        return replace(
            self, data={path: self.bytes_of(path) for path in self.paths if path not in self.refused}
        )


class Division:
    """The files of a project as they are now, each read once.

    Args:
        unsaved: Bytes that stand in for a file's, by path.
        is_stored: Whether what is found is kept for other runs.
        is_apart: Whether files that imports do not connect are analyzed apart.
        is_held: Whether bytes stay in memory; else they are read again where they are analyzed.
        facts: What runs showed of the project.

    Raises:
        SettingsError: the settings name a rule that there is not.
    """

    def __init__(
        self,
        project: Project,
        unsaved: Mapping[str, bytes],
        *,
        tool: str = "",
        is_stored: bool = False,
        is_apart: bool = True,
        is_held: bool = False,
        progress: Progress = SILENT,
        facts: Observed = NOTHING,
    ) -> None:
        self.project = project
        self.facts = facts
        self.codes = registry(project.settings.plugins).told(project.settings)
        self.digests: dict[str, str] = {}
        self.is_everything = True  # every shard has findings that are asked for
        self._data = {file.path: unsaved[file.path] for file in project.files if file.path in unsaved}
        self._unsaved = frozenset(self._data)
        self._tool = tool
        self._is_stored = is_stored
        self._is_apart = is_apart
        self._is_held = is_held
        self._contents: dict[str, str] = {}
        self._refused: dict[str, Refusal] = {}
        self._sizes: dict[str, int] = {}
        self._named: set[str] = set()
        self._is_decidable = is_decidable(project)
        self.shards = self._shards(self._imports(progress))

    def _imports(self, progress: Progress) -> dict[str, dict[Import, None]]:
        """What each file may import, by path."""
        found: dict[str, dict[Import, None]] = {}
        for file in self.project.files:
            found[file.path] = {}
            try:
                data = self._read(file)
                if not self._is_decidable or is_named(file, data) or file.path in self.facts.files:
                    self._named.add(file.path)
                found[file.path] = possible_imports(data)
            except OSError as error:
                self.digests[file.path] = f"unreadable: {error.strerror or error}"
                self._refused[file.path] = parsing.unreadable(error)
            except UnreadableSource as error:
                self._refused[file.path] = Refusal("JAX002", error.reason, error.row)
            except Exception as error:
                self.digests[file.path] = f"unreadable: {in_a_line(error)}"
                self._refused[file.path] = parsing.failed(error)
            self._contents.setdefault(file.path, self.digests[file.path])
            progress.read(1)
        return found

    def _read(self, file: SourceFile) -> bytes:
        """The bytes of the Python in a file."""
        data = self._data.get(file.path)
        if data is None:
            data = parsing.read_bytes(file.path)
            if self._is_held:
                self._data[file.path] = data
        self._sizes[file.path] = len(data)
        self.digests[file.path] = self._contents[file.path] = digest(data)
        if is_embedded(file.format):
            self._contents[file.path] = digest(f"{file.format} {self.digests[file.path]}".encode())
            data = read_document(file.format, data).python
        return data

    def _shards(self, imports: Mapping[str, Iterable[Import]]) -> list[Shard]:
        groups = [list(self.project.files)]
        rest: list[SourceFile] = []
        if self._is_apart:
            groups = []
            for group in components(self.project, imports):
                if self.project.reported.isdisjoint(file.path for file in group):
                    self.is_everything = False
                elif self._named.isdisjoint(file.path for file in group):
                    rest += group
                else:
                    groups.append(group)
            groups += self._chunks(rest)
        surroundings = Surroundings(self.project)
        is_only = self.is_everything and len(groups) == 1
        return [self._shard(group, surroundings, is_only) for group in groups]

    def _chunks(self, files: Iterable[SourceFile]) -> Iterator[list[SourceFile]]:
        chunk: list[SourceFile] = []
        size = 0
        for file in files:
            chunk.append(file)
            size += self._sizes.get(file.path, 0)
            if size >= _REST:
                yield chunk
                chunk, size = [], 0
        if chunk:
            yield chunk

    def _shard(self, files: Sequence[SourceFile], surroundings: Surroundings, is_only: bool) -> Shard:
        paths = tuple([file.path for file in files])
        project = surroundings.of(files)
        return Shard(
            project,
            paths,
            self._tool,
            digest(" ".join([shape_fingerprint(project, self._tool), *sorted(self.codes)]).encode()),
            self.codes,
            _of(paths, self.digests),
            _of(paths, self._contents),
            _of(paths, self._refused),
            _of(paths, self._data),
            self._unsaved.intersection(paths),
            frozenset(self._named.intersection(paths)),
            sum(self._sizes.get(path, 0) for path in paths),
            self.facts.within(paths),
            is_only,
            self._is_stored,
            self._is_apart,
        )


class Surroundings:
    """Which other files of a project decide what imports in some of its files mean.

    An import leads to a file of the same shard, or to none; others matter where they hide one or make a name
    ambiguous, and where they make a package of the folder that an import stands in.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._by_name: dict[str, list[str]] = {}
        for file in project.files:
            for name in file.module:
                self._by_name.setdefault(name, []).append(file.path)

    def of(self, files: Sequence[SourceFile]) -> Project:
        """The project with these files and those that matter to them."""
        project = self._project
        if len(files) == len(project.files):
            return project
        paths = {file.path for file in files}
        wanted = set(paths)
        for file in files:
            stem = next(file.path.removesuffix(tail) for tail in _ENDINGS if file.path.endswith(tail))
            folder = os.path.dirname(file.path)
            wanted.update(f"{stem}{tail}" for tail in _TAILS)
            wanted.update(f"{folder}{tail}" for tail in _TAILS if tail.startswith(os.sep))
            wanted.update(path for name in file.module for path in self._by_name[name])
        return replace(
            project,
            files=tuple([project.by_path[path] for path in sorted(wanted) if path in project.by_path]),
            reported=project.reported & paths,
        )


def _of(paths: Iterable[str], table: Mapping[str, Known]) -> dict[str, Known]:
    return {path: table[path] for path in paths if path in table}
