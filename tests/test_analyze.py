"""`jaxlint analyze`: what the tool believes, as text, JSON and a graph."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
from conftest import Run, Tree
from test_notebook import notebook

FILES = {
    "jaxlint.toml": "",
    "train.py": """\
import jax
from functools import partial
from solver import descend


@partial(jax.jit, static_argnames="mode")
def step(params, batch, mode):
    gradient = jax.grad(lambda p: (p * batch).sum())(params)
    return descend(params, gradient, 0.1)


def main(params, batch):
    print(descend(params, batch, 0.1))
    return step(params, batch, "fast")


main(jax.numpy.ones(3), jax.numpy.ones(3))
""",
    "solver.py": "def descend(params, gradient, rate):\n    return params - rate * gradient\n",
}


class TestTraces:
    def test_text(self, tree: Tree, run: Run) -> None:
        tree(FILES)
        assert run("analyze", "traces").out == """\
solver.py:1: `descend` is traced, and runs untraced too
    train.py:6: `step` is traced by `partial(jax.jit, static_argnames="mode")` here
    train.py:9: which calls `descend` here
    static: rate
    traced: params, gradient
train.py:7: `step` is traced
    train.py:6: `step` is traced by `partial(jax.jit, static_argnames="mode")` here
    static: mode
    traced: params, batch
train.py:8: `step.<lambda>` is traced
    train.py:6: `step` is traced by `partial(jax.jit, static_argnames="mode")` here
    train.py:8: `<lambda>` is traced by `grad` here
    traced: p
3 of 4 functions are traced
""".replace('partial(jax.jit, static_argnames="mode")', "jit")
        assert "train.py:12: `main` is not traced\n" in run("analyze", "traces", "--all", "train.py").out

    def test_json(self, tree: Tree, run: Run) -> None:
        root = tree(FILES)
        found = {row["name"]: row for row in json.loads(run("analyze", "traces", "--output-format", "json").out)}
        assert found["main"] | {"location": 0} == {
            "name": "main",
            "filename": str(root / "train.py"),
            "location": 0,
            "traced": False,
            "chain": [],
            "arguments": {},
            "runs_untraced": True,
        }
        assert found["descend"]["arguments"] == {"params": "traced", "gradient": "traced", "rate": "static"}
        assert [step["location"]["row"] for step in found["descend"]["chain"]] == [6, 9]

    def test_dot(self, tree: Tree, run: Run) -> None:
        tree(FILES)
        rows = run("analyze", "traces", "--output-format", "dot").out.splitlines()
        assert (rows[0], rows[-1]) == ("digraph traces {", "}")
        assert '  "train.py:7" -> "solver.py:1" [label="which calls `descend` here"];' in rows
        assert '  "train.py:6" -> "train.py:7" [label="`step` is traced by `jit` here"];' in rows

    def test_page(self, tree: Tree, run: Run) -> None:
        tree({**FILES, "<b>&.py": "import jax\n\n\n@jax.jit\ndef g(x):\n    return x\n"})
        page = run("analyze", "traces", "--output-format", "html").out
        boxes = ElementTree.fromstring(re.search(r"<svg.*</svg>", page, re.DOTALL)[0])  # type: ignore[index]
        assert len(boxes.findall("a")) == 6 and len(boxes.findall("path")) == 4
        assert "4 of 5 functions are traced" in page and "<b>" not in page and "&lt;b&gt;&amp;.py:5" in page

    def test_notebook(self, tree: Tree, run: Run) -> None:
        tree({"n.ipynb": notebook("import jax", "def f(x):\n    return x", "%timeit jax.jit(f)(1.0)")})
        assert run("analyze", "traces", "n.ipynb").out == (
            "n.ipynb:cell 2:1: `f` is traced\n    n.ipynb:cell 3:1: `f` is traced by `jit` here\n"
            "    traced: x\n1 of 1 function is traced\n"
        )

    def test_files_that_do_not_parse(self, tree: Tree, run: Run) -> None:
        tree({**FILES, "bad.py": "x = (\n", "odd.ipynb": "{"})
        ran = run("analyze", "traces")
        assert ran.out.endswith("3 of 4 functions are traced\n")
        assert [line.partition(" not known")[0] for line in ran.err.splitlines()] == [
            "jaxlint: bad.py: its functions are",
            "jaxlint: odd.ipynb: its functions are",
        ]

    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (["traces", "none.py"], "no such file or folder: `none.py`"),
            (["traces", "--output-format", "xml"], "'xml' is not one of"),
            (["nothing"], "No such command 'nothing'"),
        ],
    )
    def test_wrong(self, tree: Tree, run: Run, args: list[str], message: str) -> None:
        tree(FILES)
        ran = run("analyze", *args)
        assert ran.status == 2 and message in ran.err and ran.err.count("\n") == 1
