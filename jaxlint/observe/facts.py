"""The facts file: what runs of the user's program showed of its functions.

In: the bytes of a file that may be cut, hostile or of a newer jaxlint. Out: facts whose types and sizes are
as stated here, and their text. Facts of several runs are merged: counts add up, and a function that has
changed since counts only as it is now. Nothing in a file is executed; it is data, and hints at most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

VERSION = 1
LARGEST = 256 * 1024 * 1024
"""Bytes of a facts file that is read."""

MOST_ENTRIES, MOST_COMPILATIONS, MOST_EVENTS, MOST_REASONS = 16, 32, 1000, 32

Count = Annotated[int, Meta(ge=0, le=2**53)]
Seconds = Annotated[float, Meta(ge=0, le=1e12)]
Text = Annotated[str, Meta(max_length=4096)]
Place = tuple[Text, Count]
"""A function's key and a row in its file."""


class FactsError(ValueError):
    """A facts file that cannot be used; the message is one line without the file's name."""


class Parameter(Struct, omit_defaults=True, frozen=True):
    """What a parameter was in one way of entering its function.

    kind: "tracer", "static", "numpy", "array", "pytree", "tuple", "dict", "key", "function" or "object";
    others may come. aval: dtype and shape, `float32[8,3]`. weak: weakly typed. type: the dotted name of its
    type. hash: 8 hex digits of a static value. value: its text, only where the user asked for values. name:
    of a function, a key of facts or a dotted name. leaves: by path. more: leaves that are not listed.
    traced: of a key, whether it was a tracer.
    """

    kind: Text
    aval: Text = ""
    weak: bool = False
    type: Text = ""
    hash: Text = ""
    value: Text = ""
    name: Text = ""
    traced: bool = False
    leaves: dict[Text, Parameter] = msgspec.field(default_factory=dict)
    more: Count = 0


class Entry(Struct, omit_defaults=True):
    """One way in which a function was entered.

    transforms: that enclosed it, outermost first; empty: eager. staged: one of them makes a jaxpr. caller:
    the key of the nearest function of the project that called, "" where there is none. count: how often.
    """

    transforms: tuple[Text, ...]
    count: Count
    staged: bool = False
    caller: Text = ""
    parameters: dict[Text, Parameter] = msgspec.field(default_factory=dict)

    def way(self) -> bytes:
        """All but the count, as bytes to compare."""
        return msgspec.json.encode(
            [self.transforms, self.staged, self.caller, self.parameters], order="sorted"
        )


class Compilation(Struct, omit_defaults=True):
    """One new trace of a function that was handed to jit or pmap, with what it took in seconds.

    compile: 0 where it was traced only, for instance in another trace.

    signature: by argument name. reason: rows of argument, what differs from the nearest one before, before,
    after; `("", "first", "", "")` for the first.
    """

    trace: Seconds = 0.0
    lower: Seconds = 0.0
    compile: Seconds = 0.0
    signature: dict[Text, Text] = msgspec.field(default_factory=dict)
    reason: list[tuple[Text, Text, Text, Text]] = msgspec.field(default_factory=list)
    caller: Text = ""
    at: Seconds = 0.0
    """Seconds after the start of the run."""


class Totals(Struct, omit_defaults=True):
    """Seconds of tracing, lowering and compiling, and of calls of the compiled function."""

    trace: Seconds = 0.0
    lower: Seconds = 0.0
    compile: Seconds = 0.0
    run: Seconds = 0.0

    def plus(self, other: Totals) -> Totals:
        return Totals(
            self.trace + other.trace,
            self.lower + other.lower,
            self.compile + other.compile,
            self.run + other.run,
        )


