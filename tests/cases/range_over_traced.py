# %% the exponent of a jitted power
import jax


@jax.jit
def power(x, n):
    y = 1.0
    for _ in range(n): #! JAX104
        y = y * x
    return y


power(2.0, 5)

# %% the stop of a two-argument range, in a comprehension
import jax
import jax.numpy as jnp


@jax.jit
def polynomial(x, degree):
    terms = [x**k for k in range(1, degree)] #! JAX104
    return sum(terms)


polynomial(jnp.float32(2.0), 3)

# %% negative step, start traced, passed by keyword to the jitted lambda
import jax
import jax.numpy as jnp

countdown = jax.jit(lambda x, start: [x * i for i in range(start, 0, -1)]) #! JAX104
countdown(jnp.ones(2), start=3)

# %% range of shapes, lengths, static arguments and constants
import functools

import jax
import jax.numpy as jnp

LAYERS = 2


@functools.partial(jax.jit, static_argnames=("steps",))
def rollout(x, weights, steps):
    for i in range(x.shape[0]):
        x = x + i
    for i in range(len(weights)):
        x = x * weights[i]
    for axis in range(x.ndim - 1, -1, -1):
        x = jnp.flip(x, axis)
    for _ in range(steps):
        x = x + 1
    for _ in range(LAYERS):
        x = x + 1
    for i in range(0, x.size, 2):
        x = x - i
    return x


rollout(jnp.ones(3), [1.0, 2.0], steps=2)

# %% range of a length, where the length is that of a traced list
import jax
import jax.numpy as jnp


@jax.jit
def chain(matrices, start=0):
    out = matrices[start]
    for k in range(start + 1, len(matrices)):
        out = jnp.matmul(out, matrices[k])
    return out


chain([jnp.eye(2), jnp.eye(2)])

# %% the start index given by a caller: no longer the default
import jax
import jax.numpy as jnp


@jax.jit
def chain(matrices, start=0):
    out = jnp.eye(2)
    for k in range(start, len(matrices)): #! JAX104
        out = jnp.matmul(out, matrices[k])
    return out


chain([jnp.eye(2), jnp.eye(2)])
chain([jnp.eye(2), jnp.eye(2)], 1)

# %% the number of sub-steps is computed from a traced array
import jax
import jax.numpy as jnp


@jax.jit
def substep(x, dt):
    count = jnp.ceil(dt / 0.1).astype(int)
    for _ in range(count): #! JAX104
        x = x * 0.9
    return x


substep(jnp.ones(2), 0.3)

# %% under vmap the mapped count raises, the unmapped one does not
import jax
import jax.numpy as jnp


def repeat_sine(x, n):
    for _ in range(n): #! JAX104
        x = jnp.sin(x)
    return x


jax.vmap(repeat_sine, in_axes=(0, None))(jnp.ones(2), 3)
jax.vmap(repeat_sine, in_axes=(0, None))(jnp.ones(2), jnp.int32(2))
jax.vmap(repeat_sine)(jnp.ones(2), jnp.array([1, 2]))

# %% vmap with the count closed over or unmapped only
import jax
import jax.numpy as jnp

depth = jnp.int32(2)


def repeat_sine(x, n):
    for _ in range(n):
        x = jnp.sin(x)
    for _ in range(depth):
        x = x + 1
    return x


jax.vmap(repeat_sine, in_axes=(0, None))(jnp.ones(2), jnp.int32(2))

# %% gradient alone: an integer array as a count is concrete
import jax
import jax.numpy as jnp


def unrolled(x, n):
    for _ in range(n):
        x = jnp.sin(x)
    for _ in range(jnp.floor(x).astype(int)):
        x = x + 1
    return x


jax.grad(unrolled)(0.5, jnp.int32(2))
jax.grad(unrolled)(0.5, 2)

# %% the loop index of fori_loop as the bound of a Python range
import jax.numpy as jnp
from jax import lax


def triangular(x):
    def outer(i, total):
        for j in range(i): #! JAX104
            total = total + j
        return total

    return lax.fori_loop(0, 3, outer, x)


triangular(jnp.int32(0))

# %% fori_loop and arange with a static bound do the job
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def power(x, n):
    return lax.fori_loop(0, n, lambda _, y: y * x, 1.0)


@partial(jax.jit, static_argnums=1)
def terms(x, n):
    return sum(x**k for k in range(n))


power(2.0, 5)
terms(2.0, 3)

