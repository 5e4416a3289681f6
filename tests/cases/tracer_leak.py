# %% raises-elsewhere outer list: an intermediate appended under jit is a tracer for ever
import jax

history = []


@jax.jit
def step(x):
    y = x * 2
    history.append(y)  #! JAX203
    return y


step(1.0)
print(history[0] + 1)

# %% raises-elsewhere attribute of a static self: the hidden state is kept on the object while tracing
from functools import partial

import jax
import jax.numpy as jnp


class Encoder:
    def __init__(self, width):
        self.width = width
        self.hidden = None

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        h = jnp.tanh(x * self.width)
        self.hidden = h  #! JAX203
        return h.sum()


encoder = Encoder(3)
encoder(jnp.ones(2))
print(jnp.mean(encoder.hidden))

# %% raises-elsewhere global statement: the last loss is kept under a global name
import jax
import jax.numpy as jnp

last_loss = None


def loss_fn(w, x):
    global last_loss
    last_loss = jnp.mean((w * x - 1.0) ** 2)  #! JAX203
    return last_loss


train = jax.jit(jax.value_and_grad(loss_fn))
train(1.0, jnp.ones(3))
print(last_loss + 1.0)

# %% raises-elsewhere nonlocal in cond: a branch writes a variable of the function around it
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def clipped(x):
    excess = jnp.float32(0.0)

    def above(x):
        nonlocal excess
        excess = x - 1.0  #! JAX203
        return jnp.ones_like(x)

    y = lax.cond(x > 1.0, above, lambda x: x, x)
    return y + excess


clipped(3.0)

# %% raises-elsewhere scan body into a local list: the list is local to the jitted function, not to the body
import jax
import jax.numpy as jnp


@jax.jit
def trajectory(x0, dts):
    states = []

    def body(x, dt):
        x = x + dt * x
        states.append(x)  #! JAX203
        return x, None

    jax.lax.scan(body, x0, dts)
    return jnp.stack(states)


trajectory(1.0, jnp.full(3, 0.1))

# %% raises-elsewhere vmap: a lane kept outside is a batch tracer
import jax
import jax.numpy as jnp

lanes = {}


def score(x):
    lanes["raw"] = x**2  #! JAX203
    return jnp.sum(x)


jax.vmap(score)(jnp.ones((3, 2)))
print(lanes["raw"] + 1.0)

# %% raises-elsewhere grad: without jit too, what grad sees cannot outlive it
import jax
import jax.numpy as jnp

losses = []


def objective(w):
    value = jnp.sum(w**2)
    losses.append(value)  #! JAX203
    return value


w = jnp.ones(2)
for _ in range(2):
    w = w - 0.1 * jax.grad(objective)(w)
print(sum(losses))

# %% raises-elsewhere bound method: the jitted method keeps its output on self
import jax
import jax.numpy as jnp


class Controller:
    def __init__(self):
        self.integral = jnp.float32(0.0)
        self.control = jax.jit(self._control)

    def _control(self, error):
        total = error * 0.1
        self.integral = total  #! JAX203
        return error + total


controller = Controller()
controller.control(1.0)
print(controller.integral * 2)

# %% raises-elsewhere recorder: the method that stores is in another class, and is given a tracer
import jax


class Recorder:
    def __init__(self):
        self.rows = []

    def add(self, value):
        self.rows.append(value)  #! JAX203


recorder = Recorder()


@jax.jit
def evaluate(x):
    recorder.add(x * 3)
    return x


evaluate(2.0)
print(recorder.rows[0] - 1)

# %% raises-elsewhere lazy constant: an array that jax.numpy makes under jit is a tracer as well
from functools import partial

import jax
import jax.numpy as jnp


class Positions:
    def __init__(self, n):
        self.n = n
        self._table = None

    def table(self):
        if self._table is None:
            self._table = jnp.arange(self.n) * 0.5  #! JAX203
        return self._table

    @partial(jax.jit, static_argnums=0)
    def encode(self, x):
        return x + self.table()


positions = Positions(3)
positions.encode(jnp.ones(3))
print(positions.table() + 1.0)

# %% raises-elsewhere containers of tracers: a dict around the tracer does not help
import jax

checkpoints = []


@jax.jit
def update(params, grads):
    new = {"w": params["w"] - grads["w"]}
    checkpoints.extend([{"params": new}])  #! JAX203
    return new


update({"w": 1.0}, {"w": 0.5})
print(jax.tree.map(lambda w: w * 2, checkpoints[0]))

# %% raises-elsewhere lambda in fori_loop: append returns None, so the leak hides in an or
import jax
from jax import lax

seen = []
total = lax.fori_loop(0, 3, lambda i, acc: seen.append(acc) or acc + i, 0)  #! JAX203
print(seen[0] + total)

# %% raises-elsewhere setattr and function attributes: two more places that outlive the trace
import jax


def normalise(x):
    normalise.last = x.sum()  #! JAX203
    return x / normalise.last


fast = jax.jit(normalise)
fast(jax.numpy.arange(3.0))
print(normalise.last * 2)

# %% raises-elsewhere vmap inside jit: the lanes of the inner map must not reach the outer function
import jax
import jax.numpy as jnp


@jax.jit
def pairwise(xs):
    norms = []

    def lane(x):
        norms.append(jnp.sum(x**2))  #! JAX203
        return x * 2

    ys = jax.vmap(lane)(xs)
    return ys.sum() + norms[0]


pairwise(jnp.ones((2, 3)))

# %% raises-elsewhere helper with a module table: the name of the entry comes from the caller
import jax
import jax.numpy as jnp

ACTIVATIONS = {}


def sow(name, value):
    ACTIVATIONS[name] = value  #! JAX203
    return value


def model(params, x):
    h = sow("hidden", jnp.tanh(params * x))
    return sow("out", h**2).sum()


jax.jit(model)(2.0, jnp.ones(3))
print({k: float(v.sum()) for k, v in ACTIVATIONS.items()})

# %% returned instead: the intermediates leave as results, and are stored outside
import jax
import jax.numpy as jnp

history = []


@jax.jit
def step(x):
    y = x * 2
    return y, {"y": y, "norm": jnp.abs(y)}


x = 1.0
for _ in range(3):
    x, record = step(x)
    history.append(record)
(value, aux), grad = jax.value_and_grad(lambda w: (w**2, {"w": w}), has_aux=True)(2.0)
history.append(aux)
print(history[0]["y"] + 1, history[-1]["w"] + 1)

# %% local accumulation: what is made in the trace may hold tracers
import jax
import jax.numpy as jnp


class Tape:
    def __init__(self):
        self.values = []
        self.last = None

    def push(self, value):
        self.values.append(value)
        self.last = value
        return value


@jax.jit
def taylor(x):
    terms = []
    term = jnp.float32(1.0)
    tape = Tape()
    for n in (1, 2, 3):
        term = term * x / n
        terms.append(term)
        tape.push(term)
    table = {"last": tape.last}
    table["sum"] = sum(terms)
    return table["sum"] + tape.values[0] + table["last"]


taylor(0.5)

# %% nonlocal within one trace: the inner helper runs in the same trace as the variable it writes
import jax
import jax.numpy as jnp


@jax.jit
def elbo(params, x):
    kl = 0.0
    parts = {}

    def normal(name, mu):
        nonlocal kl
        kl = kl + 0.5 * mu**2
        parts[name] = mu
        return mu

    z = normal("z", params["a"] * x)
    normal("w", params["b"])
    return -z - kl + parts["w"]


elbo({"a": 1.0, "b": 2.0}, 3.0)

# %% host callback: the callback gets real arrays and may keep them
import jax
import jax.numpy as jnp

records = []


def keep(value):
    records.append(value)


@jax.jit
def simulate(x):
    def body(x, dt):
        x = x + dt
        jax.debug.callback(keep, x)
        return x, None

    end, _ = jax.lax.scan(body, x, jnp.full(3, 0.1))
    return end


simulate(0.0)
jax.effects_barrier()
print(len(records), sum(float(r) for r in records))

# %% eager code: a method that no transform reaches keeps real arrays
import jax
import jax.numpy as jnp


class Momentum:
    def __init__(self):
        self.velocity = jnp.zeros(2)
        self.grad = jax.jit(jax.grad(lambda w: jnp.sum(w**2)))
        self.trace = []

    def step(self, w):
        self.velocity = 0.9 * self.velocity + self.grad(w)
        self.trace.append(self.velocity)
        return w - 0.1 * self.velocity


optimizer = Momentum()
w = optimizer.step(optimizer.step(jnp.ones(2)))
print(optimizer.velocity + optimizer.trace[0])

# %% pytree method: jit hands the method a copy of self, and returns it
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Particles:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def tree_flatten(self):
        return (self.x, self.v), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)

    @jax.jit
    def move(self, dt):
        self.x = self.x + dt * self.v
        return self


p = Particles(jnp.zeros(2), jnp.ones(2))
q = p.move(0.1)
print(q.x + 1, p.x + 1)

# %% swapped and restored: the object holds the tracers only while the trace runs
import jax
import jax.numpy as jnp


class Layer:
    def __init__(self):
        self.w = jnp.ones(2)

    def __call__(self, x):
        return jnp.sum(self.w * x)


layer = Layer()


def functional_call(module, w, x):
    kept = module.w
    module.w = w
    try:
        return module(x)
    finally:
        module.w = kept


grads = jax.grad(functional_call, argnums=1)(layer, layer.w, jnp.ones(2))
print(layer.w + 1, grads)

# %% tracers kept out: a check for Tracer, and tables made from real arrays at compile time
import jax
import jax.numpy as jnp
import numpy as np

inputs = []
_TABLES = {}


def remember(x):
    if not isinstance(x, jax.core.Tracer):
        inputs.append(x)
    return x * 2


def table(n):
    if n not in _TABLES:
        with jax.ensure_compile_time_eval():
            _TABLES[n] = jnp.linspace(0.0, 1.0, n)
    return _TABLES[n]


def window(n):
    key = ("hann", n)
    if key not in _TABLES:
        _TABLES[key] = np.hanning(n).astype(np.float32)
    return _TABLES[key]


@jax.jit
def smooth(x):
    return remember(x) * table(x.shape[0]) * window(x.shape[0])


smooth(jnp.ones(4))
remember(jnp.ones(4))
print(inputs[0] + table(4) + window(4))

# %% context stack: pushed and popped within the trace, the stack is empty when it ends
import contextlib

import jax
import jax.numpy as jnp

_STACK = []


@contextlib.contextmanager
def dropout_rate(rate):
    _STACK.append(rate)
    try:
        yield
    finally:
        _STACK.pop()


def scaled(x):
    return x * (1.0 - _STACK[-1])


@jax.jit
def forward(x, rate):
    with dropout_rate(rate):
        return scaled(jnp.tanh(x))


forward(jnp.ones(2), 0.5)
print(len(_STACK))

# %% concrete argument: what a static argument or a closure holds is no tracer
from functools import partial

import jax
import jax.numpy as jnp


class Plan:
    def __init__(self, order):
        self.order = order
        self.coefficients = [1.0 / (k + 1) for k in range(order)]


@partial(jax.jit, static_argnames="order")
def series(x, order):
    plan = Plan(order)
    plan.scale = order * 2.0
    coefficients = jnp.asarray(plan.coefficients)
    return plan.scale * jnp.sum(coefficients * x)


series(1.0, order=3)

