"""The trace context: which transforms enclose the code that is analyzed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from jaxlint.domain.facts import Fact


class Context(NamedTuple):
    """What surrounds the code that runs.

    staged: some enclosing trace is staged. depth: how many transforms enclose. unjitted: inside
    `jax.disable_jit()`. quiet: nothing is reported. expects: since an error is expected. batched: inside a
    vmap. spread: inside a shard_map. handed: what tests around the call show of what the function tests.
    given and stored: which tracers the parameters, or samples, and the states are that a framework hands to
    the code; None where it makes them.
    """

    staged: bool = False
    depth: int = 0
    unjitted: bool = False
    quiet: bool = False
    expects: bool = False
    batched: bool = False
    spread: bool = False
    stage: int = 0  # the depth at which the innermost staged trace begins
    looked: int = 0  # the depth at which the innermost trace begins that is made at every call
    assumed: tuple[
        Fact, ...
    ] = ()  # of `self`, where the trace was made, and of settings, where this is called
    handed: tuple[Fact, ...] = ()
    given: int | None = 0
    stored: int = 0
    deletes: int = (
        0  # the depth, if all that enclose run at once, of arrays that a call which donates deletes
    )

    def assuming(self, facts: Iterable[Fact]) -> Context:
        """The same where this holds as well."""
        known = tuple(dict.fromkeys((*self.assumed, *facts)))
        return self if known == self.assumed else self._replace(assumed=known)

    def lent(self) -> frozenset[str]:
        """What holds inside of a `with` whose manager yields here."""
        return frozenset(each for each in ("unjitted", "expects") if getattr(self, each))

    def within(self, lent: frozenset[str]) -> Context:
        if not lent:
            return self
        context = self.expecting() if "expects" in lent else self
        return context._replace(unjitted=context.unjitted or "unjitted" in lent)

    def expecting(self) -> Context:
        """The same where what runs is run for the error that it raises."""
        return self._replace(quiet=True, expects=True)


EAGER = Context()
