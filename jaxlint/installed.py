"""What the folders that imports start from have installed in them, as far as findings depend on it.

In: a folder. Out: the releases of LibCST in it, and whether anything in it brings rules. Nothing is imported.
"""

from __future__ import annotations

import os

from jaxlint.regular import SETTINGS, read_regular

GROUP = "jaxlint.rules"
"""The entry points that name rules."""


def installed(folder: str) -> tuple[list[str], bool]:
    """The releases of LibCST, and whether there are rules."""
    releases = []
    brings_rules = False
    try:
        names = sorted(os.listdir(folder or "."))
    except OSError:
        return [], os.path.isfile(folder)  # a zip file may hold anything
    for name in names:
        if name.lower().endswith((".dist-info", "egg-info")):
            if name.startswith("libcst-"):
                releases.append(name)
            try:
                text = read_regular(os.path.join(folder, name, "entry_points.txt"), SETTINGS)
                brings_rules = brings_rules or f"[{GROUP}]".encode() in text
            except OSError:
                continue
    return releases, brings_rules
