

# %% lambda in __init__: the compiled lambda reads self once
import jax


class Scaler:
    def __init__(self, s):
        self.s = s
        self.f = jax.jit(lambda x: x * self.s)  #! JAX206


m = Scaler(2.0)
first = m.f(1.0)
m.s = 5.0
print(first, m.f(1.0))

# %% jitted bound method: a step kept on self reads the rate that another method changes
import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self, lr):
        self.lr = lr
        self._step = jax.jit(self.step)

    def step(self, w, g):
        return w - self.lr * g  #! JAX206

    def halve(self):
        self.lr = self.lr / 2

    def fit(self, w, grads):
        for g in grads:
            w = self._step(w, g)
            self.halve()
        return w


print(Trainer(1.0).fit(jnp.float32(0.0), [1.0, 1.0, 1.0]))

# %% parameters on self: the loss is compiled with the first weights in it
import jax
import jax.numpy as jnp


class Regression:
    def __init__(self, n):
        self.w = jnp.zeros(n)
        self.predict = jax.jit(self._predict)

    def _predict(self, x):
        return jnp.dot(x, self.w)  #! JAX206

    def train(self, x, y, steps):
        for _ in range(steps):
            error = self.predict(x) - y
            self.w = self.w - 0.1 * jnp.dot(x.T, error)
        return self.predict(x)


x = jnp.eye(2)
print(Regression(2).train(x, jnp.ones(2), 50))

# %% decorated inner function: a closure over self made in a build method
import jax


class Filter:
    def __init__(self, alpha):
        self.alpha = alpha
        self.build()

    def build(self):
        @jax.jit
        def run(state, x):
            return self.alpha * x + (1 - self.alpha) * state  #! JAX206

        self.run = run

    def retune(self, alpha):
        self.alpha = alpha


f = Filter(0.5)
first = f.run(0.0, 1.0)
f.retune(0.9)
print(first, f.run(0.0, 1.0))

# %% bound method of a global object: jit outside the class, the write outside as well
import jax


class Potential:
    def __init__(self, depth):
        self.depth = depth

    def __call__(self, r):
        return self.depth * ((1 / r) ** 12 - (1 / r) ** 6)  #! JAX206


lj = Potential(4.0)
force = jax.jit(jax.grad(lj))
first = force(1.5)
lj.depth = 0.0
print(first, force(1.5))

# %% cached property: the compiled function is built once, the data under it is replaced
import functools

import jax
import jax.numpy as jnp


class Likelihood:
    def __init__(self, data):
        self.data = data

    @functools.cached_property
    def value_and_grad(self):
        return jax.jit(jax.value_and_grad(self._log_prob))

    def _log_prob(self, mu):
        return -jnp.sum((self.data - mu) ** 2)  #! JAX206

    def set_data(self, data):
        self.data = data


posterior = Likelihood(jnp.zeros(2))
first = posterior.value_and_grad(1.0)
posterior.set_data(jnp.full(2, 10.0))
print(first, posterior.value_and_grad(1.0))

# %% alias of self: the closure holds the object under another name
import jax


class Env:
    def __init__(self):
        env = self
        self.friction = 0.1

        def dynamics(v):
            return v * (1.0 - env.friction)  #! JAX206

        self.dynamics = jax.jit(dynamics)

    def randomise(self, friction):
        self.friction = friction


env = Env()
first = env.dynamics(1.0)
env.randomise(0.9)
print(first, env.dynamics(1.0))

# %% partial of a method: the partial binds an argument, self is still captured
from functools import partial

import jax


class Sampler:
    def __init__(self):
        self.temperature = 1.0
        self.sharp = jax.jit(partial(self._score, power=2))

    def _score(self, x, power):
        return x**power / self.temperature  #! JAX206

    def cool(self):
        self.temperature *= 0.1


s = Sampler()
first = s.sharp(1.0)
s.cool()
print(first, s.sharp(1.0))

# %% subclass method: the base compiles what the subclass overrides
import jax


class Objective:
    def __init__(self):
        self._fn = jax.jit(lambda w: self.loss(w))

    def loss(self, w):
        raise NotImplementedError


class Ridge(Objective):
    def __init__(self, penalty):
        self.penalty = penalty
        super().__init__()

    def loss(self, w):
        return w**2 * self.penalty  #! JAX206

    def path(self, penalties):
        out = []
        for penalty in penalties:
            self.penalty = penalty
            out.append(float(self._fn(1.0)))
        return out


print(Ridge(1.0).path([1.0, 2.0, 3.0]))

# %% grown container: layers appended to the list that the compiled method went through
import jax


class Sequential:
    def __init__(self, *layers):
        self.layers = list(layers)
        self.apply = jax.jit(self.forward)

    def forward(self, x):
        for layer in self.layers:  #! JAX206
            x = layer(x)
        return x

    def append(self, layer):
        self.layers.append(layer)


net = Sequential(jax.numpy.sin)
first = net.apply(1.0)
net.append(lambda x: x * 100)
print(first, net.apply(1.0))

# %% built lazily: made at the first use and kept, the attribute changes later
import jax


class Lazy:
    def __init__(self, k):
        self.k = k
        self._compiled = None

    def _impl(self, x):
        return x + self.k  #! JAX206

    def __call__(self, x):
        if self._compiled is None:
            self._compiled = jax.jit(self._impl)
        return self._compiled(x)


lazy = Lazy(1.0)
first = lazy(0.0)
lazy.k = 10.0
print(first, lazy(0.0))

# %% never reassigned: attributes that are set in __init__ only, also after the jit was made
import jax
import jax.numpy as jnp


class Dynamics:
    def __init__(self, mass, dt):
        self.mass = mass
        self.step = jax.jit(self._step)
        self.dt = dt
        self._prepare(3)

    def _prepare(self, n):
        self.stiffness = jnp.arange(float(n))

    def _step(self, x, v):
        v = v - self.dt * self.stiffness * x / self.mass
        return x + self.dt * v, v


d = Dynamics(1.0, 0.1)
d.step(jnp.ones(3), jnp.zeros(3))
d.step(jnp.zeros(3), jnp.ones(3))

# %% passed in: the plain method reads the attribute and gives it to the compiled one
import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.params = jnp.zeros(2)
        self.lr = 0.1
        self._update = jax.jit(self._sgd)
        self._predict = jax.jit(lambda params, x: jnp.dot(x, params))

    def _sgd(self, params, x, lr):
        return params - lr * jnp.dot(x.T, jnp.dot(x, params) - 1.0)

    def fit(self, x):
        for _ in range(3):
            self.params = self._update(self.params, x, self.lr)
            self.lr *= 0.9
        return self._predict(self.params, x)


Model().fit(jnp.eye(2))

# %% built again after the change: jit of the bound method is made anew, and traced anew
import jax


class Rebuilt:
    def __init__(self, k):
        self.set(k)

    def set(self, k):
        self.k = k
        self.apply = jax.jit(self._apply)

    def _apply(self, x):
        return x * self.k


r = Rebuilt(2.0)
a = r.apply(1.0)
r.set(5.0)
print(a, r.apply(1.0))

# %% scan over a bound method: without jit around it, each run traces the body of the day
import jax
import jax.numpy as jnp


class Walk:
    def __init__(self):
        self.drift = 1.0

    def body(self, x, dt):
        return x + self.drift * dt, x

    def run(self, dts):
        end, _ = jax.lax.scan(self.body, 0.0, dts)
        return end


walk = Walk()
a = walk.run(jnp.ones(3))
walk.drift = 10.0
print(a, walk.run(jnp.ones(3)))

# %% other attributes: the compiled method reads one attribute, the loop writes others
import jax


class Meter:
    def __init__(self, decay):
        self.decay = decay
        self.value = 0.0
        self.count = 0
        self._mix = jax.jit(self.mix)

    def mix(self, old, new):
        return self.decay * old + (1 - self.decay) * new

    def update(self, x):
        self.count += 1
        self.value = self._mix(self.value, x)


meter = Meter(0.9)
meter.update(1.0)
meter.update(2.0)

# %% eager transforms: vmap and grad of a bound method read self at each call
import jax
import jax.numpy as jnp


class Curve:
    def __init__(self, k):
        self.k = k
        self.slope = jax.grad(self.value)
        self.batch = jax.vmap(lambda x: self.value(x))

    def value(self, x):
        return self.k * x**2


c = Curve(1.0)
a = c.slope(1.0), c.batch(jnp.ones(2))
c.k = 10.0
print(a, c.slope(1.0), c.batch(jnp.ones(2)))

# %% snapshot: a local taken from self is what the author wanted to keep
import jax


class Snapshot:
    def __init__(self, k):
        self.k = k
        k0 = self.k
        self.initial = jax.jit(lambda x: x * k0)

    def grow(self):
        self.k += 1.0
        return self.initial(self.k)


s = Snapshot(2.0)
s.grow()
s.grow()

# %% self as argument: the object is a pytree and is handed to the compiled function
import dataclasses
from functools import partial

import jax


@partial(jax.tree_util.register_dataclass, data_fields=["k"], meta_fields=[])
@dataclasses.dataclass
class Gain:
    k: float

    def apply(self, x):
        return self.k * x


apply = jax.jit(Gain.apply)
gain = Gain(2.0)
a = apply(gain, 1.0)
gain.k = 5.0
print(a, apply(gain, 1.0), gain.apply(1.0))

# %% configured first: the owner sets the attribute before the compiled function is ever called
import jax


class Reader:
    def __init__(self):
        self.scale = 1.0
        self.decode = jax.jit(self._decode)

    def _decode(self, x):
        return x * self.scale


reader = Reader()
reader.scale = 255.0
print(reader.decode(1.0), reader.decode(2.0))

# %% replaced whole: a change makes a new object, which compiles its own method
import dataclasses

import jax


@dataclasses.dataclass(frozen=True)
class Plan:
    horizon: int

    def __post_init__(self):
        object.__setattr__(self, "run", jax.jit(self._run))

    def _run(self, x):
        return x * self.horizon


plan = Plan(2)
a = plan.run(1.0)
plan = dataclasses.replace(plan, horizon=7)
print(a, plan.run(1.0))

# %% whatever path it takes, a method that changes what was traced also makes the function anew
import jax
import jax.numpy as jnp


class Optimizer:
    def __init__(self, scale, many):
        self.scale = scale
        self.many = many
        self.finalized = False

    def finalize(self, params):
        self.shapes = [param.shape for param in params]
        if self.many is None:
            self._jit_step = self._step
        elif self.many:
            self._jit_step = jax.pmap(self._step)
        else:
            self._jit_step = jax.jit(self._step)
        self.finalized = True

    def _step(self, x):
        return x * len(self.shapes)

    def step(self, x):
        if not self.finalized:
            self.finalize([x])
        return self._jit_step(x)


class Kept:
    def __init__(self):
        self.run = None

    def fit(self, x, scale):
        if self.run is None:
            self.run = jax.jit(self._step)
        self.scale = scale
        return self.run(x)

    def _step(self, x):
        return x * self.scale  #! JAX206


kept = Kept()
kept.fit(jnp.ones(2), 1.0), kept.fit(jnp.ones(2), 2.0)

# %% attribute of the instance after class default
import jax
import jax.numpy as jnp


class Model:
    scale = 2.0

    def __init__(self):
        self.step = jax.jit(self._step)

    def _step(self, x):
        return x * self.scale #! JAX206


m = Model()
m.step(1.0)
m.scale = 3.0
m.step(1.0)

