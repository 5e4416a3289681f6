

# %% a training loop as the guides write it: TrainState, dropout keys, jitted steps, metrics by epoch
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training import train_state


class CNN(nn.Module):
    features: int = 8
    rate: float = 0.1

    @nn.compact
    def __call__(self, x, training: bool):
        x = nn.Conv(features=self.features, kernel_size=(3, 3))(x)
        x = nn.relu(x)
        x = nn.avg_pool(x, window_shape=(2, 2), strides=(2, 2))
        x = x.reshape((x.shape[0], -1))
        if self.rate > 0:
            x = nn.Dropout(self.rate, deterministic=not training)(x)
        return nn.Dense(2)(x)


@jax.jit
def train_step(state, batch, dropout_key):
    dropout_key = jax.random.fold_in(dropout_key, state.step)

    def loss_fn(params):
        logits = state.apply_fn({"params": params}, batch["image"], training=True, rngs={"dropout": dropout_key})
        loss = optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"]).mean()
        return loss, logits

    (loss, logits), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    state = state.apply_gradients(grads=grads)
    metrics = {"loss": loss, "accuracy": jnp.mean(jnp.argmax(logits, -1) == batch["label"])}
    return state, metrics


root = jax.random.PRNGKey(0)
main_key, params_key, dropout_key = jax.random.split(root, 3)
model = CNN()
variables = model.init(params_key, jnp.ones((1, 8, 8, 1)), training=False)
state = train_state.TrainState.create(apply_fn=model.apply, params=variables["params"], tx=optax.adam(1e-3))
rng = np.random.default_rng(0)
best = 0.0
for epoch in range(2):
    collected = []
    for _ in range(3):
        batch = {"image": rng.normal(size=(4, 8, 8, 1)).astype("float32"), "label": rng.integers(0, 2, 4)}
        state, metrics = train_step(state, batch, dropout_key)
        collected.append(metrics)
    collected = jax.device_get(collected)
    summary = {name: np.mean([each[name] for each in collected]) for name in collected[0]}
    print(f"{epoch} {summary['loss']:.3f} {summary['accuracy'] * 100:.1f} step {int(state.step)}")
    if summary["accuracy"] > best:
        best = summary["accuracy"]
    if state.step > 100:
        break

# %% a branch on the loss inside of the jitted step
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


@jax.jit
def train_step(state, x):
    def loss_fn(params):
        return jnp.mean(state.apply_fn(params, x) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    if loss > 100:  #! JAX101
        return state, loss
    return state.apply_gradients(grads=grads), loss


model = nn.Dense(2)
params = model.init(jax.random.key(0), jnp.ones((1, 3)))
train_step(TrainState.create(apply_fn=model.apply, params=params, tx=optax.sgd(0.1)), jnp.ones((4, 3)))

# %% a compact module: a branch on the activations raises in jit, on its own fields it does not
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    width: int
    act: str = "relu"

    @nn.compact
    def __call__(self, x):
        for _ in range(2):
            x = nn.Dense(self.width)(x)
            x = nn.relu(x) if self.act == "relu" else nn.tanh(x)
        if x.sum() > 0:  #! JAX101
            x = x * 2
        return x


model = Net(4)
params = model.init(jax.random.key(0), jnp.ones((1, 4)))


@jax.jit
def predict(params, x):
    return model.apply(params, x)


predict(params, jnp.ones((2, 4)))

# %% jax.jit of the bound apply
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    limit: float

    @nn.compact
    def __call__(self, x):
        x = nn.Dense(4)(x)
        if self.limit > 1.0:
            x = jnp.clip(x, -self.limit, self.limit)
        return x


model = Net(2.0)
params = jax.jit(model.init)(jax.random.key(0), jnp.ones((1, 4)))
apply = jax.jit(model.apply)
y = apply(params, jnp.ones((2, 4)))
if y.sum() > 1e6:
    raise ValueError(f"{y.sum():.2f}")

# %% layers made in setup, in a list, and a method of its own
import flax.linen as nn
import jax
import jax.numpy as jnp


class AutoEncoder(nn.Module):
    latent: int
    depth: int = 2

    def setup(self):
        self.encoder = [nn.Dense(8) for _ in range(self.depth)] + [nn.Dense(self.latent)]
        self.decoder = nn.Dense(3)

    def encode(self, x):
        for i, layer in enumerate(self.encoder):
            x = layer(x)
            if i != len(self.encoder) - 1:
                x = nn.gelu(x)
        return x

    def __call__(self, x):
        return self.decoder(self.encode(x))


model = AutoEncoder(2)
params = model.init(jax.random.key(0), jnp.ones((1, 3)))
z = jax.jit(lambda p, x: model.apply(p, x, method=model.encode))(params, jnp.ones((5, 3)))
bound = model.bind(params)
assert jnp.allclose(bound.encode(jnp.ones((5, 3))), z)
print(f"{z.mean():.2f}")

# %% parameters of its own: they are traced in jit
import flax.linen as nn
import jax
import jax.numpy as jnp


class Scale(nn.Module):
    @nn.compact
    def __call__(self, x):
        scale = self.param("scale", nn.initializers.ones, (x.shape[-1],))
        bias = self.param("bias", lambda key, shape: jax.random.normal(key, shape), (x.shape[-1],))
        return x * scale + bias


model = Scale()
params = model.init(jax.random.key(0), jnp.ones((1, 3)))
loss = jax.jit(lambda p, x: jnp.sum(model.apply(p, x) ** 2))
for _ in range(2):
    grads = jax.grad(loss)(params, jnp.ones((2, 3)))
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
print(f"{loss(params, jnp.ones((2, 3))):.3f}")

# %% batch statistics: a mutable collection that comes out of the step
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(4)(x)
        x = nn.BatchNorm(use_running_average=not train)(x)
        return jnp.mean(x)


model = Net()
variables = model.init(jax.random.key(0), jnp.ones((2, 3)), train=False)
params, batch_stats = variables["params"], variables["batch_stats"]


@jax.jit
def step(params, batch_stats, x):
    def loss_fn(params):
        out, updates = model.apply(
            {"params": params, "batch_stats": batch_stats}, x, train=True, mutable=["batch_stats"]
        )
        return out, updates["batch_stats"]

    (loss, batch_stats_new), grads = jax.value_and_grad(loss_fn, has_aux=True)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), batch_stats_new, loss


losses = []
for _ in range(3):
    params, batch_stats, loss = step(params, batch_stats, jnp.ones((4, 3)))
    losses.append(loss)
print(jnp.mean(jnp.array(losses)))

# %% `train` given to a jitted function without being static
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(4)(x)
        if train:  #! JAX101
            x = x * 2
        return x


model = Net()
params = model.init(jax.random.key(0), jnp.ones((2, 3)), True)


@jax.jit
def forward(params, x, train):
    return model.apply(params, x, train)


forward(params, jnp.ones((2, 3)), True)

# %% the same flag as a static argument
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(4)(x)
        if train:
            x = nn.Dropout(0.5, deterministic=False)(x)
        return x


model = Net()
params = model.init(jax.random.key(0), jnp.ones((2, 3)), False)


