"""Which tests in a loop may hold at one of its turns only: `if step == 0`, a flag that the loop clears.

In: the tests in force at a place, and the loops around it. Out: whether what is done there may be done
once for all their turns. It refuses to know what the values are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from jaxlint.ir.loop_carried import Turns, bodies, parts
from jaxlint.ir.program import Expr, Stmt

_EQUAL = frozenset(("==", "is", "in"))
_UNEQUAL = frozenset(("!=", "is not", "not in"))


class Held(NamedTuple):
    """A test in force, and which way. depth: how many loops of its function are around it."""

    test: Expr
    truth: bool
    depth: int


def may_be_once(tests: Sequence[Held], loops: Sequence[Turns], depth: int) -> bool:
    """Whether one of the tests inside the first of these loops, which `depth` loops are around, may hold
    at one turn only."""
    inner = [held for held in tests if held.depth > depth and singles_out(held.test, held.truth)]
    if not inner:
        return False
    varying = {name for loop in loops for name in bound_by(loop)}
    return any(mentions(held.test, varying) for held in inner)


def singles_out(test: Expr, truth: bool) -> bool:
    """Whether a test picks out one value of what it looks at. A remainder comes again."""
    kind = test[0]
    if kind == "un" and test[2] == "not":
        return singles_out(test[3], not truth)
    if kind == "bool":
        return singles_out(test[3], truth) or singles_out(test[4], truth)
    if kind == "walrus":
        return singles_out(test[3], truth)
    if kind == "cmp":
        if _has_remainder(test):
            return False
        if test[2][0] == "const" and any(operator in ("in", "not in") for operator, _ in test[3]):
            return True  # what is not there yet may be put there
        return any(operator in (_EQUAL if truth else _UNEQUAL) for operator, _ in test[3])
    return kind in ("name", "attr")


def mentions(node: object, names: Collection[str]) -> bool:
    """Whether an expression reads one of these variables, or an attribute of one of these names."""
    if not isinstance(node, tuple) or not node or node[0] == "const":
        return False
    if len(node) > 2:  # a keyword's name and its value are two
        if node[0] == "name" and node[2] in names:
            return True
        if node[0] == "attr" and f".{node[3]}" in names:
            return True
    return any(mentions(part, names) for part in node if isinstance(part, tuple))


def _has_remainder(node: object) -> bool:
    if not isinstance(node, tuple) or not node or node[0] == "const":
        return False
    return (node[0] == "bin" and "%" in node) or any(_has_remainder(part) for part in node)


def bound_by(loop: Turns) -> Iterator[str]:
    """The variables, and the names of attributes behind a dot, that a loop binds."""
    if loop.target is not None:
        yield from names_in(loop.target)
    yield from _assigned(loop.body)


def _assigned(body: Sequence[Stmt]) -> Iterator[str]:
    for statement in body:
        kind = statement[0]
        if kind == "assign":
            for target in statement[2]:
                yield from names_in(target)
        elif kind in ("ann", "aug", "for"):
            yield from names_in(statement[2])
        elif kind == "with":
            for _, target in statement[2]:
                if target is not None:
                    yield from names_in(target)
        for block in bodies(statement):
            yield from _assigned(block)


def names_in(target: Expr) -> Iterator[str]:
    for each in parts(target):
        if each[0] == "name":
            yield each[2]
        elif each[0] == "attr":
            yield f".{each[3]}"
        elif each[0] == "sub":
            yield from names_in(each[2])
