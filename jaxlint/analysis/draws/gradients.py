"""Gradients of one function: for one output, or one argument, after another.

In: two calls, or one and the loops around it, and the functions that are differentiated. Out: whether one
function is evaluated at one point, so that it has to see the same draws. What is differentiated is either the
function itself, with other `argnums`, or one that hands on to it what it gets. It refuses to know what the
values are.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from jaxlint.analysis.consumption import Consumption
from jaxlint.analysis.draws.intended import AT_ONCE, DERIVATIVES, resolved
from jaxlint.analysis.draws.texts import called_at
from jaxlint.ir.loop_carried import Turns, assignments, statements
from jaxlint.ir.loop_guards import bound_by, mentions, names_in
from jaxlint.ir.nodes import (
    AttrExpr,
    CallExpr,
    ConstExpr,
    DefStmt,
    Expr,
    LambdaExpr,
    NameExpr,
    Stmt,
    TupleExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.repetition import names_from, variables
from jaxlint.ir.walks import calls_of, last_name, nodes_of, structure_of, walk

GRADIENTS = frozenset(("grad", "value_and_grad", "jacfwd", "jacrev", "jacobian", "hessian"))

_OF_SHAPES = frozenset("shape dtype ndim size".split())  # attributes that have nothing of what is drawn


class _Evaluation(NamedTuple):
    """A function that is evaluated, or differentiated.

    derivatives: which of it are taken, the outer ones first. varied: the arguments for which, by position or
    name; None where that is not known. call: what is called there, as text; None where it is the function
    that is differentiated itself.
    """

    name: str
    derivatives: tuple[str, ...]
    varied: frozenset[int | str] | None
    call: Hashable


def are_of_one_function(
    program: Program, body: Sequence[Stmt], first: Consumption, second: Consumption
) -> bool:
    """Whether two calls evaluate or differentiate one function, both of which draw there: one the value and
    one a derivative, two derivatives, or one for other arguments than the other; or outputs of one call."""
    called = called_at(body, first.nid, second.nid)
    if called is None:
        return False
    bound = [(variables(targets), value) for targets, value in assignments((*program.body.body, *body))]
    ways = [[number for _, number in each.inner] for each in (first, second)]
    one, other = (
        [*_evaluations(program, body, bound, call, way)] for call, way in zip(called, ways, strict=True)
    )
    is_of_one_point = structure_of(_given(called[0])) == structure_of(_given(called[1]))
    return any(
        a.name == b.name
        and bool(a.derivatives or b.derivatives)
        and (
            a.derivatives != b.derivatives
            or None not in (a.varied, b.varied)
            and a.varied != b.varied
            or is_of_one_point
            and a.call is not None
            and a.call == b.call
        )
        for a in one
        for b in other
    )


def _evaluations(
    program: Program, body: Sequence[Stmt], bound: Sequence[tuple[set[str], Expr]], call: CallExpr,
    way: Sequence[int],
) -> Iterator[_Evaluation]:  # fmt: skip
    """The function that a call evaluates, and the one that this calls on the way to the draw with what it is
    differentiated for."""
    func = call if last_name(call.func) in AT_ONCE else call.func
    taken, last = resolved(bound, func)
    code = _code_of(program, body, last)
    names = [last_name(each.func) for each in taken]
    if code is not None and not isinstance(last, LambdaExpr):
        made = (each.func if isinstance(each, CallExpr) else each for each in code.decorators)
        names += [name for name in map(last_name, made) if name in DERIVATIVES]
    varied = _positions(taken[0]) if taken else frozenset((0,))
    if not isinstance(last, LambdaExpr):
        yield _Evaluation(last_name(last), tuple(names), varied, None)
    if code is None:
        return
    params = [each.name for each in code.params if not (code.in_class and each is code.params[0])]
    own = {name for at, name in enumerate(params) if varied is None or at in varied}
    made_of = names_from(own, code.body) | own
    for inner in calls_of(code.body):
        given: dict[int | str, Expr] = dict(enumerate(inner.args))
        given.update({each.name: each.value for each in inner.keywords if each.name})
        found = frozenset(at for at, each in given.items() if _is_made_of(each, made_of))
        if inner.nid in way and found:
            yield _Evaluation(last_name(inner.func), tuple(names), found, structure_of(inner))


def _code_of(program: Program, body: Sequence[Stmt], func: Expr) -> Code | None:
    """The function that is written there, or that has this name: one in the same body, or the only one."""
    if isinstance(func, LambdaExpr):
        return program.codes[func.index]
    name = last_name(func)
    local = [program.codes[each.index] for each in statements(body) if isinstance(each, DefStmt)]
    found = [each for each in local if each.name == name and isinstance(func, NameExpr)] or [
        each for each in program.codes if each.name == name and each.in_class == isinstance(func, AttrExpr)
    ]
    return found[0] if len(found) == 1 else None


def _positions(derivative: CallExpr) -> frozenset[int | str] | None:
    """The arguments for which a derivative is taken; None where that is not known."""
    given = [*derivative.args[1:2], *(each.value for each in derivative.keywords if each.name == "argnums")]
    if not given or last_name(derivative.func) in AT_ONCE:
        return frozenset((0,))
    items = given[0].items if isinstance(given[0], TupleExpr) else given[:1]
    numbers = [each.value for each in items if isinstance(each, ConstExpr) and type(each.value) is int]
    return frozenset(numbers) if len(numbers) == len(items) else None


def _is_made_of(node: Expr, names: set[str]) -> bool:
    """Whether an expression reads one of these variables, and not only the shape or the type of it."""
    shapes = {
        id(part)
        for each in walk(node)
        if isinstance(each, AttrExpr) and each.name in _OF_SHAPES
        for part in walk(each)
    }
    return any(
        isinstance(each, NameExpr) and each.name in names and id(each) not in shapes for each in walk(node)
    )


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
    calls = (each for each in nodes_of(code.body) if isinstance(each, CallExpr))
    handed = next((each for each in calls if each.nid == inner), None)
    if handed is None or not isinstance(handed.func, NameExpr) or handed.func.name in targets:
        return False
    own = {param.name for param in code.params}
    names = (each for given in _given(handed) for each in walk(given) if isinstance(each, NameExpr))
    return all(each.name in own for each in names)


def _given(call: CallExpr) -> tuple[Expr, ...]:
    """What a call hands over."""
    return (*call.args, *(keyword.value for keyword in call.keywords))
