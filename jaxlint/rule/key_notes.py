"""The notes of findings about keys: where the key is made, where it was consumed first, and which loop.

In: a use of a key. Out: places with sentences. It refuses to know which rule asks.
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events import KeyUse
from jaxlint.domain.objects import Module
from jaxlint.library.rule_model import Model

Note = tuple[Module, int, str]


def key_notes(use: KeyUse, m: Model, first: str = "") -> tuple[Note, ...]:
    """The notes of a key that is consumed. `first`: the sentence at the place where it was consumed first."""
    return tuple(dict.fromkeys(_notes(use, m, first)))


def _notes(use: KeyUse, m: Model, first: str) -> Iterator[Note]:
    named = f"`{name}`" if (name := m.key_name(use)) else "the key"
    parameter = m.key_parameter(use)
    if parameter is not None:
        yield (*parameter, f"{named} is this parameter")
    elif use.made is not None and use.made != use.before:
        yield (*use.made, f"{named} is made here")
    if first and use.before is not None:
        yield (*use.before, first.replace("{key}", named))
        for place in use.first_inner:
            yield (*place, "which consumes it here, with `{here}`")
    for place in use.inner:
        yield (*place, "`{call}` consumes it here, with `{here}`")
    for place in use.children:
        yield (*place, "draws from a child of it here")
    if use.loop is not None:
        (module, nid), kind = use.loop
        what = {"loop": "this loop", "comprehension": "this comprehension"}.get(kind, f"this `{kind}`")
        if kind == "vmap":
            yield module, nid, f"{named} is not mapped by {what}"
        elif use.in_loop:
            yield module, nid, f"{named} is the same in every iteration of {what}, which does not replace it"
        else:
            yield module, nid, f"one iteration of {what} consumes {named}, a later one consumes it again"
