# %% scalar reassigned: the compiled function keeps the value of its first trace
import jax

scale = 2.0


@jax.jit
def f(x):
    return x * scale  #! JAX205


first = f(1.0)
scale = 5.0
print(first, f(1.0))


# %% setter function: a global statement elsewhere changes what was baked in
import jax
import jax.numpy as jnp

TEMPERATURE = 1.0


def set_temperature(value):
    global TEMPERATURE
    TEMPERATURE = value


def softmax(logits):
    return jax.nn.softmax(logits / TEMPERATURE)  #! JAX205


predict = jax.jit(softmax)
first = predict(jnp.arange(3.0))
set_temperature(100.0)
print(first, predict(jnp.arange(3.0)))


# %% loop variable of the script: the name of a module-level for is a global like any other
import jax

results = []


@jax.jit
def discounted(reward):
    return reward * gamma  #! JAX205


for gamma in (0.5, 0.9, 0.99):
    results.append(float(discounted(1.0)))
print(results)


# %% settings dict: an entry written in place after the first call
import jax

CONFIG = {"lr": 0.1, "clip": 1.0}


@jax.jit
def update(w, g):
    return w - CONFIG["lr"] * g  #! JAX205


w = update(1.0, 1.0)
CONFIG["lr"] = 0.0
print(w, update(1.0, 1.0))


# %% local of the enclosing function: the schedule changes the variable that the closure captured
import jax


def main():
    lr = 0.1

    @jax.jit
    def step(w):
        return w - lr * 2.0 * w  #! JAX205

    w = 1.0
    for epoch in range(4):
        w = step(w)
        if epoch == 1:
            lr = lr * 0.01
    return w


print(main(), 0.8**4)


# %% nonlocal in another closure: the setter shares the cell with the compiled function
import jax


def make_controller(gain):
    def control(error):
        return gain * error  #! JAX205

    def retune(new):
        nonlocal gain
        gain = new

    return jax.jit(control), retune


control, retune = make_controller(2.0)
first = control(1.0)
retune(10.0)
print(first, control(1.0))


# %% read in a helper: the global is read two calls below the transform
import jax
import jax.numpy as jnp

damping = 0.1


def friction(v):
    return -damping * v  #! JAX205


def acceleration(x, v):
    return -x + friction(v)


@jax.jit
def leapfrog(x, v, dt):
    v = v + dt * acceleration(x, v)
    return x + dt * v, v


first = leapfrog(jnp.float32(1.0), jnp.float32(1.0), 0.1)
damping = 5.0
print(first, leapfrog(jnp.float32(1.0), jnp.float32(1.0), 0.1))


# %% scan without jit: an eager scan keeps the trace of a body it has seen
import jax
import jax.numpy as jnp
from jax import lax

decay = 1.0


def body(carry, x):
    return carry * decay + x, carry  #! JAX205


first, _ = lax.scan(body, 0.0, jnp.ones(3))
decay = 0.0
second, _ = lax.scan(body, 0.0, jnp.ones(3))
print(first, second)


# %% jit once more: jit of the same function finds the old trace
import jax

bias = 1.0


def shift(x):
    return x + bias  #! JAX205


before = jax.jit(shift)
first = before(0.0)
bias = 10.0
after = jax.jit(shift)
print(first, after(0.0))


# %% function swapped: the activation is a global too
import jax
import jax.numpy as jnp

activation = jnp.tanh


@jax.jit
def layer(x):
    return activation(2.0 * x)  #! JAX205


first = layer(-1.0)
activation = jax.nn.relu
print(first, layer(-1.0))


# %% host table: a NumPy array written in place is a constant of the compiled program
import jax
import numpy as np

table = np.array([1.0, 2.0, 3.0], dtype=np.float32)


@jax.jit
def lookup(x):
    return x * table.sum()  #! JAX205


first = lookup(1.0)
table[0] = 100.0
print(first, lookup(1.0))


# %% growing list: layers appended after the first call are not seen by the lambda
import jax

weights = [2.0]
network = jax.jit(lambda x: x * sum(weights))  #! JAX205
first = network(1.0)
weights.append(3.0)
print(first, network(1.0))


# %% augmented assignment: the annealing loop halves what the compiled loss read once
import jax
import jax.numpy as jnp

beta = 1.0


@jax.jit
def elbo(x):
    return jnp.sum(x) - beta * jnp.sum(x**2)  #! JAX205


values = []
for _ in range(3):
    values.append(float(elbo(jnp.ones(2))))
    beta *= 0.5
print(values)


# %% constants: assigned once, or chosen once among alternatives
import os

import jax
import jax.numpy as jnp

GRAVITY = 9.81
try:
    import nothing_of_this_name as backend

    HAVE_BACKEND = True
except ImportError:
    backend = None
    HAVE_BACKEND = False

if os.environ.get("FAST_MODE_OF_THIS_TEST"):
    ORDER = 1
else:
    ORDER = 3


@jax.jit
def fall(t):
    if HAVE_BACKEND:
        return backend.fall(t)
    return 0.5 * GRAVITY * t**2 + jnp.power(t, ORDER)


fall(1.0)
fall(2.0)


# %% before the first call: the name is final by the time that anything is traced
import jax

precision = 1.0
precision = precision * 2.0


@jax.jit
def quantise(x):
    return x // precision


if precision > 1.0:
    precision = 0.5

quantise(3.3)
quantise(4.4)


# %% passed in: the changing value is an argument of the compiled function
import jax

lr = 0.1


@jax.jit
def update(w, lr):
    return w - lr * w


w = 1.0
for _ in range(3):
    w = update(w, lr)
    lr *= 0.5
print(w)


# %% shadowed: parameters, locals and comprehension variables hide the global of that name
import jax
import jax.numpy as jnp

scale = 1.0


@jax.jit
def rescale(x, scale=3.0):
    return x * scale


@jax.jit
def spread(x):
    scale = x.max()
    return jnp.stack([scale * i for i in (1, 2)])


for scale in (1.0, 2.0):
    rescale(scale)
    spread(jnp.ones(2))


# %% default argument: a default is fixed when the function is made, for every Python function
import jax

rate = 0.1


@jax.jit
def decay(x, rate=rate):
    return x * (1.0 - rate)


decay(1.0)
rate = 0.5
decay(1.0)


# %% eager transforms: vmap and grad alone read the global at each call
import jax
import jax.numpy as jnp

offset = 1.0


def shifted(x):
    return (x + offset) ** 2


slope = jax.grad(shifted)
lanes = jax.vmap(shifted)
a = slope(1.0), lanes(jnp.ones(2))
offset = 10.0
print(a, slope(1.0), lanes(jnp.ones(2)))


# %% fresh function: a body made at each call has no earlier trace to go stale
import jax
import jax.numpy as jnp

decay = 1.0


def integrate(xs):
    def body(carry, x):
        return carry * decay + x, None

    total, _ = jax.lax.scan(body, 0.0, xs)
    return total


