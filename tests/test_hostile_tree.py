"""Trees that hold what no program needs: pipes, devices, links, huge files. None blocks a run or is followed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import Run, Tree
from test_robust import BRANCH, MARKED, codes

from jaxlint.session.store import FORM, NAME
from jaxlint.source.regular_files import read_regular

FOUND = [("a.py", 6, "JAX101")]
SETTINGS_FILES = ["setup.cfg", "requirements.txt", "pyproject.toml", "jaxlint.toml", ".jaxlint.toml"]


@pytest.mark.parametrize("name", [".gitignore", ".git/info/exclude", "b.py", *SETTINGS_FILES])
@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "loop"])
def test_what_is_no_regular_file_is_not_read(tree: Tree, run: Run, name: str, kind: str) -> None:
    root = tree({".git/info/x": "", "a.py": BRANCH})
    put(root / name, kind)
    for _ in range(2):
        assert codes(run) == FOUND


def put(path: Path, kind: str) -> None:
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero" if kind == "device" else path.name)


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "loop"])
def test_records_of_the_cache_that_are_no_files(tree: Tree, run: Run, kind: str) -> None:
    root = tree({**MARKED, "a.py": BRANCH, "b.py": "import jax\n"})
    assert codes(run) == FOUND
    for path in (root / NAME / FORM).rglob("*"):
        if path.is_file():
            path.unlink()
            put(path, kind)
    for _ in range(2):
        assert codes(run) == FOUND


def test_a_cache_that_is_a_link_is_not_used(tree: Tree, run: Run) -> None:
    root = tree(
        {"p/jaxlint.toml": "", "p/a.py": BRANCH, "home/photos/one": "", "home/0/two": "", "home/3": ""}
    )
    before = sorted(root.rglob("*"))
    (root / "p" / NAME).symlink_to(root / "home")
    assert codes(run, "p") == FOUND
    assert sorted(root.rglob("*")) == sorted([*before, root / "p" / NAME])
    assert "it is a link" in run("p", "-v").err


def test_a_cache_of_another_tool_is_left_alone(tree: Tree, run: Run) -> None:
    root = tree(
        {
            "jaxlint.toml": 'cache-dir = "own"',
            "a.py": BRANCH,
            "own/CACHEDIR.TAG": "Signature: 8a",
            "own/0/x": "",
        }
    )
    assert codes(run) == FOUND
    assert (root / "own/0/x").exists() and (root / "own" / NAME).is_dir()


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.touch()
    os.truncate(path, 1 << 40)
    with pytest.raises(OSError, match="larger than 2 MiB"):
        read_regular(str(path), 2 << 20)
    os.truncate(path, 2 << 20)
    assert len(read_regular(str(path), 2 << 20)) == 2 << 20


@pytest.mark.parametrize(
    "text",
    [
        "select = " + "[" * 100_000,
        "x = " + "{a=" * 50_000,
        "select = [" + "9" * 5000 + "]",
        "select = " + "[" * 2000 + "]" * 2000,
        "extend-exclude = ['" + "{a,b}" * 30 + "']",
    ],
)
def test_settings_that_are_too_much(tree: Tree, run: Run, text: str) -> None:
    root = tree({"jaxlint.toml": text, "a.py": BRANCH})
    ran = run(".")
    assert ran.status == 2 and ran.err.count("\n") == 1 and "internal error" not in ran.err
    assert ran.err.startswith(f"jaxlint: {root}{os.sep}jaxlint.toml:")
    ran = run(".", "--isolated", "--config", text)
    assert ran.status == 2 and ran.err.count("\n") == 1 and "internal error" not in ran.err


def test_requirements_that_look_like_versions(tree: Tree, run: Run) -> None:
    tree({**MARKED, "requirements.txt": "jax==1" + "-a" * 5000 + "!\n" + "j" * 50_000 + "@", "a.py": BRANCH})
    assert codes(run) == FOUND


def test_globs_of_many_stars(tree: Tree, run: Run) -> None:
    stars = "*a" * 60 + "b"
    tree(
        {
            "jaxlint.toml": f"extend-exclude = ['{stars}']",
            ".gitignore": stars,
            "a.py": BRANCH,
            "a" * 200 + ".py": "",
        }
    )
    assert codes(run) == FOUND


FIXABLE = "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x):\n    x.at[0].set(1)\n    return jnp.sum(x)\n"


def test_what_could_not_be_fixed_is_reported(tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from jaxlint.fixes import apply

    root = tree({**MARKED, "a.py": FIXABLE, "b.py": FIXABLE})
    before = codes(run, "--select", "JAX502", ".")
    assert [name for name, _, _ in before] == ["a.py", "b.py"]
    written = apply.write_atomically

    def refuse(path: str, data: bytes) -> None:
        if path.endswith("a.py"):
            raise OSError(28, "No space left on device", path)
        written(path, data)

    monkeypatch.setattr(apply, "write_atomically", refuse)
    ran = run("--select", "JAX502", "--fix", "--unsafe-fixes", ".")
    assert ran.status == 2
    assert "a.py: not fixed: No space left on device" in ran.err
    assert [line.split(":")[0] for line in ran.out.splitlines() if "JAX502" in line] == ["a.py"]
    assert (root / "a.py").read_text() == FIXABLE != (root / "b.py").read_text()
    assert "1 finding fixed; 1 finding left" in ran.out
