"""The programs that the laws are tried on: every section of the case files, every project of the tests, and
packages that are installed.

Out: projects as texts by relative path.
"""

from __future__ import annotations

import functools
import importlib.util
import random
from collections.abc import Iterator
from pathlib import Path

from linted import programs, projects

from .edit import Texts


@functools.cache
def sections() -> list[tuple[str, Texts]]:
    """Each program of one file, as a project."""
    return [(each.name, {"main.py": each.text}) for each in programs()]


def joined(chance: random.Random) -> tuple[str, Texts]:
    """One to three sections as one project: the later ones import what comes before."""
    chosen = chance.sample(sections(), chance.randint(1, 3))
    texts: Texts = {}
    for number, (_, section) in enumerate(chosen):
        how = chance.choice(["import m{}\n", "from m{} import *\n"]).format(number - 1)
        before = how if number and "__future__" not in section["main.py"] else ""
        texts[f"m{number}.py"] = before + section["main.py"]
    return " + ".join(name for name, _ in chosen), texts


@functools.cache
def folders() -> list[tuple[str, Texts]]:
    """The projects of several files."""
    return [(folder.name, texts_of(folder)) for folder in projects()]


def package(name: str) -> tuple[str, Texts]:
    """An installed package.

    Raises:
        ModuleNotFoundError: it is not installed.
    """
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(name)
    folder = Path(found.origin).parent
    return name, {f"{name}/{path}": text for path, text in texts_of(folder).items()}


def texts_of(folder: Path) -> Texts:
    return dict(_texts_of(folder))


def _texts_of(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".py", ".toml", ".cfg") and "__pycache__" not in path.parts:
            try:
                yield path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
