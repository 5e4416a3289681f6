

# %% a training loop as the guides write it: transform, a key for each step, jitted update
import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax


def forward(x, is_training):
    x = hk.Linear(8)(x)
    x = jax.nn.relu(x)
    if is_training:
        x = hk.dropout(hk.next_rng_key(), 0.1, x)
    return hk.Linear(1)(x)


network = hk.transform(forward)
optimiser = optax.adam(1e-2)


def loss_fn(params, key, x, y):
    return jnp.mean((network.apply(params, key, x, is_training=True) - y) ** 2)


@jax.jit
def update(params, opt_state, key, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, key, x, y)
    updates, opt_state = optimiser.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


@jax.jit
def evaluate(params, x, y):
    return jnp.mean(jnp.abs(network.apply(params, None, x, is_training=False) - y))


rng = hk.PRNGSequence(0)
x = np.random.default_rng(0).normal(size=(8, 3)).astype("float32")
y = x.sum(1, keepdims=True)
params = network.init(next(rng), x, is_training=True)
opt_state = optimiser.init(params)
losses = []
for step in range(4):
    params, opt_state, loss = update(params, opt_state, next(rng), x, y)
    losses.append(loss)
    if step % 2 == 0:
        print(f"{step}: {loss:.3f} {evaluate(params, x, y):.3f}")
    if float(loss) < 1e-6:
        break
print(np.mean(losses), np.mean(jax.device_get(losses)))

# %% a branch on activations in the transformed function
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x):
    if x.sum() > 0:  #! JAX101
        x = x * 2
    return hk.Linear(2)(x)


network = hk.without_apply_rng(hk.transform(forward))
params = network.init(jax.random.key(0), jnp.ones((1, 3)))
jax.jit(network.apply)(params, jnp.ones((1, 3)))

# %% a branch on what a layer gives
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x):
    y = hk.Linear(2)(x)
    if y.sum() > 0:  #! JAX101
        return y
    return -y


network = hk.without_apply_rng(hk.transform(forward))


@jax.jit
def predict(params, x):
    return network.apply(params, x)


predict(network.init(jax.random.key(0), jnp.ones((1, 3))), jnp.ones((1, 3)))

# %% a module: its own numbers and strings are static
import haiku as hk
import jax
import jax.numpy as jnp


class MLP(hk.Module):
    def __init__(self, sizes, activation="relu", name=None):
        super().__init__(name=name)
        self.sizes = sizes
        self.activation = activation

    def __call__(self, x):
        for i, size in enumerate(self.sizes):
            x = hk.Linear(size, name=f"layer_{i}")(x)
            if self.activation == "relu" and i < len(self.sizes) - 1:
                x = jax.nn.relu(x)
        return x


network = hk.transform(lambda x: MLP([4, 4, 1])(x))
params = network.init(jax.random.key(0), jnp.ones((1, 3)))
y = jax.jit(network.apply)(params, None, jnp.ones((1, 3)))
if y.sum() > 1e6:
    raise ValueError

# %% parameters of one's own
import haiku as hk
import jax
import jax.numpy as jnp


class Scale(hk.Module):
    def __call__(self, x):
        size = x.shape[-1]
        w = hk.get_parameter("w", [size], init=hk.initializers.RandomNormal(1.0 / size**0.5))
        b = hk.get_parameter("b", [size], dtype=x.dtype, init=jnp.zeros)
        return x * w + b


network = hk.without_apply_rng(hk.transform(lambda x: Scale()(x).sum()))
params = network.init(jax.random.key(0), jnp.ones(3))
grads = jax.jit(jax.grad(network.apply))(params, jnp.ones(3))
print({name: float(jnp.sum(value)) for name, value in grads["scale"].items()})

# %% a parameter is traced
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x):
    w = hk.get_parameter("w", [3], init=jnp.ones)
    return x * float(w.sum())  #! JAX105


network = hk.without_apply_rng(hk.transform(forward))
params = network.init(jax.random.key(0), jnp.ones(3))
jax.jit(network.apply)(params, jnp.ones(3))

