"""What callers see of a function context, so that two runs of it can be told apart.

In: a function context that has been analyzed. Out: its result and effects, with names for tokens that do not
rest on when it was analyzed.
"""

from __future__ import annotations

from collections.abc import Container, Hashable
from typing import Any

from jaxlint.analysis.function_context import Effects, FunctionContext, Notes
from jaxlint.domain.join import level_of
from jaxlint.domain.objects import Instance
from jaxlint.domain.questions import map_tokens

_FAR = 6  # how deep containers are looked into


def _changes(
    activation: FunctionContext, notes: Notes, watched: Container[Hashable]
) -> set[tuple[Instance, str]]:
    """The writes of watched attributes of objects that were there before the call."""
    made = activation.instances
    return {key[:2] for key in notes.changes if key[1] in watched and id(key[0]) not in made}


def outcome(activation: FunctionContext, watched: Container[Hashable]) -> object:
    """All that the callers of a function context see of it, but what it may change.

    Args:
        watched: What traces depend on.
    """
    start, end = activation.tokens

    def relative(token: Any) -> Any:
        if isinstance(token, tuple):
            if len(token) == 2 and token[0] == "new" and start < token[1] <= end:
                return ("own", token[1] - start)
            if len(token) == 3:
                return (relative(token[0]), token[1], relative(token[2]))
        return token

    result, notes = activation.result, activation.noted
    effects = activation.affected or Effects()
    return (
        map_tokens(result, relative),
        result.key(_FAR),
        [value.key(_FAR) for value in activation.arguments],
        [(relative(each.token), each.module, each.nid, bool(each.tests)) for each in activation.consumptions],
        list(activation.captures),
        (activation.operations, activation.draws),
        [(each.place, each.how, each.nid, level_of(each.new)) for each in activation.mutations],
        (effects.reads, effects.own, effects.uses, effects.ends),
        {key: write[:2] for key, write in effects.written.items() if key in watched},
        {made for made in effects.made if made in watched},
        {
            key: frozenset(filter(watched.__contains__, each))
            for key, each in effects.made_with.items()
            if key in watched
        },
        (notes.statics, _changes(activation, notes, watched)) if notes else ({}, set()),
    )
