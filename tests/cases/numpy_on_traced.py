

# %% a ufunc in a jitted activation
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def gelu(x):
    return 0.5 * x * (1 + np.tanh(x)) #! JAX106


gelu(jnp.ones(3))

# %% np.array of a list of tracers
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def rotation(angle):
    c, s = jnp.cos(angle), jnp.sin(angle)
    return np.array([[c, -s], [s, c]]) #! JAX106


rotation(0.3)

# %% np.where and np.clip are not methods of the array
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def saturate(x):
    x = jnp.where(x > 0, x, 0)
    return np.clip(x, 0.0, 1.0) #! JAX106


saturate(jnp.ones(3))

# %% reductions and reshapes of NumPy call the method of the tracer and go through
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def standardise(x):
    centred = x - np.mean(x)
    scale = np.std(x) + np.max(x) - np.min(x) + np.sum(x) + np.prod(x) + np.var(x)
    flags = np.any(x) | np.all(x)
    order = np.argmax(x) + np.cumsum(x)[0]
    shaped = np.reshape(np.transpose(np.squeeze(x)), (3, 1))
    twice = np.repeat(x, 2)[:3] + np.round(x) + np.real(x) + np.swapaxes(x, 0, 0) + np.flip(x)
    return centred / scale + shaped + flags + order + twice


standardise(jnp.arange(3.0))

# %% NumPy on static values is advice, not a fault
import jax
import jax.numpy as jnp
import numpy as np

COEFFICIENTS = np.array([1.0, 2.0, 3.0])


@jax.jit
def features(x):
    n = int(np.prod(x.shape))
    grid = np.arange(n, dtype=np.float32).reshape(x.shape)
    grid[0] = 9.0
    taper = np.exp(-grid) / np.sum(COEFFICIENTS)
    depth = np.log2(x.shape[0]) + np.sqrt(x.ndim) + np.pi
    return x * grid * taper * depth + np.polyval(COEFFICIENTS, 2.0)


features(jnp.ones((2, 2)))

# %% metadata functions of NumPy answer about a tracer
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def describe(x, y):
    if np.ndim(x) == 1 and np.shape(x)[0] == np.size(y) and not np.isscalar(x):
        x = x * 2
    if np.iscomplexobj(x) or np.issubdtype(x.dtype, np.integer):
        return y
    kind = np.result_type(x.dtype, np.float16)
    return x.astype(kind).astype(np.float32)[np.newaxis, :] + np.float32(1.0) * y


describe(jnp.ones(3), jnp.ones(3))

# %% a NumPy array times a tracer is an array of JAX, from either side
import jax
import jax.numpy as jnp
import numpy as np

weights = np.linspace(0.0, 1.0, 3)


@jax.jit
def weigh(x):
    y = weights * x + x * weights - weights / (x + 1)
    total = np.zeros(3)
    total += x
    return jnp.where(weights > 0.5, y, total) + np.ones(3)[0] * x


weigh(jnp.ones(3))

# %% storing a tracer into a NumPy array that is filled in place
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def assemble(x):
    matrix = np.zeros((2, 2))
    matrix[0, 0] = 1.0
    matrix[1] = x #! JAX106
    return matrix


assemble(jnp.ones(2))

# %% a branch for objects of a library that knows nothing of JAX gets no tracer
import jax
import jax.numpy as jnp
import numpy as np
from msgspec import Raw


def scaled(image, by):
    if isinstance(image, Raw):
        image = np.frombuffer(np.asarray(image), np.uint8)
    return image * by


def centred(image):
    if isinstance(image, jax.Array):
        image = image - np.asarray(image).mean() #! JAX106
    return image


@jax.jit
def loss(image):
    return scaled(image, 2.0).sum()


@jax.jit
def spread(image):
    return centred(image).sum()


print(loss(jnp.ones(3)))
spread(jnp.ones(3))

# %% indexing a NumPy table with a tracer: conversion of the index
import jax
import jax.numpy as jnp
import numpy as np

TABLE = np.linspace(0.0, 1.0, 8)


@jax.jit
def lookup(i):
    return TABLE[i] #! JAX106


lookup(3)

# %% the same table as an array of JAX, or indexed statically
import jax
import jax.numpy as jnp
import numpy as np

TABLE = np.linspace(0.0, 1.0, 8)


@jax.jit
def lookup(i, x):
    last = TABLE[x.shape[0]] + TABLE[-1] + TABLE[[0, 1]].sum()
    return jnp.asarray(TABLE)[i] + jnp.take(TABLE, i) + last


lookup(3, jnp.ones(2))

# %% gradient alone: a ufunc raises there too
import jax
import jax.numpy as jnp
import numpy as np


def energy(q):
    return jnp.sum(q) + np.sin(q).sum() #! JAX106


jax.grad(energy)(jnp.ones(2))

# %% gradient with NumPy on the data that is not differentiated
import jax
import jax.numpy as jnp
import numpy as np


def loss(w, x, targets):
    scale = np.linalg.norm(x)
    weights = np.where(targets > 0, 1.0, 2.0)
    return jnp.sum(weights * (w * x / scale - targets) ** 2)


jax.grad(loss)(jnp.ones(2), jnp.ones(2), np.ones(2))
jax.value_and_grad(loss)(jnp.ones(2), np.ones(2), jnp.ones(2))

# %% vmap: a closure and an unmapped argument are arrays, NumPy may have them
import jax
import jax.numpy as jnp
import numpy as np

basis = jnp.eye(2)


def project(x, metric):
    scale = np.sqrt(np.linalg.det(np.asarray(metric)))
    return x * scale * np.trace(basis) + np.log(jnp.ones(2))


jax.vmap(project, in_axes=(0, None))(jnp.ones((3, 2)), jnp.eye(2))

# %% vmap: the mapped argument is not
import jax
import jax.numpy as jnp
import numpy as np


def distance(a, b):
    return np.linalg.norm(a - b) #! JAX106


distance(jnp.ones(2), jnp.zeros(2))
jax.vmap(distance, in_axes=(None, 0))(jnp.ones(2), jnp.zeros((3, 2)))

# %% constants of jax.numpy are tracers in a staged body, even for NumPy
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def spectrum(x):
    grid = jnp.linspace(0.0, 1.0, 4)
    return x * np.exp(grid) #! JAX106


spectrum(jnp.ones(4))

# %% a module whose name says numpy but is jax.numpy
import jax
import jax.numpy as np
import numpy as onp


@jax.jit
def softmax(x):
    shifted = np.exp(x - np.max(x))
    return shifted / np.sum(shifted) * onp.float32(1.0)


softmax(np.ones(3))

# %% functions imported by name
import jax
import jax.numpy as jnp
from numpy import log1p, prod
from numpy.linalg import solve as host_solve


@jax.jit
def entropy(p):
    n = prod(p.shape)
    system = host_solve([[2.0, 0.0], [0.0, 2.0]], [1.0, 1.0])
    return -jnp.sum(p * jnp.log(p)) / n * system[0] + log1p(p) #! JAX106


entropy(jnp.ones(2))

# %% np.asarray on what a jitted function returned, in eager code
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def forward(x):
    return {"mean": x.mean(), "all": x}


def evaluate(batches):
    results = [np.asarray(forward(batch)["all"]) for batch in batches]
    return np.concatenate(results), np.median(results[0]), np.log(forward(batches[0])["mean"])


evaluate([jnp.ones(2), jnp.ones(2)])

# %% a callback computes with NumPy, SciPy style
import jax
import jax.numpy as jnp
import numpy as np


def host_svd(matrix):
    return np.linalg.svd(np.asarray(matrix), compute_uv=False).astype(np.float32)


@jax.jit
def spectral_norm(matrix):
    shape = jax.ShapeDtypeStruct((min(matrix.shape),), np.float32)
    return jax.pure_callback(host_svd, shape, matrix).max()


spectral_norm(jnp.eye(3))

# %% a polymorphic helper picks the module by type: behind the check the array is NumPy's
import jax
import jax.numpy as jnp
import numpy as np


def namespace(x):
    return np if isinstance(x, np.ndarray) else jnp


def exponential(x):
    if isinstance(x, np.ndarray):
        return np.exp(x)
    return jnp.exp(x)


@jax.jit
def model(x):
    return exponential(x) + namespace(x).sin(x)


model(jnp.ones(2))
exponential(np.ones(2))

# %% np.array_equal and np.shape of shapes are static questions
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(x):
    assert np.shape(x) == x.shape
    return x if np.array_equal(x.shape, (2,)) else -x


