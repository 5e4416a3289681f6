"""Models of library functions: each is for functions that there are, and a plugin can have its own."""

from __future__ import annotations

import sys
from collections import Counter
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType

import pytest
from conftest import Run, Tree
from test_transform_table import DEPRECATIONS, is_there

import jaxlint.library.models as folder
from jaxlint.library.modelled import models_in
from jaxlint.library.models import models

MODULES = [import_module(each.name) for each in walk_packages(folder.__path__, f"{folder.__name__}.")]
# Of these nothing is installed with the tests.
NOT_HERE = (
    "diffrax.",
    "optimistix.",
    "lineax.",
    "jaxopt.",
    "pytest_asyncio.",
    "parameterized.",
    "blackjax.",
    "attr.",
    "attrs.",
    "autoray.",
    "haiku.$",
    "jax_dataclasses.",
    "packaging.",
    "pkg_resources.",
    "distutils.",
)

OWN = """
from __future__ import annotations

from jaxlint.library import Call, Parts, model
from jaxlint.rule import UNKNOWN, Value


@model("solver.solve")
def solve(call: Call, m: Parts) -> Value:
    \"\"\"`solve(function, x)` compiles the function and calls it.\"\"\"
    function, x = call.get(0, "function"), call.get(1, "x")
    if function is None or x is None:
        return UNKNOWN
    return m.calls.call(m.transforms.wrap("jax.jit", [function], {}, call.nid, True), [x], {}, call.nid)
"""
PROGRAM = """
import jax.numpy as jnp
import solver


def step(x):
    return x if x > 0 else -x


def other(x):
    return x if x > 0 else -x


solver.solve(step, jnp.ones(()))
"""


def test_a_function_has_one_model() -> None:
    counted = Counter(name for module in MODULES for name in models_in([module]))
    assert not [name for name, count in counted.items() if count > 1]
    assert set(counted) == set(models())


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_models_are_of_functions_that_there_are(module: ModuleType) -> None:
    """Or that an older JAX has: those are among the deprecations."""
    names = [name for name in models_in([module]) if "$" not in name and not name.startswith(NOT_HERE)]
    # What other versions of Python have.
    names = [name for name in names if name.partition(".")[0] not in sys.stdlib_module_names]
    gone = [name for name in names if not is_there(name)]
    assert not [name for name in gone if f"\n{name}," not in DEPRECATIONS]


def test_a_plugin_has_models_of_its_own(tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree({"jaxlint.toml": "", "a.py": PROGRAM, "own/solver_models.py": OWN})
    monkeypatch.syspath_prepend(str(root / "own"))
    assert "JAX101" not in run("--no-cache", "a.py").out
    tree({"jaxlint.toml": 'plugins = ["solver_models"]\nexclude = ["own"]\n'})
    out = run("--no-cache", "--output-format", "concise", "a.py").out
    assert [row.split(" ")[0] for row in out.splitlines() if "JAX101" in row] == ["a.py:7:17:"]
