"""Errors that a `try` raises itself, by `raise` and `assert`, and what decides that it does.

In: the lowered statements of a `try`, and numbers of calls in it. Out: whether a handler gets the error, and
whether the text of the `try` looks at what a call gives before it raises. It refuses to know values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from jaxlint.ir.loop_carried import Turns, assignments, statements
from jaxlint.ir.loop_guards import bound_by, mentions
from jaxlint.ir.nodes import (
    AssertStmt,
    AttrExpr,
    BreakStmt,
    CallExpr,
    ContinueStmt,
    Expr,
    Handler,
    IfStmt,
    NameExpr,
    RaiseStmt,
    ReturnStmt,
    Stmt,
    TupleExpr,
    WhileStmt,
)
from jaxlint.ir.repetition import names_from, variables
from jaxlint.ir.walks import calls_in, last_name, walk

_ANY = frozenset(("Exception", "BaseException"))
_LEAVE = (ReturnStmt, BreakStmt, ContinueStmt)


def exception_names(node: Expr | None) -> tuple[str, ...]:
    """The last parts of the names in an `except` clause; one without names catches any `Exception`."""
    if node is None:
        return ("Exception",)
    if isinstance(node, (NameExpr, AttrExpr)):
        return (node.name,)
    if isinstance(node, TupleExpr):
        return tuple(name for each in node.items for name in exception_names(each))
    return ("?",)


def catches(handler: Handler, statement: RaiseStmt | AssertStmt) -> bool:
    """Whether a handler certainly gets the error that a statement raises."""
    caught = _ANY.union((_name_of(statement),))
    return not caught.isdisjoint(exception_names(handler.kind))


def _name_of(statement: RaiseStmt | AssertStmt) -> str:
    if isinstance(statement, AssertStmt):
        return "AssertionError"
    value = statement.value
    return last_name(value.func if isinstance(value, CallExpr) else value)


def is_decided_by(
    body: Sequence[Stmt], number: int, end: RaiseStmt | AssertStmt, changed: Collection[str]
) -> bool:
    """Whether a test on which it rests that a `try` raises looks at what a call of this number gives, or at
    what is made of that, and at nothing that is made of variables that are changed."""
    tests = [*_tests_before(body, end)]
    given = [targets for targets, value in assignments(body) if _makes(value, number)]
    names = names_from({name for targets in given for name in variables(targets)}, body)
    if not any(mentions(test, names) or _makes(test, number) for test in tests):
        return False
    return not any(mentions(each, changed) for each in _asked(body, tests))


def _makes(node: Expr, number: int) -> bool:
    return any(call.nid == number for call in calls_in(node))


def _tests_before(body: Sequence[Stmt], end: RaiseStmt | AssertStmt) -> Iterator[Expr]:
    """The tests around a statement, and those under which a statement before it leaves the `try`."""
    if isinstance(end, AssertStmt):
        yield end.test
    for statement in statements(body):
        if isinstance(statement, (IfStmt, WhileStmt)) and statement.nid < end.nid:
            if any(each is end or isinstance(each, _LEAVE) for each in walk(statement)):
                yield statement.test


def _asked(body: Sequence[Stmt], tests: Sequence[Expr]) -> list[Expr]:
    """Tests, and the values of the variables that they read, and of those that these are made of."""
    found, before = [*tests], -1
    while len(found) != before:
        before = len(found)
        names = {each.name for each in walk(*found) if isinstance(each, NameExpr)}
        values = [value for targets, value in assignments(body) if not names.isdisjoint(variables(targets))]
        found = [*tests, *values]
    return found


def changed_by(body: Sequence[Stmt], handler: Handler, loops: Sequence[Turns]) -> set[str]:
    """The variables that a handler of a `try`, or the innermost loop around it, binds, but not its body."""
    own = {name for targets, _ in assignments(body) for name in variables(targets)}
    bound = {name for targets, _ in assignments(handler.body) for name in variables(targets)}
    return bound.union(bound_by(loops[-1]) if loops else ()) - own