step(jnp.ones(2))

# %% np.sort and np.ravel of a scan carry
import jax.numpy as jnp
import numpy as np
from jax import lax


def running_median(xs):
    def body(buffer, x):
        buffer = jnp.roll(buffer, 1).at[0].set(x)
        return buffer, np.sort(buffer)[1] #! JAX106

    return lax.scan(body, jnp.zeros(3), xs)


running_median(jnp.ones(4))

# %% NumPy as a default namespace argument that a jitted caller replaces
import jax
import jax.numpy as jnp
import numpy as np


def softplus(x, xp=np):
    return xp.log1p(xp.exp(x))


@jax.jit
def layer(x):
    return softplus(x, xp=jnp)


layer(jnp.ones(2))
softplus(np.ones(2))

# %% the same without the replacement
import jax
import jax.numpy as jnp
import numpy as np


def softplus(x, xp=np):
    return xp.log(1 + x) #! JAX106


@jax.jit
def layer(x):
    return softplus(x)


softplus(jnp.ones(2), xp=jnp)
layer(jnp.ones(2))

# %% np.float32 as a call converts, as a dtype it does not
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def narrow(x):
    y = x.astype(np.float16) + jnp.asarray(x, np.float16) + jnp.zeros(2, dtype=np.float16)
    return y + np.float16(x) #! JAX106


narrow(jnp.ones(2))

# %% array of static pieces of a traced pytree
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def sizes(params):
    counts = np.array([leaf.size for leaf in jax.tree.leaves(params)])
    offsets = np.cumsum(counts)
    shapes = np.asarray([leaf.shape for leaf in params.values()])
    return sum(jnp.sum(leaf) for leaf in params.values()) * offsets[-1] * shapes.max()


sizes({"w": jnp.ones(2), "b": jnp.ones(3)})

# %% compared while tracing: an array that is no tracer gives one when NumPy compares it with zero
import jax
import jax.numpy as jnp
import numpy as np

DEPTH = jnp.array(3)


@jax.jit
def positions(x):
    return x[0] + np.arange(DEPTH).sum()  #! JAX106


positions(jnp.ones(2))

# %% compared while tracing: by name, in a body of scan
import jax
import jax.numpy as jnp
import numpy as np

REPEATS = jnp.asarray(2)


def body(carry, x):
    table = np.tile(np.ones(2), reps=REPEATS)  #! JAX106
    return carry + x * table.sum(), None


jax.lax.scan(body, 0.0, jnp.ones(3))

# %% compared while tracing: a square eye compares its size, one with two sizes only the second
import jax
import jax.numpy as jnp
import numpy as np

SIZE = jnp.array(2)


@jax.jit
def wide(x):
    return x + np.eye(SIZE, 3).sum()


@jax.jit
def square(x):
    return x + np.eye(SIZE).sum()  #! JAX106


wide(1.0)
square(1.0)

# %% compared, not while tracing: under vmap and grad an array made outside keeps its value
import jax
import jax.numpy as jnp
import numpy as np

DEPTH = jnp.array(3)


def total(x):
    return x * np.arange(DEPTH).sum() + np.tile(np.ones(2), DEPTH).sum()


print(jax.vmap(total)(jnp.ones(2)), jax.grad(total)(1.0), total(2.0))

# %% an array that is no tracer: what NumPy only converts it converts in staged code too
import jax
import jax.numpy as jnp
import numpy as np

DEPTH = jnp.array(3)
LIMITS = jnp.array([0.0, 1.0])


@jax.jit
def scaled(x):
    return x * np.zeros(DEPTH).sum() + np.linspace(0.0, 1.0, DEPTH)[-1] + np.asarray(LIMITS).sum()


print(scaled(1.0))

# %% a function with a rule of its own: under grad the rule is run in its place
import jax
import jax.numpy as jnp
import numpy as np


@jax.custom_jvp
def length(x):
    return jnp.float32(np.linalg.norm(x))


@length.defjvp
def length_rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return jnp.linalg.norm(x), jnp.vdot(x, dx)


print(jax.grad(length)(jnp.ones(3)), length(jnp.ones(3)))

# %% a function with a rule of its own: the rule that is run in its place
import jax
import jax.numpy as jnp
import numpy as np


@jax.custom_jvp
def length(x):
    return jnp.linalg.norm(x)


@length.defjvp
def length_rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return length(x), jnp.vdot(x, dx) / np.linalg.norm(x)  #! JAX106


jax.jit(jax.grad(length))(jnp.ones(3))

# %% a function with a rule of its own: jit inside grad traces the function itself
import jax
import jax.numpy as jnp
import numpy as np


@jax.custom_jvp
def length(x):
    return jnp.float32(np.linalg.norm(x))  #! JAX106


length.defjvp(lambda primals, tangents: (jnp.sum(primals[0]), jnp.sum(tangents[0])))
jax.grad(jax.jit(length))(jnp.ones(3))

# %% norun equinox: the older name of a static field
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np


class Block(eqx.Module):
    weight: jax.Array
    sizes: tuple[int, ...] = eqx.static_field()
    scales: tuple[int, ...] = eqx.field()

    def __call__(self, x):
        parts = jnp.split(x * self.weight, np.cumsum(self.sizes), axis=-1)
        return parts[0] * np.prod(self.scales)  #! JAX106


@jax.jit
def run(block, x):
    return block(x)


run(Block(jnp.ones(6), (2, 2), (1, 2)), jnp.ones((4, 6)))

# %% no part of what is traced is a NumPy array
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def joined(parts):
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    return jnp.concatenate(parts)


@jax.jit
def turned(parts):
    if isinstance(parts[0], (list, np.ndarray)):
        return jnp.concatenate(parts)
    return np.concatenate(parts)  #! JAX106


def join(things):
    return joined([thing["array"] for thing in things])


turned([jnp.ones(2)])

# %% attributes that are set again by computed names
import jax
import jax.numpy as jnp
import numpy as np


class Schedule:
    def __init__(self, betas, **others):
        self.betas = np.array(betas)
        self.total = np.cumprod(self.betas)
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                setattr(self, name, jnp.array(value))
        self.last = np.append(1.0, betas)
        self.first = 0.5

    def at(self, t):
        return self.total[t] + self.betas[t]

    def before(self, t):
        return self.last[t]  #! JAX106


schedule = Schedule([0.5, 0.25])
jax.jit(schedule.at)(1), jax.jit(schedule.before)(1)

# %% vmap of sign under grad: what has no slope is the array itself
import jax
import jax.numpy as jnp
import numpy as np


def loss(x):
    d = jax.vmap(jnp.sign)(x)
    return (x * np.asarray(d)).sum()


print(jax.grad(loss)(jnp.ones(3)))

# %% an array or None: behind the test for what only arrays have it is None
import json

import jax
import jax.numpy as jnp
import numpy as np


def total(box, name):
    value = box.get(json.loads(name))
    if hasattr(value, "shape"):
        return value.sum()
    return np.sum(value or 0.0)


@jax.jit
def step(x):
    return total({"x": x}, '"x"') + total({"x": x}, '"y"')


step(jnp.ones(3))

# %% an array or None: on the side of the test where it is an array
import json

import jax
import jax.numpy as jnp
import numpy as np


def total(box, name):
    value = box.get(json.loads(name))
    if not hasattr(value, "shape"):
        return 0.0
    return np.sum(np.asarray(value))  #! JAX106


@jax.jit
def step(x):
    return total({"x": x}, '"x"')


step(jnp.ones(3))

# %% a `try` that certainly raises while tracing: what follows its handler is never reached
import jax
import jax.numpy as jnp
import numpy as np


def scatter(index, start, values):
    try:
        block = np.asarray(index)
    except (TypeError, ValueError):
        return values + index
    starts = np.asarray(start)
    return jnp.asarray(values) + starts + block


@jax.jit
def add(index, start, values):
    return scatter(index, start, values)


add(jnp.ones(3), jnp.zeros(3), jnp.ones(3))

# %% device_get gives a tracer back as it is
import jax
import jax.numpy as jnp
import numpy as np


def summed(rows, ends):
    ends = np.asarray(jax.device_get(ends), dtype=np.int64)  #! JAX106
    return jnp.sum(rows[: ends.max()])


print(summed(jnp.ones(4), jnp.arange(3)))
jax.jit(summed)(jnp.ones(4), jnp.arange(3))

