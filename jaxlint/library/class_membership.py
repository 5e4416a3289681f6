"""Whether a value is of a class, and which class it is of.

In: values. Out: an answer where it is certain, with None where it is not.
"""

from __future__ import annotations

from jaxlint.domain.join import MutableContainer, Tuple, level_of
from jaxlint.domain.objects import Bound, Class, Function, Instance, Key, Partial
from jaxlint.domain.questions import TRACER_CLASSES
from jaxlint.domain.values import (
    ANY,
    UNKNOWN,
    Array,
    Const,
    External,
    NumPyArray,
    OneOf,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)

NONE_TYPE = External("types.NoneType")
ARRAY_CLASSES = frozenset(("jax.Array", "jax.numpy.ndarray", "jax.core.Tracer", "jax.typing.ArrayLike"))
_DATA = ("int", "float", "str", "tuple", "list", "dict", "Array", "ndarray")
_PYTHON_CLASSES = {
    "builtins.int": (int,), "builtins.float": (float,), "builtins.str": (str,),
    "builtins.bool": (bool,), "builtins.complex": (complex,), "builtins.bytes": (bytes,),
    "numbers.Number": (int, float, complex), "numbers.Integral": (int,), "numbers.Real": (int, float),
}  # fmt: skip


def class_of(value: Value) -> Value:
    """What `type(value)` gives."""
    if isinstance(value, Instance):
        return UNKNOWN if value.generic else value.cls
    if isinstance(value, (Array, Key)) and value.level:
        return Product("tracer class", value.level)
    if isinstance(value, Const):
        return NONE_TYPE if value.value is None else External(f"builtins.{type(value.value).__name__}")
    return Product("type of", value) if isinstance(value, (TracerPytree, OneOf)) else UNKNOWN


def is_none(value: Value) -> bool | None:
    """Whether a value is of the class that only None is of."""
    if isinstance(value, Const):
        return value.value is None
    return None if isinstance(value, (Unknown, TracerPytree)) or value == ANY else False


def instance_of_project(value: Value, cls: Class) -> bool | None:
    if isinstance(value, Instance):
        if cls in value.cls.lineage():
            return True
        return None if value.generic or value.cls.opaque() else False
    if isinstance(value, Tuple):
        return value.cls is not None and cls in value.cls.lineage()
    if isinstance(value, Product) and value.kind == "member":
        return value.parts[0] is cls
    if isinstance(value, (Array, NumPyArray, Const, Key, Function)):
        return False
    return None


def instance_of_library(value: Value, name: str) -> bool | None:
    short = name.rpartition(".")[2]
    if isinstance(value, (Array, Key)):
        if name in TRACER_CLASSES:
            return True if level_of(value) else None
        if name in ARRAY_CLASSES:
            return True
        if name in _PYTHON_CLASSES or name.startswith("numpy.") or name.startswith("builtins."):
            return False
        return None
    if isinstance(value, TracerPytree):
        return False if value.level and (name in _PYTHON_CLASSES or name.startswith("numpy.")) else None
    if isinstance(value, NumPyArray):
        if name == "numpy.ndarray":
            return None if value.ndim == 0 or value.ndim is None else True
        if name in _PYTHON_CLASSES:
            return None if value.ndim in (0, None) else False
        return False if name in ARRAY_CLASSES or name == "jax.core.Tracer" else None
    if isinstance(value, Const):
        kinds = _PYTHON_CLASSES.get(name)
        if kinds is not None:
            return isinstance(value.value, kinds)
        return (
            False if name.startswith(("builtins.", "jax.", "numpy.")) and name != "builtins.object" else None
        )
    if isinstance(value, Static):
        if name.startswith("jax.") and value.type in ("int", "float", "str", "bool"):
            return False
        if f"builtins.{value.type}" == name:
            return True
        if value.type in ("int", "str", "float", "bool") and name in _PYTHON_CLASSES:
            return (
                True
                if value.type == "bool" and name == "builtins.int"
                else False
                if "." in name and name.startswith("builtins.")
                else None
            )
        return None
    if isinstance(value, (Tuple, MutableContainer)):
        kind = "tuple" if isinstance(value, Tuple) else value.kind
        if name.startswith("builtins."):
            return short == kind
        if name.startswith(("jax.", "numpy.")):
            return False
        return None
    if isinstance(value, (Function, Bound, Partial)):
        if name == "functools.partial":
            return isinstance(value, Partial)
        return False if name.startswith(("builtins.", "jax.", "numpy.")) and short in _DATA else None
    return None
