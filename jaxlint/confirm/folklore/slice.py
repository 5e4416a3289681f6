"""Slices between bounds that are values: refused, of static length, or lazy."""

from __future__ import annotations

from jaxlint.claim import Claim
from jaxlint.confirm.folklore.entry import Case, Folklore

_SLICE = """
import jax
import jax.numpy as jnp


@jax.jit
def f(bounds, y):
    y = y[bounds[0] : bounds[1]]
    return y[0]


f(jnp.array([2, 4]), jnp.arange(10.0))
"""

_DYNAMIC_SLICE = """
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def f(bounds, y):
    y = lax.dynamic_slice(y, (bounds[0],), (2,))
    return y[0]


f(jnp.array([2, 4]), jnp.arange(10.0))
"""

_LAZY_SLICE = """
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Window:
    def __init__(self, array, start, stop):
        self.array, self.start, self.stop = array, start, stop

    def __getitem__(self, index):
        return self.array[jnp.where(index < 0, self.stop, self.start) + index]

    def total(self):
        positions = jnp.arange(self.array.shape[0])
        inside = (positions >= self.start) & (positions < self.stop)
        return jnp.where(inside, self.array, 0).sum()

    def tree_flatten(self):
        return (self.array, self.start, self.stop), None

    @classmethod
    def tree_unflatten(cls, _, parts):
        return cls(*parts)


@jax.jit
def f(bounds, y):
    y = Window(y, bounds[0], bounds[1])
    return y[0]


@jax.jit
def window(bounds, y):
    return Window(y, bounds[0], bounds[1])


y = jnp.arange(10.0)
f(jnp.array([2, 4]), y)
seen = window(jnp.array([3, 6]), y)
facts = [float(seen[0]), float(seen[-1]), float(seen.total())]
eager = [float(y[3:6][0]), float(y[3:6][-1]), float(y[3:6].sum())]
bounds = [jnp.array([0, 3]), jnp.array([5, 9])]
"""

ENTRIES = (
    Folklore(
        23,
        "slice-with-traced-bounds",
        "JAX cannot jit `a[i:j]` where i and j are not static.",
        "note 000, lazy evaluation",
        "true",
        "It raises; a slice of static length at a traced start gives the value.",
        (
            Case(
                Claim(
                    "raises",
                    error="builtins.IndexError",
                    text="static",
                    calls=("float(f(jnp.array([2, 4]), jnp.arange(10.0)))",),
                    gives="2.0",
                ),
                _SLICE,
                _DYNAMIC_SLICE,
            ),
        ),
        rule="JAX112",
    ),
    Folklore(
        24,
        "lazy-slice-can-be-jitted",
        "An object that keeps array and bounds and slices only in its operations can be jitted where the "
        "slice cannot.",
        "note 000, lazy evaluation",
        "true",
        "The lazy window gives what the eager slice gives, for its first and last element and its sum, also "
        "when it leaves jit, and other bounds make no new trace.",
        (
            Case(
                Claim(
                    "raises",
                    error="builtins.IndexError",
                    calls=("float(f(jnp.array([2, 4]), jnp.arange(10.0)))",),
                    gives="2.0",
                ),
                _SLICE,
                _LAZY_SLICE,
            ),
            Case(Claim("same", calls=("facts", "eager")), _LAZY_SLICE),
            Case(
                Claim("traces", calls=("f(bounds[0], y)", "f(bounds[1], y)"), what="f", bad=0),
                _LAZY_SLICE,
                when="other bounds",
            ),
        ),
        rule="JAX112",
    ),
)
