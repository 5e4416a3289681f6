import jax.numpy as jnp

from .compat import eager, jit


@jit(static=("scale",))
def warmup(x, scale):
    return x * scale if scale > 1 else x


@eager
def describe(x):
    return "big" if jnp.abs(x).max() > 1 else "small"


@jit
def adam_step(gradient, state):
    first, second = state
    first = 0.9 * first + 0.1 * gradient
    second = 0.99 * second + 0.01 * gradient**2
    if jnp.any(second == 0): #! JAX101
        return first, (first, second)
    return first / jnp.sqrt(second), (first, second)


describe(jnp.ones(2))
