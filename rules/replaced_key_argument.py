"""JAX309: a constant key in the place of the key that the caller gave."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import Claim, ConstantKey, Example, Finding, Model, Rule


class ReplacedKeyArgument(Rule):
    """A function replaces the PRNG key that its caller gives by one made of a constant seed.

    ## What it does
    Finds `jax.random.key` and `jax.random.PRNGKey` of a literal, or of a constant of a module or a class,
    that is assigned to a parameter of the function, and then drawn from. Also a parameter that is assigned a
    part of a split of such a key, or such a key with a constant folded in, where nothing reads what the
    caller gives.

    ## Why
    The caller gives a key to decide what is drawn, and splits it to get another draw with each call. Here it
    decides nothing: every call draws the same numbers. Such a line is most often left from debugging.

    ## When it is fine
    Under a test of the parameter, `if key is None`, the constant stands in for a key that was left out: that
    is not reported. A function that is meant to repeat itself has no use for the parameter.

    ## Fix safety
    No fix is applied: without the line every number that is drawn changes.
    """

    code = "JAX309"
    name = "replaced-key-argument"
    category = "suspicious"
    idle_in_tests = True
    examples = (
        Example(
            bad="""
import jax


def noisy(key, x):
    key = jax.random.key(0)
    return x + jax.random.normal(key)


first, second = jax.random.split(jax.random.key(1))
""",
            good="""
import jax


def noisy(key, x):
    return x + jax.random.normal(key)


first, second = jax.random.split(jax.random.key(1))
""",
        ),
    )
    claim = Claim("same", calls=("noisy(first, 1.0)", "noisy(second, 1.0)"))

    def visit_ConstantKey(self, key: ConstantKey, m: Model) -> Iterator[Finding]:
        if key.why == "argument":
            yield Finding(
                key.nid,
                "`{it}` replaces the PRNG key that the caller gives: every call draws the same",
                help="draw from the parameter, and make the key where the function is called",
                label="a constant key",
                traced=False,
                names={"it": key.nid},
            )
