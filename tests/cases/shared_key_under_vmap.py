

# %% an argument that is not mapped: every batch element gets the same noise
import jax
import jax.numpy as jnp


def noisy(key, x):
    return x + jax.random.normal(key)  #! JAX304


jax.vmap(noisy, in_axes=(None, 0))(jax.random.key(0), jnp.zeros(3))

# %% a child of the argument: the same for all, too
import jax
import jax.numpy as jnp


def log_weight(key, i, xs):
    key, subkey = jax.random.split(key)
    return xs[i] + jax.random.normal(subkey)  #! JAX304


jax.vmap(log_weight, in_axes=(None, 0, None))(jax.random.key(0), jnp.arange(4), jnp.zeros(4))

# %% a helper of the mapped function draws: the place is in the mapped function
import jax
import jax.numpy as jnp


def draw(key, scale):
    return scale * jax.random.normal(key)


def noisy(key, x):
    return x + draw(key, 0.1)  #! JAX304


@jax.jit
def batch(key, xs):
    return jax.vmap(noisy, in_axes=(None, 0))(key, xs)


batch(jax.random.key(0), jnp.zeros(3))

# %% keys of which nothing is known, in a mapped function
import pickle

import jax
import jax.numpy as jnp
import numpy as np


@jax.vmap
def decorated(key, x):
    return x + jax.random.normal(key, x.shape)


def noise(key, x):
    return x + jax.random.normal(key, x.shape)


mapped = jax.vmap(noise)


def draw(file, x):
    keys = pickle.loads(file)
    return decorated(keys, x) - mapped(pickle.loads(file), x)


def draw_by_another_name(file, x):
    keys = pickle.loads(file)
    return mapped(keys, x)


file = pickle.dumps(np.asarray(jax.random.split(jax.random.PRNGKey(0))))
draw(file, jnp.ones((2, 3)))
draw_by_another_name(file, jnp.ones((2, 3)))

# %% a key that the mapped function closes over
import jax
import jax.numpy as jnp


def batch(key, xs):
    return jax.vmap(lambda x: x + jax.random.normal(key))(xs)  #! JAX304


batch(jax.random.key(0), jnp.zeros(3))

# %% keys of their own: mapped, folded in, split from what is mapped
import jax
import jax.numpy as jnp


def noisy(key, x):
    return x + jax.random.normal(key)


def folded(key, i, x):
    return x + jax.random.normal(jax.random.fold_in(key, i))


def halves(key, x):
    first, second = jax.random.split(key)
    return x + jax.random.normal(first) * jax.random.normal(second)


def counted(key, xs):
    def one(x):
        return x + jax.random.normal(jax.random.fold_in(key, x.astype(int)))

    return jax.vmap(one)(xs)


def all_of(key, xs):
    first, second, third, fourth = jax.random.split(key, 4)
    one = jax.vmap(noisy)(jax.random.split(first, 3), xs)
    two = jax.vmap(halves, in_axes=(0, None))(jax.random.split(second, 3), 0.0)
    three = jax.vmap(folded, in_axes=(None, 0, 0))(third, jnp.arange(3), xs)
    return one, two, three, jax.vmap(lambda pair: noisy(*pair))((jax.random.split(fourth, 3), xs))


all_of(jax.random.key(0), jnp.zeros(3)), counted(jax.random.key(0), jnp.zeros(3))

# %% state that is mapped holds the keys
import jax
import jax.numpy as jnp


def step(state, x):
    key, subkey = jax.random.split(state["key"])
    return {"key": key}, x + jax.random.normal(subkey)


def run(states, xs):
    return jax.vmap(step, in_axes=(0, None))(states, xs)


run({"key": jax.random.split(jax.random.key(0), 3)}, 1.0)

# %% a key that is not mapped and not drawn from
import jax
import jax.numpy as jnp


def shifted(key, x):
    return x + 1.0


jax.vmap(shifted, in_axes=(None, 0))(jax.random.key(0), jnp.zeros(3))
