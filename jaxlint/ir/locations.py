"""Where nodes are, and what their text is: made late, only for statements that have something to say.

In: a file's text and program, and the numbers of some nodes. Out: `Located`, which gives spans, text
and syntax nodes by number. LibCST parses nothing until a syntax node is asked for, or a place that Python's
own parser does not give.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any

from jaxlint.diagnostic import Span
from jaxlint.ir.finding import Part
from jaxlint.ir.lowering import lower
from jaxlint.ir.positions import Offsets, Positions
from jaxlint.ir.program import Program
from jaxlint.source.comments import read_layout
from jaxlint.source.from_libcst import as_python
from jaxlint.source.lazy_libcst import cst
from jaxlint.source.lossless import Lossless, Unparsed
from jaxlint.source.text import Source

_CLASS = "class _:\n"


class _Rows:
    """Rows of a file: statements of the module body, a method, or all of it.

    start: the offset of the first row. shift: what is taken from a number of the file to get the rows' own.
    size: how many numbers the rows have. head: what stands before the rows so that they parse.
    """

    def __init__(self, text: str, size: int, start: int = 0, shift: int = 0, head: str = "") -> None:
        self.text = head + text
        self.size = size
        self.start = start
        self.shift = shift
        self.head = head
        self.refusal = ""  # why LibCST does not parse the rows, once it was asked
        self._tree: _Tree | None = None
        self._positions: Positions | None = None
        self._is_placed = False

    def positions(self) -> Positions | None:
        """Places as Python gives them; None where the rows do not parse alone as they do in the file."""
        if not self._is_placed:
            self._is_placed = True
            try:
                found = Positions(self.text)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return None
            self._positions = found if len(found.nodes) == self.size else None
        return self._positions

    def tree(self) -> _Tree | None:
        """LibCST's tree; None where the rows do not parse alone as they do in the file."""
        if self._tree is None and not self.refusal:
            try:
                found = _Tree(self.text)
            except Unparsed as error:
                self.refusal = str(error)
                return None
            if len(found.nodes) == self.size:
                self._tree = found
            else:
                self.refusal = "other statements than in the file"
        return self._tree

    def offset(self, own: int) -> int:
        """The offset in the file of an offset in the rows."""
        return own + self.start - len(self.head)


class _Tree:
    """What LibCST makes of a text, and the syntax node behind each number."""

    def __init__(self, text: str) -> None:
        self.parsed = Lossless.of(text)
        self.module = self.parsed.module()
        self.nodes: list[cst.CSTNode] = [node.cst for node in lower(as_python(self.module)).nodes]  # type: ignore[attr-defined]
        self.is_listed = False  # among those whose nodes are recorded when a place or a parent is asked for


