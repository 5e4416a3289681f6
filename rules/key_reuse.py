"""JAX301."""

from jaxlint.rule import Finding, Rule


class KeyReuse(Rule):
    """A random key is spent twice."""

    code = "JAX301"
    name = "key-reuse"
    raises = ("KeyReuseError",)

    def visit_KeyUse(self, use, m):
        if use.before is not None and not use.in_loop:
            yield Finding(
                use.nid,
                "a key that was spent before is spent again: the draws repeat",
                help="key, subkey = jax.random.split(key)",
                label="spent again",
                traced=False,
                also=((use.before[0], use.before[1], "the key is spent here"),),
            )
