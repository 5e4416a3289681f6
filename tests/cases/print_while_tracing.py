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


# %% decorator of the project below jit: what it makes takes the arguments of the function
import functools

import jax
import jax.numpy as jnp


def scoped(fn, name=None):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        with jax.named_scope(name or fn.__name__):
            return fn(*args, **kwargs)

    return wrapper


def bare(fn):
    def wrapper(*args):
        return fn(*args)

    return wrapper


@jax.jit
@scoped
@bare
def apply(x, y):
    print(x, y)  #! JAX202
    return x + y


@jax.tree_util.register_pytree_node_class
class Layer:
    def __init__(self, w):
        self.w = w

    def tree_flatten(self):
        return (self.w,), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)

    @jax.jit
    @scoped
    def __call__(self, x):
        print(x)  #! JAX202
        return self.w * x


apply(1.0, 2.0)
Layer(2.0)(jnp.ones(3))


# %% decorator with more uses than a function has contexts: each use is known
import functools

import jax


def scoped(fn):
    @functools.wraps(fn)
    def wrapper(*args):
        return fn(*args)

    return wrapper


@jax.jit
@scoped
def f0(x):
    print(x)  #! JAX202
    return x


@jax.jit
@scoped
def f1(x):
    print(x)  #! JAX202
    return x


@jax.jit
@scoped
def f2(x):
    print(x)  #! JAX202
    return x


@jax.jit
@scoped
def f3(x):
    print(x)  #! JAX202
    return x


@jax.jit
@scoped
def f4(x):
    print(x)  #! JAX202
    return x


@jax.jit
@scoped
def f5(x):
    print(x)  #! JAX202
    return x


@jax.jit
@scoped
def f6(x):
    print(x)  #! JAX202
    return x


@jax.jit
@scoped
def f7(x):
    print(x)  #! JAX202
    return x


@jax.jit
@scoped
def f8(x):
    print(x)  #! JAX202
    return x


@jax.jit
@scoped
def f9(x):
    print(x)  #! JAX202
    return x


@jax.jit
@scoped
def f10(x):
    print(x)  #! JAX202
    return x


@jax.jit
@scoped
def f11(x):
    print(x)  #! JAX202
    return x


@scoped
def eager(x):
    print(x)
    return x


for each in (f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, eager):
    each(1.0)


# %% registry of nine functions: each of them is jitted
import jax

TABLE = {}


def register(name):
    def add(func):
        TABLE[name] = func
        return func

    return add


@register("half")
def half(x):
    print(x)  #! JAX202
    return x / 2


@register("double")
def double(x):
    print(x)  #! JAX202
    return x * 2


@register("square")
def square(x):
    return x * x


@register("cube")
def cube(x):
    return x**3


@register("negative")
def negative(x):
    return -x


@register("next")
def following(x):
    return x + 1


@register("previous")
def previous(x):
    return x - 1


@register("same")
def same(x):
    print(x.shape)
    return x


@register("other")
def other(x):
    print(x)  #! JAX202
    return x


def unregistered(x):
    print(x)
    return x


def apply(name, x):
    return jax.jit(TABLE[name])(x)


for name in TABLE:
    apply(name, jax.numpy.ones(2))
unregistered(1.0)


# %% list of nine classes: the loop makes one object of each, whose method is jitted
import jax
import jax.numpy as jnp


class Shape:
    def __init__(self):
        self.compiled = jax.jit(self.formula)

    def area(self, x):
        return self.compiled(x)

    def describe(self, x):
        print(x)
        return x


class Square(Shape):
    def formula(self, x):
        print(x)  #! JAX202
        return x * x


class Circle(Shape):
    def formula(self, x):
        print(x)  #! JAX202
        return 3.14 * x * x


class Triangle(Shape):
    def formula(self, x):
        return 0.5 * x * x


class Hexagon(Shape):
    def formula(self, x):
        return 2.6 * x * x


class Octagon(Shape):
    def formula(self, x):
        return 4.83 * x * x


class Pentagon(Shape):
    def formula(self, x):
        return 1.72 * x * x


class Heptagon(Shape):
    def formula(self, x):
        return 3.63 * x * x


class Nonagon(Shape):
    def formula(self, x):
        return 6.18 * x * x


class Point(Shape):
    def formula(self, x):
        print(x)  #! JAX202
        return 0.0 * x


SHAPES = [Square, Circle, Triangle, Hexagon, Octagon, Pentagon, Heptagon, Nonagon, Point]


def measure(index):
    shape = SHAPES[index]()
    shape.describe(1.0)
    return shape.area(jnp.ones(()))


for index in range(9):
    measure(index)


# %% candidates of different signatures: what is not called that way is not traced
import jax
import jax.numpy as jnp


def one(x):
    print(x)  #! JAX202
    return x


def two(x, y):
    print(x)
    return x + y


def three(x, y, z):
    print(y)
    return x + y + z


def keyword(x, *, scale):
    print(x)
    return x * scale


def default(x, scale=2.0):
    print(x)  #! JAX202
    print(scale)
    return x * scale


def star(*xs):
    print(xs[0])  #! JAX202
    return xs[0]


def last(x):
    print(x)  #! JAX202
    return x


FUNCTIONS = {
    "one": one, "two": two, "three": three, "keyword": keyword, "default": default, "star": star, "last": last,
}  # fmt: skip


def call(name):
    chosen = FUNCTIONS[name]
    return jax.jit(lambda x: chosen(x))(jnp.ones(()))


for name in ("one", "default", "star", "last"):
    call(name)
FUNCTIONS["two"](1, 2)
FUNCTIONS["three"](1, 2, 3)
FUNCTIONS["keyword"](1, scale=2)


# %% template method: the jitted step of the base calls what each subclass has
from functools import partial

import jax
import jax.numpy as jnp


class Env:
    @partial(jax.jit, static_argnums=0)
    def step(self, state):
        return self.step_env(state)

    def step_env(self, state):
        raise NotImplementedError

    def render(self, state):
        return self.draw(state)

    def draw(self, state):
        raise NotImplementedError


class Pole(Env):
    def step_env(self, state):
        print(state)  #! JAX202
        return self.push(state)

    def push(self, state):
        return state

    def draw(self, state):
        print(state)
        return state


class HeavyPole(Pole):
    def push(self, state):
        print(state)  #! JAX202
        return state * 2


class Replay(Env):
    def step(self, state):
        return self.step_env(state)

    def step_env(self, state):
        print(state)
        return state

    def draw(self, state):
        return state


def build(text):
    return {cls.__name__: cls for cls in [Pole, HeavyPole, Replay]}[text]()


def play(text):
    env = build(text)
    env.render(jnp.ones(()))
    return env.step(jnp.ones(()))


for text in ("Pole", "HeavyPole", "Replay"):
    play(text)


# %% template method in a scan: the base gives the body to the loop, the mixin has the rest
import jax
import jax.numpy as jnp


class Runner:
    def run(self, xs):
        return jax.lax.scan(self.body, 0.0, xs)

    def body(self, carry, x):
        return carry, self.output(carry, x)


class Verbose:
    def output(self, carry, x):
        print(x)  #! JAX202
        return x


class Quiet:
    def output(self, carry, x):
        return x

    def close(self, x):
        print(x)


class VerboseRunner(Verbose, Runner):
    pass


class QuietRunner(Quiet, Runner):
    pass


class Unrolled(Verbose):
    def run(self, xs):
        return [self.output(0.0, 1.0)]


def start(kind):
    return vars(kind)


xs = jnp.arange(3.0)
for kind in Runner.__subclasses__():
    kind().run(xs)
Unrolled().run(xs)
QuietRunner().close(1.0)


# %% super in a template method: the base's part runs in the trace of the subclass
import jax
import jax.numpy as jnp


class Layer:
    def __init__(self):
        self.compiled = jax.jit(self.forward)

    def apply(self, x):
        return self.compiled(x)

    def forward(self, x):
        return x


class Scaled(Layer):
    def forward(self, x):
        print(x)  #! JAX202
        return 2.0 * super().forward(x)


class Shifted(Scaled):
    def forward(self, x):
        return super().forward(x) + 1.0


class Outside(Scaled):
    def apply(self, x):
        print(x)
        return super().apply(x)


for kind in [Layer, *Layer.__subclasses__(), *Scaled.__subclasses__()]:
    kind().apply(jnp.ones(()))


# %% by name: in the module, by getattr, globals and vars
import sys

import jax
import jax.numpy as jnp


def sgd(x):
    print(x)  #! JAX202
    return x


def adam(x):
    print(x)  #! JAX202
    return x


def lion(x):
    print(x)  #! JAX202
    return x


def rest(x):
    print(x)
    return x


x = jnp.ones(())
jax.jit(getattr(sys.modules[__name__], "sgd"))(x)
jax.jit(globals()["adam"])(x)
jax.jit(vars(sys.modules[__name__]).get("lion"))(x)
globals()["rest"](x)


# %% by one of a few names: each of them may be meant
import jax
import jax.numpy as jnp


class Losses:
    @staticmethod
    def l1(x):
        print(x)  #! JAX202
        return jnp.abs(x)

    @staticmethod
    def l2(x):
        print(x)  #! JAX202
        return x * x

    @staticmethod
    def huber(x):
        print(x)
        return x


def loss(is_robust):
    name = "l1" if is_robust else "l2"
    return jax.grad(lambda x: jax.jit(getattr(Losses, name))(x))(1.0)


loss(True)
loss(False)
Losses.huber(1.0)


# %% singledispatch: implementations get what their type does not rule out
import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.singledispatch
def size(x):
    print(x)  #! JAX202
    return x


@size.register(tuple)
@size.register(list)
def _(x):
    print(x)  #! JAX202
    return x[0]


@size.register
def _(x: dict):
    print(x)  #! JAX202
    return x["a"]


@size.register
def _(x: int | float):
    print(x)
    return x


@size.register(np.ndarray)
def size_of_numpy(x):
    print(x)
    return x


def size_of_text(x):
    print(x)
    return 0


size.register(str, size_of_text)

one = jnp.ones(())
jax.jit(size)(one)
jax.jit(lambda y: size((y, y)))(one)
jax.jit(lambda y: size([y, y]))(one)
jax.jit(lambda y: size({"a": y}))(one)
jax.jit(lambda y: y + size(3) + size(2.5) + size("text") + size(np.ones(())))(one)


# %% singledispatch on classes of the project: the nearest class is the one that counts
import functools

import jax
import jax.numpy as jnp


class Box:
    def __init__(self, value):
        self.value = value


class Small(Box):
    pass


class Large(Box):
    pass


@functools.singledispatch
def weight(box, x):
    print(x)
    return x


@weight.register(Box)
def _(box, x):
    print(x)  #! JAX202
    return x


@weight.register
def _(box: Small, x):
    print(x)  #! JAX202
    return x


@weight.register
def _(box: Large, x):
    print(x)
    return x


jax.jit(lambda x: weight(Box(1), x))(jnp.ones(()))
jax.jit(lambda x: weight(Small(1), x))(jnp.ones(()))
weight(Large(1), 1.0)
weight(None, 1.0)


