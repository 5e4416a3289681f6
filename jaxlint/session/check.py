"""Checks projects: the findings of the pipeline, as the settings want them reported.

In: a `Project`, unsaved text by path. Out: diagnostics in the order of the report, and texts with their fixes
applied. It selects, grades and suppresses; it neither finds anything itself nor writes any file.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from jaxlint.diagnostic import Diagnostic, Severity
from jaxlint.failure import Failure
from jaxlint.project.option import SettingsError
from jaxlint.project.project import Project
from jaxlint.project.settings import Settings
from jaxlint.session.session import Results, Session
from jaxlint.source.formats import NOTEBOOK, PYTHON, is_embedded
from jaxlint.source.regular_files import SOURCE, read_regular
from jaxlint.source.script_cells import may_have_cells

if TYPE_CHECKING:
    from jaxlint.fixes.apply import Fixed
    from jaxlint.ir.document import Document
    from jaxlint.report.baseline import Baseline, Entry, Judged, Page
    from jaxlint.rule.registry import Registry
    from jaxlint.session.observed import Observed
    from jaxlint.source.text import Source

INTERNAL_ERROR = "JAX003"


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A file whose text a fix changed, or whose fixes were refused (`outcome.broken`)."""

    path: str
    before: Source
    outcome: Fixed

    def changes(self) -> list[tuple[int | None, str, str]]:
        """The texts before and after; of a notebook, those of each changed cell, with its number."""
        from jaxlint.ir.document import changes

        return changes(self.before, self.outcome.text)


@dataclass(frozen=True, slots=True)
class Matched:
    """Findings beside a baseline: those that it does not have, how many it has, and what nothing matches."""

    new: tuple[Diagnostic, ...]
    known: int = 0
    stale: tuple[Entry, ...] = ()