# %% an eager loop around a jitted step counts with arrays
import jax
import jax.numpy as jnp


@jax.jit
def tick(x):
    return x + 1


def simulate(x, steps):
    for _ in range(steps):
        x = tick(x)
    return x


simulate(jnp.zeros(()), jnp.int32(3))
simulate(jnp.zeros(()), 3)

# %% enumerate, zip and iteration over containers of tracers need no index
import jax
import jax.numpy as jnp


@jax.jit
def forward(layers, x):
    for index, (weight, bias) in enumerate(layers):
        x = x * weight + bias + index
    for key, value in {"a": x, "b": x}.items():
        x = x + value * len(key)
    for row, scale in zip([x, x], (1.0, 2.0), strict=True):
        x = x + row * scale
    return x


forward([(1.0, 2.0), (3.0, 4.0)], jnp.ones(2))

# %% a field of a traced configuration object; the static field beside it is fine
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Plan:
    weights: jax.Array
    rounds: int
    stages: int = dataclasses.field(metadata={"static": True}, default=2)


@jax.jit
def execute(plan):
    x = plan.weights
    for _ in range(plan.stages):
        x = x + 1
    for _ in range(plan.rounds): #! JAX104
        x = x * 2
    return x


execute(Plan(jnp.ones(2), 3))

# %% method with self jitted as a closure: configuration on self is an int
import jax
import jax.numpy as jnp


class Stack:
    def __init__(self, depth):
        self.depth = depth
        self.run = jax.jit(self._run)

    def _run(self, x):
        for i in range(self.depth):
            x = jnp.tanh(x) + i
        return x


Stack(2).run(jnp.ones(2))

# %% range passed on through a helper, through *args
import jax
import jax.numpy as jnp


def indices(*bounds):
    return list(range(*bounds)) #! JAX104


@jax.jit
def total(x, n):
    return sum(x * i for i in indices(0, 3)) + len(indices(n))


total(jnp.ones(2), 3)

# %% nested jit with its own static argument, called with a loop constant
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=(1,))
def inner(x, n):
    for _ in range(n):
        x = x * 2
    return x


@jax.jit
def outer(x):
    return inner(x, 2) + inner(x, x.ndim)


outer(jnp.ones(2))

# %% the number of lanes is a number while tracing
import jax
import jax.numpy as jnp
from jax import lax


def send_next(x):
    count = lax.psum(1, "i")
    ring = [(i, (i + 1) % count) for i in range(count)]
    if lax.pmean(2, "i") > 1.0:
        x = x + float(lax.psum(1.5, axis_name="i"))
    return lax.ppermute(x, "i", ring)


print(jax.vmap(send_next, axis_name="i")(jnp.ones(3)), jax.pmap(send_next, axis_name="i")(jnp.ones(1)))

# %% a sum over lanes of what is traced
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def total(rows):
    def one(row):
        return [row for _ in range(lax.psum(row, "i"))]  #! JAX104

    return jax.vmap(one, axis_name="i")(rows)


total(jnp.arange(3))

# %% list repeated
import jax
import jax.numpy as jnp


@jax.jit
def f(x, n):
    return sum([x] * n) #! JAX104


f(1.0, 2)

# %% string repeated
import jax
import jax.numpy as jnp


@jax.jit
def f(x, n):
    text = "-" * n #! JAX104
    return x


f(1.0, 2)

# %% tuple repeated
import jax
import jax.numpy as jnp


@jax.jit
def f(x, n):
    k = jnp.sum(n)
    return x.reshape((1,) * k) #! JAX104


f(jnp.ones(1), jnp.ones(2, int))

# %% islice
import itertools

import jax
import jax.numpy as jnp


@jax.jit
def f(xs, n):
    return sum(itertools.islice(xs, n)) #! JAX104


f([1.0, 2.0], 2)

# %% islice static
import itertools

import jax
import jax.numpy as jnp


@jax.jit
def f(xs, n):
    return sum(itertools.islice(xs, xs[0].size)) + n


f([1.0, 2.0], 2)

# %% itertools.repeat
import itertools

import jax
import jax.numpy as jnp


@jax.jit
def f(x, n):
    return sum(itertools.repeat(x, n)) #! JAX104


f(1.0, 2)

# %% itertools.repeat of a tracer
import itertools

import jax
import jax.numpy as jnp


@jax.jit
def f(x, n):
    return sum(itertools.repeat(x, 3)) + sum(a * b for a, b in zip([x, n], itertools.repeat(n)))


