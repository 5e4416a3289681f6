# %% attribute set by the caller: the class example of a static self that forgets nothing it saw first
import jax
from functools import partial


class Wow:
    def __init__(self, x):
        self.x = x

    @partial(jax.jit, static_argnums=(0,))
    def f(self):
        return self.x  #! JAX401


w = Wow(10)
first = w.f()
w.x = 9
print(first, w.f())


# %% setter method: the schedule changes the rate, the compiled update does not notice
import functools

import jax
import jax.numpy as jnp


class SGD:
    def __init__(self, lr):
        self.lr = lr

    def set_lr(self, lr):
        self.lr = lr

    @functools.partial(jax.jit, static_argnames=("self",))
    def update(self, params, grads):
        return params - self.lr * grads  #! JAX401


opt = SGD(0.1)
w = jnp.ones(2)
w = opt.update(w, jnp.ones(2))
opt.set_lr(0.0)
print(w, opt.update(w, jnp.ones(2)))


# %% wrapped in the class body: jit applied as a call, self static by position
import jax
import jax.numpy as jnp


class Annealer:
    def __init__(self):
        self.temperature = 1.0

    def _accept(self, energy):
        return jnp.exp(-energy / self.temperature)  #! JAX401

    accept = jax.jit(_accept, static_argnums=0)

    def run(self, energies):
        out = []
        for energy in energies:
            out.append(self.accept(energy))
            self.temperature *= 0.5
        return out


print(Annealer().run([1.0, 1.0, 1.0]))


# %% read in a helper: the attribute is read two calls below the static method
from functools import partial

import jax
import jax.numpy as jnp


class Flow:
    def __init__(self, viscosity):
        self.viscosity = viscosity

    def diffusion(self, u):
        return self.viscosity * (jnp.roll(u, 1) - 2 * u + jnp.roll(u, -1))  #! JAX401

    def rhs(self, u):
        return self.diffusion(u) - u * jnp.gradient(u)

    @partial(jax.jit, static_argnums=0)
    def step(self, u, dt):
        return u + dt * self.rhs(u)


flow = Flow(0.1)
u = jnp.arange(4.0)
a = flow.step(u, 0.01)
flow.viscosity = 10.0
print(a, flow.step(u, 0.01))


# %% container in an attribute: a list grown in place changes nothing in the compiled method
from functools import partial

import jax


class Pipeline:
    def __init__(self):
        self.gains = [2.0]

    def add_gain(self, gain):
        self.gains.append(gain)

    @partial(jax.jit, static_argnums=(0,))
    def run(self, x):
        for gain in self.gains:  #! JAX401
            x = x * gain
        return x


pipeline = Pipeline()
first = pipeline.run(1.0)
pipeline.add_gain(10.0)
print(first, pipeline.run(1.0))


# %% hash and eq by value: stale before JAX 0.11, compiled anew from there on, as without `target-jax` is taken for granted
from functools import partial

import jax


class Kernel:
    def __init__(self, width):
        self.width = width

    def __hash__(self):
        return hash(self.width)

    def __eq__(self, other):
        return isinstance(other, Kernel) and self.width == other.width

    @partial(jax.jit, static_argnums=0)
    def scale(self, x):
        return x * self.width


kernel = Kernel(2.0)
first = kernel.scale(1.0)
kernel.width = 5.0
print(first, kernel.scale(1.0), Kernel(5.0).scale(1.0))


# %% hash by parts of the value: the base's, a method's, and those of an object that is hashed in turn
import dataclasses
from functools import partial

import jax


class Shaped:
    def __hash__(self):
        return hash(self.width)


@dataclasses.dataclass(unsafe_hash=True)
class Options:
    gain: float = 1.0


class Kernel(Shaped):
    def __init__(self, width, options):
        self.width = width
        self.bias = 0.0
        self.options = options

    def _parts(self):
        return self.bias, self.options

    def __hash__(self):
        return hash((super().__hash__(), *self._parts()))

    @partial(jax.jit, static_argnums=0)
    def widen(self, x):
        return x * self.width

    @partial(jax.jit, static_argnums=0)
    def shift(self, x):
        return x + self.bias

    @partial(jax.jit, static_argnums=0)
    def amplify(self, x):
        return x * self.options.gain


kernel = Kernel(2.0, Options())
first = kernel.widen(1.0), kernel.shift(1.0), kernel.amplify(1.0)
kernel.width, kernel.bias, kernel.options.gain = 5.0, 6.0, 7.0
print(first, kernel.widen(1.0), kernel.shift(1.0), kernel.amplify(1.0))


# %% hash of all that an object holds
from functools import partial

import jax


class Kernel:
    def __init__(self, width):
        self.width = width

    def __hash__(self):
        return hash(tuple(sorted(vars(self).items())))

    def __eq__(self, other):
        return vars(self) == vars(other)

    @partial(jax.jit, static_argnums=0)
    def scale(self, x):
        return x * self.width


kernel = Kernel(2.0)
first = kernel.scale(1.0)
kernel.width = 5.0
print(first, kernel.scale(1.0))


# %% hash of another attribute, of the length and of the shape: not of what is changed
from functools import partial

import jax
import jax.numpy as jnp


class Ensemble:
    def __init__(self, name, gains, offset):
        self.name = name
        self.gains = gains
        self.offset = offset
        self.bias = 0.0

    def __hash__(self):
        return hash((self.name, len(self.gains), self.offset.shape))

    def __eq__(self, other):
        return hash(self) == hash(other)

    @partial(jax.jit, static_argnums=0)
    def shift(self, x):
        return x + self.bias  #! JAX401

    @partial(jax.jit, static_argnums=0)
    def amplify(self, x):
        return x * self.gains[0]  #! JAX401

    @partial(jax.jit, static_argnums=0)
    def move(self, x):
        return x + self.offset  #! JAX401


members = Ensemble("a", [1.0], jnp.zeros(2))
before = members.shift(1.0), members.amplify(1.0), members.move(1.0)
members.bias, members.gains[0], members.offset = 5.0, 6.0, jnp.ones(2)
after = members.shift(1.0), members.amplify(1.0), members.move(1.0)
assert all((one == two).all() for one, two in zip(before, after))


# %% dataclass that is not frozen, with a hash of its fields: compiled anew from JAX 0.11 on
import dataclasses
from functools import partial

import jax
import jax.numpy as jnp


@dataclasses.dataclass(unsafe_hash=True)
class Priors:
    scale: float = 1.0

    @partial(jax.jit, static_argnums=0)
    def log_prob(self, x):
        return -0.5 * jnp.sum((x / self.scale) ** 2)


