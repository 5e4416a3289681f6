"""Whether something in between is asked if it is a tracer.

In: a function context, before and after a test, a loop or a comprehension. Out: what was asked in there: of a
tracer, and of what may be one.
"""

from __future__ import annotations

from jaxlint.analysis.function_context import FunctionContext


def ask_anew(frame: FunctionContext) -> tuple[bool, bool]:
    """Forgets what was asked before; gives it back."""
    before = frame.sees_tracer, frame.doubts_tracer
    frame.sees_tracer = frame.doubts_tracer = False
    return before


def asked_too(frame: FunctionContext, before: tuple[bool, bool]) -> None:
    """What was asked before counts again."""
    frame.sees_tracer = frame.sees_tracer or before[0]
    frame.doubts_tracer = frame.doubts_tracer or before[1]
