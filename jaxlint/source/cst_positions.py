"""Where the nodes of a LibCST tree stand in its text.

In: a module's tree. Out: offsets of nodes and the node that each is a part of, noted while LibCST generates
the text anew. Importing this loads LibCST.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import libcst as cst
from libcst._nodes.internal import CodegenState


class Recorder(CodegenState):
    """Generates the code again and notes where nodes begin and end, and which node each one is a part of."""

    def __init__(self, module: cst.Module) -> None:
        super().__init__(module.default_indent, module.default_newline)
        self.offset = 0
        self.spans: dict[int, tuple[int, int]] = {}
        self.parents: dict[int, cst.CSTNode] = {}
        self.open: list[tuple[cst.CSTNode, int]] = []  # with its start
        self.last: tuple[cst.CSTNode, int] = (module, 0)  # what was closed last, with its end

    def add_indent_tokens(self) -> None:
        for token in self.indent_tokens:
            self.offset += len(token)

    def add_token(self, value: str) -> None:
        self.offset += len(value)
        self.tokens = [value]  # a module looks whether there is any, and takes back the last one

    def pop_trailing_newline(self) -> None:
        """The text ends without the newline that the last statement was given."""
        if self.tokens:
            self.offset -= len(self.tokens.pop())
            self.spans = {node: (start, min(end, self.offset)) for node, (start, end) in self.spans.items()}

    def before_codegen(self, node: cst.CSTNode) -> None:
        if self.open:
            self.parents[id(node)] = self.open[-1][0]
        self.open.append((node, self.offset))

    def after_codegen(self, node: cst.CSTNode) -> None:
        _, start = self.open.pop()
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
        end = self.offset
        if end_node is not None and self.last[0] is end_node:
            end = self.last[1]
        self.last = node, end
        self.spans[id(node)] = (start, end)