priors = Priors()
first = priors.log_prob(jnp.ones(3))
priors.scale = 10.0
print(first, priors.log_prob(jnp.ones(3)))


# %% fit again: the second fit stores new statistics, the compiled transform keeps the first
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


class Standardiser:
    mean = 0.0

    def fit(self, data):
        self.mean = float(np.mean(data))
        return self.transform(data)

    @partial(jax.jit, static_argnums=0)
    def transform(self, x):
        return x - self.mean  #! JAX401


scaler = Standardiser()
print(scaler.fit(jnp.ones(3)), scaler.fit(jnp.full(3, 5.0)))


# %% subclass writes: the write is in a class that inherits the compiled method
from functools import partial

import jax


class Base:
    def __init__(self):
        self.gain = 1.0

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x * self.gain  #! JAX401


class Warmup(Base):
    def advance(self):
        self.gain = self.gain + 1.0


warm = Warmup()
first = warm.apply(1.0)
warm.advance()
print(first, warm.apply(1.0))


# %% function that tunes: any function that is handed the object may write it
from functools import partial

import jax


class Integrator:
    def __init__(self, dt):
        self.dt = dt

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        return x + self.dt * x  #! JAX401


def adapt(integrator, error):
    if error > 0.5:
        integrator.dt = integrator.dt * 0.5


integrator = Integrator(0.1)
x = 1.0
for _ in range(3):
    x = integrator.step(x)
    adapt(integrator, error=0.9)
print(x, (1 + 0.1) ** 3)


# %% config below self: the field of an object held by the static self
from functools import partial

import jax


class Config:
    def __init__(self, momentum):
        self.momentum = momentum


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg

    @partial(jax.jit, static_argnums=0)
    def smooth(self, velocity, grad):
        return self.cfg.momentum * velocity + grad  #! JAX401


trainer = Trainer(Config(0.9))
first = trainer.smooth(1.0, 0.0)
trainer.cfg.momentum = 0.0
print(first, trainer.smooth(1.0, 0.0))


# %% property and setattr: the property reads what setattr writes
from functools import partial

import jax


class Policy:
    def __init__(self):
        self._eps = 0.5

    @property
    def eps(self):
        return self._eps  #! JAX401

    def configure(self, **options):
        for name, value in options.items():
            setattr(self, "_" + name, value)

    @partial(jax.jit, static_argnums=0)
    def explore(self, q, noise):
        return (1 - self.eps) * q + self.eps * noise


policy = Policy()
first = policy.explore(1.0, 0.0)
setattr(policy, "_eps", 0.0)
print(first, policy.explore(1.0, 0.0))


# %% never written: attributes set in __init__ and only read afterwards are safe to be static
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


class SpectralGrid:
    dealias = 2 / 3

    def __init__(self, n, length):
        self.n = n
        self.length = length
        self._build()

    def _build(self):
        self.k = 2 * np.pi * np.fft.rfftfreq(self.n, self.length / self.n)
        self.mask = self.k < self.dealias * self.k.max()

    @partial(jax.jit, static_argnums=0)
    def derivative(self, u):
        return jnp.fft.irfft(1j * self.k * self.mask * jnp.fft.rfft(u), n=self.n)


grid = SpectralGrid(8, 1.0)
grid.derivative(jnp.ones(8))
grid.derivative(jnp.zeros(8))


# %% frozen and replaced: a change makes a new object, which is a new static argument
import dataclasses
from functools import partial
from typing import NamedTuple

import jax


@dataclasses.dataclass(frozen=True)
class Config:
    lr: float
    scaled: float = 0.0

    def __post_init__(self):
        object.__setattr__(self, "scaled", self.lr * 2)

    @partial(jax.jit, static_argnums=0)
    def update(self, w, g):
        return w - self.scaled * g


class Window(NamedTuple):
    size: int

    @partial(jax.jit, static_argnums=0)
    def mean(self, x):
        return x.sum() / self.size


cfg = Config(0.1)
a = cfg.update(1.0, 1.0)
cfg = dataclasses.replace(cfg, lr=0.5)
print(a, cfg.update(1.0, 1.0))
window = Window(2)
window = window._replace(size=4)
window.mean(jax.numpy.ones(3))


# %% other attributes: what changes is not what the static method reads
from functools import partial

import jax


class Agent:
    def __init__(self, gamma):
        self.gamma = gamma
        self.episodes = 0
        self.params = 1.0

    @partial(jax.jit, static_argnums=0)
    def target(self, params, reward, value):
        return reward + self.gamma * params * value

    def train(self):
        self.episodes += 1
        self.params = self.params - 0.1 * self.target(self.params, 1.0, 2.0)
        return self.episodes


agent = Agent(0.99)
for _ in range(3):
    agent.train()
print(agent.params)


# %% written before the first call: nothing was traced yet when the attribute was set
from functools import partial

import jax


class Model:
    def __init__(self):
        self.order = 1

    @partial(jax.jit, static_argnums=0)
    def predict(self, x):
        return x**self.order


model = Model()
model.order = 3
print(model.predict(2.0), model.predict(3.0))


# %% copies are new keys: the method writes to a copy, and the copy is another static argument
import copy
from functools import partial

import jax


class Optimizer:
    def __init__(self, lr):
        self.lr = lr

    def with_lr(self, lr):
        new = copy.copy(self)
        new.lr = lr
        return new

    @classmethod
    def default(cls):
        made = cls.__new__(cls)
        made.lr = 0.1
        return made

    @partial(jax.jit, static_argnums=0)
    def step(self, w, g):
        return w - self.lr * g


opt = Optimizer.default()
a = opt.step(1.0, 1.0)
opt = opt.with_lr(0.5)
print(a, opt.step(1.0, 1.0))


# %% passed as an argument: the plain method reads the attribute and hands it to the compiled one
from functools import partial

import jax


class Anneal:
    def __init__(self, beta):
        self.beta = beta

    @partial(jax.jit, static_argnums=0)
    def _weight(self, energy, beta):
        return jax.numpy.exp(-beta * energy)

    def weight(self, energy):
        return self._weight(energy, self.beta)

    def heat(self):
        self.beta /= 2.0


anneal = Anneal(1.0)
a = anneal.weight(1.0)
anneal.heat()
print(a, anneal.weight(1.0))


# %% pytree instead of static: a registered class is traced, so new values are seen
import jax


@jax.tree_util.register_pytree_node_class
class Gain:
    def __init__(self, k):
        self.k = k

    def tree_flatten(self):
        return (self.k,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)

    @jax.jit
    def apply(self, x):
        return self.k * x