# %% device_get in a trace: of what is no tracer, and arithmetic of a tracer that it gives back
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def scaled(x):
    host = jax.device_get({"x": jnp.cos(x), "unit": np.full(2, 3.0)})
    return jnp.sin(host["x"]) * float(host["unit"][0])


print(scaled(jnp.ones(3)), np.asarray(jax.device_get(scaled(jnp.ones(3)))))

# %% a handler that goes on: what follows the `try` is reached
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def scatter(index, start):
    try:
        block = np.asarray(index)
    except TypeError:
        block = index
    return block + np.asarray(start)  #! JAX106


scatter(jnp.ones(3), jnp.zeros(3))

# %% a `try` that raises nothing of the kind: its `else` and what follows are reached
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def shift(x, start):
    try:
        offset = len(x)
    except TypeError:
        return x
    else:
        offset += 1
    return x + np.asarray(start) * offset  #! JAX106


shift(jnp.ones(3), jnp.zeros(3))

# %% only one operand raises: the other way through the expression goes on
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def shift(x, start, known=False):
    try:
        block = np.asarray(x) if start.ndim > 4 else x
    except TypeError:
        return x
    return block + np.asarray(start)  #! JAX106


shift(jnp.ones(3), jnp.zeros(3))

# %% a handler by the name of JAX's own error: it ends the block alike
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def shift(x, start):
    try:
        size = float(x.sum())
    except jax.errors.ConcretizationTypeError:
        return x
    return x + np.asarray(start) * size


shift(jnp.ones(3), jnp.zeros(3))

# %% a reduction of a dict gives the dict back, and an array of one holds an object
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def log(x):
    metrics = np.sum({"loss": x.sum()}, -1)
    metrics["rate"] = x[0]
    held = np.asarray({"loss": x.sum()})
    return metrics, held.item()["loss"]


log(jnp.ones(3))

# %% a reduction of a list stacks it: its tracers are asked for their values
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def log(x):
    return np.sum([x.sum(), x.sum()])  #! JAX106


log(jnp.ones(3))

# %% which library an array is of is a function's answer: what it guards may not run with tracers
import jax
import jax.numpy as jnp
import numpy as np


def library_of(x):
    return type(x).__module__.partition(".")[0]


def halved(x):
    kind = library_of(x)
    if kind == "numpy":
        return np.multiply(x, 0.5)
    return 0.5 * x


@jax.jit
def both(x):
    if library_of(x) != "jax":
        return halved(x)
    return np.exp(x)  #! JAX106


halved(np.ones(3))
jax.jit(halved)(jnp.ones(3))
both(jnp.ones(3))

# %% a function for NumPy, left out by what the test for it is equal to: not among, unequal, another constant
import os

import jax
import jax.numpy as jnp
import numpy as np


def on_host(x):
    return np.multiply(x, 2)


def on_device(x):
    return x * 2


def compiled_unless(x, kind, compiles):
    if kind == "numpy":
        double = on_host
    elif kind == "jax":
        double = on_device
    else:
        raise ValueError(kind)
    chosen = double
    if compiles and kind not in ("numpy",):
        chosen = jax.jit(double)
    return chosen(x)


def compiled_if(x, kind):
    double = on_host if kind in ("numpy", "cupy") else on_device
    if kind in ("numpy", "cupy", "scipy"):
        return on_host(x)
    return jax.jit(double)(x)


def compiled_for_another(x, kind):
    if kind == "numpy":
        double = on_host
    else:
        double = on_device
    if kind == "jax":
        return jax.jit(double)(x)
    return double(x)


for kind in os.environ.get("KINDS", "numpy,jax").split(","):
    compiled_unless(jnp.ones(3), kind, True)
    compiled_if(jnp.ones(3), kind)
    compiled_for_another(jnp.ones(3), kind)

# %% a function for NumPy that a test of membership does not leave out
import os

import jax
import jax.numpy as jnp
import numpy as np


def on_host(x):
    return np.multiply(x, 2)  #! JAX106


def on_device(x):
    return x * 2


def compiled(x, kind):
    if kind == "numpy":
        double = on_host
    else:
        double = on_device
    if kind not in ("cupy", "scipy"):
        return jax.jit(double)(x)
    return double(x)


for kind in os.environ.get("KINDS", "numpy,jax").split(","):
    compiled(jnp.ones(3), kind)

# %% what a test of membership leaves of an argument: texts that are written out, or a named tuple of them
import os

import jax
import jax.numpy as jnp
import numpy as np

HOSTS = ("numpy", "cupy")


def double(x, kind):
    if kind not in ("jax", "torch"):
        raise ValueError(kind)
    if kind == "numpy":
        return np.multiply(x, 2)
    return x * 2 if kind == "jax" or kind == "torch" else np.multiply(x, 2)


def half(x, kind):
    if kind in HOSTS:
        return x / 2 if kind == "numpy" or kind == "cupy" else np.divide(x, 2)
    return x / 3


def wrong(x, kind):
    if kind not in ["jax", "numpy"]:
        raise ValueError(kind)
    if kind == "numpy":
        return np.multiply(x, 2)  #! JAX106
    return x * 2


for kind in os.environ.get("KINDS", "jax,torch").split(","):
    jax.jit(double, static_argnums=1)(jnp.ones(3), kind)
    jax.jit(half, static_argnums=1)(jnp.ones(3), kind)
for kind in os.environ.get("KINDS", "jax,numpy").split(","):
    jax.jit(wrong, static_argnums=1)(jnp.ones(3), kind)

# %% what a test of membership leaves of the few numbers that an argument is
import sys

import jax
import jax.numpy as jnp
import numpy as np


def power(x, order):
    if order in (1, 2):
        return x**order
    if order == 1:
        return np.power(x, order)
    return -x


jax.jit(power, static_argnums=1)(jnp.ones(3), 1 if len(sys.argv) > 5 else 3)

# %% what was chosen by a test of a variable or an attribute that is another one by the next test
import os

import jax
import jax.numpy as jnp
import numpy as np


def on_host(x):
    return np.multiply(x, 2)  #! JAX106


def on_host_too(x):
    return np.multiply(x, 3)  #! JAX106


def on_device(x):
    return x * 2


def renamed(x, kind):
    if kind == "numpy":
        double = on_host
        kind = "jax"
    else:
        double = on_device
    if kind == "jax":
        return jax.jit(double)(x)
    return double(x)


class Solver:
    def __init__(self, kind):
        self.kind = kind

    def run(self, x):
        triple = on_host_too if self.kind == "numpy" else on_device
        if self.kind == "numpy":
            self.kind = "jax"
        if self.kind == "jax":
            return jax.jit(triple)(x)
        return triple(x)


for kind in os.environ.get("KINDS", "numpy,jax").split(","):
    renamed(jnp.ones(3), kind)
Solver(os.environ.get("KINDS", "numpy")).run(jnp.ones(3))

# %% membership in a set, a list, a dict of the module
import jax
import jax.numpy as jnp
import numpy as np

HOST = {"host", "debug"}
SLOW = ["slow"]
NAMED = {"numpy": np, "math": np}
FIXED = frozenset(["fixed"])


def total(x, mode="jit"):
    if mode in HOST or mode in SLOW or mode in FIXED:
        return np.asarray(x).sum()
    return np.asarray(x).sum() if mode in NAMED else x.sum()


fast = jax.jit(total, static_argnames="mode")


def run(x, mode):
    if mode not in HOST and mode not in SLOW and mode not in NAMED and mode not in FIXED:
        return fast(x, mode=mode)
    return total(x, mode)


for mode in ("jit", "host", "slow", "numpy", "fixed"):
    run(jnp.ones(3), mode)

# %% membership in a list of the function, which has all that was appended to it
import jax
import jax.numpy as jnp
import numpy as np


def total(x, mode):
    host = ["host"]
    host.append("slow")
    if mode in host:
        return np.asarray(x).sum()
    return x.sum()


def wrong(x, mode):
    host = ["host"]
    host.append(mode)
    return np.asarray(x).sum() if "jit" in host else x.sum()  #! JAX106


def some(x, modes):
    seen = []
    for mode in modes:
        if mode in seen:
            raise ValueError(mode)
        seen.append(mode)
    return x.sum()


jax.jit(lambda x: total(x, "jit"))(jnp.ones(3))
total(jnp.ones(3), "slow")
jax.jit(lambda x: some(x, ("a", "b")))(jnp.ones(3))
jax.jit(lambda x: wrong(x, "jit"))(jnp.ones(3))

