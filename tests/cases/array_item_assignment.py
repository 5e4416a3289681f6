# %% boundary value: the array came from jnp.zeros two lines above
import jax.numpy as jnp

field = jnp.zeros((8, 8))
field[0, :] = 1.0  #! JAX501


# %% augmented slice: += on a slice is an item assignment as well
import jax.numpy as jnp


def smooth(n):
    grid = jnp.linspace(0.0, 1.0, n)
    grid[1:-1] += 0.25 * (grid[2:] - grid[:-2])  #! JAX501
    return grid


smooth(16)


# %% deleting an element: there is no __delitem__, so it is an AttributeError
import jax.numpy as jnp

queue = jnp.arange(5)
del queue[0]  #! JAX501


# %% inside jit, through arithmetic: a parameter times two is an array whatever it was
import jax
import jax.numpy as jnp


@jax.jit
def step(u, dt):
    v = u + dt * (jnp.roll(u, 1) - 2.0 * u + jnp.roll(u, -1))
    v[0] = 0.0  #! JAX501
    return v


step(jnp.ones(10), 0.1)


# %% helper out of jit's sight: every caller hands it an array
import jax
import jax.numpy as jnp


def clamp_ends(u):
    u[0] = 0.0  #! JAX501
    return u


@jax.jit
def advance(u):
    return clamp_ends(jnp.tanh(u))


advance(jnp.ones(4))


# %% scan body: the carry is what the initial value was, an array
import jax.numpy as jnp
from jax import lax


def write(buffer, item):
    index, value = item
    buffer[index] = value  #! JAX501
    return buffer, None


lax.scan(write, jnp.zeros(6), (jnp.arange(6), jnp.ones(6)))


# %% fori_loop body: Fibonacci as it is written in NumPy
import jax
import jax.numpy as jnp


def body(i, fib):
    fib[i] = fib[i - 1] + fib[i - 2]  #! JAX501
    return fib


jax.lax.fori_loop(2, 10, body, jnp.ones(10))


# %% swap by unpacking: the targets of a tuple assignment are items
import jax.numpy as jnp

order = jnp.arange(4)
order[0], order[3] = order[3], order[0]  #! JAX501


# %% attribute of self: all writes of the attribute are arrays
import jax.numpy as jnp


class ReplayBuffer:
    def __init__(self, capacity):
        self.rewards = jnp.zeros((capacity,))
        self.cursor = 0

    def push(self, reward):
        self.rewards[self.cursor] = reward  #! JAX501
        self.cursor += 1


ReplayBuffer(32).push(1.0)


# %% array inside a dict: the outer subscript is a dict's, the inner one an array's
import jax.numpy as jnp

state = {"position": jnp.zeros(3), "velocity": jnp.ones(3)}
state["position"] = state["position"] + 0.1 * state["velocity"]
state["position"][2] = 0.0  #! JAX501


# %% array inside a list: the element is an array, not the list
import jax.numpy as jnp

weights = [jnp.zeros(2), jnp.zeros(3)]
weights[0] = jnp.ones(2)
weights[1][0] = 3.0  #! JAX501


# %% both arms: a conditional expression whose arms are both arrays is an array
import jax.numpy as jnp


def prior(kind):
    p = jnp.ones(5) if kind == "flat" else jnp.arange(1.0, 6.0)
    p[-1] = 0.0  #! JAX501
    return p / p.sum()


prior("flat")


# %% under grad only: no jit is needed for the array to be immutable
import jax
import jax.numpy as jnp


def energy(q):
    r = q * q
    r[0] = 0.0  #! JAX501
    return r.sum()


jax.grad(energy)(jnp.ones(3))


# %% mask assignment in jit: the item assignment fails, not the mask
import jax
import jax.numpy as jnp


@jax.jit
def relu(x):
    y = x - 1.0
    y[y < 0] = 0.0  #! JAX501
    return y


relu(jnp.arange(4.0))


# %% np.add.at: the unbuffered ufunc writes into its first operand
import jax.numpy as jnp
import numpy as np

histogram = jnp.zeros(10)
bins = np.array([1, 1, 4])
np.add.at(histogram, bins, 1.0)  #! JAX501


# %% from the sampler: random numbers are arrays too
import jax

noise = jax.random.normal(jax.random.key(0), (4, 4))
noise[:, 0] = 0.0  #! JAX501


# %% alias: another name of the same array
import jax.numpy as jnp

mean = jnp.zeros(3)
running = mean
running[1] = 2.0  #! JAX501


# %% loop over arrays: the loop variable is each array in turn
import jax.numpy as jnp

for kernel in [jnp.ones((3, 3)), jnp.ones((5, 5))]:
    kernel[0, 0] = 0.0  #! JAX501


# %% jax.numpy under NumPy's name: it is the import that counts
import jax.numpy as np

table = np.zeros(4)
table[0] = 1.0  #! JAX501


# %% closure: an inner function writes into the array of the outer one
import jax.numpy as jnp


def make_lookup():
    table = jnp.arange(8)

    def patch(i, value):
        table[i] = value  #! JAX501

    patch(3, 99)
    return table


make_lookup()


# %% as a loop target: `for a[0] in` assigns an item at each turn
import jax.numpy as jnp

slot = jnp.zeros(2)
for slot[0] in range(3):  #! JAX501
    pass


# %% item of a jitted function's result: what jit returns is a JAX array
import jax
import jax.numpy as jnp


@jax.jit
def normalise(p):
    return p / jnp.sum(p)


probs = normalise(jnp.ones(4))
probs[0] = 0.0  #! JAX501


# %% NumPy arrays: they are mutable, in eager code
import numpy as np

image = np.zeros((4, 4))
image[1:3, 1:3] = 1.0
image[0] += 2.0
np.add.at(image, (0, 0), 1.0)


# %% NumPy scratch inside jit: a host table filled while tracing is a constant
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def window(x):
    taper = np.ones(x.shape[0], dtype=np.float32)
    taper[0] = taper[-1] = 0.5
    return x * taper


window(jnp.ones(6))


# %% dict parameter of a jitted function: a dict is rebuilt for the trace and may be written
import jax


@jax.jit
def update(params, lr):
    params["w"] = params["w"] - lr * 2.0
    params["b"] = 0.0
    return params


update({"w": 1.0, "b": 3.0}, 0.1)


# %% pytree parameter nobody shows: it may well be a dict
import jax


@jax.jit
def bump(state):
    state["step"] += 1
    return state


bump({"step": 0})


# %% list of arrays: an item of the list is replaced, no array is written
import jax.numpy as jnp

layers = [jnp.zeros(2), jnp.zeros(3)]
layers[0] = layers[0] + 1.0
layers[1] += 2.0
del layers[0]


# %% new_ref: a reference is made to be written
import jax
import jax.numpy as jnp

