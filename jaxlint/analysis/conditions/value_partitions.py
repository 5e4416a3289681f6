"""Which value a variable has under which tests: what two branches on the same test have in common.

In: what tests show, and the variables at the end of each arm. Out: in the merged variables the cases of those
that differ, and, where a test is known to hold again, the values that are left.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from jaxlint.analysis.conditions import held_facts
from jaxlint.analysis.function_context import Vars
from jaxlint.domain.facts import Fact, disagree
from jaxlint.domain.join import join_all
from jaxlint.domain.values import Candidates, OneOf, Product, Value
from jaxlint.ir.program import Program

Case = tuple[frozenset[Fact], Value]
MARK = "$cases"
_MOST = 8
_SEVERAL = frozenset((OneOf, Candidates))


class Cases(NamedTuple):
    """The cases of one variable, with the expressions that their tests are of, and the variables of those."""

    rows: tuple[Case, ...]
    subjects: frozenset[Hashable]
    names: frozenset[str]

    def rests_on(self, name: str, is_changed: bool) -> bool:
        """Whether some test is another one once a variable, or an attribute, is bound anew."""
        return name.partition(".")[0] in self.names and any(
            fact.rests_on(name, is_changed) for under, _ in self.rows for fact in under
        )


NO_CASES = Cases((), frozenset(), frozenset())


def _cases(rows: Iterable[Case]) -> Cases:
    rows = tuple(rows)
    facts = frozenset().union(*(under for under, _ in rows))
    names = frozenset(name.partition(".")[0] for fact in facts for name in fact.names)
    return Cases(rows, frozenset(fact.subject for fact in facts), names)


def _mark(noted: Mapping[str, Cases]) -> Product:
    """The cases of some variables, with the names of those variables and of those that the tests are of."""
    return Product(MARK, noted, set(noted).union(*(held.names for held in noted.values())))


def remember(merged: Vars, ends: Iterable[tuple[Sequence[Fact], Vars]]) -> None:
    """Notes which arm left which value of the variables that have several now, or are not bound by each."""
    states, kept = list(ends), held_facts.held(merged)
    noted = dict(_noted(merged))
    partly = merged.keys() - set.intersection(*(set(state) for _, state in states))
    for name, value in merged.items():
        if type(name) is not str or not (type(value) in _SEVERAL or (name in partly and name[0] != "$")):
            continue
        arms = [
            (_shown(facts, state, kept), state[name], _noted(state).get(name))
            for facts, state in states
            if name in state
        ]
        if len(arms) == len(states) and all(
            value is arms[0][1] and held is arms[0][2] for _, value, held in arms
        ):
            continue  # no arm has bound it, nor shown which one it is
        found: list[Case] = []
        for facts, value, held in arms:
            rows = ((frozenset[Fact](), value),) if held is None else held.rows
            found.extend((under.union(facts), each) for under, each in rows)
        if len(found) > _MOST:
            found = [(frozenset(facts), value) for facts, value, _ in arms]
        noted[name] = _cases(found)
    if noted:
        merged[MARK] = _mark(noted)


def _shown(facts: Iterable[Fact], state: Vars, before: Collection[Fact]) -> list[Fact]:
    """What holds at the end of an arm, and does not anyhow."""
    return [*facts, *[fact for fact in held_facts.held(state) if fact not in before]]


def recall(state: Vars, facts: Iterable[Fact]) -> None:
    """These tests hold: of the variables with several values those are left that agree."""
    noted = _noted(state)
    if not noted:
        return
    facts = tuple(facts)
    subjects = {fact.subject for fact in facts}
    fewer: dict[str, Cases] = {}
    for name, held in noted.items():
        if subjects.isdisjoint(held.subjects):
            continue
        left = [case for case in held.rows if not disagree(facts, case[0])]
        if left and len(left) < len(held.rows):
            fewer[name] = _cases(left)
            state[name] = join_all(value for _, value in left)
    if fewer:
        state[MARK] = _mark({**noted, **fewer})


def learn(state: Vars, facts: Sequence[Fact], program: Program) -> None:
    """These tests hold from here on."""
    recall(state, facts)
    held_facts.hold(state, facts, program)


def cases_of(state: Vars, name: str) -> tuple[Case, ...]:
    """The values of a variable, each with what was shown where it was bound to it."""
    return _noted(state).get(name, NO_CASES).rows


def forget(state: Vars, name: str, is_changed: bool = False) -> None:
    """A variable, or an attribute, is bound anew: its cases are over, and those that rest on a test of it.
    `is_changed`: it is the same object, which has changed."""
    held = state.get(MARK)
    if isinstance(held, Product) and name.partition(".")[0] in held.parts[1]:
        state[MARK] = _mark(
            {
                each: held
                for each, held in _noted(state).items()
                if (is_changed or each != name) and not held.rests_on(name, is_changed)
            }
        )


def note(state: Vars, name: str, chosen: Iterable[tuple[Sequence[Fact], Value]]) -> None:
    """A variable is bound to one of a few values, each of which a test takes."""
    cases = _cases((frozenset(facts), value) for facts, value in chosen)
    if not any(name in fact.names for facts, _ in cases.rows for fact in facts):
        state[MARK] = _mark({**_noted(state), name: cases})


def copy(state: Vars, source: str, target: str) -> None:
    """A variable is bound to what another one holds: it has the same cases."""
    noted = _noted(state)
    if source in noted and source != target:
        state[MARK] = _mark({**noted, target: noted[source]})


def common(a: Value, b: Value) -> Value:
    """The cases that hold on both of two paths."""
    assert isinstance(a, Product) and isinstance(b, Product)
    mine, other = a.parts[0], b.parts[0]
    return _mark({name: held for name, held in mine.items() if other.get(name) is held})


def _noted(state: Vars) -> Mapping[str, Cases]:
    held = state.get(MARK)
    noted: Mapping[str, Cases] = held.parts[0] if isinstance(held, Product) else {}
    return noted
