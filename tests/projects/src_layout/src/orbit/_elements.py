import math

import jax.numpy as jnp


def kepler_period(axis, mu=1.0):
    return 2 * math.pi * jnp.sqrt(axis**3 / mu)


def wrap(angle):
    turns = math.floor(angle.shape[0] / 2)
    return angle - turns * math.floor(angle.max()) #! JAX107