# %% singledispatchmethod: bound to its object, static and of the class
import functools

import jax
import jax.numpy as jnp


class Codec:
    def __init__(self):
        self.scale = 2.0

    @functools.singledispatchmethod
    def encode(self, x):
        print(x)  #! JAX202
        return x * self.scale

    @encode.register
    def _(self, x: str):
        print(x)
        return x

    @encode.register(tuple)
    def _(self, x):
        print(x)  #! JAX202
        return x

    @functools.singledispatchmethod
    @classmethod
    def decode(cls, x):
        print(x)  #! JAX202
        return x

    @decode.register
    @classmethod
    def _(cls, x: bytes):
        print(x)
        return x


codec = Codec()
jax.jit(codec.encode)(jnp.ones(()))
jax.jit(lambda x: codec.encode((x, x)))(jnp.ones(()))
codec.encode("text")
jax.jit(codec.decode)(jnp.ones(()))
codec.decode(b"text")


# %% factory of nine objects: the method of each is traced, the others are not
import jax
import jax.numpy as jnp


class Policy:
    def act(self, x):
        return jax.lax.fori_loop(0, 2, lambda i, y: self.choose(y), x)


class First(Policy):
    def choose(self, x):
        print(x)  #! JAX202
        return x


class Second(Policy):
    def choose(self, x):
        return x

    def reset(self, x):
        print(x)


class Third(Policy):
    def choose(self, x):
        return x


class Fourth(Policy):
    def choose(self, x):
        return x


class Fifth(Policy):
    def choose(self, x):
        return x


class Sixth(Policy):
    def choose(self, x):
        return x


class Seventh(Policy):
    def choose(self, x):
        return x


class Last(Policy):
    def __init__(self, scale):
        self.scale = scale

    def choose(self, x):
        print(x)  #! JAX202
        print(self.scale)
        return x * self.scale


def make(name):
    if name == "first":
        policy = First()
    elif name == "second":
        policy = Second()
    elif name == "third":
        policy = Third()
    elif name == "fourth":
        policy = Fourth()
    elif name == "fifth":
        policy = Fifth()
    elif name == "sixth":
        policy = Sixth()
    elif name == "seventh":
        policy = Seventh()
    else:
        policy = Last(2.0)
    return policy


class Agent:
    def __init__(self, name):
        self.policy = make(name)

    def step(self, x):
        return self.policy.act(x)


def play(name):
    return Agent(name).step(jnp.ones(()))


for name in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "last"):
    play(name)
Second().reset(1.0)


# %% partials of nine functions, kept in an attribute, passed as an argument and mapped
import functools

import jax
import jax.numpy as jnp


def power(x, n):
    print(x)  #! JAX202
    print(n)
    return x**n


def root(x, n):
    return x ** (1 / n)


def shift(x, n):
    print(x)  #! JAX202
    return x + n


def plain(x):
    print(x)
    return x


OPS = {
    "square": functools.partial(power, n=2), "cube": functools.partial(power, n=3),
    "fourth": functools.partial(power, n=4), "root": functools.partial(root, n=2),
    "cubic": functools.partial(root, n=3), "next": functools.partial(shift, n=1),
    "after": functools.partial(shift, n=2), "abs": jnp.abs, "sin": jnp.sin,
}  # fmt: skip


class Model:
    def __init__(self, name):
        self.op = OPS[name]

    def run(self, x):
        return compiled(self.op, x)


def compiled(op, x):
    return jax.lax.map(jax.jit(op), x)


def use(name):
    plain(1.0)
    return Model(name).run(jnp.ones(3))


for name in OPS:
    use(name)


# %% more than ten decorated functions: the registry has all of them
import jax
import jax.numpy as jnp

LAWS = {}


def law(func):
    LAWS[func.__name__] = func
    return func


@law
def law_1(x):
    print(x)  #! JAX202
    return x + 1


@law
def law_2(x):
    return x + 2


@law
def law_3(x):
    return x + 3


@law
def law_4(x):
    return x + 4


@law
def law_5(x):
    return x + 5


@law
def law_6(x):
    print(x)  #! JAX202
    return x + 6


@law
def law_7(x):
    return x + 7


@law
def law_8(x):
    return x + 8


@law
def law_9(x):
    return x + 9


@law
def law_10(x):
    return x + 10


@law
def law_11(x):
    return x + 11


@law
def law_12(x):
    print(x)  #! JAX202
    return x + 12


def run(name):
    return jax.jit(LAWS[name])(jnp.ones(()))


for name in LAWS:
    run(name)


# %% table by type: the type tells which function is called, not that each may be called
import jax
import jax.numpy as jnp


def of_int(x):
    print(x)
    return x + 1


def of_float(x):
    print(x)
    return x + 1.0


def of_text(x):
    print(x)
    return 0


def of_bytes(x):
    print(x)
    return 0


def of_none(x):
    print(x)
    return 0


def of_bool(x):
    print(x)
    return 0


def of_complex(x):
    print(x)
    return 0


def of_array(x):
    return x


BY_TYPE = {
    int: of_int, float: of_float, str: of_text, bytes: of_bytes, type(None): of_none, bool: of_bool,
    complex: of_complex,
}  # fmt: skip


def convert(x):
    return BY_TYPE.get(type(x), of_array)(x)


jax.jit(convert)(jnp.ones(()))
for value in (1, 1.0, "a", b"a", None, True, 1j):
    convert(value)


# %% made once: what a flag guards is set by the first trace, for all
import jax
import jax.numpy as jnp


class Space:
    def __init__(self, sizes):
        self.sizes = sizes
        self._ready = False

    def _setup(self):
        if not self._ready:
            self._strides = [size * 2 for size in self.sizes]
            self._ready = True

    def strides(self):
        self._setup()
        return self._strides


class Plain(Space):
    def number(self, x):
        return x * self.strides()[0]


space = Plain([1, 2])
jax.jit(space.number)(jnp.ones(()))


# %% leaves and what is built of them: the structure goes with them, and what is no leaf stays
import jax
import jax.numpy as jnp


def halved(leaf):
    print(leaf)  #! JAX202
    return leaf / 2


def mixed(a, b, c):
    print(a, b, c)  #! JAX202
    return a + b * c


@jax.jit
def shrink(params):
    leaves, treedef = jax.tree.flatten(params)
    print(treedef, len(leaves))
    print(leaves)  #! JAX202
    again = jax.tree.unflatten(treedef, [halved(leaf) for leaf in leaves])
    print(again["w"])  #! JAX202
    print(treedef.unflatten([1, 2]))
    third = jax.tree.map(mixed, params, again, params)
    print(third["b"])  #! JAX202
    print(jax.tree.map(jnp.shape, third))
    for path, leaf in jax.tree_util.tree_leaves_with_path(third):
        print(jax.tree_util.keystr(path))
        print(leaf)  #! JAX202
    return third


shrink({"w": jnp.ones(3), "b": jnp.zeros(3)})


# %% leaves that differ: numbers beside arrays are numbers after the map too
import jax
import jax.numpy as jnp


def shown(leaf):
    return leaf


@jax.jit
def apply(x):
    tree = {"x": x, "n": 3, "name": "relu"}
    kept = jax.tree.map(shown, tree)
    print(kept["n"], kept["name"])
    print(kept["x"])  #! JAX202
    first, second, third = jax.tree.leaves(tree)
    print(first, second)
    print(third)  #! JAX202
    return kept["x"] * kept["n"]


apply(jnp.ones(2))


# %% a tree turned inside out, raveled and summed up
import functools
import operator

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree


@jax.jit
def summary(params):
    rows = [params, params]
    outer, inner = jax.tree.structure([0, 0]), jax.tree.structure({"w": 0, "b": 0})
    columns = jax.tree.transpose(outer, inner, rows)
    print(columns["w"])  #! JAX202
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *rows)
    print(stacked["b"])  #! JAX202
    flat, unravel = ravel_pytree(params)
    print(flat)  #! JAX202
    print(unravel(flat * 2)["w"])  #! JAX202
    print(sum(leaf.size for leaf in jax.tree.leaves(params)))
    total = functools.reduce(operator.add, map(jnp.sum, jax.tree.leaves(params)))
    print(total)  #! JAX202
    names, values = zip(*sorted(params.items()))
    print(names)
    print(values)  #! JAX202
    return total


summary({"w": jnp.ones(3), "b": jnp.zeros(2)})


# %% named tuples: what is replaced is traced, what is not stays as it was
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class Point(NamedTuple):
    place: Any
    label: Any = "start"


@jax.jit
def moved(x):
    point = Point(x)
    print(point.label)
    point = point._replace(place=point.place + 1)
    print(point.place)  #! JAX202
    print(point._replace(place=0).place)
    again = Point(**point._asdict())
    print(again.place)  #! JAX202
    print(again.label)
    doubled = Point(*jax.tree.map(lambda v: v * 2, (x, x)))
    print(doubled.label)  #! JAX202
    return doubled.place


moved(jnp.ones(2))


# %% registered classes: the fields that are data are traced, the others are not
import dataclasses
import functools
from typing import Any

import jax
import jax.numpy as jnp


@functools.partial(jax.tree_util.register_dataclass, data_fields=["weight"], meta_fields=["depth"])
@dataclasses.dataclass
class Layer:
    weight: Any
    depth: int


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Marked:
    weight: Any
    depth: int = dataclasses.field(default=1, metadata={"static": True})


@jax.tree_util.register_static
@dataclasses.dataclass(frozen=True)
class Options:
    depth: int


@jax.tree_util.register_pytree_node_class
class Node:
    def __init__(self, weight, depth):
        self.weight, self.depth = weight, depth

    def tree_flatten(self):
        return (self.weight,), self.depth

    @classmethod
    def tree_unflatten(cls, depth, children):
        return cls(children[0], depth)


@jax.jit
def run(layer, marked, options, node):
    print(layer.depth, marked.depth, options.depth, node.depth)
    print(options)
    print(layer.weight)  #! JAX202
    print(marked.weight)  #! JAX202
    print(node.weight)  #! JAX202
    print(layer)  #! JAX202
    deeper = jax.tree.map(lambda leaf: leaf * 2, node)
    print(deeper.depth)
    print(deeper.weight)  #! JAX202
    other = dataclasses.replace(marked, weight=marked.weight + 1)
    print(other.depth)
    print(other.weight)  #! JAX202
    print(dataclasses.asdict(other)["weight"])  #! JAX202
    print(dataclasses.asdict(other)["depth"])
    return deeper.weight + other.weight


run(Layer(jnp.ones(2), 1), Marked(jnp.ones(2)), Options(3), Node(jnp.ones(2), 2))


# %% a wrapper of its own: the function travels with the arguments, and is called on what was put together again
import jax
import jax.numpy as jnp


def parted(tree):
    leaves, treedef = jax.tree.flatten(tree)
    arrays = [leaf if isinstance(leaf, jax.Array) else None for leaf in leaves]
    others = tuple(None if isinstance(leaf, jax.Array) else leaf for leaf in leaves)
    return arrays, (others, treedef)


