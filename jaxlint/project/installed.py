"""What the places that imports start from have installed in them, as far as findings depend on it.

In: a folder or a zip file. Out: the releases of LibCST in it, and whether anything in it brings rules. It is
only read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from jaxlint.source.regular_files import SETTINGS, read_regular

GROUP = "jaxlint.rules"
"""The entry points that name rules."""


def installed(place: str) -> tuple[list[str], bool]:
    """The releases of LibCST, and whether there are rules."""
    releases = []
    brings_rules = False
    for name, entry_points in _distributions(place or "."):
        if name.startswith("libcst-"):
            releases.append(name)
        brings_rules = brings_rules or f"[{GROUP}]".encode() in entry_points
    return releases, brings_rules


def _distributions(place: str) -> Iterator[tuple[str, bytes]]:
    """The names of what is installed, with the entry points that each has."""
    if os.path.isfile(place):
        yield from _zipped(place)
        return
    try:
        names = sorted(os.listdir(place))
    except OSError:
        return
    for name in filter(_is_record, names):
        try:
            yield name, read_regular(os.path.join(place, name, "entry_points.txt"), SETTINGS)
        except OSError:
            yield name, b""


def _zipped(place: str) -> Iterator[tuple[str, bytes]]:
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(place) as archive:
            for name in sorted(archive.namelist()):
                folder, _, file = name.rpartition("/")
                if file == "entry_points.txt" and _is_record(folder):
                    yield folder, archive.read(name)
    except (OSError, BadZipFile):
        return


def _is_record(name: str) -> bool:
    """Whether a folder says what is installed."""
    return name.lower().endswith((".dist-info", "egg-info"))
