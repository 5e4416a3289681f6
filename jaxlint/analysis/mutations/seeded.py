"""Whether what a library's own generator draws in traced code is the same at each call.

In: a place in a function, and the module whose generator draws there. Out: whether traced code is sure to
seed it first. It refuses to know of functions that only seed, for their callers.
"""

from __future__ import annotations

from jaxlint.analysis.function_context import FunctionContext


def is_seeded(frame: FunctionContext, nid: int, module: str, most: int = 8) -> bool:
    """Whether traced code is sure to seed the generator of a module before it runs a place: the function
    itself, or all that call it."""
    first = None if frame.noted is None else frame.noted.seeds.get(module)
    if first is not None and first <= nid:
        return True
    links = [each for each in frame.links if each.parent is not frame]
    return bool(most and links) and all(
        each.parent is not None
        and each.parent.context.staged
        and is_seeded(each.parent, each.nid, module, most - 1)
        for each in links
    )
