"""How a process is listened to: `sys.monitoring` from Python 3.12 on, a trace function before.

In: a recorder. Out: its methods are called as functions are entered and rows run. Events that are not wanted
any more are switched off where they arise.
"""

from __future__ import annotations

import sys
import threading
import time
from types import CodeType, FrameType
from typing import Any

from .project import PROJECT
from .record import Record
from .recorder import Recorder

HOT = 50_000
"""Entries of a function after which they are not counted any more, unless `jit` or so calls it."""
STEPS = 400
"""Entries of a function whose rows are followed, before Python 3.12."""
TOOLS = (4, 3, 5, 2)
STOPPED = "before Python 3.11, nothing is recorded after the first leak that JAX's check finds"


def start(recorder: Recorder) -> str:
    """Begins to listen; how."""
    if sys.version_info >= (3, 12):
        return Monitoring(recorder).start()
    return Tracing(recorder).start()


class Monitoring:
    """Listens by `sys.monitoring`. Rows and calls are asked for in functions of the project only."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.tool = -1
        self.local = threading.local()

    def start(self) -> str:
        events = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
        for tool in TOOLS:
            try:
                events.use_tool_id(tool, "jaxlint observe")
            except ValueError:
                continue
            self.tool = tool
            break
        else:
            return "no tool id is free"
        kinds = events.events
        self.disable = events.DISABLE
        events.register_callback(self.tool, kinds.PY_START, self._begun)
        events.register_callback(self.tool, kinds.LINE, self._line)
        events.register_callback(self.tool, kinds.CALL, self._call)
        events.register_callback(self.tool, kinds.C_RETURN, self._returned)
        events.register_callback(self.tool, kinds.C_RAISE, self._returned)
        self.in_project = kinds.LINE | kinds.CALL
        if self.recorder.config.get("nans"):
            events.register_callback(self.tool, kinds.PY_RETURN, self._result)
            self.in_project |= kinds.PY_RETURN
        events.set_events(self.tool, kinds.PY_START)
        self.recorder.installed = self._installed
        return "monitoring"

    def _installed(self, codes: list[CodeType]) -> None:
        """Functions of JAX are to be watched, which may have been entered before."""
        events = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
        self.watched = {id(code) for code in codes}
        events.restart_events()

    watched: set[int] = set()

    def _begun(self, code: CodeType, _: int) -> Any:
        recorder = self.recorder
        record = recorder.by_code.get(id(code), _UNKNOWN)
        if record is None:
            return self.disable
        if record is _UNKNOWN:
            if id(code) in self.watched:
                recorder.watched(code, sys._getframe(1))
                return None
            record = recorder.record_of(code)
            if record is None:
                return self.disable
            self._follow(code)
        recorder.entered(record, code, sys._getframe(1))
        if record.calls > HOT and not record.signatures and recorder.is_clean():
            return self.disable
        return None

    def _follow(self, code: CodeType) -> None:
        events = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
        events.set_local_events(self.tool, code, self.in_project)

    def _line(self, code: CodeType, row: int) -> Any:
        record = self.recorder.by_code.get(id(code))
        if record is not None:
            self.recorder.line(record, row)
        return self.disable

    def _call(self, code: CodeType, _: int, function: Any, first: Any) -> Any:
        recorder = self.recorder
        if type(function).__name__ != "PjitFunction":
            if not is_numpys(function):
                return self.disable
            if type(first) is recorder.watch.array:
                recorder.given_to_numpy(function, sys._getframe(1))
            return None
        if not recorder.ready:
            return None
        running = getattr(self.local, "running", None)
        if running is None:
            running = self.local.running = []
        if len(running) < 1000:
            running.append((function, time.perf_counter(), recorder.traces.costs()))
        return None

    def _returned(self, code: CodeType, _: int, function: Any, __: Any) -> Any:
        now = time.perf_counter()
        running = getattr(self.local, "running", None)
        while running:
            called, began, costs = running.pop()
            if called is function:
                self.recorder.ran(function, now - began, costs)
                break

    def _result(self, code: CodeType, _: int, value: Any) -> Any:
        self.recorder.returned(sys._getframe(1), value)


def is_numpys(function: Any) -> bool:
    """Whether a callable is one of NumPy's."""
    module = getattr(function, "__module__", None)
    return type(function).__name__ == "ufunc" or (isinstance(module, str) and module.split(".")[0] == "numpy")


class Tracing:
    """Listens by `sys.settrace`; where a debugger or coverage does so already, by `sys.setprofile`, without
    rows."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.steps: dict[int, int] = {}
        self.nans = bool(recorder.config.get("nans"))
        self.is_profile = self.is_stopped = False
        self.function: Any = None

    def start(self) -> str:
        files, entered = self.recorder.files, self._entered

        def profiled(frame: FrameType, event: str, _: Any) -> None:
            if event == "call" and files[frame.f_code.co_filename] & 1:
                entered(frame)

        def traced(frame: FrameType, event: str, _: Any) -> Any:
            # Every call of any function comes here: nothing is done for those of other files.
            if files[frame.f_code.co_filename] & 1:
                return entered(frame)
            return None

        self.recorder.is_ousted = self._is_ousted
        if sys.gettrace() is not None:
            self.is_profile = True
            self.function = profiled
            threading.setprofile(profiled)
            sys.setprofile(profiled)
            return "profile"
        self.function = traced
        threading.settrace(traced)
        sys.settrace(traced)
        return "trace"

    def _is_ousted(self) -> bool:
        """Whether this thread calls another function than the one it was given, or none."""
        current = sys.getprofile() if self.is_profile else sys.gettrace()
        return not self.is_stopped and current is not self.function

    def _stop(self) -> None:
        """Ends listening in this thread. JAX's leak check follows references from object to object until none
        is left; before Python 3.11 frames that are traced make new ones at each step, without end."""
        self.is_stopped = True
        (sys.setprofile if self.is_profile else sys.settrace)(None)
        self.recorder.journal.add("note", text=STOPPED)

    def _entered(self, frame: FrameType) -> Any:
        recorder = self.recorder
        code = frame.f_code
        if recorder.files[code.co_filename] != PROJECT:
            recorder.watched(code, frame)
            if code is recorder.watch.leak_check and sys.version_info < (3, 11):
                self._stop()
            return None
        record = recorder.record_of(code)
        if record is None:
            return None
        recorder.entered(record, code, frame)
        return self._local(record, code, frame)

    def _local(self, record: Record, code: CodeType, frame: FrameType) -> Any:
        """The trace function of one frame, as long as there may be rows that have not run yet."""
        entries = self.steps.get(record.number, 0)
        if entries >= STEPS and not self.nans:
            return None
        self.steps[record.number] = entries + 1
        frame.f_trace_lines = entries < STEPS
        return self._row if not self.nans else self._row_or_result

    def _row(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            record = self.recorder.by_code.get(id(frame.f_code))
            if record is not None:
                row = frame.f_lineno
                if row not in record.lines:
                    self.recorder.line(record, row)
        return self._row

    def _row_or_result(self, frame: FrameType, event: str, value: Any) -> Any:
        if event == "return":
            self.recorder.returned(frame, value)
        else:
            self._row(frame, event, value)
        return self._row_or_result


_UNKNOWN: Record | None = object()  # type: ignore[assignment]
