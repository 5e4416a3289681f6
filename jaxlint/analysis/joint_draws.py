"""Draws that put several arrays into one order, or make one choice of each, and functions that undo what
others do with the same draws: equal keys are meant there.

In: the call expressions of samplers, the names of functions. Out: what such a draw is given, and whether two
are alike but for their arrays; whether one function undoes another. It refuses to know which keys they
consume.
"""

from __future__ import annotations

import re
from collections.abc import Hashable

from jaxlint.analysis.consumption import Consumption
from jaxlint.ir.nodes import CallExpr, ConstExpr, Expr
from jaxlint.ir.walks import structure_of

JOINT = {"permutation": "x", "shuffle": "x", "choice": "a"}  # samplers, and the name of their operand

_INVERSE = frozenset(("inverse", "inv", "undo"))  # words in the name of what undoes something
_THERE = frozenset(("apply", "forward", "transform"))  # and of what is undone


def drawn_by(name: str, call: CallExpr) -> tuple[Hashable, Expr | None] | None:
    """Of a joint draw what it is given besides its key and operand, as text, and the operand."""
    operand = JOINT.get(name)
    if operand is None:
        return None
    args, keywords = call.args, {keyword.name: keyword.value for keyword in call.keywords}
    given = args[1] if len(args) > 1 else keywords.pop(operand, None)
    keywords.pop("key", None)
    if keywords.get("axis") == ConstExpr(0):
        del keywords["axis"]
    named = tuple(sorted(keywords.items(), key=lambda item: str(item[0])))
    return (name, structure_of(args[2:]), structure_of(named)), given


def are_paired(a: Consumption, b: Consumption) -> bool:
    """Whether two draws put different arrays into the same order."""
    if a.drawn is None or b.drawn is None or a.drawn[0] != b.drawn[0]:
        return False
    return structure_of(a.drawn[1]) != structure_of(b.drawn[1])


def undoes(a: Consumption, b: Consumption) -> bool:
    """Whether the name of one of two functions says that it undoes what the other does: `rotate` and
    `inverse_rotate`, `shuffle_rows` and `unshuffle_rows`, `compress` and `decompress`, `forward` and
    `inverse`. Nothing is said of `encode` and `decode`, which may draw samples of their own."""
    one, other = (re.findall(r"[A-Z]?[a-z]+|[A-Z]+", each.by) for each in (a, b))
    one, other = ([word.lower() for word in words] for words in (one, other))
    if len(one) == len(other):
        apart = {pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]}
        return len(apart) == 1 and any(_is_opposite(x, y) or _is_opposite(y, x) for x, y in apart)
    less, more = sorted((one, other), key=len)
    return bool(less) and [word for word in more if word not in _INVERSE] == less


def _is_opposite(word: str, other: str) -> bool:
    """Whether a word says that what another one says is undone."""
    if word in _INVERSE:
        return other in _THERE
    return word == f"un{other}" or (word == f"de{other}" and other != "noise")
