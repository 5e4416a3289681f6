

# %% bound method per call: each call of the method jits a new bound method
import jax


class Net:
    def __init__(self, w):
        self.w = w

    def forward(self, x):
        return self.w * x

    def __call__(self, x):
        return jax.jit(self.forward)(x)  #! JAX404


net = Net(2.0)
outputs = [net(float(i)) for i in range(3)]

# %% local loss: the closure is new at each call, and so is its gradient
import jax
import jax.numpy as jnp


def loss_step(w, x):
    def loss(w):
        return jnp.sum((w * x) ** 2)

    return w - 0.1 * jax.jit(jax.grad(loss))(w)  #! JAX404


w = jnp.ones(4)
for _ in range(3):
    w = loss_step(w, jnp.ones(4))

# %% lambda in a function: compiled again by every caller
import jax
import jax.numpy as jnp


def normalise(x):
    return jax.jit(lambda v: v / jnp.linalg.norm(v))(x)  #! JAX404


for scale in (1.0, 2.0, 3.0):
    normalise(jnp.ones(3) * scale)

# %% partial per call: the partial binds a value and is a new function
from functools import partial

import jax


def polynomial(coefficients, x):
    return sum(c * x**i for i, c in enumerate(coefficients))


def evaluate(x, degree):
    compiled = jax.jit(partial(polynomial, (1.0,) * degree))  #! JAX404
    return compiled(x)


values = [evaluate(float(i), 2) for i in range(3)]

# %% decorated local function: the decorator runs at each call of the outer function
import jax
import jax.numpy as jnp


def smooth(signal, width):
    @jax.jit  #! JAX404
    def convolve(s):
        return jnp.convolve(s, jnp.ones(width) / width, mode="same")

    return convolve(signal)


for _ in range(3):
    smooth(jnp.ones(8), 3)

# %% vmap of a named function: vmap makes a new function, so jit has not seen it
import jax
import jax.numpy as jnp


def energy(x):
    return jnp.sum(x**2)


def energies(xs):
    return jax.jit(jax.vmap(energy))(xs)  #! JAX404


for _ in range(3):
    energies(jnp.ones((4, 2)))

# %% property: every access makes and compiles a new function
import jax


class Density:
    def __init__(self, sigma):
        self.sigma = sigma

    def _log_prob(self, x):
        return -0.5 * (x / self.sigma) ** 2

    @property
    def log_prob(self):
        return jax.jit(self._log_prob)  #! JAX404


density = Density(2.0)
scores = [density.log_prob(float(i)) for i in range(3)]

# %% factory in a loop: the factory is asked for the same step at each pass
import jax


def make_step(lr):
    def step(w, g):
        return w - lr * g

    return jax.jit(step)  #! JAX404


w = 0.0
for g in (1.0, 2.0, 3.0):
    w = make_step(0.1)(w, g)

# %% helper that compiles what it is given: callers hand it lambdas
import jax


def run(fn, *args):
    return fn(*args)


def solve(x):
    return run(jax.jit(lambda v: v * 0.5), x)  #! JAX404


for _ in range(3):
    solve(1.0)

# %% constructor and module level: made once per object or program
import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self, lr):
        self.lr = lr
        self.step = jax.jit(self._step)
        self.loss_and_grad = jax.jit(jax.value_and_grad(lambda w: jnp.sum(w**2)))
        self._build()

    def _build(self):
        @jax.jit
        def predict(w, x):
            return jnp.dot(w, x)

        self.predict = predict

    def _step(self, w, g):
        return w - self.lr * g

    def fit(self, w):
        for _ in range(3):
            _, g = self.loss_and_grad(w)
            w = self.step(w, g)
        return self.predict(w, w)


Trainer(0.1).fit(jnp.ones(2))
batch_norm = jax.jit(jax.vmap(lambda v: v / (1.0 + jnp.sum(v))))
batch_norm(jnp.ones((2, 2)))
jax.jit(lambda v: v * 2)(1.0)

# %% cached: lru_cache, cached_property and a table keep what they made
import functools

import jax
import jax.numpy as jnp

_COMPILED = {}


@functools.cache
def make_step(lr):
    return jax.jit(lambda w: w * (1.0 - lr))


def compiled(name, fn):
    if name not in _COMPILED:
        _COMPILED[name] = jax.jit(lambda x: fn(x) * 2)
    return _COMPILED[name]


class Posterior:
    def __init__(self):
        self._sample = None

    @functools.cached_property
    def log_prob(self):
        return jax.jit(lambda x: -0.5 * x**2)

    def sample(self, x):
        if self._sample is None:
            self._sample = jax.jit(lambda v: v + 1.0)
        return self._sample(x)


posterior = Posterior()
for _ in range(3):
    make_step(0.1)(1.0)
    compiled("cos", jnp.cos)(1.0)
    posterior.log_prob(1.0), posterior.sample(1.0)

# %% a method of a module that a field holds is one function, one that is bound in each call is another one
from typing import Any, Callable

import flax.linen as nn
import jax
import jax.numpy as jnp
from flax import struct


class Field(struct.PyTreeNode):
    weights: Any
    network: Callable = struct.field(pytree_node=False)
    model: Any = struct.field(pytree_node=False)

    def held(self, parts):
        return [jax.jit(self.network)(self.weights, part) for part in parts]

    def bound(self, part):
        return jax.jit(self.model.apply)(self.weights, part) #! JAX404


def main():
    model = nn.Dense(1)
    field = Field(model.init(jax.random.key(0), jnp.ones((4, 2))), model.apply, model)
    for _ in range(3):
        field.held([jnp.ones((4, 2))] * 3)
        field.bound(jnp.ones((4, 2)))


main()

# %% named function per call: jit of the same function finds its cache
import jax
import jax.numpy as jnp


def energy(x):
    return jnp.sum(x**2)


def evaluate(x):
    return jax.jit(energy)(x)


class Kernel:
    def __init__(self, k):
        self.k = k

    def apply(self, x):
        return self.k * x

    def __call__(self, x):
        return jax.jit(type(self).apply, static_argnums=0)(self, x)


kernel = Kernel(2.0)
for _ in range(3):
    evaluate(jnp.ones(2))
    kernel(1.0)

# %% within an outer jit: the enclosing function runs once per trace
import jax
import jax.numpy as jnp


@jax.jit
def loss_step(w, x):
    def loss(w):
        return jnp.sum((w * x) ** 2)

    inner = jax.jit(lambda v: v * 0.5)
    return w - 0.1 * jax.jit(jax.grad(loss))(inner(w))


w = jnp.ones(2)
for _ in range(3):
    w = loss_step(w, jnp.ones(2))

# %% program entry: main and tests run once
import jax
import jax.numpy as jnp


def test_gradient_of_square():
    slope = jax.jit(jax.grad(lambda x: x**2))
    assert slope(2.0) == 4.0


def main():
    @jax.jit
    def step(w):
        return w * 0.9

    w = 1.0
    for _ in range(3):
        w = step(w)
    return w


if __name__ == "__main__":
    main()
    test_gradient_of_square()

# %% factory called once: the step is made before the loop
import jax


def make_step(lr, clip):
    @jax.jit
    def step(w, g):
        return w - lr * jax.numpy.clip(g, -clip, clip)

    return step


def make_loss(scale):
    return jax.jit(lambda w: scale * w**2)


step = make_step(0.1, 1.0)
loss = make_loss(2.0)
w = 1.0
for g in (1.0, 2.0, 3.0):
    w = step(w, g) + 0.0 * loss(w)

# %% grad of a jitted function: transforms outside, the compiled function below is kept
import jax
import jax.numpy as jnp


@jax.jit
def loss(w, x):
    return jnp.sum((w * x) ** 2)


def update(w, x):
    return w - 0.1 * jax.grad(loss)(w, x)


def update_with_value(w, x):
    value, g = jax.value_and_grad(lambda w: loss(w, x))(w)
    return w - 0.1 * g


w = jnp.ones(2)
for _ in range(3):
    w = update_with_value(update(w, jnp.ones(2)), jnp.ones(2))

# %% looked at, not called: lowering, printing and shapes are asked for on purpose
import jax
import jax.numpy as jnp


def cost(n):
    spec = jax.ShapeDtypeStruct((n,), jnp.float32)
    return jax.jit(lambda v: jnp.cumsum(v)).lower(spec).compile().cost_analysis()


def shape_of(fn, n):
    return jax.eval_shape(lambda v: fn(v), jax.ShapeDtypeStruct((n,), jnp.float32))


for n in (2, 4):
    cost(n), shape_of(jnp.sin, n)

# %% other things called jit: a parameter of that name, and jit given as a value
import jax


def identity(fn):
    return fn


def build(fn, jit=identity):
    return jit(fn)


def run(x):
    return build(lambda v: v * 2)(x)


wrappers = {"plain": identity, "jit": jax.jit}
for _ in range(3):
    run(1.0)
    wrappers["plain"](lambda v: v + 1)(1.0)

# %% handed to an inner function: the closure calls what each outer call compiles
import jax


def settle(x):
    relax = jax.jit(lambda v: 0.5 * v)  #! JAX404

    def inner(y):
        return relax(y)

    return inner(x)


for i in range(3):
    settle(float(i))

# %% training function: what it compiles it calls in a loop of its own
import jax


def train(rate, batches):
    start = jax.jit(lambda: rate * 0.0)

    @jax.jit
    def step(w, batch):
        return w - rate * batch

    w = start()
    for batch in batches:
        w = step(w, batch)
    return w


