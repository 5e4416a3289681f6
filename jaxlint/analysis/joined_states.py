"""The variables where several paths meet: each is what it is on one of them or on another one.

In: the states of the flow at the ends of the paths. Out: the state behind them. It refuses to know what was
tested.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Final

from jaxlint.analysis.conditions import held_facts, value_partitions
from jaxlint.analysis.consumption import Consumption, spent_in
from jaxlint.analysis.function_context import Vars
from jaxlint.analysis.token_names import SHOWN, is_part_of
from jaxlint.domain.consumed_keys import Consumed, merged
from jaxlint.domain.facts import CHANGED, Fact, grounded
from jaxlint.domain.join import either_way
from jaxlint.domain.key_tokens import parents
from jaxlint.domain.objects import Instance, Key
from jaxlint.domain.values import UNKNOWN, Product, Unknown, Value
from jaxlint.domain.widening import given_or_default, one_key

# marks that hold after a branch where they held after one of its arms
KEPT_VARIABLES = frozenset(("late", "static", "called", "doubts", CHANGED))

# what variables note of tests, and what of it holds on both of two paths
_NOTES: Final = {value_partitions.MARK: value_partitions.common, held_facts.MARK: held_facts.common}


def merge(
    states: Sequence[Vars],
    fresh: Callable[[], Hashable] | None = None,
    turns: Sequence[Sequence[Fact]] = (),
) -> Vars:
    """The variables where several paths meet. A variable that holds another key on each of them holds one
    key from here on: it gets an identity of its own. `turns`: where a loop takes one of two ways in some
    turns and the other one in those between, what holds in the ones and in the others."""
    if len(states) == 1:
        return states[0]
    first = states[0]
    for other in states[1:]:
        mine_of = first.get
        changed = [(name, value) for name, value in other.items() if mine_of(name) is not value]
        left = len(first) - len(other)  # and the names that only `other` has: those that only `first` has
        if not changed and not left:
            continue
        result = dict(first)
        joined: list[tuple[Key, Value, Value]] = []
        for name, value in changed:
            mine = mine_of(name)
            left += mine is None
            if name == "$spent":
                result[name] = value if mine is None else merge_spent(mine, value)
            elif name in _NOTES:
                if mine is not None:
                    result[name] = _NOTES[name](mine, value)
            elif mine is None:
                if not isinstance(name, tuple) or name[0] in KEPT_VARIABLES or _is_moot(name, first):
                    result[name] = value
                elif name[0] == "@" and isinstance(value, (Key, Unknown)):
                    result[name] = UNKNOWN
            else:
                result[name] = either_way(mine, value)
                if fresh is not None and type(name) is str and mine != value:
                    given = given_or_default(mine, first, value, other)
                    result[name] = made = given or one_key(mine, value, result[name], fresh)
                    if given is None and isinstance(made, Key):
                        joined.append((made, mine, value))
        for name in [name for name in first if name not in other] if left else ():
            if isinstance(name, tuple) and name[0] not in KEPT_VARIABLES and not _is_moot(name, other):
                if name[0] == "@" and isinstance(first[name], (Key, Unknown)):
                    result[name] = UNKNOWN  # the key that was there, or another one
                else:
                    result.pop(name, None)
        for mark in _NOTES:
            if mark in first and mark not in other:
                del result[mark]
        if joined:
            _keep_consumed(result, joined, first, other, turns or ((), ()))
        first = result
    return first


def _is_moot(name: tuple[Any, ...], other: Vars) -> bool:
    """Whether what a test has shown of an attribute on one path is nothing that the other path could deny:
    what would have the attribute is None there."""
    if name[0] not in SHOWN:
        return False
    token = name[1]
    while is_part_of(token):
        token = token[0]
        if ("none", token) in other:
            return True
    return False


def _keep_consumed(
    result: Vars,
    joined: Sequence[tuple[Key, Value, Value]],
    first: Vars,
    other: Vars,
    turns: Sequence[Sequence[Fact]],
) -> None:
    """A key that is one of two is consumed where one path has consumed the one that it has; and where a loop
    takes the other path in some turns only, to split it, also where it was consumed before."""
    spent = result.get("$spent")
    if not isinstance(spent, Product):
        return
    mine, theirs = (spent_in(each) for each in (first, other))
    consumed = spent.parts[0]
    for key, one, another in joined:
        pairs = ((one, another, mine, theirs, turns[0]), (another, one, theirs, mine, turns[1]))
        found: list[Consumption] = []
        for value, given, own, rest, facts in pairs:
            if not isinstance(value, Key):
                continue
            if facts and isinstance(given, Key) and value.token in parents(given.token):
                now = grounded(facts, result)
                held = (each._replace(conditions=(*each.conditions, *now)) for each in own.uses(value.token))
                found += [each for each in held if not (each.splits or each.weak)]
            else:
                found += _draws_from(value, own, rest)
        if found:
            consumed = consumed.plus(key.token, tuple([each._replace(token=key.token) for each in found]))
    result["$spent"] = Product("spent", consumed)


def _draws_from(key: Key, own: Consumed[Consumption], rest: Consumed[Consumption]) -> list[Consumption]:
    """Where a path, and not the other one, draws from the key that it has."""
    before = {each.place for each in rest.uses(key.token)}
    uses = own.uses(key.token)
    return [each for each in uses if not (each.splits or each.weak or each.place in before)]


def merge_spent(a: Value, b: Value) -> Value:
    assert isinstance(a, Product) and isinstance(b, Product)
    return Product("spent", merged(a.parts[0], b.parts[0]))


def with_attributes(found: dict[str, Value], now: Mapping[Hashable, Value]) -> dict[str, Value]:
    """Variables, and what the objects among them hold, as `self.x`. now: what is written of them there."""
    for name, value in list(found.items()):
        if isinstance(value, Instance):
            for held, kept in value.attributes.items():
                found[f"{name}.{held}"] = now.get(("@", id(value), held), kept)
    return found
