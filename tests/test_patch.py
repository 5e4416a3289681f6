"""`jaxlint check --diff` composes with `git apply`: what is applied is what `--fix` writes, byte for byte."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Run, Tree
from test_precommit import environment

from jaxlint.cli.patch import patch, quoted

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

LOOP = "import jax\n\n\ndef score(x):\n    return x\n\n\nscores = jax.vmap(jax.jit(score))\n"
CELL = {"cell_type": "code", "execution_count": None, "id": "a", "metadata": {}, "outputs": []}
NOTEBOOK = {
    "cells": [{**CELL, "source": LOOP.splitlines(True)}],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}
FILES = {
    "plain.py": LOOP.encode(),
    "crlf.py": LOOP.replace("\n", "\r\n").encode(),
    "mixed.py": LOOP.replace("x):\n", "x):\r\n").encode(),
    "no newline.py": LOOP.rstrip().encode(),
    "näme 日本.py": LOOP.replace("scores", "größe").encode(),
    "bom.py": b"\xef\xbb\xbf" + LOOP.encode(),
    "bom first row.py": b"\xef\xbb\xbfimport jax; s = jax.vmap(jax.jit(abs))\r\n",
    "latin.py": ("# coding: latin-1\n" + LOOP.replace("scores", "größe")).encode("latin-1"),
    'quo"te\\.py': LOOP.encode(),
    "line\nbreak\ttab.py": LOOP.encode(),
    "return.py": LOOP.replace("\n\n\nscores", "\n\rx = 1\r\nscores").encode(),
    "control.py": LOOP.replace("scores", "'\x1b[2J\u2028'; scores").encode(),
    "utf-7.py": ("# coding: utf-7\n" + LOOP.replace("scores", "größe")).encode("utf-7"),
    "n.ipynb": json.dumps(NOTEBOOK, indent=1).encode(),
    "row.ipynb": json.dumps(NOTEBOOK).encode(),
    "feed.py": LOOP.replace("\n\n\nscores", "\n\f\nscores").encode(),
    "sub/deep er/x.py": LOOP.encode(),
    "sub/a/b/y.py": LOOP.encode(),
    "sub/plain.py": LOOP.encode(),
}
FLAGS = ("--isolated", "--select", "JAX601", "--unsafe-fixes", "-n")


class Repository:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.variables = environment(folder / ".home") | {"PYTHONPATH": os.pathsep.join(sys.path)}
        for name, data in FILES.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        self.call("git", "init", "-q")
        self.call("git", "config", "core.autocrlf", "false")
        self.call("git", "add", "-A")
        self.call("git", "commit", "-q", "-m", "first")

    def call(self, *command: str, under: str = ".", given: bytes = b"", status: int = 0) -> bytes:
        done = subprocess.run(
            command, cwd=self.folder / under, env=self.variables, input=given, capture_output=True, timeout=120
        )
        assert done.returncode == status, done.stderr.decode()
        return done.stdout

    def jaxlint(self, *arguments: str, under: str = ".", status: int = 0) -> bytes:
        return self.call(sys.executable, "-m", "jaxlint", "check", *arguments, under=under, status=status)

    def state(self) -> dict[str, bytes]:
        return {name: (self.folder / name).read_bytes() for name in FILES}


def test_what_is_applied_is_what_is_fixed(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    before = repository.state()
    change = repository.jaxlint(*FLAGS, "--diff", ".", status=1)
    assert repository.state() == before
    repository.call("git", "apply", "--check", given=change)
    repository.call("git", "apply", given=change)
    applied = repository.state()
    repository.call("git", "checkout", "-q", ".")
    repository.jaxlint(*FLAGS, "--fix-only", ".")
    assert applied == repository.state()
    assert {name for name in FILES if applied[name] != before[name]} == FILES.keys()


@pytest.mark.parametrize("tool", [("git", "apply"), ("patch", "-p1", "--binary", "-s")])
def test_from_a_folder_below(tmp_path: Path, tool: tuple[str, ...]) -> None:
    if shutil.which(tool[0]) is None:
        pytest.skip(f"{tool[0]} is not installed")
    repository = Repository(tmp_path)
    before = repository.state()
    change = repository.jaxlint(*FLAGS, "--diff", ".", under="sub", status=1)
    repository.call(*tool, under="sub", given=change)
    after = repository.state()
    assert {name for name in FILES if after[name] != before[name]} == {
        name for name in FILES if name.startswith("sub/")
    }
    assert b"jax.jit(jax.vmap(score))" in after["sub/a/b/y.py"]


def test_to_a_file(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    repository.jaxlint(*FLAGS, "--diff", "-o", "change.patch", "crlf.py", "latin.py", status=1)
    repository.call("git", "apply", "change.patch")
    assert (tmp_path / "crlf.py").read_bytes().count(b"\r\n") == LOOP.count("\n")
    assert "größe = jax.jit(jax.vmap(score))".encode("latin-1") in (tmp_path / "latin.py").read_bytes()


@pytest.mark.usefixtures("by_word")
def test_of_standard_input(tree: Tree, run: Run) -> None:
    tree({"pyproject.toml": ""})
    ran = run("--select", "ALL", "--diff", "--stdin-filename", "a b.py", "-", stdin=b"MATMUL\n")
    assert ran.out == "--- a/a b.py\t\n+++ b/a b.py\t\n@@ -1 +1 @@\n-MATMUL\n+matmul\n"


def test_nothing_changed() -> None:
    assert patch("a.py", b"x\n", b"x\n") == b""


def test_names_are_quoted_as_git_does() -> None:
    change = patch("a\x1b\u202e.py", b"\x1b[2J\f\n", b"\f\n")
    assert change == (
        b'--- "a/a\\033\\342\\200\\256.py"\n+++ "b/a\\033\\342\\200\\256.py"\n@@ -1 +1 @@\n-\x1b[2J\f\n+\f\n'
    )
    assert quoted("b/\udcff.py") == b'"b/\\377.py"'


def test_rows_that_look_like_a_header() -> None:
    change = patch("a.py", b"-- x\n-- y\n", b"++ x\n-- y\n")
    assert change == b"--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n--- x\n+++ x\n -- y\n"