def joined(arrays, static):
    others, treedef = static
    pairs = zip(arrays, others)
    return jax.tree.unflatten(treedef, [array if other is None else other for array, other in pairs])


class Compiled:
    def __init__(self, func):
        self.func = func

        def whole(arrays, static):
            func, args = joined(arrays, static)
            return func(*args)

        self.compiled = jax.jit(whole, static_argnums=1)

    def __call__(self, *args):
        return self.compiled(*parted((self.func, args)))


def compiled(func):
    return Compiled(func)


@compiled
def scaled(x, factor):
    print(x)  #! JAX202
    print(factor)
    return x * factor


scaled(jnp.ones(3), 2)


# %% solvers of jax trace what they are given
import jax
import jax.numpy as jnp
import jax.scipy.optimize
import jax.scipy.sparse.linalg
from jax.experimental.ode import odeint


def product(v):
    print(v)  #! JAX202
    return 2.0 * v


def distance(x, goal):
    print(x)  #! JAX202
    return jnp.sum((x - goal) ** 2)


def decay(y, t):
    print(y, t)  #! JAX202
    return -y


found, _ = jax.scipy.sparse.linalg.cg(product, jnp.ones(3))
print(found)
print(jax.scipy.optimize.minimize(distance, jnp.zeros(2), args=(1.0,), method="BFGS").x)
print(odeint(decay, jnp.ones(2), jnp.linspace(0.0, 1.0, 3)))


@jax.jit
def pulled(x):
    y, back = jax.vjp(jnp.sin, x)
    (slope,) = back(y)
    print(slope)  #! JAX202
    y, forward = jax.linearize(jnp.sin, x)
    print(forward(x))  #! JAX202
    return slope


pulled(jnp.ones(2))


# %% a kernel: what its references hold is traced
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def kernel(x_ref, y_ref, *, factor):
    print(x_ref.shape, factor)
    block = x_ref[...]
    print(block)  #! JAX202
    y_ref[...] = block * factor


def doubled(x):
    shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return pl.pallas_call(lambda x, y: kernel(x, y, factor=2), out_shape=shape, interpret=True)(x)


print(doubled(jnp.ones(8)))


# %% a default that nothing else is equal to: the parameter was not given
import jax
import jax.numpy as jnp

UNSET = object()


def one(x, state=UNSET):
    if state is UNSET:
        state = (x, 1)
    print(state)  #! JAX202


def two(x, state=UNSET):
    if state != UNSET:
        return state
    state = (x, 1)
    print(state)  #! JAX202
    return state


class Box:
    NOTHING = object()

    def get(self, x, default=NOTHING):
        if default is not Box.NOTHING:
            print(x)  #! JAX202
        return default


def mean(x, axis=UNSET):
    if axis is not UNSET:
        print(x)
    return x


@jax.jit
def f(x):
    one(x)
    two(x)
    Box().get(x)
    Box().get(x, None)
    return mean(x)


f(jnp.ones(3))

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
    return jax.jit(net.value)(p)


def fit_tail(p, tail: Optional[Tail] = None):
    if tail is None:
        return p
    return jax.jit(tail.run)(p)


def fit_other(p, *, other: "Other | None"):
    return p if other is None else jax.jit(other.run)(p)


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
    jax.jit(rule.both)(x)
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
    return jax.jit(box.open)(x) + jax.jit(some.open)(x)


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


# %% rows of functions and what they are called with: each stays with what stands beside it
import jax
import jax.numpy as jnp
import pytest


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        print(x)  #! JAX202
        return self.factor * x


class Reshape:
    def __init__(self, rows=2, columns=2):
        assert rows > 0
        self.shape = rows, columns

    def __call__(self, x):
        print(x)  #! JAX202
        return jnp.reshape(x, self.shape)


def once(x):
    print(x)  #! JAX202
    return x


def never(x):
    print(x)
    return x


@pytest.mark.parametrize("cls, args, size", [(Scale, (jnp.ones(4),), 4), (Reshape, (), 4), (Reshape, (), 8)])
def test_layer(cls, args, size):
    if len(args) > 0:
        jax.jit(jax.vmap(lambda args: cls(*args).factor))((jnp.ones((2, 4)),))
    jax.jit(cls(*args))(jnp.ones(size))


@pytest.mark.parametrize("fn, run", [(once, jax.jit), (never, lambda fn: fn)])
def test_transform(fn, run):
    run(fn)(jnp.ones(3))


# %% rows that differ in data only are one: the function is traced, and no data is
import jax
import jax.numpy as jnp
import pytest


def make(index):
    def fn(x):
        print(x)  #! JAX202
        return index * x

    return fn


def scaled(x, y):
    print(y)
    return x


@pytest.mark.parametrize("fn", [make(1), make(2), make(3)])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_many(fn, size):
    jax.jit(fn)(jnp.ones(size))
    scaled(jnp.ones(size), size)


# %% a loop that a parameter's default names, in a function that uncalled functions call in many ways
import jax
import jax.numpy as jnp


def search(x, *, loop=jax.lax.fori_loop):
    def step(i, total):
        print(i)  #! JAX202
        return total + 1.0

    print(x)
    return loop(0, 3, step, x)


def policy(x, *, loop=jax.lax.fori_loop):
    return search(x, loop=loop)


def first():
    return policy(1.0)


def second():
    return policy(2.0)


def third():
    return policy(3.0)


print(first() + second() + third())


# %% functions that constructors are handed, three of them, traced by a method of another object
import jax


class Network:
    def __init__(self, apply):
        self.apply = apply

    def run(self, x):
        return jax.jit(self.apply)(x)


class Trainer:
    def __init__(self, network):
        self.network = network

    def fit(self, x):
        return self.network.run(x)


def linear(x):
    print(x)  #! JAX202
    return x


def square(x):
    print(x)  #! JAX202
    return x * x


def cubic(x):
    print(x)  #! JAX202
    return x**3


def plain(x):
    print(x)
    return x


def main():
    print(Trainer(Network(linear)).fit(1.0))


def other():
    print(Trainer(Network(square)).fit(1.0))


def another():
    print(Trainer(Network(cubic)).fit(1.0))


print(plain(1.0))
main()
other()
another()


# %% a transform that a parameter is handed, of a function that the function defines
import jax


def evaluate(x, transform):
    def inner(y):
        print(y)  #! JAX202
        return y + 1.0

    return transform(inner)(x)


def by_jit():
    return evaluate(1.0, jax.jit)


def by_checkpoint():
    return evaluate(1.0, jax.checkpoint)


def by_name(name):
    return evaluate(1.0, getattr(jax, name))


print(by_jit(), by_checkpoint(), by_name("jit"))


# %% a function that callers hand on through another one, scanned in the end
import jax
import jax.numpy as jnp


def unrolled(body, start):
    return jax.lax.scan(body, start, jnp.arange(3.0))


def simulated(body, start, *, steps=3):
    return unrolled(body, start)[0] / steps


def rising(carry, x):
    print(carry)  #! JAX202
    return carry + x, x


def falling(carry, x):
    print(x)  #! JAX202
    return carry - x, x


def steady(carry, x):
    print(carry, x)  #! JAX202
    return carry, x


def never(carry, x):
    print(carry, x)
    return carry, x


def up():
    return simulated(rising, 0.0)


def down():
    return simulated(falling, 0.0)


def still():
    return simulated(steady, 0.0)


print(up(), down(), still(), never(1, 2))


# %% an object that a parameter is handed, whose method a traced closure calls
import jax
import jax.numpy as jnp


class Doubled:
    def __call__(self, x):
        print(x)  #! JAX202
        return 2.0 * x

    def describe(self, x):
        print(x)


class Halved:
    def __call__(self, x):
        print(x)  #! JAX202
        return 0.5 * x

    def describe(self, x):
        print(x)


def fitted(model, x):
    model.describe(x)

    @jax.grad
    def slope(y):
        return jax.jit(lambda z: jnp.sum(model(z)))(y)

    return slope(x)


def test_doubled():
    return fitted(Doubled(), 1.0)


def test_halved():
    return fitted(Halved(), 1.0)


def test_again():
    return fitted(Halved(), 2.0)


print(test_doubled(), test_halved(), test_again())


# %% an object that somebody else traces hands nothing of what other objects hold to the trace
import jax


class Runner:
    def __init__(self, apply):
        self.apply = apply

    def __call__(self, *args):
        return self.apply(*args)


def count(n):
    for i in range(n):
        print(i, n)


def scaled(x):
    return 2.0 * x


def use():
    Runner(count)(3)


def again():
    Runner(count)(4)


def once_more():
    Runner(count)(5)


def traced():
    return jax.jit(Runner(scaled))(1.0)


use()
again()
once_more()
print(traced())


# %% what one caller hands over meets only what is traced whoever calls
import jax
import jax.numpy as jnp


def applied(body, x, n):
    def inner(y):
        return body(y, n)

    return jax.jit(inner)(x)


def repeated(y, n):
    for i in range(n):
        print(y)  #! JAX202
        y = y + i
    return y


def shifted(y, n):
    print(y, n)  #! JAX202
    return y + n


def one():
    return applied(repeated, 1.0, 2)


def two():
    return applied(repeated, 1.0, 3)


def three():
    return applied(shifted, 1.0, jnp.ones(2))


print(one(), two(), three())


# %% a function that one of many names says, which rows of a list hold
import sys
import unittest

import jax
from absl.testing import parameterized


def sine(x):
    print(x)  #! JAX202
    return x


def cosine(x):
    print(x)  #! JAX202
    return x


def tangent(x):
    print(x)  #! JAX202
    return x


def square(x):
    print(x)  #! JAX202
    return x * x


def cube(x):
    print(x)  #! JAX202
    return x**3


def root(x):
    print(x)  #! JAX202
    return x**0.5


def halved(x):
    print(x)  #! JAX202
    return 0.5 * x


def doubled(x):
    print(x)  #! JAX202
    return 2.0 * x


def unnamed(x):
    print(x)
    return x


def chosen(name):
    return getattr(sys.modules[__name__], name)


ROWS = (
    {"name": "sine"},
    {"name": "cosine"},
    {"name": "tangent"},
    {"name": "square"},
    {"name": "cube"},
    {"name": "root"},
    {"name": "halved"},
    {"name": "doubled"},
)


class NamedTest(parameterized.TestCase):
    @parameterized.product(ROWS, start=(1.0, 2.0), again=(True, False))
    def test_named(self, name, start, again):
        found = chosen(name)

        @jax.jit
        def step(x):
            return found(x)

        step(start)


unnamed(1.0)
unittest.main(argv=["named"], exit=False)


# %% functions and objects that a call is handed in a tuple, a list or any number of arguments: each is called
import jax
import jax.numpy as jnp


class Tanh:
    def __call__(self, x):
        print(x)  #! JAX202
        return jnp.tanh(x)


class Scale:
    def __init__(self, by):
        self.by = by

    def __call__(self, x):
        print(x)  #! JAX202
        return x * self.by


class Unused:
    def __call__(self, x):
        print(x)
        return x


class Sequential:
    def __init__(self, layers):
        self.layers = list(layers)

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def network(kind):
    if kind == "deep":
        return Sequential([Scale(2.0), Tanh()])
    return Sequential([Tanh()])


