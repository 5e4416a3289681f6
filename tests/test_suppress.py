"""`jaxlint.report.suppression`: which comments hide what, and what is said about the comments."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxlint.diagnostic import Diagnostic, Severity, Span
from jaxlint.fixes.apply import apply_fixes
from jaxlint.report import suppression
from jaxlint.source.comments import read_layout

KNOWN = {
    "JAX001": "syntax-error",
    "JAX011": "unused-ignore",
    "JAX012": "unknown-code",
    "JAX013": "malformed-ignore",
    "JAX101": "branch-on-traced",
    "JAX102": "loop-on-traced",
    "JAX601": "vmap-of-jit",
}


def finding(row: int, code: str = "JAX101") -> Diagnostic:
    return Diagnostic("/a.py", Span(row, 1, row, 2), code, KNOWN[code], Severity.ERROR, "m")


def left(
    text: str,
    *found: Diagnostic,
    enabled: frozenset[str] = frozenset(KNOWN),
    whole: bool = True,
    honour: bool = True,
) -> list[Diagnostic]:
    return suppression.apply(
        text,
        found,
        filename="/a.py",
        known_codes=KNOWN,
        enabled_codes=enabled,
        whole_project=whole,
        honour=honour,
    )


def codes(text: str, *found: Diagnostic) -> list[tuple[int, str]]:
    return [(diagnostic.span.row, diagnostic.code) for diagnostic in left(dedent(text), *found)]


@pytest.mark.parametrize(
    "comment",
    [
        "# jaxlint: ignore[JAX101]",
        "#jaxlint:ignore[JAX101]",
        "# jaxlint: ignore[branch-on-traced]",
        "# jaxlint: ignore[JAX101] -- the loop is static, see #12",
        "# type: ignore[foo]  # jaxlint: ignore[JAX101]  # noqa: E501",
        "# the shape: # jaxlint: ignore[ JAX101 ]",
        "# noqa",
        "# NOQA",
        "#noqa # why",
        "# noqa: JAX101",
        "# noqa:E501,JAX101",
        "# noqa: E501 JAX101",
        "# noqa: jax101",
        "# noqa : JAX1",
        "# noqa: branch-on-traced",
    ],
)
def test_hides_its_line(comment: str) -> None:
    assert codes(f"x = 1  {comment}\n", finding(1)) == []
    assert codes(f"x = 1  {comment}\ny = 1\n", finding(2))[-1] == (2, "JAX101")


@pytest.mark.parametrize(
    "text",
    [
        "s = '# jaxlint: ignore[JAX101]'\n",
        's = """\n# noqa\n"""\n',
        "x = 1  # as in 'jaxlint: ignore[JAX101]'\n",
        "x = 1  # noqa: E501\n",
        "x = 1  # noqa: why is that\n",
        "x = 1  # noqa-ish\n",
        "x = 1  # flake8: noqa\n",
        "x = 1  # ruff: noqa\n",
    ],
)
def test_hides_nothing_and_is_no_finding(text: str) -> None:
    assert codes(text, finding(1)) == [(1, "JAX101")]


def test_any_line_of_the_statement() -> None:
    for row in range(1, 5):
        lines = ["y = f(", "    g(x),", "    1,", ")"]
        lines[row - 1] += "  # jaxlint: ignore[JAX101]"
        assert codes("\n".join(lines), *(finding(place) for place in range(1, 5))) == []
    assert codes("y = (\n  # jaxlint: ignore[JAX101]\n  x)\n", finding(1), finding(3)) == []
    assert codes("y = 1 + \\\n   2  # jaxlint: ignore[JAX101]\n", finding(1)) == []


def test_a_comment_above() -> None:
    text = """\
        # jaxlint: ignore[JAX101] -- reason
        # another
        if x:
            y = 1
        """
    assert codes(text, finding(3)) == []
    assert codes(text, finding(4)) == [(1, "JAX011"), (4, "JAX101")]
    assert codes("# jaxlint: ignore[JAX101]\n\nx = 1\n", finding(3)) == [(1, "JAX011"), (3, "JAX101")]
    assert codes("if x:\n    pass\n# jaxlint: ignore[JAX101]\nelif y:\n    pass\n", finding(4)) == []
    # A noqa above says nothing about the line below.
    assert codes("# noqa: JAX101\nx = 1\n", finding(2)) == [(1, "JAX011"), (2, "JAX101")]


