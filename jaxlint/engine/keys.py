"""Random keys: where they come from, what derives from them, and when one is consumed twice.

The keys consumed so far are part of the flow's state, under `$spent`: exclusive branches don't add up,
and a loop's second iteration meets what its first one consumed. A part of an array of keys has the token
`(array, how, which)`: an item `[]`, a slice `[:]`, or all of its items in turn `[*]`. The children of a
split have the token `(key, "split", shape)`: equal splits of one key give equal children, so a split alone
repeats nothing. That a key was split is kept under `(key, "split!", None)`.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from jaxlint.engine.calls import root_of
from jaxlint.engine.constants import Constants
from jaxlint.engine.event import KeyUse, Place
from jaxlint.engine.key_tokens import SPLIT, WAS_SPLIT, cut_of, is_held, overlapping, parents, renamed
from jaxlint.engine.liveness import wasted
from jaxlint.engine.lower import Code, Expr
from jaxlint.engine.once import Held, may_be_once, mentions, names_in
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

_JOINT = {"permutation": "x", "shuffle": "x", "choice": "a"}  # samplers, and the name of their operand
_FEW = 8  # iterations that are followed one by one
_DEEPEST = 3  # splits of splits that are told apart


class Spend(NamedTuple):
    """Where a key was consumed, and what was around it there.

    joint: by what is meant to be drawn alike for all leaves of a tree, as an order of rows is. splits: by a
    split. inner: where the functions called there consume it, the outermost first. first: for a split, where
    the key was split before. again: at another iteration of a loop. absent: the tokens of what is None there.
    rounds: the loops around it and which iteration of each. drawn: of a joint draw the sampler with all
    that it is given besides the key and an operand, and that operand or the call that hands it on. call: the
    number of the call of a function that consumes it.
    """

    module: Module
    nid: int
    token: Any
    conditions: tuple[tuple[Any, bool], ...]
    tests: tuple[Held, ...]
    laps: tuple[tuple[int, int], ...]
    joint: bool = False
    splits: bool = False
    inner: tuple[Place, ...] = ()
    first: Place | None = None
    again: bool = False
    absent: frozenset[Hashable] = frozenset()
    rounds: tuple[tuple[Place, str, int], ...] = ()
    drawn: tuple[Hashable, Any] | None = None
    call: int = 0

    @property
    def place(self) -> Place:
        return self.module, self.nid


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
        self.origin_of: dict[Any, Place] = {}  # where keys are made, by token
        self.wasted: dict[Code, Mapping[int, str]] = {}

    def spent(self) -> dict[Any, tuple[Spend, ...]]:
        value = self.env.vars.get("$spent")
        return value.parts[0] if isinstance(value, Product) else {}

    def token_of(self, value: Value | None) -> Any:
        """The identity of a key, where it has one."""
        if isinstance(value, (Key, Unknown, Tree)):
            return value.token
        return None

    def spend(self, value: Value | None, nid: int, name: str) -> None:
        """A key is consumed by `name`."""
        token = self.token_of(value)
        if token is not None:
            self.spend_token(token, nid, name)

    leafwise = False  # a function is called again, for another leaf of a tree

    def spend_token(
        self, token: Any, nid: int, name: str, tested: bool = False, once: bool = False,
        within: Spend | None = None, absent: frozenset[Hashable] = frozenset(),
    ) -> None:  # fmt: skip
        """`tested`: only under tests in the function that is called; `once`: at one iteration of a loop
        there; `within`: what that function does with the key; `absent`: what is None where it does so."""
        if self._is_wasted(nid, within is None):
            return
        self.tell_constant(token, name)
        if self._is_counted(token) and (tested or any(held.depth for held in self.tests)):
            return
        place = self._settled(token)
        here = self._spend_here(token, nid, name, within, absent)
        if here.splits:
            here = self._note_split(place, here, name, once)
            place = (place, WAS_SPLIT, None)
        else:
            self._note_draw(place, here, name, once)
        spent = self.spent()
        before = spent.get(place, ())
        kept = tuple(here if each.place == here.place else each for each in before)
        kept = kept if here in kept else (*before, here)
        self.env.vars["$spent"] = Product("spent", {**spent, place: kept})
        walk = self.walks.get(token)
        if walk is not None and not here.splits and not tested:
            every = (walk.array, "[*]", walk.id)
            if every not in self.spent() and not any(held.depth > walk.depth for held in self.tests):
                self.spend_token(every, nid, name)

    def _spend_here(
        self, token: Any, nid: int, name: str, within: Spend | None, absent: frozenset[Hashable]
    ) -> Spend:
        none = {each[1] for each in self.env.vars if type(each) is tuple and each[0] == "none"}
        here = Spend(
            self.module, nid, token, tuple(self.conditions), tuple(self.tests), self.frame.laps,
            name in _JOINT, name == "split", absent=absent | none, rounds=tuple(self.rounds),
        )  # fmt: skip
        node = self.calling if self.calling[0] == "call" and self.calling[1] == nid else None
        if within is None:
            return here if node is None else here._replace(drawn=_drawn(name, node))
        here = here._replace(joint=within.joint, splits=within.splits, drawn=within.drawn, call=self.returns)
        if within.place == here.place:
            return here._replace(inner=within.inner)
        if within.drawn is not None and node is not None:
            here = here._replace(drawn=(within.drawn[0], node[3:5]))
        return here._replace(inner=(within.place, *within.inner))

    def _is_wasted(self, nid: int, is_sampler: bool) -> bool:
        """Whether nothing reads what is drawn there. A function of the program may do more than draw: its
        result has to be assigned for that."""
        code = self.module.program.body if self.frame.func is None else self.frame.func.code
        found = self.wasted.get(code)
        if found is None:
            found = self.wasted[code] = wasted(code, self.module.program)
        how = found.get(nid)
        return how == "unread" or (how == "discarded" and is_sampler)

    def _note_draw(self, place: Any, here: Spend, name: str, once: bool) -> None:
        spent = self.spent()
        candidates = [*spent.get(place, ())]
        for each in overlapping(place, spent):
            candidates += each
        before = self._earlier(candidates, here, once)
        if before is None:
            split = self._earlier(spent.get((place, WAS_SPLIT, None), ()), here, True)
            if split is not None:
                self._tell_use(place, here, name, split, "split")
            return
        for parent in parents(place):
            for cause in spent.get((parent, WAS_SPLIT, None), ()):
                if cause.first is not None:
                    first = next(each for each in spent[parent, WAS_SPLIT, None] if each.place == cause.first)
                    self._tell_use(parent, cause, name, first, "draw", (before, here))
                    return
        self._tell_use(place, here, name, before, "draw")

    def _note_split(self, place: Any, here: Spend, name: str, once: bool) -> Spend:
        spent = self.spent()
        before = self._earlier(spent.get((place, WAS_SPLIT, None), ()), here, once)
        if before is not None:
            self._tell_use(place, here, name, before, "split")
            return here._replace(first=before.place, again=before.place == here.place)
        candidates = [*spent.get(place, ())]
        for each in overlapping(place, spent):
            candidates += each
        drawn = self._earlier(candidates, here, True)
        if drawn is not None:
            self._tell_use(place, here, name, drawn, "split")
        return here

    def _earlier(self, candidates: Iterable[Spend], here: Spend, once: bool) -> Spend | None:
        """The first time that the key was consumed before, where that is certain and not meant."""
        for before in candidates:
            if self._excluded(before.conditions):
                continue
            if before.place == here.place:
                if before.call == here.call != 0:
                    continue
                meant = self.leafwise and (here.joint or is_held(here.token))
                if once or meant or self._repeats_not(before, here) or self._varies(here):
                    continue
            elif _are_paired(before, here):
                continue
            return before
        return None

    def _tell_use(
        self, token: Any, at: Spend, name: str, before: Spend, kind: str, children: tuple[Spend, ...] = ()
    ) -> None:
        in_loop = before.place == at.place
        loop = None
        for (place, what, number), (_, _, other) in zip(at.rounds, before.rounds, strict=False):
            if number != other:
                loop = (place, what)
                break
        use = KeyUse(
            at.nid, self.frame, token, name, before.place, in_loop, kind, at.inner, before.inner,
            self.origin_of.get(token), loop, tuple(each.place for each in children),
        )  # fmt: skip
        self.emit("KeyUse", use)

    def forget_spent(self, bases: Container[Any]) -> None:
        """These objects are made again, and so are the keys that they hold."""
        kept = {place: each for place, each in self.spent().items() if root_of(place) not in bases}
        self.env.vars["$spent"] = Product("spent", kept)

    def representative(self, found: Sequence[Spend]) -> Spend:
        """Of all places where a function consumes a key the first that is sure."""
        return min(found, key=lambda each: (bool(each.absent), bool(each.tests)))

    def follower_of(self, token: Hashable) -> Hashable:
        new = super().follower_of(token)
        if token in self.origin_of:
            self.origin_of[new] = self.origin_of[token]
        return new

    def _repeats_not(self, before: Spend, here: Spend) -> bool:
        """Whether the iterations of a loop that one and the same place is met in may consume there once."""
        depth = 0
        while depth < len(here.laps) and before.laps[depth : depth + 1] == here.laps[depth : depth + 1]:
            depth += 1
        return may_be_once(here.tests, self.frame.turns[depth:], depth)

    def _varies(self, here: Spend) -> bool:
        """Whether a loop applies one order, or one choice, to one array after another."""
        if here.drawn is None:
            return False
        targets = [loop.target for loop in self.frame.turns if loop.target is not None]
        return mentions(here.drawn[1], {name for target in targets for name in names_in(target)})

    def _excluded(self, earlier: tuple[tuple[Any, bool], ...]) -> bool:
        """Whether a condition of the earlier place is the opposite of one that holds here."""
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
        """An array of keys is consumed where a mapped function consumes the key of a lane."""
        for lane, whole in lanes:
            for token, found in tuple(self.spent().items()):
                if root_of(token) == lane and lane is not None:
                    outer = renamed(found[0].token, lane, whole)
                    self.spend_token(outer, nid, name, within=found[0])

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
        self.origin_of[key.token] = self.module, nid
        if args and isinstance(args[0], Const):
            self.note_constant(key.token, nid)
        return key

    def random_split(self, key: Value | None, num: Value | None, nid: int) -> Value:
        self.spend(key, nid, "split")
        sizes: tuple[Any, ...] | None = (2,) if num is None else constants(num)
        count = sizes[0] if sizes and isinstance(sizes[0], int) else None
        token = self.token_of(key)
        if token is None or len(parents(token)) >= _DEEPEST:
            token = self.fresh()
        else:
            # the first keys of a split are the same for any number of them
            token = (token, SPLIT, sizes if sizes is not None and len(sizes) > 1 else None)
        self.origin_of[token] = self.module, nid
        return Key(token, self._level(key), many=True, count=count)

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
        array, places = cut_of(owner)
        if index < 0 and owner.count is not None:
            index += owner.count
        if index >= 0:
            return Key((array, "[]", places.start + index * places.step), owner.level)
        return Key((owner.token, "[]", index), owner.level)

    def key_slice(self, owner: Key, start: int | None, stop: int | None, step: int | None) -> Key:
        array, places = cut_of(owner)
        if owner.count is None and ((start or 0) < 0 or (stop or 0) < 0 or (step or 1) < 0):
            return Key((owner.token, "[:]", (start, stop, step)), owner.level, many=True)
        if step == 0:
            return Key(self.fresh(), owner.level, many=True)
        cut = places[start:stop:step]
        count = None if owner.count is None else len(cut)
        return Key((array, "[:]", cut), owner.level, many=True, count=count)


def _drawn(name: str, call: Expr) -> tuple[Hashable, Any] | None:
    """Of a joint draw what it is given besides its key and operand, as text, and the operand."""
    operand = _JOINT.get(name)
    if operand is None:
        return None
    args, keywords = call[3], dict(call[4])
    given = args[1] if len(args) > 1 else keywords.pop(operand, None)
    keywords.pop("key", None)
    named = tuple(sorted(keywords.items(), key=lambda item: str(item[0])))
    return (name, _text(args[2:]), _text(named)), given


def _are_paired(a: Spend, b: Spend) -> bool:
    """Whether two draws put different arrays into the same order."""
    if a.drawn is None or b.drawn is None or a.drawn[0] != b.drawn[0]:
        return False
    return bool(_text(a.drawn[1]) != _text(b.drawn[1]))


def _text(node: Any) -> Any:
    """An expression without the numbers of its nodes."""
    if not isinstance(node, tuple) or not node or (node[0] == "const" and len(node) == 2):
        return node
    if node[0] == "call" and len(node) == 6:
        node = node[:5]
    named = isinstance(node[0], str)
    return tuple(_text(part) for i, part in enumerate(node) if not (i == 1 and named and type(part) is int))
