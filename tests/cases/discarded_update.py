

# %% bare .at update: the array stays as it was
import jax.numpy as jnp

x = jnp.zeros(3)
x.at[0].set(1.0)  #! JAX502
assert float(x[0]) == 0.0

# %% inside jit: the function returns the array it was given
import jax
import jax.numpy as jnp


@jax.jit
def pin_ends(u):
    v = jnp.tanh(u)
    v.at[0].set(0.0)  #! JAX502
    v.at[-1].set(0.0)  #! JAX502
    return v


pin_ends(jnp.ones(4))

# %% accumulation in a loop: nothing is added, however often
import jax.numpy as jnp


def histogram(bins, n):
    counts = jnp.zeros(n, dtype=int)
    for b in bins:
        counts.at[b].add(1)  #! JAX502
    return counts


assert int(histogram([0, 2, 2], 3).sum()) == 0

# %% chained updates: the first one's result is used, the last one's is not
import jax.numpy as jnp

weights = jnp.ones((2, 2))
weights.at[0, 0].set(0.0).at[1, 1].multiply(3.0)  #! JAX502

# %% attribute of self: the buffer of the object is not written
import jax.numpy as jnp


class Recorder:
    def __init__(self, n):
        self.trace = jnp.zeros(n)
        self.index = 0

    def record(self, value):
        self.trace.at[self.index].set(value)  #! JAX502
        self.index += 1


Recorder(4).record(1.5)

# %% scan body: the carry goes round unchanged
import jax.numpy as jnp
from jax import lax


def body(memory, item):
    slot, value = item
    memory.at[slot].max(value)  #! JAX502
    return memory, value


lax.scan(body, jnp.zeros(4), (jnp.arange(4), jnp.ones(4)))

# %% item of a dict: the array in the dict is not replaced
import jax.numpy as jnp

state = {"position": jnp.zeros(3)}
state["position"].at[2].set(1.0)  #! JAX502

# %% sort of a JAX array: NumPy's sorts in place, this one returns
import jax.numpy as jnp

scores = jnp.array([3.0, 1.0, 2.0])
scores.sort()  #! JAX502
best = scores[-1]

# %% astype: a cast is a new array, here as in NumPy
import jax.numpy as jnp


def to_half(params):
    kernel = jnp.asarray(params)
    kernel.astype(jnp.float16)  #! JAX502
    return kernel


to_half([1.0, 2.0])

# %% discarded split: a key is not a generator with a state
import jax


def refresh(key):
    jax.random.split(key)  #! JAX502
    return key


refresh(jax.random.key(0))

# %% discarded fold_in: the key that is used later is the old one
import jax
import jax.numpy as jnp


@jax.jit
def noisy_step(x, key, step):
    jax.random.fold_in(key, step)  #! JAX502
    return x + jax.random.normal(key, x.shape)


noisy_step(jnp.zeros(2), jax.random.key(1), 3)

# %% norun optax is not a dependency: apply_updates returns the new parameters
import jax
import jax.numpy as jnp
import optax


def fit(params, grads):
    optimiser = optax.sgd(0.1)
    opt_state = optimiser.init(params)
    updates, opt_state = optimiser.update(grads, opt_state, params)
    optax.apply_updates(params, updates)  #! JAX502
    return params, opt_state


fit({"w": jnp.zeros(3)}, {"w": jnp.ones(3)})

# %% in a branch: one arm assigns, the other one forgets to
import jax.numpy as jnp


def clip_one(x, lower):
    if lower:
        x = x.at[0].max(0.0)
    else:
        x.at[0].min(1.0)  #! JAX502
    return x


clip_one(jnp.array([2.0, 3.0]), lower=False)

# %% an optimizer that is given pairs of gradients and variables is no train state, and changes them in place
import operator

import jax
import jax.numpy as jnp
import numpy as np


class Descent:
    def __init__(self, rate):
        self.rate = rate


def apply_gradients(pairs):
    for gradient, variable in pairs:
        variable -= 0.1 * np.asarray(gradient)


def of_variables(optimizer, variables):
    gradients = jax.grad(lambda held: sum(jnp.sum(each**2) for each in held))(variables)
    optimizer.apply_gradients(zip(gradients, variables))


def of_state(state, gradients):
    state.apply_gradients(grads=gradients) #! JAX502
    return state


optimizer = Descent(0.1)
setattr(optimizer, "apply_gradients", apply_gradients)
variables = [np.ones(2)]
operator.call(of_variables, optimizer, variables)
print(variables)

# %% apply with a function: the functional ufunc.at, forgotten
import jax.numpy as jnp

angles = jnp.linspace(0.0, 1.0, 4)
angles.at[jnp.array([0, 2])].apply(jnp.sin)  #! JAX502

# %% assigned: the name is rebound
import jax.numpy as jnp

x = jnp.zeros(3)
x = x.at[0].set(1.0)
y = x.at[1].add(2.0)

# %% returned: from a def, from a lambda, from a method
import jax
import jax.numpy as jnp


@jax.jit
def zero_first(x):
    return x.at[0].set(0.0)


one_last = lambda x: x.at[-1].set(1.0)


class Mask:
    def apply(self, x):
        return x.at[1].set(0.0)


Mask().apply(one_last(zero_first(jnp.ones(4))))

# %% used as an argument: the result goes somewhere
import jax
import jax.numpy as jnp

x = jnp.ones(4)
print(x.at[2].set(5.0))
jax.block_until_ready(x.at[0].add(1.0))
results = []
results.append(x.at[1].set(0.0))
rows = [x.at[i].set(9.0) for i in range(2)]
assert float(x.at[3].set(2.0)[3]) == 2.0

# %% yielded and walrus: both keep the value
import jax.numpy as jnp


def perturbations(x):
    for i in range(2):
        yield x.at[i].add(1e-3)


if (bumped := jnp.zeros(2).at[0].set(1.0)).shape == (2,):
    total = bumped.sum()
list(perturbations(jnp.zeros(2)))

# %% sort in place: lists and NumPy arrays are sorted by the method
import numpy as np

names = ["b", "a"]
names.sort()
values = np.array([3, 1, 2])
values.sort()

# %% NumPy copy of a JAX array: sorted in place on the host
import jax.numpy as jnp
import numpy as np

scores = np.array(jnp.array([3.0, 1.0, 2.0]))
scores.sort()
assert scores[0] == 1.0

# %% warm-up and waiting: calls made for their time are not updates
import jax
import jax.numpy as jnp

f = jax.jit(lambda x: x * 2.0)
x = jnp.ones(8)
f(x)
f(x).block_until_ready()
x.block_until_ready()
x.copy_to_host_async()

# %% at of its own: a class with a mutating .at[...] accessor
class Timeline:
    def __init__(self):
        self.events = {}

    @property
    def at(self):
        timeline = self

        class Cursor:
            def __init__(self, when):
                self.when = when

            def set(self, what):
                timeline.events[self.when] = what

        class Access:
            def __getitem__(self, when):
                return Cursor(when)

        return Access()


timeline = Timeline()
timeline.at[3].set("start")
assert timeline.events == {3: "start"}

# %% mutating methods: dict, set and deque change in place
from collections import deque

import jax.numpy as jnp

state = {}
state.update(loss=jnp.zeros(()))
seen = set()
seen.add("w")
window = deque(maxlen=3)
window.append(jnp.ones(2))

# %% references: a ref is updated by assignment and by jax.ref functions
import jax
import jax.numpy as jnp

total = jax.new_ref(jnp.zeros(3))
total[0] = 2.0
jax.ref.addupdate(total, 1, 3.0)

# %% expected error: the body of pytest.raises is run for its exception
import jax.numpy as jnp
import pytest

x = jnp.zeros(3)
with pytest.raises(TypeError):
    x.at["a"].set(1.0)

# %% discarded on purpose: an underscore says so
import jax.numpy as jnp

x = jnp.zeros(3)
_ = x.at[0].set(1.0)

# %% in a docstring: text is not code
import jax.numpy as jnp


def bump(x):
    """Adds one to the first element.

    >>> x = jnp.zeros(3)
    >>> x.at[0].add(1.0)
    Array([1., 0., 0.], dtype=float32)
    """
    return x.at[0].add(1.0)


bump(jnp.zeros(3))

# %% a key split where it is used: the result goes into an unpacking
import jax

key, sub = jax.random.split(jax.random.key(0))
draw = jax.random.uniform(sub)

# %% sampler for its side effect on the compile cache: a warm-up draws and drops
import jax

warm = jax.random.key(7)
jax.random.normal(warm, (4,))

# %% nobody knows the receiver: an unknown object's sort may well be in place
def tidy(items):
    items.sort()
    return items

# %% dynamic_update_slice: the functional form of a slice assignment, forgotten
import jax
import jax.numpy as jnp

canvas = jnp.zeros((4, 4))
jax.lax.dynamic_update_slice(canvas, jnp.ones((2, 2)), (1, 1))  #! JAX502

# %% a value without a name: there is nothing that the call could have been meant to change
import warnings

import jax.numpy as jnp

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    jnp.zeros(1).astype("float64")

# %% a helper whose last call is an update: what its caller drops is the caller's affair
import jax.numpy as jnp


def push(stack, value):
    stack.append(jnp.zeros(2).at[0].set(value))


def log(x):
    x.at[0].get()
    return x.sort()


stack = []
push(stack, 1.0)
log(jnp.ones(2))

# %% whatever has `.at[...].set` is an array of JAX, and a parameter may be one
import jax
import jax.numpy as jnp


def bump(x, i):
    x.at[i].add(1.0)  #! JAX502
    x.at[i].get()
    return x


class Buffer:
    def __init__(self, data):
        self.data = data

    def push(self, value: float):
        self.data.at[0].set(value)  #! JAX502


bump(jnp.ones(3), 0)
Buffer(jnp.ones(3)).push(1.0)