@partial(jax.jit, static_argnames="train")
def forward(params, x, train, key):
    return model.apply(params, x, train, rngs={"dropout": key})


key = jax.random.key(1)
for _ in range(2):
    key, sub = jax.random.split(key)
    forward(params, jnp.ones((2, 3)), train=True, key=sub)

# %% make_rng gives another key each time
import flax.linen as nn
import jax
import jax.numpy as jnp


class Noise(nn.Module):
    std: float = 0.1

    @nn.compact
    def __call__(self, x):
        x = x + self.std * jax.random.normal(self.make_rng("noise"), x.shape)
        return x * jax.random.bernoulli(self.make_rng("noise"), 0.9, x.shape)


jax.jit(Noise().apply)({}, jnp.ones(3), rngs={"noise": jax.random.key(0)})

# %% one key from make_rng, spent twice
import flax.linen as nn
import jax
import jax.numpy as jnp


class Noise(nn.Module):
    @nn.compact
    def __call__(self, x):
        key = self.make_rng("noise")
        x = x + jax.random.normal(key, x.shape)
        return x * jax.random.bernoulli(key, 0.9, x.shape)  #! JAX301


Noise().apply({}, jnp.ones(3), rngs={"noise": jax.random.key(0)})

# %% a loop of draws from make_rng, and a key from it that the loop reuses
import flax.linen as nn
import jax
import jax.numpy as jnp


class Noise(nn.Module):
    steps: int

    @nn.compact
    def __call__(self, x):
        for _ in range(self.steps):
            x = x + jax.random.normal(self.make_rng("noise"), x.shape)
        key = self.make_rng("noise")
        for _ in range(self.steps):
            x = x + jax.random.normal(key, x.shape)  #! JAX302
        return x


Noise(2).apply({}, jnp.ones(3), rngs={"noise": jax.random.key(0)})

# %% nn.scan over time with a recurrent cell
import flax.linen as nn
import jax
import jax.numpy as jnp


class Reader(nn.Module):
    width: int

    @nn.compact
    def __call__(self, xs):
        cell = nn.scan(
            nn.GRUCell, variable_broadcast="params", split_rngs={"params": False}, in_axes=1, out_axes=1
        )(self.width)
        carry = cell.initialize_carry(jax.random.key(0), xs[:, 0].shape)
        carry, ys = cell(carry, xs)
        return ys.mean(axis=1)


model = Reader(4)
params = model.init(jax.random.key(0), jnp.ones((2, 5, 3)))
y = jax.jit(model.apply)(params, jnp.ones((2, 5, 3)))
assert y.shape == (2, 4)

# %% nn.scan of a body of one's own: its carry is traced
import flax.linen as nn
import jax
import jax.numpy as jnp


class Body(nn.Module):
    @nn.compact
    def __call__(self, carry, x):
        if carry.sum() > 0:  #! JAX101
            carry = nn.Dense(3)(carry)
        return carry, x


class Outer(nn.Module):
    @nn.compact
    def __call__(self, xs):
        scanned = nn.scan(Body, variable_broadcast="params", split_rngs={"params": False})
        return scanned()(jnp.ones((1, 3)), xs)


Outer().init(jax.random.key(0), jnp.ones(4))

# %% nn.remat and nn.vmap around modules
import flax.linen as nn
import jax
import jax.numpy as jnp


class Block(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        y = nn.Dense(self.width)(nn.LayerNorm()(x))
        return x + y if self.width == x.shape[-1] else y


class Net(nn.Module):
    depth: int

    @nn.compact
    def __call__(self, x):
        block = nn.remat(Block)
        for _ in range(self.depth):
            x = block(4)(x)
        heads = nn.vmap(
            nn.Dense, variable_axes={"params": 0}, split_rngs={"params": True}, in_axes=None, axis_size=3
        )
        return heads(2)(x)


model = Net(2)
params = model.init(jax.random.key(0), jnp.ones((1, 4)))
print(f"{jax.jit(model.apply)(params, jnp.ones((2, 4))).mean():.2f}")

# %% a variable of a collection that a call updates
import flax.linen as nn
import jax
import jax.numpy as jnp


class Counter(nn.Module):
    @nn.compact
    def __call__(self, x):
        ready = self.has_variable("state", "count")
        count = self.variable("state", "count", lambda: jnp.zeros((), jnp.int32))
        if ready:
            count.value = count.value + 1
        if not self.is_initializing():
            x = x * 2
        return x * count.value


model = Counter()
state = model.init(jax.random.key(0), jnp.ones(2))


@jax.jit
def step(state, x):
    return model.apply(state, x, mutable=["state"])


for _ in range(3):
    y, state = step(state, jnp.ones(2))
assert state["state"]["count"] == 3

# %% sown intermediates, read outside of jit
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Dense(2)(x)
        self.sow("intermediates", "hidden", x)
        return x.sum()


model = Net()
params = model.init(jax.random.key(0), jnp.ones((1, 3)))
y, seen = jax.jit(lambda p, x: model.apply(p, x, mutable=["intermediates"]))(params, jnp.ones((1, 3)))
hidden = seen["intermediates"]["hidden"][0]
if float(hidden.max()) > 10 or hidden.mean() > 5:
    raise ValueError

# %% a struct.dataclass: its non-node fields are static, its arrays traced
import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class Config:
    weight: jax.Array
    depth: int = struct.field(pytree_node=False)
    mode: str = struct.field(pytree_node=False, default="sum")


@jax.jit
def good(config, x):
    for _ in range(config.depth):
        x = x + config.weight
    return x.sum() if config.mode == "sum" else x.mean()


@jax.jit
def bad(config, x):
    if config.weight.sum() > 0:  #! JAX101
        return x
    return -x


config = Config(jnp.ones(3), 2)
good(config.replace(depth=3), jnp.ones(3))
bad(config, jnp.ones(3))

# %% a TrainState with a field more
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training import train_state


class State(train_state.TrainState):
    key: jax.Array
    ema: Any


model = nn.Dense(2)
params = model.init(jax.random.key(0), jnp.ones((1, 3)))
state = State.create(
    apply_fn=model.apply, params=params, tx=optax.sgd(0.1), key=jax.random.key(1), ema=params
)


@jax.jit
def step(state, x):
    noise_key, key = jax.random.split(state.key)

    def loss_fn(params):
        noise = jax.random.normal(noise_key, x.shape)
        return jnp.mean(state.apply_fn(params, x + noise) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    state = state.apply_gradients(grads=grads)
    ema = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, state.ema, state.params)
    return state.replace(key=key, ema=ema), loss


losses = []
for _ in range(3):
    state, loss = step(state, jnp.ones((4, 3)))
    losses.append(loss)
    if loss < 1e-9:
        break
print(f"{jnp.mean(jnp.stack(losses)):.3f} {losses[-1]:.3f}")

# %% NumPy in a module's call
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Dense(4)(x)
        positions = np.arange(x.shape[-1]) / np.sqrt(x.shape[-1])
        return np.tanh(x + positions)  #! JAX106


model = Net()
model.init(jax.random.key(0), jnp.ones((1, 3)))
jax.jit(model.apply)(model.init(jax.random.key(0), jnp.ones((1, 3))), jnp.ones((1, 3)))

# %% a checkpoint in bytes, and a count of the parameters
import flax
import flax.linen as nn
import jax
import jax.numpy as jnp

model = nn.Dense(2)
params = model.init(jax.random.key(0), jnp.ones((1, 3)))
data = flax.serialization.to_bytes(params)
restored = flax.serialization.from_bytes(params, data)
total = sum(x.size for x in jax.tree.leaves(restored))
flat = flax.traverse_util.flatten_dict(params)
for name, value in flat.items():
    print("/".join(name), value.shape, f"{value.mean():.3f}")
if total > 5:
    print(f"{total:,}")

# %% keys by name for init: each is another one
import flax.linen as nn
import jax
import jax.numpy as jnp

model = nn.Sequential([nn.Dense(4), nn.relu, nn.Dropout(0.5, deterministic=False), nn.Dense(1)])
key = jax.random.key(0)
params_key, dropout_key, data_key = jax.random.split(key, 3)
x = jax.random.normal(data_key, (2, 3))
params = model.init({"params": params_key, "dropout": dropout_key}, x)
for step in range(2):
    y = model.apply(params, x, rngs={"dropout": jax.random.fold_in(dropout_key, step)})

# %% a parameter of a closed-over tree is concrete in jit, until something is computed of it
import flax.linen as nn
import jax
import jax.numpy as jnp


class Scale(nn.Module):
    @nn.compact
    def __call__(self, x):
        scale = self.param("scale", nn.initializers.ones, ())
        if not self.is_initializing():
            x = x * float(scale)
        return x


model = Scale()
params = model.init(jax.random.key(0), jnp.ones(2))
jax.jit(lambda x: model.apply(params, x))(jnp.ones(2))

# %% masks and lengths: attention over a causal mask, and what a flag of the call decides
import flax.linen as nn
import jax
import jax.numpy as jnp


class Block(nn.Module):
    heads: int
    causal: bool = True
    dtype: jnp.dtype = jnp.float32

    @nn.compact
    def __call__(self, x, mask=None, deterministic=True):
        if mask is None and self.causal:
            mask = nn.make_causal_mask(jnp.ones(x.shape[:2]))
        if self.dtype == jnp.bfloat16:
            x = x.astype(self.dtype)
        y = nn.LayerNorm()(x)
        y = nn.MultiHeadDotProductAttention(self.heads, dropout_rate=0.1, deterministic=deterministic)(y, y, mask=mask)
        x = x + nn.Dropout(0.1)(y, deterministic=deterministic)
        return x + nn.Dense(x.shape[-1])(nn.gelu(nn.Dense(2 * x.shape[-1])(nn.LayerNorm()(x))))


class Model(nn.Module):
    depth: int

    def setup(self):
        self.embed = nn.Embed(7, 4)
        self.blocks = [Block(2) for _ in range(self.depth)]

    def __call__(self, tokens, *, train=False):
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x, deterministic=not train)
        return self.embed.attend(x)


