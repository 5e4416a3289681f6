# %% lambda called at once: each pass makes a new function, traces and compiles it
import jax
import jax.numpy as jnp

x = jnp.ones(8)
for _ in range(3):
    x = jax.jit(lambda v: jnp.sin(v) * 2)(x)  #! JAX403


# %% decorated in the loop: the def is run again at each pass
import jax
import jax.numpy as jnp

w = jnp.ones(2)
for batch in (jnp.ones(2), jnp.zeros(2)):

    @jax.jit  #! JAX403
    def update(w):
        return w - 0.1 * (w - batch)

    w = update(w)


# %% partial in a loop: a partial is a new object, even of the same function and argument
from functools import partial

import jax


def decay(rate, x):
    return x * (1.0 - rate)


x = 1.0
for _ in range(3):
    step = jax.jit(partial(decay, 0.1))  #! JAX403
    x = step(x)


# %% gradient in a while loop: grad returns a new function each time
import jax
import jax.numpy as jnp


def loss(w):
    return jnp.sum((w - 3.0) ** 2)


w = jnp.zeros(2)
steps = 0
while steps < 3:
    w = w - 0.1 * jax.jit(jax.grad(loss))(w)  #! JAX403
    steps += 1


# %% comprehension: a loop in one line compiles as often
import jax

powers = [jax.jit(lambda v: v**2)(float(n)) for n in range(3)]  #! JAX403


# %% bound method: the attribute access makes a new bound method at each pass
import jax


class Model:
    def __init__(self, k):
        self.k = k

    def predict(self, x):
        return x * self.k


model = Model(2.0)
outputs = []
for value in (1.0, 2.0, 3.0):
    outputs.append(jax.jit(model.predict)(value))  #! JAX403


# %% vmap made in the loop: jit of a transform that was made at this pass
import jax
import jax.numpy as jnp


def distance(a, b):
    return jnp.sqrt(jnp.sum((a - b) ** 2))


points = jnp.ones((3, 2))
for centre in (jnp.zeros(2), jnp.ones(2)):
    batched = jax.vmap(distance, in_axes=(0, None))
    compiled = jax.jit(batched)  #! JAX403
    compiled(points, centre)


# %% caches cleared: what was compiled is thrown away at each pass
import jax
import jax.numpy as jnp

f = jax.jit(jnp.cos)
for _ in range(3):
    f(1.0)
    jax.clear_caches()  #! JAX403


# %% cache of the function cleared: the same with the method of the compiled function
import jax


@jax.jit
def square(x):
    return x * x


for value in (1.0, 2.0, 3.0):
    square(value)
    square.clear_cache()  #! JAX403


# %% caches cleared where compilation is timed: that is what the loop is for
import time

import jax
import jax.numpy as jnp

f = jax.jit(jnp.cos)


def compilation(repeats):
    start = time.perf_counter()
    for _ in range(repeats):
        jax.clear_caches()
        f(1.0)
    return (time.perf_counter() - start) / repeats


print(compilation(2) > 0)


# %% inner loop: what is made in the outer loop's body is made again in the inner one
import jax
import jax.numpy as jnp


def main():
    total = 0.0
    for scale in (1.0, 2.0):
        for row in (jnp.ones(2), jnp.zeros(2)):
            normalised = jax.jit(lambda v: v / (1.0 + jnp.sum(v)))  #! JAX403
            total += float(normalised(row * scale)[0])
    return total


main()


# %% named function: jit of the same module-level function compiles once, in a loop too
import jax
import jax.numpy as jnp


def step(x):
    return jnp.sin(x) * 2


x = jnp.ones(8)
for _ in range(3):
    x = jax.jit(step)(x)
for _ in range(3):
    again = jax.jit(step, donate_argnums=())
    x = again(x)


# %% made before the loop: one compiled function, called at each pass
from functools import partial

import jax
import jax.numpy as jnp


