# %% print of a traced value: shown once, as a tracer
import jax


@jax.jit
def f(x):
    print("x =", x)  #! JAX202
    return x + 1


for value in (1.0, 2.0, 3.0):
    f(value)


# %% f-string: the string is made from the tracer when the step is traced
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames=("train",))
def loss_fn(w, batch, train=True):
    loss = jnp.mean((batch - w) ** 2)
    print(f"loss is {loss} (train={train})")  #! JAX202
    return loss


loss_fn(0.5, jnp.ones(4))
loss_fn(0.1, jnp.ones(4))


# %% scan body: one line for the whole loop, without jit too
import jax
import jax.numpy as jnp


def body(carry, x):
    carry = carry + x
    print(carry)  #! JAX202
    return carry, x


total, _ = jax.lax.scan(body, 0.0, jnp.arange(5.0))
print(total)


# %% helper that reports: the print is two calls below the transform
import jax
import jax.numpy as jnp


def report(name, value):
    print("{}: {}".format(name, value))  #! JAX202


def residual(x):
    r = jnp.cos(x) - x
    report("residual", r)
    return r


solve_step = jax.jit(lambda x: x + residual(x))
solve_step(1.0)
solve_step(0.5)


# %% branch of a cond: the print is made while tracing, whichever branch runs
import jax
import jax.numpy as jnp
from jax import lax


def overflow(x):
    print("overflow at", x)  #! JAX202
    return jnp.zeros_like(x)


@jax.jit
def guard(x):
    return lax.cond(x > 1e3, overflow, lambda x: x, x)


guard(1.0)


# %% whole pytree: a dict of tracers is printed as a dict of tracers
import jax
import jax.numpy as jnp


class Net:
    def __init__(self):
        self.apply = jax.jit(self._apply)

    def _apply(self, params, x):
        print(params)  #! JAX202
        return jnp.tanh(x * params["w"] + params["b"])


net = Net()
net.apply({"w": 1.0, "b": 0.0}, jnp.ones(2))


# %% print in a lambda: print returns None, so it hides in an or
import jax

double = jax.jit(lambda x: print(x) or x * 2)  #! JAX202
double(1.0)
double(2.0)


# %% other names of print: an alias, a file, pprint
import builtins
import sys
from pprint import pprint

import jax

say = print


@jax.jit
def step(state):
    say("state", state)  #! JAX202
    builtins.print(state["x"] * 2, file=sys.stderr)  #! JAX202
    pprint(state)  #! JAX202
    return {"x": state["x"] + 1.0}


step({"x": 0.0})


# %% gradient under jit: custom rules are traced with the rest
import jax
import jax.numpy as jnp


@jax.custom_vjp
def clip_gradient(x):
    return x


def clip_fwd(x):
    return x, None


def clip_bwd(_, g):
    print("gradient", g)  #! JAX202
    return (jnp.clip(g, -1.0, 1.0),)


clip_gradient.defvjp(clip_fwd, clip_bwd)
slope = jax.jit(jax.grad(lambda x: 5.0 * clip_gradient(x) ** 2))
slope(3.0)
slope(4.0)


# %% star arguments: print is handed the tuple of tracers
import jax


def traced_calls(fn):
    def wrapper(*args):
        out = fn(*args)
        print("called with", *args)  #! JAX202
        return out

    return wrapper


@jax.jit
@traced_calls
def add(a, b):
    return a + b


add(1.0, 2.0)
add(3.0, 4.0)


# %% result of jax.numpy: inside a trace even an array made from constants is a tracer
import jax
import jax.numpy as jnp


@jax.jit
def basis(x):
    nodes = jnp.linspace(0.0, 1.0, 3)
    print(nodes)  #! JAX202
    return x * nodes


basis(1.0)
basis(2.0)


# %% shapes and dtypes: what is known while tracing may be told while tracing
import jax
import jax.numpy as jnp


@jax.jit
def forward(params, x):
    print("forward", x.shape, x.dtype, x.ndim)
    print(f"batch of {x.shape[0]}, {len(params)} parameters, {x.size} numbers")
    print("types", type(x), jax.tree.map(jnp.shape, params))
    return jnp.tanh(x * params["w"])


forward({"w": 1.0}, jnp.ones((2, 3)))


# %% static values: static arguments and closed-over Python values are what they seem
from functools import partial

