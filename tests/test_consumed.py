"""The map of consumed keys: it gives what a plain dict and a scan of all of it give."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from jaxlint.domain.consumed_keys import NOTHING, Consumed, merged, overlapping
from jaxlint.domain.key_tokens import _share, extent, is_part, root_of


class At(NamedTuple):
    """What is kept of a token: where it was consumed."""

    place: int
    path: int = 0


def scanned(token: Any, kept: Mapping[Any, tuple[At, ...]]) -> list[Any]:
    """The tokens that overlap one, by a look at each."""
    found = []
    part = token
    while is_part(part):
        array, whole = part[0], extent(part)
        found += [array] if array in kept else []
        for other in filter(is_part, kept):
            own = extent(other)
            if other[0] == array:
                found += [other] if _share(part, other) else []
            elif own[0] == whole[0] and (own is not other or whole is not part) and _share(whole, own):
                found.append(other)
        part = array
    for each in filter(is_part, kept):
        above = each
        while is_part(above):
            above = above[0]
            if above == token:
                found.append(each)
                break
    return found


def a_token(choice: random.Random, depth: int = 0) -> Any:
    """A key, or a part of one: most of them parts of few arrays, so that many overlap."""
    if depth == 3 or choice.random() < (0.1 if depth else 0.02):
        return ("new", choice.randrange(2))
    array = a_token(choice, depth + 1)
    kind = choice.randrange(12)
    if kind < 4:
        return array, "[]", choice.randrange(-2, 150)
    if kind < 8:
        start = choice.randrange(-3, 150)
        step = choice.choice((1, 1, 2, -1))
        return array, "[:]", range(start, start + step * choice.choice((0, 1, 2, 5, 64, 65, 1 << 40)), step)
    if kind < 9:
        return array, "[:]", (None, -1, None)
    if kind < 11:
        return array, "[*]", choice.randrange(3)
    return array, "split", None


@pytest.mark.parametrize("seed", range(6))
def test_overlaps_are_those_of_a_scan_in_the_same_order(seed: int) -> None:
    choice = random.Random(seed)
    plain: dict[Any, tuple[At, ...]] = {}
    consumed = NOTHING
    for place in range(120):
        token = a_token(choice)
        found = [kept[0].place for kept in overlapping(token, consumed)]
        wanted = [plain[each][0].place for each in scanned(token, plain)]
        assert list(dict.fromkeys(found)) == list(dict.fromkeys(wanted))
        kept = (*plain.get(token, ()), At(place))
        plain[token] = kept
        consumed = consumed.plus(token, kept)
        assert consumed.uses(token) == kept
    assert list(consumed.all().items()) == list(plain.items())
    for roots in ([("new", 0)], [("new", 1), ("new", 0)], [("new", 7)]):
        assert consumed.derived_from(roots) == [token for token in plain if root_of(token) in roots]


def joined(a: Mapping[Any, tuple[At, ...]], b: Mapping[Any, tuple[At, ...]]) -> dict[Any, tuple[At, ...]]:
    result = {**b, **a}
    for token in a.keys() & b.keys():
        known = {each.place for each in a[token]}
        result[token] = (*a[token], *(each for each in b[token] if each.place not in known))
    return result


@pytest.mark.parametrize("seed", range(6))
def test_joins_are_those_of_dicts(seed: int) -> None:
    choice = random.Random(seed)
    paths: list[tuple[dict[Any, tuple[At, ...]], Consumed]] = [({}, NOTHING)]
    for step in range(250):
        plain, consumed = choice.choice(paths[-4:])
        if choice.random() < 0.2:
            other, others = choice.choice(paths[-4:])
            plain, consumed = joined(plain, other), merged(consumed, others)
        else:
            token = choice.randrange(300)
            at = At(choice.randrange(4), step)
            plain = {**plain, token: (*(each for each in plain.get(token, ()) if each.place != at.place), at)}
            consumed = consumed.plus(token, plain[token])
        assert list(consumed.all().items()) == list(plain.items())
        assert all(token in consumed for token in plain) and -1 not in consumed
        paths.append((plain, consumed))


def test_a_map_of_a_map_is_that_map() -> None:
    plain = {number: (At(number),) for number in range(1000)}
    assert Consumed.of(plain).all() == plain
    assert merged(NOTHING, Consumed.of(plain)).all() == plain
