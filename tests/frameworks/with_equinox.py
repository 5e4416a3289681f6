# %% a training loop as the guides write it: jitted step, filtered gradient, optimiser of the arrays only
import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class MLP(eqx.Module):
    layers: list
    dropout_rate: float = eqx.field(static=True)

    def __init__(self, sizes, key, dropout_rate=0.0):
        keys = jax.random.split(key, len(sizes) - 1)
        self.layers = [eqx.nn.Linear(a, b, key=k) for a, b, k in zip(sizes[:-1], sizes[1:], keys)]
        self.dropout_rate = dropout_rate

    def __call__(self, x):
        for layer in self.layers[:-1]:
            x = jax.nn.relu(layer(x))
        if self.dropout_rate > 0.5:
            x = x * 0.5
        return self.layers[-1](x)


@eqx.filter_value_and_grad
def loss_fn(model, x, y):
    return jnp.mean((jax.vmap(model)(x) - y) ** 2)


@eqx.filter_jit
def make_step(model, opt_state, x, y):
    loss, grads = loss_fn(model, x, y)
    updates, opt_state = optim.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def batches(x, y, size, key):
    while True:
        key, sub = jax.random.split(key)
        order = jax.random.permutation(sub, x.shape[0])
        for start in range(0, x.shape[0], size):
            chosen = order[start : start + size]
            yield x[chosen], y[chosen]


model_key, data_key, loader_key = jax.random.split(jax.random.key(0), 3)
x = jax.random.normal(data_key, (32, 4))
y = x.sum(axis=1, keepdims=True)
model = MLP([4, 8, 1], model_key)
optim = optax.adam(1e-2)
opt_state = optim.init(eqx.filter(model, eqx.is_inexact_array))
best = float("inf")
for step, (xb, yb) in zip(range(20), batches(x, y, 8, loader_key)):
    model, opt_state, loss = make_step(model, opt_state, xb, yb)
    if step % 5 == 0:
        print(f"{step} {loss:.4f} {float(loss):.3e}")
    if loss < best:
        best = loss.item()
    if float(loss) < 1e-6:
        break

# %% a field of a module is traced by filter_jit where it is an array: a branch on it raises
import equinox as eqx
import jax
import jax.numpy as jnp


class Scale(eqx.Module):
    factor: jax.Array

    def __call__(self, x):
        if self.factor > 0:  #! JAX101
            return x * self.factor
        return x


@eqx.filter_jit
def run(model, x):
    return model(x)


run(Scale(jnp.asarray(2.0)), jnp.ones(3))

# %% a field of a module that is a Python number stays one in filter_jit: a branch on it is static
import equinox as eqx
import jax
import jax.numpy as jnp


class Scale(eqx.Module):
    factor: float
    times: int
    name: str
    weight: jax.Array

    def __call__(self, x):
        if self.factor > 0 and self.name == "scale":
            x = x * self.factor
        for _ in range(self.times):
            x = x + self.weight
        return x * float(self.factor)


@eqx.filter_jit
def run(model, x):
    return model(x)


run(Scale(2.0, 3, "scale", jnp.ones(3)), jnp.ones(3))

# %% jax.jit traces the Python numbers of a module too
import equinox as eqx
import jax
import jax.numpy as jnp


class Scale(eqx.Module):
    factor: float

    def __call__(self, x):
        if self.factor > 0:  #! JAX101
            return x * self.factor
        return x


@jax.jit
def run(model, x):
    return model(x)


run(Scale(2.0), jnp.ones(3))

# %% a static field stays as it is in jax.jit
import equinox as eqx
import jax
import jax.numpy as jnp


class Repeat(eqx.Module):
    weight: jax.Array
    times: int = eqx.field(static=True)
    mode: str = eqx.field(static=True, default="add")

    def __call__(self, x):
        for _ in range(self.times):
            x = x + self.weight if self.mode == "add" else x * self.weight
        return x


@jax.jit
def run(model, x):
    return model(x)


run(Repeat(jnp.ones(3), 2), jnp.ones(3))

# %% a jitted method of a module: self is traced, its static fields are not
import equinox as eqx
import jax
import jax.numpy as jnp


class Filter(eqx.Module):
    taps: jax.Array
    order: int = eqx.field(static=True)

    @eqx.filter_jit
    def __call__(self, x):
        for i in range(self.order):
            x = x + self.taps[i]
        return x

    @jax.jit
    def energy(self):
        return jnp.sum(self.taps**2)


f = Filter(jnp.arange(3.0), 3)
f(jnp.ones(2))
print(f"{f.energy():.2f}")

# %% a jitted method that casts what it computes from an array field
import equinox as eqx
import jax
import jax.numpy as jnp


class Filter(eqx.Module):
    taps: jax.Array

    @eqx.filter_jit
    def energy(self):
        return float(jnp.sum(self.taps**2))  #! JAX105


Filter(jnp.arange(3.0)).energy()

# %% partition and combine: the arrays go through jax.jit, the rest is closed over
import equinox as eqx
import jax
import jax.numpy as jnp

model = eqx.nn.MLP(2, 1, 8, 2, key=jax.random.key(0))
params, static = eqx.partition(model, eqx.is_array)


@jax.jit
def loss(params, x):
    model = eqx.combine(params, static)
    return jnp.mean(jax.vmap(model)(x) ** 2)


grads = jax.grad(loss)(params, jnp.ones((4, 2)))
params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
value = loss(params, jnp.ones((4, 2)))
if value < 1.0:
    print(f"loss {value:.3f}")

# %% tree_at gives a new module: its result thrown away changes nothing
import equinox as eqx
import jax
import jax.numpy as jnp

linear = eqx.nn.Linear(2, 2, key=jax.random.key(0))
eqx.tree_at(lambda m: m.bias, linear, jnp.zeros(2))  #! JAX502
linear = eqx.tree_at(lambda m: m.weight, linear, replace_fn=lambda w: w * 0.5)
linear(jnp.ones(2))

# %% dropout with a key for each step: the key of the loop is split
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    first: eqx.nn.Linear
    second: eqx.nn.Linear
    dropout: eqx.nn.Dropout

    def __init__(self, key):
        k1, k2 = jax.random.split(key)
        self.first = eqx.nn.Linear(3, 8, key=k1)
        self.second = eqx.nn.Linear(8, 1, key=k2)
        self.dropout = eqx.nn.Dropout(0.1)

    def __call__(self, x, key=None):
        h = jax.nn.relu(self.first(x))
        h = self.dropout(h, key=key, inference=key is None)
        return self.second(h)


@eqx.filter_jit
def step(model, x, key):
    keys = jax.random.split(key, x.shape[0])
    return jnp.mean(jax.vmap(model)(x, keys))


key = jax.random.key(0)
key, init = jax.random.split(key)
model = Net(init)
losses = []
for _ in range(3):
    key, sub = jax.random.split(key)
    losses.append(step(model, jnp.ones((4, 3)), sub))
print(sum(losses) / len(losses))
test_model = eqx.nn.inference_mode(model)
print(test_model(jnp.ones(3)))

# %% two layers made of one key have the same weights
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    weight: jax.Array
    bias: jax.Array

    def __init__(self, key):
        self.weight = jax.random.normal(key, (3, 3))
        self.bias = jax.random.normal(key, (3,))  #! JAX301

    def __call__(self, x):
        return jnp.matmul(self.weight, x) + self.bias


Net(jax.random.key(0))(jnp.ones(3))

# %% batch norm: the state goes in and comes out of the jitted step
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    linear: eqx.nn.Linear
    norm: eqx.nn.BatchNorm

    def __init__(self, key):
        self.linear = eqx.nn.Linear(3, 4, key=key)
        self.norm = eqx.nn.BatchNorm(4, axis_name="batch", mode="ema")

    def __call__(self, x, state):
        x = self.linear(x)
        x, state = self.norm(x, state)
        return jnp.sum(x), state


@eqx.filter_jit
@eqx.filter_grad(has_aux=True)
def grad(model, state, x):
    out, state = jax.vmap(model, axis_name="batch", in_axes=(0, None), out_axes=(0, None))(x, state)
    return jnp.mean(out), state


model, state = eqx.nn.make_with_state(Net)(jax.random.key(0))
for _ in range(2):
    grads, state = grad(model, state, jnp.ones((5, 3)))

# %% a counter kept in a StateIndex is traced
import equinox as eqx
import jax
import jax.numpy as jnp


class Counter(eqx.Module):
    index: eqx.nn.StateIndex

    def __init__(self):
        self.index = eqx.nn.StateIndex(jnp.array(0))

    def __call__(self, x, state):
        count = state.get(self.index)
        state = state.set(self.index, count + 1)
        return x + count, state


@eqx.filter_jit
def run(model, x, state):
    return model(x, state)


counter, state = eqx.nn.make_with_state(Counter)()
for _ in range(3):
    out, state = run(counter, jnp.ones(2), state)

