"""Calls that differ in a sign: an antithetic pair, and draws that are added and taken away again.

In: two calls of one function that consume one key, and the text around. Out: whether equal draws are meant.
What goes into the shape of what is drawn is a size, and says nothing: draws of two shapes are no pair.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from jaxlint.analysis.consumption import Consumption, Place
from jaxlint.analysis.draws.texts import called_at, given_to, holder_of
from jaxlint.ir.loop_carried import assignments
from jaxlint.ir.nodes import (
    BinaryExpr,
    CallExpr,
    ConstExpr,
    Expr,
    LambdaExpr,
    ListExpr,
    NameExpr,
    Node,
    StarExpr,
    Stmt,
    SubscriptExpr,
    TupleExpr,
    UnaryExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.repetition import variables
from jaxlint.ir.walks import calls_by_number, calls_of, children, last_name, structure_of, walk
from jaxlint.tables.jax_functions import FUNCTIONS

_OPPOSITE = ({"pos", "neg"}, {"positive", "negative"}, {"plus", "minus"})
_SHAPES = {
    name.rpartition(".")[2]: row[2].index("shape")
    for name, row in FUNCTIONS.items()
    if name.startswith("jax.random.") and "shape" in row[2]
}  # samplers, and the position of the shape


def are_opposite(
    program: Program,
    bound: Sequence[tuple[set[str], Expr]],
    called: tuple[CallExpr, CallExpr],
    draws: tuple[Consumption, Consumption],
) -> bool:
    """Whether two calls are an antithetic pair: something is added to an argument of one of them that is
    subtracted in the other; or names in their arguments differ in words for this alone."""
    given = [[*_without_sizes(call, where.inner)] for call, where in zip(called, draws, strict=True)]
    names = [{name for name in map(last_name, walk(*each)) if name} for each in given]
    if any(_are_opposite_names(a, b) for a in names[0] - names[1] for b in names[1] - names[0]):
        return True
    signs = [{*_signs(program, bound, each)} for each in given]
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


def _without_sizes(call: CallExpr, inner: Sequence[Place]) -> Iterator[Expr]:
    """What a call is given, but for what goes into the shape that is drawn. `inner`: the calls in the
    functions called there that lead to the draw, the last of which draws."""
    code = holder_of(inner[0][0].program, inner[0][1]) if inner else None
    if code is None:
        yield from given_to(call)
        return
    sizes = _sizes(code, inner)
    yield from (each for name, each in _given_by_name(call, code) if name not in sizes)


def _sizes(code: Code, inner: Sequence[Place]) -> set[str]:
    """The variables of a function that go into the shape of what it draws as numbers, not by their own
    shape: the names that stand there, and what these are made of."""
    (_, number), further = inner[0], inner[1:]
    call = calls_by_number(code.body).get(number)
    if call is None:
        return set()
    shapes: list[Expr] = []
    free: set[str] = set()
    called = holder_of(further[0][0].program, further[0][1]) if further else None
    if called is not None:
        sizes = _sizes(called, further)
        if called.qualname.startswith(f"{code.qualname}."):
            free = sizes.intersection(called.free)
        shapes += [each for name, each in _given_by_name(call, called) if name in sizes]
    elif not further:
        draws = (call,) if last_name(call.func) in _SHAPES else calls_of(code.body)  # those after a split
        shapes += (shape for each in draws for shape in _shape_of(each))
    found: set[str] = set()
    names = [*free, *(name for each in shapes for name in _numbers_in(each))]
    while names:
        name = names.pop()
        if name not in found:
            found.add(name)
            made = [value for targets, value in assignments(code.body) if name in variables(targets)]
            names += _numbers_in(made[0]) if len(made) == 1 else ()
    return found


def _shape_of(call: CallExpr) -> Iterator[Expr]:
    place = _SHAPES.get(last_name(call.func))
    yield from () if place is None else call.args[place : place + 1]
    yield from (each.value for each in call.keywords if each.name == "shape")


def _numbers_in(node: Node) -> Iterator[str]:
    """The variables of which a shape, or an axis of it, is made as of numbers."""
    if isinstance(node, NameExpr):
        yield node.name
    elif isinstance(node, (TupleExpr, ListExpr, StarExpr, BinaryExpr, UnaryExpr)):
        for each in children(node):
            yield from _numbers_in(each)
    elif isinstance(node, SubscriptExpr):
        yield from _numbers_in(node.value)


def _given_by_name(call: CallExpr, code: Code) -> Iterator[tuple[str, Expr]]:
    """What a call gives a function, with the names of the parameters, as far as they are known."""
    params = [each.name for each in code.params if each.kind in "pn"]
    is_method = code.in_class and not any(last_name(each) == "staticmethod" for each in code.decorators)
    own = params[1:] if is_method else params
    named = [*own, *("" for _ in call.args)]
    yield from zip(named, call.args, strict=False)
    yield from ((each.name or "", each.value) for each in call.keywords)


def is_regenerated(body: Sequence[Stmt], first: int, second: int) -> bool:
    """Whether a function is called with one key to add the same draws and to take them away again: two of
    its calls differ in the sign of an argument."""
    called = called_at(body, first, second)
    if called is None or structure_of(called[0].func) != structure_of(called[1].func):
        return False
    func = structure_of(called[0].func)
    scaled: set[tuple[int, Hashable, bool]] = set()
    for call in calls_of(body):
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
