"""How much of what a library's tests trace the analysis knows to be traced, and where its knowledge ends.

    python benchmarks/tracedness.py LIBRARY TESTS... [--python PYTHON] [--install REQUIREMENT...]
        [--folder FOLDER] [--facts] [--sites N] [--missed] [--false] [-- PYTEST ARGUMENTS]

LIBRARY is the folder of a package, TESTS are files and folders of its tests, or the same folder again where
they lie in it. The tests run under PYTHON, an environment that has the library's requirements and pytest
(`--install` makes one in FOLDER); a recorder notes what each parameter of each function was
(record_traced.py). Then a `print` of the parameter and of its leaves is put at the head of each function of a
copy, and the copy is linted: JAX202 says what is known to be traced. Printed are, for the library with its
tests and alone:

    arrays   of the parameters that were staged arrays, how many are known
    pytrees  the same of pytrees with staged leaves
    false    of the parameters believed traced and run, how many were no tracer in any call, though all
             functions ran by which the believed trace leads there

and the calls at which knowledge ends, by how many unknown parameters lie behind each. With `--facts` the copy
is linted once more with what the recorder saw as a facts file, as `jaxlint check --facts` reads it; what is
not known then is what is listed. A copy is run and linted, LIBRARY stays as it is.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from jaxlint.observe.facts import Entry, Facts, Function, encoded, joined_entries
from jaxlint.observe.fingerprint import fingerprint, functions_of
from jaxlint.observe.run import RECORDER

HERE = Path(__file__).resolve().parent
TESTS = ("test_*.py", "*_test.py", "conftest.py", "tests", "test")
Place: TypeAlias = tuple[str, int]
"""A file of the copy, by its path in it, and a row."""
Param: TypeAlias = tuple[str, int, str]
"""A parameter: the path of its file in the copy, the first row of its function, its name."""


@dataclass(slots=True)
class Run:
    """What was seen of the functions while tests ran.

    kinds: of each parameter how often it was what (see record_traced.py). sites: for each function, by its
    path and first row, the calls of it, as places. names: of functions. entries: the ways to call each.
    """

    kinds: dict[Param, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    sites: dict[tuple[str, int], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    names: dict[tuple[str, int], str] = field(default_factory=dict)
    entries: dict[tuple[str, int], list[Entry]] = field(default_factory=lambda: defaultdict(list))


@dataclass(slots=True)
class Score:
    """Parameters of one kind: how many were traced, and how many of these are known."""

    traced: int = 0
    known: int = 0

    def __str__(self) -> str:
        share = f"{100 * self.known / self.traced:.0f} %" if self.traced else "-"
        return f"{self.known} of {self.traced} ({share})"


def copied(library: Path, tests: Sequence[Path], code: Path) -> list[Path]:
    """Copies the library, and of the tests what lies outside of it. Gives back where the tests are then."""
    skipped = shutil.ignore_patterns("__pycache__", "*.so", ".git")
    shutil.copytree(library, code / library.name, ignore=skipped)
    where = []
    for each in tests:
        is_inside = each.is_relative_to(library)
        where.append(code / each.relative_to(library.parent) if is_inside else code / each.name)
        if not is_inside and each.is_dir():
            shutil.copytree(each, where[-1], ignore=skipped)
        elif not is_inside:
            shutil.copy(each, where[-1])
    return [each for each in where if each.name != "conftest.py"]


def record(folder: Path, tests: Iterable[Path], python: str, arguments: Sequence[str]) -> None:
    """Runs tests in a copy, with the recorder."""
    out, code, recorder = folder / "recorded", folder / "code", folder / "recorder"
    out.mkdir()
    recorder.mkdir(exist_ok=True)
    shutil.copy(HERE / "record_traced.py", recorder)  # alone: its neighbours have names of other packages
    shutil.copytree(RECORDER, recorder / "jaxlint_recorder", dirs_exist_ok=True)
    around = {
        **os.environ,
        "TRACED_ROOTS": str(code),
        "TRACED_OUT": str(out),
        "PYTHONPATH": os.pathsep.join([str(code), str(recorder), os.environ.get("PYTHONPATH", "")]),
        "JAX_PLATFORMS": "cpu",
    }
    command = [python, "-m", "pytest", "-q", "-p", "record_traced", "-p", "no:cacheprovider"]
    command += ["--continue-on-collection-errors", *arguments, *map(str, tests)]
    subprocess.run(command, cwd=code, env=around, check=False)


def recorded(folder: Path) -> Run:
    """What the recorder has written.

    Raises:
        SystemExit: it saw no call.
    """
    run = Run()
    for path in sorted((folder / "recorded").glob("*.json")):
        for each in json.loads(path.read_text(encoding="utf-8")):
            place = (os.path.relpath(each["path"], folder / "code"), each["row"])
            run.names[place] = each["name"]
            run.sites[place].update(each["sites"])
            for way in each["entries"]:
                transforms = ("jax.jit",) if way["staged"] else ()
                run.entries[place].append(msgspec.convert({**way, "transforms": transforms}, Entry))
            for name, kinds in each["params"].items():
                run.kinds[*place, name].update(kinds)
    if not run.kinds:
        raise SystemExit("tracedness: the tests called no function of the library")
    return run


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node


def first_row(function: ast.FunctionDef) -> int:
    """The row that a code object has for its first one."""
    return min([function.lineno, *[each.lineno for each in function.decorator_list]])


def parameters(function: ast.FunctionDef) -> list[str]:
    given = function.args
    rest = [each for each in (given.vararg, given.kwarg) if each is not None]
    names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs, *rest)]
    return [name for name in names if name not in ("self", "cls")]


def probed(text: str, path: str) -> tuple[str, dict[int, Param]]:
    """A module with a `print` of each parameter at the head of each function, each in a row of its own, and
    the parameters by these rows. The leaves are printed as well: the text of a module of equinox only says
    what their shapes are."""
    lines = text.splitlines(keepends=True)
    at: dict[int, tuple[int, list[Param]]] = {}
    for function in functions(ast.parse(text)):
        head = function.body[0]
        is_doc = isinstance(head, ast.Expr) and isinstance(head.value, ast.Constant)
        if is_doc and len(function.body) > 1:
            head = function.body[1]
        row = min([head.lineno, *[each.lineno for each in getattr(head, "decorator_list", ())]])
        if not lines[row - 1][: head.col_offset].isspace() and head.col_offset:
            continue  # the body is in the row of `def`
        places = [(path, first_row(function), name) for name in parameters(function)]
        at[row] = (head.col_offset, places)
    out: list[str] = []
    rows: dict[int, Param] = {}
    for row, line in enumerate(lines, 1):
        indent, places = at.get(row, (0, []))
        for place in places:
            out.append(
                f"{' ' * indent}import jax.tree as _tree; print({place[2]}, _tree.leaves({place[2]}))\n"
            )
            rows[len(out)] = place
        out.append(line)
    return "".join(out), rows


def facts_of(run: Run, code: Path, target: Path) -> bytes:
    """A facts file of what was seen of the functions of a copy with probes. code: that without them."""
    functions: dict[str, Function] = {}
    for path in sorted({place[0] for place in run.entries}):
        if not (target / path).exists():
            continue
        before, after = (
            functions_of(ast.parse((folder / path).read_text(encoding="utf-8"))) for folder in (code, target)
        )
        for seen, probed in zip(before, after, strict=True):
            entries, more = joined_entries(run.entries.get((path, seen.first), []))
            if entries and not isinstance(seen.node, ast.Lambda):
                calls = sum(each.count for each in entries) + more
                functions[f"{path}::{probed.name}"] = Function(
                    fingerprint(probed.node), calls, [], entries, more
                )
    return encoded(Facts(functions=functions))


def known(
    code: Path, target: Path, is_library: bool, run: Run | None = None
) -> tuple[dict[Param, list[Place]], set[Param]]:
    """Lints a probed copy. Gives back the parameters that JAX202 names, each with the places by which the
    trace leads there, the outermost first, and all that have a probe. run: what is given to the analysis as
    facts."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(code, target, ignore=shutil.ignore_patterns(*TESTS) if is_library else None)
    rows: dict[Place, Param] = {}
    for path in sorted(target.rglob("*.py")):
        inside = str(path.relative_to(target))
        try:
            text, places = probed(path.read_text(encoding="utf-8"), inside)
        except (SyntaxError, ValueError):
            continue
        path.write_text(text, encoding="utf-8")
        rows.update({(inside, row): place for row, place in places.items()})
    command = [sys.executable, "-m", "jaxlint", "check", ".", "--isolated", "-n", "--exit-zero", "-q"]
    command += ["--select", "JAX202", "--output-format", "json"]
    if run is not None:
        target.joinpath("facts.json").write_bytes(facts_of(run, code, target))
        command += ["--facts", "facts.json"]
    shown = subprocess.run(command, cwd=target, check=True, capture_output=True, text=True).stdout
    probes: dict[str, list[int]] = defaultdict(list)
    for inside, row in sorted(rows):
        probes[inside].append(row)

    def before(note: dict[str, Any]) -> Place:
        """Where a note's place is without probes."""
        inside, row = os.path.relpath(note["filename"], target), note["location"]["row"]
        return inside, row - bisect_left(probes[inside], row)

    believed = {}
    for each in json.loads(shown):
        place = (os.path.relpath(each["filename"], target), each["location"]["row"])
        if place in rows:
            believed[rows[place]] = [before(note) for note in each["related"]]
    return believed, set(rows.values())


