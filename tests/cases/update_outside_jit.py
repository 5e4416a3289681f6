# %% loop in a script: each turn copies the whole array
import jax.numpy as jnp

table = jnp.zeros(256)
for i in range(256):
    table = table.at[i].set(i * i)  #! JAX702


# %% loop in a function that runs eagerly: it is called from the module
import jax.numpy as jnp


def count(labels, classes):
    counts = jnp.zeros(classes, dtype=int)
    for label in labels:
        counts = counts.at[label].add(1)  #! JAX702
    return counts


count([i % 7 for i in range(200)], 7)


# %% while loop: the number of turns is the data's
import jax.numpy as jnp


def sieve(n):
    prime = jnp.ones(n, dtype=bool)
    p = 2
    while p * p < n:
        prime = prime.at[p * p :: p].set(False)  #! JAX702
        p += 1
    return prime


sieve(200)


# %% method of an eager object: the buffer is copied at each push in the loop
import jax.numpy as jnp


class Trace:
    def __init__(self, n):
        self.values = jnp.zeros(n)

    def fill(self, samples):
        for i, value in enumerate(samples):
            self.values = self.values.at[i].set(value)  #! JAX702


Trace(100).fill([0.5] * 100)


# %% nested loops: the copy is in the inner one
import jax.numpy as jnp


def distances(points):
    n = len(points)
    matrix = jnp.zeros((n, n))
    for i in range(n):
        for j in range(i):
            matrix = matrix.at[i, j].set(abs(points[i] - points[j]))  #! JAX702
    return matrix


distances([float(k) for k in range(12)])


# %% result of a jitted step stored by an eager update: the step is compiled, the store is not
import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    return 0.9 * x + 0.1


def simulate(x, steps):
    path = jnp.zeros(steps)
    for t in range(steps):
        x = step(x)
        path = path.at[t].set(x)  #! JAX702
    return path


simulate(1.0, 100)


# %% two updates a turn: both copy
import jax.numpy as jnp


def walk(steps):
    positions = jnp.zeros((steps, 2))
    for t in range(1, steps):
        positions = positions.at[t, 0].set(positions[t - 1, 0] + 1.0)  #! JAX702
        positions = positions.at[t, 1].add(0.5)  #! JAX702
    return positions


walk(64)


# %% array in a dict: the entry is replaced by a copy each turn
import jax.numpy as jnp

state = {"history": jnp.zeros(128)}
for epoch in range(128):
    state["history"] = state["history"].at[epoch].set(1.0 / (epoch + 1))  #! JAX702


# %% inside jit: XLA updates in place
import jax
import jax.numpy as jnp


@jax.jit
def cumulative(x):
    total = jnp.zeros_like(x)
    for i in range(x.shape[0]):
        total = total.at[i].set(x[: i + 1].sum())
    return total


cumulative(jnp.ones(5))


# %% scan body: the carry is updated in place by the compiled loop
import jax.numpy as jnp
from jax import lax


def write(buffer, i):
    return buffer.at[i].set(i * 2.0), None


lax.scan(write, jnp.zeros(100), jnp.arange(100))


# %% fori_loop: the loop itself is compiled
import jax
import jax.numpy as jnp


def body(i, squares):
    return squares.at[i].set(i * i)


jax.lax.fori_loop(0, 200, body, jnp.zeros(200, dtype=int))


# %% helper of a jitted function: it is only ever run by the trace
import jax
import jax.numpy as jnp


def scatter(x, n):
    for i in range(n):
        x = x.at[i].multiply(2.0)
    return x


@jax.jit
def layer(x):
    return scatter(x * 1.5, x.shape[0])


layer(jnp.ones(4))


# %% compiled step with donation: the loop is eager, the update is not
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def put(buffer, i, value):
    return buffer.at[i].set(value)


buffer = jnp.zeros(1000)
for i in range(300):
    buffer = put(buffer, i, 1.0)


# %% jit by a call: the function with the loop goes into jit
import jax
import jax.numpy as jnp


def damp(u):
    for i in range(u.shape[0]):
        u = u.at[i].multiply(0.5)
    return u


fast_damp = jax.jit(damp)
fast_damp(jnp.ones(6))


