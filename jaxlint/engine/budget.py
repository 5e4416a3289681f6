"""How many contexts of a function are kept apart, and what calls tell of their arguments beyond that.

In: the contexts that calls of a function ask for. Out: how much of their arguments tells them apart. It
depends on which contexts there are, not on which comes first: when there are too many, all calls of the
function are told apart by less, the earlier ones included.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final

from jaxlint.engine.lower import Code
from jaxlint.engine.values import (
    NONE,
    UNKNOWN,
    Array,
    Asked,
    Const,
    Host,
    Key,
    Number,
    Or,
    Static,
    Tree,
    Tuple,
    Unknown,
    Value,
    join_all,
)

EXACT: Final = 0  # contexts are told apart by all that is known of the arguments
COARSE: Final = 1  # not by constants, dtypes and dimensions
TRACED: Final = 2  # only by which arguments are traced, and by the object whose method it is
GENERAL: Final = 3  # only by which arguments are traced

Kind = tuple[Code, bool]
"""A function, and whether it is called in a trace."""


class Budget:
    """The contexts of all functions, by kind."""

    def __init__(self) -> None:
        self._coarseness: dict[Kind, int] = {}
        self._contexts: dict[Kind, dict[Hashable, tuple[Value, ...]]] = {}

    def coarseness(self, kind: Kind) -> int:
        return self._coarseness.get(kind, EXACT)

    def admits(self, kind: Kind, context: Hashable, values: tuple[Value, ...], most: int) -> bool:
        """Whether the context is one of at most so many."""
        contexts = self._contexts.setdefault(kind, {})
        contexts[context] = values
        return len(contexts) <= most

    def coarsen(self, kind: Kind, most: int) -> None:
        """Calls of this kind are told apart by less from here on, so that there is room for further ones."""
        before = self.coarseness(kind)
        contexts = self._contexts.pop(kind, {}).values()
        if before == EXACT and len({_facts(map(coarser, values)) for values in contexts}) <= most // 2:
            self._coarseness[kind] = COARSE
        elif before < TRACED and len({values[:1] for values in contexts}) <= most:
            self._coarseness[kind] = TRACED
        else:
            self._coarseness[kind] = GENERAL


def _facts(values: Iterable[Value]) -> tuple[Hashable, ...]:
    return tuple([value.fact() for value in values])


def coarser(value: Value) -> Value:
    """What is known of a value without constants, dtypes and dimensions."""
    if isinstance(value, Asked) or value == NONE:
        return value
    if isinstance(value, Const):
        kind = type(value.value).__name__
        return value if kind == "bool" else Static(kind)
    if isinstance(value, Number):
        return Static("int")
    if isinstance(value, Array):
        return Array(value.level)
    if isinstance(value, Host):
        return Host()
    if isinstance(value, Key):
        return Key(value.token, value.level, value.many)
    if isinstance(value, Unknown):
        return UNKNOWN if value.token is None else Unknown(value.token)
    if type(value) is Tree:
        return value
    if isinstance(value, Tuple):
        if value.items is None:
            return Tuple(None, coarser(value.elem), cls=value.cls)
        return Tuple(tuple([coarser(each) for each in value.items]), cls=value.cls)
    if isinstance(value, Or):
        return join_all([coarser(each) for each in value.options])
    return value
