"""Keys are spent by helpers two modules away; helpers that fold, describe or refresh a key do not spend it."""

import jax
import jax.numpy as jnp

import noise
from noise import corrupt, fresh
from samplers import gaussian


def augment(x, key):
    noise.describe(key)
    weights = noise.per_layer(key, (2, 3))
    x = corrupt(x, key)
    return noise.mask(key, x), weights  #! JAX301


def views(x, key, n):
    out = []
    for _ in range(n):
        out.append(corrupt(x, key, level=0.5))  #! JAX302
    return out


def chain(key, n):
    total = jnp.zeros(2)
    for _ in range(n):
        step, key = fresh(key, (2,))
        total = total + step
    return total + gaussian(key, (2,))


if __name__ == "__main__":
    k1, k2, k3 = jax.random.split(jax.random.key(0), 3)
    augment(jnp.ones(3), k1)
    views(jnp.ones(2), k2, 2)
    chain(k3, 3)
