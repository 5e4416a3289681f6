# %% read behind the call: the array has been deleted
import jax
import jax.numpy as jnp

step = jax.jit(lambda x: x * 2, donate_argnums=0)
x = jnp.ones(3)
y = step(x)
print(x + y)  #! JAX505

# %% the result takes the variable's place
import jax
import jax.numpy as jnp

step = jax.jit(lambda x: x * 2, donate_argnums=0)
x = jnp.ones(3)
x = step(x)
print(x + 1)

# %% in a loop that does not replace what it donates
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnames=("params",))
def update(params, batch):
    return params - 0.1 * batch


def train(params, batches):
    for batch in batches:
        new = update(params, batch)  #! JAX505
    return new


print(train(jnp.zeros(3), jnp.ones((2, 3))))

# %% in a loop that does, by name, in a tuple, under a test
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnames=("params",))
def update(params, batch):
    return params - 0.1 * batch, batch.sum()


def train(params, batches):
    losses = []
    for number, batch in enumerate(batches):
        if number:
            params, loss = update(batch=batch, params=params)
        else:
            new, loss = update(params, batch)
            params = new
        losses.append(loss)
    return params, losses


print(train(jnp.zeros(3), jnp.ones((2, 3))))

# %% an entry of a donated pytree
import jax
import jax.numpy as jnp


def step(state, batch):
    return {"w": state["w"] + batch, "n": state["n"] + 1}, batch.sum()


step = jax.jit(step, donate_argnums=(0,))
state = {"w": jnp.ones(3), "n": jnp.zeros(())}
for batch in jnp.ones((2, 3)):
    new, loss = step(state, batch)
    print(state["n"], loss)  #! JAX505
    state = new

# %% two arguments of one call
import jax
import jax.numpy as jnp

both = jax.jit(lambda a, b: a + b, donate_argnums=0)
x = jnp.ones(3)
print(both(x, x))  #! JAX505

# %% a method that an object keeps compiled
import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self):
        self.step = jax.jit(self._step, donate_argnums=0)

    def _step(self, state, batch):
        return state + batch

    def fit(self, state, batches):
        for batch in batches:
            out = self.step(state, batch)  #! JAX505
        return out


Trainer().fit(jnp.ones(3), jnp.ones((2, 3)))

# %% what has the shape and dtype of no result is left alone; so are shapes, and arrays of NumPy
import jax
import jax.numpy as jnp
import numpy as np

mean = jax.jit(lambda x: x.mean(), donate_argnums=0)
positive = jax.jit(lambda x: x > 0, donate_argnums=0)
double = jax.jit(lambda x: x * 2, donate_argnums=0)
x = jnp.ones(3)
print(mean(x), positive(x), x.sum())
y = double(x)
print(x.shape, x.dtype, len(x), x is None, isinstance(x, jax.Array), x.is_deleted())
del x
host = np.ones(3, np.float32)
print(double(host), host.sum())

# %% in a trace nothing is donated
import jax
import jax.numpy as jnp

double = jax.jit(lambda x: x * 2, donate_argnums=0)


@jax.jit
def outer(x):
    return double(x) + x


def looped(x):
    return jax.lax.fori_loop(0, 3, lambda _, y: double(y) + y, x)


print(outer(jnp.ones(3)), looped(jnp.ones(3)))

# %% on one path it is donated, on the other one it is read
import jax
import jax.numpy as jnp

double = jax.jit(lambda x: x * 2, donate_argnums=0)


def either(x, fast):
    if fast:
        return double(x)
    return x * 2


def guarded(x):
    try:
        new = double(x)
        x = new
    except KeyboardInterrupt:
        print(x)
    return x


def copied(x):
    y = double(x.copy())
    return x + y


print(either(jnp.ones(3), True), guarded(jnp.ones(3)), copied(jnp.ones(3)))

# %% a caller's array
import jax
import jax.numpy as jnp

double = jax.jit(lambda x: x * 2, donate_argnums=(0,))


def change(x):
    y = double(x)
    return y - x  #! JAX505


change(jnp.ones(3))

# %% arrays of NumPy in a pytree are copied, and static fields are no arrays
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np

step = jax.jit(lambda state, batch: (state + batch["x"].sum(), batch["x"] * 2), donate_argnums=(0, 1))


class Config(dict):
    def __hash__(self):
        return 1


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    x: jax.Array
    config: dict = dataclasses.field(metadata=dict(static=True))


def train(total):
    for _ in range(2):
        batch = {"x": np.ones(3, np.float32)}
        total, doubled = step(total, batch)
        print(batch["x"].mean(), doubled)
    return total


pair = (np.ones(3, np.float32), 2)
first = jax.jit(lambda pair: pair[0] * pair[1], donate_argnums=0)(pair)
advance = jax.jit(lambda state: dataclasses.replace(state, x=state.x * 2), donate_argnums=0)
state = State(jnp.ones(3), Config(rate=1))
new = advance(state)
print(train(jnp.zeros(())), first, pair, new.x, state.config["rate"])

# %% a field of a donated record
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    x: jax.Array
    count: jax.Array


advance = jax.jit(lambda state: dataclasses.replace(state, x=state.x * 2), donate_argnums=0)
state = State(jnp.ones(3), jnp.zeros(()))
new = advance(state)
print(state.x + new.x)  #! JAX505

# %% no result is like what is donated: JAX keeps it
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.pmap, donate_argnums=(0, 1))
def update(params, x):
    return params - 0.1 * x.mean()


@functools.partial(jax.jit, donate_argnums=(0, 1))
def descend(params, batch):
    return jax.tree.map(lambda param: param - 0.1 * batch.mean(), params)


@jax.pmap
def sample(x):
    return x + 1.0


params, x = jnp.ones((1, 2)), jnp.ones((1, 8, 3))
for _ in range(2):
    x = sample(x)
    params = update(params, x)
    print(x.sum())

weights, batch = {"w": jnp.ones(3)}, jnp.ones((4, 2))
for _ in range(2):
    weights = descend(weights, batch)
    print(batch.sum())

# %% another variable holds the same array: the best parameters, a target network, the iteration before
import jax
import jax.numpy as jnp

update = jax.jit(lambda p: p * 0.5, donate_argnums=0)

params = jnp.ones(3)
best = params
params = update(params)
print(params - best)  #! JAX505

# %% ... in a loop that compares with the iteration before, and as another argument of the call
import jax
import jax.numpy as jnp

update = jax.jit(lambda p: p * 0.5, donate_argnums=0)


def fit(p, turns):
    for _ in range(turns):
        before = p
        p = update(p)
        if jnp.abs(p - before).max() < 1e-3:  #! JAX505
            break
    return p


fit(jnp.ones(3), 3)

# %% raises-elsewhere: ... given to the call as well
import jax
import jax.numpy as jnp

update = jax.jit(lambda p, q: p + q, donate_argnums=0)

params = jnp.ones(3)
target = params
params = update(params, target)  #! JAX505
print(params)

# %% ... a copy, what was read before the call, and what another iteration has put there
import jax
import jax.numpy as jnp

update = jax.jit(lambda p: p * 0.5, donate_argnums=0)

params = jnp.ones(3)
best = jnp.copy(params)
old = params
print(old.sum())
params = update(params)
old = params
print(params - best, old)
for _ in range(3):
    params = update(params)
    last = params
print(last)

# %% a function of the program donates what it is given
import jax
import jax.numpy as jnp

step = jax.jit(lambda p, g: p - g, donate_argnames="p")


def train(start, gradients):
    params = step(start, gradients)
    return params


def trained(params, gradients, turns):
    for _ in range(turns):
        params = step(params, gradients)
    return params


first = jnp.zeros(3)
last = train(first, jnp.ones(3))
print(last - first)  #! JAX505

# %% ... in a loop of its own, by a method, through two functions
import jax
import jax.numpy as jnp

step = jax.jit(lambda p, g: p - g, donate_argnums=0)


class Trainer:
    def fit(self, params, turns):
        for _ in range(turns):
            params = step(params, jnp.ones(3))
        return params


def run(params):
    return Trainer().fit(params, 3)


first = jnp.zeros(3)
last = run(first)
print(last - first)  #! JAX505

# %% ... a function that copies what it is given, or may leave it alone; a caller that replaces it
import jax
import jax.numpy as jnp

step = jax.jit(lambda p, g: p - g, donate_argnums=0)


def careful(params):
    params = jnp.array(params)
    return step(params, jnp.ones(3))


def maybe(params, is_training):
    if is_training:
        return step(params, jnp.ones(3))
    return params


def train(params):
    return step(params, jnp.ones(3))


first = jnp.zeros(3)
print(careful(first) - first)
print(maybe(first, False) - first)
first = train(first)
print(first)

# %% an attribute, and an item of a dict, are donated and read
import jax
import jax.numpy as jnp

update = jax.jit(lambda p: p * 0.5, donate_argnums=0)


class Trainer:
    def __init__(self, params):
        self.params = params

    def step(self):
        new = update(self.params)
        moved = new - self.params  #! JAX505
        self.params = new
        return moved


state = {"params": jnp.ones(3)}
new = update(state["params"])
print(new - state["params"])  #! JAX505
Trainer(jnp.ones(3)).step()

# %% ... that get the result, with what holds them as well, or by a method; and a shape
import jax
import jax.numpy as jnp

update = jax.jit(lambda p: p * 0.5, donate_argnums=0)


class Trainer:
    def __init__(self, params):
        self.params = params

    def reset(self):
        self.params = jnp.ones(3)

    def step(self):
        self.params = update(self.params)
        return self.params.sum()

    def run(self, turns):
        for _ in range(turns):
            self.params = update(self.params)
        return self.params

    def again(self):
        new = update(self.params)
        print(self.params.shape)
        self.reset()
        return new + self.params


trainer = Trainer(jnp.ones(3))
trainer.step()
trainer.run(3)
trainer.again()
state = {"params": jnp.ones(3)}
state["params"] = update(state["params"])
print(state["params"])
new = update(state["params"])
state = {"params": new}
print(state["params"])

# %% the two arms of a conditional expression: one donates, the other reads
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def write(buffer, value):
    return buffer.at[0].set(value)


class Ring:
    def __init__(self):
        self.buffer = jnp.zeros(3)

    def push(self, value, is_fast):
        self.buffer = write(self.buffer, value) if is_fast else self.buffer.at[1].set(value)


def put(buffer, value, is_fast):
    return write(buffer, value) if is_fast else buffer.at[1].set(value)


buffer = put(put(jnp.zeros(3), 1.0, True), 1.0, False)
for turn in range(3):
    buffer = write(buffer, 1.0) if turn else buffer * 2
buffers = [write(buffer, 1.0) if buffer.size > 2 else buffer + 1]
ring = Ring()
ring.push(1.0, True)
ring.push(1.0, False)

# %% a read behind a conditional expression, and one in its test
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def write(buffer, value):
    return buffer.at[0].set(value)


def put(buffer, value, is_fast):
    written = write(buffer, value) if is_fast else buffer
    return written + buffer  #! JAX505


def tested(buffer, value):
    return buffer if write(buffer, value).sum() > 0 else -buffer  #! JAX505


put(jnp.zeros(3), 1.0, True)

# %% `:=` binds the result in a test, and `finally` another buffer in each turn
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def write(buffer, value):
    return buffer.at[0].set(value)


buffer = jnp.zeros(3)
if buffer.size and (buffer := write(buffer, 1.0)).size:
    print(buffer.sum())
for turn in range(4):
    try:
        out = write(buffer, turn)
        if turn == 2:
            continue
        print(out)
    finally:
        buffer = jnp.zeros(3)

# %% a variable that is set to an attribute, or to an item, before that is donated
import jax
import jax.numpy as jnp

step = jax.jit(lambda s: s + 1.0, donate_argnums=0)


class Trainer:
    def __init__(self):
        self.state = jnp.zeros(4)

    def train(self):
        before = self.state
        self.state = step(self.state)
        return self.state - before  #! JAX505

    def touch(self):
        self.state = self.state * 2


def train(trainer):
    old = trainer.state
    trainer.state = step(trainer.state)
    return trainer.state - old  #! JAX505


def train_item(held):
    old = held["state"]
    held["state"] = step(held["state"])
    return held["state"] - old  #! JAX505


train(Trainer())
train_item({"state": jnp.zeros(4)})
Trainer().train()

# %% the attribute is another one by then, or the variable holds a copy
import jax
import jax.numpy as jnp

step = jax.jit(lambda s: s + 1.0, donate_argnums=0)


class Trainer:
    def __init__(self):
        self.state = jnp.zeros(4)

    def touch(self):
        self.state = self.state * 2

    def touched(self):
        before = self.state
        self.touch()
        self.state = step(self.state)
        return self.state - before

    def replaced(self):
        before = self.state
        self.state = self.state + 1
        self.state = step(self.state)
        return self.state - before

    def copied(self):
        before = jnp.copy(self.state)
        self.state = step(self.state)
        return self.state - before

    def of_each_turn(self):
        for _ in range(3):
            self.state = step(self.state)
            now = self.state
            print(now.sum())


trainer = Trainer()
print(trainer.touched(), trainer.replaced(), trainer.copied(), trainer.of_each_turn())

# %% parts of a donated record
import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class State:
    params: jax.Array
    batch: jax.Array


step = jax.jit(lambda s: s.replace(params=s.params + 1.0, batch=None), donate_argnums=0)


def moved(state):
    before = state.params
    state = step(state)
    return state.params - before  #! JAX505


def summed(state):
    before = state.params
    state = step(state)
    return state.params.sum() - before.sum()  #! JAX505


def reused(state):
    batch = state.batch
    state = step(state)
    return state.params.sum() + batch.sum()


print(reused(State(jnp.zeros(4), jnp.zeros((2, 2)))))
summed(State(jnp.zeros(4), jnp.zeros((2, 2))))
moved(State(jnp.zeros(4), jnp.zeros((2, 2))))

# %% what a list, a dict or a tuple holds is donated
import jax
import jax.numpy as jnp

step = jax.jit(lambda s: s + 1.0, donate_argnums=0)


def appended(state):
    states = []
    for _ in range(3):
        states.append(state)
        state = step(state)
    return [each.sum() for each in states]  #! JAX505


