"""The hazards' programs, linted with all rules: each marked line is found, each other line is silent.

`bad/`, `good/` and `corpus/` hold one program a file. A marker of a finding that is not the point of its
program is explained in `expected.txt`: every one in a program that is meant to be right.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxlint.project.project import Project, SourceFile
from jaxlint.project.settings import Settings
from jaxlint.rule.registry import registry
from jaxlint.session import pipeline
from tests.verify_cases import markers_of

HAZARDS = Path(__file__).resolve().parent / "hazards"
PROGRAMS = sorted(HAZARDS.glob("*/*.py"))

Rows = dict[int, set[str]]


def found(path: Path) -> dict[int, dict[str, str]]:
    """What all rules say of a program that is a project of its own: by row, the messages by code."""
    project = Project(
        str(path.parent), (SourceFile(str(path), (), False),), frozenset((str(path),)), Settings()
    )
    rows: dict[int, dict[str, str]] = {}
    for each in pipeline.analyse(project):
        rows.setdefault(each.span.row, {})[each.code] = each.message
    return rows


def explained() -> set[tuple[str, str]]:
    """(program, code) of the lines of expected.txt."""
    lines = (HAZARDS / "expected.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split(maxsplit=2) for line in lines if line.strip() and not line.startswith("#")]
    assert all(len(pair) == 3 for pair in pairs), "a line of expected.txt is: program, code, reason"
    return {(program, code) for program, code, _ in pairs}


def marked(path: Path) -> Rows:
    """The markers of rules that there are."""
    known = {entry.code for entry in registry().entries}
    rows = markers_of(path.read_text(encoding="utf-8"))
    return {row: codes & known for row, codes in rows.items() if codes & known}


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def disagreement(path: Path) -> str:
    """What was missed and what was found besides, with the lines."""
    lines = path.read_text(encoding="utf-8").splitlines()
    wanted, got = marked(path), found(path)
    said = []
    for row in sorted({*wanted, *got}):
        line = lines[row - 1].strip() if row <= len(lines) else ""
        for code in sorted(wanted.get(row, set()) - got.get(row, {}).keys()):
            said.append(f"{path}:{row}: missed {code}: {line}")
        for code in sorted(got.get(row, {}).keys() - wanted.get(row, set())):
            said.append(f"{path}:{row}: not marked {code} ({got[row][code]}): {line}")
    return "\n".join(said)


@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
def test_markers(path: Path) -> None:
    problems = disagreement(path)
    assert not problems, f"\n{problems}"


def test_every_finding_in_a_right_program_is_explained() -> None:
    pairs = {
        (name_of(path), code)
        for path in PROGRAMS
        if path.parent.name != "bad"
        for codes in markers_of(path.read_text(encoding="utf-8")).values()
        for code in codes
    }
    assert pairs - explained() == set()


def test_every_explanation_is_of_a_marker() -> None:
    pairs = {
        (name_of(path), code)
        for path in PROGRAMS
        for codes in markers_of(path.read_text(encoding="utf-8")).values()
        for code in codes
    }
    assert explained() - pairs == set()