model = Model(2)
tokens = jnp.zeros((1, 5), int)
params = model.init(jax.random.key(0), tokens)


@jax.jit
def next_token(params, tokens, key):
    logits = model.apply(params, tokens)[:, -1]
    return jax.random.categorical(key, logits)


key = jax.random.key(1)
for i in range(3):
    key, sub = jax.random.split(key)
    token = next_token(params, tokens, sub)
    tokens = jnp.roll(tokens, -1).at[:, -1].set(token)
    if token[0] == 6:
        break

# %% parts of a model applied on their own by name and by function, and what they give
import flax.linen as nn
import jax
import jax.numpy as jnp


class VAE(nn.Module):
    latent: int = 2

    def setup(self):
        self.mean = nn.Dense(self.latent)
        self.logvar = nn.Dense(self.latent)
        self.out = nn.Dense(3)

    def encode(self, x):
        return self.mean(x), self.logvar(x)

    def decode(self, z):
        return nn.sigmoid(self.out(z))

    def __call__(self, x, key):
        mean, logvar = self.encode(x)
        z = mean + jnp.exp(0.5 * logvar) * jax.random.normal(key, mean.shape)
        return self.decode(z), mean, logvar


model = VAE()
init_key, z_key, key = jax.random.split(jax.random.key(0), 3)
params = model.init(init_key, jnp.ones((1, 3)), z_key)


@jax.jit
def step(params, x, key):
    def loss_fn(params):
        out, mean, logvar = model.apply(params, x, key)
        divergence = -0.5 * jnp.sum(1 + logvar - mean**2 - jnp.exp(logvar))
        return jnp.mean((out - x) ** 2) + divergence

    loss, grads = jax.value_and_grad(loss_fn)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss


for _ in range(2):
    key, sub = jax.random.split(key)
    params, loss = step(params, jnp.ones((4, 3)), sub)
mean, logvar = model.apply(params, jnp.ones((1, 3)), method="encode")
image = model.apply(params, mean, method=VAE.decode)
if image.max() > 0.5 and float(logvar.mean()) < 10:
    print(f"{loss:.3f} {image[0, 0]:.2f}")

# %% the result of a part, branched on in jit
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    def setup(self):
        self.dense = nn.Dense(2)

    def score(self, x):
        return self.dense(x).sum()

    def __call__(self, x):
        return self.dense(x)


net = Net()
params = net.init(jax.random.key(0), jnp.ones((1, 3)))


@jax.jit
def good(params, x):
    s = net.apply(params, x, method=net.score)
    return jnp.where(s > 0, s, -s)


@jax.jit
def bad(params, x):
    s = net.apply(params, x, method=net.score)
    return s if s > 0 else -s  #! JAX101


good(params, jnp.ones((1, 3)))
bad(params, jnp.ones((1, 3)))

# %% a static flag of a jitted apply, by number and by name
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train, depth=2):
        for _ in range(depth):
            x = nn.Dense(3)(x)
        if train:
            x = x * 2
        return x


net = Net()
params = net.init(jax.random.key(0), jnp.ones((1, 3)), False)
f = jax.jit(net.apply, static_argnums=(2,))
f(params, jnp.ones((1, 3)), True)
g = jax.jit(net.apply, static_argnames=("train", "depth"))
print(f"{g(params, jnp.ones((1, 3)), train=True, depth=2).mean():.2f}")
h = jax.jit(lambda p, x, train: net.apply(p, x, train), static_argnums=2)
h(params, jnp.ones((1, 3)), False)
from functools import partial


@partial(jax.jit, static_argnames="train")
def fw(params, x, *, train):
    return net.apply(params, x, train=train, mutable=False)


if fw(params, jnp.ones((1, 3)), train=True).sum() > 0:
    print("x")

# %% a flag given by its place to a jitted apply that names it static is traced
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(3)(x)
        if train:  #! JAX101
            x = x * 2
        return x


net = Net()
params = net.init(jax.random.key(0), jnp.ones((1, 3)), False)
g = jax.jit(net.apply, static_argnames=("train",))
g(params, jnp.ones((1, 3)), True)

# %% a module given to a module, lists of outputs, and one evaluation for two functions
import flax.linen as nn
import jax
import jax.numpy as jnp


