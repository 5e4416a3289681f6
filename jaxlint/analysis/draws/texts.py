"""Calls in a text: what they are given, and where what they give goes; what names of functions say.

In: the body of a function or a module, and numbers of calls. Out: the calls, their arguments and variables.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from jaxlint.ir.loop_carried import assignments, statements
from jaxlint.ir.loop_guards import mentions
from jaxlint.ir.mentions import read_by
from jaxlint.ir.nodes import (
    CallExpr,
    ConstExpr,
    Expr,
    ListExpr,
    StarExpr,
    Stmt,
    TupleExpr,
    UnaryExpr,
    WithStmt,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.repetition import variables
from jaxlint.ir.walks import calls_by_number, calls_in, calls_of, last_name, once_for_body, structure_of

# functions that only show what they are given
SHOWS = frozenset(("print", "info", "debug", "log", "write", "plot", "scatter", "hist"))

_MADE_UP = frozenset(("dummy", "fake", "mock"))  # words in names of functions


def is_made_up(code: Code) -> bool:
    """Whether the name of a function says that the values that it gives are of no account."""
    return _says_made_up(code.qualname)


def is_in_made_up(program: Program, number: int) -> bool:
    """Whether a call is in a method of a class whose name says so: it stands in for another one in tests."""
    code = holder_of(program, number)
    return code is not None and _says_made_up(code.qualname.rpartition(".")[0])


def _says_made_up(name: str) -> bool:
    return any(word.lower() in _MADE_UP for word in re.findall(r"[A-Z]*[a-z]+", name))


def called_at(body: Sequence[Stmt], first: int, second: int) -> tuple[CallExpr, CallExpr] | None:
    """The calls of two numbers; None where they are not both there."""
    found = calls_by_number(body)
    return (found[first], found[second]) if first in found and second in found else None


def holder_of(program: Program, number: int) -> Code | None:
    """The function in which a call is written."""
    return next((code for code in program.codes if number in calls_by_number(code.body)), None)


def bound_to(body: Sequence[Stmt], number: int) -> set[str]:
    """The variables that what a call gives is assigned to."""
    return {*_bound(body).get(number, ())}


@once_for_body
def _bound(body: Sequence[Stmt]) -> Mapping[int, Collection[str]]:
    """`bound_to`, by the numbers of calls."""
    found: dict[int, set[str]] = {}
    for targets, whole in assignments(body):
        for target, value in paired(targets, whole):
            for call in calls_in(value):
                found.setdefault(call.nid, set()).update(variables((target,)))
    return found


def paired(targets: Sequence[Expr], value: Expr) -> Iterator[tuple[Expr, Expr]]:
    """The targets of an assignment, each with its value: its own of several that are written in a row."""
    for target in targets:
        items, values = (each.items if isinstance(each, TupleExpr) else () for each in (target, value))
        is_in_row = len(items) == len(values) and not any(isinstance(e, StarExpr) for e in (*items, *values))
        yield from zip(items, values, strict=True) if items and is_in_row else ((target, value),)


def entered_around(body: Sequence[Stmt], number: int) -> list[str]:
    """The names of the functions whose results a `with` around a call enters."""
    around = [each for each in statements(body) if isinstance(each, WithStmt)]
    return [
        name
        for each in around
        if any(call.nid == number for call in calls_of(each.body))
        for name in entered(each)
    ]


def entered(statement: Stmt) -> list[str]:
    """The names of the functions whose results a `with` enters."""
    items = statement.items if isinstance(statement, WithStmt) else ()
    return [last_name(item.func) for item, _ in items if isinstance(item, CallExpr)]


def differing(one: CallExpr, other: CallExpr) -> list[tuple[Expr, Expr]]:
    """The arguments in which two calls differ; none where they are not given alike."""
    names = [(len(call.args), [each.name for each in call.keywords]) for call in (one, other)]
    if names[0] != names[1]:
        return []
    pairs = zip(given_to(one), given_to(other), strict=True)
    return [pair for pair in pairs if structure_of(pair[0]) != structure_of(pair[1])]


def given_to(call: CallExpr) -> Iterable[Expr]:
    return (*call.args, *(each.value for each in call.keywords))


def is_number(node: Expr) -> bool:
    """Whether a number is written out, or a tuple or a list of such."""
    if isinstance(node, (TupleExpr, ListExpr)):
        return bool(node.items) and all(map(is_number, node.items))
    if isinstance(node, UnaryExpr):
        return is_number(node.operand)
    return isinstance(node, ConstExpr) and type(node.value) in (int, float)


def uses(statement: Stmt, number: int, drawn: set[str]) -> bool:
    """Whether a statement makes a call, or reads one of these variables."""
    read = read_by(statement)
    return any(mentions(each, drawn) for each in read) or any(call.nid == number for call in calls_in(*read))


def pairs_of(target: Expr, value: Expr) -> Iterator[tuple[Expr, Expr]]:
    """The parts of a target, with the values that they get or are taken of."""
    if isinstance(target, TupleExpr):
        given: Collection[Expr] = ()
        if isinstance(value, CallExpr) and last_name(value.func) == "zip":
            given = value.args
        elif isinstance(value, CallExpr) and last_name(value.func) == "enumerate" and value.args:
            given = (value, value.args[0])
        elif isinstance(value, (TupleExpr, ListExpr)):
            given = value.items
        if len(given) == len(target.items):
            for part, each in zip(target.items, given, strict=True):
                yield from pairs_of(part, each)
            return
    yield target, value
