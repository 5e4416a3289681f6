"""What traces that JAX keeps have read, and what was written since.

In: uses of staged functions and writes of variables, attributes and containers, in the order in
which the program is analyzed. Out: for each use, what an earlier trace of the same function had
read and was written in between. It refuses to know why a function is staged.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from jaxlint.analysis.function_context import Spoilt, Trace
from jaxlint.analysis.writes import Write
from jaxlint.domain.objects import Function, Instance
from jaxlint.domain.persistent_map import Layered
from jaxlint.domain.values import Array, Const, Value

if TYPE_CHECKING:
    from jaxlint.analysis.function_context import FunctionContext
NO_TRACES: Layered[Trace, Spoilt] = Layered()
_NONE: frozenset[Hashable] = frozenset()


KEPT = "kept"
"""Before the name of an attribute: it is dropped, which counts once it may hold a compiled function."""
EVERY = "every function"
"""Made anew where all caches are cleared."""


class Index:
    """All traces that were ever kept, by what a use, a write or a making finds them by.

    Says which traces of a trace cache to look at: a trace cache may have fewer, and the caller tests each.
    """

    def __init__(self) -> None:
        self._traces: dict[FunctionContext, dict[Trace, None]] = {}
        self._bodies: dict[
            Hashable, dict[FunctionContext, None]
        ] = {}  # by what a body is, has read or belongs to
        self._holders: dict[Hashable, dict[Trace, None]] = {}

    def add(self, trace: Trace) -> None:
        body, holder = trace
        known = self._traces.setdefault(body, {})
        if trace not in known:
            known[trace] = None
            self._bodies.setdefault(body.func, {})[body] = None
            if holder is not None:
                self._holders.setdefault(holder, {})[trace] = None

    def read(self, body: FunctionContext) -> None:
        """What a body has read is known, or another than before."""
        for key in (*body.effects.keys, *body.effects.owners):
            self._bodies.setdefault(key, {})[body] = None

    def of(self, key: Hashable) -> Iterator[Trace]:
        """The traces of a function, and those that read a variable or an object."""
        for body in self._bodies.get(key, ()):
            yield from self._traces.get(body, ())

    def held_by(self, holder: Hashable) -> Iterable[Trace]:
        return self._holders.get(holder, ())


class TraceCache:
    """The traces kept so far on one path, each with the writes that came after it.

    traces: never changed, but replaced. written: what this function context wrote. made: the functions that
    it certainly made anew. made_with: for what was written, the functions that were made anew on each path
    that wrote it, as far as they are not made on all paths.
    """

    __slots__ = ("made", "made_with", "traces", "written")

    def __init__(self, traces: Layered[Trace, Spoilt] = NO_TRACES) -> None:
        self.traces = traces
        self.written: dict[Hashable, Write] = {}
        self.made: set[Hashable] = set()
        self.made_with: dict[Hashable, frozenset[Hashable]] = {}

    def copy(self) -> TraceCache:
        copy = TraceCache(self.traces)
        if self.written:
            copy.written = dict(self.written)
        if self.made:
            copy.made = set(self.made)
        if self.made_with:
            copy.made_with = dict(self.made_with)
        return copy

    def inner(self) -> TraceCache:
        """The trace cache of a call."""
        return TraceCache(self.traces)

    def keep(self, trace: Trace, spoilt: Spoilt, index: Index) -> None:
        """A trace is kept from here on, unless it is already."""
        if trace not in self.traces:
            index.add(trace)
            self.traces = self.traces.plus(trace, spoilt)

    def renewed(self) -> dict[Hashable, frozenset[Hashable]]:
        """For all that is written the functions that were made anew on each path so far that wrote it."""
        made = frozenset(self.made)
        renewed = dict.fromkeys(self.written, made) if made else {}
        renewed.update({key: extra | made for key, extra in self.made_with.items() if key in self.written})
        return renewed

    def written_without(self, functions: set[Hashable]) -> Spoilt:
        """What is written on some path that made none of these functions anew."""
        if not self.made.isdisjoint(functions):
            return {}
        made_with = self.made_with
        return {
            key: write
            for key, write in self.written.items()
            if functions.isdisjoint(made_with.get(key, _NONE))
        }

    def note(self, key: Hashable, write: Write, renewed: Collection[Hashable]) -> None:
        """Something is written. `renewed`: the functions that are made anew where it is."""
        if renewed:
            extra, is_new = self.made_with.get(key, _NONE), key not in self.written
            self.made_with[key] = frozenset(
                [each for each in renewed if is_new or each in self.made or each in extra]
            )
        elif self.made_with:
            self.made_with.pop(key, None)
        add_write(self.written, key, write)

    def of_box(self, number: int) -> list[Hashable]:
        """What was written of a container here, and before this call since a trace read it."""
        spoilt = (each.keys() for each in self.traces.values())
        written = (key for keys in (self.written.keys(), *spoilt) for key in keys)
        return [key for key in dict.fromkeys(written) if isinstance(key, tuple) and key[:2] == ("b", number)]

    def write(self, key: Hashable, write: Write, index: Index, renewed: Collection[Hashable] = ()) -> None:
        """Every trace kept so far that read this is stale from here on, or no longer; but those of functions
        that are made anew where it is written."""
        self.note(key, write, renewed)
        if self.traces:
            stale: dict[Trace, Spoilt] = {}
            for trace in index.of(key):
                spoilt = self.traces.find(trace)
                if spoilt is None or any(_belongs(trace, made) for made in renewed):
                    continue
                if key in trace[0].effects.keys:
                    stale[trace] = changed = dict(spoilt)
                    add_write(changed, key, write)
            self.traces = self.traces.plus_all(stale) if stale else self.traces

    def make(self, made: Hashable, index: Index) -> None:
        """A function that JAX has not seen has no earlier trace."""
        self.made.add(made)
        if not self.traces:
            return
        if made == EVERY:
            self.traces = NO_TRACES
            return
        lost = {
            trace
            for trace in (*index.of(made), *index.held_by(made))
            if trace in self.traces and _belongs(trace, made)
        }
        if lost:
            kept = {trace: spoilt for trace, spoilt in self.traces.items() if trace not in lost}
            self.traces = Layered.of(kept)

    def found_by(self, use: Trace, index: Index) -> dict[Trace, None]:
        """The traces that a use may find again."""
        return {
            other: None
            for other in (use, *index.of(use[0].func))
            if other in self.traces and (other == use or _may_be_same(other, use))
        }

    def earlier(self, trace: Trace, index: Index) -> Spoilt | None:
        """What was written since a trace that this use finds again; None where there is none."""
        same = self.found_by(trace, index)
        if len(same) <= 1:
            return next((dict(self.traces[other]) for other in same), None)
        found: dict[Hashable, Write] = {}
        for other, spoilt in self.traces.items():  # of two writes of one place the later trace's counts
            if other in same:
                found.update(spoilt)
        return found

    def end(self, outer: TraceCache, activation: FunctionContext) -> None:
        """An analyzed call is over: tells the caller's trace cache, and sums the call up. Its own variables,
        and the containers that it makes, are others than those of earlier calls, which traces have read."""
        own = {key for key in self.written if is_own(key, activation)}
        if own:
            self.written = {key: place for key, place in self.written.items() if key not in own}
            self.traces = self.traces.plus_all(
                {
                    trace: {key: place for key, place in spoilt.items() if key not in own or key in earlier}
                    for trace, spoilt in self.traces.since(outer.traces).items()
                    if (earlier := outer.traces.find(trace)) is not None and not own.isdisjoint(spoilt)
                }
            )
        ends: Mapping[Trace, Spoilt] = NO_TRACES
        if self.traces is not outer.traces:
            since = self.traces.since(outer.traces)
            ends = {trace: spoilt for trace, spoilt in since.items() if trace not in outer.traces}
        if ends or self.written or self.made:
            effects = activation.effects
            effects.ends, effects.written, effects.made = ends, self.written, self.made
            effects.made_with = self.renewed()
            for key, write in self.written.items():
                outer.note(key, write, effects.made_with.get(key, _NONE))
            outer.made |= self.made
        outer.traces = self.traces


def meet(trace_caches: Iterable[TraceCache]) -> TraceCache:
    """The trace cache where several paths meet."""
    result, *others = trace_caches
    for other in others:
        if other.traces is not result.traces:
            mine, theirs = result.traces, other.traces
            changed = dict.fromkeys((*theirs.since(mine), *mine.since(theirs)))
            result.traces = mine.plus_all(
                {
                    trace: spoilt if (own := mine.find(trace)) is None else {**spoilt, **own}
                    for trace in changed
                    if (spoilt := theirs.find(trace)) is not None and spoilt is not mine.find(trace)
                }
            )
        if result.made or other.made or result.made_with or other.made_with:
            result.made_with = _meet_made_with(result, other)
        result.written.update(other.written)
        result.made &= other.made
    return result


def _meet_made_with(one: TraceCache, other: TraceCache) -> dict[Hashable, frozenset[Hashable]]:
    """What is made anew on each of two paths that writes something, but for what is made on both."""
    found: dict[Hashable, frozenset[Hashable]] = {}
    both = one.made & other.made
    own = {each: frozenset(each.made - both) for each in (one, other)}

    def renewed(cache: TraceCache, key: Hashable) -> frozenset[Hashable]:
        extra = cache.made_with.get(key)
        return own[cache] if extra is None else (extra | own[cache]) - both

    for mine, theirs in ((one, other), (other, one)):
        keys = mine.written if own[mine] else mine.made_with.keys() & mine.written.keys()
        for key in keys:
            made = renewed(mine, key)
            if made and key in theirs.written:
                made &= renewed(theirs, key)
            if made:
                found[key] = made
    return found


def add_write(writes: dict[Hashable, Write], key: Hashable, write: Write) -> None:
    """A write after those that are noted; of a place in which there is again what was there nothing is."""
    before = writes.get(key)
    after = write if before is None else before.then(write)
    if after is None:
        del writes[key]
    else:
        writes[key] = after


def is_own(key: Hashable, activation: FunctionContext) -> bool:
    """Whether each call has another one of what is written: a variable of its own, a container made there."""
    if not isinstance(key, tuple) or key[0] not in ("v", "b"):
        return False
    if key[0] == "v":
        return bool(key[1] == id(activation.env))
    return any(id(made) == key[1] for made in activation.heap.values())


def _belongs(trace: Trace, made: Hashable) -> bool:
    body, holder = trace
    if isinstance(made, int):  # an object, made where another one was made before
        return made in body.effects.owners
    if isinstance(made, Function):
        return body.func == made or made in body.effects.owners
    return holder is not None and holder == made


def _may_be_same(a: Trace, b: Trace) -> bool:
    """Whether two uses, as far as is known, share a trace: one function, arguments of one type."""
    (one, holder), (other, other_holder) = a, b
    if one.func != other.func or holder != other_holder:
        return False
    return all(_alike(x, y) for x, y in zip(one.arguments, other.arguments, strict=False))


def _alike(a: Value, b: Value, depth: int = 4) -> bool:
    if isinstance(a, Instance) and isinstance(b, Instance) and a.cls is b.cls and a.cls.has_mark("pytree"):
        names = a.attributes.keys() & b.attributes.keys() if depth and a is not b else ()
        return all(_alike(a.attributes[name], b.attributes[name], depth - 1) for name in names)
    if isinstance(a, Array) and isinstance(b, Array):
        same = a.dtype == b.dtype or "?" in (a.dtype, b.dtype)
        return same and (a.ndim == b.ndim or a.ndim is None or b.ndim is None)
    if isinstance(a, (Const, Instance)) and isinstance(b, (Const, Instance)):
        return a == b
    return True