def make_step(lr):
    return jax.jit(lambda w: w - lr * w)


first = integrate(jnp.ones(3))
decay = 0.0
print(first, integrate(jnp.ones(3)))

rate = 0.1
step = make_step(rate)
a = step(1.0)
rate = 0.5
step = make_step(rate)
print(a, step(1.0))


# %% eager readers: only plain Python reads the name that changes
import jax
import jax.numpy as jnp

best = None
total = 0.0


@jax.jit
def loss(w):
    return jnp.sum(w**2)


def track(w):
    global best, total
    value = float(loss(w))
    total += value
    if best is None or value < best:
        best = value
    return best


track(jnp.ones(2))
track(jnp.zeros(2))


# %% callback and ref: host callbacks and array references are read when the program runs
import jax
import jax.numpy as jnp

verbose = False
seen = []
gain = jax.new_ref(jnp.float32(2.0))


def report(x):
    if verbose:
        seen.append(float(x))


@jax.jit
def amplify(x):
    jax.debug.callback(report, x)
    return x * gain[...]


first = amplify(1.0)
verbose = True
gain[...] = jnp.float32(5.0)
print(first, amplify(1.0))
jax.effects_barrier()
print(seen)


# %% built at first use: the global table is made once and never changed after
import jax
import jax.numpy as jnp
import numpy as np

_TABLE = None


def table():
    global _TABLE
    if _TABLE is None:
        _TABLE = np.linspace(0.0, 1.0, 5, dtype=np.float32)
    return _TABLE


@jax.jit
def interpolate(x):
    return jnp.interp(x, table(), table() ** 2)


interpolate(0.3)
interpolate(0.6)


# %% set up first: the only function that writes the global runs before anything is compiled
import jax

BACKGROUND = None


def configure(background):
    global BACKGROUND
    BACKGROUND = background


configure(0.25)


@jax.jit
def subtract(image):
    return image - BACKGROUND


subtract(1.0)
subtract(2.0)


# %% rebound and made anew: the function that reads the name is defined after each change
import jax

outputs = []
for power in (1, 2, 3):

    @jax.jit
    def raised(x, power=power):
        return x**power

    outputs.append(raised)
print([float(g(2.0)) for g in outputs])


# %% mutable but never mutated: containers of the module that everybody only reads
import jax
import jax.numpy as jnp

ACTIVATIONS = {"tanh": jnp.tanh, "relu": jax.nn.relu}
WIDTHS = [4, 8]
WIDTHS.append(16)
ACTIVATIONS["gelu"] = jax.nn.gelu


@jax.jit
def net(x):
    for name in ("tanh", "gelu"):
        x = ACTIVATIONS[name](x) / WIDTHS[-1]
    return x


net(1.0)
net(2.0)


# %% caches are cleared after the change
import jax

SCALE = 1.0
RATE = 1.0


@jax.jit
def scaled(x):
    return x * SCALE


@jax.jit
def rated(x):
    return x * RATE


def set_rate(rate):
    global RATE
    RATE = rate
    rated.clear_cache()


first = scaled(1.0)
SCALE = 2.0
scaled.clear_cache()
assert scaled(1.0) == 2.0
SCALE = 3.0
jax.clear_caches()
assert scaled(1.0) == 3.0
rated(1.0)
set_rate(2.0)
assert rated(1.0) == 2.0


# %% only another function's cache is cleared
import jax

SCALE = 1.0


@jax.jit
def scaled(x):
    return x * SCALE  #! JAX205


@jax.jit
def other(x):
    return x + 1


first = scaled(1.0)
other(1.0)
SCALE = 2.0
other.clear_cache()
assert scaled(1.0) == first


# %% another item of the container is written than the one that the trace read
import jax

CONFIG = {"scale": 2.0, "run": 0}
WEIGHTS = [1.0, 2.0]


@jax.jit
def scaled(x):
    return x * CONFIG["scale"] * WEIGHTS[0]


for run in range(2):
    CONFIG["run"] = run
    WEIGHTS[1] += run
    assert scaled(1.0) == 2.0


# %% the item that the trace read, any item, or all of them
import jax

ONE = {"scale": 2.0, "run": 0}
ANY = {"scale": 2.0}
ALL = {"scale": 2.0, "run": 1}


@jax.jit
def one(x):
    return x * ONE["scale"]  #! JAX205


@jax.jit
def any_of(x):
    return x * ANY["scale"]  #! JAX205


@jax.jit
def all_of(x):
    return x * sum(ALL.values())  #! JAX205


first = one(1.0), any_of(1.0), all_of(1.0)
ONE["scale"] = 3.0
ANY.update(scale=3.0)
ALL["run"] = 5
assert (one(1.0), any_of(1.0), all_of(1.0)) == first


# %% class attribute changed after the trace
import jax
import jax.numpy as jnp


class Config:
    scale = 2.0


@jax.jit
def f(x):
    return x * Config.scale #! JAX205


f(1.0)
Config.scale = 3.0
f(1.0)


# %% class attribute changed before the trace
import jax
import jax.numpy as jnp


class Config:
    scale = 2.0


@jax.jit
def f(x):
    return x * Config.scale


Config.scale = 3.0
f(1.0)


# %% class attribute through cls in a classmethod
import jax
import jax.numpy as jnp


class Config:
    scale = 2.0

    @classmethod
    def set(cls, value):
        cls.scale = value


@jax.jit
def f(x):
    return x * Config.scale #! JAX205


f(1.0)
Config.set(3.0)
f(1.0)


# %% class attribute through self
import jax
import jax.numpy as jnp


class Model:
    scale = 2.0

    def __init__(self):
        self.step = jax.jit(self._step)

    def _step(self, x):
        return x * self.scale #! JAX205


m = Model()
m.step(1.0)
Model.scale = 3.0
m.step(1.0)


# %% lru_cache around a factory
import functools

import jax
import jax.numpy as jnp

RATE = 1.0


@functools.lru_cache
def make(n):
    @jax.jit
    def f(x):
        return x * n * RATE #! JAX205

    return f


make(2)(1.0)
RATE = 2.0
make(2)(1.0)


# %% uncached factory
import functools

import jax
import jax.numpy as jnp

RATE = 1.0


def make(n):
    @jax.jit
    def f(x):
        return x * n * RATE

    return f


make(2)(1.0)
RATE = 2.0
make(2)(1.0)


# %% cached factory without arguments
import functools

import jax

RATE = 1.0


@functools.cache
def step():
    return jax.jit(lambda x: x * RATE) #! JAX205


def main():
    global RATE
    step()(1.0)
    RATE = 2.0
    step()(1.0)


main()


# %% cached factory with cleared cache
import functools

import jax

RATE = 1.0


@functools.cache
def step():
    return jax.jit(lambda x: x * RATE)


step()(1.0)
RATE = 2.0
step.cache_clear()
step()(1.0)


