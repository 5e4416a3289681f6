"""Whether a method does for an object of one class what it does for an object of another.

In: the analysis of a method called outside traces on an object of which only the class is known, and another
such object. Out: whether everything that the method and all that it calls look up is the same there. Then one
context serves both: classes that inherit a method and replace nothing that it uses share its analysis.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from jaxlint.domain.join import MutableContainer, Tuple, options_of
from jaxlint.domain.objects import Bound, Class, Function, Imported, Instance, Key, Partial, Transformed
from jaxlint.domain.values import (
    UNKNOWN,
    Array,
    Const,
    External,
    FeatureProbe,
    Number,
    NumPyArray,
    OneOf,
    Static,
    TracerPytree,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.analysis.function_context import FunctionContext
from jaxlint.analysis.trace_cache import KEPT

# Function contexts that one leads to. Of more, each class has its own: that changes the time and no result.
_MOST = 400
_WITHOUT_PARTS = (
    Unknown,
    Const,
    Static,
    FeatureProbe,
    Number,
    Array,
    NumPyArray,
    External,
    Imported,
    Key,
    TracerPytree,
)

Lookup = Hashable
"""What is asked of an object: an attribute by its name; whether it is of a class; ("super", class): what
`super()` finds in that class's methods."""


class Agreement:
    """Remembers for one round what methods use, and which classes are alike."""

    def __init__(self) -> None:
        self._known: dict[FunctionContext, tuple[tuple[int, int], frozenset[Lookup] | None]] = {}
        self._kinds: dict[Class, Hashable] = {}
        self._fields: dict[Class, frozenset[str]] = {}

    def lookups(self, activation: FunctionContext) -> frozenset[Lookup] | None:
        """What is asked in a function context of the object that it is called on; None where another object
        may not take its place."""
        known = self._known.get(activation)
        if known is None or known[0] != activation.tokens:
            known = self._known[activation] = activation.tokens, _lookups(activation)
        return known[1]

    def holds(self, lookups: Iterable[Lookup], owner: Instance, other: Instance) -> bool:
        """Whether the answers are the same for both objects."""
        mine, theirs = owner.cls, other.cls
        if self._kind(mine) != self._kind(theirs):
            return False
        fields, others = self._fields_of(mine), self._fields_of(theirs)
        for lookup in lookups:
            if isinstance(lookup, Class):
                if (lookup in mine.lineage()) != (lookup in theirs.lineage()):
                    return False
            elif isinstance(lookup, tuple):
                if _behind(lookup[1], mine) != _behind(lookup[1], theirs):
                    return False
            elif not isinstance(lookup, str) or lookup == "__class__":
                return False
            elif (lookup in fields) != (lookup in others) or not _holds(lookup, owner, other):
                return False
        return True

    def _fields_of(self, cls: Class) -> frozenset[str]:
        found = self._fields.get(cls)
        if found is None:
            found = self._fields[cls] = frozenset(cls.all_fields())
        return found

    def _kind(self, cls: Class) -> Hashable:
        """What a class is otherwise than by its attributes."""
        found = self._kinds.get(cls)
        if found is None:
            marks = frozenset(mark for each in cls.lineage() for mark in each.marks)
            found = self._kinds[cls] = marks, frozenset(cls.externals()), cls.opaque()
        return found


def _holds(name: str, owner: Instance, other: Instance) -> bool:
    here, there = owner.cls.lookup(name), other.cls.lookup(name)
    if here is not there and (here is None or there is None or here[0] is not there[0]):
        return False
    default = UNKNOWN if here is None else None
    mine, theirs = _held(name, owner) or default, _held(name, other) or default
    if mine is None or theirs is None:
        return mine is theirs
    return mine is theirs or mine.key() == theirs.key()


def _held(name: str, owner: Instance) -> Value | None:
    holder = owner.holder(name)
    return None if holder is None else holder.attributes[name]


def _behind(cls: Class, below: Class) -> tuple[Class, ...] | None:
    """Where `super()` looks in a method of the first class that is called on an object of the second."""
    lineage = below.lineage()
    return lineage[lineage.index(cls) :] if cls in lineage else None


def _lookups(activation: FunctionContext) -> frozenset[Lookup] | None:
    owner = activation.arguments[0]
    assert isinstance(owner, Instance)
    found: set[Lookup] = set()
    made: set[int] = set()
    seen, stack = {activation}, [activation]
    while stack:
        each = stack.pop()
        if each.running or each.context.depth or len(seen) > _MOST:
            return None
        made |= each.instances
        found.update([_asked(lookup) for holder, lookup in each.reads if holder is owner])
        fresh = each.callees.keys() - seen
        seen |= fresh
        stack += fresh
    values: list[Value] = [*activation.arguments[1:]]
    values += [each for each in options_of(activation.result) if each is not owner]
    for holder, name, _, last in activation.left():
        if holder is not owner and id(holder) not in made:
            return None
        values.append(holder.attributes.get(name, UNKNOWN) if last is None else last)
    return None if any(mentions_object(value, owner) for value in values) else frozenset(found)


def _asked(lookup: Lookup) -> Lookup:
    return lookup[1] if isinstance(lookup, tuple) and lookup[0] == KEPT else lookup


def left_in(activation: FunctionContext, owner: Instance) -> list[tuple[str, Value]]:
    """The attributes of an object that a function context has written, and what it has left there."""
    return [
        (name, owner.attributes.get(name, UNKNOWN) if last is None else last)
        for each, name, _, last in activation.left()
        if each is owner
    ]


def mentions_object(value: Value | None, owner: Instance, depth: int = 4) -> bool:
    """Whether a value has an object in it, or may have. What another object has in it is not asked."""
    if value is owner or depth == 0:
        return True
    if value is None or isinstance(value, (*_WITHOUT_PARTS, Instance)):
        return False
    if isinstance(value, (Function, Class)):
        return value.env.parent is not None  # it may close over it
    parts: Iterable[Value | None]
    if isinstance(value, MutableContainer):
        parts = (*(value.items or ()), *value.entries.values(), value.elem)
    elif isinstance(value, Tuple):
        parts = (*(value.items or ()), value.elem)
    elif isinstance(value, OneOf):
        parts = value.options
    elif isinstance(value, Partial):
        parts = (value.func, *value.args, *(each for _, each in value.keywords))
    elif isinstance(value, Bound):
        parts = (value.func, value.owner)
    elif isinstance(value, Transformed):
        parts = (value.func,)
    else:
        return True
    return any(mentions_object(each, owner, depth - 1) for each in parts)
