"""`jaxlint observe` of what runs notebooks: functions of cells are functions of the notebook."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import Run, Tree
from test_observe import JAX, observe, write

from jaxlint.ir.document import read_document
from jaxlint.observe import ranking
from jaxlint.observe.cells import NotebookCells, Notebooks
from jaxlint.observe.facts import Facts, read_facts
from jaxlint.observe.fingerprint import fingerprint, functions_of, tree_of
from jaxlint.observe.ranking import Rows
from jaxlint.source.formats import NOTEBOOK

KERNEL = """
    import ast, json, linecache, os, sys

    class Shell:
        def run_line_magic(self, name, line): pass
        def run_cell_magic(self, name, line, cell): pass
        def system(self, line): pass

    def main():
        name, shape = sys.argv[1:3]
        space = {"get_ipython": Shell}
        for number, text in enumerate(json.load(open(name))):
            filename = shape.format(pid=os.getpid(), number=number)
            rows = [row + "\\n" for row in text.splitlines()]
            linecache.cache[filename] = (len(text), None, rows, filename)  # as IPython does
            for statement in ast.parse(text).body:
                exec(compile(ast.Module([statement], []), filename, "exec"), space)

    main()
"""
"""What a kernel does, without Jupyter: cells are compiled by statements, under names that are no files."""
IPYKERNEL, IPYTHON = "/tmp/ipykernel_{pid}/{number}77.py", "<ipython-input-{number}-0123456789ab>"

CELLS = (
    "import jax, os\nlimit = 3",
    "\n\n# two functions\n%load_ext autoreload\ndef outer(x):\n    def inner(y):\n        return y + 1\n    return inner(x)\n\n!ls \\\n  -l\nlate = lambda q: q * 2",
    "%%bash\necho here",
    "%%time\ndef apart(x):\n    return x",
    "for i in range(limit):\n    outer(i)\nlate(1)",
    "def never():\n    pass\ndef outer(x):\n    return x",
    "outer(1)",
)
RUN = (
    CELLS[0],
    "# two functions\nget_ipython().run_line_magic('load_ext', 'autoreload')\ndef outer(x):\n    def inner(y):\n        return y + 1\n    return inner(x)\n\nget_ipython().system('ls    -l')\nlate = lambda q: q * 2\n",
    "get_ipython().run_cell_magic('bash', '', 'echo here\\n')\n",
    "get_ipython().run_cell_magic('time', '', 'def apart(x):\\n    return x\\n')\n",
    *CELLS[4:],
)
"""The same cells as IPython hands them on."""


def notebook(cells: Sequence[str]) -> str:
    def cell(text: str) -> dict[str, object]:
        rows = text.splitlines(keepends=True)
        return {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": rows}

    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [*map(cell, cells)]})


def executed(
    folder: Path,
    cells: Sequence[str],
    *flags: str,
    shape: str = IPYKERNEL,
    named: str = "",
    below: str = "work",
) -> subprocess.CompletedProcess[str]:
    """Runs cells in a kernel that a process starts whose command names a notebook."""
    write(folder, {**JAX, "kernel.py": KERNEL, "cells.json": json.dumps(cells)})
    code = "import subprocess, sys; sys.exit(subprocess.call([sys.executable, 'kernel.py', 'cells.json', sys.argv[1]]))"
    words = (sys.executable, "-c", code, shape, *filter(None, [named]))
    return observe(folder, "--facts", "facts.json", "--root", below, *flags, "--", *words)


def seen(folder: Path, cells: Sequence[str] = RUN, **more: str) -> Facts:
    done = executed(folder, cells, "--no-check", **more)
    assert done.returncode == 0 and "missed" not in done.stderr, done.stderr
    return read_facts(str(folder / "facts.json"))


class TestRun:
    @pytest.mark.parametrize("shape", [IPYKERNEL, IPYTHON])
    def test_functions_are_the_notebooks(self, tmp_path: Path, shape: str) -> None:
        write(tmp_path, {"work/nb.ipynb": notebook(CELLS)})
        functions = seen(tmp_path, shape=shape).functions
        assert {
            name: (each.calls, each.lines) for name, each in functions.items() if "<module>" not in name
        } == {
            "work/nb.ipynb::outer": (3, [1, 3]),
            "work/nb.ipynb::outer.<locals>.inner": (3, [1]),
            "work/nb.ipynb::outer#2": (1, [1]),
            "work/nb.ipynb::<lambda>": (1, [0]),
        }
        tree = NotebookCells((tmp_path / "work/nb.ipynb").read_bytes()).tree
        prints = {f"work/nb.ipynb::{each.name}": fingerprint(each.node) for each in functions_of(tree)}
        assert all(prints[name] == each.fingerprint for name, each in functions.items() if name in prints)
        assert len(functions) == 5

    def test_rows_outside_of_functions_are_those_of_the_text(self, tmp_path: Path) -> None:
        write(tmp_path, {"work/nb.ipynb": notebook(CELLS)})
        module = seen(tmp_path).functions["work/nb.ipynb::<module>"]
        text = read_document(NOTEBOOK, (tmp_path / "work/nb.ipynb").read_bytes()).source.text.split("\n")
        ran = [text[row] for row in module.lines]
        assert ran == [
            "import jax, os", "limit = 3", "def outer(x):", "late = lambda q: q * 2",
            "for i in range(limit):", "    outer(i)", "late(1)", "def never():", "def outer(x):", "outer(1)",
        ]  # fmt: skip

    def test_of_equal_notebooks_the_one_that_the_command_names(self, tmp_path: Path) -> None:
        write(tmp_path, {f"work/{name}.ipynb": notebook(CELLS) for name in "abc"})
        assert paths(seen(tmp_path, named="work/b.ipynb")) == {"work/b.ipynb"}
        (tmp_path / "facts.json").unlink()
        assert paths(seen(tmp_path)) == {"work/a.ipynb"}

    def test_the_notebook_that_has_the_functions(self, tmp_path: Path) -> None:
        """papermill puts a cell into the notebook that it writes, and runs that; names don't decide."""
        injected = ["# Parameters\nlimit = 1\n"]
        write(
            tmp_path,
            {
                "work/in.ipynb": notebook(CELLS),
                "work/out.ipynb": notebook([CELLS[0], *injected, *CELLS[1:]]),
                "work/other.ipynb": notebook([CELLS[0], "def f(): pass"]),
            },
        )
        facts = seen(tmp_path, [RUN[0], *injected, *RUN[1:]], named="work/in.ipynb")
        assert paths(facts) == {"work/in.ipynb"}
        assert facts.functions["work/in.ipynb::outer"].calls == 1
        (tmp_path / "facts.json").unlink()
        assert paths(seen(tmp_path, named="work/other.ipynb")) == {"work/in.ipynb"}

    def test_cells_of_no_notebook_are_told_of(self, tmp_path: Path) -> None:
        write(tmp_path, {"work/nb.ipynb": notebook(CELLS[:2])})
        done = executed(tmp_path, [*RUN[:2], "def g(): pass\ng()", "def h(): pass\nh()"], "--no-check")
        assert (
            "jaxlint: functions of 2 cells are left out: no notebook of the project has what ran\n"
            in done.stderr
        )
        assert paths(read_facts(str(tmp_path / "facts.json"))) == {"work/nb.ipynb"}

    def test_a_notebook_of_another_project_is_not_recorded(self, tmp_path: Path) -> None:
        write(tmp_path, {"elsewhere/nb.ipynb": notebook(CELLS), "work/readme": ""})
        done = executed(tmp_path, RUN, named="elsewhere/nb.ipynb")
        assert (done.returncode, done.stderr) == (
            0,
            "jaxlint: nothing was recorded: no notebook below work has the cells\n",
        )
        assert not (tmp_path / "facts.json").exists()


