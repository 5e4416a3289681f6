"""Functions that give what a network makes of its input, and nothing of the shape of its parameters.

In: the text of a function, and a parameter of it. Out: whether the function does no more with the parameter
than to apply a network to it, and gives back what comes of that alone: there is no new array for which the
buffers of a donated one could be used. It refuses to know shapes: an array that happens to fit is not found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache

from jaxlint.ir.loop_carried import assignments, statements
from jaxlint.ir.loop_guards import mentions
from jaxlint.ir.nodes import (
    AttrExpr,
    CallExpr,
    ConstExpr,
    DictExpr,
    Expr,
    ListExpr,
    NameExpr,
    Node,
    ReturnStmt,
    TupleExpr,
)
from jaxlint.ir.program import Code
from jaxlint.ir.repetition import variables
from jaxlint.ir.walks import children, last_name, walk

_APPLYING = frozenset(("apply", "apply_fn"))  # of flax and haiku


@lru_cache(maxsize=256)
def gives_activations(code: Code, name: str) -> bool:
    """Whether all that a function gives back is made of what networks applied to a parameter give."""
    if code.is_generator or code.is_async or name not in {each.name for each in code.params}:
        return False
    held, made, before = {name}, set[str](), -1
    while len(held) + len(made) != before:
        before = len(held) + len(made)
        for targets, value in assignments(code.body):
            if _is_made_of(value, held):
                held |= variables(targets)
            elif _applies(value, held) or mentions(value, made):
                made |= variables(targets)
    returned = [each.value for each in statements(code.body) if isinstance(each, ReturnStmt)]
    parts = [part for each in returned for part in _parts(each)]
    return (
        bool(parts)
        and held.isdisjoint(made)
        and all(
            not _is_made_of(part, held) and (_applies(part, held) or mentions(part, made)) for part in parts
        )
    )


def _parts(value: Expr) -> Iterator[Expr]:
    """The parts of what is given back."""
    if isinstance(value, (TupleExpr, ListExpr)):
        for each in value.items:
            yield from _parts(each)
    elif isinstance(value, DictExpr):
        for _, each in value.items:
            yield from _parts(each)
    else:
        yield value


def _applies(node: Node, held: Collection[str]) -> bool:
    """Whether a network is applied to what is in these variables, somewhere in an expression."""
    return any(_is_applied(each, held) for each in walk(node))


def _is_applied(node: Node, held: Collection[str]) -> bool:
    """Whether this applies a network and gives its output alone."""
    if not isinstance(node, CallExpr) or last_name(node.func) not in _APPLYING or not node.args:
        return False
    asked = [each.value for each in node.keywords if each.name in (None, "mutable")]
    is_plain = all(isinstance(each, ConstExpr) and not each.value for each in asked)
    return is_plain and mentions(node.args[0], held)


def _is_made_of(node: Node, held: Collection[str]) -> bool:
    """Whether one of these variables goes into an expression otherwise than to apply a network to it."""
    if isinstance(node, NameExpr):
        return node.name in held
    parts = children(node)
    if isinstance(node, CallExpr) and _is_applied(node, held):
        parts = [*node.args[1:], *(each.value for each in node.keywords)]
        if not isinstance(node.func, AttrExpr):
            parts.append(node.func)
    return any(_is_made_of(each, held) for each in parts)
