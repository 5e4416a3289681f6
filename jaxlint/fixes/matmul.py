"""Matrix products as they are written, and written as calls of `jnp.matmul`.

In: nodes of a located file. Out: the parts that are the operands, and edits. It knows nothing of the values.
"""

from __future__ import annotations

from jaxlint.diagnostic import Edit
from jaxlint.fixes.imports import spelling
from jaxlint.fixes.rewrite import bounds, has_comment, put, replaced, whole
from jaxlint.ir.finding import Part
from jaxlint.ir.locations import Located
from jaxlint.source.lazy_libcst import cst


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