class Function(Struct, omit_defaults=True):
    """What was seen of one function.

    fingerprint: as `fingerprint.fingerprint` gives it. calls: how often it was entered, a floor once a bound
    is reached. lines: rows that ran, from the row of `def`. more: calls in ways that are not in `entries`.
    compiled: how often, of which `compilations` has the first and the last.
    """

    fingerprint: Text
    calls: Count = 0
    lines: list[Count] = msgspec.field(default_factory=list)
    entries: list[Entry] = msgspec.field(default_factory=list)
    more: Count = 0
    compilations: list[Compilation] = msgspec.field(default_factory=list)
    compiled: Count = 0
    seconds: Totals = msgspec.field(default_factory=Totals)
    traced: Count = 0
    """How often `jit` or `pmap` traced it: more often than it was compiled where it is traced in others."""
    runs: Count = 0
    """How often the project called it jitted, where that was seen (from Python 3.12 on)."""
    reasons: list[tuple[Text, Text, Count]] = msgspec.field(default_factory=list)
    """Argument, what differed, and how often that was a reason of a trace; the most frequent first."""


class Event(Struct, omit_defaults=True):
    """Something that happened in a function.

    kind: "key reused", "leak", "transfer", "nan", "raised"; others may come. function: its key. line: from
    the row of its `def`. first: of a reused key, where it was consumed before: a function's key and such a
    line. error: the class that was raised; of a leak, by JAX's check. what: the method that read an array on
    the host; what keeps a leaked tracer. loop: in a loop.
    """

    kind: Text
    function: Text
    line: Count
    count: Count = 1
    first: Place | None = None
    error: Text = ""
    what: Text = ""
    loop: bool = False

    def identity(self) -> tuple[str, str, int, str, str, Place]:
        return self.function, self.kind, self.line, self.error, self.what, self.first or ("", 0)


class Facts(Struct):
    """All that runs showed.

    runs: how many. versions: of "python" and "jax". functions: by path from the folder of the file, "::" and
    qualified name; the rows of a module outside its functions are those of `MODULE`, counted from its first.
    """

    version: Count = VERSION
    runs: Count = 1
    versions: dict[Text, list[Text]] = msgspec.field(default_factory=dict)
    functions: dict[Text, Function] = msgspec.field(default_factory=dict)
    events: list[Event] = msgspec.field(default_factory=list)


def split_key(key: str) -> tuple[str, str]:
    """Path and qualified name of a function's key."""
    path, _, name = key.rpartition("::")
    return path, name


class _Header(Struct):
    version: Count


def decoded(data: bytes) -> Facts:
    """The facts in a file's bytes.

    Raises:
        FactsError: it is not a facts file, is cut, too large, or of a newer version.
    """
    if len(data) > LARGEST:
        raise FactsError(f"larger than {LARGEST >> 20} MiB")
    if not data.strip():
        raise FactsError("empty")
    try:
        found = msgspec.json.decode(data, type=_Header).version
        if found > VERSION:
            raise FactsError(f"of version {found}, but this jaxlint reads version {VERSION}")
        return msgspec.json.decode(data, type=Facts)
    except msgspec.ValidationError as error:
        raise FactsError(f"not a facts file: {_one_line(str(error))}") from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise FactsError(f"not whole: {_one_line(str(error))}") from None
    except RecursionError:
        raise FactsError("nested too deeply") from None


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200]


def read_facts(path: str) -> Facts:
    """The facts in a file.

    Raises:
        FactsError: see `decoded`; also where the file cannot be read.
    """
    try:
        with open(path, "rb") as file:
            return decoded(file.read(LARGEST + 1))
    except OSError as error:
        raise FactsError(f"cannot be read: {error.strerror or error}") from None


def encoded(facts: Facts) -> bytes:
    """The text of a facts file: sorted, indented by 1, a newline at the end."""
    return msgspec.json.format(msgspec.json.encode(facts, order="sorted"), indent=1) + b"\n"


def pruned(facts: Facts, current: Callable[[str], Mapping[str, str] | None]) -> Facts:
    """The facts without functions that have changed or are gone, and without their events.

    current: the fingerprints of the functions in a file by name, None where there is no such file.
    """
    by_path: dict[str, Mapping[str, str]] = {}
    kept = {}
    for key, function in facts.functions.items():
        path, name = split_key(key)
        if path not in by_path:
            by_path[path] = current(path) or {}
        if by_path[path].get(name) == function.fingerprint:
            kept[key] = function
    events = [event for event in facts.events if event.function in kept]
    return Facts(VERSION, facts.runs, facts.versions, kept, events)


