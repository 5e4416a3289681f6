"""JAX712: the operator `@` between JAX arrays."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import Binary, Claim, Example, Finding, Fix, Located, Model, Rule, as_matmul, sides


class MatmulOperator(Rule):
    """A matrix product of JAX arrays is written with `@`.

    ## What it does
    Finds `a @ b` and `a @= b` where both operands are certainly JAX arrays, traced or not. It is off by
    default, for projects whose style is to write the product `jnp.matmul(a, b)`.

    ## Why
    A name can be searched for, takes `precision=` and `preferred_element_type=`, and shows that the product
    is JAX's and not NumPy's. It is not faster: both make the same `dot_general`, and measurements refute
    that the function is faster than the operator.

    ## When it is fine
    Wherever the operator reads better, which is why the rule is off. Products of NumPy arrays, of classes
    with a `__matmul__` of their own and of operands that are not known are never reported.

    ## Fix safety
    The fix is safe: `Array.__matmul__` calls `jnp.matmul`, so values, dtypes and the traced program are the
    same. `a @= b` is rewritten only if `a` is a plain name.
    """

    code = "JAX712"
    name = "matmul-operator"
    category = "pedantic"
    on = False
    fix = "safe"
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp


@jax.jit
def dense(weight, bias, x):
    return jnp.tanh(x @ weight + bias)


print(dense(jnp.eye(3), jnp.zeros(3), jnp.ones(3)))
""",
            good="""
import jax
import jax.numpy as jnp


@jax.jit
def dense(weight, bias, x):
    return jnp.tanh(jnp.matmul(x, weight) + bias)


print(dense(jnp.eye(3), jnp.zeros(3), jnp.ones(3)))
""",
            note="Both trace to the same program.",
        ),
    )
    claim = Claim("program", calls=("dense(jnp.eye(3), jnp.zeros(3), jnp.ones(3))",), what="jaxpr")
    also = (Claim("program", calls=claim.calls, what="hlo"), Claim("memory", calls=claim.calls))

    def visit_BinaryOperation(self, product: Binary, m: Model) -> Iterator[Finding]:
        if product.operator == "@" and m.is_array(product.left) and m.is_array(product.right):
            yield Finding(
                product.nid,
                "`{it}` is a product of JAX arrays that is not spelled jnp.matmul",
                help="jnp.matmul({left}, {right})",
                label="the operator `@`",
                names={"it": product.nid, **sides(product.nid, product.augmented)},
                traced=False,
            )

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        edits = as_matmul(code, code.node(finding.nid))
        return None if edits is None else Fix("safe", "spell the product jnp.matmul", edits)