f(1.0, 2)

# %% list augmented repeat
import jax
import jax.numpy as jnp


@jax.jit
def f(x, n):
    xs = [0.0]
    xs *= n #! JAX104
    return x


f(1.0, 2)

# %% enumerate start
import jax
import jax.numpy as jnp


@jax.jit
def f(x, n):
    for i, each in enumerate([x, x], n): #! JAX104
        x = x + i * each
    return x


f(1.0, 2)

# %% itertools.combinations
import itertools

import jax
import jax.numpy as jnp


@jax.jit
def f(x, n):
    return sum(a * b for a, b in itertools.combinations([x, x, x], n)) #! JAX104


f(1.0, 2)

# %% np array times n: numpy host repeated fine
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x, n):
    return np.ones(2) * n + x * n


f(1.0, 2)

# %% float seq: tracers of unknown dims
import jax
import jax.numpy as jnp


@jax.jit
def f(x, n):
    w = [2, 3]
    return x * len(w) + sum([x] * 3)


f(1.0, 2)

# %% under grad alone int works
import jax
import jax.numpy as jnp


def f(x, n):
    return sum([x] * n)


jax.grad(f)(1.0, 2)

# %% under vmap not mapped
import jax
import jax.numpy as jnp


def f(x, n):
    return sum([x] * n)


jax.vmap(f, in_axes=(0, None))(jnp.ones(2), 2)

# %% under vmap mapped
import jax
import jax.numpy as jnp


def f(x, n):
    return sum([x] * n) #! JAX104


jax.vmap(f)(jnp.ones(2), jnp.ones(2, int))


# %% asked before: what is no tracer may be counted, whether the answer is used at once, kept or turned round
import jax
from jax.core import Tracer


def is_known(x):
    return not isinstance(x, Tracer)


@jax.jit
def at_once(t, y):
    if is_known(t) and t in range(3):
        return y, "_" * (3 - t)
    return y


@jax.jit
def kept(t, y):
    first = is_known(t) and t in range(3)
    if first:
        return y, "_" * (3 - t)
    return y


@jax.jit
def chosen(t, y):
    later = False if is_known(t) else True
    if not later:
        return y, [0] * t
    return y


print(at_once(1, 2.0), kept(1, 2.0), chosen(1, 2.0))


# %% raises asked before and changed since: the flag says nothing of what the variable holds now
import jax
from jax.core import Tracer


def is_known(x):
    return not isinstance(x, Tracer)


@jax.jit
def f(t, y):
    first = is_known(t)
    first = True
    if first:
        return y, [0] * t  #! JAX104
    return y


f(1, 2.0)


# %% an array of at least one dimension is no list, unless there are several
import jax
import jax.numpy as jnp


@jax.jit
def f(k, s):
    return jnp.atleast_1d(k) * s, s * jnp.atleast_2d(jnp.asarray(k)), jnp.atleast_3d(k) - s


print(f(1.0, 2.0))


# %% raises several arrays of at least one dimension: a list of them
import jax
import jax.numpy as jnp


@jax.jit
def f(k, s, n):
    return jnp.atleast_1d(k, s) * n  #! JAX104


f(1.0, 2.0, 2)


# %% what is no whole number repeats nothing: where a text may be a pair, a function is not called with the text
import jax


def halves(x, end):
    def of_pair(y):
        return y - 0.5 * end[1] * x

    def doubled(y):
        return y + 2.5 * end * x + (0.5 * [1.0]) * x

    if end == "free":
        return x
    if end[0] == 2:
        return of_pair(x)
    return doubled(x)


@jax.jit
def both(x):
    return halves(x, "free") + halves(x, (2, 1.0))


both(2.0)


# %% a text that is repeated is a text
import jax


def lines(x, end):
    return 2 * end * x  #! JAX104


@jax.jit
def ruled(x):
    return lines(x, "-")


ruled(2)


# %% what an attribute is read of is no list
import jax
import jax.numpy as jnp


def cell(box):
    if box.ndim == 0:
        return jnp.eye(3) * box
    return box


def repeated(box):
    return box * jnp.int32(2)  #! JAX104


@jax.jit
def step(x, flag=False):
    box = [x, x] if flag else x.sum()
    return cell(box)


@jax.jit
def lists(x):
    return repeated([x, x]) + [1] * x  #! JAX104


step(jnp.ones(3))
lists(jnp.ones(3))


