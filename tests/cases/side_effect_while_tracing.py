

# %% global counter: counts traces, not calls
import jax

n_calls = 0


@jax.jit
def step(x):
    global n_calls
    n_calls += 1  #! JAX201
    return x * 0.9


for _ in range(3):
    step(1.0)
print("calls", n_calls)

# %% list outside: a message is appended once, however often the step runs
from functools import partial

import jax
import jax.numpy as jnp

events = []


@partial(jax.jit, static_argnames="phase")
def update(w, phase):
    events.append(phase)  #! JAX201
    return w - 0.1 * jnp.sign(w)


w = jnp.ones(2)
for _ in range(3):
    w = update(w, phase="warmup")
print(events)

# %% iterator in a loop body: next() is drawn once, when fori_loop traces its body
import jax
from jax import lax

weights = iter([0.5, 0.25, 0.125, 0.0625])
total = lax.fori_loop(0, 4, lambda i, acc: acc + next(weights), 0.0)  #! JAX201
print(total)

# %% tally in a dict: the entry is raised at trace time only
import jax

stats = {"calls": 0, "skipped": 0}


def normalise(x):
    stats["calls"] += 1  #! JAX201
    return x / x.sum()


normalise_fast = jax.jit(normalise)
for _ in range(4):
    normalise_fast(jax.numpy.arange(3.0))
print(stats)

# %% nonlocal in a factory: the counter of the closure stands still after the first call
import jax


def make_step(lr):
    count = 0

    def step(w, g):
        nonlocal count
        count = count + 1  #! JAX201
        return w - lr * g

    return jax.jit(step), lambda: count


step, steps_taken = make_step(0.1)
for _ in range(5):
    step(1.0, 2.0)
print(steps_taken())

# %% attribute of self: the static object is written while its method is traced
from functools import partial

import jax
import jax.numpy as jnp


class Solver:
    def __init__(self, tol):
        self.tol = tol
        self.evaluations = 0

    @partial(jax.jit, static_argnums=0)
    def residual(self, x):
        self.evaluations += 1  #! JAX201
        return jnp.cos(x) - x * (1.0 - self.tol)


solver = Solver(1e-6)
for _ in range(3):
    solver.residual(0.5)
print(solver.evaluations)

# %% a counter on the class counts traces, not calls
import jax


class Telemetry:
    calls = 0


@jax.jit
def loss(w, x):
    Telemetry.calls += 1  #! JAX201
    return ((w * x) ** 2).mean()


loss(1.0, jax.numpy.ones(3))
loss(2.0, jax.numpy.ones(3))
print(Telemetry.calls)

# %% logging a traced value: the record is made once and shows a tracer
import logging

import jax

logger = logging.getLogger(__name__)


@jax.jit
def train_step(w, batch):
    loss = ((w - batch) ** 2).mean()
    logger.info("loss %s", loss)  #! JAX201
    return w - 0.1 * loss


for _ in range(3):
    train_step(1.0, jax.numpy.ones(2))

# %% file written under scan: one line for the whole loop
import io

import jax
import jax.numpy as jnp

report = io.StringIO()


def body(carry, x):
    report.write("step\n")  #! JAX201
    return carry + x, carry


jax.lax.scan(body, 0.0, jnp.arange(4.0))
print(len(report.getvalue().splitlines()))

# %% file opened while tracing: the log gets its line from the first call only
import jax


def log_line(text):
    with open("train.log", "a") as sink:
        sink.write(text + "\n")  #! JAX201


@jax.jit
def evaluate(x):
    log_line("evaluate")
    return x + 1


for _ in range(3):
    evaluate(1.0)
print(len(open("train.log").readlines()))

# %% both arms of cond: each branch is traced, so both counters move
import jax
from jax import lax

hits = 0
misses = 0


def on_hit(x):
    global hits
    hits += 1  #! JAX201
    return x * 2.0


def on_miss(x):
    global misses
    misses += 1  #! JAX201
    return x * 0.5


print(lax.cond(True, on_hit, on_miss, 1.0), hits, misses)

# %% local list of an outer trace: the list belongs to the jitted function, the append to the scan body
import jax
import jax.numpy as jnp


@jax.jit
def integrate(xs):
    ticks = []

    def body(acc, x):
        ticks.append(1)  #! JAX201
        return acc + x, None

    total, _ = jax.lax.scan(body, 0.0, xs)
    return total / len(ticks)


print(integrate(jnp.ones(8)))

# %% mutable default: the list of the default lives as long as the function
import jax


@jax.jit
def accumulate(x, history=[]):
    history.append("call")  #! JAX201
    return x * len(history)


print([float(accumulate(1.0)) for _ in range(3)])

# %% setattr, pop and set: other ways to write what outlives the trace
import jax
import jax.numpy as jnp


class Schedule:
    phase = "start"


schedule = Schedule()
pending = [3, 2, 1]
seen = []


@jax.jit
def advance(x):
    setattr(schedule, "phase", "running")  #! JAX201
    x = x + pending.pop()  #! JAX201
    seen.append("advance")  #! JAX201
    return x


print([float(advance(jnp.float32(0.0))) for _ in range(3)], pending)

# %% host buffer: an entry of a NumPy array is raised once
import jax
import numpy as np

counts = np.zeros(2, dtype=np.int64)


@jax.jit
def route(x):
    counts[0] += 1  #! JAX201
    return x * 2


for _ in range(3):
    route(1.0)
print(counts)

# %% helper in a while_loop: the body calls a function that moves a global
import jax
import jax.numpy as jnp
from jax import lax

iterations = 0


def note_iteration():
    global iterations
    iterations += 1  #! JAX201


def newton(x):
    def body(x):
        note_iteration()
        return x - (x * x - 2.0) / (2.0 * x)

    return lax.while_loop(lambda x: jnp.abs(x * x - 2.0) > 1e-5, body, x)


newton(jnp.float32(1.0))
print(iterations)

# %% deque in a grad under jit: staged through the outer jit, whatever is between
import collections

import jax
import jax.numpy as jnp

recent = collections.deque(maxlen=8)


def energy(x):
    recent.append("energy")  #! JAX201
    return jnp.sum(x**2)


force = jax.jit(jax.grad(energy))
for _ in range(3):
    force(jnp.ones(2))
print(len(recent))

# %% local containers: lists, dicts and objects made inside the trace are the function's own
import jax
import jax.numpy as jnp


class Builder:
    def __init__(self):
        self.parts = []
        self.count = 0

    def add(self, part):
        self.parts.append(part)
        self.count += 1
        return self


@jax.jit
def features(x):
    columns = []
    for power in (1, 2, 3):
        columns.append(x**power)
    named = {}
    named["mean"] = x.mean()
    named.update(std=x.std())
    builder = Builder()
    builder.add(named["mean"]).add(named["std"])
    columns.extend(builder.parts * builder.count)
    unseen = {"a", "b"}
    unseen.discard("a")
    return jnp.stack([jnp.sum(c) for c in columns]) + len(unseen)


features(jnp.arange(3.0))

# %% nonlocal inside the trace: the helper writes a local of the traced function itself
import jax
import jax.numpy as jnp


@jax.jit
def penalised(params):
    penalty = 0.0
    terms = []

    def add(value, weight):
        nonlocal penalty
        penalty = penalty + weight * value
        terms.append(value)

    add(jnp.sum(params["w"] ** 2), 0.1)
    add(jnp.abs(params["b"]), 0.01)
    return penalty / len(terms)


penalised({"w": jnp.ones(3), "b": jnp.float32(2.0)})

# %% argument containers: jit rebuilds dicts and pytrees, so writing to them stays inside
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Account:
    def __init__(self, balance):
        self.balance = balance

    def tree_flatten(self):
        return (self.balance,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)

    @jax.jit
    def deposit(self, amount):
        self.balance = self.balance + amount
        return self


@jax.jit
def sgd(params, grads):
    params["w"] = params["w"] - 0.1 * grads["w"]
    params["history"].append(grads["w"])
    return params


def body(state, x):
    state["total"] += x
    return state, None


params = sgd({"w": jnp.ones(2), "history": []}, {"w": jnp.ones(2)})
account = Account(1.0).deposit(2.0)
state, _ = jax.lax.scan(body, {"total": 0.0}, jnp.arange(3.0))
print(len(params["history"]), float(account.balance), float(state["total"]))

# %% memo of static data: a table kept under its key is the same whenever it is made
import jax
import numpy as np

_WINDOWS = {}


def window(n):
    if n not in _WINDOWS:
        _WINDOWS[n] = np.hanning(n).astype(np.float32)
    return _WINDOWS[n]


_NORMS = {}


@jax.jit
def spectrum(signal):
    n = signal.shape[0]
    scale = _NORMS.get(n)
    if scale is None:
        scale = _NORMS.setdefault(n, float(np.sqrt(n)))
    return jax.numpy.abs(jax.numpy.fft.rfft(signal * window(n))) / scale


spectrum(jax.numpy.ones(8))
spectrum(jax.numpy.ones(16))

# %% eager transforms: under vmap and grad alone Python runs at every call
import jax
import jax.numpy as jnp

evaluations = 0
log = []


def objective(x):
    global evaluations
    evaluations += 1
    log.append("objective")
    return jnp.sum(x**2)


