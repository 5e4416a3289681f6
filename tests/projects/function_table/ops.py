import jax.numpy as jnp
import numpy as np


def smallest(x):
    return min(x)


def any_positive(x):
    if (x > 0).any():
        return float(x.max())
    return 0.0


def scale(x):
    return x / jnp.max(x)


def span(x):
    return np.ptp(x) #! JAX106
