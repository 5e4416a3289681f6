"""Whether a copy of a record is given what the record holds, as the text says.

In: the body of a function, the record, the name of a field and what the copy gets there. Out: whether that is
what was read of that field, also after it was changed in place, where the record sees the change. It refuses
to know what anything holds.
"""

from __future__ import annotations

from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.def_use import def_use_of
from jaxlint.ir.loop_carried import statements
from jaxlint.ir.nodes import (
    AttrExpr,
    BinaryExpr,
    CallExpr,
    ConstExpr,
    Expr,
    ExprStmt,
    ListExpr,
    NameExpr,
    SubscriptExpr,
    TupleExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import last_name, structure_of, walk


def is_held(code: Code, program: Program, record: Expr, field: str, value: Expr) -> bool:
    """Whether a value is what a field of a record holds: read of it, or put together again of parts of it,
    of which one was changed in place."""
    place, body = (structure_of(record), field), _Bindings(code, program)
    if isinstance(value, NameExpr):
        given = body.given(value)
        return bool(given) and all(_is_field(each, place) for each in given)
    if _is_field(value, place):
        return True
    names = [each for each in walk(value) if isinstance(each, NameExpr)]
    return _is_of_parts(body, value, place) and any(_is_changed(body, each, place) for each in names)


class _Bindings:
    """What the variables of a function are assigned."""

    def __init__(self, code: Code, program: Program) -> None:
        self.body = code.body
        self.flow = def_use_of(code, program)

    def given(self, read: NameExpr) -> list[Expr]:
        """What a read of a variable may see that it was assigned, other than None."""
        seen = self.flow.seen_by(read.nid)
        found = [
            value
            for target, value in assigned(self.body)
            if isinstance(target, NameExpr) and target.name == read.name
            if not seen or target.nid in seen
        ]
        return [each for each in found if not (isinstance(each, ConstExpr) and each.value is None)]


def _is_field(value: Expr, place: tuple[object, str]) -> bool:
    is_named = isinstance(value, AttrExpr) and value.name == place[1]
    return is_named and isinstance(value, AttrExpr) and structure_of(value.value) == place[0]


def _is_part(value: Expr, place: tuple[object, str]) -> bool:
    """Whether this is what the field holds, or an item of that."""
    while isinstance(value, SubscriptExpr):
        value = value.value
    return _is_field(value, place)


def _is_of_parts(body: _Bindings, value: Expr, place: tuple[object, str]) -> bool:
    """Whether a list or a tuple is made of parts of what the field holds, and of nothing else."""
    if _is_part(value, place):
        return True
    if isinstance(value, NameExpr):
        given = body.given(value)
        return bool(given) and all(_is_part(each, place) for each in given)
    if isinstance(value, (ListExpr, TupleExpr)):
        return bool(value.items) and all(_is_of_parts(body, each, place) for each in value.items)
    if isinstance(value, BinaryExpr) and value.operator == "+":
        return all(_is_of_parts(body, each, place) for each in (value.left, value.right))
    is_single = isinstance(value, CallExpr) and len(value.args) == 1 and not value.keywords
    if not isinstance(value, CallExpr) or not is_single or not _is_kind(body, value.func):
        return False
    return _is_of_parts(body, value.args[0], place)


def _is_kind(body: _Bindings, func: Expr) -> bool:
    """Whether this is `list`, `tuple` or what `type` gives."""
    kinds = [func]
    if isinstance(func, NameExpr):
        if func.name in ("list", "tuple"):
            return True
        kinds = body.given(func)
    return bool(kinds) and all(
        isinstance(each, CallExpr) and last_name(each.func) == "type" for each in kinds
    )


def _is_changed(body: _Bindings, read: NameExpr, place: tuple[object, str]) -> bool:
    """Whether a variable has a part of what the field holds, of which an item is set, or a method called for
    its effect."""
    if not any(_is_part(each, place) for each in body.given(read)):
        return False
    set_at = [target.value for target, _ in assigned(body.body) if isinstance(target, SubscriptExpr)]
    calls = [each.value for each in statements(body.body) if isinstance(each, ExprStmt)]
    set_at += [
        each.func.value for each in calls if isinstance(each, CallExpr) and isinstance(each.func, AttrExpr)
    ]
    return any(isinstance(each, NameExpr) and each.name == read.name for each in set_at)
