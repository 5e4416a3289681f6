"""JAX102: Python `while` loops on traced values."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.engine.event import Test
from jaxlint.engine.model import Model
from jaxlint.rule import Claim, Example, Finding, Rule


class WhileOnTraced(Rule):
    """A Python `while` loop whose condition is a tracer.

    ## What it does
    Finds `while` loops whose condition is certainly a traced array.

    ## Why
    How often the loop runs is asked while JAX traces the function, when the condition stands for all
    the values that it may have. The first test raises `TracerBoolConversionError`.

    ## When it is fine
    A condition that is known while tracing: a counter of Python, a length, a static argument. Under
    `jax.grad` alone the values are there and the loop runs.

    ## Fix safety
    No fix is applied: which variables `lax.while_loop` has to carry, and that they keep their shapes and
    dtypes, is for the author to say. `jax.grad` cannot differentiate through `while_loop` in reverse.
    """

    code = "JAX102"
    name = "while-on-traced"
    category = "correctness"
    raises = ("TracerBoolConversionError", "ConcretizationTypeError", "TypeError", "JAXTypeError")
    examples = (
        Example(
            bad="""
import jax


@jax.jit
def halvings(x):
    count = 0
    while x > 1.0:
        x = x / 2.0
        count += 1
    return count


print(halvings(9.0))
""",
            good="""
import jax
from jax import lax


@jax.jit
def halvings(x):
    def halve(state):
        x, count = state
        return x / 2.0, count + 1

    return lax.while_loop(lambda state: state[0] > 1.0, halve, (x, 0))[1]


print(halvings(9.0))
""",
            prints="4",
        ),
    )
    claim = Claim("raises", "jax.errors.TracerBoolConversionError", "Attempted boolean conversion")

    def visit_While(self, test: Test, m: Model) -> Iterator[Finding]:
        if m.traced(test.value):
            yield Finding(
                test.nid,
                "`while` on `{test}` runs while tracing: raises TracerBoolConversionError",
                help="jax.lax.while_loop(lambda ...: {test}, ..., ...)",
                label="a traced boolean",
                names={"test": test.nid},
            )
