"""The table of findings in published projects is well formed, and what compares with it counts as it says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "ecosystem"))
import compare
import fetch
from compare import Finding, Reading


def test_every_project_is_pinned() -> None:
    table = fetch.projects()
    assert list(table) == sorted(table, key=str.lower)
    for project in table.values():
        assert project.kind in ("wheel", "sdist", "git")
        if project.kind == "git":
            assert project.source.startswith("https://") and len(project.version) == 40
    folders = [fetch.folder_of(project) for project in table.values()]
    assert len(set(folders)) == len(folders)


def test_every_finding_is_judged() -> None:
    rows = compare.recorded()
    names = fetch.projects().keys()
    for finding, reading in rows.items():
        assert finding.project in names
        assert not finding.code.startswith(compare.NOT_READ)
        assert reading.verdict in compare.VERDICTS
        assert reading.reported, finding
        assert reading.verdict == "unread" or reading.sentence.endswith("."), finding


def test_the_table_is_in_the_order_that_recording_writes(tmp_path: Path) -> None:
    written = tmp_path / "findings.csv"
    compare.write(compare.recorded(), written)
    assert written.read_bytes() == compare.TABLE.read_bytes()


def test_recording_adds_and_takes_away_a_label() -> None:
    stays, goes = Finding("a", "m.py", 1, 1, "JAX101"), Finding("a", "m.py", 2, 1, "JAX101")
    other, new = Finding("b", "m.py", 1, 1, "JAX301"), Finding("a", "m.py", 3, 1, "JAX501")
    rows = {
        stays: Reading("fix", ("1",), "Yes."),
        goes: Reading("false", ("1", "2"), "No."),
        other: Reading("harmless", ("1", "2"), "No."),
    }
    result = compare.updated(rows, [stays, new], {"a"}, "2")
    assert result == {
        stays: Reading("fix", ("1", "2"), "Yes."),
        goes: Reading("false", ("1",), "No."),
        other: rows[other],
        new: Reading("unread", ("2",), ""),
    }


def test_the_summary_counts_what_a_label_reports() -> None:
    rows = {
        Finding("a", "m.py", 1, 1, "JAX101"): Reading("fix", ("1",), "Yes."),
        Finding("a", "tests/m.py", 1, 1, "JAX101"): Reading("harmless", ("1",), "No."),
        Finding("a", "m.py", 2, 1, "JAX101"): Reading("false", ("2",), "No."),
    }
    assert compare.summary(rows, "1").splitlines()[2:] == [
        "| JAX101 | 1 | 1 | 0 | 0 | 2 | 50% | 0% |",
        "| all | 1 | 1 | 0 | 0 | 2 | 50% | 0% |",
        "| outside tests | 1 | 0 | 0 | 0 | 1 | 100% | 0% |",
    ]


def test_the_page_states_the_shares_of_the_table() -> None:
    page = (compare.TABLE.parent / "README.md").read_text(encoding="utf-8")
    rows = compare.recorded()
    for label in compare.labels(rows):
        assert f"## {label}" in page
        assert compare.summary(rows, label) in page


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/test_b.py", True),
        ("a/b_test.py", True),
        ("a/tests/b.py", True),
        ("conftest.py", True),
        ("a/testing.py", False),
        ("tests.py", False),
    ],
)
def test_test_code_is_known_by_its_path(path: str, expected: bool) -> None:
    assert compare.is_test(path) is expected


def test_a_folder_that_is_named_for_no_project_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="is not named for a project"):
        compare.project_of(tmp_path)
