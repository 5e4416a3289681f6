"""Python in notebooks and Markdown: where a fix writes, what a cell alone can break, what is taken for code."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import Run, Tree
from test_notebook import SELECT, cell, notebook, sources

from jaxlint import Linter, SettingsError, fix, lint
from jaxlint.ir.document import read_document
from jaxlint.source.notebook import Notebook

USED = "from jax import jit\n@jit\ndef f(a, b):\n    return a > 0 and b"
IMPORT = "import jax.numpy as jnp\n"
DONE = "def f(a, b):\n    return jnp.logical_and(a > 0, b)"
FIXED = f"from jax import jit\n{IMPORT}@jit\n{DONE}"
LATER = f"from jax import jit\n@jit\n{DONE}"
ITEM = "import jax.numpy as jnp\nx = jnp.ones(3)\nx[0] = 1"


def fixed_cells(tree: Tree, run: Run, *cells: str | dict[str, Any]) -> list[str]:
    path = tree({"n.ipynb": notebook(*cells)}) / "n.ipynb"
    run(*SELECT, "--fix", "--unsafe-fixes", ".")
    return sources(path.read_bytes())


class TestAddedImports:
    @pytest.mark.parametrize(
        ("cells", "expected"),
        [
            ([USED], [FIXED]),
            (["%matplotlib inline\n" + USED], ["%matplotlib inline\n" + FIXED]),
            (["x = 1", USED], [IMPORT + "x = 1", LATER]),
            (["%%time\nx = 1", USED], [f"%%time\n{IMPORT}x = 1", LATER]),
            (["# text", "!ls", USED], ["# text", "!ls", FIXED]),
            (["from jax import jit", "\n" + USED[20:]], ["from jax import jit\n" + IMPORT[:-1], "\n@jit\n" + DONE]),
            (["%%bash\nls", USED], ["%%bash\nls", FIXED]),
        ],
    )  # fmt: skip
    def test_in_a_notebook(self, tree: Tree, run: Run, cells: list[str], expected: list[str]) -> None:
        assert fixed_cells(tree, run, *cells) == expected

    def test_in_a_cell_that_may_raise(self, tree: Tree, run: Run) -> None:
        raising = cell("x = 1", tags=["raises-exception"])
        assert fixed_cells(tree, run, raising, USED) == [IMPORT + "x = 1", LATER]

    def test_in_markdown(self, tree: Tree, run: Run) -> None:
        text = f"---\ntitle: x\n---\n\n```{{code-cell}}\n:tags: [raises-exception]\n\nx = 1\n```\n\n```{{code-cell}}\n{USED}\n```\n"
        path = tree({"n.md": text}) / "n.md"
        run(*SELECT, "--extension", "md:myst", "--fix", "--unsafe-fixes", "n.md")
        assert path.read_text() == text.replace("x = 1", IMPORT + "x = 1").replace(USED, LATER)

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("#!/usr/bin/env python\n# text\n\nx = 1\n", f"#!/usr/bin/env python\n# text\n\n{IMPORT}x = 1\n"),
            ('"""Text."""\nx = 1\n', f'"""Text."""\n{IMPORT}x = 1\n'),
            ('"""Text."""\npass\n', f'"""Text."""\npass\nfrom jax import jit\n{IMPORT}@jit'),
        ],
    )
    def test_in_a_file(self, tree: Tree, run: Run, before: str, after: str) -> None:
        path = tree({"a.py": before + USED}) / "a.py"
        run(*SELECT, "--fix", "--unsafe-fixes", "a.py")
        assert path.read_text().startswith(after)

    def test_prose_is_no_place_for_a_fix(self) -> None:
        document = read_document("myst", b"text\n```{code-cell}\nx = 1\n```\n")
        assert document.admits("text\n```{code-cell}\nx = 2\ny = 3\n```\n")
        assert not document.admits("import x\ntext\n```{code-cell}\nx = 1\n```\n")


class TestFixes:
    def test_a_cell_of_an_unused_comment_alone(self, tree: Tree, run: Run) -> None:
        found = fixed_cells(tree, run, "import jax", "# jaxlint: ignore[JAX101]", "z = jax.tree_map(f, y)")
        assert found == ["import jax", "", "z = jax.tree.map(f, y)"]

    def test_rows_between_changed_rows_keep_their_bytes(self) -> None:
        text = notebook("a = 1\nb = '1'\nc = 3").replace("'1'", "'\\u0031'")
        written = Notebook.read(text.encode()).with_texts(["a = 2\nb = '1'\nc = 4"]).decode()
        assert written == text.replace("a = 1", "a = 2").replace("c = 3", "c = 4")

    def test_half_a_character_stays(self, tree: Tree, run: Run) -> None:
        text = notebook("import jax\nz = jax.tree_map(f, '?')").replace("'?'", "'\\ud800'")
        tree({})
        ran = run(*SELECT, "--fix", "--stdin-filename", "n.ipynb", "-", stdin=text.encode())
        assert ran.out == text.replace("jax.tree_map", "jax.tree.map") and "internal error" not in ran.err

    def test_what_an_encoding_lacks_leaves_standard_input_as_it_was(self, tree: Tree, run: Run) -> None:
        tree({})
        before = b"# coding: ascii\nimport jax\nx = 1\n"
        assert run(*SELECT, "--fix", "--stdin-filename", "a.py", "-", stdin=before).out == before.decode()


class TestOneProgram:
    """A cell that runs alone and not as a part of a program costs no other cell its findings."""

    @pytest.mark.parametrize(
        "odd",
        [
            "%load_ext a\nfrom __future__ import annotations",
            "x = 1\nfrom __future__ import (\n    annotations,\n    division\n); x = 2",
            "global y",
            "\ufeffz = 1",
            "%%timeit\nawait g()",
            "%%timeit\nfrom os import *",
            "%time return_ = 1; await g()",
            cell("\fz = 1", tags=["raises-exception"]),
            cell("from os import *", tags=["raises-exception"]),
            cell("z = 1\n\fz = 2", tags=["raises-exception"]),
        ],
    )  # fmt: skip
    def test_others_are_told(self, tree: Tree, run: Run, odd: str | dict[str, Any]) -> None:
        tree({"n.ipynb": notebook("y = 0", odd, *ITEM.split("\n"))})
        out = run(*SELECT, "n.ipynb").out
        assert [row[: row.index(" ", 16)] for row in out.splitlines()[:-2]] == ["n.ipynb:cell 5:1:1:"]

    def test_imports_of_such_a_cell_count(self, tree: Tree, run: Run) -> None:
        tree({"n.ipynb": notebook("%load_ext a\nfrom __future__ import annotations\n" + ITEM)})
        assert run(*SELECT, "n.ipynb").out.startswith("n.ipynb:cell 1:5:1: JAX501 ")

    def test_compound_statements_behind_a_magic(self, tree: Tree, run: Run) -> None:
        tree(
            {"n.ipynb": notebook(ITEM.rpartition("\n")[0], "%time for k in range(3): x[k] = 1\n%prun # text")}
        )
        assert run(*SELECT, "n.ipynb").out.startswith("n.ipynb:cell 2:1:26: JAX501 ")

    @pytest.mark.parametrize("head", ["%%timeit\n", ""])
    def test_texts_over_several_rows_are_as_they_are(self, head: str) -> None:
        tags = [] if head else ["raises-exception"]
        made = notebook(cell(head + "x = '''\na\n  b'''\ny = (\n1)\n# text", tags=tags))
        document = read_document("ipynb", made.encode())
        assert document.moved == ({2, 3, 6, 8} if head else {2, 5, 7})
        assert b" x = '''\na\n  b'''\n y = (\n1)\n # text" in document.python


class TestMarkdown:
    def told(self, tree: Tree, run: Run, text: str) -> list[str]:
        tree({"n.md": text})
        out = run(*SELECT, "--extension", "md:myst", "n.md").out
        return [row.split(" ")[0] for row in out.splitlines() if "JAX501" in row]

    @pytest.mark.parametrize(
        "text",
        [
            "```code``` is text\n\n```python\n" + ITEM + "\n```\n",
            "- text\n\n  ```bash\n  ls\n  ```\n\n```python\n" + ITEM + "\n```\n",
            "- ```bash\n  ls\n  ```\n\n```python\n" + ITEM + "\n```\n",
            "1. ```\n   ls\n   ```\n\n```Python\n" + ITEM + "\n```\n",
            "- text\n\n      ```bash\n      ls\n      ```\n```python\n" + ITEM + "\n```\n",
            "```PY\n" + ITEM + "\n```\n",
            "- ```python\n  " + ITEM.replace("\n", "\n  ") + "\n  ```\n",
        ],
    )
    def test_blocks(self, tree: Tree, run: Run, text: str) -> None:
        row = next(number for number, line in enumerate(text.split("\n"), 1) if "x[0]" in line)
        column = text.split("\n")[row - 1].index("x[0]") + 1
        assert self.told(tree, run, text) == [f"n.md:{row}:{column}:"]

    def test_headings_name_no_encoding(self, tree: Tree, run: Run) -> None:
        text = "# Encoding: how text is stored, é\n\n```python\n" + ITEM + "\n```\n"
        assert self.told(tree, run, text) == ["n.md:6:1:"]
        run(*SELECT, "--extension", "md:myst", "--fix", "--unsafe-fixes", "n.md")
        assert "x = x.at[0].set(1)" in (tree({}) / "n.md").read_text(encoding="utf-8")

    def test_what_is_not_utf_8(self, tree: Tree, run: Run) -> None:
        (tree({}) / "n.md").write_bytes(b"# text\n\xe9\n")
        assert (
            "n.md:1:1: JAX002 row 2 is not valid utf-8" in run(*SELECT, "--extension", "md:myst", "n.md").out
        )


class TestTextHandedOver:
    """Text from Python or an editor has no encoding, whatever its first row says."""

    TEXT = "# coding: latin-1\nimport jax\nz = jax.tree_map('é→', y)\n"

    def test_is_read_as_it_is(self, tree: Tree) -> None:
        tree({"a.py": "", "pyproject.toml": ""})
        with Linter(isolated=True, select=["JAX901"]) as linter:
            (one,) = linter.lint([], unsaved={"a.py": self.TEXT.replace("→", "")})
            assert (one.span.row, one.span.end_column) == (3, 17)
            (one,) = linter.lint([], unsaved={"a.py": self.TEXT})
            assert (one.span.row, one.span.end_column) == (3, 17)
            text = "# Encoding: latin-1, é\n```python\nimport jax\nz = jax.tree_map(g, y)\n```\n"
        with Linter(isolated=True, select=["JAX901"], extension={"md": "myst"}) as linter:
            (one,) = linter.lint([], unsaved={"a.md": text})
            assert one.span.row == 4

    def test_what_a_setting_cannot_be(self, tree: Tree) -> None:
        tree({"a.py": ""})
        with pytest.raises(SettingsError, match="null"), Linter(baseline="a\0", isolated=True) as linter:
            linter.lint(".")

    def test_fixes_of_it(self, tree: Tree) -> None:
        root = tree({"pyproject.toml": ""})
        (root / "a.py").write_bytes(self.TEXT.replace("→", "").encode("latin-1"))
        (change,) = fix(str(root / "a.py"), isolated=True, select=["JAX901"]).changes
        assert change.after == change.before.replace(b"jax.tree_map", b"jax.tree.map")


def test_broken_notebooks_with_a_mark(tree: Tree) -> None:
    root = tree({"a.ipynb": "\ufeff", "b.ipynb": '\ufeff{"cells": [}'})
    (found,) = lint(str(root), isolated=True)
    assert found.message == "not a notebook: expecting value in row 1, column 12"


def test_scopes_of_a_baseline_in_a_notebook(tree: Tree, run: Run) -> None:
    text = "import jax\n\n\n@jax.jit\ndef f(x):\n    return jax.tree_map(g, x)"
    new = "type T = int\n" + text
    root = tree(
        {"n.ipynb": notebook("%load_ext a\nawait g()", "  y = 1", text), "a.py": new, "pyproject.toml": ""}
    )
    run("--isolated", "--select", "ALL", "--baseline", "known.txt", "--write-baseline", ".")
    rows = [json.loads(row) for row in (root / "known.txt").read_text().splitlines()[1:]]
    assert [(row["path"], row["scope"]) for row in rows] == [("a.py", "f"), ("n.ipynb", "f")]