# %% membership in a set that another function adds to
import jax
import jax.numpy as jnp
import numpy as np

HOST = {"host"}


def add(mode):
    HOST.add(mode)


def total(x, mode):
    if mode in HOST:
        return np.asarray(x).sum()  #! JAX106
    return x.sum()


add("jit")
jax.jit(lambda x: total(x, "jit"))(jnp.ones(3))

# %% norun one of a few names in a formatted text; the module is the one that is run
import sys

import jax
import jax.numpy as jnp
import numpy as np


def act_relu(x):
    return jnp.maximum(x, 0)


def act_host(x):
    return np.tanh(np.asarray(x))  #! JAX106


def plain_host(x):
    return np.tanh(np.asarray(x))


def act(name):
    return getattr(sys.modules[__name__], f"act_{name}")


def plain(name, kind="plain"):
    return globals()[f"{kind}_{name}"]


def check(name):
    if name == "host":
        plain(name)(np.ones(2))
    jax.jit(act(name))(jnp.ones(2))


if __name__ == "__main__":
    for name in ("relu", "host") if len(sys.argv) else ("relu",):
        check(name)

# %% rules of a custom_vjp under plain differentiation see concrete leaves, whatever holds them
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


@jax.custom_vjp
def of_list(params):
    return params[0] * params[1]


def of_list_forward(params):
    return jnp.asarray(np.array(params[0])) * params[1], params


def of_list_backward(residuals, cotangent):
    a, b = residuals
    return ([float(cotangent) * b, np.asarray(a) * cotangent],)


of_list.defvjp(of_list_forward, of_list_backward)


@jax.custom_vjp
def of_dict(params):
    return params["a"] * params["b"]["c"]


def of_dict_forward(params):
    return params["a"] * params["b"]["c"], (params, {"kept": np.array(params["a"])})


def of_dict_backward(residuals, cotangent):
    params, more = residuals
    if cotangent > 0:
        return ({"a": cotangent * params["b"]["c"], "b": {"c": cotangent * float(more["kept"])}},)
    return ({"a": cotangent, "b": {"c": np.array(params["b"]["c"]) * cotangent}},)


of_dict.defvjp(of_dict_forward, of_dict_backward)


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Pair:
    a: jax.Array
    b: jax.Array


@jax.custom_vjp
def of_pair(pair):
    return pair.a * pair.b


def of_pair_forward(pair):
    return jnp.asarray(np.array(pair.a)) * pair.b, pair


def of_pair_backward(pair, cotangent):
    return (Pair(np.array(pair.b) * cotangent, pair.a * cotangent),)


of_pair.defvjp(of_pair_forward, of_pair_backward)
jax.grad(lambda x: of_list([x * 2, x]))(1.0)
jax.grad(lambda x: of_dict({"a": x, "b": {"c": 2.0 * x}}))(1.0)
jax.grad(lambda x: of_pair(Pair(x, 2.0 * x)))(1.0)

# %% those that jit stages see tracers: in a list
import jax
import numpy as np


@jax.custom_vjp
def product(params):
    return params[0] * params[1]


def forward(params):
    return params[0] * params[1], params


def backward(residuals, cotangent):
    a, b = residuals
    return ([cotangent * b, np.asarray(a) * 2],)  #! JAX106


product.defvjp(forward, backward)
jax.jit(jax.grad(lambda x: product([x * 2, x])))(1.0)

# %% those that jit stages see tracers: in a dict
import jax
import numpy as np


@jax.custom_vjp
def product(params):
    return params["a"] * params["b"]


def forward(params):
    return np.array(params["a"]) * params["b"], params  #! JAX106


def backward(residuals, cotangent):
    return ({"a": cotangent * residuals["b"], "b": cotangent * residuals["a"]},)


product.defvjp(forward, backward)
jax.jit(jax.grad(lambda x: product({"a": x * 2, "b": x})))(1.0)

# %% what is done while jit is disabled is not done in what jit stages
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def checked(x):
    if jax.config.jax_disable_jit:
        assert not np.any(np.isnan(x)), "NaN"
    return x


def turn(total, x):
    if jax.config.jax_disable_jit and np.isnan(x):
        raise ValueError(float(x))
    return total + x, x


checked(jnp.ones(2))
jax.lax.scan(turn, 0.0, jnp.ones(3))
with jax.disable_jit():
    checked(jnp.ones(2))

# %% and what is done while it is not disabled is
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def checked(x):
    if not jax.config.jax_disable_jit:
        assert not np.any(np.isnan(x)), "NaN"  #! JAX106
    return x


checked(jnp.ones(2))

# %% a branch for another library by the name of the module that is called NumPy here
import jax
import jax.numpy as jnp
import numpy as np


def halved(z):
    return np.abs(z) / 2  #! JAX106


def applied(z):
    if "jax" in np.__name__:
        return jax.vmap(halved)(z)
    return halved(z)


def mapped(z):
    if "jax" in jnp.__name__:
        return jax.vmap(halved)(z)
    return halved(z)


def halved_too(z):
    return np.abs(z) / 2  #! JAX106


def mapped_too(z):
    if jnp.__name__ == "jax.numpy":
        return jax.vmap(halved_too)(z)
    return z


applied(np.ones(3))
mapped_too(np.ones(3))

# %% a flag says whether JAX could be imported
import numpy as np

try:
    import jax
    import jax.numpy as jnp

    HAVE_JAX = True
except ImportError:
    HAVE_JAX = False


def sample(x):
    if HAVE_JAX:
        return x * 2
    return np.asarray(x) * 2


def sample_too(x):
    if not HAVE_JAX:
        return x * 2
    return np.asarray(x) * 2  #! JAX106


jax.jit(sample)(1.0)
jax.jit(sample_too)(1.0)

# %% a function by its name: questions that choose what runs on the host
import jax
import jax.numpy as jnp
import numpy as np


def on_host(x):
    return np.sort(x)


def on_device(x):
    return jnp.sort(x)


def first(fn, x):
    if getattr(fn, "__name__", "").startswith("on_host"):
        return fn(np.asarray(x))
    return fn(x)


def second(fn, x):
    if fn in (on_host, np.sort):
        return fn(np.asarray(x))
    return fn(x)


def third(fn, x):
    if fn.__qualname__[:7].upper() == "ON_HOST":
        return fn(np.asarray(x))
    return fn(x)


for apply in (first, second, third):
    jax.jit(lambda x: apply(on_device, x))(jnp.ones(3))
    apply(on_host, np.ones(3))

# %% a function by its name: the one that was asked for
import jax
import jax.numpy as jnp
import numpy as np


def on_host(x):
    return np.sort(x)


def first(fn, x):
    if getattr(fn, "__name__", "").startswith("on_host"):
        return fn(np.asarray(x))  #! JAX106
    return fn(x)


@jax.jit
def step(x):
    return first(on_host, x)


step(jnp.ones(3))

# %% raises-elsewhere densities of scipy.stats are called on a tracer
import jax
import jax.numpy as jnp
from scipy import stats
from scipy.stats import norm


@jax.jit
def loss(x):
    return stats.norm.logpdf(x, 0.0, 1.0).sum()  #! JAX106


@jax.grad
def slope(x):
    return norm.cdf(x)  #! JAX106


for function in (loss, slope):
    print(function(jnp.float32(1.0)))

# %% densities of scipy.stats outside of traces, and those of jax.scipy
import jax
import jax.numpy as jnp
from scipy import stats

print(stats.norm.logpdf(jnp.ones(2), 0.0, 1.0).sum())


@jax.jit
def loss(x):
    return jax.scipy.stats.norm.logpdf(x, 0.0, 1.0).sum() + stats.norm.ppf(0.975)


print(loss(jnp.ones(2)))

# %% a table that is computed before the trace asks for it
import jax
import jax.numpy as jnp
import numpy as np

CONSTANTS = {"beta": 0.9}
_STATES = {}


def solved(constants):
    x = np.array([constants["beta"]])
    return np.array(jnp.array(x) * 2)


def steady_state(constants):
    key = tuple(sorted(constants.items()))
    if key not in _STATES:
        _STATES[key] = solved(constants)
    return jnp.array(_STATES[key])


steady_state(CONSTANTS)


@jax.jit
def rollout(state):
    return state + steady_state(CONSTANTS)


print(rollout(jnp.zeros(1)))

# %% raises-elsewhere a table that a trace computes first
import jax
import jax.numpy as jnp
from scipy import stats

