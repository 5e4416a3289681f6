"""Journals as facts: places of code become names and fingerprints, read from the files as they are now.

In: journals and the folder of the facts file. Out: facts. A function that cannot be found in its file any
more is left out and counted.
"""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from jaxlint.observe import facts as model
from jaxlint.observe.cells import NotebookCells, is_notebook, tree_of_file
from jaxlint.observe.facts import (
    Compilation,
    Entry,
    Event,
    Facts,
    Parameter,
    Totals,
    first_and_last,
    joined_entries,
    ranked,
)
from jaxlint.observe.fingerprint import MODULE, Function, fingerprint, functions_of
from jaxlint.observe.journals import Code, Journals, Seen, Trace
from jaxlint.observe.ranking import Rows
from jaxlint.source.atomic import write_atomically

_STEPS = ("trace", "lower", "compile")
_LARGEST = 32 * 1024 * 1024


class SourceFile:
    """The functions of one file as it is now; none where it is gone or does not parse.

    cells: of a notebook, the rows at which its cells begin.
    """

    def __init__(self, path: str) -> None:
        self.functions: list[Function] = []
        self.loops: list[tuple[int, int]] = []
        self.whole = ""
        self.cells: tuple[int, ...] = ()
        try:
            if os.path.getsize(path) > _LARGEST:
                return
            data = Path(path).read_bytes()
        except OSError:
            return
        tree = tree_of_file(path, data)
        if tree is None:
            return
        self.cells = NotebookCells(data).first_rows if is_notebook(path) else ()
        self.functions = functions_of(tree)
        self.whole = fingerprint(tree)
        self.by_first: dict[tuple[int, str], list[Function]] = {}
        for function in self.functions:
            self.by_first.setdefault((function.first, _plain(function)), []).append(function)
        self.loops = [
            (node.lineno, node.end_lineno or node.lineno)
            for node in ast.walk(tree)
            if isinstance(node, _LOOPS)
        ]

    def at(self, code: Code) -> Function | None:
        """The function whose code object says that it is there."""
        if not self.whole:
            return None
        found = self.by_first.get((code.row, code.name), [])
        if len(found) > 1 and code.column >= 0:
            inside = [each for each in found if _spans(each, code.column)]
            found = inside[-1:] or found
        return found[0] if found else None

    def around(self, row: int) -> Function | None:
        """The innermost function that has a row."""
        inside = [each for each in self.functions if each.row <= row <= (each.node.end_lineno or each.row)]
        return max(inside, key=lambda each: (each.row, each.node.col_offset), default=None)

    def is_in_loop(self, row: int, function: Function | None) -> bool:
        """Whether a row is in a loop of its function; not that of the loop itself."""
        begin = function.row if function is not None else 0
        return any(first < row <= last and first >= begin for first, last in self.loops)

    def fingerprints(self) -> dict[str, str]:
        found = {function.name: fingerprint(function.node) for function in self.functions}
        return {**found, MODULE: self.whole} if self.whole else found


_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _plain(function: Function) -> str:
    return "<lambda>" if isinstance(function.node, ast.Lambda) else function.node.name


def _spans(function: Function, column: int) -> bool:
    node = function.node
    end = node.end_col_offset if node.end_lineno == node.lineno else None
    return node.col_offset <= column and (end is None or column < end)


