"""The journals of a run, as what they add up to.

In: a folder of files that processes of the user's program wrote; one may be cut where its process was killed.
Out: functions by the places of their code, with what was seen of them, still without names and fingerprints.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple


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
    began: float = 0.0

    def of(self, code: Code) -> Seen:
        return self.seen.setdefault(code, Seen())


def read(folder: Path) -> Journals:
    """What the journals in a folder add up to."""
    found = Journals()
    began = []
    for path in sorted(folder.glob("*.jsonl")):
        reader = _Reader(found)
        for functions in (True, False):  # what a line refers to may be written after it
            for line in _lines(path, found):
                if (line.get("t") == "function") is functions:
                    reader.line(line)
        found.processes += 1
        found.with_jax += reader.has_jax
    for seen in found.seen.values():
        seen.traces.sort(key=lambda trace: trace.at)
        began += [trace.at for trace in seen.traces[:1]]
    found.began = min(began, default=0.0)
    return found


def _lines(path: Path, found: Journals) -> Iterator[dict[str, Any]]:
    with open(path, encoding="ascii", errors="replace") as file:
        for text in file:
            try:
                line = json.loads(text)
            except ValueError:
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

    def line(self, line: dict[str, Any]) -> None:
        """Adds a line; one that is not as the recorder writes them is left out."""
        handler = getattr(self, f"_{line.get('t')}", None)
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

    def _seen(self, line: dict[str, Any]) -> None:
        seen = self.found.of(self.codes[line["n"]])
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
        facts = {
            "kind": line["kind"],
            "path": line["path"],
            "row": line["row"],
            "error": line.get("error", ""),
            "what": line.get("what", ""),
            "first": tuple(first) if first else None,
        }
        self.found.events[tuple(facts.items())] += line["count"]

    def _note(self, line: dict[str, Any]) -> None:
        self.found.notes.add(str(line["text"]))

    def _fault(self, line: dict[str, Any]) -> None:
        self.found.faults.update(line["counts"])
        self.found.dropped += line["dropped"]