for rate in (0.1, 0.2):
    train(rate, [1.0, 2.0, 3.0])

# %% remembered by hand: the first call makes it, later ones find it
import jax

_solvers = {}


def solver(n):
    found = _solvers.get(n)
    if found is None:
        found = _solvers[n] = jax.jit(lambda x: x**n)
    return found


def solve(x, n):
    try:
        fn = _solvers[n]
    except KeyError:
        fn = _solvers[n] = jax.jit(lambda x: x + n)
    return fn(x)


for i in range(3):
    solver(2)(1.0), solve(1.0, 3)

# %% inlined: it asks to be traced into the function around it
import jax


def add(a, b):
    return jax.jit(lambda x, y: x + y, inline=True)(a, b)


for i in range(3):
    add(1.0, float(i))

# %% called twice by one caller: the second call compiles again
import jax
import jax.numpy as jnp


def _centred(x):
    return jax.jit(lambda v: v - v.mean())(x)  #! JAX404


def difference(a, b):
    return _centred(a) - _centred(b)


difference(jnp.ones(3), jnp.zeros(3))

# %% called once on each path: two branches of one caller are one call
import jax
import jax.numpy as jnp


def _whitened(x, eps):
    return jax.jit(lambda v: (v - v.mean()) / (v.std() + eps))(x)


def prepare_table(x, robust):
    if robust:
        return _whitened(jnp.clip(x, -3, 3), 1e-3)
    return _whitened(x, 0.0)


prepare_table(jnp.arange(3.0), True)

# %% set-up: what builds, initialises or loads runs once, unless a loop calls it
import jax
import jax.numpy as jnp


def init_params(key, width):
    @jax.jit
    def init(k):
        return jax.random.normal(k, (width,))

    return init(key)


def build_table(n):
    return jax.jit(lambda x: jnp.cumsum(x) * n)(jnp.ones(n))  #! JAX404


params = init_params(jax.random.key(0), 3)
tables = [build_table(n) for n in (2, 3)]

# %% what is compiled depends on a function that the caller gives: it differs from call to call
import jax
import jax.numpy as jnp


def minimise(loss, x):
    def step(v):
        return v - 0.1 * jax.grad(loss)(v)

    def descend(v):
        return v - 0.1 * loss(v)

    return jax.jit(descend)(x), jax.jit(lambda v: loss(v) + 1.0)(x)


def initialise(model, key):
    @jax.jit
    def init(k):
        return model.init(k)

    return init(key)

# %% what is compiled is handed a function of the caller by a partial, and calls it, or only an array
from functools import partial

import jax
import jax.numpy as jnp


def mapped(f, x):
    return jax.vmap(lambda row: f(row.squeeze()))(x)


def scaled(scale, x):
    return scale * x


def distribute(f, x):
    return jax.jit(partial(mapped, f))(x)


def distribute_too(f, x):
    return jax.jit(partial(mapped, f=f))(x=x)


def stretch(scale, x):
    return jax.jit(partial(scaled, scale))(x)  #! JAX404


distribute(jnp.sin, jnp.ones((2, 1, 3))), distribute(jnp.cos, jnp.ones((2, 1, 3)))
distribute_too(jnp.sin, jnp.ones((2, 1, 3))), distribute_too(jnp.cos, jnp.ones((2, 1, 3)))
stretch(2.0, jnp.ones(3)), stretch(3.0, jnp.ones(3))

# %% a program of its own: the loop after it takes longer than what is compiled before it
import jax
import jax.numpy as jnp


def evaluate(w, batches):
    w = jax.jit(lambda v: v / jnp.linalg.norm(v))(w)
    total = 0.0
    for batch in batches:
        total += float(jnp.dot(w, batch))
    return total


evaluate(jnp.ones(2), [jnp.ones(2)])

# %% a factory that is asked for something else at each iteration
import jax
import jax.numpy as jnp


def make_scale(rate):
    return jax.jit(lambda v: v * rate)


for rate in (0.1, 0.2):
    make_scale(rate)(1.0)
scaled = {rate: make_scale(rate)(1.0) for rate in (0.1, 0.2)}
rates = [0.1, 0.2]
for i in range(2):
    scale = make_scale(rates[i])
    scale(jnp.ones(2))

# %% private and never called here: nothing says that anything calls it twice
import jax


class Strategy:
    def _tell(self, state, fitness):
        @jax.jit
        def update(s):
            return s + fitness

        return update(state)


def _local(x):
    return jax.jit(lambda v: v + 1)(x)

# %% a private helper of a public method: callers of the method bring new arrays
import jax


class Filter:
    def __init__(self, gain):
        self.gain = gain

    def _filtered(self, x):
        return jax.jit(lambda v: v * self.gain)(x)  #! JAX404

    def apply(self, x):
        return self._filtered(x)

# %% without arrays of the caller: nothing says that it is called again
import jax
import jax.numpy as jnp


def synchronise():
    ones = jnp.ones([jax.local_device_count()])
    return jax.pmap(lambda v: jax.lax.psum(v, "i"), "i")(ones)


synchronise()

# %% called again in a loop, without arrays
import jax
import jax.numpy as jnp


def heartbeat():
    ones = jnp.ones([jax.local_device_count()])
    return jax.pmap(lambda v: jax.lax.psum(v, "i"), "i")(ones)  #! JAX404


for _ in range(2):
    heartbeat()

# %% called in branches of a script that exclude each other: one call per run
import sys

import jax
import jax.numpy as jnp


def _report(x):
    return jax.jit(lambda v: (v - v.mean()) / v.std())(x)


if __name__ == "__main__":
    if "--robust" in sys.argv:
        _report(jnp.clip(jnp.arange(3.0), 0.0, 1.0))
    else:
        with jax.debug_nans(True):
            _report(jnp.arange(3.0))

# %% called in one branch and after both: two calls per run
import sys

import jax
import jax.numpy as jnp


def _scaled(x):
    return jax.jit(lambda v: v / v.max())(x)  #! JAX404


if "--twice" not in sys.argv:
    _scaled(jnp.arange(1.0, 3.0))
_scaled(jnp.arange(1.0, 4.0))

# %% the loop is in the compiled program: a call does the work of many, and compiles once for all of it
from functools import partial

import jax
import jax.numpy as jnp


def simulate(x, steps):
    def step(state, _):
        state = state * 0.9
        return state, state

    return jax.jit(lambda s: jax.lax.scan(step, s, None, length=steps))(x)


def relax(x, steps):
    def step(state, _):
        return state * 0.5, None

    return jax.jit(partial(jax.lax.scan, step))(x, jnp.arange(steps))


def _advance(x, steps):
    return jax.lax.fori_loop(0, steps, lambda i, v: v + i, x)


def settle(x):
    run = jax.jit(lambda v: _advance(v, 3))
    return run(x)

# %% the loop is in the compiled program, and a loop of the program calls it: it compiles for every epoch
import jax
import jax.numpy as jnp


def epoch(w, batches):
    def step(w, batch):
        return w - 0.1 * batch, None

    return jax.jit(lambda v: jax.lax.scan(step, v, batches)[0])(w)  #! JAX404


w = jnp.zeros(2)
for _ in range(3):
    w = epoch(w, jnp.ones((4, 2)))

# %% the loop is no part of what is compiled, or is behind a gradient: what a call costs is the compilation
import jax
import jax.numpy as jnp


def _total(x):
    return jax.lax.fori_loop(0, 3, lambda i, v: v + i, x).sum()


def slope(x):
    total = _total(x)
    return total + jax.jit(lambda v: jnp.cos(v) * 2)(x).sum()  #! JAX404


def gradient(x):
    def loss(v):
        return jax.lax.scan(lambda c, _: (c * 0.5, None), v, None, length=3)[0].sum()

    return jax.jit(jax.grad(loss))(x)  #! JAX404

# %% shardings that the caller gives: each of them needs a program of its own
import jax
import jax.numpy as jnp


def spread(leaf, sharding):
    return jax.jit(lambda x: jnp.broadcast_to(x, (2, *x.shape)), out_shardings=sharding)(leaf)


def doubled(leaf):
    return jax.jit(lambda x: x * 2, donate_argnums=())(leaf)  #! JAX404

# %% norun equinox: filter_jit compares methods, and what equinox makes of functions, by what they are made of
import functools

import equinox as eqx
import jax
import jax.numpy as jnp


def total(x, scale=1):
    return (x * scale).sum()


class Chain:
    def step(self, x):
        return total(x)

    def advance(self, x):
        x = eqx.filter_jit(self.step)(x)
        x = eqx.filter_jit(eqx.filter_vmap(self.step))(x)
        x = eqx.filter_jit(eqx.filter_grad(eqx.filter_vmap(total)))(x)
        return eqx.filter_jit(jax.tree_util.Partial(total, scale=2))(x)

    def anew(self, x):
        x = eqx.filter_jit(lambda each: self.step(each))(x)  #! JAX404
        x = eqx.filter_jit(eqx.filter_vmap(lambda each: each + 1))(x)  #! JAX404
        x = eqx.filter_jit(functools.partial(total, scale=2))(x)  #! JAX404
        x = eqx.filter_jit(functools.partial(self.step))(x)  #! JAX404
        x = eqx.filter_jit(jax.vmap(total))(x)  #! JAX404
        return jax.jit(jax.tree_util.Partial(total, scale=2))(x)  #! JAX404


