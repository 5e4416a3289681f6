"""`jaxlint.diagnostic`: the JSON form and the order."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from jaxlint.diagnostic import Diagnostic, Edit, Fix, Note, Severity, Span

spans = st.builds(
    lambda row, column, rows, columns: Span(row, column, row + rows, column + columns),
    *(st.integers(1, 50), st.integers(1, 50), st.integers(0, 3), st.integers(0, 9)),
)
fixes = st.builds(
    Fix,
    st.sampled_from(("safe", "unsafe", "displayonly")),
    st.text(),
    st.lists(st.builds(Edit, spans, st.text())).map(tuple),
)
diagnostics = st.builds(
    Diagnostic,
    filename=st.sampled_from(("/a.py", "/b.py")),
    span=spans,
    code=st.sampled_from(("JAX101", "JAX301")),
    name=st.just("key-reuse"),
    severity=st.sampled_from(Severity),
    message=st.text(),
    help=st.none() | st.text(),
    fix=st.none() | fixes,
    related=st.lists(st.builds(Note, st.just("/c.py"), spans, st.text())).map(tuple),
    cell=st.none() | st.integers(1, 9),
    noqa_row=st.integers(1, 9),
    url=st.none() | st.text(),
)


@given(diagnostics)
def test_json_round_trip(diagnostic: Diagnostic) -> None:
    data = diagnostic.to_json()
    back = Diagnostic.from_json(json.loads(json.dumps(data)))
    assert back.to_json() == data
    assert (back.fix, back.span, back.severity) == (diagnostic.fix, diagnostic.span, diagnostic.severity)


@given(st.lists(diagnostics), st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_the_order_found(found: list[Diagnostic], random: object) -> None:
    keys = [diagnostic.sort_key() for diagnostic in sorted(found, key=Diagnostic.sort_key)]
    assert keys == sorted(diagnostic.sort_key() for diagnostic in reversed(found))


def test_json_keys_are_those_that_consumers_of_ruff_read() -> None:
    diagnostic = Diagnostic(
        filename="/p/a.py",
        span=Span(4, 8, 4, 13),
        code="JAX101",
        name="branch-on-traced",
        severity=Severity.ERROR,
        message="`if` on `loss` runs while tracing",
        fix=Fix("safe", "use where", (Edit(Span(4, 8, 4, 13), "x"),)),
        related=(Note("/p/b.py", Span(2, 1, 2, 5), "`step` is passed to jax.jit here"),),
    )
    assert diagnostic.to_json() == {
        "code": "JAX101",
        "name": "branch-on-traced",
        "severity": "error",
        "message": "`if` on `loss` runs while tracing",
        "help": None,
        "filename": "/p/a.py",
        "cell": None,
        "location": {"row": 4, "column": 8},
        "end_location": {"row": 4, "column": 13},
        "fix": {
            "applicability": "safe",
            "message": "use where",
            "edits": [
                {
                    "content": "x",
                    "location": {"row": 4, "column": 8},
                    "end_location": {"row": 4, "column": 13},
                }
            ],
        },
        "related": [
            {
                "filename": "/p/b.py",
                "location": {"row": 2, "column": 1},
                "message": "`step` is passed to jax.jit here",
            }
        ],
        "noqa_row": 4,
        "url": None,
    }


def test_severities_are_ordered() -> None:
    assert Severity.ERROR.at_least(Severity.WARNING)
    assert not Severity.INFO.at_least(Severity.WARNING)
    assert f"{Severity.INFO}" == "info"


def test_the_module_imports_nothing_of_jaxlint() -> None:
    text = Path(__file__).parents[1].joinpath("jaxlint", "diagnostic.py").read_text("utf-8")
    assert "import jaxlint" not in text and "from jaxlint" not in text
