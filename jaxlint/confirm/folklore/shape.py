"""Shapes that depend on values: what is refused, and how to get by."""

from __future__ import annotations

from jaxlint.claim import Claim
from jaxlint.confirm.folklore.entry import Case, Folklore

_TRACED_SHAPE = """
import jax
import jax.numpy as jnp


@jax.jit
def ramp(n):
    return jnp.ones(n).sum()


ramp(3)
"""

_STATIC_SHAPE = """
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=0)
def ramp(n):
    return jnp.ones(n).sum()


ramp(3)
"""

_MASK = """
import jax
import jax.numpy as jnp


@jax.jit
def negatives(x):
    return x[x < 0]


x = jnp.array([-1.0, 2.0])
negatives(x)
"""

_MASKED_WITHIN = """
import jax
import jax.numpy as jnp


@jax.jit
def total(x):
    return x[x < 0].sum()


x = jnp.array([-1.0, 2.0])
total(x)
"""

_WHERE_WITHIN = """
import jax
import jax.numpy as jnp


@jax.jit
def total(x):
    return jnp.where(x < 0, x, 0.0).sum()


x = jnp.array([-1.0, 2.0])
total(x)
"""

_KEEPS_POSITIVES = """
import jax
import jax.numpy as jnp


@jax.jit
def negatives(x):
    return jnp.where(x < 0, 0, x)


x = jnp.array([-1.0, 2.0])
kept = sorted(value for value in negatives(x).tolist() if value != 0)
wanted = sorted(x[x < 0].tolist())
"""

_KEEPS_NEGATIVES = """
import jax
import jax.numpy as jnp


@jax.jit
def negatives(x):
    return jnp.where(x < 0, x, 0)


x = jnp.array([-1.0, 2.0])
negatives(x)
"""

_LENGTHS = """
import jax
import jax.numpy as jnp


@jax.jit
def total(x):
    return x.sum()


rows = [jnp.full(n, 1.0) for n in (2, 5, 8)]
"""

_PADDED = """
import jax
import jax.numpy as jnp


@jax.jit
def total(x, length):
    return jnp.where(jnp.arange(x.shape[0]) < length, x, 0.0).sum()


rows = [(jnp.full(8, 1.0), n) for n in (2, 5, 8)]
"""

_JNP_PRODUCT = """
import jax
import jax.numpy as jnp


@jax.jit
def flat(x):
    return x.reshape(jnp.array(x.shape).prod())


flat(jnp.ones((2, 3)))
"""

_SIZE = """
import jax
import jax.numpy as jnp


@jax.jit
def flat(x):
    return x.reshape(x.size)


flat(jnp.ones((2, 3)))
"""

_NUMPY_PRODUCT = """
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def flat(x):
    return x.reshape(np.array(x.shape).prod())


flat(jnp.ones((2, 3)))
"""

_WHAT_IT_IS = """
import jax
import jax.numpy as jnp
from jax import lax

kinds = []


@jax.jit
def flat(x):
    n = jnp.array(x.shape).prod()
    kinds.append("tracer" if isinstance(n, jax.core.Tracer) else "future")
    return x


@jax.jit
def slow_six(x):
    x = lax.fori_loop(0, 200, lambda _, x: jnp.sin(x @ x), x)
    return jnp.int32(6 + 0 * x[0, 0])


x = jnp.ones((2, 3))
flat(x)
pending = slow_six(jnp.zeros((100, 100)))
"""

_NOT_CONCRETE = "jax.errors.NonConcreteBooleanIndexError"

ENTRIES = (
    Folklore(
        53,
        "unknown-shapes-are-refused",
        "A shape that depends on a value is refused, for what a function makes within as for its inputs.",
        "note 002, what can be jitted",
        "true",
        "A traced length raises, and a boolean mask raises though only a sum of what it selects is returned.",
        (
            Case(
                Claim("raises", error="builtins.TypeError", calls=("float(ramp(3))",), gives="3.0"),
                _TRACED_SHAPE,
                _STATIC_SHAPE,
                when="a length",
            ),
            Case(
                Claim("raises", error=_NOT_CONCRETE, calls=("float(total(x))",), gives="-1.0"),
                _MASKED_WITHIN,
                _WHERE_WITHIN,
                when="a mask within",
            ),
        ),
        rule="JAX109",
    ),
    Folklore(
        54,
        "padding-makes-shapes-static",
        "Inputs of varying shape can be made static by padding and masking.",
        "note 002, what can be jitted",
        "true",
        "Three lengths make three traces as they are and one when padded, with the same sums.",
        (
            Case(
                Claim(
                    "traces",
                    calls=("[total(row) for row in rows]",),
                    good_calls=("[total(*row) for row in rows]",),
                    what="total",
                    bad=3,
                    good=1,
                ),
                _LENGTHS,
                _PADDED,
            ),
            Case(Claim("same", calls=("[float(total(*row)) for row in rows]", "[2.0, 5.0, 8.0]")), _PADDED),
        ),
    ),
    Folklore(
        73,
        "boolean-index-under-jit",
        "`x[x < 0]` under jit raises NonConcreteBooleanIndexError.",
        "note 003, static shapes",
        "true",
        "The class is as said.",
        (
            Case(
                Claim("raises", error=_NOT_CONCRETE, calls=("negatives(x).tolist()",), gives="[-1.0, 0.0]"),
                _MASK,
                _KEEPS_NEGATIVES,
            ),
        ),
        rule="JAX111",
    ),
    Folklore(
        74,
        "where-replaces-get-negatives",
        "`jnp.where(x < 0, 0, x)` stands for `x[x < 0]` where jit refuses it.",
        "note 003, static shapes",
        "false",
        "It runs, but keeps what the mask throws away: the arguments have to change places.",
        (Case(Claim("same", calls=("kept", "wanted")), _KEEPS_POSITIVES, holds=False),),
        rule="JAX111",
    ),
    Folklore(
        79,
        "reshape-to-a-jnp-product",
        "`x.reshape(jnp.array(x.shape).prod())` fails under jit though the shape could be known.",
        "note 003, static_argnums",
        "true",
        "It raises; with `x.size`, or with NumPy's product, the same function compiles.",
        (
            Case(
                Claim(
                    "raises",
                    error="builtins.TypeError",
                    text="concrete",
                    calls=("flat(jnp.ones((2, 3))).shape",),
                    gives="(6,)",
                ),
                _JNP_PRODUCT,
                _SIZE,
                when="x.size",
            ),
            Case(
                Claim(
                    "raises",
                    error="builtins.TypeError",
                    text="concrete",
                    calls=("flat(jnp.ones((2, 3))).shape",),
                    gives="(6,)",
                ),
                _JNP_PRODUCT,
                _NUMPY_PRODUCT,
                when="np.prod",
            ),
        ),
        rule="JAX113",
    ),
    Folklore(
        80,
        "the-shape-is-a-future",
        "It fails because `jnp.array(x.shape)` is a future that jit cannot wait for.",
        "note 003, static_argnums",
        "false",
        "Inside jit it is a tracer and no future. Outside, an array that is still being computed serves as "
        "a shape: JAX waits for it.",
        (
            Case(Claim("same", calls=("kinds", "['future']")), _WHAT_IT_IS, when="inside jit", holds=False),
            Case(
                Claim("raises", error="builtins.TypeError", calls=("x.reshape(pending)",)),
                _WHAT_IT_IS,
                when="a future, outside jit",
                holds=False,
            ),
        ),
        rule="JAX113",
    ),
)
