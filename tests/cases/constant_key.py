

# %% key in a jitted function: each call drops the same units
import jax
import jax.numpy as jnp


@jax.jit
def dropout(x):
    key = jax.random.key(0)  #! JAX303
    return x * jax.random.bernoulli(key, 0.5, x.shape)


print(dropout(jnp.ones(5)), dropout(jnp.ones(5)))

# %% legacy key inline: the key is made in the argument of the sampler
import jax
import jax.numpy as jnp
from jax import random


def add_noise(x, scale):
    return x + scale * random.normal(random.PRNGKey(42), x.shape)  #! JAX303


print([add_noise(jnp.zeros(1), 1.0) for _ in range(3)])

# %% step in a loop: the function that the training loop calls seeds itself
import jax
import jax.numpy as jnp

SEED = 17


def train_step(w, batch):
    key = jax.random.key(SEED)  #! JAX303
    k_mask, k_noise = jax.random.split(key)
    mask = jax.random.bernoulli(k_mask, 0.5, batch.shape)
    noise = 0.1 * jax.random.normal(k_noise, batch.shape)
    return w - 0.1 * jnp.mean(mask * (batch + noise))


w = jnp.float32(1.0)
for batch in (jnp.ones(3), jnp.zeros(3)):
    w = train_step(w, batch)

# %% method: every action is drawn with the key of the first
import jax
import jax.numpy as jnp


class Policy:
    def __init__(self, temperature):
        self.temperature = temperature

    def act(self, logits):
        key = jax.random.key(7)  #! JAX303
        return jax.random.categorical(key, logits / self.temperature)


policy = Policy(1.0)
print([int(policy.act(jnp.zeros(8))) for _ in range(4)])

# %% loop body: the key is made anew at each pass, and is the same at each pass
import jax

samples = []
for _ in range(3):
    key = jax.random.key(0)  #! JAX303
    samples.append(jax.random.normal(key))
print(samples)

# %% scan body: a constant key inside is one draw for all steps
import jax
import jax.numpy as jnp


def body(x, dt):
    x = x + dt * jax.random.normal(jax.random.key(1))  #! JAX303
    return x, x


print(jax.lax.scan(body, 0.0, jnp.ones(3))[1])

# %% lambda for every lane: all lanes draw with one key
import jax
import jax.numpy as jnp
import jax.random as jr

jitter = jax.vmap(lambda x: x + jr.normal(jr.key(0)))  #! JAX303
print(jitter(jnp.zeros(3)))

# %% default argument: the key is made once, when the function is defined, and shared by all calls
import jax


def sample(shape, key=jax.random.key(0)):  #! JAX303
    return jax.random.normal(key, shape)


print(sample((2,)), sample((2,)))  #! JAX301

# %% helper that gives keys: a function that always returns the same key
import jax
import jax.numpy as jnp


def get_key():
    return jax.random.PRNGKey(0)  #! JAX303


def initialise(n):
    return jax.random.normal(get_key(), (n,))


print(initialise(2), initialise(2))

# %% script level: a program starts from a seed
import jax

SEED = 3
key = jax.random.key(SEED)
k1, k2 = jax.random.split(key)
other = jax.random.PRNGKey(0)
a, b, c = jax.random.normal(k1), jax.random.normal(k2), jax.random.normal(other)

# %% main and tests: what runs once may make its own key
import jax


def test_normal_has_shape():
    key = jax.random.key(0)
    assert jax.random.normal(key, (3,)).shape == (3,)


def main():
    rng = jax.random.key(42)
    return jax.random.normal(rng, (2,))


if __name__ == "__main__":
    main()
    test_normal_has_shape()

# %% seed from outside: the seed is an argument, a field or a loop variable
import dataclasses

import jax


@dataclasses.dataclass
class Config:
    seed: int = 0


def sample(seed, shape=(2,)):
    return jax.random.normal(jax.random.key(seed), shape)


def from_config(cfg):
    key = jax.random.key(cfg.seed)
    return jax.random.normal(key)


runs = [sample(seed) for seed in range(3)]
for seed in (1, 2):
    runs.append(jax.random.normal(jax.random.PRNGKey(seed)))
