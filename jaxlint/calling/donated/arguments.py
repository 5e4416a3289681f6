"""Which arguments of a call are donated.

In: a call of a compiled function with its settings, or of a function that donates some of its parameters.
Out: the variables that are passed there, and attributes and items of such. It refuses to know what they hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from jaxlint.calling.donated.copies import place_of, written_out
from jaxlint.domain.objects import Transformed
from jaxlint.domain.questions import constants
from jaxlint.domain.values import NONE, Const, Value
from jaxlint.ir.nodes import CallExpr, Expr, Keyword, StarExpr
from jaxlint.ir.program import Code

_ALL = {"all": 0, "warn": 0, "all-except-first": 1, "warn-except-first": 1}  # of equinox: the first position


def donated(
    func: Transformed, params: Sequence[str] | None, node: CallExpr, args: Sequence[Value]
) -> Iterator[tuple[Expr, Value | None]]:
    """The variables that a call donates, and attributes and items of such; with the argument that they are,
    or are in, where it is one by position."""
    positions, names = _asked(func, params, node, len(args))
    for arg, number in passed(positions, names, node, len(args)):
        yield arg, None if number is None else args[number]


def donated_wholes(
    func: Transformed, params: Sequence[str] | None, node: CallExpr, args: Sequence[Value]
) -> Iterator[tuple[Expr, Value | None, str]]:
    """The arguments that a call donates, as they are written, each with its value, where it is one by
    position, and the parameter that it is for; those whose parameter is known."""
    positions, names = _asked(func, params, node, len(args))
    if any(isinstance(each, StarExpr) for each in node.args):
        return
    for number, each in enumerate(node.args, len(args) - len(node.args)):
        if number in positions and params is not None and number < len(params):
            yield each, args[number], params[number]
    yield from ((each.value, None, each.name) for each in node.keywords if each.name and each.name in names)


def _asked(
    func: Transformed, params: Sequence[str] | None, node: CallExpr, count: int
) -> tuple[set[int], set[str]]:
    """The positions and the names of what a compiled function is asked to donate."""
    numbers = constants(func.option("donate_argnums") or NONE) or ()
    names = {str(each) for each in constants(func.option("donate_argnames") or NONE) or ()}
    which = func.option("donate")
    if isinstance(which, Const) and which.value in _ALL:
        first = _ALL[which.value]
        numbers = (*range(first, count),)
        kept = () if params is None else params[:first]
        if params is not None or not first:
            names |= {each.name for each in node.keywords if each.name is not None and each.name not in kept}
    positions = {each for each in numbers if isinstance(each, int)}
    if params is not None:
        positions = {each + len(params) if each < 0 else each for each in positions}
        names |= {params[each] for each in positions if each < len(params)}
        positions |= {number for number, name in enumerate(params) if name in names}
    return positions, names


def donated_by(
    code: Code, names: Collection[str], node: CallExpr, count: int
) -> tuple[set[int], frozenset[str]]:
    """The positions and the names of what a function donates of the arguments of a call, by its parameters
    and the parts of `*args` and `**kwargs`. `count`: how many arguments it has by position."""
    params = [each.name for each in code.params if each.kind in "pn"]
    positions = {params.index(each) for each in names if each in params}
    found = {*names}
    for star in code.params:
        if star.kind == "*":
            others = range(len(params), count)
            positions |= {each for each in others if f"{star.name}[{each - len(params)!r}]" in names}
        elif star.kind == "**":
            found |= {
                each.name for each in node.keywords if each.name and f"{star.name}[{each.name!r}]" in names
            }
    return positions, frozenset(found)


def passed(
    positions: Collection[int], names: Collection[str], node: CallExpr, count: int
) -> Iterator[tuple[Expr, int | None]]:
    """The variables that a call passes at some positions, or by some names, and parts of such; with the
    position. `count`: how many arguments what is called has by position, of which the first may be those that
    it holds already."""
    if any(isinstance(each, StarExpr) for each in node.args):
        return
    for number, each in enumerate(node.args, count - len(node.args)):
        if number in positions:
            yield from ((place, number) for place in places_in(each))
    for keyword in node.keywords:
        if keyword.name in names:
            yield from ((place, None) for place in places_in(keyword.value))


def places_in(node: Expr) -> Iterator[Expr]:
    """A variable, or a part of one; or the variables that a pytree is written of."""
    yield from [node] if place_of(node) else written_out(node)


def spread(node: CallExpr, stars: Mapping[Expr, Mapping[object, Expr]]) -> CallExpr:
    """The call, with these parts for the stars."""
    args: list[Expr] = []
    for each in node.args:
        parts = stars.get(each.value) if isinstance(each, StarExpr) else None
        args += [each] if parts is None else parts.values()
    keywords: list[Keyword] = []
    for word in node.keywords:
        named = stars.get(word.value, {}) if word.name is None else {}
        keywords += [Keyword(word.nid, str(name), value) for name, value in named.items()] or [word]
    return CallExpr(node.nid, node.func, tuple(args), tuple(keywords))


def variables(node: CallExpr) -> Iterator[Expr]:
    """The arguments of a call that are variables, or attributes or items of such."""
    given: list[Expr] = [*node.args, *(each.value for each in node.keywords)]
    return (each for each in given if place_of(each))