def listed(state):
    states = [state]
    state = step(state)
    return states[0].sum() + state  #! JAX505


def named(state):
    first = {"state": state}
    state = step(state)
    return first["state"].sum() + state  #! JAX505


def stacked(state):
    both = (state, jnp.ones(3))
    state = step(state)
    return jnp.stack(both) + state  #! JAX505


appended(jnp.zeros(3))
listed(jnp.zeros(3))
named(jnp.zeros(3))
stacked(jnp.zeros(3))

# %% collections that hold copies, results, or what is read before
import jax
import jax.numpy as jnp

step = jax.jit(lambda s: s + 1.0, donate_argnums=0)


def copies(state):
    states = []
    for _ in range(3):
        states.append(jnp.copy(state))
        state = step(state)
    return [each.sum() for each in states]


def last(state):
    states = [state]
    state = step(state)
    states.append(state)
    return states[-1].sum() + len(states)


def renewed(state):
    for _ in range(3):
        first = {"state": state}
        print(first["state"].sum())
        state = step(state)
        first = {"state": state}
        print(first["state"].sum())
    return first["state"]


def others(state):
    made = [state * 2, jnp.ones(3)]
    state = step(state)
    return jnp.stack(made) + state


def replaced(state):
    held = {"state": state}
    state = step(state)
    held["state"] = state
    return held["state"].sum()


def emptied(state):
    held = [state]
    state = step(state)
    held.clear()
    held.append(state)
    return jnp.stack(held)


def put_first(state):
    held = [state]
    state = step(state)
    held.insert(0, state)
    return held[0].sum()


def taken_out(state):
    held = {"first": state, "other": state * 2}
    state = step(state)
    del held["first"]
    return jax.tree.map(jnp.sum, held), state


for run in (copies, last, renewed, others, replaced, emptied, put_first, taken_out):
    print(run(jnp.zeros(3)))

# %% a pytree that is written in the call, or a tuple by its parts
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Carry(NamedTuple):
    x: jax.Array
    count: jax.Array


step = jax.jit(lambda c: jax.tree.map(lambda x: x + 1, c), donate_argnums=0)


def written(x, count):
    new = step((x, count))
    return new[0] + x  #! JAX505


def by_position(carry):
    new = step(carry)
    return new[0] + carry[0]  #! JAX505


def by_name(x):
    carry = Carry(x, jnp.zeros((), jnp.int32))
    new = step(carry)
    return new.x + carry.x  #! JAX505


by_position((jnp.ones(3), jnp.zeros(())))
by_name(jnp.ones(3))
written(jnp.ones(3), jnp.zeros(()))

# %% a variable that was set to what an attribute holds, where each call gives the next one
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def grown(cache):
    return {"k": cache["k"] + 1}


class Engine:
    def __init__(self):
        self.cache = {"k": jnp.zeros(3)}

    def step(self):
        before = self.cache
        self.cache = grown(self.cache)
        return self.cache["k"] - before["k"]  #! JAX505

    def sizes(self):
        before = self.cache
        self.cache = grown(self.cache)
        return self.cache["k"].sum(), before["k"].shape

    def copied(self):
        before = jax.tree.map(jnp.copy, self.cache)
        self.cache = grown(self.cache)
        return self.cache["k"] - before["k"]


engine = Engine()
print(engine.sizes(), engine.copied())
print(engine.step())

# %% a variable that was set to what a function of the program donates
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def add(total, x):
    return total + x


def accumulated(total, x):
    return add(total, x)


total = jnp.zeros(2)
copied = jnp.copy(total)
former = total
total = accumulated(total, jnp.ones(2))
print(total - copied, former.shape)
print(total - former)  #! JAX505

# %% what is only lowered, traced or asked for its shapes donates nothing
import jax
import jax.numpy as jnp


def update(state, x):
    return state * 0.9 + x.mean()


step = jax.jit(update, donate_argnums=0)


def compiled(state, x):
    run = step.lower(state, x).compile()
    for _ in range(3):
        state = run(state, x)
    return state


def shapes(state, x):
    return step.eval_shape(state, x), state + 1


def cost(state, x):
    lowered = step.trace(state, x).lower()
    return lowered.cost_analysis(), state + 1


def donated(state, x):
    new = step(state, x)
    return new - state  #! JAX505


for each in (compiled, shapes, cost):
    print(each(jnp.ones(3), jnp.ones(3)))
donated(jnp.ones(3), jnp.ones(3))

# %% a dict that is written of another one, with other items in the place of all of its own
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, donate_argnums=0)
def step(state, x):
    return jax.tree.map(lambda s: s * 0.9 + x.mean(), state)


def trial(x):
    first = {"a": jnp.ones(4), "b": jnp.zeros((2, 2))}
    last = step({**first, "a": 0 * first["a"], "b": first["b"] + 0}, x)
    return first["b"] + last["b"]


def copied(x):
    first = {"a": jnp.ones(4), "b": jnp.zeros((2, 2))}
    last = step({**first}, x)
    return first["b"] + last["b"]  #! JAX505


print(trial(jnp.ones(3)))
copied(jnp.ones(3))

# %% what is donated and then waited for
import time
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def step(state, x):
    return state * x


def timed(state, x):
    start = time.time()
    new = step(state, x)
    state.block_until_ready()  #! JAX505
    return new, time.time() - start


def timed_right(state, x):
    start = time.time()
    new = step(state, x)
    jax.block_until_ready(new)
    return new, time.time() - start


timed_right(jnp.ones(3), 2.0)
timed(jnp.ones(3), 2.0)

# %% the best state so far, None to begin with, is donated in the next turn of the loop
import jax
import jax.numpy as jnp

update = jax.jit(lambda s, x: (s - x.mean(), x.sum()), donate_argnums=0)


def copied(xs):
    state, best = jnp.zeros(3), None
    for x in xs:
        state, loss = update(state, x)
        if best is None or loss < 1:
            best = jnp.copy(state)
    return best * 1.0


def last(xs):
    state, latest = jnp.zeros(3), None
    for x in xs:
        state, loss = update(state, x)
        latest = state
    return latest * 1.0


def fit(xs):
    state = jnp.zeros(3)
    low, best = jnp.inf, None
    for x in xs:
        state, loss = update(state, x)
        if loss < low:
            low, best = loss, state
    if best is None:
        raise ValueError
    return best * 1.0  #! JAX505


xs = [jnp.float32(1), jnp.float32(3)]
print(copied(xs), last(xs))
print(fit(xs))

# %% what one statement sets, an attribute set to another one, an item to another one
import jax
import jax.numpy as jnp

step = jax.jit(lambda s: s + 1.0, donate_argnums=0)


class Wave:
    pass


def chained():
    first = second = jnp.ones(3)
    first = step(first)
    return first + second  #! JAX505


def attributes():
    wave = Wave()
    wave.now = jnp.ones(3)
    wave.before = wave.now
    wave.now = step(wave.now)
    return wave.now - wave.before  #! JAX505


def items():
    wave = {"now": jnp.ones(3)}
    wave["before"] = wave["now"]
    wave["now"] = step(wave["now"])
    return wave["now"] - wave["before"]  #! JAX505


def of_variable():
    start = jnp.ones(3)
    wave = Wave()
    wave.now = start
    wave.now = step(wave.now)
    return wave.now - start  #! JAX505


def copied():
    wave = Wave()
    wave.now = jnp.ones(3)
    wave.before = jnp.copy(wave.now)
    wave.now = step(wave.now)
    first = second = jnp.ones(3)
    second = jnp.zeros(3)
    first = step(first)
    return wave.now - wave.before, first + second


def replaced():
    wave = Wave()
    wave.now = jnp.ones(3)
    wave.before = wave.now
    wave.now = wave.now * 2
    wave.now = step(wave.now)
    return wave.now - wave.before


print(copied(), replaced())
for wrong in (attributes, items, of_variable, chained):
    wrong()

# %% raises-elsewhere: a target network that a loop sets to the parameters, which the next turn donates
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def update(params, target, x):
    return jax.tree.map(lambda p, t: p - 0.1 * t * x, params, target)


params = {"w": jnp.ones(3)}
target = jax.tree.map(jnp.copy, params)
for i in range(10):
    params = update(params, target, i)  #! JAX505
    if i % 5 == 0:
        target = params

# %% ... that is read, and copies
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def update(params, target, x):
    return jax.tree.map(lambda p, t: p - 0.1 * t * x, params, target)


@partial(jax.jit, donate_argnums=0)
def step(params, x):
    return jax.tree.map(lambda p: p - 0.1 * x, params)


def distances(params, turns):
    last = jax.tree.map(jnp.zeros_like, params)
    found = []
    for i in range(turns):
        found.append(jnp.abs(last["w"]).sum())  #! JAX505
        params = step(params, i)
        if i % 5 == 0:
            last = params
    return found


def copying(params, turns):
    target = jax.tree.map(jnp.copy, params)
    for i in range(turns):
        params = update(params, target, i)
        if i % 5 == 0:
            target = jax.tree.map(jnp.copy, params)
    return params


def in_each_turn(params, turns):
    last = jax.tree.map(jnp.zeros_like, params)
    found = []
    for i in range(turns):
        params = step(params, i)
        last = params
        found.append(last["w"].sum())
    return found


def copying_before(params, turns):
    for i in range(turns):
        params = step(params, i)
        last = params
        params = jax.tree.map(jnp.copy, params)
    return last


copying({"w": jnp.ones(3)}, 9)
in_each_turn({"w": jnp.ones(3)}, 9)
copying_before({"w": jnp.ones(3)}, 9)
distances({"w": jnp.ones(3)}, 9)

# %% raises-elsewhere: two attributes that the constructor, or a method, leaves the same
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def update(params, target, x):
    return jax.tree.map(lambda p, t: p - 0.1 * t * x, params, target)


class Agent:
    def __init__(self):
        self.params = {"w": jnp.ones(3)}
        self.target = self.params

    def learn(self, x):
        self.params = update(self.params, self.target, x)  #! JAX505


class SyncedAgent:
    def __init__(self):
        self.params = {"w": jnp.ones(3)}
        self.target = jax.tree.map(jnp.copy, self.params)

    def learn(self, x):
        self.params = update(self.params, self.target, x)  #! JAX505

    def synchronize(self):
        self.target = self.params


synced = SyncedAgent()
for turn in range(4):
    synced.learn(turn)
    synced.synchronize()
agent = Agent()
for turn in range(4):
    agent.learn(turn)

# %% raises-elsewhere: ... one of which is read behind the call
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def step(params, x):
    return jax.tree.map(lambda p: p - 0.1 * x, params)


class Averaging:
    def __init__(self):
        self.params = self.average = {"w": jnp.ones(3)}

    def learn(self, x):
        self.params = step(self.params, x)
        self.average = jax.tree.map(lambda a, p: 0.9 * a + 0.1 * p, self.average, self.params)  #! JAX505


averaging = Averaging()
averaging.learn(1.0)

# %% ... copies, a method that copies before, and what is set before the call
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def update(params, target, x):
    return jax.tree.map(lambda p, t: p - 0.1 * t * x, params, target)


class Agent:
    def __init__(self):
        self.params = {"w": jnp.ones(3)}
        self.target = jax.tree.map(jnp.copy, self.params)

    def learn(self, x):
        self.params = update(self.params, self.target, x)

    def synchronize(self):
        self.target = self.params
        self.params = jax.tree.map(jnp.copy, self.params)


class Lazy:
    def __init__(self):
        self.params = {"w": jnp.ones(3)}
        self.target = self.params

    def begin(self):
        self.target = jax.tree.map(jnp.copy, self.params)

    def learn(self, x):
        self.params = update(self.params, self.target, x)


class Wave:
    def __init__(self):
        self.now = {"w": jnp.ones(3)}
        self.before = {"w": jnp.ones(3)}

    def learn(self, x):
        self.now, self.before = update(self.before, self.now, x), self.now


class Guarded:
    def __init__(self):
        self.params = {"w": jnp.ones(3)}
        self.target = self.params

    def learn(self, x):
        self.separate()
        self.params = update(self.params, self.target, x)

    def separate(self):
        if self.target is self.params:
            self.target = jax.tree.map(jnp.copy, self.params)


lazy = Lazy()
lazy.begin()
for one in (Agent(), lazy, Wave(), Guarded()):
    for turn in range(4):
        one.learn(turn)
agent = Agent()
for turn in range(4):
    agent.learn(turn)
    agent.synchronize()

# %% what is kept under other keys of a dict, and as an attribute in some turns
import jax
import jax.numpy as jnp

step = jax.jit(lambda p, x: p - x, donate_argnums=0)


def by_step(params, turns):
    history = {}
    for i in range(turns):
        history[i] = params
        params = step(params, 1.0)
    return sum(each.sum() for each in history.values())  #! JAX505


def by_name(params, turns):
    saved = {}
    saved["first"] = params
    for _ in range(turns):
        params = step(params, 1.0)
    return params - saved["first"]  #! JAX505


class Fit:
    def __init__(self, params):
        self.params, self.best = params, None

    def run(self, xs):
        for x in xs:
            if self.best is None:
                self.best = self.params
            self.params = step(self.params, x)
        return self.best.sum()  #! JAX505


class CopyingFit:
    def __init__(self, params):
        self.params, self.best = params, None

    def run(self, xs):
        for x in xs:
            if self.best is None:
                self.best = jnp.copy(self.params)
            self.params = step(self.params, x)
        return self.best.sum()


def of_results(params, turns):
    history = {}
    for i in range(turns):
        history[i] = jnp.copy(params)
        params = step(params, 1.0)
    return sum(each.sum() for each in history.values())


CopyingFit(jnp.ones(3)).run([1.0, 2.0])
of_results(jnp.ones(3), 3)
for wrong in (lambda: by_name(jnp.ones(3), 2), lambda: Fit(jnp.ones(3)).run([1.0, 2.0])):
    try:
        wrong()
    except (RuntimeError, ValueError) as error:
        print(error)
by_step(jnp.ones(3), 2)

# %% shapes, types, structure and keys of what is donated can be read, and whether it is deleted
import jax
import jax.numpy as jnp
import numpy as np

update = jax.jit(lambda tree: jax.tree.map(lambda leaf: leaf + 1, tree), donate_argnums=0)