chain = Chain()
for _ in range(3):
    chain.advance(jnp.ones(3))
    chain.anew(jnp.ones(3))
    eqx.filter_jit(chain.step)(jnp.ones(3))
    eqx.filter_jit(lambda x: x + 1)(jnp.ones(3))  #! JAX403

# %% pmap knows a method of an object again, jit does not
import jax
import jax.numpy as jnp


class Net:
    def apply(self, x):
        return x


class Trainer:
    def __init__(self):
        self.net = Net()

    def step(self, x):
        return jax.pmap(self.net.apply)(x)

    def alone(self, x):
        return jax.jit(self.net.apply)(x)  #! JAX404

    def fresh(self, x):
        return jax.pmap(lambda y: self.net.apply(y))(x)  #! JAX404


trainer = Trainer()
for _ in range(3):
    trainer.step(jnp.ones((1, 2)))
    trainer.alone(jnp.ones(2))
    trainer.fresh(jnp.ones((1, 2)))

# %% a factory that gives several functions, asked for something else at each iteration, or for the same
import jax
import jax.numpy as jnp


def make_solver(dt):
    def step(x):
        return x - dt * x

    @jax.jit  #! JAX404
    def loop(x):
        return step(step(x))

    return step, loop


def make_other(dt):
    def step(x):
        return x - dt * x

    @jax.jit
    def loop(x):
        return step(step(x))

    return step, loop


for dt in (0.1, 0.05, 0.025):
    step, loop = make_other(dt)
    loop(jnp.ones(3))

for _ in range(3):
    step, loop = make_solver(0.1)
    loop(jnp.ones(3))

# %% ok: a factory is handed what the compiled function calls, in an inner function too
import jax
import jax.numpy as jnp


def make_runner(step, size):
    def run(carry, mask):
        def body(carry, active):
            key, x = carry
            new_key, new_x = step(key, x, size)
            return (jax.random.wrap_key_data(jnp.where(active, *map(jax.random.key_data, (new_key, key)))), new_x), new_x

        return jax.lax.scan(body, carry, mask)

    return jax.jit(run)


def make_step(count):
    def step(key, x, size):
        key, sub = jax.random.split(key)
        return key, x + size * jax.random.normal(sub, (count,))

    return step


def runs(key, count):
    run = make_runner(make_step(count), size=1)
    carry, _ = run((key, jnp.zeros(count)), jnp.ones(3, dtype=bool))
    return run(carry, jnp.ones(3, dtype=bool))


def search(key, low, high):
    while low < high:
        runs(jax.random.fold_in(key, low), low)
        low = low + 1


search(jax.random.key(0), 1, 3)

# %% a loop outside of traces calls the method, and so does a function under `grad`, which compiles as often
import jax
import jax.numpy as jnp


class Problem:
    def update(self):
        return lambda u, p: u * p

    def advance(self, state, params):
        step = jax.jit(jax.vmap(self.update()))  #! JAX404
        return step(state, params)


def simulation(scale):
    problem = Problem()
    params = jnp.ones(2)
    for _ in range(3):
        params = problem.advance(jnp.ones(2) * scale, params)
    return params.sum()


print(simulation(1.0), jax.grad(simulation)(1.0))

# %% ok: compiled where nothing is kept yet, by `or`
import jax


class Scaled:
    _step = None

    def __init__(self):
        self._other = None

    def step(self, x):
        self._step = self._step or jax.jit(lambda x: x * 2)
        return self._step(x)

    def other(self, x):
        self._other = self._other if self._other is not None else jax.jit(lambda x: x + 1)
        return self._other(x)


scaled = Scaled()
for _ in range(3):
    print(scaled.step(1.0), scaled.other(1.0))

# %% compiled again, by `and`
import jax


class Scaled:
    def __init__(self, is_on):
        self.is_on = is_on

    def step(self, x):
        step = self.is_on and jax.jit(lambda x: x * 2)  #! JAX404
        return step(x)


scaled = Scaled(True)
for _ in range(3):
    print(scaled.step(1.0))

# %% what is compiled differentiates what the caller passes
import jax


def solve(function, x):
    @jax.jit
    def step(x):
        return x - 0.1 * jax.grad(function)(x)

    return step(x)


def square(x):
    return x**2


def quartic(x):
    return x**4


for function in (square, quartic):
    print(solve(function, 1.0))

# %% each turn of a loop asks for a program of another shape
import jax
import jax.numpy as jnp


def by_depth(depth, x):
    @jax.jit
    def run(x):
        for _ in range(depth):
            x = jnp.sin(x)
        return x

    return run(x)


def by_width(width):
    compiled = jax.jit(lambda x: jnp.tile(x, width).sum())
    return compiled(1.0)


def by_rows(rows, x):
    compiled = jax.jit(lambda x: x.reshape(rows, -1).sum(0))
    return compiled(x)


def by_name(name, x):
    compiled = jax.jit(lambda x: getattr(jnp, name)(x))
    return compiled(x)


for depth in (1, 2, 3):
    print(by_depth(depth, 1.0), by_rows(depth, jnp.ones(6)))
print({width: by_width(width) for width in (1, 2, 3)}, [by_name(name, 1.0) for name in ("sin", "cos")])

# %% a loop asks for the same program in each turn
import jax
import jax.numpy as jnp


def by_depth(depth, x):
    @jax.jit  #! JAX404
    def run(x):
        for _ in range(depth):
            x = jnp.sin(x)
        return x

    return run(x)


def by_scale(scale, x):
    compiled = jax.jit(lambda x: scale * x)  #! JAX404
    return compiled(x)


for number in (1, 2, 3):
    print(by_depth(3, float(number)), by_scale(float(number), 1.0))

# %% a compiled method of an object of the caller, or of one that is made there
import jax
import jax.numpy as jnp


class Env:
    def __init__(self, scale):
        self.scale = scale

    def reset(self, x):
        return self.scale * x

    def step(self, x):
        return x + self.scale


class Batched:
    def __init__(self, env, count):
        self.env = env
        self.count = count

    def reset(self, x):
        return jnp.stack([self.env.reset(x)] * self.count)


def first(env, x):
    return jax.jit(jax.vmap(env.reset))(x)


def wrapped(env, count, x):
    batched = Batched(env, count) if count > 1 else env
    return jax.jit(batched.reset)(x)


def stepped(env, x):
    return jax.jit(env.step)(x)  #! JAX404


def swept(env, x):
    return jax.jit(env.step)(x)


first(Env(2.0), jnp.ones(3)), first(Env(3.0), jnp.ones(3))
for count in (1, 2):
    wrapped(Env(2.0), count, jnp.ones(3))
env, x = Env(2.0), jnp.ones(3)
for _ in range(3):
    x = stepped(env, x)
for scale in (1.0, 2.0):
    swept(Env(scale), x)

# %% what is compiled only waits for the devices, or checks something
import jax
import jax.numpy as jnp


def synchronize():
    ones = jnp.ones([jax.local_device_count()])
    ones: jax.Array = jax.pmap(lambda v: jax.lax.psum(v, "i"), "i")(ones)
    ones.block_until_ready()


def meet():
    ones = jnp.ones([jax.local_device_count()])
    total = jax.device_get(jax.pmap(lambda v: jax.lax.psum(v, "i"), "i")(ones))
    assert total[0] == jax.local_device_count()


def check(x):
    assert jax.jit(lambda v: jnp.isfinite(v).all())(x), "not finite"


def total(x):
    found = jax.jit(lambda v: v.sum())(x)  #! JAX404
    assert found > 0
    return found


for _ in range(2):
    synchronize()
    meet()
    check(jnp.ones(3))
    total(jnp.ones(3))

# %% what is compiled hands a function of the caller to a function that calls it, or to one that hands it on
import jax
import jax.numpy as jnp


def residual(policy, x):
    return policy(x) - x


def loss(policy, x, scale):
    return scale * jnp.sum(residual(policy, x) ** 2)


def scaled(factor, x):
    return jnp.sum(factor * x)


def mean_loss(policy, xs, scale):
    def one(x):
        return loss(policy, x, scale=scale)

    return jax.jit(jax.vmap(one))(xs).mean()


def mean_scaled(factor, xs):
    def one(x):
        return scaled(factor, x)

    return jax.jit(jax.vmap(one))(xs).mean()  #! JAX404


for policy in (jnp.sin, jnp.cos):
    print(mean_loss(policy, jnp.ones((2, 3)), 1.0))
for factor in (1.0, 2.0):
    print(mean_scaled(factor, jnp.ones((2, 3))))

# %% methods that compile something of their object: of another one at each call, or of one again and again
import jax
import jax.numpy as jnp


class Net:
    def __init__(self, w):
        self.w = w

    def forward(self, x):
        return self.w * x

    def predict(self, x):
        return jax.jit(self.forward)(x)

    def __call__(self, x):
        return jax.jit(self.forward)(x)  #! JAX404

    def apply(self, x):
        return jax.jit(self.forward)(x)  #! JAX404


def evaluate(net, x):
    return jax.jit(net.forward)(x)


def handed_on(net, x):
    return net.apply(x)


nets = [Net(float(w)) for w in range(3)]
print([net.predict(1.0) for net in nets], Net(1.0).predict(1.0), Net(2.0).predict(1.0))
for w in (1.0, 2.0):
    net = Net(w)
    print(evaluate(net, 1.0))
net = Net(3.0)
for _ in range(3):
    net(jnp.ones(2))
    handed_on(net, jnp.ones(2))

