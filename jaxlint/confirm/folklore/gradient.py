"""Derivatives: of loops, of higher order, with values and auxiliary results beside them."""

from __future__ import annotations

from jaxlint.claim import Claim
from jaxlint.confirm.folklore.entry import Case, Folklore

_WHILE = """
import jax
from jax import lax


def grow(x):
    return lax.while_loop(lambda p: p < 100.0, lambda p: p * x, 1.0)


def slope(x):
    return float(jax.grad(grow)(x))


slope(2.0)
"""

_BOUNDED = """
import jax
import jax.numpy as jnp
from jax import lax


def bounded_while(cond, body, init, steps):
    def turn(state, _):
        return lax.cond(cond(state), body, lambda state: state, state), None

    return lax.scan(turn, init, None, length=steps)[0]


def grow(x):
    return bounded_while(lambda p: p < 100.0, lambda p: p * x, 1.0, 16)


def slope(x):
    return float(jax.grad(grow)(x))


slope(2.0)
"""

_FORWARD = _WHILE.replace("slope(2.0)\n", "forward = float(jax.jvp(grow, (2.0,), (1.0,))[1])\n")

_JET = """
import jax.numpy as jnp
from jax.experimental import jet

value, series = jet.jet(jnp.sin, (0.0,), ((1.0, 0.0, 0.0),))
derivatives = [round(float(term), 4) + 0.0 for term in series]
"""

_DERIVATIVES = """
import jax


def f(x, y):
    return x**3 * y


first = float(jax.grad(f)(2.0, 1.0))
second = float(jax.grad(jax.grad(f))(2.0, 1.0))
value, slope = jax.value_and_grad(f)(2.0, 1.0)
beside, note = jax.grad(lambda x: (x**2, "a note"), has_aux=True)(3.0)
"""

ENTRIES = (
    Folklore(
        27,
        "bounded-while-loop-for-reverse-mode",
        "To differentiate a while loop in reverse mode one has to bound it.",
        "notes 000 and 001, links",
        "true",
        "The gradient of a while_loop raises; the same loop as a scan of bounded length, with a cond in "
        "each iteration, gives the gradient, which forward mode confirms.",
        (
            Case(
                Claim(
                    "raises",
                    error="builtins.ValueError",
                    text="Reverse-mode differentiation",
                    calls=("slope(2.0)",),
                    gives="448.0",
                ),
                _WHILE,
                _BOUNDED,
            ),
            Case(Claim("same", calls=("forward", "448.0")), _FORWARD, when="forward mode"),
        ),
    ),
    Folklore(
        36,
        "higher-derivatives-by-taylor-series",
        "`jax.experimental.jet` gives derivatives of higher order through Taylor series.",
        "notes 000 and 001, links",
        "true",
        "The first three derivatives of the sine at zero came out as they are.",
        (Case(Claim("same", calls=("derivatives", "[1.0, 0.0, -1.0]")), _JET),),
    ),
    Folklore(
        64,
        "grad-composes",
        "`grad` and `value_and_grad` give first derivatives, nesting gives second ones, auxiliary results "
        "come along.",
        "note 002, transforms",
        "true",
        "First and second derivative of a cubic, value with gradient, and a gradient with a string beside "
        "it.",
        (
            Case(Claim("same", calls=("(first, second)", "(12.0, 12.0)")), _DERIVATIVES),
            Case(Claim("same", calls=("(float(value), float(slope))", "(8.0, 12.0)")), _DERIVATIVES),
            Case(
                Claim("same", calls=("(float(beside), note)", "(6.0, 'a note')")),
                _DERIVATIVES,
                when="has_aux",
            ),
        ),
    ),
)