# %% filter_grad alone keeps values: conditions can be read, NumPy's functions cannot be given them
import equinox as eqx
import jax
import jax.numpy as jnp
import math


class Scale(eqx.Module):
    factor: jax.Array


@eqx.filter_grad
def loss(model, x):
    if model.factor > 0:
        x = x * 2
    return jnp.sum(x * model.factor)


@eqx.filter_grad
def bad(model, x):
    return jnp.sum(x) * math.exp(model.factor)  #! JAX107


loss(Scale(jnp.asarray(1.0)), jnp.ones(3))
bad(Scale(jnp.asarray(1.0)), jnp.ones(3))

# %% a function with settings: what is no array is static in filter_jit
import equinox as eqx
import jax
import jax.numpy as jnp


@eqx.filter_jit
def run(x, steps, mode, activation, *, debug=False):
    for _ in range(steps):
        x = activation(x)
    if mode == "mean":
        return x.mean()
    if debug:
        print(x)  #! JAX202
    return x.sum()


run(jnp.ones(3), 3, "mean", jax.nn.relu)
run(jnp.ones(3), 2, "sum", jax.nn.tanh, debug=True)

# %% an array argument of filter_jit is traced
import equinox as eqx
import jax.numpy as jnp


@eqx.filter_jit
def run(x, limit):
    while x.sum() > limit:  #! JAX102
        x = x / 2
    return x


run(jnp.ones(3), 1.0)

# %% filter_jit of a bound method, filter_vmap of modules made together
import equinox as eqx
import jax
import jax.numpy as jnp


@eqx.filter_vmap
def make_ensemble(key):
    return eqx.nn.MLP(2, 1, 4, 1, key=key)


@eqx.filter_vmap(in_axes=(eqx.if_array(0), None))
def evaluate_ensemble(model, x):
    return model(x)


ensemble = make_ensemble(jax.random.split(jax.random.key(0), 3))
out = eqx.filter_jit(evaluate_ensemble)(ensemble, jnp.ones(2))
assert out.shape == (3, 1)
if out.mean() > 100:
    raise ValueError("diverged")

# %% layers scanned over: arrays of stacked blocks in lax.scan, the static part combined again
import equinox as eqx
import jax
import jax.numpy as jnp


class Block(eqx.Module):
    linear: eqx.nn.Linear
    residual: bool = eqx.field(static=True)

    def __init__(self, key, residual=True):
        self.linear = eqx.nn.Linear(4, 4, key=key)
        self.residual = residual

    def __call__(self, x):
        y = jnp.tanh(self.linear(x))
        return x + y if self.residual else y


class Stack(eqx.Module):
    blocks: Block

    def __init__(self, depth, key):
        self.blocks = eqx.filter_vmap(Block)(jax.random.split(key, depth))

    def __call__(self, x):
        dynamic, static = eqx.partition(self.blocks, eqx.is_array)

        def body(x, block):
            return eqx.combine(block, static)(x), None

        return jax.lax.scan(body, x, dynamic)[0]


eqx.filter_jit(Stack(3, jax.random.key(0)))(jnp.ones(4))

# %% error_if in place of an assertion on a traced value
import equinox as eqx
import jax.numpy as jnp


@eqx.filter_jit
def good(x):
    x = eqx.error_if(x, jnp.any(x < 0), "negative")
    return jnp.sqrt(x)


@eqx.filter_jit
def bad(x):
    assert x.min() >= 0  #! JAX101
    return jnp.sqrt(x)


good(jnp.ones(3))
bad(jnp.ones(3))

# %% evaluation over a generator of NumPy batches, averaged with NumPy outside of jit
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np


@eqx.filter_jit
def evaluate(model, x, y):
    pred = jax.vmap(model)(x)
    return jnp.mean((pred - y) ** 2), jnp.mean(jnp.abs(pred - y))


def loader(n):
    rng = np.random.default_rng(0)
    for _ in range(n):
        x = rng.normal(size=(4, 2)).astype("float32")
        yield x, x.sum(axis=1, keepdims=True)


model = eqx.nn.MLP(2, 1, 8, 1, key=jax.random.key(0))
history = {"mse": [], "mae": []}
for x, y in loader(3):
    mse, mae = evaluate(model, x, y)
    history["mse"].append(mse)
    history["mae"].append(mae.item())
mean = np.mean(history["mse"])
print("mse %.3f mae %.3f" % (mean, np.mean(history["mae"])))
if mean > 1e6 or np.isnan(mean):
    raise RuntimeError("diverged")

# %% NumPy inside of the evaluation itself cannot take what is traced
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np


@eqx.filter_jit
def evaluate(model, x):
    pred = jax.vmap(model)(x)
    return np.mean(np.asarray(pred))  #! JAX106


evaluate(eqx.nn.Linear(2, 1, key=jax.random.key(0)), jnp.ones((4, 2)))

# %% a module is frozen: a method that gives a changed copy, and one list of losses that grows outside of jit
import equinox as eqx
import jax
import jax.numpy as jnp


class Average(eqx.Module):
    total: jax.Array
    count: jax.Array

    def add(self, value):
        return Average(self.total + value, self.count + 1)

    def value(self):
        return self.total / self.count


add = eqx.filter_jit(Average.add)
average = Average(jnp.zeros(()), jnp.zeros((), int))
seen = []
for i in range(3):
    average = add(average, jnp.asarray(float(i)))
    seen.append(average.value())
    if average.count >= 3:
        break
print(jnp.stack(seen), int(average.count), f"{average.value():.2f}")

# %% a list that is not in the module and grows in the jitted step: once for each trace
import equinox as eqx
import jax.numpy as jnp

seen = []


@eqx.filter_jit
def step(x):
    y = x * 2
    seen.append(1)  #! JAX201
    return y


for _ in range(3):
    step(jnp.ones(2))

# %% checkpoints: what is written and read back outside of jit
import io

import equinox as eqx
import jax
import jax.numpy as jnp

model = eqx.nn.MLP(2, 1, 4, 1, key=jax.random.key(0))
buffer = io.BytesIO()
eqx.tree_serialise_leaves(buffer, model)
buffer.seek(0)
like = eqx.filter_eval_shape(eqx.nn.MLP, 2, 1, 4, 1, key=jax.random.key(0))
model = eqx.tree_deserialise_leaves(buffer, like)
sizes = [leaf.size for leaf in jax.tree.leaves(eqx.filter(model, eqx.is_array))]
if sum(sizes) > 5:
    print(f"{sum(sizes):,} parameters", model(jnp.ones(2)))

# %% a converter makes an array of a number: filter_jit traces it then
import equinox as eqx
import jax
import jax.numpy as jnp


class Scale(eqx.Module):
    factor: jax.Array = eqx.field(converter=jnp.asarray)

    def __call__(self, x):
        return jnp.where(self.factor > 0, x * self.factor, x)


@eqx.filter_jit
def run(model, x):
    return model(x)


run(Scale(2.0), jnp.ones(3))

# %% an abstract module with an implementation that reads its own fields
import abc

import equinox as eqx
import jax
import jax.numpy as jnp


class Activation(eqx.Module):
    name: eqx.AbstractVar[str]

    @abc.abstractmethod
    def __call__(self, x): ...


class Leaky(Activation):
    slope: jax.Array
    name: str

    def __call__(self, x):
        if self.name != "leaky":
            return x
        return jnp.where(x > 0, x, self.slope * x)


@eqx.filter_jit
def run(act, x):
    return act(x)


run(Leaky(jnp.asarray(0.1), "leaky"), jnp.ones(3))

# %% filter_vmap: what is mapped is traced, a number that is passed stays one
import equinox as eqx
import jax.numpy as jnp


@eqx.filter_vmap(in_axes=(0, None))
def good(x, n):
    for _ in range(n):
        x = jnp.sin(x)
    return x


@eqx.filter_vmap
def bad(x):
    if x > 0:  #! JAX101
        return x
    return -x


good(jnp.ones(3), 2)
bad(jnp.ones(3))

# %% concrete arrays in what a layer is made from: their values are known in jit as long as nothing is computed
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

table = jnp.arange(3.0)
linear = eqx.nn.Linear(3, 2, key=jax.random.key(0))
identity = eqx.nn.Dropout(0.5, inference=True)


@jax.jit
def run(x):
    kept = identity(table)
    scale = np.asarray(kept).max()
    if linear.use_bias and linear.out_features > 1:
        x = linear(x)
    return x * float(scale) + float(table[0:1].size)


run(jnp.ones(3))

# %% what a filter_jit gives is what it was where it is no array: strings, numbers, functions, None
import equinox as eqx
import jax
import jax.numpy as jnp


@eqx.filter_jit
def build(x, n):
    return {"x": x * 2, "n": n, "name": "built", "f": jax.nn.relu, "none": None}


out = build(jnp.ones(2), 3)
for _ in range(out["n"]):
    if out["name"] == "built" and out["none"] is None:
        x = out["f"](out["x"])
