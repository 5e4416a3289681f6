# %% a training loop as the guides write it: module, optimiser, jitted step, metrics averaged outside of jit
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx


class MLP(nnx.Module):
    def __init__(self, din, dmid, dout, *, rngs: nnx.Rngs):
        self.dmid = dmid
        self.linear1 = nnx.Linear(din, dmid, rngs=rngs)
        self.dropout = nnx.Dropout(rate=0.1, rngs=rngs)
        self.bn = nnx.BatchNorm(dmid, rngs=rngs)
        self.linear2 = nnx.Linear(dmid, dout, rngs=rngs)

    def __call__(self, x):
        x = nnx.gelu(self.dropout(self.bn(self.linear1(x))))
        if self.dmid > 4:
            x = x * 0.5
        return self.linear2(x)


def loss_fn(model, x, y):
    return jnp.mean((model(x) - y) ** 2)


@nnx.jit
def train_step(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(loss_fn)(model, x, y)
    optimizer.update(model, grads)
    return loss


eval_step = nnx.jit(loss_fn)
model = MLP(2, 8, 1, rngs=nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
rng = np.random.default_rng(0)
best, patience = float("inf"), 2
for epoch in range(3):
    losses = []
    model.train()
    for _ in range(4):
        x = rng.normal(size=(8, 2)).astype("float32")
        losses.append(train_step(model, optimizer, x, x.sum(1, keepdims=True)))
    model.eval()
    held_out = np.mean([eval_step(model, x, x.sum(1, keepdims=True)) for _ in range(2)])
    print(f"{epoch} {np.mean(losses):.4f} {held_out:.4f} {float(losses[-1]):.3f}")
    if held_out < best:
        best = held_out
    elif (patience := patience - 1) == 0:
        break


# %% a Param is traced in nnx.jit: a branch on it raises
import jax.numpy as jnp
from flax import nnx


class Scale(nnx.Module):
    def __init__(self):
        self.w = nnx.Param(jnp.asarray(2.0))

    def __call__(self, x):
        if self.w.value > 0:  #! JAX101
            return x * self.w
        return x


@nnx.jit
def run(model, x):
    return model(x)


run(Scale(), jnp.ones(3))


# %% the value of a Param, in each way of reading it
import jax.numpy as jnp
from flax import nnx


class Scale(nnx.Module):
    def __init__(self):
        self.w = nnx.Param(jnp.asarray(2.0))


@nnx.jit
def run(model, x):
    return x * float(model.w[...])  #! JAX105


run(Scale(), jnp.ones(3))


# %% the value of a Param by its method
import jax.numpy as jnp
from flax import nnx


class Scale(nnx.Module):
    def __init__(self, rngs):
        self.w = nnx.Param(rngs.normal((3,)))


@nnx.jit
def run(model, x):
    while model.w.get_value().sum() < 100:  #! JAX102
        x = x * 2
    return x


run(Scale(nnx.Rngs(0)), jnp.ones(3))


# %% ints, strings, floats and lists of a module are static
import jax.numpy as jnp
from flax import nnx


class Repeat(nnx.Module):
    def __init__(self, times, mode, rate):
        self.times = times
        self.mode = mode
        self.rate = rate
        self.widths = (4, 5)
        self.w = nnx.Param(jnp.ones(3))

    def __call__(self, x):
        if self.mode == "mul" and self.rate > 0.1:
            return x * self.w * self.rate
        for _ in range(self.times):
            x = x + self.w
        if self.widths[0] > 3:
            x = x * 2
        return x * float(self.rate)


@nnx.jit
def run(model, x):
    return model(x)


run(Repeat(2, "add", 0.5), jnp.ones(3))
run(Repeat(2, "mul", 0.5), jnp.ones(3))


# %% a number that is given to nnx.jit beside the module is traced
import jax.numpy as jnp
from flax import nnx


@nnx.jit
def run(x, times):
    for _ in range(times):  #! JAX104
        x = x + 1
    return x


run(jnp.ones(3), 3)


# %% the same number where it is static
from functools import partial

import jax.numpy as jnp
from flax import nnx


@partial(nnx.jit, static_argnames=("times", "mode"))
def run(x, times, mode="add"):
    for _ in range(times):
        x = x + 1 if mode == "add" else x * 2
    return x


run(jnp.ones(3), 3)
run(jnp.ones(3), times=2, mode="mul")


# %% streams of nnx.Rngs give another key each time
import jax
import jax.numpy as jnp
from flax import nnx

rngs = nnx.Rngs(0, dropout=1)
a = jax.random.normal(rngs.params(), (2,))
b = jax.random.normal(rngs.params(), (2,))
assert (a != b).all()
draws = []
for _ in range(3):
    draws.append(jax.random.uniform(rngs.dropout(), (2,)))
c, d = rngs.normal((2,)), rngs.normal((2,))
print(jnp.stack(draws), c - d)


# %% a key that is kept from a stream and spent twice
import jax
from flax import nnx

rngs = nnx.Rngs(0)
key = rngs.params()
a = jax.random.normal(key, (2,))
b = jax.random.uniform(key, (2,))  #! JAX301


# %% noise from the module's own stream, in jit
import jax
import jax.numpy as jnp
from flax import nnx


class Noisy(nnx.Module):
    def __init__(self, std, *, rngs: nnx.Rngs):
        self.rngs = rngs
        self.std = std
        self.linear = nnx.Linear(3, 3, rngs=rngs)

    def __call__(self, x):
        x = self.linear(x) + self.std * jax.random.normal(self.rngs.noise(), x.shape)
        return x + self.std * jax.random.normal(self.rngs.noise(), x.shape)


@nnx.jit
def run(model, x):
    return model(x)


model = Noisy(0.1, rngs=nnx.Rngs(0, noise=1))
assert (run(model, jnp.ones(3)) != run(model, jnp.ones(3))).any()


# %% split and merge: a jax.jit of the state, the graph definition closed over
import jax
import jax.numpy as jnp
from flax import nnx


class Counter(nnx.Module):
    def __init__(self, rngs):
        self.linear = nnx.Linear(2, 2, rngs=rngs)
        self.count = nnx.Variable(jnp.array(0))

    def __call__(self, x):
        self.count[...] += 1
        return self.linear(x)


graphdef, params, rest = nnx.split(Counter(nnx.Rngs(0)), nnx.Param, ...)


@jax.jit
def forward(params, rest, x):
    model = nnx.merge(graphdef, params, rest)
    y = model(x)
    _, _, rest = nnx.split(model, nnx.Param, ...)
    return y, rest


for _ in range(2):
    y, rest = forward(params, rest, jnp.ones((1, 2)))
print(f"{y.sum():.2f}")
if y.mean() > 100:
    raise ValueError


# %% a counter variable that is updated in jit is no side effect; a global list is one
import jax.numpy as jnp
from flax import nnx

calls = []


class Counter(nnx.Module):
    def __init__(self):
        self.count = nnx.Variable(jnp.array(0))

    def __call__(self, x):
        self.count.set_value(self.count.get_value() + 1)
        calls.append(x.shape)  #! JAX201
        return x * self.count


@nnx.jit
def run(model, x):
    return model(x)


model = Counter()
for _ in range(3):
    run(model, jnp.ones(2))
assert model.count[...] == 3 and len(calls) == 1
print(f"{len(calls)} calls")


# %% nnx.grad of a module outside of jit: a branch on a Param can be read
import math

import jax.numpy as jnp
from flax import nnx


class Scale(nnx.Module):
    def __init__(self):
        self.w = nnx.Param(jnp.asarray(2.0))


def good(model, x):
    if model.w[...] > 0:
        return jnp.sum(x * model.w)
    return jnp.sum(x)


def bad(model, x):
    return jnp.sum(x) * math.exp(model.w[...])  #! JAX107


nnx.grad(good)(Scale(), jnp.ones(3))
nnx.grad(bad)(Scale(), jnp.ones(3))


# %% a loss with aux, differentiated in a jitted step
import jax.numpy as jnp
import optax
from flax import nnx


@nnx.jit
def step(model, optimizer, batch):
    def loss_fn(model):
        logits = model(batch["x"])
        loss = optax.softmax_cross_entropy_with_integer_labels(logits, batch["y"]).mean()
        return loss, logits

    (loss, logits), grads = nnx.value_and_grad(loss_fn, has_aux=True)(model)
    optimizer.update(model, grads)
    return loss, (logits.argmax(-1) == batch["y"]).mean()


model = nnx.Linear(3, 2, rngs=nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
batch = {"x": jnp.ones((4, 3)), "y": jnp.zeros(4, int)}
accuracies = []
for i in range(3):
    loss, accuracy = step(model, optimizer, batch)
    accuracies.append(float(accuracy))
    if accuracy > 0.99 and loss < 1e-3:
        break
print("%.2f %.3f" % (loss, sum(accuracies) / len(accuracies)))


# %% the loss of such a step cast inside of it
import jax.numpy as jnp
import optax
from flax import nnx


@nnx.jit
def step(model, optimizer, x):
    def loss_fn(model):
        return jnp.mean(model(x) ** 2)

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    if loss > 10:  #! JAX101
        return jnp.inf
    return loss


model = nnx.Linear(3, 2, rngs=nnx.Rngs(0))
step(model, nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param), jnp.ones((4, 3)))


# %% metrics of nnx, computed and printed outside of jit
import jax.numpy as jnp
from flax import nnx

metrics = nnx.MultiMetric(accuracy=nnx.metrics.Accuracy(), loss=nnx.metrics.Average("loss"))


@nnx.jit
def eval_step(model, metrics, x, y):
    logits = model(x)
    metrics.update(loss=jnp.mean(logits**2), logits=logits, labels=y)


model = nnx.Linear(3, 2, rngs=nnx.Rngs(0))
for _ in range(2):
    eval_step(model, metrics, jnp.ones((4, 3)), jnp.zeros(4, int))
history = {name: [] for name in ("accuracy", "loss")}
for name, value in metrics.compute().items():
    history[name].append(value)
    print(f"{name}: {value:.3f}")
metrics.reset()


# %% layers made by nnx.vmap and run by nnx.scan
import jax
import jax.numpy as jnp
from flax import nnx


class Block(nnx.Module):
    def __init__(self, rngs):
        self.linear = nnx.Linear(4, 4, rngs=rngs)
        self.residual = True

    def __call__(self, x):
        y = nnx.relu(self.linear(x))
        return x + y if self.residual else y


@nnx.split_rngs(splits=3)
@nnx.vmap(in_axes=(0,), out_axes=0)
def make(rngs):
    return Block(rngs)


@nnx.scan(in_axes=(0, nnx.Carry), out_axes=nnx.Carry)
def forward(block, x):
    return block(x)


out = nnx.jit(forward)(make(nnx.Rngs(0)), jnp.ones((2, 4)))
if out.sum() > 1e9:
    raise ValueError


# %% the body of nnx.scan is traced
import jax.numpy as jnp
from flax import nnx


@nnx.scan(in_axes=(nnx.Carry, 0), out_axes=(nnx.Carry, 0))
def body(carry, x):
    if x > 0:  #! JAX101
        carry = carry + x
    return carry, x


body(jnp.asarray(0.0), jnp.ones(3))


# %% nnx.vmap: what is mapped is traced, what is not is as it was
import jax.numpy as jnp
from flax import nnx


def good(x, n):
    for _ in range(n):
        x = jnp.sin(x)
    return x


def bad(x):
    if x > 0:  #! JAX101
        return x
    return -x


nnx.vmap(good, in_axes=(0, None))(jnp.ones(3), 2)
nnx.vmap(bad)(jnp.ones(3))


# %% nnx.cond in place of a branch
import jax.numpy as jnp
from flax import nnx


class Gate(nnx.Module):
    def __init__(self, rngs):
        self.on = nnx.Linear(2, 2, rngs=rngs)
        self.off = nnx.Linear(2, 2, rngs=rngs)

    def __call__(self, x):
        return nnx.cond(x.sum() > 0, lambda m, x: m.on(x), lambda m, x: m.off(x), self, x)


@nnx.jit
def run(model, x):
    return model(x)


run(Gate(nnx.Rngs(0)), jnp.ones((1, 2)))


# %% a list of layers, and a loop over them in jit
import jax.numpy as jnp
from flax import nnx


class Deep(nnx.Module):
    def __init__(self, depth, rngs):
        self.depth = depth
        self.layers = nnx.List([nnx.Linear(3, 3, rngs=rngs) for _ in range(depth)])
        self.norm = nnx.LayerNorm(3, rngs=rngs) if depth > 1 else None

    def __call__(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i < self.depth - 1:
                x = nnx.relu(x)
        if self.norm is not None:
            x = self.norm(x)
        return x


@nnx.jit
def run(model, x):
    return model(x)


y = run(Deep(3, nnx.Rngs(0)), jnp.ones((2, 3)))
print(f"{y.mean():.2f}")


# %% a method that is jitted where the model is used: numbers of the module read in it are static
import jax
import jax.numpy as jnp
from flax import nnx


class Agent(nnx.Module):
    def __init__(self, actions, epsilon, rngs):
        self.actions = actions
        self.epsilon = epsilon
        self.net = nnx.Linear(4, actions, rngs=rngs)

    @nnx.jit
    def act(self, obs, key):
        explore_key, action_key = jax.random.split(key)
        greedy = jnp.argmax(self.net(obs))
        explore = jax.random.uniform(explore_key) < self.epsilon
        random = jax.random.randint(action_key, (), 0, self.actions)
        return jnp.where(explore, random, greedy)


agent = Agent(3, 0.1, nnx.Rngs(0))
key = jax.random.key(0)
chosen = [0, 0, 0]
for _ in range(5):
    key, sub = jax.random.split(key)
    action = agent.act(jnp.ones(4), sub)
    chosen[int(action)] += 1
    if action == 2:
        break


# %% a checkpoint: the state as a pure dict, read back into an abstract module
import jax
import jax.numpy as jnp
from flax import nnx

model = nnx.Linear(2, 2, rngs=nnx.Rngs(0))
saved = jax.tree.map(lambda leaf: jax.device_get(leaf), nnx.to_pure_dict(nnx.state(model)))
abstract = nnx.eval_shape(lambda: nnx.Linear(2, 2, rngs=nnx.Rngs(0)))
graphdef, state = nnx.split(abstract)
nnx.replace_by_pure_dict(state, saved)
restored = nnx.merge(graphdef, state)
assert jnp.allclose(restored(jnp.ones((1, 2))), model(jnp.ones((1, 2))))
count = sum(leaf.size for leaf in jax.tree.leaves(saved))
print(f"{count:,}")


# %% NumPy on what a layer gives in jit
import jax.numpy as jnp
import numpy as np
from flax import nnx


@nnx.jit
def evaluate(model, x):
    return np.mean(np.abs(model(x)))  #! JAX106


evaluate(nnx.Linear(3, 2, rngs=nnx.Rngs(0)), jnp.ones((4, 3)))


# %% an eval loop with a jitted closure over the model
import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx

model = nnx.Linear(3, 2, rngs=nnx.Rngs(0))


@jax.jit
def predict(x):
    return model(x).argmax(-1)


hits = []
for i in range(3):
    predicted = predict(jnp.full((4, 3), float(i)))
    hits.append(np.asarray(predicted) == 0)
    if predicted[0] == 1:
        continue
print("accuracy", np.concatenate(hits).mean())


# %% what is put into a Variable replaces what was in it: a number that was put there can be read
import jax.numpy as jnp
from flax import nnx


class Model(nnx.Module):
    def __init__(self):
        self.count = nnx.Variable(jnp.array(0))
        self.flag = nnx.Variable(jnp.array(True))


@nnx.jit
def run(model, x):
    model.count.set_value(3)
    if model.count.get_value() > 2:
        x = x * 2
    model.flag.value = False
    if model.flag.value:
        x = x + 1
    model.count.set_value(jnp.array(0))
    return x


run(Model(), jnp.ones(2))


# %% a Variable read outside of jit, between the steps
import jax.numpy as jnp
from flax import nnx


class Model(nnx.Module):
    def __init__(self, rngs):
        self.scale = nnx.Param(jnp.ones(()))
        self.seen = nnx.BatchStat(jnp.zeros((), int))
        self.linear = nnx.Linear(2, 2, rngs=rngs)

    def __call__(self, x):
        self.seen[...] += 1
        return self.linear(x) * self.scale


model = Model(nnx.Rngs(0))
step = nnx.jit(lambda model, x: model(x).sum())
for i in range(4):
    y = step(model, jnp.ones((1, 2)))
    if model.seen[...] >= 3 or float(model.scale[...]) > 2:
        break
    print(f"{model.scale[...]:.2f} {int(model.seen.get_value())} {y:.3f}")
model.scale[...] = 2.0
model.linear.kernel[...] = jnp.zeros((2, 2))


# %% a Variable of a type of one's own, and one that is not differentiated
import jax
import jax.numpy as jnp
from flax import nnx


class Count(nnx.Variable):
    pass


class Model(nnx.Module):
    def __init__(self):
        self.w = nnx.Param(jnp.ones(3))
        self.calls = Count(jnp.array(0))
        self.limit = nnx.BatchStat(jnp.array(2.0))

    def __call__(self, x):
        if float(self.limit[...]) > 1.0:
            x = x * 2
        return jnp.sum(x * self.w)


grads = nnx.grad(lambda model, x: model(x))(Model(), jnp.ones(3))


# %% a module is handed about: lists, dicts and defaults of modules, and a method that returns a branch
import jax.numpy as jnp
from flax import nnx


class Policy(nnx.Module):
    def __init__(self, sizes, head="discrete", *, rngs):
        self.layers = nnx.List([nnx.Linear(a, b, rngs=rngs) for a, b in zip(sizes[:-1], sizes[1:])])
        self.heads = nnx.Dict({"discrete": nnx.Linear(sizes[-1], 2, rngs=rngs)})
        self.head = head
        self.log_std = nnx.Param(jnp.zeros(2)) if head == "gaussian" else None

    def features(self, x):
        for layer in self.layers:
            x = nnx.relu(layer(x))
        return x

    def __call__(self, x):
        h = self.heads["discrete"](self.features(x))
        if self.log_std is None:
            return h, None
        return h, jnp.exp(self.log_std[...])


@nnx.jit
def act(policy, x):
    logits, std = policy(x)
    if std is None:
        return logits.argmax(-1)
    return logits + std


policy = Policy([3, 4], rngs=nnx.Rngs(0))
if act(policy, jnp.ones((1, 3)))[0] == 0:
    print("left")


# %% a cached partial of a jitted step, and an evaluation with the metrics as Python numbers
import jax.numpy as jnp
import optax
from flax import nnx


@nnx.jit
def train_step(model, optimizer, x):
    loss, grads = nnx.value_and_grad(lambda model: jnp.mean(model(x) ** 2))(model)
    optimizer.update(model, grads)
    return {"loss": loss, "norm": optax.global_norm(grads)}


model = nnx.Linear(2, 2, rngs=nnx.Rngs(0))
step = nnx.cached_partial(train_step, model, nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param))
history = []
for i in range(3):
    metrics = step(jnp.ones((4, 2)))
    history.append({name: float(value) for name, value in metrics.items()})
    if metrics["loss"] < 1e-3 or history[-1]["norm"] > 1e3:
        break
print(" ".join(f"{name}={value:.3f}" for name, value in history[-1].items()))


# %% layers with state that is switched by mode, each mode another trace
import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.dropout = nnx.Dropout(0.5, rngs=rngs)
        self.linear = nnx.Linear(2, 2, rngs=rngs)
        self.training = True

    def __call__(self, x):
        if self.training:
            x = self.dropout(x)
        if self.dropout.deterministic:
            x = x * 0.5
        return self.linear(x)


@nnx.jit
def run(model, x):
    return model(x)


net = Net(nnx.Rngs(0))
run(net, jnp.ones((1, 2)))
net.training = False
net.eval()
y = run(net, jnp.ones((1, 2)))
print("%.2f" % y.sum())


# %% what a Param is asked in jit that no value decides: its class, None, its length, its rows
import jax.numpy as jnp
from flax import nnx


class Lin(nnx.Module):
    def __init__(self, use_bias, rngs):
        self.w = nnx.Param(nnx.initializers.lecun_normal()(rngs.params(), (3, 3)))
        self.bias = nnx.Param(jnp.zeros(3)) if use_bias else None
        self.n = 2

    def __call__(self, x):
        if isinstance(self.w, nnx.Param) and not isinstance(self.bias, nnx.BatchStat):
            x = x @ self.w
        if self.bias is not None:
            x = x + self.bias
        if self.bias:
            x = x + 1
        for row in self.w:
            x = x + row
        if self.w.shape[0] == 3 and self.w.ndim == 2 and len(self.w) == 3:
            x = x * self.w.size
        for _ in range(self.n):
            x = x * 2
        return x


@nnx.jit
def run(m, x):
    y = m(x)
    for path, value in nnx.to_flat_state(nnx.state(m)):
        if isinstance(value, nnx.Param):
            y = y + value.sum()
    return y


run(Lin(True, nnx.Rngs(0)), jnp.ones((1, 3)))
run(Lin(False, nnx.Rngs(0)), jnp.ones((1, 3)))


# %% a Python number in a Variable is traced
import jax.numpy as jnp
from flax import nnx


class M(nnx.Module):
    def __init__(self):
        self.n = nnx.Variable(2)


@nnx.jit
def run(m, x):
    for _ in range(m.n.get_value()):  #! JAX104
        x = x * 2
    return x


run(M(), jnp.ones(2))


# %% a number of a module that changes between calls: each value is traced anew
import jax.numpy as jnp
from flax import nnx


class M(nnx.Module):
    def __init__(self):
        self.step = 0
        self.w = nnx.Param(jnp.ones(2))

    def __call__(self, x):
        if self.step > 0:
            x = x * 2
        return x * self.w


@nnx.jit
def run(m, x):
    return m(x)


m = M()
run(m, jnp.ones(2))
m.step = 1
run(m, jnp.ones(2))


# %% gradients by argument and by kind of Variable, with a static count beside them
import jax.numpy as jnp
from flax import nnx


class M(nnx.Module):
    def __init__(self):
        self.w = nnx.Param(jnp.ones(2))
        self.steps = nnx.Param(jnp.asarray(3))
        self.b = nnx.BatchStat(jnp.asarray(2.0))


def loss(m, x, n):
    for _ in range(n):
        x = x + float(m.b[...])
    return jnp.sum(m.w * x)


class M2(nnx.Module):
    def __init__(self):
        self.w = nnx.Param(jnp.ones(2))
        self.b = nnx.BatchStat(jnp.asarray(2.0))


g = nnx.grad(loss)(M2(), jnp.ones(2), 2)
l, g = nnx.value_and_grad(loss, argnums=nnx.DiffState(0, nnx.Param))(M2(), jnp.ones(2), 2)
l, (g, gx) = nnx.value_and_grad(loss, argnums=(0, 1))(M2(), jnp.ones(2), 2)
if l > 1:
    print(f"{l:.2f}")
grads = nnx.grad(loss, argnums=nnx.DiffState(0, nnx.BatchStat), allow_int=True)


@nnx.jit
def step(m, x):
    l, g = nnx.value_and_grad(lambda m: jnp.sum(m.w * x))(m)
    return {"l": l}


out = step(M2(), jnp.ones(2))
if out["l"] > 1:
    print(out)


# %% streams by name, by item and by default, forks and splits of them
import jax
from flax import nnx

rngs = nnx.Rngs(0, params=0, key=1, noise=jax.random.key(3))
k = rngs.key()
k2 = rngs.key()
a = jax.random.normal(k)
b = jax.random.normal(k2)
init = rngs.he_normal()
f = nnx.Rngs(0).fork(split=3)
s = rngs.noise.key
for k in jax.random.split(rngs(), 3):
    print(jax.random.normal(k))


class M(nnx.Module):
    def __init__(self, rngs):
        key = rngs.params()
        k1, k2 = jax.random.split(key)
        self.a = nnx.Param(jax.random.normal(k1, (2,)))
        self.b = nnx.Param(jax.random.normal(k2, (2,)))
        self.c = nnx.Param(jax.random.normal(rngs["params"](), (2,)))
        self.d = nnx.Param(jax.random.normal(rngs["params"](), (2,)))


M(rngs)


# %% attributes of layers are static or boxes, in jit and outside of it
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx

lin = nnx.Linear(2, 2, rngs=nnx.Rngs(0))
if lin.kernel is not None and lin.use_bias and lin.in_features == 2:
    w = np.asarray(lin.kernel[...])


@nnx.jit
def f(m, x):
    if m.use_bias and m.out_features > 1:
        x = m(x)
    for i in range(m.out_features):
        x = x + m.kernel[i, 0]
    return x


f(lin, jnp.ones((1, 2)))
e = eqx.nn.Linear("scalar", 3, key=jax.random.key(0))


@eqx.filter_jit
def g(m, x):
    if m.in_features == "scalar" and m.use_bias:
        return m(x)
    return x


g(e, jnp.asarray(1.0))
ln = eqx.nn.LayerNorm(3)
y = ln(jnp.ones(3))
LAYERS = {"relu": jax.nn.relu, "norm": ln}
for name, layer in LAYERS.items():
    if callable(layer) and isinstance(layer, eqx.Module):
        y = layer(y)
assert lin != 3 and hash(name)


# %% blocks with a counter, scanned in a method, and one that is checkpointed
import jax.numpy as jnp
from flax import nnx


class Block(nnx.Module):
    def __init__(self, rngs, width=4):
        self.l = nnx.Linear(width, width, rngs=rngs)
        self.width = width
        self.calls = nnx.BatchStat(jnp.asarray(0))

    def __call__(self, x):
        self.calls[...] += 1
        if self.width > 2:
            x = nnx.relu(self.l(x))
        return x


class Net(nnx.Module):
    def __init__(self, depth, rngs):
        self.depth = depth

        @nnx.split_rngs(splits=depth)
        @nnx.vmap(in_axes=(0,), out_axes=0)
        def make(rngs):
            return Block(rngs)

        self.blocks = make(rngs)

    def __call__(self, x):
        @nnx.scan(in_axes=(0, nnx.Carry), out_axes=nnx.Carry)
        def run(block, x):
            return block(x)

        x = run(self.blocks, x)

        @nnx.remat
        def again(block, x):
            return jnp.tanh(x)

        return again(self.blocks, x)


net = Net(3, nnx.Rngs(0))
y = nnx.jit(lambda n, x: n(x))(net, jnp.ones((1, 4)))
if net.blocks.calls[...].sum() == 3 and y.sum() >= 0:
    print(f"{y.sum():.2f}")


# %% a whole fit in lax.scan: module and optimiser merged in its body
import jax
import jax.numpy as jnp
import optax
from flax import nnx

model = nnx.Linear(2, 1, rngs=nnx.Rngs(0))
opt = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
gd, state = nnx.split((model, opt))


@jax.jit
def fit(state, xs):
    def body(state, x):
        model, opt = nnx.merge(gd, state)
        loss, g = nnx.value_and_grad(lambda m: jnp.mean(m(x) ** 2))(model)
        opt.update(model, g)
        return nnx.state((model, opt)), loss

    return jax.lax.scan(body, state, xs)


state, losses = fit(state, jnp.ones((5, 3, 2)))
for i, l in enumerate(losses):
    if i % 2 == 0:
        print(f"{i} {l:.3f}")
nnx.update((model, opt), state)
if model(jnp.ones((1, 2)))[0, 0] > 10:
    print(1)


# %% a trainer that keeps module, optimiser and jitted functions, and tells NaN and the end outside of jit
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx


class Trainer:
    def __init__(self, model, lr, log_every=2):
        self.model = model
        self.optimizer = nnx.Optimizer(model, optax.adam(lr), wrt=nnx.Param)
        self.log_every = log_every
        self.history = []
        self._step = nnx.jit(self._train_step)
        self.eval = nnx.jit(lambda model, x: jnp.mean(model(x) ** 2))

    @staticmethod
    def _train_step(model, optimizer, x):
        loss, grads = nnx.value_and_grad(lambda m: jnp.mean(m(x) ** 2))(model)
        optimizer.update(model, grads)
        return loss, optax.global_norm(grads)

    def fit(self, batches):
        for i, x in enumerate(batches):
            loss, norm = self._step(self.model, self.optimizer, x)
            self.history.append((loss, norm))
            if i % self.log_every == 0:
                print(f"{i} {loss:.3f} {norm:.3f}")
            if loss < 1e-9 or np.isnan(norm):
                return False
        losses, norms = zip(*self.history)
        return np.mean(losses) > 0 and max(norms) < 1e9


trainer = Trainer(nnx.Linear(2, 2, rngs=nnx.Rngs(0)), 1e-2)
if trainer.fit([jnp.ones((3, 2)) * i for i in range(1, 4)]):
    print("%.3f" % trainer.eval(trainer.model, jnp.ones((1, 2))))


# %% an autoencoder with noise of its own, drawn from in a jitted function with a static count
import jax
import jax.numpy as jnp
import optax
from flax import nnx


class VAE(nnx.Module):
    def __init__(self, din, latent, beta=1.0, *, rngs):
        self.enc = nnx.Linear(din, 2 * latent, rngs=rngs)
        self.dec = nnx.Linear(latent, din, rngs=rngs)
        self.latent, self.beta, self.rngs = latent, beta, rngs

    def __call__(self, x):
        mean, logvar = jnp.split(self.enc(x), 2, axis=-1)
        z = mean + jnp.exp(logvar / 2) * jax.random.normal(self.rngs.noise(), mean.shape)
        kl = 0.5 * jnp.sum(mean**2 + jnp.exp(logvar) - 1 - logvar, axis=-1)
        if self.beta > 1:
            kl = self.beta * kl
        return self.dec(z), kl

    def sample(self, n):
        z = jax.random.normal(self.rngs.noise(), (n, self.latent))
        return nnx.sigmoid(self.dec(z))


@nnx.jit
def step(model, opt, x):
    def loss(model):
        out, kl = model(x)
        return optax.l2_loss(out, x).sum(-1).mean() + kl.mean()

    value, grads = nnx.value_and_grad(loss)(model)
    opt.update(model, grads)
    return value


@nnx.jit(static_argnames="n")
def draw(model, n):
    return model.sample(n)


m = VAE(4, 2, rngs=nnx.Rngs(0, noise=1))
opt = nnx.Optimizer(m, optax.adam(1e-3), wrt=nnx.Param)
for e in range(3):
    v = step(m, opt, jnp.ones((2, 4)))
    if e % 2 == 0 and v > 0:
        print(f"{e}: {v:.2f}, {draw(m, n=2).max():.2f}")


# %% pytrees without leaves: no transform makes a tracer of them
from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Nothing(NamedTuple):
    pass


@jax.jit
def apply(graphdef, state, x):
    print(graphdef)
    print(state)  #! JAX202
    return nnx.merge(graphdef, state)(x)


@jax.jit
def update(nothing, empty, clipped, adam):
    print(nothing)
    print(empty, clipped)
    print(adam)  #! JAX202
    return adam


def test_apply():
    graphdef, state = nnx.split(nnx.Linear(2, 2, rngs=nnx.Rngs(0)))
    apply(graphdef, state, jnp.ones((1, 2)))
    w = jnp.ones(2)
    update(Nothing(), optax.EmptyState(), optax.clip(1.0).init(w), optax.adam(0.1).init(w))


test_apply()


# %% definitions of one graph are equal: splitting the module again changes nothing that a trace has read
import jax
import jax.numpy as jnp
from flax import nnx


class Engine:
    def __init__(self, model):
        self._model = model
        self._graphdef = None

    def compile(self):
        self._graphdef, _ = nnx.split(self._model)
        self._step = jax.jit(self._kernel)

    def _kernel(self, state, batch):
        return nnx.merge(self._graphdef, state)(batch)

    def step(self, batch):
        self._graphdef, state = nnx.split(self._model)
        return self._step(state, batch)


engine = Engine(nnx.Linear(2, 2, rngs=nnx.Rngs(0)))
engine.compile()
engine.step(jnp.ones((1, 2)))
engine.step(jnp.ones((1, 2)))


# %% nnx.compat: the transforms of trees
import jax.numpy as jnp
from flax import nnx


@nnx.compat.jit
def step(x):
    print(x)  #! JAX202

    def loss(x):
        print(x)  #! JAX202
        return x.sum()

    return nnx.compat.value_and_grad(loss)(x)


step(jnp.ones(3))


# %% modules in nnx.List, and a module put together in jit of its definition and its state
import jax
import jax.numpy as jnp
from flax import nnx


class Block(nnx.Module):
    def __init__(self, width, *, rngs):
        self.linear = nnx.Linear(width, width, rngs=rngs)
        self.scale = nnx.Param(jnp.ones(width))
        self.width = width

    def __call__(self, x):
        print(x)  #! JAX202
        print(self.width)
        return self.linear(x) * self.scale[...]


class Net(nnx.Module):
    def __init__(self, *, rngs):
        self.blocks = nnx.List([Block(3, rngs=rngs) for _ in range(2)])

    def __call__(self, x):
        for block in self.blocks:
            x = block(x)
            print(x)  #! JAX202
        return x


net = Net(rngs=nnx.Rngs(0))
graphdef, state = nnx.split(net)


@jax.jit
def forward(state, x):
    y = nnx.merge(graphdef, state)(x)
    print(y)  #! JAX202
    return y


print(forward(state, jnp.ones((2, 3))))


# %% ok: a key in a variable is replaced by each call, which transforms write back
import jax
import jax.numpy as jnp
from flax import nnx


class Noisy(nnx.Module):
    def __init__(self, rngs):
        self.w = nnx.Param(jnp.ones(3))
        self.key = nnx.Variable(rngs.noise())

    def __call__(self, x):
        key, subkey = jax.random.split(self.key[...])
        self.key[...] = key
        return self.w[...] * x + jax.random.normal(subkey, x.shape)


class Net(nnx.Module):
    def __init__(self, rngs):
        self.layers = nnx.List([Noisy(rngs), Noisy(rngs)])

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@nnx.jit
def step(model, x):
    return nnx.value_and_grad(lambda m, x: m(x).sum())(model, x)[0]


model = Net(nnx.Rngs(0))
x = jnp.ones(3)
for _ in range(3):
    print(step(model, x), model(x))
print(model(x))


# %% what `split_rngs` decorates stays what it is
import jax.numpy as jnp
from flax import nnx


class Block(nnx.Module):
    def __init__(self, width, rngs):
        self.dense = nnx.Linear(width, width, rngs=rngs)

    def __call__(self, x):
        x = self.dense(x)
        print(x)  #! JAX202
        return x


class Net(nnx.Module):
    def __init__(self, width, rngs):
        @nnx.split_rngs(splits=2)
        @nnx.vmap(in_axes=(None, 0))
        def create(width, rngs):
            return Block(width, rngs)

        self.blocks = create(width, rngs)

    def __call__(self, x):
        @nnx.vmap(in_axes=(0, None))
        def apply(block, x):
            return block(x)

        return apply(self.blocks, x).sum()


@nnx.jit
def loss(model, x):
    return model(x)


print(loss(Net(3, nnx.Rngs(0)), jnp.ones(3)))


# %% modules that are donated get the new arrays
import jax.numpy as jnp
import optax
from flax import nnx


def train(model, optimizer, batches):
    @nnx.jit(donate_argnames=("model", "optimizer"))
    def step(model, optimizer, batch):
        loss, grads = nnx.value_and_grad(lambda model: model(batch).sum())(model)
        optimizer.update(model, grads)
        return loss

    for batch in batches:
        loss = step(model, optimizer, batch)
    return loss, model(batches[0])


model = nnx.Linear(3, 3, rngs=nnx.Rngs(0))
print(train(model, nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param), jnp.ones((2, 4, 3))))


# %% a recurrent cell gives its state and an array
import jax
import jax.numpy as jnp
from flax import nnx


class Step(nnx.Module):
    def __init__(self, rngs):
        self.cell = nnx.GRUCell(3, 4, rngs=rngs)

    def __call__(self, carry, x):
        carry, y = self.cell(carry, x)
        if y.max() > 1:  #! JAX101
            y = y / y.max()
        return carry, y


step = Step(nnx.Rngs(0))


@nnx.jit
def run(step, carry, x):
    return step(carry, x)


run(step, jnp.zeros((2, 4)), jnp.ones((2, 3)))


# %% norun nobody calls these: what is no module is traced, numbers too
import jax
from flax import nnx


@nnx.jit
def train(model, x, rate):
    if rate > 2:  #! JAX101
        return x
    if model.flag or model.size > 3:
        return x
    if x.sum() > 0:  #! JAX101
        return x
    if rate + 1 > 2:  #! JAX101
        return x
    return model(x)


@nnx.jit
def annotated(model: nnx.Linear, x: jax.Array):
    if x > 2:  #! JAX101
        return x
    return model(x)


@nnx.jit(static_argnames=("training", "count"))
def static(model, x, training, count):
    if training or count > 2:
        return x
    return model[0](x)


# %% norun nobody calls this: an argument that is annotated as a module
import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs, size):
        self.scale = nnx.Param(jnp.ones(()))
        self.size = size

    def __call__(self, x):
        if self.size > 2:
            return x
        if x.sum() > 2:  #! JAX101
            return x
        return x * self.scale[...]


