"""The set-ups in editors/: what they run and how they read it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import Run

ROOT = Path(__file__).resolve().parent.parent
SOLVER = ROOT / "docs" / "example" / "solver.py"


def test_neovim_reads_the_buffer_within_its_project(run: Run) -> None:
    text = "# typed and not saved\n" + SOLVER.read_text(encoding="utf-8")
    ran = run("check", "-", "--stdin-filename", SOLVER, "--output-format", "json", stdin=text.encode())
    assert ran.status == 1
    (found,) = json.loads(ran.out)
    assert (found["code"], found["location"]) == ("JAX101", {"row": 7, "column": 8})
    script = (ROOT / "editors" / "neovim.lua").read_text(encoding="utf-8")
    assert '"check", "-", "--stdin-filename"' in script
    for key in set(re.findall(r"\bfound\.(\w+)", script)):
        assert key in found


def test_vscode_matches_the_lines_of_the_concise_format(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "docs" / "example")
    (task,) = json.loads((ROOT / "editors" / "vscode" / "tasks.json").read_text(encoding="utf-8"))["tasks"]
    assert task["command"] == "jaxlint"  # `python -m` looks for modules in the folder that is linted
    ran = run(*task["args"])
    pattern = task["problemMatcher"]["pattern"]
    rows = [re.match(pattern["regexp"], line) for line in ran.out.splitlines()]
    found = [(row[pattern["file"]], row[pattern["line"]], row[pattern["code"]]) for row in rows if row]
    assert found == [("model.py", "7", "JAX301"), ("model.py", "15", "JAX601"), ("solver.py", "6", "JAX101")]
    assert len(rows) == len(found)
