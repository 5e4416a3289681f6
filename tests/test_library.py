"""jaxlint as a library: what is public, and that it does what the command does."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import Run, Tree
from test_notebook import notebook

import jaxlint
from jaxlint import Fixes, Linter, MissingPath, SettingsError, fix, lint

FIXABLE = "import jax\n\n\ndef f(x):\n    return jax.tree_map(abs, x)\n"
FILES = {"pyproject.toml": "", "a.py": FIXABLE, "n.ipynb": notebook("import jax", "y = jax.tree_map(abs, 1)")}


def test_nothing_else_is_public_by_accident() -> None:
    program = "import json, jaxlint; print(json.dumps(sorted(vars(jaxlint))))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    names = {name for name in json.loads(done.stdout) if not name.startswith("_")}
    assert names == set()  # until they are asked for
    for name in jaxlint.__all__:
        assert getattr(jaxlint, name) is not None
    public = {name for name in vars(jaxlint) if not name.startswith("_")}
    for name in public - set(jaxlint.__all__):
        module = getattr(jaxlint, name)
        assert isinstance(module, ModuleType) and module.__name__ == f"jaxlint.{name}"
    assert dir(jaxlint) == sorted(jaxlint.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'linter'"):
        _ = jaxlint.linter  # type: ignore[attr-defined]


def test_lint_is_what_the_command_reports(tree: Tree, run: Run) -> None:
    tree(FILES)
    told = json.loads(run("--no-cache", "--output-format", "json", ".").out)
    assert [found.to_json() for found in lint()] == told and len(told) == 2
    with Linter() as linter:
        assert linter.lint() == lint() == linter.lint([Path("a.py"), "n.ipynb"])


def test_fix_is_what_the_command_writes(tree: Tree, run: Run, tmp_path: Path) -> None:
    root = tree(FILES)
    dry = fix(write=False)
    assert [Path(change.path).name for change in dry.changes] == ["a.py", "n.ipynb"] and dry.left == ()
    assert (root / "a.py").read_text() == FIXABLE
    written = fix()
    assert [change.after for change in written.changes] == [change.after for change in dry.changes]
    for change in written.changes:
        assert Path(change.path).read_bytes() == change.after and len(change.applied) == 1
        Path(change.path).write_bytes(change.before)
    assert run("--no-cache", "--fix", ".").status == 0
    assert [Path(change.path).read_bytes() for change in dry.changes] == [
        change.after for change in dry.changes
    ]
    assert fix() == Fixes((), ())


def test_what_is_not_fixed_says_why(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(FILES)
    from jaxlint.fixes import apply

    def full(path: str, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(apply, "write_atomically", full)
    found = fix("a.py")
    assert [change.problem for change in found.changes] == ["No space left on device"]
    assert [each.code for each in found.left] == ["JAX901"] and found.changes[0].applied == ()


def test_unsaved_texts(tree: Tree) -> None:
    root = tree(FILES)
    linter = Linter(select=["JAX901"])
    assert linter.lint("a.py", unsaved={"a.py": "x = 1\n"}) == []
    assert [
        found.span.row for found in linter.lint([], unsaved={"new.py": FIXABLE, "a.py": "#\n" + FIXABLE})
    ] == [6, 5]
    done = linter.fix([], unsaved={root / "a.py": FIXABLE + "# end\n"})
    assert done.changes[0].after.endswith(b"jax.tree.map(abs, x)\n# end\n")
    assert (root / "a.py").read_text() == FIXABLE


def test_files_that_change_between_calls(tree: Tree) -> None:
    root = tree(FILES)
    linter = Linter()
    for text, count in ((FIXABLE, 2), ("x = 1\n", 1), (FIXABLE, 2)):
        (root / "a.py").write_text(text)
        assert len(linter.lint()) == count
    (root / "a.py").unlink()
    assert len(linter.lint()) == 1


def test_from_several_threads(tree: Tree) -> None:
    tree(FILES)
    linter = Linter()
    expected = linter.lint()
    with ThreadPoolExecutor(4) as threads:
        assert all(found == expected for found in threads.map(lambda _: linter.lint(), range(12)))


def test_errors(tree: Tree) -> None:
    tree(FILES)
    with pytest.raises(SettingsError, match="selct"):
        Linter(selct=["JAX1"])
    with pytest.raises(SettingsError, match="NOPE"):
        lint(select=["NOPE"])
    with pytest.raises(MissingPath):
        fix("none.py")
    wrong: Any
    for wrong in (5, b"a.py", [b"a.py"], [None]):
        with pytest.raises(TypeError):
            lint(wrong)
    for wrong in (b"x = 1", None, Path("a.py")):
        with pytest.raises(TypeError, match="the text of `a.py` must be a str"):
            Linter().lint([], unsaved={"a.py": wrong})


def test_the_page(tree: Tree) -> None:
    """The example of the documentation runs."""
    page = (Path(__file__).resolve().parent.parent / "docs" / "usage.md").read_text(encoding="utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    tree({"pyproject.toml": "", "src/a.py": FIXABLE})
    exec(compile(code, "usage.md", "exec"), {})
    assert "tree.map" in Path("src/a.py").read_text()