def loss(net: Net, x):
    return net(x).sum()


@nnx.jit
def train(net: Net, optimizer: nnx.Optimizer, x):
    value, grads = nnx.value_and_grad(loss)(net, x)
    optimizer.update(net, grads)
    return value


# %% norun how a module is built is read of a state, of which each is made of the last one
import jax
import jax.numpy as jnp
from flax import nnx
from states import make_state


class Learner:
    def __init__(self):
        self._state, self._sharding = make_state(nnx.Linear(2, 1, rngs=nnx.Rngs(0)))
        self.train_step = nnx.jit(self.make_train_step())

    def _loss(self, params, x):
        return jnp.mean(nnx.merge(self._state.graphdef, params)(x) ** 2)

    def make_train_step(self):
        def _train_step(state, x):
            value, grads = jax.value_and_grad(self._loss)(state.params, x)
            return state.apply_gradients(grads=grads), value

        return _train_step

    def update(self, x):
        for _ in range(3):
            self._state, value = self.train_step(self._state, x)
            print(float(value))


# %% norun ... its parameters are
import jax
import jax.numpy as jnp
from flax import nnx
from states import make_state


class Learner:
    def __init__(self):
        self._state, self._sharding = make_state(nnx.Linear(2, 1, rngs=nnx.Rngs(0)))
        self.train_step = nnx.jit(self.make_train_step())

    def _loss(self, x):
        return jnp.mean(nnx.merge(self._state.graphdef, self._state.params)(x) ** 2)  #! JAX206

    def make_train_step(self):
        def _train_step(state, x):
            return state.apply_gradients(grads=state.params), self._loss(x)

        return _train_step

    def update(self, x):
        for _ in range(3):
            self._state, value = self.train_step(self._state, x)
            print(float(value))