CONSTANTS = {"beta": 0.9}
_STATES = {}


def solved(constants):
    return stats.norm.cdf(jnp.array([constants["beta"]]))  #! JAX106


def steady_state(constants):
    key = tuple(sorted(constants.items()))
    if key not in _STATES:
        _STATES[key] = solved(constants)
    return jnp.array(_STATES[key])


@jax.jit
def rollout(state):
    return state + steady_state(CONSTANTS)


print(rollout(jnp.zeros(1)))

# %% what is asked of a method before it is called in a trace
import jax
import numpy as np


class Table:
    def __call__(self, x, t):
        return np.asarray(x) * float(t)

    def at(self, x, t):
        return x * t


def compiled(field):
    if hasattr(field, "at"):
        read = lambda x, t: field.at(x, t)
    elif callable(field):
        read = field
    else:
        raise TypeError(field)
    return jax.jit(lambda x, t: x + read(x, t))


print(compiled(Table())(np.ones(3), 2.0))

# %% raises-elsewhere the method that is asked for is another one
import jax
import numpy as np


class Table:
    def __call__(self, x, t):
        return np.asarray(x) * t  #! JAX106

    def at(self, x, t):
        return x * t


def compiled(field):
    if hasattr(field, "near"):
        read = lambda x, t: field.near(x, t)
    elif callable(field):
        read = field
    else:
        raise TypeError(field)
    return jax.jit(lambda x, t: x + read(x, t))


print(compiled(Table())(np.ones(3), 2.0))

# %% a tracer is no scalar to NumPy, and a function that says so by an error that it catches
import jax
import numpy as np


def is_number(x):
    try:
        found = np.asarray(x)
    except Exception:
        return np.isscalar(x)
    return found.ndim == 0


@jax.jit
def scaled(x, t):
    if is_number(t):
        return np.asarray(x) * float(t)
    return x * t


@jax.jit
def doubled(x):
    return float(x) * 2 if np.isscalar(x) else x * 2


print(scaled(np.ones(3), 2.0), doubled(1.0))

# %% functions that by their names are not compiled
import jax
import numpy as np


def inlet(low):
    def inlet_rows(x):
        return np.asarray(x) + low

    return inlet_rows


def plain(x):
    return x


def compiled(f):
    if hasattr(f, "__name__"):
        name = f.__name__
        if "inlet" in name:
            return f
    return jax.jit(f)


print(compiled(inlet(1.0))(np.ones(3)), compiled(plain)(np.ones(3)))

# %% raises-elsewhere functions of which the names say nothing of that
import jax
import numpy as np


def inlet(low):
    def inlet_rows(x):
        return np.asarray(x) + low  #! JAX106

    return inlet_rows


def compiled(f):
    if hasattr(f, "__name__"):
        name = f.__name__
        if "outlet" in name:
            return f
    return jax.jit(f)


print(compiled(inlet(1.0))(np.ones(3)))

# %% raises-elsewhere a scalar of NumPy is a scalar to it
import jax
import numpy as np


def chosen(t):
    if np.isscalar(t):
        return lambda x: float(x) * t  #! JAX105
    return lambda x: x * t


print(jax.jit(chosen(np.float32(2.0)))(1.0))

# %% a flag that says whether JAX is there, and a warning beside it, which raises no ImportError
import warnings

import numpy as np

HAS_JAX = False
try:
    import jax
    import jax.numpy as jnp

    HAS_JAX = True
    warnings.warn("JAX in CPU mode", UserWarning, stacklevel=2)
except ImportError:
    HAS_JAX = False
    jnp = np


def compiled(function):
    if HAS_JAX:
        return jax.jit(function)
    return function


def copy(x):
    if HAS_JAX:
        return jnp.array(x)
    return np.copy(x)


def plain(x):
    if not HAS_JAX:
        return x
    return np.copy(x)  #! JAX106


@compiled
def process(x):
    return copy(x) + 1


@compiled
def copied(x):
    return plain(x) + 1


print(process(np.ones(2)))
print(copied(np.ones(2)))

# %% functions of JAX raise no LinAlgError: in a trace such a handler never runs
import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy import linalg


def nearest(matrix):
    return matrix + jnp.eye(3) * np.spacing(jnp.trace(matrix))


@jax.jit
def by_inference(scale):
    matrix = scale * jnp.ones((3, 3)) - 2 * jnp.eye(3)
    try:
        factor = jnp.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        factor = jnp.linalg.cholesky(nearest(matrix))
    return factor.sum()


@jax.jit
def solved(matrix):
    try:
        return linalg.cho_factor(matrix)[0]
    except Exception:
        print("not positive definite")
    return matrix


print(by_inference(1.0), solved(jnp.eye(3)))

# %% ... but may where other functions are called
import jax
import jax.numpy as jnp
import numpy as np


def checked(matrix):
    if matrix.shape[0] != 3:
        raise ValueError("of another shape")
    return matrix


@jax.jit
def factor(matrix):
    try:
        return jnp.linalg.cholesky(checked(matrix))
    except ValueError:
        return np.sort(matrix)  #! JAX106


factor(jnp.eye(2))

# %% methods of NumPy arrays that are given a tracer
import jax
import jax.numpy as jnp
import numpy as np

TABLE = np.arange(6.0)


@jax.jit
def multiplied(x):
    return TABLE.dot(x)  #! JAX106


@jax.jit
def taken(i):
    return TABLE.take(i)  #! JAX106


@jax.vmap
def filled(x):
    own = np.zeros(3)
    own.fill(x)  #! JAX106
    return x


@jax.jit
def found(x):
    return TABLE.searchsorted(x)  #! JAX106


x = jnp.arange(6)
accepted = []
for each in (multiplied, taken, filled, found):
    try:
        each(x)
    except (TypeError, ValueError):
        continue
    accepted.append(each)
assert not accepted, accepted
taken(x)

# %% methods of NumPy arrays that are given what is concrete, and of arrays of JAX
import jax
import jax.numpy as jnp
import numpy as np

TABLE = np.arange(6.0)


@jax.jit
def looked_up(x, i):
    rows = TABLE.take([0, x.ndim]).sum(), TABLE.item(x.ndim), TABLE.reshape(x.shape[0], -1).sum(0)
    return jnp.asarray(TABLE).take(i) + jnp.asarray(TABLE).dot(x) + rows[0] + rows[1] + TABLE @ x + rows[2][0]


print(looked_up(jnp.arange(6.0), 1), TABLE.dot(jnp.arange(6.0)), TABLE.take(jnp.arange(2)))

# %% a function with a rule for its derivative, called by keywords where that is taken
import jax
import jax.numpy as jnp
import numpy as np


@jax.custom_vjp
def inverse(x, size):
    return jnp.array(np.fft.fft(np.array(x)).real * size)


def forward(x, size):
    return inverse(x, size), size


def backward(size, g):
    return jnp.array(np.fft.ifft(np.array(g)).real * size), None


inverse.defvjp(forward, backward)


def loss(x):
    options = {"x": x, "size": 3}
    return jnp.sum(inverse(**options) ** 2) + jnp.sum(inverse(x=x, size=2))


jax.grad(loss)(jnp.ones(4))

# %% a text that chooses the implementation, in more calls than are told apart
import jax
import jax.numpy as jnp
import numpy as np


def of_host(x, n):
    return np.fft.ifftshift(np.sin(x))[:n]


def of_jax(x, n):
    return jnp.fft.ifftshift(jnp.sin(x))[:n]


FUNCTIONS = {"numpy": of_host, "jax": of_jax}


def shifted(x, n, method="numpy"):
    if method not in FUNCTIONS:
        raise ValueError(method)
    return FUNCTIONS[method](x, n)


def inverse(x, n, method="numpy"):
    if method == "numpy":
        return shifted(x * 2, n, "numpy")
    return shifted(x * 2, n, "jax")


@jax.jit
def summed(x):
    total = inverse(x, 1, "jax").sum() + inverse(x, 2, "jax").sum() + inverse(x, 3, "jax").sum()
    total += inverse(x, 4, "jax").sum() + inverse(x, 5, "jax").sum() + inverse(x, 6, "jax").sum()
    total += inverse(x, 7, "jax").sum() + inverse(x, 8, "jax").sum() + inverse(x, 9, "jax").sum()
    total += inverse(x, 10, "jax").sum() + inverse(x, 11, "jax").sum() + inverse(x, 12, "jax").sum()
    total += inverse(x, 13, "jax").sum() + inverse(x, 14, "jax").sum() + inverse(x, 15, "jax").sum()
    return total + inverse(x, 16, "jax").sum() + inverse(x, 17, "jax").sum() + inverse(x, 18, "jax").sum()