# %% module attribute
import types

import jax
import jax.numpy as jnp

settings = types.SimpleNamespace(scale=2.0)


@jax.jit
def f(x):
    return x * settings.scale #! JAX206


f(1.0)
settings.scale = 3.0
f(1.0)

# %% dataclass config global changed
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Config:
    scale: float = 2.0


cfg = Config()


@jax.jit
def f(x):
    return x * cfg.scale #! JAX206


f(1.0)
cfg.scale = 3.0
f(1.0)

# %% class attribute as a registry that only grows before
import jax


class Registry:
    names = {}

    @classmethod
    def add(cls, name, value):
        cls.names[name] = value


Registry.add("a", 2.0)


@jax.jit
def f(x):
    return x * Registry.names["a"]


f(1.0)

# %% class attribute read outside and passed in
import jax


class Config:
    scale = 2.0


@jax.jit
def f(x, scale):
    return x * scale


f(1.0, Config.scale)
Config.scale = 3.0
f(1.0, Config.scale)

# %% class attribute changed and put back for a test
import jax


class Config:
    scale = 2.0


def f(x):
    return x * Config.scale


g = jax.jit(f)
g(1.0)
Config.scale = 3.0
g = jax.jit(lambda x: x * Config.scale)
g(1.0)

# %% class attribute of a subclass set apart
import jax


class Base:
    scale = 2.0


class Child(Base):
    scale = 3.0


@jax.jit
def f(x):
    return x * Base.scale


f(1.0)
Child.scale = 4.0
f(1.0)

# %% class counter in constructors
import jax


class Layer:
    count = 0

    def __init__(self):
        Layer.count += 1
        self.name = f"layer{Layer.count}"


@jax.jit
def f(x, n=2):
    return x * 2


a = Layer()
f(1.0)
b = Layer()
f(1.0)

# %% class flag cleared with the caches
import jax


class Config:
    scale = 2.0


@jax.jit
def f(x):
    return x * Config.scale


f(1.0)
Config.scale = 3.0
f.clear_cache()
f(1.0)

# %% class attribute inside the function
import jax


@jax.jit
def f(x):
    class Local:
        scale = 2.0

    Local.scale = 3.0
    return x * Local.scale


f(1.0)
f(1.0)

# %% cached factory of another number
import functools

import jax

RATE = 1.0


@functools.lru_cache
def make(n):
    @jax.jit
    def f(x):
        return x * n * RATE

    return f


make(2)(1.0)
RATE = 2.0
make(3)(1.0)

# %% jitted step that a trainer object rebinds
import jax


class Trainer:
    def __init__(self, lr):
        self.lr = lr
        self._step = jax.jit(self.step)

    def step(self, x):
        return x - self.lr * x #! JAX206

    def fit(self, x, epochs):
        for epoch in range(epochs):
            if epoch == 2:
                self.lr *= 0.1
            x = self._step(x)
        return x


Trainer(0.1).fit(1.0, 4)

# %% decay through a setter
import jax


class Trainer:
    def __init__(self, lr):
        self._lr = lr
        self.step = jax.jit(lambda x: x - self._lr * x) #! JAX206

    @property
    def lr(self):
        return self._lr

    @lr.setter
    def lr(self, value):
        self._lr = value


t = Trainer(0.1)
t.step(1.0)
t.lr = 0.01
t.step(1.0)

# %% nested config object
import jax


class Config:
    def __init__(self):
        self.scale = 1.0


class Model:
    def __init__(self, config):
        self.config = config
        self.apply = jax.jit(self._apply)

    def _apply(self, x):
        return x * self.config.scale #! JAX206


config = Config()
model = Model(config)
model.apply(1.0)
config.scale = 2.0
model.apply(1.0)

# %% class list appended after
import jax


class Model:
    scales = [1.0]

    def __init__(self):
        self.apply = jax.jit(self._apply)

    def _apply(self, x):
        return x * sum(self.scales) #! JAX206


m = Model()
m.apply(1.0)
Model.scales.append(2.0)
m.apply(1.0)

# %% memoised property of jitted function
import functools

import jax


class Model:
    def __init__(self, scale):
        self.scale = scale

    @functools.cached_property
    def apply(self):
        return jax.jit(lambda x: x * self.scale) #! JAX206


m = Model(1.0)
m.apply(1.0)
m.scale = 2.0
m.apply(1.0)

# %% property of jitted function made anew
import jax


class Model:
    def __init__(self, scale):
        self.scale = scale

    @property
    def apply(self):
        return jax.jit(lambda x: x * self.scale)


m = Model(1.0)
m.apply(1.0)
m.scale = 2.0
m.apply(1.0)

# %% memoised method factory
import functools

import jax


class Model:
    def __init__(self, scale):
        self.scale = scale

    @functools.lru_cache
    def compiled(self, n):
        return jax.jit(lambda x: x * self.scale * n) #! JAX206


m = Model(1.0)
m.compiled(2)(1.0)
m.scale = 2.0
m.compiled(2)(1.0)

# %% property made by a call
import jax


class Trainer:
    def __init__(self, lr):
        self._lr = lr
        self.step = jax.jit(lambda x: x - self._lr * x) #! JAX206

    def _get(self):
        return self._lr

    def _set(self, value):
        self._lr = value

    lr = property(_get, _set)


t = Trainer(0.1)
t.step(1.0)
t.lr = 0.01
t.step(1.0)

# %% setter that spends a key
import jax


class Model:
    def __init__(self, key):
        self._key = key

    @property
    def key(self):
        return self._key

    @key.setter
    def key(self, value):
        self._key, self.sub = jax.random.split(value)


a, b = jax.random.split(jax.random.key(0))
m = Model(a)
m.key = b
x = jax.random.normal(m.sub) + jax.random.normal(m.key)

# %% another item: the calls are counted beside the scale that the trace reads
import jax


class Model:
    def __init__(self):
        self.options = {"scale": 2.0, "calls": 0}
        self.run = jax.jit(self._run)

    def _run(self, x):
        return x * self.options["scale"]

    def __call__(self, x):
        self.options["calls"] += 1
        return self.run(x)


model = Model()
print(model(1.0), model(2.0), model.options)

# %% a static argument of pmap: each training makes and solves another object
import json

import jax
import numpy as np


class Field:
    def __init__(self, scale):
        self.scale = scale

    def solve(self):
        self.values = jax.vmap(lambda x: x * self.scale)


def solved(scale=None) -> Field:
    field = Field(scale)
    field.solve()
    return field


def evaluate(field: Field, points, n):
    return field.values(points)


def trained(*, points, count, field: Field):
    return jax.pmap(evaluate, in_axes=(None, 0, None), static_broadcasted_argnums=(0, 2))(field, points, count)


def train(config, writer=None):
    field = solved(scale=config.get("scale"))
    return trained(points=np.asarray(config.get("points")), count=config.get("n"), field=field)


def search(configs):
    for config in configs:
        train(json.loads(config))


def main(config):
    train(config)


main(json.loads('{"scale": 2.0, "n": 1, "points": [[1.0, 2.0]]}'))

# %% a static argument of pmap, one of two objects
import jax
import jax.numpy as jnp


class Field:
    def __init__(self, scale):
        self.scale = scale

    def fit(self, scale):
        self.scale = scale


def evaluate(field, points):
    return points * field.scale


run = jax.pmap(evaluate, in_axes=(None, 0), static_broadcasted_argnums=(0,))


def trained(points, wide):
    for each in wide:
        field = Field(2.0) if each else Field(4.0)
        field.fit(3.0)
        points = run(field, points)
    return points


trained(jnp.ones((1, 3)), [False, True])

# %% another item of a list: only the first one is read
import jax


class Model:
    def __init__(self):
        self.state = [2.0, 0]
        self.run = jax.jit(self._run)

    def _run(self, x):
        return x * self.state[0]

    def __call__(self, x):
        self.state[1] += 1
        return self.run(x)


model = Model()
print(model(1.0), model(2.0), model.state)

# %% another item by keyword: `update` writes what the trace does not read
import jax


class Model:
    def __init__(self):
        self.options = {"scale": 2.0, "calls": 0}
        self.run = jax.jit(self._run)

    def _run(self, x):
        return x * self.options["scale"]

    def __call__(self, x):
        self.options.update(calls=1)
        return self.run(x)


model = Model()
print(model(1.0), model(2.0), model.options)

# %% another item than was asked for: `get` reads one item
import jax


class Model:
    def __init__(self):
        self.options = {"scale": 2.0, "calls": 0}
        self.run = jax.jit(self._run)

    def _run(self, x):
        return x * self.options.get("scale", 1.0)

    def __call__(self, x):
        self.options["calls"] += 1
        return self.run(x)


model = Model()
print(model(1.0), model(2.0), model.options)

# %% the same item: the trace keeps the scale that it read
import jax


class Model:
    def __init__(self):
        self.options = {"scale": 2.0, "calls": 0}
        self.run = jax.jit(self._run)

    def _run(self, x):
        return x * self.options["scale"]  #! JAX206

    def rescale(self, scale):
        self.options["scale"] = scale


model = Model()
print(model.run(1.0))
model.rescale(3.0)
print(model.run(1.0))

# %% any item: a name that is not known may be that of the item that was read
import jax


class Model:
    def __init__(self):
        self.options = {"scale": 2.0, "calls": 0}
        self.run = jax.jit(self._run)

    def _run(self, x):
        return x * self.options["scale"]  #! JAX206

    def set(self, name, value):
        self.options[name] = value


model = Model()
print(model.run(1.0))
model.set("scale", 3.0)
print(model.run(1.0))

# %% another dict: the item that was read is in the old one
import jax


class Model:
    def __init__(self):
        self.options = {"scale": 2.0, "calls": 0}
        self.run = jax.jit(self._run)

    def _run(self, x):
        return x * self.options["scale"]  #! JAX206

    def set(self, options):
        self.options = options


model = Model()
print(model.run(1.0))
model.set({"scale": 3.0})
print(model.run(1.0))

# %% set and set back: the method leaves the scale as it was
import jax


class Model:
    def __init__(self):
        self.scale = 2.0
        self.run = jax.jit(self._run)

    def _run(self, x):
        return x * self.scale

    def peek(self, scale):
        old = self.scale
        self.scale = scale
        y = self._run(1.0)
        self.scale = old
        return y


model = Model()
print(model.run(1.0), model.peek(3.0), model.run(1.0))

# %% set back outside: the program puts back what it kept
import jax


class Config:
    scale = 2.0


config = Config()


@jax.jit
def f(x):
    return x * config.scale


a = f(1.0)
old = config.scale
config.scale = 3.0
b = f.__wrapped__(1.0)
config.scale = old
print(a, b, f(1.0))

# %% set back by a context: `__exit__` puts back what `__enter__` kept
import jax


class Model:
    def __init__(self):
        self.scale = 2.0
        self.run = jax.jit(self._run)

    def _run(self, x):
        return x * self.scale


class Scaled:
    def __init__(self, model, scale):
        self.model = model
        self.scale = scale

    def __enter__(self):
        self.old = self.model.scale
        self.model.scale = self.scale

    def __exit__(self, *error):
        self.model.scale = self.old


model = Model()
a = model.run(1.0)
with Scaled(model, 3.0):
    b = model._run(1.0)
print(a, b, model.run(1.0))

# %% compiled anew: whoever sets the scale makes a new function
import jax


