# %% list by keyword: a static shape must be hashable
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="shape")
def reshape(x, shape):
    return x.reshape(shape)


reshape(jnp.ones(6), shape=[2, 3])  #! JAX402


# %% list by position: static_argnums counts the argument
import jax
import jax.numpy as jnp


def reduce(x, axes, keepdims):
    return jnp.sum(x, axis=tuple(axes), keepdims=keepdims)


fast_reduce = jax.jit(reduce, static_argnums=(1, 2))
fast_reduce(jnp.ones((2, 3)), [0, 1], True)  #! JAX402


# %% dict of options: a config dict at a static place
import functools

import jax


@functools.partial(jax.jit, static_argnums=0)
def step(config, w):
    return w * (1.0 - config["lr"])


options = {"lr": 0.1}
step(options, 1.0)  #! JAX402


# %% NumPy array: arrays are not hashable, not even host arrays
import jax
import jax.numpy as jnp
import numpy as np

kernel = np.array([0.25, 0.5, 0.25])


@jax.jit
def unused(x):
    return x


smooth = jax.jit(lambda x, k: jnp.convolve(unused(x), jnp.asarray(k)), static_argnums=1)
smooth(jnp.ones(5), kernel)  #! JAX402


# %% JAX array: neither is the result of jax.numpy
import jax
import jax.numpy as jnp


@jax.jit
def shift_by(x, n):
    return jnp.roll(x, n)


shift_static = jax.jit(shift_by, static_argnames=["n"])
shift_static(jnp.arange(4), n=jnp.asarray(1))  #! JAX402


# %% set in a method: self and names are both static, only one can be hashed
from functools import partial

import jax
import jax.numpy as jnp


class Model:
    @partial(jax.jit, static_argnums=(0, 2))
    def predict(self, x, heads):
        return {name: jnp.sum(x) for name in sorted(heads)}


Model().predict(jnp.ones(2), {"policy", "value"})  #! JAX402


# %% dataclass with eq: a dataclass that is not frozen has no hash
import dataclasses
from functools import partial

import jax


@dataclasses.dataclass
class Config:
    depth: int = 2


@partial(jax.jit, static_argnames=("cfg",))
def network(x, cfg):
    return x * cfg.depth


network(1.0, cfg=Config(3))  #! JAX402


# %% eq without hash: a class that defines only __eq__ loses its hash
import jax


class Grid:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n


def spacing(length, grid):
    return length / grid.n


compiled = jax.jit(spacing, static_argnames="grid")
compiled(1.0, Grid(8))  #! JAX402


# %% mutable dataclass as static self: the method cannot be called at all
import dataclasses
from functools import partial

import jax


@dataclasses.dataclass
class Kernel:
    width: float

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x * self.width


k = Kernel(2.0)
k.apply(1.0)  #! JAX402


# %% tuple around a list: a tuple is as hashable as what is in it
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("widths",))
def mlp(x, widths):
    for width in widths[0]:
        x = jnp.tanh(x * width)
    return x


mlp(1.0, widths=([8, 8], 1))  #! JAX402


# %% list made by a call: sorted, list and comprehensions give lists
import jax
import jax.numpy as jnp


def select(x, indices):
    return jnp.stack([x[i] for i in indices])


select = jax.jit(select, static_argnums=1)
select(jnp.arange(5.0), sorted({3, 1}))  #! JAX402


# %% default overridden: the list default is never hashed, the list of a caller is
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="dims")
def mean(x, dims=[0]):
    return jnp.mean(x, axis=tuple(dims))


mean(jnp.ones((2, 2)))
mean(jnp.ones((2, 2)), dims=[1])  #! JAX402


# %% array as a dict key: jax.Array has no hash
import jax.numpy as jnp

memo = {}
x = jnp.float32(2.0)
memo[x] = 1  #! JAX402


# %% array in a set: elements of a set are hashed
import jax
import jax.numpy as jnp

tokens = jnp.arange(3)
visited = set()
visited.add(tokens[0])  #! JAX402


# %% array to a memoised function: lru_cache hashes what it is called with
import functools

import jax.numpy as jnp


@functools.lru_cache(maxsize=None)
def energy(x):
    return jnp.sum(x**2)


energy(jnp.ones(3))  #! JAX402


# %% namespace of arguments: argparse gives an object that compares by value and has no hash
import argparse
from functools import partial

import jax

args = argparse.Namespace(lr=0.1)


@partial(jax.jit, static_argnames="args")
def update(w, args):
    return w * args.lr


update(1.0, args=args)  #! JAX402


# %% frozen around a list: the hash of a frozen dataclass is the hash of its fields
import dataclasses
from functools import partial

import jax


@dataclasses.dataclass(frozen=True)
class Spec:
    widths: list


@partial(jax.jit, static_argnums=1)
def build(x, spec):
    return x * len(spec.widths)


build(1.0, Spec([4, 4]))  #! JAX402


# %% hashable static values: tuples, strings, None, enums, functions, dtypes, frozen classes
import dataclasses
import enum
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np


class Mode(enum.Enum):
    TRAIN = 1


class Window(NamedTuple):
    size: int


@dataclasses.dataclass(frozen=True)
class Config:
    widths: tuple = (4, 4)


class Plain:
    factor = 2.0


@partial(jax.jit, static_argnums=1)
def apply(x, spec):
    return x * 2


for spec in ((1, 2), "relu", None, Mode.TRAIN, jnp.tanh, jnp.float32, np.float64(1.0), Window(3)):
    apply(1.0, spec)
apply(1.0, Config())
apply(1.0, Plain())
apply(1.0, frozenset({"a"}))
apply(1.0, range(3))
apply(1.0, partial(jnp.sum, axis=0))
apply(1.0, slice)
apply(1.0, lambda v: v)
apply(1.0, tuple([1, 2]))


# %% default left alone: a list default that nobody overrides is accepted
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("axes", "options"))
def normalise(x, axes=[0], options={"eps": 1e-6}):
    return x / (jnp.sum(x, axis=tuple(axes)) + options["eps"])


normalise(jnp.ones(3))
normalise(x=jnp.zeros(3))