import jax

BETA = 0.9


def make_step(lr):
    @partial(jax.jit, static_argnums=(1,))
    def step(w, mode):
        print("compiling step for", mode, lr, BETA)
        return w * (1.0 - lr)

    return step


step = make_step(0.1)
step(1.0, "train")
step(1.0, "eval")


# %% debug.print and callbacks: these run when the compiled program runs
import jax
import jax.numpy as jnp
from jax.experimental import io_callback


def show(value):
    print("value", value)


@jax.jit
def step(x):
    jax.debug.print("x = {x}", x=x)
    jax.debug.callback(show, x)
    jax.debug.callback(lambda v: print("twice", v * 2), x)
    io_callback(show, None, x, ordered=True)
    return x + 1


step(1.0)
step(2.0)
jax.effects_barrier()


# %% eager transforms: under vmap and grad alone print runs at every call
import jax
import jax.numpy as jnp


def energy(x):
    print("energy of", x)
    return jnp.sum(x**2)


jax.grad(energy)(jnp.ones(2))
jax.vmap(energy)(jnp.ones((3, 2)))
energy(jnp.ones(2))


# %% around the jitted call: the caller prints what comes back
import jax
import jax.numpy as jnp


@jax.jit
def train_step(w):
    return w * 0.9, jnp.square(w)


def fit(w, steps):
    for i in range(steps):
        w, loss = train_step(w)
        print(f"step {i}: loss {loss:.3f}")
    return w


print(fit(1.0, 3))
print(jax.jit(jnp.sum)(jnp.ones(3)), jax.make_jaxpr(train_step)(1.0))


# %% behind a debug flag: a static flag says that somebody wants to see the trace
from functools import partial

import jax
import jax.numpy as jnp

DEBUG = False


@partial(jax.jit, static_argnames="verbose")
def attention(q, k, verbose=False):
    logits = jnp.sum(q * k)
    if verbose:
        print("logits", logits)
    if DEBUG:
        print("q", q)
    return jax.nn.sigmoid(logits)


attention(jnp.ones(2), jnp.ones(2))


# %% behind a tracer check: the print is left out while tracing
import jax


def observe(x):
    if not isinstance(x, jax.core.Tracer):
        print("observed", x)
    return x


@jax.jit
def double(x):
    return observe(x) * 2


double(1.0)
observe(2.0)


# %% not the builtin: other functions and methods of that name
import jax


class Symbolic:
    def __init__(self):
        self.text = "x"

    def print(self, value):
        return value


def print_(value):
    return value


printer = Symbolic()


@jax.jit
def identity(x):
    print = print_
    return print(printer.print(x))


identity(1.0)


# %% before the transform: what prints is run by Python, what is compiled is the inner function
import functools

import jax


def logged(fn):
    @functools.wraps(fn)
    def wrapper(*args):
        out = fn(*args)
        print(fn.__name__, args, out)
        return out

    return wrapper


@logged
@jax.jit
def halve(x):
    return x / 2


halve(1.0)
halve(2.0)


# %% parametrised: each member of the list is a function that the test traces
import functools

import jax
import jax.numpy as jnp
import pytest


def cube(x):
    print(x)  #! JAX202
    return x**3


def scaled(x, factor):
    print(x)  #! JAX202
    return x * factor


def root(x):
    print(x)  #! JAX202
    return jnp.sqrt(x)


def spare(x):
    print(x)
    return x


@pytest.mark.parametrize("fn", [cube, pytest.param(root, id="root")], ids=["a", "b"])
def test_members(fn):
    jax.jit(fn)(jnp.ones(3))


@pytest.mark.parametrize(("fn", "arg"), [(functools.partial(scaled, factor=2.0), 1.0)])
def test_rows(fn, arg):
    jax.jit(fn)(arg * jnp.ones(3))


@pytest.mark.parametrize("fn", (spare,))
def test_spare(fn):
    fn(jnp.ones(3))


# %% parametrised twice, through a variable and on a class: each decorator names its own arguments
import jax
import jax.numpy as jnp
import pytest


def outer(x):
    print(x)  #! JAX202
    return x


def inner(x):
    print(x)  #! JAX202
    return x


def aliased(x):
    print(x)  #! JAX202
    return x


