# %% a plain loop: the loss is printed, compared and kept outside of jit
import jax
import jax.numpy as jnp
import numpy as np
import optax

params = {"w": jnp.zeros(3), "b": jnp.zeros(())}
optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-2, weight_decay=1e-4))
opt_state = optimizer.init(params)


def loss_fn(params, x, y):
    return optax.l2_loss(jnp.matmul(x, params["w"]) + params["b"], y).mean()


@jax.jit
def step(params, opt_state, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    params = optax.apply_updates(params, updates)
    return params, opt_state, loss, optax.global_norm(grads)


x = np.random.default_rng(0).normal(size=(16, 3)).astype("float32")
losses = []
for i in range(5):
    params, opt_state, loss, norm = step(params, opt_state, x, x.sum(1))
    losses.append(loss)
    if i % 2 == 0:
        print(f"{i:3d} {loss:.4f} {norm:.2e}")
    if len(losses) > 2 and losses[-1] > losses[-2] > losses[-3]:
        break
print(np.mean(losses), float(params["b"]))


# %% the updates are applied and thrown away
import jax
import jax.numpy as jnp
import optax

params = jnp.ones(3)
optimizer = optax.sgd(0.1)
state = optimizer.init(params)
grads = jax.grad(lambda p: jnp.sum(p**2))(params)
updates, state = optimizer.update(grads, state)
optax.apply_updates(params, updates)  #! JAX502


# %% a schedule: outside of jit its value is a number like any other
import jax
import jax.numpy as jnp
import optax

schedule = optax.warmup_cosine_decay_schedule(0.0, 1e-2, 10, 100)
optimizer = optax.adam(schedule)
params = jnp.ones(3)
state = optimizer.init(params)


@jax.jit
def step(params, state):
    updates, state = optimizer.update(jax.grad(lambda p: jnp.sum(p**2))(params), state, params)
    return optax.apply_updates(params, updates), state


for i in range(3):
    params, state = step(params, state)
    rate = schedule(i)
    print(f"{i} {float(rate):.5f} {rate:.5f}")
    if rate > 1.0:
        break


# %% the value of a schedule at a traced step is traced
import jax
import jax.numpy as jnp
import optax

schedule = optax.linear_schedule(1.0, 0.0, 10)


@jax.jit
def scale(x, step):
    rate = schedule(step)
    if rate > 0.5:  #! JAX101
        return x * rate
    return x


scale(jnp.ones(3), 3)


# %% inject_hyperparams: the rate is in the state, set and read outside of jit
import jax
import jax.numpy as jnp
import optax

optimizer = optax.inject_hyperparams(optax.adam)(learning_rate=1e-2)
params = jnp.ones(3)
state = optimizer.init(params)


@jax.jit
def step(params, state):
    loss, grads = jax.value_and_grad(lambda p: jnp.sum(p**2))(params)
    updates, state = optimizer.update(grads, state, params)
    return optax.apply_updates(params, updates), state, loss


best = jnp.inf
for _ in range(3):
    params, state, loss = step(params, state)
    if loss < best:
        best = loss
    else:
        state.hyperparams["learning_rate"] = state.hyperparams["learning_rate"] * 0.5
print(f"{state.hyperparams['learning_rate']:.4f} {best:.3f}")


# %% multi_transform and masks by the names of parameters
import jax
import jax.numpy as jnp
import optax

params = {"encoder": jnp.ones(3), "head": jnp.ones(2)}
labels = {name: "frozen" if name == "encoder" else "train" for name in params}
optimizer = optax.multi_transform({"train": optax.adam(1e-2), "frozen": optax.set_to_zero()}, labels)
decayed = optax.masked(optax.add_decayed_weights(1e-4), jax.tree.map(lambda p: p.ndim > 0, params))
optimizer = optax.chain(decayed, optimizer)
state = optimizer.init(params)


@jax.jit
def step(params, state):
    grads = jax.grad(lambda p: sum(jnp.sum(v**2) for v in jax.tree.leaves(p)))(params)
    updates, state = optimizer.update(grads, state, params)
    return optax.apply_updates(params, updates), state


new, state = step(params, state)
assert (new["encoder"] == params["encoder"]).all() and (new["head"] != params["head"]).all()


# %% gradients accumulated over small batches
import jax
import jax.numpy as jnp
import optax

optimizer = optax.MultiSteps(optax.sgd(0.1), every_k_schedule=2)
params = jnp.ones(3)
state = optimizer.init(params)


@jax.jit
def step(params, state, x):
    grads = jax.grad(lambda p: jnp.sum(p * x))(params)
    updates, state = optimizer.update(grads, state, params)
    return optax.apply_updates(params, updates), state, optimizer.has_updated(state)


for i in range(4):
    params, state, updated = step(params, state, jnp.full(3, float(i)))
    if updated:
        print(f"updated at {i}: {params.sum():.2f}")


# %% a loss is an array that jit traces
import jax
import jax.numpy as jnp
import numpy as np
import optax


@jax.jit
def accuracy(logits, labels):
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels)
    return np.sqrt(loss)  #! JAX106