# %% lists that are traced: containers at places that are not static are pytrees
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("n",))
def combine(arrays, weights, n):
    return sum(w * a for w, a in zip(weights["w"], arrays)) * n


combine([1.0, 2.0], {"w": [0.5, 0.5]}, 2)
combine([jnp.ones(2), jnp.ones(2)], weights={"w": [0.5, jnp.ones(2)]}, n=3)


# %% bound in a partial: what a partial or a closure holds is not hashed
from functools import partial

import jax
import jax.numpy as jnp


def network(widths, options, x):
    for width in widths:
        x = jnp.tanh(x * width) * options["gain"]
    return x


compiled = jax.jit(partial(network, [2.0, 3.0], {"gain": 1.0}))
compiled(1.0)
widths = [2.0, 3.0]
closure = jax.jit(lambda x: network(widths, {"gain": 1.0}, x))
closure(1.0)


# %% own hash: classes that define both, and a dataclass that asks for a hash
import dataclasses
from functools import partial

import jax


class Grid:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return isinstance(other, Grid) and self.n == other.n

    def __hash__(self):
        return hash(self.n)


@dataclasses.dataclass(eq=False)
class Tag:
    name: str


@dataclasses.dataclass(unsafe_hash=True)
class Level:
    depth: int


@partial(jax.jit, static_argnames="spec")
def scale(x, spec):
    return x * 2


scale(1.0, Grid(8)), scale(1.0, Tag("a")), scale(1.0, spec=Level(2))


# %% converted before the call: the wrapper makes a tuple of what it is given
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="shape")
def _reshape(x, shape):
    return x.reshape(shape)


def reshape(x, shape):
    return _reshape(x, shape=tuple(shape))


reshape(jnp.ones(6), [2, 3])
reshape(jnp.ones(6), shape=[3, 2])


# %% arrays as values: keys are numbers, shapes, names or bytes, arrays only what they map to
import functools

import jax
import jax.numpy as jnp
import numpy as np

x = jnp.arange(3.0)
memo = {float(x[0]): x, x.shape: x, x.dtype: x, "x": x}
memo[int(x[1])] = x
memo[np.asarray(x).tobytes()] = x
memo[id(x)] = x
seen = {np.float32(1.0), x.ndim}
seen.add(x.size)


@functools.lru_cache
def window(n, kind="hann"):
    return np.hanning(n)


window(x.shape[0]), window(4, kind="ones")


# %% refused on purpose: the error is caught where it is raised
from functools import partial

import jax


@partial(jax.jit, static_argnames="spec")
def apply(x, spec):
    return x


def hashable(spec):
    try:
        apply(1.0, spec=[spec])
    except (TypeError, ValueError):
        return False
    return True


hashable(1)


# %% not static here: the same function is also compiled without static arguments
import jax
import jax.numpy as jnp


def weighted(x, weights):
    return sum(w * jnp.sum(x) for w in weights)


traced = jax.jit(weighted)
static = jax.jit(weighted, static_argnums=1)
traced(jnp.ones(2), [0.5, 0.5])
static(jnp.ones(2), (0.5, 0.5))
weighted(jnp.ones(2), [1.0])


# %% list and static side by side: only the positions that are named must be hashable
from functools import partial

import jax
import jax.numpy as jnp


class Model:
    @partial(jax.jit, static_argnums=(0, 3), static_argnames=("mode",))
    def loss(self, params, batch, n, *, mode="train"):
        return n * sum(jnp.sum(p * batch["x"]) for p in params)


Model().loss([1.0, jnp.ones(2)], {"x": jnp.ones(2)}, 2, mode="eval")
Model().loss([1.0], batch={"x": jnp.ones(2)}, n=2)


# %% rebound before the call: the name was a list, and is a tuple when it is passed
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="axes")
def total(x, axes):
    return jnp.sum(x, axis=axes)


axes = []
for i in range(2):
    axes.append(i)
axes = tuple(axes)
total(jnp.ones((2, 2)), axes=axes)
shape = jnp.ones((2, 2)).shape
total(jnp.ones((2, 2)), axes=shape[:0])


# %% unpacked: the star takes hashable items out of a list
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=(1, 2))
def pad(x, before, after):
    return jnp.pad(x, (before, after))


widths = [1, 2]
pad(jnp.ones(2), *widths)
pad(jnp.ones(2), **{"before": 1, "after": 0})


# %% pytrees as dict values and host scalars as keys: what is looked up is hashable
import jax
import jax.numpy as jnp

params = {"w": jnp.ones(2), ("layer", 0): jnp.zeros(2)}
counts = {}
for label in jnp.asarray([0, 1, 1]).tolist():
    counts[label] = counts.get(label, 0) + 1
leaves, structure = jax.tree.flatten(params["w"])
by_structure = {structure: leaves, jnp.float32: 1, jax.devices()[0]: params}


# %% other keywords of that name: a list in static_argnums itself, and functions with such a parameter
import jax
import jax.numpy as jnp


def roll(x, shift, axis):
    return jnp.roll(x, shift, axis)


rolled = jax.jit(roll, static_argnums=[1, 2])
rolled(jnp.ones(3), 1, 0)
named = jax.jit(roll, static_argnames=["shift", "axis"])
named(jnp.ones(3), shift=1, axis=0)

# %% a namespace as a static argument
from types import SimpleNamespace

import jax


def f(cfg, x):
    return x * cfg.scale


jax.jit(f, static_argnums=0)(SimpleNamespace(scale=2.0), 1.0) #! JAX402


# %% a dataclass without `eq` has the hash of its identity, and a field may be left out of the hash
import dataclasses
from functools import partial

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Config:
    strategy: jax.Array


@dataclasses.dataclass(frozen=True, eq=False)
class ByIdentity:
    config: Config

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        return x + 1


@dataclasses.dataclass(frozen=True)
class LeavesOut:
    config: Config = dataclasses.field(hash=False)
    other: Config = dataclasses.field(compare=False)

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        return x + 1


config = Config(jnp.ones(3))
ByIdentity(config).step(1.0)
LeavesOut(config, config).step(1.0)


