"""What a function that flattens an object makes of its attributes.

In: the lowered function. Out: which attributes are children, which go along as static data. It refuses to
know what the attributes hold, and what the other function makes of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    CallExpr,
    Expr,
    NameExpr,
    Node,
    ReturnStmt,
    TupleExpr,
)
from jaxlint.ir.program import Code
from jaxlint.ir.walks import children as inside
from jaxlint.ir.walks import walk


class Parts(NamedTuple):
    """children: attributes that are flattened, in their order. static: others that are read; None: any."""

    children: dict[str, None]
    static: frozenset[str] | None

    def is_static(self, name: str) -> bool:
        """Whether the rebuilt object may be handed this attribute as it is."""
        return name not in self.children and (self.static is None or name in self.static)


def flattened_by(code: Code) -> Parts | None:
    """The attributes of its first parameter that a function gives back as children; None where that can't be
    told."""
    if not code.params:
        return None
    own = code.params[0].name
    names = dict(_assigned(code))
    children: dict[str, None] = {}
    for node in walk(*code.body):
        if isinstance(node, ReturnStmt) and node.value is not None:
            pairs = [node.value] if isinstance(node.value, TupleExpr) else _given(names, node.value)
            for pair in pairs:
                if isinstance(pair, TupleExpr) and len(pair.items) == 2:
                    children |= dict.fromkeys(_reads(pair.items[0], own, names))
    if not children:
        return None
    reads = {each.name for each in _own(code.body, own)}
    bare = sum(isinstance(each, NameExpr) and each.name == own for each in walk(*code.body))
    is_plain = bare == len(list(_own(code.body, own))) and "__dict__" not in reads
    return Parts(children, frozenset(reads - children.keys()) if is_plain else None)


def _assigned(code: Code) -> Iterator[tuple[str, list[Expr]]]:
    """What each variable is assigned, or what is added to it."""
    found: dict[str, list[Expr]] = {}
    for node in walk(*code.body):
        targets: Sequence[Expr] = ()
        value: Expr | None = None
        if isinstance(node, AssignStmt):
            targets, value = node.targets, node.value
        elif isinstance(node, (AnnotatedStmt, AugmentedStmt)):
            targets, value = (node.target,), node.value
        elif isinstance(node, CallExpr) and isinstance(node.func, AttrExpr) and node.args:
            if node.func.name in ("append", "extend", "insert"):
                targets, value = (node.func.value,), node.args[-1]
        for target in targets:
            if isinstance(target, NameExpr) and value is not None:
                found.setdefault(target.name, []).append(value)
            elif isinstance(target, TupleExpr) and isinstance(value, TupleExpr):
                for each, part in zip(target.items, value.items, strict=False):
                    if isinstance(each, NameExpr):
                        found.setdefault(each.name, []).append(part)
    yield from found.items()


def _given(names: dict[str, list[Expr]], node: Node) -> list[Expr]:
    return names.get(node.name, []) if isinstance(node, NameExpr) else []


def _reads(node: Expr, own: str, names: dict[str, list[Expr]]) -> Iterator[str]:
    """The attributes of a variable that an expression is made of, through other variables."""
    waiting: list[Expr] = [node]
    seen: set[str] = set()
    while waiting:
        part = waiting.pop(0)
        for each in _own((part,), own):
            yield each.name
        for name in walk(part):
            if isinstance(name, NameExpr) and name.name not in seen:
                seen.add(name.name)
                waiting += names.get(name.name, [])


def _own(nodes: Sequence[Node], own: str) -> Iterator[AttrExpr]:
    """The reads of attributes of a variable, in the order of the text."""
    for node in nodes:
        if isinstance(node, AttrExpr) and isinstance(node.value, NameExpr) and node.value.name == own:
            yield node
        yield from _own(inside(node), own)