# %% config dict updated
import jax

CONFIG = {"scale": 1.0}


@jax.jit
def f(x):
    return x * CONFIG["scale"] #! JAX205


f(1.0)
CONFIG.update(scale=2.0)
f(1.0)


# %% list of schedules extended after
import jax

STAGES = [1.0]


@jax.jit
def f(x):
    return x * STAGES[-1] #! JAX205


f(1.0)
STAGES.append(2.0)
f(1.0)


# %% class attribute read through type(self)
import jax


class Model:
    scale = 1.0

    def __init__(self):
        self.apply = jax.jit(self._apply)

    def _apply(self, x):
        return x * type(self).scale #! JAX205


m = Model()
m.apply(1.0)
Model.scale = 2.0
m.apply(1.0)


# %% class attribute read through __class__
import jax


class Model:
    scale = 1.0

    def __init__(self):
        self.apply = jax.jit(self._apply)

    def _apply(self, x):
        return x * self.__class__.scale #! JAX205


m = Model()
m.apply(1.0)
Model.scale = 2.0
m.apply(1.0)


# %% class dict written after
import jax


class Config:
    values = {"scale": 1.0}


@jax.jit
def f(x):
    return x * Config.values["scale"] #! JAX205


f(1.0)
Config.values["scale"] = 2.0
f(1.0)


# %% class attribute changed in a loop that calls
import jax


class Config:
    scale = 1.0


@jax.jit
def f(x):
    return x * Config.scale #! JAX205


for scale in (1.0, 2.0):
    Config.scale = scale
    f(1.0)


# %% class attribute changed by a method
import jax


class Anneal:
    rate = 1.0

    def decay(self):
        Anneal.rate *= 0.5


@jax.jit
def f(x):
    return x * Anneal.rate #! JAX205


a = Anneal()
f(1.0)
a.decay()
f(1.0)


# %% class attribute in a vmapped function: run at each call
import jax
import jax.numpy as jnp


class Config:
    scale = 1.0


def f(x):
    return x * Config.scale


g = jax.vmap(f)
g(jnp.ones(2))
Config.scale = 2.0
g(jnp.ones(2))


# %% class attribute as a static argument
import functools

import jax


class Config:
    scale = 1.0


@functools.partial(jax.jit, static_argnames="scale")
def f(x, scale):
    return x * scale


f(1.0, scale=Config.scale)
Config.scale = 2.0
f(1.0, scale=Config.scale)


# %% closure cell changed after
import jax


def main():
    scale = 1.0

    @jax.jit
    def f(x):
        return x * scale #! JAX205

    f(1.0)
    scale = 2.0
    return f(1.0)


main()


# %% dict as memo of jitted functions
import jax

RATE = 1.0
_cache = {}


def compiled(n):
    if n not in _cache:
        _cache[n] = jax.jit(lambda x: x * n * RATE) #! JAX205
    return _cache[n]


compiled(2)(1.0)
RATE = 2.0
compiled(2)(1.0)


# %% property with a setter that changes nothing traced
import jax


class Trainer:
    def __init__(self, lr):
        self._lr = lr
        self.name = "a"
        self.step = jax.jit(lambda lr, x: x - lr * x)

    @property
    def lr(self):
        return self._lr

    @lr.setter
    def lr(self, value):
        self._lr = float(value)

    def run(self, x):
        return self.step(self.lr, x)


t = Trainer(0.1)
t.run(1.0)
t.lr = 0.01
t.run(1.0)


# %% set and set back: the trace sees the value that it read
import jax

scale = 2.0


@jax.jit
def f(x):
    return x * scale


a = f(1.0)
scale = 3.0
scale = 2.0
print(a, f(1.0))


# %% set back by the function: it computes with another scale and leaves the old one
import jax

scale = 2.0


@jax.jit
def f(x):
    return x * scale


def eager(x):
    return x * scale


def other(x):
    global scale
    old = scale
    scale = 3.0
    y = eager(x)
    scale = old
    return y


a = f(1.0)
b = other(1.0)
print(a, b, f(1.0))


# %% set back in a finally: the function returns from the middle
import jax

scale = 2.0


@jax.jit
def f(x):
    return x * scale


def eager(x):
    return x * scale


def other(x):
    global scale
    old = scale
    scale = 3.0
    try:
        return eager(x)
    finally:
        scale = old


a = f(1.0)
b = other(1.0)
print(a, b, f(1.0))


# %% set back by a context: behind its yield the generator puts the old scale there again
import contextlib

import jax

scale = 2.0


@jax.jit
def f(x):
    return x * scale


@contextlib.contextmanager
def scaled(value):
    global scale
    old = scale
    scale = value
    try:
        yield
    finally:
        scale = old


a = f(1.0)
with scaled(3.0):
    b = 1.0 * scale
print(a, b, f(1.0))


# %% item set back: the same constant is there again
import jax

config = {"scale": 2.0}


@jax.jit
def f(x):
    return x * config["scale"]


a = f(1.0)
config["scale"] = 3.0
b = f.__wrapped__(1.0)
config["scale"] = 2.0
print(a, b, f(1.0))


# %% used while it was changed: the old trace is used with the new scale
import jax

scale = 2.0


@jax.jit
def f(x):
    return x * scale  #! JAX205


a = f(1.0)
old = scale
scale = 3.0
b = f(1.0)
scale = old
print(a, b, f(1.0))


# %% used in the function: the scale is set back too late
import jax

scale = 2.0


@jax.jit
def f(x):
    return x * scale  #! JAX205


def other(x):
    global scale
    old = scale
    scale = 3.0
    y = f(x)
    scale = old
    return y


a = f(1.0)
b = other(1.0)
print(a, b, f(1.0))


# %% set to a third value: the second write puts nothing back
import jax

scale = 2.0


@jax.jit
def f(x):
    return x * scale  #! JAX205


a = f(1.0)
scale = 3.0
scale = 4.0
print(a, f(1.0))


# %% traced while it was changed: what was put back is not what the trace has read
import jax

scale = 2.0


@jax.jit
def f(x):
    return x * scale  #! JAX205


old = scale
scale = 3.0
a = f(1.0)
scale = old
print(a, f(1.0))


# %% traced in the function: the first use is the one with the other scale
import jax

scale = 2.0


@jax.jit
def f(x):
    return x * scale  #! JAX205


def other(x):
    global scale
    old = scale
    scale = 3.0
    y = f(x)
    scale = old
    return y


a = other(1.0)
print(a, f(1.0))


# %% loop of updates: each turn stores what it computed
import jax
import jax.numpy as jnp

params = jnp.ones(2)


@jax.jit
def predict(x):
    return x * params  #! JAX205


@jax.jit
def update(params):
    return params * 0.5


a = predict(1.0)
for _ in range(3):
    new = update(params)
    params = new
print(a, predict(1.0))


# %% built anew: the global function is another one after the change
import jax