counter = jax.new_ref(jnp.zeros(3))
counter[0] = 1.0
counter[1:] += 2.0


# %% reference inside jit: writes to a ref passed in are effects of the function
import jax
import jax.numpy as jnp


@jax.jit
def accumulate(total_ref, x):
    total_ref[...] += x * 2.0
    return x


total = jax.new_ref(jnp.zeros(3))
accumulate(total, jnp.ones(3))


# %% Pallas kernel: refs are written by item, even where they are annotated as arrays
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def scale_kernel(x_ref: jax.Array, o_ref: jax.Array):
    o_ref[...] = x_ref[...] * 2.0
    o_ref[0] = 0.0


scale = pl.pallas_call(scale_kernel, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)
scale(jnp.ones(8))


# %% augmented assignment of a name: it rebinds the name, the caller's array is left alone
import jax
import jax.numpy as jnp


@jax.jit
def momentum(v, g):
    v *= 0.9
    v += g
    return v


momentum(jnp.ones(3), jnp.ones(3))


# %% rebound to NumPy: np.array copies, and the copy may be written
import jax.numpy as jnp
import numpy as np

samples = jnp.linspace(0.0, 1.0, 5)
samples = np.array(samples)
samples[0] = -1.0


# %% read-only view: np.asarray gives a NumPy array; that it is read-only is another matter
import jax.numpy as jnp
import numpy as np

view = np.asarray(jnp.zeros(3))
try:
    view[0] = 1.0
except ValueError:
    view = view.copy()
    view[0] = 1.0


# %% functional update: .at is the way
import jax
import jax.numpy as jnp


@jax.jit
def set_boundary(u):
    u = u.at[0].set(0.0)
    return u.at[-1].set(0.0)


set_boundary(jnp.ones(5))


# %% told by type: the write is for NumPy only
import jax.numpy as jnp
import numpy as np


def zero_first(x):
    if isinstance(x, np.ndarray):
        x = x.copy()
        x[0] = 0.0
        return x
    return x.at[0].set(0.0)


zero_first(np.ones(3))
zero_first(jnp.ones(3))


# %% error is expected: the try around the line catches it
import jax.numpy as jnp

frozen = jnp.zeros(2)
try:
    frozen[0] = 1.0
except TypeError:
    frozen = frozen.at[0].set(1.0)


# %% test of the error: pytest.raises is an expectation
import jax.numpy as jnp
import pytest

constant = jnp.zeros(2)
with pytest.raises(TypeError):
    constant[0] = 1.0


# %% class of its own: a container with __setitem__ that updates functionally
import jax.numpy as jnp


class Board:
    def __init__(self):
        self.cells = jnp.zeros((3, 3))

    def __setitem__(self, where, player):
        self.cells = self.cells.at[where].set(player)


board = Board()
board[1, 1] = 2.0


# %% either or: the name is a list on one path, so nothing is known
import jax.numpy as jnp


def collect(as_list):
    out = [0.0, 0.0] if as_list else {0: jnp.zeros(2)}
    out[0] = 1.0
    return out


collect(True)
collect(False)


# %% NumPy under the usual alias of JAX: the import decides, not the name
import numpy as jnp

ledger = jnp.zeros(3)
ledger[1] = 5.0


# %% nobody calls it: an unknown parameter may be NumPy's
def mask_out(values, where):
    values[where] = 0.0
    return values


# %% host copy of a jitted result: device_get, then a copy that may be written
import jax
import jax.numpy as jnp
import numpy as np

solve = jax.jit(lambda b: b * 0.5)
host = np.copy(jax.device_get(solve(jnp.ones(4))))
host[0] = 7.0


# %% dict of arrays in a loop: entries are replaced, arrays are not written
import jax.numpy as jnp

params = {"w": jnp.ones(2), "b": jnp.zeros(1)}
grads = {"w": jnp.ones(2), "b": jnp.ones(1)}
for name in params:
    params[name] = params[name] - 0.1 * grads[name]
del grads["b"]


# %% object array of NumPy: its items are JAX arrays, it is not one
import jax.numpy as jnp
import numpy as np

cells = np.empty(2, dtype=object)
cells[0] = jnp.zeros(3)
cells[1] = jnp.ones(2)


# %% rebound in the loop: the first turn is a list's, the array comes after the writes
import jax.numpy as jnp


def ladder(n):
    rungs = [0.0] * n
    for i in range(1, n):
        rungs[i] = rungs[i - 1] + 0.5
    rungs = jnp.asarray(rungs)
    return rungs / rungs[-1]


ladder(4)


# %% np.copyto: NumPy's functions that write want an array of NumPy's
import jax.numpy as jnp
import numpy as np

target = jnp.zeros(3)
np.copyto(target, 1.0)  #! JAX501


# %% shuffle: NumPy swaps the items of what it is given
import jax.numpy as jnp
import numpy as np

deck = jnp.arange(10)
np.random.default_rng(0).shuffle(deck)  #! JAX501


# %% shuffle of a copy: the copy is NumPy's
import jax.numpy as jnp
import numpy as np

deck = np.array(jnp.arange(10))
np.random.default_rng(0).shuffle(deck)


# %% told by a guard: the true branch is another type's
import typing

import jax
import jax.numpy as jnp


def is_table(x) -> typing.TypeGuard[dict]:
    return not isinstance(x, jax.Array)


def put(x, i, v):
    if is_table(x):
        x[i] = v
        return x
    return x.at[i].set(v)


put(jnp.zeros(2), 0, 1.0)
put({}, 0, 1.0)


# %% one condition rules the other out: the write is left to what is no array
import jax
import jax.numpy as jnp


class Missing:
    pass


class Cell:
    def __init__(self, value):
        self.value = value

    def write(self, index, new):
        if isinstance(self.value, jax.Array) and not isinstance(index, Missing):
            self.value = self.value.at[index].set(new)
        elif isinstance(index, Missing):
            self.value = new
        else:
            self.value[index] = new


Cell(jnp.zeros(3)).write(0, 1.0)
Cell(jnp.zeros(3)).write(Missing(), 1.0)
Cell([0.0, 0.0]).write(0, 1.0)


# %% a type test of what may be NumPy's: in a trace nothing shows that the branch is ever taken
import json
import operator
import types

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(x):
    box = types.SimpleNamespace(value=x, other=np.array([1.0, 2.0]))
    kept = operator.attrgetter(json.loads('"other"'))(box)
    if isinstance(kept, jax.Array):
        kept[0] += 1.0
    return jnp.sum(x) + jnp.sum(kept)


print(step(jnp.ones(2)))


# %% behind a test that it is no tracer: an array that does not depend on a mapped argument is immutable too
import jax
import jax.numpy as jnp


def shifted(rate):
    if not isinstance(rate, jax.core.Tracer):
        rate[0] += 1.0  #! JAX501
    return rate


