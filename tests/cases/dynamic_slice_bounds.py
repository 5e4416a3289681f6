

# %% both bounds traced
import jax
import jax.numpy as jnp


@jax.jit
def crop(x, lo, hi):
    return x[lo:hi] #! JAX112


crop(jnp.arange(10.0), 2, 5)

# %% a window of constant width is still made of traced bounds
import jax
import jax.numpy as jnp


@jax.jit
def window(x, start):
    return x[start : start + 2].mean() #! JAX112


window(jnp.arange(10.0), 3)

# %% static bounds of every kind
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@partial(jax.jit, static_argnames=("k",))
def pieces(x, k, i):
    n = x.shape[0]
    half = x[: n // 2] + x[n // 2 :]
    step = x[::2][:1] + x[k:][:1] + x[-k:][:1] + x[: -(k + 1)][:1] + x[slice(0, k)][:1]
    host = x[np.int64(1) : int(np.ceil(n / 2))]
    return half.sum() + step.sum() + host.sum() + x[i] + x[..., i] + x[None, :k].sum() + x[len(half) - 1 :].sum()


pieces(jnp.arange(4.0), 2, 1)
pieces(jnp.arange(4.0), k=1, i=jnp.int32(2))

# %% the slice in one of two axes
import jax
import jax.numpy as jnp


@jax.jit
def causal(scores, t):
    return scores[:, :t].sum() #! JAX112


causal(jnp.ones((3, 3)), 2)

# %% updating a traced range with .at
import jax
import jax.numpy as jnp


@jax.jit
def write(cache, index, value):
    cache = cache.at[0].set(value)
    return cache.at[index : index + 1].set(value) #! JAX112


write(jnp.zeros(4), 2, 1.0)

# %% what to use instead
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def write(cache, index, value):
    cache = lax.dynamic_update_slice(cache, value[None], (index,))
    cache = cache.at[index].set(value) + cache.at[index + jnp.arange(2)].get().sum()
    piece = lax.dynamic_slice_in_dim(cache, index, 2)
    masked = jnp.where(jnp.arange(cache.shape[0]) < index, cache, 0.0)
    return piece.sum() + masked.sum()


write(jnp.zeros(4), 2, jnp.float32(1.0))

# %% slices in scan and fori bodies by the loop index, run eagerly
import jax.numpy as jnp
from jax import lax


def prefix_sums(x):
    def body(i, out):
        return out.at[i].set(x[:i].sum()) #! JAX112

    return lax.fori_loop(0, x.shape[0], body, jnp.zeros_like(x))


prefix_sums(jnp.arange(3.0))

# %% an unrolled Python loop slices with ints
import jax
import jax.numpy as jnp


@jax.jit
def prefix_sums(x):
    parts = [x[:i].sum() for i in range(x.shape[0])]
    for start in range(0, x.shape[0], 2):
        parts.append(x[start : start + 2].sum())
    return jnp.stack(parts)


prefix_sums(jnp.arange(3.0))

# %% vmap: an unmapped bound is concrete
import jax
import jax.numpy as jnp

cut = jnp.int32(2)


def head(row, n):
    return row[:n].sum() + row[cut:].sum() + row[jnp.array(1) :].sum()


jax.vmap(head, in_axes=(0, None))(jnp.ones((2, 4)), jnp.int32(3))
jax.vmap(head, in_axes=(0, None))(jnp.ones((2, 4)), 3)

# %% vmap: a mapped bound is not
import jax
import jax.numpy as jnp


def head(row, n):
    return row[:n].sum() #! JAX112


jax.vmap(head)(jnp.ones((2, 4)), jnp.array([1, 2]))

# %% gradient alone: bounds of integers are concrete
import jax
import jax.numpy as jnp


def truncated(w, n):
    k = jnp.floor(w.sum()).astype(int)
    return jnp.sum(w[:n] ** 2) + w[k:].sum() + w[: jnp.array(1)].sum()


jax.grad(truncated)(jnp.array([0.5, 0.6, 0.7]), jnp.int32(2))

# %% a list of tracers sliced statically, and one sliced by a tracer
import jax
import jax.numpy as jnp


@jax.jit
def stages(layers, upto, x):
    for layer in layers[1:]:
        x = x * layer
    for layer in layers[:upto]: #! JAX108
        x = x * layer
    return x


stages([1.0, 2.0], 1, jnp.ones(2))

# %% an eager sliding window over the result of a jitted function
import jax
import jax.numpy as jnp


@jax.jit
def peak(x):
    return jnp.argmax(x)


def around(x):
    p = peak(x)
    return x[p - 1 : p + 2], x[: int(p)], x[p:]


around(jnp.array([0.0, 1.0, 3.0, 1.0]))

# %% norun an array that is annotated, and nothing calls the function around the one that is mapped
from typing import NamedTuple, Optional

import jax
import jax.numpy as jnp
from jax import lax


class Replay(NamedTuple):
    rows: jax.Array
    size: int


def windows(rows: jax.Array, starts: jax.Array):
    return jax.vmap(lambda start: rows[start : start + 4])(starts)  #! JAX112


def of_a_field(replay: Replay, starts: jax.Array):
    return jax.vmap(lambda start: replay.rows[start : start + 4])(starts)  #! JAX112


def of_none_too(rows: Optional[jax.Array], count):
    return lax.fori_loop(0, count, lambda i, total: total + rows[i:].sum(), 0.0)  #! JAX112


def known(replay: Replay, rows: jax.Array, count: int):
    halves = jax.vmap(lambda x: rows[:count] * x)(jnp.ones(3))
    return halves, rows[count:], rows[: rows.shape[0] // 2], replay.rows[: replay.size]


def taken(replay: Replay, starts: jax.Array):
    return jax.vmap(lambda start: lax.dynamic_slice_in_dim(replay.rows, start, 4))(starts)


def unknown(rows, starts):
    return jax.vmap(lambda start: rows[start])(starts)

# %% a bound computed with jax.numpy from constants is staged
import jax
import jax.numpy as jnp


@jax.jit
def drop_first(x):
    skip = jnp.int32(1)
    return x[skip:] #! JAX112


drop_first(jnp.ones(3))

# %% slice object in a variable
import jax
import jax.numpy as jnp


@jax.jit
def inner(x, margin):
    interior = slice(margin, -margin)
    return x[interior] #! JAX112


inner(jnp.arange(5.0), 1)

# %% slice objects of static numbers, Ellipsis, and a helper that makes them
import jax
import jax.numpy as jnp


def block(i, size):
    return slice(i * size, (i + 1) * size)


@jax.jit
def blocks(x):
    first, second = (block(i, 2) for i in range(2))
    index = (slice(None), block(0, 1))
    return x[first].sum() + x[second, ...].sum() + x[index].sum() + x.at[block(1, 1)].get().sum()


blocks(jnp.ones((4, 2)))

# %% method with the bound on self: configuration when closed over, leaf when a pytree
import dataclasses

import jax
import jax.numpy as jnp


class Window:
    def __init__(self, width):
        self.width = width
        self.apply = jax.jit(self._apply)

    def _apply(self, x):
        return x[: self.width]


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class LeafWindow:
    width: int

    @jax.jit
    def apply(self, x):
        return x[: self.width] #! JAX112


Window(2).apply(jnp.ones(3))
LeafWindow(2).apply(jnp.ones(3))

# %% step of the slice traced
import jax
import jax.numpy as jnp

subsample = jax.jit(lambda x, stride: x[::stride]) #! JAX112
subsample(jnp.arange(6.0), 2)

# %% the length that a caller has computed statically travels as a Python int
import jax
import jax.numpy as jnp


def halves(x, middle):
    return x[:middle], x[middle:]


@jax.jit
def merge_sorted(x):
    left, right = halves(x, middle=x.shape[0] // 2)
    return jnp.minimum(left, right)


merge_sorted(jnp.ones(4))

# %% a host callback slices NumPy arrays by values
import jax
import jax.numpy as jnp
import numpy as np


def host_mean(x, n):
    return np.float32(x[: int(n)].mean() + x[:n].sum())


@jax.jit
def truncated_mean(x, n):
    return jax.pure_callback(host_mean, jax.ShapeDtypeStruct((), jnp.float32), x, n)


truncated_mean(jnp.ones(3), 2)

# %% set by a nested function: None or a tracer as the bound of a slice
import jax
import jax.numpy as jnp


@jax.jit
def window(n):
    stop = None

    def keep(given):
        nonlocal stop
        stop = given

    keep(n)
    return jnp.arange(9.0)[:stop]  #! JAX112


window(3)

# %% references in the kernels of Pallas
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def copied(x_ref, o_ref):
    start = 2 * pl.program_id(0)
    size = x_ref.shape[0] // 2
    o_ref[pl.ds(start, size)] = x_ref[pl.ds(start, size)] + x_ref[start]
    o_ref[start] = x_ref[0:size].sum()


def read(x_ref, o_ref):
    start = 2 * pl.program_id(0)
    o_ref[:] = x_ref[start : start + 2]  #! JAX112


def written(x_ref, o_ref):
    start = 2 * pl.program_id(0)
    o_ref[start:] = x_ref[0:2]  #! JAX112


def added(x_ref, o_ref):
    stop = 2 * pl.program_id(0)
    o_ref[:stop] += x_ref[:]  #! JAX112


def run(kernel):
    shape = jax.ShapeDtypeStruct((4,), jnp.float32)
    return pl.pallas_call(kernel, grid=(2,), out_shape=shape, interpret=True)(jnp.ones(4))


for kernel in (copied, read, written, added):
    print(run(kernel))

# %% a record that an object keeps, and hands to what gives the next one
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Cache:
    k: jax.Array
    length: jax.Array


@jax.jit
def grown(cache, token):
    return Cache(cache.k + token, cache.length + 1), cache.k[:2]


@jax.jit
def read(cache, token):
    return Cache(cache.k + token, cache.length + 1), cache.k[: cache.length] #! JAX112


class Engine:
    def __init__(self):
        self.cache = Cache(jnp.zeros(4), jnp.zeros((), jnp.int32))

    def grow(self, token):
        self.cache, out = grown(self.cache, token)
        return out

    def read(self, token):
        self.cache, out = read(self.cache, token)
        return out


engine = Engine()
print(engine.grow(1.0))
print(engine.read(1.0))