if x[0] > 1:
    print(f"{x.sum():.2f} {out['n']:d}")


@jax.jit
def outer(x):
    made = build(x, 3)
    for _ in range(made["n"]):
        x = x + made["x"]
    if made["x"].sum() > 0:  #! JAX101
        return x
    return -x


outer(jnp.ones(2))

# %% auxiliary values of filter_value_and_grad: Python's stay Python's, arrays are read outside
import equinox as eqx
import jax
import jax.numpy as jnp


@eqx.filter_value_and_grad(has_aux=True)
def loss_fn(model, x, scale):
    y = jax.vmap(model)(x) * scale
    return jnp.mean(y**2), {"mean": y.mean(), "count": x.shape[0], "mode": "train"}


model = eqx.nn.MLP(2, 1, 4, 1, key=jax.random.key(0))
(loss, aux), grads = loss_fn(model, jnp.ones((3, 2)), 2.0)
if aux["mode"] == "train" and aux["count"] > 2:
    print(f"{aux['mean']:.2f} {float(loss):.2f} {aux['count']:d}")
for _ in range(aux["count"]):
    model = eqx.apply_updates(model, jax.tree.map(lambda g: -0.1 * g, grads))

# %% layers of several kinds in a row, told apart by their class
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    layers: tuple

    def __init__(self, key):
        k1, k2 = jax.random.split(key)
        self.layers = (
            eqx.nn.Conv2d(1, 2, 3, key=k1),
            jax.nn.relu,
            jnp.ravel,
            eqx.nn.Dropout(0.2),
            eqx.nn.Linear(8, 2, key=k2),
            jax.nn.log_softmax,
        )

    def __call__(self, x, key):
        for layer in self.layers:
            if isinstance(layer, eqx.nn.Dropout):
                key, sub = jax.random.split(key)
                x = layer(x, key=sub)
            elif isinstance(layer, eqx.Module):
                x = layer(x)
            else:
                x = layer(x)
        return x


@eqx.filter_jit
def run(net, x, key):
    return net(x, key)


out = run(Net(jax.random.key(0)), jnp.ones((1, 4, 4)), jax.random.key(1))
if out.argmax() == 1:
    print("one")

# %% an ODE-like solver: a while loop outside of jit around jitted steps, with a step size that adapts
import equinox as eqx
import jax
import jax.numpy as jnp


class Field(eqx.Module):
    net: eqx.nn.MLP
    damping: float

    def __call__(self, t, y):
        return self.net(y) - self.damping * y


@eqx.filter_jit
def step(field, t, y, dt):
    k1 = field(t, y)
    k2 = field(t + dt, y + dt * k1)
    return y + dt * (k1 + k2) / 2, jnp.max(jnp.abs(k2 - k1)) * dt


field = Field(eqx.nn.MLP(2, 2, 4, 1, key=jax.random.key(0)), 0.5)
t, dt, y = 0.0, 0.1, jnp.ones(2)
path = [y]
while t < 0.5:
    candidate, error = step(field, t, y, dt)
    if error > 1e-1:
        dt = dt / 2
        continue
    y, t = candidate, t + dt
    path.append(y)
    dt = min(dt * 1.5, 0.5 - t + 1e-9)
    if not jnp.isfinite(y).all():
        raise RuntimeError(f"{t:.2f}")
    if t >= 0.5 - 1e-6:
        break
print(jnp.stack(path).shape)

# %% filter_vmap of strings, functions and numbers beside the arrays
import equinox as eqx
import jax.numpy as jnp


def f(x, scale, names, act):
    if scale > 1 and names[0] == "a":
        x = act(x) * scale
    return x, scale


out, s = eqx.filter_vmap(f)(jnp.ones(3), 2.0, ["a"], jnp.sin)
g = eqx.filter_vmap(f, in_axes=(0, None, None, None))
out, s = eqx.filter_jit(g)(jnp.ones(3), 2.0, ["a"], jnp.sin)
h = eqx.filter_vmap(lambda x, y: x if y > 0 else -x, in_axes=(0, None))
h(jnp.ones(3), jnp.asarray(1.0))
k = eqx.filter_vmap(lambda d: d["x"] if d["n"] > 0 else -d["x"], in_axes=({"x": 0, "n": None},))
k({"x": jnp.ones(3), "n": jnp.asarray(1.0)})

# %% integers are not differentiated: they can be read under filter_grad
import equinox as eqx
import jax
import jax.numpy as jnp


class M(eqx.Module):
    w: jax.Array
    steps: jax.Array
    n: int


def loss(m, x):
    if m.n > 1 and int(m.steps) > 2:
        x = x * 2
    for _ in range(int(m.steps)):
        x = x + 1
    return jnp.sum(m.w * x)


eqx.filter_grad(loss)(M(jnp.ones(2), jnp.asarray(3), 2), jnp.ones(2))
(v, g) = eqx.filter_value_and_grad(loss)(M(jnp.ones(2), jnp.asarray(3), 2), jnp.ones(2))
if v > 1 and float(g.w.sum()) > 1:
    print(f"{v:.2f}")

# %% metrics of a step as a dict with an int among them, unpacked, zipped and averaged
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np


class Critic(eqx.Module):
    net: eqx.nn.MLP
    gamma: float = eqx.field(static=True)

    def __call__(self, obs):
        return self.net(obs)

    def td(self, batch):
        target = batch["r"] + self.gamma * jax.vmap(self)(batch["o"]).squeeze(-1)
        return target


@eqx.filter_jit
def metrics(critic, batch):
    td = critic.td(batch)
    return {"td": td.mean(), "max": td.max(), "n": len(td)}, td


c = Critic(eqx.nn.MLP(2, 1, 4, 1, key=jax.random.key(0)), 0.9)
log = {}
for i in range(2):
    m, td = metrics(c, {"r": jnp.ones(3), "o": jnp.ones((3, 2))})
    for k, v in m.items():
        log.setdefault(k, []).append(float(v))
    if np.any(np.isnan(td)) or m["max"] > 10:
        break
    print(" | ".join(f"{k} {np.mean(v):.3f}" for k, v in log.items()), m["n"])
    for t, d in zip(td, range(m["n"])):
        print(f"{t:.2f}", d)

# %% layers with and without state in one list, and a loop until enough losses are there
import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class Net(eqx.Module):
    layers: list

    def __init__(self, key):
        k1, k2 = jax.random.split(key)
        self.layers = [
            eqx.nn.Linear(3, 4, key=k1),
            eqx.nn.BatchNorm(4, "b", mode="ema"),
            jax.nn.relu,
            eqx.nn.Linear(4, 1, key=k2),
        ]

    def __call__(self, x, state):
        for l in self.layers:
            if isinstance(l, eqx.nn.StatefulLayer) and l.is_stateful():
                x, state = l(x, state)
            else:
                x = l(x)
        return x, state


def loss(model, state, x):
    out, state = jax.vmap(model, axis_name="b", in_axes=(0, None), out_axes=(0, None))(x, state)
    return jnp.mean(out**2), state


opt = optax.adam(1e-2)


@eqx.filter_jit
def step(model, state, opt_state, x):
    (l, state), g = eqx.filter_value_and_grad(loss, has_aux=True)(model, state, x)
    up, opt_state = opt.update(g, opt_state, model)
    return eqx.apply_updates(model, up), state, opt_state, l


model, state = eqx.nn.make_with_state(Net)(jax.random.key(0))
opt_state = opt.init(eqx.filter(model, eqx.is_inexact_array))
hist = []
while len(hist) < 3:
    model, state, opt_state, l = step(model, state, opt_state, jnp.ones((5, 3)))
    hist.append(l)
    if l < 1e-8:
        break
best = min(hist)
print(f"{best:.3f}", sorted(hist)[0] < 1, max(float(h) for h in hist))
inf = eqx.nn.inference_mode(model)

# %% what one jitted function gives another: the array is traced there, the int is none
import equinox as eqx
import jax.numpy as jnp


@eqx.filter_jit
def inner(x):
    return x * 2, x.shape[0]


@eqx.filter_jit
def outer(x):
    y, n = inner(x)
    if n > 1:
        y = y + 1
    print(f"{y.sum():.2f}")  #! JAX105
    return y


outer(jnp.ones(2))

# %% filter_jit with options, by partial, and of a lambda
from functools import partial

import equinox as eqx
import jax.numpy as jnp


@eqx.filter_jit(donate="all-except-first")
def f(n, x):
    for _ in range(n):
        x = x + 1
    return x


if f(3, jnp.ones(2))[0] > 2:
    print(1)


@partial(eqx.filter_jit, donate="none")
def g(cfg, x):
    if cfg["mode"] == "a" and cfg["k"] > 1:
        x = x * cfg["k"]
    return x, cfg


y, cfg = g({"mode": "a", "k": 2}, jnp.ones(2))
for _ in range(cfg["k"]):
    pass