def step(state):
    parts = jax.tree.map(lambda leaf: shifted(leaf), {"a": jnp.zeros(3)})
    return state + parts["a"]


jax.vmap(step)(jnp.ones((4, 3)))


# %% behind a test that it is no tracer: an array of NumPy may be written
import jax
import jax.numpy as jnp
import numpy as np


def shifted(rate):
    if not isinstance(rate, jax.core.Tracer):
        rate[0] += 1.0
    return rate


print(jax.vmap(lambda state: state + shifted(np.zeros(3)))(jnp.ones((4, 3))))


# %% None or an array: neither takes items
import jax.numpy as jnp


def fill(n, ready):
    out = None
    if ready:
        out = jnp.zeros(n)
    out[0] = 1.0  #! JAX501
    return out


fill(3, True)


# %% None or something that takes items
import jax.numpy as jnp
import numpy as np


def fill(n, ready):
    out = None
    if ready:
        out = np.zeros(n)
    out[0] = 1.0
    table = None
    if ready:
        table = {}
    table["w"] = jnp.zeros(n)
    return out, table


fill(3, True)


# %% item assignment in tree.map
import jax
import jax.numpy as jnp


def zero_first(leaf):
    leaf[0] = 0.0 #! JAX501
    return leaf


print(jax.tree.map(zero_first, {"w": jnp.ones(3)}))


# %% item assignment in tree.map over a list of arrays
import jax
import jax.numpy as jnp

params = [jnp.ones(3), jnp.ones(2)]


def scale(leaf):
    leaf *= 2
    leaf[0] = 1.0 #! JAX501
    return leaf


print(jax.tree.map(scale, params))


# %% tree.map in jit
import jax
import jax.numpy as jnp


@jax.jit
def step(params):
    def clear(leaf):
        leaf[0] = 0.0 #! JAX501
        return leaf

    return jax.tree.map(clear, params)


step({"w": jnp.ones(3)})


# %% tree.map of two
import jax
import jax.numpy as jnp


@jax.jit
def step(params, grads):
    def update(p, g):
        p[:] = p - g #! JAX501
        return p

    return jax.tree.map(update, params, grads)


step({"w": jnp.ones(3)}, {"w": jnp.ones(3)})


# %% tree.map of an initialised tree
import jax
import jax.numpy as jnp


def init(key):
    return {"w": jax.random.normal(key, (3,)), "b": jnp.zeros(3)}


def clear(leaf):
    leaf[0] = 0.0 #! JAX501
    return leaf


params = init(jax.random.key(0))
params = jax.tree.map(clear, params)


# %% tree.map with path
import jax
import jax.numpy as jnp


def clear(path, leaf):
    leaf[0] = 0.0 #! JAX501
    return leaf


print(jax.tree_util.tree_map_with_path(clear, {"w": jnp.ones(3)}))


# %% tree.map over NumPy
import jax
import numpy as np


def clear(leaf):
    leaf[0] = 0.0
    return leaf


jax.tree.map(clear, {"w": np.ones(3)})


# %% tree.map over device_get'd
import jax
import jax.numpy as jnp
import numpy as np


def clear(leaf):
    leaf[0] = 0.0
    return leaf


jax.tree.map(clear, jax.tree.map(np.array, {"w": jnp.ones(3)}))


# %% for leaf in tree.leaves
import jax
import jax.numpy as jnp

params = {"w": jnp.ones(3)}
for leaf in jax.tree.leaves(params):
    leaf[0] = 0.0 #! JAX501


# %% np.array copy
import jax.numpy as jnp
import numpy as np

x = jnp.ones(3)
copy = np.array(x)
copy[0] = 2.0


# %% map over dict values loop
import jax
import jax.numpy as jnp

params = {"w": jnp.ones(3), "b": jnp.zeros(2)}
for name, leaf in params.items():
    leaf[0] = 1.0 #! JAX501


# %% dict value item
import jax
import jax.numpy as jnp

params = {"w": jnp.ones(3), "b": jnp.zeros(2)}
params["w"][0] = 1.0 #! JAX501


# %% list of arrays in a comprehension
import jax
import jax.numpy as jnp

rows = [jnp.zeros(3) for _ in range(4)]
rows[1][0] = 1.0 #! JAX501


# %% map() over arrays
import jax.numpy as jnp


def clear(row):
    row[0] = 0.0 #! JAX501
    return row


rows = list(map(clear, [jnp.ones(2), jnp.ones(3)]))


# %% named tuple with a field missing: the call raises before the write is reached
from typing import NamedTuple

import jax.numpy as jnp


class State(NamedTuple):
    w: object
    m: object


def make():
    state = State(jnp.zeros(3))
    state.w[0] = 1.0
    return state


try:
    make()
except TypeError as error:
    assert "missing" in str(error), error


# %% named tuple of collections: a field is missing
import collections

import jax.numpy as jnp

State = collections.namedtuple("State", "w m")


def make():
    state = State(jnp.zeros(3))
    state.w[0] = 1.0
    return state


try:
    make()
except TypeError as error:
    assert "missing" in str(error), error


# %% named tuple with too much: one argument has no field
from typing import NamedTuple

import jax.numpy as jnp


class State(NamedTuple):
    w: object


def make():
    state = State(jnp.zeros(3), 1)
    state.w[0] = 1.0
    return state


try:
    make()
except TypeError as error:
    assert "takes" in str(error), error


# %% function with an argument missing: the call raises before the write
import jax.numpy as jnp


def init(w, m):
    return w, m


def make():
    w = jnp.zeros(3)
    init(w)
    w[0] = 1.0
    return w


try:
    make()
except TypeError as error:
    assert "missing" in str(error), error


# %% object with an argument missing: it is never made
import jax.numpy as jnp


class State:
    def __init__(self, w, m):
        self.w = w


def make():
    w = jnp.zeros(3)
    state = State(w)
    w[0] = 1.0
    return w


try:
    make()
except TypeError as error:
    assert "missing" in str(error), error


# %% named tuple with a default: all fields are there, and the write raises
from typing import NamedTuple

import jax.numpy as jnp


class State(NamedTuple):
    w: object
    m: object = None


state = State(jnp.zeros(3))
state.w[0] = 1.0  #! JAX501


# %% what is given back as it came: NumPy's arrays, outside of compiled code
import jax
import jax.numpy as jnp
import numpy as np

waited = jax.block_until_ready(np.ones(3))
waited[0] = 2.0
copied = jax.copy_to_host_async(np.ones(3))
copied[0] = 2.0


def loss(theta, offsets):
    fixed, (first, _) = jax.lax.stop_gradient(offsets), jax.lax.stop_gradient((offsets, 1))
    if jax.block_until_ready(2.0) > 1.0 and jax.lax.stop_gradient(2.0) > 1.0:
        first = first + fixed
    return jnp.sum(theta * first)


jax.grad(loss)(jnp.ones(3), np.ones(3))


