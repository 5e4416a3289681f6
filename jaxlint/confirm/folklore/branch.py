"""Choosing between computations: where, cond and switch, with and without vmap."""

from __future__ import annotations

from jaxlint.claim import Claim
from jaxlint.confirm.folklore.entry import Case, Folklore

_IF = """
import jax


@jax.jit
def relu(x):
    if x > 0:
        return x
    return 0.0 * x


relu(-2.0)
"""

_WHERE = """
import jax
import jax.numpy as jnp


@jax.jit
def relu(x):
    return jnp.where(x > 0, x, 0.0 * x)


relu(-2.0)
"""

_COND = """
import jax
from jax import lax


@jax.jit
def relu(x):
    return lax.cond(x > 0, lambda x: x, lambda x: 0.0 * x, x)


relu(-2.0)
"""

_RANGE = """
import jax


@jax.jit
def total(n):
    s = 0
    for i in range(n):
        s += i
    return s


total(4)
"""

_FORI = """
import jax
from jax import lax


@jax.jit
def total(n):
    return lax.fori_loop(0, n, lambda i, s: s + i, 0)


total(4)
"""

_WHILE = """
import jax


@jax.jit
def halvings(x):
    n = 0
    while x > 1.0:
        x, n = x / 2, n + 1
    return n


halvings(8.0)
"""

_WHILE_LOOP = """
import jax
from jax import lax


@jax.jit
def halvings(x):
    return lax.while_loop(lambda c: c[0] > 1.0, lambda c: (c[0] / 2, c[1] + 1), (x, 0))[1]


halvings(8.0)
"""

_COUNTED = """
import jax
import jax.numpy as jnp
from jax import lax

ran = []


def arm(name):
    def compute(x):
        jax.debug.callback(lambda: ran.append(name))
        return x + 1.0

    return compute


def pick(flag, x):
    return lax.cond(flag, arm("yes"), arm("no"), x)


def switch(index, x):
    return lax.switch(index, [arm("a"), arm("b"), arm("c")], x)


one, all_one = 1, jnp.ones(2, dtype=jnp.int32)
off, all_off = False, jnp.zeros(2, dtype=bool)
x, xs = 0.0, jnp.zeros(2)
pick_each = jax.jit(jax.vmap(pick))
switch_each = jax.jit(jax.vmap(switch))
switch_alike = jax.jit(jax.vmap(switch, in_axes=(None, 0)))
"""

_UNTAKEN_LOOP = """
import jax
import jax.numpy as jnp
from jax import lax

turns = []


def search(x):
    def turn(state):
        n, x = state
        jax.debug.callback(lambda: turns.append(1))
        return n + 1, x

    return lax.while_loop(lambda state: (state[1] <= 0.0) & (state[0] < 40), turn, (0, x))[1]


@jax.jit
def find(flag, x):
    return lax.cond(flag, search, lambda x: x, x)


find_each = jax.jit(jax.vmap(find))
off, all_off = False, jnp.zeros(2, dtype=bool)
x, xs = 0.0, jnp.zeros(2)
"""

_TWO_ARMS = """
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def wave(flag, x):
    return lax.cond(flag, jnp.sin, jnp.cos, x)


@jax.jit
def waves(flags, xs):
    return jax.vmap(wave)(flags, xs)


@jax.jit
def alike(flag, xs):
    return jax.vmap(wave, in_axes=(None, 0))(flag, xs)


flags, xs = jnp.array([True, False]), jnp.ones(2)
wave(True, 1.0)
waves(flags, xs)
alike(True, xs)
"""

_TRACED_BOOL = "jax.errors.TracerBoolConversionError"
_BARRIER = "jax.effects_barrier()"

