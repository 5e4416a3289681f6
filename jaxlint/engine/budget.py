"""How many contexts of a function are kept apart, and what calls tell of their arguments beyond that.

In: the contexts that calls of a function ask for. Out: how much of their arguments tells them apart. In
large components of the import graph the contexts that come first are kept. In others none is preferred, but
contexts of callers that are later told apart by less still count, so that the order can matter there, too.
"""

from __future__ import annotations

from collections.abc import Hashable
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

Kind = tuple[Code, bool | str]
"""A function, and whether it is called in a trace, or what its later calls share."""


class Budget:
    """The contexts of all functions, by kind.

    is_joined: calls of a function with too many contexts are all told apart by less, the earlier ones
    included. Else, in large projects, only the later ones are: analyzing callers again would take too long.
    """

    def __init__(self) -> None:
        self.is_joined = True
        self._coarseness: dict[Kind, int] = {}
        self._contexts: dict[Kind, set[Hashable]] = {}

    def coarseness(self, kind: Kind) -> int:
        return self._coarseness.get(kind, EXACT)

    def admits(self, kind: Kind, context: Hashable, most: int) -> bool:
        """Whether the context is one of at most so many."""
        contexts = self._contexts.setdefault(kind, set())
        if context not in contexts:
            if not self.is_joined and len(contexts) >= most:
                return False
            contexts.add(context)
        return len(contexts) <= most

    def coarsen(self, kind: Kind) -> None:
        """Calls of this kind are told apart by less from here on."""
        self._coarseness[kind] = self.coarseness(kind) + 1
        self._contexts[kind] = set()


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
