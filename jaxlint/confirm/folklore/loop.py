"""Loops: unrolled by Python, kept by lax, and what XLA makes of either."""

from __future__ import annotations

from jaxlint.claim import Claim
from jaxlint.confirm.folklore.entry import Case, Folklore

_UNROLLED = """
import jax
import jax.numpy as jnp


def repeat(n, x):
    for _ in range(n):
        x = jnp.sin(x) * 2.0
    return x


def loops(f):
    return f.lower(x).compile().as_text().count(" while(")


step = {n: jax.jit(lambda x, n=n: repeat(n, x)) for n in (2, 4, 8, 16)}
x = jnp.ones(4)
step[2](x)
"""

_KEPT = """
import jax
import jax.numpy as jnp
from jax import lax


def repeat(n, x):
    return lax.fori_loop(0, n, lambda _, x: jnp.sin(x) * 2.0, x)


def loops(f):
    return f.lower(x).compile().as_text().count(" while(")


step = {n: jax.jit(lambda x, n=n: repeat(n, x)) for n in (2, 4, 8, 16)}
x = jnp.ones(4)
step[2](x)
"""

_BOUNDS = """
import jax
from jax import lax


def fixed(x):
    return lax.fori_loop(0, 4, lambda _, p: p * x, 1.0)


def open_ended(x, n):
    return lax.fori_loop(0, n, lambda _, p: p * x, 1.0)


slope = jax.grad(fixed)(2.0)
"""

_MAPPED = """
import jax
import jax.numpy as jnp


@jax.jit
def squares(x):
    return jax.vmap(lambda v: v * v + 1.0)(x)


x = jnp.ones(32)
squares(x)
"""

_LOOPED = """
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def squares(x):
    return lax.fori_loop(0, 32, lambda i, out: out.at[i].set(x[i] * x[i] + 1.0), jnp.zeros_like(x))


x = jnp.ones(32)
squares(x)
"""

_ARRAYWISE = """
import jax
import jax.numpy as jnp


@jax.jit
def squares(x):
    return x * x + 1.0


x = jnp.ones(32)
squares(x)
"""

ENTRIES = (
    Folklore(
        35,
        "scan-or-while-loop",
        "It matters whether a loop is a `scan` or a `while_loop`.",
        "notes 000 and 001, links",
        "true",
        "A fori_loop with fixed bounds is a scan and has a gradient, with a traced bound it is a while and "
        "has none in reverse mode.",
        (
            Case(Claim("program", calls=("fixed(2.0)",), what="scan", bad=1), _BOUNDS, when="fixed bounds"),
            Case(Claim("gradient", calls=("slope",), bad="finite"), _BOUNDS, when="fixed bounds"),
            Case(
                Claim("program", calls=("open_ended(2.0, 4)",), what="while", bad=1),
                _BOUNDS,
                when="traced bound",
            ),
            Case(
                Claim(
                    "raises",
                    error="builtins.ValueError",
                    text="Reverse-mode differentiation",
                    calls=("jax.jit(jax.grad(open_ended))(2.0, 4)",),
                ),
                _BOUNDS,
                when="traced bound",
            ),
        ),
    ),
    Folklore(
        51,
        "write-it-as-it-comes",
        "With XLA one can write what is meant and leave it to the compiler to make it fast.",
        "note 002, differences to NumPy",
        "depends",
        "A function of one element under vmap compiles to the same program as one written for the whole "
        "array. A loop over elements does not: it stays a loop.",
        (
            Case(
                Claim("program", calls=("squares(x)",), what="hlo"),
                _MAPPED,
                _ARRAYWISE,
                when="vmap",
            ),
            Case(
                Claim("program", calls=("squares(x)",), what="hlo"),
                _LOOPED,
                _ARRAYWISE,
                when="a loop over elements",
                holds=False,
            ),
        ),
    ),
    Folklore(
        58,
        "python-loops-are-unrolled",
        "A Python loop in a traced function is unrolled.",
        "note 002, what can be jitted",
        "true",
        "The number of operations grows with the number of iterations; that of a fori_loop does not.",
        (
            Case(
                Claim(
                    "program",
                    calls=("step[{n}](x)",),
                    what="sin",
                    bad="linear",
                    good="constant",
                    sizes=(2, 4, 8, 16),
                ),
                _UNROLLED,
                _KEPT,
            ),
        ),
        rule="JAX703",
    ),
    Folklore(
        59,
        "unrolling-trades-compile-time-for-optimisation",
        "Which loop to use is a choice between time to compile and room to optimise.",
        "note 002, what can be jitted",
        "true",
        "The unrolled loop gives XLA a program that grows with its iterations, in which no loop is left and "
        "the iterations can be fused; the kept one stays small and stays a loop.",
        (
            Case(
                Claim(
                    "program",
                    calls=("step[{n}](x)",),
                    what="eqns",
                    bad="linear",
                    good="constant",
                    sizes=(2, 4, 8, 16),
                ),
                _UNROLLED,
                _KEPT,
                when="to compile",
            ),
            Case(
                Claim("same", calls=("loops(step[8])", "0")),
                _UNROLLED,
                _KEPT,
                when="to optimise",
            ),
        ),
        rule="JAX703",
    ),
)
