"""Variables of a function that hold a parameter, or a part of it, by other names.

In: the lowered code of a function and one of its parameters. Out: the variables that nothing else is bound to
than parts of what the parameter holds: `entry = stats["a"]`, `for layer in layers`. It refuses to know what
the parts are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from jaxlint.ir.def_use import DefUse
from jaxlint.ir.loop_carried import assignments, parts, statements
from jaxlint.ir.nodes import (
    AssignStmt,
    AttrExpr,
    CallExpr,
    Expr,
    ForStmt,
    NameExpr,
    Node,
    SubscriptExpr,
    TupleExpr,
)
from jaxlint.ir.program import Code
from jaxlint.ir.walks import last_name, number_of, structure_of

_Bound = tuple[Expr, Expr]  # a target, and what it or each of its parts is one of


def part_names(code: Code, param: str, uses: DefUse) -> dict[str, int]:
    """The variables, each with the place where it is bound."""
    bound = [each for statement in statements(code.body) for each in _bindings(statement)]
    names: dict[str, int] = {}
    before = -1
    while len(names) != before:
        before = len(names)
        for target, value in bound:
            if not _is_part(value, {param, *names}):
                continue
            for each in parts(target):
                name = each.name if isinstance(each, NameExpr) else param
                if name != param and uses.bindings_of(name) == [number_of(each)]:
                    names[name] = uses.bindings_of(name)[0]
    return names


def only_names(statement: Node, names: Collection[str], param: str) -> bool:
    """Whether a statement, or the head of a loop, only gives parts of a parameter such names."""
    bound = list(_bindings(statement))
    return bool(bound) and all(
        _is_part(value, {param, *names})
        and all(isinstance(each, NameExpr) and each.name in names for each in parts(target))
        for target, value in bound
    )


def is_key(index: Expr, owner: Expr, code: Code) -> bool:
    """Whether an item of something is taken by what only loops over that bind, or loops over keys: it is a
    dict then, as an array or a list has no such items in a trace."""
    if not isinstance(index, NameExpr):
        return False
    bound = [
        (target, value)
        for targets, value in assignments(code.body)
        for target in targets
        if any(isinstance(each, NameExpr) and each.name == index.name for each in parts(target))
    ]
    loops = [each for each in statements(code.body) if isinstance(each, ForStmt)]
    return bool(bound) and all(
        any(each.target is target for each in loops) and _gives_keys(target, value, index.name, owner)
        for target, value in bound
    )


def _gives_keys(target: Expr, iterable: Expr, name: str, owner: Expr) -> bool:
    if isinstance(target, TupleExpr):
        first = target.items[0]
        is_first = len(target.items) == 2 and isinstance(first, NameExpr) and first.name == name
        return is_first and _method(iterable) == "items"
    if isinstance(iterable, CallExpr) and last_name(iterable.func) in ("list", "sorted") and iterable.args:
        iterable = iterable.args[0]
    return _method(iterable) == "keys" or structure_of(iterable) == structure_of(owner)


def _method(node: Expr) -> str:
    """The name of a method that is called without arguments."""
    func = node.func if isinstance(node, CallExpr) and not node.args and not node.keywords else None
    return func.name if isinstance(func, AttrExpr) else ""


def _bindings(statement: Node) -> Iterator[_Bound]:
    """What a statement binds to what it takes parts of."""
    if isinstance(statement, AssignStmt):
        yield from ((target, statement.value) for target in statement.targets)
    elif isinstance(statement, ForStmt):
        yield from _turns(statement.target, statement.iterable)


def _turns(target: Expr, iterable: Expr) -> Iterator[_Bound]:
    """The same of the head of a loop: each turn has an item of what it goes through."""
    func = iterable.func if isinstance(iterable, CallExpr) else None
    if not isinstance(iterable, CallExpr) or iterable.keywords:
        yield target, iterable
    elif isinstance(func, AttrExpr) and not iterable.args:
        items: Sequence[Expr] = target.items if isinstance(target, TupleExpr) else ()
        if func.name == "values":
            yield target, func.value
        elif func.name == "items" and len(items) == 2:
            yield items[1], func.value
    elif isinstance(func, NameExpr) and isinstance(target, TupleExpr):
        given = iterable.args
        if func.name == "enumerate" and len(target.items) == 2:
            yield from _turns(target.items[1], given[0])
        elif func.name == "zip" and len(target.items) == len(given):
            for each, through in zip(target.items, given, strict=True):
                yield from _turns(each, through)


def _is_part(node: Expr, names: Collection[str]) -> bool:
    while isinstance(node, (AttrExpr, SubscriptExpr)):
        node = node.value
    return isinstance(node, NameExpr) and node.name in names