summed(jnp.ones(20))
inverse(np.ones(20), 4)

# %% what a jitted function is given, whatever that is
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def length(x):
    return np.linalg.norm(x)  #! JAX106


@jax.grad
def slope(x):
    return np.exp(x)  #! JAX106


@jax.jit
def shapes(x):
    return jnp.zeros(np.shape(x)), jnp.ones(np.ndim(x)), np.result_type(x)


@jax.jit
def as_object(x):
    return 1.0 if np.array({"x": x}).shape == () else 2.0


@jax.jit
def averaged(x):
    return np.mean(x) + np.sum(x)


averaged(jnp.ones(3)), as_object(jnp.ones(3))
length([1.0, 2.0])

# %% what the linear function of a derivative gives outside of it
import jax
import jax.numpy as jnp
import numpy as np


def slopes_of(f):
    def slopes(p, x):
        value, forward = jax.linearize(lambda x: f(p, x), x)
        return value + forward(x)

    return slopes


class Slopes:
    def __init__(self, f):
        self.slopes = jax.vmap(slopes_of(f), (None, 0))

    def run(self, x):
        found = self.slopes(2.0, x)
        return np.concatenate([found])


Slopes(lambda p, x: jnp.sum(p * x**2)).run(jnp.ones((2, 3)))


def scaled(x):
    converted, constants = jax.closure_convert(lambda y: x * y, x)
    return np.concatenate([converted(x, *constants)])


scaled(jnp.ones(3))

# %% what it gives where the values are traced
import jax
import jax.numpy as jnp
import numpy as np


@jax.vmap
def summed(x):
    value, forward = jax.linearize(lambda x: jnp.sum(x**2), x)
    return np.concatenate([forward(x)])  #! JAX106


summed(jnp.ones((2, 3)))

# %% a text that names an entry of a table, where the environment may name another one
import os

import jax
import jax.numpy as jnp
import numpy as np


def on_device():
    def solve(q):
        return -q

    return solve


def on_host():
    def solve(q):
        return jnp.array(-np.array(q))

    return solve


SOLVERS = {"device": on_device, "host": on_host}


def solver_of(name="device", **options):
    if name == "device":
        other = os.environ.get("QP_SOLVER", "").strip()
        if other and other != "device":
            return SOLVERS[other](**options)
    return SOLVERS[name](**options)


def controller_of(solver=None):
    solve = solver if solver is not None else solver_of("device")

    @jax.jit
    def controller(x):
        return solve(2 * x)

    return controller


controller_of()(jnp.ones(2))

# %% where it names the wrong one
import os

import jax
import jax.numpy as jnp
import numpy as np


def on_device():
    def solve(q):
        return -q

    return solve


def on_host():
    def solve(q):
        return jnp.array(-np.array(q))  #! JAX106

    return solve


SOLVERS = {"device": on_device, "host": on_host}


def solver_of(name="device", **options):
    if name == "host":
        other = os.environ.get("QP_SOLVER", "").strip()
        if other and other != "host":
            return SOLVERS[other](**options)
    return SOLVERS[name](**options)


def controller_of(solver=None):
    solve = solver if solver is not None else solver_of("host")

    @jax.jit
    def controller(x):
        return solve(2 * x)

    return controller


controller_of()(jnp.ones(2))

# %% or where each text may be meant
import os

import jax
import jax.numpy as jnp
import numpy as np


def on_device():
    def solve(q):
        return -q

    return solve


def on_host():
    def solve(q):
        return jnp.array(-np.array(q))  #! JAX106

    return solve


SOLVERS = {"device": on_device, "host": on_host}


def controller_of(name):
    solve = SOLVERS[name]()

    @jax.jit
    def controller(x):
        return solve(2 * x)

    return controller


controller_of(os.environ.get("QP_SOLVER", "host"))(jnp.ones(2))

# %% what has a shape is an array
import jax
import jax.numpy as jnp
import numpy as np


def padded(x):
    size = x.shape[0]
    return jnp.zeros(2 * size).at[:size].set(np.asarray(x))  #! JAX106


def kept(x):
    return {"all": np.asarray({"x": x}, dtype=object)}["all"].item()["x"]


jax.jit(kept)(jnp.ones(3))


def make():
    return jax.jit(padded)


make()(jnp.ones(3))

# %% a pytree may be no array
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def held(tree):
    return np.asarray(tree).item()["x"]


held({"x": jnp.ones(3)})

# %% an attribute of a function says whether it is traced
import jax
import jax.numpy as jnp
import numpy as np


def on_host(x):
    return np.asarray(x) + 1.0


on_host.can_trace = False


def on_device(x):
    return x + 1.0


on_device.can_trace = True


def asked(solver, x):
    if hasattr(solver, "can_trace") and not solver.can_trace:
        return solver(x)
    return jax.jit(solver)(x)


def make(solver=None):
    if solver is not None:
        if not getattr(solver, "can_trace", False):
            return solver
        solve = solver
    else:
        solve = on_device

    @jax.jit
    def run(x):
        def inner(y):
            return solve(y)

        return inner(x * 2.0)

    return run


class Runner:
    def __init__(self, solver):
        self.run = make(solver)


def build(solver):
    return Runner(solver)


def all_of_them():
    asked(on_host, jnp.ones(3))
    asked(on_device, jnp.ones(3))
    for each in (build(on_host), build(on_device)):
        each.run(jnp.ones(3))


all_of_them()

# %% or says that it is, which is wrong
import jax
import jax.numpy as jnp
import numpy as np


def on_host(x):
    return np.asarray(x) + 1.0  #! JAX106


on_host.can_trace = True


def asked(solver, x):
    if hasattr(solver, "can_trace") and not solver.can_trace:
        return solver(x)
    return jax.jit(solver)(x)


asked(on_host, jnp.ones(3))

# %% a branch for a name that the dict of this caller lacks
import jax
import jax.numpy as jnp
import numpy as np


def on_host(x, mask):
    return jnp.sum(x * np.asarray(mask))


def scores(output, mask):
    if "ranking" in output:
        return {"ranking": output["ranking"], "host": on_host(output["x"], mask)}
    return {"ranking": jnp.max(output["x"])}


@jax.jit
def infer(x, mask):
    output = {"x": x * 2}
    output.update(scores(output, mask))
    return output


@jax.jit
def of_argument(output, mask):
    return scores(output, mask)


@jax.jit
def of_keywords(x, mask):
    return by_name(mask=mask, x=x)


def by_name(**given):
    return given["x"] if "host" not in given else np.asarray(given["mask"])


mask = jnp.ones(3)
print(scores(infer(jnp.arange(3.0), mask), mask))
of_argument({"x": mask}, mask)
of_keywords(mask, mask)

# %% and for one that it may have
import jax
import jax.numpy as jnp
import numpy as np


def scores(output, mask):
    if "ranking" in output:
        return np.asarray(mask)  #! JAX106
    return jnp.max(output["x"])


def fill(output):
    output["ranking"] = 1.0


@jax.jit
def infer(x, mask, fill=fill):
    output = {"x": x * 2}
    fill(output)
    return scores(output, mask)


infer(jnp.arange(3.0), jnp.ones(3))

# %% code that is not known may put it there
import jax
import jax.numpy as jnp
import numpy as np

FILLERS = [lambda output: output.update(ranking=1.0)]


def scores(output, mask):
    if "ranking" in output:
        return np.asarray(mask)  #! JAX106
    return jnp.max(output["x"])


def infer(fill):
    @jax.jit
    def run(x, mask):
        output = {"x": x * 2}
        fill(output)
        return scores(output, mask)

    return run


infer(eval("FILLERS")[0])(jnp.arange(3.0), jnp.ones(3))

# %% the module of the type says that it is an array of JAX
import jax
import jax.numpy as jnp
import numpy as np


def is_of_jax(x):
    return type(x).__module__.startswith(("jax", "jaxlib"))


def correction(c, backend="auto"):
    if backend == "auto":
        backend = "jax" if is_of_jax(c) else "numpy"
    return c * (1.0 - jnp.eye(c.shape[0])) if backend == "jax" else np.asarray(c) * 2


