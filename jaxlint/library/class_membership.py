"""Whether a value is of a class, and which class it is of.

In: values. Out: an answer where it is certain, with None where it is not.
"""

from __future__ import annotations

import builtins

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
TYPE = External("builtins.type")
ARRAY_CLASSES = frozenset(("jax.Array", "jax.numpy.ndarray", "jax.core.Tracer", "jax.typing.ArrayLike"))
_DATA = ("int", "float", "str", "tuple", "list", "dict", "type", "Array", "ndarray")
_OF_DATA = frozenset(("dataclass", "pytree", "namedtuple", "framework", "equinox"))
_PROTOCOL = "typing.Protocol"
_PLAIN_BASES = frozenset(("abc.ABC", "typing.Generic", _PROTOCOL))
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


def _is_class(value: Value) -> bool | None:
    """Whether a value is a class."""
    if isinstance(value, Instance) and value.cls.has_any_mark(_OF_DATA):
        return False  # the class of a class has no fields
    if isinstance(value, (Class, NumPyArray)):
        return isinstance(value, Class)
    if isinstance(value, Static):
        return False if value.type in ("int", "str", "float", "bool") else None
    return False if isinstance(value, TracerPytree) and value.level else None


def _instance_of_python(value: Instance, name: str) -> bool | None:
    """Whether an object of a class of the project is of a class that Python has built in."""
    cls, bases = value.cls, value.cls.externals()
    own = _python_class(name)
    known = [_python_class(each) for each in bases - _PLAIN_BASES]
    if own is None or cls.opaque() or cls.lookup("__class__") or (value.generic and _PROTOCOL in bases):
        return None
    found = [each is not None and issubclass(each, own) for each in known]
    if any(found):
        return True
    is_other = None not in known and not ((value.generic or value.is_open) and own is not type)
    return False if is_other else None


def _python_class(name: str) -> type | None:
    holder, _, last = name.partition(".")
    found = getattr(builtins, last, None) if holder == "builtins" else None
    return found if isinstance(found, type) else None


def _static_instance_of(value: Static, name: str) -> bool | None:
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


def instance_of_library(value: Value, name: str) -> bool | None:
    short = name.rpartition(".")[2]
    if name == "builtins.object" or (isinstance(value, (Unknown, TracerPytree)) and value.made == name):
        return True
    is_class = _is_class(value) if name == TYPE.name else None
    if is_class is not None:
        return is_class
    if isinstance(value, Instance):
        return _instance_of_python(value, name)
    if isinstance(value, Static):
        return _static_instance_of(value, name)
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
        return False if name.startswith(("builtins.", "jax.", "numpy.")) else None
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
