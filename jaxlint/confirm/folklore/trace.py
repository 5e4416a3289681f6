"""What a trace records, what XLA makes of it, and what of Python is left out."""

from __future__ import annotations

from jaxlint.claim import Claim
from jaxlint.confirm.folklore.entry import Case, Folklore

_DEAD_CODE = """
import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    unused = jnp.exp(x)
    return x * 1.0 + 0.0


@jax.jit
def times_zero(x):
    return x + 0.0 * jnp.sin(x)


x = jnp.ones(8)
f(x)
times_zero(x)
"""

_ONCE = """
import jax
import numpy as np

seen = []


@jax.jit
def step(x):
    seen.append(1)
    print("in Python")
    return x + 1.0


@jax.jit
def noisy(x):
    return x + np.random.normal()


step(0.0)
"""

_HIDDEN_ARGUMENT = """
import jax

config = {"gain": 1.0}


@jax.jit
def amplify(x):
    return config["gain"] * x


before = float(amplify(3.0))
config["gain"] = 2.0
after = float(amplify(3.0))
"""

_HIDDEN_ARGUMENT_EAGER = """
config = {"gain": 1.0}


def amplify(x):
    return config["gain"] * x


before = float(amplify(3.0))
config["gain"] = 2.0
after = float(amplify(3.0))
"""

_PYTHON_BRANCH = """
import jax
import jax.numpy as jnp


def wave(x, odd):
    if odd:
        return jnp.sin(x)
    return jnp.cos(x)


@jax.jit
def odd(x):
    return wave(x, True)


odd(1.0)
"""

_JAXPR = """
import jax
import jax.numpy as jnp


def f(x, y):
    return jnp.dot(x + 1, y + 1)


x = jnp.ones((2, 2))
text = str(jax.make_jaxpr(f)(x, x))
"""

ENTRIES = (
    Folklore(
        43,
        "make-jaxpr-shows-the-raw-trace",
        "jit runs the function operation by operation and records a graph, which `make_jaxpr` shows "
        "unoptimised.",
        "note 002, how to use it",
        "true",
        "The recorded graph has the operation whose result nothing uses, and the product with one.",
        (
            Case(Claim("program", calls=("f(x)",), what="exp", bad=1), _DEAD_CODE),
            Case(Claim("program", calls=("f(x)",), what="mul", bad=1), _DEAD_CODE),
        ),
    ),
    Folklore(
        44,
        "xla-drops-useless-operations",
        "XLA drops operations that do not matter.",
        "note 002, how to use it",
        "depends",
        "An unused result and a product with one are absent from the compiled program. A product with zero "
        "is kept, and what it multiplies: zero times infinity is not zero.",
        (
            Case(
                Claim("program", calls=("f(x)",), what="hlo:exponential", bad=0),
                _DEAD_CODE,
                when="unused result",
            ),
            Case(Claim("program", calls=("f(x)",), what="hlo:multiply", bad=0), _DEAD_CODE, when="times one"),
            Case(
                Claim("program", calls=("times_zero(x)",), what="hlo:sine", bad=0),
                _DEAD_CODE,
                when="times zero",
                holds=False,
            ),
        ),
    ),
    Folklore(
        48,
        "python-runs-only-while-tracing",
        "Python code in a jitted function (prints, counters, other libraries) runs while tracing and never "
        "again.",
        "note 002, caveats",
        "true",
        "After the first call neither the counter nor the print moves, and a random number of NumPy's is "
        "the same at every call.",
        (
            Case(Claim("side-effect", calls=("step(1.0)", "step(2.0)"), what="len(seen)", bad=0), _ONCE),
            Case(Claim("side-effect", calls=("step(1.0)", "step(2.0)"), text="in Python", bad=0), _ONCE),
            Case(Claim("same", calls=("noisy(0.0)", "noisy(0.0)", "noisy(0.0)")), _ONCE, when="np.random"),
        ),
        rule="JAX202",
    ),
    Folklore(
        55,
        "hidden-arguments",
        "What a traced function reads beside its arguments is a hidden argument, so it is not pure in "
        "Python's sense.",
        "note 002, what can be jitted",
        "true",
        "A changed global changes what the plain function gives and leaves the jitted one as it was.",
        (Case(Claim("same", calls=("before", "after")), _HIDDEN_ARGUMENT, _HIDDEN_ARGUMENT_EAGER),),
    ),
    Folklore(
        56,
        "python-branch-traces-one-arm",
        "Of a Python branch in a traced function only the arm that is taken is traced.",
        "note 002, what can be jitted",
        "true",
        "The graph has the operation of the arm taken and not that of the other.",
        (
            Case(
                Claim("program", calls=("odd(1.0)",), what="sin", bad=1), _PYTHON_BRANCH, when="the arm taken"
            ),
            Case(
                Claim("program", calls=("odd(1.0)",), what="cos", bad=0), _PYTHON_BRANCH, when="the other arm"
            ),
        ),
    ),
    Folklore(
        72,
        "make-jaxpr-shows-what-jax-does",
        "`make_jaxpr` shows JAX's intermediate representation: for dot(x + 1, y + 1), two adds and a "
        "dot_general.",
        "note 003, make_jaxpr",
        "true",
        "Two adds and one dot_general were counted.",
        (
            Case(Claim("program", calls=("f(x, x)",), what="add", bad=2), _JAXPR),
            Case(Claim("program", calls=("f(x, x)",), what="dot_general", bad=1), _JAXPR),
        ),
    ),
    Folklore(
        72,
        "printed-jaxpr-as-in-the-note",
        "A printed jaxpr has untyped variables, and the dimension numbers of dot_general as nested tuples.",
        "note 003, make_jaxpr",
        "false",
        "Variables and literals now carry their types, and the dimension numbers are printed as lists.",
        (
            Case(
                Claim("same", calls=("'= add a 1.0\\n' in text", "True")),
                _JAXPR,
                when="variables",
                holds=False,
            ),
            Case(
                Claim("same", calls=("'dimension_numbers=(((1,), (0,)), ((), ()))' in text", "True")),
                _JAXPR,
                when="dimension numbers",
                holds=False,
            ),
        ),
    ),
)
