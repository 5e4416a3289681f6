

# %% arange of a traced length
import jax
import jax.numpy as jnp


@jax.jit
def positions(n):
    return jnp.arange(n) #! JAX109


positions(4)

# %% zeros with one traced entry in the tuple
import jax
import jax.numpy as jnp


@jax.jit
def buffer(x, rows):
    return jnp.zeros((rows, x.shape[1])) + x #! JAX109


buffer(jnp.ones((2, 3)), 2)

# %% the shape made beforehand, passed by keyword
import jax
import jax.numpy as jnp


@jax.jit
def noise(key, count):
    shape = (count, 2)
    return jax.random.normal(key, shape=shape) #! JAX109


noise(jax.random.key(0), 3)

# %% shapes, lengths and static arguments make shapes
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@partial(jax.jit, static_argnames=("size", "axis"))
def layout(x, parts, size, axis=0):
    n = x.shape[0]
    grid = jnp.zeros((n, size)) + jnp.eye(n)[:, :size] + jnp.ones(shape=(len(parts), size))
    flat = x.reshape(-1, n // 2).reshape(*x.shape)
    tiled = jnp.tile(flat, size).sum(axis=axis) + jnp.arange(n * x.ndim).sum()
    cols = jnp.linspace(0.0, 1.0, num=x.size).sum() + jnp.full((size,), tiled).sum()
    codes = jax.nn.one_hot(jnp.zeros(n, int), num_classes=size).sum(axis)
    piece = lax.dynamic_slice_in_dim(x, 0, size).sum()
    halves = jnp.split(x, [size])
    return grid.sum() + codes.sum() + tiled + cols + piece + halves[0].sum()


layout(jnp.ones(2), [1.0, 2.0], size=2)
layout(jnp.ones(2), [1.0, 2.0], 2, axis=-1)

# %% traced values in the places of the same functions that are data
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def fill(x, value, start, key):
    a = jnp.full((2, 2), value) + jnp.full_like(x, value).sum()
    b = jnp.linspace(0, value, 3).sum() + jnp.eye(3, k=start).sum() + jnp.roll(x, start).sum()
    c = lax.dynamic_slice(x, (start,), (1,)).sum() + lax.dynamic_index_in_dim(x, start).sum()
    d = jnp.pad(x, 1, constant_values=value).sum() + jax.nn.one_hot(start, 4).sum()
    e = jnp.take(x, start) + jnp.clip(x, 0, value).sum() + jnp.quantile(x, value)
    f = jax.random.randint(key, (2,), 0, start).sum()
    g = lax.fori_loop(0, start, lambda i, total: total + i, 0) + jnp.power(x, start).sum()
    return a + b + c + d + e + f + g


fill(jnp.arange(3.0), 0.5, 1, jax.random.key(0))

# %% reshape by a method with a traced factor
import jax
import jax.numpy as jnp


@jax.jit
def fold(x, k):
    return x.reshape(k, -1) #! JAX109


fold(jnp.ones(4), 2)

# %% a traced axis
import jax
import jax.numpy as jnp


@jax.jit
def reduce(x, axis):
    return jnp.sum(x, axis=axis) #! JAX109


reduce(jnp.ones((2, 2)), 1)

# %% a traced axis in a method call by position
import jax
import jax.numpy as jnp


@jax.jit
def centre(x, axis):
    return x - x.mean(axis) #! JAX109


centre(jnp.ones((2, 2)), 0)

# %% number of samples in linspace
import jax
import jax.numpy as jnp


@jax.jit
def ramp(stop, count):
    return jnp.linspace(0.0, stop, count) #! JAX109


ramp(1.0, 3)

# %% number of classes in one_hot
import jax
import jax.numpy as jnp


@jax.jit
def encode(labels):
    classes = labels.max() + 1
    return jax.nn.one_hot(labels, classes) #! JAX109


encode(jnp.arange(3))

# %% scan with a traced length
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def iterate(x, steps):
    out, _ = lax.scan(lambda c, _: (c * 0.5, None), x, None, length=steps) #! JAX109
    return out


iterate(jnp.ones(2), 3)

# %% number of keys to split off
import jax


@jax.jit
def keys(key, count):
    return jax.random.split(key, count) #! JAX109


keys(jax.random.key(0), 3)

# %% the size of a dynamic slice, while its start may be traced
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def crop(x, start, size):
    return lax.dynamic_slice_in_dim(x, start, size) #! JAX109


crop(jnp.arange(5.0), 1, 2)

# %% static argument used as a shape in a helper that another caller gives a tracer
from functools import partial

import jax
import jax.numpy as jnp


def embed(x, width):
    return jnp.broadcast_to(x, (width, x.shape[0])) #! JAX109


@partial(jax.jit, static_argnums=1)
def fixed(x, width):
    return embed(x, width)


@jax.jit
def free(x, width):
    return embed(x, width)


fixed(jnp.ones(2), 3)
free(jnp.ones(2), 3)

# %% vmap: the mapped size raises, the unmapped does not
import jax
import jax.numpy as jnp


def mask(length, width):
    return jnp.arange(width) < length


jax.vmap(mask, in_axes=(0, None))(jnp.array([1, 2]), 3)
jax.vmap(mask, in_axes=(0, None))(jnp.array([1, 2]), jnp.int32(3))
jax.vmap(lambda length: jnp.ones(length))(jnp.array([1, 2])) #! JAX109

# %% gradient alone: an integer array that is not differentiated is a fine size
import jax
import jax.numpy as jnp


def smooth(x, n):
    return jnp.sum(x * jnp.arange(n)) + jnp.zeros(jnp.floor(x).astype(int)).sum()


jax.grad(smooth)(2.0, jnp.int32(3))

# %% sizes computed in eager code from arrays
import jax
import jax.numpy as jnp


@jax.jit
def count(x):
    return jnp.sum(x > 0)


def compact(x):
    n = count(x)
    return jnp.zeros(n), jnp.arange(n), x.reshape(-1, n)


compact(jnp.ones(3))

# %% factory closes over the sizes
import jax
import jax.numpy as jnp


def make_buffer(rows, columns):
    shape = (rows, columns)

    @jax.jit
    def buffer(x):
        return jnp.zeros(shape).at[0].set(x) + jnp.ones((rows, 1)) + jnp.arange(columns)

    return buffer


make_buffer(2, 3)(jnp.ones(3))

# %% the length of an array is static, the value of its last element is not
import jax
import jax.numpy as jnp


@jax.jit
def unpack(x, lengths):
    a = jnp.zeros(len(lengths))
    return a, jnp.zeros(lengths[-1]) #! JAX109


unpack(jnp.ones(3), jnp.array([1, 2]))

# %% a field of a registered dataclass: size is static, count is a leaf
import dataclasses
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.tree_util.register_dataclass, data_fields=("values", "count"), meta_fields=("size",))
@dataclasses.dataclass
class Ring:
    values: jax.Array
    count: int
    size: int