def merged(old: Facts, new: Facts) -> Facts:
    """The facts of two files as one. Where a function differs, only what `new` has of it is kept."""
    functions = dict(old.functions)
    changed = set()
    for key, function in new.functions.items():
        before = old.functions.get(key)
        if before is not None and before.fingerprint == function.fingerprint:
            functions[key] = _joined(before, function)
        else:
            functions[key] = function
            changed.add(key)
    names = {*old.versions, *new.versions}
    versions = {name: sorted({*old.versions.get(name, ()), *new.versions.get(name, ())}) for name in names}
    events = [event for event in old.events if event.function not in changed] + list(new.events)
    return Facts(VERSION, old.runs + new.runs, versions, functions, joined_events(events))


def joined_events(events: Iterable[Event]) -> list[Event]:
    """Events with equal ones as one, sorted; at most `MOST_EVENTS`, those that happened most often."""
    by_identity: dict[object, Event] = {}
    for event in events:
        found = by_identity.get(event.identity())
        if found is None:
            by_identity[event.identity()] = event
        else:
            loop = event.loop or found.loop
            by_identity[event.identity()] = msgspec.structs.replace(
                found, count=found.count + event.count, loop=loop
            )
    kept = sorted(by_identity.values(), key=lambda event: (-event.count, event.identity()))[:MOST_EVENTS]
    return sorted(kept, key=Event.identity)


def joined_entries(entries: Iterable[Entry]) -> tuple[list[Entry], int]:
    """Entries with equal ones as one, the most frequent `MOST_ENTRIES`; and the calls in the others."""
    by_way = _by_way(entries)
    if len(by_way) > MOST_ENTRIES:  # those that differ in the value of a static parameter only count as one
        by_way = _by_way(
            msgspec.structs.replace(each, parameters=_any_value(each)) for each in by_way.values()
        )
    ordered = sorted(by_way.items(), key=lambda item: (-item[1].count, item[0]))
    kept = sorted(ordered[:MOST_ENTRIES])
    return [entry for _, entry in kept], sum(entry.count for _, entry in ordered[MOST_ENTRIES:])


def _by_way(entries: Iterable[Entry]) -> dict[bytes, Entry]:
    found: dict[bytes, Entry] = {}
    for entry in entries:
        way = entry.way()
        known = found.get(way)
        found[way] = (
            entry if known is None else msgspec.structs.replace(entry, count=known.count + entry.count)
        )
    return found


def _any_value(entry: Entry) -> dict[str, Parameter]:
    return {
        name: msgspec.structs.replace(each, hash="", value="") if each.kind == "static" else each
        for name, each in entry.parameters.items()
    }


def _joined(one: Function, other: Function) -> Function:
    entries, more = joined_entries([*one.entries, *other.entries])
    return Function(
        one.fingerprint,
        one.calls + other.calls,
        sorted({*one.lines, *other.lines}),
        entries,
        one.more + other.more + more,
        first_and_last([*one.compilations, *other.compilations]),
        one.compiled + other.compiled,
        one.seconds.plus(other.seconds),
        one.traced + other.traced,
        one.runs + other.runs,
        ranked((arg, what, count) for each in (one, other) for arg, what, count in each.reasons),
    )


def ranked(reasons: Iterable[tuple[str, str, int]]) -> list[tuple[str, str, int]]:
    """Reasons of traces with equal ones as one, the most frequent `MOST_REASONS` of them."""
    counts: Counter[tuple[str, str]] = Counter()
    for argument, what, count in reasons:
        counts[argument, what] += count
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [(argument, what, count) for (argument, what), count in ordered[:MOST_REASONS]]


def first_and_last(compilations: list[Compilation]) -> list[Compilation]:
    """At most `MOST_COMPILATIONS` of them: the first half and the last half."""
    if len(compilations) <= MOST_COMPILATIONS:
        return compilations
    half = MOST_COMPILATIONS // 2
    return [*compilations[:half], *compilations[-half:]]
