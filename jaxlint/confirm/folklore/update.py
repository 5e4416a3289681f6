"""Updates of arrays, which never change: what is copied, what is not, and what donation does."""

from __future__ import annotations

from jaxlint.claim import Claim
from jaxlint.confirm.folklore.entry import Case, Folklore

_ASSIGNED = """
import jax.numpy as jnp

x = jnp.array([1, 2, 3, 4, 5])
x[3] = 10
"""

_AT_SET = """
import jax.numpy as jnp

x = jnp.array([1, 2, 3, 4, 5])
x = x.at[3].set(10)
"""

_UPDATES = """
import jax
import jax.numpy as jnp


def update(x):
    return x.at[3].set(1.0)


def of_intermediate(x):
    return (2.0 * x + 1.0).at[3].set(1.0)


def of_many(x):
    y = 2.0 * x + 1.0
    return y.at[3].set(1.0).at[5].set(2.0).at[7].set(3.0)


def copies(function, **options):
    text = jax.jit(function, **options).lower(x).compile().as_text()
    return text.count(" copy(") + text.count(" copy-start(")


x = jnp.zeros((256, 256))
plain = jax.jit(update)
donating = jax.jit(update, donate_argnums=0)
"""

_IN_PLACE = (
    _UPDATES
    + """
eager = update(x)
eager_reused = eager.unsafe_buffer_pointer() == x.unsafe_buffer_pointer()
jitted_reused = plain(x).unsafe_buffer_pointer() == x.unsafe_buffer_pointer()
before = x + 0.0
place = before.unsafe_buffer_pointer()
after = donating(before)
donated_reused = after.unsafe_buffer_pointer() == place
donated_gone = before.is_deleted()
"""
)

_INTERLEAVED = """
import warnings

import jax
import jax.numpy as jnp

warnings.simplefilter("ignore")


@jax.jit
def interleave(a, b, c):
    out = jnp.zeros((3 * a.shape[0], a.shape[1]), dtype=jnp.int8)
    return out.at[0::3, :].set(a).at[1::3, :].set(b).at[2::3, :].set(c)


def stacked(*arrays):
    return jnp.stack(arrays, axis=1).reshape(-1, arrays[0].shape[1])


small = [jnp.full((2, 2), n, dtype=jnp.int8) for n in (1, 2, 3)]
reals = [jnp.full((2, 2), n) for n in (1.5, 2.5, 300.0)]
"""

ENTRIES = (
    Folklore(
        60,
        "no-updates-in-place-but-xla-may",
        "There are no updates in place, but XLA may make them, so they need not cost anything.",
        "note 002, what can be jitted",
        "true",
        "Assignment raises. In one compiled function three updates in a row need no more temporary memory "
        "than one, and nothing is copied.",
        (
            Case(
                Claim(
                    "raises",
                    error="builtins.TypeError",
                    text="immutable",
                    calls=("x.tolist()",),
                    gives="[1, 2, 3, 10, 5]",
                ),
                _ASSIGNED,
                _AT_SET,
            ),
            Case(
                Claim("memory", calls=("of_many(x)",), good_calls=("of_intermediate(x)",), what="temp"),
                _UPDATES,
                _UPDATES,
                when="in jit",
            ),
            Case(Claim("same", calls=("copies(of_many)", "0")), _UPDATES, when="in jit"),
        ),
    ),
    Folklore(
        68,
        "arrays-are-immutable",
        "JAX arrays are immutable.",
        "note 003, immutable arrays",
        "true",
        "Assignment to an element raises and says so.",
        (
            Case(
                Claim(
                    "raises",
                    error="builtins.TypeError",
                    text="immutable",
                    calls=("x.tolist()",),
                    gives="[1, 2, 3, 10, 5]",
                ),
                _ASSIGNED,
                _AT_SET,
            ),
        ),
        rule="JAX501",
    ),
    Folklore(
        84,
        "at-set-instead-of-assignment",
        "`x[3] = 10` does not work, `x = x.at[3].set(10)` does.",
        "note 004, mutable states",
        "true",
        "The first raises, the second gives the array with the new element.",
        (
            Case(
                Claim("raises", error="builtins.TypeError", calls=("x.tolist()",), gives="[1, 2, 3, 10, 5]"),
                _ASSIGNED,
                _AT_SET,
            ),
        ),
        rule="JAX501",
    ),
    Folklore(
        85,
        "updates-make-a-new-array",
        "An update with `.at[...]` makes a whole new array, which is wasteful.",
        "note 004, mutable states",
        "depends",
        "Outside jit the result has a buffer of its own and the old array keeps its values. With the array "
        "donated to a jitted function the result has the very buffer of the array, which is deleted.",
        (
            Case(Claim("same", calls=("eager_reused", "False")), _IN_PLACE, when="outside jit"),
            Case(
                Claim("same", calls=("(donated_reused, donated_gone)", "(False, False)")),
                _IN_PLACE,
                when="jitted, donated",
                holds=False,
            ),
        ),
        rule="JAX702",
    ),
    Folklore(
        86,
        "updates-in-place-inside-jit",
        "Inside jit an update happens in place where the input is not used again; outside it is a copy.",
        "note 004, in-place update under jit",
        "depends",
        "What the function has computed itself is updated without a copy. An argument is copied first, "
        "since the caller may still use it, unless it is donated: then the output is an alias of the input.",
        (
            Case(Claim("same", calls=("copies(of_many)", "0")), _UPDATES, when="an intermediate"),
            Case(Claim("same", calls=("copies(update)", "0")), _UPDATES, when="an argument", holds=False),
            Case(
                Claim("memory", calls=("plain(x)",), what="alias", bad=">0"),
                _UPDATES,
                when="an argument",
                holds=False,
            ),
            Case(
                Claim("same", calls=("copies(update, donate_argnums=0)", "0")),
                _UPDATES,
                when="a donated argument",
            ),
            Case(
                Claim("memory", calls=("donating(x)",), what="alias", bad=">0"),
                _UPDATES,
                when="a donated argument",
            ),
            Case(Claim("same", calls=("jitted_reused", "True")), _IN_PLACE, when="an argument", holds=False),
            Case(Claim("same", calls=("eager_reused", "False")), _IN_PLACE, when="outside jit"),
        ),
        rule="JAX702",
    ),
    Folklore(
        87,
        "interleave-with-at-set",
        "Three strided `.at[...].set` on an int8 array of zeros interleave three matrices.",
        "note 004, in-place update under jit",
        "depends",
        "For int8 matrices the result equals stack and reshape. Matrices of floats are cut to int8, "
        "silently once the warning is off.",
        (
            Case(
                Claim("same", calls=("interleave(*small).tolist()", "stacked(*small).tolist()")),
                _INTERLEAVED,
                when="int8",
            ),
            Case(
                Claim("same", calls=("interleave(*reals).tolist()", "stacked(*reals).tolist()")),
                _INTERLEAVED,
                when="float32",
                holds=False,
            ),
        ),
    ),
)
