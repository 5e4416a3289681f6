"""JAX712: the operator `@` between JAX arrays."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from jaxlint.diagnostic import Edit, Fix
from jaxlint.engine.event import Binary
from jaxlint.engine.locate import Located
from jaxlint.engine.model import Model
from jaxlint.engine.rewrite import bounds, has_comment, put, replaced, whole
from jaxlint.engine.spelling import spelling
from jaxlint.rule import Claim, Example, Finding, Part, Rule


class MatmulOperator(Rule):
    """A matrix product of JAX arrays that is written with `@`.

    ## What it does
    Finds `a @ b` and `a @= b` where both operands are certainly JAX arrays, traced or not. It is off by
    default, for projects whose house style is to spell the product `jnp.matmul(a, b)`.

    ## Why
    A name can be searched for, takes `precision=` and `preferred_element_type=`, and says that the product
    is JAX's and not NumPy's. It is not faster: both make the same `dot_general`, and the belief that the
    function beats the operator does not survive a measurement.

    ## When it is fine
    Wherever the operator reads better, which is why the rule is off. Products of NumPy arrays, of classes
    with a `__matmul__` of their own and of operands that are not known are never reported.

    ## Fix safety
    The fix is safe: `Array.__matmul__` calls `jnp.matmul`, so values, dtypes and the traced program are the
    same. `a @= b` is rewritten only where `a` is a plain name.
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
    claim = Claim("same")

    def visit_BinaryOperation(self, product: Binary, m: Model) -> Iterator[Finding]:
        if m.is_array(product.left) and m.is_array(product.right):
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


def sides(nid: int, augmented: bool) -> dict[str, int | str | Part]:
    """The operands of a product, for a message."""
    left, right = ("target", "value") if augmented else ("left", "right")
    return {"left": Part(nid, (left,)), "right": Part(nid, (right,))}


def as_matmul(code: Located, node: cst.CSTNode) -> tuple[Edit, ...] | None:
    """The edits that turn `a @ b`, or `a @= b` of a name, into `jnp.matmul(a, b)`."""
    name = spelling(code, "jax.numpy")
    if name is None:
        return None
    function, imports = f"{name[0]}.matmul", name[1]
    if isinstance(node, cst.AugAssign) and isinstance(node.target, cst.Name):
        if has_comment(code, node):
            return None
        target = node.target.value
        text = f"{target} = {function}({target}, {_argument(code, node.value)})"
        return (Edit(code.span_of(node), text), *imports)
    if not isinstance(node, cst.BinaryOperation):
        return None
    if not has_comment(code, node):
        text = f"{function}({_argument(code, node.left)}, {_argument(code, node.right)})"
        return (replaced(code, node, text), *imports)
    # a comment stays where it is: only the operator goes, and what is around the operands comes
    (start, left), (right, end) = bounds(code, node.left), bounds(code, node.right)
    between = code.source.text[left:right].replace("@", "", 1)
    comma = Edit(code.source.span(left, right), f",{between}")
    return (put(code, start, f"{function}("), comma, put(code, end, ")"), *imports)


def _argument(code: Located, node: cst.BaseExpression) -> str:
    """An operand as an argument: parentheses that only bound it go."""
    if len(node.lpar) == 1 and not isinstance(node, (cst.Yield, cst.GeneratorExp, cst.Tuple)):
        return code.text_of(node)
    return whole(code, node)
