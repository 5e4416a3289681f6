"""What pytest and absl hand to tests: marks with lists of arguments, and fixtures.

A mark is its rows: each has what one run of the test gets, by the names of parameters or by their places.
What a mark or a fixture is, is remembered by the code of the test: see `calling.fixtures`. The function stays
what it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from jaxlint.calling.cases import Row, carries, rows_of_all
from jaxlint.domain.join import MutableContainer, Tuple, join_all, options_of
from jaxlint.domain.objects import Class, Function
from jaxlint.domain.questions import constants
from jaxlint.domain.values import TRUE, UNKNOWN, Const, Product, Value
from jaxlint.evaluation.definitions import FAILING, FAILS
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts

_ABSL = "absl.testing.parameterized."


def _cases(rows: Iterable[Row], indirect: Iterable[str] = ()) -> Product:
    return Product("cases", tuple(rows), frozenset(indirect))


@model("pytest.fixture", "pytest.yield_fixture", "pytest_asyncio.fixture")
def fixture(call: Call, m: Parts) -> Value:
    name = call.keywords.get("name")
    params = call.keywords.get("params")
    own = name.value if isinstance(name, Const) else ""
    maker = Product("fixture-maker", None if params is None else _any_of(_rows(params, call, m)), own)
    return m.fixtures.make(maker, call.args[0]) if call.args else maker


def _any_of(rows: Sequence[Value]) -> Value:
    """What `request.param` is: not known where its parts go together."""
    each = [cell for row in rows for cell in _row(row)]
    is_apart = any(isinstance(cell, (Tuple, MutableContainer)) and carries(cell) for cell in each)
    return UNKNOWN if is_apart and len(each) > 1 else join_all(each)


@model(*FAILS)
def failing(call: Call, m: Parts) -> Value:
    """Of a test, or of what says why. A mark with a condition says nothing of where that does not hold."""
    first = call.args[0] if call.args else call.keywords.get("condition", TRUE)
    if isinstance(first, (Class, Function)):
        return first
    holds = isinstance(first, Const) and bool(first.value)
    return FAILING if holds or call.name != "pytest.mark.xfail" else UNKNOWN


@model("pytest.param")
def parameter(call: Call, m: Parts) -> Value:
    return Product("parameter", tuple(call.args))


@model("pytest.mark.parametrize")
def parametrize(call: Call, m: Parts) -> Value:
    written, values = call.get(0, "argnames"), call.get(1, "argvalues")
    named = None if written is None else constants(written)
    if named is None or values is None or not all(isinstance(each, str) for each in named):
        return _cases(())
    is_text = isinstance(written, Const)
    names = [each.strip() for each in named[0].split(",") if each.strip()] if is_text else [*named]
    is_one = is_text and len(names) == 1
    rows = [_row(row) if is_one else _cells(row, len(names)) for row in _rows(values, call, m)]
    asked = call.get(2, "indirect")
    indirect = names if asked == TRUE else (constants(asked) or ()) if asked is not None else ()
    return _cases([tuple(zip(names, row, strict=True)) for row in rows], indirect)


@model(
    *(f"{_ABSL}{name}" for name in ("parameters", "named_parameters")),
    "parameterized.parameterized",
    "parameterized.parameterized.expand",
)
def parameters(call: Call, m: Parts) -> Value:
    rows = list(call.args)
    is_absl = call.name.startswith(_ABSL)
    if len(rows) == 1 and not (is_absl and isinstance(rows[0], (Tuple, Product))):
        rows = _rows(rows[0], call, m)
    is_named = call.name.endswith("named_parameters")
    found: list[Row] = []
    for row in (option for each in rows for option in options_of(each)):
        if isinstance(row, Product) and row.kind in ("rest", "iterator"):
            row = row.parts[0]
        if isinstance(row, MutableContainer) and row.kind == "dict":
            by_name = {name: value for name, value in row.entries.items() if isinstance(name, str)}
            if is_named:
                by_name.pop("testcase_name", None)
            found.append(tuple(by_name.items()))
            continue
        is_row = isinstance(row, (Tuple, MutableContainer))
        cells = m.expressions.known_items(row) if is_row else _row(row)
        if cells is None:
            return _cases(())
        found.append(tuple(enumerate(cells[is_named:])))
    return _cases(found)


@model(f"{_ABSL}product")
def product(call: Call, m: Parts) -> Value:
    factors: list[Sequence[Row]] = [
        [((name, cell),) for cell in _rows(value, call, m)]
        for name, value in call.keywords.items()
        if name != "**"
    ]
    for sequence in call.args:
        rows = [row for row in _rows(sequence, call, m) if isinstance(row, MutableContainer)]
        factors.append(
            [
                tuple([(name, cell) for name, cell in row.entries.items() if isinstance(name, str)])
                for row in rows
            ]
        )
    return _cases(rows_of_all(factors))


def _rows(values: Value, call: Call, m: Parts) -> list[Value]:
    """The members of a list of cases, or where their number is not known what each of them is."""
    items = m.containers.exact_items(values)
    rows = items if items is not None else (m.containers.iterate(values, call.nid),)
    return [option for row in rows for option in options_of(row)]


def _row(row: Value) -> Sequence[Value]:
    if isinstance(row, Product) and row.kind == "parameter":
        return row.parts[0][:1] or (UNKNOWN,)
    return (row,)


def _cells(row: Value, count: int) -> Sequence[Value]:
    """The arguments in one member of a list."""
    cells: Sequence[Value] | None = None
    if isinstance(row, Product) and row.kind == "parameter":
        cells = row.parts[0]
    elif isinstance(row, Tuple):
        cells = row.items
    elif isinstance(row, MutableContainer) and row.kind == "list":
        cells = row.items
    return cells if cells is not None and len(cells) == count else (UNKNOWN,) * count
