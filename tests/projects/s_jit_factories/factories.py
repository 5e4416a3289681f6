"""Functions that make compiled functions."""

import functools

import jax


def make_update(lr):
    def update(w, g):
        return w - lr * g

    return jax.jit(update)  #! JAX404


@functools.lru_cache
def make_power(n):
    return jax.jit(lambda x: x**n)


def make_loss(scale):
    @jax.jit
    def loss(w):
        return scale * w**2

    return loss


def relu(x):
    return jax.numpy.maximum(x, 0.0)
