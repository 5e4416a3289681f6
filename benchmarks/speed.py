"""What a run costs, beside what it cannot do without and beside other tools, as a table.

    python benchmarks/speed.py FOLDER... [--rounds N] [--together] [--growth LINES...]

The Python files of the folders are copied to a scratch folder, each folder a project of its own (--together:
all one project). Every figure is the least of N rounds, in which all programs take turns, each in a fresh
process; ratios are of figures of the same run. The processor's time and the memory are those of the first
process, without its workers. The bare parse is that of `libcst.parse_module` with the garbage collector off.
--growth repeats the folders until there are so many lines.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

PARSE = """
import gc, json, sys
gc.disable()
import libcst
for path in json.load(sys.stdin):
    try:
        libcst.parse_module(open(path, "rb").read())
    except libcst.ParserSyntaxError:
        pass
"""


@dataclass(frozen=True)
class Cost:
    """Seconds by the clock, seconds of the processor, and the most memory of any process in MB."""

    wall: float
    cpu: float
    memory: float


def measured(command: Sequence[str], folder: Path, given: str = "") -> Cost:
    """What a command costs; it may end with 0 or 1."""
    begin = time.perf_counter()
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None and process.stderr is not None
        process.stdin.write(given.encode())
        process.stdin.close()
        said = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}: {said.decode()}")
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / scale)


def least(costs: Sequence[Cost]) -> Cost:
    return Cost(min(c.wall for c in costs), min(c.cpu for c in costs), max(c.memory for c in costs))


def copied(folders: Sequence[Path], target: Path, together: bool) -> list[Path]:
    """The Python files of the folders, copied so that they are projects."""
    paths = []
    for number, folder in enumerate(folders):
        place = target / f"{number:03}_{folder.name}"
        for path in sorted(folder.rglob("*.py")):
            to = place / path.relative_to(folder)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, to)
            paths.append(to)
        if not together:
            (place / "jaxlint.toml").touch()
    if together:
        (target / "jaxlint.toml").touch()
    return paths


def lines_of(paths: Sequence[Path]) -> int:
    return sum(path.read_bytes().count(b"\n") for path in paths)


def table(tree: Path, paths: Sequence[Path], rounds: int) -> None:
    python = sys.executable
    jaxlint = [python, "-m", "jaxlint", "check", ".", "--select", "ALL", "--exit-zero", "-q"]
    changed = max(paths, key=lambda path: (path.stat().st_size < 20_000, path.stat().st_size))
    original = changed.read_bytes()
    edits = iter(range(1, 1 << 30))

    def forget() -> None:
        for cache in tree.rglob(".jaxlint_cache"):
            shutil.rmtree(cache)

    def edit() -> None:
        changed.write_bytes(original + b"# %d\nedit_of_the_benchmark = %d\n" % ((next(edits),) * 2))

    def nothing() -> None:
        pass

    given = json.dumps([str(path) for path in paths])
    programs: dict[str, tuple[Callable[[], None], list[str], str]] = {
        "import click": (nothing, [python, "-c", "import click"], ""),
        "import libcst": (nothing, [python, "-c", "import libcst"], ""),
        "bare parse": (nothing, [python, "-c", PARSE], given),
        "cold, no cache": (nothing, [*jaxlint, "-n", "-j", "1"], ""),
        "cold, no cache, -j 2": (nothing, [*jaxlint, "-n", "-j", "2"], ""),
        "cold, filling the cache": (forget, [*jaxlint, "-j", "1"], ""),
        "nothing changed": (nothing, jaxlint, ""),
        "one file changed": (edit, [*jaxlint, "-j", "1"], ""),
    }
    ruff = shutil.which("ruff") or shutil.which("ruff", path=str(Path(python).parent))
    if ruff is not None:
        ruff_check = [ruff, "check", ".", "--isolated", "--exit-zero", "-q"]
        programs["ruff, no cache"] = (nothing, [*ruff_check, "-n"], "")
        programs["ruff, nothing changed"] = (nothing, ruff_check, "")
    costs: dict[str, list[Cost]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, (ready, command, stdin) in programs.items():
            ready()
            if name.endswith("nothing changed"):
                time.sleep(2.1)  # stamps as young as a tick of the file system's clock are not believed
                measured(command, tree)
            costs[name].append(measured(command, tree, stdin))
    best = {name: least(rows) for name, rows in costs.items()}
    lines = lines_of(paths)
    print(f"{len(paths)} files, {lines} lines, {rounds} rounds, {os.cpu_count()} cores\n")
    print(f"{'':26}{'wall s':>9}{'cpu s':>9}{'ms/1,000 lines':>16}{'MB':>7}")
    for name, cost in best.items():
        each = 1e6 * cost.cpu / lines
        print(f"{name:26}{cost.wall:9.3f}{cost.cpu:9.3f}{each:16.2f}{cost.memory:7.0f}")
    print()
    cold, parse = best["cold, no cache"], best["bare parse"]
    ratio("cpu, cold / bare parse", cold.cpu, parse.cpu)
    ratio("wall, -j 2 / one process", best["cold, no cache, -j 2"].wall, cold.wall)
    ratio("wall, nothing changed / `import click`", best["nothing changed"].wall, best["import click"].wall)
    ratio("wall, one changed / `import libcst`", best["one file changed"].wall, best["import libcst"].wall)
    if ruff is not None:
        warm = best["ruff, nothing changed"].wall
        ratio("wall, nothing changed / ruff, the same", best["nothing changed"].wall, warm)


def ratio(name: str, value: float, other: float) -> None:
    print(f"{name:42}{value / other:8.2f}")


def growth(folders: Sequence[Path], goals: Sequence[int], rounds: int, together: bool) -> None:
    print(f"\n{'lines':>10}{'cpu s':>9}{'ms/1,000 lines':>16}{'MB':>7}")
    for goal in goals:
        with tempfile.TemporaryDirectory() as place:
            tree = Path(place).resolve()
            (tree / "jaxlint.toml").touch()
            paths: list[Path] = []
            turn = 0
            while lines_of(paths) < goal:
                paths += copied(folders, tree / f"copy{turn:03}", together)
                turn += 1
            command = [sys.executable, "-m", "jaxlint", "check", ".", "-n", "-j", "1", "--exit-zero", "-q"]
            cost = least([measured(command, tree) for _ in range(rounds)])
            lines = lines_of(paths)
            print(f"{lines:10}{cost.cpu:9.2f}{1e6 * cost.cpu / lines:16.2f}{cost.memory:7.0f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--together", action="store_true", help="all folders are one project")
    parser.add_argument("--growth", nargs="+", type=int, default=[], metavar="LINES")
    options = parser.parse_args()
    folders = [folder.resolve() for folder in options.folders]
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place).resolve()
        table(tree, copied(folders, tree, options.together), options.rounds)
    if options.growth:
        growth(folders, options.growth, options.rounds, options.together)


if __name__ == "__main__":
    main()
