"""Which value a variable has under which tests: what two branches on the same test have in common.

In: tests, and the variables at the end of each arm. Out: in the merged variables the cases of those that
differ, and, where a test is known to hold again, the values that are left. A test is known by its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from jaxlint.analysis.function_context import Vars
from jaxlint.domain.join import join_all
from jaxlint.domain.values import OneOf, Product, Value
from jaxlint.ir.nodes import AttrExpr, BoolExpr, CompareExpr, ConstExpr, Expr, NameExpr, UnaryExpr

Fact = tuple[str, bool]  # the text of a test, and whether it holds
Case = tuple[frozenset[Fact], Value]
MARK = "$cases"
_MOST = 8
_NEGATED = {"!=": "==", "is not": "is", "not in": "in"}
_VARIABLE = re.compile(r"[ .]")  # what the name of a test's variable ends at


def test_text(node: Expr) -> tuple[str, bool]:
    """The text of a simple test without its negations, and whether it is not negated; no text for
    what may change between two looks."""
    if isinstance(node, UnaryExpr) and node.operator == "not":
        text, sense = test_text(node.operand)
        return text, not sense
    if isinstance(node, NameExpr):
        return node.name, True
    if isinstance(node, AttrExpr):
        text, sense = test_text(node.value)
        return (f"{text}.{node.name}", True) if text and sense else ("", True)
    if isinstance(node, CompareExpr) and len(node.rest) == 1:
        operator, other = node.rest[0]
        if isinstance(other, ConstExpr):
            text, sense = test_text(node.left)
            if text and sense:
                known = _NEGATED.get(operator, operator)
                return f"{text} {known} {other.value!r}", operator not in _NEGATED
    return "", True


def facts_of(test: Expr, truth: bool) -> Sequence[Fact]:
    """What a test shows: itself, or each of its parts where all of them hold."""
    if isinstance(test, UnaryExpr) and test.operator == "not":
        return facts_of(test.operand, not truth)
    if isinstance(test, BoolExpr):
        if truth != (test.operator == "and"):
            return ()
        return (*facts_of(test.left, truth), *facts_of(test.right, truth))
    text, sense = test_text(test)
    return ((text, truth == sense),) if text else ()


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
    against = {(text, not truth) for text, truth in facts}
    fewer: dict[str, tuple[Case, ...]] = {}
    for name, held in noted.items():
        left = tuple([case for case in held if case[0].isdisjoint(against)])
        if left and len(left) < len(held):
            fewer[name] = left
            state[name] = join_all(value for _, value in left)
    if fewer:
        state[MARK] = _mark({**noted, **fewer})


def forget(state: Vars, name: str) -> None:
    """A variable is bound anew: its cases are over, and those that rest on a test of it."""
    held = state.get(MARK)
    if isinstance(held, Product) and name in held.parts[1]:
        state[MARK] = _mark(
            {
                each: rows
                for each, rows in _noted(state).items()
                if each != name and not any(mentions(text, name) for under, _ in rows for text, _ in under)
            }
        )


def common(a: Value, b: Value) -> Value:
    """The cases that hold on both of two paths."""
    assert isinstance(a, Product) and isinstance(b, Product)
    mine, other = a.parts[0], b.parts[0]
    return _mark({name: held for name, held in mine.items() if other.get(name) is held})


def _noted(state: Vars) -> Mapping[str, tuple[Case, ...]]:
    held = state.get(MARK)
    noted: Mapping[str, tuple[Case, ...]] = held.parts[0] if isinstance(held, Product) else {}
    return noted
