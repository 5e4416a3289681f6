"""The recorder of one process: what is done as functions of the project are entered.

In: code objects and frames, from `monitor`. Out: the process's journal. What goes wrong in here is counted
and told in the journal; it never reaches the program.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from .journal import Journal
from .leaks import leaks
from .project import CELL, JAX, PROJECT, Files
from .record import FUNCTION, Record
from .stack import COMPREHENSIONS, Chain, chain_of, code_of, project_frame
from .traces import Traces
from .value import Describer, Description, shortened
from .watch import Events, Watch, enclosing, place_of

OLDEST = (0, 4, 30)
EAGER, TRACED = 6, 40
"""Entries from one place that are looked at outside and inside of traces; then those whose number is a power
of two, and all that `jit` makes."""
CHECKED = "JAX's leak check was on: it keeps no traces, and functions are traced more often than without it"
OUSTED = "another tool took the place of the trace function: what followed was not seen"
CUT = "too many traces were kept: not all of them were searched for leaks"
PLACES = 256
CODES = 400_000
LARGEST_CELL = 1_000_000
"""Characters of a notebook's cell."""


class Recorder:
    """Looks at entries of functions.

    config: `roots` of the project, `folder` of journals, `values`, `nans`. installed: called once JAX is
    there, with the code objects of functions that are watched. is_ousted: asked in the end, whether calls
    stopped being told.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        self.config = config
        self.files = Files(config["roots"])
        self.journal = Journal(config["folder"])
        self.events = Events()
        self.watch = Watch(self.files, self.events)
        self.by_code: dict[int, Record | None] = {}
        self.kept: list[CodeType] = []
        self.by_place: dict[tuple[str, int, str, int], Record] = {}
        self.records: list[Record] = []
        self.dirty: list[Record] = []
        self.local = threading.local()
        self.ready = self.refused = False
        self.faults: dict[str, int] = {}
        self.traces = Traces(self.files, self.journal, self.record_of)
        self.installed: Callable[[list[CodeType]], None] | None = None
        self.is_ousted: Callable[[], bool] = bool
        self.describer: Describer | None = None
        self.is_clean: Callable[[], bool] = bool
        self.version = ""
        self.is_over = False
        self.cells: dict[str, str] = {}
        self.notebooks = [
            os.path.abspath(word) for word in getattr(sys, "orig_argv", ()) if word.lower().endswith(".ipynb")
        ]
        self._head()

    def _head(self) -> None:
        self.journal.add(
            "head",
            pid=os.getpid(),
            parent=os.getppid(),
            notebooks=self.notebooks,
            python=".".join(map(str, sys.version_info[:3])),
            jax=self.version or None,
        )

    def _cell(self, filename: str) -> None:
        """Keeps the text of a notebook's cell, by which the notebook is found."""
        known = getattr(sys.modules.get("linecache"), "cache", {}).get(filename, ())
        if len(known) > 2 and known[0] <= LARGEST_CELL:
            self.cells[filename] = "".join(known[2])
            self.journal.add("cell", path=filename, text=self.cells[filename])

    # What the monitor asks.

    def record_of(self, code: CodeType) -> Record | None:
        """The record of a function of the project's; None for others."""
        try:
            return self.by_code[id(code)]
        except KeyError:
            return self._new(code)

    def _new(self, code: CodeType) -> Record | None:
        name = code.co_name
        if self.files[code.co_filename] != PROJECT or name in COMPREHENSIONS or len(self.kept) >= CODES:
            return None
        record = Record(len(self.records), code)
        place = (record.path, record.row, record.name, record.column)
        known = self.by_place.get(place)
        if known is None:
            known = self.by_place[place] = record
            self.records.append(record)
            if record.path not in self.cells and CELL.match(record.path):
                self._cell(record.path)
        self.by_code[id(code)] = known
        self.kept.append(code)
        return known

    def line(self, record: Record, row: int) -> None:
        """A row of a function has run."""
        record.lines.add(row)
        self._is_dirty(record)

    def _is_dirty(self, record: Record) -> None:
        if not record.dirty:
            record.dirty = True
            self.dirty.append(record)

    def entered(self, record: Record, code: CodeType, frame: FrameType) -> None:
        """A function is entered."""
        record.calls += 1
        if not record.dirty:
            self._is_dirty(record)
        if not self.ready and not self._finds_jax():
            return
        if not code.co_flags & FUNCTION == FUNCTION:
            return
        back = frame.f_back
        place = (id(back.f_code), back.f_lineno) if back is not None else (0, 0)
        places = record.from_place
        count = places.get(place, 0) + 1
        if count > 1 or len(places) < PLACES:
            places[place] = count
        if count > EAGER and count & (count - 1):
            if self.is_clean():
                return
            if count > TRACED and (back is None or self.files[back.f_code.co_filename] == PROJECT):
                return
        self.guarded(self._look, record, code, frame)

    def watched(self, code: CodeType, frame: FrameType) -> None:
        """A function of JAX that tells something is entered."""
        handler = self.watch.by_code.get(id(code))
        if handler is not None:
            self.guarded(handler, frame)

    def given_to_numpy(self, function: Any, frame: FrameType) -> None:
        """A function of NumPy's is called by the project, with an array of JAX first."""
        self.guarded(self.watch.converted, frame, f"numpy.{getattr(function, '__name__', '?')}")

    def guarded(self, do: Callable[..., None], *arguments: Any) -> None:
        """Does something unless this thread is doing so already; what goes wrong is counted."""
        local = self.local
        if getattr(local, "busy", False):
            return
        local.busy = True
        try:
            do(*arguments)
            if self.journal.is_due():
                self.flush()
        except Exception as error:
            self.fault(error)
        finally:
            local.busy = False

    def fault(self, error: Exception) -> None:
        """Counts what went wrong here, by its place in the recorder, without its text."""
        where = error.__traceback__
        while where is not None and where.tb_next is not None:
            where = where.tb_next
        name = os.path.basename(where.tb_frame.f_code.co_filename) if where is not None else "?"
        text = f"{type(error).__name__} at {name}:{where.tb_lineno if where is not None else 0}"
        if text in self.faults or len(self.faults) < 100:
            self.faults[text] = self.faults.get(text, 0) + 1

    # JAX.

    def _finds_jax(self) -> bool:
        """Whether JAX has been imported; the first time, everything that depends on it is prepared."""
        jax = sys.modules.get("jax")
        if jax is None or self.refused or getattr(getattr(jax, "__spec__", None), "_initializing", False):
            return False
        if getattr(self.local, "busy", False) or not hasattr(jax, "jit"):
            return False
        self.local.busy = True
        try:
            self._prepare(jax)
        except Exception as error:
            self.fault(error)
            self.refused = True
        finally:
            self.local.busy = False
        return self.ready

    def _prepare(self, jax: Any) -> None:
        self.version = str(getattr(jax, "__version__", "0"))
        self._head()
        if numbers(self.version) < OLDEST:
            self.refused = True
            return
        self.files.found_jax(os.path.dirname(os.path.realpath(jax.__file__)))
        self.files.found_jax(os.path.dirname(jax.__file__))
        self.describer = Describer(jax, self._number, self.config.get("values", False))
        core = sys.modules.get("jax._src.core")
        self.is_clean = getattr(core, "trace_state_clean", None) or bool
        importlib.import_module("jax.monitoring")  # JAX 0.4 does not import it by itself
        self.traces.install(jax)
        codes = self.watch.install(jax)
        if self.installed is not None:
            self.installed(codes)
        self.ready = True

    def _number(self, code: CodeType) -> int | None:
        record = self.record_of(code)
        if record is None:
            return None
        self._is_dirty(record)
        return record.number

    # One entry.

    def _look(self, record: Record, code: CodeType, frame: FrameType) -> None:
        assert self.describer is not None
        chain = chain_of(frame, self.files)
        if not chain.transforms:
            self.traces.clear()
        there = frame.f_locals
        parameters = {
            name: self.describer.described(there[name], record.stars.get(name, ""))
            for name in record.names
            if name in there
        }
        caller = self._caller(chain.caller)
        if chain.jit is not None and self.traces.is_new(record, chain, code):
            self._traced(record, chain, parameters, there)
        short = {name: shortened(each) for name, each in parameters.items()}
        way = json.dumps([chain.transforms, chain.staged, caller, short], separators=(",", ":"))
        record.entered(way)
        if sys.version_info[:2] == (3, 12):
            there.clear()  # a copy, which would keep the arguments as long as the frame is there

    def _traced(
        self, record: Record, chain: Chain, parameters: dict[str, Description], there: dict[str, Any]
    ) -> None:
        assert chain.jit is not None and self.describer is not None
        objects = {
            name: self.traces.identity(there[name])
            for name, each in parameters.items()
            if each["kind"] in ("object", "function")
        }
        # The caller of what is handed to jit is whoever calls the jitted function.
        trace = self.traces.begun(
            record, chain, parameters, objects, self._caller(project_frame(chain.jit, self.files))
        )
        for name, each in parameters.items():
            value = there[name]
            if each["kind"] == "tracer" or each.get("traced"):
                self.traces.remember(value, trace)
                break
        self.flush()

    def _caller(self, frame: FrameType | None) -> int:
        frame = enclosing(frame)
        if frame is None or self.files[frame.f_code.co_filename] & JAX:
            return -1
        record = self.record_of(frame.f_code)
        if record is None:
            return -1
        self._is_dirty(record)
        return record.number

    def ran(self, function: Any, seconds: float, costs: int) -> None:
        """A jitted function was called by the project and came back, after `costs` durations of compiling."""
        self.guarded(self._ran, function, seconds, costs)

    def _ran(self, function: Any, seconds: float, costs: int) -> None:
        if not self.is_clean():
            return
        code = code_of(function)
        record = None if code is None else self.record_of(code)
        if record is not None:
            record.runs += 1
            if self.traces.costs() == costs:
                record.run += seconds
            self._is_dirty(record)

    def returned(self, frame: FrameType, value: Any) -> None:
        """A function returns: whether there is a NaN that came into being in it."""
        if self.ready and self.is_clean():
            self.guarded(self._check_nan, frame, value)

    def _check_nan(self, frame: FrameType, value: Any) -> None:
        if self._has_nan(value):
            code, there = frame.f_code, frame.f_locals
            names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            if not any(self._has_nan(there[name]) for name in names if name in there):
                self.events.add("nan", place_of(frame))

    def _has_nan(self, value: Any) -> bool:
        assert self.describer is not None
        numpy = sys.modules.get("numpy")
        for _, leaf in self.describer.leaves(value):
            is_array = isinstance(leaf, self.describer.array) and not isinstance(leaf, self.describer.tracer)
            if is_array and "float" in str(leaf.dtype) and numpy is not None:
                if bool(numpy.isnan(numpy.asarray(leaf)).any()):
                    return True
        return False

    # The journal.

    def flush(self) -> None:
        """Writes what was seen."""
        dirty, self.dirty = self.dirty, []
        if self.version and not self.refused:
            for record in dirty:
                record.write(self.journal)
            self.events.write(self.journal)
        else:
            self.dirty = dirty
        self.journal.write()

    def finish(self) -> None:
        """The process ends."""
        if self.is_over:
            return
        self.is_over = True
        if not self.ready:
            self._finds_jax()  # of the project nothing has run since it was imported
        self.local.busy = True
        try:
            if self.is_ousted():
                self.journal.add("note", text=OUSTED)
            if self.ready and self.describer is not None:
                found, is_whole = leaks(self.traces.still_there(), self.files, self.describer.tracer)
                for path, row, keeper in found:
                    self.events.add("leak", (path, row), what=keeper)
                if not is_whole:
                    self.journal.add("note", text=CUT)
                config = getattr(sys.modules.get("jax"), "config", None)
                if getattr(config, "jax_disable_jit", False):
                    self.journal.add("note", text="jit is disabled")
                if getattr(config, "jax_check_tracer_leaks", False):
                    self.journal.add("note", text=CHECKED)
        except Exception as error:
            self.fault(error)
        try:
            self.flush()
            if self.faults or self.journal.dropped:
                self.journal.add("fault", counts=self.faults, dropped=self.journal.dropped)
            self.journal.write()
        except Exception:
            pass

    def forked(self) -> None:
        """In the child of a fork."""
        self.journal.forked()
        self.local = threading.local()
        self.is_over = False
        self.faults = {}
        for record in self.records:
            record.forked()
        self.events.forked()
        self.traces.forked()
        self._head()
        for path, text in self.cells.items():
            self.journal.add("cell", path=path, text=text)


def numbers(version: str) -> tuple[int, ...]:
    """The first three numbers of a version."""
    found = []
    for part in version.split(".")[:3]:
        digits = "".join(character for character in part if character.isdigit())
        found.append(int(digits or 0))
    return tuple(found)
