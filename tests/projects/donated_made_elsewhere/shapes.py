"""What a function of another module gives back is looked at where it is donated; its text stays there."""

import jax
import jax.numpy as jnp


def norms(tree):
    return [jnp.linalg.norm(each) for each in jax.tree.leaves(tree)]


def in_shards(tree, count):
    return jax.tree_map(lambda x: x.reshape((count, -1) + x.shape[1:]), tree)  #! JAX901