@jax.jit
def grow(ring):
    roomy = jnp.zeros(2 * ring.size)
    return roomy, jnp.zeros(ring.count) #! JAX109


grow(Ring(jnp.ones(3), 1, 3))

# %% Python casts of static values inside the shape
import math

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def patches(x):
    side = int(math.sqrt(x.shape[0]))
    rows = int(np.prod(x.shape)) // side
    return x.reshape(side, rows) + jnp.zeros([side, rows]) + jnp.empty(shape=np.array([side, rows])).sum() * 0


patches(jnp.ones(4))

# %% the width of a pad stands in one of the pairs that jnp.pad takes
import jax
import jax.numpy as jnp


@jax.jit
def below(x, count):
    return jnp.pad(x, ((0, count), (0, 0)))  #! JAX109


below(jnp.ones((2, 3)), 1)

# %% a pair for each axis, one of them of a static argument: and the fill value may be traced
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="count")
def around(x, count, fill):
    widths = [(0, count), (x.shape[0], 0)]
    padded = jnp.pad(x, widths, constant_values=((fill, fill), (0.0, fill)))
    return jax.lax.conv_general_dilated(padded[None, None], x[None, None], (1, 1), [(count, 0), (0, count)])


around(jnp.ones((2, 3)), 1, 2.0)

# %% the axes of jnp.tensordot, one list for each side
import jax
import jax.numpy as jnp


@jax.jit
def contracted(x, axis):
    return jnp.tensordot(x, x, axes=([0, axis], [0, 1]))  #! JAX109


contracted(jnp.ones((2, 2)), 1)

# %% number of segments and histogram bins
import jax
import jax.numpy as jnp


