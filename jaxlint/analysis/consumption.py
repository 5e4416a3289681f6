"""Where keys are consumed, and what was around it there.

In: the places where key consumption has met a key. Out: the one that stands for all of a function; whether
two cannot both be reached, or take keys of one run of a split. It refuses to know what consumes the keys.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from jaxlint.domain.consumed_keys import NOTHING, Consumed
from jaxlint.domain.facts import Grounded, exclude
from jaxlint.domain.key_tokens import EACH, SPLIT, parents
from jaxlint.domain.values import Product, Value
from jaxlint.ir.split_children import ALL, children_of
from jaxlint.tables.jax_functions import FUNCTIONS

if TYPE_CHECKING:
    from jaxlint.domain.objects import Module
    from jaxlint.ir.finding import Finding
    from jaxlint.ir.loop_guards import Held
    from jaxlint.ir.nodes import Expr

Place: TypeAlias = "tuple[Module, int]"

DERIVES: Final = frozenset(("split", "fold_in"))  # what makes keys of a key
_SAMPLERS = frozenset(
    name.rpartition(".")[2] for name, row in FUNCTIONS.items() if name.startswith("jax.random.") and row[5]
) - {"split", "fold_in", "clone"}


class Consumption(NamedTuple):
    """Where a key was consumed, and what was around it there.

    joint: by what is meant to be drawn alike for all leaves of a tree, as an order of rows is. splits: by
    a split. inner: where the functions called there consume it, the outermost first. first: for a split,
    where the key was split before, and first_inner: where the functions called there do so. again: at
    another iteration of a loop. absent: the tokens of what is None there. rounds: the loops around it and
    which iteration of each. drawn: of a joint draw the sampler with all that it is given besides the key
    and an operand, and that operand or the call that hands it on, with the arguments that the function
    called there names. call: the number of the call of a function that consumes it. arms: the expressions
    around it that take one of several values, and which one this is. own: by a function that has the key
    from elsewhere than its arguments. weak: it is handed to a function of which nothing is known. stored:
    to what rather stores it. made: where the last splits were run that the key comes from, as far as that
    is known: splits in functions that are called here count as run at the call. by: the name of the
    function of the program that is called. under: the tests of functions that are called there under
    which they do so, in terms of what is called.
    """

    module: Module
    nid: int
    token: Hashable
    conditions: tuple[Grounded, ...]
    tests: tuple[Held, ...]
    iterations: tuple[tuple[int, int], ...]
    joint: bool = False
    splits: bool = False
    inner: tuple[Place, ...] = ()
    first: Place | None = None
    first_inner: tuple[Place, ...] = ()
    again: bool = False
    absent: frozenset[Hashable] = frozenset()
    rounds: tuple[tuple[Place, str, int], ...] = ()
    drawn: tuple[Hashable, Expr | None] | None = None
    call: int = 0
    arms: frozenset[tuple[Hashable, Hashable]] = frozenset()
    own: bool = False
    weak: bool = False
    stored: bool = False
    made: tuple[Place, ...] = ()
    by: str = ""
    under: tuple[tuple[Expr, bool], ...] = ()

    @property
    def place(self) -> Place:
        return self.module, self.nid


class Drawn(NamedTuple):
    """A stream of a framework that a function draws from. under: the tests under which it does, and which
    answers they have; none where that is certain."""

    stream: str
    under: tuple[tuple[Expr, bool], ...] = ()


class Walk(NamedTuple):
    """What a loop over an array of keys takes in turn. depth: how many loops are around that loop."""

    array: Hashable
    id: Hashable
    depth: int


def spent_in(state: Mapping[Hashable, Value]) -> Consumed[Consumption]:
    """The keys that are consumed in a state of the flow."""
    value = state.get("$spent")
    return value.parts[0] if isinstance(value, Product) else NOTHING


def representative(found: Sequence[Consumption]) -> Consumption:
    """Of places that consume one key the first that is sure, under what holds at all of them."""
    first = min(found, key=lambda each: (each.weak, bool(each.absent), bool(each.tests)))
    tests = [[*((held.test, held.truth) for held in each.tests), *each.under] for each in found]
    return first._replace(under=tuple([test for test in tests[0] if all(test in each for each in tests[1:])]))


def is_same_split(before: Consumption, here: Consumption, level: int) -> bool:
    """Whether one run of a split gave the keys that two places consume, as far as that split goes."""
    if before.place == here.place or before.rounds != here.rounds:
        return False
    run = run_of(here, level)
    return run is not None and run == run_of(before, level)


def is_of_other_loop(split: Consumption, here: Consumption) -> bool:
    """Whether a split is a second one of its key because loops repeat it that are not around a place."""
    around = {place for place, _, _ in here.rounds}
    return split.again and around.isdisjoint(place for place, _, _ in split.rounds)


def run_of(consume: Consumption, level: int) -> Place | None:
    """Where a split of those that a key comes from was run."""
    position = len(consume.made) + level - len(parents(consume.token))
    return consume.made[position] if position >= 0 else None


def is_made_in_turn(consume: Consumption, token: Hashable) -> bool:
    """Whether the call that consumes a key made the key `token` itself, at a turn before: what is consumed is
    that key, or comes from it by splits."""
    later = len(parents(consume.token)) - len(parents(token))
    return consume.place in consume.made[: max(0, len(consume.made) - later)]


def are_exclusive(a: frozenset[tuple[Hashable, Hashable]], b: frozenset[tuple[Hashable, Hashable]]) -> bool:
    """Whether a selection takes one of two values at most."""
    for selection in {one for one, _ in a}.intersection(one for one, _ in b):
        arms, others = ({arm for one, arm in each if one == selection} for each in (a, b))
        if arms.isdisjoint(others):
            return True
    return False


class EqualSplits(NamedTuple):
    """Two splits of the key `token` whose children `common` are read after both, and what was told of it."""

    token: Hashable
    first: Consumption
    second: Consumption
    common: Collection[int]
    told: Sequence[Finding] = ()

    def are_children_known(
        self,
        spent: Consumed[Consumption],
        is_idle: Callable[[Place, int], bool],
        state: Mapping[Hashable, Value],
    ) -> bool:
        """Whether it is known what becomes of all these children, after the one split and after the other, or
        that nothing is made of one after one of them, or that it is drawn from after the one, and only split
        or folded after the other, or taken after the one only where the other is not run."""
        runs = [(each.place, *each.inner)[-1] for each in (self.first, self.second)]
        idle = {child for child in self.common if any(is_idle(run, child) for run in runs)}
        left = set(self.common) - idle
        if not left:
            return True
        places = self.first.place, self.second.place
        taken: dict[Place, set[int]] = {place: set() for place in places}
        drawn: dict[Place, set[int]] = {place: set() for place in places}
        apart: dict[Place, set[int]] = {place: set() for place in places}
        for token, uses in spent.all().items():
            found, is_derived = self._children(token)
            for each in uses if found - idle else ():
                if (where := self._excluding(each, state)) is not None:
                    apart[where] |= found
                    continue
                if each.weak and not is_derived:
                    return False
                for run in taken if not each.weak else ():
                    if run in each.made or run == each.place:
                        taken[run] |= found - idle
                        drawn[run] |= set() if is_derived or each.splits else found
        left -= {child for place in places for child in apart[place] - taken[place]}
        for run, place, other in zip(runs, places, reversed(places), strict=True):
            unknown = left - taken[place]
            if unknown and not (unknown <= taken[other] - drawn[other] and _are_drawn(_takers_at(run))):
                return False
        return True

    def _excluding(self, use: Consumption, state: Mapping[Hashable, Value]) -> Place | None:
        """The split that gave what is consumed, where tests say that the other one is not run then."""
        for split, other in ((self.first, self.second), (self.second, self.first)):
            is_of = split.place in use.made or split.place == use.place
            if is_of and exclude(other.conditions, use.conditions, state):
                return split.place
        return None

    def children(self, token: Hashable) -> frozenset[int]:
        """Which children a token is, or is derived from; none where it is none of these splits."""
        return self._children(token)[0]

    def _children(self, token: Hashable) -> tuple[frozenset[int], bool]:
        """Which children a token is, or is derived from, and whether it is; none where it is none of these
        splits."""
        found, is_derived = ALL, False
        while type(token) is tuple and len(token) == 3:
            array, how, which = token
            if (array, how) == (self.token, SPLIT):
                return found, is_derived
            if how == "fold" and is_derived and type(array) is tuple and array[:2] == (self.token, SPLIT):
                if type(which) is tuple and which[:1] == ("counted",):
                    return ALL, True  # what a loop takes, which counts the items
            is_derived |= how not in (EACH, "[]", "[:]")
            if how == "[]" and type(which) is int:
                found = frozenset((which,))
            elif how == "[:]" and isinstance(which, range):
                found = frozenset(which[: len(ALL)])
            else:
                found = ALL if how in (EACH, SPLIT) else frozenset()
            token = array
        return frozenset(), False


def but_for_apart(children: Iterable[int], first: Place, second: Place) -> Collection[int]:
    """Which of the children of two equal splits may repeat a draw, as far as texts say what takes them."""
    one, other = (children_of(module.program).takers_of(split) for module, split in (first, second))
    ones, others = _takers_at(first), _takers_at(second)
    return {
        each
        for each in children
        if not _are_of_others(one.get(each), other.get(each))
        and not _are_apart(one.get(each, ones), other.get(each, others))
    }


def _takers_at(split: Place) -> frozenset[str] | None:
    """What takes the children of a split one after the other."""
    return children_of(split[0].program).item_takers_of(split[1])


def _are_of_others(one: frozenset[str] | None, other: frozenset[str] | None) -> bool:
    """Whether other keys are made of equal ones: which of them are equal is known by these."""
    return one is not None and other is not None and one | other <= DERIVES


def _are_apart(one: frozenset[str] | None, other: frozenset[str] | None) -> bool:
    """Whether equal keys are drawn from in one place, and only split or folded in another."""
    return any(a is not None and a <= DERIVES and _are_drawn(b) for a, b in ((one, other), (other, one)))


def _are_drawn(takers: frozenset[str] | None) -> bool:
    return takers is not None and takers <= _SAMPLERS


def common_turns(before: Consumption, here: Consumption) -> int:
    """How many of the loops around two places are in the same turn."""
    pairs = zip(before.iterations, here.iterations, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
