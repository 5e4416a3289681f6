"""Folklore: every statement of the notes accounted for, entries that add up, and cases that come out as stated."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import textwrap
from dataclasses import replace
from importlib.util import find_spec

import pytest
from verify_cases import in_share

from jaxlint.confirm import evidence
from jaxlint.confirm.folklore import ENTRIES, STATEMENTS, Folklore, trial
from jaxlint.confirm.statement import statement
from jaxlint.confirm.verdict import CONFIRMED, FAILED, NOT_RUNNABLE, REFUTED, Verdict
from jaxlint.rule.registry import registry

CASES = [
    pytest.param(entry, case, id=f"{entry.name}-{position}")
    for entry in ENTRIES
    for position, case in enumerate(entry.cases)
]


def test_every_statement_is_accounted_for():
    assert {entry.number for entry in ENTRIES} == set(range(1, STATEMENTS + 1))


def test_names_are_unique():
    names = [entry.name for entry in ENTRIES]
    assert len(set(names)) == len(names)
    assert [name for name in names if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)] == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_the_verdict_is_that_of_the_cases(entry):
    holding = {case.holds for case in entry.cases}
    stated = {frozenset(): "not-executable", frozenset([True]): "true", frozenset([False]): "false"}
    assert entry.verdict == stated.get(frozenset(holding), "depends")
    if entry.verdict == "depends":
        assert all(case.when for case in entry.cases), "on what does it depend?"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_texts(entry):
    for sentence in (entry.statement, entry.why):
        assert sentence.endswith((".", ".)")) and "  " not in sentence
    assert entry.source
    # Figures come from the run.
    assert not re.search(r"\d (?:ms|us|s|MB|kB|bytes|times|percent)\b|\d+(?:\.\d+)?x\b", entry.why)
    assert not entry.rule or entry.rule in registry().by_code


@pytest.mark.parametrize(("entry", "case"), CASES)
def test_programs_are_programs(entry, case):
    claim = case.claim
    for text in filter(None, (case.bad, case.good)):
        assert text.startswith("\n"), "a program starts on the line after its quotes"
        ast.parse(text)
        assert textwrap.dedent(text) == text
        assert not re.search(r"\b(open|sleep|urlopen|__main__)\b", text)
    for call in (*claim.calls, *claim.good_calls):
        ast.parse(call.replace("{n}", "1"), mode="eval")
    assert claim.bad is not None or claim.kind not in (
        "traces",
        "compiles",
        "warm-binds",
        "side-effect",
        "gradient",
    )
    assert claim.kind not in ("same", "differs", "slower") or len(claim.calls) > 1 or case.good
    assert statement(claim)


def test_folklore_is_data():
    """Reading it imports neither jax nor numpy, nor the probes."""
    code = "import sys, jaxlint.confirm.folklore.trial; print([m for m in ('jax', 'numpy', 'jaxlint.confirm.probe') if m in sys.modules])"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "[]\n"
    )


def _entry(verdict: str, *holds: bool) -> Folklore:
    cases = tuple(replace(ENTRIES[0].cases[0], holds=each, when="here") for each in holds)
    return replace(ENTRIES[0], verdict=verdict, cases=cases)


def _verdict(word: str) -> Verdict:
    return Verdict(None, "name", "claim", word, "cpu")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ((CONFIRMED, CONFIRMED), "true"),
        ((REFUTED, REFUTED), "false"),
        ((CONFIRMED, REFUTED), "depends"),
        ((CONFIRMED, FAILED), trial.UNDECIDED),
        ((CONFIRMED, NOT_RUNNABLE), "true"),
        ((NOT_RUNNABLE, NOT_RUNNABLE), trial.UNDECIDED),
    ],
)
def test_what_is_found(words, found):
    (tried,) = trial.trials_of([_entry("true", True, True)], [_verdict(word) for word in words])
    assert tried.found == found
    assert [row.verdict for _, row in tried.differing] == [
        w for w in words if w not in (CONFIRMED, NOT_RUNNABLE)
    ]


def test_a_stated_verdict_that_running_does_not_bear_out_is_shown():
    """`false` is stated of a case that comes out confirmed: the paragraph, the table and the count say so."""
    tried = trial.trials_of([_entry("false", False)], [_verdict(CONFIRMED)])
    text = trial.text(tried, quiet=True)
    assert (
        text.startswith("true (stated: false): ") and "confirmed (not as stated) on cpu: here: claim" in text
    )
    assert text.endswith(f"\n1 entry for 1 statement: 1 true; not as stated: {ENTRIES[0].name}")
    assert "| true (stated: false) |" in trial.markdown(tried)
    assert '"found": "true"' in trial.as_json(tried)


def test_what_cannot_be_executed_is_printed_with_its_reason():
    entries = [entry for entry in ENTRIES if entry.verdict == "not-executable"]
    tried = trial.trials_of(entries, [])
    text = trial.text(tried)
    assert all(f"not-executable: {entry.statement}" in text and entry.why in text for entry in entries)
    assert text.endswith("all as stated")


@pytest.mark.parametrize("count", [1, 3])
def test_verdicts_that_do_not_fit_the_cases(count):
    with pytest.raises(ValueError, match=f"{count} verdicts for 2 cases on cpu"):
        trial.trials_of([_entry("true", True, True)], [_verdict(CONFIRMED)] * count)


def test_platforms_are_told_apart():
    """A statement that comes out otherwise on a second platform is shown for that one; what cannot be run, once."""
    elsewhere = replace(_verdict(REFUTED), platform="gpu", device="H", jax="1", jaxlib="2")
    silent = next(entry for entry in ENTRIES if not entry.cases)
    tried = trial.trials_of([_entry("true", True), silent], [_verdict(CONFIRMED), elsewhere])
    assert [(each.entry.name, each.found, len(each.differing)) for each in tried] == [
        (ENTRIES[0].name, "true", 0),
        (ENTRIES[0].name, "false", 1),
        (silent.name, "not-executable", 0),
    ]
    assert trial.summary(tried) == (
        "2 entries for 2 statements: 1 true, 1 false, 1 not-executable; "
        f"not as stated: {ENTRIES[0].name} (jax 1, jaxlib 2; gpu: H)"
    )


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.cases], ids=lambda entry: entry.name)
def test_what_is_recorded_is_what_is_stated(entry):
    """Of cases that rest on a clock, it is all that can be asked: how busy the machine of a test is, nobody knows."""
    (tried,) = trial.trials_of([entry], [each.verdict for each in evidence.of_folklore(entry.name)])
    assert [row.claim for row in tried.verdicts] == [job.statement for job in trial.jobs_of([entry])]
    assert tried.differing == ()


@pytest.mark.skipif(find_spec("jax") is None, reason="jax is not installed")
def test_jax_says_what_is_stated():
    """Cases that rest on no clock are run on the CPU; programs that hold no promise of raising run to their end."""
    from jaxlint.confirm.pool import Pool

    entries = [
        replace(entry, cases=tuple(case for case in entry.cases if case.claim.kind != "slower"))
        for entry in ENTRIES
        if in_share(entry.name)
    ]
    jobs = [replace(job, platform="cpu") for job in trial.jobs_of(entries)]
    assert jobs and not any(job.is_timed for job in jobs)
    with Pool(sys.executable, jobs=2) as pool:
        tried = trial.trials_of(entries, pool.verdicts(jobs))
    wrong = [
        f"{each.entry.name}: {row.claim}: {row.verdict} {row.detail}"
        for each in tried
        for _, row in each.differing
    ]
    assert wrong == []
    broken = [row.detail for each in tried for row in each.verdicts if "program raises" in row.detail]
    assert broken == []
