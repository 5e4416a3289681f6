"""The formats of files, by the ends of their names.

In: a path, and what the settings say of ends of names. Out: the name of a format. It never looks into a file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

PYTHON, STUB, NOTEBOOK, MYST = "python", "pyi", "ipynb", "myst"
CODE_FORMATS = (PYTHON, STUB, NOTEBOOK, MYST)

_USUAL = {"pyi": STUB, "ipynb": NOTEBOOK}


def format_of(path: str, extension: Mapping[str, str]) -> str:
    """The format of a file; Python where its name says nothing.

    Args:
        extension: Formats by the end of a name, such as `{"md": "myst"}`; they come before the usual ones.
    """
    end = os.path.splitext(path)[1][1:].lower()
    return extension.get(end) or _USUAL.get(end, PYTHON)


def is_embedded(format: str) -> bool:
    """Whether the Python of such a file is a part of it."""
    return format in (NOTEBOOK, MYST)
