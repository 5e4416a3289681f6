"""What the cells of a notebook make of what they draw.

In: the body of a notebook, or of a script with cells, and two calls in it that consume one key. Out: whether
they are made in different cells and nothing is made of both. Cells are run again, and one by one, and bind
the names of others anew: a read is of the bindings that reach it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from jaxlint.analysis.consumption import Consumption
from jaxlint.analysis.draws.flows import Flows, Unit, flows_of, put_into
from jaxlint.analysis.draws.texts import bound_to
from jaxlint.ir.nodes import (
    BinaryExpr,
    CallExpr,
    ConstExpr,
    ExprStmt,
    FormattedPart,
    FStringExpr,
    ListExpr,
    Node,
    TupleExpr,
)
from jaxlint.ir.program import Program
from jaxlint.ir.walks import children, last_name, number_of

# functions that show what they are given, one by one
_SHOW_EACH = frozenset("print pprint display info debug log write format".split())


def are_apart(program: Program, first: Consumption, second: Consumption) -> bool:
    """Whether two calls in the body of a notebook are made in different cells, and what the second one draws
    takes the place of what the first one draws, or nothing is made of both. A split draws nothing: what is
    drawn with its children is asked for itself."""
    one, other = (bisect_right(program.cells, each.nid) for each in (first, second))
    if one == other:
        return False
    if first.splits or second.splits:
        return True
    mine, others = (bound_to(program.body.body, each.nid) for each in (first, second))
    if mine and mine == others:
        return True
    are_samplers = not first.inner and not second.inner
    return not meet(flows_of(program.body, program), first.nid, second.nid, are_samplers)


def meet(flows: Flows, first: int, second: int, and_collected: bool) -> bool:
    """Whether something is made of what both of two calls give; `and_collected`: or both are put into one
    collection."""
    one, other = flows.of(first), flows.of(second)
    only, only_other = one.reads - other.reads, other.reads - one.reads
    for key, unit in other.users.items():
        if key not in one.users or _is_unread(flows, second):
            continue
        holder = None if and_collected else put_into(unit)
        mine = only if holder is None else only - {holder.nid}
        if any(_joins(flows, each, mine, only_other) for each in _side_by_side(unit)):
            return True
    return False


def _is_unread(flows: Flows, number: int) -> bool:
    """Whether what a call gives is assigned as it is, and nothing reads it."""
    users = flows.of(number).users.values()
    return len(users) == 1 and all(unit.targets and number_of(unit.value[0]) == number for unit in users)


def _joins(flows: Flows, nodes: Sequence[Node], only: set[int], only_other: set[int]) -> bool:
    read = {number_of(each) for each in flows.nodes(*nodes)}
    return not read.isdisjoint(only) and not read.isdisjoint(only_other)


def _side_by_side(unit: Unit) -> Iterator[Sequence[Node]]:
    """The parts of a statement that only shows them; all of another one together."""
    if not isinstance(unit.statement, ExprStmt) or put_into(unit) is not None:
        yield unit.value
        return
    stack: list[Node] = [unit.statement.value]
    while stack:
        node = stack.pop()
        if isinstance(node, CallExpr) and last_name(node.func) in _SHOW_EACH:
            stack += [node.func, *node.args, *(each.value for each in node.keywords)]
        elif isinstance(node, (TupleExpr, ListExpr, FStringExpr, FormattedPart)):
            stack += children(node)
        elif isinstance(node, BinaryExpr) and node.operator == "%" and isinstance(node.left, ConstExpr):
            stack.append(node.right)
        else:
            yield (node,)
