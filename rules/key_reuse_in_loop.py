"""JAX302: random keys that every turn of a loop spends."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.engine.event import KeyUse
from jaxlint.engine.model import Model
from jaxlint.rule import Claim, Example, Finding, Part, Rule


class KeyReuseInLoop(Rule):
    """A random key from outside a loop is spent at every turn.

    ## What it does
    Finds a sampler or `split` in a loop whose key is the same at each turn: in `for` and `while`, in
    comprehensions, and in the bodies of `scan`, `fori_loop` and `while_loop`.

    ## Why
    A key says what is drawn, and drawing does not change it. Each turn draws the numbers of the turn before:
    a random walk goes straight on, every batch drops the same units, rejection tries one proposal for ever.

    ## When it is fine
    A key that the loop replaces, `key, subkey = split(key)`, or takes from an array of keys, or makes by
    `fold_in` of its counter, is new at each turn. A spend that leaves the loop happens once.

    ## Fix safety
    No fix is applied: whether the loop should carry the key, fold its counter in or go over split keys cannot
    be told, and each changes the numbers that are drawn.
    """

    code = "JAX302"
    name = "key-reuse-in-loop"
    category = "correctness"
    raises = ("KeyReuseError",)
    examples = (
        Example(
            bad="""
import jax

key = jax.random.key(0)
draws = []
for _ in range(3):
    draws.append(jax.random.normal(key))
assert draws[0] == draws[1] == draws[2]
""",
            good="""
import jax

key = jax.random.key(0)
draws = []
for turn in range(3):
    draws.append(jax.random.normal(jax.random.fold_in(key, turn)))
assert draws[0] != draws[1] != draws[2]
""",
        ),
    )
    claim = Claim("same", calls=("draws[0]", "draws[1]", "draws[2]"))

    def visit_KeyUse(self, use: KeyUse, m: Model) -> Iterator[Finding]:
        if use.before is not None and use.in_loop:
            yield Finding(
                use.nid,
                "`{call}` spends the same key at every turn: the draws repeat",
                help="jax.random.fold_in(key, i), or split the key at each turn",
                label="spent at every turn",
                names={"call": Part(use.nid, ("func",))},
                traced=False,
            )
