

# %% plain loop: the key outside the loop gives the same draw at each pass
import jax

key = jax.random.key(0)
samples = []
for _ in range(3):
    samples.append(jax.random.normal(key))  #! JAX302

# %% list comprehension: a comprehension is a loop
from jax import random

rng = random.PRNGKey(0)
layers = [random.normal(rng, (n, n)) for n in (2, 3, 4)]  #! JAX302

# %% split never written back: each pass splits the same key, so each sub key is the same one
import jax
import jax.numpy as jnp

key = jax.random.key(1)
theta = jnp.zeros(3)
for step in range(4):
    _, sub = jax.random.split(key)  #! JAX302
    theta = theta + jax.random.normal(sub, theta.shape)

# %% jitted step with one key: the training loop hands every step the same randomness
import jax
import jax.numpy as jnp


@jax.jit
def train_step(params, batch, dropout_key):
    keep = jax.random.bernoulli(dropout_key, 0.5, batch.shape)
    return params - 0.1 * jnp.mean(batch * keep)


def fit(params, batches, key):
    for batch in batches:
        params = train_step(params, batch, key)  #! JAX302
    return params


fit(jnp.float32(1.0), [jnp.ones(4), jnp.ones(4)], jax.random.key(0))

# %% while loop: a rejection loop that tries the same proposal forever
import jax

key = jax.random.key(7)
count = 0
while count < 3:
    proposal = jax.random.uniform(key)  #! JAX302
    count += 1

# %% scan body closes over the key: one draw serves all steps
import jax
import jax.numpy as jnp
from jax import lax


def brownian(key, steps):
    def body(x, _):
        x = x + jax.random.normal(key)  #! JAX302
        return x, x

    return lax.scan(body, jnp.float32(0.0), None, length=steps)


brownian(jax.random.key(0), 5)

# %% fori_loop with lambda: the same closed-over key in a lambda body
import jax
from jax import lax

key = jax.random.key(0)
total = lax.fori_loop(0, 4, lambda i, acc: acc + jax.random.uniform(key), 0.0)  #! JAX302

# %% carry that never changes: the scan hands the key on as it came
import jax
import jax.numpy as jnp


def ou_path(key, x0):
    def step(carry, dt):
        x, k = carry
        x = x - dt * x + jnp.sqrt(dt) * jax.random.normal(k)  #! JAX302
        return (x, k), x

    (_, _), path = jax.lax.scan(step, (x0, key), jnp.full(6, 0.1))
    return path


ou_path(jax.random.key(3), jnp.float32(1.0))

# %% constant index: the keys were split for the loop, and only the first is used
import jax

keys = jax.random.split(jax.random.key(0), 3)
chains = []
for i in range(3):
    chains.append(jax.random.normal(keys[0], (2,)))  #! JAX302

# %% inner loop: rebound once an epoch, consumed once a batch
import jax
import jax.numpy as jnp


def run(key, epochs, batches):
    loss = jnp.float32(0.0)
    for epoch in range(epochs):
        key, epoch_key = jax.random.split(key)
        for batch in batches:
            loss += jnp.mean(batch + jax.random.normal(epoch_key, batch.shape))  #! JAX302
    return loss


run(jax.random.key(0), 2, [jnp.ones(3), jnp.zeros(3)])

# %% split once too far out: the keys of an epoch are the keys of every epoch
import jax
import jax.numpy as jnp

key = jax.random.key(0)
state = jnp.zeros(2)
for epoch in range(2):
    for k in jax.random.split(key, 3):  #! JAX302
        state += jax.random.normal(k, (2,))

# %% key of self: the object's key is drawn from in the loop and never refreshed
import jax


class Ensemble:
    def __init__(self, seed, size):
        self.key = jax.random.key(seed)
        self.size = size

    def init(self):
        members = []
        for _ in range(self.size):
            members.append(jax.random.normal(self.key, (4,)))  #! JAX302
        return members


Ensemble(0, 3).init()

# %% rebound on some passes only: between refreshes the passes repeat
import jax

key = jax.random.key(0)
key, sub = jax.random.split(key)
draws = []
for i in range(6):
    if i % 3 == 2:
        key, sub = jax.random.split(key)
    draws.append(jax.random.normal(sub))  #! JAX302

# %% helper consumes it: the consume is two calls away from the loop
import jax


def sample_noise(shape, key):
    return jax.random.normal(key, shape)


def corrupt(image, key):
    return image + sample_noise(image.shape, key)


image = jax.numpy.ones((2, 2))
key = jax.random.key(0)
views = {name: corrupt(image, key) for name in ("left", "right")}  #! JAX302

# %% generator expression: summed draws that are all one draw
import jax

key = jax.random.key(0)
total = sum(jax.random.exponential(key) for _ in range(4))  #! JAX302

# %% lax.map: the mapped function runs as a loop and closes over one key
import jax
import jax.numpy as jnp

key = jax.random.key(0)
noisy = jax.lax.map(lambda x: x + jax.random.normal(key), jnp.arange(4.0))  #! JAX302

# %% function called in the loop: the closure holds the key, and the loop calls the closure
import jax
import jax.numpy as jnp

key = jax.random.key(0)


def noisy_loss(w):
    return jnp.sum((w + jax.random.normal(key, w.shape)) ** 2)


w = jnp.ones(3)
for _ in range(3):
    w = w - 0.1 * jax.grad(noisy_loss)(w)  #! JAX302

# %% while_loop carry: the body draws from the key in its state and puts the same key back
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def first_exceedance(key):
    def unfinished(state):
        count, total, _ = state
        return (total < 2.0) & (count < 10)

    def draw(state):
        count, total, k = state
        total = total + jax.random.uniform(k)  #! JAX302
        return count + 1, total, k

    return lax.while_loop(unfinished, draw, (0, jnp.float32(0.0), key))


first_exceedance(jax.random.key(0))

# %% rebound in the body: each pass leaves a fresh key for the next
import jax
import jax.numpy as jnp

key = jax.random.key(0)
x = jnp.zeros(2)
for _ in range(3):
    key, sub = jax.random.split(key)
    x = x + jax.random.normal(sub, x.shape)

for _ in range(3):
    k_prop, k_acc, key = jax.random.split(key, 3)
    x = jnp.where(jax.random.uniform(k_acc) < 0.5, x + jax.random.normal(k_prop, x.shape), x)

done = 0
while done < 2:
    key, *subs = jax.random.split(key, 3)
    x = x + sum(jax.random.normal(s, x.shape) for s in subs)
    done += 1

# %% fold_in of the index: the loop derives a key of its own at each pass
import jax
import jax.numpy as jnp
from jax import lax

key = jax.random.key(0)
draws = [jax.random.normal(jax.random.fold_in(key, i)) for i in range(3)]
for step, batch in enumerate([jnp.ones(2), jnp.zeros(2)]):
    step_key = jax.random.fold_in(key, 10 + step)
    batch = batch + jax.random.normal(step_key, batch.shape)


def body(i, acc):
    return acc + jax.random.uniform(jax.random.fold_in(key, i))


total = lax.fori_loop(0, 4, body, 0.0)

# %% keys as the iterable: the loop variable is a new key at each pass
import itertools

import jax
import jax.numpy as jnp

key = jax.random.key(0)
k1, k2, k3, k4, k5 = jax.random.split(key, 5)
rows = [jax.random.normal(k, (2,)) for k in jax.random.split(k1, 3)]
for scale, k in zip((0.1, 1.0), jax.random.split(k2)):
    rows.append(scale * jax.random.normal(k, (2,)))
for i, key in enumerate(jax.random.split(k3, 2)):
    rows.append(i * jax.random.normal(key, (2,)))
subkeys = jax.random.split(k4, 4)
for i in range(4):
    rows.append(jax.random.normal(subkeys[i], (2,)))
for (a, b), k in zip(itertools.pairwise(range(3)), jax.random.split(k5)):
    rows.append(jax.random.normal(k, (b - a,)))

# %% scan over keys: the keys are the scanned input, or the carry is split in the body
import jax
import jax.numpy as jnp


def walk(key, n):
    def step(x, k):
        x = x + jax.random.normal(k)
        return x, x

    return jax.lax.scan(step, jnp.float32(0.0), jax.random.split(key, n))


def walk_with_carry(key, n):
    def step(carry, _):
        x, k = carry
        k, sub = jax.random.split(k)
        x = x + jax.random.normal(sub)
        return (x, k), x

    return jax.lax.scan(step, (jnp.float32(0.0), key), None, length=n)


ka, kb = jax.random.split(jax.random.key(0))
walk(ka, 4), walk_with_carry(kb, 4)

# %% left after the draw: a loop that breaks or returns at once draws only once
import jax
import jax.numpy as jnp


def first_noisy(batches, key):
    for batch in batches:
        if batch.shape[0] < 2:
            continue
        return batch + jax.random.normal(key, batch.shape)
    raise LookupError("no batch is large enough")


first_noisy([jnp.ones(1), jnp.ones(3)], jax.random.key(0))

key = jax.random.key(1)
for candidate in ("a", "b", "c"):
    if candidate == "b":
        choice = jax.random.normal(key)
        break
else:
    choice = jax.random.uniform(key)

# %% made in the loop: a key built from the loop's own seed belongs to that pass
import jax

results = []
for seed in range(3):
    key = jax.random.key(seed)
    results.append(jax.random.normal(key))
table = {seed: jax.random.normal(jax.random.key(seed)) for seed in (10, 11)}

# %% first pass only: the guard is true once, so the key is consumed once
import jax
import jax.numpy as jnp

key = jax.random.key(0)
params = None
for batch in (jnp.ones(2), jnp.zeros(2)):
    if params is None:
        params = jax.random.normal(key, batch.shape)
    params = params - 0.1 * batch

# %% helper hands back a fresh key: the loop rebinds what the call returns
import jax


def draw(key, shape):
    key, sub = jax.random.split(key)
    return key, jax.random.normal(sub, shape)


key = jax.random.key(0)
out = []
for n in (1, 2, 3):
    key, value = draw(key, (n,))
    out.append(value)

# %% stream in the loop: the object hands out a new key at each request
import jax


class Stream:
    def __init__(self, key):
        self.key = key

    def next_key(self):
        self.key, sub = jax.random.split(self.key)
        return sub


def key_sequence(key):
    while True:
        key, sub = jax.random.split(key)
        yield sub


ka, kb, kc = jax.random.split(jax.random.key(0), 3)
stream = Stream(ka)
xs = [jax.random.normal(stream.next_key()) for _ in range(3)]
sequence = key_sequence(kb)
for _ in range(3):
    xs.append(jax.random.normal(next(sequence)))
pool = list(jax.random.split(kc, 3))
while pool:
    xs.append(jax.random.normal(pool.pop()))

# %% state carries the key: the step replaces the key inside the state that the loop rebinds
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    x: jax.Array
    key: jax.Array


@jax.jit
def step(state):
    key, sub = jax.random.split(state.key)
    return State(state.x + jax.random.normal(sub, state.x.shape), key)


state = State(jnp.zeros(2), jax.random.key(0))
for _ in range(3):
    state = step(state)

state = jax.lax.fori_loop(0, 3, lambda i, s: step(s), state)

# %% loop that only folds: helpers derive per-layer keys from the one key and the layer's index
import jax


def layer(key, index, width):
    return jax.random.normal(jax.random.fold_in(key, index), (width, width))


def network(key, widths):
    return [layer(key, i, w) for i, w in enumerate(widths)]


network(jax.random.key(0), (2, 3))

# %% defined in the loop: a function that is made at each pass but given its key later
import jax

samplers = {}
for name, low in (("small", 0.0), ("large", 10.0)):

    def sampler(key, low=low):
        return low + jax.random.uniform(key)

    samplers[name] = sampler

ka, kb = jax.random.split(jax.random.key(0))
values = samplers["small"](ka), samplers["large"](kb)

# %% nested splits: outer keys are split again for the inner loop
import jax

grid = []
for outer in jax.random.split(jax.random.key(0), 2):
    row_key, col_key = jax.random.split(outer)
    row = jax.random.normal(row_key)
    for inner in jax.random.split(col_key, 3):
        grid.append(row + jax.random.normal(inner))

# %% rejection by while_loop: the body splits the key in its state before drawing
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def truncated(key, low):
    def outside(state):
        _, value = state
        return value < low

    def redraw(state):
        key, _ = state
        key, sub = jax.random.split(key)
        return key, jax.random.normal(sub)

    return lax.while_loop(outside, redraw, (key, jnp.float32(-jnp.inf)))[1]


truncated(jax.random.key(0), 0.5)

# %% host loops of other kinds: generators of NumPy and dict keys are not JAX keys
import numpy as np

rng = np.random.default_rng(0)
noise = [rng.normal() for _ in range(3)]
order = []
for key in ("b", "a"):
    order.append(rng.permutation(3))
    order.sort(key=len)

# %% objects in a loop: each object of the list holds a key of its own
import jax


class Particle:
    def __init__(self, key):
        self.key = key

    def move(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)

    def place(self):
        return jax.random.uniform(self.key)


particles = [Particle(k) for k in jax.random.split(jax.random.key(0), 3)]
for _ in range(2):
    moves = [particle.move() for particle in particles]
places = [particle.place() for particle in particles]

# %% traces in a loop: shapes and programs are asked for without drawing
import jax
import jax.numpy as jnp


def init(key, n):
    return jax.random.normal(key, (n,))


key = jax.random.key(0)
sizes = [jax.eval_shape(lambda k, n=n: init(k, n), key).size for n in (1, 2, 3)]
for _ in range(2):
    print(key.dtype, key.shape, jax.random.key_data(key).shape)
w = init(key, sum(sizes))

# %% rebound by unpacking the scan: the compiled loop returns the key that the next pass uses
import jax
import jax.numpy as jnp


@jax.jit
def epoch(w, key):
    key, sub = jax.random.split(key)

    def body(w, k):
        return w + jax.random.normal(k), None

    w, _ = jax.lax.scan(body, w, jax.random.split(sub, 4))
    return w, key


w, key = jnp.float32(0.0), jax.random.key(0)
for _ in range(3):
    w, key = epoch(w, key)

# %% retry: every attempt has a key of its own, whether or not the one before it failed
import jax


def sample(key, limit):
    value = float(jax.random.normal(key))
    if value > limit:
        raise ValueError(value)
    return value


key = jax.random.key(0)
result = None
while result is None:
    key, sub = jax.random.split(key)
    try:
        result = sample(sub, 1.0)
    except ValueError:
        continue

# %% the same constant folded in in every iteration
import jax
import jax.numpy as jnp


def body(i, state):
    x, key = state
    k = jax.random.fold_in(key, 1)
    return x + jax.random.normal(k, x.shape), key  #! JAX302


x, _ = jax.lax.fori_loop(0, 3, body, (jnp.zeros(2), jax.random.key(0)))
print(x)

# %% the same constant folded in for every name
import jax

key = jax.random.key(0)
named = {n: jax.random.normal(jax.random.fold_in(key, 2)) for n in "abc"}  #! JAX302
print(named)

# %% the iteration folded in
import jax
import jax.numpy as jnp


def body(i, state):
    x, key = state
    k = jax.random.fold_in(jax.random.fold_in(key, 1), i)
    return x + jax.random.normal(k, x.shape), key


x, _ = jax.lax.fori_loop(0, 3, body, (jnp.zeros(2), jax.random.key(0)))
named = {n: jax.random.normal(jax.random.fold_in(jax.random.key(0), i)) for i, n in enumerate("abc")}
print(x, named)

# %% a state of a class that is not known comes back from the trace with a key of its own
import importlib

import jax
import jax.numpy as jnp

State = importlib.import_module("collections").namedtuple("State", "params key")


def step(state, _):
    params, key = state
    key, subkey = jax.random.split(key)
    return State(params + jax.random.normal(subkey, params.shape), key), params.sum()


@jax.jit
def train(state):
    state, losses = jax.lax.scan(step, state, None, 3)
    return state


def run(state):
    for _ in range(3):
        state = train(state)
    return state


print(run(State(jnp.zeros(2), jax.random.key(0))))

# %% an object that replaces its key where it consumes it, called in a `try` or under a condition
import jax


class Sampler:
    def __init__(self):
        self.rng = jax.random.key(0)

    def key(self, seed):
        if seed is not None:
            rng = jax.random.key(seed)
        else:
            self.rng, rng = jax.random.split(self.rng)
        return rng

    def draw(self, seed=None):
        return jax.random.normal(self.key(seed))


sampler = Sampler()


def answer(requests):
    while requests:
        try:
            print(sampler.draw(**requests.pop()))
        except ValueError:
            pass


def often(own, times):
    for i in range(times):
        if i % 2:
            print(own.draw())


answer([{}, {"seed": 1}, {}])
often(Sampler(), 4)

# %% an object that never replaces its key, called in a `try`
import jax


class Sampler:
    def __init__(self):
        self.rng = jax.random.key(0)

    def draw(self):
        return jax.random.normal(self.rng)


sampler = Sampler()


def answer(times):
    for _ in range(times):
        try:
            print(sampler.draw())  #! JAX302
        except ValueError:
            pass


answer(3)

# %% the inner count alone: each iteration of the outer loop begins with the same numbers
import jax


def epochs(key, x, n):
    for epoch in range(n):
        for i in range(len(x)):
            yield x[i] + jax.random.normal(jax.random.fold_in(key, i))  #! JAX302


def table(key, n):
    return [[jax.random.normal(jax.random.fold_in(key, j)) for j in range(n)] for i in range(n)]  #! JAX302


list(epochs(jax.random.key(0), jax.numpy.arange(9.0), 2))
table(jax.random.key(1), 9)

# %% the step of an epoch alone, by enumerate and into a jitted function
import jax


@jax.jit
def train_step(params, batch, key):
    return params + batch * jax.random.normal(key, batch.shape)


def train(params, loader, key, epochs):
    for epoch in range(epochs):
        for step, batch in enumerate(loader):
            params = train_step(params, batch, jax.random.fold_in(key, step))  #! JAX302
    return params


def noises(key, n):
    return [jax.random.normal(jax.random.fold_in(key, j)) for j in range(n)]


def rows(key, n):
    return [noises(key, n) for _ in range(n)]  #! JAX302

# %% an argument folded in that no iteration changes
import jax


def smooth(key, step, xs):
    out = []
    for x in xs:
        out.append(x + jax.random.normal(jax.random.fold_in(key, step)))  #! JAX302
    return out


smooth(jax.random.key(0), 4, [1.0, 2.0])

# %% both counts, or one that goes on, or a key that the outer loop makes
import jax


def both(key, n):
    for i in range(n):
        for j in range(n):
            yield jax.random.normal(jax.random.fold_in(jax.random.fold_in(key, i), j))


def flat(key, n, m):
    for i in range(n):
        for j in range(m):
            yield jax.random.normal(jax.random.fold_in(key, i * m + j))


def goes_on(key, epochs, batches):
    step = 0
    for epoch in range(epochs):
        for batch in batches:
            yield batch + jax.random.normal(jax.random.fold_in(key, step))
            step += 1


def from_the_outer(key, n, m):
    for outer in jax.random.split(key, n):
        for j in range(m):
            yield jax.random.normal(jax.random.fold_in(outer, j))


def closure(key, n, m):
    for i in range(n):

        def sample(j):
            return jax.random.normal(jax.random.fold_in(jax.random.fold_in(key, i), j))

        for j in range(m):
            yield sample(j)


def diagonal(key, n):
    for i in range(n):
        for j in range(n):
            if i == j:
                yield jax.random.normal(jax.random.fold_in(key, j))


def shifted(key, n):
    for i in range(n):
        for j in range(i * n, i * n + n):
            yield jax.random.normal(jax.random.fold_in(key, j))


k1, k2, k3, k4 = jax.random.split(jax.random.key(0), 4)
list(both(k1, 9)), list(flat(k2, 2, 9)), list(goes_on(k3, 2, [1.0, 2.0])), list(from_the_outer(k4, 2, 9))
k1, k2, k3 = jax.random.split(jax.random.key(1), 3)
list(closure(k1, 2, 9)), list(diagonal(k2, 9)), list(shifted(k3, 9))

# %% one iteration only: a test picks out the step, the name or the first time
import jax


def steps(key, n, x):
    for i in range(n):
        if i == 0:
            x = x + jax.random.normal(key, x.shape)
        x = x * 2
    return x


def last(key, n, x):
    for i in range(n):
        if i != n - 1:
            continue
        x = x + jax.random.normal(key, x.shape)
    return x


def named(key, names):
    return {name: jax.random.normal(key) if name == "w" else 0.0 for name in names}


def filtered(key, names):
    return [jax.random.normal(key) for i, name in enumerate(names) if not i]


def flagged(key, xs):
    first = True
    for x in xs:
        if first:
            print(jax.random.normal(key))
            first = False


def lazily(key, batches):
    params = {}
    for batch in batches:
        if "w" not in params:
            params["w"] = jax.random.normal(key, batch.shape)
        params["w"] = params["w"] - batch
    return params


def matched(key, names):
    for name in names:
        match name:
            case "w":
                print(jax.random.normal(key))
            case _:
                pass


@jax.jit
def compiled(key, xs):
    def body(total, i):
        total = total + jax.lax.cond(i == 0, lambda: jax.random.normal(key), lambda: 0.0)
        return total, total

    return jax.lax.scan(body, 0.0, xs)


ones = jax.numpy.ones(2)
steps(jax.random.key(0), 9, ones), last(jax.random.key(1), 9, ones)
named(jax.random.key(2), ["w", "b"]), filtered(jax.random.key(3), ["w", "b"])
flagged(jax.random.key(4), [1, 2]), lazily(jax.random.key(5), [ones, ones])
matched(jax.random.key(6), ["w", "b"]), compiled(jax.random.key(7), jax.numpy.arange(3))

# %% many iterations: a test that holds again, or that no iteration changes
import jax


def every_tenth(key, xs):
    out = []
    for i, x in enumerate(xs):
        if i % 10 == 0:
            out.append(x + jax.random.normal(key))  #! JAX302
    return out


def noisy(key, xs, mode):
    out = []
    for x in xs:
        if mode == "noisy":
            out.append(x + jax.random.normal(key))  #! JAX302
    return out


def first_epoch(key, epochs, xs):
    out = []
    for epoch in range(epochs):
        if epoch == 0:
            for x in xs:
                out.append(x + jax.random.normal(key))  #! JAX302
    return out

# %% a function made in the loop draws from a key around it, whatever it is given
import jax