scale = 2.0
_step = None


def build():
    global _step
    _step = jax.jit(lambda x: x * scale)


def configure(value):
    global scale
    scale = value
    build()


configure(2.0)
print(_step(1.0))
configure(3.0)
print(_step(1.0))


# %% a setting that nothing here changes: whoever imports this sets it before anything is traced
import jax
import jax.numpy as jnp

EXACT = True


def use_exact(value):
    global EXACT
    EXACT = value


@jax.jit
def norm(x):
    return jnp.sqrt(jnp.sum(x * x)) if EXACT else jnp.abs(x).max()


norm(jnp.ones(3))


# %% timers: what a context manager reads does not reach what is computed
import contextlib

import jax
import jax.numpy as jnp

STACK = []


@contextlib.contextmanager
def timed(name):
    label = f"{name} in {STACK[-1]}" if STACK else name
    with jax.named_scope(label):
        yield None


@jax.jit
def step(x):
    with timed("step"):
        return x * 2


step(jnp.ones(2))
STACK.append("fit")
step(jnp.ones(2))


# %% checks: a function that gives back nothing changes nothing but whether it raises
import jax
import jax.numpy as jnp

CHECK = False


def check(name):
    if not CHECK:
        return
    if not name:
        raise ValueError(name)


@jax.jit
def step(x):
    check("step")
    return x * 2


step(jnp.ones(2))
CHECK = True
step(jnp.ones(2))


# %% a helper that changes what it is handed: what it reads does reach the result
import jax
import jax.numpy as jnp

RATE = 0.5


def scale(values):
    values[0] = values[0] * RATE  #! JAX205


@jax.jit
def step(x):
    values = [x]
    scale(values)
    return values[0]


step(jnp.ones(2))
RATE = 0.25
step(jnp.ones(2))


# %% a context manager that hands out what it reads
import contextlib

import jax
import jax.numpy as jnp

RATE = 0.5


@contextlib.contextmanager
def rated():
    yield RATE  #! JAX205


@jax.jit
def step(x):
    with rated() as rate:
        return x * rate


step(jnp.ones(2))
RATE = 0.25
step(jnp.ones(2))


# %% a loop writes a variable of the module after each call: the next iteration calls with the old one
import jax
import jax.numpy as jnp

RATE = 0.5


@jax.jit
def step(x):
    return x * RATE  #! JAX205


def anneal(x, rates):
    global RATE
    for rate in rates:
        y = step(x)
        RATE = rate
    return y


anneal(jnp.ones(2), [0.5, 0.25])


# %% the same with a list of the module
import jax
import jax.numpy as jnp

RATES = [0.5]


@jax.jit
def step(x):
    return x * RATES[0]  #! JAX205


def anneal(x, rates):
    for rate in rates:
        y = step(x)
        RATES.insert(0, rate)
    return y


anneal(jnp.ones(2), [0.5, 0.25])


# %% a loop that writes the variable before each call of a function that is compiled there
import jax
import jax.numpy as jnp

RATE = 0.5


def anneal(x, rates):
    global RATE
    for rate in rates:
        RATE = rate
        y = jax.jit(lambda each: each * RATE)(x)  #! JAX403
    return y


anneal(jnp.ones(2), [0.5, 0.25])


# %% training states in objects of a class: each is another object, and one trace
import dataclasses

import flax.struct
import jax
import jax.numpy as jnp

progress = {"step": 2}
settings = {"lr": 0.5}
mode = {"train": True}


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    params: jax.Array


@flax.struct.dataclass
class Kept:
    params: jax.Array
    steps: int = flax.struct.field(pytree_node=False)


@jax.jit
def step(state):
    return State(state.params * progress["step"])  #! JAX205


@jax.jit
def updated(state):
    return state.replace(params=state.params - settings["lr"], steps=state.steps)  #! JAX205


@jax.jit
def retraced(state):
    return state.params * mode["train"]


def train(steps=6):
    state = State(jnp.ones(3))
    for _ in range(steps):
        state = step(state)
        progress["step"] += 1
    return state


def fit(steps=6):
    state = Kept(jnp.ones(3), 1)
    for _ in range(steps):
        state = updated(state)
        settings["lr"] *= 0.5
    return state


def both():
    first = retraced(Kept(jnp.ones(3), 1))
    mode["train"] = False
    return first, retraced(Kept(jnp.ones(3), 2))


train()
fit()
both()


# %% a copy of a frozen record in a variable of the module replaces other fields than the one that is read
import dataclasses

import jax


@dataclasses.dataclass(frozen=True)
class Config:
    rate: float = 0.1
    epoch: int = 0


CONFIG = Config()


@jax.jit
def step(weight):
    return weight - CONFIG.rate * weight


weight = 1.0
for epoch in range(3):
    CONFIG = dataclasses.replace(CONFIG, epoch=epoch)
    weight = step(weight)
print(weight)


# %% a copy of a frozen record in a variable of the module replaces the field that is read
import dataclasses

import jax


@dataclasses.dataclass(frozen=True)
class Config:
    rate: float = 0.1
    epoch: int = 0


CONFIG = Config()


@jax.jit
def step(weight):
    return weight - CONFIG.rate * weight  #! JAX205


weight = 1.0
for epoch in range(3):
    CONFIG = dataclasses.replace(CONFIG, rate=0.1 * epoch)
    weight = step(weight)
print(weight)


# %% a compiled closure reads a network of equinox that updates replace
import equinox as eqx
import jax
import jax.numpy as jnp


def train(key, x, epochs):
    model = eqx.nn.Linear(2, 1, key=key)

    @eqx.filter_jit
    def validate(x):
        return model(x)  #! JAX205

    history = []
    for _ in range(epochs):
        updates = jax.tree.map(lambda g: -0.1 * g, eqx.filter(model, eqx.is_array))
        model = eqx.apply_updates(model, updates)
        history.append(float(validate(x)[0]))
    return history


print(train(jax.random.key(0), jnp.ones(2), 3))


# %% a compiled function is handed the network of equinox that updates replace
import equinox as eqx
import jax
import jax.numpy as jnp


def train(key, x, epochs):
    model = eqx.nn.Linear(2, 1, key=key)

    @eqx.filter_jit
    def validate(model, x):
        return model(x)

    history = []
    for _ in range(epochs):
        updates = jax.tree.map(lambda g: -0.1 * g, eqx.filter(model, eqx.is_array))
        model = eqx.apply_updates(model, updates)
        history.append(float(validate(model, x)[0]))
    return history


print(train(jax.random.key(0), jnp.ones(2), 3))


# %% a setting that a function changes once it has refused the names that it does not know
import jax

settings = {"rate": 0.1, "decay": 0.0}


def override(**changed):
    unknown = set(changed) - set(settings)
    if unknown:
        raise KeyError(unknown)
    settings.update(changed)


@jax.jit
def update(weight):
    return weight - settings["rate"]  #! JAX205


