# %% a long literal range: a thousand copies of the body are traced
import jax
import jax.numpy as jnp


@jax.jit
def iterate(x):
    for _ in range(1000):  #! JAX703
        x = 0.5 * (x + 2.0 / x)
    return x


iterate(jnp.ones(3))


# %% constant of the module: the range's length has a name
import jax
import jax.numpy as jnp

NUM_STEPS = 300
DT = 0.01


def simulate(state):
    position, velocity = state
    for _ in range(NUM_STEPS):  #! JAX703
        velocity = velocity - DT * position
        position = position + DT * velocity
    return position, velocity


jax.jit(simulate)((jnp.ones(()), jnp.zeros(())))


# %% partial decorator and a static count: the call gives the count
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="steps")
def relax(u, steps):
    for _ in range(steps):  #! JAX703
        u = u + 0.1 * (1.0 - u)
    return u


relax(jnp.ones(16), steps=200)


# %% default that nobody overrides: the count is the default's
import jax
import jax.numpy as jnp


@jax.jit
def sinkhorn(cost, iterations=150):
    scale = jnp.ones_like(cost)
    for _ in range(iterations):  #! JAX703
        scale = 1.0 / (cost * scale)
    return scale


sinkhorn(jnp.ones((3, 3)))


# %% start, stop and step: the index is used as a number
import jax
import jax.numpy as jnp


@jax.jit
def fourier(x):
    total = jnp.zeros_like(x)
    for k in range(1, 400, 2):  #! JAX703
        total = total + jnp.sin(k * x) / k
    return total


fourier(jnp.linspace(0.0, 1.0, 4))


# %% in a helper: the function with the loop is called by a jitted one
import jax
import jax.numpy as jnp


def repeated_product(matrix, v):
    for _ in range(100):  #! JAX703
        v = jnp.matmul(matrix, v)
    return v


@jax.jit
def propagate(matrix):
    return repeated_product(matrix, jnp.ones(matrix.shape[0]))


propagate(jnp.eye(3))


# %% inside a scan body: it is unrolled into the body
import jax
import jax.numpy as jnp


def epoch(w, batch):
    for _ in range(128):  #! JAX703
        w = w - 0.01 * (w - batch)
    return w, w


jax.lax.scan(epoch, jnp.zeros(()), jnp.arange(3.0))


# %% a method with static self: counts kept in the class
from functools import partial

import jax
import jax.numpy as jnp


class Leapfrog:
    SUBSTEPS = 250

    @partial(jax.jit, static_argnums=0)
    def run(self, q, p):
        for _ in range(self.SUBSTEPS):  #! JAX703
            p = p - 0.01 * q
            q = q + 0.01 * p
        return q, p


Leapfrog().run(jnp.ones(2), jnp.zeros(2))


# %% counting down: reversed does not shorten a range
import jax
import jax.numpy as jnp


@jax.jit
def horner(x):
    y = jnp.zeros_like(x)
    for k in reversed(range(120)):  #! JAX703
        y = y * x + 1.0 / (k + 1)
    return y


horner(jnp.ones(2))


# %% short range: three sweeps are written out on purpose
import jax
import jax.numpy as jnp


@jax.jit
def newton(x):
    for _ in range(3):
        x = 0.5 * (x + 2.0 / x)
    return x


newton(jnp.ones(2))


# %% static count that is small: the caller asks for two
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=1)
def smooth(u, sweeps):
    for _ in range(sweeps):
        u = 0.5 * (u + jnp.roll(u, 1))
    return u


smooth(jnp.ones(4), 2)


# %% layers of a model: a list of parameters of different shapes
import jax
import jax.numpy as jnp


@jax.jit
def forward(layers, x):
    for weight, bias in layers:
        x = jnp.tanh(jnp.matmul(x, weight) + bias)
    return x


forward([(jnp.ones((3, 4)), jnp.zeros(4)), (jnp.ones((4, 2)), jnp.zeros(2))], jnp.ones(3))


# %% length from a shape: how long it is, nobody says
import jax
import jax.numpy as jnp


@jax.jit
def running_max(x):
    best = x[0]
    for i in range(1, x.shape[0]):
        best = jnp.maximum(best, x[i])
    return best


running_max(jnp.arange(5.0))


# %% eager loop: a training loop is meant to be a Python loop
import jax
import jax.numpy as jnp


