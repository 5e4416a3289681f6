"""Which loops carry a place round: a variable, an attribute of one, or an item under a constant.

In: lowered expressions and statements. Out: the place that an `.at` update replaces by its own copy, and
whether a loop's body keeps that place from turn to turn. It refuses to know what the values are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    BinaryExpr,
    BoolExpr,
    BreakStmt,
    CallExpr,
    ConstExpr,
    Expr,
    ExprStmt,
    ForStmt,
    NameExpr,
    Node,
    RaiseStmt,
    ReturnStmt,
    StarExpr,
    Stmt,
    SubscriptExpr,
    TupleExpr,
    WhileStmt,
    WithStmt,
)
from jaxlint.ir.walks import innermost_loop, last_name, structure_of, suites, walk

LONG = 16  # turns of a loop that are worth a word


@dataclass(frozen=True, slots=True)
class Turns:
    """A loop that is being analyzed. count: how often it turns, None where that is not known."""

    count: int | None
    body: Sequence[Stmt]
    target: Expr | None = None
    iterable: Expr | None = None

    def axes(self) -> Sequence[Turns]:
        """The loops that it stands for: those of `itertools.product` are one in another."""
        call, target = self.iterable, self.target
        if not isinstance(call, CallExpr) or not isinstance(target, TupleExpr) or call.keywords:
            return (self,)
        is_product = last_name(call.func) == "product" and len(call.args) == len(target.items)
        if not is_product or any(isinstance(each, StarExpr) for each in (*call.args, *target.items)):
            return (self,)
        pairs = zip(target.items, call.args, strict=True)
        return [Turns(None, self.body, each, among) for each, among in pairs]


def updated_place(target: Expr, value: Expr) -> Expr | None:
    """The place that `place = place.at[...].set(...)` updates, through a chain of updates."""
    place = updated_by(value)
    return place if place is not value and same_place(target, place) else None


def updated_by(value: Expr) -> Expr:
    """What `x.at[...].set(...)` updates, through a chain of updates; any other expression itself."""
    place = value
    while isinstance(place, CallExpr) and isinstance(place.func, AttrExpr) and place.func.name != "get":
        indexed = place.func.value
        if not isinstance(indexed, SubscriptExpr):
            break
        helper = indexed.value
        if not isinstance(helper, AttrExpr) or helper.name != "at":
            break
        place = helper.value
    return place


def same_place(a: Node, b: Node) -> bool:
    """Whether two expressions name the same place for certain."""
    if isinstance(a, NameExpr):
        return isinstance(b, NameExpr) and a.name == b.name
    if isinstance(a, AttrExpr):
        return isinstance(b, AttrExpr) and a.name == b.name and same_place(a.value, b.value)
    if isinstance(a, SubscriptExpr) and isinstance(b, SubscriptExpr):
        return isinstance(a.index, ConstExpr) and a.index == b.index and same_place(a.value, b.value)
    return False


def keeps(target: Expr, value: Expr) -> bool:
    """Whether an assignment keeps what is there: `x = x or ...`, `o.x = getattr(o, "x", ...)`."""
    if isinstance(value, BoolExpr) and value.operator == "or":
        return same_place(target, value.left)
    if isinstance(value, CallExpr) and isinstance(value.func, NameExpr) and value.func.name == "getattr":
        if len(value.args) == 3 and isinstance(target, AttrExpr):
            owner, name, _ = value.args
            return name == ConstExpr(target.name) and same_place(target.value, owner)
    return False


def counts(target: Expr, value: Expr) -> bool:
    """Whether an entry gets what is computed from it: `d[k] = d[k] + 1`, `d[k] = d.get(k, 0) + n`."""
    if not isinstance(target, SubscriptExpr) or not isinstance(value, BinaryExpr):
        return False
    entry = structure_of(target.value), structure_of(target.index)
    for part in walk(value):
        owner, index = None, None
        if isinstance(part, SubscriptExpr):
            owner, index = part.value, part.index
        elif isinstance(part, CallExpr) and isinstance(part.func, AttrExpr) and part.func.name == "get":
            owner, index = part.func.value, part.args[0] if part.args else None
        if owner is not None and (structure_of(owner), structure_of(index)) == entry:
            return True
    return False


def derives(target: Expr, value: Expr) -> bool:
    """Whether what an attribute gets is made of what it holds: `o.x = f(o.x)`, `o.x = o.x.replace(a=1)`."""
    if isinstance(target, TupleExpr):
        return any(derives(each, value) for each in parts(target))
    if not isinstance(target, AttrExpr) or not isinstance(value, CallExpr):
        return False
    given = [*value.args, *(each.value for each in value.keywords)]
    if isinstance(value.func, AttrExpr):
        given.append(value.func.value)
    return any(same_place(target, each) for each in given)


def carries(loop: Turns, place: Expr, update: Stmt) -> bool:
    """Whether the place as `update` leaves it goes into the loop's next turn."""
    if loop.target is not None and any(_replaces(each, place) for each in parts(loop.target)):
        return False
    return not _leaves(loop.body, update) and not _fresh_copies(loop.body, place)


