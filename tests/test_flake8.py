"""The plugin, in the real flake8, and ignores beside the real Ruff."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Run, Tree

FILES = {
    "pyproject.toml": "",
    "train.py": "import jax\nfrom solver import clip\n\nstep = jax.jit(clip)\n",
    "solver.py": "def clip(x):\n    if x > 0:\n        return x\n    return -x\n",
    "old.py": "import jax\n\n\ndef f(x):\n    return jax.tree_map(abs, x)  # noqa: JAX901\n",
}


def flake8(*args: str, stdin: str = "") -> tuple[int, list[str], str]:
    done = subprocess.run(
        [sys.executable, "-m", "flake8", *args], input=stdin, capture_output=True, text=True, timeout=120
    )
    return done.returncode, done.stdout.splitlines(), done.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_findings_of_the_project_under_flake8s_selection(tree: Tree, jobs: str) -> None:
    tree(FILES)
    status, rows, errors = flake8("--select", "JAX", "-j", jobs, ".")
    assert (status, errors) == (1, "")
    assert [row.split(" ")[0:2] for row in rows] == [["./solver.py:2:8:", "JAX101"]]
    assert flake8("--select", "JAX", "-j", jobs, "--ignore", "JAX1", ".")[:2] == (0, [])
    assert flake8("--select", "JAX", "-j", jobs, "--per-file-ignores", "solver.py:JAX101", "solver.py")[0] == 0
    status, rows, _ = flake8("--select", "JAX", "--disable-noqa", "-j", jobs, "old.py")
    assert [row.split(" ")[:2] for row in rows] == [["old.py:5:12:", "JAX901"]]


def test_standard_input_is_a_file_of_the_project(tree: Tree) -> None:
    tree(FILES)
    text = "# not saved\n" + FILES["solver.py"]
    status, rows, _ = flake8("--select", "JAX", "--stdin-display-name", "solver.py", "-", stdin=text)
    assert status == 1 and [row.split(" ")[0] for row in rows] == ["solver.py:3:8:"]


def test_comments(tree: Tree) -> None:
    """An unused `noqa` is flake8's matter; jaxlint's own comments are honored and judged."""
    tree(
        {
            "jaxlint.toml": "",
            "a.py": "import jax\n\nx = 1  # noqa: JAX101\ny = 2  # jaxlint: ignore[JAX101]\n"
            "z = jax.tree_map(abs, 1)  # jaxlint: ignore[JAX901]\n",
        }
    )
    assert [row.split(" ")[:2] for row in flake8("--select", "JAX", "a.py")[1]] == [["a.py:4:8:", "JAX011"]]


def test_what_cannot_be_read_is_reported_once(tree: Tree) -> None:
    tree({**FILES, "bad.py": "import jax\nx = (\n"})
    status, rows, _ = flake8("bad.py", "none.py")
    assert status == 1 and sorted(row.split(" ")[1] for row in rows) == ["E902", "E999"]


def test_a_wrong_configuration_is_one_line(tree: Tree) -> None:
    tree({**FILES, "jaxlint.toml": 'selct = ["ALL"]\n'})
    status, rows, errors = flake8("--select", "JAX", ".")
    assert status == 1 and "selct" in "".join(rows) + errors and "Traceback" not in errors
    assert ("".join(rows) + errors).count("selct") == 1


def test_rules_of_jaxlint_are_jaxlints_choice(tree: Tree) -> None:
    tree({**FILES, "jaxlint.toml": 'ignore = ["branch-on-traced"]\n'})
    assert flake8("--select", "JAX", ".")[:2] == (0, [])


def test_ruff_keeps_what_it_is_told_of(tree: Tree, run: Run) -> None:
    """Ruff takes codes that it does not know for unused, unless they are named as another tool's."""
    root = tree(FILES)
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "-q", "--select", "RUF100,RUF102", "--fix", "old.py"]
    subprocess.run([*ruff, "--config", 'lint.external = ["JAX"]'], cwd=root, check=True)
    assert (root / "old.py").read_text() == FILES["old.py"] and run("--no-cache", "old.py").status == 0
    subprocess.run(ruff, cwd=root, check=True)
    assert "noqa" not in (root / "old.py").read_text() and run("--no-cache", "old.py").status == 1


def test_the_page_has_what_is_tested() -> None:
    page = (Path(__file__).resolve().parent.parent / "docs" / "flake8.md").read_text(encoding="utf-8")
    assert 'external = ["JAX"]' in page and "flake8 --select JAX" in page
