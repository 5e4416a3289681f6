"""What NumPy shows of an array without a copy of it, and which arrays its functions write into.

In: a call, by name and values. Out: the view that it gives; the arguments that it changes in place. The
tables say which, from runs of NumPy. It refuses to know how a view came about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from jaxlint.analysis.events import Call
from jaxlint.domain.join import Tuple
from jaxlint.domain.literals import element_dtype
from jaxlint.domain.questions import is_array, is_basic_index
from jaxlint.domain.values import IN_ONE_PIECE, NO_COPY, OF_VIEW, Array, Const, NumPyArray, Product, Value

METHOD = "numpy.ndarray."
_OTHER_DTYPE = frozenset(("view", "frombuffer", "real", "imag"))


class Written(NamedTuple):
    """An argument that a call writes into: its value; its position, its name, or -1 for the object whose
    method it is; and the error that there is where it is an array of JAX."""

    value: Value
    place: int | str
    error: str


def view_of(
    name: str, args: Sequence[Value], keywords: Mapping[str, Value], ndim: int | None
) -> Value | None:
    """The view that a call gives of its first argument, where that may not be written to; None where it may
    be a copy. `ndim`: the rank of what the call gives."""
    from jaxlint.tables.numpy_memory import VIEWS

    row = VIEWS.get(name)
    if row is None or not args:
        return None
    result, whole, keeps, params = row
    owner = args[0]
    held = IN_ONE_PIECE if isinstance(owner, Array) and _is_converted(name) else 0
    if isinstance(owner, NumPyArray):
        held = owner.read_only
    if held < (IN_ONE_PIECE if whole else NO_COPY) or not _is_harmless(params, len(args) - 1, keywords):
        return None
    last = name.rpartition(".")[2]
    dtype = "?" if last in _OTHER_DTYPE else element_dtype(owner)
    array = NumPyArray(dtype, ndim, held if keeps else NO_COPY)
    return array if result == "host" else Tuple(None, array)


def _is_converted(name: str) -> bool:
    """Whether a function makes a NumPy array of one of JAX, which then shows what that holds."""
    from jaxlint.tables.numpy_functions import NUMPY

    row = NUMPY.get(name)
    return name == f"{METHOD}__array__" or (row is not None and row[3].startswith("host"))


def _is_harmless(params: tuple[str, ...], count: int, keywords: Mapping[str, Value]) -> bool:
    """Whether no copy comes of so many arguments after the first, and of these by name."""
    positional = params[: params.index("*")] if "*" in params else params
    if positional and positional[-1][0] == "*":
        return not keywords
    given = (*positional[:count], *keywords)
    return count <= len(positional) and all(name in params and name[0] not in "*-" for name in given)


def part_of(owner: NumPyArray, ndim: int | None, index: Value) -> NumPyArray:
    """What an index gives of a NumPy array: a view, one number, or a copy."""
    held = owner.read_only if ndim != 0 and is_basic_index(index) else 0
    if held:
        parts = index.items if isinstance(index, Tuple) and index.items is not None else (index,)
        if ndim is None and not all(map(_keeps_axis, parts)):
            held = OF_VIEW  # or one number
        elif len(parts) > 1 or not _is_leading(index):
            held = min(held, NO_COPY)
    return NumPyArray(owner.dtype, ndim, held)


def row_of(owner: NumPyArray) -> NumPyArray:
    """What a loop through a NumPy array gives."""
    ndim = None if owner.ndim is None else max(owner.ndim - 1, 0)
    held = 0 if ndim == 0 else owner.read_only if ndim else min(owner.read_only, OF_VIEW)
    return NumPyArray(owner.dtype, ndim, held)


def _keeps_axis(index: Value) -> bool:
    return isinstance(index, Product) or (isinstance(index, Const) and index.value in (None, ...))


def _is_leading(index: Value) -> bool:
    """Whether an index takes rows that lie one after the other."""
    return not isinstance(index, Product) or len(index.parts) < 3 or index.parts[2] == Const(None)


def written(call: Call) -> Iterator[Written]:
    """The arguments that a call writes into."""
    from jaxlint.tables.numpy_memory import WRITES

    for name, position, condition, error in WRITES.get(call.name, ()) if call.exact else ():
        place: int | str = name if name in call.keywords else position
        value = call.receiver if name == "self" else call.arg(position, name)
        if isinstance(value, Tuple) and value.items is not None and len(value.items) == 1 and name == "out":
            value = value.items[0]
        if value is None or not all(_holds(each, call, value) for each in condition.split()):
            continue
        passed_on = name == "out" and bool(call.args) and is_array(call.args[0])
        yield Written(value, place, "NotImplementedError" if passed_on and _passes_on(call.name) else error)


def _holds(condition: str, call: Call, written: Value) -> bool:
    if condition == "float":
        return isinstance(written, (Array, NumPyArray)) and written.dtype == "f"
    flag, _, value = condition.partition("=")
    return call.keywords.get(flag) == Const(value == "True")


def _passes_on(name: str) -> bool:
    """Whether a function calls the method of an array of JAX that it is given, which takes no `out`."""
    from jaxlint.tables.numpy_functions import NUMPY

    row = NUMPY.get(name)
    return row is not None and row[3] == "array"


@cache
def is_always_refused(name: str) -> bool:
    """Whether every version of NumPy that the tables are of refuses to write where it may not."""
    from jaxlint.tables.numpy_memory import OTHERWISE

    apart = (each.get("WRITES", {}) for each in OTHERWISE.values())
    return not any(isinstance(each, dict) and name in each and each[name] is None for each in apart)