# %% next_rng_key gives another key each time
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x):
    noise = jax.random.normal(hk.next_rng_key(), x.shape)
    mask = jax.random.bernoulli(hk.next_rng_key(), 0.5, x.shape)
    for _ in range(2):
        x = x + jax.random.normal(hk.next_rng_key(), x.shape)
    a, b = hk.next_rng_keys(2)
    return x + noise * mask + jax.random.normal(a) + jax.random.normal(b)


network = hk.transform(forward)
jax.jit(network.apply)(network.init(jax.random.key(0), jnp.ones(3)), jax.random.key(1), jnp.ones(3))

# %% one key from next_rng_key, spent twice
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x):
    key = hk.next_rng_key()
    noise = jax.random.normal(key, x.shape)
    mask = jax.random.bernoulli(key, 0.5, x.shape)  #! JAX301
    return x + noise * mask


network = hk.transform(forward)
network.apply(network.init(jax.random.key(0), jnp.ones(3)), jax.random.key(1), jnp.ones(3))

# %% one key for init and for data
import haiku as hk
import jax
import jax.numpy as jnp

network = hk.transform(lambda x: hk.Linear(2)(x))
key = jax.random.key(0)
x = jax.random.normal(key, (4, 3))
key, init_key = jax.random.split(jax.random.fold_in(jax.random.key(1), 0))
params = network.init(init_key, x)
for _ in range(3):
    key, sub = jax.random.split(key)
    network.apply(params, sub, x)

# %% state: transform_with_state, batch norm, and a counter
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x, is_training):
    count = hk.get_state("count", [], jnp.int32, init=jnp.zeros)
    hk.set_state("count", count + 1)
    x = hk.Linear(3)(x)
    x = hk.BatchNorm(True, True, 0.9)(x, is_training)
    return x.mean()


network = hk.transform_with_state(forward)
params, state = network.init(jax.random.key(0), jnp.ones((4, 3)), True)


@jax.jit
def step(params, state, x):
    def loss_fn(params):
        return network.apply(params, state, None, x, is_training=True)

    (loss, new_state), grads = jax.value_and_grad(loss_fn, has_aux=True)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), new_state, loss


for _ in range(2):
    params, state, loss = step(params, state, jnp.ones((4, 3)))
    if loss > 1e6 or jnp.isnan(loss):
        break
print(int(state["~"]["count"]), f"{loss:.3f}")

# %% a state that is read in Python
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x):
    count = hk.get_state("count", [], jnp.int32, init=jnp.zeros)
    if count > 3:  #! JAX101
        x = x * 2
    hk.set_state("count", count + 1)
    return x


network = hk.transform_with_state(forward)
params, state = network.init(jax.random.key(0), jnp.ones(3))
jax.jit(network.apply)(params, state, None, jnp.ones(3))

# %% hk.scan over a core
import haiku as hk
import jax
import jax.numpy as jnp


def forward(xs):
    core = hk.GRU(4)

    def body(state, x):
        out, state = core(x, state)
        return state, out

    state, outs = hk.scan(body, core.initial_state(2), xs)
    outs2, _ = hk.dynamic_unroll(core, xs, core.initial_state(2))
    return outs.mean() + outs2.mean()


network = hk.without_apply_rng(hk.transform(forward))
params = network.init(jax.random.key(0), jnp.ones((5, 2, 3)))
print(f"{jax.jit(network.apply)(params, jnp.ones((5, 2, 3))):.3f}")

# %% the body of hk.scan is traced once the parameters are there
import haiku as hk
import jax
import jax.numpy as jnp


def forward(xs):
    def body(carry, x):
        if x > 0:  #! JAX101
            carry = carry + x
        return carry, x

    return hk.scan(body, jnp.zeros(()), xs)


network = hk.without_apply_rng(hk.transform(forward))
network.apply({}, jnp.ones(3))

# %% hk.cond, hk.fori_loop and hk.while_loop inside of a transformed function
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x):
    linear = hk.Linear(3)
    x = linear(x)
    if hk.running_init():
        return x
    x = hk.cond(x.sum() > 0, lambda v: linear(v), lambda v: -v, x)
    x = hk.fori_loop(0, 2, lambda i, v: linear(v) + i, x)
    return hk.while_loop(lambda v: v.sum() > 10, lambda v: v / 2, x)


