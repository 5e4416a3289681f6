# %% raises-elsewhere plain decorator: self is traced, and an ordinary object is no array
import jax


class Net:
    w = 2.0

    @jax.jit  #! JAX405
    def __call__(self, x):
        return self.w * x


Net()(1.0)


# %% raises-elsewhere other arguments static: static_argnums counts self as 0
from functools import partial

import jax
import jax.numpy as jnp


class Grid:
    def __init__(self, n):
        self.n = n

    @partial(jax.jit, static_argnums=(1,))  #! JAX405
    def points(self, order):
        return jnp.linspace(0.0, 1.0, self.n) ** order


Grid(4).points(2)


# %% raises-elsewhere wrapped in the class body: jit as a call on the function before it is a method
import jax


class Decay:
    def __init__(self, rate):
        self.rate = rate

    def _apply(self, x):
        return x * (1.0 - self.rate)

    apply = jax.jit(_apply)  #! JAX405


decay = Decay(0.1)
decay.apply(1.0)


# %% raises-elsewhere mutable dataclass: a dataclass that nobody registered is no pytree
import dataclasses

from jax import jit


@dataclasses.dataclass
class Gaussian:
    mu: float
    sigma: float

    @jit  #! JAX405
    def log_prob(self, x):
        return -0.5 * ((x - self.mu) / self.sigma) ** 2


Gaussian(0.0, 1.0).log_prob(2.0)


# %% raises-elsewhere decorators of its own around it: the outer decorator does not change what jit sees
import functools

import jax


def logged(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)

    return wrapper


class Solver:
    tolerance = 1e-3

    @logged
    @jax.jit  #! JAX405
    def residual(self, x):
        return x - self.tolerance


Solver().residual(1.0)


# %% raises-elsewhere inherited method: the base has the jitted method, the subclass is called
import jax


class Base:
    @jax.jit  #! JAX405
    def loss(self, w):
        return (w * self.scale) ** 2


class Ridge(Base):
    def __init__(self, scale):
        self.scale = scale


ridge = Ridge(2.0)
ridge.loss(w=1.0)


# %% raises-elsewhere configured decorator: jit with options only
import jax


class Buffer:
    def __init__(self, size):
        self.size = size

    @jax.jit(donate_argnums=())  #! JAX405
    def fill(self, value):
        return jax.numpy.full(self.size, value)


Buffer(3).fill(1.0)


# %% raises-elsewhere transforms beneath: grad inside jit does not make self static
import jax


class Potential:
    def __init__(self, depth):
        self.depth = depth

    @jax.jit  #! JAX405
    @jax.value_and_grad
    def energy(self, x):
        return self.depth * x**2


Potential(2.0).energy(1.0)


# %% raises-elsewhere self under another name: the first parameter is the instance, whatever its name
import jax


class Fourier:
    @jax.jit  #! JAX405
    def transform(this, x):
        return jax.numpy.fft.fft(x) * this.norm

    norm = 0.5


Fourier().transform(jax.numpy.ones(4))


# %% static self: by number, by name, among others
from functools import partial

import jax


class Model:
    def __init__(self, k):
        self.k = k

    @partial(jax.jit, static_argnums=0)
    def by_number(self, x):
        return x * self.k

    @partial(jax.jit, static_argnames=("self", "mode"))
    def by_name(self, x, mode="train"):
        return x * self.k

    @jax.jit(static_argnums=(0, 2))
    def by_factory(self, x, n):
        return x**n * self.k

    def _plain(self, x):
        return x + self.k

    wrapped = jax.jit(_plain, static_argnums=(0,))


m = Model(2.0)
m.by_number(1.0), m.by_name(1.0, mode="eval"), m.by_factory(1.0, 2), m.wrapped(1.0)


# %% registered class: a pytree may be traced
import dataclasses
from functools import partial

import jax
from jax import tree_util


@tree_util.register_pytree_node_class
class Linear:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def tree_flatten(self):
        return (self.w, self.b), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)

    @jax.jit
    def __call__(self, x):
        return self.w * x + self.b


@partial(tree_util.register_dataclass, data_fields=["mu"], meta_fields=["name"])
@dataclasses.dataclass
class Normal:
    mu: float
    name: str

    @jax.jit
    def log_prob(self, x):
        return -0.5 * (x - self.mu) ** 2


@tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Point:
    x: float
    y: float

    @jax.jit
    def norm(self):
        return self.x**2 + self.y**2


Linear(2.0, 1.0)(3.0), Normal(0.0, "n").log_prob(1.0), Point(1.0, 2.0).norm()


# %% registered afterwards: the class is made a pytree by a call below it
import jax
from jax.tree_util import register_pytree_node


class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    @jax.jit
    def dot(self, other):
        return self.x * other.x + self.y * other.y


register_pytree_node(Vector, lambda v: ((v.x, v.y), None), lambda _, xy: Vector(*xy))
Vector(1.0, 2.0).dot(Vector(3.0, 4.0))


