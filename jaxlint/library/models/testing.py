"""What pytest and absl hand to tests: marks with lists of arguments, and fixtures.

What a mark or a fixture is, is remembered by the code of the test: see `calling.fixtures`. The function stays
what it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from jaxlint.domain.join import MutableContainer, Tuple, join_all, options_of
from jaxlint.domain.questions import constants
from jaxlint.domain.values import TRUE, UNKNOWN, Const, Product, Unknown, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts

_ABSL = "absl.testing.parameterized."


@model("pytest.fixture", "pytest.yield_fixture", "pytest_asyncio.fixture")
def fixture(call: Call, m: Parts) -> Value:
    name = call.keywords.get("name")
    params = call.keywords.get("params")
    each = None if params is None else join_all(_row(row)[0] for row in _rows(params, call, m))
    own = name.value if isinstance(name, Const) else ""
    maker = Product("fixture-maker", each, own)
    return m.fixtures.make(maker, call.args[0]) if call.args else maker


@model("pytest.param")
def parameter(call: Call, m: Parts) -> Value:
    return Product("parameter", tuple(call.args))


@model("pytest.mark.parametrize")
def parametrize(call: Call, m: Parts) -> Value:
    written, values = call.get(0, "argnames"), call.get(1, "argvalues")
    named = None if written is None else constants(written)
    if named is None or values is None or not all(isinstance(each, str) for each in named):
        return Product("cases", (), (), frozenset())
    is_text = isinstance(written, Const)
    names = [each.strip() for each in named[0].split(",") if each.strip()] if is_text else [*named]
    is_one = is_text and len(names) == 1
    rows = [_row(row) if is_one else _cells(row, len(names)) for row in _rows(values, call, m)]
    columns = _columns(rows, len(names))
    asked = call.get(2, "indirect")
    indirect = names if asked == TRUE else (constants(asked) or ()) if asked is not None else ()
    return Product("cases", tuple(zip(names, columns, strict=True)), (), frozenset(indirect))


@model(
    *(f"{_ABSL}{name}" for name in ("parameters", "named_parameters")),
    "parameterized.parameterized",
    "parameterized.parameterized.expand",
)
def parameters(call: Call, m: Parts) -> Value:
    rows = list(call.args)
    if len(rows) == 1 and not isinstance(rows[0], (Tuple, Product)):
        rows = _rows(rows[0], call, m)
    elif len(rows) == 1 and not call.name.startswith(_ABSL):
        rows = _rows(rows[0], call, m)
    is_named = call.name.endswith("named_parameters")
    positional: list[Sequence[Value]] = []
    by_name: dict[str, list[Value]] = {}
    for row in (option for each in rows for option in options_of(each)):
        if isinstance(row, Product) and row.kind in ("rest", "iterator"):
            row = row.parts[0]
        if isinstance(row, MutableContainer) and row.kind == "dict":
            for name, value in row.entries.items():
                if isinstance(name, str) and not (is_named and name == "testcase_name"):
                    by_name.setdefault(name, []).append(value)
            continue
        cells = (
            _row(row) if not isinstance(row, (Tuple, MutableContainer)) else m.expressions.known_items(row)
        )
        if cells is None:
            return Product("cases", (), (), frozenset())
        positional.append(cells[is_named:])
    names = tuple([(name, join_all(values)) for name, values in by_name.items()])
    return Product("cases", names, _columns(positional, None), frozenset())


@model(f"{_ABSL}product")
def product(call: Call, m: Parts) -> Value:
    found = {name: join_all(_rows(value, call, m)) for name, value in call.keywords.items() if name != "**"}
    for sequence in call.args:
        by_name: dict[str, list[Value]] = {}
        for row in _rows(sequence, call, m):
            if isinstance(row, MutableContainer):
                for name, value in row.entries.items():
                    by_name.setdefault(name, []).append(value)
        found.update({name: join_all(values) for name, values in by_name.items()})
    return Product("cases", tuple(found.items()), (), frozenset())


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
        cells = row.items if row.items is not None else (row.elem,) * count
    elif isinstance(row, MutableContainer) and row.kind == "list":
        cells = row.items if row.items is not None else (row.each(),) * count
    return cells if cells is not None and len(cells) == count else (UNKNOWN,) * count


def _columns(rows: Iterable[Sequence[Value]], count: int | None) -> tuple[Value, ...]:
    """What each argument is over all cases."""
    columns = [*zip_longest(*rows)]
    found = [join_all(cell for cell in column if cell is not None) for column in columns]
    return tuple(found) if count is None or len(found) == count else (Unknown(),) * count
