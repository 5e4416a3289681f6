"""JAX602: `lax.cond`, `lax.switch` and `lax.while_loop` on a value that `vmap` maps."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import BATCHED, Choice, Claim, Example, Finding, Model, Part, Rule

_SAID = {
    "cond": "`cond` on batched `{by}` becomes `select`: both branches run for all batch elements",
    "switch": "`switch` on batched `{by}` becomes `select`: all branches run for all batch elements",
    "while_loop": "`while_loop` on a batched condition runs all batch elements until the last is done",
}
_HELP = {
    "cond": "jnp.where({by}, ..., ...) if both are cheap, jax.lax.map(...) over the batch if not",
    "switch": "jax.lax.map(...) over the batch runs one branch for each element",
    "while_loop": "jax.lax.map(...) over the batch, or a fixed number of iterations with jax.lax.fori_loop",
}


class CondUnderVmap(Rule):
    """`vmap` converts a `lax.cond`, `lax.switch` or `lax.while_loop`, which then does more work.

    ## What it does
    Finds `cond` and `switch` whose predicate or index is certainly batched by an enclosing `vmap`, and
    `while_loop` whose condition is.

    ## Why
    If every batch element has its own predicate, `vmap` converts `cond` to `select`: both branches are
    computed for all batch elements, including the expensive one that was to be skipped. A `while_loop` runs
    until the last batch element is done, and a loop in a branch that no element takes may not end.

    ## When it is fine
    Cheap branches: a `select` of two numbers costs nothing, which is why the rule is off by default. A
    predicate that is not batched (`in_axes=None`, a closure, the mean over a named axis) keeps the `cond`
    and is not reported, nor is `lax.map`, which processes the batch elements one after another.

    ## Fix safety
    No fix is applied: only the author knows whether computing both sides costs less than giving up the
    batching.
    """

    code = "JAX602"
    name = "cond-under-vmap"
    category = "performance"
    on = False
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp
from jax import lax


def settle(x):
    return lax.fori_loop(0, 100, lambda i, v: jnp.cos(v), x)


def relax(x):
    return lax.cond(x > 0, settle, jnp.negative, x)


print(jax.vmap(relax)(jnp.arange(-2.0, 2.0)))
""",
            good="""
import jax
import jax.numpy as jnp
from jax import lax


def settle(x):
    return lax.fori_loop(0, 100, lambda i, v: jnp.cos(v), x)


def relax(x):
    return lax.cond(x > 0, settle, jnp.negative, x)


print(lax.map(relax, jnp.arange(-2.0, 2.0)))
""",
            note="The bad program holds select_n and no cond.",
        ),
    )
    claim = Claim(
        "program",
        calls=("jax.jit(jax.vmap(relax))(jnp.arange(-2.0, 2.0))",),
        good_calls=("jax.jit(lambda x: lax.map(relax, x))(jnp.arange(-2.0, 2.0))",),
        what="cond",
        bad=0,
        good=1,
    )
    also = (
        Claim("program", calls=claim.calls, good_calls=claim.good_calls, what="select_n", bad=">=1", good=0),
    )

    def visit_Choice(self, choice: Choice, m: Model) -> Iterator[Finding]:
        # shard_map runs the same branches on each device, and keeps the cond
        if m.level(choice.value) & BATCHED and choice.frame.context.batched:
            yield Finding(
                choice.nid,
                _SAID[choice.kind],
                help=_HELP[choice.kind],
                label="batched by vmap",
                names={"by": Part(choice.nid, (("argument", 0),))},
            )