class Model:
    def __init__(self):
        self.set_scale(2.0)

    def set_scale(self, scale):
        self.scale = scale
        self._fn = jax.jit(lambda x: x * self.scale)

    def __call__(self, x):
        return self._fn(x)


m = Model()
print(m(1.0))
m.set_scale(3.0)
print(m(1.0))

# %% thrown away: the compiled function is made again when it is asked for
import jax


class Model:
    def __init__(self):
        self.scale = 2.0
        self._fn = None

    def set_scale(self, scale):
        self.scale = scale
        self._fn = None

    def __call__(self, x):
        if self._fn is None:
            self._fn = jax.jit(self._call)
        return self._fn(x)

    def _call(self, x):
        return x * self.scale


m = Model()
print(m(1.0))
m.set_scale(3.0)
print(m(1.0))

# %% memo cleared: the functions in it are made again
import jax


class Model:
    def __init__(self):
        self.scale = 2.0
        self._fns = {}

    def set_scale(self, scale):
        self.scale = scale
        self._fns.clear()

    def fn(self, name):
        if name not in self._fns:
            self._fns[name] = jax.jit(getattr(self, name))
        return self._fns[name]

    def call(self, x):
        if "call" not in self._fns:
            self._fns["call"] = jax.jit(self._call)
        return self._fns["call"](x)

    def _call(self, x):
        return x * self.scale


m = Model()
print(m.call(1.0))
m.set_scale(3.0)
print(m.call(1.0))

# %% kept: the compiled function stays when the scale is set
import jax


class Model:
    def __init__(self):
        self.scale = 2.0
        self._fn = None

    def set_scale(self, scale):
        self.scale = scale

    def __call__(self, x):
        if self._fn is None:
            self._fn = jax.jit(self._call)
        return self._fn(x)

    def _call(self, x):
        return x * self.scale  #! JAX206


m = Model()
print(m(1.0))
m.set_scale(3.0)
print(m(1.0))

# %% a singleton that is made where it is None: its constructor changes no other object
import jax
import jax.numpy as jnp

_env = None


class Environment:
    def __init__(self):
        self.ops = {"double": lambda x: x * 2}


def default_env():
    global _env
    if _env is None:
        _env = Environment()
    return _env


def view(x):
    return default_env().ops["double"](x)


@jax.jit
def up(x):
    return view(x)


x = jnp.ones(3)
print(up(x))
view(jnp.sin(x))
print(up(5 * x))

# %% an object that takes the place of another one
import jax


class Config:
    def __init__(self, scale):
        self.scale = scale


config = Config(2.0)


@jax.jit
def scaled(x):
    return x * config.scale  #! JAX205


print(scaled(1.0))
config = Config(3.0)
print(scaled(1.0))

# %% what a constructor calls by its name and a class below replaces: it runs before anything is traced
import jax


class Model:
    def __init__(self, n):
        self.n = n


class Trainer:
    def __init__(self, **options):
        self.create_models(**options)
        self.create_functions()

    def create_models(self, c):
        self.generator = Model(c)

    def create_functions(self):
        self.step = jax.jit(lambda x: x * self.generator.n)

    def train(self, x):
        return self.step(x)


class Style(Trainer):
    def create_models(self, size):
        self.generator = Model(size)

    def create_functions(self):
        self.step = jax.jit(lambda x: x * self.generator.n + 1)


def run(*args, kind=Trainer, **options):
    trainer = kind(*args, **options)
    return trainer.train(1.0)


run(kind=Style, size=2)

# %% what no constructor calls and a class below replaces: others may call it later
import jax


class Model:
    def __init__(self, n):
        self.n = n


class Trainer:
    def __init__(self, **options):
        self.generator = Model(options["size"])
        self.create_functions()

    def create_models(self, c):
        self.generator = Model(c)

    def create_functions(self):
        self.step = jax.jit(lambda x: x * self.generator.n)  #! JAX206

    def train(self, x):
        return self.step(x)


class Style(Trainer):
    def create_models(self, size):
        self.generator = Model(size)

    def create_functions(self):
        self.step = jax.jit(lambda x: x * self.generator.n + 1)


def run(*args, kind=Trainer, **options):
    trainer = kind(*args, **options)
    return trainer.train(1.0)


run(kind=Style, size=2)

# %% options of a command line that change between calls
import argparse

import jax

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.5)
parser.add_argument("--decay", type=float, default=0.9)
args = parser.parse_args([])
args.decay = args.decay * 2


@jax.jit
def update(w):
    return w - args.lr * args.decay  #! JAX206


for _ in range(3):
    print(update(0.0))
    args.lr = args.lr / 2

# %% a method appends to a list of a captured object between the calls, in a function that nobody calls
import jax


class Ensemble:
    def __init__(self):
        self.members = []
        self.shown = {}

    def push(self, member):
        self.members.append(member)

    def show(self, name, value):
        self.shown[name] = value


def grown(stream):
    ensemble = Ensemble()

    def predict(x):
        return sum(x * member for member in ensemble.members)  #! JAX206

    predict = jax.jit(predict)
    out = []
    for x, member in stream:
        ensemble.push(member)
        out.append(predict(x))
    return out


def filled_before(stream, members):
    ensemble = Ensemble()
    for member in members:
        ensemble.push(member)
    predict = jax.jit(lambda x: sum(x * member for member in ensemble.members))
    return [predict(x) for x in stream]


def handed_over(stream):
    ensemble = Ensemble()
    predict = jax.jit(lambda x, members: sum(x * member for member in members))
    out = []
    for x, member in stream:
        ensemble.push(member)
        ensemble.show("last", member)
        out.append(predict(x, ensemble.members))
    return out

# %% ok: the compiled function is dropped where the attribute changes, or kept under a key that is made of it
import functools

import jax
import jax.numpy as jnp


class Simulator:
    def __init__(self, dt):
        self._dt = dt
        self._compiled = None

    @property
    def dt(self):
        return self._dt

    @dt.setter
    def dt(self, value):
        if value != self._dt:
            self._dt = value
            self._compiled = None

    def step(self, x):
        if self._compiled is None:
            self._compiled = jax.jit(lambda x: x + self._dt * jnp.cos(x))
        return self._compiled(x)


class Invalidated:
    def __init__(self, rate):
        self.rate = rate
        self._step = None

    def _invalidate(self):
        self._step = None

    def set(self, rate):
        self.rate = rate
        self._invalidate()

    def __call__(self, x):
        if self._step is None:
            self._step = jax.jit(lambda x: x * self.rate)
        return self._step(x)


class Deleted:
    def __init__(self, rate):
        self.rate = rate

    @functools.cached_property
    def scaled(self):
        return jax.jit(lambda x: x * self.rate)

    def set(self, rate):
        self.rate = rate
        if hasattr(self, "_step"):
            del self._step
        self.__dict__.pop("scaled", None)

    def __call__(self, x):
        if not hasattr(self, "_step"):
            self._step = jax.jit(lambda x: x + self.rate)
        return self._step(self.scaled(x))


class Cached:
    def __init__(self, rate):
        self.rate = rate
        self._cache = {}

    def step(self):
        key = ("step", self.rate)
        if key not in self._cache:
            self._cache[key] = jax.jit(lambda w: w - self.rate)
        return self._cache[key]


simulator, invalidated, deleted, cached = Simulator(0.1), Invalidated(0.1), Deleted(0.1), Cached(0.1)
for value in (0.1, 0.2, 0.3):
    simulator.dt = value
    invalidated.set(value)
    deleted.set(value)
    cached.rate = value
    print(simulator.step(1.0), invalidated(1.0), deleted(1.0), cached.step()(1.0))

# %% it is dropped for another attribute, in one case only, or kept under another key
import jax
import jax.numpy as jnp


class Simulator:
    def __init__(self, dt, rate):
        self.dt = dt
        self.rate = rate
        self._compiled = None

    def set(self, dt, rate):
        if rate != self.rate:
            self.rate = rate
            self._compiled = None
        self.dt = dt

    def step(self, x):
        if self._compiled is None:
            self._compiled = jax.jit(lambda x: x * self.rate + self.dt)  #! JAX206
        return self._compiled(x)


class Cached:
    def __init__(self, rate, name):
        self.rate = rate
        self.name = name
        self._cache = {}

    def step(self):
        if self.name not in self._cache:
            self._cache[self.name] = jax.jit(lambda w: w - self.rate)  #! JAX206
        return self._cache[self.name]


simulator, cached = Simulator(0.1, 1.0), Cached(0.1, "w")
for value in (0.1, 0.2, 0.3):
    simulator.set(value, 1.0)
    cached.rate = value
    print(simulator.step(1.0), cached.step()(1.0))

# %% ok: only the shape, the dtype or the structure of an attribute is read
import jax
import jax.numpy as jnp


class Particles:
    def __init__(self, count):
        self.x = jnp.zeros((count, 2))
        self.params = {"w": jnp.ones(2)}
        self.move = jax.jit(self._move)
        self.update = jax.jit(self._update)

    def _move(self, x):
        count, _ = self.x.shape
        assert isinstance(self.x, jax.Array)
        return (x + x.sum(0) / self.x.shape[0] / len(self.x) + jnp.zeros_like(self.x) * count).astype(self.x.dtype)

    def _update(self, gradients):
        total = jax.tree.map(jnp.zeros_like, self.params)
        leaves = jax.tree.leaves(gradients)
        return jax.tree.map(jnp.add, total, jax.tree.unflatten(jax.tree.structure(self.params), leaves))

    def run(self):
        for _ in range(3):
            self.x = self.move(self.x)
            gradients = self.update({"w": jnp.ones(2)})
            self.params = jax.tree.map(lambda p, g: p - 0.1 * g, self.params, gradients)
        return self.x, self.params


print(Particles(3).run())

# %% its values are read too, or a collection grows whose length is read
import jax
import jax.numpy as jnp


class Particles:
    def __init__(self, count):
        self.x = jnp.zeros((count, 2))
        self.names = []
        self.move = jax.jit(self._move)
        self.share = jax.jit(self._share)

    def _move(self, x):
        return x + self.x / self.x.shape[0] + 1.0  #! JAX206

    def _share(self, x):
        return x / (1 + len(self.names))  #! JAX206

    def run(self):
        for i in range(3):
            self.x = self.move(self.x)
            self.names.append(f"n{i}")
            print(self.share(1.0))
        return self.x


print(Particles(3).run())

# %% a copy of a frozen record replaces other fields than the one that is read
import dataclasses
from typing import NamedTuple

import jax
from flax import struct


@dataclasses.dataclass(frozen=True)
class Config:
    rate: float = 0.1
    epoch: int = 0


class Progress(NamedTuple):
    rate: float
    step: int = 0


@struct.dataclass
class State:
    step: int
    rate: float = struct.field(pytree_node=False, default=0.1)


class Trainer:
    def __init__(self):
        self.config = Config()
        self.progress = Progress(0.5)
        self.state = State(0)
        self.compiled = jax.jit(self.step)

    def step(self, weight):
        return weight - self.config.rate * weight * self.progress.rate - self.state.rate

    def advance(self):
        self.progress = self.progress._replace(step=self.progress.step + 1)
        self.state = self.state.replace(step=self.state.step + 1)

    def run(self):
        weight = 1.0
        for epoch in range(3):
            self.config = dataclasses.replace(self.config, epoch=epoch)
            weight = self.compiled(weight)
            self.advance()
        return weight


print(Trainer().run())

