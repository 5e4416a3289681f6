"""One record, or dict, for the many of a kind that an attribute is set to in turn.

In: what an attribute holds. Out: the same, where one object stands for more than a few that JAX flattens
alike: each call of a function that gets its own results (`self.state = step(self.state)`) makes another one.
It refuses to know what holds keys, which have to be told apart, and modules that are changed where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

from jaxlint.domain.join import MutableContainer, Tuple, any_of, options_of
from jaxlint.domain.objects import Class, Instance, Key
from jaxlint.domain.values import Candidates, OneOf, Value
from jaxlint.domain.widening import blend
from jaxlint.ir.limits import OBJECTS, REACHED

_APART = 4  # objects of one kind that are told apart, as those that the text makes
_DEPTH = 4  # objects in objects that are looked into


class Summaries:
    """Makes the objects that stand for others, one for each place and kind."""

    def __init__(self) -> None:
        self._made: dict[tuple[Hashable, Hashable], Instance | MutableContainer] = {}
        self._places: set[Hashable] = set()
        self.any_of: Callable[[Class], Value] | None = None  # who knows the object that stands for a class

    def settled(self, place: Hashable, value: Value) -> tuple[Value, bool]:
        """What stands for what a place holds now, and whether more may be in it than before."""
        is_many = isinstance(value, Candidates) and not value.is_open
        if not is_many and type(value) is not OneOf and place not in self._places:
            return value, False
        alike: dict[Hashable, list[Value]] = {}
        for each in value.options if isinstance(value, Candidates) and is_many else options_of(value):
            alike.setdefault(_shape_of(each), []).append(each)
        kept: list[Value] = []
        grew = False
        for shape, found in alike.items():
            summary = None if shape is None else self._made.get((place, shape))
            if shape is None or (summary is None and len(found) <= _APART):
                kept += found
                continue
            if summary is None:
                summary = self._made[place, shape] = _like(found[0])
                self._places.add(place)
            for each in found:
                grew |= each is not summary and self._add(place, summary, each)
            kept.append(summary)
        return (kept[0] if len(kept) == 1 else any_of(kept)), grew

    def grown(self, value: Value, rounds: int) -> Value:
        """What stands for what a place holds that has held more in each of so many rounds, as an object that
        makes the next one: any of its class, where the class is no pytree."""
        if rounds < OBJECTS.most or self.any_of is None:
            return value
        options = options_of(value)
        classes = {each.cls if isinstance(each, Instance) else None for each in options}
        cls = classes.pop() if len(classes) == 1 else None
        if cls is None or len(options) == 1 or cls.has_mark("pytree"):
            return value
        REACHED["objects"] += 1
        return self.any_of(cls)

    def _add(self, place: Hashable, summary: Instance | MutableContainer, other: Value) -> bool:
        """Has an object stand for one more. Gives back whether that says more of it."""
        held = _parts(summary)
        grew = False
        for name, value in _parts(other).items():
            before = held.get(name)
            both = value if before is None else blend(before, value)
            held[name], more = self.settled((place, name), both)
            grew |= more or held[name] != before
        return grew


def _parts(value: Value) -> dict[str, Value]:
    if isinstance(value, Instance):
        return value.attributes
    return value.entries if isinstance(value, MutableContainer) else {}


def _like(first: Value) -> Instance | MutableContainer:
    """An object of a kind, which is several."""
    if isinstance(first, Instance):
        made = Instance(first.cls, first.depth)
        made.many = True
        return made
    assert isinstance(first, MutableContainer)
    return MutableContainer(first.kind, first.depth, first.block)


def _shape_of(value: Value) -> Hashable:
    """What objects have in common that JAX flattens alike; None where that is not known."""
    shape: Hashable = None
    if isinstance(value, Instance):
        is_record = value.cls.has_mark("pytree") and not any(map(value.cls.has_mark, ("static", "nnx")))
        shape = (value.cls, value.depth) if is_record and not value.generic else None
    elif isinstance(value, MutableContainer) and value.kind == "dict" and value.elem is None:
        shape = (frozenset(value.entries), value.depth)
    return None if shape is None or _has_key(value, _DEPTH) else shape


def _has_key(value: Value, depth: int) -> bool:
    """Whether a value is a key, or may hold one."""
    return depth == 0 or any(
        isinstance(each, Key) or any(_has_key(held, depth - 1) for held in _held(each))
        for each in options_of(value)
    )


def _held(value: Value) -> Iterator[Value]:
    yield from _parts(value).values()
    if isinstance(value, (Tuple, MutableContainer)):
        yield from value.items or ()
        if isinstance(value, MutableContainer) and value.elem is not None:
            yield value.elem
        elif isinstance(value, Tuple) and value.items is None:
            yield value.elem