def scaled(k, x):
    return k * jnp.tanh(x)


f = jax.jit(lambda v: jnp.sin(v) * 2)
g = jax.jit(partial(scaled, 2.0))
slope = jax.jit(jax.grad(scaled, argnums=1))
x = 1.0
for _ in range(3):
    x = f(x) + g(x) + slope(2.0, x)


# %% table of functions: each is made once, and called later
from functools import partial

import jax
import jax.numpy as jnp


def power(n, x):
    return x**n


table = {}
for n in (1, 2, 3):
    table[n] = jax.jit(partial(power, n))

activations = {name: jax.jit(lambda x, fn=fn: fn(x) * 2) for name, fn in (("a", jnp.tanh), ("b", jnp.cos))}
solvers = [jax.jit(jax.grad(fn)) for fn in (jnp.sin, jnp.cos)]
layers = []
for width in (2, 3):

    @jax.jit
    def layer(x, width=width):
        return x * width

    layers.append(layer)

for _ in range(3):
    for n, fn in table.items():
        fn(2.0)
    activations["a"](1.0), solvers[0](1.0), layers[1](2.0)


# %% compiled ahead of time: lower and compile are asked for, once per shape
import jax
import jax.numpy as jnp

compiled = {}
for n in (2, 4, 8):
    spec = jax.ShapeDtypeStruct((n,), jnp.float32)
    compiled[n] = jax.jit(lambda v: jnp.cumsum(v)).lower(spec).compile()
for n in (2, 4, 8):
    compiled[n](jnp.ones(n))


# %% cached factory: the loop asks a cache, which makes each function once
import functools

import jax


@functools.lru_cache(maxsize=None)
def make_power(n):
    return jax.jit(lambda x: x**n)


total = 0.0
for i in range(6):
    total += make_power(i % 2)(2.0)


# %% made at the first pass: the guard lets the loop make it once
import jax
import jax.numpy as jnp

step = None
cache = {}
for batch in (jnp.ones(2), jnp.zeros(2), jnp.ones(2)):
    if step is None:
        step = jax.jit(lambda v: v * 2)
    if batch.shape not in cache:
        cache[batch.shape] = jax.jit(lambda v: v + 1)
    step(batch), cache[batch.shape](batch)


# %% inside an outer jit: the loop runs while tracing, and the inner jit is part of the program
import jax
import jax.numpy as jnp


@jax.jit
def ensemble(x):
    total = jnp.zeros_like(x)
    for scale in (1.0, 2.0):
        total = total + jax.jit(lambda v: jnp.tanh(v * scale))(x)
    return total


for _ in range(3):
    ensemble(jnp.ones(2))


# %% grad around jit: the function under jit is the same each time
import jax
import jax.numpy as jnp


@jax.jit
def loss(w, x):
    return jnp.sum((w * x - 1.0) ** 2)


def plain(w):
    return w * w


w = 0.0
for x in (jnp.ones(2), jnp.full(2, 0.5)):
    w = w - 0.1 * jax.grad(loss)(w, x)
    value, slope = jax.value_and_grad(jax.jit(plain))(w)


# %% leaves the loop: what is made before a break or return is made once
import jax
import jax.numpy as jnp


def main():
    for batch in (jnp.zeros(2), jnp.ones(2)):
        if float(batch[0]) > 0:
            return jax.jit(lambda v: v * 2)(batch)
    return None


main()
for name in ("cpu", "gpu"):
    if name == "cpu":
        jax.jit(lambda v: v + 1)(1.0)
        break


# %% cleared once: the caches are dropped before or after the loop
import jax

f = jax.jit(lambda v: v * 3)
for _ in range(3):
    f(1.0)
f.clear_cache()
jax.clear_caches()
for _ in range(3):
    f(1.0)


# %% eager transforms in a loop: grad and vmap without jit compile no program of their own
import jax
import jax.numpy as jnp

