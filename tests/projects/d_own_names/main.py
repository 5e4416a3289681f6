"""The project's own functions and modules have names that JAX has removed: nothing to report."""

import jax.numpy as jnp

import jax_tools as jax
from config import config
from experimental import maps
from experimental.maps import xmap
from jax_tools import pjit, product, tree_multimap
from util import safe_zip

config.update("jax_array", False)
half = pjit(lambda x: 0.5 * x, in_axis_resources=None)
pairs = safe_zip([1, 2], [3, 4])
print(jax.tree_map(lambda leaf: leaf + 1, pairs), tree_multimap(lambda a, b: a + b, [1], [2]))
print(product([1, 2, 3]), xmap(half, [1.0]), maps.xmap(str, [1]), config.jax_array)
print(jax.Device(jnp.ones(2)).device().device_buffer)