runs.append(from_config(Config(5)))

# %% None default: a key is made only where the caller gave none
import jax
import jax.numpy as jnp


def init(shape, key=None):
    if key is None:
        key = jax.random.key(0)
    return jax.random.normal(key, shape)


def init_once(shape, key=None):
    key = jax.random.key(0) if key is None else key
    return jax.random.normal(key, shape)


init((2,)), init_once((2,), jax.random.key(1))

# %% a comprehension of a module makes one key for each seed that it goes through, and all of them are drawn from
import jax


def both(one, other):
    return jax.random.normal(one) + jax.random.normal(other)


keys = [jax.random.key(seed) for seed in range(2)]
both(*keys)

# %% constructor: an object seeds its stream once, and splits from it
import jax


class Stream:
    def __init__(self):
        self.key = jax.random.key(0)

    def next(self):
        self.key, sub = jax.random.split(self.key)
        return sub


stream = Stream()
a, b = jax.random.normal(stream.next()), jax.random.normal(stream.next())

# %% shapes only: the key is a stand-in for its type, nothing is drawn
import jax
import jax.numpy as jnp


def init(key):
    return {"w": jax.random.normal(key, (4, 4))}


def count_parameters():
    shapes = jax.eval_shape(init, jax.random.key(0))
    return sum(leaf.size for leaf in jax.tree.leaves(shapes))


print(count_parameters(), count_parameters())

# %% folded with what varies: the constant is a domain, the data makes the key
import jax
import jax.numpy as jnp


@jax.jit
def sample_at(step, x):
    key = jax.random.fold_in(jax.random.key(0), step)
    return x + jax.random.normal(key, x.shape)


print(sample_at(0, jnp.zeros(1)), sample_at(1, jnp.zeros(1)))

# %% other constants: generators of NumPy and keys of dictionaries
import numpy as np


def make_data(n):
    rng = np.random.default_rng(0)
    key = "x"
    return {key: rng.normal(size=n)}


make_data(2), make_data(3)

# %% default key of which calls draw alike: the default is the cause, told at the first call that repeats it
import jax


def noisy(x, key=jax.random.key(0)):  #! JAX303
    return x + jax.random.normal(key)


def twice(x):
    return noisy(x), noisy(x)  #! JAX301


def various(x):
    return noisy(x), noisy(x), noisy(x, jax.random.key(1))  #! JAX303


twice(1.0), various(1.0)

# %% a seed that a loop leaves alone, where each turn does the same
import jax


def runs(seed, count):
    out = []
    for _ in range(count):
        key = jax.random.PRNGKey(seed)  #! JAX303
        out.append(jax.random.normal(key))
    return out


class Sampler:
    def __init__(self, seed):
        self.seed = seed

    def draw(self, count):
        out = []
        for i in range(count):
            out.append(jax.random.normal(jax.random.key(self.seed + 1)))  #! JAX303
        return out


print(runs(0, 3), Sampler(1).draw(3))

# %% ... a seed that changes, and loops that compare, try again or take a time
import time

import jax


def changed(seed, count, seeds):
    out = []
    for i in range(count):
        out.append(jax.random.normal(jax.random.key(seed + i)))
    for _ in range(count):
        seed += 1
        out.append(jax.random.normal(jax.random.key(seed)))
    for each in seeds:
        out.append(jax.random.normal(jax.random.key(each)))
    return out


def compared(seed, sizes):
    out = []
    for size in sizes:
        key = jax.random.key(seed)
        out.append(jax.random.normal(key, (size,)))
    for i in range(3):
        out.append(jax.random.normal(jax.random.key(seed)) * i)
    return out


def tried(seed, count):
    for _ in range(count):
        x = jax.random.normal(jax.random.key(seed))
        if x > 0:
            break
    return x


def timed(seed, count):
    times = []
    for _ in range(count):
        start = time.perf_counter()
        jax.random.normal(jax.random.key(seed)).block_until_ready()
        times.append(time.perf_counter() - start)
    return times


print(changed(0, 3, [1, 2]), compared(0, [1, 2]), tried(0, 3), len(timed(0, 2)))