@jax.jit
def train_step(w):
    return w - 0.1 * 2.0 * w


w = jnp.ones(3)
for step in range(1000):
    w = train_step(w)


# %% eager function: called from the module, never traced
import jax.numpy as jnp


def relax(u):
    for _ in range(100):
        u = 0.5 * u + 0.1
    return u


relax(jnp.ones(2))


# %% only differentiated: without jit the loop runs in Python at each call
import jax
import jax.numpy as jnp


def loss(w):
    for _ in range(60):
        w = w * 0.99
    return jnp.sum(w)


jax.grad(loss)(jnp.ones(2))


# %% no arrays in it: a table of Python numbers is built while tracing
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def weigh(x):
    coefficients = []
    for k in range(500):
        coefficients.append(1.0 / (k + 1))
    return x * np.float32(sum(coefficients))


weigh(jnp.ones(2))


# %% fori_loop: the compiled loop, with a long count
import jax
import jax.numpy as jnp


@jax.jit
def iterate(x):
    return jax.lax.fori_loop(0, 1000, lambda i, v: 0.5 * (v + 2.0 / v), x)


iterate(jnp.ones(3))


# %% scan: a thousand steps of one traced body
import jax
import jax.numpy as jnp


@jax.jit
def simulate(x):
    def tick(carry, _):
        return 0.9 * carry + 0.1, carry

    return jax.lax.scan(tick, x, None, length=1000)


simulate(jnp.ones(()))


# %% unknown count: a closure's number that nobody here gives
import jax


def make_solver(iterations):
    @jax.jit
    def solve(x):
        for _ in range(iterations):
            x = 0.5 * x + 1.0
        return x

    return solve


# %% keys of a dict: the loop goes over the parameters by name
import jax
import jax.numpy as jnp


@jax.jit
def sgd(params, grads):
    updated = {}
    for name in params:
        updated[name] = params[name] - 0.1 * grads[name]
    return updated


sgd({"w": jnp.ones(2), "b": jnp.zeros(1)}, {"w": jnp.ones(2), "b": jnp.ones(1)})


# %% callback on the host: a long loop over NumPy numbers is no part of the program
import jax
import jax.numpy as jnp
import numpy as np


def collatz(n):
    n = int(n)
    steps = 0
    for _ in range(1000):
        if n == 1:
            break
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return np.int32(steps)


@jax.jit
def steps_to_one(n):
    return jax.pure_callback(collatz, jax.ShapeDtypeStruct((), jnp.int32), n)


steps_to_one(27)


# %% left early: a static break ends the loop after a few turns
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="depth")
def encode(x, depth):
    for level in range(64):
        if level == depth:
            break
        x = jnp.tanh(x) / (level + 1)
    return x


encode(jnp.ones(2), depth=2)


# %% a comprehension is a loop: each of its terms is traced
import jax
import jax.numpy as jnp


@jax.jit
def series(x):
    return sum(x**k / (k + 1) for k in range(40))  #! JAX703


series(jnp.ones(3))


# %% a list of many arrays: it is made in turns as well
import jax
import jax.numpy as jnp


@jax.jit
def harmonics(x):
    return jnp.stack([jnp.cos(k * x) for k in range(32)])  #! JAX703


harmonics(jnp.ones(3))


# %% a dozen turns: short enough to be unrolled on purpose
import jax
import jax.numpy as jnp


@jax.jit
def mix(x):
    for _ in range(12):
        x = jnp.tanh(x) + 0.1
    return x


mix(jnp.ones(2))


# %% returned from inside: nobody says how many turns there are
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="order")
def expand(x, order):
    for k in range(50):
        if k == order:
            return x
        x = x * jnp.cos(x)
    return x


expand(jnp.ones(2), order=3)


# %% filtered comprehension: how many turns are left, the condition says
import jax
import jax.numpy as jnp

WANTED = {3, 5}


@jax.jit
def pick(x):
    return [jnp.sin(k * x) for k in range(64) if k in WANTED]


pick(jnp.ones(2))


# %% a lambda that is called for each size: the count is the closure's at that moment
import jax
import jax.numpy as jnp


def power(n):
    def apply(x):
        for _ in range(n):  #! JAX703
            x = jnp.sin(x)
        return x

    return apply


def call(thunk):
    return thunk()


results = [call(lambda: jax.jit(power(n))(jnp.ones(2))) for n in (2, 4, 200)]  #! JAX404
