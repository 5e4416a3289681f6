"""Two calls of one function for other settings, on the same draws, whose results are only shown or compared.

In: two calls that consume one key, and the body that both are in. Out: whether they differ in what is written
out there, as numbers and options are, and nothing is made of both results but what is printed, asserted or
compared. Names of variables say nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from jaxlint.analysis.compilation.recompilation import ADDS
from jaxlint.analysis.consumption import Consumption
from jaxlint.analysis.draws.sweeps import are_numbers
from jaxlint.analysis.draws.texts import SHOWS, called_at, differing, holder_of, is_number
from jaxlint.domain.objects import CONSTRUCTION
from jaxlint.ir.loop_carried import parts, statements
from jaxlint.ir.loop_guards import mentions
from jaxlint.ir.mentions import read_by
from jaxlint.ir.nodes import (
    AssertStmt,
    AssignStmt,
    AttrExpr,
    BinaryExpr,
    CallExpr,
    CompareExpr,
    ConstExpr,
    DefStmt,
    Expr,
    ExprStmt,
    ForStmt,
    LambdaExpr,
    NameExpr,
    Node,
    Stmt,
    SubscriptExpr,
)
from jaxlint.ir.program import Program
from jaxlint.ir.repetition import variables
from jaxlint.ir.walks import children, last_name, nodes_of, plain, structure_of, walk

_APART = SHOWS | ADDS | {"items", "values", "keys"}  # what takes several results and makes no one of them


def are_shown_settings(
    program: Program, body: Sequence[Stmt], first: Consumption, second: Consumption
) -> bool:
    """Whether two calls are of one function for other settings, and their results are only shown. What makes
    objects is no such function: they are there to be used."""
    called = called_at(body, first.nid, second.nid)
    if (
        called is None
        or _is_construction(first)
        or structure_of(called[0].func) != structure_of(called[1].func)
    ):
        return False
    apart = differing(*called)
    if not apart or not all(_is_setting(each, body) for pair in apart for each in pair):
        return False
    results: list[tuple[int, set[str]]] = []
    for number in (first.nid, second.nid):
        names = _only_shown(body, number)
        if names is None or not _is_shown(body, number, names) or _is_closed_over(program, body, names):
            return False
        results.append((number, names))
    return not any(_joins(node, results) for each in statements(body) for node in read_by(each))


def _is_construction(call: Consumption) -> bool:
    code = holder_of(call.inner[0][0].program, call.inner[0][1]) if call.inner else None
    return code is not None and code.name in CONSTRUCTION


def _is_setting(node: Expr, body: Sequence[Stmt]) -> bool:
    """Whether a value is written out, or a function, or a loop goes through numbers that are written out."""
    if isinstance(node, NameExpr):
        loops = [each for each in statements(body) if isinstance(each, ForStmt)]
        around = [each for each in loops if node.name in variables((each.target,))]
        return len(around) == 1 and are_numbers(around[0].iterable, body)
    return isinstance(node, (ConstExpr, LambdaExpr)) or is_number(node)


def _only_shown(body: Sequence[Stmt], number: int) -> set[str] | None:
    """The variables that what a call gives comes to; None where anything else is done with it than to compute
    one thing of it after another, to put it into a collection, to show it or to compare it."""
    names: set[str] = set()
    before = -1
    while len(names) != before:
        before = len(names)
        for statement in statements(body):
            if any(_reads(each, number, names) for each in read_by(statement)):
                into = _taken_by(statement)
                if into is None:
                    return None
                names |= into
    return names


def _is_shown(body: Sequence[Stmt], number: int, names: set[str]) -> bool:
    """Whether a statement shows or compares what these variables have, or the call gives."""
    for statement in statements(body):
        read = read_by(statement)
        if _taken_by(statement) == set() and any(_reads(each, number, names) for each in read):
            return True
        sides = [side for each in walk(*read) if isinstance(each, CompareExpr) for side in children(each)]
        if any(_reads(each, number, names) for each in sides):
            return True
    return False


def _is_closed_over(program: Program, nodes: Iterable[Node], names: set[str]) -> bool:
    """Whether a function that is written there mentions one of these variables."""
    inner = (each for each in walk(*nodes) if isinstance(each, (LambdaExpr, DefStmt)))
    bodies = [program.codes[each.index].body for each in inner]
    return any(
        any(isinstance(each, NameExpr) and each.name in names for each in nodes_of(body))
        or _is_closed_over(program, body, names)
        for body in bodies
    )


def _taken_by(statement: Stmt) -> set[str] | None:
    """The variables that a statement puts what it reads into: none where it shows it; None where it does
    something else with it."""
    if isinstance(statement, AssertStmt):
        return set()
    if isinstance(statement, ForStmt):
        return variables((statement.target,))
    if isinstance(statement, ExprStmt) and isinstance(statement.value, CallExpr):
        func = statement.value.func
        if isinstance(func, AttrExpr) and isinstance(func.value, NameExpr) and func.name in ADDS:
            return {func.value.name}
        return set() if last_name(func) in SHOWS else None
    assigned = plain(statement)
    if not isinstance(assigned, AssignStmt):
        return None
    found: set[str] = set()
    for target in [part for each in assigned.targets for part in parts(each)]:
        holder = target.value if isinstance(target, SubscriptExpr) else target
        if not isinstance(holder, NameExpr) or mentions(assigned.value, {holder.name}):
            return None
        found.add(holder.name)
    return found


def _joins(node: Node, results: Sequence[tuple[int, set[str]]]) -> bool:
    """Whether one thing is computed of two results, but for what shows or compares them."""
    for each in _outside_comparisons(node):
        if isinstance(each, CallExpr) and last_name(each.func) not in _APART:
            given = (each.func, *each.args, *(word.value for word in each.keywords))
            if all(any(_reads(part, *result) for part in given) for result in results):
                return True
        elif isinstance(each, BinaryExpr) and each.operator != "-":
            if all(_reads(each, *result) for result in results):
                return True
    return False


def _reads(node: Node, number: int, names: set[str]) -> bool:
    """Whether an expression has the result of a call, or one of these variables, other than to compare it."""
    return any(
        (isinstance(each, NameExpr) and each.name in names)
        or (isinstance(each, CallExpr) and each.nid == number)
        for each in _outside_comparisons(node)
    )


def _outside_comparisons(node: Node) -> Iterator[Node]:
    stack = [node]
    while stack:
        each = stack.pop()
        if not isinstance(each, CompareExpr):
            yield each
            stack += children(each)