# %% JAX's arrays are given back as well
import jax
import jax.numpy as jnp

waited = jax.block_until_ready(jnp.ones(3))
waited[0] = 2.0 #! JAX501


# %% without their slope JAX's arrays are still such
import jax
import jax.numpy as jnp

stopped = jax.lax.stop_gradient(jnp.ones(3))
stopped[0] = 2.0 #! JAX501


# %% annotated as an array: who calls this is not known, what is written is
import sys

import jax
import jax.numpy as jnp


def clear_first(x: jax.Array):
    x[0] = 0.0  #! JAX501
    return x


getattr(sys.modules[__name__], "clear_first")(jnp.ones(3))


# %% annotated in a text, optional, and as jnp.ndarray
import sys
from typing import Optional

import jax
import jax.numpy as jnp


def clear_last(x: "Optional[jnp.ndarray]" = None):
    if x is not None:
        x[-1] += 1.0  #! JAX501
    return x


getattr(sys.modules[__name__], "clear_last")(jnp.ones(3))


# %% norun jaxtyping is not a dependency: its kinds of arrays
from jaxtyping import Array, Float, Int, PyTree
import numpy as np


def one(x: Float[Array, "n"]):
    x[0] = 0.0  #! JAX501


def other(x: "Int[Array, 'n m'] | None"):
    del x[0]  #! JAX501


def of_numpy(x: Float[np.ndarray, "n"]):
    x[0] = 0.0


def of_tree(x: PyTree[Array]):
    x["w"] = 0.0


# %% an annotated field
import sys

import jax
import jax.numpy as jnp


class Layer:
    weight: jax.Array

    def clear(self):
        self.weight[0] = 0.0  #! JAX501


layer = getattr(sys.modules[__name__], "Layer")()
layer.weight = jnp.ones(3)
layer.clear()


# %% annotated as something that may be a NumPy array, or shown to be one
from typing import Union

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.typing import ArrayLike


def of_numpy(x: np.ndarray):
    x[0] = 1.0
    return x


def of_either(x: Union[jax.Array, np.ndarray]):
    x[0] = 1.0
    return x


def of_like(x: ArrayLike):
    x[0] = 1.0
    return x


def copied(x: jax.Array):
    x = np.array(x)
    x[0] = 1.0
    return x


def shown(x: jax.Array):
    if isinstance(x, np.ndarray):
        x[0] = 1.0
    return x


def expected(x: jax.Array):
    with pytest.raises(TypeError):
        x[0] = 1.0


def caught(x: jax.Array):
    try:
        x[0] = 1.0
    except TypeError:
        x = x.at[0].set(1.0)
    return x


def in_containers(xs: list[jax.Array], by_name: dict[str, jax.Array]):
    xs[0] = jnp.zeros(3)
    by_name["a"] = jnp.zeros(3)


# %% what is given back is what was given: an annotation of the callee says nothing of the caller's array
import jax
import numpy as np


def checked(x: jax.Array):
    assert x.ndim == 1
    return x


def fill(n):
    table = checked(np.zeros(n))
    table[0] = 1.0
    return table


# %% norun nothing calls them: annotated as one of several kinds, under a name of the program's own
from typing import Dict, Optional, TypeVar, Union

import jax

T = TypeVar("T")
Nested = Union[T, Dict[str, "Nested[T]"]]
Tensor = jax.Array
Maybe = Optional[T]


def advance(state: Nested[Tensor]) -> Nested[Tensor]:
    state["step"] = state["step"] + 1
    return state


def update(base: Nested[Tensor], updates: Nested[Tensor]) -> Nested[Tensor]:
    if isinstance(updates, Tensor):
        return updates
    for name, value in updates.items():
        base[name] = update(base[name], value) if name in base else value
    return base


def fill(rows: Maybe[list], row: Tensor):
    rows[0] = row
    return rows


# %% norun nothing calls them: annotated as an array, under a name of the program's own, and as one or None
from typing import Optional, Union

import jax

Tensor = jax.Array


def advance(state: Tensor):
    state[0] = 1.0  #! JAX501
    return state


def maybe(state: Optional[Tensor]):
    state[0] = 1.0  #! JAX501
    return state


def written(state: Union[Tensor, None]):
    state[0] = 1.0  #! JAX501
    return state


# %% a view of an array: np.asarray shows what JAX holds
import jax.numpy as jnp
import numpy as np


def standardised(x):
    flat = np.asarray(jnp.ravel(x))
    flat[0] = 0.0  #! JAX501
    return flat


standardised(jnp.ones((2, 2)))


# %% a view of an array: jax.device_get gives one
import jax
import jax.numpy as jnp

held = jax.device_get(jnp.zeros(3))
held[0] += 1.0  #! JAX501


# %% copies of an array, and arrays of NumPy
import jax
import jax.numpy as jnp
import numpy as np

x = jnp.zeros(3)
copied, also = np.array(x), np.asarray(x).copy()
copied[0] = also[0] = 1.0
made = np.asarray(x) + 1
made[0] = 1.0
cast = np.asarray(x, dtype=np.float64)
cast[0] = 2.0
own = np.asarray([1.0, 2.0])
own[0] = 2.0
asked = np.asarray(own)
asked[1] = 3.0
either = np.asarray(x) if x.sum() > 0 else np.zeros(3)
either[0] = 1.0
print(copied, also, made, cast, own, asked, either)


# %% the diagonal of an array of JAX
import jax.numpy as jnp
import numpy as np

kernel = jnp.ones((3, 3))
np.fill_diagonal(kernel, 0.0)  #! JAX501


# %% ok: of a copy, or by jax.numpy
import jax.numpy as jnp
import numpy as np

kernel = np.array(jnp.ones((3, 3)))
np.fill_diagonal(kernel, 0.0)
print(jnp.fill_diagonal(jnp.asarray(kernel), 2.0, inplace=False))


# %% collectives of pytrees, and of arrays
import jax
import jax.numpy as jnp


def gathered(losses):
    metrics = jax.lax.all_gather(losses, axis_name="batch")
    metrics["rate"] = 0.1
    return metrics


def moved(losses, x):
    x = jax.lax.ppermute(x, "batch", [(0, 0)])
    losses = jax.lax.ppermute(losses, "batch", [(0, 0)])
    losses["rate"] = 0.1
    x[0] = 1.0  #! JAX501
    return losses, x


losses = {"loss": jnp.ones(1)}
print(jax.vmap(gathered, axis_name="batch")(losses))
print(jax.vmap(moved, axis_name="batch")(losses, jnp.ones((1, 2))))


# %% an array of a pytree of arrays, by two indices, and items of dicts and lists in it
import jax
import jax.numpy as jnp


@jax.jit
def masked(params):
    params = jax.tree.map(lambda p: p * 2.0, params)
    params["dense"]["kernel"][0, :] = 0.0  #! JAX501
    return params


