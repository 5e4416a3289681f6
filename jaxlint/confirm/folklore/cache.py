"""The caches of compiled programs: what is a key in them, how they grow and how they are cleared."""

from __future__ import annotations

from jaxlint.claim import Claim
from jaxlint.confirm.folklore.entry import Case, Folklore

_TWO_FUNCTIONS = """
import jax


@jax.jit
def scale(x):
    return 2.0 * x


@jax.jit
def shift(x):
    return x + 1.0


scale(1.0)
shift(1.0)
before = scale._cache_size()
scale.clear_cache()
after = scale._cache_size()
"""

_SIZES = """
import jax
import jax.numpy as jnp


@jax.jit
def scale(x):
    return 2.0 * x


scale(1.0)
scale(1)
scale(jnp.ones(3))


@jax.jit
def ahead(x):
    return 2.0 * x


compiled = ahead.lower(1.0).compile()
"""

_STATIC_VALUES = """
from functools import partial

import jax


@partial(jax.jit, static_argnums=1)
def power(x, n):
    return x**n


for n in range(12):
    power(2.0, n)
kept = power._cache_size()
power.clear_cache()
left = power._cache_size()
"""

_RAGGED = """
import jax
import jax.numpy as jnp


@jax.jit
def total(x):
    return x.sum()


batches = [jnp.ones(3), jnp.ones(4), jnp.ones(5)]
total(jnp.ones(6))
"""

_PADDED = """
import jax
import jax.numpy as jnp


@jax.jit
def total(x):
    return x.sum()


batches = [jnp.pad(jnp.ones(n), (0, 6 - n)) for n in (3, 4, 5)]
total(jnp.ones(6))
"""

_TYPES = """
import jax
import jax.numpy as jnp


@jax.jit
def double(x):
    return x + x


ones, twos = jnp.ones(3), jnp.full(3, 2.0, dtype=jnp.float32)
whole = jnp.ones(3, dtype=jnp.int32)
strong, weak = jnp.float32(1.0), 1.0
double(ones)
double(strong)
"""

_STRUCTURES = """
import jax
import jax.numpy as jnp


@jax.jit
def loss(params):
    return sum(leaf.sum() for leaf in jax.tree_util.tree_leaves(params))


ones, twos = jnp.ones(3), jnp.full(3, 2.0, dtype=jnp.float32)
loss({"w": ones, "b": (ones, ones)})
"""

ENTRIES = (
    Folklore(
        3,
        "clear-cache-of-one-function",
        "`clear_cache()` on a jitted function throws away what was compiled for that function.",
        "note 000, Memory",
        "true",
        "The cache is empty afterwards and the next call traces again; another function's is untouched.",
        (
            Case(Claim("same", calls=("(before, after)", "(1, 0)")), _TWO_FUNCTIONS),
            Case(
                Claim("traces", calls=("scale(1.0)",), what="scale", bad=1),
                _TWO_FUNCTIONS,
                when="called again",
            ),
            Case(
                Claim("traces", calls=("shift(1.0)",), what="shift", bad=0),
                _TWO_FUNCTIONS,
                when="another function",
            ),
        ),
    ),
    Folklore(
        4,
        "cache-size-counts-compilations",
        "`_cache_size()` says how many versions of a jitted function have been compiled.",
        "note 000, Memory",
        "depends",
        "A float, an int and an array make an entry each, but what was compiled ahead of time is not "
        "counted. The method is private.",
        (
            Case(Claim("same", calls=("scale._cache_size()", "3")), _SIZES, when="compiled by calls"),
            Case(
                Claim("same", calls=("ahead._cache_size()", "1")),
                _SIZES,
                when="compiled ahead of time",
                holds=False,
            ),
        ),
    ),
    Folklore(
        7,
        "cache-grows-without-end",
        "The compilation cache keeps growing, and clearing it is the remedy.",
        "note 000, Memory",
        "true",
        "Each new static value leaves an entry, none is thrown away by itself, and clearing leaves none.",
        (Case(Claim("same", calls=("(kept, left)", "(12, 0)")), _STATIC_VALUES),),
    ),
    Folklore(
        7,
        "cache-exhaustion-message",
        "When the compilation cache exhausts the device, the error speaks of loading a CUBIN.",
        "note 000, Memory",
        "not-executable",
        "It takes a GPU whose memory is full of compiled programs, and the text is the driver's.",
    ),
    Folklore(
        47,
        "new-shape-new-trace",
        "Another input shape makes jit trace and compile again, so shapes should be kept few.",
        "note 002, caveats",
        "true",
        "Every new length was traced; the same data padded to one length was not.",
        (
            Case(
                Claim("traces", calls=("[total(batch) for batch in batches]",), what="total", bad=3, good=0),
                _RAGGED,
                _PADDED,
            ),
        ),
    ),
    Folklore(
        63,
        "same-structure-hits-the-cache",
        "Pytree arguments hit the cache when their nesting and the shapes of their leaves are the same.",
        "note 002, what can be jitted",
        "true",
        "Other values in the same nesting trace nothing; a further key, a list for a tuple, and another "
        "shape trace once each.",
        (
            Case(
                Claim("traces", calls=("loss({'w': twos, 'b': (twos, ones)})",), what="loss", bad=0),
                _STRUCTURES,
                when="same nesting",
            ),
            Case(
                Claim(
                    "traces",
                    calls=(
                        "loss({'w': ones, 'b': (ones, ones), 'c': ones})",
                        "loss({'w': ones, 'b': [ones, ones]})",
                        "loss({'w': ones[:2], 'b': (ones, ones)})",
                    ),
                    what="loss",
                    bad=3,
                ),
                _STRUCTURES,
                when="other nesting or shape",
            ),
        ),
    ),
    Folklore(
        76,
        "one-trace-per-shape-and-type",
        "jit traces once for an input shape and type, and again when either changes.",
        "note 003, jit only runs trace once",
        "true",
        "Other values of the same shape and type trace nothing, another dtype traces once.",
        (
            Case(
                Claim("traces", calls=("double(twos)",), what="double", bad=0),
                _TYPES,
                when="same shape and type",
            ),
            Case(
                Claim("traces", calls=("double(whole)",), what="double", bad=1), _TYPES, when="another dtype"
            ),
        ),
    ),
    Folklore(
        76,
        "shape-and-dtype-are-the-whole-key",
        "Two inputs of the same shape and dtype share one trace.",
        "note 003, jit only runs trace once",
        "depends",
        "Two float32 arrays do, a float32 scalar and a Python float do not: the weak type of the Python "
        "scalar is part of the key.",
        (
            Case(Claim("traces", calls=("double(twos)",), what="double", bad=0), _TYPES, when="two arrays"),
            Case(
                Claim("traces", calls=("double(weak)",), what="double", bad=0),
                _TYPES,
                when="a NumPy scalar, then a Python one",
                holds=False,
            ),
        ),
    ),
)
