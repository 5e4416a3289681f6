"""Edits of expressions: replace one, put text around one, as little of the file as that takes.

In: nodes of a located file. Out: edits and texts. It knows how expressions bind, not what they mean.
"""

from __future__ import annotations

from jaxlint.diagnostic import Edit
from jaxlint.ir.locations import Located
from jaxlint.source.lazy_libcst import cst

# kinds of nodes, by name
_ATOMS = frozenset(
    "Name Attribute Call Subscript List Dict Set ListComp SetComp DictComp SimpleString "
    "FormattedString".split()
)
_OPERATORS = {"Add": "+", "Subtract": "-", "Multiply": "*", "Divide": "/"}


def plain_operator(operator: cst.BaseAugOp) -> tuple[str, cst.BaseBinaryOp] | None:
    """How `x + y` is written for `x += y`, and the operator of its node."""
    name = type(operator).__name__.removesuffix("Assign")
    text = _OPERATORS.get(name)
    return None if text is None else (text, getattr(cst, name)())


def bounds(code: Located, node: cst.CSTNode) -> tuple[int, int]:
    """The first and last offset of a node with the parentheses around it."""
    start, end = code.offsets(node)
    left, right = getattr(node, "lpar", ()), getattr(node, "rpar", ())
    if left and right:
        return code.offsets(left[0])[0], code.offsets(right[-1])[1]
    return start, end


def whole(code: Located, node: cst.CSTNode) -> str:
    """A node's text with the parentheses around it."""
    start, end = bounds(code, node)
    return code.source.text[start:end]


def is_atom(node: cst.CSTNode) -> bool:
    """Whether an operator may stand beside the node, or a dot behind it, without parentheses."""
    if getattr(node, "lpar", ()):
        return True
    return type(node).__name__ in _ATOMS


def operand(code: Located, node: cst.CSTNode) -> str:
    """A node's text so that an operator may stand beside it, or a dot behind it."""
    text = whole(code, node)
    return text if is_atom(node) else f"({text})"


def replaced(code: Located, node: cst.CSTNode, text: str) -> Edit:
    """The node, with the parentheses around it, becomes the text."""
    return Edit(code.source.span(*bounds(code, node)), text)


def cut(code: Located, start: int, end: int) -> Edit:
    """What stands between two offsets goes."""
    return Edit(code.source.span(start, end), "")


def put(code: Located, offset: int, text: str) -> Edit:
    """Text at an offset."""
    return Edit(code.source.span(offset, offset), text)


def around(code: Located, node: cst.CSTNode, before: str, after: str) -> tuple[Edit, Edit]:
    """Texts on both sides of a node and the parentheses around it."""
    start, end = bounds(code, node)
    return put(code, start, before), put(code, end, after)


def has_comment(code: Located, node: cst.CSTNode) -> bool:
    """Whether a comment stands inside the node: what is rewritten as a whole would lose it."""
    stack = [node]
    while stack:
        inner = stack.pop()
        if isinstance(inner, cst.Comment):
            return True
        stack.extend(inner.children)
    return False


def is_repeatable(node: cst.CSTNode) -> bool:
    """Whether an expression may be written twice: it calls nothing and binds nothing."""
    if isinstance(node, (cst.Call, cst.Await, cst.Yield, cst.NamedExpr)):
        return False
    return all(is_repeatable(child) for child in node.children)
