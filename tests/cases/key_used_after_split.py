# %% a draw from a key that was split
import jax


def start(key):
    first, second = jax.random.split(key)
    return jax.random.normal(first), jax.random.normal(second), jax.random.normal(key)  #! JAX308


start(jax.random.key(0))


# %% a split of a key that was drawn from
import jax


def start(key):
    noise = jax.random.normal(key)
    key, subkey = jax.random.split(key)  #! JAX308
    return noise, jax.random.normal(key), jax.random.normal(subkey)


start(jax.random.key(0))


# %% a helper splits, the caller draws
import jax


def pair(key):
    first, second = jax.random.split(key)
    return jax.random.normal(first), jax.random.normal(second)


def start(key):
    both = pair(key)
    return both, jax.random.normal(key)  #! JAX308


start(jax.random.key(0))


# %% two splits of one key of which the second is used
import jax


def evaluate(key, env):
    keys = jax.random.split(key, 4)
    keys = jax.random.split(key, 8)  #! JAX308
    return jax.vmap(jax.random.normal)(keys)


evaluate(jax.random.key(0), None)


# %% a key that its split replaces
import jax


def start(key):
    key, first = jax.random.split(key)
    key, second = jax.random.split(key)
    return jax.random.normal(first), jax.random.normal(second), jax.random.normal(key)


start(jax.random.key(0))


# %% a split or a draw, of which one happens
import jax


def start(key, wide):
    if wide:
        first, second = jax.random.split(key)
        return jax.random.normal(first) + jax.random.normal(second)
    return jax.random.normal(key)


start(jax.random.key(0), True)