# %% a variable of a module that a jitted function closes over
import jax
import jax.numpy as jnp
from flax import nnx


class Counter(nnx.Module):
    def __init__(self):
        self.n = nnx.Variable(jnp.zeros(()))

    def __call__(self, x):
        self.n[...] = self.n[...] + 1  #! JAX203
        return x * 2


counter = Counter()


@jax.jit
def step(x):
    return counter(x)


step(jnp.ones(3))


# %% ... by its value, in the body of a scan, also in nnx.jit
import jax
import jax.numpy as jnp
from flax import nnx


class Counter(nnx.Module):
    def __init__(self):
        self.n = nnx.Variable(jnp.zeros(()))

    def __call__(self, x):
        self.n[...] = self.n[...] + 1
        return x * 2


class Model(nnx.Module):
    def __init__(self):
        self.total = nnx.Variable(jnp.zeros(()))

    def __call__(self, x):
        def body(carry, _):
            self.total.value = self.total.value + carry.sum()  #! JAX203
            return carry * 2, None

        return jax.lax.scan(body, x, None, length=3)[0]


@nnx.jit
def step(model, x):
    return model(x)


step(Model(), jnp.ones(3))


# %% ... of another module than the one that is differentiated
import jax
import jax.numpy as jnp
from flax import nnx