# %% a field of a frozen dataclass that has no hash
import dataclasses
from functools import partial

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Config:
    strategy: jax.Array


@dataclasses.dataclass(frozen=True)
class ByFields:
    config: Config

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        return x + 1


ByFields(Config(jnp.ones(3))).step(1.0)  #! JAX402


# %% without `eq` it has the hash of its base
import dataclasses
from functools import partial

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Config:
    strategy: jax.Array


@dataclasses.dataclass(frozen=True)
class ByFields:
    config: Config

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        return x + 1


@dataclasses.dataclass(frozen=True, eq=False)
class Below(ByFields):
    pass


Below(Config(jnp.ones(3))).step(1.0)  #! JAX402


# %% a test puts another function in the place of jit, which takes any static argument
from unittest import mock

import jax
import jax.numpy as jnp


def plain(fn, static_argnums=()):
    return fn


def faked():
    return mock.patch("jax.jit", plain)


def scale(x, factors):
    return x * factors[0]


def inside(x):
    with faked():
        return jax.jit(scale, static_argnums=1)(x, [2.0])


def direct(x):
    with mock.patch("jax.jit", plain):
        return jax.jit(scale, static_argnums=1)(x, [2.0])


def after(x):
    with faked():
        pass
    return jax.jit(scale, static_argnums=1)(x, [2.0])  #! JAX402


inside(jnp.ones(3))
direct(jnp.ones(3))
after(jnp.ones(3))


# %% a static argument that is a function where `callable` says so, and an array elsewhere
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnums=0)
def solved(operator, b, matrix=None):
    return jnp.matmul(matrix, b) if operator is None else operator(b)


def solve(a, b):
    if callable(a):
        return solved(a, b)
    return solved(None, b, a)


def solve_one(a=None, b=None):
    a = a if callable(a) else (lambda x: x)
    return solved(a, b)


def solve_wrong(a, b):
    if not callable(a):
        return solved(a, b)  #! JAX402
    return solved(a, b)


class Doubled:
    def __call__(self, x):
        return 2 * x


solve(lambda x: x, jnp.ones(3))
solve(jnp.eye(3), jnp.ones(3))
solve(Doubled(), jnp.ones(3))
solve_one(jnp.eye(3), jnp.ones(3))
solve_wrong(jnp.eye(3), jnp.ones(3))

# %% an object that is jitted: JAX finds the trace by its hash
from dataclasses import dataclass

import jax


@dataclass
class Affine:
    scale: float

    def __call__(self, x):
        return self.scale * x


jax.jit(Affine(2.0))(1.0)  #! JAX402

# %% an object that is jitted, of a class below, under another name, by a decorator of the module
from dataclasses import dataclass
from functools import partial

import jax


@dataclass
class Affine:
    scale: float

    def __call__(self, x):
        return self.scale * x


class Named(Affine):
    name = "named"


compiled = partial(jax.jit, donate_argnums=0)
step = compiled(Named(2.0))
step(1.0)  #! JAX402

# %% an object that is jitted, in an attribute, which a method calls
from dataclasses import dataclass

import jax


@dataclass
class Affine:
    scale: float

    def __call__(self, x):
        return self.scale * x


class Model:
    def __init__(self, scale):
        self.apply = jax.jit(Affine(scale))

    def __call__(self, x):
        return self.apply(x)  #! JAX402


Model(2.0)(1.0)

# %% an object that is checkpointed, with a list in what it is compared by
from dataclasses import dataclass

import jax


@dataclass(frozen=True)
class Power:
    exponents: list

    def __call__(self, x):
        return sum(x**each for each in self.exponents)


jax.checkpoint(Power([1, 2]))(1.0)  #! JAX402

# %% objects that are jitted and have a hash: frozen, by identity, their own, and what is made of the object
from dataclasses import dataclass

import jax


@dataclass(frozen=True)
class Frozen:
    scale: float

    def __call__(self, x):
        return self.scale * x


@dataclass(eq=False)
class Same:
    scale: float

    def __call__(self, x):
        return self.scale * x


@dataclass
class Hashed:
    scale: float

    def __call__(self, x):
        return self.scale * x

    def double(self, x):
        return 2 * self(x)

    __hash__ = object.__hash__


@dataclass
class Affine:
    scale: float

    def __call__(self, x):
        return self.scale * x

    def double(self, x):
        return 2 * self(x)


for jitted in (jax.jit(Frozen(2.0)), jax.jit(Same(2.0)), jax.jit(Hashed(2.0))):
    jitted(1.0)
affine = Affine(2.0)
jax.jit(affine.double)(1.0)
jax.jit(affine.__call__)(1.0)
jax.jit(lambda x: affine(x))(1.0)
jax.jit(jax.grad(affine))(1.0)
jax.jit(jax.vmap(affine))(jax.numpy.ones(2))
jax.vmap(affine)(jax.numpy.ones(2))
jax.grad(affine)(1.0)

# %% an object that is jitted where nothing is compiled
from dataclasses import dataclass

import jax


@dataclass
class Affine:
    scale: float

    def __call__(self, x):
        return self.scale * x


with jax.disable_jit():
    jax.jit(Affine(2.0))(1.0)


# %% ok: a tuple of another length than is unpacked is not that tuple: a base class from elsewhere wraps the method
import types
from collections import namedtuple
from functools import partial

import jax
import jax.numpy as jnp

elsewhere = types.ModuleType("elsewhere")
exec("class Script:\n    def __init_subclass__(cls):\n        cls.unroll = cls.wrapped(cls.unroll)", elsewhere.__dict__)

Four = namedtuple("Four", "model rng_keys init_args init_kwargs")
Three = namedtuple("Three", "model variables rng_keys")


class Model(elsewhere.Script):
    def wrapped(unroll):
        def inner(self):
            made = unroll(self)
            return Three(made.model, {"scale": 1.0}, made.rng_keys)

        return inner

    def unroll(self):
        return Four(jnp.sin, frozenset(("dropout",)), (jnp.zeros((1, 2)),), {})


class Layers(Model):
    def unroll(self):
        return Four(jnp.cos, frozenset(("dropout",)), (jnp.zeros((1, 2)),), {})


