"""How many contexts of a function are kept apart.

In: the contexts that calls of a function ask for, in the order in which functions are analyzed: by their
names, so that the order of files and definitions does not matter. Out: whether one is among the first.
"""

from __future__ import annotations

from collections.abc import Hashable

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