class Counter(nnx.Module):
    def __init__(self):
        self.n = nnx.Variable(jnp.zeros(()))

    def __call__(self, x):
        self.n[...] = self.n[...] + 1  #! JAX203
        return x * 2


@nnx.jit
def step(model, other, x):
    def loss(model):
        return other(model(x)).sum()

    return nnx.grad(loss)(model)


step(Counter(), Counter(), jnp.ones(3))


# %% ... in a method that a transform of JAX is given
import jax
import jax.numpy as jnp
from flax import nnx


class Counter(nnx.Module):
    def __init__(self):
        self.n = nnx.Variable(jnp.zeros(()))

    def __call__(self, x):
        self.n[...] = self.n[...] + 1  #! JAX203
        return x * 2


class Model(nnx.Module):
    def __init__(self):
        self.counter = Counter()

    def __call__(self, x):
        return jax.checkpoint(self.counter)(x)


Model()(jnp.ones(3))


# %% ... in a branch
import jax
import jax.numpy as jnp
from flax import nnx


class Counter(nnx.Module):
    def __init__(self):
        self.n = nnx.Variable(jnp.zeros(()))

    def __call__(self, x):
        self.n[...] = self.n[...] + 1  #! JAX203
        return x * 2


class Model(nnx.Module):
    def __init__(self):
        self.counter = Counter()

    def __call__(self, x):
        return nnx.cond(x.sum() > 0, lambda x: self.counter(x), lambda x: x, x)


