"""Syntactic rules: called in one walk of the files that need it, with the model at hand for any node."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Run, Tree

from jaxlint.rule import SyntacticRule
from jaxlint.rule.contract import breach_of

RULES = '''
"""Rules of our own."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import Fix, Located, NodeFinding, SourceModel, SyntacticRule, cst, replaced
from jaxlint.rule import matchers


class SinOfCall(SyntacticRule):
    """The sine of a call."""

    code = "OWN101"
    name = "sin-of-call"
    category = "style"
    fix = "safe"
    needs = ("sin", "jnp")

    def visit_Call(self, node: cst.Call, m: SourceModel) -> Iterator[NodeFinding]:
        if m.name_of(node.func) == "jax.numpy.sin" and matchers.matches(node.args[0].value, matchers.Call()):
            yield NodeFinding(
                node,
                "`{it}` takes what `{func}` gives",
                help="jnp.cos({given})",
                names={"it": node, "func": node.args[0].value.func, "given": node.args[0]},
                also=((node.args[0].value, "which is `{given}`"),),
            )

    def repair(self, finding: NodeFinding, code: Located) -> Fix | None:
        node = finding.node
        return Fix("safe", "take the cosine", (replaced(code, node.func, "jnp.cos"),))


class Nested(SyntacticRule):
    """A function in a function: it keeps what is around."""

    code = "OWN102"
    name = "nested"
    category = "style"

    def __init__(self) -> None:
        self.around: list[str] = []

    def visit_FunctionDef(self, node: cst.FunctionDef, m: SourceModel) -> Iterator[NodeFinding]:
        self.around.append(node.name.value)
        if len(self.around) > 1:
            yield NodeFinding(node, "`{it}` is in `{outer}`", names={"it": node.name, "outer": self.around[-2]})

    def leave_FunctionDef(self, node: cst.FunctionDef, m: SourceModel) -> None:
        self.around.pop()


class Values(SyntacticRule):
    """What the model says of each argument of `show`."""

    code = "OWN103"
    name = "values"
    category = "style"
    needs = ("show(",)

    def visit_Call(self, node: cst.Call, m: SourceModel) -> Iterator[NodeFinding]:
        if isinstance(node.func, cst.Name) and node.func.value == "show":
            value = m.value_of(node.args[0])
            said = "nothing" if value is None else "traced" if m.traced(value) else type(value).__name__
            where = f"{m.in_trace(node)} {m.in_loop(node)} {m.is_dead(node)} {m.in_test_file(node)}"
            how = f"{m.how_often(node)} {sorted(m.transforms(node) or ())}"
            yield NodeFinding(node, "{said}; {where}; {how}", names={"said": said, "where": where, "how": how})