# %% `.at` of data frames, and of expressions that are used
import jax
import jax.numpy as jnp


def fill(frame, i):
    frame.at[i, "price"] = 3.0
    frame.at[i].sum()
    return frame.at[i, "price"] + 1.0


def update(x, i):
    x = x.at[i].set(1.0)
    return x.at[i].min(0.0)

# %% a named tuple is not changed by _replace: in a loop, through an attribute, of a helper's result
from collections import namedtuple
from typing import NamedTuple

import jax
import jax.numpy as jnp

Pair = namedtuple("Pair", "left right")


class State(NamedTuple):
    position: jax.Array
    step: int = 0


class Walker:
    def __init__(self):
        self.state = State(jnp.zeros(2))

    def advance(self):
        self.state._replace(position=self.state.position + 1.0)  #! JAX502
        return self.state._replace(step=self.state.step + 1)


@jax.jit
def run(state):
    for _ in range(3):
        state._replace(position=state.position + 1.0)  #! JAX502
    return state


def moved(state, by):
    return state._replace(position=state.position + by)


walker = Walker()
walker.advance()
state = run(State(jnp.zeros(2)))
assert float(state.position.sum()) == 0.0
pair = Pair(state, walker.state)
pair._replace(left=moved(state, 1.0))  #! JAX502
pair = pair._replace(right=moved(state, 1.0))
state = moved(state, 1.0)._replace(step=1)
_ = state._replace(step=2)
print(pair.right.position, state.step)

# %% dataclasses.replace gives another object, by its full name and by an alias
import dataclasses
from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass
class Body:
    mass: jax.Array
    speed: jax.Array


@jax.jit
def kick(body, force):
    dataclasses.replace(body, speed=body.speed + force / body.mass)  #! JAX502
    return body


@jax.jit
def pushed(body, force):
    return replace(body, speed=body.speed + force / body.mass)


body = Body(jnp.ones(()), jnp.zeros(()))
replace(body, mass=jnp.full((), 2.0))  #! JAX502
print(kick(body, 1.0).speed, pushed(body, 1.0).speed)

# %% replace of text, of a class whose replace works in place, and of what is not known
import jax.numpy as jnp


class Table:
    def __init__(self):
        self.rows = {}

    def replace(self, **rows):
        self.rows.update(rows)

    def _replace(self, **rows):
        self.rows = rows


def renew(thing, x):
    thing.replace(x=x)
    thing._replace(x=x)
    thing.apply_gradients(grads=x)
    return thing


table = Table()
table.replace(a=jnp.ones(2))
table._replace(a=jnp.ones(2))
"text".replace("t", "d")

# %% a copy that is made for the error that it may raise
import dataclasses


@dataclasses.dataclass(frozen=True)
class Limits:
    low: float
    high: float

    def __post_init__(self):
        if self.low > self.high:
            raise ValueError("low is above high")


def may_be(limits, low):
    try:
        dataclasses.replace(limits, low=low)
    except ValueError:
        return False
    return True


def moved(limits, low):
    try:
        dataclasses.replace(limits, low=low)  #! JAX502
        print("moved to", low)
    except ValueError:
        print("stays")
    return limits


print(may_be(Limits(0.0, 1.0), 2.0), moved(Limits(0.0, 1.0), 0.5))

# %% a `try` that notes what its first statement did not raise
import jax
import jax.numpy as jnp


def parted(values):
    traceable, others = {}, {}
    for name, value in values.items():
        try:
            jax.tree.map(jnp.asarray, value)
            traceable[name] = value
        except TypeError:
            others[name] = value
    return traceable, others


def cleared(values, index):
    try:
        values.at[index].set(0.0)  #! JAX502
        return values
    except IndexError:
        return None


def scaled(values):
    try:
        jax.tree.map(lambda x: 2.0 * x, values)  #! JAX502
        print("scaled", values)
    except TypeError:
        print("left")
    return values


print(parted({"a": [1.0, 2.0], "b": "text"}), cleared(jnp.ones(3), 1), scaled({"w": jnp.ones(2)}))

# %% functions that have another array as their result, as methods of NumPy's have in place
import jax
import jax.numpy as jnp
import numpy as np


def tidied(x, host):
    jnp.sort(x)  #! JAX502
    jnp.clip(x, 0, 1)  #! JAX502
    jnp.nan_to_num(x)  #! JAX502
    jnp.where(x > 0, x, 0)  #! JAX502
    jax.lax.stop_gradient(x)  #! JAX502
    np.nan_to_num(host, copy=False)
    np.clip(host, 0, 1, out=host)
    print(jnp.sort(x))
    y = jnp.sort(x)
    return y


tidied(jnp.ones(3), np.ones(3))

# %% functions that only give back a changed copy of what they are given
import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Pair(NamedTuple):
    x: jax.Array

    def moved(self, d):
        return self._replace(x=self.x + d)


@dataclasses.dataclass(frozen=True)
class State:
    x: jax.Array

    def moved(self, d):
        """Gives it elsewhere."""
        x = self.x.at[0].add(d)
        return dataclasses.replace(self, x=x)


def cleared(board, i):
    return board.at[i].set(0.0)


pair, state, board = Pair(jnp.zeros(2)), State(jnp.zeros(2)), jnp.ones(3)
pair.moved(1.0)  #! JAX502
state.moved(1.0)  #! JAX502
cleared(board, 0)  #! JAX502
pair = pair.moved(1.0)
print(pair, state, board, cleared(board, 1))

# %% functions that do more than to give back a changed copy, or whose copies are used
import jax
import jax.numpy as jnp


class Board:
    def __init__(self):
        self.cells = jnp.ones(3)

    def clear(self, i):
        self.cells = self.cells.at[i].set(0.0)
        return self.cells.at[0].get()

    def cleared(self, i):
        self.last = i
        return self.cells.at[i].set(0.0)


def told(board, i):
    print("cleared", i)
    return board.at[i].set(0.0)


def checked(board, i):
    if i > 3:
        raise ValueError(i)
    return board.at[i].set(0.0)


def cleared(board, i):
    return board.at[i].set(0.0)


def title(text):
    return text.replace("a", "b")


board = Board()
board.clear(0)
board.cleared(0)
told(board.cells, 0)
checked(board.cells, 0)  #! JAX502
title("abc")
jitted = jax.jit(cleared)
jitted(board.cells, 0)  # compiles it
cleared(board.cells, 0).block_until_ready()
assert cleared(board.cells, 1)[1] == 0

# %% functions that call any function for the time that it takes, or to warm it up
import time

import jax
import jax.numpy as jnp


def warm(fn, x):
    fn(x)


def timed(fn, *args):
    fn(*args)
    begun = time.perf_counter()
    jax.block_until_ready(fn(*args))
    return time.perf_counter() - begun


warm(jnp.sort, jnp.ones(3))
warm(jax.jit(jnp.sort), jnp.ones(3))
for op in (jnp.sort, jnp.flip):
    timed(op, jnp.ones(3))

# %% a method or a function that only makes another object of a changed copy
import jax.numpy as jnp


class Board:
    def __init__(self, cells, moves=0):
        self.cells = cells
        self.moves = moves

    def place(self, i, player):
        return Board(self.cells.at[i].set(player), moves=self.moves + 1)

    def clear(self, i):
        return type(self)(self.cells.at[i].set(0))

    def log(self, i):
        self.moves += 1
        return Board(self.cells.at[i].set(i))


def passed(board, i):
    return Board(board.cells.at[i].set(0))


board = Board(jnp.zeros(3))
board.place(0, 1)  #! JAX502
board.clear(0)  #! JAX502
passed(board, 1)  #! JAX502
board.log(0)
board = board.place(1, 1)
print(board.cells, board.moves)

# %% comparisons that nothing looks at
import jax.numpy as jnp

x = jnp.ones(3)
jnp.isclose(x, 1.0).all()  #! JAX502
jnp.allclose(x, 2.0)  #! JAX502
jnp.array_equal(x, x + 1)  #! JAX502
assert jnp.allclose(x, 1.0)
same = (x == 1).all()
jnp.allclose(x, 1.0).block_until_ready()
print(same, jnp.isclose(x, 1.0).all())

# %% own functions that give back a clipped array, a mapped tree or a record of these
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Particle(NamedTuple):
    x: jax.Array
    v: jax.Array


def confine(particle):
    return Particle(jnp.clip(particle.x, 0.0, 1.0), particle.v)


def clipped(x):
    return jnp.clip(x, 0.0, 1.0)


def scaled(tree, factor):
    return jax.tree.map(lambda leaf: factor * leaf, tree)


particle = Particle(jnp.array(2.0), jnp.array(0.5))
x = jnp.array(2.0)
gradients = {"w": jnp.ones(2)}
confine(particle)  #! JAX502
clipped(x)  #! JAX502
scaled(gradients, 0.1)  #! JAX502
print(particle, x, gradients)

# %% own functions that map a tree to do something with its leaves, and those whose results are read
import jax
import jax.numpy as jnp


def show(tree):
    return jax.tree.map(lambda leaf: print(leaf.shape), tree)


def gathered(tree, found):
    return jax.tree.map(lambda leaf: found.append(leaf.size), tree)


def scaled(tree, factor):
    return jax.tree.map(lambda leaf: factor * leaf, tree)


gradients = {"w": jnp.ones(2)}
found = []
show(gradients)
gathered(gradients, found)
gradients = scaled(gradients, 0.1)
print(gradients, found)

# %% functions that give a changed copy by another one, or by a comprehension
import jax
import jax.numpy as jnp


def scaled(tree, factor):
    return jax.tree.map(lambda leaf: factor * leaf, tree)


def clipped(tree, limit):
    return scaled(tree, limit)


def halved(tree):
    return clipped(tree, 0.5)


def damped(arrays, factor):
    return {name: factor * array for name, array in arrays.items()}