def train(kind, data):
    net = network(kind)

    @jax.jit
    def step(x):
        return net(x)

    return step(data)


def shown(kind, data):
    return Sequential([Unused()])(data)


def shifted(x):
    print(x)  #! JAX202
    return x + 1


def cubed(x):
    print(x)  #! JAX202
    return x**3


def on_host(x):
    print(x)
    return x


def composed(*functions):
    def run(x):
        for function in reversed(functions):
            x = function(x)
        return x

    return run


def traced(function):
    return jax.jit(function)(jnp.ones(3))


def use():
    traced(composed(shifted, jnp.sin))
    return composed(on_host)(1.0)


def run_all(functions):
    @jax.jit
    def run(x):
        for function in functions:
            x = function(x)
        return x

    return run(jnp.ones(3))


def use_all():
    return run_all([cubed, jnp.cos])


# %% each turn of a loop that is gone through in full makes a list of its own
import jax
import jax.numpy as jnp


def scaled(x):
    print(x)  #! JAX202
    return 2 * x


def on_host(x):
    print(x)
    return x


rows = [[name, function] for name, function in (("scaled", scaled), ("host", on_host))]
jax.jit(rows[0][1])(jnp.ones(3))
rows[1][1](1.0)

tables = []
for each in (on_host, scaled):
    tables.append({"function": each})
jax.jit(tables[1]["function"])(jnp.ones(3))


# %% a loop in a function does so, too, and inner ones
import jax
import jax.numpy as jnp


def squared(x):
    print(x)  #! JAX202
    return x**2


def on_host(x):
    print(x)
    return x


def made():
    found = []
    for row in ((on_host, squared), (squared, on_host)):
        found.append([(each,) for each in row])
    return found


def use():
    table = made()
    jax.jit(table[0][1][0])(jnp.ones(3))
    jax.jit(table[1][0][0])(jnp.ones(3))
    return table[1][1][0](1.0)


use()


# %% a module goes through each row of a table
import jax
import jax.numpy as jnp


def halved(x):
    print(x)  #! JAX202
    return x / 2


def on_host(x):
    print(x)
    return x


TABLE = [("on_host", i, on_host) for i in range(3)] + [
    ("a", 0, jnp.sin),
    ("b", 0, jnp.cos),
    ("c", 0, jnp.tan),
    ("d", 0, jnp.exp),
    ("e", 0, jnp.log1p),
    ("f", 0, jnp.tanh),
    ("halved", 0, halved),
]
BY_NAME = {}
for name, _, function in TABLE:
    BY_NAME[name] = function
jax.jit(BY_NAME["halved"])(jnp.ones(3))
BY_NAME["on_host"](1.0)


# %% functions beside states of which no number is known
import jax
import jax.numpy as jnp


def first(x, state):
    print(state)  #! JAX202
    return x + state


def second(x, state):
    print(x)  #! JAX202
    return x * state


def on_host(x, state):
    print(x)
    return x


STEPS = (first, second)


@jax.jit
def step(x, states):
    for state, each in zip(states, STEPS):
        x = each(x, state)
    return x


step(jnp.ones(3), (jnp.ones(3), jnp.ones(3)))
for x, each in zip((1.0, 2.0), (on_host, on_host)):
    each(x, x)


# %% a text that a function compares chooses what it gives back
import jax
import jax.numpy as jnp


def doubled(x):
    print(x)  #! JAX202
    return 2 * x


def on_host(x):
    print(x)
    return x


def function_of(name):
    if name == "host":
        return on_host
    elif name == "doubled":
        return doubled
    raise ValueError(name)


def use(x):
    return jax.jit(function_of("doubled"))(x)


def show(x):
    return function_of("host")(x)


use(jnp.ones(3))
show(1.0)


# %% more subclasses than a method has contexts: each is what the inherited method calls
from functools import partial

import jax
import jax.numpy as jnp


class Base:
    @partial(jax.jit, static_argnums=0)
    def tell(self, x, state):
        return self._tell(x, state)

    def _tell(self, x, state):
        raise NotImplementedError

    def show(self, x):
        return self._show(x)

    def _show(self, x):
        raise NotImplementedError


class A(Base):
    def _tell(self, x, state):
        print(x)  #! JAX202
        return x + state


class B(Base):
    def _tell(self, x, state):
        print(x)  #! JAX202
        return x + state


class C(Base):
    def _tell(self, x, state):
        print(x)  #! JAX202
        return x + state


class D(Base):
    def _tell(self, x, state):
        print(x)  #! JAX202
        return x + state


class E(Base):
    def _tell(self, x, state):
        print(x)  #! JAX202
        return x + state


class F(Base):
    def _tell(self, x, state):
        print(x)  #! JAX202
        return x + state


class G(Base):
    def _tell(self, x, state):
        print(x)  #! JAX202
        return x + state


class H(Base):
    def _tell(self, x, state):
        print(x)  #! JAX202
        return x + state


class I(Base):
    def _tell(self, x, state):
        print(x)  #! JAX202
        return x + state


class J(Base):
    def _tell(self, x, state):
        print(x)  #! JAX202
        return x + state


class K(Base):
    def _tell(self, x, state):
        print(x)  #! JAX202
        return x + state


class L(Base):
    def _tell(self, x, state):
        print(x)  #! JAX202
        return x + state


class M(Base):
    def _tell(self, x, state):
        print(x)  #! JAX202
        return x + state

    def _show(self, x):
        print(x)
        return x


for made in (A(), B(), C(), D(), E(), F(), G(), H()):
    made.tell(jnp.ones(3), 1.0)
for made in (I(), J(), K(), L(), M()):
    made.tell(jnp.ones(3), 1.0)
M().show(1.0)


# %% what a transform gives of a function that is not known is made of arrays
import jax
import jax.numpy as jnp


class Model:
    def __init__(self, apply, loss):
        self.apply = apply
        self.loss = loss

    def run(self, xs):
        ys = jax.vmap(self.apply)(xs)
        print(ys)
        return ys

    def step(self, xs):
        @jax.jit  #! JAX404
        def inner(xs):
            ys = jax.vmap(self.apply)(xs)
            print(ys)  #! JAX202
            value, slope = jax.value_and_grad(self.loss)(ys)
            print(value)  #! JAX202
            other = self.apply(1.0)
            print(other)
            return ys, slope

        return inner(xs)


Model(lambda x: 1.0, lambda y: 2.0).run(jnp.ones(3))


# %% one of more records than are told apart, by a name or by going through them
import jax
import jax.numpy as jnp


def problem(name):
    def plain(x):
        print(x)  #! JAX202
        return x

    def twice(x):
        print(x)  #! JAX202
        return 2 * x

    problems = {
        "plain": {"function": plain, "shape": ()},
        "twice": {"function": twice, "shape": (2,)},
        "sin": {"function": jnp.sin, "shape": ()},
        "cos": {"function": jnp.cos, "shape": ()},
        "tan": {"function": jnp.tan, "shape": ()},
        "exp": {"function": jnp.exp, "shape": ()},
        "tanh": {"function": jnp.tanh, "shape": ()},
    }
    return problems[name]


def on_host(x):
    print(x)
    return x


RECORDS = [{"function": on_host, "times": times} for times in range(12)]


def use(name):
    found = problem(name)
    jax.jit(found["function"])(jnp.ones(found["shape"]))


def show():
    for record in RECORDS:
        record["function"](record["times"])


use("plain")
use("twice")
show()


# %% one of more objects than are told apart: what all of them have is known of it
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Limits(NamedTuple):
    bound: float = 1.0


class Base:
    def limits(self):
        return Limits()

    def scaled(self, x, limits):
        print(x)  #! JAX202
        print(limits)  #! JAX202
        return x * limits.bound


@jax.tree_util.register_pytree_node_class
class Weights:
    def __init__(self, w):
        self.w = w

    def tree_flatten(self):
        return (self.w,), None

    @classmethod
    def tree_unflatten(cls, aux, leaves):
        return cls(*leaves)


class A(Base):
    def weights(self):
        return Weights(1.0)


class B(Base):
    def weights(self):
        return Weights(2.0)


class C(Base):
    def weights(self):
        return Weights(3.0)


class D(Base):
    def weights(self):
        return Weights(4.0)


class E(Base):
    def weights(self):
        return Weights(5.0)


class F(Base):
    def weights(self):
        return Weights(6.0)


class G(Base):
    def weights(self):
        return Weights(7.0)


class H(Base):
    def weights(self):
        return Weights(8.0)


KINDS = {"a": A, "b": B, "c": C, "d": D, "e": E, "f": F, "g": G, "h": H}


@partial(jax.jit, static_argnames="kind")
def step(x, weights, kind, limits=None):
    if weights is None:
        weights = Weights(1.0)
    print(weights.w)  #! JAX202
    return kind.scaled(x, limits) * weights.w


def run(name):
    kind = KINDS[name]()
    return step(jnp.ones(3), kind.weights(), kind, kind.limits())


def maybe(name):
    found = KINDS[name]() if name in KINDS else None
    if found is not None:
        print(found.weights().w)
    return found


print([run(name) for name in KINDS], maybe("z"))


# %% more subclasses than contexts are told apart: each one's own method runs, under the transforms of its base
import jax
import jax.numpy as jnp


class Emissions:
    def distribution(self, params, state):
        raise NotImplementedError

    def logliks(self, params, emissions):
        def of_emission(emission):
            return jax.vmap(lambda state: self.distribution(params, state) * emission)(jnp.arange(3))

        return jax.vmap(of_emission)(emissions)


class Model:
    def __init__(self, component):
        self.component = component

    def marginal(self, params, emissions):
        return self.component.logliks(params, emissions)

    def fit(self, params, emissions):
        return jax.eval_shape(self.marginal, params, emissions)


class Emissions0(Emissions):
    def distribution(self, params, state):
        print(state)  #! JAX202
        return params[state] + 0.0


class Model0(Model):
    def __init__(self):
        super().__init__(Emissions0())


class Emissions1(Emissions):
    def distribution(self, params, state):
        print(state)  #! JAX202
        return params[state] + 1.0


class Model1(Model):
    def __init__(self):
        super().__init__(Emissions1())


class Emissions2(Emissions):
    def distribution(self, params, state):
        print(state)  #! JAX202
        return params[state] + 2.0


class Model2(Model):
    def __init__(self):
        super().__init__(Emissions2())


class Emissions3(Emissions):
    def distribution(self, params, state):
        print(state)  #! JAX202
        return params[state] + 3.0


class Model3(Model):
    def __init__(self):
        super().__init__(Emissions3())


class Emissions4(Emissions):
    def distribution(self, params, state):
        print(state)  #! JAX202
        return params[state] + 4.0


class Model4(Model):
    def __init__(self):
        super().__init__(Emissions4())


class Emissions5(Emissions):
    def distribution(self, params, state):
        print(state)  #! JAX202
        return params[state] + 5.0


class Model5(Model):
    def __init__(self):
        super().__init__(Emissions5())


