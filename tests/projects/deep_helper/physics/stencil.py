import jax.numpy as jnp

from .limits import iterate


def laplacian(field):
    return jnp.roll(field, 1, 0) + jnp.roll(field, -1, 0) - 2 * field


def smooth(field, passes):
    return iterate(laplacian, field, passes)
