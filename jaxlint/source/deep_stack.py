"""Room for deep recursion: a thread with a large stack, where nothing is collected meanwhile.

In: work to do. Out: what it gives, or what it raises. Parsers and the analysis recurse as deep as code is
nested.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from types import FunctionType
from typing import TypeVar

RECURSION = 30_000
STACK = 256 << 20  # bytes, enough for that much recursion through the parser and LibCST's generators
FRAME = 1 << 20  # slots of 8 bytes, which only the frames of what is called fill

Result = TypeVar("Result")


def with_room(work: Callable[[], Result]) -> Result:
    """Does the work in a thread with a stack that deeply nested code does not overflow."""
    done: list[Result] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            done.append(_uncollected(work))
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=_with_frames(run), daemon=True)
    try:
        before = threading.stack_size(STACK)
        try:
            thread.start()
        finally:
            threading.stack_size(before)
    except (RuntimeError, ValueError):  # no threads here, or none of that size
        return _uncollected(work)
    thread.join()
    if raised:
        raise raised[0]
    return done[0]


def _with_frames(run: Callable[[], None]) -> Callable[[], None]:
    """The same function with a frame that claims a large piece of memory, most of which others then use.

    CPython keeps the frames of a thread in pieces, of 16 KB or as large as one frame needs, and gives a piece
    back at the return from the first frame in it. Where calls go to and fro over the end of a piece, each
    one maps memory anew, which takes far longer than the call itself.
    """
    if sys.implementation.name != "cpython" or not isinstance(run, FunctionType):
        return run
    code = run.__code__.replace(co_stacksize=FRAME)
    return FunctionType(code, run.__globals__, run.__name__, run.__defaults__, run.__closure__)


def _uncollected(work: Callable[[], Result]) -> Result:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION))
    collecting = gc.isenabled()
    gc.disable()
    try:
        return work()
    finally:
        if collecting:
            gc.enable()
        sys.setrecursionlimit(limit)
