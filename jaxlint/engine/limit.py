"""The limits of the analysis: each number beyond which it knows less than the program says.

All of them are here, with the reason and with what holds beyond. Beyond a limit less is known, and what is
not known is not reported. `Reached` counts how often each one was reached.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple


class Limit(NamedTuple):
    """One limit. subject: what there may be so many of. beyond: what holds for more."""

    most: int
    subject: str
    beyond: str
    reason: str


CONTEXTS: Final = Limit(
    10,
    "contexts of one function in traces, and outside of them where module bodies call it",
    "all calls share contexts in which constants, dtypes and dimensions are not known, or only which "
    "arguments are traced; in large components the first ones keep theirs",
    "a function that is called with many constants costs one analysis for each",
)
LARGE: Final = Limit(
    1_500,
    "functions that imports connect",
    "callers of a function with too many contexts are not analyzed again",
    "analyzing them again took up to eight times as long",
)
SHARED: Final = Limit(
    2,
    "contexts in traces that further calls of one function share in large components",
    "the result of the call is unknown",
    "traces inside of one another",
)
HIGHER: Final = Limit(
    2,
    "contexts of one function outside of traces and module bodies, where it is passed functions",
    "further calls share the context in which nothing is known of the arguments",
    "outside of traces little depends on arguments",
)
OPTIONS: Final = Limit(
    6,
    "values that a variable may have on different paths",
    "constants become any constant of their type; functions, classes and objects become unknown",
    "each call of such a value is a call of each of its options",
)
ITEMS: Final = Limit(
    64,
    "items of a list that are kept apart",
    "only what any item may be is known",
    "tables of thousands of rows",
)
DEPTH: Final = Limit(
    40,
    "calls inside of one another",
    "the result of the innermost is unknown",
    "recursion that no argument ends",
)
TRACES: Final = Limit(
    8,
    "transforms inside of one another",
    "the functions inside of more are not analyzed",
    "recursion through transforms",
)
CHANGES: Final = Limit(
    5,
    "rounds in which an attribute or a variable that functions assign takes a further value",
    "it is unknown",
    "values that are built from themselves never settle",
)
ROUNDS: Final = Limit(
    60,
    "rounds until all attributes and variables have settled",
    "nothing is reported of functions that still read what changes, and of those that they call",
    "an analysis has to end",
)
DELEGATES: Final = Limit(
    8,
    "objects that pass a missing attribute on to one another by `__getattr__`",
    "the attribute is unknown",
    "objects that pass it round in a circle",
)
WRITES: Final = Limit(
    64,
    "writes to an object inside of one function of which it is known where they are",
    "the others are not seen by JAX401",
    "generated code",
)
KEYS: Final = Limit(
    64,
    "keys that a function consumes of which its callers know",
    "the others are consumed for the function itself only",
    "each call carries them to the caller, and on to its callers",
)
SPLITS: Final = Limit(
    3,
    "splits of children of splits that are told apart",
    "the children are keys like no others",
    "networks split their keys once for each level",
)

LIMITS: Final = {
    "contexts": CONTEXTS,
    "large": LARGE,
    "shared": SHARED,
    "higher": HIGHER,
    "options": OPTIONS,
    "items": ITEMS,
    "depth": DEPTH,
    "traces": TRACES,
    "changes": CHANGES,
    "rounds": ROUNDS,
    "delegates": DELEGATES,
    "writes": WRITES,
    "keys": KEYS,
    "splits": SPLITS,
}

Reached = Counter[str]
"""How often each limit was reached, by its name."""
