"""What a cold run of each of many projects costs, over the bare parse of its files, as a table.

    python benchmarks/corpus.py FOLDER... [--rounds N] [--beside PYTHON]

Each folder is linted where it is, by one process without a cache, its configuration and its notebooks, after
a bare parse of its Python files (see cost.py). Figures are processor seconds, the least of N rounds in which
the programs take turns; the last row adds them up. --beside names the interpreter of an environment in which
another version of jaxlint is installed, for the ratio before and after a change.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from cost import BARE_PARSE, ran

BARE = "bare parse"
CHECK = "-P -m jaxlint check . --isolated --exit-zero -q -n -j 1 --extend-exclude *.ipynb".split()


def seconds(folder: Path, versions: Mapping[str, str], rounds: int) -> dict[str, float]:
    """The processor time of each program on one folder, by its name; `versions` are interpreters by name."""
    given = "\n".join(str(path) for path in sorted(folder.rglob("*.py")))
    found: dict[str, list[float]] = {BARE: [], **{name: [] for name in versions}}
    for _ in range(rounds):
        found[BARE].append(ran([sys.executable, "-c", BARE_PARSE], folder, given).cost.cpu)
        for name, python in versions.items():
            found[name].append(ran([python, *CHECK], folder).cost.cpu)
    return {name: min(times) for name, times in found.items()}


def row(name: str, times: Mapping[str, float]) -> str:
    taken = [f"{times[each]:9.2f}{times[each] / times[BARE]:7.3f}" for each in times if each != BARE]
    return f"{name[:36]:36}{times[BARE]:10.2f}{''.join(taken)}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--beside", metavar="PYTHON")
    options = parser.parse_args()
    versions = {"the other": options.beside} if options.beside else {}
    versions["jaxlint"] = sys.executable
    print(f"{len(options.folders)} projects, {options.rounds} rounds, {os.cpu_count()} cores")
    print(f"{'':36}{BARE:>10}{''.join(name.rjust(9) + 'ratio'.rjust(7) for name in versions)}")
    total: dict[str, float] = {}
    for folder in options.folders:
        times = seconds(folder.resolve(), versions, options.rounds)
        total = {name: total.get(name, 0.0) + taken for name, taken in times.items()}
        print(row(folder.name, times), flush=True)
    print(row("all", total))


if __name__ == "__main__":
    main()
