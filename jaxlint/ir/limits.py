"""The limits of the analysis: each number beyond which it knows less than the program says.

All of them are here, with the reason and with what holds beyond. Beyond a limit less is known, and what is
not known is not reported. `REACHED` counts how often each one was reached.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple


class Limit(NamedTuple):
    """One limit. subject: what there may be so many of. beyond: what holds for more."""

    name: str
    most: int
    subject: str
    beyond: str
    reason: str


CONTEXTS: Final = Limit(
    "contexts",
    10,
    "contexts of one function (combinations of arguments that are analyzed apart) in traces, and outside of "
    "them where it is called at module level; a function in another one has one more for each that is made, "
    "and in traces a method for each class of its object",
    "calls share a context that only knows which arguments are traced or keys; the first calls keep theirs. "
    "Functions that need no arguments and tests are analyzed first, and else functions in the order of the "
    "names of modules and functions",
    "each context is one more analysis of the function",
)
STRATEGIES: Final = Limit(
    "strategies",
    40,
    "contexts of one function in traces where it is handed functions, or functions or objects in a tuple, a "
    "list or a dict, or where it only asks what its argument is",
    "as elsewhere in traces",
    "what it calls differs with each",
)
SHARED: Final = Limit(
    "shared",
    4,
    "contexts in traces that further calls of one function share",
    "calls share contexts in which only that is known of arguments which is so in all of these calls",
    "traces inside of one another multiply contexts",
)
COMMON: Final = Limit(
    "common",
    4,
    "contexts in traces of what is known in all further calls of one function",
    "the result of the call is unknown",
    "traces inside of one another multiply contexts",
)
CHOSEN: Final = Limit(
    "chosen",
    4,
    "of these contexts by flags: arguments that are True, False or None, and texts by which it chooses",
    "calls share contexts in which only those flags are known that are the same in all of these calls",
    "flags choose what is run at all",
)
RENEWED: Final = Limit(
    "renewed",
    16,
    "calls of one function context that replaces PRNG keys which are there before it is called, by one "
    "module or from one function that is called from outside",
    "the result of the call is unknown",
    "functions that call one another so would repeat each other's",
)
HIGHER: Final = Limit(
    "higher",
    2,
    "contexts of one function elsewhere outside traces, where it gets functions as arguments or module level "
    "calls it as well; a constructor has as many more for each class of its object",
    "calls share a context in which the arguments are unknown but for the class of a method's object, and "
    "in which nothing is reported if module level calls the function; classes that look up the same share it",
    "outside traces little depends on arguments",
)
HANDED: Final = Limit(
    "handed",
    150,
    "contexts of one function outside traces where it is handed functions that a function in it calls or "
    "keeps, functions or objects in a tuple, a list or a dict, at module level any functions, or a text by "
    "which it chooses what it gives back, or where it only asks what its argument is",
    "as elsewhere outside traces",
    "what a factory makes of each differs, and is what is traced later",
)
WORK: Final = Limit(
    "work",
    6000,
    "statements in all such contexts of one function together, where they are more than ten",
    "as elsewhere outside traces",
    "factories are short: long functions that are handed functions are the programs themselves",
)
OPTIONS: Final = Limit(
    "options",
    6,
    "values that a variable may have on different paths",
    "constants become any constant of their type; of functions, classes and objects no more is known than "
    "that a call may be one of each",
    "calling such a variable analyzes each of its values",
)
CANDIDATES: Final = Limit(
    "candidates",
    40,
    "functions, classes and objects of which a call may be one of each",
    "the value is unknown",
    "a call analyzes all of them",
)
OVERRIDES: Final = Limit(
    "overrides",
    16,
    "definitions of a method in the classes below the one that an object is annotated to be of",
    "what a call of it does is unknown",
    "a call analyzes all of them, and what they call in turn",
)
READS: Final = Limit(
    "reads",
    4,
    "attributes that are read one after the other of what is not known, and called",
    "what the call may call is not looked for",
    "objects that hold one another",
)
CASES: Final = Limit(
    "cases",
    12,
    "rows of arguments of one test, with different functions, classes or objects in them",
    "functions that are alone in their rows are candidates of one run; nothing else is known of the "
    "arguments",
    "the test is analyzed with each of them",
)
TURNS: Final = Limit(
    "turns",
    8,
    "turns of a loop that are analyzed one by one, where it goes through other things than the records of a "
    "table, or is traced or in another such loop",
    "two turns are analyzed, with what any item is",
    "each turn is one more analysis of what the loop does",
)
NESTING: Final = Limit(
    "nesting",
    10,
    "tuples inside of one another",
    "what the outermost one holds is unknown",
    "a function that calls itself with `(args, args)` doubles what is in them each time",
)
LENGTH: Final = Limit(
    "length",
    12,
    "statements of a loop of which more than two turns are analyzed",
    "two turns are analyzed, with what any item is",
    "each turn is one more analysis of what the loop does",
)
ITEMS: Final = Limit(
    "items",
    64,
    "items of a list that are known one by one",
    "all items share one summary",
    "tables of thousands of rows",
)
TEXTS: Final = Limit(
    "texts",
    1000,
    "characters of a text, and of what its methods get, of which they are run",
    "what the method gives is unknown",
    "texts built from themselves",
)
DEPTH: Final = Limit(
    "depth",
    40,
    "nested calls",
    "the result of the innermost call is unknown",
    "unbounded recursion",
)
EAGER: Final = Limit(
    "eager",
    4,
    "nested transforms of which none is staged",
    "the innermost functions are not analyzed",
    "operators whose derivative is an operator again: each depth is one more context of all that they call",
)
TRACES: Final = Limit(
    "traces",
    8,
    "nested transforms",
    "the innermost functions are not analyzed",
    "unbounded recursion through transforms",
)
OBJECTS: Final = Limit(
    "objects",
    2,
    "rounds in which an attribute changes that holds several objects of one class, which is no pytree",
    "it holds any object of the class",
    "objects that make the next one grow without end",
)
CHANGES: Final = Limit(
    "changes",
    5,
    "rounds in which an attribute or a nonlocal variable gets one more value",
    "its value is unknown",
    "values built from themselves grow without end",
)
ROUNDS: Final = Limit(
    "rounds",
    60,
    "rounds until the values of all attributes and variables are stable",
    "nothing is reported in functions that read unstable values, and in functions that they call",
    "the analysis must terminate",
)
AGAIN: Final = Limit(
    "again",
    2,
    "repeated analyses of one function in a round, where functions call each other",
    "its callers go on with what the last one found",
    "functions that call each other may change each other without end",
)
DELEGATES: Final = Limit(
    "delegates",
    8,
    "objects that pass a missing attribute on to one another by `__getattr__`",
    "the attribute is unknown",
    "cycles of such objects",
)
WRITES: Final = Limit(
    "writes",
    64,
    "writes to one object inside one function whose positions are kept",
    "JAX401 does not see the others",
    "generated code",
)
KEYS: Final = Limit(
    "keys",
    64,
    "consumed PRNG keys in the summary of a function",
    "callers do not see that the other keys are consumed",
    "summaries are copied to all callers",
)
SPLITS: Final = Limit(
    "splits",
    3,
    "nested splits of a PRNG key that are distinguished",
    "the children count as new keys",
    "networks split their keys once per level",
)

EQUAL: Final = Limit(
    "equal",
    8,
    "draws from equal PRNG keys with which a further draw is compared",
    "earlier draws are not named as the first use",
    "thousands of draws from equal keys",
)
COPIES: Final = Limit(
    "copies",
    5,
    "nested calls in which the fields are looked for that an assignment replaces",
    "all fields count as replaced",
    "unbounded recursion",
)

OBSERVED: Final = Limit(
    "observed",
    6,
    "contexts of one function, and functions that one in another one stands for, entered as runs have shown",
    "what differs in further ones is unknown; of a function in another one the first are entered",
    "runs call a function in many ways that differ in little",
)

LIMITS: Final = {each.name: each for each in [*globals().values()] if isinstance(each, Limit)}

REACHED: Final[Counter[str]] = Counter()
"""How often each limit was reached since it was cleared, by its name."""