# %% overwritten by a result: the object holds the values that the compiled function returned
import jax
import jax.numpy as jnp


class Sgd:
    def __init__(self, w):
        self.w = w
        self._step = jax.jit(self.compute)

    def compute(self, w, x):
        def loss(w):
            return jnp.mean((w * x - 1.0) ** 2)

        value, g = jax.value_and_grad(loss)(w)
        return w - 0.1 * g, value

    def step(self, x):
        self.w, self.value = self._step(self.w, x)
        return self.value


sgd = Sgd(1.0)
sgd.step(jnp.ones(2))
print(sgd.w + sgd.value)

# %% nested closures in one trace: scan carries what the body would otherwise store
import jax
import jax.numpy as jnp


@jax.jit
def running_max(xs):
    best = xs[0]
    outs = []

    def body(carry, x):
        carry = jnp.maximum(carry, x)
        inner = []
        inner.append(carry)
        return carry, inner[0]

    best, path = jax.lax.scan(body, best, xs)
    outs.append(path)
    outs.append(best)
    return outs


running_max(jnp.arange(3.0))

# %% written before the trace: the eager part of a method stores, the compiled part only reads its argument
import jax
import jax.numpy as jnp

LAST = {}


@jax.jit
def _forward(w, x):
    return jnp.tanh(w * x)


def forward(w, x):
    LAST["x"] = x
    LAST["y"] = _forward(w, x)
    return LAST["y"]


forward(1.0, jnp.ones(2))
print(LAST["x"] + LAST["y"])

# %% dictionary of the frame: kwargs, comprehension variables and loop names are local
import jax
import jax.numpy as jnp


@jax.jit
def combine(x, **terms):
    terms["extra"] = x * 2
    terms.setdefault("bias", jnp.zeros_like(x))
    parts = {name: value * x for name, value in terms.items()}
    parts.update(total=sum(parts.values()))
    (first, *rest) = parts.values()
    rest.reverse()
    return first, rest


combine(jnp.ones(2), a=jnp.ones(2))

# %% raises-elsewhere a field's factory makes something for each object
import dataclasses

import jax
import jax.numpy as jnp

SEEN = {}


@dataclasses.dataclass
class Step:
    reward: jax.Array
    info: dict = dataclasses.field(default_factory=dict)
    seen: dict = dataclasses.field(default_factory=lambda: SEEN)


@jax.jit
def step(x):
    new = Step(x)
    new.info["return"] = x + new.reward
    return new.info["return"]


@jax.jit
def remembered(x):
    new = Step(x)
    new.seen["return"] = x + new.reward  #! JAX203
    return new.reward


step(jnp.ones(2)), remembered(jnp.ones(2))
print(SEEN["return"] + 1)

# %% factories of two fields make two lists
import dataclasses

import jax


@dataclasses.dataclass
class Log:
    losses: list = dataclasses.field(default_factory=list)
    names: list = dataclasses.field(default_factory=list)
    table: dict = dataclasses.field(default_factory=lambda: {"n": 2})


@jax.jit
def f(x):
    log = Log()
    log.losses.append(x * 2)
    log.names.append("x")
    if log.names[0] == "x" and log.table["n"] > 1:
        x = x + 1
    return x + sum(log.losses)


f(1.0)

# %% loop over namespaces
from types import SimpleNamespace

import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    items = [SimpleNamespace(scale=s, on=s > 1) for s in (1, 2, 3)]
    for item in items:
        if item.on:
            x = x * item.scale
    return x


f(1.0)

# %% raises-elsewhere namespace that a trace writes a tracer to
from types import SimpleNamespace

import jax

state = SimpleNamespace(last=None)


@jax.jit
def f(x):
    state.last = x * 2 #! JAX203
    return x


f(1.0)
print(state.last + 1)

# %% raises-elsewhere memoised function asked in two traces
import functools

import jax
import jax.numpy as jnp


@functools.lru_cache
def table(n):
    return jnp.arange(n) * 2.0


@jax.jit
def f(x):
    return x + table(3) #! JAX203


@jax.jit
def g(x):
    return x - table(3)


f(jnp.ones(3))
g(jnp.ones(3))

# %% raises-elsewhere memoised function asked in a trace and after it
import functools

import jax
import jax.numpy as jnp


@functools.cache
def mask(n):
    return jnp.tril(jnp.ones((n, n)))


@jax.jit
def f(x):
    return x + mask(3) #! JAX203


f(jnp.ones((3, 3)))
y = mask(3) + 1

# %% memoised function asked before any trace
import functools

import jax
import jax.numpy as jnp


@functools.cache
def mask(n):
    return jnp.tril(jnp.ones((n, n)))


y = mask(3) + 1


@jax.jit
def f(x):
    return x + mask(3)


@jax.jit
def g(x):
    return x - mask(3)


f(jnp.ones((3, 3)))
g(jnp.ones((3, 3)))
y = mask(3) + 1

# %% memoised function of NumPy
import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.cache
def mask(n):
    return np.tril(np.ones((n, n)))


@jax.jit
def f(x):
    return x + mask(3)


f(jnp.ones((3, 3)))
y = mask(3) + 1

# %% memoised function computed at compile time
import functools

import jax
import jax.numpy as jnp


@functools.cache
def mask(n):
    with jax.ensure_compile_time_eval():
        return jnp.tril(jnp.ones((n, n)))


@jax.jit
def f(x):
    return x + mask(3)


f(jnp.ones((3, 3)))
y = mask(3) + 1

# %% memoised function of other numbers in each trace
import functools

import jax
import jax.numpy as jnp


@functools.cache
def ones(n):
    return jnp.ones(n) * 2


@jax.jit
def f(x):
    return x + ones(3)


@jax.jit
def g(x):
    return x + ones(2)


f(jnp.ones(3))
g(jnp.ones(2))
y = ones(4)

# %% memoised factory of jitted functions
import functools

import jax
import jax.numpy as jnp


@functools.cache
def scaled(n):
    return jax.jit(lambda x: x * n)


@jax.jit
def f(x):
    return scaled(3)(x)


f(jnp.ones(3))
y = scaled(3)(jnp.ones(3))

# %% key scope: a helper splits the key while the caller keeps the old one and sets it back
import jax


class Rng:
    def __init__(self, key):
        self.key = key

    def next(self):
        self.key, sub = jax.random.split(self.key)
        return sub


rng = Rng(jax.random.key(0))


def dropout(x):
    return x * jax.random.bernoulli(rng.next(), 0.5, x.shape)


@jax.jit
def apply(key, x):
    before = rng.key
    rng.key = key
    y = dropout(x)
    rng.key = before
    return y


print(apply(jax.random.key(1), jax.numpy.ones(3)), rng.next())

# %% scope object: `__exit__` puts back the key that was there before the body split it
import jax


class Scope:
    current = None

    def __init__(self, key):
        self.key = key

    def __enter__(self):
        self.before = state.key
        state.key = self.key
        return self

    def __exit__(self, *error):
        state.key = self.before


class State:
    def __init__(self):
        self.key = None

    def next(self):
        self.key, sub = jax.random.split(self.key)
        return sub


state = State()


@jax.jit
def apply(key, x):
    with Scope(key):
        return x + jax.random.normal(state.next(), x.shape)


print(apply(jax.random.key(1), jax.numpy.ones(3)), state.key)

# %% scope function: the generator puts the key back behind its yield, after the body
import contextlib

import jax


class State:
    def __init__(self):
        self.key = None

    def next(self):
        self.key, sub = jax.random.split(self.key)
        return sub


state = State()


@contextlib.contextmanager
def scope(key):
    before = state.key
    state.key = key
    try:
        yield
    finally:
        state.key = before


@jax.jit
def apply(key, x):
    with scope(key):
        return x + jax.random.normal(state.next(), x.shape)


print(apply(jax.random.key(1), jax.numpy.ones(3)), state.key)

# %% global key scope: the global is set back in a finally after a helper has split it
import jax

_key = None


def next_key():
    global _key
    _key, sub = jax.random.split(_key)
    return sub


def model(x):
    return x + jax.random.normal(next_key(), x.shape)


@jax.jit
def apply(key, x):
    global _key
    before = _key
    _key = key
    try:
        return model(x)
    finally:
        _key = before


print(apply(jax.random.key(1), jax.numpy.ones(3)), _key)

# %% global key taken away: None takes the place of the traced key
import jax

_key = None


def next_key():
    global _key
    _key, sub = jax.random.split(_key)
    return sub


@jax.jit
def apply(key, x):
    global _key
    _key = key
    y = x + jax.random.normal(next_key(), x.shape)
    _key = None
    return y


print(apply(jax.random.key(1), jax.numpy.ones(3)), _key)

# %% stack of keys: the key that the helper splits is popped before the trace ends
import jax

_keys = []


def next_key():
    _keys[-1], sub = jax.random.split(_keys[-1])
    return sub


@jax.jit
def apply(key, x):
    _keys.append(key)
    try:
        return x + jax.random.normal(next_key(), x.shape)
    finally:
        _keys.pop()


print(apply(jax.random.key(1), jax.numpy.ones(3)), _keys)

# %% seeded and cleared: one method stores the key, another one takes it away again
import jax


class Rng:
    def __init__(self):
        self.key = None

    def seed(self, key):
        self.key = key

    def clear(self):
        self.key = None

    def next(self):
        self.key, sub = jax.random.split(self.key)
        return sub


rng = Rng()


@jax.jit
def apply(key, x):
    rng.seed(key)
    y = x + jax.random.normal(rng.next(), x.shape)
    rng.clear()
    return y


print(apply(jax.random.key(1), jax.numpy.ones(3)), rng.key)

# %% own key: the method sets back what two calls of a helper have split
import jax
import jax.numpy as jnp


class Model:
    def __init__(self, key):
        self.key = key

    def noise(self, x):
        self.key, sub = jax.random.split(self.key)
        return x + jax.random.normal(sub, x.shape)

    def run(self, key, x):
        saved = self.key
        self.key = key
        try:
            return self.noise(self.noise(x))
        finally:
            self.key = saved


model = Model(jax.random.key(0))
run = jax.jit(model.run)
print(run(jax.random.key(3), jnp.ones(2)), model.noise(jnp.ones(2)))

# %% raises-elsewhere split in a helper: nobody sets the key back
import jax


class Rng:
    def __init__(self, key):
        self.key = key

    def next(self):
        self.key, sub = jax.random.split(self.key)  #! JAX203
        return sub


rng = Rng(jax.random.key(0))


@jax.jit
def apply(x):
    return x * jax.random.bernoulli(rng.next(), 0.5, x.shape)


print(apply(jax.numpy.ones(3)), rng.next())

# %% raises-elsewhere set and split: the caller stores a traced key, the helper splits it, both stay
import jax


class Rng:
    def __init__(self, key):
        self.key = key

    def next(self):
        self.key, sub = jax.random.split(self.key)  #! JAX203
        return sub


rng = Rng(jax.random.key(0))


@jax.jit
def apply(key, x):
    rng.key = key  #! JAX203
    return x * jax.random.bernoulli(rng.next(), 0.5, x.shape)


print(apply(jax.random.key(1), jax.numpy.ones(3)), rng.next())

# %% raises-elsewhere one scope of two: a trace sets the key back, another one that calls the same helper does not
import jax


class Rng:
    def __init__(self, key):
        self.key = key

    def next(self):
        self.key, sub = jax.random.split(self.key)  #! JAX203
        return sub


