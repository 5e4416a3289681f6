"""Where nodes stand in a text as far as Python's own parser says it, which is asked long before LibCST.

In: the text of some rows. Out: `Positions`, which gives the offsets of what a number stands for, the same
ones that LibCST gives; None where Python's tree does not say enough to be certain of them.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Sequence
from unicodedata import normalize

from jaxlint.ir.finding import Part
from jaxlint.ir.lowering import lower
from jaxlint.source.text import Source

Offsets = tuple[int, int]

_FORMATTED = ("JoinedStr", "TemplateStr")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_DEFINITION = re.compile(r"(?:async(?:\s|\\)+)?(?:def|class)(?:[ \t\f]|\\\r\n|\\\n|\\\r)+(\w+)")
_WORD = re.compile(r"(\w+)")
_NOT_PLAIN = re.compile(r"[#\\]")


class Positions:
    """What the numbers of a text stand for, as nodes of Python's tree."""

    def __init__(self, text: str) -> None:
        """
        Raises:
            SyntaxError, ValueError, RecursionError, MemoryError: Python does not parse the text.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.nodes = lower(ast.parse(text)).nodes
        self.source = Source.from_text(text)
        # Before 3.12 Python gives what is in a formatted string the place of the string.
        self._formatted = {
            id(inner)
            for node in self.nodes
            if type(node).__name__ in _FORMATTED
            for inner in ast.walk(node)
            if inner is not node
        }

    def header(self, number: int) -> Offsets | None:
        """A node's own text; of a statement with a body, its name or its first line."""
        node = self.nodes[number]
        if isinstance(node, ast.BoolOp) and node in self.nodes[number + 1 :]:
            return None  # `a and b` of `a and b and c`
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return self._name(node, node.name, _DEFINITION)
        if isinstance(node, ast.arg):
            return None if self._is_starred(node) else self._name(node, node.arg, _WORD)
        found = self._offsets(node)
        if found is None or not _has_body(node):
            return found
        start, end = found
        return start, min(end, self.source.end_of(self.source.position(start)[0]))

    def attribute(self, number: int) -> Offsets | None:
        """The name behind the last dot, of an attribute."""
        node = self.nodes[number]
        found = self._offsets(node)
        if found is None or not isinstance(node, ast.Attribute):
            return None
        start, end = found[1] - len(node.attr), found[1]
        return (start, end) if self.source.text[start:end] == node.attr else None

    def part(self, part: Part) -> Offsets | None:
        """The offsets of a part of a node."""
        node: ast.AST | None = self.nodes[part.nid]
        for step in part.path:
            node = _step(node, step)
        return self._offsets(node)

    def _offsets(self, node: ast.AST | None) -> Offsets | None:
        if not isinstance(node, (ast.expr, ast.stmt, ast.alias, ast.keyword)) or id(node) in self._formatted:
            return None
        start = self._offset(node.lineno, node.col_offset)
        end = self._offset(node.end_lineno or 0, node.end_col_offset or 0)
        if isinstance(node, (ast.Tuple, ast.GeneratorExp)):
            return self._without_brackets(node, start, end)
        return start, end

    def _offset(self, row: int, column: int) -> int:
        """The offset of a place of which the column is given in bytes."""
        start = self.source.line_starts[row - 1]
        line = self.source.text[start : self.source.end_of(row)]
        return start + (column if line.isascii() else len(line.encode()[:column].decode()))

    def _without_brackets(self, node: ast.Tuple | ast.GeneratorExp, start: int, end: int) -> Offsets | None:
        """Python counts the brackets of these in, unlike those around other expressions."""
        text = self.source.text[start:end]
        if not (text.startswith("(") and text.endswith(")")):
            return start, end
        if _NOT_PLAIN.search(text):
            return None
        inner = text[1:-1].strip()
        if isinstance(node, ast.Tuple):
            try:
                ast.parse(f"[{inner}\n]", mode="eval")
            except (SyntaxError, ValueError):
                return start, end  # (a), (b)
        start += text.index(inner, 1)
        return start, start + len(inner)

    def _is_starred(self, node: ast.arg) -> bool:
        """Whether a parameter takes what is left over: its stars are a part of it."""
        functions = (each for each in self.nodes if isinstance(each, _FUNCTIONS))
        return any(node is each.args.vararg or node is each.args.kwarg for each in functions)

    def _name(self, node: ast.stmt | ast.arg, name: str, form: re.Pattern[str]) -> Offsets | None:
        """The offsets of the name of what is defined, which Python's tree has in its plain letters."""
        found = form.match(self.source.text, self._offset(node.lineno, node.col_offset))
        if found is None or normalize("NFKC", found[1]) != name:
            return None
        return found.span(1)


def _has_body(node: ast.AST) -> bool:
    """Whether statements are a part of a node, so that its own text is its first line."""
    return isinstance(node, ast.stmt) and not {"body", "cases"}.isdisjoint(node._fields)


def _step(node: ast.AST | None, step: object) -> ast.AST | None:
    """One step of a part's path, where it means the same in Python's tree."""
    if Part.is_argument(step):
        return _argument(node, step[1]) if isinstance(node, ast.Call) else None
    if step == "func" and isinstance(node, ast.Call):
        return node.func
    if step == "value" and isinstance(node, (ast.Attribute, ast.Subscript)):
        return node.value
    return None


def _argument(call: ast.Call, which: int | str) -> ast.expr | None:
    if isinstance(which, str):
        return next((each.value for each in call.keywords if each.arg == which), None)
    before: Sequence[ast.expr] = call.args[: which + 1]
    if len(before) <= which or any(isinstance(each, ast.Starred) for each in before):
        return None
    return before[-1]
