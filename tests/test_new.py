"""`jaxlint new`: the files of a rule, which fail as they should until the rule is written."""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Run, Tree
from test_rules import SECTIONS
from verify_cases import sections

from jaxlint.rule import Rule, SyntacticRule
from jaxlint.rule.contract import breach_of
from jaxlint.rule.registry import registry

CLONE = {"jaxlint/rule/__init__.py": "", "rules/__init__.py": "", "tests/cases/other.py": ""}
LINE = "        yield from ()\n"
WRITTEN = {
    False: '        if call.name == "jax.numpy.sin":\n            yield Finding(call.nid, "a sine")\n',
    True: '        if m.name_of(node.func) == "jax.numpy.sin":\n            yield NodeFinding(node, "a sine")\n',
}


def names(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*.py"))


@pytest.mark.parametrize("syntactic", [False, True], ids=["event", "syntactic"])
def test_a_rule_of_jaxlint(tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch, syntactic: bool) -> None:
    root = tree(CLONE)
    name = f"new-of-clone-{syntactic}".lower()
    ran = run("new", name, "--code", "JAX3", *["--syntactic"] * syntactic)
    module = name.replace("-", "_")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        f"wrote rules/{module}.py",
        f"wrote tests/cases/{module}.py",
        f"it fails until it is written: python -m pytest tests/test_cases.py -k {module}",
    ]
    monkeypatch.syspath_prepend(str(root / "rules"))
    rule = getattr(importlib.import_module(module), "".join(part.capitalize() for part in name.split("-")))
    assert issubclass(rule, Rule) and issubclass(rule, SyntacticRule) is syntactic and rule.nursery
    own = [int(entry.code[4:]) for entry in registry().entries if entry.code.startswith("JAX3")]
    assert rule.code == f"JAX3{max(own) + 1:02}" and breach_of(rule) is None
    page = inspect.cleandoc(rule.__doc__ or "")
    assert re.findall(r"^## (.+)$", page, re.M) == SECTIONS and rule.examples and rule.claim is not None
    marked, silent = sections(root / "tests" / "cases" / f"{module}.py")
    assert [*marked.markers.values()] == [{rule.code}] and not silent.markers
    for path in ("rules", "tests/cases"):
        text = (root / path / f"{module}.py").read_text(encoding="utf-8")
        assert max(map(len, text.splitlines())) <= 110 and "<" not in text.replace("->", "")


@pytest.mark.parametrize("syntactic", [False, True], ids=["event", "syntactic"])
def test_a_plugin_fails_until_it_is_written(tree: Tree, run: Run, syntactic: bool) -> None:
    root = tree({"readme.txt": ""})
    name = f"new-of-plugin-{syntactic}".lower()
    assert run("new", name, *["--syntactic"] * syntactic).status == 0
    module = name.replace("-", "_")
    assert names(root) == [f"{module}.py", f"test_{module}.py"]

    def tested() -> tuple[int, str]:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"test_{module}.py"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=root)
        return done.returncode, done.stdout

    status, said = tested()
    assert status == 1 and "1 failed, 1 passed" in said and "assert [] == [4]" in said
    path = root / f"{module}.py"
    text = path.read_text(encoding="utf-8")
    assert text.count(LINE) == 1
    head, comment, _ = text.partition("        # Say here")
    path.write_text(head + WRITTEN[syntactic], encoding="utf-8")
    status, said = tested()
    assert status == 0 and "2 passed" in said


def test_codes_are_the_next_ones(tree: Tree, run: Run) -> None:
    root = tree({"a.py": '    code = "OWN107"\n', "p/b.txt": ""})
    assert run("new", "first-rule").status == 0
    assert 'code = "OWN108"' in (root / "first_rule.py").read_text(encoding="utf-8")
    assert run("new", "second-rule", "--folder", "p", "--code", "ABC").status == 2
    assert run("new", "second-rule", "--folder", "p", "--code", "ABC201").status == 0
    assert 'code = "ABC201"' in (root / "p" / "second_rule.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["Jit_In_Loop"], "a rule's name is of the form `jit-in-loop`, not `Jit_In_Loop`"),
        (["jit"], "`jit` is one word; a rule's name has two or more, as `jit-in-loop`"),
        (["no-jit"], "`no-jit` says what to do; a rule's name says what it finds, as `jit-in-loop`"),
        (["key-reuse", "--folder", "clone"], "there is a rule `key-reuse` already"),
        (["new-rule", "--folder", "clone", "--code", "JAX101"], "there is a rule with the code `JAX101` already"),
        (["new-rule", "--folder", "clone", "--code", "OWN1"], "rules of jaxlint have codes with `JAX`: not `OWN1`"),
        (["new-rule", "--code", "JAX3"], "codes with `JAX` are jaxlint's own: not `JAX3`"),
        (["new-rule", "--code", "own"], "a code is three capital letters and three digits, not `own`"),
        (["new-rule", "--code", "OWN99"], "the family `OWN99` has no code left"),
        (["new-rule", "--folder", "nowhere"], "no such folder: `nowhere`"),
        (["here-already"], "`test_here_already.py` is there already"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(tree: Tree, run: Run, args: list[str], said: str) -> None:
    root = tree(
        {
            **{f"clone/{path}": text for path, text in CLONE.items()},
            "test_here_already.py": "",
            "a.py": '    code = "OWN999"\n',
        }
    )
    before = names(root)
    ran = run("new", *args)
    assert (ran.status, ran.out, ran.err) == (2, "", f"jaxlint: {said}\n")
    assert names(root) == before


def test_a_clone_is_found_from_a_folder_in_it(tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(CLONE)
    monkeypatch.chdir(root / "rules")
    ran = run("new", "found-from-inside")
    assert ran.out.splitlines()[0] == "wrote found_from_inside.py"
    assert 'code = "JAX1' in (root / "rules" / "found_from_inside.py").read_text(encoding="utf-8")
