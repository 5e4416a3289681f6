"""JAX102: Python `while` loops on traced values."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import Claim, Example, Finding, Fix, Located, Model, Rule, Test, as_while_loop, kinds_of


class WhileOnTraced(Rule):
    """A Python `while` loop with a traced condition.

    ## What it does
    Finds `while` loops whose condition is certainly a traced array.

    ## Why
    The loop needs a concrete bool before every iteration. While JAX traces the function, a tracer has no
    concrete value: the first test raises `TracerBoolConversionError`.

    ## When it is fine
    A condition that is concrete while tracing: a Python counter, a length, a static argument. Under
    `jax.grad` alone the values are concrete and the loop runs.

    ## Fix safety
    The fix, `jax.lax.while_loop`, is only shown: it does not support reverse-mode differentiation. It is
    offered if the test is one boolean, and the body only computes variables that exist before the loop and
    certainly keep their shapes and dtypes.
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

    def condition(carry):
        x, count = carry
        return x > 1.0

    def body(carry):
        x, count = carry
        x = x / 2.0
        count += 1
        return x, count

    x, count = jax.lax.while_loop(condition, body, (x, count))
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
                "needs a concrete bool, but `{test}` is traced: raises TracerBoolConversionError",
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
