"""Which objects that a function writes attributes of may be there since an earlier call of it.

In: a function context, and a write that it or what it calls has made. Out: whether code that runs between two
of its calls may see the object before the write. It refuses to know what is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.function_context import below
from jaxlint.domain.join import callees_of
from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.loop_guards import mentions
from jaxlint.ir.nodes import CallExpr, ConstExpr, IfStmt, Stmt, TryStmt, UnaryExpr
from jaxlint.ir.repetition import variables
from jaxlint.ir.walks import last_name, numbers_of, suites

if TYPE_CHECKING:
    from jaxlint.analysis.function_context import Change, FunctionContext
    from jaxlint.domain.objects import Instance


def may_come_later(activation: FunctionContext, change: Change) -> bool:
    """Whether a write may be one to an object that others have seen. The same call of the function has not
    made it, or makes it on some paths only and keeps it in an attribute; and no test has shown that what is
    written is not there yet."""
    body, calls = activation.code.body, _calls_to(activation, change)
    if calls and all(_is_absent(body, number, change.name) for number in calls):
        return False
    if change.frame is not activation and _is_absent(change.frame.code.body, change.nid, change.name):
        return False
    if id(change.owner) not in activation.instances:
        return True
    made = [
        key[1]
        for key, value in activation.heap.items()
        if value is change.owner and isinstance(key, tuple) and key[0] == "instance"
    ]
    is_kept = bool(made) and _is_kept(activation, change.owner)
    return is_kept and any(all(_may_miss(body, number, call) for number in made) for call in calls)


def _calls_to(activation: FunctionContext, change: Change) -> set[int]:
    """The write, or the calls that lead to it, by their numbers."""
    if change.frame is activation:
        return {change.nid}
    codes = {each.code for each in activation.callees if change.frame in below((each,))}
    return {number for code, number in activation.sites if code in codes}


def _is_kept(activation: FunctionContext, owner: Instance) -> bool:
    """Whether a function keeps what it has made in an attribute of an object that was there."""
    for (holder, name), mark in activation.writes.items():
        held = (activation.env.vars.get(mark), holder.attributes.get(name))
        if id(holder) not in activation.instances:
            if any(each is not None and owner in callees_of(each) for each in held):
                return True
    return False


def _may_miss(body: Sequence[Stmt], made: int, call: int) -> bool:
    """Whether a call may be made where another statement of the same call of the function was not run: it is
    before that, or that is in a block of a test that it is not in, and which says nothing of it."""
    if call < made:
        return True
    tests = [each.test for each, _ in _around(body, call) if isinstance(each, IfStmt)]
    for statement, block in _around(body, made):
        if not isinstance(statement, (IfStmt, TryStmt)) or call in numbers_of(block):
            continue
        bound = variables([target for target, _ in assigned(block)])
        return not any(mentions(test, bound) for test in tests)
    return False


def _is_absent(body: Sequence[Stmt], number: int, name: str) -> bool:
    """Whether something runs only where a test has shown that there is no attribute of this name."""
    return any(
        isinstance(each, IfStmt)
        and block is each.body
        and isinstance(each.test, UnaryExpr)
        and each.test.operator == "not"
        and isinstance(each.test.operand, CallExpr)
        and last_name(each.test.operand.func) == "hasattr"
        and each.test.operand.args[1:] == (ConstExpr(name),)
        for each, block in _around(body, number)
    )


def _around(body: Sequence[Stmt], number: int) -> Iterator[tuple[Stmt, Sequence[Stmt]]]:
    """The statements around one that has something of this number in it, each with the block that it is in,
    the outermost first."""
    for statement in body:
        for block in suites(statement):
            if number in numbers_of(block):
                yield statement, block
                yield from _around(block, number)
