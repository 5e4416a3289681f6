"""Which value a variable has under which tests: what two branches on the same test have in common.

In: what tests show, and the variables at the end of each arm. Out: in the merged variables the cases of those
that differ, and, where a test is known to hold again, the values that are left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from jaxlint.analysis.function_context import Vars
from jaxlint.domain.facts import Fact, disagree
from jaxlint.domain.join import join_all
from jaxlint.domain.values import OneOf, Product, Value

Case = tuple[frozenset[Fact], Value]
MARK = "$cases"
_MOST = 8


def _mark(noted: Mapping[str, tuple[Case, ...]]) -> Product:
    """The cases of some variables, with the names of those variables and of those that the tests are of."""
    facts = {fact for held in noted.values() for under, _ in held for fact in under}
    return Product(MARK, noted, {*noted, *(name.partition(".")[0] for fact in facts for name in fact.names)})


def remember(merged: Vars, ends: Iterable[tuple[Sequence[Fact], Vars]]) -> None:
    """Notes of the variables that arms have left with several values which arm left which."""
    states = list(ends)
    noted = dict(_noted(merged))
    for name, value in merged.items():
        if type(value) is not OneOf or type(name) is not str:
            continue
        found: list[Case] = []
        for facts, state in states:
            if name in state:
                held = _noted(state).get(name, ((frozenset(), state[name]),))
                found.extend((under.union(facts), each) for under, each in held)
        if len(found) <= _MOST:
            noted[name] = tuple(found)
    if noted:
        merged[MARK] = _mark(noted)


def recall(state: Vars, facts: Iterable[Fact]) -> None:
    """These tests hold: of the variables with several values those are left that agree."""
    noted = _noted(state)
    if not noted:
        return
    facts = tuple(facts)
    fewer: dict[str, tuple[Case, ...]] = {}
    for name, held in noted.items():
        left = tuple([case for case in held if not disagree(facts, case[0])])
        if left and len(left) < len(held):
            fewer[name] = left
            state[name] = join_all(value for _, value in left)
    if fewer:
        state[MARK] = _mark({**noted, **fewer})


def cases_of(state: Vars, name: str) -> tuple[Case, ...]:
    """The values of a variable, each with what was shown where it was bound to it."""
    return _noted(state).get(name, ())


def forget(state: Vars, name: str, is_changed: bool = False) -> None:
    """A variable, or an attribute, is bound anew: its cases are over, and those that rest on a test of it.
    `is_changed`: it is the same object, which has changed."""
    held = state.get(MARK)
    if isinstance(held, Product) and name.partition(".")[0] in held.parts[1]:
        state[MARK] = _mark(
            {
                each: rows
                for each, rows in _noted(state).items()
                if (is_changed or each != name)
                and not any(fact.rests_on(name, is_changed) for under, _ in rows for fact in under)
            }
        )


def note(state: Vars, name: str, chosen: Iterable[tuple[Sequence[Fact], Value]]) -> None:
    """A variable is bound to one of a few values, each of which a test takes."""
    cases = tuple([(frozenset(facts), value) for facts, value in chosen])
    if not any(name in fact.names for facts, _ in cases for fact in facts):
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


def _noted(state: Vars) -> Mapping[str, tuple[Case, ...]]:
    held = state.get(MARK)
    noted: Mapping[str, tuple[Case, ...]] = held.parts[0] if isinstance(held, Product) else {}
    return noted
