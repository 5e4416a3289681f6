"""What stands for a value that changes again and again: in a loop, or in an attribute."""

from __future__ import annotations

from jaxlint.domain.join import join
from jaxlint.domain.values import (
    Const,
    Static,
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
    """As join, but numbers that differ are any number: counters would never settle."""
    if isinstance(before, (Const, Static)) and isinstance(after, Const):
        kind = type(after.value)
        if kind in (int, float) and before != after:
            own = before.type if isinstance(before, Static) else type(before.value).__name__
            if own == kind.__name__:
                return Static(own)
    return join(before, after)