gain = Gain(2.0)
a = gain.apply(1.0)
gain.k = 5.0
print(a, gain.apply(1.0))


# %% another class, another attribute: the same name written on objects that are not static
from functools import partial

import jax


class Logger:
    def __init__(self):
        self.scale = 0.0

    def observe(self, value):
        self.scale = value


class Layer:
    def __init__(self, scale):
        self.scale = scale
        self.log = Logger()

    @partial(jax.jit, static_argnums=0)
    def forward(self, x):
        return x * self.scale

    def plain(self, x):
        return x * self.log.scale


layer = Layer(2.0)
for _ in range(2):
    y = layer.forward(1.0)
    layer.log.observe(float(y))
    layer.log.scale = layer.plain(3.0)


# %% cached once: a lazily built table is the same whenever it is built
import functools

import jax
import jax.numpy as jnp
import numpy as np


class Quadrature:
    def __init__(self, order):
        self.order = order

    @functools.cached_property
    def nodes(self):
        return np.polynomial.legendre.leggauss(self.order)

    @functools.partial(jax.jit, static_argnums=0)
    def integrate(self, values):
        _, weights = self.nodes
        return jnp.sum(values * weights.astype(np.float32))


rule = Quadrature(3)
rule.integrate(jnp.ones(3))
rule.integrate(jnp.zeros(3))


# %% cleared after the change: the cache is dropped when the attribute is written
from functools import partial

import jax


class Tunable:
    def __init__(self, k):
        self.k = k

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x * self.k

    def retune(self, k):
        self.k = k
        Tunable.apply.clear_cache()


tunable = Tunable(2.0)
a = tunable.apply(1.0)
tunable.retune(5.0)
print(a, tunable.apply(1.0))


# %% not compiled: the mutable class has no transformed method, so each call reads what is there
import jax


class Scale:
    def __init__(self, k):
        self.k = k

    def apply(self, x):
        return x * self.k


scale = Scale(2.0)
slope = jax.grad(scale.apply)
a = slope(1.0)
scale.k = 5.0
print(a, slope(1.0), jax.vmap(scale.apply)(jax.numpy.ones(2)))


# %% setter of a property: it is there to be used, whether or not this program does
from functools import partial

import jax


class Amplifier:
    def __init__(self, gain):
        self._gain = gain

    @property
    def gain(self):
        return self._gain  #! JAX401

    @gain.setter
    def gain(self, value):
        self._gain = value

    @partial(jax.jit, static_argnames="self")
    def run(self, x):
        return x * self.gain


# %% jit of the class's function: the object is a static argument of a function outside the class
import jax


class Damper:
    def __init__(self, friction):
        self.friction = friction

    def force(self, v):
        return -self.friction * v  #! JAX401

    def heat(self):
        self.friction *= 0.5


force = jax.jit(Damper.force, static_argnums=0)
damper = Damper(1.0)
before = force(damper, 2.0)
damper.heat()
print(before, force(damper, 2.0))


# %% filled when it is first needed: what was None is written once, before it can be read
from functools import partial

import jax
import numpy as np


class Stencil:
    def __init__(self, order):
        self.order = order
        self._weights = None

    def prepare(self):
        if self._weights is None:
            self._weights = np.linspace(-1.0, 1.0, self.order, dtype=np.float32)
        return self

    @partial(jax.jit, static_argnums=0)
    def apply(self, u):
        return u * self._weights.sum()


stencil = Stencil(3).prepare()
stencil.apply(1.0), stencil.prepare().apply(2.0)


# %% set up in each turn: every turn makes its own object and sets it before the first call
from functools import partial

import jax


class Ramp:
    def __init__(self):
        self.slope = 1.0

    @partial(jax.jit, static_argnums=0)
    def at(self, t):
        return self.slope * t


def build(slope):
    ramp = Ramp()
    ramp.slope = slope
    return ramp


for slope in (1.0, 2.0, 3.0):
    ramp = Ramp()
    ramp.slope = slope
    ramp.at(1.0)
    build(slope).at(1.0)


# %% helper of traced code: a method that only jitted methods call runs once per trace
from functools import partial

import jax


class Traces:
    def __init__(self):
        self.scale = 2.0
        self.seen = ()

    def record(self, name):
        self.seen = (*self.seen, name)  #! JAX201
        return len(self.seen)

    @partial(jax.jit, static_argnums=0)
    def run(self, x):
        self.record("run")
        return x * self.scale


traces = Traces()
traces.run(1.0), traces.run(2.0)


# %% configured first: the only call of the setter comes before the first call of the compiled method
from functools import partial

import jax


class Layer:
    def __init__(self):
        self.scale = 1.0

    def configure(self, scale):
        self.scale = scale

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x * self.scale


layer = Layer()
layer.configure(2.0)
print(layer.apply(1.0), layer.apply(2.0))


# %% configured as it is made: the method that sets the scale gives the object back
from functools import partial

import jax


class Layer:
    def __init__(self):
        self.scale = 1.0

    def with_scale(self, scale):
        self.scale = scale
        return self

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x * self.scale


def main():
    layer = Layer().with_scale(2.0)
    print(layer.apply(1.0), layer.apply(2.0))


main()


# %% configured by a function: before the first compiled call
from functools import partial

import jax


class Layer:
    def __init__(self):
        self.scale = 1.0

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x * self.scale


def configure(layer, scale):
    layer.scale = scale


def main():
    layer = Layer()
    configure(layer, 3.0)
    print(layer.apply(1.0), layer.apply(2.0))


main()


# %% compiled like a model: the rate is set once, then all steps run
from functools import partial

import jax


class Model:
    def __init__(self):
        self.rate = None

    def compile(self, rate):
        self.rate = rate

    @partial(jax.jit, static_argnums=0)
    def step(self, w, g):
        return w - self.rate * g

    def fit(self, w):
        for _ in range(3):
            w = self.step(w, 1.0)
        return w


model = Model()
model.compile(0.1)
print(model.fit(1.0))


# %% rate before fit: a function outside the class takes the object as static
from functools import partial

import jax


@partial(jax.jit, static_argnums=0)
def step(model, w):
    return w - model.rate


class Model:
    def __init__(self):
        self.rate = 0.0

    def set_rate(self, rate):
        self.rate = rate

    def fit(self, w):
        return step(self, step(self, w))


model = Model()
model.set_rate(0.1)
print(model.fit(1.0))


# %% configured again: the second call of the setter comes after a compiled call
from functools import partial

