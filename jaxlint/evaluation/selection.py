"""What a test leaves of a value that may be one of several.

In: a value and what is asked of it. Out: the value where the answer is known. Nothing is known here of
variables.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from types import FunctionType
from typing import Any

from jaxlint.domain.join import MutableContainer, Tuple, any_of, level_of, options_of
from jaxlint.domain.objects import Bound, Class, Function, Instance, Key, Partial, Transformed
from jaxlint.domain.questions import OF_ARRAYS, TRACER_CLASSES
from jaxlint.domain.values import (
    BOOL,
    NONE,
    NUMBERS,
    UNKNOWN,
    Array,
    Const,
    External,
    NumPyArray,
    OneOf,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.attribute_names import ARRAY_METHODS, ARRAY_ONLY, ATTRIBUTES
from jaxlint.ir.constant_attributes import given_attributes
from jaxlint.ir.mentions import with_more_than
from jaxlint.ir.nodes import CallExpr, Expr, NameExpr, SubscriptExpr
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import last_name
from jaxlint.tables.array_methods import METHODS
from jaxlint.tables.deprecation import is_listed

ARRAYS_OR_NUMBERS = frozenset(
    "jax.Array jax.numpy.ndarray numpy.ndarray numpy.number numpy.generic builtins.int builtins.float "
    "builtins.bool builtins.complex numbers.Number numbers.Real numbers.Integral".split()
)
CALLABLE = "builtins.callable"
# whether complex arrays are what these ask for
_OF_COMPLEX = {
    f"{package}.is{kind}obj": kind == "complex"
    for package in ("numpy", "jax.numpy")
    for kind in ("complex", "real")
}
PREDICATES = frozenset(External(name) for name in (CALLABLE, *_OF_COMPLEX))
_OF_FUNCTIONS = frozenset(dir(FunctionType))
# bases that neither have nor take other attributes
_PLAIN_BASES = frozenset(("builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol"))
_NOT_OF_TRACERS = frozenset(
    name
    for name, row in METHODS.items()
    if row[3:5] == ("SBD", "AttributeError") and not name.startswith("_")
)


def by_attribute(value: Value, name: str, truth: bool) -> Value:
    """Which of a few values it can be that has an attribute, or has not."""
    kept = [each for each in options_of(value) if has_attribute(each, name) is not (not truth)]
    if truth and is_listed(f"array.{name}"):  # not all arrays have it
        kept = [UNKNOWN if isinstance(each, Array) else each for each in kept]
    return any_of(kept) if kept else value


def by_read(value: Value, name: str) -> Value:
    """What a value is of which an attribute is read: of what has no such attribute Python raises."""
    if isinstance(value, TracerPytree):
        return Array(value.level) if name in ARRAY_ONLY else value
    options = options_of(value)
    kept = [each for each in options if not _lacks(each, name)]
    return any_of(kept) if kept and len(kept) < len(options) else value


def by_key(value: Value, key: Value) -> Value:
    """What a value is in which something is sought by a text: a dict, as arrays have no such keys."""
    options = options_of(value)
    if not any(isinstance(each, Array) for each in options) or not all(map(_is_text, options_of(key))):
        return value
    return any_of([TracerPytree(each.level) if isinstance(each, Array) else each for each in options])


def _is_text(value: Value) -> bool:
    if isinstance(value, Static):
        return value.type == "str"
    return type(value) is Const and isinstance(value.value, str)


def by_method(value: Unknown, name: str, owner: Expr, code: Code | None) -> Value:
    """What a value is of which a method is called: an array, where all that is done with the variable that
    holds it is what arrays allow."""
    if name not in ARRAY_METHODS:
        return value
    if isinstance(owner, NameExpr) and code is not None and owner.name in with_more_than(code, ATTRIBUTES):
        return value
    return Array(value.arrays & ~NUMBERS)


def as_mask(index: Value, owner: Value) -> Value:
    """An index of an array: nobody indexes an array with one truth, so that of an array of truths and one
    truth it is the array."""
    if isinstance(owner, (Array, TracerPytree)) and isinstance(index, OneOf) and BOOL in index.options:
        rest = [each for each in index.options if each != BOOL]
        if len(rest) == 1 and isinstance(rest[0], Array) and rest[0].dtype == "b":
            return rest[0]
    return index


def is_merged_in(name: Any, value: Value) -> bool:
    """Whether a dict that has been given other names has this one, if at all, of what was put in under names
    of which nothing is known, as by `update` with a dict that is not known."""
    if not isinstance(value, MutableContainer) or not value.entries or name in value.entries:
        return False
    return value.elem is not None and any(isinstance(each, Unknown) for each in options_of(value.elem))


def by_membership(value: Value, listed: Collection[Any], truth: bool, are_texts: bool) -> Value:
    """What a value can be that is among constants, or is none of them."""
    if isinstance(value, OneOf):
        kept = [each for each in value.options if type(each) is not Const or (each.value in listed) == truth]
        return any_of(kept) if kept else value
    if truth and are_texts and (type(value) is Unknown or value == Static("str")):
        return any_of([Const(each) for each in listed])
    return value


def by_predicate(name: str, value: Value, truth: bool) -> Value:
    """What a value is of which a function that asks gives this: it can be called, or is complex. An array of
    any dtype is seldom complex: where it has to be, nothing is known of it."""
    if name != CALLABLE:
        is_other = isinstance(value, Array) and value.dtype == "?" and truth is _OF_COMPLEX[name]
        return UNKNOWN if is_other else value
    kept = [each for each in options_of(value) if can_be_called(each) is not (not truth)]
    return any_of(kept) if kept else value


def can_be_called(value: Value) -> bool | None:
    """What `callable` says of a value."""
    if isinstance(value, (Function, Class, Bound, Partial, Transformed)):
        return True
    if isinstance(value, (Array, NumPyArray, MutableContainer, Key)) or type(value) is Const:
        return False
    if isinstance(value, Instance):
        return True if value.cls.lookup("__call__") is not None else None
    return False if isinstance(value, Tuple) and value.cls is None else None


def has_attribute(value: Value, name: str) -> bool | None:
    """Whether a value has an attribute: one that tells arrays from other things, or a method of its class."""
    if isinstance(value, Array):
        if value.level and name in _NOT_OF_TRACERS:
            return False
        return True if name in OF_ARRAYS or name in ("at", "aval") else None
    if isinstance(value, NumPyArray):
        return True if name in OF_ARRAYS else False if name in ("at", "aval") else None
    if isinstance(value, Function):
        return True if name in _OF_FUNCTIONS or name in value.attributes else None
    if isinstance(value, Instance):
        found = value.cls.lookup(name)
        return True if found is not None and isinstance(found[0], Function) else None
    plain = value.cls is None if isinstance(value, Tuple) else isinstance(value, (Const, MutableContainer))
    if plain or (isinstance(value, Static) and value.type in ("int", "float", "bool", "str")):
        return False if name in OF_ARRAYS or name in ("at", "aval") else None
    return None


def lacks_attribute(value: Value, name: str, programs: Iterable[Program]) -> bool:
    """Whether this is an object of a class of the program that has no such attribute, as nothing in the
    program sets one of that name."""
    if not isinstance(value, Instance) or value.generic or value.is_open or name.startswith("__"):
        return False
    cls = value.cls
    lineage = cls.lineage()
    if cls.opaque() or not cls.externals() <= _PLAIN_BASES or "replaces" in cls.marks:
        return False
    if name in value.attributes or name in cls.all_fields() or cls.lookup(name) or cls.lookup("__getattr__"):
        return False
    if cls.lookup("__getattribute__") or any(each.code.keywords for each in lineage):
        return False
    if any(each.code.decorators and "dataclass" not in each.marks for each in lineage):
        return False
    names = {each.code.name for each in lineage}
    return not any(given_attributes(each).may_have(names, name) for each in programs)


def _lacks(value: Value, name: str) -> bool:
    """Whether a value is certainly one of Python's own types that has no such attribute."""
    if isinstance(value, Const):
        return (value == NONE or isinstance(value.value, str)) and not hasattr(type(value.value), name)
    if isinstance(value, Tuple):
        return value.cls is None and not hasattr(tuple, name)
    return isinstance(value, MutableContainer) and value.kind == "list" and not hasattr(list, name)