Model()(jnp.ones(3))


# %% an attribute of a module that a compiled function closes over
import jax.numpy as jnp
from flax import nnx


class Model(nnx.Module):
    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        self.calls += 1  #! JAX203
        return x


model = Model()


@nnx.jit
def step(x):
    return model(x)


step(jnp.ones(3))


# %% streams of keys that a compiled function closes over
import jax
import jax.numpy as jnp
from flax import nnx

rngs = nnx.Rngs(0)


@jax.jit
def noisy(x):
    return x + jax.random.normal(rngs.noise(), x.shape)  #! JAX203


noisy(jnp.ones(3))


# %% ... the loss in a compiled function
import jax
import jax.numpy as jnp
from flax import nnx


@nnx.jit
def step(rngs, x):
    def loss(w):
        return (w * rngs.normal((3,))).sum()  #! JAX203

    return nnx.grad(loss)(x)


step(nnx.Rngs(0), jnp.ones(3))


# %% modules and streams that each trace is given, or makes, may change there
import copy

import jax
import jax.numpy as jnp
from flax import nnx


class Counter(nnx.Module):
    def __init__(self):
        self.n = nnx.Variable(jnp.zeros(()))
        self.w = nnx.Param(jnp.ones(()))

    def __call__(self, x):
        self.n[...] = self.n[...] + 1
        return x * self.w[...]


