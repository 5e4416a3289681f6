"""Stores in objects that are not known, in traced code.

In: the names of the attributes that a store or a call may set, in whichever object. Out: that they are
written, and what is left of what the trace reads. Which attributes these are is for others to say.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator

from jaxlint.analysis.function_context import FunctionContext
from jaxlint.analysis.mutations.net import wild
from jaxlint.domain.join import level_of
from jaxlint.domain.values import Value

_WILD = "wild"


def may_write(frame: FunctionContext, nid: int, names: Iterable[str], given: Iterable[Value]) -> None:
    """Notes that traced code writes these attributes of an object that is not known."""
    is_traced = any(map(level_of, given))
    for name in names:
        frame.mutations += (wild(nid, frame, name),)
        if is_traced:
            frame.effects.own.add((_WILD, name))


def not_written(keys: Iterable[Hashable], own: Collection[Hashable]) -> Iterator[Hashable]:
    """Of what a trace reads, what it does not put a tracer into itself, as far as it is known."""
    wilds = {key[1] for key in own if isinstance(key, tuple) and key[0] == _WILD}
    for key in keys:
        name = key[2] if isinstance(key, tuple) and key[0] == "a" else None
        if key not in own and (name[0] if isinstance(name, tuple) else name) not in wilds:
            yield key
