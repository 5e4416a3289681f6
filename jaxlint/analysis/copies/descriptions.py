"""Functions that say what an array is: its shape, its dtype, its type, where it lies.

In: the text of a function, or of an expression. Out: whether all that it gives is such, so that nobody takes
it for another array. It refuses to know what the values are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.nodes import (
    AttrExpr,
    BinaryExpr,
    BoolExpr,
    CallExpr,
    CompareExpr,
    ConditionalExpr,
    ConstExpr,
    DictExpr,
    Expr,
    FStringExpr,
    ListExpr,
    NameExpr,
    Node,
    ReturnStmt,
    StarExpr,
    SubscriptExpr,
    TupleExpr,
    UnaryExpr,
)
from jaxlint.ir.program import Code
from jaxlint.ir.walks import children, dotted, last_name, nodes_of
from jaxlint.tables.array_methods import METHODS
from jaxlint.tables.jax_functions import FUNCTIONS

_SORTS = frozenset(("static", "dtype"))  # results in the tables that are no arrays
# functions of Python that say something of what they are given, or show it
_SAYING = frozenset("callable format hasattr id isinstance issubclass len repr str type".split())
# and those that give as much of an array as there is in what they are given
_KEEPING = frozenset("abs bool dict float int list max min prod round set sorted sum tuple".split())
_WHOLE = (
    BinaryExpr, BoolExpr, CompareExpr, ConditionalExpr, DictExpr, ListExpr, StarExpr, TupleExpr, UnaryExpr
)  # fmt: skip


def describes(code: Code, full_name: Callable[[str], str]) -> bool:
    """Whether a function gives nothing but what its argument is like. full_name: of a function of JAX."""
    local: dict[str, list[Expr]] = {}
    for target, value in assigned(code.body):
        local.setdefault(last_name(target), []).append(value)
    for param in code.params:
        local.pop(param.name, None)
    returned = [each.value for each in nodes_of(code.body) if isinstance(each, ReturnStmt)]
    return bool(returned) and all(_is_said(each, local, (), full_name) for each in returned)


def is_description(written: str, full_name: Callable[[str], str]) -> bool:
    """Whether a function of JAX gives what its argument is like, and no array."""
    row = FUNCTIONS.get(full_name(written))
    return row is not None and row[0] in _SORTS


def _is_said(
    node: Node, local: dict[str, list[Expr]], within: Collection[str], full_name: Callable[[str], str]
) -> bool:
    def said(*parts: Node) -> bool:
        return all(_is_said(each, local, within, full_name) for each in parts)

    if isinstance(node, (ConstExpr, FStringExpr)):
        return True
    if isinstance(node, NameExpr):
        if node.name in within or node.name not in local:
            return False
        return all(_is_said(each, local, (*within, node.name), full_name) for each in local[node.name])
    if isinstance(node, AttrExpr):
        kind, result, *_ = METHODS.get(node.name, ("", ""))
        return (kind == "property" and result in _SORTS) or said(node.value)
    if isinstance(node, SubscriptExpr):
        return said(node.value)
    if isinstance(node, CallExpr):
        if isinstance(node.func, NameExpr) and node.func.name in _SAYING:
            return True
        if last_name(node.func) in _KEEPING and (
            isinstance(node.func, NameExpr) or full_name(dotted(node.func)) in FUNCTIONS
        ):
            return bool(node.args) and said(*node.args)
        if isinstance(node.func, AttrExpr) and said(node.func.value):
            return True  # a method of a text or of a dtype
        return is_description(dotted(node.func), full_name)
    return isinstance(node, _WHOLE) and said(*children(node))