class Model(nnx.Module):
    def __init__(self):
        self.first, self.second = Counter(), Counter()
        self.others = nnx.List([Counter(), Counter()])

    def __call__(self, x):
        for each in self.others:
            x = each(x)
        return self.second(self.first(x))

    def scanned(self, x):
        @nnx.scan(in_axes=(None, nnx.Carry), out_axes=nnx.Carry, length=3)
        def body(counter, carry):
            return counter(carry)

        return body(self.first, x)

    def chosen(self, x):
        return nnx.cond(x.sum() > 0, lambda model, x: model.first(x), lambda model, x: model.first(x * 2), self, x)

    def again(self, x):
        return nnx.remat(lambda counter, x: counter(x))(self.first, x)

    def mapped(self, x):
        return nnx.vmap(lambda counter, x: counter(x), in_axes=(None, 0))(self.first, x)


@nnx.jit
def step(model, other, x):
    def loss(model, other):
        return other(model(x)).sum()

    return nnx.value_and_grad(loss)(model, other)


@nnx.jit
def several(models, x):
    for each in models:
        x = each(x)
    return x


@jax.jit
def merged(definition, state, x):
    model = nnx.merge(definition, state)
    return nnx.state(model, nnx.Variable), model(x)


@jax.jit
def fresh(x):
    rngs = nnx.Rngs(0)

    def noise():
        return rngs.normal(x.shape)

    return Counter()(x) + noise()