def test_the_header_of_a_compound_statement_is_a_statement_of_its_own() -> None:
    text = """\
        while (
            x
        ):  # jaxlint: ignore[JAX101]
            y = 1
        """
    assert codes(text, finding(1)) == []
    assert codes(text, finding(1), finding(4)) == [(4, "JAX101")]


@pytest.mark.parametrize("row", [1, 2, 3, 4, 5, 6, 7])
def test_decorators_and_header_are_one(row: int) -> None:
    lines = ["", "@jax.jit", "@partial(", "    wraps,", ")", "def f(x,", "      y):", "    return x"]
    lines[row - 1] += "  # jaxlint: ignore[JAX101]"
    text = "\n".join(lines) + "\n"
    assert codes(text, finding(2), finding(6), finding(7)) == []
    assert codes(text, finding(6), finding(8)) == [(8, "JAX101")]


def test_file_and_blocks() -> None:
    assert (
        codes("x = 1\n# jaxlint: ignore-file[JAX101, loop-on-traced]\n", finding(1), finding(1, "JAX102"))
        == []
    )
    text = """\
        a = 1
        # jaxlint: disable[JAX101,JAX102]
        b = 1
        # jaxlint: enable[JAX101]
        c = 1
        """
    found = [finding(row, code) for row in (1, 3, 5) for code in ("JAX101", "JAX102")]
    assert codes(text, *found) == [(1, "JAX101"), (1, "JAX102"), (5, "JAX101")]
    nested = """\
        # jaxlint: disable[JAX101]
        # jaxlint: disable[JAX101]
        a = 1
        # jaxlint: enable[JAX101]
        b = 1
        """
    assert codes(nested, finding(3), finding(5)) == [(5, "JAX101")]
    assert codes("# jaxlint: enable[JAX101]\n") == [(1, "JAX013")]


def test_unused() -> None:
    text = "x = 1  # jaxlint: ignore[JAX101, JAX102]\n"
    assert codes(text, finding(1)) == [(1, "JAX011")]
    assert left(text, finding(1), whole=False) == []
    assert left(text, finding(1), enabled=frozenset(("JAX101", "JAX011"))) == []
    assert left(text, enabled=frozenset(("JAX101", "JAX102"))) == []
    # After a failure the file was not looked at to its end.
    assert codes(text, finding(1, "JAX001")) == [(1, "JAX001")]
    # One for other tools is none of our business.
    assert codes("x = 1  # noqa: E501\ny = 1  # noqa\n") == []
    assert codes("x = 1  # noqa: E501,JAX101\n") == [(1, "JAX011")]


def test_no_comment_hides_a_failure() -> None:
    assert codes("# jaxlint: ignore-file[JAX001]\nx = (  # noqa\n", finding(2, "JAX001")) == [(2, "JAX001")]


def test_findings_about_comments_can_be_hidden() -> None:
    assert codes("x = 1  # jaxlint: ignore[JAX101, JAX011]\n") == []
    assert codes("# jaxlint: ignore-file[JAX012]\nx = 1  # jaxlint: ignore[FOO]\n") == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1  # jaxlint: ignore[JAX101]\n", "x = 1\n"),
        ("x = 1  # jaxlint: ignore[JAX101]", "x = 1"),
        ("x = 1  # jaxlint: ignore[JAX101] -- reason #3\r\ny = 1\r\n", "x = 1\r\ny = 1\r\n"),
        ("x = 1  # jaxlint: ignore[JAX101]  # noqa: E501\n", "x = 1  # noqa: E501\n"),
        ("x = 1  # type: ignore  # jaxlint: ignore[JAX101]\n", "x = 1  # type: ignore\n"),
        (
            "x = 1  # jaxlint: ignore[JAX101, vmap-of-jit, JAX102]\n",
            "x = 1  # jaxlint: ignore[vmap-of-jit]\n",
        ),
        ("# jaxlint: ignore[JAX101]\nx = 1\n", "x = 1\n"),
        ("if x:\n\t# jaxlint: ignore-file[JAX101]\n\tpass\n", "if x:\n\tpass\n"),
        ("x = 1\n# jaxlint: disable[JAX101]\ny = 1\n# jaxlint: enable[JAX101]\n", "x = 1\ny = 1\n"),
        ("# jaxlint: disable[JAX101]\n# jaxlint: enable[JAX101]\n", ""),
        ("x = 1  # noqa: E501, JAX101\n", "x = 1  # noqa: E501\n"),
        ("x = 1  # noqa:JAX101\n", "x = 1\n"),
    ],
)
def test_the_fix_of_an_unused_ignore(before: str, after: str) -> None:
    found = left(before, finding(1, "JAX601"))
    text, _ = apply_fixes(before, [diagnostic.fix for diagnostic in found if diagnostic.fix])
    assert text == after
    assert [diagnostic.code for diagnostic in left(text, finding(1, "JAX601"))] in ([], ["JAX601"])