print(update(1.0))
override(rate=0.5)
print(update(1.0))


# %% a context manager that changes a variable of the module and puts it back
import contextlib

import jax

scale = 1.0


@contextlib.contextmanager
def scaled(value):
    global scale
    before, scale = scale, value
    try:
        yield value
    finally:
        scale = before


@jax.jit
def apply(x):
    return scale * x  #! JAX205


print(apply(1.0))
with scaled(2.0):
    print(apply(1.0))


# %% the same, around each call, or around what is traced anew
import contextlib

import jax

scale = 1.0


@contextlib.contextmanager
def scaled(value):
    global scale
    before, scale = scale, value
    try:
        yield value
    finally:
        scale = before


@jax.jit
def apply(x):
    return scale * x


def fresh(x):
    return scale - x


def inside(x):
    with scaled(2.0):
        return apply(x)


print(inside(1.0), inside(2.0))
print(jax.jit(fresh)(1.0))
with scaled(3.0):
    print(jax.jit(lambda x: fresh(x))(1.0))


# %% a partial hands a dict, or a list, to what is compiled, and it is changed
from functools import partial

import jax


def scaled(settings, x):
    return x * settings["rate"]  #! JAX205


def summed(x, weights):
    return x * weights[0]  #! JAX205


settings, weights = {"rate": 1.0}, [1.0, 2.0]
scale = jax.jit(partial(scaled, settings))
total = jax.jit(partial(summed, weights=weights))
print(scale(1.0), total(1.0))
settings["rate"] = 2.0
weights[0] = 3.0
print(scale(1.0), total(1.0))


# %% the same, changed before the first call, or given as an argument
from functools import partial

import jax


def scaled(settings, x):
    return x * settings["rate"]


settings = {"rate": 1.0}
scale = jax.jit(partial(scaled, settings))
settings["rate"] = 2.0
print(scale(1.0))
given = jax.jit(scaled)
print(given(settings, 1.0))
other = {"rate": 1.0}
print(given(other, 1.0))
other["rate"] = 3.0
print(given(other, 1.0))


# %% each iteration has another static argument, and so a trace of its own
from functools import partial

import jax


def integrate(velocity, count):
    @partial(jax.jit, static_argnums=0)
    def advance(step, h):
        return velocity + (step + 1) * h

    for step in range(count):
        velocity = advance(step, 0.1 * velocity)
    return velocity


print(integrate(1.0, 3))


# %% the same where one value is static in all of them
from functools import partial

import jax


def integrate(velocity, order, count):
    @partial(jax.jit, static_argnames="order")
    def advance(h, order):
        return velocity + order * h  #! JAX205

    for _ in range(count):
        velocity = advance(0.1 * velocity, order=order)
    return velocity


print(integrate(1.0, 2, 3))


# %% an optimizer that is made again of the same, and one of something else
import jax
import jax.numpy as jnp
from jax.example_libraries import optimizers

init, update, get_params = optimizers.sgd(0.1)


def step(i, state):
    return update(i, get_params(state), state)


def halve(i, state):
    return update(i, get_params(state), state)  #! JAX205


step = jax.jit(step)
halve = jax.jit(halve)
state = step(0, init(jnp.ones(2)))
init, update, get_params = optimizers.sgd(0.1)
state = halve(0, step(0, init(jnp.ones((2, 3)))))
init, update, get_params = optimizers.sgd(0.5)
print(halve(1, state))


# %% a global that only decides whether an error is raised, and one that decides what is computed
import jax

ready = True
factor = 2


@jax.jit
def act(x):
    if not ready:
        raise RuntimeError("train first")
    if factor == 2:  #! JAX205
        return x
    return x * factor


act(1.0)
ready = False
factor = 3
print(act(1.0))


# %% fields of a record that is put in the place of another one: which of them are read, and which are the same
from typing import Any, Callable, NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    apply_fn: Callable
    params: Any
    rate: float = 0.1


def linear(params, x):
    return params * x


@jax.jit
def descend(params, x):
    return params - 0.1 * x


def train(batches):
    state = State(linear, jnp.ones(2))

    @jax.jit
    def step(x):
        return x * state.params  #! JAX205

    @jax.jit
    def predict(params, x):
        return state.apply_fn(params, x) * state.rate

    for x in batches:
        step(x)
        print(predict(state.params, x))
        state = State(state.apply_fn, descend(state.params, x))
    return step(batches[0])


def replaced(batches, state):
    @jax.jit
    def step(x):
        return x * state.params  #! JAX205

    @jax.jit
    def predict(params, x):
        return params * x * state.rate

    for x in batches:
        step(x)
        predict(state.params, x)
        state = state._replace(params=descend(state.params, x))
    return step(batches[0])


batches = [jnp.ones(2), jnp.zeros(2)]
print(train(batches), replaced(batches, State(linear, jnp.ones(2))))

# %% a table that a context manager replaces and puts back: what is compiled is called only inside, or only outside
import contextlib

import jax
import jax.numpy as jnp

_ops = {"act": jnp.tanh, "norm": jnp.abs}


@contextlib.contextmanager
def replaced(**others):
    saved = dict(_ops)
    _ops.update(others)
    try:
        yield
    finally:
        _ops.clear()
        _ops.update(saved)


@jax.jit
def layer(x):
    return _ops["act"](x)


@jax.jit
def normalized(x):
    return _ops["norm"](x)


def evaluate(x):
    with replaced(act=jnp.sin):
        return layer(x)


x = jnp.ones(3)
for _ in range(2):
    with replaced(act=jnp.sin):
        print(layer(x))
print(evaluate(x), evaluate(x))
print(normalized(x))
with replaced(norm=jnp.square):
    print(_ops["norm"](x))
print(normalized(x))


# %% the same table, and what is compiled is called outside as well, or for other entries
import contextlib

import jax
import jax.numpy as jnp

_ops = {"act": jnp.tanh, "norm": jnp.abs, "out": jnp.abs}


@contextlib.contextmanager
def replaced(**others):
    saved = _ops.copy()
    _ops.update(others)
    try:
        yield
    finally:
        _ops.clear()
        _ops.update(saved)


@jax.jit
def layer(x):
    return _ops["act"](x)  #! JAX205


@jax.jit
def normalized(x):
    return _ops["norm"](x)  #! JAX205


@jax.jit
def output(x):
    return _ops["out"](x)  #! JAX205


def evaluate(function, x):
    with replaced(norm=function):
        return normalized(x)


x = jnp.ones(3)
with replaced(act=jnp.sin):
    print(layer(x))
print(layer(x))
print(evaluate(jnp.sin, x), evaluate(jnp.cos, x))
for function in (jnp.sin, jnp.cos):
    with replaced(out=function):
        print(output(x))


# %% a registry that a function fills for a while: put back from a copy, in whatever way it was made
import copy

import jax
import jax.numpy as jnp