@jax.jit
def replaced(params):
    params = jax.tree.map(lambda p: p * 2.0, params)
    params["dense"] = {"kernel": jnp.zeros((2, 2))}
    params["layers"][0] = jnp.ones(3)
    params["pairs"]["a", "b"] = jnp.ones(2)
    return params


replaced({"dense": {"kernel": jnp.ones((2, 2))}, "layers": [jnp.ones(3)], "pairs": {}})
masked({"dense": {"kernel": jnp.ones((2, 2))}})


# %% cotangents and tangents are pytrees of the form of the values they belong to
import jax
import jax.numpy as jnp


@jax.custom_vjp
def state_of(x):
    return {"position": x * 2.0, "velocity": x * 3.0}


def state_fwd(x):
    return state_of(x), None


def state_bwd(_, cotangent):
    cotangent["velocity"] = jnp.zeros_like(cotangent["velocity"])
    return (cotangent["position"] * 2.0 + cotangent["velocity"] * 3.0,)


state_of.defvjp(state_fwd, state_bwd)


@jax.custom_jvp
def energy(state):
    return jnp.sum(state["position"] ** 2)


@energy.defjvp
def energy_jvp(primals, tangents):
    (state,), (tangent,) = primals, tangents
    tangent["mass"] = jnp.zeros(())
    return energy(state), jnp.sum(2.0 * state["position"] * tangent["position"])


print(jax.grad(lambda x: state_of(x)["position"].sum())(jnp.ones(3)))
print(jax.grad(lambda x: energy({"position": x}))(jnp.ones(3)))


# %% an array in such a cotangent
import jax
import jax.numpy as jnp


@jax.custom_vjp
def scaled(x):
    return {"a": x * 2.0, "b": x * 3.0}


def scaled_fwd(x):
    return scaled(x), None


def scaled_bwd(_, cotangent):
    cotangent["a"][0] = 0.0  #! JAX501
    return (cotangent["a"] * 2.0 + cotangent["b"] * 3.0,)


scaled.defvjp(scaled_fwd, scaled_bwd)
print(jax.grad(lambda x: scaled(x)["a"].sum())(jnp.ones(3)))


# %% custom_gradient's backward pass gets what the result is like
import jax
import jax.numpy as jnp


@jax.custom_gradient
def clipped(x):
    def backward(cotangent):
        cotangent["b"] = jnp.zeros_like(cotangent["b"])
        return cotangent["a"] * 2.0

    return {"a": x * 2.0, "b": x * 3.0}, backward


@jax.custom_gradient
def zeroed(x):
    def backward(cotangent):
        cotangent["a"][0] = 0.0  #! JAX501
        return cotangent["a"] * 2.0

    return {"a": x * 2.0}, backward


print(jax.grad(lambda x: clipped(x)["a"].sum())(jnp.ones(3)))
print(jax.grad(lambda x: zeroed(x)["a"].sum())(jnp.ones(3)))

# %% items of what an attribute of an array gives: no attribute can be set
import jax.numpy as jnp

x = jnp.ones((3, 3))
x.T[0] = 1.0  #! JAX501

# %% items at a list, which JAX does not take for an array
import jax.numpy as jnp

x = jnp.ones((3, 3))
x[[0, 1]] *= 2.0  #! JAX501

# %% items at a list beside a number
import jax.numpy as jnp

x = jnp.ones((3, 3))
x[0, [1, 2]] = 2.0  #! JAX501

# %% what `device_get` leaves in a collection, and rows of such an array
import jax
import jax.numpy as jnp
import numpy as np

step = jax.jit(lambda x: {"heat": x + 1, "pair": (x, x)})
out = jax.device_get(step(jnp.zeros((2, 3))))
copy = out["heat"].copy()
copy[0] = 1.0
picked = out["heat"][np.array([0, 1])]
picked[0] = 1.0
for number in np.asarray(jnp.zeros(3)):
    print(number + 1)
rows = np.array(jnp.zeros((2, 3)))
for row in rows:
    row[0] = 1.0
row = out["heat"][0]
row[0] = 1.0  #! JAX501

# %% items of collections that `device_get` gives
import jax
import jax.numpy as jnp

step = jax.jit(lambda x: {"heat": x + 1, "pair": (x, x)})
out = jax.device_get(step(jnp.zeros((2, 3))))
first, second = out["pair"]
out["heat"][0, 0] = 1.0  #! JAX501
first[0] = 1.0  #! JAX501

# %% rows that a loop goes through
import jax
import jax.numpy as jnp
import numpy as np

for row in np.asarray(jnp.zeros((2, 3))):
    row[0] = 1.0  #! JAX501

# %% the whole of a view is changed in place
import jax
import jax.numpy as jnp
import numpy as np


def shifted(x):
    host = jax.device_get(jnp.tanh(x))
    host -= host.mean()  #! JAX501
    return host


def scaled(x):
    y = np.asarray(jnp.tanh(x))
    y *= 2  #! JAX501
    return y


def total(x):
    y = np.asarray(jnp.sum(x))
    y += 1  #! JAX501
    return y


def copied(x):
    y = np.array(jnp.tanh(x))
    y *= 2
    z = jax.device_get(jnp.tanh(x))
    z = z * 2
    z += y
    number = np.asarray(jnp.tanh(x))[0]
    number += 1
    x += 1
    return y, z, number, x


print(copied(jnp.ones(3)))
for each in (shifted, scaled, total):
    print(each(jnp.ones(3)))

# %% an assert says that it is an array of NumPy, or that it may be
import jax
import jax.numpy as jnp
import numpy as np

USES_JAX = True


def copy(x):
    return jnp.array(x) if USES_JAX else np.copy(x)


def changed(x):
    y = copy(x)
    assert isinstance(y, np.ndarray)
    y[0] = 999
    return y


def array(x):
    y = jnp.array(x)
    assert isinstance(y, (np.ndarray, jax.Array))
    y[0] = 999  #! JAX501
    return y


USES_JAX = False
print(changed(np.ones(3)))
array(np.ones(3))

# %% methods and functions of NumPy that write into a view
import operator
import random

import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)


def sorted_in_place(v):
    v.sort()  #! JAX501


def filled(v):
    v.fill(0)  #! JAX501


def clipped(v):
    v.clip(0, 1, out=v)  #! JAX501


def doubled(v):
    np.multiply(v, 2, v)  #! JAX501


def added(v):
    np.add(v, 1, out=(v,))  #! JAX501


def summed(v):
    np.cumsum([1.0, 2.0, 3.0], out=v)  #! JAX501


def copied(v):
    np.copyto(v, 0)  #! JAX501


def masked(v):
    np.putmask(v, v > 0, 1)  #! JAX501


def without_nan(v):
    np.nan_to_num(v, copy=False)  #! JAX501


