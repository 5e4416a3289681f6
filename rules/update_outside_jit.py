"""JAX702: `.at` updates that an eager loop repeats on one array."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import LONG, Claim, Example, Finding, Model, Part, Rule, Update


class UpdateOutsideJit(Rule):
    """An `.at` update of an array in every iteration of an eager Python loop.

    ## What it does
    Finds `x = x.at[...].set(...)`, and the other updates, of an array that is carried through a Python loop
    that is long, or as long as the data, in a function that no transform reaches.

    ## Why
    JAX arrays are immutable: each update makes another array. Under `jit` XLA updates in place where the old
    array is not used again. In eager code each update copies the whole array and dispatches one operation:
    filling n elements copies n² of them.

    ## When it is fine
    Few iterations (below 16), small arrays, code that runs once: the rule is off by default. An array that
    is made again in each iteration is not reported, nor is a step that is jitted with its buffer donated.

    ## Fix safety
    No fix is applied: only the author knows whether one update for all indices, a NumPy array that is filled
    and transferred once, or a loop under `jit` is best.
    """

    code = "JAX702"
    name = "update-outside-jit"
    category = "performance"
    on = False
    when = "eager"
    examples = (
        Example(
            bad="""
import jax.numpy as jnp


def squares(n):
    table = jnp.zeros(n)
    for i in range(n):
        table = table.at[i].set(i * i)
    return table


print(squares(64).sum())
""",
            good="""
import jax
import jax.numpy as jnp


@jax.jit
def fill(table):
    return jax.lax.fori_loop(0, table.size, lambda i, t: t.at[i].set(i * i), table)


print(fill(jnp.zeros(64)).sum())
""",
        ),
    )
    claim = Claim(
        "warm-binds", calls=("squares(64)",), good_calls=("fill(jnp.zeros(64))",), bad=">=64", good="<=2"
    )
    also = (Claim("slower", calls=claim.calls, good_calls=claim.good_calls, ratio=5.0),)

    def visit_Update(self, update: Update, m: Model) -> Iterator[Finding]:
        if update.traced or not m.is_array(update.value) or m.level(update.value):
            return
        if update.turns is None or update.turns >= LONG:
            yield Finding(
                update.nid,
                "every iteration of this eager loop copies all of `{place}` to update a part",
                help="one {place}.at[...] for all iterations, or the loop as jax.lax.fori_loop under jax.jit",
                label="copies the array",
                names={"place": Part(update.nid, ("targets", 0, "target"))},
                traced=False,
            )
