"""Who calls a function outside of traces, where traces reach it, too.

In: the calls that function contexts make. Out: the call sites of functions, and whether a function that
compiles anew does so outside of traces, where it costs time. It refuses to know what is compiled.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import TYPE_CHECKING

from jaxlint.ir.repetition import Repetition, Site, Sites, is_in_test

if TYPE_CHECKING:
    from jaxlint.analysis.function_context import FunctionContext
    from jaxlint.ir.program import Code

_ONCE = ("test", "setUp", "setup")


def add_sites(sites: dict[Code, dict[tuple[str, int], Site]], activation: FunctionContext) -> None:
    """Adds the calls that a function context makes."""
    caller = None if activation.func is None else activation.func.code
    path = activation.module.path
    for (code, nid), looped in activation.sites.items():
        found = sites.setdefault(code, {})
        known = found.get((path, nid))
        found[path, nid] = Site(caller, activation.code, looped or (known is not None and known.looped))


def repetition_of(contexts: Collection[FunctionContext], sites: Sites) -> Repetition:
    """How often functions run, by the calls that these contexts make."""
    return Repetition(sites, partial(runs_once, sites), looped_codes(contexts))


def looped_codes(contexts: Collection[FunctionContext]) -> set[Code]:
    """The functions that a loop outside of tests may repeat, or that what a loop repeats calls, in these
    contexts. What is handed to a function that calls it has a context of that function for itself: the loop
    around one says nothing of the others."""
    bodies: dict[Code, set[FunctionContext]] = {}
    for each in contexts:
        bodies.setdefault(each.code, set()).add(each)
    seen: set[FunctionContext] = set()
    stack = [each for context in contexts for each in _called_by(context, bodies, in_loop=True)]
    while stack:
        context = stack.pop()
        if context not in seen:
            seen.add(context)
            stack += _called_by(context, bodies, in_loop=False)
    return {each.code for each in seen}


def _called_by(
    context: FunctionContext, bodies: Mapping[Code, set[FunctionContext]], in_loop: bool
) -> list[FunctionContext]:
    """What a function context calls; all contexts of a function where it is not known which one. in_loop:
    what a loop of the function, or one around its calls, repeats."""
    if is_in_test(context.module.path, None if context.func is None else context.func.code):
        return []
    codes = {code for (code, _), looped in context.sites.items() if looped or not in_loop}
    called: dict[Code, set[FunctionContext]] = {}
    for each in context.callees:
        called.setdefault(each.code, set()).update({each} & bodies.get(each.code, set()))
    inner = codes if in_loop else codes.union(called)
    return [each for code in inner for each in called.get(code, bodies.get(code, set()))]


def runs_once(sites: Sites, code: Code | None, seen: frozenset[int] = frozenset()) -> bool:
    """Whether a function certainly runs at most once in a run of the program, by these calls."""
    if code is None or code.name == "main" or code.name.startswith(_ONCE):
        return True
    found = list(sites.get(code, {}).values())
    if len(found) != 1 or found[0].looped or id(code) in seen:
        return False
    return runs_once(sites, found[0].caller, seen | {id(code)})


def is_outside(frame: FunctionContext, kind: str, outside: Repetition) -> bool:
    """Whether a function that traces reach compiles anew outside of them, too, and not only for tests: a loop
    calls it there, or it is called there at all where it has a loop of its own."""
    if kind == "call":
        return outside.is_looped(frame.code)
    if frame.func is None or is_in_test(frame.module.path, frame.code):
        return not is_in_test(frame.module.path, None)
    sites = outside.sites.get(frame.code, {})
    return any(not is_in_test(path, site.caller) for (path, _), site in sites.items())
