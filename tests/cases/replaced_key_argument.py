# %% a seed from debugging: the key that the caller gives decides nothing
import jax


def noisy(key, x):
    key = jax.random.key(0)  #! JAX309
    return x + jax.random.normal(key)


noisy(jax.random.key(1), 1.0)


# %% a constant of the module, another name, a method, a split behind it
from jax import random

SEED = 7


class Sampler:
    def draw(self, rng, shape):
        rng = random.PRNGKey(SEED)  #! JAX309
        rng, noise = random.split(rng)
        return random.normal(noise, shape)


Sampler().draw(random.PRNGKey(0), (3,))


# %% the parameter was left out: the constant stands in
import jax


def noisy(x, key=None):
    if key is None:
        key = jax.random.key(0)
    return x + jax.random.normal(key)


def other(x, key=None):
    if key is not None:
        return x + jax.random.normal(key)
    key = jax.random.key(0)
    return x + jax.random.normal(key)


def short(x, key=None):
    key = jax.random.key(0) if key is None else key
    return x + jax.random.normal(key)


noisy(1.0), other(1.0), short(1.0)


# %% a seed of the caller's, a flag, another variable
import jax


def seeded(seed, x):
    seed = jax.random.key(seed)
    return x + jax.random.normal(seed)


def flagged(key, x, fixed):
    if fixed:
        key = jax.random.key(0)  #! JAX303
    return x + jax.random.normal(key)


def initial(params, x):
    params = dict(weights=x, noise=params)
    return params


seeded(3, 1.0), flagged(jax.random.key(1), 1.0, True), initial(1.0, 2.0)


# %% what is only made of a constant key: splits, constants that are folded in, another variable, several targets
import jax
import jax.numpy as jnp

STREAM = 2


class Config:
    SEED = 4


def split(key, n):
    key, noise_key = jax.random.split(jax.random.key(0))  #! JAX309
    return jax.random.normal(noise_key, (n,))


def folded(key, n):
    key = jax.random.fold_in(jax.random.key(0), STREAM)  #! JAX309
    return jax.random.normal(key, (n,))


def item(key, n):
    key = jax.random.split(jax.random.key(0), 3)[1]  #! JAX309
    return jax.random.normal(key, (n,))


def by_name(key, n):
    base = jax.random.key(0)  #! JAX309
    key, noise_key = jax.random.split(base)
    return jax.random.normal(noise_key, (n,))


def annotated(key, n):
    key: jax.Array = jax.random.key(Config.SEED)  #! JAX309
    return jax.random.normal(key, (n,))


def several(key, n):
    rng = key = jax.random.key(0)  #! JAX309
    return jax.random.normal(rng, (n,))


def in_row(key, n):
    key, scale = jax.random.key(0), 3.0  #! JAX309
    return scale * jax.random.normal(key, (n,))


def in_scope(key, n):
    with jax.named_scope("noise"):
        key, noise_key = jax.random.split(jax.random.key(0))  #! JAX309
        return jax.random.normal(noise_key, (n,))


first, second = jax.random.split(jax.random.key(1))
for draw in (split, folded, item, by_name, annotated, several, in_row, in_scope):
    assert jnp.array_equal(draw(first, 2), draw(second, 2))


# %% what varies is folded in or picks the key, the caller's key has been read, or there was none
import jax


def folded(key, step):
    key, noise_key = jax.random.split(jax.random.fold_in(jax.random.key(0), step))
    return jax.random.normal(noise_key)


def picked(key, step):
    key = jax.random.split(jax.random.key(0), 10)[step]  #! JAX303
    return jax.random.normal(key)


def both(key):
    x = jax.random.normal(key)
    key, fixed = jax.random.split(jax.random.key(0))  #! JAX303
    return x, jax.random.normal(fixed)


def row(key, table):
    value = table[key]
    key, noise_key = jax.random.split(jax.random.key(0))  #! JAX303
    return value * jax.random.normal(noise_key)


def numbered(seed):
    seed, noise_key = jax.random.split(jax.random.key(0))  #! JAX303
    return jax.random.normal(noise_key)


def counted(key):
    key = jax.random.key(Counts.made)
    Counts.made += 1
    return jax.random.normal(key)


class Counts:
    made = 0


key = jax.random.key(1)
folded(key, 3), picked(key, 3), both(key), row("a", {"a": 1.0}), numbered(3), counted(key)
