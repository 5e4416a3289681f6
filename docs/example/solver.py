import jax.numpy as jnp


def clipped(gradient, limit):
    norm = jnp.linalg.norm(gradient)
    if norm > limit:
        gradient = gradient * (limit / norm)
    return gradient


def descend(params, gradient, limit):
    return params - 0.1 * clipped(gradient, limit)