class Emissions6(Emissions):
    def distribution(self, params, state):
        print(state)  #! JAX202
        return params[state] + 6.0


class Model6(Model):
    def __init__(self):
        super().__init__(Emissions6())


class Emissions7(Emissions):
    def distribution(self, params, state):
        print(state)  #! JAX202
        return params[state] + 7.0


class Model7(Model):
    def __init__(self):
        super().__init__(Emissions7())


class Emissions8(Emissions):
    def distribution(self, params, state):
        print(state)  #! JAX202
        return params[state] + 8.0


class Model8(Model):
    def __init__(self):
        super().__init__(Emissions8())


class Emissions9(Emissions):
    def distribution(self, params, state):
        print(state)  #! JAX202
        return params[state] + 9.0


class Model9(Model):
    def __init__(self):
        super().__init__(Emissions9())


class Emissions10(Emissions):
    def distribution(self, params, state):
        print(state)  #! JAX202
        return params[state] + 10.0


class Model10(Model):
    def __init__(self):
        super().__init__(Emissions10())


class Emissions11(Emissions):
    def distribution(self, params, state):
        print(state)  #! JAX202
        return params[state] + 11.0


class Model11(Model):
    def __init__(self):
        super().__init__(Emissions11())


class Unused(Emissions):
    def distribution(self, params, state):
        return params[state]

    def shown(self, state):
        print(state)
        return state


for model in (Model0(), Model1(), Model2(), Model3(), Model4(), Model5(), Model6(), Model7(), Model8(), Model9(), Model10(), Model11()):
    model.fit(jnp.ones(3), jnp.ones((5, 2)))
Unused().shown(1)


# %% functions that more callers hand on than are told apart, called by helpers of what is traced
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Agent(NamedTuple):
    act: object
    learn: object


def expanded(key, tree, model, action):
    step, _ = model(key, action, tree)
    return tree + step


def grown(key, tree, model, action):
    def twice(tree):
        return expanded(key, expanded(key, tree, model, action), model, action)

    return twice(tree)


def learned(agent, state):
    return agent.learn(agent.act(state))


def search(key, *, root, model, select, steps, loop=jax.lax.fori_loop):
    def body(i, carry):
        key, tree = carry
        key, subkey = jax.random.split(key)
        return key, grown(subkey, select(tree), model, i)

    return loop(0, steps, body, (key, root))[1]


def trained(agent, state, steps, report):
    def body(state, _):
        return learned(agent, state), None

    report(state)
    return jax.lax.scan(body, state, None, length=steps)[0]


def first(tree):
    return tree


def second(tree):
    return tree + 1


def third(tree):
    return tree + 2


def greedy(key, root, model, steps):
    return search(key, root=root, model=model, select=partial(first), steps=steps)


def soft(key, root, model, steps):
    return search(key, root=root, model=model, select=partial(second), steps=steps)


def wild(key, root, model, steps):
    return search(key, root=root, model=model, select=partial(third), steps=steps)


def model_of(rewards):
    def model(key, action, tree):
        print(action)  #! JAX202
        return rewards[action], tree

    return model


def table_of(rewards):
    def model(key, action, tree):
        print(action)
        return rewards[action], tree

    return model


def agent_of(scale):
    def act(state):
        print(state)  #! JAX202
        return state * scale

    def learn(action):
        print(action)  #! JAX202
        return action + 1

    return Agent(act, learn)


def shown(state):
    print(state)


def counted(state):
    print("state", state)


def silent(state):
    pass


def test_searches():
    root = jnp.ones(())
    wild(jax.random.key(0), root, model_of(jnp.ones(3)), 4)
    expanded(jax.random.key(1), root, table_of(jnp.ones(3)), 1)


def test_trains():
    trained(agent_of(2.0), jnp.ones(3), 4, shown)
    trained(agent_of(3.0), jnp.ones(3), 4, counted)
    trained(agent_of(4.0), jnp.ones(3), 4, silent)


# %% classes that register themselves as pytrees: as objects are made, by a metaclass, by names of attributes
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax.tree_util import register_pytree_node, register_pytree_node_class, tree_flatten, tree_unflatten


class Jittable:
    known = set()

    def __new__(cls, *args, **kwargs):
        if cls not in Jittable.known:
            Jittable.known.add(cls)
            register_pytree_node(cls, functools.partial(Jittable.flat), functools.partial(Jittable.built, cls))
        return super().__new__(cls)

    def flat(self):
        leaves, structure = tree_flatten(self.__dict__)
        are_arrays = [isinstance(leaf, (jax.Array, np.ndarray)) for leaf in leaves]
        held = tuple(None if is_array else leaf for leaf, is_array in zip(leaves, are_arrays))
        return [leaf if is_array else None for leaf, is_array in zip(leaves, are_arrays)], (held, structure)

    @staticmethod
    def built(cls, static, leaves):
        held, structure = static
        made = object.__new__(cls)
        merged = [leaf if other is None else other for leaf, other in zip(leaves, held)]
        made.__dict__ = tree_unflatten(structure, merged)
        return made


class Normal(Jittable):
    def __init__(self, scale, rank):
        self.scale = scale
        self.rank = rank

    def log_prob(self, x):
        print(self.scale)  #! JAX202
        print(self.rank)
        if self.rank > 1:
            x = x.sum()
        return x / self.scale


class Registered(type):
    def __init__(cls, name, bases, namespace):
        super().__init__(name, bases, namespace)
        register_pytree_node(cls, lambda each: each.flatten(), lambda static, leaves: cls.unflatten(static, leaves))


class Layer(metaclass=Registered):
    def __init__(self, weights, size):
        self.weights = weights
        self.size = size

    def flatten(self):
        return (self.weights,), self.size

    @classmethod
    def unflatten(cls, size, leaves):
        return cls(leaves[0], size)

    def __call__(self, x):
        print(self.weights)  #! JAX202
        print(self.size)
        return jnp.matmul(x, self.weights)


class Net(Jittable):
    def __init__(self):
        self.layers = [Layer(jnp.ones((2, 2)), 2), Layer(jnp.ones((2, 2)), 2)]
        self.shape = (2, 2)

    def __call__(self, x):
        print(self.shape)
        for layer in self.layers:
            x = layer(x)
        return x


@register_pytree_node_class
class Body:
    leaves = ("mass",)

    def __init__(self, mass, name):
        self.mass = mass
        self.name = name

    def tree_flatten(self):
        return tuple(getattr(self, name) for name in self.leaves), self.name

    @classmethod
    def tree_unflatten(cls, name, leaves):
        return cls(*leaves, name)

    def energy(self, speed):
        print(self.mass)  #! JAX202
        print(self.name)
        return self.mass * speed**2 / 2


@jax.jit
def density(distribution, x):
    return distribution.log_prob(x)


@jax.jit
def applied(net, x):
    return net(x)


@jax.jit
def total(body, speed):
    return body.energy(speed)


density(Normal(jnp.ones(2), 2), jnp.ones(2))
applied(Net(), jnp.ones(2))
total(Body(jnp.ones(()), "moon"), 2.0)


# %% the class of a tracer is no other class
import jax


def shown(*args):
    for each in args:
        if type(each) is str:
            print(each)
        if type(each) == int:
            print(each)
        if type(each) is not str:
            print(each)  #! JAX202


@jax.jit
def step(x):
    shown("x:", x)
    return x + 1


step(1.0)


# %% text that is joined, cut and padded
import jax


@jax.jit
def step(x, y, names):
    print(", ".join(f"{v}" for v in (x, y)))  #! JAX202
    print(" ".join([str(x), "y"]))  #! JAX202
    print(" ".join(map(str, [x, y])))  #! JAX202
    print(f"{x}".ljust(20))  #! JAX202
    print("-".join("abc"), ", ".join(["x", "y"]), " ".join(str(v.shape) for v in (x, y)))
    return x + y


step(1.0, 2.0, {})


# %% objects whose text shows a tracer, and streams
import sys

import jax


class State:
    def __init__(self, mean, count):
        self.mean = mean
        self.count = count

    def __str__(self):
        return f"State({self.mean})"


class Named:
    def __init__(self, name, mean):
        self.name = name
        self.mean = mean

    def __repr__(self):
        return f"Named({self.name})"


class Rounded:
    def __init__(self, mean):
        self.mean = mean

    def __repr__(self):
        return f"Rounded({self.mean:.3f})"  #! JAX105


@jax.jit
def step(x):
    x = jax.numpy.asarray(x)
    print(State(x.mean(), 3))  #! JAX202
    print("state", str(State(x.mean(), 3)))  #! JAX202
    print(f"{State(x.mean(), 3)}")  #! JAX202
    print("%s" % State(x.mean(), 3))  #! JAX202
    print(Named("a", x.mean()), f"{Named('a', x)}")
    sys.stdout.write(f"{x}\n")  #! JAX202
    sys.stderr.write("x = " + str(x))  #! JAX202
    sys.stdout.write(f"{x.shape}\n")
    return x


@jax.jit
def rounded(x):
    return len(f"{Rounded(x.mean())}") * x


print(Rounded(2.0), State(1.0, 2))
step(1.0)
rounded(1.0)


# %% records whose text leaves a tracer out
import dataclasses
from typing import NamedTuple

import jax


@dataclasses.dataclass
class Hidden:
    name: str
    x: jax.Array = dataclasses.field(repr=False)


@dataclasses.dataclass(repr=False)
class Silent:
    name: str
    x: jax.Array


class Named(NamedTuple):
    name: str
    x: jax.Array

    def __repr__(self):
        return f"Named({self.name})"


@dataclasses.dataclass
class Shown:
    name: str
    x: jax.Array


@jax.jit
def step(x):
    print(Hidden("a", x), Silent("a", x), Named("a", x))
    print(Shown("a", x))  #! JAX202
    return x


step(1.0)


# %% what a function gives that an object keeps, which callers may give and mostly do not
from functools import partial

import jax
import jax.numpy as jnp


def same(population, fitness):
    return fitness


class Strategy:
    def __init__(self, size, shaping_fn=same):
        self.size = size
        self.shaping_fn = shaping_fn

    @partial(jax.jit, static_argnames="self")
    def tell(self, population, fitness):
        return self.update(population, self.shaping_fn(population, fitness))

    def update(self, population, fitness):
        raise NotImplementedError


class Mean(Strategy):
    def __init__(self, size, shaping_fn=same):
        super().__init__(size, shaping_fn)

    def update(self, population, fitness):
        print(fitness)  #! JAX202
        return population.mean()


class Best(Strategy):
    def __init__(self, size):
        super().__init__(size, same)

    def update(self, population, fitness):
        print(self.size, fitness)  #! JAX202
        return population[fitness.argmin()]


ALL = {"mean": Mean, "best": Best}


def test_all():
    for make in ALL.values():
        strategy = make(4)
        strategy.tell(jnp.zeros(4), jnp.ones(4))


test_all()


# %% the same of functions that the class gives no default for, or that give what is no array
from functools import partial

import jax
import jax.numpy as jnp


def shape_of(population):
    return population.shape