h = eqx.filter_jit(lambda t: (t[0] + 1, t[1]))
while True:
    y, k = h((y, 3))
    if y[0] > 10 and k == 3:
        break

# %% filtered transforms that only look
import equinox as eqx
import jax.numpy as jnp


def f(x, n):
    return x * n if n > 1 else x


jaxpr, out, _ = eqx.filter_make_jaxpr(f)(jnp.ones(2), 3)
s = eqx.filter_eval_shape(f, jnp.ones(2), 3)
p, t = eqx.filter_jvp(lambda x: x * 2, (jnp.ones(2),), (jnp.ones(2),))
o, vjp = eqx.filter_vjp(lambda x: x * 2, jnp.ones(2))
if p[0] > 1 and o[0] > 1 and s.shape == (2,):
    print(vjp(o))

# %% a plain class whose method is under filter_jit: self is no array, so it is static
import equinox as eqx
import jax.numpy as jnp


class Loss:
    def __init__(self, scale):
        self.scale = scale

    @eqx.filter_jit
    def __call__(self, params, x):
        return self.scale * jnp.mean((params * x) ** 2)


print(Loss(2.0)(jnp.ones(3), jnp.arange(3.0)))

# %% functions that are traced by filter_make_jaxpr and filter_eval_shape, and rules of custom derivatives
import equinox as eqx
import jax
import jax.numpy as jnp


def shape_of(x):
    print(x)  #! JAX202
    return x * 2


def program_of(x, n):
    print(x)  #! JAX202
    print(n)
    return x * n


@eqx.filter_custom_vjp
def clip(x):
    return x * 2


@clip.def_fwd
def clip_forward(perturbed, x):
    print(x)  #! JAX202
    print(perturbed)
    return x * 2, None


@clip.def_bwd
def clip_backward(residuals, g, perturbed, x):
    print(g)  #! JAX202
    return g * 2


@eqx.filter_custom_jvp
def twice(x):
    return x * 2


@twice.def_jvp
def twice_rule(primals, tangents):
    print(tangents)  #! JAX202
    return primals[0] * 2, tangents[0] * 2


eqx.filter_eval_shape(shape_of, jnp.ones(()))
eqx.filter_make_jaxpr(program_of)(jnp.ones(()), 3)
jax.jit(jax.grad(clip))(1.0)
jax.jit(jax.grad(twice))(1.0)

# %% tree_at gives a module with another leaf; what it leaves stays what it was
import equinox as eqx
import jax
import jax.numpy as jnp


class Inner(eqx.Module):
    w: jax.Array
    n: int = eqx.field(static=True)


class Outer(eqx.Module):
    inner: Inner
    b: jax.Array


@eqx.filter_jit
def step(model, x):
    model = eqx.tree_at(lambda m: m.inner.w, model, x)
    model = eqx.tree_at(lambda m: (m.b,), model, (x + 1,))
    if model.inner.n > 1:
        x = x * 2
    if model.inner.w[0] > 0:  #! JAX101
        x = x + model.b
    return x


step(Outer(Inner(jnp.ones(2), 3), jnp.ones(2)), jnp.ones(2))

# %% loops of equinox.internal
import equinox.internal as eqxi
import jax.numpy as jnp


def test(x):
    return x < 3


def body(x):
    print(x)  #! JAX202
    return x + 1


def step(carry, x):
    print(carry)  #! JAX202
    return carry + 1, x


eqxi.while_loop(test, body, jnp.ones(()), kind="lax")
eqxi.scan(step, jnp.ones(()), jnp.ones(3), kind="lax")

# %% partition and combine: arrays are traced, all else stays, in whatever they are put together to
import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class Net(eqx.Module):
    weight: jax.Array
    layer: eqx.nn.Linear
    depth: int

    def __init__(self, key):
        self.weight = jnp.ones(3)
        self.layer = eqx.nn.Linear(3, 3, key=key)
        self.depth = 2

    def __call__(self, x):
        print(self.weight)  #! JAX202
        print(self.depth)
        y = self.layer(x)
        print(y)  #! JAX202
        return self.weight * y


def loss(model, x):
    return jnp.sum(jax.vmap(model)(x))


@eqx.filter_jit
def step(model, state, x, tx):
    value, grads = eqx.filter_value_and_grad(loss)(model, x)
    print(value)  #! JAX202
    arrays, rest = eqx.partition(model, eqx.is_inexact_array)
    print(arrays.weight)  #! JAX202
    print(rest.depth, rest.weight)
    print(eqx.combine(arrays, rest).depth)
    updates, state = tx.update(eqx.filter(grads, eqx.is_array), state, arrays)
    model = eqx.apply_updates(model, updates)
    print(model.weight)  #! JAX202
    print(model.depth)
    model = eqx.tree_at(lambda m: m.weight, model, replace_fn=lambda weight: weight * 2)
    print(model.weight)  #! JAX202
    doubled = jax.tree.map(lambda leaf: leaf * 2 if eqx.is_array(leaf) else leaf, model)
    print(doubled.weight)  #! JAX202
    print(doubled.depth)
    return model, state


model = Net(jax.random.key(0))
tx = optax.adam(1e-3)
step(model, tx.init(eqx.filter(model, eqx.is_inexact_array)), jnp.ones((2, 3)), tx)
arrays, rest = eqx.partition(model, eqx.is_array)


@jax.jit
def applied(arrays, x):
    whole = eqx.combine(arrays, rest)
    print(whole.weight)  #! JAX202
    print(whole.depth)
    return whole(x)


def body(carry, x):
    arrays, y = carry
    y = eqx.combine(arrays, rest)(x)
    print(y)  #! JAX202
    return (arrays, y), None


print(applied(arrays, jnp.ones(3)))
jax.lax.scan(body, (arrays, jnp.ones(3)), jnp.ones((2, 3)))

# %% the updated model of apply_updates is dropped
import equinox as eqx
import jax
import jax.numpy as jnp
import optax

model = eqx.nn.Linear(2, 1, key=jax.random.key(0))
optim = optax.sgd(0.1)
opt_state = optim.init(eqx.filter(model, eqx.is_array))
for _ in range(2):
    grads = eqx.filter_grad(lambda m, x: jnp.sum(m(x)))(model, jnp.ones(2))
    updates, opt_state = optim.update(grads, opt_state)
    eqx.apply_updates(model, updates)  #! JAX502
model = eqx.apply_updates(model, updates)
print(model(jnp.ones(2)))

# %% two dropouts that get one key drop the same units, through a helper, an attribute and an alias
import equinox as eqx
import jax
import jax.numpy as jnp
from equinox.nn import Dropout


class Net(eqx.Module):
    drop: eqx.nn.Dropout
    mlp: eqx.nn.MLP

    def __call__(self, x, key):
        h = self.drop(x, key=key)
        h = self.mlp(h)
        return self.drop(h, key=key)  #! JAX301


class Noisy(eqx.Module):
    drop: eqx.nn.Dropout

    def __call__(self, x, key):
        noise = jax.random.normal(key, x.shape)
        return self.drop(x + noise, key=key)  #! JAX301


def dropped(layer, x, key):
    return layer(x, key=key)


first, second = Dropout(), Dropout(p=0.2)
key = jax.random.key(0)
x = dropped(first, jnp.ones(4), key)
y = dropped(second, x, key)  #! JAX301
net = Net(eqx.nn.Dropout(0.5), eqx.nn.MLP(4, 4, 4, 1, key=jax.random.key(1)))
print(net(jnp.ones(4), jax.random.key(0)), y)
print(eqx.filter_jit(Noisy(Dropout(0.3)))(jnp.ones(4), jax.random.key(2)))

# %% one key in a loop, under vmap with children of a split, and in a comprehension
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp

drop = eqx.nn.Dropout(0.5)
sequence = eqx.nn.Sequential([eqx.nn.Linear(3, 3, key=jax.random.key(1)), eqx.nn.Dropout(0.5)])


@eqx.filter_jit
def step(layer, x, key):
    return jax.vmap(layer)(x, key=jax.random.split(key, x.shape[0]))


def train(x, n, key):
    return [step(drop, x, key) for _ in range(n)]  #! JAX302


def piped(x, key):
    outs = []
    for _ in range(3):
        outs.append(sequence(x, key=key))  #! JAX302
    return outs


@jax.jit
def partial_drop(x, key):
    always = partial(drop, key=key)
    return always(x) - always(x)  #! JAX301


print(train(jnp.ones((2, 3)), 2, jax.random.key(0)), piped(jnp.ones(3), jax.random.key(0)))
print(partial_drop(jnp.ones(3), jax.random.key(0)))