# %% a copy of a frozen record replaces the field that is read
import dataclasses
from typing import NamedTuple

import jax


@dataclasses.dataclass(frozen=True)
class Config:
    rate: float = 0.1
    epoch: int = 0


class Progress(NamedTuple):
    rate: float
    step: int = 0


class Trainer:
    def __init__(self):
        self.config = Config()
        self.progress = Progress(0.5)
        self.compiled = jax.jit(self.step)

    def step(self, weight):
        return weight - self.config.rate * weight * self.progress.rate  #! JAX206 JAX206

    def advance(self):
        self.progress = self.progress._replace(rate=0.9 * self.progress.rate)

    def run(self):
        weight = 1.0
        for epoch in range(3):
            self.config = dataclasses.replace(self.config, epoch=epoch, rate=0.1 / (epoch + 1))
            weight = self.compiled(weight)
            self.advance()
        return weight


print(Trainer().run())

# %% what an object has stands in for an argument that each compiled call is given
import functools

import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.params = {"w": jnp.zeros(2)}
        self.gradient = jax.jit(jax.grad(self.loss))

    def predict(self, x, params=None):
        params = self.params if params is None else params
        return x @ params["w"]  #! JAX712

    def loss(self, params, x):
        return jnp.mean((self.predict(x, params) - 1.0) ** 2)

    @functools.partial(jax.jit, static_argnums=0)
    def evaluate(self, params, x):
        return self.loss(params, x)

    def fit(self, x):
        for _ in range(3):
            gradients = self.gradient(self.params, x)
            self.params = jax.tree.map(lambda p, g: p - 0.1 * g, self.params, gradients)
            print(self.evaluate(self.params, x))


Model().fit(jnp.eye(2))

# %% what an object has is read beside an argument
import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.params = {"w": jnp.zeros(2)}
        self.scale = jnp.ones(())
        self.gradient = jax.jit(jax.grad(self.loss))

    def predict(self, x, params=None):
        params = self.params if params is None else params
        return self.scale * x @ params["w"]  #! JAX206 JAX712

    def loss(self, params, x):
        return jnp.mean((self.predict(x, params) - 1.0) ** 2)

    def fit(self, x):
        for _ in range(3):
            gradients = self.gradient(self.params, x)
            self.params = jax.tree.map(lambda p, g: p - 0.1 * g, self.params, gradients)
            self.scale = 0.5 * self.scale
            print(self.params)


Model().fit(jnp.eye(2))

# %% items of a NumPy array that an attribute holds are set after the trace
import jax
import jax.numpy as jnp
import numpy as np


class Pruned:
    def __init__(self):
        self.mask = np.ones(2)
        self.scales = np.ones(2)
        self.compiled = jax.jit(lambda x: x * self.mask)  #! JAX206

    def prune(self, number):
        self.mask[number] = 0.0


model = Pruned()
print(model.compiled(jnp.ones(2)))
model.prune(0)
print(model.compiled(jnp.ones(2)))

# %% items of a NumPy array are set before the trace, or it is read for its shape, or compiled anew
import jax
import jax.numpy as jnp
import numpy as np


class Pruned:
    def __init__(self):
        self.mask = np.ones(2)
        self.mask[0] = 0.5
        self.counts = np.zeros(2)
        self.history = np.zeros(3)
        self.compiled = jax.jit(lambda x: x * self.mask + jnp.zeros(self.history.shape[0]).sum())
        self.scaled = jax.jit(lambda x: x * self.counts)

    def record(self, number):
        self.history[number] = self.compiled(jnp.ones(2)).sum()

    def count(self, number):
        self.counts[number] += 1
        self.scaled = jax.jit(lambda x: x * self.counts)


model = Pruned()
for number in range(2):
    model.record(number)
    model.count(number)
    print(model.compiled(jnp.ones(2)), model.scaled(jnp.ones(2)))

# %% another attribute is updated leaf by leaf and written back
import jax


class Model:
    def __init__(self):
        self.beta = 0.0
        self.params = {"scale": 1.0, "shift": 0.5}

    def loss(self, params):
        return params["scale"] ** 2 + self.beta * params["shift"]  #! JAX206


def train(model, rate=0.1):
    value_and_grad = jax.jit(jax.value_and_grad(model.loss))
    params = model.params
    for step in range(3):
        model.beta = float(step)
        loss, grads = value_and_grad(params)
        params = jax.tree.map(lambda p, g: p - rate * g, params, grads)
        print(loss)
    model.params = params


train(Model())

# %% a context manager that changes an attribute and puts it back
import contextlib

import jax


class Settings:
    def __init__(self):
        self.scale = 1.0

    @contextlib.contextmanager
    def scaled(self, value):
        before = self.scale
        self.scale = value
        yield
        self.scale = before


settings = Settings()


@jax.jit
def apply(x):
    return settings.scale * x  #! JAX206


def main():
    print(apply(1.0))
    with settings.scaled(2.0):
        print(apply(1.0))


main()

# %% a method that the constructor calls gives attributes again what they had at first
from functools import partial

import jax
import jax.numpy as jnp


class Environment:
    def __init__(self, start):
        self.start = start
        self.reset()
        self.step = jax.jit(self._step)

    def reset(self):
        self.scale = 2.0
        self.shift = jnp.zeros((3,), dtype=jnp.float32)
        self.offset = self.start
        self.low, self.high = 0.0, 1.0

    def _step(self, x):
        return jnp.clip(x * self.scale + self.shift + self.offset, self.low, self.high)

    @partial(jax.jit, static_argnums=0)
    def observe(self, x):
        return x * self.scale + self.shift


environment = Environment(3.0)
print(environment.step(1.0), environment.observe(1.0))
environment.reset()
print(environment.step(1.0), environment.observe(1.0))

# %% the same, where another method has changed one of them, or the method gives another value
from functools import partial

import jax
import jax.numpy as jnp


class Environment:
    def __init__(self):
        self.count = 0
        self.reset()
        self.step = jax.jit(self._step)

    def reset(self):
        self.scale = 2.0
        self.count += 1
        self.shift = jnp.full((3,), self.count)

    def anneal(self):
        self.scale = 0.5

    def _step(self, x):
        return x * self.scale + self.shift  #! JAX206 JAX206


environment = Environment()
print(environment.step(1.0))
environment.anneal()
print(environment.step(1.0))
environment.reset()
print(environment.step(1.0))

# %% a function that is made anew at each call is a static argument: each call is traced
from functools import partial

import jax
import jax.numpy as jnp


class State:
    def __init__(self):
        self.temperature = 0.5


@partial(jax.jit, static_argnums=0)
def bisected(function, bounds):
    return function(bounds[0]) + function(bounds[1])


def advance(state, data):
    return bisected(lambda x: jnp.sum((x - state.temperature) * data), jnp.array([0.0, 1.0]))  #! JAX404


def advance_named(state, function):
    return bisected(function, jnp.array([0.0, 1.0]))


state, other = State(), State()
kept = lambda x: jnp.sum(x - other.temperature)  #! JAX206
for _ in range(3):
    state.temperature = advance(state, jnp.ones(2))
    other.temperature = advance_named(other, kept)

# %% a cached property keeps the compiled function, and methods that nobody calls change what it has read
from functools import cached_property

import jax
import jax.numpy as jnp


class Learner:
    def __init__(self):
        self.params = jnp.ones(3)
        self.schedule = {"scale": 1.0}

    @cached_property
    def _update(self):
        @jax.jit
        def step(params, data):
            grads = jax.grad(lambda p: jnp.sum((p - data) ** 2))(params)
            return params - self.schedule["scale"] * grads  #! JAX206

        return step

    def train_step(self, data):
        self.params = self._update(self.params, data)

    def validate(self, loss):
        self.schedule = {"scale": self.schedule["scale"] * 0.5}

# %% the same, where the property is computed anew, or what is read is handed over
from functools import cached_property

import jax
import jax.numpy as jnp


class Learner:
    def __init__(self):
        self.params = jnp.ones(3)
        self.schedule = {"scale": 1.0}

    @property
    def _update(self):
        schedule = self.schedule

        @jax.jit
        def step(params, data):
            grads = jax.grad(lambda p: jnp.sum((p - data) ** 2))(params)
            return params - schedule["scale"] * grads

        return step

    @cached_property
    def _scaled(self):
        @jax.jit
        def step(params, data, scale):
            grads = jax.grad(lambda p: jnp.sum((p - data) ** 2))(params)
            return params - scale * grads

        return step

    def validate(self, loss):
        self.schedule = {"scale": self.schedule["scale"] * 0.5}

    def train_step(self, data):
        self.params = self._scaled(self.params, data, self.schedule["scale"])

# %% a method of the object that is captured writes what is read, in a method that nobody calls yet
import jax
import jax.numpy as jnp


class Approximator:
    def __init__(self, n, actions):
        self.table = jnp.zeros((n, actions))
        self.seen = 0

    def q_all(self, state):
        return self.table[state]  #! JAX206

    def update(self, state, action, value):
        self.table = self.table.at[state, action].set(value)

    def count(self):
        self.seen += 1


class Agent:
    def __init__(self, n, actions):
        self.values = Approximator(n, actions)
        self.q_all = jax.jit(jax.vmap(self.values.q_all))

    def learn(self, states, actions):
        q = self.q_all(states)
        for state, action, value in zip(states, actions, q.max(-1)):
            self.values.update(state, action, value + 1.0)
        return q

# %% the method writes another object, writes what is not read, or what is read is handed over or compiled anew
import jax
import jax.numpy as jnp


class Approximator:
    def __init__(self, n, actions):
        self.table = jnp.zeros((n, actions))
        self.seen = 0

    def q_all(self, state):
        return self.table[state]

    def update(self, state, action, value):
        self.table = self.table.at[state, action].set(value)

    def count(self):
        self.seen += 1


class Agent:
    def __init__(self, n, actions):
        self.target = Approximator(n, actions)
        self.online = Approximator(n, actions)
        self.q_all = jax.jit(jax.vmap(self.target.q_all))

    def learn(self, states, actions):
        q = self.q_all(states)
        for state, action, value in zip(states, actions, q.max(-1)):
            self.online.update(state, action, value + 1.0)
            self.target.count()
        return q


class Renewed:
    def __init__(self, n, actions):
        self.values = Approximator(n, actions)
        self.q_all = jax.jit(jax.vmap(self.values.q_all))

    def learn(self, states, action, value):
        q = self.q_all(states)
        self.values.update(states[0], action, value)
        self.q_all = jax.jit(jax.vmap(self.values.q_all))
        return q


class Prepared:
    def __init__(self, values):
        self.values = values
        self.q_all = jax.jit(jax.vmap(self.values.q_all))

    def setup(self, action, value):
        self.values.update(0, action, value)

    def train(self, states, action, value):
        self.setup(action, value)
        return self.q_all(states)


class Handed:
    def __init__(self, n, actions):
        self.values = Approximator(n, actions)
        self.q_all = jax.jit(lambda table, states: table[states])

    def learn(self, states, action, value):
        q = self.q_all(self.values.table, states)
        self.values.update(states[0], action, value)
        return q


agent = Agent(4, 2)
states, actions = jnp.array([0, 1]), jnp.array([1, 0])
print(agent.learn(states, actions), agent.learn(states, actions))
renewed = Renewed(4, 2)
print(renewed.learn(states, 1, 2.0), renewed.learn(states, 1, 3.0))
prepared = Prepared(Approximator(4, 2))
print(prepared.train(states, 1, 2.0))
handed = Handed(4, 2)
print(handed.learn(states, 1, 2.0), handed.learn(states, 1, 3.0))

