"""What the result of an operation is: of which dtype, of how many dimensions, traced or not.

In: an operator and the values of its operands. Out: the dtype by its kind, the number of dimensions, or of
operands that are no arrays the value.
"""

from __future__ import annotations

from typing import Any

from jaxlint.domain.join import Tuple, join
from jaxlint.domain.literals import element_dtype, ndim_of, widest
from jaxlint.domain.questions import is_host_data
from jaxlint.domain.values import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    NONE,
    NUMBERS,
    STR,
    UNKNOWN,
    Array,
    Const,
    Product,
    Static,
    Text,
    Unknown,
    Value,
)

ORDERING = frozenset(("<", "<=", ">", ">="))


def result_dtype(operator: str, left: Value, right: Value) -> str:
    kinds = element_dtype(left), element_dtype(right)
    if operator == "/":
        return "f" if all(each in "bif" for each in kinds) else "?"
    result = widest((left, right))
    if result == "b" and operator not in ("&", "|", "^"):
        return "i" if operator != "+" and operator != "*" else "b"
    return result


def result_ndim(operator: str, left: Value, right: Value) -> int | None:
    if operator == "@":
        return None
    a, b = ndim_of(left), ndim_of(right)
    return None if a is None or b is None else max(a, b)


def static_result(operator: str, left: Value, right: Value) -> Value:
    for value in (left, right):
        if isinstance(value, Text):
            return value
    kinds = {element_dtype(left), element_dtype(right)}
    if "?" in kinds:
        text = [each for each in (left, right) if is_text(each)]
        if text:
            return STR
        return ANY if is_host_data(left) and is_host_data(right) else UNKNOWN
    if operator == "/" or "f" in kinds:
        return FLOAT
    if "c" in kinds:
        return ANY
    if kinds == {"b"} and operator in "&|^":
        return BOOL
    return INT if operator != "**" else ANY


def is_text(value: Value) -> bool:
    if isinstance(value, Const):
        return isinstance(value.value, (str, bytes))
    return isinstance(value, Static) and value.type == "str"


def indexed_ndim(ndim: int | None, index: Value) -> int | None:
    """How many dimensions are left after indexing; None where it can't be told."""
    if ndim is None:
        return None
    parts = index.items if isinstance(index, Tuple) else (index,)
    if parts is None:
        return None
    for part in parts:
        if isinstance(part, Product) and part.kind == "slice":
            continue
        if isinstance(part, (Const, Static)) and not (
            isinstance(part, Const) and not isinstance(part.value, int)
        ):
            ndim -= 1
        elif isinstance(part, Array) and part.ndim == 0 and part.dtype == "i":
            ndim -= 1
        else:
            return None
    return max(ndim, 0)


def operated(left: Value, right: Value) -> Value:
    """What comes of an operation of which a side is not known: of which tracers it is if it is an array."""
    level = _arrays_of(left, right)
    return Array(level & ~NUMBERS) if level & NUMBERS else Unknown(arrays=level) if level else UNKNOWN


def compared(operator: str, left: Value, right: Value) -> Value:
    """What comes of a comparison of which a side is not known."""
    level = _arrays_of(left, right)
    if level & NUMBERS:
        return Array(level & ~NUMBERS, "b") if operator in ORDERING else UNKNOWN
    return join(Array(level, "b"), BOOL) if level else UNKNOWN


def _arrays_of(left: Value, right: Value) -> int:
    """Of which tracers the result is if it is an array; 0 where it may be one that is not traced."""
    levels = [each.arrays for each in (left, right) if isinstance(each, Unknown)]
    others = [each for each in (left, right) if not isinstance(each, Unknown)]
    if not all(map(_is_number, others)):
        return 0
    return levels[0] & levels[-1] if levels else 0


def _is_number(value: Value) -> bool:
    if isinstance(value, Const):
        return isinstance(value.value, (int, float, complex))
    return isinstance(value, Static) and value.type in ("int", "float", "bool")


def is_of_arrays(index: Value) -> bool:
    """Whether nothing but an array takes this among other indices."""
    return slice_of(index) is not None or index == NONE or index == Const(...)


def slice_of(index: Value) -> tuple[Any, ...] | None:
    return index.parts[:3] if isinstance(index, Product) and index.kind == "slice" else None