def bounded(arrays, limit):
    return [jnp.clip(array, -limit, limit) for array in arrays]


gradients = {"a": jnp.ones(2)}
clipped(gradients, 0.1)  #! JAX502
halved(gradients)  #! JAX502
damped(gradients, 0.1)  #! JAX502
rows = [jnp.ones(2)]
bounded(rows, 0.1)  #! JAX502
print(gradients, rows)

# %% comprehensions that call more than JAX, and results that are used
import jax.numpy as jnp


def saved(arrays, path):
    return {name: jnp.save(f"{path}/{name}", array) for name, array in arrays.items()}


def shown(arrays):
    return [print(array.shape) for array in arrays]


def damped(arrays, factor):
    return {name: factor * array for name, array in arrays.items()}


def run(gradients, path):
    saved(gradients, path)
    shown(gradients.values())
    gradients = damped(gradients, 0.1)
    return gradients


print(run({}, "/tmp"))

# %% results of JAX that are elsewhere, constrained or mapped
import jax
import jax.numpy as jnp

x = jnp.ones(3)
tree = {"x": x}
jax.device_put(x, jax.devices()[0])  #! JAX502
jax.tree.map(lambda leaf: 2 * leaf, tree)  #! JAX502
jax.tree_util.tree_map(lambda leaf: jnp.clip(leaf, 0, 1), tree)  #! JAX502
jax.tree.map(lambda leaf: leaf.block_until_ready(), tree)
jax.tree.map(lambda leaf: print(leaf.shape), tree)
x = jax.device_put(x, jax.devices()[0])
jax.block_until_ready(jax.tree.map(lambda leaf: 2 * leaf, tree))
print(x)

# %% calls that are made to see what they do
import time

import jax
import jax.numpy as jnp


def scaled(tree, factor):
    return {name: factor * leaf for name, leaf in tree.items()}


def timed(tree):
    start = time.perf_counter()
    scaled(tree, 2.0)
    return time.perf_counter() - start


def timed_often(tree):
    start = time.perf_counter()
    for _ in range(3):
        scaled(tree, 2.0)
    end = time.perf_counter()
    return end - start


def checked(tree):
    with jax.checking_leaks():
        scaled(tree, 2.0)
    with jax.debug_nans(True):
        scaled(tree, 2.0)


def trained(tree):
    start = time.perf_counter()
    for step in range(3):
        factor = 0.1 * step
        for name in tree:
            scaled(tree, factor)  #! JAX502
        print(step, tree)
    return time.perf_counter() - start


tree = {"a": jnp.ones(2)}
print(timed(tree), timed_often(tree), checked(tree), trained(tree))

# %% a permutation that is dropped
import jax
import jax.numpy as jnp

x = jnp.arange(4)
jax.random.permutation(jax.random.key(0), x)  #! JAX502
print(x)
shuffled = jax.random.permutation(jax.random.key(0), x)
print(shuffled)

# %% a map over leaves and their paths, which only computes
import jax
import jax.numpy as jnp


def freeze(grads):
    jax.tree_util.tree_map_with_path(  #! JAX502
        lambda path, g: jnp.zeros_like(g) if path[0].key == "encoder" else g, grads
    )
    return grads


def scaled(grads):
    jax.tree.map_with_path(lambda path, g: g * 2.0, grads)  #! JAX502
    return grads


def kept(grads):
    return jax.tree_util.tree_map_with_path(lambda path, g: g * len(path), grads)


def shown(grads):
    jax.tree_util.tree_map_with_path(lambda path, g: print(path, g.shape), grads)


gradients = {"encoder": jnp.ones(2), "head": jnp.ones(2)}
assert freeze(gradients)["encoder"].sum() == 2
scaled(gradients)
kept(gradients)  #! JAX502
shown(gradients)

# %% settings that no `with` enters change nothing
import jax
import jax.numpy as jnp

jax.debug_nans(True)  #! JAX502
jax.disable_jit()  #! JAX502


def main():
    jax.default_matmul_precision("highest")  #! JAX502
    return jnp.matmul(jnp.ones((2, 2)), jnp.ones((2, 2)))


print(main(), jax.config.jax_debug_nans)

# %% settings that are entered, kept or changed for good
import contextlib

import jax
import jax.numpy as jnp


@jax.numpy_rank_promotion("allow")
def scaled(x):
    return x * 2.0


with jax.default_device(jax.devices()[0]), jax.log_compiles():
    print(scaled(jnp.ones(3)))
context = jax.disable_jit()
with context:
    print(scaled(jnp.ones(3)))
with contextlib.ExitStack() as stack:
    stack.enter_context(jax.transfer_guard("allow"))
    print(scaled(jnp.ones(3)))
jax.config.update("jax_debug_nans", False)

# %% functions of jax.numpy that give an array like theirs, and a map of one of them over leaves
import jax
import jax.numpy as jnp

buffer = jnp.arange(3.0)
jnp.roll(buffer, 1)  #! JAX502
jnp.flip(buffer)  #! JAX502
jnp.pad(buffer, 1)  #! JAX502
jax.tree.map(jnp.zeros_like, {"w": buffer})  #! JAX502
jax.tree.map(print, {"w": buffer})
print(jnp.roll(buffer, 1))

# %% a function that gives a changed copy after one step more, in either branch, or by lax
import jax
import jax.numpy as jnp


def push(buffer, x):
    buffer = jnp.roll(buffer, 1)
    return buffer.at[0].set(x)


def write(buffer, x, mode="set"):
    if mode == "set":
        return buffer.at[0].set(x)
    return buffer.at[0].add(x)


def cached(cache, i, values):
    return jax.lax.dynamic_update_slice(cache, values, (i,))


def counted(buffer, log, mode="set"):
    if mode == "set":
        log.append(mode)
        return buffer.at[0].set(1.0)
    return buffer


buffer, log = jnp.zeros(3), []
push(buffer, 1.0)  #! JAX502
write(buffer, 1.0)  #! JAX502
cached(buffer, 0, jnp.ones(1))  #! JAX502
counted(buffer, log)
buffer = push(buffer, 1.0)
print(buffer, log)

# %% compiled updates: dropped again and again, called once to compile, timed, or kept
import time

import jax
import jax.numpy as jnp


@jax.jit
def step(params, slope):
    return jax.tree.map(lambda p, d: p - 0.1 * d, params, slope)


def dropped(params, slope):
    for _ in range(3):
        step(params, slope)  #! JAX502
    return params


def compiled_first(params, slope):
    step(params, slope)
    for _ in range(3):
        params = step(params, slope)
    return params


def timed(params, slope):
    for _ in range(3):
        step(params, slope)
    start = time.perf_counter()
    for _ in range(3):
        step(params, slope)
    return time.perf_counter() - start


for use in (dropped, compiled_first, timed):
    use({"w": jnp.ones(2)}, {"w": jnp.ones(2)})

# %% references of Pallas: their updates are in place, also where nothing is known of them
import functools

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def set_first(o_ref, value):
    o_ref.at[0].set(value)


def kernel(x_ref, o_ref, *, scale):
    def body(i, _):
        o_ref.at[i].set(x_ref[i] * scale)

    jax.lax.fori_loop(0, 3, body, None)
    set_first(o_ref, 1.0)


def call(x):
    spec = jax.ShapeDtypeStruct((3,), jnp.float32)
    return pl.pallas_call(functools.partial(kernel, scale=2.0), out_shape=spec, interpret=True)(x)


def plain(x):
    x = jnp.asarray(x)
    x.at[0].set(1.0)  #! JAX502
    return x


print(call(jnp.ones(3)), plain(jnp.ones(3)))

# %% updates of the leaves of a tree, by a lambda or a function, that nothing takes
import jax
import jax.numpy as jnp


class Rollout:
    def __init__(self, example, horizon):
        self.buffer = jax.tree.map(lambda x: jnp.zeros((horizon, *x.shape)), example)
        self.t = 0

    def add(self, item):
        jax.tree.map(lambda b, v: b.at[self.t].set(v), self.buffer, item)  #! JAX502
        self.t += 1

    def put(self, item):
        def set_row(b, v):
            return b.at[self.t].set(v)

        jax.tree.map(set_row, self.buffer, item)  #! JAX502
        self.buffer = jax.tree.map(set_row, self.buffer, item)

    def check(self, item):
        def is_there(b, v):
            assert b.shape[1:] == v.shape

        jax.tree.map(is_there, self.buffer, item)


rollout = Rollout({"x": jnp.ones(2)}, 3)
rollout.add({"x": jnp.ones(2)})
rollout.put({"x": jnp.ones(2)})
rollout.check({"x": jnp.ones(2)})

# %% a map over leaves of a method or of a partial that only computes
import functools
from functools import partial

import jax
import jax.numpy as jnp


def mix(tau, target, online):
    return target * (1 - tau) + online * tau


class Agent:
    def __init__(self):
        self.target, self.online = {"w": jnp.zeros(2)}, {"w": jnp.ones(2)}

    def _mix(self, target, online):
        return target * 0.5 + online * 0.5

    @staticmethod
    def _clipped(leaf):
        return jnp.clip(leaf, 0, 1)

    def sync(self, tau):
        jax.tree.map(functools.partial(mix, tau), self.target, self.online)  #! JAX502
        jax.tree.map(partial(mix, 0.5), self.target, self.online)  #! JAX502
        jax.tree.map(self._mix, self.target, self.online)  #! JAX502
        jax.tree.map(self._clipped, self.target)  #! JAX502


agent = Agent()
agent.sync(0.5)
assert agent.target["w"].sum() == 0

# %% a map of what does more than to compute, of what is handed in, and results that are used
from functools import partial

import jax
import jax.numpy as jnp

seen = []


def note(name, leaf):
    seen.append(name)
    return leaf * 2


def double(leaf):
    return leaf * 2


def make(name):
    seen.append(name)
    return 2.0


def scale(by, leaf):
    return leaf * by


