"""Static arguments, and objects with methods as static arguments."""

from __future__ import annotations

from jaxlint.claim import Claim
from jaxlint.confirm.folklore.entry import Case, Folklore

_PLAIN = """
from functools import partial

import jax


class Model:
    def __init__(self, gain):
        self.gain = gain

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return self.gain * x


model = Model(3.0)
model.apply(1.0)
"""

_BY_VALUE = """
from functools import partial

import jax


class Model:
    def __init__(self, gain):
        self.gain = gain

    def __hash__(self):
        return hash(self.gain)

    def __eq__(self, other):
        return self.gain == other.gain

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return self.gain * x


model = Model(3.0)
model.apply(1.0)
"""

_CHANGED = """
model = Model(10.0)
first = float(model.apply(1.0))
model.gain = 9.0
second = float(model.apply(1.0))
fresh = float(Model(9.0).apply(1.0))
"""

_LIST_MEMBER = """
from functools import partial

import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.dims = [2, 3]

    @partial(jax.jit, static_argnums=0)
    def shaped(self, x):
        return x.reshape(self.dims)


model = Model()
shape = model.shaped(jnp.ones(6)).shape
"""

_TRACED_FLAG = """
import jax


@jax.jit
def f(x, negative):
    return -x if negative else x


f(1, True)
"""

_STATIC_FLAG = """
from functools import partial

import jax


@partial(jax.jit, static_argnums=(1,))
def f(x, negative):
    return -x if negative else x
"""

ENTRIES = (
    Folklore(
        12,
        "static-self-carries-static-arguments",
        "A class with `self` among the static arguments is a good way to carry many static values.",
        "notes 000 and 001, patterns",
        "depends",
        "One object that is kept is traced once. New objects with the same members are traced every time.",
        (
            Case(
                Claim("traces", calls=("model.apply(2.0)", "model.apply(3.0)"), what="apply", bad=0),
                _PLAIN,
                when="one object kept",
            ),
            Case(
                Claim("traces", calls=("[Model(3.0).apply(1.0) for _ in range(5)]",), what="apply", bad=0),
                _PLAIN,
                when="an object for each call",
                holds=False,
            ),
        ),
    ),
    Folklore(
        20,
        "identity-is-the-hash",
        "For a static object its identity serves as the hash, so that an equal object is another one.",
        "notes 000 and 001, static behaviour",
        "depends",
        "A new object with the same members is traced again, unless the class defines `__hash__` and "
        "`__eq__` over its members: then it shares the trace.",
        (
            Case(
                Claim("traces", calls=("Model(3.0).apply(1.0)",), what="apply", bad=1),
                _PLAIN,
                when="a plain class",
            ),
            Case(
                Claim("traces", calls=("Model(3.0).apply(1.0)",), what="apply", bad=1),
                _BY_VALUE,
                when="__hash__ and __eq__ by value",
                holds=False,
            ),
        ),
    ),
    Folklore(
        20,
        "hash-by-value-makes-changes-visible",
        "With `__hash__` and `__eq__` over its members, a static object may be changed between calls.",
        "notes 000 and 001, static behaviour",
        "depends",
        "Before JAX 0.11 the changed object still gives the old value, and even a new object that equals it "
        "gets the old value. From 0.11 on JAX keeps the hash beside what it compiled, and both are compiled "
        "anew.",
        (
            Case(
                Claim("same", calls=("second", "9.0"), until="0.11.0"),
                _BY_VALUE + _CHANGED,
                when="the changed object",
                holds=False,
            ),
            Case(
                Claim("same", calls=("fresh", "9.0"), until="0.11.0"),
                _BY_VALUE + _CHANGED,
                when="a new equal object",
                holds=False,
            ),
            Case(
                Claim("same", calls=("second", "9.0"), since="0.11.0"),
                _BY_VALUE + _CHANGED,
                when="the changed object, JAX 0.11",
            ),
            Case(
                Claim("same", calls=("fresh", "9.0"), since="0.11.0"),
                _BY_VALUE + _CHANGED,
                when="a new equal object, JAX 0.11",
            ),
        ),
        rule="JAX401",
    ),
    Folklore(
        21,
        "members-need-no-hash",
        "The members of a static object are compile-time constants and need not be hashable.",
        "notes 000 and 001, static behaviour",
        "true",
        "A list, which has no hash, served as a shape inside jit.",
        (
            Case(Claim("same", calls=("tuple(model.dims)", "shape")), _LIST_MEMBER),
            Case(
                Claim("raises", error="builtins.TypeError", text="unhashable", calls=("hash(model.dims)",)),
                _LIST_MEMBER,
                when="hashing the member",
            ),
        ),
    ),
    Folklore(
        22,
        "changed-members-are-not-seen",
        "When a member of a static object is changed later, jitted methods go on with the old value.",
        "notes 000 and 001, static behaviour",
        "true",
        "The value before and after the change is the same, though a new object with the new member gives "
        "the new one.",
        (
            Case(Claim("same", calls=("first", "second")), _PLAIN + _CHANGED),
            Case(Claim("same", calls=("fresh", "9.0")), _PLAIN + _CHANGED, when="a new object"),
        ),
        rule="JAX401",
    ),
    Folklore(
        77,
        "branch-on-an-argument-is-refused",
        "jit refuses a function whose control flow depends on the value of an argument: "
        "ConcretizationTypeError.",
        "note 003, static_argnums",
        "true",
        "The error is of a subclass, TracerBoolConversionError; with the argument static there is none.",
        (
            Case(
                Claim(
                    "raises",
                    error="jax.errors.ConcretizationTypeError",
                    calls=("int(f(1, True))",),
                    gives="-1",
                ),
                _TRACED_FLAG,
                _STATIC_FLAG,
            ),
        ),
        rule="JAX101",
    ),
    Folklore(
        78,
        "static-values-are-part-of-the-key",
        "With `static_argnums` the function compiles, and the static value is part of the cache's key.",
        "note 003, static_argnums",
        "true",
        "Four calls with two static values made two traces, and gave the four values.",
        (
            Case(
                Claim(
                    "traces",
                    calls=("f(1, True)", "f(2, True)", "f(2, False)", "f(23, False)"),
                    what="f",
                    bad=2,
                ),
                _STATIC_FLAG,
            ),
            Case(
                Claim(
                    "same",
                    calls=(
                        "[int(f(1, True)), int(f(2, True)), int(f(2, False)), int(f(23, False))]",
                        "[-1, -2, 2, 23]",
                    ),
                ),
                _STATIC_FLAG,
            ),
        ),
    ),
)
