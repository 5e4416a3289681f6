# %% nonzero in a jitted function
import jax
import jax.numpy as jnp


@jax.jit
def hits(x):
    (where,) = jnp.nonzero(x > 0) #! JAX110
    return where


hits(jnp.arange(3.0))

# %% where with one argument, three arguments are fine
import jax
import jax.numpy as jnp


@jax.jit
def edges(x):
    kept = jnp.where(x > 0, x, 0.0)
    return jnp.where(kept > 1) #! JAX110


edges(jnp.arange(3.0))

# %% unique of the labels
import jax
import jax.numpy as jnp


def classes(labels):
    values, counts = jnp.unique(labels, return_counts=True) #! JAX110
    return values[counts.argmax()]


classes(jnp.arange(3))
jax.jit(classes)(jnp.arange(3))

# %% a size makes each of them static
import jax
import jax.numpy as jnp


@jax.jit
def fixed(x, labels):
    a = jnp.nonzero(x, size=2)[0]
    b = jnp.where(x > 0, size=2, fill_value=0)[0]
    c = jnp.unique(labels, size=3, fill_value=0)
    d = jnp.argwhere(x, size=2).sum()
    e = jnp.flatnonzero(x, size=2)
    f = jnp.bincount(labels, length=4)
    g = jnp.repeat(x, labels, total_repeat_length=5)
    h = jnp.union1d(labels, labels, size=3) + jnp.setdiff1d(labels, labels, size=3)
    i = jax.ops.segment_sum(x, labels, num_segments=3) + jnp.intersect1d(labels, labels, size=3)
    k = jnp.compress(x > 0, x, size=2) + jnp.repeat(x, 2)[:2] + jnp.roots(x, strip_zeros=False).real[:2]
    return a.sum() + b.sum() + c.sum() + d + e.sum() + f.sum() + g.sum() + h.sum() + i.sum() + k.sum()


fixed(jnp.arange(3.0), jnp.array([0, 1, 1]))

# %% repeat with traced counts; a static count and NumPy counts are fine
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def ragged(x, counts):
    twice = jnp.repeat(x, 2) + x.repeat(2)
    by_host = jnp.repeat(x, np.array([1, 2, 0]))
    return twice.sum() + by_host.sum() + jnp.repeat(x, counts).sum() #! JAX110


ragged(jnp.ones(3), jnp.array([1, 2, 0]))

# %% bincount without length
import jax
import jax.numpy as jnp


@jax.jit
def histogram(labels):
    density = jnp.histogram(labels, bins=3)[0]
    return density, jnp.bincount(labels) #! JAX110


histogram(jnp.array([0, 1, 1]))

# %% the method of the array
import jax
import jax.numpy as jnp


@jax.jit
def support(x):
    return x.nonzero()[0].sum() #! JAX110


support(jnp.arange(3.0))

# %% staged constants are tracers: even on NumPy arrays jnp.nonzero has no shape in time
import jax
import jax.numpy as jnp
import numpy as np

ADJACENCY = np.eye(3)


@jax.jit
def spread(x):
    rows, columns = jnp.nonzero(ADJACENCY) #! JAX110
    return x[rows] + x[columns]


spread(jnp.ones(3))

# %% NumPy on NumPy arrays in the same place is concrete
import jax
import jax.numpy as jnp
import numpy as np

ADJACENCY = np.eye(3)


@jax.jit
def spread(x):
    rows, columns = np.nonzero(ADJACENCY)
    levels = np.unique(ADJACENCY)
    with jax.ensure_compile_time_eval():
        (again,) = jnp.nonzero(jnp.arange(3) > 0)
    return x[rows] + x[columns] + levels.size + x[again].sum()


spread(jnp.ones(3))

# %% gradient alone: the shape is known
import jax
import jax.numpy as jnp


def active_loss(w):
    (where,) = jnp.nonzero(w > 0)
    return jnp.sum(w[where] ** 2) + jnp.unique(w).sum() + jnp.repeat(w, jnp.array([1, 2])).sum()


jax.grad(active_loss)(jnp.array([1.0, -1.0]))

# %% vmap: constants and unmapped arguments are concrete, the mapped is not
import jax
import jax.numpy as jnp


def neighbours(x, graph):
    (mine,) = jnp.nonzero(graph)
    (grid,) = jnp.nonzero(jnp.arange(3) > 0)
    return x[mine].sum() + x[grid].sum() + jnp.flatnonzero(x).sum() #! JAX110