def paths(facts: Facts) -> set[str]:
    return {name.partition("::")[0] for name in facts.functions}


WRAPPED = (
    "import os\nimport jax\nwrap = getattr(jax, os.environ.get('NO_SUCH', 'jit'))",
    "%matplotlib inline\n\ndef clipped(x, keep):\n    if keep:\n        return x\n    if x > 0:\n        return x\n    return -x",
    "try:\n    wrap(lambda x: clipped(x, False))(1.0)\nexcept jax.errors.TracerBoolConversionError as error:\n    print(type(error).__name__)",
)
"""A notebook in which only a run shows that the function is traced."""


class TestCheck:
    """With the JAX that is installed: what becomes of the facts."""

    def test_check_uses_what_a_run_of_a_notebook_showed(self, tree: Tree, run: Run) -> None:
        root = tree({"nb.ipynb": notebook(WRAPPED), "jaxlint.toml": "", "kernel.py": ""})
        write(root, {"kernel.py": KERNEL})
        shown = WRAPPED[1].replace(
            "%matplotlib inline", "get_ipython().run_line_magic('matplotlib', 'inline')"
        )
        (root / "cells.json").write_text(json.dumps([WRAPPED[0], shown, WRAPPED[2]]), encoding="utf-8")
        words = (sys.executable, "kernel.py", "cells.json", IPYKERNEL)
        done = observe(root, "--facts", "facts.json", "--page", "page.html", "--", *words)
        assert (done.returncode, done.stdout) == (0, "TracerBoolConversionError\n")
        assert "nb.ipynb:cell 2:6: raised TracerBoolConversionError, once\n" in done.stderr
        assert "1 finding of `check`: 1 on lines that ran (1 confirmed: raised)" in done.stderr
        page = (root / "page.html").read_text(encoding="utf-8")
        assert "nb.ipynb:cell 2:6" in page and "What was traced that <code>check</code> did not know" in page

        words = ("check", "nb.ipynb", "-n", "--output-format", "json", "--select", "JAX101")
        assert json.loads(run(*words).out) == []
        (found,) = json.loads(run(*words, "--facts", "facts.json").out)
        assert (found["cell"], found["location"]["row"], found["observed"]) == (2, 6, True)
        assert any("(observed)" in note["message"] for note in found["related"])
        assert (
            "functions that are as they were: 4; changed or gone: 0"
            in run(*words, "--facts", "facts.json", "-v").err
        )

        changed = [each.replace("return -x", "return +x").replace("False", "0") for each in WRAPPED]
        (root / "nb.ipynb").write_text(notebook(changed), encoding="utf-8")
        assert json.loads(run(*words, "--facts", "facts.json").out) == []