def run(model):
    function, variables, rng_keys = model.unroll()

    @partial(jax.jit, static_argnums=1)
    def loss(rng, rng_keys, x):
        rngs = {name: rng for name in rng_keys}
        return function(x) + jax.random.normal(rngs["dropout"], x.shape)

    return loss(jax.random.key(0), rng_keys, jnp.ones((1, 2)))


print(run(Layers()))


# %% arrays as keys in methods of dicts and sets
import jax.numpy as jnp

table = {}
seen = set()


def row(state):
    return table.setdefault(state, [0.0])  #! JAX402


def look(state):
    return table.get(state, 0.0)  #! JAX402


def forget(state):
    seen.discard(state)  #! JAX402
    return table.pop(state)  #! JAX402


def by_number(state):
    seen.add(int(state.sum()))
    return table.setdefault(int(state.sum()), []), table.get(state.shape), table.get(tuple(state.tolist()))


print(by_number(jnp.zeros(2)))
row(jnp.zeros(2))
look(jnp.zeros(2))
forget(jnp.zeros(2))


# %% the hash that a dataclass asks for, whatever its base has, and the one that it has not
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass
class Base:
    name: str = "gpt"


@dataclass(eq=True, unsafe_hash=True)
class Hashed(Base):
    width: int = 4


@dataclass(unsafe_hash=False)
class Plain(Hashed):
    depth: int = 2


@dataclass(unsafe_hash=True)
class OfList(Base):
    widths: list = None


@partial(jax.jit, static_argnums=0)
def create(config, key):
    return jax.random.normal(key, (config.width,))


@partial(jax.jit, static_argnums=0)
def count(config, x):
    return x * len(config.widths)


print(create(Hashed(width=2), jax.random.key(0)))
print(create(Plain(), jax.random.key(1)))  #! JAX402
print(count(OfList(widths=[1]), jnp.ones(2)))  #! JAX402


# %% functions and comprehensions that hash the items of an array
import collections

import jax.numpy as jnp
import numpy as np


def elements(x):
    return set(x), frozenset(list(x)), {v for v in x}  #! JAX402


def counted(x):
    return collections.Counter(x)  #! JAX402


def named(x):
    return dict.fromkeys(x, 0)  #! JAX402


def paired(x):
    return dict(zip(x, "abc"))  #! JAX402


def ordered(x):
    return collections.OrderedDict([(x[0], 1)])  #! JAX402


def indexed(x):
    return {k: i for i, k in enumerate(x)}  #! JAX402


def united(x):
    return set().union(x)  #! JAX402


def rows(table):
    return {row for row in np.asarray(table)}


def rows_of_zeros():
    return {np.zeros(3)}  #! JAX402


def answered(x):
    return hash(x[0])  #! JAX402


def asked(x):
    return x[0] in {0, 1}  #! JAX402


ints = jnp.arange(3)
print(rows(ints))
accepted = []
for each in (elements, counted, named, paired, ordered, indexed, united, asked, answered):
    try:
        each(ints)
    except TypeError:
        continue
    accepted.append(each)
assert not accepted, accepted
rows_of_zeros()


# %% arrays in tuples that are hashed
import functools
from typing import NamedTuple

import jax.numpy as jnp

seen = {}


class Position(NamedTuple):
    row: object
    column: object


class Named(NamedTuple):
    name: str
    value: object

    def __hash__(self):
        return hash(self.name)


@functools.cache
def cached(position):
    return position


def stored(x):
    seen[(x[0], x[1])] = 1  #! JAX402


def looked_up(x):
    return (x[0], 1) in seen, seen.get((x[0], 1)), seen[x[0], 1]  #! JAX402


def remembered(x):
    return cached((x[0], 1))  #! JAX402


def of_record(x):
    return {Position(x[0], 0)}  #! JAX402


x = jnp.arange(3)
seen[Named("x", x)] = 1
accepted = []
for each in (stored, looked_up, remembered, of_record):
    try:
        each(x)
    except TypeError:
        continue
    accepted.append(each)
assert not accepted, accepted
remembered(x)


# %% what is hashed is made of arrays, or beside them
import collections
import functools

import jax
import jax.numpy as jnp
import numpy as np

x = jnp.arange(3)
names = ("a", "b", "c")
params = {"w": x, "b": x}


@functools.cache
def cached(position):
    return position


def is_hashable(value):
    try:
        hash(value)
    except TypeError:
        return False
    return True


print(set(x.tolist()), set(np.asarray(x)), set(map(int, x)), set(x.shape), frozenset(params))
print(collections.Counter(x.tolist()), collections.Counter(int(v) for v in x), collections.Counter(names))
print(dict(zip(names, x)), dict.fromkeys(names, x), dict([("a", x)]), {k: v for k, v in zip(names, x)})
print({int(v) for v in x}, {k: v for v, k in zip(x, names)}, int(x[0]) in {0, 1}, x[0] in [0, 1], hash(x.shape))
print(cached(tuple(x.tolist())), cached((x.shape, str(x.dtype))), is_hashable(x), set(params) - {"w"})
params.update({"v": x}), params.update([("u", x)]), set(names).isdisjoint(params)
print(collections.OrderedDict(params), {id(v) for v in params.values()}, set(jax.tree.structure(x).node_data() or ()))
print({(i, i + 1): v for i, v in enumerate(x)}, max(set(names), key=names.index), {x.dtype for x in params.values()})


# %% lists, views and mappings that a method gives as static arguments
import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.partial(jax.jit, static_argnames="n")
def step(x, n):
    return x


class Options:
    def __init__(self):
        self.scale = 2.0


def words(x, text):
    return step(x, "a b".split()), step(x, text.splitlines())  #! JAX402


def numbers(x):
    return step(x, x.tolist())  #! JAX402


def host_numbers(x):
    return step(x, np.arange(3).tolist())  #! JAX402


def views(x, options):
    return step(x, options.items()), step(x, options.keys())  #! JAX402


def attributes(x):
    return step(x, vars(Options()))  #! JAX402