jax.vmap(neighbours, in_axes=(0, None))(jnp.ones((2, 3)), jnp.array([1, 0, 1]))

# %% vmap of what is unmapped
import jax
import jax.numpy as jnp


def neighbours(x, graph):
    (mine,) = jnp.nonzero(graph)
    return x[mine].sum() + x[jnp.unique(jnp.array([0, 0, 1]))].sum()


jax.vmap(neighbours, in_axes=(0, None))(jnp.ones((2, 3)), jnp.array([1, 0, 1]))

# %% eager analysis after a jitted simulation
import jax
import jax.numpy as jnp


@jax.jit
def simulate(x):
    return jnp.sin(x)


def analyse(x):
    y = simulate(x)
    (peaks,) = jnp.where(y > 0.5)
    return peaks, jnp.unique(jnp.round(y)), jnp.bincount((y > 0).astype(int))


analyse(jnp.arange(4.0))

# %% set operations in a scan body
import jax.numpy as jnp
from jax import lax


def overlap(sets, reference):
    def body(total, row):
        common = jnp.intersect1d(row, reference) #! JAX110
        return total + common.size, None

    return lax.scan(body, 0, sets)


overlap(jnp.arange(6).reshape(2, 3), jnp.arange(3))

# %% isin, searchsorted, digitize, histogram and lexsort keep their shapes
import jax
import jax.numpy as jnp


@jax.jit
def bins(x, edges):
    inside = jnp.isin(x, edges)
    slot = jnp.searchsorted(edges, x) + jnp.digitize(x, edges)
    counts, borders = jnp.histogram(x, bins=edges)
    order = jnp.lexsort((x, slot))
    rows, columns = jnp.tril_indices(x.shape[0])
    picked = jnp.select([inside, ~inside], [x, -x]) + jnp.insert(x, slot[0], 0.0)[: x.shape[0]]
    return picked[order] + counts.sum() + borders[0] + x[rows].sum() + x[columns].sum()


bins(jnp.arange(3.0), jnp.array([0.5, 1.5]))

# %% segment_sum without its number of segments
import jax
import jax.numpy as jnp


@jax.jit
def aggregate(messages, receivers):
    return jax.ops.segment_sum(messages, receivers) #! JAX110


aggregate(jnp.ones(3), jnp.array([0, 1, 1]))

# %% jnp.compress and jnp.extract
import jax
import jax.numpy as jnp


@jax.jit
def trim(x):
    return jnp.extract(x > 0, x) #! JAX110


trim(jnp.arange(3.0))

# %% size from a static argument, or from the shape
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="limit")
def detect(x, limit):
    some = jnp.nonzero(x, size=limit, fill_value=-1)[0]
    every = jnp.argwhere(x, size=x.size, fill_value=0)
    return some.sum() + every.sum()


detect(jnp.arange(3.0), limit=2)

# %% polynomial roots strip leading zeros
import jax
import jax.numpy as jnp


def poles(coefficients):
    return jnp.roots(coefficients) #! JAX110


poles(jnp.array([1.0, 2.0]))
jax.eval_shape(poles, jnp.array([1.0, 2.0]))

# %% host callback with NumPy's unique
import jax
import jax.numpy as jnp
import numpy as np


def count_distinct(x):
    return np.int32(np.unique(x).size + np.nonzero(x)[0].size)


@jax.jit
def distinct(x):
    return jax.pure_callback(count_distinct, jax.ShapeDtypeStruct((), jnp.int32), x)


distinct(jnp.arange(3))

# %% after a return for tracers: what is not known may be one, and nothing is said of the rest
import random

import jax
import jax.numpy as jnp


@jax.jit
def residual(rate):
    fresh = random.choice([jnp.array([1.0, 2.0, 3.0])])  #! JAX204
    if isinstance(fresh, jax.core.Tracer):
        return jnp.sum(rate) + jnp.sum(fresh)
    return jnp.sum(rate) + len(jnp.argwhere(fresh > 0))


print(residual(1.0))

# %% both ways meet: a test of what is not known is no reason to be silent afterwards
import random

import jax
import jax.numpy as jnp


@jax.jit
def residual(rate):
    fresh = random.choice([jnp.array([1.0, 2.0, 3.0])])  #! JAX204
    if not isinstance(fresh, jax.core.Tracer):
        fresh = jnp.asarray(fresh)
    return jnp.sum(fresh) + len(jnp.argwhere(rate > 0))  #! JAX110


