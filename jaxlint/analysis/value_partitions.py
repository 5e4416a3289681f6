"""Which value a variable has under which tests: what two branches on the same test have in common.

In: tests, and the variables at the end of each arm. Out: in the merged variables the cases of those that
differ, and, where a test is known to hold again, the values that are left. A test is known by its text; of
equality with a constant, and of membership in constants that are written out, it is known what excludes what.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from jaxlint.analysis.function_context import Vars
from jaxlint.domain.join import join_all
from jaxlint.domain.values import OneOf, Product, Value
from jaxlint.ir.loop_guards import test_text
from jaxlint.ir.nodes import (
    BoolExpr,
    Expr,
    UnaryExpr,
)

Fact = tuple[str, bool]  # the text of a test, and whether it holds
Case = tuple[frozenset[Fact], Value]
MARK = "$cases"
_MOST = 8
_VARIABLE = re.compile(r"[ .]")  # what the name of a test's variable ends at


def facts_of(test: Expr, truth: bool) -> Sequence[Fact]:
    """What a test shows: itself, or each of its parts where all of them hold."""
    if isinstance(test, UnaryExpr) and test.operator == "not":
        return facts_of(test.operand, not truth)
    if isinstance(test, BoolExpr):
        if truth != (test.operator == "and"):
            return ()
        return (*facts_of(test.left, truth), *facts_of(test.right, truth))
    text, sense = test_text(test)
    if not text:
        return ()
    choice = _choice(text) if truth != sense else None
    if choice is not None and " in " in text:
        return tuple([(f"{choice[0]} == {value!r}", False) for value in choice[1]])
    return ((text, truth == sense),)


def disagree(one: Collection[Fact], other: Collection[Fact]) -> bool:
    """Whether two lists of facts cannot hold together."""
    if not one or not other:
        return False
    if any((text, not truth) in other for text, truth in one):
        return True
    left: dict[str, set[Any]] = {}  # by variable: the constants that it may still be
    for text, truth in (*one, *other):
        choice = _choice(text) if truth else None
        if choice is not None:
            name, values = choice
            left[name] = left[name] & values if name in left else set(values)
    if not left:
        return False
    for text, truth in (*one, *other):
        choice = None if truth else _choice(text)
        if choice is not None and choice[0] in left:
            left[choice[0]] -= choice[1]
    return not all(left.values())


@lru_cache(maxsize=4096)
def _choice(text: str) -> tuple[str, frozenset[Any]] | None:
    """The variable of a test, and the constants of which it is one where the test holds."""
    name, _, rest = text.partition(" ")
    operator, _, written = rest.partition(" ")
    if operator not in ("==", "in"):
        return None
    try:
        value = ast.literal_eval(written)
        return name, frozenset((value,) if operator == "==" else value)
    except (ValueError, TypeError, SyntaxError):
        return None


def mentions(text: str, name: str) -> bool:
    """Whether a test is one of this variable."""
    return text == name or text.startswith((f"{name} ", f"{name}."))


def _mark(noted: Mapping[str, tuple[Case, ...]]) -> Product:
    """The cases of some variables, with the names of those variables and of those that the tests are of."""
    texts = {text for held in noted.values() for under, _ in held for text, _ in under}
    return Product(MARK, noted, {*noted, *(_VARIABLE.split(text, 1)[0] for text in texts)})


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


def forget(state: Vars, name: str) -> None:
    """A variable, or an attribute, is bound anew: its cases are over, and those that rest on a test of it."""
    held = state.get(MARK)
    if isinstance(held, Product) and name.partition(".")[0] in held.parts[1]:
        state[MARK] = _mark(
            {
                each: rows
                for each, rows in _noted(state).items()
                if each != name and not any(mentions(text, name) for under, _ in rows for text, _ in under)
            }
        )


def note(state: Vars, name: str, chosen: Iterable[tuple[Sequence[Fact], Value]]) -> None:
    """A variable is bound to one of a few values, each of which a test takes."""
    cases = tuple([(frozenset(facts), value) for facts, value in chosen])
    if not any(mentions(text, name) for facts, _ in cases for text, _ in facts):
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
