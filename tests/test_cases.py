"""The case files: each section is linted as a file of its own with all rules, and run under real JAX.

A marked line must be found and every other line must be silent. What a marker claims - that JAX raises there -
is checked by running the section; one that ends in silence is run to its end.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import verify_cases
from linted import findings
from verify_cases import (
    CASES,
    FRAMEWORKS,
    Section,
    case_files,
    disagreement,
    ready_jax,
    run,
    sections,
    share_of,
)

from jaxlint.rule.registry import registry

FILES = case_files()
SECTIONS = [section for path in FILES for section in sections(path)]
GAP = "known-gap"


def name_of(section: Section) -> str:
    return f"{section.path.stem}:{section.first_line}"


def problems(section: Section) -> list[str]:
    """What was missed, and what was found on lines that are not marked."""
    known = {entry.code for entry in registry().entries}
    lines = section.source.splitlines()
    got: dict[int, dict[str, str]] = {}
    for found in findings(section.source):
        got.setdefault(found.span.row, {})[found.code] = found.message
    said = []
    for row in sorted({*got, *section.markers}):
        marked = section.markers.get(row, set()) & known
        place = f"{section.path}:{section.first_line + row - 1}"
        line = lines[row - 1].strip() if row <= len(lines) else ""
        said += [f"{place}: missed {code}: {line}" for code in sorted(marked - got.get(row, {}).keys())]
        for code, message in sorted(got.get(row, {}).items()):
            if code not in marked:
                said.append(f"{place}: not marked {code} ({message}): {line}")
    return said


@pytest.mark.parametrize("section", SECTIONS, ids=name_of)
def test_findings(section: Section) -> None:
    said = problems(section)
    if section.title.startswith(GAP):
        assert said, f"the gap is closed: take `{GAP}` out of the title of {name_of(section)}"
        pytest.xfail(f"known gap: {section.title}")
    assert not said, "\n" + "\n".join([f"[{section.title}]", *said])


@pytest.mark.parametrize("path", share_of(sorted(FRAMEWORKS.glob("*.py"))), ids=lambda path: path.stem)
def test_markers_are_true_under_a_framework(path: Path) -> None:
    """In a process of its own: frameworks change JAX where they are imported."""
    everything = {**os.environ, "JAXLINT_SHARE": "0/1"}
    command = [sys.executable, verify_cases.__file__, path]
    done = subprocess.run(command, capture_output=True, text=True, env=everything)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", sorted(CASES.glob("*.py")), ids=lambda path: path.stem)
def test_markers_are_true_under_jax(path: Path) -> None:
    ready_jax()
    said = []
    for section in sections(path):
        if section.runs:
            problem = disagreement(section, run(section))
            if problem:
                said.append(f"{path}:{section.first_line}: [{section.title}] {problem}")
    assert not said, "\n" + "\n".join(said)


def test_titles_are_told_apart() -> None:
    for path in FILES:
        titles = [section.title for section in sections(path)]
        assert len(titles) == len(set(titles)), f"two sections of {path} have one title"


def test_every_rule_has_cases() -> None:
    for entry in registry().entries:
        if entry.rule is None:
            continue
        path = CASES / f"{entry.name.replace('-', '_')}.py"
        assert path.exists(), f"no case file for {entry.code}"
        rows = sections(path)
        assert any(entry.code in codes for each in rows for codes in each.markers.values())
        assert any(not each.markers for each in rows)
