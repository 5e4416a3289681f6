"""JAX901: names, keywords and methods that the target JAX does not have."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    Claim,
    Example,
    Finding,
    Fix,
    Located,
    Model,
    Reference,
    Rule,
    advice,
    error_of,
    migration_of,
    number,
    rewritten,
    subject,
)


class RemovedApi(Rule):
    """A name, a keyword or a method that JAX has removed.

    ## What it does
    Finds imports and attributes of JAX that were removed in the newest version that the project admits,
    keywords that its functions no longer take, and methods that its arrays no longer have. The versions come
    from `target-jax` or from the project's own dependency on jax; without an upper bound, the newest JAX
    that jaxlint was verified against decides.

    A name in `from ... import` is reported once, at the import. An attribute such as `jax.tree_map` is
    reported at each use, since each needs an edit or a suppression comment of its own; `--statistics` counts
    the findings by rule.

    ## Why
    The line raises `AttributeError`, `ImportError` or `TypeError` when it runs, which in a rarely executed
    path may be long after the upgrade.

    ## When it is fine
    Code that checks first is not reported: `hasattr`, a comparison of `jax.__version__`, `getattr` with a
    default, a `try` whose handler catches the error, an import under `TYPE_CHECKING`. Nor are the project's
    own functions and modules of the same name. To support older versions too, set `target-jax` to a range
    that ends before the removal.

    ## Fix safety
    Safe if JAX only moved or renamed the API: the replacement has the same parameters and exists in the
    lowest version that the project admits. Unsafe if it differs in a detail, as `jnp.isin` does in the shape
    of its result. If the call has to be rewritten, the replacement is only shown.
    """

    code = "JAX901"
    name = "removed-api"
    category = "correctness"
    fix = "safe"
    raises = ("AttributeError", "ImportError", "ModuleNotFoundError", "TypeError", "NotImplementedError")
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp

params = {"w": jnp.ones(3), "b": jnp.zeros(3)}
print(jax.tree_map(lambda leaf: leaf * 0.5, params))
""",
            good="""
import jax
import jax.numpy as jnp

params = {"w": jnp.ones(3), "b": jnp.zeros(3)}
print(jax.tree.map(lambda leaf: leaf * 0.5, params))
""",
            prints="{'b': Array([0., 0., 0.], dtype=float32), 'w': Array([0.5, 0.5, 0.5], dtype=float32)}",
            claim=Claim("missing", "builtins.AttributeError", "tree_map", since="0.6.0"),
        ),
        Example(
            bad="""
import jax.numpy as jnp

gradient = jnp.array([-3.0, 0.5, 7.0])
print(jnp.clip(gradient, a_min=-1.0, a_max=1.0))
""",
            good="""
import jax.numpy as jnp

gradient = jnp.array([-3.0, 0.5, 7.0])
print(jnp.clip(gradient, min=-1.0, max=1.0))
""",
            prints="[-1.   0.5  1. ]",
            note="A keyword that was renamed raises TypeError.",
            claim=Claim("missing", "builtins.TypeError", "unexpected keyword argument", since="0.10.0"),
        ),
    )
    claim = Claim("missing")

    def visit_Reference(self, reference: Reference, m: Model) -> Iterator[Finding]:
        if reference.guarded:
            return
        target = m.target()
        if reference.floor:
            if target[1] is not None and target[1] < reference.floor:
                return  # of the versions that the project admits none gets here
            target = (target[0], reference.floor)
        migration = migration_of(reference, "removed", target)
        if migration is not None and (
            not migration.row.refused_with(migration.target[1]) or m.is_given(reference.value)
        ):
            what, names = subject(migration)
            since, error = number(migration.row.removed_in), error_of(migration)
            yield Finding(
                migration.nid,
                f"{what} was removed in JAX {since}: raises {error}",
                help=advice(migration),
                label=f"removed in JAX {since}",
                names=names,
                data=migration,
                raises=(error, "ImportError") if error == "ModuleNotFoundError" else (error,),
                traced=False,
            )

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        return rewritten(finding, code)