class Strategy:
    def __init__(self, size, describe, shape_fn=shape_of):
        self.size = size
        self.describe = describe
        self.shape_fn = shape_fn

    @partial(jax.jit, static_argnames="self")
    def tell(self, population):
        print(self.describe(self.size), self.shape_fn(population))
        return population.mean()


Strategy(4, str).tell(jnp.zeros(4))


# %% networks of stax and optimizers of jax.example_libraries
import jax
import jax.numpy as jnp
from jax.example_libraries import optimizers, stax
from jax.example_libraries.stax import Dense, FanInSum, FanOut, Identity, LogSoftmax, Relu

block = stax.serial(FanOut(2), stax.parallel(Dense(8), Identity), FanInSum)
init_random_params, predict = stax.serial(Dense(8), Relu, block, LogSoftmax)
opt_init, opt_update, get_params = optimizers.adam(step_size=0.1)


def cross_entropy(params, batch):
    inputs, targets = batch
    predictions = predict(params, inputs)
    print(predictions)  #! JAX202
    return -jnp.mean(predictions * targets)


@jax.jit
def update(i, state, batch):
    params = get_params(state)
    print(params)  #! JAX202
    grads = optimizers.clip_grads(jax.grad(cross_entropy)(params, batch), 1.0)
    print(optimizers.l2_norm(grads))  #! JAX202
    return opt_update(i, grads, state)


shape, params = init_random_params(jax.random.key(0), (-1, 8))
print(shape, get_params(opt_init(params)))
batch = jnp.ones((4, 8)), jnp.ones((4, 8))
state = update(0, opt_init(params), batch)
print(get_params(state), predict(params, batch[0]))


# %% what a method or a function has put into an attribute is there afterwards
import jax


class Box:
    def __init__(self):
        self.value = None

    def put(self, value):
        self.value = value

    def clear(self):
        self.value = None


def fill(box, value):
    box.value = value


def fill_perhaps(box, value, is_wanted):
    if is_wanted:
        box.value = value


@jax.jit
def run(x):
    by_method, by_function = Box(), Box()
    by_method.put(x)
    print(by_method.value)  #! JAX202
    fill(by_function, x)
    print(by_function.value)  #! JAX202
    by_function.clear()
    print(by_function.value)
    return x


def run_with(is_wanted):
    def inner(x):
        box = Box()
        fill_perhaps(box, x, is_wanted)
        print(box.value)
        return x

    return jax.jit(inner)(1.0)


run(1.0)
run_with(is_wanted=len(jax.devices()) > 99)


# %% what a body takes out of its keywords is not handed on
import jax


def sample(key, shape=()):
    print(key)  #! JAX202
    return jax.random.normal(key, shape)


def named(scale=1.0, **others):
    print(scale)  #! JAX202
    print(others)
    return scale


def popped(**options):
    key = options.pop("rng_key")
    return sample(key, **options)


def deleted(**options):
    scale = options["scale"]
    del options["scale"]
    return named(scale, **options)


@jax.jit
def run(key, scale):
    return popped(rng_key=key, shape=(3,)) + deleted(scale=scale)


run(jax.random.key(0), 2.0)


# %% rows of columns that come in any number, and arguments in any number
import json

import jax
import jax.numpy as jnp


def of_column(x):
    print(x)  #! JAX202
    return x


def of_row(*row):
    print(row[0])  #! JAX202
    return row[0]


def of_rest(first, *rest):
    print(rest[0])  #! JAX202
    return first + rest[0]


def of_numbers(*row):
    print(row[0])
    return row[0]


def fit(rows):
    columns = tuple(jnp.asarray(each) for each in rows)
    for column in columns:
        jax.jit(of_column)(column)
    for row in zip(*columns):
        jax.jit(of_row)(*row)
        of_numbers(*row)
    jax.jit(of_rest)(1.0, *columns)
    jax.jit(of_numbers, static_argnums=0)(*rows[0])


fit(json.loads("[[1, 2], [3, 4]]"))


# %% objects that are iterated over, and iterators that are kept
import jax


class Pair:
    def __init__(self, a, b):
        self.items = (a, b)

    def __iter__(self):
        return iter(self.items)


@jax.jit
def run(x):
    for each in Pair(x, x):
        print(each)  #! JAX202
    first, second = Pair(x, "name")
    for each in iter((x, x)):
        print(each)  #! JAX202
    for each in Pair("a", "b"):
        print(each)
    return x


run(1.0)


# %% a strategy in a tuple, from more callers than have contexts of their own
import jax
import jax.numpy as jnp


class Halves:
    def step(self, x):
        print(x)  #! JAX202
        return x / 2


class Thirds:
    def step(self, x):
        print(x)  #! JAX202
        return x / 3


class Quarters:
    def step(self, x):
        print(x)  #! JAX202
        return x / 4


class Fifths:
    def step(self, x):
        print(x)  #! JAX202
        return x / 5


def solve(function, strategy, x):
    return repeat((function, strategy, x))


def repeat(inputs):
    function, strategy, x = inputs
    return jax.lax.while_loop(lambda x: function(x) > 1.0, lambda x: strategy.step(x), x)


def test_halves():
    solve(jnp.sin, Halves(), 2.0)


def test_thirds():
    solve(jnp.cos, Thirds(), 2.0)


def test_quarters():
    solve(jnp.abs, Quarters(), 2.0)


def test_fifths():
    solve(jnp.exp, Fifths(), 2.0)


test_halves()
test_thirds()
test_quarters()
test_fifths()


# %% jnp.vectorize whose excluded arguments are computed: what is traced is so in either case
import json

import jax
import jax.numpy as jnp


def summed(x, condition=None):
    print(x)  #! JAX202
    print(condition)
    return x.sum()


def log_prob(x, is_conditioned):
    excluded = frozenset() if is_conditioned else frozenset([1])
    return jnp.vectorize(summed, signature="(n)->()", excluded=excluded)(x, None)


jax.jit(lambda x: log_prob(x, json.loads("false")))(jnp.ones((2, 3)))


# %% arguments of any number that a loop carries: no caller is known, and there may be none
import jax


class Solver:
    def update(self, params, *args, **options):
        print(params)  #! JAX202
        print(args)
        print(options)
        return params * 0.5

    def run(self, params, *args, **options):
        def body(carry):
            params, (args, options) = carry
            return self.update(params, *args, **options), (args, options)

        return jax.lax.while_loop(lambda carry: carry[0].sum() > 1, body, (params, (args, options)))[0]


# %% arguments that go through inspect.signature(f).bind: by the parameters, and handed on as they are bound
import functools
import inspect

import jax
import jax.numpy as jnp


def preprocessed(function):
    signature = inspect.signature(function)

    @functools.wraps(function)
    def wrapper(*args, **keywords):
        bound = signature.bind(*args, **keywords)
        bound.apply_defaults()
        print(bound.arguments["emissions"])  #! JAX202
        print(bound.arguments["inputs"])
        bound.arguments["flag"] = True
        return function(*bound.args, **bound.kwargs)

    return wrapper


@preprocessed
def smoothed(params, emissions, inputs=None, *rest, flag=False, **more):
    print(params)  #! JAX202
    print(emissions)  #! JAX202
    print(inputs)
    print(rest)
    print(flag)
    print(more)
    return emissions * params


@jax.jit
def run(scale, values):
    return smoothed(scale, emissions=values)


run(2.0, jnp.ones(3))


# %% ... of a method, without defaults, gone through by name, and with more by `*` and `**`
import inspect

import jax


class Solver:
    def step(self, x, *parts, count=2, **options):
        print(x)  #! JAX202
        print(parts)  #! JAX202
        print(count)
        print(options)  #! JAX202
        return x

    def run(self, *args, **keywords):
        bound = inspect.signature(self.step).bind(*args, **keywords)
        for value in bound.args:
            print(value)  #! JAX202
        print(bound.kwargs["rate"])  #! JAX202
        return self.step(*bound.args, **bound.kwargs)


@jax.jit
def run(x, y, rate):
    return Solver().run(x, y, rate=rate)


run(1.0, 2.0, 0.5)


# %% ... of a function that was compiled, and of a call that no parameter takes, which raises
import inspect

import jax


@jax.jit
def compiled(x, y=1.0):
    print(x)  #! JAX202
    print(y)  #! JAX202
    return x + y


def run(x):
    bound = inspect.signature(compiled).bind(x)
    print(bound.arguments.get("y"))
    bound.apply_defaults()
    print(bound.arguments.get("y"))
    try:
        inspect.signature(compiled).bind(x, z=1)
    except TypeError:
        return compiled(*bound.args)
    return x


run(1.0)


# %% ... what nothing is known of stays so: parameters, what a builtin has, a function that is handed over
import inspect

import jax


def names_of(function):
    return [name for name in inspect.signature(function).parameters]


def called(function, *args):
    signature = inspect.signature(function)
    if "scale" in signature.parameters and len(signature.parameters) > 1:
        bound = signature.bind(*args, scale=1.0)
        return function(*bound.args, **bound.kwargs)
    return function(*args)


def scaled(x, scale):
    print(scale)
    print(x)  #! JAX202
    return x * scale


def plain(x):
    print(x)  #! JAX202
    return x


@jax.jit
def run(x):
    return called(scaled, x) + called(plain, x)


names_of(run)
run(1.0)


# %% reductions: what a function makes of leaves one after the other
import functools

import jax
import jax.numpy as jnp


class Leading:
    def __init__(self, leaf):
        self.leaf = leaf

    def get(self):
        return self.leaf.shape[0:1]


def grid_shape(tree):
    leading = jax.tree.map(Leading, tree)
    joined = lambda x, y: x.get() + y.get() if isinstance(x, Leading) else x + y.get()
    return jax.tree.reduce(joined, leading, is_leaf=lambda x: isinstance(x, Leading))


@jax.jit
def f(tree, n):
    print(grid_shape((tree["a"], n, n)))
    print(grid_shape(tree))
    rows = [jnp.ones(3) for _ in range(n.shape[0])]
    print(functools.reduce(lambda a, b: a + b, rows, 0))  #! JAX202
    print(functools.reduce(lambda a, b: a + b.ndim, rows, 0))
    print(jax.tree.reduce(lambda a, b: a + b.size, tree, 0))
    print(jax.tree.reduce(lambda a, b: a + b.sum(), tree, 0))  #! JAX202
    print(jax.tree.reduce(lambda a, b: a + b.sum(), {"a": tree, "b": n}, 0))  #! JAX202
    print(jax.tree.reduce(lambda a, b: a and b, jax.tree.map(lambda x: x.ndim == 2, {"a": tree["a"], "b": n})))
    print(jax.tree.reduce(max, [x.ndim for x in jax.tree.leaves(tree)]))
    print(jax.tree.reduce(lambda a, b: (*a, b), (1, 2), ()))
    return n


f({"a": jnp.ones(2), "b": jnp.ones(2)}, jnp.ones(3))


# %% a function chosen by platform: called as it is outside of traces
import jax
import jax.numpy as jnp


def shown(x):
    print(x)
    return x * 2


def shown_in_trace(x):
    print(x)  #! JAX202
    return x * 2


def other(x):
    return x


jax.lax.platform_dependent(jnp.ones(3), cpu=shown, default=other)


