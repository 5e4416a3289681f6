"""Sources of keys."""

import dataclasses
from typing import NamedTuple

import jax


class KeyStream:
    def __init__(self, key):
        self._key = key

    def __call__(self):
        self._key, sub = jax.random.split(self._key)
        return sub


class State(NamedTuple):
    w: jax.Array
    key: jax.Array

    def advance(self):
        key, sub = jax.random.split(self.key)
        return self._replace(key=key), sub


@dataclasses.dataclass
class Rngs:
    params: jax.Array
    dropout: jax.Array

    @classmethod
    def make(cls, key):
        return cls(*jax.random.split(key))


def take(key, n):
    key, *subs = jax.random.split(key, n + 1)
    return key, subs
