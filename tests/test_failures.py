"""Each stage is broken on purpose: what failed is reported where it failed, and everything else is reported too."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

import pytest
from conftest import Run, Tree
from test_robust import MARKED

from jaxlint.calling.calls import Calls
from jaxlint.calling.contexts import Contexts
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.operators import Operators
from jaxlint.fixes import apply
from jaxlint.ir import lowering, parsing
from jaxlint.ir.locations import Located
from jaxlint.ir.positions import Positions
from jaxlint.report import render, suppression
from jaxlint.rule.registry import registry
from jaxlint.session import pipeline, store
from jaxlint.session.driver import Driver
from jaxlint.session.store import Store
from jaxlint.source.lossless import Lossless, Unparsed

A = """\
import jax
import jax.numpy as jnp


@jax.jit
def first(x):
    if x > 0:
        return x
    print(x)
    x.at[0].set(1)
    return -x


@jax.jit
def second(x):
    y = x + 1
    while y > 0:
        y = y - 1
    return y
"""
TREE = {**MARKED, "a.py": A, "b.py": "import a\n" + A, "c.py": A, "other/jaxlint.toml": "", "other/d.py": A}
ROWS = [(7, "JAX101"), (9, "JAX202"), (10, "JAX502"), (17, "JAX102")]
EVERYTHING = [
    (name, row + (name == "b.py"), code) for name in ("a.py", "b.py", "c.py", "d.py") for row, code in ROWS
]
SELECT = ("--select", "JAX101,JAX202,JAX502,JAX102")

Found = list[tuple[str, int, str]]


def broken(*_: object, **__: object) -> Any:
    raise ZeroDivisionError("broken on purpose")


def found_by(run: Run, *flags: str) -> tuple[Found, list[dict[str, Any]], int, str]:
    """What is found, the internal errors, the status, and what goes to standard error."""
    ran = run(*SELECT, "--output-format", "json", *flags, ".")
    rows = json.loads(ran.out)
    found = [(os.path.basename(each["filename"]), each["location"]["row"], each["code"]) for each in rows]
    errors = [each for each in rows if each["code"] == "JAX003"]
    assert ("Traceback" in ran.err) == ("-v" in flags and bool(errors)), ran.err
    return [each for each in found if each[2] != "JAX003"], errors, ran.status, ran.err


@pytest.fixture(autouse=True)
def files(tree: Tree) -> None:
    tree(TREE)


def test_what_is_not_broken(run: Run) -> None:
    found, errors, status, _ = found_by(run, "-n")
    assert (found, errors, status) == (EVERYTHING, [], 1)


def only(name: str, real: Callable[..., Any], at: int = 0) -> Callable[..., Any]:
    """The real thing, but for a file of that name among its arguments."""

    def work(*args: Any, **kwargs: Any) -> Any:
        if name in str(args[at]):
            broken()
        return real(*args, **kwargs)

    return work


def without(*names: str) -> Found:
    return [each for each in EVERYTHING if each[0] not in names]


@pytest.mark.parametrize("cache", [(), ("-n",)], ids=["cached", "cold"])
@pytest.mark.parametrize("stage", ["read", "decode", "parse", "lower"])
def test_a_file_that_cannot_be_taken_in(
    run: Run, monkeypatch: pytest.MonkeyPatch, stage: str, cache: tuple[str, ...]
) -> None:
    with open("c.py", "a") as file:
        file.write("mark = 'BREAKS'\n")
    real: Any
    if stage == "read":
        real, at = parsing.read_bytes, "read_bytes"
        monkeypatch.setattr(parsing, at, only("c.py", real))
        monkeypatch.setattr(pipeline, at, only("c.py", real))
    elif stage == "decode":
        real = parsing.read_source
        monkeypatch.setattr(parsing, "read_source", only("BREAKS", real))
    elif stage == "parse":
        real = parsing._python_tree
        monkeypatch.setattr(parsing, "_python_tree", only("BREAKS", real))
    else:
        constant = lowering.Lowering.e_constant

        def e_constant(self: Any, node: Any) -> Any:
            return broken() if node.value == "BREAKS" else constant(self, node)

        monkeypatch.setitem(lowering.EXPRESSIONS, lowering.ast.Constant, e_constant)
    for flags in ((), ("-v",)):
        found, errors, status, _ = found_by(run, *cache, *flags)
        assert found == without("c.py") and status == 2
        (error,) = errors
        assert error["filename"].endswith("c.py") and "ZeroDivisionError" in error["message"]


def test_a_statement_that_cannot_be_followed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Attributes.attribute

    def attribute(self: Any, owner: Any, name: str, nid: int) -> Any:
        return (
            broken()
            if name == "at" and self.flow.module.path.endswith("c.py")
            else real(self, owner, name, nid)
        )

    monkeypatch.setattr(Attributes, "attribute", attribute)
    found, errors, status, _ = found_by(run, "-v")
    assert found == [each for each in EVERYTHING if each != ("c.py", 10, "JAX502")] and status == 2
    assert [(os.path.basename(each["filename"]), each["location"]["row"]) for each in errors] == [
        ("c.py", 10)
    ]


@pytest.mark.parametrize(
    ("part", "name"),
    [
        (Calls, "call"),
        (Expressions, "eval"),
        (Calls, "truth"),
        (Operators, "binary"),
        (Contexts, "analyze"),
        (Driver, "_load"),
        (Driver, "_stale"),
        (Driver, "_found"),
    ],
)
def test_an_analysis_that_fails_everywhere(
    run: Run, monkeypatch: pytest.MonkeyPatch, part: type, name: str
) -> None:
    monkeypatch.setattr(part, name, broken)
    _, errors, status, err = found_by(run, "-v")
    assert status == 2 and errors
    assert all("ZeroDivisionError: broken on purpose" in each["message"] for each in errors)
    assert 'in broken\n    raise ZeroDivisionError("broken on purpose")' in err


@pytest.mark.parametrize("code", ["JAX101", "JAX202", "JAX502", "JAX102"])
@pytest.mark.parametrize("where", ["visit", "render", "repair"])
@pytest.mark.parametrize("cache", [(), ("-n",)], ids=["cached", "cold"])
def test_a_rule_that_fails(
    run: Run, monkeypatch: pytest.MonkeyPatch, code: str, where: str, cache: tuple[str, ...]
) -> None:
    rule = registry().entry(code).rule
    assert rule is not None
    rest = [each for each in EVERYTHING if each[2] != code]
    if where == "visit":
        for name in [each for each in dir(rule) if each.startswith("visit_")]:
            real = getattr(rule, name)

            def visit(self: Any, event: Any, m: Any, real: Any = real) -> Any:
                found = real(self, event, m)
                return broken() if found is not None and [*found] else None

            monkeypatch.setattr(rule, name, visit)
        pipeline._instances.cache_clear()
    elif where == "repair":
        monkeypatch.setattr(rule, "repair", broken)
        rest = EVERYTHING
    else:
        real_made = render.Rendering._diagnostic

        def made(self: Any, path: str, finding: Any, *more: Any) -> Any:
            return broken() if finding.rule.code == code else real_made(self, path, finding, *more)

        monkeypatch.setattr(render.Rendering, "_diagnostic", made)
    found, errors, status, _ = found_by(run, *cache, "-v")
    pipeline._instances.cache_clear()
    assert found == rest and status == 2
    told = [(os.path.basename(each["filename"]), each["location"]["row"]) for each in errors]
    assert told == [(name, row) for name, row, each in EVERYTHING if each == code]
    assert {each["message"] for each in errors} == {
        f"rule {code} failed here: ZeroDivisionError: broken on purpose"
    }


@pytest.mark.parametrize("name", ["unknown", "header", "ignore_row"])
def test_places_that_cannot_be_found(run: Run, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    real = getattr(Located, name)

    def work(self: Any, *args: Any) -> Any:
        return broken() if "import a\n" in self.source.text else real(self, *args)

    monkeypatch.setattr(Located, name, work)
    found, errors, status, _ = found_by(run, "-v")
    assert found == without("b.py") and status == 2
    assert {os.path.basename(each["filename"]) for each in errors} == {"b.py"}


def unplaced(*_: object) -> None:
    raise SyntaxError


def unparsed(*_: object) -> None:
    raise Unparsed


def test_places_that_python_does_not_give_are_those_of_libcst(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = (*SELECT, "--output-format", "json", "-n", ".")
    told = run(*shown).out
    monkeypatch.setattr(Positions, "__init__", unplaced)
    assert run(*shown).out == told and "JAX101" in told


def test_findings_are_told_where_libcst_does_not_parse(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lossless, "module", unparsed)
    found, errors, status, _ = found_by(run, "-n")
    assert found == EVERYTHING and not errors and status == 1
    monkeypatch.setattr(Positions, "__init__", unplaced)
    found, errors, status, _ = found_by(run, "-n")
    assert not found and status == 2
    assert {each["message"] for each in errors} == {
        "jaxlint failed on a part of this file: LibCST does not parse it"
    }


def test_comments_that_cannot_be_read(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with open("c.py", "a") as file:
        file.write("# jaxlint: ignore-file[JAX101]\n")
    monkeypatch.setattr(suppression, "apply", broken)
    found, errors, status, _ = found_by(run, "-v")
    assert found == EVERYTHING and status == 2
    assert [os.path.basename(each["filename"]) for each in errors] == ["c.py"]


@pytest.mark.parametrize("name", ["_one_round", "still_parses"])
def test_fixes_of_a_file_that_fail(run: Run, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(apply, name, only("import a", getattr(apply, name)))
    found, errors, status, _ = found_by(run, "--fix", "--unsafe-fixes", "-v")
    assert [each for each in found if each[2] != "JAX202"] == [
        each for each in EVERYTHING if each[2] in ("JAX101", "JAX102") or each == ("b.py", 11, "JAX502")
    ]
    assert [os.path.basename(each["filename"]) for each in errors] == ["b.py"] and status == 2
    assert "x = x.at[0].set(1)" in open("a.py").read() and open("b.py").read() == TREE["b.py"]


def test_fixing_that_fails(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apply, "fix_project", broken)
    found, errors, status, _ = found_by(run, "--fix", "-v")
    assert found == EVERYTHING and len(errors) == 2 and status == 2


def test_writing_that_fails(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apply, "write_fixed", only("c.py", apply.write_fixed))
    found, _, status, err = found_by(run, "--fix", "--unsafe-fixes")
    assert ("c.py", 10, "JAX502") in found and ("a.py", 10, "JAX502") not in found
    assert status == 2 and "c.py: not fixed: internal error: ZeroDivisionError: broken on purpose" in err


@pytest.mark.parametrize("format", ["full", "concise", "github", "sarif", "junit", "html"])
def test_a_diagnostic_that_cannot_be_shown(run: Run, monkeypatch: pytest.MonkeyPatch, format: str) -> None:
    from jaxlint.cli import formats

    real = formats.format_named

    def format_named(name: str) -> Any:
        def render(found: Any, context: Any) -> str:
            return broken() if any(each.code == "JAX202" for each in found) else real(name)(found, context)

        return render

    monkeypatch.setattr(formats, "format_named", format_named)
    ran = run(*SELECT, "--output-format", format, "-v", ".")
    assert ran.status == 2 and "Traceback" in ran.err
    assert ran.out.count("jaxlint failed to show JAX202") >= 4 and "JAX102" in ran.out


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (Store, "bytes_of"),
        (Store, "value_of"),
        (Store, "keep_bytes"),
        (Store, "keep"),
        (Store, "trim"),
        (Store, "_path"),
        (Store, "_make_ready"),
        (store, "read_regular"),
        (store.json, "loads"),
        (parsing, "record_of"),
        (parsing, "lead_of"),
        (parsing, "outcome_of"),
    ],
    ids=lambda each: getattr(each, "__name__", each),
)
def test_a_cache_that_fails_costs_time_only(
    run: Run, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str
) -> None:
    for warm in (False, True):
        if warm:
            assert found_by(run)[0] == EVERYTHING
            with open("c.py", "a") as file:
                file.write("\n")  # what is kept of the other files serves again
        with monkeypatch.context() as patch:
            if owner is store.json:
                patch.setattr(store, "json", type("json", (), {"loads": broken, "dumps": json.dumps}))
            else:
                patch.setattr(owner, name, broken)
            ran = run(*SELECT, "--output-format", "json", ".")
        rows = [(os.path.basename(each["filename"]), each["location"]["row"]) for each in json.loads(ran.out)]
        assert rows == [(file, row) for file, row, _ in EVERYTHING] and ran.status == 1
        assert ran.err == ""


def test_an_error_of_a_cached_run_is_answered_by_a_cold_one(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from jaxlint.session import state

    assert found_by(run)[0] == EVERYTHING
    with open("c.py", "a") as file:
        file.write("\n")
    real = state.State.found

    def found(self: Any, *args: Any) -> Any:
        return broken() if self._store is not None else real(self, *args)

    monkeypatch.setattr(state.State, "found", found)
    again, errors, status, _ = found_by(run)
    assert (again, errors, status) == (EVERYTHING, [], 1)
    assert "the cache is not used: ZeroDivisionError: broken on purpose" in found_by(run, "-v")[3]


def test_a_worker_that_dies(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from jaxlint.session import stage

    real = stage._apart

    monkeypatch.setattr(stage, "_apart", _dying)
    found, errors, status, _ = found_by(run, "-n", "-j", "2")
    monkeypatch.setattr(stage, "_apart", real)
    assert found == without("d.py") and status == 2
    (error,) = errors
    assert (
        error["filename"].endswith("d.py") and "RuntimeError: the process that analysed" in error["message"]
    )


def _dying(item: Any) -> Any:
    from jaxlint.session.stage import Stage

    if item.shard.project.root.endswith("other"):
        os._exit(3)
    return Stage(1, None, True, False).made(item.shard, None, None, False)