def middle(v):
    np.median(v, overwrite_input=True)  #! JAX501


def shuffled(v):
    rng.shuffle(v)  #! JAX501


def shuffled_by_python(v):
    random.shuffle(v)  #! JAX501


def drawn(v):
    rng.standard_normal(dtype=np.float32, out=v)  #! JAX501


def by_name(v):
    operator.iadd(v, 1)  #! JAX501


def by_special_name(v):
    v.__setitem__(0, 1)  #! JAX501


writers = [sorted_in_place, filled, clipped, doubled, added, summed, copied, masked, without_nan]
writers += [middle, shuffled, shuffled_by_python, drawn, by_name, by_special_name]
accepted = []
for write in writers:
    try:
        write(np.asarray(jnp.arange(3.0)))
    except ValueError:
        continue
    accepted.append(write)
assert not accepted, accepted
np.asarray(jnp.arange(3.0)).sort()  #! JAX501

# %% methods and functions of NumPy that write elsewhere, or make a new array
import operator
import random

import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)


def made_of(v, out=None):
    print(np.sort(v), v.clip(0, 1), np.clip(v, 0, 1, out=None), v.byteswap(), v.round())
    print(np.nan_to_num(v), np.nan_to_num(v, copy=True), np.median(v), operator.add(v, 1))
    print(rng.permutation(v), rng.permuted(v), random.sample(list(v), 2), np.cumsum(v, out=out))
    copy = np.empty_like(v)
    np.copyto(copy, v)
    np.multiply(v, 2, out=copy)
    np.multiply(v, 2, copy)
    v.clip(0, 1, out=copy)
    copy.sort()
    rng.shuffle(copy)
    own = v.copy()
    own.fill(0)
    own.partition(1)
    operator.iadd(own, 1)
    whole = np.asarray(jnp.arange(3))
    np.nan_to_num(whole, copy=False)
    number = v[0]
    np.add(number, 1, out=copy)
    either = v if v.flags.writeable else v.copy()
    either.sort()
    return copy


made_of(np.asarray(jnp.arange(3.0)))
made_of(jax.device_get(jnp.arange(3.0)))

# %% `out=` that is an array of JAX
import jax.numpy as jnp
import numpy as np

out = jnp.empty(3)
np.multiply(np.arange(3.0), 2, out=out)  #! JAX501

# %% `out=` of a function that hands the work on to an array of JAX
import jax.numpy as jnp
import numpy as np

np.sum(jnp.ones((3, 3)), axis=0, out=jnp.empty(3))  #! JAX501

# %% Python's shuffle assigns items
import random

import jax.numpy as jnp

x = jnp.arange(8)
print(random.sample(list(x), 3))
items = list(x)
random.shuffle(items)
random.shuffle(x)  #! JAX501

# %% views of a view
import jax.numpy as jnp
import numpy as np

x = jnp.arange(4.0)
v = np.asarray(x)


def view_0():
    v.reshape(2, 2)[0] = 1  #! JAX501


def view_1():
    v.reshape((2, 2)).T[0] = 1  #! JAX501


def view_2():
    np.reshape(v, (2, 2))[0] = 1  #! JAX501


def view_3():
    v.ravel()[0] = 1  #! JAX501


def view_4():
    np.ravel(x)[0] = 1  #! JAX501


def view_5():
    np.transpose(v)[0] = 1  #! JAX501


def view_6():
    v.reshape(2, 2).transpose(1, 0)[0] = 1  #! JAX501


def view_7():
    v.reshape(2, 2).swapaxes(0, 1)[0] = 1  #! JAX501


def view_8():
    v[None].squeeze(0)[0] = 1  #! JAX501


def view_9():
    np.expand_dims(v, 0)[0] = 1  #! JAX501


def view_10():
    np.flip(v)[0] = 1  #! JAX501


def view_11():
    np.asarray(v)[0] = 1  #! JAX501


def view_12():
    np.asanyarray(x)[0] = 1  #! JAX501


def view_13():
    np.ascontiguousarray(x)[0] = 1  #! JAX501


def view_14():
    np.broadcast_to(x, (2, 4))[0] = 1  #! JAX501


def view_15():
    np.atleast_2d(x)[0] = 1  #! JAX501


def view_16():
    np.from_dlpack(x)[0] = 1  #! JAX501


def view_17():
    x.__array__()[0] = 1  #! JAX501


def view_18():
    v[1:].ravel()[0] = 1  #! JAX501


def view_19():
    v.view()[0] = 1  #! JAX501


def view_20():
    np.split(v, 2)[0][0] = 1  #! JAX501


def view_21():
    np.moveaxis(v.reshape(2, 2), 0, 1)[0] = 1  #! JAX501


writers = [view_0, view_1, view_2, view_3, view_4, view_5, view_6, view_7, view_8, view_9, view_10]
writers += [view_11, view_12, view_13, view_14, view_15, view_16, view_17, view_18, view_19, view_20, view_21]
accepted = []
for write in writers:
    try:
        write()
    except ValueError:
        continue
    accepted.append(write)
assert not accepted, accepted
for row in np.split(v, 2):
    row += 1  #! JAX501

# %% copies of a view, by what is asked for or since its items lie apart
import jax.numpy as jnp
import numpy as np


def show(x):
    v = np.asarray(x)
    v.reshape(2, 2).T.reshape(-1)[0] = 1
    v.reshape(2, 2).T.ravel()[0] = 1
    np.ravel(v.reshape(2, 2)[:, 0])[0] = 1
    np.ravel(v[::2])[0] = 1
    np.ascontiguousarray(v[::2])[0] = 1
    v.reshape(2, 2).ravel(order="F")[0] = 1
    np.reshape(np.reshape(v, (2, 2)), 4, order="F")[0] = 1
    np.reshape(v, (2, 2), copy=True)[0] = 1
    np.asarray(v, copy=True)[0] = 1
    np.asarray(x, dtype=np.float64)[0] = 1
    np.asarray(v, np.float64)[0] = 1
    np.require(v, requirements="W")[0] = 1
    np.require(v, None, ["W"])[0] = 1
    np.array(v)[0] = 1
    v.flatten()[0] = 1
    v.astype(int)[0] = 1
    np.concatenate([v, v])[0] = 1
    np.reshape(np.zeros(4), (2, 2))[0] = 1
    np.squeeze(np.zeros((1, 4)))[0] = 1
    v[v > 0].reshape(-1)[0] = 1
    number = v.reshape(4)[0]
    number += 1
    for number in np.ravel(v):
        number += 1
    total = np.reshape(v, -1)[1]
    total += 1


show(jnp.arange(4.0))
for number in np.asarray(jnp.array([1.0, 2.0])):
    number += 1


# %% norun nothing calls them: annotated as a tree of arrays, which a traced function is handed, and as an array
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Key, PyTree


