"""Calls that differ in a sign: an antithetic pair, and draws that are added and taken away again.

In: two calls of one function that consume one key, and the text around. Out: whether equal draws are meant.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from jaxlint.analysis.draws.texts import called_at, given_to
from jaxlint.ir.nodes import (
    BinaryExpr,
    CallExpr,
    ConstExpr,
    Expr,
    LambdaExpr,
    NameExpr,
    Node,
    Stmt,
    UnaryExpr,
)
from jaxlint.ir.program import Program
from jaxlint.ir.walks import calls_in, last_name, structure_of, walk

_OPPOSITE = ({"pos", "neg"}, {"positive", "negative"}, {"plus", "minus"})


def are_opposite(
    program: Program, bound: Sequence[tuple[set[str], Expr]], one: CallExpr, other: CallExpr
) -> bool:
    """Whether two calls are an antithetic pair: something is added to an argument of one of them that is
    subtracted in the other; or names in their arguments differ in words for this alone."""
    names = [{name for name in map(last_name, walk(*given_to(each))) if name} for each in (one, other)]
    if any(_are_opposite_names(a, b) for a in names[0] - names[1] for b in names[1] - names[0]):
        return True
    signs = [{*_signs(program, bound, given_to(each))} for each in (one, other)]
    turned = [{("-" if sign == "+" else "+", *operands) for sign, *operands in each} for each in signs]
    return any(not (turned[at] & signs[1 - at]) <= signs[at] for at in (0, 1))


def _signs(
    program: Program, bound: Sequence[tuple[set[str], Expr]], nodes: Iterable[Node], far: int = 2
) -> Iterable[tuple[str, Hashable, Hashable]]:
    """The sums and differences in expressions, in what their variables are bound to, and in the functions
    that are written there: the sign and both operands."""
    for node in walk(*nodes):
        if isinstance(node, BinaryExpr) and node.operator in ("+", "-"):
            yield node.operator, structure_of(node.left), structure_of(node.right)
        elif isinstance(node, LambdaExpr):
            yield from _signs(program, bound, program.codes[node.index].body, far)
        elif isinstance(node, NameExpr) and far:
            made = [value for names, value in bound if node.name in names]
            if len(made) == 1:
                yield from _signs(program, bound, made, far - 1)


def _are_opposite_names(one: str, other: str) -> bool:
    """Whether two names differ in one word, which says of one of them that it is the positive one of a pair,
    and of the other one the negative one."""
    words, others = one.lower().split("_"), other.lower().split("_")
    if len(words) != len(others):
        return False
    apart = [{a, b} for a, b in zip(words, others, strict=True) if a != b]
    return len(apart) == 1 and (apart[0] in _OPPOSITE or (len(words) > 1 and apart[0] == {"p", "n"}))


def is_regenerated(body: Sequence[Stmt], first: int, second: int) -> bool:
    """Whether a function is called with one key to add the same draws and to take them away again: two of
    its calls differ in the sign of an argument."""
    called = called_at(body, first, second)
    if called is None or structure_of(called[0].func) != structure_of(called[1].func):
        return False
    func = structure_of(called[0].func)
    scaled: set[tuple[int, Hashable, bool]] = set()
    for call in calls_in(*body):
        if structure_of(call.func) == func:
            given = enumerate(given_to(call))
            scaled |= {(at, *signed(each)) for at, each in given if not _is_whole(each)}
    return any((at, size, not is_negative) in scaled for at, size, is_negative in scaled)


def _is_whole(node: Expr) -> bool:
    """Whether a whole number is written out, as that of an axis."""
    while isinstance(node, UnaryExpr):
        node = node.operand
    return isinstance(node, ConstExpr) and isinstance(node.value, int)


def signed(node: Expr) -> tuple[Hashable, bool]:
    """What an expression is a multiple of, and whether a negative one."""
    if isinstance(node, UnaryExpr) and node.operator == "-":
        size, is_negative = signed(node.operand)
        return size, not is_negative
    if isinstance(node, ConstExpr) and isinstance(node.value, (int, float)):
        return "number", node.value < 0
    if isinstance(node, BinaryExpr) and node.operator in ("*", "/"):
        sides = signed(node.left), signed(node.right)
        for (size, is_negative), (other, is_other_negative) in (sides, sides[::-1]):
            if size == "number":
                return other, is_negative != is_other_negative
    return structure_of(node), False
