"""Folders: what lies above one, what lies in one, and which are packages.

In: absolute paths. Out: absolute paths. It knows nothing of settings and reads no file's text.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

INIT_FILES = ("__init__.py", "__init__.pyi")


def upwards(folder: str) -> Iterator[str]:
    """The folder itself and every one above it, innermost first."""
    while True:
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        folder = parent


def lies_in(path: str, folder: str) -> bool:
    """Whether a path is the folder or is below it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def is_package(folder: str) -> bool:
    """Whether the folder has an __init__ file."""
    return any(os.path.isfile(os.path.join(folder, name)) for name in INIT_FILES)


class Packages:
    """Which folders are packages. Each is looked at once, as long as this is kept."""

    def __init__(self) -> None:
        self._known: dict[str, bool] = {}
        self._bases: dict[str, tuple[str, ...]] = {}

    def bases(self, folder: str) -> tuple[str, ...]:
        """The folders from which modules in a folder are imported as parts of packages, innermost first: the
        one above each run of folders with an __init__ file. Plain folders between and below these are parts
        of a package, too."""
        found = self._bases.get(folder)
        if found is None:
            above = os.path.dirname(folder)
            found = self.bases(above) if above != folder else ()
            if self._is_package(folder) and not self._is_package(above):
                found = (above, *found)
            self._bases[folder] = found
        return found

    def _is_package(self, folder: str) -> bool:
        if folder not in self._known:
            self._known[folder] = is_package(folder)
        return self._known[folder]