def rows(key, n):
    def row(i):
        return [i + jax.random.normal(jax.random.fold_in(key, j)) for j in range(n)]

    return [row(i) for i in range(n)]  #! JAX302


def noises(key, n):
    out = []
    for i in range(n):

        def noise(scale):
            return scale * jax.random.normal(key)

        out.append(noise(i))  #! JAX302
    return out


rows(jax.random.key(0), 9), noises(jax.random.key(1), 9)

# %% tests whose keywords are called as nodes are
import jax


def is_first(i, name="", attr=0):
    return i == 0


key = jax.random.key(0)
for i in range(3):
    if is_first(i, name="a", attr=1) == True:  # noqa: E712
        print(jax.random.normal(key))

# %% a rule of its own runs in the function's place: what one consumes the other does not
import jax
import jax.numpy as jnp


def sampler(noise):
    @jax.custom_vjp
    def sample(key, x):
        return x + noise(key, x.shape)

    def forward(key, x):
        return x + noise(key, x.shape), x

    def backward(x, slope):
        return None, slope

    sample.defvjp(forward, backward)
    return sample


def loss(x, key):
    return jnp.sum(sampler(jax.random.normal)(key, x))


def train(x):
    for step in range(3):
        x -= jax.grad(loss)(x, jax.random.PRNGKey(step))
    return x


def train_on_one(x, key):
    for _ in range(3):
        x -= jax.grad(loss)(x, key)  #! JAX302
    return x


train(jnp.ones(3)), train_on_one(jnp.ones(3), jax.random.PRNGKey(1))

# %% a mapping that is carried, and replaced by one that is made of it
import jax


def split(state):
    rng, key = jax.random.split(state["rng"])
    return rng, jax.random.normal(key)


def joined(rng):
    state = {"rng": rng, "step": 0}
    for _ in range(3):
        rng, _ = split(state)
        state = state | {"rng": rng}
    return state


def updated(rng):
    state = {"rng": rng, "step": 0}
    for _ in range(3):
        rng, _ = split(state)
        state |= {"rng": rng}
    return state


def unpacked(rng):
    state = {"rng": rng, "other": rng}
    for _ in range(3):
        rng, _ = split(state)
        state = {**state, "rng": rng}
        state["noise"] = jax.random.normal(state["other"])  #! JAX302
    return state


joined(jax.random.key(0)), updated(jax.random.key(1)), unpacked(jax.random.key(2))

# %% a mapping that a scan carries
import jax


def body(state, _):
    rng, key = jax.random.split(state["rng"])
    return state | {"rng": rng}, jax.random.normal(key)


def kept(state, _):
    draw = jax.random.normal(state["rng"])  #! JAX302
    return state | {"step": state["step"] + 1}, draw


jax.lax.scan(body, {"rng": jax.random.key(1), "step": 0}, None, length=3)
jax.lax.scan(kept, {"rng": jax.random.key(2), "step": 0}, None, length=3)

# %% norun flax: a state that is carried, and replaced in a way that is not known
import jax
from flax import struct


@struct.dataclass
class State:
    rng: jax.Array
    step: int


def step(state, _):
    rng, key = jax.random.split(state.rng)
    return state.replace(rng=rng), jax.random.normal(key)


def draw(state, key):
    return state, jax.random.normal(state.rng)  #! JAX302


def run(rng, other):
    state = State(rng=rng, step=0)
    state, _ = jax.lax.scan(step, state, None, length=4)
    state, _ = jax.lax.scan(step, state, None, length=4)
    last, _ = jax.lax.scan(draw, State(rng=other, step=0), None, length=4)
    return state, last


jax.jit(run)(jax.random.key(0), jax.random.key(1))

# %% what a test shows to be of a class is another object in each iteration
import jax


class Stream:
    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def split(self, n):
        keys = jax.random.split(self.key, n + 1)
        self.key = keys[0]
        return keys[1:]


def each_once(items):
    found = [item.split(2) for item in items if isinstance(item, Stream)]
    for item in items:
        if isinstance(item, Stream):
            found.append(jax.random.normal(item.key))
    return found


def one_again(items, stream):
    found = []
    for item in items:
        if isinstance(item, Stream):
            found.append(jax.random.normal(stream.key))  #! JAX302
    return found


streams = [Stream(0), 1, Stream(2)]
each_once(streams), one_again(streams, Stream(3))

# %% one key repeated
import itertools

import jax

key = jax.random.key(0)
draws = [jax.random.normal(k) for k in itertools.repeat(key, 3)] #! JAX302

# %% keys chained
import itertools

import jax

one, two = jax.random.split(jax.random.key(0), 2)
a = [jax.random.normal(k) for k in itertools.chain([one], [two])]

# %% key closed over in tree.map
import jax
import jax.numpy as jnp

key = jax.random.key(0)
params = {"w": jnp.ones(3), "b": jnp.ones(2)}
noisy = jax.tree.map(lambda p: p + jax.random.normal(key, p.shape), params) #! JAX302

# %% key closed over in list(map())
import jax
import jax.numpy as jnp

key = jax.random.key(0)
noisy = list(map(lambda p: p + jax.random.normal(key, p.shape), [jnp.ones(2), jnp.ones(3)])) #! JAX302

# %% key closed over in comprehension helper
import jax
import jax.numpy as jnp


def main():
    key = jax.random.key(0)

    def noise(n):
        return jax.random.normal(key, (n,))

    return [noise(n) for n in (1, 2, 3)] #! JAX302


main()

# %% key closed over named function in tree.map
import jax
import jax.numpy as jnp


def perturb(params, key):
    def one(leaf):
        return leaf + jax.random.normal(key, leaf.shape)

    return jax.tree.map(one, params) #! JAX302


perturb({"w": jnp.ones(3), "b": jnp.ones(2)}, jax.random.key(0))

# %% tree.map with a tree of keys
import jax
import jax.numpy as jnp


def perturb(params, key):
    leaves, treedef = jax.tree.flatten(params)
    keys = jax.tree.unflatten(treedef, list(jax.random.split(key, len(leaves))))
    return jax.tree.map(lambda p, k: p + jax.random.normal(k, p.shape), params, keys)


perturb({"w": jnp.ones(3), "b": jnp.ones(2)}, jax.random.key(0))

# %% tree.map over a single array
import jax
import jax.numpy as jnp

key = jax.random.key(0)
x = jnp.ones(3)
noisy = jax.tree.map(lambda p: p + jax.random.normal(key, p.shape), x)

# %% partial with key in map
from functools import partial

import jax
import jax.numpy as jnp


def noise(key, p):
    return p + jax.random.normal(key, p.shape)


key = jax.random.key(0)
noisy = list(map(partial(noise, key), [jnp.ones(2), jnp.ones(3)])) #! JAX302

# %% retry loop that ends in break
import jax
import jax.numpy as jnp


def draw(key):
    for _ in range(10):
        x = jax.random.normal(key) #! JAX302
        if x > 0:
            break
    return x


draw(jax.random.key(0))

# %% a while_loop whose body writes the next key into a carry of which nothing is known
import jax
import jax.numpy as jnp


class Walker:
    pass


jax.tree_util.register_pytree_node(
    Walker,
    lambda w: ((w.key, w.place, w.count), None),
    lambda _, parts: walker(*parts),
)


def walker(key, place, count):
    made = Walker()
    made.key, made.place, made.count = key, place, count
    return made


def walk(state):
    def step(state):
        following, here = jax.random.split(state.key)
        state.place += jax.random.normal(here)
        state.count += 1
        state.key = following
        return state

    return jax.lax.while_loop(lambda s: s.count < 3, step, state)


def walk_dict(state):
    def step(state):
        following, here = jax.random.split(state["key"])
        state["key"] = following
        state["place"] += jax.random.normal(here)
        state["count"] += 1
        return state

    return jax.lax.while_loop(lambda s: s["count"] < 3, step, state)


def stands(state):
    def step(state):
        _, here = jax.random.split(state["key"])  #! JAX302
        return {
            "key": state["key"],
            "place": state["place"] + jax.random.normal(here),
            "count": state["count"] + 1,
        }

    return jax.lax.while_loop(lambda s: s["count"] < 3, step, state)


print(walk(walker(jax.random.key(0), jnp.float32(0), 0)).place)
print(walk_dict({"key": jax.random.key(0), "place": jnp.float32(0), "count": 0})["place"])
print(stands({"key": jax.random.key(0), "place": jnp.float32(0), "count": 0})["place"])

# %% retry loop that returns
import jax
import jax.numpy as jnp


def draw(key):
    while True:
        x = jax.random.normal(key) #! JAX302
        if x > 0:
            return x


draw(jax.random.key(2))

# %% retry loop that splits
import jax
import jax.numpy as jnp


def draw(key):
    while True:
        key, sub = jax.random.split(key)
        x = jax.random.normal(sub)
        if x > 0:
            return x


draw(jax.random.key(0))

# %% loop that returns in the first iteration always
import jax
import jax.numpy as jnp


def draw(key, names):
    for name in names:
        return jax.random.normal(key)
    return None


draw(jax.random.key(0), ["a", "b"])

# %% retry in a helper
import jax
import jax.numpy as jnp


def candidate(key):
    return jax.random.uniform(key, (2,)) * 2 - 1


def in_disc(key, tries):
    for _ in range(tries):
        point = candidate(key) #! JAX302
        if (point**2).sum() < 1:
            return point
    raise ValueError


in_disc(jax.random.key(1), 5)

# %% counters of nested loops folded together
import jax
import jax.numpy as jnp


def draws(key):
    out = []
    for i in range(3):
        for j in range(3):
            k = jax.random.fold_in(key, i + j)
            out.append(jax.random.normal(k)) #! JAX302
    return out


draws(jax.random.key(0))

# %% in a loop: a callee that draws where an argument is left out, and a key that was read from a file
import pickle

import jax
import jax.numpy as jnp
import numpy as np


def noise(key, shape, fixed=None):
    return jax.random.normal(key, shape) if fixed is None else fixed


def forward(params, key, x):
    return params * x + jax.random.normal(key, x.shape)


compiled = jax.jit(forward)


def repeated(key):
    return [noise(key, (3,)) for _ in range(3)]  #! JAX302


def drawn_before(key):
    fixed = noise(key, (3,))
    return [noise(key, (3,), fixed) for _ in range(3)]


def loaded(batches, file):
    saved = pickle.loads(file)
    params, key = saved["params"], saved["key"]
    return [compiled(params, key, batch) for batch in batches]  #! JAX302


def advanced(batches, file):
    saved = pickle.loads(file)
    params, key, results = saved["params"], saved["key"], []
    for batch in batches:
        key, sub = jax.random.split(key)
        results.append(compiled(params, sub, batch))
    return results


def loaded_in_turn(batches, files):
    results = []
    for batch, file in zip(batches, files):
        key = pickle.loads(file)["key"]
        results.append(compiled(1.0, key, batch))
    return results


file = pickle.dumps({"params": 2.0, "key": np.asarray(jax.random.PRNGKey(0))})
repeated(jax.random.key(0))
drawn_before(jax.random.key(0))
loaded(jnp.ones((2, 3)), file)
advanced(jnp.ones((2, 3)), file)
loaded_in_turn(jnp.ones((2, 3)), [file, file])

# %% one permutation for all leaves is meant
import jax
import jax.numpy as jnp


def shuffled(data, key):
    def convert(leaf):
        leaf = jax.random.permutation(key, leaf)
        return leaf.reshape((2, -1))

    return jax.tree.map(convert, data)


shuffled({"x": jnp.ones(4), "y": jnp.ones(4)}, jax.random.key(0))

# %% one choice of rows for all leaves is meant
import jax
import jax.numpy as jnp


def sample(data, key):
    return jax.tree.map(lambda leaf: jax.random.choice(key, leaf, (2,)), data)


sample({"x": jnp.ones(4), "y": jnp.ones(4)}, jax.random.key(0))

# %% tree.map under jit over its argument
import jax
import jax.numpy as jnp


@jax.jit
def perturb(params, key):
    return jax.tree.map(lambda p: p + jax.random.normal(key, p.shape), params) #! JAX302


perturb({"w": jnp.ones(3), "b": jnp.ones(2)}, jax.random.key(0))

# %% tree.map with a key split in the function
import jax
import jax.numpy as jnp


class Noise:
    def __init__(self, key):
        self.key = key

    def draw(self, leaf):
        self.key, sub = jax.random.split(self.key)
        return leaf + jax.random.normal(sub, leaf.shape)


noise = Noise(jax.random.key(0))
jax.tree.map(noise.draw, {"w": jnp.ones(3), "b": jnp.ones(2)})

# %% tree.map with nonlocal key
import jax
import jax.numpy as jnp


def perturb(params, key):
    def draw(leaf):
        nonlocal key
        key, sub = jax.random.split(key)
        return leaf + jax.random.normal(sub, leaf.shape)

    return jax.tree.map(draw, params)


perturb({"w": jnp.ones(3), "b": jnp.ones(2)}, jax.random.key(0))

# %% tree.map with an iterator of keys
import jax
import jax.numpy as jnp


def perturb(params, key):
    keys = iter(jax.random.split(key, 8))
    return jax.tree.map(lambda p: p + jax.random.normal(next(keys), p.shape), params)


perturb({"w": jnp.ones(3), "b": jnp.ones(2)}, jax.random.key(0))

# %% tree.map with a key folded by the path
import zlib

import jax
import jax.numpy as jnp


def perturb(params, key):
    def draw(path, leaf):
        number = zlib.crc32(jax.tree_util.keystr(path).encode())
        return leaf + jax.random.normal(jax.random.fold_in(key, number), leaf.shape)

    return jax.tree_util.tree_map_with_path(draw, params)


perturb({"w": jnp.ones(3), "b": jnp.ones(2)}, jax.random.key(0))

# %% tree.map with a path and one key
import jax
import jax.numpy as jnp


def perturb(params, key):
    def draw(path, leaf):
        return leaf + jax.random.normal(key, leaf.shape)

    return jax.tree_util.tree_map_with_path(draw, params) #! JAX302


perturb({"w": jnp.ones(3), "b": jnp.ones(2)}, jax.random.key(0))

# %% one key for every order
import jax


def main(xs, key):
    return sorted(xs, key=lambda x: float(x * jax.random.uniform(key))) #! JAX302


main([1.0, 2.0], jax.random.key(0))

# %% the loop calls a method of a class that stands in for another one in tests
import jax
import jax.numpy as jnp


class FakeSensor:
    def __init__(self):
        self.key = jax.random.key(42)

    def measure(self, total):
        return {"noise": jax.random.normal(self.key, (2,)), "total": total + 1}


def measured(sensor, count):
    total = jnp.zeros(2)
    for _ in range(count):
        found = sensor.measure(total)
        total = found["total"]
    return found


measured(FakeSensor(), 3)

# %% the loop calls a method of a class that is used
import jax
import jax.numpy as jnp


class Sensor:
    def __init__(self):
        self.key = jax.random.key(42)

    def measure(self, total):
        return {"noise": jax.random.normal(self.key, (2,)), "total": total + 1}


def measured(sensor, count):
    total = jnp.zeros(2)
    for _ in range(count):
        found = sensor.measure(total) #! JAX302
        total = found["total"]
    return found


measured(Sensor(), 3)

# %% a long loop over sizes and keys
import jax


def init(key):
    out = []
    for n, k in zip((1, 2, 3), jax.random.split(key, 3)):
        a0 = n + 0
        a1 = n + 1
        a2 = n + 2
        a3 = n + 3
        a4 = n + 4
        a5 = n + 5
        a6 = n + 6
        a7 = n + 7
        a8 = n + 8
        a9 = n + 9
        a10 = n + 10
        a11 = n + 11
        a12 = n + 12
        out.append(jax.random.normal(k, (n,)))
    return out


init(jax.random.key(0))

# %% a long loop over a known number of keys
import jax


def init(key):
    out = []
    for k in jax.random.split(key, 4):
        n = 1
        a0 = n + 0
        a1 = n + 1
        a2 = n + 2
        a3 = n + 3
        a4 = n + 4
        a5 = n + 5
        a6 = n + 6
        a7 = n + 7
        a8 = n + 8
        a9 = n + 9
        a10 = n + 10
        a11 = n + 11
        a12 = n + 12
        out.append(jax.random.normal(k, (n,)))
    return out


init(jax.random.key(0))

# %% a long loop over a list of keys
import jax


def init(key):
    out = []
    a, b, c = jax.random.split(key, 3)
    for k in [a, b, c]:
        n = 1
        a0 = n + 0
        a1 = n + 1
        a2 = n + 2
        a3 = n + 3
        a4 = n + 4
        a5 = n + 5
        a6 = n + 6
        a7 = n + 7
        a8 = n + 8
        a9 = n + 9
        a10 = n + 10
        a11 = n + 11
        a12 = n + 12
        out.append(jax.random.normal(k, (n,)))
    return out


init(jax.random.key(0))

# %% a long loop over numbered keys
import jax


def init(key):
    out = []
    for n, k in enumerate(jax.random.split(key, 3)):
        a0 = n + 0
        a1 = n + 1
        a2 = n + 2
        a3 = n + 3
        a4 = n + 4
        a5 = n + 5
        a6 = n + 6
        a7 = n + 7
        a8 = n + 8
        a9 = n + 9
        a10 = n + 10
        a11 = n + 11
        a12 = n + 12
        out.append(jax.random.normal(jax.random.fold_in(k, n)))
    for n in range(4):
        a0 = n + 0
        a1 = n + 1
        a2 = n + 2
        a3 = n + 3
        a4 = n + 4
        a5 = n + 5
        a6 = n + 6
        a7 = n + 7
        a8 = n + 8
        a9 = n + 9
        a10 = n + 10
        a11 = n + 11
        a12 = n + 12
        out.append(jax.random.normal(jax.random.fold_in(key, n)))
    return out


init(jax.random.key(0))

# %% a closure that advances its key, made anew in each iteration by what the loop calls
import jax


def supply(f, rng):
    def wrapped(x):
        nonlocal rng
        rng, key = jax.random.split(rng)
        return f(x, key)

    return wrapped


def draw(x, key):
    return x + jax.random.normal(key)


def evaluate(agent, seed, n):
    act = supply(agent, rng=jax.random.key(seed))
    total = 0.0
    for _ in range(n):
        total = total + act(1.0)
    return total


def main(agent, tasks, n):
    found = []
    for task in range(tasks):
        found.append(evaluate(agent, task, n))
    return found


print(main(draw, 3, 2))

# %% a while test is evaluated once before each iteration: with a counter folded in, every draw is another one
import jax


def attempts(key):
    count = 0
    while bool(jax.random.uniform(jax.random.fold_in(key, count)) > 0.5):
        count += 1
    return count


print(attempts(jax.random.key(0)))

# %% a while body that leaves at once: its test is evaluated once
import jax


def flip(key):
    while jax.random.uniform(key) > 0.5:
        return 1
    return 2


print(flip(jax.random.key(0)))

# %% a while test that draws from the next key of an array
import jax


def one(key):
    return jax.random.uniform(key)


def first_low(keys):
    place = 0
    while one(keys[place]) > 0.9:
        place += 1
    return place


print(first_low(jax.random.split(jax.random.key(0), 8)))

# %% a while test with one key: the second iteration tests the same number again
import jax


def wait(key, limit):
    tries = 0
    while jax.random.uniform(key) > 0.1 and tries < limit:  #! JAX302
        tries += 1
    return tries


print(wait(jax.random.key(0), 3))

# %% a split in a loop that does not replace its key: the children are the same in every iteration
import jax


def steps(key):
    found = []
    for _ in range(3):
        first, second = jax.random.split(key)  #! JAX302
        found.append(jax.random.normal(first) + jax.random.normal(second))
    return found


def unknown(env, key):
    for _ in range(3):
        reset_key, step_key = jax.random.split(key)  #! JAX302
        env.reset(reset_key).step(step_key)


steps(jax.random.key(0))

# %% a split in a loop whose children nothing draws from
import jax


def sizes(key):
    found = []
    for count in range(3):
        keys = jax.random.split(key, 2)  #! JAX308
        found.append((count, keys))
    return found


sizes(jax.random.key(0))

# %% one order for arrays that a loop goes over, and one that an epoch repeats
import jax
import jax.numpy as jnp


def paired(key, batch):
    shuffled = {}
    for name in batch:
        shuffled[name] = jax.random.permutation(key, batch[name])
    return shuffled


def repeated(key, batch):
    for _ in range(2):
        batch = jax.random.permutation(key, batch)  #! JAX302
    return batch


paired(jax.random.key(0), {"x": jnp.arange(3), "y": jnp.arange(3)}), repeated(jax.random.key(0), jnp.arange(3))

# %% a test that a key is None before a loop
import jax


def noisy(values, key=None):
    if key is None:
        raise ValueError("no key")
    return [value + jax.random.normal(key) for value in values]  #! JAX302


noisy([1.0, 2.0], jax.random.key(0))

# %% the key that an object in an attribute holds
import jax


class Sampler:
    def __init__(self, key):
        self.key = key

    def draw(self, x):
        return x + jax.random.normal(self.key)

    def draw_on(self, x):
        self.key, subkey = jax.random.split(self.key)
        return x + jax.random.normal(subkey)

    def advance(self):
        self.key, _ = jax.random.split(self.key)


class Engine:
    def __init__(self, key):
        self.sampler = Sampler(key)

    def same(self, x, rows):
        for row in rows:
            x = self.sampler.draw(x * row)  #! JAX302
        return x

    def replaced(self, x, rows):
        for row in rows:
            x = self.sampler.draw_on(x * row)
        return x

    def advanced(self, x, rows):
        for row in rows:
            x = self.sampler.draw(x * row)
            self.sampler.advance()
        return x

    def assigned(self, x, keys):
        for key in keys:
            self.sampler.key = key
            x = self.sampler.draw(x)
        return x


class Renewed:
    def __init__(self, key):
        self.sampler = Sampler(key)

    def draw(self, x, keys):
        for key in keys:
            self.sampler = Sampler(key)
            x = self.sampler.draw(x)
        return x


def pair(x, keys):
    one, two = Engine(keys[0]), Engine(keys[1])
    return one.sampler.draw(x), two.sampler.draw(x)


def several(x, keys):
    samplers = [Sampler(key) for key in keys]
    for sampler in samplers:
        x = sampler.draw(x)
    return x


for number, method in enumerate(["same", "replaced", "advanced"]):
    getattr(Engine(jax.random.key(number)), method)(0.0, [1.0, 2.0])
