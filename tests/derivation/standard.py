"""What functions of the standard library that compute with numbers do with tracers.

In: the functions of modules named here, and arguments that some of them take. Out: rows of `jaxlint/tables/standard.py`, found by running each function on the first arguments of each number that it
takes, with one of them traced at every level. What bisect, heapq, itertools and operator do depends on the values
that they compare, so the analysis follows them instead; random is impure whatever it is given.
"""

from __future__ import annotations

import array
import colorsys
import ctypes
import datetime
import decimal
import fractions
import inspect
import itertools
import json
import statistics
import struct
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from derivation import hashing
from derivation.levels import at_levels, concrete, errors, outcome_of, raising

Row = tuple[int, str, str, str, str]

MODULES = (colorsys, datetime, decimal, fractions, json, statistics, struct)
_CTYPES = ("c_double", "c_float", "c_int", "c_int32", "c_int64")
_TEXT = ("center", "expandtabs", "ljust", "rjust", "zfill")


def of_text(name: str) -> Callable[..., Any]:
    return lambda *args: getattr("text", name)(*args)


OTHERS: dict[str, Callable[..., Any]] = {
    "array.array": array.array,
    "time.sleep": time.sleep,
    **{f"ctypes.{name}": getattr(ctypes, name) for name in _CTYPES},
    **{f"builtins.str.{name}": of_text(name) for name in _TEXT},
}
"""Functions of other modules, and methods."""

NUMBERS = [0.25, 0.5, 0.75]
INDICES = [1, 2, 3]
# What is tried, by the number of arguments.
TRIED: dict[int, tuple[tuple[Any, ...], ...]] = {
    1: ((NUMBERS,), (0.25,), (1,), (INDICES,)),
    2: (
        (NUMBERS, NUMBERS), (0.25, 0.5), (1, 2), (NUMBERS, 0.5), (NUMBERS, 1), (0.5, NUMBERS), (2, NUMBERS),
        ("f", 0.5), ("f", NUMBERS), ("i", 1), (0.5, "f"),
    ),
    3: ((0.25, 0.5, 0.75), (2000, 1, 2), (NUMBERS, 0, 1), (0.25, 0.5, 0.25)),
}  # fmt: skip


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    for module in MODULES:
        for name in sorted(vars(module)):
            function = getattr(module, name)
            own = (getattr(function, "__module__", None) or module.__name__).lstrip("_")
            if (
                not name.startswith("_")
                and callable(function)
                and own in (module.__name__, f"py{module.__name__}")
            ):
                yield f"{module.__name__}.{name}", function
    yield from OTHERS.items()


def drained(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """The result, or of an iterator the first results."""
    made = function(*args)
    return list(itertools.islice(made, 4)) if isinstance(made, Iterator) else made


def rows(function: Callable[..., Any]) -> Iterator[Row]:
    """Position, parameter, part, levels and class of error of each argument that must not be traced."""
    names = parameters(function)
    seen: set[tuple[int, type]] = set()
    for args in itertools.chain.from_iterable(TRIED.values()):
        for position, value in enumerate(args if works(function, args) else ()):
            kind = type(value) if isinstance(value, list) else float
            if (position, kind) in seen or isinstance(value, str):
                continue
            seen.add((position, kind))
            found = of_argument(function, args, position)
            if found is not None:
                yield position, names[position] if position < len(names) else "", *found


def works(function: Callable[..., Any], args: tuple[Any, ...]) -> bool:
    try:
        drained(function, args)
    except Exception:
        return False
    return True


def parameters(function: Callable[..., Any]) -> list[str]:
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [each.name if each.kind is each.POSITIONAL_OR_KEYWORD else "" for each in found]


def of_argument(
    function: Callable[..., Any], args: tuple[Any, ...], position: int
) -> tuple[str, str, str] | None:
    """Part, levels and errors: of a number `itself`, of a list its `items`, or `several` where one alone is fine."""

    def run(value: Any) -> Any:
        return drained(function, (*args[:position], value, *args[position + 1 :]))

    value = args[position]
    if not isinstance(value, list):
        return judged("itself", run, value)
    alone = judged("items", lambda x: run([x]), value[-1])
    return judged("items" if alone else "several", lambda x: run([*value[:-1], x]), value[-1])


def judged(part: str, operation: Callable[[Any], Any], value: Any) -> tuple[str, str, str] | None:
    sample = np.asarray(value, np.float32 if isinstance(value, float) else np.int32)
    outcomes = at_levels(operation, sample)
    levels = raising(outcomes)
    if not levels:
        return None
    own = (
        concrete(operation, sample).error is not None and outcome_of(operation, sample[()]).error is not None
    )
    return part, ("!" if own else "") + levels, errors(outcomes)


HOST = np.array([0.25, 0.5, 0.75], np.float32)
# What is tried as the only argument of a method of HOST, by its kind.
GIVEN: dict[str, tuple[Any, ...]] = {
    "array": (HOST, np.array([2, 0, 1], np.int32)),
    "number": (np.float32(0.5), np.int32(0)),
}
WRITING = frozenset("dump tofile".split())


def host_methods() -> dict[str, tuple[str, str]]:
    """Of methods of NumPy's arrays the levels and classes of error, where their first argument must not be traced,
    whichever kind of argument it is that they take."""
    found: dict[str, tuple[str, str]] = {}
    for name in sorted(vars(np.ndarray)):
        if name.startswith("_") or name in WRITING or not callable(getattr(np.ndarray, name)):
            continue

        def call(x: Any, name: str = name) -> Any:
            return getattr(HOST.copy(), name)(x)

        taken = [
            next((each for each in tried if outcome_of(call, each).error is None), None)
            for tried in GIVEN.values()
        ]
        outcomes = [at_levels(call, each) for each in taken if each is not None]
        levels = [raising(each) for each in outcomes]
        if levels and all(levels):
            found[name] = min(levels, key=len), errors(outcomes[0])
    return found


def table() -> dict[str, tuple[Row, ...]]:
    hashed = hashing.tables()
    found = {name: tuple(rows(function)) for name, function in functions() if name not in hashed}
    return {name: each for name, each in sorted(found.items()) if each}
