"""`jaxlint.rule`, all that rules import: what it refuses, what rules use of it, and its page."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from pathlib import Path
from typing import get_type_hints

import libcst
import pytest
from conftest import Run, Tree

import jaxlint.rule
from jaxlint.rule import API_VERSION, EVENTS, Rule, SyntacticRule
from jaxlint.rule.contract import breach_of
from jaxlint.rule.registry import Entry, own_entries

ROOT = Path(__file__).resolve().parent.parent
RULES = sorted((ROOT / "rules").glob("*.py"))
PAGE = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
EXAMPLES = [text for text in re.findall(r"```python\n(.*?)```", PAGE, re.S) if "import" in text]

RULE = '''
from jaxlint.rule import Rule


class OwnPattern(Rule):
    """A pattern of our own."""

    code = "OWN101"
    name = "own-pattern"
    category = "style"
'''


def imported(text: str) -> set[str]:
    """The modules that a text imports from, wherever the import stands."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def foreign(text: str) -> set[str]:
    """Those of them that are neither of Python's own library nor the surface."""
    roots = {"libcst", *sys.stdlib_module_names}
    return {name for name in imported(text) if name.partition(".")[0] not in roots} - {"jaxlint.rule", "jaxlint.library"}


@pytest.mark.parametrize(
    "path", [path for path in RULES if path.stem != "__init__"], ids=lambda path: path.stem
)
def test_a_rule_imports_the_surface_alone(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not foreign(text)
    # It would be loaded for every run; `cst` of the surface is loaded where it is used.
    assert not {name for name in imported(text) if name.partition(".")[0] == "libcst"}


@pytest.mark.parametrize("text", EXAMPLES)
def test_an_example_of_the_page_imports_the_surface_alone(text: str) -> None:
    assert not foreign(text)


def test_what_the_surface_names_is_there_once() -> None:
    assert len(jaxlint.rule.__all__) == len(set(jaxlint.rule.__all__))
    assert not [name for name in jaxlint.rule.__all__ if not hasattr(jaxlint.rule, name)]


def test_the_page_names_all_of_it() -> None:
    events = {event.__name__ for event in EVENTS.values()}
    assert not [name for name in jaxlint.rule.__all__ if f"`{name}`" not in PAGE and name not in events]
    assert not [name for name in EVENTS if f"`visit_{name}`" not in PAGE]


def test_every_event_that_is_told_has_its_name() -> None:
    """What the analysis tells is what a rule may listen to."""
    told: set[str] = set()
    for path in sorted((ROOT / "jaxlint").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        told.update(re.findall(r'(?:\bemit\(|hooks\.get\(|\byield )\s*"([A-Z]\w+)",', text))
    assert told and told <= EVENTS.keys()


@pytest.mark.parametrize(
    "entry", [entry for entry in own_entries() if entry.rule], ids=lambda entry: entry.code
)
def test_our_rules_keep_the_contract(entry: Entry) -> None:
    assert entry.rule is not None and breach_of(entry.rule) is None
    for name, method in inspect.getmembers(entry.rule, inspect.isfunction):
        if name.startswith("visit_"):
            known = vars(libcst) if issubclass(entry.rule, SyntacticRule) else EVENTS
            _, event, *_ = inspect.signature(method).parameters
            assert get_type_hints(method)[event] is known[name.removeprefix("visit_")]


def refused(tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch, name: str, more: str) -> str:
    """What is said of a plugin."""
    root = tree({"jaxlint.toml": f'plugins = ["{name}"]', f"{name}.py": RULE + more, "a.py": ""})
    monkeypatch.syspath_prepend(str(root))
    ran = run(".")
    assert ran.status == 2 and ran.out == "" and ran.err.count("\n") == 1
    return ran.err.strip()


def test_a_plugin_for_a_newer_surface_is_refused(
    tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    major, minor = API_VERSION
    said = refused(tree, run, monkeypatch, "newer_plugin", f"    api = ({major}, {minor + 1})\n")
    assert said == (
        f"jaxlint: plugin `newer_plugin`: rule OWN101 is for newer version {major}.{minor + 1} of"
        f" `jaxlint.rule`; this is {major}.{minor}"
    )


def test_a_plugin_for_a_surface_of_another_kind_is_refused(
    tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = refused(tree, run, monkeypatch, "older_plugin", "    api = (0, 9)\n")
    assert "is for older version 0.9 of `jaxlint.rule`" in said
    wrong = refused(tree, run, monkeypatch, "odd_plugin", '    api = "1.0"\n')
    assert "`api` is no version of `jaxlint.rule`" in wrong


def test_a_method_that_nothing_would_call_is_refused(
    tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = refused(tree, run, monkeypatch, "wrong_event", "    def visit_KeyUsed(self, use, m): ...\n")
    assert said.endswith("rule OWN101: there is no event `KeyUsed`; did you mean `KeyUse`?")


@pytest.mark.parametrize(
    ("attribute", "value"), [("code", "own1"), ("name", "OwnPattern"), ("name", "own-pattern-")]
)
def test_a_code_or_name_of_another_form_is_a_breach(attribute: str, value: str) -> None:
    made = type("Made", (Rule,), {"code": "OWN101", "name": "own-pattern", attribute: value})
    said = breach_of(made)
    assert said is not None and f"not `{value}`" in said


def test_a_rule_for_this_surface_is_taken() -> None:
    made = type("Made", (Rule,), {"code": "OWN101", "name": "own-pattern", "api": API_VERSION})
    assert breach_of(made) is None