import jax


class Layer:
    def __init__(self):
        self.scale = 1.0

    def configure(self, scale):
        self.scale = scale

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x * self.scale  #! JAX401


layer = Layer()
layer.configure(2.0)
print(layer.apply(1.0))
layer.configure(3.0)
print(layer.apply(1.0))


# %% configured by whoever: nothing here calls the setter, so anyone may do so when they like
from functools import partial

import jax


class Layer:
    def __init__(self):
        self.scale = 1.0

    def configure(self, scale):
        self.scale = scale

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x * self.scale  #! JAX401


# %% configured in a loop: the second turn sets what the first one has compiled
from functools import partial

import jax


class Layer:
    def __init__(self):
        self.scale = 1.0

    def configure(self, scale):
        self.scale = scale

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x * self.scale  #! JAX401


layer = Layer()
for scale in (1.0, 2.0):
    layer.configure(scale)
    print(layer.apply(1.0))


# %% another item: the count in the dict is not what the compiled method reads
from functools import partial

import jax


class Model:
    def __init__(self):
        self.options = {"scale": 2.0, "calls": 0}

    @partial(jax.jit, static_argnums=0)
    def run(self, x):
        return x * self.options["scale"]

    def __call__(self, x):
        self.options["calls"] += 1
        return self.run(x)


model = Model()
print(model(1.0), model(2.0), model.options)


# %% another item of a list: the second one counts, the first one is read
from functools import partial

import jax


class Model:
    def __init__(self):
        self.state = [2.0, 0]

    @partial(jax.jit, static_argnums=0)
    def run(self, x):
        return x * self.state[0]

    def __call__(self, x):
        self.state[1] += 1
        return self.run(x)


model = Model()
print(model(1.0), model(2.0), model.state)


# %% the same item: the compiled method reads the item that is written
from functools import partial

import jax


class Model:
    def __init__(self):
        self.options = {"scale": 2.0, "calls": 0}

    @partial(jax.jit, static_argnums=0)
    def run(self, x):
        return x * self.options["scale"]  #! JAX401

    def rescale(self, scale):
        self.options["scale"] = scale


model = Model()
print(model.run(1.0))
model.rescale(3.0)
print(model.run(1.0))


# %% set through a property: the setter runs before the first compiled call
from functools import partial

import jax


class Layer:
    def __init__(self):
        self._scale = 1.0

    @property
    def scale(self):
        return self._scale

    @scale.setter
    def scale(self, value):
        self._scale = value

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x * self._scale


layer = Layer()
layer.scale = 3.0
print(layer.apply(1.0), layer.apply(2.0))


# %% configured in tests: each makes its own object and sets it once
from functools import partial

import jax


class Layer:
    def __init__(self):
        self.scale = 1.0

    def configure(self, scale):
        self.scale = scale

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x * self.scale


def test_scaled():
    layer = Layer()
    layer.configure(2.0)
    assert layer.apply(1.0) == 2.0


def test_other():
    layer = Layer()
    layer.configure(3.0)
    assert layer.apply(1.0) == 3.0


test_scaled()
test_other()


# %% configured in each turn: every turn has an object of its own
from functools import partial

import jax


class Layer:
    def __init__(self):
        self.scale = 1.0

    def configure(self, scale):
        self.scale = scale
        return self

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x * self.scale


for scale in (1.0, 2.0, 3.0):
    layer = Layer()
    layer.configure(scale)
    print(layer.apply(1.0))

results = {scale: Layer().configure(scale).apply(1.0) for scale in (1.0, 2.0)}
print(results)


# %% loaded by a factory: the object is ready when it is handed out
from functools import partial

import jax


class Env:
    def __init__(self, n):
        self.n = n
        self.table = None

    def load(self, table):
        self.table = tuple(table)

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        return x + self.table[0] + self.n


def make_env(n):
    env = Env(n)
    env.load(range(n))
    return env


env = make_env(3)
print(env.step(1.0), env.step(2.0))


# %% a demo at the end of a module: what it writes is read by calls that come after it only
from functools import partial

import jax
import jax.numpy as jnp


class Game:
    def __init__(self):
        self.players = ["red", "blue"]

    @partial(jax.jit, static_argnums=0)
    def start(self, x):
        return {name: x for name in self.players}

    @partial(jax.jit, static_argnums=0)
    def move(self, x):
        return {name: x + 1 for name in self.players}


class Chess(Game):
    @partial(jax.jit, static_argnums=0)
    def move(self, x):
        return {name: x + 2 for name in self.players}


if __name__ == "__main__":
    game = Game()
    game.start(jnp.ones(2))
    names = game.players
    names.reverse()
    print(game.move(jnp.ones(2)))


# %% a program that writes between two calls of the same method
from functools import partial

import jax
import jax.numpy as jnp


class Game:
    def __init__(self):
        self.players = ["red", "blue"]

    @partial(jax.jit, static_argnums=0)
    def move(self, x):
        return {name: x + 1 for name in self.players}  #! JAX401


if __name__ == "__main__":
    game = Game()
    game.move(jnp.ones(2))
    game.players.reverse()
    print(game.move(jnp.ones(2)))


# %% a program that writes between two calls in a helper
from functools import partial

import jax


class Gain:
    def __init__(self, k):
        self.k = k

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return self.k * x  #! JAX401


def run(gain):
    return [gain.apply(float(i)) for i in range(2)]


gain = Gain(1.0)
run(gain)
gain.k = 2.0
run(gain)


# %% the same again: a method gives the attribute what the constructor gave it
from functools import partial

import jax

DEFAULT = 3.0


class Filter:
    def __init__(self, width):
        self.width = width
        self.gain = DEFAULT
        self.span = (2 * self.width, DEFAULT)
        self.count = 0

    def reset(self):
        self.gain = DEFAULT
        self.span = (2 * self.width, DEFAULT)
        self.count = 0

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return self.gain * x + self.span[0] + self.count


for low in (Filter(1.0), Filter(2.0)):
    low.apply(1.0)
    low.reset()
    low.apply(1.0)


# %% not the same: another constant, and an expression of what another method changes
from functools import partial

import jax


class Filter:
    def __init__(self, width):
        self.width = width
        self.gain = 1.0
        self.span = 2 * self.width

    def widen(self):
        self.width = self.width + 1.0
        self.span = 2 * self.width
        self.gain = 0.5

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return self.gain * x + self.span  #! JAX401


for low in (Filter(1.0), Filter(2.0)):
    low.apply(1.0)
    low.widen()
    low.apply(1.0)


