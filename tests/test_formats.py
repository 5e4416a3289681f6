"""`jaxlint.cli.formats`: what each format writes."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any
from xml.etree import ElementTree

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxlint.cli.formats import FORMATS, Context, format_named, render
from jaxlint.cli.formats.change import hunks_of
from jaxlint.cli.formats.frame import WIDEST, frame_of, width_of
from jaxlint.diagnostic import Diagnostic, Edit, Fix, Note, Severity, Span
from jaxlint.fixes.apply import apply_fixes
from jaxlint.source.text import Source

TEXT = 'import jax\n\n\ndef update(loss, best):\n    if loss > best:\n\t\treturn "日本", loss  # é\n'
FILE = "/p/train.py"
BRANCH = Diagnostic(
    filename=FILE,
    span=Span(5, 8, 5, 19),
    code="JAX101",
    name="branch-on-traced",
    severity=Severity.ERROR,
    message="`if` on `loss` runs while tracing: raises TracerBoolConversionError",
    help="jnp.where(loss > best, ..., ...)",
    related=(
        Note("/p/lib/run.py", Span(88, 5, 88, 12), "`jax.jit` is applied to `step`, which calls `update`"),
    ),
    label="a traced boolean",
    url="https://example.org/JAX101",
    noqa_row=5,
)
SPAN = Diagnostic(
    filename=FILE,
    span=Span(6, 10, 6, 14),
    code="JAX703",
    name="python-loop",
    severity=Severity.WARNING,
    message="a tuple, and 100 % of it",
    fix=Fix("safe", "drop it", (Edit(Span(6, 10, 6, 10), "("), Edit(Span(6, 14, 6, 14), ")"))),
)
ELSEWHERE = Diagnostic(
    filename="/q/a,b:c.ipynb",
    span=Span(1, 1, 2, 1),
    code="JAX301",
    name="key-reuse",
    severity=Severity.INFO,
    message="`key` is spent twice",
    cell=3,
    fix=Fix("unsafe", "split it", (Edit(Span(1, 1, 1, 1), "x"),)),
)
ALL = [BRANCH, SPAN, ELSEWHERE]


def context(**changes: Any) -> Context:
    settings: dict[str, Any] = {
        "cwd": "/p",
        "text_of": lambda filename, cell: TEXT if filename == FILE else None,
        "version": "1.2",
    }
    return Context(**(settings | changes))


def test_full() -> None:
    assert render("full", ALL, context()) == dedent("""\
        train.py:5:8: JAX101 branch-on-traced
        error: `if` on `loss` runs while tracing: raises TracerBoolConversionError
          |
        5 |     if loss > best:
          |        ^^^^^^^^^^^ a traced boolean
          |
        note: lib/run.py:88: `jax.jit` is applied to `step`, which calls `update`
        help: jnp.where(loss > best, ..., ...)
        see: jaxlint rule JAX101 (https://example.org/JAX101)

        train.py:6:10: JAX703 python-loop [*]
        warning: a tuple, and 100 % of it
          |
        6 |         return "日本", loss  # é
          |                ^^^^^^
          |
        help: drop it (`--fix` does this)
        5 |       if loss > best:
        6 | -         return "日本", loss  # é
        6 | +         return ("日本"), loss  # é
        see: jaxlint rule JAX703

        /q/a,b:c.ipynb:cell 3:1:1: JAX301 key-reuse
        info: `key` is spent twice
        help: split it (unsafe: `--fix --unsafe-fixes` does this)
        see: jaxlint rule JAX301
        """)


def test_full_help_and_fix() -> None:
    shown = replace(BRANCH, fix=Fix("displayonly", "jnp.where(loss > best, ..., ...)", ()))
    assert render("full", [shown], context()).count("help:") == 1
    both = replace(BRANCH, help="write\n  this", fix=Fix("safe", "or that", ()))
    assert "help: write\n        this\nhelp: or that (`--fix` does this)\n" in render(
        "full", [both], context()
    )


def test_full_shows_a_fix_that_is_only_shown() -> None:
    edits = (Edit(Span(1, 1, 1, 1), "import jax.numpy as jnp\n"), Edit(Span(5, 8, 5, 19), "best"))
    shown = replace(BRANCH, fix=Fix("displayonly", "choose", edits))
    lines = render("full", [shown], context()).splitlines()
    start = lines.index("help: choose (`--fix` does not do this)") + 1
    assert lines[start:-1] == [
        "1 | + import jax.numpy as jnp",
        "2 |   import jax",
        "3 |",
        "4 |",
        "5 |   def update(loss, best):",
        "5 | -     if loss > best:",
        "6 | +     if best:",
        '7 |           return "日本", loss  # é',
    ]


def test_rows_of_a_shown_fix_are_an_editors() -> None:
    text = "import jax\n\x0c\nif a:\n    b\n"
    shown = replace(
        BRANCH, span=Span(3, 4, 3, 5), fix=Fix("displayonly", "go", (Edit(Span(3, 4, 3, 5), "c"),))
    )
    lines = render("full", [shown], Context(text_of=lambda path, cell: text)).splitlines()
    assert lines[-5:-1] == ["2 |   ␌", "3 | - if a:", "3 | + if c:", "4 |       b"]


def test_hunks_of_changes_that_lie_apart() -> None:
    source = Source.from_text("".join(f"row {number}\r\n" for number in range(1, 31)))
    edits = (
        Edit(Span(25, 1, 26, 1), ""),
        Edit(Span(2, 1, 2, 1), "new\n"),
        Edit(Span(5, 5, 5, 6), "five"),
    )
    assert hunks_of(source, Fix("displayonly", "", edits), 1, 8) == [
        [
            (1, " ", "row 1"),
            (2, "+", "new"),
            (3, " ", "row 2"),
            (4, " ", "row 3"),
            (5, " ", "row 4"),
            (5, "-", "row 5"),
            (6, "+", "row five"),
            (7, " ", "row 6"),
        ],
        [(25, " ", "row 24"), (25, "-", "row 25"), (26, " ", "row 26")],
    ]
    assert hunks_of(source, Fix("safe", "", (Edit(Span(40, 1, 40, 1), "x"),)), 1, 8) == []
    assert hunks_of(source, Fix("safe", "", (Edit(Span(3, 1, 3, 4), "row"),)), 1, 8) == []
    end = hunks_of(source, Fix("safe", "", (Edit(Span(30, 1, 30, 4), "end"),)), 1, 2)
    assert end == [[(29, " ", "row 29"), (30, "-", "row 30"), (30, "+", "end 30")]]


@given(
    st.lists(st.sampled_from(["", "a", "b", "c d"]), min_size=1, max_size=24),
    st.lists(
        st.tuples(st.integers(1, 24), st.sampled_from(["", "x", "x\ny\n", "a"])), min_size=1, max_size=4
    ),
    st.booleans(),
)
def test_hunks_are_what_the_fix_does(rows: list[str], places: list[tuple[int, str]], ends: bool) -> None:
    source = Source.from_text("\n".join(rows) + "\n" * ends)
    edits = tuple(
        Edit(Span(row, 1, row, 1 + len(source.line(row))), content)
        for row, content in dict(places).items()
        if row <= source.row_count
    )
    fix = Fix("safe", "", edits)
    after = Source.from_text(apply_fixes(source.text, [fix])[0])
    lines = [after.line(row + 1) for row in range(after.row_count)]
    for hunk in hunks_of(source, fix, 1, 3)[::-1]:
        old = [text for _, sign, text in hunk if sign != "+"]
        new = [text for _, sign, text in hunk if sign != "-"]
        assert old != new
        first = (
            hunk[0][0] - 1 if hunk[0][1] != "-" else next((n for n, sign, _ in hunk if sign != "-"), 0) - 1
        )
        if first >= 0:
            assert lines[first : first + len(new)] == new
            lines[first : first + len(new)] = old
    if all(hunk[0][1] == " " for hunk in hunks_of(source, fix, 1, 3)):
        assert "\n".join(lines) == source.text


def test_full_shows_fixes_with_context() -> None:
    edits = (Edit(Span(1, 1, 1, 1), "import jax.numpy as jnp\n"), Edit(Span(20, 1, 20, 4), "new"))
    text = "import jax\n" + "row\n" * 19 + "end"
    for reach, how in (("safe", "`--fix`"), ("unsafe", "unsafe: `--fix --unsafe-fixes`")):
        fixed = replace(BRANCH, fix=Fix(reach, "choose", edits))  # type: ignore[arg-type]
        lines = render("full", [fixed], context(text_of=lambda *_: text)).splitlines()
        assert lines[lines.index(f"help: choose ({how} does this)") + 1 : -1] == [
            " 1 | + import jax.numpy as jnp",
            " 2 |   import jax",
            "...",
            "20 |   row",
            "20 | - row",
            "21 | + new",
            "22 |   end",
        ]


@given(st.lists(st.sampled_from(["", "a", "b c"]), max_size=6), st.sampled_from(["\n", "\r\n", "\r"]))
def test_offsets_of_rows(rows: list[str], newline: str) -> None:
    source = Source.from_text(newline.join(rows))
    for row, text in enumerate(rows, 1):
        assert source.line(row) == text
        assert source.position(source.offset(row, len(text) + 1)) == (row, len(text) + 1)
        with pytest.raises(ValueError, match="no row"):
            source.offset(row, len(text) + 2)


def test_concise() -> None:
    assert render("concise", ALL, context()) == dedent("""\
        train.py:5:8: JAX101 `if` on `loss` runs while tracing: raises TracerBoolConversionError
        train.py:6:10: JAX703 [*] a tuple, and 100 % of it
        /q/a,b:c.ipynb:cell 3:1:1: JAX301 `key` is spent twice
        """)
    assert "JAX301 [*] `key`" in render("concise", ALL, context(unsafe_fixes=True))


def test_grouped() -> None:
    assert render("grouped", ALL, context()) == dedent("""\
        train.py:
          5:8  JAX101 `if` on `loss` runs while tracing: raises TracerBoolConversionError
          6:10 JAX703 [*] a tuple, and 100 % of it

        /q/a,b:c.ipynb:
          cell 3:1:1 JAX301 `key` is spent twice
        """)


def test_json() -> None:
    data = json.loads(render("json", ALL, context()))
    assert data == [diagnostic.to_json() for diagnostic in ALL]
    lines = render("json-lines", ALL, context()).splitlines()
    assert [json.loads(line) for line in lines] == data
    assert json.loads(render("json", [], context())) == []


def test_github() -> None:
    assert render("github", ALL, context()).splitlines() == [
        "::error file=train.py,line=5,col=8,endLine=5,endColumn=19,title=jaxlint (JAX101)::train.py:5:8: "
        "JAX101 `if` on `loss` runs while tracing: raises TracerBoolConversionError"
        "%0A  help: jnp.where(loss > best, ..., ...)",
        "::warning file=train.py,line=6,col=10,endLine=6,endColumn=14,title=jaxlint (JAX703)::train.py:6:10: "
        "JAX703 a tuple, and 100 %25 of it",
        "::notice file=/q/a%2Cb%3Ac.ipynb,line=1,col=1,endLine=1,endColumn=1,title=jaxlint (JAX301)::"
        "/q/a,b:c.ipynb:cell 3:1:1: JAX301 `key` is spent twice",
    ]


def test_gitlab() -> None:
    moved = replace(BRANCH, span=Span(6, 8, 6, 19))
    data = json.loads(render("gitlab", [BRANCH, BRANCH, SPAN], context()))
    assert data[0]["location"] == {
        "path": "train.py",
        "positions": {"begin": {"line": 5, "column": 8}, "end": {"line": 5, "column": 19}},
    }
    assert [issue["severity"] for issue in data] == ["major", "major", "minor"]
    assert len({issue["fingerprint"] for issue in data}) == 3
    # A row added above changes no fingerprint.
    below = json.loads(render("gitlab", [moved], context(text_of=lambda *_: "# new\n" + TEXT)))
    assert below[0]["fingerprint"] == data[0]["fingerprint"]


def test_junit() -> None:
    suites = ElementTree.fromstring(render("junit", ALL, context()).partition("\n")[2])
    assert suites.attrib == {"name": "jaxlint", "tests": "3", "failures": "3", "errors": "0", "skipped": "0"}
    assert [suite.get("name") for suite in suites] == ["/p/train.py", "/q/a,b:c.ipynb"]
    case = suites[0][0]
    assert (case.get("name"), case.get("classname"), case.get("line")) == (
        "org.jaxlint.JAX101",
        "/p/train",
        "5",
    )
    failure = case.find("failure")
    assert failure is not None and failure.get("message") == BRANCH.message
    empty = ElementTree.fromstring(render("junit", [], context()).partition("\n")[2])
    assert empty.get("failures") == "0" and empty[0][0].get("name") == "No errors found"


def test_whether_a_line_ran() -> None:
    """Formats with a place for it say so; the others are as they are without."""
    marked = [replace(BRANCH, observed=True), replace(SPAN, observed=False), ALL[2]]
    suites = ElementTree.fromstring(render("junit", marked, context()).partition("\n")[2])
    found = {
        (case.get("name"), each.get("value"))
        for case in suites.iter("testcase")
        for each in case.iter("property")
        if each.get("name") == "observed"
    }
    assert found == {("org.jaxlint.JAX101", "true"), (f"org.jaxlint.{SPAN.code}", "false")}
    for name in ("full", "html"):
        text = render(name, marked, context())
        assert text.count("this line ran (observed)") == text.count("this line did not run (observed)") == 1
    keys = [each.get("observed") for each in json.loads(render("json", marked, context()))]
    assert keys == [True, False, None]
    assert {name for name in FORMATS if render(name, marked, context()) != render(name, ALL, context())} == {
        "full", "html", "json", "json-lines", "junit", "sarif",
    }  # fmt: skip


def test_azure() -> None:
    assert render("azure", ALL, context()).splitlines() == [
        "##vso[task.logissue type=error;sourcepath=train.py;linenumber=5;columnnumber=8;code=JAX101;]"
        "`if` on `loss` runs while tracing: raises TracerBoolConversionError",
        "##vso[task.logissue type=warning;sourcepath=train.py;linenumber=6;columnnumber=10;code=JAX703;]"
        "a tuple, and 100 %AZP25 of it",
        "##vso[task.logissue type=warning;sourcepath=/q/a,b:c.ipynb;linenumber=1;columnnumber=1;code=JAX301;]"
        "cell 3, row 1: `key` is spent twice",
    ]
    odd = replace(BRANCH, filename="/p/a;b]c.py")
    assert ";sourcepath=a%3Bb%5Dc.py;" in render("azure", [odd], context())


def test_pylint() -> None:
    assert render("pylint", ALL, context()).splitlines() == [
        "train.py:5: [JAX101(branch-on-traced)] "
        "`if` on `loss` runs while tracing: raises TracerBoolConversionError",
        "train.py:6: [JAX703(python-loop)] a tuple, and 100 % of it",
        "/q/a,b:c.ipynb:cell 3:1: [JAX301(key-reuse)] `key` is spent twice",
    ]


def test_checkstyle() -> None:
    root = ElementTree.fromstring(render("checkstyle", ALL, context()).partition("\n")[2])
    assert (root.tag, [file.get("name") for file in root]) == ("checkstyle", ["train.py", "/q/a,b:c.ipynb"])
    assert [error.attrib for error in root[0]][1] == {
        "line": "6",
        "column": "10",
        "severity": "warning",
        "message": "a tuple, and 100 % of it",
        "source": "jaxlint.JAX703",
    }
    assert len(ElementTree.fromstring(render("checkstyle", [], context()).partition("\n")[2])) == 0


def test_markdown() -> None:
    odd = replace(SPAN, message="a | b <i> in `x|y` and *z*")
    assert render("markdown", [BRANCH, odd, SPAN], context()).splitlines() == [
        "## jaxlint",
        "",
        "3 findings",
        "",
        "| rule | findings | fixable |",
        "| --- | ---: | ---: |",
        "| JAX703 python-loop | 2 | 2 |",
        "| [JAX101 branch-on-traced](https://example.org/JAX101) | 1 | 0 |",
        "",
        "| place | rule | what |",
        "| --- | --- | --- |",
        "| `train.py:5:8` | error [JAX101 branch-on-traced](https://example.org/JAX101) "
        "| `if` on `loss` runs while tracing: raises TracerBoolConversionError |",
        "| `train.py:6:10` | warning JAX703 python-loop | a tuple, and 100 % of it |",
        "| `train.py:6:10` | warning JAX703 python-loop | a \\| b \\<i\\> in `x\\|y` and \\*z\\* |",
    ]
    assert render("markdown", [], context()) == "## jaxlint\n\nAll checks passed.\n"


def test_rdjson() -> None:
    text = TEXT.replace("\t\treturn", "ééreturn")
    branch, span, cell = json.loads(render("rdjson", ALL, context(text_of=lambda *_: text)))["diagnostics"]
    assert branch["location"] == {
        "path": "train.py",
        "range": {"start": {"line": 5, "column": 8}, "end": {"line": 5, "column": 19}},
    }
    assert branch["code"] == {"value": "JAX101", "url": BRANCH.url}
    assert branch["related_locations"][0]["message"] == BRANCH.related[0].message
    # Columns are bytes: two characters of two bytes, and then two of three, stand before.
    assert span["location"]["range"] == {"start": {"line": 6, "column": 12}, "end": {"line": 6, "column": 20}}
    assert span["suggestions"] == [{"range": span["location"]["range"], "text": '("日本")'}]
    assert cell["severity"] == "INFO"


@pytest.mark.parametrize("name", ["github", "gitlab", "sarif", "junit", "rdjson", "azure", "checkstyle"])
def test_rows_of_cells_are_no_rows_of_the_file(name: str) -> None:
    """A service would show the finding, or apply its fix, at another line of the notebook's JSON."""
    note = replace(BRANCH.related[0], filename=ELSEWHERE.filename, cell=2, span=Span(77, 5, 77, 6))
    found = replace(ELSEWHERE, span=Span(78, 9, 78, 10), related=(note,))
    report = render(name, [found], context())
    assert re.findall(
        r"(?i)(?:line|row)[a-z]*\W{1,4}(\d+)", report.replace("row 7", "").replace("line 78,", "")
    )
    assert not re.search(r"(?i)(?:line|column)[a-z]*\W{1,4}(?!1\b)\d", report.replace("line 78, col 9", ""))
    assert "cell 3" in report and "78" in report
    if name in ("rdjson", "sarif"):
        assert "suggestions" not in report and "fixes" not in report


@pytest.mark.parametrize("name", FORMATS)
def test_every_format(name: str) -> None:
    odd = replace(BRANCH, filename="/p/\udce9 \x1b[2J\n.py", message="\x00\x1b[31m \ud800 ]]> </script>")
    for found in ([], ALL, [odd]):
        report = render(name, found, context())
        assert report == "" or report.endswith("\n")
        assert found == [odd] or report == format_named(name)(
            sorted(found, key=Diagnostic.sort_key), context()
        )
        assert report == render(name, found[::-1], context())
    render(name, ALL, Context(cwd="/p"))


def test_no_such_format() -> None:
    with pytest.raises(KeyError):
        format_named("yaml")


@pytest.mark.parametrize("name", ["full", "concise", "grouped"])
def test_colour_changes_nothing_else(name: str) -> None:
    coloured = render(name, ALL, context(colour=True))
    assert coloured != render(name, ALL, context())
    assert click.unstyle(coloured) == render(name, ALL, context())


def test_the_text_is_read_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"# coding: latin-1\r'\xe9' + x\r")
    found = replace(BRANCH, filename=str(path), span=Span(2, 7, 2, 8))
    assert "2 | 'é' + x\n  |       ^ a" in render("full", [found], Context(cwd=os.getcwd()))
    path.unlink()
    assert " | " not in render("full", [found], Context(cwd=os.getcwd()))


