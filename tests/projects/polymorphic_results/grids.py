import jax
import jax.numpy as jnp

from passing import first, half, identity


@jax.jit
def coarse(x):
    n = half(identity(x.shape[0]))
    doubled = identity(x) * 2
    size = first((n, x))
    return doubled[:size].reshape(identity(n) // 2, -1)


@jax.jit
def refine(x, level):
    n = half(identity(level))
    return x[:n] #! JAX112
