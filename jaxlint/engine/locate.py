"""Where nodes are, and what their text is: made late, only for files that have something to say.

In: a file's text and the numbers of some nodes. Out: `Located`, which gives spans, text and
syntax nodes by number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import libcst as cst
from libcst._nodes.internal import CodegenState

from jaxlint.diagnostic import Span
from jaxlint.engine.lower import lower
from jaxlint.engine.source import Source
from jaxlint.rule import Part


class _Recorder(CodegenState):
    """Generates the code again and notes where the wanted nodes (all, without a table) begin and end."""

    def __init__(self, module: cst.Module, wanted: dict[int, cst.CSTNode] | None) -> None:
        super().__init__(module.default_indent, module.default_newline)
        self.offset = 0
        self.wanted = wanted
        self.spans: dict[int, tuple[int, int]] = {}
        self.starts: list[int] = []

    def add_indent_tokens(self) -> None:
        for token in self.indent_tokens:
            self.offset += len(token)

    def add_token(self, value: str) -> None:
        self.offset += len(value)

    def pop_trailing_newline(self) -> None:
        pass

    def before_codegen(self, node: cst.CSTNode) -> None:
        self.starts.append(self.offset)

    def after_codegen(self, node: cst.CSTNode) -> None:
        start = self.starts.pop()
        if self.wanted is None or id(node) in self.wanted:
            self.spans.setdefault(id(node), (start, self.offset))

    @contextmanager
    def record_syntactic_position(
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> Iterator[None]:
        start = self.offset
        yield
        if self.wanted is None or id(node) in self.wanted:
            end = self.offset
            if end_node is not None and id(end_node) in self.spans:
                end = self.spans[id(end_node)][1]
            self.spans[id(node)] = (start, end)


class Located:
    """The nodes of one file, by number."""

    def __init__(self, source: Source, module: cst.Module | None = None) -> None:
        self.source = source
        self.module = module if module is not None else cst.parse_module(source.text)
        self.program, self.nodes = lower(self.module)
        self._spans: dict[int, tuple[int, int]] = {}
        self._parents: dict[int, cst.CSTNode] = {}

    def prepare(self, numbers: Iterable[int]) -> None:
        """Finds where these nodes, and all that is in them, are."""
        wanted: dict[int, cst.CSTNode] = {}
        stack = [self.nodes[number] for number in numbers]
        while stack:
            node = stack.pop()
            if id(node) not in wanted:
                wanted[id(node)] = node
                if not isinstance(node, (cst.Module, cst.BaseSuite)):
                    stack.extend(node.children)
        recorder = _Recorder(self.module, wanted)
        self.module._codegen(recorder)
        self._spans.update(recorder.spans)

    def node(self, number: int) -> cst.CSTNode:
        return self.nodes[number]

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node that this one is a part of."""
        if not self._parents:
            stack: list[cst.CSTNode] = [self.module]
            while stack:
                outer = stack.pop()
                for child in outer.children:
                    self._parents[id(child)] = outer
                    stack.append(child)
        return self._parents.get(id(node))

    def part(self, part: Part) -> cst.CSTNode | None:
        """The node that a part names; None where there is none, or where `*` hides which one it is."""
        node: Any = self.nodes[part.nid]
        for step in part.path:
            if part.is_argument(step):
                node = _argument(node, step[1])
            elif isinstance(step, int):
                node = node[step] if -len(node) <= step < len(node) else None
            else:
                node = getattr(node, str(step), None)
            if node is None:
                return None
        return node if isinstance(node, cst.CSTNode) else None

    def offsets(self, node: cst.CSTNode) -> tuple[int, int]:
        """The first and last offset of any node of the file, parentheses around it left out."""
        if id(node) not in self._spans:
            recorder = _Recorder(self.module, None)
            self.module._codegen(recorder)
            self._spans = recorder.spans
        return self._spans[id(node)]

    def header(self, node: cst.CSTNode) -> tuple[int, int]:
        """A node's own text; of a statement with a body, its name or its first line."""
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            return self._spans[id(node.name)]
        start, end = self._spans[id(node)]
        line_end = self.source.text.find("\n", start)
        if isinstance(node, (cst.BaseCompoundStatement, cst.MatchCase)) and 0 <= line_end < end:
            end = line_end
        return start, end

    def span(self, number: int) -> Span:
        return self.source.span(*self.header(self.nodes[number]))

    def span_of(self, node: cst.CSTNode) -> Span:
        return self.source.span(*self.offsets(node))

    def text_of(self, node: cst.CSTNode) -> str:
        start, end = self.offsets(node)
        return self.source.text[start:end]

    def text(self, number: int) -> str:
        start, end = self.header(self.nodes[number])
        return self.source.text[start:end]


def _argument(call: object, which: int | str) -> cst.BaseExpression | None:
    """An argument of a call, by position or by keyword."""
    if not isinstance(call, cst.Call):
        return None
    position = 0
    for arg in call.args:
        if arg.keyword is not None:
            if arg.keyword.value == which:
                return arg.value
        elif arg.star:
            return None
        else:
            if position == which:
                return arg.value
            position += 1
    return None