# %% loaded: by its name the method runs before what it prepares is used
from functools import partial

import jax


class Engine:
    def __init__(self):
        self.sizes = None

    def load_params(self, sizes):
        self.sizes = tuple(sizes)

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        return x * self.sizes[0]


# %% made ready again by a function of its own: what the name says holds, as long as no program shows otherwise
from functools import partial

import jax
import jax.numpy as jnp


class Decoder:
    def __init__(self, width):
        self.width = width
        self.axes = None

    def init_state(self):
        self.axes = tuple(range(self.width))
        return jnp.zeros(self.width)

    @partial(jax.jit, static_argnums=0)
    def insert(self, state, value):
        return state.at[self.axes[0]].set(value)


def serve(decoder, values):
    state = decoder.init_state()
    for value in values:
        state = decoder.insert(state, value)
    return decoder.init_state()


serve(Decoder(2), [1.0, 2.0])


# %% a program that shows the write between two calls, whatever the method is called
from functools import partial

import jax


class Scale:
    def __init__(self, rate):
        self.rate = rate

    def load(self, rate):
        self.rate = rate

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return x * self.rate  #! JAX401


scale = Scale(1.0)
scale(2.0)
scale.load(3.0)
scale(2.0)


# %% a copy is put there that differs in other fields: the static fields of a train state are what they were
from functools import partial

import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


class Solver:
    def __init__(self):
        self.state = TrainState.create(
            apply_fn=lambda p, x: jnp.matmul(p["w"], x), params={"w": jnp.ones(3)}, tx=optax.sgd(0.1)
        )

    def predict(self, params, x):
        return self.state.apply_fn(params, x)

    @partial(jax.jit, static_argnums=0)
    def loss(self, params, x):
        return self.predict(params, x) ** 2

    @partial(jax.jit, static_argnums=0)
    def updates(self, grads):
        state = self.state
        return state.tx.update(grads, state.tx.init(grads))[0]

    @partial(jax.jit, static_argnums=0)
    def step(self, state, x):
        loss, grads = jax.value_and_grad(self.loss)(state.params, x)
        state = state.apply_gradients(grads=grads)
        return state, loss


solver = Solver()
for _ in range(3):
    solver.updates(solver.state.params)
    solver.state, loss = solver.step(solver.state, jnp.ones(3))
state = solver.state
for _ in range(3):
    state, loss = solver.step(state, jnp.ones(3))
solver.state = state
solver.loss(state.params, jnp.ones(3))


# %% the fields that the copy replaces are stale, and all of them where anything may be put there
from functools import partial

import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


def made(scale):
    params = {"w": jnp.ones(3) * scale}
    return TrainState.create(apply_fn=lambda p, x: scale * p["w"] @ x, params=params, tx=optax.sgd(0.1))  #! JAX712


class Solver:
    def __init__(self):
        self.state = made(1.0)
        self.other = made(1.0)

    @partial(jax.jit, static_argnums=0)
    def predict(self, x):
        return self.state.apply_fn(self.state.params, x)  #! JAX401

    @partial(jax.jit, static_argnums=0)
    def other_predict(self, params, x):
        return self.other.apply_fn(params, x)  #! JAX401

    @partial(jax.jit, static_argnums=0)
    def whole(self, x):
        state = self.state  #! JAX401
        return jax.tree.leaves(state)[0] + state.step + x


def step(state):
    return state.apply_gradients(grads=state.params)


solver = Solver()
for scale in range(3):
    solver.predict(jnp.ones(3))
    solver.whole(jnp.ones(()))
    solver.state = step(solver.state)
    solver.other_predict(solver.other.params, jnp.ones(3))
    solver.other = made(scale)


# %% copies with keywords: replace, _replace, dataclasses.replace, tree_at
import dataclasses
from functools import partial
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp


class Pair(NamedTuple):
    scale: float
    count: int


@dataclasses.dataclass(frozen=True)
class Options:
    rate: float
    decay: float


class Linear(eqx.Module):
    weight: jax.Array
    bias: jax.Array


class Model:
    def __init__(self):
        self.pair = Pair(2.0, 0)
        self.options = Options(0.1, 0.9)
        self.linear = Linear(jnp.ones(3), jnp.zeros(3))

    @partial(jax.jit, static_argnums=0)
    def kept(self, x):
        return x * self.pair.scale + self.options.rate + self.linear.bias

    @partial(jax.jit, static_argnums=0)
    def replaced(self, x):
        x = x * self.pair.count  #! JAX401
        x = x * self.options.decay  #! JAX401
        return x + self.linear.weight  #! JAX401


model = Model()
for i in range(3):
    model.kept(jnp.ones(3))
    model.replaced(jnp.ones(3))
    model.pair = model.pair._replace(count=i)
    model.options = dataclasses.replace(model.options, decay=0.5 * i)
    model.linear = eqx.tree_at(lambda tree: tree.weight, model.linear, jnp.ones(3) * i)


# %% a method of what is replaced may read any field
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp


class Linear(eqx.Module):
    weight: jax.Array
    activation: object = eqx.field(static=True)

    def forward(self, x):
        return self.weight * x

    @property
    def norm(self):
        return jnp.sum(self.weight)


class Model:
    def __init__(self):
        self.linear = Linear(jnp.ones(3), jnp.tanh)

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return self.linear.forward(x)  #! JAX401

    @partial(jax.jit, static_argnums=0)
    def norm(self):
        linear = self.linear  #! JAX401
        return linear.norm

    @partial(jax.jit, static_argnums=0)
    def shifted(self, x):
        return x + self.linear.activation(x)


model = Model()
for i in range(3):
    model(jnp.ones(3))
    model.norm()
    model.shifted(jnp.ones(3))
    model.linear = eqx.tree_at(lambda tree: tree.weight, model.linear, jnp.ones(3) * i)


# %% the functions of a train state stay what they are in whatever is made of it
from functools import partial

import jax
import jax.numpy as jnp
import optax
from flax.training import checkpoints
from flax.training.train_state import TrainState


class Weighted(TrainState):
    weights: dict

    def apply_weights(self, weights):
        return self.replace(weights=weights)


def made(scale):
    params = {"w": jnp.ones(3) * scale}
    return Weighted.create(
        apply_fn=lambda p, x: scale * p["w"] @ x, params=params, tx=optax.sgd(0.1), weights={"w": 1.0}  #! JAX712
    )