def each(function, tree):
    jax.tree.map(function, tree)


class Agent:
    def __init__(self, callback):
        self.target, self.callback = {"w": jnp.zeros(2)}, callback

    def _note(self, leaf):
        self.last = leaf
        return leaf * 2

    def _mix(self, leaf):
        return leaf * 2

    def sync(self):
        jax.tree.map(self._note, self.target)
        jax.tree.map(self.callback, self.target)
        jax.tree.map(partial(note, "w"), self.target)
        jax.tree.map(partial(scale, make("w")), self.target)
        self.target = jax.tree.map(self._mix, self.target)


Agent(double).sync()
each(double, {"w": jnp.zeros(2)})
each(lambda leaf: seen.append(leaf), {"w": jnp.zeros(2)})

# %% updates that a statement drops which is a choice, a comprehension or a collection
import jax
import jax.numpy as jnp


def chosen(u, flag):
    u.at[0].set(0.0) if flag else None  #! JAX502
    None if flag else u.at[0].set(0.0)  #! JAX502
    u.sort() if flag else print()  #! JAX502
    return u


def tested(u, flag):
    flag and u.at[0].set(0.0)  #! JAX502
    flag or u.at[0].set(0.0)  #! JAX502
    flag and (jnp.sort(u) if u.size else None)  #! JAX502
    return u


def listed(us):
    [u.at[0].set(0.0) for u in us]  #! JAX502
    {name: u.at[0].set(0.0) for name, u in enumerate(us)}  #! JAX502
    list(map(lambda u: u.at[0].set(0.0), us))  #! JAX502
    tuple(u.at[0].set(0.0) for u in us)  #! JAX502
    us[0].at[0].set(0.0), us[0].at[1].set(0.0)  #! JAX502
    return us[0]


def checked(u, flag):
    flag and jnp.allclose(u, 0.0)  #! JAX502
    flag and jax.debug_nans(True)  #! JAX502


u = jnp.ones(2)
for flag in (True, False):
    checked(u, flag)
    assert chosen(u, flag)[0] == tested(u, flag)[0] == listed([u])[0] == 1

# %% parts of statements whose values are used, shown or in place, and calls for their effects
import jax
import jax.numpy as jnp
import numpy as np
import pytest


def kept(u, flag, rows, log):
    v = u.at[0].set(0.0) if flag else u
    flag and rows.sort()
    rows.sort() if flag else rows.reverse()
    [row.sort() for row in [rows, [2, 1]]]
    [log.append(u.at[i].set(0.0)) for i in range(2)]
    list(map(lambda w: log.append(w.at[0].set(1.0)), [u]))
    print(u.at[0].set(0.0)) if flag else None
    u.at[0].set(0.0).sum() > 0 and log.clear()
    (u.at[i].set(0.0) for i in range(2))
    flag and np.asarray([2.0, 1.0]).sort()
    flag and jnp.allclose(u, 0.0) and log.append(v)
    (flag and jnp.array_equal(u, v)) or log.append(v)
    any(jnp.allclose(w, 0.0) and log.append(w) for w in [u])
    sum(map(lambda w: w.at[0].set(0.0).sum(), [u]))
    with pytest.raises(TypeError):
        [u.at[0].set("zero") for _ in range(2)]
    return v


kept(jnp.ones(2), True, [2, 1], [])

# %% a method of the class above that only gives back a changed copy
import jax.numpy as jnp


class Base:
    def pinned(self, u):
        return u.at[0].set(0.0)

    def noted(self, u):
        self.count = 1
        return u.at[0].set(0.0)


class Edge(Base):
    def pinned(self, u):
        super().pinned(u)  #! JAX502
        super(Edge, self).pinned(u)  #! JAX502
        return u

    def noted(self, u):
        super().noted(u)
        return super().pinned(u)


assert Edge().pinned(jnp.ones(2))[0] == 1
Edge().noted(jnp.ones(2))

# %% a method that gives what another method of its object, or of its base, gives as a changed copy
import dataclasses

import jax.numpy as jnp


class Grid:
    def __init__(self, cells, n=0):
        self.cells = cells
        self.n = n

    def _with(self, cells):
        return type(self)(cells, self.n)

    def moved(self, n):
        return self.__class__(self.cells, n)

    def cleared(self, i):
        return self._with(self.cells.at[i].set(0.0))

    def both(self):
        return self.moved(1).cleared(0)


@dataclasses.dataclass(frozen=True)
class Config:
    lr: float = 1.0

    def with_lr(self, lr):
        return dataclasses.replace(self, lr=lr)


@dataclasses.dataclass(frozen=True)
class Clipped(Config):
    def with_lr(self, lr):
        return super().with_lr(min(lr, 1.0))


grid = Grid(jnp.ones(3))
grid.cleared(0)  #! JAX502
grid.moved(1)  #! JAX502
grid.both()  #! JAX502
config = Clipped()
config.with_lr(0.1)  #! JAX502
print(grid.cells, config.lr)

# %% chains of methods that give changed copies
import dataclasses
from typing import NamedTuple


@dataclasses.dataclass(frozen=True)
class Config:
    lr: float = 1.0
    decay: float = 0.0

    def with_lr(self, lr):
        return dataclasses.replace(self, lr=lr)

    def with_decay(self, decay):
        return dataclasses.replace(self, decay=decay)


class Pair(NamedTuple):
    a: int
    b: int


config = Config()
config.with_lr(0.1).with_decay(0.2)  #! JAX502
pair = Pair(1, 2)
pair._replace(a=1)._replace(b=2)  #! JAX502
print(config, pair)

# %% methods that do something else as well, and chains of what is nowhere else
import jax.numpy as jnp

LOG = []
ALL = []


class Grid:
    def __init__(self, cells, n=0):
        self.cells = cells
        self.n = n

    def moved(self, n):
        return type(self)(self.cells, n)

    def noted(self, i):
        LOG.append(i)
        return self.moved(i)

    def via(self, i):
        return self.noted(i)

    def read(self):
        print("reading")
        return self

    def again(self):
        return self.read().moved(2)

    def checked(self, n):
        if n < 0:
            raise ValueError(n)
        return self.moved(n)


class Named:
    def __init__(self, n):
        self.n = n
        ALL.append(self)

    def spawned(self):
        return type(self)(self.n)


grid = Grid(jnp.ones(3))
grid.noted(0)
grid.via(0)
grid.again()
grid.read().moved(0)
grid.checked(0)  #! JAX502
named = Named(1)
named.spawned()
Grid(jnp.ones(3)).moved(1).moved(0)
print(grid.n, LOG, ALL)

# %% changes in place of a copy that a transform has made, which nothing reads
import functools

import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def descend(params, x):
    grads = jax.grad(lambda p: jnp.mean((p["w"] * x + p["b"]) ** 2))(params)
    params["w"] = params["w"] - 0.1 * grads["w"]  #! JAX502
    params["b"] -= 0.1 * grads["b"]
    return jnp.mean(x)


@functools.partial(jax.jit, static_argnames="rate")
def decay_all(layers, x, rate=0.1):
    for i, layer in enumerate(layers):
        layers[i] = layer * (1 - rate)  #! JAX502
    return x


def push(history, x):
    history.append(x)  #! JAX502
    return x * 2


def count(state, x):
    state["n"] = state["n"] + 1  #! JAX502
    return {"n": jnp.zeros(())}, x


@jax.jit
def nested(state, x):
    state["opt"]["mu"] = 0.9 * state["opt"]["mu"] + x  #! JAX502
    state.update(step=state["step"] + 1)


@jax.tree_util.register_pytree_node_class
class Filter:
    def __init__(self, mean, gain):
        self.mean = mean
        self.gain = gain

    def tree_flatten(self):
        return (self.mean, self.gain), None

    @classmethod
    def tree_unflatten(cls, aux, leaves):
        return cls(*leaves)

    def correct(self, x):
        self.mean = self.mean + self.gain * (x - self.mean)

    @jax.jit
    def step(self, x):
        self.mean = self.mean + self.gain * (x - self.mean)  #! JAX502
        return jnp.sum(x)


@jax.jit
def observe(kalman, x):
    kalman.correct(x)  #! JAX502
    return jnp.sum(x)


@jax.jit
def reset(kalman):
    kalman.gain = jnp.ones(())  #! JAX502


params = {"w": jnp.ones(3), "b": jnp.zeros(3)}
state = {"opt": {"mu": jnp.zeros(3)}, "step": 0}
kalman = Filter(jnp.zeros(3), jnp.ones(()) / 2)
for _ in range(2):
    descend(params, jnp.ones(3))
    decay_all([params["w"], params["b"]], 1.0)
    nested(state, jnp.ones(3))
    observe(kalman, jnp.ones(3))
    kalman.step(jnp.ones(3))
    reset(kalman)
history = [jnp.zeros(3)]
jax.jit(push)(history, jnp.ones(3))
lax.scan(count, {"n": jnp.zeros(())}, jnp.arange(3.0))
assert params["w"].sum() == 3.0 and state["step"] == 0 and len(history) == 1 and kalman.mean.sum() == 0.0

# %% what is changed in place and read, given back, or that the caller has, too
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def given_back(params, x):
    params["w"] = params["w"] - x
    return params


@jax.jit
def read(params, x):
    params["w"] = params["w"] - x
    total = jnp.sum(params["w"])
    return total


@jax.jit
def by_helper(params, x):
    params["w"] = params["w"] - x
    return weight(params)


def weight(params):
    params["b"] = params["b"] + 1.0
    return params["w"] + params["b"]


@jax.jit
def aliased(params, x):
    inner, whole = params["l"], params
    params["l"]["w"] = x
    whole["b"] = x
    return inner["w"] + whole["b"]


@jax.jit
def in_closure(params, x):
    def loss(scale):
        return jnp.sum(params["w"] * scale)

    params["w"] = params["w"] - x
    return jax.grad(loss)(1.0)