accuracy(jnp.ones((4, 3)), jnp.zeros(4, int))


# %% early stopping in the jitted step
import jax
import jax.numpy as jnp
import optax

optimizer = optax.sgd(0.1)


@jax.jit
def step(params, state):
    grads = jax.grad(lambda p: jnp.sum(p**2))(params)
    if optax.global_norm(grads) < 1e-3:  #! JAX101
        return params, state
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(params, updates), state


step(jnp.ones(3), optimizer.init(jnp.ones(3)))


# %% a transformation of one's own
import jax
import jax.numpy as jnp
import optax


def scale_by_sign(strength):
    def init(params):
        return optax.EmptyState()

    def update(updates, state, params=None):
        if params is None:
            raise ValueError("params are needed")
        if strength > 0:
            updates = jax.tree.map(lambda u: strength * jnp.sign(u), updates)
        return updates, state

    return optax.GradientTransformation(init, update)


optimizer = optax.chain(scale_by_sign(0.5), optax.scale(-0.1))
params = {"w": jnp.ones(3)}
state = optimizer.init(params)


@jax.jit
def step(params, state):
    grads = jax.grad(lambda p: jnp.sum(p["w"] ** 2))(params)
    updates, state = optimizer.update(grads, state, params)
    return optax.apply_updates(params, updates), state


params, state = step(params, state)
print(f"{params['w'].mean():.2f}")


# %% the loop in lax.scan, the state its carry
import jax
import jax.numpy as jnp
import optax

optimizer = optax.adam(1e-1)


@jax.jit
def fit(params, xs):
    def body(carry, x):
        params, state = carry
        loss, grads = jax.value_and_grad(lambda p: jnp.mean((p - x) ** 2))(params)
        updates, state = optimizer.update(grads, state, params)
        return (optax.apply_updates(params, updates), state), loss

    (params, _), losses = jax.lax.scan(body, (params, optimizer.init(params)), xs)
    return params, losses


params, losses = fit(jnp.zeros(3), jnp.ones((10, 3)))
for i, loss in enumerate(losses):
    if i % 5 == 0:
        print(f"{i} {loss:.3f}")
if losses[-1] > losses[0]:
    raise ValueError


# %% moving averages of the parameters
import jax
import jax.numpy as jnp
import optax

params = {"w": jnp.ones(3)}
average = params
for step in range(3):
    params = jax.tree.map(lambda p: p * 0.9, params)
    average = optax.incremental_update(params, average, 0.1)
distance = optax.tree_utils.tree_norm(optax.tree_utils.tree_sub(params, average))
if distance > 1.0:
    print(f"{distance:.3f}")


# %% a line search: the value and the gradient function that it calls
import jax
import jax.numpy as jnp
import optax


def objective(x):
    return jnp.sum((x - 1.0) ** 2)


optimizer = optax.lbfgs()
params = jnp.zeros(3)
state = optimizer.init(params)
value_and_grad = optax.value_and_grad_from_state(objective)


@jax.jit
def step(params, state):
    value, grad = value_and_grad(params, state=state)
    updates, state = optimizer.update(grad, state, params, value=value, grad=grad, value_fn=objective)
    return optax.apply_updates(params, updates), state, value


for _ in range(10):
    params, state, value = step(params, state)
    if value < 1e-6:
        break
print(f"{value:.2e}")


# %% noise on the gradients: a key for each step
import jax
import jax.numpy as jnp
import optax

