"""The transforms that JAX502 takes to copy their arguments do so, in JAX as it is installed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import pytest

from jaxlint.analysis.copies.lost_changes import COPYING

Tree = dict[str, Any]


def _total(tree: Tree) -> Any:
    tree["new"] = tree["x"]
    return tree["x"].sum()


def _same(tree: Tree, *_: Any) -> Tree:
    tree["new"] = tree["x"]
    return {"x": tree["x"]}


def _sharded(tree: Tree) -> Any:
    mesh = jax.make_mesh((1,), ("i",))
    spec = jax.sharding.PartitionSpec()
    shard_map = getattr(jax, "shard_map", None) or jax.experimental.shard_map.shard_map
    return shard_map(_same, mesh=mesh, in_specs=spec, out_specs=spec)(tree)


CALLS: dict[str, Callable[[Tree], Any]] = {
    "jit": lambda tree: jax.jit(_total)(tree),
    "pmap": lambda tree: jax.pmap(_same)(tree),
    "vmap": lambda tree: jax.vmap(_total)(tree),
    "grad": lambda tree: jax.grad(_total)(tree),
    "value_and_grad": lambda tree: jax.value_and_grad(_total)(tree),
    "jacobian": lambda tree: jax.jacobian(_total)(tree),
    "checkpoint": lambda tree: jax.checkpoint(_total)(tree),
    "shard_map": _sharded,
    "scan": lambda tree: jax.lax.scan(lambda carry, _: (_same(carry), None), tree, None, 2),
    "fori_loop": lambda tree: jax.lax.fori_loop(0, 2, lambda _, carry: _same(carry), tree),
    "while_loop": lambda tree: jax.lax.while_loop(lambda carry: carry["x"].sum() < 0, _same, tree),
    "cond": lambda tree: jax.lax.cond(True, _same, _same, tree),
    "switch": lambda tree: jax.lax.switch(0, [_same, _same], tree),
    "map": lambda tree: jax.lax.map(_same, tree),
}


def test_each_transform_is_run() -> None:
    assert CALLS.keys() == COPYING


@pytest.mark.parametrize("name", CALLS)
def test_what_the_function_changes_is_a_copy(name: str) -> None:
    tree = {"x": jax.numpy.ones((1, 3))}
    CALLS[name](tree)
    assert tree.keys() == {"x"}
