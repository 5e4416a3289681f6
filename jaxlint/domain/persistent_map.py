"""A map that is never changed, and of which a changed copy costs the same however long it is.

In: keys with what is kept of them. Out: the map in the order in which the keys came. Maps that are made from
one another share their layers: what they have in common is neither copied nor looked at in a comparison.
"""

from __future__ import annotations

from collections.abc import Hashable, ItemsView, Iterator, Mapping
from typing import Any, ClassVar, Generic, Self, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
_RECENT = 32  # keys up to which a copy of all is faster than a layer


class Layer(Generic[K, V]):
    """Keys that are not changed any more."""

    __slots__ = ("kept",)

    def __init__(self, kept: dict[K, V]) -> None:
        self.kept = kept


class Layered(Mapping[K, V]):
    """The layers are at least twice as long as the next one each. A key of an older layer may come again in a
    newer one: there is what is kept of it now. None is never kept.
    """

    __slots__ = ("_layers", "_recent")
    layer: ClassVar[type[Layer[Any, Any]]] = Layer

    def __init__(self, layers: tuple[Layer[K, V], ...] = (), recent: dict[K, V] | None = None) -> None:
        self._layers = layers
        self._recent: dict[K, V] = {} if recent is None else recent

    @classmethod
    def of(cls, kept: Mapping[K, V]) -> Self:
        return cls().plus_all(kept)

    def find(self, key: K) -> V | None:
        found = self._recent.get(key)
        if found is None:
            for layer in reversed(self._layers):
                found = layer.kept.get(key)
                if found is not None:
                    break
        return found

    def __getitem__(self, key: K) -> V:
        found = self.find(key)
        if found is None:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        return key in self._recent or any(key in layer.kept for layer in self._layers)

    def __bool__(self) -> bool:
        return bool(self._recent or self._layers)

    def __iter__(self) -> Iterator[K]:
        return iter(self.all())

    def __len__(self) -> int:
        return len(self.all())

    def items(self) -> ItemsView[K, V]:
        return self.all().items()

    def all(self) -> dict[K, V]:
        """A dict of all that is kept, not to be changed."""
        if not self._layers:
            return self._recent
        found: dict[K, V] = {}
        for layer in self._layers:
            found.update(layer.kept)
        found.update(self._recent)
        return found

    def plus(self, key: K, kept: V) -> Self:
        """The same with this kept of a key."""
        return self.plus_all({key: kept})

    def plus_all(self, kept: Mapping[K, V]) -> Self:
        if not kept:
            return self
        recent = {**self._recent, **kept}
        if len(recent) < _RECENT:
            return type(self)(self._layers, recent)
        layers = list(self._layers)
        while layers and len(layers[-1].kept) < 2 * len(recent):
            recent = {**layers.pop().kept, **recent}
        return type(self)((*layers, self.layer(recent)))

    def since(self, other: Layered[K, V]) -> dict[K, V]:
        """What is kept here but in the layers that the other one has as well: all differences, maybe more."""
        shared = 0
        for mine, theirs in zip(self._layers, other._layers, strict=False):
            if mine is not theirs:
                break
            shared += 1
        return type(self)(self._layers[shared:], self._recent).all()


__all__ = ["Layer", "Layered"]
