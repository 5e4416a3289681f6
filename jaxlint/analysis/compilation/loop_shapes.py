"""Loops that give each call arrays of another shape, for which JAX compiles anyway.

In: a loop, a call in it, and the variables that count it. Out: whether the text shows that an argument of the
call is made with a size that is another one in each turn. It refuses to know what is called.
"""

from __future__ import annotations

from collections.abc import Collection

from jaxlint.ir.loop_carried import Turns, assignments
from jaxlint.ir.loop_guards import mentions
from jaxlint.ir.nodes import CallExpr, Expr, SliceExpr, SubscriptExpr
from jaxlint.ir.program import Code
from jaxlint.ir.repetition import given_in, names_from, static_parts, variables
from jaxlint.ir.walks import calls_by_number, calls_of, walk

_SIZES = frozenset(("shape", "size"))  # what random generators of NumPy call it


def has_own_shapes(loop: Turns, nid: int, counted: Collection[str]) -> bool:
    """Whether a call is given an array whose shape is made of one of these variables."""
    call = calls_by_number(loop.body).get(nid)
    if call is None or not counted:
        return False
    sizes = names_from({*counted}, loop.body)
    shaped: set[str] = set()
    for targets, value in assignments(loop.body):
        if _is_sized(value, sizes):
            shaped |= variables(targets)
    given = (*call.args, *(each.value for each in call.keywords))
    return any(mentions(each, shaped) or _is_sized(each, sizes) for each in given)


def passes_sizes(loop: Turns, nid: int, counted: Collection[str], code: Code) -> bool:
    """Whether a call gives one of these variables to a function that makes arrays of such sizes."""
    call = calls_by_number(loop.body).get(nid)
    if call is None or not counted:
        return False
    sizes = names_from({*counted}, loop.body)
    given = {param.name: given_in(call, code, param.name) for param in code.params}
    inner = {name for name, each in given.items() if each is not None and mentions(each, sizes)}
    inner = names_from(inner, code.body) if inner else inner
    return any(_is_sized(each, inner) for each in calls_of(code.body)) if inner else False


def _is_sized(value: Expr, sizes: Collection[str]) -> bool:
    """Whether an expression makes an array of one of these sizes, or takes so much of one."""
    for part in walk(value):
        found: list[Expr] = []
        if isinstance(part, CallExpr):
            found += static_parts(part)
            found += [each.value for each in part.keywords if each.name in _SIZES]
        elif isinstance(part, SubscriptExpr):
            found += [each for each in walk(part.index) if isinstance(each, SliceExpr)]
        if any(mentions(each, sizes) for each in found):
            return True
    return False