class Check:
    """One project under its settings.

    Args:
        project: What is analyzed and reported.
        unsaved: Text that stands in for a file's, by absolute path.
        honour: False reports also what comments hide.
        lowest: The least severity that is reported, and fixed.
        session: What runs share; without one nothing is kept.
        baseline: False reports also what the baseline of the settings has.

    Raises:
        SettingsError: a selector in the settings that no rule has.
    """

    def __init__(
        self,
        project: Project,
        *,
        unsaved: Mapping[str, bytes] | None = None,
        honour: bool = True,
        lowest: Severity = Severity.INFO,
        session: Session | None = None,
        baseline: bool = True,
    ) -> None:
        self.project = project
        self._is_compared = baseline
        self._unsaved = dict(unsaved or {})
        self._honour = honour
        self._lowest = lowest
        self._session = session or Session()
        self._how = honour, lowest.value
        self._results = self._session.results(project, self._unsaved)
        self.without_effect: Sequence[str] = ()  # selectors that turn nothing on

    @cached_property
    def _policy(self) -> _Policy:
        from jaxlint.rule.registry import registry

        return _Policy(registry(self.project.settings.plugins), self.project.settings, self.project.root)

    @cached_property
    def baseline(self) -> Baseline | None:
        """The known findings, which are not reported.

        Raises:
            SettingsError: the file of the settings is no list of them.
        """
        path = self.project.settings.baseline
        if path is None or not self._is_compared:
            return None
        from jaxlint.report.baseline import Baseline

        return Baseline.read(path)

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is reported, in order."""
        found = self._marked(self.matched.new, lambda path: self._document(path))
        return self._in_cells(found, self._unsaved)

    @property
    def facts(self) -> Observed | None:
        """What runs showed; None where no facts are given."""
        return self._results.facts

    def tree_of(self, path: str) -> ast.Module | None:
        """The syntax tree by which facts know a file; None where it cannot be read."""
        document = self._document(path)
        return None if document is None else self._tree(path, document)

    def _tree(self, path: str, document: Document) -> ast.Module | None:
        from jaxlint.observe.cells import NotebookCells
        from jaxlint.observe.fingerprint import tree_of

        format = self._format(path)
        if format == NOTEBOOK:
            return NotebookCells(document.source.encode("replace")).tree
        return tree_of(document.source.text) if format == PYTHON else None

    @property
    def problems(self) -> tuple[str, ...]:
        """A line for each file of facts that is left out."""
        return () if self._results.facts is None else self._results.facts.problems

    @cached_property
    def matched(self) -> Matched:
        """What is reported, in order, and what of it the baseline has. Rows are those of a file's text, also
        where the file has cells."""
        return self._matched(self._diagnostics(self._results, self._unsaved), self._unsaved)

    def _matched(self, found: tuple[Diagnostic, ...], unsaved: Mapping[str, bytes]) -> Matched:
        baseline = self.baseline
        if baseline is None:
            return Matched(found)
        refused, others = _parted(found)
        new, known, stale = baseline.match(
            others, lambda path: self._page(path, unsaved), self._judged(refused)
        )
        return Matched(tuple(sorted((*refused, *new), key=Diagnostic.sort_key)), known, stale)

    def _judged(self, refused: Iterable[Diagnostic]) -> Judged:
        """What this run would find.

        Args:
            refused: What ended the analysis of files: of those the run can tell nothing.
        """
        failed = {each.filename for each in refused}
        enabled = {path: self._policy.enabled_in(path) for path in self.project.reported - failed}
        complete = self.project.whole and enabled.keys() >= {file.path for file in self.project.files}
        everywhere = frozenset().union(*enabled.values())

        def judged(entry: Entry, path: str) -> bool:
            severity = self._policy.severity_of(entry.rule)
            if severity is None and self._lowest is not Severity.INFO:
                return False
            if severity is not None and not severity.at_least(self._lowest):
                return False
            if entry.rule in self._policy.names and entry.rule not in enabled.get(path, everywhere):
                return False  # the rule is off
            inside = path.startswith(os.path.join(self.project.root, ""))
            return path in enabled or (complete and inside and not os.path.lexists(path))

        return judged

    def put_into(self, baseline: Baseline) -> list[Diagnostic]:
        """Has a baseline list what is reported; gives what none lists: what ended the analysis of files."""
        refused, others = _parted(self.matched.new)
        entries = baseline.entries(others, lambda path: self._page(path, self._unsaved))
        baseline.put(entries, self._judged(refused))
        return refused

    @property
    def pending(self) -> Results | None:
        """What has to be analyzed before `diagnostics` can be told; None where it is known."""
        results = self._results
        if results.reported(self._how) is not None:
            return None
        _ = self._policy  # what is wrong with the settings is told before the work is done
        return None if results.is_found() else results

    def fixed(
        self, unsafe: bool, codes: Collection[str] | None = None
    ) -> tuple[list[FixedFile], tuple[Diagnostic, ...]]:
        """The files that fixes change, and what is reported once they are written.

        Args:
            unsafe: Whether unsafe fixes are applied too.
            codes: The rules whose fixes are applied; None for all.

        Files are looked at together after each round, because a fix in one can settle a finding in another.
        """
        from jaxlint.fixes import apply

        opened = {path: made for path in sorted(self.project.reported) if (made := self._document(path))}
        sources = {path: document.source for path, document in opened.items()}

        def relint(texts: Mapping[str, str]) -> Mapping[str, list[Diagnostic]]:
            changed = {
                # A character that the file's encoding lacks is refused when the file is written.
                path: sources[path].with_text(text).encode("replace")
                for path, text in texts.items()
                if text != sources[path].text
            }
            unsaved = {**self._unsaved, **changed}
            rows = self._diagnostics(self._session.results(self.project, unsaved), unsaved)
            return _by_file(self._matched(rows, unsaved).new)

        def allowed(found: Diagnostic) -> bool:
            if found.fix is None or (codes is not None and found.code not in codes):
                return False
            return found.fix.applicability == "safe" or (unsafe and found.fix.applicability == "unsafe")

        first = _by_file(self.matched.new)
        texts = {path: source.text for path, source in sources.items()}
        admits = {path: opened[path].admits for path in texts if is_embedded(self._format(path))}
        outcomes = apply.fix_project(texts, relint, allowed, first, admits)
        files = [
            FixedFile(path, sources[path], outcome)
            for path, outcome in outcomes.items()
            if outcome.text != sources[path].text or outcome.broken
        ]
        left = [found for outcome in outcomes.values() for found in outcome.left]
        left += [
            Failure.of(outcome.error, path).diagnostic()
            for path, outcome in outcomes.items()
            if outcome.error is not None
        ]
        left += [found for path, rows in first.items() if path not in outcomes for found in rows]
        # Rows are those of the texts as the fixes leave them.
        fixed = {path: sources[path].with_text(outcome.text) for path, outcome in outcomes.items()}
        unsaved = {path: text.encode("replace") for path, text in fixed.items() if path in admits}
        encoded = {path: text.encode("replace") for path, text in fixed.items()}
        marked = self._marked(
            sorted(left, key=Diagnostic.sort_key),
            lambda path: self._document(path, {**self._unsaved, **encoded}),
        )
        return files, self._in_cells(marked, {**self._unsaved, **unsaved})

    def again(self) -> tuple[Diagnostic, ...]:
        """What is reported of the files as they are now."""
        rows = self._diagnostics(self._session.results(self.project, self._unsaved), self._unsaved)
        found = self._marked(self._matched(rows, self._unsaved).new, lambda path: self._document(path))
        return self._in_cells(found, self._unsaved)

    def _marked(
        self, found: Sequence[Diagnostic], document_of: Callable[[str], Document | None]
    ) -> Sequence[Diagnostic]:
        """Diagnostics that say whether their lines ran, where runs showed something of their files."""
        facts = None if self._results.facts is None else self._results.facts.files
        if not facts:
            return found
        from jaxlint.session.line_marks import marked

        rows: list[Diagnostic] = []
        for path, group in _by_file(found).items():
            document = document_of(path) if path in facts else None
            tree = None if document is None else self._tree(path, document)
            if document is None or tree is None:
                rows += group
            else:
                rows += marked(group, document.source.text, tree, facts[path])
        return sorted(rows, key=Diagnostic.sort_key)

    def _in_cells(self, found: Iterable[Diagnostic], unsaved: Mapping[str, bytes]) -> tuple[Diagnostic, ...]:
        """Diagnostics with the rows of their cells, where files have cells."""
        found = tuple(found)
        paths = {each.filename for each in found} | {note.filename for each in found for note in each.related}
        embedded = [path for path in paths if is_embedded(self._format(path))]
        if not embedded:
            return found
        from jaxlint.ir.document import in_cells

        documents = {path: made for path in embedded if (made := self._document(path, unsaved)) is not None}
        return tuple(sorted((in_cells(each, documents) for each in found), key=Diagnostic.sort_key))

    def internal_error(self, error: Exception) -> Diagnostic:
        """What is reported where a step fails that is about the whole project."""
        return Failure.of(error, min(self.project.reported)).diagnostic()

    def document(self, path: str) -> Document | None:
        """The text that a file's diagnostics refer to; None where it cannot be read."""
        return self._document(path)

    def _diagnostics(self, results: Results, unsaved: Mapping[str, bytes]) -> tuple[Diagnostic, ...]:
        kept = results.reported(self._how)
        if kept is not None:
            return kept
        policy = self._policy
        self.without_effect = policy.without_effect
        found = _by_file(results.found())
        rows: list[Diagnostic] = []
        for path in sorted(self.project.reported):
            try:
                rows += self._reported(path, found.get(path, []), unsaved, policy)
            except Exception as error:
                enabled = policy.enabled_in(path)
                rows += [each for each in found.get(path, ()) if each.code in enabled]
                rows.append(Failure.of(error, path).diagnostic())
        reported = tuple(sorted(rows, key=Diagnostic.sort_key))
        if not self.without_effect:  # which the next run says again
            results.keep_reported(self._how, reported)
        return reported

    def _reported(
        self, path: str, found: list[Diagnostic], unsaved: Mapping[str, bytes], policy: _Policy
    ) -> list[Diagnostic]:
        enabled = policy.enabled_in(path)
        kept = [diagnostic for diagnostic in found if diagnostic.code in enabled]
        data = unsaved[path] if path in unsaved else _bytes(path)
        if is_embedded(self._format(path)) or (data is not None and may_have_cells(data)):
            kept = self._unshown(path, kept, unsaved, policy.idle_where_shown)
        if data is not None and (_is_spoken_to(data) or not all(each.noqa_row for each in kept)):
            kept = self._unhidden(path, data, kept, enabled)
        graded = (policy.graded(diagnostic) for diagnostic in kept)
        return [
            diagnostic
            for diagnostic in graded
            if diagnostic.severity.at_least(self._lowest) or diagnostic.code in policy.always
        ]

    def _unshown(
        self, path: str, found: list[Diagnostic], unsaved: Mapping[str, bytes], idle: frozenset[str]
    ) -> list[Diagnostic]:
        """Without what these rules say of expressions whose value a notebook shows, or a cell of a script."""
        document = self._document(path, unsaved) if any(each.code in idle for each in found) else None
        if document is None:
            return found
        return [each for each in found if each.code not in idle or not document.shows(each.span.row)]

    def _unhidden(
        self, path: str, data: bytes, found: list[Diagnostic], enabled: frozenset[str]
    ) -> list[Diagnostic]:
        from jaxlint.ir.document import read_document
        from jaxlint.report import suppression
        from jaxlint.source.text import UnreadableSource

        try:
            text = read_document(self._format(path), data).plain
        except UnreadableSource:
            return found
        if any(not diagnostic.noqa_row for diagnostic in found):
            found = suppression.with_noqa_rows(text, found)
        return suppression.apply(
            text,
            found,
            filename=path,
            known_codes=self._policy.names,
            enabled_codes=enabled,
            whole_project=self.project.whole,
            honour=self._honour,
        )

    def _page(self, path: str, unsaved: Mapping[str, bytes]) -> Page:
        from jaxlint.report.baseline import Page

        document = self._document(path, unsaved)
        return Page("") if document is None else Page(document.source.text, document.text_of_python)

    def _document(self, path: str, unsaved: Mapping[str, bytes] | None = None) -> Document | None:
        from jaxlint.ir.document import read_document
        from jaxlint.source.text import UnreadableSource

        unsaved = self._unsaved if unsaved is None else unsaved
        data = unsaved[path] if path in unsaved else _bytes(path)
        try:
            return None if data is None else read_document(self._format(path), data)
        except UnreadableSource:
            return None

    def _format(self, path: str) -> str:
        file = self.project.by_path.get(path)
        return PYTHON if file is None else file.format


