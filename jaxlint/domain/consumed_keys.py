"""The keys that one path has consumed, as a value that is never changed.

In: tokens, each with what is kept of it. Out: a map in the order in which the tokens came, and the parts of
arrays that may overlap a part. What is kept of a token is of no interest here.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from heapq import merge
from operator import is_
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from jaxlint.domain.key_tokens import Part, _share, extent, is_part, root_of
from jaxlint.domain.persistent_map import Layer, Layered


class Placed(Protocol):
    """What is kept of a token: where something is."""

    @property
    def place(self) -> Hashable: ...


U = TypeVar("U", bound=Placed)
Kept = tuple[U, ...]
_SHORT = 64  # items up to which a slice is found by its items: `share` looks at no more of the shorter one


class _Index(NamedTuple):
    """The parts of arrays in a layer, with their positions in it.

    of: by array, all its parts. below: by token, the parts of it, of its parts and so on. starred: by array,
    the items in turn of its slices. ranged: by array, the parts that are neither an item with a number from
    zero on nor a short slice. short: by array and item, the short slices with that item.
    """

    of: dict[Hashable, list[tuple[int, Part]]]
    below: dict[Hashable, list[Part]]
    starred: dict[Hashable, list[tuple[int, Part]]]
    ranged: dict[Hashable, list[tuple[int, Part]]]
    short: dict[tuple[Hashable, int], list[tuple[int, Part]]]


class _Layer(Layer[Hashable, Kept[U]]):
    """Tokens that are not changed any more, with an index that is made when it is first asked for."""

    __slots__ = ("_index", "_roots", "positions")

    def __init__(self, kept: dict[Hashable, Kept[U]]) -> None:
        super().__init__(kept)
        self.positions: dict[Part, int] = {}
        self._index: _Index | None = None
        self._roots: dict[Hashable, list[Hashable]] | None = None

    @property
    def roots(self) -> dict[Hashable, list[Hashable]]:
        """The tokens by what they are derived from."""
        if self._roots is None:
            self._roots = {}
            for token in self.kept:
                self._roots.setdefault(root_of(token), []).append(token)
        return self._roots

    @property
    def index(self) -> _Index:
        if self._index is None:
            self._index = found = _Index({}, {}, {}, {}, {})
            for position, token in enumerate(self.kept):
                if is_part(token):
                    self.positions[token] = position
                    _enter(found, position, token)
        return self._index

    def near(self, part: Part) -> Iterator[Part]:
        """The parts that may overlap a part, and maybe others, in order."""
        index, whole = self.index, extent(part)
        found = [*self._near(part)]
        if whole is not part:
            found += self._near(whole)
        if whole[0] in index.starred:
            found.append(index.starred[whole[0]])
        rows = found[0] if len(found) == 1 else merge(*found)
        return (token for _, token in rows)

    def _near(self, part: Part) -> Iterator[list[tuple[int, Part]]]:
        index, (array, how, which) = self.index, part
        places = _items(how, which)
        if places is None:
            if array in index.of:
                yield index.of[array]
            return
        for place in places:
            item = (array, "[]", place)
            if item in self.positions:
                yield [(self.positions[item], item)]
            if (array, place) in index.short:
                yield index.short[array, place]
        if array in index.ranged:
            yield index.ranged[array]


class Consumed(Layered[Hashable, Kept[U]]):
    """What is kept of tokens, in the order in which they came."""

    __slots__ = ("_parts",)
    layer = _Layer
    _layers: tuple[_Layer[U], ...]

    def __init__(
        self, layers: tuple[_Layer[U], ...] = (), recent: dict[Hashable, Kept[U]] | None = None
    ) -> None:
        super().__init__(layers, recent)
        self._parts: list[Part] | None = None

    def uses(self, token: Hashable) -> Kept[U]:
        """What is kept of a token; nothing where it is not there."""
        return self.find(token) or ()

    def plus(self, key: Hashable, kept: Kept[U]) -> Consumed[U]:
        result = super().plus(key, kept)
        if self._parts is not None and result._layers is self._layers:
            result._parts = self._parts
            if is_part(key) and key not in self._recent:
                result._parts = [*self._parts, key]
        return result

    def derived_from(self, roots: Iterable[Hashable]) -> list[Hashable]:
        """The tokens that are derived from one of these, in order."""
        wanted = set(roots)
        found = [token for token in self._recent if root_of(token) in wanted]
        if not self._layers:
            return found
        older = [token for layer in self._layers for root in wanted for token in layer.roots.get(root, ())]
        if len(wanted) > 1 and older:
            return [token for token in self if root_of(token) in wanted]
        return [*dict.fromkeys((*older, *found))]

    def near(self, part: Part) -> Iterator[Part]:
        """The parts that may overlap a part, and maybe others: the older ones first."""
        for layer in self._layers:
            yield from layer.near(part)
        yield from self._recent_parts()

    def below(self, token: Hashable) -> Iterator[Part]:
        """The parts of a token, of its parts and so on, and maybe others: the older ones first."""
        for layer in self._layers:
            yield from layer.index.below.get(token, ())
        yield from self._recent_parts()

    def _recent_parts(self) -> list[Part]:
        if self._parts is None:
            self._parts = [token for token in self._recent if is_part(token)]
        return self._parts

    def joined(self, other: Consumed[U]) -> Consumed[U]:
        """What either of two paths consumed: of a token of both each place once, the own ones first. The
        other's tokens come first."""
        if other is self or not other:
            return self
        mine, theirs = self.since(other), other.since(self)
        changed: dict[Hashable, Kept[U]] = {}
        for token, found in mine.items():
            _join(changed, token, found, other.uses(token))
        for token, kept in theirs.items():
            if token not in mine:
                _join(changed, token, self.uses(token), kept)
        return other.plus_all(changed) if changed else other


