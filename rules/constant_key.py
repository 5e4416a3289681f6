"""JAX303: random keys made of a constant where code runs again."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import Claim, Example, Finding, Model, Rule
from jaxlint.rule import ConstantKey as ConstantKeyEvent

_AGAIN = {"function": "in every call", "loop": "in every iteration", "default": "in all calls"}


class ConstantKey(Rule):
    """A key is made of a constant seed in code that runs again, and is drawn from.

    ## What it does
    Finds `jax.random.key` and `jax.random.PRNGKey` of a literal, or of a constant of the module, inside a
    function, a loop or a default argument, where the key is consumed. In a loop over a `range` that does the
    same in each turn also those of a seed that the loop does not change. One that replaces a parameter is
    JAX309.

    ## Why
    A key determines what is drawn. The same seed gives the same key, so every call drops the same units, adds
    the same noise and explores in the same way, compiled or not.

    ## When it is fine
    Programs, `main`, tests and constructors start from a seed: keys made there are not reported. Nor is a key
    that stands in for one the caller left out, one that `fold_in` mixes with what varies, or one that only
    shows `eval_shape` its type. A function that is called once, or is meant to repeat itself, may have one.

    ## Fix safety
    No fix is applied: the key has to come from the caller.
    """

    code = "JAX303"
    name = "constant-key"
    idle_in_tests = True
    category = "suspicious"
    on = False
    examples = (
        Example(
            bad="""
import jax


@jax.jit
def noisy(x):
    key = jax.random.key(0)
    return x + jax.random.normal(key)


assert noisy(1.0) == noisy(1.0)
""",
            good="""
import jax


@jax.jit
def noisy(key, x):
    return x + jax.random.normal(key)


first, second = jax.random.split(jax.random.key(0))
assert noisy(first, 1.0) != noisy(second, 1.0)
""",
        ),
    )
    claim = Claim(
        "same", calls=("noisy(1.0)", "noisy(1.0)"), good_calls=("noisy(first, 1.0)", "noisy(second, 1.0)")
    )

    def visit_ConstantKey(self, key: ConstantKeyEvent, m: Model) -> Iterator[Finding]:
        if key.why in _AGAIN:
            yield Finding(
                key.nid,
                f"`{{it}}` is the same key {_AGAIN[key.why]}: the samples will be identical",
                help="take the key as an argument, and split it where the calls are made",
                label="a constant key",
                traced=False,
                names={"it": key.nid},
            )
