"""Loops that take gradients of one function: for one output, or one argument, after another.

In: the call, the loops around it and the function that is differentiated. Out: whether that function is
evaluated at one point in all iterations, so that it has to see the same draws. What is differentiated is
either the function itself, with other `argnums`, or one that hands all it gets on to the function and
selects an output. It refuses to know what the values are.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.ir.loop_carried import Turns
from jaxlint.ir.loop_guards import bound_by, mentions, names_in
from jaxlint.ir.nodes import CallExpr, Expr, NameExpr
from jaxlint.ir.program import Code
from jaxlint.ir.walks import walk

GRADIENTS = frozenset(("grad", "value_and_grad", "jacfwd", "jacrev", "jacobian", "hessian"))


def is_of_one_function(call: CallExpr, loops: Sequence[Turns], code: Code, inner: int | None) -> bool:
    """`code`: what is differentiated; `inner`: the call there that draws, None if it draws itself."""
    targets = {name for loop in loops if loop.target is not None for name in names_in(loop.target)}
    varying = targets.union(*map(bound_by, loops))
    if not targets or any(mentions(each, varying) for each in _given(call)):
        return False
    func = call.func
    if isinstance(func, CallExpr) and func.args and not mentions(func.args[0], varying):
        numbers = [keyword.value for keyword in func.keywords if keyword.name == "argnums"]
        if any(mentions(each, targets) for each in (*func.args[1:], *numbers)):
            return True
    if inner is None or not (mentions(func, targets) or targets.intersection(code.free)):
        return False
    calls = (each for each in walk(*code.body) if isinstance(each, CallExpr))
    handed = next((each for each in calls if each.nid == inner), None)
    if handed is None or not isinstance(handed.func, NameExpr) or handed.func.name in targets:
        return False
    own = {param.name for param in code.params}
    names = (each for given in _given(handed) for each in walk(given) if isinstance(each, NameExpr))
    return all(each.name in own for each in names)


def _given(call: CallExpr) -> tuple[Expr, ...]:
    """What a call hands over."""
    return (*call.args, *(keyword.value for keyword in call.keywords))
