"""Transforms of functions: where to put them, what they map over, and making one's own."""

from __future__ import annotations

from jaxlint.claim import Claim
from jaxlint.confirm.folklore.entry import Case, Folklore

_TWO_STEPS = """
import jax
import jax.numpy as jnp


def moved(f, *args):
    cost = jax.jit(f).lower(*args).compile().cost_analysis()
    cost = cost[0] if isinstance(cost, list) else cost
    return cost["bytes accessed"]


def warp(x):
    return jnp.sin(x) * 2.0


def mix(x):
    return jnp.cos(x) + x


def both(x):
    return mix(warp(x))


x = jnp.ones(10_000)
apart = moved(warp, x) + moved(mix, x)
together = moved(both, x)
"""

_EAGER = """
import jax.numpy as jnp


def both(x):
    x = jnp.sin(x) * 2.0
    return jnp.cos(x) + x


x = jnp.ones(10)
"""

_JITTED = """
import jax
import jax.numpy as jnp


@jax.jit
def both(x):
    x = jnp.sin(x) * 2.0
    return jnp.cos(x) + x


x = jnp.ones(10)
"""

_INNER_JIT = """
import jax
import jax.numpy as jnp


@jax.jit
def loss(w, x):
    return ((x @ w) ** 2).mean()


slope = jax.jit(jax.grad(loss))


def train_step(w, momentum, x):
    momentum = 0.9 * momentum + slope(w, x)
    return w - 0.1 * momentum, momentum


w, momentum, x = jnp.ones(3), jnp.zeros(3), jnp.ones((8, 3))
"""

_OUTER_JIT = """
import jax
import jax.numpy as jnp


def loss(w, x):
    return ((x @ w) ** 2).mean()


@jax.jit
def train_step(w, momentum, x):
    momentum = 0.9 * momentum + jax.grad(loss)(w, x)
    return w - 0.1 * momentum, momentum


w, momentum, x = jnp.ones(3), jnp.zeros(3), jnp.ones((8, 3))
"""

_VMAP_AND_JIT = """
import re

import jax
import jax.numpy as jnp


def f(v):
    return jnp.sin(v) * 2.0 + v


def instructions(function):
    text = jax.jit(function).lower(x).compile().as_text()
    return sorted(re.findall(r"= \\S+ ([a-z-]+)\\(", text))


jit_outside = jax.jit(jax.vmap(f))
vmap_outside = jax.vmap(jax.jit(f))
x = jnp.ones((16, 4))
jit_outside(x)
vmap_outside(x)
outside, inside = instructions(jit_outside), instructions(vmap_outside)
"""

_PYTREE_ARGUMENT = """
import jax
import jax.numpy as jnp


@jax.jit
def apply(params, x):
    return params["w"] * x + params["bias"][0] + params["bias"][1]


value = float(apply({"w": 3.0, "bias": (jnp.float32(1.0), 2)}, 2.0))
"""

_INVERSE = """
import jax
import jax.numpy as jnp

INVERSES = {"exp": jnp.log, "log": jnp.exp, "tanh": jnp.arctanh}


def inverse(f):
    def inverted(y):
        value = y
        for equation in reversed(jax.make_jaxpr(f)(y).jaxpr.eqns):
            value = INVERSES[equation.primitive.name](value)
        return value

    return inverted


def f(x):
    return jnp.exp(jnp.tanh(x))


there_and_back = round(float(jax.jit(inverse(f))(f(0.5))), 4)
"""

_AXES = """
import jax
import jax.numpy as jnp

ns, pairs = jnp.arange(3), {"a": jnp.arange(3), "b": 10}
summed = jax.vmap(lambda p: p["a"] + p["b"], in_axes=({"a": 0, "b": None},))(pairs).tolist()
columns = jax.vmap(lambda n: jnp.stack([n, n]), out_axes=1)(ns).shape
rows = jax.vmap(lambda n: jnp.stack([n, n]))(ns).shape
"""

_NESTED_PARAMETERS = """
import jax
import jax.numpy as jnp


def inner(args):
    a, b = args
    return a * b


def middle(args):
    c, args = args
    return c + inner(args)


def outer(args):
    d, args = args
    return d * middle(args)


args = (2.0, (1.0, (3.0, 4.0)))
slopes = jax.grad(outer)(args)
same_structure = jax.tree_util.tree_structure(slopes) == jax.tree_util.tree_structure(args)
moved = jax.tree_util.tree_map(lambda value, slope: float(value - slope), args, slopes)
"""

