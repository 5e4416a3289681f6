"""Where nodes are, and what their text is: made late, only for statements that have something to say.

In: a file's text and program, and the numbers of some nodes. Out: `Located`, which gives spans, text
and syntax nodes by number.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable
from typing import Any

from jaxlint.diagnostic import Span
from jaxlint.engine.comment import read_layout
from jaxlint.engine.late import cst
from jaxlint.engine.lossless import Lossless, Unparsed
from jaxlint.engine.lower import Program, lower
from jaxlint.engine.source import Source
from jaxlint.engine.syntax import as_python
from jaxlint.rule import Part

_CLASS = "class _:\n"


class _Piece:
    """Rows of a file: statements of the module body, a method, or all of it.

    start: the offset of the first row. shift: what is taken from a number of the file to get the piece's own.
    head: what stands before the rows so that they parse.
    """

    def __init__(self, text: str, start: int = 0, shift: int = 0, head: str = "") -> None:
        self.text = head + text
        self.start = start
        self.shift = shift
        self.head = len(head)
        self.parsed = Lossless.of(self.text)
        self.module = self.parsed.module()
        self.nodes: list[cst.CSTNode] = [node.cst for node in lower(as_python(self.module)).nodes]  # type: ignore[attr-defined]
        self.is_recorded = False
        self.is_complete = False


class Located:
    """The nodes of one file, by number. Of the file only those methods, and other statements of the module
    body, are parsed in which something is asked for."""

    def __init__(self, source: Source, program: Program) -> None:
        self.source = source
        self.program = program
        ends = [last for _, _, last in program.tops]
        self._ends = ends if all(ends) else None  # the last row of each statement of the module body
        self._pieces: dict[int, _Piece] = {}  # by the statement's position in the body; -1: the file
        self._methods: dict[int, _Piece | None] = {}  # by position; none where it does not parse alone
        self._spans: dict[int, tuple[int, int]] = {}
        self._parents: dict[int, cst.CSTNode] = {}
        self._unrecorded: list[_Piece] = []
        self._incomplete: list[_Piece] = []
        self.known: dict[Hashable, Any] = {}  # what was found out of scopes and blocks, by who asks and which

    def _piece(self, number: int) -> _Piece:
        """The piece that a number is in."""
        method = bisect_right(self.program.methods, number, key=lambda each: each[0]) - 1
        if method >= 0 and number < self.program.methods[method][1]:
            if method not in self._methods:
                made = self._methods[method] = self._method(*self.program.methods[method])
                if made is not None:
                    self._add(made)
            piece = self._methods[method]
            if piece is not None:
                return piece
        position = bisect_right(self.program.tops, number, key=lambda top: top[0]) - 1
        return self._at(-1 if self._ends is None else position)

    def _at(self, position: int) -> _Piece:
        piece = self._pieces.get(position)
        if piece is None:
            piece = self._pieces[position] = self._parsed(position)
            self._add(piece)
        return piece

    def _add(self, piece: _Piece) -> None:
        self._unrecorded.append(piece)
        self._incomplete.append(piece)

    def _parsed(self, position: int) -> _Piece:
        if position < 0 or self._ends is None:
            return _Piece(self.source.text)
        first = self.program.tops[position][0]
        behind = self.program.tops[position + 1][0] if position + 1 < len(self._ends) else self.program.size
        row = self._ends[position - 1] + 1 if position else 1
        return self._rows(row, self._ends[position], first, behind) or _Piece(self.source.text)

    def _method(self, first: int, behind: int, row: int, last: int) -> _Piece | None:
        return self._rows(row, last, first, behind, _CLASS)

    def _rows(self, row: int, last: int, first: int, behind: int, head: str = "") -> _Piece | None:
        """The piece of some rows, if they parse alone and hold as many numbers as they should."""
        starts = self.source.line_starts
        begin = starts[row - 1]
        end = starts[last] if last < len(starts) else len(self.source.text)
        own = 2 if head else 1  # numbers of the module, and of the class around
        try:
            piece = _Piece(self.source.text[begin:end], begin, first - own, head)
        except Unparsed:
            return None
        return piece if len(piece.nodes) == behind - first + own else None

    def _record(self, piece: _Piece, roots: set[int] | None) -> None:
        from jaxlint.engine.recorder import Recorder

        recorder = Recorder(piece.module, roots)
        piece.module._codegen(recorder)
        piece.is_recorded = True
        piece.is_complete = roots is None
        self._parents.update(recorder.parents)
        shift = piece.start - piece.head
        for number, (start, end) in recorder.spans.items():
            first, last = piece.parsed.span(start, end)
            self._spans[number] = first + shift, last + shift

    def prepare(self, numbers: Iterable[int]) -> set[int]:
        """Finds where these nodes, and all that is in them, are. Gives those that LibCST does not parse."""
        chosen: dict[int, tuple[_Piece, set[int]]] = {}
        lost: set[int] = set()
        for number in numbers:
            try:
                piece = self._piece(number)
            except Unparsed:
                lost.add(number)
                continue
            chosen.setdefault(id(piece), (piece, set()))[1].add(id(piece.nodes[number - piece.shift]))
        for piece, roots in chosen.values():
            self._record(piece, roots)
        return lost

    def node(self, number: int) -> cst.CSTNode:
        piece = self._piece(number)
        return piece.nodes[number - piece.shift]

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node that this one is a part of."""
        while self._unrecorded:
            piece = self._unrecorded.pop()
            if not piece.is_recorded:
                self._record(piece, None)
        return self._parents.get(id(node))

    def modules(self) -> list[cst.CSTNode]:
        """The whole file, in one piece or in several."""
        positions = [-1] if self._ends is None else range(len(self._ends))
        return [self._at(position).module for position in positions]

    def last_row(self, position: int) -> int:
        """The row on which a statement of the module body ends, by its position there."""
        if self._ends is not None:
            return self._ends[position]
        body = self._at(-1).module.body
        lines = [
            line for line in body for _ in (line.body if isinstance(line, cst.SimpleStatementLine) else "1")
        ]
        start, end = self.offsets(lines[position])
        return self.source.position(start + len(self.source.text[start:end].rstrip()))[0]

    def part(self, part: Part) -> cst.CSTNode | None:
        """The node that a part names; None where there is none, or where `*` hides which one it is."""
        node: Any = self.node(part.nid)
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
            while self._incomplete:
                piece = self._incomplete.pop()
                if not piece.is_complete:
                    self._record(piece, None)
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
        return self.source.span(*self.header(self.node(number)))

    def span_of(self, node: cst.CSTNode) -> Span:
        return self.source.span(*self.offsets(node))

    def ignore_row(self, number: int) -> int:
        """The row that a comment has to stand on to hide what is said of a node: its statement's last."""
        piece = self._piece(number)
        before = self.source.position(piece.start)[0] - (2 if piece.head else 1)
        row = self.span(number).row
        return before + read_layout(piece.text).statement_of(row - before)[1]

    def text_of(self, node: cst.CSTNode) -> str:
        start, end = self.offsets(node)
        return self.source.text[start:end]

    def text(self, number: int) -> str:
        start, end = self.header(self.node(number))
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