'''

PROGRAM = """\
import jax
import jax.numpy as jnp


def outer(x):
    def inner(y):
        return jnp.sin(jnp.abs(y))
    return inner(x)


outer(jnp.ones(3))
"""
FOUND = [
    "a.py:6:9: OWN102 `inner` is in `outer`",
    "a.py:7:16: OWN101 [*] `jnp.sin(jnp.abs(y))` takes what `jnp.abs` gives",
]
SELECT = ("--select", "OWN", "--output-format", "concise")


@pytest.fixture
def own(tree: Tree, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Tree:
    """A tree with the rules as a plugin."""
    (tmp_path / "plugin").mkdir()
    (tmp_path / "plugin" / "own_syntax.py").write_text(RULES, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "plugin"))
    (tmp_path / "jaxlint.toml").write_text('plugins = ["own_syntax"]\nexclude = ["plugin"]\n')
    return tree


def lines(run: Run, *args: object) -> list[str]:
    return [line for line in run(*SELECT, *args).out.splitlines() if "OWN" in line]


def test_what_they_find(own: Tree, run: Run) -> None:
    own({"a.py": PROGRAM})
    assert lines(run, ".") == FOUND
    full = run("--select", "OWN101", "--output-format", "json", ".")
    (found,) = json.loads(full.out)
    assert found["help"] == "jnp.cos(jnp.abs(y))"
    assert [note["message"] for note in found["related"]] == ["which is `jnp.abs(y)`"]
    assert found["noqa_row"] == 7 and found["severity"] == "info"


def test_a_fix(own: Tree, run: Run) -> None:
    root = own({"a.py": PROGRAM})
    assert run("--select", "OWN101", "--fix", ".").status == 0
    assert "jnp.cos(jnp.abs(y))" in (root / "a.py").read_text(encoding="utf-8")


def test_ignores(own: Tree, run: Run) -> None:
    own({"a.py": PROGRAM.replace("abs(y))", "abs(y))  # jaxlint: ignore[sin-of-call]")})
    assert lines(run, ".") == FOUND[:1]
    own({"a.py": PROGRAM + "\n# jaxlint: ignore-file[OWN102]\n"})
    assert lines(run, ".") == FOUND[1:]


def test_a_notebook(own: Tree, run: Run) -> None:
    cells = [
        {"cell_type": "code", "metadata": {}, "source": PROGRAM[:34], "outputs": [], "execution_count": None}
    ]
    cells.append({**cells[0], "source": "%time 1\n" + PROGRAM[34:]})
    own({"a.ipynb": json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})})
    found = lines(run, ".")
    assert [line.partition(" ")[0] for line in found] == ["a.ipynb:cell", "a.ipynb:cell"]
    assert "OWN102" in found[0] and "OWN101" in found[1] and ":cell 2:6:9:" in found[0]


def test_only_selected_rules_and_reported_files(own: Tree, run: Run) -> None:
    own({"a.py": PROGRAM, "b.py": "import a\n" + PROGRAM})
    assert len(lines(run, ".")) == 4
    assert all(line.startswith("b.py") for line in lines(run, "b.py"))
    assert lines(run, ".", "--ignore", "OWN102") == [*FOUND[1:], FOUND[1].replace("a.py:7", "b.py:8")]
    assert run(".", "--output-format", "concise", "--ignore", "OWN").status == 0


def test_several_processes_find_the_same(own: Tree, run: Run) -> None:
    own({"a.py": PROGRAM, "p/jaxlint.toml": 'plugins = ["own_syntax"]\n', "p/b.py": PROGRAM})
    assert lines(run, ".", "-j", "1") == lines(run, ".", "-j", "2") != []


VALUES = """\
import jax
import jax.numpy as jnp


def show(x):
    return x


@jax.jit
def traced(x):
    return show(x)


def eager():
    for _ in range(3):
        show(jnp.ones(3))
    show(unknown())
    return 1
    show(2)


traced(jnp.ones(3))
eager()
"""


def test_the_model_knows_each_node(own: Tree, run: Run) -> None:
    own({"a.py": VALUES, "test_b.py": "import jax\nfrom a import show\n\nshow(jax)\n"})
    found = [line.partition("OWN103 ")[2] for line in lines(run, ".") if "OWN103" in line]
    assert found == [
        "traced; True False False False; None ['jit']",
        "Array; False True False False; None []",
        "nothing; False False False False; None []",
        "nothing; False False True False; None []",
        "External; False False False True; once []",
    ]


def test_a_rule_that_raises_costs_its_own_findings(own: Tree, run: Run, tmp_path: Path) -> None:
    breaks = RULES.replace("self.around.append(node.name.value)", "self.around.append(node.name.valu)")
    breaks = breaks.replace("own_syntax", "breaks_syntax")
    (tmp_path / "plugin" / "breaks_syntax.py").write_text(breaks, encoding="utf-8")
    (tmp_path / "jaxlint.toml").write_text('plugins = ["breaks_syntax"]\nexclude = ["plugin"]\n')
    own({"a.py": PROGRAM})
    ran = run(*SELECT, ".")
    assert ran.status == 2
    assert ran.out.splitlines()[:2] == [
        "a.py:5:5: JAX003 rule OWN102 failed here: AttributeError: 'Name' object has no attribute 'valu'",
        FOUND[1],
    ]


def test_a_method_for_a_node_that_there_is_not(own: Tree, run: Run, tmp_path: Path) -> None:
    wrong = RULES.replace("leave_FunctionDef", "leave_Function")
    (tmp_path / "plugin" / "wrong_syntax.py").write_text(wrong, encoding="utf-8")
    (tmp_path / "jaxlint.toml").write_text('plugins = ["wrong_syntax"]\nexclude = ["plugin"]\n')
    own({"a.py": PROGRAM})
    ran = run(*SELECT, ".")
    assert ran.status == 2
    assert "JAX003 rule OWN102 failed on this file: AttributeError: LibCST has no node `Function`" in ran.out
    assert FOUND[1] in ran.out


def test_libcst_is_loaded_for_files_that_need_it_alone(own: Tree, tmp_path: Path) -> None:
    own({"a.py": PROGRAM.replace("jnp.sin", "jnp.tan")})
    program = (
        "import sys; sys.path.insert(0, 'plugin')\n"
        "import jaxlint\n"
        "found = jaxlint.lint('a.py', select=[sys.argv[1]])\n"
        "print([each.code for each in found], 'libcst' in sys.modules)"
    )

    def said(code: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", program, code], capture_output=True, text=True, cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    assert said("JAX") == "[] False"
    assert said("OWN101") == "[] False"  # the word `sin` is not there
    assert said("OWN102") == "['OWN102'] True"


def test_what_is_no_list_of_words_is_a_breach() -> None:
    given = {"code": "OWN101", "name": "own-pattern", "needs": "word"}
    assert breach_of(type("Made", (SyntacticRule,), given)) == "rule OWN101: `needs` is a tuple of words"


def test_a_file_that_libcst_does_not_parse(own: Tree, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from jaxlint.source.lossless import Lossless, Unparsed

    def refuses(self: Lossless) -> None:
        raise Unparsed("no")

    own({"a.py": PROGRAM})
    monkeypatch.setattr(Lossless, "module", refuses)
    ran = run(*SELECT, ".")
    assert (
        ran.status == 2
        and "a.py:1:1: JAX003 jaxlint failed on this file: LibCST does not parse it" in ran.out
    )


TRACED = """\
import jax


def report(x):
    jax.debug.print(f"x = {x}")


@jax.jit
def step(x):
    report(x)
    return x
"""
PREVIEW = ("--preview", "--select", "JAX210", "--output-format", "concise")


def test_what_is_kept_is_what_a_cold_run_finds(tree: Tree, run: Run) -> None:
    root = tree({"jaxlint.toml": "", "a.py": TRACED, "b.py": "import a\n\na.step(1.0)\n", "c.py": TRACED})

    def both() -> list[str]:
        cold = run(*PREVIEW, "-n", ".").out
        assert run(*PREVIEW, ".").out == run(*PREVIEW, ".").out == cold
        return [line.partition(" ")[0] for line in cold.splitlines() if "JAX210" in line]

    assert both() == ["a.py:5:5:", "c.py:5:5:"]
    assert run("--select", "JAX210", "--output-format", "concise", ".").out == "All checks passed!\n"
    (root / "a.py").write_text(TRACED.replace("@jax.jit\n", ""), encoding="utf-8")
    assert both() == ["c.py:5:5:"]
    (root / "b.py").write_text("import a, jax\n\njax.jit(a.step)(1.0)\n", encoding="utf-8")
    assert both() == ["a.py:5:5:", "c.py:5:5:"]
    assert run(*PREVIEW, "a.py").out.startswith("a.py:5:5:")


def test_a_lasting_session_finds_what_a_cold_run_finds(tree: Tree) -> None:
    import jaxlint

    tree({"jaxlint.toml": "", "a.py": TRACED})
    linter = jaxlint.Linter(preview=True, select=["JAX210"])
    for text in (TRACED, TRACED.replace('f"x = {x}"', '"x = {}", x'), "# above\n" + TRACED, TRACED):
        kept = [(each.code, each.span) for each in linter.lint("a.py", unsaved={Path("a.py"): text})]
        fresh = jaxlint.Linter(preview=True, select=["JAX210"])
        cold = fresh.lint("a.py", unsaved={Path("a.py"): text})
        assert kept == [(each.code, each.span) for each in cold]