# %% a key for each dropout and each step; layers that draw nothing may have any key
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    layers: list
    drop: eqx.nn.Dropout
    none: eqx.nn.Dropout
    off: eqx.nn.Dropout

    def __init__(self, key):
        keys = jax.random.split(key, 3)
        self.layers = [eqx.nn.Linear(4, 4, key=each) for each in keys]
        self.drop = eqx.nn.Dropout(0.5)
        self.none = eqx.nn.Dropout(0.0)
        self.off = eqx.nn.Dropout(0.5, inference=True)

    def __call__(self, x, key, inference=False):
        for i, layer in enumerate(self.layers):
            key, sub = jax.random.split(key)
            x = self.drop(layer(x, key=key), key=sub)
            x = self.drop(x, key=jax.random.fold_in(key, i))
            x = self.off(self.none(x, key=sub), key=sub)
            x = self.drop(x, key=sub, inference=True)
        return self.drop(x, key=key)


net = Net(jax.random.key(0))
key = jax.random.key(1)
for step in range(3):
    key, sub = jax.random.split(key)
    print(net(jnp.ones(4), sub), net(jnp.ones(4), jax.random.fold_in(key, step)))
quiet = eqx.nn.inference_mode(net)
same = [quiet(jnp.ones(4), key) for _ in range(3)]
dropped = [eqx.nn.Dropout(0.5)(jnp.ones(3), key=each) for each in jax.random.split(jax.random.key(3), 3)]

# %% the layers of a Sequential have keys of their own; attention draws where it drops something
import equinox as eqx
import jax
import jax.numpy as jnp

net = eqx.nn.Sequential([eqx.nn.Dropout(0.5), eqx.nn.Lambda(jnp.tanh), eqx.nn.Dropout(0.5)])
plain = eqx.nn.MultiheadAttention(2, 4, key=jax.random.key(1))
dropping = eqx.nn.MultiheadAttention(2, 4, dropout_p=0.5, key=jax.random.key(1))
x = jnp.ones((3, 4))
key = jax.random.key(0)
print(net(x, key=key))
key = jax.random.key(2)
print(plain(x, x, x, key=key), plain(x, x, x, key=key), dropping(x, x, x, key=key))
print(dropping(x, x, x, key=key, inference=True))
print(dropping(2 * x, x, x, key=key))  #! JAX301

# %% raises-elsewhere a static field that holds a list: what a traced method appends leaks
import equinox as eqx
import jax
import jax.numpy as jnp


class Log(list):
    __hash__ = object.__hash__


class Probe(eqx.Module):
    gain: jax.Array
    log: list = eqx.field(static=True)

    def __call__(self, x):
        self.log.append(x * self.gain)  #! JAX203
        return x + self.gain


log = Log()
eqx.filter_jit(Probe(jnp.ones(()), log))(1.0)
log[0] + 1

# %% a static field that holds a list which is made in the trace, or that gets numbers
import equinox as eqx
import jax
import jax.numpy as jnp


class Log(list):
    __hash__ = object.__hash__


class Probe(eqx.Module):
    gain: jax.Array
    log: list = eqx.field(static=True)

    def __call__(self, x):
        self.log.append(x * self.gain)
        return x + self.gain


class Listed(eqx.Module):
    gains: list

    def __call__(self, x):
        gains = list(self.gains)
        gains.append(x)
        return sum(gains)


@eqx.filter_jit
def apply(gain, x):
    probe = Probe(gain, Log())
    return probe(x) + probe.log[0]


apply(jnp.ones(()), 2.0)
eqx.filter_jit(Listed([jnp.ones(())]))(1.0)

# %% equal layers: a comprehension gives each of them one key; layers that differ, or that are to be equal, may share one
import equinox as eqx
import jax

key = jax.random.key(0)
layers = [eqx.nn.Linear(2, 2, key=key) for _ in range(3)]  #! JAX302
heads = [eqx.nn.Linear(2, width, key=jax.random.key(1)) for width in (1, 2)]
hidden = [eqx.nn.Linear(2, 2, key=k) for k in jax.random.split(jax.random.key(2), 3)]
norms = [eqx.nn.LayerNorm(2) for _ in range(3)]
first, second = jax.random.split(jax.random.key(3))
network = eqx.nn.MLP(2, 1, 8, 2, key=first)
target = eqx.nn.MLP(2, 1, 8, 2, key=first)


def stack(key, depth):
    found = []
    for _ in range(depth):
        key, sub = jax.random.split(key)
        found.append(eqx.nn.Linear(2, 2, key=sub))
    return found + [eqx.nn.Conv1d(1, 1, 3, key=sub) for _, sub in enumerate(jax.random.split(key, depth))]


stack(second, 2)

# %% a tree of keys that is an object: each turn of a loop has its own
import equinox as eqx
import jax
import jax.numpy as jnp


class Params(eqx.Module):
    w: jax.Array
    b: jax.Array


params = Params(jnp.ones((3, 2)), jnp.zeros(2))
treedef = jax.tree.structure(params)
rows = jax.random.split(jax.random.key(0), (4, 2))
for keys in [treedef.unflatten(list(row)) for row in rows]:
    jax.tree.map(lambda p, k: p + jax.random.normal(k, p.shape), params, keys)
same = treedef.unflatten(list(jax.random.split(jax.random.key(1))))
for _ in range(2):
    jax.tree.map(lambda p, k: p + jax.random.normal(k, p.shape), params, same)  #! JAX302

# %% two layers of one module from one key
import equinox as eqx
import jax


class Block(eqx.Module):
    query: eqx.nn.Linear
    value: eqx.nn.Linear

    def __init__(self, dim, *, key):
        self.query = eqx.nn.Linear(dim, dim, key=key)
        self.value = eqx.nn.Linear(dim, dim, key=key)  #! JAX301


block = Block(3, key=jax.random.key(0))
assert (block.query.weight == block.value.weight).all()

# %% layers that have keys of their own, or stand for one another, and two objects that begin alike
import equinox as eqx
import jax


class Block(eqx.Module):
    layers: list
    norm: eqx.nn.LayerNorm

    def __init__(self, dim, kind, *, key):
        first, second, more = jax.random.split(key, 3)
        self.layers = [eqx.nn.Linear(dim, dim, key=first), eqx.nn.Linear(dim, dim, key=second)]
        self.layers += [eqx.nn.Linear(dim, dim, key=jax.random.fold_in(more, i)) for i in range(3)]
        self.norm = eqx.nn.LayerNorm(dim)


class Either(eqx.Module):
    layer: eqx.Module

    def __init__(self, dim, is_deep, *, key):
        if is_deep:
            self.layer = eqx.nn.MLP(dim, dim, 8, 2, key=key)
        else:
            self.layer = eqx.nn.Linear(dim, dim, key=key)


key = jax.random.key(0)
online, target = Either(3, True, key=key), Either(3, True, key=key)
print(Block(3, "block", key=jax.random.key(1)))

# %% a model of the library's layers that a function of the program updates
import equinox as eqx
import jax
import jax.numpy as jnp

model = eqx.nn.Linear(1, 1, key=jax.random.key(0))
validate = jax.jit(lambda x: model(x))  #! JAX205


def step(model):
    return jax.tree.map(lambda p: p + 1, model), 0.0


for _ in range(3):
    model, loss = step(model)
    print(validate(jnp.ones(1)), loss)

# %% what a compiled function donates
import equinox as eqx
import jax.numpy as jnp


@eqx.filter_jit(donate="all")
def step(params, batch):
    return params - batch


params = jnp.ones(3)
new = step(params, jnp.ones(3))
print(new.sum())
print(params.sum())  #! JAX505

# %% norun: modules whose base is from a library that extends equinox
import equinox as eqx
import jax
import jax.numpy as jnp
from strict_modules import AbstractStrictModule


class Bijector(AbstractStrictModule):
    _is_constant: eqx.AbstractVar[bool]

    def forward(self, x):
        return self.forward_and_log_det(x)[0]


class Affine(Bijector):
    scale: jax.Array
    _is_constant: bool = True

    def forward_and_log_det(self, x):
        if self.scale > 0:  #! JAX101
            return self.scale * x, jnp.log(self.scale)
        return x, 0.0


class Plain(AbstractStrictModule):
    scale: jax.Array

    def forward(self, x):
        if self.scale > 0:
            return self.scale * x
        return x


run = jax.jit(lambda bijector, x: bijector.forward(x))
print(run(Affine(jnp.ones(())), 1.0))

# %% arrays of what filter_jit compiles: of a Partial of equinox, and of a module
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp


def scaled(scale, x):
    print(scale)  #! JAX202
    print(x)  #! JAX202
    return scale * x


def closed_over(scale, x):
    print(scale)
    return scale * x


class Layer(eqx.Module):
    w: jax.Array
    name: str

    def __call__(self, x):
        print(self.w)  #! JAX202
        print(self.name)
        return self.w * x


eqx.filter_jit(eqx.Partial(scaled, jnp.ones(2)))(jnp.ones(2))
eqx.filter_jit(Layer(jnp.ones(2), "layer"))(jnp.ones(2))
eqx.filter_jit(partial(closed_over, jnp.ones(2)))(jnp.ones(2))
jax.jit(partial(closed_over, jnp.ones(2)))(jnp.ones(2))