def parts(target: Expr) -> Iterator[Expr]:
    """The parts of a target that are bound one by one."""
    if isinstance(target, TupleExpr):
        for each in target.items:
            yield from parts(each)
    else:
        yield target.value if isinstance(target, StarExpr) else target


def _replaces(target: Expr, place: Expr) -> bool:
    """Whether an assignment to the target is one to the place, or to what holds it."""
    while not same_place(target, place):
        if not isinstance(place, (AttrExpr, SubscriptExpr)):
            return False
        place = place.value
    return True


def statements(body: Iterable[Stmt]) -> Iterator[Stmt]:
    """The statements of a body and of all blocks in it, in the order of the text."""
    for statement in body:
        yield statement
        for block in suites(statement):
            yield from statements(block)


def is_refilled(body: Sequence[Stmt], nid: int) -> bool:
    """Whether the next statement puts items into what a call, by its number, takes all items out of."""
    blocks = (body, *(block for each in statements(body) for block in suites(each)))
    for statement, later in (pair for block in blocks for pair in pairwise(block)):
        call, filled = _called(statement), _called(later)
        if call is not None and call.nid == nid:
            cleared, filler = call.func, None if filled is None else filled.func
            if not isinstance(cleared, AttrExpr) or not isinstance(filler, AttrExpr):
                return False
            return same_place(cleared.value, filler.value) and filler.name in ("update", "extend")
    return False


def _called(statement: Stmt) -> CallExpr | None:
    """The call that a statement is."""
    call = statement.value if isinstance(statement, ExprStmt) else None
    return call if isinstance(call, CallExpr) else None


def _leaves(body: Sequence[Stmt], update: Stmt) -> bool:
    """Whether a block that holds the update goes on to leave the loop."""
    for position, statement in enumerate(body):
        is_loop = isinstance(statement, (ForStmt, WhileStmt))
        if not is_loop and any(_leaves(block, update) for block in suites(statement)):
            return True
        if statement is update or any(_holds(block, update) for block in suites(statement)):
            return any(isinstance(after, (BreakStmt, ReturnStmt, RaiseStmt)) for after in body[position:])
    return False


def _holds(body: Sequence[Stmt], update: Stmt) -> bool:
    return any(each is update or any(_holds(block, update) for block in suites(each)) for each in body)


def _fresh_copies(body: Sequence[Stmt], place: Expr) -> bool:
    """Whether a statement gives the place a value that does not come from the place itself."""
    for statement in body:
        targets: Sequence[Expr] = ()
        value: Expr | None = None
        if isinstance(statement, AssignStmt):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, AnnotatedStmt) and statement.value is not None:
            targets, value = (statement.target,), statement.value
        elif isinstance(statement, ForStmt):
            targets = (statement.target,)
        elif isinstance(statement, WithStmt):
            targets = [target for _, target in statement.items if target is not None]
        for target in targets:
            for each in parts(target):
                if _replaces(each, place) and (value is None or not _mentions(value, each)):
                    return True
        if any(_fresh_copies(block, place) for block in suites(statement)):
            return True
    return False


def _mentions(expression: Expr, place: Expr) -> bool:
    return any(same_place(part, place) for part in walk(expression))


__all__ = ["LONG", "Turns", "carries", "keeps", "parts", "same_place", "statements", "updated_place"]


def is_same_in_turns(body: Sequence[Stmt], nid: int, name: str) -> bool:
    """Whether a loop repeats a call, by its number, and leaves a variable what it is."""
    loop = innermost_loop(body, nid)
    inner = loop.body if isinstance(loop, (ForStmt, WhileStmt)) else ()
    bound = {id(part) for targets, _ in assignments(inner) for target in targets for part in parts(target)}
    names = (each for each in walk(*inner) if isinstance(each, NameExpr) and each.name == name)
    return loop is not None and not any(id(each) in bound for each in names)


def assignments(body: Sequence[Stmt]) -> Iterator[tuple[Sequence[Expr], Expr]]:
    """What the statements of a body, and of all blocks in it, assign to, with the values; a loop assigns of
    what it goes through."""
    for statement in body:
        if isinstance(statement, AssignStmt):
            yield statement.targets, statement.value
        elif isinstance(statement, AnnotatedStmt) and statement.value is not None:
            yield (statement.target,), statement.value
        elif isinstance(statement, AugmentedStmt):
            yield (statement.target,), statement.value
        elif isinstance(statement, ForStmt):
            yield (statement.target,), statement.iterable
        for block in suites(statement):
            yield from assignments(block)