# %% options that a factory hands on: where no caller gives any, all calls compile the same
import jax
import jax.numpy as jnp


def compiled_grad(fn, **options):
    return jax.jit(jax.value_and_grad(fn), **options)  #! JAX404


def compiled(fn, **options):
    return jax.jit(jax.value_and_grad(fn), **options)


def quadratic(x, power=2):
    return jnp.sum((x - 2.0) ** power)


def descend(x):
    value, gradient = compiled_grad(quadratic)(x)
    return x - 0.1 * gradient


def climb(x, static):
    value, gradient = compiled(quadratic, static_argnames=static)(x)
    return x + 0.1 * gradient


x = jnp.zeros(3)
for _ in range(3):
    x = descend(x)
    x = climb(x, "power")

# %% a partial is jitted by a helper that a method calls, and a training loop calls that method
from functools import partial

import jax
import jax.numpy as jnp


def rollout(model, key, length=5):
    def body(carry):
        i, x = carry
        return i + 1, jnp.tanh(jnp.matmul(model, x))

    return jax.lax.while_loop(lambda c: c[0] < length, body, (0, jax.random.normal(key, (3,))))[1]


def rollouts(model, key, count=4, length=5):
    run = jax.jit(jax.vmap(partial(rollout, model, length=length)))  #! JAX404
    return run(jax.random.split(key, count))


def once(model, key, count=4, length=5):
    run = jax.jit(jax.vmap(partial(rollout, model, length=length)))
    return run(jax.random.split(key, count))


class OnPolicy:
    def __init__(self, config):
        self.config = config
        self.network = jnp.eye(3)

    def collect(self, key):
        return rollouts(self.network, key, self.config["n"])

    def train(self, key, num_steps=3):
        for _ in range(num_steps):
            key, step_key = jax.random.split(key)
            self.network = self.network + 0.1 * self.collect(step_key).mean()


learner = OnPolicy({"n": 4})
learner.train(jax.random.key(0))
print(once(learner.network, jax.random.key(1)))

# %% a function beside the compiled one calls what the caller passes, in a loop of the caller
import jax
import jax.numpy as jnp


def minimize(f, x, steps, jit=True):
    slope = jax.grad(f)

    def step(x, _):
        return x - 0.1 * slope(x), f(x)

    def run(x):
        return jax.lax.scan(step, x, xs=None, length=steps)

    return jax.jit(run)(x) if jit else run(x)


def fit(targets):
    for target in targets:
        print(minimize(lambda x: jnp.sum((x - target) ** 2), jnp.ones(3), 5))


fit((1.0, 2.0, 3.0))

# %% a helper times each function that it is handed, one of them in a loop
import time

import jax
import jax.numpy as jnp


def timed(function):
    start = time.perf_counter()
    jax.block_until_ready(function())
    return time.perf_counter() - start


def power(n):
    return lambda x: x**n


x = jnp.ones(4)
found = {n: timed(lambda: jax.jit(power(n))(x)) for n in (1, 2, 3)}  #! JAX404
other = timed(lambda: jax.jit(lambda x: jax.lax.fori_loop(0, 10, lambda i, v: jnp.sin(v) + i, x))(x))
print(found, other)

# %% a function beside the compiled one calls a method of an object that is the same at each call
import jax
import jax.numpy as jnp


class Policy:
    def update(self, batch, w):
        return w - 0.1 * jnp.mean(w - batch)


class Trainer:
    def __init__(self, steps):
        self.steps = steps

    def _update(self, batches, policy, w):
        @jax.jit  #! JAX404
        def train(w, batches):
            return jax.lax.scan(lambda w, _: (epoch(w, batches), 0), w, jnp.arange(self.steps))[0]

        def epoch(w, batches):
            return jax.lax.scan(one, w, batches)[0]

        def one(w, batch):
            return policy.update(batch, w), 0

        return train(w, batches)

    def train(self, policy, w, iterations):
        for _ in range(iterations):
            w = self._update(jnp.ones((4, 2)), policy, w)
        return w


print(Trainer(3).train(Policy(), jnp.zeros(()), 3))

# %% a factory that is called for each setting, by a function that hands the setting on
import jax
import jax.numpy as jnp


def stepper(name, gain):
    def step(x):
        if name == "scan":
            return jax.lax.scan(lambda c, t: (c * gain, c), x, jnp.arange(5.0))[1]
        return x + gain

    return jax.jit(step)


def run(name):
    if name == "scan":
        step = stepper(name, 0.5)
    else:
        step = stepper(name, 2.0)
    step(jnp.ones(2)).block_until_ready()
    return step(jnp.ones(2))


for name in ("scan", "add"):
    print(run(name))

# %% a factory that each step calls for the one setting
import jax
import jax.numpy as jnp


def stepper(name, gain):
    def step(x):
        if name == "scan":
            return jax.lax.scan(lambda c, t: (c * gain, c), x, jnp.arange(5.0))[0]
        return x + gain

    return jax.jit(step)  #! JAX404


def run(name, x):
    return stepper(name, 0.5)(x)


x = jnp.ones(2)
for _ in range(3):
    x = run("scan", x)
print(x)

# %% a method of an object that another object has
import jax
import jax.numpy as jnp

traces = 0


class Walk:
    def __init__(self, size):
        self.size = size

    def advance(self, position, action):
        global traces
        traces += 1
        return position + action

    def step(self, position, action):
        return jax.jit(jax.vmap(self.advance))(position, action)  #! JAX404


class Scaled:
    def __init__(self, inner):
        self.inner = inner

    def step(self, position, action):
        return self.inner.step(position, action) * 2


class Logged:
    def __init__(self, inner):
        self.held = Scaled(inner)

    def step(self, position, action):
        return self.held.step(position, action)


walk = Logged(Walk(3))
position = jnp.zeros(3)
for _ in range(3):
    position = walk.step(position, jnp.ones(3))
assert traces == 3, traces

# %% each call is of another object that another object has
import jax
import jax.numpy as jnp


class Walk:
    def __init__(self, size):
        self.size = size

    def advance(self, position, action):
        return position + action * self.size

    def run(self, position, action):
        return jax.jit(jax.vmap(self.advance))(position, action)


class Study:
    def __init__(self, size):
        self.walk = Walk(size)

    def run(self, position, action):
        return self.walk.run(position, action)


for size in range(1, 4):
    study = Study(size)
    study.run(jnp.zeros(3), jnp.ones(3))
for study in [Study(1), Study(2)]:
    study.run(jnp.zeros(3), jnp.ones(3))

# %% a helper compiles what calls the function that a loop hands it again and again
from functools import partial

import jax
import jax.numpy as jnp


def square(x):
    return jnp.sum(x**2)


def cube(x):
    return jnp.sum(x**3)


def by_lambda(function, x):
    run = jax.jit(lambda v: function(v) * 2)  #! JAX404
    return run(x)


def by_gradient(function, x):
    def slope(v):
        return jax.grad(function)(v)

    return jax.jit(slope)(x)  #! JAX404


def by_decorator(x, function=square):
    @jax.jit  #! JAX404
    def run(v):
        return function(v)

    return run(x)


def apply(function, x):
    return function(x) * 2


def by_partial(function, x):
    return jax.jit(partial(apply, function))(x)  #! JAX404


def by_helper(function, x):
    return jax.jit(lambda v: apply(function, v))(x)  #! JAX404


def of_object(model, x):
    return jax.jit(lambda v: model.predict(v))(x)  #! JAX404


def factory(function):
    return jax.jit(lambda v: function(v) * 2)  #! JAX404


def handed_on(function, x):
    return jax.jit(lambda v: function(v) * 2)(x)  #! JAX404


def between(function, x):
    return handed_on(function, x) + 1


def of_method(function, x):
    return jax.jit(lambda v: function(v) * 2)(x)  #! JAX404


def in_inner_loop(function, x):
    return jax.jit(lambda v: function(v) * 2)(x)  #! JAX404


class Model:
    def predict(self, x):
        return jnp.sum(x * 2)

    def step(self, x):
        return of_method(self.predict, x)


def train(function, batches):
    return [between(function, batch) for batch in batches]


model = Model()
for i in range(3):
    x = jnp.ones(3) * i
    print(by_lambda(square, x), by_gradient(square, x), by_decorator(x, function=square))
    print(by_partial(square, x), by_helper(jnp.sum, x), of_object(model, x), factory(square)(x))
    print(model.step(x))
print(train(cube, jnp.ones((3, 2))))
for function in (square, cube):
    for x in jnp.ones((3, 2)):
        print(in_inner_loop(function, x))

# %% ... another one in each turn, through functions too, or in each call
import jax
import jax.numpy as jnp


def square(x):
    return jnp.sum(x**2)


def cube(x):
    return jnp.sum(x**3)


def direct(function, x):
    return jax.jit(lambda v: function(v) * 2)(x)


def slope(function, x):
    return jax.jit(lambda v: jax.grad(function)(v))(x)


def of_lambda(function, x):
    return jax.jit(lambda v: function(v) * 2)(x)


def of_local(function, x):
    return jax.jit(lambda v: function(v) * 2)(x)


def between(function, x):
    return slope(function, x) + 1


def all_of(functions, x):
    return [between(each, x) for each in functions]


def bound(x, scale):
    def scaled(v):
        return jnp.sum(v * scale)

    return of_local(scaled, x)