x = jnp.ones(2)
accepted = []
for call in (
    lambda: words(x, "a\nb"),
    lambda: numbers(x),
    lambda: host_numbers(x),
    lambda: views(x, {"a": 1}),
    lambda: attributes(x),
):
    try:
        call()
    except ValueError:
        continue
    accepted.append(call)
assert not accepted, accepted
numbers(x)


# %% what methods give that has a hash
import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.partial(jax.jit, static_argnames="n")
def step(x, n):
    return x


x = jnp.ones(2)
options = {"a": 1}
step(x, tuple("a b".split())), step(x, "a b".partition(" ")), step(x, "a b".split()[0]), step(x, "a b".strip())
step(x, x.sum().tolist()), step(x, tuple(x.tolist())), step(x, x.tolist()[0]), step(x, np.float32(1.0).tolist())
step(x, tuple(options.items())), step(x, frozenset(options)), step(x, options.values()), step(x, enumerate([1]))
step(x, len("a b".split())), step(x, max(x.tolist())), step(x, zip([1], [2])), step(x, ",".join("a b".split()))
for name in "a b".split():
    step(x, name)
for key, value in options.items():
    step(x, (key, value))
first, second = "a b".split()
step(x, first)


# %% objects whose class is derived from one of Python's that has no hash
import collections
import functools
import types

import jax
import jax.numpy as jnp


class Settings(dict):
    __getattr__ = dict.__getitem__


class Narrow(Settings):
    pass


class Record(types.SimpleNamespace):
    def override(self, **changed):
        return type(self)(**{**vars(self), **changed})


class Sizes(collections.UserList):
    pass


class Table(collections.OrderedDict):
    @functools.partial(jax.jit, static_argnums=0)
    def scaled(self, x):
        return x * len(self)


@functools.partial(jax.jit, static_argnums=0)
def forward(settings, x):
    return x * 2


x = jnp.ones(2)
accepted = []
for call in (
    lambda: forward(Settings(rate=0.1), x),  #! JAX402
    lambda: forward(Narrow(rate=0.1), x),  #! JAX402
    lambda: forward(Record(rate=0.1).override(rate=0.2), x),  #! JAX402
    lambda: forward(Sizes([1, 2]), x),  #! JAX402
    lambda: Table(a=1).scaled(x),  #! JAX402
):
    try:
        call()
    except ValueError:
        continue
    accepted.append(call)
assert not accepted, accepted
forward(Record(rate=0.1), x)  #! JAX402


# %% objects of such classes that have a hash
import collections
import enum
import functools
import types

import jax
import jax.numpy as jnp


class Settings(dict):
    def __hash__(self):
        return hash(tuple(sorted(self.items())))


class Hashed:
    def __hash__(self):
        return 1


class Mixed(Hashed, types.SimpleNamespace):
    pass


class ById(collections.UserDict):
    __hash__ = object.__hash__


class Mode(str, enum.Enum):
    FAST = "fast"


class Sizes(tuple):
    pass


class Frozen(frozenset):
    pass


class Narrow(Settings):
    pass


@functools.partial(jax.jit, static_argnums=0)
def forward(settings, x):
    return x * 2


x = jnp.ones(2)
forward(Settings(rate=0.1), x), forward(Narrow(rate=0.1), x), forward(Mixed(rate=0.1), x)
forward(ById(), x), forward(Mode.FAST, x), forward(Sizes((1, 2)), x), forward(Frozen((1, 2)), x)


# %% a dataclass that makes a hash beside an equality of its own
import dataclasses
import functools

import jax
import jax.numpy as jnp


@dataclasses.dataclass(unsafe_hash=True, eq=False)
class Model:
    name: str = "m"

    def __eq__(self, other):
        return isinstance(other, Model) and self.name == other.name

    @functools.partial(jax.jit, static_argnums=0)
    def predict(self, x):
        return x * len(self.name)


@dataclasses.dataclass(frozen=True)
class Frozen:
    name: str = "m"

    def __eq__(self, other):
        return isinstance(other, Frozen) and self.name == other.name

    @functools.partial(jax.jit, static_argnums=0)
    def predict(self, x):
        return x * len(self.name)


@dataclasses.dataclass(frozen=True, eq=False)
class Unhashed:
    name: str = "m"

    def __eq__(self, other):
        return isinstance(other, Unhashed) and self.name == other.name

    @functools.partial(jax.jit, static_argnums=0)
    def predict(self, x):
        return x * len(self.name)


x = jnp.ones(2)
Model().predict(x), Frozen().predict(x)
Unhashed().predict(x)  #! JAX402


# %% what is not hashed is not traced
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("n",))
def central(n):
    n = int(n)
    return jnp.zeros(()) if n < 0 else jnp.exp(2.0 * n)


@partial(jax.jit, static_argnums=0)
def scaled(n, x):
    return x * int(n)


def batch(n):
    return jax.vmap(central)(jnp.asarray(n))  #! JAX402


def of_each(n, x):
    return jax.lax.map(lambda i: scaled(i, x), n)  #! JAX402


print(central(3), scaled(3, jnp.ones(2)))
jax.jit(of_each)(jnp.arange(3), jnp.ones(2))
jax.jit(batch)(jnp.arange(3))


# %% a property that is kept in its object asks for no hash, as a cached method does
import dataclasses
import functools

import jax.numpy as jnp
import numpy as np


@dataclasses.dataclass(frozen=True)
class Graph:
    weights: np.ndarray

    @functools.cached_property
    def total(self):
        return self.weights.sum()

    @functools.lru_cache
    def scaled(self, factor):
        return self.weights * factor


graph = Graph(jnp.ones(3))
print(graph.total)
graph.scaled(2)  #! JAX402


# %% what is memoised is a partial
import functools

import jax.numpy as jnp


def gram(scale, x):
    return jnp.matmul(scale * x, x.T)


class Kernel:
    def __init__(self, scale):
        self.gram = functools.lru_cache(maxsize=4)(functools.partial(gram, scale))

    def trace(self, x):
        return jnp.trace(self.gram(x))  #! JAX402


print(Kernel(2.0).trace(jnp.eye(2)))


# %% ... a bound method
import functools

import jax.numpy as jnp