@jax.jit
def f(x):
    return jax.lax.platform_dependent(x, cpu=shown_in_trace, default=other)


f(jnp.ones(3))

# %% what is printed before an error is raised
import jax
import jax.numpy as jnp


@jax.jit
def checked(x, sizes):
    if len(sizes) > 5:
        print("too many for", x)
        raise ValueError("too many")
    match len(sizes):
        case 4:
            print("four", x)
            raise NotImplementedError
        case _:
            print("fine", x)  #! JAX202
    return x


checked(jnp.ones(2), (1, 2))

# %% a record that an attribute is set to in turn: each call replaces a field of the one before
import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    w: jax.Array


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Outer:
    inner: State
    step: jax.Array


class Pair(NamedTuple):
    w: jax.Array
    step: int


@jax.jit
def update(state, x):
    print(state.w)  #! JAX202
    return dataclasses.replace(state, w=state.w - x.mean())


@jax.jit
def update_outer(state, x):
    print(state.inner.w, state.step)  #! JAX202
    inner = dataclasses.replace(state.inner, w=state.inner.w - x.mean())
    return dataclasses.replace(state, inner=inner, step=state.step + 1)


@jax.jit
def update_pair(state, x):
    print(state.w)  #! JAX202
    return state._replace(w=state.w - x.mean())


class Loop:
    def __init__(self, size):
        self.state = State(jnp.zeros(size))
        self.outer = Outer(State(jnp.zeros(size)), jnp.zeros(()))
        self.pair = Pair(jnp.zeros(size), 0)

    def step(self, x):
        self.state = update(self.state, x)
        self.outer = update_outer(self.outer, x)
        self.pair = update_pair(self.pair, x)
        print(self.state.w, self.outer.step, self.pair.w)
        return self.state


loop = Loop(3)
for _ in range(3):
    loop.step(jnp.ones(2))


# %% functions that objects carry into a function with many calls
import jax
import jax.numpy as jnp


class Event:
    def __init__(self, test, limit=None):
        self.test = test
        self.limit = limit


class Unused(Event):
    pass


@jax.jit(static_argnums=1)
def solve(y, event):
    event.test(y)
    return y


solve(jnp.ones(3), Event(lambda y: print(y), 0))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 1))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 2))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 3))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 4))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 5))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 6))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 7))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 8))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 9))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 10))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 11))  #! JAX202
unused = Unused(lambda y: print(y))
unused.test(1.0)


# %% the same, called in a loop that is traced
import jax
import jax.numpy as jnp


class Event:
    def __init__(self, test, limit=None):
        self.test = test
        self.limit = limit


class Unused(Event):
    pass


@jax.jit(static_argnums=1)
def solve(y, event):
    y = jax.lax.fori_loop(0, 2, lambda n, y: (event.test(y), y)[1], y)
    return y


solve(jnp.ones(3), Event(lambda y: print(y), 0))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 1))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 2))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 3))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 4))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 5))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 6))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 7))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 8))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 9))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 10))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 11))  #! JAX202


# %% the same, where a test asks whether there is one
import jax
import jax.numpy as jnp


class Event:
    def __init__(self, test, limit=None):
        self.test = test
        self.limit = limit


class Unused(Event):
    pass


@jax.jit(static_argnums=1)
def solve(y, event):
    if event is None:
        limit = 1
    else:
        limit = event.limit
    event.test(y)
    return y


solve(jnp.ones(3), Event(lambda y: print(y), 0))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 1))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 2))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 3))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 4))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 5))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 6))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 7))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 8))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 9))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 10))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 11))  #! JAX202


# %% the same, handed on by keywords
import jax
import jax.numpy as jnp


class Event:
    def __init__(self, test, limit=None):
        self.test = test
        self.limit = limit


class Unused(Event):
    pass


def turn(*, y, event):
    event.test(y)


def run(*, y, **options):
    turn(y=y, **options)


@jax.jit(static_argnums=1)
def solve(y, event):
    run(y=y, event=event)
    return y


solve(jnp.ones(3), Event(lambda y: print(y), 0))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 1))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 2))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 3))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 4))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 5))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 6))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 7))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 8))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 9))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 10))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 11))  #! JAX202


# %% the same, one of the leaves of a tree
import jax
import jax.numpy as jnp


class Event:
    def __init__(self, test, limit=None):
        self.test = test
        self.limit = limit


class Unused(Event):
    pass


@jax.jit(static_argnums=1)
def solve(y, event):
    jax.tree.map(lambda test: test(y), event.test, is_leaf=callable)
    return y


solve(jnp.ones(3), Event(lambda y: print(y), 0))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 1))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 2))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 3))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 4))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 5))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 6))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 7))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 8))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 9))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 10))  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 11))  #! JAX202


# %% the same, one of a list
import jax
import jax.numpy as jnp


class Event:
    def __init__(self, test, limit=None):
        self.test = test
        self.limit = limit


class Unused(Event):
    pass


@jax.jit(static_argnums=1)
def solve(y, event):
    for test in event.test:
        test(y)
    return y


solve(jnp.ones(3), Event([lambda y: print(y)], 0))  #! JAX202
solve(jnp.ones(3), Event([lambda y: print(y)], 1))  #! JAX202
solve(jnp.ones(3), Event([lambda y: print(y)], 2))  #! JAX202
solve(jnp.ones(3), Event([lambda y: print(y)], 3))  #! JAX202
solve(jnp.ones(3), Event([lambda y: print(y)], 4))  #! JAX202
solve(jnp.ones(3), Event([lambda y: print(y)], 5))  #! JAX202
solve(jnp.ones(3), Event([lambda y: print(y)], 6))  #! JAX202
solve(jnp.ones(3), Event([lambda y: print(y)], 7))  #! JAX202
solve(jnp.ones(3), Event([lambda y: print(y)], 8))  #! JAX202
solve(jnp.ones(3), Event([lambda y: print(y)], 9))  #! JAX202
solve(jnp.ones(3), Event([lambda y: print(y)], 10))  #! JAX202
solve(jnp.ones(3), Event([lambda y: print(y)], 11))  #! JAX202


# %% what runs an object's function is handed over with it
import jax
import jax.numpy as jnp


class Event:
    def __init__(self, test, limit=None):
        self.test = test
        self.limit = limit


class Once:
    def run(self, y, event):
        event.test(y)


class Twice:
    def run(self, y, event):
        event.test(y + 1)


@jax.jit(static_argnums=(1, 2))
def solve(y, event, runner):
    runner.run(y, event=event)
    return y


solve(jnp.ones(3), Event(lambda y: print(y), 0), Once())  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 1), Once())  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 2), Once())  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 3), Once())  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 4), Once())  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 5), Once())  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 6), Once())  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 7), Once())  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 0), Twice())  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 1), Twice())  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 2), Twice())  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 3), Twice())  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 4), Twice())  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 5), Twice())  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 6), Twice())  #! JAX202
solve(jnp.ones(3), Event(lambda y: print(y), 7), Twice())  #! JAX202


# %% ... and tests ask the object first: only of those that pass is the function called
import jax
import jax.numpy as jnp


class Option:
    def __init__(self, report, is_loud=False, kind="b"):
        self.report = report
        self.is_loud = is_loud
        self.kind = kind


def told(y, option):
    if option.kind == "a":
        option.report(y)


@jax.jit(static_argnums=1)
def solve(y, option):
    def turn(n, y):
        if option.is_loud:
            option.report(y)
        return y

    told(y, option)
    y = jax.lax.fori_loop(0, 2, turn, y)
    if not option.is_loud:
        return y
    option.report(y)
    return y


solve(jnp.ones(3), Option(lambda y: print(y)))
solve(jnp.ones(3), Option(lambda y: print(y)))
solve(jnp.ones(3), Option(lambda y: print(y)))
solve(jnp.ones(3), Option(lambda y: print(y)))
solve(jnp.ones(3), Option(lambda y: print(y)))
solve(jnp.ones(3), Option(lambda y: print(y)))
solve(jnp.ones(3), Option(lambda y: print(y)))
solve(jnp.ones(3), Option(lambda y: print(y)))
solve(jnp.ones(3), Option(lambda y: print(y)))
solve(jnp.ones(3), Option(lambda y: print(y)))
solve(jnp.ones(3), Option(lambda y: print(y)))
solve(jnp.ones(3), Option(lambda y: print(y)))
solve(jnp.ones(3), Option(lambda y: print(y), True))  #! JAX202
solve(jnp.ones(3), Option(lambda y: print(y), kind="a"))  #! JAX202


# %% functions of objects in a list that callers of a traced function hand over
import jax
import jax.numpy as jnp


class Event:
    def __init__(self, test):
        self.test = test


class Group:
    def __init__(self, events):
        self.events = events


@jax.jit(static_argnums=1)
def solve(y, group):
    def turn(n, y):
        for event in group.events:
            event.test(y)
        return y

    return jax.lax.fori_loop(0, 2, turn, y)


solve(jnp.ones(3), Group([Event(lambda y: None), Event(lambda y: print(y))]))  #! JAX202
solve(jnp.ones(3), Group([Event(lambda y: None), Event(lambda y: print(y))]))  #! JAX202
solve(jnp.ones(3), Group([Event(lambda y: None), Event(lambda y: print(y))]))  #! JAX202
solve(jnp.ones(3), Group([Event(lambda y: None), Event(lambda y: print(y))]))  #! JAX202
solve(jnp.ones(3), Group([Event(lambda y: None), Event(lambda y: print(y))]))  #! JAX202
solve(jnp.ones(3), Group([Event(lambda y: None), Event(lambda y: print(y))]))  #! JAX202
solve(jnp.ones(3), Group([Event(lambda y: None), Event(lambda y: print(y))]))  #! JAX202
solve(jnp.ones(3), Group([Event(lambda y: None), Event(lambda y: print(y))]))  #! JAX202
solve(jnp.ones(3), Group([Event(lambda y: None), Event(lambda y: print(y))]))  #! JAX202
solve(jnp.ones(3), Group([Event(lambda y: None), Event(lambda y: print(y))]))  #! JAX202
solve(jnp.ones(3), Group([Event(lambda y: None), Event(lambda y: print(y))]))  #! JAX202
solve(jnp.ones(3), Group([Event(lambda y: None), Event(lambda y: print(y))]))  #! JAX202


# %% an object that a function makes has what its constructor says, also where one of its methods is handed over
import jax
import jax.numpy as jnp


class Solver:
    def __init__(self, *, steps, chatty=False):
        self.steps = steps
        self._chatty = chatty
        self._log = False

    def turn(self, x):
        if self._chatty or self._log:
            print(x)
        return x + self.steps


class Batch:
    def __init__(self, steps):
        self._solver = Solver(steps=steps)

    def run(self, xs):
        return jax.lax.map(self._solver.turn, xs)

    def run_inside(self, xs):
        def one(x):
            return self._solver.turn(x)

        return jax.lax.map(one, xs)


def made_here(xs):
    return jax.lax.map(Solver(steps=2).turn, xs)


