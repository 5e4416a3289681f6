"""jax.numpy beside NumPy: what looks alike, what does not, and what eager dispatch costs."""

from __future__ import annotations

from jaxlint.claim import Claim
from jaxlint.confirm.folklore.entry import Case, Folklore

_ALIKE = """
import jax.numpy as jnp
import numpy as np


def work(xp):
    x = xp.arange(6.0).reshape(2, 3)
    return (xp.where(x > 2, x, 0).sum(axis=0) @ xp.ones(3) + x.max()).item()


in_jax, in_numpy = work(jnp), work(np)
jnp.ones(2)
"""

_SMALL = """
import jax.numpy as jnp
import numpy as np

ours, theirs = jnp.ones(8), np.ones(8, dtype=np.float32)
ours + 1
"""

_CHAIN_EAGER = """
import jax.numpy as jnp


def chain(x):
    return jnp.where(x > 0, x, jnp.exp(x) - 1.0) * 1.5


x = jnp.ones(64)
"""

_CHAIN_JITTED = """
import jax
import jax.numpy as jnp


@jax.jit
def chain(x):
    return jnp.where(x > 0, x, jnp.exp(x) - 1.0) * 1.5


x = jnp.ones(64)
"""

_HALVES = """
import jax.numpy as jnp
import numpy as np

theirs = np.full(500_000, 1.5, dtype=np.float16)
ours = jnp.asarray(theirs)
ours * ours
"""

_DOT = """
import numpy as np


def python_dot(a, b):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * b[i]
    return s


a = np.ones(5000)
python_dot(a, a)
"""

_LISTS = """
import jax.numpy as jnp
import numpy as np

of_numpy = int(np.sum([1, 2]))
root = float(jnp.sqrt(4.0))
stacked = jnp.stack([jnp.ones(2), jnp.ones(2)]).shape
"""

_PURE = """
import jax
import numpy as np

key = jax.random.key(0)
other = jax.random.split(key)[0]
state = np.random.default_rng(0)
draw = jax.jit(jax.random.normal)
once, again = float(jax.random.normal(key)), float(jax.random.normal(key))
jitted = float(draw(key))
"""

_PRIMITIVES = """
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def by_numpy(x, y):
    return jnp.add(x, y)


@jax.jit
def by_lax(x, y):
    return lax.add(x, y)


x = jnp.ones(3)
whole = jnp.arange(3)
mixed = jnp.add(x, whole).tolist()
"""

ENTRIES = (
    Folklore(
        41,
        "jnp-looks-like-numpy",
        "Using JAX looks like using NumPy, and the first exception is randomness.",
        "note 002, discussion",
        "true",
        "One function over either module gives the same number. `jax.numpy` has no `random`.",
        (
            Case(Claim("same", calls=("in_jax", "in_numpy")), _ALIKE),
            Case(
                Claim("raises", error="builtins.AttributeError", calls=("jnp.random",)),
                _ALIKE,
                when="randomness",
            ),
        ),
    ),
    Folklore(
        42,
        "not-to-be-used-like-numpy",
        "JAX should not be used just like NumPy, as a comparison of speed shows.",
        "note 002, discussion",
        "true",
        "One addition on a few elements takes a multiple of NumPy's time. A chain of operations is a "
        "program for each of them; jitted it is one.",
        (
            Case(
                Claim("slower", calls=("ours + 1", "theirs + 1"), ratio=2.0, times=50),
                _SMALL,
                when="one operation",
            ),
            Case(
                Claim("compiles", calls=("chain(x)",), bad=">=5", good=1),
                _CHAIN_EAGER,
                _CHAIN_JITTED,
                when="several operations",
            ),
        ),
    ),
    Folklore(
        49,
        "eager-jax-is-slower-than-numpy",
        "Dispatch makes JAX without jit much slower than NumPy, so that it is good for debugging only.",
        "note 002, differences to NumPy",
        "depends",
        "On a few elements it is. On half a million numbers of half precision, which NumPy computes one by "
        "one, JAX without jit is several times faster.",
        (
            Case(
                Claim("slower", calls=("ours + 1", "theirs + 1"), ratio=2.0, times=50),
                _SMALL,
                when="a few elements",
            ),
            Case(
                Claim("slower", calls=("ours * ours", "theirs * theirs"), ratio=1.1),
                _HALVES,
                when="a large array of float16",
                holds=False,
            ),
        ),
    ),
    Folklore(
        50,
        "numpy-needs-vectorised-code",
        "In NumPy the burden is on the programmer: a Python loop is slower by orders of magnitude.",
        "note 002, differences to NumPy",
        "true",
        "A dot product as a loop takes more than a hundred times as long.",
        (Case(Claim("slower", calls=("python_dot(a, a)", "a @ a"), ratio=100.0), _DOT),),
    ),
    Folklore(
        61,
        "only-arrays-as-inputs",
        "All of JAX's operations must have arrays as inputs, unlike NumPy's.",
        "note 002, what can be jitted",
        "depends",
        "A list is refused where NumPy takes it; a Python number is not, and stack takes a list of arrays.",
        (
            Case(
                Claim("raises", error="builtins.TypeError", text="list", calls=("jnp.sum([1, 2])",)),
                _LISTS,
                when="a list",
            ),
            Case(
                Claim("raises", error="builtins.TypeError", calls=("jnp.sqrt(4.0)",)),
                _LISTS,
                when="a Python number",
                holds=False,
            ),
            Case(
                Claim("raises", error="builtins.TypeError", calls=("jnp.stack([jnp.ones(2), jnp.ones(2)])",)),
                _LISTS,
                when="a list of arrays to stack",
                holds=False,
            ),
        ),
    ),
    Folklore(
        67,
        "lax-is-beneath-jnp",
        "`jax.lax` has the primitive operations that `jax.numpy` is made of.",
        "note 003, lax",
        "true",
        "jnp.add and lax.add of two float arrays are the same single primitive. Only jnp promotes types: "
        "lax refuses a float with an int.",
        (
            Case(Claim("program", calls=("by_numpy(x, x)",), what="add", bad=1), _PRIMITIVES),
            Case(
                Claim("program", calls=("by_numpy(x, x)",), good_calls=("by_lax(x, x)",), what="hlo"),
                _PRIMITIVES,
                _PRIMITIVES,
            ),
            Case(
                Claim("raises", error="builtins.TypeError", text="same dtypes", calls=("lax.add(x, whole)",)),
                _PRIMITIVES,
                when="mixed types",
            ),
        ),
    ),
    Folklore(
        69,
        "random-functions-are-pure",
        "JAX's random functions take their seed as an argument, and so are pure, unlike NumPy's.",
        "note 003, random generator",
        "true",
        "The same key gives the same number again and under jit; NumPy's generator gives another one at "
        "each call.",
        (
            Case(Claim("same", calls=("jax.random.normal(key)", "jax.random.normal(key)")), _PURE),
            Case(Claim("same", calls=("once == again == jitted", "True")), _PURE, when="under jit"),
            Case(Claim("differs", calls=("state.normal()", "state.normal()")), _PURE, when="NumPy"),
            Case(
                Claim("differs", calls=("float(jax.random.normal(key))", "float(jax.random.normal(other))")),
                _PURE,
                when="another key",
            ),
        ),
        rule="JAX301",
    ),
)