def flagged(x):
    print(x)  #! JAX202
    return x


aliases = pytest.mark.parametrize("fn", [aliased])


@pytest.mark.parametrize("one", [outer])
class TestPairs:
    @pytest.mark.parametrize("other", [inner])
    @pytest.mark.parametrize("size", [1, 2])
    def test_pair(self, one, other, size):
        jax.jit(lambda x: one(other(x)))(jnp.ones(size))


@aliases
def test_alias(fn):
    jax.jit(fn)(1.0)


@pytest.mark.parametrize("compiled", [True, False])
def test_flag(compiled):
    f = jax.jit(flagged) if compiled else flagged
    f(1.0)


# %% parametrised by classes and by transforms: what the test makes of them
import jax
import jax.numpy as jnp
import pytest


class Square:
    def __call__(self, x):
        print(x)  #! JAX202
        return x * x


class Half:
    def __call__(self, x):
        print(x)  #! JAX202
        return x / 2

    def plain(self, x):
        print(x)
        return x


def area(x):
    print(x)  #! JAX202
    return x


@pytest.mark.parametrize("cls", [Square, Half])
def test_class(cls):
    jax.jit(cls())(jnp.ones(3))


@pytest.mark.parametrize("transform", [jax.jit, jax.vmap])
def test_transform(transform):
    transform(area)(jnp.ones(3))


# %% fixtures: functions, objects, generators, parameters, other fixtures
import jax
import jax.numpy as jnp
import pytest


class Pendulum:
    def __init__(self, length=1.0):
        self.length = length

    def swing(self, x):
        print(x)  #! JAX202
        return x / self.length

    def show(self, x):
        print(x)
        return x


def left(x):
    print(x)  #! JAX202
    return x


def right(x):
    print(x)  #! JAX202
    return x


def chosen(x):
    print(x)  #! JAX202
    return x


def named(x):
    print(x)  #! JAX202
    return x


@pytest.fixture(scope="module")
def pendulum():
    yield Pendulum(2.0)


@pytest.fixture
def swing(pendulum):
    return jax.jit(pendulum.swing)


@pytest.fixture(params=[left, pytest.param(right, id="right")])
def side(request):
    return request.param


@pytest.fixture
def choice(request):
    function, _ = request.param
    return function


@pytest.fixture
def by_name():
    return named


def test_swing(swing, pendulum):
    swing(jnp.ones(3))
    pendulum.show(jnp.ones(3))


def test_side(side):
    jax.jit(side)(jnp.ones(3))


@pytest.mark.parametrize("choice", [(chosen, 1)], indirect=True)
def test_choice(choice):
    jax.jit(choice)(jnp.ones(3))


def test_by_name(request):
    jax.jit(request.getfixturevalue("by_name"))(jnp.ones(3))


# %% fixtures of a class, and what is set up before each test
import unittest

import jax
import jax.numpy as jnp
import pytest


def kept(x):
    print(x)  #! JAX202
    return x


class TestGroup:
    @pytest.fixture
    def step(self):
        def run(x):
            print(x)  #! JAX202
            return x

        return run

    @pytest.fixture(autouse=True)
    def _prepare(self):
        self.kept = kept

    def test_step(self, step):
        jax.jit(step)(jnp.ones(3))

    def test_kept(self):
        jax.jit(self.kept)(jnp.ones(3))


class Base(unittest.TestCase):
    def setUp(self):
        self.compiled = jax.jit(lambda x: print(x))  #! JAX202


class Derived(Base):
    def test_compiled(self):
        self.compiled(1.0)


# %% norun absl is not a dependency: rows, names, products and dicts of arguments
import jax
import jax.numpy as jnp
from absl.testing import parameterized


def single(x):
    print(x)  #! JAX202
    return x


def second(x):
    print(x)  #! JAX202
    return x


def by_keyword(x):
    print(x)  #! JAX202
    return x


def starred(x):
    print(x)  #! JAX202
    return x


def crossed(x):
    print(x)  #! JAX202
    return x


def whole(x):
    print(x)  #! JAX202
    return x


def eager(x):
    print(x)
    return x


ROWS = (("starred", starred, 1),)


