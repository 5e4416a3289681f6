"""Which files are the project's, which are JAX's.

In: the folders that count. Out: a kind for each file name that a code object has. No file is read.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable

OTHER, PROJECT, JAX, WATCHED = 0, 1, 2, 3
"""Kinds of files. `WATCHED` is a file of JAX's with functions whose calls are looked at. The lowest bit says
that an entry of a function may have to be looked at."""

INSTALLED = ("site-packages", "dist-packages", "node_modules", ".tox", ".nox", ".eggs", "__pypackages__")


CELL = re.compile(r"<ipython-input-|.*[/\\](?:ipykernel|xpython)_\d+[/\\]\d+\.py$")
"""What the code objects of a notebook's cells are named; `linecache` has their texts."""


class Files(dict[str, int]):
    """The kind of each file, by its name as code objects have it.

    roots: folders of the project. Installed packages and environments below them are not the project's.
    """

    def __init__(self, roots: Iterable[str]) -> None:
        super().__init__()
        self.roots = tuple(os.path.join(os.path.realpath(root), "") for root in roots)
        prefix = os.path.join(os.path.realpath(sys.prefix), "")
        self.outside = tuple(
            each for each in (prefix,) if not any(root.startswith(each) for root in self.roots)
        )
        self.jax = ""
        self.folders: dict[str, bool] = {}

    def __missing__(self, filename: str) -> int:
        self[filename] = found = self._kind(filename)
        return found

    def _kind(self, filename: str) -> int:
        if not isinstance(filename, str) or not filename:
            return OTHER
        if CELL.match(filename):
            return PROJECT
        if filename.startswith("<"):
            return OTHER
        if self.jax and filename.startswith(self.jax):
            return JAX
        path = os.path.realpath(filename)
        if not os.path.isabs(filename) and not os.path.exists(path):
            return OTHER  # of a module that was compiled elsewhere
        root = next((root for root in self.roots if path.startswith(root)), None)
        if root is None or path.startswith(self.outside):
            return OTHER
        between = path[len(root) :].split(os.sep)[:-1]
        if any(part in INSTALLED for part in between):
            return OTHER
        return OTHER if self._is_in_environment(root, between) else PROJECT

    def _is_in_environment(self, root: str, parts: list[str]) -> bool:
        folder = root
        for part in parts:
            folder = os.path.join(folder, part)
            if folder not in self.folders:
                self.folders[folder] = os.path.exists(os.path.join(folder, "pyvenv.cfg"))
            if self.folders[folder]:
                return True
        return False

    def found_jax(self, folder: str) -> None:
        """Tells where JAX is."""
        self.jax = os.path.join(folder, "")
        for filename in list(self):
            if filename.startswith(self.jax):
                self[filename] = JAX


def absolute(filename: str) -> str:
    """The name of a file as code objects have it, from the root."""
    return filename if os.path.isabs(filename) or filename[:1] == "<" else os.path.abspath(filename)
