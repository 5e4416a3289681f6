"""One project in one state of its files.

In: a `Project`, unsaved text, what is known of earlier states, and a store. Out: its findings, and the
digests of the bytes that they rest on. Files that imports do not connect are analyzed apart, so that a change
in one leaves the others alone; what cannot matter is not analyzed, and a program is decoded where it is
analyzed.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from jaxlint.diagnostic import Diagnostic, Severity, Span
from jaxlint.failure import Failure, in_a_line
from jaxlint.ir import parsing
from jaxlint.ir.document import Document, moved_back, read_document
from jaxlint.ir.parsing import Lead, Outcome
from jaxlint.project.project import Project, SourceFile
from jaxlint.report.record import is_kept, read, written
from jaxlint.report.tracedness import Traced
from jaxlint.rule.registry import registry
from jaxlint.session import pipeline
from jaxlint.session.components import components, is_decidable, is_named
from jaxlint.session.fingerprints import digest, files_fingerprint, shape_fingerprint
from jaxlint.session.progress import SILENT, Progress
from jaxlint.session.store import Store
from jaxlint.source.formats import is_embedded
from jaxlint.source.text import UnreadableSource

Records = Callable[[Sequence[bytes]], "list[bytes] | None"]


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

    rows: Mapping[str, Row] = field(default_factory=dict)
    found: Mapping[str, list[Diagnostic]] = field(default_factory=dict)
    rendered: Mapping[str, list[Diagnostic]] = field(default_factory=dict)


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
    """The files of a project. Nothing is read before `found` is asked for.

    Args:
        is_lasting: Whether programs are kept for the next state.

    Raises:
        SettingsError: the settings name a rule that there is not.
    """

    def __init__(
        self,
        project: Project,
        unsaved: Mapping[str, bytes],
        store: Store | None,
        tool: str,
        is_lasting: bool,
    ) -> None:
        self.project = project
        self.data = dict(unsaved)
        # What is found in unsaved text is not kept: the next key stroke makes it useless.
        self._unsaved = unsaved.keys()
        self.digests: dict[str, str] = {}
        self.is_everything = True
        self._store = store
        self._tool = tool
        self._is_lasting = is_lasting
        self.codes = registry(project.settings.plugins).told(project.settings)
        self._shape = digest(" ".join([shape_fingerprint(project, tool), *sorted(self.codes)]).encode())
        self._documents: dict[str, Document] = {}  # of the files that hold Python without being Python
        self._contents: dict[str, str] = {}  # the digest of what is analyzed of each file
        self._rows: dict[str, Row] = {}
        self._found: dict[str, list[Diagnostic]] = {}
        self._rendered = Rendered(store, tool, not unsaved)
        self._progress = SILENT

    def found(
        self,
        known: Remains,
        records: Records,
        skip: bool,
        begins: Callable[[int], None],
        progress: Progress = SILENT,
    ) -> list[Diagnostic]:
        """What the rules that are on find in reported files; where a store keeps them, in all files that are
        analyzed with these.

        Args:
            records: Parses files elsewhere, if it can.
            skip: Whether components that cannot matter are left out, and files that are not connected
                analyzed apart. begins: Is told of each component before it is analyzed, by the bytes of its
                files.
        """
        self._progress = progress
        self._read()
        self._parse(known, records)
        self._rendered.earlier = known.rendered
        apart = [list(self.project.files)]
        if skip:
            apart = components(self.project, {path: row.lead.imports for path, row in self._rows.items()})
        found: list[Diagnostic] = []
        with _set_aside(len(apart) > 1):
            for number, component in enumerate(apart, 1):
                if self.project.reported.isdisjoint(file.path for file in component):
                    self.is_everything = False
                elif skip and not self._may_matter(component):
                    refused = [file for file in component if self._rows[file.path].lead.is_refused]
                    found += self._analysed(refused, {file.path for file in component})
                else:
                    progress.component(number, len(apart), [file.path for file in component])
                    begins(sum(len(self.data.get(file.path, b"")) for file in component))
                    found += self._kept(component, known, len(apart) > 1)
        return sorted([*found, *self._faults()], key=Diagnostic.sort_key)

    def traced(self) -> tuple[list[Traced], list[Failure]]:
        """What the analysis believes of the functions of the reported files, and what went wrong."""
        self._read()
        self._parse(Remains(), lambda files: None)
        found: list[Traced] = []
        failures: list[Failure] = []
        for component in components(
            self.project, {path: row.lead.imports for path, row in self._rows.items()}
        ):
            if not self.project.reported.isdisjoint(file.path for file in component):
                outcomes = {file.path: self._outcome(file.path) for file in component}
                made = pipeline.traced_in_component(self.project, self.data, outcomes, self.project.reported)
                found += made[0]
                failures += made[1]
        found.sort(key=lambda each: (each.place.filename, each.place.span))
        return [each.in_text(self._documents) for each in found], failures

    def remains(self) -> Remains:
        rows = {self._contents[path]: row for path, row in self._rows.items()}
        return Remains(rows, self._found, self._rendered.own)

    # ---- files

    def _read(self) -> None:
        for file in self.project.files:
            try:
                if file.path not in self.data:
                    self.data[file.path] = parsing.read_bytes(file.path)
                self.digests[file.path] = self._contents[file.path] = digest(self.data[file.path])
                if is_embedded(file.format):
                    self._open(file)
            except OSError as error:
                self.digests[file.path] = f"unreadable: {error.strerror or error}"
                self._rows[file.path] = Row(Lead(True, {}), parsing.unreadable(error))
            except UnreadableSource as error:
                self._rows[file.path] = Row(Lead(True, {}), parsing.Refusal("JAX002", error.reason))
            except Exception as error:
                self.digests[file.path] = f"unreadable: {in_a_line(error)}"
                self._rows[file.path] = Row(Lead(True, {}), parsing.failed(error))
            self._contents.setdefault(file.path, self.digests[file.path])

    def _open(self, file: SourceFile) -> None:
        """From here on the Python in a file stands for its bytes."""
        self._contents[file.path] = digest(f"{file.format} {self.digests[file.path]}".encode())
        document = self._documents[file.path] = read_document(file.format, self.data[file.path])
        self.data[file.path] = document.python

    def _faults(self) -> Iterator[Diagnostic]:
        """What is wrong with cells, the others of whose file are analyzed."""
        for path in sorted(self._documents.keys() & self.project.reported):
            for fault in self._documents[path].faults:
                span = Span(fault.row, fault.column, fault.row, fault.column)
                name = registry().entry(fault.code).name
                yield Diagnostic(path, span, fault.code, name, Severity.ERROR, fault.message)

    def _parse(self, known: Remains, records: Records) -> None:
        """Rows of all files: from memory, from the store, or made now."""
        left = []
        free = dict(known.rows)  # a program is the program of one file, also where others have the same text
        for file in self.project.files:
            if file.path in self._rows:
                continue
            row = free.pop(self._contents[file.path], None)
            if row is None and self._store is not None:
                row = _row(self._store.bytes_of("program", self._key(file.path)))
            if row is None:
                left.append(file.path)
            else:
                self._rows[file.path] = row
                self._progress.read(1)
        made = records([self.data[path] for path in left]) if left else None
        for number, path in enumerate(left):
            row = None if made is None or path in self._documents else _row(made[number])
            if row is None:
                outcome = self._parsed(path)
                row = Row(parsing.lead_to(outcome), outcome)
            self._rows[path] = row
            self._progress.read(1)
            if self._store is not None and path not in self._unsaved:
                record = row.record or parsing.record_of(self._outcome(path))
                if record:
                    self._store.keep_bytes("program", self._key(path), record)

    def _parsed(self, path: str) -> Outcome:
        return parsing.parsed(self.data[path], path in self._documents)

    def _outcome(self, path: str) -> Outcome:
        row = self._rows[path]
        if row.outcome is None:
            row.outcome = parsing.outcome_of(row.record)
            if row.outcome is None:  # the record is damaged behind its lead
                row.outcome = self._parsed(path)
            row.record = b""
        return row.outcome

    def _key(self, path: str) -> str:
        return digest(f"{self._tool} {self._contents[path]}".encode())

    # ---- findings

    def _may_matter(self, component: Iterable[SourceFile]) -> bool:
        if not is_decidable(self.project):
            return True
        return any(
            not self._rows[file.path].lead.is_refused and is_named(file, self.data[file.path])
            for file in component
        )

    def _kept(
        self, component: Sequence[SourceFile], known: Remains, is_one_of_many: bool
    ) -> list[Diagnostic]:
        """The findings of a component, from memory or from the store if they are there."""
        paths = {file.path for file in component}
        reported = paths if self._store is not None else paths & self.project.reported
        key = files_fingerprint(self._shape, component, self._contents)
        told = digest("\n".join([key, *sorted(reported)]).encode("utf-8", "surrogatepass"))
        found = known.found.get(told)
        if found is None and is_one_of_many and self._store is not None:
            found = read(self._store.value_of("component", key), key)
        if found is None:
            found = self._analysed(component, reported)
            if not is_kept(found):
                return found
            if is_one_of_many and self._store is not None and not self._unsaved:
                self._store.keep("component", key, written(found, key))
        self._found[told] = found
        return found

    def _analysed(self, component: Sequence[SourceFile], reported: set[str]) -> list[Diagnostic]:
        outcomes = {file.path: self._outcome(file.path) for file in component}
        # What a plugin's rule says may depend on anything.
        kept = None if self.project.settings.plugins else self._rendered
        found = pipeline.analyze_component(
            self.project, self.data, outcomes, reported, kept, self.codes, self._progress
        )
        if not self._is_lasting:  # else the next state begins with these
            for file in component:
                self._rows[file.path].outcome = None
        return [moved_back(each, self._documents) for each in found] if self._documents else found


@contextmanager
def _set_aside(is_worth_it: bool) -> Iterator[None]:
    """What there is by now is not looked through for rings while components are analyzed: programs have
    none."""
    if not is_worth_it or gc.get_freeze_count():
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _row(record: bytes | None) -> Row | None:
    """The row of a record; None where it is damaged."""
    lead = parsing.lead_of(record)
    return None if lead is None or record is None else Row(lead, None, record)