slope = jax.grad(objective)
batched = jax.vmap(objective)
for _ in range(3):
    slope(jnp.ones(2))
    batched(jnp.ones((4, 2)))
print(evaluations, len(log))

# %% host callbacks: what debug.callback, io_callback and pure_callback call runs on the host
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

history = []
count = 0


def record(value):
    global count
    count += 1
    history.append(float(value))


def host_time_step(value):
    history.append(0.0)
    return np.float32(value)


@jax.jit
def step(x):
    jax.debug.callback(record, x)
    jax.debug.callback(lambda v: history.append(float(v)), x * 2)
    y = io_callback(host_time_step, jax.ShapeDtypeStruct((), jnp.float32), x, ordered=True)
    return x + y


for _ in range(3):
    step(jnp.float32(1.0))
jax.effects_barrier()
print(count, len(history))

# %% around the jitted call: the wrapper counts in plain Python and calls the compiled function
import functools
import logging

import jax

logger = logging.getLogger("train")


def counted(fn):
    @functools.wraps(fn)
    def wrapper(*args):
        wrapper.calls += 1
        return fn(*args)

    wrapper.calls = 0
    return wrapper


@counted
@jax.jit
def step(x):
    return x * 0.5


class Trainer:
    def __init__(self):
        self.losses = []
        self.step = 0

    def fit(self, x):
        for _ in range(3):
            x = step(x)
            self.losses.append(float(x))
            self.step += 1
            logger.info("loss %s", x)
        return x


Trainer().fit(1.0)
print(step.calls)

# %% static facts logged: shapes at trace time, and logging that a static flag leaves out
import logging
import warnings
from functools import partial

import jax
import jax.numpy as jnp

log = logging.getLogger(__name__)


@partial(jax.jit, static_argnames="debug")
def forward(x, debug=False):
    log.debug("tracing forward for %s %s", x.shape, x.dtype)
    if x.ndim != 2:
        warnings.warn(f"forward expects a batch, got rank {x.ndim}", stacklevel=2)
    y = jnp.tanh(x)
    if debug:
        log.debug("activations %s", y)
    return y


forward(jnp.ones((2, 3)))

# %% references are arrays that may be written: a ref written in jit changes at every call
import jax
import jax.numpy as jnp

total = jax.new_ref(jnp.float32(0.0))


@jax.jit
def add(x):
    total[...] += x
    return x * 2


for _ in range(3):
    add(jnp.float32(1.0))
print(total[...])

# %% Pallas kernel: the output reference is there to be written
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def scale_kernel(x_ref, scale_ref, out_ref):
    out_ref[...] = x_ref[...] * scale_ref[0]
    out_ref[0] += 1.0


@jax.jit
def scale(x, s):
    return pl.pallas_call(scale_kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)(x, s)


print(scale(jnp.arange(4.0), jnp.ones(1)))

# %% local iterators: next() of an iterator made in the trace gives the same each time
import itertools

import jax
import jax.numpy as jnp


@jax.jit
def dense(params, x):
    leaves = iter(params)
    ids = itertools.count()
    w = next(leaves)
    b = next(leaves, None)
    h = jnp.dot(x, w) * next(ids)
    return h if b is None else h + b


dense([jnp.ones((2, 2)), jnp.ones(2)], jnp.ones(2))

# %% copies: a copy of the outer dict or list is written, the outer one is only read
import copy

import jax
import jax.numpy as jnp

DEFAULTS = {"scale": 2.0, "layers": [1, 2]}


@jax.jit
def apply(x, overrides):
    config = dict(DEFAULTS)
    config["scale"] = overrides["scale"]
    config.update(overrides)
    layers = list(DEFAULTS["layers"])
    layers.append(3)
    deep = copy.deepcopy(DEFAULTS)
    deep["layers"].append(4)
    merged = {**DEFAULTS, "bias": 1.0}
    merged.pop("layers")
    return x * config["scale"] + len(layers) + len(deep["layers"]) + merged["bias"]


apply(jnp.ones(2), {"scale": jnp.float32(3.0)})
print(DEFAULTS)

# %% host loop: effects in plain functions that call compiled ones
import json
import pathlib

import jax
import jax.numpy as jnp

metrics = []
path = pathlib.Path("metrics.jsonl")


@jax.jit
def step(w):
    return w * 0.5, w


def fit(w, n):
    best = None
    with path.open("w") as sink:
        for i in range(n):
            w, loss = step(w)
            metrics.append({"step": i, "loss": float(loss)})
            sink.write(json.dumps(metrics[-1]) + "\n")
            best = min(best, float(loss)) if best is not None else float(loss)
    return best


fit(1.0, 3)
print(len(metrics))

# %% registration while defining: decorators that fill a table run when the module is read
import jax
import jax.numpy as jnp

ACTIVATIONS = {}


def register(fn):
    ACTIVATIONS[fn.__name__] = fn
    return fn


@register
@jax.jit
def softsign(x):
    return x / (1.0 + jnp.abs(x))


@jax.jit
@register
def square(x):
    return x * x


softsign(1.0), square(2.0), ACTIVATIONS["square"](3.0)

# %% accumulated in a comprehension or carried: the pure ways to count
import jax
import jax.numpy as jnp


@jax.jit
def count_positive(xs):
    def body(count, x):
        count += jnp.where(x > 0, 1, 0)
        return count, count

    n, history = jax.lax.scan(body, 0, xs)
    n += 1
    history *= 2
    return n, history


count_positive(jnp.arange(-1.0, 3.0))

# %% string and bytes methods: methods that look like mutation but return new objects
import jax
import jax.numpy as jnp

NAME = "layer"
SIZES = (2, 3)
ALLOWED = frozenset({"w"})


@jax.jit
def apply(x, params):
    label = NAME.replace("layer", "block").removesuffix("k")
    label += "!"
    sizes = SIZES + (4,)
    sizes += (5,)
    keep = ALLOWED.union({"b"})
    order = sorted(params)
    order.insert(0, label)
    return sum(params[k] * x for k in order[1:] if k in keep) * len(sizes)


apply(1.0, {"w": 2.0, "b": 1.0})

# %% never transformed: the same shape of code where nothing stages it
import jax.numpy as jnp


class History:
    def __init__(self):
        self.rows = []
        self.n = 0

    def add(self, x):
        self.rows.append(jnp.asarray(x) * 2)
        self.n += 1
        return self.rows[-1]


history = History()
for value in (1.0, 2.0):
    history.add(value)
print(history.n)

# %% a flag that is set once: whoever traces first
import jax
import jax.numpy as jnp

_registered = False


def register():
    global _registered
    if not _registered:
        jax.tree_util.tree_map(lambda x: x, {})
        _registered = True


@jax.jit
def step(x):
    register()
    return jnp.sin(x)


print(step(1.0))

# %% a flag that is set once, after an early return and beside another test
import os

import jax
import jax.numpy as jnp

_ready = False
_hooked = False


def prepare():
    global _ready, _hooked
    if not _hooked and hasattr(os, "fork"):
        _hooked = True
    if _ready:
        return
    _ready = True


@jax.jit
def step(x):
    prepare()
    return jnp.sin(x)


print(step(1.0))

# %% a flag of an object that is set once
import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.built = False

    def build(self):
        if not self.built:
            self.built = True

    def apply(self, x):
        self.build()
        return jnp.sin(x)


model = Model()
print(jax.jit(model.apply)(1.0))

# %% a counter under a test of itself is no flag
import jax
import jax.numpy as jnp

turns = 0


def count():
    global turns
    if not turns:
        print("first")
    turns = turns + 1  #! JAX201


@jax.jit
def step(x):
    count()
    return jnp.sin(x)


print(step(1.0))

# %% a function that is chosen once, where it is not there yet
import jax
import jax.numpy as jnp


def canonical(function):
    chosen = None

    def call(x):
        nonlocal chosen
        if chosen is None:
            shape = jax.eval_shape(function, x).shape
            if shape == ():
                chosen = jax.grad(function)
            else:
                chosen = function
        return chosen(x)

    return call


def build(function):
    force = canonical(function)

    @jax.jit
    def apply(x):
        return force(x) + force(x)

    return apply


print(build(jnp.sum)(jnp.ones(3)))

# %% a private counter that nothing reads is seen by nobody
import jax
import jax.numpy as jnp


class Env:
    def __init__(self):
        self._t = 0
        self._seen = 0
        self.steps = 0

    def reset(self):
        self._t = 0
        return jnp.ones(2)

    def step(self, x):
        self._t += 1
        self._seen += 1  #! JAX201
        self.steps += 1  #! JAX201
        return x + 1.0

    def report(self):
        return f"{self._seen} steps"


env = Env()
print(jax.lax.scan(lambda c, _: (env.step(c), None), env.reset(), None, length=3)[0], env.report())

# %% a record that begins with the call of its own function says when that is traced
import logging

import jax
import jax.numpy as jnp


@jax.jit
def train_step(state, batch):
    logging.info("train_step(batch=%s)", batch)
    return state + batch["image"].sum()


@jax.jit
def eval_step(state, batch):
    logging.info("train_step(batch=%s)", batch)  #! JAX201
    return state + batch["image"].sum()


