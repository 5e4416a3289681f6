"""JAX304: random keys that all lanes of a `vmap` draw from."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import Claim, Example, Finding, KeyUse, Model, Part, Rule, key_notes


class SharedKeyUnderVmap(Rule):
    """A function under `vmap` draws from a PRNG key that is not mapped: all batch elements get the same draw.

    ## What it does
    Finds samplers in a mapped function whose key is an argument with `in_axes=None`, or one that the function
    closes over, and so are keys that it splits from such a key.

    ## Why
    `vmap` calls the function once for all batch elements, and a key that is not mapped is one key: noise,
    dropout and proposals are the same for every element, and what is estimated from them has no more samples
    than one element gives.

    ## When it is fine
    One mask or one noise for the whole batch may be what is wanted, as in variational dropout. `fold_in` of
    something that is mapped gives every element a key of its own.

    ## Fix safety
    No fix is applied: new keys change every number that is drawn.
    """

    code = "JAX304"
    name = "shared-key-under-vmap"
    category = "suspicious"
    idle_in_tests = True
    on = False
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp


def noisy(key, x):
    return x + jax.random.normal(key)


out = jax.vmap(noisy, in_axes=(None, 0))(jax.random.key(0), jnp.zeros(3))
""",
            good="""
import jax
import jax.numpy as jnp


def noisy(key, x):
    return x + jax.random.normal(key)


keys = jax.random.split(jax.random.key(0), 3)
out = jax.vmap(noisy)(keys, jnp.zeros(3))
""",
        ),
    )
    claim = Claim("same", calls=("out[0]", "out[1]", "out[2]"))

    def visit_KeyUse(self, use: KeyUse, m: Model) -> Iterator[Finding]:
        if use.kind == "lanes":
            yield Finding(
                use.nid,
                "draws from a PRNG key that `vmap` does not map: all batch elements get the same draw",
                help="map over jax.random.split(key, n), one key for each batch element",
                label="the same for all batch elements",
                traced=False,
                names={"call": Part(use.nid, ("func",))},
                also=key_notes(use, m),
            )
