"""Draws that are repeated on purpose, or not at all: a call that is made again to be timed, cells of a
notebook, and what an attribute keeps.

In: the lowered code of a function or a module, and two calls in it that consume one key. Out: whether the
text says that the second one need not be independent of the first. It refuses to know the key.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from jaxlint.analysis.deliberate_mutations import computed_attributes
from jaxlint.analysis.function_context import Consumption
from jaxlint.analysis.joint_draws import text_of
from jaxlint.domain.objects import Module
from jaxlint.ir.loop_carried import statements
from jaxlint.ir.loop_guards import mentions
from jaxlint.ir.nodes import CallExpr, Stmt, WithStmt
from jaxlint.ir.program import Code, Program
from jaxlint.ir.repetition import assignments, calls_in, names_from, variables
from jaxlint.ir.walks import last_name, number_of, walk

_CLOCKS = frozenset(
    "time time_ns perf_counter perf_counter_ns monotonic monotonic_ns process_time default_timer".split()
)
_TIMERS = re.compile(r"(^|_)(timer?|timeit|timed|timing|stopwatch|profile|bench)", re.IGNORECASE)


def is_repeated_on_purpose(module: Module, code: Code, first: Consumption, second: Consumption) -> bool:
    """Whether what the second of two calls in a function, or in the module's body, draws need not be
    independent of what the first one draws, or it draws nothing."""
    if first.inner and first.inner[-1:] == second.inner[-1:] and _is_kept(*first.inner[-1]):
        return True
    if first.module is not module or second.module is not module:
        return False
    program = module.program
    if program.cells and code is program.body and _are_apart(program, first, second):
        return True
    return _is_timed_again(code.body, first.nid, second.nid)


def _is_kept(module: Module, number: int) -> bool:
    """Whether what is drawn at a place is kept in an attribute, and drawn only where it is not there yet."""
    holders = (
        code for code in module.program.codes if any(number_of(node) == number for node in walk(*code.body))
    )
    return any(computed_attributes(code, number) for code in holders)


def _is_timed_again(body: Sequence[Stmt], first: int, second: int) -> bool:
    """Whether one function is called twice, and the second call is timed: a clock is read between the two
    and again later, or it is made in a `with timer():`. The first call compiles the function."""
    called: dict[int, CallExpr] = {}
    clocks: list[int] = []
    for call in calls_in(*body):
        if call.nid in (first, second):
            called[call.nid] = call
        elif last_name(call.func) in _CLOCKS:
            clocks.append(call.nid)
    if len(called) < 2 or text_of(called[first].func) != text_of(called[second].func):
        return False
    is_started = any(first < each < second for each in clocks)
    return (is_started and any(each > second for each in clocks)) or _is_in_timer(body, second)


def _is_in_timer(body: Sequence[Stmt], number: int) -> bool:
    """Whether a call is made under a context manager that by its name takes the time."""
    for each in statements(body):
        if isinstance(each, WithStmt) and any(call.nid == number for call in calls_in(*each.body)):
            names = (last_name(item.func) for item, _ in each.items if isinstance(item, CallExpr))
            if any(map(_TIMERS.search, names)):
                return True
    return False


def _are_apart(program: Program, first: Consumption, second: Consumption) -> bool:
    """Whether two calls in the body of a notebook are made in different cells, and what the second one draws
    takes the place of what the first one draws, or nothing is assigned that comes from both. Cells are run
    again, and one by one: a function of one's own that two of them call shows the same draws twice."""
    one, other = (bisect_right(program.cells, each.nid) for each in (first, second))
    if one == other:
        return False
    body = program.body.body
    mine, others = (_bound_to(body, each.nid) for each in (first, second))
    if mine and mine == others:
        return True
    if not any(each.inner or each.splits for each in (first, second)):
        return False
    mine, others = names_from(mine, body), names_from(others, body)
    only, only_others = mine - others, others - mine
    for _, value in assignments(body):
        calls = any(call.nid == second.nid for call in calls_in(value))
        if mentions(value, only) and (calls or mentions(value, only_others)):
            return False
    return True


def _bound_to(body: Sequence[Stmt], number: int) -> set[str]:
    """The variables of a module that what a call gives is assigned to."""
    return {
        name
        for targets, value in assignments(body)
        if any(call.nid == number for call in calls_in(value))
        for name in variables(targets)
    }
