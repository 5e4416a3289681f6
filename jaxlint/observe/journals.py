"""The journals of a run, as what they add up to.

In: a folder of files that processes of the user's program wrote; one may be cut where its process was killed.
Out: functions by the places of their code, with what was seen of them, still without names and fingerprints.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from jaxlint.observe.cells import Notebooks, Placed
from jaxlint.observe.fingerprint import MODULE

_DEFINING, _GENERATIONS = ("function", "cell"), 10


class Code(NamedTuple):
    """Where a function is: its file, first row, name, and a column where it is a lambda."""

    path: str
    row: int
    name: str
    column: int


@dataclass
class Trace:
    """One trace: when in seconds since 1970, why, and what it took. caller: None where there is none."""

    at: float
    signature: dict[str, str]
    reason: list[tuple[str, str, str, str]]
    caller: Code | None
    seconds: Counter[str] = field(default_factory=Counter)


@dataclass
class Seen:
    """What was seen of one function."""

    calls: int = 0
    lines: set[int] = field(default_factory=set)
    run: float = 0.0
    runs: int = 0
    more: int = 0
    ways: Counter[str] = field(default_factory=Counter)
    """By the text of the way, in which functions are those of `codes` of its process: see
    `Journals.codes`."""
    traces: list[Trace] = field(default_factory=list)


@dataclass
class Journals:
    """All of a run. processes: Pythons that were seen; with_jax: those of them that imported JAX."""

    processes: int = 0
    with_jax: int = 0
    pythons: set[str] = field(default_factory=set)
    jaxes: set[str] = field(default_factory=set)
    seen: dict[Code, Seen] = field(default_factory=dict)
    events: Counter[tuple[tuple[str, Any], ...]] = field(default_factory=Counter)
    notes: set[str] = field(default_factory=set)
    faults: Counter[str] = field(default_factory=Counter)
    dropped: int = 0
    cut: int = 0
    strays: int = 0
    """Cells of which functions ran, and that are in no notebook of the project."""
    began: float = 0.0

    def of(self, code: Code) -> Seen:
        return self.seen.setdefault(code, Seen())


def read(folder: Path, notebooks: Notebooks | None = None) -> Journals:
    """What the journals in a folder add up to. notebooks: those whose cells may have run."""
    found = Journals()
    began = []
    paths = sorted(folder.glob("*.jsonl"))
    named = _Named(paths)
    for path in paths:
        reader = _Reader(found)
        for line in _lines(path):  # what a line refers to may be written after it
            if line.get("t") in _DEFINING:
                reader.line(line)
        if reader.cells:
            reader.place(notebooks, named.of(path))
        for line in _lines(path, found):
            if line.get("t") not in _DEFINING:
                reader.line(line)
        found.processes += 1
        found.with_jax += reader.has_jax
    for seen in found.seen.values():
        seen.traces.sort(key=lambda trace: trace.at)
        began += [trace.at for trace in seen.traces[:1]]
    found.began = min(began, default=0.0)
    return found


class _Named:
    """The notebooks that the commands of processes name, those of a process and its parents first."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self.heads = {path: next(_lines(path), {}) for path in paths}
        self.by_process = {head.get("pid"): head for head in self.heads.values()}

    def of(self, path: Path) -> Iterator[str]:
        head: Mapping[str, Any] | None = self.heads[path]
        for _ in range(_GENERATIONS):
            if head is None:
                break
            yield from map(str, head.get("notebooks", ()))
            head = self.by_process.get(head.get("parent"))
        for other in self.heads.values():
            yield from map(str, other.get("notebooks", ()))


def _lines(path: Path, found: Journals | None = None) -> Iterator[dict[str, Any]]:
    """The lines of a journal. found: where those are counted that are cut."""
    with open(path, encoding="ascii", errors="replace") as file:
        for text in file:
            try:
                line = json.loads(text)
            except ValueError:
                if found is not None:
                    found.cut += 1
                continue
            if isinstance(line, dict):
                yield line