class Tower(nn.Module):
    sizes: tuple = (4, 2)
    final: nn.Module | None = None
    act: callable = nn.relu

    @nn.compact
    def __call__(self, x, return_all=False):
        outs = []
        for s in self.sizes:
            x = self.act(nn.Dense(s, kernel_init=nn.initializers.orthogonal(1.0))(x))
            outs.append(x)
        if self.final is not None:
            x = self.final(x)
        if return_all:
            return x, outs
        return x


t = Tower(final=nn.Dense(1))
p = t.init(jax.random.key(0), jnp.ones((1, 3)))
f = jax.jit(t.apply, static_argnames="return_all")
y, outs = f(p, jnp.ones((2, 3)), return_all=True)
for o in outs:
    if o.mean() > 5 or float(o.max()) > 9:
        print(f"{o.mean():.2f}")


def evaluate(apply_fn, params, data):
    tot = 0.0
    for x in data:
        out = apply_fn(params, x)
        if out.sum() > 3:
            tot += out.sum().item()
        tot += float(out.mean())
    return tot / len(data)


print(f"{evaluate(f, p, [jnp.ones((1, 3))] * 2):.2f}", f"{evaluate(t.apply, p, [jnp.ones((1, 3))] * 2):.2f}")

# %% what says that units are dropped is handed through modules that nobody applies
import flax.linen as nn
import jax.numpy as jnp


class Block(nn.Module):
    @nn.compact
    def __call__(self, x, train: bool = False):
        x = nn.Dense(3)(x)
        return nn.Dropout(0.1)(x, deterministic=not train)


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train: bool):
        for _ in range(2):
            x = Block()(x, train)
        return nn.Dropout(0.5, deterministic=not train)(x)


def averaged(params, key, x):
    return jnp.stack([Net().apply(params, x, train=True, rngs={"dropout": key}) for _ in range(6)])  #! JAX302


def evaluated(params, key, x):
    return jnp.stack([Net().apply(params, x, train=False, rngs={"dropout": key}) for _ in range(6)])


def by_default(params, key, x):
    return jnp.stack([Block().apply(params, x, rngs={"dropout": key}) for _ in range(6)])


def either(params, key, x, train):
    return jnp.stack([Net().apply(params, x, train=train, rngs={"dropout": key}) for _ in range(6)])

# %% nn.scan over depth and over time: fields of the body are static, its key another one at each turn
import flax.linen as nn
import jax
import jax.numpy as jnp


class Step(nn.Module):
    width: int
    noisy: bool = True

    @nn.compact
    def __call__(self, carry, x, scale):
        if self.noisy and self.width > 1:
            x = x + scale * jax.random.normal(self.make_rng("noise"), x.shape)
        carry = nn.tanh(nn.Dense(self.width)(carry) + nn.Dense(self.width)(x))
        return carry, carry.sum(-1)


class Model(nn.Module):
    width: int = 4

    @nn.compact
    def __call__(self, xs):
        scan = nn.scan(
            Step,
            variable_broadcast="params",
            split_rngs={"params": False, "noise": True},
            in_axes=(1, nn.broadcast),
            out_axes=1,
        )
        carry, sums = scan(self.width)(jnp.zeros((xs.shape[0], self.width)), xs, 0.1)
        return carry, sums


model = Model()
keys = dict(zip(("params", "noise"), jax.random.split(jax.random.key(0), 2)))
params = model.init(keys, jnp.ones((2, 5, 3)))
carry, sums = jax.jit(model.apply)(params, jnp.ones((2, 5, 3)), rngs={"noise": jax.random.key(1)})
if sums.mean() > 3 or carry[0, 0] > 5:
    print(f"{sums.mean():.2f}")

# %% an actor and a critic: rollouts, advantages and updates in nested scans, the whole of it jitted and vmapped
from typing import NamedTuple

import distrax
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training.train_state import TrainState


class ActorCritic(nn.Module):
    action_dim: int
    activation: str = "tanh"

    @nn.compact
    def __call__(self, x):
        act = nn.relu if self.activation == "relu" else nn.tanh
        h = act(nn.Dense(8, kernel_init=nn.initializers.orthogonal(np.sqrt(2)))(x))
        pi = distrax.Categorical(logits=nn.Dense(self.action_dim)(h))
        v = nn.Dense(1)(h)
        return pi, jnp.squeeze(v, axis=-1)


class Transition(NamedTuple):
    done: jax.Array
    action: jax.Array
    value: jax.Array
    reward: jax.Array
    log_prob: jax.Array
    obs: jax.Array


def make_train(config):
    config["NUM_UPDATES"] = config["TOTAL"] // config["STEPS"]

    def linear_schedule(count):
        return config["LR"] * (1.0 - count / config["NUM_UPDATES"])

    def train(rng):
        network = ActorCritic(2, activation=config["ACT"])
        rng, _rng = jax.random.split(rng)
        params = network.init(_rng, jnp.zeros((1, 3)))
        if config["ANNEAL"]:
            tx = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(learning_rate=linear_schedule))
        else:
            tx = optax.adam(config["LR"])
        state = TrainState.create(apply_fn=network.apply, params=params, tx=tx)

        def update_step(runner, unused):
            def env_step(runner, unused):
                state, obs, rng = runner
                rng, _rng = jax.random.split(rng)
                pi, value = network.apply(state.params, obs)
                action = pi.sample(seed=_rng)
                log_prob = pi.log_prob(action)
                rng, _rng = jax.random.split(rng)
                nobs = obs + 0.1 * jax.random.normal(_rng, obs.shape)
                t = Transition(jnp.zeros(4, bool), action, value, jnp.ones(4), log_prob, obs)
                return (state, nobs, rng), t

            runner, traj = jax.lax.scan(env_step, runner, None, config["STEPS"])
            state, obs, rng = runner
            _, last = network.apply(state.params, obs)

            def gae(carry, t):
                g, nv = carry
                delta = t.reward + 0.99 * nv * (1 - t.done) - t.value
                g = delta + 0.9 * g
                return (g, t.value), g

            _, adv = jax.lax.scan(gae, (jnp.zeros_like(last), last), traj, reverse=True)

            def loss_fn(params, traj, adv):
                pi, value = network.apply(params, traj.obs)
                ratio = jnp.exp(pi.log_prob(traj.action) - traj.log_prob)
                lo = -jnp.minimum(ratio * adv, jnp.clip(ratio, 0.8, 1.2) * adv).mean()
                return lo + 0.5 * jnp.square(value - traj.value).mean() - 0.01 * pi.entropy().mean(), ratio

            (total, aux), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params, traj, adv)
            state = state.apply_gradients(grads=grads)
            if config.get("DEBUG"):
                jax.debug.print("{x}", x=total)
            return (state, obs, rng), {"loss": total, "ratio": aux.mean()}

        rng, _rng = jax.random.split(rng)
        obs = jax.random.normal(_rng, (4, 3))
        runner, metrics = jax.lax.scan(update_step, (state, obs, rng), None, config["NUM_UPDATES"])
        return {"runner": runner, "metrics": metrics}

    return train


