"""What stands for a value that changes: in a loop, in an attribute, or where paths meet."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable

from jaxlint.domain.join import Tuple, join
from jaxlint.domain.objects import Key, Partial, Transformed
from jaxlint.domain.values import (
    UNKNOWN,
    Const,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)


def widen(before: Value, after: Value) -> Value:
    """The start of a loop's second turn: a constant that changed is any constant of its type."""
    if before == after:
        return after
    if isinstance(after, Const) and isinstance(before, (Const, Static)):
        name = type(after.value).__name__
        if after.value is None or (isinstance(before, Const) and before.value is None):
            return after
        return Static(name)
    return after


def blend(before: Value, after: Value) -> Value:
    """As join, but numbers that differ are any number, and more texts than are told apart any text: counters
    would never settle."""
    if isinstance(before, (Const, Static)) and isinstance(after, Const):
        kind = type(after.value)
        if kind in (int, float) and before != after:
            own = before.type if isinstance(before, Static) else type(before.value).__name__
            if own == kind.__name__:
                return Static(own)
    either = join(before, after)
    return Static("str") if isinstance(either, Static) and either.texts else either


def one_key(a: Value, b: Value, either: Value, fresh: Callable[[], Hashable]) -> Value:
    """Either of two values, with an identity of its own if one of them is a key, and the other may be one."""
    if isinstance(a, Key) and isinstance(b, Key):
        return Key(fresh(), a.level & b.level, a.many or b.many, a.count if a.count == b.count else None)
    if isinstance(either, Unknown) and (isinstance(a, Key) or isinstance(b, Key)):
        return Unknown(fresh())
    return either


def given_or_default(
    a: Value, where: Container[Hashable], b: Value, elsewhere: Container[Hashable]
) -> Value | None:
    """A key of the caller's where it is not None, and a key made in its place where it is. It stays that of
    the caller: with None there is no such key. `where`: the variables with which the value is `a`."""
    if isinstance(b, Key):
        a, where, b = b, elsewhere, a
    if isinstance(a, Key) and isinstance(b, (Unknown, TracerPytree)) and b.token is not None:
        return b if ("none", b.token) in where else None
    return None


def once_transformed(value: Value) -> Value:
    """Without what the same place in the text has made of the function before: an attribute that is mapped at
    each call would never settle."""
    if not isinstance(value, Transformed):
        return value
    inner = value.func
    while isinstance(inner, (Transformed, Partial)):
        if isinstance(inner, Transformed) and inner.place == value.place:
            return once_transformed(inner)
        inner = inner.func
    return value


def settled(value: Value, cell: Hashable) -> Value:
    """A value as an object keeps it: a key has the identity of its place, not of its making."""
    if isinstance(value, Key):
        return Key(cell, value.level, value.many, value.count)
    if type(value) is Unknown:
        return UNKNOWN if value.truth is None else UNKNOWN.with_truth(value.truth)
    if isinstance(value, Product) and value.kind == "transformed-unknown":
        return UNKNOWN  # with the identity of the attribute, so that calls of it may be put off
    if isinstance(value, TracerPytree) and value.token is not None:
        return TracerPytree(value.level)
    if isinstance(value, Tuple) and value.items is not None:
        items = tuple(settled(item, (cell, "[]", i)) for i, item in enumerate(value.items))
        return Tuple(items, cls=value.cls)
    return value
