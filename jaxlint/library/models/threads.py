"""Threads and pools of workers, which call what they are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.questions import has_tokens
from jaxlint.domain.values import NONE, UNKNOWN, Product, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts

_POOL = "concurrent.$pool"
_RESULT = "concurrent.$result"
_LOOP = "asyncio.$loop"


@model(
    "concurrent.futures.ThreadPoolExecutor",
    "concurrent.futures.ProcessPoolExecutor",
    "multiprocessing.Pool",
    "multiprocessing.dummy.Pool",
    "multiprocessing.pool.Pool",
    "multiprocessing.pool.ThreadPool",
)
def pool(call: Call, m: Parts) -> Value:
    return Product("object", _POOL)


@model(f"{_POOL}.submit")
def submit(call: Call, m: Parts) -> Value:
    if len(call.args) < 2:
        return UNKNOWN
    _, func, *args = call.args
    return _future(m.calls.call(func, args, call.keywords, call.nid, call.exact))


@model("asyncio.to_thread")
def to_thread(call: Call, m: Parts) -> Value:
    """One call, of which the result is waited for."""
    if not call.args:
        return UNKNOWN
    func, *args = call.args
    m.calls.call(func, args, call.keywords, call.nid, call.exact)
    return UNKNOWN


@model("asyncio.get_running_loop", "asyncio.get_event_loop", "asyncio.new_event_loop")
def event_loop(call: Call, m: Parts) -> Value:
    return Product("object", _LOOP)


@model(
    f"{_LOOP}.run_in_executor",
    f"{_LOOP}.call_soon",
    f"{_LOOP}.call_soon_threadsafe",
    f"{_LOOP}.call_later",
    f"{_LOOP}.call_at",
)
def called_by_loop(call: Call, m: Parts) -> Value:
    """One call, after an executor or a time, if there is one."""
    first = 1 if "call_soon" in call.name else 2
    if len(call.args) > first:
        func, *args = call.args[first:]
        m.calls.call(func, args, {}, call.nid, call.exact)
    return UNKNOWN


@model(f"{_POOL}.apply", f"{_POOL}.apply_async")
def apply(call: Call, m: Parts) -> Value:
    """`apply(func, args, kwds)`: one call."""
    func = call.get(1, "func")
    if func is None:
        return UNKNOWN
    result = _called(func, call.get(2, "args"), call.get(3, "kwds"), call, m)
    return _future(result) if call.name.endswith("async") else result


@model(f"{_POOL}.map", f"{_POOL}.imap", f"{_POOL}.imap_unordered", f"{_POOL}.starmap")
def map_over(call: Call, m: Parts) -> Value:
    """One call for each item; `starmap` takes the arguments from the items."""
    if len(call.args) < 3:
        return UNKNOWN
    _, func, *iterables = call.args
    if call.name.endswith("starmap"):
        return m.iterators.starmap(func, iterables[0], call.nid)
    return m.iterators.b_map([func, *iterables], {}, call.nid)


@model(f"{_RESULT}.result", f"{_RESULT}.get")
def result(call: Call, m: Parts) -> Value:
    owner = call.args[0]
    return owner.parts[1] if isinstance(owner, Product) else UNKNOWN


@model("concurrent.futures.as_completed")
def completed(call: Call, m: Parts) -> Value:
    futures = call.get(0, "fs")
    return UNKNOWN if futures is None else Product("iterator", m.containers.iterate(futures, call.nid), None)


@model("threading.Thread", "threading.Timer", "multiprocessing.Process")
def thread(call: Call, m: Parts) -> Value:
    """What starts it may be anywhere: the target is called where it is handed over."""
    is_timer = call.name.endswith("Timer")
    target = call.get(1, "function" if is_timer else "target")
    first = 2 if is_timer else 3
    if target is not None and call.exact:
        _called(target, call.get(first, "args"), call.get(first + 1, "kwargs"), call, m)
    return UNKNOWN


def _future(result: Value) -> Value:
    """What gives a result later, in another function too, which knows no keys of this one."""
    return Product("object", _RESULT, UNKNOWN if has_tokens(result) else result)


def _called(func: Value, args: Value | None, keywords: Value | None, call: Call, m: Parts) -> Value:
    """A call with a tuple of arguments and a dict of named ones."""
    given: list[Value] = []
    named: dict[str, Value] = {}
    exact = True
    if isinstance(args, (Tuple, MutableContainer)) and args.items is not None:
        given = [*args.items]
    elif args not in (None, NONE):
        exact = False
    if isinstance(keywords, MutableContainer) and keywords.elem is None:
        named = {name: value for name, value in keywords.entries.items() if isinstance(name, str)}
    elif keywords not in (None, NONE):
        exact = False
    return m.calls.call(func, given, named, call.nid, exact)
