"""How costs grow with the number of lines, as a table and as figures for a plot.

    python benchmarks/growth.py FOLDER... [--lines N...] [--together] [--rounds N] [--csv FILE]

Trees are made of whole copies of the folders, as many as come closest to each number of lines; fewer lines
than the folders have are a sample of their files. Each folder of each copy is a project of its own;
--together also measures the same with all copies in one project, in which each has a name of its own. Beside
it stands the bare parse of the same files: where time per line grows for it as well, it is the machine that
slowed down. The last column is time per line over that of the first tree of about 50,000 lines.

`python benchmarks/plot.py FILE.csv FILE.svg` draws the figures.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from cost import BARE_PARSE, Cost, least, ran
from tree import copied, lines_of, mixed, renamed

LINES = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)
PROPER = 50_000  # lines from which what every run costs does not count any more
CHECK = [
    sys.executable,
    "-m",
    "jaxlint",
    "check",
    ".",
    "--select",
    "ALL",
    "-n",
    "-j",
    "1",
    "--exit-zero",
    "-q",
]
PARSE = [sys.executable, "-c", BARE_PARSE]


@dataclass(frozen=True)
class Figure:
    """One measurement: of what, on how many lines, processor seconds and MB."""

    series: str
    lines: int
    seconds: float
    memory: float


def grown(folders: Sequence[Path], lines: int, tree: Path, together: bool) -> list[Path]:
    """A tree of about so many lines."""
    sources = [path for folder in folders for path in folder.rglob("*.py")]
    copies = max(1, round(lines / lines_of(sources)))
    paths: list[Path] = []
    for number in range(copies):
        if together:
            paths += renamed(folders, tree, number)
        else:
            paths += copied(folders, tree / f"copy_{number:03}")
    (tree / "jaxlint.toml").touch()
    if copies > 1 or lines > 0.75 * lines_of(paths):
        return paths
    kept = []
    for path in mixed(paths, tree):
        length = lines_of([path])
        if length <= lines:
            kept.append(path)
            lines -= length
        else:
            path.unlink()
    return kept


def figures(folders: Sequence[Path], lines: int, together: bool, rounds: int) -> list[Figure]:
    made = []
    for series in ("projects", "one project") if together else ("projects",):
        with tempfile.TemporaryDirectory() as place:
            tree = Path(place).resolve()
            paths = grown(folders, lines, tree, series == "one project")
            there = lines_of(paths)
            costs: dict[str, list[Cost]] = {series: []}
            for _ in range(rounds):
                if series == "projects":
                    given = "\n".join(map(str, paths))
                    costs.setdefault("bare parse", []).append(ran(PARSE, tree, given).cost)
                costs[series].append(ran(CHECK, tree).cost)
        for name, rows in costs.items():
            best = least(rows)
            made.append(Figure(name, there, best.cpu, best.memory))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--lines", nargs="+", type=int, default=LINES)
    parser.add_argument("--together", action="store_true", help="measure all copies as one project, too")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the figures")
    options = parser.parse_args()
    folders = [folder.resolve() for folder in options.folders]
    print(f"{'':12}{'lines':>10}{'cpu s':>9}{'ms/1,000 lines':>16}{'MB':>7}{'growth':>8}", flush=True)
    told: list[Figure] = []
    base: dict[str, float] = {}
    for lines in options.lines:
        for figure in figures(folders, lines, options.together, options.rounds):
            told.append(figure)
            each = 1e6 * figure.seconds / figure.lines
            growth = ""
            if figure.lines >= 0.9 * PROPER:
                growth = f"{each / base.setdefault(figure.series, each):.3f}"
            cells = f"{figure.lines:10}{figure.seconds:9.2f}{each:16.2f}{figure.memory:7.0f}{growth:>8}"
            print(f"{figure.series:12}{cells}", flush=True)
    if options.csv is not None:
        with options.csv.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(field.name for field in fields(Figure))
            writer.writerows([f.series, f.lines, round(f.seconds, 3), round(f.memory)] for f in told)


if __name__ == "__main__":
    main()