def shapes(tree):
    new = update(tree)
    print(jax.tree.map(lambda leaf: leaf.shape, tree), sum(leaf.size for leaf in jax.tree.leaves(tree)))
    return new


def structure():
    tree = {"w": jnp.ones(2)}
    new = update(tree)
    assert jax.tree.structure(tree) == jax.tree.structure(new)
    print("w" in tree, list(tree), sorted(tree), [name for name in tree])
    return jax.tree.map(jnp.zeros_like, tree)


def state():
    tree = {"w": jnp.ones(2)}
    new = update(tree)
    assert all(leaf.is_deleted() for leaf in jax.tree.leaves(tree))
    return tree["w"].is_deleted(), tree["w"].shape, tree is new


def array():
    x = jnp.ones(2)
    y = update(x)
    print(jnp.shape(x), np.shape(x), jnp.ndim(x), jnp.size(x), jnp.result_type(x), update.lower(x))
    return y


shapes({"w": jnp.ones(2)})
structure()
state()
array()

# %% ... the values of its leaves can't
import jax
import jax.numpy as jnp

update = jax.jit(lambda tree: jax.tree.map(lambda leaf: leaf + 1, tree), donate_argnums=0)


def total():
    tree = {"w": jnp.ones(2)}
    update(tree)
    return sum(leaf.sum() for leaf in jax.tree.leaves(tree))  #! JAX505


def sizes():
    tree = {"w": jnp.ones(2)}
    update(tree)
    return jax.tree.map(lambda leaf: leaf / leaf.size, tree)  #! JAX505


try:
    sizes()
except (RuntimeError, ValueError) as error:
    print(error)
total()

# %% an error is expected
import contextlib

import jax
import jax.numpy as jnp

update = jax.jit(lambda p: p + 1, donate_argnums=0)


def fallback(p):
    q = update(p)
    try:
        return p + 1
    except (RuntimeError, ValueError):
        return q


def suppressed(p):
    q = update(p)
    with contextlib.suppress(RuntimeError, ValueError):
        q = p + q
    return q


fallback(jnp.ones(2) * 2)
suppressed(jnp.ones(2) * 2)

# %% raises-elsewhere: ... not where the call is tried as well
import jax
import jax.numpy as jnp

update = jax.jit(lambda p: p + 1, donate_argnums=0)


def tried(p):
    try:
        q = update(p)
        return p + q  #! JAX505
    except KeyError:
        return p


tried(jnp.ones(2) * 2)

# %% a partial gives the first arguments: what is donated comes behind them
import functools

import jax
import jax.numpy as jnp
from jax.tree_util import Partial

scale = jax.jit(lambda s, x: x * s, donate_argnums=1)
named = jax.jit(lambda s, x: x * s, donate_argnames="x")
step = jax.jit(lambda x, s: x * s, donate_argnums=0)
twice = functools.partial(scale, 2.0)
halved = functools.partial(step, s=0.5)


def deleted(donates):
    x = jnp.ones(3)
    y = donates(x)
    return y, x.is_deleted()


print(deleted(twice), deleted(Partial(named, 2.0)), deleted(halved))
x = jnp.ones(3)
y = functools.partial(functools.partial(scale), 2.0)(x)
print(x + y)  #! JAX505

# %% raises-elsewhere: ... in functions, by keywords, by a method that is compiled in the class
from functools import partial

import jax
import jax.numpy as jnp

scale = jax.jit(lambda s, x: x * s, donate_argnums=1)
twice = partial(scale, 2.0)
halved = partial(jax.jit(lambda x, s: x * s, donate_argnums=0), s=0.5)


class Trainer:
    @partial(jax.jit, static_argnums=0, donate_argnums=1)
    def step(self, state, batch):
        return state + batch, batch * 2

    def fit(self, state, batch):
        new, other = self.step(state, batch)
        print(batch)
        return new, other, state  #! JAX505


def first(x):
    y = twice(x)
    return x + y  #! JAX505


def second(x):
    y = halved(x)
    return x + y  #! JAX505


def third(x):
    y = twice(x=x)
    return x + y  #! JAX505


def helper(y, x):
    return y, scale(2.0, x)


def fourth(x):
    _, y = partial(helper, x.shape)(x)
    return x + y  #! JAX505


accepted = []
for each in (first, second, third, fourth):
    try:
        each(jnp.ones(3))
    except RuntimeError as error:
        print(error)
    else:
        accepted.append(each)
assert not accepted, accepted
_, _, state = Trainer().fit(jnp.ones(3), jnp.ones(3))
print(state)

# %% ... what comes at the place that the compiled function donates, but is another argument
from functools import partial

import jax
import jax.numpy as jnp

scale = jax.jit(lambda s, x, y: (x * s, y * s), donate_argnums=1)
twice = partial(scale, 2.0)
later = partial(jax.jit(lambda s, x: x * s, donate_argnums=1), jnp.ones(3))


class Trainer:
    @partial(jax.jit, static_argnums=0, donate_argnums=1)
    def step(self, state, batch):
        return state + batch, batch * 2

    def fit(self, state, batch):
        state, other = self.step(state, batch)
        return state + batch + other


def both(x, y):
    x, z = twice(x, y)
    return x + y + z


def helper(x, y, z):
    return scale(z, x, y)


def helped(x, y):
    x, z = partial(helper, x * 2)(y, 2.0)
    return x + y + z


def replaced(x):
    for _ in range(3):
        x = later(x)
    return x


print(Trainer().fit(jnp.ones(3), jnp.ones(3)), both(jnp.ones(3), jnp.ones(3)))
print(helped(jnp.ones(3), jnp.ones(3)), replaced(jnp.ones(3)))
add = jax.jit(lambda a, b: a + b, donate_argnums=1)


def added(a, b):
    return add(a, b)


xs, ys = [jnp.ones(3)], [jnp.ones(3)]
total = jax.tree.map(add, xs, ys)
total = jax.tree.map(added, xs, total)
print(xs[0] + total[0])

# %% vmap and derivatives outside of a compiled function run it at once: what is donated there is deleted
import jax
import jax.numpy as jnp

double = jax.jit(lambda x: x * 2, donate_argnums=0)


def mapped(v):
    w = double(v)
    return w + v  #! JAX505


print(jax.vmap(mapped)(jnp.ones((2, 2))))

# %% ... a derivative
import jax
import jax.numpy as jnp

double = jax.jit(lambda x: x * 2, donate_argnums=0)
print(jax.grad(lambda v: (double(v) + v).sum())(jnp.ones(3)))  #! JAX505

# %% raises-elsewhere: ... each of them, in each other, in a function that is called there, behind a closure
from functools import partial

import jax
import jax.numpy as jnp

double = jax.jit(lambda x: x * 2, donate_argnums=0)


def one(v):
    w = double(v)
    return (w + v).sum()  #! JAX505


def two(v):
    w = double(v)
    return v * w  #! JAX505


@jax.value_and_grad
def three(params, batch):
    new = double(params)
    return ((new - params) * batch).sum()  #! JAX505


def inner(v):
    w = double(v)
    return (w + v).sum()  #! JAX505


def four(v):
    return inner(v * 2)


def helper(v):
    return double(v)


def five(v):
    w = helper(v)
    return (v * w).sum()  #! JAX505


def six(v):
    w = double(jax.lax.stop_gradient(v) * 2)
    w = double(w)
    u = double(w)
    return (w * v + u).sum()  #! JAX505


def seven(x):
    y = jax.vmap(double)(x)  #! JAX601
    return x + y  #! JAX505


def eight(x):
    y = jax.vmap(helper)(x)
    return x + y  #! JAX505


both = jax.jit(lambda p: (p.sum(), p * 2), donate_argnums=0)


def nine(x):
    y = jax.value_and_grad(both, has_aux=True)(x)
    return x, y  #! JAX505


def ten(v, c):
    w = double(v)
    return w + v + c  #! JAX505


def eleven(v):
    w = double(v)
    return w + v  #! JAX505


def twelve(v):
    w = double(v)
    return w + v  #! JAX505


accepted = []
x = jnp.ones((2, 2))
for each in (
    lambda: jax.vmap(jax.grad(one))(x),
    lambda: jax.jacfwd(two)(x),
    lambda: three(x, x * 2),
    lambda: jax.grad(four)(x),
    lambda: jax.grad(five)(x),
    lambda: jax.grad(six)(jnp.ones(3)),
    lambda: seven(jnp.ones((2, 2))),
    lambda: eight(jnp.ones((2, 2))),
    lambda: nine(jnp.ones((2, 2)))[0] + 1,
    lambda: jax.vmap(ten, in_axes=(0, None))(jnp.ones((2, 2)), jnp.ones(2)),
    lambda: jax.vjp(eleven, jnp.ones(2)),
    lambda: jax.jvp(twelve, (jnp.ones(2),), (jnp.ones(2),)),
):
    x = jnp.ones((2, 2))
    try:
        each()
    except (RuntimeError, ValueError) as error:
        print(error)
    else:
        accepted.append(each)
assert not accepted, accepted
eight(jnp.ones((2, 2)))

# %% ... in a compiled function, of arrays of NumPy, of numbers, of what has an axis less, and what is replaced
import jax
import jax.numpy as jnp
import numpy as np

double = jax.jit(lambda x: x * 2, donate_argnums=0)
both = jax.jit(lambda x, y: x * y, donate_argnums=0)


def staged(v):
    w = double(v)
    return (w + v).sum()


def of_numpy(v):
    w = double(v)
    return (w + v).sum()


def of_number(v):
    w = double(v)
    return w + v


def shared(c, v):
    w = both(c, v)
    return w + c


def replaced(v):
    for _ in range(3):
        v = double(v)
    return v.sum()


def copied(v):
    w = double(v * 1)
    return (w + v).sum()


def kept(v):
    w = jax.jit(lambda x: x.sum(), donate_argnums=0)(v)
    return w + v


def given(x):
    y = jax.vmap(both, in_axes=(None, 0))(x, jnp.ones((2, 3)))
    return x + y


def listed(f, x, y):
    return f(x, y)


x = jnp.ones((2, 3))
print(jax.jit(jax.vmap(staged))(x), jax.jacfwd(jax.jit(staged))(x), jax.grad(jax.jit(staged))(x))
print(jax.jit(jax.grad(staged))(x), jax.eval_shape(jax.grad(staged), x), jax.make_jaxpr(staged)(x))
print(jax.lax.map(staged, x), jax.jit(lambda x: jax.vmap(staged)(x))(x))
print(jax.vmap(of_numpy)(np.ones((2, 3), np.float32)), jax.grad(of_numpy)(np.ones(3, np.float32)))
print(jax.grad(of_number)(2.0), jax.vmap(shared, in_axes=(None, 0))(jnp.ones(3), x))
print(jax.vmap(lambda v: jax.vmap(lambda u: both(v, u) + v)(jnp.ones((2, 3))))(x))
print(jax.vmap(kept)(x), given(jnp.ones(3)), jax.vmap(copied)(x), jax.grad(copied)(x))
print(jax.vmap(replaced)(x), jax.grad(replaced)(jnp.ones(3)))
x, c = jnp.ones(3), jnp.ones(3)
(y, back) = jax.vjp(both, c, x)
print(x + y)

# %% a transform that nobody calls here may be called in a compiled function
import jax

double = jax.jit(lambda x: x * 2, donate_argnums=0)


@jax.vmap
def mapped(v):
    w = double(v)
    return w + v


class Model:
    def __init__(self):
        self.gradient = jax.grad(self.loss)

    def loss(self, v):
        return (double(v) + v).sum()

# %% the statement of the call keeps what it donates beside the result
import jax
import jax.numpy as jnp

step = jax.jit(lambda x: x + 1, donate_argnums=0)

x = jnp.zeros(3)
old, x = x, step(x)
print(x - old)  #! JAX505

# %% raises-elsewhere: ... in loops, nested, of attributes and items, of what a helper donates
import jax
import jax.numpy as jnp

step = jax.jit(lambda x: x + 1, donate_argnums=0)
both = jax.jit(lambda x: (x + 1, x.sum()), donate_argnums=0)


def until(x):
    old = x
    for _ in range(3):
        old, x = x, step(x)
        if abs(x - old).max() < 1e-3:  #! JAX505
            break
    return x


def with_loss(x):
    old, (x, loss) = x, both(x)
    return x - old, loss  #! JAX505


def behind(x):
    new, old = step(x), x  #! JAX505
    return new - old  #! JAX505


def advance(x):
    return step(x)


def by_helper(x):
    old, x = x, advance(x)
    return x - old  #! JAX505


def in_the_turn_before(x):
    old = jnp.zeros(3)
    for _ in range(3):
        old, x, change = x, step(x), old * 2  #! JAX505
    return x, change


class Trainer:
    def __init__(self):
        self.x = self.old = jnp.zeros(3)

    def go(self):
        self.old, self.x = self.x, step(self.x)
        return self.x - self.old  #! JAX505


state = {"x": jnp.zeros(3)}
for run in (until, with_loss, behind, by_helper, in_the_turn_before):
    try:
        run(jnp.zeros(3))
    except RuntimeError:
        print(run)
try:
    Trainer().go()
except RuntimeError:
    print(Trainer)
state["old"], state["x"] = state["x"], step(state["x"])
print(state["old"] + 1)  #! JAX505

# %% ... copies, shapes, what gets another value, what was read before the call, two buffers that take turns
import jax
import jax.numpy as jnp

step = jax.jit(lambda x: x + 1, donate_argnums=0)


def copied(x):
    old, x = x.copy(), step(x)
    return x - old


def replaced(x):
    old, x = x, step(x)
    old = jnp.zeros(3)
    return x - old


def shaped(x):
    old, x = x, step(x)
    return x.reshape(old.shape), old.is_deleted()


def in_turns(x, y):
    x, y = y, step(x)
    return x - y


def chosen(x, is_last):
    old, x = x, (step(x) if not is_last else x + 1)
    return x - old if is_last else x


def read_before(x):
    old = jnp.zeros(3)
    for _ in range(3):
        change, old, x = old * 2, x + 0, step(x)
    return x, change


def of_another(x):
    new, old = step(x * 1), x
    return new - old


class Trainer:
    def __init__(self):
        self.x = self.old = jnp.zeros(3)

    def go(self):
        self.old, self.x = self.x, step(self.x)
        self.old = self.x * 2
        return self.x - self.old