def _is_spoken_to(data: bytes) -> bool:
    """Whether a file may hold a comment for jaxlint."""
    lowered = data.lower()
    return b"jaxlint" in lowered or b"noqa" in lowered


class _Policy:
    """What settings say about each code, resolved once."""

    def __init__(self, rules: Registry, settings: Settings, root: str) -> None:
        from jaxlint.project.settings import test_globs
        from jaxlint.rule.registry import ALWAYS

        self.always = ALWAYS
        self.names = {entry.code: entry.name for entry in rules.entries}
        self._own_severities = {entry.code: entry.severity for entry in rules.entries}
        self._enabled = rules.enabled(settings)
        self._idle = rules.idle_in_tests(settings)
        self.without_effect = rules.without_effect(settings)
        self.idle_where_shown = frozenset(each.code for each in rules.entries if each.idle_where_shown)
        self._tests = test_globs(settings, root)
        self._fixable = rules.fixable(settings)
        origin = settings.origin or "settings"
        try:
            self._severities = rules.severities(settings)
            self._safe = rules.select(*settings.extend_safe_fixes)
            self._unsafe = rules.select(*settings.extend_unsafe_fixes)
            rows = (*settings.per_file_ignores, *settings.extend_per_file_ignores)
            self._ignored = [(row, rules.select(*row.selectors)) for row in rows]
        except SettingsError as error:
            raise SettingsError(f"{origin}: {error}") from None

    def enabled_in(self, path: str) -> frozenset[str]:
        codes = self._enabled
        for row, ignored in self._ignored:
            if row.applies_to(path):
                codes -= ignored
        if any(glob.matches(path) for glob in self._tests):
            codes -= self._idle
        return codes | self.always

    def severity_of(self, code: str) -> Severity | None:
        """The severity of a rule's findings; None of a rule that there is not."""
        return self._severities.get(code, self._own_severities.get(code))

    def graded(self, found: Diagnostic) -> Diagnostic:
        """The diagnostic with the severity and the fix that the settings give it."""
        severity = self._severities.get(found.code, found.severity)
        fix = found.fix
        if fix is not None and found.code not in self._fixable:
            fix = None
        elif fix is not None and fix.applicability == "unsafe" and found.code in self._safe:
            fix = replace(fix, applicability="safe")
        elif fix is not None and fix.applicability == "safe" and found.code in self._unsafe:
            fix = replace(fix, applicability="unsafe")
        if severity is found.severity and fix is found.fix:
            return found
        return replace(found, severity=severity, fix=fix)


def _parted(found: Iterable[Diagnostic]) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """What ends the analysis of files, and what else is found."""
    from jaxlint.report.suppression import FAILURES

    refused: list[Diagnostic] = []
    others: list[Diagnostic] = []
    for each in found:
        (refused if each.code in FAILURES else others).append(each)
    return refused, others


def _by_file(found: Iterable[Diagnostic]) -> dict[str, list[Diagnostic]]:
    table: dict[str, list[Diagnostic]] = {}
    for diagnostic in found:
        table.setdefault(diagnostic.filename, []).append(diagnostic)
    return table


def _bytes(path: str) -> bytes | None:
    try:
        return read_regular(path, SOURCE)
    except OSError:
        return None