network = hk.without_apply_rng(hk.transform(forward))
params = network.init(jax.random.key(0), jnp.ones((1, 3)))
jax.jit(network.apply)(params, jnp.ones((1, 3)))

# %% multi_transform: several functions that share parameters
import haiku as hk
import jax
import jax.numpy as jnp


def model():
    encoder = hk.nets.MLP([4, 2])
    decoder = hk.nets.MLP([4, 3])

    def init(x):
        return decoder(encoder(x))

    return init, (encoder, decoder)


network = hk.without_apply_rng(hk.multi_transform(model))
params = network.init(jax.random.key(0), jnp.ones((1, 3)))
encode, decode = network.apply


@jax.jit
def loss(params, x):
    return jnp.mean((decode(params, encode(params, x)) - x) ** 2)


value, grads = jax.value_and_grad(loss)(params, jnp.ones((2, 3)))
if value < 0.1:
    print(f"{value:.2f}")

# %% parameters that are split by a predicate, and their number
import haiku as hk
import jax
import jax.numpy as jnp

network = hk.without_apply_rng(hk.transform(lambda x: hk.nets.MLP([4, 1])(x).mean()))
params = network.init(jax.random.key(0), jnp.ones((1, 3)))
trainable, frozen = hk.data_structures.partition(lambda module, name, value: name == "w", params)


@jax.jit
def loss(trainable, frozen, x):
    return network.apply(hk.data_structures.merge(trainable, frozen), x)


grads = jax.grad(loss)(trainable, frozen, jnp.ones((2, 3)))
for module, name, value in hk.data_structures.traverse(params):
    print(f"{module}/{name}: {value.shape} {jnp.linalg.norm(value):.3f}")
size = hk.data_structures.tree_size(params)
if size > 10:
    print(f"{size:,}")

# %% a counter in a list beside the state
import haiku as hk
import jax
import jax.numpy as jnp

seen = []


def forward(x):
    seen.append(1)  #! JAX201
    return hk.Linear(2)(x)


network = hk.without_apply_rng(hk.transform(forward))
params = network.init(jax.random.key(0), jnp.ones((1, 3)))
predict = jax.jit(network.apply)
for _ in range(3):
    predict(params, jnp.ones((1, 3)))

# %% what a haiku parameter is in jit depends on where the parameters come from
import haiku as hk
import jax
import jax.numpy as jnp

network = hk.without_apply_rng(hk.transform(lambda x: x * hk.get_parameter("w", [], init=jnp.ones)))


def forward(x):
    w = hk.get_parameter("w", [], init=jnp.ones)
    if hk.running_init():
        return x
    return x * float(w)


closed = hk.without_apply_rng(hk.transform(forward))
params = closed.init(jax.random.key(0), jnp.ones(2))
jax.jit(lambda x: closed.apply(params, x))(jnp.ones(2))

# %% a key by its name, a state and parameters by theirs; the flag of the call is closed over
from functools import partial

import haiku as hk
import jax
import jax.numpy as jnp


def forward(x, train, rate=0.1):
    for width in (4, 2):
        x = jnp.tanh(hk.Linear(width)(x))
        if train and rate > 0:
            x = hk.dropout(hk.next_rng_key(), rate, x)
    return hk.BatchNorm(True, True, 0.9)(x, is_training=train)


network = hk.transform_with_state(forward)
params, state = network.init(rng=jax.random.key(0), x=jnp.ones((2, 3)), train=True)


@partial(jax.jit, static_argnames="train")
def run(params, state, key, x, train):
    return network.apply(params=params, state=state, rng=key, x=x, train=train)


keys = hk.PRNGSequence(1)
for _ in range(2):
    out, state = run(params, state, next(keys), jnp.ones((2, 3)), train=True)
    if out.mean() > 10:
        break

# %% an agent: epsilon-greedy outside of jit, a target that is copied now and then
import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

