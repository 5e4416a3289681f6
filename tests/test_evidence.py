"""What the harness reports and records, from verdicts that are made up here."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from jaxlint.cli.confirm import refuted_by_default
from jaxlint.confirm import evidence, matrix, report
from jaxlint.confirm.rule_page import as_json, markdown, text
from jaxlint.confirm.sentence import sentence
from jaxlint.confirm.verdict import CONFIRMED, FAILED, NOT_RUNNABLE, REFUTED, Verdict
from jaxlint.project.versions import NEWEST_VERIFIED, version_of
from jaxlint.rule.registry import registry

FIRST = Verdict(
    "JAX101", "branch-on-traced", "raises", CONFIRMED, "cpu", "cpu", "0.10.2", "0.10.2", {"line": 6}
)
RAISED = replace(FIRST, figures={"error": "TypeError", "line": 6})
SECOND = Verdict(
    "JAX712", "matmul-operator", "a | b", REFUTED, "cpu", "cpu", "0.10.2", "0.10.2", {}, "differs"
)


def test_text() -> None:
    assert report.text([FIRST, SECOND]).splitlines() == [
        "JAX101 branch-on-traced",
        "  confirmed    cpu  raises",
        "                    line 6",
        "JAX712 matmul-operator",
        "  refuted      cpu  a | b",
        "                    differs",
        "1 confirmed, 1 refuted (jax 0.10.2, jaxlib 0.10.2; cpu: cpu)",
    ]
    assert report.text([FIRST, SECOND], quiet=True).splitlines()[0] == "JAX712 matmul-operator"


def test_json_has_the_keys_of_the_surface() -> None:
    rows = json.loads(report.as_json([FIRST, SECOND]))
    assert rows[0] == {
        "code": "JAX101",
        "name": "branch-on-traced",
        "claim": "raises",
        "verdict": "confirmed",
        "platform": "cpu",
        "device": "cpu",
        "jax": "0.10.2",
        "jaxlib": "0.10.2",
        "figures": {"line": 6},
        "detail": "",
    }
    assert [Verdict.from_json(row) for row in rows] == [FIRST, SECOND]
    assert json.loads(report.as_json([FIRST], quiet=True)) == []


def test_markdown_escapes_what_ends_a_cell() -> None:
    assert "| JAX712 matmul-operator | a \\| b | cpu | refuted | differs |" in report.markdown(
        [FIRST, SECOND]
    )


def test_recorded_rows_replace_those_of_their_rules(tmp_path: Path) -> None:
    evidence.record([FIRST, SECOND], "3.11.7", tmp_path, "2026-01-01")
    absent = replace(FIRST, platform="gpu", device="", verdict=NOT_RUNNABLE)
    (path,) = evidence.record([replace(FIRST, figures={"line": 7}), absent], "3.12.0", tmp_path, "2026-02-02")
    assert path == tmp_path / "cpu-0.10.2.json"
    first, second = evidence.read(path)
    assert (first.verdict.figures, first.python, first.date) == ({"line": 7}, "3.12.0", "2026-02-02")
    assert (second.verdict, second.python, second.date) == (SECOND, "3.11.7", "2026-01-01")


def test_a_page_shows_the_newest_jax_of_each_platform(tmp_path: Path) -> None:
    for jax in ("0.9.1", "0.10.2", "0.4.38"):
        evidence.record([replace(RAISED, jax=jax)], "3.11.7", tmp_path)
    evidence.record([replace(RAISED, jax="0.8.0", platform="gpu", device="H200")], "3.11.7", tmp_path)
    seen = [(row.verdict.platform, row.verdict.jax) for row in evidence.of_rule("JAX101", tmp_path)]
    assert seen == [("cpu", "0.10.2"), ("gpu", "0.8.0")]
    assert [evidence.shown(row) for row in evidence.of_rule("JAX101", tmp_path)] == [
        "With JAX 0.10.2 on CPU the bad program raised TypeError in line 6; the good one ran without an error.",
        "With JAX 0.8.0 on GPU (H200) the bad program raised TypeError in line 6; "
        "the good one ran without an error.",
    ]
    (row, _) = evidence.of_rule("JAX101", tmp_path)
    assert evidence.shown(row, "[0.5\n 1.]").endswith("; the good one printed `[0.5 1.]`.")
    assert evidence.made_with([row]) == f"Recorded with Python 3.11.7, {row.date}."


_TIMES = {"bad_us": 31190.0, "good_us": 127.8, "ratio": 260.5, "low": 233.4, "high": 273.9, "samples": 25}


@pytest.mark.parametrize(
    ("claim", "figures", "said"),
    [
        ("`a`, `f(1)` are the same", {"bad": ["2", "2"], "good": ["2", "5"]},
         "`a` and `f(1)` were 2 and 2 in the bad program and 2 and 5 in the good one"),
        ("`a`, `b`, `c` differ", {"bad": ["1", "2", "3"]}, "`a`, `b` and `c` were 1, 2 and 3"),
        ("`a`, `True` are the same", {"bad": ["True", "True"]}, "`a` was True"),
        ("`total` is not as in the good program, where it is 6.0", {"bad": "3.0", "good": "6.0"},
         "`total` was 3.0 in the bad program and 6.0 in the good one"),
        ("compilations in `f(3.0)`, made 3 times: 3 in the bad program, 0 in the good one", {"bad": 3, "good": 0},
         "the number of compilations in `f(3.0)` (made 3 times) was 3 in the bad program and 0 in the good one"),
        ("growth of `calls`: 1 in the bad program", {"bad": 1.0}, "the growth of `calls` was 1"),
        ("temporary memory of `f(x)`: bad over good at least 128", {"bad": 1048576, "good": 8192, "ratio": 128.0},
         "the temporary memory of `f(x)` was 1,048,576 bytes in the bad program and 8,192 bytes in the good one, "
         "128 times as much"),
        ("equations of `f[{n}](x)`: linear in n (2, 4)", {"n": [2, 4], "bad": [4, 8]},
         "for n = 2 and 4, the number of equations in the jaxpr of `f[{n}](x)` was 4 and 8"),
        ("`f(64)` takes at least 5 times the time of `g(64)`", _TIMES,
         "`f(64)` took 31.2 ms and 128 µs for `g(64)`, 260 times the time (95% interval 233 to 274, 25 samples)"),
        ("`f(64)` takes at least 5 times the time that it takes in the good program", _TIMES,
         "`f(64)` took 31.2 ms in the bad program and 128 µs in the good one, 260 times the time "
         "(95% interval 233 to 274, 25 samples)"),
        ("`f(x)` has the same jaxpr in the good program", {"same": True, "lines": 8},
         "the jaxpr of `f(x)` was the same in both programs (8 lines)"),
        ("the safe fix gives what the good program gives", {"safety": "safe", "values": 0, "lines": 1},
         "the program after the safe fix gave what the good one gives (1 line of output)"),
        ("the unsafe fix runs",
         {"safety": "unsafe", "values": 2, "lines": 1, "runs": [1, 2], "compiles": [3, 1]},
         "the program after the unsafe fix ran without an error; Python bodies ran once before and twice after "
         "it, with 3 compilations before and 1 after it"),
        ("warns builtins.UserWarning", {"bad": 1, "good": 0}, "the bad program gave 1 warning, the good one 0"),
    ],
)  # fmt: skip
def test_figures_are_given_in_sentences(claim: str, figures: dict[str, object], said: str) -> None:
    assert sentence(replace(FIRST, claim=claim, figures=figures)) == said


def test_sentences_of_what_is_not_confirmed() -> None:
    assert sentence(SECOND) == "refuted: differs"
    row = replace(SECOND, claim="compilations in `f(1)`: 0", figures={"bad": 2}, detail="2, claimed 0")
    assert sentence(row) == (
        "the number of compilations in `f(1)` was 2, which refutes that “compilations in `f(1)`: 0”"
    )
    assert sentence(replace(row, verdict=FAILED, detail="timeout")) == "the run failed: timeout"
    row = replace(row, figures={}, detail="the bad program runs to its end", claim="raises TypeError")
    assert sentence(row) == "the bad program ran without an error, which refutes that “raises TypeError”"


def test_every_rule_has_evidence_that_it_holds() -> None:
    for entry in registry().entries:
        if entry.rule is not None and entry.rule.__module__.startswith("jaxlint.rules."):
            rows = [each.verdict for each in evidence.of_rule(entry.code)]
            assert rows, entry.code
            assert not entry.on or REFUTED not in {row.verdict for row in rows}, entry.code


@pytest.mark.parametrize(
    "row, refuted",
    [
        (replace(FIRST, verdict=REFUTED), True),
        (replace(FIRST, verdict=FAILED), False),
        (SECOND, False),  # off by default
        (replace(SECOND, code=None), False),  # folklore
    ],
)
def test_what_ends_with_one(row: Verdict, refuted: bool) -> None:
    assert refuted_by_default([FIRST, row], registry().by_code) is refuted


def test_matrix() -> None:
    verdicts = [
        replace(FIRST, jax="0.6.2"),
        replace(FIRST, jax="0.6.2", verdict=NOT_RUNNABLE),
        FIRST,
        replace(FIRST, verdict=REFUTED, claim="another", detail="why"),
        replace(SECOND, jax="0.6.2", verdict=NOT_RUNNABLE),
    ]
    assert matrix.matrix(verdicts) == {
        ("JAX101", "branch-on-traced"): {"0.6.2": CONFIRMED, "0.10.2": REFUTED},
        ("JAX712", "matmul-operator"): {"0.6.2": NOT_RUNNABLE},
    }
    lines = matrix.text(verdicts).splitlines()
    assert [line.split() for line in lines[:3]] == [
        ["0.10.2", "0.6.2"],
        ["JAX101", "branch-on-traced", "refuted", "confirmed"],
        ["JAX712", "matmul-operator", "not-runnable"],
    ]
    assert lines[3] == "JAX101, JAX 0.10.2, refuted: another: why"
    assert "| JAX101 branch-on-traced | refuted | confirmed |" in matrix.markdown(verdicts)


def test_versions_of_a_rule(tmp_path: Path) -> None:
    for jax, verdict in (("0.9.1", CONFIRMED), ("0.10.2", REFUTED)):
        evidence.record([replace(FIRST, jax=jax, verdict=verdict), SECOND], "3.11.7", tmp_path)
    assert list(evidence.by_version("JAX101", tmp_path).items()) == [
        ("0.10.2", REFUTED),
        ("0.9.1", CONFIRMED),
    ]
    assert evidence.by_version("JAX999", tmp_path) == {}


def test_the_page_of_a_rule_shows_what_jax_said() -> None:
    entry = registry().entry("matmul-operator")
    for page in (text(entry), markdown(entry)):
        assert "has the same optimised HLO" in page and "Evidence" in page and "by version of JAX: 0." in page
        assert "false: `jnp.matmul` is faster than `@`." in page
    data = as_json(entry)
    assert {row["verdict"] for row in data["evidence"]} == {CONFIRMED} and len(data["versions"]) >= 5
    assert any("times the time" in line and "which refutes" in line for line in data["folklore"])


def test_five_versions_are_recorded() -> None:
    versions = {version for entry in registry().entries for version in evidence.by_version(entry.code)}
    assert len(versions) >= 5 and "0.4.30" in versions
    assert max(map(version_of, versions)) == NEWEST_VERIFIED
