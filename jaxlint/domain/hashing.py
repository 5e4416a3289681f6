"""What Python takes the hash of where it hashes a value, and what has none.

In: values, classes. Out: whether there is a hash, and of what it is made. Nothing is said where a method of
the project makes it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.objects import Class, Instance
from jaxlint.domain.values import Array, External, NumPyArray, OneOf, Product, Value
from jaxlint.tables.hashing import UNHASHABLE
from jaxlint.tables.layers import WITH_ARRAYS

_WITH_KNOWN_HASH: Final = UNHASHABLE | {"flax.linen.Module"}


def hashed_array(value: Value) -> Value | None:
    """The array, of JAX or NumPy, whose hash Python asks for where it hashes this value: arrays have none.
    None where there is not certainly one."""
    if isinstance(value, Array) or (isinstance(value, NumPyArray) and value.ndim):
        return value
    if isinstance(value, OneOf):
        found = [hashed_array(each) for each in value.options]
        return found[0] if None not in found else None
    if isinstance(value, Tuple) and value.cls is not None and value.cls.lookup("__hash__") is not None:
        return None
    if isinstance(value, Tuple) and value.items is not None:
        return next((each for each in map(hashed_array, value.items) if each is not None), None)
    if isinstance(value, Instance) and not value.is_open:
        cls = hashes_fields(value.cls)
        names = [] if cls is None else hashed_fields(cls)
        held = [value.attributes[name] for name in names if name in value.attributes]
        return next((each for each in map(hashed_array, held) if each is not None), None)
    return None


def hashed_leaf(value: Value, depth: int = 4) -> Value | None:
    """The array among the leaves of a module of equinox, of which its hash is made: arrays have none. None
    where there is not certainly one."""
    held: Iterable[Value] = ()
    if isinstance(value, Array) or (isinstance(value, NumPyArray) and value.ndim):
        return value
    if isinstance(value, Product) and value.kind == "layer":
        return Array(0) if value.parts[0] in WITH_ARRAYS else None
    if isinstance(value, Instance) and has_hash_of_leaves(value.cls) and not value.is_open:
        fields = value.cls.all_fields()
        held = [each for name, each in value.attributes.items() if name in fields and not fields[name][1]]
    elif isinstance(value, MutableContainer):
        held = (*value.entries.values(), *(value.items or ()))
    elif isinstance(value, Tuple):
        held = value.items or ()
    found = (hashed_leaf(each, depth - 1) for each in held if depth)
    return next((each for each in found if each is not None), None)


def has_hash_of_leaves(cls: Class) -> bool:
    """Whether equinox makes the hash of the objects of a class: of their leaves or, as 0.13 does, of their
    fields, in which the leaves are."""
    return cls.has_mark("equinox") and cls.lookup("__hash__") is None


def lacks_hash(kind: str | Class) -> bool:
    """Whether objects have no hash whatever they hold: of a class of the project, or of one of Python's, by
    its canonical name. False where that is not known."""
    return kind in UNHASHABLE if isinstance(kind, str) else _hashed_by(kind) == "none"


def hashes_fields(cls: Class) -> Class | None:
    """The dataclass that makes the hash of an object, of its fields; None where something else does, or
    that is not known."""
    found = _hashed_by(cls)
    return found if isinstance(found, Class) else None


def hashed_fields(cls: Class) -> list[str]:
    """The fields of which the hash of a dataclass is made: its own, and those of its bases that are
    dataclasses too."""
    found: dict[str, bool] = {}
    for each in reversed(cls.lineage()):
        if each is cls or not each.marks.isdisjoint(("dataclass", "linen")):
            found.update((name, name not in each.unhashed) for name in each.fields)
    return [name for name, is_hashed in found.items() if is_hashed]


def _hashed_by(cls: Class) -> Class | Literal["none", "other"]:
    """The dataclass by which objects are hashed; `none` where they have no hash, `other` where a method makes
    it, or that is not known."""
    is_inherited = False
    for each in cls.lineage():
        others = [base for base in each.bases if not isinstance(base, Class)]
        if "altered" in each.marks or not all(
            isinstance(base, External) and base.name in _WITH_KNOWN_HASH for base in others
        ):
            return "other"
        is_inherited = is_inherited or bool(others)
        if "__hash__" in each.attributes:
            return "other"
        if "linen" in each.marks:  # flax makes the hash of each class anew that has none
            return "none" if "__eq__" in each.attributes else each
        if "hashed" in each.marks or ({"dataclass", "frozen"} <= each.marks and "identity" not in each.marks):
            return each
        if "unhashable" in each.marks or "__eq__" in each.attributes:
            return "none"
    return "none" if is_inherited else "other"