# %% named tuples: a NamedTuple is a pytree without being registered
from collections import namedtuple
from typing import NamedTuple

import jax


class State(NamedTuple):
    x: float
    v: float

    @jax.jit
    def step(self, dt):
        return self._replace(x=self.x + dt * self.v)


class Pair(namedtuple("Pair", ["a", "b"])):
    @jax.jit
    def total(self):
        return self.a + self.b


State(0.0, 1.0).step(0.1)
Pair(1.0, 2.0).total()


# %% module base class: subclasses of the project's own base are registered as they are defined
import dataclasses

import jax


class Module:
    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        dataclasses.dataclass(frozen=True)(cls)
        names = [field for field in cls.__annotations__]
        jax.tree_util.register_dataclass(cls, data_fields=names, meta_fields=[])


class Affine(Module):
    scale: float
    shift: float

    @jax.jit
    def __call__(self, x):
        return self.scale * x + self.shift


Affine(2.0, 1.0)(3.0)


# %% decorator of the project: a class decorator that registers what it decorates
import dataclasses

import jax


def pytree(cls):
    cls = dataclasses.dataclass(cls)
    fields = [f.name for f in dataclasses.fields(cls)]
    jax.tree_util.register_dataclass(cls, data_fields=fields, meta_fields=[])
    return cls


@pytree
class Cell:
    value: float

    @jax.jit
    def grow(self, rate):
        return Cell(self.value * rate)


Cell(1.0).grow(2.0)


# %% no instance: static methods, class methods of the right order and functions in a class body
from functools import partial

import jax


class Ops:
    @staticmethod
    @jax.jit
    def square(x):
        return x * x

    @staticmethod
    @partial(jax.jit, static_argnums=1)
    def power(x, n):
        return x**n

    @classmethod
    @partial(jax.jit, static_argnums=0)
    def named(cls, x):
        return x * cls.factor

    @jax.jit
    def standalone(x):
        return x + 1.0

    factor = 2.0


ops = Ops()
ops.square(2.0), Ops.power(2.0, 3), Ops.named(1.0), Ops.standalone(1.0)


# %% jit of the bound method: self is bound before jit sees the function
import functools

import jax


class Filter:
    def __init__(self, alpha):
        self.alpha = alpha
        self.run = jax.jit(self._run)

    def _run(self, state, x):
        return self.alpha * x + (1 - self.alpha) * state

    @functools.cached_property
    def slope(self):
        @jax.jit
        def inner(x):
            return self.alpha * x

        return inner


f = Filter(0.5)
f.run(0.0, 1.0), f.slope(1.0)


# %% hooks of flattening: a class with tree_flatten registered under a loop of classes
import jax


class Shape:
    def __init__(self, size):
        self.size = size

    @jax.jit
    def area(self):
        return self.size**2


class Circle(Shape):
    pass


for cls in (Shape, Circle):
    jax.tree_util.register_pytree_node(
        cls, lambda s: ((s.size,), None), lambda _, c, cls=cls: cls(*c)
    )
Shape(2.0).area(), Circle(3.0).area()


# %% not jit: other decorators leave methods alone
import functools

import jax


class Cached:
    def __init__(self, k):
        self.k = k

    @functools.lru_cache(maxsize=None)
    def table(self):
        return self.k * 2

    @property
    def double(self):
        return self.k * 2

    @functools.partial(jax.grad, argnums=1)
    def slope(self, x):
        return self.k * x**2

    @functools.partial(jax.vmap, in_axes=(None, 0))
    def lanes(self, x):
        return x * 2


c = Cached(2.0)
c.table(), c.double, c.slope(1.0)


# %% never called on an instance: the class is a namespace and its method is called through the class with an array
import jax
import jax.numpy as jnp


class Activations:
    @jax.jit
    def swish(x):
        return x * jax.nn.sigmoid(x)

    @jax.jit
    def mish(x):
        return x * jnp.tanh(jax.nn.softplus(x))


Activations.swish(1.0), Activations.mish(1.0)


# %% raises-elsewhere jit of the class's function: called with an object of the class
import jax


class Probe:
    def __init__(self, k):
        self.k = k

    def read(self, x):
        return self.k * x


read = jax.jit(Probe.read)  #! JAX405
read(Probe(2.0), 1.0)


# %% registered heirs: the base is never used itself, what inherits the method is a pytree
import jax


class Curve:
    @jax.jit
    def length(self, t):
        return self.speed * t


