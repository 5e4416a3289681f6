"""Changes in place of what an attribute holds that is set to a container, and elsewhere to something of which
nothing is known.

In: an attribute by its token, and the method that is called of what it holds. Out: a write of the attribute,
of what was there. It does not know what is in such a container.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from types import MappingProxyType

from jaxlint.analysis.function_freshness import FunctionFreshness
from jaxlint.analysis.trace_staleness import TraceStaleness

# what a container has that its kind that cannot be changed has not
_CHANGING = {
    "dict": {*dir(dict)} - {*dir(MappingProxyType), "fromkeys"},
    "list": {*dir(list)} - {*dir(tuple), "copy"},
    "set": {*dir(set)} - {*dir(frozenset)},
    "deque": {*dir(deque)} - {*dir(tuple), "copy", "maxlen"},
}


def note_held(
    freshness: FunctionFreshness, staleness: TraceStaleness, token: Hashable, method: str, nid: int
) -> None:
    """A method is called of what an attribute holds."""
    box = staleness.core.held.get(token)
    if box is not None and box.home is not None and method in _CHANGING.get(box.kind, ()):
        freshness.note_change(*box.home, nid, is_derived=True)
        staleness.note_write(("a", id(box.home[0]), box.home[1]), nid)
