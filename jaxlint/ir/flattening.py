"""What a function that flattens an object makes of its attributes.

In: the lowered function. Out: which attributes are children, which go along as static data. It refuses to
know what the attributes hold, and what the other function makes of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeGuard

from jaxlint.ir.constant_attributes import is_of
from jaxlint.ir.loop_carried import statements
from jaxlint.ir.nodes import (
    OPAQUE,
    AnnotatedStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    CallExpr,
    ConstExpr,
    Expr,
    ExprStmt,
    ListExpr,
    NameExpr,
    Node,
    ReturnStmt,
    TupleExpr,
)
from jaxlint.ir.program import Code
from jaxlint.ir.walks import children as inside
from jaxlint.ir.walks import last_name, nodes_of

_ADDING = frozenset(("append", "extend"))


class Parts(NamedTuple):
    """children: attributes that are flattened, in their order. static: others that are read; None: any.
    items: the children one by one, where each is an attribute as it is, and what goes along with them."""

    children: dict[str, None]
    static: frozenset[str] | None
    items: tuple[tuple[str, ...], Expr] | None = None

    def is_static(self, name: str) -> bool:
        """Whether the rebuilt object may be handed this attribute as it is."""
        return name not in self.children and (self.static is None or name in self.static)


def flattened_by(code: Code) -> Parts | None:
    """The attributes of its first parameter that a function gives back as children; None where that can't be
    told."""
    if not code.params:
        return None
    own = code.params[0].name
    names = _assigned(code)
    children: dict[str, None] = {}
    items = []
    for node in statements(code.body):
        if isinstance(node, ReturnStmt) and node.value is not None:
            pairs = [node.value] if isinstance(node.value, TupleExpr) else _given(names, node.value)
            for pair in pairs:
                if isinstance(pair, TupleExpr) and len(pair.items) == 2:
                    children |= dict.fromkeys(_reads(pair.items[0], own, names, {own}))
                    items.append((_each(pair.items[0], own, names), _alone(pair.items[1], names)))
    if not children or "__dict__" in children:
        return None  # by names that are not in the text
    nodes = nodes_of(code.body)
    reads = [each.name for each in nodes if is_of(each, own)]
    uses = sum(isinstance(each, NameExpr) and each.name == own for each in nodes)
    is_plain = uses == len(reads) and "__dict__" not in reads
    first, data = items[0] if len(items) == 1 else (None, OPAQUE)
    static = frozenset(reads).difference(children) if is_plain else None
    return Parts(children, static, None if first is None else (first, data))


def _alone(node: Expr, names: dict[str, list[Expr]]) -> Expr:
    """What a variable is, where it is one thing in the whole function."""
    found = names.get(node.name, []) if isinstance(node, NameExpr) else []
    return found[0] if len(found) == 1 else node


def _each(node: Expr, own: str, names: dict[str, list[Expr]]) -> tuple[str, ...] | None:
    """The attributes of a variable that a tuple or a list has in it, and nothing else."""
    node = _alone(node, names)
    if not isinstance(node, (TupleExpr, ListExpr)):
        return None
    found = [each.name for item in node.items if is_of(each := _alone(item, names), own)]
    return tuple(found) if len(found) == len(node.items) else None


def _assigned(code: Code) -> dict[str, list[Expr]]:
    """What each variable is assigned, or what is added to it, in the order of the text."""
    found: dict[str, list[Expr]] = {}
    for statement in statements(code.body):
        pairs: list[tuple[Expr, Expr | None]] = []
        if isinstance(statement, AssignStmt):
            for target in statement.targets:
                pairs += _by_item(target, statement.value)
        elif isinstance(statement, (AnnotatedStmt, AugmentedStmt)):
            pairs = [(statement.target, statement.value)]
        elif isinstance(statement, ExprStmt) and isinstance(call := statement.value, CallExpr):
            if isinstance(call.func, AttrExpr) and call.func.name in _ADDING and call.args:
                pairs = [(call.func.value, call.args[-1])]
        for place, value in pairs:
            if isinstance(place, NameExpr) and value is not None:
                found.setdefault(place.name, []).append(value)
    return found


def _looks_up(node: Node, own: str) -> TypeGuard[CallExpr]:
    """Whether this reads attributes of a variable by their names, or all of them."""
    if not isinstance(node, CallExpr) or not node.args or last_name(node.func) not in ("getattr", "vars"):
        return False
    first = node.args[0]
    return isinstance(first, NameExpr) and first.name == own


def _by_item(target: Expr, value: Expr) -> list[tuple[Expr, Expr | None]]:
    """A target with its value; of tuples as long as each other, item by item."""
    if isinstance(target, TupleExpr) and isinstance(value, TupleExpr):
        if len(target.items) == len(value.items):
            return [*zip(target.items, value.items, strict=True)]
    return [(target, value)]


def _given(names: dict[str, list[Expr]], node: Node) -> list[Expr]:
    return names.get(node.name, []) if isinstance(node, NameExpr) else []


def _reads(node: Node, own: str, names: dict[str, list[Expr]], seen: set[str]) -> Iterator[str]:
    """The attributes of a variable that an expression is made of, also through other variables, in the order
    of the text."""
    if is_of(node, own):
        yield node.name
    elif _looks_up(node, own):
        name = node.args[1] if len(node.args) > 1 else None
        yield name.value if isinstance(name, ConstExpr) and isinstance(name.value, str) else "__dict__"
    elif isinstance(node, NameExpr):
        if node.name not in seen:
            seen.add(node.name)
            for value in names.get(node.name, ()):
                yield from _reads(value, own, names, seen)
    else:
        for part in inside(node):
            yield from _reads(part, own, names, seen)
