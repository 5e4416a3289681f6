"""Parts of a function that it does not run when it is called in one way.

In: a function context, and a number in its function. Out: whether the node is under a test, or behind one
whose other arm leaves the function, that is answered otherwise in all turns there. A pytree that a trace is
given for a parameter is not None, as far as that is not known. And whether a key is consumed only under such.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.domain.values import NONE, OneOf, TracerPytree, Value
from jaxlint.ir.def_use import def_use_of
from jaxlint.ir.loop_carried import statements
from jaxlint.ir.nodes import (
    CompareExpr,
    ConditionalExpr,
    ConstExpr,
    Expr,
    IfStmt,
    NameExpr,
    Node,
)
from jaxlint.ir.walks import leaves, nodes_of, number_of, suites, walk, without_not

if TYPE_CHECKING:
    from jaxlint.analysis.consumption import Consumption
    from jaxlint.analysis.function_context import FunctionContext
    from jaxlint.ir.program import Code, Program


class _Arm(NamedTuple):
    """What is run under one answer of a test: the numbers from the first to the last."""

    test: int
    truth: bool
    first: int
    last: int
    absent: str = ""  # the parameter that is None then


def is_untaken(context: FunctionContext, number: int) -> bool:
    """Whether a function context does not come to the node of this number."""
    if context.running or context.code.is_generator or context.code.is_async:
        return False
    given = {
        param.name
        for param, value in zip(context.code.params, context.arguments, strict=False)
        if isinstance(value, TracerPytree)
    }
    return any(
        each.first <= number <= each.last
        and (each.truth not in context.arms.get(each.test, (each.truth,)) or each.absent in given)
        for each in _arms(context.code, context.module.program)
    )


def needs_absent(
    activation: FunctionContext,
    where: Consumption,
    handed_on: Container[Hashable],
    given: Mapping[Any, Value],
) -> bool:
    """Whether a function consumes a key there only where an argument is None that may be something else.
    `handed_on`: what it calls the arguments that its caller has for parameters whose default is None;
    `given`: what this call gives the parameters, if others share the context."""
    absent = {
        *(absent_under(held.test, held.truth) for held in where.tests),
        *(absent_under(*test) for test in where.under),
    }
    params = () if activation.func is None or absent == {""} else activation.func.code.params
    return any(
        (isinstance(value, OneOf) and NONE in value.options)
        or (isinstance(value, TracerPytree) and value.token not in handed_on)
        for param, value in zip(params, activation.arguments, strict=False)
        if param.name in absent and given.get(param.name) != NONE
    )


@lru_cache(maxsize=64)
def _arms(code: Code, program: Program) -> Sequence[_Arm]:
    found: list[_Arm] = []
    flow = def_use_of(code, program)
    fixed = {each.name for each in code.params if flow.bindings_of(each.name) == [each.nid]}
    for block in (code.body, *(each for statement in statements(code.body) for each in suites(statement))):
        for position, statement in enumerate(block):
            if isinstance(statement, IfStmt):
                for truth, arm in ((True, statement.body), (False, statement.orelse)):
                    found += _arm(statement, truth, arm, fixed)
                    if leaves(arm):
                        found += _arm(statement, not truth, block[position + 1 :], fixed)
    for node in nodes_of(code.body):
        if isinstance(node, ConditionalExpr):
            found += (*_arm(node, True, (node.body,), fixed), *_arm(node, False, (node.orelse,), fixed))
    return found


def _arm(
    node: IfStmt | ConditionalExpr, truth: bool, nodes: Sequence[Node], fixed: Collection[str]
) -> Iterator[_Arm]:
    numbers = [each for each in map(number_of, walk(*nodes)) if each is not None]
    if numbers:
        absent = absent_under(node.test, truth)
        yield _Arm(node.nid, truth, min(numbers), max(numbers), absent if absent in fixed else "")


def absent_under(test: Expr, truth: bool) -> str:
    """The variable that is None where a test has this answer; nothing where it does not say so."""
    test, truth = without_not(test, truth)
    if not isinstance(test, CompareExpr) or not isinstance(test.left, NameExpr):
        return ""
    is_none = test.rest in ((("is", ConstExpr(None)),), (("==", ConstExpr(None)),))
    is_other = test.rest in ((("is not", ConstExpr(None)),), (("!=", ConstExpr(None)),))
    return test.left.name if (is_none and truth) or (is_other and not truth) else ""
