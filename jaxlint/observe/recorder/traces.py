"""Traces by `jit` and `pmap` of the project's functions, their causes, and what they take.

In: entries of functions below `jit`, and JAX's own durations of tracing, lowering and compiling. Out: lines
of the journal: one for each trace with the reason, and the seconds as they come.
"""

from __future__ import annotations

import sys
import threading
import time
import weakref
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from .compare import Row, Signature, reason, shown
from .journal import Journal
from .project import Files
from .record import Record
from .stack import Chain, code_of, jit_frame, jitted

DURATIONS = {
    "/jax/core/compile/jaxpr_trace_duration": "trace",
    "/jax/core/compile/jaxpr_to_mlir_module_duration": "lower",
    "/jax/core/compile/backend_compile_duration": "compile",
}
LEAKS = 4000
"""Traces that are remembered until the end, to see whether they are still referred to."""


class Trace:
    """One trace. serial: in the journal. over: its jaxpr is made, or an error has ended it. raised: the
    latter. handled: the exception that is being handled as it begins, by identity."""

    __slots__ = ("compiled", "handled", "over", "raised", "reason", "record", "serial")

    def __init__(self, serial: int, record: Record, why: list[Row]) -> None:
        self.serial, self.record, self.reason = serial, record, why
        self.over = self.compiled = self.raised = False
        self.handled = id(sys.exc_info()[1])


class Traces:
    """The traces of one process.

    found: called with each compilation, for who counts them as they come.
    """

    def __init__(
        self, files: Files, journal: Journal, record_of: Callable[[CodeType], Record | None]
    ) -> None:
        self.files = files
        self.journal = journal
        self.record_of = record_of
        self.local = threading.local()
        self.start = time.time()
        self.serial = 0
        self.identities: dict[int, tuple[Any, int]] = {}
        self.made = 0
        self.remembered: list[tuple[Any, Trace]] = []
        self.found: Callable[[Record, list[Row]], None] | None = None

    def install(self, jax: Any) -> None:
        """Listens to JAX's durations."""
        jax.monitoring.register_event_duration_secs_listener(self.event)

    def _open(self) -> dict[int, Trace]:
        found = getattr(self.local, "open", None)
        if found is None:
            found = self.local.open = {}
            self.local.lowered = None
            self.local.costs = 0
        return found

    def costs(self) -> int:
        """How many durations this thread has told: it changes where a call compiles."""
        self._open()
        return int(self.local.costs)

    def clear(self) -> None:
        """Forgets the traces of this thread: nothing is being traced."""
        self._open().clear()

    def is_new(self, record: Record, chain: Chain, code: CodeType) -> bool:
        """Whether this entry of a function begins a trace of its own."""
        assert chain.jit is not None
        found = self._open().get(id(chain.jit))
        if found is None or found.over or found.record is not record:
            return found is None or found.over
        return chain.direct and code_of(jitted(chain.jit)) is code

    def begun(
        self, record: Record, chain: Chain, parameters: dict[str, Any], objects: dict[str, int], caller: int
    ) -> Trace:
        """A function is traced."""
        assert chain.jit is not None
        which = self.identity(jitted(chain.jit))
        signature = Signature(parameters, objects, which, chain.transforms)
        why = reason(signature, record.signatures)
        record.signatures.append(signature)
        return self._new(
            record, why, caller, {name: shown(each) for name, each in parameters.items()}, chain.jit
        )

    def _new(
        self, record: Record, why: list[Row], caller: int, signature: dict[str, str], frame: FrameType
    ) -> Trace:
        self.serial += 1
        record.traces += 1
        trace = Trace(self.serial, record, why)
        self._open()[id(frame)] = trace
        at = round(time.time() - self.start, 3)
        self.journal.add(
            "trace", n=record.number, c=self.serial, at=at, signature=signature, reason=why, caller=caller
        )
        return trace

    def identity(self, value: Any) -> int:
        """A number for an object, which no other object gets."""
        known = self.identities.get(id(value))
        if known is not None and known[0]() is value:
            return known[1]
        self.made += 1
        which, identities = id(value), self.identities

        def gone(reference: Any) -> None:
            if identities.get(which, (None, 0))[0] is reference:
                del identities[which]

        try:
            identities[which] = (weakref.ref(value, gone), self.made)
        except TypeError:
            return which
        return self.made

    def event(self, name: str, seconds: float, **_: Any) -> None:
        """JAX tells how long something took, in the frames of who waited for it."""
        what = DURATIONS.get(name)
        if what is None:
            return
        try:
            self._event(what, seconds)
        except Exception:  # what goes wrong here must not reach the program
            self.journal.dropped += 1

    def _event(self, what: str, seconds: float) -> None:
        traces = self._open()
        self.local.costs += 1
        frame = jit_frame(sys._getframe(2), self.files)
        if frame is None:
            return
        if frame.f_code.co_name == "compile":  # of what was lowered before
            trace = self.local.lowered
        else:
            trace = traces.get(id(frame)) or self._compiled_only(what, frame)
        if trace is None:
            return
        if what == "trace":
            trace.over = True
            trace.raised = id(sys.exc_info()[1]) != trace.handled
            if frame.f_code.co_name in ("jit_trace", "trace"):
                self.local.lowered = trace
        elif what == "compile" and not trace.compiled:
            trace.compiled = True
            trace.record.compiled += 1
            if self.found is not None:
                self.found(trace.record, trace.reason)
        self.journal.add("cost", c=trace.serial, what=what, seconds=round(seconds, 6))
        if what == "compile":
            self.journal.write()  # a worker that is done with it may be killed

    def _compiled_only(self, what: str, frame: FrameType) -> Trace | None:
        """A function of the project that is compiled from a trace that was kept."""
        if what == "trace":
            return None
        code = code_of(jitted(frame))
        record = None if code is None else self.record_of(code)
        return None if record is None else self._new(record, [("", "kept trace", "", "")], -1, {}, frame)

    def remember(self, tracer: Any, trace: Trace) -> None:
        """Keeps a weak reference to JAX's object for the trace of a tracer."""
        inner = getattr(tracer, "_trace", None)
        target = getattr(inner, "main", None) or inner
        if target is None or len(self.remembered) >= LEAKS:
            return
        try:
            self.remembered.append((weakref.ref(target), trace))
        except TypeError:
            return
        if len(self.remembered) >= LEAKS:
            self.remembered = [each for each in self.remembered if each[0]() is not None]

    def still_there(self) -> list[tuple[Any, str, int]]:
        """References to traces with file and row of the function. Of those that raised none is told: the
        error itself keeps its frames."""
        return [
            (reference, trace.record.path, trace.record.row)
            for reference, trace in self.remembered
            if trace.over and not trace.raised
        ]

    def forked(self) -> None:
        self.remembered = []
