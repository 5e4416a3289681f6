"""Of which dtype and of how many dimensions the result of an operation is.

In: an operator and the values of its operands. Out: the dtype by its kind, the number of dimensions, or of
operands that are no arrays the value.
"""

from __future__ import annotations

from jaxlint.domain.questions import is_host_data
from jaxlint.domain.values import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    STR,
    UNKNOWN,
    Array,
    Const,
    NumPyArray,
    Static,
    Text,
    Value,
)


def dtype_of(value: Value) -> str:
    if isinstance(value, (Array, NumPyArray)):
        return value.dtype
    if isinstance(value, Const):
        return {bool: "b", int: "i", float: "f", complex: "c"}.get(type(value.value), "?")
    if isinstance(value, Static):
        return {"bool": "b", "int": "i", "float": "f"}.get(value.type, "?")
    return "?"


def result_dtype(operator: str, left: Value, right: Value) -> str:
    a, b = dtype_of(left), dtype_of(right)
    if operator == "/":
        return "f" if a in "bif" and b in "bif" else "?"
    if "?" in (a, b):
        return "?"
    order = "bifc"
    result = order[max(order.index(a), order.index(b))]
    if result == "b" and operator not in ("&", "|", "^"):
        return "i" if operator != "+" and operator != "*" else "b"
    return result


def ndim_of(value: Value) -> int | None:
    if isinstance(value, (Array, NumPyArray)):
        return value.ndim
    if isinstance(value, Const) or (isinstance(value, Static) and value.type in ("int", "float", "bool")):
        return 0
    return None


def result_ndim(operator: str, left: Value, right: Value) -> int | None:
    if operator == "@":
        return None
    a, b = ndim_of(left), ndim_of(right)
    return None if a is None or b is None else max(a, b)


def static_result(operator: str, left: Value, right: Value) -> Value:
    for value in (left, right):
        if isinstance(value, Text):
            return value
    kinds = {dtype_of(left), dtype_of(right)}
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
