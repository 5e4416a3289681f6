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
