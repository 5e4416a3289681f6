"""Functions of JAX that give the array that they are given itself, or another one with its buffer, which is
deleted with it. Of one array as the only argument.

tests/test_same_buffers.py runs all functions of JAX that take one.
"""

from __future__ import annotations

# of arrays alone
OF_ARRAY = frozenset(("jax.lax.stage", "jax.numpy.asarray"))
# of the leaves of a pytree as well
OF_TREE = frozenset(
    ("jax.block_until_ready", "jax.copy_to_host_async", "jax.device_put", "jax.lax.stop_gradient")
)
