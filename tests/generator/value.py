"""Values as text: literals of each kind, arguments, constants, and steps between kinds."""

from __future__ import annotations

import random
from dataclasses import dataclass

from .spec import FLAG, INTEGER, KINDS, SCALAR, VECTOR

_PYTHON = {SCALAR: "2.0", INTEGER: "3", FLAG: "True", VECTOR: "np.array([1.0, 2.0, 3.0])"}
_HOST = {**_PYTHON, SCALAR: "np.float32(2.0)", INTEGER: "np.int32(3)", FLAG: "np.bool_(True)"}
_DEVICE = {
    SCALAR: ("jnp.float32(2.0)", "jnp.array(2.0)", "jnp.ones(())"),
    INTEGER: ("jnp.int32(3)", "jnp.array(2)", "jnp.asarray(2)"),
    FLAG: ("jnp.array(True)", "jnp.bool_(True)", "jnp.any(jnp.ones(3) > 0)"),
    VECTOR: ("jnp.ones(3)", "jnp.array([1.0, 2.0, 3.0])", "jnp.linspace(1.0, 2.0, 3)"),
}
_MAPPED = {
    4: {
        SCALAR: "jnp.arange(1.0, 5.0)",
        INTEGER: "jnp.arange(1, 5)",
        FLAG: "jnp.arange(4) > 1",
        VECTOR: "jnp.ones((4, 3))",
    },
    1: {
        SCALAR: "jnp.array([2.0])",
        INTEGER: "jnp.array([3])",
        FLAG: "jnp.array([True])",
        VECTOR: "jnp.ones((1, 3))",
    },
}


def literal(kind: str, array: bool) -> str:
    """A value of the host: a Python number, or NumPy's where an array is needed."""
    return (_HOST if array else _PYTHON)[kind]


def made(kind: str, dice: random.Random) -> str:
    """A value that jax.numpy makes of constants."""
    return dice.choice(_DEVICE[kind])


def argument(kind: str, lead: int | None, typed: bool, dice: random.Random) -> str:
    """What the program gives to the transformed function."""
    if lead is not None:
        return _MAPPED[lead][kind]
    if typed or kind == VECTOR or dice.random() < 0.6:
        return dice.choice(_DEVICE[kind][:2])
    return _PYTHON[kind]


@dataclass(frozen=True, slots=True)
class Step:
    """A computation between where the value starts and the operation."""

    name: str
    before: tuple[str, ...]
    after: str  # a kind, or "same"
    text: str
    positive: bool = True  # keeps a number above zero
    host: bool = False  # makes no jax call of its own

    def result(self, kind: str) -> str:
        return kind if self.after == "same" else self.after


_NUMBERS = (SCALAR, INTEGER, VECTOR)
_REAL = (SCALAR, VECTOR)
_STEPS = (
    Step("none", KINDS, "same", "", host=True),
    Step("double", _NUMBERS, "same", "{v} * 2", host=True),
    Step("reversed-product", _NUMBERS, "same", "2 * {v}", host=True),
    Step("sin", _REAL, "same", "jnp.sin({v})"),
    Step("abs", _NUMBERS, "same", "jnp.abs({v})"),
    Step("maximum", _NUMBERS, "same", "jnp.maximum({v}, 1)"),
    Step("asarray", _NUMBERS, "same", "jnp.asarray({v})"),
    Step("stop-gradient", _REAL, "same", "jax.lax.stop_gradient({v})"),
    Step("where", _NUMBERS, "same", "jnp.where({v} > 0, {v}, 1)"),
    Step("tree-map", _NUMBERS, "same", "jax.tree.map(lambda a: a + 1, {v})", host=True),
    Step("jnp-sum", (VECTOR,), SCALAR, "jnp.sum({v})"),
    Step("method-sum", (VECTOR,), SCALAR, "{v}.sum()"),
    Step("np-sum", (VECTOR,), SCALAR, "np.sum({v})"),
    Step("builtin-sum", (VECTOR,), SCALAR, "sum({v})"),
    Step("element", (VECTOR,), SCALAR, "{v}[0]"),
    Step("dot", (VECTOR,), SCALAR, "jnp.dot({v}, {v})"),
    Step("shape", (VECTOR,), INTEGER, "{v}.shape[0]", host=True),
    Step("len", (VECTOR,), INTEGER, "len({v})", host=True),
    Step("size", (VECTOR,), INTEGER, "{v}.size", host=True),
    Step("jnp-shape", (VECTOR,), INTEGER, "jnp.shape({v})[0]"),
    Step("ndim", KINDS, INTEGER, "jnp.ndim({v})", positive=False),
    Step("argmax", (VECTOR,), INTEGER, "jnp.argmax({v})", positive=False),
    Step("to-integer", _REAL[:1], INTEGER, "jnp.asarray({v}, jnp.int32)", positive=False),
    Step("count", (VECTOR,), INTEGER, "jnp.sum({v} > 0)"),
    Step("to-float", (INTEGER,), SCALAR, "{v} * 1.0", host=True),
    Step("compare", (SCALAR, INTEGER), FLAG, "{v} > 1", host=True),
    Step("any", (VECTOR,), FLAG, "jnp.any({v} > 1)"),
    Step("is-none", KINDS, FLAG, "{v} is not None", host=True),
    Step("stack", (SCALAR,), VECTOR, "jnp.stack([{v}, {v}, {v}])"),
    Step("full", (SCALAR,), VECTOR, "jnp.full(3, {v})"),
    Step("full-like", (VECTOR,), VECTOR, "jnp.zeros_like({v})"),
    Step("zeros-of-shape", (VECTOR,), VECTOR, "np.zeros({v}.shape)", host=True),
)
STEPS = {step.name: step for step in _STEPS}
