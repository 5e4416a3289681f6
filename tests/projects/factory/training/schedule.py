import jax.numpy as jnp


def cosine(step):
    return 0.1 * jnp.cos(step / 10.0)


def stepwise(step):
    if step > 10: #! JAX101
        return 0.01
    return 0.1