# %% attributes whose setting drops or makes anew what was compiled: a descriptor, `__setattr__`
import jax
import jax.numpy as jnp


class Watched:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        return getattr(instance, self.name)

    def __set__(self, instance, value):
        setattr(instance, self.name, value)
        instance._drop()


class Filter:
    gain = Watched()

    def __init__(self, gain):
        self._compiled = None
        self.gain = gain
        self.bias = 0.0

    def _drop(self):
        self._compiled = None

    def __call__(self, x):
        if self._compiled is None:
            self._compiled = jax.jit(self._apply)
        return self._compiled(x)

    def _apply(self, x):
        y = x * self.gain
        return y + self.bias  #! JAX206


class Affine:
    def __init__(self, a):
        self.a = a

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        if not name.startswith("_"):
            self._compiled = jax.jit(self._apply)

    def _apply(self, x):
        return x * self.a

    def __call__(self, x):
        return self._compiled(x)


f = Filter(1.0)
print(f(jnp.ones(())))
f.gain = 2.0
print(f(jnp.ones(())))
f.bias = 5.0
print(f(jnp.ones(())))
affine = Affine(1.0)
print(affine(jnp.ones(())))
affine.a = 5.0
print(affine(jnp.ones(())))

# %% compiled anew where a flag says so, or for another value, or kept under a key that a method makes
import jax
import jax.numpy as jnp


class Dirty:
    def __init__(self):
        self.gain, self._dirty, self._compiled = 1.0, True, None

    def _apply(self, x):
        return x * self.gain

    def set_gain(self, gain):
        self.gain, self._dirty = gain, True

    def __call__(self, x):
        if self._dirty:
            self._compiled, self._dirty = jax.jit(self._apply), False
        return self._compiled(x)


class Forgetful:
    def __init__(self):
        self.gain, self._dirty, self._compiled = 1.0, True, None

    def _apply(self, x):
        return x * self.gain  #! JAX206

    def set_gain(self, gain):
        self.gain = gain

    def __call__(self, x):
        if self._dirty:
            self._compiled, self._dirty = jax.jit(self._apply), False
        return self._compiled(x)


class MadeFor:
    def __init__(self):
        self.gain, self._made_for, self._compiled = 1.0, None, None

    def _apply(self, x):
        return x * self.gain

    def set_gain(self, gain):
        self.gain = gain

    def _build(self):
        self._compiled, self._made_for = jax.jit(self._apply), self.gain

    def __call__(self, x):
        if self._made_for != self.gain:
            self._build()
        return self._compiled(x)


class Keyed:
    def __init__(self):
        self.gain, self.bias = 1.0, 0.0
        self._cache = {}

    def settings(self):
        return self.gain, self.bias

    def set_gain(self, gain):
        self.gain = gain

    def __call__(self, x):
        key = self.settings()
        if key not in self._cache:
            self._cache[key] = jax.jit(lambda x: self.gain * x + self.bias)
        return self._cache[key](x)


class Partly:
    def __init__(self):
        self.gain, self.bias = 1.0, 0.0
        self._cache = {}

    def settings(self):
        return (self.bias,)

    def set_gain(self, gain):
        self.gain = gain

    def __call__(self, x):
        key = self.settings()
        if key not in self._cache:
            self._cache[key] = jax.jit(self._apply)
        return self._cache[key](x)

    def _apply(self, x):
        return self.gain * x + self.bias  #! JAX206


class Versioned:
    def __init__(self):
        self.gain, self.version = 1.0, 0
        self._compiled = jax.jit(self._apply, static_argnums=1)

    def _apply(self, x, version):
        return x * self.gain

    def set_gain(self, gain):
        self.gain = gain
        self.version += 1

    def __call__(self, x):
        return self._compiled(x, self.version)


for kind in (Dirty, Forgetful, MadeFor, Keyed, Partly, Versioned):
    model = kind()
    print(model(jnp.ones(())))
    model.set_gain(3.0)
    print(model(jnp.ones(())))

# %% what is set beside an attribute makes nothing anew: a number that is logged, a flag that says it is there
import jax
import jax.numpy as jnp


class Logged:
    def __init__(self):
        self.gain, self.count = 1.0, 0
        self._compiled = jax.jit(self._apply)

    def _apply(self, x):
        return x * self.gain  #! JAX206

    def set_gain(self, gain):
        self.gain = gain
        self.count += 1

    def __call__(self, x):
        print(self.count)
        return self._compiled(x)


class Ready:
    def __init__(self):
        self.gain, self._ready, self._compiled = 1.0, False, None

    def _apply(self, x):
        return x * self.gain  #! JAX206

    def set_gain(self, gain):
        self.gain, self._ready = gain, True

    def __call__(self, x):
        if not self._ready:
            self._compiled, self._ready = jax.jit(self._apply), True
        return self._compiled(x)


for kind in (Logged, Ready):
    model = kind()
    print(model(jnp.ones(())))
    model.set_gain(3.0)
    print(model(jnp.ones(())))

# %% a NumPy table of the object that methods and functions change in place
import jax
import numpy as np


class Filter:
    def __init__(self):
        self.taps, self.rates = np.zeros(3), np.ones(3)
        self.apply = jax.jit(self._apply)
        self.scale = jax.jit(lambda x: x * self.rates[0])  #! JAX206

    def _apply(self, x):
        return x + self.taps.sum()  #! JAX206

    def reset(self, tap):
        self.taps.fill(tap)

    def slow_down(self):
        np.multiply(self.rates, 0.5, out=self.rates)


filter = Filter()
before = float(filter.apply(1.0)), float(filter.scale(1.0))
filter.reset(5.0)
filter.slow_down()
assert before == (float(filter.apply(1.0)), float(filter.scale(1.0)))

# %% tables that are passed, copied, or filled by the constructor
import jax
import numpy as np


class Filter:
    def __init__(self):
        self.taps, self.rates, self.sizes = np.zeros(3), np.ones(3), np.ones(3)
        self.taps.fill(2.0)
        self.apply = jax.jit(self._apply)
        self._scale = jax.jit(lambda rates, x: x * rates[0] + np.zeros(self.sizes.shape))

    def _apply(self, x):
        return x + self.taps.sum()

    def scale(self, x):
        return self._scale(self.rates, x)

    def slow_down(self):
        np.multiply(self.rates, 0.5, out=self.rates)
        np.multiply(self.taps, 0.5, out=self.sizes)
        self.taps.copy().fill(0.0)


filter = Filter()
filter.apply(1.0), filter.scale(1.0)
filter.slow_down()
filter.apply(1.0), filter.scale(1.0)

# %% an object in an attribute is replaced by a new one, by a method or by a caller, once or in a loop
import dataclasses

import jax


class Policy:
    def __init__(self, w):
        self.w = w

    def act(self, x):
        return self.w * x

    def __call__(self, x):
        return self.w * x


def run(policy, x):
    return policy.act(x)


class ByMethod:
    def __init__(self):
        self.policy = Policy(1.0)
        self.step = jax.jit(self._step)

    def _step(self, x):
        return self.policy.act(x)  #! JAX206

    def improve(self):
        self.policy = Policy(self.policy.w + 1.0)


class ByField:
    def __init__(self):
        self.policy = Policy(1.0)
        self.step = jax.jit(lambda x: self.policy.w * x)  #! JAX206

    def improve(self):
        self.policy = Policy(self.policy.w + 1.0)


class ByCall:
    def __init__(self):
        self.policy = None
        self.step = jax.jit(lambda x: self.policy(x))  #! JAX206

    def improve(self):
        self.policy = Policy(3.0)


class HandedOn:
    def __init__(self):
        self.policy = Policy(1.0)
        self.step = jax.jit(self._step)

    def _step(self, x):
        return run(self.policy, x)  #! JAX206

    def improve(self):
        self.policy = Policy(5.0)


@dataclasses.dataclass
class Config:
    scale: float


class Model:
    def __init__(self, cfg):
        self.cfg = cfg
        self.fwd = jax.jit(lambda x: self.cfg.scale * x)  #! JAX206


for cls in (ByMethod, ByField, ByCall, HandedOn):
    agent = cls()
    agent.policy = Policy(1.0)
    before = agent.step(2.0)
    agent.improve()
    assert agent.step(2.0) == before

one = ByMethod()
one.step(2.0)
one.improve()
one.step(2.0)
two = ByField()
two.step(2.0)
two.improve()
two.step(2.0)
three = ByCall()
three.policy = Policy(1.0)
three.step(2.0)
three.improve()
three.step(2.0)
four = HandedOn()
four.step(2.0)
four.improve()
four.step(2.0)
model = Model(Config(1.0))
for scale in (1.0, 2.0, 3.0):
    model.cfg = Config(scale)
    assert model.fwd(2.0) == 2.0

# %% ... where it is compiled anew, is another's, is given as an argument, or has what the first one had
import jax


class Policy:
    def __init__(self, w):
        self.w = w

    def act(self, x):
        return self.w * x


class Rebuilt:
    def __init__(self):
        self.use(1.0)

    def use(self, w):
        self.policy = Policy(w)
        self.step = jax.jit(self._step)

    def _step(self, x):
        return self.policy.act(x)


class Agent:
    def __init__(self, w):
        self.policy = Policy(w)
        self.step = jax.jit(self._step)

    def _step(self, x):
        return self.policy.act(x)


class Lazy:
    def __init__(self):
        self.policy = None
        self.step = jax.jit(lambda x: self.policy.act(x))

    def prepare(self):
        if self.policy is None:
            self.policy = Policy(1.0)


class Handed:
    def __init__(self):
        self.policy = Policy(1.0)
        self.step = jax.jit(lambda w, x: w * x)

    def run(self, x):
        return self.step(self.policy.w, x)


class Same:
    def __init__(self):
        self.policy = Policy(1.0)
        self.step = jax.jit(lambda x: self.policy.w * x)


class Put:
    def __init__(self):
        self.policy = Policy(1.0)
        self.step = jax.jit(lambda x: self.policy.w * x)

    def evaluate(self, x):
        old = self.policy
        self.policy = Policy(2.0)
        y = self.policy.act(x)
        self.policy = old
        return y


rebuilt = Rebuilt()
before = rebuilt.step(2.0)
rebuilt.use(2.0)
assert rebuilt.step(2.0) != before
for w in (1.0, 2.0):
    agent = Agent(w)
    assert agent.step(1.0) == agent.step(1.0) == w
lazy = Lazy()
for _ in range(2):
    lazy.prepare()
    lazy.step(1.0)
handed = Handed()
handed.run(1.0)
handed.policy = Policy(2.0)
assert handed.run(1.0) == 2.0
same = Same()
same.step(2.0)
same.policy = Policy(1.0)
same.step(2.0)
put = Put()
put.step(1.0)
assert put.evaluate(1.0) == 2.0 and put.step(1.0) == 1.0

# %% a context manager has a method compile again when it is entered and when it is left
import contextlib

import jax


class Gain:
    def __init__(self, k):
        self.k = k
        self._build()

    def _build(self):
        self.apply = jax.jit(lambda x: x * self.k)

    @contextlib.contextmanager
    def using(self, k):
        old, self.k = self.k, k
        self._build()
        try:
            yield
        finally:
            self.k = old
            self._build()


gain = Gain(1.0)
outs = [gain.apply(1.0)]
with gain.using(2.0):
    outs.append(gain.apply(1.0))