x = jnp.zeros(3)
print(copied(jnp.zeros(3)), replaced(jnp.zeros(3)), shaped(jnp.zeros(3)), read_before(jnp.zeros(3)))
print(in_turns(jnp.zeros(3), jnp.ones(3)), chosen(jnp.zeros(3), True), of_another(x), Trainer().go())

# %% two parts of a record that were given one array
from typing import NamedTuple

import jax
import jax.numpy as jnp

update = jax.jit(lambda x, y: x + y, donate_argnums=0)


class Networks(NamedTuple):
    online: jax.Array
    target: jax.Array


def make():
    params = jnp.ones(3)
    return Networks(params, params)


networks = make()
print(update(networks.online, networks.target))  #! JAX505

# %% raises-elsewhere: ... of a dict, a tuple, a dataclass, where the record gets another part, in a loop
import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp

step = jax.jit(lambda x: x + 1, donate_argnums=0)
update = jax.jit(lambda x, y: x + y, donate_argnums=0)


class Networks(NamedTuple):
    online: jax.Array
    target: jax.Array


@dataclasses.dataclass
class Weights:
    online: jax.Array
    target: jax.Array


def make():
    params = jnp.ones(3)
    networks = Networks(online=params, target=params)
    return networks


def of_a_dict():
    params = jnp.ones(3)
    networks = {"online": params, "target": params}
    networks["online"] = step(networks["online"])
    return networks["target"] + 1  #! JAX505


def of_a_tuple():
    params = jnp.ones(3)
    pair = (params, params)
    new = step(pair[0])
    return new + pair[1]  #! JAX505


def of_a_dataclass():
    params = jnp.ones(3)
    weights = Weights(params, target=params)
    weights = dataclasses.replace(weights, online=step(weights.online))
    return weights.online - weights.target  #! JAX505


def with_another_part():
    networks = make()
    networks = networks._replace(online=step(networks.online))
    return networks.online - networks.target  #! JAX505


def in_a_loop():
    networks = make()
    for _ in range(2):
        networks = networks._replace(online=update(networks.online, networks.target))  #! JAX505
    return networks


for run in (of_a_dict, of_a_tuple, of_a_dataclass, with_another_part, in_a_loop):
    try:
        run()
    except (RuntimeError, ValueError):
        print(run)
params = jnp.ones(3)
networks = Networks(params, params)
print(update(networks.online, networks.target))  #! JAX505

# %% ... copies, made at once or before the call, other arrays, results, what is read before, arrays of NumPy
import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

step = jax.jit(lambda x: x + 1, donate_argnums=0)
update = jax.jit(lambda x, y: x + y, donate_argnums=0)


class Networks(NamedTuple):
    online: jax.Array
    target: jax.Array


@dataclasses.dataclass
class Weights:
    online: jax.Array
    target: jax.Array

    def __post_init__(self):
        self.target = jnp.copy(self.target)


def make():
    params = jnp.ones(3)
    return Networks(params, params)


def copied():
    params = jnp.ones(3)
    networks = Networks(params, jnp.copy(params))
    networks = networks._replace(online=step(networks.online))
    return networks.target + 0


def copied_before():
    networks = make()
    networks = networks._replace(target=networks.target.copy())
    for _ in range(2):
        networks = networks._replace(online=update(networks.online, networks.target))
    return networks


def copied_item():
    params = jnp.ones(3)
    networks = {"online": params, "target": params}
    networks["target"] = jnp.copy(networks["target"])
    networks["online"] = step(networks["online"])
    return networks["target"] + 0


def replaced_both():
    networks = make()
    new = step(networks.online)
    networks = networks._replace(online=new, target=new)
    return networks.target + 0


def made_again():
    networks = make()
    new = step(networks.online)
    networks = Networks(new, new)
    return networks.target + networks.online


def read_before():
    networks = make()
    target = networks.target + 1
    return target + step(networks.online)


def of_numpy():
    params = np.ones(3, np.float32)
    networks = Networks(params, params)
    networks = networks._replace(online=step(networks.online))
    return networks.target + 0


def mapped():
    networks = jax.tree.map(jnp.copy, make())
    return update(networks.online, networks.target)


def of_two():
    first, second = jnp.ones(3), jnp.ones(3)
    networks = Networks(first, second)
    return update(networks.online, networks.target)


def given_twice():
    params = jnp.ones(3)
    networks = {"online": params, "target": params, **{"target": params + 1}}
    return update(networks["online"], networks["target"])


def by_its_class():
    params = jnp.ones(3)
    weights = Weights(params, params)
    return update(weights.online, weights.target)


for run in (copied, copied_before, copied_item, replaced_both, made_again, read_before, of_numpy, mapped):
    print(run())
print(of_two(), given_twice(), by_its_class())

# %% a `for` gives a variable what a generator yields, which donates what it has yielded before
from functools import partial

import jax
import jax.numpy as jnp


class Stage:
    def __init__(self, count):
        self.count = count

    def loop(self, state, start):
        compute = jax.jit(lambda s: s + 1, donate_argnums=0)
        for step in range(start, self.count):
            state = compute(state)
            yield step, state

    def run(self, state, start=0):
        for step, state in self.loop(state, start):
            print(step, state)
        return state

    def counted(self, state):
        for number, (step, state) in enumerate(self.loop(state, 0)):
            print(number, step)
        return state

    def lazily(self, state):
        turns = self.loop(state, 0)
        print(state)
        return turns


stage = Stage(3)
print(stage.run(jnp.zeros(4)) + 1, stage.run(jnp.zeros(4), 3), stage.counted(jnp.zeros(4)))
for _, each in stage.lazily(jnp.zeros(4)):
    print(each)

# %% what a generator donates is gone when it is run, unless its loop gives the variable another value
import jax
import jax.numpy as jnp


@jax.jit
def read(x):
    return x.sum()


step = jax.jit(lambda s: s + 1, donate_argnums=0)


def loop(state, count):
    for number in range(count):
        state = step(state)
        yield number, state


def other_name(state):
    for number, new in loop(state, 3):
        print(number)
    return new + state  #! JAX505


def copied(state):
    before = state
    for number, state in loop(state, 3):
        print(number)
    return state - before  #! JAX505


def listed(state):
    states = list(loop(state, 3))
    return states, read(state)  #! JAX505


for function in (other_name, copied):
    try:
        function(jnp.zeros(4))
    except (RuntimeError, ValueError) as error:
        print(error)
listed(jnp.zeros(4))

# %% of what a function gives of which nothing is known, nothing need fit: the donated array stays
import jax
import jax.numpy as jnp


def forward(params, x):
    return {"logits": (params["w"] @ x).sum(0)}


def generate(apply, params, x):
    for _ in range(3):
        outs = apply(params, x)
        x = x + outs["logits"].sum()
    return x


def found(name):
    return globals()[name]


apply = jax.jit(found("".join(["for", "ward"])), donate_argnums=0)
print(generate(apply, {"w": jnp.ones((5, 3))}, jnp.ones((3, 2))))

# %% of what a known function gives, something fits
import jax
import jax.numpy as jnp


def update(params, x):
    return jax.tree.map(lambda each: each + x.sum(), params)


def train(step, params, x):
    for _ in range(3):
        new = step(params, x)  #! JAX505
    return new


train(jax.jit(update, donate_argnums=0), {"w": jnp.ones((5, 3))}, jnp.ones((3, 2)))

# %% a function that makes a copy of what it is given before it donates it, as its caller asks
import dataclasses
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.tree_util.register_dataclass, data_fields=["params"], meta_fields=[])
@dataclasses.dataclass(frozen=True)
class State:
    params: jax.Array


@functools.partial(jax.jit, donate_argnames=["state"])
def step(state, batch):
    return State(params=state.params - 0.1 * batch)


@functools.partial(jax.jit, donate_argnums=0)
def update(params, batch):
    return params - 0.1 * batch


def fit(batches, state):
    if not isinstance(state, State):
        state = State(jax.tree.map(jnp.copy, state))
    for batch in batches:
        state = step(state, batch)
    return state


def train(batches, params, copy):
    if copy:
        params = jnp.copy(params)
    for batch in batches:
        params = update(params, batch)
    return params


def train_from(batches, params, start=None):
    if start is not None:
        params = start
    return update(params, batches[0])


params = jnp.array([10.0, 10.0])
print(fit(jnp.ones((3, 2)), params), params)
print(train(jnp.ones((3, 2)), params, True), params)
start = jnp.zeros(2)
print(train_from(jnp.ones((3, 2)), params, start), params)

# %% ... and one that does not, as its caller asks
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, donate_argnums=0)
def update(params, batch):
    return params - 0.1 * batch


def train(batches, params, copy=False):
    if copy:
        params = jnp.copy(params)
    for batch in batches:
        params = update(params, batch)
    return params


def train_from(batches, params, start=None):
    if start is not None:
        params = start
    return update(params, batches[0])


params = jnp.array([10.0, 10.0])
print(train(jnp.ones((3, 2)), params))
try:
    print(params)
except (RuntimeError, ValueError):
    pass
params = jnp.array([10.0, 10.0])
print(train_from(jnp.ones((3, 2)), params))
print(params)  #! JAX505

# %% lists that are emptied before what they have is donated, and a queue that keeps the last one only
from collections import deque

import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


def cleared(p):
    hist = []
    for _ in range(3):
        hist.append(p)
        print(sum(h.sum() for h in hist))
        hist.clear()
        p = step(p)
    return p


def deleted(p):
    hist = []
    for _ in range(3):
        hist.append(p)
        print(jnp.stack(hist).sum())
        del hist[:]
        p = step(p)
    return p


def assigned(p):
    hist = []
    for _ in range(3):
        hist.append(p)
        print(jnp.stack(hist).sum())
        hist[:] = []
        p = step(p)
    return p


def queued(p):
    last = deque(maxlen=1)
    for _ in range(3):
        p = step(p)
        last.append(p)
        print(jnp.stack(list(last)).mean())
    return p


def by_key(p):
    hist = {}
    for i in range(3):
        hist[i] = p
        print(jnp.stack(list(hist.values())).sum())
        hist.clear()
        p = step(p)
    return p


def taken(p):
    waiting = []
    for _ in range(3):
        waiting.append(p)
        print(waiting.pop().sum())
        p = step(p)
        print(sum(h.sum() for h in waiting))
    return p


for run in (cleared, deleted, assigned, queued, by_key, taken):
    print(run(jnp.ones(3)))

# %% raises ... a queue that keeps two
from collections import deque

import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


def run(p):
    last = deque(maxlen=2)
    for _ in range(3):
        p = step(p)
        last.append(p)
        print(jnp.stack(list(last)).mean())  #! JAX505
    return p


print(run(jnp.ones(3)))

# %% raises ... a list that is emptied on some path only
import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


def run(p):
    hist = []
    for i in range(3):
        hist.append(p)
        if i == 2:
            hist.clear()
        p = step(p)
        print(jnp.stack(hist).sum())  #! JAX505
    return p


print(run(jnp.ones(3)))

# %% raises the last item of a list that gets the array before it is donated
import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


def run(p, n):
    saved = []
    for _ in range(n):
        saved.append(p)
        p = step(p)
    return saved[-1] - p  #! JAX505


print(run(jnp.ones(3), 3))

# %% raises ... the one before the last, of a list that gets it afterwards
import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


def run(p, n):
    saved = []
    for _ in range(n):
        p = step(p)
        saved.append(p)
    return saved[-1] - saved[-2]  #! JAX505


print(run(jnp.ones(3), 3))

# %% ... where the last one is what the last step gave, or another array
import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


def behind(p, n):
    saved = []
    for _ in range(n):
        p = step(p)
        saved.append(p)
    return saved[-1] - p


def copied(p, n):
    saved = [jnp.copy(p)]
    for i in range(n):
        if i == n - 1:
            saved.append(jnp.copy(p))
        p = step(p)
    return saved[-1] - p


def other(p, q, n):
    saved = []
    for _ in range(n):
        saved.append(p)
        p = p + 1
        p = step(p)
        saved.append(q)
    return saved[-1] - saved[-2]


def at_the_end(p, n):
    saved = []
    for i in range(n):
        if i == n - 1:
            saved.append(p)
        else:
            p = step(p)
    return saved[-1] - p


def chosen(p, n):
    saved = []
    for i in range(n):
        if i == 0:
            p = step(p)
        saved.append(p)
    return saved[-1] - saved[-2]


def taken_out(p, n):
    saved = []
    for _ in range(n):
        saved.append(p)
        p = step(p)
        saved.pop()
        saved.append(p)
    return saved[-1] - p


def in_front(p, n):
    saved = []
    for _ in range(n):
        p = step(p)
        saved.insert(0, p)
    return saved[0] - p


x = jnp.ones(3)
print(behind(x + 0, 3), copied(x + 0, 3), other(x + 0, x, 3), at_the_end(x + 0, 3))
print(chosen(x + 0, 3), taken_out(x + 0, 3), in_front(x + 0, 3))

# %% raises a list that grows by an operator
import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


def run(p):
    hist = []
    for _ in range(3):
        hist += [p]
        p = step(p)
    return jnp.stack(hist)  #! JAX505


print(run(jnp.ones(3)))

# %% raises ... by `extend`
import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


def run(p):
    hist = []
    for _ in range(3):
        hist.extend([p])
        p = step(p)
    return hist[0] + hist[1]  #! JAX505


print(run(jnp.ones(3)))

# %% raises a list of pairs with what is donated
import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


def run(p):
    hist = []
    for i in range(3):
        hist.append((i, p))
        p = step(p)
    return [h.sum() for _, h in hist]  #! JAX505


print(run(jnp.ones(3)))

# %% raises ... a loop over them
import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


def run(p):
    hist = []
    for i in range(3):
        hist.append((i, p))
        p = step(p)
    for i, h in hist: print(i, jnp.abs(h).max())  #! JAX505


run(jnp.ones(3))

# %% raises ... of records, of which one is taken
import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


def run(p):
    hist = []
    for i in range(3):
        hist.append({"step": i, "params": p})
        p = step(p)
    print(hist[0]["step"])
    return hist[-1]["params"] - p  #! JAX505


run(jnp.ones(3))