@nnx.jit
def noisy(rngs, x):
    def loss(w, rngs):
        return (w * rngs.normal((3,))).sum()

    return nnx.grad(loss)(x, rngs)


x = jnp.ones(3)
model = Model()
model(x)
for method in (model.scanned, model.chosen, model.again, model.mapped):
    method(x)
step(Model(), Model(), x)
several([Model(), Model()], x)
merged(*nnx.split(model), x)
fresh(x)
noisy(nnx.Rngs(0), x)
nnx.grad(lambda a, b, x: b(a(x)).sum(), argnums=1)(Counter(), Counter(), x)
nnx.fori_loop(0, 3, lambda i, carry: (carry[0], carry[0](carry[1])), (Counter(), x))
taken = Counter()
copied = jax.jit(lambda x: copy.deepcopy(taken)(x))(x)
cloned = jax.jit(lambda x: nnx.clone(taken)(x))(x)


# %% the arrays of a module are replaced in a loss that closes over it
import jax
import jax.numpy as jnp
from flax import nnx

model = nnx.Linear(2, 1, rngs=nnx.Rngs(0))
params = nnx.state(model, nnx.Param)


def loss(params):
    nnx.update(model, params)  #! JAX203
    return model(jnp.ones((1, 2))).sum()


jax.grad(loss)(params)


# %% ... of one that the trace has merged, or outside of traces
import jax
import jax.numpy as jnp
from flax import nnx

model = nnx.Linear(2, 1, rngs=nnx.Rngs(0))
definition, params = nnx.split(model)


def loss(params):
    own = nnx.merge(definition, params)
    nnx.update(own, params)
    return own(jnp.ones((1, 2))).sum()


@nnx.jit
def step(model, params):
    nnx.update(model, params)
    return model(jnp.ones((1, 2))).sum()


gradients = jax.grad(loss)(params)
nnx.update(model, params)
step(model, params)


# %% a variable of flax is not None: what comes behind the return is never reached
import jax.numpy as jnp
from flax import nnx
from jax import random

key = random.key(0)


class Rotary(nnx.Module):
    def __init__(self, size):
        self.size = size
        self.cache = nnx.Param(jnp.ones((size, 4)))

    def __call__(self, x, shape=None):
        if self.cache is not None:
            return x * self.cache
        height, width = shape
        top = random.randint(key, (), 0, self.size - height + 1)
        left = random.randint(key, (), 0, self.size - width + 1)
        return x[top:, left:]


print(Rotary(3)(jnp.ones((3, 4)), (2, 2)).shape)


# %% but where it may be None, what is behind is reached
import jax.numpy as jnp
from flax import nnx
from jax import random

key = random.key(0)


class Rotary(nnx.Module):
    def __init__(self, size, is_cached):
        self.size = size
        self.cache = nnx.Param(jnp.ones((size, 4))) if is_cached else None

    def __call__(self, x, shape=None):
        if self.cache is not None:
            return x * self.cache
        height, width = shape
        top = random.randint(key, (), 0, self.size - height + 1)
        left = random.randint(key, (), 0, self.size - width + 1)  #! JAX301
        return x + top + left


print(Rotary(3, False)(jnp.ones((3, 4)), (2, 2)).shape)
print(Rotary(3, True)(jnp.ones((3, 4)), (2, 2)).shape)

# %% closures that were traced before a module got another state
import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Net(nnx.Module):
    def __init__(self, size, rngs):
        self.size = size
        self.inner = nnx.Linear(size, size, rngs=rngs)

    def __call__(self, x):
        return self.inner(x)


@nnx.jit
def train_step(model, optimizer, x):
    grads = nnx.grad(lambda m: m(x).sum())(model)
    optimizer.update(model, grads)


def train(model, optimizer, x):
    for _ in range(3):
        train_step(model, optimizer, x)


