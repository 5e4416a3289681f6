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
    keys = jax.random.split(key, 4)  #! JAX310
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


# %% equal splits of which the children of the first are replaced before they are read
import jax


def set_up(key, make):
    key, *keys = jax.random.split(key, 4)
    return make(), keys


def run(key, make, act):
    params, keys = set_up(key, make)
    for _ in range(2):
        key, *keys = jax.random.split(key, 4)  #! JAX308
        params = act(params, keys)
    return params


functions = {"make": dict, "act": lambda params, keys: params}
run(jax.random.key(0), functions["make"], functions["act"])


# %% equal splits of which other children are read
import jax


def apart(key, use):
    first, _ = jax.random.split(key)
    _, second = jax.random.split(key)  #! JAX308
    return use(first), use(second)


def third(key, use):
    first, second = jax.random.split(key)
    last = jax.random.split(key, 3)[2]  #! JAX308
    return use(first), use(second), use(last)


def alike(key, use):
    first, _ = jax.random.split(key)
    second = jax.random.split(key)[0]  #! JAX301
    return use(first), use(second)


functions = {"use": jax.random.normal}
apart(jax.random.key(0), functions["use"])
third(jax.random.key(0), functions["use"])
alike(jax.random.key(0), functions["use"])


# %% children that make a dummy, and children that a lambda gives to what is replaced
import jax


def prepared(key, reset, learn):
    _states = reset(jax.random.split(key, 4))
    key, subkey = jax.random.split(key)
    return learn(subkey, jax.tree.map(jax.numpy.shape, _states))


def replaced(key, reset):
    each = jax.random.split
    _, keys = jax.lax.scan(lambda key, _: (each(key)[0], each(key)[1]), key, None, 4)  #! JAX308
    keys = jax.random.split(key, 4)  #! JAX308
    return reset(keys)


functions = {"reset": jax.vmap(jax.random.normal), "learn": lambda key, shape: shape}
prepared(jax.random.key(0), functions["reset"], functions["learn"])
replaced(jax.random.key(0), functions["reset"])
# %% record that is given a key that was drawn from, and advances it
import dataclasses

import jax


@dataclasses.dataclass
class Stream:
    rng: jax.Array


def advance(stream):
    rng, sub = jax.random.split(stream.rng)
    stream.rng = rng
    return stream, jax.random.uniform(sub)


def of_parameter(rng):
    first = jax.random.uniform(rng)
    stream = Stream(rng)
    stream.rng, sub = jax.random.split(stream.rng)  #! JAX308
    return first - jax.random.uniform(sub), stream


class Generator:
    def __init__(self):
        self.rng = jax.random.key(2)

    def total(self, turns):
        total = jax.random.uniform(self.rng)
        stream = Stream(self.rng)
        for _ in range(turns):
            stream, x = advance(stream)  #! JAX308
            total += x
        self.rng = stream.rng
        return total


class Fresh:
    def __init__(self):
        self.rng = jax.random.key(2)

    def total(self, turns):
        stream, total = Stream(self.rng), 0.0
        for _ in range(turns):
            stream, x = advance(stream)
            total += x
        self.rng = stream.rng
        return total


print(Fresh().total(2))

