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


def top_packages(folder: str) -> Iterator[str]:
    """The outermost folder of each run of folders with an __init__ file around a folder, innermost first.
    Between two runs, and below the first, lie plain folders: modules in them are a package's, too."""
    inner = None
    for step in upwards(folder):
        if is_package(step):
            inner = step
        elif inner is not None:
            yield inner
            inner = None
    if inner is not None:
        yield inner