outs.append(gain.apply(1.0))
assert outs == [1.0, 2.0, 1.0]
for k in (3.0, 4.0):
    with gain.using(k):
        outs.append(gain.apply(1.0))
    outs.append(gain.apply(1.0))
assert outs[3:] == [3.0, 1.0, 4.0, 1.0]

# %% ... and when it is entered only
import contextlib

import jax


class Gain:
    def __init__(self, k):
        self.k = k
        self._build()

    def _build(self):
        self.apply = jax.jit(lambda x: x * self.k)  #! JAX206

    @contextlib.contextmanager
    def using(self, k):
        old, self.k = self.k, k
        self._build()
        try:
            yield
        finally:
            self.k = old


gain = Gain(1.0)
outs = [gain.apply(1.0)]
with gain.using(2.0):
    outs.append(gain.apply(1.0))
outs.append(gain.apply(1.0))
assert outs == [1.0, 2.0, 2.0]

# %% the loop calls a function that calls the compiled method and then what writes
import jax
import jax.numpy as jnp


class Agent:
    def __init__(self):
        self.params = jnp.ones(2)
        self._act = jax.jit(lambda obs: obs * self.params)  #! JAX206

    def act(self, obs):
        return self._act(obs)

    def learn(self, grad):
        self.params = self.params - 0.1 * grad


def episode(agent):
    action = agent.act(jnp.ones(2))
    agent.learn(jnp.ones(2))
    return action


agent = Agent()
for _ in range(3):
    print(episode(agent))

# %% one class, a comprehension, two functions between
import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.scale = jnp.float32(1.0)
        self.apply = jax.jit(lambda x: self.scale * x)  #! JAX206

    def step(self, x):
        y = self.apply(x)
        self.scale = self.scale * 0.5
        return y

    def inner(self, x):
        return self.step(x)

    def outer(self, x):
        return self.inner(x)


model = Model()
print([model.outer(jnp.ones(2)) for _ in range(3)])

# %% the object is made anew by what the loop calls, or is passed; what is written is put back
import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.scale = jnp.float32(1.0)
        self.gain = 1.0
        self.apply = jax.jit(lambda x: self.scale * x)
        self.passed = jax.jit(lambda scale, x: scale * x)
        self.louder = jax.jit(lambda x: self.gain * x)

    def step(self, x):
        y = self.apply(x)
        self.scale = self.scale * 0.5
        return y

    def pass_on(self, x):
        y = self.passed(self.scale, x)
        self.scale = self.scale * 0.5
        return y

    def loud(self, x):
        self.gain = 2.0
        y = self.louder(x)
        self.gain = 1.0
        return y

    def outer(self, x):
        return self.loud(x)


def once(x):
    model = Model()
    return model.step(x)


def outer(x):
    return once(x)


def both(model, x):
    return model.pass_on(x)


model = Model()
other = Model()
for _ in range(3):
    print(outer(jnp.ones(2)))
    print(both(model, jnp.ones(2)))
    print(other.outer(jnp.ones(2)))
    print(other.loud(jnp.ones(2)))

# %% what is set for a call and put back is not what a call without that sees
import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.gain = 1.0
        self.apply = jax.jit(lambda x: self.gain * x)  #! JAX206

    def loud(self, x):
        self.gain = 2.0
        y = self.apply(x)
        self.gain = 1.0
        return y


model = Model()
loud = model.loud(jnp.ones(2))
assert (loud == model.apply(jnp.ones(2))).all()

# %% a subclass rebinds the compiled attribute; another object has the learner and calls its inherited method
import jax
import jax.numpy as jnp


class Learner:
    def learn(self, x):
        raise NotImplementedError


class Plain(Learner):
    def __init__(self, seed):
        self.key = jax.random.key(seed)

        def update(x):
            key = jax.random.split(self.key, 1)[0]  #! JAX206
            return x + jax.random.normal(key), key

        self.update = jax.jit(update)

    def learn(self, x):
        for _ in range(2):
            x, self.key = self.update(x)
        return x


class Careful(Plain):
    def __init__(self, seed):
        super().__init__(seed)

        def update(x):
            key = jax.random.split(self.key, 1)[0]  #! JAX206
            return x - jax.random.normal(key), key

        self.update = jax.jit(update)


class Agent:
    def __init__(self, learner):
        self._learner = learner

    @property
    def learner(self):
        return self._learner

    def learn(self, x):
        return self.learner.learn(x)


agent = Agent(Careful(0))
for _ in range(3):
    print(agent.learn(jnp.ones(2)))

# %% what a method with a static self reads is said once, also where another compiled function reads it by a call
from functools import partial

import jax


class Inner:
    def __init__(self, scale):
        self.scale = scale

    def set(self, scale):
        self.scale = scale

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return x * self.scale  #! JAX401


inner = Inner(1.0)


@jax.jit
def outer(x):
    return inner(x) + 1.0


print(inner(1.0), outer(1.0))
inner.set(3.0)
print(inner(1.0), outer(1.0))

# %% a container that an attribute holds is changed in place, and elsewhere the attribute is set to what is not known
import os
import pickle

import jax
import jax.numpy as jnp


class Learner:
    def __init__(self):
        self.buffer = {"mean": jnp.zeros(())}
        self.items = {"mean": jnp.zeros(())}
        self.history = [jnp.zeros(())]
        self.step = jax.jit(self.forward)

    def forward(self, x):
        last = self.history[-1]  #! JAX206
        return x - self.buffer["mean"] - self.items["mean"] - last  #! JAX206 JAX206

    def load(self, checkpoint):
        self.buffer = checkpoint["buffer"]
        self.items = checkpoint["items"]
        self.history = checkpoint["history"]

    def update(self, x):
        y = self.step(x)
        self.buffer.update({"mean": 0.5 * y})
        self.items["mean"] = 0.5 * y
        self.history.append(y)
        return y


learner = Learner()
if "NO_SUCH_CHECKPOINT" in os.environ:
    with open(os.environ["NO_SUCH_CHECKPOINT"], "rb") as file:
        learner.load(pickle.load(file))
assert [float(learner.update(jnp.ones(()))) for _ in range(3)] == [1.0, 1.0, 1.0]

# %% attributes of functions, of what transforms made of them, and of functions that only hold values
import functools

import jax
import jax.numpy as jnp


def loss(x):
    return loss.w * jnp.sum(x**2)  #! JAX206


@jax.jit
def step(x):
    return step.w * x  #! JAX206


def config():
    pass


@jax.jit
def scaled(x):
    return x * config.scale * config.table["a"] * getattr(config, "shift")  #! JAX206


@functools.partial(jax.jit, static_argnames="func")
def evaluate(func, x):
    return func(x)


def create(weight):
    def inner(x):
        return x * inner.w  #! JAX206

    inner.w = weight
    return inner


loss.w = 1.0
step.w = 1.0
config.scale = 1.0
config.table = {"a": 1.0}
config.shift = 1.0
jitted = jax.jit(loss)
inner = create(1.0)
for i in range(3):
    print(jitted(jnp.ones(3)), step(1.0), scaled(1.0), evaluate(inner, 1.0))
    loss.w = 0.5
    setattr(step, "w", 0.5)
    config.scale *= 0.5
    inner.w = inner.w * 0.5

# %% ... in a list or a dict that such an attribute holds
import jax


def config():
    pass


@jax.jit
def scaled(x):
    return x * config.table["a"]  #! JAX206


config.table = {"a": 1.0}
print(scaled(1.0))
config.table["a"] = 0.5
print(scaled(1.0))

# %% ... but functions that are made anew, and attributes that are set before, or once, or passed
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames="func")
def evaluate(func, x):
    return func(x)


def create(weight):
    def inner(x):
        return x * inner.w

    inner.w = weight
    return inner


for w in (1.0, 0.5):
    made = create(w)
    made.w = w + 1.0
    print(evaluate(made, 1.0), evaluate(made, 2.0))


def loss(x):
    return loss.w * jnp.sum(x**2)


loss.w = 1.0
loss.w = 2.0
jitted = jax.jit(loss)
print(jitted(jnp.ones(3)), jitted(jnp.ones(3)))


def table():
    if not hasattr(table, "cache"):
        table.cache = jnp.arange(3.0)
    return table.cache


table()
step = jax.jit(lambda x: x + table())
print(step(1.0), table(), step(2.0))


def passed(x, w):
    return x * w


passed.w = 1.0
through = jax.jit(passed)
for i in range(3):
    print(through(1.0, passed.w))
    passed.w *= 0.5
    passed.__doc__ = "half"

# %% but what only looks at it changes nothing, nor what is put there before the trace, nor what is no container
import os
import pickle

import jax
import jax.numpy as jnp


class Learner:
    def __init__(self, bar):
        self.buffer = {"mean": jnp.zeros(())}
        self.bar = bar
        self.step = jax.jit(self.forward)

    def forward(self, x):
        return x - self.buffer["mean"] - self.bar.n

    def load(self, checkpoint, bar):
        self.buffer = checkpoint["buffer"]
        self.bar = pickle.loads(bar)

    def update(self, x):
        y = self.step(x)
        seen = list(self.buffer.items()), self.buffer.get("mean"), self.buffer.copy(), self.buffer.keys()
        self.bar.update(0)
        return y, seen


class Bar:
    n = 1

    def update(self, count):
        return self


learner = Learner(Bar())
if "NO_SUCH_CHECKPOINT" in os.environ:
    with open(os.environ["NO_SUCH_CHECKPOINT"], "rb") as file:
        learner.load(pickle.load(file), b"")
learner.buffer.update({"mean": jnp.ones(())})
for _ in range(3):
    learner.update(jnp.ones(()))

# %% ... and those that `jax.jit` has copied: each has its own
import jax
import jax.numpy as jnp


def loss(x):
    return loss.w * jnp.sum(x**2)


loss.w = 1.0
one, other = jax.jit(loss), jax.jit(loss)
one.w = 3.0
print(one(jnp.ones(3)), one.w, other.w)
one.w = 2.0
other.w = 1.0
print(one(jnp.ones(3)), other(jnp.ones(3)), one.w)

# %% what an attribute holds is not known, and its items are changed in place
import json

import jax


class Learner:
    def __init__(self):
        self.buffer = {"mean": 0.0, "count": 1.0}
        self.table = {"a": 1.0}
        self.step = jax.jit(self.forward)

    def forward(self, x):
        old = self.buffer["mean"]  #! JAX206
        return x - old * self.table["a"]  #! JAX206

    def load(self, text):
        self.buffer = json.loads(text)
        self.table = json.loads(text)

    def run(self, x, new):
        y = self.step(x)
        self.buffer.update(new)
        held = self.table
        held["a"] = x
        return y


learner = Learner()
for _ in range(3):
    print(learner.run(1.0, {"mean": 0.5}))

# %% ... by methods that take something out, or all of it
import jax


class Learner:
    def __init__(self, queue, table):
        self.queue = queue
        self.table = table
        self.step = jax.jit(lambda x: x + self.queue[0] + self.table["a"])  #! JAX206

    def run(self, x):
        y = self.step(x)
        self.queue.clear()
        self.queue.extend([x, x])
        self.table.update(a=x)
        return y


def main(queue, table):
    learner = Learner(queue, table)
    for _ in range(3):
        print(learner.run(1.0))


main([1.0, 2.0], {"a": 1.0})