def scores(run: Run, believed: Container[Param], probes: set[Param]) -> tuple[Score, Score]:
    """The score of arrays and of pytrees."""
    arrays, trees = Score(), Score()
    for param, kinds in run.kinds.items():
        if param in probes and (kinds["array"] or kinds["tree"]):
            score = arrays if kinds["array"] else trees
            score.traced += 1
            score.known += param in believed
    return arrays, trees


def untrue(
    run: Run, believed: Mapping[Param, Sequence[Place]], source: Source
) -> tuple[set[Param], set[Param], int]:
    """The parameters believed traced that held no tracer in any call: those that were called as the trace
    that is believed leads there, and those whose trace, by all that was seen, did not run. And how many
    believed ones were called at all."""
    seen = {param for param in believed if sum(run.kinds.get(param, Counter()).values())}
    never = {param for param in seen if set(run.kinds[param]) == {"other"}}
    callers = {
        callee: {source.at(site) for site in sites if site} for callee, sites in run.sites.items() if sites
    }

    def has_run(param: Param) -> bool:
        way = [source.function(*place) for place in believed[param]]
        if not all(place is None or place in callers for place in way):
            return False
        # the first place is where a transform is applied, the others are calls
        calls = zip(way[1:], [*way[2:], param[:2]][: len(way[1:])], strict=True)
        return all(caller in callers.get(callee, ()) for caller, callee in calls if callee is not None)

    ran = set(filter(has_run, never))
    return ran, never - ran, len(seen)


