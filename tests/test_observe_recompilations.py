"""Recompilations that were found in real programs (docs/observe.md), each by the smallest program that has it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_observe import OBSERVED, observe, write

from jaxlint.observe.facts import Facts, read_facts

PROGRAM = """
    import sys

    import jax
    import jax.numpy as jnp

    sys.path.insert(0, "site-packages")
    from solvers import Solver

    # A hyperparameter that begins as a Python number and goes on as what the last step gave back.

    @jax.jit
    def step(theta, data):
        return theta - 0.1 * jnp.mean(jnp.exp(theta) * data)

    def tune(data):
        theta = 1.0
        for _ in range(4):
            theta = step(theta, data)
        return theta

    def tune_once(data):
        theta = jnp.float32(1.0)
        for _ in range(4):
            theta = settled(theta, data)
        return theta

    @jax.jit
    def settled(theta, data):
        return theta - 0.1 * jnp.mean(jnp.exp(theta) * data)

    # Solvers of a library, each of which jits its own step, around one function.

    def descend(x, rate):
        return x - rate * x

    def compare(x):
        return [Solver(descend).update(x, 0.1) for _ in range(3)]

    # Problems of another size in every evaluation.

    @jax.jit
    def accuracy(nodes):
        return jnp.mean(nodes > 0)

    def evaluate(sizes):
        return [accuracy(jnp.ones((size, 3))) for size in sizes]

    tune(jnp.ones(3))
    tune_once(jnp.ones(3))
    compare(jnp.ones(3))
    evaluate((4, 5, 6, 4))
"""

SOLVERS = """
    import jax

    class Solver:
        def __init__(self, fun):
            self.update = jax.jit(lambda *args: fun(*args))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recompilations")
    write(folder, {"main.py": PROGRAM, "site-packages/solvers.py": SOLVERS})
    words = ("--facts", "facts.json", "--page", "page.html", "--no-check", "--", OBSERVED, "main.py")
    done = observe(folder, *words)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def facts(folder: Path) -> Facts:
    return read_facts(str(folder / "facts.json"))


@pytest.fixture(scope="module")
def page(folder: Path) -> str:
    return re.sub(r"</?code>", "`", (folder / "page.html").read_text(encoding="utf-8"))


class TestFoundInRealPrograms:
    def test_a_python_number_that_becomes_an_array(self, facts: Facts, page: str) -> None:
        step = facts.functions["main.py::step"]
        assert (step.calls, step.compiled) == (2, 2)
        assert step.reasons == [("", "first", 1), ("theta", "weak type", 1)]
        assert "`theta` was weakly typed or not, which changed once" in page
        assert facts.functions["main.py::settled"].compiled == 1

    def test_one_function_jitted_by_each_solver(self, facts: Facts, page: str) -> None:
        descend = facts.functions["main.py::descend"]
        assert descend.reasons == [("", "new function object", 2), ("", "first", 1)]
        assert "a new function object was jitted twice" in page

    def test_a_shape_for_each_problem(self, facts: Facts, page: str) -> None:
        assert facts.functions["main.py::accuracy"].reasons == [("nodes", "shape", 2), ("", "first", 1)]
        assert "`nodes` came in another shape twice" in page