x = jnp.ones(3)
for _ in range(3):
    x = jax.vmap(lambda v: v * 0.5)(x)
    x = x - 0.1 * jax.grad(lambda v: jnp.sum(v**2))(x)


# %% every tenth turn: still a new function each time that it is made
import jax

x = 1.0
for i in range(30):
    if i % 10 == 0:
        x = jax.jit(lambda v: v + 1)(x)  #! JAX403


# %% local function of a loop in a function: defined and compiled at each pass
import jax
import jax.numpy as jnp


def run(batches):
    total = 0.0
    for batch in batches:

        def loss(w):
            return jnp.sum(w * batch)

        total = total + jax.jit(loss)(2.0)  #! JAX403
    return total


run([jnp.ones(2), jnp.zeros(2), jnp.ones(2)])


# %% local function before the loop: one object, compiled once
import jax
import jax.numpy as jnp


def run(batches):
    def loss(batch):
        return jnp.sum(batch**2)

    total = 0.0
    for batch in batches:
        total = total + jax.jit(loss)(batch)
    return total


run([jnp.ones(2), jnp.zeros(2), jnp.ones(2)])


# %% compiled for a loop of its own: each setting's program is used many times
from functools import partial

import jax


def decay(rate, x):
    return x * (1.0 - rate)


for rate in (0.1, 0.2):
    step = jax.jit(partial(decay, rate))
    x = 1.0
    for _ in range(5):
        x = step(x)


# %% one of several transforms: only one turn of the loop is jit's
import jax
import jax.numpy as jnp

for transform in (jax.jit, jax.grad, jax.checkpoint):

    def energy(x):
        return jnp.sum(x**2)

    transform(energy)(1.0)


# %% tried again after an error: the call that works leaves the loop
import jax


def retry(x):
    while True:
        try:
            return jax.jit(lambda v: v + 1)(x)
        except RuntimeError:
            x = x * 1.0


def main():
    retry(1.0)


main()


# %% made in the first turn: the counter shows that it is made once
import jax

for i, x in enumerate((1.0, 2.0, 3.0)):
    if i == 0:
        step = jax.jit(lambda v: v * 2)
    step(x)


# %% options that depend on the iteration: every one needs a program of its own
import jax
import jax.numpy as jnp

device = jax.sharding.SingleDeviceSharding(jax.devices()[0])
shardings = {"dense": device, "embedding": device}
params = {"dense": jnp.ones(2), "embedding": jnp.ones((2, 3))}
for name, leaf in params.items():

    def doubled(x):
        return x * 2

    placement = shardings[name]
    params[name] = jax.jit(doubled, out_shardings=placement)(leaf)


# %% options that are the same in every iteration
import jax
import jax.numpy as jnp

device = jax.sharding.SingleDeviceSharding(jax.devices()[0])
total = jnp.zeros(2)
for leaf in (jnp.ones(2), jnp.zeros(2)):
    total = total + jax.jit(lambda x: x * 2, out_shardings=device)(leaf)  #! JAX403


# %% one of several: what each turn compiles is chosen by a text, or calls another function
from functools import partial

import jax
import jax.numpy as jnp


def bend(x, kind):
    return jnp.abs(x) if kind == "abs" else jnp.maximum(x, 0)


x = jnp.ones(2)
for kind in ("abs", "relu"):
    jax.jit(lambda v: bend(v, kind))(x)
    jax.jit(partial(bend, kind=kind))(x)
    jax.jit(jax.grad(lambda v, k=kind: bend(v, k).sum()))(x)
for function in (jnp.sin, jnp.cos):
    jax.jit(lambda v: function(v) * 2)(x)


class Bend:
    def __init__(self, kind, slope):
        self.kind = kind
        self.slope = slope

    def __call__(self, x):
        return bend(x, self.kind) * self.slope


for kind in ("abs", "relu"):
    for slope in (0.1, 0.2):
        layer = Bend(kind, slope)

        @jax.jit
        def total(x):
            return layer(x).sum()

        total(x)

