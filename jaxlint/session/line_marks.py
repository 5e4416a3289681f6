"""Which findings lie on lines that ran, as runs showed it.

In: diagnostics with rows of a file's text, the text, and what is known of its functions. Out: the same, each
marked: its line ran, did not run, or nothing is known of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from jaxlint.diagnostic import Diagnostic
from jaxlint.observe.fingerprint import MODULE, FunctionNode, fingerprint
from jaxlint.session.observed import FileFacts, held

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def marked(found: Sequence[Diagnostic], text: str, tree: ast.Module, facts: FileFacts) -> list[Diagnostic]:
    """The diagnostics of a file of which something is known. tree: that of the text; of a notebook's text,
    that of its cells."""
    ran = {
        each.named.node: {each.named.row + line for line in each.facts.lines}
        for each in held(tree, facts)
        if each.facts.lines or not each.facts.calls  # else the rows were not looked at
    }
    module = facts.of(MODULE, fingerprint(tree))
    top = None if module is None else {line + 1 for line in module.lines}
    changed = {
        node
        for node in ast.walk(tree)
        if isinstance(node, _FUNCTIONS) and node not in ran and _name(node) in _names(facts)
    }
    lines = text.splitlines()
    marks = []
    for each in found:
        row, column = each.span.start
        line = lines[row - 1] if row <= len(lines) else ""
        node, rows = _around(tree, row, len(line[: column - 1].encode("utf-8", "replace")))
        observed: bool | None = None
        if node in ran:
            observed = not ran[node].isdisjoint(rows)
        elif node is None and top is not None:
            observed = not top.isdisjoint(rows)
        elif node is not None and node not in changed:
            observed = False
        marks.append(replace(each, observed=observed))
    return marks


def _names(facts: FileFacts) -> set[str]:
    return {name.rpartition(".")[2] for name in facts.functions}


def _name(node: FunctionNode) -> str:
    return "<lambda>" if isinstance(node, ast.Lambda) else node.name


def _around(tree: ast.Module, row: int, column: int) -> tuple[FunctionNode | None, range]:
    """The innermost function around a place, and the rows of the innermost statement there, of one with a
    body those of its head."""
    function: FunctionNode | None = None
    rows = range(row, row + 1)
    node: ast.AST | None = tree
    while node is not None:
        inner = None
        for child, is_inside in _children(node):
            if _holds(child, row, column):
                inner = child
                if isinstance(child, ast.stmt):
                    rows = range(child.lineno, max(_last_of_head(child), row) + 1)
                if is_inside and isinstance(node, _FUNCTIONS):
                    function = node
                break
        node = inner
    return function, rows


def _children(node: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
    """The parts of a node, and whether they are what a function runs when it is called."""
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child, name == "body"


def _holds(node: Any, row: int, column: int) -> bool:
    if not hasattr(node, "lineno"):
        return any(_holds(child, row, column) for child, _ in _children(node))
    starts = [node, *getattr(node, "decorator_list", ())]
    first = min((each.lineno, each.col_offset) for each in starts)
    return first <= (row, column) < (getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0))


def _last_of_head(node: ast.stmt) -> int:
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if not body:
        return node.end_lineno or node.lineno
    first = body[0].pattern if isinstance(body[0], ast.match_case) else body[0]
    return max(node.lineno, first.lineno - 1)
