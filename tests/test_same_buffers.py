"""The functions of JAX that give the buffer that they are given: each of those that take one array is run."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import pytest
from verify_cases import ready_jax

from jaxlint.tables.jax_functions import FUNCTIONS
from jaxlint.tables.same_buffers import OF_ARRAY, OF_TREE

# they make an array of a kind of their own, or are aliases of names that other versions of JAX have
_OTHERS = ("jax.experimental.", "jax.random.", "jax.freeze")


@pytest.fixture(scope="module", autouse=True)
def jax_is_ready() -> None:
    ready_jax()


def function(name: str) -> Any:
    holder, _, last = name.rpartition(".")
    try:
        return getattr(importlib.import_module(holder), last, None)
    except ImportError:
        return None


def is_deleted_with(func: Any, array: Any) -> bool:
    """Whether donating an array deletes what a function gives for it."""
    import jax

    try:
        given = func(array)
        if given.unsafe_buffer_pointer() != array.unsafe_buffer_pointer():
            return False
    except Exception:
        return False
    jax.jit(lambda x: x + 1, donate_argnums=0)(array)
    try:
        print(given + 1)
    except (RuntimeError, ValueError):
        return True
    return False


def test_functions_of_one_array() -> None:
    import jax.numpy as jnp

    shapes: list[tuple[int, ...]] = [(3,), (2, 3), (), (1, 2, 1)]
    kinds = ["float32", "int32", "float32", "int32"]  # some functions give an array of their own type again
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        named = {name: function(name) for name in FUNCTIONS if not name.startswith(_OTHERS)}
        found = {
            name
            for name, func in named.items()
            if callable(func)
            and all(is_deleted_with(func, jnp.zeros(*each)) for each in zip(shapes, kinds, strict=True))
        }
    assert found == {each for each in OF_ARRAY | OF_TREE if named.get(each) is not None}


@pytest.mark.parametrize("name", sorted(OF_TREE))
def test_functions_of_trees(name: str) -> None:
    import jax.numpy as jnp

    array = jnp.arange(3.0)
    assert function(name)({"a": [array]})["a"][0].unsafe_buffer_pointer() == array.unsafe_buffer_pointer()