for kind in ("abs", "relu"):
    jax.jit(Bend(kind, 0.1).__call__)(x)


def both(x):
    return [jax.jit(lambda v: bend(v, kind))(x) for kind in ("abs", "relu")]


both(x)


# %% one of several again: a number may be an argument, and an outer loop compiles each of them again
import jax
import jax.numpy as jnp


def bend(x, kind):
    return jnp.abs(x) if kind == "abs" else jnp.maximum(x, 0)


x = jnp.ones(2)
for factor in (1.0, 2.0):
    jax.jit(lambda v: v * factor)(x)  #! JAX403
for kind in ("abs", "relu"):
    jax.jit(lambda v: v * 2)(x)  #! JAX403
for epoch in range(3):
    for kind in ("abs", "relu"):
        jax.jit(lambda v: bend(v, kind))(x)  #! JAX403


def both(x):
    return [jax.jit(lambda v: bend(v, kind))(x) for kind in ("abs", "relu")]  #! JAX404


for epoch in range(3):
    both(x)


# %% ok: what each turn compiles branches and loops by what is written for it
import jax
import jax.numpy as jnp

PRE = [{"k": 2}, {"k": 3, "gain": 2.0}, {"gain": None, "k": 1}]


def f(x, **cfg):
    if cfg.get("gain") is not None:
        x = x * cfg["gain"]
    for _ in range(cfg["k"]):
        x = x + 1
    return x


for p in PRE:
    opts = {"k": 1, **p}
    print(jax.jit(lambda x: f(x, **opts))(1.0))

for imp in (False, True):
    hess = jax.jit(jax.hessian(lambda a: jnp.sum(a**3) * (2 if imp else 1)))
    hess(jnp.ones(3)).block_until_ready()
    hess(jnp.ones(3)).block_until_ready()

for n in [1, 2, 3]:
    print(jax.jit(lambda x: [x := jnp.sin(x) for _ in range(n)][-1])(1.0))


# %% what is computed with it, a counter, in another loop, or in a function that a loop calls
import jax
import jax.numpy as jnp

for scale in (1.0, 2.0):
    print(jax.jit(lambda x: jnp.sin(x) * scale)(1.0))  #! JAX403

for i in range(100):
    print(jax.jit(lambda x: jnp.sin(x) * (2 if i % 2 else 1))(1.0))  #! JAX403

while True:
    for n in [1, 2, 3]:
        print(jax.jit(lambda x: [x := jnp.sin(x) for _ in range(n)][-1])(1.0))  #! JAX403
    if n:
        break


def evaluate(x):
    out = []
    for n in [1, 2, 3]:
        out.append(jax.jit(lambda x: [x := jnp.sin(x) for _ in range(n)][-1])(x))  #! JAX404
    return out


for i in range(3):
    evaluate(i)


# %% a depth that each iteration writes, by which a helper loops: as a default, a captured variable, in a partial
from functools import partial

import jax
import jax.numpy as jnp


def tower(x, depth, scale=1.0):
    for _ in range(depth):
        x = jnp.tanh(x) * scale
    return x


def twice(x, depth):
    return tower(tower(x, depth), depth=depth)


for depth in (1, 2):
    run = jax.jit(lambda x, depth=depth: twice(x, depth))
    run(1.0)  # compiles
    print([run(1.0) for _ in range(3)])

for depth in (1, 2):
    run = jax.jit(lambda x: twice(x, depth))
    print(run(1.0))

for depth in (1, 2):
    run = jax.jit(partial(tower, depth=depth))
    print(run(1.0))


# %% a factor that each iteration writes and a helper multiplies by could be an argument
from functools import partial

import jax
import jax.numpy as jnp


def tower(x, depth, scale=1.0):
    for _ in range(depth):
        x = jnp.tanh(x) * scale
    return x