# %% raises ... in a comprehension
import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


def run(p):
    hist = []
    for i in range(3):
        hist += [{"step": i, "params": p}]
        p = step(p)
    return [each["params"].mean() for each in hist]  #! JAX505


run(jnp.ones(3))

# %% ... of which only the rest is read
import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


def run(p):
    hist = []
    for i in range(3):
        hist.append((i, p))
        p = step(p)
    for i, _ in hist:
        print(i)
    shapes = [h.shape for _, h in hist]
    zeros = [jnp.zeros_like(h) for _, h in hist]
    kept = [h for _, h in hist]
    print(hist[0][0], len(hist), dict(hist).keys(), shapes, zeros, len(kept))
    return [i for i, _ in hist]


def copies(p):
    hist = []
    for i in range(3):
        hist.append((i, jnp.copy(p)))
        p = step(p)
    return [h.sum() for _, h in hist]


def later(p):
    hist = []
    for i in range(3):
        p = step(p)
        hist.append((i, p))
        print(hist[-1][1].sum())
        hist = []
    return p


print(run(jnp.ones(3)), copies(jnp.ones(3)), later(jnp.ones(3)))

# %% raises a list of an object that gets what another attribute has
import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self):
        self.params = jnp.ones(3)
        self.hist = []
        self._step = jax.jit(lambda p: p * 0.5, donate_argnums=0)

    def train(self, n):
        for _ in range(n):
            self.hist.append(self.params)
            self.params = self._step(self.params)
        return self.hist[0] - self.params  #! JAX505


print(Trainer().train(2))

# %% raises ... and its last item
import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self):
        self.params = jnp.ones(3)
        self.hist = []
        self._step = jax.jit(lambda p: p * 0.5, donate_argnums=0)

    def train(self, n):
        for _ in range(n):
            self.hist.append(self.params)
            self.params = self._step(self.params)
        return self.hist[-1] - self.params  #! JAX505


print(Trainer().train(2))

# %% ... a copy of it, or one that is made behind the step
import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self):
        self.params = jnp.ones(3)
        self.hist = []
        self.last = []
        self._step = jax.jit(lambda p: p * 0.5, donate_argnums=0)

    def train(self, n):
        for _ in range(n):
            self.hist.append(jnp.copy(self.params))
            self.params = self._step(self.params)
            self.last = [self.params]
        return self.hist[0] - self.params, self.last[-1], self.last[0]


print(Trainer().train(2))

# %% raises what is donated by a star is read
import jax
import jax.numpy as jnp

leap = jax.jit(lambda q, p: (q + p, p - q), donate_argnums=(0, 1))


def run(q, p):
    state = (q, p)
    new = leap(*state)
    return new[0] - state[0]  #! JAX505


print(run(jnp.ones(3), jnp.zeros(3)))

# %% raises ... by its own name, which is another one of the same array
import jax
import jax.numpy as jnp

leap = jax.jit(lambda q, p: (q + p, p - q), donate_argnums=(0, 1))


def run(q, p):
    state = [q, p]
    new = leap(*state)
    return new[0] - q  #! JAX505


print(run(jnp.ones(3), jnp.zeros(3)))

# %% raises ... of a tuple that is written there
import jax
import jax.numpy as jnp

leap = jax.jit(lambda q, p: (q + p, p - q), donate_argnums=(0, 1))


def run(q, p):
    new = leap(*(q, p))
    return new[0] - p  #! JAX505


print(run(jnp.ones(3), jnp.zeros(3)))

# %% raises ... behind another argument, of which one is donated
import jax
import jax.numpy as jnp

step = jax.jit(lambda x, q, p: (x + q, p - q), donate_argnums=2)


def run(x, state):
    new = step(x, *state)
    return new[0] - sum(state)


q, p = jnp.ones(3), jnp.zeros(3)
state = (q, p)
new = step(q, *state)
print(new[0] - state[0])
print(new[0] - state[1])  #! JAX505

# %% raises ... in a loop that never replaces it
import jax
import jax.numpy as jnp

leap = jax.jit(lambda q, p: (q + p, p - q), donate_argnums=(0, 1))


def run(q, p):
    state = (q, p)
    for _ in range(3):
        new = leap(*state)  #! JAX505
    return new


print(run(jnp.ones(3), jnp.zeros(3)))

# %% raises ... one part only
import jax
import jax.numpy as jnp

leap = jax.jit(lambda q, p: (q + p, p - q), donate_argnums=0)


def run(q, p):
    state = (q, p)
    for _ in range(3):
        new = leap(*state)  #! JAX505
    return new


print(run(jnp.ones(3), jnp.zeros(3)))

# %% raises ... as a whole
import jax
import jax.numpy as jnp

leap = jax.jit(lambda q, p: (q + p, p - q), donate_argnums=(0, 1))


def run(q, p):
    state = (q, p)
    new = leap(*state)
    return new, sum(state)  #! JAX505


print(run(jnp.ones(3), jnp.zeros(3)))

# %% raises ... named by a dict
import jax
import jax.numpy as jnp

step = jax.jit(lambda p, x: p - x, donate_argnames=("p",))
p, x = jnp.ones(3), jnp.ones(3)
kw = dict(p=p, x=x)
q = step(**kw)
print(kw["x"])
print(p - q)  #! JAX505

# %% raises ... read of the dict
import jax
import jax.numpy as jnp

step = jax.jit(lambda p, x: p - x, donate_argnames=("p",))
kw = {"p": jnp.ones(3), "x": jnp.ones(3)}
q = step(**kw)
print(kw["p"] - q)  #! JAX505

# %% raises ... handed on by a decorator
import functools

import jax
import jax.numpy as jnp


def logged(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)

    return wrapper


@logged
@functools.partial(jax.jit, donate_argnums=0)
def step(p, x):
    return p - x


p = jnp.ones(3)
q = step(p, jnp.ones(3))
print(p - q)  #! JAX505

# %% raises ... by keywords
import functools

import jax
import jax.numpy as jnp


def logged(fn):
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)

    return wrapper


step = logged(jax.jit(lambda x, p: p - x, donate_argnames="p"))
p = jnp.ones(3)
q = step(jnp.ones(3), p=p)
print(p - q)  #! JAX505

# %% raises ... by a helper behind its own parameter, and by a method
import jax
import jax.numpy as jnp

leap = jax.jit(lambda q, p: (q + p, p - q), donate_argnums=(0, 1))


class Integrator:
    def leap(self, *state):
        return leap(*state)


def named(name, *args):
    print(name)
    return Integrator().leap(*args)


q, p = jnp.ones(3), jnp.zeros(3)
new = named("leap", q, p)
print(new[0])
print(new[1] - p)  #! JAX505

# %% ... and replaced, copied or not donated
import functools

import jax
import jax.numpy as jnp

leap = jax.jit(lambda q, p: (q + p, p - q), donate_argnums=(0, 1))
first = jax.jit(lambda q, p: (q + p, p - q), donate_argnums=0)
step = jax.jit(lambda p, x: p - x, donate_argnames=("p",))


def replaced(q, p):
    state = (q, p)
    for _ in range(3):
        state = leap(*state)
    return state[0] - state[1]


def unpacked(q, p):
    for _ in range(3):
        q, p = leap(*(q, p))
    return q - p


def listed(q, p):
    state = [q, p]
    for _ in range(3):
        state[0], state[1] = leap(*state)
    return state[0] - state[1]


def copied(q, p):
    state = (q, p)
    new = leap(*[jnp.copy(each) for each in state])
    return new[0] - state[0]


def other(q, p):
    state = (q, p)
    new = first(*state)
    return new[0] - state[1] - p


def by_name(p, x):
    kw = dict(p=p, x=x)
    kw["p"] = step(**kw)
    return kw["p"] - kw["x"] - x


def shaped(q, p):
    state = (q, p)
    new = leap(*state)
    return new[0] + jnp.ones(state[0].shape), len(state)


def unknown(states):
    new = [leap(*state) for state in states]
    return new


def logged(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)

    return wrapper


def copying(fn):
    def wrapper(*args):
        args = [jnp.copy(each) for each in args]
        return fn(*args)

    return wrapper


def shifted(fn):
    def wrapper(p, *rest):
        return fn(rest[0], p)

    return wrapper


x = jnp.ones(3)
print(replaced(x + 0, x + 1), unpacked(x + 0, x + 1), listed(x + 0, x + 1), copied(x + 0, x + 1))
print(other(x + 0, x + 1), by_name(x + 0, x + 1), shaped(x + 0, x + 1), unknown([(x + 0, x + 1)]))
p, q = x + 0, x + 1
p = logged(step)(p, x)
print(p - x, copying(leap)(p, q), p - q)
new = shifted(first)(p, q)
print(new, p)

# %% raises a record of what is donated
from typing import NamedTuple

import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


class Snapshot(NamedTuple):
    params: jax.Array
    epoch: int


def run(p):
    first = Snapshot(p, 0)
    p = step(p)
    print(first.epoch)
    return first.params - p  #! JAX505


print(run(jnp.ones(3)))

# %% raises ... a dataclass, by keyword
from dataclasses import dataclass

import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


@dataclass
class Snapshot:
    epoch: int
    params: jax.Array


p = jnp.ones(3)
first = Snapshot(0, params=p)
p = step(p)
print(first.params - p)  #! JAX505

# %% raises ... an object with a constructor
import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


class Best:
    def __init__(self, params):
        self.params = params
        self.loss = None


p = jnp.ones(3)
best = Best(p)
p = step(p)
print(best.params - p)  #! JAX505

# %% raises ... that is set by a method
import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


class Guard:
    def __init__(self):
        self.saved = None

    def set(self, params):
        self.saved = params


guard = Guard()
p = jnp.ones(3)
guard.set(p)
p = step(p)
print(guard.saved - p)  #! JAX505

# %% raises ... that a method appends to
from collections import deque

import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


class Rollback:
    def __init__(self):
        self.saved = deque(maxlen=2)

    def push(self, params):
        self.saved.append(params)


guard = Rollback()
params = jnp.ones(3)
for _ in range(3):
    guard.push(params)
    params = step(params)
print(guard.saved[-1] - params)  #! JAX505

# %% ... that copies it, or gets it when the step is done
from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple

import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


class Snapshot(NamedTuple):
    params: jax.Array
    epoch: int


class Copying:
    def __init__(self, params, copy=True):
        self.params = jnp.copy(params) if copy else params
        self.saved = []
        self.last = None

    def push(self, params):
        self.saved.append(jnp.copy(params))

    def set(self, params):
        self.last = params.copy()


class Rollback:
    def __init__(self):
        self.saved = deque(maxlen=2)
        self.best = None

    def push(self, params):
        self.saved.append(params)

    def update(self, params):
        self.best = params

    def host(self, params):
        self.best = jax.device_get(params)


@dataclass
class Converted:
    params: jax.Array

    def __post_init__(self):
        self.params = jnp.copy(self.params)


def records(p):
    for i in range(3):
        p = step(p)
        last = Snapshot(p, i)
    return last.params - p


def replaced(p):
    last = Snapshot(p, 0)
    for i in range(3):
        p = step(p)
        last = last._replace(params=p)
    return last.params - p


def copies(p):
    kept, made = Copying(p), Converted(p)
    for _ in range(3):
        kept.push(p)
        kept.set(p)
        p = step(p)
    return kept.params, kept.saved[-1], kept.last, made.params


def pushed(p):
    guard = Rollback()
    for _ in range(3):
        p = step(p)
        guard.push(p)
        guard.update(p)
    return guard.saved[-1], guard.best


def hosted(p):
    guard = Rollback()
    for _ in range(3):
        guard.host(p)
        p = step(p)
    return guard.best


for run in (records, replaced, copies, pushed, hosted):
    print(run(jnp.ones(3)))

# %% raises-elsewhere a partial of what is donated
from functools import partial

import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


def distance(a, b):
    return jnp.abs(a - b).max()


def run(p):
    from_start = partial(distance, p)
    p = step(p)
    return from_start(p)  #! JAX505


print(run(jnp.ones(3)))

# %% raises-elsewhere ... a default
import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


def run(p):
    from_start = lambda x, start=p: jnp.abs(x - start).max()
    p = step(p)
    print(from_start(p, p))
    return from_start(p)  #! JAX505


print(run(jnp.ones(3)))

# %% raises-elsewhere ... of a function that is defined there
import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)

p = jnp.ones(3)


def from_start(x, start=p):
    return jnp.abs(x - start).max()


p = step(p)
print(from_start(p))  #! JAX505

# %% ... that has the new value, a copy or another argument
from functools import partial

import jax
import jax.numpy as jnp

step = jax.jit(lambda p: p * 0.5, donate_argnums=0)


def distance(a, b):
    return jnp.abs(a - b).max()


def shape(a, b):
    return a.shape, jnp.zeros_like(a), b.sum()


def copied(p):
    from_start = partial(distance, jnp.copy(p))
    p = step(p)
    return from_start(p)


def closed(p):
    now = lambda x: jnp.abs(x - p).max()
    p = step(p)
    return now(p)


def again(p):
    for _ in range(3):
        near = partial(distance, p)
        print(near(p + 1))
        p = step(p)
    near = partial(distance, p)
    return near(p)


def other(p):
    near = partial(distance, b=p)
    of_shape = partial(shape, p)
    p = step(p)
    return near(p, b=p), of_shape(p)


for run in (copied, closed, again, other):
    print(run(jnp.ones(3)))

# %% a variable that went into the record that a loop donates
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    params: jax.Array
    velocity: jax.Array


@partial(jax.jit, donate_argnums=0)
def step(s):
    return State(s.params + s.velocity, 0.9 * s.velocity - s.params)


def fit(params, n):
    state = State(params, jnp.zeros_like(params))
    for _ in range(n):
        state = step(state)
    return jnp.linalg.norm(state.params - params)  #! JAX505


print(fit(jnp.ones(3), 2))

# %% one that went into a dict, by an item of it, by another variable, into a dict in it
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def step(s):
    return jax.tree.map(lambda a: a * 2, s)


def written(p):
    s = {"p": p, "m": jnp.zeros(3)}
    s = step(s)
    return s["p"] - p  #! JAX505


