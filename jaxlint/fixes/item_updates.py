"""Writes of items as statements, and the `.at` updates that take their place.

In: nodes of a located file. Out: the statement, target and root of a write, and the text of the update. It
knows nothing of the values: whether the update means the same is for the caller to say.
"""

from __future__ import annotations

from dataclasses import dataclass

from jaxlint.fixes.rewrite import has_comment, is_repeatable, operand, whole
from jaxlint.ir.locations import Located
from jaxlint.source.lazy_libcst import cst

# operator of the statement -> method of `x.at[i]`; `-` adds the negated value
UPDATES = {"": "set", "+": "add", "-": "add", "*": "multiply", "/": "divide", "**": "power"}


@dataclass(frozen=True, slots=True)
class WrittenItem:
    """`target = value` or `target += value`; `root` is the name that the target begins with."""

    statement: cst.Assign | cst.AugAssign
    target: cst.Subscript
    root: cst.Name


def written_item(code: Located, node: cst.CSTNode) -> WrittenItem | None:
    """The write that a target or an augmented assignment stands for; None where it does more than that."""
    if isinstance(node, cst.AugAssign):
        statement: cst.CSTNode | None = node
        target: cst.CSTNode = node.target
    else:
        assigned = code.parent(node)
        statement = code.parent(assigned) if isinstance(assigned, cst.AssignTarget) else None
        target = node
    if not isinstance(statement, (cst.Assign, cst.AugAssign)) or not isinstance(target, cst.Subscript):
        return None
    if isinstance(statement, cst.Assign) and len(statement.targets) != 1:
        return None
    root: cst.BaseExpression = target.value
    while isinstance(root, (cst.Attribute, cst.Subscript)):
        root = root.value
    if not isinstance(root, cst.Name) or not is_repeatable(target.value) or has_comment(code, statement):
        return None
    return WrittenItem(statement, target, root)


def updated(code: Located, item: WrittenItem, operator: str) -> str | None:
    """`x = x.at[i].set(v)` for `x[i] = v`; an operator without a method of its own reads the item first."""
    target, value = item.target, item.statement.value
    if isinstance(value, (cst.Tuple, cst.Yield)) and not value.lpar:
        return None
    base, text = whole(code, target.value), whole(code, value)
    start, end = code.offsets(target.lbracket)[1], code.offsets(target.rbracket)[0]
    index = code.source.text[start:end]
    method = UPDATES.get(operator)
    if operator == "-":
        text = f"-{_operand(code, value)}"
    elif method is None:
        if not is_repeatable(target):
            return None
        method, text = "set", f"{base}[{index}] {operator} {_operand(code, value)}"
    return f"{base} = {base}.at[{index}].{method}({text})"


def _operand(code: Located, value: cst.BaseExpression) -> str:
    return whole(code, value) if isinstance(value, cst.BaseNumber) else operand(code, value)
