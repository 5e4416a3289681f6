"""What Python hashes: keys of dicts, elements of sets, and what functions take the hash of.

In: the value of a key or an element, or the arguments of a function. Out: a word on the array that
has no hash. Which arguments a function hashes is in a table, found by running it.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.analysis.core import Core
from jaxlint.analysis.events import Hashed
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.domain.hashing import hashed_array
from jaxlint.domain.join import MutableContainer, Tuple, options_of
from jaxlint.domain.values import Array, NumPyArray, Product, Value
from jaxlint.tables.hashing import HASHED

_SETS = ("builtins.set", "builtins.frozenset")
_MAPS = ("builtins.dict", "collections.")


class Hashing:
    """Tells of arrays that are hashed."""

    def __init__(self, flow: FlowState, core: Core, interpreter: Interpreter) -> None:
        self.flow = flow
        self.core = core
        self.interpreter = interpreter

    def hash(self, value: Value, how: str, nid: int) -> bool:
        """Whether there is an array in what is hashed, which rules are told of."""
        array = hashed_array(value)
        if array is None:
            return False
        self.core.emit("Hashed", Hashed(nid, self.flow.frame, array, how, array is not value))
        return True

    def hash_any(self, values: Sequence[Value], how: str, nid: int) -> None:
        """The same for the first of several that has one in it."""
        next((each for each in values if self.hash(each, how, nid)), None)

    def hash_arguments(self, name: str, args: Sequence[Value], nid: int) -> None:
        """What a function or a method of Python is given that it hashes."""
        rows = HASHED.get(name)
        if rows is None or "Hashed" not in self.core.hooks:
            return
        how = "element" if name.startswith(_SETS) else "key" if name.startswith(_MAPS) else name
        for position, part in rows:
            if position >= len(args) or any(
                isinstance(each, Product) and each.kind == "rest" for each in args
            ):
                break
            if part == "itself":
                self.hash(args[position], how, nid)
                continue
            items = self._items(args[position], nid)
            if part == "pairs":
                items = [each.items[0] for each in items if isinstance(each, Tuple) and each.items]
            self.hash_any(items, how, nid)

    def _items(self, value: Value, nid: int) -> Sequence[Value]:
        """The items of an iterable, or what any of them is, where they are known."""
        if isinstance(value, MutableContainer) and value.kind != "dict":
            found = value.items if value.elem is None else None
            return found if found is not None else [value.each()]
        if isinstance(value, Tuple):
            return value.items if value.items is not None else [value.elem]
        if isinstance(value, Product) and value.kind == "iterator" and value.parts[1] is not None:
            rows: Sequence[Value] = value.parts[1]
            return rows
        is_plain = isinstance(value, Product) and value.kind == "iterator"
        if is_plain or isinstance(value, (Array, NumPyArray)):
            return [self.interpreter.containers.iterate(value, nid)]
        return []


def is_hashing(value: Value) -> bool:
    """Whether an item of this is looked up by its hash."""
    return all(
        isinstance(each, MutableContainer) and each.kind in ("dict", "set", "frozenset")
        for each in options_of(value)
    )
