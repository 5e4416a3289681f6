"""Runs with one seed: for each of several settings, and evaluations of what changes.

In: calls that consume one key, and the loop around. Out: whether equal draws are meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from jaxlint.analysis.draws.texts import bound_to, called_at, given_to
from jaxlint.ir.loop_carried import Turns, assignments, statements
from jaxlint.ir.loop_guards import mentions
from jaxlint.ir.nodes import (
    AttrExpr,
    CallExpr,
    ConstExpr,
    Expr,
    ForStmt,
    ListExpr,
    NameExpr,
    Stmt,
    TupleExpr,
)
from jaxlint.ir.repetition import variables
from jaxlint.ir.walks import calls_in, last_name, number_of, structure_of, walk

_EVALUATES = re.compile(
    r"(^|_)(eval|evaluation|valid|validation)(_|$)|(^|_)val_(key|rng)|(key|rng)_val", re.IGNORECASE
)
FITS = re.compile(r"_*(fit|train)(?=_(?!step|epoch|batch|one|iter|loop)|$)", re.IGNORECASE)


def is_of_settings(body: Sequence[Stmt], number: int, loop: Turns) -> bool:
    """Whether a loop makes a run for each of several settings, all of which begin alike: it hands written
    fractions to a function, or other things to one that by its name fits a model; and nothing of what the
    call gives goes into the next one."""
    call = next((each for each in calls_in(*body) if each.nid == number), None)
    if call is None or loop.target is None:
        return False
    names = variables((loop.target,))
    around = [each for each in statements(body) if isinstance(each, ForStmt) and each.target is loop.target]
    if not around or not any(mentions(each, names) for each in given_to(call)):
        return False
    if mentions(call, bound_to(loop.body, number)):
        return False
    iterable = around[0].iterable
    if isinstance(call.func, NameExpr) and FITS.match(call.func.name):
        return not isinstance(iterable, CallExpr) or last_name(iterable.func) != "range"
    return _are_fractions(iterable, body)


def _are_fractions(node: Expr, body: Sequence[Stmt]) -> bool:
    """Whether numbers are iterated over that are written out, each with a decimal point."""
    if isinstance(node, NameExpr):
        made = [value for targets, value in assignments(body) if node.name in variables(targets)]
        node = made[0] if len(made) == 1 else node
    if isinstance(node, CallExpr) and last_name(node.func) == "enumerate" and node.args:
        return _are_fractions(node.args[0], body)
    items = node.items if isinstance(node, (TupleExpr, ListExpr)) else ()
    return bool(items) and all(
        isinstance(each, ConstExpr) and isinstance(each.value, float) for each in items
    )


def is_evaluated(body: Sequence[Stmt], first: int, second: int) -> bool:
    """Whether one function evaluates two things on the same draws, or one thing before and after it is
    changed: with a key that by its name is that of an evaluation."""
    called = called_at(body, first, second)
    if called is None or structure_of(called[0].func) != structure_of(called[1].func):
        return False
    one, other = (
        {name for name in map(last_name, given_to(each)) if _EVALUATES.search(name)} for each in called
    )
    if one.isdisjoint(other):
        return False
    changed = {
        name
        for targets, value in assignments(body)
        if first < (number_of(value) or 0) < second
        for name in variables(targets)
    }
    given = [each for each in given_to(called[1]) if not _is_of_evaluation(each)]
    return structure_of(called[0]) != structure_of(called[1]) or any(
        mentions(each, changed) for each in given
    )


def is_evaluated_anew(body: Sequence[Stmt], number: int, loop: Turns) -> bool:
    """Whether a loop evaluates what it changes itself, each time on the same draws."""
    call = next((each for each in calls_in(*body) if each.nid == number), None)
    changed = {name for targets, _ in assignments(loop.body) for name in variables(targets)}
    kept = {
        name
        for targets, value in assignments(body)
        if _is_of_evaluation(value)
        for name in variables(targets)
    }
    if call is None:
        return False
    given = [*given_to(call)]
    is_kept = any(_is_of_evaluation(each) or mentions(each, kept - changed) for each in given)
    return is_kept and any(mentions(each, changed) for each in given)


def _is_of_evaluation(node: Expr) -> bool:
    return any(_EVALUATES.search(each.name) for each in walk(node) if isinstance(each, (NameExpr, AttrExpr)))