class Kernel:
    def __init__(self, scale):
        self.scale = scale
        self.gram = functools.cache(self._gram)

    def _gram(self, x):
        return jnp.matmul(self.scale * x, x.T)


print(Kernel(2.0).gram(jnp.eye(2)))  #! JAX402


# %% ... a compiled function
import functools

import jax
import jax.numpy as jnp

gram = functools.cache(jax.jit(lambda x: jnp.matmul(x, x.T)))
print(gram(jnp.eye(2)))  #! JAX402


# %% ... a function of JAX
import functools

import jax.numpy as jnp

cholesky = functools.lru_cache(jnp.linalg.cholesky)
print(cholesky(jnp.eye(2)))  #! JAX402


# %% ... which are given what has a hash
import functools

import jax
import jax.numpy as jnp

double = functools.cache(jax.jit(lambda x, n: x * n, static_argnums=1))
eye = functools.cache(jnp.eye)


class Kernel:
    def __init__(self, scale):
        self.scale = scale
        self.gram = functools.cache(self._gram)

    def _gram(self, n):
        return self.scale * jnp.eye(n)


kernel = Kernel(2.0)
print(kernel.gram(2) + eye(2), double(2.0, n=2), eye(2))
kernel.gram.cache_clear()
print(jax.jit(lambda x: jnp.matmul(x, kernel.gram(2)))(jnp.ones(2)))


# %% an object is no class, a string or a dict: what runs for these only is not run for it
import inspect

import jax.numpy as jnp
from jax.tree_util import register_pytree_node_class


