"""The matrix product: the operator and the function."""

from __future__ import annotations

from jaxlint.claim import Claim
from jaxlint.confirm.folklore.entry import Case, Folklore

_FUNCTION = """
import jax
import jax.numpy as jnp


@jax.jit
def product(w, c):
    return jnp.matmul(w, c)


w, c = jnp.ones((4, 128)), jnp.ones((128, 8000))
product(w, c)
"""

_OPERATOR = """
import jax
import jax.numpy as jnp


@jax.jit
def product(w, c):
    return w @ c


w, c = jnp.ones((4, 128)), jnp.ones((128, 8000))
product(w, c)
"""

_DOT_GENERAL = """
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def product(w, c):
    return lax.dot_general(w, c, (((1,), (0,)), ((), ())))


w, c = jnp.ones((4, 128)), jnp.ones((128, 8000))
product(w, c)
"""

_NOTE_SHAPES = """
import jax
import jax.numpy as jnp


@jax.jit
def product(w, c):
    return jnp.matmul(w, c)


c, w = jnp.ones((9000, 128)), jnp.ones((1, 128))
try:
    multiplied = product(w, c).shape == (1, 9000)
except TypeError:
    multiplied = False
"""

_GRAMMAR = """
import ast


def grammar_allows(text, version):
    try:
        ast.parse(text, feature_version=version)
    except SyntaxError:
        return False
    return True


too_new = grammar_allows("try:\\n    f()\\nexcept* E:\\n    g()\\n", (3, 8))
in_older = grammar_allows("a @ b", (3, 8))
"""

_SPIED = """
import jax
import jax.numpy as jnp
import numpy as np

calls, kinds = [], []
matmul = np.matmul


def spy(*args, **options):
    calls.append(1)
    return matmul(*args, **options)


np.matmul = spy


@jax.jit
def product(w, c):
    kinds.append(isinstance(w, jax.core.Tracer) and isinstance(c, jax.core.Tracer))
    return w @ c


w = jnp.ones((2, 2))
product(w, w)
direct, mixed = w @ w, np.ones((2, 2)) @ w
np.matmul = matmul
are_jax = isinstance(direct, jax.Array) and isinstance(mixed, jax.Array)
"""

ENTRIES = (
    Folklore(
        92,
        "matmul-operator-since-3-9",
        "The operator `@` came with Python 3.9.",
        "note 004, matmul",
        "false",
        "The grammar of Python 3.8 accepts it, which refuses what came later. It is from 3.5.",
        (Case(Claim("same", calls=("(in_older, too_new)", "(False, False)")), _GRAMMAR, holds=False),),
    ),
    Folklore(
        93,
        "matmul-operator-calls-numpy",
        "`@` probably calls NumPy's function.",
        "note 004, matmul",
        "false",
        "NumPy's function was not called, both operands in jit were tracers, and the compiled function has "
        "the product. Even a NumPy array on the left gives a JAX array.",
        (
            Case(Claim("same", calls=("len(calls) > 0", "True")), _SPIED, holds=False),
            Case(Claim("same", calls=("kinds", "[False]")), _SPIED, when="inside jit", holds=False),
            Case(Claim("same", calls=("are_jax", "False")), _SPIED, when="outside jit", holds=False),
        ),
        rule="JAX712",
    ),
    Folklore(
        94,
        "matmul-faster-than-operator",
        "`jnp.matmul` is faster than `@`.",
        "note 004, matmul",
        "false",
        "The jaxpr and the optimised program are the same, and the operator does not take a fifth more "
        "time. The note's own figures say the opposite of its conclusion, and were taken without waiting "
        "for the result.",
        (
            Case(
                Claim("program", calls=("product(w, c)",), what="jaxpr", bad="differs"),
                _OPERATOR,
                _FUNCTION,
                when="jaxpr",
                holds=False,
            ),
            Case(
                Claim("program", calls=("product(w, c)",), what="hlo", bad="differs"),
                _OPERATOR,
                _FUNCTION,
                when="HLO",
                holds=False,
            ),
            Case(
                Claim("slower", calls=("product(w, c)",), ratio=1.2),
                _OPERATOR,
                _FUNCTION,
                when="time",
                holds=False,
            ),
        ),
        rule="JAX712",
    ),
    Folklore(
        94,
        "matmul-of-the-shapes-in-the-note",
        "A row of 128 times millions of rows of 128 is a matrix product that can be timed.",
        "note 004, matmul",
        "false",
        "The inner dimensions differ, and it raises; what the note timed cannot be what it shows. (Looked "
        "at with fewer rows.)",
        (Case(Claim("same", calls=("multiplied", "True")), _NOTE_SHAPES, holds=False),),
    ),
    Folklore(
        95,
        "matmul-operator-needs-more-memory",
        "`@` ran out of memory where `jnp.matmul` fitted.",
        "note 004, matmul",
        "false",
        "The two compiled programs need the same temporary and the same output memory.",
        (
            Case(
                Claim("memory", calls=("product(w, c)",), what="temp", ratio=1.01),
                _OPERATOR,
                _FUNCTION,
                holds=False,
            ),
            Case(
                Claim("memory", calls=("product(w, c)",), what="output", ratio=1.01),
                _OPERATOR,
                _FUNCTION,
                holds=False,
            ),
        ),
        rule="JAX712",
    ),
    Folklore(
        96,
        "matmul-is-dot-general",
        "`jnp.matmul` calls XLA's dot_general, which one need not call oneself.",
        "note 004, matmul",
        "true",
        "It is one dot_general, and what one writes with `lax.dot_general` compiles to the same program.",
        (
            Case(Claim("program", calls=("product(w, c)",), what="dot_general", bad=1), _FUNCTION),
            Case(
                Claim("program", calls=("product(w, c)",), what="hlo"),
                _FUNCTION,
                _DOT_GENERAL,
                when="by hand",
            ),
        ),
    ),
)