for scale in (1.0, 2.0):
    run = jax.jit(lambda x: tower(x, 3, scale))  #! JAX403
    print(run(1.0))

for scale in (1.0, 2.0):
    run = jax.jit(lambda x, scale=scale: tower(x, 3, scale))  #! JAX403
    print(run(1.0))

for scale in (1.0, 2.0):
    run = jax.jit(partial(tower, depth=3, scale=scale))  #! JAX403
    print(run(1.0))


# %% a compiled function for each item is kept: it is called once to warm up, and often later
import jax
import jax.numpy as jnp


class Constraint:
    def __init__(self, fun, jac):
        self.fun = fun
        self.jac = jac


def constraints(items, x):
    found = []
    for item in items:

        def fun(x):
            return jnp.sum(x**2) - item

        compiled = jax.jit(fun)
        slope = jax.jit(jax.jacfwd(fun))
        compiled(x)
        slope(x)
        found.append(Constraint(fun=compiled, jac=slope))
    return found


def results(items, x):
    found = []
    for item in items:

        def fun(x):
            return jnp.sum(x**2) - item

        compiled = jax.jit(fun)  #! JAX403
        found.append(compiled(x))
    return found


x = jnp.ones(3)
kept = constraints([1.0, 1.5], x)
for _ in range(3):
    for each in kept:
        x = x - 0.01 * each.fun(x) * each.jac(x)
print(results([1.0, 2.0], x))

# %% caches that some iterations clear: not each one compiles anew
import jax
import jax.numpy as jnp


@jax.jit
def peaks(audio):
    return jnp.argmax(jnp.abs(audio))


def bounded(recordings):
    for i, audio in enumerate(recordings):
        if i % 100 == 0:
            jax.clear_caches()
        yield peaks(audio)


def counted(recordings, most):
    seen = 0
    for audio in recordings:
        seen += 1
        if seen > most:
            peaks.clear_cache()
            seen = 0
        yield peaks(audio)


def always(recordings, debug):
    for audio in recordings:
        if debug:
            jax.clear_caches()  #! JAX403
        yield peaks(audio)


recordings = [jnp.ones(3), jnp.ones(4)]
print(*bounded(recordings), *counted(recordings, 1), *always(recordings, True))


# %% caches of functools that hold compiled functions are cleared
import functools

import jax


@functools.cache
def make():
    return jax.jit(lambda x: x * 2)


@functools.lru_cache(maxsize=None)
def scaled(factor):
    return jax.jit(lambda x: x * factor)


def after():
    for _ in range(3):
        make()(1.0)
        make.cache_clear()  #! JAX403


def before():
    for _ in range(3):
        make.cache_clear()  #! JAX403
        make()(1.0)


def same(factor):
    for _ in range(3):
        scaled(2.0)(1.0)
        scaled.cache_clear()  #! JAX403


after()
before()
same(2.0)


# %% caches of functools that hold something else, another function in each turn, or are cleared now and then
import functools

import jax
import jax.numpy as jnp


@functools.cache
def make():
    return jax.jit(lambda x: x * 2)


@functools.cache
def scaled(factor):
    return jax.jit(lambda x: x * factor)


@functools.cache
def table(n):
    return jnp.arange(n)


def sweep(factors):
    for factor in factors:
        scaled(factor)(1.0)
        scaled.cache_clear()


for factor in (1.0, 2.0, 3.0):
    scaled(factor)(1.0)
    scaled.cache_clear()
for factor in (1.0, 2.0, 3.0):
    scaled.cache_clear()
    scaled(factor)(1.0)
for i in range(3):
    table(4)
    table.cache_clear()
for i in range(200):
    make()(1.0)
    if i % 100 == 0:
        make.cache_clear()
make()(1.0)
make.cache_clear()
sweep([1.0, 2.0])


# %% a function that a loop calls clears caches
import jax

jitted = jax.jit(lambda x: x * 2)