def stored(p):
    s = {"p": jnp.zeros(3), "m": jnp.zeros(3)}
    s["p"] = p
    s = step(s)
    return s["p"] - p  #! JAX505


def inside(w):
    params = {"w": w}
    s = {"params": params, "m": jnp.zeros(3)}
    s = step(s)
    return s["params"]["w"] - w  #! JAX505


def at_once(p):
    s = step({"p": p, "m": {"m": jnp.zeros(3)}})
    return s["p"] - p  #! JAX505


def again(p):
    for _ in range(2):
        s = step(dict(p=p, m=jnp.zeros(3)))  #! JAX505
    return s


print(written)
print(again(jnp.ones(3)))

# %% the same of a tuple, also of what a function or a class of the program makes of it
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    p: jax.Array
    m: jax.Array

    @classmethod
    def create(cls, p):
        return cls(p=p, m=jnp.zeros_like(p))


@partial(jax.jit, donate_argnums=0)
def step(s):
    p, m = s
    return State(p + m, m - p)


@partial(jax.jit, donate_argnums=0)
def tuple_step(s):
    p, m = s
    return p + m, m - p


def start(p):
    begun = State(p, p)
    return begun._replace(m=jnp.zeros_like(p))


def as_tuple(p):
    s = p, jnp.zeros(3)
    s = tuple_step(s)
    return s[0] - p  #! JAX505


def started(p):
    s = start(p)
    s = step(s)
    return s.p - p  #! JAX505


def with_others(p):
    first = State(p, jnp.zeros(3))
    s = first._replace(m=jnp.ones(3))
    s = step(s)
    return s.p - first.p  #! JAX505


def created(p):
    s = State.create(p)
    s = step(s)
    return s.p - p  #! JAX505


print(as_tuple, started, with_others)
print(created(jnp.ones(3)))

# %% parts that are copies, or other arrays by then, or were replaced in the record
import copy
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    p: jax.Array
    m: jax.Array


@partial(jax.jit, donate_argnums=0)
def step(s):
    return State(s.p + s.m, s.m - s.p)


def start(p):
    return State(jnp.array(p), jnp.zeros_like(p))


def deep(p):
    return State(copy.deepcopy(p), jnp.zeros_like(p))


@jax.jit
def compiled(p):
    return State(p, p)


def zero():
    return jnp.zeros(3)


def run(p, make):
    s = make(p)
    s = step(s)
    return s.p - p


def copied(p):
    s = State(p.copy(), jnp.zeros(3))
    s = step(s)
    return s.p - p


def replaced(p):
    s = State(p, jnp.zeros(3))
    s = s._replace(p=p + 1)
    s = step(s)
    return s.p - p


def bound_again(p):
    s = State(p, jnp.zeros(3))
    p = p + 1
    s = step(s)
    return s.p - p


def of_the_same_function():
    p = zero()
    s = State(p, jnp.zeros(3))
    p = zero()
    s = step(s)
    return s.p - p


def copy_of_all(p):
    first = State(p, jnp.zeros(3))
    s = step(copy.deepcopy(first))
    return s.p - p


def of_shape(p):
    s = State(p, jnp.zeros(3))
    s = step(s)
    return s, p.shape, jnp.zeros_like(p), p.is_deleted()


def handed_on(p):
    for _ in range(3):
        s = State(p, jnp.zeros(3))
        s = step(s)
        p = s.p
    return p


for make in (start, deep, compiled):
    print(run(jnp.ones(3), make))
for run_one in (copied, replaced, bound_again, copy_of_all, of_shape, handed_on):
    print(run_one(jnp.ones(3)))
print(of_the_same_function())
print(step(compiled(jnp.ones(3))))

# %% parts that the compiled function does not use, which JAX drops and leaves alone
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    p: jax.Array
    before: jax.Array

    def doubled(self):
        return self.p * 2


def energy(s):
    return s.p + 1


@partial(jax.jit, donate_argnums=0)
def by_field(s):
    return State(s.p * 2, s.p)


@partial(jax.jit, donate_argnums=0)
def by_replace(s):
    return s._replace(before=s.p * 2)


@partial(jax.jit, donate_argnums=0)
def unpacked(s):
    p, _ = s
    return State(p * 2, p + 1)


@partial(jax.jit, donate_argnums=0)
def by_helper(s):
    return State(energy(s), energy(s) + 1)


@partial(jax.jit, donate_argnums=0)
def by_method(s):
    return State(s.doubled(), s.doubled() + 1)


@partial(jax.jit, donate_argnums=0)
def total(s):
    return s.p.sum() + s.before.sum()


for step in (by_field, by_replace, unpacked, by_helper, by_method, total):
    p, before = jnp.ones(3), jnp.zeros(3)
    s = State(p, before)
    s = step(s)
    print(s, before + 1)
p = jnp.ones(3)
print(by_field(State(p, p)))
p = jnp.ones(3)
both = State(p, p)
both = unpacked(both)
p = jnp.ones(3)
print(total(State(p, p)), p + 1)

# %% a part that it does use, though another one takes its place
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    p: jax.Array
    m: jax.Array


def energy(s):
    return s.p + s.m


@partial(jax.jit, donate_argnums=0)
def step(s):
    return s._replace(p=energy(s))


def drift(m):
    s = State(jnp.ones(3), m)
    s = step(s)
    return s.p - m  #! JAX505


print(drift(jnp.ones(3)))

# %% what is in the donated record is another argument of the call
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    p: jax.Array
    m: jax.Array


@partial(jax.jit, donate_argnums=0)
def step(s, anchor):
    return State(s.p + s.m - anchor, s.m + 1)


p = jnp.ones(3)
s = State(p, jnp.zeros(3))
s = step(s, p)  #! JAX505

# %% one array twice in the record that is donated
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Pair(NamedTuple):
    online: jax.Array
    target: jax.Array


@partial(jax.jit, donate_argnums=0)
def update(pair):
    return Pair(pair.online * 0.9, pair.target + 0.1 * pair.online)


w = jnp.ones(3)
pair = Pair(w, jnp.copy(w))
for _ in range(2):
    pair = update(pair)
pair = pair._replace(target=pair.online + 0)
pair = update(pair)
pair = pair._replace(target=pair.online)
pair = update(pair)  #! JAX505

# %% the same of a dict, a list, a tuple, also where a function makes it, and at once
from functools import partial

import jax
import jax.numpy as jnp


def moments(params):
    zeros = jax.tree.map(jnp.zeros_like, params)
    return {"m": zeros, "v": zeros}


def both(a, b):
    return {"m": a, "v": b}


def pair():
    z = jnp.zeros(3)
    return z, z


@partial(jax.jit, donate_argnums=0)
def update(s, g):
    return {"m": 0.9 * s["m"] + g, "v": 0.99 * s["v"] + g * g}


@partial(jax.jit, donate_argnums=0)
def each(zs):
    return [z + 1 for z in zs]


def of_moments(p):
    s = moments(p)
    return update(s, 1.0)  #! JAX505


def of_both(p):
    s = both(p, p)
    return update(s, 1.0)  #! JAX505


def of_pair():
    s = pair()
    a, b = s
    return each(s)  #! JAX505


def chained():
    m = v = jnp.zeros(3)
    return update({"m": m, "v": m}, 1.0)  #! JAX505


def repeated():
    zs = [jnp.zeros(3)] * 2 + [jnp.ones(3)]
    z = jnp.zeros(3)
    zs = [z] * 4
    return each(zs)  #! JAX505


print(of_moments, of_both, of_pair, chained)
print(repeated())

# %% arrays that are equal, and each by itself
from functools import partial

import jax
import jax.numpy as jnp


def moments(params):
    zeros = jax.tree.map(jnp.zeros_like, params)
    return {"m": zeros, "v": jax.tree.map(jnp.copy, zeros)}


def zero():
    return jnp.zeros(3)


def both(a, b):
    return {"m": a, "v": jnp.copy(b)}


@jax.jit
def compiled(z):
    return {"m": z, "v": z}


@partial(jax.jit, donate_argnums=0)
def update(s, g):
    return {"m": 0.9 * s["m"] + g, "v": 0.99 * s["v"] + g * g}


@partial(jax.jit, donate_argnums=0)
def each(zs):
    return [z + 1 for z in zs]


p = jnp.ones(3)
print(update(moments(p), 1.0), update({"m": zero(), "v": zero()}, 1.0), update(compiled(p), 1.0))
start = both(p, p)
print(update(start, 1.0))
z = jnp.zeros(3)
overwritten = {"m": z, "v": z}
overwritten["v"] = jnp.ones(3)
print(update(overwritten, 1.0))
print(each([jnp.zeros(3) for _ in range(4)]), update({"m": 0.0, "v": 0.0}, 1.0))

# %% norun target networks and states of flax: the page
from functools import partial

import jax
import jax.numpy as jnp
import optax
from flax import struct
from flax.training import train_state


@struct.dataclass
class Agent:
    online: jax.Array
    target: jax.Array

    def sync(self):
        return self.replace(target=self.online)

    def sync_copy(self):
        return self.replace(target=jnp.copy(self.online))


class TrainState(train_state.TrainState):
    target: dict


@partial(jax.jit, donate_argnums=0)
def update(agent):
    return agent.replace(online=agent.online * 0.9)


@partial(jax.jit, donate_argnums=0)
def learn(state):
    return state.apply_gradients(grads=state.params)


def train(n):
    agent = Agent(jnp.ones(3), jnp.zeros(3))
    for i in range(n):
        if i == 1:
            agent = agent.sync_copy()
        agent = update(agent)
    for i in range(n):
        if i == 2:
            agent = agent.sync()
        agent = update(agent)  #! JAX505
    return agent


def fit(params, tx):
    target = jax.tree.map(jnp.copy, params)
    state = TrainState.create(apply_fn=None, params=params, target=target, tx=tx)
    for _ in range(3):
        state = learn(state)
    return state.params["w"] - params["w"]  #! JAX505


def fit_copy(params, tx):
    copies = jax.tree.map(jnp.copy, params)
    state = TrainState.create(apply_fn=None, params=copies, target=params, tx=tx)
    state = learn(state)
    return state.params["w"] - state.target["w"]


print(train(4))
print(fit({"w": jnp.ones(3)}, optax.sgd(0.1)), fit_copy({"w": jnp.ones(3)}, optax.sgd(0.1)))
both = {"w": jnp.ones(3)}
print(learn(TrainState.create(apply_fn=None, params=both, target=both, tx=optax.sgd(0.1))))  #! JAX505

# %% what looks like a copy of an array, and is the same one
import sys
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def step(p):
    return p * 2


class Trainer:
    def __init__(self, p):
        self.p = p

    def train(self):
        before = jnp.asarray(self.p)
        self.p = step(self.p)
        return self.p - before  #! JAX505


def kept(x):
    given = x
    return jax.lax.stop_gradient(given)


def run(p):
    return step(p)


def converted(p):
    best = jnp.asarray(p)
    p = step(p)
    return p - best  #! JAX505


def put(p):
    best = jax.device_put(p)
    p = step(p)
    return p - best  #! JAX505


def of_own_type(p):
    best = p.astype(p.dtype)
    p = step(p)
    return p - best  #! JAX505


def of_own_shape(p):
    best = jnp.asarray(p.reshape(p.shape))
    p = step(p)
    return p - best  #! JAX505


def waited(p):
    best = p.block_until_ready()
    p = step(p)
    return p - best  #! JAX505


def by_function(p):
    best = kept(p)
    p = run(p)
    return p - best  #! JAX505


def other_way(x):
    p = jnp.asarray(x)
    p = step(p)
    return p - x  #! JAX505


def in_each_turn(p, n):
    total = 0.0
    for _ in range(n):
        before = jnp.asarray(p)
        p = step(p)
        total = total + (p - before)  #! JAX505
    return total


p = jnp.ones(3)
if len(sys.argv) > 99:
    for function in (converted, put, of_own_type, of_own_shape, waited, by_function, other_way):
        print(function(jnp.ones(3)))
    print(Trainer(jnp.ones(3)).train())
print(in_each_turn(p, 2))

# %% what looks like a copy of a pytree, and has the same arrays
import copy
import sys
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def step(p):
    return jax.tree.map(lambda a: a * 2, p)


def keep(x):
    return jnp.asarray(x)


def fit(p, n):
    avg = jax.tree.map(jnp.asarray, p)
    for _ in range(n):
        p = step(p)
        avg = jax.tree.map(lambda a, q: 0.9 * a + 0.1 * q, avg, p)  #! JAX505
    return avg


def mapped(p):
    first = jax.tree.map(lambda a: a, p)
    p = step(p)
    return first["w"] - p["w"]  #! JAX505


def by_function(p):
    first = jax.tree.map(keep, p)
    p = step(p)
    return first["w"] - p["w"]  #! JAX505


def copied(p):
    first = copy.copy(p)
    p = step(p)
    return first["w"] - p["w"]  #! JAX505


def as_dict(p):
    first = dict(p)
    p = step(p)
    return first["w"] - p["w"]  #! JAX505


def by_method(p):
    first = p.copy()
    p = step(p)
    return first["w"] - p["w"]  #! JAX505


def by_stars(p):
    first = {**p}
    p = step(p)
    return first["w"] - p["w"]  #! JAX505


def by_comprehension(p):
    first = {name: each for name, each in p.items()}
    p = step(p)
    return first["w"] - p["w"]  #! JAX505


def leaves(p):
    before = jax.tree.leaves(p)
    p = step(p)
    return [a - b for a, b in zip(jax.tree.leaves(p), before)]  #! JAX505


def flattened(p):
    before, structure = jax.tree.flatten(p)
    p = step(p)
    return jax.tree.unflatten(structure, before)["w"] + p["w"]  #! JAX505


def part(p):
    first = jnp.asarray(p["w"])
    p = step(p)
    return first - p["w"]  #! JAX505


p = {"w": jnp.ones(3)}
if len(sys.argv) > 99:
    for run in (mapped, by_function, copied, as_dict, by_method, by_stars, by_comprehension):
        print(run({"w": jnp.ones(3)}))
    print(leaves({"w": jnp.ones(3)}), flattened({"w": jnp.ones(3)}), part({"w": jnp.ones(3)}))
print(fit(p, 2))

