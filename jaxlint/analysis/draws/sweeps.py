"""Loops over settings that are written out, each of which is run on the same draws, so that they can be
compared.

In: a loop around a call that consumes a key, and the text around. Out: whether the loop is such a sweep: what
is drawn is made with the setting, and ends in results by setting, which nothing puts together again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from jaxlint.analysis.compilation.recompilation import ADDS
from jaxlint.analysis.draws.texts import SHOWS, bound_to, is_number, uses
from jaxlint.ir.loop_carried import Turns, assignments, statements
from jaxlint.ir.loop_guards import mentions
from jaxlint.ir.mentions import read_by
from jaxlint.ir.nodes import (
    AttrExpr,
    CallExpr,
    Expr,
    ExprStmt,
    ForStmt,
    ListExpr,
    NameExpr,
    Node,
    ReturnStmt,
    Stmt,
    SubscriptExpr,
    TupleExpr,
    YieldExpr,
)
from jaxlint.ir.repetition import names_from, variables
from jaxlint.ir.walks import calls_in, last_name, walk

# what collections of results are called
_RESULTS = re.compile(
    r"(^|_)(hists?|history|histories|results?|metrics?|loss(es)?|err(or)?s?|r?mses?|scores?|acc(s|uracy|uracies)?"
    r"|stats?|times?|timings|rewards?|returns|means|stds|variances?|snrs?|curves?|logs?|logged|records?|summary"
    r"|summaries|table|rows|estimates?|prices?|costs?)(_|$)",
    re.IGNORECASE,
)
# functions that make one of many numbers
POOLS = frozenset(
    "mean sum std var average median concatenate hstack vstack prod cumsum nanmean fsum fmean".split()
)


def is_sweep(body: Sequence[Stmt], number: int, loop: Turns) -> bool:
    """Whether a loop runs each of several settings on the same draws. `number`: that of the call that
    consumes the key."""
    around = [each for each in statements(body) if isinstance(each, ForStmt) and each.target is loop.target]
    if loop.target is None or not around or not are_numbers(around[0].iterable, body):
        return False
    settings = names_from(variables((loop.target,)), loop.body)
    settings |= _objects_given(settings, loop.body)
    drawn = names_from(bound_to(loop.body, number), loop.body)
    outside = {*_bound_outside(body, around[0])}
    if drawn & outside or not _is_given_both(number, drawn, settings, loop.body):
        return False
    collections: set[str] = set()
    for statement in statements(loop.body):
        if not uses(statement, number, drawn):
            continue
        into = _put_into(statement, drawn)
        if into is None or not (_is_number_of(statement) or all(map(_RESULTS.search, into))):
            return False
        collections |= into
    inside = {id(around[0]), *map(id, statements(loop.body))}
    later = (each for each in statements(body) if id(each) not in inside)
    return not any(_puts_together(node, collections, drawn) for each in later for node in read_by(each))


def are_numbers(node: Expr, body: Sequence[Stmt]) -> bool:
    """Whether several numbers are iterated over that are written out, or tuples of such."""
    if isinstance(node, NameExpr):
        made = [value for targets, value in assignments(body) if node.name in variables(targets)]
        return len(made) == 1 and not isinstance(made[0], NameExpr) and are_numbers(made[0], body)
    if isinstance(node, CallExpr) and node.args:
        name = last_name(node.func)
        if name in ("linspace", "logspace", "geomspace"):
            return True
        if name == "product":
            return any(are_numbers(each, body) for each in node.args)
        return name in ("enumerate", "array", "asarray", "zip") and are_numbers(node.args[0], body)
    items = node.items if isinstance(node, (TupleExpr, ListExpr)) else ()
    return len(items) > 1 and all(map(is_number, items))


def _bound_outside(body: Sequence[Stmt], loop: ForStmt) -> set[str]:
    """The variables that are assigned outside of a loop."""
    inside = {id(value) for _, value in assignments(loop.body)}
    return {
        name for targets, value in assignments(body) if id(value) not in inside for name in variables(targets)
    }


def _objects_given(settings: set[str], body: Sequence[Stmt]) -> set[str]:
    """The variables with objects that a loop sets to its setting: by an attribute, an item or a method."""
    found: set[str] = set()
    for statement in statements(body):
        owners = [
            each.value
            for targets, value in assignments((statement,))
            for each in targets
            if isinstance(each, (AttrExpr, SubscriptExpr)) and mentions(value, settings)
        ]
        call = statement.value if isinstance(statement, ExprStmt) else None
        if isinstance(call, CallExpr) and isinstance(call.func, AttrExpr) and call.func.name not in ADDS:
            given = (*call.args, *(each.value for each in call.keywords))
            owners += [call.func.value] if any(mentions(each, settings) for each in given) else []
        found.update(each.name for each in owners if isinstance(each, NameExpr))
    return found


def _is_given_both(number: int, drawn: set[str], settings: set[str], body: Sequence[Stmt]) -> bool:
    """Whether a call, or the object whose method it is, is given a setting and what is drawn, or draws with
    the setting itself."""
    for statement in statements(body):
        for call in calls_in(*read_by(statement)):
            is_drawing = call.nid == number or any(mentions(each, drawn) for each in call.args)
            owner = (call.func.value,) if isinstance(call.func, AttrExpr) else ()
            given = (*owner, *call.args, *(each.value for each in call.keywords))
            if is_drawing and any(mentions(each, settings - drawn) for each in given):
                return True
    return False


def _put_into(statement: Stmt, drawn: set[str]) -> set[str] | None:
    """The collections that a statement puts what is drawn into; None where it does anything else with it than
    to compute or to show it."""
    if isinstance(statement, ReturnStmt) or any(isinstance(each, YieldExpr) for each in walk(statement)):
        return None
    if isinstance(statement, ExprStmt) and isinstance(statement.value, CallExpr):
        func = statement.value.func
        if isinstance(func, AttrExpr) and func.name in ADDS:
            return {last_name(func.value)}
        return set() if last_name(func) in SHOWS else None
    found: set[str] = set()
    for targets, value in assignments((statement,)):
        for target in targets:
            if isinstance(target, SubscriptExpr):
                found.add(last_name(target.value))
            elif isinstance(target, NameExpr) and mentions(value, {target.name}):
                return None  # it goes on from turn to turn
            elif not variables((target,)) <= drawn:
                return None
        break
    return found


def _is_number_of(statement: Stmt) -> bool:
    """Whether a statement adds one number of Python's, which is a result and no sample, to a collection."""
    call = statement.value if isinstance(statement, ExprStmt) else None
    given = call.args if isinstance(call, CallExpr) else ()
    return bool(given) and all(
        isinstance(each, CallExpr) and last_name(each.func) == "float" for each in given
    )


def _puts_together(node: Node, collections: set[str], drawn: set[str]) -> bool:
    """Whether an expression makes one number of all results, or reads what the last turn has left."""
    if mentions(node, drawn):
        return True
    return any(
        last_name(call.func) in POOLS and any(mentions(each, collections) for each in call.args)
        for call in calls_in(node)
    )
