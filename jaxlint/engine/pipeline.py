"""From the files of a project to diagnostics.

In: a `Project` and unsaved text by path. Out: every rule's diagnostics for the reported files, with
positions, messages, notes and fixes, which are made here because few findings hold.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from functools import lru_cache, partial
from typing import Any

from jaxlint.diagnostic import Applicability, Diagnostic, Fix, Note, Severity, Span
from jaxlint.engine.event import Event
from jaxlint.engine.frame import Activation
from jaxlint.engine.late import cst
from jaxlint.engine.locate import Located
from jaxlint.engine.lower import Program
from jaxlint.engine.machine import Machine
from jaxlint.engine.parsing import MESSAGE, Outcome, Refusal, parsed, read_bytes, unreadable
from jaxlint.engine.program import Module, World
from jaxlint.engine.project import Project
from jaxlint.engine.room import with_room
from jaxlint.engine.source import read_source
from jaxlint.engine.values import Environment
from jaxlint.registry import Registry, registry
from jaxlint.rule import Finding, Part, Rule

Homes = Mapping[Environment, Activation]
URL = "https://github.com/jaxlint/jaxlint/blob/main/docs/rules/{name}.md"
_LONGEST = 32
_RANK: dict[Applicability, int] = {"safe": 0, "unsafe": 1, "displayonly": 2}


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
    return analyse_part(project, data, outcomes, project.reported)


def analyse_part(
    project: Project, data: Mapping[str, bytes], outcomes: Mapping[str, Outcome], reported: Container[str]
) -> list[Diagnostic]:
    """All findings of all rules in those files of a part of a project that are reported.

    Args:
        data: The bytes of files, by path.
        outcomes: What became of the files of the part, by path, in the order of the project.
    """
    return with_room(Analysis(project, data, outcomes, reported).diagnostics)


class Analysis:
    """One run over files that are analysed together."""

    def __init__(
        self,
        project: Project,
        data: Mapping[str, bytes],
        outcomes: Mapping[str, Outcome],
        reported: Container[str],
    ) -> None:
        self.project = project
        self.outcomes = outcomes
        self.data = data
        self.reported = reported
        self.programs: dict[str, Program] = {}
        self.found: list[Diagnostic] = []
        self.located: dict[str, Located] = {}
        self.lost: set[tuple[str, int]] = set()  # what LibCST does not parse, by path and number
        self.registry = registry(project.settings.plugins)
        self.homes: Homes = {}  # the activation that each environment is of

    def diagnostics(self) -> list[Diagnostic]:
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
            return sorted(self.found, key=Diagnostic.sort_key)

        def resolve(name: str, importer: str, level: int) -> str | None:
            found = self.project.resolve(name, importer, level)
            return None if found is None else found.path

        target = (self.project.settings.target.lowest, self.project.settings.target.highest)
        machine = Machine(World(modules, resolve), rules_of(self.registry), target, self.project.settings.jax)
        findings = machine.run()
        self.homes = {activation.env: activation for activation in machine.order}
        for path, failure in sorted({(each.path, str(each)) for each in machine.failures}):
            if path in self.programs:
                message = f"jaxlint failed on this file: {failure}"
                self._tool(path, "JAX003", message, Span(1, 1, 1, 1))
            elif reported := [each for each in self.outcomes if each in self.reported]:
                message = f"jaxlint failed on the project of this file: {failure}"
                self._tool(min(reported), "JAX003", message, Span(1, 1, 1, 1))
        self._render(findings)
        return sorted(self.found, key=Diagnostic.sort_key)

    def _tool(self, path: str, code: str, message: str, span: Span) -> None:
        if path in self.reported:
            entry = self.registry.entry(code)
            self.found.append(Diagnostic(path, span, code, entry.name, entry.severity, message))

    # ---- rendering

    def _render(self, findings: Iterable[tuple[Event, Finding]]) -> None:
        chosen: dict[tuple[str, int, str], tuple[Event, Finding, list[tuple[Module, int, str]]]] = {}
        variants: dict[tuple[str, int, str], list[Finding]] = {}
        for event, finding in findings:
            path = event.module.path
            if path not in self.reported:
                continue
            key = (path, finding.nid, finding.rule.code)
            chain = explanation(event.frame, self.homes) if finding.traced else []
            before = chosen.get(key)
            alike = variants.setdefault(key, [])
            if all(finding.data != other.data for other in alike):
                alike.append(finding)
            if before is None or (len(chain), _order(chain)) < (len(before[2]), _order(before[2])):
                chosen[key] = (event, finding, chain)
        wanted: dict[str, set[int]] = {}
        for (path, _, _), (_, finding, chain) in chosen.items():
            wanted.setdefault(path, set()).update(_numbers(finding))
            for module, number, _ in [*chain, *finding.also]:
                wanted.setdefault(module.path, set()).add(number)
        for path in sorted(wanted):
            located = Located(read_source(self.data[path]), self.programs[path])
            lost = located.prepare(sorted(wanted[path]))
            if lost:
                message = "jaxlint failed on a part of this file: LibCST does not parse it"
                self._tool(path, "JAX003", message, Span(1, 1, 1, 1))
                self.lost.update((path, number) for number in lost)
            self.located[path] = located
        for key, (_, finding, chain) in sorted(chosen.items(), key=lambda item: item[0]):
            if not any((key[0], number) in self.lost for number in _numbers(finding)):
                self.found.append(self._diagnostic(key[0], finding, chain, variants[key]))

    def _diagnostic(
        self, path: str, finding: Finding, chain: list[tuple[Module, int, str]], variants: list[Finding]
    ) -> Diagnostic:
        located = self.located[path]
        rule = finding.rule
        entry = self.registry.entry(rule.code)
        texts = {name: _text(located, value) for name, value in finding.names.items()}
        names = _cut(finding, texts, _LONGEST)
        notes = []
        for module, number, text in [*chain, *finding.also]:
            if (module.path, number) in self.lost:
                continue
            place = self.located[module.path]
            name = _shortened(place.text(number).split("(")[0])
            notes.append(Note(module.path, place.span(number), _filled(text, {**names, "here": name})))
        severity: Severity = entry.severity
        return Diagnostic(
            path,
            located.span(finding.nid),
            rule.code,
            rule.name,
            severity,
            _message(finding, texts),
            _filled(finding.help, names) or None,
            _fix(rule, variants, located),
            tuple(notes),
            noqa_row=located.ignore_row(finding.nid),
            url=URL.format(name=rule.name),
            label=_filled(finding.label, names) or None,
        )


@lru_cache(maxsize=4)
def _instances(rules: tuple[type, ...]) -> tuple[Any, ...]:
    return tuple(rule() for rule in rules)


def rules_of(rules: Registry) -> tuple[Any, ...]:
    """One object for each rule."""
    return _instances(rules.rules)


def explanation(frame: Activation | None, homes: Homes) -> list[tuple[Module, int, str]]:
    """The way from the outermost transform to an activation, or else to where one of the functions is
    made that lead to it, as places with sentences."""
    start = frame
    found: list[tuple[Module, int, str]] = []
    traced = False
    seen: set[int] = set()
    while frame is not None and frame.link is not None and id(frame) not in seen:
        seen.add(id(frame))
        link = frame.link
        name = frame.func.code.name if frame.func is not None else frame.module.name
        if link.transform:
            found.append((link.module, link.nid, f"`{name}` is traced by `{link.transform}` here"))
            traced = True
            if link.parent is None or link.parent.context.depth == 0:
                break
        elif link.parent is not None and link.parent.context.depth:
            found.append((link.module, link.nid, f"which calls `{name}` here"))
        frame = link.parent
    if traced:
        return list(reversed(found))
    return _closed_over(start, homes)


def _closed_over(frame: Activation | None, homes: Homes) -> list[tuple[Module, int, str]]:
    """The way to an activation in a trace whose variables this one, or one that leads to it, sees."""
    calls: list[tuple[Module, int, str]] = []
    seen: set[int] = set()
    while frame is not None and frame.func is not None and id(frame) not in seen:
        seen.add(id(frame))
        code = frame.func.code
        env: Environment | None = frame.func.env
        while env is not None:
            home = homes.get(env)
            if home is not None and home.context.depth:
                chain = explanation(home, homes)
                if chain:
                    made = (frame.module, code.nid, f"which makes `{code.name}` here")
                    return [*chain, made, *reversed(calls)]
            env = env.parent
        if frame.link is None:
            break
        if frame.link.parent is not None:
            calls.append((frame.link.module, frame.link.nid, f"which calls `{code.name}` here"))
        frame = frame.link.parent
    return []


def _numbers(finding: Finding) -> set[int]:
    """The nodes that a finding, without its notes, speaks of."""
    named = [value for value in finding.names.values() if not isinstance(value, str)]
    return {finding.nid, *(value if isinstance(value, int) else value.nid for value in named)}


def _order(chain: list[tuple[Module, int, str]]) -> tuple[tuple[str, int], ...]:
    return tuple((module.path, number) for module, number, _ in chain)


def _fix(rule: Rule, variants: list[Finding], located: Located) -> Fix | None:
    """The fix that all ways of reaching the finding agree on, as safe as the least of them."""
    try:
        fixes = [rule.repair(finding, located) for finding in variants]
    except cst.ParserSyntaxError:  # in a part of the file that the fix would have to know
        return None
    least: Fix | None = None
    for fix in fixes:
        if fix is None or (least is not None and fix.edits != least.edits):
            return None
        if least is None or _RANK[fix.applicability] > _RANK[least.applicability]:
            least = fix
    return least


def _text(located: Located, value: int | str | Part) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return located.text(value)
    part = located.part(value)
    return located.text(value.nid) if part is None else located.text_of(part)


def _shortened(text: str, longest: int = _LONGEST) -> str:
    text = re.sub(r"\s+", " ", text)
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def _cut(finding: Finding, texts: Mapping[str, str], longest: int) -> dict[str, str]:
    """The texts of nodes cut to a length; what the rule itself says stays whole."""
    return {
        name: text if isinstance(finding.names[name], str) else _shortened(text, longest)
        for name, text in texts.items()
    }


def _message(finding: Finding, texts: Mapping[str, str]) -> str:
    """The message, with the user's code cut until it fits."""
    filled = ""
    for longest in range(_LONGEST, 7, -4):
        filled = _filled(finding.message, _cut(finding, texts, longest))
        if len(filled) <= MESSAGE:
            break
    return filled


def _filled(template: str, names: Mapping[str, str]) -> str:
    """The template with the names in it replaced; other braces are left alone."""
    return re.sub(r"\{(\w+)\}", lambda match: names.get(match[1], match[0]), template)
