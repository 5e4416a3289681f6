"""What the link costs alone: following the programs of one huge project, with nothing to parse.

    python benchmarks/link.py [FOLDER...] [--lines N...]

The project is made up (see synthetic.py), or of copies of the folders that share nothing. The programs of one
copy are made once, and read anew from their records for each other one, as they come from the cache or from
other machines: "read" is the time for that. "link" is that of the analysis with all rules. Memory is the most
that the process had before the link, and at the end. The last row goes on from the last two measured ones.
With folders, the made-up project can be held against real programs.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import synthetic
from cost import ran
from tree import copied

from jaxlint.domain.objects import Module
from jaxlint.domain.program import World
from jaxlint.ir import parsing
from jaxlint.project.configuration import Configuration
from jaxlint.project.discovery import find_projects
from jaxlint.project.project import Project, SourceFile
from jaxlint.project.settings import JaxSettings, Settings
from jaxlint.rule.registry import registry
from jaxlint.session.driver import Driver
from jaxlint.session.pipeline import rules_of
from jaxlint.source.deep_stack import with_room

LINES = (100_000, 300_000, 1_000_000, 3_000_000)  # 10,000,000 lines need more memory than most machines have
FAR = 100_000_000


class Unit:
    """What copies are made of: the files of a project, and their programs as records.

    A module of copy 7 has the path that it has in the unit, behind `7:`.
    """

    def __init__(self, files: Sequence[SourceFile], texts: Mapping[str, bytes]) -> None:
        self._project = Project("", tuple(files), frozenset(), Settings())
        made = parsing.records(list(texts.values()), parsing.versions())
        self._records = dict(zip(texts, made, strict=True))
        self._lines = {path: text.count(b"\n") for path, text in texts.items()}
        self._meant: dict[tuple[str, str, int], str | None] = {}

    def home(self, number: int, path: str) -> tuple[int, str] | None:
        """The copy and the file that a copy means by a path."""
        return number, path

    def lines(self, number: int) -> int:
        return sum(count for path, count in self._lines.items() if self.home(number, path) == (number, path))

    def modules(self, number: int) -> list[Module]:
        """The modules of a copy, with programs of its own."""
        made = []
        for path, record in self._records.items():
            program = parsing.outcome_of(record) if self.home(number, path) == (number, path) else None
            if program is not None and not isinstance(program, parsing.Refusal):
                file = self._project.by_path[path]
                names = tuple(f"copy_{number}.{name}" for name in file.module)
                made.append(Module(f"{number}:{path}", names, file.is_package, program))
        return made

    def resolve(self, name: str, importer: str, level: int) -> str | None:
        """The path of what an import means."""
        number, _, path = importer.partition(":")
        key = (name, path, level)
        if key not in self._meant:
            file = self._project.resolve(name, path, level)
            self._meant[key] = None if file is None else file.path
        meant = self._meant[key]
        place = None if meant is None else self.home(int(number), meant)
        return None if place is None else f"{place[0]}:{place[1]}"


class MadeUp(Unit):
    """The core, which is part of copy 0, and a package that sees another one as its neighbour."""

    def __init__(self) -> None:
        files, texts = [], {}
        for name, text in synthetic.core().items():
            path = f"/{name.replace('.', '/')}.py"
            files.append(SourceFile(path, (name,), False))
            texts[path] = text.encode()
        for name, text in synthetic.package().items():
            is_package = name == "__init__"
            for folder in ("own", synthetic.NEIGHBOUR):
                dotted = folder if is_package else f"{folder}.{name}"
                files.append(SourceFile(f"/{folder}/{name}.py", (dotted,), is_package))
            texts[f"/own/{name}.py"] = text.encode()
        super().__init__(files, texts)

    def home(self, number: int, path: str) -> tuple[int, str] | None:
        _, folder, name = path.split("/")
        if folder == "core":
            return 0, path
        if folder == "own":
            return number, path
        other = synthetic.neighbour(number)
        return None if other is None else (other, f"/own/{name}")


def copies_of(folders: Sequence[Path]) -> Unit:
    """A unit of real packages."""
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place).resolve()
        copied([folder.resolve() for folder in folders], tree, together=True)
        (project,) = find_projects([str(tree)], Configuration()).projects
        texts = {file.path: Path(file.path).read_bytes() for file in project.files}
        return Unit(project.files, texts)


@dataclass(frozen=True)
class Linked:
    """What one link took: seconds of the processor, and MB."""

    lines: int
    modules: int
    read: float
    link: float
    before: float
    memory: float
    findings: int


def linked(unit: Unit, lines: int) -> Linked:
    """Links so many copies that there are about so many lines."""
    first, each = unit.lines(0), unit.lines(1)
    copies = max(1, 1 + round((lines - first) / each))
    begin = time.process_time()
    modules = [module for number in range(copies) for module in unit.modules(number)]
    read = time.process_time() - begin
    before = _memory()
    begin = time.process_time()
    driver = Driver(World(modules, unit.resolve), rules_of(registry(())), (None, None), JaxSettings())
    found = driver.run()
    link = time.process_time() - begin
    if driver.core.failures:
        raise SystemExit(f"the analysis failed: {next(iter(driver.core.failures))}")
    total = first + (copies - 1) * each
    return Linked(total, len(modules), read, link, before, _memory(), len(found))


def _memory() -> float:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def print_row(row: Linked, mark: str = "") -> None:
    cells = (
        f"{row.lines:12,}{row.modules:10,}{row.read:9.1f}{row.link:9.1f}{1e6 * row.link / row.lines:16.2f}"
    )
    print(f"{cells}{row.before:10,.0f}{row.memory:10,.0f}{row.findings:10,}{mark}", flush=True)


def far(rows: Sequence[Linked]) -> Linked:
    """What so many lines would take if it goes on as between the last two rows."""
    one, two = rows[-2], rows[-1]
    ahead = (FAR - two.lines) / (two.lines - one.lines)
    return Linked(
        FAR,
        round(two.modules + ahead * (two.modules - one.modules)),
        two.read + ahead * (two.read - one.read),
        two.link + ahead * (two.link - one.link),
        two.before + ahead * (two.before - one.before),
        two.memory + ahead * (two.memory - one.memory),
        round(two.findings + ahead * (two.findings - one.findings)),
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--lines", nargs="+", type=int, default=LINES)
    parser.add_argument("--once", type=int, help="only this many lines, in this process, as JSON")
    options = parser.parse_args()
    if options.once is not None:
        unit = copies_of(options.folders) if options.folders else MadeUp()
        print(json.dumps(vars(with_room(lambda: linked(unit, options.once)))))
        return
    times = f"{'read s':>9}{'link s':>9}{'ms/1,000 lines':>16}"
    print(f"{'lines':>12}{'modules':>10}{times}{'MB read':>10}{'MB':>10}{'findings':>10}", flush=True)
    rows = []
    for lines in options.lines:
        folders = [str(folder.resolve()) for folder in options.folders]
        command = [sys.executable, str(Path(__file__).resolve()), *folders, "--once", str(lines)]
        rows.append(Linked(**json.loads(ran(command, Path.cwd()).text)))
        print_row(rows[-1])
    if len(rows) > 1 and rows[-1].lines > rows[-2].lines:
        distant = far(rows)
        print_row(distant, "  extrapolated")
        print(CLOSING.format(hours=(distant.read + distant.link) / 3600, memory=distant.memory / 1024))


CLOSING = """
What this shows: time grows as the lines do; no step of the link looks at all pairs of such modules.
What it does not show: that one process is enough. The link is no small remainder of the work. It interprets
every program, and holds them all: 100 million lines of one project take {hours:.1f} hours, {memory:.0f} GB.
Projects that do not import each other are not linked with each other, and are followed side by side."""


if __name__ == "__main__":
    main()
