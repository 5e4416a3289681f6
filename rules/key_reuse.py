"""JAX301: random keys that are spent twice."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.engine.event import KeyUse
from jaxlint.engine.model import Model
from jaxlint.rule import Claim, Example, Finding, Part, Rule


class KeyReuse(Rule):
    """A random key is spent a second time.

    ## What it does
    Finds a sampler or `split` that gets a key which one before it got already, under whatever name, in
    helpers and in traced code too. A note shows where the key was spent first.

    ## Why
    A key says what is drawn, and drawing does not change it. Two draws from one key are the same numbers, or
    numbers that depend on each other: weights start alike, noise does not cancel, chains move together.

    ## When it is fine
    `fold_in` spends nothing, nor does a key that is only compared, stored or looked at by `eval_shape`.
    Branches of which only one is taken may spend one key each. Common random numbers, where two runs are to
    see the same draws, are a reuse on purpose: say so in an ignore comment.

    ## Fix safety
    No fix is applied: new keys change every number that is drawn after them.
    """

    code = "JAX301"
    name = "key-reuse"
    idle_in_tests = True
    category = "correctness"
    raises = ("KeyReuseError",)
    examples = (
        Example(
            bad="""
import jax

key = jax.random.key(0)
weights = jax.random.normal(key, (3,))
noise = jax.random.normal(key, (3,))
assert (weights == noise).all()
""",
            good="""
import jax

weight_key, noise_key = jax.random.split(jax.random.key(0))
weights = jax.random.normal(weight_key, (3,))
noise = jax.random.normal(noise_key, (3,))
assert (weights != noise).any()
""",
        ),
    )
    claim = Claim("same", calls=("weights", "noise"))

    def visit_KeyUse(self, use: KeyUse, m: Model) -> Iterator[Finding]:
        if use.before is not None and not use.in_loop:
            yield Finding(
                use.nid,
                "`{call}` spends a key that was spent before: the draws repeat",
                help="key, subkey = jax.random.split(key), and spend each once",
                label="spent again",
                names={"call": Part(use.nid, ("func",))},
                traced=False,
                also=((*use.before, "the key is spent here"),),
            )
