"""The hooks in .pre-commit-hooks.yaml: a staged file whose defect has its `jit` in another file.

pre-commit installs the hook with pip, so this test needs a package index.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml", "jaxlint", "rules")

TRAIN = """\
import jax
from solver import descend

step = jax.jit(descend)
"""
SOLVER = """\
import jax.numpy as jnp


def descend(params, gradient):
    if jnp.linalg.norm(gradient) > 1.0:
        gradient = gradient / jnp.linalg.norm(gradient)
    return params - gradient
"""


def environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))}
    person = {f"GIT_{who}_{what}": "test@localhost" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return {**kept, **person, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "PRE_COMMIT_HOME": str(home)}


def test_hooks_lint_python_and_notebooks() -> None:
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
    assert set(hooks) == {"jaxlint", "jaxlint-fix"}
    for hook in hooks.values():
        assert hook["types_or"] == ["python", "pyi", "jupyter"]
        # Two processes would read the same project twice and write the same files.
        assert hook["require_serial"]
    assert "--fix" in hooks["jaxlint-fix"]["entry"]


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_staged_file_is_linted_in_its_project(tmp_path: Path) -> None:
    variables = environment(tmp_path / "home")

    def call(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=600)

    def git(folder: Path, *arguments: str) -> None:
        done = call(folder, "git", *arguments)
        assert done.returncode == 0, done.stderr

    hook = tmp_path / "hook"
    hook.mkdir()
    for name in SHIPPED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, hook / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, hook / name)
    user = tmp_path / "user"
    user.mkdir()
    (user / "train.py").write_text(TRAIN, encoding="utf-8")
    for folder in (hook, user):
        git(folder, "init", "-q")
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", "first")
    (user / "solver.py").write_text(SOLVER, encoding="utf-8")
    git(user, "add", "solver.py")

    done = call(user, sys.executable, "-m", "pre_commit", "try-repo", str(hook), "jaxlint", "--verbose")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "solver.py:5:8: JAX101 " in done.stdout, done.stdout + done.stderr
    assert "1 finding: 1 error" in done.stdout
