"""Names for results: which sort of object a library call gave back, and which kind of dtype.

In: the object a call returned. Out: the words used in the tables of `jaxlint/tables`.
It does not know which function was called.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


def result_of(value: Any, arguments: Mapping[str, Any]) -> str:
    """The word for a returned object; see the docstring of the functions table."""
    if isinstance(value, dict) and value:
        structures = [jax.tree.structure(each) for each in arguments.values() if isinstance(each, dict)]
        return "tree" if jax.tree.structure(value) in structures else "?"
    if isinstance(value, jax.Array):
        return "array"
    if value is None:
        return "none"
    if isinstance(value, np.dtype) or isinstance(value, type):
        return "dtype"
    if isinstance(value, (tuple, list)):
        return sequence_word(value, arguments)
    if isinstance(value, (bool, int, float, complex, str, bytes, np.ndarray, np.generic, set, frozenset)):
        return "static"
    if isinstance(value, jax.Ref):
        return "?"
    if isinstance(value, contextlib.ContextDecorator):
        return "static"
    if callable(value):
        return "function"
    if holds_array(value):
        return "?"
    return "static"


def sequence_word(value: Any, arguments: Mapping[str, Any]) -> str:
    """The word for a tuple or list, by what it holds."""
    if not holds_array(value):
        return "static"
    words = [result_of(each, arguments) for each in value]
    if any(word != "array" for word in words):
        return "?" if isinstance(value, list) or hasattr(value, "_fields") else f"tuple({','.join(words)})"
    if isinstance(value, list):
        return "list"
    return "namedtuple:" + ",".join(value._fields) if hasattr(value, "_fields") else f"tuple:{len(value)}"


def holds_array(value: Any) -> bool:
    return any(isinstance(leaf, jax.Array) for leaf in jax.tree.leaves(value))


def kind_of(dtype: Any) -> str:
    """bool, int, float, complex or key."""
    if jnp.issubdtype(dtype, jax.dtypes.prng_key):
        return "key"
    for word, group in (
        ("bool", np.bool_),
        ("int", np.integer),
        ("float", np.floating),
        ("complex", np.complexfloating),
    ):
        if jnp.issubdtype(dtype, group):
            return word
    return "?"


ORDER = ("bool", "int", "float", "complex")


def dtype_word(seen: list[tuple[list[str], set[str]]]) -> str:
    """The one word that fits every call seen: the kinds of its array arguments, and of its results."""
    if not seen or any(len(results) != 1 for _, results in seen):
        return "?"
    facts = [(given, results.pop()) for given, results in ((given, set(results)) for given, results in seen)]
    if len({result for _, result in facts}) == 1:
        return facts[0][1]
    if any(not given or not set(given) <= set(ORDER) for given, _ in facts):
        return "?"
    words: dict[str, Callable[[list[str]], str]] = {
        "same": lambda given: given[0],
        "promote": widest,
        "number": lambda given: max(widest(given), "int", key=ORDER.index),
        "real": lambda given: "float" if widest(given) == "complex" else widest(given),
        "inexact": lambda given: max(widest(given), "float", key=ORDER.index),
    }
    for word, rule in words.items():
        if all(rule(given) == result for given, result in facts):
            return word
    return "?"


def widest(kinds: list[str]) -> str:
    return max(kinds, key=ORDER.index)


def arrays_in(value: Any) -> list[Any]:
    """Every array in a value, host arrays included."""
    return [leaf for leaf in jax.tree.leaves(value) if isinstance(leaf, (jax.Array, np.ndarray, np.generic))]