@jax.jit
def next_turn(params, x):
    total = 0.0
    for _ in range(3):
        total = total + jnp.sum(params["w"])
        params["w"] = params["w"] - x
    return total


@jax.jit
def bound_anew(params, x):
    params = dict(params)
    params["w"] = params["w"] - x
    return params


@jax.jit
def in_list(params, x):
    steps = [params]
    params["w"] = params["w"] - x
    return steps


@jax.jit
def swapped(params, x):
    old = params.pop("w")
    params["w"], new = x, old * 2
    return new, params


@jax.jit
def freed(params, x):
    total = jnp.sum(params["w"]) + x
    params["w"] = None
    del params["b"]
    return total


@jax.jit
def added(array, x):
    array += x
    return array


@jax.jit
def on_the_way(params, x):
    if x is None:
        params["w"] = jnp.zeros(3)
    return {**params, "b": 0.0}


def carried(carry, x):
    carry["n"] = carry["n"] + x
    return carry, x


def eager(params, x):
    params["w"] = params["w"] - x


@jax.tree_util.register_pytree_node_class
class Affine:
    def __init__(self, scale):
        self.scale = scale
        self.parts = {}
        self.parts["scale"] = scale

    def tree_flatten(self):
        return (self.scale,), None

    @classmethod
    def tree_unflatten(cls, aux, leaves):
        return cls(*leaves)


scaled = jax.vmap(lambda affine, x: affine.scale * x)(Affine(jnp.ones(3)), jnp.ones(3))
params = {"w": jnp.ones(3), "b": jnp.zeros(3), "l": {"w": jnp.ones(3)}}
for each in (given_back, read, by_helper, aliased, in_closure, next_turn, bound_anew, in_list, swapped, freed, on_the_way):
    each(dict(params), jnp.ones(3))
added(params["w"], 1.0)
eager(params, 1.0)
lax.scan(carried, {"n": jnp.zeros(())}, jnp.arange(3.0))
assert params["w"].sum() == 0.0

# %% norun modules of flax nnx in jax.jit, which copies them, and in nnx.jit, which changes those of the caller
import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.dense = nnx.Linear(2, 1, rngs=rngs)
        self.count = nnx.Variable(jnp.zeros(()))

    def __call__(self, x):
        return self.dense(x)

    def bump(self):
        self.count = nnx.Variable(self.count + 1)


model = Net(nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.adamw(1e-1), wrt=nnx.Param)


def loss_fn(model, x, y):
    return jnp.mean((model(x) - y) ** 2)


