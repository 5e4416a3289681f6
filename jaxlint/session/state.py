"""One shard of a project in one state of its files.

In: a `Shard`, what is known of earlier states, and a store. Out: its findings, and what the next state may
begin with. Files that imports do not connect are analyzed apart, so that a change in one leaves the others
alone; what cannot matter is not analyzed, and a program is decoded where it is analyzed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from jaxlint.diagnostic import Diagnostic, Severity, Span
from jaxlint.failure import Failure
from jaxlint.ir import parsing
from jaxlint.ir.document import Document, moved_back, read_document
from jaxlint.ir.parsing import Lead, Outcome
from jaxlint.project.project import Project, SourceFile
from jaxlint.report.record import is_kept, read, written
from jaxlint.report.tracedness import Traced
from jaxlint.rule.registry import registry
from jaxlint.session import pipeline
from jaxlint.session.components import components
from jaxlint.session.division import Division, Shard
from jaxlint.session.fingerprints import digest
from jaxlint.session.observed import Observed, observed
from jaxlint.session.progress import SILENT, Progress
from jaxlint.session.store import Store
from jaxlint.source.formats import is_embedded


@dataclass(slots=True)
class Row:
    """What is known of the bytes of a file; the outcome is made of the record when it is asked for."""

    lead: Lead
    outcome: Outcome | None = None
    record: bytes = b""


@dataclass(frozen=True, slots=True)
class Remains:
    """What a state leaves to the next: rows by the digest of the bytes, findings of components and of files
    by key."""

    rows: dict[str, Row] = field(default_factory=dict)
    found: dict[str, list[Diagnostic]] = field(default_factory=dict)
    rendered: dict[str, list[Diagnostic]] = field(default_factory=dict)

    def add(self, other: Remains) -> None:
        self.rows.update(other.rows)
        self.found.update(other.found)
        self.rendered.update(other.rendered)


def told_key(shard: Shard, component: Sequence[SourceFile]) -> str:
    """What is found in some files of a shard, under the digest of all that it depends on."""
    rows = [shard.key(component), *sorted(shard.told(component))]
    return digest("\n".join(rows).encode("utf-8", "surrogatepass"))


class Rendered:
    """The diagnostics of files as they were rendered in this state, or are kept of earlier ones."""

    def __init__(self, store: Store | None, tool: str, is_kept: bool) -> None:
        self._store = store
        self._tool = tool
        self._is_kept = is_kept
        self.earlier: Mapping[str, list[Diagnostic]] = {}
        self.own: dict[str, list[Diagnostic]] = {}

    def get(self, key: str) -> list[Diagnostic] | None:
        found = self.earlier.get(key)
        if found is None and self._store is not None:
            found = read(self._store.value_of("rendered", self._full(key)), key)
        if found is not None:
            self.own[key] = found
        return found

    def put(self, key: str, found: Sequence[Diagnostic]) -> None:
        self.own[key] = list(found)
        if self._store is not None and self._is_kept:
            self._store.keep("rendered", self._full(key), written(found, key))

    def _full(self, key: str) -> str:
        return digest(f"{self._tool} {key}".encode())


class State:
    """A shard. Nothing is read before `found` is asked for.

    Args:
        known: What earlier states of the project left; what of its rows is taken is taken out.
        is_lasting: Whether programs are kept for the next state.
        left: Gets what takes apart what analyses leave in memory.
    """

    def __init__(
        self,
        shard: Shard,
        store: Store | None = None,
        known: Remains | None = None,
        is_lasting: bool = False,
        progress: Progress = SILENT,
        left: list[Callable[[], None]] | None = None,
    ) -> None:
        self.shard = shard
        self.is_everything = True
        self.kept: dict[str, list[Diagnostic]] = {}  # findings of components, by key, for other runs
        self._store = store
        self._known = known or Remains()
        self._is_lasting = is_lasting
        self._progress = progress
        self._left = left
        self._data = _Texts(self._read)
        self._documents: dict[str, Document] = {}  # of the files that hold Python without being Python
        self._rows: dict[str, Row] = {}
        self._found: dict[str, list[Diagnostic]] = {}
        self._rendered = Rendered(store, shard.tool, not shard.unsaved)
        self._rendered.earlier = self._known.rendered

    def found(self) -> list[Diagnostic]:
        """What the rules that are on find in reported files; where results are kept, in all files that are
        analyzed with these.

        Raises:
            Moved: a file has changed since the project was divided.
        """
        shard = self.shard
        self._parse()
        found: list[Diagnostic] = []
        if shard.is_apart and not shard.named:
            found = self._refused(shard.files)
        else:
            apart = self._components()
            for component in apart:
                if shard.project.reported.isdisjoint(file.path for file in component):
                    self.is_everything = False
                elif shard.is_apart and not self._may_matter(component):
                    found += self._refused(component)
                else:
                    found += self._kept(component, len(apart) > 1)
        return found

    def traced(self) -> Believed:
        """What the analysis believes of the functions of the reported files."""
        self._parse()
        reported = self.shard.project.reported
        found: list[Traced] = []
        failures: list[Failure] = []
        for component in self._components():
            if not reported.isdisjoint(file.path for file in component):
                made = pipeline.traced_in_component(
                    self.shard.project,
                    self._texts(component),
                    self._outcomes(component),
                    reported,
                    self.shard.facts,
                )
                found += made[0]
                failures += made[1]
        unread = {
            path: outcome.message
            for path in sorted(reported.intersection(self._rows))
            if isinstance(outcome := self._outcome(path), parsing.Refusal)
        }
        return Believed([each.in_text(self._documents) for each in found], failures, unread)

    def remains(self, with_programs: bool) -> Remains:
        """What the next state may begin with."""
        rows = {
            self.shard.contents[path]: row if with_programs else Row(row.lead)
            for path, row in self._rows.items()
        }
        return Remains(rows, self._found, self._rendered.own)

    # ---- files

    def _read(self, path: str) -> bytes:
        """The Python in a file; nothing where it cannot be read."""
        if path in self.shard.refused:
            return b""
        data = self.shard.bytes_of(path)
        format = self.shard.project.by_path[path].format
        if is_embedded(format):
            document = self._documents[path] = read_document(format, data)
            data = document.python
        return data

    def _texts(self, component: Iterable[SourceFile]) -> Mapping[str, bytes]:
        for file in component:
            _ = self._data[file.path]  # what has changed is seen before the analysis begins
        return self._data

    def _is_embedded(self, path: str) -> bool:
        return is_embedded(self.shard.project.by_path[path].format)

    def _faults(self, paths: Iterable[str]) -> Iterator[Diagnostic]:
        """What is wrong with cells, the others of whose file are analyzed."""
        for path in paths:
            if path in self.shard.refused or not self._is_embedded(path):
                continue
            _ = self._data[path]
            for fault in self._documents[path].faults:
                span = Span(fault.row, fault.column, fault.row, fault.column)
                name = registry().entry(fault.code).name
                yield Diagnostic(path, span, fault.code, name, Severity.ERROR, fault.message)

    def _parse(self) -> None:
        """Rows of all files: from memory, from the store, or made now."""
        shard, store = self.shard, self._store
        for path in shard.paths:
            if path in shard.refused:
                self._rows[path] = Row(Lead(True, ()), shard.refused[path])
                continue
            # A program is the program of one file, also where others have the same text.
            row = self._known.rows.pop(shard.contents[path], None)
            if row is None and store is not None:
                row = _row(store.bytes_of("program", self._key(path)))
            if row is None:
                outcome = self._parsed(path)
                row = Row(parsing.lead_to(outcome), outcome)
                if store is not None and path not in shard.unsaved:
                    record = parsing.record_of(outcome)
                    if record:
                        store.keep_bytes("program", self._key(path), record)
            self._rows[path] = row

    def _parsed(self, path: str) -> Outcome:
        return parsing.parsed(self._data[path], self._is_embedded(path))

    def _outcome(self, path: str) -> Outcome:
        row = self._rows[path]
        if row.outcome is None:
            row.outcome = parsing.outcome_of(row.record)
            if row.outcome is None:  # the record is damaged behind its lead
                row.outcome = self._parsed(path)
            row.record = b""
        return row.outcome

    def _outcomes(self, component: Iterable[SourceFile]) -> dict[str, Outcome]:
        return {file.path: self._outcome(file.path) for file in component}

    def _key(self, path: str) -> str:
        return digest(f"{self.shard.tool} {self.shard.contents[path]}".encode())

    # ---- findings

    def _components(self) -> list[list[SourceFile]]:
        if not self.shard.is_apart:
            return [self.shard.files]
        return components(self.shard.project, {path: row.lead.imports for path, row in self._rows.items()})

    def _is_refused(self, file: SourceFile) -> bool:
        return self._rows[file.path].lead.is_refused

    def _may_matter(self, component: Iterable[SourceFile]) -> bool:
        return any(file.path in self.shard.named and not self._is_refused(file) for file in component)

    def _kept(self, component: Sequence[SourceFile], is_one_of_many: bool) -> list[Diagnostic]:
        """The findings of a component, from memory or from the store if they are there."""
        key, told = self.shard.key(component), told_key(self.shard, component)
        found = self._known.found.get(told)
        if found is None and is_one_of_many and self._store is not None:
            found = read(self._store.value_of("component", key), key)
        if found is None:
            told_of = self.shard.told(component)
            found = [*self._analyzed(component, told_of), *self._faults(sorted(told_of))]
            if not is_kept(found):
                return found
            self.kept[key] = found
        self._found[told] = found
        return found

    def _refused(self, files: Iterable[SourceFile]) -> list[Diagnostic]:
        """What there is to say of files in which nothing can be found but that they are no Python."""
        paths = {file.path for file in files}
        refused = [file for file in files if self._is_refused(file)]
        return [*self._analyzed(refused, paths), *self._faults(sorted(paths))]

    def _analyzed(self, component: Sequence[SourceFile], reported: set[str]) -> list[Diagnostic]:
        shard = self.shard
        # What a plugin's rule says may depend on anything.
        kept = None if shard.project.settings.plugins else self._rendered
        found = pipeline.analyze_component(
            shard.project,
            self._texts(component),
            self._outcomes(component),
            reported,
            kept,
            shard.codes,
            self._progress,
            self._left,
            shard.facts,
        )
        for file in component:
            self._data.pop(file.path, None)
            if not self._is_lasting:  # else the next state begins with these
                self._rows[file.path].outcome = None
        return [moved_back(each, self._documents) for each in found] if self._documents else found


class Believed(NamedTuple):
    """What is known of the functions of some files. failures: what went wrong. unread: by the path of a file
    of which nothing is known, what is wrong with it."""

    functions: list[Traced]
    failures: list[Failure]
    unread: dict[str, str]


class _Texts(dict[str, bytes]):
    """The Python in files, by path, read when it is asked for."""

    def __init__(self, read: Callable[[str], bytes]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, path: str) -> bytes:
        data = self[path] = self._read(path)
        return data


def _row(record: bytes | None) -> Row | None:
    """The row of a record; None where it is damaged."""
    lead = parsing.lead_of(record)
    return None if lead is None or record is None else Row(lead, None, record)


def traced_functions(
    project: Project, unsaved: Mapping[str, bytes], facts: Observed | None = None
) -> Believed:
    """What the analysis believes of the functions of the reported files of a project."""
    found: list[Traced] = []
    failures: list[Failure] = []
    unread: dict[str, str] = {}
    facts = observed(project) if facts is None else facts
    for shard in Division(project, unsaved, is_held=True, facts=facts).shards:
        made = State(shard).traced()
        found += made.functions
        failures += made.failures
        unread |= made.unread
    return Believed(sorted(found, key=lambda each: (each.place.filename, each.place.span)), failures, unread)
