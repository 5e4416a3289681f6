"""Generated programs: jaxlint must agree with what JAX does, and at which line.

The programs are drawn anew with each change of the sources: what passed once passes again. `JAXLINT_SEED` draws
others, `JAXLINT_PROGRAMS` changes their number. The seed, the tables of what occurred and the counts are printed
(`pytest -s`, or on failure).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from verify_cases import sources

from tests.generator import report
from tests.generator.oracle import Outcome, outcomes
from tests.generator.program import Program, write
from tests.generator.sample import draw, transform_pairs, way_pairs
from tests.generator.verdict import compared, explained

COUNT = int(os.environ.get("JAXLINT_PROGRAMS", "1200"))


SEED = int(os.environ.get("JAXLINT_SEED") or sources())

Ran = tuple[list[Program], list[Outcome], Path]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    root = tmp_path_factory.mktemp("generated")
    programs = [write(spec, f"demo{number}") for number, spec in enumerate(draw(SEED, COUNT))]
    return programs, outcomes(programs, root), root


def test_programs_are_balanced(ran: Ran) -> None:
    programs, found, _ = ran
    print(f"\nseed {SEED}: {len(programs)} programs: {report.balance(found)}")
    bad = [pair for pair in zip(programs, found, strict=True) if pair[1].verdict not in ("raises", "runs")]
    assert not bad, report.shown(*bad[0])
    for verdict in ("raises", "runs"):
        assert sum(outcome.verdict == verdict for outcome in found) >= 0.4 * len(found)


def test_every_pair_occurs(ran: Ran) -> None:
    specs = [program.spec for program in ran[0]]
    print(f"\nseed {SEED}\n{report.occurrence(specs)}")
    if COUNT < 1000:
        pytest.skip("too few programs for every pair")
    assert {(spec.transform, spec.application) for spec in specs} >= set(transform_pairs())
    assert {way for spec in specs for way in report.ways_of(spec)} >= set(way_pairs())


def test_jaxlint_agrees(ran: Ran) -> None:
    """Each disagreement is a defect: reduce it, close its class, and keep it as a case."""
    comparison = compared(*ran)
    text = f"seed {SEED}\n{explained(comparison, 5)}"
    if comparison.disagreements:
        pytest.fail(text, pytrace=False)
    print(f"\n{text}")


def test_a_seed_repeats_its_programs() -> None:
    first, second = ([write(spec).files for spec in draw(7, 60)] for _ in range(2))
    assert first == second