@pytest.mark.parametrize(
    ("item", "part"),
    [
        ("JAX103", "JAX10"),
        ("jax101", "JAX101"),
        ("vmap-of-jti", "vmap-of-jit"),
        ("Vmap-Of-Jit", "vmap-of-jit"),
        ("JAX1", "prefixes are not allowed"),
        ("correctness", "jaxlint rule --all"),
        ("E501", "jaxlint rule --all"),
        ("x" * 300, "jaxlint rule --all"),
    ],
)
def test_unknown_code(item: str, part: str) -> None:
    (unknown, stays) = left(f"x = 1  # jaxlint: ignore[{item}]\n", finding(1))[::-1]
    assert (unknown.code, stays.code) == ("JAX012", "JAX101")
    assert unknown.span == Span(1, 26, 1, 26 + len(item))
    assert unknown.help is not None and part in unknown.help
    assert len(unknown.message) <= 90


def test_unknown_code_in_noqa() -> None:
    assert codes("x = 1  # noqa: JAX999, FOO123\n") == [(1, "JAX012")]


@pytest.mark.parametrize("tool", ["# flake8: noqa", "# ruff: noqa", "#flake8:NOQA", "# ruff: noqa: JAX101, F401"])
def test_noqa_of_a_file(tool: str) -> None:
    assert codes(f"x = 1\n{tool}\ny = 1\n", finding(1), finding(3)) == []
    assert codes(f"x = 1  {tool}\ny = 1\n", finding(1), finding(2)) == [(1, "JAX101"), (2, "JAX101")]
    assert codes("x = 1\n# ruff: noqa: F401\n", finding(1)) == [(1, "JAX101")]


@pytest.mark.parametrize("word", ["JAXLINT:", "Jaxlint:", "jaxlint :", "jaxlint:  "])
def test_ways_to_write_the_name(word: str) -> None:
    assert codes(f"x = 1  # {word} ignore[JAX101]\n", finding(1)) == []


@pytest.mark.parametrize(
    "comment",
    [
        "# jaxlint ignore[JAX101]",
        "# jaxlint: ignore",
        "# jaxlint: ignore[]",
        "# jaxlint: ignore[ , ]",
        "# jaxlint: ignore JAX101",
        "# jaxlint: ignore[JAX101",
        "# jaxlint: ignore[JAX101] because",
        "# jaxlint: noqa",
        "# jaxlint: Ignore[JAX101]",
        "# jaxlint:",
        "# jaxlint: disable",
        "# jaxlint: ignore-line[JAX101]",
        "# jaxlint: " + "x" * 200,
    ],
)
def test_malformed(comment: str) -> None:
    malformed = [found for found in left(f"x = 1  {comment}\n", finding(1)) if found.code != "JAX101"]
    assert [found.code for found in malformed] == ["JAX013"]
    assert malformed[0].span == Span(1, 8, 1, 8 + len(comment))
    assert len(malformed[0].message) <= 90 and "\n" not in malformed[0].message
    assert finding(1) in left(f"x = 1  {comment}\n", finding(1))


def test_not_honoured() -> None:
    text = "x = 1  # jaxlint: ignore[JAX101]  # jaxlint: ignore\n"
    assert left(text, finding(1), honour=False) == [finding(1)]