optimizer = optax.chain(optax.add_noise(0.01, 0.55, seed=0), optax.sgd(0.1))
key = jax.random.key(0)
params = jax.random.normal(jax.random.fold_in(key, 1), (3,))
state = optimizer.init(params)
for step in range(2):
    noise = jax.random.normal(jax.random.fold_in(key, step + 2), (3,))
    updates, state = optimizer.update(params + noise, state)
    params = optax.apply_updates(params, updates)


# %% the same noise at every step
import jax
import jax.numpy as jnp
import optax

optimizer = optax.sgd(0.1)
key = jax.random.key(0)
params = jnp.ones(3)
state = optimizer.init(params)
for step in range(2):
    noise = jax.random.normal(key, (3,))  #! JAX302
    updates, state = optimizer.update(params + noise, state)
    params = optax.apply_updates(params, updates)


# %% optimisers by name, and their settings in a dict
import jax
import jax.numpy as jnp
import optax

OPTIMIZERS = {"adam": optax.adam, "sgd": lambda rate: optax.sgd(rate, momentum=0.9), "lion": optax.lion}


def make(config):
    steps = [OPTIMIZERS[config["name"]](config["rate"])]
    if config.get("clip", 0) > 0:
        steps.insert(0, optax.clip(config["clip"]))
    return optax.chain(*steps)


def make_step(optimizer, loss_fn):
    @jax.jit
    def step(params, state):
        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, state = optimizer.update(grads, state, params)
        return optax.apply_updates(params, updates), state, loss

    return step


for name in OPTIMIZERS:
    optimizer = make({"name": name, "rate": 0.1, "clip": 1.0})
    step = make_step(optimizer, lambda p: jnp.sum(p**2))
    params = jnp.ones(3)
    state = optimizer.init(params)
    while True:
        params, state, loss = step(params, state)
        if loss < 1.5:
            break
    print(f"{name} {loss:.3f}")


# %% schedules in a table, a constant one and one made of others
import jax
import jax.numpy as jnp
import optax

sched = optax.join_schedules([optax.constant_schedule(0.1), optax.linear_schedule(0.1, 0.0, 10)], [5])
const = optax.constant_schedule(0.1)
rates = {"c": const, "s": sched}


@jax.jit
def f(i, x):
    if const(i) > 0.05:
        x = x * 2
    lr = sched(i)
    return jnp.where(lr > 0.05, x, -x)


for i in range(2):
    f(i, jnp.ones(2))
    for n, s in rates.items():
        if s(i) > 0.01:
            print(f"{s(i):.3f}")


def mine(step):
    return 0.1 if step < 5 else sched(step)


if mine(3) > 0.01:
    pass
tx = optax.sgd(learning_rate=lambda c: sched(c) * 0.1)
tx.init(jnp.ones(2))
if isinstance(const, float):
    print(1)


# %% a transformation of one's own in a chain, schedules and masks: optax calls them in the step
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax


class Momentum(NamedTuple):
    count: Any
    mean: Any


def momentum(decay):
    def init(params):
        return Momentum(jnp.zeros((), jnp.int32), jax.tree.map(jnp.zeros_like, params))

    def update(updates, state, params=None):
        print(updates)  #! JAX202
        print(state.count)  #! JAX202
        print(decay)
        mean = jax.tree.map(lambda m, u: decay * m + u, state.mean, updates)
        print(mean)  #! JAX202
        return mean, Momentum(state.count + 1, mean)

    return optax.GradientTransformation(init, update)


def schedule(count):
    print(count)  #! JAX202
    return 0.1 / (1 + count)


def matrices(params):
    return jax.tree.map(lambda leaf: leaf.ndim > 1, params)


tx = optax.chain(momentum(0.9), optax.add_decayed_weights(0.1, matrices), optax.scale_by_schedule(schedule))
other = optax.inject_hyperparams(optax.adam)(learning_rate=schedule)


@jax.jit
def step(params, state, second, grads):
    updates, state = tx.update(grads, state, params)
    print(updates)  #! JAX202
    updates, second = other.update(updates, second, params)
    print(second)  #! JAX202
    params = optax.apply_updates(params, updates)
    print(params["w"])  #! JAX202
    print(optax.incremental_update(params, grads, 0.1))  #! JAX202
    return params, state, second


params = {"w": jnp.ones((2, 2)), "b": jnp.ones(2)}
for _ in range(2):
    print(step(params, tx.init(params), other.init(params), params)[0])


# %% states without leaves are never traced, whatever they are of
import jax
import jax.numpy as jnp
import optax