network = hk.without_apply_rng(hk.transform(lambda obs: hk.nets.MLP([8, 2])(obs)))
optimizer = optax.adam(1e-3)
keys = hk.PRNGSequence(0)
params = target = network.init(next(keys), jnp.ones((1, 3)))
opt_state = optimizer.init(params)


@jax.jit
def q_values(params, obs):
    return network.apply(params, obs)


@jax.jit
def update(params, target, opt_state, obs, action, reward):
    def loss_fn(params):
        q = jnp.take_along_axis(network.apply(params, obs), action[:, None], axis=1)[:, 0]
        goal = reward + 0.9 * network.apply(target, obs).max(-1)
        return jnp.mean(optax.huber_loss(q - jax.lax.stop_gradient(goal)))

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


rng = np.random.default_rng(0)
buffer, losses = [], []
for step in range(8):
    obs = rng.normal(size=3).astype("float32")
    q = q_values(params, obs[None])[0]
    action = int(q.argmax()) if rng.random() > 0.1 else int(rng.integers(2))
    buffer.append((obs, action, float(q[action] > 0)))
    if len(buffer) >= 4:
        batch = [buffer[i] for i in rng.integers(len(buffer), size=4)]
        obs, action, reward = map(np.array, zip(*batch))
        params, opt_state, loss = update(params, target, opt_state, obs, action, reward)
        losses.append(loss)
    if step % 4 == 0:
        target = params
print(f"{np.mean(losses):.3f} {max(losses):.3f}")

# %% init and apply unpacked, a static argument by its number
import haiku as hk
import jax
import jax.numpy as jnp

init, apply = hk.without_apply_rng(hk.transform(lambda x: hk.Linear(2)(x)))
params = init(jax.random.key(0), jnp.ones((1, 3)))
y = jax.jit(apply)(params, jnp.ones((1, 3)))
if y.sum() > 1:
    print("a")
net = hk.transform(lambda x, n: hk.Linear(n)(x), apply_rng=True)
p = net.init(None if False else jax.random.key(0), jnp.ones((1, 3)), 2)
f = jax.jit(net.apply, static_argnums=3)
print(f"{f(p, None, jnp.ones((1, 3)), 2).sum():.2f}")

# %% shapes of states and parameters decide what is done, in jit
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x):
    st = (
        hk.get_state("s", init=lambda *a: {"n": jnp.zeros(()), "m": jnp.ones(2)})
        if False
        else hk.get_state("s", [2], init=jnp.zeros)
    )
    if st is None or st.shape[0] == 0:
        return x
    w = hk.get_parameter("w", [3], init=jnp.ones)
    if w.shape[0] == 3 and w.ndim == 1:
        x = x * w.sum()
    hk.set_state("s", st + 1)
    return x


net = hk.transform_with_state(forward)
p, s = net.init(None, jnp.ones(2))
out, s = jax.jit(net.apply)(p, s, None, jnp.ones(2))
if out.sum() > 0:
    print(1)
w = p["~"]["w"]
if w.sum() > 1:
    print(f"{w.sum():.2f}")

# %% an agent that keeps a network of a partial and maps its apply
from functools import partial

import haiku as hk
import jax
import jax.numpy as jnp


class Agent:
    def __init__(self, seed, hidden=(4,)):
        self.net = hk.without_apply_rng(hk.transform(partial(self._forward, hidden)))
        self.params = self.net.init(jax.random.key(seed), jnp.zeros(3))
        self.act = jax.jit(self._act)
        self.batch = jax.jit(jax.vmap(self.net.apply, in_axes=(None, 0)))

    @staticmethod
    def _forward(hidden, obs):
        for h in hidden:
            obs = jax.nn.relu(hk.Linear(h)(obs))
        if len(hidden) > 1:
            obs = obs * 2
        return hk.Linear(2)(obs)

    def _act(self, params, key, obs, eps):
        k1, k2 = jax.random.split(key)
        q = self.net.apply(params, obs)
        return jnp.where(jax.random.uniform(k1) < eps, jax.random.randint(k2, (), 0, 2), q.argmax())