@register_pytree_node_class
class Var:
    def __init__(self, id):
        self.id = id

    def __hash__(self):
        return hash((Var, self.id))

    def __eq__(self, other):
        return self.id is other.id

    def tree_flatten(self):
        return (self.id,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


class Values:
    def __init__(self, table):
        self.table = table

    def of(self, which):
        return self.table[which]

    def __getitem__(self, key):
        if isinstance(key, type):
            return self.of(key)
        return self.table[type(key)][key.id]

    def get(self, key):
        if not inspect.isclass(key) and not isinstance(key, (str, dict)):
            return self.table[type(key)][key.id]
        return self.of(key)

    def find(self, key):
        match key:
            case type() | str():
                return self.of(key)
        return self.table[type(key)][key.id]


poses = Var(jnp.arange(3))
values = Values({Var: jnp.ones((3, 2)), "all": jnp.ones(2)})
print(values[poses], values[Var], values.get(poses), values.get(Var), values.get("all"))
print(values.find(poses), values.find(Var))
for each in (poses, Var):
    print(values[each], values.get(each))


# %% ... nor is an array
import inspect

import jax.numpy as jnp

table = {int: jnp.ones(2), float: jnp.zeros(2)}


def of(which):
    return table[which]


def get(key):
    return of(key) if isinstance(key, type) else key


def find(key):
    return of(key) if inspect.isclass(key) else key


print(get(jnp.ones(2)), get(int), find(jnp.ones(2)), find(float))


# %% ... where it is of what the test asks for
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Var:
    id: jax.Array


def get(table, key):
    if isinstance(key, type):
        return None
    if isinstance(key, object):
        return table[key]  #! JAX402
    return None


print(get({Var: jnp.ones(2)}, Var(jnp.ones(2))))


# %% ... and of one that is a tuple
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Var(NamedTuple):
    id: jax.Array


def get(table, key):
    if isinstance(key, tuple):
        return table[key]  #! JAX402
    return None


print(get({Var: jnp.ones(2)}, Var(jnp.ones(2))))

# %% silent: what is in the key has been found not to be an array, by what a tree of answers says
import jax
import jax.numpy as jnp
import numpy as np

cache = {}


def is_array(x):
    if x is None:
        return False
    return jax.tree_util.tree_all(jax.tree_util.tree_map(lambda y: isinstance(y, (np.ndarray, jnp.ndarray)), x))


def are_arrays(x):
    return all(map(lambda y: isinstance(y, (np.ndarray, jnp.ndarray)), jax.tree.leaves(x)))


def jitted(f, asks):
    def wrapped(x, *args):
        arrays, other = [], {}
        for i, arg in enumerate(args):
            if asks(arg):
                arrays.append(arg)
            else:
                other[i] = arg
        key = (f,) + tuple(other.items())
        if key in cache:
            g = cache[key]
        else:
            g = jax.jit(lambda x, *arrays: f(x, *arrays, *other.values()))
            cache[key] = g
        return g(x, *arrays)

    return wrapped


def kernel(x, y, get):
    return jnp.matmul(x, y.T) if get == "nngp" else jnp.matmul(x, y.T) + 1.0


jitted(kernel, is_array)(jnp.ones((2, 3)), jnp.ones((2, 3)), "nngp")
jitted(kernel, are_arrays)(jnp.ones((2, 3)), jnp.ones((2, 3)), "nngp")

# %% silent: a question is asked of each argument apart, however many have been asked it
import jax
import jax.numpy as jnp

cache = {}


def is_array(x):
    if x is None:
        return False
    return jax.tree.all(jax.tree.map(lambda y: isinstance(y, jax.Array), x))


def jitted(f):
    def wrapped(x, *args):
        arrays, other = [], {}
        for i, arg in enumerate(args):
            if is_array(arg):
                arrays.append(arg)
            else:
                other[i] = arg
        key = (f,) + tuple(other.items())
        if key not in cache:
            cache[key] = jax.jit(lambda x, *arrays: f(x, *arrays, *other.values()))
        return cache[key](x, *arrays)

    return wrapped


def kernel(x, y, get):
    return jnp.matmul(x, y.T) if get == "nngp" else jnp.matmul(x, y.T) + 1.0


for each in (None, True, 1, 2, 3, 4, 5, 6, 7, 8, "a", "b", "c", (1, 2), (3, 4)):
    print(is_array(each), is_array((each, jnp.ones(2))))
jitted(kernel)(jnp.ones((2, 3)), jnp.ones((2, 3)), "nngp")

# %% the tree of answers says that all are arrays
import jax
import jax.numpy as jnp

cache = {}


def is_array(x):
    return jax.tree.all(jax.tree.map(lambda y: isinstance(y, jax.Array), x))


def kept(x, which):
    key = (which,) if is_array((which, x)) else ()
    if key not in cache:  #! JAX402
        cache[key] = x + 1.0  #! JAX402
    return cache[key]  #! JAX402


kept(jnp.ones(3), jnp.ones(()))

# %% lists that reach a frozen config by a comprehension over the names of its fields
import dataclasses
from functools import partial

import jax


@dataclasses.dataclass(frozen=True)
class Config:
    n: int = 1
    stop: tuple[int, ...] = ()


@partial(jax.jit, static_argnames="cfg")
def f(x, cfg):
    return x * cfg.n


def load(raw):
    names = {field.name for field in dataclasses.fields(Config)}
    return Config(**{k: v for k, v in raw.items() if k in names})


f(1.0, cfg=load({"n": 2, "comment": [1, 2]}))
f(1.0, cfg=load({"n": 2, "stop": [1, 2], "comment": ""}))  #! JAX402


# %% ... by a list of names, at the top of a script, and what the names leave out
import dataclasses
from functools import partial

import jax


@dataclasses.dataclass(frozen=True)
class Config:
    n: int = 1
    stop: tuple[int, ...] = ()


@partial(jax.jit, static_argnames="cfg")
def f(x, cfg):
    return x * cfg.n


raw = {"n": 2, "stop": [1, 2], "comment": ""}
kept = ["n"]
names = [each.name for each in dataclasses.fields(Config)]
f(1.0, cfg=Config(**{k: v for k, v in raw.items() if k in kept}))
f(1.0, cfg=Config(**{k: tuple(v) if isinstance(v, list) else v for k, v in raw.items() if k in names}))
f(1.0, cfg=Config(**{k: v for k, v in raw.items() if k in names}))  #! JAX402


# %% names that are put into a set later decide as well
import dataclasses
from functools import partial

import jax


@dataclasses.dataclass(frozen=True)
class Config:
    n: int = 1
    stop: tuple[int, ...] = ()


@partial(jax.jit, static_argnames="cfg")
def f(x, cfg):
    return x * cfg.n


def load(raw, dropped):
    names = {"n", "stop"}
    for each in dropped:
        names.discard(each)
    return Config(**{k: v for k, v in raw.items() if k in names})


f(1.0, cfg=load({"n": 2, "stop": [1, 2]}, ["stop"]))


# %% arguments of a program that are lists
import argparse
import dataclasses

import jax

parser = argparse.ArgumentParser()
group = parser.add_argument_group("sizes")
group.add_argument("--hidden-sizes", type=int, nargs="+", default=[2, 3])
parser.add_argument("--strides", "-s", type=int, nargs="*", default=(1, 1))
args = parser.parse_args([])
f = jax.jit(lambda x, sizes: x * len(sizes), static_argnums=1)
f(1.0, args.strides)
f(1.0, tuple(args.hidden_sizes))
f(1.0, args.hidden_sizes)  #! JAX402


# %% ... in a config that is made of all of them
import argparse
import dataclasses

import jax


@dataclasses.dataclass(frozen=True)
class Config:
    n: int
    sizes: tuple[int, ...]


def parse(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, default=2)
    parser.add_argument("--sizes", type=int, nargs="+", required=True)
    return parser.parse_args(argv)


def main(argv):
    f = jax.jit(lambda x, config: x * config.n, static_argnums=1)
    f(1.0, Config(**vars(parse(argv))))  #! JAX402


main(["--sizes", "1", "2"])


# %% ... which an own action makes a tuple, a default does, or an assignment
import argparse

import jax


class AsTuple(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, tuple(values))


parser = argparse.ArgumentParser()
parser.add_argument("--a", type=int, nargs="+", action=AsTuple, default=(1,))
parser.add_argument("--b", type=int, nargs="+", default=[1])
parser.add_argument("--c", type=int, nargs="+", default=[1])
parser.set_defaults(c=(1,))
args = parser.parse_args([])
args.b = tuple(args.b)
f = jax.jit(lambda x, sizes: x * len(sizes), static_argnums=1)
f(1.0, args.a)
f(1.0, args.b)
f(1.0, args.c)


# %% a view of a dict that cannot be written to has no hash
from types import MappingProxyType

import jax

f = jax.jit(lambda x, cfg: x * cfg["n"], static_argnums=1)
SETTINGS = MappingProxyType({"n": 2})
g = jax.jit(lambda x: x * SETTINGS["n"] if "n" in SETTINGS and SETTINGS["n"] > 1 else x * len(SETTINGS))
g(1.0)
for name, value in SETTINGS.items():
    print(name, value, SETTINGS == {"n": 2})
f(1.0, SETTINGS)  #! JAX402


# %% a class whose own hash takes that of a list
import functools

import jax


class Net:
    def __init__(self, sizes):
        self.sizes = sizes

    def __eq__(self, other):
        return self.sizes == other.sizes

    def __hash__(self):
        return hash((Net, self.sizes))

    @functools.partial(jax.jit, static_argnums=0)
    def forward(self, x):
        return x * len(self.sizes)


Net([2, 3]).forward(1.0)  #! JAX402


# %% own hashes that take that of a tuple, of what is in a list, of its length, or of the object
import functools

import jax


class Net:
    def __init__(self, sizes, rates):
        self.sizes = tuple(sizes)
        self.rates = rates

    def __eq__(self, other):
        return (self.sizes, self.rates) == (other.sizes, other.rates)

    def __hash__(self):
        return hash((Net, self.sizes, tuple(self.rates))) ^ len(self.rates)

    @functools.partial(jax.jit, static_argnums=0)
    def forward(self, x):
        return x * len(self.sizes)


class Named(Net):
    def __hash__(self):
        return hash(type(self)) + id(self.rates)


class Chosen(Net):
    def __hash__(self):
        if isinstance(self.rates, list):
            return 0
        return hash(self.rates)


print(Net([2], [3]).forward(1.0), Named([2], [3]).forward(1.0), Chosen([2], [3]).forward(1.0))


# %% a sum of hashes, of an inherited method
import functools

import jax


class Base:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __hash__(self):
        """Of both."""
        return hash(self.a) + 31 * hash(self.b)


class Pair(Base):
    @functools.partial(jax.jit, static_argnums=0)
    def forward(self, x):
        return x


print(Pair(1, (2,)).forward(1.0))
Pair(1, {2: 3}).forward(1.0)  #! JAX402

# %% a field that is declared as a list, a dict or a set and is made one by default, of an annotated parameter
import dataclasses
import functools
from dataclasses import field
from typing import Dict, List, Sequence

import jax


@dataclasses.dataclass
class Config:
    hidden: list = field(default_factory=lambda: [16, 16])
    sizes: list[int] = field(default_factory=list)
    names: "List[str]" = field(default_factory=lambda: [str(i) for i in range(2)])
    table: Dict[str, int] = field(default_factory=dict)
    axes: set = field(default_factory=set)
    shape: Sequence[int] = field(default_factory=lambda: [1])
    given: list = field(default_factory=list)
    fixed: tuple = (1, 2)
    plain: List[int] = dataclasses.field(default=(3, 4))


@functools.partial(jax.jit, static_argnames="layers")
def forward(x, layers):
    return x * len(layers)


def predict(x, config: Config):
    return forward(x, layers=config.hidden)  #! JAX402


def all_of(x, config: Config):
    sizes = config.sizes
    forward(x, sizes)  #! JAX402
    forward(x, config.names)  #! JAX402
    forward(x, config.table)  #! JAX402
    forward(x, config.axes)  #! JAX402


class Model:
    def __init__(self, config: Config):
        self.config = config

    def __call__(self, x):
        return forward(x, layers=self.config.hidden)  #! JAX402


def fine(x, config: Config):
    forward(x, tuple(config.hidden))
    forward(x, config.shape)
    forward(x, config.given)
    forward(x, config.fixed)
    forward(x, config.plain)


fine(1.0, Config(shape=(2,), given=(1, 2)))
predict(1.0, Config())

# %% such fields of classes below that have a tuple, or that are made tuples when an object is made
import dataclasses
import functools

import jax


@dataclasses.dataclass
class Base:
    layers: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Fixed(Base):
    layers: tuple = ()


@dataclasses.dataclass
class Converted:
    sizes: list = dataclasses.field(default_factory=list)

    def __post_init__(self):
        self.sizes = tuple(self.sizes)


@functools.partial(jax.jit, static_argnames="layers")
def forward(x, layers):
    return x * len(layers)


def run(x, base: Base, converted: Converted):
    return forward(x, base.layers) + forward(x, converted.sizes)


run(1.0, Fixed(), Converted([1]))

# %% norun a static parameter that is declared as what has no hash, of a function that nobody calls here
import dataclasses
import functools

import jax


@dataclasses.dataclass
class Config:
    width: int = 3


@dataclasses.dataclass(frozen=True)
class Frozen:
    width: int = 3


class Open:
    width = 3


@dataclasses.dataclass
class Below(Open):
    pass


@functools.partial(jax.jit, static_argnames="config")  #! JAX402
def forward(x, config: Config):
    return x * config.width


@functools.partial(jax.jit, static_argnums=1)  #! JAX402
def scaled(x, weights: jax.Array):
    return x * weights.sum()


def summed(x, config: Config):
    return x + config.width


fast = jax.jit(summed, static_argnames="config")  #! JAX402


@functools.partial(jax.jit, static_argnames=("config", "frozen", "one", "sizes"))
def fine(x, frozen: Frozen, one: Open, sizes: list, config: Config | None):
    return x * frozen.width * one.width


@functools.partial(jax.jit, static_argnames="config")
def by_default(x, config: Config = Frozen()):
    return x * config.width


@jax.jit
def traced(x, weights: jax.Array):
    return x * weights.sum()

# %% a static parameter that is declared as what has no hash: calls say what it is given
import dataclasses
import functools

import jax


@dataclasses.dataclass
class Config:
    width: int = 3


@dataclasses.dataclass(frozen=True)
class Other:
    width: int = 3


@functools.partial(jax.jit, static_argnames="config")
def forward(x, config: Config):
    return x * config.width


forward(1.0, Other())
forward(1.0, Config())  #! JAX402

# %% norun a static parameter that is only used as an object of a class without a hash, which nothing says
import dataclasses
import functools

import jax


@dataclasses.dataclass
class Config:
    width: int = 3
    depth: int = 2


@functools.partial(jax.jit, static_argnames="config")
def forward(x, config):
    return x * config.width * config.depth

# %% what a function makes of an argument of the command line
import argparse
from functools import partial

import jax


@partial(jax.jit, static_argnums=1)
def encode(x, bands):
    return sum(x * b for b in bands)


def numbers(text):
    return [int(part) for part in text.split(":")]


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--bands", type=numbers, default="0:4")
    parser.add_argument("--pair", type=lambda text: tuple(numbers(text)), default="0:4")
    parser.add_argument("--either", type=numbers, default=(0, 4))
    parser.add_argument("--count", type=int, default=4)
    args = parser.parse_args(arguments)
    assert encode(1.0, args.pair) == encode(1.0, args.either) == encode(1.0, (args.count,))
    print(encode(1.0, args.bands))  #! JAX402


main([])

# %% fields of the base of a dataclass that is a dataclass itself
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Config:
    widths: list
    names: list = dataclasses.field(default_factory=list, hash=False)


@dataclasses.dataclass(frozen=True)
class Deep(Config):
    rate: float = 1.0


class Plain:
    widths: list


@dataclasses.dataclass(frozen=True)
class Other(Plain):
    rate: float = 1.0


@dataclasses.dataclass(frozen=True)
class Fixed(Config):
    widths: tuple


step = jax.jit(lambda x, config: x * config.rate, static_argnums=1)
other = Other()
object.__setattr__(other, "widths", [16])
assert step(1.0, other) == 1.0
print(jax.jit(lambda x, config: x * config.widths[0], static_argnums=1)(1.0, Fixed((16,))))
step(1.0, Deep([16]))  #! JAX402
