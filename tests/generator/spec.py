"""What one generated program is to be: plain data, no text.

A `Spec` names a choice from each table (transform, application, ways of passing,
operation, guard, ...). A twin is the same spec with one field replaced, so that the
two programs differ by one edit. Nothing here knows what JAX makes of the choices.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

SCALAR, VECTOR, INTEGER, FLAG = "scalar", "vector", "integer", "flag"
KINDS = (SCALAR, VECTOR, INTEGER, FLAG)


@dataclass(frozen=True, slots=True)
class Link:
    """One helper call: how the value is passed, what is called, in which module."""

    way: str
    form: str
    other: bool
    take: str = "alone"  # alone | value | sibling: what travels with the value, and which is used


@dataclass(frozen=True, slots=True)
class Flag:
    """A Python bool that decides whether the operation is reached."""

    source: str  # literal | constant | argument | default | threaded | static
    value: bool
    shape: str  # if | unless | return | else


@dataclass(frozen=True, slots=True)
class Spec:
    """One program. `kind` is the traced argument's, `operand` the operation's."""

    seed: int
    transform: str
    application: str
    binding: str  # absent | static | traced: the second argument of the traced function
    origin: str  # traced | config | made | host | device: where the operand starts
    kind: str
    start: str
    step: str
    operand: str
    operation: str
    links: tuple[Link, ...]
    local: str
    guard: str
    flag: Flag | None = None
    opaque: str = ""
    split: bool = False
    layout: str = "package"
    also_eager: bool = False
    bare: bool = False
    edit: str = ""

    @property
    def depth(self) -> int:
        return len(self.links)

    @property
    def hidden(self) -> bool:
        """Whether a step hides the value, or mixes it with another: a miss is then allowed."""
        return bool(self.opaque) or self.local in ("ternary", "nonlocal")

    @property
    def early(self) -> bool:
        """Whether the step is taken before the links, not beside the operation."""
        return self.dice("step").random() < 0.5

    def dice(self, topic: str) -> random.Random:
        """Randomness for one question of style: the same in a program and its twin."""
        return random.Random(f"{self.seed}/{topic}")
