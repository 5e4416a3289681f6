"""Random keys: where they come from, what derives from them, and when one is spent twice.

The keys spent so far are part of the flow's state, under `$spent`: exclusive branches don't add up,
and a loop's second turn meets what its first one spent. A part of an array of keys has the token
`(array, how, which)`: an item `[]`, a slice `[:]`, or all of its items in turn `[*]`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from jaxlint.engine.calls import root_of
from jaxlint.engine.constants import Constants
from jaxlint.engine.event import KeyUse
from jaxlint.engine.once import Held, may_be_once
from jaxlint.engine.program import Module
from jaxlint.engine.values import (
    INT,
    UNKNOWN,
    Array,
    Const,
    Host,
    Key,
    Number,
    Product,
    Static,
    Tree,
    Tuple,
    Unknown,
    Value,
    constants,
    map_tokens,
)

_PARTS = frozenset(("[]", "[:]", "[*]"))
_JOINT = frozenset(("permutation", "shuffle", "choice"))
_FEW = 8  # turns that are followed one by one
_ENDLESS = 1 << 40


class Spend(NamedTuple):
    """Where a key was spent, and what was around it there. joint: by what is meant to be drawn alike for all
    leaves of a tree, as an order of rows is."""

    module: Module
    nid: int
    token: Any
    conditions: tuple[tuple[Any, bool], ...]
    tests: tuple[Held, ...]
    laps: tuple[tuple[int, int], ...]
    joint: bool


class Walk(NamedTuple):
    """What a loop over an array of keys takes in turn. depth: how many loops are around that loop."""

    array: Any
    id: Any
    depth: int


class Keys(Constants):
    """The second domain that flows over the same engine."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.walks: dict[Any, Walk] = {}  # by the token of an item
        self.numbers: dict[Any, int] = {}  # what numbers are, by their tokens
        self.counted: set[Any] = set()  # the tokens of those that loops count

    def spent(self) -> dict[Any, Spend]:
        value = self.env.vars.get("$spent")
        return value.parts[0] if isinstance(value, Product) else {}

    def token_of(self, value: Value | None) -> Any:
        """The identity of a key, where it has one."""
        if isinstance(value, (Key, Unknown, Tree)):
            return value.token
        return None

    def spend(self, value: Value | None, nid: int, name: str) -> None:
        """A key is used up by `name`."""
        token = self.token_of(value)
        if token is not None:
            self.spend_token(token, nid, name, joint=name in _JOINT)

    leafwise = False  # a function is called again, for another leaf of a tree

    def spend_token(
        self, token: Any, nid: int, name: str, tested: bool = False, once: bool = False, joint: bool = False
    ) -> None:
        """`tested`: only under tests in the function that is called; `once`: at one turn of a loop there."""
        self.tell_constant(token, name)
        if self._is_counted(token) and (tested or any(held.depth for held in self.tests)):
            return
        spent, place = self.spent(), self._settled(token)
        here = Spend(
            self.module, nid, token, tuple(self.conditions), tuple(self.tests), self.frame.laps, joint
        )
        before = spent.get(place)
        if before is None:
            before = _overlapping(place, spent)
        if before is not None and "KeyUse" in self.hooks and not self._excluded(before.conditions):
            same = before[:2] == here[:2]
            meant = self.leafwise and (joint or _is_held(place))
            if not (same and (once or meant or self._repeats_not(before, here))):
                self.emit("KeyUse", KeyUse(nid, self.frame, place, name, before[:2], same))
        self.env.vars["$spent"] = Product("spent", {**spent, place: here})
        walk = self.walks.get(token)
        if walk is not None and not tested and not any(held.depth > walk.depth for held in self.tests):
            every = (walk.array, "[*]", walk.id)
            if every not in self.spent():
                self.spend_token(every, nid, name)

    def forget_spent(self, bases: Container[Any]) -> None:
        """These objects are made anew, and so are the keys that they hold."""
        kept = {place: each for place, each in self.spent().items() if root_of(place) not in bases}
        self.env.vars["$spent"] = Product("spent", kept)

    def _repeats_not(self, before: Spend, here: Spend) -> bool:
        """Whether the turns of a loop that one and the same place is met in may spend there once."""
        depth = 0
        while depth < len(here.laps) and before.laps[depth : depth + 1] == here.laps[depth : depth + 1]:
            depth += 1
        return may_be_once(here.tests, self.frame.turns[depth:], depth)

    def _excluded(self, earlier: tuple[tuple[Any, bool], ...]) -> bool:
        """Whether a condition of the earlier spend is the opposite of one that holds here."""
        return any((test, not truth) in self.conditions for test, truth in earlier)

    # ---- numbers that are folded in

    def number(self, value: int, counted: bool = False) -> Any:
        """The token of a number that is known."""
        token = self.fresh()
        self.numbers[token] = value
        if counted:
            self.counted.add(token)
        return token

    def counter(self, start: Value) -> Value:
        """What a loop counts from `start`: each turn makes its own number of it."""
        known = isinstance(start, Const) and isinstance(start.value, int)
        return Number(("count", start.value)) if known else INT  # type: ignore[attr-defined]

    def _settled(self, token: Any) -> Any:
        """The same key by the numbers that are folded into it, wherever these are from."""
        if isinstance(token, tuple) and len(token) == 3:
            which = self.numbers.get(token[2], token[2]) if token[1] == "fold" else token[2]
            return (self._settled(token[0]), token[1], which)
        return token

    def _is_counted(self, token: Any) -> bool:
        while isinstance(token, tuple) and len(token) == 3:
            if token[1] == "fold" and token[2] in self.counted:
                return True
            token = token[0]
        return False

    @contextmanager
    def unspent(self) -> Iterator[None]:
        """What is only looked at, by `eval_shape` and the like, spends no keys."""
        before = self.env.vars.get("$spent")
        self.unspending += 1
        yield
        self.unspending -= 1
        self.restore_spent(before)

    def spend_mapped(self, lanes: Sequence[tuple[Any, Any]], nid: int, name: str) -> None:
        """An array of keys is spent where a mapped function spends the key of a lane."""
        spent = self.spent()
        for lane, whole in lanes:
            if lane in spent:
                self.spend_token(whole, nid, name)

    # ---- arrays of keys

    def turns(self, iterable: Value, nid: int) -> tuple[list[Value], bool]:
        """Of an array of keys each turn takes an item of its own, and of a count a number."""
        if isinstance(iterable, Product) and iterable.kind == "range" and None not in iterable.parts[1:]:
            _, start, step = iterable.parts
            return [Number(self.number(start + turn * step, counted=True)) for turn in range(2)], False
        each = None
        if isinstance(iterable, Product) and iterable.kind == "iterator":
            if iterable.parts[1] is not None and len(iterable.parts[1]) <= _FEW:
                return list(iterable.parts[1]), True
            each = iterable.parts[0]
        if isinstance(iterable, Key):
            items = self.items_of_keys(iterable, iterable.count)
            if items is not None:
                return list(items), True
            each = self.iterate(iterable, nid)
            self.walk(iterable, each)
        if each is None or not self._is_walked(each):
            return super().turns(iterable, nid)
        return [map_tokens(each, partial(self._step, turn)) for turn in range(2)], False

    def items_of_keys(self, keys: Key, count: int | None) -> tuple[Value, ...] | None:
        raise NotImplementedError

    def walk(self, array: Key, item: Value) -> None:
        """An item stands for each item of an array in turn."""
        if isinstance(item, Key):
            self.walks[item.token] = Walk(array.token, None, 0)

    def _is_walked(self, value: Value) -> bool:
        items = value.items or () if isinstance(value, Tuple) else (value,)
        return any(
            (isinstance(item, Key) and item.token in self.walks)
            or (isinstance(item, Number) and item.token[0] == "count")  # type: ignore[index]
            for item in items
        )

    def _step(self, turn: int, token: Any) -> Any:
        if isinstance(token, tuple) and token[0] == "count":
            return self.number(token[1] + turn, counted=True)
        new, walk = self.fresh(), self.walks.get(token)
        if walk is not None:
            self.walks[new] = Walk(walk.array, token, len(self.frame.laps))
        return new if token is not None else None

    # ---- jax.random

    def key_level(self) -> int:
        return 1 if self.context.staged else 0

    def random_source(self, args: list[Value], nid: int) -> Value:
        key = Key(self.fresh(), self.arrays_level(args))
        if args and isinstance(args[0], Const):
            self.note_constant(key.token, nid)
        return key

    def random_split(self, key: Value | None, num: Value | None, nid: int) -> Value:
        self.spend(key, nid, "split")
        sizes: tuple[Any, ...] | None = (2,) if num is None else constants(num)
        count = sizes[0] if sizes and isinstance(sizes[0], int) else None
        return Key(self.fresh(), self._level(key), many=True, count=count)

    def _level(self, key: Value | None) -> int:
        level = self.key_level()
        if isinstance(key, (Key, Tree, Array)):
            level |= key.level
        return level

    def random_fold(self, key: Value | None, data: Value | None) -> Value:
        """`fold_in` spends nothing. Of one key one number derives one key; else what is derived is new."""
        token = self.token_of(key)
        which: Any = data.value if isinstance(data, Const) and isinstance(data.value, int) else None
        if isinstance(data, (Number, Unknown, Tree)) and root_of(data.token) == data.token:
            which = data.token
        if token is None or which is None:
            return Key(self.fresh(), self._level(key))
        return Key((token, "fold", which), self._level(key), isinstance(key, Key) and key.many)

    def key_subscript(self, owner: Key, index: Value) -> Value:
        if isinstance(index, Const) and isinstance(index.value, int):
            return self.key_item(owner, index.value)
        if isinstance(index, Product) and index.kind == "slice":
            bounds = [part.value if isinstance(part, Const) else part for part in index.parts[:3]]
            if all(bound is None or isinstance(bound, int) for bound in bounds):
                return self.key_slice(owner, *bounds)
            return Key(self.fresh(), owner.level, many=True)
        if isinstance(index, (Array, Static, Unknown, Host, Tree)):
            return Key(self.fresh(), owner.level)
        return UNKNOWN

    def key_item(self, owner: Key, index: int) -> Key:
        """An item of a slice is one of the array that was cut."""
        array, places = _places(owner)
        if index < 0 and owner.count is not None:
            index += owner.count
        if index >= 0:
            return Key((array, "[]", places.start + index * places.step), owner.level)
        return Key((owner.token, "[]", index), owner.level)

    def key_slice(self, owner: Key, start: int | None, stop: int | None, step: int | None) -> Key:
        array, places = _places(owner)
        if owner.count is None and ((start or 0) < 0 or (stop or 0) < 0 or (step or 1) < 0):
            return Key((owner.token, "[:]", (start, stop, step)), owner.level, many=True)
        if step == 0:
            return Key(self.fresh(), owner.level, many=True)
        cut = places[start:stop:step]
        count = None if owner.count is None else len(cut)
        return Key((array, "[:]", cut), owner.level, many=True, count=count)


