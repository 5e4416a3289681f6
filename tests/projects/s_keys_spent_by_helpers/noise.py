"""Helpers that spend the key they are given, fold it, or leave it alone."""

import jax

from samplers import gaussian


def corrupt(x, key, level=0.1):
    return x + level * gaussian(key, x.shape)


def mask(key, x):
    return x * jax.random.bernoulli(key, 0.5, x.shape)


def per_layer(key, layers):
    return [gaussian(jax.random.fold_in(key, i), (n,)) for i, n in enumerate(layers)]


def describe(key):
    return f"{key.dtype} of shape {key.shape}"


def fresh(key, shape):
    key, sub = jax.random.split(key)
    return gaussian(sub, shape), key
