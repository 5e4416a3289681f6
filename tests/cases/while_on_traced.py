# %% halving until small, decorated
import jax


@jax.jit
def halve(x):
    while x > 1.0: #! JAX102
        x = x / 2
    return x


halve(9.0)

# %% the loop test is a tracer only in the second round: a static counter becomes one
import jax
import jax.numpy as jnp


@jax.jit
def settle(x):
    error = 1.0
    while error > 1e-3: #! JAX102
        new = 0.5 * x
        error = jnp.max(jnp.abs(new - x))
        x = new
    return x


settle(jnp.ones(2))

# %% static counters, shapes, worklists and pytrees steer loops at trace time
import jax
import jax.numpy as jnp


@jax.jit
def tree_reduce(x, parts):
    n = x.shape[0]
    while n > 1:
        x = x[: n // 2] + x[n // 2 : n]
        n //= 2
    axis = 0
    while axis < x.ndim:
        x = jnp.cumsum(x, axis=axis)
        axis += 1
    pending = list(parts)
    while pending:
        x = x + pending.pop()
    while x.ndim < 3:
        x = x[None]
    while len(x.shape) > 2 and x.shape[0] == 1:
        x = x[0]
    return x


tree_reduce(jnp.arange(8.0), (1.0, 2.0))

# %% while True with a traced break: the finding is the if, not the loop
import jax
import jax.numpy as jnp


@jax.jit
def search(x):
    count = 0
    while True:
        count += 1
        if x.max() < count: #! JAX101
            break
        if count > 3:
            break
    return x


search(jnp.ones(2))

# %% while True with a static break only
import jax
import jax.numpy as jnp


@jax.jit
def unroll(x):
    count = 0
    while True:
        x = jnp.sin(x)
        count += 1
        if count == 3:
            break
    else:
        x = x * 0
    return x


unroll(jnp.ones(2))

# %% last operand of `and`: the loop converts it, the static one in front is harmless
import jax
import jax.numpy as jnp


@jax.jit
def line_search(step, slope):
    tries = 0
    while tries < 3 and slope * step > 0.1: #! JAX102
        step = step / 2
        tries += 1
    return step


line_search(jnp.float32(1.0), 1.0)

# %% walrus in the loop test
import jax
import jax.numpy as jnp


def newton(x):
    while (residual := jnp.abs(x * x - 2.0)) > 1e-3: #! JAX102
        x = x - residual / (2 * x)
    return x


jax.jit(newton)(jnp.float32(1.5))

# %% Newton under vmap only
import jax
import jax.numpy as jnp


def newton(target, x):
    while jnp.abs(x * x - target) > 1e-3: #! JAX102
        x = x - (x * x - target) / (2 * x)
    return x


newton(2.0, 1.5)
jax.vmap(newton, in_axes=(0, None))(jnp.array([2.0, 3.0]), 1.5)

# %% under vmap with everything in the test unmapped
import jax
import jax.numpy as jnp


def refine(x, tolerance):
    width = jnp.float32(1.0)
    while width > tolerance:
        x = x + width
        width = width / 2
    return x


jax.vmap(refine, in_axes=(0, None))(jnp.ones(3), jnp.float32(0.3))

# %% gradient through a Python while: concrete without jit
import jax


def shrink(x):
    while x > 1.0:
        x = x * 0.5
    return x


jax.grad(shrink)(5.0)
jax.value_and_grad(shrink)(5.0)

# %% eager driver around a jitted step
import jax
import jax.numpy as jnp


@jax.jit
def step(w):
    return w * 0.5, jnp.abs(w).max()


def solve(w):
    size = jnp.inf
    rounds = 0
    while size > 0.1 and rounds < 10:
        w, size = step(w)
        rounds += 1
    return w


solve(jnp.ones(2))

# %% lax.while_loop is the right way, also with a Python function as its test
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def collatz(n):
    def running(state):
        value, _ = state
        return value != 1

    def advance(state):
        value, count = state
        value = jnp.where(value % 2 == 0, value // 2, 3 * value + 1)
        return value, count + 1

    return lax.while_loop(running, advance, (n, 0))[1]


collatz(6)

# %% a Python while inside a scan body
import jax.numpy as jnp
from jax import lax


def integrate(y, ts):
    def body(y, t):
        h = 0.1 * t
        while jnp.abs(h * y) > 0.05: #! JAX102
            h = h / 2
        return y + h, y

    return lax.scan(body, y, ts)


integrate(jnp.float32(1.0), jnp.ones(3))

# %% the static argument counts down, the traced argument does not steer
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=0)
def power(n, x):
    result = jnp.ones_like(x)
    while n:
        if n & 1:
            result = result * x
        x = x * x
        n >>= 1
    return result


power(5, jnp.float32(2.0))

# %% the same without static_argnums
import jax
import jax.numpy as jnp


@jax.jit
def power(n, x):
    result = jnp.ones_like(x)
    while n: #! JAX102
        result = result * x
        n -= 1
    return result


power(5, jnp.float32(2.0))

# %% host callback with its own loop
import jax
import jax.numpy as jnp
import numpy as np


def gcd(a, b):
    while b:
        a, b = b, a % b
    return np.int32(a)


@jax.jit
def reduce_fraction(a, b):
    divisor = jax.pure_callback(gcd, jax.ShapeDtypeStruct((), jnp.int32), a, b)
    return a // divisor, b // divisor


reduce_fraction(jnp.int32(12), jnp.int32(18))

# %% `while not done`: the `not` is what converts
import jax
import jax.numpy as jnp


@jax.jit
def run(x):
    done = x.sum() > 3
    while not done: #! JAX103
        x = x + 1
        done = x.sum() > 3
    return x


run(jnp.ones(2))

# %% loop in a helper that a traced caller reaches through a bound method
import jax
import jax.numpy as jnp


class Walker:
    def __init__(self, bound):
        self.bound = bound

    def wrap(self, angle):
        while angle > self.bound: #! JAX102
            angle = angle - self.bound
        return angle

    def angles(self, batch):
        return jax.vmap(self.wrap)(batch)


walker = Walker(3.0)
walker.wrap(7.0)
walker.angles(jnp.array([7.0, 1.0]))

# %% a queue of static nodes walked inside a jitted function
import jax
import jax.numpy as jnp

GRAPH = {"a": ("b",), "b": ("c",), "c": ()}


@jax.jit
def propagate(values):
    node, total = "a", values["a"]
    while GRAPH[node]:
        node = GRAPH[node][0]
        total = total + values[node]
    return total


propagate({"a": 1.0, "b": 2.0, "c": 3.0})

# %% dict() of tracers
import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    s = dict(pos=x, n=2)
    s.update(vel=x * 3)
    while s["vel"] > 0: #! JAX102
        s["vel"] = s["vel"] - 1
    return s["pos"]


f(1.0)


# %% a question of one variable that another one is a copy of
import jax
import jax.numpy as jnp


@jax.jit
def proposed(err):
    kept = None

    def keep(given):
        nonlocal kept
        kept = given

    keep(err)
    out = kept
    if hasattr(kept, "shape"):
        return kept
    while out < 3:
        out = out + 1
    return out


@jax.jit
def grown(err, limit=None):
    kept = None

    def keep(given):
        nonlocal kept
        kept = given

    keep(err)
    out = kept
    if kept is None:
        return limit
    while out < 3: #! JAX102
        out = out + 1
    return out


print(proposed(jnp.arange(1.0, 5.0)))
print(grown(jnp.float32(1.0)))


# %% a copy that is older than what the test asks
import os

import jax
import jax.numpy as jnp


def chosen(x):
    return x if os.environ.get("JAXLINT_UNSET") is None else None


@jax.jit
def bound_again(x):
    kept = chosen(x)
    former = kept
    kept = chosen(None)
    if kept is not None:
        return x
    while former < 3: #! JAX102
        former = former + 1
    return former


print(bound_again(jnp.float32(1.0)))

# %% silent: an option that says if the method is compiled is handed on, beside another one
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp


def in_python(cond_fun, body_fun, val, most):
    for _ in range(most):
        cond = cond_fun(val)
        if not cond:
            break
        val = body_fun(val)
    return val


def in_lax(cond_fun, body_fun, val, most):
    return jax.lax.while_loop(cond_fun, body_fun, val)


def repeated(cond_fun, body_fun, val, most, unroll=False, jit=False):
    if unroll:
        if jit:
            fun = jax.jit(in_lax, static_argnums=(0, 1, 3))
        else:
            fun = in_python
    else:
        fun = in_lax
    return fun(cond_fun, body_fun, val, most)


def search(unroll, jit, x, most):
    start = x, jnp.array(True)
    return repeated(lambda t: t[-1], lambda t: (t[0] * 0.5, t[0].sum() > 1e-2), start, most, unroll=unroll, jit=jit)[0]


class Base:
    def unrolls(self):
        if self.unroll == "auto":
            return not getattr(self, "implicit", True) or not self.jit
        return self.unroll

    def __post_init__(self):
        if self.jit:
            self.update = jax.jit(self.update)


@dataclass(eq=False)
class Solver(Base):
    most: int = 15
    implicit: bool = True
    jit: bool = True
    unroll: Any = "auto"

    def update(self, x):
        return search(self.unrolls(), self.jit, x, self.most)

    def __post_init__(self):
        super().__post_init__()
        self.search = partial(search, self.unrolls(), self.jit)


class Kept:
    def __init__(self, jit, unroll):
        self.jit, self.unroll = jit, unroll
        if self.jit:
            self.update = jax.jit(self.update)

    def update(self, x):
        compiled = self.jit
        return search(self.unroll, compiled, x, 15)


print(Solver().update(jnp.ones(3)), Solver(jit=False).update(jnp.ones(3)))

# %% ... where it is compiled if the option is not set
import jax
import jax.numpy as jnp


def halved(x, eager):
    if eager:
        return x
    while x > 1.0:  #! JAX102
        x = x * 0.5
    return x


class Kept:
    def __init__(self, eager):
        self.eager = eager
        if not self.eager:
            self.update = jax.jit(self.update)

    def update(self, x):
        return halved(x, self.eager)


Kept(False).update(jnp.ones(()))