settings = {"scale": 2.0, "shift": 1.0}
layers = [jnp.tanh, jnp.sin]
names = {"scale": 1.0}


@jax.jit
def scaled(x):
    return x * settings["scale"]


@jax.jit
def chained(x):
    for each in layers:
        x = each(x)
    return x


@jax.jit
def named(x):
    return x * names["scale"]  #! JAX205


def trial(value):
    saved, kept = {**settings}, list(layers)
    settings.update(scale=value)
    layers.append(jnp.cos)
    try:
        print(settings["scale"], len(layers))
    finally:
        settings.clear()
        settings.update(saved)
        layers[:] = kept


def other(value):
    saved = copy.copy(settings)
    names.update(scale=value)
    names.update(saved)


x = jnp.ones(3)
print(scaled(x), chained(x), named(x))
trial(5.0)
other(3.0)
print(scaled(x), chained(x), named(x))


# %% raises-elsewhere: a dict of the module as a static argument is not traced at all
import jax
import jax.numpy as jnp

moved = jax.jit(lambda world, x: world["place"] + x, static_argnums=0)

world = {"place": 1.0}
moved(world, jnp.ones(3))  #! JAX402
world["place"] = 4.0
moved(world, jnp.ones(3))  #! JAX402

# %% a NumPy table, or a list, that methods and functions change in place
import random

import jax
import numpy as np

filled, copied, added, drawn, clipped, part = (np.arange(1.0, 5.0) for _ in range(6))
items = [1.0, 2.0, 3.0, 4.0]
rng = np.random.default_rng(1)

steps = [
    jax.jit(lambda x: x * filled[0]),  #! JAX205
    jax.jit(lambda x: x * copied[0]),  #! JAX205
    jax.jit(lambda x: x * added[0]),  #! JAX205
    jax.jit(lambda x: x * drawn[0]),  #! JAX205
    jax.jit(lambda x: x * clipped[0]),  #! JAX205
    jax.jit(lambda x: x * part[0]),  #! JAX205
    jax.jit(lambda x: x * items[0]),  #! JAX205
]
before = [float(step(1.0)) for step in steps]
filled.fill(9.0)
np.copyto(copied, 9.0)
np.add(added, 1.0, out=added)
rng.standard_normal(out=drawn)
clipped.clip(3.0, 4.0, out=clipped)
part[:2].fill(9.0)
random.seed(1)
random.shuffle(items)
assert before == [float(step(1.0)) for step in steps]

# %% the table of an enclosing function
import jax
import numpy as np


def run():
    table = np.arange(1.0, 5.0)

    @jax.jit
    def scale(x):
        return x * table[0]  #! JAX205

    before = scale(1.0)
    table.sort()
    table.partition(1)
    np.multiply(table, 2, table)
    assert before == scale(1.0)


run()

# %% what is read but not written into, written before the first call, or read for its shape only
import random

import jax
import numpy as np

table, shaped, early, handed = (np.arange(1.0, 5.0) for _ in range(4))
items = [1.0, 2.0, 3.0, 4.0]
out = np.empty(4)
rng = np.random.default_rng(1)
scale = jax.jit(lambda x: x * table[0] * items[0])
fit = jax.jit(lambda x: x + jax.numpy.zeros(shaped.shape))
late = jax.jit(lambda x: x * early[0])
passed = jax.jit(lambda x, table: x * table[0])

early.fill(2.0)
before = scale(1.0), fit(1.0), late(1.0), passed(1.0, handed)
shaped.fill(0.0)
handed.fill(2.0)
np.add(table, 1.0, out=out)
np.add(table, 1.0, out)
np.copyto(out, table)
np.sort(table)
table.copy().fill(0.0)
table.astype(int).sort()
table.clip(0, 1)
table[[0, 1]].fill(0.0)
table[table > 1].sort()
rng.permutation(table)
rng.permuted(table)
random.sample(items, 2)
shuffled = list(items)
random.shuffle(shuffled)
np.nan_to_num(table)
np.median(table)
table.byteswap()
table.round(out=None)
after = scale(1.0), fit(1.0), late(1.0), passed(1.0, handed)
assert after[3] == 2 * before[3] + 0 * after[0]

# %% the loop calls a function that calls another one, which calls the compiled one and writes
import functools

import jax
import jax.numpy as jnp

scale, shift, gain = jnp.float32(1.0), jnp.float32(1.0), jnp.float32(1.0)
scaled = jax.jit(lambda x: scale * x)  #! JAX205
shifted = jax.jit(lambda x: shift + x)  #! JAX205
louder = jax.jit(lambda x: gain * x)  #! JAX205


def step(x):
    global scale
    y = scaled(x)
    scale = scale * 0.5
    return y


def outer(x):
    return step(x)


def use(x):
    return shifted(x)


def write():
    global shift
    shift = shift * 0.5


def both(x):
    y = use(x)
    write()
    return y


def main():
    for _ in range(3):
        print(both(jnp.ones(2)))


def loud(x):
    global gain
    y = louder(x)
    gain = gain * 2.0
    return y


run = functools.partial(loud, jnp.ones(2))
for _ in range(3):
    print(outer(jnp.ones(2)))
main()
while True:  # nothing but the variable changes from one iteration to the next
    print(run())
    if gain > 4.0:
        break

# %% made anew, forgotten, called once, remembered by functools, or set before each call
import functools

import jax
import jax.numpy as jnp

scale, shift, gain, table, level = jnp.float32(1.0), jnp.float32(1.0), jnp.float32(1.0), jnp.ones(2), 1.0
scaled = jax.jit(lambda x: scale * x)
shifted = jax.jit(lambda x: shift + x)
louder = jax.jit(lambda x: gain * x)
looked_up = jax.jit(lambda x: table + x)
levelled = jax.jit(lambda x: level + x)


def step(x):
    global scale, scaled
    y = scaled(x)
    scale = scale * 0.5
    scaled = jax.jit(lambda x: scale * x)
    return y


def outer(x):
    return step(x)


def shift_it(x):
    global shift
    y = shifted(x)
    shift = shift * 0.5
    return y


def and_forget(x):
    y = shift_it(x)
    jax.clear_caches()
    return y


def loud(x):
    global gain
    y = louder(x)
    gain = gain * 2.0
    return y


def once(x):
    return loud(x)


@functools.cache
def look_up():
    return looked_up(jnp.ones(2))


def looks_up():
    return look_up()


def set_first(x):
    global level
    level = 2.0
    y = levelled(x)
    level = 1.0
    return y


def sets_first(x):
    return set_first(x)


for _ in range(3):
    print(outer(jnp.ones(2)))
    print(and_forget(jnp.ones(2)))
    print(look_up(), looks_up())
    table = table + 1.0
    print(sets_first(jnp.ones(2)), set_first(jnp.ones(2)))
print(once(jnp.ones(2)))

# %% a variable of a call that a function reads which this call makes: the next call makes another one
import jax
import jax.numpy as jnp
from jax import lax