# %% ... but other items, in the constructor, where a test has shown that they are not there, in what is given back
import json

import jax


class Learner:
    def __init__(self, text):
        self.buffer = json.loads(text)
        self.buffer.update(mean=1.0)
        self.buffer["std"] = 1.0
        self.step = jax.jit(lambda x: x + self.buffer["mean"] + self.buffer["std"])
        self.once = jax.jit(lambda x: x + self.buffer["cached"])

    def run(self, x):
        y = self.step(x)
        self.buffer.update(count=x)
        self.buffer["count"] += x
        self.buffer.pop("count")
        self.buffer.setdefault("mean", x)
        found = self.buffer.get("mean")
        if "cached" not in self.buffer:
            self.buffer["cached"] = 2.0
        return y + found + self.once(x)


learner = Learner("{}")
for _ in range(3):
    print(learner.run(1.0))

# %% ... or it is passed, or what reads it is compiled anew
import json

import jax


class Learner:
    def __init__(self, text):
        self.buffer = json.loads(text)
        self.step = jax.jit(lambda buffer, x: x + buffer["mean"])
        self.compile()

    def compile(self):
        self.other = jax.jit(lambda x: x + self.buffer["mean"])

    def run(self, x):
        y = self.step(self.buffer, x) + self.other(x)
        self.buffer.update(mean=x)
        self.compile()
        return y


learner = Learner('{"mean": 1.0}')
for _ in range(3):
    print(learner.run(1.0))

# %% ... as a whole, where it is a container in some place
import json

import jax


class Learner:
    def __init__(self):
        self._buffer = {"mean": 0.0}
        self.table = {"mean": 0.0}
        self.step = jax.jit(lambda x: x - sum(self.buffer.values()) - sum(self.table.values()))

    @property
    def buffer(self):
        return self._buffer  #! JAX206

    def load(self, text):
        self._buffer = json.loads(text)
        self.table = json.loads(text)
        self.table.update(mean=1.0)

    def run(self, x, new):
        y = self.step(x)
        self._buffer.update(new)
        return y


learner = Learner()
learner.load('{"mean": 1.0}')
for _ in range(3):
    print(learner.run(1.0, {"mean": 0.5}))

# %% a table that is made where it is not there yet, and a switch that another method turns
import jax
import jax.numpy as jnp


class Table:
    def __init__(self, n):
        self.n = n
        self.ready = False
        self.look = jax.jit(self._look)

    def _prepare(self):
        self.rows = [float(k) for k in range(self.n)]
        self.ready = True

    def _look(self, i):
        if not self.ready:
            self._prepare()
        return jnp.asarray(self.rows)[i]

    def first(self):
        if not self.ready:
            self._prepare()
        return self.rows[0]


class Scaled:
    def __init__(self):
        self.on = False
        self.apply = jax.jit(self._apply)

    def _apply(self, x):
        if not self.on:  #! JAX206
            return x
        return 2 * x

    def turn_on(self):
        if not self.on:
            self.on = True


table = Table(3)
print(table.look(1), table.first(), table.look(2))
scaled = Scaled()
before = scaled.apply(1)
scaled.turn_on()
assert before == scaled.apply(1)

# %% what a generator changes between its items, which a compiled function reads
from types import SimpleNamespace

import jax

setting = SimpleNamespace(beta=0.1)
scaled = jax.jit(lambda x: x * setting.beta)  #! JAX206


def stages(n):
    for i in range(n):
        yield i
        setting.beta *= 2


seen = [float(scaled(1.0)) for _ in stages(3)]
assert len(set(seen)) == 1

# %% ... by `__iter__` or `__next__` of an object
from types import SimpleNamespace

import jax

setting = SimpleNamespace(beta=0.1, rate=1.0)
scaled = jax.jit(lambda x: x * setting.beta)  #! JAX206
rated = jax.jit(lambda x: x * setting.rate)  #! JAX206


class Stages:
    def __iter__(self):
        for i in range(3):
            if i:
                setting.beta *= 2
            yield i


class Steps:
    def __init__(self):
        self.left = 3

    def __iter__(self):
        return self

    def __next__(self):
        if not self.left:
            raise StopIteration
        self.left -= 1
        setting.rate *= 2
        return self.left


seen = []
for _ in Stages():
    seen.append(float(scaled(1.0)))
for _ in Steps():
    seen.append(float(rated(1.0)))
assert len(set(seen)) == 2

# %% ... by a generator that is a method, counted by `enumerate`, and held by a variable
import jax


class Trainer:
    def __init__(self):
        self.beta = 0.1
        self.step = jax.jit(lambda x: x * self.beta)  #! JAX206

    def epochs(self, n):
        for i in range(n):
            yield i
            self.advance()

    def advance(self):
        self.beta *= 2

    def run(self):
        return [float(self.step(1.0)) for _, _ in enumerate(self.epochs(3))]

    def run_held(self):
        seen = []
        epochs = self.epochs(3)
        for _ in epochs:
            seen.append(float(self.step(1.0)))
        return seen


assert len(set(Trainer().run())) == 1
Trainer().run_held()

# %% what a generator changes before its first item, or only once, or what is compiled anew in each turn
from types import SimpleNamespace

import jax

setting = SimpleNamespace(beta=0.1, rate=1.0)


def prepared(n):
    setting.beta = 0.2
    for i in range(n):
        yield i
    setting.beta = 0.3


def listed(n):
    found = []
    for i in range(n):
        setting.rate *= 2
        found.append(i)
    return found


def stages(n):
    for i in range(n):
        yield i
        setting.beta *= 2


def with_beta(n):
    scaled = jax.jit(lambda x: x * setting.beta)
    return [float(scaled(1.0)) for _ in prepared(n)]


def with_rate(n):
    rated = jax.jit(lambda x: x * setting.rate)
    return [float(rated(1.0)) for _ in listed(n)]


def anew(n):
    found = []
    for _ in stages(n):
        scaled = jax.jit(lambda x: x * setting.beta)  #! JAX403
        found.append(float(scaled(1.0)))
    return found


def all_first(n):
    scaled = jax.jit(lambda x: x * setting.beta)
    return [float(scaled(1.0)) for _ in list(stages(n))]


assert len(set(with_beta(3))) == 1 and len(set(with_rate(3))) == 1 and len(set(all_first(3))) == 1
assert len(set(anew(3))) == 3

# %% norun a script's main that nothing in the project calls is run all the same
import jax


class Agent:
    def __init__(self):
        self.eps = 1.0
        self.mix = jax.jit(lambda q: q * self.eps)  #! JAX206


def main(turns: int = 2):
    agent = Agent()
    for _ in range(turns):
        agent.mix(1.0)
        agent.eps *= 0.5

# %% norun a main that needs arguments is not run
import jax


class Agent:
    def __init__(self, eps):
        self.eps = eps
        self.mix = jax.jit(lambda q: q * self.eps)


def main(agent):
    agent.mix(1.0)

# %% what is written in the first turn of a loop alone, before the first call
import itertools

import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.jitted = jax.jit(self._apply)

    def init(self, scale):
        self.scale = jnp.zeros(1) + scale

    def _apply(self, x):
        return x * self.scale


model = Model()
step = 0
while step < 10:
    if step == 0:
        model.init(2.0)
    model.jitted(jnp.ones(3))
    step += 1


def by_range(x):
    model = Model()
    for step in range(1, 10):
        if step <= 1 and x is not None:
            model.init(x)
        model.jitted(x)


def by_count(x):
    model = Model()
    for step in itertools.count():
        if not step:
            model.init(x)
        model.jitted(x)
        if step > 3:
            break


def by_number(batches):
    model = Model()
    for step, batch in enumerate(batches):
        if step > 0:
            model.jitted(batch)
        else:
            model.init(batch)


def by_flag(batches):
    model, is_made = Model(), False
    for batch in batches:
        if not is_made:
            model.init(batch)
            is_made = True
        model.jitted(batch)


def in_each_turn(batches):
    for epoch in range(3):
        model = Model()
        for step, batch in enumerate(batches):
            if step == 0:
                model.init(batch)
            model.jitted(batch)


for run in (by_range, by_count):
    run(jnp.ones(3))
for run in (by_number, by_flag, in_each_turn):
    run(jnp.ones((3, 3)))

# %% ... but not in a later turn
import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.jitted = jax.jit(self._apply)
        self.scale = jnp.ones(1)

    def init(self, scale):
        self.scale = jnp.zeros(1) + scale

    def _apply(self, x):
        return x * self.scale  #! JAX206


def later(x):
    model = Model()
    for step in range(10):
        if step == 5:
            model.init(x)
        model.jitted(x)


later(jnp.ones(3))

# %% ... behind the call
import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.jitted = jax.jit(self._apply)
        self.scale = jnp.ones(1)

    def init(self, scale):
        self.scale = jnp.zeros(1) + scale

    def _apply(self, x):
        return x * self.scale  #! JAX206


model = Model()
for step in range(10):
    model.jitted(jnp.ones(3))
    if step == 0:
        model.init(2.0)

# %% ... of a loop that is run again
import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.jitted = jax.jit(self._apply)

    def init(self, scale):
        self.scale = jnp.zeros(1) + scale

    def _apply(self, x):
        return x * self.scale  #! JAX206


model = Model()
for epoch in range(3):
    for step in range(10):
        if step == 0:
            model.init(epoch)
        model.jitted(jnp.ones(3))

# %% ... and where the number begins again
import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.jitted = jax.jit(self._apply)
        self.scale = jnp.ones(1)

    def init(self, scale):
        self.scale = jnp.zeros(1) + scale

    def _apply(self, x):
        return x * self.scale  #! JAX206


def again(x):
    model, step = Model(), 0
    while True:
        if step == 0:
            model.init(x)
        model.jitted(x)
        step += 1
        if step == 3:
            step = 0
            x = x + 1
        if x[0] > 3:
            break


again(jnp.ones(3))

# %% types.MethodType, and `__get__` of a function, make a method that sees its object
import types

import jax


def plan(self, x):
    return x * self.k  #! JAX206


class Controller:
    def __init__(self, k):
        self.k = k
        self.cost = jax.jit(types.MethodType(plan, self))


class Typed:
    def __init__(self, k):
        self.k = k
        self.plan = plan.__get__(self, type(self))
        self.cost = jax.jit(self.plan)


class Other:
    def __init__(self, k):
        self.k = k
        self.cost = jax.jit(types.MethodType(lambda self, x: x * self.k, self))  #! JAX206


c = Controller(2)
before = c.cost(1)
c.k = 5
assert c.cost(1) == before == 2
d = Typed(2)
before = d.cost(1)
d.k = 5
assert d.cost(1) == before == 2
e = Other(2)
before = e.cost(1)
e.k = 5
assert e.cost(1) == before == 2

# %% ... which is fine where it is not compiled, or made again, and `__get__` for no object gives the function
import types

import jax


def plan(self, x):
    return x * self.k


class Plain:
    def __init__(self, k):
        self.k = k
        self.plan = types.MethodType(plan, self)

    def renew(self, k):
        self.k = k
        self.cost = jax.jit(types.MethodType(plan, self))


c = Plain(2)
before = c.plan(1)
c.k = 5
assert c.plan(1) == 5 != before
c.renew(2)
before = c.cost(1)
c.renew(5)
assert c.cost(1) == 5 != before
print(plan.__get__(None, Plain)(c, 1))

# %% a view of a NumPy table that is kept in another attribute is changed
import jax
import numpy as np


