"""Which part of a test is traced, for messages that quote it."""

from __future__ import annotations

from collections.abc import Collection

from jaxlint.analysis.function_context import Event
from jaxlint.domain.join import level_of
from jaxlint.ir.finding import Part
from jaxlint.ir.nodes import AttrExpr, BoolExpr, Expr, NameExpr, UnaryExpr
from jaxlint.ir.walks import dotted, nodes_of, walk
from jaxlint.library.rule_model import Model


def traced_part(event: Event, m: Model) -> int | Part:
    """The operand of `and`, `or` and `not` in a test that reads tracers, where the others do not; else the
    whole test.

    Args:
        event: What happens at the test: its number is that of the test.
        m: The model that the rule was given.
    """
    func = event.frame.func
    body = event.module.program.body.body if func is None else func.code.body
    node = next(
        (each for each in nodes_of(body) if isinstance(each, BoolExpr) and each.nid == event.nid), None
    )
    if node is None:
        return event.nid
    traced = {name for name, value in m.mentioned(event).items() if level_of(value)}
    path = _path(node, traced)
    return Part(event.nid, path) if path else event.nid


def _path(node: Expr, names: Collection[str]) -> tuple[str, ...]:
    if isinstance(node, UnaryExpr) and node.operator == "not":
        return ("expression", *_path(node.operand, names))
    if not isinstance(node, BoolExpr):
        return ()
    left, right = (_reads(each, names) for each in (node.left, node.right))
    if left == right:
        return ()
    return ("left", *_path(node.left, names)) if left else ("right", *_path(node.right, names))


def _reads(node: Expr, names: Collection[str]) -> bool:
    return any(dotted(each) in names for each in walk(node) if isinstance(each, (NameExpr, AttrExpr)))