# %% a recurrent cell gives an array, or two
import equinox as eqx
import jax
import jax.numpy as jnp

gru = eqx.nn.GRUCell(2, 3, key=jax.random.key(0))
lstm = eqx.nn.LSTMCell(2, 3, key=jax.random.key(1))


@jax.jit
def encode(h, x):
    h = gru(x, h)
    if h.max() > 0.9:  #! JAX101
        h = h * 0.9
    h, c = lstm(x, (h, h))
    if c.max() > 0.9:  #! JAX101
        h = h * 0.9
    return h


encode(jnp.zeros(3), jnp.ones(2))

# %% activations that layers are given, and functions in a pipe of layers
import equinox as eqx
import jax
import jax.numpy as jnp


def leaky(x):
    return x if x > 0 else 0.1 * x  #! JAX101


def clipped(x):
    return x / x.max() if x.max() > 1 else x  #! JAX101


def plain(x):
    return jnp.where(x > 0, x, 0.1 * x)


keys = jax.random.split(jax.random.key(0), 3)
mlp = eqx.nn.MLP(2, 1, 4, 1, activation=leaky, key=keys[0])
pipe = eqx.nn.Sequential([eqx.nn.Linear(2, 2, key=keys[1]), eqx.nn.Lambda(clipped)])
quiet = eqx.nn.MLP(2, 1, 4, 1, activation=plain, key=keys[2])


@jax.jit
def run(x):
    return mlp(x) + pipe(x).sum() + quiet(x)


run(jnp.ones(2))

# %% a module that equinox makes with the state of its layers
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    inner: eqx.nn.Linear
    seen: eqx.nn.StateIndex

    def __init__(self, *, key):
        self.inner = eqx.nn.Linear(3, 3, key=key)
        self.seen = eqx.nn.StateIndex(jnp.zeros(3))

    def __call__(self, x, state):
        y = self.inner(x)
        if y.ndim > 1:
            return x, state
        if y.mean() > 0:  #! JAX101
            return x, state
        return y, state.set(self.seen, y)


@eqx.filter_jit
def step(net, state, x):
    return net(x, state)


net, state = eqx.nn.make_with_state(Net)(key=jax.random.key(0))
print(step(net, state, jnp.ones(3)))

# %% a layer that a compiled function donates
import equinox as eqx
import jax
import jax.numpy as jnp


@eqx.filter_jit(donate="all")
def step(model):
    return jax.tree.map(lambda x: x * 0.9, model)


model = eqx.nn.Linear(2, 2, key=jax.random.key(0))
first = model
model = step(model)
print(first.weight + 0)  #! JAX505

# %% raises-elsewhere: ... by name, behind the first argument, in loops, in parts, in a record, its weights
import equinox as eqx
import jax
import jax.numpy as jnp


@eqx.filter_jit(donate="all")
def step(model):
    return jax.tree.map(lambda x: x * 0.9, model)


@eqx.filter_jit(donate="all")
def named(*, model, rate=None):
    return jax.tree.map(lambda x: x * 0.9, model)


@eqx.filter_jit(donate="all-except-first")
def fit(x, model):
    return eqx.apply_updates(model, jax.tree.map(lambda x: -0.1 * x, eqx.filter(model, eqx.is_array)))


@eqx.filter_jit(donate="all")
def fit_part(params, static):
    return jax.tree.map(lambda x: x * 0.9, params)


class State(eqx.Module):
    net: eqx.nn.Linear
    count: jax.Array

    def __init__(self, key):
        self.net = eqx.nn.Linear(2, 2, key=key)
        self.count = jnp.zeros(())


def make(key=0):
    return eqx.nn.Linear(2, 2, key=jax.random.key(key))


def by_name(x):
    model = make()
    new = named(model=model)
    return new(x) + model(x)  #! JAX505


def behind_the_first(x):
    model = eqx.nn.MLP(2, 2, 2, 1, key=jax.random.key(0))
    new = fit(x, model)
    return new(x) + model(x)  #! JAX505


def in_a_loop(x):
    model = make()
    first = model
    for _ in range(3):
        model = step(model)
    return first(x) - model(x)  #! JAX505


def never_replaced(x):
    model = make()
    for _ in range(3):
        new = step(model)  #! JAX505
    return new(x)


def parted(x):
    params, static = eqx.partition(make(), eqx.is_array)
    new = fit_part(params, static)
    return eqx.combine(params, static)(x) - eqx.combine(new, static)(x)  #! JAX505


def of_a_record(x):
    state = State(jax.random.key(0))
    new = step(state)
    return state.net(x) - new.net(x)  #! JAX505


def part_of_a_record(x):
    state = State(jax.random.key(0))
    net = state.net
    state = step(state)
    return net(x) - state.net(x)  #! JAX505


def weight(x):
    model = make()
    before = model.weight
    model = step(model)
    return model.weight - before  #! JAX505


for run in (by_name, behind_the_first, in_a_loop, never_replaced, parted, of_a_record, part_of_a_record, weight):
    try:
        run(jnp.ones(2))
    except (RuntimeError, ValueError):
        print(run)
model = make()
print(named(model=model), model.weight + 0)  #! JAX505

# %% ... copies, sizes, what is not donated or fits no result, arrays of NumPy, the part without arrays
import copy

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np


@eqx.filter_jit(donate="all")
def step(model):
    return jax.tree.map(lambda x: x * 0.9, model)


@eqx.filter_jit(donate="all-except-first")
def grown(model, rate):
    return eqx.apply_updates(model, jax.tree.map(lambda x: rate * x, eqx.filter(model, eqx.is_array)))


@eqx.filter_jit(donate="warn")
def fit_part(params, static):
    return jax.tree.map(lambda x: x * 0.9, params)


@eqx.filter_jit(donate="all")
def norm(model):
    return (model.weight**2).sum() + (model.bias**2).sum()


class Scale(eqx.Module):
    weight: jax.Array

    def __init__(self):
        self.weight = jnp.ones(2)

    def __call__(self, x):
        return self.weight * x


def make():
    return eqx.nn.Linear(2, 2, key=jax.random.key(0))


x = jnp.ones(2)
model = make()
new = step(model)
print(new(x), model.in_features, model.out_features)
model = make()
print(grown(model, 0.1)(x), model(x))
model = make()
print(norm(model), model(x))
params, static = eqx.partition(make(), eqx.is_array)
for _ in range(2):
    params = fit_part(params, static)
print(eqx.combine(params, static)(x))
model = jax.tree.map(np.asarray, make())
print(step(model), model.weight + 1)
model = jax.tree.map(lambda x: np.asarray(x) if eqx.is_array(x) else x, make())
print(step(model), model(x))
model = jax.tree.map(np.asarray, Scale())
print(step(model), model(x))
model = jax.device_get(make())
print(step(model), model.weight + 1)
model = make()
kept, deep, weight = jax.tree.map(jnp.copy, model), copy.deepcopy(model), model.weight + 0
model = step(model)
print(kept(x), deep(x), weight)
model = make()
before = model.weight
before = before.copy()
model = step(model)
print(before + model.weight)
model = eqx.nn.LayerNorm(2, use_weight=False, use_bias=False)
new = step(model)
print(new(x), model(x))

# %% functions that only give back what `tree_at` gives, whatever they are given
import equinox as eqx
import jax
import jax.numpy as jnp


def scaled(model, rate):
    return eqx.tree_at(lambda m: m.weight, model, model.weight * rate)


def cleared(model):
    """Both."""
    new = eqx.tree_at(lambda m: m.weight, model, replace_fn=jnp.zeros_like)
    return eqx.tree_at(lambda m: m.bias, new, replace=jnp.zeros(2))


def halved(model):
    return scaled(model, 0.5)


class Scale(eqx.Module):
    weight: jax.Array

    def with_weight(self, weight):
        return eqx.tree_at(lambda m: m.weight, self, weight)


def unknown(model):
    scaled(model, 2.0)  #! JAX502
    return model


@jax.jit
def traced(model):
    cleared(model)  #! JAX502
    return model.weight


model = eqx.nn.Linear(2, 2, key=jax.random.key(0))
scaled(model, 2.0)  #! JAX502
cleared(model)  #! JAX502
halved(model)  #! JAX502
if model is not None:
    scaled(model, 2.0)  #! JAX502
scale = Scale(jnp.ones(2))
scale.with_weight(jnp.zeros(2))  #! JAX502
print(traced(model), unknown(model))

# %% ... what is used, of what is not there any more, what prints, and strings
import equinox as eqx
import jax


def scaled(model, rate):
    return eqx.tree_at(lambda m: m.weight, model, model.weight * rate)


def shown(model, rate):
    print(model)
    return eqx.tree_at(lambda m: m.weight, model, model.weight * rate)


def renamed(model, text):
    return text.replace("weight", str(model.in_features))


def make():
    return eqx.nn.Linear(2, 2, key=jax.random.key(0))


