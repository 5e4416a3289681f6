"""What Python's own functions, formats and the modules math and cmath do with a tracer.

In: operations written here. Out: rows of `jaxlint/tables/python_on_tracer.py`, found by
running each operation on scalars and vectors at every level.
"""

from __future__ import annotations

import builtins
import cmath
import collections
import copy
import functools
import itertools
import math
import operator
from collections.abc import Callable, Iterator
from typing import Any

import jax
import numpy as np

from derivation.calls import Outcome
from derivation.kinds import result_of
from derivation.levels import at_levels, concrete, errors, raising

Row = tuple[str, str, str, str]

SCALARS = (np.float32(0.5), np.float32(1.5), np.int32(1), np.bool_(True))
VECTORS = (np.array([0.25, 0.5, 0.75], np.float32), np.array([2, 0, 1], np.int32), np.array([True, False]))
# Raises for an array that is not traced, too.
IMPOSSIBLE = "!"


def unpacked(a: Any, b: Any, *rest: Any) -> list[Any]:
    return [a, b, *rest]


def matched(x: Any) -> int:
    match x:
        case 1.5:
            return 1
        case _:
            return 0


def looped(x: Any) -> int:
    while x:
        return 1
    return 0


BUILTINS: dict[str, Callable[[Any], Any]] = {
    "abs": abs,
    "all": all,
    "any": any,
    "ascii": ascii,
    "bin": bin,
    "bool": bool,
    "bytearray": bytearray,
    "bytes": bytes,
    "callable": callable,
    "chr": chr,
    "complex": complex,
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "dict.fromkeys": dict.fromkeys,
    "divmod": lambda x: divmod(x, 2),
    "enumerate": lambda x: list(enumerate(x)),
    "filter": lambda x: list(filter(None, x)),
    "float": float,
    "format": format,
    "frozenset": frozenset,
    "functools.reduce": lambda x: functools.reduce(operator.add, x),
    "getattr": lambda x: getattr(x, "shape"),  # noqa: B009
    "hasattr": lambda x: hasattr(x, "shape"),
    "hash": hash,
    "hex": hex,
    "id": id,
    "int": int,
    "isinstance": lambda x: isinstance(x, jax.Array),
    "iter": lambda x: list(iter(x)),
    "itertools.accumulate": lambda x: list(itertools.accumulate(x)),
    "itertools.chain": lambda x: list(itertools.chain(x)),
    "itertools.product": lambda x: list(itertools.product(x)),
    "len": len,
    "list": list,
    "map": lambda x: list(map(abs, x)),
    "max": max,
    "min": min,
    "next": lambda x: next(iter(x)),
    "oct": oct,
    "operator.index": operator.index,
    "operator.length_hint": operator.length_hint,
    "operator.not_": operator.not_,
    "operator.truth": operator.truth,
    "pow": lambda x: pow(x, 2),
    "print": lambda x: str(x),
    "range": range,
    "repr": repr,
    "reversed": lambda x: list(reversed(x)),
    "round": round,
    "set": set,
    "slice": slice,
    "sorted": sorted,
    "str": str,
    "sum": sum,
    "tuple": tuple,
    "type": type,
    "zip": lambda x: list(zip(x, x)),  # noqa: B905
}

