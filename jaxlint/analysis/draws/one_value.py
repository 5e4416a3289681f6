"""Draws that give one value whatever the key is, as their arguments leave no choice.

In: the name of a sampler of JAX, its parameters, and what a call gives it. Out: whether the numbers that are
written there say that all keys give the same, so that nothing is drawn. What is not a constant is not known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jaxlint.domain.questions import constants
from jaxlint.domain.values import Const, Value

_APART = {"randint": 1, "uniform": 0}  # how far apart bounds are that leave one value between them
_OF_ONE = {"choice": "a", "permutation": "x", "shuffle": "x"}  # one of so many, or an order of them


def is_one_value(
    name: str, params: Sequence[str], args: Sequence[Value], keywords: Mapping[str, Value]
) -> bool:
    """Whether a call of a sampler of this name gives the same for all keys."""
    given = {**dict(zip(params, args, strict=False)), **keywords}
    shape = given.get("shape")
    if shape is not None and 0 in (constants(shape) or ()):
        return True
    if name in _APART:
        low, high = _number(given.get("minval", Const(0))), _number(given.get("maxval", Const(1)))
        return low is not None and high is not None and bool(high - low <= _APART[name])
    if name == "bernoulli" and _number(given.get("p")) in (0, 1):
        return True
    count = _number(given.get(_OF_ONE.get(name, "")))
    return type(count) is int and count <= 1


def _number(value: Value | None) -> Any:
    """The number that a value is; None where it is none that is known."""
    number = value.value if isinstance(value, Const) else None
    return number if type(number) in (int, float) else None