print(train_step(jnp.ones(()), {"image": jnp.ones(3)}) + eval_step(jnp.ones(()), {"image": jnp.ones(3)}))

# %% a function that is made, traced and called once by one call: what it leaves behind is of that call
import jax
import jax.numpy as jnp


def flat(f, x):
    structure = None

    def leaves_of(x):
        nonlocal structure
        leaves, structure = jax.tree.flatten(f(x))
        return leaves

    options = dict(name=1, const=2, lambda_=3)
    leaves = jax.jit(leaves_of)(x)
    assert options
    return jax.tree.unflatten(structure, leaves)


def saved(f, x):
    seen = []

    @jax.checkpoint
    def run(x):
        seen.append("traced")
        return f(x)

    out = run(x)
    return out, seen


print([flat(jnp.sin, jnp.ones(2)), saved(jnp.sin, jnp.ones(2)), saved(jnp.sin, jnp.ones(2))])

# %% a function that is made once and called twice, in a loop, or by another function
import jax
import jax.numpy as jnp


def twice(x):
    n = 0

    @jax.jit
    def double(x):
        nonlocal n
        n += 1  #! JAX201
        return x * 2

    return double(double(x)), n


def often(x):
    n = 0

    @jax.jit
    def double(x):
        nonlocal n
        n += 1  #! JAX201
        return x * 2

    for _ in range(3):
        x = double(x)
    return x, n


def inside(x):
    n = 0

    @jax.jit
    def double(x):
        nonlocal n
        n += 1  #! JAX201
        return x * 2

    def run(x):
        return double(x)

    return run(run(x)), n


assert twice(jnp.ones(2))[1] == often(jnp.ones(2))[1] == inside(jnp.ones(2))[1] == 1

# %% what is put on a stack while tracing is taken off again, by another function or where a `with` ends
import jax
import jax.numpy as jnp


class Scope:
    def __init__(self, stack):
        self.stack = stack

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.stack.remove(self)


class Scopes:
    def __init__(self):
        self.stack = []

    def new(self):
        made = Scope(self.stack)
        self.stack.append(made)
        return made


SCOPES = Scopes()
NAMES = []
LOG = []


def push(name):
    NAMES.append(name)


def pop():
    NAMES.pop()


@jax.jit
def f(x):
    with SCOPES.new():
        push("a")
        y = x * 2
        pop()
    LOG.append("f")  #! JAX201
    return y


f(jnp.ones(2))

# %% an object takes its state over for a trace and gives it up again, by the names that it keeps
import jax
import jax.numpy as jnp


class Stateful:
    def __init__(self, names):
        self.names = names

    def set_state(self, state):
        for name in self.names:
            setattr(self, name, state[name])

    def pop_state(self):
        state = {name: getattr(self, name) for name in self.names}
        for name in self.names:
            setattr(self, name, None)
        return state


class Optimizer(Stateful):
    def __init__(self, names):
        super().__init__(names)
        self.count = None
        self.velocity = None
        self.step = jax.jit(self._step)

    def _step(self, state, x):
        self.set_state(state)
        self.velocity = self.velocity + x
        self.count = self.count + 1
        return self.pop_state(), x


class Counter:
    def __init__(self):
        self.count = 0
        self.step = jax.jit(self._step)

    def _step(self, x):
        self.count = self.count + 1  #! JAX201
        return x


Counter().step(jnp.ones(2))

# %% mode for the trace: the attribute was None and is None again
import jax


class Config:
    def __init__(self):
        self.mode = None


config = Config()


@jax.jit
def apply(x):
    before = config.mode
    config.mode = "train"
    try:
        return x * 2 if config.mode == "train" else x
    finally:
        config.mode = before


print(apply(1.0), config.mode)

# %% an iterator that a caller hands over, of which nothing is known, in the body of a loop and in a compiled function
import jax
from jax import lax


def halving(start):
    while True:
        yield start
        start /= 2


def weighted(x, weights):
    return lax.fori_loop(0, 5, lambda i, v: v + next(weights), x)  #! JAX201


def by_default(x, weights=None):
    weights = weights or halving(1.0)
    return lax.fori_loop(0, 5, lambda i, v: v + next(weights), x)  #! JAX201


def asked_for(x, weights=None):
    if weights is None:
        weights = halving(1.0)
    return lax.fori_loop(0, 5, lambda i, v: v + next(weights), x)  #! JAX201


def compiled(weights):
    @jax.jit
    def step(x):
        return x + next(weights, 0.0)  #! JAX201

    return step

# %% what is made of it in the trace, one value that is taken before, and a loop that Python runs
import jax
from jax import lax


def of_its_own(x, weights):
    def body(i, v):
        own = iter(weights)
        return v + next(own)

    return lax.fori_loop(0, 5, body, x)


def before(x, weights):
    first = next(weights)
    return lax.fori_loop(0, 5, lambda i, v: v + first, x)


def of_python(x, weights):
    for _ in range(5):
        x = jax.vmap(lambda v: v + next(weights))(x)
    return x


@jax.jit
def unpacked(x, offsets):
    left = iter(offsets)
    return [x + next(left) for _ in range(2)]

# %% mode as a context: the generator sets the attribute and behind its yield sets it back
import contextlib

import jax


class Config:
    def __init__(self):
        self.mode = None


config = Config()


@contextlib.contextmanager
def mode(value):
    before = config.mode
    config.mode = value
    try:
        yield
    finally:
        config.mode = before


@jax.jit
def apply(x):
    with mode("train"):
        return x * 2 if config.mode == "train" else x


print(apply(1.0), config.mode)

# %% entered and left: one helper sets the mode, another one sets it back
import jax


class Config:
    def __init__(self):
        self.mode = None
        self.depth = 0


config = Config()


def enter(mode):
    before, config.mode = config.mode, mode
    return before


def leave(before):
    config.mode = before


@jax.jit
def apply(x):
    before = enter("train")
    try:
        return x * 2 if config.mode == "train" else x
    finally:
        leave(before)


print(apply(1.0), config.mode)

# %% depth as a global: counted up and in the finally down again
import jax

_depth = 0


@jax.jit
def apply(x):
    global _depth
    _depth += 1
    try:
        return x * 2 if _depth else x
    finally:
        _depth -= 1


print(apply(1.0), _depth)

# %% depth as a context: the generator counts up and down around its yield
import contextlib

import jax

_depth = 0


@contextlib.contextmanager
def nested():
    global _depth
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1


@jax.jit
def apply(x):
    with nested():
        return x * 2 if _depth else x


print(apply(1.0), _depth)

# %% depth by methods: one method counts up, the other one down
import jax


class Level:
    def __init__(self):
        self.depth = 0

    def push(self):
        self.depth += 1

    def pop(self):
        self.depth -= 1


level = Level()


@jax.jit
def apply(x):
    level.push()
    y = x * 2 if level.depth else x
    level.pop()
    return y


print(apply(1.0), level.depth)

# %% mode in a dict: the item is set back
import jax

config = {"mode": None}


@jax.jit
def apply(x):
    before = config["mode"]
    config["mode"] = "train"
    try:
        return x * 2 if config["mode"] == "train" else x
    finally:
        config["mode"] = before


print(apply(1.0), config["mode"])

# %% nested blocks: each block puts back the parent that it found
import jax


class Ctx:
    def __init__(self):
        self.parent = None


ctx = Ctx()


class Block:
    def __init__(self, name, inner=None):
        self.name = name
        self.inner = inner

    def __call__(self, x):
        saved = ctx.parent
        ctx.parent = self
        try:
            return x * 2 if self.inner is None else self.inner(x) + 1
        finally:
            ctx.parent = saved


net = Block("a", Block("b"))


@jax.jit
def apply(x):
    return net(x)


print(apply(1.0), ctx.parent)

# %% override of attributes: `__exit__` sets what getattr gave
import jax


class Config:
    def __init__(self):
        self.mode = None


config = Config()


class override:
    def __init__(self, **new):
        self.new = new

    def __enter__(self):
        self.old = {name: getattr(config, name) for name in self.new}
        for name, value in self.new.items():
            setattr(config, name, value)

    def __exit__(self, *error):
        for name, value in self.old.items():
            setattr(config, name, value)


@jax.jit
def apply(x):
    with override(mode="train"):
        return x * 2 if config.mode == "train" else x


print(apply(1.0), config.mode)

# %% flag on and off: it is False before and after
import jax


class Config:
    training = False


config = Config()


@jax.jit
def apply(x):
    config.training = True
    y = x * 2 if config.training else x
    config.training = False
    return y


print(apply(1.0), config.training)

# %% saved but not restored: the old value is kept and not put back
import jax


class Config:
    def __init__(self):
        self.mode = None


config = Config()


@jax.jit
def apply(x):
    before = config.mode
    config.mode = "train"  #! JAX201
    return x * 2 if before is None else x


print(apply(1.0), config.mode)

# %% counted up twice and down once: what is left happens once per trace
import jax


class Tracker:
    def __init__(self):
        self.calls = 0


tracker = Tracker()


@jax.jit
def apply(x):
    tracker.calls += 1  #! JAX201
    y = x * 2
    tracker.calls += 1  #! JAX201
    y = y * 3
    tracker.calls -= 1  #! JAX201
    return y