class Potts:
    def __init__(self):
        self.table = np.zeros((2, 2), np.float32)
        self.diagonal = self.table.reshape(-1)[::3]
        self.diagonal[:] = 1
        self.f = jax.jit(lambda x: x + self.table[0, 0])  #! JAX206


class Apart:
    def __init__(self):
        self.table = np.zeros((2, 2), np.float32)
        self.diagonal = self.table.reshape(-1)[::3].copy()
        self.f = jax.jit(lambda x: x + self.table[0, 0])


p = Potts()
before = p.f(1.0)
p.diagonal[:] = 5
assert p.f(1.0) == before == 2
q = Apart()
before = q.f(1.0)
q.diagonal[:] = 5
assert q.f(1.0) == before == 1 + q.table[0, 0]

# %% norun a private method sets what a compiled one reads, and a public one calls it; nothing here makes the object
import jax


class Trainer:
    def __init__(self, rate):
        self.rate = rate
        self._update = jax.jit(self._step)

    def _step(self, p, g):
        return p - self.rate * g  #! JAX206

    def epoch(self, p, grads):
        for g in grads:
            p = self._update(p, g)
        self._decay()
        return p

    def _decay(self):
        self.rate *= 0.5


class Compiled:
    def __init__(self, rate):
        self.rate = rate
        self._setup_rate(rate)
        self._update = jax.jit(self._step)

    def _step(self, p, g):
        return p - self.rate * g

    def epoch(self, p, grads):
        for g in grads:
            p = self._update(p, g)
        return p

    def set_rate(self, rate):
        self._setup_rate(rate)
        self._update = jax.jit(self._step)

    def _setup_rate(self, rate):
        self.rate = rate

# %% leaves of which some are not known are asked whether one is a tracer: what follows is not traced
import jax
import jax.numpy as jnp


class State:
    def __init__(self):
        self.warmup_only = False


_STATE = State()


class Entry:
    def __init__(self, fn):
        self.jitted = jax.jit(fn)
        self._on_disk = set()

    def __call__(self, x, *rest):
        leaves = jax.tree_util.tree_leaves((rest, x))
        if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
            return self.jitted(x)
        if _STATE.warmup_only:
            return x if "x" in self._on_disk else jnp.zeros(3)
        return self.jitted(x)


forward = Entry(lambda x: x * 2.0)


@jax.jit
def loop(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for i in range(3):
        _STATE.warmup_only = i == 1
        print(loop(jnp.ones(3), graph))
        forward._on_disk.add("x")


main({"edges": jnp.ones(2)})

# %% leaves are asked whether one is a number: what follows is traced
import jax
import jax.numpy as jnp


class State:
    def __init__(self):
        self.warm = False


_STATE = State()


def forward(x, rest):
    if any(isinstance(leaf, int) for leaf in jax.tree.leaves((rest, x))):
        return x
    if _STATE.warm:  #! JAX206
        return x + 1
    return x * 2.0


@jax.jit
def loop(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for i in range(3):
        _STATE.warm = i == 1
        print(loop(jnp.ones(3), graph))


main({"edges": jnp.ones(2)})

# %% objax: what a trace has as an argument it puts into variables of a collection first, and the originals back
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
        self._value = tensor


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
                return f(*args), [v.value for v in self.vc]
            finally:
                assign(self.vc, original)

        self._call = jax.jit(jit)

    def __call__(self, *args):
        output, changes = self._call([v.value for v in self.vc], *args)
        assign(self.vc, changes)
        return output


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
    for _ in range(3):
        print(train_op(jnp.ones(3)))
        net.w.value = net.w.value + 1.0
    print(opt.m.value)


train()

# %% the same, by a method that sets the property
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
        self._value = tensor

    def assign(self, tensor):
        self.value = tensor


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
                return f(*args), [v.value for v in self.vc]
            finally:
                assign(self.vc, original)

        self._call = jax.jit(jit)

    def __call__(self, *args):
        output, changes = self._call([v.value for v in self.vc], *args)
        assign(self.vc, changes)
        return output


def assign(variables, tensors):
    for v, t in zip(variables, tensors):
        v.assign(t)


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
    for _ in range(3):
        print(train_op(jnp.ones(3)))
        net.w.value = net.w.value + 1.0
    print(opt.m.value)


train()

# %% the same, by functions that are made a property
import jax
import jax.numpy as jnp


class Var:
    def __init__(self, value):
        self._value = value

    def _get(self):
        return self._value

    def _set(self, tensor):
        self._value = tensor

    value = property(_get, _set)


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
                return f(*args), [v.value for v in self.vc]
            finally:
                assign(self.vc, original)

        self._call = jax.jit(jit)

    def __call__(self, *args):
        output, changes = self._call([v.value for v in self.vc], *args)
        assign(self.vc, changes)
        return output


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
    for _ in range(3):
        print(train_op(jnp.ones(3)))
        net.w.value = net.w.value + 1.0
    print(opt.m.value)


train()

# %% the same, in loops
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
        self._value = tensor


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
                for v, t in zip(self.vc, tensors):
                    v.value = t
                return f(*args), [v.value for v in self.vc]
            finally:
                for v, t in zip(self.vc, original):
                    v.value = t

        self._call = jax.jit(jit)

    def __call__(self, *args):
        output, changes = self._call([v.value for v in self.vc], *args)
        assign(self.vc, changes)
        return output


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
    for _ in range(3):
        print(train_op(jnp.ones(3)))
        net.w.value = net.w.value + 1.0
    print(opt.m.value)


train()

# %% the originals are put back, but what the trace has as an argument is not put there
import jax
import jax.numpy as jnp


class Var:
    def __init__(self, value):
        self._value = value

    @property
    def value(self):
        return self._value  #! JAX206

    @value.setter
    def value(self, tensor):
        self._value = tensor


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
                return f(*args), [v.value for v in self.vc]
            finally:
                assign(self.vc, original)

        self._call = jax.jit(jit)

    def __call__(self, *args):
        output, changes = self._call([v.value for v in self.vc], *args)
        assign(self.vc, changes)
        return output


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
    for _ in range(3):
        print(train_op(jnp.ones(3)))
        net.w.value = net.w.value + 1.0
    print(opt.m.value)


train()

# %% ok: the dtype of a leaf, and of an item, of what is replaced
import jax
import jax.numpy as jnp


class Sampler:
    def __init__(self, params):
        self.params = params
        self.init = jax.jit(self.init_cache, static_argnames="size")
        self.rest = jax.jit(self.pad)

    @property
    def dtype(self):
        return jax.tree_util.tree_leaves(self.params)[0].dtype

    def init_cache(self, size):
        return jnp.zeros((size, 4), dtype=self.dtype)

    def pad(self, x):
        return jnp.zeros(x.shape[:-1] + (3,), self.params["b"].dtype).astype(jax.tree.leaves(self.params)[0].dtype)


sampler = Sampler({"w": jnp.ones((2, 3)), "b": jnp.ones(3)})
first = sampler.init(2), sampler.rest(jnp.ones((2, 2)))
sampler.params = {"w": jnp.zeros((2, 3)), "b": jnp.zeros(3)}
second = sampler.init(2), sampler.rest(jnp.ones((2, 2)))
assert jax.tree.all(jax.tree.map(jnp.array_equal, first, second))

# %% the value of a leaf of what is replaced
import jax
import jax.numpy as jnp


class Model:
    def __init__(self, params):
        self.params = params
        self.total = jax.jit(self._total)
        self.first = jax.jit(self._first)

    def _total(self, x):
        return x + sum(leaf.sum() for leaf in jax.tree.leaves(self.params))  #! JAX206

    def _first(self, x):
        kind = jax.tree.leaves(self.params)[0].dtype
        return x + jax.tree.leaves(self.params)[0].astype(kind)  #! JAX206


model = Model({"w": jnp.ones(3)})
before = model.total(1.0), model.first(1.0)
model.params = {"w": jnp.zeros(3)}
after = model.total(1.0), model.first(1.0)
assert before[0] == after[0] and (before[1] == after[1]).all()

# %% the number in an item of what is replaced, called by the name of a part of an array
import jax


class Layer:
    def __init__(self, size):
        self.size = size


class Net:
    def __init__(self):
        self.layers = [Layer(2)]
        self.scale = jax.jit(self._scale)

    def _scale(self, x):
        return x * self.layers[0].size  #! JAX206


net = Net()
one = net.scale(1.0)
net.layers = [Layer(5)]
assert net.scale(1.0) == one == 2.0

# %% the length of an item, and the dtype of an object, of what is replaced
import jax
import jax.numpy as jnp


class Spec:
    def __init__(self, shape, dtype):
        self.shape = shape
        self.dtype = dtype


class Env:
    def __init__(self):
        self.specs = {"obs": Spec((4,), "int32")}
        self.buffers = [jnp.ones(4)]
        self.start = jax.jit(self._start)
        self.count = jax.jit(self._count)

    def _start(self):
        return jnp.zeros(3, self.specs["obs"].dtype)  #! JAX206

    def _count(self, x):
        return x * self.buffers[0].shape[0]  #! JAX206


env = Env()
before = env.start().dtype, env.count(1.0)
env.specs = {"obs": Spec((4,), "float32")}
env.buffers = [jnp.ones(6)]
assert (env.start().dtype, env.count(1.0)) == before

# %% ok: a list that is set to what the constructor has set
import jax


class Layer:
    def __init__(self, width):
        self.width = width


class Net:
    def __init__(self):
        self.widths = [3, 4]
        self.layers = [Layer(3), Layer(4)]
        self.step = jax.jit(self._step)

    def restore(self):
        self.widths = [3, 4]
        self.layers = [Layer(3), Layer(4)]

    def _step(self, x):
        return x + sum(self.widths) + self.layers[0].width


net = Net()
before = net.step(1.0)
net.restore()
assert net.step(1.0) == before == 11.0

# %% objects in a list, a tuple and a dict that are replaced
import jax


class Layer:
    def __init__(self, width):
        self.width = width


class Net:
    def __init__(self):
        self.layers = [Layer(2)]
        self.pair = (Layer(2), Layer(3))
        self.named = {"a": Layer(2)}
        self.first = jax.jit(self._first)
        self.all = jax.jit(self._all)
        self.other = jax.jit(self._other)

    def _first(self, x):
        return x * self.layers[0].width  #! JAX206

    def _all(self, x):
        for layer in self.pair:  #! JAX206
            x = x * layer.width
        return x

    def _other(self, x):
        return x * self.named["a"].width  #! JAX206


net = Net()
before = net.first(1.0), net.all(1.0), net.other(1.0)
net.layers = [Layer(5)]
net.pair = (Layer(5), Layer(6))
net.named = {"a": Layer(7)}
assert (net.first(1.0), net.all(1.0), net.other(1.0)) == before

# %% ok: objects in a list that are replaced before the first call, and a new jit of each
import jax


class Layer:
    def __init__(self, width):
        self.width = width


class Net:
    def __init__(self):
        self.layers = [Layer(2)]
        self.build()

    def build(self):
        self.scale = jax.jit(lambda x: x * self.layers[0].width)

    def widen(self, width):
        self.layers = [Layer(width)]
        self.build()


net = Net()
net.layers = [Layer(3)]
one = net.scale(1.0)
net.widen(5)
assert (one, net.scale(1.0)) == (3.0, 5.0)
for width in (2, 3):
    each = Net()
    each.layers = [Layer(width)]
    assert each.scale(1.0) == width