class Model:
    def __init__(self, power):
        self.power = power

    def loss(self, x):
        return jnp.sum(x**self.power)

    def step(self, x):
        return of_method(self.loss, x)


def of_method(function, x):
    return jax.jit(lambda v: function(v) * 2)(x)


x = jnp.ones(3)
print(direct(square, x), direct(cube, x), all_of([square, cube], x))
table = {"square": square, "cube": cube}
for name in table:
    function = table[name]
    print(direct(function, x), direct(table[name], x), direct(getattr(jnp, "sum"), x))
for power in (2, 3):
    print(of_lambda(lambda v: jnp.sum(v**power), x), bound(x, power), Model(power).step(x))
for model in (Model(2), Model(3)):
    print(model.step(x))
for power in (2, 3):

    def local(v):
        return jnp.sum(v**power)

    print(of_local(local, x))

# %% ... a helper that keeps what it compiles for each function
from functools import cache, lru_cache

import jax
import jax.numpy as jnp

compiled = {}


def square(x):
    return jnp.sum(x**2)


def from_table(function, x):
    if function not in compiled:
        compiled[function] = jax.jit(lambda v: function(v) * 2)
    return compiled[function](x)


@lru_cache(maxsize=None)
def kept(function):
    return jax.jit(lambda v: function(v) * 2)


@cache
def kept_too(function):
    @jax.jit
    def run(v):
        return jax.grad(function)(v)

    return run


def from_cache(function, x):
    return kept(function)(x), kept_too(function)(x)


def as_it_is(function, x):
    return jax.jit(function)(x)


class Runner:
    def __init__(self, function):
        self.run = jax.jit(lambda v: function(v) * 2)


runner = Runner(square)
for i in range(3):
    x = jnp.ones(3) * i
    print(from_table(square, x), from_cache(square, x), as_it_is(square, x), runner.run(x))

# %% ... a loop beside it or in it, one that times it, arrays of other shapes, and a loop that is left
import time

import jax
import jax.numpy as jnp


def square(x):
    return jnp.sum(x**2)


def minimise(function, x):
    step = jax.jit(lambda v: v - 0.1 * jax.grad(function)(v))
    for _ in range(5):
        x = step(x)
    return x


def descend(function, x):
    def one(v, _):
        return v - 0.1 * jax.grad(function)(v), None

    return jax.jit(lambda v: jax.lax.scan(one, v, None, length=5)[0])(x)


def timed(function, x):
    run = jax.jit(lambda v: function(v) * 2)
    start = time.perf_counter()
    run(x).block_until_ready()
    return time.perf_counter() - start


def once(function, x):
    return jax.jit(lambda v: function(v) * 2)(x)


def tried(function, x):
    for _ in range(3):
        try:
            return once(function, x)
        except RuntimeError:
            print("again")
    return None


for i in range(3):
    x = jnp.ones(3) * i
    print(minimise(square, x), timed(square, x))
for n in (2, 3, 4):
    x = jnp.ones((n, 2))
    print(once(square, x), once(square, jnp.zeros(n)))
print(tried(square, jnp.ones(3)))
while True:
    print(once(square, jnp.ones(3)))
    break

# %% ... though a loop runs in what is compiled, another one calls it: the text does not say which takes longer
import jax
import jax.numpy as jnp


def square(x):
    return jnp.sum(x**2)


def descend(function, x):
    def one(v, _):
        return v - 0.1 * jax.grad(function)(v), None

    return jax.jit(lambda v: jax.lax.scan(one, v, None, length=5)[0])(x)


for i in range(3):
    print(descend(square, jnp.ones(3) * i))

# %% `map` and `starmap` are loops: what was jitted before them is compiled for all of their calls
import itertools

import jax
import numpy as np


def get_indices(R, r_cut):
    @jax.jit
    def near(r):
        return (r[:, None] - r[None, :]) < r_cut

    def get_idx(i):
        return near(R[i])

    return list(map(get_idx, range(len(R))))


def directly(R, r_cut):
    return list(map(jax.jit(lambda r: r < r_cut), R))


def of_pairs(R, r_cut):
    near = jax.jit(lambda i, r: r < r_cut + i)
    return list(itertools.starmap(near, enumerate(R)))


def once(R, r_cut):
    near = jax.jit(lambda r: r < r_cut)  #! JAX404
    return near(R)


def for_each(R, r_cut):
    return list(map(lambda r: jax.jit(lambda q: q < r_cut)(r), R))  #! JAX404


for r in (0.5, 1.0):
    get_indices(np.random.rand(50, 4), r)
    directly(np.random.rand(50, 4), r)
    of_pairs(np.random.rand(50, 4), r)
    once(np.random.rand(50, 4), r)
    for_each(np.random.rand(50, 4), r)

# %% norun whole numbers and texts that are written out, and handed to a function of which nothing is known
import jax
import jax.numpy as jnp

from lib import compute_loss


def estimator(policy, states, choice, count):
    def one(key):
        return compute_loss(policy, states, key, samples=count, choice=choice)

    return jax.jit(jax.vmap(one))(jax.random.split(jax.random.key(99 + count), 16))


def table(policy, states):
    for count in (2, 4, 8):
        print(count, estimator(policy, states, "mse", count), estimator(policy, states, "other", count))


table(jnp.sin, jnp.ones(3))

# %% norun ... arrays, and a rate
import jax
import jax.numpy as jnp

from lib import compute_loss


def estimator(params, x, rate):
    def one(v):
        return compute_loss(params, v, rate)

    return jax.jit(jax.vmap(one))(x)  #! JAX404


for rate in (0.1, 0.2):
    print(estimator(jnp.ones(3) * rate, jnp.ones(3), rate))

# %% a traced caller compiles it once, and a loop outside of traces in each turn
import jax
import jax.numpy as jnp


def strength(t, nu):
    return nu * jnp.exp(-nu / t)


def line_strengths(temps, nu):
    return jax.jit(jax.vmap(strength, (0, None)))(temps, nu)  #! JAX404


def grid(profiles, nu):
    return [line_strengths(temps, nu).max() for temps in profiles]


def scaled(x):
    return jax.jit(lambda v: v * 2)(x)  #! JAX404


def through(x):
    return scaled(x) + 1


class Net:
    def __init__(self, w):
        self.w = w

    def forward(self, x):
        return self.w * x

    def __call__(self, x):
        return jax.jit(self.forward)(x)  #! JAX404


def stepper(rate):
    return jax.jit(lambda v: v - rate * v)  #! JAX404


@jax.jit
def model(temps):
    return line_strengths(temps, nu).sum() + through(temps).sum() + net(temps).sum()


nu = jnp.arange(1.0, 5.0)
net = Net(2.0)
profiles = [jnp.full(3, t) for t in (1.0, 2.0, 3.0)]
print(grid(profiles, nu), model(profiles[0]))
for temps in profiles:
    print(through(temps), net(temps))
    print(stepper(0.1)(temps))
print(jax.grad(lambda x: jax.lax.map(stepper(0.1), x).sum())(profiles[0]))
print(jax.lax.map(lambda v: stepper(0.1)(v), profiles[0]))

# %% ... the loop is in what is traced, the function is called once outside, or only a test has the loop
import jax
import jax.numpy as jnp


def in_loop(x):
    return jax.jit(lambda v: v * 2)(x)


def anywhere(x):
    return jax.jit(lambda v: v * 3)(x)


def tested(x):
    return jax.jit(lambda v: v * 4)(x)


def for_each(x):
    return sum(jax.jit(lambda v: v * 5)(each) for each in x)


def offered(x):
    return anywhere(x) + 1


@jax.jit
def model(xs):
    total = 0.0
    for x in xs:
        total += in_loop(x)
    return total + anywhere(xs).sum() + tested(xs).sum() + for_each(xs)


def test_of_it():
    for x in jnp.ones((3, 2)):
        assert tested(x).shape == (2,)
        assert for_each(x).shape == ()


xs = jnp.ones(3)
print(in_loop(xs), model(xs))
test_of_it()

# %% ... the compiled function is made in each turn, outside of traces, too
import jax
import jax.numpy as jnp


def for_each(x):
    return sum(jax.jit(lambda v: v * 5)(each) for each in x)  #! JAX403


xs = jnp.ones(3)
print(jax.jit(for_each)(xs), for_each(xs))

# %% a factory gives a function that calls what the factory has compiled, a partial of it, or a named tuple with it
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Solver(NamedTuple):
    start: object
    step: object


def loss(params, x):
    return jnp.mean((params * x) ** 2)


def wrapped(loss):
    @jax.jit  #! JAX404
    def jitted(params, x, v):
        return jax.jvp(jax.grad(lambda p: loss(p, x)), [params], [v])[1]

    def product(params, x):
        found = jitted(params, x, params)
        return found / x.size

    return product


def in_tuple(loss, size):
    slope = jax.jit(jax.grad(loss))  #! JAX404

    def step(params, x):
        with jax.named_scope("step"):
            return params - 0.1 * slope(params, x)

    return step, size


def as_lambda(loss):
    slope = jax.jit(jax.grad(loss))  #! JAX404
    return lambda params, x: params - slope(params, x)


def as_partial(loss, rate):
    def step(rate, params, x):
        return params - rate * jax.grad(loss)(params, x)

    return partial(jax.jit(step), rate)  #! JAX404


def as_record(loss):
    return Solver(jnp.ones(3), jax.jit(jax.grad(loss)))  #! JAX404


