"""Draws of which one is taken: a loop makes several things with one key, and the program goes on with one.

In: a call that consumes a key in each turn of a loop, and the loop. Out: whether what it gives goes into a
list or a dict alone, of which one item is taken, outside of loops: by an index, or as the branches of a
`switch`. So what is drawn from one key never meets. It refuses to know which one is taken.
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.draws.flows import Unit, flows_of, put_into
from jaxlint.ir.loop_carried import Turns, statements
from jaxlint.ir.loop_guards import mentions
from jaxlint.ir.nodes import (
    AssignStmt,
    CallExpr,
    ComprehensionExpr,
    Expr,
    ExprStmt,
    ForStmt,
    LambdaExpr,
    NameExpr,
    Node,
    SliceExpr,
    StarExpr,
    Stmt,
    SubscriptExpr,
    TupleExpr,
    WhileStmt,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.repetition import variables
from jaxlint.ir.walks import calls_by_number, calls_in, children, last_name, nodes_of, number_of, walk

_COLLECTIONS = frozenset(("list", "dict"))


def is_one_taken(program: Program, code: Code, number: int, loop: Turns) -> bool:
    """Whether one alone is taken of what a call gives in the turns of a loop, with the loop's variables."""
    call = calls_by_number(code.body).get(number)
    if call is None or loop.target is None or not mentions(call, variables((loop.target,))):
        return False
    flows = flows_of(code, program)
    stack, seen, taken = [number], {number}, set[int]()
    while stack:
        read = stack.pop()
        unit = flows.units.get(read)
        if unit is None:
            return False
        if any(_contains(each, read) for node in unit.value for each in _items_of(node)):
            taken.add(read)
            continue
        if read in _counted(unit):
            continue
        made = _bound_to(unit, read, number)
        if made is None:
            return False
        found = {*flows.readers(unit)} - seen - {made.nid}
        seen |= found
        stack += found
    return len(taken) == 1 and not _is_repeated(code, taken.pop())


def _bound_to(unit: Unit, read: int, number: int) -> NameExpr | None:
    """The variable in which a statement keeps what it reads, as it is or as an item; None where it does
    anything else with it."""
    holder = put_into(unit)
    if holder is not None:
        is_given = any(_is_kept(each, read) for each in _added(unit.statement))
        return holder if is_given or holder.nid == read else None
    if not isinstance(unit.statement, AssignStmt) or len(unit.targets) != 1 or len(unit.value) != 1:
        return None
    target, value = unit.targets[0], unit.value[0]
    is_made = isinstance(value, ComprehensionExpr) and value.kind in _COLLECTIONS and len(value.clauses) == 1
    is_kept = _is_kept(value, read) or (is_made and read == number)
    return target if isinstance(target, NameExpr) and is_kept else None


def _added(statement: Stmt) -> Iterator[Expr]:
    """What a statement puts into a collection."""
    if isinstance(statement, AssignStmt):
        yield statement.value
    elif isinstance(statement, ExprStmt) and isinstance(statement.value, CallExpr):
        yield from statement.value.args


def _is_kept(node: Node, read: int) -> bool:
    """Whether a value is what is read, or a tuple or a function with it."""
    if isinstance(node, TupleExpr):
        return any(_is_kept(each, read) for each in node.items)
    return number_of(node) == read or isinstance(node, LambdaExpr)


def _counted(unit: Unit) -> set[int | None]:
    """What a statement reads to know how many there are."""
    calls = (each for each in calls_in(*unit.value) if last_name(each.func) == "len")
    return {number_of(each) for call in calls for each in call.args}


def _items_of(node: Node) -> Iterator[Expr]:
    """The collections of which one item is taken there, for once: not in a comprehension, or a function."""
    if isinstance(node, SubscriptExpr) and not isinstance(node.index, (SliceExpr, TupleExpr)):
        yield node.value
    if isinstance(node, CallExpr):
        name, given = last_name(node.func), (*node.args, *(each.value for each in node.keywords))
        if name == "switch":
            yield from given[1:2]
        elif name == "select_n":
            yield from (each.value for each in given[1:] if isinstance(each, StarExpr))
    if not isinstance(node, ComprehensionExpr):
        for each in children(node):
            yield from _items_of(each)


def _contains(collection: Expr, read: int) -> bool:
    """Whether this is the variable that is read, or a list that is made there of what a call gives."""
    if isinstance(collection, ComprehensionExpr):
        is_list = collection.kind in _COLLECTIONS and len(collection.clauses) == 1
        return is_list and any(number_of(each) == read for each in walk(collection.element))
    return number_of(collection) == read and isinstance(collection, NameExpr)


def _is_repeated(code: Code, number: int) -> bool:
    """Whether a variable is read in a loop."""
    loops = [each for each in statements(code.body) if isinstance(each, (ForStmt, WhileStmt))]
    return any(number_of(part) == number for each in loops for part in nodes_of(each.body))
