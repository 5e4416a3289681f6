"""Room for deep recursion: a thread with a large stack, where nothing is collected meanwhile.

In: work to do. Out: what it gives, or what it raises. Parsers and the analysis recurse as deep as code is
nested.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

RECURSION = 30_000
STACK = 256 << 20  # bytes, enough for that much recursion through the parser and LibCST's generators

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

    thread = threading.Thread(target=run, daemon=True)
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