class Solver:
    def __init__(self):
        self.state = made(1.0)
        self.other = made(1.0)

    @partial(jax.jit, static_argnums=0)
    def predict(self, params, x):
        return self.state.apply_fn(params, x)

    @partial(jax.jit, static_argnums=0)
    def updates(self, state, grads):
        return self.state.tx.update(grads, state.opt_state)

    @partial(jax.jit, static_argnums=0)
    def weigh(self, state, weights):
        return state.apply_weights(weights=weights)

    @partial(jax.jit, static_argnums=0)
    def other_predict(self, params, x):
        return self.other.apply_fn(params, x)  #! JAX401


def train(solver, steps):
    for step in range(steps):
        solver.predict(solver.state.params, jnp.ones(3))
        solver.updates(solver.state, solver.state.params)
        solver.state = solver.weigh(solver.state, {"w": 2.0})
        solver.other_predict(solver.other.params, jnp.ones(3))
        solver.other = made(step)


def evaluate(solver, path):
    solver.state = checkpoints.restore_checkpoint(path, solver.state)
    return solver.predict(solver.state.params, jnp.ones(3))


train(Solver(), 3)


# %% several reads of one attribute in one method: the first is enough, in each method
from functools import partial

import jax
import jax.numpy as jnp


class Boundary:
    def __init__(self, values):
        self.values = values

    @partial(jax.jit, static_argnums=0)
    def density(self, x):
        wide = jnp.broadcast_to(self.values, (2, *self.values.shape))  #! JAX401
        return (wide * x).sum() + self.values.sum()

    @partial(jax.jit, static_argnums=0)
    def velocity(self, x):
        return x - self.values  #! JAX401


boundary = Boundary(jnp.ones(3))
first = boundary.density(jnp.ones(3)), boundary.velocity(jnp.ones(3))
boundary.values = jnp.zeros(3)
print(first, boundary.density(jnp.ones(3)), boundary.velocity(jnp.ones(3)))


# %% an attribute that a method sets whose name ends as that of an initialiser, or says that it starts again
from functools import partial

import jax
import jax.numpy as jnp


class Boundary:
    def __init__(self, profile):
        self.profile = profile
        self.values = None
        self.scale = None

    def data_init(self):
        self.values = self.profile()

    def restart_init(self, scale):
        self.scale = scale

    @partial(jax.jit, static_argnums=0)
    def density(self, x):
        return self.values * x

    @partial(jax.jit, static_argnums=0)
    def velocity(self, x):
        return self.scale * x  #! JAX401


# %% a write between two calls in a function by whose name it runs before others
from functools import partial

import jax


class Agent:
    def __init__(self, eps):
        self.eps = eps
        self.size = 1.0

    @partial(jax.jit, static_argnums=0)
    def act(self, x):
        return x * self.eps * self.size  #! JAX401


def main():
    agent = Agent(1.0)
    first = agent.act(1.0)
    agent.eps = 0.5
    return first, agent.act(1.0)


def prepare(agent):
    agent.size = 2.0
    return agent.act(1.0)


# %% read in functions that scan, vmap, grad and cond trace
from functools import partial

import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.gain = 0.0
        self._goal = 0.0
        self.rate = 0.0
        self.limit = 1.0

    @property
    def goal(self):
        return self._goal  #! JAX401

    def set_goal(self, goal):
        self._goal = goal

    def one(self, x):
        return x * self.rate  #! JAX401

    @partial(jax.jit, static_argnums=0)
    def scanned(self, x):
        def body(x, _):
            return x + self.gain, None  #! JAX401

        return jax.lax.scan(body, x, None, length=3)[0]

    @partial(jax.jit, static_argnames="self")
    def looped(self, x):
        return jax.lax.fori_loop(0, 3, lambda i, x: x + self.goal, x)

    @partial(jax.jit, static_argnums=0)
    def mapped(self, x):
        return jax.vmap(self.one)(x)

    @partial(jax.jit, static_argnums=0)
    def slope(self, x):
        def loss(x):
            return jnp.sum(x**2) * self.limit  #! JAX401

        return jax.grad(loss)(x)


model = Model()
x = jnp.ones(3)
for value in (0.0, 1.0):
    model.gain = value
    model.set_goal(value)
    model.rate = value
    model.limit = value
    print(model.scanned(x), model.looped(x), model.mapped(x), model.slope(x))


# %% ok: read in functions that scan and vmap trace, and set before the first call
from functools import partial

import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.gain = 0.0
        self.calls = 0

    @partial(jax.jit, static_argnums=0)
    def scanned(self, x):
        return jax.lax.scan(lambda x, _: (x + self.gain, None), x, None, length=3)[0]

    def __call__(self, x):
        self.calls += 1
        return self.scanned(x)


model = Model()
model.gain = 2.0
for _ in range(3):
    print(model(jnp.ones(3)), model.calls)


# %% a copy of a frozen record with defaults replaces another field than the one that is read
import dataclasses
import functools

import jax


@dataclasses.dataclass(frozen=True)
class Config:
    rate: float = 0.1
    epoch: int = 0


class Trainer:
    def __init__(self):
        self.config = Config()

    @functools.partial(jax.jit, static_argnums=0)
    def step(self, weight):
        return weight - self.config.rate * weight

    def run(self):
        weight = 1.0
        for epoch in range(3):
            self.config = dataclasses.replace(self.config, epoch=epoch)
            weight = self.step(weight)
        return weight


print(Trainer().run())


# %% settings without a hash that a static object has, and that are changed later
import dataclasses
import types
from functools import partial

import jax


@dataclasses.dataclass
class Config:
    rate: float = 0.0
    width: int = 2


class Learner:
    def __init__(self, config, limits):
        self.config = config
        self.limits = limits

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        return x * self.config.rate + self.limits.high  #! JAX401 JAX401

    def anneal(self):
        self.config.rate *= 0.5


learner = Learner(Config(1.0), types.SimpleNamespace(high=2.0))
print(learner.step(1.0))
learner.anneal()
learner.limits.high = 3.0
print(learner.step(1.0))


# %% the same, changed before the first call, or another field, or in a new object
import dataclasses
from functools import partial

import jax


@dataclasses.dataclass
class Config:
    rate: float = 0.0
    width: int = 2


class Learner:
    def __init__(self, config):
        self.config = config

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        return x * self.config.rate


learner = Learner(Config(1.0))
learner.config.rate = 0.5
print(learner.step(1.0))
learner.config.width = 3
print(learner.step(1.0))
other = Learner(dataclasses.replace(learner.config, rate=0.1))
print(other.step(1.0))


# %% what a static object holds could be changed by a method that nobody calls
from functools import partial

import jax
import jax.numpy as jnp


