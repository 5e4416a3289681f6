"""JAX703: Python loops that are written out into the traced program."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    LONG,
    Claim,
    Example,
    Finding,
    Fix,
    Located,
    Loop,
    Model,
    Product,
    Rule,
    as_fori_loop,
    kinds_of,
)


class UnrolledLoop(Rule):
    """A long Python loop over array operations inside a function that JAX compiles.

    ## What it does
    Finds `for` over a `range` of 16 or more iterations in code that runs while tracing, where the iterations
    compute with arrays.

    ## Why
    Python runs the loop while JAX traces, so each iteration adds one more copy of the body to the program.
    The time to trace and to compile grows with the number of iterations, often faster, and so does the
    executable. `lax.fori_loop` and `lax.scan` trace the body once.

    ## When it is fine
    Short loops that are unrolled on purpose, for XLA to fuse. Loops over layers and parameters, whose shapes
    differ between iterations, loops of unknown length, loops with an early exit, and eager loops around a
    jitted step are not reported. The rule is off by default.

    ## Fix safety
    The fix, `jax.lax.fori_loop`, is only shown: XLA no longer fuses the iterations. It is offered if the
    body only computes variables that exist before the loop and certainly keep their shapes and dtypes.
    """

    code = "JAX703"
    name = "unrolled-loop"
    category = "performance"
    fix = "displayonly"
    on = False
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp


@jax.jit
def root(x):
    guess = jnp.ones_like(x)
    for _ in range(100):
        guess = 0.5 * (guess + x / guess)
    return guess


print(root(jnp.arange(1.0, 4.0)))
""",
            good="""
import jax
import jax.numpy as jnp


@jax.jit
def root(x):
    guess = jnp.ones_like(x)

    def body(_, guess):
        guess = 0.5 * (guess + x / guess)
        return guess

    guess = jax.lax.fori_loop(0, 100, body, guess)
    return guess


print(root(jnp.arange(1.0, 4.0)))
""",
            note="The bad program holds a hundred divisions, the good one a loop.",
        ),
    )
    claim = Claim("program", calls=("root(jnp.arange(1.0, 4.0))",), what="div", bad=100, good=1)

    def visit_For(self, loop: Loop, m: Model) -> Iterator[Finding]:
        ranged = isinstance(loop.iterable, Product) and loop.iterable.kind == "range"
        if not loop.staged or not ranged or loop.left or not loop.operations:
            return
        if loop.count is not None and loop.count >= LONG:
            yield Finding(
                loop.nid,
                f"the loop is unrolled while tracing: {loop.count} copies of its body are compiled",
                help=f"jax.lax.fori_loop(0, {loop.count}, body, init), or jax.lax.scan",
                label=f"{loop.count} iterations",
                data=kinds_of(m.mentioned(loop)),
            )

    visit_CompFor = visit_For

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        edits = as_fori_loop(code, code.node(finding.nid), finding.data)
        return None if edits is None else Fix("displayonly", "loop in the compiled program", edits)
