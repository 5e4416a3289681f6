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