def in_function(loss):
    slope = jax.jit(jax.grad(loss))  #! JAX404

    def step(params, x):
        return params - slope(params, x)

    return step


def descend(params, x):
    step = in_function(loss)
    return step(params, x)


def handed_on(loss):
    return wrapped_too(loss)


def wrapped_too(loss):
    slope = jax.jit(jax.grad(loss))  #! JAX404
    return lambda params, x: params - slope(params, x)


params, x = jnp.ones(3), jnp.ones(3)
for _ in range(3):
    product = wrapped(loss)
    params = params - product(params, x)
    step, size = in_tuple(loss, 3)
    params = step(params, x)
    params = as_lambda(loss)(params, x)
    params = as_partial(loss, 0.1)(params, x)
    params = as_record(loss).step(params, x)
    params = descend(params, x)
    params = handed_on(loss)(params, x)

# %% ... made once, for other settings, kept, called in a loop, or compiled by some calls of it only
from functools import cache, partial

import jax
import jax.numpy as jnp


def loss(params, x):
    return jnp.mean((params * x) ** 2)


def once(loss):
    slope = jax.jit(jax.grad(loss))
    return lambda params, x: params - slope(params, x)


def by_rate(loss, rate):
    slope = jax.jit(lambda params, x: rate * jax.grad(loss)(params, x))

    def step(params, x):
        return params - slope(params, x)

    return step, rate


@cache
def kept(loss):
    slope = jax.jit(jax.grad(loss))
    return lambda params, x: params - slope(params, x)


kept_by_hand = {}


def kept_too(loss):
    if loss not in kept_by_hand:
        kept_by_hand[loss] = jax.jit(jax.grad(loss))
    slope = kept_by_hand[loss]
    return lambda params, x: params - slope(params, x)


def for_batches(loss):
    slope = jax.jit(jax.grad(loss))

    def epoch(params, xs):
        for x in xs:
            params = params - slope(params, x)
        return params

    return epoch


def of_function(loss):
    slope = jax.jit(loss)
    return lambda params, x: params - slope(params, x)


def for_many(loss):
    slope = jax.jit(jax.grad(loss))
    return lambda params, x: params - slope(params, x)


def rarely(loss):
    slope = jax.jit(jax.grad(loss))

    def step(params, x, last=False):
        if last:
            return params
        return params - slope(params, x)

    return step


def in_trace(loss):
    slope = jax.jit(jax.grad(loss))
    return lambda params, x: params - slope(params, x)


def fit(loss, params, xs):
    step = for_many(loss)
    for x in xs:
        params = step(params, x)
    return params


@jax.jit
def traced(params, x):
    for _ in range(3):
        params = in_trace(loss)(params, x)
    return params


def partly(loss, rate):
    return partial(jax.jit(lambda rate, params, x: params - rate * jax.grad(loss)(params, x)), rate)


params, x = jnp.ones(3), jnp.ones(3)
step, partial_step = once(loss), partly(loss, 0.1)
for i in range(3):
    params = partial_step(step(params, x), x)
    params = kept_too(loss)(kept(loss)(params, x), x)
    params = for_batches(loss)(params, [x, x])
    params = of_function(loss)(params, x)
    params = rarely(loss)(params, x, last=i != 2)
    params = fit(loss, params, [x, x])
for rate in (0.1, 0.2):
    step, rate = by_rate(loss, rate)
    params = step(params, x)
traced(params, x)

# %% a closure, a lambda or a partial that each call makes is a static argument: each call compiles
from functools import partial

import jax
import jax.numpy as jnp

nodes = jnp.linspace(-1.0, 1.0, 12)


@partial(jax.jit, static_argnums=0)
def integrate(f, a, b):
    return 0.5 * (b - a) * jnp.mean(jax.vmap(f)(0.5 * (a + b) + 0.5 * (b - a) * nodes))


@partial(jax.jit, static_argnames=("function",))
def mapped(x, function):
    return function(x) * 2


fourfold = jax.jit(lambda f, x: 4 * f(x), static_argnums=(0,))


class Integrator:
    def __init__(self, order):
        self.nodes = jnp.linspace(-1.0, 1.0, order)
        self.apply = jax.jit(self._apply, static_argnums=0)

    @partial(jax.jit, static_argnums=(0, 1))
    def integrate(self, f, a, b):
        return jnp.mean(jax.vmap(f)(0.5 * (a + b) + 0.5 * (b - a) * self.nodes))

    def _apply(self, f, x):
        return f(x)


class Cosmology:
    def __init__(self, omega):
        self.omega = omega
        self.fast = Integrator(12)

    def E(self, z):
        return jnp.sqrt(self.omega * (1 + z) ** 3 + 1 - self.omega)

    def distance(self, z):
        def integrand(zp):
            return 1.0 / self.E(zp)

        return self.fast.integrate(integrand, 0.0, float(z))  #! JAX404

    def other(self, z):
        return self.fast.apply(lambda v: self.E(v) * 2, z)  #! JAX404


def power(scale, v):
    return scale * v


def by_lambda(b):
    return integrate(lambda t: 2.0 * t, 0.0, b)  #! JAX404


def by_partial(b):
    return integrate(partial(power, 2.0), 0.0, b)  #! JAX404


def by_name(x):
    return mapped(x, function=lambda v: v + 1)  #! JAX404


def by_transform(x):
    return fourfold(jax.vmap(jnp.sin), x)  #! JAX404


def convenience(f, x):
    return mapped(x, f)  #! JAX404


def handed_on(x):
    return convenience(lambda v: v * 3, x)


def in_loop(xs):
    return [mapped(x, lambda v: v * x) for x in xs]  #! JAX403


model = Cosmology(0.3)
for z in (0.1, 0.5, 1.0):
    print(model.distance(z), model.other(z), by_lambda(z), by_partial(z), by_name(z), handed_on(z))
    print(by_transform(jnp.ones(3) * z), fourfold(lambda v: v - 1, z))  #! JAX403
print(in_loop(jnp.ones(3)))

# %% ... a function of the module, a method of the same object, one that is kept, or that a loop calls again
from functools import cache, cached_property, partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=0)
def apply(f, x):
    return f(x) * 2


def double(x):
    return x * 2


triple = lambda x: x * 3
quadruple = partial(lambda scale, x: scale * x, 4.0)
by_name = {"double": lambda x: x * 2, "triple": lambda x: x * 3}


@cache
def scaled(factor):
    return lambda x: factor * x


class Model:
    def __init__(self, w):
        self.w = w
        self.kept = lambda x: self.w * x

    @cached_property
    def forward(self):
        return lambda x: self.w + x

    def loss(self, x):
        return self.w - x

    def __call__(self, x):
        return apply(self.kept, x) + apply(self.forward, x) + apply(self.loss, x)


def of_module(x):
    return apply(double, x) + apply(triple, x) + apply(quadruple, x) + apply(by_name["double"], x)


def of_cache(x):
    return apply(scaled(2.0), x)


def again(x, xs):
    function = lambda v: v * 2
    total = apply(function, x)
    for each in xs:
        total += apply(function, each)
    return total


def of_caller(f, x):
    return apply(lambda v: f(v) + 1, x)


def by_scan(x):
    return scanned(lambda c, v: (c + v, v), x)


@partial(jax.jit, static_argnums=0)
def scanned(f, xs):
    return jax.lax.scan(f, 0.0, xs)[0]


def traced(xs):
    return jax.lax.map(lambda x: apply(lambda v: v * 2, x), xs)


def main():
    return apply(lambda v: v * 2, 1.0)


def for_each(functions, x):
    return [apply(function, x) for function in functions]


def settings(x):
    for name in ("sin", "cos"):
        print(apply(lambda v: getattr(jnp, name)(v), x))


@jax.jit
def step(x):
    return apply(lambda v: v * 2, x)


def checked(x):
    assert apply(lambda v: jnp.isfinite(v), x), "not finite"


def plain(f, x):
    return f(x)


main()
model = Model(2.0)
for i in range(3):
    print(of_module(1.0), of_cache(1.0), model(1.0), again(1.0, [2.0, 3.0]), step(1.0), checked(1.0))
    print(plain(lambda v: v * i, 1.0))
for f in (jnp.sin, jnp.cos):
    print(of_caller(f, 1.0))
print(by_scan(jnp.ones(3)), traced(jnp.ones(3)), for_each([double, triple], 1.0))
settings(1.0)

# %% ... a factory makes it, in each turn of a loop the same one or another
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=0)
def apply(f, x):
    return f(x) * 2


def scaled(factor):
    return lambda x: factor * x


xs = jnp.ones(3)
for i in range(3):
    print(apply(scaled(2.0), xs[i]))  #! JAX404
for factor in (1.0, 2.0):
    print(apply(scaled(factor), 1.0))
    function = scaled(factor)
    print(apply(function, 1.0))

# %% ... with no jit, and with what is compiled anew itself: that is said of the function that is compiled
from functools import partial

import jax
import jax.numpy as jnp


def anew(x):
    function = lambda v: v * 2
    return jax.jit(lambda f, v: f(v) + x, static_argnums=0)(function, x)  #! JAX404


@partial(jax.jit, static_argnums=0)
def apply(f, x):
    return f(x) * 2


def eagerly(x):
    return apply(lambda v: v * 2, x)


for i in range(3):
    anew(float(i))
    with jax.disable_jit():
        eagerly(float(i))

# %% a function beside the compiled one branches by the setting, which a comprehension gives
import jax
import jax.numpy as jnp