def step(x):
    jax.clear_caches()  #! JAX403
    return jitted(x)


def own(x):
    y = jitted(x)
    jitted.clear_cache()  #! JAX403
    return y


for _ in range(3):
    step(1.0)
for _ in range(3):
    own(1.0)


# %% a function that a loop calls clears caches after much work, now and then, or for what it compiles itself
import time

import jax
import jax.numpy as jnp

jitted = jax.jit(lambda x: x * 2)


def train(scale):
    for _ in range(3):
        jitted(scale)
    jax.clear_caches()


def experiment(scale):
    compiled = jax.jit(lambda x: x * scale)  #! JAX404
    result = compiled(1.0)
    jax.clear_caches()
    return result


def bounded(x, n):
    if n % 100 == 0:
        jax.clear_caches()
    return jitted(x)


def timed(x):
    start = time.perf_counter()
    jax.clear_caches()
    jitted(x)
    return time.perf_counter() - start


def first(x):
    jax.clear_caches()
    return jitted(x)


for scale in (1.0, 2.0):
    train(scale), experiment(scale), timed(scale)
for n in range(3):
    bounded(1.0, n)
    if n == 0:
        first(1.0)
first(1.0)


# %% arrays of another shape in each turn: each compiles anyway
import jax
import jax.numpy as jnp


def price(s, k):
    return jnp.maximum(s - k, 0.0)


def timed(xs):
    times = []
    for n in (10, 20):
        s = jnp.full(n, 100.0)
        f = jax.jit(jax.vmap(price))
        f(s, s)
        times.append(f(s, 2 * s))
    for n in range(3, 6):
        f = jax.jit(jax.vmap(price))
        f(xs[:n], xs[:n])
        times.append(f(xs[:n], xs[:n]))
    for n in (10, 20):
        m = n * 2
        s = jax.random.normal(jax.random.key(n), (m, 3))
        f = jax.jit(jax.vmap(price))
        times.append(f(s, s))
    return times


print(timed(jnp.ones(30)))


# %% ... the same ones in each turn, or of what only an outer loop leaves alone
import jax
import jax.numpy as jnp


def price(s, k):
    return jnp.maximum(s - k, 0.0)


def timed(xs):
    times = []
    for _ in range(3):
        for n in (10, 20):
            s = jnp.ones(n)
            f = jax.jit(jax.vmap(price))  #! JAX403
            times.append(f(s, s))
    for x in xs:
        s = jnp.ones(x.shape)
        f = jax.jit(jax.vmap(price))  #! JAX403
        times.append(f(s, s))
    for n in (10, 20):
        s = jnp.ones(8) * n
        f = jax.jit(jax.vmap(price))  #! JAX403
        times.append(f(s, s))
    return times


print(timed([jnp.ones(3), jnp.zeros(3)]))


# %% each combination compiles, of which only one part has to be static
import itertools
from itertools import product

import jax
import jax.numpy as jnp


def score_of(x, degree, alpha):
    phi = jnp.stack([x**d for d in range(degree + 1)])
    return alpha * phi.sum()


def sweep(x, alphas, degrees):
    out = []
    for alpha, degree in itertools.product(alphas, degrees):
        score = jax.jit(lambda a: score_of(a, degree, alpha))  #! JAX403
        out.append(float(score(x)))
    for degree, other in product(degrees, (3, 4)):
        score = jax.jit(lambda a: score_of(a, degree, 0.1) + score_of(a, other, 0.1))
        out.append(float(score(x)))
    for alpha, degree in zip(alphas, degrees):
        score = jax.jit(lambda a: score_of(a, degree, alpha))
        out.append(float(score(x)))
    return out


print(sweep(jnp.ones(3), [0.1, 0.2, 0.3], [2, 3]))


# %% each turn has another record of functions, or each one the same
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Rule(NamedTuple):
    init: object
    update: object


