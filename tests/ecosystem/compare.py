"""What a change of the engine does to the findings in published JAX libraries.

    python tests/ecosystem/compare.py FOLDER...

In: folders that each hold one unpacked wheel (the package beside its `.dist-info`). Out: the findings of
the default rules in library code that `findings.csv` lacks (`+`) and its rows that are no longer found
(`-`, with their verdict); exit status 1 if there are any. It knows nothing of where the folders come from.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import jaxlint

TABLE = Path(__file__).with_name("findings.csv")


class Finding(NamedTuple):
    project: str
    version: str
    place: str
    code: str


class Reading(NamedTuple):
    verdict: str
    sentence: str


def recorded(table: Path) -> dict[Finding, Reading]:
    """The rows of the table."""
    with table.open(encoding="utf-8", newline="") as stream:
        return {
            Finding(row["project"], row["version"], row["place"], row["code"]): Reading(
                row["verdict"], row["sentence"]
            )
            for row in csv.DictReader(stream)
        }


def release_of(folder: Path) -> tuple[str, str]:
    """The project and version that an unpacked wheel's metadata folder names.

    Raises:
        SystemExit: The folder holds no wheel, or several.
    """
    names = [entry.name.removesuffix(".dist-info") for entry in folder.glob("*.dist-info")]
    if len(names) != 1:
        raise SystemExit(f"{folder} must hold exactly one unpacked wheel, and holds {len(names)}")
    project, _, version = names[0].partition("-")
    return project, version


def is_test(path: Path) -> bool:
    """Whether a path inside a package is test code by the names that the libraries use."""
    in_tests = any(part in ("test", "tests") for part in path.parts[:-1])
    return in_tests or path.stem.startswith("test_") or path.stem.endswith("_test")


def library_lines(folder: Path) -> int:
    """Physical lines of the Python files that are not tests."""
    paths = (path for path in folder.rglob("*.py") if not is_test(path.relative_to(folder)))
    return sum(path.read_bytes().count(b"\n") for path in paths)


def found(folder: Path) -> Iterator[tuple[Finding, str]]:
    """The findings of the default rules in library code, each with its message."""
    project, version = release_of(folder)
    root = folder.resolve()
    for row in jaxlint.lint(root, isolated=True):
        path = Path(row.filename).relative_to(root)
        if not is_test(path):
            yield Finding(project, version, f"{path.as_posix()}:{row.span.row}", row.code), row.message


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    folders: list[Path] = parser.parse_args().folders
    table = recorded(TABLE)
    releases = {release_of(folder) for folder in folders}
    known = {row.project: row.version for row in table}
    for project, version in sorted(releases):
        if known.get(project, version) != version:
            print(f"{project} {version} was not read: the table is of {known[project]}", file=sys.stderr)
    new = dict(pair for folder in folders for pair in found(folder))
    before = {row for row in table if (row.project, row.version) in releases}
    appeared, gone = sorted(new.keys() - before), sorted(before - new.keys())
    for row in appeared:
        print("+", *row, new[row])
    for row in gone:
        print("-", *row, f"({table[row].verdict})", table[row].sentence)
    lines = sum(library_lines(folder) for folder in folders)
    print(f"{len(new)} findings in {lines} lines of library code: {len(appeared)} appeared, {len(gone)} gone")
    return 1 if appeared or gone else 0


if __name__ == "__main__":
    sys.exit(main())
