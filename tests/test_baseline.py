"""Known findings: what a baseline hides, what it no longer matches, and how it is written and refused."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import Run, Tree

from jaxlint.diagnostic import Diagnostic, Severity, Span
from jaxlint.report.baseline import Baseline, Page

FILES = {
    "jaxlint.toml": 'select = ["ALL"]\nbaseline = "known.txt"\n',
    "a.py": "x = BRANCH\n\n\ndef f():\n    y = MATMUL\n    return y\n",
    "b/c.py": "class C:\n    def g(self):\n        return NEST\n\n    def h(self):\n        return NEST\n",
}


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


@pytest.mark.usefixtures("by_word")
class TestCommand:
    def test_written_findings_are_not_reported(self, tree: Tree, run: Run) -> None:
        root = tree(FILES)
        assert run(".").err == "jaxlint: baseline `known.txt`: no such file; --write-baseline makes it\n"
        written = run("--write-baseline", ".")
        assert (written.status, written.out, written.err) == (0, "", "jaxlint: known.txt: 4 known findings\n")
        assert lines_of(root / "known.txt") == [
            '{"jaxlint-baseline": 1}',
            '{"path": "a.py", "rule": "JAX101", "scope": "", "line": "x = BRANCH"}',
            '{"path": "a.py", "rule": "JAX712", "scope": "f", "line": "y = MATMUL"}',
            '{"path": "b/c.py", "rule": "JAX601", "scope": "C.g", "line": "return NEST"}',
            '{"path": "b/c.py", "rule": "JAX601", "scope": "C.h", "line": "return NEST"}',
        ]
        ran = run("--baseline-strict", ".")
        assert (ran.status, ran.err) == (0, "")
        assert ran.out == "All checks passed!\n4 known findings in the baseline\n"
        assert run("-q", ".").out == ""
        assert json.loads(run("--output-format", "json", ".").out) == []

    def test_moved_and_renamed_code_stays_known(self, tree: Tree, run: Run) -> None:
        root = tree(FILES)
        run("--write-baseline", ".")
        (root / "a.py").write_text(
            "import os\n\n\ndef f():\n    z = 1\n    y  =  MATMUL\n    return y + z\n\n\nx = BRANCH\n"
        )
        os.rename(root / "b", root / "d")
        assert run("--baseline-strict", ".").status == 0

    def test_new_findings_are_reported(self, tree: Tree, run: Run) -> None:
        root = tree(FILES)
        run("--write-baseline", ".")
        text = (root / "a.py").read_text()
        (root / "a.py").write_text(text + "\n\ndef other():\n    y = MATMUL\n    return y\n\n\nx = BRANCH\n")
        ran = run("--output-format", "concise", ".")
        assert ran.status == 1
        assert ran.out.splitlines()[:2] == [
            "a.py:10:9: JAX712 [*] `MATMUL` is here",
            "a.py:14:5: JAX101 `BRANCH` is here",
        ]
        assert "4 known findings in the baseline" in ran.out

    def test_gone_findings_end_a_strict_run(self, tree: Tree, run: Run) -> None:
        root = tree({**FILES, "e.py": ""})
        run("--write-baseline", ".")
        (root / "a.py").write_text("x = BRANCH\n")
        (root / "b" / "c.py").unlink()
        assert run(".").status == 0
        ran = run("--baseline-strict", ".")
        assert ran.status == 1
        assert ran.out.splitlines() == [
            "1 known finding in the baseline",
            "3 entries of the baseline are gone: `--write-baseline` takes what is gone out",
        ]
        assert ran.err.splitlines() == [
            "jaxlint: known.txt: gone: a.py: JAX712 in `f`: y = MATMUL",
            "jaxlint: known.txt: gone: b/c.py: JAX601 in `C.g`: return NEST",
            "jaxlint: known.txt: gone: b/c.py: JAX601 in `C.h`: return NEST",
        ]
        assert run("--baseline-strict", "--exit-zero", ".").status == 0
        # What the run would not have found is not gone.
        assert run("--baseline-strict", "--ignore", "JAX7", "a.py").status == 0
        assert run("--baseline-strict", "e.py").status == 0
        assert run("--baseline-strict", "--min-severity", "error", ".").status == 0
        run("--write-baseline", ".")
        assert len(lines_of(root / "known.txt")) == 2 and run("--baseline-strict", ".").status == 0

    def test_what_lies_below_the_lowest_severity_is_not_gone(self, tree: Tree, run: Run) -> None:
        """What lies above is, and is dropped: a baseline kept with `--min-severity` does not only grow."""
        root = tree(FILES)
        run("--write-baseline", ".")
        (root / "a.py").write_text("x = 1\n")
        ran = run("--baseline-strict", "--min-severity", "error", ".")
        assert ran.status == 1
        assert ran.err == "jaxlint: known.txt: gone: a.py: JAX101: x = BRANCH\n"
        run("--write-baseline", "--min-severity", "error", ".")
        assert not [line for line in lines_of(root / "known.txt") if "JAX101" in line]
        assert [line for line in lines_of(root / "known.txt") if "JAX712" in line]

    def test_writing_for_some_files_keeps_the_others(self, tree: Tree, run: Run) -> None:
        root = tree(FILES)
        run("--write-baseline", ".")
        (root / "a.py").write_text("x = BRANCH\nz = BRANCH\n")
        before = lines_of(root / "known.txt")
        run("--write-baseline", "a.py")
        assert [line for line in lines_of(root / "known.txt") if "b/c.py" in line] == before[3:]
        assert len(lines_of(root / "known.txt")) == 5 and run(".").status == 0

    @pytest.mark.parametrize(
        "flags", [["--select", "JAX6"], ["--min-severity", "error"], ["--ignore", "JAX1"]]
    )
    def test_writing_for_some_rules_keeps_the_others(self, tree: Tree, run: Run, flags: list[str]) -> None:
        root = tree(FILES)
        run("--write-baseline", ".")
        before = lines_of(root / "known.txt")
        run("--write-baseline", *flags, ".")
        assert lines_of(root / "known.txt") == before

    @pytest.mark.parametrize(
        "odd", ["\u2028", "\x85", "\x0b", "\x1c", "\u00e9", "\U0001f600", '"', "\\", "\t"]
    )
    def test_odd_characters_come_back(self, tree: Tree, run: Run, odd: str) -> None:
        tree({**FILES, f"n{odd}n.py": f"x = (BRANCH, {odd!a}, '{odd if odd.isprintable() else ''}')\n"})
        assert run("--write-baseline", ".").status == 0
        assert run("--baseline-strict", ".").status == 0

    def test_known_findings_are_not_fixed(self, tree: Tree, run: Run) -> None:
        root = tree(FILES)
        run("--write-baseline", ".")
        assert run("--fix", ".").status == 0 and (root / "a.py").read_text() == FILES["a.py"]
        (root / "a.py").write_text(FILES["a.py"] + "\n\nz = MATMUL\n")
        assert run("--fix", ".").status == 0
        text = (root / "a.py").read_text()
        assert text.count("MATMUL") == 1 and text.startswith(FILES["a.py"])

    def test_flag_names_another_file(self, tree: Tree, run: Run) -> None:
        root = tree({**FILES, "jaxlint.toml": ""})
        assert run("--select", "ALL", "--baseline", "x/k.txt", "--write-baseline", ".").status == 2
        assert run("--select", "ALL", "--baseline", "k.txt", "--write-baseline", ".").status == 0
        assert run("--select", "ALL", "--baseline", "k.txt", "b").status == 0
        assert run("--select", "ALL", "b").status == 1 and (root / "k.txt").exists()

    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (["--write-baseline", "--fix", "."], "--write-baseline does not go with --fix"),
            (["--write-baseline", "-"], "--write-baseline does not go with `-` (standard input)"),
        ],
    )
    def test_does_not_go_together(self, tree: Tree, run: Run, args: list[str], message: str) -> None:
        tree(FILES)
        ran = run(*args)
        assert ran.status == 2 and message in ran.err

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (b"", "not a baseline of jaxlint"),
            (b"[]\n", "not a baseline of jaxlint"),
            (b"[" * 100_000, "not a baseline of jaxlint"),
            (b"\xff\xfe", "not UTF-8"),
            (b'{"jaxlint-baseline": 2}\n', "a newer jaxlint wrote it (format 2)"),
            (b'{"jaxlint-baseline": 1}\n<<<<<<< ours\n', "line 2: a merge conflict is left in it"),
            (b'{"jaxlint-baseline": 1}\n\n{"path": "a.py"}\n', "line 3: not an entry"),
            (
                b'{"jaxlint-baseline": 1}\n{"path": "a", "rule": "b", "scope": "", "line": "", "count": 0}\n',
                "line 2: not an entry",
            ),
        ],
    )
    def test_bad_file_is_one_line(self, tree: Tree, run: Run, text: bytes, message: str) -> None:
        root = tree(FILES)
        (root / "known.txt").write_bytes(text)
        for flags in ((), ("--write-baseline",)):
            ran = run(*flags, ".")
            assert (ran.status, ran.out) == (2, "")
            assert ran.err.startswith("jaxlint: baseline `known.txt`") and ran.err.count("\n") == 1
            assert message in ran.err and (root / "known.txt").read_bytes() == text

    def test_folder_is_no_baseline(self, tree: Tree, run: Run) -> None:
        root = tree(FILES)
        (root / "known.txt").mkdir()
        ran = run(".")
        assert ran.status == 2 and ran.err.startswith("jaxlint: baseline `known.txt`: ")


def test_syntax_errors_are_not_hidden(tree: Tree, run: Run) -> None:
    tree({"jaxlint.toml": 'baseline = "known.txt"', "a.py": "import jax\nx = (\n"})
    written = run("--write-baseline", ".")
    assert written.status == 0
    assert written.err.startswith("jaxlint: a.py:2: not in the baseline: JAX001 ")
    ran = run(".")
    assert ran.status == 1 and "JAX001" in ran.out


def test_files_that_do_not_parse_keep_their_entries(tree: Tree, run: Run) -> None:
    branch = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"
    root = tree({"jaxlint.toml": 'baseline = "known.txt"', "a.py": branch})
    run("--write-baseline", ".")
    before = lines_of(root / "known.txt")
    (root / "a.py").write_text("x = (\n")
    ran = run("--baseline-strict", ".")
    assert (ran.status, ran.err) == (1, "") and "JAX001" in ran.out
    run("--write-baseline", ".")
    assert len(before) == 2 and lines_of(root / "known.txt") == before


@pytest.mark.skipif(shutil.which("git") is None, reason="git merges the files")
def test_fixes_of_different_findings_merge(tmp_path: Path) -> None:
    names = [f"{name}.py" for name in "abcdefgh"]
    for branch, fixed in (("base", ""), ("ours", "b"), ("theirs", "f")):
        baseline = Baseline(str(tmp_path / "known.txt"))
        baseline.put(
            baseline.entries([found_at(str(tmp_path / name), 1) for name in names if name[0] != fixed], Page),
            lambda *_: True,
        )
        (tmp_path / branch).write_text(baseline.text())
    command = ["git", "merge-file", "-p", "ours", "base", "theirs"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    (tmp_path / "known.txt").write_text(done.stdout)
    merged = Baseline.read(str(tmp_path / "known.txt"))
    assert [entry.path for entry in sorted(merged.counts)] == [name for name in names if name[0] not in "bf"]


def found_at(name: str, row: int, code: str = "JAX101") -> Diagnostic:
    return Diagnostic(os.path.abspath(name), Span(row, 1, row, 2), code, "a-rule", Severity.ERROR, "wrong")


def _program(chance: random.Random) -> list[list[str]]:
    """Functions, each a list of rows; a row with `bad` is a finding."""
    return [
        [
            f"def f{number}():",
            *(f"    {chance.choice(['x = bad', 'y = bad + 1', 'z = 1'])}" for _ in range(4)),
        ]
        for number in range(5)
    ]


def _findings(path: str, text: str) -> list[Diagnostic]:
    rows = enumerate(text.splitlines(), 1)
    return [found_at(path, row) for row, line in rows if "bad" in line]


@pytest.mark.parametrize("seed", range(40))
def test_law_edits_elsewhere_report_what_is_new(tmp_path: Path, seed: int) -> None:
    """Rows put in, functions moved and the file renamed report nothing; findings put in are reported, as many
    as there are."""
    chance = random.Random(seed)
    functions = _program(chance)
    before = tmp_path / "a.py"
    before.write_text("\n".join(map("\n".join, functions)))
    baseline = Baseline(str(tmp_path / "known.txt"))
    text = before.read_text()
    baseline.put(baseline.entries(_findings(str(before), text), lambda path: Page(text)), lambda *_: True)
    (tmp_path / "known.txt").write_text(baseline.text())

    new = 0
    for function in functions:
        for _ in range(chance.randrange(3)):
            function.insert(
                chance.randrange(1, len(function) + 1), chance.choice(["", "    # note", "    w = 2"])
            )
        if chance.random() < 0.3:
            function.insert(
                chance.randrange(1, len(function) + 1), chance.choice(["    x = bad", "    v = bad"])
            )
            new += 1
    chance.shuffle(functions)
    after = before
    if chance.random() < 0.5:
        before.unlink()
        after = tmp_path / "b.py"
    text = "\n".join(map("\n".join, functions))
    after.write_text(text)
    found = Baseline.read(str(tmp_path / "known.txt")).match(
        _findings(str(after), text), lambda path: Page(text), lambda entry, path: True
    )
    assert (len(found[0]), *found[1:]) == (new, baseline.counts.total(), ())
