"""A pytest plugin that records which parameters of a library's functions are tracers while its tests run.

    TRACED_ROOTS=FOLDER[:FOLDER] TRACED_OUT=FOLDER python -m pytest -p record_traced TESTS

In: the folders whose functions count. Out: one JSON file for each process, a list of functions with the calls
seen of them (see `Seen`). It runs in the environment of the library: of jaxlint it needs the recorder of
`jaxlint observe` alone, of which a copy is on the path, `jaxlint_recorder`.
"""

from __future__ import annotations

import atexit
import inspect
import json
import os
import sys
import threading
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from jaxlint_recorder.value import Describer, shortened

CALLS = 12
"""Calls of a function from one place that are looked at."""

ENTRIES = 16
"""Ways to call a function that are told apart."""

ARRAY, TREE, TRANSFORMED, OTHER = "array", "tree", "transformed", "other"
"""What a parameter was in a call: an array that is staged out (under jit, scan, cond and the like), a pytree
with such leaves, a tracer of transforms that stage nothing out (grad, vmap), anything else."""

_SKIPPED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class Seen:
    """The calls seen of one function.

    params: for each parameter how often it was what, see `ARRAY`. sites: how often it was called from which
    row of which file, where that is a function of the folders or one that these were called from. entries:
    how often it was called in which way: whether something was staged, and each parameter as a facts file has
    it.
    """

    def __init__(self, code: CodeType) -> None:
        self.path, self.row, self.name = code.co_filename, code.co_firstlineno, code.co_qualname
        named = code.co_argcount + code.co_kwonlyargcount
        more = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
        self.names = code.co_varnames[: named + more]
        self.params: dict[str, Counter[str]] = {name: Counter() for name in self.names}
        self.sites: Counter[str] = Counter()
        self.near: Counter[tuple[CodeType | None, int]] = Counter()
        self.entries: Counter[str] = Counter()

    def to_json(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "row": self.row,
            "name": self.name,
            "params": self.params,
            "sites": self.sites,
            "entries": [{**json.loads(way), "count": count} for way, count in self.entries.items()],
        }


class Recorder:
    """Looks at the parameters of functions as they are called."""

    def __init__(self, roots: list[str]) -> None:
        self.roots = tuple(os.path.join(os.path.realpath(root), "") for root in roots)
        self.seen: dict[CodeType, Seen | None] = {}
        self.inside: dict[str, bool] = {}
        self.busy = threading.local()
        self.describer: Describer | None = None

    def holds(self, filename: str) -> bool:
        found = self.inside.get(filename)
        if found is None:
            is_file = not filename.startswith("<")
            found = self.inside[filename] = is_file and os.path.realpath(filename).startswith(self.roots)
        return found

    def of(self, code: CodeType) -> Seen | None:
        """What is known of a function; None where its calls are not looked at."""
        if code in self.seen:
            return self.seen[code]
        counts = code.co_name[0] != "<" and not code.co_flags & _SKIPPED
        here = counts and self.holds(code.co_filename)
        self.seen[code] = found = Seen(code) if here else None
        return found

    def note(self, frame: FrameType) -> None:
        """Remembers a call, given the frame of the function as it begins."""
        seen = self.of(frame.f_code)
        if seen is None or getattr(self.busy, "on", False):
            return
        if not hasattr(sys.modules.get("jax"), "jit"):  # it is being imported
            return
        back = frame.f_back
        near = (back and back.f_code, back.f_lineno if back else 0)
        if seen.near[near] >= CALLS:
            return
        seen.near[near] += 1
        self.busy.on = True
        try:
            given = {name: frame.f_locals[name] for name in seen.names if name in frame.f_locals}
            kinds = {name: kind_of(value) for name, value in given.items()}
            for name, kind in kinds.items():
                seen.params[name][kind] += 1
            entry = {
                "staged": not {ARRAY, TREE}.isdisjoint(kinds.values()),
                "parameters": {name: shortened(self.described(value)) for name, value in given.items()},
            }
            way = json.dumps(entry, sort_keys=True)
            if way in seen.entries or len(seen.entries) < ENTRIES:
                seen.entries[way] += 1
            seen.sites[self.site(back)] += 1
        finally:
            self.busy.on = False

    def described(self, value: Any) -> dict[str, Any]:
        """What a value is, as a facts file says it."""
        if self.describer is None:
            self.describer = Describer(sys.modules["jax"], lambda _: None, values=False)
        return self.describer.described(value)

    def site(self, frame: FrameType | None) -> str:
        """The nearest place in the folders from which a call came."""
        while frame is not None:
            if self.holds(frame.f_code.co_filename):
                return f"{frame.f_code.co_filename}:{frame.f_lineno}"
            frame = frame.f_back
        return ""


def kind_of(value: Any) -> str:
    """What a value is, see `ARRAY`."""
    import jax

    if isinstance(value, jax.core.Tracer):
        return ARRAY if is_staged(value) else TRANSFORMED
    if value is None or isinstance(value, (bool, int, float, str, bytes, type)):
        return OTHER
    try:
        leaves = jax.tree_util.tree_leaves(value)
    except Exception:  # flattening runs the code of the library, on an object that may be half made
        return OTHER
    tracers = [leaf for leaf in leaves if isinstance(leaf, jax.core.Tracer)]
    if any(map(is_staged, tracers)):
        return TREE
    return TRANSFORMED if tracers else OTHER


def is_staged(tracer: Any) -> bool:
    """Whether a tracer, or the one that it stands for under `vmap` or `grad`, is part of a jaxpr."""
    for _ in range(20):
        if type(tracer).__name__ in ("DynamicJaxprTracer", "JaxprTracer"):
            return True
        inner = getattr(tracer, "val", None)
        tracer = getattr(tracer, "primal", None) if inner is None else inner
        if tracer is None:
            return False
    return False


def start() -> None:
    recorder = Recorder(os.environ["TRACED_ROOTS"].split(os.pathsep))
    target = Path(os.environ["TRACED_OUT"])

    def write() -> None:
        sys.setprofile(None)
        if sys.version_info >= (3, 12):
            sys.monitoring.set_events(sys.monitoring.PROFILER_ID, 0)
        found = [seen.to_json() for seen in [*recorder.seen.values()] if seen is not None and seen.near]
        target.joinpath(f"{os.getpid()}.json").write_text(json.dumps(found))

    if sys.version_info >= (3, 12):
        events = sys.monitoring
        events.use_tool_id(events.PROFILER_ID, "record_traced")

        def begun(code: CodeType, _: int) -> Any:
            if recorder.of(code) is None:
                return events.DISABLE
            recorder.note(sys._getframe(1))
            return None

        events.register_callback(events.PROFILER_ID, events.events.PY_START, begun)
        events.set_events(events.PROFILER_ID, events.events.PY_START)
    else:

        def profile(frame: FrameType, event: str, _: Any) -> None:
            if event == "call":
                recorder.note(frame)

        threading.setprofile(profile)
        sys.setprofile(profile)
    atexit.register(write)


start()
