"""Writes of items as statements, and the `.at` updates that take their place.

In: nodes of a located file. Out: the statement, target and root of a write, and the text of the update. It
knows nothing of the values: whether the update means the same is for the caller to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jaxlint.fixes.imports import builtin, meaning
from jaxlint.fixes.rewrite import has_comment, is_repeatable, operand, whole
from jaxlint.ir.locations import Located
from jaxlint.source.lazy_libcst import cst

# operator of the statement -> method of `x.at[i]`; `-` adds the negated value
UPDATES = {"": "set", "+": "add", "-": "add", "*": "multiply", "/": "divide", "**": "power"}


_PURE = ("jax.", "numpy.", "math.")  # modules whose functions change no variable of a program


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


def keeps_order(code: Located, item: WrittenItem) -> bool:
    """Whether it makes no difference that the update computes the value after it has read the target and the
    index, where the assignment does so before."""
    if isinstance(item.statement, cst.AugAssign):
        return True
    value, parts = item.statement.value, [item.root, *_below(*item.target.slice)]
    names = {each.value for each in parts if isinstance(each, cst.Name)}
    bound = {each.target for each in _below(value) if isinstance(each, cst.NamedExpr)}
    if any(isinstance(each, cst.Name) and each.value in names for each in bound):
        return False
    if not any(_may_change(code, each) for each in _below(value)):
        return True
    if any(isinstance(each, (cst.Attribute, cst.Subscript, cst.Call)) for each in parts):
        return False
    return not any(names & (each.global_names | each.nonlocal_names) for each in code.program.codes)


def _below(*nodes: cst.CSTNode) -> Iterator[cst.CSTNode]:
    stack = [*nodes]
    while stack:
        yield (node := stack.pop())
        stack.extend(node.children)


def _may_change(code: Located, node: cst.CSTNode) -> bool:
    """Whether an expression may change what others read: it calls a function that may do so, or waits."""
    if isinstance(node, cst.Call):
        return builtin(code, node.func) is None and not (meaning(code, node.func) or "").startswith(_PURE)
    return isinstance(node, (cst.Await, cst.Yield))


def _operand(code: Located, value: cst.BaseExpression) -> str:
    return whole(code, value) if isinstance(value, cst.BaseNumber) else operand(code, value)