rng = Rng(jax.random.key(0))


@jax.jit
def apply(key, x):
    saved = rng.key
    rng.key = key
    y = x * jax.random.bernoulli(rng.next(), 0.5, x.shape)
    rng.key = saved
    return y


@jax.jit
def noise(x):
    return x * jax.random.bernoulli(rng.next(), 0.5, x.shape)


print(apply(jax.random.key(1), jax.numpy.ones(3)))
print(noise(jax.numpy.ones(3)), rng.next())

# %% parameters lent to a module: the module's own are loaded again
import jax
import jax.numpy as jnp


class Linear:
    def __init__(self, n):
        self.w = jnp.ones((n, n))
        self.b = jnp.zeros(n)

    def __call__(self, x):
        return jnp.dot(x, self.w) + self.b

    def load(self, params):
        self.w, self.b = params

    def state(self):
        return self.w, self.b


module = Linear(3)


@jax.jit
def loss(params, x):
    old = module.state()
    module.load(params)
    y = module(x).sum()
    module.load(old)
    return y


print(jax.grad(loss)((jnp.ones((3, 3)), jnp.zeros(3)), jnp.ones(3)))
print(module(jnp.ones(3)))

# %% variables lent to a collection: what is put back goes through objects that are not told apart
import jax
import jax.numpy as jnp


class Var:
    def __init__(self, value):
        self.value = value


class Vars(list):
    def assign(self, values):
        for var, value in zip(self, values):
            var.value = value

    def tensors(self):
        return [var.value for var in self]


w = Var(jnp.ones(3))
variables = Vars([w])


class Jit:
    def __init__(self, fun, variables):
        self.vars = variables

        def run(values, *args):
            original = self.vars.tensors()
            try:
                self.vars.assign(values)
                return fun(*args), self.vars.tensors()
            finally:
                self.vars.assign(original)

        self.run = jax.jit(run)

    def __call__(self, *args):
        out, values = self.run(self.vars.tensors(), *args)
        self.vars.assign(values)
        return out


def step(x):
    w.value = w.value * 0.5 + x
    return w.value.sum()


fast = Jit(step, variables)
print(fast(1.0), fast(2.0), w.value)

# %% collected and drained: the dict that the traced values are in is taken away
import jax
import jax.numpy as jnp

_aux = {}


def record(name, value):
    _aux[name] = value


def drain():
    global _aux
    out, _aux = _aux, {}
    return out


@jax.jit
def f(x):
    record("norm", jnp.sum(x))
    return x * 2, drain()


print(f(jnp.ones(3)), _aux)

# %% drained attribute: an empty list takes the place of the one that was filled
import jax
import jax.numpy as jnp


class Losses:
    def __init__(self):
        self.items = []

    def add(self, value):
        self.items.append(value)

    def drain(self):
        items, self.items = self.items, []
        return sum(items)


losses = Losses()


@jax.jit
def f(x):
    losses.add(jnp.sum(x))
    return x * 2, losses.drain()


print(f(jnp.ones(3)), losses.items)

# %% raises-elsewhere written twice: the write through the collection comes first
import jax
import jax.numpy as jnp


class Var:
    def __init__(self, value):
        self.value = value


w = Var(jnp.ones(3))


def assign(variables, values):
    for variable, value in zip(variables, values):
        variable.value = value  #! JAX203


@jax.jit
def step(values, x):
    assign([w], values)
    w.value = w.value + x  #! JAX203
    return x


step([w.value], 1.0)
print(w.value + 1)

# %% raises-elsewhere drained too late: the list is taken away when the trace is over
import jax
import jax.numpy as jnp


class Losses:
    def __init__(self):
        self.items = []

    def add(self, value):
        self.items.append(value)  #! JAX203

    def drain(self):
        items, self.items = self.items, []
        return sum(items)


losses = Losses()


@jax.jit
def f(x):
    losses.add(jnp.sum(x))
    return x * 2


f(jnp.ones(3))
print(losses.drain() + 1)

# %% raises-elsewhere stored by a setter: the property writes what outlives the trace
import jax


class Meter:
    def __init__(self):
        self._total = 0.0

    @property
    def total(self):
        return self._total

    @total.setter
    def total(self, value):
        self._total = value  #! JAX203


meter = Meter()


@jax.jit
def f(x):
    meter.total = x
    return x


f(1.0)
print(meter.total + 1)

# %% put back by a setter: the property is set twice
import jax


class Meter:
    def __init__(self):
        self._mode = "a"

    @property
    def mode(self):
        return self._mode

    @mode.setter
    def mode(self, value):
        assert value in ("a", "b")
        self._mode = value


meter = Meter()


@jax.jit
def f(x):
    old = meter.mode
    meter.mode = "b"
    y = x * 2 if meter.mode == "b" else x
    meter.mode = old
    return y


print(f(1.0), meter.mode)

# %% raises-elsewhere scratch that is read afterwards: it holds a tracer of the trace that is over
import jax
import jax.numpy as jnp
from jax import lax


def shift(cache, rows):
    place = [slice(None)] * 2

    def put(i, held):
        place[0] = i  #! JAX203
        return held.at[tuple(place)].set(rows[i])

    cache = lax.fori_loop(0, 2, put, cache)
    return cache[tuple(place)] + 1


shift(jnp.zeros((2, 3)), jnp.ones((2, 3)))

# %% modules of flax nnx of another trace that a transform of flax is given: it changes their variables
import jax
import jax.numpy as jnp
from flax import nnx


class Scale(nnx.Module):
    def __init__(self):
        self.factor = nnx.Param(jnp.ones(2))

    def __call__(self, x):
        return x * self.factor[...]


def cost(model):
    return model(jnp.ones(2)).sum()


@nnx.jit
def accumulated(model: Scale, xs):
    def turn(total, x):
        loss, _ = nnx.value_and_grad(lambda m: m(x).sum())(model)  #! JAX203
        return total + loss, None

    return jax.lax.scan(turn, 0.0, xs)[0]


def compiled(xs):
    model = Scale()
    return jax.vmap(lambda x: nnx.jit(cost)(model) + x)(xs)  #! JAX203


def differentiated(xs):
    model = Scale()
    return jax.vmap(lambda x: nnx.grad(lambda y, m: m(y).sum())(x, model))(xs)  #! JAX203


def caught(model: Scale):
    try:
        return jax.jit(lambda x: nnx.grad(cost)(model) and x)(1.0)
    except ValueError:
        return None


compiled(jnp.ones((3, 2)))

# %% modules of flax nnx that a transform of flax is given in the trace that made them, or was given them
import jax
import jax.numpy as jnp
from flax import nnx


class Scale(nnx.Module):
    def __init__(self):
        self.factor = nnx.Param(jnp.ones(2))

    def __call__(self, x):
        return x * self.factor[...]

    def slope(self):
        return nnx.grad(cost)(self)


def cost(model):
    return model(jnp.ones(2)).sum()


@nnx.jit
def step(model):
    return nnx.value_and_grad(cost)(model)[0] + nnx.remat(cost)(model)


@jax.jit
def given(model):
    nnx.grad(cost)(model)
    model.slope()
    return nnx.jit(cost)(model)


@jax.jit
def made(x):
    model = Scale()
    return nnx.jit(cost)(model) + x


@nnx.scan(in_axes=(nnx.Carry, 0, None), out_axes=(nnx.Carry, 0))
def turn(total, x, model):
    return total + nnx.value_and_grad(lambda m: m(x).sum())(model)[0], x


def by_parts(model, xs):
    definition, state = nnx.split(model)

    def body(total, x):
        slope = jax.grad(lambda s: nnx.merge(definition, s)(x).sum())(state)
        return total + sum(leaf.sum() for leaf in jax.tree.leaves(slope)), None

    return jax.lax.scan(body, 0.0, xs)[0]


def of_copies(model, xs):
    def body(total, x):
        return total + nnx.jit(cost)(nnx.clone(model)), None

    return jax.lax.scan(body, 0.0, xs)[0]


def closed_over(model, xs):
    return jax.vmap(lambda x: nnx.grad(lambda y: model(y).sum())(x))(xs)


def as_trees(model, xs):
    return jax.vmap(lambda x: nnx.jit(cost, graph=False)(model) + x)(xs)


model, xs = Scale(), jnp.ones((3, 2))
print(step(model), given(model), made(1.0), turn(jnp.float32(0), xs, model)[0], by_parts(model, xs))
print(of_copies(model, xs), closed_over(model, xs), model.slope(), as_trees(model, xs))

# %% raises-elsewhere scratch that one function fills and another one only reads
import jax
import jax.numpy as jnp
from jax import lax


def shift(cache, rows):
    place = [slice(None)] * 2

    def put(i, held):
        place[0] = i  #! JAX203
        return held.at[tuple(place)].set(rows[i])

    def add(i, held):
        return held.at[tuple(place)].add(rows[i])

    cache = lax.fori_loop(0, 2, put, cache)
    return lax.fori_loop(0, 2, add, cache)


shift(jnp.zeros((2, 3)), jnp.ones((2, 3)))

# %% raises-elsewhere a list of a class of its own, in a static field, a static argument and a variable of the module
from dataclasses import dataclass
from functools import partial

import jax


class Log(list):
    __hash__ = object.__hash__

    def note(self, value):
        self.append(value)


class Memory(dict):
    __hash__ = object.__hash__


@partial(jax.tree_util.register_dataclass, data_fields=["gain"], meta_fields=["log"])
@dataclass
class Probe:
    gain: jax.Array
    log: Log

    def __call__(self, x):
        self.log.append(x * self.gain)  #! JAX203
        return x + self.gain


@partial(jax.jit, static_argnums=1)
def noted(x, log):
    log.extend([x])  #! JAX203
    return x


log, memory = Log(), Memory()


@jax.jit
def kept(x):
    memory["x"] = x  #! JAX203
    return x


alias = log


@jax.jit
def by_method(x):
    alias.append(x)  #! JAX203
    return x


jax.jit(lambda probe, x: probe(x))(Probe(1.0, Log()), 2.0)
noted(1.0, Log())
kept(1.0)
by_method(1.0)
log[0] + 1

# %% a list of a class of its own that is made in the trace, is a pytree, holds no tracer or is emptied again
import jax


class Log(list):
    __hash__ = object.__hash__

    def note(self, value):
        self.append(value)


@jax.tree_util.register_pytree_node_class
class Tree(dict):
    def tree_flatten(self):
        return tuple(self.values()), tuple(self)

    @classmethod
    def tree_unflatten(cls, names, values):
        return cls(zip(names, values))


class Registered(dict):
    def __setitem__(self, name, value):
        pass


log, registered = Log(), Registered()


@jax.jit
def inside(x):
    own = Log()
    own.append(x)
    own.note(x)
    return own[0] + own[1]


@jax.jit
def given(tree, x):
    tree["y"] = x
    tree.update(z=x)
    return tree


@jax.jit
def emptied(x):
    log.append(x)
    y = 2 * log[-1]
    log.pop()
    return y


@jax.jit
def own_setter(x):
    registered["x"] = x
    return x


inside(1.0), given(Tree(x=1.0), 2.0), emptied(1.0), own_setter(1.0)
log.append(1.0)

# %% what an object keeps beside its leaves is made anew where JAX rebuilds it
import jax
import jax.numpy as jnp
from jax.tree_util import register_pytree_node_class