def test_paths_are_relative_only_below_the_folder() -> None:
    assert context().path("/p/a/b.py") == "a/b.py"
    assert context().path("/pq/b.py") == "/pq/b.py"
    assert context(cwd="/").path("/p/a.py") == "p/a.py"
    assert context().path("-") == "-"


def carets_under(line: str, column: int, end: int) -> str:
    frame = frame_of(Source.from_text(line), Span(1, column, 1, end))
    assert frame is not None
    return frame.carets


def test_frames() -> None:
    assert carets_under("\tx", 2, 3) == "    ^"
    assert carets_under("a\tx", 2, 4) == " ^^^^"
    assert carets_under("日x", 2, 3) == "  ^"
    assert carets_under("日x", 1, 2) == "^^"
    assert carets_under("e\u0301x", 3, 4) == " ^"
    assert carets_under("x", 2, 2) == " ^"
    assert carets_under("x", 9, 12) == " ^"
    several = frame_of(Source.from_text("f(a,  \n  b)"), Span(1, 1, 2, 5))
    assert several is not None and several.carets == "^^^^"
    assert frame_of(Source.from_text("x"), Span(3, 1, 3, 2)) is None


def test_a_long_row_is_cut_around_the_span() -> None:
    line = "x" * 500 + "HERE" + "y" * 500
    frame = frame_of(Source.from_text(line), Span(1, 501, 1, 505))
    assert frame is not None and len(frame.text) <= WIDEST + 2
    assert frame.text[frame.indent : frame.indent + frame.width] == "HERE"
    assert frame.text.startswith("…") and frame.text.endswith("…")


@given(st.text(max_size=300), st.integers(1, 300), st.integers(0, 300))
def test_any_row_is_drawn_in_line(line: str, column: int, length: int) -> None:
    line = re.sub(r"[\r\n]", "", line)
    frame = frame_of(Source.from_text(line), Span(1, column, 1, column + length))
    assert frame is not None and frame.width >= 1
    assert not any(unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") for character in frame.text)
    before = line[: column - 1]
    if len(line) <= WIDEST and column <= len(line):
        assert frame.indent == width_of(before)
