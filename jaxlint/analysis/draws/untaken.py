"""Parts of a function that it does not run when it is called in one way.

In: a function context, and a number in its function. Out: whether the node is under a test, or behind one
whose other arm leaves the function, that is answered otherwise in all turns there. It knows no values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.ir.loop_carried import statements
from jaxlint.ir.nodes import ConditionalExpr, IfStmt, Node, RaiseStmt, ReturnStmt, Stmt
from jaxlint.ir.walks import number_of, suites, walk

if TYPE_CHECKING:
    from jaxlint.analysis.function_context import FunctionContext
    from jaxlint.ir.program import Code


class _Arm(NamedTuple):
    """What is run under one answer of a test: the numbers from the first to the last."""

    test: int
    truth: bool
    first: int
    last: int


def is_untaken(context: FunctionContext, number: int) -> bool:
    """Whether a function context does not come to the node of this number."""
    if context.running or context.code.is_generator or context.code.is_async:
        return False
    return any(
        each.first <= number <= each.last and each.truth not in context.arms.get(each.test, (each.truth,))
        for each in _arms(context.code)
    )


@lru_cache(maxsize=64)
def _arms(code: Code) -> Sequence[_Arm]:
    found: list[_Arm] = []
    for block in (code.body, *(each for statement in statements(code.body) for each in suites(statement))):
        for position, statement in enumerate(block):
            if isinstance(statement, IfStmt):
                for truth, arm in ((True, statement.body), (False, statement.orelse)):
                    found += _arm(statement.nid, truth, arm)
                    if _leaves(arm):
                        found += _arm(statement.nid, not truth, block[position + 1 :])
    for node in walk(*code.body):
        if isinstance(node, ConditionalExpr):
            found += (*_arm(node.nid, True, (node.body,)), *_arm(node.nid, False, (node.orelse,)))
    return found


def _arm(test: int, truth: bool, nodes: Sequence[Node]) -> Iterator[_Arm]:
    numbers = [each for each in map(number_of, walk(*nodes)) if each is not None]
    if numbers:
        yield _Arm(test, truth, min(numbers), max(numbers))


def _leaves(body: Sequence[Stmt]) -> bool:
    """Whether a block that comes to its end leaves the function there."""
    last = body[-1] if body else None
    if isinstance(last, IfStmt):
        return _leaves(last.body) and _leaves(last.orelse)
    return isinstance(last, (ReturnStmt, RaiseStmt))