@jax.jit
def pool(values, owner):
    total = jax.ops.segment_sum(values, owner, num_segments=values.shape[0])
    return total + jax.ops.segment_max(values, owner, num_segments=owner.max() + 1) #! JAX109


pool(jnp.ones(3), jnp.array([0, 1, 1]))

# %% top_k with a traced k
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def best(logits, k):
    values, _ = lax.top_k(logits, k) #! JAX109
    return values


best(jnp.arange(4.0), 2)

# %% a rank-polymorphic helper: axes and target shapes come from ndim and shape
import jax
import jax.numpy as jnp


def expand_to(x, like):
    extra = like.ndim - x.ndim
    return x.reshape(x.shape + (1,) * extra)


def batch_norm(x, axes=None):
    axes = tuple(range(x.ndim - 1)) if axes is None else axes
    mean = x.mean(axis=axes, keepdims=True)
    return (x - mean) / jnp.sqrt(x.var(axes, keepdims=True) + 1e-5)


@jax.jit
def forward(x, gain):
    gain = expand_to(gain, x)
    kept = jnp.moveaxis(batch_norm(x), -1, 0).swapaxes(0, x.ndim - 1)
    return jnp.broadcast_to(gain, x.shape) * kept + jnp.zeros_like(x, shape=x.shape[::-1]).T


forward(jnp.ones((2, 3)), jnp.ones(2))

# %% eval_shape, ShapeDtypeStruct and shapes of results are static though made from tracers
import jax
import jax.numpy as jnp


def network(w, x):
    return jnp.dot(x, w)


@jax.jit
def allocate(w, x):
    out = jax.eval_shape(network, w, x)
    template = jax.ShapeDtypeStruct(out.shape, out.dtype)
    padded = jnp.zeros((out.shape[0] + 1, template.shape[-1]), dtype=template.dtype)
    rows, columns = network(w, x).shape
    return padded.at[:rows, :columns].set(network(w, x)) + jnp.ones(network(w, x).size + 1).sum()


allocate(jnp.ones((3, 2)), jnp.ones((4, 3)))

# %% static names through a partial, a keyword-only size and a nested jit
from functools import partial

import jax
import jax.numpy as jnp


def pad_to(x, *, size, fill=0.0):
    out = jnp.full((size,), fill)
    return out.at[: x.shape[0]].set(x)


pad_eight = jax.jit(partial(pad_to, size=8))
pad_any = jax.jit(pad_to, static_argnames="size")


@jax.jit
def both(x, fill):
    return pad_any(x, size=2 * x.size, fill=fill).sum() + pad_eight(x).sum()


both(jnp.ones(3), 0.5)
pad_any(jnp.ones(3), size=4)
jax.vmap(partial(pad_to, size=4, fill=1.0))(jnp.ones((2, 3)))

# %% a callback's result shape is made of static pieces, and the host makes shapes of values
import jax
import jax.numpy as jnp
import numpy as np


def host(n):
    return np.float32(np.zeros(int(n)).sum() + np.arange(n).size)


@jax.jit
def offload(x, n):
    scalar = jax.pure_callback(host, jax.ShapeDtypeStruct((), jnp.float32), n)
    return jnp.zeros(x.shape) + scalar


offload(jnp.ones(2), 3)

# %% tracer guard: a size that may be given as an array in eager code
import jax
import jax.numpy as jnp


def triangle(n):
    if isinstance(n, jax.core.Tracer):
        return n * (n + 1) // 2
    return jnp.arange(n + 1).sum()


jax.jit(triangle)(4)
triangle(jnp.int32(4))

# %% an index map of cond and scan: carries keep the shapes of what they start from
import jax.numpy as jnp
from jax import lax


def power_iteration(matrix, steps):
    n = matrix.shape[0]

    def step(v, index):
        v = jnp.dot(matrix, v)
        fresh = jnp.zeros(n).at[index].set(1.0)
        return v / jnp.linalg.norm(v) + 0.0 * fresh, v[:1].reshape(())

    return lax.scan(step, jnp.ones(n), jnp.arange(steps))


power_iteration(jnp.eye(3), 2)

# %% bounds as numpy integers of static arrays
import jax
import jax.numpy as jnp
import numpy as np

SIZES = np.array([1, 2])
OFFSETS = np.concatenate([[0], np.cumsum(SIZES)])


