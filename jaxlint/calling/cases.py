"""Rows of arguments that a test is run with, as far as they make a difference to what is traced.

In: rows, each by names or places of parameters. Out: fewer rows. Functions, classes and objects stay with
what stands beside them in their row: a test calls one with the other. Rows that differ in other things only
are one row, in which no more of these is known than which texts they may be.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import product

from jaxlint.domain.join import MutableContainer, Tuple, join_all, options_of
from jaxlint.domain.objects import Bound, Class, Function, Instance, Partial, Transformed
from jaxlint.domain.questions import are_records, texts_of
from jaxlint.domain.transforms import WRAPPERS
from jaxlint.domain.values import NONE, UNKNOWN, External, OneOf, Value
from jaxlint.ir.limits import CASES, REACHED

Row = tuple[tuple[str | int, Value], ...]
"""What one run of a test gets, by the names of parameters or by their places."""
_CARRIERS = (Function, Class, Bound, Partial, Transformed, Instance)


def carries(value: Value, depth: int = 3) -> bool:
    """Whether a value is, or holds, something that can be called."""
    if isinstance(value, _CARRIERS):
        return True
    if isinstance(value, External):
        return value.name in WRAPPERS
    held: Iterable[Value] = ()
    if isinstance(value, OneOf):
        held = value.options
    elif isinstance(value, MutableContainer) and value.kind == "dict":
        held = value.entries.values()
    elif isinstance(value, (Tuple, MutableContainer)):
        held = value.items or ()
    return depth > 0 and any(carries(each, depth - 1) for each in held)


def told_apart(rows: Iterable[Row]) -> list[Row]:
    """Rows with different things that can be called."""
    found: dict[Hashable, dict[str | int, dict[Value, None]]] = {}
    for row in rows:
        key = tuple([(name, value if carries(value) else None) for name, value in row])
        columns = found.setdefault(key, {name: {} for name, _ in row})
        for name, value in row:
            columns[name][value] = None
    return [tuple([(name, _either([*cells])) for name, cells in each.items()]) for each in found.values()]


def rows_of_all(factors: Iterable[Sequence[Row]]) -> list[Row]:
    """The rows that have one row of each factor."""
    told = [told_apart(rows) or [()] for rows in factors]
    while _count(told) > CASES.most:
        REACHED["cases"] += 1
        largest = max(range(len(told)), key=lambda each: len(told[each]))
        told[largest] = [_summed(told[largest])]
    return [tuple([cell for row in rows for cell in row]) for rows in product(*told)]


def _count(factors: Iterable[Sequence[Row]]) -> int:
    count = 1
    for rows in factors:
        count *= len(rows)
    return count


def _summed(rows: Sequence[Row]) -> Row:
    """One row for many. Which of two things go together is not known any more: only one thing that is called
    alone is any of them."""
    columns: dict[str | int, list[Value]] = {}
    for row in rows:
        for name, value in row:
            columns.setdefault(name, []).append(value)
    varying = [name for name, cells in columns.items() if any(cell != cells[0] for cell in cells)]
    is_alone = len(varying) == 1 and all(isinstance(cell, _CARRIERS) for cell in columns[varying[0]])
    return tuple(
        [
            (name, cells[0] if name not in varying else join_all(cells) if is_alone else _either(cells))
            for name, cells in columns.items()
        ]
    )


def _either(cells: Sequence[Value]) -> Value:
    """What is known of a parameter in any row: the names that it may be, or that it may be None; of
    dictionaries with the same keys, that of each of their values."""
    if len(cells) == 1:
        return cells[0]
    options = [option for cell in cells for option in options_of(cell)]
    if all(option == NONE or texts_of(option) for option in options):
        return join_all(options)
    if not are_records(options):
        return UNKNOWN
    summed = MutableContainer("dict", 0, 0)
    summed.entries = {name: _either([each.entries[name] for each in options]) for name in options[0].entries}
    return summed


def by_parameter(row: Row, names: Sequence[str]) -> Mapping[str, Value]:
    """What a row gives to the parameters of these names."""
    found: dict[str, Value] = {}
    for name, value in row:
        if isinstance(name, str):
            found[name] = value
        elif name < len(names):
            found[names[name]] = value
    return found