@jax.jit
def lost(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(loss_fn)(model, x, y)
    optimizer.update(model, grads)  #! JAX502
    return loss


@jax.jit
def lost_count(model, x):
    model.bump()  #! JAX502
    return x


@nnx.jit
def kept(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(loss_fn)(model, x, y)
    optimizer.update(model, grads)
    return loss


@nnx.jit
def kept_count(model, x):
    model.bump()
    return x


@jax.jit
def given_back(graphdef, state, x, y):
    model, optimizer = nnx.merge(graphdef, state)
    loss, grads = nnx.value_and_grad(loss_fn)(model, x, y)
    optimizer.update(model, grads)
    return loss, nnx.state((model, optimizer))


@jax.jit
def returned(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(loss_fn)(model, x, y)
    optimizer.update(model, grads)
    return loss, model, optimizer


x, y = jnp.ones((4, 2)), jnp.ones((4, 1))
for _ in range(3):
    lost(model, optimizer, x, y)
    lost_count(model, x)
    kept(model, optimizer, x, y)
    kept_count(model, x)
    graphdef, state = nnx.split((model, optimizer))
    loss, state = given_back(graphdef, state, x, y)
    loss, model, optimizer = returned(model, optimizer, x, y)

# %% bounds by `jnp.maximum`, `jnp.minimum` and `lax.clamp`, alone and in a helper
import jax
import jax.numpy as jnp


def project(w):
    return jnp.maximum(w, 0.0)


def bound(w, most):
    w = jnp.minimum(w, most)
    return w


def fit(w, steps):
    for _ in range(steps):
        w = w - 0.1 * (w + 1)
        project(w)  #! JAX502
        bound(w, 1.0)  #! JAX502
        jnp.maximum(w, 0.0)  #! JAX502
        jax.lax.clamp(0.0, w, 1.0)  #! JAX502
    return bound(project(w), 1.0)


print(fit(jnp.ones(3), 20))

# %% norun: `inference_mode` gives a copy
import equinox as eqx
import jax
import jax.numpy as jnp


def evaluate(model, x):
    eqx.nn.inference_mode(model)  #! JAX502
    model = eqx.nn.inference_mode(model)
    return model(x, key=jax.random.key(0))


evaluate(eqx.nn.Dropout(0.5), jnp.ones(8))

# %% what is changed outside of traces alone
import jax
import jax.numpy as jnp


@jax.jit
def noted(state, x):
    rate = jnp.sum(x)
    if not isinstance(rate, jax.core.Tracer):
        state["rate"] = float(rate)
    return rate


noted({"rate": 0.0}, jnp.ones(3))

# %% functions that only give a changed copy, with a local function, a gradient, a loop of lax, a check or a log
import logging
from typing import NamedTuple

import jax
import jax.numpy as jnp

logger = logging.getLogger(__name__)


def _check(n):
    if n < 0:
        raise ValueError(n)


def mapped(params, rate):
    def one(p):
        q = p * rate
        return jnp.where(q > 0, p - q, p)

    return jax.tree.map(one, params)


def descended(w, rate):
    slope = jax.grad(lambda w: jnp.sum(w**2))(w)
    return w - rate * slope


def relaxed(u, n):
    def body(u, _):
        return 0.5 * u, None

    return jax.lax.scan(body, u, None, n)[0]


def relaxed_with_energy(u, v, n):
    def body(carry, _):
        u, v = carry
        return (u + v, v - u), None

    (u, v), energies = jax.lax.scan(body, (u, v), None, n)
    return u


def halved(u, n):
    return jax.lax.fori_loop(0, n, lambda i, u: u / 2, u)


def shifted(u, n):
    for k in range(n):
        u = u.at[k].set(0.0)
    return u


def told(u, n):
    _check(n)
    logger.debug("clears %s", n)
    return u.at[n].set(0.0)


class Buffer(NamedTuple):
    items: jax.Array
    n: int = 0

    def add(self, item):
        if self.n >= self.items.shape[0]:
            raise IndexError(self.n)
        assert jnp.ndim(item) == 0, "one item"
        return self._replace(items=self.items.at[self.n].set(item), n=self.n + 1)

    def limited(self, limit):
        if limit is None:
            return self
        return self._replace(items=jnp.minimum(self.items, limit))


params = {"w": jnp.ones(2)}
mapped(params, 0.1)  #! JAX502
w = jnp.ones(3)
descended(w, 0.1)  #! JAX502
relaxed(w, 3)  #! JAX502
relaxed_with_energy(w, w, 3)  #! JAX502
halved(w, 3)  #! JAX502
shifted(w, 2)  #! JAX502
told(w, 2)  #! JAX502
buffer = Buffer(jnp.zeros(3))
for item in (1.0, 2.0):
    buffer.add(item)  #! JAX502
buffer.limited(0.5)  #! JAX502
assert (w == 1).all() and (params["w"] == 1).all() and buffer.n == 0

# %% functions that give a changed copy and do something else: print, note, call back, write, count
import jax
import jax.numpy as jnp

SEEN = []
COUNT = 0


def mapped(params):
    def one(p):
        SEEN.append(p.shape)
        return 2 * p

    return jax.tree.map(one, params)


def mapped_to_print(params):
    def one(p):
        print(p.shape)
        return 2 * p

    return jax.tree.map(one, params)


def traced(u, n):
    def body(u, _):
        jax.debug.print("{}", u)
        return 0.5 * u, None

    return jax.lax.scan(body, u, None, n)[0]


def called_back(u):
    def look(u):
        jax.debug.callback(SEEN.append, u.sum())
        return u

    u = look(u)
    return u.at[0].set(0.0)


def counted(u):
    global COUNT
    COUNT += 1
    return u.at[0].set(0.0)


def stepped(w):
    def loss(w):
        jax.debug.print("{}", w)
        return jnp.sum(w**2)

    slope = jax.grad(loss)(w)
    return w - 0.1 * slope


def checked(u):
    if u.ndim != 1:
        raise ValueError(u.ndim)
    return u


class Tracker:
    def __init__(self, items):
        self.items = items
        self.n = 0

    def add(self, item):
        if self.n > 2:
            return self
        self.n += 1
        return Tracker(self.items.at[0].set(item))


w = jnp.ones(3)
mapped({"w": w})
mapped_to_print({"w": w})
traced(w, 2)
called_back(w)
counted(w)
stepped(w)
checked(w)
Tracker(w).add(1.0)
tracker = Tracker(w)
tracker.add(1.0)
print(SEEN, COUNT, tracker.n)

# %% changed copies that are made for the error of a check, or by a sum that is no step
import jax.numpy as jnp


def put(u, i):
    if i > 2:
        raise IndexError(i)
    return u.at[i].set(0.0)


def added(a, b):
    return a + b


u = jnp.ones(3)
try:
    put(u, 3)
except IndexError:
    print("raises")
added(u, u)
print(put(u, 1), added(u, u))

# %% dropped steps in a loop, by a gradient that is given
import jax.numpy as jnp


def descended(w, slope, rate=0.1):
    return w - rate * slope


w = jnp.ones(3)
for _ in range(3):
    descended(w, 2 * w)  #! JAX502
assert (w == 1).all()

# %% calls before a clock is read, which compile a loop or a gradient, and what sets flags of NumPy arrays
import time

import jax
import jax.numpy as jnp
import numpy as np


def relaxed(u):
    return jax.lax.fori_loop(0, 5, lambda i, v: v * 1.01, u)


def descended(w):
    return w - 0.1 * jax.grad(lambda w: jnp.sum(w**2))(w)


def timed(func, x):
    start = time.perf_counter()
    jax.block_until_ready(func(x))
    return time.perf_counter() - start


def frozen(**fields):
    jax.tree.map(lambda array: array.setflags(write=False), fields)
    return fields


x = jnp.ones(3)
relaxed(x)
descended(x)
print(timed(relaxed, x), timed(descended, x), frozen(a=np.ones(2)))

# %% a function that is mapped to check each leaf, and one that is mapped in vain
import jax
import jax.numpy as jnp


def chunks(tree, size):
    def check(x):
        if x.shape[0] % size != 0:
            raise ValueError("not divisible")
        return x

    jax.tree.map(check, tree)
    return jax.tree.map(lambda x: x.reshape(-1, size), tree)


def same(tree, other):
    def check(x, y):
        is_complex = jnp.iscomplexobj(x)
        if is_complex and not jnp.iscomplexobj(y):
            raise TypeError("complex")

    try:
        jax.tree_util.tree_map(check, tree, other)
    except ValueError:
        print("structure")


def asserted(tree):
    def check(x):
        assert x.ndim == 1
        return x + 0

    jax.tree.map(check, tree)


def dropped(tree):
    def halve(x):
        return x / 2

    jax.tree.map(halve, tree)  #! JAX502
    return tree


print(chunks(jnp.ones(4), 2), dropped(jnp.ones(2)))
same(jnp.ones(2), jnp.ones(2))
asserted(jnp.ones(2))

# %% norun what flax nnx runs is given modules by reference, in branches and loops too; what JAX runs is not
from functools import partial

import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Net(nnx.Module):
    def __init__(self):
        self.w = nnx.Param(jnp.ones(3))


model = Net()
opt = nnx.Optimizer(model, optax.adam(0.1), wrt=nnx.Param)
grads = nnx.grad(lambda m: (m.w[...] ** 2).sum())(model)


def same(opt, model):
    pass


def update(opt, model):
    opt.update(model, grads)


def update_by(by, opt, model):
    opt.update(model, grads)


def update_each(i, both):
    both[0].update(both[1], grads)
    return both


def loss(model, opt):
    opt.update(model, grads)
    return model.w[...].sum()


def goes_on(both):
    return both[0].step[...] < 9


def update_both(both):
    opt, model = both
    opt.update(model, grads)
    return both


class Trainer:
    @nnx.jit(static_argnums=0)
    def step(self, opt, model, flag):
        nnx.cond(flag, self.one, same, opt, model)

    def one(self, opt, model):
        opt.update(model, grads)


@nnx.jit
def step(opt, model, flag, grads):
    def one(opt, model):
        opt.update(model, grads)

    chosen = one if model.w.ndim == 1 else same
    nnx.cond(flag, chosen, same, opt, model)
    nnx.switch(jnp.array(1), [same, one], opt, model)
    nnx.compat.cond(flag, one, same, opt, model)


nnx.cond(jnp.array(True), update, same, opt, model)
nnx.cond(jnp.array(True), partial(update_by, 2), same, opt, model)
step(opt, model, jnp.array(True), grads)
nnx.while_loop(goes_on, update_both, (opt, model))
nnx.fori_loop(0, 2, update_each, (opt, model))
nnx.remat(loss)(model, opt)
nnx.grad(loss)(model, opt)
Trainer().step(opt, model, jnp.array(True))


@jax.jit
def lost(opt, model, flag):
    def one(opt, model):
        opt.update(model, grads)  #! JAX502

    jax.lax.cond(flag, one, same, opt, model)


def lost_too(opt, model):
    opt.update(model, grads)  #! JAX502
    return 1.0


lost(opt, model, jnp.array(True))
jax.lax.switch(jnp.array(1), [lambda *_: 0.0, lost_too], opt, model)

# %% a map that only says what the leaves are like: their shapes, dtypes, sizes
import jax
import jax.numpy as jnp

params = {"w": jnp.ones((3, 2)), "b": jnp.zeros(2)}
jax.tree_util.tree_map(jnp.shape, params)
jax.tree.map(jnp.result_type, params)
jax.tree.map(lambda x: (x.shape, str(x.dtype)), params)
jax.tree.map(lambda x: x.size * 4, params)
jax.tree.map(lambda x: f"{jnp.shape(x)} {x.dtype}", params)
jax.tree.map(lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype), params)
jax.tree.map(lambda x: {"n": len(x), "bytes": x.nbytes / 1e6, "t": type(x)}, params)
jax.tree.map(lambda x: jnp.issubdtype(x.dtype, jnp.floating), params)


def described(x):
    shape, dtype = jnp.shape(x), x.dtype.name
    return shape if dtype == "float32" else dtype


class Model:
    def look(self, x):
        return jnp.shape(x)

    def show(self, params):
        jax.tree.map(self.look, params)


def show(params):
    return jax.tree.map(jnp.shape, params)


jax.tree.map(described, params)
Model().show(params)
show(params)


def scaled(x):
    n = x.shape[0]
    x = x + 1
    return x / n


def filled(x):
    n = x.shape[0]
    n = jnp.zeros(n)
    return n


jax.tree.map(lambda x: jnp.zeros(x.shape), params)  #! JAX502
jax.tree.map(lambda x: x * x.shape[0], params)  #! JAX502
jax.tree.map(lambda x: (x.shape, x * 2), params)  #! JAX502
jax.tree.map(jnp.zeros_like, params)  #! JAX502
jax.tree.map(scaled, params)  #! JAX502
jax.tree.map(filled, params)  #! JAX502
doubled = jax.tree.map(lambda x: 2 * x, params)
print(doubled["w"].sum())

# %% norun a record that flax replicates, takes one replica of, restores or hosts exchange is still a record
import equinox as eqx
import flax
import jax
import jax.numpy as jnp
from flax import jax_utils, serialization
from flax.training.checkpoints import restore_checkpoint
from jax.experimental import multihost_utils


@flax.struct.dataclass
class TrainState:
    params: jax.Array
    seconds: float = 0.0


def train(batches):
    state = jax_utils.replicate(TrainState(jnp.ones(3)))
    state.replace(seconds=1.0)  #! JAX502
    for turn, batch in enumerate(batches):
        one = jax_utils.unreplicate(state)
        one.replace(seconds=float(turn))  #! JAX502
        print(one.seconds, batch)
    return state


def restored(folder, data):
    state = restore_checkpoint(folder, TrainState(jnp.ones(3)))
    state.replace(seconds=1.0)  #! JAX502
    both = restore_checkpoint(folder, target={"now": state, "before": [state]})
    both["before"][0].replace(seconds=1.0)  #! JAX502
    other = serialization.from_bytes(state, data)
    other.replace(seconds=1.0)  #! JAX502
    like = eqx.tree_deserialise_leaves(folder, state)
    like.replace(seconds=1.0)  #! JAX502
    shared = multihost_utils.broadcast_one_to_all(state)
    shared.replace(seconds=1.0)  #! JAX502
    return state, both, other, like, shared


def of_no_record(folder):
    raw = restore_checkpoint(folder, None)
    raw.replace(seconds=1.0)
    unknown = restore_checkpoint(folder, target=make())
    unknown.replace(seconds=1.0)  #! JAX502
    names = jax_utils.unreplicate({"a": jnp.ones((1, 3))})
    names.update(b=jnp.ones(3))
    state = restore_checkpoint(folder, TrainState(jnp.ones(3)))
    state = state.replace(seconds=1.0)
    return raw, unknown, names, state

# %% a record that is copied to the host is still a record
import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    params: jax.Array
    count: int

    def rows(self):
        return np.sort(self.params)


class Point(NamedTuple):
    x: jax.Array
    y: jax.Array


state = jax.device_get(State(jnp.ones(3), 0))
dataclasses.replace(state, count=1)  #! JAX502
points = jax.device_get([Point(jnp.ones(3), jnp.ones(3))])
points[0]._replace(x=jnp.zeros(3))  #! JAX502
rows = jax.device_get({"rows": jnp.ones(3)})["rows"].copy()
rows.sort()
print(state.count, points[0].x, state.rows(), rows)

# %% norun one of several records, whichever it is
import flax
import jax
import jax.numpy as jnp


@flax.struct.dataclass
class TrainState:
    params: jax.Array
    seconds: float = 0.0


class Names:
    def replace(self, seconds):
        self.seconds = seconds


def sync(state: TrainState) -> TrainState:
    if jax.tree_util.tree_leaves(state.params):
        return state.replace(params=state.params * 2)
    else:
        return state


def train(flag):
    state = sync(TrainState(jnp.ones(3)))
    state.replace(seconds=1.0)  #! JAX502
    one = TrainState(jnp.ones(3)) if flag else TrainState(jnp.zeros(3), 1.0)
    one.replace(seconds=2.0)  #! JAX502
    either = TrainState(jnp.ones(3)) if flag else Names()
    either.replace(seconds=2.0)
    return state.seconds, one, either

# %% norun a copy with what the record holds, which was changed in place, changes nothing more
from typing import Any

import flax
import jax.numpy as jnp
from flax import jax_utils


@flax.struct.dataclass
class TrainState:
    params: Any = None
    metadata: Any = None


def train(batches):
    state = jax_utils.replicate(TrainState(jnp.ones(3), {}))
    for batch in batches:
        one = jax_utils.unreplicate(state)
        metadata = one.metadata
        metadata["seconds"] = batch
        one.replace(metadata=metadata)
        print(one)
        one.replace(metadata={**metadata, "seconds": 2.0})  #! JAX502
        one.replace(metadata=metadata, params=one.params + 1)  #! JAX502
    return state

# %% a record is changed in vain in what is timed, which goes on with it
import dataclasses
import time
from typing import NamedTuple

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Belief:
    mean: jax.Array


class Point(NamedTuple):
    x: jax.Array


def once():
    start = time.time()
    belief = Belief(jnp.ones(3))
    dataclasses.replace(belief, mean=belief.mean * 0.0)  #! JAX502
    total = belief.mean.sum()
    return total, time.time() - start


def repeated(batches):
    point = Point(jnp.ones(3))
    start = time.time()
    for batch in batches:
        loss = (point.x * batch).sum()
        point._replace(x=point.x - loss)  #! JAX502
    return point, time.time() - start


def timed_alone():
    belief, point = Belief(jnp.ones(3)), Point(jnp.ones(3))
    start = time.time()
    dataclasses.replace(belief, mean=belief.mean * 0.0)
    between = time.time()
    for _ in range(10):
        point._replace(x=point.x * 2)
        point._replace(x=point.x * 3)
    print(time.time() - between, between - start)
    return belief, point


def of_arrays(x):
    start = time.time()
    x.at[0].set(1.0)
    y = x + 1
    return y, time.time() - start


once()
repeated([1.0, 2.0])
timed_alone()
of_arrays(jnp.ones(3))

# %% norun a record that went through a helper without annotations, in a function that nobody calls
from typing import NamedTuple

import flax
import jax
import jax.numpy as jnp


@flax.struct.dataclass
class TrainState:
    params: jax.Array
    seconds: float = 0.0


class Point(NamedTuple):
    x: jax.Array


class Names:
    def replace(self, **names):
        self.names = names


@flax.struct.dataclass
class Noted:
    names: dict

    def replace(self, **names):
        self.names.update(names)
        return self.names


def doubled(state):
    return state.replace(params=state.params * 2)


def several(state, flag):
    if flag:
        return state
    first = jax.tree.map(lambda x: x[0], state)
    new = first.replace(params=first.params * 2)
    return new


def step(state, batch):
    loss = (state.params * batch).sum()
    state = state.replace(params=state.params - loss)
    return state, {"loss": loss}


def moved(point):
    return point._replace(x=point.x + 1)


def made_anew(state):
    state = make(state)
    return state.replace(seconds=1.0)


def gone_through(state, states):
    for state in states:
        print(state)
    return state


class Trainer:
    def doubled(self, state):
        return state.replace(params=state.params * 2)

    def fit(self):
        state = self.doubled(TrainState(jnp.ones(3)))
        state.replace(seconds=1.0)  #! JAX502
        return state


def train(flag, batch, states):
    state = doubled(TrainState(jnp.ones(3)))
    state.replace(seconds=1.0)  #! JAX502
    state = several(state, flag)
    state.replace(seconds=1.0)  #! JAX502
    state, metrics = step(state, batch)
    state.replace(seconds=1.0)  #! JAX502
    metrics.replace(seconds=1.0)
    point = moved(Point(jnp.ones(3)))
    point._replace(x=point.x * 2)  #! JAX502
    return state, metrics, point


def of_no_record(states):
    other = made_anew(TrainState(jnp.ones(3)))
    other.replace(seconds=1.0)
    last = gone_through(TrainState(jnp.ones(3)), states)
    last.replace(seconds=1.0)
    names, noted = doubled(Names()), doubled(Noted({"params": 1}))
    names.replace(seconds=1.0)
    noted.replace(seconds=1.0)
    text = doubled("a")
    text.replace("a", "b")
    return other, last, names, noted, text

# %% dataclasses.replace in a helper without annotations
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    params: jax.Array
    count: int


def halved(state):
    return dataclasses.replace(state, params=state.params / 2)


def train():
    state = halved(State(jnp.ones(3), 0))
    dataclasses.replace(state, count=1)  #! JAX502
    return state


print(train())

# %% norun a helper with an annotation gives back its argument or a copy, of which nothing else is known
import flax
import jax


@flax.struct.dataclass
class TrainState:
    params: jax.Array
    rng: jax.Array
    is_done: bool = False


def sync(state: TrainState) -> TrainState:
    if jax.tree_util.tree_leaves(state.params):
        return state.replace(params=state.params * 2, is_done=True)
    else:
        return state


def train(states):
    for state in states:
        state = sync(state)
        state.replace(is_done=True)  #! JAX502


def sampled(first, second):
    first, second = sync(first), sync(second)
    if first.is_done:
        print(first)
    return jax.random.normal(first.rng), jax.random.normal(second.rng)

# %% dropped results of loops and branches of lax, of mapped functions and of activations
import functools

import jax
import jax.numpy as jnp
from jax import lax
from jax.lax import scan
from jax.nn import gelu


def add(carry, x):
    return carry + x, carry


class Filter:
    def __init__(self, rate):
        self.rate = rate

    def decay(self, x):
        return x * self.rate

    def run(self, x):
        jax.vmap(self.decay)(x)  #! JAX502
        lax.map(self.decay, x)  #! JAX502
        return x


def fill(x, scale):
    jax.lax.fori_loop(0, 3, lambda i, c: c.at[i].set(1.0), x)  #! JAX502
    lax.while_loop(lambda c: c.sum() < 2.0, lambda c: c + 1.0, x)  #! JAX502
    scan(add, 0.0, x)  #! JAX502
    scan(f=add, init=0.0, xs=x)  #! JAX502
    lax.fori_loop(0, 3, functools.partial(scaled, scale), x)  #! JAX502
    lax.cond(x.sum() > 0, lambda g: g / 2, lambda g: g, x)  #! JAX502
    lax.switch(1, [jnp.sin, jnp.cos], x)  #! JAX502
    jax.vmap(lambda g: g / 2)(x)  #! JAX502
    jax.vmap(jnp.sin)(x)  #! JAX502
    gelu(x)  #! JAX502
    jax.nn.softmax(x, axis=-1)  #! JAX502
    return x


def scaled(scale, i, x):
    return x.at[i].multiply(scale)


halved = jax.vmap(lambda x: x / 2)


@jax.jit
def inner(x):
    halved(x)  #! JAX502
    return x


print(fill(jnp.zeros(3), 2.0), Filter(0.5).run(jnp.ones(3)), inner(jnp.ones(2)))

# %% loops and maps whose functions print, write, check or count, whose results are read, or that give nothing
import jax
import jax.numpy as jnp
from jax import lax

seen = []


def show(i, x):
    jax.debug.print("{}", x)
    return x + 1.0


def count(x):
    seen.append(1)
    return x + 1.0


def checked(x):
    if x.ndim != 1:
        raise ValueError("one axis")
    return x + 1.0


def note(x):
    jax.debug.callback(lambda v: seen.append(float(v)), x)


class Meter:
    def __init__(self):
        self.calls = 0

    def step(self, carry, x):
        self.calls += 1  #! JAX201
        return carry + x, None


def traced(x):
    lax.fori_loop(0, 3, show, x)
    jax.vmap(count)(x)
    jax.vmap(checked)(jnp.ones((2, 2)))
    lax.cond(x.sum() > 0, lambda v: jax.debug.print("{}", v), lambda v: None, x)
    lax.cond(x.sum() > 0, note, lambda v: None, x.sum())
    lax.cond(x.sum() > 0, lambda: None, lambda: None)
    return x


meter = Meter()
lax.scan(meter.step, 0.0, jnp.ones(3))
ref = jax.new_ref(jnp.zeros(3))


def write(i, carry):
    ref[i] = carry
    return carry + 1.0


lax.fori_loop(0, 3, write, 0.0)
total, _ = lax.scan(lambda c, x: (c + x, None), 0.0, jnp.ones(3))
relu = jax.nn.relu(jnp.ones(2))
print(traced(jnp.ones(3)), seen, meter.calls, ref[...], total, relu)

# %% loops that are compiled before they are timed, run for the error that they may raise, or handed in
import time

import jax
import jax.numpy as jnp


def timed(x):
    jax.lax.fori_loop(0, 3, lambda i, c: c + 1.0, x)
    jax.vmap(lambda c: c + 1.0)(x)
    jax.nn.gelu(x)
    start = time.perf_counter()
    jax.lax.fori_loop(0, 3, lambda i, c: c + 1.0, x)
    return time.perf_counter() - start


def fits(x):
    try:
        jax.lax.scan(lambda c, v: (c + v, None), 0.0, x)
    except TypeError:
        return False
    return True


def warmed(function, x):
    function(x)
    jax.vmap(function)(x)


print(timed(jnp.ones(3)), fits(jnp.ones(3)))
warmed(lambda x: x + 1.0, jnp.ones(3))

# %% loops and maps of what is made for them: nothing stays that they could have been meant to change
import jax
import jax.numpy as jnp


def shown(x):
    jax.vmap(lambda g: g / 2)(jnp.ones(2))
    jax.lax.scan(lambda c, v: (c + v, None), 0.0, jnp.arange(3.0))
    jax.lax.cond(True, lambda g: g / 2, lambda g: g, operand=x)  #! JAX502
    return x


print(shown(jnp.ones(3)))

# %% norun a copy with what the record holds, put together of parts of it that were changed in place
from flax import struct


class TrainState(struct.PyTreeNode):
    states: list
    step: int = 0


def filtered(state: TrainState, keep):
    first = state.states[0]
    for key, item in first.items():
        first[key] = tuple(v if keep(v) else None for v in item)
    state.replace(states=[first] + state.states[1:])
    kind = type(state.states)
    state.replace(states=kind([first]) + state.states[1:])
    return state.replace(step=state.step + 1)


def optional(state: TrainState, other):
    first = None
    if other:
        first = state.states[0]
        first.update(a=(1,))
    state.replace(states=(first,))
    return state


def either(state: TrainState, keep, new):
    kind = type(state.states)
    if new is not None:
        first = kind([new])
        state.replace(states=first + state.states[1:])  #! JAX502
    else:
        first = state.states[0]
        first["a"] = ()
        state.replace(states=kind(first) + state.states[1:])
    return state

# %% norun ... or parts that were not changed, in another order, or with something new
from flax import struct


class TrainState(struct.PyTreeNode):
    states: list
    step: int = 0


def swapped(state: TrainState):
    state.replace(states=[state.states[1], state.states[0]])  #! JAX502
    return state


def renewed(state: TrainState, keep):
    first = {key: keep(item) for key, item in state.states[0].items()}
    first["a"] = ()
    state.replace(states=[first] + state.states[1:])  #! JAX502
    return state


def added(state: TrainState, more):
    first = state.states[0]
    first["a"] = ()
    state.replace(states=[first, more])  #! JAX502
    state.replace(states=[first], step=1)  #! JAX502
    return state

# %% a record of which nothing is known: a compiled function takes it, so that it is a pytree
import functools

import jax


@jax.jit
def scaled(record, x):
    return record.scale * x


def evaluate(record, x):
    record.replace(scale=2.0)  #! JAX502
    return scaled(record, x)


def evaluate_by_name(record, x, settings):
    y = scaled(x=x, record=record)
    record.replace(**settings)  #! JAX502
    return y, record


def in_turns(model, record, batches, clock):
    step = functools.partial(jax.jit, donate_argnums=0)(lambda record, batch: model.step(record, batch))
    for batch in batches:
        record, metrics = step(record, batch)
        record.replace(time=clock.now())  #! JAX502
        clock.save(record)
    return record

# %% a record of which nothing is known: it is given to what draws, here or in a function that is called
import jax


def episode(env, env_params, key, settings):
    env_params.replace(**settings)  #! JAX502
    key, reset_key = jax.random.split(key)
    return env.reset(reset_key, env_params)


def rollout(env, params):
    key = jax.random.key(0)
    obs, state = env.reset(key, params)
    return obs


def show(library, name, settings):
    env, env_params = library.make(name)
    env_params.replace(max_steps=100, **settings)  #! JAX502
    return rollout(env, env_params)

# %% a record of which nothing is known: a function of JAX gives it
import jax


def first(states, n):
    state = jax.tree.map(lambda x: x[0], states)
    state.replace(step=n)  #! JAX502
    return state

# %% objects that have a method replace and are no records: dates, texts, tables and paths
import datetime
import pathlib

import jax


@jax.jit
def double(x):
    return 2 * x


def report(now, frame, path, text, x):
    now.replace(hour=0)
    frame.replace(to_replace=0, value=1, inplace=True)
    path.replace(target="b")
    text.replace("a", "b")
    print(now, frame, path, text, double(x))


today = datetime.datetime.now()
today.replace(hour=0)
here = pathlib.Path(".")
parts = jax.tree.structure((1, 2))
print(today, here, parts)

# %% objects that have a method replace and that a compiled function takes as static arguments
from functools import partial

import jax


@partial(jax.jit, static_argnames="day")
def since(day, x):
    return x + day.toordinal()


def count(day, x):
    day.replace(month=1)
    return since(day, x)

# %% a record of which nothing is known: a copy with what it holds already, and copies that are read
import jax


@jax.jit
def scaled(record, x):
    return record.scale * x


def save(record, x, clock):
    metadata = record.metadata
    metadata["time"] = clock.now()
    record.replace(metadata=metadata)
    other = record.replace(scale=3.0)
    return scaled(record, x), scaled(other, x), scaled(record.replace(scale=4.0), x)

# %% norun a record of which nothing is known: a transform has traced it, so that it is a pytree
import jax
from jax import lax


@jax.jit
def train_step(state, x):
    grads = jax.grad(lambda p: state.apply_fn(p, x).sum())(state.params)
    state.apply_gradients(grads=grads)  #! JAX502
    return state


@jax.jit
def counted(state, x):
    state.replace(step=x)  #! JAX502
    return state


@jax.jit
def parts(states, x):
    for state in states["critics"]:
        state.replace(step=x)  #! JAX502
    states["actor"].apply_gradients(grads=x)  #! JAX502
    states["value"].inner._replace(step=x)  #! JAX502
    states["value"].apply_gradients(grads=x).replace(step=x)  #! JAX502

    def inner(x):
        states["actor"].replace(step=x)  #! JAX502
        return x

    return states, inner(x)


def in_loop(state, xs):
    def body(state, x):
        x > 0 and state.replace(step=x)  #! JAX103 JAX502
        return state, x

    return lax.scan(body, state, xs)

# %% a named tuple that a transform has traced, where nothing says what it is
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Carry(NamedTuple):
    step: jax.Array
    mean: jax.Array


def advance(carry, x):
    carry._replace(mean=carry.mean + x)  #! JAX502
    return carry


run = jax.jit(advance)
print(run(Carry(jnp.ones(()), jnp.ones(())), 1.0))

# %% an object of the project whose methods change it in place, which a compiled function gives back
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Fluent:
    def __init__(self, scale):
        self.scale = scale

    def replace(self, scale):
        self.scale = scale
        return self

    def apply_gradients(self, grads):
        self.scale = self.scale - grads

    def tree_flatten(self):
        return (self.scale,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


@jax.jit
def changed(thing, x):
    thing.replace(scale=x)
    thing.apply_gradients(grads=x)
    return thing


print(changed(Fluent(jnp.ones(())), 3.0).scale)

# %% what is no pytree, as it is static, and what is done with copies that are read
import datetime
from functools import partial

import jax


@partial(jax.jit, static_argnames="day")
def since(day, x):
    day.replace(month=1)
    return x + day.toordinal()


@jax.jit
def renewed(state, x):
    state = state._replace(step=x)
    return state, state._replace(step=x + 1)


print(since(datetime.date(2024, 2, 1), 1.0))

# %% parts of a copy that a transform has made are changed by other names, in loops over them and over their keys
import jax
import jax.numpy as jnp


@jax.jit
def forward(params, stats, x):
    entry = stats["a"]
    entry["mean"] = entry["mean"] + x.mean()  #! JAX502
    return params * x


@jax.jit
def by_another_name(stats, x):
    alias = stats
    inner = alias["a"]
    inner.update(mean=x)  #! JAX502


@jax.jit
def decay(layers, rate):
    for layer in layers:
        layer["w"] = layer["w"] * rate  #! JAX502


@jax.jit
def decay_in_turns(layers, rate):
    for _ in range(2):
        for i, layer in enumerate(layers):
            layer["w"] = layer["w"] * rate ** i  #! JAX502


@jax.jit
def decay_pairs(layers, rates):
    for layer, rate in zip(layers, rates):
        layer["w"] *= rate  #! JAX502


@jax.jit
def decay_items(params, rate):
    for name, entry in params.items():
        entry["mean"] = entry["mean"] * rate  #! JAX502


@jax.jit
def sgd(params, x):
    grads = jax.grad(lambda p: sum((v * x).sum() for v in p.values()))(params)
    for name in params:
        params[name] -= 0.1 * grads[name]  #! JAX502


stats = {"a": {"mean": jnp.zeros(())}}
layers = [{"w": 1.0}, {"w": 1.0}]
params = {"w": jnp.ones(3), "b": jnp.ones(3)}
forward(2.0, stats, jnp.ones(3)), by_another_name(stats, 2.0), decay_items(stats, 0.5)
decay(layers, 0.5), decay_in_turns(layers, 0.5), decay_pairs(layers, (0.5, 0.2))
sgd(params, jnp.ones(3))
assert stats["a"]["mean"] == 0.0 and layers[0]["w"] == 1.0 and params["w"].sum() == 3.0

# %% the same in functions that nobody calls: what is taken at its keys, or at a text, is a dict
import jax


@jax.jit
def forward(stats, x):
    entry = stats["a"]
    entry["mean"] = entry["mean"] + x.mean()  #! JAX502
    return x


@jax.jit
def sgd(params, grads):
    for name in sorted(params.keys()):
        params[name] -= 0.1 * grads[name]  #! JAX502


@jax.jit
def sgd_items(params, grads):
    for name, grad in grads.items():
        params[name] -= 0.1 * grad  #! JAX502


@jax.jit
def fill(reference, places):
    for place in places:
        reference[place] = 0.0
    for place in range(3):
        reference[place] = 0.0

# %% parts that are changed by other names and read, given back, or put elsewhere, and copies of them
import jax
import jax.numpy as jnp


@jax.jit
def whole(stats, x):
    entry = stats["a"]
    entry["mean"] = x
    return stats


@jax.jit
def part(stats, x):
    entry = stats["a"]
    entry["mean"] = x
    return entry


@jax.jit
def read(stats, x):
    entry = stats["a"]
    entry["mean"] = x
    return stats["a"]["mean"] * 2


@jax.jit
def kept(stats, x):
    found = []
    entry = stats["a"]
    entry["mean"] = x
    found.append(entry)
    return found


@jax.jit
def every(layers, rate):
    for layer in layers:
        layer["w"] = layer["w"] * rate
    return [each["w"] for each in layers]


@jax.jit
def in_turn(layers, x):
    for layer in layers:
        layer["w"] = layer["w"] * 2
        x = x * layer["w"]
    return x


@jax.jit
def in_next_turn(layers, x):
    for _ in range(2):
        for layer in layers:
            x = x * layer["w"]
            layer["w"] = layer["w"] * 2
    return x


@jax.jit
def copied(stats, x):
    entry = dict(stats["a"])
    entry["mean"] = x
    return entry, {name: each for name, each in stats.items()}


@jax.jit
def by_function(layers, x):
    def last():
        return layer["w"]

    for layer in layers:
        layer["w"] = layer["w"] * x
    return last()


stats = {"a": {"mean": jnp.zeros(())}}
layers = [{"w": 1.0}, {"w": 1.0}]
for function in (whole, part, read, kept, copied):
    function(stats, 2.0)
for function in (every, in_turn, in_next_turn, by_function):
    function(layers, 0.5)
