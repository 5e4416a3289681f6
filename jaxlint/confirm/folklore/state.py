"""Functions with state, and with effects, under jit."""

from __future__ import annotations

from jaxlint.claim import Claim
from jaxlint.confirm.folklore.entry import Case, Folklore

_STATEFUL = """
from functools import partial

import jax


class Counter:
    def __init__(self):
        self.sum = 0.0

    @partial(jax.jit, static_argnums=0)
    def add(self, value):
        self.sum = self.sum + value
        return self.sum


counter = Counter()
sums = [float(counter.add(1.0)) for _ in range(3)]
"""

_STATELESS = """
import jax


@jax.jit
def add(state, value):
    state = state + value
    return state, state


state, sums = 0.0, []
for _ in range(3):
    sum_, state = add(state, 1.0)
    sums.append(float(sum_))
"""

_AS_IN_THE_NOTE = """
class Stateful:
    def __init__(self):
        self.sum = 0

    def add(self, value):
        self.state += value


try:
    Stateful().add(1)
    works = True
except AttributeError:
    works = False
"""

ENTRIES = (
    Folklore(
        81,
        "state-in-and-out",
        "A class with state becomes one without when methods take the state and return the new one.",
        "note 003, stateful class",
        "true",
        "The jitted method of the class with state gives the first sum at every call, the function that "
        "passes the state on gives the right ones.",
        (Case(Claim("differs", calls=("sums",), gives="[1.0, 2.0, 3.0]"), _STATEFUL, _STATELESS),),
        rule="JAX201",
    ),
    Folklore(
        81,
        "state-leaks-a-tracer",
        "State that a jitted method keeps in the object can be used afterwards.",
        "note 003, stateful class",
        "false",
        "What was kept is a tracer of a trace that is over.",
        (
            Case(
                Claim("same", calls=("isinstance(counter.sum, jax.core.Tracer)", "False")),
                _STATEFUL,
                holds=False,
            ),
        ),
        rule="JAX203",
    ),
    Folklore(
        81,
        "stateful-class-of-the-note",
        "The note's class with state counts.",
        "note 003, stateful class",
        "false",
        "Its method adds to another attribute than the one that is there.",
        (Case(Claim("same", calls=("works", "True")), _AS_IN_THE_NOTE, holds=False),),
    ),
)