@register_pytree_node_class
class Model:
    def __init__(self, a, b):
        self.a = a
        self.b = b
        self.tables = {}
        self.log = []

    def tree_flatten(self):
        leaves = (self.a,)
        leaves += (self.b,)
        return leaves, None

    @classmethod
    def tree_unflatten(cls, aux, leaves):
        return cls(*leaves)


def table(model, x):
    if "table" not in model.tables:
        model.tables["table"] = jnp.linspace(0.0, model.a, 10)
    model.log.append(x)
    return jnp.interp(x, jnp.arange(10), model.tables["table"])


@jax.jit
def values(model, x):
    return table(model, x) + jnp.float32(model.a > 0)


@jax.jit
def tabulated(model, x):
    return table(model, x)


def mapped(model, xs):
    return jax.vmap(lambda x: tabulated(model, x))(xs)


print(mapped(Model(1.0, 2.0), jnp.arange(3.0)), tabulated(Model(1.0, 2.0), 1.0))
values(Model(1.0, 2.0), 1.0)

# %% raises-elsewhere but not what goes along as static data
import jax
import jax.numpy as jnp


class Log:
    def __init__(self):
        self.last = None


class Shared:
    def __init__(self, a, log):
        self.a = a
        self.log = log


jax.tree_util.register_pytree_node(
    Shared, lambda s: ((s.a,), s.log), lambda log, leaves: Shared(leaves[0], log)
)


@jax.jit
def kept(shared, x):
    shared.log.last = x  #! JAX203
    return x * shared.a


shared = Shared(1.0, Log())
print(kept(shared, jnp.ones(3)))
print(shared.log.last + 1)

# %% raises-elsewhere a dict that jit has rebuilt, and hands on to the gradient, nobody else has
import jax
import jax.numpy as jnp

table = {}


def loss(params, inputs):
    inputs["params"] = params
    return (inputs["params"] * inputs["x"]).sum()


def kept(params, inputs):
    table["params"] = params  #! JAX203
    return (params * inputs["x"]).sum()


def nested(params, inputs):
    inputs["part"]["params"] = params
    return (params * inputs["part"]["x"]).sum()


inputs = {"x": jnp.ones(3), "part": {"x": jnp.ones(3)}}
jax.jit(jax.value_and_grad(loss))(1.0, inputs)
jax.jit(jax.grad(nested))(1.0, inputs)
jax.jit(jax.grad(kept))(1.0, inputs)
assert list(inputs) == ["x", "part"] and list(inputs["part"]) == ["x"]
print(table["params"] + 1)

# %% raises-elsewhere cached property: a trace is the first to read it
import functools
import jax
import jax.numpy as jnp


class Grid:
    def __init__(self, n):
        self.n = n

    @functools.cached_property
    def points(self):
        return jnp.linspace(0.0, 1.0, self.n)


grid = Grid(5)


@jax.jit
def f(x):
    return x + grid.points  #! JAX203


print(f(jnp.ones(5)))
print(grid.points + 1)

# %% raises-elsewhere memoised method: the object is remembered
import functools
import jax
import jax.numpy as jnp


class Grid:
    def __init__(self, n):
        self.n = n

    @functools.lru_cache(maxsize=None)
    def points(self):
        return jnp.linspace(0.0, 1.0, self.n)


grid = Grid(5)


@jax.jit
def f(x):
    return x + grid.points()  #! JAX203


print(f(jnp.ones(5)))
print(grid.points() + 1)

# %% raises-elsewhere filled table: the key is not in it yet
import jax
import jax.numpy as jnp

_CACHE = {}


def table(n):
    if n not in _CACHE:
        _CACHE[n] = jnp.arange(n)  #! JAX203
    return _CACHE[n]


@jax.jit
def f(x):
    return x + table(5)


@jax.jit
def g(x):
    return x * table(5)


print(f(jnp.ones(5)))
print(g(jnp.ones(5)))

# %% raises-elsewhere cached property of a static self: two methods read it
import functools
import jax
import jax.numpy as jnp


class Model:
    def __init__(self, n):
        self.n = n

    @functools.cached_property
    def points(self):
        return jnp.linspace(0.0, 1.0, self.n)

    @functools.partial(jax.jit, static_argnums=0)
    def f(self, x):
        return x + self.points  #! JAX203

    @functools.partial(jax.jit, static_argnums=0)
    def g(self, x):
        return x - self.points


m = Model(5)
print(m.f(jnp.ones(5)))
print(m.g(jnp.ones(5)))

# %% raises-elsewhere cached property in main: read after the trace as well
import functools
import jax
import jax.numpy as jnp


class Model:
    @functools.cached_property
    def weights(self):
        return jnp.arange(3.0)


def main():
    model = Model()
    step = jax.jit(lambda x: x * model.weights)  #! JAX203
    print(step(jnp.ones(3)))
    print(model.weights.sum())


main()

# %% cached property read before any trace
import functools
import jax
import jax.numpy as jnp


class Grid:
    def __init__(self, n):
        self.n = n

    @functools.cached_property
    def points(self):
        return jnp.linspace(0.0, 1.0, self.n)


grid = Grid(5)


print(grid.points.shape)


@jax.jit
def f(x):
    return x + grid.points


print(f(jnp.ones(5)))
print(grid.points + 1)

# %% memoised method called before any trace
import functools
import jax
import jax.numpy as jnp


class Grid:
    def __init__(self, n):
        self.n = n

    @functools.lru_cache(maxsize=None)
    def points(self):
        return jnp.linspace(0.0, 1.0, self.n)


grid = Grid(5)


grid.points()


@jax.jit
def f(x):
    return x + grid.points()


print(f(jnp.ones(5)))
print(grid.points() + 1)

# %% filled table: the program fills it before any trace
import jax
import jax.numpy as jnp

_CACHE = {}


def table(n):
    if n not in _CACHE:
        _CACHE[n] = jnp.arange(n)
    return _CACHE[n]


table(5)


@jax.jit
def f(x):
    return x + table(5)


@jax.jit
def g(x):
    return x * table(5)


print(f(jnp.ones(5)))
print(g(jnp.ones(5)))

# %% attribute that is set when it is asked for: asked for before any trace
import jax
import jax.numpy as jnp


class Grid:
    def __init__(self, n):
        self.n = n
        self._points = None

    @property
    def points(self):
        if self._points is None:
            self._points = jnp.linspace(0.0, 1.0, self.n)
        return self._points


grid = Grid(5)


print(grid.points.shape)


@jax.jit
def f(x):
    return x + grid.points


print(f(jnp.ones(5)))
print(grid.points + 1)

# %% filled table: the constructor fills it
import jax
import jax.numpy as jnp


class Store:
    def __init__(self, sizes):
        self.tables = {}
        for n in sizes:
            self.get(n)

    def get(self, n):
        if n not in self.tables:
            self.tables[n] = jnp.arange(n)
        return self.tables[n]


store = Store([3, 5])


@jax.jit
def f(x):
    return x + store.get(5)


print(f(jnp.ones(5)))
print(f(jnp.ones(5)) + store.get(5))

# %% filled table: computed at compile time
import jax
import jax.numpy as jnp

_CACHE = {}


def table(n):
    if n not in _CACHE:
        with jax.ensure_compile_time_eval():
            _CACHE[n] = jnp.arange(n)
    return _CACHE[n]


@jax.jit
def f(x):
    return x + table(5)


print(f(jnp.ones(5)))
print(table(5) + 1)

# %% filled table of an object made in the trace
import jax
import jax.numpy as jnp


class Frame:
    def __init__(self):
        self.params = {}

    def get(self, name, init):
        if name not in self.params:
            self.params[name] = init()
        return self.params[name]


def net(frame, x):
    w = frame.get("w", lambda: jnp.ones(5))
    return x * w


@jax.jit
def init(x):
    frame = Frame()
    net(frame, x)
    return frame.params


print(init(jnp.ones(5)))

# %% filled table of a stack of objects made in the trace
import jax
import jax.numpy as jnp


FRAMES = []


class Frame:
    def __init__(self):
        self.params = {}


def get(name, init):
    params = FRAMES[-1].params
    if name not in params:
        params[name] = init()
    return params[name]


def net(x):
    w = get("w", lambda: jnp.ones(5))
    return x * w


@jax.jit
def init(x):
    FRAMES.append(Frame())
    net(x)
    return FRAMES.pop().params


print(init(jnp.ones(5)))
print(init(jnp.ones(5)))

# %% cached property in main: read before any trace
import functools
import jax
import jax.numpy as jnp


class Model:
    @functools.cached_property
    def weights(self):
        return jnp.arange(3.0)


def main():
    model = Model()
    print(model.weights.sum())
    step = jax.jit(lambda x: x * model.weights)
    print(step(jnp.ones(3)))
    other = jax.jit(lambda x: x * model.weights)
    print(other(jnp.ones(3)))


main()

# %% cached property of an object made in the trace
import functools
import jax
import jax.numpy as jnp


class Kernel:
    def __init__(self, n):
        self.n = n

    @functools.cached_property
    def matrix(self):
        return jnp.eye(self.n)

    def apply(self, x):
        return self.matrix * x


@jax.jit
def f(x):
    return Kernel(3).apply(x)


@jax.jit
def g(x):
    return Kernel(3).apply(x) + 1


print(f(jnp.ones(3)))
print(g(jnp.ones(3)))

# %% cached properties that are no tracers
import functools
import jax
import jax.numpy as jnp
import numpy as np


class Kernel:
    def __init__(self, n):
        self.n = n

    @functools.cached_property
    def matrix(self):
        return np.eye(self.n)

    @functools.cached_property
    def table(self):
        return jax.device_put(np.arange(self.n))

    @functools.cached_property
    def shape(self):
        return jnp.zeros((self.n, 2)).shape


k = Kernel(3)


@jax.jit
def f(x):
    return k.matrix * x + k.shape[0]


@jax.jit
def g(x):
    return k.matrix * x + k.shape[1]


print(f(jnp.ones(3)))
print(g(jnp.ones(3)))

# %% cached property of a pytree: each trace has a copy of the object
import functools
import jax
import jax.numpy as jnp


class Kernel:
    def __init__(self, n):
        self.n = n

    @functools.cached_property
    def matrix(self):
        return jnp.eye(self.n)