@pytest.mark.parametrize(
    "text",
    [
        "x = (  # jaxlint: ignore[JAX101]\n",
        "  x = 1  # jaxlint: ignore[JAX101]\n y\n",
        "x = ')  # jaxlint: ignore[JAX101]\nx = 1 ? # jaxlint: ignore[JAX101]\n",
    ],
)
def test_text_that_the_tokenizer_refuses_is_still_read(text: str) -> None:
    row = text.count("\n", 0, text.rindex("#")) + 1
    assert left(text, finding(row), finding(row, "JAX001")) == [finding(row, "JAX001")]


def test_editor_rows() -> None:
    text = "x = 1 \x0c \u2028\rs = '''\x1c\r\n''' # jaxlint: ignore[JAX101]\ry = 1"
    assert codes(text, finding(2), finding(3)) == []
    assert codes(text, finding(4), finding(2)) == [(4, "JAX101")]


def test_noqa_row() -> None:
    text = "x = f(\n  1,\n)\n@a\ndef f(\n  b):\n    '''d\n\n    '''\n"
    assert [suppression.noqa_row(text, row) for row in range(1, 11)] == [3, 3, 3, 4, 6, 6, 9, 9, 9, 10]
    (found,) = suppression.with_noqa_rows(text, [finding(5)])
    assert found.noqa_row == 6


PROGRAMS = [
    "x = 1",
    "x = f(\n  1,\n)  # why\ny = 2\n",
    "@a\n@b(\n  1)\ndef f(x):\r\n    '''d\r\n    '''\r\n    if x: return 1 ; y = 2\r\n    else:\n     pass\n",
    "x = '''#\n'''  # type: ignore  # jaxlint: ignore[JAX601] -- why\nz = '#'  # noqa: E501\n",
    "class A:\n\t# c\n\tx = [ # d\n\t\t1]\t\n\n\n",
]


@given(
    st.sampled_from(PROGRAMS),
    st.lists(st.tuples(st.integers(1, 9), st.sampled_from(("JAX101", "JAX102", "JAX601")))),
    st.sampled_from(["", "why", "[x] # 1 -- \\"]),
)
def test_added_ignores_hide_all_and_change_no_code(
    text: str, places: list[tuple[int, str]], reason: str
) -> None:
    rows = text.count("\n") + (not text.endswith("\n"))
    statements = {place for first, last in read_layout(text).statements for place in range(first, last + 1)}
    found = [finding(row, code) for row, code in places if row <= rows and row in statements]
    after = suppression.add_ignores(text, found, reason)
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(text))
    assert [diagnostic.code for diagnostic in left(after, *found)] in ([], ["JAX011"])
    assert suppression.add_ignores(after, found, reason) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x", "x  # jaxlint: ignore[JAX101] -- why"),
        ("x  # jaxlint: ignore[JAX601]", "x  # jaxlint: ignore[JAX601, JAX101] -- why"),
        ("x  # jaxlint: ignore[JAX601 ] ", "x  # jaxlint: ignore[JAX601, JAX101 ] -- why "),
        ("x  # jaxlint: ignore[JAX601] -- mine", "x  # jaxlint: ignore[JAX601, JAX101] -- mine"),
        ("x  # jaxlint: ignore[JAX601]  # noqa: E1", "x  # jaxlint: ignore[JAX601, JAX101] -- why  # noqa: E1"),
        ("x  # jaxlint: ignore[JAX101]", "x  # jaxlint: ignore[JAX101]"),
        ("x  # noqa: E1", "x  # noqa: E1  # jaxlint: ignore[JAX101] -- why"),
    ],
)
def test_a_reason_stands_beside_what_is_there(before: str, after: str) -> None:
    assert suppression.add_ignores(before, [finding(1)], "why") == after
    assert not {"JAX101", "JAX013"} & {each.code for each in left(after, finding(1))}


@given(st.text("x=1 #()[]{}'\"\\\n\r\t@:fjaxlint:ignore[JAX101]noqa"))
def test_any_text_is_survived(text: str) -> None:
    for diagnostic in left(text, finding(1)):
        assert diagnostic.span.row >= 1
    suppression.add_ignores(text, [finding(1)])
