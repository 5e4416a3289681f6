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