class Field:
    def __init__(self, data):
        self.data = data

    def normalize(self):
        self.data = self.data / jnp.max(self.data)
        return self


class Equation:
    def __init__(self, field):
        self.field = field

    @partial(jax.jit, static_argnums=0)
    def solve(self, x):
        return x + self.field.data


equation = Equation(Field(jnp.ones(2)))
print(equation.solve(1.0))


# %% the same, where somebody calls it
from functools import partial

import jax
import jax.numpy as jnp


class Field:
    def __init__(self, data):
        self.data = data

    def normalize(self):
        self.data = self.data / jnp.max(self.data)
        return self


class Equation:
    def __init__(self, field):
        self.field = field

    @partial(jax.jit, static_argnums=0)
    def solve(self, x):
        return x + self.field.data  #! JAX401


equation = Equation(Field(jnp.ones(2)))
print(equation.solve(1.0))
equation.field.normalize()
print(equation.solve(1.0))


# %% an attribute that only decides whether an error is raised
from functools import partial

import jax


class Agent:
    ready = False
    limit = 3
    scale = 1.0

    @partial(jax.jit, static_argnums=0)
    def act(self, x):
        if not self.ready:
            raise RuntimeError("train first")
        assert self.limit > 0, "no limit"
        if self.scale != 1.0:  #! JAX401
            raise_or_log(self.scale)
        return x * 2.0

    def train(self):
        self.ready = True
        self.limit = 5
        self.scale = 2.0


def raise_or_log(scale):
    print(scale)


agent = Agent()
try:
    agent.act(1.0)
except RuntimeError:
    agent.train()
print(agent.act(1.0))
agent.train()
print(agent.act(1.0))

# %% what changes a table counts up a number that each call passes
import functools

import jax
import jax.numpy as jnp


class Versioned:
    def __init__(self):
        self.table, self.version = {"a": 1.0}, 0

    def __setitem__(self, name, value):
        self.table[name] = value
        self.version += 1

    @functools.partial(jax.jit, static_argnames=("self", "version"))
    def _evaluate(self, x, *, version):
        del version  # only a part of the key by which JAX finds the trace
        return sum(v * x**i for i, v in enumerate(self.table.values()))

    def __call__(self, x):
        return self._evaluate(x, version=self.version)


class Plain:
    def __init__(self):
        self.table = {"a": 1.0}

    def __setitem__(self, name, value):
        self.table[name] = value

    @functools.partial(jax.jit, static_argnames=("self",))
    def __call__(self, x):
        return sum(v * x**i for i, v in enumerate(self.table.values()))  #! JAX401


for kind in (Versioned, Plain):
    polynomial = kind()
    print(polynomial(jnp.float32(2)))
    polynomial["b"] = 2.0
    print(polynomial(jnp.float32(2)))


# %% what a method sets that by its name is called before all others
from functools import partial

import jax
import jax.numpy as jnp


class Monitor:
    observe = None

    @partial(jax.jit, static_argnums=0)
    def compute(self, x):
        assert self.observe is not None, "call finalize first"
        return self.observe(x)


class Force(Monitor):
    def finalize(self, observe):
        self.observe = observe
        return self


class Scaled:
    @partial(jax.jit, static_argnums=0)
    def compute(self, x):
        return x * self.scale  #! JAX401

    def rescale(self, scale):
        self.scale = scale


print(Force().finalize(jnp.sin).compute(jnp.ones(2)))
scaled = Scaled()
scaled.rescale(2.0)
assert scaled.compute(1.0) == 2.0
scaled.rescale(3.0)
assert scaled.compute(1.0) == 2.0


# %% what is written with another constant for a static argument is read by a new trace
from functools import partial

import jax
import jax.numpy as jnp


class Sac:
    def __init__(self):
        self._keys = ("q", "alpha")

    @partial(jax.jit, static_argnames=("self", "use_cql"))
    def _step(self, x, use_cql=True):
        def loss(x):
            return sum(x for _ in self.keys)

        return jax.grad(loss)(x)

    @property
    def keys(self):
        return self._keys

    def train(self, x, use_cql=True):
        return self._step(x, use_cql)


def main():
    sac = Sac()
    use_cql = True
    for epoch in range(4):
        if epoch == 2:
            use_cql = False
            if sac.keys:
                sac._keys = ("q",)
        print(sac.train(jnp.ones(()), use_cql))


main()


# %% a constant that is traced, or is the same, leaves the old trace
from functools import partial

import jax
import jax.numpy as jnp


class Traced:
    def __init__(self):
        self._keys = ("q", "alpha")

    @partial(jax.jit, static_argnames=("self",))
    def scaled(self, x, weight):
        return {key: x * weight for key in self._keys}  #! JAX401


class Same:
    def __init__(self):
        self._keys = ("q", "alpha")

    @partial(jax.jit, static_argnames=("self", "use_cql"))
    def step(self, x, use_cql):
        return {key: x for key in self._keys}  #! JAX401


def main():
    traced, same = Traced(), Same()
    weight = True
    use_cql = False
    for epoch in range(4):
        if epoch == 2:
            weight = False
            traced._keys = ("q",)
            use_cql = False
            same._keys = ("q",)
        print(traced.scaled(jnp.ones(()), weight), same.step(jnp.ones(()), use_cql))


main()

# %% what is made of an attribute is a static argument beside the object
from functools import partial

import jax

SECTIONS = {"domain": {"attribute": "_domain", "hash": "domain_hash"}}


class Sectioned:
    def __init__(self, domain):
        self._domain = domain
        self._update()

    def _update(self):
        for section in SECTIONS.values():
            setattr(self, section["hash"], hash(getattr(self, section["attribute"])))

    def set(self, domain):
        self._domain = domain
        self._update()

    def run(self, x):
        return self._run(x, domain_hash=self.domain_hash)

    @partial(jax.jit, static_argnames=("self", "domain_hash"))
    def _run(self, x, domain_hash):
        return x * self._domain


class Hashed:
    def __init__(self):
        self._k = 1.0
        self._update()

    def _update(self):
        self.k_hash = hash(self._k)

    @property
    def k(self):
        return self._k

    @k.setter
    def k(self, k):
        self._k = k
        self._update()

    def run(self, x):
        return self._run(x, self.k_hash)

    @partial(jax.jit, static_argnums=(0, 2))
    def _run(self, x, k_hash):
        return x * self._k


class Bad:
    def __init__(self):
        self.k = 1.0
        self.version = 0

    def set(self, k):
        self.k = k

    def bump(self):
        self.version += 1

    def run(self, x):
        return self._run(x, self.version)

    @partial(jax.jit, static_argnums=(0, 2))
    def _run(self, x, version):
        return x * self.k  #! JAX401


