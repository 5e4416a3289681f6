"""Which tests in a loop, by their text, may hold at one of its turns only (`if step == 0`, a flag that the
loop clears).

In: tests, and the loops around a place. Out: whether what is done there may be done once for all their turns.
It refuses to know what the values are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from jaxlint.ir.loop_carried import Turns, parts
from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    BinaryExpr,
    BoolExpr,
    CompareExpr,
    ConstExpr,
    ContinueStmt,
    Expr,
    ForStmt,
    IfStmt,
    ListExpr,
    NameExpr,
    Node,
    SetExpr,
    Stmt,
    SubscriptExpr,
    TupleExpr,
    UnaryExpr,
    WalrusExpr,
    WithStmt,
)
from jaxlint.ir.walks import calls_in, heads, suites, walk

_EQUAL = frozenset(("==", "is", "in"))
_UNEQUAL = frozenset(("!=", "is not", "not in"))


class Held(NamedTuple):
    """A test in force, and which way. depth: how many loops of its function are around it."""

    test: Expr
    truth: bool
    depth: int


def may_be_once(tests: Sequence[Held], loops: Sequence[Turns], depth: int) -> bool:
    """Whether one of the tests inside the first of these loops, which `depth` loops are around, may hold
    at one turn only."""
    inner = [held for held in tests if held.depth > depth and singles_out(held.test, held.truth)]
    if not inner:
        return False
    varying = {name for loop in loops for name in bound_by(loop)}
    return any(mentions(held.test, varying) and not _is_default(held, loops) for held in inner)


def is_in_some_turns(loop: Turns, number: int) -> bool:
    """Whether a test inside of a loop says in which of its turns a call is made: one that asks for what the
    loop gives or changes, or for what a call gives, which may be something else each time."""
    varying = {*bound_by(loop)}

    def varies(test: Expr) -> bool:
        return mentions(test, varying) or any(calls_in(test))

    def is_chosen(body: Sequence[Stmt]) -> bool | None:
        """None where the call is not in this block."""
        is_passed_over = False
        for statement in body:
            if any(call.nid == number for call in calls_in(*heads(statement))):
                return is_passed_over
            test = statement.test if isinstance(statement, IfStmt) and varies(statement.test) else None
            for block in suites(statement):
                found = is_chosen(block)
                if found is not None:
                    return found or is_passed_over or test is not None
                if test is not None and block and isinstance(block[-1], ContinueStmt):
                    is_passed_over = True
        return None

    return bool(is_chosen(loop.body))


def _is_default(held: Held, loops: Sequence[Turns]) -> bool:
    """Whether a flag has, where a test asks for it, what each turn of a loop gives it to begin with."""
    test, truth = held.test, held.truth
    while isinstance(test, UnaryExpr) and test.operator == "not":
        test, truth = test.operand, not truth
    if not isinstance(test, NameExpr):
        return False
    return any(
        isinstance(statement, AssignStmt)
        and statement.nid < test.nid
        and isinstance(statement.value, ConstExpr)
        and bool(statement.value.value) == truth
        and test.name in {name for target in statement.targets for name in names_in(target)}
        for loop in loops
        for statement in loop.body
    )


def singles_out(test: Expr, truth: bool) -> bool:
    """Whether a test picks out one value of what it looks at. A remainder comes again."""
    if isinstance(test, UnaryExpr) and test.operator == "not":
        return singles_out(test.operand, not truth)
    if isinstance(test, BoolExpr):
        return singles_out(test.left, truth) or singles_out(test.right, truth)
    if isinstance(test, WalrusExpr):
        return singles_out(test.value, truth)
    if isinstance(test, CompareExpr):
        if has_remainder(test):
            return False
        operators = {operator for operator, _ in test.rest}
        if isinstance(test.left, ConstExpr) and not operators.isdisjoint(("in", "not in")):
            return True  # what is not there yet may be put there
        return not operators.isdisjoint(_EQUAL if truth else _UNEQUAL)
    return isinstance(test, (NameExpr, AttrExpr))


def mentions(node: Node, names: Collection[str]) -> bool:
    """Whether an expression reads one of these variables, or an attribute of one of these names."""
    for part in walk(node):
        if isinstance(part, NameExpr) and part.name in names:
            return True
        if isinstance(part, AttrExpr) and f".{part.name}" in names:
            return True
    return False


def has_remainder(node: Node) -> bool:
    """Whether a test looks at the remainder of a division, as those do that hold now and then."""
    return any(isinstance(part, BinaryExpr) and part.operator == "%" for part in walk(node))


def bound_by(loop: Turns) -> Iterator[str]:
    """The variables, and the names of attributes behind a dot, that a loop binds."""
    if loop.target is not None:
        yield from names_in(loop.target)
    yield from _assigned(loop.body)


def _assigned(body: Sequence[Stmt]) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, AssignStmt):
            for target in statement.targets:
                yield from names_in(target)
        elif isinstance(statement, (AnnotatedStmt, AugmentedStmt, ForStmt)):
            yield from names_in(statement.target)
        elif isinstance(statement, WithStmt):
            for _, bound in statement.items:
                if bound is not None:
                    yield from names_in(bound)
        for block in suites(statement):
            yield from _assigned(block)


def names_in(target: Expr) -> Iterator[str]:
    for each in parts(target):
        if isinstance(each, NameExpr):
            yield each.name
        elif isinstance(each, AttrExpr):
            yield f".{each.name}"
        elif isinstance(each, SubscriptExpr):
            yield from names_in(each.value)


def written_out(node: Expr) -> tuple[Any, ...] | None:
    """The constants that a tuple, a list or a set is written with; None for anything else."""
    if not isinstance(node, (TupleExpr, ListExpr, SetExpr)):
        return None
    values = tuple([each.value for each in node.items if isinstance(each, ConstExpr)])
    return values if len(values) == len(node.items) else None