@jax.tree_util.register_pytree_node_class
class Op:
    def __init__(self, x):
        self.x = x

    @functools.cached_property
    def double(self):
        return self.x * 2

    def tree_flatten(self):
        return (self.x,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


@jax.jit
def f(op):
    return op.double + 1


@jax.jit
def g(op):
    return op.double - 1


op = Op(jnp.ones(3))
print(f(op))
print(g(op))
print(op.double)

# %% numbers that are not known, which one place passes: a shape is the same in the next trace
from functools import lru_cache

import jax
import jax.numpy as jnp


@lru_cache(maxsize=None)
def table(n, d):
    return jnp.outer(jnp.arange(n), jnp.arange(d))  # made in the first trace and kept


@lru_cache(maxsize=None)
def frequencies(n):
    return jnp.arange(n) * 2.0


def rotated(x):
    return x * table(*x.shape)  #! JAX203


@jax.jit
def encoded(x):
    return x + frequencies(x.shape[0])


print(jax.jit(rotated)(jnp.ones((4, 6))).sum())
print(rotated(jnp.ones((4, 6))).sum())
encoded(jnp.ones(3))

# %% ok: the program asks outside of traces first, or the table is NumPy's
from functools import lru_cache

import jax
import jax.numpy as jnp
import numpy as np


@lru_cache(maxsize=None)
def table(n, d):
    return jnp.outer(jnp.arange(n), jnp.arange(d))


@lru_cache(maxsize=None)
def window(n):
    return np.hanning(n)


def rotated(x):
    return x * table(*x.shape) * window(x.shape[1])


print(rotated(jnp.ones((4, 6))).sum())
print(jax.jit(rotated)(jnp.ones((4, 6))).sum())

# %% ok: an attribute that a constructor, a subclass's or a class method fills, which a property fills otherwise
import jax
import jax.numpy as jnp


class Operator:
    def __init__(self):
        self._inverse = None

    def inverse(self):
        if self._inverse is None:
            self._inverse = jnp.linalg.inv(self.matrix())
        return self._inverse


class Laplace(Operator):
    def __init__(self, n):
        super().__init__()
        self.n = n
        self._inverse = jnp.linalg.inv(self.matrix())

    def matrix(self):
        return 2.5 * jnp.eye(self.n) - jnp.eye(self.n, k=1)


class Mesh:
    def __init__(self, n):
        self.n = n
        self._areas = None

    @classmethod
    def uniform(cls, n):
        made = cls(n)
        made._areas = made.computed()
        return made

    def computed(self):
        return jnp.ones(self.n) / self.n

    @property
    def areas(self):
        if self._areas is None:
            self._areas = self.computed()
        return self._areas


class Wave:
    def __init__(self, n):
        self.n = n

    def prepared(self):
        self.omega = jnp.abs(jnp.fft.fftfreq(self.n))
        return self

    def step(self, u):
        if not hasattr(self, "omega"):
            self.prepared()
        return u * self.omega


operator, mesh, wave = Laplace(4), Mesh.uniform(4), Wave(4).prepared()
solve = jax.jit(lambda b: jnp.matmul(operator.inverse(), b) + mesh.areas + wave.step(b))
print(solve(jnp.ones(4)), operator.inverse().sum(), mesh.areas.sum(), wave.step(jnp.ones(4)))

# %% raises-elsewhere: nothing has filled it
import jax
import jax.numpy as jnp


class Mesh:
    def __init__(self, n):
        self.n = n
        self._areas = None

    @property
    def areas(self):
        if self._areas is None:
            self._areas = jnp.ones(self.n) / self.n  #! JAX203
        return self._areas


mesh = Mesh(4)
print(jax.jit(lambda b: mesh.areas + b)(jnp.ones(4)))
print(mesh.areas.sum())

# %% raises-elsewhere: a method that another one calls under the test
import jax
import jax.numpy as jnp


class Wave:
    def __init__(self, n):
        self.n = n

    def prepare(self):
        self.omega = jnp.abs(jnp.fft.fftfreq(self.n))  #! JAX203

    def step(self, u):
        if not hasattr(self, "omega"):
            self.prepare()
        return u * self.omega


wave = Wave(4)
print(jax.jit(wave.step)(jnp.ones(4)))
print(wave.step(jnp.ones(4)))

# %% ok: filled before the trace by name, or where an attribute that lacks raises
import jax
import jax.numpy as jnp


class Spline:
    def __init__(self, knots):
        self.knots = knots

    def fit(self):
        self.slopes = jnp.diff(jnp.linspace(0.0, 1.0, self.knots) ** 2)

    def __call__(self, t):
        try:
            return (self.slopes * t).sum()
        except AttributeError:
            self.fit()
        return (self.slopes * t).sum()


class Tables:
    def __init__(self, names):
        for name in names:
            setattr(self, name, jnp.arange(3.0))

    def value(self):
        if not hasattr(self, "table"):
            self.table = jnp.arange(3.0)
        return self.table


spline, tables = Spline(5), Tables(["table"])
spline.fit()
print(jax.jit(lambda t: spline(t) + tables.value())(0.3), spline(0.4), tables.value())

# %% raises-elsewhere: an optional argument that a constructor keeps does not fill the attribute
import jax
import jax.numpy as jnp


class Grid:
    def __init__(self, table=None):
        self._table = table

    @property
    def table(self):
        if self._table is None:
            self._table = jnp.arange(3.0)  #! JAX203
        return self._table


def use(grid):
    return jax.jit(lambda x: x + grid.table)(1.0)


grid = Grid()
print(use(grid))
print(grid.table + 1)

# %% ok: a copy of an object with lists of its own, and an attribute that the trace replaces for a time
import contextlib
import copy

import jax
import jax.numpy as jnp


class State:
    def __init__(self):
        self.values = jnp.ones(2)
        self.history = []
        self.named = {}

    def clone(self):
        new = copy.copy(self)
        new.history = list(self.history)
        new.named = dict(self.named)
        return new


class Tape:
    def __init__(self):
        self.ops = []

    def record(self, value):
        self.ops.append(value)
        return value

    @contextlib.contextmanager
    def fresh(self):
        old, self.ops = self.ops, []
        try:
            yield self.ops
        finally:
            self.ops = old


state, tape = State(), Tape()


@jax.jit
def f(x):
    new = state.clone()
    new.history.append(x)
    new.named["x"] = x
    with tape.fresh() as ops:
        y = tape.record(x * 2)
        return new.history[0] + new.named["x"] + y, list(ops)


print(f(jnp.ones(2)), state.history, state.named, tape.ops)

# %% raises-elsewhere the copy has the list of the original
import copy

import jax
import jax.numpy as jnp


class State:
    def __init__(self):
        self.history = []
        self.named = {}

    def clone(self):
        new = copy.copy(self)
        new.named = dict(self.named)
        return new


state = State()


@jax.jit
def f(x):
    new = state.clone()
    new.history.append(x)  #! JAX203
    new.named["x"] = x
    return x * 2


f(jnp.ones(2))
print(state.history[0] + 1)

# %% raises-elsewhere what a context manager writes where it is entered, and does not take back
import contextlib

import jax
import jax.numpy as jnp

frames = []


class Model:
    def __init__(self):
        self.params = jnp.ones(2)

    @contextlib.contextmanager
    def using(self, params):
        old = self.params
        self.params = params  #! JAX203
        try:
            yield self
        finally:
            del old


class Pushed:
    def __init__(self, value):
        self.value = value

    def __enter__(self):
        frames.append(self.value)  #! JAX203
        return self

    def __exit__(self, *error):
        return False


model = Model()


@jax.jit
def f(params):
    with model.using(params) as used, Pushed(params):
        return used.params * 2


f(jnp.ones(2))
print(model.params + frames[0])

# %% ok: what a context manager takes back where it is left
import contextlib

import jax
import jax.numpy as jnp

frames = []


class Model:
    def __init__(self):
        self.params = jnp.ones(2)

    def _set(self, params):
        self.params = params

    @contextlib.contextmanager
    def using(self, params):
        old = self.params
        self._set(params)
        try:
            yield self
        finally:
            self._set(old)


class Pushed:
    def __init__(self, value):
        self.value = value

    def __enter__(self):
        frames.append(self.value)
        return self

    def __exit__(self, *error):
        del frames[-1]
        return False


model = Model()


@jax.jit
def f(params):
    with model.using(params) as used, Pushed(params):
        return used.params * 2


print(f(jnp.ones(2)), model.params, frames)

# %% raises-elsewhere objects that are made by way of a registry which decorators fill
import jax
import jax.numpy as jnp

METRICS = {}


def register(cls):
    METRICS[cls.__name__.lower()] = cls
    return cls


class Base:
    made = []

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        Base.made.append(cls)

    def __init__(self):
        self.total = 0.0

    def update(self, value):
        self.total = self.total + value  #! JAX203


@register
class Loss(Base):
    pass


@register
class Accuracy(Base):
    pass


metrics = {name: cls() for name, cls in METRICS.items()}


@jax.jit
def evaluate(x):
    metrics["loss"].update(x.sum())
    return x


evaluate(jnp.ones(3))
print(metrics["loss"].total + 1)

# %% raises-elsewhere queues and heaps keep what a trace puts there
import collections
import heapq
import queue

import jax

RESULTS = queue.Queue()
HEAP = []
NOISES = collections.deque([0.0, 1.0, 2.0])


class Logger:
    def __init__(self):
        self.queue = queue.SimpleQueue()
        self.compiled = jax.jit(self.update)

    def update(self, x):
        self.queue.put({"x": x * 2})  #! JAX203
        return x


@jax.jit
def logged(x):
    RESULTS.put(x * 2)  #! JAX203
    return x


@jax.jit
def ordered(x):
    heapq.heappush(HEAP, (len(HEAP), x * 2))  #! JAX203
    return x


Logger().compiled(1.0)
logged(1.0)
ordered(1.0)
print(RESULTS.get() + 1, HEAP[0][1] + 1)

# %% queues and heaps that a trace makes itself, and those that are filled outside of traces
import collections
import heapq
import queue

import jax
import jax.numpy as jnp

RESULTS = queue.Queue()


@jax.jit
def summed(x):
    own = collections.deque()
    for part in (x, 2 * x):
        own.append(part)
    waiting = queue.Queue()
    waiting.put(x)
    heap = []
    heapq.heappush(heap, (0, x))
    return own.popleft() + own.popleft() + waiting.get() + heapq.heappop(heap)[1]


for number in range(3):
    RESULTS.put(summed(jnp.float32(number)))
print([RESULTS.get() for _ in range(3)])

# %% raises-elsewhere what a mapped, scanned or compiled function computes of a variable of a gradient that it closes over
import jax
import jax.numpy as jnp


class Fit:
    def __init__(self):
        self.terms = {}
        self.last = None

    def predict(self, params, t):
        return jnp.sum(params["a"] * jnp.sin(params["w"] * t))

    def loss(self, params, ts):
        u = lambda t: self.predict(params, t)
        residual = jax.vmap(lambda t: jax.grad(jax.grad(u))(t) + u(t))(ts)
        physics = jnp.mean(residual**2)
        self.terms = {"physics": physics}  #! JAX203
        return physics

    def scanned(self, scale, xs):
        _, found = jax.lax.scan(lambda carry, x: (carry, scale * x), 0.0, xs)
        self.last = found  #! JAX203
        return found.sum()

    def compiled(self, scale, xs):
        found = jax.jit(lambda x: scale * x)(xs)
        self.last = found  #! JAX203
        return found.sum()


fit = Fit()
params = {"a": jnp.ones(2), "w": jnp.arange(2.0)}
print(jax.grad(fit.loss)(params, jnp.linspace(0.0, 1.0, 4)))
print(jax.grad(fit.scanned)(2.0, jnp.ones(3)), jax.grad(fit.compiled)(2.0, jnp.ones(3)))
print(fit.last + 1, fit.terms["physics"] + 1)

# %% mapped functions that close over nothing of the gradient around
import jax
import jax.numpy as jnp


class Data:
    def __init__(self):
        self.scale = 2.0
        self.last = None

    def loss(self, w, xs):
        found = jax.vmap(lambda x: self.scale * x)(xs)
        self.last = found
        _, again = jax.lax.scan(lambda carry, x: (carry, x + 1), 0.0, xs)
        self.last = again
        return w * found.sum()


data = Data()
print(jax.grad(data.loss)(1.0, jnp.ones(3)), data.last + 1)

# %% raises-elsewhere attributes of frozen records, and of objects whose class is asked to set them
import dataclasses

import jax


@dataclasses.dataclass(frozen=True)
class Kernel:
    scale: float
    cache: object = None

    def gram(self, x):
        gram = self.scale * x
        object.__setattr__(self, "cache", gram)  #! JAX203
        return gram


class Plain:
    def __init__(self):
        self.cache = None

    def gram(self, x):
        gram = 2.0 * x
        super().__setattr__("cache", gram)  #! JAX203
        return gram


kernel, plain = Kernel(2.0), Plain()
print(jax.jit(lambda x: kernel.gram(x) + plain.gram(x))(1.0))
print(kernel.cache + 1, plain.cache + 1)

# %% frozen records that are made in the trace, or that are filled outside
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Kernel:
    scale: jax.Array
    double: object = None

    def __post_init__(self):
        object.__setattr__(self, "double", 2 * self.scale)

    def gram(self, x):
        return self.double * x


@jax.jit
def gram(scale, x):
    return Kernel(scale).gram(x)


kernel = Kernel(jnp.ones(2))
object.__setattr__(kernel, "double", jnp.zeros(2))
print(gram(2.0, 1.0), jax.jit(kernel.gram)(1.0))

# %% a class that becomes the class of the object that it derives from
import jax


class Adds:
    def total(self, x):
        return x + self.bias


def adopt(obj):
    class Adopted(obj.__class__, Adds):
        def total(self, x):
            return super().total(2 * x)

    obj.__class__ = Adopted
    return obj


class Net:
    def __init__(self):
        self.bias = 1.0


net = adopt(Net())
step = jax.jit(lambda x: net.total(x))
print(step(1.0))

# %% shown on purpose: the error that comes of it is expected later in the file
import jax
import jax.numpy as jnp

leaked = []


@jax.jit
def keep(x):
    leaked.append(x)
    return x


keep(1.0)
try:
    jnp.sin(leaked[0])
except jax.errors.UnexpectedTracerError:
    print("the tracer has escaped")

# %% each trace sets the attribute before it does anything else, and nothing outside of it reads it
import jax
import jax.numpy as jnp


class Router:
    def block(self, x):
        self.losses.append(x.mean())
        return x

    def __call__(self, x):
        self.losses = []
        for _ in range(2):
            x = self.block(x)
        return x, sum(self.losses)


class Layer:
    def __init__(self):
        self.width = 2

    def helper(self):
        return self.hidden * 2 + self.rest

    def __call__(self, x):
        width = self.width
        if width > 1:
            self.hidden, self.rest = x, x + width
        else:
            self.hidden = self.rest = x * x
        return self.helper()


def loss(model, x):
    model.terms = []
    return model.run(x) + sum(model.terms)


class Model:
    def run(self, x):
        self.terms.append(x)
        return x


router, layer, model = Router(), Layer(), Model()
route, apply = jax.jit(router), jax.jit(layer)
print(route(jnp.ones(2)), route(jnp.ones(2)), apply(1.0), apply(2.0))
print(jax.jit(lambda x: jax.grad(lambda x: loss(model, x))(x))(1.0))

# %% norun the same, where the last trace's is read, or code outside of the trace reads it, or nothing does
import jax


class Carried:
    def __init__(self):
        self.last = 0.0

    def __call__(self, x):
        y = self.last + x
        self.last = y  #! JAX203
        return y


class Shown:
    def __call__(self, x):
        self.shown = x  #! JAX203
        return x


class Stored:
    def __call__(self, x):
        self.stored = x  #! JAX203
        return x


jax.jit(Carried())(1.0)
shown = Shown()
jax.jit(shown)(1.0)
print(shown.shown)
jax.jit(Stored())(1.0)

# %% type(x) says what x is, as isinstance does: of None, of numbers, of several
from types import NoneType as Nothing

import jax
import jax.numpy as jnp

NoneType = type(None)


class Equation:
    def __init__(self, field):
        self.fields = {"velocity": [field]}

    def step(self, field=None):
        old = self.fields["velocity"][-1] if type(field) == NoneType else field
        new = old * 0.5
        if type(field) == NoneType:
            self.fields["velocity"][-1] = new
        if type(field) is Nothing:
            self.last = new
        if isinstance(field, type(None)):
            self.first = new
        return new

    def solve(self):
        return jax.lax.scan(lambda field, _: (self.step(field), None), self.fields["velocity"][-1], length=3)


@jax.jit
def scaled(x):
    if type(x) in (int, float):
        return float(x)
    if type(x) is not float:
        return x * 2.0
    return float(x)


equation = Equation(jnp.ones(2))
equation.step()
print(equation.solve(), scaled(1.0))

# %% raises-elsewhere the same where it is a tracer
import jax
import jax.numpy as jnp

NoneType = type(None)
kept = {}


@jax.jit
def step(x):
    if type(x) != NoneType:
        kept["x"] = x  #! JAX203
    return x


step(jnp.ones(2))
print(kept["x"] + 1)

# %% a text of a tracer is a text, which can be read at any time
import jax
import jax.numpy as jnp

names = []


class Model:
    def __init__(self):
        self.said = ""
        self.lines = []

    def loss(self, x):
        self.said = f"input {x}"
        self.lines = self.lines + ["%s at %s" % (x, x.shape)]
        return x**2


def solve(low):
    names.append("low=%s" % (low,))
    names.append("low={}".format(low))
    names.append(f"low={low}")
    names.append(str(low) + "!")
    names.append(repr(low))
    return low * 2


@jax.jit
def logged(x):
    names.append(f"value {x}")  #! JAX201
    return x * 2


model = Model()
print(jax.vmap(solve)(jnp.arange(3.0)), jax.grad(model.loss)(2.0), logged(1.0))
print(names, model.said, model.lines)

# %% objects that a function makes for one call that traces, and reads no more after it
import dataclasses
from functools import partial

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    v: jax.Array
    i: jax.Array


def scaled(state, weight):
    state.i = state.i * weight
    return jnp.sum(state.i)


def gradient():
    state = State(jnp.zeros(3), jnp.ones(3))
    assert jax.grad(partial(scaled, state))(1.0) == 3.0
    state = State(jnp.zeros(3), jnp.full(3, 2.0))
    return jax.grad(partial(scaled, state))(1.0)


def closed_over():
    state = State(jnp.zeros(3), jnp.ones(3))

    def loss(weight):
        state.i = state.i * weight
        return jnp.sum(state.i)

    return jax.value_and_grad(loss)(jnp.array(1.0))


print(gradient(), closed_over())

# %% raises-elsewhere such objects where something reads them after the call
import dataclasses
from functools import partial

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    v: jax.Array
    i: jax.Array


def scaled(state, weight):
    state.i = state.i * weight  #! JAX203
    return jnp.sum(state.i)


def twice(state, weight):
    state.i = state.i * weight  #! JAX203
    return jnp.sum(state.i)


def is_read_later():
    state = State(jnp.zeros(3), jnp.ones(3))
    slope = jax.grad(partial(scaled, state))(1.0)
    return slope, state.i


def is_called_again():
    state = State(jnp.zeros(3), jnp.ones(3))

    def loss(weight):
        state.i = state.i * weight  #! JAX203
        return jnp.sum(state.i)

    return jax.grad(loss)(1.0), jax.jit(jax.grad(loss))(2.0)


def is_made_before_a_loop():
    state = State(jnp.zeros(3), jnp.ones(3))
    return [jax.grad(partial(twice, state))(1.0) for _ in range(2)]


def is_kept(states):
    state = State(jnp.zeros(3), jnp.ones(3))
    states.append(state)

    def loss(weight):
        state.i = state.i * weight  #! JAX203
        return jnp.sum(state.i)

    return jax.grad(loss)(1.0)


def is_given_back():
    state = State(jnp.zeros(3), jnp.ones(3))

    def loss(weight):
        state.i = state.i * weight  #! JAX203
        return jnp.sum(state.i)

    jax.grad(loss)(1.0)
    return state


states = []
is_kept(states)
is_read_later()
is_given_back()
print(states[0].i + 1.0)

# %% raises-elsewhere a record that JAX takes apart holds tracers where its leaves are some
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Carry:
    h: jax.Array
    size: int = dataclasses.field(default=0, metadata=dict(static=True))


class Model:
    def __init__(self):
        self.log = []

    def unroll(self, p, carry, xs):
        carry = Carry(carry.h + p * xs.sum())
        self.log.append((carry, 1))  #! JAX203
        self.changed = dataclasses.replace(carry, h=carry.h * 2)  #! JAX203
        self.carry = carry  #! JAX203
        return carry.h


model = Model()
jax.jit(lambda p, carry, xs: model.unroll(p, carry, xs))(1.0, Carry(0.0), jnp.ones(3))
print(model.carry.h + 1)

# %% ... and none where they are constants, or static data
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Carry:
    h: jax.Array | None
    size: int = dataclasses.field(default=0, metadata=dict(static=True))


class Model:
    def unroll(self, xs):
        self.empty = Carry(None, xs.shape[0])
        return xs * 2


model = Model()
jax.jit(lambda xs: model.unroll(xs))(jnp.ones(3))
print(model.empty.size + 1)

# %% attributes that are saved, replaced and put back by `__dict__`
import jax
import jax.numpy as jnp


class Net:
    def __init__(self):
        self.w = jnp.ones(2)

    def functional(self, params, x):
        saved = dict(self.__dict__)
        self.__dict__.update(params)
        try:
            return self.w * x
        finally:
            self.__dict__ = saved

    def one(self, w, x):
        saved = self.__dict__.copy()
        self.w = w
        y = self.w * x
        self.__dict__ = saved
        return y

    def unpacked(self, w, x):
        saved = {**vars(self)}
        self.w = w
        y = self.w * x
        self.__dict__ = saved
        return y


net = Net()
print(jax.jit(net.functional)({"w": jnp.zeros(2)}, 1.0), net.w)
print(jax.jit(net.one)(jnp.zeros(2), 1.0), jax.jit(net.unpacked)(jnp.zeros(2), 1.0), net.w)

# %% raises-elsewhere ... or left there
import jax
import jax.numpy as jnp


class Net:
    def __init__(self):
        self.w = jnp.ones(2)

    def functional(self, w, x):
        self.__dict__ = {"w": w}  #! JAX203
        return self.w * x


net = Net()
print(jax.jit(net.functional)(jnp.zeros(2), 1.0))
print(net.w + 1)

# %% raises-elsewhere a dict that loses another key than the one that it got
import jax

TABLE = {"old": 1.0}


@jax.jit
def step(x):
    TABLE["new"] = x * 2  #! JAX203
    TABLE.pop("old", None)  #! JAX201
    return x


print(step(1.0))
print(TABLE["new"] + 1)

# %% raises-elsewhere a copy of a dict does not take back what was added
import jax

TABLE = {"old": 1.0}


@jax.jit
def step(x):
    saved = dict(TABLE)
    TABLE["new"] = x * 2  #! JAX203
    TABLE.update(saved)
    return x


print(step(1.0))
print(TABLE["new"] + 1)

# %% raises-elsewhere a copy that is made too late
import jax

TABLE = {"w": 1.0}


@jax.jit
def step(x):
    TABLE["w"] = x * 2  #! JAX203
    saved = dict(TABLE)
    TABLE.update(saved)
    return x


print(step(1.0))
print(TABLE["w"] + 1)

# %% a list that a dict has before it is filled and taken out
import jax

TABLE = {"h": []}


@jax.jit
def step(x):
    TABLE["h"].append(x)
    return sum(TABLE.pop("h"))  #! JAX201


print(step(1.0))

# %% what `ExitStack.callback` takes back where the stack is left
from contextlib import ExitStack

import jax

CURRENT = []
TABLE = {}
COUNT = 0


class Settings:
    v = None


class Level:
    def __init__(self):
        self.depth = 0
        self.value = None

    def up(self):
        self.depth += 1

    def down(self):
        self.depth -= 1

    def run(self, x):
        with ExitStack() as stack:
            self.up()
            stack.callback(self.down)
            old, self.value = self.value, x
            stack.callback(setattr, self, "value", old)
            return self.value * 2


settings = Settings()


@jax.jit
def by_method(x):
    with ExitStack() as stack:
        CURRENT.append(x)
        stack.callback(CURRENT.pop)
        return CURRENT[-1] * 2


@jax.jit
def by_setattr(x):
    with ExitStack() as stack:
        settings.v = x
        stack.callback(setattr, settings, "v", None)
        return settings.v * 2


@jax.jit
def by_lambda(x):
    stack = ExitStack()
    with stack:
        TABLE["x"] = x
        stack.callback(lambda: TABLE.pop("x"))
        return TABLE["x"] * 2


@jax.jit
def by_function(x):
    global COUNT
    with ExitStack() as stack:
        COUNT += 1

        @stack.callback
        def down():
            global COUNT
            COUNT -= 1

        return x * 2


@jax.jit
def by_close(x):
    stack = ExitStack()
    CURRENT.append(x)
    stack.callback(CURRENT.pop)
    y = CURRENT[-1] * 2
    stack.close()
    return y


@jax.jit
def by_names(x):
    with ExitStack() as stack:
        for name in ("a", "b"):
            TABLE[name] = x
            stack.callback(TABLE.pop, name, None)
        return TABLE["a"] + TABLE["b"]


level = Level()
print(by_method(1.0), by_setattr(1.0), by_lambda(1.0), by_function(1.0), by_close(1.0), by_names(1.0))
print(jax.jit(level.run)(1.0), level.depth, level.value, CURRENT, TABLE, COUNT)

# %% raises-elsewhere ... or leaves there
from contextlib import ExitStack

import jax

CURRENT = []
SEEN = []


@jax.jit
def step(x):
    with ExitStack() as stack:
        CURRENT.append(x)  #! JAX203
        stack.callback(SEEN.append, x)  #! JAX203
        return CURRENT[-1] * 2


step(1.0)
print(CURRENT[0] + 1)

# %% raises-elsewhere what is appended behind the yield of a context manager stays
from contextlib import contextmanager

import jax
import jax.numpy as jnp

NORMS = []


@contextmanager
def watched(x):
    yield
    NORMS.append(jnp.linalg.norm(x))  #! JAX203


@jax.jit
def block(x):
    with watched(x):
        return x + 1


block(jnp.ones(3))
print(NORMS[0] + 1)

# %% raises-elsewhere what __exit__ hands to a list stays, and what it keeps in an attribute
import jax
import jax.numpy as jnp

TAPES = []


class Last:
    value = None


class Tape:
    def __enter__(self):
        self.items = []
        return self

    def __exit__(self, *exc):
        self.keep()
        Last.value = self.items[-1]  #! JAX203

    def keep(self):
        TAPES.append(self.items)  #! JAX203


@jax.jit
def block(x):
    with Tape() as tape:
        tape.items.append(x * 2)
    return x


block(jnp.ones(3))
print(Last.value + 1)

# %% each trace calls what sets the attribute before it calls what reads it, and nothing else does
import jax
class Model:
    def f(self):
        return self.E
    def set_params(self, E):
        self.E = E
model = Model()
@jax.jit
def energy(E):
    model.set_params(E)
    return model.f()
print(energy(10.0), jax.grad(energy)(10.0), energy(20.0))

# %% the same by functions around both, under `grad`
import jax, jax.numpy as jnp
class Model:
    def f(self):
        return self.E
    def set_params(self, E):
        self.E = E
model = Model()
def prepare(E):
    model.set_params(E)
def value(x):
    return model.f() * x
@jax.jit
def energy(E):
    prepare(E)
    return jax.grad(value)(E) + value(E)
print(energy(10.0), jax.grad(energy)(10.0), energy(20.0), jax.vmap(energy)(jnp.ones(2)))

# %% the same by methods of the object
import jax, jax.numpy as jnp
class Model:
    def f(self):
        return self.E
    def set_params(self, E):
        self.E = E
    def energy(self, E):
        self.set_params(E)
        return self.f() + self.E
model = Model()
e = jax.jit(model.energy)
print(e(10.0), jax.grad(e)(10.0), e(jnp.ones(2)))

# %% the same by a function, and in a block
import jax, jax.numpy as jnp
class Model:
    def f(self):
        return self.E
def configure(m, E):
    m.E = E
model = Model()
@jax.jit
def energy(E):
    configure(model, E)
    with jax.named_scope("x"):
        return model.f()
print(energy(10.0), jax.grad(energy)(10.0), energy(jnp.ones(2)))

# %% the same in the body of a loop
import jax, jax.numpy as jnp
class Model:
    def f(self):
        return self.E
    def set_params(self, E):
        self.E = E
model = Model()
def body(c, x):
    model.set_params(c)
    return c + model.f(), x
@jax.jit
def energy(E):
    y, _ = jax.lax.scan(body, E, None, length=2)
    return y
print(energy(10.0), jax.grad(energy)(1.0), energy(jnp.ones(2)))

# %% raises-elsewhere the same, where code outside of the trace calls what reads it
import jax
class Model:
    def f(self):
        return self.E
    def set_params(self, E):
        self.E = E  #! JAX203
model = Model()
@jax.jit
def energy(E):
    model.set_params(E)
    return model.f()
print(energy(10.0))
print(model.f() + 1)

# %% raises-elsewhere the same, where a trace reads it before it sets it
import jax, jax.numpy as jnp
class Model:
    E = 0.
    def f(self):
        return self.E
    def set_params(self, E):
        self.E = E  #! JAX203
model = Model()
@jax.jit
def energy(E):
    last = model.f()
    model.set_params(E)
    return model.f() + last
print(energy(10.0))
print(energy(jnp.ones(3)))

# %% raises-elsewhere the same, where another trace reads it
import jax, jax.numpy as jnp
class Model:
    E = 0.
    def f(self):
        return self.E
    def set_params(self, E):
        self.E = E  #! JAX203
model = Model()
@jax.jit
def energy(E):
    model.set_params(E)
    return model.f()
@jax.jit
def other(x):
    return x + model.f()
print(energy(10.0))
print(other(10.0))

# %% raises-elsewhere the same, where a trace inside of the trace sets it, too
import jax, jax.numpy as jnp
class Model:
    E = 0.
    def f(self):
        return self.E
    def set_params(self, E):
        self.E = E  #! JAX203
model = Model()
def inner(e):
    model.set_params(e)
    return model.f()
@jax.jit
def energy(E):
    model.set_params(E)
    g = jax.grad(inner)(E)
    return g + model.f()
print(energy(10.0))

# %% raises-elsewhere the same, where a compiled function inside of the trace sets it, too
import jax, jax.numpy as jnp
class Model:
    E = 0.
    def f(self):
        return self.E
    def set_params(self, E):
        self.E = E  #! JAX203
model = Model()
@jax.jit
def inner(e):
    model.set_params(e)
    return model.f()
@jax.jit
def energy(E):
    model.set_params(E)
    g = inner(E)
    return g + model.f()
print(energy(10.0))

# %% raises-elsewhere the same, where a compiled function, whose trace is kept, reads it
import jax, jax.numpy as jnp
class A:
    def __init__(self):
        self.f = jax.jit(self.get)
    def get(self):
        return self.E * 2
    def set_params(self, E):
        self.E = E  #! JAX203
a = A()
@jax.jit
def energy(E):
    a.set_params(E)
    return a.f()
print(energy(10.0))
print(energy(jnp.ones(3)))

# %% raises-elsewhere the same, where the call that sets it is under a test
import jax, jax.numpy as jnp
class Model:
    E = 0.
    def f(self):
        return self.E
    def set_params(self, E):
        self.E = E  #! JAX203
model = Model()
@jax.jit
def energy(E):
    if E.ndim == 0:
        model.set_params(E)
    return model.f() + E
print(energy(10.0))
print(energy(jnp.ones(3)))

# %% raises-elsewhere the same, where the trace around the loop reads it
import jax, jax.numpy as jnp
class Model:
    def f(self):
        return self.E
    def set_params(self, E):
        self.E = E  #! JAX203
model = Model()
def body(c, x):
    model.set_params(c)
    return c + model.f(), x
@jax.jit
def energy(E):
    y, _ = jax.lax.scan(body, E, None, length=2)
    return y + model.f()
print(energy(10.0))

# %% the same, where objects of another class have such an attribute, which is read outside of traces
import jax


class Other:
    def __init__(self):
        self.E = 1.0

    def f(self):
        return self.E


class Model:
    def f(self):
        return self.E

    def set_params(self, E):
        self.E = E


model = Model()


@jax.jit
def energy(E):
    model.set_params(E)
    return model.f()


other = Other()
print(energy(10.0), jax.grad(energy)(10.0), other.f(), other.E)

# %% raises-elsewhere the same, where an object of a class that derives from it is read
import jax


class Model:
    def f(self):
        return self.E

    def set_params(self, E):
        self.E = E  #! JAX203


class Own(Model):
    def shown(self):
        return self.E


model = Own()


@jax.jit
def energy(E):
    model.set_params(E)
    return model.f()


print(energy(10.0), jax.grad(energy)(10.0))
print(model.shown() + 1)

# %% raises-elsewhere: a table that is asked by `get`, of which the answer is compared with None
import jax
import jax.numpy as jnp

_TABLES = {}


def table(n):
    t = _TABLES.get(n)
    if t is None:
        t = jnp.arange(n) * 2.0
        _TABLES[n] = t  #! JAX203
    return t


@jax.jit
def f(x):
    return x * table(3)


@jax.jit
def g(x):
    return x + table(3)


f(1.0)
print(g(1.0))

# %% raises-elsewhere: ... in an object, which gives back at once what it has
import jax
import jax.numpy as jnp


class Rotary:
    def __init__(self):
        self.cache = {}

    def freqs(self, n):
        hit = self.cache.get(n, None)
        if hit is not None:
            return hit
        self.cache[n] = 1.0 / jnp.arange(1, n + 1)  #! JAX203
        return self.cache[n]


rotary = Rotary()
jax.jit(lambda x: x * rotary.freqs(x.shape[0]))(jnp.ones(3))
print(rotary.freqs(3) + 1)

# %% ... where the table is filled before a trace asks, keeps what NumPy makes, or is the trace's own
import jax
import jax.numpy as jnp
import numpy as np

_FIRST = {}
_PLAIN = {}


def first(n):
    t = _FIRST.get(n)
    if t is None:
        t = jnp.arange(n) * 2.0
        _FIRST[n] = t
    return t


def plain(n):
    t = _PLAIN.get(n)
    if t is None:
        t = _PLAIN[n] = np.arange(n) * 2.0
    return t


@jax.jit
def f(x):
    own = {}
    for n in (3, 3):
        t = own.get(n)
        if t is None:
            t = own[n] = x * n
        x = x + t
    return x * first(3) * plain(3)


first(3)
f(jnp.ones(3))
f(jnp.ones((2, 3)))

# %% raises-elsewhere: a subclass of dict keeps what it makes for what it lacks
import jax
import jax.numpy as jnp


class Tables(dict):
    def __missing__(self, size):
        self[size] = jnp.arange(size) * 2.0  #! JAX203
        return self[size]


TABLES = Tables()


@jax.jit
def scale(x):
    return x * TABLES[3]


scale(1.0)
print(TABLES[3] + 1)

# %% ... of numbers
import jax
import numpy as np


class Tables(dict):
    def __missing__(self, size):
        self[size] = np.arange(size) * 2.0
        return self[size]


TABLES = Tables()


@jax.jit
def scale(x):
    return x * TABLES[3]


scale(1.0)
TABLES[3] + 1

# %% a container that a function makes for one trace, and that nothing reads once the trace is over
import jax
import jax.numpy as jnp


class Tracer:
    def __call__(self, param_map, particles, x):
        param_map = param_map.copy()

        def single(pwise):
            param_map.update(pwise)
            return param_map["w"] * x + param_map["b"]

        return jax.vmap(single)(particles)


def loss(params, x):
    seen = []
    state = {"w": 1.0}

    def inner(w):
        seen.append(w * x)
        state["w"] = w
        return sum(seen) + state["w"]

    value, gradient = jax.value_and_grad(inner)(params)
    return value + gradient


@jax.jit
def both(params, particles, x):
    return Tracer()(params, particles, x), loss(2.0, x)


print(both({"w": 1.0}, {"b": jnp.arange(3.0)}, 2.0))
print(Tracer()({"w": 1.0}, {"b": jnp.arange(3.0)}, 2.0), loss(2.0, 1.0))

# %% raises-elsewhere ... but one that is read later
import jax
import jax.numpy as jnp


def total(particles, x):
    seen = []

    def single(p):
        seen.append(p * x)  #! JAX203
        return p

    jax.vmap(single)(particles)
    return seen[0] + 1.0


total(jnp.arange(3.0), 2.0)

# %% raises-elsewhere ... in the next turn of a loop
import jax
import jax.numpy as jnp


def total(particles, x):
    seen = []
    for scale in (1.0, 2.0):
        jax.vmap(lambda p: seen.append(p * scale) or sum(seen))(particles)  #! JAX203


total(jnp.arange(3.0), 2.0)

# %% norun: ... by who is handed it, or through what holds it
import jax
import jax.numpy as jnp

kept = []


def keep(box):
    kept.append(box)


def handed(particles):
    seen = []
    keep(seen)
    jax.vmap(lambda p: seen.append(p) or p)(particles)  #! JAX203


def held(particles):
    table = {"seen": []}
    seen = table["seen"]
    jax.vmap(lambda p: seen.append(p) or p)(particles)  #! JAX203
    return table


def given(particles, seen):
    jax.vmap(lambda p: seen.append(p) or p)(particles)  #! JAX203


def through(particles):
    seen = []
    also = seen
    jax.vmap(lambda p: seen.append(p) or p)(particles)  #! JAX203
    return also


def returned(particles):
    seen = []
    result = jax.vmap(lambda p: seen.append(p) or p)(particles)  #! JAX203
    return result, seen


mine = []
handed(jnp.ones(3))
given(jnp.ones(3), mine)
print(kept, mine, held(jnp.ones(3)), through(jnp.ones(3)), returned(jnp.ones(3)))

# %% a dict that pmap is given cannot be static, whichever arguments are
from functools import partial

import jax
import jax.numpy as jnp


def train(batches, names):
    @partial(jax.pmap, static_broadcasted_argnums=tuple(range(2, 2 + len(names))))
    def update(params, batch, *names):
        params["w"] = params["w"] - batch
        return params

    params = jax.tree.map(lambda x: x[None], {"w": jnp.ones(3)})
    for batch in batches:
        params = update(params, batch, *names)
    return params


print(train([jnp.ones((1, 3))], ("a",)))

# %% raises-elsewhere memoised function asked in two traces for the same part of a shape
import functools

import jax
import jax.numpy as jnp


@functools.lru_cache
def positions(n):
    return jnp.arange(n) * 2.0


@jax.jit
def encode(x):
    return x + positions(x.shape[0])  #! JAX203


@jax.jit
def decode(x):
    return x - positions(x.shape[0])


print(decode(encode(jnp.ones(3))))

# %% raises-elsewhere memoised function asked in the body of a scan, and behind it
import functools

import jax
import jax.numpy as jnp
from jax import lax


@functools.lru_cache
def table(n):
    return jnp.arange(n) * 2.0


@jax.jit
def total(xs):
    def body(carry, x):
        return carry + x * table(3).sum(), None  #! JAX203

    carry, _ = lax.scan(body, 0.0, xs)
    return carry + table(3).sum()


print(total(jnp.ones(3)))

# %% memoised function asked before a scan and in its body, by one trace for its shape, or before all traces
import functools

import jax
import jax.numpy as jnp
from jax import lax


@functools.lru_cache
def table(n):
    return jnp.arange(n) * 2.0


@functools.lru_cache
def positions(n):
    return jnp.arange(n) * 3.0


@functools.lru_cache
def places(n):
    return jnp.arange(n) * 4.0


@jax.jit
def total(xs):
    scale = table(3).sum()

    def body(carry, x):
        return carry + x * table(3).sum(), None

    carry, _ = lax.scan(body, 0.0, xs)
    return carry * scale + positions(xs.shape[0]).sum() + positions(xs.shape[0])[0]


@jax.jit
def encode(x):
    return x + places(x.shape[0])


@jax.jit
def decode(x):
    return x - places(x.shape[0])


places(3)
print(total(jnp.ones(3)), decode(encode(jnp.ones(3))))

# %% raises-elsewhere variables of a collection are given what the trace has as an argument, and nothing puts the originals back
import jax
import jax.numpy as jnp


class Var:
    def __init__(self, value):
        self._value = value

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, tensor):
        self._value = tensor  #! JAX203


