"""Writes that each turn of a loop makes again as they were: what they set is there since the first one.

In: the last write of a place, and the number of the target that is written now. Out: whether the text says
that each turn of the loops around sets the same place to the same thing. It refuses to know what the values
are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.loop_carried import Turns, parts, statements
from jaxlint.ir.nodes import (
    OPAQUE,
    AnnotatedStmt,
    AssertStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    BoolExpr,
    BreakStmt,
    CompareExpr,
    ConditionalExpr,
    ConstExpr,
    ContinueStmt,
    Expr,
    ExprStmt,
    ForStmt,
    IfStmt,
    NameExpr,
    Node,
    RaiseStmt,
    ReturnStmt,
    SubscriptExpr,
    TupleExpr,
    UnaryExpr,
    WalrusExpr,
    WhileStmt,
    WithStmt,
)
from jaxlint.ir.program import Program
from jaxlint.ir.walks import children, nodes_of, number_of

if TYPE_CHECKING:
    from jaxlint.analysis.function_context import FunctionContext
    from jaxlint.analysis.writes import Write

_FIXED = (BoolExpr, CompareExpr, ConditionalExpr, ConstExpr, TupleExpr, UnaryExpr)
# statements that bind no variables, or are known to the walk over assignments
_PLAIN = (
    AnnotatedStmt, AssertStmt, AssignStmt, AugmentedStmt, BreakStmt, ContinueStmt, ExprStmt, ForStmt, IfStmt,
    RaiseStmt, ReturnStmt, WhileStmt, WithStmt,
)  # fmt: skip


def is_made_again(last: Write | None, frame: FunctionContext, nid: int) -> bool:
    """Whether a turn of a loop before has written the same there, and nothing else has since."""
    if last is None or not frame.turns or (last.module, last.nid) != (frame.module, nid):
        return False
    return _is_same_in_turns(frame.module.program, _Loops(frame.turns), nid)


class _Loops:
    """_Loops around a statement: the same ones where they have the same bodies."""

    __slots__ = ("bodies", "loops")

    def __init__(self, loops: Sequence[Turns]) -> None:
        self.loops = tuple(loops)
        self.bodies = tuple([id(each.body) for each in loops])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Loops) and other.bodies == self.bodies

    def __hash__(self) -> int:
        return hash(self.bodies)


@lru_cache(maxsize=8192)
def _is_same_in_turns(program: Program, around: _Loops, nid: int) -> bool:
    """Whether an assignment to a variable, an attribute or an item is made in all turns of these loops alike.
    Variables that other functions bind may be anything."""
    loops = around.loops
    made = [*assigned(loops[0].body)]  # the outermost one has the others in it
    values = [(target, value) for target, value in made if number_of(target) == nid]
    if len(values) != 1 or not all(isinstance(each, _PLAIN) for each in statements(loops[0].body)):
        return False
    bound: dict[str, list[Expr]] = {name: [OPAQUE] for name in _bound_elsewhere(program)}
    targets = [each.target for each in loops if each.target is not None]
    named = [(each.target, each.value) for each in nodes_of(loops[0].body) if isinstance(each, WalrusExpr)]
    for target, value in (*made, *named, *((part, OPAQUE) for each in targets for part in parts(each))):
        if isinstance(target, NameExpr):
            bound.setdefault(target.name, []).append(value)
    return all(_is_fixed(part, bound) for part in (*_owner(values[0][0]), values[0][1]))


def _owner(target: Expr) -> Iterator[Expr]:
    """What says which place an assignment sets."""
    if isinstance(target, SubscriptExpr):
        yield target.index
    while isinstance(target, (AttrExpr, SubscriptExpr)):
        target = target.value
        if isinstance(target, NameExpr):
            yield target


@lru_cache(maxsize=64)
def _bound_elsewhere(program: Program) -> frozenset[str]:
    """The variables that functions bind outside of themselves."""
    return frozenset(name for code in program.codes for name in (*code.global_names, *code.nonlocal_names))


def _is_fixed(node: Node, bound: Mapping[str, Sequence[Expr]], asked: Collection[str] = ()) -> bool:
    """Whether an expression gives the same in all turns. bound: what the loops give variables."""
    if not isinstance(node, NameExpr):
        return isinstance(node, _FIXED) and all(_is_fixed(each, bound, asked) for each in children(node))
    if node.name not in bound:
        return True
    values = bound[node.name]
    return len(values) == 1 and node.name not in asked and _is_fixed(values[0], bound, (*asked, node.name))