model = make()
model = scaled(model, 2.0)
_ = scaled(model, 2.0)
scaled(make(), 2.0)
shown(model, 2.0)
renamed(model, "weight")
print(scaled(model, 2.0))

# %% norun nobody calls these: what only an array has, an annotation and a mask show that an argument is traced
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float


@eqx.filter_jit
def by_method(model, x):
    y = 2 * x
    if y.sum() > 2:  #! JAX101
        return x
    return model(x)


@eqx.filter_jit
def from_then_on(x):
    mean = x.mean()
    if x > mean:  #! JAX101
        return x
    return mean


@eqx.filter_jit
def of_items(batch):
    if batch["x"].sum() > 2:  #! JAX101
        return 1
    for each in batch:
        if each.any():  #! JAX101
            return 2
    return 0


@eqx.filter_jit
def masked(model, x, mask, other):
    h = jax.vmap(model)(x)
    both = (mask > 0) & (other < 1)
    return h[mask > 0].mean() + h[both].mean()  #! JAX111 #! JAX111


@eqx.filter_jit
def annotated(x: Float[Array, "n"], y: "jax.Array | None" = None):
    if x[0] > 2:  #! JAX101
        return x
    if x[:, 0] > 2:  #! JAX101
        return x
    return x if y is None else y


def helper(x):
    if x.any():  #! JAX101
        return x
    return -x


@eqx.filter_jit
def handed(model, x):
    return helper(x)


class Net(eqx.Module):
    weight: jax.Array

    @eqx.filter_jit
    def __call__(self, x):
        if x.max() > 2:  #! JAX101
            return x
        return np.asarray(x.min())  #! JAX106


filtered = eqx.filter_jit(lambda x: 1 if x.sum() > 0 else 2)  #! JAX101

# %% ... numbers, texts and objects are static
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np


@eqx.filter_jit
def numbers(x, n, mode, flag):
    if x > 2 or not x:
        return 1
    if n == 3 and mode == "a" or flag:
        return 2
    for i in range(n):
        x = x + i
    return int(np.sqrt(n)) if n + 1 > x else [1, 2, 3][n > 1]


class Law(eqx.Module):
    low: float
    shape: tuple = (2,)
    T: float = 3.0

    def mean(self):
        return self.low

    def log_prob(self, x):
        return x - self.low


@eqx.filter_jit
def of_object(law, x):
    if law.mean() > 0 or law.T > 2 or law.shape[0] > 3:
        return law.log_prob(x)
    return x


@eqx.filter_jit
def of_numbers(x: float, n: int):
    return x if x > n else -x


if __name__ == "__main__":
    print(numbers(*[1.0, 3, "b", False]), of_object(*[Law(1.0), jnp.ones(2)]), of_numbers(*[1.0, 2]))

# %% norun nobody calls these: arguments that are annotated as modules, and modules in them
from typing import Any, Callable

import equinox as eqx
import jax


class Inner(eqx.Module):
    weight: jax.Array
    size: int
    act: Callable

    def __call__(self, x):
        if self.size > 3:
            return x
        if self.weight > 3:  #! JAX101
            return x
        return self.act(self.weight * x)


class Outer(eqx.Module):
    inner: Inner
    many: list[Inner]
    scale: Any

    @eqx.filter_jit
    def __call__(self, x):
        if self.scale > 2:
            return x
        if self.scale.sum() > 2:  #! JAX101
            return x
        return self.inner(x)


@eqx.filter_jit
def of_outer(outer: Outer, x):
    if outer.inner.weight > 3:  #! JAX101
        return x
    return x if outer.inner.size > 3 else 2 * x

# %% layers in a sequence: called, indexed, gone through, mapped, partitioned and scanned
import equinox as eqx
import jax
import jax.numpy as jnp


class Layer(eqx.Module):
    w: jax.Array

    def __call__(self, x, condition):
        print(x)  #! JAX202
        return x * self.w


class Head(eqx.Module):
    w: jax.Array

    def __call__(self, x, *, key=None):
        print(x)  #! JAX202
        return x * self.w


class Net(eqx.Module):
    layers: eqx.Module
    head: eqx.nn.Sequential

    def __init__(self, n, key):
        def make(i, key):
            one = Layer(jax.random.normal(key, (2,)))
            return eqx.nn.Sequential([one, Layer(jnp.arange(2.0) + i)])

        self.layers = eqx.filter_vmap(make)(jnp.arange(n), jax.random.split(key, n))
        self.head = eqx.nn.Sequential([Head(jnp.ones(2)), eqx.nn.Lambda(jax.nn.relu)])

    @eqx.filter_jit
    def __call__(self, x):
        dynamic, static = eqx.partition(self.layers, eqx.is_array)

        def apply(carry, data):
            layers = eqx.combine(data, static)
            return layers[1](layers[0](carry, None), None), None

        x = jax.lax.scan(apply, x, dynamic)[0]
        for layer in self.head:
            x = layer(x)
        return self.head(x)


print(Net(3, jax.random.key(0))(jnp.ones(2)).shape)

# %% filter_vmap: axes of a dict
import equinox as eqx
import jax.numpy as jnp


@eqx.filter_vmap(in_axes=({"x": 0, "n": 0}, None))
def first(record, flag):
    if flag:
        return record["x"]
    return record["x"] if record["n"] > 2 else -record["x"]  #! JAX101


first({"x": jnp.ones((3, 5)), "n": jnp.arange(3)}, False)

# %% filter_vmap: axes by a parameter's name
import equinox as eqx
import jax.numpy as jnp


@eqx.filter_vmap(in_axes={"flag": None})
def second(x, flag):
    if flag:
        return x
    return x if x > 2 else -x  #! JAX101


second(jnp.arange(3), False)

# %% filter_vmap: axes of all arrays
import equinox as eqx
import jax.numpy as jnp


@eqx.filter_vmap(in_axes=(eqx.if_array(0), None))
def third(record, flag):
    if flag or record["mode"] == "b":
        return record["x"]
    return record["x"] if record["x"] > 2 else -record["x"]  #! JAX101


third({"x": jnp.ones(3), "mode": "a"}, False)

# %% what the state of layers gives is a tracer where the state is, and its set gives another state
import equinox as eqx
import jax.numpy as jnp


class Warmup(eqx.Module):
    index: eqx.nn.StateIndex

    def __init__(self):
        self.index = eqx.nn.StateIndex(jnp.array(0))

    def __call__(self, x, state):
        n = state.get(self.index)
        if n > 3:  #! JAX101
            x = 2 * x
        return x, state.set(self.index, n + 1)


warmup, state = eqx.nn.make_with_state(Warmup)()
eqx.filter_jit(warmup)(1.0, state)

# %% the state of layers outside of traces, and a set that is dropped
import equinox as eqx
import jax.numpy as jnp


class Counter(eqx.Module):
    index: eqx.nn.StateIndex

    def __init__(self):
        self.index = eqx.nn.StateIndex(jnp.array(0))

    def __call__(self, x, state):
        n = state.get(self.index)
        return (2 * x if n > 3 else x), state.set(self.index, n + 1)

    def forgotten(self, x, state):
        state.set(self.index, state.get(self.index) + 1)  #! JAX502
        return x


counter, state = eqx.nn.make_with_state(Counter)()
for _ in range(2):
    x, state = counter(1.0, state)
_, after = eqx.filter_jit(lambda x, state: (x, state.set(counter.index, state.get(counter.index) + 1)))(1.0, state)
print(float(after.get(counter.index)) > 2)
counter.forgotten(1.0, after)

# %% filter_jvp differentiates what it is given
import equinox as eqx
import jax.numpy as jnp


def scaled(x, n):
    if n > 1:
        x = 2 * x
    return 2.0 * float(x)  #! JAX105


eqx.filter_jvp(scaled, (jnp.array(1.0), 2), (jnp.array(1.0), None))

# %% what error_if and its like give back is what they are given
import equinox as eqx
import equinox.internal as eqxi
import jax
import jax.numpy as jnp


@eqx.filter_jit
def f(x, n):
    n = eqx.error_if(n, False, "no") if n > 1 else n
    x = eqxi.nondifferentiable(x)
    y = eqx.error_if(x, x < 0, "negative")
    return y if y > 1 else -y  #! JAX101


f(jnp.array(1.0), 2)

# %% an array that is checked by something traced is traced
import equinox as eqx
import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    y = eqx.error_if(jnp.ones(()), x < 0, "negative")
    return x if y > 1 else -x  #! JAX101


f(1.0)

# %% filter_closure_convert does not trace a function that closes over nothing
import equinox as eqx
import jax.numpy as jnp


def scaled(x):
    return float(x)


eqx.filter_closure_convert(scaled, jnp.array(1.0))(jnp.array(2.0))

# %% filter_closure_convert traces a function that closes over something
import equinox as eqx
import jax.numpy as jnp


