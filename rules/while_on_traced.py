"""JAX102: Python `while` loops on traced values."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.diagnostic import Fix
from jaxlint.engine.event import Test
from jaxlint.engine.form import kinds_of
from jaxlint.engine.locate import Located
from jaxlint.engine.loop import as_while_loop
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
    The fix, `jax.lax.while_loop`, is only shown: `jax.grad` cannot differentiate through it in reverse. It is
    offered where the test is one boolean, and the body does nothing but compute variables that are there
    before the loop and keep their shapes and dtypes for certain.
    """

    code = "JAX102"
    name = "while-on-traced"
    category = "correctness"
    fix = "displayonly"
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


@jax.jit
def halvings(x):
    count = 0

    def unfinished(carry):
        x, count = carry
        return x > 1.0

    def turn(carry):
        x, count = carry
        x = x / 2.0
        count += 1
        return x, count

    x, count = jax.lax.while_loop(unfinished, turn, (x, count))
    return count


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
                data=kinds_of(m.mentioned(test))
                if m.is_scalar(test.value) and not m.is_differentiated(test)
                else None,
            )

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        if finding.data is None:
            return None
        edits = as_while_loop(code, code.node(finding.nid), finding.data)
        return None if edits is None else Fix("displayonly", "loop in the compiled program", edits)
