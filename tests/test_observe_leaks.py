"""The search for leaks at the end of a run is bounded."""

from __future__ import annotations

import weakref

from jaxlint.observe.recorder.leaks import leaks
from jaxlint.observe.recorder.project import Files


class Trace:
    pass


class Tracer:
    def __init__(self, trace: Trace) -> None:
        self.trace = trace


KEPT: list[Tracer] = []


class TestBound:
    def test_all_are_looked_at(self) -> None:
        trace = Trace()
        KEPT[:] = [Tracer(trace)]
        found, is_whole = leaks([(weakref.ref(trace), "a.py", 3)], Files(["/"]), Tracer, seconds=1e9)
        assert [(path, row) for path, row, _ in found] == [("a.py", 3)] and is_whole
        KEPT.clear()

    def test_none_is_left_to_look_at(self) -> None:
        trace = Trace()
        reference = weakref.ref(trace)
        del trace
        assert leaks([(reference, "a.py", 3)], Files(["/"]), Tracer, seconds=0) == ([], True)

    def test_time_is_over(self) -> None:
        trace = Trace()
        KEPT[:] = [Tracer(trace)]
        assert leaks([(weakref.ref(trace), "a.py", 3)], Files(["/"]), Tracer, seconds=0) == ([], False)
        KEPT.clear()