Engine(jax.random.key(4)).assigned(0.0, jax.random.split(jax.random.key(9), 3))
Renewed(jax.random.key(5)).draw(0.0, jax.random.split(jax.random.key(6), 3))
pair(0.0, jax.random.split(jax.random.key(7), 2))
several(0.0, jax.random.split(jax.random.key(8), 3))

# %% children of equal splits in every iteration go, by name in a dict, to a function that is not known
import jax


def loss(apply, params, batch, key):
    dropout_key, noise_key = jax.random.split(key)
    return apply(params, batch, rngs={"dropout": dropout_key, "noise": noise_key})


def accumulate(apply, params, batches, key):
    def step(total, batch):
        return total + loss(apply, params, batch, key), None  #! JAX302

    return jax.lax.scan(step, 0.0, batches)[0]


def accumulate_apart(apply, params, batches, key):
    def step(carry, batch):
        total, key = carry
        key, subkey = jax.random.split(key)
        return (total + loss(apply, params, batch, subkey), key), None

    return jax.lax.scan(step, (0.0, key), batches)[0]


functions = {"apply": lambda params, x, rngs: params * x * jax.random.normal(rngs["dropout"])}
accumulate(functions["apply"], 1.0, jax.numpy.ones(3), jax.random.key(0))
accumulate_apart(functions["apply"], 1.0, jax.numpy.ones(3), jax.random.key(0))

# %% an object that is made in every iteration holds the same subkey
import jax


class Seeded:
    def __init__(self, fn, key):
        self.fn = fn
        self.key = key

    def __call__(self, x):
        return self.fn(self.key, x)


def weight(key, model, x):
    key, subkey = jax.random.split(key)
    return Seeded(model, subkey)(x)


weights = jax.vmap(weight, in_axes=(0, None, 0))


def combine(models, keys, x):
    return [weights(keys, model, x) for model in models]  #! JAX302


def combine_apart(models, keys, x):
    found = []
    for model in models:
        keys, subkeys = jax.vmap(jax.random.split, out_axes=1)(keys)
        found.append(weights(subkeys, model, x))
    return found


functions = {"normal": lambda key, x: x + jax.random.normal(key), "uniform": lambda key, x: x * jax.random.uniform(key)}
models = list(functions.values())
combine(models, jax.random.split(jax.random.key(0), 2), jax.numpy.ones(2))
combine_apart(models, jax.random.split(jax.random.key(1), 2), jax.numpy.ones(2))

# %% a pmapped function gets one batch of keys in every iteration
import jax
import jax.numpy as jnp


def add_noise(state, key):
    return state + jax.random.normal(key, state.shape)


def walk(state, key, steps):
    update = jax.pmap(add_noise)
    keys = jax.random.split(key, jax.local_device_count())
    for _ in range(steps):
        state = update(state, keys)  #! JAX302
    return state


walk(jnp.zeros((jax.local_device_count(), 3)), jax.random.key(0), 2)

# %% a helper that makes a key if it gets none gets the same key in every iteration
import jax


def noise(x, key=None):
    if key is None:
        key = jax.random.key(0)
    return jax.random.normal(key, x.shape)


def walk(x, key, steps):
    for _ in range(steps):
        x = x + noise(x, key)  #! JAX302
    return x


def folded(x, key, steps):
    for step in range(steps):
        x = x + noise(x, jax.random.fold_in(key, step))
    return x

# %% gradients of each output, and for each argument, of one function that closes over the key
import jax
import jax.numpy as jnp


def gradients_of(function, count):
    def output(index):
        def selected(*args):
            return function(*args)[index]

        return selected

    gradients = tuple(jax.value_and_grad(output(index)) for index in range(count))

    def all_of_them(*args):
        found = []
        for gradient in gradients:
            found.append(gradient(*args))
        return found

    return all_of_them


def actor_and_critic(params, key, batch):
    def losses(params):
        noise_key, _ = jax.random.split(key)
        noise = jax.random.normal(noise_key, batch.shape)
        return jnp.mean((batch * params + noise) ** 2), jnp.mean((batch * params - noise) ** 2)

    return gradients_of(losses, 2)(params)


def of_each_output(params, key):
    def losses(params):
        noise = jax.random.normal(key, params.shape)
        return jnp.sum(params * noise), jnp.sum(params - noise)

    return [jax.grad(lambda each: losses(each)[index])(params) for index in range(2)]


def for_each_argument(a, b, key):
    def loss(a, b):
        return jnp.sum(a * b * jax.random.normal(key, a.shape))

    found = []
    for number in range(2):
        found.append(jax.grad(loss, argnums=number)(a, b))
    return found


x = jnp.ones(3)
jax.jit(actor_and_critic)(1.0, jax.random.key(0), x)
of_each_output(x, jax.random.key(1))
for_each_argument(x, x, jax.random.key(2))

# %% gradients of several functions, and at several points, with one key
import jax
import jax.numpy as jnp


def several_losses(params, key):
    def first(params):
        return jnp.sum(params * jax.random.normal(key, params.shape))

    def second(params):
        return jnp.sum(params - jax.random.normal(key, params.shape))

    found = []
    for loss in (first, second):
        found.append(jax.grad(loss)(params))  #! JAX302
    return found


def steps(params, key):
    def losses(params):
        return (jnp.sum(params * jax.random.normal(key, params.shape)),)

    for _ in range(3):
        params = params - jax.grad(lambda each: losses(each)[0])(params)  #! JAX302
    return params


def repeated(params, key):
    def loss(params):
        return jnp.sum(params * jax.random.normal(key, params.shape))

    gradient = jax.grad(loss)
    return [gradient(params) for _ in range(3)]  #! JAX302


def batches(params, data, key):
    def loss(params, x):
        return jnp.sum(params * x * jax.random.normal(key, params.shape))

    found = []
    for x in data:
        found.append(jax.grad(lambda each: loss(each, x))(params))  #! JAX302
    return found


x = jnp.ones(3)
several_losses(x, jax.random.key(0))
repeated(x, jax.random.key(2))
batches(x, [x, x], jax.random.key(3))

# %% a tree of keys for leaves of several ranks: an array of keys, or a list of them, gives each leaf its own
import jax
import jax.numpy as jnp


def keys_like(key, tree):
    leaves, treedef = jax.tree.flatten(tree)
    return jax.tree.unflatten(treedef, list(jax.random.split(key, len(leaves))))


def keys_of_structure(key, tree):
    structure = jax.tree.structure(tree)
    return structure.unflatten(jax.random.split(key, structure.num_leaves))


def perturb(params, key):
    return jax.tree.map(lambda p, k: p + jax.random.normal(k, p.shape), params, keys_like(key, params))


@jax.jit
def dither(params, key):
    keys = keys_of_structure(key, params)
    return jax.tree.map(lambda k, p: p + jax.random.uniform(k, p.shape), keys, params)


params = {"w": jnp.ones((3, 2)), "b": (jnp.ones(2), jnp.ones(()))}
print(perturb(params, jax.random.key(0)))
dither(params, jax.random.key(1))

# %% a tree of one key for leaves of several ranks
import jax
import jax.numpy as jnp


def perturb(params, key):
    leaves, treedef = jax.tree.flatten(params)
    keys = jax.tree.unflatten(treedef, [key for _ in leaves])
    return jax.tree.map(lambda p, k: p + jax.random.normal(k, p.shape), params, keys)  #! JAX302


perturb({"w": jnp.ones((3, 2)), "b": jnp.ones(2)}, jax.random.key(0))

# %% a tree of one key for equal leaves; keys of their own by a fold, by a stream and by a table of names
import itertools

import jax
import jax.numpy as jnp


def noise(tree, keys):
    return jax.tree.map(lambda p, k: jax.random.normal(k, p.shape), tree, keys)


def equal(key, tree):
    keys = jax.tree.map(lambda _: key, tree)
    return jax.tree.map(lambda p, k: jax.random.normal(k, p.shape), tree, keys)  #! JAX302


def folded(key, tree):
    counter = itertools.count()
    return noise(tree, jax.tree.map(lambda _: jax.random.fold_in(key, next(counter)), tree))


def streamed(key, tree):
    stream = iter(jax.random.split(key, len(tree)))
    return noise(tree, jax.tree.map(lambda _: next(stream), tree))


def named(key, tree):
    return noise(tree, dict(zip(sorted(tree), jax.random.split(key, len(tree)))))


def in_turn(key, tree):
    keys = {}
    for name in tree:
        key, keys[name] = jax.random.split(key)
    return noise(tree, keys)


tree = {"a": jnp.ones(2), "b": jnp.ones(2)}
first, *others = jax.random.split(jax.random.key(0), 5)
print(equal(first, tree))
for draw, key in zip((folded, streamed, named, in_turn), others):
    draw(key, tree)
    draw(jax.random.fold_in(key, 1), {"a": jnp.ones(2), "b": jnp.ones((2, 2))})

# %% a method that calls itself, and replaces the key of its object whenever it takes one
import jax


@jax.jit
def kept(memory, key):
    return jax.random.randint(key, (), 0, memory)


class Solver:
    def next_key(self):
        self.rng, key = jax.random.split(self.rng)
        return key

    def note(self):
        self.memory = kept(self.memory, self.next_key())

    def walk(self, state, player):
        if state.current_player() == player:
            for action in state.legal_actions():
                self.walk(state.child(action), player)
        else:
            self.note()


class Other(Solver):
    def __init__(self, seed):
        self.rng = jax.random.key(seed)
        self.memory = 5

    def walk_through(self, state, player):
        if state.is_terminal():
            return state.returns()
        if state.current_player() == player:
            found = 0.0
            for action in state.legal_actions():
                found += self.walk_through(state.child(action), player)
            self.note()
            return found
        self.note()
        return self.walk_through(state.child(0), player)

    def there(self, state):
        for action in state.legal_actions():
            self.back(state.child(action))
        self.note()

    def back(self, state):
        self.note()
        return self.there(state.child(0))

# %% a method that calls itself, and does not replace it
import jax


@jax.jit
def kept(memory, key):
    return memory + jax.random.randint(key, (), 0, 5)


class Solver:
    def __init__(self, seed):
        self.rng = jax.random.key(seed)
        self.memory = 0

    def note(self):
        self.memory = kept(self.memory, self.rng)

    def walk(self, state):
        for action in state.legal_actions():
            self.walk(state.child(action))  #! JAX302
            self.note()  #! JAX301

# %% what a loop of JAX runs over is a dict, or holds one: each turn has keys of its own
import jax


def sampled(key):
    xs = {"key": jax.random.split(key, 3), "scale": jax.numpy.ones(3)}
    return jax.lax.scan(lambda c, x: (c, x["scale"] * jax.random.gumbel(x["key"])), 0.0, xs)[1]


def mapped(key):
    xs = dict(part={"key": jax.random.split(key, 3)})
    return jax.lax.map(lambda x: jax.random.gumbel(x["part"]["key"]), xs)


def in_a_list(key):
    return jax.lax.map(lambda xs: jax.random.gumbel(xs[0]["key"]), [{"key": jax.random.split(key, 3)}])


def carried(key, count):
    def body(carry, _):
        return carry, jax.random.gumbel(carry["key"])  #! JAX302

    return jax.lax.scan(body, {"key": key}, None, length=count)


def closed_over(key, scales):
    held = {"key": key}
    return jax.lax.map(lambda scale: scale * jax.random.gumbel(held["key"]), scales)  #! JAX302

# %% keys that a function replaces where others have put them: in a dict, a class, a module, by another name
import dataclasses

import jax

KEYS = {"env": jax.random.key(0), "policy": jax.random.key(1)}
KEY = jax.random.key(2)
LAST = jax.random.key(3)


def of_dict(name):
    KEYS[name], sub = jax.random.split(KEYS[name])
    return sub


def of_module():
    global KEY
    KEY, sub = jax.random.split(KEY)
    return sub


def of_variables():
    new, sub = jax.random.split(LAST)
    globals()["LAST"] = new
    return sub


class Ring:
    def __init__(self, seed, names):
        self.keys = dict(zip(names, jax.random.split(jax.random.key(seed), len(names))))

    def take(self, name):
        key, sub = jax.random.split(self.keys[name])
        self.keys[name] = key
        return sub


class Shared:
    key = jax.random.key(10)

    @classmethod
    def take(cls):
        cls.key, sub = jax.random.split(cls.key)
        return sub


@dataclasses.dataclass(frozen=True)
class Frozen:
    key: jax.Array

    def __call__(self):
        key, sub = jax.random.split(self.key)
        object.__setattr__(self, "key", key)
        return sub


class Plain:
    def __init__(self):
        self.key = jax.random.key(11)

    def take(self):
        new, sub = jax.random.split(self.key)
        vars(self)["key"] = new
        return sub

    def next(self):
        new, sub = jax.random.split(self.key)
        self.__dict__.update(key=new)
        return sub


class Agent:
    def __init__(self, seed):
        self.state = dict(rng=jax.random.key(seed), step=0)
        self.keys = [jax.random.key(seed + 1)]

    def update(self):
        rng, sub = jax.random.split(self.state["rng"])
        self.state.update(rng=rng, step=self.state["step"] + 1)
        return sub

    def merge(self):
        rng, sub = jax.random.split(self.state["rng"])
        self.state |= {"rng": rng}
        return sub

    def append(self):
        key, sub = jax.random.split(self.keys[-1])
        self.keys.append(key)
        return sub


agent = Agent(13)
ring, frozen, plain = Ring(12, ["env", "policy"]), Frozen(jax.random.key(4)), Plain()


def noisy(x):
    return x + jax.random.normal(of_module()) + jax.random.normal(ring.take("env"))


drawn = [noisy(0.0) for _ in range(3)]
for _ in range(3):
    drawn.append(jax.random.normal(of_dict("policy")))
    drawn.append(jax.random.normal(of_module()))
    drawn.append(jax.random.normal(of_variables()))
    drawn.append(jax.random.normal(ring.take("policy")))
    drawn.append(jax.random.normal(Shared.take()))
    drawn.append(jax.random.normal(frozen()))
    drawn.append(jax.random.normal(plain.take()))
    drawn.append(jax.random.normal(plain.next()))
    drawn.append(jax.random.normal(agent.update()))
    drawn.append(jax.random.normal(agent.merge()))
    drawn.append(jax.random.normal(agent.append()))
drawn += [jax.random.normal(ring.take("env")), jax.random.normal(ring.take("env"))]
assert len(set(map(float, drawn))) == len(drawn)

# %% keys that a function only reads where others have put them
import jax

KEYS = {"env": jax.random.key(0), "policy": jax.random.key(1)}


def of_dict(name):
    return jax.random.fold_in(KEYS[name], 1)


class Ring:
    def __init__(self):
        self.keys = {"env": jax.random.key(2), "policy": jax.random.key(3)}

    def take(self, name):
        _, sub = jax.random.split(self.keys[name])
        return sub


ring = Ring()
for _ in range(3):
    print(jax.random.normal(of_dict("policy")))  #! JAX302
    print(jax.random.normal(ring.take("policy")))  #! JAX302

# %% a state of keys whose copies are made by functions that are called in more ways than are told apart
from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass
class State:
    u: jax.Array
    key: jax.Array


def shifted(state, steps):
    return replace(state, u=jnp.roll(state.u, -steps))


def command(state, n, steps, shift=True):
    key, sub = jax.random.split(state.key)
    new = replace(state, u=state.u + jax.random.normal(sub, (n,)), key=key)
    if shift:
        new = shifted(new, steps)
    return new.u, new


def run(state, steps):
    def body(carry, _):
        x, state = carry
        for step in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13):
            action, state = command(state, 3, step)
            x = x + action
        return (x, state), x

    return jax.lax.scan(body, (jnp.zeros(3), state), None, length=2)[1]


run(State(jnp.zeros(3), jax.random.key(0)), 1)

# %% numbers of an enumeration, which name streams
import enum

import jax


class Stream(enum.IntEnum):
    PARAMS = 0
    NOISE = 1


def of(key, stream, step=None):
    key = jax.random.fold_in(key, int(stream))
    return key if step is None else jax.random.fold_in(key, step)


key = jax.random.key(0)
drawn = [jax.random.normal(of(key, Stream.PARAMS))]
for step in range(3):
    drawn.append(jax.random.normal(of(key, Stream.NOISE, step)))
for step in range(3):
    drawn.append(jax.random.normal(jax.random.fold_in(key, Stream.NOISE)))  #! JAX302

# %% ok: each dict, list or object that a loop goes through has a key of its own
import jax
import jax.numpy as jnp


def loader(x, key):
    count = len(x) // 2
    keys = jax.random.split(key, count)
    for i in range(count):
        yield {"key": keys[i], "x": x[i]}


class Loader:
    def __init__(self, x, key):
        self.x, self.key = x, key

    def __iter__(self):
        for key in jax.random.split(self.key, len(self.x)):
            yield [key]


def batches(x, key):
    return [{"key": key} for key in jax.random.split(key, len(x))]


total = 0.0
for batch in loader(jnp.ones(4), jax.random.key(0)):
    total = total + jax.random.normal(batch["key"]) * batch["x"]
for batch in Loader(jnp.ones(4), jax.random.key(1)):
    total = total + jax.random.normal(batch[0])
for batch in batches(jnp.ones(4), jax.random.key(2)):
    total = total + jax.random.normal(batch["key"])
print(total)

# %% the key of one of them is consumed twice
import jax
import jax.numpy as jnp


def loader(x, key):
    for each in jax.random.split(key, len(x)):
        yield {"key": each}


total = 0.0
for batch in loader(jnp.ones(4), jax.random.key(0)):
    noise = jax.random.normal(batch["key"])
    total = total + noise * jax.random.normal(batch["key"])  #! JAX301
print(total)

# %% a compiled step gives back the key that the state came with
import argparse

import jax
import jax.numpy as jnp
import optax
from flax.training import train_state


class TrainState(train_state.TrainState):
    key: jax.Array


def created():
    return TrainState.create(apply_fn=None, params={"w": jnp.ones(3)}, tx=optax.sgd(0.1), key=jax.random.key(0))  #! JAX303


@jax.jit
def train_step(state, batch, key):
    def loss_fn(params):
        return jnp.mean((params["w"] * batch + jax.random.normal(key, batch.shape)) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


@jax.jit
def moving_step(state, batch):
    key, sub = jax.random.split(state.key)
    grads = jax.grad(lambda params: jnp.mean((params["w"] * batch + jax.random.normal(sub, batch.shape)) ** 2))(state.params)
    return state.apply_gradients(grads=grads, key=key)


def main(steps):
    state = created()
    for _ in range(steps):
        state, loss = train_step(state, jnp.ones(3), state.key)  #! JAX302
    return loss


def folded(steps):
    state = created()
    for step in range(steps):
        state, loss = train_step(state, jnp.ones(3), jax.random.fold_in(state.key, step))
    return loss


def replaced(steps):
    state = created()
    for _ in range(steps):
        key, sub = jax.random.split(state.key)
        state, loss = train_step(state.replace(key=key), jnp.ones(3), sub)
    return loss


def moved(steps):
    state = created()
    for _ in range(steps):
        state = moving_step(state, jnp.ones(3))
    return state.params


parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=3)
steps = parser.parse_args([]).steps
print(main(steps), folded(steps), replaced(steps), moved(steps))

# %% workers of a pool are all given the same key
from concurrent.futures import ThreadPoolExecutor, as_completed

import jax


def draw(key, scale):
    return scale * jax.random.normal(key, (2,))


def sampled(key, scales):
    with ThreadPoolExecutor(max_workers=2) as pool:
        futures = [pool.submit(draw, key, scale) for scale in scales]  #! JAX302
        return [future.result() for future in as_completed(futures)]


def mapped(key, scales):
    with ThreadPoolExecutor() as pool:
        return list(pool.map(lambda scale: draw(key, scale), scales))  #! JAX302


print(sampled(jax.random.key(0), [1.0, 2.0]), mapped(jax.random.key(1), [1.0, 2.0]))

# %% workers of a pool, and threads, each with a key of their own
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.pool import ThreadPool

import jax


def draw(key, scale):
    return scale * jax.random.normal(key, (2,))


def sampled(key, scales):
    with ThreadPoolExecutor(max_workers=2) as pool:
        futures = [
            pool.submit(draw, jax.random.fold_in(key, number), scale) for number, scale in enumerate(scales)
        ]
        return [future.result() for future in futures]


def mapped(key, scales):
    keys = jax.random.split(key, len(scales))
    with ThreadPoolExecutor() as pool:
        return list(pool.map(draw, keys, scales))


def starmapped(key, scales):
    keys = jax.random.split(key, len(scales))
    with ThreadPool(2) as pool:
        return pool.starmap(draw, zip(keys, scales))


