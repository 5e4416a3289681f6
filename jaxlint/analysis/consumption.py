"""Records of keys: where one was consumed, and what loops take from arrays of keys."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from jaxlint.analysis.events import Place
    from jaxlint.domain.program import Module
    from jaxlint.ir.loop_guards import Held


class Consumption(NamedTuple):
    """Where a key was consumed, and what was around it there.

    joint: by what is meant to be drawn alike for all leaves of a tree, as an order of rows is. splits: by a
    split. inner: where the functions called there consume it, the outermost first. first: for a split, where
    the key was split before. again: at another iteration of a loop. absent: the tokens of what is None there.
    rounds: the loops around it and which iteration of each. drawn: of a joint draw the sampler with all
    that it is given besides the key and an operand, and that operand or the call that hands it on. call: the
    number of the call of a function that consumes it. arms: the expressions around it that take one of
    several values, and which one this is. own: by a function that has the key from elsewhere than its
    arguments. weak: it is handed to a function of which nothing is known. stored: to what rather stores it.
    made: where the last splits were run that the key comes from, as far as that is known: splits in functions
    that are called here count as run at the call.
    """

    module: Module
    nid: int
    token: Any
    conditions: tuple[tuple[Any, bool], ...]
    tests: tuple[Held, ...]
    iterations: tuple[tuple[int, int], ...]
    joint: bool = False
    splits: bool = False
    inner: tuple[Place, ...] = ()
    first: Place | None = None
    again: bool = False
    absent: frozenset[Hashable] = frozenset()
    rounds: tuple[tuple[Place, str, int], ...] = ()
    drawn: tuple[Hashable, Any] | None = None
    call: int = 0
    arms: frozenset[tuple[Any, Any]] = frozenset()
    own: bool = False
    weak: bool = False
    stored: bool = False
    made: tuple[Place, ...] = ()

    @property
    def place(self) -> Place:
        return self.module, self.nid


class Walk(NamedTuple):
    """What a loop over an array of keys takes in turn. depth: how many loops are around that loop."""

    array: Any
    id: Any
    depth: int
