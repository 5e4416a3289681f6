"""Layers that spend the key they are given once."""

import jax
import jax.numpy as jnp


def dense(key, n_in, n_out):
    k_w, k_b = jax.random.split(key)
    return {"w": jax.random.normal(k_w, (n_in, n_out)), "b": jax.random.normal(k_b, (n_out,))}


def mlp(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [dense(k, a, b) for k, a, b in zip(keys, sizes[:-1], sizes[1:])]


def dropout(x, rate, key=None, *, training=True):
    if not training or rate == 0.0:
        return x
    keep = jax.random.bernoulli(key, 1.0 - rate, x.shape)
    return jnp.where(keep, x / (1.0 - rate), 0.0)