class Module:
    def vars(self):
        found = []
        for v in self.__dict__.values():
            if isinstance(v, Var):
                found.append(v)
            elif isinstance(v, Module):
                found.extend(v.vars())
        return found


class Jit:
    def __init__(self, f, vc):
        self.vc = vc

        def jit(tensors, *args):
            original = [v.value for v in self.vc]
            try:
                assign(self.vc, tensors)
                return f(*args)
            finally:
                pass

        self._call = jax.jit(jit)

    def __call__(self, *args):
        return self._call([v.value for v in self.vc], *args)


def assign(variables, tensors):
    for v, t in zip(variables, tensors):
        v.value = t


class Momentum(Module):
    def __init__(self):
        self.m = Var(jnp.zeros(3))

    def __call__(self, g):
        self.m.value = g + 0.9 * self.m.value
        return self.m.value


class Scale(Module):
    def __init__(self):
        self.w = Var(jnp.ones(3))

    def __call__(self, x):
        return self.w.value * x


def train():
    net = Scale()
    opt = Momentum()

    def loss(x):
        return net(x).sum()

    def train_op(x):
        return opt(2.0 * x).sum() + loss(x)

    train_op = Jit(train_op, net.vars() + opt.vars())
    train_op(jnp.ones(3))
    return opt