def other(c):
    if type(c).__module__.startswith(("torch", "numpy")):
        return np.asarray(c)
    return c


print(jax.vmap(correction)(jnp.ones((2, 3, 3))), jax.jit(other)(jnp.ones(3)))

# %% functions of SciPy that integrate, interpolate, minimize and filter
import jax
import jax.numpy as jnp
from scipy.integrate import solve_ivp


@jax.jit
def growth(z_max):
    y0 = jnp.array([1.0 / (1 + z_max), -1.0])
    return solve_ivp(lambda z, y: [y[1], -y[0]], (3.0, 0.0), y0).y[0]  #! JAX106


growth(3.0)

# %% times at which SciPy is to give the solution, by keyword
import jax
import jax.numpy as jnp
from scipy import integrate


@jax.jit
def growth(times):
    found = integrate.solve_ivp(lambda z, y: [y[1], -y[0]], (0.0, 3.0), [1.0, 0.0], t_eval=times)  #! JAX106
    return found.y[0]


growth(jnp.linspace(0.0, 3.0, 4))

# %% bounds of an integral
import jax
from scipy.integrate import quad


@jax.jit
def area(x):
    return quad(lambda t: t, 0.0, x)[0]  #! JAX106


area(1.0)

# %% an interpolation of SciPy is made of constants, and called on a tracer
import jax
import jax.numpy as jnp
from scipy import interpolate

LINE = interpolate.interp1d([0.0, 2.0], [0.0, 2.0])


@jax.jit
def lookup(x):
    return LINE(x)  #! JAX106


lookup(jnp.ones(3))

# %% an interpolation of SciPy between tracers
import jax
import jax.numpy as jnp
from scipy import interpolate


@jax.vmap
def lookup(y):
    return interpolate.CubicSpline([0.0, 1.0, 2.0], y)(0.5)  #! JAX106


lookup(jnp.ones((2, 3)))

# %% a filter of SciPy in what is differentiated
import jax
import jax.numpy as jnp
import scipy.signal


def loss(x):
    return scipy.signal.convolve(x, x).sum()  #! JAX106


jax.grad(loss)(jnp.ones(3))

# %% a mean of a distribution, by keyword
import jax
from scipy import stats


@jax.jit
def density(x):
    return stats.norm.pdf(0.5, loc=x)  #! JAX106


density(1.0)

# %% a start at which SciPy is to minimize
import jax
import jax.numpy as jnp
from scipy import optimize


@jax.jit
def best(x):
    return optimize.minimize(lambda t: (t * t).sum(), x0=x).x  #! JAX106


best(jnp.ones(3))

# %% SciPy on what is concrete, in traces and outside, and on tracers in a callback
import jax
import jax.numpy as jnp
import numpy as np
import scipy.fft
import scipy.ndimage
from scipy import integrate, interpolate, optimize, stats

X = jnp.linspace(0.0, 2.0, 5)
SPLINE = interpolate.CubicSpline(X, X)
print(SPLINE(0.5), integrate.simpson(X, dx=0.1), scipy.fft.fft(X)[0])
print(optimize.root(lambda t: t - 1.0, X).x, stats.norm.pdf(0.5, loc=X))
print(scipy.ndimage.gaussian_filter(X, 1.0))


@jax.jit
def f(x):
    size = integrate.quad(lambda t: t, 0.0, x.shape[0])[0]
    table = SPLINE(np.linspace(0.0, 1.0, 3))
    peak = optimize.minimize_scalar(lambda t: (t - 1.0) ** 2).x
    late = jax.pure_callback(lambda v: np.asarray(SPLINE(v), np.float32), jax.ShapeDtypeStruct((3,), "float32"), x)
    return x * size + table + peak + late


f(jnp.ones(3))

# %% norun SciPy that is told to compute with arrays of others
import os

os.environ["SCIPY_ARRAY_API"] = "1"

import jax
import jax.numpy as jnp
import scipy.fft


@jax.jit
def f(x):
    return scipy.fft.fft(x)


f(jnp.ones(3))

# %% what a function that SciPy calls closes over may be a tracer that it never gets
import jax
import jax.numpy as jnp
from scipy import integrate


@jax.jit
def f(x):
    size = integrate.quad(lambda t: t * x.shape[0], 0.0, 1.0)[0]
    return x * size


f(jnp.ones(3))

# %% a function that is bound under one answer of a test of a parameter is not the one that is jitted under the other one
import json

import jax
import numpy as np


def plain(kind, order):
    if kind in ["mass", "light"]:
        def func(x):
            return x * 2
    elif kind == "scipy":
        if order == "none":
            def func(x):
                return np.asarray(x)
        elif order == "dx":
            def func(x):
                return np.asarray(x) * 2
    else:
        raise ValueError(kind)
    return func if kind == "scipy" else jax.jit(func)


def flagged(x, kind, fast):
    if kind == "copy":
        def transpose(v):
            return v[::-1]
    elif kind == "interpolate":
        if fast is True:
            raise NotImplementedError
        def transpose(v):
            return np.asarray(v)
    def propagate(v):
        return transpose(v * 2)
    if fast is True:
        return jax.vmap(propagate)(x)
    return [propagate(v) for v in x]


def asserted(x, kind, fast):
    step = abs
    if kind == "host":
        assert not fast
        step = np.asarray
    return jax.jit(step)(x) if fast else step(x)


def left(x, mode):
    if mode == "host":
        return x
    y = x + 1
    if mode == "host":
        y = np.asarray(y)
    return y


def turns(x, modes):
    for mode in modes:
        if mode == "host":
            continue
        x = np.asarray(x) if mode == "host" else x + 1
    return x


for settings in json.loads('[["mass", "none"], ["scipy", "dx"]]'):
    plain(*settings)(np.ones(3))
flagged(np.ones((3, 3)), json.loads('"interpolate"'), json.loads("false"))
flagged(np.ones((3, 3)), json.loads('"copy"'), json.loads("true"))
asserted(np.ones(3), json.loads('"host"'), json.loads("false"))
asserted(np.ones(3), json.loads('"device"'), json.loads("true"))
jax.jit(left, static_argnums=1)(1.0, json.loads('"device"'))
left(1.0, json.loads('"host"'))
jax.jit(turns, static_argnums=1)(1.0, ("host", "device"))

# %% what is bound under one answer of a test is what is jitted under the same answer
import json

import jax
import numpy as np


def plain(kind):
    if kind in ["mass", "light"]:
        def func(x):
            return x * 2
    elif kind == "scipy":
        def func(x):
            return np.asarray(x)  #! JAX106
    else:
        raise ValueError(kind)
    return jax.jit(func) if kind == "scipy" else func


plain(json.loads('"scipy"'))(np.ones(3))

# %% a test of a variable that is bound anew, of an attribute that a method sets, or of a list that is filled, says nothing any more
import json

import jax
import numpy as np


class Solver:
    def __init__(self):
        self.mode = "device"
        self.names = json.loads("[]")

    def switch(self, mode):
        self.mode = mode  #! JAX201

    def solve(self, x, mode):
        if self.mode == "host":
            raise ValueError
        self.switch(mode)
        if self.mode == "host":
            return np.asarray(x)  #! JAX106
        return x


def rebound(x, mode, other):
    if mode == "host":
        raise ValueError
    mode = other
    if mode == "host":
        return np.asarray(x)  #! JAX106
    return x


def in_loop(x, mode, others):
    if mode == "host":
        raise ValueError
    for other in others:
        if mode == "host":
            return np.asarray(x)  #! JAX106
        mode = other
    return x


def caught(x, mode):
    try:
        if mode == "host":
            raise ValueError
    except ValueError:
        pass
    if mode == "host":
        return np.asarray(x)  #! JAX106
    return x


def fill(names):
    names.append("a")


def filled(x, names):
    if len(names) > 0:
        raise ValueError
    fill(names)
    if len(names) > 0:
        return np.asarray(x)  #! JAX106
    return x


jax.jit(rebound, static_argnums=(1, 2))(1.0, json.loads('"device"'), json.loads('"device"'))
jax.jit(in_loop, static_argnums=(1, 2))(1.0, json.loads('"device"'), tuple(json.loads('["device"]')))
jax.jit(caught, static_argnums=1)(1.0, json.loads('"device"'))
jax.jit(Solver().solve, static_argnums=1)(1.0, json.loads('"device"'))
jax.jit(lambda x: filled(x, json.loads("[]")))(1.0)

# %% a call whose arguments are not those of the function raises TypeError before anything is traced
import functools

