"""jaxlint as it is installed: a wheel of this checkout, which an editable installation never shows."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel holds."""
    folder = tmp_path_factory.mktemp("wheel")
    # From a copy: the build leaves folders beside the sources.
    source = folder / "source"
    for name in _tracked("."):
        if name.split("/")[0] in ("jaxlint", "rules") or "/" not in name:
            copy = source / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes((ROOT / name).read_bytes())
    words = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", "."]
    subprocess.run([sys.executable, "-m", "pip", *words, str(source)], cwd=folder, check=True, timeout=300)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def _tracked(folder: str) -> list[str]:
    """Files below a folder that belong to the checkout; those that were deleted and not committed do not."""
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard", folder]
    listed = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return [name for name in listed if (ROOT / name).is_file()]


def _run(installed: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(installed), "JAX_PLATFORMS": "cpu"}
    return subprocess.run(
        [sys.executable, "-P", "-m", "jaxlint", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_every_file_is_in_the_wheel(installed: Path) -> None:
    there = {path.relative_to(installed).as_posix() for path in installed.rglob("*") if path.is_file()}
    rules = {f"jaxlint/{name}" for name in _tracked("rules")}
    assert {*_tracked("jaxlint"), *rules} - there == set()


def test_check_runs(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import jax\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"
    )
    done = _run(installed, tmp_path, "check", "--isolated", "a.py")
    assert "JAX101" in done.stdout, done.stderr


def test_observe_runs(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "a.py").write_text("import jax\n@jax.jit\ndef f(x):\n    return x\nf(1.0)\n")
    done = _run(installed, tmp_path, "observe", "--", sys.executable, "a.py")
    assert done.returncode == 0, done.stderr
    assert "1 of them traced by jit" in done.stderr