print(train().m.value + 1.0)

# %% stack of objects with keys: the key that is split is that of the object that the trace has pushed last
import jax


class Context:
    def __init__(self, key, stack):
        self.key = key
        self.stack = stack

    def next_key(self):
        self.key, new = jax.random.split(self.key)
        return new

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.stack.remove(self)


class Contexts:
    def __init__(self):
        self.stack = []

    def new(self, key):
        made = Context(key, self.stack)
        self.stack.append(made)
        return made


CONTEXTS = Contexts()


def transform(f):
    def apply(key):
        with CONTEXTS.new(key):
            return f()

    return apply


def sample(key):
    return transform(lambda: jax.random.uniform(CONTEXTS.stack[-1].next_key()))(key)


def accepted(key):
    def body(carry):
        key, sample_key = jax.random.split(carry[0])
        return key, sample(sample_key)

    key, sample_key = jax.random.split(key)
    return jax.lax.while_loop(lambda carry: carry[1] < 0.5, body, (key, sample(sample_key)))


print(jax.vmap(accepted)(jax.random.split(jax.random.key(0), 3)))
print(sample(jax.random.key(1)))

# %% raises-elsewhere: stack of objects: the trace writes to one that was pushed before it
import jax
import jax.numpy as jnp


class Level:
    def __init__(self, scale):
        self.scale = scale
        self.last = None