import jax
import jax.numpy as jnp
import numpy as np


def summed(a, b, c):
    return np.asarray(a + b + c)


def scaled(a, b):
    return np.asarray(a) * b


class Runner:
    def __init__(self):
        self._step = jax.jit(scaled)

    def run(self):
        return self._step(1.0)


def in_function():
    step = jax.vmap(functools.partial(scaled, b=2.0))
    return step(jnp.ones(2), jnp.ones(2), jnp.ones(2))


def at_once():
    return jax.vmap(jax.grad(scaled))(jnp.ones(2))


def named():
    return jax.jit(scaled, static_argnames="b")(1.0, c=2)


step = jax.jit(functools.partial(summed, 1.0))
print(summed(1.0, 2.0, 3.0), scaled(1.0, 2.0))
for call in (Runner().run, in_function, at_once, named):
    try:
        call()
    except TypeError as error:
        print(error)
try:
    step(1.0)
except TypeError as error:
    print(error)

# %% of several calls one fits: what is jitted is traced
import functools

import jax
import numpy as np


def summed(a, b, c):
    return np.asarray(a + b + c)  #! JAX106


step = jax.jit(functools.partial(summed, 1.0))
try:
    step(1.0)
except TypeError as error:
    print(error)
step(1.0, 2.0)

# %% what other modules can call is traced whatever a test of it does, and what is given back
import json

import jax
import numpy as np


def summed(a, b):
    return np.asarray(a + b)  #! JAX106


def scaled(a, b):
    return np.asarray(a) * b  #! JAX106


step = jax.jit(summed)


def test_step():
    try:
        step(1.0)
    except TypeError as error:
        print(error)


def make():
    made = jax.jit(scaled)
    if json.loads("false"):
        made(1.0)
    return made


test_step()
make()(1.0, 2.0)

# %% a test that the caller has answered is not asked again: of an argument, by a predicate, of what is closed over
import functools
import json

import jax
import jax.numpy as jnp
import numpy as np


def is_host(config):
    return "host" in config


class Model:
    def __init__(self, config):
        self.config = config

    def _is_host(self, config):
        return "host" in config

    def grid(self, options, values):
        if self._is_host(options):
            np.testing.assert_equal(np.sort(values), values)
        return values * 2

    @functools.partial(jax.jit, static_argnums=(0, 1))
    def asserted(self, config, values):
        assert not self._is_host(config)
        return self.grid(config, values)

    @functools.partial(jax.jit, static_argnums=(0, 1))
    def left(self, config, values):
        if self._is_host(config):
            raise ValueError(config)
        return self.grid(values=values, options=config)


def grid(count, mode, values, options=None):
    if mode != "device":
        values = np.sort(values)
    if count > 3 or is_host(options):
        values = np.unique(values)
    return values * 2


@functools.partial(jax.jit, static_argnums=(1, 2, 3))
def under(values, count, mode, options):
    if mode == "device" and count <= 3 and not is_host(options):
        return grid(count, mode, values, options)
    return values


@functools.partial(jax.jit, static_argnums=1)
def closed(values, mode):
    def scaled(v):
        return np.asarray(v) if mode == "host" else v * 2

    if mode == "host":
        return values
    return scaled(values) + jax.vmap(scaled)(values)


values, device = jnp.arange(3.0), tuple(json.loads('["device"]'))
model = Model(device)
model.asserted(device, values)
model.left(device, values)
under(values, json.loads("2"), json.loads('"device"'), device)
closed(values, json.loads('"device"'))

# %% a test is asked again of another argument, of one that has changed, and in a call that has not answered it
import functools
import json

import jax
import jax.numpy as jnp
import numpy as np


def is_host(config):
    return "host" in config


def grid(config, values):
    if is_host(config):
        return np.sort(values)  #! JAX106
    return values


def switched(config, values):
    if is_host(config):
        return np.unique(values)  #! JAX106
    return values


def rebound(config, values, other):
    config = other
    if is_host(config):
        return np.asarray(values)  #! JAX106
    return values


def twice(config, values):
    if is_host(config):
        return np.asarray(values) * 2  #! JAX106
    return values


@functools.partial(jax.jit, static_argnums=(1, 2))
def step(values, config, other):
    assert not is_host(config)
    return grid(other, values) + rebound(config, values, other)


@jax.jit
def changed(values):
    config = json.loads('["device"]')
    assert not is_host(config)
    config.append(json.loads('"other"'))
    return switched(config, values)


@functools.partial(jax.jit, static_argnums=1)
def both(values, config):
    result = twice(config, values)
    assert not is_host(config)
    return result + twice(config, values)


values, device = jnp.arange(3.0), tuple(json.loads('["device"]'))
step(values, device, device)
changed(values)
both(values, tuple(json.loads('["host"]')))

# %% a function is one of many: the variants of one kind are jitted, those of the other kind are not
import json

import jax
import numpy as np


def plain(kind, order):
    if kind == "device":
        if order == 0:
            def func(x):
                return x * 0
        elif order == 1:
            def func(x):
                return x * 1
        elif order == 2:
            def func(x):
                return x * 2
        elif order == 3:
            def func(x):
                return x * 3
        elif order == 4:
            def func(x):
                return x * 4
        elif order == 5:
            def func(x):
                return x * 5
        elif order == 6:
            def func(x):
                return x * 6
    elif kind == "host":
        if order == 0:
            def func(x):
                return np.asarray(x) * 0
        elif order == 1:
            def func(x):
                return np.asarray(x) * 1
        elif order == 2:
            def func(x):
                return np.asarray(x) * 2
        elif order == 3:
            def func(x):
                return np.asarray(x) * 3
        elif order == 4:
            def func(x):
                return np.asarray(x) * 4
        elif order == 5:
            def func(x):
                return np.asarray(x) * 5
        elif order == 6:
            def func(x):
                return np.asarray(x) * 6
    else:
        raise ValueError(kind)
    return func if kind == "host" else jax.jit(func)


for kind, order in json.loads('[["device", 1], ["host", 2]]'):
    plain(kind, order)(np.ones(3))

# %% which class is loaded a table says that a module makes of numbers: this one expects the error
import jax
import jax.numpy as jnp
import numpy as np


class Regression:
    def evaluate_quality(self, sampler, key):
        keys = jax.random.split(key, 4)
        return jax.jit(jax.vmap(sampler, in_axes=[None, 0]))(jnp.ones(3), keys).mean()


class Classification:
    def evaluate_quality(self, sampler, key):
        keys = jax.random.split(key, 4)
        try:
            return jax.lax.map(lambda k: sampler(jax.random.normal(k, (3,)), k), keys).mean()
        except jax.errors.JAXTypeError:
            return jnp.array([sampler(jax.random.normal(k, (3,)), k) for k in keys]).mean()


SETTINGS = {f"classification/{i}": i + 2 for i in range(9)} | {f"regression/{i}": 1 for i in range(9)}


def problem_from_id(problem_id):
    if SETTINGS[problem_id] > 1:
        return Classification()
    return Regression()


def make_agent():
    def enn_sampler(x, key):
        del key
        x = np.array(x)
        return jnp.asarray(x)

    return enn_sampler


print(problem_from_id("classification/5").evaluate_quality(make_agent(), jax.random.key(0)))

# %% ... and this one does not
import jax
import jax.numpy as jnp
import numpy as np


class Regression:
    def evaluate_quality(self, sampler, key):
        keys = jax.random.split(key, 4)
        return jax.jit(jax.vmap(sampler, in_axes=[None, 0]))(jnp.ones(3), keys).mean()


class Classification:
    def evaluate_quality(self, sampler, key):
        keys = jax.random.split(key, 4)
        try:
            return jax.lax.map(lambda k: sampler(jax.random.normal(k, (3,)), k), keys).mean()
        except jax.errors.JAXTypeError:
            return jnp.array([sampler(jax.random.normal(k, (3,)), k) for k in keys]).mean()


SETTINGS = {f"classification/{i}": i + 2 for i in range(9)} | {f"regression/{i}": 1 for i in range(9)}


def problem_from_id(problem_id):
    if SETTINGS[problem_id] > 1:
        return Classification()
    return Regression()


def make_agent():
    def enn_sampler(x, key):
        del key
        x = np.array(x)  #! JAX106
        return jnp.asarray(x)

    return enn_sampler


print(problem_from_id("regression/5").evaluate_quality(make_agent(), jax.random.key(0)))
