"""Programs of which the recorder sees a part only: workers that are killed, tools that take its place, no
function of the project's after JAX is there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from test_observe import JAX, OBSERVED, observe, write

from jaxlint.observe.facts import read_facts


def test_what_a_worker_compiled_before_it_was_killed(tmp_path: Path) -> None:
    program = """
        import os, signal
        import jax, jax.numpy as jnp

        @jax.jit
        def step(x):
            return x + 1

        step(jnp.ones(2))
        os.kill(os.getpid(), signal.SIGKILL)
    """
    write(tmp_path, {"main.py": program})
    observe(tmp_path, "-q", "--facts", "facts.json", "--", OBSERVED, "main.py")
    step = read_facts(str(tmp_path / "facts.json")).functions["main.py::step"]
    assert (step.traced, step.compiled) == (1, 1)
    assert step.compilations[0].compile > 0


def test_jax_after_which_no_function_runs(tmp_path: Path) -> None:
    write(tmp_path, {**JAX, "main/top.py": "import jax\nprint(1)"})
    done = observe(tmp_path, "--no-check", "--root", "main", "--", sys.executable, "main/top.py")
    assert done.stderr.startswith("jaxlint: 1 run with jax 0.10.0, ")
    assert ": 1 function ran, 0 of them traced by jit; 0 compilations, " in done.stderr


def test_jax_that_only_others_import(tmp_path: Path) -> None:
    write(tmp_path, {**JAX, "elsewhere/other.py": "import jax", "main/pyproject.toml": ""})
    done = observe(tmp_path, "--root", "main", "--", sys.executable, "elsewhere/other.py")
    assert done.stderr == "jaxlint: nothing was recorded: no function below main ran\n"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="sys.monitoring has a place for each tool")
@pytest.mark.parametrize(
    "after, said",
    [
        ("sys.settrace(None)", ["f"]),
        ("sys.settrace(lambda *_: None)", ["f"]),
        ("sys.settrace(sys.gettrace())", ["f", "g"]),
    ],
)
def test_a_tool_that_takes_the_place_of_the_recorder(tmp_path: Path, after: str, said: list[str]) -> None:
    program = f"import jax, sys\ndef f(): pass\ndef g(): pass\nf()\n{after}\ng()"
    write(tmp_path, {**JAX, "main.py": program})
    done = observe(tmp_path, "--no-check", "--facts", "facts.json", "--", sys.executable, "main.py")
    keys = {key for key in read_facts(str(tmp_path / "facts.json")).functions if key.startswith("main.py")}
    assert keys == {f"main.py::{name}" for name in ("<module>", *said)}
    line = "jaxlint: another tool took the place of the trace function: what followed was not seen\n"
    assert done.stderr.count(line) == ("g" not in said)