# Ways of writing an operation whose answer is another one than with a single argument.
FORMS: dict[str, Callable[[Any], Any]] = {
    "max(x, y)": lambda x: max(x, x),
    "min(x, y)": lambda x: min(x, x),
    "max([x, y])": lambda x: max([x, x]),
    "min([x, y])": lambda x: min([x, x]),
    "max(x, 0)": lambda x: max(x, 0),
    "min(x, 0)": lambda x: min(x, 0),
    "max([x])": lambda x: max([x]),
    "any([x, y])": lambda x: any([x, x]),
    "all([x, y])": lambda x: all([x, x]),
    "sorted([x, y])": lambda x: sorted([x, x]),
    "sorted([x])": lambda x: sorted([x]),
    "sum([x, y])": lambda x: sum([x, x]),
    "sum([x], x)": lambda x: sum([x], x),
    "math.prod([x, y])": lambda x: math.prod([x, x]),
    "math.fsum([x, y])": lambda x: math.fsum([x, x]),
    "math.hypot(x, y)": lambda x: math.hypot(x, x),
    "math.dist([x], [y])": lambda x: math.dist([x], [x]),
    "round(x, 1)": lambda x: round(x, 1),
    "pow(x, 2, 3)": lambda x: pow(x, 2, 3),
    "divmod(2, x)": lambda x: divmod(2, x),
    "int(x, 2)": lambda x: int(x, 2),
    "range(x, 3)": lambda x: range(x, 3),
    "set([x])": lambda x: {x},
    "{x: 0}": lambda x: {x: 0},
    "{}[x]": lambda x: {0: 1, 1: 2}[x],
    "[...][x]": lambda x: [1, 2, 3][x],
    "(...)[x]": lambda x: (1, 2, 3)[x],
    "'...'[x]": lambda x: "abc"[x],
    "range(3)[x]": lambda x: range(3)[x],
    "[...][x:]": lambda x: [1, 2, 3][x:],
    "[...][:x]": lambda x: [1, 2, 3][:x],
    "np[x]": lambda x: np.array([1, 2, 3])[x],
    "np[x:]": lambda x: np.array([1, 2, 3])[x:],
    "[0] * x": lambda x: [0] * x,
    "x * [0]": lambda x: x * [0],
    "(0,) * x": lambda x: (0,) * x,
    "'a' * x": lambda x: "a" * x,
    "x in [y]": lambda x: x in [1.5, 2.5],
    "x in [x]": lambda x: x in [x],
    "x in {}": lambda x: x in {1.5: 0},
    "x in set": lambda x: x in {1.5},
    "x in range": lambda x: x in range(3),
    "0 in x": lambda x: 0 in x,
    "[...].index(x)": lambda x: [1.5, 0.5, 1].index(x),
    "[...].count(x)": lambda x: [1.5, 0.5, 1].count(x),
    "[...].remove(x)": lambda x: [1.5, 0.5, 1].remove(x),
    "[...].insert(x, 0)": lambda x: [1, 2].insert(x, 0),
    "[...].pop(x)": lambda x: [1, 2].pop(x),
    "not x": lambda x: not x,
    "x and y": lambda x: x and 1,
    "x or y": lambda x: x or 1,
    "if x": lambda x: 1 if x else 2,
    "while x": looped,
    "assert x": lambda x: bool(x),
    "0 < x < 1": lambda x: 0 < x < 1,
    "x < 1": lambda x: x < 1,
    "x == y": lambda x: x == 1,
    "x is None": lambda x: x is None,
    "x is y": lambda x: x is x,
    "a, b = x": lambda x: unpacked(*x),
    "[*x]": lambda x: [*x],
    "f(*x)": lambda x: unpacked(*x),
    "[... for a in x]": lambda x: [a for a in x],  # noqa: C416
    "match x": lambda x: matched(x),
    "'%s' % x": lambda x: "%s" % (x,),  # noqa: UP031
    "'%r' % x": lambda x: "%r" % (x,),  # noqa: UP031
    "'%d' % x": lambda x: "%d" % (x,),  # noqa: UP031
    "'%i' % x": lambda x: "%i" % (x,),  # noqa: UP031
    "'%f' % x": lambda x: "%f" % (x,),  # noqa: UP031
    "'%.2f' % x": lambda x: "%.2f" % (x,),  # noqa: UP031
    "'%g' % x": lambda x: "%g" % (x,),  # noqa: UP031
    "'%e' % x": lambda x: "%e" % (x,),  # noqa: UP031
    "'%x' % x": lambda x: "%x" % (x,),  # noqa: UP031
    "'%c' % x": lambda x: "%c" % (x,),  # noqa: UP031
    "'{}'.format(x)": lambda x: "{}".format(x),  # noqa: UP032
    "'{:.2f}'.format(x)": lambda x: "{:.2f}".format(x),  # noqa: UP032
    "'{:d}'.format(x)": lambda x: "{:d}".format(x),  # noqa: UP032
    "'{:>5}'.format(x)": lambda x: "{:>5}".format(x),  # noqa: UP032
    "'{!r}'.format(x)": lambda x: "{!r}".format(x),  # noqa: UP032
    "f'{x}'": lambda x: f"{x}",
    "f'{x!s}'": lambda x: f"{x!s}",
    "f'{x!r}'": lambda x: f"{x!r}",
    "f'{x!s:>5}'": lambda x: f"{x!s:>5}",
    "f'{x=}'": lambda x: f"{x=}",
    "f'{x:.2f}'": lambda x: f"{x:.2f}",
    "f'{x:d}'": lambda x: f"{x:d}",
    "f'{x:>5}'": lambda x: f"{x:>5}",
    "format(x, '.2f')": lambda x: format(x, ".2f"),
    "collections.Counter([x])": lambda x: collections.Counter([x]),
    "x.shape[0]": lambda x: x.shape[0],
}

MATH_SAMPLES: dict[str, tuple[Any, ...]] = {
    "comb": (3,),
    "copysign": (1.0,),
    "dist": (),
    "fmod": (2.0,),
    "gcd": (4,),
    "isclose": (0.5,),
    "lcm": (4,),
    "ldexp": (2,),
    "log": (),
    "nextafter": (1.0,),
    "perm": (2,),
    "pow": (2.0,),
    "remainder": (2.0,),
    "atan2": (1.0,),
    "rect": (1.0,),
    "hypot": (1.0,),
}


def tables() -> tuple[dict[str, Row], dict[str, Row], dict[str, Row]]:
    """Rows of builtins, of forms, and of math and cmath."""
    rows = {name: row(operation) for name, operation in BUILTINS.items()}
    forms = {name: row(operation) for name, operation in FORMS.items()}
    return rows, forms, {name: row(operation) for name, operation in mathematical()}


def mathematical() -> Iterator[tuple[str, Callable[[Any], Any]]]:
    for module in (math, cmath):
        for name in sorted(vars(module)):
            function = getattr(module, name)
            if not name.startswith("_") and builtins.callable(function):
                yield f"{module.__name__}.{name}", applied(function, MATH_SAMPLES.get(name, ()))


def applied(function: Callable[..., Any], rest: tuple[Any, ...]) -> Callable[[Any], Any]:
    def operation(x: Any) -> Any:
        return function(x, *rest)

    return operation


def row(operation: Callable[[Any], Any]) -> Row:
    """Levels that raise for a scalar and for a vector, the classes of error, the result."""
    levels, classes, results = [], [], []
    for values in (SCALARS, VECTORS):
        working = next((value for value in values if concrete(operation, value).error is None), None)
        outcomes = at_levels(operation, values[0] if working is None else working)
        levels.append((IMPOSSIBLE if working is None else "") + raising(outcomes))
        if working is not None or all(IMPOSSIBLE in each for each in levels):
            classes.append(errors(outcomes))
            results += [word(each) for each in outcomes.values() if each.error is None]
    known = sorted({each for each in classes if each})
    found = set(results)
    return levels[0], levels[1], " / ".join(known), found.pop() if len(found) == 1 else "?" if found else ""


def word(outcome: Outcome) -> str:
    result = result_of(outcome.value, {})
    return "tuple:*" if result.startswith("tuple") else result
