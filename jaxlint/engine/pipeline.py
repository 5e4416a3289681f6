"""From the files of a project to diagnostics.

In: a `Project` and unsaved text by path, or files with what became of them. Out: every rule's diagnostics for
the reported files.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from jaxlint.diagnostic import Diagnostic, Span
from jaxlint.engine.change import Change
from jaxlint.engine.frame import Activation
from jaxlint.engine.lower import Program
from jaxlint.engine.machine import Found, Machine
from jaxlint.engine.moved import Moved
from jaxlint.engine.naming import Naming
from jaxlint.engine.network import Network, Survey
from jaxlint.engine.parsing import Outcome, Refusal, parsed, read_bytes, unreadable
from jaxlint.engine.plan import Plan, plans
from jaxlint.engine.program import Module, World
from jaxlint.engine.project import Project
from jaxlint.engine.relink import Relink
from jaxlint.engine.rendering import Kept, Rendering
from jaxlint.engine.room import with_room
from jaxlint.record import is_kept
from jaxlint.registry import Registry, registry

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
        else:
            outcomes[file.path] = with_room(partial(parsed, data[file.path]))
    return analyse_island(project, data, outcomes, project.reported).found


@dataclass(frozen=True, slots=True)
class Base:
    """What a whole run over an island has found, for later runs to rest on.

    digests: of the bytes of the files. texts: of the files that the findings speak of. network: what led to
    what, and which nodes the findings are of.
    """

    digests: dict[str, str]
    texts: dict[str, bytes]
    found: list[Diagnostic]
    network: Network


@dataclass(frozen=True, slots=True)
class Islanded:
    """The findings in an island; with a base for later runs, where one was asked for and there can be one."""

    found: list[Diagnostic]
    base: Base | None = None


def analyse_island(
    project: Project,
    data: Mapping[str, bytes],
    outcomes: Mapping[str, Outcome],
    reported: Container[str],
    kept: Kept | None = None,
    digests: Mapping[str, str] | None = None,
) -> Islanded:
    """All findings of all rules in those files of an island that are reported.

    Args:
        data: The bytes of files, by path.
        outcomes: What became of the files of the island, by path, in the order of the project.
        kept: What was rendered before.
        digests: Of the bytes of files, by path, where a base is to be made.
    """
    return with_room(lambda: Analysis(project, data, outcomes, reported, kept).whole(digests))


def analyse_again(
    project: Project,
    data: Mapping[str, bytes],
    outcomes: Callable[[], Mapping[str, Outcome]],
    reported: Container[str],
    kept: Kept | None,
    base: Base,
    changes: Mapping[str, Change],
) -> list[Diagnostic] | None:
    """The same findings, of which those that no change has to do with are the base's; None where all that is
    in the island must be followed. `outcomes` is called where anything must be."""
    schemes = plans(base.network, changes)
    made: list[Mapping[str, Outcome]] = []
    for scheme in schemes:
        rest = [
            (each, not scheme.below.isdisjoint(nodes))
            for each, nodes in zip(base.found, base.network.by, strict=True)
            if not nodes or not scheme.gone.issuperset(nodes)
        ]
        moved = Moved(data, base.texts, changes).all(each for each, _ in rest)
        if moved is None:
            continue
        if not scheme.affected and not any(change.differs or change.added for change in changes.values()):
            return sorted(moved, key=Diagnostic.sort_key)
        made = made or [outcomes()]
        analysis = Analysis(project, data, made[0], reported, kept)
        found = with_room(partial(analysis.part, base.network, scheme, changes))
        if found is not None and (joined := _joined(rest, moved, found)) is not None:
            return joined
    return None


def _joined(
    rest: Iterable[tuple[Diagnostic, bool]], moved: Sequence[Diagnostic], found: Sequence[Diagnostic]
) -> list[Diagnostic] | None:
    """What was found before and again; `rest` says what may have been led to otherwise now."""
    known, again = set(map(_place, moved)), set(map(_place, found))
    new = [each for each in found if each not in moved]
    if any(_place(each) in known for each in new):
        return None
    for each, (_, is_shared) in zip(moved, rest, strict=True):
        if is_shared and each.related and _place(each) not in again:
            return None
    return sorted([*moved, *new], key=Diagnostic.sort_key)


class Analysis:
    """One run over files that are analysed together."""

    def __init__(
        self,
        project: Project,
        data: Mapping[str, bytes],
        outcomes: Mapping[str, Outcome],
        reported: Container[str],
        kept: Kept | None,
    ) -> None:
        self.project = project
        self.outcomes = outcomes
        self.data = data
        self.reported = reported
        self.kept = kept
        self.programs: dict[str, Program] = {}
        self.found: list[tuple[Diagnostic, list[Activation]]] = []
        self.registry = registry(project.settings.plugins)

    def whole(self, digests: Mapping[str, str] | None) -> Islanded:
        """All that there is to find."""
        machine = self._machine()
        if machine is not None:
            machine.naming = None if digests is None else Naming(machine)
            findings = machine.run()
            self._tell_failures(machine)
            self._render(machine, findings)
        found = sorted(self.found, key=lambda each: each[0].sort_key())
        diagnostics = [diagnostic for diagnostic, _ in found]
        if digests is None or machine is None or machine.naming is None or machine.failures:
            return Islanded(diagnostics)
        if not is_kept(diagnostics):
            return Islanded(diagnostics)
        network = Survey(machine, machine.naming).network(frames for _, frames in found)
        self.found = []
        machine.forget()
        paths = {each.filename for each in diagnostics}
        paths.update(note.filename for each in diagnostics for note in each.related)
        texts = {path: self.data[path] for path in sorted(paths) if path in self.data}
        own = {path: digests[path] for path in self.outcomes}
        return Islanded(diagnostics, Base(own, texts, diagnostics, network))

    def part(self, network: Network, scheme: Plan, changes: Mapping[str, Change]) -> list[Diagnostic] | None:
        """What the functions that are affected have to be told; None where others are affected, too."""
        machine = self._machine()
        found = None if machine is None else Relink(network, scheme, changes, machine).found()
        if machine is None or found is None:
            return None
        self.found = []
        self._render(machine, found)
        diagnostics = [diagnostic for diagnostic, _ in self.found]
        return diagnostics if is_kept(diagnostics) else None

    def _machine(self) -> Machine | None:
        modules = []
        for path, outcome in self.outcomes.items():
            if isinstance(outcome, Refusal):
                row, column = outcome.row, outcome.column
                self._tool(path, outcome.code, outcome.message, Span(row, column, row, column))
            else:
                file = self.project.by_path[path]
                self.programs[path] = outcome
                modules.append(Module(path, file.module, file.is_package, outcome))
        if not modules:
            return None

        def resolve(name: str, importer: str, level: int) -> str | None:
            found = self.project.resolve(name, importer, level)
            return None if found is None else found.path

        target = (self.project.settings.target.lowest, self.project.settings.target.highest)
        return Machine(World(modules, resolve), rules_of(self.registry), target, self.project.settings.jax)

    def _tell_failures(self, machine: Machine) -> None:
        for path, failure in sorted({(each.path, str(each)) for each in machine.failures}):
            if path in self.programs:
                message = f"jaxlint failed on this file: {failure}"
                self._tool(path, "JAX003", message, _START)
            elif reported := [each for each in self.outcomes if each in self.reported]:
                message = f"jaxlint failed on the project of this file: {failure}"
                self._tool(min(reported), "JAX003", message, _START)

    def _render(self, machine: Machine, findings: Iterable[Found]) -> None:
        rendering = Rendering(self.programs, self.data, self.registry, machine.homes, self.kept)
        self.found += rendering.diagnostics(each for each in findings if each[0].module.path in self.reported)
        for path in rendering.lost_paths():
            self._tool(
                path, "JAX003", "jaxlint failed on a part of this file: LibCST does not parse it", _START
            )

    def _tool(self, path: str, code: str, message: str, span: Span) -> None:
        if path in self.reported:
            entry = self.registry.entry(code)
            self.found.append((Diagnostic(path, span, code, entry.name, entry.severity, message), []))


@lru_cache(maxsize=4)
def _instances(rules: tuple[type, ...]) -> tuple[Any, ...]:
    return tuple(rule() for rule in rules)


def rules_of(rules: Registry) -> tuple[Any, ...]:
    """One object for each rule."""
    return _instances(rules.rules)


def _place(found: Diagnostic) -> tuple[str, Span, str]:
    return found.filename, found.span, found.code