def plain(updates, params):
    print(updates)  #! JAX202
    return updates


def nothing(params):
    return optax.EmptyState()


def kept(updates, state, params=None):
    print(state)
    return updates, state


sgd = optax.sgd(0.1)
moving = optax.sgd(0.1, momentum=0.9)
clipped = optax.chain(optax.clip(1.0), optax.scale(-1.0))
parts = optax.multi_transform({"a": optax.sgd(0.1), "b": optax.set_to_zero()}, {"w": "a", "b": "b"})
own = optax.GradientTransformation(nothing, kept)
stateless = optax.stateless(plain)


@jax.jit
def step(grads, a, b, c, d, e):
    updates, a = sgd.update(grads, a)
    updates, b = moving.update(updates, b)
    updates, c = clipped.update(updates, c)
    updates, d = parts.update(updates, d)
    updates, e = own.update(updates, e)
    updates, f = stateless.update(updates, stateless.init(grads))
    print(a, c, d, e, f)
    print(b)  #! JAX202
    print(updates)  #! JAX202
    return updates


grads = {"w": jnp.ones(3), "b": jnp.ones(())}
step(grads, sgd.init(grads), moving.init(grads), clipped.init(grads), parts.init(grads), own.init(grads))


# %% a transformation of the project's own, whose state hides in that of another one
from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax


class CountState(NamedTuple):
    inner: optax.OptState
    count: jax.Array
    key: jax.Array


def every(inner, k, seed):
    def init(params):
        return CountState(inner.init(params), jnp.zeros((), jnp.int32), jax.random.key(seed))

    def update(updates, state, params=None):
        updates, inner_state = inner.update(updates, state.inner, params)
        key, child = jax.random.split(state.key)
        noise = jax.random.normal(child, ())
        count = state.count + 1
        if count % k == 0:  #! JAX101
            updates = jax.tree.map(lambda u: 0.5 * u + noise, updates)
        return updates, CountState(inner_state, count, key)

    return optax.GradientTransformation(init, update)


transformation = optax.multi_transform(
    {"w": every(optax.sgd(0.1), 3, 0), "b": optax.sgd(0.1)}, {"w": "w", "b": "b"}
)


@jax.jit
def step(params, state, x):
    slopes = jax.grad(lambda p: jnp.sum((x * p["w"] + p["b"]) ** 2))(params)
    updates, state = transformation.update(slopes, state, params)
    return optax.apply_updates(params, updates), state


params = {"w": jnp.ones(3), "b": jnp.zeros(3)}
state = transformation.init(params)
for _ in range(2):
    params, state = step(params, state, jnp.ones(3))


# %% trees of optax, and filters of equinox, whose results are dropped
import equinox as eqx
import jax.numpy as jnp
import optax

grads = {"w": jnp.ones(2)}
optax.tree.clip(grads, 0.0, 0.5)  #! JAX502
optax.tree_utils.tree_scale(0.5, grads)  #! JAX502
optax.tree.map_params(lambda p: p, lambda p: print(p), grads)
eqx.filter(grads, eqx.is_array)  #! JAX502
arrays, rest = eqx.partition(grads, eqx.is_array)
eqx.combine(arrays, rest)  #! JAX502
grads = optax.tree.scale(0.5, grads)
assert grads["w"][0] == 0.5


# %% schedules of injected hyperparameters are asked with the count of the state
import jax
import jax.numpy as jnp
import optax


def schedule(count):
    return 0.1 if count < 10 else 0.01  #! JAX101


tx = optax.inject_hyperparams(optax.adam)(learning_rate=schedule)
params = jnp.ones(2)
jax.jit(tx.update)(params, tx.init(params), params)


# %% a line search calls its function in a loop
import jax.numpy as jnp
import optax


def loss(p):
    return jnp.sum(p**2) if p.sum() > 0 else p.sum()  #! JAX101


tx = optax.lbfgs()
p = jnp.ones(2)
tx.update(2 * p, tx.init(p), p, value=2.0, grad=2 * p, value_fn=loss)


# %% schedules and line searches that read no numbers of tracers
import jax.numpy as jnp
import optax


def schedule(count):
    return jnp.where(count < 10, 0.1, 0.01)


def loss(p):
    return jnp.sum(p**2) if p.ndim else p


