# %% mask from a comparison, read in a jitted function
import jax
import jax.numpy as jnp


@jax.jit
def mean_of_positive(x):
    return x[x > 0].mean() #! JAX111


mean_of_positive(jnp.arange(-2.0, 3.0))

# %% .at with a scalar under jit: raises all the same
import jax
import jax.numpy as jnp


@jax.jit
def zero_out(x, limit):
    clipped = x.at[jnp.abs(x) > limit].set(0.0) #! JAX111
    return clipped


zero_out(jnp.arange(4.0), 2.0)

# %% .at with an array of values, mask kept in a variable
import jax
import jax.numpy as jnp


def refill(state, fresh):
    dead = state["energy"] <= 0
    energy = state["energy"].at[dead].add(fresh) #! JAX111
    return {"energy": energy}


step = jax.jit(refill)
step({"energy": jnp.array([1.0, -1.0])}, jnp.ones(1))

# %% mask made by logical functions and the ~ operator
import jax
import jax.numpy as jnp


def survivors(x, alive):
    finite = jnp.isfinite(x) & ~jnp.isclose(x, 0.0)
    chosen = jnp.logical_and(finite, alive)
    return jnp.sum(x[~chosen]) #! JAX111


jax.jit(survivors)(jnp.ones(3), jnp.array([True, False, True]))

# %% a mask in one position of a tuple index, next to a slice
import jax
import jax.numpy as jnp


@jax.jit
def select_columns(matrix, scores):
    return matrix[:, scores > 0.5] #! JAX111


select_columns(jnp.ones((2, 3)), jnp.ones(3))

# %% integer index arrays, argsort, take and where are what to use instead
import jax
import jax.numpy as jnp


@jax.jit
def gather(x, labels):
    order = jnp.argsort(x)
    mask = x > 0
    picked = x[order] + x[labels] + x[mask.astype(jnp.int32)]
    kept = jnp.where(mask, x, 0.0)
    total = jnp.sum(x, where=mask)
    (where,) = jnp.nonzero(mask, size=3, fill_value=0)
    top = x[jnp.argmax(mask)] + x[where]
    updated = x.at[labels].set(0.0).at[where].add(1.0, mode="drop")
    return picked + kept + total + top + updated


gather(jnp.arange(3.0), jnp.array([2, 1, 0]))

# %% masks of NumPy are concrete in traced code: the shape is known
import jax
import jax.numpy as jnp
import numpy as np

BOUNDARY = np.array([True, False, False, True])


@jax.jit
def interior(field):
    local = np.arange(field.shape[0]) % 2 == 0
    inside = field[~BOUNDARY]
    return inside.sum() + field[local].sum() + field.at[BOUNDARY].set(0.0).sum()


interior(jnp.ones(4))

# %% a jnp mask closed over from outside is concrete too
import jax
import jax.numpy as jnp

holes = jnp.array([True, False, True])


@jax.jit
def fill(x):
    return x[holes].sum() + x.at[holes].set(0.0).sum()


fill(jnp.ones(3))

# %% a jnp mask made of constants inside the staged body is a tracer
import jax
import jax.numpy as jnp


@jax.jit
def checkerboard(x):
    even = jnp.arange(4) % 2 == 0
    return x[even] #! JAX111


checkerboard(jnp.ones(4))

# %% the same made at compile time is concrete
import jax
import jax.numpy as jnp


@jax.jit
def checkerboard(x):
    with jax.ensure_compile_time_eval():
        even = jnp.arange(4) % 2 == 0
    return x[even]


checkerboard(jnp.ones(4))

# %% gradient alone: masks work
import jax
import jax.numpy as jnp


def loss(w):
    return jnp.sum(w[w > 0] ** 2) + w.at[w < 0].set(0.0).sum()


jax.grad(loss)(jnp.array([1.0, -1.0]))

# %% the gradient of it inside jit raises
import jax
import jax.numpy as jnp


def loss(w):
    return jnp.sum(w[w > 0] ** 2) #! JAX111


jax.grad(loss)(jnp.array([1.0, -1.0]))
train = jax.jit(jax.value_and_grad(loss))
train(jnp.array([1.0, -1.0]))

# %% vmap: a mask of the mapped argument raises, an unmapped mask does not
import jax
import jax.numpy as jnp


def drop(row, keep):
    row = row[keep]
    return row[row > 1.0] #! JAX111


rows = jnp.ones((2, 3))
jax.vmap(drop, in_axes=(0, None))(rows, jnp.array([True, False, True]))  #! JAX502