@jax.tree_util.register_pytree_node_class
class Line(Curve):
    def __init__(self, speed):
        self.speed = speed

    def tree_flatten(self):
        return (self.speed,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


Line(2.0).length(3.0)


# %% metaclass: it registers every class that it makes
import jax


class Registered(type):
    def __new__(meta, name, bases, space):
        cls = super().__new__(meta, name, bases, space)
        jax.tree_util.register_pytree_node(
            cls, lambda s: (tuple(vars(s).values()), tuple(vars(s))), lambda k, v: cls(**dict(zip(k, v)))
        )
        return cls


class Spring(metaclass=Registered):
    def __init__(self, k):
        self.k = k

    @jax.jit
    def energy(self, x):
        return 0.5 * self.k * x**2


Spring(k=2.0).energy(1.0)


# %% registered by a function: a call elsewhere in the file makes the class a pytree
import jax


class Sample:
    def __init__(self, x):
        self.x = x

    @jax.jit
    def scaled(self, k):
        return self.x * k


def register(cls):
    jax.tree_util.register_pytree_node(cls, lambda s: ((s.x,), None), lambda _, c: cls(*c))


register(Sample)
Sample(1.0).scaled(2.0)

# %% raises-elsewhere an object that is known to be of a base class is of one of those below it
import jax
import jax.numpy as jnp
from jax.tree_util import register_pytree_node_class


class Operator:
    @jax.jit
    def count(this, x):
        return (this.values(x) != 0).sum()

    def twice(self, x):
        return self.count(x) * 2


@register_pytree_node_class
class Scaled(Operator):
    def __init__(self, scale):
        self.scale = scale

    def values(self, x):
        return self.scale * x

    def tree_flatten(self):
        return (self.scale,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


class Plain:
    @jax.jit  #! JAX405
    def count(this, x):
        return (this.values(x) != 0).sum()

    def values(self, x):
        return x


def count(operator, x):
    if isinstance(operator, Operator):
        return operator.count(x)
    return x


Plain().count(jnp.ones(2))


# %% raises-elsewhere a base class that keeps a list of its subclasses
import jax


class Filter:
    registry = {}

    def __init_subclass__(cls, tag=None, **options):
        super().__init_subclass__(**options)
        Filter.registry[tag] = cls

    def __init__(self, scale):
        self.scale = scale

    @jax.jit  #! JAX405
    def run(self, x):
        return self.correct(x) * self.scale


class Extended(Filter, tag="extended"):
    def correct(self, x):
        return x + 1


Extended(2.0).run(1.0)


# %% a base class that gives its subclasses to a function that is not known
import atexit

import jax


class Module:
    def __init_subclass__(cls):
        atexit.register(cls)


class Layer(Module):
    @jax.jit
    def run(self, x):
        return x

# %% raises-elsewhere a decorator of Python's own modules registers nothing
from functools import total_ordering

import jax


@total_ordering
class Oscillator:
    def __init__(self, k):
        self.k = k

    def __lt__(self, other):
        return self.k < other.k

    @jax.jit  #! JAX405
    def step(self, x):
        return self.k * x


Oscillator(2.0).step(1.0)

# %% raises-elsewhere nor does one that is made by a call, nor one of a base
import typing
from typing import Protocol, runtime_checkable

import jax


@runtime_checkable
class Steppable(Protocol):
    def step(self, x): ...


@typing.dataclass_transform()
class Base:
    pass


class Oscillator(Base, Steppable):
    def __init__(self, k):
        self.k = k

    @jax.jit  #! JAX405
    def step(self, x):
        return self.k * x


Oscillator(2.0).step(1.0)

# %% raises-elsewhere bases of Python's own modules: what derives from a container is none that JAX takes apart
import contextlib
from collections.abc import Iterator

import jax


class Walk(Iterator[float]):
    def __next__(self):
        return self.step(1.0)

    @jax.jit  #! JAX405
    def step(self, x):
        return x


class Scope(contextlib.ContextDecorator):
    @jax.jit  #! JAX405
    def step(self, x):
        return x


class Table(dict[str, float]):
    @jax.jit  #! JAX405
    def total(self):
        return sum(self.values())


Table(a=1.0).total()

# %% bases that are numbers or named tuples, and a class that is registered as well
import collections
import enum
import functools
from collections.abc import Iterator
from typing import NamedTuple

import jax


class Scale(float):
    @jax.jit
    def step(self, x):
        return x * self


class Pair(NamedTuple):
    a: float

    @jax.jit
    def step(self, x):
        return x * self.a


class Other(collections.namedtuple("Other", "a")):
    @jax.jit
    def step(self, x):
        return x * self.a


class Kind(enum.IntEnum):
    FIRST = 1

    @jax.jit
    def step(self, x):
        return x * self


@jax.tree_util.register_pytree_node_class
@functools.total_ordering
class Registered(Iterator):
    def __lt__(self, other):
        return True

    def __next__(self):
        return self

    def tree_flatten(self):
        return (), None

    @classmethod
    def tree_unflatten(cls, data, children):
        return cls()

    @jax.jit
    def step(self, x):
        return x


for each in (Scale(1.0), Pair(1.0), Other(1.0), Kind.FIRST, Registered()):
    print(each.step(2.0))