tx = optax.inject_hyperparams(optax.adam)(learning_rate=schedule)
p = jnp.ones(2)
tx.update(p, tx.init(p), p)
search = optax.lbfgs()
search.update(2 * p, search.init(p), p, value=2.0, grad=2 * p, value_fn=loss)
eager = optax.inject_hyperparams(optax.sgd)(learning_rate=lambda count: 0.1 if count < 10 else 0.01)
eager.update(p, eager.init(p), p)


# %% what says whether MultiSteps skips an update is traced under jit
import jax
import jax.numpy as jnp
import optax


def skip(updates, gradient_step, params):
    norm = optax.global_norm(updates)
    return norm > 1 or norm < 0, {}  #! JAX103


tx = optax.MultiSteps(optax.sgd(0.1), 2, should_skip_update_fn=skip)
g = jnp.ones(2)
jax.jit(tx.update)(g, tx.init(g), g)


# %% ... also as a method, at its position
import jax
import jax.numpy as jnp
import optax


class Guard:
    def __call__(self, updates, gradient_step, params):
        if gradient_step > 3:  #! JAX101
            return jnp.array(False), {}
        return jnp.array(True), {}


class Fine:
    def __call__(self, updates, gradient_step, params):
        return jnp.logical_and(optax.global_norm(updates) > 1, gradient_step > 3), {}


g = jnp.ones(2)
fine = optax.MultiSteps(optax.sgd(0.1), 2, True, Fine())
state = jax.jit(fine.init)(g)
jax.jit(fine.update)(g, state, g)
tx = optax.MultiSteps(optax.sgd(0.1), 2, True, Guard())
jax.jit(tx.update)(g, fine.init(g), g)


# %% a schedule inside of joined ones, which an optimizer gets
import jax
import jax.numpy as jnp
import optax

decay = lambda count: 0.2 if count > 3 else 0.1  #! JAX101
inner = optax.schedules.join_schedules([optax.constant_schedule(0.1), decay], [2])
tx = optax.adam(learning_rate=optax.join_schedules([optax.constant_schedule(0.3), inner], [4]))
g = jnp.ones(2)
jax.jit(tx.update)(g, tx.init(g))


# %% ... which is fine where it selects
import jax
import jax.numpy as jnp
import optax

decay = lambda count: jnp.where(count > 3, 0.2, 0.1)
tx = optax.sgd(optax.join_schedules([optax.constant_schedule(0.1), decay], [2]))
other = optax.inject_hyperparams(optax.sgd)(optax.join_schedules([decay, decay], [2]))
g = jnp.ones(2)
jax.jit(tx.update)(g, tx.init(g))
jax.jit(other.update)(g, other.init(g))

# %% raises-elsewhere fields of states that are traced
import jax
import jax.numpy as jnp
import optax

tx = optax.scale_by_adam()
chain = optax.chain(optax.clip(1.0), optax.scale_by_adam(), optax.scale(-1.0))


@jax.jit
def warm(grads, state, other):
    assert "count" in state._fields
    if state is None or len(other) > 9:
        return grads
    if state.count > 2:  #! JAX101
        return -grads
    if float(state.mu.sum()) > 0:  #! JAX105
        return -grads
    for _ in range(other[1].count):  #! JAX104
        grads = grads * 2
    return grads


params = jnp.ones(3)
state = tx.init(params)
if state.count > 2:
    raise AssertionError
warm(params, state, chain.init(params))

# %% raises-elsewhere a field of the state that an update gives
import jax
import jax.numpy as jnp
import optax

chain = optax.chain(optax.clip(1.0), optax.scale_by_adam(), optax.scale(-1.0))


@jax.jit
def step(grads, state):
    updates, state = chain.update(grads, state)
    if state[1].count > 2:  #! JAX101
        updates = -updates
    return updates, state


params = jnp.ones(3)
step(params, chain.init(params))


# %% transformations in a list that one is inserted into: the schedule is run with a tracer
import math

import jax
import jax.numpy as jnp
import optax

parts = [optax.scale_by_schedule(lambda count: math.cos(count))]  #! JAX107
parts.insert(0, optax.scale(0.1))
tx = optax.chain(*parts)


@jax.jit
def step(params, state, grads):
    updates, state = tx.update(grads, state)
    return optax.apply_updates(params, updates), state


params = jnp.ones(3)
step(params, tx.init(params), params)