# %% copies that copy the arrays, and what is set again, changed or read for its structure
import copy
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@partial(jax.jit, donate_argnums=0)
def step(p):
    return jax.tree.map(lambda a: a * 2, p)


@partial(jax.jit, donate_argnums=0)
def total(p):
    return sum(jnp.sum(each) for each in jax.tree.leaves(p))


@jax.jit
def same(p):
    return p


def compared(p, make):
    first = make(p)
    p = step(p)
    return jax.tree.map(lambda a, b: a - b, p, first)


def arrays():
    for make in (jnp.array, jnp.copy, copy.copy, partial(jnp.asarray, copy=True), jax.device_get, same):
        yield make


def of_array(p):
    first = jnp.array(p)
    second = p.copy()
    third = copy.copy(p)
    fourth = p.astype(jnp.int32)
    fifth = jnp.asarray(p, copy=True)
    p = step(p)
    return p - first - second - third - fourth - fifth


def computed_between(p):
    first = jnp.asarray(p)
    p = p + 1
    p = step(p)
    return p - first


def set_again(p):
    first = jnp.asarray(p)
    p = step(p)
    first = p
    return p - first


def each_turn(p):
    most = 0.0
    for _ in range(3):
        p = step(p)
        now = jnp.asarray(p)
        most = most + now
    return most


def changed(p):
    first = dict(p)
    first["w"] = jnp.zeros(3)
    p = step(p)
    return first["w"] - p["w"]


def source_changed(p):
    other = dict(p)
    p["w"] = jnp.zeros(3)
    other = step(other)
    return p["w"] - other["w"]


def structure(p):
    first, leaves = dict(p), jax.tree.leaves(p)
    p = step(p)
    return list(first), "w" in first, len(leaves), [each.shape for each in leaves]


def of_numpy(x):
    p = jax.tree.map(jnp.asarray, x)
    p = step(p)
    return x["w"] - p["w"]


def of_list(x):
    p = jnp.asarray(x)
    p = step(p)
    return p, x


def leaves_put_back(p):
    leaves, structure = jax.tree.flatten(p)
    leaves = step(leaves)
    p = jax.tree.unflatten(structure, leaves)
    return p["w"]


def not_replaced(p):
    first = jnp.asarray(p)
    return total(p), first + 1


for make in arrays():
    print(compared(jnp.ones(3), make))
print(compared({"w": jnp.ones(3)}, copy.deepcopy), compared({"w": jnp.ones(3)}, partial(jax.tree.map, jnp.copy)))
for run in (of_array, computed_between, set_again, each_turn, not_replaced):
    print(run(jnp.ones(3)))
for run in (changed, source_changed, structure, leaves_put_back):
    print(run({"w": jnp.ones(3)}))
print(of_numpy({"w": np.ones(3)}), of_list([1.0, 2.0]))

# %% norun the arrays of a module of equinox: the page
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def step(params):
    return jax.tree.map(lambda a: a * 0.9, params)


def drift(x):
    net = eqx.nn.Linear(2, 2, key=jax.random.key(0))
    params, static = eqx.partition(net, eqx.is_array)
    for _ in range(3):
        params = step(params)
    return eqx.combine(params, static)(x) - net(x)  #! JAX505


def filtered(x):
    net = eqx.nn.Linear(2, 2, key=jax.random.key(0))
    params = eqx.filter(net, eqx.is_inexact_array)
    params = step(params)
    return net(x)  #! JAX505


def combined(x):
    net = eqx.nn.Linear(2, 2, key=jax.random.key(0))
    params, static = eqx.partition(net, eqx.is_array)
    params = step(params)
    print(net.in_features)
    net = eqx.combine(params, static)
    return net(x)


def copied(x):
    net = eqx.nn.Linear(2, 2, key=jax.random.key(0))
    params, static = eqx.partition(jax.tree.map(jnp.copy, net), eqx.is_array)
    params = step(params)
    return net(x)


for run in (combined, copied, filtered):
    print(run(jnp.ones(2)))
print(drift(jnp.ones(2)))

# %% an attribute that the constructor sets to what goes into the donated one, and one that goes into it
import sys
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    p: jax.Array
    m: jax.Array


@partial(jax.jit, donate_argnums=0)
def step(s):
    return State(s.p + s.m, s.m - s.p)


class Run:
    def __init__(self, p):
        self.p = p
        self.state = State(p, jnp.zeros(3))

    def train(self, n):
        for _ in range(n):
            self.state = step(self.state)
        return self.state.p - self.p  #! JAX505

    def again(self):
        state = State(self.p, jnp.zeros(3))
        state = step(state)
        return state.p - self.p  #! JAX505


if len(sys.argv) > 99:
    print(Run(jnp.ones(3)).again())
print(Run(jnp.ones(3)).train(2))

# %% attributes that are copies, are set again, or of which the record is made anew
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    p: jax.Array
    m: jax.Array


@partial(jax.jit, donate_argnums=0)
def step(s):
    return State(s.p + s.m, s.m - s.p)


class Copies:
    def __init__(self, p):
        self.p = p
        self.state = State(jnp.copy(p), jnp.zeros(3))

    def train(self):
        self.state = step(self.state)
        return self.state.p - self.p


class Sets:
    def __init__(self, p):
        self.p = p
        self.state = State(p, jnp.zeros(3))

    def train(self):
        self.p = jnp.copy(self.p)
        self.state = step(self.state)
        return self.state.p - self.p


class Prepared:
    def __init__(self, p):
        self.p = p
        self.state = State(p, jnp.zeros(3))

    def prepare(self):
        self.p = self.p + 0

    def train(self):
        self.state = step(self.state)
        return self.state.p - self.p


class Begins:
    def __init__(self, p):
        self.p = p
        self.state = State(p, jnp.zeros(3))

    def begin(self):
        self.state = State(jnp.copy(self.p), jnp.zeros(3))

    def train(self):
        self.begin()
        self.state = step(self.state)
        return self.state.p - self.p


prepared = Prepared(jnp.ones(3))
prepared.prepare()
print(prepared.train())
for kind in (Copies, Sets, Begins):
    print(kind(jnp.ones(3)).train())

# %% parts of which the function wants the shape only, which it replaces, or computes nothing with
import dataclasses
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    p: jax.Array
    m: jax.Array


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Pair:
    p: jax.Array
    m: jax.Array


def begun(s):
    return State(s.p, jnp.zeros_like(s.m))


def doubled(p, m):
    return p * 2, p + 1


@partial(jax.jit, donate_argnums=0)
def of_zeros(s):
    return State(s.p * 2, jnp.zeros_like(s.m))


@partial(jax.jit, donate_argnums=0)
def of_shape(s):
    return State(s.p * 2, jnp.ones(s.m.shape, s.m.dtype))


@partial(jax.jit, donate_argnums=0)
def mapped(s):
    return State(s.p * 2, jax.tree.map(jnp.zeros_like, s.m))


@partial(jax.jit, donate_argnums=0)
def of_length(s):
    return State(s.p * len(s.m), s.p + 1)


@partial(jax.jit, donate_argnums=0)
def by_helper(s):
    s = begun(s)
    return State(s.p * 2, s.m + 1)


@partial(jax.jit, donate_argnums=0)
def of_variables(s):
    p, m = s.p, s.m
    return State(p * 2, p + 1)


@partial(jax.jit, donate_argnums=0)
def of_another_name(state):
    s = state
    return State(s.p * 2, s.p + 1)


@partial(jax.jit, donate_argnums=0)
def spread(s):
    return State(*doubled(*s))


@partial(jax.jit, donate_argnums=0)
def handed(s):
    return State(*doubled(s.p, s.m))


@partial(jax.jit, donate_argnums=0)
def replaced(s):
    return dataclasses.replace(s, m=s.p + 1)


@partial(jax.jit, donate_argnums=0)
def by_stars(s):
    return {**s, "m": s["p"] + 1}


@partial(jax.jit, donate_argnums=0)
def by_dict(s):
    return dict(s, m=s["p"] + 1)


@partial(jax.jit, donate_argnums=0)
def united(s):
    return s | {"m": s["p"] + 1}


@partial(jax.jit, donate_argnums=0)
def stored(s):
    s["m"] = s["p"] + 1
    return s


@partial(jax.jit, donate_argnums=0)
def begun_again(s):
    return {"p": s["p"] * 2, "m": jnp.zeros_like(s["m"])}


def run(step, make):
    m = jnp.zeros(3)
    s = make(jnp.ones(3), m)
    s = step(s)
    return s, m + 1


for step in (of_zeros, of_shape, mapped, of_length, by_helper, of_variables, of_another_name, spread, handed):
    m = jnp.zeros(3)
    s = State(jnp.ones(3), m)
    s = step(s)
    print(s, m + 1)
m = jnp.zeros(3)
s = replaced(Pair(jnp.ones(3), m))
print(s, m + 1)
for of_dict in (by_stars, by_dict, united, stored, begun_again):
    m = jnp.zeros(3)
    s = of_dict({"p": jnp.ones(3), "m": m})
    print(s, m + 1)
both = jnp.ones(3)
print(of_zeros(State(both, both)))

# %% parts that it hands on or computes with by way of variables, functions, methods and comprehensions
import sys
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    p: jax.Array
    m: jax.Array

    def moved(self):
        return self.p + self.m


def energy(p, m):
    return jnp.sum(p * m)


@partial(jax.jit, donate_argnums=0)
def by_method(s):
    return s._replace(p=s.moved())


@partial(jax.jit, donate_argnums=0)
def by_gradient(s):
    def loss(p):
        return jnp.sum(p * s.m)

    change = jax.grad(loss)(s.p)
    return State(s.p - change, change)


@partial(jax.jit, donate_argnums=0)
def by_function(s):
    p, m = s
    force = m
    return State(p - energy(p, force), p)


@partial(jax.jit, donate_argnums=0)
def by_comprehension(s):
    return {name: each * 2 for name, each in s.items()}


@partial(jax.jit, donate_argnums=0)
def handed_on(s):
    return {**s, "p": s["p"] + 1}


def of_method(m):
    s = State(jnp.ones(3), m)
    s = by_method(s)
    return s.p - m  #! JAX505


def of_gradient(m):
    s = State(jnp.ones(3), m)
    s = by_gradient(s)
    return s.p - m  #! JAX505


def of_function(m):
    s = State(jnp.ones(3), m)
    s = by_function(s)
    return s.p - m  #! JAX505


def of_comprehension(m):
    s = {"p": jnp.ones(3), "m": m}
    s = by_comprehension(s)
    return s["p"] - m  #! JAX505


def of_dict(m):
    s = {"p": jnp.ones(3), "m": m}
    s = handed_on(s)
    return s["p"] - m  #! JAX505


if len(sys.argv) > 99:
    print(of_method(jnp.ones(3)), of_gradient(jnp.ones(3)), of_function(jnp.ones(3)), of_dict(jnp.ones(3)))
print(of_comprehension(jnp.ones(3)))

# %% a compiled function that a parameter called as a function of Python hands on
import jax
import jax.numpy as jnp


def update(params, x):
    return jax.tree.map(lambda each: each + x.sum(), params)


def train(sorted, params, x):
    for _ in range(3):
        new = sorted(params, x)  #! JAX505
    return new


train(jax.jit(update, donate_argnums=0), {"w": jnp.ones((5, 3))}, jnp.ones((3, 2)))

# %% a call whose arguments do not fit donates nothing
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def step(state, x):
    return state - x


def too_many(state, x):
    for _ in range(2):
        print(step(state, None, x))
    return state + 1


def too_few(state):
    try:
        step(state)
    except TypeError:
        pass
    return state + 1


def unknown(state, x):
    try:
        step(state, x, scale=x)
    except TypeError:
        pass
    return state + 1


def fitting(state, x):
    step(state, x=x)
    return state + 1  #! JAX505


try:
    too_many(jnp.ones(3), jnp.ones(3))
except TypeError as error:
    print(error)
too_few(jnp.ones(3))
unknown(jnp.ones(3), jnp.ones(3))
fitting(jnp.ones(3), jnp.ones(3))

# %% a return reads no buffer: where each call of the function leaves it alone, nothing raises
import jax
import jax.numpy as jnp

step = jax.jit(lambda params, x: (params - x, (params * x).sum()), donate_argnums=0)


def fit(params, x):
    new, loss = step(params, x)
    print(loss)
    return params, loss


def whole(params, x):
    new, loss = step(params, x)
    print(new, loss)
    return params


def main(x):
    _, loss = fit(jnp.ones(3), x)
    old, again = fit(jnp.ones(3), x)
    whole(jnp.ones(3), x)
    return loss + again


params, loss = fit(jnp.ones(3), jnp.ones(3))
print(loss, main(jnp.ones(3)))

# %% raises-elsewhere: but one call that reads it is enough
import jax
import jax.numpy as jnp

step = jax.jit(lambda params, x: (params - x, (params * x).sum()), donate_argnums=0)


def fit(params, x):
    new, loss = step(params, x)
    return params, loss  #! JAX505


def together(params, x):
    new, loss = step(params, x)
    return params, loss  #! JAX505


def handed_on(params, x):
    new, loss = step(params, x)
    print(new)
    return params  #! JAX505


class Holder:
    def update(self, params, x):
        self.params, self.loss = attribute(params, x)


def attribute(params, x):
    new, loss = step(params, x)
    return params, loss  #! JAX505


def uncalled(params, x):
    new, loss = step(params, x)
    return params, loss  #! JAX505


params, loss = fit(jnp.ones(3), jnp.ones(3))
both = together(jnp.ones(3), jnp.ones(3))
Holder().update(jnp.ones(3), jnp.ones(3))
print(loss, both[1])
seen = [params] * 2
print(handed_on(jnp.ones(3), jnp.ones(3)))

# %% a network applied to donated parameters: its outputs do not fit them, so that nothing is deleted
import functools

import jax
import jax.numpy as jnp


class Net:
    def apply(self, variables, x, mutable=False):
        h = jnp.matmul(x, variables["params"]["w"])
        return h, h[..., None]


def encode(batch, state, *, model):
    variables = {"params": state["params"], **state["others"]}
    keys, vals = model.apply(variables, batch["image"])
    return keys, vals


def evaluate(state, x, y, model):
    out, _ = model.apply(state, x)
    return {"loss": jnp.mean((out - y) ** 2), "out": model.apply(state, x, mutable=False)}


