"""Random keys: where they come from, what derives from them, and when one is spent twice.

The keys spent so far are part of the flow's state, under `$spent`: exclusive branches don't add up,
and a loop's second turn meets what its first one spent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from jaxlint.engine.constants import Constants
from jaxlint.engine.event import KeyUse
from jaxlint.engine.values import (
    UNKNOWN,
    Array,
    Const,
    Host,
    Key,
    Product,
    Static,
    Tree,
    Unknown,
    Value,
)


class Keys(Constants):
    """The second domain that flows over the same engine."""

    def spent(self) -> dict[Any, tuple[Any, int, Any]]:
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
            self.spend_token(token, nid, name)

    def spend_token(self, token: Any, nid: int, name: str) -> None:
        self.tell_constant(token, name)
        spent = self.spent()
        before = spent.get(token)
        if before is None:
            before = self._whole(token, spent)
        if before is not None and "KeyUse" in self.hooks and not self._excluded(before[2]):
            same = before[:2] == (self.module, nid)
            self.emit("KeyUse", KeyUse(nid, self.frame, token, name, before[:2], same))
        entry = (self.module, nid, tuple(self.conditions))
        self.env.vars["$spent"] = Product("spent", {**spent, token: entry})

    def _excluded(self, earlier: tuple[tuple[Any, bool], ...]) -> bool:
        """Whether a condition of the earlier spend is the opposite of one that holds here."""
        return any((test, not truth) in self.conditions for test, truth in earlier)

    @contextmanager
    def unspent(self) -> Iterator[None]:
        """What is only looked at, by `eval_shape` and the like, spends no keys."""
        before = self.env.vars.get("$spent")
        self.unspending += 1
        yield
        self.unspending -= 1
        if before is None:
            self.env.vars.pop("$spent", None)
        else:
            self.env.vars["$spent"] = before

    def spend_mapped(self, lanes: Sequence[tuple[Any, Any]], nid: int, name: str) -> None:
        """An array of keys is spent where a mapped function spends the key of a lane."""
        spent = self.spent()
        for lane, whole in lanes:
            if lane in spent:
                self.spend_token(whole, nid, name)

    @staticmethod
    def _whole(token: Any, spent: dict[Any, Any]) -> Any:
        """Where an array of keys was spent as a whole, for one of its items."""
        while isinstance(token, tuple) and len(token) == 3 and token[1] == "[]":
            token = token[0]
            if token in spent:
                return spent[token]
        return None

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
        return Key(self.fresh(), self._level(key), many=True)

    def _level(self, key: Value | None) -> int:
        level = self.key_level()
        if isinstance(key, (Key, Tree, Array)):
            level |= key.level
        return level

    def random_fold(self, key: Value | None, data: Value | None) -> Value:
        """`fold_in` spends nothing. Of one key a constant derives one key; else what is derived is new."""
        token = self.token_of(key)
        if token is None or not isinstance(data, Const) or not isinstance(data.value, int):
            return Key(self.fresh(), self._level(key))
        return Key((token, "fold", data.value), self._level(key), isinstance(key, Key) and key.many)

    def key_subscript(self, owner: Key, index: Value) -> Value:
        if isinstance(index, Const) and isinstance(index.value, int):
            return Key((owner.token, "[]", index.value), owner.level)
        if isinstance(index, Product) and index.kind == "slice":
            bounds = tuple(part.value if isinstance(part, Const) else None for part in index.parts[:3])
            exact = all(isinstance(part, Const) for part in index.parts[:3])
            return Key((owner.token, "[:]", bounds) if exact else self.fresh(), owner.level, many=True)
        if isinstance(index, (Array, Static, Unknown, Host, Tree)):
            return Key(self.fresh(), owner.level)
        return UNKNOWN