@jax.jit
def split_heads(x):
    parts = [jnp.zeros(size) + x[start] for size, start in zip(SIZES, OFFSETS[:-1], strict=True)]
    pieces = jnp.split(x, OFFSETS[1:-1])
    return jnp.concatenate(parts) + jnp.concatenate(pieces) + jnp.ones(SIZES.max() + 1)


split_heads(jnp.arange(3.0))

# %% norun an argument of any type, of a function that nobody here calls
import functools

import jax
import jax.numpy as jnp


@jax.jit
def table(n):
    return jnp.arange(n)  #! JAX109


@jax.jit
def padded(x, shape):
    return jnp.zeros(shape) + x  #! JAX109


@jax.jit
def optional(x, axis, size):
    return jnp.sum(x, axis), jnp.nonzero(x, size=3 if size is None else 4)


@functools.partial(jax.jit, static_argnums=0)
def static_table(n):
    return jnp.arange(n)

# %% a tree that is one number: mapped it stays a number, and checkpoint makes a tracer of it
import jax
import jax.numpy as jnp


def rows(count):
    return jnp.tile(jnp.ones(2), count)  #! JAX109


def step(z, n_rows):
    more = jax.tree.map(lambda a: a + 1, n_rows)
    return z + rows(more).sum() + jax.checkpoint(rows)(more).sum()


step(jnp.float32(1.0), 3)

# %% a wrapper has the signature of what it wraps: names of static arguments are positions too
import functools

import jax
import jax.numpy as jnp


def logged(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)

    return wrapper


def plain(fn):
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)

    return wrapper


def updated(fn):
    return functools.update_wrapper(lambda *args: fn(*args), fn)


@functools.partial(jax.jit, static_argnames="n")
@logged
def first(n, x):
    return x[0] + jnp.zeros(n)


@functools.partial(jax.jit, static_argnames="n")
@updated
def second(n, x):
    return x[0] + jnp.zeros(n)


@functools.partial(jax.jit, static_argnames="n")
@plain
def third(n, x):
    return x[0] + jnp.zeros(n)  #! JAX109


first(3, jnp.ones(2)), second(3, jnp.ones(2)), third(3, jnp.ones(2))

# %% which attributes a pytree traces, a function that is not known says
import functools

import jax
import jax.numpy as jnp


class Node:
    def __init_subclass__(cls):
        flatten = functools.partial(split, kind=int)
        jax.tree_util.register_pytree_node(cls, flatten, lambda aux, leaves: cls.joined(aux, leaves))


def split(node, kind):
    static = {name: value for name, value in vars(node).items() if isinstance(value, kind)}
    traced = {name: value for name, value in vars(node).items() if not isinstance(value, kind)}
    return (traced,), tuple(static.items())


class Window(Node):
    def __init__(self, size, values):
        self.size = size
        self.values = values

    @classmethod
    def joined(cls, aux, leaves):
        return cls(dict(aux)["size"], leaves[0]["values"])

    def last(self):
        return self.values.sum() + jnp.zeros(self.size)


@jax.jit
def last(window):
    if window.size > 2:
        window = Window(window.size, window.values * 2)
    return window.last(), window


@jax.jit
def zeros(window, n):
    return window.values.sum() + jnp.zeros(n)  #! JAX109


_, window = last(Window(3, jnp.ones(3)))
jax.jit(Window.last)(window), zeros(window, 3)

# %% a record of dimension numbers holds what it is given, also where it is made in a trace
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def convolved(x, w):
    numbers = lax.ConvDimensionNumbers((0, 3, 1, 2), (3, 2, 0, 1), (0, 3, 1, 2))
    if numbers.lhs_spec[0] == 0:
        x = x + 1.0
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=numbers)


print(convolved(jnp.ones((1, 8, 8, 3)), jnp.ones((3, 3, 3, 2))).shape)

# %% `einsum` takes arrays with lists of axes in place of a text
import jax
import jax.numpy as jnp


@jax.jit
def contracted(x, y):
    return jnp.einsum(x, [0, 1], y, [1, 2], [0, 2]) + jnp.einsum("ij,jk->ik", x, y)


print(contracted(jnp.ones((2, 3)), jnp.ones((3, 2))))

# %% what a command line gives, as a number that JAX has to know
import argparse

import jax
import jax.numpy as jnp


@jax.jit
def keys_of(key, count):
    return jax.random.split(key, count)  #! JAX109


