import jax.numpy as jnp

from . import traced


@traced(static=("reverse",))
def coupling(x, reverse=False):
    if reverse:
        x = x[::-1]
    return jnp.tanh(x)


@traced()
def permute(x, reverse):
    return x[::-1] if reverse else x #! JAX101
