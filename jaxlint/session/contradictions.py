"""Beliefs that runs contradict: a parameter is believed traced, and in no call that was seen was it a tracer.

In: findings with the contexts that they were found in, and what runs showed of functions. Out: the same
findings, with a note where all that they rest on of the function's parameters is such a belief. None is taken
back: what ran is not all that can run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from jaxlint.analysis.function_context import Event, FunctionContext
from jaxlint.domain.join import level_of
from jaxlint.ir.finding import Finding, Part
from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssignStmt,
    AugmentedStmt,
    ForStmt,
    NameExpr,
    Node,
    Stmt,
    WalrusExpr,
)
from jaxlint.ir.program import Code, Param
from jaxlint.ir.walks import nodes_of, number_of, walk
from jaxlint.observe.facts import Function
from jaxlint.session.observed_calls import Seen
from jaxlint.session.observed_values import is_traced

Found = tuple[Event, Finding]

NEVER_TRACED = "was never traced in"
"""What a note of a contradiction says of a parameter."""


class Contradictions:
    """Adds notes to findings.

    Args:
        seen: What runs showed of functions, by the identity of their codes.
    """

    def __init__(self, seen: Mapping[int, Seen]) -> None:
        self._seen = seen
        self._sources: dict[int, Mapping[str, set[str]]] = {}  # by code: what each variable is made of
        self._nodes: dict[int, Mapping[int, Node]] = {}  # by code and number

    def noted(self, found: Found) -> Found:
        """A finding, with a note where runs contradict it."""
        event, finding = found
        frame = event.frame
        seen = None if frame.func is None else self._seen.get(id(frame.func.code))
        if seen is None or not finding.traced or finding.nid != event.nid:
            return found
        believed = {param.name: param for param in _believed(frame)}
        never = {name for name in believed if _is_never_traced(seen.facts, name)}
        if not never:
            return found
        rests = self._rests_on(seen.code, finding) & believed.keys()
        if not rests or not rests <= never:
            return found
        count = sum(entry.count for entry in seen.facts.entries)
        calls = "1 observed call" if count == 1 else f"{count} observed calls"
        notes = [
            (frame.module, believed[name].nid, f"`{name}` {NEVER_TRACED} {calls}") for name in sorted(rests)
        ]
        return event, replace(finding, also=[*finding.also, *notes])

    def _rests_on(self, code: Code, finding: Finding) -> set[str]:
        """The variables that what a finding speaks of is made of."""
        nodes = self._nodes.get(id(code))
        if nodes is None:
            nodes = {number: node for node in nodes_of(code.body) if (number := number_of(node)) is not None}
            self._nodes[id(code)] = nodes
            self._sources[id(code)] = _sources(code)
        numbers = {_number(value) for value in finding.names.values() if not isinstance(value, str)}
        named = [nodes[number] for number in numbers if number in nodes]
        at = nodes.get(finding.nid)
        left = {*_names(*(named or ([] if at is None or isinstance(at, Stmt) else [at])))}
        found: set[str] = set()
        while left:
            name = left.pop()
            found.add(name)
            left |= self._sources[id(code)].get(name, set()) - found
        return found


def _believed(frame: FunctionContext) -> Iterator[Param]:
    """The parameters that the analysis believes traced."""
    assert frame.func is not None
    for param, value in zip(frame.func.code.params, frame.arguments, strict=False):
        if level_of(value):
            yield param


def _is_never_traced(facts: Function, name: str) -> bool:
    """Whether a parameter was no tracer, and held none, in all calls of a function."""
    told = [entry.parameters.get(name) for entry in facts.entries]
    return bool(told) and not facts.more and all(each is not None and not is_traced(each) for each in told)


def _number(value: int | Part) -> int:
    return value.nid if isinstance(value, Part) else value


def _names(*nodes: Node) -> Iterator[str]:
    return (node.name for node in walk(*nodes) if isinstance(node, NameExpr))


def _sources(code: Code) -> dict[str, set[str]]:
    """For each variable the names that what is assigned to it is made of, in whatever order."""
    found: dict[str, set[str]] = {}
    for node in nodes_of(code.body):
        targets: tuple[Node, ...] = ()
        value: Node | None = None
        if isinstance(node, AssignStmt):
            targets, value = node.targets, node.value
        elif isinstance(node, (AnnotatedStmt, AugmentedStmt, WalrusExpr)):
            targets, value = (node.target,), node.value
        elif isinstance(node, ForStmt):
            targets, value = (node.target,), node.iterable
        if value is not None:
            for name in _names(*targets):
                found.setdefault(name, set()).update(_names(value))
    return found
