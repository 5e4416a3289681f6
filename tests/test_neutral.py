"""What names, code and settings of a tree could do to a terminal, a log or a page is neutralised everywhere."""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from pathlib import Path

import pytest
from conftest import Run, Tree
from test_colour import output
from test_robust import MARKED

from jaxlint.cli.formats import EXACT, FORMATS, Context, render
from jaxlint.cli.neutral import neutral, neutral_lines
from jaxlint.diagnostic import Diagnostic, Edit, Fix, Note, Severity, Span

STEERING = (
    *map(chr, (*range(0x20), *range(0x7F, 0xA0))),
    *"\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\udc80\ud800\udfff",
)
ESCAPES = "".join(STEERING)


def is_steering(character: str, text: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") or character in STEERING


def assert_harmless(text: str, *, allowed: str = "\n") -> None:
    assert not {character for character in text if is_steering(character, text)}.difference(allowed)


def test_each_character_is_written_as_its_escape() -> None:
    for character in STEERING:
        shown = neutral(f"a{character}b")
        assert shown.isascii() and shown.isprintable()
        assert shown[1:-1].encode().decode("unicode_escape") == character
    for text in ("plain", "é日本", "a\\nb", "\U0001f468\u200d\U0001f469"):
        assert neutral(text) == text
    assert neutral_lines("a\n\x1bb") == "a\n\\x1bb"


@pytest.mark.parametrize("name", sorted(set(FORMATS) - EXACT))
@pytest.mark.parametrize("colour", [False, True])
def test_no_format_lets_anything_through(name: str, colour: bool) -> None:
    odd = "x" + ESCAPES + "\x1b[31mred\x1b[0m"
    span = Span(1, 1, 1, 2)
    found = Diagnostic(
        f"/p{ESCAPES}/{odd}.py", span, "JAX101", odd, Severity.ERROR, odd, odd,
        Fix("displayonly", odd, (Edit(span, odd),)), (Note(f"/{odd}", span, odd),), None, 1, odd, odd,
    )  # fmt: skip
    context = Context(f"/p{ESCAPES}", colour, text_of=lambda filename, cell: odd)
    report = render(name, [found], context)
    if colour:
        import click

        assert "\x1b[31mred" not in report
        report = click.unstyle(report)
    assert_harmless(report)
    # A name never starts a line of the report.
    assert not [line for line in report.splitlines() if line.startswith("red")]


@pytest.mark.parametrize("name", sorted(EXACT))
def test_json_keeps_names_exactly(name: str) -> None:
    odd = "/p/\x1b\n\u202e.py"
    report = render(
        name, [Diagnostic(odd, Span(1, 1, 1, 2), "JAX1", "n", Severity.ERROR, odd)], Context("/p")
    )
    assert report.isascii()
    assert_harmless(report)
    rows = [json.loads(line) for line in report.splitlines()] if name == "json-lines" else json.loads(report)
    assert odd in repr_of_strings(rows)


def repr_of_strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value, value.removeprefix("JAX1: ")]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in repr_of_strings(part)]


ODD_NAME = "a\x1b[2J\x07\r\n::error::\u202e\u2067.py"
CODE = """\
import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    if x["\x1b[31m\u202e\x9b"] > 0:
        return x
    x["\x07"].at[0].set("\x1b]0;owned\x07")  # \x1b[2J \u2066
    return x
"""


def odd_tree(tree: Tree) -> Path:
    root = tree({**MARKED, f"\x1b[1m\u202edir/{ODD_NAME}": CODE})
    (root / os.fsdecode(b"\xe9.py")).write_text(CODE)
    return root


@pytest.mark.parametrize("format", sorted(FORMATS))
@pytest.mark.parametrize("more", [(), ("--color", "always"), ("-v",)])
def test_a_report_of_an_odd_tree(tree: Tree, run: Run, format: str, more: tuple[str, ...]) -> None:
    import click

    odd_tree(tree)
    ran = run("--output-format", format, "--select", "ALL", *more, ".")
    assert ran.status == 1 and "JAX101" in ran.out
    assert_harmless(click.unstyle(ran.out))
    assert_harmless(ran.err)


@pytest.mark.parametrize(
    "flags",
    [
        ("--show-files",),
        ("--show-settings",),
        ("--statistics",),
        ("--fix", "--unsafe-fixes", "--show-fixes"),
        ("--fix-only", "--unsafe-fixes", "--show-fixes"),
        ("--add-ignore",),
        ("no\x1bsuch\u202e.py",),
        ("--config", "no\x1bsuch\u202e.toml"),
        ("--config", "select=['\x1b\u202e']"),
        ("--config", "\x1b\u202e=1"),
        ("--select", "JAX\x1b"),
        ("--output-format", "\x1bfull"),
        ("--target-jax", "\x1b"),
        ("--nosuch\x1bflag",),
    ],
    ids=lambda flags: flags[0].strip("-")[:12].replace("\x1b", ""),
)
def test_what_else_is_printed(tree: Tree, run: Run, flags: tuple[str, ...]) -> None:
    odd_tree(tree)
    ran = run("--select", "ALL", *flags) if len(flags) < 3 or flags[0] != "-" else run(*flags)
    assert ran.out or ran.err
    assert_harmless(ran.out)
    assert_harmless(ran.err)


def test_changes_on_a_terminal(tree: Tree) -> None:
    """Where a program reads them they are a patch, with the characters that are in the files."""
    odd_tree(tree)
    tree({"a.py": "import jax\ny = '\x1b[2J\u202e'; x = jax.tree_map(f, y)\n"})
    command = [sys.executable, "-m", "jaxlint", "check", "--select", "ALL", "--unsafe-fixes", "--diff", "."]
    shown = output(command, tree({}), {"NO_COLOR": "1"}, terminal=True).decode()
    assert "+++ " in shown and "\\x1b" in shown
    assert_harmless(shown.replace("\r\n", "\n"), allowed="\n\t\f")


def test_settings_of_an_odd_tree(tree: Tree, run: Run) -> None:
    for text in (
        'select = ["\\u001b[2J"]',
        '"\\u001b\\u202e" = 1',
        'target-jax = "\\u0007"',
        'plugins = ["\\u001b"]',
    ):
        tree({"jaxlint.toml": text, "a.py": ""})
        for command in ([], ["rule", "JAX101"], ["clean"]):
            ran = run(*command)
            assert_harmless(ran.out + ran.err)
