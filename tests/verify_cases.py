"""Runs the case files and the projects under real JAX and compares what happened with their markers.

In: tests/cases/*.py and tests/frameworks/*.py (sections split by `# %%`), tests/projects/*/ (each run as
`python main.py`).
Out: one outcome a program: the lines of its own that the traceback ran through, and the error.
A marker of a rule that claims "Raises" says that the program stops in that statement; a program without
such a marker runs to its end. Where the title, or the docstring of a project's main.py, starts with
`raises-elsewhere`, it stops in any of its statements.
Titles that start with `norun` are not run; those that start with `since X.Y` are run by JAX X.Y and newer, and
linted always. It knows nothing of the linter.
JAXLINT_SHARE=K/N: of what depends on JAX alone, and of the laws' random programs, one part in N is run, another one
for each K from 0 on and with each change of the sources.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import importlib
import io
import linecache
import os
import re
import sys
import tempfile
import traceback
import types
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TypeVar
from unittest import mock
from zlib import crc32

import project_server

HERE = Path(__file__).resolve().parent
CASES = HERE / "cases"
FRAMEWORKS = HERE / "frameworks"
PROJECTS = HERE / "projects"

Thing = TypeVar("Thing")
SHARE, ONE_IN = map(int, os.environ.get("JAXLINT_SHARE", "0/1").split("/"))

MARKER = re.compile(r"#!\s*((?:[A-Z]{3}\d{3}\s*)+)$")

# The errors that a rule's claim allows, by class name anywhere in the error's ancestry.
RAISES: dict[str, frozenset[str]] = {
    "JAX101": frozenset({"TracerBoolConversionError", "TypeError"}),
    "JAX102": frozenset({"TracerBoolConversionError"}),
    "JAX103": frozenset({"TracerBoolConversionError"}),
    "JAX104": frozenset({"TracerIntegerConversionError", "ValueError", "TypeError"}),
    "JAX105": frozenset(
        "ConcretizationTypeError TracerIntegerConversionError TracerArrayConversionError TypeError"
        " AttributeError".split()
    ),
    "JAX106": frozenset({"TracerArrayConversionError", "TracerBoolConversionError"}),
    "JAX107": frozenset({"ConcretizationTypeError", "TracerIntegerConversionError", "TypeError"}),
    "JAX108": frozenset({"TracerIntegerConversionError", "TypeError"}),
    "JAX109": frozenset(
        {"ConcretizationTypeError", "TracerIntegerConversionError", "TypeError", "ValueError"}
    ),
    "JAX110": frozenset({"ConcretizationTypeError", "TracerBoolConversionError"}),
    "JAX111": frozenset({"NonConcreteBooleanIndexError"}),
    "JAX112": frozenset({"IndexError", "TracerIntegerConversionError", "TracerBoolConversionError"}),
    "JAX113": frozenset(
        {"ConcretizationTypeError", "TracerIntegerConversionError", "TypeError", "IndexError"}
    ),
    "JAX117": frozenset({"TracerBoolConversionError", "ValueError"}),
    "JAX203": frozenset({"UnexpectedTracerError", "TraceContextError"}),
    "JAX402": frozenset({"ValueError", "TypeError"}),
    "JAX505": frozenset({"RuntimeError", "ValueError", "JaxRuntimeError"}),
    "JAX405": frozenset({"TypeError"}),
    "JAX501": frozenset({"TypeError", "AttributeError", "ValueError", "NotImplementedError"}),
    "JAX901": frozenset(
        {"AttributeError", "ImportError", "ModuleNotFoundError", "TypeError", "NotImplementedError"}
    ),
}

# Settings of JAX. Most of the time that programs take is their compilation, of which little is done, and what it
# gives is kept between runs; nor are places in the source noted in what is compiled. The values and the errors are
# the same.
QUICK: dict[str, bool | int | str] = {
    "jax_disable_most_optimizations": True,
    "jax_traceback_in_locations_limit": 0,
    "jax_compilation_cache_dir": os.path.join(tempfile.gettempdir(), "jaxlint-tests"),
    "jax_persistent_cache_min_compile_time_secs": 0,
    "jax_persistent_cache_min_entry_size_bytes": -1,
}


@dataclass(frozen=True)
class Section:
    """One program of a case file. Line numbers in `markers` count from 1 in `source`;
    line 1 is line `first_line` of the file."""

    path: Path
    title: str
    source: str
    first_line: int
    markers: dict[int, set[str]]

    @property
    def runs(self) -> bool:
        if not in_share(f"{self.path.stem} {self.title}"):
            return False
        if since := re.match(r"since ([\d.]+)", self.title):
            return _numbers(since[1]) <= _numbers(metadata.version("jax"))
        return not self.title.startswith("norun")


def in_share(name: str) -> bool:
    """Whether what has this name is a part of the share that is run."""
    return ONE_IN == 1 or (crc32(name.encode()) + sources() + SHARE) % ONE_IN == 0


def share_of(things: Sequence[Thing]) -> list[Thing]:
    """The share of a few things that is run, one at least."""
    return [*things[(sources() + SHARE) % ONE_IN :: ONE_IN]] or [things[0]]


@functools.cache
def sources() -> int:
    """A number that is made of what is tested, and of what makes the programs and runs them."""
    found = hashlib.sha256()
    for folder in (HERE.parent / "jaxlint", HERE.parent / "rules", HERE):
        for path in sorted(folder.rglob("*.py")):
            found.update(path.read_bytes())
    return int.from_bytes(found.digest()[:4])


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.strip(".").split(".") if part.isdigit())


@dataclass(frozen=True)
class Outcome:
    """`raised_at`: the program's own lines in the traceback; `deepest`: the last of them."""

    raised_at: set[int]
    error: str | None
    classes: frozenset[str] = frozenset()
    deepest: int | None = None
    text: str = ""