# %% vmap over rows with a shared mask is fine, and so is constant data made inside
import jax
import jax.numpy as jnp


def drop(row, keep):
    first = jnp.arange(2) == 0
    return row[keep][first]


jax.vmap(drop, in_axes=(0, None))(jnp.ones((2, 3)), jnp.array([True, False, True]))
jax.vmap(lambda row: row[jnp.array([True, False])].sum())(jnp.ones((3, 2)))

# %% indexing an unmapped array with a mask that is mapped
import jax
import jax.numpy as jnp

catalogue = jnp.arange(3.0)

jax.vmap(lambda mask: catalogue[mask.astype(int)])(jnp.ones((2, 3), bool))
jax.vmap(lambda mask: catalogue[mask].sum())(jnp.ones((2, 3), bool)) #! JAX111

# %% eager code: masks are fine, and NumPy code is fine anywhere
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def simulate(x):
    return x * 2


def analyse(samples):
    samples = simulate(samples)
    kept = samples[samples > 1]
    host = np.array(samples)
    host[host > 2] = 0
    return kept.mean(), host[host == 0].size


analyse(jnp.arange(4.0))

# %% an Ellipsis, None, a Python bool and an integer are no masks
import jax
import jax.numpy as jnp


@jax.jit
def views(x, i):
    return x[..., None].sum() + x[None].sum() + x[True].sum() + x[i] + x[-1] + x[jnp.newaxis, ...].sum()


views(jnp.arange(3.0), 1)

# %% scan body: a mask of the carry
import jax.numpy as jnp
from jax import lax


def filter_outliers(samples):
    def body(running, sample):
        centred = sample - running
        inliers = sample[jnp.abs(centred) < 3.0] #! JAX111
        return running + inliers.mean(), None

    return lax.scan(body, 0.0, samples)


filter_outliers(jnp.ones((2, 3)))

# %% a dict keyed by name and a list of arrays are not indexed by masks
import jax
import jax.numpy as jnp


@jax.jit
def forward(params, x):
    mask = x > 0
    masks = {"pos": mask, "neg": ~mask}
    layers = [masks["pos"], masks["neg"]]
    return jnp.where(layers[0], params["w"], 0.0) + jnp.where(layers[-1], x, 0.0)


forward({"w": 2.0}, jnp.arange(-1.0, 2.0))

# %% a boolean array that is a parameter: known to be one by its use
import jax
import jax.numpy as jnp


@jax.jit
def pack(tokens, padding):
    keep = ~padding.astype(bool)
    lengths = keep.sum()
    return tokens[keep], lengths #! JAX111


pack(jnp.arange(3), jnp.array([0, 0, 1]))

# %% mask by attribute of a traced NamedTuple, in a method that is jitted in __init__
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Transition(NamedTuple):
    reward: jax.Array
    done: jax.Array


class Learner:
    def __init__(self, discount):
        self.discount = discount
        self.update = jax.jit(self._update)

    def _update(self, batch):
        finished = batch.done > 0
        bootstrap = batch.reward * self.discount
        return bootstrap.at[finished].multiply(0.0) #! JAX111


Learner(0.9).update(Transition(jnp.ones(2), jnp.array([0.0, 1.0])))

# %% static argument: a hashable mask given as a tuple becomes a NumPy mask
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@partial(jax.jit, static_argnames=("keep",))
def restrict(x, keep):
    return x[np.asarray(keep)]


restrict(jnp.ones(3), (True, False, True))

# %% pure_callback: the host side may mask
import jax
import jax.numpy as jnp
import numpy as np


def trimmed_mean(values):
    inner = values[(values > values.min()) & (values < values.max())]
    return np.float32(inner.mean())


@jax.jit
def score(values):
    return jax.pure_callback(trimmed_mean, jax.ShapeDtypeStruct((), jnp.float32), values)


score(jnp.arange(4.0))

# %% the lambda that cond runs
import jax.numpy as jnp
from jax import lax


def safe_max(x):
    return lax.cond(
        x.sum() > 0,
        lambda v: v[v > 0].max(), #! JAX111
        lambda v: 0.0,
        x,
    )


safe_max(jnp.ones(3))

# %% jnp.take, extract by a static index and delete are not masks
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def rearrange(x, i):
    rows = jnp.take(x, jnp.array([0, 1]), axis=0)
    static = x[np.flatnonzero(np.array([True, False, True]))]
    return rows.sum() + static.sum() + jnp.delete(x, 0).sum() + x[i]


rearrange(jnp.ones(3), 1)