config = {"LR": 1e-3, "TOTAL": 8, "STEPS": 4, "ACT": "tanh", "ANNEAL": True, "DEBUG": False}
out = jax.jit(make_train(config))(jax.random.key(0))
outs = jax.jit(jax.vmap(make_train(config)))(jax.random.split(jax.random.key(1), 2))
if out["metrics"]["loss"][-1] > 100:
    print("bad")
print(f"{out['metrics']['loss'].mean():.3f} {float(outs['metrics']['ratio'].mean()):.3f}")

# %% a module that holds a key: what init and apply draw from it is meant to repeat
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp


class Scale(nn.Module):
    rng: Any = None

    @nn.compact
    def __call__(self, x):
        start = jax.random.normal(self.rng, x.shape)
        scale = self.param("scale", lambda key: start)
        return x * scale


net = Scale(rng=jax.random.key(1))
params = net.init(jax.random.key(0), jnp.ones(3))
out = net.apply(params, jnp.ones(3))
for _ in range(3):
    out = net.apply(params, out)
print(out)


def train(net, params, x):
    for _ in range(3):
        x = net.apply(params, x)
    return x


print(train(net, params, out))

# %% lifted classes: remat, vmap and jit of a module; a branch on what they are given
import flax.linen as nn
import jax
import jax.numpy as jnp


class Plain(nn.Module):
    width: int = 3

    @nn.compact
    def __call__(self, x):
        print(x)  #! JAX202
        if self.width > 2:
            x = x * 2
        return nn.Dense(self.width)(x)


class Mapped(nn.Module):
    @nn.compact
    def __call__(self, x):
        if x.ndim > 1:
            x = x[0]
        print(x)  #! JAX202
        return nn.Dense(3)(x)


class Compiled(nn.Module):
    @nn.compact
    def __call__(self, x):
        print(x)  #! JAX202
        return nn.Dense(3)(x)


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        y = nn.remat(Plain)()(x)
        z = nn.vmap(Mapped, variable_axes={"params": 0}, split_rngs={"params": True})()(y)
        return nn.jit(Compiled)()(z)


net = Net()
x = jnp.ones((2, 3))
variables = net.init(jax.random.key(0), x)
jax.jit(net.apply)(variables, x)

# %% a train state with fields of its own: parameters are traced, its functions and names are not
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax import struct
from flax.training import train_state


class Net(nn.Module):
    width: int = 2

    @nn.compact
    def __call__(self, x, train=False):
        print(x)  #! JAX202
        print(self.width, train)
        x = nn.Dense(self.width)(x)
        return nn.BatchNorm(use_running_average=not train)(x)


class State(train_state.TrainState):
    stats: dict
    name: str = struct.field(pytree_node=False, default="run")

    def predicted(self, x):
        print(self.params)  #! JAX202
        print(self.name)
        return self.apply_fn({"params": self.params, "batch_stats": self.stats}, x)


def started(key):
    net = Net()
    variables = net.init(key, jnp.ones((1, 3)))
    stats = variables["batch_stats"]
    return State.create(apply_fn=net.apply, params=variables["params"], tx=optax.adam(1e-3), stats=stats)


@jax.jit
def train_step(state, batch):
    def loss_fn(params):
        print(params)  #! JAX202
        variables = {"params": params, "batch_stats": state.stats}
        out, updates = state.apply_fn(variables, batch["x"], train=True, mutable=["batch_stats"])
        print(out)  #! JAX202
        return jnp.mean((out - batch["y"]) ** 2), updates

    print(state.step)  #! JAX202
    print(state.name)
    (loss, updates), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    state = state.apply_gradients(grads=grads, stats=updates["batch_stats"])
    print(state.params)  #! JAX202
    print(state.stats)  #! JAX202
    print(state.name)
    return state, loss


@jax.jit
def evaluated(state, x):
    return state.predicted(x)


def main():
    state = started(jax.random.key(0))
    batch = {"x": jnp.ones((4, 3)), "y": jnp.ones((4, 2))}
    for _ in range(2):
        state, loss = train_step(state, batch)
        print(loss, state.step, state.params)
    print(evaluated(state, batch["x"]))


main()

# %% a train state of a plain function, replaced and mapped: the branch on what it gives is on a tracer
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


def line(params, x):
    if params["w"].ndim == 0:
        return params["w"] * x
    return params["w"] + x


def made(lr):
    return TrainState.create(apply_fn=line, params={"w": jnp.ones(())}, tx=optax.sgd(lr))


@jax.jit
def careful(state, x):
    halved = state.replace(params=jax.tree.map(lambda leaf: leaf / 2, state.params))
    print(halved.params)  #! JAX202
    print(halved.opt_state)
    y = halved.apply_fn(halved.params, x)
    print(y)  #! JAX202
    return y if y > 0 else -y  #! JAX101


careful(made(0.1), 1.0)

# %% a checkpointed layer that branches on an argument that is not static
import flax.linen as nn
import jax
import jax.numpy as jnp