class Tests(parameterized.TestCase):
    @parameterized.parameters(single, single)
    def test_single(self, fn):
        jax.jit(fn)(jnp.ones(3))

    @parameterized.parameters((1.0, second), (2.0, second))
    def test_rows(self, scale, fn):
        jax.jit(fn)(scale * jnp.ones(3))

    @parameterized.named_parameters(dict(testcase_name="a", fn=by_keyword), ("b", by_keyword))
    def test_keyword(self, fn):
        jax.jit(fn)(jnp.ones(3))

    @parameterized.named_parameters(*ROWS)
    def test_starred(self, fn, count):
        jax.jit(fn)(jnp.ones(count))

    @parameterized.product(fn=[crossed], size=(1, 2))
    def test_product(self, fn, size):
        jax.jit(fn)(jnp.ones(size))

    @parameterized.parameters((eager,), (eager,))
    def test_eager(self, fn):
        fn(jnp.ones(3))


@parameterized.parameters((whole,))
class Whole(parameterized.TestCase):
    def test_whole(self, fn):
        jax.jit(fn)(jnp.ones(3))


# %% an annotated parameter of a function that nothing here calls: the methods of its class
from __future__ import annotations

from typing import Optional

import jax


class Net:
    def value(self, x):
        print(x)  #! JAX202
        return self.rule(x)

    def rule(self, x):
        print(x)  #! JAX202
        return x

    def eager(self, x):
        print(x)
        return x


class Tail:
    def run(self, x):
        print(x)  #! JAX202
        return x


class Other:
    def run(self, x):
        print(x)  #! JAX202
        return x


def fit(p, net: Net):
    net.eager(p)
    return jax.jit(net.value)(p)  #! JAX404


def fit_tail(p, tail: Optional[Tail] = None):
    if tail is None:
        return p
    return jax.jit(tail.run)(p)  #! JAX404


def fit_other(p, *, other: "Other | None"):
    return p if other is None else jax.jit(other.run)(p)  #! JAX404


# %% an annotated parameter stands for a subclass too, and a method without a body for none
import abc

import jax


class Rule(abc.ABC):
    @abc.abstractmethod
    def apply(self, x): ...

    def both(self, x):
        print(x)  #! JAX202
        return self.apply(x)

    def show(self, x):
        print(x)
        return x


class Double(Rule):
    def apply(self, x):
        print(x)  #! JAX202
        return 2 * x


class Triple(Rule):
    def apply(self, x):
        print(x)  #! JAX202
        return 3 * x

    def show(self, x):
        print(x)
        return x


def train(x, rule: Rule):
    rule.show(x)
    jax.jit(rule.both)(x)  #! JAX404
    first, second = rule.apply(x)
    return jax.jit(rule.apply)(first + second)


# %% annotated fields and what constructors keep of annotated parameters
import dataclasses
from typing import Generic, Protocol, TypeVar

import jax

T = TypeVar("T")


class Act:
    def __call__(self, x):
        print(x)  #! JAX202
        return x


class Dense:
    def __init__(self, act: Act):
        self.act = act

    def run(self, x):
        print(x)  #! JAX202
        return self.act(x)


@dataclasses.dataclass
class Model:
    dense: Dense

    def loss(self, x):
        return jax.jit(self.dense.run)(x)  #! JAX404


class Box(Generic[T]):
    def open(self, x):
        print(x)  #! JAX202
        return x


class Opens(Protocol):
    def open(self, x):
        print(x)
        return x


def unpack(x, box: Box[int], some: Opens):
    return jax.jit(box.open)(x) + jax.jit(some.open)(x)  #! JAX404


# %% two annotated objects of a class are not one: each has a key of its own
import jax


class Sampler:
    def __init__(self, key):
        self.key = key


def both(a: Sampler, b: Sampler):
    return jax.random.normal(a.key) + jax.random.normal(b.key)


def of_one(a: Sampler):
    return jax.random.normal(a.key) + jax.random.normal(a.key)  #! JAX301


def replaced(a: Sampler, b: Sampler):
    first = jax.random.normal(a.key)
    renew(a)  #! JAX308
    return first + jax.random.normal(a.key)


def renew(sampler: Sampler):
    sampler.key, _ = jax.random.split(sampler.key)


# %% an annotation makes nothing traced
import jax
import jax.numpy as jnp


def eager_only(x: jax.Array, y: jnp.ndarray):
    print(x, y)
    if (x > y).any():
        return float(x.sum())
    return y