class Shifts:
    @jax.jit
    def of_tree(data: PyTree[Float[Array, "n"]], key: Key[Array, ""]):
        for b in range(len(data)):
            data[b] = jnp.roll(data[b], 1)
        return data

    @jax.jit
    def of_array(data: Float[Array, "n"], other: PyTree[Float[Array, "n"]]):
        data[0] = jnp.roll(data[0], 1)  #! JAX501
        other[0] = data
        return data


def use(x, y, key):
    x = changed(x, y)
    return Shifts.of_tree(x, key), Shifts.of_array(x, y)


@jax.jit
def changed(x, y):
    return jax.tree.map(lambda x, y: x.at[0].set(y[0]), x, y)


# %% what an abstract method gives is what the classes below say
import abc

import jax.numpy as jnp
import numpy as np


class Basis(abc.ABC):
    def compute_features(self, *xi):
        if xi[0].size == 0:
            return jnp.zeros((xi[0].shape[0], 3))
        return self._compute_features(*xi)

    def both(self, x):
        if x.size == 0:
            return jnp.zeros((0, 3))
        return self._of_arrays(x)

    @abc.abstractmethod
    def _compute_features(self, *xi):
        """Features of the input."""

    def _of_arrays(self, x):
        return jnp.stack([x, x], 1)


class Spline(Basis):
    def _compute_features(self, *xi):
        return np.stack([np.asarray(xi[0]) ** i for i in range(5)], 1)


class Conv(Basis):
    def _compute_features(self, *xi):
        return jnp.convolve(xi[0], jnp.ones(3))[:, None]


def changed(basis: Basis):
    x = basis.compute_features(np.random.randn(10))
    x[:2, 2] = [np.nan, np.nan]
    return x


def refused(basis: Basis):
    x = basis.both(np.random.randn(10))
    x[:2, 1] = 0.0  #! JAX501
    return x


print(np.isnan(changed(Spline())).sum())
refused(Conv())


# %% functions that are called where their error is expected: by numpy, and by own helpers
import contextlib

import jax
import jax.numpy as jnp
import numpy as np


def assign(*args):
    x = jnp.ones(3)
    x[0] = 1.0


@contextlib.contextmanager
def expect(error):
    try:
        yield
    except error:
        pass
    else:
        raise AssertionError("did not raise")


class Expect:
    def __init__(self, error):
        self.error = error

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        assert kind is not None
        return issubclass(kind, self.error)


def assert_raises(error, fn, *args):
    try:
        fn(*args)
    except error:
        return
    raise AssertionError("did not raise")


np.testing.assert_raises(TypeError, assign)
np.testing.assert_raises_regex(TypeError, "immutable", assign)
with np.testing.assert_raises(TypeError):
    y = jnp.ones(3)
    y[0] = 1.0
with expect(TypeError):
    x = jnp.ones(3)
    x[0] = 1.0
with Expect(TypeError):
    x = jnp.ones(3)
    x[0] = 1.0
assert_raises(TypeError, jax.jit(lambda x: float(x)), 1.0)
assert_raises(TypeError, assign)


# %% tests that are to fail, or are not run, and functions that they make for their errors
import unittest

import jax.numpy as jnp
import pytest


@pytest.mark.xfail
def test_bare():
    x = jnp.ones(3)
    x[0] = 1.0


@pytest.mark.xfail(reason="immutable")
@pytest.mark.parametrize("n", [1, 2])
def test_each(n):
    x = jnp.ones(n)
    x[0] = 1.0


@unittest.skip("broken")
class Skipped(unittest.TestCase):
    def test_it(self):
        x = jnp.ones(3)
        x[0] = 1.0


class Expected(unittest.TestCase):
    @unittest.expectedFailure
    def test_it(self):
        x = jnp.ones(3)
        x[0] = 1.0


def raises(fn):
    try:
        fn()
    except Exception:
        return True
    return False


def note_error(fn):
    error = None
    try:
        fn()
    except Exception as e:
        error = e
    assert error is not None and isinstance(error, TypeError)


def must_fail(fn):
    def run():
        try:
            fn()
        except Exception:
            return
        pytest.fail("no error")

    return run


def test_made():
    def bad():
        x = jnp.ones(3)
        x[0] = 1.0

    def worse():
        x = jnp.ones(3)
        x[0] = 1.0

    with pytest.raises(TypeError):
        bad()
    assert raises(worse)
    note_error(worse)


@must_fail
def test_decorated():
    x = jnp.ones(3)
    x[0] = 1.0


test_made()
test_decorated()


# %% norun: tests that are to pass, at least somewhere
import jax
import jax.numpy as jnp
import pytest


@pytest.mark.xfail(False, reason="never")
def test_never():
    x = jnp.ones(3)
    x[0] = 1.0  #! JAX501


@pytest.mark.xfail(jax.device_count() > 1, reason="sharded")
def test_condition():
    x = jnp.ones(3)
    x[0] = 1.0  #! JAX501


@pytest.mark.slow
def test_slow():
    x = jnp.ones(3)
    x[0] = 1.0  #! JAX501


def test_both():
    def bad():
        x = jnp.ones(3)
        x[0] = 1.0  #! JAX501

    with pytest.raises(TypeError):
        bad()
    bad()


# %% norun: errors that only pass by, and helpers that want none
import contextlib

import jax.numpy as jnp


@contextlib.contextmanager
def logged():
    try:
        yield
    except Exception as e:
        print(e)
        raise


class Timer:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        print(kind is None)
        return False


def retry(fn, errors=(ValueError,)):
    for _ in range(3):
        try:
            return fn()
        except errors:
            continue
    raise RuntimeError


def works(fn):
    try:
        fn()
    except Exception:
        return False
    return True


def checked(fn):
    failed = False
    try:
        fn()
    except Exception:
        failed = True
    assert not failed


def first():
    x = jnp.ones(3)
    x[0] = 1.0  #! JAX501


def second():
    x = jnp.ones(3)
    x[0] = 1.0  #! JAX501


def third():
    x = jnp.ones(3)
    x[0] = 1.0  #! JAX501


with logged():
    x = jnp.ones(3)
    x[0] = 1.0  #! JAX501
with Timer():
    x = jnp.ones(3)
    x[0] = 1.0  #! JAX501
retry(first)
works(second)
checked(third)

# %% a kernel is given trees of references, as its arguments and its scratch memory are
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def clear(scratches):
    *_, last = scratches
    last[0] = 0.0


def kernel(pair, o_ref, scratches, one_ref):
    left, right = pair
    clear(scratches[:-1])
    scratches[-1][0] = 1.0
    for each in scratches:
        each[1] = 2.0
    one_ref[0] = 1.0
    o_ref[...] = left[...] + right[...] + scratches[0][...]


