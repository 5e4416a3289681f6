"""The recorder as a plugin of pytest: tests that compile too often fail, and say why."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from test_observe import PLATFORMS

from jaxlint.observe.facts import read_facts

TESTS = """
    import jax, jax.numpy as jnp, pytest
    from functools import partial

    @partial(jax.jit, static_argnames="lr")
    def step(x, lr):
        return x * lr

    def test_many():
        for lr in (0.5, 1.5, 2.5):
            step(jnp.ones(2), lr=lr)

    @pytest.mark.jaxlint_max_compiles(2)
    def test_allowed():
        for lr in (0.5, 1.5):
            step(jnp.ones(3), lr=lr)

    @pytest.mark.jaxlint_max_compiles(n=0)
    def test_none():
        step(jnp.ones(3), lr=0.5)
        step(jnp.ones(3), lr=0.5)

    def test_one():
        step(jnp.ones(4), lr=0.5)
        step(jnp.ones(4), lr=0.5)
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_it.py").write_text(textwrap.dedent(TESTS), encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n")
    root = str(Path(__file__).resolve().parent.parent)
    environment = {**os.environ, "PYTHONPATH": root, "JAX_PLATFORMS": PLATFORMS}
    for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_CURRENT_TEST"):
        environment.pop(name, None)
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:benchmark",
            "-p",
            "jaxlint.observe",
            *words,
        ],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "workers"])
def test_a_test_that_compiles_too_often_fails(tmp_path: Path, workers: tuple[str, ...]) -> None:
    done = run(
        tmp_path, "--jaxlint-max-compiles", "1", "--jaxlint-facts", "facts.json", "-k", "not none", *workers
    )
    assert done.returncode == 1
    said = (
        "test_it.py:5: `step` compiled 3 times in this test, at most 1 allowed: `lr` is static and changed "
    )
    assert said in done.stdout
    assert "FAILED test_it.py::test_many" in done.stdout and "1 failed, 2 passed" in done.stdout
    step = read_facts(str(tmp_path / "facts.json")).functions["test_it.py::step"]
    assert step.compiled == 6
    assert {each.caller for each in step.compilations} >= {"test_it.py::test_many", "test_it.py::test_one"}
    assert {path.name for path in tmp_path.iterdir()} - {"__pycache__"} == {
        "test_it.py",
        "pytest.ini",
        "facts.json",
    }


def test_a_marker_that_says_nothing(tmp_path: Path) -> None:
    done = run(tmp_path, "-k", "none or one")
    assert "`step` compiled once in this test, at most 0 allowed" in done.stdout
    assert "1 failed, 1 passed" in done.stdout
    assert not (tmp_path / "facts.json").exists()