def _join(changed: dict[Hashable, Kept[U]], token: Hashable, mine: Kept[U], theirs: Kept[U]) -> None:
    """Notes what two paths consumed, where that is not what the other one did."""
    if mine is theirs or not mine:
        return
    known = {each.place for each in mine}
    both = (*mine, *(each for each in theirs if each.place not in known))
    if len(both) != len(theirs) or not all(map(is_, both, theirs)):
        changed[token] = both


NOTHING: Final[Consumed[Any]] = Consumed()


def _enter(index: _Index, position: int, part: Part) -> None:
    array, how, which = part
    here = (position, part)
    index.of.setdefault(array, []).append(here)
    own = extent(part)
    if own is not part:
        index.starred.setdefault(own[0], []).append(here)
    places = _items(how, which)
    if places is None:
        index.ranged.setdefault(array, []).append(here)
    elif how == "[:]":
        for place in places:
            index.short.setdefault((array, place), []).append(here)
    above: Hashable = part
    while is_part(above):
        above = above[0]
        index.below.setdefault(above, []).append(part)


def _items(how: str, which: Hashable) -> Iterable[int] | None:
    """The items that a part consists of, where they are few and counted from the first one of the array."""
    if how == "[]" and type(which) is int and which >= 0:
        return (which,)
    if how == "[:]" and isinstance(which, range) and 0 < len(which) <= _SHORT and min(which) >= 0:
        return which
    return None


__all__ = ["NOTHING", "Consumed", "Kept"]


def overlapping(token: Hashable, kept: Consumed[U]) -> Iterator[Kept[U]]:
    """What is kept for parts of this, or for what this is a part of."""
    part = token
    while is_part(part):
        array = part[0]
        if array in kept:
            yield kept.uses(array)
        whole = extent(part)
        for other in kept.near(part):
            if other[0] == array:
                if _share(part, other):
                    yield kept.uses(other)
            elif whole is not part or other[1] == "[*]":
                own = extent(other)
                if own[0] == whole[0] and (own is not other or whole is not part) and _share(whole, own):
                    yield kept.uses(other)
        part = array
    for each in kept.below(token):
        above = each[0]
        while above != token and is_part(above):
            above = above[0]
        if above == token:
            yield kept.uses(each)


def merged(a: Consumed[U], b: Consumed[U]) -> Consumed[U]:
    """What was consumed, by token, on one of two paths: each place once."""
    return a.joined(b)


def sharing(token: Hashable, kept: Consumed[U]) -> Iterator[U]:
    """What is kept for a key, and for keys that it has parts in common with."""
    yield from kept.uses(token)
    for each in overlapping(token, kept):
        yield from each