def _is_held(token: Any) -> bool:
    """Whether an object holds the key: which of several such objects that is need not be known."""
    while isinstance(token, tuple) and len(token) == 3:
        if token[1] == ".":
            return True
        token = token[0]
    return False


def _is_part(token: Any) -> bool:
    return isinstance(token, tuple) and len(token) == 3 and token[1] in _PARTS


def _places(key: Key) -> tuple[Any, range]:
    """The array that a key array was cut from, and which of its items it is."""
    token: Any = key.token
    if _is_part(token) and token[1] == "[:]" and isinstance(token[2], range):
        return token[0], token[2]
    return token, range(_ENDLESS if key.count is None else key.count)


def _overlapping(token: Any, spent: dict[Any, Spend]) -> Spend | None:
    """Where a part of this was spent, or something that this is a part of."""
    part = token
    while _is_part(part):
        array = part[0]
        if array in spent:
            return spent[array]
        whole = _extent(part)
        for other, where in spent.items():
            if not _is_part(other):
                continue
            if other[0] == array:
                if _share(part, other):
                    return where
            elif (own := _extent(other))[0] == whole[0] and (own is not other or whole is not part):
                if _share(whole, own):
                    return where
        part = array
    for other, where in spent.items():
        while _is_part(other):
            other = other[0]
            if other == token:
                return where
    return None


def _extent(part: Any) -> Any:
    """The items of a slice in turn are the slice."""
    array = part[0]
    if part[1] == "[*]" and _is_part(array) and array[1] == "[:]" and isinstance(array[2], range):
        return array
    return part


def _share(a: Any, b: Any) -> bool:
    """Whether two parts of one array have an item in common for certain."""
    if a[1] == "[*]" or b[1] == "[*]":
        return bool(a[1:] != b[1:])
    places = [each[2] if each[1] == "[:]" else range(each[2], each[2] + 1) for each in (a, b)]
    if not all(isinstance(each, range) and each and each[0] >= 0 for each in places):
        return False
    first, second = sorted(places, key=len)
    return any(place in second for place in first[:64])
