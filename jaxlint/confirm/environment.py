"""A virtual environment with one version of JAX, for as long as it is needed.

In: a version. Out: the path of an interpreter that has it. A JAX needs a Python that its wheels are made
for, so the interpreters that are found on this machine are tried, the running one first. It asks pip,
through pip's own configuration, and knows nothing of claims.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from jaxlint.confirm.pool import NoJax

OLDEST = (3, 11)
"""The oldest Python that jaxlint itself runs on: its children do, too."""

_OTHER_PYTHON = "require a different python version"


class Interpreter(NamedTuple):
    """A Python by its first two numbers, and where it is."""

    version: tuple[int, int]
    path: str

    def __str__(self) -> str:
        return ".".join(map(str, self.version))


@contextmanager
def interpreter_with(version: str, *packages: str, newest: bool = False) -> Iterator[str]:
    """An interpreter with that version of JAX and with packages: the running one where it has that JAX and no
    package is wanted. newest: of the Pythons that suit the newest, and not the nearest to the running one.

    Raises:
        NoJax: no Python here can install it; the message is one line that says which were tried, and which
            Python it needs, or else what pip says.
    """
    if _installed() == version and not packages:
        yield sys.executable
        return
    found = interpreters()
    said = ""
    for interpreter in sorted(found, reverse=True) if newest else found:
        with tempfile.TemporaryDirectory(prefix=f"jaxlint-jax-{version}-") as folder:
            make = [interpreter.path, "-P", "-m", "venv", folder]
            made = subprocess.run(make, capture_output=True, text=True)
            if made.returncode != 0:
                said = said or f"{interpreter.path} makes no virtual environment"
                continue
            python = str(Path(folder, "bin", "python"))
            install = [python, "-P", "-m", "pip", "install", "--disable-pip-version-check"]
            done = subprocess.run(
                [*install, f"jax[cpu]=={version}", *packages], capture_output=True, text=True
            )
            if done.returncode == 0:
                yield python
                return
            said = reason(version, done.stderr) or f"pip ended with status {done.returncode}"
            if "(from versions: none)" in done.stderr and _OTHER_PYTHON not in done.stderr.lower():
                raise NoJax(said)  # no Python would do: there is no such JAX, or no index
    raise NoJax(f"{said}; found here: Python {', '.join(map(str, found))}")


def reason(version: str, errors: str) -> str:
    """Which Python this JAX needs, where pip says so; else the last error of pip's."""
    for line in errors.splitlines():
        if _OTHER_PYTHON in line.lower():
            for each in line.rpartition(": ")[2].split(";"):
                name, _, needs = each.strip().partition(" Requires-Python ")
                if name == version and needs:
                    return f"JAX {version} needs Python {needs}"
    said = [line for line in errors.splitlines() if line.startswith("ERROR:")]
    return said[-1] if said else ""


def interpreters() -> list[Interpreter]:
    """One Python of each version that jaxlint runs on, the running one first, then the nearest to it.

    They are searched under the names `python3.N` on PATH and among the versions that pyenv keeps.
    """
    running = Interpreter((sys.version_info.major, sys.version_info.minor), sys.executable)
    found = {running.version: running}
    for each in [*_on_path(os.get_exec_path()), *_of_pyenv()]:
        if each.version >= OLDEST and each.version not in found and _runs(each):
            found[each.version] = each
    return sorted(found.values(), key=lambda each: (abs(each.version[1] - running.version[1]), each.version))


def _on_path(folders: Iterable[str]) -> Iterator[Interpreter]:
    for folder in folders:
        for path in sorted(Path(folder or ".").glob("python3.*")):
            if match := re.fullmatch(r"python3\.(\d+)", path.name):
                yield Interpreter((3, int(match[1])), str(path))


def _of_pyenv() -> Iterator[Interpreter]:
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for folder in sorted((root / "versions").glob("3.*")):
        if match := re.fullmatch(r"3\.(\d+)\.\d+", folder.name):
            yield Interpreter((3, int(match[1])), str(folder / "bin" / "python3"))


def _runs(interpreter: Interpreter) -> bool:
    """Whether it starts and is what its name says: a shim of pyenv's may lead nowhere."""
    code = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run(
            [interpreter.path, "-I", "-c", code], capture_output=True, text=True, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and done.stdout.strip() == str(interpreter)


def _installed() -> str:
    try:
        return metadata.version("jax")
    except metadata.PackageNotFoundError:
        return ""
