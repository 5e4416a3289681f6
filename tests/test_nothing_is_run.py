"""Linting runs nothing of the tree, whatever its files are called; plugins are imported only where they may be."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Run, Tree
from test_robust import BRANCH, MARKED

NAMES = (
    "click typing jax jaxlib numpy libcst dataclasses json tomllib logging signal multiprocessing struct random pip "
    "concurrent subprocess argparse configparser importlib_metadata glob shutil tempfile "
    "rules ast tokenize hashlib difflib"
).split()
MARK = 'open(__file__ + ".ran", "w").close()\n'
SCRIPT = [str(Path(sys.executable).with_name("jaxlint"))]
MODULE = [sys.executable, "-m", "jaxlint"]


def started(root: Path, command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    wanted = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    return subprocess.run(
        command,
        cwd=root,
        env={**wanted, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("start", [SCRIPT, MODULE], ids=["script", "module"])
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["."], 1),
        (["-n", "-j", "2", "."], 1),
        (["--fix", "--unsafe-fixes", "."], 1),
        (["--statistics", "."], 1),
        (["rule", "JAX101"], 0),
        (["config"], 0),
        (["clean"], 0),
        (["version"], 0),
        (["confirm", "JAX101", "--platform", "cpu"], 0),
    ],
    ids=str,
)
def test_modules_of_the_tree_are_not_imported(
    tree: Tree, start: list[str], arguments: list[str], status: int
) -> None:
    files = {f"{name}.py": MARK for name in NAMES}
    root = tree({**MARKED, **files, "a.py": BRANCH, "other/pyproject.toml": "", "other/b.py": BRANCH})
    ran = started(root, [*start, *arguments])
    assert ran.returncode == status, ran.stderr
    assert not list(root.rglob("*.ran"))


PLUGIN = {**MARKED, "jaxlint.toml": 'plugins = ["json.tool"]\n', "a.py": BRANCH}


def test_plugins_of_a_configuration_can_be_refused(tree: Tree, run: Run) -> None:
    tree(PLUGIN)
    for command in (["."], ["rule", "JAX101"], ["confirm", "JAX101"]):
        ran = run(*command)
        assert (ran.status, ran.err) == (2, "jaxlint: plugin `json.tool` has no rules and no models\n")
    assert run(".", "--no-plugins").status == 1
    assert run("--no-plugins", "--config", "plugins=['json.tool']", ".").status == 1
    assert run(".", "--isolated").status == 1
    assert run(".", "--isolated", "--no-plugins").status == 1
    assert run("rule", "JAX101", "--no-plugins").status == 0


def test_a_plugin_of_the_tree_is_not_found(tree: Tree) -> None:
    root = tree({**PLUGIN, "jaxlint.toml": 'plugins = ["own_rules"]\n', "own_rules.py": MARK})
    for start in (SCRIPT, MODULE):
        ran = started(root, [*start, "."])
        assert ran.returncode == 2 and "plugin `own_rules` cannot be imported" in ran.stderr
    assert not list(root.rglob("*.ran"))


def test_a_path_that_the_user_names_is_kept(tree: Tree) -> None:
    root = tree({**PLUGIN, "jaxlint.toml": 'plugins = ["own_rules"]\n', "lib/own_rules.py": MARK})
    ran = started(root, [*MODULE, "."], PYTHONPATH=str(root / "lib"))
    assert "plugin `own_rules` has no rules and no models" in ran.stderr
    assert (root / "lib" / "own_rules.py.ran").exists()
