"""What tests are said to exclude each other do so: no values of their variables answer them as was said.

Tests are made at random of two numbers, a mode, a member of an enumeration and a list; Python itself says what they
give.
"""

from __future__ import annotations

import ast
import enum
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxlint.domain.facts import disagree, fact_of, facts_of
from jaxlint.ir.lowering import lower
from jaxlint.ir.nodes import Expr, IfStmt


class Mode(enum.Enum):
    TRAIN = 1
    TEST = 2


VALUES = {
    "n": (-1, 0, 1, 2, 3, 2.5, float("nan")),
    "m": (0, 1, 2, float("nan")),
    "kind": ("a", "b", "c", None),
    "mode": (Mode.TRAIN, Mode.TEST),
    "xs": ([], [0], [0, 1, 2]),
    "flag": (True, False, None),
}
STATES = [dict(zip(VALUES, row, strict=True)) for row in itertools.product(*VALUES.values())]

numbers = st.sampled_from(("0", "1", "2", "2.5", "-1", "m"))
texts = st.sampled_from(("'a'", "'b'", "None"))
comparisons = st.sampled_from(("<", "<=", "==", "!=", ">", ">="))
equalities = st.sampled_from(("==", "!="))
atoms = st.one_of(
    st.sampled_from(
        ("flag", "xs", "kind is None", "kind is not None", "n", "isinstance(n, float)", "n in xs")
    ),
    st.tuples(st.just("n"), comparisons, numbers).map(" ".join),
    st.tuples(numbers, comparisons, st.just("n")).map(" ".join),
    st.tuples(numbers, comparisons, st.just("n"), comparisons, numbers).map(" ".join),
    st.tuples(st.just("len(xs)"), comparisons, st.sampled_from(("0", "1", "2"))).map(" ".join),
    st.tuples(st.just("kind"), equalities, texts).map(" ".join),
    st.sampled_from(
        ("kind in ('a', 'b')", "kind not in ('a', 'b')", "kind in ('b', 'c')", "kind not in (None,)")
    ),
    st.tuples(
        st.just("mode"), st.sampled_from(("is", "is not", "==")), st.sampled_from(("Mode.TRAIN", "Mode.TEST"))
    ).map(" ".join),
    st.tuples(st.just("n % 2"), equalities, st.sampled_from(("0", "1"))).map(" ".join),
)
tests = st.recursive(
    atoms,
    lambda inner: st.one_of(
        inner.map(lambda each: f"not ({each})"),
        st.tuples(inner, st.sampled_from(("and", "or")), inner).map(
            lambda each: f"({each[0]}) {each[1]} ({each[2]})"
        ),
    ),
    max_leaves=3,
)


def lowered(text: str) -> Expr:
    (statement,) = lower(ast.parse(f"if {text}:\n    pass")).program.body.body
    assert isinstance(statement, IfStmt)
    return statement.test


def answers(text: str) -> list[bool | None]:
    """What a test gives in each state; of what raises in one state, there, neither answer."""
    code = compile(text, "test", "eval")
    found: list[bool | None] = []
    for state in STATES:
        try:
            found.append(bool(eval(code, {"Mode": Mode}, dict(state))))
        except TypeError:
            found.append(None)
    return found


@settings(max_examples=400, deadline=None)
@given(tests, tests, st.booleans(), st.booleans())
def test_what_is_excluded_never_happens(one: str, other: str, first: bool, second: bool) -> None:
    if disagree(facts_of(lowered(one), first), facts_of(lowered(other), second)):
        both = zip(answers(one), answers(other), strict=True)
        assert (first, second) not in both, f"{one} is {first}, {other} is {second}"


@settings(max_examples=200, deadline=None)
@given(tests, st.booleans(), st.sampled_from(("n", "kind", "flag")), st.data())
def test_what_a_constant_excludes_never_happens(
    text: str, truth: bool, name: str, data: st.DataObject
) -> None:
    value = data.draw(st.sampled_from([each for each in VALUES[name] if each == each]))
    if disagree([fact_of(name, value)], facts_of(lowered(text), truth)):
        held = [answer for state, answer in zip(STATES, answers(text), strict=True) if state[name] == value]
        assert truth not in held, f"{name} = {value!r}, {text} is {truth}"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("n == 1", "n > 1"),
        ("n < 3", "3 <= n < 5"),
        ("n < m", "m <= n"),
        ("len(xs) == 0", "xs"),
        ("mode is Mode.TRAIN", "mode is Mode.TEST"),
        ("kind in ('a', 'b')", "kind == 'c'"),
        ("kind is None", "kind == 'a'"),
        ("n or m", "not (n or m)"),
        ("isinstance(n, float)", "not isinstance(n, float)"),
        ("table.get('x')", "not table.get('x')"),
        ("x.shape[0] == 1", "x.shape[0] != 1"),
        ("flag and n > 2", "not flag"),
    ],
)
def test_exclusion_is_seen(one: str, other: str) -> None:
    assert disagree(facts_of(lowered(one), True), facts_of(lowered(other), True))


@pytest.mark.parametrize("text", ["draw() > 0", "queue.pop() == 1", "(n := next(it)) and f(n)"])
def test_what_may_give_something_else_the_next_time_says_nothing(text: str) -> None:
    assert not disagree(facts_of(lowered(text), True), facts_of(lowered(text), False))