agent = Agent(0)
key = jax.random.key(1)
for i in range(3):
    key, sub = jax.random.split(key)
    a = agent.act(agent.params, sub, jnp.ones(3), 0.1)
    if a == 1:
        print(int(a))
q = agent.batch(agent.params, jnp.ones((5, 3)))
if q.max() > 10:
    print(f"{q.max():.2f}")

# %% what says that units are dropped is an argument of the function that nobody calls: a flag, or a rate
import haiku as hk
import jax.numpy as jnp


def dropped(x, training, rate):
    if training and rate > 0:
        x = hk.dropout(hk.next_rng_key(), rate, x)
    return x


def flagged(x, is_training):
    return dropped(hk.Linear(2)(x), is_training, 0.1)


def rated(x, rate=0.3):
    return hk.dropout(hk.next_rng_key(), rate, hk.Linear(2)(x))


flagged_net, rated_net = hk.transform(flagged), hk.transform(rated)


def averaged(params, key, x):
    return jnp.stack([flagged_net.apply(params, key, x, True) for _ in range(6)]).mean(0)  #! JAX302


def evaluated(params, key, x):
    return jnp.stack([flagged_net.apply(params, key, x, False) for _ in range(6)]).mean(0)


def by_default(params, key, x):
    return jnp.stack([rated_net.apply(params, key, x) for _ in range(6)]).mean(0)  #! JAX302


def without(params, key, x):
    return jnp.stack([rated_net.apply(params, key, x, 0.0) for _ in range(6)]).mean(0)


def either(params, key, x, train, rate):
    first = [flagged_net.apply(params, key, x, train) for _ in range(6)]
    return first, [rated_net.apply(params, key, x, rate) for _ in range(6)]


def once(params, key, other, x):
    return flagged_net.apply(params, key, x, True) + rated_net.apply(params, other, x)

# %% NumPy on a parameter and a state that are traced, in a module and through a helper
import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np


def root(x):
    return np.sqrt(x)  #! JAX106


class Whiten(hk.Module):
    def __call__(self, x):
        s = hk.get_parameter("s", (), init=jnp.ones)
        return x / root(s)


net = hk.without_apply_rng(hk.transform(lambda x: Whiten()(x).sum()))
params = net.init(jax.random.key(0), jnp.ones((1, 2)))
print(net.apply(params, jnp.ones((1, 2))))
jax.jit(net.apply)(params, jnp.ones((1, 2)))

# %% a state that is traced is none of NumPy's
import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np


def forward(x):
    count = hk.get_state("count", [], init=jnp.ones)
    hk.set_state("count", count + 1)
    return x * np.exp(count)  #! JAX106


net = hk.transform_with_state(forward)
params, state = net.init(None, jnp.ones(2))
jax.jit(lambda params, state, x: net.apply(params, state, None, x))(params, state, jnp.ones(2))

# %% the gradient of a parameter, under grad and vmap without jit
import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np


def forward(x):
    w = hk.get_parameter("w", [], init=hk.initializers.RandomNormal())
    return x * np.sin(w)  #! JAX106


net = hk.without_apply_rng(hk.transform(forward))
params = net.init(jax.random.key(0), 1.0)
jax.grad(lambda params: net.apply(params, 2.0))(params)

# %% parameters that are closed over, or only initialized, are concrete; the state of a gradient is too
import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np


def forward(x):
    w = hk.get_parameter("w", [], init=jnp.ones)
    return x * np.sqrt(w)


def counting(x):
    count = hk.get_state("count", [], init=jnp.zeros)
    hk.set_state("count", count + 1)
    return x * hk.get_parameter("w", [], init=jnp.ones) * np.exp(count)


def own(x):
    w = hk.get_parameter("w", [2], init=lambda shape, dtype: np.ones(shape, dtype))
    return x * np.sqrt(w) if hk.running_init() else x * w