@dataclass(frozen=True)
class ProjectOutcome:
    """`raised_at`: (path inside the project, line) in the traceback, outermost first."""

    raised_at: list[tuple[str, int]]
    error: str | None
    text: str = ""


def markers_of(source: str) -> dict[int, set[str]]:
    """The codes that each line is marked with, by line number from 1."""
    found: dict[int, set[str]] = {}
    for row, line in enumerate(source.splitlines(), start=1):
        match = MARKER.search(line)
        if match:
            found[row] = set(match.group(1).split())
    return found


def case_files() -> list[Path]:
    """Those of the rules, then those of programs that are written with a framework."""
    return [path for folder in (CASES, FRAMEWORKS) for path in sorted(folder.glob("*.py"))]


def sections(path: Path) -> list[Section]:
    """The programs of a case file, in order."""
    titles: list[tuple[int, str]] = []
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if line.startswith("# %%"):
            titles.append((number, line[4:].strip()))
    result = []
    for (start, title), (end, _) in zip(titles, [*titles[1:], (len(lines), "")], strict=True):
        source = "\n".join(lines[start + 1 : end]).rstrip() + "\n"
        result.append(Section(path, title, source, start + 2, markers_of(source)))
    return result


def statement_lines(source: str, row: int) -> range:
    """The lines of the innermost statement at `row`; of a compound statement only its header."""
    best = range(row, row + 1)
    size: int | None = None
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, (ast.stmt, ast.match_case, ast.excepthandler)):
            continue
        if isinstance(node, ast.match_case):
            start, end = node.pattern.lineno, node.body[0].lineno - 1
        else:
            start, end = node.lineno, node.end_lineno or node.lineno
            body = getattr(node, "body", None) or getattr(node, "cases", None)
            if body:
                first = body[0].pattern if isinstance(body[0], ast.match_case) else body[0]
                end = max(start, first.lineno - 1)
        if start <= row <= end and (size is None or end - start < size):
            best, size = range(start, end + 1), end - start
    return best


