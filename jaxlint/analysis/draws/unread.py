"""Draws that come to nothing, as nothing reads their values.

In: a call that consumes a key, and the code that it is in. Out: whether what it gives is read for its shape
at most, or only those parts of it that rest on no draw. Functions of the same file are looked into.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from jaxlint.analysis.consumption import Consumption, Place
from jaxlint.analysis.draws.texts import bound_to, holder_of
from jaxlint.ir.def_use import def_use_of
from jaxlint.ir.liveness import Liveness
from jaxlint.ir.loop_carried import parts, statements
from jaxlint.ir.loop_guards import mentions
from jaxlint.ir.mentions import read_by
from jaxlint.ir.nodes import (
    AssignStmt,
    CallExpr,
    ComprehensionExpr,
    ConstExpr,
    Expr,
    ForStmt,
    NameExpr,
    Node,
    ReturnStmt,
    StarExpr,
    SubscriptExpr,
    TupleExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.repetition import names_from
from jaxlint.ir.walks import (
    calls_by_number,
    calls_in,
    calls_of,
    last_name,
    nodes_of,
    once_for_body,
    plain,
    walk,
)

_DEEP = 3  # functions that hand a value on


class _Made(NamedTuple):
    """Which positions of a tuple that a call gives rest on a draw, and how many there are."""

    drawn: frozenset[int]
    length: int


def is_never_read(program: Program, code: Code, number: int) -> bool:
    """Whether what a call gives is assigned to variables that are read for their shapes at most before they
    are bound again. Those of a module may be imported."""
    made = [
        each
        for each in map(plain, statements(code.body))
        if isinstance(each, AssignStmt) and any(call.nid == number for call in calls_in(each.value))
    ]
    bound = [part for each in made for target in each.targets for part in parts(target)]
    if code is program.body or not bound:
        return False
    return all(isinstance(each, NameExpr) and _wants_shapes(program, code, each.nid, _DEEP) for each in bound)


def _wants_shapes(program: Program, code: Code, binding: int, depth: int) -> bool:
    """Whether all that reads a variable from there on wants its shape, or its length."""
    readers = def_use_of(code, program).readers(binding)
    if readers is None:
        return False
    shaped, counted = _shape_reads(code, program)
    left = set(readers) - shaped - counted
    if not left:
        return True
    given = [
        (call, position)
        for call in calls_of(code.body)
        for position, each in enumerate((*call.args, *(word.value for word in call.keywords)))
        if isinstance(each, NameExpr) and each.nid in left
    ]
    if not depth or len(given) < len(left):
        return False
    return all(_hands_to_shapes(program, call, position, depth - 1) for call, position in given)


def _hands_to_shapes(program: Program, call: CallExpr, position: int, depth: int) -> bool:
    """Whether a call is of a function of the file that wants no more than the shape of this argument."""
    name = call.func.name if isinstance(call.func, NameExpr) else ""
    named = [each for each in program.codes if each.name == name]
    if len(named) != 1 or named[0].in_class or any(isinstance(each, StarExpr) for each in call.args):
        return False
    params = named[0].params
    if position < len(call.args):
        found = [*params[position : position + 1]]
    else:
        word = call.keywords[position - len(call.args)]
        found = [each for each in params if each.name == word.name]
    return bool(found) and _wants_shapes(program, named[0], found[0].nid, depth)


@lru_cache(maxsize=64)
def _shape_reads(code: Code, program: Program) -> tuple[Set[int], Set[int]]:
    """The reads of variables that want a shape only, and those of what is gone through to count."""
    counted: set[int] = set()
    flow = def_use_of(code, program)
    for node in nodes_of(code.body):
        if isinstance(node, ForStmt) and isinstance(node.iterable, NameExpr):
            targets = [*parts(node.target)]
            if all(isinstance(each, NameExpr) and flow.readers(each.nid) == () for each in targets):
                counted.add(node.iterable.nid)
        elif isinstance(node, ComprehensionExpr) and len(node.clauses) == 1:
            clause = node.clauses[0]
            names = {each.name for each in walk(clause.target) if isinstance(each, NameExpr)}
            asked = (node.element, *(test for _, test in clause.tests))
            if isinstance(clause.iterable, NameExpr) and not any(mentions(each, names) for each in asked):
                counted.add(clause.iterable.nid)
    return Liveness(code, program).shaped, counted


def is_dropped(program: Program, code: Code, consumption: Consumption) -> bool:
    """Whether a call gives a tuple of which only parts are read that rest on no draw."""
    read = _positions_read(program, code, consumption.nid)
    if read is None or not consumption.inner:
        return False
    call = calls_by_number(code.body)[consumption.nid]
    made = _made_by(call, consumption.inner)
    return (
        made is not None
        and all(0 <= position < made.length for position in read)
        and made.drawn.isdisjoint(read)
    )


def _made_by(call: CallExpr, places: Sequence[Place]) -> _Made | None:
    """What of the tuple that a call gives rests on a draw, which is at the last of these places in functions
    called there; None where that is not known."""
    module, number = places[0]
    inner = holder_of(module.program, number)
    if inner is None or inner.is_generator or inner.is_async or not _gives_as_is(call, inner):
        return None
    drawn = names_from(_bound_of_draw(inner, number, places[1:]), inner.body)
    returned = [each.value for each in statements(inner.body) if isinstance(each, ReturnStmt)]
    if not returned or not _is_contained(module.program, inner, number, drawn):
        return None
    found: set[int] = set()
    counts: set[int] = set()
    for value in returned:
        if isinstance(value, CallExpr) and value.nid == number and len(places) > 1:
            deeper = _made_by(value, places[1:])
            if deeper is None:
                return None
            found |= deeper.drawn
            counts.add(deeper.length)
            continue
        if not isinstance(value, TupleExpr) or any(isinstance(each, StarExpr) for each in value.items):
            return None
        counts.add(len(value.items))
        found |= {at for at, each in enumerate(value.items) if _rests_on(each, number, drawn)}
    return _Made(frozenset(found), min(counts))


def _bound_of_draw(code: Code, number: int, deeper: Sequence[Place]) -> set[str]:
    """The variables that get what rests on a draw, of what a call gives that leads to it."""
    every = bound_to(code.body, number)
    for statement in map(plain, statements(code.body) if deeper else ()):
        if not isinstance(statement, AssignStmt) or not _is_call(statement.value, number):
            continue
        (target, *others), value = statement.targets, statement.value
        made = _made_by(value, deeper) if isinstance(value, CallExpr) else None
        if made is None or others or not isinstance(target, TupleExpr) or len(target.items) != made.length:
            return every
        if any(isinstance(each, StarExpr) for each in target.items):
            return every
        items = [each for at, each in enumerate(target.items) if at in made.drawn]
        return {each.name for item in items for each in parts(item) if isinstance(each, NameExpr)}
    return every


def _positions_read(program: Program, code: Code, number: int) -> Collection[int] | None:
    """Which parts of the tuple that a call gives are read; None where that may be all of it."""
    flow = def_use_of(code, program)
    index = _item_read(code.body).get(number)
    if index is not None:
        position = index.value if isinstance(index, ConstExpr) else None
        return {position} if type(position) is int and position >= 0 else None
    for statement in map(plain, statements(code.body)):
        if not isinstance(statement, AssignStmt) or not _is_call(statement.value, number):
            continue
        target = statement.targets[0]
        if len(statement.targets) != 1 or not isinstance(target, TupleExpr):
            return None
        if any(isinstance(each, StarExpr) for each in target.items):
            return None
        names = [each if isinstance(each, NameExpr) else None for each in target.items]
        if code is program.body:  # others may import what is not called so
            names = [each if each is not None and each.name.startswith("_") else None for each in names]
        unread = [each is not None and flow.readers(each.nid) == () for each in names]
        return {position for position, is_unread in enumerate(unread) if not is_unread}
    return None


@once_for_body
def _item_read(body: Sequence[Node]) -> Mapping[int, Expr]:
    """The item that is taken of what calls give, by their numbers."""
    items = (each for each in nodes_of(body) if isinstance(each, SubscriptExpr))
    return {each.value.nid: each.index for each in items if isinstance(each.value, CallExpr)}


def _is_call(node: Expr, number: int) -> bool:
    return isinstance(node, CallExpr) and node.nid == number


def _gives_as_is(call: CallExpr, inner: Code) -> bool:
    """Whether a call gives what the function gives that it leads to: it calls it by its name, or by `apply`
    of a module that gives no more than that."""
    if last_name(call.func) == "apply":
        return inner.in_class and all(each.name not in (None, "mutable") for each in call.keywords)
    return last_name(call.func) == inner.name


def _is_contained(program: Program, code: Code, number: int, drawn: set[str]) -> bool:
    """Whether what a call in a function gives goes into variables of the function and its result alone, and
    no test reads it."""
    nested = [each for each in program.codes if each is not code and each.nid in _numbers_of(code)]
    if any(not drawn.isdisjoint(each.free) for each in nested):
        return False
    for statement in statements(code.body):
        if isinstance(statement, ReturnStmt) or not any(
            _rests_on(each, number, drawn) for each in read_by(statement)
        ):
            continue
        statement = plain(statement)
        if not isinstance(statement, AssignStmt) or not all(
            isinstance(part, NameExpr) for target in statement.targets for part in parts(target)
        ):
            return False
    return True


def _numbers_of(code: Code) -> set[int]:
    return {nid for each in nodes_of(code.body) if (nid := getattr(each, "nid", None)) is not None}


def _rests_on(node: Node, number: int, drawn: set[str]) -> bool:
    return mentions(node, drawn) or any(call.nid == number for call in calls_in(node))
