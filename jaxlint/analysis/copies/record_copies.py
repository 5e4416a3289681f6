"""Functions that give back one of their arguments, or a copy of it with other fields, by their text.

In: the lowered code of a function. Out: the parameter, and which items of the tuple that is given back are
such copies. It refuses to know what the argument is: of a record the copy is one of its class.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from jaxlint.analysis.copies.pure_code import full_name
from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.loop_carried import statements
from jaxlint.ir.nodes import (
    AttrExpr,
    CallExpr,
    ConditionalExpr,
    Expr,
    NameExpr,
    ReturnStmt,
    TupleExpr,
    WalrusExpr,
)
from jaxlint.ir.program import Code
from jaxlint.ir.walks import dotted, last_name, nodes_of

METHODS = frozenset(("replace", "_replace", "apply_gradients"))  # called with keywords alone
# functions of one record that give one of its class, and the place of the record
_PLACES = {
    **dict.fromkeys(("dataclasses.replace", "jax.device_put", "jax.device_get", "jax.lax.pmean"), 0),
    **dict.fromkeys(("jax_utils.replicate", "jax_utils.unreplicate", "jax.lax.stop_gradient"), 0),
    **dict.fromkeys(("jax.tree.map", "jax.tree_util.tree_map", "jax.tree_map", "tree_map"), 1),
}
_FUNCTIONS = {full_name(name): place for name, place in _PLACES.items()}


class Copied(NamedTuple):
    """What a function gives back a copy of. places: in which items of a tuple; none where it is no tuple."""

    param: str
    places: frozenset[int]


@lru_cache(maxsize=2048)
def copied_by(code: Code) -> Copied | None:
    """The parameter of which each `return` of a function gives back a copy; None where there is not one."""
    returned = [each.value for each in statements(code.body) if isinstance(each, ReturnStmt)]
    if not returned or code.is_generator or code.is_async or code.is_lambda:
        return None
    for param in code.params[code.in_class :]:
        if param.kind in "pnk":
            names = _copies(code, param.name)
            places = [_places(each, names) for each in returned]
            common = frozenset.intersection(
                *[each for each in places if each is not None], places[0] or frozenset()
            )
            if None not in places and (common or not any(places)) and len({*map(bool, places)}) == 1:
                return Copied(param.name, common)
    return None


def _places(value: Expr, names: Collection[str]) -> frozenset[int] | None:
    """In which items of a tuple copies are given back; none of what is itself one; None of anything else."""
    if isinstance(value, TupleExpr):
        found = [at for at, each in enumerate(value.items) if _is_copy(each, names)]
        return frozenset(found) if found else None
    return frozenset() if _is_copy(value, names) else None


def _copies(code: Code, param: str) -> set[str]:
    """The variables that hold nothing else than a parameter or copies of it."""
    bound = [(target.name, value) for target, value in assigned(code.body) if isinstance(target, NameExpr)]
    walrus = {each.target.name for each in nodes_of(code.body) if isinstance(each, WalrusExpr)}
    names = {param, *(name for name, _ in bound if name in code.bound)} - walrus
    names -= {each.name for each in code.params if each.name != param}
    before = -1
    while len(names) != before:
        before = len(names)
        names -= {name for name, value in bound if not _is_copy(value, names)}
    return names


def _is_copy(node: Expr, names: Collection[str]) -> bool:
    if isinstance(node, NameExpr):
        return node.name in names
    if isinstance(node, ConditionalExpr):
        return _is_copy(node.body, names) and _is_copy(node.orelse, names)
    if not isinstance(node, CallExpr):
        return False
    func, place = node.func, _FUNCTIONS.get(full_name(dotted(node.func)))
    if place is not None:
        return len(node.args) > place and _is_copy(node.args[place], names)
    is_method = isinstance(func, AttrExpr) and last_name(func) in METHODS and not node.args
    return is_method and isinstance(func, AttrExpr) and _is_copy(func.value, names)