# %% jax.jvp with has_aux gives three values
import jax
import jax.numpy as jnp


@jax.jit
def with_aux(x, eps):
    score, slope, aux = jax.jvp(lambda x: (x**2, [x, x]), (x,), (eps,), has_aux=True)
    return (2 * slope * eps).sum() + len(aux) * score.sum()


@jax.jit
def repeated(x, eps):
    score, slope, aux = jax.jvp(lambda x: (x**2, [x, x]), (x,), (eps,), has_aux=True)
    return aux * score[0].astype(int)  #! JAX104


with_aux(jnp.ones(3), jnp.ones(3))
repeated(jnp.ones(3), jnp.ones(3))


# %% one of the models that a name chooses gives a tuple, the others an array
import flax.linen as nn
import jax
import jax.numpy as jnp

MODELS = {}


def register(name):
    def kept(cls):
        MODELS[name] = cls
        return cls

    return kept


@register("single")
class Single(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(3)(x)


@register("joint")
class Joint(nn.Module):
    @nn.compact
    def __call__(self, x):
        return Single()(x), Single()(x)


def run(name, x):
    model = MODELS[name]()
    params = model.init(jax.random.key(0), x)

    @jax.jit
    def step(x, t):
        return model.apply(params, x) * t

    return step(x, 2.0)


run("single", jnp.ones((2, 3)))


# %% ok: a dict made of one of two dicts holds their values
import jax
import jax.numpy as jnp


def make_wide():
    def init(count):
        return {f"sigma_{i}": jnp.ones((3, 2)) for i in range(count)}

    def apply(params, r):
        return jnp.exp(-params["sigma_0"] * r)

    return init, apply


def make_narrow():
    def init(count):
        params = {}
        for i in range(count):
            params[f"pi_{i}"] = jnp.ones((3, 2))
        return params

    def apply(params, r):
        return jnp.sum(params[f"pi_{0}"] * jnp.exp(-r), axis=1)

    return init, apply


def make(kind):
    if kind == "wide":
        return make_wide()
    return make_narrow()


def network(kind):
    start, run = make(kind)

    def init():
        return {"envelope": dict(start(1)), "again": {**start(1)}, "joined": start(1) | {}}

    def apply(params, xs):
        return jax.vmap(lambda x: run(params["envelope"], x) + run(params["again"], x) * 2)(xs)

    return init, apply


for kind in ("wide", "narrow"):
    init, apply = network(kind)
    print(apply(init(), jnp.ones((4, 3, 2))).shape)


# %% a number in an object is an array where the object is a pytree
import dataclasses

import jax
import jax.numpy as jnp


def registered(cls):
    cls = dataclasses.dataclass(cls)
    names = [field.name for field in dataclasses.fields(cls)]

    def children(self):
        for name in names:
            yield getattr(self, name)

    cls.children = children

    def flatten(obj):
        return tuple(obj.children()), ()

    def unflatten(aux, children):
        return cls(**dict(zip(names, children)))

    jax.tree_util.register_pytree_node(cls, flatten, unflatten)
    return cls


@registered
class Cosmology:
    density: jax.Array
    h: jax.Array


@jax.jit
def gravity(x, cosmology):
    x *= 1.5 * cosmology.density.astype(jnp.float32)
    return x


print(gravity(jnp.ones(3), Cosmology(0.3, 0.7)))


# %% norun equinox: a field with a converter is an array once the object is made, also behind a constructor
import equinox as eqx
import jax
import jax.numpy as jnp


class Arm(eqx.Module):
    lengths: jax.Array = eqx.field(converter=jnp.asarray)
    offsets: tuple = ()
    names: tuple = eqx.field(converter=tuple, static=True)

    def __init__(self, lengths=(0.30, 0.33)):
        self.lengths = lengths
        self.offsets = lengths
        self.names = ["a", "b"]

    @eqx.filter_jit
    def position(self, angle):
        return self.lengths * jnp.array([jnp.cos(angle), jnp.sin(angle)])

    @jax.jit
    def shifted(self, angle):
        return self.offsets * jnp.argmax(angle)  #! JAX104


class Field(eqx.Module):
    scale: jax.Array = eqx.field(converter=jnp.asarray)

    def __call__(self, x):
        return self.scale * jnp.sum(x.astype(int))


arm = Arm()
print(arm.position(jnp.ones(2)), eqx.filter_jit(Field((1.0, 2.0)))(jnp.ones(2)))
arm.shifted(jnp.ones(2))