def ready_jax() -> None:
    """JAX on the CPU in this process, quick, with tracebacks that show every frame."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax

    jax.config.update("jax_traceback_filtering", "off")
    for name, value in QUICK.items():
        jax.config.update(name, value)


def run(section: Section) -> Outcome:
    """Executes the program as a module of its own, in this process."""
    name = f"case_{section.path.stem}_{section.first_line}"
    filename = f"<{section.path.name}:{section.first_line}>"
    module = types.ModuleType(name)
    module.__file__ = filename
    linecache.cache[filename] = (len(section.source), None, section.source.splitlines(True), filename)
    sys.modules[name] = module
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            contextlib.chdir(folder),
            contextlib.redirect_stdout(io.StringIO()),
            mock.patch.object(sys, "argv", [filename]),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            exec(compile(section.source, filename, "exec", dont_inherit=True), module.__dict__)
            importlib.import_module("jax").effects_barrier()
    except Exception as error:
        frames = traceback.walk_tb(error.__traceback__)
        rows = [row for frame, row in frames if frame.f_code.co_filename == filename]
        return Outcome(
            set(rows),
            f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}",
            frozenset(cls.__name__ for cls in type(error).__mro__),
            rows[-1] if rows else None,
            "".join(traceback.format_exception(error)),
        )
    finally:
        sys.modules.pop(name, None)
    return Outcome(set(), None)


def raising(markers: dict[int, set[str]]) -> dict[int, set[str]]:
    """Only the markers of rules that claim an error."""
    kept = {row: codes & RAISES.keys() for row, codes in markers.items()}
    return {row: codes for row, codes in kept.items() if codes}


def disagreement(section: Section, outcome: Outcome) -> str | None:
    """A sentence where run and markers differ, None where they agree."""
    expected = raising(section.markers)
    where = f"{outcome.error} at {sorted(outcome.raised_at)}"
    if not expected:
        return None if outcome.error is None else f"unmarked, but raised {where}"
    if outcome.error is None:
        return f"marked at {sorted(expected)}, but ran to the end"
    if outcome.deepest is None:
        return f"raised outside the section: {outcome.error}"
    if section.title.startswith("raises-elsewhere"):
        claimed = frozenset().union(*(RAISES[code] for codes in expected.values() for code in codes))
        return None if claimed & outcome.classes else f"raises elsewhere, but {where}"
    reached = [row for row in expected if row in statement_lines(section.source, outcome.deepest)]
    if not reached:
        return f"marked at {sorted(expected)}, but raised {where}"
    codes = set().union(*(expected[row] for row in reached))
    if not any(RAISES[code] & outcome.classes for code in codes):
        return f"marked {sorted(codes)}, but the error is {outcome.error}"
    return None


def run_project(folder: Path) -> ProjectOutcome:
    """Runs `main.py` of the folder, in a process of its own."""
    environment = dict(os.environ)
    environment.update(PYTHONDONTWRITEBYTECODE="1", JAX_PLATFORMS="cpu", JAX_TRACEBACK_FILTERING="off")
    environment.update({name.upper(): str(value) for name, value in QUICK.items()})
    for name in ("PYTHONPATH", "PYTEST_CURRENT_TEST"):
        environment.pop(name, None)
    status, said = project_server.run(folder, environment)
    if status == 0:
        return ProjectOutcome([], None)
    frames: list[tuple[str, int]] = []
    last = said.rsplit("Traceback (most recent call last):", 1)[-1]
    for file, row in re.findall(r'File "([^"]+)", line (\d+)', last):
        path = (folder / file).resolve()
        if path.is_relative_to(folder.resolve()):
            frames.append((path.relative_to(folder.resolve()).as_posix(), int(row)))
    error = next((line for line in last.splitlines() if line[:1].isalpha()), "exit")
    return ProjectOutcome(frames, error, said)


def project_markers(folder: Path) -> dict[tuple[str, int], set[str]]:
    """The markers of all files of a project."""
    return {
        (path.relative_to(folder).as_posix(), row): codes
        for path in sorted(folder.rglob("*.py"))
        for row, codes in markers_of(path.read_text(encoding="utf-8")).items()
    }


def project_disagreement(folder: Path, outcome: ProjectOutcome) -> str | None:
    """A sentence where run and markers differ, None where they agree."""
    expected = {place: codes & RAISES.keys() for place, codes in project_markers(folder).items()}
    expected = {place: codes for place, codes in expected.items() if codes}
    where = f"{outcome.error} at {outcome.raised_at}"
    if not expected:
        return None if outcome.error is None else f"unmarked, but raised {where}"
    if outcome.error is None:
        return f"marked at {sorted(expected)}, but ran to the end"
    if not outcome.raised_at:
        return f"raised outside the project: {outcome.error}"
    file, row = outcome.raised_at[-1]
    name = outcome.error.split(":")[0].rsplit(".", 1)[-1]
    classes = {name} | _ANCESTORS.get(name, frozenset())
    page = ast.get_docstring(ast.parse((folder / "main.py").read_text(encoding="utf-8"))) or ""
    if page.startswith("raises-elsewhere"):
        claimed = frozenset().union(*(RAISES[code] for codes in expected.values() for code in codes))
        return None if claimed & classes else f"raises elsewhere, but {where}"
    lines = statement_lines((folder / file).read_text(encoding="utf-8"), row)
    reached = [place for place in expected if place[0] == file and place[1] in lines]
    if not reached:
        return f"marked at {sorted(expected)}, but raised {where}"
    codes = set().union(*(expected[place] for place in reached))
    if not any(RAISES[code] & classes for code in codes):
        return f"marked {sorted(codes)}, but the error is {outcome.error}"
    return None


# A child process tells only the error's own name; these are the ancestors that claims are made about.
_ANCESTORS = {
    "TracerBoolConversionError": frozenset({"ConcretizationTypeError", "TypeError"}),
    "ConcretizationTypeError": frozenset({"TypeError"}),
    "TracerArrayConversionError": frozenset({"TypeError"}),
    "TracerIntegerConversionError": frozenset({"TypeError"}),
    "NonConcreteBooleanIndexError": frozenset({"IndexError"}),
}


def main(arguments: list[str]) -> int:
    ready_jax()
    everything = [*case_files(), *sorted(PROJECTS.iterdir())]
    paths = [Path(argument) for argument in arguments] or everything
    verbose = bool(os.environ.get("VERBOSE"))
    failed = 0
    for path in paths:
        if path.is_dir():
            if not (path / "main.py").exists():
                continue
            outcome = run_project(path)
            problem = project_disagreement(path, outcome)
            if problem:
                failed += 1
            print(f"{'FAIL' if problem else 'ok  '} {path.name}: {problem or outcome.error or 'runs'}")
            if problem and verbose:
                print(outcome.text)
            continue
        silent = 0
        programs = sections(path)
        for section in programs:
            silent += not section.markers
            if not section.runs:
                continue
            result = run(section)
            problem = disagreement(section, result)
            if problem:
                failed += 1
                rows = f"first line {section.first_line}"
                print(f"FAIL {path.name}: {section.title[:60]!r} ({rows}): {problem}")
                if verbose:
                    print(result.text)
        print(f"     {path.name}: {len(programs)} sections, {silent} silent")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
