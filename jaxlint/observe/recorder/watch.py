"""Functions of JAX whose calls tell something: keys consumed, arrays read on the host, errors raised, leaks
found.

In: frames of these functions as they are entered. Out: events, by the place in the project that they come
from. Nothing is replaced: the functions are recognized by their code objects.
"""

from __future__ import annotations

import os
import sys
import weakref
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from .journal import Journal
from .leaks import checked
from .project import JAX, PROJECT, WATCHED, Files, absolute
from .stack import COMPREHENSIONS, project_frame

READS = (
    "__array__", "__float__", "__int__", "__bool__", "__complex__", "__index__",
    "__hex__", "__oct__", "__format__", "item", "tolist",
)  # fmt: skip
NOT_CONSUMING = ("fold_in", "key_data", "key_impl", "clone", "wrap_key_data", "key", "PRNGKey")
EVENTS = 2000
KEYS = 50_000

Place = tuple[str, int]
"""A file and a row."""


class Events:
    """Events with their counts, by what is said of them."""

    def __init__(self) -> None:
        self.counts: dict[tuple[Any, ...], list[int]] = {}

    def add(self, kind: str, place: Place, **more: Any) -> None:
        key = (kind, *place, *sorted(more.items()))
        found = self.counts.get(key)
        if found is not None:
            found[0] += 1
        elif len(self.counts) < EVENTS:
            self.counts[key] = [1, 0]

    def write(self, journal: Journal) -> None:
        for (kind, path, row, *more), counts in self.counts.items():
            if counts[0] > counts[1]:
                journal.add("event", kind=kind, path=path, row=row, count=counts[0] - counts[1], **dict(more))
                counts[1] = counts[0]

    def forked(self) -> None:
        for counts in self.counts.values():
            counts[1] = counts[0]


class Watch:
    """What is done when a function of JAX's is entered.

    by_code: what handles it, by the identity of its code object. names: the attributes of arrays by which it
    is called, in the same way. conversions: where functions of NumPy's are given arrays. kept: the code
    objects, so that no identity is given to another one. array: the class of arrays that are no tracers.
    """

    def __init__(self, files: Files, events: Events) -> None:
        self.files = files
        self.events = events
        self.by_code: dict[int, Callable[[FrameType], None]] = {}
        self.names: dict[int, str] = {}
        self.kept: list[CodeType] = []
        self.consumed: dict[int, tuple[Any, Place]] = {}
        self.conversions: set[Place] = set()
        self.array: type | None = None
        self.random = ""
        self.leak_check: CodeType | None = None

    def install(self, jax: Any) -> list[CodeType]:
        """Finds the functions in this version of JAX; those that it hasn't are left out."""
        self.array = getattr(sys.modules.get("jax._src.array"), "ArrayImpl", None)
        for name in READS:
            self._watch(getattr(self.array, name, None), self._read, name)
        for name in dir(getattr(jax, "errors", None)):
            error = getattr(jax.errors, name)
            if isinstance(error, type) and issubclass(error, Exception):
                self._watch(vars(error).get("__init__"), self._raised)
        leaked = getattr(sys.modules.get("jax._src.core"), "leaked_tracer_error", None)
        self._watch(leaked, self._leaked)
        self.leak_check = getattr(leaked, "__code__", None)
        normal = getattr(jax.random, "normal", None)
        normal = getattr(normal, "__wrapped__", normal)
        check = getattr(normal, "__globals__", {}).get("_check_prng_key")
        self._watch(check, self._consumed)
        if check is not None:
            self.random = os.path.join(os.path.dirname(check.__code__.co_filename), "random")
        return self.kept

    def _watch(self, function: Any, handler: Callable[[FrameType], None], name: str = "") -> None:
        code = getattr(function, "__code__", None)
        if isinstance(code, CodeType) and id(code) not in self.by_code:
            self.by_code[id(code)] = handler
            self.names[id(code)] = name
            self.kept.append(code)
            self.files[code.co_filename] = WATCHED

    def _read(self, frame: FrameType) -> None:
        back = frame.f_back
        if back is not None and self.files[back.f_code.co_filename] == PROJECT:
            name, place = self.names[id(frame.f_code)], place_of(back)
            if name != "__array__" or place not in self.conversions:
                self.events.add("transfer", place, what=name)

    def converted(self, frame: FrameType, function: str) -> None:
        """The project gives an array to a function of NumPy's: on a CPU, NumPy reads its memory without a
        call; elsewhere by `__array__`, which is the same event."""
        place = place_of(frame)
        self.conversions.add(place)
        self.events.add("transfer", place, what=function)

    def _raised(self, frame: FrameType) -> None:
        back = frame.f_back
        if back is not None and id(back.f_code) in self.by_code:
            return  # the constructor of a class that is derived
        here = project_frame(back, self.files)
        if here is not None:
            name = type(frame.f_locals.get("self")).__name__
            self.events.add("raised", place_of(here), error=f"jax.errors.{name}")

    def _leaked(self, frame: FrameType) -> None:
        """JAX's leak check is about to raise."""
        there = frame.f_locals
        tracers = there.get("tracers")
        here = project_frame(frame.f_back, self.files)
        if not isinstance(tracers, list) or here is None:
            return
        for made, keeper in checked(tracers, self.files):
            self.events.add("leak", made or place_of(here), what=keeper, error="Exception")

    def _consumed(self, frame: FrameType) -> None:
        there = frame.f_locals
        if there.get("name") in NOT_CONSUMING:
            return
        back = frame.f_back
        if back is None or back.f_code.co_name in NOT_CONSUMING:
            return
        above = back.f_back
        while above is not None and self.files[above.f_code.co_filename] & JAX:
            if above.f_code.co_filename.startswith(self.random):
                return  # one that draws by others
            above = above.f_back
        here = project_frame(above, self.files)
        if here is not None:
            self._consume(there.get("key"), place_of(here))

    def _consume(self, key: Any, place: Place) -> None:
        if key is None:
            return
        which = id(key)
        found = self.consumed.get(which)
        if found is not None and found[0]() is key:
            self.events.add("key reused", place, first=found[1])
            return
        if len(self.consumed) < KEYS:
            consumed = self.consumed

            def gone(reference: Any) -> None:
                if consumed.get(which, (None,))[0] is reference:
                    del consumed[which]

            try:
                consumed[which] = (weakref.ref(key, gone), place)
            except TypeError:
                return


def place_of(frame: FrameType) -> Place:
    """File and row of a frame; comprehensions are on rows of their function."""
    return (absolute(frame.f_code.co_filename), frame.f_lineno)


def enclosing(frame: FrameType | None) -> FrameType | None:
    """The frame itself, or that of the function whose comprehension it is."""
    while frame is not None and frame.f_code.co_name in COMPREHENSIONS:
        frame = frame.f_back
    return frame
