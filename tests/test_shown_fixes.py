"""What the fixes that are only shown make of a program: tests/fixes/<rule>.py, in sections.

A section whose title is `->` is what the rule's fixes make of the section above it, and runs under JAX; what
it asserts are the values that are meant. A section without one has the rule's finding, and no fix for it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from linted import findings, lint
from verify_cases import Section, ready_jax, run, sections

from jaxlint.fixes.apply import fix_until_stable
from jaxlint.rule.registry import registry

FILES = sorted((Path(__file__).resolve().parent / "fixes").glob("*.py"))
MADE = "->"


def _sections() -> list[tuple[str, Section, Section | None]]:
    """(code of the rule, program, what its fixes make of it)."""
    found: list[tuple[str, Section, Section | None]] = []
    for path in FILES:
        code = registry().entry(path.stem.replace("_", "-")).code
        rows = sections(path)
        for section, after in pairwise([*rows, replace(rows[-1], title="")]):
            if section.title != MADE:
                found.append((code, section, after if after.title == MADE else None))
    return found


SECTIONS = _sections()


def name_of(case: tuple[str, Section, Section | None]) -> str:
    return f"{case[0]}-{case[1].title[:60]}"


@pytest.mark.parametrize("case", SECTIONS, ids=name_of)
def test_what_is_made(case: tuple[str, Section, Section | None]) -> None:
    code, section, made = case
    found = [each for each in findings(section.source) if each.code == code]
    assert found
    if made is None:
        assert [each.fix for each in found if each.fix] == []
        return
    fixed = fix_until_stable(section.source, lint, lambda each: each.code == code)
    assert fixed.text.rstrip() == made.source.rstrip()
    assert fixed.is_stable and not [each for each in fixed.left if each.code == code and each.fix]
    assert {each.fix.applicability for each in found if each.fix} == {"displayonly"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_made_runs(path: Path) -> None:
    ready_jax()
    said = []
    for section in sections(path):
        if section.title == MADE:
            outcome = run(section)
            if outcome.error is not None:
                said.append(f"{path}:{section.first_line}: {outcome.error}: {outcome.text}")
    assert not said, "\n" + "\n".join(said)
