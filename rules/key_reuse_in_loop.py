"""JAX302."""

from jaxlint.rule import Finding, Rule


class KeyReuseInLoop(Rule):
    """A key from outside a loop is spent at every turn."""

    code = "JAX302"
    name = "key-reuse-in-loop"
    fix = "displayonly"
    raises = ("KeyReuseError",)

    def visit_KeyUse(self, use, m):
        if use.before is not None and use.in_loop:
            yield Finding(
                use.nid,
                "a key from outside the loop is spent at every turn: the draws repeat",
                help="jax.random.fold_in(key, i)",
                label="spent at every turn",
                traced=False,
            )