model = Net(2, nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
predict = jax.jit(lambda x: model(x))  #! JAX205
x = jnp.ones((1, 2))
before = predict(x)
train(model, optimizer, x)
assert (before == predict(x)).all() and (before != model(x)).any()

layer = nnx.Linear(2, 2, rngs=nnx.Rngs(0))


@nnx.jit
def apply(x):
    return layer(x)  #! JAX205


before = apply(x)
layer.kernel[...] = jnp.zeros((2, 2))
assert (before == apply(x)).all() and (before != layer(x)).any()

other = Net(2, nnx.Rngs(1))
follow = jax.jit(lambda x: other(x))  #! JAX205
before = follow(x)
nnx.update(other, nnx.state(model))
assert (before == follow(x)).all() and (before != other(x)).any()


class Trainer:
    def __init__(self):
        self.model = Net(2, nnx.Rngs(0))
        self.optimizer = nnx.Optimizer(self.model, optax.sgd(0.1), wrt=nnx.Param)
        self.predict = jax.jit(lambda x: self.model(x).sum())  #! JAX206

    def fit(self, x):
        grads = nnx.grad(lambda m: m(x).sum())(self.model)
        self.optimizer.update(self.model, grads)


trainer = Trainer()
before = trainer.predict(x)
trainer.fit(x)
assert before == trainer.predict(x) != trainer.model(x).sum()

# %% functions that are given the module, its state or no more than its size
import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Net(nnx.Module):
    def __init__(self, size, rngs):
        self.size = size
        self.inner = nnx.Linear(size, size, rngs=rngs)

    def __call__(self, x):
        return self.inner(x)


model = Net(2, nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
graphdef, state = nnx.split(model)


@nnx.jit
def train_step(model, optimizer, x):
    grads = nnx.grad(lambda m: m(x).sum())(model)
    optimizer.update(model, grads)


@nnx.jit
def predict(model, x):
    return model(x)


@jax.jit
def start(key):
    return jax.random.normal(key, (model.size,))


@jax.jit
def pure(state, x):
    return nnx.merge(graphdef, state)(x)


for step in range(3):
    x = start(jax.random.key(step))[None]
    train_step(model, optimizer, x)
    print(predict(model, x), pure(nnx.state(model), x))
fixed = jax.jit(lambda x: model(x))
print(fixed(x), fixed(x))

# %% clones and merged modules that are dropped
from flax import nnx
import jax.numpy as jnp

model = nnx.Linear(2, 2, rngs=nnx.Rngs(0))
nnx.clone(model)  #! JAX502
graph, state = nnx.split(model)
nnx.merge(graph, state)  #! JAX502
nnx.update(model, state)
copy = nnx.merge(graph, state)
print(copy(jnp.ones(2)))


# %% what metrics compute is traced where the metric is
import jax.numpy as jnp
from flax import nnx


@nnx.jit
def step(metrics, loss):
    metrics.update(loss=loss)
    return float(metrics.compute()["loss"])  #! JAX105


metrics = nnx.MultiMetric(loss=nnx.metrics.Average("loss"))
step(metrics, jnp.ones(()))


# %% metrics outside of traces
import jax.numpy as jnp
from flax import nnx


@nnx.jit
def step(metrics, loss):
    metrics.update(loss=loss)
    return metrics.compute()["loss"]


metrics = nnx.MultiMetric(loss=nnx.metrics.Average("loss"))
average = nnx.metrics.Average()
for _ in range(2):
    loss = step(metrics, jnp.ones(()))
    average.update(values=loss)
    if metrics.compute()["loss"] > 0:
        print(float(metrics.compute()["loss"]), float(average.compute()), float(loss))
metrics.reset()


# %% two streams of one key give the same keys, whatever they are called, also where several are made in one statement
import jax
from flax import nnx


def both(key):
    rngs = nnx.Rngs(params=key, noise=key)
    return jax.random.normal(rngs.params()) + jax.random.normal(rngs.noise())  #! JAX301


def with_default(key):
    rngs = nnx.Rngs(key, noise=key)
    return jax.random.normal(rngs.dropout()) + jax.random.normal(rngs.noise())  #! JAX301


def several(key):
    a, b = nnx.Rngs(key), nnx.Rngs(key)
    return jax.random.normal(a.params()) + jax.random.normal(b.noise())  #! JAX301


class Net(nnx.Module):
    def __init__(self, key):
        rngs = nnx.Rngs(params=key, noise=key)
        self.w = nnx.Param(jax.random.normal(rngs.params()))
        self.b = nnx.Param(jax.random.normal(rngs.noise()))  #! JAX301


def counted(key):
    rngs = nnx.Rngs(key)
    return jax.random.normal(rngs.params()) + jax.random.normal(rngs.noise())


def later(key):
    rngs = nnx.Rngs(params=key, noise=key)
    x = jax.random.normal(rngs.params())
    return x + jax.random.normal(rngs.params())


def apart(key):
    k1, k2 = jax.random.split(key)
    rngs = nnx.Rngs(params=k1, noise=k2)
    return jax.random.normal(rngs.params()) + jax.random.normal(rngs.noise())


keys = jax.random.split(jax.random.key(0), 8)
a, b = nnx.Rngs(keys[6]), nnx.Rngs(keys[5])
print(both(keys[0]), with_default(keys[1]), several(keys[7]), counted(keys[2]), later(keys[3]), apart(keys[4]), a(), b())
Net(jax.random.key(3))


# %% a key of a stream of which nothing is known goes to a function that draws, or to an initializer, twice
import jax
from flax import nnx


def matrix(key, n):
    return nnx.Param(jax.random.normal(key, (n, n)))


def pair(key):
    a, b = jax.random.split(key)
    return nnx.Param(jax.random.normal(a) + jax.random.normal(b))


def shape_of(key, n):
    return key.shape, n


class Projections(nnx.Module):
    def __init__(self, flag, *, rngs: nnx.Rngs):
        key = rngs.params()
        self.wq = self.matrix(key)
        self.wk = self.matrix(key)  #! JAX301
        key = rngs.params()
        self.wv = matrix(key, 3)
        self.wo = matrix(n=3, key=key)  #! JAX301
        key = rngs.params()
        self.a = pair(key)
        self.b = pair(key)  #! JAX301
        init = nnx.initializers.lecun_normal()
        key = rngs.params()
        self.c = nnx.Param(init(key, (3, 3)))
        self.d = nnx.Param(init(key, (3, 3)))  #! JAX301

    def matrix(self, key):
        return nnx.Param(jax.random.normal(key, (3, 3)))


class Layers(nnx.Module):
    def __init__(self, n, *, rngs: nnx.Rngs):
        key = rngs.params()
        self.layers = nnx.List([])
        for _ in range(n):
            self.layers.append(matrix(key, 3))  #! JAX302


class Apart(nnx.Module):
    def __init__(self, flag, n, *, rngs: nnx.Rngs):
        key = rngs.params()
        self.a = matrix(key, 3)
        key = rngs.params()
        self.b = matrix(key, 3)
        for _ in range(n):
            key = rngs.params()
            self.c = matrix(key, 3)
        key = rngs.params()
        if flag:
            self.d = matrix(key, 3)
        else:
            self.d = matrix(key, 4)
        key = rngs.params()
        print(shape_of(key, 3))
        self.e = matrix(key, 3)


Projections(True, rngs=nnx.Rngs(0))
Layers(2, rngs=nnx.Rngs(0))
Apart(True, 2, rngs=nnx.Rngs(0))

# %% raises-elsewhere variables of classes of the project
import jax
import jax.numpy as jnp
from flax import nnx


class Count(nnx.Variable):
    pass


class Scale(nnx.Param):
    """A parameter."""


class Model(nnx.Module):
    def __init__(self, step):
        self.count = Count(jnp.array(step))
        self.scale = Scale(jnp.ones(3))

    def __call__(self, x):
        if self.scale[...].ndim > 1:
            return x
        if self.scale[...].sum() > 2:  #! JAX101
            x = 2 * x
        return x if self.count[...] > 10 else -x  #! JAX101


@nnx.jit
def run(model, x):
    return model(x)


model = Model(3)
assert model(1.0) == -2.0
run(model, 1.0)


# %% variables of a layer that is traced: an argument, in a module of the project, merged from a traced state
import jax
import jax.numpy as jnp
from flax import nnx


class Model(nnx.Module):
    def __init__(self, rngs):
        self.first = nnx.Linear(2, 2, rngs=rngs)
        self.norm = nnx.BatchNorm(2, rngs=rngs)
        self.attention = nnx.MultiHeadAttention(1, 2, decode=False, rngs=rngs)

    def __call__(self, x):
        if self.first.kernel[...].ndim != 2 or self.first.in_features > 5:
            return x
        if self.norm.mean.value[0] > 0:  #! JAX101
            return x
        if self.attention.query.kernel[...].sum() > 0:  #! JAX101
            return x
        return self.first(x)


@nnx.jit
def run(model, x):
    return model(x)


@nnx.jit
def flip(layer, x):
    return -x if layer.kernel[0, 0] > 0 else x  #! JAX101


@jax.jit
def flip_merged(state, x):
    layer = nnx.merge(graph, state)
    return -x if layer.kernel[...].max() > 0 else x  #! JAX101


layer = nnx.Linear(2, 2, rngs=nnx.Rngs(0))
graph, state = nnx.split(layer)
if layer.kernel[0, 0] > 0:
    print("positive")
flip(layer, 1.0)
flip_merged(state, 1.0)
run(Model(nnx.Rngs(0)), jnp.ones(2))


# %% ... a gradient alone, and what nnx does not differentiate, are concrete in them
import jax.numpy as jnp
from flax import nnx


def loss(norm, x):
    if norm.mean[...][0] > 0 or norm.epsilon > 1:
        return x.sum()
    return norm(x).sum()


norm = nnx.BatchNorm(2, use_running_average=True, rngs=nnx.Rngs(0))
print(nnx.grad(loss)(norm, jnp.ones((1, 2))))


# %% ... a variable that some function sets may hold a number: nothing is said of its name
import jax.numpy as jnp
import numpy as np
from flax import nnx


def freeze(layer):
    layer.embedding.set_value(np.ones((4, 2)))


@nnx.jit
def first(layer, x):
    freeze(layer)
    return x if layer.embedding.get_value()[0, 0] > 0 else -x


print(first(nnx.Embed(4, 2, rngs=nnx.Rngs(0)), 1.0))