print(apply(1.0), apply(2.0), tracker.calls)

# %% restored on one way only: with `keep` the mode stays
import jax


class Config:
    def __init__(self):
        self.mode = None


config = Config()


def apply(x, keep):
    before = config.mode
    config.mode = "train"  #! JAX201
    y = x * 2
    if not keep:
        config.mode = before
    return y


run = jax.jit(apply, static_argnums=1)
print(run(1.0, True), run(2.0, False), config.mode)

# %% object of a known class found in the trace: a pytree's node is rebuilt for the trace
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Var:
    def __init__(self, value):
        self.value = value

    def set(self, value):
        self.value = value

    def tree_flatten(self):
        return (self.value,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


def is_var(x):
    return isinstance(x, Var)


@jax.jit
def double(tree):
    def visit(x):
        if isinstance(x, Var):
            x.value = x.value * 2.0
            return x
        return x

    return jax.tree.map(visit, tree, is_leaf=is_var)


print(double({"a": Var(jnp.ones(2)), "b": 1.0}))

# %% copied in the trace: what is written is the copy
import copy

import jax
import jax.numpy as jnp


class Var:
    def __init__(self, value):
        self.value = value

    def set(self, value):
        self.value = value


def clone(var):
    new = copy.copy(var)
    assert isinstance(new, Var)
    return new


proto = Var(None)


@jax.jit
def double(x):
    var = clone(proto)
    var.set(x * 2.0)
    return var.value


print(double(1.0), proto.value)

# %% made without a constructor: the object is new at each trace
import jax
import jax.numpy as jnp


class Var:
    def __init__(self, value):
        self.value = value

    def set(self, value):
        self.value = value

    @classmethod
    def empty(cls):
        var = object.__new__(cls)
        var.value = None
        return var


@jax.jit
def double(x):
    var = Var.empty()
    var.set(x * 2.0)
    return var.value


print(double(1.0))

# %% mode on an exit stack: the generator sets it back
import contextlib

import jax


class Config:
    mode = None


config = Config()


@contextlib.contextmanager
def mode(value):
    old = config.mode
    config.mode = value
    yield
    config.mode = old


@jax.jit
def f(x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(mode("a"))
        return x * 2 if config.mode == "a" else x


print(f(1.0), config.mode)

# %% mode by a decorator: the generator is wrapped around the function
import contextlib

import jax

_training = False


@contextlib.contextmanager
def training(value=True):
    global _training
    old = _training
    _training = value
    try:
        yield
    finally:
        _training = old


@training(True)
def model(x):
    return x * 2 if _training else x


@jax.jit
def f(x):
    return model(x)


print(f(1.0), _training)

# %% scratch list: cleared before and after it is filled
import jax
import jax.numpy as jnp

losses = []


def add_loss(value):
    losses.append(value)


def model(x):
    add_loss(jnp.sum(x**2))
    return x * 2


@jax.jit
def total(x):
    losses.clear()
    y = model(x)
    extra = sum(losses)
    losses.clear()
    return y.sum() + extra


print(total(jnp.ones(3)), losses)

# %% log of one trace: emptied first, then filled with shapes by all that is called
import jax
import jax.numpy as jnp

shapes = []
names = []
sizes = {}


def note(log, what, x):
    log.append((what, x.shape))
    return x


@jax.jit
def shown(x):
    shapes.clear()
    for _ in range(2):
        x = note(shapes, "layer", x)
    return x


@jax.jit
def replaced(x):
    names.append("before")
    names[:] = []
    names.append(str(x.dtype))
    return x


@jax.jit
def sized(x):
    del names[:]
    sizes.clear()
    sizes["rows"] = x.shape[0]
    sizes.update(columns=x.shape[1])
    return note(names, "out", x)


def last(x, reset):
    return sized(x) if reset else x


@jax.jit
def under_test(x, wide=True):
    if wide:
        x = shown(x)
    return x


for call in (shown, replaced, sized, under_test):
    call(jnp.ones((2, 3)))
last(jnp.ones((2, 3)), True)
assert len(shapes) == 2 and len(names) == 1 and len(sizes) == 2

# %% emptied by one call of several: the log is not of the last trace alone
import jax
import jax.numpy as jnp

calls = []
left = [0, 0, 0]


def forget():
    calls.clear()


@jax.jit
def counted(x, anew=False):
    if x.ndim > 2:
        forget()
    calls.append(x.shape)  #! JAX201
    return x


@jax.jit
def one_less(x):
    left.pop()  #! JAX201
    left.append(x.shape[0])  #! JAX201
    return x


counted(jnp.ones((2, 3)))
counted(jnp.ones((2, 3, 4)))
one_less(jnp.ones(3))

# %% raises-elsewhere: a list that is emptied, and filled with a tracer
import jax
import jax.numpy as jnp

arrays = []


@jax.jit
def kept(x):
    arrays.clear()  #! JAX201
    arrays.append(x)  #! JAX203
    return x


kept(jnp.ones(3))
print(arrays[0] + 1)

# %% done once: a flag that is set below sends later calls back
import threading

import jax
import jax.numpy as jnp

lock = threading.Lock()
loaded = []
kernels = []
ready = False


def register():
    global ready
    if ready:
        return
    with lock:
        if ready:
            return
        loaded.append("library")
        ready = True


class Kernels:
    filled = False

    def fill(self):
        if self.filled:
            return
        kernels.append("scan")
        self.filled = True


own = Kernels()


@jax.jit
def total(x):
    register()
    own.fill()
    return x.sum()


total(jnp.ones(3))
total(jnp.ones(4))
print(loaded, kernels)

# %% a flag sends calls back, and nothing sets it
import jax
import jax.numpy as jnp

loaded = []
quiet = False


def register():
    if quiet:
        return
    loaded.append("library")  #! JAX201


@jax.jit
def total(x):
    register()
    return x.sum()


total(jnp.ones(3))
total(jnp.ones(3))
print(loaded)

# %% depth of an enclosing function: counted up and down
import jax


def build():
    depth = 0

    def enter(fun, x):
        nonlocal depth
        depth += 1
        out = fun(x)
        depth -= 1
        return out

    @jax.jit
    def f(x):
        return enter(lambda y: y * 2, x)

    return f


print(build()(1.0))

# %% modes on a stack: what is pushed is popped and set again
import jax


class Config:
    def __init__(self):
        self.mode = None
        self.saved = []

    def push(self, mode):
        self.saved.append(self.mode)
        self.mode = mode

    def pop(self):
        self.mode = self.saved.pop()


config = Config()


@jax.jit
def f(x):
    config.push("train")
    y = x * 2 if config.mode == "train" else x
    config.pop()
    return y


print(f(1.0), config.mode)

# %% flag in a dict: the decorator puts back what was there
import functools

import jax

_state = {"tracing": False}


def marks(fun):
    @functools.wraps(fun)
    def wrapper(*args):
        previous = _state["tracing"]
        _state["tracing"] = True
        try:
            return fun(*args)
        finally:
            _state["tracing"] = previous

    return wrapper


@jax.jit
@marks
def f(x):
    return x * 2 if _state["tracing"] else x


print(f(1.0), _state)

# %% filled and cleared by one function, and filled by the next: what the trace put in last stays
import jax
import jax.numpy as jnp

losses = []


@jax.jit
def total(x):
    losses.append(1.0)  #! JAX201
    return x


@jax.jit
def cleared(x):
    losses.append(2.0)
    losses.clear()
    return x


print(cleared(total(jnp.ones(3))), losses)

# %% flags of classes and modules that are set once
import jax

_ready = False


def setup():
    global _ready
    if not _ready:
        _ready = True


class Box:
    registered = False

    @classmethod
    def register(cls):
        if not cls.registered:
            cls.registered = True

    @staticmethod
    def other():
        if Box.registered:
            return
        Box.registered = True

    def own(self):
        if not self.registered:
            self.registered = True


box = Box()


@jax.jit
def f(x):
    setup()
    Box.register()
    Box.other()
    box.own()
    return x


print(f(1.0))

# %% a class's count is none of them
import jax


class Box:
    count = 0


@jax.jit
def f(x):
    Box.count += 1  #! JAX201
    return x


print(f(1.0), f(2.0), Box.count)

# %% traces counted for an assert: nothing else reads the counter
import jax
import jax.numpy as jnp


def check_caching():
    traces = 0

    @jax.jit
    def step(x):
        nonlocal traces
        traces += 1
        return x * 2

    step(jnp.ones(2))
    step(jnp.zeros(2))
    assert traces == 1, traces


class Probe:
    def __init__(self):
        self.traces = {"step": 0}
        self.step = jax.jit(self._step)

    def _step(self, x):
        self.traces["step"] += 1
        return x + 1

    def check(self):
        self.step(1.0)
        self.step(2.0)
        assert self.traces["step"] == 1


check_caching()
Probe().check()

# %% traces counted for an assert of the module, or as the length of a list
import jax
import jax.numpy as jnp
import numpy as np

traces = 0
seen = []


@jax.jit
def step(x):
    global traces
    traces += 1
    return x * 2


@jax.jit
def shifted(x):
    seen.append("shifted")
    return x + 1


for size in (2, 2, 3):
    step(jnp.ones(size))
    shifted(jnp.ones(size))
assert traces == 2
np.testing.assert_equal(len(seen), 2)

# %% a list that an assert and the program read, and a counter that is printed
import jax
import jax.numpy as jnp

turns = 0
seen = []


@jax.jit
def step(x):
    global turns
    turns += 1  #! JAX201
    return x * 2


@jax.jit
def shifted(x):
    seen.append("shifted")  #! JAX201
    return x + 1


for size in (2, 2, 3):
    step(jnp.ones(size))
    shifted(jnp.ones(size))
assert turns == 2 and len(seen) == 2
print(turns, seen[-1])

# %% what is taken from an empty default: nothing is, that path is for the lists of other callers
import jax


def position(args, kwargs, others=[]):
    found = []
    if not args:
        x, y = kwargs.pop("x"), kwargs.pop("y")
    elif isinstance(args[0], tuple) and len(args) <= 1 + len(others):
        x, y = args[0]
        for arg in args[1:]:
            found.append(arg)
            others.pop(0)
    else:
        x, y = args[:2]
        for arg in args[2:]:
            found.append(arg)
            others.pop(0)
    for name in others:
        found.append(kwargs.pop(name))
    return x, y


def first(key, waiting=[]):
    waiting.append(key)  #! JAX201
    return waiting


names = ["scale"]


@jax.jit
def step(x, *args):
    x, y = position((x, *args), {})
    a, b = position((), {"x": 1.0, "y": 2.0})
    return x + y + a + b


@jax.jit
def scaled(x):
    return taken((x, 1.0, 2.0), names) + len(first("scale"))


def taken(args, others):
    x, y = args[:2]
    others.pop(0)  #! JAX201
    return x + y


step(1.0, 2.0), scaled(3.0)

# %% a counter that an assert and the program read: it stands still
import jax
import jax.numpy as jnp


def train(steps):
    done = 0

    @jax.jit
    def step(x):
        nonlocal done
        done += 1  #! JAX201
        return x * 2

    x = jnp.ones(2)
    for _ in range(steps):
        x = step(x)
    assert done <= steps
    return x / done


train(3)

# %% an index that is filled before each use: what a trace leaves in it is never seen
import jax
import jax.numpy as jnp
from jax import lax


def shift(cache, rows, lengths):
    place = [slice(None)] * 3
    source = [slice(None)] * 3
    source[1] = 0

    def put(i, held):
        place[0] = i
        place[1] = lengths[i]
        source[0] = i
        return held.at[tuple(place)].set(rows[tuple(source)])

    def add(i, held):
        place[0] = i
        place[1] = lengths[i]
        source[0] = i
        return held.at[tuple(place)].add(rows[tuple(source)])

    cache = lax.fori_loop(0, 2, put, cache)
    return lax.fori_loop(0, 2, add, cache)


shift(jnp.zeros((2, 3, 4)), jnp.ones((2, 1, 4)), jnp.array([1, 2]))

# %% a file that is written from its beginning holds the same after each call
import pathlib

import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    with open("shape.txt", "w") as file:
        file.write(f"{x.shape} {x.dtype}")
    pathlib.Path("shape.txt").write_text(str(x.shape))
    return x * 2


step(jnp.ones(2))

# %% a file that is written from its beginning, with a tracer in it
import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    with open("value.txt", "w") as file:
        file.write(f"{x}")  #! JAX201
    return x * 2


step(jnp.ones(2))

# %% what an object keeps of the shape that it was traced with
from functools import partial

import jax
import jax.numpy as jnp


class Layer:
    shape = None
    calls = None

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        self.shape = x.shape
        self.calls = "called"  #! JAX201
        return x * 2


Layer()(jnp.ones(2))

# %% the dict of a function's own keyword arguments is a new one at each call, however many callers there are
import jax


class Box:
    def __init__(self, value, **options):
        options.update({"value": value})
        options["more"] = 1
        self.options = options


def make(value, **options):
    return Box(value, **options)


@jax.jit
def first(x):
    return make(x, a0=0).options["value"] + make(x, **{"b": [0]}).options["value"]


@jax.jit
def second(x):
    return make(x, a1=1).options["value"] + make(x, **{"b": [1]}).options["value"]


@jax.jit
def third(x):
    return make(x, a2=2).options["value"] + make(x, **{"b": [2]}).options["value"]


@jax.jit
def fourth(x):
    return make(x, a3=3).options["value"] + make(x, **{"b": [3]}).options["value"]


@jax.jit
def fifth(x):
    return make(x, a4=4).options["value"] + make(x, **{"b": [4]}).options["value"]


print(first(1.0), second(1.0), third(1.0), fourth(1.0), fifth(1.0))

# %% diagnostics of the trace: a log line behind a check of the level, and what is shown once for each thing
import logging

import jax

logger = logging.getLogger(__name__)
SEEN = set()
SHOWN = []
LENGTHS = {}


def note(x):
    key = (x.shape, str(x.dtype))
    if key not in SEEN:
        SEEN.add(key)
        SHOWN.append(f"{key}")
    if key in LENGTHS:
        pass
    else:
        LENGTHS[key] = len(SHOWN)
        SHOWN.append("another one")


@jax.jit
def double(x):
    if logger.isEnabledFor(logging.DEBUG):
        logger.debug("double of %s", x)
    note(x)
    return x * 2


double(1.0)

# %% a check of something else, and a collection to which nothing is added
import logging

import jax

logger = logging.getLogger(__name__)
SEEN = set()
SHOWN = []
VERBOSE = True


@jax.jit
def double(x):
    if VERBOSE:
        logger.debug("double of %s", x)  #! JAX201
    if "double" not in SEEN:
        SHOWN.append("double")  #! JAX201
    return x * 2


double(1.0)

# %% a table of the module that is read again: the same call gave it its first value
import os

import jax


def _files():
    return os.listdir(".")


def _more(names):
    return [*_files(), *names]


files = _files()
others = _more(())
counts = {}


def refresh():
    global files
    files = _files()


@jax.jit
def halved(x):
    global counts, others
    counts = {}  #! JAX201
    names = ["here"]
    others = _more(names)  #! JAX201
    refresh()
    return x / len(files)


halved(1.0)

# %% keyword arguments of a helper that traced code calls in many ways: each call has a dict of its own
import jax
import jax.numpy as jnp


def with_dim(function):
    def call(*args, **kwargs):
        if "dim" in kwargs:
            kwargs["axis"] = kwargs.pop("dim")
        kwargs = {name: value for name, value in kwargs.items() if value is not None}
        return function(*args, **kwargs)

    return call


total = with_dim(jnp.sum)


@jax.jit
def sums(x):
    parts = [total(x, dim=0), total(x), total(x, axis=0), total(x, 0), total(x, None), total(x, dim=None)]
    parts += [total(x, keepdims=True), total(x, dim=0, keepdims=True), total(x, dtype=float)]
    parts += [total(x, dtype=int), total(x, 0, int), total(x, initial=1), total(x, dim=0, initial=1)]
    return parts


sums(jnp.ones(3))


def drain(x, options):
    options.pop("dim", None)  #! JAX201
    return x


OPTIONS = {"dim": 0}
jax.jit(lambda x: drain(x, OPTIONS))(1.0)

# %% an object that traced code makes and asks in many ways: what it counts is its own
import jax


class Replaced:
    def __init__(self, keys, values):
        self.values = {id(key): value for key, value in zip(keys, values)}
        self.counts = {id(key): 0 for key in keys}

    def __getitem__(self, key):
        self.counts[id(key)] += 1
        return self.values[id(key)]

    def get(self, key, default):
        try:
            return self[key]
        except KeyError:
            return default


def replaced(default, keys, values):
    known = Replaced(keys, values)
    return [known.get(key, default) for key in keys]


class Meter:
    def __init__(self):
        self.names = []

    def count(self, name):
        self.names.append(name)  #! JAX201
        return name


METER = Meter()


def steps(x):
    parts = [replaced(0, [x, 0], [x, x]), replaced(1, [x, 1], [x, x]), replaced(2, [x, 2], [x, x])]
    parts += [replaced(3, [x, 3], [x, x]), replaced(4, [x, 4], [x, x]), replaced(5, [x, 5], [x, x])]
    parts += [replaced(6, [x, 6], [x, x]), replaced(7, [x, 7], [x, x]), replaced(8, [x, 8], [x, x])]
    parts += [replaced(9, [x, 9], [x, x]), replaced("a", [x, "a"], [x, x]), replaced("b", [x, "b"], [x, x])]
    names = [METER.count(0), METER.count(1), METER.count(2), METER.count(3), METER.count(4), METER.count(5)]
    names += [METER.count(6), METER.count(7), METER.count(8), METER.count(9), METER.count("a"), METER.count("b")]
    return parts, names


@jax.jit
def stepped(x, y):
    return steps(x), steps(y)

# %% what is set once, under a flag that a method sets or a property shows
import jax
import jax.numpy as jnp


class Lookup:
    def __init__(self, names):
        self.names = names
        self._table = {}
        self._valid = False
        self._sizes = None
        self._done = False

    @property
    def done(self):
        return self._done

    def get(self, name):
        if not self._valid:
            self._fill()
        return self._table.get(name, 1)

    def _fill(self):
        self._table = {name: len(name) for name in self.names}
        self._valid = True

    def finish(self, x):
        if self.done:
            raise ValueError("already done")
        self._measure(x)
        self._done = True

    def _measure(self, x):
        self._sizes = tuple(range(x.ndim))

    def scaled(self, x):
        if not self.done:
            self.finish(x)
        return x * len(self._sizes)

    def counted(self, x):
        if not self.done:
            self._count(x)
        return x

    def _count(self, x):
        self.names.append(x.shape)  #! JAX201


lookup = Lookup(["a", "bc"])
other = Lookup(["a"])


@jax.jit
def looked_up(x):
    return lookup.scaled(x * lookup.get("bc")) + other.counted(x)


looked_up(jnp.ones(2))

# %% globals that a function sets where a flag is not set
import jax

READY = False
TABLE = None
USES = []


def set_up():
    global READY, TABLE
    TABLE = {"a": 1}
    READY = True


def use():
    USES.append(1)  #! JAX201


@jax.jit
def scaled(x):
    if not READY:
        set_up()
    if not READY:
        use()
    return x * TABLE["a"]


scaled(1.0)

# %% lists and dicts that hold one another
import jax


def linked():
    first = []
    second = {"first": first}
    first.append(second)
    return used(first, jax.jit(lambda x: x))


def used(items, function):
    items.append(items)
    return function(1.0)

# %% all that is set of an object under a flag that was not set, and is set with it, is set once
import jax
import jax.numpy as jnp
import numpy as np


class Grid:
    def __init__(self):
        self.ready = False
        self.nodes = None

    def prepare(self, size):
        if not self.ready:
            self.count(size)
            self.names = ["a"] * size
            self.ready = True

    def count(self, size):
        self.size = size

    def __call__(self, x):
        self.prepare(x.shape[0])
        return x * self.size


class Late:
    def __init__(self):
        self.nodes = None

    def __call__(self, x):
        if self.nodes is not None:
            return x * self.size
        self.size = x.shape[0]
        self.nodes = np.arange(self.size)
        return x * self.size


class Never:
    def __init__(self):
        self.ready = False
        self.size = 0

    def __call__(self, x):
        if not self.ready:
            self.size = x.shape[0]  #! JAX201
        return x * self.size


grid, late, never = Grid(), Late(), Never()
print(jax.jit(lambda x: grid(x))(jnp.ones(3)), jax.jit(lambda x: late(x))(jnp.ones(3)))
print(jax.jit(lambda x: never(x))(jnp.ones(3)))

# %% the same of globals
import jax
import jax.numpy as jnp

ready = False
sizes = ()
calls = 0


def prepare(size):
    global ready, sizes
    if not ready:
        sizes = (size,)
        ready = True


@jax.jit
def scaled(x):
    global calls
    prepare(x.shape[0])
    calls = calls + 1  #! JAX201
    return x * sizes[0]


print(scaled(jnp.ones(3)))

# %% copies of objects that are made in the trace, and the parts that a shallow one shares
import copy

import jax
import jax.numpy as jnp


class Inner:
    def __init__(self):
        self.n = 1
        self.parent = None


class Config:
    def __init__(self):
        self.inner = Inner()
        self.inner.parent = self
        self.items = [1, 2]


config = Config()


@jax.jit
def deep(x):
    own = copy.deepcopy(config)
    own.inner.n = 3
    own.items.append(4)
    own.inner.parent.m = 4
    return x * own.inner.n


@jax.jit
def shallow(x):
    own = copy.copy(config)
    own.inner.n = 3  #! JAX201
    own.n = 4
    return x * own.inner.n


print(deep(jnp.ones(2)), shallow(jnp.ones(2)))

# %% ok: a table that grows with the largest size, or is made for another shape; numbers that each trace counts anew
import jax
import jax.numpy as jnp
import numpy as np


class Table:
    def __init__(self):
        self.size = 0
        self.rows = None
        self.shape = None
        self.ones = None

    def get(self, size):
        if size > self.size:
            self.size = max(size, 2 * self.size)
            self.rows = np.arange(self.size)
        return self.rows[:size]

    def ensure(self, shape):
        if shape == self.shape:
            return
        self.shape = shape
        self.ones = np.ones(shape)


class Names:
    def __init__(self):
        self.count = 0
        self.path = []

    def next(self):
        self.count += 1
        return self.count

    def reset(self):
        self.count = 0
        self.path = []
        self.path.append("first")


table, names = Table(), Names()


@jax.jit
def f(x):
    names.reset()
    table.ensure(x.shape)
    return (x + table.get(x.shape[0])) * names.next() + names.next() + table.ones


print(f(jnp.ones(2)), f(jnp.ones(3)))

# %% a counter up to a limit, what is compared with something else, and a number that no trace sets first
import jax
import jax.numpy as jnp


class Log:
    def __init__(self):
        self.lines = 0
        self.level = 0
        self.last = None
        self.count = 0

    def write(self, level):
        if self.lines < 10:
            self.lines += 1  #! JAX201
        if level > 3:
            self.last = level  #! JAX201

    def next(self):
        self.count += 1  #! JAX201
        return self.count


log = Log()


@jax.jit
def f(x):
    log.write(5)
    return x * log.next()


print(f(jnp.ones(2)), f(jnp.ones(3)))
log.count = 0

# %% a trace takes an item out of a deque
import collections

import jax

NOISES = collections.deque([0.0, 1.0, 2.0])


@jax.jit
def noisy(x):
    return x + NOISES.popleft()  #! JAX201


print([float(noisy(1.0)) for _ in range(3)])

# %% norun tqdm is not a dependency: a progress bar that is moved while tracing
import jax
import jax.numpy as jnp
from tqdm import tqdm
from tqdm.auto import trange

bar = tqdm(total=5)


def body(x, t):
    bar.update(1)  #! JAX201
    return x, x


class Trainer:
    def __init__(self, steps):
        self.bar = tqdm(total=steps)

    def fit(self, x):
        @jax.jit
        def step(x):
            self.bar.set_postfix(loss=x)  #! JAX201
            return x * 0.9

        for _ in trange(3):
            x = step(x)
            self.bar.update(1)
        return x


def run(x):
    with tqdm(total=3) as bar:

        @jax.jit
        def step(x):
            bar.update()  #! JAX201
            return x * 0.9

        for _ in range(3):
            x = step(x)
    return x


@jax.jit
def unrolled(x):
    for i in tqdm(range(3)):
        x = x + i
    with tqdm(total=3) as inner:
        inner.update(1)
    return x


jax.lax.scan(body, 0.0, jnp.arange(5))
print(Trainer(3).fit(1.0), run(1.0), unrolled(1.0))

# %% an object, or a function, that each trace makes again and keeps
import jax
import jax.numpy as jnp


class Buffer:
    def __init__(self, size):
        self.size = size


class Learner:
    def __init__(self):
        self.starts = 0
        self.buffer = None
        self.activation = None

    def start(self, size):
        self.buffer = Buffer(size)
        self.activation = lambda x: jnp.tanh(x)
        self.starts += 1  #! JAX201
        return jnp.zeros(size)


learner = Learner()
start = jax.jit(learner.start, static_argnums=0)
print(start(3), start(3), learner.starts)

# %% an object that holds a tracer, and a function that closes over one, are no such ones
import jax
import jax.numpy as jnp


class Box:
    def __init__(self, value):
        self.value = value


class Learner:
    def step(self, x):
        self.box = Box(x)  #! JAX201
        return x

    def close(self, x):
        self.shift = lambda y: y + x  #! JAX201
        return x


learner = Learner()
print(jax.jit(learner.step)(1.0), jax.jit(learner.close)(1.0))

# %% an entry that is computed from what it holds, and a list that a dict keeps
import jax

calls = {"n": 0}
tally = {}
lists = {}


def count(name, by=1):
    tally[name] = tally.get(name, 0) + by  #! JAX201


@jax.jit
def step(x):
    calls["n"] = calls["n"] + 1  #! JAX201
    count("step")
    lists.setdefault("step", []).append("call")  #! JAX201
    return x


for _ in range(3):
    step(1.0)
print(calls, tally, lists)

# %% ... a cache of what depends on the key alone, and what a trace has for itself
import jax

sizes = {}


def size_of(n):
    sizes[n] = sizes.get(n) or n * n
    return sizes[n]


@jax.jit
def step(x):
    counts = {}
    counts["a"] = counts.get("a", 0) + 1
    counts.setdefault("b", []).append(1)
    return x * size_of(3) * counts["a"]


step(1.0)

# %% counters of traces by their names, guards, sets, structures
import jax
import jax.numpy as jnp

n_traces = 0
stats = {"compiles": 0}
runs = 0
shapes, names, log, calls = set(), set(), [], []
out_tree = None


def param(params, name):
    names.add(name)
    return params[name]


@jax.jit
def f(x):
    global n_traces, runs, out_tree
    n_traces += 1
    runs += 1
    stats["compiles"] += 1
    shapes.add(x.shape)
    leaves, tree = jax.tree.flatten({"a": x, "b": (x, x)})
    out_tree = tree
    log.append(tree)
    calls.append("f")  #! JAX201
    return sum(leaves) + param({"w": x}, "w")


class Model:
    def __init__(self):
        self.compile_count = 0
        self.steps = 0
        self.apply = jax.jit(self.forward)

    def forward(self, x):
        self.compile_count += 1
        self.steps += 1  #! JAX201
        return x * 2


f(jnp.ones(2))
f(jnp.ones(2))
if runs > 1:
    raise RuntimeError("compiled again")
model = Model()
print(model.apply(1.0), model.compile_count, model.steps, n_traces, stats, len(calls), out_tree, log[-1])

# %% a variable of the module that one function uses as its own, and one that others read
import jax
import jax.numpy as jnp


@jax.jit
def own(x, scale):
    global bound, features
    bound = None
    bound = scale.ndim
    features = x * 2

    def loss(y):
        return (y * features).sum() if bound == 0 else y.sum()

    return loss(x)


@jax.jit
def shared(x):
    global last_size
    last_size = 3.5  #! JAX201
    return x * last_size


@jax.jit
def counted(x):
    global calls
    calls = calls + 1  #! JAX201
    return x * calls


calls = 0
last_size = 0.0
own(jnp.ones(3), jnp.ones(()))
shared(jnp.ones(3))
counted(jnp.ones(3))
print(last_size)

# %% what is noted before an error is raised: tracing ends there
import logging

import jax
import jax.numpy as jnp

failed = []
log = logging.getLogger(__name__)


@jax.jit
def checked(x, sizes):
    if len(sizes) > 5:
        log.error("too many for %s", x)
        failed.append(x.shape)
        raise ValueError("too many")
    try:
        return jnp.dot(x, sizes[0])
    except TypeError as error:
        failed.append(str(error))
        raise


checked(jnp.ones(2), (jnp.ones(2),))

# %% a block that may be left before its error
import jax
import jax.numpy as jnp

failed = []


@jax.jit
def lenient(x, sizes, strict=False):
    if len(sizes) > 1:
        failed.append(x.shape)  #! JAX201
        log = [x.shape]
        log.append(len(sizes))
        if not strict:
            failed.append("gone on")  #! JAX201
            return x
        raise ValueError("too many")
    return x


lenient(jnp.ones(2), (1, 2))

# %% an error after which a handler goes on, and one that it raises again
import jax
import jax.numpy as jnp

seen = []


@jax.jit
def lenient(x, sizes):
    try:
        if len(sizes) > 1:
            seen.append(len(sizes))  #! JAX201
            raise ValueError("too many")
    except ValueError:
        pass
    try:
        if len(sizes) > 5:
            seen.append(len(sizes))
            raise ValueError("far too many")
    except ValueError as error:
        raise TypeError("give fewer") from error
    return x


lenient(jnp.ones(2), (1, 2))

# %% an error that another branch raises
import jax
import jax.numpy as jnp

seen = []


@jax.jit
def noted(x, sizes):
    if len(sizes) > 5:
        raise ValueError("too many")
    seen.append(len(sizes))  #! JAX201
    return x


noted(jnp.ones(2), (1, 2))

# %% frames that each trace pushes and pops, of a function that is traced in two ways
import jax
import jax.numpy as jnp

stack = []


class Scope:
    def __init__(self):
        self.seen = {}

    def note(self, name, x):
        self.seen[name] = x


def use(name):
    stack[-1].append(name)


@jax.jit
def forward(x):
    stack.append([])
    stack[-1].append("a")
    use("b")
    return x * len(stack.pop())


scopes = []


def scoped(x):
    scopes.append(Scope())
    scopes[-1].note("a", x)
    return sum(scopes.pop().seen.values())


forward(1.0), jax.grad(forward)(2.0), jax.vmap(forward)(jnp.ones(2))
jax.jit(scoped)(1.0), jax.jit(jax.grad(scoped))(2.0)

# %% a list that one trace makes, and a loop in it changes
import jax
import jax.numpy as jnp
from jax import lax


def noted(names, x):
    names.append("turn")  #! JAX201
    return x + 1


@jax.jit
def counted(x):
    names = []
    x = lax.fori_loop(0, 3, lambda i, x: noted(names, x), x)
    return x * len(names)


counted(1.0), jax.grad(counted)(2.0)

# %% the keys of a mapping of which nothing is known are no tracers
import json
import logging

import jax
import jax.numpy as jnp


@jax.jit
def loss(model, priors):
    picked = {k: jnp.where(f"{k}" == "a", model[k], 0) for k in model}
    logging.warning("%s", [k for k in model if k != "bias"])
    total = 0.0
    for k in model:
        total += model[k]
        logging.warning("%s", k)
    for k in model:
        if k in priors:
            logging.warning("%s has a prior", k)
        else:
            logging.warning("no prior provided for %s", k)
    for k in model:
        if k == "a":
            logging.warning("%s %s", k, model[k])  #! JAX201
    return total, picked


@jax.jit
def summed(layers):
    total = 0.0
    for layer in layers:
        total += layer
        logging.warning("%s", layer)  #! JAX201
    return total


loss(json.loads('{"a": 1.0}'), json.loads('{"a": 1.0}'))
summed(json.loads("[1.0, 2.0]"))

# %% a private attribute that is always set to the same, which is written out: the first call leaves what any does
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp


@dataclass
class Config:
    scale: float = 2.0


@dataclass
class Spec:
    kwargs: Any = field(default_factory=dict)
    _registry: dict = field(default_factory=lambda: {"scale": Config})
    _mode: str = ""

    def __post_init__(self):
        self._mode = "new"


def create(spec):
    spec._registry = {}
    spec._mode = "created"
    config = Config(**spec.kwargs) if isinstance(spec.kwargs, dict) else spec.kwargs
    spec.kwargs = config
    return lambda x: x * config.scale


spec = Spec({"scale": 3.0})
step = jax.jit(lambda x: create(spec)(x))
print(step(jnp.ones(2)), step(jnp.ones(2)), spec._mode)

# %% ... one that others set, or fill, or that the function reads
import jax
import jax.numpy as jnp


class Spec:
    def __init__(self):
        self._mode = "new"
        self._items = {"a": 1}
        self._state = None
        self.public = None

    def reset(self):
        self._mode = "reset"
        self._items["b"] = 2


def create(spec, x):
    spec._mode = "created"  #! JAX201
    spec._items = {}  #! JAX201
    y = x if spec._state is None else -x
    spec._state = "read"  #! JAX201
    spec.public = "anyone may set it"  #! JAX201
    return y


spec = Spec()
step = jax.jit(lambda x: create(spec, x))
for _ in range(2):
    print(step(jnp.ones(2)), spec._mode)
    spec.reset()

# %% what a dict gets and loses in one trace, by any of its methods, is not there after it
from collections import OrderedDict, defaultdict

import jax

SCRATCH = {}
STACK = {"kept": 1.0}
ORDERED = OrderedDict()
SOWN = defaultdict(list)


def put(name, value):
    SCRATCH[name] = value


class Net:
    def __init__(self):
        self.tmp = {}

    def forward(self, x):
        self.tmp["h"] = x * 2
        return self.head()

    def head(self):
        return self.tmp.pop("h") + 1


@jax.jit
def by_pop(x):
    SCRATCH["n"] = 2
    SCRATCH["h"] = x * 2
    return SCRATCH.pop("h") + SCRATCH.pop("n", None)


@jax.jit
def by_del(x):
    SCRATCH["h"] = x * 2
    y = SCRATCH["h"]
    del SCRATCH["h"]
    return y


@jax.jit
def by_clear(x):
    put("a", x)
    put("b", 2)
    y = SCRATCH["a"] * SCRATCH["b"]
    SCRATCH.clear()
    return y


@jax.jit
def by_item(x):
    ORDERED["a"] = x
    SCRATCH.update(b=x)
    SCRATCH.update({"c": x})
    return ORDERED.popitem()[1] + SCRATCH.pop("b") + SCRATCH.pop("c")


@jax.jit
def by_names(x):
    for name in ("a", "b"):
        STACK[name] = x
    y = sum(STACK[name] for name in STACK)
    for name in ("a", "b"):
        STACK.pop(name)
    return y


@jax.jit
def sown(x):
    SOWN["h"].append(x)
    SOWN["h"].append(x * 2)
    return sum(SOWN.pop("h"))


@jax.jit
def collected(x):
    SCRATCH.setdefault("h", []).append(x)
    SOWN["n"].append(1)
    SOWN.clear()
    y = SCRATCH["h"][0]
    del SCRATCH["h"]
    return y


net = Net()
run = jax.jit(net.forward)
for each in (by_pop, by_del, by_clear, by_item, by_names, sown, collected, run):
    print(each(1.0), each(2.0))

# %% ... what has another key is, and what was there before is lost once
import jax

TABLE = {"old": 1.0, "other": 2.0}
COUNTS = {}


@jax.jit
def loses(x):
    return x * TABLE.pop("old", 3.0)  #! JAX201


@jax.jit
def exchanges(x):
    TABLE["new"] = 2
    return x * TABLE.pop("other")  #! JAX201


@jax.jit
def counts(x):
    COUNTS.pop("n", None)  #! JAX201
    COUNTS["n"] = COUNTS.get("m", 0) + 1
    COUNTS["m"] = COUNTS["n"]
    return x


print(loses(1.0), exchanges(1.0), counts(1.0))

# %% what is saved and put back by `update` is there again, also in part
import copy

import jax

PARAMS = {"w": 1.0, "b": 2.0}
LIST = [1.0, 2.0]


@jax.jit
def cleared(w, x):
    saved = dict(PARAMS)
    PARAMS.update(w=w)
    y = PARAMS["w"] * x
    PARAMS.clear()
    PARAMS.update(saved)
    return y


@jax.jit
def copied(w, x):
    saved = PARAMS.copy()
    PARAMS["w"] = w
    try:
        return PARAMS["w"] * x
    finally:
        PARAMS.update(saved)


@jax.jit
def deeply(w, x):
    saved = copy.copy(PARAMS)
    PARAMS["new"] = w
    y = PARAMS["new"] * x
    PARAMS.clear()
    PARAMS.update(**saved)
    return y


@jax.jit
def in_part(params, x):
    old = {k: PARAMS[k] for k in params}
    PARAMS.update(params)
    y = PARAMS["w"] * x + PARAMS["b"]
    PARAMS.update(old)
    return y


@jax.jit
def written_out(w, x):
    old = {"w": PARAMS["w"]}
    PARAMS.update(w=w)
    y = PARAMS["w"] * x
    PARAMS.update(old)
    return y


@jax.jit
def of_list(x):
    saved = list(LIST)
    LIST.append(x)
    y = sum(LIST)
    LIST[:] = saved
    return y


@jax.jit
def of_emptied_list(x):
    saved = LIST[:]
    LIST.append(x)
    y = sum(LIST)
    LIST.clear()
    LIST.extend(saved)
    return y


print(cleared(2.0, 3.0), copied(2.0, 3.0), deeply(2.0, 3.0), written_out(2.0, 3.0))
print(in_part({"w": 2.0, "b": 1.0}, 3.0), of_list(2.0), of_emptied_list(2.0), PARAMS, LIST)

# %% ... what others update is written, once
import jax

STATE = {"n": 0, "m": 5}
OTHER = {"n": 7}


@jax.jit
def twice(x):
    STATE.update(n=1)  #! JAX201
    STATE.update(n=2)  #! JAX201
    return x


@jax.jit
def by_other(x):
    saved = dict(OTHER)
    STATE["m"] = 6
    STATE.update(saved)  #! JAX201
    return x


print(twice(1.0), by_other(1.0))

# %% a counter behind the yield of a context manager, and in __exit__
from contextlib import contextmanager

import jax
import jax.numpy as jnp

VISITS = {"attn": 0}


class Calls:
    count = 0


@contextmanager
def span(name):
    try:
        yield
    finally:
        VISITS[name] += 1  #! JAX201


class Counted:
    def __enter__(self):
        return self

    def __exit__(self, *exc):
        Calls.count += 1  #! JAX201


@jax.jit
def block(x):
    with span("attn"), Counted():
        return x + 1


block(jnp.ones(3))
print(VISITS)

# %% what leaving a context undoes: items taken out, attributes put back or reset, a slice of what was there
from contextlib import ExitStack, contextmanager

import jax
import jax.numpy as jnp

STACK = []
STATE = {"v": None, "n": 0}
POOL = [1, 2, 3]


class Held:
    value = None


@contextmanager
def pushed(x):
    STACK.append(x)
    yield
    STACK[:] = STACK[:-1]


@contextmanager
def stacked(x):
    with ExitStack() as stack:
        STACK.append(x)
        stack.callback(STACK.pop)
        yield


@contextmanager
def updated(x):
    old = dict(STATE)
    STATE.update(v=x)
    yield
    STATE.clear()
    STATE.update(old)


@contextmanager
def counted():
    STATE["n"] += 1
    yield
    STATE["n"] -= 1


@contextmanager
def reset():
    yield
    Held.value = None
    STACK.clear()


@contextmanager
def borrowed():
    one = POOL.pop()
    yield one
    POOL.append(one)


class Flag:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        Held.value = self.x

    def __exit__(self, *exc):
        Held.value = None


@jax.jit
def block(x):
    with reset(), pushed(x), stacked(x), updated(x), counted(), borrowed(), Flag(x):
        return x + 1


block(jnp.ones(3))
block(jnp.ones(4))
print(STACK, STATE, Held.value)

# %% what a context manager puts in place of a function while it is open counts for the manager
import contextlib

import jax


class Keys:
    draw = staticmethod(jax.random.normal)


@contextlib.contextmanager
def counted():
    count = [0]
    before = Keys.draw

    def draw(key):
        count[0] += 1
        return before(key)

    Keys.draw = draw
    try:
        yield lambda: count[0]
    finally:
        Keys.draw = before


def noise(key):
    return Keys.draw(key)


with counted() as count:
    jax.jit(noise)(jax.random.key(0))
print(count())

# %% the text of a log record is given by its keyword
import logging

import jax
import jax.numpy as jnp

logger = logging.getLogger(__name__)


@jax.jit
def step(logits):
    logging.info(msg=f"logits={logits}")  #! JAX201
    logging.log(logging.INFO, msg=f"logits={logits}")  #! JAX201
    logging.log(level=logging.INFO, msg=f"logits={logits}")  #! JAX201
    logger.warning(msg="logits " + str(logits))  #! JAX201
    logger.info(msg=logits)  #! JAX201
    options = {"msg": f"{logits}"}
    logger.info(**options)  #! JAX201
    logger.info(*("%s", logits))  #! JAX201
    return logits * 2.0


step(jnp.ones(3))

# %% ... but what a record only has beside its text is not shown, nor is a shape a tracer
import logging

import jax
import jax.numpy as jnp

logger = logging.getLogger(__name__)


@jax.jit
def step(logits):
    logging.info(msg="step")
    logging.info(msg=f"logits of {logits.shape}")
    logger.info(msg="step", extra={"logits": logits})
    logger.info("step", extra={"logits": logits}, stack_info=False)
    return logits * 2.0


step(jnp.ones(3))

# %% norun absl is not a dependency: its loggers, of some records or by keyword
import jax
import jax.numpy as jnp
from absl import logging


@jax.jit
def step(logits):
    logging.info(msg=f"logits={logits}")  #! JAX201
    logging.log(logging.INFO, msg=f"logits={logits}")  #! JAX201
    logging.log_first_n(logging.INFO, "logits %s", 3, logits)  #! JAX201
    logging.log_every_n(logging.INFO, f"logits {logits}", 3)  #! JAX201
    logging.log_if(logging.INFO, f"logits {logits}", True)  #! JAX201
    logging.log_first_n(logging.INFO, "logits of %s", 3, logits.shape)
    return logits * 2.0


step(jnp.ones(3))

# %% norun an object that stands in for one that nobody gives keeps the logger that is its default
import logging

import jax

logger = logging.getLogger(__name__)


class Reporter:
    def __init__(self, log=logger, prefix="train"):
        self.log = log
        self.prefix = prefix

    def __call__(self, step, loss):
        self.log.info("%s: step %s loss %s", self.prefix, step, loss)  #! JAX201


def make_step(report):
    @jax.jit
    def step(i, x):
        report(i, x.sum())
        return x * 2

    return step


def fit(batches, report=None):
    step = make_step(report or Reporter())
    return [step(i, x) for i, x in enumerate(batches)]

# %% a record of settings that each trace makes again, and a size that only itself is computed from
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Criteria(NamedTuple):
    tolerance: float
    limit: int = 100


class Queue:
    def __init__(self, capacity):
        self._capacity = capacity
        self._size = 0

    def insert(self, data, samples):
        self._criteria = Criteria(tolerance=0.5 * self._capacity)
        self._size = min(self._capacity, self._size + samples.shape[0])
        return jax.lax.dynamic_update_slice_in_dim(data, samples, 0, axis=0) * self._criteria.tolerance


queue = Queue(8)
insert = jax.jit(queue.insert)
print(insert(jnp.zeros(8), jnp.ones(3)), insert(jnp.zeros(8), jnp.ones(3)))

# %% raises-elsewhere a size that other code reads, and a record of what is counted
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Progress(NamedTuple):
    count: int
    last: jax.Array


class Queue:
    def __init__(self, capacity):
        self.capacity = capacity
        self.size = 0
        self.progress = Progress(0, jnp.zeros(3))

    def insert(self, data, samples):
        self.size = min(self.capacity, self.size + samples.shape[0])  #! JAX201
        self.progress = Progress(self.size, samples)  #! JAX203
        return jax.lax.dynamic_update_slice_in_dim(data, samples, 0, axis=0)


queue = Queue(8)
insert = jax.jit(queue.insert)
insert(jnp.zeros(8), jnp.ones(3))
insert(jnp.zeros(8), jnp.ones(3))
assert queue.size == 3
print(queue.progress.last + 1)

# %% a position that is read where it is counted on
import jax


class Reader:
    def __init__(self):
        self._position = 0

    def read(self, x):
        self._position = (at := self._position) + 1  #! JAX201
        return x * at


read = jax.jit(Reader().read)
assert [int(read(1)) for _ in range(2)] == [0, 0]
