

# %% weight and bias from one key: the second sampler repeats the draw of the first
import jax


def init_linear(key, n_in, n_out):
    weight = jax.random.normal(key, (n_in, n_out))
    bias = jax.random.normal(key, (n_out,))  #! JAX301
    return {"weight": weight, "bias": bias}


params = init_linear(jax.random.key(0), 4, 2)

# %% legacy keys: a PRNGKey consumed by two different samplers is consumed twice
from jax import random

rng = random.PRNGKey(17)
positions = random.uniform(rng, (8, 2))
velocities = random.normal(rng, (8, 2))  #! JAX301

# %% parent after split: the split consumed the parent, but no number repeats
import jax.random as jr

root = jr.key(3)
k_data, k_model = jr.split(root)
data = jr.normal(k_data, (16,))
model = jr.normal(k_model, (4,))
noise = jr.normal(root, (16,))  #! JAX308

# %% sampler then split: the children differ from what was drawn
import jax

key = jax.random.key(5)
x0 = jax.random.normal(key, (3,))
key, sub = jax.random.split(key)  #! JAX308
x1 = jax.random.normal(sub, (3,))

# %% split twice: both splits give the same children
import jax

master = jax.random.key(11)
train_keys = jax.random.split(master, 4)
test_keys = jax.random.split(master, 4)  #! JAX301
train = jax.vmap(jax.random.normal)(train_keys)
test = jax.vmap(jax.random.normal)(test_keys)

# %% a branch may have consumed it: on the path through the branch the last draw repeats
import jax


def forward(x, key, noisy):
    if noisy:
        x = x + 0.1 * jax.random.normal(key, x.shape)
    mask = jax.random.bernoulli(key, 0.9, x.shape)  #! JAX301
    return x * mask


forward(jax.numpy.ones(5), jax.random.key(0), noisy=True)

# %% optional second use: a consume inside a branch repeats the one before it
import jax
import jax.numpy as jnp


def init_conv(key, channels, use_bias=True):
    params = {"kernel": jax.random.truncated_normal(key, -2.0, 2.0, (3, 3, channels))}
    if use_bias:
        params["bias"] = jax.random.uniform(key, (channels,))  #! JAX301
    else:
        params["bias"] = jnp.zeros((channels,))
    return params


init_conv(jax.random.key(1), 8)

# %% one element of a split: the same index twice is the same key
import jax
import jax.numpy as jnp

keys = jax.random.split(jax.random.key(2), 3)
embed = jax.random.normal(keys[0], (10, 4))
query = jax.random.normal(keys[1], (4, 4))
value = jax.random.normal(keys[1], (4, 4))  #! JAX301

# %% key under two names: an alias is not a new key
import jax

seed_key = jax.random.key(8)
policy_key = seed_key
value_key = seed_key
policy = jax.random.normal(policy_key, (6,))
value = jax.random.normal(value_key, (6,))  #! JAX301

# %% consumed by helpers: each call hands the key to a sampler out of sight
import jax
import jax.numpy as jnp


def dropout(key, x, rate):
    keep = jax.random.bernoulli(key, 1.0 - rate, x.shape)
    return jnp.where(keep, x / (1.0 - rate), 0.0)


def jitter(x, *, rng):
    return x + 0.01 * jax.random.normal(rng, x.shape)


def augment(x, key):
    x = dropout(key, x, 0.5)
    return jitter(x, rng=key)  #! JAX301


augment(jnp.ones((4, 4)), jax.random.key(0))

# %% the same key deliberately: common random numbers are still one draw used twice
import jax
import jax.numpy as jnp


@jax.jit
def simulate(key, drift):
    return jnp.sum(drift + jax.random.normal(key, (100,)))


key = jax.random.key(42)
low = simulate(key, 0.1)
high = simulate(key, 0.2)  #! JAX301

# %% inside jit with keyword: the key handed by keyword is consumed as well
import jax
import jax.numpy as jnp


@jax.jit
def langevin_step(theta, key):
    noise = jax.random.normal(key=key, shape=theta.shape)
    proposal = theta - 0.1 * theta + noise
    accept = jax.random.uniform(key=key)  #! JAX301
    return jnp.where(accept < 0.5, proposal, theta)


langevin_step(jnp.zeros(3), jax.random.key(0))

# %% vmapped samplers: the whole batch of keys is consumed by each vmapped call
import jax

batch_keys = jax.random.split(jax.random.key(1), 32)
actions = jax.vmap(lambda k: jax.random.categorical(k, jax.numpy.zeros(4)))(batch_keys)
rewards = jax.vmap(lambda k: jax.random.normal(k))(batch_keys)  #! JAX301

# %% attribute of self: two draws in one method from the key the object holds
import jax


class Sampler:
    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def draw(self, shape):
        first = jax.random.normal(self.key, shape)
        second = jax.random.exponential(self.key, shape)  #! JAX301
        return first + second


Sampler(3).draw((2,))

# %% initializers are samplers: jax.nn.initializers consume the key given to them
import jax
import jax.numpy as jnp
from jax.nn import initializers

glorot = initializers.glorot_normal()
key = jax.random.key(0)
w_hidden = glorot(key, (8, 16))
w_out = glorot(key, (16, 1))  #! JAX301

# %% unchanged key returned: a helper that gives the key back as it came has not refreshed it
import jax


def draw(key, shape):
    sample = jax.random.normal(key, shape)
    return sample, key


key = jax.random.key(9)
a, key = draw(key, (3,))
b, key = draw(key, (3,))  #! JAX301

# %% cond consumes in one arm: whichever arm runs, drawing again afterwards may repeat it
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def explore(key, greedy, logits):
    action = lax.cond(
        greedy,
        lambda k: jnp.argmax(logits),
        lambda k: jax.random.categorical(k, logits),
        key,
    )
    jitter = jax.random.uniform(key)  #! JAX301
    return action, jitter


explore(jax.random.key(0), False, jnp.array([0.0, 1.0, 2.0]))

# %% dict of keys: the same entry twice
import jax

names = ("encoder", "decoder")
k_enc, k_dec = jax.random.split(jax.random.key(0))
rngs = {"encoder": k_enc, "decoder": k_dec}
encoder = jax.random.normal(rngs["encoder"], (4, 4))
decoder = jax.random.normal(rngs["encoder"], (4, 4))  #! JAX301

# %% partial holds the key: each call of the partial consumes it again
import functools

import jax

sample = functools.partial(jax.random.normal, jax.random.key(4))
left = sample((2,))
right = sample((2,))  #! JAX301

# %% after the scan: the key went into the carry and was split there, so the outer name is consumed
import jax
import jax.numpy as jnp
from jax import lax


def random_walk(key, start, n):
    def step(carry, _):
        position, k = carry
        k, sub = jax.random.split(k)
        position = position + jax.random.normal(sub)
        return (position, k), position

    (end, _), path = lax.scan(step, (start, key), None, length=n)
    offset = jax.random.normal(key)  #! JAX308
    return path + offset


random_walk(jax.random.key(6), jnp.float32(0.0), 5)

# %% rebound in between: every draw has a key of its own
import jax

key = jax.random.key(0)
key, sub = jax.random.split(key)
a = jax.random.normal(sub, (3,))
key, sub = jax.random.split(key)
b = jax.random.normal(sub, (3,))
key, *subs = jax.random.split(key, 4)
c = [jax.random.normal(s, (3,)) for s in subs]
d = jax.random.normal(key)

# %% exclusive arms: if, elif, else, ternary and match consume it once on each path
import jax
import jax.numpy as jnp


def noise_like(key, x, kind):
    if kind == "normal":
        return jax.random.normal(key, x.shape)
    elif kind == "uniform":
        eps = jax.random.uniform(key, x.shape)
    else:
        eps = jax.random.laplace(key, x.shape)
    return eps


def initial(key, zero_mean):
    return jax.random.normal(key) if zero_mean else jax.random.uniform(key)


def prior(key, family):
    match family:
        case "gamma":
            return jax.random.gamma(key, 2.0)
        case "beta":
            return jax.random.beta(key, 1.0, 1.0)
        case _:
            return jax.random.cauchy(key)


k1, k2, k3 = jax.random.split(jax.random.key(0), 3)
noise_like(k1, jnp.ones(3), "uniform"), initial(k2, True), prior(k3, "beta")

# %% early returns and raises: a path that left cannot draw again
import jax


def sample_action(key, logits, temperature):
    if temperature == 0.0:
        return logits.argmax()
    if temperature < 0.0:
        raise ValueError("temperature")
    if temperature == 1.0:
        return jax.random.categorical(key, logits)
    return jax.random.categorical(key, logits / temperature)


sample_action(jax.random.key(0), jax.numpy.zeros(3), 2.0)

# %% fold_in does not consume: the same key with different data gives different keys, before and after a draw
import jax

key = jax.random.key(0)
k_step = jax.random.fold_in(key, 7)
k_host = jax.random.fold_in(key, 8)
x = jax.random.normal(k_step) + jax.random.normal(k_host)
y = jax.random.normal(key)

# %% helpers that only fold: a key handed to helpers that derive their own is never consumed
import jax


def layer_weights(key, index, shape):
    return jax.random.normal(jax.random.fold_in(key, index), shape)


def describe(key):
    return str(key.shape), key.dtype


key = jax.random.key(0)
w0 = layer_weights(key, 0, (2, 2))
w1 = layer_weights(key, 1, (2, 2))
info = describe(key)
w2 = layer_weights(key, 2, (2, 2))

# %% helper without use: a key passed to a function that ignores it in this configuration is consumed once
import jax
import jax.numpy as jnp


def identity(key, x):
    return x


def noisy(key, x):
    return x + jax.random.normal(key, x.shape)


def block(key, x):
    x = identity(key, x)
    return noisy(key, x)


block(jax.random.key(0), jnp.ones(3))

# %% clone and key_data: asking for the bits or a declared clone is not a hidden reuse
import jax
import numpy as np

key = jax.random.key(0)
bits = np.asarray(jax.random.key_data(key))
reference = jax.random.normal(jax.random.clone(key), (3,))
actual = jax.random.normal(key, (3,))
print(bits.shape, key)

# %% different elements: indices, slices and unpacked parts of a split are different keys
import jax

keys = jax.random.split(jax.random.key(0), 6)
a = jax.random.normal(keys[0])
b = jax.random.normal(keys[1])
c = jax.vmap(jax.random.normal)(keys[2:4])
d = jax.vmap(jax.random.normal)(keys[4:])

grid = jax.random.split(jax.random.key(1), (2, 3))
e = jax.vmap(jax.random.normal)(grid[0])
f = jax.vmap(jax.random.normal)(grid[1])

# %% containers of keys: entries of dicts, zips and iterators are consumed one by one
import jax

names = ["w", "b", "scale"]
rngs = dict(zip(names, jax.random.split(jax.random.key(0), len(names))))
params = {name: jax.random.normal(rngs[name], (2,)) for name in names}

stream = iter(jax.random.split(jax.random.key(1), 3))
x = jax.random.normal(next(stream))
y = jax.random.normal(next(stream))

# %% key stream object: an attribute refreshed at each request
import jax


class KeyStream:
    def __init__(self, seed):
        self._key = jax.random.key(seed)

    def __next__(self):
        self._key, sub = jax.random.split(self._key)
        return sub

    def take(self, n):
        self._key, *subs = jax.random.split(self._key, n + 1)
        return subs


rng = KeyStream(0)
a = jax.random.normal(next(rng))
b = jax.random.normal(next(rng))
c, d = (jax.random.normal(k) for k in rng.take(2))
e = jax.random.normal(rng.take(1)[0])

# %% state tuple: the key inside a NamedTuple or dataclass is replaced with the state
import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp


class ChainState(NamedTuple):
    position: jax.Array
    key: jax.Array


def mala_step(state):
    key, k_prop, k_acc = jax.random.split(state.key, 3)
    proposal = state.position + jax.random.normal(k_prop, state.position.shape)
    accept = jax.random.uniform(k_acc) < 0.5
    return state._replace(position=jnp.where(accept, proposal, state.position), key=key)


@dataclasses.dataclass(frozen=True)
class Env:
    key: jax.Array

    def reset(self):
        key, sub = jax.random.split(self.key)
        return dataclasses.replace(self, key=key), jax.random.normal(sub)


state = ChainState(jnp.zeros(2), jax.random.key(0))
state = mala_step(state)
state = mala_step(state)
env = Env(jax.random.key(1))
env, obs = env.reset()
env, obs = env.reset()

# %% None default: a key made when none was given, or drawn from exactly once
import jax
import jax.numpy as jnp


def dropout(x, rate=0.5, key=None, inference=False):
    if inference or rate == 0.0:
        return x
    if key is None:
        raise RuntimeError("dropout needs a key unless inference=True")
    return x * jax.random.bernoulli(key, 1.0 - rate, x.shape)


x = jnp.ones(4)
key = jax.random.key(0)
dropout(x, inference=True, key=key)
dropout(x, key=key)

# %% traces do not draw: eval_shape, make_jaxpr and lower look at the function without consuming the key
import jax


def init(key):
    return jax.random.normal(key, (8, 8))


key = jax.random.key(0)
shapes = jax.eval_shape(init, key)
jaxpr = jax.make_jaxpr(init)(key)
compiled = jax.jit(init).lower(key).compile()
params = init(key)

# %% try alternatives: the handler draws only where the first attempt did not
import jax


def sample_or_fallback(key, probabilities):
    try:
        return jax.random.choice(key, 4, p=probabilities)
    except (TypeError, ValueError):
        return jax.random.randint(key, (), 0, 4)


sample_or_fallback(jax.random.key(0), None)

# %% other randomness: stateful NumPy and standard library generators may be called again
import random

import numpy as np

rng = np.random.default_rng(0)
a, b = rng.normal(), rng.normal()
key = "learning_rate"
settings = {key: random.uniform(0.0, 1.0)}
settings[key] += random.uniform(0.0, 1.0)
best = sorted([3, 1, 2], key=lambda v: -v)
kind = random.choice([1, 2, 3]) + random.choice([4, 5])

# %% shadowed and separate scopes: the same name in another scope is another key
import jax


def weights(key):
    return jax.random.normal(key, (2,))


def biases(key):
    return jax.random.normal(key, (2,))


key, other = jax.random.split(jax.random.key(0))
w = weights(other)
pairs = [weights(key) for key in jax.random.split(key, 2)]


def unused_alternative():
    return jax.random.normal(key)

# %% cond arms: only one of the arms that share the operand runs
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def mixture(key, flag):
    return lax.cond(flag, lambda k: jax.random.normal(k), lambda k: jax.random.laplace(k), key)


@jax.jit
def family(key, index):
    branches = [jax.random.normal, jax.random.uniform, jax.random.gumbel]
    return lax.switch(index, branches, key)


k1, k2 = jax.random.split(jax.random.key(0))
mixture(k1, True), family(k2, 1)

# %% conditional split: either arm leaves a key that was not consumed yet
import jax


def maybe_noise(x, key, augment):
    if augment:
        key, sub = jax.random.split(key)
        x = x + jax.random.normal(sub, x.shape)
    mask = jax.random.bernoulli(key, 0.5, x.shape)
    return x * mask


maybe_noise(jax.numpy.ones(3), jax.random.key(0), True)

# %% guarded twice by one static flag: the arms of two tests on the same flag exclude each other
import jax
import jax.numpy as jnp


def perturb(x, key, gaussian):
    if gaussian:
        x = x + jax.random.normal(key, x.shape)
    x = jnp.tanh(x)
    if not gaussian:
        x = x + jax.random.uniform(key, x.shape)
    return x


perturb(jnp.ones(3), jax.random.key(0), gaussian=False)

# %% deleted and made anew: a key of another seed under the old name
import jax

key = jax.random.key(0)
a = jax.random.normal(key)
del key
key = jax.random.key(1)
b = jax.random.normal(key)
for seed in (2, 3):
    key = jax.random.key(seed)
    c = jax.random.normal(key)
d = jax.random.normal(jax.random.key(4)) + jax.random.normal(jax.random.key(5))

# %% walrus and chained targets: each request for a key splits what is left
import jax

key = jax.random.key(0)
a = jax.random.normal((pair := jax.random.split(key))[0])
b = jax.random.normal((pair := jax.random.split(pair[1]))[0])
key, (k1, k2) = pair[1], jax.random.split(jax.random.key(1))
c = jax.random.normal(k1) + jax.random.normal(k2) + jax.random.normal(key)

# %% objects with keys of their own: the attribute has one name, the objects are two
import jax


class Layer:
    def __init__(self, key):
        self.key = key

    def init(self, n):
        return jax.random.normal(self.key, (n,))


k1, k2 = jax.random.split(jax.random.key(0))
first, second = Layer(k1), Layer(k2)
w = first.init(2), second.init(2)

# %% one constant folded into one key twice
import jax

key = jax.random.key(0)
a = jax.random.normal(jax.random.fold_in(key, 1))
b = jax.random.normal(jax.random.fold_in(key, 1))  #! JAX301
print(a - b)

# %% different constants folded into one key, and one into different keys
import jax

STREAMS = {"params": 0, "dropout": 1}


def stream(key, name):
    return jax.random.fold_in(key, STREAMS[name])


def draw(key):
    params = jax.random.normal(stream(key, "params"))
    noise = jax.random.normal(stream(key, "dropout"))
    for step in range(3):
        noise += jax.random.normal(jax.random.fold_in(key, 10 + step))
    return params + noise


first, second = jax.random.split(jax.random.key(0))
print(draw(first), draw(second))
count = 0
while count < 3:
    print(jax.random.normal(jax.random.fold_in(jax.random.fold_in(first, 7), count)))
    count += 1

# %% a function inside consumes the key around it, not what it is given
import jax


def first(key, other):
    def inner(x):
        return jax.random.normal(key) * jax.random.key_data(x).sum()

    return inner(other) + jax.random.normal(other)


def second(other, key):
    def inner(x):
        return jax.random.normal(key) * jax.random.key_data(x).sum()

    return inner(other) + jax.random.normal(key)  #! JAX301


print(first(jax.random.key(0), jax.random.key(1)))
print(second(jax.random.key(0), jax.random.key(1)))

# %% one pair of one key, another of two
import jax


def draw(pair):
    a, b = pair
    return jax.random.normal(a) + jax.random.uniform(b)


key, left, right, last = jax.random.split(jax.random.key(0), 4)
print(draw((left, right)))
print(draw((key, last)))
print(jax.random.normal(right))  #! JAX301

# %% NamedTuple under its other name
import jax

try:
    from typing_extensions import NamedTuple
except ImportError:
    from typing import NamedTuple


class Carry(NamedTuple):
    total: jax.Array
    key: jax.Array


def body(i, carry):
    total, key = carry
    return Carry(total + jax.random.normal(key), key)  #! JAX302


def good(i, carry):
    total, key = carry
    key, subkey = jax.random.split(key)
    return Carry(total + jax.random.normal(subkey), key)


print(jax.lax.fori_loop(0, 3, body, Carry(jax.numpy.zeros(()), jax.random.key(0))))
print(jax.lax.fori_loop(0, 3, good, Carry(jax.numpy.zeros(()), jax.random.key(1))))

# %% an item and the whole: the array of keys is consumed with the item in it, in either order
import jax

keys = jax.random.split(jax.random.key(0), 4)
first = jax.random.normal(keys[0])
every = jax.vmap(jax.random.normal)(keys)  #! JAX301
others = jax.random.split(jax.random.key(1), 4)
drawn = [jax.random.normal(k) for k in others]
again = jax.random.uniform(others[2])  #! JAX301

# %% an item, and a loop over all of them
import jax


def init(key, n):
    keys = jax.random.split(key, n)
    first = jax.random.normal(keys[0], (3,))
    rest = []
    for i, k in enumerate(keys):
        rest.append(i * jax.random.normal(k, (3,)))  #! JAX301
    return first, rest


init(jax.random.key(0), 3)

# %% two loops over one array of keys
import jax

keys = jax.random.split(jax.random.key(0), 3)
weights = [jax.random.normal(k, (2,)) for k in keys]
biases = [jax.random.normal(k, (2,)) for k in keys]  #! JAX301

# %% an array of keys inside a tuple that two scans go over
import jax
import jax.numpy as jnp


def kernel(x, inputs):
    k, scale = inputs
    return x + scale * jax.random.normal(k), None


keys = jax.random.split(jax.random.key(0), 3)
x, _ = jax.lax.scan(kernel, 0.0, (keys, jnp.ones(3)))
x, _ = jax.lax.scan(kernel, x, (keys, jnp.ones(3)))  #! JAX301

# %% items from the end, and slices with an item in common
import jax

keys = jax.random.split(jax.random.key(0), 4)
last = jax.random.normal(keys[-1])
fourth = jax.random.normal(keys[3])  #! JAX301
pair = jax.random.split(jax.random.key(1))
second = jax.random.normal(pair[1])
also = jax.random.normal(pair[-1])  #! JAX301
keys = jax.random.split(jax.random.key(2), 4)
early = jax.vmap(jax.random.normal)(keys[:3])
late = jax.vmap(jax.random.normal)(keys[2:])  #! JAX301
keys = jax.random.split(jax.random.key(3), 4)
head, *tail = keys
x = jax.random.normal(head)
y = jax.random.normal(tail[0])
z = jax.random.normal(keys[1])  #! JAX301

# %% slices that have nothing in common with each other, or with an item
import jax


def halves(key, n, warmup):
    keys = jax.random.split(key, n)
    x, _ = jax.lax.scan(lambda x, k: (x + jax.random.normal(k), None), 0.0, keys[:warmup])
    x, _ = jax.lax.scan(lambda x, k: (x + jax.random.normal(k), None), x, keys[warmup:])
    return x


def layers(key, sizes):
    keys = jax.random.split(key, len(sizes))
    params = [jax.random.normal(k, (m, n)) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]
    return params, jax.random.normal(keys[-1], (sizes[-1],))


k0, k1, k2, k3, k4, k5 = jax.random.split(jax.random.key(0), 6)
keys = jax.random.split(k0, 4)
a, b = jax.random.normal(keys[0]), jax.vmap(jax.random.normal)(keys[1:])
keys = jax.random.split(k1, 4)
c, d = jax.vmap(jax.random.normal)(keys[:2]), jax.vmap(jax.random.normal)(keys[2:])
keys = jax.random.split(k2, 4)
e, f = jax.vmap(jax.random.normal)(keys[:-1]), jax.random.normal(keys[-1])
keys = jax.random.split(k3, 4)
g, h = jax.vmap(jax.random.normal)(keys[::2]), jax.vmap(jax.random.normal)(keys[1::2])
halves(k4, 6, 3), layers(k5, [2, 3, 4])

# %% a loop that leaves one item to others, or ends before it
import jax

keys = jax.random.split(jax.random.key(0), 4)
first = jax.random.normal(keys[0])
for i, k in enumerate(keys):
    if i > 0:
        print(jax.random.normal(k))

others = jax.random.split(jax.random.key(1), 4)
for i, k in enumerate(others):
    if i == 3:
        continue
    print(jax.random.normal(k))
last = jax.random.normal(others[3])

# %% a function that closes over a key and is called again after the key was replaced
import jax
import jax.numpy as jnp


def train(params, key, n):
    for _ in range(n):
        key, sub = jax.random.split(key)

        def loss(p):
            return jnp.sum(p * jax.random.bernoulli(sub, 0.5, p.shape))

        params = params - loss(params)
    return params


def outside(params, key, n):
    def noise(scale):
        return scale * jax.random.normal(sub)

    for _ in range(n):
        key, sub = jax.random.split(key)
        params = params + noise(0.5)
    return params


train(jnp.ones(3), jax.random.key(0), 3)
outside(jnp.ones(3), jax.random.key(1), 3)

# %% a function that closes over a key that nobody replaces
import jax


def make(key):
    def noise(shape):
        return jax.random.normal(key, shape)

    return noise


noise = make(jax.random.key(0))
print(noise((2,)))
print(noise((2,)))  #! JAX301

# %% an object of which nothing is known, in the hands of others between two looks at its key
import jax


def draw(rngs, refresh):
    a = jax.random.normal(rngs.key)
    rngs.advance()
    b = jax.random.normal(rngs.key)
    refresh(rngs)
    c = jax.random.normal(rngs.key)
    return a, b, c


def rest(rngs):
    a = jax.random.normal(rngs["noise"])
    rngs["noise"] = jax.random.fold_in(rngs["noise"], 1)
    return a, jax.random.normal(rngs["noise"])


def stack(keys):
    a = jax.random.normal(keys[0])
    keys.pop(0)
    return a, jax.random.normal(keys[0])

# %% an object of which nothing is known, looked at twice
import jax


def draw(state):
    a = jax.random.normal(state.key)
    b = jax.random.normal(state.key)  #! JAX301
    return a, b

# %% one number folded into one key twice: an argument, or a constant by way of a helper
import jax


def layer(key, index):
    return jax.random.normal(jax.random.fold_in(key, index))


def twice(key, step):
    a = jax.random.normal(jax.random.fold_in(key, step))
    b = jax.random.normal(jax.random.fold_in(key, step))  #! JAX301
    return a, b


def pair(key):
    a = layer(key, 0)
    b = layer(key, 0)  #! JAX301
    return a, b


first, second = jax.random.split(jax.random.key(0))
twice(first, 3), pair(second)

# %% a constant folded in that a loop counts as well
import jax


def init(key, n):
    head = jax.random.normal(jax.random.fold_in(key, 0))
    body = [jax.random.normal(jax.random.fold_in(key, i)) for i in range(n)]  #! JAX301
    return head, body


init(jax.random.key(0), 9)

# %% numbers that differ: arguments, counts that start elsewhere or leave one out
import jax


def arguments(key, i, j):
    a = jax.random.normal(jax.random.fold_in(key, i)) + jax.random.normal(jax.random.fold_in(key, j))
    i = i + j
    return a + jax.random.normal(jax.random.fold_in(key, i))


def elsewhere(key, n):
    head = jax.random.normal(jax.random.fold_in(key, 0))
    return head, [jax.random.normal(jax.random.fold_in(key, i)) for i in range(1, n)]


def left_out(key, n):
    draws = [jax.random.normal(jax.random.fold_in(key, 0))]
    for i in range(n):
        if i > 0:
            draws.append(jax.random.normal(jax.random.fold_in(key, i)))
    return draws


first, second, third = jax.random.split(jax.random.key(0), 3)
arguments(first, 1, 2), elsewhere(second, 9), left_out(third, 9)

# %% a conditional expression may have consumed it
import jax


def forward(x, key, noisy):
    x = x + jax.random.normal(key) if noisy else x
    return x * jax.random.bernoulli(key, 0.9)  #! JAX301


def gated(key, noisy):
    noise = noisy and jax.random.uniform(key)
    return noise, jax.random.normal(key)  #! JAX301

# %% the sides of conditional expressions exclude each other
import jax


def forward(key, noisy):
    x = jax.random.normal(key) if noisy else jax.random.uniform(key)
    return x


def guarded(key, noisy):
    x = jax.random.normal(key) if noisy else 0.0
    y = jax.random.uniform(key) if not noisy else x
    return x + y


forward(jax.random.key(0), True), guarded(jax.random.key(1), False)

# %% functions and partials that each have a key of their own
import functools

import jax

samplers = [lambda k=k: jax.random.normal(k) for k in jax.random.split(jax.random.key(0), 3)]
draws = [sample() for sample in samplers]
samplers = [functools.partial(jax.random.normal, k) for k in jax.random.split(jax.random.key(1), 3)]
draws = [sample() for sample in samplers]

# %% a function that replaces the key of the one around it, called in a comprehension
import jax


def draws(key, n):
    def fresh():
        nonlocal key
        key, sub = jax.random.split(key)
        return sub

    several = [jax.random.normal(fresh()) for _ in range(n)]
    return several, jax.random.normal(fresh())


draws(jax.random.key(0), 3)

# %% a key that a function closes over beside one that it is given
import jax


def outer(key, other):
    def draw(k):
        return jax.random.normal(key) + jax.random.normal(k)

    return draw(other)


def apply(sample, k):
    return sample() + jax.random.normal(k)


def handed_on(key, other):
    def sample():
        return jax.random.normal(key)

    return apply(sample, other)


k1, k2, k3, k4 = jax.random.split(jax.random.key(0), 4)
outer(k1, k2), handed_on(k3, k4)

# %% a function that keeps the key itself, as an attribute
import jax


def noise():
    noise.key, sub = jax.random.split(noise.key)
    return jax.random.normal(sub)


noise.key = jax.random.key(0)
print(noise(), noise())

# %% namespace whose key is consumed twice
from types import SimpleNamespace

import jax


def draw(seed):
    state = SimpleNamespace(key=jax.random.key(seed))
    a = jax.random.normal(state.key)
    return a + jax.random.normal(state.key) #! JAX301


draw(0)

# %% dict zip keys by name twice
import jax
import jax.numpy as jnp

names = ["params", "dropout"]
rngs = dict(zip(names, jax.random.split(jax.random.key(0))))
a = jax.random.normal(rngs["params"], (3,))
b = jax.random.normal(rngs["params"], (3,)) #! JAX301
c = jax.random.normal(rngs["dropout"], (3,))

# %% dict zip keys by name, in a function
import jax
import jax.numpy as jnp

NAMES = ("w", "b")


def init(key):
    keys = dict(zip(NAMES, jax.random.split(key, len(NAMES))))
    w = jax.random.normal(keys["w"], (3,))
    b = jax.random.normal(keys["w"], (3,)) #! JAX301
    return w, b


init(jax.random.key(0))

# %% dict comprehension over zip
import jax
import jax.numpy as jnp


def init(key):
    keys = {name: k for name, k in zip(("w", "b"), jax.random.split(key))}
    w = jax.random.normal(keys["w"], (3,))
    b = jax.random.normal(keys["w"], (3,)) #! JAX301
    return w, b


init(jax.random.key(0))

# %% dict zip keys each once
import jax
import jax.numpy as jnp


def init(key):
    keys = dict(zip(("w", "b"), jax.random.split(key)))
    w = jax.random.normal(keys["w"], (3,))
    b = jax.random.normal(keys["b"], (3,))
    return w, b


init(jax.random.key(0))

# %% apply g over the same key
import jax
import jax.numpy as jnp


def apply(g, key):
    return g() + jax.random.normal(key)


def main(key):
    def g():
        return jax.random.normal(key)

    return apply(g, key) #! JAX301


main(jax.random.key(0))

# %% apply g with another key
import jax
import jax.numpy as jnp


def apply(g, key):
    return g() + jax.random.normal(key)


def main(key):
    a, b = jax.random.split(key)

    def g():
        return jax.random.normal(a)

    return apply(g, b)


main(jax.random.key(0))

# %% counters combined right
import jax
import jax.numpy as jnp


def draws(key):
    def outer(i, total):
        def inner(j, total):
            return total + jax.random.normal(jax.random.fold_in(key, 3 * i + j))

        return jax.lax.fori_loop(0, 3, inner, total)

    return jax.lax.fori_loop(0, 3, outer, 0.0)


draws(jax.random.key(0))

# %% two objects given one key
import jax
import jax.numpy as jnp


class Layer:
    def __init__(self, key):
        self.w = jax.random.normal(key, (3,))


key = jax.random.key(0)
a = Layer(key)
b = Layer(key) #! JAX301

# %% two objects keep one key
import jax
import jax.numpy as jnp


class Sampler:
    def __init__(self, key):
        self.key = key

    def draw(self):
        return jax.random.normal(self.key)


key = jax.random.key(0)
a = Sampler(key)
b = Sampler(key)
x = a.draw()
y = b.draw() #! JAX301

# %% two objects keep one key and split
import jax
import jax.numpy as jnp


class Sampler:
    def __init__(self, key):
        self.key = key

    def draw(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)


key = jax.random.key(0)
a = Sampler(key)
b = Sampler(key)
x = a.draw()
y = b.draw() #! JAX301

# %% two objects two keys
import jax
import jax.numpy as jnp


class Sampler:
    def __init__(self, key):
        self.key = key

    def draw(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)


k1, k2 = jax.random.split(jax.random.key(0))
a = Sampler(k1)
b = Sampler(k2)
x = a.draw() + a.draw()
y = b.draw()

# %% overlapping slices that loops go over
import jax
import jax.numpy as jnp


def init(key):
    keys = jax.random.split(key, 4)
    out = []
    for k in keys[:3]:
        out.append(jax.random.normal(k))
    for k in keys[2:]:
        out.append(jax.random.normal(k)) #! JAX301
    return out


init(jax.random.key(0))

# %% disjoint slices that loops go over
import jax
import jax.numpy as jnp


def init(key):
    keys = jax.random.split(key, 4)
    out = []
    for k in keys[:2]:
        out.append(jax.random.normal(k))
    for k in keys[2:]:
        out.append(jax.random.normal(k))
    return out


init(jax.random.key(0))

# %% overlapping slices in comprehensions
import jax
import jax.numpy as jnp


def init(key):
    keys = jax.random.split(key, 4)
    a = [jax.random.normal(k) for k in keys[:3]]
    b = [jax.random.normal(k) for k in keys[1:]] #! JAX301
    return a, b


init(jax.random.key(0))

# %% zip over overlapping slices
import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, 4)
    a = [jax.random.normal(k, (n,)) for n, k in zip((1, 2, 3), keys[:3])]
    b = [jax.random.normal(k, (n,)) for n, k in zip((1, 2, 3), keys[1:])] #! JAX301
    return a, b


init(jax.random.key(0), 2)

# %% two objects of a dataclass keep one key
import dataclasses

import jax


@dataclasses.dataclass
class Sampler:
    key: jax.Array
    scale: float = 1.0

    def draw(self):
        return self.scale * jax.random.normal(self.key)


key = jax.random.key(0)
a = Sampler(key)
b = Sampler(key, 2.0)
x = a.draw()
y = b.draw() #! JAX301

# %% objects made in a loop have keys of their own
import jax


class Sampler:
    def __init__(self, key):
        self.key = key

    def draw(self):
        return jax.random.normal(self.key)


samplers = [Sampler(k) for k in jax.random.split(jax.random.key(0), 3)]
draws = [each.draw() for each in samplers]
more = []
for k in jax.random.split(jax.random.key(1), 20):
    more.append(Sampler(k))
for each in more:
    draws.append(each.draw())

# %% objects made by a helper have keys of their own
import jax


class Sampler:
    def __init__(self, key):
        self.key = key

    def draw(self):
        return jax.random.normal(self.key)


def make(key):
    return Sampler(key)


one, two = jax.random.split(jax.random.key(0))
a, b = make(one), make(two)
x = a.draw() + b.draw()

# %% an object keeps a key that the caller goes on to split
import jax


class Sampler:
    def __init__(self, key):
        self.key = key

    def draw(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)


key = jax.random.key(0)
sampler = Sampler(key)
key, sub = jax.random.split(key)
x = jax.random.normal(sub)
y = sampler.draw() #! JAX301

# %% an object keeps a split of the key
import jax


class Sampler:
    def __init__(self, key):
        self.key, sub = jax.random.split(key)
        self.w = jax.random.normal(sub)

    def draw(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)

    def reset(self, key):
        self.key = key


key = jax.random.key(0)
key, sub = jax.random.split(key)
sampler = Sampler(sub)
x = sampler.draw() + sampler.draw()
sampler.reset(key)
x = sampler.draw() + sampler.draw()

# %% an object that only hands its key on
import jax


class Config:
    def __init__(self, key, depth):
        self.key = key
        self.depth = depth


def init(config):
    a, b = jax.random.split(config.key)
    return jax.random.normal(a) + jax.random.normal(b)


config = Config(jax.random.key(0), 2)
init(config)

# %% a base class keeps the key
import jax


class Base:
    def __init__(self, key):
        self.key = key


class Child(Base):
    def __init__(self, key):
        key, sub = jax.random.split(key)
        super().__init__(key)
        self.w = jax.random.normal(sub)

    def draw(self):
        return jax.random.normal(self.key)


child = Child(jax.random.key(0))
x = child.draw()

# %% two layers are given one key by their block
import jax


class Linear:
    def __init__(self, n, key):
        self.w = jax.random.normal(key, (n,))


class Block:
    def __init__(self, key):
        self.a = Linear(2, key)
        self.b = Linear(2, key) #! JAX301


Block(jax.random.key(0))

# %% zip of keys and layers of unknown number
import jax


def init(key, sizes):
    keys = jax.random.split(key, len(sizes))
    return [jax.random.normal(k, (n,)) for n, k in zip(sizes, keys)]


init(jax.random.key(0), [1, 2])
init(jax.random.key(1), [1, 2, 3])

# %% keys after a zip consumed again as a whole
import jax


def init(key):
    keys = jax.random.split(key, 2)
    a = [jax.random.normal(k, (n,)) for n, k in zip((1, 2), keys)]
    return a, jax.vmap(jax.random.normal)(keys) #! JAX301


init(jax.random.key(0))

# %% keys by name handed to a network
import jax


def apply(rngs):
    return jax.random.normal(rngs["params"]) + jax.random.normal(rngs["dropout"])


def step(key):
    rngs = dict(zip(("params", "dropout"), jax.random.split(key)))
    return apply(rngs)


a, b = jax.random.split(jax.random.key(0))
step(a)
step(b)

# %% keys by name handed to a network twice
import jax


def apply(rngs):
    return jax.random.normal(rngs["params"]) + jax.random.normal(rngs["dropout"])


def step(key):
    rngs = dict(zip(("params", "dropout"), jax.random.split(key)))
    return apply(rngs) + apply(rngs) #! JAX301


step(jax.random.key(0))

# %% long overlapping slices
import jax


def init(key):
    keys = jax.random.split(key, 20)
    a = [jax.random.normal(k) for k in keys[:12]]
    b = [jax.random.normal(k) for k in keys[10:]] #! JAX301
    return a, b


init(jax.random.key(0))

# %% long disjoint slices
import jax


def init(key):
    keys = jax.random.split(key, 20)
    a = [jax.random.normal(k) for k in keys[:10]]
    b = [jax.random.normal(k) for k in keys[10:]]
    return a, b


init(jax.random.key(0))

# %% a loop over keys that is left at once
import jax


def draw(key):
    keys = jax.random.split(key, 3)
    for k in keys:
        x = jax.random.normal(k)
        if x > 0:
            break
    return x


draw(jax.random.key(0))

# %% a function and its argument consume one key: exclusive
import jax


def apply(g, key, first):
    if first:
        return g()
    return jax.random.normal(key)


def main(key, first):
    def g():
        return jax.random.normal(key)

    return apply(g, key, first)


main(jax.random.key(0), True)

# %% a function and its argument consume one key: arms
import jax


def apply(g, key, first):
    if first:
        x = g()
    else:
        x = jax.random.normal(key)
    return x


def main(key, first):
    return apply(lambda: jax.random.normal(key), key, first)


main(jax.random.key(0), True)

# %% a lambda over a key beside the key
import jax


def noisy(f, x, key):
    return f(x) + jax.random.normal(key, x.shape)


def main(x, key):
    return noisy(lambda v: v * jax.random.uniform(key, v.shape), x, key) #! JAX301


main(jax.numpy.ones(3), jax.random.key(0))

# %% a partial over a key beside the key
import functools

import jax


def scale(key, v):
    return v * jax.random.uniform(key, v.shape)


def noisy(f, x, key):
    return f(x) + jax.random.normal(key, x.shape)


def main(x, key):
    return noisy(functools.partial(scale, key), x, key) #! JAX301


main(jax.numpy.ones(3), jax.random.key(0))

# %% a lambda over another key
import jax


def noisy(f, x, key):
    key, sub = jax.random.split(key)
    return f(x, sub) + jax.random.normal(key, x.shape)


def main(x, key):
    mine, yours = jax.random.split(key)
    return noisy(lambda v, k: v * jax.random.uniform(k, v.shape) + jax.random.normal(mine), x, yours)


main(jax.numpy.ones(3), jax.random.key(0))

# %% a function tried and another one instead
import jax


def attempt(g, key):
    try:
        return g()
    except ValueError:
        return jax.random.normal(key)


def main(key):
    return attempt(lambda: jax.random.normal(key), key)


main(jax.random.key(0))

# %% training loop with keys by name each step
import jax
import jax.numpy as jnp

NAMES = ("params", "dropout", "noise")


def apply(params, x, rngs):
    keep = jax.random.bernoulli(rngs["dropout"], 0.9, x.shape)
    return x * params * keep + jax.random.normal(rngs["noise"], x.shape)


def train(key, steps):
    init_key, key = jax.random.split(key)
    rngs = dict(zip(NAMES, jax.random.split(init_key, 3)))
    params = jax.random.normal(rngs["params"], ())
    for _ in range(steps):
        key, sub = jax.random.split(key)
        rngs = dict(zip(NAMES, jax.random.split(sub, 3)))
        y = apply(params, jnp.ones(3), rngs)
    return y


train(jax.random.key(0), 3)

# %% keys by name popped and replaced
import jax


def draw(key):
    rngs = dict(zip(("a", "b"), jax.random.split(key)))
    x = jax.random.normal(rngs["a"])
    rngs["a"] = jax.random.fold_in(rngs["a"], 1)
    return x + jax.random.normal(rngs["a"]) + jax.random.normal(rngs.pop("b"))


draw(jax.random.key(0))

# %% loop over pairs of keys in two halves
import jax


def init(key, n=3):
    keys = jax.random.split(key, 2 * n)
    for k1, k2 in zip(keys[:n], keys[n:]):
        jax.random.normal(k1)
        jax.random.normal(k2)


init(jax.random.key(0))

# %% a key of which nothing is known, in what transforms, partials and other names make of a function that draws
import pickle
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


def noise(key, x, scale=1.0):
    return x + scale * jax.random.normal(key, x.shape)


def forward(key, x):
    key, sub = jax.random.split(key)
    return key, x + jax.random.normal(sub, x.shape)


def plus_one(key, x):
    return x + 1


compiled = jax.jit(noise)
mapped = jax.vmap(noise)
louder = partial(noise, scale=2.0)
known = partial(noise, jax.random.PRNGKey(1))
advancing = jax.jit(forward)
ignoring = jax.jit(plus_one)


def by_jit(file, x):
    key = pickle.loads(file)
    return compiled(key, x) + compiled(key, x + 1)  #! JAX301


def by_vmap(file, x):
    keys = pickle.loads(file)
    return mapped(keys, x) + mapped(keys, x + 1)  #! JAX301


def by_partial(file, x):
    key = pickle.loads(file)
    return louder(key, x) + louder(x=x + 1, key=key)  #! JAX301


def by_lambda(file, x):
    key, draw = pickle.loads(file), lambda key, x: noise(key, x)
    return draw(key, x) + draw(key, x + 1)  #! JAX301


def of_another(file, x):
    key = pickle.loads(file)
    first = compiled(key, x)
    key = pickle.loads(file)
    return first + compiled(key, x) + ignoring(key, x) + known(x)


def given_back(file, x):
    key = pickle.loads(file)
    key, first = advancing(key, x)
    key, second = advancing(key, x)
    return first + second


def one_of_two(file, x, loud):
    key = pickle.loads(file)
    if loud:
        return louder(key, x)
    return compiled(key, x)


def folded(file, xs):
    key = pickle.loads(file)
    return [compiled(jax.random.fold_in(key, i), x) for i, x in enumerate(xs)]


class Model:
    def __init__(self):
        self.run = jax.jit(self.sample)

    def sample(self, key, x):
        return x + jax.random.normal(key, x.shape)

    def twice(self, file, x):
        key = pickle.loads(file)
        return self.run(key, x) + self.run(key, x + 1)  #! JAX301

    def apart(self, file, x):
        first, second = pickle.loads(file)
        return self.run(first, x) + self.run(second, x + 1)


file = pickle.dumps(np.asarray(jax.random.PRNGKey(0)))
files = pickle.dumps(np.asarray(jax.random.split(jax.random.PRNGKey(0))))
by_jit(file, jnp.ones(2))
by_vmap(files, jnp.ones((2, 3)))
by_partial(file, jnp.ones(2))
by_lambda(file, jnp.ones(2))
of_another(file, jnp.ones(2))
given_back(file, jnp.ones(2))
one_of_two(file, jnp.ones(2), True)
folded(file, jnp.ones((2, 2)))
Model().twice(file, jnp.ones(2))
Model().apart(files, jnp.ones(2))

# %% every other key
import jax


def init(key):
    keys = jax.random.split(key, 6)
    a = [jax.random.normal(k) for k in keys[::2]]
    b = [jax.random.normal(k) for k in keys[1::2]]
    return a, b


init(jax.random.key(0))

# %% first key kept, rest looped
import jax


def init(key):
    keys = jax.random.split(key, 5)
    key, rest = keys[0], keys[1:]
    out = [jax.random.normal(k) for k in rest]
    return out, jax.random.normal(key)


init(jax.random.key(0))

# %% enumerate over keys of known number
import jax


def init(key):
    keys = jax.random.split(key, 3)
    out = []
    for i, k in enumerate(keys):
        k1, k2 = jax.random.split(k)
        out.append(jax.random.normal(k1, (i + 1,)) .sum() + jax.random.normal(k2))
    return out


init(jax.random.key(0))

# %% loop that consumes keys by need
import jax


def init(key, flags=(True, False, True)):
    keys = jax.random.split(key, 3)
    out = []
    for flag, k in zip(flags, keys):
        if flag:
            out.append(jax.random.normal(k))
        else:
            out.append(jax.random.uniform(k))
    return out


init(jax.random.key(0))

# %% nested zip of keys per layer
import jax


class MLP:
    def __init__(self, sizes, key):
        keys = jax.random.split(key, len(sizes) - 1)
        self.layers = [Linear(m, n, k) for m, n, k in zip(sizes[:-1], sizes[1:], keys)]


class Linear:
    def __init__(self, m, n, key):
        wkey, bkey = jax.random.split(key)
        self.w = jax.random.normal(wkey, (m, n))
        self.b = jax.random.normal(bkey, (n,))


k1, k2 = jax.random.split(jax.random.key(0))
MLP([2, 3, 4], k1)
MLP([2, 3, 4, 5], k2)

# %% agent that takes its key and gives one back
import jax


class Agent:
    def __init__(self, key):
        key, sub = jax.random.split(key)
        self.key = key
        self.w = jax.random.normal(sub)

    def act(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)


class Runner:
    def __init__(self, seed):
        key = jax.random.key(seed)
        key, agent_key, env_key = jax.random.split(key, 3)
        self.agent = Agent(agent_key)
        self.env = Agent(env_key)
        self.key = key

    def run(self):
        for _ in range(3):
            self.agent.act()
            self.env.act()
            self.key, sub = jax.random.split(self.key)
            jax.random.normal(sub)


Runner(0).run()

# %% immutable state with key replaced
import dataclasses

import jax


@dataclasses.dataclass(frozen=True)
class State:
    key: jax.Array
    value: float = 0.0


def step(state):
    key, sub = jax.random.split(state.key)
    return dataclasses.replace(state, key=key, value=jax.random.normal(sub))


state = State(jax.random.key(0))
state = step(state)
state = step(state)
for _ in range(3):
    state = step(state)

# %% dataclass state made anew each iteration
import dataclasses

import jax


@dataclasses.dataclass
class State:
    key: jax.Array
    value: float = 0.0


def step(state):
    key, sub = jax.random.split(state.key)
    return State(key, jax.random.normal(sub))


state = State(jax.random.key(0))
for _ in range(3):
    state = step(state)
last = step(step(state))

# %% namedtuple state
from typing import NamedTuple

import jax


class State(NamedTuple):
    key: jax.Array
    value: float = 0.0


def step(state):
    key, sub = jax.random.split(state.key)
    return state._replace(key=key, value=jax.random.normal(sub))


state = State(jax.random.key(0))
for _ in range(3):
    state = step(state)

# %% a method of a named tuple derives a key of the tuple that it is called on
from typing import NamedTuple

import jax


class Stream(NamedTuple):
    key: jax.Array
    drawn: int = 0

    def child(self):
        return jax.random.split(self.key)[1]

    def after(self):
        key, sub = jax.random.split(self.key)
        return Stream(key, self.drawn + 1), sub

    def fork(self):
        return self._replace(key=jax.random.fold_in(self.key, 1))


def of_two(key):
    one, other = jax.random.split(key)
    return jax.random.normal(Stream(one).child()) + jax.random.normal(Stream(other).child())


def in_turn(key):
    stream = Stream(key)
    stream, first = stream.after()
    stream, second = stream.after()
    return jax.random.normal(first) + jax.random.normal(second)


def forked(key):
    stream = Stream(key)
    return jax.random.normal(stream.child()) + jax.random.normal(stream.fork().child())


def forked_twice(key):
    stream = Stream(key)
    left, right = stream.fork(), stream.fork()
    return jax.random.normal(left.child()) + jax.random.normal(right.child())  #! JAX301


def in_turn_forgotten(key):
    stream = Stream(key)
    first = stream.after()[1]
    second = stream.after()[1]  #! JAX301
    return jax.random.normal(first) + jax.random.normal(second)


def given(one: Stream, other: Stream):
    return jax.random.normal(one.child()) + jax.random.normal(other.child())


def given_once(one: Stream):
    return jax.random.normal(one.child()) + jax.random.normal(one.child())  #! JAX301


def by_class(one, other):
    return jax.random.normal(Stream.child(one)) + jax.random.normal(Stream.child(other))


streams = [Stream(jax.random.key(seed)) for seed in range(2)]
of_two(jax.random.key(2)), in_turn(jax.random.key(3)), forked(jax.random.key(4))
given(*streams)

# %% an object that is reset with another key
import jax


class Env:
    def __init__(self, key):
        self.key = key

    def reset(self, key):
        self.key = key
        return self

    def step(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)


a, b = jax.random.split(jax.random.key(0))
env = Env(a)
env.step()
env.reset(b)
env.step()

# %% objects in a dict with keys apart
import jax


class Env:
    def __init__(self, key):
        self.key = key

    def step(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)


keys = dict(zip(("a", "b"), jax.random.split(jax.random.key(0))))
envs = {name: Env(key) for name, key in keys.items()}
for env in envs.values():
    env.step()
envs["a"].step()
envs["b"].step()

# %% closure over one key, argument another
import jax


def sample(draw, key, n):
    out = []
    for _ in range(n):
        key, sub = jax.random.split(key)
        out.append(draw(sub))
    return out


def main(key):
    key, fixed_key = jax.random.split(key)
    shift = jax.random.normal(fixed_key)
    return sample(lambda k: jax.random.normal(k) + shift, key, 3)


main(jax.random.key(0))

# %% memo of a jitted step by name
import functools

import jax


@functools.lru_cache(maxsize=None)
def compiled(name):
    return jax.jit({"double": lambda x: x * 2, "half": lambda x: x / 2}[name])


for name in ("double", "half", "double"):
    compiled(name)(1.0)

# %% class attribute set by configure before use
import jax


class Settings:
    dtype = "float32"
    scale = 1.0

    @classmethod
    def configure(cls, **kw):
        for name, value in kw.items():
            setattr(cls, name, value)


def main():
    Settings.configure(scale=2.0)
    step = jax.jit(lambda x: x * Settings.scale)
    return step(1.0)


main()

# %% default attribute overridden in the constructor by a flag
import jax


class Model:
    depth = 2
    act = None

    def __init__(self, act=None):
        if act is not None:
            self.act = act

    def __call__(self, x):
        for _ in range(self.depth):
            x = x if self.act is None else self.act(x)
        return x


model = Model(jax.nn.relu)
f = jax.jit(lambda x: model(x))
f(1.0)
f(2.0)

# %% lengths of own class
import jax
import jax.numpy as jnp


class Stack:
    def __init__(self):
        self.items = []

    def __len__(self):
        return len(self.items)

    def __bool__(self):
        return len(self.items) > 0

    def __contains__(self, item):
        return any(item is each for each in self.items)

    def push(self, x):
        self.items.append(x)


@jax.jit
def f(x):
    stack = Stack()
    if not stack:
        stack.push(x)
    if x in stack and len(stack) == 1:
        return stack.items[-1]
    return x


f(1.0)

# %% optional module tested for truth
import jax
import jax.numpy as jnp


class Dropout:
    def __init__(self, rate):
        self.rate = rate

    def __call__(self, x):
        return x * (1 - self.rate)


class Net:
    def __init__(self, dropout=None):
        self.dropout = dropout

    def __call__(self, x):
        return self.dropout(x) if self.dropout else x


net = Net(Dropout(0.1))
jax.jit(lambda x: net(x))(jnp.ones(2))

# %% sort of names with arrays beside them
import jax
import jax.numpy as jnp


@jax.jit
def f(params):
    items = sorted(params.items(), key=lambda item: item[0])
    names = sorted(params)
    best = max(params, key=len)
    order = sorted(range(len(names)), key=lambda i: params[names[i]].size)
    return sum(value.sum() for _, value in items) + params[best].sum() + params[names[order[0]]].sum()


f({"w": jnp.ones((2, 2)), "bias": jnp.ones(2)})

# %% itertools over static things in jit
import itertools
import operator

import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    n = x.shape[0]
    total = 0.0
    for i, j in itertools.combinations(range(n), 2):
        total = total + x[i] * x[j]
    for i, j in itertools.product(range(n), repeat=2):
        total = total + x[i] - x[j]
    sizes = list(itertools.accumulate([1, 2, 3], operator.add))
    for a, b in itertools.pairwise(sizes):
        total = total + x[:a].sum() * (b - a)
    for k in itertools.islice(itertools.count(), n):
        total = total + k
    return total + sum(itertools.repeat(x.sum(), n))


f(jnp.ones(3))

# %% list repeated by a length
import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    axes = [None] * (x.ndim - 1)
    idx = (slice(None),) * x.ndim
    return x[idx][(..., *axes)] * len("-" * x.shape[0])


f(jnp.ones((2, 2)))

# %% array times list display is not a repeat
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):
    return x * np.array([1.0, 2.0]) + jnp.array([1, 2]) * x


f(jnp.ones(2))

# %% namespace of settings and state
from types import SimpleNamespace

import jax
import jax.numpy as jnp

cfg = SimpleNamespace(model=SimpleNamespace(depth=2, rate=0.1), debug=False)


@jax.jit
def f(x):
    if cfg.debug:
        print(x)
    for _ in range(cfg.model.depth):
        x = x * cfg.model.rate
    return x


cfg.model.depth = 3
f(jnp.ones(2))

# %% count and index of static values
import jax
import jax.numpy as jnp


@jax.jit
def f(x, y):
    names = ["a", "b", "a"]
    shapes = [x.shape, y.shape]
    if names.count("a") == 2 and x.shape in shapes and None not in (x, y):
        return x * names.index("b") + shapes.index(x.shape)
    return y


f(jnp.ones(2), jnp.ones(2))

# %% None in a tuple of tracers
import jax
import jax.numpy as jnp


@jax.jit
def f(x, y=None):
    if None in (x,):
        return 0.0
    if any(v is None for v in (x, y)):
        return x
    return x + y


f(jnp.ones(2))

# %% keys by names that are put together
import jax


def init(key):
    keys = {f"layer_{i}": k for i, k in enumerate(jax.random.split(key, 3))}
    a = jax.random.normal(keys["layer_0"])
    b = jax.random.normal(keys["layer_1"])
    return a + b + jax.random.normal(keys["layer_0"]) #! JAX301


init(jax.random.key(0))

# %% keys by names that are put together, each once
import jax


def init(key):
    keys = {f"layer_{i}": k for i, k in enumerate(jax.random.split(key, 3))}
    return [jax.random.normal(keys[f"layer_{i}"]) for i in range(3)]


init(jax.random.key(0))

# %% names of many layers
import jax
import jax.numpy as jnp


def layer(params, x, name):
    return x * params[name]


@jax.jit
def f(params, x):
    for i in range(12):
        x = layer(params, x, name=f"w{i}")
    return x


f({f"w{i}": 1.0 for i in range(12)}, 1.0)

# %% keys of many layers
import jax


def init(key, n=12):
    keys = jax.random.split(key, n)
    return {f"w{i}": jax.random.normal(keys[i]) for i in range(n)}


init(jax.random.key(0))

# %% an object that begins anew with the key it was made with
import jax


class Env:
    def __init__(self, key):
        self.first = key
        self.key = key

    def reset(self):
        self.key = self.first

    def step(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)


env = Env(jax.random.key(0))
env.step()
env.reset()
env.step()
for _ in range(3):
    env.reset()
    env.step()

# %% an object given one key twice
import jax


class Env:
    def reset(self, key):
        self.key = key

    def step(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)


env = Env()
key = jax.random.key(0)
env.reset(key)
env.step()
env.reset(key)
env.step() #! JAX301

# %% an object given a key in each iteration
import jax


class Env:
    def reset(self, key):
        self.key = key

    def step(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)


env = Env()
for key in jax.random.split(jax.random.key(0), 20):
    env.reset(key)
    env.step()
for seed in range(3):
    env.reset(jax.random.key(seed))
    env.step()
    env.step()

# %% a wrapper hands the key on to what it wraps
import jax


class Inner:
    def __init__(self, key):
        self.key = key

    def draw(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)


class Outer:
    def __init__(self, key):
        key, sub = jax.random.split(key)
        self.inner = Inner(sub)
        self.key = key

    def draw(self):
        self.key, sub = jax.random.split(self.key)
        return self.inner.draw() + jax.random.normal(sub)


outer = Outer(jax.random.key(0))
x = outer.draw() + outer.draw()

# %% shapes of a method: what is asked for the shapes of its result draws nothing
from functools import partial

import jax


class Model:
    def __init__(self, n):
        self.n = n

    def init(self, key, scale):
        return scale * jax.random.normal(key, (self.n,))


model = Model(3)
key = jax.random.key(0)
shapes = jax.eval_shape(partial(model.init, scale=2.0), key)
print(shapes, model.init(key, 2.0))

# %% shapes by a helper: the helper asks for the shapes, the draw comes later
import jax
import jax.numpy as jnp


def forward(params, key):
    noise = jax.random.normal(key, (3,))
    return params + noise


def output_shape(params, key):
    return jax.eval_shape(forward, params, key).shape


key = jax.random.key(0)
params = jnp.ones(3)
shape = output_shape(params, key)
print(shape, forward(params, key))

# %% shapes of a closure: the key is closed over
import jax


def build(key):
    def init():
        return jax.random.normal(key, (3,))

    shapes = jax.eval_shape(init)
    return shapes, init()


print(build(jax.random.key(0)))

# %% shapes and two draws: the shapes are not what repeats
import jax


def init(key):
    return jax.random.normal(key, (3,))


key = jax.random.key(0)
shapes = jax.eval_shape(init, key)
print(init(key), init(key))  #! JAX301

# %% key of a property: each read splits the key of the object that is handed in
import jax


class Rng:
    def __init__(self, seed):
        self._key = jax.random.key(seed)

    @property
    def key(self):
        self._key, sub = jax.random.split(self._key)
        return sub


def sample(rng: Rng, shape):
    a = jax.random.normal(rng.key, shape)
    b = jax.random.normal(rng.key, shape)
    return a + b

# %% key of a method: each call splits the key of the object that is handed in
import jax


class Rng:
    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def next(self):
        self.key, sub = jax.random.split(self.key)
        return sub


def sample(rng: Rng, shape):
    a = jax.random.normal(rng.next(), shape)
    b = jax.random.normal(rng.next(), shape)
    return a + b

# %% key of a property of a dataclass: what the object holds is replaced at each read
import dataclasses

import jax


@dataclasses.dataclass
class Rng:
    key: jax.Array

    @property
    def next(self):
        self.key, sub = jax.random.split(self.key)
        return sub


def sample(rng: Rng, shape):
    a = jax.random.normal(rng.next, shape)
    b = jax.random.normal(rng.next, shape)
    return a + b

# %% key of an object of a known class: the class shows that each read splits
import jax


class Rng:
    def __init__(self, seed):
        self._key = jax.random.key(seed)

    @property
    def key(self):
        self._key, sub = jax.random.split(self._key)
        return sub


def sample(rng, shape):
    if isinstance(rng, Rng):
        a = jax.random.normal(rng.key, shape)
        b = jax.random.normal(rng.key, shape)
        return a + b
    assert isinstance(rng, Rng)
    return jax.random.normal(rng.key, shape) + jax.random.normal(rng.key, shape)

# %% key of an attribute's property: the object is held by another one
import jax


class Rng:
    def __init__(self, seed):
        self._key = jax.random.key(seed)

    @property
    def key(self):
        self._key, sub = jax.random.split(self._key)
        return sub


class Model:
    def __init__(self, rng: Rng):
        self.rng = rng

    def sample(self, shape):
        a = jax.random.normal(self.rng.key, shape)
        b = jax.random.normal(self.rng.key, shape)
        return a + b

# %% key of a property that heirs define: one of them splits
import jax


class Rng:
    @property
    def key(self):
        raise NotImplementedError


class Split(Rng):
    def __init__(self, seed):
        self._key = jax.random.key(seed)

    @property
    def key(self):
        self._key, sub = jax.random.split(self._key)
        return sub


def sample(rng: Rng, shape):
    a = jax.random.normal(rng.key, shape)
    b = jax.random.normal(rng.key, shape)
    return a + b

# %% key that is counted: the property folds in another number at each read
import jax


class Rng:
    def __init__(self, key):
        self.base = key
        self.count = 0

    @property
    def key(self):
        self.count += 1
        return jax.random.fold_in(self.base, self.count)


def sample(rng: Rng, shape):
    a = jax.random.normal(rng.key, shape)
    b = jax.random.normal(rng.key, shape)
    return a + b

# %% key of an attribute: both reads give the key that the object holds
import jax


class Rng:
    def __init__(self, seed):
        self.key = jax.random.key(seed)


def sample(rng: Rng, shape):
    a = jax.random.normal(rng.key, shape)
    b = jax.random.normal(rng.key, shape)  #! JAX301
    return a + b

# %% key behind a property: it gives the key that the object holds
import jax


class Rng:
    def __init__(self, seed):
        self._key = jax.random.key(seed)

    @property
    def key(self):
        return self._key


def sample(rng: Rng, shape):
    a = jax.random.normal(rng.key, shape)
    b = jax.random.normal(rng.key, shape)  #! JAX301
    return a + b

# %% state that each call makes: the keys that it holds are those of its own seed
import dataclasses

import jax


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    key: jax.Array
    x: jax.Array


def create(key):
    key, sub = jax.random.split(key)
    return State(key, jax.random.normal(sub))


class Agent:
    def __init__(self, scale):
        self.scale = scale

    def update(self, state):
        key, sub = jax.random.split(state.key)
        return State(key, state.x + self.scale * jax.random.normal(sub))

    def train(self, key):
        return self.update(create(key))


def twice(seed):
    agent = Agent(2.0)
    first = agent.train(jax.random.key(seed))
    second = agent.train(jax.random.key(seed + 1))
    return first.x + second.x


train = jax.jit(Agent(3.0).train)


def some(agents=3):
    agent = Agent(1.0)
    return [agent.train(jax.random.key(seed)).x for seed in range(agents)]


twice(0)
twice(2)
train(jax.random.key(4))
train(jax.random.key(5))
some()

# %% state that is handed in twice: both calls split the key that it holds
import dataclasses

import jax


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    key: jax.Array
    x: jax.Array


def create(key):
    key, sub = jax.random.split(key)
    return State(key, jax.random.normal(sub))


def update(state):
    key, sub = jax.random.split(state.key)
    return State(key, state.x + jax.random.normal(sub))


state = create(jax.random.key(0))
a = update(state)
b = update(state)  #! JAX301

# %% equal splits: the children at the same places are the same keys, and both are drawn from
import jax


def two_layers(key):
    first_key, second_key = jax.random.split(key)
    first = jax.random.normal(first_key, (3,))
    second = jax.random.normal(second_key, (3,))
    third_key, fourth_key = jax.random.split(key)  #! JAX301
    third = jax.random.uniform(third_key, (3,))
    fourth = jax.random.uniform(fourth_key, (3,))
    return first, second, third, fourth


two_layers(jax.random.key(0))

# %% equal splits in a helper: both calls draw from the same children
import jax


def layer(key):
    weight_key, bias_key = jax.random.split(key)
    return jax.random.normal(weight_key, (3, 3)), jax.random.normal(bias_key, (3,))


def network(key):
    encoder = layer(key)
    decoder = layer(key)  #! JAX301
    return encoder, decoder


network(jax.random.key(0))

# %% splits of other lengths: the first keys are the same whatever the number
import jax


def start(key):
    few = jax.random.split(key)
    many = jax.random.split(key, 5)  #! JAX301
    return jax.random.normal(few[1]), jax.random.normal(many[1])


start(jax.random.key(0))

# %% equal splits whose children are drawn from at other places: no number repeats
import jax


def apart(key):
    first, _ = jax.random.split(key)
    _, second = jax.random.split(key)  #! JAX308
    return jax.random.normal(first), jax.random.normal(second)


def forgotten(key):
    keys = jax.random.split(key, 4)  #! JAX310
    keys = jax.random.split(key, 3)  #! JAX308
    return jax.vmap(jax.random.normal)(keys)


apart(jax.random.key(0)), forgotten(jax.random.key(1))

# %% splits in branches of which one is taken, then one draw from a child
import jax


def choose(key, wide):
    if wide:
        first, second = jax.random.split(key)
    else:
        first, second = jax.random.split(key)
    return jax.random.normal(first), jax.random.normal(second)


choose(jax.random.key(0), True)

# %% draws that nothing reads: a warm-up, a result that is dropped, one that is assigned and never read
import jax


def measured(key):
    jax.random.normal(key, (3,)).block_until_ready()
    _ = jax.random.normal(key, (3,))
    unread = jax.random.uniform(key, (3,))
    first, second = jax.random.normal(key, (3,)), jax.random.normal(key, (3,))
    return jax.random.normal(key, (3,))


measured(jax.random.key(0))

# %% draws that something reads, if late: in a nested function, in another iteration
import jax


def kept(key):
    noise = jax.random.normal(key, (3,))
    again = jax.random.normal(key, (3,))  #! JAX301

    def later():
        return noise, again

    return later


kept(jax.random.key(0))()

# %% dummy inputs: of what is drawn only the shape is read
import jax
import jax.numpy as jnp


class Model:
    def init(self, key, x):
        return jax.random.normal(key, x.shape)


def build(model, key):
    x = jax.random.normal(key, (4, 8))
    params = model.init(key, x)
    return params


def build_at_once(model, key):
    return model.init(key, jax.random.uniform(key, (4, 8)))


def sizes(key):
    like = jax.random.normal(key, (3,))
    start = jnp.zeros_like(like) + like.shape[0]
    return start + jax.random.normal(key, (3,))


def mean_of_both(model, key):
    x = jax.random.normal(key, (4, 8))
    params = model.init(key, x)  #! JAX301
    return params + x


build(Model(), jax.random.key(0)), build_at_once(Model(), jax.random.key(1)), sizes(jax.random.key(2))
mean_of_both(Model(), jax.random.key(3))

# %% one order for several arrays: rows stay paired
import jax
import jax.numpy as jnp


def shuffled(key, images, labels):
    images = jax.random.permutation(key, images)
    labels = jax.random.permutation(key, labels, axis=0)
    return images, labels


def sampled(key, x, y, size):
    return jax.random.choice(key, x, (size,)), jax.random.choice(key, y, (size,))


def reorder(key, x):
    return jax.random.permutation(key, x)


def by_helper(key, x, y):
    return reorder(key, x), reorder(key, y), [jax.random.permutation(key, each) for each in (x, y)]


def by_name(key, batch):
    return {name: jax.random.permutation(key, value) for name, value in batch.items()}


x = jnp.arange(6)
shuffled(jax.random.key(0), x, x), sampled(jax.random.key(1), x, x, 2), by_helper(jax.random.key(2), x, x)
by_name(jax.random.key(3), {"a": x, "b": x})

# %% keys written into the arguments of a jitted function
import copy

import jax


@jax.jit
def twice(state):
    before = jax.random.normal(state["key"])
    state["key"] = jax.random.fold_in(state["key"], 1)
    return before + jax.random.normal(state["key"])


@jax.jit
def by_step(state):
    def step(state):
        following, here = jax.random.split(state["key"])
        state["key"] = following
        return state, jax.random.normal(here)

    state, first = step(state)
    state, second = step(state)
    return first + second


@jax.jit
def not_written(state):
    def step(state):
        _, here = jax.random.split(state["key"])
        return state, jax.random.normal(here)

    state, first = step(state)
    state, second = step(state)  #! JAX301
    return first + second


@jax.jit
def into_a_copy(state, other):
    new = copy.copy(state)
    new["key"] = other
    return jax.random.normal(new["key"]) + jax.random.normal(state["key"])


print(twice({"key": jax.random.key(0)}), by_step({"key": jax.random.key(0)}))
print(not_written({"key": jax.random.key(0)}))
print(into_a_copy({"key": jax.random.key(0)}, jax.random.key(1)))

# %% orders that pair nothing: the same array again, other sizes, another sampler
import jax
import jax.numpy as jnp


def twice(key, count):
    train = jax.random.permutation(key, count)
    test = jax.random.permutation(key, count)  #! JAX301
    return train, test


def other_sizes(key, x, y):
    return jax.random.choice(key, x, (2,)), jax.random.choice(key, y, (3,))  #! JAX301


def and_noise(key, x):
    return jax.random.permutation(key, x), jax.random.normal(key, x.shape)  #! JAX301


def epochs(key, x):
    orders = []
    for _ in range(3):
        orders.append(jax.random.permutation(key, x))  #! JAX302
    return orders


x = jnp.arange(6)
twice(jax.random.key(0), 6), other_sizes(jax.random.key(1), x, x), and_noise(jax.random.key(2), x)
epochs(jax.random.key(3), x)

# %% an order of what holds an earlier order pairs no rows
import jax
import jax.numpy
import jax.numpy as jnp


def placed(key, inside, outside):
    first = jax.random.permutation(key, inside)
    every = jnp.concatenate((first, outside))
    return jax.random.permutation(key, every)[:2]  #! JAX301


def stacked(key, inside, outside):
    first = jax.random.choice(key, inside, (2,))
    every = jax.numpy.stack([outside[:2], first], axis=1).ravel()
    return jax.random.choice(key, every, (2,))  #! JAX301


def cut(key, inside):
    first = jax.random.permutation(key, inside)
    return jax.random.permutation(key, first[1:])  #! JAX301


x = jnp.arange(4)
print(placed(jax.random.key(0), x, x), stacked(jax.random.key(1), x, x), cut(jax.random.key(2), x))

# %% but the other part of a pair, or the number of the rows, is not the order
import jax
import jax.numpy as jnp


def of_pair(key, x, y):
    first = jax.random.permutation(key, x)
    pair = (first, y)
    return pair[0], jax.random.permutation(key, pair[1])


def of_batch(key, batch):
    batch = {**batch, "x": jax.random.permutation(key, batch["x"])}
    batch["y"] = jax.random.permutation(key, batch["y"])
    return batch


def of_as_many(key, x, y):
    first = jax.random.permutation(key, x)
    indices = jnp.arange(jnp.size(first))
    more = jnp.ones((len(first), 2)) * jnp.zeros((first.shape[0], 1))
    return first, y[jax.random.permutation(key, indices)], jax.random.permutation(key, more)


def in_parts(key, x, y):
    first = jax.random.permutation(key, x)
    train = jnp.concatenate((first, x))
    second = jax.random.permutation(key, y)
    return train, jnp.concatenate((second, y))


x = jnp.arange(4)
print(of_pair(jax.random.key(0), x, x), of_batch(jax.random.key(1), {"x": x, "y": x}))
print(of_as_many(jax.random.key(2), x, x), in_parts(jax.random.key(3), x, x))

# %% arms of a selection: of two draws one is taken
import jax
import jax.numpy as jnp


def selected(key, flag):
    return jnp.where(flag, jax.random.normal(key, (3,)), jax.random.uniform(key, (3,)))


def by_masks(key, kind):
    low = jax.random.randint(key, (), 0, 2) * (kind == 0) + jax.random.randint(key, (), 0, 9) * (kind == 1)
    return low


def in_the_test(key):
    return jnp.where(jax.random.bernoulli(key), jax.random.normal(key), 0.0)  #! JAX301


def mixed(key, kind, other):
    return jax.random.normal(key) * (kind == 0) + jax.random.uniform(key) * (other == 1)  #! JAX301


selected(jax.random.key(0), True), by_masks(jax.random.key(1), 1), in_the_test(jax.random.key(2))
mixed(jax.random.key(3), 0, 1)

# %% arms of a selection by way of variables: each draw goes into one arm, and nothing else reads it
import jax
import jax.numpy as jnp


def selected(key, flag):
    normal = jax.random.normal(key, (3,))
    normal = 2 * normal
    uniform, scale = jax.random.uniform(key, (3,)), 3
    return jnp.where(flag, normal, uniform)


def replaced(key, flag):
    x = jax.random.normal(key, (3,))
    y = jnp.exp(jax.random.uniform(key, (3,)))
    width = y.shape[0]
    x = jax.lax.select(jnp.full(width, flag), x, y)
    return x + 1


def leaf_by_leaf(key, done, old):
    fresh = {"x": jax.random.normal(key, (3,))}
    moved = {"x": old + jax.random.uniform(key, (3,))}

    def select(a, b):
        mask = done.reshape((1,) * a.ndim)
        return jnp.where(mask, a, b)

    return jax.tree.map(select, fresh, moved)


def leaf_by_leaf_too(key, done, old):
    fresh = {"x": jax.random.normal(key, (3,))}
    moved = {"x": old + jax.random.uniform(key, (3,))}
    return jax.tree_util.tree_map(lambda a, b: jnp.where(done, a, b), fresh, moved)


selected(jax.random.key(0), True), replaced(jax.random.key(1), True)
leaf_by_leaf(jax.random.key(2), jnp.array(True), 1.0), leaf_by_leaf_too(jax.random.key(3), True, 1.0)

# %% arms of a selection by way of variables: the draws are read elsewhere, or the selection is one of others
import jax
import jax.numpy as jnp


def read_too(key, flag):
    x = jax.random.normal(key, (3,))
    y = jax.random.uniform(key, (3,))  #! JAX301
    return jnp.where(flag, x, y) + x.sum()


def tested(key):
    x = jax.random.normal(key, (3,))
    y = jax.random.uniform(key, (3,))  #! JAX301
    return jnp.where(x > 0, x, y)


def closed_over(key, flag):
    x = jax.random.normal(key, (3,))
    shown = lambda: x
    y = jax.random.uniform(key, (3,))  #! JAX301
    x = jnp.where(flag, x, y)
    return x + shown()


def both_kept(key, flag):
    x = jax.random.normal(key, (3,))
    y = jax.random.uniform(key, (3,))  #! JAX301
    x = jnp.where(flag, x, y)
    return x + y


def two_selections(key, flag):
    x = jax.random.normal(key, (3,))
    y = jax.random.uniform(key, (3,))  #! JAX301
    return jnp.where(flag, x, 0.0) + jnp.where(flag, y, 0.0)


def added_leaf_by_leaf(key, done):
    fresh = {"x": jax.random.normal(key, (3,))}
    moved = {"x": jax.random.uniform(key, (3,))}  #! JAX301
    return jax.tree.map(lambda a, b: jnp.where(done, a, a + b), fresh, moved)


read_too(jax.random.key(0), True), tested(jax.random.key(1)), closed_over(jax.random.key(2), True)
both_kept(jax.random.key(3), True), two_selections(jax.random.key(4), True)
added_leaf_by_leaf(jax.random.key(5), True)

# %% children of equal splits that are taken where the splits are: others, and the same one
import jax


def other_children(key):
    first = jax.random.uniform(jax.random.split(key)[1])
    second = jax.random.uniform(jax.random.split(jax.random.split(key)[0])[1])  #! JAX308
    return first + second


def same_child(key):
    first = jax.random.uniform(jax.random.split(key)[1])
    second = jax.random.normal(jax.random.split(key)[1])  #! JAX301
    return first + second


other_children(jax.random.key(0)), same_child(jax.random.key(1))

# %% what undoes something needs the draws that it was done with, what does the same again does not
import jax
import jax.numpy as jnp


def rotate(x, key):
    return x * jax.random.rademacher(key, x.shape)


def inverse_rotate(x, key):
    return x / jax.random.rademacher(key, x.shape)


def unrotate(x, key):
    return x / jax.random.rademacher(key, x.shape)


def rotate_more(x, key):
    return x + jax.random.rademacher(key, x.shape)


def compressed(x, key):
    return inverse_rotate(jnp.round(rotate(x, key)), key)


def compressed_too(x, key):
    rounded = jnp.round(rotate(x, key))
    return unrotate(rounded, key)


def rotated(x, key):
    return rotate_more(jnp.round(rotate(x, key)), key)  #! JAX301


compressed(jnp.ones(3), jax.random.key(0)), compressed_too(jnp.ones(3), jax.random.key(1))
rotated(jnp.ones(3), jax.random.key(2))

# %% a test that a key is None says nothing of how often it is used
import jax


def straight(key):
    if key is None:
        raise ValueError("no key")
    return jax.random.normal(key) + jax.random.uniform(key)  #! JAX301


def default(key=None):
    if key is None:
        key = jax.random.key(0)
    return jax.random.normal(key) + jax.random.uniform(key)  #! JAX301


def by_expression(key=None):
    key = key if key is not None else jax.random.key(0)
    return jax.random.normal(key) + jax.random.uniform(key)  #! JAX301


def by_or(key=None):
    rng = key or jax.random.key(0)
    return jax.random.normal(rng) + jax.random.uniform(rng)  #! JAX301


def asserted(key=None):
    assert key is not None
    return jax.random.normal(key) + jax.random.uniform(key)  #! JAX301


straight(jax.random.key(1)), default(), by_expression(), asserted(jax.random.key(1))

# %% a key that is there, or another one, and one draw
import jax


def once(key=None):
    if key is None:
        key = jax.random.key(0)
    return jax.random.normal(key)


def either(key=None):
    if key is None:
        return 0.0
    key, subkey = jax.random.split(key)
    return jax.random.normal(key) + jax.random.normal(subkey)


def picked(first, second, flag):
    key = first if flag else second
    other = second if flag else first
    return jax.random.normal(key) + jax.random.normal(other)


once(), either(jax.random.key(0)), picked(*jax.random.split(jax.random.key(1)), True)

# %% a key chosen from two, and drawn from twice
import jax


def chosen(flag, first, second):
    if flag:
        key = jax.random.fold_in(first, 1)
    else:
        key = jax.random.fold_in(second, 2)
    return jax.random.normal(key) + jax.random.uniform(key)  #! JAX301


chosen(True, *jax.random.split(jax.random.key(1)))

# %% a callee that draws where an argument is None: the argument is given
import jax
import jax.numpy as jnp


def guess(key, mask=None):
    if mask is None:
        return jax.random.normal(key)
    return jnp.float32(1.0)


def fit(key, data, initial=None):
    start = initial
    if start is None:
        start = guess(key)
    return start + data


def update(key, data, state):
    initial = jax.lax.cond(data > 0, lambda: state["mean"], lambda: guess(key))
    return fit(key, data, initial=initial)


def given(key, data, state):
    noise = jax.random.normal(key)
    return noise + fit(key, data, state["mean"])


state = {"mean": jnp.float32(0.0)}
update(jax.random.key(0), 1.0, state), given(jax.random.key(1), 1.0, state)

# %% a callee that draws where an argument is None: it is left out, or handed on
import jax


def fit(key, data, initial=None):
    if initial is None:
        initial = jax.random.normal(key)
    return initial + data


def left_out(key, data):
    noise = jax.random.normal(key)
    return noise + fit(key, data)  #! JAX301


def handed_on(key, data, initial=None):
    noise = jax.random.normal(key)
    return noise + fit(key, data, initial)  #! JAX301


left_out(jax.random.key(0), 1.0), handed_on(jax.random.key(1), 1.0)

# %% one key of an array in a branch that returns, all of them by vmap behind it
import jax
import jax.numpy as jnp


def chains(keys, x):
    if x.shape[0] == 1:
        return jax.random.normal(keys[0])
    return jax.vmap(jax.random.normal)(keys)


def helper(key):
    return jax.random.normal(key)


def by_helper(keys, x):
    if x.shape[0] == 1:
        return helper(keys[0])
    return jax.vmap(helper)(keys)


def both(keys):
    first = jax.random.normal(keys[0])
    return first, jax.vmap(jax.random.normal)(keys)  #! JAX301


first, second, third = jax.random.split(jax.random.key(0), (3, 4))
chains(first, jnp.zeros(4)), by_helper(second, jnp.zeros(4)), both(third)

# %% a function of which nothing is known gets the key first: the sampler draws what it drew
import jax


def start(model, seed, x):
    key = jax.random.key(seed)
    params = model.build(key, x)
    noise = jax.random.normal(key, (3,))  #! JAX301
    return params, noise


def simulate(env, seed):
    key = jax.random.key(seed)
    keys = jax.random.split(key, 8)
    state = env.reset(keys)
    first, second = jax.random.split(key)  #! JAX301
    return state, jax.random.normal(first), jax.random.normal(second)

# %% functions of which nothing is known that store or show a key
import jax


def stored(log, state, Record, seed):
    key = jax.random.key(seed)
    log.append(key)
    log.info(key)
    state = state.replace(key=key)
    record = Record(key)
    print(key)
    return record, state, jax.random.normal(key)


def split_later(model, seed):
    key = jax.random.key(seed)
    params = model.build(key)
    key, subkey = jax.random.split(key)
    return params, jax.random.normal(subkey)

# %% norun: a sampler that newer versions of JAX lack consumes its key, too
import jax


def shuffled(key, x):
    rows = jax.random.shuffle(key, x)  #! JAX901
    return rows, jax.random.normal(key, x.shape)  #! JAX301

# %% a reuse in a loop that is one within an iteration, too: each line is told once
import jax


def walk(key):
    total = 0.0
    for _ in range(3):
        total += jax.random.normal(key)  #! JAX302
        total += jax.random.uniform(key)  #! JAX301
    return total


walk(jax.random.key(0))

# %% a function that has its key from elsewhere: told once, whoever calls it
import jax

KEY = jax.random.key(0)


def noisy(x):
    return x + jax.random.normal(KEY)


def both(x):
    return noisy(x), noisy(x)  #! JAX301


def more(x):
    return noisy(x), both(x), noisy(x)


both(1.0), more(1.0)


class Agent:
    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def act(self):
        return jax.random.normal(self.key)


def pair(agent):
    return agent.act(), agent.act()  #! JAX301


def pair_by_name(agent):
    first = agent.act()
    return first + agent.act()


pair(Agent(0)), pair_by_name(Agent(1))

# %% a state that the caller makes, and two calls that draw from the key in it: a dict, records, objects
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax


class Record(NamedTuple):
    key: Any
    shift: float


@dataclass
class Plain:
    key: Any
    shift: float


class Made:
    def __init__(self, key, shift):
        self.key = key
        self.shift = shift


@dataclass
class Outer:
    inner: Any
    name: str


def by_name(state):
    return jax.random.normal(state["key"], (3,))


def of_record(state):
    return state.shift + jax.random.normal(state.key, (3,))


def of_plain(state):
    return state.shift + jax.random.normal(state.key, (3,))


def of_inner(outer):
    return jax.random.normal(outer.inner["key"], (3,)) + len(outer.name)


def of_pair(pair):
    key, shift = pair
    return shift + jax.random.normal(key, (3,))


def key_of(state):
    return state["key"]


def in_a_dict(seed):
    state = {"key": jax.random.key(seed)}
    return by_name(state) + by_name(state)  #! JAX301


def in_a_record(seed):
    state = Record(jax.random.key(seed), 1.0)
    return of_record(state) + of_record(state)  #! JAX301


def in_an_object(seed):
    one, two = Plain(jax.random.key(seed), 1.0), Made(jax.random.key(seed + 1), 1.0)
    first = of_plain(one) + of_plain(one)  #! JAX301
    return first + of_plain(two) + of_plain(two)  #! JAX301


def in_what_is_in_it(seed):
    outer = Outer({"key": jax.random.key(seed)}, "noise")
    return of_inner(outer) + of_inner(outer)  #! JAX301


def here_and_there(seed):
    state = {"key": jax.random.key(seed)}
    noise = jax.random.normal(state["key"], (3,))
    return noise + by_name(state)  #! JAX301


def in_a_pair(key, shift):
    return of_pair((key, shift)) + jax.random.normal(key, (3,))  #! JAX301


def handed_back(seed):
    state = {"key": jax.random.key(seed)}
    noise = jax.random.normal(key_of(state), (3,))
    return noise + jax.random.normal(key_of(state), (3,))  #! JAX301


def of_several(seed):
    first, second = jax.random.split(jax.random.key(seed))
    one, two = {"key": first}, {"key": second}
    records = of_record(Record(first, 1.0)), of_record(Record(second, 1.0))
    return by_name(one) + by_name(two), records  #! JAX301


def replaced(seed):
    state = {"key": jax.random.key(seed)}
    noise = by_name(state)
    state["key"] = jax.random.key(seed + 1)
    return noise + by_name(state)


in_a_dict(0)
in_a_record(1)
in_an_object(2)
in_what_is_in_it(3)
here_and_there(4)
in_a_pair(jax.random.key(5), 1.0)
handed_back(6)
of_several(7)
replaced(8)

# %% a state that the caller makes, and a callee that puts another key into it, in whatever way
import jax


class State:
    def __init__(self, key):
        self.key = key
        self.count = 0

    @property
    def fresh(self):
        self.key, sub = jax.random.split(self.key)
        return sub


def by_item(state):
    state["key"], sub = jax.random.split(state["key"])
    return jax.random.normal(sub)


def by_update(state):
    key, sub = jax.random.split(state["key"])
    state.update(key=key)
    return jax.random.normal(sub)


def by_union(state):
    key, sub = jax.random.split(state["key"])
    state |= {"key": key}
    return jax.random.normal(sub)


def by_pop(state):
    key, sub = jax.random.split(state.pop("key"))
    state["key"] = key
    return jax.random.normal(sub)


def below(state):
    state["inner"]["key"], sub = jax.random.split(state["inner"]["key"])
    return jax.random.normal(sub)


def in_a_function(state):
    def step():
        state["key"], sub = jax.random.split(state["key"])
        return sub

    return jax.random.normal(step())


def by_attribute(state):
    state.key, sub = jax.random.split(state.key)
    state.count += 1
    return jax.random.normal(sub)


def by_setattr(state):
    key, sub = jax.random.split(state.key)
    setattr(state, "key", key)
    return jax.random.normal(sub)


def by_property(state):
    return jax.random.normal(state.fresh) + state.count


def next_key(state):
    state["key"], sub = jax.random.split(state["key"])
    return sub


def dicts(seed):
    state = {"key": jax.random.key(seed), "inner": {"key": jax.random.key(seed + 1)}}
    noise = by_item(state) + by_item(state) + by_update(state) + by_update(state)
    noise += by_union(state) + by_union(state) + by_pop(state) + by_pop(state)
    noise += in_a_function(state) + in_a_function(state) + below(state) + below(state)
    noise += jax.random.normal(next_key(state)) + jax.random.normal(next_key(state))
    return noise + jax.random.normal(state["key"])


def objects(seed):
    state = State(jax.random.key(seed))
    noise = by_attribute(state) + by_attribute(state) + by_setattr(state) + by_setattr(state)
    return noise + by_property(state) + by_property(state) + jax.random.normal(state.key)


dicts(0)
objects(1)

# %% a draw that nothing reads on the way to a return
import jax
import jax.numpy as jnp


def rotation(key, size):
    angle_key, basis_key = jax.random.split(key)
    angle = jax.random.uniform(angle_key)
    if size == 1:
        return jax.random.uniform(angle_key) * jnp.eye(1)
    return angle * jax.random.normal(basis_key)


def read_there(key, size):
    angle = jax.random.uniform(key)
    if size == 1:
        return jax.random.uniform(key) + angle  #! JAX301
    return angle


def read_before(key, size):
    angle = jax.random.uniform(key)
    turned = angle + 1.0
    if size == 1:
        return jax.random.uniform(key) + turned  #! JAX301
    return turned


rotation(jax.random.key(0), 1), read_there(jax.random.key(1), 1), read_before(jax.random.key(2), 1)

# %% children of equal splits that go to functions of which nothing is known
import jax


def unroll(step, state, key):
    def body(carry, _):
        state, key = carry
        key, subkey = jax.random.split(key)
        return (step(state, subkey), key), None

    (state, _), _ = jax.lax.scan(body, (state, key), None, length=3)
    return state


def evaluate(reset, step, key):
    states = reset(jax.random.split(key, 4))
    return unroll(step, states, key)  #! JAX301


def evaluate_apart(reset, step, key):
    reset_key, unroll_key = jax.random.split(key)
    states = reset(jax.random.split(reset_key, 4))
    return unroll(step, states, unroll_key)


def start(keys):
    return jax.vmap(jax.random.normal)(keys)


def move(states, key):
    return states + jax.random.normal(key, (4,))


functions = {"start": start, "move": move}
evaluate(functions["start"], functions["move"], jax.random.key(0))
evaluate_apart(functions["start"], functions["move"], jax.random.key(0))

# %% a helper gives the key that it split back beside the children
import jax


def begin(key, make):
    params_key, *lane_keys = jax.random.split(key, 5)
    return make(params_key), lane_keys, key


def begin_apart(key, make):
    key, params_key, *lane_keys = jax.random.split(key, 6)
    return make(params_key), lane_keys, key


def train_alike(key, make, learn):
    params, lane_keys, key = begin(key, make)
    key, eval_key = jax.random.split(key)  #! JAX301
    return learn(params, lane_keys), learn(params, eval_key)


def train_apart(key, make, learn):
    params, lane_keys, key = begin_apart(key, make)
    key, eval_key = jax.random.split(key)
    return learn(params, lane_keys), learn(params, eval_key)


functions = {"make": jax.random.normal, "learn": lambda params, keys: (params, keys)}
train_alike(jax.random.key(0), functions["make"], functions["learn"])
train_apart(jax.random.key(0), functions["make"], functions["learn"])

# %% a method splits the key of a state again that its caller split
import jax


class Agent:
    def __init__(self, sample, loss):
        self.sample = sample
        self.loss = loss

    def update(self, state):
        key, subkey = jax.random.split(state["key"])
        batch = self.sample(subkey)
        return self.apply(state, batch)  #! JAX301

    def update_apart(self, state):
        key, subkey = jax.random.split(state["key"])
        batch = self.sample(subkey)
        return self.apply({**state, "key": key}, batch)

    def apply(self, state, batch):
        key, subkey = jax.random.split(state["key"])
        return {**state, "key": key, "loss": self.loss(batch, subkey)}


functions = {"sample": jax.random.normal, "loss": lambda batch, key: batch * jax.random.normal(key)}
agent = Agent(functions["sample"], functions["loss"])
agent.update({"key": jax.random.key(0)})
agent.update_apart({"key": jax.random.key(0)})

# %% each of two splits that a helper has run before is reported, not the first one twice
import jax


def choose(key):
    _, subkey = jax.random.split(key)
    return jax.random.normal(subkey)


def vertices(key):
    first = choose(key)
    key, subkey = jax.random.split(key)  #! JAX301
    first += jax.random.uniform(subkey)
    second = choose(key)
    key, subkey = jax.random.split(key)  #! JAX301
    second += jax.random.uniform(subkey)
    return first, second


def vertices_apart(key):
    key, choice_key, subkey = jax.random.split(key, 3)
    first = choose(choice_key) + jax.random.uniform(subkey)
    key, choice_key, subkey = jax.random.split(key, 3)
    second = choose(choice_key) + jax.random.uniform(subkey)
    return first, second


vertices(jax.random.key(0))
vertices_apart(jax.random.key(0))

# %% equal children of one split are split again: the split that both come from is the cause
import jax


def start(key):
    first, _ = jax.random.split(key)
    second, _ = jax.random.split(key)  #! JAX301
    return jax.random.normal(jax.random.split(first)[0]), jax.random.normal(jax.random.split(second)[0])


start(jax.random.key(0))

# %% a subkey is drawn from twice, and a helper has drawn from an equal one before
import jax


def interact(state, key):
    _, subkey = jax.random.split(key)
    return jax.random.permutation(subkey, state)


def step(state, key):
    state = interact(state, key)
    _, subkey = jax.random.split(key)  #! JAX301
    place = jax.random.choice(subkey, state)
    direction = jax.random.randint(subkey, (), 0, 4)  #! JAX301
    return place, direction


def step_apart(state, key):
    key, interaction_key = jax.random.split(key)
    state = interact(state, interaction_key)
    _, place_key, direction_key = jax.random.split(key, 3)
    return jax.random.choice(place_key, state), jax.random.randint(direction_key, (), 0, 4)


step(jax.numpy.arange(3), jax.random.key(0))
step_apart(jax.numpy.arange(3), jax.random.key(0))

# %% a function that too many functions are passed through
import jax


def traced(step, x, key):
    return jax.jit(step)(x, key)


def twice(x, key):
    return x + jax.random.normal(key) + jax.random.uniform(key)  #! JAX301


def step_1(x, key):
    return 1 * x + jax.random.normal(key)


def step_2(x, key):
    return 2 * x + jax.random.normal(key)


def step_3(x, key):
    return 3 * x + jax.random.normal(key)


def step_4(x, key):
    return 4 * x + jax.random.normal(key)


def step_5(x, key):
    return 5 * x + jax.random.normal(key)


def step_6(x, key):
    return 6 * x + jax.random.normal(key)


def step_7(x, key):
    return 7 * x + jax.random.normal(key)


def step_8(x, key):
    return 8 * x + jax.random.normal(key)


def step_9(x, key):
    return 9 * x + jax.random.normal(key)


def step_10(x, key):
    return 10 * x + jax.random.normal(key)


traced(twice, 1.0, jax.random.key(0))
traced(step_1, 1.0, jax.random.key(1))
traced(step_2, 1.0, jax.random.key(2))
traced(step_3, 1.0, jax.random.key(3))
traced(step_4, 1.0, jax.random.key(4))
traced(step_5, 1.0, jax.random.key(5))
traced(step_6, 1.0, jax.random.key(6))
traced(step_7, 1.0, jax.random.key(7))
traced(step_8, 1.0, jax.random.key(8))
traced(step_9, 1.0, jax.random.key(9))
traced(step_10, 1.0, jax.random.key(10))

# %% keys in a tuple that a function is called with in too many ways
import jax
import jax.numpy as jnp


def walk(step, carry):
    x, key = carry
    key, subkey = jax.random.split(key)
    return step(x) + jax.random.normal(subkey), key


@jax.jit
def many(x, key):
    x, key = walk(jnp.sin, (x, key))
    x, key = walk(jnp.cos, (x, key))
    x, key = walk(jnp.tan, (x, key))
    x, key = walk(jnp.sinh, (x, key))
    x, key = walk(jnp.cosh, (x, key))
    x, key = walk(jnp.tanh, (x, key))
    x, key = walk(jnp.exp, (x, key))
    x, key = walk(jnp.log, (x, key))
    x, key = walk(jnp.sqrt, (x, key))
    x, key = walk(jnp.abs, (x, key))
    return x


@jax.jit
def alike(x, key):
    subkey = jax.random.split(key)[1]
    return walk(jnp.floor, (x, key))[0] + jax.random.normal(subkey)  #! JAX301


@jax.jit
def apart(x, key):
    key, subkey = jax.random.split(key)
    return walk(jnp.ceil, (x, key))[0] + jax.random.normal(subkey)


many(1.0, jax.random.key(0)), alike(1.0, jax.random.key(1)), apart(1.0, jax.random.key(2))

# %% keys that a function which is not known gets in a function that is called in too many ways
import jax
import jax.numpy as jnp


def sample(step, draw, x, key):
    return step(x) + draw(key)


@jax.jit
def many(x, key):
    keys = jax.random.split(key, 10)
    x = sample(jnp.sin, jax.random.normal, x, keys[0])
    x = sample(jnp.cos, jax.random.normal, x, keys[1])
    x = sample(jnp.tan, jax.random.normal, x, keys[2])
    x = sample(jnp.sinh, jax.random.normal, x, keys[3])
    x = sample(jnp.cosh, jax.random.normal, x, keys[4])
    x = sample(jnp.tanh, jax.random.normal, x, keys[5])
    x = sample(jnp.exp, jax.random.normal, x, keys[6])
    x = sample(jnp.log, jax.random.normal, x, keys[7])
    x = sample(jnp.sqrt, jax.random.normal, x, keys[8])
    return sample(jnp.abs, jax.random.normal, x, keys[9])


@jax.jit
def alike(x, key):
    x = sample(jnp.floor, jax.random.normal, x, key)
    return x + jax.random.uniform(key)  #! JAX301


@jax.jit
def apart(x, key):
    key, subkey = jax.random.split(key)
    x = sample(jnp.floor, jax.random.normal, x, subkey)
    return x + jax.random.uniform(key)


many(1.0, jax.random.key(0)), alike(1.0, jax.random.key(1)), apart(1.0, jax.random.key(2))

# %% two callers split the key of a state that a function splits again: each is reported
import jax


class State:
    def __init__(self, key):
        self.key = key


def advance(state):
    key, subkey = jax.random.split(state.key)
    return State(key), jax.random.normal(subkey)


def one(x, key):
    state = State(key)
    _, subkey = jax.random.split(state.key)
    state, noise = advance(state)  #! JAX301
    return x + noise + jax.random.normal(subkey)


def other(x, key):
    state = State(key)
    _, subkey = jax.random.split(state.key)
    state, noise = advance(state)  #! JAX301
    return x * noise * jax.random.normal(subkey)


def apart(x, key):
    state = State(key)
    state, noise = advance(state)
    _, subkey = jax.random.split(state.key)
    return x + noise + jax.random.normal(subkey)


one(1.0, jax.random.key(0)), other(1.0, jax.random.key(1)), apart(1.0, jax.random.key(2))

# %% keys that distributions draw with
import jax


class Normal:
    def __init__(self, loc):
        self.loc = loc

    def sample(self, seed):
        return self.loc + jax.random.normal(seed)


def loss(apply, loc, key):
    pi = apply(loc)
    return (pi.sample(seed=key) - 1.0) ** 2


@jax.jit
def update(loc, key):
    grads = jax.grad(lambda loc: loss(functions["apply"], loc, key))(loc)
    pi = functions["apply"](loc)
    return grads, pi.sample(seed=key)  #! JAX301


@jax.jit
def update_apart(loc, key):
    key, subkey = jax.random.split(key)
    grads = jax.grad(lambda loc: loss(functions["apply"], loc, subkey))(loc)
    pi = functions["apply"](loc)
    return grads, pi.sample(seed=key)


def act(pi, key):
    action = pi.sample(seed=key)
    return action + jax.random.normal(key)  #! JAX301


def act_apart(pi, key):
    key, subkey = jax.random.split(key)
    return pi.sample(seed=subkey) + jax.random.normal(key)


def rows(first, second, seed):
    return first.sample(3, seed=seed), second.sample(3, seed=seed)


functions = {"apply": Normal}
update(0.0, jax.random.key(0)), update_apart(0.0, jax.random.key(1))
act(functions["apply"](0.0), jax.random.key(2)), act_apart(functions["apply"](0.0), jax.random.key(3))

# %% a key among the arguments that a function hands on as they are
import jax


def start(key, shape):
    shifted = lambda *args: jax.random.normal(*args) - 4.0
    return shifted(key, shape), jax.random.normal(key, shape)  #! JAX301


def start_apart(key, shape):
    shifted = lambda *args: jax.random.normal(*args) - 4.0
    key, subkey = jax.random.split(key)
    return shifted(subkey, shape), jax.random.normal(key, shape)


def many(shape, keys):
    shifted = lambda *args: jax.random.normal(*args) - 4.0
    return shifted(keys[0], shape), shifted(keys[1], shape), jax.random.normal(keys[2], shape)


start(jax.random.key(0), (2,)), start_apart(jax.random.key(1), (2,))
many((2,), jax.random.split(jax.random.key(2), 3))

# %% a helper draws only if it does not get what its first call returned
import jax


def scaled(x, key, mixture=None):
    if x.ndim > 0:
        if mixture is None:
            mixture = jax.random.bernoulli(key, 0.5, x.shape)
        return x * mixture, mixture
    return x, None


@jax.jit
def both(x, y, key):
    x, mixture = scaled(x, key)
    y, _ = scaled(y, key, mixture=mixture)
    return x + y


@jax.jit
def each(x, y, key):
    x, _ = scaled(x, key)
    y, _ = scaled(y, key)  #! JAX301
    return x + y


both(jax.numpy.ones(2), jax.numpy.ones(2), jax.random.key(0))
each(jax.numpy.ones(2), jax.numpy.ones(2), jax.random.key(1))

# %% two pmapped functions get one batch of keys
import jax
import jax.numpy as jnp


def add_noise(state, key):
    return state + jax.random.normal(key, state.shape)


def two_models(first, second, key):
    update_first = jax.pmap(add_noise, axis_name="devices")
    update_second = jax.pmap(add_noise, axis_name="devices")
    keys = jax.random.split(key, jax.local_device_count())
    first = update_first(first, keys)
    second = update_second(second, key=keys)  #! JAX301
    return first, second


start = jnp.zeros((jax.local_device_count(), 3))
one, two = two_models(start, start, jax.random.key(0))
assert (one == two).all()

# %% a pmapped function gets a batch of keys of its own each time
import jax
import jax.numpy as jnp


def add_noise(state, key):
    key, subkey = jax.random.split(key)
    return state + jax.random.normal(subkey, state.shape), key


def carried(state, key, steps):
    update = jax.pmap(add_noise)
    keys = jax.random.split(key, jax.local_device_count())
    for _ in range(steps):
        state, keys = update(state, keys)
    return state


def halves(state, key):
    update = jax.pmap(add_noise)
    count = jax.local_device_count()
    keys = jax.random.split(key, 2 * count)
    state, _ = update(state, keys[:count])
    return update(state, keys[count:])[0]


def split_in_loop(state, key, steps):
    update = jax.pmap(add_noise)
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        state, _ = update(state, jax.random.split(subkey, jax.local_device_count()))
    return state


def picks_by_device(state, key):
    def draw(row, keys):
        return row + jax.random.normal(keys[jax.lax.axis_index("devices")], row.shape)

    keys = jax.random.split(key, jax.local_device_count() + 1)
    return jax.pmap(draw, axis_name="devices", in_axes=(0, None))(state, keys)


start = jnp.zeros((jax.local_device_count(), 3))
carried(start, jax.random.key(0), 2)
halves(start, jax.random.key(1))
split_in_loop(start, jax.random.key(2), 2)
picks_by_device(start, jax.random.key(3))

# %% a helper makes a key if it gets none
import jax


def noise(x, key=None):
    if key is None:
        key = jax.random.key(0)
    return jax.random.normal(key, x.shape)


def split_noise(x, key=None):
    key = key if key is not None else jax.random.key(0)
    key, subkey = jax.random.split(key)
    return jax.random.normal(subkey, x.shape)


def twice(x, key):
    first = noise(x, key)
    return first, noise(x, key)  #! JAX301


def after_draw(x, key):
    first = jax.random.normal(key, x.shape)
    return first, noise(x, key)  #! JAX301


def after_guard(x, key=None):
    if key is None:
        key = jax.random.key(0)
    first = noise(x, key)
    return first, noise(x, key=key)  #! JAX301


@jax.jit
def compiled(x, key):
    first = split_noise(x, key=key)
    return first, split_noise(x, key=key)  #! JAX301


def split_first(x, key):
    first, second = jax.random.split(key)
    return noise(x, first), noise(x, second)


def other_key(x, key):
    first = noise(x)
    return first, noise(x, key)


def replaced(x, key=None):
    if key is None:
        key = jax.random.key(0)
    for _ in range(2):
        key, subkey = jax.random.split(key)
        x = noise(x, subkey)
    return x


class Source:
    def __init__(self, key):
        self.key = key

    def draw(self, key=None):
        if key is None:
            self.key, key = jax.random.split(self.key)
        return jax.random.normal(key)

    def pair(self):
        return self.draw(), self.draw()

    def other_pair(self, key):
        return self.draw(), self.draw(key)


x = jax.numpy.ones(2)
names = (twice, after_draw, after_guard, compiled, split_first, other_key, replaced)
for function, key in zip(names, jax.random.split(jax.random.key(1), 7)):
    function(x, key)
Source(jax.random.key(2)).pair()
Source(jax.random.key(3)).other_pair(jax.random.key(4))

# %% what a star hands on is another value at each position
import jax


class Buffer:
    def __init__(self, items):
        self.items = items

    def sample(self, key):
        return jax.random.choice(key, self.items)


def two(first, second):
    return jax.random.normal(first) + jax.random.normal(second)


def both(keys):
    return two(*keys)


def update(state, buffer):
    noise = jax.random.normal(state["key"])
    batch = buffer.sample(state["other"])
    return batch + noise * jax.random.normal(state["key"])  #! JAX301


def step(carry):
    return update(*carry)


both(jax.random.split(jax.random.key(0)))
step(({"key": jax.random.key(2), "other": jax.random.key(3)}, Buffer(jax.numpy.arange(3))))

# %% a closure that replaces its key, called by a helper that is handed it
import jax


def make(rng):
    def draw():
        nonlocal rng
        rng, key = jax.random.split(rng)
        return jax.random.normal(key)

    return draw


def make_fixed(rng):
    def draw():
        return jax.random.normal(rng)

    return draw


def once(draw):
    return draw()


def twice(draw):
    return once(draw) + once(draw)


def all_of(key):
    draw = make(key)
    return once(draw), twice(draw), [once(draw) for _ in range(3)]


def all_alike(key):
    draw = make_fixed(key)
    return once(draw), once(draw)  #! JAX301


draw = make(jax.random.key(0))
once(draw)
for _ in range(3):
    once(draw)
all_of(jax.random.key(3))
all_alike(jax.random.key(4))

# %% made-up values: the function's name says that they are of no account
import jax


def get_fake_batch(size):
    key = jax.random.key(0)  #! JAX303
    return {"x": jax.random.normal(key, (size,)), "y": jax.random.normal(key, (size,))}


def get_batch(size):
    key = jax.random.key(0)  #! JAX303
    return {"x": jax.random.normal(key, (size,)), "y": jax.random.normal(key, (size,))}  #! JAX301


class MockEnv:
    def reset(self, key):
        return jax.random.normal(key, (3,)), jax.random.normal(key, (3,))


def fakery(key):
    return jax.random.normal(key), jax.random.normal(key)  #! JAX301


get_fake_batch(2), get_batch(2), MockEnv().reset(jax.random.key(1)), fakery(jax.random.key(2))

# %% equal children of two splits: one is drawn from, and the other one only split: no draw repeats
import jax


def apart(key):
    k1, k2 = jax.random.split(key)
    weights = jax.random.normal(k1) + jax.random.normal(k2)
    k3, _ = jax.random.split(key)  #! JAX308
    a, b = jax.random.split(k3)  #! JAX308
    return weights, jax.random.normal(a), jax.random.normal(b)


def one_of_them_drawn(key):
    k1, k2 = jax.random.split(key)
    weights = jax.random.normal(k1) + jax.random.normal(k2)
    k3, k4 = jax.random.split(key)  #! JAX301
    a, b = jax.random.split(k3)  #! JAX308
    return weights, jax.random.normal(a), jax.random.normal(b), jax.random.normal(k4)


def given_to_what_may_split(key, model):
    k1, _ = jax.random.split(key)
    weights = model(k1)
    k3, _ = jax.random.split(key)  #! JAX301
    a, b = jax.random.split(k3)
    return weights, jax.random.normal(a), jax.random.normal(b)


def model(key):
    a, b = jax.random.split(key)
    return jax.random.normal(a) + jax.random.normal(b)


apart(jax.random.key(0)), one_of_them_drawn(jax.random.key(1)), given_to_what_may_split(jax.random.key(2), model)

# %% classes that inherit a method: what one of them replaces, its object runs
import jax


class Prior:
    def draw(self, key):
        return jax.random.normal(key, (3,)) + self.noise(key)  #! JAX301

    def noise(self, key):
        return 0.0


class Flat(Prior):
    pass


class Noisy(Prior):
    def noise(self, key):
        return jax.random.uniform(key, (3,))


class Wide(Prior):
    width = 3.0


def compare(key):
    a, b, c = jax.random.split(key, 3)
    return Flat().draw(a), Noisy().draw(b), Wide().draw(c)

# %% a method that asks what its object is: only an object of that class draws again
import jax


class Proposal:
    def step(self, key):
        first = jax.random.normal(key, (3,))
        if isinstance(self, Mixture):
            first = first + jax.random.uniform(key, (3,))  #! JAX301
        return first


class Gaussian(Proposal):
    pass


class Mixture(Proposal):
    pass


def walk(key):
    a, b = jax.random.split(key)
    return Gaussian().step(a), Mixture().step(b)

# %% a base between two others: super() leads to another method in each class
import jax


class Root:
    def extra(self, key):
        return 0.0


class Left(Root):
    def sample(self, key):
        return jax.random.normal(key, (3,)) + self.more(key)  #! JAX301

    def more(self, key):
        return super().extra(key)


class Drawing(Root):
    def extra(self, key):
        return jax.random.uniform(key, (3,))


class Alone(Left):
    pass


class Both(Left, Drawing):
    pass


def both(key):
    a, b = jax.random.split(key)
    return Alone().sample(a), Both().sample(b)

# %% an operator of its own: only the class that has it draws again
import jax


class Term:
    def value(self, key):
        drawn = jax.random.normal(key, (3,))
        return drawn + (self @ key)  #! JAX301


class Constant(Term):
    def __matmul__(self, key):
        return 0.0


class Random(Term):
    def __matmul__(self, key):
        return jax.random.uniform(key, (3,))


def terms(key):
    a, b = jax.random.split(key)
    return Constant().value(a), Random().value(b)

# %% what each class keeps: only one of the functions that objects hold draws from the key
import jax


def silent(key):
    return 0.0


def loud(key):
    return jax.random.uniform(key, (3,))


class Model:
    def __init__(self):
        self.extra = silent

    def predict(self, key):
        return jax.random.normal(key, (3,)) + self.extra(key)  #! JAX301


class Exact(Model):
    pass


class Sampled(Model):
    def __init__(self):
        self.extra = loud


def run(key):
    a, b = jax.random.split(key)
    return Exact().predict(a), Sampled().predict(b)

# %% what an inherited method sets is set for the class that inherits it
import jax


class Trainer:
    def prepare(self):
        self.draw = jax.jit(jax.random.normal)

    def state(self):
        return None


class First(Trainer):
    pass


class Second(Trainer):
    def go(self, key):
        self.prepare()
        return self.draw(key) + jax.random.uniform(key)  #! JAX301


def train(first: First, key):
    first.prepare()
    return first.draw(key)

# %% what an inherited method sets is set for the class, also where its base has been analyzed before
import jax


class Trainer:
    def prepare(self):
        self.draw = jax.jit(jax.random.normal)


class Worker(Trainer):
    def go(self, key):
        self.prepare()
        return self.draw(key) + jax.random.uniform(key)  #! JAX301

# %% what an inherited constructor sets is known in the methods of the class, of which nothing makes an object
import jax


class Sampler:
    def __init__(self):
        self.draw = jax.random.normal


class Noise(Sampler):
    def reset(self, draw):
        if self.draw is None:
            self.draw = draw

    def both(self, key):
        return self.draw(key) + jax.random.uniform(key)  #! JAX301

# %% correct: no class of these draws twice, whatever the others replace
import jax


class Layer:
    def init(self, key):
        return jax.random.normal(key, (3,)) + self.offset(key)

    def offset(self, key):
        return 0.0


class Plain(Layer):
    pass


class Shifted(Layer):
    def offset(self, key):
        return 1.0


def layers(key):
    a, b = jax.random.split(key)
    return Plain().init(a), Shifted().init(b)

# %% record that is given a key of a caller: it holds that key
import dataclasses
from typing import Any

import chex
import equinox as eqx
import flax.struct
import jax
from flax.training import train_state


@dataclasses.dataclass
class Sampler:
    rng: jax.Array
    count: int = 0


@flax.struct.dataclass
class Frozen:
    rng: jax.Array


@chex.dataclass
class Checked:
    rng: jax.Array


class Layer(eqx.Module):
    rng: jax.Array


class Trained(train_state.TrainState):
    rng: Any


def in_dataclass(rng):
    noise = jax.random.uniform(rng, (2,))
    sampler = Sampler(rng)
    return noise - jax.random.uniform(sampler.rng, (2,))  #! JAX301


def in_struct(rng):
    noise = jax.random.uniform(rng, (2,))
    return noise - jax.random.uniform(Frozen(rng).rng, (2,))  #! JAX301


def in_chex(rng):
    noise = jax.random.uniform(rng, (2,))
    return noise - jax.random.uniform(Checked(rng=rng).rng, (2,))  #! JAX301


def in_module(rng):
    layer = Layer(rng)
    return jax.random.uniform(layer.rng, (2,)) - jax.random.uniform(rng, (2,))  #! JAX301


def in_train_state(rng, params, tx):
    noise = jax.random.uniform(rng, (2,))
    state = Trained.create(apply_fn=None, params=params, tx=tx, rng=rng)
    return noise - jax.random.uniform(state.rng, (2,))  #! JAX301


def of_others(rng, other, fresh):
    noise = jax.random.uniform(rng, (2,))
    sampler, beside = Sampler(rng), Sampler(other)
    noise -= jax.random.uniform(beside.rng, (2,))
    sampler.rng = fresh
    return noise - jax.random.uniform(sampler.rng, (2,))


def of_each(rngs):
    total = 0.0
    for rng in rngs:
        sampler = Sampler(rng)
        total += jax.random.uniform(sampler.rng)
    return total


def advanced(rng, turns):
    sampler, total = Sampler(rng), 0.0
    for _ in range(turns):
        sampler.rng, sub = jax.random.split(sampler.rng)
        total += jax.random.uniform(sub)
    return total

# %% record that a converter, or a constructor, makes another key for
import dataclasses

import attrs
import equinox as eqx
import jax


def child(rng):
    return jax.random.fold_in(rng, 3)


class Converting(eqx.Module):
    rng: jax.Array = eqx.field(converter=child)


@attrs.define
class Converted:
    rng: jax.Array = attrs.field(converter=child)


@dataclasses.dataclass
class Derived:
    rng: jax.Array = dataclasses.field(init=False)
    seed: jax.Array

    def __post_init__(self):
        self.rng = child(self.seed)


@dataclasses.dataclass
class Named:
    rng: jax.Array = dataclasses.field(kw_only=True)
    other: jax.Array


@dataclasses.dataclass
class NamedBelow:
    other: jax.Array
    _: dataclasses.KW_ONLY
    rng: jax.Array


def by_equinox(rng):
    return jax.random.uniform(rng) - jax.random.uniform(Converting(rng).rng)


def by_attrs(rng):
    return jax.random.uniform(rng) - jax.random.uniform(Converted(rng).rng)


def by_hook(rng):
    return jax.random.uniform(rng) - jax.random.uniform(Derived(rng).rng)


def of_seed(rng):
    return jax.random.uniform(rng) - jax.random.uniform(Derived(rng).seed)  #! JAX301


def by_name(rng, other):
    return jax.random.uniform(rng) - jax.random.uniform(Named(rng, rng=other).rng)


def by_position(rng, other):
    return jax.random.uniform(rng) - jax.random.uniform(Named(rng, rng=other).other)  #! JAX301


def below(rng, other):
    record = NamedBelow(other, rng=rng)
    return jax.random.uniform(rng) - jax.random.uniform(record.rng)  #! JAX301

# %% pytree objects that a compiled function draws from: the key that each of them holds by then
import jax


@jax.tree_util.register_pytree_node_class
class Source:
    def __init__(self, rng):
        self.rng = rng

    def tree_flatten(self):
        return (self.rng,), None

    @classmethod
    def tree_unflatten(cls, _, leaves):
        return cls(*leaves)


@jax.jit
def drawn(source):
    return jax.random.uniform(source.rng, (2,))


@jax.jit
def drawn_once_more(source):
    return jax.random.uniform(source.rng, (2,))


@jax.jit
def drawn_later(source):
    return jax.random.uniform(source.rng, (2,))


@jax.jit
def drawn_in_turn(source):
    return jax.random.uniform(source.rng, (2,))


@jax.jit
def drawn_of_child(source):
    return jax.random.uniform(source.rng, (2,))


@jax.jit
def drawn_always(source):
    return jax.random.uniform(source.rng, (2,))


def of_one(rng):
    noise = jax.random.uniform(rng, (2,))
    return noise - drawn(Source(rng))  #! JAX301


def of_one_object(rng):
    source = Source(rng)
    noise = drawn_once_more(source)
    return noise - drawn_once_more(source)  #! JAX301


def of_another(rng, other):
    source = Source(rng)
    noise = drawn_later(source)
    source.rng = other
    return noise - drawn_later(source)


def of_each(rngs):
    total = 0.0
    for rng in rngs:
        total += drawn_in_turn(Source(rng))
    return total


def of_children(rng):
    total = 0.0
    for _ in range(3):
        rng, sub = jax.random.split(rng)
        total += drawn_of_child(Source(sub))
    return total


def of_one_in_loop(rng):
    total = 0.0
    for _ in range(3):
        total += drawn_always(Source(rng))  #! JAX302
    return total


print(of_another(jax.random.key(3), jax.random.key(4)))
print(of_each(jax.random.split(jax.random.key(5))), of_children(jax.random.key(6)))

# %% correct: a method keeps the other half of the key in an object of which nothing is known
import jax


class Runner:
    def __init__(self, create):
        self.agent = create()


class Steps(Runner):
    def begin(self):
        self.agent.rng, rng = jax.random.split(self.agent.rng)
        return jax.random.randint(rng, (), 0, 3)

    def phase(self):
        return self.begin()

    def once(self):
        self.phase()
        self.phase()


class Logged(Steps):
    def once(self):
        super().once()
        self.phase()
        self.phase()


def begin(agent):
    agent.rng, rng = jax.random.split(agent.rng)
    return jax.random.randint(rng, (), 0, 3)


def twice(agent):
    return begin(agent), begin(agent)

# %% correct: a method gives back the key of its object, and each object has another one
import jax


class Holder:
    def __init__(self, key):
        self.key = key

    def get(self):
        return self.key


class Left(Holder):
    pass


class Right(Holder):
    pass


def two_classes(k):
    a, b = jax.random.split(k)
    return jax.random.normal(Left(a).get()) + jax.random.normal(Right(b).get())


def one_class(k):
    a, b = jax.random.split(k)
    return jax.random.normal(Left(a).get()) + jax.random.normal(Left(b).get())


def given(one: Left, other: Right):
    return jax.random.normal(one.get()) + jax.random.normal(other.get())

# %% an object that an inherited method makes leads back to the object of the class that replaces a method
import jax


class Part:
    def __init__(self, whole):
        self.whole = whole


class Whole:
    def prepare(self):
        self.part = Part(self)

    def draw(self, key):
        return 0.0


class Still(Whole):
    pass


class Moving(Whole):
    def draw(self, key):
        return jax.random.normal(key)

    def step(self, seed):
        key = jax.random.key(seed)
        self.prepare()
        return self.part.whole.draw(key) + jax.random.normal(key)  #! JAX301


def start(seed):
    still = Still()
    still.prepare()
    return Moving().step(seed)

# %% looked at after a draw: `eval_shape` draws nothing
from functools import partial

import jax


def init(key, scale):
    key, sub = jax.random.split(key)
    return scale * jax.random.normal(sub, (2,)), key


key = jax.random.key(0)
make = jax.jit(partial(init, scale=2))
params = make(key)
shapes = jax.eval_shape(make, key)
text = jax.make_jaxpr(init)(key, 2.0)
lowered = make.lower(key)


def shapes_of(key):
    drawn = jax.random.normal(key)
    return drawn, jax.eval_shape(lambda key: jax.random.normal(key), key)


shapes_of(jax.random.key(1))

# %% looked at between two draws, and drawn twice in what is looked at
import jax


def init(key):
    return jax.random.normal(key), jax.random.uniform(key)  #! JAX301


def twice(key):
    first = jax.random.normal(key)
    shape = jax.eval_shape(jax.random.normal, key)
    return first, jax.random.uniform(key, shape.shape)  #! JAX301


jax.eval_shape(init, jax.random.key(0))
twice(jax.random.key(1))

# %% keys that a generator splits off: one of them is drawn from twice
import jax


def stream(key, count):
    for _ in range(count):
        key, sub = jax.random.split(key)
        yield sub


def endless(key):
    while True:
        key, sub = jax.random.split(key)
        yield sub


def numbered(key, count):
    for number in range(count):
        yield number, jax.random.fold_in(key, number)


def init(key):
    weight = jax.random.normal(key, (2,))
    bias = jax.random.normal(key, (2,))  #! JAX301
    return weight - bias


keys = list(stream(jax.random.key(0), 3))
outs = [init(each) for each in keys]


class Keys:
    def __init__(self, seed):
        self.keys = endless(jax.random.key(seed))

    def draw(self):
        key = next(self.keys)
        return jax.random.normal(key), jax.random.normal(key)  #! JAX301


def in_a_loop(key, count):
    total = 0.0
    for key in stream(key, count):
        total += jax.random.normal(key)
        total += jax.random.normal(key)  #! JAX301
    return total


def in_pairs(key):
    total = 0.0
    for number, each in numbered(key, 3):
        total += number * jax.random.normal(each)
        total += jax.random.uniform(each)  #! JAX301
    return total


def by_next(key, other):
    keys = endless(key)
    few = [next(keys) for _ in range(3)]
    first, second = stream(other, 2)
    one = jax.random.normal(few[0]) + jax.random.normal(few[1]) + jax.random.normal(first)
    return one + jax.random.normal(few[0]) + jax.random.normal(second)  #! JAX301


Keys(0).draw(), in_a_loop(jax.random.key(1), 2), in_pairs(jax.random.key(2))
by_next(jax.random.key(3), jax.random.key(4))

# %% keys that a generator splits off, each of which is drawn from once
from contextlib import contextmanager

import jax


def stream(key, count):
    for _ in range(count):
        key, sub = jax.random.split(key)
        yield sub


def endless(key):
    while True:
        key, sub = jax.random.split(key)
        yield sub


@contextmanager
def seeded(seed):
    yield jax.random.key(seed)


class Keys:
    def __init__(self, seed):
        self.keys = endless(jax.random.key(seed))

    def __next__(self):
        return next(self.keys)

    def draw(self):
        return jax.random.normal(next(self)), jax.random.normal(next(self))


def drawn(key, count):
    keys = endless(key)
    many = [next(keys) for _ in range(count)]
    total = sum(jax.random.normal(each) for each in many)
    for each in stream(next(keys), count):
        total += jax.random.normal(each)
    for _, each in zip(range(count), keys):
        total += jax.random.normal(each)
    total += jax.random.normal(next(keys)) + jax.random.normal(next(keys))
    return total


def both(first, second):
    with seeded(first) as key:
        total = jax.random.normal(key)
    with seeded(second) as key:
        total += jax.random.normal(key)
    return total


Keys(0).draw(), drawn(jax.random.key(1), 3), both(0, 1)

# %% a key for what compresses and for what undoes that, and for a method `forward` and its `inverse`
import jax
import jax.numpy as jnp


def scramble(key, x):
    return x * jax.random.rademacher(key, x.shape, dtype=x.dtype)


def descramble(key, x):
    return x * jax.random.rademacher(key, x.shape, dtype=x.dtype)


class Signs:
    def forward(self, key, x):
        return scramble(key, x)

    def inverse(self, key, x):
        return descramble(key, x)


x = jnp.arange(4.0)
first, second = jax.random.split(jax.random.key(0))
assert (descramble(first, scramble(first, x)) == x).all()
signs = Signs()
assert (signs.inverse(second, signs.forward(second, x)) == x).all()

# %% a key for noise and for what takes noise away: each draws its own
import jax
import jax.numpy as jnp


def noise(key, x):
    return x + jax.random.normal(key, x.shape)


def denoise(key, x):
    return 0.9 * x + 0.1 * jax.random.normal(key, x.shape)


key = jax.random.key(0)
denoise(key, noise(key, jnp.ones(3)))  #! JAX301

# %% norun where keys come from is not known: what samplers take is a key, and one variable holds one
import jax
from elsewhere import draw_seed, refreshed


def elastic(images, seed):
    seed = draw_seed(seed)
    dx = jax.random.normal(seed, shape=images.shape)
    dy = jax.random.normal(seed, shape=images.shape)  #! JAX301
    return dx, dy


def by_keyword(images, box):
    key = box.take("noise")
    dx = jax.random.normal(key=key, shape=images.shape)
    return dx + jax.random.uniform(key=key, shape=images.shape)  #! JAX301


def beside_a_shape(box):
    shape, one, other = box.take("shape"), box.take("one"), box.take("other")
    dx = jax.random.normal(shape=shape, key=one)
    return dx + jax.random.normal(shape=shape, key=other)


def beside_a_shape_again(box):
    shape, key = box.take("shape"), box.take("key")
    dx = jax.random.normal(shape=shape, key=key)
    return dx + jax.random.normal(shape=shape, key=key)  #! JAX301


def taken_anew(images, seed):
    seed = draw_seed(seed)
    dx = jax.random.normal(seed, shape=images.shape)
    seed = draw_seed(seed)
    return dx, jax.random.normal(seed, shape=images.shape)


def taken_in_each_turn(images, box):
    total = 0.0
    for image in images:
        key = box.take("noise")
        total += jax.random.normal(key, image.shape)
    return total


def in_one_arm(images, box, is_normal):
    key = box.take("noise")
    if is_normal:
        return jax.random.normal(key, images.shape)
    return jax.random.uniform(key, images.shape)


def refreshed_by_another(images, box):
    key = box.take("noise")
    dx = jax.random.normal(key, images.shape)

    def refresh():
        nonlocal key
        key = refreshed(key)

    refresh()
    return dx + jax.random.normal(key, images.shape)


def several(box, shape):
    return jax.random.normal(box.take("a"), shape) + jax.random.normal(box.take("a"), shape)

# %% a generator that gives one key again and again
import itertools

import jax


def never_split(seed):
    key = jax.random.key(seed)
    while True:
        yield key


def always_the_second(seed):
    key = jax.random.key(seed)
    while True:
        yield jax.random.split(key)[1]  #! JAX308


def made(seed):
    def keys():
        key = jax.random.key(seed)
        while True:
            yield key

    return keys()


first, second, third = never_split(0), always_the_second(1), made(2)
again = itertools.repeat(jax.random.key(3))
a = jax.random.normal(next(first))
b = jax.random.normal(next(first))  #! JAX301
c = jax.random.normal(next(second))
d = jax.random.normal(next(second))  #! JAX301
e = jax.random.normal(next(third))
f = jax.random.normal(next(third))  #! JAX301
g = jax.random.normal(next(again))
h = jax.random.normal(next(again))  #! JAX301
print(a, b, c, d, e, f, g, h)

# %% generators of keys
import itertools

import jax


def stream(seed):
    key = jax.random.key(seed)
    while True:
        key, sub = jax.random.split(key)
        yield sub


def indexed(key):
    i = 0
    while True:
        yield jax.random.fold_in(key, i)
        i += 1


def counted(key):
    for i in itertools.count():
        yield jax.random.fold_in(key, i)


def once(key):
    yield key


def listed(keys):
    for key in keys:
        yield key


class Sequence:
    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def __iter__(self):
        while True:
            self.key, sub = jax.random.split(self.key)
            yield sub


def draws(keys):
    return jax.random.normal(next(keys)), jax.random.normal(next(keys))


print(draws(stream(0)), draws(indexed(jax.random.key(1))), draws(counted(jax.random.key(2))))
print(draws(listed(jax.random.split(jax.random.key(3)))), draws(iter(Sequence(4))))
print(jax.random.normal(next(once(jax.random.key(5)))))
for key, size in zip(stream(6), (1, 2, 3)):
    print(jax.random.normal(key, (size,)))

# %% ok: a call that compiles, then the one that is timed
import contextlib
import time

import jax


@jax.jit
def simulated(key):
    key, sub = jax.random.split(key)
    return jax.random.normal(sub, (3,)).sum()


def timed(key):
    simulated(key).block_until_ready()
    start = time.perf_counter()
    result = simulated(key).block_until_ready()
    return result, time.perf_counter() - start


@contextlib.contextmanager
def timer():
    start = time.perf_counter()
    yield
    print(time.perf_counter() - start)


key, other = jax.random.split(jax.random.key(0))
simulated(key)
begin = time.time()
print(simulated(key), time.time() - begin, timed(jax.random.key(1)))
with timer():
    simulated(other)
with timer():
    simulated(other)

# %% called again without a clock, another function after one, or once more when the time is taken
import time

import jax


@jax.jit
def mean(key):
    return jax.random.normal(key, (9,)).mean()


def estimate(key):
    mean(key).block_until_ready()
    start = time.perf_counter()
    found = mean(key).block_until_ready()
    print(time.perf_counter() - start)
    return found - mean(key)  #! JAX301


def weights(key):
    return jax.random.normal(key, (3,)).sum()


def bias(key):
    return jax.random.normal(key, (2,)).sum()


key, other = jax.random.split(jax.random.key(0))
first = weights(key)
print(first + weights(key))  #! JAX301
begin = time.time()
one = weights(other)
print(time.time() - begin)
print(one + bias(other))  #! JAX301
print(estimate(jax.random.key(1)))

# %% a function of which nothing is known gets parameters, a key and data: it may be a network that draws nothing
import jax


class Agent:
    def __init__(self, build):
        self.features, self.noise = build()

    def act(self, params, key, observation):
        mean = self.features(params, key, observation)
        return mean + jax.random.normal(key, mean.shape)

    def explore(self, keys, observation):
        key, other = jax.random.split(keys)
        mean = self.noise(key, observation)
        return mean + jax.random.normal(key, mean.shape) + self.act(observation, other, observation)  #! JAX301


def build():
    return (lambda params, key, x: params * x), (lambda key, x: x + jax.random.uniform(key, x.shape))

# %% ok: a compiled function is called for its compilation or its time, and nothing reads what it gives
import time
import timeit

import jax


@jax.jit
def rollout(key):
    return jax.random.normal(key, (5,))


def bench(function, *args, count=3):
    function(*args).block_until_ready()
    start = time.perf_counter()
    for _ in range(count):
        function(*args).block_until_ready()
    return (time.perf_counter() - start) / count


key, other, third = jax.random.split(jax.random.key(0), 3)
rollout(key)
print(rollout(key))
print(bench(rollout, other), rollout(other))
print(timeit.timeit(lambda: rollout(third).block_until_ready(), number=2), rollout(third))

# %% an iterator of one's own that gives one key again, and one that replaces it
import jax


class Same:
    def __init__(self, seed):
        self._key = jax.random.key(seed)

    def __next__(self):
        return self._key

    def __iter__(self):
        return self


class Fresh(Same):
    def __next__(self):
        self._key, key = jax.random.split(self._key)
        return key


same, fresh = Same(0), Fresh(1)
print(jax.random.normal(next(same)), jax.random.normal(next(same)))  #! JAX301
print(jax.random.normal(next(fresh)), jax.random.normal(next(fresh)))

# %% ok: what an attribute keeps is drawn once, however often it is asked for
import jax


class Layer:
    def __init__(self, key):
        self.key = key
        self._weights = None
        self._bias = None

    @property
    def weights(self):
        if self._weights is None:
            self._weights = jax.random.normal(self.key, (3,))
        return self._weights

    def bias(self, key):
        if self._bias is not None:
            return self._bias
        self._bias = jax.random.normal(key, (3,))
        return self._bias


key, other = jax.random.split(jax.random.key(0))
layer = Layer(key)
print(layer.weights, layer.weights, layer.bias(other), layer.bias(other))
third = Layer(jax.random.key(1))
for _ in range(3):
    print(third.weights)

# %% two draws for what is kept
import jax


class Layer:
    def __init__(self, key):
        self.key = key
        self._weights = None
        self.weights

    @property
    def weights(self):
        if self._weights is None:
            scale = jax.random.normal(self.key, (3,))
            self._weights = scale * jax.random.normal(self.key, (3,))  #! JAX301
        return self._weights


layer = Layer(jax.random.key(0))
print(layer.weights, jax.jit(lambda x: x + layer.weights)(1.0))

# %% ok: weights that a file replaces
import io

import equinox as eqx
import jax


class Net(eqx.Module):
    w: jax.Array
    b: jax.Array

    def __init__(self, key):
        k1, k2 = jax.random.split(key)
        self.w = jax.random.normal(k1, (2,))
        self.b = jax.random.normal(k2, (2,))


def saved(seed):
    file = io.BytesIO()
    eqx.tree_serialise_leaves(file, Net(jax.random.key(seed)))
    file.seek(0)
    return file


def load(path, other, seed):
    key = jax.random.key(seed)
    encoder = Net(key)
    encoder = eqx.tree_deserialise_leaves(path, encoder)
    decoder = Net(key)
    decoder = eqx.tree_deserialise_leaves(other, like=decoder)
    return encoder.w, decoder.w, jax.random.normal(key, (2,))


print(load(saved(7), saved(8), 0))
key = jax.random.key(1)
print(eqx.tree_deserialise_leaves(saved(7), Net(key=key)).w, jax.random.normal(key, (2,)))

# %% weights that a file replaces after they were read
import io

import equinox as eqx
import jax


class Net(eqx.Module):
    w: jax.Array

    def __init__(self, key):
        k1, _ = jax.random.split(key)
        self.w = jax.random.normal(k1, (2,))


file = io.BytesIO()
eqx.tree_serialise_leaves(file, Net(jax.random.key(7)))
file.seek(0)


def load(path, seed):
    key = jax.random.key(seed)
    encoder = Net(key)
    before = encoder.w
    encoder = eqx.tree_deserialise_leaves(path, encoder)
    decoder = Net(key)  #! JAX301
    return before, encoder, decoder


print(load(file, 0))

# %% ok: a target network begins equal to the network
import jax
import jax.numpy as jnp


class Network:
    def __init__(self, size, key):
        self.weights = [jax.random.normal(each, (size,)) for each in jax.random.split(key)]


class Agent:
    def __init__(self, key):
        critic_key, self.key = jax.random.split(key)
        self.critic = Network(2, key=critic_key)
        self.target_critic = Network(2, key=critic_key)


def made(size, key):
    q = Network(size, key)
    q_target = Network(size, key)
    return q, q_target


agent = Agent(jax.random.key(0))
state = dict(params=jax.random.normal(agent.key, (3,)), target_params=jax.random.normal(agent.key, (3,)))
print(agent.critic.weights, agent.target_critic.weights, state)

# %% a target network of another size, or two networks of which none is a target
import jax


class Network:
    def __init__(self, size, key):
        self.weights = [jax.random.normal(each, (size,)) for each in jax.random.split(key)]


key, other = jax.random.split(jax.random.key(0))
critic, target_critic = Network(2, key), Network(3, key)  #! JAX301
target_one = Network(2, other)
target_two = Network(2, other)  #! JAX301
print(critic.weights, target_critic.weights, target_one.weights, target_two.weights)

# %% ok: two calls whose results are asked to be equal, or that are evaluated on the same draws
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def run(key, x):
    return x + jax.random.normal(key, x.shape)


def check_deterministic(key, x):
    a = run(key, x)
    b = run(key, x)
    np.testing.assert_array_equal(a, b)
    return a


def check_compiled(f, key, x):
    assert jnp.allclose(f(key, x), jax.jit(f)(key, x))


def evaluate(key, ours, theirs):
    key, eval_key = jax.random.split(key)
    return run(eval_key, ours) - run(eval_key, theirs)


check_deterministic(jax.random.key(0), jnp.ones(3))
check_compiled(lambda k, x: x * jax.random.normal(k, x.shape), jax.random.key(1), jnp.ones(2))
print(evaluate(jax.random.key(2), jnp.ones(2), jnp.zeros(2)))

# %% two calls that are asked to differ, one call of an evaluation twice, and two samplers
import jax
import jax.numpy as jnp


@jax.jit
def run(key, x):
    return x + jax.random.normal(key, x.shape)


def check_independent(key, x):
    a = run(key, x)
    b = run(key, x)  #! JAX301
    assert not jnp.allclose(a, b)


def evaluate(eval_key, x):
    first = run(eval_key, x)
    return first + run(eval_key, x)  #! JAX301


def targets(eval_key):
    return jax.random.normal(eval_key, (3,)), jax.random.normal(eval_key, (4,))  #! JAX301


try:
    check_independent(jax.random.key(2), jnp.ones(3))
except AssertionError:
    print("the samples are equal")
print(evaluate(jax.random.key(1), jnp.ones(2)), targets(jax.random.key(2)))

# %% ok: draws for plots, a network that gets a key last, values of which a test takes one, and fixed keys of an evaluation
import jax
import jax.numpy as jnp


def reconstruct(x, key):
    return x + jax.random.normal(key)


def plot_all(data, key):
    for x in data:
        print("figure", reconstruct(x, key))
    print("figure", reconstruct(data[0], key))


def show_spread(data, key):
    print("figure", reconstruct(data[0], key))


def report(data, key):
    plot_all(data, key)
    show_spread(data, key)


def select_action(apply_fn, params, x, key):
    logits = apply_fn(params, x, key)
    return jax.random.categorical(key, logits)


def sample(key, nu):
    count = jax.random.poisson(key, 3.0)
    log_count = nu * jnp.log(count + 1.0)
    rest = jnp.floor(jax.random.uniform(key) * 9)
    log_rest = nu * jnp.log(rest + 1.0)
    return jnp.where(nu >= 1, count, rest), jnp.where(nu >= 1, log_count, log_rest)


def other_arm(key, nu):
    count = jax.random.poisson(key, 3.0)
    rest = jax.random.uniform(key) * 9
    return jnp.where(nu == 1, count, 0), jnp.where(nu != 1, rest, 0)


def other_mask(key, mask):
    count = jax.random.poisson(key, 3.0, mask.shape)
    rest = jax.random.uniform(key, mask.shape) * 9
    return jnp.where(mask, count, 0), jnp.where(~mask, rest, 0)


class Counts:
    def __init__(self, nu):
        self.nu = nu

    def draw(self, key):
        count = jax.random.poisson(key, 3.0)
        rest = jax.random.uniform(key) * 9
        return jnp.where(self.nu == 1, count, 0), jnp.where(self.nu != 1, rest, 0)


def score(key, params):
    return -jnp.mean((params + jax.random.normal(key, (3,))) ** 2)


def train(params, key):
    k_train, k_eval = jax.random.split(key)
    k_a, k_b = jax.random.split(k_eval)
    for _ in range(3):
        k_train, k = jax.random.split(k_train)
        params = params - 0.1 * jax.grad(lambda p: -score(k, p))(params)
        print(score(k_a, params), score(k_b, params))


report(jnp.arange(3.0), jax.random.key(0))
train(jnp.ones(()), jax.random.key(1))
print(select_action(eval("lambda p, x, k: p * x"), 2.0, jnp.ones(3), jax.random.key(2)), sample(jax.random.key(3), 2.0))
print(other_arm(jax.random.key(4), 1), other_mask(jax.random.key(5), jnp.array([True, False])))
print(Counts(2).draw(jax.random.key(6)))

# %% evaluations of one thing on the same draws, values of which two tests take one each, and a network that draws
import jax
import jax.numpy as jnp


def returns(params, key):
    return params * jax.random.normal(key)


def evaluate(params, eval_key):
    total = 0.0
    for _ in range(3):
        total += returns(params, eval_key)  #! JAX302
    return total


def sample(key, nu, mu):
    count = jax.random.poisson(key, 3.0)
    rest = jax.random.uniform(key) * 9  #! JAX301
    return jnp.where(nu >= 1, count, 0), jnp.where(mu >= 1, 0, rest)


def same_arm(key, nu):
    count = jax.random.poisson(key, 3.0)
    rest = jax.random.uniform(key) * 9  #! JAX301
    return jnp.where(nu == 1, count, 0), jnp.where(nu != 1, 0, rest)


def rebound(key, x):
    mask = x > 0
    count = jnp.where(mask, jax.random.poisson(key, 3.0), 0)
    mask = x > 1
    return count, jnp.where(mask, 0, jax.random.uniform(key) * 9)  #! JAX301


class Counts:
    def draw(self, key, x):
        self.nu = x
        count = jnp.where(self.nu > 1, jax.random.poisson(key, 3.0), 0)
        self.nu = x + 1
        return count, jnp.where(self.nu > 1, 0, jax.random.uniform(key) * 9)  #! JAX301


def apply_fn(params, x, key):
    return x + params * jax.random.normal(key, x.shape)


def select_action(params, x, key):
    logits = apply_fn(params, x, key)
    return jax.random.categorical(key, logits)  #! JAX301


print(evaluate(2.0, jax.random.key(0)), sample(jax.random.key(1), 2.0, 1.0))
print(same_arm(jax.random.key(3), 1), rebound(jax.random.key(4), 0.5))
print(select_action(2.0, jnp.ones(3), jax.random.key(2)))

# %% two layers of a module of flax nnx whose streams are made of one key
import jax
import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, key):
        self.first = nnx.Linear(2, 2, rngs=nnx.Rngs(key))
        self.second = nnx.Linear(2, 2, rngs=nnx.Rngs(params=key))  #! JAX301

    def __call__(self, x):
        return self.second(self.first(x))


def stack(key):
    layers = []
    for _ in range(3):
        layers.append(nnx.Linear(2, 2, rngs=nnx.Rngs(key)))  #! JAX302
    return layers


one, two = jax.random.split(jax.random.key(0))
x = jnp.ones((3, 2))
print(Net(one)(x), [layer(x) for layer in stack(two)])

# %% ok: streams of one key that all layers share, of several keys, or of two models that are compared
import jax
import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, key):
        rngs = nnx.Rngs(params=key, dropout=key)
        self.first = nnx.Linear(2, 2, rngs=rngs)
        self.second = nnx.Linear(2, 2, rngs=rngs)

    def __call__(self, x):
        return self.second(self.first(x))


def stack(key):
    return [nnx.Linear(2, 2, rngs=nnx.Rngs(each)) for each in jax.random.split(key, 3)]


one, two = jax.random.split(jax.random.key(0))
x = jnp.ones((3, 2))
narrow, wide = nnx.Linear(2, 2, rngs=nnx.Rngs(one)), nnx.Linear(2, 4, rngs=nnx.Rngs(one))
print(Net(one)(x), [layer(x) for layer in stack(two)], narrow(x), wide(x))

# %% tests of numbers, lengths and shapes that exclude each other
import jax
import jax.numpy as jnp


def by_count(key, n):
    noise = jnp.zeros(2)
    if n == 1:
        noise = jax.random.normal(key, (2,))
    if n > 1:
        noise = jax.random.uniform(key, (2,))
    return noise


def by_length(key, layers):
    noise = jnp.zeros(2)
    if len(layers) == 1:
        noise = jax.random.normal(key, (2,))
    if len(layers) > 1:
        noise = jax.random.uniform(key, (2,))
    if not layers:
        noise = jax.random.laplace(key, (2,))
    return noise


def by_shape(key, x):
    if x.shape[0] == 1:
        noise = jax.random.normal(key, x.shape)
    if x.shape[0] != 1:
        noise = jax.random.uniform(key, x.shape)
    return noise


def by_range(key, step):
    if step < 3:
        noise = jax.random.normal(key)
    if 3 <= step < 5:
        noise = jax.random.uniform(key)
    if step >= 5:
        noise = jax.random.laplace(key)
    return noise


def by_two(key, low, high):
    if low < high:
        noise = jax.random.normal(key)
    if low >= high:
        noise = jax.random.uniform(key)
    return noise


def by_remainder(key, step):
    if step % 2 == 0:
        noise = jax.random.normal(key)
    if step % 2 == 1:
        noise = jax.random.uniform(key)
    return noise


for number, keys in enumerate(jax.random.split(jax.random.key(0), (4, 8))):
    by_count(keys[0], number)
    by_length(keys[1], ["dense"] * number)
    by_shape(keys[2], jnp.ones((number + 1, 2)))
    by_range(keys[3], 2 * number)
    by_two(keys[4], number, 2)
    by_remainder(keys[5], number)

# %% tests of numbers and lengths that do not exclude each other
import jax
import jax.numpy as jnp


def by_count(key, n):
    noise = jnp.zeros(2)
    if n >= 1:
        noise = jax.random.normal(key, (2,))
    if n > 1:
        noise += jax.random.uniform(key, (2,))  #! JAX301
    return noise


def by_length(key, layers):
    noise = jnp.zeros(2)
    if layers:
        noise = jax.random.normal(key, (2,))
    if len(layers) > 1:
        noise += jax.random.uniform(key, (2,))  #! JAX301
    return noise


def by_range(key, step):
    noise = jnp.zeros(())
    if step < 3:
        noise = jax.random.normal(key)
    if 2 <= step < 5:
        noise += jax.random.uniform(key)  #! JAX301
    return noise


def by_two(key, low, high):
    noise = jnp.zeros(())
    if low <= high:
        noise = jax.random.normal(key)
    if low >= high:
        noise += jax.random.uniform(key)  #! JAX301
    return noise


for number, keys in enumerate(jax.random.split(jax.random.key(0), (4, 8))):
    by_count(keys[0], number)
    by_length(keys[1], ["dense"] * number)
    by_range(keys[3], number)
    by_two(keys[4], number, 2)

# %% tests of modes, entries, types and predicates that exclude each other
import enum

import jax
import jax.numpy as jnp


class Mode(enum.Enum):
    TRAIN = 1
    EVALUATE = 2


def by_member(key, mode):
    if mode is Mode.TRAIN:
        noise = jax.random.normal(key)
    if mode is Mode.EVALUATE:
        noise = jax.random.uniform(key)
    return noise


def by_entry(key, config):
    if config["kind"] == "normal":
        noise = jax.random.normal(key)
    if config["kind"] == "uniform":
        noise = jax.random.uniform(key)
    return noise


def by_optional_entry(key, config):
    if config.get("bounded"):
        noise = jax.random.uniform(key)
    if not config.get("bounded"):
        noise = jax.random.normal(key)
    return noise


def by_type(key, scale):
    if isinstance(scale, float):
        noise = scale * jax.random.normal(key)
    if not isinstance(scale, float):
        noise = jax.random.normal(key, jnp.shape(scale))
    return noise


def by_prefix(key, name):
    if name.startswith("w"):
        noise = jax.random.normal(key)
    if not name.startswith("w"):
        noise = jax.random.uniform(key)
    return noise


def by_either(key, wide, deep):
    if wide or deep:
        noise = jax.random.normal(key)
    if not (wide or deep):
        noise = jax.random.uniform(key)
    return noise


def by_table(key, name, table):
    if name in table:
        noise = table[name](key)
    if name not in table:
        noise = jax.random.uniform(key)
    return noise


for flag, keys in zip((True, False), jax.random.split(jax.random.key(0), (2, 8))):
    by_member(keys[0], Mode.TRAIN if flag else Mode.EVALUATE)
    by_entry(keys[1], {"kind": "normal" if flag else "uniform"})
    by_optional_entry(keys[2], {"bounded": flag})
    by_type(keys[3], 1.0 if flag else jnp.ones(3))
    by_prefix(keys[4], "weight" if flag else "bias")
    by_either(keys[5], flag, flag)
    by_table(keys[6], "normal" if flag else "other", {"normal": jax.random.normal})

# %% what is tested has changed between two tests that exclude each other
import jax
import jax.numpy as jnp


def grown(key, seen):
    noise = jnp.zeros(())
    if len(seen) == 0:
        noise = jax.random.normal(key)
        seen.append(noise)
    if len(seen) == 1:
        noise += jax.random.uniform(key)  #! JAX301
    return noise


def filled(key, name, table):
    if name not in table:
        table[name] = jax.random.normal(key)
    if name in table:
        return table[name] + jax.random.uniform(key)  #! JAX301
    return None


def counted(key, n):
    noise = jnp.zeros(())
    if n == 0:
        noise = jax.random.normal(key)
        n += 1
    if n == 1:
        noise += jax.random.uniform(key)  #! JAX301
    return noise


class Schedule:
    def __init__(self):
        self.stage = 0

    def sample(self, key):
        noise = jnp.zeros(())
        if self.stage == 0:
            noise = jax.random.normal(key)
            self.stage = 1
        if self.stage == 1:
            noise += jax.random.uniform(key)  #! JAX301
        return noise


grown(jax.random.key(0), [])
filled(jax.random.key(1), "weight", {})
counted(jax.random.key(2), 0)
Schedule().sample(jax.random.key(3))

# %% functions that draw under tests of their arguments, where the arguments exclude each other
import jax
import jax.numpy as jnp


def drop(key, x, is_training):
    if is_training:
        return x * jax.random.bernoulli(key, 0.5, x.shape)
    return x


def jitter(key, x, is_enabled):
    if not is_enabled:
        return x
    return x + jax.random.normal(key, x.shape)


def thin(key, x, rate=None):
    if rate is not None:
        x = x * jax.random.bernoulli(key, rate, x.shape)
    return x


def augment(key, x, is_training):
    x = drop(key, x, is_training)
    return jitter(key, x, not is_training)


def augment_by_mode(key, x, mode):
    x = drop(key, x, mode == "train")
    return jitter(key, x, is_enabled=mode != "train")


def augment_by_rate(key, x, rate):
    x = thin(key, x, rate)
    if rate is None:
        x = x + jax.random.normal(key, x.shape)
    return x


class Model:
    def __init__(self, mode):
        self.mode = mode

    @property
    def is_training(self):
        return self.mode == "train"

    def _perturb(self, key, x):
        if self.is_training:
            return x + jax.random.normal(key, x.shape)
        return x

    def _sample(self, key, x):
        if not self.is_training:
            return x + jax.random.uniform(key, x.shape)
        return x

    def apply(self, key, x):
        x = self._perturb(key, x)
        return self._sample(key, x)

    def shift(self, key, x):
        if self.is_training:
            x = x + jax.random.normal(key, x.shape)
        if self.mode != "train":
            x = x + jax.random.uniform(key, x.shape)
        return x


augment(jax.random.key(0), jnp.ones(3), True)
augment_by_mode(jax.random.key(1), jnp.ones(3), "test")
augment_by_rate(jax.random.key(2), jnp.ones(3), 0.5)
augment_by_rate(jax.random.key(3), jnp.ones(3), None)
Model("train").apply(jax.random.key(4), jnp.ones(3))
Model("test").shift(jax.random.key(5), jnp.ones(3))

# %% functions that draw under tests of their arguments, where the arguments do not exclude each other
import jax
import jax.numpy as jnp


def drop(key, x, is_training):
    if is_training:
        return x * jax.random.bernoulli(key, 0.5, x.shape)
    return x


def jitter(key, x, is_enabled):
    if not is_enabled:
        return x
    return x + jax.random.normal(key, x.shape)


def either(key, x, is_training):
    if is_training:
        return x * jax.random.bernoulli(key, 0.5, x.shape)
    return x + jax.random.normal(key, x.shape)


def augment(key, x, is_training):
    x = drop(key, x, is_training)
    return jitter(key, x, is_training)  #! JAX301


def augment_by_mode(key, x, mode):
    x = drop(key, x, mode == "train")
    return jitter(key, x, mode != "test")  #! JAX301


def augment_twice(key, x, is_training):
    x = either(key, x, is_training)
    if not is_training:
        x = x + jax.random.normal(key, x.shape)  #! JAX301
    return x


class Model:
    def __init__(self, is_training):
        self.is_training = is_training

    def _perturb(self, key, x):
        if self.is_training:
            return x + jax.random.normal(key, x.shape)
        return x

    def _sample(self, key, x):
        if not self.is_training:
            return x
        return x + jax.random.uniform(key, x.shape)

    def apply(self, key, x):
        x = self._perturb(key, x)
        return self._sample(key, x)  #! JAX301


augment(jax.random.key(0), jnp.ones(3), True)
augment_by_mode(jax.random.key(1), jnp.ones(3), "train")
augment_twice(jax.random.key(2), jnp.ones(3), False)
Model(True).apply(jax.random.key(3), jnp.ones(3))

# %% draws that are kept, and made only where they are not there yet
import functools

import jax
import jax.numpy as jnp

KEY = jax.random.key(0)
_TABLE = None


class Projection:
    def __init__(self, key):
        self.key = key
        self.tables = {}

    @functools.cached_property
    def weight(self):
        return jax.random.normal(self.key, (2,))

    def bias(self):
        if not hasattr(self, "_bias"):
            self._bias = jax.random.normal(jax.random.fold_in(self.key, 1), (2,))
        return self._bias

    def scale(self):
        try:
            return self._scale
        except AttributeError:
            self._scale = jax.random.normal(jax.random.fold_in(self.key, 2), (2,))
        return self._scale

    def table(self, size):
        if size not in self.tables:
            self.tables[size] = jax.random.normal(jax.random.fold_in(self.key, 3), (size,))
        return self.tables[size]

    def named(self, name):
        found = self.tables.get(name)
        if found is None:
            found = self.tables[name] = jax.random.normal(jax.random.fold_in(self.key, 4), (2,))
        return found

    def both(self, x):
        x = x * self.weight / self.weight + self.bias() - self.bias()
        x = x * self.scale() / self.scale() + self.table(2) - self.table(2)
        return x + self.named("shift") - self.named("shift")


@functools.cache
def basis(size):
    return jax.random.normal(KEY, (size,))


def shared():
    global _TABLE
    if _TABLE is None:
        _TABLE = jax.random.normal(jax.random.fold_in(KEY, 1), (2,))
    return _TABLE


print(Projection(jax.random.key(1)).both(jnp.ones(2)))
print(jnp.ones(2) * basis(2) / basis(2), [jnp.ones(2) * shared() for _ in range(2)])

# %% draws that are made anew at each read
import jax
import jax.numpy as jnp


class Projection:
    def __init__(self, key):
        self.key = key

    @property
    def weight(self):
        return jax.random.normal(self.key, (2,))

    def bias(self):
        if not hasattr(self, "_count"):
            self._count = 0
        return jax.random.normal(jax.random.fold_in(self.key, 1), (2,))

    def both(self, x):
        x = x * self.weight / self.weight  #! JAX301
        return x + self.bias() - self.bias()  #! JAX301


print(Projection(jax.random.key(1)).both(jnp.ones(2)))

# %% of several draws of one key an index takes one
import jax
import jax.numpy as jnp


def selected(key, kind):
    return jnp.select([kind == 0, kind == 1], [jax.random.normal(key), jax.random.laplace(key)], 0.0)


def indexed(key, kind):
    table = jnp.stack([jax.random.normal(key), jax.random.laplace(key)])
    return table[kind]


def chosen(key, kind):
    return jax.lax.select_n(kind, jax.random.normal(key), jax.random.laplace(key))


def named(key, kind):
    return {"normal": jax.random.normal(key), "laplace": jax.random.laplace(key)}[kind]


print(selected(jax.random.key(0), 1), indexed(jax.random.key(1), 1))
print(chosen(jax.random.key(2), jnp.array(True)), named(jax.random.key(3), "laplace"))

# %% all of several draws of one key are taken
import jax
import jax.numpy as jnp


def indexed(key):
    table = jnp.stack([jax.random.normal(key), jax.random.laplace(key)])  #! JAX301
    return table[0] - table[1]


def compared(key, first, second):
    table = jnp.stack([jax.random.normal(key), jax.random.laplace(key)])  #! JAX301
    return table[first] - table[second]


print(indexed(jax.random.key(1)), compared(jax.random.key(2), 0, 1))

# %% a function and its derivative on the same draws
import jax
import jax.numpy as jnp


def loss(w, key, x):
    return jnp.mean((w * x + jax.random.normal(key, x.shape)) ** 2)


def step(w, key, x):
    slope = jax.grad(loss)
    return w - 0.1 * slope(w, key, x), loss(w, key, x)


def inside(w, key, x):
    def noisy(w):
        return jnp.mean((w * x + jax.random.normal(key, x.shape)) ** 2)

    return noisy(w), jax.value_and_grad(noisy)(w)[1]


def along(w, key, x):
    value, change = jax.jvp(lambda v: loss(v, key, x), (w,), (w,))
    return loss(w, key, x), change


x = jnp.ones(3)
print(step(1.0, jax.random.key(0), x), inside(1.0, jax.random.key(1), x), along(1.0, jax.random.key(2), x))

# %% two values, or two derivatives, of one function on the same draws
import jax
import jax.numpy as jnp


def loss(w, key, x):
    return jnp.mean((w * x + jax.random.normal(key, x.shape)) ** 2)


def cost(w, key, x):
    return jnp.mean((w * x - jax.random.uniform(key, x.shape)) ** 2)


def values(w, key, x):
    slope = jax.grad(loss)
    return loss(w, key, x), loss(2 * w, key, x), slope  #! JAX301


def slopes(w, key, x):
    slope = jax.grad(cost)
    return slope(w, key, x), slope(2 * w, key, x)  #! JAX301


print(values(1.0, jax.random.key(0), jnp.ones(3))[0], slopes(1.0, jax.random.key(1), jnp.ones(3)))

# %% a method draws with the key that it leaves in the object, and its caller does, too
import jax


class Search:
    def __init__(self, key):
        self.key = key

    def propose(self):
        self.key, *_ = jax.random.split(self.key)
        return jax.random.uniform(self.key, (2,))


class Walk:
    def __init__(self, key):
        self.key = key
        self.place = 0.0

    def step(self):
        key, self.key = jax.random.split(self.key)
        self.place += jax.random.normal(key)


def observed(key, rounds):
    search = Search(key)
    found = []
    for _ in range(rounds):
        point = search.propose()  #! JAX308
        found.append((point, jax.random.normal(search.key, (2,))))  #! JAX301
    return found


def walked(key, rounds):
    walk = Walk(key)
    for _ in range(rounds):
        walk.step()
        walk.key, own = jax.random.split(walk.key)
        walk.place += jax.random.normal(own)
    return walk.place + jax.random.normal(walk.key)


print(observed(jax.random.key(0), 2), walked(jax.random.key(1), 2))

# %% an object that begins anew with a key that it derives from its first one
import jax


class Env:
    def __init__(self, key):
        self.first = key
        self.key = key

    def reset(self):
        self.key = jax.random.fold_in(self.first, 0)

    def step(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)


env = Env(jax.random.key(0))
env.reset()
before = env.step()
env.reset()
print(before == env.step())

# %% layers of equinox that a function in a constructor makes
import equinox as eqx
import jax


class Shared(eqx.Module):
    first: eqx.nn.Linear
    second: eqx.nn.Linear

    def __init__(self, key):
        def linear(before, after):
            return eqx.nn.Linear(before, after, key=key)

        self.first = linear(1, 2)
        self.second = linear(2, 3)  #! JAX301


class Indexed(eqx.Module):
    first: eqx.nn.Linear
    second: eqx.nn.Linear

    def __init__(self, key):
        keys = jax.random.split(key, 2)
        linear = lambda index: eqx.nn.Linear(1, 2, key=keys[index])
        self.first = linear(0)
        self.second = linear(0)  #! JAX301


class Apart(eqx.Module):
    first: eqx.nn.Linear
    second: eqx.nn.Linear
    third: eqx.nn.Linear
    fourth: eqx.nn.Linear

    def __init__(self, key):
        keys = jax.random.split(key, 4)
        rest = iter(keys[2:])
        linear = lambda index: eqx.nn.Linear(1, 2, key=keys[index])

        def following():
            return eqx.nn.Linear(1, 2, key=next(rest))

        self.first = linear(0)
        self.second = linear(1)
        self.third = following()
        self.fourth = following()


print(Shared(jax.random.key(0)), Indexed(jax.random.key(1)), Apart(jax.random.key(2)))

# %% compiled and mapped functions, and their derivatives of one kind or another, on the same draws
import jax
import jax.numpy as jnp


def loss(w, key, x):
    return jnp.mean((w * x + jax.random.normal(key, x.shape)) ** 2)  #! JAX304


slope = jax.jit(jax.grad(loss))


def compiled(w, key, x):
    return jax.jit(loss)(w, key, x), slope(w, key, x)


def curved(w, key, x):
    return jax.grad(loss)(w, key, x), jax.hessian(loss)(w, key, x)


def mapped(w, key, xs):
    values = jax.vmap(loss, (None, None, 0))(w, key, xs)
    return values, jax.vmap(jax.grad(loss), (None, None, 0))(w, key, xs)


def sided(w, key, x):
    return jax.grad(loss, argnums=0)(w, key, x), jax.grad(loss, argnums=2)(w, key, x)


print(compiled(1.0, jax.random.key(0), jnp.ones(3)), curved(1.0, jax.random.key(1), jnp.ones(3)))
print(mapped(1.0, jax.random.key(2), jnp.ones((2, 3))), sided(1.0, jax.random.key(3), jnp.ones(3)))

# %% two streams of keys that are made of one key
import jax


def stream(key):
    while True:
        key, subkey = jax.random.split(key)
        yield subkey


def both(key):
    ours, theirs = stream(key), stream(key)  #! JAX301
    ours_first = jax.random.normal(next(ours))
    return ours_first + jax.random.normal(next(theirs))


print(both(jax.random.key(0)))

# %% functions that a factory makes, each with a key of its own
import jax


def make(key):
    def draw(n=2):
        return jax.random.normal(key, (n,))

    return draw


def layers(key):
    first, second = jax.random.split(key)

    @jax.jit
    def encode(x):
        return x + jax.random.normal(first)

    def decode(x):
        return x - jax.random.normal(jax.random.fold_in(second, 3))

    return encode, decode


def use(draw):
    return draw(3)


def noise(key):
    def initial():
        return key

    def update(state):
        state, own = jax.random.split(state)
        return jax.random.normal(own), state

    return initial, update


class Source:
    def __init__(self, key):
        self.draw = lambda: jax.random.normal(key)

    def sampler(self, key):
        return lambda n: jax.random.normal(key, (n,))


one, other = jax.random.split(jax.random.key(0))
f, g = make(one), make(other)
print(f(), g(), use(make(one)), use(make(other)))
for key in jax.random.split(jax.random.key(1), 3):
    h = make(key)
    print(h())
made = [make(key) for key in jax.random.split(jax.random.key(2), 3)]
print([each() for each in made], [each(1) for each in map(make, jax.random.split(jax.random.key(3), 2))])
encode, decode = layers(jax.random.key(4))
encode_more, decode_more = layers(jax.random.key(5))
print(encode(1.0), decode(1.0), encode_more(1.0), decode_more(1.0))
(start, update), (start_more, update_more) = noise(jax.random.key(6)), noise(jax.random.key(7))
print(update(start()), update_more(start_more()))
source, target = Source(jax.random.key(8)), Source(jax.random.key(9))
print(source.draw(), target.draw(), source.sampler(one)(2), source.sampler(other)(2))

# %% a function with a key of its own is called twice, made alone or as one of two
import jax


def make(key):
    def draw():
        return jax.random.normal(key)

    return draw


def scaled(key):
    return jax.jit(lambda x: x * jax.random.normal(key))


f, g = make(jax.random.key(0)), make(jax.random.key(1))
print(f(), g())
print(f())  #! JAX301


def run():
    scale = scaled(jax.random.key(2))
    return [scale(x) for x in (1.0, 2.0)]  #! JAX302


print(run())

# %% an object that a parameter is annotated with replaces its key at each draw
import jax


class Agent:
    def __init__(self, seed: int = 42):
        self.rng = jax.random.PRNGKey(seed)

    def sample(self, observation):
        self.rng, own = jax.random.split(self.rng)
        return observation + jax.random.normal(own)


class Environment:
    def __init__(self, steps):
        self.steps = steps

    def reset(self):
        self.time = 0
        return 0.0

    def step(self, action):
        self.time += 1
        return action, self.time > self.steps


def evaluate(agent: Agent, environment, episodes: int = 2):
    total = 0.0
    for _ in range(episodes):
        observation, done = environment.reset(), False
        while not done:
            observation, done = environment.step(agent.sample(observation))
        total += observation
    return total


def main(steps: int, seed):
    agent, environment = Agent(seed=seed), Environment(steps)
    totals = [evaluate(agent, environment)]
    for step in range(steps):
        if step % 2 == 0:
            totals.append(evaluate(agent, environment))
    return totals


print(main(2, 3))

# %% the same, where it keeps its key
import jax


class Agent:
    def __init__(self, seed: int = 42):
        self.rng = jax.random.PRNGKey(seed)

    def sample(self, observation):
        return observation + jax.random.normal(self.rng)


def evaluate(agent: Agent, observation):
    return agent.sample(observation)


def main(seed):
    agent = Agent(seed=seed)
    first = evaluate(agent, 0.0)
    return first + evaluate(agent, 1.0)  #! JAX301


print(main(3))

# %% a key is derived twice by the same path, and split or folded to others there
import jax

key = jax.random.key(0)
one = jax.random.split(jax.random.split(key)[1])[0]
other = jax.random.split(jax.random.split(key)[1])[1]  #! JAX308
print(jax.random.normal(one), jax.random.normal(other))
base = jax.random.key(1)
first = jax.random.fold_in(jax.random.split(base)[1], 0)
second = jax.random.fold_in(jax.random.split(base)[1], 1)  #! JAX308
print(jax.random.normal(first), jax.random.normal(second))

# %% the same, to equal keys
import jax

key = jax.random.key(0)
one = jax.random.split(jax.random.split(key)[1])[0]
other = jax.random.split(jax.random.split(key)[1])[0]  #! JAX301
print(jax.random.normal(one))
print(jax.random.normal(other))

# %% the next key is the only child of a split, where the function that is called splits the same key
import jax
import jax.numpy as jnp


def batch(key):
    keys = jax.random.split(key, 2)
    return jax.random.choice(keys[0], jnp.arange(9), (4,)), jax.random.choice(keys[1], jnp.arange(9), (4,))


def train(key, steps):
    total = 0
    for step in range(steps):
        key = jax.random.split(key, 1)[0]  #! JAX308
        first, second = batch(key)
        total = total + first.sum() - second.sum()
    return total


print(train(jax.random.key(0), 3))

# %% keys that are put into an array of keys on their way
import jax
import jax.numpy as jnp


def noisy(key, theta):
    flag = jax.random.bernoulli(key, theta)
    return flag * jax.random.normal(key)  #! JAX301


def clean(key, theta):
    first, second = jax.random.split(key)
    return jax.random.bernoulli(first, theta) * jax.random.normal(second)


key, *keys = jax.random.split(jax.random.PRNGKey(0), 5)
more = jax.random.split(jax.random.PRNGKey(1), 4)
print(jax.vmap(noisy, in_axes=(0, None))(jnp.array(keys), 0.3))
print(jax.vmap(clean, in_axes=(0, None))(jnp.stack([more[0], more[1]]), 0.3))
for each in jnp.stack([more[2], more[3]]):
    print(jax.random.normal(each))

# %% a number that is not known, but is one, is folded into a key twice
import jax
import jax.numpy as jnp


def noised(key, start):
    def body(x, t):
        scale = jax.random.uniform(jax.random.fold_in(key, t))
        return x + scale * jax.random.normal(jax.random.fold_in(key, t)), None  #! JAX301

    return jax.lax.scan(body, start, jnp.arange(3))


def augmented(key, state):
    flip = jax.random.bernoulli(jax.random.fold_in(key, state["step"]))
    state = {"step": state["step"] + 1}
    return flip, jax.random.normal(jax.random.fold_in(key, state["step"]))


@jax.jit
def update(key, step):
    mask = jax.random.bernoulli(jax.random.fold_in(data=step, key=key))
    return mask * jax.random.normal(jax.random.fold_in(key, data=step))  #! JAX301


key = jax.random.key(0)
print(noised(key, 0.0), augmented(jax.random.key(1), {"step": 1}))
for step in jnp.arange(2):
    print(update(jax.random.key(2), step))

# %% numbers that are not known, and of which each is another one
import jax
import jax.numpy as jnp


def stepped(key, count):
    total = 0.0
    for _ in range(3):
        total = total + jax.random.normal(jax.random.fold_in(key, count))
        count = count + 1
    return total


def again(key, count):
    first = jax.random.normal(jax.random.fold_in(key, count))
    count += 1
    return first + jax.random.normal(jax.random.fold_in(key, count))


def scanned(key, xs):
    def first(total, t):
        return total + jax.random.normal(jax.random.fold_in(key, t)), None

    def second(total, t):
        return total + jax.random.normal(jax.random.fold_in(key, t + len(xs))), None

    return jax.lax.scan(first, 0.0, xs)[0] + jax.lax.scan(second, 0.0, xs)[0]


def helper(key, count):
    return jax.random.normal(jax.random.fold_in(key, count))


class Agent:
    def __init__(self, key):
        self.key = key
        self.count = jnp.int32(0)

    def draw(self):
        first = jax.random.normal(jax.random.fold_in(self.key, self.count))
        self.bump()
        return first + jax.random.normal(jax.random.fold_in(self.key, self.count))

    def bump(self):
        self.count = self.count + 1


def stepping(key, state):
    first = jax.random.normal(jax.random.fold_in(key, state.step))
    state.advance()
    return first + jax.random.normal(jax.random.fold_in(key, state.step))


key = jax.random.key(0)
print(stepped(jax.random.fold_in(key, 0), jnp.int32(0)), again(jax.random.fold_in(key, 1), jnp.int32(0)))
print(scanned(jax.random.fold_in(key, 2), jnp.arange(3)), Agent(jax.random.fold_in(key, 3)).draw())
one, other = jnp.int32(1), jnp.int32(2)
print(helper(jax.random.fold_in(key, 4), one) + helper(jax.random.fold_in(key, 4), other))

# %% the step of a state is folded into a key twice
import jax


def augmented(key, state, batch):
    crop = jax.random.fold_in(key, state.step)
    drop = jax.random.fold_in(key, state.step)
    batch = batch + jax.random.normal(crop, batch.shape)
    return batch * jax.random.bernoulli(drop, 0.9, batch.shape)  #! JAX301

# %% keys of a long array by the number of an iteration: those of the same numbers are the same
import jax

N = 20


def again(keys, n):
    total = 0.0
    for i in range(n):
        total = total + jax.random.normal(keys[i])
    for i in range(n):
        total = total - jax.random.uniform(keys[i])  #! JAX301
    return total


def rollout(key):
    key, sub = jax.random.split(key)
    return jax.random.normal(sub)


def rollouts(key, n):
    keys = jax.random.split(key, n)
    return [rollout(keys[i]) for i in range(n)]


def inner(key):
    return rollouts(key, 10), rollouts(key, 20)  #! JAX301


keys = jax.random.split(jax.random.key(0), N)
first = [jax.random.normal(keys[i]) for i in range(N)]
second = [jax.random.normal(keys[i]) for i in range(N)]  #! JAX301
print(first, second, again(jax.random.split(jax.random.key(1), 3), 3), inner(jax.random.key(2)))

# %% keys of a long array by numbers that are others each time
import jax


def halves(key, n):
    keys = jax.random.split(key, 2 * n)
    total = jax.random.normal(keys[-1])
    for i in range(n):
        total = total + jax.random.normal(keys[i])
    for i in range(n, 2 * n - 1):
        total = total + jax.random.normal(keys[i])
    return total


def shifted(key, n):
    keys = jax.random.split(key, 2 * n)
    total = 0.0
    for i in range(n):
        total = total + jax.random.normal(keys[i])
    for i in range(n):
        total = total + jax.random.normal(keys[n + i])
    return total


def in_pairs(key, n):
    keys = jax.random.split(key, 2 * n)
    evens, odds = keys[:n], keys[n:]
    return [jax.random.normal(evens[i]) + jax.random.normal(odds[i]) for i in range(n)]


def from_second(key, n):
    keys = jax.random.split(key, n)
    total = jax.random.normal(keys[0])
    for i in range(1, n):
        total = total + jax.random.normal(keys[i])
    return total


def of_rows(key, n):
    keys = jax.random.split(key, (n, n))
    return [[jax.random.normal(keys[i][j]) for j in range(n)] for i in range(n)]


def replaced(keys, n):
    total = 0.0
    for i in range(n):
        total = total + jax.random.normal(keys[i])
        keys[i] = jax.random.fold_in(keys[i], 7)
    for i in range(n):
        total = total + jax.random.normal(keys[i])
    return total


keys = jax.random.split(jax.random.key(0), 6)
print(halves(keys[0], 4), shifted(keys[1], 4), in_pairs(keys[2], 4), from_second(keys[3], 4))
print(of_rows(keys[4], 3), replaced(list(jax.random.split(keys[5], 3)), 3))

# %% networks of stax that are initialised with one key
import jax
from jax.example_libraries import stax
from jax.example_libraries.stax import Dense, Flatten, Relu

init_actor, actor = stax.serial(Dense(4), Relu, Dense(2))
init_critic, critic = stax.serial(Flatten, Dense(4), Relu, Dense(1))
init_flat, flat = stax.serial(Flatten)

key = jax.random.key(0)
_, empty = init_flat(key, (-1, 3))
_, params = init_actor(key, (-1, 3))
_, values = init_critic(key, (-1, 3))  #! JAX301

first, second = jax.random.split(jax.random.key(1))
_, params = init_actor(first, (-1, 3))
_, values = init_critic(second, (-1, 3))

# %% a branch makes the key that it draws from, and the key is drawn from again behind it
import jax
import jax.numpy as jnp


def initial(kind, key, n):
    key, subkey = jax.random.split(key)
    if kind == "zeros":
        pose = jnp.zeros((n, 2))
    elif kind == "uniform":
        key, subkey = jax.random.split(key)
        pose = jax.random.uniform(subkey, (n, 2))
    else:
        raise ValueError(kind)
    return pose + jax.random.normal(subkey, pose.shape)  #! JAX301


def either(flag, key, other):
    if flag:
        chosen = jax.random.fold_in(key, 1)
        x = jax.random.uniform(chosen)
    else:
        chosen = jax.random.fold_in(other, 2)
        x = 0.0
    return x + jax.random.normal(chosen)  #! JAX301


def again(n, key):
    key, subkey = jax.random.split(key)
    x = 0.0
    for _ in range(n):
        key, subkey = jax.random.split(key)
        x += jax.random.normal(subkey)
    return x + jax.random.uniform(subkey)  #! JAX301


def only_one(flag, key):
    key, subkey = jax.random.split(key)
    x = 0.0
    if flag:
        key, subkey = jax.random.split(key)
        x = jax.random.uniform(subkey)
    if not flag:
        x = jax.random.normal(subkey)
    return x


def renewed(flag, key):
    key, subkey = jax.random.split(key)
    x = 0.0
    if flag:
        x = jax.random.uniform(subkey)
        key, subkey = jax.random.split(key)
    return x + jax.random.normal(subkey)


def left(flag, key):
    key, subkey = jax.random.split(key)
    if flag:
        key, subkey = jax.random.split(key)
        return jax.random.uniform(subkey)
    return jax.random.normal(subkey)


keys = jax.random.split(jax.random.key(0), 7)
print(initial("zeros", keys[0], 2), initial("uniform", keys[1], 2), either(True, keys[2], keys[3]))
print(again(2, keys[4]), only_one(True, keys[5]), only_one(False, keys[6]))
print(renewed(True, jax.random.key(1)), left(False, jax.random.key(2)))

# %% an index behind the last of several keys is that of the last one
import jax

keys = jax.random.split(jax.random.key(0), 3)
a = jax.random.normal(keys[0])
b = jax.random.normal(keys[2])
c = jax.random.normal(keys[3])  #! JAX301
d = jax.random.normal(keys[-5])  #! JAX301
e = jax.random.normal(keys[1])

# %% two loops with one body that begin with one key
import jax
import jax.numpy as jnp


def walk(key, _):
    key, subkey = jax.random.split(key)
    return key, jax.random.normal(subkey)


def twice(key):
    _, train = jax.lax.scan(walk, key, None, length=3)
    _, test = jax.lax.scan(walk, key, None, length=3)  #! JAX301
    return train, test


def apart(key):
    one, other = jax.random.split(key)
    _, train = jax.lax.scan(walk, one, None, length=3)
    _, test = jax.lax.scan(walk, other, None, length=3)
    return train, test


def onward(key):
    key, train = jax.lax.scan(walk, key, None, length=3)
    _, test = jax.lax.scan(walk, key, None, length=3)
    return train, test


print(twice(jax.random.key(0)), apart(jax.random.key(1)), onward(jax.random.key(2)))

# %% functions of the program that draw with one key, in whatever way their results come together
from collections import deque

import jax
import jax.numpy as jnp


def start(key, shape=0.2):
    return shape * jax.random.normal(key, (3,))


def by_mean(key, data, n):
    p = start(key)
    for _ in range(n):
        p = 0.5 * (p + data)
    return p


def summed(key):
    first = start(key)
    second = start(key, 0.3)  #! JAX301
    return jnp.sum(first) + jnp.sum(second)


def one_of_the_other(key):
    first = start(key)
    second = by_mean(key, first, 3)  #! JAX301
    print(second)


def collected(key):
    found = list()
    found.append(start(key))
    found.append(by_mean(key, 0.3, 2))  #! JAX301
    print(len(found))


def queued(key):
    found = deque()
    found.append(start(key))
    found.append(by_mean(key, 0.3, 2))  #! JAX301
    return sum(found)


def compared(key):
    print("start", start(key))
    print("mean", by_mean(key, 0.3, 2))  #! JAX301


def both_given(key):
    one = start(key)
    other = start(key, 0.3)  #! JAX301
    return {"one": one, "other": other}


def one_function(key):
    print(start(key))
    print(start(key, 0.3))  #! JAX301


class Model:
    def __init__(self, key):
        self.w = start(key)
        self.b = start(key, 0.1)  #! JAX301


a, b, c, d, e, f, g = jax.random.split(jax.random.key(0), 7)
print(summed(a), both_given(c), Model(e).w, queued(f))
compared(g)
one_of_the_other(b)
collected(d)
one_function(jax.random.key(1))

# %% what is called for what it does keeps its draws
import jax


class Buffer:
    def __init__(self):
        self.rows = []

    def fill(self, key):
        self.rows.append(jax.random.normal(key, (2,)))


def fill(rows, key):
    rows.append(jax.random.normal(key, (2,)))


def run(key):
    buffer, rows = Buffer(), []
    buffer.fill(key)
    fill(rows, key)  #! JAX301
    return buffer.rows, rows


run(jax.random.key(0))

# %% values of a cond and of a where: the draws go into one each, through functions and loops
import jax
import jax.numpy as jnp
from jax import lax


def by_branch(key, shape, gaussian):
    u = jax.random.uniform(key, shape)
    return lax.cond(gaussian, lambda: jax.random.normal(key, shape), lambda: jnp.tan(u))


def by_nested_branches(key, shape, gaussian, cauchy):
    u = jax.random.uniform(key, shape)

    def first(_):
        return jax.random.normal(key, shape)

    def second(_):
        return jnp.tan(u)

    def third(_):
        return jnp.sin(u)

    def others(_):
        return lax.cond(cauchy, second, third, None)

    return lax.cond(gaussian, first, others, None)


def by_switch(key, which):
    u = jax.random.uniform(key)
    return lax.switch(which, [lambda: u, lambda: jax.random.normal(key), lambda: u * 2])


def by_loop(key, small, n):
    def body(val):
        i, key, w = val
        key, sub = jax.random.split(key)
        return i + 1, key, jax.random.uniform(sub, (n,))

    _, _, w = lax.while_loop(lambda val: val[0] < 3, body, (0, key, jnp.zeros(n)))
    rejected = w + 1.0
    key, sub = jax.random.split(key)
    uniform = jax.random.uniform(sub, (n,))
    return jnp.where(small, uniform, rejected)


def in_both(key, shape, gaussian):
    u = jax.random.uniform(key, shape)
    return lax.cond(gaussian, lambda: u + jax.random.normal(key, shape), lambda: jnp.tan(u))  #! JAX301


def beside(key, shape, gaussian):
    u = jax.random.uniform(key, shape)
    v = lax.cond(gaussian, lambda: jax.random.normal(key, shape), lambda: jnp.tan(u))  #! JAX301
    return u + v


by_branch(jax.random.key(0), (2,), True)
by_nested_branches(jax.random.key(1), (2,), True, False)
by_switch(jax.random.key(2), 1)
by_loop(jax.random.key(3), True, 2)
in_both(jax.random.key(4), (2,), True)
beside(jax.random.key(5), (2,), True)

# %% functions that read what a variable is bound to again
import jax
import jax.numpy as jnp


def shapes(key):
    a = jax.random.normal(key)
    a = jnp.zeros_like(a)
    b = jax.random.normal(key)
    b = jnp.ones_like(b)

    def one():
        return a

    def other():
        return b

    return one() + other()


def values(key):
    a = jax.random.normal(key)

    def one():
        return a

    b = jax.random.normal(key)  #! JAX301
    found = one() + b
    a = jnp.zeros_like(b)
    return found + one()


shapes(jax.random.key(0))
values(jax.random.key(1))

# %% a derivative of one's own makes the draws of the function again
import jax
import jax.numpy as jnp


@jax.custom_vjp
def drop(x, key):
    return x * jax.random.bernoulli(key, 0.5, x.shape)


def forward(x, key):
    return drop(x, key), key


def backward(key, g):
    return g * jax.random.bernoulli(key, 0.5, g.shape), None


drop.defvjp(forward, backward)


@jax.custom_gradient
def drop_too(x, key):
    def gradient(g):
        return g * jax.random.bernoulli(key, 0.5, g.shape), None

    return x * jax.random.bernoulli(key, 0.5, x.shape), gradient


def loss(x, key):
    return drop(x, key).sum()


def body(x, key):
    return x - 0.1 * jax.grad(loss)(x, key), None


x = jnp.ones(3)
first, second, third, fourth = jax.random.split(jax.random.key(0), 4)
jax.grad(loss)(x, first)
jax.grad(lambda x: drop_too(x, second).sum())(x)
_, pull = jax.vjp(loss, x, third)
pull(1.0)
jax.lax.scan(body, x, jax.random.split(fourth, 3))
again = jax.random.key(1)
jax.grad(loss)(x, again)
noise = jax.random.uniform(again, (3,))  #! JAX301
print(noise)

# %% results that are compared: by ==, by the size of a difference, compiled or not, with a flag
import jax
import jax.numpy as jnp


def forward(key, x, clean=False):
    return x if clean else x + jax.random.normal(key, x.shape)


def equal(key, x):
    a = forward(key, x)
    assert (a == forward(key, x)).all()


def samples(key):
    a = jax.random.normal(key, (3,))
    b = jax.random.normal(key, (3,))  #! JAX301
    assert (a == b).all()


def near(key, x):
    a = forward(key, x)
    b = jax.jit(forward)(key, x)
    assert jnp.max(jnp.abs(a - b)) < 1e-6


def without(key, x):
    with jax.disable_jit():
        a = jax.jit(forward)(key, x)
    b = jax.jit(forward)(key, x)
    return a, b


def ablation(key, x):
    return forward(key, x, clean=False), forward(key, x, clean=True)


def unlike(key, x):
    a = forward(key, x)
    b = forward(key, x + 1)  #! JAX301
    assert not (a == b).all()
    return a, b


x = jnp.ones(2)
near(jax.random.key(0), x)
without(jax.random.key(1), x)
ablation(jax.random.key(2), x)
equal(jax.random.key(3), x)
samples(jax.random.key(4))
print(unlike(jax.random.key(5), x))

# %% common random numbers: the difference of what one function gives on other arguments
import jax
import jax.numpy as jnp


def price(sigma, key):
    return jnp.exp(sigma * jax.random.normal(key, (10,))).mean()


def slope(sigma, key, eps=1e-3):
    return (price(sigma + eps, key) - price(sigma - eps, key)) / (2 * eps)


def solve(key, n):
    steps = jax.random.normal(key, (8,)).reshape(n, -1).sum(1)
    return jnp.prod(1 + 0.1 * steps)


def error(key):
    coarse = solve(key, 4)
    fine = solve(key, 8)
    return jnp.abs(coarse - fine)


def total(sigma, key):
    return price(sigma, key) + price(2 * sigma, key)  #! JAX301


def gap(key):
    return jax.random.normal(key) - jax.random.uniform(key)  #! JAX301


slope(0.2, jax.random.key(0))
total(0.2, jax.random.key(1))
error(jax.random.key(2))
gap(jax.random.key(3))

# %% copies of a network to begin with, and networks that are others
import jax


def make(key, shape=(2, 2)):
    return jax.random.normal(key, shape)


def copies(key):
    online = make(key)
    target = make(key)
    ema = make(key)
    return online, target, ema


def teaching(key):
    student, teacher = make(key), make(key)
    return student, teacher


def first(key):
    params = make(key)
    init_params = make(key)
    return params, init_params


def others(key):
    actor = make(key)
    critic = make(key)  #! JAX301
    return actor, critic


def two_critics(key):
    first_target, second_target = make(key), make(key)  #! JAX301
    return first_target, second_target


copies(jax.random.key(0))
teaching(jax.random.key(1))
first(jax.random.key(2))
others(jax.random.key(3))
two_critics(jax.random.key(4))

# %% runs with one seed: models that are fitted, settings of a sweep
import jax


def fit_gradient(key, data):
    return jax.random.normal(key) + data


def fit_newton(key, data):
    return 2 * jax.random.normal(key) + data


def train(key, rate):
    first, second = jax.random.split(key)
    return jax.random.normal(first) - rate * jax.random.normal(second)


def start(key, rate):
    return rate * jax.random.normal(key)


def main(key, data):
    return {"gradient": fit_gradient(key, data), "newton": fit_newton(key, data)}


def after_the_other(key, data):
    data = fit_gradient(key, data)
    return fit_newton(key, data)  #! JAX301


def sweep(key):
    return {rate: start(key, rate) for rate in (0.1, 0.01)}  #! JAX302


main(jax.random.key(0), 1.0)
after_the_other(jax.random.key(1), 1.0)
key = jax.random.key(2)
for rate in (0.1, 0.01):
    print(rate, start(key, rate))
key = jax.random.key(3)
for name in ["small", "large"]:
    print(name, train(key, len(name)))
key = jax.random.key(4)
layers = []
for width in (3, 4):
    layers.append(start(key, width))  #! JAX302
key, state = jax.random.key(5), 0.0
for rate in (0.1, 0.01):
    state = start(key, rate + state)  #! JAX302

# %% equal splits whose children are drawn from after one, and only split again after the other
import jax


def init(key):
    keys = jax.random.split(key, 3)
    return [jax.random.uniform(k, (2,)) for k in keys]


def again(key):
    params = init(key)
    k1, k2 = jax.random.split(key)  #! JAX308
    a = jax.random.split(k1)  #! JAX308
    b = jax.random.split(k2)  #! JAX308
    return params, jax.random.normal(a[0]), jax.random.normal(b[0])


def drawn(key):
    params = init(key)
    k1, k2 = jax.random.split(key)  #! JAX301
    return params, jax.random.normal(k1), jax.random.normal(k2)


def given_back(key):
    params = init(key)
    k1, k2 = jax.random.split(key)  #! JAX301
    return params, k1, k2


again(jax.random.key(0))
drawn(jax.random.key(1))
given_back(jax.random.key(2))

# %% a callee that draws under a flag: the call leaves it off, turns it on, or hands its own on
import jax
import jax.numpy as jnp


def shifted(key, x, augment=False, mode="eval"):
    if augment or mode == "train":
        x = x + jax.random.uniform(key, (1,))
    return x


def left_out(key, x):
    return jax.random.categorical(key, shifted(key, x))


def written_out(key, x):
    return jax.random.categorical(key, shifted(key, x, False, mode="test"))


def turned_on(key, x):
    x = shifted(key, x, mode="train")
    return jax.random.categorical(key, x)  #! JAX301


def handed_on(key, x, augment):
    x = shifted(key, x, augment)
    return jax.random.categorical(key, x)  #! JAX301


x = jnp.ones((3, 3))
left_out(jax.random.key(0), x)
written_out(jax.random.key(1), x)
turned_on(jax.random.key(2), x)
handed_on(jax.random.key(3), x, True)

# %% a target network that is made like the network, but without an optimizer
import jax
import jax.numpy as jnp


class Model:
    def __init__(self, params, state, key):
        self.params, self.state, self.key = params, state, key

    @classmethod
    def create(cls, sizes, key, optimizer=None):
        param_key, dropout_key = jax.random.split(key)
        params = jax.random.normal(param_key, sizes)
        return cls(params, None if optimizer is None else optimizer(params), dropout_key)


class Agent:
    def __init__(self, seed):
        key, critic_key, encoder_key = jax.random.split(jax.random.key(seed), 3)
        self.critic = Model.create((3, 2), critic_key, optimizer=jnp.zeros_like)
        self.critic_target = Model.create((3, 2), critic_key)
        self.encoder = Model.create((3, 2), key=encoder_key, optimizer=jnp.zeros_like)
        self.fixed_encoder = Model.create((3, 2), key=encoder_key, optimizer=None)


Agent(0)

# %% a second network that is no copy of the first by its name, or has other sizes
import jax
import jax.numpy as jnp


def create(sizes, key, optimizer=None):
    params = jax.random.normal(key, sizes)
    return params, None if optimizer is None else optimizer(params)


class Agent:
    def __init__(self, seed):
        critic_key, actor_key = jax.random.split(jax.random.key(seed))
        self.critic = create((3, 2), critic_key, optimizer=jnp.zeros_like)
        self.value = create((3, 2), critic_key)  #! JAX301
        self.actor = create((3, 2), actor_key, optimizer=jnp.zeros_like)
        self.actor_target = create((3, 4), actor_key)  #! JAX301


Agent(0)

# %% a method draws from a field of a field that the caller has replaced
import flax.struct
import jax


class State(flax.struct.PyTreeNode):
    key: jax.Array

    def draw(self):
        _, subkey = jax.random.split(self.key)
        return jax.random.normal(subkey)


class Agent(flax.struct.PyTreeNode):
    state: State

    def update(self):
        return self.state.draw()

    def replaced(self):
        key, subkey = jax.random.split(self.state.key)
        agent = self.replace(state=self.state.replace(key=key))
        return jax.random.normal(subkey) + agent.update()

    def made(self):
        key, subkey = jax.random.split(self.state.key)
        agent = Agent(State(key))
        return jax.random.normal(subkey) + agent.update()

    def kept(self):
        _, subkey = jax.random.split(self.state.key)
        agent = self.replace(state=self.state)
        return jax.random.normal(subkey) + agent.update()  #! JAX301

# %% a method draws again from a field of a field
import flax.struct
import jax


class State(flax.struct.PyTreeNode):
    key: jax.Array

    def draw(self):
        _, subkey = jax.random.split(self.key)
        return jax.random.normal(subkey)


class Agent(flax.struct.PyTreeNode):
    state: State

    def update(self):
        return self.state.draw()

    def again(self):
        _, subkey = jax.random.split(self.state.key)
        return jax.random.normal(subkey) + self.update()  #! JAX301

# %% a field of a field, in a function that is given the object
import dataclasses

import jax


@dataclasses.dataclass
class State:
    key: jax.Array


@dataclasses.dataclass
class Agent:
    actor: State
    critic: State


def drawn(agent: Agent):
    return jax.random.normal(agent.actor.key)


def both(agent: Agent):
    return drawn(agent) + jax.random.normal(agent.critic.key)


def again(agent: Agent):
    return drawn(agent) + jax.random.normal(agent.actor.key)  #! JAX301


def swapped(agent: Agent):
    return drawn(agent) + drawn(Agent(agent.critic, agent.actor))


def renewed(agent: Agent):
    key, subkey = jax.random.split(agent.actor.key)
    agent = dataclasses.replace(agent, actor=State(key))
    return jax.random.normal(subkey) + drawn(agent)

# %% norun streams of a function that is not known: a framework folds its path into the key
import jax


def acted(state, obs, key):
    policy = state.apply_fn(state.params, obs, rngs={"dropout": key})
    return policy.sample(seed=key)


def acted_without(state, obs, key):
    policy = state.policy(obs, key)
    return policy + jax.random.normal(key)  #! JAX301


def step(state, obs):
    _, key = jax.random.split(state.key)
    _, other = jax.random.split(state.other)
    return acted(state, obs, key), acted_without(state, obs, other)

# %% a nested function has variables of the same names as children of a split that nobody reads
import jax
import jax.numpy as jnp


def sample_level(rng):
    rng, _rng = jax.random.split(rng)
    keys = jax.random.split(_rng, 12)

    def add_shape(rng, x):
        rng, _rng = jax.random.split(rng)
        return x + jax.random.normal(_rng)

    return add_shape(keys[11], jnp.zeros(12))


rng = jax.random.PRNGKey(0)
level = sample_level(rng)
rng, _rng = jax.random.split(rng)  #! JAX308
rng, _rng, _rng2 = jax.random.split(rng, 3)
print(level, jax.random.normal(_rng, (12,)), jax.random.normal(_rng2, (12,)))

# %% a nested function reads a child of a split, and so does the caller of the same one
import jax


def sample_level(rng):
    rng, _rng = jax.random.split(rng)

    def add_shape(x):
        return x + jax.random.normal(_rng)

    return add_shape(1.0)


rng = jax.random.PRNGKey(0)
level = sample_level(rng)
rng, _rng = jax.random.split(rng)  #! JAX301
print(level, jax.random.normal(_rng, (12,)))

# %% the key that a branch of lax.cond or lax.switch gives is one key
import jax
import jax.numpy as jnp
from jax import lax


def reset(params, key):
    return params + jax.random.normal(key, params.shape)


@jax.jit
def several(a, b, step, key):
    def act(a, k):
        k, subkey = jax.random.split(k)
        return reset(a, subkey), k

    a, key = lax.cond(step % 2 == 0, lambda x: act(*x), lambda x: x, (a, key))
    a = reset(a, key)
    b = reset(b, key)  #! JAX301
    return a, b


@jax.jit
def folded(a, b, step, key):
    key = lax.switch(step, [lambda k: jax.random.fold_in(k, 1), lambda k: jax.random.split(k)[0], lambda k: k], key)
    return reset(a, key), reset(b, key)  #! JAX301


@jax.jit
def split_after(a, b, step, key):
    key = lax.cond(step % 2 == 0, lambda k: jax.random.split(k)[0], lambda k: k, key)
    first, second = jax.random.split(key)
    return reset(a, first), reset(b, second)


@jax.jit
def in_turn(a, b, step, key):
    for _ in range(2):
        key = lax.cond(step > 0, lambda k: jax.random.split(k)[0], lambda k: jax.random.fold_in(k, 1), key)  #! JAX308
        a = reset(a, key)
    return a


several(jnp.ones(2), jnp.ones(2), 1, jax.random.key(0)), folded(jnp.ones(2), jnp.ones(2), 1, jax.random.key(0))
split_after(jnp.ones(2), jnp.ones(2), 1, jax.random.key(0)), in_turn(jnp.ones(2), jnp.ones(2), 1, jax.random.key(0))

# %% `:=` on the right of `and` and `or`: where it has run, the variable is another key
import jax

key = jax.random.key(0)
x = jax.random.normal(key)
is_small = bool(x < 10)
if is_small and (key := jax.random.key(1)) is not None:
    x += jax.random.normal(key)
if not (x > 10 or (key := jax.random.key(2)) is None):
    x += jax.random.normal(key)
y = jax.random.normal(key) if is_small and (key := jax.random.key(3)) is not None else 0.0
assert is_small and (key := jax.random.key(4)) is not None
print(x, y, jax.random.normal(key))

# %% `:=` on the right of `and`, and the arm in which it has perhaps not run
import jax

key = jax.random.key(0)
x = jax.random.normal(key)
is_small = bool(x < 10)
if is_small and (other := jax.random.key(1)) is not None:
    x += jax.random.normal(other)
    x += jax.random.normal(key)  #! JAX301
print(x)

# %% keys that a loop takes by `:=` behind `and`
import jax

keys = list(jax.random.split(jax.random.key(0), 4))
while keys and (key := keys.pop()) is not None:
    print(jax.random.normal(key))

turns = iter(jax.random.split(jax.random.key(1), 4))
print([jax.random.normal(key) for i in range(4) if i % 2 and (key := next(turns)) is not None])

i, first = 0, jax.random.key(2)
while i < 3 and (key := jax.random.fold_in(first, i)) is not None:
    print(jax.random.normal(key))
    i += 1

# %% `finally` makes the next key, also where the turn is over early
import jax

key = jax.random.key(0)
for i in range(4):
    try:
        x = jax.random.normal(key)
        if i == 2:
            continue
        print(x)
    finally:
        key = jax.random.fold_in(key, i)
for i in range(4):
    try:
        x = jax.random.normal(key)
        if x > 5:
            break
    finally:
        key, _ = jax.random.split(key)  #! JAX308
print(jax.random.normal(key))

# %% `finally` in a loop that makes no next key
import jax

key = jax.random.key(0)
for i in range(4):
    try:
        x = jax.random.normal(key)  #! JAX302
        if i == 2:
            continue
        print(x)
    finally:
        other = jax.random.fold_in(key, i)

# %% an antithetic pair has the same noise, however its two points are made
import jax
import jax.numpy as jnp


def run(theta, key, state):
    noise = jax.random.normal(key, (4,))
    return theta * state + noise, state + noise


def by_trees(theta, key, state):
    eps_key, key = jax.random.split(key)
    eps = jax.tree.map(lambda t: jax.random.normal(eps_key, t.shape), theta)
    up = jax.tree.map(lambda t, e: t + e, theta, eps)
    down = jax.tree.map(lambda t, e: t - e, theta, eps)
    losses, state_up = run(up, key, state)
    others, state_down = run(down, key, state)
    return jnp.mean(losses), jnp.mean(others), state_up + state_down


def in_place(theta, eps, key):
    first, _ = run(theta + eps, key, 1.0)
    second, _ = run(theta - eps, key, 1.0)
    return first, second


def by_name(thetas, key):
    pos_theta, neg_theta = thetas
    return run(pos_theta, key, 1.0), run(neg_theta, key, 1.0)


print(by_trees(jnp.ones(()), jax.random.key(0), 1.0))
print(in_place(jnp.ones(()), 0.1, jax.random.key(1)), by_name((1.0, -1.0), jax.random.key(2)))

# %% sizes that are a sum and a difference are no antithetic pair
import jax
import jax.numpy as jnp


def draw(key, n):
    return jax.random.normal(key, (n,))


def orbitals(key, electrons, spin):
    up = draw(key, (electrons + spin) // 2)
    down = draw(key, (electrons - spin) // 2)  #! JAX301
    return up, down


def filled(key, shape, scale=1.0):
    whole = [*shape, 3]
    return scale * jax.random.uniform(key, shape=whole)


def layer(key, inner, outer):
    return filled(key, (inner, outer), 0.5)


def layers(key, n, spin):
    n_up = n + spin
    n_down = n - spin
    return layer(key, n_up, 2), layer(key, n_down, outer=2)  #! JAX301


def inside(key, n):
    half = n // 2

    def one(key):
        return jax.random.normal(key, (half,))

    return one(key)


def complex_draw(key, shape, scale=1.0):
    real_key, imaginary_key = jax.random.split(key)
    return scale * (jax.random.normal(real_key, shape) + 1j * jax.random.normal(imaginary_key, shape))


def orbitals_of_bands(key, bands, electrons, spin):
    up = complex_draw(key, [bands, electrons + spin])
    down = complex_draw(key, [bands, electrons - spin])  #! JAX301
    return up, down


def by_names(key, num_pos, num_neg):
    return inside(key, num_pos), inside(key, num_neg)  #! JAX301


class Net:
    def __init__(self, key, size):
        self.weights = jax.random.normal(key, (size, size))


def nets(key, size, more):
    return Net(key, size + more).weights, Net(key, size - more).weights  #! JAX301


print(orbitals(jax.random.key(0), 4, 2), layers(jax.random.key(1), 3, 1))
print(by_names(jax.random.key(2), 4, 6), nets(jax.random.key(3), 2, 1))
print(orbitals_of_bands(jax.random.key(4), 2, 4, 2))

# %% but what has the shape of an argument, or another argument gives the shape
import jax
import jax.numpy as jnp


def noisy(theta, key):
    return theta * jax.random.normal(key, theta.shape)


def noisy_rows(theta, key):
    rows, columns = theta.shape
    return theta * jax.random.normal(key, (len(theta), columns))


def sized(theta, key, n):
    first, second = jax.random.split(key)
    return theta * jax.random.normal(first, (n,)) + jax.random.normal(second, (n,))


class Noise:
    def __init__(self, n):
        self.n = n

    def added(self, theta, key):
        return theta + jax.random.normal(key, (self.n,))


def pairs(theta, eps, key, n):
    a, b, c, d = jax.random.split(key, 4)
    noise = Noise(n)
    return (
        (noisy(theta + eps, a), noisy(theta - eps, a)),
        (noisy_rows(theta + eps, b), noisy_rows(theta - eps, b)),
        (sized(theta + eps, c, n), sized(theta - eps, c, n)),
        (noise.added(theta + eps, d), noise.added(theta - eps, d)),
    )


print(pairs(jnp.ones((2, 3)), 0.1, jax.random.key(0), 3))

# %% two points that are no pair
import jax
import jax.numpy as jnp


def run(theta, key, state):
    noise = jax.random.normal(key, (4,))
    return theta * state + noise, state + noise


def both_above(theta, eps, key):
    first, _ = run(theta + eps, key, 1.0)
    second, _ = run(theta + eps / 2, key, 1.0)  #! JAX301
    return first, second


def of_another_step(theta, eps, other, key):
    first, _ = run(theta + eps, key, 1.0)
    second, _ = run(theta - other, key, 1.0)  #! JAX301
    return first, second


def by_name(thetas, key):
    first_theta, next_theta = thetas
    return run(first_theta, key, 1.0), run(next_theta, key, 1.0)  #! JAX301


print(both_above(jnp.ones(()), 0.1, jax.random.key(1)))
print(of_another_step(jnp.ones(()), 0.1, 0.2, jax.random.key(1)), by_name((1.0, 2.0), jax.random.key(2)))

# %% a draw that is made into an example of which only the shape is read
import flax.linen as nn
import jax
import jax.numpy as jnp


def sample(key):
    a, b = jax.random.split(key)
    return jax.random.normal(a, (5,)), jax.random.normal(b, (5,))


def start(key):
    example = sample(key)
    example = jax.tree.map(lambda x: jnp.repeat(x[None], 4, axis=0), example)
    rows = jnp.concatenate(example)
    params = nn.Dense(3).init(jax.random.key(1), rows)
    return params, sample(key)


def start_with_loss(key):
    example = sample(key)
    rows = jnp.concatenate(jax.tree.map(lambda x: x[None], example))
    params = nn.Dense(3).init(jax.random.key(1), rows)
    return params, rows.sum(), sample(key)  #! JAX301


print(start(jax.random.key(0)), start_with_loss(jax.random.key(0)))

# %% one change of a picture and of its mask
import jax
import jax.numpy as jnp


class Flip:
    def __call__(self, x, *, key):
        return jnp.where(jax.random.bernoulli(key), x[:, ::-1], x)


def augmented(flip, image, mask, key):
    image = flip(image, key=key)
    mask = flip(mask, key=key)
    return image, mask


def augmented_batch(flip, batch, key):
    return {"image": flip(batch["image"], key=key), "depth": flip(batch["depth"], key=key)}


def two_pictures(flip, left, right, key):
    left = flip(left, key=key)
    right = flip(right, key=key)  #! JAX301
    return left, right


x = jnp.ones((3, 4))
print(augmented(Flip(), x, x, jax.random.key(0)), two_pictures(Flip(), x, x, jax.random.key(1)))
print(augmented_batch(Flip(), {"image": x, "depth": x}, jax.random.key(2)))

# %% draws that are added and taken away again: the calls differ in the sign of what scales them
import jax
import jax.numpy as jnp


def perturb(params, key, scale):
    leaves, treedef = jax.tree.flatten(params)
    keys = jax.random.split(key, len(leaves))
    return treedef.unflatten([p + scale * jax.random.normal(k, p.shape) for p, k in zip(leaves, keys)])


def loss(params, x):
    return jnp.mean((jnp.matmul(x, params["w"])) ** 2)


@jax.jit
def step(params, x, key, eps=1e-3, rate=1e-2):
    params = perturb(params, key, eps)
    up = loss(params, x)
    params = perturb(params, key, -2 * eps)
    down = loss(params, x)
    params = perturb(params, key, eps)
    slope = (up - down) / (2 * eps)
    return perturb(params, key, -rate * slope)


def two(encoder, decoder, key):
    encoder = perturb(encoder, key, 0.1)
    decoder = perturb(decoder, key, 0.1)  #! JAX301
    return encoder, decoder


params = {"w": jnp.ones(3)}
x = jax.random.normal(jax.random.key(0), (8, 3))
print(loss(step(params, x, jax.random.key(1)), x), two(params, params, jax.random.key(2)))

# %% one random map for what is trained with and what is tested with, and an evaluation before and after
import jax
import jax.numpy as jnp


def features(key, x, count):
    first, second = jax.random.split(key)
    w = jax.random.normal(first, (x.shape[-1], count))
    return jnp.cos(jnp.matmul(x, w) + jax.random.uniform(second, (count,)))


def fit(key, x_train, y_train, x_test):
    phi = features(key, x_train, 64)
    coef = jnp.linalg.solve(jnp.matmul(phi.T, phi) + jnp.eye(64), jnp.matmul(phi.T, y_train))
    return jnp.matmul(features(key, x_test, 64), coef)


def two(key, images, texts):
    return features(key, images, 8) + features(key, texts, 8)  #! JAX301


def returns(theta, key):
    return -jnp.sum((jax.random.normal(key, (20,)) + theta) ** 2)


def train(theta, seed):
    k_eval = jax.random.key(seed)
    before = returns(theta, k_eval)
    theta = theta + 0.5 * (1 - theta)
    return before, returns(theta, k_eval)


def averaged(theta, seed):
    key = jax.random.key(seed)
    first = returns(theta, key)
    second = returns(theta, key)  #! JAX301
    return (first + second) / 2


x = jnp.linspace(-3, 3, 20)[:, None]
print(fit(jax.random.key(0), x, x[:, 0], x + 1), two(jax.random.key(0), x, x), train(0.0, 1), averaged(0.0, 1))

# %% arrays that are only timed, waited for and asked for their shapes
import time

import jax
import jax.numpy as jnp

layer = jax.jit(lambda x, w: jnp.tanh(jnp.matmul(x, w)))


def show(seed):
    key = jax.random.key(seed)
    x = jax.random.normal(key, (8, 64))
    w = jax.random.normal(key, (64, 32))
    placed = jax.device_put(x, jax.devices()[0])
    start = time.time()
    result = layer(placed, w)
    jax.block_until_ready(result)
    print(f"{x.shape} -> {result.shape}: {time.time() - start}")


def read(seed):
    key = jax.random.key(seed)
    x = jax.random.normal(key, (8, 64))
    w = jax.random.normal(key, (64, 32))  #! JAX301
    start = time.time()
    result = layer(x, w)
    result.block_until_ready()
    print(result[0, 0], time.time() - start)


show(42)
read(42)

# %% a function beside the one that draws hands out the same child each time
import jax


def sampler(key):
    def fresh():
        _, child = jax.random.split(key)
        return child

    def normal(shape):
        return jax.random.normal(fresh(), shape)

    return normal


def stream(key):
    def fresh():
        nonlocal key
        key, child = jax.random.split(key)
        return child

    def normal(shape):
        return jax.random.normal(fresh(), shape)

    return normal


def beside(key):
    def draw(shape):
        return jax.random.normal(key, shape)

    def normal(shape):
        return draw(shape) + 1

    return normal


a, b, c, d, e = jax.random.split(jax.random.key(0), 5)
normal = sampler(a)
print(normal((2,)) + normal((2,)))  #! JAX301
normal = stream(b)
print(normal((2,)) + normal((2,)))
normal = beside(c)
print(normal((2,)) + normal((2,)))  #! JAX301
one, other = beside(d), beside(e)
print(one((2,)) + other((2,)))

# %% a key that may be None, with one child for two draws
import jax
import jax.numpy as jnp


def dropout(key, x, rate):
    if key is None or rate == 0:
        return x
    return jnp.where(jax.random.bernoulli(key, 1 - rate, x.shape), x / (1 - rate), 0)


def block(x, key=None):
    first = second = None
    if key is not None:
        first, second = jax.random.split(key)  #! JAX310
    x = x + dropout(first, 2 * x, 0.5)
    return x + dropout(first, jnp.tanh(x), 0.5)  #! JAX301


def chosen(x, key=None):
    first, second = (None, None) if key is None else jax.random.split(key)
    x = x + dropout(first, 2 * x, 0.5)
    return x + dropout(first, jnp.tanh(x), 0.5)  #! JAX301


def drawn(x, key=None):
    first = None
    if key is not None:
        first = jax.random.fold_in(key, 1)
    x = x + jax.random.normal(first, x.shape)
    return x + jax.random.normal(first, x.shape)  #! JAX301


def apart(x, key=None):
    first = second = None
    if key is not None:
        first, second = jax.random.split(key)
    x = x + dropout(first, 2 * x, 0.5)
    return x + dropout(second, jnp.tanh(x), 0.5)


def layers(xs, key=None):
    child = None
    for x in xs:
        if key is not None:
            key, child = jax.random.split(key)
        print(dropout(child, x, 0.5))
    for x in xs:
        key, child = jax.random.split(key) if key is not None else (None, None)
        print(dropout(child, x, 0.5))


a, b, c, d, e = jax.random.split(jax.random.key(0), 5)
x = jnp.ones(3)
print(block(x, a), chosen(x, b), drawn(x, c), apart(x, d), apart(x), layers([x, x], e))

# %% what is drawn where an object has nothing yet, and was given something before
import jax


class Lazy:
    def __init__(self):
        self.sample = None

    def draw(self, key):
        self.sample = jax.random.normal(key, (3,))

    def log(self, key):
        if self.sample is None:
            self.draw(key)
        return self.sample


class Bare:
    def draw(self, key):
        self.sample = jax.random.normal(key, (3,))

    def log(self, key):
        if not hasattr(self, "sample"):
            self.draw(key)
        return self.sample


class Holder:
    def __init__(self, key):
        self.key, self.bare = key, Bare()

    def run(self):
        self.bare.draw(self.key)
        return self.bare.log(self.key)


def drawn_before(key):
    lazy, bare = Lazy(), Bare()
    key, other = jax.random.split(key)
    lazy.draw(key)
    first = lazy.log(key)
    bare.draw(other)
    return first, bare.log(other)


def logged_twice(key):
    lazy, bare = Lazy(), Bare()
    key, other = jax.random.split(key)
    first = lazy.log(key), lazy.log(key)
    return first, bare.log(other), bare.log(other)


def of_two(key):
    one, other = Bare(), Bare()
    return one.log(key), other.log(key)  #! JAX301


def drawn_behind(key):
    lazy = Lazy()
    sample = lazy.log(key)
    return sample, jax.random.normal(key, (3,))  #! JAX301


key = jax.random.key(0)
drawn_before(key)
logged_twice(jax.random.key(2))
Holder(jax.random.key(3)).run()
of_two(jax.random.key(4))
drawn_behind(jax.random.key(5))

# %% of two draws each position gets one; a draw and its opposite
import jax
import jax.numpy as jnp
import numpy as np


def sample(key, low, high, shape):
    out = jax.random.uniform(key, shape=shape, minval=low, maxval=high)
    unbounded = np.logical_and(np.isinf(low), np.isinf(high))
    if unbounded.any():
        out = jnp.where(unbounded, jax.random.normal(key, shape=shape), out)
    return out


def mirrored(key, count):
    return jax.random.uniform(key, (count,)), 1 - jax.random.uniform(key, (count,))


def added(key, mask):
    out = jax.random.uniform(key, mask.shape)
    both = jnp.where(mask, jax.random.normal(key, mask.shape), out)  #! JAX301
    return both + out


keys = jax.random.split(jax.random.key(0), 3)
sample(keys[0], np.array([0.0, -np.inf]), np.array([1.0, np.inf]), (2,))
mirrored(keys[1], 3)
added(keys[2], jnp.ones(2, bool))

# %% two states that a loop carries on with other numbers; weights that are loaded; an example for a store
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Linear(NamedTuple):
    weights: jax.Array


def made(key, size):
    return Linear(jax.random.normal(key, (size,)))


def load_checkpoint(saved, key):
    encoder = made(key, 3)._replace(weights=saved["encoder"])
    decoder = made(key, 4)._replace(weights=saved["decoder"])
    return encoder, decoder


def step(key, state, scale):
    return state + scale * jax.random.normal(key)


def compared(key):
    state = other = 0.0
    for _ in range(3):
        key, shared = jax.random.split(key)
        state = step(shared, state, 75)
        other = step(shared, other, 25)
    return state, other


def init_buffer(example):
    return jax.tree.map(lambda x: jnp.zeros((10, *x.shape), x.dtype), example)


def stored(key):
    seen = step(key, 0.0, 1.0)
    following = step(key, seen, 1.0)
    return init_buffer({"seen": seen, "following": following})


def twins(key):
    state = other = 0.0
    for _ in range(3):
        key, shared = jax.random.split(key)
        state = step(shared, state, 75)
        other = step(shared, other, 75)  #! JAX301
    return state, other


def used(key):
    seen = step(key, 0.0, 1.0)
    following = step(key, seen, 1.0)  #! JAX301
    return init_buffer({"seen": seen, "following": following}), seen + following


keys = jax.random.split(jax.random.key(1), 5)
load_checkpoint({"encoder": jnp.zeros(3), "decoder": jnp.ones(4)}, keys[4])
compared(keys[0])
stored(keys[1])
twins(keys[2])
used(keys[3])

# %% a first draw that nothing reads; an option; data and targets that are moved alike; a derivative's rule
import jax
import jax.numpy as jnp


def kernel(key, position, scale):
    first, second = jax.random.split(key)
    momentum = jax.random.normal(first, position.shape) * scale**-0.5
    momentum = jnp.sqrt(scale) * jax.random.normal(first, position.shape)
    return position + momentum, jax.random.uniform(second)


def both(key, position, scale):
    first, second = jax.random.split(key)
    momentum = jax.random.normal(first, position.shape) * scale**-0.5
    momentum = momentum + jax.random.normal(first, position.shape)  #! JAX301
    return position + momentum, jax.random.uniform(second)


def loss(key, shape, same_noise=True):
    noise_key, flow_key = jax.random.split(key)
    noise = jax.random.normal(noise_key, shape)
    if same_noise:
        flow_key = noise_key
    return noise - jax.random.normal(flow_key, shape)


def plain(key, shape):
    noise_key, flow_key = jax.random.split(key)  #! JAX310
    noise = jax.random.normal(noise_key, shape)
    flow_key = noise_key
    return noise - jax.random.normal(flow_key, shape)  #! JAX301


def shift(data, key):
    return jnp.roll(data, jax.random.randint(key, (2,), -3, 3), axis=(0, 1))


def noised(data, key):
    return data + jax.random.normal(key, data.shape)


def augmented(x, y, key):
    x = shift(x, key=key)
    y = shift(y, key=key)
    return x, y


def all_noised(x, y, key):
    x = noised(x, key=key)
    y = noised(y, key=key)  #! JAX301
    return x, y


@jax.custom_jvp
def noisy(key, image):
    return image + jnp.sqrt(image) * jax.random.normal(key, image.shape)


@noisy.defjvp
def noisy_jvp(primals, tangents):
    key, image = primals
    _, slope = tangents
    out = noisy(key, image)
    return out, slope * (1 + jax.random.normal(key, image.shape) / (2 * jnp.sqrt(image)))


keys = jax.random.split(jax.random.key(0), 7)
kernel(keys[0], jnp.zeros(2), 1.0)
both(keys[1], jnp.zeros(2), 1.0)
loss(keys[2], (3,))
plain(keys[3], (3,))
augmented(jnp.eye(5), jnp.eye(5), keys[4])
all_noised(jnp.eye(5), jnp.eye(5), keys[5])
jax.grad(lambda x: noisy(keys[6], x).sum())(jnp.ones(3))

# %% a second difference, and three results that are equal
import jax
import jax.numpy as jnp
import numpy as np


def price(spot, key):
    return jnp.maximum(spot * jnp.exp(jax.random.normal(key, (50,))) - 1, 0).mean()


def curvature(key, h):
    return (price(1 + h, key) - 2 * price(1, key) + price(1 - h, key)) / h**2


def noised(key, x):
    return x + jax.random.normal(key, x.shape)


def checked(key, x):
    eager = noised(key, x)
    jitted = jax.jit(noised)(key, x)
    np.testing.assert_allclose(eager, jitted, rtol=1e-6)
    differentiated, _ = jax.jvp(lambda x: noised(key, x), (x,), (x,))
    np.testing.assert_allclose(eager, differentiated, rtol=1e-6)


def summed(key, h):
    return price(1 + h, key) + price(2, key)  #! JAX301


keys = jax.random.split(jax.random.key(0), 3)
curvature(keys[0], 0.1)
checked(keys[1], jnp.ones(2))
summed(keys[2], 0.1)

# %% lists, tuples and queues of the keys of an array
import collections

import jax


def listed(key):
    keys = list(jax.random.split(key, 3))
    return jax.random.normal(keys[0]), jax.random.normal(keys[0])  #! JAX301


def starred(key):
    keys = [*jax.random.split(key, 3)]
    return jax.random.normal(keys[1]), jax.random.normal(keys[1])  #! JAX301


def queued(key):
    keys = collections.deque(jax.random.split(key, 3))
    return jax.random.normal(keys[0]), jax.random.normal(keys.popleft())  #! JAX301


def taken(key):
    keys = list(jax.random.split(key, 4))
    queue = collections.deque(jax.random.split(jax.random.fold_in(key, 1), 3))
    first = jax.random.normal(keys.pop(0)), jax.random.normal(keys.pop(0)), jax.random.normal(keys[0])
    return first, jax.random.normal(queue.popleft()), jax.random.normal(queue.popleft())


keys = jax.random.split(jax.random.key(0), 4)
for run, key in zip((listed, starred, queued, taken), keys):
    run(key)

# %% two draws of which a selection takes one
import jax
import jax.numpy as jnp
from jax import lax


def by_test(key, is_wide):
    narrow = jax.random.normal(key, (3,))
    wide = jax.random.cauchy(key, (3,))
    return wide if is_wide else narrow


def by_cond(key, is_wide):
    def sample(key, scale):
        return scale * jax.random.normal(key, (3,))

    narrow = sample(key, 1.0)
    wide = sample(key, 9.0)
    return lax.cond(is_wide, lambda: wide, lambda: narrow)


def by_where(key, is_wide):
    def sample(key, scale):
        return scale * jax.random.normal(key, (3,))

    return jnp.where(is_wide, sample(key, 9.0), sample(key, 1.0))


keys = jax.random.split(jax.random.key(0), 3)
by_test(keys[0], True), by_cond(keys[1], True), by_where(keys[2], True)

# %% both draws are used beside the selection
import jax
import jax.numpy as jnp
from jax import lax


def and_one_more(key, is_wide):
    narrow = jax.random.normal(key, (3,))
    wide = jax.random.cauchy(key, (3,))  #! JAX301
    return (wide if is_wide else narrow) + narrow


def in_turn(key, tests):
    narrow = jax.random.normal(key, (3,))
    wide = jax.random.cauchy(key, (3,))  #! JAX301
    return [wide if test else narrow for test in tests]


def in_turns_of_a_loop(key, tests):
    narrow = jax.random.normal(key, (3,))
    wide = jax.random.cauchy(key, (3,))  #! JAX301
    total = 0.0
    for test in tests:
        total = total + (wide if test else narrow)
    return total


def both_arms(key, is_wide):
    def sample(key, scale):
        return scale * jax.random.normal(key, (3,))

    one = sample(key, 1.0)
    other = sample(key, 9.0)  #! JAX301
    return lax.cond(is_wide, lambda: one + other, lambda: other)


keys = jax.random.split(jax.random.key(0), 4)
and_one_more(keys[0], True), in_turn(keys[1], [True, False])
in_turns_of_a_loop(keys[2], [True, False]), both_arms(keys[3], True)

# %% a decorator that is given a key: each call of what it makes draws with that key
import functools
from functools import partial
import jax


def with_key(key):
    return lambda fn: lambda *a: fn(key, *a)


def with_partial(key):
    def deco(fn):
        return partial(fn, key)

    return deco


def with_wraps(*, rng):
    def deco(fn):
        @functools.wraps(fn)
        def inner(*a):
            return fn(rng, *a)

        return inner

    return deco


def plain(fn, key):
    @functools.wraps(fn)
    def inner(*a):
        return fn(key, *a)

    return inner


class Keyed:
    def __init__(self, key):
        self.key = key

    def __call__(self, fn):
        def inner(*a):
            return fn(self.key, *a)

        return inner


@with_key(jax.random.key(0))
def d1(key, n):
    return jax.random.normal(key, (n,))


@with_partial(jax.random.key(0))
def d2(key, n):
    return jax.random.normal(key, (n,))


@with_wraps(rng=jax.random.key(0))
def d3(key, n):
    return jax.random.normal(key, (n,))


@partial(plain, key=jax.random.key(0))
def d4(key, n):
    return jax.random.normal(key, (n,))


@Keyed(jax.random.key(0))
def d5(key, n):
    return jax.random.normal(key, (n,))


@jax.jit
@with_wraps(rng=jax.random.key(0))
def d6(key):
    return jax.random.normal(key, (3,))


KEY = jax.random.key(3)


@with_wraps(rng=KEY)
def d7(key):
    return jax.random.normal(key, (3,))


def m1():
    return d1(2), d1(2)  #! JAX301


def m2():
    return d2(2), d2(2)  #! JAX301


def m3():
    return d3(2), d3(2)  #! JAX301


def m4():
    return d4(2), d4(2)  #! JAX301


def m5():
    return d5(2), d5(2)  #! JAX301


def m6():
    return d6(), d6()  #! JAX301


def m7():
    return d7(), d7()  #! JAX301


for run in (m1, m2, m3, m4, m5, m6, m7):
    first, second = run()
    assert (first == second).all()

# %% a decorator that is given a key and makes another one of it for each call
import functools
import itertools
import jax


def counted(key):
    def deco(fn):
        count = 0

        def inner(*a):
            nonlocal count
            count += 1
            return fn(jax.random.fold_in(key, count), *a)

        return inner

    return deco


def carried(key):
    def deco(fn):
        @functools.wraps(fn)
        def inner(*a):
            nonlocal key
            key, sub = jax.random.split(key)
            return fn(sub, *a)

        return inner

    return deco


def carried2(key):
    def deco(fn):
        state = [key]

        def inner(*a):
            state[0], sub = jax.random.split(state[0])
            return fn(sub, *a)

        return inner

    return deco


def listed(key):
    def deco(fn):
        keys = iter(jax.random.split(key, 10))

        def inner(*a):
            return fn(next(keys), *a)

        return inner

    return deco


def numbered(key):
    def deco(fn):
        numbers = itertools.count()

        def inner(*a):
            return fn(jax.random.fold_in(key, next(numbers)), *a)

        return inner

    return deco


def by_argument(key):
    def deco(fn):
        def inner(i):
            return fn(jax.random.fold_in(key, i), i)

        return inner

    return deco


def own(key):
    def deco(fn):
        def inner(*a):
            return fn(inner.key, *a)

        inner.key = key
        return inner

    return deco


@counted(jax.random.key(0))
def d1(key, n):
    return jax.random.normal(key, (n,))


@carried(jax.random.key(0))
def d2(key, n):
    return jax.random.normal(key, (n,))


@carried2(jax.random.key(0))
def d3(key, n):
    return jax.random.normal(key, (n,))


@listed(jax.random.key(0))
def d4(key, n):
    return jax.random.normal(key, (n,))


@numbered(jax.random.key(0))
def d5(key, n):
    return jax.random.normal(key, (n,))


@by_argument(jax.random.key(0))
def d6(key, n):
    return jax.random.normal(key, (3,))


def m1():
    return d1(2), d1(2)


def m2():
    return d2(2), d2(2)


def m3():
    return d3(2), d3(2)


def m4():
    return d4(2), d4(2)


def m5():
    return d5(2), d5(2)


def m6():
    return d6(0), d6(1)


for run in (m1, m2, m3, m4, m5, m6):
    first, second = run()
    assert (first != second).any()

# %% what one decorator, or one factory, makes of several keys draws from several keys
import jax


def with_key(key):
    def deco(fn):
        def inner(*a):
            return fn(key, *a)

        return inner

    return deco


K1, K2, K3 = jax.random.split(jax.random.key(0), 3)


@with_key(K1)
def d1(key, n):
    return jax.random.normal(key, (n,))


@with_key(K2)
def d2(key, n):
    return jax.random.normal(key, (n,))


def m1():
    return d1(2), d2(2)


# the same function under different keys
def draw(key, n):
    return jax.random.normal(key, (n,))


def m2():
    f = with_key(K1)(draw)
    g = with_key(K2)(draw)
    return f(2), g(2)


def m3(key):
    return [with_key(k)(draw)(2) for k in jax.random.split(key)]


def m4(key):
    out = []
    for k in jax.random.split(key):
        deco = with_key(k)
        f = deco(draw)
        out.append(f(2))
    return out


def make(k):
    return with_key(k)(draw)


def m5(key):
    a, b = jax.random.split(key)
    f, g = make(a), make(b)
    return f(2), g(2)


def m6(key):
    a, b = jax.random.split(key)

    def local(k):
        @with_key(k)
        def d(key, n):
            return jax.random.normal(key, (n,))

        return d

    return local(a)(2), local(b)(2)


def m7(key):
    a, b = jax.random.split(key)

    @with_key(a)
    @with_key(b)
    def d(k1, k2):
        return jax.random.normal(k1), jax.random.normal(k2)

    return d()


def m8(key):
    fs = {n: with_key(k)(draw) for n, k in zip("ab", jax.random.split(key))}
    return fs["a"](2), fs["b"](2)


def m9(key):
    fs = [make(k) for k in jax.random.split(key)]
    return [f(2) for f in fs]


def apply(deco):
    return deco(draw)


def m10(key):
    a, b = jax.random.split(key)
    f, g = apply(with_key(a)), apply(with_key(b))
    return f(2), g(2)


def m11(key):
    decos = [with_key(k) for k in jax.random.split(key)]
    return [deco(draw)(2) for deco in decos]


class Model:
    def __init__(self, key):
        self.draw = with_key(key)(draw)

    def __call__(self):
        return self.draw(2)


def m12(key):
    a, b = jax.random.split(key)
    return Model(a)(), Model(b)()


def m13(key):
    a, b = jax.random.split(key)
    f, g = Model(a), Model(b)
    return f.draw(2), g.draw(2)


def make2(k):
    d = with_key(k)
    return {"d": d, "f": d(draw)}


def m14(key):
    a, b = jax.random.split(key)
    f, g = make2(a), make2(b)
    return f["f"](2), g["f"](2)


def m15(key):
    a, b = jax.random.split(key)
    f, g = make2(a), make2(b)
    return f["d"](draw)(2), g["d"](draw)(2)


def make3(k):
    f = with_key(k)(draw)

    def outer(n):
        return f(n) * 2

    return outer


def m16(key):
    a, b = jax.random.split(key)
    f, g = make3(a), make3(b)
    return f(2), g(2)


def make4(k):
    deco = with_key(k)

    def wrap(fn):
        return deco(fn)

    return wrap


def m17(key):
    a, b = jax.random.split(key)
    f, g = make4(a)(draw), make4(b)(draw)
    return f(2), g(2)


def m18(key):
    out = []
    for i in range(3):
        f = make4(jax.random.fold_in(key, i))(draw)
        out.append(f(2))
    return out


for i, each in enumerate(
    (m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18)
):
    x = each() if i < 2 else each(jax.random.key(i))
    assert not (x[0] == x[1]).all(), each

# %% a factory calls another one: its calls with different keys make functions with different keys
import jax


def with_key(key):
    def inner():
        return jax.random.normal(key)

    return inner


def wrap(key):
    return with_key(key)


def pair(key):
    a, b = jax.random.split(key)
    return with_key(a), with_key(b)


def beneath(key):
    inner = with_key(key)
    return lambda: inner()


def within(key):
    def make(other):
        def inner():
            return jax.random.normal(other)

        return inner

    return make(key)


def main(key):
    a, b, c, d, e, f, g, h = jax.random.split(key, 8)
    one, other = wrap(a), wrap(b)
    first = one(), other(), one()  #! JAX301
    (one, two), (three, four) = pair(c), pair(d)
    second = one(), two(), three(), four(), two()  #! JAX301
    one, other = beneath(e), beneath(f)
    third = one(), other(), other()  #! JAX301
    one, other = within(g), within(h)
    return first, second, third, (one(), other(), one())  #! JAX301


main(jax.random.key(0))

# %% one key under several names of a dict, by `dict.fromkeys`
import collections

import jax


def both(key):
    keys = dict.fromkeys(("w", "b"), key)
    return jax.random.normal(keys["w"]), jax.random.normal(keys["b"])  #! JAX301


def ordered(key):
    keys = collections.OrderedDict.fromkeys("wb", key)
    return jax.random.normal(keys["w"]), jax.random.normal(keys["b"])  #! JAX301


def one(key):
    keys = dict.fromkeys(("w", "b"), key)
    return jax.random.normal(keys["w"])


def folded(key):
    keys = dict.fromkeys(("w", "b"), key)
    for i, name in enumerate(keys):
        keys[name] = jax.random.fold_in(key, i)
    return jax.random.normal(keys["w"]), jax.random.normal(keys["b"])


def filled(key):
    keys = dict.fromkeys(("w", "b"))
    for name in keys:
        key, keys[name] = jax.random.split(key)
    return jax.random.normal(keys["w"]), jax.random.normal(keys["b"])


def by_names(key, names):
    keys = dict.fromkeys(names, key)
    return {name: jax.random.fold_in(key, i) for i, (name, key) in enumerate(keys.items())}


for run, key in zip((both, ordered, one, folded, filled), jax.random.split(jax.random.key(1), 5)):
    run(key)
by_names(jax.random.key(0), ["w", "b"])

# %% a handler draws again with a key whose draw the `try` has looked at
import jax


def again(key):
    try:
        value = jax.random.normal(key)
        if value < 9:
            raise ValueError
    except ValueError:
        value = jax.random.normal(key)  #! JAX301
    return value


def instead(key, x):
    try:
        value = jax.random.normal(key, (2,))
        if x is None:
            raise ValueError
    except ValueError:
        value = jax.random.normal(key, (3,))
    return value


def split(key):
    first, second = jax.random.split(key)
    try:
        value = jax.random.normal(first)
        if value < 9:
            raise ValueError
    except ValueError:
        value = jax.random.normal(second)
    return value


again(jax.random.key(0)), instead(jax.random.key(1), None), split(jax.random.key(2))

# %% keys that are looked up by names that are not known are those of different names
import sys

import jax
import jax.numpy as jnp


def construct(dropout_key, setup):
    found = {}
    split = jax.random.split(dropout_key, len(setup))
    for i, (layer_name, rate) in enumerate(setup.items()):
        found[layer_name] = {"key": split[i], "rate": rate}
    return found


class Linear:
    def __init__(self, name):
        self.name = name

    def __call__(self, inputs, dropout_dict=None):
        if dropout_dict is None or self.name not in dropout_dict:
            return inputs
        dropout_key = dropout_dict[self.name]["key"]
        return inputs * jax.random.bernoulli(dropout_key, 0.5, inputs.shape)


class Block:
    def __init__(self, prefix):
        self.one = Linear(prefix + "RBF_Dense")
        self.other = Linear(prefix + "Concat_Dense")

    def __call__(self, x, dropout_dict=None):
        y = self.one(x, dropout_dict)
        return self.other(y, dropout_dict)


def run(key, x):
    return Block(sys.argv[0])(x, construct(key, {"a": 0.5}))


def twice(key, x, name):
    dropout_dict = construct(key, {"a": 0.5})
    if name in dropout_dict:
        found = dropout_dict[name]
        x = x * jax.random.bernoulli(found["key"], 0.5, x.shape)
        return x * jax.random.bernoulli(found["key"], 0.5, x.shape)  #! JAX301
    return x


print(run(jax.random.key(0), jnp.ones(3)))
twice(jax.random.key(0), jnp.ones(3), "".join(["a"]))

# %% a key in an attribute that is split again: the child that the next key replaces unread repeats nothing
import jax


@jax.jit
def update(rng, x):
    rng, key = jax.random.split(rng) #! JAX310
    dropout_key, _ = jax.random.split(rng)
    x = x + jax.random.normal(rng) * jax.random.bernoulli(dropout_key) #! JAX308
    return rng, x


class Agent:
    def __init__(self):
        self.rng = jax.random.PRNGKey(0)
        self.x = 0.0

    def train(self, steps):
        for _ in range(steps):
            self.rng, key = jax.random.split(self.rng, 2) #! JAX308
            self.rng, self.x = update(key, self.x)


agent = Agent()
agent.train(3)
print(agent.x)

# %% a key in an attribute that is split again: a method reads the child before the next key is there
import jax


@jax.jit
def update(rng, x):
    rng, key = jax.random.split(rng) #! JAX310
    dropout_key, _ = jax.random.split(rng)
    x = x + jax.random.normal(rng) * jax.random.bernoulli(dropout_key) #! JAX308
    return rng, x


class Agent:
    def __init__(self):
        self.rng = jax.random.PRNGKey(0)
        self.x = 0.0

    def train(self, steps):
        for _ in range(steps):
            self.rng, key = jax.random.split(self.rng, 2) #! JAX301
            self.noise()
            self.rng, self.x = update(key, self.x)

    def noise(self):
        self.x += jax.random.normal(self.rng)


agent = Agent()
agent.train(3)
print(agent.x)

# %% a module that splits a key again: of the children that are drawn from twice the second draw tells
import jax

keys = jax.random.split(jax.random.key(0), 4)


def weights(key):
    return [jax.random.normal(k, (3,)) for k in jax.random.split(key, 3)]


first = weights(keys[0])
key = keys[0]
for _ in range(2):
    key, sub = jax.random.split(key)  #! JAX308
    first = [each + jax.random.normal(k, (3,)) for each, k in zip(first, jax.random.split(sub, 3))] #! JAX308

second = weights(keys[1])
key = keys[1]
for _ in range(2):
    key, sub = jax.random.split(key)  #! JAX301
    second = [each + jax.random.normal(sub, (3,)) for each in second]
print(first, second)

# %% gradients of one noisy loss for two groups of parameters, by closures
import jax
import jax.numpy as jnp


def loss(p, q, key):
    return jnp.sum(p * q * jax.random.normal(key, (3,)))


def named(p, q, key):
    def of_actor(p):
        return -loss(p, q, key)

    def of_critic(params):
        scaled = 2.0 * params
        return loss(p, q=scaled, key=key)

    return jax.grad(of_actor)(p), jax.grad(of_critic)(q)


def written(p, q, key):
    one = jax.grad(lambda p: loss(p, q, key))(p)
    return one, jax.grad(lambda q: loss(p, q, key))(q)


def mixed(p, q, key):
    def of_critic(params):
        return loss(p, params, key)

    value, one = jax.value_and_grad(loss)(p, q, key)
    return value, one, jax.value_and_grad(of_critic)(q)


def value_beside(p, q, key):
    def of_actor(p):
        return loss(p, q, key)

    return loss(p, q, key), jax.grad(of_actor)(p)


def decorated(p, q, key):
    @jax.grad
    def of_actor(p):
        return loss(p, q, key)

    @jax.value_and_grad
    def of_critic(q):
        return loss(p, q, key)

    return of_actor(p), of_critic(q)


class Trainer:
    def __init__(self):
        self.key = jax.random.key(7)

    def of_actor(self, p, q):
        return loss(p, q, self.key)

    def of_critic(self, q, p):
        return loss(p, q, self.key)

    def step(self, p, q):
        return jax.grad(self.of_actor)(p, q), jax.grad(self.of_critic)(q, p)


keys = jax.random.split(jax.random.key(0), 5)
p, q = jnp.ones(3), jnp.ones(3)
print(named(p, q, keys[0]), written(p, q, keys[1]), mixed(p, q, keys[2]), value_beside(p, q, keys[3]))
print(decorated(p, q, keys[4]), Trainer().step(p, q))

# %% derivatives of one objective by closures: a Jacobian and a gradient, two of its outputs
import jax
import jax.numpy as jnp


def losses(params, batch, key):
    noise = jax.random.normal(key, batch.shape)
    each = (batch + noise - params) ** 2
    return each.sum(), each


def gauss_newton(params, batch, key):
    def single(p):
        return losses(p, batch, key)[1]

    def total(p):
        return losses(p, batch, key)

    jacobian = jax.jacrev(single)(params)
    (value, _), grads = jax.value_and_grad(total, has_aux=True)(params)
    return jacobian, value, grads


def outputs(params, batch, key):
    one = jax.grad(lambda p: losses(p, batch, key)[0])(params)
    return one, jax.grad(lambda p: losses(p, batch, key)[1].mean())(params)


keys = jax.random.split(jax.random.key(0), 2)
print(gauss_newton(jnp.ones(4), jnp.ones(4), keys[0]), outputs(jnp.ones(4), jnp.ones(4), keys[1]))

# %% gradients for the same parameters, on other data: the noise should be another one
import jax
import jax.numpy as jnp


def loss(params, batch, key):
    return jnp.sum(params * batch * jax.random.normal(key, (3,)))


def two_batches(params, one, other, key):
    first = jax.grad(lambda p: loss(p, one, key))(params)
    return first, jax.grad(lambda p: loss(p, other, key))(params) #! JAX301


def mean_loss(params, batch, key):
    return jnp.mean(params * batch * jax.random.normal(key, (3,)))


def named(params, one, other, key):
    def of_one(p):
        return mean_loss(p, one, key)

    def of_other(p):
        return mean_loss(p, other, key)

    return jax.grad(of_one)(params), jax.grad(of_other)(params) #! JAX301


def noise(key, shape):
    return jax.random.normal(key, shape)


def other_objectives(params, key):
    def of_one(p):
        return (p * noise(key, p.shape)).sum()

    def of_other(p):
        return ((p - noise(key, p.shape)) ** 2).sum()

    return jax.grad(of_one)(params), jax.value_and_grad(of_other)(params) #! JAX301


def squares(params, batch, key):
    return jnp.sum((params * batch - jax.random.normal(key, (3,))) ** 2)


def two_points(params, batch, key):
    def of_one(p):
        return squares(p, batch, key)

    return jax.grad(of_one)(params), jax.grad(of_one)(2 * params) #! JAX301


keys = jax.random.split(jax.random.key(0), 4)
a, b = jnp.ones(3), jnp.zeros(3)
print(two_batches(a, a, b, keys[0]), named(a, a, b, keys[1]), other_objectives(a, keys[2]))
print(two_points(a, b, keys[3]))

# %% norun distrax: what is drawn with `seed` in a function that nobody calls
import distrax
import jax
import jax.numpy as jnp


def a(mu, key):
    pi = distrax.Normal(mu, 1.0)
    return pi.sample(seed=key) - pi.sample(seed=key) #! JAX301


def b(mu, key: jax.Array):
    pi = distrax.Normal(mu, 1.0)
    return pi.sample(seed=key) - pi.sample(seed=key) #! JAX301


def c(mu, key: jax.Array):
    pi = distrax.Normal(mu, 1.0)
    return pi.sample(seed=key), jax.random.normal(key) #! JAX301


def d(mu, key):
    pi = distrax.Normal(mu, 1.0)
    key, sub = jax.random.split(key)
    return pi.sample(seed=sub) - pi.sample(seed=key)


def e(mu, seed: int):
    pi = distrax.Normal(mu, 1.0)
    return pi.sample(seed=seed) - pi.sample(seed=seed)


def f(mu):
    pi = distrax.Normal(mu, 1.0)
    return pi.sample(seed=0) - pi.sample(seed=0)


def g(mu, rng_key):
    out = []
    for _ in range(3):
        out.append(distrax.Normal(mu, 1.0).sample_and_log_prob(seed=rng_key)) #! JAX302
    return out


def h(mu, keys):
    return [distrax.Normal(mu, 1.0).sample(seed=key) for key in keys]


def i(mu, state):
    x = distrax.Normal(mu, 1.0).sample(seed=state.key)
    return x - distrax.Normal(mu, 1.0).sample(seed=state.key) #! JAX301


def j(mu, state):
    x = distrax.Normal(mu, 1.0).sample(seed=next(state))
    return x - distrax.Normal(mu, 1.0).sample(seed=next(state))


def k(mu, state):
    x = distrax.Normal(mu, 1.0).sample(seed=state.next())
    return x - distrax.Normal(mu, 1.0).sample(seed=state.next())


class Policy:
    def __init__(self, key):
        self.key = key

    def act(self, mu):
        self.key, sub = jax.random.split(self.key)
        return distrax.Normal(mu, 1.0).sample(seed=sub)

    def pair(self, mu):
        return distrax.Normal(mu, 1.0).sample(seed=self.key), distrax.Normal(mu, 1.0).sample(seed=self.key) #! JAX301

# %% norun equinox: layers that are annotated fields drop with the key that they are given
from typing import Optional

import equinox as eqx
import jax
import jax.numpy as jnp


class Two(eqx.Module):
    d1: eqx.nn.Dropout
    d2: eqx.nn.Dropout

    def __call__(self, x, *, key):
        x = self.d1(x, key=key)
        return self.d2(jnp.tanh(x), key=key) #! JAX301


class Split(eqx.Module):
    d1: eqx.nn.Dropout
    d2: eqx.nn.Dropout

    def __call__(self, x, *, key):
        one, two = jax.random.split(key)
        x = self.d1(x, key=one)
        return self.d2(jnp.tanh(x), key=two)


class One(eqx.Module):
    drop: Optional[eqx.nn.Dropout]
    linear: eqx.nn.Linear

    def __call__(self, x, *, key=None):
        x = self.linear(x, key=key)
        if self.drop is not None:
            x = self.drop(x, key=key)
        return x


class Either(eqx.Module):
    d1: eqx.nn.Dropout
    d2: eqx.nn.Dropout

    def __call__(self, x, flag, *, key):
        if flag:
            return self.d1(x, key=key)
        return self.d2(jnp.tanh(x), key=key)


class Off(eqx.Module):
    d1: eqx.nn.Dropout
    d2: eqx.nn.Dropout

    def __call__(self, x, *, key):
        x = self.d1(x, key=key, inference=True)
        return self.d2(jnp.tanh(x), key=key)


class Each(eqx.Module):
    drops: list[eqx.nn.Dropout]
    drop: eqx.nn.Dropout

    def __call__(self, x, *, key):
        for _ in range(2):
            x = self.drop(x, key=key) #! JAX302
        return x


class Masks(eqx.Module):
    drop: eqx.nn.Dropout

    def __call__(self, x, y, *, key):
        return self.drop(x, key=key), self.drop(y, key=key) #! JAX301


def apply(drop: eqx.nn.Dropout, x, key):
    return drop(drop(x, key=key), key=key) #! JAX301

# %% one function for settings that are written out: results that are only shown and compared may share draws
import jax
import jax.numpy as jnp


def price(rho, key, how="mean"):
    drawn = rho * jax.random.normal(key, (100,))
    return jnp.median(drawn) if how == "median" else drawn.mean()


def shown(key):
    low = price(rho=0.0, key=key)
    print("low", float(low))
    high = price(rho=0.6, key=key)
    print("high", float(high), high > low)


def of_option(key, rho):
    print(price(rho, key, "mean"), price(rho, key, "median"))


def compared(key):
    low = price(0.0, key)
    assert price(0.6, key) != low
    return price(0.7, key) > low


def of_functions(key):
    def value(weight, key):
        return weight(jax.random.normal(key, (3,))).sum()

    one = float(value(lambda x: 2 * x, key))
    other = float(value(lambda x: x - 1.0, key))
    print(one, other, abs(one) < abs(other))


def beside_a_loop(key):
    base = price(0.1, key)
    prices = []
    for rho in (0.2, 0.4):
        found = float(price(rho, key))
        prices.append(found)
    print(base, prices, abs(prices[0] - prices[1]) < 1.0)


def in_a_dict(key):
    results = {"low": price(0.0, key), "high": price(0.6, key)}
    for name, each in results.items():
        print(name, each)


keys = jax.random.split(jax.random.key(0), 6)
shown(keys[0])
of_option(keys[1], 0.5)
print(compared(keys[2]))
of_functions(keys[3])
beside_a_loop(keys[4])
in_a_dict(keys[5])

# %% one function for other settings: what is given back, pooled, or carried on should be drawn anew
import jax
import jax.numpy as jnp


def price(rho, key):
    return (rho * jax.random.normal(key, (100,))).mean()


def given_back(key):
    one = price(0.0, key)
    return one, price(0.6, key) #! JAX301


def added(key):
    one = price(0.0, key)
    two = price(0.6, key) #! JAX301
    print((one + two) / 2)


def pooled(key):
    results = []
    results.append(price(0.0, key))
    results.append(price(0.6, key)) #! JAX301
    print(jnp.mean(jnp.array(results)))


def carried(key):
    total = 0.0
    total = total + price(0.0, key)
    print(total, price(0.6, key)) #! JAX301


def alike(key):
    one = price(0.5, key)
    print(one, price(0.5, key)) #! JAX301


def on_data(key, x, y):
    print(price(x, key), price(y, key)) #! JAX301


def of_sampler(key):
    print(jax.random.normal(key, (2,)), jax.random.normal(key, (3,))) #! JAX301


keys = jax.random.split(jax.random.key(0), 7)
print(given_back(keys[0]))
added(keys[1])
pooled(keys[2])
carried(keys[3])
alike(keys[4])
on_data(keys[5], 0.5, 0.7)
of_sampler(keys[6])

# %% norun equinox: a module in inference mode need not draw with the key that it is given
import equinox as eqx
import jax


def a(model, x, key):
    key, _ = jax.random.split(key)
    quiet = eqx.nn.inference_mode(model)
    y = quiet(x, key)
    return y + jax.random.normal(key, (3,))


def b(model, x, key):
    key, _ = jax.random.split(key)
    loud = eqx.nn.inference_mode(model, value=False)
    y = loud(x, key)
    return y + jax.random.normal(key, (3,)) #! JAX301


def c(model, x, key):
    key, _ = jax.random.split(key)
    quiet = eqx.nn.inference_mode(model, True)
    y = jax.vmap(quiet, in_axes=(0, None))(x, key)
    return y + jax.random.normal(key, (3,))


def d(model, x, key):
    key, _ = jax.random.split(key)
    quiet = eqx.nn.inference_mode(model)
    y = quiet.encode(x, key=key)
    return y + jax.random.normal(key, (3,))


def e(model, x, key):
    key, _ = jax.random.split(key)
    y = model(x, key)
    return y + jax.random.normal(key, (3,)) #! JAX301


def f(model, x, key):
    key, _ = jax.random.split(key)
    quiet = eqx.nn.inference_mode(model)
    y = quiet(x, jax.random.normal(key, (3,)))
    return y + jax.random.normal(key, (3,)) #! JAX301


def g(model, x, key):
    key, _ = jax.random.split(key)
    quiet = eqx.filter_jit(eqx.nn.inference_mode(model))
    def run(y):
        return quiet(x, key=key) + y
    return run(jax.random.normal(key, (3,)))


class M(eqx.Module):
    drop: eqx.nn.Dropout
    def __call__(self, x, key):
        return self.drop(x, key=key)


def h(x, key):
    key, _ = jax.random.split(key)
    quiet = eqx.nn.inference_mode(M(eqx.nn.Dropout(0.5)))
    y = quiet(x, key=key)
    return y + jax.random.normal(key, (3,))

# %% a handler of any error: JAX raises none where a key is used twice
import jax


def noise(key):
    try:
        first = jax.random.normal(key, (3,))
        second = jax.random.normal(key, (3,))  #! JAX301
        print(first + second)
    except Exception as error:
        print(error)


noise(jax.random.key(0))
try:
    key = jax.random.key(1)
    print(jax.random.normal(key) + jax.random.normal(key))  #! JAX301
except:  # noqa: E722
    pass

# %% a handler that names the error is there for the checker of JAX
import jax


def named(key):
    try:
        print(jax.random.normal(key), jax.random.normal(key))
    except jax.errors.KeyReuseError as error:
        print(error)


named(jax.random.key(0))

# %% a handler of any error, where JAX checks keys
import jax

jax.config.update("jax_debug_key_reuse", True)


def noise(key):
    try:
        print(jax.random.normal(key), jax.random.normal(key))
    except Exception as error:
        print(error)


noise(jax.random.key(0))
jax.config.update("jax_debug_key_reuse", False)

# %% a handler of any error around a context manager under which JAX checks keys
import jax


def noise(key):
    with jax.debug_key_reuse(True):
        try:
            print(jax.random.normal(key), jax.random.normal(key))
        except Exception as error:
            print(error)


noise(jax.random.key(0))

# %% equal keys of two splits, where what is made of them is asked to be equal
import jax
import jax.numpy as jnp


def is_reproducible(simulate, key):
    try:
        first_keys = jax.random.split(key, 32)
        second_keys = jax.random.split(key, 32)
        first, _ = simulate(first_keys, 3)
        second, _ = simulate(second_keys, 3)
        return bool(jnp.allclose(first, second, atol=1e-6))
    except Exception as error:
        print(error)
        return False


def differs(simulate, key):
    first_keys = jax.random.split(key, 32)
    second_keys = jax.random.split(key, 32)  #! JAX301
    first, _ = simulate(first_keys, 3)
    second, _ = simulate(second_keys, 3)
    return not jnp.allclose(first, second)


def simulate(keys, scale):
    return scale * jax.vmap(jax.random.normal)(keys), scale


print(is_reproducible(simulate, jax.random.key(0)), differs(simulate, jax.random.key(1)))

# %% equal keys of two splits, of which only what is made of one is compared
import jax
import jax.numpy as jnp


def compare(simulate, expected, key):
    first_keys = jax.random.split(key, 32)
    second_keys = jax.random.split(key, 32)  #! JAX301
    first, other = simulate(first_keys, 3), simulate(second_keys, 3)
    assert jnp.allclose(first, expected + first)
    return first + other


compare(lambda keys, scale: scale * jax.vmap(jax.random.normal)(keys), 0.0, jax.random.key(0))

# %% a context manager that draws from one key where it is entered and where it is left
import jax


class Noise:
    def __init__(self, key):
        self.key = key

    def __enter__(self):
        return jax.random.normal(self.key)

    def __exit__(self, *error):
        self.last = jax.random.normal(self.key)


noise = Noise(jax.random.key(0))
with noise as n:  #! JAX301
    print(n)
assert n == noise.last

# %% ... that draws once from each part of it
import jax


class Noise:
    def __init__(self, key):
        self.first, self.last = jax.random.split(key)

    def __enter__(self):
        return jax.random.normal(self.first)

    def __exit__(self, *error):
        self.value = jax.random.normal(self.last)


noise = Noise(jax.random.key(0))
with noise as n:
    print(n)
assert n != noise.value

# %% equal splits: a child of the second one goes through the branches of a `cond`, and nothing is made of it
import jax


def train(rng, n):
    def update(state, _):
        x, rng = state
        rng, act_rng = jax.random.split(rng)
        return (x + jax.random.normal(act_rng), rng), x

    def update_with_ckpt(state, _):
        new_state, metric = update(state, None)  #! JAX308
        x, rng = new_state

        def store(args):
            best, rng = args
            return best + x, rng

        def skip(args):
            return args

        rng, store_rng = jax.random.split(rng)
        best, store_rng = jax.lax.cond(x > 0, store, skip, (metric, store_rng))
        return new_state, best

    return jax.lax.scan(update_with_ckpt, (0.0, rng), None, n)


print(train(jax.random.key(0), 4))

# %% ... one branch is a partial, the other one a lambda
from functools import partial

import jax


def update(state, _):
    x, rng = state
    rng, act_rng = jax.random.split(rng)
    return (x + jax.random.normal(act_rng), rng), x


def store(scale, args):
    best, rng = args
    return best * scale, rng


def step(state, _):
    new_state, metric = update(state, None)  #! JAX308
    x, rng = new_state
    rng, store_rng = jax.random.split(rng)
    best, store_rng = jax.lax.cond(x > 0, partial(store, 2.0), lambda args: args, (metric, store_rng))
    return new_state, best


print(jax.lax.scan(step, (0.0, jax.random.key(0)), None, 4))

# %% ... a branch hands it on to another function, in a `switch`
import jax


def update(state, _):
    x, rng = state
    rng, act_rng = jax.random.split(rng)
    return (x + jax.random.normal(act_rng), rng), x


def kept(best, key):
    return best + 1, key


def store(args):
    out = kept(args[0], key=args[1])
    return out


def step(state, _):
    new_state, metric = update(state, None)  #! JAX308
    x, rng = new_state
    rng, store_rng = jax.random.split(rng)
    args = (metric, store_rng)
    out = jax.lax.switch(1, [store, lambda args: args], args)
    best = out[0]
    return new_state, best


print(jax.lax.scan(step, (0.0, jax.random.key(0)), None, 4))

# %% ... by a method that keeps it to itself
import jax


class Store:
    def best_of(self, args):
        best, _rng = args
        return best + 1


def update(state, _):
    x, rng = state
    rng, act_rng = jax.random.split(rng)
    return (x + jax.random.normal(act_rng), rng), x


def step(state, _):
    new_state, metric = update(state, None)  #! JAX308
    x, rng = new_state
    rng, store_rng = jax.random.split(rng)
    best = jax.lax.cond(x > 0, Store().best_of, lambda args: args[0], (metric, store_rng))
    return new_state, best


print(jax.lax.scan(step, (0.0, jax.random.key(0)), None, 4))

# %% a callee that draws only where an argument is None: calls leave it out, give None, or hand their own on
from typing import Optional

import jax
import jax.numpy as jnp


def noise(key, shape, fixed=None):
    if fixed is None:
        return jax.random.normal(key, shape)
    return fixed


def chosen(key, shape, fixed=None):
    return jax.random.normal(key, shape) if fixed is None else fixed


def annotated(key: jax.Array, fixed: Optional[jax.Array] = None) -> jax.Array:
    if fixed is not None:
        return fixed
    return jax.random.normal(key, (3,))


def handing_on(key, fixed=None):
    return noise(key, (3,), fixed) + 1


def dropped(key, x, rate=None):
    if rate is None:
        return x
    return x * jax.random.bernoulli(key, rate, x.shape)


def left_out(key):
    return noise(key, (3,)) + noise(key, (3,))  #! JAX301


def as_none(key):
    return chosen(key, (3,)) + chosen(key, (3,), fixed=None)  #! JAX301


def by_annotation(key):
    return annotated(key) + annotated(key, None)  #! JAX301


def below(key):
    return handing_on(key) + handing_on(key)  #! JAX301


def own(key, fixed=None):
    return noise(key, (3,), fixed) + chosen(key, (3,), fixed)  #! JAX301


def given(key, fixed):
    draw = noise(key, (3,))
    other = noise(key, (3,), fixed) + chosen(key, (3,), draw)
    return other + annotated(key, fixed) + annotated(key, fixed=draw) + handing_on(key, fixed)


def either(key, fixed=None):
    draw = noise(key, (3,), fixed)
    return draw if fixed is None else draw + jax.random.normal(key, (3,))


def never(key, x):
    return dropped(key, x) + dropped(key, x)


def at_times(key, x):
    return dropped(key, x) + dropped(key, x, 0.5)


left_out(jax.random.key(0))
as_none(jax.random.key(1))
by_annotation(jax.random.key(2))
below(jax.random.key(3))
own(jax.random.key(4))
given(jax.random.key(5), jnp.ones(3))
either(jax.random.key(6))
never(jax.random.key(7), jnp.ones(3))
at_times(jax.random.key(8), jnp.ones(3))

# %% ... where a branch draws from it
import jax


def update(state, _):
    x, rng = state
    rng, act_rng = jax.random.split(rng)
    return (x + jax.random.normal(act_rng), rng), x


def store(args):
    best, rng = args
    return best + jax.random.normal(rng), rng


def step(state, _):
    new_state, metric = update(state, None)  #! JAX301
    x, rng = new_state
    rng, store_rng = jax.random.split(rng)
    best, store_rng = jax.lax.cond(x > 0, store, lambda args: args, (metric, store_rng))
    return new_state, best


print(jax.lax.scan(step, (0.0, jax.random.key(0)), None, 4))

# %% ... where it is drawn from behind the `cond`
import jax


def update(state, _):
    x, rng = state
    rng, act_rng = jax.random.split(rng)
    return (x + jax.random.normal(act_rng), rng), x


def store(args):
    best, rng = args
    return best + 1, rng


def step(state, _):
    new_state, metric = update(state, None)  #! JAX301
    x, rng = new_state
    rng, store_rng = jax.random.split(rng)
    best, store_rng = jax.lax.cond(x > 0, store, lambda args: args, (metric, store_rng))
    return new_state, best + jax.random.normal(store_rng)


print(jax.lax.scan(step, (0.0, jax.random.key(0)), None, 4))

# %% ... where the function gives it to its caller
import jax


def update(state, _):
    x, rng = state
    rng, act_rng = jax.random.split(rng)
    return (x + jax.random.normal(act_rng), rng), x


def store(args):
    best, rng = args
    return best + 1, rng


def step(state, _):
    new_state, metric = update(state, None)  #! JAX301
    x, rng = new_state
    rng, store_rng = jax.random.split(rng)
    best, store_rng = jax.lax.cond(x > 0, store, lambda args: args, (metric, store_rng))
    return new_state, store_rng


print(jax.lax.scan(step, (0.0, jax.random.key(0)), None, 4))

# %% norun ... where a branch hands it to a function of which nothing is known
import jax
from elsewhere import evaluate


def update(state, _):
    x, rng = state
    rng, act_rng = jax.random.split(rng)
    return (x + jax.random.normal(act_rng), rng), x


def store(args):
    best, rng = args
    return evaluate(best, x=1, rng=rng), rng


def step(state, _):
    new_state, metric = update(state, None)  #! JAX301
    x, rng = new_state
    rng, store_rng = jax.random.split(rng)
    best, store_rng = jax.lax.cond(x > 0, store, lambda args: args, (metric, store_rng))
    return new_state, best


print(jax.lax.scan(step, (0.0, jax.random.key(0)), None, 4))

# %% norun ... where a branch keeps it in a list that others may read
import jax
from elsewhere import table


def update(state, _):
    x, rng = state
    rng, act_rng = jax.random.split(rng)
    return (x + jax.random.normal(act_rng), rng), x


def store(args):
    best, rng = args
    table.append(rng)
    return best, rng


def step(state, _):
    new_state, metric = update(state, None)  #! JAX301
    x, rng = new_state
    rng, store_rng = jax.random.split(rng)
    best, store_rng = jax.lax.cond(x > 0, store, lambda args: args, (metric, store_rng))
    return new_state, best


print(jax.lax.scan(step, (0.0, jax.random.key(0)), None, 4))

# %% what is consumed last in one turn is what is consumed first in the next one, in a function that the turns call
import jax


def train(rng, n, m):
    def env_step(state, _):
        x, rng = state
        rng, act_rng = jax.random.split(rng)
        return (x + jax.random.normal(act_rng), rng), x

    def epoch(state, _):
        x, rng = state
        rng, perm = jax.random.split(rng)
        return (x + jax.random.permutation(perm, 8)[0], rng), x

    def update(state, _):
        x, rng = state
        rng, ids_rng = jax.random.split(rng)
        x = x + jax.random.randint(ids_rng, (), 0, 8)
        (x, rng), _ = jax.lax.scan(env_step, (x, rng), None, m)
        (x, _), _ = jax.lax.scan(epoch, (x, rng), None, m)
        return (x, rng), x

    def update_with_ckpt(state, _):
        state, metric = update(state, None)  #! JAX301
        return state, metric

    return jax.lax.scan(update_with_ckpt, (0.0, rng), None, n)


print(train(jax.random.key(0), 4, 3))

# %% ... in a method
import jax


class Agent:
    def update(self, key):
        key, ids = jax.random.split(key)
        drawn = jax.random.normal(ids)
        _, order = jax.random.split(key)
        return key, drawn + jax.random.normal(order)


agent = Agent()
key = jax.random.key(0)
for _ in range(3):
    key, x = agent.update(key)  #! JAX301
    print(x)

# %% ... by draws, with no split that is repeated
import jax


def advance(key):
    first = jax.random.normal(key)
    key, _ = jax.random.split(key)  #! JAX308
    return key, first, jax.random.normal(key)


key = jax.random.key(0)
_, _, last = advance(key)
for _ in range(3):
    key, first, last = advance(key)  #! JAX301
    print(first, last)

# %% ... that carries the key which it consumes last to nobody
import jax


class Agent:
    def update(self, key):
        key, ids = jax.random.split(key)
        drawn = jax.random.normal(ids)
        key, order = jax.random.split(key)
        return key, drawn + jax.random.normal(order)


agent = Agent()
key = jax.random.key(0)
for _ in range(3):
    key, x = agent.update(key)
    print(x)

# %% norun equal splits: all that is made of a child of the second one are parameters that nothing reads
import flax.linen as nn
import jax
import jax.numpy as jnp


def train(rng):
    return nn.Dense(4).init(rng, jnp.zeros((1, 3)))


def plot_and_store_data(params, rng, config):
    network = nn.Dense(4)
    rng, _rng = jax.random.split(rng)
    _ = network.init(_rng, jnp.zeros((1, 3)))
    print(network.apply(params, jnp.ones((1, 3))))


def main(config):
    rng = jax.random.PRNGKey(config["SEED"])
    rngs = jax.random.split(rng, config["NUM_SEEDS"])
    outs = jax.jit(jax.vmap(train))(rngs)
    params = jax.tree_util.tree_map(lambda x: x.squeeze(axis=0), outs)
    plot_and_store_data(params, rng, config)  #! JAX308


main({"SEED": 0, "NUM_SEEDS": 1})

# %% norun ... where something reads them
import flax.linen as nn
import jax
import jax.numpy as jnp


def train(rng):
    return nn.Dense(4).init(rng, jnp.zeros((1, 3)))


def store_data(rng):
    network = nn.Dense(4)
    rng, _rng = jax.random.split(rng)
    params = network.init(_rng, jnp.zeros((1, 3)))
    print(network.apply(params, jnp.ones((1, 3))))


rng = jax.random.PRNGKey(0)
rngs = jax.random.split(rng, 2)
outs = jax.jit(jax.vmap(train))(rngs)
store_data(rng)  #! JAX301
print(outs)

# %% ... a function of the program makes them, in a loop, of a child that a tuple hands on
import jax


def parameters(args):
    key, size = args
    return jax.random.normal(key, (size,))


def train(key):
    return jax.random.normal(key)


def store_data(rng):
    rng, init_key = jax.random.split(rng)
    for size in (1, 2):
        given = (init_key, size)
        _ = parameters(given)


rng = jax.random.key(0)
outs = jax.vmap(train)(jax.random.split(rng, 2))
store_data(rng)  #! JAX308
print(outs)

# %% ... and of two children one is drawn from
import jax


def train(key):
    return jax.random.normal(key)


def store_data(rng):
    rng, init_key, key = jax.random.split(rng, 3)
    unread = jax.random.normal(init_key)
    return jax.random.normal(key)


rng = jax.random.key(0)
outs = jax.vmap(train)(jax.random.split(rng, 3))
print(outs, store_data(rng))  #! JAX301

# %% a context manager that advances the key when it is left
import contextlib

import jax


class Stream:
    def __init__(self, key):
        self.key = key

    @contextlib.contextmanager
    def scope(self):
        try:
            yield
        finally:
            self.key = jax.random.fold_in(self.key, 1)

    @contextlib.contextmanager
    def named(self):
        yield self
        self.key = jax.random.fold_in(self.key, 1)

    def draw(self):
        return jax.random.normal(self.key)


def fit(stream: Stream):
    with stream.scope():
        a = stream.draw()
    return a, stream.draw()


def make(key):
    stream = Stream(key)
    with stream.named():
        a = stream.draw()
    return a, stream.draw()


first = Stream(jax.random.key(0))
with first.scope():
    a = first.draw()
b = first.draw()
assert a != b
second = Stream(jax.random.key(1))
with second.named():
    a = jax.random.normal(second.key)
with second.named() as one:
    b = one.draw()
c = second.draw()
assert a != b and b != c
print(fit(Stream(jax.random.key(2))), make(jax.random.key(3)))

# %% ... and inside has the key that was there before
import contextlib

import jax


class Stream:
    def __init__(self, key):
        self.key = key

    @contextlib.contextmanager
    def scope(self):
        try:
            yield
        finally:
            self.key = jax.random.fold_in(self.key, 1)

    def draw(self):
        return jax.random.normal(self.key)


stream = Stream(jax.random.key(2))
a = stream.draw()
with stream.scope():
    b = stream.draw()  #! JAX301
print(a, b)

# %% ... or changes nothing
import contextlib

import jax


class Stream:
    def __init__(self, key):
        self.key = key

    @contextlib.contextmanager
    def scope(self):
        yield self

    def draw(self):
        return jax.random.normal(self.key)


stream = Stream(jax.random.key(2))
with stream.scope():
    a = stream.draw()
b = stream.draw()  #! JAX301
print(a, b)

# %% layers of the project around layers of equinox, made from one key by the constructor of a module
import equinox as eqx
import jax


class Layer(eqx.Module):
    linear: eqx.nn.Linear

    def __init__(self, key):
        self.linear = eqx.nn.Linear(3, 3, key=key)


class Block(eqx.Module):
    first: eqx.nn.Linear
    second: eqx.nn.Linear

    def __init__(self, key):
        one, two = jax.random.split(key)
        self.first = eqx.nn.Linear(3, 3, key=one)
        self.second = eqx.nn.Linear(3, 3, key=two)


class Deep(eqx.Module):
    block: Block

    def __init__(self, *, key):
        self.block = Block(key)


def make(key):
    return Layer(key)


class Mixed(eqx.Module):
    first: Layer
    second: eqx.nn.Linear

    def __init__(self, key):
        self.first = Layer(key)
        self.second = eqx.nn.Linear(3, 3, key=key)  #! JAX301


class Made(eqx.Module):
    first: Layer
    second: Layer

    def __init__(self, key):
        self.first = make(key)
        self.second = make(key)  #! JAX301


class Splitting(eqx.Module):
    first: Block
    second: Deep

    def __init__(self, key):
        self.first = Block(key)
        self.second = Deep(key=key)  #! JAX301


class Looping(eqx.Module):
    layers: list

    def __init__(self, key):
        self.layers = []
        for _ in range(3):
            self.layers.append(Layer(key))  #! JAX302


mixed, made = Mixed(jax.random.key(0)), Made(jax.random.key(1))
splitting, looping = Splitting(jax.random.key(2)), Looping(jax.random.key(3))
print((made.first.linear.weight == made.second.linear.weight).all())
print((splitting.first.first.weight == splitting.second.block.first.weight).all())

# %% such layers from keys of their own, one of two, and a copy of a network to begin with
import equinox as eqx
import jax


class Layer(eqx.Module):
    linear: eqx.nn.Linear

    def __init__(self, key):
        self.linear = eqx.nn.Linear(3, 3, key=key)


class Wide(Layer):
    more: eqx.nn.Linear

    def __init__(self, key):
        one, two = jax.random.split(key)
        super().__init__(one)
        self.more = eqx.nn.Linear(3, 3, key=two)


class Net(eqx.Module):
    first: Layer
    second: Layer
    third: Layer
    rest: list
    stacked: Layer

    def __init__(self, key, is_wide):
        one, two, three, four, five = jax.random.split(key, 5)
        self.first = Layer(one)
        self.second = Layer(two)
        if is_wide:
            self.third = Wide(three)
        else:
            self.third = Layer(three)
        self.rest = [Layer(each) for each in jax.random.split(four, 3)]
        self.stacked = eqx.filter_vmap(lambda key: Layer(key))(jax.random.split(five, 3))


class Learner(eqx.Module):
    critic: Net
    target_critic: Net

    def __init__(self, key):
        self.critic = Net(key, False)
        self.target_critic = Net(key, False)


print(Net(jax.random.key(0), True), Learner(jax.random.key(1)))

# %% helpers that unflatten an array of keys to a tree and draw by a map, called twice with one key
import jax
import jax.numpy as jnp
from jax import tree_util


def by_structure(key, tree):
    treedef = jax.tree.structure(tree)
    keys = tree_util.tree_unflatten(treedef, jax.random.split(key, treedef.num_leaves))
    return tree_util.tree_map(lambda leaf, key: jax.random.normal(key, leaf.shape), tree, keys)


def by_method(key, tree):
    leaves, treedef = jax.tree.flatten(tree)
    keys = treedef.unflatten(jax.random.split(key, len(leaves)))
    return jax.tree.map(lambda key, leaf: jax.random.normal(key, leaf.shape), keys, tree)


def like(key, tree):
    treedef = jax.tree.structure(tree)
    return jax.tree.unflatten(treedef, jax.random.split(key, treedef.num_leaves))


def noise(key, leaf):
    return jax.random.normal(key, leaf.shape)


def train(actor, critic, key):  # of the trees nothing is known
    return by_structure(key, actor), by_structure(key, critic)  #! JAX301


def fit(actor, critic, key):
    return by_method(key, actor), by_structure(key, critic)  #! JAX301


def by_parts(key, tree):
    return jax.tree.map(noise, like(key, tree), tree)


def start(actor, critic, key):
    return by_parts(key, actor), by_parts(key, critic)  #! JAX301


def drawn_twice(tree, key):
    keys = like(key, tree)
    first = jax.tree.map(noise, keys, tree)
    return first, jax.tree.map(noise, keys, tree)  #! JAX301


def perturbed(trees, key):
    return [by_method(key, tree) for tree in trees]  #! JAX302


tree = {"w": jnp.zeros((2, 2)), "b": jnp.zeros(2)}
actor, critic = train(tree, tree, jax.random.key(0))
assert (actor["w"] == critic["w"]).all()
fit(tree, tree, jax.random.key(1)), perturbed([tree, tree], jax.random.key(2))
keys = like(jax.random.key(3), tree)
first = jax.tree.map(noise, keys, tree)
second = jax.tree.map(noise, keys, tree)  #! JAX301
print(first, second)

# %% trees of keys of which each is drawn from once, or that are split, folded into or read by name
import jax
import jax.numpy as jnp


def like(key, tree):
    treedef = jax.tree.structure(tree)
    return jax.tree.unflatten(treedef, jax.random.split(key, treedef.num_leaves))


def noise(key, tree):
    return jax.tree.map(lambda leaf, key: jax.random.normal(key, leaf.shape), tree, like(key, tree))


def apart(actor, critic, key):
    one, two = jax.random.split(key)
    return noise(one, actor), noise(two, critic)


def steps(tree, key):
    for _ in range(3):
        key, subkey = jax.random.split(key)
        tree = jax.tree.map(jnp.add, tree, noise(subkey, tree))
    return tree


def two_of_each(tree, key):
    pairs = jax.tree.map(jax.random.split, like(key, tree))
    one = jax.tree.map(lambda leaf, pair: jax.random.normal(pair[0], leaf.shape), tree, pairs)
    return one, jax.tree.map(lambda leaf, pair: jax.random.normal(pair[1], leaf.shape), tree, pairs)


def folded(tree, key):
    keys = like(key, tree)
    fold = jax.random.fold_in
    one = jax.tree.map(lambda leaf, key: jax.random.normal(fold(key, 0), leaf.shape), tree, keys)
    return one, jax.tree.map(lambda leaf, key: jax.random.normal(fold(key, 1), leaf.shape), tree, keys)


def chosen(tree, key, is_flat):
    keys = like(key, tree)
    if is_flat:
        return jax.tree.map(lambda leaf, key: jax.random.uniform(key, leaf.shape), tree, keys)
    return jax.tree.map(lambda leaf, key: jax.random.normal(key, leaf.shape), tree, keys)


def by_name(tree, key):
    keys = like(key, tree)
    assert isinstance(keys, dict) and len(keys) == 2
    return jax.random.normal(keys["w"]), jax.random.normal(keys["b"])


def perturbed(tree, key, scale):
    return jax.tree.map(lambda leaf, noise: leaf + scale * noise, tree, noise(key, tree))


def slope(tree, key, loss):
    return loss(perturbed(tree, key, 1e-3)) - loss(perturbed(tree, key, -1e-3))


tree = {"w": jnp.zeros((2, 2)), "b": jnp.zeros(2)}
apart(tree, tree, jax.random.key(0)), steps(tree, jax.random.key(1)), two_of_each(tree, jax.random.key(2))  #! JAX502
folded(tree, jax.random.key(3)), chosen(tree, jax.random.key(4), True), by_name(tree, jax.random.key(5))
slope(tree, jax.random.key(6), lambda tree: tree["w"].sum())
print(jax.jit(two_of_each)(tree, jax.random.key(7)))

# %% a call whose constant says that the function draws nothing, where nothing calls the caller
from functools import partial

import jax
import jax.numpy as jnp


def keys_like(key, tree):
    leaves, treedef = jax.tree.flatten(tree)
    return jax.tree.unflatten(treedef, jax.random.split(key, len(leaves)))


def replaced(leaf, key, draws=True):
    if draws:
        key, own = jax.random.split(key)
        return leaf + jax.random.normal(own, leaf.shape)
    return leaf * 0.0


class Replacer:
    def __init__(self, params, state):
        self.params, self.state = params, state

    def replace(self, key):
        keys = keys_like(key, self.params)
        params = jax.tree.map(partial(replaced, draws=True), self.params, keys)
        return params, jax.tree.map(partial(replaced, draws=False), self.state, keys)

    def replace_one(self, key):
        return replaced(self.params["w"], key), replaced(self.state["w"], key, False)

    def replace_both(self, key):
        keys = keys_like(key, self.params)
        params = jax.tree.map(partial(replaced, draws=True), self.params, keys)
        return params, jax.tree.map(partial(replaced, draws=True), self.state, keys)  #! JAX301

# %% children of a split that are drawn from only under a test that the call answers otherwise
import jax
import jax.numpy as jnp


@jax.jit
def sample_level(rng):
    rng, _rng = jax.random.split(rng)
    return jax.random.normal(_rng, (4,))


class Env:
    def __init__(self, reset_function=None):
        self.reset_function = reset_function

    def reset_env(self, rng, level):
        rng, _rng_reset = jax.random.split(rng, 2)
        if level is not None:
            state = level
        elif self.reset_function is not None:
            state = self.reset_function(_rng_reset)
        else:
            raise NotImplementedError
        return state * 2, state

    def reset(self, key, level=None):
        return jax.jit(lambda k, l: self.reset_env(k, l))(key, level)


class Shared:
    def reset(self, key, level=None):
        key, reset_key = jax.random.split(key)
        return self.state(reset_key, level)

    def state(self, key, level):
        if level is not None:
            return level
        return jax.random.normal(key, (4,))


def chosen(key, level=None):
    key, reset_key = jax.random.split(key)
    return jax.random.normal(reset_key, (4,)) if level is None else level


def main(seed):
    rng, _rng = jax.random.split(jax.random.PRNGKey(seed))
    obs, _ = Env(sample_level).reset(rng, sample_level(rng))  #! JAX308
    other = Shared().reset(_rng, sample_level(_rng))  #! JAX308
    return obs + other


def third(key):
    level = sample_level(key)
    return chosen(key, level) + level  #! JAX308


def some(seed):
    rng, _rng = jax.random.split(jax.random.PRNGKey(seed))
    obs, _ = Env(sample_level).reset(rng, sample_level(rng))  #! JAX308
    return obs + sample_level(_rng)


print(main(0), third(jax.random.key(1)), some(2))

# %% the same where the call draws from them
import jax
import jax.numpy as jnp


@jax.jit
def sample_level(rng):
    rng, _rng = jax.random.split(rng)
    return jax.random.normal(_rng, (4,))


class Env:
    def __init__(self, reset_function=None):
        self.reset_function = reset_function

    def reset(self, rng, level=None):
        rng, _rng_reset = jax.random.split(rng, 2)
        if level is not None:
            state = level
        else:
            state = jax.random.normal(_rng_reset, (4,))
        return state * 2, state


def state_of(key, level):
    if level is not None:
        return level
    return jax.random.normal(key, (4,))


def shared(key, level=None):
    key, reset_key = jax.random.split(key)
    return state_of(reset_key, level)


def main(seed):
    rng, _rng = jax.random.split(jax.random.PRNGKey(seed))
    level = sample_level(rng)
    obs, _ = Env(sample_level).reset(rng)  #! JAX301
    other = sample_level(_rng) + shared(_rng)  #! JAX301
    return obs + other + level


def in_turns(key, levels):
    total = sample_level(key)
    for level in levels:
        _, reset_key = jax.random.split(key)  #! JAX301
        total += jax.random.normal(reset_key, (4,)) if level is None else level
    return total


print(main(0), in_turns(jax.random.key(1), [jnp.ones(4), None]))

# %% norun draws of which all that is done is to plot each by itself: needs matplotlib
from functools import partial

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib import pyplot


def sample(key, scale):
    return scale * jax.random.normal(key, (100,))


def rings(kind, key, size):
    if kind == "rings":
        return jnp.ones((size, 2)) + 0.08 * jax.random.normal(key, (size, 2))
    return jax.random.normal(key, (size, 2))


def frame(x, y, ax, **style):
    ax.plot([x, x, -x, -x], [y, -y, y, -y], **style)


def histograms(key):
    x = jax.random.normal(key, (100,))
    y = jax.random.uniform(key, (100,))
    print(x.shape)
    fig, (left, right) = plt.subplots(ncols=2)
    _, _, first = left.hist(np.asarray(x))
    second = right.hist(y)
    right.legend([first, second], ["x", "y"])


def one_name(key, config):
    points = rings(config["source"], key, 100)
    pyplot.scatter(points[:, 0], points[:, 1])
    points = rings(config["target"], key, 50)
    sns.scatterplot(x=points[:, 0], y=points[:, 1])


def per_panel(key, prior, posterior):
    fig, axes = plt.subplots(ncols=3)
    for ax in axes.ravel():
        key, own = jax.random.split(key)
        ax.plot(sample(own, prior).T, color="b")
        ax.plot(sample(own, posterior).T, "o")


def for_each(key, scales):
    fig, axes = plt.subplots(ncols=2, squeeze=False)
    for ax, scale in zip(axes[0], scales):
        noise = sample(key, scale)
        ax.plot(noise)
        frame(noise[0], noise[1], ax, color="b")


def by_index(key, scales):
    fig, axes = plt.subplots(ncols=2)
    for i, (name, scale) in enumerate(zip(("a", "b"), scales)):
        drawn = partial(sample, scale=scale)
        image = drawn(key)
        axes[i].imshow(image.reshape(10, 10))


def in_one(key, scales):
    for scale in scales:
        plt.plot(sample(key, scale), label=f"{scale}")

# %% norun draws that are plotted, and not only that or not each by itself: needs matplotlib
import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np
import planner as pl


def sample(key, scale):
    return scale * jax.random.normal(key, (100,))


def centre(x, ax):
    ax.plot(x)
    return x.mean()


def against_each_other(key):
    x = jax.random.normal(key, (100,))
    y = jax.random.uniform(key, (100,))  #! JAX301
    plt.scatter(x, y)


def sum_of_both(key):
    x = jax.random.normal(key, (100,))
    y = jax.random.uniform(key, (100,))  #! JAX301
    total = np.asarray(x) + y
    plt.hist(total)


def the_same(key, ax):
    fig, axes = plt.subplots(ncols=2)
    for ax in axes:
        key, own = jax.random.split(key)
        ax.plot(jax.random.normal(own, (10,)))
        ax.plot(jax.random.normal(own, (10,)))  #! JAX301


def returned(key):
    x = jax.random.normal(key, (100,))
    y = jax.random.uniform(key, (100,))  #! JAX301
    plt.hist(x)
    plt.hist(y)
    return y


def printed(key):
    x = jax.random.normal(key, (100,))
    y = jax.random.uniform(key, (100,))  #! JAX301
    counts, bins, _ = plt.hist(x)
    plt.hist(y)
    print(counts.sum())


def of_another_library(key):
    x = jax.random.normal(key, (100,))
    y = jax.random.uniform(key, (100,))  #! JAX301
    pl.hist(x)
    pl.hist(y)


def closed_over(key):
    x = jax.random.normal(key, (100,))
    y = jax.random.uniform(key, (100,))  #! JAX301
    plt.hist(x)
    plt.hist(y)
    return lambda: x


def for_none(key, scales):
    for _ in scales:
        plt.plot(jax.random.normal(key, (100,)))  #! JAX302


def carried(key, scales):
    walk = jnp.zeros(100)
    for scale in scales:
        walk = walk + sample(key, scale)  #! JAX302
        plt.plot(walk)


def pooled(key, scales):
    drawn = []
    for scale in scales:
        drawn.append(sample(key, scale))  #! JAX302
    plt.hist(drawn)


def with_axes(key, scales):
    fig, axes = plt.subplots(ncols=2)
    for scale, ax in zip(scales, axes):
        noise = sample(key, scale)  #! JAX302
        mean = centre(noise, ax)
        print(mean)


def also_printed(key, scales):
    for scale in scales:
        noise = sample(key, scale)  #! JAX302
        plt.plot(noise)
        print(noise.mean())


def read_behind(key, scales):
    x = jnp.zeros(100)
    for scale in scales:
        x = sample(key, scale)  #! JAX302
        plt.plot(x)
    return x

# %% draws of which nothing but a shape is read, by functions that are called too
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=1)
def sample_levels(rng, n):
    rng, own = jax.random.split(rng)
    return jax.vmap(jax.random.normal)(jax.random.split(own, n))


def step(params, levels, rng):
    level_rng, step_rng, _ = jax.random.split(rng, 3)
    levels = sample_levels(level_rng, levels.shape[0])
    return params + jax.random.normal(step_rng), levels


def zeros(like):
    return jnp.zeros_like(like)


def handed_on(example, size=3):
    return zeros(like=example) + size


def main(seed):
    rng = jax.random.PRNGKey(seed)
    levels = sample_levels(rng, 4)
    carry = [sample_levels(rng, 4) for _ in range(2)]
    params = jnp.zeros(())
    for _ in range(3):
        rng, own = jax.random.split(rng)
        params, levels = step(params, levels, own)
        carry = [levels for _ in carry]
        print(params, levels.mean())


def example(key):
    x = jax.random.normal(key, (3,))
    noise = jax.random.normal(key, (3,))
    return handed_on(size=2, example=x) + noise


main(0)
print(example(jax.random.key(1)))

# %% the same where a function reads the values, too, or the next iteration does
import jax
import jax.numpy as jnp


def sample_levels(rng, n):
    rng, own = jax.random.split(rng)
    return jax.vmap(jax.random.normal)(jax.random.split(own, n))


def step(params, levels, rng):
    level_rng, step_rng, _ = jax.random.split(rng, 3)
    params = params * levels.mean()
    levels = sample_levels(level_rng, levels.shape[0])
    return params + jax.random.normal(step_rng), levels


def scaled(like):
    return jnp.zeros_like(like) if like.ndim else like


def main(seed):
    rng = jax.random.PRNGKey(seed)
    levels = sample_levels(rng, 4)
    params = jnp.zeros(())
    for _ in range(3):
        rng, own = jax.random.split(rng)  #! JAX301
        params, levels = step(params, levels, own)  #! JAX308
    print(params)


def example(key):
    x = jax.random.normal(key, (3,))
    noise = jax.random.normal(key, (3,))  #! JAX301
    return scaled(x) + noise


def counted(key):
    carry = [each for each in jax.random.normal(key, (3,))]
    noise = jax.random.normal(key, (3,))  #! JAX301
    return [each for each in carry] + [noise]


main(0)
print(example(jax.random.key(1)), counted(jax.random.key(2)))

# %% parts of a result that rest on no draw
import flax.linen as nn
import jax
import jax.numpy as jnp


class VAE(nn.Module):
    def setup(self):
        self.encoder = nn.Dense(4)

    def __call__(self, x, rng):
        mean = self.encoder(x)
        z = mean + jax.random.normal(rng, mean.shape)
        return z, mean

    def encode(self, x, rng):
        mean = self.encoder(x)
        return mean + jax.random.normal(rng, mean.shape)


def encoded(x, key):
    mean = jnp.tanh(x)
    noise = jax.random.normal(key, x.shape)
    z = mean + noise
    return z, mean, noise


def of_model(params, model: VAE, data, rng):
    _, mean = model.apply({"params": params}, data, rng, method=model.__call__)
    z = model.apply({"params": params}, data, rng, method=model.encode)
    return (mean**2).mean(axis=0), z.std(axis=0)


def of_function(x, key):
    _, mean, _ = encoded(x, key)
    return mean + jax.random.normal(key, x.shape)


def by_index(x, key):
    noise = jax.random.normal(key, x.shape)
    return noise, encoded(x, key)[1]


x = jnp.ones((2, 3))
params = VAE().init(jax.random.key(0), x, jax.random.key(1))["params"]
print(of_model(params, VAE(), x, jax.random.key(2)))
print(of_function(x, jax.random.key(3)), by_index(x, jax.random.key(4)))

# %% the same where what is read rests on the draw
import jax
import jax.numpy as jnp


class Box:
    pass


def encoded(x, key):
    noise = jax.random.normal(key, x.shape)  #! JAX304
    z = jnp.tanh(x) + noise
    scale = jax.vmap(lambda v: v * z[0, 0])(x)
    return z, x, scale


def tested(x, key):
    noise = jax.random.normal(key, ())
    mean = x
    if noise > 0:
        mean = -x
    return noise, mean


def kept(x, key):
    box = Box()
    box.noise = jax.random.normal(key, x.shape)
    return x, x + box.noise


def pair(x, key):
    if x.ndim == 1:
        return x, jax.random.normal(key, x.shape)
    return jax.random.normal(key, x.shape), x


def closed(x, key):
    _, mean, scale = encoded(x, key)
    return mean + scale, jax.random.normal(key, x.shape)  #! JAX301


def under_test(x, key):
    _, mean = tested(x, key)
    return mean, jax.random.normal(key, x.shape)  #! JAX301


def in_box(x, key):
    return kept(x, key)[1], jax.random.normal(key, x.shape)  #! JAX301


def in_one_arm(x, key):
    _, other = pair(x, key)
    return other, jax.random.normal(key, x.shape)  #! JAX301


def per_lane(x, key):
    pairs, other = jax.vmap(encoded, (0, None))(x[None], key)[:2]
    return pairs, jax.random.normal(key, x.shape)  #! JAX301


x = jnp.ones((2, 3))
keys = jax.random.split(jax.random.key(0), 5)
print(closed(x, keys[0]), under_test(x, keys[1]), in_box(x, keys[2]), in_one_arm(x[0], keys[3]))
print(per_lane(x, keys[4]))

# %% the inputs of an `init` that a variable holds: only shapes are read
import jax
import jax.numpy as jnp


class Linear:
    def __init__(self, size):
        self.size = size

    def init(self, key, x):
        return jax.random.normal(key, (x.shape[-1], self.size))


layer_init = Linear(4).init
compiled_init = jax.jit(Linear(2).init)


def init(key):
    t_key, p_key, c_key = jax.random.split(key, 3)

    def body(key, x):
        key, own = jax.random.split(key)  #! JAX308
        return key, layer_init(own, x)

    return {
        "layers": jax.lax.scan(body, t_key, xs=jax.random.uniform(t_key, (3, 5, 4)))[1],
        "proj": layer_init(p_key, jax.random.uniform(t_key, (5, 4))),
        "last": compiled_init(c_key, x=jax.random.normal(t_key, (5, 4))),
    }


print(jax.tree.map(jnp.shape, init(jax.random.key(0))))

# %% ... and those of a variable that may hold another function
import jax
import jax.numpy as jnp


class Linear:
    def init(self, key, x):
        return jax.random.normal(key, (x.shape[-1], 4))


def scaled(key, x):
    return x * jax.random.normal(key, (x.shape[-1],))


make = Linear().init
make = scaled


def outputs(key):
    t_key, own = jax.random.split(key)
    x = jax.random.uniform(t_key, (5, 4))
    return make(own, x), make(own, jax.random.uniform(t_key, (5, 4)))  #! JAX301


print(outputs(jax.random.key(0)))

# %% the same item, or slice, of split keys twice, where its place is not a constant
import sys

import jax
import jax.numpy as jnp


def draw(key):
    return jax.random.normal(key, (3,))


def slices(key, n):
    keys = jax.random.split(key, 4 * n)
    a = jax.vmap(draw)(keys[0:n])
    b = jax.vmap(draw)(keys[0:n])  #! JAX301
    return a, b


def items(key, n):
    keys = jax.random.split(key, 8)
    return jax.random.normal(keys[n], (3,)), jax.random.uniform(keys[n], (3,))  #! JAX301


def with_name(key, n):
    keys = jax.random.split(key, 8)
    own = keys[n - 1]
    a = draw(own)
    last = n - 1
    return a, draw(keys[last]), draw(keys[n - 1])  #! JAX301


def of_shape(key, x):
    keys = jax.random.split(key, x.shape[0] + 4)
    a = jax.vmap(draw)(keys[: x.shape[0]])
    return a, jax.vmap(draw)(keys[: x.shape[0]])  #! JAX301


def in_loop(key, places):
    keys = jax.random.split(key, 8)
    for place in places:
        a = draw(keys[place])
        print(a + draw(keys[place]))  #! JAX301


def in_each_turn(key, n):
    keys = jax.random.split(key, 8)
    for _ in range(3):
        print(draw(keys[n]))  #! JAX302


@jax.jit
def traced(key, place):
    keys = jax.random.split(key, 8)
    return draw(keys[place]) - draw(keys[place])  #! JAX301


def closed_over(n):
    def both(key):
        _, *keys = jax.random.split(key, 4 * n)
        a = jax.tree.map(draw, keys[0:n])
        return a, jax.tree.map(draw, keys[0:n])  #! JAX301

    return both


def compiled(key, place):
    keys = jax.random.split(key, 8)
    return jax.jit(draw)(keys[place]), jax.jit(draw)(keys[place])  #! JAX301


n = int(sys.argv[1]) if len(sys.argv) > 3 else 2
one, two, three, four, five, six, seven, eight = jax.random.split(jax.random.key(0), 8)
slices(one, n), items(two, n), with_name(three, n), of_shape(four, jnp.ones(n))
in_loop(five, [len(sys.argv), 0]), in_each_turn(six, n), traced(seven, n), compiled(eight, n)
closed_over(n)(jax.random.key(1))

# %% other items, or slices, or other values of what stands in the brackets
import sys

import jax
import jax.numpy as jnp
import numpy as np


def draw(key):
    return jax.random.normal(key, (3,))


def slices(key, n):
    keys = jax.random.split(key, 4 * n)
    return jax.vmap(draw)(keys[:n]), jax.vmap(draw)(keys[n : 2 * n]), jax.vmap(draw)(keys[2 * n :])


def items(key, n, m):
    keys = jax.random.split(key, 8)
    return draw(keys[n]), draw(keys[m]), draw(keys[n + 1])


def bound_again(key, n):
    keys = jax.random.split(key, 8)
    a = draw(keys[n])
    n = n + 1
    b = draw(keys[n])
    n += 1
    return a, b, draw(keys[n])


def split_again(key, n):
    keys = jax.random.split(key, 8)
    a = draw(keys[n])
    keys = jax.random.split(keys[7 - n], 8)
    return a, draw(keys[n])


def in_loop(key, places, count):
    keys = jax.random.split(key, 8)
    for place in places:
        print(draw(keys[place]))
    key, other = jax.random.split(keys[7])
    keys = jax.random.split(other, 8)
    i = 0
    while i < count:
        print(draw(keys[i]))
        i += 1
    for _ in range(count):
        key, own = jax.random.split(key)
        keys = jax.random.split(own, 8)
        print(draw(keys[count]))


def nested(key, places):
    keys = jax.random.split(key, 8)
    for place in places:
        for other in range(2):
            now = place + other
            print(draw(keys[now]))


def by_test(key, n, is_first):
    keys = jax.random.split(key, 8)
    if is_first:
        return draw(keys[n])
    return 2 * draw(keys[n])


def changed_in_place(key, places, numbers):
    keys = jax.random.split(key, 8)
    a = jax.vmap(draw)(keys[places])
    places[0] = 5
    places[1] += 1
    b = jax.vmap(draw)(keys[places])
    first = draw(keys[numbers[0]])
    numbers[0] += 1
    return a, b, first, draw(keys[numbers[0]])


def assigned_inside(key, n):
    keys = jax.random.split(key, 8)

    def following():
        nonlocal n
        n += 1
        return n

    def both():
        a = draw(keys[n])
        following()
        return a, draw(keys[n])

    return both()


def counted(key, done):
    keys = jax.random.split(key, 8)
    a = draw(keys[len(done)])
    done.append(a)
    return a, draw(keys[len(done)])


n = int(sys.argv[1]) if len(sys.argv) > 3 else 2
keys = jax.random.split(jax.random.key(0), 9)
slices(keys[0], n), items(keys[1], n, n - 1), bound_again(keys[2], n), split_again(keys[3], n)
in_loop(keys[4], [len(sys.argv), 0], n), nested(keys[5], [n, 4]), by_test(keys[6], n, n > 2)
changed_in_place(keys[7], np.arange(2), [n]), counted(keys[8], [])
assigned_inside(jax.random.key(1), n)

# %% what a function draws where an argument is None is not drawn where a compiled one hands it a pytree
import jax
import jax.numpy as jnp
from functools import partial


@jax.jit
def sample_level(rng):
    rng, _rng = jax.random.split(rng)
    return {"level": jax.random.normal(_rng, (4,))}


class Env:
    def __init__(self, reset_function):
        self.reset_function = reset_function

    def reset_env(self, rng, override):
        rng, _rng = jax.random.split(rng)
        if override is not None:
            state = override
        else:
            state = self.reset_function(_rng)
        return state["level"], state

    @partial(jax.jit, static_argnums=0)
    def reset(self, key, override=None):
        return self.reset_env(key, override)


class Wrapper:
    def __init__(self, env):
        self.env = env

    @partial(jax.jit, static_argnums=0)
    def reset(self, key, override=None):
        return self.env.reset(key, override)

    @partial(jax.jit, static_argnums=0)
    def reset_twice(self, key, override):
        first, _ = self.env.reset(key, override)
        return first + sample_level(key)["level"]  #! JAX308


def main(load):
    env = Wrapper(Env(lambda key: {"level": jax.random.normal(key, (4,))}))
    key, other = jax.random.split(jax.random.key(0))
    level = load(sample_level(key))
    obs, _ = env.reset(key, level)  #! JAX308
    return obs, env.reset_twice(other, level)


print(main(dict))

# %% ... and is drawn where it is handed None, or what is None by default
import jax
import jax.numpy as jnp
from functools import partial


@jax.jit
def sample_level(rng):
    rng, _rng = jax.random.split(rng)
    return {"level": jax.random.normal(_rng, (4,))}


class Env:
    def reset_env(self, rng, override):
        rng, _rng = jax.random.split(rng)
        if override is not None:
            state = override
        else:
            state = {"level": jax.random.normal(_rng, (4,))}
        return state["level"], state

    @partial(jax.jit, static_argnums=0)
    def reset(self, key, override=None):
        return self.reset_env(key, override)


def main():
    env = Env()
    key = jax.random.key(0)
    level = sample_level(key)
    obs, _ = env.reset(key)  #! JAX301
    return obs, level


def by_default(env: Env, key, override=None):
    level = sample_level(key)
    obs, _ = env.reset(key, override)  #! JAX301
    return obs, level


print(main(), by_default(Env(), jax.random.key(1)))

# %% one choice of one array again, by a lambda that is written again
import jax
import jax.numpy as jnp


def of_starred(key, data):
    _, *keys = jax.random.split(key, 3)
    a = jax.tree.map(lambda k, x: jax.random.choice(k, x, (3,), replace=False), keys, data)
    b = jax.tree.map(lambda k, x: jax.random.choice(k, x, (3,), replace=False), keys, data)  #! JAX301
    return a, b


def of_one(key, data):
    a = jax.tree.map(lambda x: jax.random.permutation(key, x), data)
    b = jax.tree.map(lambda x: jax.random.permutation(key, x), data)  #! JAX301
    return a, b


data = [jnp.arange(20.0), jnp.arange(30.0)]
keys = jax.random.split(jax.random.key(0), 2)
print(of_starred(keys[0], data), of_one(keys[1], data))

# %% one choice of several arrays, by a lambda that is written again
import jax
import jax.numpy as jnp


def of_starred(key, data, others):
    _, *keys = jax.random.split(key, 3)
    a = jax.tree.map(lambda k, x: jax.random.choice(k, x, (3,), replace=False), keys, data)
    b = jax.tree.map(lambda k, x: jax.random.choice(k, x, (3,), replace=False), keys, others)
    return a, b


def of_one(key, data):
    a = jax.tree.map(lambda x: jax.random.permutation(key, x), data)
    b = jax.tree.map(lambda x: jax.random.permutation(key, 2 * x), data)
    return a, b


data = [jnp.arange(20.0), jnp.arange(30.0)]
keys = jax.random.split(jax.random.key(0), 2)
print(of_starred(keys[0], data, data[::-1]), of_one(keys[1], data))

# %% the key of an object is replaced in one arm of an expression
import jax
import jax.numpy as jnp


class Agent:
    def __init__(self):
        self.rng = jax.random.PRNGKey(0)

    def noisy(self, batch):
        self.rng, key = jax.random.split(self.rng)
        return batch + jax.random.normal(key, batch.shape)

    def recycle(self, required, batch):
        acts = self.noisy(batch) if required else None
        self.rng, key = jax.random.split(self.rng)
        return update(acts, key)

    def also(self, required, batch):
        acts = required and self.noisy(batch)
        self.rng, key = jax.random.split(self.rng)
        return update(acts, key)


def update(acts, key):
    new = jax.random.normal(key, (3,))
    return new if acts is None else new + acts.mean()


agent = Agent()
print(agent.recycle(True, jnp.ones(3)), agent.also(True, jnp.ones(3)))

# %% the key of an object is drawn from in one arm of an expression
import jax


class Agent:
    def __init__(self):
        self.rng = jax.random.PRNGKey(0)

    def noise(self):
        return jax.random.normal(self.rng, (3,))

    def both(self, required):
        first = self.noise() if required else None
        second = self.noise()  #! JAX301
        return first, second


first, second = Agent().both(True)
assert (first == second).all()

# %% a function is run for one thing, and transformed for many: each result is only printed
import jax
import jax.numpy as jnp


def train(target, key):
    first, key = jax.random.split(key)
    params = jax.random.normal(first, (10,))
    return jnp.sum((target - params) ** 2)


key = jax.random.PRNGKey(0)
print("one", train(jnp.ones(10), key))

keys = jax.random.split(key, 32)
losses = jax.vmap(train)(jnp.ones((32, 10)), keys)
print("many", losses)

# %% ... in a function, with other names
import jax
import jax.numpy as jnp


def train(target, key):
    first, key = jax.random.split(key)
    params = jax.random.normal(first, (10,))
    return jnp.sum((target - params) ** 2)


def main(seed):
    key = jax.random.PRNGKey(seed)
    loss = train(jnp.ones(10), key)
    print(loss)
    many = jax.jit(jax.vmap(train))
    losses = many(jnp.ones((32, 10)), jax.random.split(key, 32))
    for loss in losses:
        print(loss)


main(0)

# %% ... but something is made of both, or goes elsewhere
import jax
import jax.numpy as jnp


def train(target, key):
    first, key = jax.random.split(key)
    params = jax.random.normal(first, (10,))
    return jnp.sum((target - params) ** 2)


def lane(target, key):
    return jnp.sum((target - jax.random.normal(key, (10,))) ** 2)


def both(key):
    loss = train(jnp.ones(10), key)
    losses = jax.vmap(lane)(jnp.ones((32, 10)), jax.random.split(key, 32))  #! JAX301
    print(loss + losses)


def returned(key):
    print(train(jnp.ones(10), key))
    return jax.vmap(lane)(jnp.ones((32, 10)), jax.random.split(key, 32))  #! JAX301


both(jax.random.PRNGKey(0))
returned(jax.random.PRNGKey(0))

# %% inputs on which two functions are compared
import jax
import jax.numpy as jnp
import numpy as np


def kernel(x1, x2):
    return jnp.matmul(x1, x2.T)


def by_hand(x1, x2):
    return jnp.einsum("id,jd->ij", x1, x2)


def check(key):
    x1 = jax.random.normal(key, (10, 2))
    x2 = jax.random.normal(key, (20, 2))
    found = kernel(x1, x2)
    expected = by_hand(x1, x2=x2)
    assert jnp.max(jnp.abs(found - expected)) < 1e-5
    print("equal")


def by_numpy(key):
    x1 = jax.random.normal(key, (10, 2))
    x2 = jax.random.normal(key, (20, 2))
    np.testing.assert_allclose(kernel(x1, x2), by_hand(x1, x2), rtol=1e-5)


check(jax.random.key(0))
by_numpy(jax.random.key(0))

# %% ... one function says something of both, or something else is made of them
import jax
import jax.numpy as jnp


def kernel(x1, x2):
    return jnp.matmul(x1, x2.T)


def by_hand(x1, x2):
    return jnp.einsum("id,jd->ij", x1, x2)


def one(key):
    x1 = jax.random.normal(key, (10, 2))
    x2 = jax.random.normal(key, (20, 2))  #! JAX301
    assert kernel(x1, x2).shape == (10, 20)
    assert jnp.abs(kernel(x1, x2)).max() > 0


def themselves(key):
    x1 = jax.random.normal(key, (10, 2))
    x2 = jax.random.normal(key, (20, 2))  #! JAX301
    assert jnp.max(jnp.abs(kernel(x1, x2) - by_hand(x1, x2))) < 1e-4
    assert abs(x1.mean() - x2.mean()) < 9


def returned(key):
    x1 = jax.random.normal(key, (10, 2))
    x2 = jax.random.normal(key, (20, 2))  #! JAX301
    found = kernel(x1, x2)
    assert jnp.max(jnp.abs(found - by_hand(x1, x2))) < 1e-4
    return found


def alike(key, size):
    x1 = jax.random.normal(key, (10, size))
    x2 = jax.random.normal(key, (size, 10))  #! JAX301
    assert jnp.max(jnp.abs(kernel(x1, x2.T) - by_hand(x1, x2.T))) < 1e-4


one(jax.random.key(0))
themselves(jax.random.key(0))
returned(jax.random.key(0))
alike(jax.random.key(0), 10)

# %% an evaluation that is run again to be rendered
import jax
import jax.numpy as jnp


class Env:
    def reset(self, key):
        first, second = jax.random.split(key)
        return jax.random.uniform(first, (2,)), jax.random.uniform(second, (2,))


class Window:
    def render(self, state):
        pass


def main(window):
    env = Env()
    start = jax.random.key(0)
    obs, state = env.reset(start)
    total, _ = jax.lax.scan(lambda c, x: (c + x, None), 0.0, obs * state)
    print(f"Total reward: {total}")
    obs, state = env.reset(start)
    window.render(state)
    for _ in range(10):
        state = state + obs
        window.render(state)


main(Window())

# %% ... other arguments, or a result that is read
import jax
import jax.numpy as jnp


class Env:
    def reset(self, key, size):
        first, second = jax.random.split(key)
        return jax.random.uniform(first, (size,)), jax.random.uniform(second, (size,))


class Window:
    def render(self, state):
        pass


def other(window, start):
    env = Env()
    obs, state = env.reset(start, 2)
    total = jnp.sum(obs * state)
    obs, state = env.reset(start, 3)  #! JAX301
    window.render(state)
    return total


def read(window, start):
    env = Env()
    obs, state = env.reset(start, 2)
    total = jnp.sum(obs * state)
    obs, state = env.reset(start, 2)  #! JAX301
    window.render(state)
    return total + jnp.sum(obs)


other(Window(), jax.random.key(0))
read(Window(), jax.random.key(0))

# %% what comes of two equal calls of a function is asked to be equal
import jax
import numpy as np


def dataset(rng, shape):
    while True:
        rng, first, second = jax.random.split(rng, 3)
        yield jax.random.normal(first, shape), jax.random.normal(second, shape)


def pairs(rng, shape):
    first, second = jax.random.split(rng)
    return jax.random.normal(first, shape), jax.random.normal(second, shape)


class Loader:
    def __init__(self, data):
        self.data = data


def is_reproducible(rng):
    one = dataset(rng, (32, 2))
    other = dataset(rng, (32, 2))
    src, _ = next(one)
    again, _ = next(other)
    np.testing.assert_array_equal(src, again)


def gives_pairs(rng):
    one = pairs(rng, (32, 2))
    other = pairs(rng, (32, 2))
    loader = Loader(one)
    second = Loader(other)
    np.testing.assert_array_equal(loader.data[0], second.data[0])


is_reproducible(jax.random.key(0))
gives_pairs(jax.random.key(0))

# %% ... not what is only computed with
import jax


def pairs(rng, shape):
    first, second = jax.random.split(rng)
    return jax.random.normal(first, shape), jax.random.normal(second, shape)


def gives_pairs(rng):
    one = pairs(rng, (32, 2))
    other = pairs(rng, (32, 2))  #! JAX301
    return one[0] + other[1]


gives_pairs(jax.random.key(0))

# %% equal children go through a gradient, a partial, a closure, a map or a loop: they are only split again there
import jax
import jax.numpy as jnp
from functools import partial


def init(key):
    k1, k2 = jax.random.split(key)
    return jax.random.normal(k1, (3,)), jax.random.normal(k2, (2,))


def loss(p, key):
    a, b = init(key)
    return jnp.mean((p[0] - a) ** 2) + jnp.mean(b)


def by_gradient(key):
    p = init(key)
    slope = jax.value_and_grad(loss)
    k1, k2 = jax.random.split(key)  #! JAX308
    return slope(p, k1), slope(p, k2)  #! JAX308


def by_loop(key):
    p = init(key)
    for _ in range(3):
        k1, key = jax.random.split(key)  #! JAX308
        p = jax.tree.map(jnp.subtract, p, jax.grad(loss)(p, k1))  #! JAX308
    return p


def by_partial(key):
    p = init(key)
    k1, k2 = jax.random.split(key)  #! JAX308
    f = partial(loss, p)
    return f(k1), f(k2)  #! JAX308


def by_closure(key):
    p = init(key)
    k1, k2 = jax.random.split(key)  #! JAX308

    def both(q):
        return loss(q, k1) + loss(q, k2)

    return jax.grad(both)(p)  #! JAX308


def by_map(key):
    p = init(key)
    keys = jax.random.split(key, 3)  #! JAX308
    return jax.vmap(loss, (None, 0))(p, keys)  #! JAX308


def by_comprehension(key):
    p = init(key)
    return [loss(p, k) for k in jax.random.split(key, 3)]  #! JAX308


def by_scan(key):
    def body(carry, _):
        p, k = carry
        k, s = jax.random.split(k)  #! JAX308
        value = loss(p, s)  #! JAX308
        return (jax.tree.map(lambda a: a - value, p), k), value

    return jax.lax.scan(body, (init(key), key), length=3)


def by_scan_over_keys(key):
    def body(p, k):
        value = loss(p, k)
        return jax.tree.map(lambda a: a - value, p), value

    return jax.lax.scan(body, init(key), jax.random.split(key, 3))  #! JAX308


def by_branches(key):
    p = init(key)
    k1, k2 = jax.random.split(key)  #! JAX308
    return jax.lax.cond(p[0][0] > 0, loss, lambda p, k: 2 * loss(p, k), p, k1), loss(p, k2)  #! JAX308


runs = (by_gradient, by_loop, by_partial, by_closure, by_map, by_comprehension, by_scan, by_scan_over_keys)
for run, key in zip(runs, jax.random.split(jax.random.key(0), 8)):
    run(key)
by_branches(jax.random.key(1))

# %% ... and where the same functions draw from them
import jax
import jax.numpy as jnp
from functools import partial


def init(key):
    k1, k2 = jax.random.split(key)
    return jax.random.normal(k1, (3,)), jax.random.normal(k2, (2,))


def loss(p, key):
    return jnp.mean((p[0] - jax.random.normal(key, (3,))) ** 2)


def by_gradient(key):
    p = init(key)
    slope = jax.value_and_grad(loss)
    k1, k2 = jax.random.split(key)  #! JAX301
    return slope(p, k1), slope(p, k2)


def by_loop(key):
    p = init(key)
    for _ in range(3):
        k1, key = jax.random.split(key)  #! JAX301
        p = jax.tree.map(jnp.subtract, p, jax.grad(loss)(p, k1))
    return p


def by_partial(key):
    p = init(key)
    k1, k2 = jax.random.split(key)  #! JAX301
    f = partial(loss, p)
    return f(k1), f(k2)


def by_closure(key):
    p = init(key)
    k1, k2 = jax.random.split(key)  #! JAX301

    def both(q):
        return loss(q, k1) + loss(q, k2)

    return jax.grad(both)(p)


def by_map(key):
    p = init(key)
    keys = jax.random.split(key, 3)  #! JAX301
    return jax.vmap(loss, (None, 0))(p, keys)


def by_comprehension(key):
    p = init(key)
    return [loss(p, k) for k in jax.random.split(key, 3)]  #! JAX301


def by_scan(key):
    def body(carry, _):
        p, k = carry
        k, s = jax.random.split(k)  #! JAX301
        value = loss(p, s)
        return (jax.tree.map(lambda a: a - value, p), k), value

    return jax.lax.scan(body, (init(key), key), length=3)


def by_scan_over_keys(key):
    def body(p, k):
        value = loss(p, k)
        return jax.tree.map(lambda a: a - value, p), value

    return jax.lax.scan(body, init(key), jax.random.split(key, 3))  #! JAX301


def by_branches(key):
    p = init(key)
    k1, k2 = jax.random.split(key)  #! JAX301
    return jax.lax.cond(p[0][0] > 0, loss, lambda p, k: 2 * loss(p, k), p, k1), loss(p, k2)


runs = (by_gradient, by_loop, by_partial, by_closure, by_map, by_comprehension, by_scan, by_scan_over_keys)
for run, key in zip(runs, jax.random.split(jax.random.key(0), 8)):
    run(key)
by_branches(jax.random.key(1))

# %% a function gives a child back beside what it draws: its caller draws from it, and only splits the equal one
import jax


def setup(key):
    key, *keys = jax.random.split(key, 5)
    drawn = [jax.random.uniform(k, (2,)) for k in keys]
    key, step_key = jax.random.split(key)
    return drawn, step_key


def evaluate(key):
    key, reset_key = jax.random.split(key)
    return jax.random.randint(jax.random.split(reset_key, 3)[2], (), 0, 9)


key = jax.random.PRNGKey(0)
drawn, step_key = setup(key)
keys = jax.random.split(key, 1)  #! JAX308
print(drawn, jax.random.normal(step_key), evaluate(keys[0]))  #! JAX308

# %% ... or draws from the equal one, too
import jax


def setup(key):
    key, *keys = jax.random.split(key, 5)
    drawn = [jax.random.uniform(k, (2,)) for k in keys]
    key, step_key = jax.random.split(key)
    return drawn, step_key


def evaluate(key):
    key, reset_key = jax.random.split(key)
    return jax.random.randint(reset_key, (), 0, 9)


key = jax.random.PRNGKey(0)
drawn, step_key = setup(key)
keys = jax.random.split(key, 1)  #! JAX301
print(drawn, jax.random.normal(step_key), evaluate(keys[0]))

# %% children of a split in the body of the module that functions close over
import jax

key = jax.random.key(0)
first_key, second_key = jax.random.split(key)


def first():
    return jax.random.normal(first_key, (3,))


def halves(key):
    one, other = jax.random.split(key)
    return jax.random.normal(one), jax.random.normal(other)


print(first())
third_key, fourth_key = jax.random.split(key)  #! JAX308
print(halves(third_key), halves(fourth_key))  #! JAX308

# %% children of a split go, also one by one, to what makes nothing of them; the equal ones are drawn from
import jax
import jax.numpy as jnp


class Optimizer:
    def init(self, params, key=None):
        return params


@jax.jit
def unroll(theta, key, state):
    key, key1 = jax.random.split(key)
    return theta + jax.random.normal(key1, theta.shape) + jnp.mean(state)


class Estimator:
    def __init__(self, opt):
        self.opt = opt

    def mapped(self, theta, key, params):
        def reset(p, key):
            return self.opt.init(p, key=key)

        state = jax.vmap(reset)(params, jax.random.split(key, params.shape[0]))
        return unroll(theta, key, state)  #! JAX308

    def named(self, theta, key, params):
        keys = jax.random.split(key, params.shape[0])
        state = jax.vmap(lambda p, k: self.opt.init(p, key=k))(params, keys)
        return unroll(theta, key, state)  #! JAX308

    def item(self, theta, key, params):
        state = self.opt.init(params, key=jax.random.split(key)[1])
        return unroll(theta, key, state)

    def scanned(self, theta, key, params):
        def body(carry, x):
            p, k = x
            return carry, self.opt.init(p, key=k)

        _, state = jax.lax.scan(body, 0, (params, jax.random.split(key, params.shape[0])))
        return unroll(theta, key, state)  #! JAX308

    def starred(self, theta, key, params):
        def start(p, a, b):
            return self.opt.init(p, key=b)

        return unroll(theta, key, start(params, *jax.random.split(key)))  #! JAX308

    def unpacked(self, theta, key, params):
        def start(p, keys):
            _, b = keys
            return self.opt.init(p, key=b)

        return unroll(theta, key, start(params, jax.random.split(key)))  #! JAX308


e = Estimator(Optimizer())
ways = [e.mapped, e.named, e.item, e.scanned, e.starred, e.unpacked]
for way, key in zip(ways, jax.random.split(jax.random.key(0), 6)):
    way(jnp.ones(3), key, jnp.ones((4, 2)))

# %% ... to what draws from them
import jax
import jax.numpy as jnp


class Optimizer:
    def init(self, params, key=None):
        return params + jax.random.normal(key, params.shape)


@jax.jit
def unroll(theta, key, state):
    key, key1 = jax.random.split(key)
    return theta + jax.random.normal(key1, theta.shape) + jnp.mean(state)


class Estimator:
    def __init__(self, opt):
        self.opt = opt

    def mapped(self, theta, key, params):
        def reset(p, key):
            return self.opt.init(p, key=key)

        state = jax.vmap(reset)(params, jax.random.split(key, params.shape[0]))
        return unroll(theta, key, state)  #! JAX301

    def named(self, theta, key, params):
        keys = jax.random.split(key, params.shape[0])
        state = jax.vmap(lambda p, k: self.opt.init(p, key=k))(params, keys)
        return unroll(theta, key, state)  #! JAX301

    def item(self, theta, key, params):
        state = self.opt.init(params, key=jax.random.split(key)[1])
        return unroll(theta, key, state)  #! JAX301

    def scanned(self, theta, key, params):
        def body(carry, x):
            p, k = x
            return carry, self.opt.init(p, key=k)

        _, state = jax.lax.scan(body, 0, (params, jax.random.split(key, params.shape[0])))
        return unroll(theta, key, state)  #! JAX301

    def starred(self, theta, key, params):
        def start(p, a, b):
            return self.opt.init(p, key=b)

        return unroll(theta, key, start(params, *jax.random.split(key)))  #! JAX301

    def unpacked(self, theta, key, params):
        def start(p, keys):
            _, b = keys
            return self.opt.init(p, key=b)

        return unroll(theta, key, start(params, jax.random.split(key)))  #! JAX301


e = Estimator(Optimizer())
ways = [e.mapped, e.named, e.item, e.scanned, e.starred, e.unpacked]
for way, key in zip(ways, jax.random.split(jax.random.key(0), 6)):
    way(jnp.ones(3), key, jnp.ones((4, 2)))

# %% norun what an unknown library makes to be deterministic draws nothing from a key, whatever is made of it
import functools

import jax
from unknown_library import Policy, make_policy


def reset(rng):
    rng, goal_rng = jax.random.split(rng)
    return jax.random.uniform(goal_rng, (3,))


def by_call(rng, params):
    rng = jax.random.fold_in(rng, 1)
    policy = make_policy(params, deterministic=True)
    obs = reset(rng)
    act_rng, rng = jax.random.split(rng)  #! JAX308
    return policy(obs, act_rng), jax.random.split(rng)  #! JAX308


def by_jit(rng, params):
    rng = jax.random.fold_in(rng, 1)
    policy = jax.jit(make_policy(params, deterministic=True))
    first = policy(params, rng)
    return first, jax.random.normal(rng, (3,))


def by_partial(rng, params):
    rng = jax.random.fold_in(rng, 1)
    policy = functools.partial(make_policy(params, deterministic=True), params)
    first = policy(rng)
    return first, jax.random.normal(rng, (3,))


def made_by_partial(rng, params):
    rng = jax.random.fold_in(rng, 1)
    policy = functools.partial(make_policy, deterministic=True)(params)
    first = policy(rng)
    return first, jax.random.normal(rng, (3,))


def by_class(rng, x):
    rng = jax.random.fold_in(rng, 1)
    model = Policy(train=False)
    first, second = model(x, rng), model.apply(x, rng)
    return first, second, jax.random.normal(rng, (3,))


def by_lambda(rng, params):
    rng = jax.random.fold_in(rng, 1)
    made = make_policy(params, eval_mode=True)
    policy = lambda obs, key: made(obs, key)
    first = policy(params, rng)
    return first, jax.random.normal(rng, (3,))


def by_map(rng, params, xs):
    rng = jax.random.fold_in(rng, 1)
    policy = make_policy(params, deterministic=True)
    first = jax.vmap(policy, (0, None))(xs, rng)
    second = jax.lax.scan(lambda carry, x: (carry, policy(x, rng)), 0, xs)
    return first, second, jax.random.normal(rng, (3,))


def by_factory(rng, params, factory):
    rng = jax.random.fold_in(rng, 1)
    policy = jax.jit(factory.make(params, deterministic=True))
    first = policy(params, rng)
    return first, jax.random.normal(rng, (3,))


def by_two(rng, params):
    rng = jax.random.fold_in(rng, 1)
    policy, _ = make_policy(params, deterministic=True)
    first = policy(params, rng)
    return first, jax.random.normal(rng, (3,))

# %% norun ... but what is not told so may, and parameters are drawn all the same
import functools

import jax
from unknown_library import Policy, make_policy, make_init


def by_call(rng, params):
    rng = jax.random.fold_in(rng, 1)
    policy = make_policy(params, deterministic=False)
    first = policy(rng)
    return first, jax.random.normal(rng, (3,))  #! JAX301


def by_jit(rng, params):
    rng = jax.random.fold_in(rng, 1)
    policy = jax.jit(make_policy(params))
    first = policy(rng)
    return first, jax.random.normal(rng, (3,))  #! JAX301


def by_class(rng, x):
    rng = jax.random.fold_in(rng, 1)
    params = Policy(train=False).init(rng, x)
    return params, jax.random.normal(rng, (3,))  #! JAX301


def by_function(rng, x):
    rng = jax.random.fold_in(rng, 1)
    init = make_init(train=False)
    params = init(rng, x)
    return params, jax.random.normal(rng, (3,))  #! JAX301


def by_argument(rng, deterministic, params):
    rng = jax.random.fold_in(rng, 1)
    policy = make_policy(params, deterministic=deterministic)
    first = policy(rng)
    return first, jax.random.normal(rng, (3,))  #! JAX301

# %% norun ... in a script: of the equal keys of two splits one goes only to such a policy
import jax
from unknown_library import train


class Env:
    def reset(self, rng):
        rng, goal_rng = jax.random.split(rng)
        return {"obs": jax.random.uniform(goal_rng, (3,)), "rng": rng}

    def step(self, state, action):
        rng, noise_rng = jax.random.split(state["rng"])
        return {"obs": state["obs"] + action + jax.random.normal(noise_rng, (3,)), "rng": rng}


env = Env()
make_inference_fn, params, _ = train(environment=env)
policy = jax.jit(make_inference_fn(params, deterministic=True))
other_policy = jax.jit(make_inference_fn(params, deterministic=False))
rng = jax.random.PRNGKey(1234)
state = jax.jit(env.reset)(rng)
for _ in range(100):
    act_rng, rng = jax.random.split(rng)  #! JAX308
    action, _ = policy(state["obs"], act_rng)
    state = env.step(state, action)
rng = jax.random.PRNGKey(4321)
state = jax.jit(env.reset)(rng)
for _ in range(100):
    act_rng, rng = jax.random.split(rng)  #! JAX301
    action, _ = other_policy(state["obs"], act_rng)
    state = env.step(state, action)

# %% an assignment with an annotation is one: draws that nothing reads, and children of a split that nothing reads
import jax
import jax.numpy as jnp


def overwritten(key, x):
    momentum: jax.Array = jax.random.normal(key, x.shape) * 2.0
    momentum = jnp.dot(jax.random.normal(key, x.shape), x)
    return momentum


def overwritten_again(key, x):
    momentum = jax.random.normal(key, x.shape)
    momentum: jax.Array = jnp.dot(jax.random.normal(key, x.shape), x)
    return momentum


def unread(key, x):
    noise: jax.Array = jax.random.normal(key, x.shape)
    return x + jax.random.normal(key, noise.shape)


def in_a_loop(key, x):
    for _ in range(3):
        noise: jax.Array = jax.random.normal(key, x.shape)
        x = x + noise.shape[0]
    return x + jax.random.normal(key, x.shape)


def children(key):
    keys: jax.Array = jax.random.split(key, 4)  #! JAX310
    keys: jax.Array = jax.random.split(key, 3)  #! JAX308
    return jax.vmap(jax.random.normal)(keys)


def timed(key, x):
    first: jax.Array = jax.random.normal(key, x.shape)
    target_first: jax.Array = jax.random.normal(key, x.shape)
    return first, target_first


overwritten(jax.random.key(0), jnp.ones(3))
overwritten_again(jax.random.key(1), jnp.ones(3))
unread(jax.random.key(2), jnp.ones(3))
in_a_loop(jax.random.key(3), jnp.ones(3))
children(jax.random.key(4))
timed(jax.random.key(5), jnp.ones(3))

# %% ... and what is read is read
import jax
import jax.numpy as jnp


def read(key, x):
    noise: jax.Array = jax.random.normal(key, x.shape)
    x = x + noise
    noise: jax.Array = jax.random.normal(key, x.shape)  #! JAX301
    return x + noise


def declared(key, x):
    noise: jax.Array
    noise = jax.random.normal(key, x.shape)
    y = x * noise
    noise = jax.random.normal(key, x.shape)  #! JAX301
    return noise + y


def children(key):
    keys: jax.Array = jax.random.split(key, 4)
    first = jax.vmap(jax.random.normal)(keys)
    keys: jax.Array = jax.random.split(key, 3)  #! JAX301
    return first, jax.vmap(jax.random.normal)(keys)


read(jax.random.key(0), jnp.ones(3)), declared(jax.random.key(1), jnp.ones(3)), children(jax.random.key(4))

# %% draws whose arguments leave one value for all keys repeat nothing: bounds that lie one apart, or at one place
import functools

import jax
import jax.numpy as jnp
from jax import random as jr

LOW, HIGH = 0, 1


def one_direction(key):
    direction = jax.random.randint(key, shape=(2,), minval=0, maxval=3)
    index = jax.random.randint(key, shape=(), minval=LOW, maxval=HIGH)
    return direction, index


def one_number(key):
    first = jr.uniform(key, (2,), minval=2.0, maxval=2.0)
    return first, jr.normal(key, (2,))


def by_a_helper(key):
    def pick(key, count):
        return jax.random.randint(key, (), 0, count)

    return pick(key, 1), jr.normal(key, (2,))


def by_a_partial(key):
    pick = functools.partial(jax.random.randint, shape=(), minval=0, maxval=1)
    return pick(key), jr.normal(key, (2,))


def in_a_loop(key, x):
    for _ in range(3):
        x = x + jr.bernoulli(key, 0.0, (2,)) + jr.choice(key, 1) + jr.permutation(key, 1)
    return x + jr.normal(key, (2,))


def of_no_size(key):
    return jr.normal(key, (0, 3)), jr.normal(key, (4, 3))


for way in (one_direction, one_number, by_a_helper, by_a_partial, of_no_size):
    way(jax.random.key(1))  #! JAX303
in_a_loop(jax.random.key(2), jnp.ones(2))

# %% ... and more than one
import functools

import jax
import jax.numpy as jnp


def two_directions(key):
    direction = jax.random.randint(key, shape=(2,), minval=0, maxval=3)
    index = jax.random.randint(key, shape=(), minval=0, maxval=2)  #! JAX301
    return direction, index


def two_numbers(key):
    first = jax.random.uniform(key, (2,), minval=1.0, maxval=2.0)
    return first, jax.random.normal(key, (2,))  #! JAX301


def by_a_helper(key):
    def pick(key, count):
        return jax.random.randint(key, (), 0, count)

    return pick(key, 2), jax.random.normal(key, (2,))  #! JAX301


def by_an_argument(key, count):
    index = jax.random.randint(key, (), 0, count)
    return index, jax.random.normal(key, (2,))  #! JAX301


def by_a_partial(key):
    pick = functools.partial(jax.random.randint, shape=(), minval=0, maxval=2)
    return pick(key), jax.random.normal(key, (2,))  #! JAX301


two_directions(jax.random.key(0)), two_numbers(jax.random.key(1)), by_a_helper(jax.random.key(2))
by_an_argument(jax.random.key(3), 4), by_a_partial(jax.random.key(4))

# %% of two draws no path uses both: what is made of the first one is only given back before the second one is there
import jax
import jax.numpy as jnp
import numpy as np


def early(key, trig):
    if key is not None:
        real = np.array(jax.random.normal(key, (4,)))
    else:
        real = np.zeros(4)
    c = real + 1j
    c[0] = np.sqrt(2) * np.real(c[0])
    c = c / 2
    if trig:
        return jnp.array(c)
    real = np.array(jax.random.normal(key, (8,)))
    d = real * 2
    for row in d:
        print(row)
    return jnp.array(d)


def either(key, flag):
    a = jax.random.normal(key, (3,))
    b = jax.random.uniform(key, (3,))
    a = a + 1
    if flag:
        return a
    return b


def in_arms(key, flag):
    a = jax.random.normal(key, (3,))
    b: jax.Array = jax.random.uniform(key, (3,))
    if flag == 0:
        x = a * 2
        print(x)
    elif flag == 1:
        print(b)
    else:
        return None
    return key


def with_a_helper(key, flag):
    def noise(key):
        return jax.random.normal(key, (3,))

    first = noise(key)
    total = 0.0
    total += first.sum()
    if flag:
        if total > 0:
            raise ValueError(total)
        return total
    return noise(key) + 1


for way in (early, either, in_arms, with_a_helper):
    way(jax.random.key(1), 0)  #! JAX303

# %% ... but a path may
import jax
import jax.numpy as jnp
import numpy as np


def late(key, trig):
    c = np.array(jax.random.normal(key, (4,)))
    if trig:
        return jnp.array(c)
    d = np.array(jax.random.normal(key, (4,)))  #! JAX301
    return jnp.array(c + d)


def before(key, trig):
    c = jax.random.normal(key, (4,))
    print(c)
    if trig:
        return c
    return jax.random.normal(key, (4,))  #! JAX301


def stored(key, trig, kept):
    c = jax.random.normal(key, (4,))
    kept["c"] = c
    if trig:
        return c
    return jax.random.normal(key, (4,))  #! JAX301


def in_a_loop(key, n):
    for _ in range(n):
        a = jax.random.normal(key, (4,))  #! JAX302
        b = jax.random.normal(key, (4,))  #! JAX301
        if n > 3:
            print(a)
        else:
            print(b)


def in_a_try(key):
    a = jax.random.normal(key, (3,))
    try:
        if a[0] > 0:
            raise ValueError
    except ValueError:
        pass
    return jax.random.uniform(key, (3,))  #! JAX301


def in_a_broken_loop(key, xs):
    a = jax.random.normal(key, (3,))
    for x in xs:
        print(a + x)
        if x:
            break
        return a
    return jax.random.uniform(key, (3,))  #! JAX301


def in_a_function(key, flag):
    a = jax.random.normal(key, (3,))

    def show():
        print(a)

    if flag:
        return show
    return jax.random.uniform(key, (3,))  #! JAX301


def in_both(key, flag):
    a = jax.random.normal(key, (3,))
    b = jax.random.uniform(key, (3,))  #! JAX301
    c = a + b
    if flag:
        return c
    return b


late(jax.random.key(0), 0), before(jax.random.key(1), 0), stored(jax.random.key(2), 0, {})
in_a_loop(jax.random.key(3), 4)
in_a_try(jax.random.key(4)), in_a_broken_loop(jax.random.key(5), [1]), in_a_function(jax.random.key(6), 0)
in_both(jax.random.key(7), 0)

# %% a mapped key in a dict: drawn from twice in each lane
import jax


def draw(record):
    return jax.random.normal(record["key"]), jax.random.normal(record["key"])  #! JAX301


mapped = jax.vmap(draw, in_axes=({"key": 0},))
a, b = mapped({"key": jax.random.split(jax.random.key(0), 3)})
assert (a == b).all()

# %% keys in a dict that vmap maps: each lane draws from its own
import jax
import jax.numpy as jnp


def draw(record, scale):
    return scale * jax.random.normal(record["key"], record["x"].shape) + record["x"]


records = {"key": jax.random.split(jax.random.key(0), 3), "x": jnp.ones(2)}
jax.vmap(draw, in_axes=({"key": 0, "x": None}, None))(records, 2.0)

# %% keys in a dict that vmap maps are spent with it
import jax
import jax.numpy as jnp


def draw(record):
    return jax.random.normal(record["key"])


keys = jax.random.split(jax.random.key(0), 3)
jax.vmap(draw, in_axes=({"key": 0},))({"key": keys})
print(jax.random.normal(keys[0]))  #! JAX301

# %% what `async with` binds: an object of which the methods draw
import asyncio
import contextlib

import jax


class Engine:
    @contextlib.asynccontextmanager
    async def slot(self):
        yield self

    async def __aenter__(self):
        return self

    async def __aexit__(self, *exc):
        pass

    def draw(self, key):
        return jax.random.normal(key)


async def by_manager(key):
    async with Engine().slot() as engine:
        return engine.draw(key), engine.draw(key)  #! JAX301


async def by_methods(key):
    async with Engine() as engine:
        return engine.draw(key), engine.draw(key)  #! JAX301


async def with_subkeys(key):
    async with Engine() as engine, engine.slot() as other:
        key, sub = jax.random.split(key)
        return engine.draw(key), other.draw(sub)


for seed, main in enumerate((by_manager, by_methods, with_subkeys)):
    a, b = asyncio.run(main(jax.random.key(seed)))
    print(a, b)

# %% what `__aenter__` gives that is something else
import asyncio

import jax


class Streams:
    def __init__(self, key):
        self.key = key

    async def __aenter__(self):
        self.key, key = jax.random.split(self.key)
        return key

    async def __aexit__(self, *exc):
        return False


async def main(key):
    streams = Streams(key)
    async with streams as first:
        a = jax.random.normal(first)
    async with streams as second:
        b = jax.random.normal(second)
    return a, b


print(asyncio.run(main(jax.random.key(0))))

# %% one key for two runs whose difference is taken: partials, closures, objects, maps
from functools import partial

import jax


def ret(theta, key):
    return theta + jax.random.normal(key)


def policy(theta):
    def inner(key):
        return theta + jax.random.normal(key)

    return inner


class Policy:
    def __init__(self, theta):
        self.theta = theta

    def ret(self, key):
        return self.theta + jax.random.normal(key)


key, *keys = jax.random.split(jax.random.key(0), 5)
first, second = partial(ret, 1.0), partial(ret, 2.0)
print(first(key) - second(key))
print(policy(1.0)(keys[0]) - policy(2.0)(keys[0]))
old, new = Policy(1.0), Policy(2.0)
a = old.ret(keys[1])
b = new.ret(keys[1])
print((b - a) / 2)
many = jax.random.split(keys[2], 3)
print(jax.vmap(partial(ret, 1.0))(many) - jax.vmap(partial(ret, 2.0))(many))

# %% one key for two runs that are added, or of which one is the other
from functools import partial

import jax


def ret(theta, key):
    return theta + jax.random.normal(key)


def noise(key):
    return jax.random.normal(key)


key, other, third = jax.random.split(jax.random.key(0), 3)
first, second = partial(ret, 1.0), partial(ret, 2.0)
print(first(key) + second(key))  #! JAX301
print(noise(other) - ret(1.0, other))  #! JAX301
print(first(third) - first(third))  #! JAX301

# %% two maps over one count fold its numbers into one key
import jax
import jax.numpy as jnp


def noise(key, n):
    return jax.vmap(lambda i: jax.random.normal(jax.random.fold_in(key, i)))(jnp.arange(n))


def by_keys(key):
    return jax.vmap(jax.random.fold_in, (None, 0))(key, jnp.arange(4))


first, second, third = jax.random.split(jax.random.key(0), 3)
a = noise(first, 3)
b = noise(first, 3)  #! JAX301
c = jax.lax.map(lambda i: jax.random.normal(jax.random.fold_in(second, i)), jnp.arange(2))
d = jax.lax.map(lambda i: jax.random.uniform(jax.random.fold_in(second, i)), jnp.arange(2))  #! JAX301
e = jax.vmap(jax.random.normal)(by_keys(third))
f = jax.vmap(jax.random.normal)(by_keys(third))  #! JAX301
print(a + b, c + d, e + f)

# %% two splits of a key, of one of which no child is drawn from: they are deleted, or kept where nothing reads them
import jax


def get_loader(config, data_rng):
    del data_rng
    return range(config)


class Base:
    def __init__(self, config):
        self.config = config


class Manager(Base):
    def __init__(self, config, rng):
        super().__init__(config)
        self.rng = rng

    def evaluate(self, params, loader):
        return [params * i for i in loader]


class Holder:
    def __init__(self, rng):
        self.inner = Manager(3, rng)
        self.rng = rng


def made(rng):
    manager = Manager(3, rng)
    return manager, 1


def main(rng, config):
    data_rng, model_rng = jax.random.split(rng)
    loader = get_loader(config, data_rng)
    manager = Manager(config, model_rng)
    rng, params_rng, dropout_rng = jax.random.split(rng, 3)  #! JAX308
    params = jax.random.normal(params_rng) + jax.random.uniform(dropout_rng)
    return manager.evaluate(params, loader)


def through(rng, config):
    first, second = jax.random.split(rng)
    manager, _ = made(first)
    holder = Holder(second)
    params_rng, dropout_rng = jax.random.split(rng)  #! JAX308
    params = jax.random.normal(params_rng) + jax.random.uniform(dropout_rng)
    return manager.evaluate(params, range(3)), manager.config


def deleted(rng):
    first, second = jax.random.split(rng)
    del first, second
    params_rng, dropout_rng = jax.random.split(rng)  #! JAX308
    return jax.random.normal(params_rng) + jax.random.uniform(dropout_rng)


print(main(jax.random.PRNGKey(0), 3), through(jax.random.key(0), 3), deleted(jax.random.key(1)))

# %% ... but what draws from the attribute, in a method or from outside, draws the same numbers
import jax


class Manager:
    def __init__(self, rng):
        self.rng = rng


class Drawing(Manager):
    def __init__(self, rng):
        super().__init__(rng)

    def draw(self):
        return jax.random.normal(self.rng)


class Handing:
    def __init__(self, rng):
        self.rng = rng

    def draw(self):
        return drawn(self)


class Plain:
    def __init__(self, rng):
        self.rng = rng

    def __repr__(self):
        return "Plain"


def drawn(manager):
    return jax.random.normal(manager.rng)


def from_outside(rng):
    _, model_rng = jax.random.split(rng)
    manager = Manager(model_rng)
    _, params_rng = jax.random.split(rng)  #! JAX301
    return jax.random.normal(params_rng) + jax.random.uniform(manager.rng)


def in_a_method(rng):
    _, model_rng = jax.random.split(rng)
    manager = Drawing(model_rng)
    _, params_rng = jax.random.split(rng)  #! JAX301
    return jax.random.normal(params_rng) + manager.draw()


def handed(rng):
    _, model_rng = jax.random.split(rng)
    manager = Handing(model_rng)
    _, params_rng = jax.random.split(rng)  #! JAX301
    return jax.random.normal(params_rng) + manager.draw()


def by_name(rng):
    _, model_rng = jax.random.split(rng)
    manager = Plain(model_rng)
    _, params_rng = jax.random.split(rng)  #! JAX301
    return jax.random.normal(params_rng) + jax.random.normal(vars(manager)["rng"])


keys = jax.random.split(jax.random.key(0), 4)
print(from_outside(keys[0]), in_a_method(keys[1]), handed(keys[2]), by_name(keys[3]))

# %% two orders by one key: the second array is computed of the first result, and where it is not
import jax
import jax.numpy as jnp


def top(values, count, key):
    return jax.random.permutation(key, values) > count


def sampled(labels, count, key):
    positive = labels == 1
    chosen = top(positive, 0, key) & positive
    rest = jnp.where(positive & ~chosen, -1, labels)
    return top(rest, count, key)  #! JAX301


def direct(x, key):
    y = jax.random.permutation(key, x)
    return y, jax.random.permutation(key, y * 2)  #! JAX301


def indexed(x, key):
    order = jax.random.permutation(key, x.shape[0])
    y = x[order]
    return jax.random.permutation(key, y)  #! JAX301


def together(x, y, key):
    count = x.shape[0]
    x = jax.random.permutation(key, x)
    y = jax.random.permutation(key, y[:count])
    z = jax.random.permutation(key, jnp.arange(len(x)))
    return x, y, z


def in_dict(data, key):
    data["x"] = jax.random.permutation(key, data["x"])
    data["y"] = jax.random.permutation(key, data["y"])
    return data


def in_tuple(x, y, key):
    pair = (jax.random.permutation(key, x), y)
    x, y = pair
    y = jax.random.permutation(key, y)
    return x, y


def labels_of(data):
    return data["y"]


def of_other(x, y, key):
    data = {"x": jax.random.permutation(key, x), "y": y}
    return data["x"], jax.random.permutation(key, labels_of(data))


x, y = jnp.arange(4), jnp.arange(4) + 1
keys = jax.random.split(jax.random.key(0), 7)
print(sampled(x, 1, keys[0]), direct(x, keys[1]), indexed(x, keys[2]), together(x, y, keys[3]))
print(in_dict({"x": x, "y": y}, keys[4]), in_tuple(x, y, keys[5]), of_other(x, y, keys[6]))

# %% norun functions of the file that only plot what they are given, and others: needs matplotlib
import jax
import matplotlib.pyplot as plt

kept = []


def show(x, title):
    plt.title(title)
    image = plt.imshow(x)
    plt.colorbar(image)
    plt.show()


def show_rows(x):
    print(x.shape)
    for row in x:
        show(row[None], "row")


def show_and_keep(x, title):
    show(x, title)
    kept.append(x)


def mean_of(x):
    plt.plot(x)
    return x.mean()


def drawn(key):
    show(jax.random.normal(key, (3, 4)), "normal")
    show_rows(jax.random.uniform(key, (4, 3)))


def kept_too(key):
    show_and_keep(jax.random.normal(key, (3, 4)), "normal")
    show_and_keep(jax.random.uniform(key, (4, 3)), "uniform")  #! JAX301


def compared(key):
    return mean_of(jax.random.normal(key, (3,))) - mean_of(jax.random.uniform(key, (5,)))  #! JAX301


drawn(jax.random.key(0))
kept_too(jax.random.key(1))
compared(jax.random.key(2))

# %% children of equal splits: one after the other is drawn from, and those of the other split are split again
import jax
import jax.numpy as jnp


def perturbed(params, key):
    keys = jax.random.split(key, len(params))
    return [p + 0.1 * jax.random.normal(k, p.shape) for p, k in zip(params, keys)]


def noise_of_leaves(tree, key):
    leaves, structure = jax.tree.flatten(tree)
    keys = jax.tree.unflatten(structure, list(jax.random.split(key, len(leaves))))
    return jax.tree.map(lambda leaf, k: leaf + jax.random.normal(k, leaf.shape), tree, keys)


def summed(params, key):
    total = 0.0
    keys = jax.random.split(key, len(params))
    for number, (p, k) in enumerate(zip(params, keys)):
        total = total + jnp.sum(p * jax.random.uniform(k, p.shape)) * number
    return total


def gradient(params, x, key):
    mask_key, noise_key = jax.random.split(key)

    def loss(params):
        kept = jax.random.bernoulli(mask_key, 0.9, x.shape) * x
        noisy = kept + jax.random.normal(noise_key, x.shape)
        return sum(jnp.mean((p - noisy) ** 2) for p in params)

    return jax.grad(loss)(params)


@jax.jit
def train_step(params, x, step, key):
    key = jax.random.fold_in(key, step)
    noisy = perturbed(params, key)
    _, subkey = jax.random.split(key)  #! JAX308
    return [p - 0.1 * g for p, g in zip(params, gradient(noisy, x, subkey))]  #! JAX308


@jax.jit
def other_step(params, x, key):
    noisy = noise_of_leaves(params, key)
    _, subkey = jax.random.split(key)  #! JAX308
    return gradient(noisy, x, subkey)  #! JAX308


@jax.jit
def third_step(params, x, key):
    total = summed(params, key)
    _, subkey = jax.random.split(key)  #! JAX308
    return total, gradient(params, x, subkey)  #! JAX308


params = [jnp.ones(3), jnp.ones(3)]
train_step(params, jnp.ones(3), 0, jax.random.key(0))
other_step(params, jnp.ones(3), jax.random.key(1))
third_step(params, jnp.ones(3), jax.random.key(2))

# %% ... both are drawn from, both are split again, or one of them is drawn from and split: the numbers may be the same
import jax
import jax.numpy as jnp


def perturbed(params, key):
    keys = jax.random.split(key, len(params))
    return [p + 0.1 * jax.random.normal(k, p.shape) for p, k in zip(params, keys)]


def perturbed_twice(params, key):
    found = []
    for p, k in zip(params, jax.random.split(key, len(params))):
        one, two = jax.random.split(k)
        found.append(p + jax.random.normal(one, p.shape) + jax.random.normal(two, p.shape))
    return found


def gradient(params, x, key):
    mask_key, noise_key = jax.random.split(key)
    kept = jax.random.bernoulli(mask_key, 0.9, x.shape) * x
    noisy = kept + jax.random.normal(noise_key, x.shape)
    return sum(jnp.mean((p - noisy) ** 2) for p in params)


@jax.jit
def drawn_twice(params, x, key):
    noisy = perturbed(params, key)
    _, subkey = jax.random.split(key)  #! JAX301
    return [p * jax.random.normal(subkey, x.shape) for p in noisy]


@jax.jit
def split_twice(params, x, key):
    noisy = perturbed_twice(params, key)
    _, subkey = jax.random.split(key)  #! JAX301
    return gradient(noisy, x, subkey)


@jax.jit
def drawn_and_split(params, x, key):
    noisy = perturbed(params, key)
    _, subkey = jax.random.split(key)  #! JAX301
    return gradient(noisy, x, subkey) + jax.random.normal(subkey, ())  #! JAX308


params = [jnp.ones(3), jnp.ones(3)]
drawn_twice(params, jnp.ones(3), jax.random.key(0))
split_twice(params, jnp.ones(3), jax.random.key(1))
drawn_and_split(params, jnp.ones(3), jax.random.key(2))

# %% norun children that a module of flax linen folds, and equal ones that are drawn from
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dropout(0.1, deterministic=False)(nn.Dense(3)(x))


def loss(params, x, key):
    dropout_key, other_key = jax.random.split(key)
    return jnp.mean(Net().apply(params, x, rngs={"dropout": dropout_key, "other": other_key}) ** 2)


def drawn_loss(params, x, key):
    dropout_key, other_key = jax.random.split(key)
    x = x + jax.random.normal(other_key, x.shape)
    return jnp.mean(Net().apply(params, x, rngs={"dropout": dropout_key}) ** 2)


def add_noise(grads, key):
    leaves, tree = jax.tree.flatten(grads)
    keys = jax.random.split(key, len(leaves))
    return tree.unflatten([g + jax.random.normal(k, g.shape) for g, k in zip(leaves, keys)])


@jax.jit
def private_gradient(params, x, key):
    return add_noise(jax.grad(loss)(params, x, key), key)  #! JAX308


@jax.jit
def reused(params, x, key):
    return add_noise(jax.grad(drawn_loss)(params, x, key), key)  #! JAX301

# %% a step whose new state is thrown away, for a loss of other data that is only printed
import jax
import jax.numpy as jnp


@jax.jit
def update(state, images):
    key, params = state
    key, noise_key = jax.random.split(key)

    def loss_of(p):
        noise = jax.random.normal(noise_key, images.shape)
        return jnp.mean((p * (images + noise) - noise) ** 2)

    loss, grad = jax.value_and_grad(loss_of)(params)
    return (key, params - 0.1 * grad), {"loss": loss}


def main(train, held, steps):
    state = (jax.random.key(0), jnp.ones(()))
    for i in range(steps):
        state, info = update(state, train)
        if i % 3 == 0:
            _, found = update(state, held)
            found = jax.tree.map(lambda x: x.mean(), found)
            print({f"held/{name}": value for name, value in found.items()})
    return state


def functional(params, train, held, key):
    @jax.jit
    def step(params, images, key):
        noise = jax.random.normal(key, images.shape)
        return params - 0.1 * jnp.mean(noise * images), jnp.mean(noise)

    for _ in range(3):
        key, subkey = jax.random.split(key)
        params, loss = step(params, train, subkey)
        unused, loss_there = step(params, held, subkey)
        print(loss, loss_there)
    return params


main(jnp.ones(3), jnp.zeros(3), 6)
functional(jnp.ones(()), jnp.ones(3), jnp.zeros(3), jax.random.key(1))

# %% ... that decides what goes on, is kept, or goes on from there, too
import jax
import jax.numpy as jnp


@jax.jit
def step(params, images, key):
    noise = jax.random.normal(key, images.shape)
    return params - 0.1 * jnp.mean(noise * images), jnp.mean(noise)


def decided(params, train, held, key):
    best = jnp.inf
    params, loss = step(params, train, key)
    _, loss_there = step(params, held, key)  #! JAX301
    if loss_there < best:
        best = loss_there
    return params, best


def kept(params, train, held, key):
    params, loss = step(params, train, key)
    _, loss_there = step(params, held, key)  #! JAX301
    print(loss_there)
    return params, loss_there


def both(params, train, held, key):
    params, loss = step(params, train, key)
    others, loss_there = step(params, held, key)  #! JAX301
    print(loss_there)
    return params + others


decided(jnp.ones(()), jnp.ones(3), jnp.zeros(3), jax.random.key(0))
kept(jnp.ones(()), jnp.ones(3), jnp.zeros(3), jax.random.key(0))
both(jnp.ones(()), jnp.ones(3), jnp.zeros(3), jax.random.key(0))

# %% norun two draws that a function returns, each of which is only plotted where it is called
import haiku as hk
import jax
from matplotlib import pyplot as plt


@hk.transform
def sampled(model, count):
    key = hk.next_rng_key()
    return (
        model.sample_and_log_prob(seed=key, sample_shape=count),
        model.base.sample_and_log_prob(seed=key, sample_shape=count),
    )


def drawn(key):
    start = jax.random.normal(key, (3,))
    end = jax.random.uniform(key, (3,))
    return start, end


(model_x, model_p), (base_x, base_p) = sampled.apply({}, jax.random.key(42), model, 64)
plt.scatter(base_x, base_p)
plt.scatter(model_x, model_p)
one, other = drawn(jax.random.key(0))
plt.hist(one)
plt.hist(other)
plt.show()

# %% norun ... or both in one plot, or more is made of one of them
import jax
from matplotlib import pyplot as plt


def drawn(key):
    return jax.random.normal(key, (3,)), jax.random.uniform(key, (3,))  #! JAX301


def drawn_too(key):
    return jax.random.normal(key, (3,)), jax.random.uniform(key, (3,))  #! JAX301


def drawn_again(key):
    return jax.random.normal(key, (3,)), jax.random.uniform(key, (3,))  #! JAX301


one, other = drawn(jax.random.key(0))
plt.scatter(one, other)
three, four = drawn_too(jax.random.key(0))
plt.hist(three)
plt.hist(four)
print(three + four)
five, six = drawn_again(jax.random.key(0))
plt.hist(five)
plt.hist(six)
pair = drawn_again(jax.random.key(1))
plt.show()

# %% a dry run in a constructor: nothing takes what comes of it
import jax
import jax.numpy as jnp


class Walk:
    def reset(self, key):
        return jax.random.normal(key, (2,)), jnp.zeros(2)

    def step(self, key, state, action):
        return state + action + jax.random.normal(key, (2,))


def act(params, x, key):
    return params * x + jax.random.uniform(key, (2,))


class Problem:
    def __init__(self):
        self.env = Walk()
        key = jax.random.key(0)
        x, state = self.env.reset(key)
        params = jax.random.uniform(key, ())
        action = act(params, x, key)
        self.env.step(key, state, action)


class Kept:
    def __init__(self):
        self.env = Walk()
        key = jax.random.key(0)
        x, state = self.env.reset(key)
        self.params = jax.random.uniform(key, ())  #! JAX301
        action = act(self.params, x, key)  #! JAX301
        self.env.step(key, state, action)  #! JAX301


class Filled:
    def __init__(self, held):
        key = jax.random.key(0)
        x, state = Walk().reset(key)
        action = act(1.0, x, key)  #! JAX301
        held.append(action)


def run(env, key):
    x, state = env.reset(key)
    action = act(1.0, x, key)  #! JAX301
    return env.step(key, state, action)  #! JAX301


Problem(), Kept(), Filled([])
run(Walk(), jax.random.key(0))

# %% children of equal splits: a loop counts those that are split again, and a function of its own draws from the others
import jax
import jax.numpy as jnp


def add_noise(grads, scale, key):
    keys = jax.random.split(key, len(jax.tree.leaves(grads)))
    keys = jax.tree.unflatten(jax.tree.structure(grads), keys)

    def noisy(x, k):
        return x + scale * jax.random.normal(k, shape=x.shape)

    return jax.tree.map(noisy, grads, keys)


def noise_of(key):
    one, two = jax.random.split(key)
    return jax.random.normal(one, (3,)) + jax.random.uniform(two, (3,))


@jax.jit
def summed(params, key):
    keys = jax.random.split(key, 4)
    total = jax.lax.fori_loop(0, 4, lambda i, total: total + noise_of(keys[i]), jnp.zeros(3))
    return add_noise([total, params], 0.1, key)  #! JAX308


@jax.jit
def drawn(params, key):
    keys = jax.random.split(key, 4)
    total = jax.lax.fori_loop(0, 4, lambda i, total: total + jax.random.normal(keys[i], (3,)), jnp.zeros(3))
    return add_noise([total, params], 0.1, key)  #! JAX301


summed(jnp.ones(3), jax.random.key(0))
drawn(jnp.ones(3), jax.random.key(0))

# %% what a function gives back of a child that its caller drops is no key that two splits share
import jax


def step(params, key):
    key, noise = jax.random.split(key)
    return params + jax.random.normal(noise), key


def update(params, key):
    params, _ = step(params, key)
    key, _ = jax.random.split(key)  #! JAX308
    return params, key


update(1.0, jax.random.key(0))

# %% but where the caller draws from it, it is
import jax


def step(params, key):
    key, noise = jax.random.split(key)
    return params + jax.random.normal(noise), key


def update(params, key):
    params, used = step(params, key)
    key, _ = jax.random.split(key)  #! JAX301
    return params + jax.random.normal(used), key


update(1.0, jax.random.key(0))

# %% a field of a copy that takes another key before it is read
from typing import NamedTuple

import jax


class State(NamedTuple):
    params: jax.Array
    rng: jax.Array


def step(state):
    key, noise = jax.random.split(state.rng)
    return state._replace(params=state.params + jax.random.normal(noise), rng=key)


def update(state):
    new = step(state)
    rng, _ = jax.random.split(state.rng)  #! JAX308
    return new._replace(rng=rng)


update(State(1.0, jax.random.key(0)))

# %% but not where the field is read
from typing import NamedTuple

import jax


class State(NamedTuple):
    params: jax.Array
    rng: jax.Array


def step(state):
    key, noise = jax.random.split(state.rng)
    return state._replace(params=state.params + jax.random.normal(noise), rng=key)


def update(state):
    new = step(state)
    rng, _ = jax.random.split(state.rng)  #! JAX301
    return new._replace(params=new.params + jax.random.normal(rng)), new.rng


update(State(1.0, jax.random.key(0)))

# %% the same of a dataclass that its class makes, and dataclasses.replace
import dataclasses

import jax


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class State:
    params: jax.Array
    rng: jax.Array


def step(state):
    key, noise = jax.random.split(state.rng)
    return State(params=state.params + jax.random.normal(noise), rng=key)


def update(state):
    new = step(state)
    rng, _ = jax.random.split(state.rng)  #! JAX308
    return dataclasses.replace(new, rng=rng)


update(State(1.0, jax.random.key(0)))

# %% and where the arguments of the class are given by position
import dataclasses

import jax


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class State:
    params: jax.Array
    rng: jax.Array


def step(state):
    key, noise = jax.random.split(state.rng)
    return State(state.params + jax.random.normal(noise), key)


def update(state):
    params = step(state).params
    rng, _ = jax.random.split(state.rng)  #! JAX308
    return State(params, rng)


update(State(1.0, jax.random.key(0)))

# %% and of a dict
import jax


def step(state):
    key, noise = jax.random.split(state["rng"])
    return {**state, "params": state["params"] + jax.random.normal(noise), "rng": key}


def update(state):
    new = step(state)
    rng, _ = jax.random.split(state["rng"])  #! JAX308
    return {**new, "rng": rng}


update({"params": 1.0, "rng": jax.random.key(0)})

# %% and of a dict of which another item is taken
import jax


def step(state):
    key, noise = jax.random.split(state["rng"])
    return dict(params=state["params"] + jax.random.normal(noise), rng=key)


def update(state):
    new = step(state)
    rng, _ = jax.random.split(state["rng"])  #! JAX308
    return {"params": new["params"], "rng": rng}


update({"params": 1.0, "rng": jax.random.key(0)})

# %% and where another function puts the other key there
from typing import NamedTuple

import jax


class State(NamedTuple):
    params: jax.Array
    rng: jax.Array


def step(state):
    key, noise = jax.random.split(state.rng)
    return state._replace(params=state.params + jax.random.normal(noise), rng=key)


def with_key(state, rng):
    return state._replace(rng=rng)


def update(state):
    new = step(state)
    rng, _ = jax.random.split(state.rng)  #! JAX308
    return with_key(new, rng)


update(State(1.0, jax.random.key(0)))

# %% and where the attribute is set again
import dataclasses

import jax


@dataclasses.dataclass
class State:
    params: jax.Array
    rng: jax.Array


def step(state):
    key, noise = jax.random.split(state.rng)
    return State(state.params + jax.random.normal(noise), key)


def update(state):
    new = step(state)
    rng, _ = jax.random.split(state.rng)  #! JAX308
    new.rng = rng
    return new


update(State(1.0, jax.random.key(0)))

# %% and in one function
from typing import NamedTuple

import jax


class State(NamedTuple):
    params: jax.Array
    rng: jax.Array


def update(state):
    key, noise = jax.random.split(state.rng)
    new = state._replace(params=state.params + jax.random.normal(noise), rng=key)
    rng, _ = jax.random.split(state.rng)  #! JAX308
    return new._replace(rng=rng)


update(State(1.0, jax.random.key(0)))

# %% and through functions that hand the record on
import functools

import jax


def inner(scale, params, key):
    key, noise = jax.random.split(key)
    return {"params": params + scale * jax.random.normal(noise), "rng": key}


def middle(params, key):
    step = functools.partial(inner, 2.0)
    return {"state": step(params, key), "other": 1}


def update(params, key):
    out = middle(params, key)
    key, _ = jax.random.split(key)  #! JAX308
    return out["state"]["params"], key


update(1.0, jax.random.key(0))

# %% but not where the record is given back with the key in it
import functools

import jax


def inner(scale, params, key):
    key, noise = jax.random.split(key)
    return {"params": params + scale * jax.random.normal(noise), "rng": key}


def middle(params, key):
    step = functools.partial(inner, 2.0)
    return {"state": step(params, key), "other": 1}


def update(params, key):
    out = middle(params, key)
    key, _ = jax.random.split(key)  #! JAX301
    return out["state"]["params"], out, key


update(1.0, jax.random.key(0))

# %% a method of the record reads the key
import jax
from typing import NamedTuple


class State(NamedTuple):
    params: jax.Array
    rng: jax.Array

    def noise(self):
        return jax.random.normal(self.rng)


def step(state):
    key, noise = jax.random.split(state.rng)
    return state._replace(params=state.params + jax.random.normal(noise), rng=key)


def update(state):
    new = step(state)
    rng, _ = jax.random.split(state.rng)  #! JAX301
    return new.params + new.noise(), jax.random.normal(rng)


update(State(1.0, jax.random.key(0)))

# %% a property of the record reads the key
import jax
from typing import NamedTuple


class State(NamedTuple):
    params: jax.Array
    rng: jax.Array

    @property
    def noise(self):
        return jax.random.normal(self.rng)


def step(state):
    key, noise = jax.random.split(state.rng)
    return state._replace(params=state.params + jax.random.normal(noise), rng=key)


def update(state):
    new = step(state)
    rng, _ = jax.random.split(state.rng)  #! JAX301
    return new.params + new.noise, jax.random.normal(rng)


update(State(1.0, jax.random.key(0)))

# %% a function that is given the record reads the key
import jax
from typing import NamedTuple


class State(NamedTuple):
    params: jax.Array
    rng: jax.Array


def step(state):
    key, noise = jax.random.split(state.rng)
    return state._replace(params=state.params + jax.random.normal(noise), rng=key)


def sample(state):
    return jax.random.normal(state.rng)


def update(state):
    new = step(state)
    rng, _ = jax.random.split(state.rng)  #! JAX301
    return new._replace(params=sample(new), rng=rng)


update(State(1.0, jax.random.key(0)))

# %% a loop gives the key to its next turn
import jax
from typing import NamedTuple


class State(NamedTuple):
    params: jax.Array
    rng: jax.Array


def step(state, _):
    key, noise = jax.random.split(state.rng)
    return state._replace(params=state.params + jax.random.normal(noise), rng=key), None


def update(state):
    new, _ = jax.lax.scan(step, state, None, 3)
    rng, noise = jax.random.split(state.rng)  #! JAX301
    return new._replace(rng=rng, params=new.params + jax.random.normal(noise))


update(State(1.0, jax.random.key(0)))

# %% the same in a loop of a script
import jax


def step(state):
    key, noise = jax.random.split(state["rng"])
    return dict(state, params=state["params"] + jax.random.normal(noise), rng=key)


state = {"params": 1.0, "rng": jax.random.key(0)}
for _ in range(2):
    new = step(state)
    rng, _ = jax.random.split(state["rng"])  #! JAX308
    state = dict(new, rng=rng)

# %% norun: flax: a record whose compiled method gives a copy with the next key, which the caller replaces
import jax
from flax import struct


class State(struct.PyTreeNode):
    params: jax.Array
    rng: jax.Array

    @jax.jit
    def step(self):
        key, noise = jax.random.split(self.rng)
        return self.replace(params=self.params + jax.random.normal(noise), rng=key), {"loss": 1.0}


@jax.jit
def update(state):
    new, info = state.step()
    rng, _ = jax.random.split(state.rng)  #! JAX308
    return new.replace(rng=rng), info


state = State(1.0, jax.random.key(0))
for _ in range(3):
    state, info = update(state)

# %% norun: equinox: tree_at puts another key there
import equinox as eqx
import jax


class State(eqx.Module):
    params: jax.Array
    rng: jax.Array


def step(state):
    key, noise = jax.random.split(state.rng)
    return State(state.params + jax.random.normal(noise), key)


def update(state):
    new = step(state)
    rng, _ = jax.random.split(state.rng)  #! JAX308
    return eqx.tree_at(lambda s: s.rng, new, rng)


update(State(1.0, jax.random.key(0)))

# %% norun: flax: a train state whose losses draw from the other children of a split
import jax
from flax import struct


class State(struct.PyTreeNode):
    params: jax.Array
    rng: jax.Array

    def apply_loss_fns(self, loss_fns):
        treedef = jax.tree_util.tree_structure(loss_fns)
        new_rng, *rngs = jax.random.split(self.rng, treedef.num_leaves + 1)
        rngs = jax.tree_util.tree_unflatten(treedef, rngs)
        grads = jax.tree_util.tree_map(lambda f, r: jax.grad(f)(self.params, r), loss_fns, rngs)
        return self.replace(rng=new_rng, params=self.params - grads["actor"])


class Agent(struct.PyTreeNode):
    state: State

    @jax.jit
    def update(self):
        new_state = self.state.apply_loss_fns({"actor": lambda p, r: p * jax.random.normal(r)})
        rng, _ = jax.random.split(self.state.rng)  #! JAX308
        return self.replace(state=new_state.replace(rng=rng))


agent = Agent(State(jax.numpy.ones(()), jax.random.key(0)))
for _ in range(3):
    agent = agent.update()

# %% only that part of a tuple is read that rests on no draw, where the draw stands in a function that is called there
import jax
import jax.numpy as jnp


def decode(x, key):
    mean, q = jnp.tanh(x), x.sum()
    return mean + jax.random.normal(key, mean.shape), q


def act(x, key):
    action, q = decode(x, key)
    return action, q


def handed_on(x, key):
    return decode(x, key)


def scaled(x, key):
    action, q = decode(x, key)
    q = q * 2.0
    return {"mean": x}, action, q


def loss(x, y, key):
    action, q = act(x, key)
    _, target_q = act(y, key)
    return (q * target_q) + jnp.square(action).mean()


def loss_handed_on(x, y, key):
    action, q = handed_on(x, key)
    target_q = handed_on(y, key)[1]
    return (q * target_q) + jnp.square(action).mean()


def loss_scaled(x, y, key):
    _, action, q = scaled(x, key)
    _, _, target_q = scaled(y, key)
    return (q * target_q) + jnp.square(action).mean()


for each, key in zip((loss, loss_handed_on, loss_scaled), jax.random.split(jax.random.key(0), 3)):
    print(each(jnp.ones(3), jnp.zeros(3), key))

# %% ... but where the part that is read rests on the draw, or the function keeps it, it is drawn again
import jax
import jax.numpy as jnp

kept = []


def decode(x, key):
    mean, q = jnp.tanh(x), x.sum()
    return mean + jax.random.normal(key, mean.shape), q


def mixed(x, key):
    action, q = decode(x, key)
    return action, q + action.sum()


def swapped(x, key):
    action, q = decode(x, key)
    return q, action


def keeping(x, key):
    action, q = decode(x, key)
    kept.append(action)
    return action, q


def loss_mixed(x, y, key):
    action, q = mixed(x, key)
    _, target_q = mixed(y, key)  #! JAX301
    return (q * target_q) + jnp.square(action).mean()


def loss_swapped(x, y, key):
    q, action = swapped(x, key)
    _, other = swapped(y, key)  #! JAX301
    return (q * other) + jnp.square(action).mean()


def loss_keeping(x, y, key):
    action, q = keeping(x, key)
    _, target_q = keeping(y, key)  #! JAX301
    return (q * target_q) + jnp.square(action).mean()


for each, key in zip((loss_mixed, loss_swapped, loss_keeping), jax.random.split(jax.random.key(0), 3)):
    print(each(jnp.ones(3), jnp.zeros(3), key))

# %% norun flax: the same through the call of a module by apply
import flax.linen as nn
import jax
import jax.numpy as jnp


def decode(decoder, obs, rng_key):
    mean, q = decoder(obs)
    return mean + jax.random.normal(rng_key, mean.shape), q


class Decoder(nn.Module):
    @nn.compact
    def __call__(self, obs):
        return nn.Dense(2)(obs), nn.Dense(1)(obs)


class Net(nn.Module):
    def setup(self):
        self.decoder = Decoder()

    def __call__(self, obs, rng_key=None):
        action, q = decode(self.decoder, obs, rng_key)
        return action, q


def loss(params, target, obs, key):
    action, q = Net().apply(params, obs, rng_key=key)
    _, target_q = Net().apply(target, obs, rng_key=key)
    return (q * target_q).mean() + jnp.square(action).mean()


obs = jnp.ones((4, 3))
params = Net().init(jax.random.key(0), obs, jax.random.key(1))
print(jax.grad(loss)(params, params, obs, jax.random.key(2)))

# %% two keys of one seed: the noise is a function of the inputs
import jax
import jax.numpy as jnp

x = jax.random.uniform(jax.random.key(0), (100, 1))
y = jnp.sin(x) + jax.random.normal(jax.random.key(0), (100, 1)) * 0.1  #! JAX301

# %% two keys of one seed: a constant of the module, by both names of the function, bound to variables
import jax
import jax.numpy as jnp

SEED = 42
data_key = jax.random.key(SEED)
x = jax.random.normal(data_key, (50,))
noise_key = jax.random.PRNGKey(seed=42)
noise = jax.random.laplace(noise_key, (50,))  #! JAX301
targets = jnp.add(2.0 * x, noise)

# %% two keys of one seed: a parameter, or the number that a loop counts
import jax


def make_data(seed, n):
    x = jax.random.normal(jax.random.PRNGKey(seed), (n,))
    noise = 0.1 * jax.random.normal(jax.random.PRNGKey(seed), (n,))  #! JAX301
    return x, 3.0 * x + noise


for i in range(3):
    loc = jax.random.normal(jax.random.key(i))
    scaled = loc + jax.random.uniform(jax.random.key(i))  #! JAX301

# %% two keys of one seed: children at one position of splits of them
import jax

k1, k2 = jax.random.split(jax.random.key(7))
x = jax.random.normal(k1, (20,))
other, _ = jax.random.split(jax.random.key(7))
y = x + jax.random.normal(other, (20,))  #! JAX301

# %% two keys of one seed: a model is trained with the one array and asked about the other
import jax
import jax.numpy as jnp


class Model:
    def fit(self, inputs, targets):
        self.w = jnp.linalg.lstsq(inputs, targets)[0]

    def predict(self, inputs):
        return jnp.matmul(inputs, self.w)


inputs = jax.random.normal(jax.random.PRNGKey(0), (100, 2))
model = Model()
model.fit(inputs, inputs[:, 0])
test_inputs = jax.random.normal(jax.random.PRNGKey(0), (100, 2))  #! JAX301
predicted = model.predict(test_inputs)

# %% two keys of one seed: what a traced function computes of both
import jax


@jax.jit
def jitter(x, seed):
    scale = jax.random.uniform(jax.random.key(seed))
    return x * scale + jax.random.normal(jax.random.key(seed), x.shape)  #! JAX301


jitter(jax.numpy.ones(3), 0)

# %% other seeds, other implementations and other positions
import jax

x = jax.random.normal(jax.random.key(0), (5,))
y = x + jax.random.normal(jax.random.key(1), (5,))
z = x + jax.random.normal(jax.random.key(0, impl="rbg"), (5,))
k1, k2 = jax.random.split(jax.random.key(2))
first = jax.random.normal(k1, (5,))
_, k3 = jax.random.split(jax.random.key(2))
second = first + jax.random.normal(k3, (5,))
for i in range(2):
    total = jax.random.normal(jax.random.key(i)) + jax.random.normal(jax.random.key(i + 10))

# %% a seed that is counted on
import jax


class Seeds:
    def __init__(self, seed):
        self.seed = seed

    def key(self):
        self.seed += 1
        return jax.random.key(self.seed)


def draw(seed, seeds):
    x = jax.random.normal(jax.random.key(seed), (5,))
    seed += 1
    y = x + jax.random.normal(jax.random.key(seed), (5,))
    return y + jax.random.normal(seeds.key(), (5,)) * jax.random.normal(seeds.key(), (5,))


draw(0, Seeds(5))

# %% two keys of one seed: equal draws that are asked to be equal, or shown
import jax
import jax.numpy as jnp

a = jax.random.normal(jax.random.key(0), (5,))
b = jax.random.normal(jax.random.key(0), (5,))
print(jnp.allclose(a, b))
c = jax.random.normal(jax.random.key(3), (5,))
d = jax.random.normal(jax.random.key(3), (5,))
print(c, d)
assert (c == d).all()
e = jax.random.uniform(jax.random.key(4), (5,))
print(e.mean())
f = jax.random.normal(jax.random.key(4), (5,))
print(f.mean())

# %% two keys of one seed: networks that start alike, and their inputs
import jax
import jax.numpy as jnp


def init(key, n):
    return jax.random.normal(key, (n, n))


def apply(w, x):
    return jnp.tanh(jnp.matmul(x, w))


x = jax.random.normal(jax.random.PRNGKey(0), (4, 8))
small, large = init(jax.random.PRNGKey(0), 8), init(jax.random.PRNGKey(0), 8)
print(apply(small, x) - apply(large, x))
first, again = init(jax.random.PRNGKey(1), 8), init(jax.random.PRNGKey(1), 8)

# %% two keys of one seed: inputs of one shape to try a function with, and draws that share no bits
import jax
import jax.numpy as jnp


def attention(q, k, v):
    return jnp.matmul(jax.nn.softmax(jnp.matmul(q, k.T)), v)


q = jax.random.normal(jax.random.key(0), (4, 8))
k = jax.random.normal(jax.random.key(0), (4, 8))
v = jax.random.normal(jax.random.key(0), (4, 8))
attention(q, k, v)
rows = jax.random.normal(jax.random.key(5), (10,))
picked = rows[jax.random.permutation(jax.random.key(5), 10)]
split = rows * jax.random.randint(jax.random.key(5), (10,), 0, 5)

# %% two keys of one seed: weights beside each other in an object, which a file replaces
import jax


class Layer:
    def __init__(self, n):
        self.n = n
        self.w = abs(jax.random.normal(jax.random.key(0), (self.n, self.n)))
        self.b = abs(jax.random.normal(jax.random.key(0), (self.n,)))


layer = Layer(3)

# %% two keys of one seed: in branches of which one is taken, or one takes the place of the other
import jax


def noise(kind, n, seed):
    if kind == "normal":
        drawn = jax.random.normal(jax.random.key(seed), (n,))
    else:
        drawn = jax.random.uniform(jax.random.key(seed), (n,))
    return drawn + 1.0


noise("normal", 3, 0)
x = jax.random.normal(jax.random.key(1), (3,))
y = 2 * x
x = jax.random.uniform(jax.random.key(1), (3,))
y = 2 * x

# %% norun distributions of tensorflow_probability on JAX take nothing but keys, also from who calls
import jax
import tensorflow_probability.substrates.jax as tfp
from tensorflow_probability.substrates.jax import distributions as tfd

prior = tfp.distributions.Normal(0.0, 1.0)


def series(seed, low, high, scale, n=5):
    rate = tfd.Uniform(low, high).sample(seed=seed, sample_shape=(n,))
    noise = tfd.Uniform(0.0, scale).sample(seed=seed, sample_shape=(n,))  #! JAX301
    return rate + noise


def by_name(key, scale):
    normal = tfd.Independent(tfd.Normal(0.0, scale), 1)
    x = normal.sample(5, seed=key)
    y, log_prob = prior.experimental_sample_and_log_prob(seed=key)  #! JAX301
    return x + y, log_prob


def and_jax(rng, shape):
    x = jax.random.normal(rng, shape)
    return x + prior.sample(shape, seed=rng)  #! JAX301


def split(seed, shape):
    first, second = jax.random.split(seed)
    return prior.sample(shape, seed=first) + prior.sample(shape, seed=second)


def either(seed, is_wide):
    if is_wide:
        return tfd.Uniform(-5.0, 5.0).sample(seed=seed)
    return prior.sample(seed=seed)

# %% norun a seed that is handed to what may be another library takes numbers as well
import tensorflow_probability as tf_tfp


def draw(seed, policy, table):
    normal = tf_tfp.distributions.Normal(0.0, 1.0)
    x = normal.sample(seed=seed) + normal.sample(seed=seed)
    action = policy.sample(seed=seed)
    return x, action, table.sample(seed=seed)

# %% a stream of keys in an attribute that the method which splits the key again replaces before it draws
import jax


class Env:
    def __init__(self, key):
        self.key = key
        self.seq = iter(jax.random.split(key, 4))

    def reset(self):
        self.key, sub = jax.random.split(self.key)
        self.seq = iter(jax.random.split(sub, 4))
        return jax.random.uniform(next(self.seq))

    def step(self):
        return jax.random.normal(next(self.seq))


class Replaced:
    def __init__(self, key):
        self.key = key
        _, self.sub = jax.random.split(key)

    def reset(self):
        self.key, self.sub = jax.random.split(self.key)
        return jax.random.uniform(self.sub)


class Listed:
    def __init__(self, key):
        self.key = key
        self.keys = list(jax.random.split(key, 4))

    def reset(self):
        self.key, sub = jax.random.split(self.key)
        self.keys = list(jax.random.split(sub, 4))
        return jax.random.uniform(self.keys[0]) + jax.random.uniform(self.keys[1])


def episodes(key, n):
    env = Env(key)
    total = 0.0
    for _ in range(n):
        total += env.reset()  #! JAX308
        for _ in range(2):
            total += env.step()
    return total


def run(env):
    return env.reset() - env.reset()


env = Env(jax.random.key(0))
a, b = env.reset(), env.reset()
assert a != b
print(a + b + env.step(), episodes(jax.random.key(3), 3))
print(run(Replaced(jax.random.key(1))), run(Listed(jax.random.key(2))))  #! JAX308

# %% ... but what draws from it first draws the same numbers
import jax


class Sampler:
    def __init__(self, key):
        self.key = key
        self.seq = iter(jax.random.split(key, 4))

    def sample(self):
        return jax.random.normal(next(self.seq))

    def refill(self):
        self.key, sub = jax.random.split(self.key)
        self.seq = iter(jax.random.split(sub, 4))
        return jax.random.uniform(next(self.seq))


class Seen:
    def __init__(self, key):
        self.key = key
        self.seen = list(jax.random.split(key, 4))

    def reset(self):
        self.key, sub = jax.random.split(self.key)
        self.seen = list(jax.random.split(sub, 4))
        return jax.random.uniform(self.seen[0]) + jax.random.normal(self.seen[1])


class Late:
    def __init__(self, key):
        self.key = key
        self.seq = iter(jax.random.split(key, 4))

    def reset(self):
        self.key, sub = jax.random.split(self.key)
        z = jax.random.uniform(next(self.seq))
        self.seq = iter(jax.random.split(sub, 4))
        return z + jax.random.normal(next(self.seq))


s = Sampler(jax.random.key(0))
print(s.sample(), s.sample(), s.refill())  #! JAX301
t = Seen(jax.random.key(0))
print(jax.random.normal(t.seen[1]), t.reset())  #! JAX301
u = Late(jax.random.key(0))
print(u.reset())  #! JAX301

# %% equal splits in two functions: what one gives is drawn for under a test, and plain otherwise
import jax


def add_noise(grads, key):
    keys = jax.random.split(key, len(grads))
    return [g + jax.random.normal(k) for g, k in zip(grads, keys)]


def loss(w, key):
    k1, k2 = jax.random.split(key)
    noise = jax.random.normal(k1), jax.random.normal(k2)
    return sum(w) * noise[0] + noise[1], noise


def private_gradient(w, key, is_private):
    grads, noise = jax.grad(loss, has_aux=True)(w, key)
    if is_private:
        noised = add_noise(grads, key)  #! JAX301
    else:
        noised = grads
    return noised, grads, noise


def one_of_three(w, key, mode):
    value, noise = loss(w, key)
    if mode == "none":
        noised = w
    elif mode == "private":
        noised = add_noise(w, key)  #! JAX301
    elif mode == "half":
        noised = [each / 2 for each in w]
    else:
        noised = None
    return noised, value, noise


class Trainer:
    def update(self, w, key, is_private):
        value, noise = loss(w, key)
        if is_private:
            self.noised = add_noise(w, key)  #! JAX301
        else:
            self.noised = w
        return value, self.noised, noise

# %% equal splits in two functions: what one gives is read in the other arm alone, or not at all
import jax


def add_noise(grads, key):
    keys = jax.random.split(key, len(grads))
    return [g + jax.random.normal(k) for g, k in zip(grads, keys)]


def loss(w, key):
    k1, k2 = jax.random.split(key)
    noise = jax.random.normal(k1), jax.random.normal(k2)
    return sum(w) * noise[0] + noise[1], noise


def update(w, key, is_private):
    value, noise = loss(w, key)
    if is_private:
        noised = add_noise(w, key)  #! JAX308
    else:
        noised = w
        print(noised)
    noised = [value]
    return noised, noise


def either(w, key, is_private):
    if is_private:
        out = add_noise(w, key)
    else:
        out, noise = loss(w, key)
    return out

# %% two keys of one seed: two functions are compared on equal inputs, also of another type
import jax
import jax.numpy as jnp


def exact(x):
    return jnp.tanh(x)


def approximate(x):
    return x - x**3 / 3


inputs = jax.random.normal(jax.random.key(0), (8,))
expected = exact(inputs)
again = jax.random.normal(jax.random.key(0), (8,))
got = approximate(again)
print(jnp.abs(expected - got).max(), jnp.linalg.norm(expected - got), jnp.max(got / expected))
key, other_key = jax.random.PRNGKey(1), jax.random.PRNGKey(1)
half = exact(jax.random.normal(key, (8,), jnp.float16))
error = half - exact(jax.random.normal(other_key, (8,)))
print(jnp.mean(error**2))

# %% two keys of one seed: an object that is told of one draw and of the other, which is not asked
import jax


class Log:
    def __init__(self):
        self.rows = []

    def put(self, row):
        self.rows.append(row)

    def last(self, default):
        return self.rows[-1] if self.rows else default


def record(log, seed):
    log.put(jax.random.normal(jax.random.key(seed), (3,)))
    return log.last(jax.random.normal(jax.random.key(seed), (3,)))


log = Log()
log.put(jax.random.normal(jax.random.key(0), (3,)))
log.put(jax.random.normal(jax.random.key(0), (3,)))

# %% a function that is given more arguments than it has parameters draws from what its caller knows nothing of
import re

import jax
import jax.numpy as jnp


def tree_map(f, tree, *rest):
    parts = [each.values() for each in rest]
    return {name: f(name, leaf, *others) for name, leaf, *others in zip(tree.keys(), tree.values(), *parts)}


def update(patterns, fn, tree, *rest):
    def updated(name, leaf, *others):
        for pattern in patterns:
            if re.fullmatch(pattern, name):
                return fn(leaf, *others)
        return leaf

    return tree_map(updated, tree, *rest)


def noisy(key, tree, *rest):
    return update(["a"], lambda leaf, key: jax.random.normal(key, leaf.shape), tree, *rest)

# %% keys of an equal split go to losses by a map of their tree, and none draws from the equal child
import jax


def critic(params, key):
    return (params**2).sum()


def update(key, params):
    new_key, dropout_key = jax.random.split(key)

    def actor(params, key):
        return (params * jax.random.normal(dropout_key, params.shape)).sum()

    losses = {"a": critic, "b": actor}
    structure = jax.tree.structure(losses)
    _, *keys = jax.random.split(key, structure.num_leaves + 1)  #! JAX308
    keys = jax.tree.unflatten(structure, keys)
    return jax.tree.map(lambda f, key: jax.grad(f)(params, key), losses, keys), new_key


update(jax.random.key(0), jax.numpy.ones(3))

# %% the equal child goes to the loss that draws, which is not the one of the other split
import jax


def critic(params, key):
    return (params * jax.random.normal(key, params.shape)).sum()


def update(key, params):
    new_key, dropout_key = jax.random.split(key)

    def actor(params, key):
        return (params * jax.random.normal(dropout_key, params.shape)).sum()

    losses = {"a": critic, "b": actor}
    structure = jax.tree.structure(losses)
    _, *keys = jax.random.split(key, structure.num_leaves + 1)  #! JAX301
    keys = jax.tree.unflatten(structure, keys)
    return jax.tree.map(lambda f, key: jax.grad(f)(params, key), losses, keys), new_key


update(jax.random.key(0), jax.numpy.ones(3))

# %% functions and keys of an equal split side by side: a loop, a list, a dict of them
import jax


def plain(x, key):
    return x


def noisy(x, key):
    return x + jax.random.normal(key, x.shape)


def looped(key, x):
    _, mine = jax.random.split(key)
    _, *keys = jax.random.split(key, 3)  #! JAX308
    for f, one in zip([plain, noisy], keys):
        x = f(x, one)
    return x + jax.random.normal(mine, x.shape)


def listed(key, x):
    _, mine = jax.random.split(key)
    _, *keys = jax.random.split(key, 3)  #! JAX308
    made = [f(x, keys[at]) for at, f in enumerate((plain, noisy))]
    return made, jax.random.normal(mine, x.shape)


def named(key, x):
    _, mine = jax.random.split(key)
    _, *keys = jax.random.split(key, 3)  #! JAX308
    functions = {"a": plain, "b": noisy}
    made = {name: f(x, one) for (name, f), one in zip(functions.items(), keys)}
    return made, jax.random.normal(mine, x.shape)


def counted(key, x):
    _, mine = jax.random.split(key)
    _, *keys = jax.random.split(key, 3)  #! JAX308
    for at, one in enumerate(keys):
        x = (plain, noisy)[at](x, one)
    return x + jax.random.normal(mine, x.shape)


looped(jax.random.key(0), jax.numpy.ones(3))
listed(jax.random.key(0), jax.numpy.ones(3))
named(jax.random.key(0), jax.numpy.ones(3))
counted(jax.random.key(0), jax.numpy.ones(3))

# %% the same where the first function draws from the child that is drawn from as well
import jax


def plain(x, key):
    return x


def noisy(x, key):
    return x + jax.random.normal(key, x.shape)


def looped(key, x):
    _, mine = jax.random.split(key)
    _, *keys = jax.random.split(key, 3)  #! JAX301
    for f, one in zip([noisy, plain], keys):
        x = f(x, one)
    return x + jax.random.normal(mine, x.shape)


def named(key, x):
    _, mine = jax.random.split(key)
    _, *keys = jax.random.split(key, 3)  #! JAX301
    functions = {"a": noisy, "b": plain}
    made = {name: f(x, one) for (name, f), one in zip(functions.items(), keys)}
    return made, jax.random.normal(mine, x.shape)


looped(jax.random.key(0), jax.numpy.ones(3))
named(jax.random.key(0), jax.numpy.ones(3))

# %% norun a list of functions with one of which nothing is known, and each of them gets each key
import jax
from losses import critic


def plain(x, key):
    return x


def crossed(key, x):
    _, mine = jax.random.split(key)
    _, *keys = jax.random.split(key, 3)  #! JAX301
    made = [f(x, one) for f in (plain, critic) for one in keys]
    return made, jax.random.normal(mine, x.shape)


def unknown(key, x):
    _, mine = jax.random.split(key)
    _, *keys = jax.random.split(key, 3)  #! JAX301
    made = [f(x, one) for f, one in zip((critic, plain), keys)]
    return made, jax.random.normal(mine, x.shape)


def printed(key, x):
    _, mine = jax.random.split(key)
    _, *keys = jax.random.split(key, 3)  #! JAX301
    for f, one in zip((plain, plain), keys):
        f(x, one)
        x = x + critic(one)
    return x + jax.random.normal(mine, x.shape)

# %% norun the children of the first split are used in branches in which the key is not split again
import jax.random as jr
from nets import embed


class Net:
    def __init__(self, n, key):
        first_key, *block_keys, last_key = jr.split(key, n + 2)
        self.first = jr.normal(first_key, (3,))
        self.blocks = [jr.normal(k, (3,)) for k in block_keys]
        self.last = jr.normal(last_key, (3,))


def chain(name, n=None, *, key):
    a, b = jr.split(key, 2)
    if name == "net":
        if n is None:
            raise ValueError("n")
        net = Net(n, key=key)  #! JAX308
        return net, None
    elif name == "rnn_linear":
        cell = jr.normal(a, (3,))
    elif name == "rnn_gru":
        cell = jr.uniform(a, (3,))
    else:
        raise ValueError(name)
    return cell, jr.normal(b, (3,))


def two(name, n, key):
    a, b = jr.split(key)
    if name == "net":
        made = Net(n, key)  #! JAX308
    if name == "rnn":
        made = jr.normal(a, (3,)) + jr.normal(b, (3,))
    return made


def handed(name, n, key):
    a, b = jr.split(key)
    if name == "net":
        return Net(n, key)
    return embed(a), embed(b)


def within(name, n, key):
    a, b = jr.split(key)
    if name in ("rnn", "gru"):
        made = embed(a), embed(b)
    elif name.startswith("net"):
        made = Net(n, key)  #! JAX308
    return made


def matched(name, n, key):
    a, b = jr.split(key)
    match name:
        case "net":
            made = Net(n, key)  #! JAX308
        case _:
            made = embed(a), jr.normal(b)
    return made


def turns(names, n, keys):
    made = []
    for name, key in zip(names, keys):
        a, b = jr.split(key)
        if name == "net":
            made.append(Net(n, key))  #! JAX308
        else:
            made.append(embed(b))
    return made

# %% norun the same where no test, or another turn or call, keeps the two apart
import jax.random as jr
from nets import embed


class Net:
    def __init__(self, n, key):
        first_key, *block_keys, last_key = jr.split(key, n + 2)
        self.first = jr.normal(first_key, (3,))
        self.blocks = [jr.normal(k, (3,)) for k in block_keys]
        self.last = jr.normal(last_key, (3,))


def both(name, n, key):
    a, b = jr.split(key)
    if name == "net":
        made = Net(n, key)  #! JAX301
    return made, embed(b)


def nested(name, n, key):
    a, b = jr.split(key)
    if name.startswith("net"):
        made = Net(n, key)  #! JAX301
    if name == "network":
        made = made, embed(b)
    return made


def changed(name, n, key):
    a, b = jr.split(key)
    if name == "net":
        made = Net(n, key)  #! JAX301
        name = "rnn"
    if name == "rnn":
        made = made, jr.normal(b)
    return made


def turns(names, n, key):
    a, b = jr.split(key)
    made = []
    for name in names:
        if name == "net":
            made.append(Net(n, key))  #! JAX301
        else:
            made.append(embed(b))
    return made


def once(name, key):
    if name == "net":
        a, b = jr.split(key)
        return jr.normal(a), embed(b)
    a, b = jr.split(key)
    return embed(a), embed(b)


def calls(key):
    return once("net", key), once("rnn", key)  #! JAX301

# %% a function that is called with one name splits its key again in the branch of that name only
import jax


class Net:
    def __init__(self, key):
        first_key, last_key = jax.random.split(key)
        self.first = jax.random.normal(first_key, (3,))
        self.last = jax.random.normal(last_key, (3,))


def chain(name, key):
    a, b = jax.random.split(key)
    if name == "net":
        made = Net(key)  #! JAX308
        return made, None
    elif name in ("rnn", "lstm"):
        cell = jax.random.normal(a, (3,))
    else:
        raise ValueError(name)
    return cell, jax.random.normal(b, (3,))


def matched(name, key):
    a, b = jax.random.split(key)
    match name:
        case "net":
            made = Net(key)  #! JAX308
        case _:
            made = jax.random.normal(a, (3,)), jax.random.normal(b, (3,))
    return made


def drawn(name, key):
    a, b = jax.random.split(key)
    made = Net(key) if name.startswith("net") else None  #! JAX301
    return made, jax.random.normal(a, (3,)), jax.random.normal(b, (3,))


chain("net", jax.random.key(0))
matched("net", jax.random.key(0))
drawn("net", jax.random.key(0))

# %% a static method whose first parameter is the key
from functools import partial

import jax


class Noisy:
    @staticmethod
    def draw(key, shape):
        return jax.random.normal(key, shape)

    @staticmethod
    @partial(jax.jit, static_argnums=1)
    def compiled(key, shape):
        return jax.random.normal(key, shape)

    @classmethod
    def of_class(cls, key, shape):
        return jax.random.normal(key, shape)

    @staticmethod
    def following(key):
        key, other = jax.random.split(key)
        return key, jax.random.normal(other)

    @staticmethod
    def derived(key, number):
        return jax.random.normal(jax.random.fold_in(key, number))

    def both(self, key):
        return self.draw(key, (1,)) * self.draw(key, (2,))  #! JAX301

    def __call__(self, x, rng_key):
        p = Noisy.draw(rng_key, (x, 1))
        q = Noisy.draw(rng_key, (1, 8))  #! JAX301
        return p * q


class Below(Noisy):
    def named(self, key):
        return super().draw(key=key, shape=(1,)), Below.draw(key=key, shape=(2,))  #! JAX301


def compiled(key):
    return Noisy.compiled(key, (1,)), Noisy.compiled(key, (2,))  #! JAX301


def then_drawn(key):
    return Noisy.draw(key, (1,)), jax.random.normal(key, (2,))  #! JAX301


def in_turn(key):
    key, first = Noisy.following(key)
    key, second = Noisy.following(key)
    return first, second, Noisy.derived(key, 1), Noisy.derived(key, 2)


key = jax.random.key(0)
Noisy().both(key)

# %% children of splits that a mapped function makes are children of the keys that it is given
import jax


@jax.vmap
def both(rng):
    return tuple(jax.random.split(rng))


@jax.vmap
def draw(rng):
    return jax.random.normal(rng, (3,))


def train_step(rng):
    rng_sample, rng_opt = both(rng)
    walkers = draw(rng_sample)
    return walkers, [draw(k) for k in both(rng)], draw(rng_opt)  #! JAX301


def apart(rng):
    rng, rng_sample = both(rng)
    walkers = draw(rng_sample)
    rng, rng_opt = both(rng)
    return walkers, draw(rng_opt), rng


def lanes(rng):
    first, second = both(rng)
    return jax.random.normal(first[0]), jax.random.normal(first[1]), jax.random.normal(second[0])


apart(jax.random.split(jax.random.key(0), 3))
lanes(jax.random.split(jax.random.key(1), 3))
train_step(jax.random.split(jax.random.key(2), 3))

# %% one choice, or order, of numbers: written out, or sizes of two axes of one array, which pair no rows
import jax
import jax.numpy as jnp


def pick(rng, x):
    row = jax.random.choice(rng, x.shape[0])
    column = jax.random.choice(rng, x.shape[1])  #! JAX301
    return x[row, column]


def orders(rng, x):
    rows = jax.random.permutation(rng, x.shape[0])
    columns = jax.random.permutation(rng, x.shape[1])  #! JAX301
    return x[rows][:, columns]


def written(rng):
    return jax.random.choice(rng, 10), jax.random.choice(rng, a=30)  #! JAX301


def of_two(rng, x, y):
    x = x[jax.random.permutation(rng, x.shape[0])]
    return x, y[jax.random.permutation(rng, y.shape[0])]


def by_length(rng, x, y):
    return x[jax.random.choice(rng, len(x))], y[jax.random.choice(rng, len(y))]


def arrays(rng, x, y):
    return jax.random.choice(rng, x), jax.random.choice(rng, y)


def counted(rng, x):
    return jax.random.choice(rng, jnp.arange(3)), jax.random.choice(rng, x)


x = jnp.ones((30, 10))
pick(jax.random.key(1), x)
orders(jax.random.key(2), x)
written(jax.random.key(3))
of_two(jax.random.key(4), x, x)

# %% an attribute is replaced by an object of its class that it makes itself, in each call
import jax


class Spectrum:
    def __init__(self, scale=1.0):
        self.scale = scale

    def sample(self, key):
        return self.scale * jax.random.normal(key, (3,))

    def rescaled(self, factor):
        return Spectrum(self.scale * factor)


class Detector:
    def __init__(self):
        self.spectrum = Spectrum()

    def inject(self, key):
        self.noise = self.spectrum.sample(key)
        self.spectrum = self.spectrum.rescaled(0.5)


key = jax.random.key(0)
first, second = Detector(), Detector()
first.inject(key)
second.inject(key)  #! JAX301
print(first.noise, second.noise)

# %% the same with a key for each
import jax


class Spectrum:
    def __init__(self, scale=1.0):
        self.scale = scale

    def sample(self, key):
        return self.scale * jax.random.normal(key, (3,))

    def rescaled(self, factor):
        return Spectrum(self.scale * factor)


class Detector:
    def __init__(self):
        self.spectrum = Spectrum()

    def inject(self, key):
        self.noise = self.spectrum.sample(key)
        self.spectrum = self.spectrum.rescaled(0.5)


first, second = Detector(), Detector()
for detector, key in zip((first, second), jax.random.split(jax.random.key(0))):
    detector.inject(key)
print(first.noise, second.noise)

# %% an attribute that is None at first, and then an object that the one before makes
import jax


class Stream:
    def __init__(self, key, count=0):
        self.key = key
        self.count = count

    def advanced(self):
        return Stream(jax.random.fold_in(self.key, self.count), self.count + 1)

    def draw(self):
        return jax.random.normal(self.key, (3,))


class Sampler:
    def __init__(self):
        self.stream = None

    def start(self, key):
        self.stream = Stream(key)

    def step(self):
        drawn = self.stream.draw()
        self.stream = self.stream.advanced()
        return drawn


sampler = Sampler()
sampler.start(jax.random.key(0))
print(sampler.step(), sampler.step(), sampler.step())

# %% functions and objects that a constructor is given, in a library that nothing calls
import jax
import jax.numpy as jnp


def gaussian(key, state):
    return jax.random.normal(key, state.shape)


class Uniform:
    def draw(self, key, state):
        return jax.random.uniform(key, state.shape)


class Policy:
    def __init__(self, noise, start):
        self.noise = noise
        self.start = start

    def act(self, key, state):
        return self.noise(key, state) + self.start.draw(key, state)  #! JAX301

    def act_apart(self, key, state):
        first, second = jax.random.split(key)
        return self.noise(first, state) + self.start.draw(second, state)


def act(policy, key, state):
    return policy.noise(key, state) * policy.noise(key, state)  #! JAX301


def run(key, state):
    return Policy(gaussian, Uniform()).act(key, state)


def run_apart(key, state):
    return Policy(gaussian, Uniform()).act_apart(key, state)


def run_other(key, state):
    return act(Policy(gaussian, None), key, state)


# %% ok: functions that a constructor is given, one of which draws nothing
import jax
import jax.numpy as jnp


def gaussian(key, state):
    return jax.random.normal(key, state.shape)


def still(key, state):
    return jnp.zeros(state.shape)


class Policy:
    def __init__(self, noise, base):
        self.noise = noise
        self.base = base

    def act(self, key, state):
        return self.noise(key, state) + self.base(key, state)


def run(key, state):
    return Policy(gaussian, still).act(key, state)


def run_still(key, state):
    return Policy(still, still).act(key, state)
