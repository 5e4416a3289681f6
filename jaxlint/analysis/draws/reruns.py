"""Draws that are made again to be shown, and inputs on which two functions are compared.

In: two calls that consume one key, and the code that they are in. Out: whether all that comes of them is
shown or asserted, by the bindings that reach each read.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

from jaxlint.analysis.consumption import Consumption
from jaxlint.analysis.draws.cells import meet
from jaxlint.analysis.draws.displayed import is_told
from jaxlint.analysis.draws.flows import Flow, Flows, Unit, flows_of
from jaxlint.analysis.draws.intended import EQUAL, resolved
from jaxlint.analysis.draws.texts import SHOWS, called_at, differing, given_to, is_number
from jaxlint.domain.objects import CONSTRUCTION
from jaxlint.ir.loop_carried import assignments, parts
from jaxlint.ir.nodes import (
    AssertStmt,
    AssignStmt,
    AttrExpr,
    CallExpr,
    Expr,
    ExprStmt,
    ForStmt,
    NameExpr,
    StarExpr,
    TupleExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.repetition import variables
from jaxlint.ir.walks import calls_in, last_name, number_of, structure_of

_RENDERS = re.compile(r"^_*(plot|show|visuali[sz]e|render|display|animate)", re.IGNORECASE)


def is_replayed(program: Program, code: Code, first: int, second: int) -> bool:
    """Whether a call is made again as it was, and what comes of that is only rendered."""
    called = called_at(code.body, first, second)
    if called is None or structure_of(called[0]) != structure_of(called[1]):
        return False
    users = [*flows_of(code, program).of(second).users.values()]
    shown = [each for each in users if _calls(each, _RENDERS)]
    return bool(shown) and all(each in shown or _computes(each) for each in users)


def are_one_and_many(program: Program, code: Code, first: Consumption, second: Consumption) -> bool:
    """Whether a function of the program is run for one thing, and transformed for many, and each result is
    only printed or plotted, by itself."""
    called = called_at(code.body, first.nid, second.nid)
    if called is None or not first.inner:
        return False
    flows = flows_of(code, program)
    one, many = flows.of(first.nid), flows.of(second.nid)
    bound = [(variables(targets), value) for targets, value in assignments((*program.body.body, *code.body))]
    name = last_name(resolved(bound, called[0].func)[1])
    runs = [call for unit in many.users.values() for call in calls_in(*unit.value)]
    is_run = any(
        structure_of(each.func) != structure_of(called[0].func)
        and last_name(resolved(bound, each.func)[1]) == name
        for each in runs
    )
    if not name or not is_run or not _is_printed(one) or not _is_printed(many):
        return False
    return not meet(flows, first.nid, second.nid, True)


def is_measured(program: Program, code: Code, first: int, second: int) -> bool:
    """Whether one call goes on with the state that a function gives, and another one drops that: what else it
    gives, as a loss of other data, is only printed, logged or plotted."""
    called = called_at(code.body, first, second)
    if called is None or structure_of(called[0].func) != structure_of(called[1].func):
        return False
    if structure_of(called[0]) == structure_of(called[1]):
        return False
    flows = flows_of(code, program)
    for one, other in (called, (called[1], called[0])):
        states, kept = _targets_of(flows, one), _targets_of(flows, other)
        dropped = [
            place
            for place, each in enumerate(states)
            if isinstance(each, NameExpr) and flows.flow.readers(each.nid) == ()
            if code is not program.body or each.name.startswith("_")
        ]
        if not any(place < len(kept) and _is_carried(kept[place], other) for place in dropped):
            continue
        users = [*flows.of(one.nid).users.values()]
        shown = [each for each in users if _is_shown(each) or is_told(flows, each)]
        if shown and all(each in shown or _computes(each) for each in users):
            return True
    return False


def is_dry_run(program: Program, code: Code, first: int, second: int) -> bool:
    """Whether a constructor only sees that functions fit together: all that comes of two calls goes into
    calls with their key, the last of which gives what nothing takes."""
    called = called_at(code.body, first, second)
    if called is None or code.name not in CONSTRUCTION:
        return False
    one, other = ({structure_of(each) for each in given_to(call)} for call in called)
    flows, keys = flows_of(code, program), one & other
    units = [unit for number in (first, second) for unit in flows.of(number).users.values()]
    last = [unit.statement.value for unit in units if isinstance(unit.statement, ExprStmt)]
    dropped = [each for each in last if isinstance(each, CallExpr)]
    return (
        bool(dropped)
        and len(dropped) == len(last)
        and all(keys.intersection(map(structure_of, given_to(each))) for each in dropped)
        and all(isinstance(unit.statement, ExprStmt) or _computes(unit) for unit in units)
    )


def _targets_of(flows: Flows, call: CallExpr) -> Sequence[Expr]:
    """What the parts of the tuple are assigned to that a call gives."""
    unit = flows.units.get(call.nid)
    if unit is None or len(unit.targets) != 1 or not any(each is call for each in unit.value):
        return ()
    target = unit.targets[0]
    items = target.items if isinstance(target, TupleExpr) else ()
    return () if any(isinstance(each, StarExpr) for each in items) else items


def _is_carried(target: Expr, call: CallExpr) -> bool:
    """Whether a call is given what its result replaces, or is a method of that."""
    owner = (call.func.value,) if isinstance(call.func, AttrExpr) else ()
    place = structure_of(target)
    return any(structure_of(each) == place for each in (*owner, *given_to(call)))


def _is_printed(flow: Flow) -> bool:
    """Whether all that comes of a call is printed or plotted."""
    shown = [each for each in flow.users.values() if _is_shown(each)]
    return bool(shown) and all(each in shown or _computes(each) for each in flow.users.values())


def _is_shown(unit: Unit) -> bool:
    value = unit.statement.value if isinstance(unit.statement, ExprStmt) else None
    return isinstance(value, CallExpr) and last_name(value.func) in SHOWS


def _calls(unit: Unit, names: re.Pattern[str]) -> bool:
    """Whether a statement calls a function of such a name for its effect."""
    value = unit.statement.value if isinstance(unit.statement, ExprStmt) else None
    return isinstance(value, CallExpr) and bool(names.search(last_name(value.func)))


def _computes(unit: Unit) -> bool:
    """Whether a statement does nothing but assign variables."""
    return isinstance(unit.statement, (AssignStmt, ForStmt)) and all(
        isinstance(each, NameExpr) for target in unit.targets for each in parts(target)
    )


def are_inputs_of_compared(program: Program, code: Code, first: int, second: int) -> bool:
    """Whether two draws are only given to functions, both to each of several, whose results are asserted to
    be alike. They have other shapes, which are written out: equal inputs would hide what is compared."""
    called = called_at(code.body, first, second)
    apart = [] if called is None else differing(*called)
    if not apart or not all(is_number(each) for pair in apart for each in pair):
        return False
    flows = flows_of(code, program)
    reads = [_reads_of(flows, each) for each in (first, second)]
    if not all(reads):
        return False
    functions: set[Hashable] = set()
    for read in (*reads[0], *reads[1]):
        call = _given(flows, read, reads)
        if call is None:
            return False
        functions.add(structure_of(call.func))
    users = [unit for number in (first, second) for unit in flows.of(number).users.values()]
    compared = [each for each in users if isinstance(each.statement, AssertStmt) or _calls(each, EQUAL)]
    return (
        len(functions) > 1
        and bool(compared)
        and all(each in compared or _computes(each) or _is_shown(each) for each in users)
    )


def _reads_of(flows: Flows, number: int) -> set[int]:
    """The reads of the variable that a call is assigned to as it is; none where it is not."""
    unit = flows.units.get(number)
    if unit is None or not unit.targets or not unit.value or number_of(unit.value[0]) != number:
        return set()
    return {*flows.readers(unit)} if _computes(unit) else set()


def _given(flows: Flows, read: int, reads: Sequence[set[int]]) -> CallExpr | None:
    """The call that has a read, and one of the other draw, among what it is given."""
    for call in calls_in(*flows.units[read].value) if read in flows.units else ():
        given = {each.nid for each in given_to(call) if isinstance(each, NameExpr)}
        if read in given and all(not given.isdisjoint(each) for each in reads):
            return call
    return None