ENTRIES = (
    Folklore(
        14,
        "where-instead-of-a-branch",
        "`jnp.where` chooses by values where a Python branch makes JAX complain.",
        "notes 000 and 001, techniques",
        "true",
        "The branch raises, the program with where gives the value.",
        (Case(Claim("raises", error=_TRACED_BOOL, calls=("float(relu(-2.0))",), gives="-0.0"), _IF, _WHERE),),
        rule="JAX101",
    ),
    Folklore(
        15,
        "lax-control-flow-instead-of-python",
        "`lax.cond`, `lax.fori_loop` and `lax.while_loop` do what Python's control flow cannot on traced "
        "values.",
        "notes 000 and 001, techniques",
        "true",
        "Python's if, range and while raise, each of the three gives the value.",
        (
            Case(
                Claim("raises", error=_TRACED_BOOL, calls=("float(relu(3.0))",), gives="3.0"),
                _IF,
                _COND,
                when="if, cond",
            ),
            Case(
                Claim(
                    "raises",
                    error="jax.errors.TracerIntegerConversionError",
                    calls=("int(total(4))",),
                    gives="6",
                ),
                _RANGE,
                _FORI,
                when="range, fori_loop",
            ),
            Case(
                Claim("raises", error=_TRACED_BOOL, calls=("int(halvings(8.0))",), gives="3"),
                _WHILE,
                _WHILE_LOOP,
                when="while, while_loop",
            ),
        ),
    ),
    Folklore(
        19,
        "cond-under-vmap-runs-both-branches",
        "`lax.cond` under `vmap` can execute both branches, so that a loop in the branch not taken may "
        "never end.",
        "notes 000 and 001, scary things",
        "true",
        "Alone, the loop of the branch not taken runs no iteration. Under vmap with a mapped predicate it "
        "runs to the limit that the program sets: nothing else ends it.",
        (
            Case(
                Claim("side-effect", calls=("find(off, x)", _BARRIER), what="len(turns)", bad=0),
                _UNTAKEN_LOOP,
                when="alone",
            ),
            Case(
                Claim(
                    "side-effect", calls=("find_each(all_off, xs)", _BARRIER), what="len(turns)", bad=">=40"
                ),
                _UNTAKEN_LOOP,
                when="under vmap",
            ),
            Case(
                Claim("side-effect", calls=("pick_each(all_off, xs)", _BARRIER), what="len(set(ran))", bad=2),
                _COUNTED,
                when="under vmap",
            ),
        ),
        rule="JAX602",
    ),
    Folklore(
        30,
        "cond-is-lazy",
        "`lax.cond` computes only the branch that the condition chooses.",
        "notes 000 and 001, links",
        "true",
        "The callback of the other branch never ran.",
        (
            Case(
                Claim("side-effect", calls=("pick(off, x)", _BARRIER), what="ran.count('no')", bad=1),
                _COUNTED,
            ),
            Case(
                Claim("side-effect", calls=("pick(off, x)", _BARRIER), what="ran.count('yes')", bad=0),
                _COUNTED,
            ),
        ),
    ),
    Folklore(
        31,
        "switch-evaluates-every-branch",
        "`lax.switch` evaluates every branch whatever the index is, unlike cond.",
        "notes 000 and 001, links",
        "false",
        "One callback of three ran, that of the index; the same when the call is jitted.",
        (
            Case(
                Claim("side-effect", calls=("switch(one, x)", _BARRIER), what="len(ran)", bad=3),
                _COUNTED,
                holds=False,
            ),
            Case(
                Claim("side-effect", calls=("jax.jit(switch)(one, x)", _BARRIER), what="len(ran)", bad=3),
                _COUNTED,
                when="in jit",
                holds=False,
            ),
        ),
    ),
    Folklore(
        31,
        "switch-under-vmap-evaluates-every-branch",
        "Under `vmap`, `lax.switch` evaluates every branch.",
        "notes 000 and 001, links",
        "depends",
        "With a mapped index the callbacks of all branches ran though every element chose the same one; "
        "with an index that is not mapped, only that of the branch chosen.",
        (
            Case(
                Claim(
                    "side-effect", calls=("switch_each(all_one, xs)", _BARRIER), what="len(set(ran))", bad=3
                ),
                _COUNTED,
                when="mapped index",
            ),
            Case(
                Claim("side-effect", calls=("switch_alike(one, xs)", _BARRIER), what="len(set(ran))", bad=3),
                _COUNTED,
                when="index not mapped",
                holds=False,
            ),
        ),
        rule="JAX602",
    ),
    Folklore(
        57,
        "cond-compiles-both-branches",
        "JAX's conditionals have both branches compiled.",
        "note 002, what can be jitted",
        "true",
        "The program has a cond, and the compiled one the operations of both arms.",
        (
            Case(Claim("program", calls=("wave(True, 1.0)",), what="cond", bad=1), _TWO_ARMS),
            Case(
                Claim("program", calls=("wave(True, 1.0)",), what="hlo:sine", bad=1),
                _TWO_ARMS,
                when="one arm",
            ),
            Case(
                Claim("program", calls=("wave(True, 1.0)",), what="hlo:cosine", bad=1),
                _TWO_ARMS,
                when="the other",
            ),
        ),
    ),
    Folklore(
        91,
        "cond-under-vmap-is-select",
        "Under `vmap`, `lax.cond` becomes a select.",
        "note 004, lax.cond with vmap",
        "depends",
        "With a mapped predicate the cond is replaced by a select; with one that is not mapped "
        "it stays a cond.",
        (
            Case(
                Claim("program", calls=("waves(flags, xs)",), what="select_n", bad=">=1"),
                _TWO_ARMS,
                when="mapped predicate",
            ),
            Case(
                Claim("program", calls=("waves(flags, xs)",), what="cond", bad=0),
                _TWO_ARMS,
                when="mapped predicate",
            ),
            Case(
                Claim("program", calls=("alike(True, xs)",), what="cond", bad=0),
                _TWO_ARMS,
                when="predicate not mapped",
                holds=False,
            ),
        ),
        rule="JAX602",
    ),
)