ENTRIES = (
    Folklore(
        9,
        "jit-outermost",
        "jit belongs in the outermost layer: the more operations it sees, the more the compiler can "
        "optimise.",
        "notes 000 and 001, patterns",
        "true",
        "Two functions compiled as one read and write less memory, by the compiler's own estimate, than "
        "compiled one by one: what lies between them is never stored. Without jit, every operation is a "
        "program of its own.",
        (
            Case(Claim("differs", calls=("together", "apart")), _TWO_STEPS),
            Case(Claim("same", calls=("together < apart", "True")), _TWO_STEPS),
            Case(
                Claim("compiles", calls=("both(x)",), bad=4, good=1),
                _EAGER,
                _JITTED,
                when="called from Python",
            ),
        ),
    ),
    Folklore(
        11,
        "jit-of-vmap-over-vmap-of-jit",
        "`jax.jit(jax.vmap(f))` is better than `jax.vmap(jax.jit(f))`.",
        "notes 000 and 001, patterns",
        "depends",
        "Called from Python, vmap outside binds a primitive at every call and jit outside binds none. Under "
        "another jit the two compile to the same instructions.",
        (
            Case(
                Claim(
                    "warm-binds",
                    calls=("vmap_outside(x)",),
                    good_calls=("jit_outside(x)",),
                    bad=">=1",
                    good=0,
                ),
                _VMAP_AND_JIT,
                _VMAP_AND_JIT,
                when="called from Python",
            ),
            Case(
                Claim("differs", calls=("outside", "inside")),
                _VMAP_AND_JIT,
                when="under another jit",
                holds=False,
            ),
        ),
        rule="JAX601",
    ),
    Folklore(
        46,
        "jit-the-whole-train-step",
        "The jitted region should be as wide as possible, best the whole training step.",
        "note 002, caveats",
        "true",
        "With only loss and gradient jitted, the gradient is one program and every operation of the update "
        "is another; with the whole step jitted there is one.",
        (
            Case(
                Claim("compiles", calls=("train_step(w, momentum, x)",), bad=">=4", good=1),
                _INNER_JIT,
                _OUTER_JIT,
            ),
        ),
    ),
    Folklore(
        62,
        "any-pytree-is-an-argument",
        "The arguments of a jitted function may be any nesting of Python containers with arrays at the "
        "leaves.",
        "note 002, what can be jitted",
        "true",
        "A dictionary with a tuple in it gave the value; a leaf that is no array is a TypeError.",
        (
            Case(Claim("same", calls=("value", "9.0")), _PYTREE_ARGUMENT),
            Case(
                Claim(
                    "raises",
                    error="builtins.TypeError",
                    calls=("apply({'w': 3.0, 'bias': (1.0, 'x')}, 2.0)",),
                ),
                _PYTREE_ARGUMENT,
                when="a string as a leaf",
            ),
        ),
    ),
    Folklore(
        65,
        "own-transforms",
        "One can write transforms of functions of one's own.",
        "note 002, transforms",
        "true",
        "A transform of a dozen lines that walks a jaxpr backwards inverts a function, also under jit.",
        (Case(Claim("same", calls=("there_and_back", "0.5")), _INVERSE),),
    ),
    Folklore(
        71,
        "vmap-axes-are-pytrees",
        "`in_axes` and `out_axes` say which axes vmap maps, as pytrees that match the arguments and results.",
        "note 003, vmap",
        "true",
        "A dictionary with one leaf mapped and one not gave the sums; out_axes=1 gave the transposed shape.",
        (
            Case(Claim("same", calls=("summed", "[10, 11, 12]")), _AXES, when="in_axes"),
            Case(Claim("same", calls=("(columns, rows)", "((2, 3), (3, 2))")), _AXES, when="out_axes"),
        ),
    ),
    Folklore(
        82,
        "gradients-of-nested-arguments",
        "Pytrees give the gradients of nested arguments at once, in the same nesting.",
        "note 003, PyTree",
        "true",
        "Three levels of tuples came back as three levels of gradients, ready for an update.",
        (
            Case(Claim("same", calls=("same_structure", "True")), _NESTED_PARAMETERS),
            Case(Claim("same", calls=("moved", "(-11.0, (-1.0, (-5.0, -2.0)))")), _NESTED_PARAMETERS),
        ),
    ),
)
