"""Runs with one seed: for each of several settings, and evaluations of what changes.

In: calls that consume one key, and the loop around. Out: whether equal draws are meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import lru_cache
from typing import TYPE_CHECKING

from jaxlint.analysis.draws.flows import flows_of
from jaxlint.analysis.draws.texts import (
    SHOWS,
    bound_to,
    called_at,
    differing,
    given_to,
    holder_of,
    is_number,
    uses,
)
from jaxlint.ir.loop_carried import Turns, assignments, parts, statements
from jaxlint.ir.loop_guards import has_remainder, mentions
from jaxlint.ir.mentions import read_by
from jaxlint.ir.nodes import (
    AssertStmt,
    AssignStmt,
    AttrExpr,
    CallExpr,
    ConstExpr,
    Expr,
    ExprStmt,
    ForStmt,
    IfStmt,
    ListExpr,
    NameExpr,
    Stmt,
    TupleExpr,
)
from jaxlint.ir.repetition import names_from, variables
from jaxlint.ir.walks import (
    calls_by_number,
    calls_in,
    calls_of,
    dotted,
    last_name,
    number_of,
    once_for_body,
    plain,
    structure_of,
    walk,
)

if TYPE_CHECKING:
    from jaxlint.analysis.consumption import Consumption, Place
    from jaxlint.ir.program import Code, Program

_EVALUATES = re.compile(
    r"(^|_)(eval|evaluation|valid|validation)(_|$)|(^|_)(val|test)_(key|rng)|(key|rng)_(val|test)(_|$)",
    re.IGNORECASE,
)
_CHOOSES = re.compile(r"(nan)?arg(max|min|sort)$|max$|min$|sorted$|top_k$|index$")
_KEY = re.compile(r"key|rng|seed", re.IGNORECASE)
FITS = re.compile(r"_*(fit|train)(?=_(?!step|epoch|batch|one|iter|loop)|$)", re.IGNORECASE)


def is_of_settings(body: Sequence[Stmt], number: int, loop: Turns) -> bool:
    """Whether a loop makes a run for each of several settings, all of which begin alike: it hands written
    fractions to a function, or other things to one that by its name fits a model; and nothing of what the
    call gives goes into the next one."""
    call = calls_by_number(body).get(number)
    if call is None or loop.target is None:
        return False
    names = variables((loop.target,))
    around = [each for each in statements(body) if isinstance(each, ForStmt) and each.target is loop.target]
    if not around or not any(mentions(each, names) for each in given_to(call)):
        return False
    if mentions(call, bound_to(loop.body, number)):
        return False
    iterable = around[0].iterable
    if isinstance(call.func, NameExpr) and FITS.match(call.func.name):
        return not isinstance(iterable, CallExpr) or last_name(iterable.func) != "range"
    return _are_fractions(iterable, body)


def are_of_settings(body: Sequence[Stmt], first: int, second: int) -> bool:
    """Whether one function carries two states on, each its own, on the same draws: what else it is given
    differs in numbers alone, which are written there."""
    called = called_at(body, first, second)
    if called is None or structure_of(called[0].func) != structure_of(called[1].func):
        return False
    apart, states = differing(*called), [bound_to(body, each) for each in (first, second)]
    carried = [pair for pair in apart if _are_of(pair, states)]
    return (
        bool(carried)
        and len(apart) > len(carried)
        and all(all(map(is_number, pair)) for pair in apart if pair not in carried)
    )


def _are_of(pair: tuple[Expr, Expr], states: Sequence[set[str]]) -> bool:
    return all(last_name(each) in names for each, names in zip(pair, states, strict=True))


def is_shown(program: Program, code: Code, number: int, loop: Turns) -> bool:
    """Whether a loop evaluates what it changes, and what comes of that is only shown: it is printed or
    logged, or evaluated in some of its turns, as a remainder says, and read by nothing else."""
    body = code.body
    call = calls_by_number(loop.body).get(number)
    if call is None or not _is_given_changed(call, body, loop):
        return False
    found = names_from(bound_to(loop.body, number), loop.body)
    if any(mentions(each, found) for each in given_to(call)):
        return False  # what is drawn is what it goes on with
    # others may have variables of these names
    seeing = {id(each.statement) for each in flows_of(code, program).of(number).users.values()}
    readers = [each for each in statements(body) if id(each) in seeing]
    users = [statement for statement in readers if uses(statement, number, found)]
    if users and all(_shows(user) or _only_binds(user, found) for user in users):
        return True
    for each in statements(loop.body):
        if not isinstance(each, IfStmt) or not has_remainder(each.test):
            continue
        if any(one.nid == number for one in calls_of(each.body)):
            found = names_from(bound_to(each.body, number), each.body)
            users = [statement for statement in readers if uses(statement, number, found)]
            shown = {
                id(statement)
                for statement in statements(each.body)
                if isinstance(statement, (ExprStmt, AssertStmt))
            }
            return all(id(user) in shown or _only_binds(user, found) for user in users)
    return False


def _is_given_changed(call: CallExpr, body: Sequence[Stmt], loop: Turns) -> bool:
    """Whether a call is given what a loop changes: a variable or an attribute that it assigns, or what an
    object has of which it calls a method elsewhere."""
    targets = [part for found, _ in assignments(loop.body) for each in found for part in parts(each)]
    changed, places = variables(targets), {dotted(each) for each in targets}
    local = {name for found, _ in assignments(body) for name in variables(found)}
    others = (each.func for each in calls_of(loop.body) if each.nid != call.nid)
    methods = [each.value for each in others if isinstance(each, AttrExpr)]
    objects = {dotted(each) for each in methods if isinstance(each, AttrExpr) or last_name(each) in local}
    for each in given_to(call):
        if mentions(each, changed) or dotted(each) in places:
            return True
        while isinstance(each, AttrExpr):
            each = each.value
            if dotted(each) in objects - {""}:
                return True
    return False


def _shows(statement: Stmt) -> bool:
    """Whether a statement does nothing but print or log."""
    call = statement.value if isinstance(statement, ExprStmt) else None
    return isinstance(call, CallExpr) and last_name(call.func) in SHOWS


def _only_binds(statement: Stmt, names: set[str]) -> bool:
    """Whether a statement does nothing but assign to these variables, and what it assigns has nothing of what
    they were before."""
    assigned = plain(statement)
    if not isinstance(assigned, AssignStmt):
        return False
    targets = [part for target in assigned.targets for part in parts(target)]
    if mentions(assigned.value, variables(targets)):
        return False
    return all(isinstance(each, NameExpr) and each.name in names for each in targets)


def are_candidates(body: Sequence[Stmt], number: int, loop: Turns) -> bool:
    """Whether a loop gives each of several candidates a score on the same draws, and nothing but the best one
    is asked of the scores."""
    call = calls_by_number(body).get(number)
    if call is None or loop.target is None:
        return False
    if not any(mentions(each, variables((loop.target,))) for each in given_to(call)):
        return False
    added = [
        each for each in calls_of(body) if last_name(each.func) == "append" and call in calls_in(*each.args)
    ]
    scores = bound_to(body, number) | {
        last_name(each.func.value) for each in added if isinstance(each.func, AttrExpr)
    }
    asked = [each for each in calls_of(body) if _CHOOSES.match(last_name(each.func))]
    if not asked:
        return False
    owners = {number_of(each.func.value) for each in added if isinstance(each.func, AttrExpr)}
    chosen = {number_of(part) for each in asked for part in walk(each)}
    reads = {
        part.nid
        for statement in statements(body)
        for part in walk(*read_by(statement))
        if isinstance(part, NameExpr) and part.name in scores
    }
    return number in chosen or (bool(reads & chosen) and reads <= chosen | owners)


def is_shared_by_option(body: Sequence[Stmt], first: int, second: int) -> bool:
    """Whether a test decides that a second call gets the key of the first one: `if same: key = other_key`."""
    called = called_at(body, first, second)
    if called is None:
        return False
    one, other = ({each.name for each in given_to(call) if isinstance(each, NameExpr)} for call in called)
    optional = [each for each in statements(body) if isinstance(each, IfStmt)]
    return any(
        isinstance(value, NameExpr) and value.name in one - other and variables(targets) & (other - one)
        for statement in optional
        for targets, value in assignments((*statement.body, *statement.orelse))
    )


def _are_fractions(node: Expr, body: Sequence[Stmt]) -> bool:
    """Whether numbers are iterated over that are written out, each with a decimal point."""
    if isinstance(node, NameExpr):
        made = [value for targets, value in assignments(body) if node.name in variables(targets)]
        node = made[0] if len(made) == 1 else node
    if isinstance(node, CallExpr) and last_name(node.func) == "enumerate" and node.args:
        return _are_fractions(node.args[0], body)
    items = node.items if isinstance(node, (TupleExpr, ListExpr)) else ()
    return bool(items) and all(
        isinstance(each, ConstExpr) and isinstance(each.value, float) for each in items
    )


def is_evaluated(body: Sequence[Stmt], first: Consumption, second: Consumption) -> bool:
    """Whether one function evaluates two things on the same draws, or one thing before and after it is
    changed: with a key that by its name is that of an evaluation."""
    called = called_at(body, first.nid, second.nid)
    if called is None or structure_of(called[0].func) != structure_of(called[1].func):
        return False
    one, other = (
        {name for name in map(last_name, given_to(each)) if _EVALUATES.search(name)} for each in called
    )
    if one.isdisjoint(other) and not _keep_keys(first.inner, second.inner):
        return False
    changed = {
        name
        for targets, value in assignments(body)
        if first.nid < (number_of(value) or 0) < second.nid
        for name in variables(targets)
    }
    given = [each for each in given_to(called[1]) if not _is_of_evaluation(each)]
    return structure_of(called[0]) != structure_of(called[1]) or any(
        mentions(each, changed) for each in given
    )


def is_evaluated_anew(body: Sequence[Stmt], number: int, inner: Sequence[Place], loop: Turns) -> bool:
    """Whether a loop evaluates what it changes itself, each time on the same draws: with keys that by their
    names are those of an evaluation, which the call is given, or the function that is called keeps. `inner`:
    the calls there that lead to the draw."""
    call = calls_by_number(body).get(number)
    if call is None:
        return False
    changed = {name for targets, _ in assignments(loop.body) for name in variables(targets)}
    kept = _of_evaluation(body) - changed
    if any(_is_of_evaluation(each) or mentions(each, kept) for each in given_to(call)):
        return _is_given_changed(call, body, loop)
    if not _keep_keys(inner):
        return False
    return _is_given_changed(call, body, loop) or _is_of_changed(call, loop)


@once_for_body
def _of_evaluation(body: Sequence[Stmt]) -> Set[str]:
    """The variables that get what by its name is of an evaluation."""
    found = (variables(targets) for targets, value in assignments(body) if _is_of_evaluation(value))
    return frozenset([name for names in found for name in names])


def _keep_keys(*ways: Sequence[Place]) -> bool:
    """Whether functions on each of these ways to a draw keep the keys of an evaluation for it."""
    return all(any(_keeps_keys(module.program, number) for module, number in places) for places in ways)


@lru_cache(maxsize=512)
def _keeps_keys(program: Program, number: int) -> bool:
    """Whether a call is given keys of an evaluation that the function around has not as an argument."""
    code = holder_of(program, number)
    call = None if code is None else calls_by_number(code.body)[number]
    if code is None or call is None:
        return False
    own = {each.name for each in code.params}
    kept = {
        name
        for targets, value in assignments(code.body)
        if _is_of_kept_keys(value, own)
        for name in variables(targets)
    }
    return any(_is_of_kept_keys(each, own) or mentions(each, kept - own) for each in given_to(call))


def _is_of_kept_keys(node: Expr, own: set[str]) -> bool:
    read = (each for each in walk(node) if isinstance(each, (NameExpr, AttrExpr)))
    return any(
        _EVALUATES.search(each.name) and _KEY.search(each.name)
        for each in read
        if isinstance(each, AttrExpr) or each.name not in own
    )


def _is_of_changed(call: CallExpr, loop: Turns) -> bool:
    """Whether a call is of a method of what a loop changes: it assigns an attribute of that, or calls another
    method of it, but for one that is given the result."""
    owner = dotted(call.func.value) if isinstance(call.func, AttrExpr) else ""
    if not owner:
        return False
    targets = [part for found, _ in assignments(loop.body) for each in found for part in parts(each)]
    changed = {dotted(each.value) for each in targets if isinstance(each, AttrExpr)}
    methods = (
        each.func
        for each in calls_of(loop.body)
        if each.nid != call.nid and call not in calls_in(*given_to(each))
    )
    changed |= {dotted(each.value) for each in methods if isinstance(each, AttrExpr)}
    return owner in changed


def _is_of_evaluation(node: Expr) -> bool:
    return any(_EVALUATES.search(each.name) for each in walk(node) if isinstance(each, (NameExpr, AttrExpr)))
