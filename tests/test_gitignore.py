"""Rows of .gitignore mean what they mean to git, and no row takes long."""

from __future__ import annotations

import pytest

from jaxlint.project.gitignore import Rules
from jaxlint.project.globs import Glob, GlobError

# Where a name ends with a slash it is a folder; `_` stands for a space.
PATHS = "a a.py b/ b/a/ b/a/a b/c/ b/c/a b/c.py b/c/c.py b/a.py #a !a *.py a.py_ ].py 1.py \xe9.py".split()

# What `git check-ignore` says: of each row, what it leaves out whose folder it does not leave out.
# fmt: off
SAID = [
    ('a', 'a b/a b/c/a'),
    ('a/', 'b/a'),
    ('/a', 'a'),
    ('b/a', 'b/a'),
    ('b/a/', 'b/a'),
    ('*.py', 'a.py b/c.py b/c/c.py b/a.py *.py ].py 1.py \xe9.py'),
    ('/*.py', 'a.py *.py ].py 1.py \xe9.py'),
    ('b/*.py', 'b/c.py b/a.py'),
    ('**/a', 'a b/a b/c/a'),
    ('**/a.py', 'a.py b/a.py'),
    ('b/**', 'b/a b/c b/c.py b/a.py'),
    ('b/**/a', 'b/a b/c/a'),
    ('b/**/c.py', 'b/c.py b/c/c.py'),
    ('**', 'a a.py b #a !a *.py a.py_ ].py 1.py \xe9.py'),
    ('**/', 'b'),
    ('/**', 'a a.py b #a !a *.py a.py_ ].py 1.py \xe9.py'),
    ('*', 'a a.py b #a !a *.py a.py_ ].py 1.py \xe9.py'),
    ('?.py', 'a.py b/c.py b/c/c.py b/a.py *.py ].py 1.py'),
    ('[ab].py', 'a.py b/a.py'),
    ('[!a].py', 'b/c.py b/c/c.py *.py ].py 1.py'),
    ('[^a].py', 'b/c.py b/c/c.py *.py ].py 1.py'),
    ('[]a].py', 'a.py b/a.py ].py'),
    ('[a-c].py', 'a.py b/c.py b/c/c.py b/a.py'),
    ('[z-a].py', ''),
    ('[[:alpha:]].py', 'a.py b/c.py b/c/c.py b/a.py'),
    ('[[:digit:]].py', '1.py'),
    ('[[:foo:]].py', ''),
    ('[a.py', ''),
    ('a.py\\', ''),
    ('\\a.py', 'a.py b/a.py'),
    ('\\*.py', '*.py'),
    ('#a', ''),
    ('\\#a', '#a'),
    ('\\!a', '!a'),
    ('a.py ', 'a.py b/a.py'),
    ('a.py\\ ', 'a.py_'),
    ('b//a', ''),
    ('b/', 'b'),
    ('b/*', 'b/a b/c b/c.py b/a.py'),
    ('b/*/a', 'b/a/a b/c/a'),
    ('b/[/]a', ''),
    ('a**', 'a a.py b/a b/c/a b/a.py a.py_'),
    ('**a', 'a b/a b/c/a #a !a'),
    ('*/a', 'b/a'),
    ('/b/c/', 'b/c'),
    ('c', 'b/c'),
    ('c/a', ''),
    ('\xe9.py', '\xe9.py'),
    ('??.py', '\xe9.py'),
    ('[\xe9].py', ''),
    ('a.py\r', 'a.py b/a.py'),
    ('', ''),
    ('/', ''),
    ('!', ''),
    ("a.py\n!b/a.py", "a.py"),
    ("!a\na", "a b/a b/c/a"),
    ("*\n!b/\n!a*", "b/c b/c.py #a !a *.py ].py 1.py \xe9.py"),
]
# fmt: on


def left_out(rows: str) -> list[str]:
    rules = Rules(row.encode().decode("latin-1") for row in rows.split("\n"))
    found: list[str] = []
    for path in PATHS:
        names = path.replace("_", " ").rstrip("/").split("/")
        if any(path.startswith(f"{each}/") for each in found):
            continue
        if rules.say([name.encode().decode("latin-1") for name in names], path.endswith("/")):
            found.append(path.rstrip("/"))
    return found


@pytest.mark.parametrize(("rows", "said"), SAID)
def test_rows_mean_what_they_mean_to_git(rows: str, said: str) -> None:
    assert left_out(rows) == said.split()


# Each would take years where every way to place the stars is tried.
LONG = "a" * 200


@pytest.mark.parametrize(
    "row",
    [
        "*a" * 60 + "b",
        "**/" + "*a" * 60 + "b",
        "**/*a/" * 40 + "b",
        "a*" * 60 + "[b]",
        "/" + "*a" * 60 + "/b",
    ],
)
def test_no_row_of_gitignore_takes_long(row: str) -> None:
    assert Rules([row]).say([LONG] * 40, True) is None


@pytest.mark.parametrize(
    "pattern",
    ["*a" * 60 + "b", "**/*a/" * 40 + "b", "{*a,*aa}" * 9 + "b", "a*" * 60 + "[b]", "?*" * 60 + "b"],
)
def test_no_glob_takes_long(pattern: str) -> None:
    assert not Glob(pattern, "/r").matches("/r/" + "/".join([LONG] * 15))


def test_a_glob_of_too_many_choices_is_none() -> None:
    with pytest.raises(GlobError, match="over 1000 choices"):
        Glob("{a,b}" * 30)
    assert Glob("{a,b}{c,{d,e}}*{,f}").matches("/x/beef")


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("**/a/*.py", "a/b.py x/a/b.py a/x/b.py", "xa/b.py a.py"),
        ("a/**/b", "a/b a/x/b a/x/y/b", "ab a/xb"),
        ("[!a]*?", "bc b/cd", "ab b"),
        ("a\\*b", "a*b", "axb"),
        ("{a,b/}*.{py,pyi}", "a.py b/c.pyi", "b.pyc"),
    ],
)
def test_what_globs_mean(pattern: str, matching: str, other: str) -> None:
    glob = Glob(pattern, "/r")
    assert [path for path in matching.split() if not glob.matches(f"/r/{path}")] == []
    assert [path for path in other.split() if glob.matches(f"/r/{path}")] == []