def plain(rate):
    return Rule(lambda x: (), lambda x, state: (-rate * x, state))


def momentum(rate):
    return Rule(jnp.zeros_like, lambda x, state: (-rate * (x + state), x))


x = jnp.ones(3)
for make in (plain, momentum):
    rule = make(0.1)
    jax.jit(rule.update)(x, rule.init(x))
for _ in range(3):
    rule = plain(0.1)
    jax.jit(rule.update)(x, rule.init(x))  #! JAX403


# %% each turn hands a new function to a function that jits what it is given
import functools

import jax
import jax.numpy as jnp


def rollout(policy):
    policy = jax.jit(policy)
    return policy(jnp.ones(3))


def passes(policy):
    return rollout(policy)


def named(policy=None, *, times=1):
    return jax.jit(policy)(jnp.ones(3)) * times


class Runner:
    def run(self, policy):
        return jax.jit(policy)(jnp.ones(3))


def main(n, runner):
    w = jnp.ones(3)
    for episode in range(n):
        print(rollout(lambda x: (x * w).sum()))  #! JAX403
        print(passes(lambda x: x + 1))  #! JAX403
        print(named(policy=lambda x: x + episode, times=2))  #! JAX403
        print(runner.run(lambda x: x - w))  #! JAX403
    for _ in range(n):

        def policy(x):
            return x * w

        print(rollout(policy))  #! JAX403
    while n:
        print(rollout(functools.partial(jnp.add, w)))  #! JAX403
        n -= 1
    return [rollout(lambda x: x / w) for _ in range(3)]  #! JAX403


main(3, Runner())
for _ in range(3):
    print(rollout(lambda x: x * 2))  #! JAX403

# %% it jits nothing, goes on to a loop or is timed; the function is there before, or each turn needs its own
import functools
import time

import jax
import jax.numpy as jnp


def rollout(policy):
    return jax.jit(policy)(jnp.ones(3))


def plain(policy):
    return policy(jnp.ones(3))


def many(policy, x):
    policy = jax.jit(policy)
    for _ in range(100):
        x = policy(x)
    return x


def timed(policy):
    policy = jax.jit(policy)
    start = time.perf_counter()
    policy(jnp.ones(3)).block_until_ready()
    return time.perf_counter() - start


def looped(policy):
    return jax.jit(policy)(jnp.ones(3))


def lowered(policy):
    return jax.jit(policy).lower(jnp.ones(3)).compile()


compiled = {}


def kept(name, policy):
    if name not in compiled:
        compiled[name] = jax.jit(policy)
    return compiled[name](jnp.ones(3))


def sized(policy, n):
    return jax.jit(policy)(jnp.ones(n))


def main(n):
    w = jnp.ones(3)
    policy = lambda x: x * w
    for i in range(n):
        rollout(policy), plain(lambda x: x * w), many(lambda x: x * w, w), timed(lambda x: x * w)
        lowered(lambda x: x * w), kept("name", lambda x: x * w)
        looped(lambda x: jax.lax.fori_loop(0, 100, lambda i, x: x * w, x))
        if i == 0:
            rollout(lambda x: x + 4)
    for function in (jnp.sin, jnp.cos, jnp.tan):
        rollout(lambda x: function(x))
    for depth in (2, 4):

        def net(x):
            for _ in range(depth):
                x = jnp.sin(x)
            return x

        rollout(net)
    for size in (3, 4, 5):
        sized(lambda x: x.sum(), size)
    for _ in range(n):
        rollout(lambda x: x + 2)
        break
    for each in [lambda x: x, lambda x: x + 1]:
        rollout(each)
    rollout(lambda x: x + 3)


@jax.jit
def traced(x):
    for _ in range(3):
        x = x + rollout(lambda y: y * x)
    return x


main(10), traced(jnp.ones(3))
with jax.disable_jit():
    for _ in range(3):
        rollout(lambda x: x * 2)
