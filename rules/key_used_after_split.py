"""JAX308: random keys that are used on after a split, or split after a draw."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import Claim, Example, Finding, KeyUse, Model, Part, Rule, key_notes


class KeyUsedAfterSplit(Rule):
    """A PRNG key is both split and drawn from, or split twice.

    ## What it does
    Finds a sampler whose key was split before, a `split` of a key that was drawn from before, and a second
    `split` of a key. Where children of two splits are used, at the same positions, JAX301 says so instead.

    ## Why
    JAX's rule is that a key is used once: `split` consumes it, and so does a sampler. With today's
    generators most draws share no number with the children of the same key, so nothing repeats yet; but the
    next draw from the key, or from an equal child, does. Some samplers split their key themselves:
    `permutation(key, n)` sorts by the bits of the second child, so that `uniform(split(key)[1], (n,))` has
    the same order, and `randint` takes the remainder of the bits of both children. JAX's own key reuse
    checker (`jax_debug_key_reuse`) raises `KeyReuseError` at such a line.

    ## When it is fine
    Where the generator is one of JAX's own and the key ends there, the numbers are as good as others.

    ## Fix safety
    No fix is applied: new keys change every number that is drawn after them.
    """

    code = "JAX308"
    name = "key-used-after-split"
    category = "pedantic"
    idle_in_tests = True
    on = False
    raises = ("KeyReuseError",)
    unless = ("JAX301", "JAX302")
    examples = (
        Example(
            bad="""
import jax

jax.config.update("jax_debug_key_reuse", True)
key = jax.random.key(0)
first, second = jax.random.split(key)
noise = jax.random.normal(key, (3,))
""",
            good="""
import jax

jax.config.update("jax_debug_key_reuse", True)
key = jax.random.key(0)
first, second, third = jax.random.split(key, 3)
noise = jax.random.normal(third, (3,))
print(noise.shape)
""",
            prints="(3,)\n",
        ),
    )
    claim = Claim("raises", error="jax.errors.KeyReuseError")

    def visit_KeyUse(self, use: KeyUse, m: Model) -> Iterator[Finding]:
        if use.kind == "split":
            yield Finding(
                use.nid,
                "uses a PRNG key after a split or a draw: KeyReuseError under `jax_debug_key_reuse`",
                help="split the key once, into as many keys as are needed, and use only those",
                label="used again in every iteration" if use.in_loop else "used again",
                names={"call": Part(use.nid, ("func",))},
                traced=False,
                cause=use.cause,
                also=key_notes(use, m, "" if use.in_loop else "{key} is first used here"),
            )