net = hk.without_apply_rng(hk.transform(forward))
params = net.init(jax.random.key(0), jnp.ones(2))
print(net.apply(params, jnp.ones(2)), jax.jit(lambda x: net.apply(params, x))(jnp.ones(2)))
counter = hk.without_apply_rng(hk.transform_with_state(counting))
params, state = counter.init(None, 1.0)
print(jax.grad(lambda params: counter.apply(params, state, 1.0)[0])(params))
made = hk.without_apply_rng(hk.transform(own))
print(jax.jit(made.apply)(jax.jit(made.init)(jax.random.key(0), jnp.ones(2)), jnp.ones(2)))

# %% one key for each apply of a loop: jitted, through a helper, a method, and a comprehension
from functools import partial

import haiku as hk
import jax
import jax.numpy as jnp


class Net(hk.Module):
    def __call__(self, x, is_training):
        x = hk.Linear(4)(x)
        if is_training:
            x = hk.dropout(hk.next_rng_key(), 0.5, x)
        return x


def forward(x, is_training=True):
    return Net()(x, is_training)


network = hk.transform(forward)
apply = jax.jit(network.apply, static_argnames="is_training")


class Trainer:
    def __init__(self, params):
        self.network = hk.transform(partial(forward, is_training=True))
        self.params = params

    def losses(self, x, key):
        return [self.network.apply(self.params, key, x).sum() for _ in range(3)]  #! JAX302


def loss(params, key, x):
    return jnp.mean(network.apply(params, key, x, is_training=True))


key = jax.random.key(0)
x = jnp.ones((2, 4))
params = network.init(jax.random.key(1), x)
outs = [apply(params, key, x) for _ in range(3)]  #! JAX302
grads = []
key = jax.random.key(2)
for step in range(3):
    grads.append(jax.grad(loss)(params, key, x))  #! JAX302
print(outs, grads, Trainer(params).losses(x, jax.random.key(3)))
key = jax.random.key(4)
ensemble = [network.init(key, x) for _ in range(3)]  #! JAX302
key = jax.random.key(5)
first = network.apply(params, key, x)
second = network.apply(params, rng=key, x=2 * x)  #! JAX301
print(first, second)

# %% a key for each apply; an apply that draws nothing may have any key
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x, is_training):
    if is_training:
        x = hk.dropout(hk.next_rng_key(), 0.5, x)
    return hk.Linear(4)(x)


def still(x):
    return hk.Linear(4)(x) + 0 * hk.dropout(None, 0.0, x)


def evaluate(params, key, batches, is_training):
    return [network.apply(params, key, x, is_training) for x in batches]


network = hk.transform(forward)
plain = hk.transform(still)
quiet = hk.without_apply_rng(hk.transform(still))
key = jax.random.key(0)
x = jnp.ones((2, 4))
params = network.init(key, x, True)
noise = jax.random.normal(key, x.shape)
print(network.apply(params, key, x + noise, True))
key = jax.random.key(2)
for step in range(3):
    key, sub = jax.random.split(key)
    print(network.apply(params, sub, x, True))
    print(network.apply(params, jax.random.fold_in(key, step), x, True))
outs = [network.apply(params, key, x, is_training=False) for _ in range(3)]
outs += [plain.apply(params, key, x) for _ in range(3)]
outs += [quiet.apply(params, x) for _ in range(3)]
outs += [network.apply(params, each, x, True) for each in jax.random.split(key, 3)]
outs += evaluate(params, key, [x, x], False)
sweep = [network.init(jax.random.key(1), x, True) for rate in (0.1, 0.2)]
mapped = jax.vmap(network.apply, in_axes=(None, 0, None, None))(params, jax.random.split(jax.random.key(3), 3), x, True)
print(outs, mapped)

# %% two dropouts of one key that haiku hands out, and a key of a function's own under a flag
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x):
    key = hk.next_rng_key()
    x = hk.dropout(key, 0.5, x)
    x = hk.dropout(rng=key, rate=0.5, x=hk.Linear(4)(x))  #! JAX301
    return hk.dropout(hk.next_rng_key(), 0.5, hk.dropout(key, 0.0, x))


network = hk.transform(forward)
params = network.init(jax.random.key(0), jnp.ones((2, 4)))
print(network.apply(params, jax.random.key(1), jnp.ones((2, 4))))

# %% sequences of keys that are made of one key, in a loop and side by side
import haiku as hk
import jax