class Layer(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(self.width)(x)
        if train:  #! JAX101
            x = x + 1
        return x


class Stack(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        for _ in range(2):
            x = nn.remat(Layer)(3)(x, train)
        return x


Stack().init(jax.random.key(0), jnp.ones((1, 3)), True)

# %% one whose argument is static, by place or by name, of a class and of a method
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp


class Layer(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(self.width)(x)
        if train:
            x = x + 1
        return x


class Own(nn.Module):
    @partial(nn.remat, static_argnums=(2,))
    @nn.compact
    def __call__(self, x, train):
        return nn.Dense(3)(x) if train else x


class Jitted(nn.Module):
    @partial(nn.jit, static_argnames=["mode"])
    def __call__(self, x, mode):
        return x if mode == "same" else -x


class Stack(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.remat(Layer, static_argnums=(2,))(3)(x, train)
        x = Own()(x, train)
        return Jitted()(x, mode="same")


Stack().init(jax.random.key(0), jnp.ones((1, 3)), True)

# %% methods that transforms of linen decorate, and modules that they are given
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp


class Jitted(nn.Module):
    @nn.jit
    @nn.compact
    def __call__(self, x):
        if x.sum() > 0:  #! JAX101
            return nn.Dense(2)(x)
        return x


class Helped(nn.Module):
    def setup(self):
        self.inner = nn.Dense(2)
        self.names = ("a", "b")

    @nn.jit
    def helper(self, x, layer):
        print(x)  #! JAX202
        if self.names:
            return layer(x)
        return x

    def __call__(self, x):
        if x.sum() > 0:
            return self.helper(x, self.inner)
        return x


class Mapped(nn.Module):
    @partial(nn.vmap, in_axes=(0, None), variable_axes={"params": None}, split_rngs={"params": False})
    def __call__(self, x, scale):
        if scale > 0:
            return x * scale
        return x


Helped().init(jax.random.key(0), jnp.ones((1, 3)))
Mapped().apply({}, jnp.ones((2, 3)), jnp.ones(()))
Jitted().init(jax.random.key(0), jnp.ones((1, 3)))

# %% a scanned body: carry and slices are traced, what is broadcast is not

# %% a state of flax.struct is not changed by replace, nor a train state by apply_gradients
import jax
import jax.numpy as jnp
import optax
from flax import struct
from flax.training.train_state import TrainState


@struct.dataclass
class State:
    w: jax.Array
    step: int = 0

    def stepped(self):
        self.replace(step=self.step + 1)  #! JAX502
        return self.replace(step=self.step + 1)


class Node(struct.PyTreeNode):
    w: jax.Array


class Counting(TrainState):
    count: int = 0


@jax.jit
def descend(state, g):
    state.replace(w=state.w - 0.1 * g)  #! JAX502
    return state


@jax.jit
def descended(state, g):
    state = state.replace(w=state.w - 0.1 * g).stepped()
    return state


def gradient(params):
    return jax.grad(lambda p: jnp.sum(p["w"] ** 2))(params)


def train(state, n):
    for _ in range(n):
        state.apply_gradients(grads=gradient(state.params))  #! JAX502
    return state


@jax.jit
def update(state):
    grads = gradient(state.params)
    state.apply_gradients(grads=grads, count=state.count + 1)  #! JAX502
    state = state.apply_gradients(grads=grads, count=state.count + 1)
    return state


s = descend(State(jnp.ones(2)), jnp.ones(2))
assert (s.w == 1).all()
s = descended(s, jnp.ones(2))
node = Node(jnp.ones(2))
node.replace(w=jnp.zeros(2))  #! JAX502
ts = TrainState.create(apply_fn=None, params={"w": jnp.ones(2)}, tx=optax.sgd(0.1))
ts = train(ts, 2)
assert (ts.params["w"] == 1).all()
counting = Counting.create(apply_fn=None, params={"w": jnp.ones(2)}, tx=optax.sgd(0.1))
print(update(counting).params, s.w, node.w)

# %% a train state whose apply_gradients notes what it does, and a replace of one's own
import jax
import jax.numpy as jnp
import optax
from flax import struct
from flax.training.train_state import TrainState

seen = []


class Noted(TrainState):
    def apply_gradients(self, *, grads, **kwargs):
        seen.append(grads)
        return super().apply_gradients(grads=grads, **kwargs)


@struct.dataclass
class Holder:
    held: list = struct.field(pytree_node=False)

    def replace(self, held):
        self.held.append(held)


ts = Noted.create(apply_fn=None, params={"w": jnp.ones(2)}, tx=optax.sgd(0.1))
ts.apply_gradients(grads={"w": jnp.ones(2)})
holder = Holder([])
holder.replace(held=1)
print(len(seen), holder.held)

# %% NumPy on a parameter that is traced
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np


class Scale(nn.Module):
    @nn.compact
    def __call__(self, x):
        scale = self.param("scale", nn.initializers.ones_init(), (3,))
        return x * np.sqrt(scale)  #! JAX106


x = jnp.ones((2, 3))
variables = Scale().init(jax.random.key(0), x)
print(Scale().apply(variables, x))
jax.jit(Scale().apply)(variables, x)

# %% a parameter that is closed over is concrete
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np


class Scale(nn.Module):
    @nn.compact
    def __call__(self, x):
        scale = self.param("scale", nn.initializers.ones, (3,))
        return x * np.sqrt(scale)


x = jnp.ones((2, 3))
variables = Scale().init(jax.random.key(0), x)
print(jax.jit(lambda x: Scale().apply(variables, x))(x))

# %% the key of the dropout is the same at each step: a loop, a train step, a helper, a dict by its name
import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


class Block(nn.Module):
    rate: float = 0.5

    @nn.compact
    def __call__(self, x, deterministic):
        return nn.Dropout(self.rate)(nn.Dense(4)(x), deterministic=deterministic)


class Net(nn.Module):
    def setup(self):
        self.block = Block()
        self.drop = nn.Dropout(0.1)

    def __call__(self, x, train=True):
        return self.drop(self.block(x, deterministic=not train), deterministic=not train)


class Noisy(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(4)(x) + jax.random.normal(self.make_rng("noise"), (4,))


@jax.jit
def train_step(state, x, key):
    def loss_fn(params):
        out = state.apply_fn({"params": params}, x, train=True, rngs={"dropout": key})
        return jnp.mean(out)

    return state.apply_gradients(grads=jax.grad(loss_fn)(state.params))


@functools.partial(jax.jit, static_argnames="train")
def forward(params, x, key, train):
    return net.apply(params, x, train, rngs=dict(dropout=key))


def fit(state, x, key):
    for _ in range(3):
        state = train_step(state, x, key)  #! JAX302
    return state


net = Net()
x = jnp.ones((1, 4))
init_key, key = jax.random.split(jax.random.key(0))
params = net.init(init_key, x, train=False)
outs = []
for step in range(3):
    outs.append(net.apply(params, x, rngs={"dropout": key}))  #! JAX302
key = jax.random.key(1)
rngs = {"dropout": key}
outs.append(net.apply(params, x, rngs=rngs))
outs.append(net.apply(params, 2 * x, rngs=rngs))  #! JAX301
key = jax.random.key(2)
outs += [forward(params, x, key, train=True) for _ in range(2)]  #! JAX302
key = jax.random.key(5)
outs += [net.init(key, x, train=False) for _ in range(2)]  #! JAX302
state = TrainState.create(apply_fn=net.apply, params=params["params"], tx=optax.sgd(0.1))
print(outs, fit(state, x, jax.random.key(3)).step)
noisy = Noisy()
key = jax.random.key(4)
made = noisy.init({"params": key, "noise": key}, x)
print([noisy.apply(made, x, rngs={"noise": key}) for _ in range(2)])  #! JAX302

# %% a key for each step; one key where nothing is dropped, and for init, apply and data
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train=True):
        x = nn.Dropout(0.5, deterministic=not train)(nn.Dense(4)(x))
        return nn.Dropout(0.0, deterministic=False)(x)


class Attention(nn.Module):
    dropout: float = 0.0

    @nn.compact
    def __call__(self, x, deterministic=False):
        return nn.SelfAttention(2, dropout_rate=self.dropout, deterministic=deterministic)(x)


@jax.jit
def train_step(state, x, key):
    key = jax.random.fold_in(key, state.step)

    def loss_fn(params):
        return jnp.mean(state.apply_fn({"params": params}, x, rngs={"dropout": key}))

    return state.apply_gradients(grads=jax.grad(loss_fn)(state.params))


def evaluate(params, x, key, train):
    return [net.apply(params, each, train, rngs={"dropout": key}) for each in x]


net = Net()
key = jax.random.key(0)
x = jax.random.normal(key, (3, 4))
params = net.init(key, x, train=False)
other = Net().init({"params": key, "dropout": key}, x)
print(net.apply(params, x, rngs={"dropout": key}), other)
outs = [net.apply(params, x, train=False, rngs={"dropout": key}) for _ in range(3)]
outs += evaluate(params, [x, x], key, False)
key = jax.random.key(5)
for step in range(3):
    key, sub = jax.random.split(key)
    outs.append(net.apply(params, x, rngs={"dropout": sub}))
    outs.append(net.apply(params, x, rngs={"dropout": jax.random.fold_in(key, step)}))
outs += [net.apply(params, x, rngs={"dropout": each}) for each in jax.random.split(key, 3)]
state = TrainState.create(apply_fn=net.apply, params=params["params"], tx=optax.sgd(0.1))
key = jax.random.key(1)
for _ in range(3):
    state = train_step(state, x, key)
attention = Attention()
made = attention.init(jax.random.key(2), x)
print(outs, [attention.apply(made, x, rngs={"dropout": key}) for _ in range(2)])
ensemble = [net.init(each, x, train=False) for each in jax.random.split(jax.random.key(4), 2)]
key = jax.random.key(3)
ensemble += [Attention(rate).init(key, x) for rate in (0.1, 0.2)]
for rate in (0.1, 0.2):
    params = net.init(key, x, train=False)
    print(jax.tree.map(lambda leaf: leaf * rate, params))

# %% attention that drops, and a dropout with a key of its own
import flax.linen as nn
import jax
import jax.numpy as jnp


class Body(nn.Module):
    @nn.compact
    def __call__(self, carry, x, train):
        print(carry)  #! JAX202
        print(x)  #! JAX202
        if train:
            carry = carry + x
        return carry, x


class Steps(nn.Module):
    @nn.compact
    def __call__(self, xs, train):
        scanned = nn.scan(
            Body,
            variable_broadcast="params",
            split_rngs={"params": False},
            in_axes=(0, nn.broadcast),
        )
        return scanned()(jnp.zeros(3), xs, train)


Steps().init(jax.random.key(0), jnp.ones((4, 3)), True)

# %% conditionals, loops and derivatives of linen
import flax.linen as nn
import jax
import jax.numpy as jnp


class Both(nn.Module):
    @nn.compact
    def __call__(self, x):
        def first(module, y):
            print(y)  #! JAX202
            return y

        def second(module, y):
            if y.sum() > 0:  #! JAX101
                return y
            return -y

        def goes_on(module, y):
            return y.sum() < 3

        def body(module, y):
            print(y)  #! JAX202
            return y + 1

        def loss(module, y):
            if y.ndim == 1:
                return jnp.sum(y**2)
            return jnp.sum(y)

        x = nn.while_loop(goes_on, body, self, x)
        slopes = nn.grad(loss, self, x)
        if slopes[0].sum() > 0:
            x = x + 1
        x = nn.switch(0, [first, first], self, x)
        return nn.cond(True, first, second, self, x)


Both().init(jax.random.key(0), jnp.ones(3))

# %% a class whose methods are transformed by name
import flax.linen as nn
import jax
import jax.numpy as jnp


class Coder(nn.Module):
    def encode(self, x):
        if x.sum() > 0:  #! JAX101
            return x
        return -x

    def decode(self, x):
        if x.sum() > 0:
            return x
        return -x


class Pair(nn.Module):
    @nn.compact
    def __call__(self, x):
        coder = nn.jit(Coder, methods=["encode"])()
        return coder.encode(coder.decode(x))


Pair().init(jax.random.key(0), jnp.ones(3))


class Attention(nn.Module):
    @nn.compact
    def __call__(self, x, key):
        x = nn.SelfAttention(2, dropout_rate=0.5, deterministic=False)(x)
        x = nn.Dropout(0.5, deterministic=False)(x, rng=key)
        return nn.Dropout(0.5)(x, deterministic=False, rng=key)  #! JAX301


attention = Attention()
x, key = jnp.ones((3, 4)), jax.random.key(0)
made = attention.init({"params": jax.random.key(1), "dropout": jax.random.key(2)}, x, jax.random.key(3))
outs = []
for _ in range(2):
    key, sub = jax.random.split(key)
    outs.append(attention.apply(made, x, sub, rngs={"dropout": key}))
key, own = jax.random.split(jax.random.key(4))
for i in range(2):
    outs.append(attention.apply(made, x, jax.random.fold_in(own, i), rngs={"dropout": key}))  #! JAX302
print(outs)

# %% items of what init gives
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2, name="out")(x)


variables = Net().init(jax.random.key(0), jnp.ones((1, 2)))
variables["params"]["out"]["kernel"] = jnp.ones((2, 2))
variables["params"]["out"]["bias"] = variables["params"]["out"]["bias"].at[0].set(1.0)
variables["params"]["out"]["kernel"][0, 0] = 1.0  #! JAX501

# %% the function of a train state stays when a step gives the next state
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


@jax.jit
def train_step(state, batch):
    loss, grads = jax.value_and_grad(lambda params: state.apply_fn(params, batch).sum())(state.params)
    return state.apply_gradients(grads=grads), loss


def main(batches):
    model = nn.Dense(2)
    params = model.init(jax.random.key(0), batches[0])
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.sgd(0.1))

    @jax.jit
    def predict(params, x):
        return state.apply_fn(params, x)

    @jax.jit
    def evaluate(x):
        return state.apply_fn(state.params, x)  #! JAX205

    for batch in batches:
        state, loss = train_step(state, batch)
        print(predict(state.params, batch), evaluate(batch), loss)


main([jnp.ones((1, 3)), jnp.zeros((1, 3))])

# %% a method that a framework's module has, bound and compiled in each iteration
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(x)


def sample(model: Net, params, steps):
    x = jnp.ones((1, 2))
    for _ in range(steps):
        x = jax.jit(model.apply)(params, x)  #! JAX403
    return x


def once(model: Net, params, steps):
    x = jnp.ones((1, 2))
    apply = jax.jit(model.apply)
    for _ in range(steps):
        x = apply(params, x)
    return x


net = Net()
params = net.init(jax.random.key(0), jnp.ones((1, 2)))
print(sample(net, params, 3), once(net, params, 3))

# %% raises-elsewhere methods of a module under jax.jit: a module is no pytree
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp


class Encoder(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x):
        return self.scaled(nn.Dense(self.features)(x), 2.0)

    @jax.jit  #! JAX405
    def scaled(self, x, factor):
        return x * factor


class Decoder(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x):
        return self.scaled(nn.Dense(self.features)(x), 2.0) + self.shifted(x, 1.0)

    @nn.jit
    def scaled(self, x, factor):
        return x * factor

    @staticmethod
    @jax.jit
    def shifted(x, offset):
        return x + offset

    @partial(jax.jit, static_argnums=0)
    def count(self, x):
        return x.size * self.features


x = jnp.ones((2, 3))
decoder = Decoder(3)
params = decoder.init(jax.random.key(0), x)
print(decoder.apply(params, x), decoder.count(x))
encoder = Encoder(3)
encoder.init(jax.random.key(0), x)

# %% a recurrent cell gives its state and an array; a layer that is no part of a module
import flax.linen as nn
import jax
import jax.numpy as jnp


class Step(nn.Module):
    @nn.compact
    def __call__(self, carry, x):
        carry, y = nn.GRUCell(features=4)(carry, x)
        if y.max() > 1:  #! JAX101
            y = y / y.max()
        (c, h), z = nn.OptimizedLSTMCell(4)((carry, carry), x)
        if z.max() > 1:  #! JAX101
            z = z / z.max()
        return carry, y + z


step = Step()
state, x = jnp.zeros((2, 4)), jnp.ones((2, 3))
params = step.init(jax.random.key(0), state, x)
jax.jit(step.apply)(params, state, x)

# %% ... a layer by itself
import flax.linen as nn
import jax
import jax.numpy as jnp

layer = nn.Dense(2)
x = jnp.ones((1, 2))
params = layer.init(jax.random.key(0), x)
if layer.apply(params, x).mean() > 0:
    print("positive")


@jax.jit
def loss(params, x):
    y = layer.apply(params, x)
    if y.mean() > 0:  #! JAX101
        return y.sum()
    return y.mean()


print(loss(params, x))

# %% ... functions in a pipe of layers, and what layers give under grad alone
import flax.linen as nn
import jax
import jax.numpy as jnp


def clipped(x):
    return x / x.max() if x.max() > 1 else x  #! JAX101


net = nn.Sequential([nn.Dense(2), clipped])
x = jnp.ones((1, 2))
params = net.init(jax.random.key(0), x)


@jax.jit
def run(params, x):
    return net.apply(params, x)


class Inner(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(x)


log = {}
inner = Inner()
inner_params = inner.init(jax.random.key(0), x)


def loss(params, x):
    logits = inner.apply(params, x)
    log["logits"] = logits  #! JAX203
    return (logits**2).mean()


run(params, x)
jax.grad(loss)(inner_params, x)
print(log["logits"] + 1)

# %% variables of a module of linen
import jax
import jax.numpy as jnp
from flax import linen as nn


class Mean(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        mean = self.variable("stats", "mean", jnp.zeros, (self.width,))
        mean.value = mean.value.at[:].set(0.9 * mean.value)
        mean.value[:] = 0.9 * mean.value + 0.1 * x.mean(0)  #! JAX501
        return x - mean.value


class Norm(nn.Module):
    width: int

    def setup(self):
        self.mean = self.variable("stats", "mean", jnp.zeros, (self.width,))
        self.count = self.variable("stats", "count", lambda: jnp.zeros((), jnp.int32))

    def __call__(self, x):
        if not self.is_initializing():
            self.mean.value = 0.9 * self.mean.value + 0.1 * x.mean(0)
            self.count.value += 1
        return x - self.mean.value


norm = Norm(3)
variables = norm.init(jax.random.key(0), jnp.ones((2, 3)))
print(jax.jit(lambda given, x: norm.apply(given, x, mutable=["stats"]))(variables, jnp.ones((2, 3))))
print(Mean(3).init(jax.random.key(0), jnp.ones((2, 3))))

# %% the function that a loop calls makes the module, and the state that the loop keeps
import jax
import jax.numpy as jnp
import optax
from flax import linen as nn
from flax.training import train_state


class Net(nn.Module):
    training: bool

    @nn.compact
    def __call__(self, x):
        return nn.Dropout(0.5, deterministic=not self.training)(nn.Dense(8)(x))


def train_epoch(state, rng, x):
    model = Net(training=True)

    def loss(params):
        y = model.apply({"params": params}, x, rngs={"dropout": rng})
        return jnp.mean(y**2), y == 0

    (_, mask), grads = jax.value_and_grad(loss, has_aux=True)(state.params)
    return state.apply_gradients(grads=grads), mask


x = jnp.ones((2, 3))
net = Net(training=False)
params = net.init(jax.random.key(0), x)["params"]
state = train_state.TrainState.create(apply_fn=net.apply, params=params, tx=optax.sgd(0.1))
rng = jax.random.key(1)
masks = set()
for epoch in range(3):
    state, mask = train_epoch(state, rng, x)  #! JAX302
    masks.add(str(mask.astype(int)))
assert len(masks) == 1
for epoch in range(3):
    rng, own = jax.random.split(rng)
    state, mask = train_epoch(state, own, x)

# %% linen: the hash of a module is that of its fields
import functools

import flax.linen as nn
import jax
import numpy as np


class Scale(nn.Module):
    by: np.ndarray

    @nn.compact
    def __call__(self, x):
        return x * self.by


@functools.partial(jax.jit, static_argnums=0)
def forward(net, x):
    return net.apply({}, x)


print(forward(Scale(2.0), 1.0))
forward(Scale(np.ones(2)), 1.0)  #! JAX402

# %% linen: a module with its own hash, one that is set up with arrays, and a field that is not hashed
import functools

import flax.linen as nn
import jax
import numpy as np


class Scale(nn.Module):
    by: np.ndarray

    def __hash__(self):
        return hash(type(self))

    def __call__(self, x):
        return x * self.by


class Table(nn.Module):
    size: int = 2

    def setup(self):
        self.rows = np.ones(self.size)

    def __call__(self, x):
        return x * self.rows


@functools.partial(jax.jit, static_argnums=0)
def forward(net, x):
    return net.apply({}, x)


print(forward(Scale(np.ones(2)), 1.0), forward(Table(), 1.0))

# %% norun a parameter without annotation that has a method which only the train state of flax has
import jax
import jax.numpy as jnp


@jax.jit
def train_step(state, grads):
    if state.step % 100 == 0:  #! JAX101
        grads = jax.tree.map(jnp.zeros_like, grads)
    return state.apply_gradients(grads=grads)


@jax.jit
def dropped(state, x):
    grads = jax.grad(lambda params: state.apply_fn(params, x).sum())(state.params)
    state.apply_gradients(grads=grads)  #! JAX502
    return state


@jax.jit
def other(state, grads):
    if state.epoch % 100 == 0:
        grads = jax.tree.map(jnp.zeros_like, grads)
    return state.apply_gradients(grads=grads)

# %% norun a parameter without annotation that is used as the only record of the module with these fields
from typing import Any

import flax.struct
import jax


@flax.struct.dataclass
class State:
    params: Any
    count: jax.Array
    width: int = flax.struct.field(pytree_node=False, default=3)


@jax.jit
def step(state, grads):
    if state.width > 2:
        grads = jax.tree.map(lambda leaf: 0.5 * leaf, grads)
    if state.count > 10:  #! JAX101
        grads = jax.tree.map(lambda leaf: 0.1 * leaf, grads)
    params = jax.tree.map(lambda leaf, slope: leaf - slope, state.params, grads)
    return state.replace(params=params, count=state.count + 1)

# %% a key that all devices have draws what it draws elsewhere
import jax
import jax.numpy as jnp
from flax import jax_utils


@jax.pmap
def update(key, x):
    key, sub = jax.random.split(key)
    return key, x + jax.random.uniform(sub, x.shape)


def act(key):
    key, sub = jax.random.split(key)
    return key, jax.random.uniform(sub, (4,))


def train(seed):
    key = jax.random.key(seed)
    keys = jax_utils.replicate(key)
    _, x = update(keys, jnp.zeros((jax.local_device_count(), 4)))
    _, chosen = act(key)  #! JAX301
    return jnp.stack([x[0], chosen])


def train_apart(seed):
    key, rest = jax.random.split(jax.random.key(seed))
    keys = jax_utils.replicate(key)
    for _ in range(3):
        keys, x = update(keys, jnp.zeros((jax.local_device_count(), 4)))
    _, chosen = act(rest)
    return jnp.stack([x[0], chosen]), jax.random.uniform(jax_utils.unreplicate(keys))


assert (jnp.ptp(train(0), axis=0) == 0).all()
assert (jnp.ptp(train_apart(0)[0], axis=0) > 0).any()
