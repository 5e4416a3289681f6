"""JAX902: names, keywords and methods that the target JAX warns of."""

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
    migration_of,
    number,
    rewritten,
    subject,
)


class DeprecatedApi(Rule):
    """A name, a keyword or a method that JAX has deprecated.

    ## What it does
    Finds imports and attributes of JAX, keywords and methods that are deprecated in the newest version that
    the project admits, and still work. What was removed already is reported by `removed-api`.

    A name in `from ... import` is reported once, at the import. An attribute is reported at each use, since
    each needs an edit or a suppression comment of its own; `--statistics` counts the findings by rule.

    ## Why
    JAX keeps a deprecated API for about three months, and warns of each name only once in a process, often
    from inside a library where the warning is not shown. After that the line raises.

    ## When it is fine
    Code that checks first is not reported: `hasattr`, a comparison of `jax.__version__`, `getattr` with a
    default, an old import in the handler of a `try` that attempts the new one, an import under
    `TYPE_CHECKING`, and code inside `pytest.warns` or `warnings.catch_warnings`. Names that are merely old,
    such as `jax.random.PRNGKey` and `jax.tree_util.tree_map`, are not deprecated.

    ## Fix safety
    Safe if JAX only moved or renamed the API: the replacement has the same parameters and exists in the
    lowest version that the project admits. Unsafe if it takes fewer ways of passing arguments: `jax.jit`
    takes its options by keyword only, `pjit` took them by position. It is not offered if the file passes
    options by position, or passes the function on. If the call has to be rewritten, as for `shard_map`, the
    replacement is only shown.
    """

    code = "JAX902"
    name = "deprecated-api"
    category = "suspicious"
    fix = "safe"
    examples = (
        Example(
            bad="""
import jax

print(jax.local_devices(host_id=0))
""",
            good="""
import jax

print(jax.local_devices(process_index=0))
""",
            claim=Claim("warns", "builtins.UserWarning", "has been renamed from `host_id`"),
        ),
        Example(
            bad="""
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.shard_map import shard_map
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("batch",))
shifted = shard_map(lambda x: x + 1.0, mesh, P("batch"), P("batch"), check_rep=False)
print(shifted(jnp.ones(4)))
""",
            good="""
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("batch",))
shifted = jax.shard_map(
    lambda x: x + 1.0, mesh=mesh, in_specs=P("batch"), out_specs=P("batch"), check_vma=False
)
print(shifted(jnp.ones(4)))
""",
            note="The new function takes its mesh by keyword, and has another name for its checks.",
            claim=Claim("warns", "builtins.DeprecationWarning", "jax.shard_map", since="0.8.0"),
        ),
    )
    claim = Claim("warns")

    def visit_Reference(self, reference: Reference, m: Model) -> Iterator[Finding]:
        if reference.guarded or reference.floor or reference.warned:
            return
        if reference.how == "keyword" and not m.is_given(reference.value):
            return  # None is what JAX takes for not given
        migration = migration_of(reference, "deprecated", m.target())
        if migration is not None:
            what, names = subject(migration)
            since = number(migration.row.deprecated_in)
            yield Finding(
                migration.nid,
                f"{what} is deprecated since JAX {since}: warns when used",
                help=advice(migration),
                label=f"deprecated since JAX {since}",
                names=names,
                data=migration,
                traced=False,
            )

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        return rewritten(finding, code)
