"""`jaxlint analyze graph`: which file leads to which, and how it is written."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import pytest
from conftest import Run, Tree

PROJECT = {
    "pyproject.toml": "",
    "train.py": "import lib.solver\nimport jax\n\n\ndef late():\n    from tools import plot\n",
    "tools/plot.py": "from lib import solver as s\n",
    "lib/__init__.py": "",
    "lib/solver.py": "from . import steps\nfrom .steps import step\n",
    "lib/steps.py": "import lib.solver\n",
    "alone.py": "import os\n",
}


def graph(run: Run, *arguments: str) -> Any:
    ran = run("analyze", "graph", "--output-format", "json", *arguments)
    assert ran.status == 0 and ran.err == ""
    return json.loads(ran.out)


def test_dependencies(tree: Tree, run: Run) -> None:
    tree(PROJECT)
    assert graph(run) == graph(run, ".") == {
        "alone.py": [],
        "lib/__init__.py": [],
        "lib/solver.py": ["lib/__init__.py", "lib/steps.py"],
        "lib/steps.py": ["lib/__init__.py", "lib/solver.py"],
        "tools/plot.py": ["lib/__init__.py", "lib/solver.py"],
        "train.py": ["lib/__init__.py", "lib/solver.py", "tools/plot.py"],
    }


def test_dependents_come_from_the_whole_project(tree: Tree, run: Run) -> None:
    tree(PROJECT)
    assert graph(run, "--direction", "dependents", "lib/solver.py", "alone.py") == {
        "alone.py": [],
        "lib/solver.py": ["lib/steps.py", "tools/plot.py", "train.py"],
    }


def test_one_direction_is_the_other_turned(tree: Tree, run: Run) -> None:
    tree(PROJECT)
    there = {(path, other) for path, others in graph(run).items() for other in others}
    back = {(other, path) for path, others in graph(run, "--direction", "dependents").items() for other in others}
    assert there == back and len(there) == 9


@pytest.mark.parametrize("direction", ["dependencies", "dependents"])
def test_as_ruff(tree: Tree, run: Run, direction: str) -> None:
    """Without packages, of which Ruff leaves out the file that an import runs on the way."""
    tree(
        {
            "pyproject.toml": "",
            "a.py": "import b\nimport sys\nfrom d import e\n",
            "b.py": "if True:\n    import c\n",
            "c.py": "def f():\n    import b\n",
            "d/e.py": "import a\n",
        }
    )
    command = [sys.executable, "-m", "ruff", "analyze", "graph", "--isolated", "--direction", direction, "."]
    theirs = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    ours = graph(run, "--isolated", "--direction", direction)
    assert ours == json.loads(theirs) and ours["a.py"]


def test_text(tree: Tree, run: Run) -> None:
    tree(PROJECT)
    assert run("analyze", "graph", "lib", "alone.py").out.splitlines() == [
        "alone.py",
        "lib/__init__.py",
        "lib/solver.py",
        "  lib/__init__.py",
        "  lib/steps.py",
        "lib/steps.py",
        "  lib/__init__.py",
        "  lib/solver.py",
    ]


def test_dot(tree: Tree, run: Run) -> None:
    tree({"pyproject.toml": "", 'q"u\\o.py': "import b\n", "b.py": "", "\x1b[2J\n.py": ""})
    lines = run("analyze", "graph", "--output-format", "dot").out.splitlines()
    assert lines[0] == "digraph jaxlint {" and lines[-1] == "}"
    node = r'"(?:[^"\\]|\\.)*"'
    assert all(re.fullmatch(rf"  {node}(?: -> {node})?;", line) for line in lines[3:-1])
    assert r'  "q\"u\\o.py" -> "b.py";' in lines and r'  "\\x1b[2J\\n.py";' in lines


def test_what_cannot_be_read(tree: Tree, run: Run) -> None:
    tree({"pyproject.toml": "", "a.py": "import b\n", "b.py": "def (:\n", "c.py": "\0"})
    ran = run("analyze", "graph", "--output-format", "json")
    assert ran.status == 0 and json.loads(ran.out) == {"a.py": ["b.py"], "b.py": [], "c.py": []}
    assert [line.partition(": its imports are not known: ")[0] for line in ran.err.splitlines()] == [
        "jaxlint: b.py",
        "jaxlint: c.py",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["grpah"], "No such command 'grpah'"),
        (["graph", "nowhere.py"], "no such file or folder: `nowhere.py`\n"),
        (["graph", "--direction", "up"], "'up' is not one of"),
        (["graph", "--config", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_bad_input(tree: Tree, run: Run, arguments: list[str], said: str) -> None:
    tree(PROJECT)
    ran = run("analyze", *arguments)
    assert ran.status == 2 and ran.out == "" and ran.err.count("\n") == 1 and said in ran.err


def test_files_out_of_sight(tree: Tree, run: Run) -> None:
    tree({**PROJECT, "pyproject.toml": "[tool.jaxlint]\nexclude = ['tools']\nplugins = ['no_such_plugin']\n"})
    assert graph(run)["train.py"] == ["lib/__init__.py", "lib/solver.py"]
    assert "tools/plot.py" in graph(run, "--isolated")["train.py"]