residual(1.0)

# %% a test for an attribute: NumPy's arrays have a shape too
import jax
import jax.numpy as jnp
import numpy as np


def distinct(rows):
    if hasattr(rows, "shape"):
        return rows
    return jnp.unique(rows)


@jax.jit
def residual(gain):
    return gain + distinct(np.array([1.0, 2.0, 3.0]))


print(residual(jnp.ones(3)))

# %% a test for an attribute: only arrays of JAX have `at`
import jax
import jax.numpy as jnp
import numpy as np


def distinct(rows):
    if hasattr(rows, "at"):
        return rows
    return jnp.unique(rows)  #! JAX110


@jax.jit
def residual(gain):
    return gain + distinct(np.array([1.0, 2.0, 3.0]))


residual(jnp.ones(3))

# %% a test for an attribute: numbers and lists have none of an array's
import jax
import jax.numpy as jnp


def padded(size, parts=(1, 2)):
    if hasattr(size, "item") or hasattr(parts, "ndim"):
        size = size.item()
    return jnp.zeros(size)


@jax.jit
def residual(gain):
    return gain.sum() + padded(gain.shape[0]).sum() + padded(3, [4]).sum()


print(residual(jnp.ones(3)))


# %% an attribute that is read before the constructor sets it is what `__getattr__` gives
import jax
import jax.numpy as jnp


class Module:
    def __init__(self):
        self.base = self

    def __getattr__(self, key):
        if key.startswith("__"):
            return super().__getattribute__(key)

    def to_jax(self):
        self.base.arrays = {"index": jnp.arange(4)}


class View(Module):
    def __init__(self, pointer, inds):
        self.base = pointer.base
        if self.arrays is not None:
            jnp.unique(pointer.arrays["index"])
        self.arrays = self.in_view(pointer, inds)

    def in_view(self, pointer, inds):
        out = {} if pointer.arrays is not None else None
        if self.arrays:
            out = jnp.unique(pointer.arrays["index"])
        if not (self.arrays is None):
            out = jnp.unique(pointer.arrays["index"])
        return self.other(pointer, out)

    def other(self, pointer, out):
        return jnp.unique(pointer.arrays["index"]) if self.arrays is not None else out


cell = Module()
cell.to_jax()


@jax.jit
def simulate(x):
    View(cell, x)
    return x * 2.0


print(simulate(1.0))


# %% ... and what the constructor has set itself where it is set before
import jax
import jax.numpy as jnp


class Module:
    def __init__(self):
        self.base = self

    def __getattr__(self, key):
        if key.startswith("__"):
            return super().__getattribute__(key)


class View(Module):
    def __init__(self, pointer, inds):
        self.base = pointer.base
        self.arrays = {"index": inds}
        self.arrays = self.in_view(pointer, inds)

    def in_view(self, pointer, inds):
        if self.arrays is not None:
            return jnp.unique(self.arrays["index"])  #! JAX110
        return inds


cell = Module()


@jax.jit
def simulate(x):
    View(cell, x)
    return x * 2.0


print(simulate(1.0))


# %% ... or the constructor of a base
import jax
import jax.numpy as jnp


class Module:
    def __init__(self, inds):
        self.set(inds)

    def set(self, inds):
        self.arrays = {"index": inds}

    def __getattr__(self, key):
        if key.startswith("__"):
            return super().__getattribute__(key)


class View(Module):
    def __init__(self, inds):
        super().__init__(inds)
        self.arrays = self.in_view(inds)

    def in_view(self, inds):
        if self.arrays is not None:
            return jnp.unique(self.arrays["index"])  #! JAX110
        return inds


@jax.jit
def simulate(x):
    View(x)
    return x * 2.0


print(simulate(1.0))


# %% ... as what a method finds later
import jax
import jax.numpy as jnp


class View:
    def __init__(self, inds):
        self.arrays = {"index": inds}

    def __getattr__(self, key):
        if key.startswith("__"):
            return super().__getattribute__(key)

    def in_view(self, inds):
        if self.arrays is not None:
            return jnp.unique(self.arrays["index"])  #! JAX110
        return inds


@jax.jit
def simulate(x):
    View(x).in_view(x)
    return x * 2.0


print(simulate(1.0))
