"""Values of their own in a trace: what it makes of numbers, and of what is not known."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeGuard

from jaxlint.domain.layers import is_layer, layers_of
from jaxlint.domain.objects import Instance, Key
from jaxlint.domain.questions import is_of_all
from jaxlint.domain.tokens import STATES
from jaxlint.domain.values import (
    BATCHED,
    STAGED,
    UNKNOWN,
    Array,
    Const,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)


def attributes_by_now(owner: Instance, here: Mapping[Hashable, Value]) -> dict[str, Value]:
    """What the attributes of an object hold at a place with these variables; of several objects that it
    stands for, what all of them hold there, or else what any has held."""
    marks = [each for each in here if type(each) is tuple and each[:2] == ("@", id(owner))]
    return owner.attributes | {mark[2]: here[mark] for mark in marks if is_of_all(owner, here[mark])}


def keys_among(attributes: Mapping[str, Value]) -> dict[str, Hashable]:
    """The tokens of what is or may be a key among attributes."""
    return {name: each.token for name, each in attributes.items() if isinstance(each, (Key, Unknown))}


def lifted_scalar(value: Const | Static, level: int) -> Value:
    """A number of Python's as the traced function sees it; what is no number no array can be made of."""
    if isinstance(value, Const):
        if value.value is None:
            return value
        dtype = {bool: "b", int: "i", float: "f", complex: "c"}.get(type(value.value))
        return UNKNOWN if dtype is None else Array(level, dtype, 0)
    dtype = {"bool": "b", "int": "i", "float": "f"}.get(value.type)
    if dtype is None:
        return UNKNOWN if value.type in ("str", "dtype") else TracerPytree(level)
    return Array(level, dtype, 0)


def of_arrays(value: Unknown, level: int, numbers: int = 0) -> Value:
    """What is not known, as a trace has it that lifts only arrays. Of those with no slope a gradient makes no
    tracers."""
    level = (level | value.arrays) & (STAGED | BATCHED)
    if level and value.annotated:
        return Array(level)
    return Unknown(arrays=level | numbers) if level else UNKNOWN


def is_tree_of_library(value: Value) -> bool:
    """Whether this is an object of a library that transforms take apart: a layer, several, or a state."""
    return is_layer(value) or is_state(value) or layers_of(value) is not None


def is_state(value: Value) -> TypeGuard[Product]:
    """Whether this is an object of a library all of whose leaves are arrays, which its methods give."""
    return isinstance(value, Product) and value.kind == "object" and value.parts[0] in STATES
