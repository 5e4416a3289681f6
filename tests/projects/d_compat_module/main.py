"""A compatibility module is right however old the names in it are; a bare use of an old name is not."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

import compat
from compat import NEW_TREE, PRECISE, tree_leaves, tree_map
from legacy import double

if not NEW_TREE:
    leaves = jax.tree_leaves([1, 2])

mesh = Mesh(np.array(jax.devices()[:1]), ("batch",))
options = {compat.checks_keyword(): False}
shifted = compat.shard_map(lambda x: x + 1.0, mesh=mesh, in_specs=P("batch"), out_specs=P("batch"), **options)

params = {"w": jnp.ones(3), "b": jnp.zeros(3)}
params = tree_map(lambda leaf: leaf + 1.0, params)
with compat.enable_x64(True):
    area = PRECISE(jnp.arange(3.0))
print(len(tree_leaves(params)), area, double(1.0), shifted(jnp.ones(2)), compat.is_primitive(jax.lax.add_p), compat.xmap)