def batched(fun):
    def wrapper(xs):
        def body(carry, x):
            return carry, fun(x)

        return lax.scan(body, None, xs)[1]

    return wrapper


class Cloud:
    def __init__(self, x):
        self.x = x

    @property
    def scale(self):
        return 1.0 / jnp.mean(self.applied(1.0))

    def applied(self, scale=None):
        def cost(x):
            return x * scale

        if scale is None:
            scale = self.scale
        return batched(cost)(self.x)


cloud = Cloud(jnp.ones(3))
first = cloud.applied()
second = cloud.applied() + cloud.applied(2.0)
print(first, second)

# %% a variable of the call itself that a closure reads, set before it is traced, where a call may be left early
import jax
import jax.numpy as jnp


def mapped(function):
    def wrapper(xs):
        def body(carry, x):
            return carry, function(x)

        return jax.lax.scan(body, 0.0, xs)[1]

    return wrapper


class Cloud:
    def __init__(self, is_online, how):
        self.is_online, self.how = is_online, how

    @property
    def scale(self):
        if self.how == "mean":
            return 1.0 / self.mean()
        return 1.0

    def mean(self):
        return jnp.sum(self.cost(jnp.ones(2), scale=1.0))

    def cost(self, xs, scale=None):
        def apply(x):
            return x * scale

        if scale is None:
            scale = self.scale
        if not self.is_online:
            return xs
        return mapped(apply)(xs)

    def both(self, xs):
        return self.cost(xs) + self.cost(xs)

    def total(self, xs):
        if xs.ndim == 1:
            return self.both(xs)
        return jax.vmap(self.both)(xs)


cloud = Cloud(True, "mean")
print(cloud.total(jnp.ones(2)), cloud.total(jnp.ones((2, 2))))


# %% norun, optax: another transformation of gradients, or another schedule
import jax
import jax.numpy as jnp
import optax


def fit(params, steps):
    optimizer = optax.sgd(0.1)
    state = optimizer.init(params)

    @jax.jit
    def update(params, state):
        updates, state = optimizer.update(2 * params, state, params)  #! JAX205
        return optax.apply_updates(params, updates), state

    for _ in range(steps):
        params, state = update(params, state)
        optimizer = optax.sgd(0.0)
        state = optimizer.init(params)
    return params


def scheduled(params):
    schedule = optax.constant_schedule(0.1)
    update = jax.jit(lambda params: params - schedule(0) * params)  #! JAX205
    params = update(params)
    schedule = optax.constant_schedule(value=0.0)
    return update(params)


def halved(params, lr):
    optimizer = optax.chain(optax.clip(1.0), optax.sgd(lr))

    @jax.jit
    def update(params, state):
        return optimizer.update(2 * params, state, params)  #! JAX205

    for _ in range(3):
        params, _ = update(params, optimizer.init(params))
        lr = lr * 0.5
        optimizer = optax.chain(optax.clip(1.0), optax.sgd(lr))
    return params


print(fit(jnp.ones(2), 3), scheduled(jnp.ones(2)), halved(jnp.ones(2), 0.1))


# %% norun, optax: ... but one that is made by the same call is no other one
import jax
import jax.numpy as jnp
import optax


def make(lr):
    return optax.chain(optax.clip(1.0), optax.sgd(lr))


def fit(params, lr, config):
    optimizer = optax.chain(optax.clip(config["clip"]), optax.sgd(lr, momentum=0.9), make(config["lr"]))

    @jax.jit
    def update(params, state):
        updates, state = optimizer.update(2 * params, state, params)
        return optax.apply_updates(params, updates), state

    for _ in range(3):
        optimizer = optax.chain(optax.clip(config["clip"]), optax.sgd(lr, momentum=0.9), make(config["lr"]))
        params, _ = update(params, optimizer.init(params))
    return params


print(fit(jnp.ones(2), 0.1, {"clip": 1.0, "lr": 0.1}))


# %% norun, optax: ... nor is one that is there before the first call, or that is passed
from functools import partial

import jax
import jax.numpy as jnp
import optax

optimizer = optax.sgd(0.1)
optimizer = optax.sgd(0.2)


@jax.jit
def update(params, state):
    return optimizer.update(2 * params, state, params)


@partial(jax.jit, static_argnums=0)
def stepped(optimizer, params, state):
    return optimizer.update(2 * params, state, params)


params = jnp.ones(2)
update(params, optimizer.init(params))
own = optax.sgd(0.1)
for lr in (0.1, 0.2):
    stepped(own, params, own.init(params))
    own = optax.sgd(lr)


# %% norun, optax: ... and what a function of the program makes with other arguments
import jax
import jax.numpy as jnp
import optax


class Fit:
    def __init__(self, config):
        self.config = config

    def make(self, steps):
        transforms = [optax.clip(self.config["clip"])] if self.config["clip"] else []
        transforms.append(optax.adam(optax.cosine_decay_schedule(self.config["lr"], steps)))
        return optax.chain(*transforms)

    def run(self, params):
        optimizer = self.make(self.config["steps"])
        state = optimizer.init(params)
        same = self.make(self.config["steps"])

        @jax.jit
        def update(params, state):
            updates, state = optimizer.update(2 * params, state, params)  #! JAX205
            others, _ = same.update(2 * params, same.init(params), params)
            return optax.apply_updates(params, updates), state, others

        for step in range(10):
            params, state, _ = update(params, state)
            optimizer = self.make(self.config["steps"] - step)
            same = self.make(self.config["steps"])
            state = optimizer.init(params)
        return params


print(Fit({"clip": 1.0, "lr": 0.1, "steps": 10}).run(jnp.ones(2)))

# %% the name of a function that is traced is given to a number
import jax
import jax.numpy as jnp


def loss(w):
    return jnp.sum(w**2)


@jax.jit
def step(w):
    value, slope = jax.value_and_grad(loss)(w)
    return value, w - 0.1 * slope


w = jnp.ones(3)
for _ in range(3):
    value, w = step(w)
loss = value
print(loss, step(w)[0])


# %% what the function of a `map` changes for each item, or a generator with `nonlocal`
import jax

S = {"beta": 0.1}
scaled = jax.jit(lambda x: x * S["beta"])  #! JAX205


def bump(i):
    S["beta"] *= 2
    return i


def main():
    beta = 0.1

    def schedule():
        nonlocal beta
        for i in range(3):
            yield i
            beta *= 2

    scaled = jax.jit(lambda x: x * beta)  #! JAX205
    return [float(scaled(1.0)) for _ in schedule()]


seen = []
for _ in map(bump, range(3)):
    seen.append(float(scaled(1.0)))
assert len(set(seen)) == 1 and len(set(main())) == 1


# %% what the function of a `map` changes before the loop begins
import jax

S = {"beta": 0.1}
scaled = jax.jit(lambda x: x * S["beta"])


def bump(i):
    S["beta"] *= 2
    return i


