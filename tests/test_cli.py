"""The command line: what each flag does, what is printed where, and the exit status."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from conftest import Run, Tree

import jaxlint
from jaxlint.cli.check import command as CHECK
from jaxlint.cli.main import COMMANDS
from jaxlint.cli.report import Report
from jaxlint.diagnostic import Diagnostic, Edit, Fix, Severity, Span
from jaxlint.project import discovery
from jaxlint.project.option import FORMATS
from jaxlint.session import pipeline

MARKED = {"pyproject.toml": ""}
THREE = {**MARKED, "a.py": "x = 1\ny = BRANCH\nz = MATMUL\n", "b/c.py": "NEST = 1\n"}
ALL = ("--select", "ALL")


@pytest.mark.usefixtures("by_word")
class TestReport:
    def test_bare_paths_mean_check(self, tree: Tree, run: Run) -> None:
        tree(THREE)
        assert run("a.py") == run("check", "a.py")
        assert run() == run("check", ".")

    def test_concise_away_from_a_terminal(self, tree: Tree, run: Run) -> None:
        tree(THREE)
        ran = run(*ALL, ".")
        assert ran.status == 1 and ran.err == ""
        assert ran.out.splitlines() == [
            "a.py:2:5: JAX101 `BRANCH` is here",
            "a.py:3:5: JAX712 [*] `MATMUL` is here",
            "b/c.py:1:1: JAX601 `NEST` is here",
            "3 findings: 1 error, 1 warning, 1 info",
            "[*] 1 fixable with `--fix`, 1 more with `--unsafe-fixes`",
        ]

    def test_clean(self, tree: Tree, run: Run) -> None:
        tree({**MARKED, "a.py": "x = 1\n"})
        ran = run(".")
        assert run("--no-cache", "-j", 2, "--cache-dir", "c", "--color", "auto", ".") == ran
        assert (ran.status, ran.out, ran.err) == (0, "All checks passed!\n", "")
        assert run("-q", ".").out == ""

    def test_a_file_is_reported_as_in_its_project(self, tree: Tree, run: Run) -> None:
        tree(THREE)
        whole = run(*ALL, "-q", ".").out.splitlines()
        assert run(*ALL, "-q", "b/c.py").out.splitlines() == [
            line for line in whole if line.startswith("b/c.py")
        ]

    def test_json(self, tree: Tree, run: Run) -> None:
        root = tree(THREE)
        rows = json.loads(run(*ALL, "--output-format", "json", ".").out)
        assert [row["code"] for row in rows] == ["JAX101", "JAX712", "JAX601"]
        assert rows[0]["filename"] == str(root / "a.py")
        assert rows[0]["location"] == {"row": 2, "column": 5} and rows[0]["noqa_row"] == 2

    @pytest.mark.parametrize("name", FORMATS)
    def test_every_format_is_printed_or_said_to_be_missing(self, tree: Tree, run: Run, name: str) -> None:
        tree(THREE)
        ran = run(*ALL, "--output-format", name, ".")
        if ran.status == 2:
            assert ran.err == f"jaxlint: the output format `{name}` is not in this release\n"
        else:
            assert ran.status == 1 and "JAX101" in ran.out

    def test_unknown_format(self, tree: Tree, run: Run) -> None:
        tree(THREE)
        ran = run("--output-format", "jsn", ".")
        assert ran.status == 2 and ran.err.count("\n") == 1 and "did you mean `json`?" in ran.err

    def test_output_file(self, tree: Tree, run: Run) -> None:
        root = tree(THREE)
        ran = run("--output-format", "json", "--output-file", "out.json", ".")
        assert (ran.status, ran.out) == (1, "")
        assert len(json.loads((root / "out.json").read_text())) == 2
        ran = run("--output-file", "no/such/folder", ".")
        assert ran.status == 2 and ran.err.count("\n") == 1

    def test_output_format_from_the_configuration(self, tree: Tree, run: Run) -> None:
        tree({**THREE, "jaxlint.toml": 'output-format = "json"'})
        assert json.loads(run("a.py").out)

    def test_color(self, tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        tree(THREE)
        assert "\x1b[" not in run(".").out
        assert "\x1b[" in run("--color", "always", ".").out
        monkeypatch.setenv("NO_COLOR", "1")
        assert "\x1b[" not in run("--color", "never", ".").out

    def test_statistics(self, tree: Tree, run: Run) -> None:
        tree({**THREE, "d.py": "BRANCH\nBRANCH\n"})
        ran = run(*ALL, "-q", "--statistics", ".")
        assert ran.status == 1
        assert ran.out.splitlines() == [
            "3  JAX101  [ ]  branch-on-traced",
            "1  JAX601  [ ]  vmap-of-jit",
            "1  JAX712  [*]  matmul-operator",
        ]
        rows = json.loads(run(*ALL, "--statistics", "--output-format", "json", ".").out)
        assert rows[0] == {
            "code": "JAX101",
            "name": "branch-on-traced",
            "count": 3,
            "fixable": False,
            "fixable_count": 0,
        }
        assert run("--statistics", "--output-format", "github", ".").status == 2
        coloured = run(*ALL, "-q", "--statistics", "--color", "always", ".").out
        assert click.unstyle(coloured) == ran.out and "\x1b[36m[*]" in coloured

    def test_statistics_of_a_rule_with_some_fixes(self, tree: Tree, run: Run) -> None:
        root = tree({**MARKED, "a.py": "MATMUL\nMATMUL\nNEST\nNEST\n", "b.py": "'MATMUL'\n"})
        (root / "pyproject.toml").write_text('[tool.jaxlint]\nextend-unsafe-fixes = ["JAX712"]\n')
        statistics = (*ALL, "-q", "--statistics", ".")
        assert "[*]  matmul-operator" not in run(*statistics).out
        assert "[*]  matmul-operator" in run(*statistics, "--unsafe-fixes").out
        line = run(*statistics, "--output-format", "json-lines").out.splitlines()[0]
        assert json.loads(line)["fixable_count"] == 0
        assert run("--statistics", "--output-format", "json", "--select", "JAX201", ".").out == "[]\n"

    def test_the_marker_of_statistics(self) -> None:
        fix = Fix("safe", "", (Edit(Span(1, 1, 1, 2), "y"),))
        with_fix, without = (
            Diagnostic("/a.py", Span(1, 1, 1, 2), "JAX712", "matmul-operator", Severity.INFO, "m", fix=given)
            for given in (fix, None)
        )
        stream = io.StringIO()
        report = Report("full", stream, False, False, False, lambda filename, cell: None)
        report.statistics([with_fix, with_fix, without])
        assert stream.getvalue() == "3  JAX712  [-]  matmul-operator\n"

    def test_min_severity(self, tree: Tree, run: Run) -> None:
        tree(THREE)
        codes = {"error": {"JAX101"}, "warning": {"JAX101", "JAX601"}, "info": {"JAX101", "JAX601", "JAX712"}}
        for lowest, expected in codes.items():
            out = run(*ALL, "--output-format", "json", "--min-severity", lowest, ".").out
            assert {row["code"] for row in json.loads(out)} == expected
        assert run("--select", "JAX712", "--min-severity", "error", ".").status == 0

    def test_severity_setting(self, tree: Tree, run: Run) -> None:
        tree({**THREE, "jaxlint.toml": 'severity = {JAX101 = "info", pedantic = "error"}'})
        rows = json.loads(run(*ALL, "--output-format", "json", "a.py").out)
        assert [row["severity"] for row in rows] == ["info", "error"]

    def test_per_file_ignores(self, tree: Tree, run: Run) -> None:
        tree(THREE)
        assert run("--per-file-ignores", "a.py:JAX1,b/*:JAX6", ".").status == 0
        assert run("--per-file-ignores", "!b/*:JAX101,{b,c}/*:vmap-of-jit", ".").status == 0
        ran = run("--per-file-ignores", "a.py", ".")
        assert ran.status == 2 and "`a.py` is not GLOB:SELECTOR" in ran.err

    def test_extended_per_file_ignores_and_include(self, tree: Tree, run: Run) -> None:
        root = tree({**THREE, "jaxlint.toml": 'extend-include = ["*.pyw"]', "d.pyw": "BRANCH\n"})
        (root / "jaxlint.toml").write_text(
            'extend-include = ["*.pyw"]\n[per-file-ignores]\n"a.py" = ["JAX1"]\n'
            '[extend-per-file-ignores]\n"b/*" = ["JAX601"]\n'
        )
        flags = (*ALL, "-q", "--extend-per-file-ignores", "a.py:matmul-operator")
        assert [line.split()[0] for line in run(*ALL, "-q", ".").out.splitlines()] == [
            "a.py:3:5:",
            "d.pyw:1:1:",
        ]
        assert run(*flags, ".").out.startswith("d.pyw:1:1: JAX101")
        assert run("--extend-per-file-ignores", "a.py", ".").status == 2

    def test_silent(self, tree: Tree, run: Run) -> None:
        tree(THREE)
        assert (ran := run("-s", "-v", ".")).status == 1 and (ran.out, ran.err) == ("", "")
        assert (ran := run("--silent", "none.py")).status == 2 and ran.err.count("\n") == 1
        assert run("-s", "-o", "out.txt", ".").out == "" and "JAX101" in Path("out.txt").read_text()
        ran = run("-s", "--select", "JAX712", "--fix", "-", stdin=b"MATMUL\n")
        assert (ran.out, ran.err) == ("matmul\n", "")

    def test_comments(self, tree: Tree, run: Run) -> None:
        tree(
            {
                **MARKED,
                "a.py": "BRANCH  # jaxlint: ignore[JAX101]\nx = 1  # jaxlint: ignore[branch-on-traced]\n# jaxlint: ignore[JAX999]\n",
            }
        )
        ran = run("-q", ".")
        assert [line.split()[1] for line in ran.out.splitlines()] == ["JAX011", "JAX012"]
        assert "a.py:1:1: JAX101" in run("--ignore-noqa", "-q", ".").out
        assert run("--select", "JAX101", ".").status == 0
        # An ignore whose finding is only hidden by severity is not unused.
        assert "a.py:1" not in run("--config", "severity.JAX101='info'", "--min-severity", "warning", ".").out

    def test_exit_zero(self, tree: Tree, run: Run) -> None:
        tree(THREE)
        assert run("--exit-zero", ".").status == 0
        assert run("--exit-zero", "--select", "NOPE", ".").status == 2

    def test_no_files(self, tree: Tree, run: Run) -> None:
        tree({**MARKED, "a.txt": ""})
        ran = run(".")
        assert (ran.status, ran.out) == (0, "All checks passed!\n")
        assert ran.err == "jaxlint: no Python files found under `.`\n"

    def test_internal_error_in_a_file(self, tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        root = tree(THREE)
        by_word = pipeline.analyze_component
        path = str(root / "a.py")
        failure = Diagnostic(
            path, Span(1, 1, 1, 1), "JAX003", "internal-error", Severity.ERROR, "RuntimeError"
        )

        def analyze_component(*given: Any, **options: Any) -> list[Diagnostic]:
            return [*by_word(*given, **options), failure]

        monkeypatch.setattr(pipeline, "analyze_component", analyze_component)
        ran = run("--exit-zero", "--select", "JAX6", ".")
        assert ran.status == 2
        assert "JAX003" in ran.out and "b/c.py:1:1: JAX601" in ran.out

    def test_internal_error_of_the_run(self, tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        tree(THREE)

        def find_projects(*_: object, **__: object) -> list[object]:
            raise RuntimeError("first line\nsecond line")

        monkeypatch.setattr(discovery, "find_projects", find_projects)
        ran = run(".")
        assert ran.status == 2 and ran.err.count("\n") == 1
        assert "internal error: RuntimeError: first line" in ran.err
        assert "Traceback" in run("-v", ".").err


@pytest.mark.usefixtures("by_word")
class TestFix:
    def test_safe(self, tree: Tree, run: Run) -> None:
        root = tree(THREE)
        ran = run(*ALL, "--fix", ".")
        assert ran.status == 1
        assert (root / "a.py").read_text() == "x = 1\ny = BRANCH\nz = matmul\n"
        assert (root / "b" / "c.py").read_text() == "NEST = 1\n"
        assert "1 finding fixed; 2 findings left: 1 error, 1 warning" in ran.out
        assert run("--fix", "--select", "JAX7", ".").status == 0

    def test_unsafe(self, tree: Tree, run: Run) -> None:
        root = tree(THREE)
        ran = run(*ALL, "--fix", "--unsafe-fixes", "--show-fixes", "--ignore", "JAX101", ".")
        assert ran.status == 0
        assert (root / "b" / "c.py").read_text() == "nest = 1\n"
        assert ran.out.splitlines() == [
            "a.py:",
            "  1 x JAX712 matmul-operator",
            "b/c.py:",
            "  1 x JAX601 vmap-of-jit",
            "2 findings fixed",
        ]

    def test_exit_non_zero_on_fix(self, tree: Tree, run: Run) -> None:
        tree(THREE)
        flags = ("--select", "JAX712", "--fix", "--exit-non-zero-on-fix", ".")
        assert [run(*flags).status, run(*flags).status] == [1, 0]

    def test_fix_only(self, tree: Tree, run: Run) -> None:
        root = tree(THREE)
        ran = run(*ALL, "--fix-only", ".")
        assert (ran.status, ran.out, ran.err) == (0, "", "jaxlint: 1 fix applied\n")
        assert "matmul" in (root / "a.py").read_text()

    def test_diff(self, tree: Tree, run: Run) -> None:
        root = tree(THREE)
        ran = run(*ALL, "--diff", ".")
        assert ran.status == 1
        assert ran.out.splitlines()[:2] == ["--- a/a.py", "+++ b/a.py"]
        assert "-z = MATMUL\n+z = matmul\n" in ran.out
        assert (root / "a.py").read_text() == THREE["a.py"]
        assert run(*ALL, "--diff", "b").status == 0

    def test_fixable_and_unfixable(self, tree: Tree, run: Run) -> None:
        root = tree(THREE)
        for flags in (("--fixable", "JAX6"), ("--unfixable", "matmul-operator")):
            assert "1 fixable with `--fix --unsafe-fixes`" in run(*ALL, "--fix", *flags, ".").out
        assert (root / "a.py").read_text() == THREE["a.py"]

    def test_extend_fixable(self, tree: Tree, run: Run) -> None:
        root = tree({**THREE, "jaxlint.toml": 'fixable = ["JAX6"]\nextend-fixable = ["JAX712"]\n'})
        run(*ALL, "--fix", "--unfixable", "JAX712", ".")
        assert (root / "a.py").read_text() == THREE["a.py"]
        run(*ALL, "--fix", ".")
        assert "matmul" in (root / "a.py").read_text()
        (root / "a.py").write_text(THREE["a.py"])
        (root / "jaxlint.toml").write_text('fixable = ["JAX6"]\n')
        run(*ALL, "--fix", "--extend-fixable", "matmul-operator", ".")
        assert "matmul" in (root / "a.py").read_text()

    def test_settings_turn_fixes_on(self, tree: Tree, run: Run) -> None:
        root = tree({**THREE, "jaxlint.toml": "fix = true\nunsafe-fixes = true\nshow-fixes = true\n"})
        assert run(*ALL, "--no-fix", "--no-show-fixes", ".").out.count(" is here") == 3
        assert "[*] JAX" not in run(*ALL, "--no-fix", "--no-unsafe-fixes", "b").out
        assert run(*ALL, "--add-ignore", "b").status == 0
        (root / "b" / "c.py").write_text("NEST = 1\n")
        out = run(*ALL, ".").out
        assert "  1 x JAX712 matmul-operator\n" in out and "2 findings fixed; 1 finding left" in out
        assert (root / "b" / "c.py").read_text() == "nest = 1\n"
        (root / "a.py").write_text(THREE["a.py"])
        (root / "jaxlint.toml").write_text("fix-only = true\n")
        assert run(*ALL, "--no-fix", ".").out.count(" is here") == 2
        assert run(*ALL, "--no-fix-only", ".").out.count(" is here") == 2
        assert (root / "a.py").read_text() == THREE["a.py"]
        assert run(*ALL, ".").out == ""
        assert "matmul" in (root / "a.py").read_text()

    def test_extend_safe_and_unsafe(self, tree: Tree, run: Run) -> None:
        root = tree(
            {**THREE, "jaxlint.toml": 'extend-safe-fixes = ["JAX601"]\nextend-unsafe-fixes = ["JAX712"]'}
        )
        run(*ALL, "--fix", ".")
        assert (root / "a.py").read_text() == THREE["a.py"]
        assert (root / "b" / "c.py").read_text() == "nest = 1\n"

    def test_hidden_findings_are_not_fixed(self, tree: Tree, run: Run) -> None:
        root = tree({**MARKED, "a.py": "MATMUL  # jaxlint: ignore[JAX712]\nMATMUL\n"})
        assert run(*ALL, "--fix", ".").status == 0
        assert (root / "a.py").read_text() == "MATMUL  # jaxlint: ignore[JAX712]\nmatmul\n"

    def test_only_named_files_are_fixed(self, tree: Tree, run: Run) -> None:
        root = tree({**MARKED, "a.py": "MATMUL\n", "b.py": "MATMUL\n"})
        run(*ALL, "--fix", "a.py")
        assert (root / "a.py").read_text() + (root / "b.py").read_text() == "matmul\nMATMUL\n"

    def test_add_ignore(self, tree: Tree, run: Run) -> None:
        root = tree(THREE)
        ran = run(*ALL, "--add-ignore", ".")
        assert ran.status == 0 and "3 findings" in ran.err
        assert (root / "a.py").read_text().splitlines()[1].endswith("# jaxlint: ignore[JAX101]")
        assert run(*ALL, ".").status == 0

    def test_add_ignore_with_a_reason(self, tree: Tree, run: Run) -> None:
        root = tree({**THREE, "d.py": "NEST; BRANCH  # jaxlint: ignore[JAX101] -- mine\n"})
        ran = run(*ALL, "--add-ignore=see #12, [old] C#: ä", ".")
        assert ran.status == 0 and "4 findings" in ran.err
        assert (root / "a.py").read_text(encoding="utf-8").splitlines() == [
            "x = 1",
            "y = BRANCH  # jaxlint: ignore[JAX101] -- see #12, [old] C#: ä",
            "z = MATMUL  # jaxlint: ignore[JAX712] -- see #12, [old] C#: ä",
        ]
        assert (root / "d.py").read_text() == "NEST; BRANCH  # jaxlint: ignore[JAX101, JAX601] -- mine\n"
        assert run(*ALL, ".").status == 0

    def test_add_noqa(self, tree: Tree, run: Run) -> None:
        root = tree(
            {
                "pyproject.toml": "[tool.jaxlint]\nfix = true\n",
                "a.py": "BRANCH  # noqa: E501\nf(\n    MATMUL, NEST\n)\nNEST  # jaxlint: ignore[JAX101] -- x\n",
            }
        )
        ran = run(*ALL, "--ignore", "JAX011", "--add-noqa=see #12: JAX712", ".")
        assert ran.status == 0 and "4 findings" in ran.err
        assert (root / "a.py").read_text().splitlines() == [
            "BRANCH  # noqa: E501, JAX101",
            "f(",
            "    MATMUL, NEST",
            ")  # noqa: JAX601, JAX712 -- see #12: JAX712",
            "NEST  # jaxlint: ignore[JAX101] -- x  # noqa: JAX601 -- see #12: JAX712",
        ]
        assert run(*ALL, "--no-fix", "--ignore", "JAX011", ".").out == "All checks passed!\n"
        assert run("--add-noqa", "--add-ignore", ".").status == 2
        assert run("--add-noqa", "--fix", ".").status == 2

    def test_add_ignore_takes_no_path_for_a_reason(self, tree: Tree, run: Run) -> None:
        root = tree(THREE)
        assert run(*ALL, "--add-ignore", "a.py").err == "jaxlint: ignore comments added for 2 findings\n"
        assert (root / "b/c.py").read_text() == "NEST = 1\n" and "--" not in (root / "a.py").read_text()
        assert run(*ALL, "--add-ignore=  ", ".").status == 0
        assert (root / "b/c.py").read_text() == "NEST = 1  # jaxlint: ignore[JAX601]\n"
        assert run("--", "--add-ignore").err == "jaxlint: no such file or folder: `--add-ignore`\n"

    @pytest.mark.parametrize(
        "reason",
        [
            "a\nimport os",
            "a\rb",
            "a\x0cb",
            "a\u2028b",
            "a\u202eb",
            "# noqa",
            "x #NOQA:E501",
            "# jaxlint: disable[JAX101]",
        ],
    )
    def test_a_reason_that_would_say_more(self, tree: Tree, run: Run, reason: str) -> None:
        root = tree(THREE)
        ran = run(*ALL, f"--add-ignore={reason}", ".")
        assert ran.status == 2 and ran.err.startswith("jaxlint: --add-ignore: ") and ran.err.count("\n") == 1
        assert (root / "a.py").read_text() == THREE["a.py"]

    def test_a_reason_that_the_encoding_of_a_file_lacks(self, tree: Tree, run: Run) -> None:
        root = tree({**MARKED, "a.py": "# coding: ascii\nBRANCH\n", "b.py": "BRANCH\n"})
        ran = run(*ALL, "--add-ignore=für später", ".")
        assert ran.status == 2 and "a.py: not changed: its encoding ascii has no '\\xfc'" in ran.err
        assert (root / "a.py").read_text() == "# coding: ascii\nBRANCH\n"
        assert "für später" in (root / "b.py").read_text(encoding="utf-8")

    def test_bytes_of_a_file_are_kept(self, tree: Tree, run: Run) -> None:
        root = tree(MARKED)
        path = root / "a.py"
        path.write_bytes(b"\xef\xbb\xbfx = '\xc3\xa9'\r\ny = MATMUL")
        path.chmod(0o750)
        assert run(*ALL, "--fix", ".").status == 0
        assert path.read_bytes() == b"\xef\xbb\xbfx = '\xc3\xa9'\r\ny = matmul"
        assert path.stat().st_mode & 0o777 == 0o750


@pytest.mark.usefixtures("by_word")
class TestStdin:
    def test_without_a_name(self, tree: Tree, run: Run) -> None:
        tree(MARKED)
        ran = run("-", stdin=b"x = BRANCH\n")
        assert ran.status == 1 and ran.out.startswith("-:1:5: JAX101 ")
        assert json.loads(run("-", "--output-format", "json", stdin=b"BRANCH").out)[0]["filename"] == "-"
        assert "x = BRANCH" in run("-", "--output-format", "full", stdin=b"x = BRANCH\n").out

    def test_with_a_name_it_stands_for_the_file(self, tree: Tree, run: Run) -> None:
        tree({**THREE, "jaxlint.toml": 'per-file-ignores = {"b/*" = ["JAX101"]}'})
        ran = run("--stdin-filename", "b/c.py", "-", stdin=b"BRANCH\nNEST\n")
        assert ran.out.startswith("b/c.py:2:1: JAX601 ") and "JAX101" not in ran.out
        assert run("--stdin-filename", "a.py", stdin=b"").status == 0

    def test_fix(self, tree: Tree, run: Run) -> None:
        root = tree(THREE)
        ran = run(*ALL, "--fix", "--stdin-filename", "a.py", "-", stdin=b"MATMUL\r\nBRANCH\r\n")
        assert (ran.status, ran.out) == (1, "matmul\r\nBRANCH\r\n")
        assert "a.py:2:1: JAX101" in ran.err
        assert (root / "a.py").read_text() == THREE["a.py"]
        assert run("--fix", "-", stdin=b"x = 1\n").out == "x = 1\n"

    def test_diff(self, tree: Tree, run: Run) -> None:
        tree(THREE)
        ran = run(*ALL, "--diff", "--stdin-filename", "a.py", "-", stdin=b"MATMUL\n")
        assert ran.status == 1 and "-MATMUL\n+matmul\n" in ran.out

    def test_with_other_paths(self, tree: Tree, run: Run) -> None:
        tree(THREE)
        ran = run("-", "a.py")
        assert ran.status == 2 and ran.err.count("\n") == 1

    def test_excluded_name(self, tree: Tree, run: Run) -> None:
        tree(MARKED)
        flags = (*ALL, "--force-exclude", "--fix", "--stdin-filename", "build/a.py", "-")
        ran = run(*flags, stdin=b"MATMUL\n")
        assert (ran.status, ran.out) == (0, "MATMUL\n")


class TestShow:
    def test_files(self, tree: Tree, run: Run) -> None:
        root = tree(THREE)
        assert run("--show-files", "b", "a.py").out.splitlines() == [
            str(root / "a.py"),
            str(root / "b" / "c.py"),
        ]

    def test_settings(self, tree: Tree, run: Run) -> None:
        root = tree(
            {**THREE, "jaxlint.toml": 'ignore = ["JAX3"]\npreview = true\n[jax]\nkey-sinks = ["a.b"]'}
        )
        out = run("--show-settings", "--target-jax", "0.6", "a.py").out
        assert f"# configuration file: {root / 'jaxlint.toml'}" in out
        for line in (
            'ignore = ["JAX3"]',
            "preview = true",
            'jax.key-sinks = ["a.b"]',
            "target = jax 0.6.0 to 0.6.*",
        ):
            assert line in out.splitlines()

    def test_verbose(self, tree: Tree, run: Run) -> None:
        root = tree(THREE)
        assert (
            f"jaxlint: project {root} (no configuration file): 2 files, 1 reported" in run("-v", "a.py").err
        )

    def test_verbose_counts_limits(self, tree: Tree, run: Run) -> None:
        branches = "".join(f"    elif n == {number}:\n        v = {number}\n" for number in range(1, 9))
        tree({"a.py": f"import jax\n\n\ndef f(n):\n    if n == 0:\n        v = 0\n{branches}    return v\n"})
        err = run("-v", "-n", "a.py").err
        assert "limits of the analysis that were reached, and how often: options (at most 6): " in err
        assert "limits" not in run("-n", "a.py").err


class TestUsage:
    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (["--selct", "JAX1"], "--selct"),
            (["--select"], "--select"),
            (["--min-severity", "fatal"], "fatal"),
            (["--jobs", "many"], "many"),
            (["--baseline", "b.json"], "baseline `b.json`: no such file; --write-baseline makes it"),
            (["--write-baseline"], "--write-baseline needs --baseline FILE or the setting `baseline`"),
            (["--baseline-strict"], "--baseline-strict needs --baseline FILE or the setting `baseline`"),
            (["--config", "none.toml"], "no configuration file `none.toml`"),
            (["--config", "selct=[]"], "unknown key `selct`; did you mean `select`?"),
            (["--config", "select=[1"], "--config `select=[1`"),
            (["--select", "branch-on-trace"], "did you mean `branch-on-traced`?"),
            (["--select", ""], "command line: --select is empty"),
            (["--per-file-ignores", ","], "command line: --per-file-ignores is empty"),
            (["--exclude", " "], "command line: --exclude is empty"),
            (["--per-file-ignores", "a.py:JAX9999"], "unknown selector `JAX9999`"),
            (["no/such/path"], "no such file or folder: `no/such/path`"),
            (["chekc", "."], "no such file or folder: `chekc`; did you mean `check`?"),
            (["--baseline", ""], "`baseline` has an empty path"),
            (["--target-jax", "99"], "`target-jax`: there is no JAX `99`; the newest that is known is 0."),
            (["confirm", "branch"], "no rule `branch`"),
            (["observe"], "Missing argument"),
            (["observe", "--root", "none", "--", "python", "a.py"], "--root: no folder `none`"),
            (
                ["observe", "--facts", "none/a.json", "--", "python", "a.py"],
                "--facts: no folder for `none/a.json`",
            ),
            (["--facts", "", "."], "`facts` has an empty path"),
            (["--only-observed", "."], "--only-observed needs --facts FILE or the setting `facts`"),
            (["--only-observed", "--fix", "."], "--only-observed does not go with --fix"),
            (["--only-observed", "--add-noqa", "."], "--only-observed does not go with --add-noqa"),
            (["new", "MyRule"], "a rule's name is of the form `jit-in-loop`, not `MyRule`"),
            (["new", "my-rule", "--code", "JAX101"], "codes with `JAX` are jaxlint's own: not `JAX101`"),
            (["rule"], "takes a code or a name, or --all"),
            (["rule", "JAX10"], "`JAX10` is the beginning of several codes: JAX101 branch-on-traced, JAX102 "),
            (["rule", "JAX98"], "no rule `JAX98`"),
            (["explain", "JAX101"], "`jaxlint --help` lists the commands"),
            (["new", "key-reuse"], "there is a rule `key-reuse` already"),
            (["rule", "key-ruse"], "did you mean `key-reuse`?"),
            (["config", "selekt"], "no setting `selekt`; did you mean `select`?"),
        ],
    )
    def test_wrong_use_is_one_line_and_status_2(
        self, tree: Tree, run: Run, args: list[str], message: str
    ) -> None:
        tree({"a.py": ""})
        ran = run(*args)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith("jaxlint: ") and ran.err.count("\n") == 1
        assert message in ran.err

    def test_environment_stands_in_for_flags(
        self, tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        root = tree({"a.py": "", "jaxlint.toml": 'output-format = "grouped"', "other.toml": "selct = 1"})
        monkeypatch.setenv("JAXLINT_OUTPUT_FORMAT", "json")
        monkeypatch.setenv("JAXLINT_CACHE_DIR", "kept")
        assert run(".").out == "[]\n" and (root / "kept").is_dir()
        assert run("--output-format", "concise", ".").out == "All checks passed!\n"
        monkeypatch.setenv("JAXLINT_OUTPUT_FORMAT", "jsn")
        assert "no format `jsn`; did you mean `json`?" in run(".").err
        monkeypatch.setenv("JAXLINT_OUTPUT_FORMAT", "")
        assert run(".").out == "All checks passed!\n"
        monkeypatch.setenv("JAXLINT_CONFIG", "other.toml")
        assert "unknown key `selct`" in run(".").err
        assert run("--isolated", ".").status == 0 and run("--config", "jaxlint.toml", ".").status == 0

    @pytest.mark.usefixtures("by_word")
    def test_environment_of_the_output_and_the_cache(
        self, tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tree({**MARKED, "a.py": "BRANCH\n"})
        monkeypatch.setenv("JAXLINT_NO_CACHE", "1")
        monkeypatch.setenv("JAXLINT_OUTPUT_FILE", "out.txt")
        assert run(".").out == "" and "JAX101" in Path("out.txt").read_text()
        assert not Path(".jaxlint_cache").exists()

    @pytest.mark.usefixtures("by_word")
    def test_a_file_of_words(self, tree: Tree, run: Run) -> None:
        tree({**THREE, "words": "--select\nJAX601\n\nb", "@c.py": "NEST\n"})
        assert run("check", "@words", "-q").out.startswith("b/c.py:1:1: JAX601")
        assert run(*ALL, "-q", "@c.py").out.startswith("@c.py:1:1: JAX601")
        assert "@none" in run("check", "@none").err

    @pytest.mark.usefixtures("by_word")
    @pytest.mark.parametrize("name", ["::error::x.py", "##vso[x]y.py"])
    def test_a_file_that_is_called_as_a_command_of_logs(self, tree: Tree, run: Run, name: str) -> None:
        tree({**MARKED, name: "BRANCH\n"})
        for format in ("concise", "pylint"):
            assert run("-n", "--output-format", format, ".").out.startswith(f"./{name}:1:")

    @pytest.mark.usefixtures("by_word")
    def test_flags_before_the_command(self, tree: Tree, run: Run) -> None:
        tree({**MARKED, "a.py": "BRANCH\n"})
        assert run("--no-cache", "check", "a.py").out == run("check", "--no-cache", "a.py").out != ""
        tree({"check": "x"})
        assert "no such" not in run("--no-cache", "check").err

    def test_help(self, run: Run) -> None:
        out = run("--help").out
        listed = out.partition("Commands:\n")[2]
        assert all(f"  {name} " in listed for name in COMMANDS)
        assert "--min-severity" in run("check", "--help").out
        for command in COMMANDS:
            assert run(command, "--help").out.startswith(f"Usage: jaxlint {command} "), command

    def test_every_flag_of_the_surface_is_accepted(self, run: Run) -> None:
        known = {name for flag in CHECK.params for name in (*flag.opts, *flag.secondary_opts)}
        flags = (
            "--select --ignore --extend-select --extend-ignore --per-file-ignores --fix --unsafe-fixes --fix-only --diff "
            "--show-fixes --fixable --unfixable --preview --exclude --extend-exclude --force-exclude "
            "--no-respect-gitignore --output-format --output-file -j --jobs -n --no-cache --cache-dir --config --isolated "
            "--stdin-filename --show-files --show-settings --statistics --add-ignore --ignore-noqa --exit-zero "
            "--extend-per-file-ignores --extend-fixable --no-fix-only --no-show-fixes -e -s --silent -w "
            "--executor --exit-non-zero-on-fix --min-severity --watch -q --quiet -v --verbose --color --baseline --write-baseline "
            "--baseline-strict --target-jax --facts --only-observed --no-plugins --extension --add-noqa"
        )
        assert set(flags.split()) <= known
        words = set(run("check", "--help").out.translate({ord(char): " " for char in ",/["}).split())
        assert not known - words


class TestCompletion:
    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_script(self, run: Run, shell: str) -> None:
        ran = run("completion", shell)
        assert ran.status == 0 and "_JAXLINT_COMPLETE" in ran.out and "jaxlint" in ran.out

    def test_unknown_shell(self, run: Run) -> None:
        ran = run("completion", "tcsh")
        assert ran.status == 2 and ran.err.count("\n") == 1

    @pytest.mark.parametrize(
        ("words", "found"),
        [
            ("jaxlint ch", ["file,ch", "plain,check"]),
            ("jaxlint --sel", ["plain,--select"]),
            ("jaxlint check --output-fi", ["plain,--output-file"]),
            ("jaxlint check --output-format sa", ["plain,sarif"]),
            ("jaxlint src --write", ["plain,--write-baseline"]),
            ("jaxlint check sr", ["file,sr"]),
            ("jaxlint completion f", ["plain,fish"]),
            ("jaxlint rule vmap", ["plain,vmap-of-jit"]),
            ("jaxlint rule JAX60", ["plain,JAX601", "plain,JAX602"]),
            ("jaxlint check --select key-reuse,susp", ["plain,key-reuse,suspicious"]),
            ("jaxlint check --ignore JAX601,JAX60", ["plain,JAX601,JAX601", "plain,JAX601,JAX602"]),
            ("jaxlint confirm tracer-l", ["plain,tracer-leak"]),
        ],
    )
    def test_words(self, words: str, found: list[str]) -> None:
        environment = {
            **os.environ,
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split()) - 1),
            "_JAXLINT_COMPLETE": "bash_complete",
        }
        program = "import sys; sys.argv = ['jaxlint']; from jaxlint.cli.main import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
        )
        assert done.stdout.splitlines() == found


class TestOtherCommands:
    def test_rule(self, run: Run) -> None:
        text = run("rule", "branch-on-traced")
        assert text.status == 0 and text.out.startswith(
            "branch-on-traced (JAX101)\n\ncorrectness, error, on by default"
        )
        page = json.loads(run("rule", "JAX101", "--output-format", "json").out)
        assert page["code"] == "JAX101" and page["examples"][0]["bad"]
        markdown = run("rule", "JAX101", "--output-format", "markdown").out
        assert markdown.startswith("# branch-on-traced (JAX101)\n") and "```python\n" in markdown

    @pytest.mark.parametrize("code", ["JAX001", "JAX002", "JAX003", "JAX011", "JAX012", "JAX013"])
    def test_the_tools_own_codes_have_pages(self, run: Run, code: str) -> None:
        assert "What it does" in run("rule", code).out

    def test_all_rules(self, run: Run) -> None:
        codes = [page["code"] for page in json.loads(run("rule", "--all", "--output-format", "json").out)]
        assert codes == sorted(codes) and {"JAX001", "JAX101", "JAX712"} <= set(codes)

    def test_config(self, run: Run) -> None:
        assert run("config", "select").out.startswith("select\n  Rules to turn on")
        assert [
            row["key"] for row in json.loads(run("config", "confirm", "--output-format", "json").out)
        ] == [
            "confirm.platforms",
            "confirm.timeout",
        ]

    def test_version(self, run: Run) -> None:
        assert run("version").out.startswith(f"jaxlint {jaxlint.__version__} (libcst ")
        assert set(json.loads(run("version", "--output-format", "json").out)) == {
            "jaxlint",
            "libcst",
            "python",
        }
        assert run("--version").out == f"jaxlint {jaxlint.__version__}\n"

    def test_clean(self, tree: Tree, run: Run) -> None:
        root = tree(
            {
                **MARKED,
                ".jaxlint_cache/CACHEDIR.TAG": "Signature: 8a\n# A cache of jaxlint; ...\n",
                "p/.jaxlint_cache/x": "",
                "p/q/.jaxlint_cache/CACHEDIR.TAG": "Signature: 8a\n# A cache of jaxlint; ...\n",
                "r/.jaxlint_cache/CACHEDIR.TAG": "Signature: 8a\n# A cache of another tool\n",
            }
        )
        assert run("clean").status == 0
        left = sorted(path.parent.name for path in root.rglob(".jaxlint_cache"))
        assert left == ["p", "r"]

    def test_clean_removes_what_a_killed_fix_left(self, tree: Tree, run: Run) -> None:
        root = tree({**MARKED, "p/.k3_a9x_z.jaxlint": "half", "p/.mine.jaxlint": "", "k3_a9x_z.jaxlint": ""})
        assert run("clean").err == f"removed p{os.sep}.k3_a9x_z.jaxlint\n"
        assert sorted(path.name for path in root.rglob("*.jaxlint")) == [".mine.jaxlint", "k3_a9x_z.jaxlint"]

    def test_clean_refuses_a_link(self, tree: Tree, run: Run) -> None:
        tag = "Signature: 8a\n# A cache of jaxlint; ...\n"
        root = tree({**MARKED, "other/CACHEDIR.TAG": tag, "p/.jaxlint_cache/CACHEDIR.TAG": tag})
        (root / ".jaxlint_cache").symlink_to(root / "other")
        ran = run("clean")
        assert ran.status == 2
        assert (
            ran.err
            == f"jaxlint: .jaxlint_cache: not removed: it is a link\nremoved p{os.sep}.jaxlint_cache\n"
        )
        assert (root / "other" / "CACHEDIR.TAG").exists()


class TestProcess:
    def started(self, *args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *args]
        return subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL
        )

    def test_module(self, tree: Tree) -> None:
        root = tree(
            {
                **MARKED,
                "a.py": "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n",
            }
        )
        ran = self.started("-m", "jaxlint", ".", cwd=root)
        assert ran.returncode == 1, ran.stderr
        assert ran.stdout.startswith("a.py:6:8: JAX101 ") and ran.stderr == ""

    def test_a_working_folder_that_is_gone(self, tmp_path: Path) -> None:
        code = f"import os; os.chdir({str(tmp_path)!r}); os.rmdir({str(tmp_path)!r});"
        code += "from jaxlint.cli.main import main; main(['check'])"
        ran = self.started("-c", code, cwd=tmp_path)
        assert (ran.returncode, ran.stderr) == (2, "jaxlint: the working folder is gone\n")

    def test_reader_that_goes_away(self, tree: Tree) -> None:
        root = tree(MARKED)
        code = "import os, sys; os.close(1); r, w = os.pipe(); assert w == 1 or os.dup2(w, 1); os.close(r);"
        code += "from jaxlint.cli.main import main; main(['rule', '--all'])"
        assert "Traceback" not in self.started("-c", code, cwd=root).stderr

    @pytest.mark.parametrize(
        ("args", "unwanted"),
        [
            (
                ["--help"],
                {"libcst", "jaxlint.rule.registry", "jaxlint.session.pipeline", "importlib.metadata"},
            ),
            (["version"], {"libcst", "jaxlint.rule.registry"}),
            (["config", "select"], {"libcst", "jaxlint.rule.registry"}),
            (["rule", "JAX101"], {"jax", "numpy"}),
            (["check", "."], {"jax", "numpy"}),
        ],
    )
    def test_what_is_imported(self, tree: Tree, args: list[str], unwanted: set[str]) -> None:
        root = tree({**MARKED, "a.py": "import jax\n"})
        code = f"import sys\nfrom jaxlint.cli.main import main\ntry: main({args!r})\nfinally: print(*sys.modules, file=sys.stderr)"
        ran = self.started("-c", code, cwd=root)
        assert ran.returncode == 0, ran.stderr
        assert not unwanted & set(ran.stderr.split())


@pytest.mark.usefixtures("by_word")
class TestLibrary:
    def test_lint(self, tree: Tree) -> None:
        root = tree(THREE)
        assert [(found.filename, found.code) for found in jaxlint.lint(root)] == [
            (str(root / "a.py"), "JAX101"),
            (str(root / "b" / "c.py"), "JAX601"),
        ]
        assert jaxlint.lint() == jaxlint.lint([root / "a.py", "b"])

    def test_settings(self, tree: Tree) -> None:
        tree({**THREE, "my_own.py": "BRANCH\n", "jaxlint.toml": "select = []"})
        assert jaxlint.lint() == []
        ignores = {"my_own.py": ["JAX101"], "b/*": ["ALL"]}
        found = jaxlint.lint(select=["ALL"], per_file_ignores=ignores, jax={"key_sinks": ["a.b"]})
        assert [row.code for row in found] == ["JAX101", "JAX712"]
        assert len(jaxlint.lint("a.py", isolated=True)) == 1

    def test_wrong_use(self, tree: Tree) -> None:
        from jaxlint.project.option import SettingsError

        tree(THREE)
        with pytest.raises(SettingsError, match="unknown key `selct`; did you mean `select`"):
            jaxlint.lint(selct=["JAX1"])
        with pytest.raises(FileNotFoundError):
            jaxlint.lint("none.py")


def test_paths_are_relative_to_the_working_folder(tree: Tree, run: Run, by_word: None) -> None:
    root = tree(THREE)
    os.chdir(root / "b")
    assert run("-q", "c.py", "../a.py").out.splitlines() == [
        f"{root / 'a.py'}:2:5: JAX101 `BRANCH` is here",
        "c.py:1:1: JAX601 `NEST` is here",
    ]


def test_selectors_of_preview_rules_alone_are_named(tree: Tree, run: Run) -> None:
    tree({"a.py": "import jax\n", "jaxlint.toml": ""})
    said = "jaxlint: selecting `{}` has no effect without `--preview` or the setting `preview`\n"
    assert run("check", "--select", "JAX210").err == said.format("JAX210")
    assert run("check", "--select", "JAX101,debug-print-of-fstring").err == said.format("debug-print-of-fstring")
    assert run("check", "--select", "JAX210", "--quiet").err == ""
    assert run("check", "--select", "JAX210", "--preview").err == ""
    assert run("check", "--select", "JAX2").err == ""
    for _ in range(2):  # a report with such selectors is not kept
        assert run("check", "--select", "JAX101,JAX210").err == said.format("JAX210")


def test_commands_of_commands_show_their_help(run: Run) -> None:
    done = run("analyze")
    assert done.status == 2
    assert "Commands:\n  traces" in done.err


def test_watch_does_not_go_with_diff(tree: Tree, run: Run) -> None:
    tree({"a.py": "import jax\n"})
    assert run("check", "--watch", "--diff").err == "jaxlint: --watch does not go with --diff\n"


def test_watch_ends_where_the_command_line_is_wrong(tree: Tree, run: Run) -> None:
    tree({"a.py": "import jax\n"})
    done = run("check", "--watch", "--select", "JAX999")
    assert (done.status, done.err) == (2, "jaxlint: command line: unknown selector `JAX999`\n")