class Source:
    """The functions of a copy, by where they are."""

    def __init__(self, code: Path) -> None:
        self.code = code
        self._spans: dict[str, list[tuple[int, int]]] = {}

    def function(self, path: str, row: int) -> Place | None:
        """The innermost function around a row."""
        if path not in self._spans:
            tree = ast.parse((self.code / path).read_text(encoding="utf-8"))
            self._spans[path] = [(first_row(each), each.end_lineno or 0) for each in functions(tree)]
        held = [first for first, last in self._spans[path] if first <= row <= last]
        return (path, max(held)) if held else None

    def at(self, site: str) -> Place | None:
        """The innermost function around a place as the recorder writes it."""
        path, _, row = site.rpartition(":")
        return self.function(os.path.relpath(path, self.code), int(row))


def ends(run: Run, missed: set[Param], source: Source) -> Counter[str]:
    """The calls at which knowledge ends, with how many unknown parameters lie behind each: the way of a
    parameter is followed through callers that have unknown parameters themselves."""
    lost = {param[:2] for param in missed}

    def origins(place: tuple[str, int], seen: set[tuple[str, int]]) -> Iterator[str]:
        for site in run.sites[place]:
            caller = source.at(site) if site else None
            if caller is None or caller not in lost:
                yield os.path.relpath(site, source.code) if site else "outside"
            elif caller not in seen:
                seen.add(caller)
                yield from origins(caller, seen)

    found: Counter[str] = Counter()
    for param in missed:
        found.update(set(origins(param[:2], {param[:2]})))
    return found


