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