class Gatherer:
    """Makes facts of journals. folder: that of the facts file, from which paths are.

    lost: functions that are not in their files any more.
    """

    def __init__(self, folder: str) -> None:
        self.folder = os.path.realpath(folder)
        self.files: dict[str, SourceFile] = {}
        self.prints: dict[Code, str] = {}
        self.keys: dict[Code, str] = {}
        self.rows: dict[Code, int] = {}
        self.lost = 0

    def file(self, path: str) -> SourceFile:
        if path not in self.files:
            self.files[path] = SourceFile(path)
        return self.files[path]

    def relative(self, path: str) -> str:
        try:
            return Path(os.path.relpath(os.path.realpath(path), self.folder)).as_posix()
        except ValueError:  # another drive
            return Path(path).as_posix()

    def key(self, code: Code | None) -> str:
        """The key of a function; empty where there is none."""
        if code is None:
            return ""
        found = self.keys.get(code)
        if found is None:
            found = self.keys[code] = self._key(code)
        return found

    def _key(self, code: Code) -> str:
        file = self.file(code.path)
        if code.name == MODULE:
            self.prints[code], self.rows[code] = file.whole, 1
            return f"{self.relative(code.path)}::{MODULE}" if file.whole else ""
        function = file.at(code)
        if function is None:
            return ""
        self.prints[code], self.rows[code] = fingerprint(function.node), function.row
        return f"{self.relative(code.path)}::{function.name}"

    def rows_of(self, facts: Facts) -> Rows:
        """The row of `def` of each function, by its key, where it is in its file."""
        found = Rows()
        for path in {model.split_key(key)[0] for key in facts.functions}:
            file = self.file(os.path.join(self.folder, path))
            found |= {f"{path}::{function.name}": function.row for function in file.functions}
            found[f"{path}::{MODULE}"] = 1
            if file.cells:
                found.cells[path] = file.cells
        return found

    def facts(self, journals: Journals) -> Facts:
        functions: dict[str, model.Function] = {}
        for code, seen in journals.seen.items():
            key = self.key(code)
            if not key:
                self.lost += 1
                continue
            function = self._function(code, seen, journals.began)
            if key in functions:
                one = Facts(functions={key: functions[key]})
                function = model.merged(one, Facts(functions={key: function})).functions[key]
            functions[key] = function
        events = [self._event(dict(event), count) for event, count in journals.events.items()]
        versions = {"python": sorted(journals.pythons), "jax": sorted(journals.jaxes)}
        kept = model.joined_events(event for event in events if event is not None)
        return Facts(model.VERSION, 1, versions, functions, kept)

    def _function(self, code: Code, seen: Seen, began: float) -> model.Function:
        row = self.rows[code]
        entries, more = joined_entries(self._entry(way, count) for way, count in seen.ways.items())
        compilations = [self._compilation(trace, began) for trace in seen.traces]
        seconds = {what: sum((trace.seconds[what] for trace in seen.traces), 0.0) for what in _STEPS}
        totals = Totals(run=round(seen.run, 6), **{what: round(each, 6) for what, each in seconds.items()})
        return model.Function(
            self.prints[code],
            seen.calls,
            sorted(line - row for line in seen.lines if line >= row),
            entries,
            seen.more + more,
            first_and_last(compilations),
            sum(trace.seconds["compile"] > 0 for trace in seen.traces),
            totals,
            traced=len(seen.traces),
            runs=seen.runs,
            reasons=ranked((row[0], row[1], 1) for trace in seen.traces for row in trace.reason),
        )

    def _entry(self, way: str, count: int) -> Entry:
        transforms, staged, caller, parameters = json.loads(way)
        caller = self.key(Code(*caller)) if caller else ""
        described = {name: self._parameter(each) for name, each in parameters.items()}
        return Entry(tuple(transforms), count, staged, caller, described)

    def _parameter(self, described: Mapping[str, Any]) -> Parameter:
        found = {key: value for key, value in described.items() if key not in ("leaves", "code")}
        if described.get("code"):
            found["name"] = self.key(Code(*described["code"])) or found.get("name", "")
        leaves = {path: self._parameter(leaf) for path, leaf in described.get("leaves", {}).items()}
        return msgspec.convert({**found, "leaves": leaves}, Parameter)

    def _compilation(self, trace: Trace, began: float) -> Compilation:
        seconds = {what: round(trace.seconds[what], 6) for what in _STEPS}
        at = max(round(trace.at - began, 3), 0.0)
        return Compilation(
            **seconds, signature=trace.signature, reason=trace.reason, caller=self.key(trace.caller), at=at
        )

    def _event(self, event: Mapping[str, Any], count: int) -> Event | None:
        place = self._place(event["path"], event["row"])
        first = self._place(*event["first"]) if event["first"] else None
        if place is None:
            return None
        file = self.file(event["path"])
        loop = file.is_in_loop(event["row"], file.around(event["row"]))
        return Event(event["kind"], place[0], place[1], count, first, event["error"], event["what"], loop)

    def _place(self, path: str, row: int) -> tuple[str, int] | None:
        """The key of the function that has a row of a file, and the row from its `def`."""
        file = self.file(path)
        if not file.whole:
            return None
        function = file.around(row)
        name, begin = (function.name, function.row) if function is not None else (MODULE, 1)
        return f"{self.relative(path)}::{name}", max(row - begin, 0)


def current(folder: str) -> Callable[[str], Mapping[str, str] | None]:
    """What `facts.pruned` asks: fingerprints of the functions of a file, by its path from a folder."""

    def of(path: str) -> Mapping[str, str] | None:
        whole = os.path.join(folder, path)
        return SourceFile(whole).fingerprints() if os.path.isfile(whole) else None

    return of


def kept(facts: Facts, path: str) -> Facts:
    """Writes facts to a file, together with what it has of functions that have not changed; what it has then.

    Raises:
        FactsError: the file is there and is none of facts. OSError: it cannot be written.
    """
    real = os.path.realpath(path)
    if os.path.exists(real):
        facts = model.merged(model.pruned(model.read_facts(real), current(os.path.dirname(real))), facts)
    write_atomically(real, model.encoded(facts))
    return facts
