"""What an operation does with a tracer of each level: staged, batched and differentiated.

In: an operation of one argument and a NumPy value for it. Out: for each level what it returned
or raised, and the words for the levels at which it raises. Integers and booleans under
differentiation are computed from a differentiated float, as they are in programs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from derivation.calls import Outcome

STAGED, BATCHED, DIFFERENTIATED = LEVELS = "SBD"
Operation = Callable[[Any], Any]


def outcome_of(operation: Operation, value: Any) -> Outcome:
    try:
        return Outcome(operation(value))
    except Exception as error:
        return Outcome(error=error)


def concrete(operation: Operation, value: Any) -> Outcome:
    """On a concrete array."""
    return outcome_of(operation, jnp.asarray(value))


def staged(operation: Operation, value: Any) -> Outcome:
    seen: list[Outcome] = []
    jax.eval_shape(lambda x: seen.append(outcome_of(operation, x)), value)
    return seen[0]


def batched(operation: Operation, value: Any) -> Outcome:
    seen: list[Outcome] = []
    jax.vmap(lambda x: seen.append(outcome_of(operation, x)))(np.stack([value, value]))
    return seen[0]


def differentiated(operation: Operation, value: Any) -> Outcome:
    seen: list[Outcome] = []

    def loss(x: Any) -> Any:
        given = (
            x if value.dtype.kind == "f" else x > 0.5 if value.dtype.kind == "b" else x.astype(value.dtype)
        )
        seen.append(outcome_of(operation, given))
        return jnp.sum(x)

    jax.linearize(loss, np.asarray(value, np.float32))
    return seen[0]


def at_levels(operation: Operation, value: Any) -> dict[str, Outcome]:
    runs = {STAGED: staged, BATCHED: batched, DIFFERENTIATED: differentiated}
    return {level: run(operation, np.asarray(value)) for level, run in runs.items()}


def raising(outcomes: dict[str, Outcome]) -> str:
    """The letters of the levels at which it raised."""
    return "".join(level for level, outcome in outcomes.items() if outcome.error is not None)


def errors(outcomes: dict[str, Outcome]) -> str:
    """The class of error, with the level before each where they differ."""
    classes = {level: type(each.error).__name__ for level, each in outcomes.items() if each.error is not None}
    if len(set(classes.values())) < 2:
        return next(iter(classes.values()), "")
    return " ".join(f"{level}:{name}" for level, name in classes.items())
