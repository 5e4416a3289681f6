"""The dtype and the number of dimensions of what an array is made of: numbers and nested displays.

In: values. Out: a dtype's letter, `?` where it is not known; a number of dimensions, or None.
"""

from __future__ import annotations

from collections.abc import Iterable

from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.values import NONE, UNKNOWN, Array, Const, External, NumPyArray, Static, Value

DTYPES = {
    "bool_": "b", "bool": "b", "int8": "i", "int16": "i", "int32": "i", "int64": "i", "uint8": "i",
    "uint16": "i", "uint32": "i", "uint64": "i", "int_": "i", "int4": "i", "uint4": "i", "uint": "i",
    "float16": "f", "float32": "f", "float64": "f", "bfloat16": "f", "float_": "f", "double": "f",
    "single": "f", "half": "f", "complex64": "c", "complex128": "c", "complex_": "c",
    "int": "i", "float": "f", "complex": "c", "uint2": "i", "int2": "i",
}  # fmt: skip


def has_none(value: Value, depth: int = 4) -> bool:
    """Whether this is None, or a sequence that holds it; a list may hold itself."""
    if depth and isinstance(value, (Tuple, MutableContainer)):
        held = value.items if value.items is not None else (value.elem or UNKNOWN,)
        return any(has_none(each, depth - 1) for each in held)
    return value == NONE


def dtype_of(value: Value) -> str:
    """The kind of dtype that a `dtype` argument names."""
    name = ""
    if isinstance(value, External):
        name = value.name.rpartition(".")[2]
    elif isinstance(value, Const) and isinstance(value.value, str):
        name = value.value
    return DTYPES.get(name, "?")


def element_dtype(value: Value, depth: int = 8) -> str:
    if isinstance(value, (Array, NumPyArray)):
        return value.dtype
    if isinstance(value, Const):
        return {bool: "b", int: "i", float: "f", complex: "c"}.get(type(value.value), "?")
    if isinstance(value, Static):
        return {"bool": "b", "int": "i", "float": "f"}.get(value.type, "?")
    if isinstance(value, Tuple):
        return widest(value.items, depth) if value.items else element_dtype(value.elem)
    if isinstance(value, MutableContainer) and value.kind == "list" and depth > 0:
        return widest(value.items, depth) if value.items else element_dtype(value.elem or UNKNOWN, depth - 1)
    return "?"


def widest(values: Iterable[Value], depth: int = 8) -> str:
    found = [element_dtype(value, depth - 1) for value in values]
    if not found or "?" in found:
        return "?"
    return max(found, key="bifc".index)


def where_dtype(args: list[Value]) -> str:
    return widest(args[1:3]) if len(args) >= 3 else "i"


def ndim_of(value: Value) -> int | None:
    if isinstance(value, (Array, NumPyArray)):
        return value.ndim
    if isinstance(value, Const) and isinstance(value.value, (int, float, bool, complex)):
        return 0
    if isinstance(value, Static) and value.type in ("int", "float", "bool"):
        return 0
    return None


def literal_ndim(value: Value, depth: int = 8) -> int | None:
    if depth and isinstance(value, (Tuple, MutableContainer)):
        items = value.items
        if items is None:
            inner = literal_ndim(value.elem or UNKNOWN, depth - 1)
        elif not items:
            return 1
        else:
            inner = literal_ndim(items[0], depth - 1)
        return None if inner is None else inner + 1
    return ndim_of(value)