class _Reader:
    """Reads one journal."""

    def __init__(self, found: Journals) -> None:
        self.found = found
        self.codes: dict[int, Code] = {}
        self.traces: dict[int, Trace] = {}
        self.has_jax = False
        self.cells: dict[str, str] = {}
        self.placed: dict[str, Placed] = {}
        self.paths: dict[int, str] = {}
        """Of functions of cells: the names of their code objects."""

    def place(self, notebooks: Notebooks | None, named: Iterable[str]) -> None:
        """Gives functions of cells their places in notebooks; those that are in none are left out."""
        self.paths = {number: code.path for number, code in self.codes.items() if code.path in self.cells}
        defining = {path for number, path in self.paths.items() if self.codes[number].name != MODULE}
        if notebooks is not None:
            self.placed = notebooks.placed(self.cells, defining, named)
        self.found.strays += len(defining - self.placed.keys())
        for number, path in self.paths.items():
            code = self.codes.pop(number)
            place = self._at((path, code.row))
            if code.name == MODULE and path in self.placed:
                place = self.placed[path].path, 1
            if place is not None:
                self.codes[number] = code._replace(path=place[0], row=place[1])

    def _at(self, place: tuple[str, int]) -> tuple[str, int] | None:
        """A place as it is in a notebook, where it is in a cell of one; None where the cell is in none."""
        path, row = place
        if path not in self.cells:
            return place
        placed = self.placed.get(path)
        return None if placed is None or row not in placed.rows else (placed.path, placed.rows[row])

    def line(self, line: dict[str, Any]) -> None:
        """Adds a line; one that is not as the recorder writes them is left out."""
        handler = getattr(self, f"_{line.get('t')}", None)
        if line.get("n") in self.paths and line["n"] not in self.codes:
            return
        try:
            if handler is not None:
                handler(line)
        except (KeyError, TypeError, ValueError, AttributeError):
            self.found.cut += 1

    def _head(self, line: dict[str, Any]) -> None:
        self.found.pythons.add(str(line["python"]))
        if line["jax"]:
            self.found.jaxes.add(str(line["jax"]))
            self.has_jax = True

    def _function(self, line: dict[str, Any]) -> None:
        self.codes[line["n"]] = Code(line["path"], line["row"], line["name"], line["column"])

    def _cell(self, line: dict[str, Any]) -> None:
        self.cells[str(line["path"])] = str(line["text"])

    def _seen(self, line: dict[str, Any]) -> None:
        seen = self.found.of(self.codes[line["n"]])
        path = self.paths.get(line["n"])
        if path is not None:
            rows = self.placed[path].rows
            line["lines"] = [rows[row] for row in line["lines"] if row in rows]
        seen.calls += line["calls"]
        seen.lines.update(line["lines"])
        seen.run += line["run"]
        seen.runs += line["runs"]
        seen.more += line["more"]

    def _entry(self, line: dict[str, Any]) -> None:
        transforms, staged, caller, parameters = json.loads(line["way"])
        named = {name: self._named(each) for name, each in parameters.items()}
        way = json.dumps([transforms, staged, self.codes.get(caller), named], sort_keys=True)
        self.found.of(self.codes[line["n"]]).ways[way] += line["count"]

    def _named(self, described: dict[str, Any]) -> dict[str, Any]:
        """A description in which functions are given by their places."""
        found = dict(described)
        if "n" in found:
            found["code"] = self.codes.get(found.pop("n"))
        if "leaves" in found:
            found["leaves"] = {path: self._named(leaf) for path, leaf in found["leaves"].items()}
        return found

    def _trace(self, line: dict[str, Any]) -> None:
        rows = [(str(a), str(b), str(c), str(d)) for a, b, c, d in line["reason"]]
        trace = Trace(line["at"], line["signature"], rows, self.codes.get(line["caller"]))
        self.traces[line["c"]] = trace
        self.found.of(self.codes[line["n"]]).traces.append(trace)

    def _cost(self, line: dict[str, Any]) -> None:
        trace = self.traces.get(line["c"])
        if trace is not None:
            trace.seconds[line["what"]] += line["seconds"]

    def _event(self, line: dict[str, Any]) -> None:
        first = line.get("first")
        place = self._at((line["path"], line["row"]))
        if place is None:
            return
        facts = {
            "kind": line["kind"],
            "path": place[0],
            "row": place[1],
            "error": line.get("error", ""),
            "what": line.get("what", ""),
            "first": self._at((first[0], first[1])) if first else None,
        }
        self.found.events[tuple(facts.items())] += line["count"]

    def _note(self, line: dict[str, Any]) -> None:
        self.found.notes.add(str(line["text"]))

    def _fault(self, line: dict[str, Any]) -> None:
        self.found.faults.update(line["counts"])
        self.found.dropped += line["dropped"]