def epochs(key, count):
    total = 0.0
    for _ in range(count):
        keys = hk.PRNGSequence(key)  #! JAX302
        total += jax.random.normal(next(keys)) + jax.random.normal(next(keys))
    return total


def both(key):
    ours, theirs = hk.PRNGSequence(key), hk.PRNGSequence(key)  #! JAX301
    return jax.random.normal(next(ours)) + jax.random.normal(next(theirs))


print(epochs(jax.random.key(0), 2), both(jax.random.key(1)))

# %% sequences of keys that are made once, or of another key each time
import haiku as hk
import jax


class Agent:
    def __init__(self, seed):
        self.keys = hk.PRNGSequence(seed)

    def act(self, x):
        return x + jax.random.normal(next(self.keys))

    def acts(self, x):
        first, second = self.keys.take(2)
        return jax.random.normal(first) + jax.random.normal(second) + self.act(x)


def epochs(key, count):
    total = 0.0
    for _ in range(count):
        key, subkey = jax.random.split(key)
        keys = hk.PRNGSequence(subkey)
        total += sum([jax.random.normal(next(keys)) for _ in range(3)])
        for _ in range(2):
            total += jax.random.uniform(next(keys))
    return total


agent = Agent(3)
for _ in range(3):
    print(agent.act(1.0), agent.acts(2.0))
print(epochs(jax.random.key(0), 2))

# %% raises-elsewhere methods of a module under jax.jit: a module is no pytree
import haiku as hk
import jax
import jax.numpy as jnp


class Encoder(hk.Module):
    def __call__(self, x):
        return self.scaled(hk.Linear(3)(x), 2.0)

    @jax.jit  #! JAX405
    def scaled(self, x, factor):
        return x * factor


encode = hk.transform(lambda x: Encoder()(x))
encode.init(jax.random.key(0), jnp.ones((2, 3)))

# %% a recurrent core gives an array and its state
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x):
    core = hk.LSTM(3)
    out, state = core(x, core.initial_state(2))
    if out.max() > 1:  #! JAX101
        out = out * 2
    return out


network = hk.transform(forward)
x = jnp.ones((2, 3))
params = network.init(jax.random.key(0), x)
jax.jit(network.apply)(params, None, x)

# %% activations that a network is given
import haiku as hk
import jax
import jax.numpy as jnp


def leaky(x):
    return x if x.max() > 0 else -x  #! JAX101


network = hk.transform(lambda x: hk.nets.MLP([3, 2], activation=leaky)(x))
x = jnp.ones((1, 2))
params = network.init(jax.random.key(0), x)
jax.jit(network.apply)(params, None, x)

# %% of what a network gives of which nothing is known, nothing need fit what was donated: it stays
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x):
    return {"logits": hk.Linear(3)(x)}


def generate(apply, params, x):
    for _ in range(3):
        outs = apply(params, None, x)
        x = x + outs["logits"].sum()
    return x


x = jnp.ones((5, 2))
network = hk.transform(globals()["".join(["for", "ward"])])
params = network.init(jax.random.key(0), x)
print(generate(jax.jit(network.apply, donate_argnums=0), params, x))

# %% a network that gives what is like its parameters
import haiku as hk
import jax
import jax.numpy as jnp


def update(params):
    return jax.tree.map(lambda each: each + 1, params)


def train(step, params):
    for _ in range(3):
        new = step(params)  #! JAX505
    return new


x = jnp.ones((5, 2))
params = hk.transform(lambda x: hk.Linear(3)(x)).init(jax.random.key(0), x)
train(jax.jit(update, donate_argnums=0), params)

# %% a sequence of keys in an attribute that a method replaces before it draws
import haiku as hk
import jax


class Env:
    def __init__(self, key):
        self.key = key
        self.seq = hk.PRNGSequence(key)

    def reset(self):
        self.key, sub = jax.random.split(self.key)
        self.seq = hk.PRNGSequence(sub)
        return jax.random.uniform(next(self.seq))


env = Env(jax.random.key(0))
a, b = env.reset(), env.reset()  #! JAX308
assert a != b
print(a + b)