for sim in (Sectioned(1.0), Bad()):
    print(sim.run(1.0))
    sim.set(3.0)
    print(sim.run(1.0))
h = Hashed()
print(h.run(1.0))
h.k = 3.0
print(h.run(1.0))


# %% an optimiser of SciPy calls the function that it is given, with `args`; a write before the first call is fine
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import scipy.optimize


class Model:
    def __init__(self, p):
        self.p = jnp.array(p)
        self.fixed = 1.0

    @partial(jax.jit, static_argnums=(0,))
    def __call__(self, p, x):
        return self.p[0] * p[0] * x * self.fixed  #! JAX401

    def place(self, device):
        self.p = jax.device_put(self.p, device)
        self.fixed = 2.0

    def unpack(self, p):
        self.p = p

    def optimise(self, func, x, y):
        found = scipy.optimize.fmin_l_bfgs_b(
            func=func, x0=np.ones(1), args=(x, y, self), approx_grad=True, maxiter=2
        )
        self.unpack(jnp.array(found[0]))
        return found[1]


def loss(p, x, y, model):
    return float(jnp.sum((model(p, x) - y) ** 2))


x = jnp.ones(3)
model = Model([1.0])
model.place(jax.devices()[0])
for scale in (2.0, 3.0):
    print(model.optimise(loss, x, scale * x))


# %% ... and of other optimisers, each with one model
from functools import partial

import jax
import jax.numpy as jnp
from scipy.optimize import brentq, minimize


class Model:
    def __init__(self, scale):
        self.scale = scale

    @partial(jax.jit, static_argnums=0)
    def value(self, x):
        return jnp.sum(x) - self.scale


def solve(scale):
    model = Model(scale)
    model.scale = scale + 1.0
    root = brentq(lambda x, m: float(m.value(x)), 0.0, 9.0, args=model)
    least = minimize(lambda x, m: float(m.value(x)) ** 2, [1.0], (model,), options={"maxiter": 1})
    return root, least.fun


for scale in (1.0, 2.0):
    print(solve(scale))


# %% objects in a list of a static self are static, too: found once
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import scipy.optimize


class Model:
    def __init__(self, p):
        self.p = jnp.array(p)

    @partial(jax.jit, static_argnums=(0,))
    def __call__(self, p, x):
        return self.p[0] * p[0] * x  #! JAX401

    def unpack(self, p):
        self.p = p


class Product:
    def __init__(self, models):
        self.models = models

    def unpack(self, p):
        for model in self.models:
            model.unpack(p)


@partial(jax.jit, static_argnums=2)
def loss(p, x, product):
    for model in product.models:
        x = model(p, x)
    return jnp.sum(x**2)


product = Product([Model([1.0]), Model([2.0])])
for i in range(2):
    found = scipy.optimize.fmin_l_bfgs_b(loss, np.ones(1), args=(jnp.ones(3), product), approx_grad=True, maxiter=1)
    product.unpack(jnp.array(found[0]))
    print(found[1])

# %% a flag says that a static object is set up
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


class Space:
    def __init__(self, sizes):
        self.sizes = sizes
        self.is_set_up = False

    def set_up(self):
        if not self.is_set_up:
            self.sums = np.cumsum(self.sizes).tolist()
            self.is_set_up = True

    def states(self, i):
        self.set_up()
        return jnp.asarray(self.sums)[i]


@partial(jax.jit, static_argnums=0)
def look(space, i):
    return space.states(i) * 2


space = Space([1, 2])
print(look(space, 0), space.states(1), look(space, 1))


# %% an object that a method makes where there is none yet, and changes whenever it is called
from functools import partial

import jax
import jax.numpy as jnp


class Lens:
    def __init__(self, size):
        self.size = size

    @partial(jax.jit, static_argnums=0)
    def image(self, source):
        return jnp.matmul(self.mapping, source)  #! JAX401

    def compute(self, theta):
        self.mapping = theta * jnp.eye(self.size)


class Image:
    def lens(self, theta, update=False):
        if not hasattr(self, "_lens"):
            self._lens = Lens(2)
        if update or not hasattr(self._lens, "mapping"):
            self._lens.compute(theta)
        return self._lens


image, source = Image(), jnp.ones(2)
print(image.lens(1.0).image(source), image.lens(2.0, update=True).image(source))


# %% an object that is made in a handler, by a variable, or before what changes it
from functools import partial

import jax
import jax.numpy as jnp


class Lens:
    @partial(jax.jit, static_argnums=0)
    def image(self, source):
        return jnp.matmul(self.mapping, source)  #! JAX401

    def compute(self, theta):
        self.mapping = theta * jnp.eye(2)


class Image:
    def lens(self, theta):
        try:
            lens = self._lens
        except AttributeError:
            lens = self._lens = Lens()
        lens.compute(theta)
        return lens


# %% an object that is there before, which an early return changes
from functools import partial

import jax
import jax.numpy as jnp


class Lens:
    @partial(jax.jit, static_argnums=0)
    def image(self, source):
        return jnp.matmul(self.mapping, source)  #! JAX401

    def compute(self, theta):
        self.mapping = theta * jnp.eye(2)


class Image:
    def __init__(self):
        self._lens = None

    def lens(self, theta):
        if self._lens is not None:
            self._lens.compute(theta)
            return self._lens
        self._lens = Lens()
        return self._lens


# %% an object that is filled where it is made, or where nothing is there yet
from functools import partial

import jax
import jax.numpy as jnp


class Lens:
    @partial(jax.jit, static_argnums=0)
    def image(self, source):
        return jnp.matmul(self.mapping, source)

    def compute(self, theta):
        self.mapping = theta * jnp.eye(2)


class Image:
    def __init__(self):
        self._lens, self._other = None, Lens()

    def anew(self, theta):
        self._lens = Lens()
        self._lens.compute(theta)
        return self._lens

    def once(self, theta):
        if self._lens is None:
            lens = Lens()
            lens.compute(theta)
            self._lens = lens
        return self._lens

    def later(self, theta):
        is_new = False
        if self._lens is None:
            self._lens = Lens()
            is_new = True
        if is_new:
            self._lens.compute(theta)
        return self._lens

    def lazily(self, theta):
        if not hasattr(self._other, "mapping"):
            self._other.compute(theta)
        return self._other


image, source = Image(), jnp.ones(2)
print(image.once(1.0).image(source), image.anew(2.0).image(source), image.lazily(1.0).image(source))