def main(sizes):
    def make_run(name, gain):
        def step(x, t):
            x = x - gain * x if name == "linear" else x - gain * jnp.tanh(x)
            return x, x

        def run(x):
            return jax.lax.scan(step, x, jnp.arange(sizes))

        return jax.jit(run)

    def simulate(name):
        if name == "linear":
            run = make_run(name, 0.1)
        else:
            run = make_run(name, 0.2)
        jax.block_until_ready(run(jnp.ones(3)))
        return run(jnp.ones(3))

    names = ["linear", "saturated"]
    results = {name: simulate(name) for name in names}
    print(results["linear"][0])


main(10)

# %% ... the setting is the same in each turn
import jax
import jax.numpy as jnp


def make_run(name, gain):
    def step(x):
        return x - gain * x if name == "linear" else x - gain * jnp.tanh(x)

    def run(x):
        return step(step(x))

    return jax.jit(run)  #! JAX404


def simulate(name, x):
    return make_run(name, 0.1)(x)


x = jnp.ones(3)
for i in range(3):
    x = simulate("linear", x)
print(x)

# %% `setdefault` keeps the first function that it is given, and `get` keeps none
from functools import partial

import jax

compiled = {}
functions = {}
empty = {"other": jax.jit(lambda v: v)}


@partial(jax.jit, static_argnums=0)
def apply(f, x):
    return f(x) * 2


class Table:
    def __init__(self):
        self.compiled = {}
        self.functions = {}

    def run(self, x):
        return self.compiled.setdefault("run", jax.jit(lambda v: v))(x)

    def by_name(self, name, x):
        return self.compiled.setdefault(name, jax.jit(lambda v: v))(x)

    def given(self, x):
        return apply(self.functions.setdefault("given", lambda v: v), x)


def of_module(x):
    return compiled.setdefault("module", jax.jit(lambda v: v))(x) + apply(functions.setdefault("v", lambda v: v), x)


def in_loop(xs):
    kept = {}
    return [kept.setdefault("f", jax.jit(lambda v: v * 2))(x) for x in xs]


def own(x):
    table = {}
    return table.setdefault("f", jax.jit(lambda v: v * 2))(x)  #! JAX404


def not_kept(x):
    return empty.get("one", jax.jit(lambda v: v * 3))(x)  #! JAX404


table = Table()
for i in range(3):
    table.run(1.0), table.given(1.0), table.by_name("a", 1.0), of_module(1.0), in_loop([1.0, 2.0])
    own(1.0), not_kept(1.0)

# %% a function that a loop calls hands a new function to one that jits what it is given
import jax
import jax.numpy as jnp


def rollout(policy):
    return jax.jit(policy)(jnp.ones(3))


def doubled(x):
    return x * 2


def once(w):
    return rollout(lambda x: x * w)  #! JAX404


def of_module():
    return rollout(doubled)


def main():
    return rollout(lambda x: x - 1)


for _ in range(3):
    print(once(jnp.ones(3)), of_module())
main()

# %% a method of an object that is made in each turn compiles what reads the object: another one is compiled anyway
import jax
import jax.numpy as jnp


class Forcings:
    def __init__(self, factor):
        self.factor = factor

    def start(self, x):
        def func(p):
            return self.factor * jnp.sum(p**2)

        return jax.jit(func)(x)


class Manager:
    def __init__(self, factor):
        self.factor = factor
        self.forcings = Forcings(factor)

    def run(self, x):
        return self.forcings.start(x), jax.jit(lambda p: self.factor * jnp.min(p))(x)


for factor in (2.0, 4.0):
    manager = Manager(factor)
    print(manager.run(jnp.ones(3)))

# %% ... but what does not read it, or is called again on the same object, could be shared
import jax
import jax.numpy as jnp


class Forcings:
    def __init__(self, factor):
        self.factor = factor

    def start(self, x):
        def func(p):
            return jnp.sum(p**2)

        return jax.jit(func)(x)  #! JAX404

    def again(self, x):
        return jax.jit(lambda p: self.factor * jnp.min(p))(x)  #! JAX404


for factor in (2.0, 4.0):
    forcings = Forcings(factor)
    print(forcings.start(jnp.ones(3)))
    for i in range(3):
        print(forcings.again(jnp.ones(3)))

# %% norun: the handler of a window calls the method that compiles
import jax
import jax.numpy as jnp


class Env:
    def step_env(self, key, state):
        return state + jax.random.normal(key, state.shape)


class Interactive:
    def __init__(self, window):
        self.env = Env()
        self.state = jnp.zeros(3)
        self.key = jax.random.key(0)
        window.register(self.handle_input)

    def handle_input(self, event):
        if event == "step":
            self._step()

    def _step(self):
        self.key, subkey = jax.random.split(self.key)
        self.state = jax.jit(self.env.step_env)(subkey, self.state)  #! JAX404

# %% ok: next to a loop that calls what the function has compiled, of whatever that is
import jax
import jax.numpy as jnp
import numpy as np


class Solver:
    def update(self, x, data):
        return x * 0.5 + data.mean()


def halved(x, data):
    return x * 0.5 + data.mean()


def fit(x, data, steps):
    update = jax.jit(Solver().update)
    data = jax.jit(lambda each: each * 1.0)(data)
    for _ in range(steps):
        x = update(x, data)
    return x


def fit_of_library(x, data, solver, steps):
    update = jax.jit(solver.update)
    data = jax.jit(lambda each: each * 1.0)(data)
    for _ in range(steps):
        x = update(x, data)
    return x


def fit_of_module(x, data, steps):
    update = jax.jit(halved)
    data = jax.jit(lambda each: each * 1.0)(data)
    for _ in range(steps):
        x = update(x, data)
    return x


def run():
    found = []
    for steps in (2, 3):
        found.append(fit(jnp.ones(()), jnp.ones(3), steps))
    for steps in (2, 3):
        found.append(fit_of_library(jnp.ones(()), jnp.ones(3), Solver(), steps))
    for steps in (2, 3):
        found.append(fit_of_module(jnp.ones(()), jnp.ones(3), steps))
    return np.stack(found)


print(run())

# %% ... and where no loop calls it
import jax
import jax.numpy as jnp


def halved(x, data):
    return x * 0.5 + data.mean()


def fit(x, data):
    update = jax.jit(halved)
    data = jax.jit(lambda each: each * 1.0)(data)  #! JAX404
    return update(x, data)


for _ in range(3):
    print(fit(jnp.ones(()), jnp.ones(3)))

# %% a context manager compiles a new function each time that it is entered
from contextlib import contextmanager

import jax
import jax.numpy as jnp


@contextmanager
def compiled(scale):
    def wave(x):
        return scale * jnp.sin(x)

    yield jax.jit(wave)  #! JAX404


for turn in range(3):
    with compiled(2.0) as wave:
        print(wave(1.0))

# %% a context manager gives a function that was compiled before it is entered, or is entered once
from contextlib import contextmanager

import jax
import jax.numpy as jnp


@jax.jit
def wave(x):
    return 2 * jnp.sin(x)


@contextmanager
def timed():
    yield wave


@contextmanager
def compiled(scale):
    yield jax.jit(lambda x: scale * jnp.cos(x))


for turn in range(3):
    with timed() as step:
        print(step(1.0))
with compiled(3.0) as cosine:
    for turn in range(3):
        print(cosine(1.0))

# %% the loop of a base class calls a method that a subclass overrides, also through another one
import jax


class Workload:
    def evaluate(self, params, batches):
        return sum(self._step(params, batch) for batch in batches)

    def _step(self, params, batch):
        return self._eval_model(params, batch) + 1.0

    def _eval_model(self, params, batch):
        raise NotImplementedError

    def setup(self, params):
        return self._prepare(params)


class Cifar(Workload):
    def model(self, params, batch):
        return (params * batch).sum()

    def _eval_model(self, params, batch):
        @jax.jit  #! JAX404
        def run(params, batch):
            return self.model(params, batch)

        return run(params, batch).item()

    def _prepare(self, params):
        @jax.jit
        def double(params):
            return params * 2

        return double(params)


class Kept(Workload):
    def __init__(self):
        self._compiled = None

    def _eval_model(self, params, batch):
        if self._compiled is None:

            @jax.jit
            def run(params, batch):
                return (params * batch).sum()

            self._compiled = run
        return self._compiled(params, batch)


REGISTRY = {cls.__name__: cls for cls in Workload.__subclasses__()}

# %% a loop calls a method, which jits another one, for the one object that the function around it is given
import jax
import jax.numpy as jnp


class Agent:
    def __init__(self, b):
        self.b = b

    def policy(self, o):
        return self.b * o

    def act(self, o):
        return jax.jit(self.policy)(o)  #! JAX404

    def run(self, n):
        o = jnp.ones(3)
        for _ in range(n):
            o = self.act(o)
        return o


class Other(Agent):
    def policy(self, o):
        return self.b + o

    def act(self, o):
        return jax.jit(self.policy)(o)  #! JAX404


class Listed:
    def __init__(self, b):
        self.b = b

    def policy(self, o):
        return self.b * o

    def act(self, o):
        return jax.jit(self.policy)(o)  #! JAX404


def step(agent, o):
    return agent.act(o)


def run(agent, n):
    o = jnp.ones(3)
    for _ in range(n):
        o = step(agent, o)
    return o


def listed(agent, n):
    return [agent.act(jnp.ones(3)) for _ in range(n)]


