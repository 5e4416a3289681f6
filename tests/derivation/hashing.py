"""Which of their arguments Python's own functions and methods of containers hash, and which of its classes
have objects without a hash.

In: the functions of `builtins`, `collections` and `statistics`, the methods of containers, and the classes of
modules that classes are derived from. Out: rows of `jaxlint/tables/hashing.py`, found by calling each function with
an object that notes when its hash is asked for, and by asking each class.
"""

from __future__ import annotations

import argparse
import array
import builtins
import collections
import configparser
import contextlib
import statistics
import types
from collections.abc import Callable, Iterator
from typing import Any

Row = tuple[tuple[int, str], ...]

# Functions that read, write or end something.
NOT_CALLED = frozenset("breakpoint copyright credits exit help input license open print quit".split())
BEFORE: tuple[tuple[tuple[Any, ...], ...], ...] = (((),), ((None,), ({},), (int,)))
"""What is passed before the argument at each position, one of which a function takes."""


class Probe:
    """An object that notes that its hash is asked for."""

    asked = False

    def __hash__(self) -> int:
        self.asked = True
        return 0

    def __lt__(self, other: object) -> bool:
        return False


PARTS: dict[str, Callable[[Probe], Any]] = {
    "itself": lambda probe: probe,
    "items": lambda probe: [probe, 1],
    "pairs": lambda probe: [(probe, 1)],
}


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    for module in (builtins, collections, statistics):
        for name in sorted(vars(module)):
            function = getattr(module, name)
            own = getattr(function, "__module__", None) == module.__name__ and not name.startswith("_")
            if own and name not in NOT_CALLED and callable(function):
                yield f"{module.__name__}.{name}", function
    yield "builtins.dict.fromkeys", dict.fromkeys
    for owner in (dict, set, frozenset):
        for name in sorted(vars(owner)):
            if not name.startswith("__") and name != "fromkeys":
                yield f"builtins.{owner.__name__}.{name}", method(owner, name)


def method(owner: type, name: str) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        return getattr(owner({0: 1}), name)(*args)

    return call


def hashes(function: Callable[..., Any], position: int, part: str) -> bool:
    """Whether some call hashes what is in this part of the argument at this position."""
    for before in BEFORE[position]:
        probe = Probe()
        with contextlib.suppress(Exception):
            function(*before, PARTS[part](probe))
        if probe.asked:
            return True
    return False


def tables() -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for name, function in functions():
        found: list[tuple[int, str]] = []
        for position in range(len(BEFORE)):
            part = next((each for each in PARTS if hashes(function, position, each)), None)
            if part is not None:
                found.append((position, part))
        if found:
            rows[name] = tuple(found)
    return rows


def unhashable() -> frozenset[str]:
    """The classes whose objects have no hash, by the module that has them and their name there."""
    found: set[str] = set()
    for module in (argparse, array, builtins, collections, configparser, types):
        for name, value in vars(module).items():
            is_own = isinstance(value, type) and value.__module__ == module.__name__
            if is_own and not name.startswith("_") and value.__hash__ is None:
                found.add(f"{module.__name__}.{name}")
    with contextlib.suppress(TypeError):  # it has the hash of what it shows, in new versions
        hash(types.MappingProxyType({}))
        return frozenset(found)
    return frozenset((*found, "types.MappingProxyType"))
