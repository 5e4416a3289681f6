"""Compiling: when XLA does it, ahead of time, in a thread, and what it costs and leaves out."""

from __future__ import annotations

from jaxlint.claim import Claim
from jaxlint.confirm.folklore.entry import Case, Folklore

_AHEAD_OF_TIME = """
import jax
import jax.numpy as jnp

ran = []


@jax.jit
def step(x):
    jax.debug.callback(lambda: ran.append(1))
    return 3.0 * x


short, long = jnp.ones(2), jnp.ones(5)
step.lower(short).compile()
"""

_THREAD = """
import threading

import jax
import jax.numpy as jnp


@jax.jit
def heavy(x):
    for _ in range(60):
        x = jnp.sin(x) @ x
    return x


x = jnp.ones((8, 8))
other = threading.Thread(target=lambda: heavy.lower(x).compile())
other.start()
turns = 0
while other.is_alive():
    turns += 1
other.join()
"""

_WARM = """
import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    return jnp.sin(x) + x


first, second = jnp.ones(4), jnp.zeros(4)
step(first)
"""

_UNUSED = """
import jax
import jax.numpy as jnp


@jax.jit
def shift(x, table):
    return x + 1.0


x, table = jnp.ones(10), jnp.ones(1000)
shift(x, table)
"""

_WITHOUT_UNUSED = """
import jax
import jax.numpy as jnp


@jax.jit
def shift(x):
    return x + 1.0


x = jnp.ones(10)
shift(x)
"""

_SHORT = """
import jax
import jax.numpy as jnp


def chain(x):
    for _ in range(5):
        x = jnp.sin(x) + x
    return x


def compiled_for_one_call(x):
    return jax.jit(lambda x: chain(x))(x)


x = jnp.ones(10)
compiled_for_one_call(x)
"""

_EXPORTED = """
import jax
from jax import export


@jax.jit
def shift(x):
    return x + 1.0


here = "cuda" if jax.default_backend() == "gpu" else jax.default_backend()
elsewhere = "cpu" if here == "tpu" else "tpu"
for_one = export.export(shift, platforms=[elsewhere])(1.0)
for_both = export.export(shift, platforms=[here, elsewhere])(1.0)
"""

ENTRIES = (
    Folklore(
        13,
        "lower-and-compile-run-nothing",
        "`jax.jit(f).lower(*args).compile()` compiles a function without running it.",
        "notes 000 and 001, patterns",
        "true",
        "A callback in the function never ran, while XLA compiled once; a call with the same shapes later "
        "neither traces nor compiles.",
        (
            Case(
                Claim(
                    "side-effect",
                    calls=("step.lower(long).compile()", "jax.effects_barrier()"),
                    what="len(ran)",
                    bad=0,
                ),
                _AHEAD_OF_TIME,
            ),
            Case(Claim("compiles", calls=("step.lower(long).compile()",), bad=1), _AHEAD_OF_TIME),
            Case(
                Claim("traces", calls=("step(short)",), what="step", bad=0),
                _AHEAD_OF_TIME,
                when="called afterwards",
            ),
        ),
    ),
    Folklore(
        29,
        "compile-in-a-thread",
        "A function can be compiled before its first call, in another thread, while the main thread goes on.",
        "notes 000 and 001, links",
        "true",
        "The main thread ran while the other one compiled, and its own call then neither traced nor "
        "compiled.",
        (
            Case(Claim("differs", calls=("turns", "0")), _THREAD),
            Case(Claim("traces", calls=("heavy(x)",), what="heavy", bad=0), _THREAD, when="the first call"),
            Case(Claim("compiles", calls=("heavy(x)",), bad=0), _THREAD, when="the first call"),
        ),
    ),
    Folklore(
        45,
        "later-calls-run-the-compiled-program",
        "After the first call a jitted function is fetched compiled instead of being traced again.",
        "note 002, how to use it",
        "true",
        "Further calls trace nothing, compile nothing and bind no primitive from Python.",
        (
            Case(Claim("traces", calls=("step(first)", "step(second)"), what="step", bad=0), _WARM),
            Case(Claim("compiles", calls=("step(first)", "step(second)"), bad=0), _WARM),
            Case(Claim("warm-binds", calls=("step(second)",), bad=0), _WARM),
        ),
    ),
    Folklore(
        88,
        "what-is-not-used-is-not-compiled",
        "A just-in-time compiler can leave out parts of a program that are never used.",
        "note 004, JIT explained",
        "true",
        "An argument that nothing reads does not reach the executable: its inputs have the size of those of "
        "the function without that argument.",
        (
            Case(
                Claim("memory", calls=("shift(x, table)",), good_calls=("shift(x)",), what="argument"),
                _UNUSED,
                _WITHOUT_UNUSED,
            ),
        ),
    ),
    Folklore(
        89,
        "compiling-costs-short-programs",
        "Compilation takes time of its own, which a short program does not earn back.",
        "note 004, JIT explained",
        "true",
        "A function that is compiled for one call takes longer than the same operations one by one.",
        (Case(Claim("slower", calls=("compiled_for_one_call(x)", "chain(x)"), ratio=2.0), _SHORT),),
    ),
    Folklore(
        90,
        "compiled-code-is-not-portable",
        "What has been compiled for one platform does not run on another.",
        "note 004, JIT explained",
        "depends",
        "A function exported for one other platform is refused here; exported for both, it runs.",
        (
            Case(
                Claim(
                    "raises",
                    error="builtins.ValueError",
                    text="exported for platforms",
                    calls=("for_one.call(1.0)",),
                ),
                _EXPORTED,
                when="exported for one platform",
            ),
            Case(
                Claim(
                    "raises",
                    error="builtins.ValueError",
                    text="exported for platforms",
                    calls=("for_both.call(1.0)",),
                ),
                _EXPORTED,
                when="exported for several",
                holds=False,
            ),
        ),
    ),
    Folklore(
        90,
        "compiled-code-is-not-verifiable",
        "Compiled code may not be secure or verifiable.",
        "note 004, JIT explained",
        "not-executable",
        "A worry about compilers in general that no program decides.",
    ),
)