print(Agent(1.0).run(10), run(Other(1.0), 10), listed(Listed(1.0), 10))

# %% ... but not for another object in each turn
import jax
import jax.numpy as jnp


class Agent:
    def __init__(self, b):
        self.b = b

    def policy(self, o):
        return self.b * o

    def act(self, o):
        return jax.jit(self.policy)(o)

    def next(self):
        return Agent(self.b + 1)


class Single:
    def __init__(self, b):
        self.b = b

    def policy(self, o):
        return self.b * o

    def act(self, o):
        return jax.jit(self.policy)(o)


def run(agent, n):
    o = jnp.ones(3)
    for _ in range(n):
        o = agent.act(o)
        agent = agent.next()
    return o


def once(agent, o):
    return agent.act(o)


print(run(Agent(1.0), 10))
for i in range(3):
    print(once(Single(i), jnp.ones(3)))

# %% what a function compiles beside one that its caller passes, once for each agent
import dataclasses
from typing import Any

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Problem:
    x_test: Any
    key: Any

    def evaluate_quality(self, enn_sampler):
        batched_sampler = jax.jit(jax.vmap(enn_sampler, in_axes=[None, 0]))
        samples = batched_sampler(self.x_test, jax.random.split(self.key, 100))
        batched_kl = jax.jit(jax.vmap(_kl))
        return jnp.mean(batched_kl(samples.mean(axis=0), samples.std(axis=0)))


def _kl(mean, std):
    return jnp.log(std) + mean**2 / (2 * std**2)


def run(agent, problem):
    return problem.evaluate_quality(agent(problem.x_test))

# %% ... in a loop
import dataclasses
from typing import Any

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Problem:
    x_test: Any
    key: Any

    def evaluate_quality(self, enn_sampler):
        batched_sampler = jax.jit(jax.vmap(enn_sampler, in_axes=[None, 0]))
        samples = batched_sampler(self.x_test, jax.random.split(self.key, 100))
        batched_kl = jax.jit(jax.vmap(_kl))  #! JAX404
        return jnp.mean(batched_kl(samples.mean(axis=0), samples.std(axis=0)))


def _kl(mean, std):
    return jnp.log(std) + mean**2 / (2 * std**2)


def run(agent, problem):
    return problem.evaluate_quality(agent(problem.x_test))


def sweep(agent, problem):
    return [run(agent, problem) for _ in range(10)]  #! JAX302

# %% ... for one function of the module
import dataclasses
from typing import Any

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Problem:
    x_test: Any
    key: Any

    def evaluate_quality(self, enn_sampler):
        batched_sampler = jax.jit(jax.vmap(enn_sampler, in_axes=[None, 0]))
        samples = batched_sampler(self.x_test, jax.random.split(self.key, 100))
        batched_kl = jax.jit(jax.vmap(_kl))  #! JAX404
        return jnp.mean(batched_kl(samples.mean(axis=0), samples.std(axis=0)))


def _kl(mean, std):
    return jnp.log(std) + mean**2 / (2 * std**2)


def run(agent, problem):
    return problem.evaluate_quality(sampler)


def sampler(x, key):
    return x + jax.random.normal(key, x.shape)

# %% ... and where it compiles nothing that it is given
import dataclasses
from typing import Any

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Problem:
    x_test: Any
    key: Any

    def evaluate_quality(self, enn_sampler):
        batched_sampler = jax.vmap(enn_sampler, in_axes=[None, 0])
        samples = batched_sampler(self.x_test, jax.random.split(self.key, 100))
        batched_kl = jax.jit(jax.vmap(_kl))  #! JAX404
        return jnp.mean(batched_kl(samples.mean(axis=0), samples.std(axis=0)))


def _kl(mean, std):
    return jnp.log(std) + mean**2 / (2 * std**2)


def run(agent, problem):
    return problem.evaluate_quality(agent(problem.x_test))

# %% a factory that is called for a model, with no loop around
import jax
import jax.numpy as jnp


def make_logit_fn(temperature, key):
    params = jax.random.normal(key, (3, 2))

    def forward(x):
        return jnp.matmul(x, params) / temperature

    logit_fn = jax.jit(forward)
    return logit_fn


class Sampler:
    def __init__(self, logit_fn, key):
        self.x = jax.random.normal(key, (10, 3))
        self.y = logit_fn(self.x)


def load(temperature, seed):
    fn_key, x_key = jax.random.split(jax.random.key(seed))
    return Sampler(make_logit_fn(temperature, fn_key), x_key)

# %% a method that returns at once where the model has been moved already
import copy

import jax
import jax.numpy as jnp


class DataParallel:
    def from_local(self, model):
        idxs = jnp.arange(jax.device_count())

        def device_fn(idx, model):
            return jax.tree_util.tree_map(lambda key: jax.random.fold_in(key, idx), model)

        model = jax.pmap(device_fn, in_axes=(0, None))(idxs, model)
        return model


class Model:
    strategy = None

    def __init__(self, keys):
        self.keys = keys

    def distributed(self, strategy=None):
        if strategy is None:
            strategy = DataParallel()
        if strategy == self.strategy:
            return self
        model = copy.copy(self)
        model.keys = strategy.from_local(self.keys)
        model.strategy = strategy
        return model

# %% ... by a flag of its own that it sets
import copy

import jax
import jax.numpy as jnp


class DataParallel:
    def from_local(self, model):
        idxs = jnp.arange(jax.device_count())

        def device_fn(idx, model):
            return jax.tree_util.tree_map(lambda key: jax.random.fold_in(key, idx), model)

        model = jax.pmap(device_fn, in_axes=(0, None))(idxs, model)
        return model


class Model:
    strategy = None

    def __init__(self, keys):
        self.keys = keys

    def distributed(self, strategy=None):
        if self.strategy is not None:
            return
        self.keys = DataParallel().from_local(self.keys)
        self.strategy = "parallel"

# %% ... that does so each time
import copy

import jax
import jax.numpy as jnp


class DataParallel:
    def from_local(self, model):
        idxs = jnp.arange(jax.device_count())

        def device_fn(idx, model):
            return jax.tree_util.tree_map(lambda key: jax.random.fold_in(key, idx), model)

        model = jax.pmap(device_fn, in_axes=(0, None))(idxs, model)  #! JAX404
        return model


class Model:
    strategy = None

    def __init__(self, keys):
        self.keys = keys

    def distributed(self, strategy=None):
        if strategy is None:
            strategy = DataParallel()
        model = copy.copy(self)
        model.keys = strategy.from_local(self.keys)
        model.strategy = strategy
        return model

# %% ... a loop calls
import copy

import jax
import jax.numpy as jnp


class DataParallel:
    def from_local(self, model):
        idxs = jnp.arange(jax.device_count())

        def device_fn(idx, model):
            return jax.tree_util.tree_map(lambda key: jax.random.fold_in(key, idx), model)

        model = jax.pmap(device_fn, in_axes=(0, None))(idxs, model)  #! JAX404
        return model


class Model:
    strategy = None

    def __init__(self, keys):
        self.keys = keys

    def distributed(self, strategy=None):
        if strategy is None:
            strategy = DataParallel()
        if strategy == self.strategy:
            return self
        model = copy.copy(self)
        model.keys = strategy.from_local(self.keys)
        model.strategy = strategy
        return model


def train(models):
    for _ in range(10):
        models = [DataParallel().from_local(model) for model in models]
    return models

# %% ... by a count, which comes to an end after several
import copy

import jax
import jax.numpy as jnp


class DataParallel:
    def from_local(self, model):
        idxs = jnp.arange(jax.device_count())

        def device_fn(idx, model):
            return jax.tree_util.tree_map(lambda key: jax.random.fold_in(key, idx), model)

        model = jax.pmap(device_fn, in_axes=(0, None))(idxs, model)  #! JAX404
        return model


class Model:
    strategy = None

    def __init__(self, keys):
        self.keys = keys

    def distributed(self, strategy=None):
        if self.strategy > 3:
            return
        self.keys = DataParallel().from_local(self.keys)
        self.strategy += 1

# %% ... by a flag that says that there is something to do again
import copy

import jax
import jax.numpy as jnp


class DataParallel:
    def from_local(self, model):
        idxs = jnp.arange(jax.device_count())

        def device_fn(idx, model):
            return jax.tree_util.tree_map(lambda key: jax.random.fold_in(key, idx), model)

        model = jax.pmap(device_fn, in_axes=(0, None))(idxs, model)  #! JAX404
        return model


class Model:
    strategy = None

    def __init__(self, keys):
        self.keys = keys

    def distributed(self, strategy=None):
        if not self.dirty:
            return
        self.keys = DataParallel().from_local(self.keys)
        self.dirty = False

# %% a method that returns at once where a property says so
import copy

import jax
import jax.numpy as jnp


class DataParallel:
    def from_local(self, model):
        idxs = jnp.arange(jax.device_count())

        def device_fn(idx, model):
            return jax.tree_util.tree_map(lambda key: jax.random.fold_in(key, idx), model)

        model = jax.pmap(device_fn, in_axes=(0, None))(idxs, model)
        return model


class Model:
    _strategy = None

    @property
    def strategy(self):
        return self._strategy

    def __init__(self, keys):
        self.keys = keys

    def distributed(self, strategy=None):
        if strategy is None:
            strategy = DataParallel()
        if strategy == self.strategy:
            return self
        model = copy.copy(self)
        model.keys = strategy.from_local(self.keys)
        model._strategy = strategy
        return model