def threaded(key, scales):
    found = {}

    def work(key, scale):
        found[scale] = draw(key, scale)

    threads = []
    for scale in scales:
        key, own = jax.random.split(key)
        threads.append(threading.Thread(target=work, args=(own, scale)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


scales = [1.0, 2.0, 3.0]
print(sampled(jax.random.key(0), scales), mapped(jax.random.key(1), scales))
print(starmapped(jax.random.key(2), scales), threaded(jax.random.key(3), scales))

# %% threads that are given one key
import threading

import jax


def threaded(key, scales):
    found = {}

    def work(key, scale):
        found[scale] = scale * jax.random.normal(key, (2,))

    for scale in scales:
        thread = threading.Thread(target=work, args=(key, scale))  #! JAX302
        thread.start()
        thread.join()
    return found


print(threaded(jax.random.key(0), [1.0, 2.0]))

# %% a function makes a thread for each key that it is given
import threading

import jax


def make_worker(key, found):
    def work(key):
        key, own = jax.random.split(key)
        found.append(jax.random.normal(own, (2,)))

    return threading.Thread(target=work, args=(key,))


def threaded(key, count):
    found = []
    for _ in range(count):
        key, own = jax.random.split(key)
        worker = make_worker(own, found)
        worker.start()
        worker.join()
    return found


print(threaded(jax.random.key(0), 3))

# %% objects that are all made with one key, and draw later
import dataclasses

import jax


@dataclasses.dataclass
class Layer:
    key: jax.Array
    width: int

    def init(self):
        return jax.random.normal(self.key, (self.width, self.width))


class Walker:
    def __init__(self, key):
        self.key = key

    def draw(self):
        return jax.random.normal(self.key)


class Team:
    def __init__(self, key, count):
        self.walkers = [Walker(key) for _ in range(count)]

    def step(self):
        return [walker.draw() for walker in self.walkers]  #! JAX302


def build(key, widths):
    layers = [Layer(key, width) for width in widths]
    return [layer.init() for layer in layers]  #! JAX302


Other = Walker


def direct(key, count):
    walkers = [Other(key) for _ in range(count)]
    return [jax.random.normal(walker.key) for walker in walkers]  #! JAX302


print(build(jax.random.key(0), (2, 2)), direct(jax.random.key(2), 2), Team(jax.random.key(3), 2).step())

# %% objects that loops make with one key, whatever the key is
import jax


class Walker:
    def __init__(self, key):
        self.key = key

    def draw(self):
        return jax.random.normal(self.key)


def walk(key):
    walkers = []
    for _ in range(3):
        walkers.append(Walker(key))
    drawn = []
    for walker in walkers:
        drawn.append(walker.draw())  #! JAX302
    return drawn


class Planner:
    def __init__(self, key, width):
        self.key = key
        self.width = width

    def plan(self):
        first, second = jax.random.split(self.key)
        return jax.random.normal(first) + jax.random.uniform(second)


planners = []
key = jax.random.key(0)
for width in (1, 2):
    planners.append(Planner(key, width))
print([planner.plan() for planner in planners])  #! JAX302

# %% objects that are made with one key, of which each draws with another one
import jax


class Walker:
    def __init__(self, key, number=0, name=""):
        self.key = key
        self.number = number
        self.name = name

    def draw(self):
        return jax.random.normal(self.key)

    def own(self):
        return jax.random.normal(jax.random.fold_in(self.key, self.number))

    def named(self):
        return jax.random.normal(jax.random.fold_in(self.key, sum(map(ord, self.name))))

    def at(self, step):
        return jax.random.normal(jax.random.fold_in(self.key, step))

    def reset(self, key):
        self.key = key


def numbered(key):
    walkers = [Walker(key, number) for number in range(3)]
    return [walker.own() for walker in walkers]


def named(key):
    walkers = [Walker(key, name=name) for name in ("a", "b")]
    return [walker.named() for walker in walkers], [walker.at(n) for n, walker in enumerate(walkers)]


def set_later(key):
    walkers = [Walker(key) for _ in range(3)]
    for number, walker in enumerate(walkers):
        walker.key = jax.random.fold_in(key, number)
    return [walker.draw() for walker in walkers]


def reset_later(key):
    walkers = [Walker(key) for _ in range(3)]
    for walker, own in zip(walkers, jax.random.split(key, 3)):
        walker.reset(own)
    return [walker.draw() for walker in walkers]


def folded_first(key):
    walkers = []
    for number in range(3):
        walker = Walker(key)
        walker.key = jax.random.fold_in(walker.key, number)
        walkers.append(walker)
    return [walker.draw() for walker in walkers]


print(numbered(jax.random.key(0)), named(jax.random.key(1)), set_later(jax.random.key(2)))
print(reset_later(jax.random.key(3)), folded_first(jax.random.key(4)))

# %% one of the objects of a list, and lists that are made with a key each
import jax


class Walker:
    def __init__(self, key):
        self.key = key

    def draw(self):
        return jax.random.normal(self.key)


def make(key):
    return [Walker(key) for _ in range(1)]


def first(key):
    walkers = [Walker(key) for _ in range(3)]
    return walkers[0].draw()


def of_each(keys):
    walkers = []
    for key in keys:
        walkers += make(key)
    return [walker.draw() for walker in walkers]


def nested(key):
    drawn = []
    for _ in range(3):
        key, own = jax.random.split(key)
        walkers = [Walker(own) for _ in range(2)]
        drawn.append(walkers[0].draw())
    return drawn


one, other = make(jax.random.key(0))[0], make(jax.random.key(1))[0]
print(one.draw() - other.draw(), first(jax.random.key(2)) + first(jax.random.key(3)))
print(of_each(jax.random.split(jax.random.key(4), 3)), nested(jax.random.key(5)))

# %% flags that each turn sets anew: what they say to begin with holds in many turns, the other in some
import jax


def walk(key, rows):
    drawn = []
    for row in rows:
        is_done = False
        for each in row:
            if each > 1:
                is_done = True
                break
        if is_done:
            continue
        drawn.append(jax.random.normal(key))  #! JAX302
    return drawn


def found(key, rows):
    for row in rows:
        is_there = False
        if row == [1]:
            is_there = True
        if is_there:
            return jax.random.normal(key)
    return None


def first(key, rows):
    is_first = True
    for row in rows:
        if is_first:
            row = jax.random.normal(key)
        is_first = False
    return row


print(walk(jax.random.key(0), [[0], [1]]), found(jax.random.key(1), [[1]]), first(jax.random.key(2), [[0]]))

# %% objects with one key of which what they are says whether, and how, they draw
import copy
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Init:
    key: jax.Array
    kind: str

    def make(self, shape):
        if self.kind == "zeros":
            return jnp.zeros(shape)
        return jax.random.normal(self.key, shape)

    def looked_up(self, shape):
        table = {"zeros": lambda: jnp.zeros(shape), "normal": lambda: jax.random.normal(self.key, shape)}
        return table[self.kind]()


class Row:
    def __init__(self, key, number, sampler):
        self.key = key
        self.number = number
        self.sampler = sampler

    def values(self):
        return jax.random.normal(self.key, (4, 3))[self.number]

    def sampled(self):
        return self.sampler(self.key, (2,))


def zeros(key, shape):
    return jnp.zeros(shape)


def made(key):
    inits = [Init(key, kind) for kind in ("zeros", "normal")]
    return [each.make((2,)) for each in inits], [each.looked_up((2,)) for each in inits]


def rows(key):
    found = [Row(key, number, sampler) for number, sampler in enumerate((zeros, jax.random.normal))]
    return [each.values() for each in found], [each.sampled() for each in found]


def copies(key):
    first = Row(key, 0, zeros)
    found = [copy.copy(first) for _ in range(3)]
    for number, each in enumerate(found):
        each.key = jax.random.fold_in(key, number)
    return [each.values() for each in found]


def deep_copies(key):
    first = Init(key, "normal")
    found = []
    for own in jax.random.split(key, 3):
        each = copy.deepcopy(first)
        each.key = own
        found.append(each)
    return [each.make((2,)) for each in found]


print(made(jax.random.key(0)), rows(jax.random.key(1)), copies(jax.random.key(2)))
print(deep_copies(jax.random.key(3)))

# %% copies of one object that keep its key
import copy

import jax


class Walker:
    def __init__(self, key):
        self.key = key

    def draw(self):
        return jax.random.normal(self.key)


def walk(key):
    first = Walker(key)
    walkers = [copy.copy(first) for _ in range(3)]
    return [walker.draw() for walker in walkers]  #! JAX302


print(walk(jax.random.key(0)))

# %% objects with one key that split it before they draw
import jax


class Worker:
    def __init__(self, key):
        self.key = key

    def draw(self):
        self.key, own = jax.random.split(self.key)
        return jax.random.normal(own)


class Actor:
    def __init__(self, key, name):
        self.key = key
        self.name = name

    def act(self, observation):
        self.key, own = jax.random.split(self.key)
        return observation + jax.random.normal(own)


def drawn(key, rounds):
    workers = [Worker(key) for _ in range(3)]
    found = []
    for _ in range(rounds):
        for worker in workers:
            found.append(worker.draw())  #! JAX302
    return found


def acted(key, observation):
    actors = [Actor(key, name) for name in ("a", "b")]
    return [actor.act(observation) for actor in actors]  #! JAX302


print(drawn(jax.random.key(0), 2), acted(jax.random.key(1), 1.0))

# %% one of the objects draws again and again, and objects that get keys before they split them
import jax


class Worker:
    def __init__(self, key):
        self.key = key

    def reset(self, key):
        self.key = key

    def draw(self):
        self.key, own = jax.random.split(self.key)
        return jax.random.normal(own)


def first(key, rounds):
    workers = [Worker(key) for _ in range(3)]
    return [workers[0].draw() for _ in range(rounds)], workers[0].draw() + workers[0].draw()


def reset(key):
    workers = [Worker(key) for _ in range(3)]
    for worker, own in zip(workers, jax.random.split(key, 3)):
        worker.reset(own)
    return [worker.draw() for worker in workers]


def apart(keys):
    workers = [Worker(key) for key in keys]
    return [worker.draw() for worker in workers]


print(first(jax.random.key(0), 3), reset(jax.random.key(1)), apart(jax.random.split(jax.random.key(2), 3)))

# %% the object that holds the key is replaced in the branch that splits it
import jax
import jax.numpy as jnp


class Stream:
    def __init__(self, key):
        self.key = key

    def pull(self):
        key, subkey = jax.random.split(self.key)
        return Stream(key), subkey


def step(stream, samples):
    stream, subkey = stream.pull()
    return samples + jax.random.normal(subkey, samples.shape), stream


def generate(steps, stream):
    samples = jnp.zeros(3)
    for i in range(steps):
        if i != steps - 1:
            samples, stream = step(stream, samples)
        else:
            samples = samples * 0.5
    return samples


print(generate(4, Stream(jax.random.PRNGKey(42))))

# %% the same, where the object with the next key is dropped
import jax
import jax.numpy as jnp


class Stream:
    def __init__(self, key):
        self.key = key

    def pull(self):
        key, subkey = jax.random.split(self.key)
        return Stream(key), subkey


def step(stream, samples):
    stream, subkey = stream.pull()
    return samples + jax.random.normal(subkey, samples.shape), stream


def generate(steps, stream):
    samples = jnp.zeros(3)
    for i in range(steps):
        if i != steps - 1:
            samples, _ = step(stream, samples)  #! JAX302
        else:
            samples = samples * 0.5
    return samples


print(generate(4, Stream(jax.random.PRNGKey(42))))

# %% a stream of keys that is made of one key in each epoch
import jax


def stream(key):
    while True:
        key, subkey = jax.random.split(key)
        yield subkey


def epochs(key, count):
    total = 0.0
    for _ in range(count):
        keys = stream(key)  #! JAX302
        for _ in range(2):
            total += jax.random.normal(next(keys))
    return total


class Loader:
    def stream(self, key):
        with jax.default_matmul_precision("float32"):
            while True:
                key, subkey = jax.random.split(key)
                yield subkey


def noises(key, loader, count):
    found = []
    for _ in range(count):
        keys = loader.stream(key)  #! JAX302
        found.append(jax.random.normal(next(keys), (4,)))
    return found


print(epochs(jax.random.key(0), 3), noises(jax.random.key(1), Loader(), 2))

# %% a stream of keys that is made once, or of another key each time, or handed on
import jax


def stream(key):
    while True:
        key, subkey = jax.random.split(key)
        yield subkey


def once(key, count):
    keys = stream(key)
    total = jax.random.normal(next(keys)) + jax.random.normal(next(keys))
    for _ in range(count):
        total += jax.random.normal(next(keys))
    return total + sum([jax.random.normal(next(keys)) for _ in range(count)])


def split_each(key, count):
    total = 0.0
    for _ in range(count):
        key, subkey = jax.random.split(key)
        keys = stream(subkey)
        total += jax.random.normal(next(keys)) + jax.random.normal(next(keys))
    return total


def draw(keys):
    return jax.random.normal(next(keys))


class Worker:
    def __init__(self, key):
        self.keys = stream(key)

    def draw(self):
        return jax.random.normal(next(self.keys))


def handed(key, count):
    keys = stream(key)
    return draw(keys) + draw(keys) + sum(draw(keys) for _ in range(count))


worker = Worker(jax.random.key(3))
print(once(jax.random.key(0), 3), split_each(jax.random.key(1), 2), handed(jax.random.key(2), 2))
print(worker.draw(), worker.draw(), [worker.draw() for _ in range(3)])

# %% a generator that may yield a key of another kind first, and one that skips the first
import jax


def stream(key, warm):
    if warm:
        yield key
    while True:
        key, subkey = jax.random.split(key)
        yield subkey


def epochs(key, count):
    total = 0.0
    for epoch in range(count):
        keys = stream(jax.random.fold_in(key, epoch), epoch > 1)
        total += jax.random.normal(next(keys))
    return total


print(epochs(jax.random.key(0), 3))

# %% a function that calls itself hands on the key that it has drawn from, or hands one on twice
import jax
import jax.numpy as jnp


def like(key, tree):
    if isinstance(tree, dict):
        return {name: like(key, each) for name, each in tree.items()}  #! JAX302
    return jax.random.normal(key, tree.shape)


def layers(key, sizes):
    if len(sizes) < 2:
        return []
    return [jax.random.normal(key, (sizes[0], sizes[1]))] + layers(key, sizes[1:])  #! JAX301


def grow(key, depth):
    if depth == 0:
        return 0.0
    own, left, right = jax.random.split(key, 3)  #! JAX310
    return jax.random.normal(own) + grow(left, depth - 1) + grow(left, depth - 1)  #! JAX301


print(like(jax.random.key(0), {"a": jnp.ones(2), "b": {"c": jnp.ones(2)}}))
print(layers(jax.random.key(1), [2, 2, 2]), grow(jax.random.key(2), 3))

# %% a step that gives back the next state of one that the caller makes: the loop does not put it back, or does
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import jax


class Walk(NamedTuple):
    key: Any
    place: float


@dataclass
class Model:
    key: Any
    count: int


def step(walk):
    key, sub = jax.random.split(walk.key)
    return Walk(key, walk.place + jax.random.normal(sub))


def move(walk):
    key, sub = jax.random.split(walk["key"])
    return {"key": key, "place": walk["place"] + jax.random.normal(sub)}


def change(walk):
    walk["key"], sub = jax.random.split(walk["key"])
    return walk["place"] + jax.random.normal(sub)


def counted(model):
    return jax.random.normal(jax.random.fold_in(model.key, model.count))


def lost(seed):
    walk = Walk(jax.random.key(seed), 0.0)
    return [step(walk).place for _ in range(3)]  #! JAX302


def lost_dict(seed):
    walk, places = {"key": jax.random.key(seed), "place": 0.0}, []
    for _ in range(3):
        places.append(move(walk)["place"])  #! JAX302
    return places


def kept(seed):
    walk, places = Walk(jax.random.key(seed), 0.0), []
    for _ in range(3):
        walk = step(walk)
        places.append(walk.place)
    return places


def kept_dict(seed):
    walk, places = {"key": jax.random.key(seed), "place": 0.0}, []
    for _ in range(3):
        walk = move(walk)
        places.append(walk["place"])
    return places


def changed(seed):
    walk = {"key": jax.random.key(seed), "place": 0.0}
    return [change(walk) for _ in range(3)]


def made_in_turn(seed):
    keys = jax.random.split(jax.random.key(seed), 3)
    return [step(Walk(key, 0.0)).place for key in keys]


def by_count(seed):
    model, noise = Model(jax.random.key(seed), 0), []
    for _ in range(3):
        noise.append(counted(model))
        model = replace(model, count=model.count + 1)
    return noise


def by_one_count(seed):
    model = Model(jax.random.key(seed), 0)
    return [counted(model) for _ in range(3)]  #! JAX302


lost(0)
lost_dict(1)
kept(2)
kept_dict(3)
changed(4)
made_in_turn(5)
by_count(6)
by_one_count(7)

# %% a function that calls itself with keys of their own
import jax
import jax.numpy as jnp


def like(key, tree):
    if isinstance(tree, dict):
        keys = jax.random.split(key, len(tree))
        return {name: like(own, each) for own, (name, each) in zip(keys, tree.items())}
    return jax.random.normal(key, tree.shape)


def layers(key, sizes):
    if len(sizes) < 2:
        return []
    key, own = jax.random.split(key)
    return [jax.random.normal(own, (sizes[0], sizes[1]))] + layers(key, sizes[1:])


def grow(key, depth):
    if depth == 0:
        return jax.random.normal(key)
    left, right = jax.random.split(key)
    return grow(left, depth - 1) + grow(right, depth - 1)


def retried(key, count):
    key, own = jax.random.split(key)
    value = jax.random.normal(own)
    return retried(key, count - 1) if count and value < 0 else value


def either(key, depth):
    if depth > 2:
        return jax.random.normal(key)
    if depth % 2:
        return either(key, depth + 1)
    return -either(key, depth + 2)


class Tree:
    def __init__(self, key):
        self.key = key

    def sample(self, depth):
        self.key, own = jax.random.split(self.key)
        value = jax.random.normal(own)
        return value if depth == 0 else value + self.sample(depth - 1) + self.sample(depth - 1)


print(like(jax.random.key(0), {"a": jnp.ones(2), "b": {"c": jnp.ones(2)}}))
print(layers(jax.random.key(1), [2, 2, 2]), grow(jax.random.key(2), 3), retried(jax.random.key(3), 3))
print(either(jax.random.key(4), 0), Tree(jax.random.key(5)).sample(2))

# %% one order for each epoch: the number of the epoch is given and not read
import jax
import numpy as np


class Loader:
    def __init__(self, rows, seed=0):
        self.rows = rows
        self.key = jax.random.key(seed)

    def epoch(self, number):
        order = np.asarray(jax.random.permutation(self.key, len(self.rows)))
        for place in order:
            yield self.rows[place]


loader = Loader(np.arange(8))
orders = []
for number in range(3):
    orders.append(list(loader.epoch(number)))  #! JAX302
assert orders[0] == orders[1]

# %% one order for one array after another, by a method and by a function that do not read all they are given
import jax
import jax.numpy as jnp


class Shuffler:
    def __init__(self, seed=0):
        self.key = jax.random.key(seed)

    def shuffled(self, rows, name):
        return jax.random.permutation(self.key, rows)


def shuffled(key, name, rows):
    return jax.random.permutation(key, rows)


shuffler, key = Shuffler(), jax.random.key(1)
features, labels = jnp.arange(8.0), jnp.arange(8)
for name, rows in (("features", features), ("labels", labels)):
    print(shuffler.shuffled(rows, name))
for name, rows in (("features", features), ("labels", labels)):
    print(shuffled(key, name, rows))

# %% keys of a long array by the number of an iteration, of one key in each iteration around
import jax

N = 9
key = jax.random.key(0)
for epoch in range(2):
    keys = jax.random.split(key, N)  #! JAX302
    print([float(jax.random.normal(keys[i])) for i in range(N)])

# %% a state that a loop of unknown body carries on, and that is one of two: its key is another one
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    key: jax.Array
    mean: jax.Array


def step(state, advance):
    return jax.lax.fori_loop(0, 2, lambda _, state: advance(state), state)


def train(seed, count, advance):
    state = State(jax.random.key(seed), jnp.zeros(()))
    if seed > 3:
        state = dataclasses.replace(state, mean=jnp.ones(()))
    for _ in range(count):
        state = step(state, advance)
        print(jax.random.normal(state.key))


def advance(state):
    key, sub = jax.random.split(state.key)
    return State(key, state.mean + jax.random.normal(sub))


train(0, 3, vars()["advance"])

# %% a state that is made anew by its class: with the key that was spent, and with the next one
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    x: jax.Array
    key: jax.Array


def spent(state, _):
    noise = jax.random.normal(state.key)  #! JAX302
    return State(state.x + noise, state.key), noise


def spent_by_name(state):
    noise = jax.random.normal(state.key)  #! JAX302
    return State(key=state.key, x=state.x + noise)


def renewed(state, _):
    key, sub = jax.random.split(state.key)
    noise = jax.random.normal(sub)
    return State(state.x + noise, key), noise


def eager(state):
    noise = jax.random.normal(state.key)
    return State(state.x + noise, state.key)


def advanced(state):
    key, sub = jax.random.split(state.key)
    return State(state.x + jax.random.normal(sub), key)


jax.lax.scan(spent, State(jnp.zeros(()), jax.random.key(0)), None, 3)
jax.lax.while_loop(lambda s: s.x > 100, spent_by_name, State(jnp.zeros(()), jax.random.key(1)))
jax.lax.scan(renewed, State(jnp.zeros(()), jax.random.key(2)), None, 3)
state = State(jnp.zeros(()), jax.random.key(3))
for _ in range(3):
    state = eager(state)  #! JAX302
state = State(jnp.zeros(()), jax.random.key(4))
for _ in range(3):
    state = advanced(state)
print(state.x)

# %% what a benchmark draws each time is the same
import time

import jax
import jax.numpy as jnp


class Trainer:
    def update(self, values, key):
        return values * jax.random.uniform(key)


def benchmark(trainer, key):
    start = time.perf_counter()
    for _ in range(3):
        values = jax.random.normal(key, (8,))
        trainer.update(values, key)
    return 3 / (time.perf_counter() - start)


def train(key):
    x = jnp.zeros(8)
    start = time.perf_counter()
    for _ in range(3):
        x += jax.random.normal(key, (8,))  #! JAX302
    return x, 3 / (time.perf_counter() - start)


print(benchmark(Trainer(), jax.random.key(0)), train(jax.random.key(1)))

# %% each turn of `lax.map` and `lax.scan` has the keys of its own row of a record
import chex
import jax
import jax.numpy as jnp
from flax import struct


@chex.dataclass
class State:
    key: jax.Array
    x: jax.Array


@struct.dataclass
class Game:
    key: jax.Array
    x: jax.Array


def drawn(state):
    key, _ = jax.random.split(state.key)
    return jax.random.normal(key) + state.x


def drawn_again(state):
    return jax.random.normal(state.key) + jax.random.normal(state.key)  #! JAX301


@jax.jit
def mapped(state):
    return jax.lax.map(drawn, state)


@jax.jit
def scanned(state):
    return jax.lax.scan(lambda carry, row: (carry, drawn(*row)), 0, (state,))[1]


def of_one_key(key):
    return jax.lax.map(lambda x: jax.random.normal(key) + x, jnp.ones(3))  #! JAX302


def state_of(seed):
    return State(key=jax.random.split(jax.random.key(seed), 3), x=jnp.ones(3))


def game_of(seed):
    return Game(jax.random.split(jax.random.key(seed), 3), jnp.ones(3))


print(mapped(state_of(0)), mapped(game_of(1)), scanned(state_of(2)), scanned(game_of(3)))
print(jax.vmap(drawn)(state_of(4)), of_one_key(jax.random.key(5)))
print(jax.lax.map(drawn_again, state_of(6)))

# %% a method of more objects than are told apart draws with the key that another object keeps anew
import jax


class Random:
    def __init__(self, seed):
        self._key = jax.random.key(seed)

    @property
    def rng(self):
        self._key, key = jax.random.split(self._key)
        return key


class Policy(Random):
    def __init__(self, seed, width):
        super().__init__(seed)
        self.width = width


class Objective:
    def __init__(self, policy):
        if not isinstance(policy, Policy):
            raise TypeError("no policy")
        self._policy = policy

    def update(self, batch):
        return batch + jax.random.normal(self._policy.rng, (self._policy.width,))


first = Objective(Policy(0, 1))
second = Objective(Policy(1, 2))
third = Objective(Policy(2, 3))
fourth = Objective(Policy(3, 4))
fifth = Objective(Policy(4, 5))
sixth = Objective(Policy(5, 6))
seventh = Objective(Policy(6, 7))
eighth = Objective(Policy(7, 8))
ninth = Objective(Policy(8, 9))
tenth = Objective(Policy(9, 10))
eleventh = Objective(Policy(10, 11))
twelfth = Objective(Policy(11, 12))
thirteenth = Objective(Policy(12, 13))

for batch in range(2):
    print(first.update(batch))

for batch in range(2):
    print(second.update(batch))

for batch in range(2):
    print(third.update(batch))

for batch in range(2):
    print(fourth.update(batch))

for batch in range(2):
    print(fifth.update(batch))

for batch in range(2):
    print(sixth.update(batch))

for batch in range(2):
    print(seventh.update(batch))

for batch in range(2):
    print(eighth.update(batch))

for batch in range(2):
    print(ninth.update(batch))

for batch in range(2):
    print(tenth.update(batch))

for batch in range(2):
    print(eleventh.update(batch))

for batch in range(2):
    print(twelfth.update(batch))

for batch in range(2):
    print(thirteenth.update(batch))

# %% and with the key that this one gives again and again
import jax


class Random:
    def __init__(self, seed):
        self._key = jax.random.key(seed)

    @property
    def rng(self):
        _, key = jax.random.split(self._key)
        return key


class Policy(Random):
    def __init__(self, seed, width):
        super().__init__(seed)
        self.width = width


class Objective:
    def __init__(self, policy):
        if not isinstance(policy, Policy):
            raise TypeError("no policy")
        self._policy = policy

    def update(self, batch):
        return batch + jax.random.normal(self._policy.rng, (self._policy.width,))


first = Objective(Policy(0, 1))
second = Objective(Policy(1, 2))
third = Objective(Policy(2, 3))
fourth = Objective(Policy(3, 4))
fifth = Objective(Policy(4, 5))
sixth = Objective(Policy(5, 6))
seventh = Objective(Policy(6, 7))
eighth = Objective(Policy(7, 8))
ninth = Objective(Policy(8, 9))
tenth = Objective(Policy(9, 10))
eleventh = Objective(Policy(10, 11))
twelfth = Objective(Policy(11, 12))
thirteenth = Objective(Policy(12, 13))

for batch in range(2):
    print(first.update(batch))  #! JAX302

for batch in range(2):
    print(second.update(batch))

for batch in range(2):
    print(third.update(batch))

for batch in range(2):
    print(fourth.update(batch))

for batch in range(2):
    print(fifth.update(batch))

for batch in range(2):
    print(sixth.update(batch))

for batch in range(2):
    print(seventh.update(batch))

for batch in range(2):
    print(eighth.update(batch))

for batch in range(2):
    print(ninth.update(batch))

for batch in range(2):
    print(tenth.update(batch))

for batch in range(2):
    print(eleventh.update(batch))

for batch in range(2):
    print(twelfth.update(batch))

for batch in range(2):
    print(thirteenth.update(batch))

# %% the key of a carry that a method or a function puts into a copy
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Chain:
    x: jax.Array
    key: jax.Array

    def advance(self, x, key):
        return dataclasses.replace(self, x=x, key=key)

    def made(self, x, key):
        return Chain(x, key)

    def kept(self, x):
        return dataclasses.replace(self, x=x)


def advance(c, x, key):
    return dataclasses.replace(c, x=x, key=key)


def made(x, key):
    return Chain(x, key)


def walk1(c, _):
    key, sub = jax.random.split(c.key)  #! JAX302
    x = c.x + jax.random.normal(sub)
    return c.advance(x, c.key), x


def walk2(c, _):
    key, sub = jax.random.split(c.key)  #! JAX302
    x = c.x + jax.random.normal(sub)
    return c.made(x, c.key), x


def walk3(c, _):
    key, sub = jax.random.split(c.key)  #! JAX302
    x = c.x + jax.random.normal(sub)
    return c.kept(x), x


def walk4(c, _):
    key, sub = jax.random.split(c.key)  #! JAX302
    x = c.x + jax.random.normal(sub)
    return advance(c, x, c.key), x


def walk5(c, _):
    key, sub = jax.random.split(c.key)  #! JAX302
    x = c.x + jax.random.normal(sub)
    return made(x, c.key), x


def walk6(c, _):
    key, sub = jax.random.split(c.key)
    x = c.x + jax.random.normal(sub)
    return c.advance(x, key), x


print(jax.lax.scan(walk1, Chain(jnp.zeros(()), jax.random.key(0)), length=4)[1])
print(jax.lax.scan(walk2, Chain(jnp.zeros(()), jax.random.key(0)), length=4)[1])
print(jax.lax.scan(walk3, Chain(jnp.zeros(()), jax.random.key(0)), length=4)[1])
print(jax.lax.scan(walk4, Chain(jnp.zeros(()), jax.random.key(0)), length=4)[1])
print(jax.lax.scan(walk5, Chain(jnp.zeros(()), jax.random.key(0)), length=4)[1])
print(jax.lax.scan(walk6, Chain(jnp.zeros(()), jax.random.key(0)), length=4)[1])

# %% what an object draws when it is first asked for it, and keeps, in functions between the test and the draw
import asyncio

import jax


class Order:
    def __init__(self, count, key):
        self.places = jax.random.randint(key, (count,), 0, 9)

    @staticmethod
    def made(count, key):
        return Order(count, key)

    def __call__(self, index):
        return self.places[index]


class Shuffled:
    def __init__(self, key):
        self.key = key
        self._order = None

    async def size(self):
        return 10

    async def order(self):
        if self._order is None:
            self._order = Order.made(await self.size(), self.key)
        return self._order

    async def get(self, index):
        order = await self.order()
        return order(index)

    async def fresh(self):
        return Order.made(await self.size(), self.key).places


async def in_turn(key):
    rows = Shuffled(key)
    return [await rows.get(index) for index in range(3)]


async def two(key):
    rows = Shuffled(key)
    return await rows.get(0), await rows.get(1)


async def anew(key):
    rows = Shuffled(key)
    return [await rows.fresh() for _ in range(3)]  #! JAX302


print(asyncio.run(in_turn(jax.random.key(0))))
print(asyncio.run(two(jax.random.key(1))))
print(asyncio.run(anew(jax.random.key(2))))

# %% a sweep over settings that are written out: the same draws for each, compared by setting
import jax
import jax.numpy as jnp


def estimate(key, size):
    return jnp.mean(jax.random.normal(key, (size,)))


def compared(images, key):
    logged = {}
    for views in [(3,), (3, 7), (0, 3, 7)]:
        chosen = images[views, :]
        index = jax.random.choice(key, jnp.arange(chosen.shape[1]), (4,))
        logged.update({f"{len(views)}_views": jnp.mean(chosen[:, index] ** 2)})
    return logged


def curve(key):
    sizes = [100, 1000, 5000]
    errors = []
    for size in sizes:
        keys = jax.random.split(key, 50)
        errors.append(jax.vmap(estimate, (0, None))(keys, size))
    return [jnp.std(each) for each in errors]


def pooled(key):
    errors = []
    for size in [100, 1000, 5000]:
        keys = jax.random.split(key, 50)  #! JAX302
        errors.append(jax.vmap(estimate, (0, None))(keys, size))
    return jnp.mean(jnp.concatenate(errors))


def summed(images, key):
    total = 0.0
    for views in [(3,), (3, 7), (0, 3, 7)]:
        index = jax.random.choice(key, jnp.arange(images.shape[1]), (4,))  #! JAX302
        total += jnp.mean(images[views, :][:, index] ** 2)
    return total


def layers(key):
    params = []
    for width in [64, 64, 10]:
        params.append(jax.random.normal(key, (width, width)))  #! JAX302
    return params


images = jnp.arange(80.0).reshape(8, 10)
a, b, c, d, e = jax.random.split(jax.random.key(0), 5)
print(compared(images, a), curve(b), pooled(c), summed(images, d), len(layers(e)))

# %% a loop that is timed: nothing reads what it leaves
import time

import jax
import jax.numpy as jnp


@jax.jit
def update(params, key):
    return params - 0.1 * jax.random.normal(key, params.shape), jnp.mean(params)


def profile(params, key):
    start = time.perf_counter()
    for _ in range(5):
        params, loss = update(params, key)
        jax.block_until_ready(params)
    print(time.perf_counter() - start)


def train(params, key):
    start = time.perf_counter()
    for _ in range(5):
        params, loss = update(params, key)  #! JAX302
        jax.block_until_ready(params)
    print(params, time.perf_counter() - start)


profile(jnp.zeros(8), jax.random.key(0))
train(jnp.zeros(8), jax.random.key(0))

# %% each turn takes another part of one draw
import jax
import jax.numpy as jnp


def batches(key, x, size):
    for i in range(0, len(x), size):
        index = jax.random.permutation(key, len(x))[i : i + size]
        yield x[index]


def folds(key, count, k):
    for i in range(k):
        order = jax.random.permutation(key, count)
        yield order[i * count // k : (i + 1) * count // k]


@jax.jit
def scanned(key, x):
    def body(total, i):
        index = jax.lax.dynamic_slice(jax.random.permutation(key, 6), (i * 2,), (2,))
        return total + x[index].sum(), index

    return jax.lax.scan(body, 0.0, jnp.arange(3))[1]


def noise(key, total):
    return [float(jax.random.uniform(key, (total,))[t]) for t in range(total)]


def embedding(key, count, i):
    return jax.random.normal(key, (count, 2))[i]


def rows(key):
    return [embedding(key, 4, i) for i in range(4)]


def the_first(key, x):
    for i in range(3):
        print(i, x[jax.random.permutation(key, len(x))[:2]])  #! JAX302


def whole(key, count):
    for i in range(3):
        order = jax.random.permutation(key, count)  #! JAX302
        print(order[i], order.sum())


x = jnp.arange(6)
keys = jax.random.split(jax.random.key(0), 7)
list(batches(keys[0], x, 2))
list(folds(keys[1], 6, 3))
scanned(keys[2], x)
noise(keys[3], 4)
rows(keys[4])
the_first(keys[5], x)
whole(keys[6], 6)

# %% both signs of one noise, and finite differences of what is estimated on it
import jax
import jax.numpy as jnp


def price(spot, key):
    return jnp.maximum(spot * jnp.exp(jax.random.normal(key, (50,))) - 1, 0).mean()


def evolved(key, theta, count, sigma=0.1):
    slope = 0.0
    for each in jax.random.split(key, count):
        for sign in (1.0, -1.0):
            noise = jax.random.normal(each, theta.shape)
            slope += sign * (theta + sign * sigma * noise).sum() * noise
    return slope / (2 * count * sigma)


def unpacked(key, h):
    up, down = (price(1 + step, key) for step in (h, -h))
    return (up - down) / (2 * h)


def listed(key, h):
    values = [price(spot, key) for spot in (1 - h, 1, 1 + h)]
    return (values[2] - 2 * values[1] + values[0]) / h**2


def of_signs(key, shape):
    return jnp.stack([sign * jax.random.normal(key, shape) for sign in (1, -1)])


def gradient(key, x, h=1e-2):
    found = []
    for i in range(len(x)):
        step = jnp.zeros_like(x).at[i].set(h)
        found.append((price((x + step).sum(), key) - price((x - step).sum(), key)) / (2 * h))
    return jnp.stack(found)


def greeks(params, key, h=1e-2):
    base = price(params["s"] * params["v"], key)
    bumped = {name: params | {name: params[name] + h} for name in params}
    return {name: (price(each["s"] * each["v"], key) - base) / h for name, each in bumped.items()}


def of_scales(key):
    return [scale * jax.random.normal(key, (2,)) for scale in (1, 2)]  #! JAX302


def averaged(key):
    first, second = (price(spot, key) for spot in (1.0, 1.1))  #! JAX302
    return (first + second) / 2


def printed(key, spots):
    for spot in spots:
        print(price(spot, key))  #! JAX302


keys = jax.random.split(jax.random.key(0), 9)
evolved(keys[0], jnp.ones(2), 2)
unpacked(keys[1], 0.1)
listed(keys[2], 0.1)
of_signs(keys[3], (2,))
gradient(keys[4], jnp.ones(2))
greeks({"s": 1.0, "v": 0.2}, keys[5])
of_scales(keys[6])
averaged(keys[7])
printed(keys[8], jnp.ones(3))

# %% an evaluation now and then whose result is only shown
import jax


def picture(params, key):
    print("picture", params * jax.random.normal(key))


def loss_of(params, key):
    return (params * jax.random.normal(key)) ** 2


def fit(key, params=1.0):
    history = []
    for epoch in range(6):
        params = params * 0.5
        if epoch % 2 == 0:
            picture(params, key)
        if epoch % 3 == 0:
            loss = loss_of(params, jax.random.fold_in(key, 7))
            print("loss", loss)
            history.append(loss)
    return params


def trained(key, params=1.0):
    for epoch in range(6):
        if epoch % 2 == 0:
            params = params - 0.1 * loss_of(params, key)  #! JAX302
    return params


def in_each_turn(key, params=1.0):
    for _ in range(6):
        params = params * 0.5
        picture(params, key)  #! JAX302
    return params


keys = jax.random.split(jax.random.key(0), 3)
fit(keys[0])
trained(keys[1])
in_each_turn(keys[2])

# %% functions that a factory has made with a key: each call of the factory is a cause
import jax


def made(key):
    def draw(params):
        return params * jax.random.normal(key)

    return draw


keys = jax.random.split(jax.random.key(0))
one = made(keys[0])
for _ in range(2):
    print(one(1.0))  #! JAX302
other = made(keys[1])
for _ in range(2):
    print(other(1.0))  #! JAX302

# %% candidates that are compared on the same draws, of which the best one is taken
import jax
import jax.numpy as jnp


def score(candidate, key):
    return float((candidate + jax.random.normal(key)) ** 2)


def best(candidates, key):
    scores = [score(each, key) for each in candidates]
    return candidates[scores.index(min(scores))]


def best_of_list(candidates, key):
    scores = []
    for each in candidates:
        scores.append(score(each, key))
    return candidates[int(jnp.argmin(jnp.array(scores)))]


def best_pair(candidates, key):
    return max((score(each, key), each) for each in candidates)


def total(candidates, key):
    scores = [score(each, key) for each in candidates]  #! JAX302
    return sum(scores)


def best_and_all(candidates, key):
    scores = []
    for each in candidates:
        scores.append(score(each, key))  #! JAX302
    print(jnp.argmin(jnp.array(scores)))
    return scores


keys = jax.random.split(jax.random.key(0), 5)
for run, key in zip((best, best_of_list, best_pair, total, best_and_all), keys):
    run([1.0, 2.0], key)

# %% loops over all pairs, in which a part comes again
import itertools

import jax


def folded(key):
    total = 0.0
    for i, rate in itertools.product(range(2), (0.1, 0.2)):
        total += rate * jax.random.normal(jax.random.fold_in(key, i))  #! JAX302
    return total


def indexed(key):
    keys = jax.random.split(key, 2)
    for i, j in itertools.product(range(2), repeat=2):
        print(j, jax.random.normal(keys[i]))  #! JAX302


def of_keys(key):
    for each, name in itertools.product(jax.random.split(key), ("one", "other")):
        print(name, jax.random.normal(each))  #! JAX302


def of_all(key):
    for i, j in itertools.product(range(2), repeat=2):
        print(jax.random.normal(jax.random.fold_in(jax.random.fold_in(key, i), j)))
    for each, _ in itertools.product(jax.random.split(jax.random.fold_in(key, 9), 3), ("one",)):
        print(jax.random.normal(each))


def counted(key):
    keys = jax.random.split(key, 4)
    for i, j in itertools.product(range(2), range(2)):
        print(jax.random.normal(keys[2 * i + j]))
    for number, (i, rate) in enumerate(itertools.product(range(2), (0.1, 0.2))):
        print(i, rate * jax.random.normal(jax.random.fold_in(key, number)))


keys = jax.random.split(jax.random.key(0), 5)
for run, key in zip((folded, indexed, of_keys, of_all, counted), keys):
    run(key)

# %% keys by a count for each name, and by a method that makes a new one for each attribute
import jax


class Streams:
    def __init__(self, **keys):
        self.keys, self.counts = keys, {}

    def next(self, name):
        self.counts[name] = self.counts.get(name, 0) + 1
        return jax.random.fold_in(self.keys[name], self.counts[name])


class Splitting:
    def __init__(self, key):
        self.key = key

    def __getattr__(self, name):
        self.key, subkey = jax.random.split(self.key)
        return subkey


def drawn(streams, count):
    weights = jax.random.normal(streams.next("params"))
    return weights, [jax.random.normal(streams.next("dropout")) for _ in range(count)]


def split(source, count):
    return [jax.random.normal(source.dropout) for _ in range(count)]


keys = jax.random.split(jax.random.key(0), 3)
drawn(Streams(params=keys[0], dropout=keys[1]), 3)
split(Splitting(keys[2]), 3)

# %% parts of one draw, and both signs, in a loop that another one repeats with the same key
import jax


def epochs(key, x, size, count):
    for _ in range(count):
        for i in range(0, len(x), size):
            print(x[jax.random.permutation(key, len(x))[i : i + size]])  #! JAX302


def shuffled(keys, x, size):
    for key in keys:
        for i in range(0, len(x), size):
            print(x[jax.random.permutation(key, len(x))[i : i + size]])


def steps(key, theta, count):
    for _ in range(count):
        for sign in (1.0, -1.0):
            theta = theta + sign * jax.random.normal(key, theta.shape)  #! JAX302
    return theta


keys = jax.random.split(jax.random.key(0), 4)
epochs(keys[0], jax.numpy.arange(6), 2, 2)
shuffled(keys[1:3], jax.numpy.arange(6), 2)
steps(keys[3], jax.numpy.ones(2), 2)

# %% an evaluation of what an object has that the loop changes, on keys for tests
import jax
import jax.numpy as jnp


class Agent:
    def __init__(self):
        self.params = jnp.ones(2)

    def update(self, key):
        self.params = self.params * jax.random.uniform(key)


def rewards_of(params, keys):
    return jax.vmap(lambda key: (params * jax.random.normal(key, (2,))).sum())(keys)


class Trainer:
    def __init__(self, key):
        self.agent, self.key = Agent(), key

    def train(self, steps):
        test_keys = jax.random.split(jax.random.key(3), 4)  #! JAX303
        draws = jax.random.split(jax.random.key(4), 4)  #! JAX303
        for step in range(steps):
            if step % 2 == 0:
                rewards = rewards_of(self.agent.params, test_keys)
                assert rewards.shape == (4,)
                print(rewards.mean())
            if step % 3 == 0:
                shown = rewards_of(self.agent.params, draws)
                assert shown.shape == (4,)
                print(shown.max())
            self.key, key = jax.random.split(self.key)
            self.agent.update(key)

    def pretrain(self, steps):
        draws = jax.random.split(jax.random.key(5), 4)  #! JAX303
        for _ in range(steps):
            rewards = rewards_of(self.agent.params, draws)  #! JAX302
            self.agent.params = self.agent.params - 0.1 * rewards.mean()


trainer = Trainer(jax.random.key(0))
trainer.train(4)
trainer.pretrain(3)

# %% a decorator that is given a key: each iteration draws with that key
import jax


def with_key(key):
    def deco(fn):
        def inner(*args):
            return fn(key, *args)

        return inner

    return deco


@with_key(jax.random.key(0))
def dense(key, n):
    return jax.random.normal(key, (n,))


@with_key(jax.random.key(1))
def sparse(key, n):
    return jax.random.normal(key, (n,))


def listed():
    return [sparse(2) for _ in range(3)]  #! JAX302


def appended():
    out = []
    for _ in range(3):
        out.append(dense(2))  #! JAX302
    return out


listed()
appended()

# %% a decorator that is given a key and makes another one of it in each iteration
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


def l1():
    return [d1(2) for _ in range(3)]


def l2():
    return [d2(2) for _ in range(3)]


def l3():
    return [d3(2) for _ in range(3)]


def l4():
    return [d4(2) for _ in range(3)]


def l5():
    return [d5(2) for _ in range(3)]


def l6():
    return [d6(i) for i in range(3)]


for each in (l1, l2, l3, l4, l5, l6):
    x = each()
    assert not (x[0] == x[1]).all(), each

# %% one key for each call of `map` and `starmap`, also in a pool
import itertools
from concurrent.futures import ThreadPoolExecutor

import jax


def draw(key, n=2):
    return jax.random.normal(key, (n,))


def listed(key):
    return list(map(jax.random.normal, [key] * 3))  #! JAX302


def by_function(key):
    return list(map(draw, (key, key), [2, 3]))  #! JAX302


def apart(key, other):
    return list(map(draw, [key, other, key]))  #! JAX302


def starred(key):
    return list(itertools.starmap(jax.random.normal, [(key, (2,)), (key, (2,))]))  #! JAX302


def starred_rows(key):
    return list(itertools.starmap(draw, [(key, n) for n in (2, 3)]))  #! JAX302


def pooled(key):
    with ThreadPoolExecutor() as pool:
        return list(pool.map(draw, [key] * 3))  #! JAX302


def by_name(key):
    keys = dict.fromkeys(("w", "b"), key)
    return [jax.random.normal(each) for each in keys.values()]  #! JAX302


one, two, *keys = jax.random.split(jax.random.key(0), 8)
apart(one, two)
for run, key in zip((listed, by_function, starred, starred_rows, pooled, by_name), keys):
    run(key)

# %% a key of its own for each call of `map` and `starmap`
import itertools
from concurrent.futures import ThreadPoolExecutor

import jax
import jax.numpy as jnp


class Net:
    def __init__(self, key):
        self.key = key

    def draw(self):
        return jax.random.normal(self.key)


def draw(key, n=2):
    return jax.random.normal(key, (n,))


def draw_at(key, i):
    return jax.random.normal(jax.random.fold_in(key, i))


def main(key):
    a, b, c, d, e, f, g, h, *keys = jax.random.split(key, 20)
    split = list(map(draw, jax.random.split(a, 3))), list(map(draw, [b, c], [2, 3])), list(map(draw, [d]))
    folded = list(map(draw_at, [e] * 3, range(3))), list(map(draw_at, [f] * 2, [0, 1]))
    made = list(map(draw, map(jax.random.fold_in, [g] * 3, range(3))))
    rows = [(each, 2) for each in jax.random.split(h)]
    numbered = [(keys[0], 0), (keys[0], 1)]
    starred = list(itertools.starmap(draw, rows)), list(itertools.starmap(draw_at, numbered))
    with ThreadPoolExecutor() as pool:
        pooled = list(pool.map(draw, jax.random.split(keys[1])))
    one, other = map(Net, jax.random.split(keys[2]))
    nets = list(map(Net, jax.random.split(keys[3])))
    return split, folded, made, starred, pooled, one.draw(), other.draw(), [each.draw() for each in nets]


main(jax.random.key(0))

# %% `map` puts several arrays into one order
import itertools

import jax
import jax.numpy as jnp


def shuffled(key, x):
    return jax.random.permutation(key, x)


def main(key, xs, ys):
    a, b, c, d = jax.random.split(key, 4)
    one = list(map(lambda x: jax.random.permutation(a, x), [xs, ys]))
    two = list(map(jax.random.permutation, [b] * 2, [xs, ys]))
    three = list(map(jax.random.permutation, itertools.repeat(c), [xs, ys]))
    return one, two, three, list(itertools.starmap(shuffled, [(d, each) for each in (xs, ys)]))


main(jax.random.key(0), jnp.arange(3), jnp.arange(3))

# %% a retry whose attempts all draw with one key: the `try` looks at the draw and raises the error itself
import jax


class Rejected(Exception):
    pass


def draw(key):
    return jax.random.normal(key)


def raised(key):
    seen = []
    for i in range(3):
        try:
            value = jax.random.normal(key)  #! JAX302
            seen.append(value)
            if value < 9:
                raise ValueError
            return seen
        except ValueError:
            continue
    return seen


def asserted(key):
    for _ in range(3):
        try:
            value = jax.random.normal(key)  #! JAX302
            assert value > 9
            return value
        except AssertionError:
            pass


def left(key):
    for i in range(3):
        try:
            value = jax.random.normal(key)  #! JAX302
            doubled = value * 2
            if doubled > 9:
                return doubled
            raise Rejected(doubled)
        except Rejected as error:
            print(i, error)


def asked(key):
    for i in range(3):
        try:
            if jax.random.uniform(key) < 2:  #! JAX302
                raise ValueError
            return i
        except (TypeError, ValueError):
            pass


def called(key):
    attempts = 0
    while attempts < 3:
        try:
            value = draw(key)  #! JAX302
            if not value > 9:
                raise Rejected(f"attempt {attempts}")
        except Rejected:
            attempts += 1
            continue
        finally:
            print(attempts)
        return value


def split(key):
    for _ in range(3):
        try:
            _, sub = jax.random.split(key)  #! JAX302
            value = draw(sub)
            if value < 9:
                raise ValueError
            return value
        except ValueError:
            pass


a, b, c, d, e, f = jax.random.split(jax.random.key(0), 6)
first, second, third = raised(a)
assert first == second == third
asserted(b), left(c), asked(d), called(e), split(f)

# %% a retry with another key in each attempt, or for an error that the draw does not decide
import jax


def folded(key):
    for i in range(3):
        try:
            value = jax.random.normal(jax.random.fold_in(key, i))
            if value < 9:
                raise ValueError
            return value
        except ValueError:
            continue


def counted(key):
    attempts = 0
    while attempts < 3:
        try:
            value = jax.random.normal(jax.random.fold_in(key, attempts))
            assert value > 9
            return value
        except AssertionError:
            attempts += 1


def carried(key):
    for _ in range(3):
        key, sub = jax.random.split(key)
        try:
            value = jax.random.normal(sub)
            if value < 9:
                raise ValueError
            return value
        except ValueError:
            continue


def renewed(key):
    key, sub = jax.random.split(key)
    for _ in range(3):
        try:
            value = jax.random.normal(sub)
            if value < 9:
                raise ValueError
            return value
        except ValueError:
            key, sub = jax.random.split(key)


def over_keys(key):
    for each in jax.random.split(key, 3):
        try:
            value = jax.random.normal(each)
            if value < 9:
                raise ValueError
            return value
        except ValueError:
            continue


def loaded(key, load):
    for _ in range(3):
        try:
            noise = jax.random.normal(key)
            data = load()
            if data is None:
                raise OSError
            return data + noise
        except OSError:
            continue


def called(key, step):
    for _ in range(3):
        try:
            return step(jax.random.normal(key))
        except RuntimeError:
            continue


def rescaled(key):
    scale = 1.0
    for _ in range(3):
        try:
            value = scale * jax.random.normal(key)
            if value < 9:
                raise ValueError
            return value
        except ValueError:
            scale *= 2


def over_sizes(key, sizes):
    for size in sizes:
        try:
            value = jax.random.normal(key, (size,)).sum()
            if value < 99:
                raise ValueError
            return value
        except ValueError:
            continue


def given_up(key):
    for _ in range(3):
        try:
            value = jax.random.normal(key)
            if value < 9:
                raise ValueError
            return value
        except ValueError:
            break


keys = jax.random.split(jax.random.key(0), 9)
folded(keys[0]), counted(keys[1]), carried(keys[2]), renewed(keys[3]), over_keys(keys[4]), given_up(keys[5])
loaded(keys[6], lambda: None), called(keys[7], lambda x: x)
rescaled(keys[8]), over_sizes(jax.random.key(1), (1, 2))

# %% a key that comes back in a list, from a loop that may not run
import jax
import jax.numpy as jnp


class Sampler:
    def __init__(self, count):
        self.count = count
        self.draw = self.build()

    def sample(self, key, rounds):
        total = jnp.zeros(3)
        for _ in range(rounds):
            carry = [key, total]
            for _ in range(self.count):
                carry = self.draw(carry)
            total = carry[1]
            key = carry[0]
        return total

    def build(self):
        def draw(carry):
            key, total = carry
            key, subkey = jax.random.split(key)
            return [key, total + jax.random.normal(subkey, (3,))]

        return jax.jit(draw)


@jax.jit
def drawn(carry):
    key, total = carry
    return [key, total + jax.random.normal(key, (3,))]


def kept(key, total, count):
    carry = [key, total]
    for _ in range(count):
        carry = drawn(carry)  #! JAX302
    return carry[1]


Sampler(2).sample(jax.random.key(0), 3)
kept(jax.random.key(1), jnp.zeros(3), 3)

# %% an object, or a function, that keeps the keys of an evaluation: each time on the same draws
import jax
import jax.numpy as jnp


def distance(params, key):
    return jnp.sum((params - jax.random.normal(key, params.shape)) ** 2)


class Evaluator:
    def __init__(self, key, n):
        self.eval_keys = jax.random.split(key, n)

    def __call__(self, params):
        return jax.vmap(lambda key: distance(params, key))(self.eval_keys).mean()


class Split:
    def __init__(self, key):
        self.test_rng = key

    def score(self, params):
        return self._halves(params)

    def _halves(self, params):
        one, other = jax.random.split(self.test_rng)
        return distance(params, one) + distance(params, other)


class Trainer:
    def __init__(self, eval_key):
        self.eval_key, self.params = eval_key, jnp.zeros(2)

    def step(self):
        self.params = self.params + 1

    def evaluate(self):
        return distance(self.params, self.eval_key)

    def run(self):
        scores = []
        for _ in range(3):
            self.step()
            scores.append(self.evaluate())
        return scores

    def descend(self):
        scores = []
        for _ in range(3):
            self.params = self.params + 1
            scores.append(self.evaluate())
        return scores


def objects(one, other):
    params, scores = jnp.zeros(2), []
    for _ in range(3):
        params = params + 1
        scores.append(one(params))
        scores.append(other.score(params))
    return scores


def around(eval_key):
    params, scores = jnp.zeros(2), []

    def evaluate(params):
        return distance(params, eval_key)

    for _ in range(3):
        params = params + 1
        scores.append(evaluate(params))
    return scores


def before_and_after(evaluator, params):
    before = evaluator(params)
    params = params + 1
    return before, evaluator(params)


keys = jax.random.split(jax.random.key(0), 6)
print(objects(Evaluator(keys[0], 4), Split(keys[1])), around(keys[2]))
print(Trainer(keys[3]).run(), Trainer(keys[4]).descend())
print(before_and_after(Evaluator(keys[5], 4), jnp.zeros(2)))

# %% an object that keeps keys no name of which says that they are for evaluations, or whose results change by nothing
import jax
import jax.numpy as jnp


class Named:
    def __init__(self, key):
        self.key = self.train_key = key
        self.eval_key = jax.random.fold_in(key, 1)

    def go(self, params):
        return jnp.sum((params - jax.random.normal(self.key, params.shape)) ** 2)

    def train(self, params, eval_size):
        return (params - jax.random.normal(self.train_key, params.shape))[:eval_size]

    def evaluate(self, params):
        return jnp.sum((params - jax.random.normal(self.eval_key, params.shape)) ** 2)

    def score(self, params):
        return jnp.mean((params - jax.random.normal(self.eval_key, params.shape)) ** 2)


def of_training(named):
    params, scores = jnp.zeros(2), []
    for _ in range(3):
        params = params + 1
        scores.append(named.go(params))  #! JAX302
    return scores


def sized(named):
    params, scores = jnp.zeros(2), []
    for _ in range(3):
        params = params + 1
        scores.append(named.train(params, 1))  #! JAX302
    return scores


def unchanged(named, params):
    return [named.evaluate(params) for _ in range(3)]  #! JAX302


def again(named, params):
    first = named.score(params)
    return first, named.score(params)  #! JAX301


def handed(score, key):
    params, scores = jnp.zeros(2), []
    for _ in range(3):
        params = params + 1
        scores.append(score(params, key))  #! JAX302
    return scores


keys = jax.random.split(jax.random.key(0), 5)
print(of_training(Named(keys[0])), sized(Named(keys[1])), unchanged(Named(keys[2]), jnp.zeros(2)))
print(again(Named(keys[3]), jnp.zeros(2)))
print(handed(lambda params, eval_key: params + jax.random.normal(eval_key, params.shape), keys[4]))

# %% layers that a helper, or a method, makes of one key for every one
import equinox as eqx
import jax


def linear(key):
    return eqx.nn.Linear(2, 2, key=key)


def block(key):
    return eqx.nn.Sequential([eqx.nn.Linear(2, 2, key=key), eqx.nn.Lambda(jax.nn.relu)])


class Listed(eqx.Module):
    layers: list

    def __init__(self, key, n):
        self.layers = [linear(key) for _ in range(n)]  #! JAX302


class Counted(eqx.Module):
    layers: list

    def __init__(self, key, n):
        self.layers = [block(key) for i in range(n)]  #! JAX302


class Appended(eqx.Module):
    layers: list

    def __init__(self, key, n):
        self.layers = []
        for _ in range(n):
            self.layers.append(self.made(key))  #! JAX302

    @staticmethod
    def made(key):
        return eqx.nn.Linear(2, 2, key=key)


class InRow(eqx.Module):
    first: eqx.nn.Linear
    second: eqx.nn.Linear

    def __init__(self, key):
        make = lambda: eqx.nn.GRUCell(2, 2, key=key)
        self.first = make()
        self.second = make()  #! JAX301


class Helped(eqx.Module):
    first: eqx.nn.Linear
    second: eqx.nn.Linear

    def __init__(self, key):
        self.first = linear(key)
        self.second = linear(key)  #! JAX301


def ensemble(key):
    return [block(key) for _ in range(3)]  #! JAX302


def outer(key):
    return block(key)


class Deep(eqx.Module):
    layers: tuple

    def __init__(self, key):
        self.layers = tuple(outer(key) for _ in range(2))  #! JAX302


one, two, three, four = jax.random.split(jax.random.key(0), 4)
layers = Listed(one, 2).layers
assert (layers[0].weight == layers[1].weight).all()
print(Counted(one, 2), Appended(two, 2), InRow(three), Helped(four), ensemble(four), Deep(three))

# %% layers that a helper makes of keys of their own, and networks that may begin alike
import equinox as eqx
import jax


def linear(key):
    return eqx.nn.Linear(2, 2, key=key)


def block(key):
    first, second = jax.random.split(key)
    return eqx.nn.Sequential([linear(first), eqx.nn.Lambda(jax.nn.relu), linear(second)])


def both(one, other):
    return linear(one), linear(other)


class Net(eqx.Module):
    layers: list
    last: eqx.nn.Linear
    rest: list

    def __init__(self, key, n):
        key, last, rest = jax.random.split(key, 3)
        self.layers = [linear(each) for each in jax.random.split(key, n)]
        self.last = linear(last)
        self.rest = []
        for _ in range(n):
            rest, each = jax.random.split(rest)
            self.rest.append(block(each))


class Folded(eqx.Module):
    layers: list

    def __init__(self, key, n):
        self.layers = [linear(jax.random.fold_in(key, i)) for i in range(n)]


class Agent:
    def __init__(self, key):
        self.critic = linear(key)
        self.target_critic = linear(key)


def sweep(key, rates):
    return [(rate, linear(key)) for rate in rates]


def seeds(key):
    results = []
    for width in (2, 4):
        results.append(eqx.nn.MLP(2, width, 4, 2, key=key))
    return results


one, two, three = jax.random.split(jax.random.key(0), 3)
print(Net(one, 2), Folded(two, 2), Agent(three), sweep(one, [0.1, 0.2]), seeds(two), both(one, one))
model, copy = linear(three), linear(three)
print(model, copy, eqx.filter_eval_shape(linear, three))

# %% parameters that a helper makes with one key in each turn of a comprehension that says nothing of the turn
import flax.linen as nn
import haiku as hk
import jax
import jax.numpy as jnp

x = jnp.ones((1, 2))


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(x)


net = Net()
forward = hk.transform(lambda x: hk.Linear(2)(x))


def of_linen(key):
    return net.init(key, x)


def of_streams(key):
    return net.init({"params": key}, x)


def of_haiku(key):
    return forward.init(key, x)


def ensemble(key):
    return [of_linen(key) for _ in range(3)]  #! JAX302


def listed(key):
    return [of_streams(key) for _ in range(3)]  #! JAX302


def transformed(key):
    return [of_haiku(key) for _ in range(3)]  #! JAX302


def apart(key):
    return [of_linen(each) for each in jax.random.split(key, 3)], [
        of_haiku(jax.random.fold_in(key, i)) for i in range(3)
    ]


def by_setting(key):
    return {rate: (rate, of_linen(key)) for rate in (0.1, 0.2)}, [of_haiku(key) for rate in (1, 2)]


def twice(key):
    return of_linen(key), of_linen(key), of_haiku(key), of_haiku(key)


keys = jax.random.split(jax.random.key(0), 6)
print(ensemble(keys[0]), listed(keys[1]), transformed(keys[2]))
print(apart(keys[3]), by_setting(keys[4]), twice(keys[5]))

# %% layers of linen by themselves that drop the same units in every iteration
import flax.linen as nn
import jax
import jax.numpy as jnp

drop = nn.Dropout(0.5, deterministic=False)
piped = nn.Sequential([nn.Dropout(0.5, deterministic=False), nn.relu])


def scanned(key):
    def body(carry, x):
        return carry, drop.apply({}, jnp.ones(8) * x, rngs={"dropout": key})  #! JAX302

    return jax.lax.scan(body, 0.0, jnp.arange(3.0))[1]


def written(key):
    return jax.lax.scan(
        lambda h, x: (h, nn.Dropout(0.5).apply({}, x, deterministic=False, rngs={"dropout": key})),  #! JAX302
        0.0,
        jnp.ones((3, 8)),
    )


def listed(key):
    return [drop.apply({}, jnp.ones(8), rngs={"dropout": key}) for _ in range(2)]  #! JAX302


def looped(key, x):
    for _ in range(3):
        x = piped.apply({}, x, rngs={"dropout": key})  #! JAX302
    return x


def main_key(key):
    return [drop.apply({}, jnp.ones(8), rngs=key) for _ in range(2)]  #! JAX302


def in_row(key, x):
    x = drop.apply({}, x, rngs={"dropout": key})
    return drop.apply({}, x, rngs={"dropout": key})  #! JAX301


keys = jax.random.split(jax.random.key(0), 6)
for masks in (listed(keys[0]), main_key(keys[4])):
    assert (masks[0] == masks[1]).all()
print(scanned(keys[1]), written(keys[2]), looped(keys[3], jnp.ones(8)), in_row(keys[5], jnp.ones(8)))

# %% layers of linen by themselves that drop no units, or other ones in each iteration
import flax.linen as nn
import jax
import jax.numpy as jnp

drop = nn.Dropout(0.5, deterministic=False)
piped = nn.Sequential([nn.Dropout(0.5, deterministic=False), nn.relu])
dense = nn.Dense(2)


def scanned(key):
    def body(key, x):
        key, sub = jax.random.split(key)
        return key, drop.apply({}, jnp.ones(8) * x, rngs={"dropout": sub})

    return jax.lax.scan(body, key, jnp.arange(3.0))[1]


def over_keys(key):
    return jax.lax.scan(
        lambda h, k: (h, drop.apply({}, jnp.ones(8), rngs={"dropout": k})), 0.0, jax.random.split(key, 3)
    )[1]


def folded(key, x):
    for i in range(3):
        x = piped.apply({}, x, rngs={"dropout": jax.random.fold_in(key, i)})
    return x


def quiet(key, x):
    for _ in range(3):
        x = nn.Dropout(0.5).apply({}, x, deterministic=True, rngs={"dropout": key})
        x = nn.Dropout(0.5).apply({}, x, True, rngs={"dropout": key})
        x = nn.Dropout(0.0, deterministic=False).apply({}, x, rngs={"dropout": key})
        x = nn.Dropout(0.5, rng_collection="noise").apply({}, x, True, rngs={"noise": key})
    return x


def steady(key, variables, x):
    for _ in range(3):
        x = dense.apply(variables, x, rngs={"dropout": key})
    return x


def asked(key, x, training):
    for _ in range(2):
        x = nn.Dropout(0.5).apply({}, x, deterministic=not training, rngs={"dropout": key})
    return x


def streams(key, x):
    other = nn.Dropout(0.5, deterministic=False, rng_collection="noise")
    return drop.apply({}, x, rngs={"dropout": key}) + other.apply({}, x, rngs={"noise": key})


keys = jax.random.split(jax.random.key(0), 6)
print(scanned(keys[0]), over_keys(keys[1]), folded(keys[2], jnp.ones(8)), quiet(keys[3], jnp.ones(8)))
print(steady(keys[4], dense.init(jax.random.key(1), jnp.ones((1, 2))), jnp.ones((1, 2))))
print(asked(keys[5], jnp.ones(8), False), streams(keys[5], jnp.ones(8)))

# %% what numpyro predicts before it has seen data: with one key the same each time
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import Predictive


def model(n):
    with numpyro.plate("N", n):
        numpyro.sample("y", dist.Normal(0, 1))


def regression(x, y=None):
    slope = helper()
    numpyro.sample("y", dist.Normal(slope * x, 1.0), obs=y)


def helper():
    return numpyro.sample("slope", dist.Normal(0.0, 1.0).expand([1]).to_event(1))


def by_name(key, sizes):
    return {name: Predictive(model, num_samples=2)(key, n)["y"] for name, n in sizes.items()}  #! JAX302


def held(key):
    predictive = Predictive(model, num_samples=2)
    return [predictive(key, 3)["y"] for _ in range(2)]  #! JAX302


def over_inputs(key, xs):
    predictive, out = Predictive(regression, num_samples=2), []
    for x in xs:
        out.append(predictive(rng_key=key, x=x))  #! JAX302
    return out


def in_row(key):
    predictive = Predictive(model, num_samples=2)
    first = predictive(key, 3)["y"]
    return first, predictive(key, 3)["y"]  #! JAX301


one, two, three, four = jax.random.split(jax.random.key(0), 4)
first, second = held(two)
assert (first == second).all()
print(by_name(one, {"train": 3, "test": 3}), over_inputs(three, jnp.ones((2, 3))), in_row(four))

# %% what numpyro predicts with keys of their own, of given samples, of another model, or draws nothing
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import Predictive


def model(n):
    with numpyro.plate("N", n):
        numpyro.sample("y", dist.Normal(0, 1))


def other(n):
    numpyro.sample("z", dist.Exponential(1.0).expand([n]))


def observed(x):
    numpyro.sample("y", dist.Normal(0.0, 1.0), obs=x)


def computed(x):
    numpyro.deterministic("twice", 2 * x)


def fixed(x):
    numpyro.sample("x", dist.Delta(x))


def perhaps(x, draws=False):
    if draws:
        numpyro.sample("y", dist.Normal(0.0, 1.0))
    numpyro.deterministic("twice", 2 * x)


def by_name(key, sizes):
    keys = jax.random.split(key, len(sizes))
    return {n: Predictive(model, num_samples=2)(each, n) for each, n in zip(keys, sizes)}


def held(key):
    predictive, out = Predictive(model, num_samples=2), []
    for _ in range(2):
        key, sub = jax.random.split(key)
        out.append(predictive(sub, 3))
    return out


def quiet(key):
    out = []
    for x in (1.0, 2.0):
        out.append([Predictive(each, num_samples=2)(key, x) for each in (computed, observed)])
        out.append(Predictive(fixed, num_samples=2)(key, x))
        out.append(Predictive(perhaps, num_samples=2)(key, x))
    return out


def given(key, samples):
    posterior = Predictive(model, posterior_samples=samples)
    return [posterior(key, 3) for _ in range(2)], [Predictive(model, samples)(key, n) for n in (3, 3)]


def models(key):
    return Predictive(model, num_samples=2)(key, 3), Predictive(other, num_samples=2)(key, 3)


keys = jax.random.split(jax.random.key(0), 5)
print(by_name(keys[0], (2, 3)), held(keys[1]), quiet(keys[2]), models(keys[3]))
print(given(keys[4], {"y": jnp.ones((2, 3))}))

# %% streams of flax nnx that are made of one key each time: their first keys are the same
import jax
import jax.numpy as jnp
from flax import nnx


def by_lambda(key):
    draw = lambda: jax.random.normal(nnx.Rngs(key).params(), (4,))
    return [draw() for _ in range(2)]  #! JAX302


def by_helper(key):
    out = []
    for _ in range(3):
        out.append(noise(key))  #! JAX302
    return out


def noise(key):
    rngs = nnx.Rngs(0, noise=key)
    return jax.random.normal(rngs.noise(), (4,)) + jax.random.normal(rngs.noise(), (4,))


def in_loop(key):
    out = []
    for _ in range(2):
        rngs = nnx.Rngs(key)
        out.append(jax.random.normal(rngs(), (4,)))  #! JAX302
    return out


def in_row(key):
    rngs = nnx.Rngs(noise=key)
    first = jax.random.normal(rngs.noise(), (4,))
    other = nnx.Rngs(noise=key)
    return first, jax.random.normal(other.noise(), (4,))  #! JAX301


def at_once(key):
    first = nnx.Rngs(key).normal((4,))
    return first, nnx.Rngs(default=key).normal((4,))  #! JAX301


keys = jax.random.split(jax.random.key(0), 5)
for first, second in (by_lambda(keys[0]), in_loop(keys[2]), in_row(keys[3]), at_once(keys[4])):
    assert (first == second).all()
print(by_helper(keys[1]))

# %% streams of flax nnx whose keys are others: the next ones, of other keys, of streams that go on
import jax
import jax.numpy as jnp
from flax import nnx


def going_on(key):
    rngs = nnx.Rngs(noise=key)
    return [jax.random.normal(rngs.noise(), (4,)) for _ in range(3)]


def in_row(key):
    rngs = nnx.Rngs(key)
    first = jax.random.normal(rngs(), (4,))
    for _ in range(2):
        first += jax.random.normal(rngs.noise(), (4,))
    return first, jax.random.normal(rngs(), (4,)), rngs.normal((4,))


def over_keys(key):
    return [jax.random.normal(nnx.Rngs(each).noise(), (4,)) for each in jax.random.split(key, 3)]


def folded(key):
    out = []
    for i in range(3):
        rngs = nnx.Rngs(noise=jax.random.fold_in(key, i))
        out.append(jax.random.normal(rngs.noise(), (4,)))
    return out


def handed(key):
    rngs, other = nnx.Rngs(key), nnx.Rngs(key)
    skipped(rngs)
    return jax.random.normal(rngs(), (4,)), jax.random.normal(other(), (4,))


def skipped(rngs):
    return rngs()


def closed_over(key):
    rngs = nnx.Rngs(key)

    def draw():
        return jax.random.normal(rngs(), (4,))

    return [draw() for _ in range(2)]


def streams(key):
    one, two = jax.random.split(key)
    rngs = nnx.Rngs(one, noise=two)
    return jax.random.normal(rngs.params(), (4,)), jax.random.normal(rngs.noise(), (4,))


def sure(key, flag):
    rngs = nnx.Rngs(key)
    first = jax.random.normal(rngs(), (4,)) if flag else 0.0
    other = nnx.Rngs(key)
    other()
    return first, jax.random.normal(other(), (4,))


keys = jax.random.split(jax.random.key(0), 8)
print(going_on(keys[0]), in_row(keys[1]), over_keys(keys[2]), folded(keys[3]), handed(keys[4]))
print(closed_over(keys[5]), streams(keys[6]), sure(keys[7], True))

# %% what initializers draw: those of one value ignore the key, however they are looked up
import jax
from jax.nn import initializers


def made(name, key, **options):
    return getattr(initializers, name)(**options)(key, (4,))


def constants(key):
    out = [initializers.constant(0.5)(key, (4,)) for _ in range(3)]
    for shift in range(2):
        out.append(getattr(jax.nn.initializers, "constant")(0.5)(key, (4,)) + shift)
        out.append(made("constant", key, value=0.5))
        out.append(initializers.zeros(key, (4,)))
    return out


def drawn(key):
    out = []
    for _ in range(2):
        out.append(getattr(jax.nn.initializers, "normal")(0.5)(key, (4,))) #! JAX302
    return out


def drawn_by_name(key):
    return [made("uniform", key, scale=0.5) for _ in range(2)] #! JAX302


print(constants(jax.random.key(0)), drawn(jax.random.key(0)), drawn_by_name(jax.random.key(0)))

# %% an evaluation of what a loop changes that is only shown: what is carried, pooled or put down draws anew
import jax
import jax.numpy as jnp
import logging


def evaluate(params, key):
    return (jax.random.normal(key, (10, 3)) * params).mean()


def printed(params, n, key):
    for i in range(n):
        params = params * 0.9
        print(i, evaluate(params, key))
    return params


def logged(params, key):
    while params.sum() > 2.0:
        params = params * 0.9
        score = evaluate(params, key)
        logging.info("score %s, twice %s", score, 2 * score)
    return params


def put_down(params, n, key):
    found = []
    for i in range(n):
        params = params * 0.9
        found.append(evaluate(params, key)) #! JAX302
    return params, found


def pooled(params, n, key):
    total = 0.0
    for i in range(n):
        params = params * 0.9
        total = total + evaluate(params, key) #! JAX302
    print(total)


def walk(x, n, key):
    for i in range(n):
        x = x + evaluate(x, key) #! JAX302
        print(x)


def moved(x, key):
    return x + jax.random.normal(key, (3,))


def walk_of_function(x, n, key):
    for i in range(n):
        x = moved(x, key) #! JAX302
        print(x)


def of_counter(n, key):
    for i in range(n):
        print(moved(i, key)) #! JAX302


keys = jax.random.split(jax.random.key(0), 7)
printed(jnp.ones(3), 2, keys[0])
logged(jnp.ones(3), keys[1])
put_down(jnp.ones(3), 2, keys[2])
pooled(jnp.ones(3), 2, keys[3])
walk(jnp.ones(3), 2, keys[4])
walk_of_function(jnp.ones(3), 2, keys[5])
of_counter(2, keys[6])

# %% norun blackjax: the step of a sampler draws with its key
import blackjax
import jax
import jax.numpy as jnp


def density(x):
    return -(x**2).sum()


def jitted(key, x):
    nuts = blackjax.nuts(density, 0.1, jnp.ones(2))
    state = nuts.init(x)
    step = jax.jit(nuts.step)
    for _ in range(3):
        state, _ = step(key, state) #! JAX302
    return state


def scanned(key, x):
    hmc = blackjax.hmc(density, 0.1, jnp.ones(2), 3)
    state = hmc.init(x)

    def one(state, key):
        return hmc.step(key, state)

    return jax.lax.scan(one, state, jax.random.split(key, 3))


def folded(key, x):
    rmh = blackjax.rmh(density, blackjax.mcmc.random_walk.normal(jnp.ones(2)))
    state = rmh.init(x)
    for i in range(3):
        state, _ = rmh.step(jax.random.fold_in(key, i), state)
    return state


def in_row(key, x):
    mala = blackjax.mala(density, 0.1)
    state, _ = mala.step(key, mala.init(x))
    state, _ = mala.step(rng_key=key, state=state) #! JAX301
    return state


def mapped(key, x):
    mala = blackjax.mala(density, 0.1)
    states = jax.vmap(mala.init)(x)
    for i in range(3):
        key, sub = jax.random.split(key)
        states, _ = jax.vmap(mala.step)(jax.random.split(sub, 2), states)
    return states


def mapped_alike(key, x):
    mala = blackjax.mala(density, 0.1)
    states = jax.vmap(mala.init)(x)
    keys = jax.random.split(key, 2)
    for i in range(3):
        states, _ = jax.vmap(mala.step)(keys, states) #! JAX302
    return states

def compared(key, x):
    nuts, hmc = blackjax.nuts(density, 0.1, jnp.ones(2)), blackjax.hmc(density, 0.1, jnp.ones(2), 3)
    return nuts.step(key, nuts.init(x)), hmc.step(key, hmc.init(x))


k = jax.random.split(jax.random.key(0), 7)
x = jnp.ones(2)
print(jitted(k[0], x), scanned(k[1], x), folded(k[2], x), in_row(k[3], x), mapped(k[4], jnp.ones((2, 2))))
print(mapped_alike(k[5], jnp.ones((2, 2))), compared(k[6], x))

# %% a context manager that draws from one key in every iteration
import jax


class Noise:
    def __init__(self, key):
        self.key = key

    def __enter__(self):
        return jax.random.normal(self.key)

    def __exit__(self, *error):
        pass


noise = Noise(jax.random.key(0))
values = []
for _ in range(3):
    with noise as n:  #! JAX302
        values.append(n)
assert values[0] == values[1]

# %% each turn consumes the one key elsewhere: in another function, or in another branch of one
import jax


def one(key):
    return jax.random.normal(key)


def two(key):
    return jax.random.uniform(key)


def either(key, is_normal):
    return jax.random.normal(key) if is_normal else jax.random.uniform(key)


key, other = jax.random.split(jax.random.key(0))
for draw in (one, two):
    print(draw(key))  #! JAX302
for flag in (True, False):
    print(either(other, flag))  #! JAX302

# %% a function makes a key of one that each turn gives it, and consumes it
import jax


def made(key):
    key, _ = jax.random.split(key)
    return key, jax.random.normal(key)


key = jax.random.key(0)
for _ in range(3):
    _, x = made(key)  #! JAX302
    print(x)

# %% one key for each of several settings that an object has
import dataclasses

import jax


@dataclasses.dataclass
class Model:
    volatility: float = 1.0

    def set_volatility(self, volatility):
        self.volatility = volatility

    def price(self, key):
        return self.volatility * jax.random.normal(key)


key, second, third = jax.random.split(jax.random.key(0), 3)
prices = {}
for volatility in (0.1, 0.2, 0.4):
    prices[volatility] = float(Model(volatility).price(key))
model = Model()
ratios = []
for volatility in (0.1, 0.2, 0.4):
    model.set_volatility(volatility)
    ratios.append(float(model.price(second) / volatility))
for volatility in (0.1, 0.2, 0.4):
    model.volatility = volatility
    print(volatility, model.price(third))
print(prices, ratios)

# %% ... where the object does not have the setting, or the results are one sample
import jax
import jax.numpy as jnp


class Model:
    def set_volatility(self, volatility):
        self.volatility = volatility

    def price(self, key):
        return jax.random.normal(key)


key, second = jax.random.split(jax.random.key(0))
model, other = Model(), Model()
paths = []
for volatility in (0.1, 0.2, 0.4):
    other.set_volatility(volatility)
    paths.append(model.price(key))  #! JAX302
losses = []
for volatility in (0.1, 0.2, 0.4):
    model.set_volatility(volatility)
    losses.append(model.price(second))  #! JAX302
print(paths, jnp.mean(jnp.array(losses)))

# %% norun a script that a library runs: its command
import click

import jax
import jax.numpy as jnp

key = jax.random.key(0)


class Net:
    def __call__(self, x):
        return jax.random.categorical(key, x)


def train(net, epochs):
    step = jax.jit(lambda x: net(x))
    for _ in range(epochs):
        print(step(jnp.zeros((1, 9))))  #! JAX302


@click.command()
@click.option("--epochs", default=3)
def main(epochs):
    train(Net(), epochs)


main()

# %% norun ... one of several commands
import click

import jax
import jax.numpy as jnp

key = jax.random.key(0)


class Net:
    def __call__(self, x):
        return jax.random.categorical(key, x)


def train(net, epochs):
    step = jax.jit(lambda x: net(x))
    for _ in range(epochs):
        print(step(jnp.zeros((1, 9))))  #! JAX302


@click.group()
def cli():
    pass


@cli.command()
@click.option("--epochs", default=3)
def fit(epochs):
    train(Net(), epochs)


if __name__ == "__main__":
    cli()

# %% norun ... of an application
import typer

import jax
import jax.numpy as jnp

key = jax.random.key(0)
app = typer.Typer()


class Net:
    def __call__(self, x):
        return jax.random.categorical(key, x)


def train(net, epochs):
    step = jax.jit(lambda x: net(x))
    for _ in range(epochs):
        print(step(jnp.zeros((1, 9))))  #! JAX302


@app.command()
def main(epochs: int = 3):
    train(Net(), epochs)


if __name__ == "__main__":
    app()

# %% norun ... that is handed the function
from absl import app

import jax
import jax.numpy as jnp

key = jax.random.key(0)


class Net:
    def __call__(self, x):
        return jax.random.categorical(key, x)


def train(net, epochs):
    step = jax.jit(lambda x: net(x))
    for _ in range(epochs):
        print(step(jnp.zeros((1, 9))))  #! JAX302


def main(argv):
    train(Net(), int(argv[1]))


if __name__ == "__main__":
    app.run(main)

# %% norun ... by its own name
from absl.app import run

import jax
import jax.numpy as jnp

key = jax.random.key(0)


class Net:
    def __call__(self, x):
        return jax.random.categorical(key, x)


def train(net, epochs):
    step = jax.jit(lambda x: net(x))
    for _ in range(epochs):
        print(step(jnp.zeros((1, 9))))  #! JAX302


def main(argv):
    train(Net(), int(argv[1]))


run(main)

# %% norun a function that a library makes another one of, which is not called
import lib

import jax
import jax.numpy as jnp

key = jax.random.key(0)


class Net:
    def __call__(self, x):
        return jax.random.categorical(key, x)


def train(net, epochs):
    step = jax.jit(lambda x: net(x))
    for _ in range(epochs):
        print(step(jnp.zeros((1, 9))))


def main(epochs):
    train(Net(), epochs)


wrapped = lib.wrap(main)

# %% a key that some turns split only
import jax
import jax.numpy as jnp


@jax.jit
def update(params, key, batch):
    noise = 0.1 * jax.random.normal(key, batch.shape)
    return params - 0.01 * (batch + noise).mean(0), noise[0, 0]


key = jax.random.key(0)
params = jnp.zeros(3)
batch = jnp.ones((4, 3))
drawn = set()
for step in range(100):
    if step % 50 == 0:
        key, other = jax.random.split(key)  #! JAX308
        print(step, float(jax.random.uniform(other)))
    params, noise = update(params, key, batch)  #! JAX302
    drawn.add(float(noise))
assert len(drawn) == 2

# %% keys that some turns split, and what other turns do
import jax

key = jax.random.key(0)
for i in range(20):
    if i % 10 == 0:
        key, _ = jax.random.split(key)  #! JAX308
    if i % 10 == 0:
        print(jax.random.normal(key))

for i in range(20):
    if i % 10 == 0:
        key, held = jax.random.split(key)  #! JAX308
    print(jax.random.normal(held))

for i in range(20):
    key, sub = jax.random.split(key)  #! JAX308
    if i % 10 == 0:
        key, other = jax.random.split(key)
        print(jax.random.normal(other))
    print(jax.random.normal(sub))

for i in range(20):
    if i % 2 == 0:
        key, sub = jax.random.split(key)
    else:
        _, sub = jax.random.split(jax.random.fold_in(key, i))
    print(jax.random.normal(sub))

# %% an evaluation in some turns that is only shown: what follows has its own variables of these names
import jax
import jax.numpy as jnp


@jax.jit
def evaluate(key, params):
    return {"reward": (jax.random.uniform(key, (10,)) * params).mean()}


def train(key):
    key, held = jax.random.split(key)
    params = jnp.ones(())
    for i in range(300):
        params = params * 0.99
        stats = {"i": i}
        if i % 100 == 0:
            found = evaluate(held, params)
            stats.update(found)
        if i % 10 == 0:
            print(stats)
    found = {"reward": jnp.zeros(())}
    return found["reward"] + params


train(jax.random.key(0))

# %% ... and is returned
import jax
import jax.numpy as jnp


@jax.jit
def evaluate(key, params):
    return {"reward": (jax.random.uniform(key, (10,)) * params).mean()}


def train(key):
    key, held = jax.random.split(key)
    params = jnp.ones(())
    found = {}
    for i in range(300):
        params = params * 0.99
        if i % 100 == 0:
            found = evaluate(held, params)  #! JAX302
            print(found)
    return found["reward"] + params


train(jax.random.key(0))

# %% norun what is drawn for each batch fills an array that is only plotted
import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np


def complete(x, rng):
    return x.at[:, 0].set(jax.random.normal(rng, x.shape[:1]))


def pictures(loader, rng):
    for j, image in enumerate(loader):
        out = complete(jnp.array(image), rng)
        final = np.zeros((2, 16, 3))
        final[:, :, 0] = out
        for k in range(2):
            fig, ax = plt.subplots()
            ax.imshow(final[k] / 9.0)
            fig.savefig(f"{j}.{k}.png")


def in_place(loader, rng):
    final = np.zeros((3, 2, 16))
    for j, image in enumerate(loader):
        final[j] = complete(jnp.array(image), rng)
        plt.imshow(final[j])

# %% norun ... that is given back, is given, or goes into the next turn
import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np


def complete(x, rng):
    return x.at[:, 0].set(jax.random.normal(rng, x.shape[:1]))


def returned(loader, rng):
    final = np.zeros((3, 2, 16))
    for j, image in enumerate(loader):
        final[j] = complete(jnp.array(image), rng)  #! JAX302
        plt.imshow(final[j])
    return final


def given(loader, rng, final):
    for j, image in enumerate(loader):
        final[j] = complete(jnp.array(image), rng)  #! JAX302
        plt.imshow(final[j])


def carried(loader, rng):
    final = np.zeros((2, 16))
    for image in loader:
        final[:] = complete(jnp.array(image) + final, rng)  #! JAX302
        plt.imshow(final)

# %% calls in threads that are waited for: one key for all of them
import asyncio

import jax


def draw(key):
    return jax.random.normal(key)


async def same(key):
    return await asyncio.gather(*(asyncio.to_thread(draw, key) for _ in range(3)))  #! JAX302


async def same_by_loop(key):
    loop = asyncio.get_running_loop()
    found = []
    for _ in range(3):
        found.append(await loop.run_in_executor(None, draw, key))  #! JAX302
    return found


async def each(key):
    keys = jax.random.split(key, 3)
    return await asyncio.gather(*(asyncio.to_thread(draw, each) for each in keys))


async def later(key):
    loop = asyncio.get_running_loop()
    for step in range(3):
        loop.call_soon(draw, jax.random.fold_in(key, step))
    await asyncio.sleep(0)


for seed, main in enumerate((same, same_by_loop, each, later)):
    print(asyncio.run(main(jax.random.key(seed))))

# %% a difference to a call that draws nothing: all turns draw the same
import jax
import jax.numpy as jnp


def act(key, obs, greedy=False):
    return obs if greedy else obs + jax.random.normal(key)


def run(key, obs):
    noise = []
    for _ in range(3):
        action = act(key, obs)  #! JAX302
        noise.append(float(action - act(key, obs, greedy=True)))
        obs = 0.9 * obs + 0.1 * action
    return noise


def forward(key, w, x, train):
    return w * x * jax.random.bernoulli(key, 0.5, x.shape) if train else w * x


noise = run(jax.random.key(0), 1.0)
assert max(noise) - min(noise) < 1e-5
key, x, w = jax.random.key(1), jnp.ones(8), 1.0
seen = []
for _ in range(3):
    y = forward(key, w, x, True)  #! JAX302
    seen.append(y.tolist())
    w = w + 0.0 * float(jnp.abs(y - forward(key, w, x, False)).mean())
assert seen[0] == seen[1] == seen[2]

# %% a difference of two draws, of which the first one goes into the next turn
import jax


def step(key, x):
    return 0.9 * x + jax.random.normal(key)


def coupled(key, x, y):
    gaps = []
    for _ in range(3):
        new = step(key, x)  #! JAX302
        gaps.append(float(new - step(key, y)))
        x = new
    return gaps


print(coupled(jax.random.key(0), 1.0, 2.0))

# %% a step along the difference of two draws with one key, and of two settings in each turn
from functools import partial

import jax


def noisy(key, w):
    return w**2 + jax.random.normal(key)


def descended(key, w):
    for _ in range(3):
        slope = (noisy(key, w + 0.1) - noisy(key, w - 0.1)) / 0.2
        w = w - 0.1 * slope
    return w


def gaps(key, rates):
    found = []
    for rate in rates:
        low, high = partial(noisy, w=rate), partial(noisy, w=2 * rate)
        found.append(float(high(key) - low(key)))
    return found


first, second = jax.random.split(jax.random.key(0))
print(descended(first, 1.0), gaps(second, [0.1, 0.2]))

# %% the number of the turn of a loop of jax.lax is folded in, and a loop around it goes with the same key
import jax
import jax.numpy as jnp


def scanned(key, x):
    def body(x, i):
        noise = jax.random.normal(jax.random.fold_in(key, i))
        return x + noise, noise

    return jax.lax.scan(body, x, jnp.arange(3))


class Simulation:
    def __init__(self, key):
        self.key = key

    def run(self, x):
        def body(i, x):
            return x + self.noise(i)

        return jax.lax.fori_loop(0, 3, body, x)

    def noise(self, i):
        return jax.random.normal(jax.random.fold_in(self.key, i))


def indexed(key, x):
    keys = jax.random.split(key, 2)
    return jax.lax.fori_loop(0, 2, lambda i, s: s + jax.random.normal(keys[i]), x)


@jax.jit
def nested(key, x):
    def outer(x, _):
        new = jax.lax.fori_loop(0, 3, lambda i, s: s + jax.random.normal(jax.random.fold_in(key, i)), x)  #! JAX302
        return new, new - x

    return jax.lax.scan(outer, x, length=3)


a, b, c, d, e = jax.random.split(jax.random.key(0), 5)
simulation = Simulation(b)
x = 0.0
for turn in range(3):
    x, noise = scanned(a, x)  #! JAX302
    x = simulation.run(x)  #! JAX302
    x = indexed(c, x)  #! JAX302
    keys = jax.vmap(jax.random.fold_in, (None, 0))(d, jnp.arange(4))
    x = x + jax.vmap(jax.random.normal)(keys).sum()  #! JAX302
print(nested(e, x))

# %% the number of the turn of a loop of jax.lax is folded in, and each loop has its own key or counts on
import jax
import jax.numpy as jnp


def epoch(key, epoch, x):
    def body(i, x):
        return x + jax.random.normal(jax.random.fold_in(jax.random.fold_in(key, epoch), i))

    return jax.lax.fori_loop(0, 3, body, x)


def counted_on(key, epoch, x):
    def body(x, i):
        first, second = jax.random.split(jax.random.fold_in(key, 3 * epoch + i))
        return x + jax.random.normal(first) * jax.random.uniform(second), i

    return jax.lax.scan(body, x, jnp.arange(3))[0]


def by_rows(key, x):
    keys = jax.random.split(key, (4, 2))

    def body(x, i):
        return x + jax.random.normal(keys[i, 0]) * jax.random.normal(keys[i, 1]), i

    return jax.lax.scan(body, x, jnp.arange(4))[0]


def nested(key, x):
    def outer(x, epoch):
        own = jax.random.fold_in(key, epoch)
        return jax.lax.fori_loop(0, 4, lambda i, s: s + jax.random.normal(jax.random.fold_in(own, i)), x), None

    return jax.lax.scan(outer, x, jnp.arange(5))[0]


def draw(key, numbers):
    return jax.lax.map(lambda i: jax.random.normal(jax.random.fold_in(key, i)), numbers)


a, b, c, d, e = jax.random.split(jax.random.key(0), 5)
x = 0.0
for turn in range(3):
    x = epoch(a, turn, x)
    x = counted_on(b, turn, x)
    c, own = jax.random.split(c)
    x = by_rows(own, x)
print(nested(d, x), draw(e, jnp.arange(3)), draw(e, jnp.arange(3, 6)))

# %% of what a loop makes with one key one is taken: by switch, by an index, or by a name
import jax
import jax.numpy as jnp


def weak(x, rng):
    return x + jax.random.uniform(rng, x.shape)


def strong(x, rng):
    return x + 2 * jax.random.uniform(rng, x.shape)


def branches(x, rng, index):
    results = []
    for attack in (weak, strong):
        adversary = attack(x, rng)
        results.append(lambda _, adversary=adversary: adversary)
    return jax.lax.switch(index, results, None)


def kept(x, rng, index):
    made = []
    for attack in (weak, strong):
        noisy = attack(x, rng)
        made.append(noisy)
    return made[index] / len(made)


def named(x, rng, name):
    made = {}
    for attack in (weak, strong):
        made[attack.__name__] = attack(x, rng)
    return made[name]


def comprehended(x, rng, index):
    made = [attack(x, rng) for attack in (weak, strong)]
    return made[index]


def selected(x, rng, index):
    return jax.lax.select_n(index, *[attack(x, rng) for attack in (weak, strong)])


k1, k2, k3, k4, k5 = jax.random.split(jax.random.key(0), 5)
x = jnp.ones(2)
print(branches(x, k1, 0), kept(x, k2, 1), named(x, k3, "weak"), comprehended(x, k4, 0), selected(x, k5, 1))

# %% of what a loop makes with one key all are taken, or several
import jax
import jax.numpy as jnp


def weak(x, rng):
    return x + jax.random.uniform(rng, x.shape)


def strong(x, rng):
    return x + 2 * jax.random.uniform(rng, x.shape)


def given(x, rng):
    made = []
    for attack in (weak, strong):
        made.append(attack(x, rng))  #! JAX302
    return made


def each(x, rng, indices):
    made = []
    for attack in (weak, strong):
        made.append(attack(x, rng))  #! JAX302
    return [made[index] for index in indices]


def in_turn(x, rng, indices):
    made = {}
    for attack in (weak, strong):
        made[attack.__name__] = attack(x, rng)  #! JAX302
    total = x
    for index in indices:
        total = total + made[index]
    return total


def several(x, rng):
    made = [attack(x, rng) for attack in (weak, strong)]  #! JAX302
    return made[0] + made[1]


def pooled(x, rng, index):
    made = [attack(x, rng) for attack in (weak, strong)]  #! JAX302
    return made[index] / sum(made)


def sliced(x, rng, count):
    made = [attack(x, rng) for attack in (weak, strong)]  #! JAX302
    return made[:count]


def last(x, rng):
    made = []
    for scale in (1.0, 2.0):
        x = weak(x * scale, rng)  #! JAX302
        made.append(x)
    return made[-1]


k1, k2, k3, k4, k5, k6, k7 = jax.random.split(jax.random.key(0), 7)
x = jnp.ones(2)
print(given(x, k1), each(x, k2, (0, 1)), in_turn(x, k3, ("weak", "strong")), several(x, k4), pooled(x, k5, 0))
print(sliced(x, k6, 2), last(x, k7))

# %% the input of what is timed, the same for each thing that is timed
import time

import jax
import jax.numpy as jnp


def median_time(f, *args):
    times = []
    for _ in range(5):
        start = time.perf_counter()
        out = jax.block_until_ready(f(*args))
        times.append(time.perf_counter() - start)
    return sorted(times)[2], out


def measure(module, size, key):
    x = jax.random.normal(key, (size, 8))
    seconds, out = median_time(jax.jit(module), x)
    return {"ms": seconds * 1e3, "rate": float(jnp.mean(out != 0))}


def inputs(size, key):
    return jax.random.normal(key, (size, 8))


def seconds_of(module, size, key):
    x = inputs(size, key)
    x = 2.0 * x
    start = time.perf_counter()
    module(x).block_until_ready()
    return time.perf_counter() - start


def compare(modules, sizes, key):
    found = []
    for size in sizes:
        for module in modules:
            found.append(measure(module, size, key))
            print(seconds_of(module, size, key))
    return found


compare((jnp.tanh, jnp.sin), (4, 8), jax.random.key(0))

# %% ... and a run that takes its own time beside what it gives
import time

import jax
import jax.numpy as jnp


def fit(step, w, x):
    start = time.perf_counter()
    for _ in range(5):
        w = step(w, x)
    print(time.perf_counter() - start)
    return w


def solved(x):
    start = time.perf_counter()
    w = jnp.linalg.norm(x)
    print(time.perf_counter() - start)
    return w


def run(size, key):
    x = jax.random.normal(key, (size, 8))
    return fit(lambda w, x: w + x, jnp.zeros(()), x)


def run_here(size, key):
    x = jax.random.normal(key, (size, 8))
    start = time.perf_counter()
    w = solved(x)
    print(time.perf_counter() - start)
    return w


def trials(key):
    found = []
    for _ in range(4):
        found.append(run(8, key))  #! JAX302
        found.append(run_here(4, key))  #! JAX301
    return found


trials(jax.random.key(0))

# %% norun each turn draws from a distribution of tensorflow_probability with the same key
import jax
import jax.numpy as jnp
from tensorflow_probability.substrates.jax import distributions as tfd


def act(logits, key):
    actions = []
    for i in range(logits.shape[0]):
        actions.append(tfd.Categorical(logits=logits[i]).sample(seed=key))  #! JAX302
    return jnp.stack(actions)


def act_in_turn(logits, key):
    actions = []
    for i in range(logits.shape[0]):
        actions.append(tfd.Categorical(logits=logits[i]).sample(seed=jax.random.fold_in(key, i)))
    return jnp.stack(actions)

# %% a list of stages that a decorator, or a method, fills: each stage is called in one turn
import jax
import jax.numpy as jnp

STAGES = []


def stage(f):
    STAGES.append(f)
    return f


@stage
def noise(x, key):
    return x + jax.random.normal(key, x.shape)


def augment(x, key):
    for f in STAGES:
        x = f(x, key)
    return x


def together(x, key):
    return sum(f(x, key) for f in STAGES)


class Pipe:
    def __init__(self):
        self.stages = []

    def add(self, f):
        self.stages.append(f)
        return self

    def __call__(self, x, key):
        for f in self.stages:
            x = f(x, key)
        return x


class Noise:
    def __init__(self, scale):
        self.scale = scale

    def __call__(self, x, key):
        return x + self.scale * jax.random.normal(key, x.shape)


def main(x, keys):
    pipe = Pipe()
    pipe.add(lambda x, key: x + jax.random.normal(key, x.shape))
    other = Pipe().add(Noise(2.0)).add(lambda x, key: 2 * x)
    return pipe(x, keys[0]) + other(x, keys[1]) + augment(x, keys[2]) + together(x, keys[3])


print(main(jnp.ones(2), jax.random.split(jax.random.key(0), 4)))

# %% ... where two of them draw, or one of several that a loop adds, or the stages are called again, the numbers are equal
import jax
import jax.numpy as jnp

STAGES = []


def stage(f):
    STAGES.append(f)
    return f


@stage
def noise(x, key):
    return x + jax.random.normal(key, x.shape)


@stage
def double(x, key):
    return 2 * x


@stage
def drop(x, key):
    return x * jax.random.bernoulli(key, 0.5, x.shape)


def augment(x, key):
    for f in STAGES:
        x = f(x, key)  #! JAX302
    return x


class Pipe:
    def __init__(self):
        self.stages = []

    def add(self, f):
        self.stages.append(f)
        return self

    def __call__(self, x, key):
        for f in self.stages:
            x = f(x, key)  #! JAX302
        return x


class Mixed:
    def __init__(self):
        self.stages = []

    def add(self, f):
        self.stages.append(f)
        return self

    def __call__(self, x, key):
        for f in self.stages:
            x = f(x, key)
        return x


def filled(x, key):
    pipe = Pipe()
    for scale in (1.0, 2.0):
        pipe.add(lambda x, key, scale=scale: x + scale * jax.random.normal(key, x.shape))
    return pipe(x, key)


def batches(xs, key):
    pipe = Mixed().add(double).add(noise)
    views = []
    for x in xs:
        views.append(pipe(x, key))  #! JAX302
    return views


print(augment(jnp.ones(2), jax.random.key(0)), filled(jnp.ones(2), jax.random.key(1)))
print(batches(jnp.ones((3, 2)), jax.random.key(2)))

# %% ... stages that are taken out again may not be among those that are called
import jax
import jax.numpy as jnp


class Pipe:
    def __init__(self):
        self.stages = []

    def add(self, f):
        self.stages.append(f)

    def clear(self):
        self.stages.clear()

    def __call__(self, x, key):
        for f in self.stages:
            x = f(x, key)
        return x


def noise(x, key):
    return x + jax.random.normal(key, x.shape)


def double(x, key):
    return 2 * x


def main(xs, key):
    pipe = Pipe()
    pipe.add(noise)
    first = pipe(xs, key)
    pipe.clear()
    pipe.add(double)
    return first + sum(pipe(x, key) for x in xs)


print(main(jnp.ones((3, 2)), jax.random.key(0)))

# %% a static method whose first parameter is the key, in a loop
import jax


class Noisy:
    @staticmethod
    def draw(key, shape):
        return jax.random.normal(key, shape)

    def many(self, key):
        return [self.draw(key, (3, 1)) for _ in range(3)]  #! JAX302


def main(key):
    return [Noisy.draw(key, (3, 1)) for _ in range(3)]  #! JAX302


def other(key):
    return [Noisy.draw(each, (3, 1)) for each in jax.random.split(key, 3)]


main(jax.random.key(0))

# %% norun a transform of a function of which nothing is known gets the children of one key in each turn
from functools import partial

import jax
from augment_library import augment

compiled = jax.jit(augment)


def jitted(rng, images):
    out = {}
    for name in images:
        keys = jax.random.split(rng, images[name].shape[0])  #! JAX302
        out[name] = compiled(keys, images[name])
    return out


def mapped(rng, images):
    out = {}
    for name in images:
        keys = jax.random.split(rng, images[name].shape[0])  #! JAX302
        out[name] = jax.vmap(augment)(keys, images[name])
    return out


def bound(rng, images):
    out = {}
    batched = jax.vmap(augment, in_axes=(0, None))
    for name in images:
        keys = jax.random.split(rng, images[name].shape[0])  #! JAX302
        out[name] = batched(keys, images[name])
    return out


def part(rng, images):
    out = {}
    for name in images:
        keys = jax.random.split(rng, images[name].shape[0])  #! JAX302
        out[name] = partial(jax.vmap, in_axes=(0, None))(augment)(keys, images[name])
    return out


def part2(rng, images):
    out = {}
    for name in images:
        keys = jax.random.split(rng, images[name].shape[0])  #! JAX302
        out[name] = jax.vmap(partial(augment, mode=1))(keys, images[name])
    return out


def given(rng, images, fn):
    out = {}
    for name in images:
        keys = jax.random.split(rng, images[name].shape[0])  #! JAX302
        out[name] = jax.vmap(fn)(keys, images[name])
    return out


def lax_map(rng, images, fn):
    out = {}
    for name in images:
        keys = jax.random.split(rng, images[name].shape[0])  #! JAX302
        out[name] = jax.lax.map(fn, keys)
    return out


def lax_scan(rng, images):
    out = {}
    for name in images:
        keys = jax.random.split(rng, images[name].shape[0])  #! JAX302
        out[name] = jax.lax.scan(augment, images[name], keys)
    return out


def lambda_(rng, images):
    out = {}
    for name in images:
        keys = jax.random.split(rng, images[name].shape[0])  #! JAX302
        out[name] = jax.vmap(lambda k, x: augment(k, x))(keys, images[name])
    return out


def fresh(rng, images):
    out = {}
    for name in images:
        rng, sub = jax.random.split(rng)
        keys = jax.random.split(sub, images[name].shape[0])
        out[name] = jax.vmap(augment)(keys, images[name])
    return out


def folded(rng, images):
    out = []
    for at, image in enumerate(images):
        keys = jax.random.split(jax.random.fold_in(rng, at), 3)
        out.append(jax.vmap(augment)(keys, image))
    return out


def gradient(rng, params, images, loss):
    for image in images:
        keys = jax.random.split(rng, 3)  #! JAX302
        params = jax.grad(loss)(params, image, keys[0])
    return params


def network(rng, params, images, model):
    for image in images:
        keys = jax.random.split(rng, 3)  #! JAX308
        params = jax.vmap(model.apply, (None, 0, None))(params, keys, image)
    return params


def part3(rng, images):
    out = {}
    for name in images:
        keys = jax.random.split(rng, images[name].shape[0])  #! JAX302
        out[name] = partial(augment, mode=1)(keys, images[name])
    return out


def known(images):
    key = jax.random.key(0)  #! JAX303
    for image in images:
        keys = jax.random.split(key, 4)  #! JAX302
        print(jax.vmap(augment.reset)(keys, image))


def stored(rng, images, store):
    for image in images:
        keys = jax.random.split(rng, 4)  #! JAX308
        jax.vmap(store.put)(image)
        print(jax.device_get(keys))

# %% norun a loop goes through the children of one key that each turn splits again, and hands them to what is not known
import jax
from weights import initializer


def listed(rng, bases, digits):
    weights = []
    for _ in bases:
        weights.append([initializer((1, 64), k) for k in jax.random.split(rng, digits)])  #! JAX302
    return weights


def looped(rng, bases, digits):
    weights = []
    for _ in bases:
        for k in jax.random.split(rng, digits):  #! JAX302
            weights.append(initializer((1, 64), k))
    return weights


def beside(rng, bases, xs):
    weights = []
    for _ in bases:
        for k, x in zip(jax.random.split(rng, len(xs)), xs):  #! JAX302
            weights.append(initializer(x, k))
    return weights


def named(rng, bases, xs):
    weights = []
    for _ in bases:
        keys = jax.random.split(rng, len(xs))  #! JAX302
        weights.append([initializer(x, k) for x, k in zip(xs, keys)])
    return weights


def numbered(rng, bases, digits):
    weights = []
    for _ in bases:
        for at, k in enumerate(jax.random.split(rng, digits)):  #! JAX302
            weights.append(initializer(at, k))
    return weights


def drawn(rng, bases, xs):
    weights = []
    for _ in bases:
        for k, x in zip(jax.random.split(rng, len(xs)), xs):  #! JAX302
            weights.append(jax.random.normal(k, x))
    return weights

# %% norun the same where each turn has other keys, or the loop goes through the children once
import jax
from weights import initializer


def carried(rng, bases, digits):
    weights = []
    for _ in bases:
        rng, sub = jax.random.split(rng)
        weights.append([initializer((1, 64), k) for k in jax.random.split(sub, digits)])
    return weights


def beside(rng, bases, xs):
    weights = []
    for each in jax.random.split(rng, len(bases)):
        for k, x in zip(jax.random.split(each, len(xs)), xs):
            weights.append(initializer(x, k))
    return weights


def folded(rng, bases, xs):
    weights = []
    for at, _ in enumerate(bases):
        keys = jax.random.split(jax.random.fold_in(rng, at), len(xs))
        weights.append([initializer(x, k) for x, k in zip(xs, keys)])
    return weights


def once(rng, digits):
    return [initializer((1, 64), k) for k in jax.random.split(rng, digits)]


def printed(rng, bases, digits):
    for _ in bases:
        for k in jax.random.split(rng, digits):  #! JAX308
            print(k)


def last(rng, xs):
    keys = jax.random.split(rng, len(xs) + 1)
    drawn = [jax.random.normal(k, x) for k, x in zip(keys, xs)]
    handed = [initializer(x, k) for k, x in zip(jax.random.split(keys[-1], len(xs)), xs)]
    return drawn, handed


def rest(rng, xs, ys):
    keys = jax.random.split(rng, len(xs) + len(ys))
    first = [initializer(x, k) for k, x in zip(keys[: len(xs)], xs)]
    return first, [initializer(y, k) for k, y in zip(keys[len(xs) :], ys)], initializer(keys[-1])


def either(rng, xs, is_plain):
    keys = jax.random.split(rng, len(xs))
    if is_plain:
        return [initializer(x, k) for k, x in zip(keys, xs)]
    return [jax.random.normal(k, x) for k, x in zip(keys, xs)]

# %% norun one array of keys is gone through twice, side by side with other things
import jax


def twice(rng, xs):
    keys = jax.random.split(rng, len(xs))
    first = [jax.random.normal(k, x) for k, x in zip(keys, xs)]
    return first, [jax.random.uniform(k, x) for k, x in zip(keys, xs)]  #! JAX301

# %% children of a split in a function that vmap or pmap maps are keys that each turn draws from again
import jax


@jax.vmap
def halves(rng):
    first, second = jax.random.split(rng)
    return first, second


@jax.vmap
def moved(state):
    rng, sub = jax.random.split(state["rng"])
    return {"x": state["x"] + jax.random.normal(sub), "rng": rng}


def drawn(rngs):
    out = []
    for _ in range(3):
        first, second = halves(rngs)  #! JAX302
        out.append(jax.vmap(jax.random.normal)(first))
        print(second)
    return out


def carried(rngs):
    out = []
    for _ in range(3):
        rngs, second = halves(rngs)
        out.append(jax.vmap(jax.random.normal)(second))
    return out


def by_state(rngs):
    state = {"x": jax.numpy.zeros(3), "rng": rngs}
    for _ in range(3):
        state = moved(state)
    return state


drawn(jax.random.split(jax.random.key(0), 3))
carried(jax.random.split(jax.random.key(1), 3))
by_state(jax.random.split(jax.random.key(2), 3))

# %% each of several records that a mapped function makes in a loop has keys of its own
import jax


def step(state, key):
    rng, sub = jax.random.split(state["rng"])
    return {"x": state["x"] + jax.random.normal(sub), "rng": rng}


def reset(key):
    return {"x": 0.0, "rng": key}


def update(states):
    for i in range(2):
        state = states[i]
        for _ in range(2):
            state = jax.vmap(step, (0, None))(state, None)
        states[i] = jax.vmap(step, (0, None))(state, None)
    return states


def counted(n, key):
    states = [jax.vmap(reset)(jax.random.split(key, 3)) for key in jax.random.split(key, n)]
    for i, state in enumerate(states):
        states[i] = jax.vmap(step, (0, None))(state, None)
    return states


def beside(xs, key):
    states = [jax.vmap(reset)(jax.random.split(key, 3)) for key in jax.random.split(key, len(xs))]
    return [jax.vmap(step, (0, None))(state, x) for state, x in zip(states, xs)]


states = []
for key in jax.random.split(jax.random.key(0), 2):
    states.append(jax.vmap(reset)(jax.random.split(key, 3)))
states = jax.jit(update)(states)
states = update([jax.vmap(reset)(jax.random.split(key, 3)) for key in jax.random.split(jax.random.key(1), 2)])
counted(3, jax.random.key(2))
beside([1, 2, 3], jax.random.key(2))

# %% records that a mapped function makes in a loop of one key
import jax


def step(state):
    rng, sub = jax.random.split(state["rng"])
    return {"x": state["x"] + jax.random.normal(sub), "rng": rng}


def reset(key):
    return {"x": 0.0, "rng": key}


key = jax.random.key(0)
states = []
for _ in range(2):
    states.append(jax.vmap(reset)(jax.random.split(key, 3)))  #! JAX308
for i in range(2):
    states[i] = jax.vmap(step)(states[i])  #! JAX302

# %% norun each of several objects that a loop makes of one configuration has a key of its own
import jax


class Individual:
    def __init__(self, config, rng_key, params=()):
        self.config = config
        self.rng_key = rng_key


def uniform(rng_key, n):
    rng_key, sub = jax.random.split(rng_key)
    return rng_key, jax.random.uniform(sub, (n,))


def draws(inds):
    out = []
    for ind in inds:
        rng_key, made = uniform(ind.rng_key, 3)
        out.append(made)
    return out


def build(config):
    def evaluate(inds):
        found = draws(inds)
        print(found)
        return inds

    return evaluate


def search(config, rng_key, optimizer, evaluate):
    for _ in range(2):
        solutions = optimizer.ask()
        rng_key, *subkeys = jax.random.split(rng_key, 1 + len(solutions))
        inds = [Individual(config, subkey, params) for subkey, params in zip(subkeys, solutions)]
        evaluate(inds)


def main(load, optimizer):
    config = load()
    search(config, jax.random.PRNGKey(config["seed"]), optimizer, build(config))


def load():
    return open("a").read()


class Optimizer:
    def ask(self):
        return open("a").readlines()


main(load, Optimizer())

# %% runs that are timed: each leaf of what a run gives is waited for, and no more
import time

import jax


@jax.jit
def run(key):
    return {"a": jax.random.normal(key, (3,)), "b": 1}


key = jax.random.key(0)
times = []
for _ in range(3):
    start = time.perf_counter()
    result = run(key)
    jax.tree_util.tree_map(lambda x: x.block_until_ready(), result)
    times.append(time.perf_counter() - start)
for _ in range(3):
    start = time.perf_counter()
    result = run(key)
    jax.tree.map(lambda x: x.block_until_ready() if hasattr(x, "block_until_ready") else x, result)
    times.append(time.perf_counter() - start)
for _ in range(3):
    start = time.perf_counter()
    jax.tree.map(jax.block_until_ready, run(key))
    times.append(time.perf_counter() - start)
print(times)

# %% runs of which each leaf is shown when it is there
import jax


@jax.jit
def run(key):
    return {"a": jax.random.normal(key, (3,))}


key = jax.random.key(0)
for _ in range(3):
    result = run(key)  #! JAX302
    jax.tree.map(lambda x: print(x.block_until_ready()), result)
for _ in range(3):
    result = run(key)  #! JAX301
    print(jax.tree.map(lambda x: x.block_until_ready(), result))
