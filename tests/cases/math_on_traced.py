# %% math.sqrt of a reduction
import math

import jax
import jax.numpy as jnp


@jax.jit
def rms(x):
    return math.sqrt(jnp.mean(x**2)) #! JAX107


rms(jnp.ones(3))

# %% a name imported from math
from math import exp, pi

import jax


@jax.jit
def gaussian(x, sigma):
    norm = 1 / (sigma * (2 * pi) ** 0.5)
    return norm * exp(-0.5 * (x / sigma) ** 2) #! JAX107


gaussian(0.5, 1.0)

# %% math on shapes, static arguments, constants and configuration
import functools
import math

import jax
import jax.numpy as jnp

CONFIG = {"heads": 4}


@functools.partial(jax.jit, static_argnames=("base",))
def attention(q, k, base=10000):
    scale = 1 / math.sqrt(q.shape[-1])
    levels = math.ceil(math.log2(q.shape[0])) + math.floor(q.size / 3)
    count = math.prod(q.shape[:-1])
    rate = math.log(base) / math.gcd(q.shape[0], CONFIG["heads"])
    limit = -math.inf if math.isfinite(scale) else math.nan
    return jnp.maximum(jnp.dot(q, k.T) * scale * rate, limit) + levels * count * math.tau


attention(jnp.ones((4, 2)), jnp.ones((4, 2)))
attention(jnp.ones((4, 2)), jnp.ones((4, 2)), base=math.e)

# %% math.prod multiplies what it is given and works on tracers
import math

import jax
import jax.numpy as jnp


@jax.jit
def volume(sides, x):
    return math.prod(sides) * math.prod([x, x]) * math.prod(x.shape)


volume((2.0, 3.0), jnp.ones(2))

# %% ... on a traced array of some rank, which it iterates over; on a number there is nothing to iterate over
import math

import jax
import jax.numpy as jnp


def cells(shape):
    return math.prod(shape)


@jax.jit
def bounds(shape):
    return jnp.array([0, cells(shape), shape[0]])


@jax.jit
def of_number(x):
    return math.prod(jnp.sum(x)) #! JAX107


bounds(jnp.array([3, 4]))
of_number(jnp.ones(2))

# %% gradient alone: math raises, unlike bool and int
import math

import jax


def potential(r):
    if r > 1 and int(r) > 0:
        r = r * 2
    return math.log(r) #! JAX107


jax.grad(potential)(2.0)

# %% gradient: math on the arguments that are not differentiated
import math

import jax
import jax.numpy as jnp


def potential(r, cutoff, charge):
    return r / math.exp(cutoff) * math.sqrt(charge)


jax.grad(potential)(2.0, 1.0, jnp.float32(4.0))
jax.jvp(lambda r: potential(r, jnp.float32(0.5), 1.0), (2.0,), (1.0,))

# %% vmap: the mapped angle
import math

import jax
import jax.numpy as jnp


def to_cartesian(radius, angle):
    return radius * math.cos(angle) #! JAX107


jax.vmap(to_cartesian, in_axes=(0, None))(jnp.ones(2), 0.5)
jax.vmap(to_cartesian)(jnp.ones(2), jnp.ones(2))

# %% vmap: unmapped, closed over and constant values are concrete
import math

import jax
import jax.numpy as jnp

temperature = jnp.float32(2.0)


def boltzmann(energy, degeneracy):
    return energy / math.log(temperature) * math.sqrt(degeneracy) + math.floor(jnp.sum(jnp.ones(2)))


jax.vmap(boltzmann, in_axes=(0, None))(jnp.ones(2), jnp.float32(3.0))

# %% math.isnan in a guard of a jitted solver
import math

import jax
import jax.numpy as jnp


@jax.jit
def guarded(x):
    bad = math.isnan(x.sum()) #! JAX107
    return jnp.where(bad, 0.0, x)


guarded(jnp.ones(2))

# %% math.factorial asks for an index
import math

import jax


@jax.jit
def binomial(n, p):
    return p**n / math.factorial(n) #! JAX107


binomial(3, 0.5)

# %% cmath of a tracer
import cmath

import jax


def transfer(frequency):
    return cmath.exp(1j * frequency) #! JAX107


jax.jit(transfer)(0.5)

# %% staged constants made by jax.numpy
import math

import jax
import jax.numpy as jnp


def kernel(x):
    width = jnp.sqrt(2.0)
    return x * math.erf(width) #! JAX107