# %% a single update: no loop, one copy
import jax.numpy as jnp

grid = jnp.zeros((16, 16))
grid = grid.at[0].set(1.0)
grid = grid.at[-1].set(1.0)


# %% few turns: three copies are not worth a compilation
import jax.numpy as jnp

corner = jnp.zeros((3, 3))
for axis in range(3):
    corner = corner.at[axis, axis].set(1.0)


# %% a short literal: the loop goes over the elements of a tuple
import jax.numpy as jnp

flags = jnp.zeros(8)
for position in (1, 4, 6):
    flags = flags.at[position].set(1.0)


# %% NumPy scratch: filled in place on the host, moved once
import jax.numpy as jnp
import numpy as np


def one_hot(labels, classes):
    rows = np.zeros((len(labels), classes))
    for i, label in enumerate(labels):
        rows[i, label] = 1.0
    return jnp.asarray(rows)


one_hot([i % 5 for i in range(100)], 5)


# %% fresh copy each turn: the perturbed array is not the next turn's
import jax.numpy as jnp


def finite_differences(f, x, eps=1e-3):
    base = f(x)
    slopes = []
    for i in range(x.shape[0]):
        moved = x.at[i].add(eps)
        slopes.append((f(moved) - base) / eps)
    return jnp.stack(slopes)


finite_differences(lambda v: (v * v).sum(), jnp.ones(20))


# %% one update per array: each parameter is rewritten once
import jax.numpy as jnp

params = {f"layer_{k}": jnp.ones(4) for k in range(40)}
for name, value in params.items():
    params[name] = value.at[0].set(0.0)


# %% list of arrays in a loop: a comprehension makes one copy of each
import jax.numpy as jnp

stack = [jnp.ones(3) for _ in range(50)]
stack = [a.at[1].set(0.0) for a in stack]


# %% vectorised: one update for all the indices
import jax.numpy as jnp

table = jnp.zeros(256)
table = table.at[jnp.arange(256)].set(jnp.arange(256) ** 2)


# %% rebuilt each turn: the array starts anew inside the loop
import jax.numpy as jnp

total = 0.0
for i in range(100):
    unit = jnp.zeros(8)
    unit = unit.at[i % 8].set(1.0)
    total = total + unit.sum()


# %% made anew around an inner loop: what counts is how long that one is
import jax.numpy as jnp


def windows(n):
    rows = []
    for i in range(n):
        row = jnp.zeros(4)
        for j in range(4):
            row = row.at[j].set(i + j)
        rows.append(row)
    return jnp.stack(rows)


windows(50)


# %% short loop in a long one: the array goes round both
import jax.numpy as jnp


def trails(n):
    grid = jnp.zeros((n, 3))
    for i in range(n):
        for j in range(3):
            grid = grid.at[i, j].set(i * j)  #! JAX702
    return grid


trails(30)


# %% found and left: the update is the loop's last act
import jax.numpy as jnp


def mark_first(values, limit):
    flags = jnp.zeros(len(values))
    for i, value in enumerate(values):
        if value > limit:
            flags = flags.at[i].set(1.0)
            break
    return flags


mark_first([0.1 * k for k in range(100)], 3.0)


# %% an entry for each name: every turn updates another array of the dict
import jax.numpy as jnp

params = {f"layer_{k}": jnp.ones(4) for k in range(40)}
for name in params:
    params[name] = params[name].at[0].set(0.0)


# %% attributes of the loop's object: every turn updates another object's array
import jax.numpy as jnp


class Layer:
    def __init__(self, n):
        self.weight = jnp.ones(n)


layers = [Layer(3) for _ in range(20)]
for layer in layers:
    layer.weight = layer.weight.at[0].set(0.0)


# %% a chain of updates: both of its updates copy
import jax.numpy as jnp


def ends(n):
    path = jnp.zeros(n)
    for i in range(n // 2):
        path = path.at[i].set(1.0).at[-i].set(2.0)  #! JAX702
    return path


ends(64)


# %% closure handed out: who has it may well trace it
import jax.numpy as jnp


def make_fill(n):
    def fill(x):
        y = jnp.zeros(n)
        for i in range(n):
            y = y.at[i].set(i)
        return y * x

    return fill