class Located:
    """The nodes of one file, by number. Of the file only those methods, and other statements of the module
    body, are parsed in which something is asked for."""

    def __init__(self, source: Source, program: Program, is_in_one_piece: bool = False) -> None:
        """`is_in_one_piece`: whether the whole file is parsed, so that each of its nodes is there once."""
        self.source = source
        self.program = program
        self._is_in_one_piece = is_in_one_piece
        ends = [last for _, _, last in program.tops]
        # The last row of each statement of the module body.
        self._ends = ends if all(ends) and not is_in_one_piece else None
        self._file = _Rows(source.text, program.size)
        self._tops: dict[int, _Rows] = {}  # by the statement's position in the body
        self._methods: dict[int, _Rows] = {}  # by position
        self._spans: dict[int, Offsets] = {}
        self._parents: dict[int, cst.CSTNode] = {}
        self._unrecorded: list[tuple[_Rows, _Tree]] = []
        self.known: dict[Hashable, Any] = {}  # what was found out of scopes and blocks, by who asks and which

    # ---- the rows that a number is in

    def _around(self, number: int) -> Iterator[_Rows]:
        """The rows that a number is in, the fewest first: those of more are for what does not parse alone."""
        method = bisect_right(self.program.methods, number, key=lambda each: each[0]) - 1
        if method >= 0 and number < self.program.methods[method][1] and not self._is_in_one_piece:
            if method not in self._methods:
                first, behind, row, last = self.program.methods[method]
                self._methods[method] = self._rows(row, last, first, behind, _CLASS)
            yield self._methods[method]
        yield from self._at(bisect_right(self.program.tops, number, key=lambda top: top[0]) - 1)

    def _at(self, position: int) -> Iterator[_Rows]:
        """Those of a statement of the module body, and all."""
        if position >= 0 and self._ends is not None:
            if position not in self._tops:
                first = self.program.tops[position][0]
                is_last = position + 1 == len(self._ends)
                behind = self.program.size if is_last else self.program.tops[position + 1][0]
                row = self._ends[position - 1] + 1 if position else 1
                self._tops[position] = self._rows(row, self._ends[position], first, behind)
            yield self._tops[position]
        yield self._file

    def _rows(self, row: int, last: int, first: int, behind: int, head: str = "") -> _Rows:
        starts = self.source.line_starts
        begin = starts[row - 1]
        end = starts[last] if last < len(starts) else len(self.source.text)
        own = 2 if head else 1  # numbers of the module, and of the class around
        return _Rows(self.source.text[begin:end], behind - first + own, begin, first - own, head)

    # ---- places, by number

    def unknown(self, numbers: Iterable[int]) -> set[int]:
        """Those of some numbers that nothing can be said of: LibCST does not parse what they are in."""
        found: set[int] = set()
        for number in numbers:
            try:
                self.header(number)
            except Unparsed:
                found.add(number)
        return found

    def header(self, number: int) -> Offsets:
        """A node's own text; of a statement with a body, its name or its first line.

        Raises:
            Unparsed: LibCST does not parse the file.
        """
        found = self._placed(number, lambda positions, own: positions.header(own))
        return self._header_of(self.node(number)) if found is None else found

    def attribute(self, number: int) -> Offsets | None:
        """The name behind the last dot of an attribute, where Python's tree gives it."""
        return self._placed(number, lambda positions, own: positions.attribute(own))

    def _placed(self, number: int, place: Callable[[Positions, int], Offsets | None]) -> Offsets | None:
        """The offsets that Python's tree gives for a number, if it does."""
        for rows in self._around(number):
            positions = rows.positions()
            if positions is not None:
                found = place(positions, number - rows.shift)
                return None if found is None else (rows.offset(found[0]), rows.offset(found[1]))
        return None

    def span(self, number: int) -> Span:
        return self.source.span(*self.header(number))

    def text(self, number: int) -> str:
        start, end = self.header(number)
        return self.source.text[start:end]

    def text_of_part(self, part: Part) -> str:
        """The text of a part, or of the whole node where there is no such part."""
        found = self._placed(part.nid, lambda positions, own: positions.part(Part(own, part.path)))
        if found is None:
            try:
                node = self.part(part)
            except Unparsed:
                node = None
            found = self.header(part.nid) if node is None else self.offsets(node)
        return self.source.text[found[0] : found[1]]

    def ignore_row(self, number: int) -> int:
        """The row that a comment has to stand on to hide what is said of a node: its statement's last."""
        rows = next(self._around(number))
        before = self.source.position(rows.start)[0] - (2 if rows.head else 1)
        row = self.span(number).row
        return before + read_layout(rows.text).statement_of(row - before)[1]

    # ---- LibCST's nodes

    def _parsed(self, around: Iterable[_Rows]) -> tuple[_Rows, _Tree]:
        """The fewest rows that LibCST parses alone as it does in the file."""
        for rows in around:
            tree = rows.tree()
            if tree is not None:
                if not tree.is_listed:
                    tree.is_listed = True
                    self._unrecorded.append((rows, tree))
                return rows, tree
        raise Unparsed(self._file.refusal)

    def _record(self) -> None:
        """Notes where all nodes of the parsed rows are, and what each is a part of."""
        from jaxlint.source.cst_positions import Recorder

        while self._unrecorded:
            rows, tree = self._unrecorded.pop()
            recorder = Recorder(tree.module)
            tree.module._codegen(recorder)
            self._parents.update(recorder.parents)
            for number, (start, end) in recorder.spans.items():
                first, last = tree.parsed.span(start, end)
                self._spans[number] = rows.offset(first), rows.offset(last)

    def node(self, number: int) -> cst.CSTNode:
        """
        Raises:
            Unparsed: LibCST does not parse the file.
        """
        rows, tree = self._parsed(self._around(number))
        return tree.nodes[number - rows.shift]

    def whole(self) -> tuple[cst.Module, list[cst.CSTNode]]:
        """The tree of the whole file, and the node behind each number.

        Raises:
            Unparsed: LibCST does not parse the file.
        """
        tree = self._parsed([self._file])[1]
        return tree.module, tree.nodes

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node that this one is a part of."""
        self._record()
        return self._parents.get(id(node))

    def mentioning(self, word: str) -> list[cst.CSTNode]:
        """The whole file, in one piece or in several, without pieces in which a word does not stand."""
        positions = [-1] if self._ends is None else range(len(self._ends))
        pieces = ([*self._at(position)] for position in positions)
        found = re.compile(rf"\b{re.escape(word)}\b")
        return [self._parsed(rows)[1].module for rows in pieces if found.search(rows[0].text)]

    def last_row(self, position: int) -> int:
        """The row on which a statement of the module body ends, by its position there."""
        if self._ends is not None:
            return self._ends[position]
        module = self._parsed([self._file])[1].module
        lines = [
            line
            for line in module.body
            for _ in (line.body if isinstance(line, cst.SimpleStatementLine) else "1")
        ]
        start, end = self.offsets(lines[position])
        return self.source.position(start + len(self.source.text[start:end].rstrip()))[0]

    def part(self, part: Part) -> cst.CSTNode | None:
        """The node that a part names; None where there is none, or where `*` hides which one it is."""
        node: object = self.node(part.nid)
        for step in part.path:
            if part.is_argument(step):
                node = _argument(node, step[1])
            elif isinstance(step, int):
                items = node if isinstance(node, Sequence) else ()
                node = items[step] if -len(items) <= step < len(items) else None
            else:
                node = getattr(node, str(step), None)
            if node is None:
                return None
        return node if isinstance(node, cst.CSTNode) else None

    def offsets(self, node: cst.CSTNode) -> Offsets:
        """The first and last offset of any node of the file, parentheses around it left out."""
        self._record()
        return self._spans[id(node)]

    def _header_of(self, node: cst.CSTNode) -> Offsets:
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            return self.offsets(node.name)
        start, end = self.offsets(node)
        if isinstance(node, (cst.BaseCompoundStatement, cst.MatchCase)):
            end = min(end, self.source.end_of(self.source.position(start)[0]))
        return start, end

    def span_of_header(self, node: cst.CSTNode) -> Span:
        """A node's own text; of a statement with a body, its name or its first line."""
        return self.source.span(*self._header_of(node))

    def span_of(self, node: cst.CSTNode) -> Span:
        return self.source.span(*self.offsets(node))

    def text_of(self, node: cst.CSTNode) -> str:
        start, end = self.offsets(node)
        return self.source.text[start:end]


def _argument(call: object, which: int | str) -> cst.BaseExpression | None:
    """An argument of a call, by position or by keyword."""
    if not isinstance(call, cst.Call):
        return None
    if isinstance(which, str):
        named = (arg for arg in call.args if arg.keyword is not None and arg.keyword.value == which)
        return next((arg.value for arg in named), None)
    before = [arg for arg in call.args if arg.keyword is None and arg.star != "**"][: which + 1]
    return None if len(before) <= which or any(arg.star for arg in before) else before[-1].value
