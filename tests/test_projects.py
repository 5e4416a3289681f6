"""The projects of many files: linted whole, from their folder, and run as `python main.py`."""

from __future__ import annotations

from pathlib import Path

import pytest
from linted import lint_folder, projects
from verify_cases import project_disagreement, project_markers, run_project

from jaxlint.rule.registry import registry

FOLDERS = projects()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_findings(folder: Path) -> None:
    known = {entry.code for entry in registry().entries}
    wanted = {
        (path, row, code) for (path, row), codes in project_markers(folder).items() for code in codes & known
    }
    got = {(found.filename, found.span.row, found.code) for found in lint_folder(folder)}
    assert {"missed": sorted(wanted - got), "not marked": sorted(got - wanted)} == {
        "missed": [],
        "not marked": [],
    }


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_markers_are_true_under_jax(folder: Path) -> None:
    problem = project_disagreement(folder, run_project(folder))
    assert problem is None, problem