kernel(1.0)
jax.vmap(kernel)(jnp.ones(2))
jax.jit(kernel)(1.0)

# %% the loop index of fori_loop
import math

import jax.numpy as jnp
from jax import lax


def series(x):
    return lax.fori_loop(1, 4, lambda k, total: total + x**k / math.gamma(k), 0.0) #! JAX107


series(jnp.float32(0.5))

# %% the index of an unrolled Python loop
import math

import jax
import jax.numpy as jnp


@jax.jit
def series(x):
    total = jnp.zeros_like(x)
    for k in range(1, 4):
        total = total + x**k / math.factorial(k)
    return total + sum(x**n / math.comb(4, n) for n in (0, 1, 2))


series(jnp.float32(0.5))

# %% a user's module or object that is called math
import jax
import jax.numpy as jnp


class Backend:
    @staticmethod
    def sqrt(x):
        return jnp.sqrt(x)


math = Backend()


@jax.jit
def norm(x):
    return math.sqrt(jnp.sum(x**2))


norm(jnp.ones(2))

# %% callbacks and eager code use math on arrays
import math

import jax
import jax.numpy as jnp
import numpy as np


def host(x):
    return np.float32(math.lgamma(float(x)) + math.erfc(x))


@jax.jit
def likelihood(x):
    return jax.pure_callback(host, jax.ShapeDtypeStruct((), jnp.float32), x)


def report(x):
    return math.log10(likelihood(x) + 2.0)


report(jnp.float32(1.5))

# %% a tracer guard chooses between math and jax.numpy
import math

import jax
import jax.numpy as jnp


def log(value):
    if isinstance(value, (int, float)):
        return math.log(value)
    return jnp.log(value)


@jax.jit
def score(x):
    return log(x) + log(2.0) + log(x.shape[0])


score(jnp.ones(2))

# %% method of a static self: configuration by math, the argument by mistake
import math
from functools import partial

import jax
import jax.numpy as jnp


class Rope:
    def __init__(self, dim):
        self.dim = dim

    @partial(jax.jit, static_argnums=(0,))
    def angles(self, position):
        base = math.pow(10000.0, 1 / self.dim)
        return base * math.sin(position) #! JAX107


Rope(4).angles(1.0)

# %% mapped over a tree with a table of math functions on shapes
import math

import jax
import jax.numpy as jnp


@jax.jit
def initialise(params):
    return jax.tree.map(lambda w: w / math.sqrt(math.prod(w.shape)), params)


initialise({"w": jnp.ones((2, 2)), "b": jnp.ones(2)})

# %% a caller that nobody calls: what the module runs itself is known as it is run
import math

import jax
import jax.numpy as jnp
from jax import lax


def damped(state, training):
    if training:
        return state
    return math.exp(state)


def relax(state, training=True):
    return lax.fori_loop(0, 2, lambda _, c: damped(c, training), jnp.asarray(state))


class Solver:
    def relax(self, *args, **kwargs):
        return relax(*args, **kwargs)

    def quick(self, state, training):
        return relax(state, training)

    def train(self, state):
        return relax(state, True)


print(relax(1.0))

# %% a caller that nobody calls: what it says itself decides
import math

import jax
import jax.numpy as jnp
from jax import lax


def damped(state, training):
    if training:
        return state
    return math.exp(state)  #! JAX107


def relax(state, training=True):
    return lax.fori_loop(0, 2, lambda _, c: damped(c, training), jnp.asarray(state))


class Solver:
    def evaluate(self, state):
        return relax(state, False)


print(relax(1.0))
Solver().evaluate(1.0)


# %% a list that something is inserted into has it where it was put, and the others behind it
import math

import jax


def cosine(x):
    return math.cos(x)  #! JAX107


functions = [cosine]
functions.insert(0, math.floor)
functions.insert(-1, abs)
assert functions[1] is abs
print(functions[0](2.5))


@jax.jit
def last(x):
    first, second, third = functions
    return third(second(x))


last(1.0)


# %% ... where that is known: in a loop or under a test it may be anywhere
import math
import sys

import jax


functions = [abs]
functions.insert(len(sys.argv) + 5, math.floor)
for name in ("ceil", "cos"):
    functions.insert(1, getattr(math, name))
if len(sys.argv) > 100:
    functions.insert(0, math.sin)


@jax.jit
def first(x):
    return functions[0](x)


print(first(1.0))