seen = []
for _ in list(map(bump, range(3))):
    seen.append(float(scaled(1.0)))
print(seen)


# %% a variable that is bound to what goes through itself
import jax
import jax.numpy as jnp


def paired(rows, names):
    rows = zip(names, rows)
    found = []
    for name, row in rows:
        found.append((name, jnp.sum(row)))
    return found


print(paired(jnp.ones((2, 2)), "ab"))


# %% what a loop writes before each call, each time the same thing: the first trace has seen it
import jax
import jax.numpy as jnp


def decode(weights, y, tokens, remat=True):
    layer_kwargs = {"slot": None}

    def layer_fn(w, y):
        extra = layer_kwargs.get("tokens")
        return y * w if extra is None else y * w + extra

    checkpointed = jax.checkpoint(layer_fn)
    for w in weights:
        inputs = tokens if remat else None
        if inputs is not None:
            layer_kwargs["tokens"] = inputs
        y = checkpointed(w, y)
    return y


class Settings:
    scale = 1.0


def scaled(weights, y, scale):
    settings = Settings()

    @jax.jit
    def layer(w, y):
        return y * w * settings.scale

    i = 0
    while i < len(weights):
        settings.scale = scale
        y = layer(weights[i], y)
        i += 1
    return y


def named(weights, y, scale):
    current = None

    @jax.jit
    def layer(w, y):
        return y * w * current

    for w in weights:
        for _ in range(2):
            current = scale
            y = layer(w, y)
    return y


print(decode([1.0, 2.0], jnp.ones(3), jnp.arange(3.0)), scaled([1.0, 2.0], jnp.ones(3), 2.0))
print(named([1.0, 2.0], jnp.ones(3), 2.0))


# %% ... but not what it writes after the call, what other turns write otherwise, or what something else changes
import jax
import jax.numpy as jnp


def after(weights, y, tokens):
    kept = {"tokens": None}

    def layer(w, y):
        extra = kept["tokens"]  #! JAX205
        return y * w if extra is None else y * w + extra

    compiled = jax.jit(layer)
    for w in weights:
        y = compiled(w, y)
        kept["tokens"] = tokens
    return y


def by_turn(weights, y, all_tokens):
    kept = {"tokens": None}

    def layer(w, y):
        return y * w + kept["tokens"]  #! JAX205

    compiled = jax.jit(layer)
    for w in weights:
        tokens = all_tokens[0] * w
        kept["tokens"] = tokens
        y = compiled(w, y)
    return y


def outer(weights, y, all_tokens):
    kept = {"tokens": None}

    def layer(w, y):
        return y * w + kept["tokens"]  #! JAX205

    compiled = jax.jit(layer)
    for tokens in all_tokens:
        for w in weights:
            kept["tokens"] = tokens
            y = compiled(w, y)
    return y


def between(weights, y, tokens):
    kept = {"tokens": None}

    def layer(w, y):
        return y * w + kept["tokens"]  #! JAX205

    compiled = jax.jit(layer)
    for w in weights:
        kept["tokens"] = tokens
        y = compiled(w, y)
        kept["tokens"] = w
        y = compiled(w, y)
    return y


tokens = jnp.arange(3.0)
print(after([1.0, 2.0], jnp.ones(3), tokens), by_turn([1.0, 2.0], jnp.ones(3), [tokens]))
print(outer([1.0, 2.0], jnp.ones(3), [tokens, tokens + 1]), between([1.0, 2.0], jnp.ones(3), tokens))


# %% a NumPy table that a compiled function closes over is changed by another name, or by a view of it
import jax
import numpy as np

a = np.zeros((2, 2), np.float32)
a_rows = a
b = np.zeros((2, 2), np.float32)
diagonal = b.reshape(-1)[::3]
c = np.zeros((2, 2), np.float32)
d, d_turned = (np.zeros((2, 2), np.float32), 0)
e = np.zeros((2, 2), np.float32)
e_flat = np.ravel(e)
g = np.zeros((2, 2), np.float32)
g_turned = g.T


@jax.jit
def read_a(x):
    return x + a[0, 0]  #! JAX205


@jax.jit
def read_b(x):
    return x + b[0, 0]  #! JAX205


@jax.jit
def read_c(x):
    return x + c[0, 0]  #! JAX205


@jax.jit
def read_d(x):
    return x + d[0, 0]  #! JAX205


@jax.jit
def read_e(x):
    return x + e_flat[0]  #! JAX205


@jax.jit
def read_g(x):
    return x + g[0, 0]  #! JAX205


def shift():
    a_rows[0] += 5


reads = read_a(1.0), read_b(1.0), read_c(1.0), read_d(1.0), read_e(1.0), read_g(1.0)
shift()
diagonal[:] = 5
for row in c:
    row[:] = 5
d.reshape(-1)[::3] = 5
e[0] = 5
g_turned.fill(5)
assert reads == (read_a(1.0), read_b(1.0), read_c(1.0), read_d(1.0), read_e(1.0), read_g(1.0))


# %% ... or in a function that is given the table
import jax
import numpy as np

table = np.zeros((2, 2), np.float32)
other = np.zeros((2, 2), np.float32)


def tune(t, value):
    t[0][0] = value


def tuned(t):
    t = t.copy()
    t[0, 0] = 5
    return t


@jax.jit
def read(x):
    return x + table[0, 0]  #! JAX205


@jax.jit
def read_other(x):
    return x + other[0, 0]


before = read(1.0), read_other(1.0)
tune(table, 5)
tuned(other)
assert (read(1.0), read_other(1.0)) == before


# %% ... which is fine for copies, for names that are bound again, and where it happens before the first call
import jax
import numpy as np

a = np.zeros((2, 2), np.float32)
a_rows = a.copy()
b = np.zeros((2, 2), np.float32)
b_rows = b
b_rows = np.ones((2, 2), np.float32)
c = np.zeros((2, 2), np.float32)
c_rows = c[[0, 1]]
d = np.zeros((2, 2), np.float32)
d_flat = d.T.reshape(-1)
e = np.zeros((2, 2), np.float32)
e_rows = e.T
e_rows[0] = 2
g = np.zeros((2, 2), np.float32)
g_rows = g
g = np.ones((2, 2), np.float32)
h, i = np.zeros((2, 2), np.float32), np.zeros((2, 2), np.float32)


def tune(t, value):
    t[0, 0] = value


@jax.jit
def read(x):
    return x + a[0, 0] + b[0, 0] + c[0, 0] + d[0, 0] + e[0, 0] + g[0, 0] + h[0, 0]


before = read(1.0)
a_rows[0] += 5
b_rows[0] += 5
c_rows[0] += 5
d_flat[0] += 5
g_rows[0] += 5
tune(i, 5)
assert read(1.0) == before == 1 + a[0, 0] + b[0, 0] + c[0, 0] + d[0, 0] + e[0, 0] + g[0, 0] + h[0, 0]