class TestCells:
    @pytest.mark.parametrize(
        "cells",
        [
            CELLS,
            WRAPPED,
            ["", "def f(): pass", "\n", "a = 1\r\ndef f():\r\n    return 2\n", "%%html\n<p>\n"],
            [
                "  def h():\n      return 1\n  h()",
                "ls -l",
                "def g():\n    return 1\n",
                "  (",
                "async def h():\n    pass\nawait h()",
            ],
            [],
        ],
    )
    def test_rows_and_functions_are_those_of_the_text_that_is_linted(self, cells: Sequence[str]) -> None:
        data = notebook(cells).encode()
        document, own = read_document(NOTEBOOK, data), NotebookCells(data)
        assert [*own.first_rows] == [row + 1 for row in document.cells or ()]
        linted = tree_of(document.text_of_python)
        assert linted is not None
        expected = {(each.name, each.row, fingerprint(each.node)) for each in functions_of(linted)}
        found = {(each.name, each.row, fingerprint(each.node)) for each in functions_of(own.tree)}
        assert found == {each for each in expected if "apart" not in each[0]} | {
            each for each in found if "apart" in each[0]
        }

    @pytest.mark.parametrize("data", [b"", b"{", b"[1]", b"\xff", b'{"nbformat": 3, "worksheets": []}'])
    def test_what_is_no_notebook_has_no_cells(self, data: bytes) -> None:
        own = NotebookCells(data)
        assert (own.first_rows, own.tree.body, own.rows_by_text) == ((), [], {})

    def test_notebooks_of_environments_and_checkpoints_do_not_count(self, tmp_path: Path) -> None:
        text = notebook(CELLS)
        hidden = (".ipynb_checkpoints/nb.ipynb", "env/share/nb.ipynb", "site-packages/nb.ipynb", "nb.txt")
        write(tmp_path, {"env/pyvenv.cfg": "", **dict.fromkeys(hidden, text)})
        cells = dict(zip("abcdefg", RUN, strict=True))
        own = Notebooks([str(tmp_path)])
        assert own.placed(cells, ["b"], []) == {}
        write(tmp_path, {"deep/down/nb.ipynb": text})
        found = Notebooks([str(tmp_path)]).placed(cells, ["b"], [])
        assert {each.path for each in found.values()} == {str(tmp_path / "deep/down/nb.ipynb")}

    def test_places_are_by_cell(self) -> None:
        rows = Rows()
        rows.update({"nb.ipynb::f": 5, "a.py::f": 5})
        rows.cells["nb.ipynb"] = (2, 5, 9)
        assert ranking.place("nb.ipynb::f", 0, rows) == "nb.ipynb:cell 2:1"
        assert ranking.place("nb.ipynb::f", 5, rows) == "nb.ipynb:cell 3:2"
        assert ranking.place("a.py::f", 5, rows) == "a.py:10"