shape = jax.ShapeDtypeStruct((4,), jnp.float32)
scratch = ((pltpu.VMEM((4,), jnp.float32), pltpu.VMEM((4,), jnp.float32)), pltpu.VMEM((4,), jnp.float32))
add = pl.pallas_call(kernel, out_shape=shape, scratch_shapes=scratch, interpret=True)
print(add((jnp.ones(4), jnp.ones(4))))

# %% scratch memory of a kernel that only a grid says
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def kernel(step_ref, x_ref, o_ref, buffers):
    buffers[0][0] = x_ref[0]
    o_ref[...] = x_ref[...] + buffers[0][0] + step_ref[0]


def run(x, memory):
    spec = pltpu.PrefetchScalarGridSpec(
        num_scalar_prefetch=1,
        grid=(1,),
        in_specs=[pl.BlockSpec((4,), lambda i, _: (0,))],
        out_specs=pl.BlockSpec((4,), lambda i, _: (0,)),
        scratch_shapes=[memory],
    )
    call = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((4,), jnp.float32), grid_spec=spec, interpret=True)
    return call(jnp.zeros(1, int), x)


print(run(jnp.ones(4), (pltpu.VMEM((4,), jnp.float32),)))

# %% what is annotated as an array is a dict where items of it are taken by members of an enumeration
import enum
from typing import Dict, List

import jax.numpy as jnp

Array = jnp.ndarray


class Block(enum.Enum):
    ANCHOR = 0
    RIGHT = 1


class Hierarchy:
    @property
    def block_names(self) -> List[Block]:
        return list(Block)


class Attention:
    def __call__(self, similarity: Dict[Block, Array], partitioner=None) -> Dict[Block, Array]:
        hierarchy = Hierarchy()
        attention = self._weights(similarity, hierarchy)
        if partitioner is not None:
            attention = partitioner.annotate(attention)
        return self._scaled(attention, hierarchy)

    def _weights(self, similarity: Dict[Block, Array], hierarchy: Hierarchy) -> Dict[Block, Array]:
        attention = {}
        for name in hierarchy.block_names:
            attention[name] = jnp.exp(similarity[name])
        return attention

    def _scaled(self, attention: Array, hierarchy: Hierarchy) -> Array:
        for name in hierarchy.block_names:
            attention[name] *= 0.5
        return attention

    def _shifted(self, attention: Array, name: Block, amount: float):
        attention[Block.ANCHOR] += amount
        return attention

    def _each(self, attention: Array) -> Array:
        for name in Block:
            attention[name] = -attention[name]
        del attention[Block.RIGHT]
        return attention


print(Attention()({each: jnp.ones(3) for each in Block}))

# %% ... by texts, and where its methods are those of a dict
import jax
import jax.numpy as jnp


def normalized(batch: jax.Array, names, mean):
    for name in names:
        batch[name] = batch[name] - mean
    return batch["image"]


def scaled(batch: jnp.ndarray, factor):
    for name in batch.keys():
        batch[name] = batch[name] * factor
    return batch


def first(batch: jax.Array, names=("image", "label")):
    for name in names:
        batch[name] = batch[name][0]
    return batch


def without(batch: jax.Array):
    del batch["label"]
    return batch


batch = {"image": jnp.ones((2, 3)), "label": jnp.zeros((2,))}
print(first(scaled(dict(batch), 2.0)), normalized(dict(batch), [*batch], 1.0), without(dict(batch)))

# %% ... but members that are numbers, and numbers, are indices of arrays
import enum

import jax
import jax.numpy as jnp


class Axis(enum.IntEnum):
    X = 0
    Y = 1


def moved(position: jax.Array, amount):
    position[Axis.X] += amount  #! JAX501
    return position


def mirrored(position: jax.Array):
    for axis in Axis:
        position[axis] = -position[axis]  #! JAX501
    return position


def cleared(position: jax.Array, index: int):
    position[index] = 0.0  #! JAX501
    return position


moved(jnp.zeros(2), 1.0)

# %% a branch that runs only where an object has an attribute that nothing in the program sets
import copy

import jax.numpy as jnp
import numpy as np


class World:
    def __init__(self):
        self.agents = ["a", "b"]


class Env:
    def __init__(self, world):
        self.world = world
        self.force_discrete = world.discrete_action if hasattr(world, "discrete_action") else False
        self.clip = getattr(world, "clip", False)

    def step(self, action_n):
        return [self._set_action(copy.deepcopy(action)) for action in action_n]

    def _set_action(self, action):
        action = [action]
        if self.force_discrete:
            d = np.argmax(action[0])
            action[0][:] = 0.0
            action[0][d] = 1.0
        if self.clip:
            action[0][0] = 0.0
        if hasattr(self.world, "offset"):
            action[0][0] += self.world.offset
        return action[0] * 5.0


actions = jnp.ones((2, 5))
print(Env(World()).step([actions[i] for i in range(2)]))

# %% ... but not where it is set, also by its name alone
import jax.numpy as jnp


class World:
    def __init__(self, discrete):
        if discrete:
            self.discrete_action = True


class Named:
    pass


class Any:
    def __init__(self, **settings):
        for name, value in settings.items():
            setattr(self, name, value)


class Kept:
    def __init__(self, **settings):
        self.__dict__.update(settings)


class Base:
    @staticmethod
    def prepare(world):
        world.prepared = True


class Derived(Base):
    offset = 1.0


def first(world, action):
    if hasattr(world, "discrete_action"):
        action[0] = 0.0  #! JAX501
    return action


def second(world, action):
    if getattr(world, "named", False):
        action[0] = 0.0  #! JAX501
    return action


def third(world, action):
    if hasattr(world, "other"):
        action[0] = 0.0  #! JAX501
    return action


def fourth(world, action):
    if hasattr(world, "kept"):
        action[0] = 0.0  #! JAX501
    return action


def fifth(world, action):
    if hasattr(world, "offset"):
        action[0] = 0.0  #! JAX501
    return action


def sixth(world, action):
    if hasattr(world, "prepared"):
        action[0] = 0.0  #! JAX501
    return action


named = Named()
sixth(named, jnp.ones(3))
setattr(named, "named", True)
first(World(False), jnp.ones(3))
fourth(Kept(), jnp.ones(3))
third(Any(), jnp.ones(3))
fifth(Derived(), jnp.ones(3))
second(named, jnp.ones(3))

# %% a dict and another one by `|`, of what a scan carries
import jax
import jax.numpy as jnp


def update(state, params):
    new = state | dict(count=state["count"] + 1)
    new["target"] = jax.tree.map(lambda old, leaf: 0.9 * old + 0.1 * leaf, state["target"], params)
    last = {"count": 0} | state
    last["target"] = new["target"]
    last |= new
    last["count"] = new["count"]
    return last


@jax.jit
def run(state, params):
    return jax.lax.scan(lambda carry, _: (update(carry, params), None), state, None, length=3)[0]


run({"count": jnp.array(0), "target": jnp.ones(3)}, jnp.ones(3))