@jax.jit
def tiled(x, count):
    return jnp.tile(x, count)  #! JAX109


@jax.jit
def scaled(x, rate):
    return x * rate


def main(args):
    scaled(jnp.ones(3), args.rate)
    tiled(jnp.ones(3), args.count)
    return keys_of(jax.random.key(0), args.count)


parser = argparse.ArgumentParser()
parser.add_argument("--count", type=int, default=4)
parser.add_argument("--rate", type=float, default=4.0)
main(parser.parse_args([]))

# %% a branch for integers that floats do not take
import jax
import jax.numpy as jnp


def counted(x, labels):
    if jnp.issubdtype(labels, jnp.integer):
        labels = jax.nn.one_hot(labels, labels.max() + 1)
    return jnp.einsum("nc,na->ca", labels, x)


def counted_too(x, labels):
    if jnp.issubdtype(labels, jnp.floating):
        return x
    return jax.nn.one_hot(labels, labels.max() + 1)  #! JAX109


@jax.jit
def model(x):
    return counted(x, jax.nn.one_hot(jnp.array([0, 1, 1]), 2)).sum()


@jax.jit
def integers(x):
    return counted_too(x, x.astype(int))


model(jnp.ones((3, 4)))
integers(jnp.ones(3))

# %% a number that random takes for the length of a range
import jax
import jax.numpy as jnp


@jax.jit
def shuffled(key, n):
    return jax.random.permutation(key, n)  #! JAX109


@jax.jit
def chosen(key, n):
    return jax.random.choice(key, n, (2,))  #! JAX109


@jax.jit
def fine(key, x):
    first, second, third = jax.random.split(key, 3)
    return jax.random.permutation(first, x), jax.random.choice(second, x.shape[0]), jax.random.choice(third, a=x)


print(fine(jax.random.key(0), jnp.arange(3)))
try:
    shuffled(jax.random.key(1), 3)
except TypeError:
    pass
chosen(jax.random.key(2), 3)

# %% what a trace compiles and nobody calls is run by nobody
import jax
import jax.numpy as jnp


def crossentropy(smoothing=0.3, axis=1):
    def _loss(traces, targets):
        logits = jnp.sum(traces, axis=axis)
        return jnp.mean(logits - targets) * smoothing

    return jax.jit(_loss)


@jax.jit
def train_step(v, targets):
    loss = crossentropy(v, targets)
    return callable(loss)


print(train_step(jnp.ones((2, 3)), jnp.ones(2)))

# %% what a trace compiles and calls
import jax
import jax.numpy as jnp


def crossentropy(smoothing=0.3, axis=1):
    def _loss(traces, targets):
        logits = jnp.sum(traces, axis=axis)  #! JAX109
        return jnp.mean(logits - targets) * smoothing

    return jax.jit(_loss)


@jax.jit
def train_step(v, targets):
    loss = crossentropy(0.3, targets)
    return loss(v, targets)


train_step(jnp.ones((2, 3)), jnp.ones(2))

# %% functions that JAX itself compiles with such an argument raise a ValueError
import jax
import jax.numpy as jnp


def compute(power):
    return jnp.linalg.matrix_power(jnp.eye(2), power)  #! JAX109


jax.vmap(compute)(jnp.arange(3))

# %% norun sizes that compiled functions are given which nothing calls
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def window(x, start, width):
    return lax.dynamic_slice(x, (start,), (width,))  #! JAX109


@jax.jit
def block(x, start, width):
    return lax.dynamic_slice_in_dim(x, start, width)  #! JAX109


@jax.jit
def best(logits, k):
    return lax.top_k(logits, k)[0]  #! JAX109


@jax.jit
def bootstrap(key, x, n):
    return jax.random.choice(key, x, (n,))  #! JAX109


@jax.jit
def folded(x, n):
    return jnp.tile(x, (n,)), jnp.sum(x, axis=n)  #! JAX109

# %% the number of bins, which may be an array of edges too
import jax
import jax.numpy as jnp


@jax.jit
def between(x, edges):
    return jnp.histogram(x, bins=edges)[0]


@jax.jit
def counts(x, bins):
    return jnp.histogram(x, bins=bins)[0]  #! JAX109


between(jnp.arange(6.0), jnp.linspace(0.0, 6.0, 3))
counts(jnp.arange(6.0), 3)
