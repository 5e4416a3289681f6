"""How many contexts of a function are kept apart.

In: the contexts that calls of a function ask for, in the order in which functions are analyzed: by their
names, so that the order of files and definitions does not matter. Out: whether one is among the first.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Final

from jaxlint.ir.limits import CONTEXTS, HANDED, WORK, Limit
from jaxlint.ir.loop_carried import statements
from jaxlint.ir.program import Code

_KEPT: Final = 4096  # functions of which is kept how long they are

Kind = Hashable
"""What counts as one function, and whether it is called in a trace, or what its later calls share."""


class Budget:
    """The contexts of all functions, by kind."""

    def __init__(self) -> None:
        self._contexts: dict[Kind, set[Hashable]] = {}

    def admits(self, kind: Kind, context: Hashable, most: int) -> bool:
        """Whether the context is one of the first so many."""
        contexts = self._contexts.setdefault(kind, set())
        if len(contexts) < most:
            contexts.add(context)
            return True
        return context in contexts


@lru_cache(maxsize=_KEPT)
def most_of(limit: Limit, code: Code) -> int:
    """How many contexts of a function a limit allows: of a long one that is handed functions fewer."""
    if limit is not HANDED:
        return limit.most
    size = sum(1 for _ in statements(code.body))
    return max(CONTEXTS.most, min(limit.most, WORK.most // max(size, 1)))