def may_be_array(value: Value) -> bool:
    """Whether it is open if a value is an array: nothing is known of it, or it may be a tracer."""
    value = where_given(value)
    return isinstance(value, Unknown) or (isinstance(value, OneOf) and any(map(level_of, value.options)))


def where_given(value: Value) -> Value:
    """What a value is where it is not None."""
    return any_of([each for each in options_of(value) if each != NONE] or [NONE])


def asked_of_class(node: Expr) -> tuple[Expr, Expr] | None:
    """What `isinstance(a, b)` is asked."""
    if isinstance(node, CallExpr) and isinstance(node.func, NameExpr) and node.func.name == "isinstance":
        if len(node.args) == 2:
            return node.args[0], node.args[1]
    return None


def names_tracer(classes: Value) -> bool:
    """Whether the second argument of `isinstance` has the class of tracers."""
    each = classes.items or () if isinstance(classes, Tuple) else (classes,)
    return any(isinstance(one, External) and one.name in TRACER_CLASSES for one in each)


def is_type_guard(func: Value) -> bool:
    """Whether a call of a function shows that its argument is of another type than it seemed to be."""
    returns = func.code.returns if isinstance(func, Function) else None
    return isinstance(returns, SubscriptExpr) and last_name(returns.value) in ("TypeGuard", "TypeIs")
