"""The findings in pinned JAX projects: what a change of the engine does to them, and how many are worth fixing.

    python tests/ecosystem/compare.py [--record LABEL] [FOLDER...]

In: folders as `fetch.py` makes them. Out: the findings of the default rules that `findings.csv` lacks among
those of the newest label (`+`) and those that are no longer found (`-`, with their verdict), and the share
worth fixing under each label; without a folder only the latter. `--record` writes the findings of the folders
to the table under a label, new ones as `unread`. Exit status 1 if anything appeared or went.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from fetch import Project, folder_of, projects

import jaxlint

TABLE = Path(__file__).with_name("findings.csv")
VERDICTS = ("fix", "harmless", "false", "unread")
# What the tool says of itself and of syntax (0), and what a table derived from JAX's releases says (9).
NOT_READ = ("JAX0", "JAX9")
INTERNAL = "JAX003"


class Finding(NamedTuple):
    project: str
    path: str
    row: int
    column: int
    code: str

    def __str__(self) -> str:
        return f"{self.project} {self.path}:{self.row}:{self.column} {self.code}"


class Reading(NamedTuple):
    """Whether a maintainer would fix it, in one sentence why, and the labels of the engines that report it."""

    verdict: str
    reported: tuple[str, ...]
    sentence: str


Table = dict[Finding, Reading]


def recorded(table: Path = TABLE) -> Table:
    """The rows of the table."""
    with table.open(encoding="utf-8", newline="") as stream:
        return {
            Finding(row["project"], row["path"], int(row["row"]), int(row["column"]), row["code"]): Reading(
                row["verdict"], tuple(row["reported"].split()), row["sentence"]
            )
            for row in csv.DictReader(stream)
        }


def write(rows: Table, table: Path = TABLE) -> None:
    """The rows in the order of their places."""
    with table.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*Finding._fields, *Reading._fields])
        for finding, reading in sorted(rows.items()):
            writer.writerow([*finding, reading.verdict, " ".join(reading.reported), reading.sentence])


def labels(rows: Table) -> list[str]:
    """The labels of the table, oldest first."""
    return sorted({label for reading in rows.values() for label in reading.reported})


def is_test(path: str) -> bool:
    """Whether a path inside a project is test code by its name."""
    *folders, name = path.split("/")
    stem = name.removesuffix(".py")
    in_tests = any(folder in ("test", "tests") for folder in folders)
    return in_tests or stem.startswith("test_") or stem.endswith("_test") or stem == "conftest"


def project_of(folder: Path) -> Project:
    """The pinned project that a folder is named for.

    Raises:
        SystemExit: None is.
    """
    for project in projects().values():
        if folder_of(project) == folder.resolve().name:
            return project
    raise SystemExit(f"{folder} is not named for a project of projects.csv: see fetch.py")


def lines_of(folder: Path) -> int:
    """Physical lines of the Python files."""
    return sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.py"))


def found(folder: Path) -> Iterator[tuple[Finding, str]]:
    """The findings of the default rules that are read, and internal errors, each with its message."""
    project, root = project_of(folder), folder.resolve()
    for row in jaxlint.lint(root, isolated=True):
        if row.code == INTERNAL or (row.filename.endswith(".py") and not row.code.startswith(NOT_READ)):
            path = Path(row.filename).relative_to(root).as_posix()
            yield Finding(project.name, path, row.span.row, row.span.column, row.code), row.message


def updated(rows: Table, new: Iterable[Finding], read: set[str], label: str) -> Table:
    """The rows after the engine of a label found the new ones in the projects that were read with it."""
    now = set(new)
    result: Table = {}
    for finding in rows.keys() | now:
        old = rows.get(finding, Reading("unread", (), ""))
        reported = set(old.reported)
        if finding.project in read:
            reported.discard(label)
        if finding in now:
            reported.add(label)
        if reported:  # what only a version in between has reported is left out
            result[finding] = old._replace(reported=tuple(sorted(reported)))
    return result


def summary(rows: Table, label: str) -> str:
    """What an engine reports by rule, as a table: how many of each verdict, and the shares."""
    counts: dict[str, Counter[str]] = {}
    for finding, reading in rows.items():
        if label in reading.reported:
            groups = [finding.code, "all"] if is_test(finding.path) else [finding.code, "all", "outside tests"]
            for group in groups:
                counts.setdefault(group, Counter())[reading.verdict] += 1
    titles = ["code", *VERDICTS, "all", "worth fixing", "false"]
    lines = [f"| {' | '.join(titles)} |", "| --- |" + " ---: |" * (len(titles) - 1)]
    for group in sorted(counts):
        count = counts[group]
        total = count.total()
        shares = [f"{count[verdict] / total:.0%}" for verdict in ("fix", "false")]
        lines.append(f"| {' | '.join([group, *(str(count[v]) for v in VERDICTS), str(total), *shares])} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--record", metavar="LABEL")
    parser.add_argument("folders", nargs="*", type=Path)
    arguments = parser.parse_args()
    folders: list[Path] = arguments.folders
    rows = recorded()
    newest = labels(rows)[-1]
    new: dict[Finding, str] = {}
    lines = 0
    for folder in folders:
        new.update(found(folder))
        lines += lines_of(folder)
    read = {project_of(folder).name for folder in folders}
    before = {row for row, reading in rows.items() if row.project in read and newest in reading.reported}
    appeared, gone = sorted(new.keys() - before), sorted(before - new.keys())
    for row in appeared:
        print("+", row, f"({rows[row].verdict})" if row in rows else "", new[row])
    for row in gone:
        print("-", row, f"({rows[row].verdict})", rows[row].sentence)
    if folders:
        print(f"{len(new)} findings in {lines} lines: {len(appeared)} appeared, {len(gone)} gone since {newest}")
    if arguments.record:
        rows = updated(rows, (row for row in new if row.code != INTERNAL), read, arguments.record)
        write(rows)
    for label in labels(rows):
        print(f"\nreported by {label}\n\n{summary(rows, label)}")
    return 1 if appeared or gone else 0


if __name__ == "__main__":
    sys.exit(main())
