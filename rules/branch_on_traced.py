"""JAX101: Python branches on traced values."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.engine.event import Test
from jaxlint.engine.model import Model
from jaxlint.rule import Claim, Example, Finding, Rule

_WORDS = {
    "if": "`if` on",
    "ternary": "`if ... else` on",
    "assert": "`assert` on",
    "comprehension": "a comprehension's `if` on",
    "guard": "`case` on",
}


class BranchOnTraced(Rule):
    """A Python branch on a value that is a tracer.

    ## What it does
    Finds `if`, `elif`, conditional expressions, `assert`, `match` guards and the conditions of
    comprehensions whose test is certainly a traced array.

    ## Why
    While JAX traces a function, a traced value stands for all values it may have: it has no truth.
    Asking for it raises `TracerBoolConversionError`, often far from the transform that caused it.

    ## When it is fine
    Tests of what is known while tracing are not reported: shapes, dtypes, `is None`, `isinstance`,
    static arguments, closed-over Python values, the keys of a dict. Under `jax.grad` alone a branch
    on a value works, because the value is there.

    ## Fix safety
    No fix is applied: `jnp.where` evaluates both sides and `lax.cond` wants both to have one type,
    and which is meant cannot be told.
    """

    code = "JAX101"
    name = "branch-on-traced"
    category = "correctness"
    raises = ("TracerBoolConversionError", "ConcretizationTypeError", "TypeError", "JAXTypeError")
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp

@jax.jit
def clipped(x, limit):
    if x.sum() > limit:
        return x * 0.5
    return x

print(clipped(jnp.ones(3), 2.0))
""",
            good="""
import jax
import jax.numpy as jnp

@jax.jit
def clipped(x, limit):
    return jnp.where(x.sum() > limit, x * 0.5, x)

print(clipped(jnp.ones(3), 2.0))
""",
            prints="[0.5 0.5 0.5]",
        ),
    )
    claim = Claim("raises", "jax.errors.TracerBoolConversionError", "Attempted boolean conversion")

    def visit_If(self, test: Test, m: Model) -> Iterator[Finding]:
        if m.traced(test.value):
            yield Finding(
                test.nid,
                f"{_WORDS[test.kind]} `{{test}}` runs while tracing: raises TracerBoolConversionError",
                help="jnp.where({test}, ..., ...) or jax.lax.cond({test}, ..., ...)",
                label="a traced boolean",
                names={"test": test.nid},
            )

    visit_IfExp = visit_Assert = visit_CompIf = visit_MatchCase = visit_If