def converted(n):
    def scaled(x):
        if n > 1:
            x = 2 * x
        return float(x)  #! JAX105

    return eqx.filter_closure_convert(scaled, jnp.array(1.0))


converted(2)

# %% a primitive made of a function runs it
import equinox as eqx
import equinox.internal as eqxi
import jax
import jax.numpy as jnp


def solve(matrix, vector, scale):
    if scale > 1:
        vector = scale * vector
    if vector[0] > 0:  #! JAX101
        return vector
    return jnp.matmul(matrix, vector)


@eqxi.filter_primitive_def
def shapes(matrix, vector, scale):
    return vector


def forward(primals, tangents):
    raise NotImplementedError


primitive = eqxi.create_vprim("solve", eqxi.filter_primitive_def(solve), shapes, forward, None)


@eqx.filter_jit
def run(matrix, vector):
    return eqxi.filter_primitive_bind(primitive, matrix, vector, 2)


run(jnp.eye(2), jnp.ones(2))

# %% tree_at gives the carry of a loop its next key: of an object of which nothing is known, too
import equinox as eqx
import jax
import jax.numpy as jnp


class Rng(eqx.Module):
    key: jax.Array


class Chain(eqx.Module):
    x: jax.Array
    rng: Rng
    key: jax.Array


def stepped(chain, _):
    new, sub = jax.random.split(chain.key)
    z = jax.random.normal(sub)
    return eqx.tree_at(lambda c: (c.x, c.key), chain, (chain.x + z, new)), z


def scanned(chain):
    return jax.lax.scan(stepped, chain, None, length=3)


def repeated(chain):
    def body(c):
        c = eqx.tree_at(lambda c: c.key, c, replace_fn=lambda key: jax.random.split(key)[0])
        return eqx.tree_at(lambda c: c.x, c, c.x + jax.random.normal(c.key) ** 2)

    return jax.lax.while_loop(lambda c: c.x < 3, body, chain)


def of_part(carry, _):
    chain, count = carry
    new, sub = jax.random.split(chain.rng.key)
    return (eqx.tree_at(lambda c: c.rng, chain, Rng(new)), count + 1), jax.random.normal(sub)


def scanned_part(chain):
    return jax.lax.scan(of_part, (chain, 0), None, length=3)


def forgetful(chain, _):
    z = jax.random.normal(chain.key)  #! JAX302
    return eqx.tree_at(lambda c: c.x, chain, chain.x + z), z


def scanned_with_one_key(chain):
    return jax.lax.scan(forgetful, chain, None, length=3)

# %% norun layers that a loop makes of one key, which only collects them
import equinox as eqx
import jax


def create(key, depth):
    layers = []
    for _ in range(depth):
        layers.append(eqx.nn.Linear(8, 8, key=key))  #! JAX302
    return layers


def widths(key, sizes):
    layers = []
    for size in sizes:
        layers.append(eqx.nn.Linear(size, 8, key=key))
    return layers


def runs(key, count, xs):
    losses = []
    for _ in range(count):
        net = eqx.nn.Linear(8, 8, key=key)
        losses.append(jax.vmap(net)(xs).mean())
    return losses


def layers(key, depth):
    made = []
    for each in jax.random.split(key, depth):
        made.append(eqx.nn.Linear(8, 8, key=each))
    return made

# %% ok: a module without arrays as a static argument and as what jax.jit calls, and one with arrays elsewhere
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    w: jax.Array

    def __call__(self, x):
        return self.w * x


class Scale(eqx.Module):
    factor: float
    name: str = eqx.field(static=True, default="scale")

    def __call__(self, x):
        return self.factor * x


net, scale = Net(jnp.ones(3)), Scale(2.0)
apply = jax.jit(lambda net, x: net(x), static_argnums=0)
print(apply(scale, 1.0), jax.jit(scale)(1.0), jax.jit(net.__call__)(1.0), eqx.filter_jit(net)(1.0))

# %% a module with arrays as a static argument
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    w: jax.Array

    def __call__(self, x):
        return self.w * x


class Stack(eqx.Module):
    nets: list

    def __call__(self, x):
        return self.nets[0](x)


apply = jax.jit(lambda net, x: net(x), static_argnums=0)
apply(Net(jnp.ones(3)), 1.0)  #! JAX402

# %% a module with modules with arrays as a static argument
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    w: jax.Array

    def __call__(self, x):
        return self.w * x


class Stack(eqx.Module):
    nets: list

    def __call__(self, x):
        return self.nets[0](x)


apply = jax.jit(lambda net, x: net(x), static_argnums=0)
apply(Stack([Net(jnp.ones(3))]), 1.0)  #! JAX402

# %% a layer as a static argument
import equinox as eqx
import jax
import jax.numpy as jnp

apply = jax.jit(lambda net, x: net(x), static_argnums=0)
apply(eqx.nn.Linear(2, 2, key=jax.random.key(0)), jnp.ones(2))  #! JAX402

# %% raises-elsewhere a module with arrays as what jax.jit calls
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    w: jax.Array

    def __call__(self, x):
        return self.w * x


class Stack(eqx.Module):
    nets: list

    def __call__(self, x):
        return self.nets[0](x)


apply = jax.jit(lambda net, x: net(x), static_argnums=0)
jax.jit(Net(jnp.ones(3)))(1.0)  #! JAX402


# %% arrays of a layer that is traced: an argument, in a module of the project, in another layer, as a scan has it
import equinox as eqx
import jax
import jax.numpy as jnp


class Model(eqx.Module):
    first: eqx.nn.Linear
    rest: eqx.nn.MLP
    attention: eqx.nn.MultiheadAttention

    def __init__(self, key):
        one, two, three = jax.random.split(key, 3)
        self.first = eqx.nn.Linear(2, 2, key=one)
        self.rest = eqx.nn.MLP(2, 2, 2, 1, key=two)
        self.attention = eqx.nn.MultiheadAttention(1, 2, key=three)


@eqx.filter_jit
def flip(layer, x):
    if layer.weight.ndim != 2 or layer.in_features > 5:
        return x
    if layer.bias is None:
        return x
    return -x if layer.weight[0, 0] > 0 else x  #! JAX101


@eqx.filter_jit
def flip_all(model, x):
    if model.rest.depth > 3:
        return x
    if model.rest.layers[0].weight.sum() > 0:  #! JAX101
        x = -x
    if model.attention.query_proj.weight.max() > 0:  #! JAX101
        x = -x
    while model.first.weight[0, 0] > 0:  #! JAX102
        x = -x
    return x


def turn(layer, x):
    if layer.weight[0, 0] > 0:  #! JAX101
        return layer, x
    return layer, -x


@eqx.filter_jit
def by_result(layer):
    if layer(jnp.ones(2))[0] > 0:  #! JAX101
        return 1.0
    return 2.0


key = jax.random.key(0)
layer = eqx.nn.Linear(2, 2, key=key)
by_result(layer)
flip(layer, 1.0)
flip_all(Model(jax.random.key(1)), 1.0)
params, static = eqx.partition(layer, eqx.is_array)
params, turned = jax.lax.scan(turn, params, jnp.ones(3))


# %% ... one that a trace closes over: what it computes is traced
import equinox as eqx
import jax

layer = eqx.nn.Linear(2, 2, key=jax.random.key(0))


@jax.jit
def flip(x):
    return -x if layer.weight[0, 0] > 0 else x  #! JAX101


flip(1.0)


# %% ... outside of traces, put into one by other means, and what a partition leaves, they are as they are
import equinox as eqx
import jax
import jax.numpy as jnp

layer = eqx.nn.Linear(2, 2, key=jax.random.key(0))
if layer.weight[0, 0] > 0:
    print("positive")
params, static = eqx.partition(layer, eqx.is_array)


@jax.jit
def with_static(params, x):
    if static.weight is None:
        x = x + 1
    if layer.weight.shape[0] > 1:
        x = x + 1
    model = eqx.combine(params, static)
    rest = eqx.filter(model, eqx.is_array, inverse=True)
    if rest.weight is None:
        x = x + 1
    return model(x)


print(with_static(params, jnp.ones(2)))


@eqx.filter_grad
def loss(layer, x):
    if layer.weight[0, 0] > 0:
        return layer(x).sum()
    return -layer(x).sum()


grads = loss(layer, jnp.ones(2))
if grads.weight[0, 0] > 0:
    print("steep")
new = eqx.filter_jit(lambda m: jax.tree.map(lambda x: 2 * x, m))(layer)
if new.weight[0, 0] > 0:
    print("twice")


# %% ... an embedding of the weight that it is given, which may be NumPy's and concrete in a trace
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

table = eqx.nn.Embedding(weight=np.ones((2, 2)))
other = eqx.nn.Embedding(weight=jnp.ones((2, 2)))


@jax.jit
def first(x):
    if table.weight[0, 0] > 0:
        x = x + 1
    return x if other.weight[0, 0] > 0 else -x  #! JAX101


first(1.0)