def rows_of(run: Run, params: Iterable[Param]) -> Iterator[str]:
    for path, row, name in sorted(params):
        kinds: Mapping[str, int] = run.kinds[path, row, name]
        yield f"  {path}:{row} {run.names[path, row]}({name}) {dict(kinds)}"


def environment(folder: Path, requirements: Sequence[str]) -> str:
    """Makes an environment for the tests. Gives back its interpreter."""
    venv.create(folder, with_pip=True)
    python = str(folder / ("Scripts" if os.name == "nt" else "bin") / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", "pytest", "jax", *requirements], check=True)
    return python


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", type=Path)
    parser.add_argument("tests", nargs="+", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--install", nargs="+", metavar="REQUIREMENT")
    parser.add_argument("--folder", type=Path, help="for the copies and records; they are kept there")
    parser.add_argument("--facts", action="store_true", help="lints once more with what was recorded")
    parser.add_argument("--sites", type=int, default=15)
    parser.add_argument("--missed", action="store_true", help="lists the parameters that are not known")
    parser.add_argument("--false", action="store_true", help="lists those believed traced that are not")
    own, given = sys.argv[1:], []
    if "--" in own:
        own, given = own[: own.index("--")], own[own.index("--") + 1 :]
    options = parser.parse_args(own)
    with tempfile.TemporaryDirectory() as made:
        folder = (options.folder or Path(made)).resolve()
        if not (folder / "recorded").exists():
            folder.mkdir(parents=True, exist_ok=True)
            python = options.python
            if options.install:
                python = environment(folder / "environment", options.install)
            tests = [each.resolve() for each in options.tests]
            where = copied(options.library.resolve(), tests, folder / "code")
            record(folder, where, python, given)
        show(folder, options)


def show(folder: Path, options: argparse.Namespace) -> None:
    """Prints the two scores, and the calls at which knowledge ends."""
    run, code = recorded(folder), folder / "code"
    source = Source(code)
    rows: list[tuple[str, bool, Run | None]]
    rows = [("with tests", False, None), ("library alone", True, None)]
    if options.facts:
        rows += [("with facts", False, run), ("alone, facts", True, run)]
    for title, is_library, given in rows:
        believed, probes = known(code, folder / "probed", is_library, given)
        arrays, trees = scores(run, believed, probes)
        false, unseen, ran = untrue(run, believed, source)
        share = f"{100 * len(false) / ran:.0f} %" if ran else "-"
        print(f"{title:14} arrays {arrays}, pytrees {trees}, false {len(false)} of {ran} ({share})", end="")
        print(f", and {len(unseen)} by calls that did not run" if unseen else "")
        if not is_library:
            missed = {
                param
                for param, kinds in run.kinds.items()
                if param in probes - believed.keys() and (kinds["array"] or kinds["tree"])
            }
            wrong, unrun = false, unseen
    for site, count in ends(run, missed, source).most_common(options.sites):
        print(f"{count:5}  {site}")
    if options.missed:
        print("not known:", *rows_of(run, missed), sep="\n")
    if options.false:
        print("never a tracer:", *rows_of(run, wrong), sep="\n")
        print("nor these, by calls that did not run:", *rows_of(run, unrun), sep="\n")


if __name__ == "__main__":
    main()
