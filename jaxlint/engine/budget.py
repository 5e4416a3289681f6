"""How many contexts of a function are kept apart, and what calls tell of their arguments beyond that.

In: the contexts that calls of a function ask for. Out: how much of their arguments tells them apart. It does
not depend on which calls come first: what counts are the contexts that the end of a round leads to, and how
many calls the text has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Final

from jaxlint.engine.limit import CONTEXTS, HIGHER, SIGNATURES
from jaxlint.engine.lower import Code

if TYPE_CHECKING:
    from jaxlint.engine.frame import Activation

EXACT: Final = 0  # contexts are told apart by all that is known of the arguments
SIGNATURE: Final = 1  # by which arguments are traced, by flags and by functions
GENERAL: Final = 2  # by which arguments are traced

Kind = tuple[Code, bool]
"""A function, and whether it is called in a trace."""


class Budget:
    """The contexts of all functions, by kind. calls: how often the text calls something, by name."""

    def __init__(self, calls: Mapping[str, int]) -> None:
        self._calls = calls
        self._coarseness: dict[Kind, int] = {}
        self._most: dict[Kind, int] = {}
        self._contexts: dict[Kind, set[Hashable]] = {}

    def coarseness(self, kind: Kind) -> int:
        """What tells calls apart. What the text calls often is called in many ways: not even once is it
        followed with all that is known."""
        found = self._coarseness.get(kind)
        if found is None:
            names = kind[0].qualname.split(".")
            name = names[-2] if names[-1] == "__init__" and len(names) > 1 else names[-1]
            found = SIGNATURE if self._calls.get(name, 0) > CONTEXTS.most else EXACT
            self._coarseness[kind] = found
        return found

    def admits(self, kind: Kind, context: Hashable, most: int) -> bool:
        """Whether a context is kept apart until the end of the round, where it is known how many there are.
        most: how many may be. What callers ask for that are then called in another way counts until there
        is twice as much."""
        if self.coarseness(kind) == SIGNATURE:
            most = SIGNATURES.most
        self._most[kind] = most
        contexts = self._contexts.setdefault(kind, set())
        contexts.add(context)
        return len(contexts) <= 2 * most

    def limit(self, kind: Kind) -> str:
        """The name of the limit that holds for a kind."""
        if self._most.get(kind, 0) <= HIGHER.most:
            return "higher"
        return "signatures" if self.coarseness(kind) == SIGNATURE else "contexts"

    def coarsen(self, kind: Kind) -> None:
        """Calls of this kind are told apart by less from here on."""
        few = self._most.get(kind, 0) <= HIGHER.most
        self._coarseness[kind] = GENERAL if few else self.coarseness(kind) + 1
        self._contexts[kind] = set()

    def exceeded(self, reached: Iterable[Activation]) -> list[Kind]:
        """The kinds of which more contexts are reached than are kept apart."""
        counts: Counter[Kind] = Counter()
        for each in reached:
            if each.func is not None:
                kind = (each.func.code, each.context.depth > 0)
                if each.key in self._contexts.get(kind, ()):
                    counts[kind] += 1
        return [kind for kind, count in counts.items() if count > self._most[kind]]


def calls_by_name(bodies: Iterable[object]) -> Counter[str]:
    """How often the text calls something of a name."""
    found: Counter[str] = Counter()
    stack = [*bodies]
    while stack:
        node = stack.pop()
        if type(node) is tuple and node:
            if node[0] == "call" and len(node) > 3:
                called = node[2]
                if called[0] == "name":
                    found[called[2]] += 1
                elif called[0] == "attr":
                    found[called[3]] += 1
            stack += node
    return found