LEVELS = [Level(1.0)]


@jax.jit
def inner(x):
    LEVELS.append(Level(2.0))
    y = x * LEVELS[-1].scale
    LEVELS.pop()
    LEVELS[-1].last = y  #! JAX203
    return y


print(inner(jnp.ones(3)))
print(LEVELS[0].last + 1)

# %% raises-elsewhere: an object of the class of those in a stack, which does not lie there
import jax
import jax.numpy as jnp


class Level:
    def __init__(self, scale):
        self.scale = scale
        self.last = None


LEVELS = [Level(1.0)]
OTHER = Level(3.0)


@jax.jit
def inner(x):
    LEVELS.append(Level(2.0))
    OTHER.last = x * LEVELS[-1].scale  #! JAX203
    LEVELS.pop()
    return x


print(inner(jnp.ones(3)))
print(OTHER.last + 1)

# %% each trace sets the attribute before a loop whose body is made there reads it
import jax
import jax.numpy as jnp
from jax import lax


class Solver:
    def initialize(self, a):
        self.norm = jnp.linalg.norm(a)
        return jnp.zeros(2)

    def step(self, x):
        return x + self.norm

    def repeat(self, i, x):
        return self.step(x)

    def optimize(self, a):
        x = self.initialize(a)
        x = lax.fori_loop(0, 10, lambda i, x: self.step(x), x)
        x = lax.fori_loop(0, 10, self.repeat, x)

        def body(x, _):
            return self.step(x), None

        return lax.scan(body, x, None, length=3)[0]


jitted = jax.jit(Solver().optimize)
print(jitted(jnp.eye(2)), jitted(jnp.ones(3)))

# %% raises-elsewhere a loop of a function that all traces share keeps what the first one has set
import jax
import jax.numpy as jnp
from jax import lax


class Solver:
    def initialize(self, a):
        self.norm = jnp.linalg.norm(a)  #! JAX203
        return jnp.zeros(2)

    def step(self, x):
        return x + self.norm


solver = Solver()


def body(x, _):
    return solver.step(x), None


def optimize(a):
    x = solver.initialize(a)
    return lax.scan(body, x, None, length=3)[0]


jitted = jax.jit(optimize)
print(jitted(jnp.eye(2)))
print(jitted(jnp.ones(3)))

# %% raises-elsewhere a function that the first trace makes and keeps has what that trace has set
import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.kept = None

    def prepare(self, scale):
        self.scale = scale  #! JAX203

    def run(self, x, scale):
        self.prepare(scale)

        def inner(carry):
            return carry * self.scale

        if self.kept is None:
            self.kept = jax.jit(inner)
        return self.kept(x)


run = jax.jit(Model().run)
print(run(jnp.ones(2), 3.0))
print(run(jnp.ones(2), 3))
