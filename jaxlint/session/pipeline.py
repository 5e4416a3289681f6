"""From the files of a project to diagnostics.

In: a `Project` and unsaved text by path, or files with what became of them. Out: every rule's diagnostics for
the reported files.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from functools import cache, cached_property, lru_cache, partial
from typing import Any

from jaxlint.analysis.function_context import Event
from jaxlint.diagnostic import Diagnostic, Span
from jaxlint.domain.objects import Module
from jaxlint.domain.program import World
from jaxlint.failure import Failure, cut
from jaxlint.ir.finding import Finding
from jaxlint.ir.locations import Located
from jaxlint.ir.lowering import lower
from jaxlint.ir.parsing import Outcome, Refusal, failed, parsed, read_bytes, unreadable
from jaxlint.ir.places import trial
from jaxlint.ir.program import Program
from jaxlint.observe.fingerprint import tree_of
from jaxlint.project.project import Project
from jaxlint.project.settings import test_globs
from jaxlint.report.own_tests import is_in_own_test
from jaxlint.report.render import Kept, Rendering, first_of_each_cause
from jaxlint.report.trace_notes import Chains
from jaxlint.report.tracedness import Functions, Traced
from jaxlint.rule.definition import SyntacticRule
from jaxlint.rule.registry import Registry, in_tests, registry
from jaxlint.rule.source_model import SourceModel
from jaxlint.rule.syntactic import needs, walk
from jaxlint.session.components import imported
from jaxlint.session.contradictions import Contradictions
from jaxlint.session.driver import Driver, Found
from jaxlint.session.observed import NOTHING, Observed, held, observed
from jaxlint.session.observed_calls import Seen
from jaxlint.session.progress import SILENT, Progress
from jaxlint.source.deep_stack import with_room
from jaxlint.source.lossless import Unparsed
from jaxlint.source.text import read_source

_START = Span(1, 1, 1, 1)


def analyse(project: Project, overlay: Mapping[str, bytes] | None = None) -> list[Diagnostic]:
    """All findings of all rules in the reported files of a project.

    Args:
        overlay: Bytes that stand in for a file's, by path.
    """
    data = dict(overlay or {})
    outcomes: dict[str, Outcome] = {}
    for file in project.files:
        try:
            if file.path not in data:
                data[file.path] = read_bytes(file.path)
        except OSError as error:
            outcomes[file.path] = unreadable(error)
        except Exception as error:
            outcomes[file.path] = failed(error)
        else:
            outcomes[file.path] = with_room(partial(parsed, data[file.path]))
    return analyze_component(project, data, outcomes, project.reported, facts=observed(project))


def analyze_component(
    project: Project,
    data: Mapping[str, bytes],
    outcomes: Mapping[str, Outcome],
    reported: Container[str],
    kept: Kept | None = None,
    codes: Container[str] | None = None,
    progress: Progress = SILENT,
    left: list[Callable[[], None]] | None = None,
    facts: Observed = NOTHING,
) -> list[Diagnostic]:
    """The findings of all rules in those files of a component that are reported.

    Args:
        data: The bytes of files, by path.
        outcomes: What became of the files of the component, by path, in the order of the project.
        kept: What was rendered before.
        codes: What is told of, as `Registry.told` gives it; where it is not given, everything. The other
            rules run all the same: what one finds may end what others look at.
        progress: Gets the steps of the analysis, and may end it.
        left: Gets what takes apart what the analysis leaves in memory.
        facts: What runs showed.
    """
    analysis = Analysis(project, data, outcomes, reported, kept, codes, progress, facts)
    found = with_room(analysis.diagnostics)
    if left is not None and analysis.driver is not None:
        left.append(analysis.driver.release)
    return found


def traced_in_component(
    project: Project,
    data: Mapping[str, bytes],
    outcomes: Mapping[str, Outcome],
    reported: Container[str],
    facts: Observed = NOTHING,
) -> tuple[list[Traced], list[Failure]]:
    """What the analysis believes of the functions of those files of a component that are reported, and what
    went wrong."""
    analysis = Analysis(project, data, outcomes, reported, None, (), facts=facts)
    return with_room(analysis.traced)


class Analysis:
    """One run over files that are analyzed together."""

    def __init__(
        self,
        project: Project,
        data: Mapping[str, bytes],
        outcomes: Mapping[str, Outcome],
        reported: Container[str],
        kept: Kept | None,
        codes: Container[str] | None,
        progress: Progress = SILENT,
        facts: Observed = NOTHING,
    ) -> None:
        self.progress = progress
        self.facts = facts
        self.seen: dict[int, Seen] = {}  # what runs showed of functions, by the identity of their codes
        self.project = project
        self.outcomes = outcomes
        self.data = data
        self.reported = reported
        self.kept = kept
        self.programs: dict[str, Program] = {}
        self._trials: dict[str, frozenset[int]] = {}
        self.texts: dict[str, list[type[SyntacticRule]]] = {}
        self.found: list[Diagnostic] = []
        self.driver: Driver | None = None
        self.registry = registry(project.settings.plugins)
        self.codes = codes
        self.tests = test_globs(project.settings, project.root)

    def diagnostics(self) -> list[Diagnostic]:
        """All that there is to find, in the order of the report."""
        failures: dict[Failure, None] = {}
        driver: Driver | None = None
        findings: list[Found] = []
        try:
            driver = self._driver()
            findings = [] if driver is None else driver.run()
            if self.seen:
                findings = [*map(Contradictions(self.seen).noted, findings)]
        except Exception as error:
            failures[Failure.of(error, "")] = None
        if driver is not None:
            failures |= driver.core.failures
        try:
            chains = Chains((), {}) if driver is None else Chains(driver.reached(), driver.core.homes)
        except Exception as error:
            failures[Failure.of(error, "")] = None
            chains = Chains((), {})
        rendering = Rendering(self.programs, self.data, self.registry, chains, self.kept, self._is_told)
        try:
            self._render(rendering, findings)
        except Exception as error:
            failures[Failure.of(error, "")] = None
        if driver is not None:
            for path in self.texts:
                try:
                    failures |= dict.fromkeys(self._walk(path, driver, rendering))
                except Exception as error:
                    failures[Failure.of(error, path)] = None
        for failure in failures | rendering.failures:
            self._tell(failure, rendering.row_of(failure))
        self.driver = driver
        return sorted(self.found, key=Diagnostic.sort_key)

    def traced(self) -> tuple[list[Traced], list[Failure]]:
        """The functions of the reported files, by file, in the order of the text; and what went wrong."""
        driver = self._driver()
        if driver is None:
            return [], []
        driver.run()

        @cache
        def located(path: str) -> Located:
            return Located(read_source(self.data[path]), self.programs[path])

        reached = driver.reached()
        functions = Functions(reached, Chains(reached, driver.core.homes), located)
        paths = [path for path in self.programs if path in self.reported]
        found = [each for path in paths for each in functions.of(path, self.programs[path])]
        return found, [*driver.core.failures]

    def _driver(self) -> Driver | None:
        modules = []
        for path, outcome in self.outcomes.items():
            if isinstance(outcome, Refusal):
                row, column = outcome.row, outcome.column
                span = Span(row, column, row, column)
                self._tool(path, outcome.code, outcome.message, span, outcome.trace)
            else:
                file = self.project.by_path[path]
                self.programs[path] = outcome
                modules.append(Module(path, file.module, file.is_package, outcome))
        if not modules:
            return None

        def resolve(name: str, importer: str, level: int) -> str | None:
            found = self.project.resolve(name, importer, level)
            return None if found is None else found.path

        for module in modules if self.facts.files else ():
            self.seen |= self._seen_in(module)
        target = (self.project.settings.target.lowest, self.project.settings.target.highest)
        world, rules = World(modules, resolve), rules_of(self.registry)
        given = (
            world, rules, target, self.project.settings.jax, self.progress, self._is_test,
            self.registry.models, self.seen,
        )  # fmt: skip
        self.texts = self._for_syntactic_rules()
        if not self.texts:
            return Driver(*given)
        from jaxlint.session.recording import RecordingDriver

        return RecordingDriver(self.texts, *given)

    def _seen_in(self, module: Module) -> dict[int, Seen]:
        """What runs showed of the functions of a file."""
        facts, program = self.facts.files.get(module.path), module.program
        tree = None if facts is None else tree_of(read_source(self.data[module.path]).text)
        nodes = [] if tree is None else lower(tree).nodes
        if facts is None or tree is None or len(nodes) != program.size:
            return {}
        codes = {nodes[code.nid]: code for code in program.codes[1:]}
        found = {}
        for each in held(tree, facts):
            code = codes.get(each.named.node)
            if code is not None:
                found[id(code)] = Seen(facts.key_of(each.named.name), code, module, each.facts, each.raised)
        return found

    def _for_syntactic_rules(self) -> dict[str, list[type[SyntacticRule]]]:
        """The syntactic rules that look at a file, by the path of each file that some do."""
        rules = [rule for rule in self.registry.rules if issubclass(rule, SyntacticRule)]
        found: dict[str, list[type[SyntacticRule]]] = {}
        for path in self.programs if rules else ():
            if path in self.reported:
                data = self.data[path]
                own = [rule for rule in rules if self._is_told(path, rule.code) and needs(rule, data)]
                if own:
                    found[path] = own
        return found

    def _walk(self, path: str, driver: Driver, rendering: Rendering) -> list[Failure]:
        """Shows the tree of a file to the syntactic rules that look at it."""
        self.progress.step()
        located = Located(read_source(self.data[path]), self.programs[path], is_in_one_piece=True)
        try:
            tree, _ = located.whole()
        except Unparsed:
            self._tool(path, "JAX003", "jaxlint failed on this file: LibCST does not parse it", _START)
            return []
        module = driver.core.world.by_path[path]
        model = SourceModel(driver.model, module, located)
        found, failures = walk(self.texts[path], tree, model, path)
        self.found += rendering.of_nodes(path, located, found)
        return failures

    def _tell(self, failure: Failure, span: Span | None) -> None:
        if failure.path in self.programs:
            self._tool(failure.path, "JAX003", failure.message, span or _START, failure.trace)
        elif reported := [each for each in self.outcomes if each in self.reported]:
            message = cut(f"jaxlint failed on the project of this file: {failure.what}")
            self._tool(min(reported), "JAX003", message, _START, failure.trace)

    def _is_test(self, path: str) -> bool:
        return any(glob.matches(path) for glob in self.tests)

    def _is_told(self, path: str, code: str) -> bool:
        return self.codes is None or (in_tests(code) if self._is_test(path) else code) in self.codes

    def _is_trial(self, event: Event, finding: Finding) -> bool:
        """Whether a module that others import tries itself out there, or a module tests itself in a function,
        with a rule that is off in tests."""
        code = finding.rule.code
        if self.codes is None or in_tests(code) in self.codes:
            return False
        if event.frame.func is not None:
            return is_in_own_test(event.frame)
        path = event.module.path
        if path not in self._trials:
            self._trials[path] = trial(event.module.program)
        return finding.nid in self._trials[path] and path in self._imported

    @cached_property
    def _imported(self) -> frozenset[str]:
        """The files that others import."""
        leads = imported(self.project, {path: each.imports for path, each in self.programs.items()})
        return frozenset(other for path, others in leads.items() for other in others if other != path)

    def _render(self, rendering: Rendering, findings: Iterable[Found]) -> None:
        kept = first_of_each_cause([each for each in findings if not self._is_trial(*each)], self._is_test)
        self.found += rendering.diagnostics(each for each in kept if each[0].module.path in self.reported)
        for path in rendering.lost_paths():
            self._tool(
                path, "JAX003", "jaxlint failed on a part of this file: LibCST does not parse it", _START
            )

    def _tool(self, path: str, code: str, message: str, span: Span, trace: str = "") -> None:
        if path in self.reported:
            entry = self.registry.entry(code)
            made = Diagnostic(path, span, code, entry.name, entry.severity, message, trace=trace or None)
            if made not in self.found:
                self.found.append(made)


@lru_cache(maxsize=4)
def _instances(rules: tuple[type, ...]) -> tuple[Any, ...]:
    return tuple(rule() for rule in rules)


def rules_of(rules: Registry) -> tuple[Any, ...]:
    """One object for each rule that events are shown to."""
    return _instances(tuple(rule for rule in rules.rules if not issubclass(rule, SyntacticRule)))
