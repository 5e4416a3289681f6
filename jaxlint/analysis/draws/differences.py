"""Loops that draw the same in each turn on purpose: finite differences, both signs of one noise, and the
parts of one draw.

In: a call that consumes a key, and the loop around. Out: whether the text says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from jaxlint.analysis.consumption import Consumption
from jaxlint.analysis.draws.signs import signed
from jaxlint.analysis.draws.texts import bound_to, called_at, given_to, holder_of
from jaxlint.ir.loop_carried import Turns, assignments, statements
from jaxlint.ir.loop_guards import mentions
from jaxlint.ir.nodes import (
    AttrExpr,
    AugmentedStmt,
    BinaryExpr,
    CallExpr,
    Clause,
    ConstExpr,
    Expr,
    ForStmt,
    ListExpr,
    NameExpr,
    Node,
    Stmt,
    SubscriptExpr,
    TupleExpr,
    UnaryExpr,
)
from jaxlint.ir.program import Code
from jaxlint.ir.repetition import names_from, variables
from jaxlint.ir.walks import (
    calls_by_number,
    calls_in,
    calls_of,
    children,
    last_name,
    nodes_of,
    structure_of,
    walk,
)

_SIDES = ("left", "right")
_SLICES = frozenset(("dynamic_slice", "dynamic_slice_in_dim", "dynamic_index_in_dim", "take"))


def is_of_opposites(body: Sequence[Stmt], loop: Turns) -> bool:
    """Whether a loop, or a clause of a comprehension, goes through two opposite things that are written out:
    `(1, -1)`, `(h, -h)`, `(x + h, x - h)`, also with the middle between them."""
    for node in nodes_of(body):
        if isinstance(node, (ForStmt, Clause)) and node.target is loop.target and loop.target is not None:
            items = _written(node.iterable)
            if len(items) not in (2, 3) or not _are_opposite(items[0], items[-1]):
                return False
            middle = structure_of(items[0].left) if isinstance(items[0], BinaryExpr) else None
            return all(_number(each) == 0 or structure_of(each) == middle for each in items[1:-1])
    return False


def _written(node: Expr) -> Sequence[Expr]:
    """The items of a list or a tuple, also where an array is made of it."""
    if isinstance(node, CallExpr) and last_name(node.func) in ("array", "asarray", "enumerate") and node.args:
        return _written(node.args[0])
    return node.items if isinstance(node, (TupleExpr, ListExpr)) else ()


def _are_opposite(one: Expr, other: Expr) -> bool:
    if isinstance(one, BinaryExpr) and isinstance(other, BinaryExpr):
        same = all(structure_of(getattr(one, side)) == structure_of(getattr(other, side)) for side in _SIDES)
        if same and {one.operator, other.operator} == {"+", "-"}:
            return True
    numbers = _number(one), _number(other)
    if None not in numbers:
        return numbers[0] == -(numbers[1] or 0)
    (size, is_negative), (other_size, is_other_negative) = signed(one), signed(other)
    return size == other_size and is_negative != is_other_negative


def _number(node: Expr) -> float | None:
    if isinstance(node, UnaryExpr) and node.operator in ("-", "+"):
        inner = _number(node.operand)
        return inner if inner is None or node.operator == "+" else -inner
    return node.value if isinstance(node, ConstExpr) and type(node.value) in (int, float) else None


def is_subtracted(
    body: Sequence[Stmt], where: Consumption, uses: Sequence[Consumption], loop: Turns | None = None
) -> bool:
    """Whether what a call gives is subtracted from what another call gives that draws with the same key, or
    that from it, and both are of one function, or of functions that draw at one place; and the next turn of
    the loop is given nothing of it but of the difference. `uses`: where the key is consumed."""
    call = calls_by_number(body).get(where.nid)
    if call is None:
        return False
    given = {structure_of(each) for each in given_to(call) if not isinstance(each, ConstExpr)}
    drawing = {each.nid: each.inner[-1:] == where.inner[-1:] for each in uses if each.nid != where.nid}
    others = [
        each
        for each in calls_of(body)
        if each.nid in drawing
        and structure_of(each) != structure_of(call)
        and (drawing[each.nid] or structure_of(each.func) == structure_of(call.func))
        and any(structure_of(arg) in given for arg in given_to(each))
    ]
    own, names = bound_to(body, where.nid), [bound_to(body, each.nid) for each in others]

    def is_difference(node: Node) -> bool:
        terms = [*_terms(node)]
        signs = {sign for sign, term in terms if _gives(term, call, own)}
        against = (sign for sign, term in terms if any(map(_gives, [term] * len(others), others, names)))
        return bool(signs) and any({sign} != signs for sign in against)

    sums = (each for each in nodes_of(body) if isinstance(each, BinaryExpr))
    if not any(map(is_difference, sums)):
        return False
    return loop is None or not _is_carried(loop, call, is_difference)


def _is_carried(loop: Turns, call: CallExpr, is_difference: Callable[[Node], bool]) -> bool:
    """Whether a loop sets a variable that a call is given to what is made of its result by itself."""
    read = {part.name for each in given_to(call) for part in walk(each) if isinstance(part, NameExpr)}
    made: set[str] = set()

    def is_in(node: Node) -> bool:
        if node is call or (isinstance(node, NameExpr) and node.name in made):
            return True
        return not is_difference(node) and any(map(is_in, children(node)))

    before = -1
    while len(made) != before:
        before = len(made)
        made |= {
            name for targets, value in assignments(loop.body) if is_in(value) for name in variables(targets)
        }
    return not made.isdisjoint(read)


def _terms(node: Node, sign: int = 1) -> Iterator[tuple[int, Node]]:
    """The terms of a sum, with their signs; none where there is one only."""
    if isinstance(node, BinaryExpr) and node.operator in ("+", "-"):
        for side, turned in ((node.left, sign), (node.right, sign if node.operator == "+" else -sign)):
            found = [*_terms(side, turned)]
            yield from found or [(turned, side)]


def _gives(node: Node, call: CallExpr, names: set[str]) -> bool:
    return mentions(node, names) or any(each is call for each in calls_in(node))


def is_mirrored(body: Sequence[Stmt], first: int, second: int) -> bool:
    """Whether one draw is made twice, once as it is and once as its opposite: `u` and `1 - u`."""
    called = called_at(body, first, second)
    if called is None or structure_of(called[0]) != structure_of(called[1]):
        return False
    return any(_mirrors(node) in called for node in nodes_of(body))


def _mirrors(node: Node) -> Expr | None:
    """What an expression takes the opposite of."""
    if isinstance(node, BinaryExpr) and node.operator == "-":
        left = node.left
        return node.right if isinstance(left, ConstExpr) and left.value == 1 else None
    return node.operand if isinstance(node, UnaryExpr) and node.operator == "-" else None


def takes_parts(code: Code, where: Consumption, loop: Turns | None) -> bool:
    """Whether each turn takes another part of one draw: by an index or a slice that its variables make.
    `loop`: None for the body of a loop of JAX, of which the parameters are others in each turn."""
    body = holder_of(where.module.program, where.nid)
    if body is not None and body is not code:  # the body of a loop of JAX
        return _is_indexed(body, where.nid, names_from({param.name for param in body.params}, body.body))
    if loop is None:
        names = names_from({param.name for param in code.params}, code.body)
    else:
        added = (each.target for each in statements(loop.body) if isinstance(each, AugmentedStmt))
        names = variables((*([] if loop.target is None else [loop.target]), *added))
        names = names_from(names, loop.body)
    if not where.inner:
        return _is_indexed(code, where.nid, names)
    if len(where.inner) > 1:
        return False
    module, number = where.inner[0]
    inner = holder_of(module.program, number)
    given = (each for call in calls_of(code.body) if call.nid == where.nid for each in given_to(call))
    return (
        inner is not None
        and any(mentions(each, names) for each in given)
        and _is_indexed(inner, number, {param.name for param in inner.params})
    )


def _is_indexed(code: Code, number: int, names: set[str]) -> bool:
    """Whether what a call gives is read for items and slices alone, at indices that are made of variables."""
    found = bound_to(code.body, number)
    taken: set[int] = set()
    for node in nodes_of(code.body):
        source, index = _item(node)
        if source is None or not any(mentions(each, names) for each in index):
            continue
        if isinstance(source, CallExpr) and source.nid == number:
            return True
        if isinstance(source, NameExpr) and source.name in found:
            taken.add(source.nid)
    reads = {each.nid for each in nodes_of(code.body) if isinstance(each, NameExpr) and each.name in found}
    bound = {part.nid for each in statements(code.body) for part in _targets(each, found)}
    return bool(taken) and reads - bound <= taken


def _item(node: Node) -> tuple[Expr | None, Sequence[Expr]]:
    """What an item or a slice is taken of, and where; methods that rearrange it first are passed over."""
    source: Expr | None = None
    index: Sequence[Expr] = ()
    if isinstance(node, SubscriptExpr):
        source, index = node.value, (node.index,)
    elif isinstance(node, CallExpr) and last_name(node.func) in _SLICES and node.args:
        source, index = node.args[0], [*given_to(node)][1:]
    while isinstance(source, CallExpr) and isinstance(source.func, AttrExpr):
        owner = source.func.value
        if not isinstance(owner, (CallExpr, NameExpr)) or last_name(source.func) not in ("reshape", "astype"):
            break
        source = owner
    return source, index


def _targets(statement: Stmt, names: set[str]) -> Sequence[NameExpr]:
    targets = getattr(statement, "targets", ())
    return [
        part for each in targets for part in walk(each) if isinstance(part, NameExpr) and part.name in names
    ]
