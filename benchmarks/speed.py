"""What a run costs, beside what it cannot do without and beside other tools, as a table.

    python benchmarks/speed.py FOLDER... [--rounds N] [--together] [--no-others]

The Python files of the folders are copied to a scratch folder, each folder a project of its own (--together:
all one project). Every figure is the least of N rounds, in which all programs take turns, each in a fresh
process; ratios are of figures of the same run, and the most that some may be stands beside them. flake8,
pylint and Fixit take minutes and get one round; --no-others leaves them out. A tool that is not installed is
left out. Processor time of `-j 2` is that of the first process, without its workers; memory is that of the
process that takes the most. The bare parse is that of `libcst.parse_module` with the garbage collector off.
The editor's rows are times from a changed text to its findings, in a process that goes on (see editor.py).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from cost import BARE_PARSE, Cost, least, ran
from tree import copied, edited, edited_inside, functions_of, lines_of

PYTHON = sys.executable
TICK = 2.1  # seconds: stamps of files as young as a tick of the file system's clock are not believed

AST_PARSE = """
import ast, sys, warnings
warnings.simplefilter("ignore")
for path in sys.stdin.read().splitlines():
    try:
        ast.parse(open(path, "rb").read())
    except SyntaxError:
        pass
"""


def nothing() -> None:
    """What most programs need done before they run."""


@dataclass(frozen=True)
class Program:
    """A row of the table: a command, and what is done before it runs. A warm one runs twice and the second
    counts."""

    name: str
    command: Sequence[str]
    ready: Callable[[], None] = nothing
    given: str = ""
    is_warm: bool = False
    is_slow: bool = False
    ends: Container[int] = (0, 1)


class Bench:
    """One tree of copied files and the programs that run on it."""

    def __init__(self, tree: Path, paths: Sequence[Path], others: bool) -> None:
        self.tree = tree
        self.paths = paths
        self.missing: list[str] = []
        self._edited = max(paths, key=_fitness)
        self._original = self._edited.read_bytes()
        self._edits = 0
        self._changed = time.monotonic()
        self.programs = [*self._floors(), *self._jaxlint(), *self._tools(others)]

    def _floors(self) -> list[Program]:
        given = "\n".join(map(str, self.paths))
        return [
            Program("import click", [PYTHON, "-c", "import click"]),
            Program("import libcst", [PYTHON, "-c", "import libcst"]),
            Program("ast.parse", [PYTHON, "-c", AST_PARSE], given=given),
            Program("bare parse", [PYTHON, "-c", BARE_PARSE], given=given),
        ]

    def _jaxlint(self) -> list[Program]:
        check = [PYTHON, "-m", "jaxlint", "check", ".", "--select", "ALL", "--exit-zero", "-q"]
        return [
            Program("cold, no cache", [*check, "-n", "-j", "1"]),
            Program("cold, no cache, -j 2", [*check, "-n", "-j", "2"]),
            Program("cold, filling the cache", [*check, "-j", "1"], self._forget),
            Program("nothing changed", check, is_warm=True),
            Program("one file changed", [*check, "-j", "1"], self._edit),
            Program("one function changed", [*check, "-j", "1"], self._edit_inside),
        ]

    def _tools(self, others: bool) -> list[Program]:
        made = []
        if ruff := self._installed("ruff"):
            check = [ruff, "check", ".", "--isolated", "--exit-zero", "-q"]
            made.append(Program("ruff, no cache", [*check, "-n"]))
            made.append(Program("ruff, nothing changed", check, is_warm=True))
        if others and (flake8 := self._installed("flake8")):
            command = [flake8, ".", "--isolated", "--exit-zero", "-j", "1"]
            made.append(Program("flake8", command, is_slow=True))
        if others and (pylint := self._installed("pylint")):
            command = [pylint, ".", f"--rcfile={os.devnull}", "--recursive=y", "--exit-zero", "-j", "1"]
            made.append(Program("pylint", [*command, "--persistent=n"], is_slow=True))
        if others and (fixit := self._installed("fixit")):
            # It says by 2 and 3 that it could not read all files.
            made.append(Program("fixit", [fixit, "--quiet", "lint", "."], is_slow=True, ends=range(4)))
        return made

    def _installed(self, name: str) -> str | None:
        found = shutil.which(name, path=str(Path(PYTHON).parent)) or shutil.which(name)
        if found is None:
            self.missing.append(name)
        return found

    def _forget(self) -> None:
        for cache in self.tree.rglob(".jaxlint_cache"):
            shutil.rmtree(cache)

    def _edit(self) -> None:
        self._edits += 1
        self._edited.write_bytes(edited(self._original, self._edits))
        self._changed = time.monotonic()

    def _edit_inside(self) -> None:
        self._edits += 1
        functions = functions_of(self._original)
        middle = functions[len(functions) // 2]
        self._edited.write_bytes(edited_inside(self._original, middle, self._edits))
        self._changed = time.monotonic()

    def costs(self, rounds: int) -> dict[str, Cost]:
        """The cost of each program, by its name."""
        costs: dict[str, list[Cost]] = {program.name: [] for program in self.programs}
        for number in range(rounds):
            for program in self.programs:
                if number == 0 or not program.is_slow:
                    costs[program.name].append(self._cost(program))
        return {name: least(rows) for name, rows in costs.items()}

    def _cost(self, program: Program) -> Cost:
        program.ready()
        if program.is_warm:
            time.sleep(max(0.0, self._changed + TICK - time.monotonic()))
            ran(program.command, self.tree)
        return ran(program.command, self.tree, program.given, program.ends).cost


def _fitness(path: Path) -> tuple[bool, bool, int]:
    """The file that is edited has functions, and is as long as one that people edit."""
    size = path.stat().st_size
    return bool(functions_of(path.read_bytes())), size < 20_000, size


def in_editor(tree: Path) -> dict[str, Cost]:
    """What opening the projects in an editor costs, and an edit: the median, and the slowest."""
    done = ran([PYTHON, str(Path(__file__).with_name("editor.py")), "."], tree)
    told = json.loads(done.text)
    edits = [Cost(wall, cpu, done.cost.memory) for wall, cpu in told["edits"]]
    walls, cpus = [cost.wall for cost in edits], [cost.cpu for cost in edits]
    return {
        "editor: opened": Cost(told["opened"][0], told["opened"][1], done.cost.memory),
        "editor: an edit, median": Cost(median(walls), median(cpus), done.cost.memory),
        "editor: an edit, slowest": Cost(max(walls), max(cpus), done.cost.memory),
    }


def print_costs(costs: dict[str, Cost], lines: int) -> None:
    parse = costs["bare parse"].cpu
    print(f"{'':26}{'wall s':>9}{'cpu s':>9}{'ms/1,000 lines':>16}{'/ bare parse':>14}{'MB':>7}")
    for name, cost in costs.items():
        each = 1e6 * cost.cpu / lines
        print(
            f"{name:26}{cost.wall:9.3f}{cost.cpu:9.3f}{each:16.2f}{cost.cpu / parse:14.3f}{cost.memory:7.0f}"
        )


def print_ratios(costs: dict[str, Cost]) -> None:
    """Ratios, and the most that each may be."""

    def row(name: str, of: str, to: str, part: str = "wall", most: str = "") -> None:
        if of in costs and to in costs:
            value = getattr(costs[of], part) / getattr(costs[to], part)
            print(f"{part + ', ' + name:52}{value:9.3f}{most:>10}")

    cold, warm = "cold, no cache", "nothing changed"
    print(f"{'':52}{'ratio':>9}{'at most':>10}")
    row("cold / bare parse", cold, "bare parse", "cpu", "1.5")
    row("-j 2 / one process", "cold, no cache, -j 2", cold, most="0.60")
    row("nothing changed / `import click`", warm, "import click", most="2.5")
    row("one file changed / `import libcst`", "one file changed", "import libcst", most="3")
    row("one function changed / `import libcst`", "one function changed", "import libcst")
    row("editor: an edit / one file changed", "editor: an edit, median", "one file changed")
    row("cold / ruff cold", cold, "ruff, no cache")
    row("nothing changed / ruff, the same", warm, "ruff, nothing changed", most="5")
    row("cold / fixit", cold, "fixit", "cpu", "0.07")
    row("cold / pylint", cold, "pylint", "cpu")
    row("cold / flake8", cold, "flake8", "cpu")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--together", action="store_true", help="all folders are one project")
    parser.add_argument(
        "--others", action=argparse.BooleanOptionalAction, default=True, help="run flake8, pylint and Fixit"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place).resolve()
        paths = copied([folder.resolve() for folder in options.folders], tree, options.together)
        lines = lines_of(paths)
        bench = Bench(tree, paths, options.others)
        print(f"{len(paths)} files, {lines} lines, {options.rounds} rounds, {os.cpu_count()} cores")
        for name in bench.missing:
            print(f"{name} is not installed and left out")
        costs = bench.costs(options.rounds)
        costs.update(in_editor(tree))
    print()
    print_costs(costs, lines)
    print()
    print_ratios(costs)


if __name__ == "__main__":
    main()
