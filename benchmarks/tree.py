"""Trees of real packages to measure on: copies in a scratch folder, and edits of their files.

In: folders with Python files. Out: copies that are projects of their own, or parts of one project under names
of their own, so that imports inside a copy mean the copy.
"""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path


def copied(folders: Sequence[Path], target: Path, together: bool = False) -> list[Path]:
    """Copies the Python files of each folder; each copy is a project, or (`together`) all are one."""
    paths = []
    for number, folder in enumerate(folders):
        place = target / f"{number:03}" / folder.name
        for path in sorted(folder.rglob("*.py")):
            to = place / path.relative_to(folder)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, to)
            paths.append(to)
        if not together:
            # Imports start from beside a package.
            root = place.parent if (folder / "__init__.py").exists() else place
            (root / "jaxlint.toml").touch()
    if together:
        (target / "jaxlint.toml").touch()
    return paths


def renamed(folders: Sequence[Path], target: Path, number: int) -> list[Path]:
    """Copies the folders side by side, with the copy's number in the name of each and wherever files say it.

    Copies under one name would hide each other: an import that two files answer to means neither.
    """
    names = "|".join(re.escape(folder.name) for folder in folders)
    named = re.compile(rf"(?<![\w.])({names})\b".encode())
    ending = f"_{number:03}"
    paths = []
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            to = target / f"{folder.name}{ending}" / path.relative_to(folder)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(named.sub(rb"\1" + ending.encode(), path.read_bytes()))
            paths.append(to)
    return paths


def mixed(paths: Sequence[Path], root: Path) -> list[Path]:
    """The files in an order that has nothing to do with their names: the first of them are a sample."""
    return sorted(paths, key=lambda path: sha256(str(path.relative_to(root)).encode()).digest())


def lines_of(paths: Sequence[Path]) -> int:
    return sum(path.read_bytes().count(b"\n") for path in paths)


def functions_of(data: bytes) -> list[ast.FunctionDef]:
    """The functions and methods of a file whose last statement begins a row of its own."""
    try:
        tree = ast.parse(data)
    except SyntaxError:
        return []
    found = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    return [each for each in found if each.body[-1].lineno > each.lineno]


def edited_inside(data: bytes, function: ast.FunctionDef, number: int) -> bytes:
    """The text with one more statement before the last one of a function."""
    rows = data.splitlines(keepends=True)
    last = function.body[-1]
    at = min([last.lineno, *(each.lineno for each in getattr(last, "decorator_list", ()))]) - 1
    indent = rows[at][: len(rows[at]) - len(rows[at].lstrip())]
    return b"".join([*rows[:at], indent, b"edit_of_the_benchmark = %d\n" % number, *rows[at:]])


def edited(data: bytes, number: int) -> bytes:
    """The text with one more statement in the middle of the module, so that half of all positions move."""
    rows = data.splitlines(keepends=True)
    added = b"edit_of_the_benchmark = %d\n" % number
    try:
        body = ast.parse(data).body
    except SyntaxError:
        body = []
    middle = body[len(body) // 2] if body else None
    if middle is None or (isinstance(middle, ast.ImportFrom) and middle.module == "__future__"):
        return b"".join([*rows, b"\n", added])
    at = min([middle.lineno, *(each.lineno for each in getattr(middle, "decorator_list", ()))]) - 1
    return b"".join([*rows[:at], added, *rows[at:]])