Batch(2).run(jnp.ones(3))
Batch(2).run_inside(jnp.ones(3))
made_here(jnp.ones(3))


# %% ... or what has become of it since
import jax
import jax.numpy as jnp


class ByArgument:
    def __init__(self, chatty=False):
        self.chatty = chatty

    def turn(self, x):
        if self.chatty:
            print(x)  #! JAX202
        return x + 1


class ByMethod:
    def __init__(self, size):
        self.size = size
        self.chatty = False

    def enable(self):
        self.chatty = True
        return self

    def turn(self, x):
        if self.chatty:
            print(x)  #! JAX202
        return x + self.size


class Outside:
    def __init__(self, chatty=False):
        self.chatty = chatty

    def turn(self, x):
        if self.chatty:
            print(x)  #! JAX202
        return x + 1


class OnSomePaths:
    quiet = False

    def __init__(self, size, quiet):
        if size > 3:
            self.quiet = True
        self.chatty = False
        if not quiet:
            self.chatty = True

    def turn(self, x):
        if not self.quiet:
            print(x)  #! JAX202
        if self.chatty:
            print(x)  #! JAX202
        return x + 1


def by_argument(xs):
    return jax.lax.map(ByArgument(True).turn, xs)


def by_method(xs):
    solver = ByMethod(2)
    solver.enable()
    return jax.lax.map(solver.turn, xs)


def outside(xs):
    solver = Outside()
    solver.chatty = True
    return jax.lax.map(solver.turn, xs)


def on_some_paths(xs, size):
    return jax.lax.map(OnSomePaths(size, size > 2).turn, xs)


by_argument(jnp.ones(3))
by_method(jnp.ones(3))
outside(jnp.ones(3))
on_some_paths(jnp.ones(3), 2)


# %% annotated tuples and lists of objects, and protocols that classes have the methods of
from typing import List, Optional, Protocol

import jax
import jax.numpy as jnp


class Block(Protocol):
    def advance(self, state, dt): ...


class Vertical:
    def advance(self, state, dt):
        print(state)  #! JAX202
        return state


class TakesMore:
    def advance(self, state, dt, more):
        print(state)
        return state


class Layer:
    def run(self, x):
        print(x)  #! JAX202
        return x


class Act:
    def act(self, x):
        print(x)  #! JAX202
        return x


class Head:
    def head(self, x):
        print(x)  #! JAX202
        return x


class Deep:
    def deep(self, x):
        print(x)  #! JAX202
        return x


class Silent:
    def quiet(self, x):
        print(x)
        return x


def roll(blocks: tuple[Block, ...], states, dt):
    def body(_, states):
        return tuple(block.advance(state, dt) for block, state in zip(blocks, states))

    return jax.lax.fori_loop(0, 3, body, states)


def in_list(layers: list[Layer], x):
    def body(x, _):
        for layer in layers:
            x = layer.run(x)
        return x, None

    return jax.lax.scan(body, x, None, length=3)[0]


class Net:
    acts: Optional[List[Act]] = None

    def __init__(self, heads: tuple[Head, ...]):
        self.heads = heads

    def apply(self, x):
        return jax.lax.map(lambda x: self.heads[0].head(x), x)

    def act(self, x):
        return jax.lax.map(lambda x: self.acts[0].act(x), x)


def inner(deep: Deep, x):
    return deep.deep(x)


def outer(config, x):
    return jax.lax.map(lambda x: inner(config.deep, x), x)


def eager(silent: list[Silent], x):
    return silent[0].quiet(x)


x = jnp.ones(3)
roll((Vertical(), Vertical()), (x, x), 0.1)
in_list([Layer()], x)
Net((Head(),)).apply(x)
eager([Silent()], x)


# %% a text whose format spec raises is not printed
import jax
import jax.numpy as jnp


@jax.jit
def estimate(distance):
    print(f"least {jnp.min(distance):.5e}")  #! JAX105
    return distance * 2.0


estimate(jnp.ones(3))


# %% nor one that shows the tracer elsewhere, and is printed later
import jax
import jax.numpy as jnp


@jax.jit
def estimate(least):
    text = f"{least} is {least:.5e}"  #! JAX105
    print("least " + text)
    return least * 2.0


estimate(jnp.float32(1.0))


# %% nor by str.format
import jax
import jax.numpy as jnp


@jax.jit
def estimate(least):
    print("least {0} {1:.3f}".format("at", least))  #! JAX105
    return least * 2.0


estimate(jnp.float32(1.0))


# %% nor by the operator
import jax
import jax.numpy as jnp


@jax.jit
def estimate(least):
    print("%s %.3f" % (least, least))  #! JAX105
    return least * 2.0


estimate(jnp.float32(1.0))


# %% a spec of something else leaves the tracer to be printed; so does a format without a spec
import jax
import jax.numpy as jnp


@jax.jit
def estimate(least, step=3):
    print(f"{step:5d} {least}")  #! JAX202
    print("%5d %s" % (step, least))  #! JAX202
    print("{:5d} {}".format(step, least))  #! JAX202
    print(format(least))  #! JAX202
    print(f"{step:5d} {least.shape}", format(step, "5d"))
    return least * 2.0


estimate(jnp.float32(1.0))

# %% what follows is not traced: a list of whether leaves are tracers
import jax
import jax.numpy as jnp


def forward(x, rest):
    if any([isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves((rest, x))]):
        return x
    print("eager", x)
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% what follows is not traced: not all leaves are no tracers
import jax
import jax.numpy as jnp


def forward(x, rest):
    if not all(not isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves((rest, x))):
        return x
    print("eager", x)
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% what follows is not traced: a loop over leaves that returns at a tracer
import jax
import jax.numpy as jnp


def forward(x, rest):
    for leaf in jax.tree.leaves((rest, x)):
        if isinstance(leaf, jax.core.Tracer):
            return x
    print("eager", x)
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% what follows is not traced: a loop over leaves that goes on where one is no tracer
import jax
import jax.numpy as jnp


def forward(x, rest):
    for leaf in jax.tree.leaves((rest, x)):
        if not isinstance(leaf, jax.core.Tracer):
            continue
        return x
    print("eager", x)
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% what follows is not traced: a loop over leaves that sets a flag at a tracer
import jax
import jax.numpy as jnp


def forward(x, rest):
    traced = False
    for leaf in jax.tree.leaves((rest, x)):
        if isinstance(leaf, jax.core.Tracer):
            traced = True
            break
    if traced:
        return x
    print("eager", x)
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% what follows is not traced: a flag of whether a leaf is a tracer
import jax
import jax.numpy as jnp


def forward(x, rest):
    leaves, _ = jax.tree_util.tree_flatten((rest, x))
    traced = any(isinstance(leaf, jax.core.Tracer) for leaf in leaves)
    if traced:
        return x
    print("eager", x)
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% what follows is not traced: the tracers among leaves
import jax
import jax.numpy as jnp


def forward(x, rest):
    tracers = [leaf for leaf in jax.tree.leaves((rest, x)) if isinstance(leaf, jax.core.Tracer)]
    if tracers:
        return x
    print("eager", x)
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% what follows is not traced: the number of tracers among leaves
import jax
import jax.numpy as jnp


def forward(x, rest):
    if len([leaf for leaf in jax.tree.leaves((rest, x)) if isinstance(leaf, jax.core.Tracer)]) > 0:
        return x
    print("eager", x)
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% what follows is not traced: a predicate that is mapped over leaves
import jax
import jax.numpy as jnp


def is_tracer(x):
    return isinstance(x, jax.core.Tracer)


def forward(x, rest):
    if any(map(is_tracer, jax.tree.leaves((rest, x)))):
        return x
    print("eager", x)
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% what follows is not traced: a predicate that is mapped over a pytree
import jax
import jax.numpy as jnp


def forward(x, rest):
    if not jax.tree.all(jax.tree.map(lambda leaf: not isinstance(leaf, jax.core.Tracer), (rest, x))):
        return x
    print("eager", x)
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% what follows is not traced: a pytree alone is asked for tracers
import jax
import jax.numpy as jnp


def forward(x, rest):
    if any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(rest)):
        return x
    print("eager", x)
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% what follows is not traced: a function that asks the leaves of its argument
import jax
import jax.numpy as jnp


def has_tracer(args):
    return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(args))


def forward(x, rest):
    if has_tracer((rest, x)):
        return x
    print("eager", x)
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% what follows is not traced: a function that asks the leaves of its arguments in a loop
import jax
import jax.numpy as jnp


def is_concrete(*args):
    for leaf in jax.tree.leaves(args):
        if isinstance(leaf, jax.core.Tracer):
            return False
    return True


def forward(x, rest):
    if not is_concrete(x, rest):
        return x
    print("eager", x)
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% leaves that are tracers are printed, and what is asked is printed on
import jax
import jax.numpy as jnp


def forward(x, rest):
    if any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves((rest, x))):
        print("traced", x)  #! JAX202
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% after a loop over leaves that are all tracers
import jax
import jax.numpy as jnp


def forward(x, rest):
    for leaf in jax.tree.leaves((rest, x)):
        if not isinstance(leaf, jax.core.Tracer):
            return x
    print("traced", x)  #! JAX202
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% tracers among leaves are counted: what follows is traced all the same
import jax
import jax.numpy as jnp


def forward(x, rest):
    count = 0
    for leaf in jax.tree.leaves((rest, x)):
        if isinstance(leaf, jax.core.Tracer):
            count += 1
            continue
        print("concrete", leaf)
    print("traced", x)  #! JAX202
    if count:
        print("traced", x)  #! JAX202
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% a flag that is set at a tracer, and what runs with it
import jax
import jax.numpy as jnp


def forward(x, rest):
    found = False
    for leaf in jax.tree.leaves((rest, x)):
        if isinstance(leaf, jax.core.Tracer):
            found = True
            break
    print("traced", x)  #! JAX202
    if found:
        print("traced", x)  #! JAX202
    else:
        print("concrete", x)
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% constants are asked whether one is a tracer
import jax
import jax.numpy as jnp


def forward(x, rest):
    if any(isinstance(leaf, jax.core.Tracer) for leaf in (1, "a", 2.0)):
        return x
    print("traced", x)  #! JAX202
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% a pytree of tracers is asked by a function
import jax
import jax.numpy as jnp


def has_tracer(args):
    return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(args))


def forward(x, rest):
    if has_tracer(rest):
        print("traced", x)  #! JAX202
    return x * 2.0


@jax.jit
def step(x, graph):
    return forward(x + 1.0, graph)


def main(graph):
    for _ in range(3):
        step(jnp.ones(3), graph)
    forward(jnp.ones(3), graph)


main({"edges": jnp.ones(2)})

# %% what `print` shows by keywords, and what it does not show
import pprint
import sys

import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    print("x", end=f" {x}\n")  #! JAX202
    print("x", "y", sep=f" {x} ")  #! JAX202
    print(*[x, x], sep=", ")  #! JAX202
    pprint.pprint(object=x)  #! JAX202
    print("x", end="\n", sep=" ", file=sys.stderr, flush=True)
    print(x.shape, end=f" {x.ndim}\n")
    return x * 2.0


step(jnp.ones(3))