class Base:
    def set_model(self, model):
        self.encode = jax.jit(functools.partial(encode, model=model), donate_argnums=(0, 1))
        self.direct = jax.jit(lambda params, x: model.apply(params, x), donate_argnums=0)
        self.evaluate = jax.jit(functools.partial(evaluate, model=model), donate_argnums=0)

    def update(self, state, data):
        keys = []
        for i in range(3):
            batch = {"image": data[i] + 0}
            k, v = self.encode(batch, state)
            keys.append(k)
        return keys

    def run(self, state, data):
        outs = [self.direct(state, data[i]) for i in range(3)]
        return outs, [self.evaluate(state, data[i], 0.0) for i in range(3)]


base = Base()
base.set_model(Net())
state = {"params": {"w": jnp.ones((5, 7))}, "others": {}}
print(len(base.update(state, jnp.ones((3, 2, 5)))), len(base.run(state, jnp.ones((3, 2, 5)))))

# %% ... but what else is made of them may fit: new parameters, a state that is handed back, mutable variables
import jax
import jax.numpy as jnp


class Net:
    def apply(self, variables, x, mutable=False):
        h = jnp.matmul(x, variables["w"])
        return (h, {"w": variables["w"] * 2}) if mutable else h


net = Net()


def step(state, x):
    out = net.apply(state, x)
    new = jax.tree.map(lambda w: w - 0.1 * out.mean(), state)
    return new, out


def changed(state, x):
    out, new = net.apply(state, x, mutable=["stats"])
    return out, new


def steps(state, data):
    compiled = jax.jit(step, donate_argnums=0)
    outs = []
    for i in range(3):
        new, out = compiled(state, data[i])  #! JAX505
        outs.append(out)
    return outs


def changes(state, data):
    compiled = jax.jit(changed, donate_argnums=0)
    outs = []
    for i in range(3):
        out, new = compiled(state, data[i])  #! JAX505
        outs.append(out)
    return outs


print(steps({"w": jnp.ones((5, 7))}, jnp.ones((3, 2, 5))))

# %% norun ... a network that is not known, in `pmap`; but what it gives with the state is not all outputs
import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
from flax import jax_utils


def encode(batch, state, *, model):
    keys, vals = model.apply({"params": state["params"]}, batch["image"])
    return keys, vals


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        h = nn.Dense(7)(x)
        return h, h[..., None]


class KB:
    def set_encode_fn(self, model):
        self.encode_pmap = jax.pmap(
            functools.partial(encode, model=model), axis_name="batch", donate_argnums=(0, 1))

    def update(self, state, data):
        keys = []
        for i in range(int(np.ceil(data.shape[1] / 2))):
            batch = {"image": data[:, i * 2:(i + 1) * 2]}
            k, v = self.encode_pmap(batch, state)
            keys += [np.asarray(k)]
        return np.concatenate(keys, axis=1)


net = Net()
kb = KB()
kb.set_encode_fn(net)
params = net.init(jax.random.key(0), jnp.ones((2, 5)))["params"]
print(kb.update(jax_utils.replicate({"params": params}), np.ones((1, 6, 5), np.float32)).shape)


def step(batch, state, *, model):
    out = model.apply({"params": state["params"]}, batch["image"])
    return jax.tree.map(lambda w: w * 0.9, state), out


class Trainer:
    def set_model(self, model):
        self.step = jax.pmap(functools.partial(step, model=model), axis_name="batch", donate_argnums=(1,))

    def run(self, state, data):
        outs = []
        for i in range(3):
            new, out = self.step({"image": data[:, i]}, state)  #! JAX505
            outs.append(out)
        return outs

# %% programs that are compiled ahead of time donate as the functions do that they are made of
import functools

import jax
import jax.numpy as jnp


def step(params, batch):
    return params - 0.1 * batch


@functools.partial(jax.jit, donate_argnames="state")
def advance(state, n):
    return state + n


class Trainer:
    def __init__(self, params, batch):
        self.params = params
        self.step = jax.jit(step, donate_argnums=(0,)).trace(params, batch).lower().compile()

    def fit(self, batches):
        for batch in batches:
            self.params = self.step(self.params, batch)
        return self.params


def build(x):
    lowered = advance.lower(x, 1.0)
    print(lowered.as_text()[:6])
    return lowered.compile()


params = jnp.ones(3)
batch = jnp.ones(3)
compiled = jax.jit(step, donate_argnums=0).lower(params, batch).compile()
print(compiled.cost_analysis() is not None, compiled.memory_analysis() is not None)
for _ in range(3):
    params = compiled(params, batch)
print(params, Trainer(jnp.ones(3), batch).fit([batch, batch]))
kept = jax.jit(step).lower(params, batch).compile()
new = kept(params, batch)
print(new - params)

run = build(params)
out = run(params, 1.0)
print(out - params)  #! JAX505

# %% a program that is compiled ahead of time donates the same array in each turn
import jax
import jax.numpy as jnp

step = jax.jit(lambda p, b: p - 0.1 * b, donate_argnums=0)
shape = jax.ShapeDtypeStruct((3,), jnp.float32)
compiled = step.lower(shape, shape).compile()
params = jnp.ones(3)
for batch in jnp.ones((2, 3)):
    new = compiled(params, batch)  #! JAX505

# %% a network is applied in functions that hand the donated parameters on; but a gradient has their shapes
import jax
import jax.numpy as jnp


class Net:
    def apply(self, variables, x):
        return jnp.matmul(x, variables["w"])


net = Net()


def forward(params, x):
    return net.apply(params, x)


def scores(x, *, params):
    out = jax.nn.softmax(forward(params, x))
    return {"scores": out, "best": jnp.argmax(out)}


def loss(params, x):
    return jnp.square(forward(params, x)).sum()


def changed(params, x):
    return forward(params, x), jax.tree.map(jnp.negative, params)


def all_scores(params, data):
    compiled = jax.jit(scores, donate_argnames="params")
    return [compiled(data[i], params=params) for i in range(3)]


def outputs(params, data):
    compiled = jax.jit(lambda p, x: forward(p, x), donate_argnums=0)
    return [compiled(params, data[i]) for i in range(3)]


def gradients(params, data):
    compiled = jax.jit(jax.grad(loss), donate_argnums=0)
    for i in range(3):
        out = compiled(params, data[i])  #! JAX505
    return out


def gradients_of_network(params, data):
    compiled = jax.jit(jax.grad(lambda p, x: jnp.square(net.apply(p, x)).sum()), donate_argnums=0)
    for i in range(3):
        out = compiled(params, data[i])  #! JAX505
    return out


def changes(params, data):
    compiled = jax.jit(changed, donate_argnums=0)
    for i in range(3):
        out = compiled(params, data[i])  #! JAX505
    return out


params, data = {"w": jnp.ones((5, 7))}, jnp.ones((3, 2, 5))
print(all_scores(params, data), outputs(params, data))
print(gradients(params, data))

# %% norun flax: `apply` of a module is compiled itself; but not what it gives with the mutable variables
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(3)(nn.relu(nn.Dense(5)(x)))


def outputs(model, params, x):
    forward = jax.jit(model.apply, donate_argnums=0)
    return [forward(params, x) for _ in range(3)]


x = jnp.ones((2, 4))
for model in (Net(), nn.Dense(3)):
    params = model.init(jax.random.key(0), x)
    print(outputs(model, params, x))
net = Net()
params = net.init(jax.random.key(0), x)
keyed = jax.jit(partial(net.apply, rngs=None), donate_argnums=0)
mapped = jax.jit(jax.vmap(net.apply, in_axes=(None, 0)), donate_argnums=0)
for _ in range(3):
    y = keyed(params, x), mapped(params, x)
mutable = jax.jit(partial(net.apply, mutable=["params"]), donate_argnums=0)
for _ in range(3):
    y, new = mutable(params, x)  #! JAX505

# %% norun haiku: a function that it transforms; but a state that the network gives again may fit
import pickle

import haiku as hk
import jax
import jax.numpy as jnp


def build():
    def forward(tokens, embeddings=None):
        if embeddings is None:
            embeddings = hk.Linear(4, name="project")(jnp.ones((1, 2, 3)))
        outs = {"logits": hk.Linear(7, name="head")(hk.Embed(9, 5)(tokens))}
        outs["embeddings"] = embeddings
        return outs

    with open("params.pkl", "rb") as file:
        params = pickle.load(file)
    return forward, params


def generate(apply_fn, parameters, keys, tokens):
    embeddings = None
    for i in range(3):
        outs = apply_fn(parameters, keys, tokens=tokens, embeddings=embeddings)
        embeddings = outs["embeddings"]
        tokens = tokens.at[0, 0, i].set(jnp.argmax(outs["logits"][0, 0, i]))
    return tokens


if __name__ == "__main__":
    forward, parameters = build()
    forward = hk.transform(forward)
    apply_fn = jax.pmap(forward.apply, devices=jax.devices(), donate_argnums=(0,))
    n = jax.device_count()
    keys = jnp.stack([jax.random.PRNGKey(0)] * n)
    parameters = jax.tree.map(lambda p: jnp.stack([p] * n), parameters)
    print(generate(apply_fn, parameters, keys, jnp.zeros((n, 1, 6), int)))

net = hk.transform_with_state(lambda x: hk.BatchNorm(True, True, 0.9)(hk.Linear(3)(x), True))
x = jnp.ones((2, 4))
params, state = net.init(jax.random.key(0), x)
forward = jax.jit(net.apply, donate_argnums=0)
for _ in range(3):
    y, state = forward(params, state, None, x)
other = jax.jit(net.apply, donate_argnums=1)
y, new = other(params, state, None, x)
print(state)  #! JAX505

# %% a part that was unpacked from the state which is donated next
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    params: jax.Array
    count: jax.Array


step = jax.jit(lambda state: State(state.params * 0.5, state.count + 1), donate_argnums=0)


def drift(state):
    old, count = state
    state = step(state)
    return state.params - old  #! JAX505


drift(State(jnp.ones(3), jnp.array(0)))

# %% a part that was unpacked from a tuple, with the rest behind a star
import jax
import jax.numpy as jnp

step = jax.jit(lambda state: (state[0] * 0.5, state[1] + 1, state[2]), donate_argnums=0)
state = (jnp.ones(3), jnp.array(0), jnp.zeros(2))
first, *rest = state
state = step(state)
print(first)  #! JAX505

# %% unpacked parts that are copied, or that are read before; and items of an array, which are arrays of their own
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    params: jax.Array
    count: jax.Array


step = jax.jit(lambda state: State(state.params * 0.5, state.count + 1), donate_argnums=0)
half = jax.jit(lambda pair: pair * 0.5, donate_argnums=0)


def drift(state):
    old, count = state
    print(old, count)
    old = jnp.copy(old)
    state = step(state)
    return state.params - old


drift(State(jnp.ones(3), jnp.array(0)))
pair = jnp.ones((2, 3))
a, b = pair
pair = half(pair)
print(a, b)

# %% the parameters as they were before a loop that donates the state
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    params: jax.Array
    count: jax.Array


step = jax.jit(lambda state, x: State(state.params * x, state.count + 1), donate_argnums=0)


def train(state, xs):
    begun = state.params
    for x in xs:
        state = step(state, x)
    return state.params - begun  #! JAX505


train(State(jnp.ones(3), jnp.array(0)), [1.0, 2.0])

# %% the parameters as they were before a loop that donates another state than that
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    params: jax.Array
    count: jax.Array


step = jax.jit(lambda state, x: State(state.params * x, state.count + 1), donate_argnums=0)


def train(state, xs):
    begun = state.params
    state = State(begun + 1.0, state.count + 1)
    for x in xs:
        state = step(state, x)
    return state.params - begun


train(State(jnp.ones(3), jnp.array(0)), [1.0, 2.0])

# %% a constructor leaves one array in two attributes, of which a method donates one
import jax
import jax.numpy as jnp

step = jax.jit(lambda params: jax.tree.map(lambda leaf: leaf * 0.5, params), donate_argnums=0)


class Agent:
    def __init__(self, key):
        params = {"w": jax.random.normal(key, (3,))}
        self.params = params
        self.target = params

    def update(self):
        self.params = step(self.params)
        self.target = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, self.target, self.params)  #! JAX505


Agent(jax.random.key(0)).update()

# %% the same with a parameter of the constructor, and both given to the call
import jax
import jax.numpy as jnp

step = jax.jit(lambda params, target: params + target, donate_argnums=0)


class Agent:
    def __init__(self, params):
        self.params = params
        self.target = params

    def update(self):
        self.params = step(self.params, self.target)  #! JAX505


Agent(jnp.ones(3)).update()

# %% two attributes that a constructor sets to one variable with other arrays, in turns of a loop, or to a copy
import jax
import jax.numpy as jnp

step = jax.jit(lambda params: params * 0.5, donate_argnums=0)


class Agent:
    def __init__(self, params):
        self.params = params
        params = params + 1.0
        self.target = params

    def update(self):
        self.params = step(self.params)
        self.target = 0.9 * self.target + 0.1 * self.params


class Ensemble:
    def __init__(self, keys):
        for number in range(2):
            params = jax.random.normal(keys[number], (3,))
            if number == 0:
                self.first = params
            self.params = params

    def update(self):
        self.params = step(self.params)
        return self.first - self.params


class Copied:
    def __init__(self, params):
        self.params = params
        self.target = params
        self.params = jnp.copy(self.params)

    def update(self):
        self.params = step(self.params)
        return self.target - self.params


Agent(jnp.ones(3)).update()
Ensemble(jax.random.split(jax.random.key(0))).update()
Copied(jnp.ones(3)).update()

# %% norun an attribute that a constructor was given, of a class that nothing makes
import jax
import jax.numpy as jnp


def add(params, x):
    return params + x


update = jax.jit(add, donate_argnums=0)


class Trainer:
    def __init__(self, params):
        self.params = params

    def step(self, x):
        new = update(self.params, x)
        moved = jnp.sum(new - self.params)  #! JAX505
        self.params = new
        return moved


class Ordered:
    def __init__(self, params):
        self.params = params

    def step(self, x):
        before = jnp.copy(self.params)
        self.params = update(self.params, x)
        return jnp.sum(self.params - before)
