"""Files that hold Python without being Python files: notebooks, and Markdown with code in it.

In: the bytes of a file and its format. Out: a `Document`: the text that rows and columns of findings refer to
and that fixes change, the Python in it, and what does not parse. The code cells of a file are one program, in
the order in which they are written.

A notebook's text is its code cells one below the other, each between two rows that no cell has; so a place in
the text says which cell it is in, and a changed text can be parted again.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from jaxlint.diagnostic import Diagnostic, Edit, Fix, Note, Span
from jaxlint.ir.parsing import CELL, Outcome, Refusal, parsed
from jaxlint.ir.program import ANY_FUTURE, HAS_RUN
from jaxlint.source.fences import Block, fenced, prose
from jaxlint.source.formats import NOTEBOOK, is_embedded
from jaxlint.source.magics import plain, rows_of_statement, with_automagic
from jaxlint.source.notebook import Notebook
from jaxlint.source.script_cells import borders_of
from jaxlint.source.text import NEWLINE, Source, UnreadableSource, read_source

_BORDER = "#%%"
_COOKIE = re.compile(r"[ \t\f]*#.*?coding[:=]")
_FUTURE = re.compile(r"^([ \t]*from[ \t]+)__future__([ \t]+import\b)", re.MULTILINE)
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Fault:
    """A cell that is no Python: the code that this is reported under, where, and why."""

    code: str
    row: int
    column: int
    message: str


@dataclass(frozen=True)
class NotebookText(Source):
    """The text of a notebook's code cells. It is written as the notebook."""

    notebook: Notebook = field(default_factory=lambda: Notebook("", ()))

    def with_text(self, text: str) -> Source:
        """With these cells. A cell of which a fix took the only row with its newline is empty."""
        texts = _parted(text, len(self.notebook.cells))
        text = text if texts is None else _joined(texts)
        return NotebookText(text, self.encoding, self.bom, self.newline, self.notebook)

    def reread(self, data: bytes) -> Source:
        return read_document(NOTEBOOK, data).source

    def encode(self, errors: str = "strict") -> bytes:
        """The notebook with these cells.

        Raises:
            UnicodeEncodeError: a cell has half a character.
            UnreadableSource: a row between two cells is gone.
        """
        texts = _parted(self.text, len(self.notebook.cells))
        if texts is None:
            raise UnreadableSource("the border of a cell is gone")
        return self.notebook.with_texts(texts, errors)


@dataclass(frozen=True)
class MarkdownText(Source):
    """The text of a Markdown file. Its first rows name no encoding."""

    @classmethod
    def read(cls, data: bytes) -> Source:
        """
        Raises:
            UnreadableSource: the bytes are not UTF-8.
        """
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            row = data.count(b"\n", 0, error.start) + 1
            raise UnreadableSource(f"row {row} is not valid utf-8") from None
        mark = text.startswith("\ufeff")
        return cls(text.removeprefix("\ufeff"), bom=mark)

    def with_text(self, text: str) -> Source:
        return MarkdownText(text, self.encoding, self.bom, self.newline)

    def reread(self, data: bytes) -> Source:
        return self.read(data)


@dataclass(frozen=True)
class Document:
    """A file's text, and the Python in it.

    source: What rows and columns refer to. plain: The same rows without magics and what is no code; what is
    Python stands in the same columns. python: What is analyzed: `plain`, with cells that run apart put into
    blocks, one column to the right. moved: The rows that are. faults: The cells that do not parse, which
    `plain` and `python` lack. cells: The rows of the borders above each cell; None where the file has no
    cells with numbers. left_out: How many cells are passed over: they parse, but not as a part of the
        program, or need not parse.
    """

    source: Source
    plain: str
    python: bytes
    moved: frozenset[int] = frozenset()
    faults: tuple[Fault, ...] = ()
    cells: tuple[int, ...] | None = None
    left_out: int = 0

    @property
    def text_of_python(self) -> str:
        """What is analyzed, as text."""
        return self.plain if self.plain == self.source.text else self.python.decode()

    def cell_of(self, row: int) -> tuple[int | None, int]:
        """The number of the cell that a row is in, and the row within it."""
        if not self.cells:
            return None, row
        number = max(bisect_right(self.cells, row), 1)
        return number, max(row - self.cells[number - 1], 1)

    def text_of(self, cell: int | None) -> str | None:
        """The text of a cell; the whole text without a number."""
        if cell is None or self.cells is None:
            return self.source.text
        if not isinstance(self.source, NotebookText) or not 1 <= cell <= len(self.cells):
            return None
        return self.source.notebook.cells[cell - 1].text

    def shows(self, row: int) -> bool:
        """Whether a notebook shows the value of the statement at a row, or an editor that runs the cells of a
        script with `# %%`: it is an expression that ends its cell, without a semicolon."""
        number, within = self.cell_of(row)
        text = None if number is None else self.text_of(number)
        if self.cells is None:
            text, within = self._part_of_script(row)
        cell = None if text is None else plain(text)
        if cell is None or cell.text.rstrip().endswith(";"):
            return False
        try:
            last = ast.parse(cell.text).body[-1:]
        except SyntaxError:
            return False
        return any(
            isinstance(each, ast.Expr) and each.lineno <= within <= (each.end_lineno or 0) for each in last
        )

    def _part_of_script(self, row: int) -> tuple[str | None, int]:
        """The text between two comments that begin cells, and the row in it; None without such a comment."""
        rows = self.source.text.split("\n")
        borders = borders_of(self.source.text)
        if not borders:
            return None, row
        at = bisect_right(borders, row)
        start, end = borders[at - 1] if at else 0, borders[at] - 1 if at < len(borders) else len(rows)
        return "\n".join(rows[start:end]), row - start

    def moved_back(self, span: Span) -> Span:
        """Where something is in `source` that is at a place in `python`."""
        column = max(span.column - (span.row in self.moved), 1)
        end_column = max(span.end_column - (span.end_row in self.moved), 1)
        return Span(span.row, column, span.end_row, end_column)

    def edit_moved_back(self, edit: Edit) -> Edit:
        """The same of an edit. Rows added where there is no code come to stand above the next code."""
        if edit.span.start == edit.span.end and edit.span.column == 1 and edit.content.endswith("\n"):
            row = self._row_for_code(edit.span.row)
            edit = Edit(Span(row, 1, row, 1), edit.content)
        if edit.span.row not in self.moved:
            return edit
        first, *rows = edit.content.split("\n")
        if edit.span.column == 1:  # the indentation is part of what is written
            first = first.removeprefix(" ")
        return Edit(self.moved_back(edit.span), "\n".join([first, *(row.removeprefix(" ") for row in rows)]))

    def _row_for_code(self, row: int) -> int:
        if self._is_code(row - 1) or self._is_code(row):
            return row
        below = range(row + 1, self.source.row_count + 1)
        return next((each for each in below if self._is_code(each)), row)

    def _is_code(self, row: int) -> bool:
        rows = self._plain_rows
        is_blank = not 1 <= row <= len(rows) or not rows[row - 1].strip()
        return not is_blank and not self.source.line(row).lstrip().startswith("%%")

    @cached_property
    def _plain_rows(self) -> list[str]:
        return self.plain.split("\n")

    def admits(self, text: str) -> bool:
        """Whether a fix may leave this text: the cells are there, no more of them are broken, and what is
        around them is as it was."""
        try:
            if isinstance(self.source, NotebookText):
                after = _notebook(self.source.notebook, text)
            else:
                after = _myst(text)
                if prose(text) != prose(self.source.text):
                    return False
        except UnreadableSource:
            return False
        return len(after.faults) <= len(self.faults) and after.left_out <= self.left_out


def read_document(format: str, data: bytes) -> Document:
    """The document of a file.

    Raises:
        UnreadableSource: the bytes are no text, or no notebook.
    """
    return _read(format, data) if is_embedded(format) else _of_python(data)


def _of_python(data: bytes) -> Document:
    source = read_source(data)
    return Document(source, source.text, data)


@lru_cache(maxsize=4)  # one run asks several times
def _read(format: str, data: bytes) -> Document:
    if format == NOTEBOOK:
        notebook = Notebook.read(data)
        return _notebook(notebook, _joined([cell.text for cell in notebook.cells]))
    source = MarkdownText.read(data)
    return replace(_myst(source.text), source=source)


def changes(before: Source, after: str) -> list[tuple[int | None, str, str]]:
    """What another text changes: of a notebook each cell with its number, before and after."""
    if not isinstance(before, NotebookText):
        return [(None, before.text, after)]
    texts = _parted(after, len(before.notebook.cells)) or []
    pairs = enumerate(zip(before.notebook.cells, texts, strict=False), 1)
    return [(number, f"{cell.text}\n", f"{text}\n") for number, (cell, text) in pairs if cell.text != text]


def moved_back(found: Diagnostic, documents: Mapping[str, Document]) -> Diagnostic:
    """A diagnostic of the Python of documents, as it is of their texts."""
    own = documents.get(found.filename)
    notes = tuple(_note_moved_back(note, documents.get(note.filename)) for note in found.related)
    if own is None:
        return replace(found, related=notes) if notes != found.related else found
    fix = found.fix
    if fix is not None:
        fix = replace(fix, edits=tuple(map(own.edit_moved_back, fix.edits)))
    return replace(found, span=own.moved_back(found.span), fix=fix, related=notes)


def _note_moved_back(note: Note, document: Document | None) -> Note:
    return note if document is None else replace(note, span=document.moved_back(note.span))


def note_in_text(note: Note, document: Document | None) -> Note:
    """A place in the Python of a document, as it is in its text, by cell."""
    return _note_in_cell(_note_moved_back(note, document), document)


def in_cells(found: Diagnostic, documents: Mapping[str, Document]) -> Diagnostic:
    """A diagnostic by cell and rows within it, where its file has cells."""
    own = documents.get(found.filename)
    notes = tuple(_note_in_cell(note, documents.get(note.filename)) for note in found.related)
    if own is None or own.cells is None:
        return replace(found, related=notes) if notes != found.related else found
    cell, span = _in_cell(found.span, own)
    fix = found.fix
    if fix is not None:
        fix = Fix(fix.applicability, fix.message, tuple(_edit_in_cell(edit, own) for edit in fix.edits))
    row = own.cell_of(found.noqa_row)[1] if found.noqa_row else 0
    return replace(found, span=span, cell=cell, fix=fix, related=notes, noqa_row=row)


def _in_cell(span: Span, document: Document) -> tuple[int | None, Span]:
    cell, row = document.cell_of(span.row)
    return cell, Span(row, span.column, row + span.end_row - span.row, span.end_column)


def _note_in_cell(note: Note, document: Document | None) -> Note:
    if document is None or document.cells is None:
        return note
    cell, span = _in_cell(note.span, document)
    return replace(note, span=span, cell=cell)


def _edit_in_cell(edit: Edit, document: Document) -> Edit:
    cell, span = _in_cell(edit.span, document)
    return replace(edit, span=span, cell=cell)


@dataclass(slots=True)
class _Placed:
    """A block that is Python. head, foot: what stands in the rows above and below, where it runs apart or may
    end in an exception; `moves`: whether its rows are then indented."""

    block: Block
    text: str
    head: str = ""
    foot: str = ""
    moves: bool = False


class _Assembly:
    """Python made of the blocks of a text. Rows that are in no block stay empty; those around a block are
    borders of cells."""

    def __init__(self, count: int) -> None:
        self._count = count
        self.plain = [""] * count
        self.placed: list[_Placed] = []
        self.faults: list[Fault] = []
        self.left_out = 0

    def add(self, block: Block) -> None:
        cell = plain(block.text)
        if cell is None:
            return
        text = _as_part(cell.text)
        outcome = _parsed(text)
        if isinstance(outcome, Refusal) and (other := with_automagic(block.text)) is not None:
            again = _parsed(_as_part(other.text))
            if not isinstance(again, Refusal):
                cell, text, outcome = other, _as_part(other.text), again
        placed = _Placed(block, text)
        if isinstance(outcome, Refusal):
            placed.head = "if 1:"
            if not _is_indented(text) or isinstance(_parsed(f"if 1:\n{text}"), Refusal):
                if block.is_doubtful:
                    self.left_out += 1
                else:
                    row = min(block.above + outcome.row, block.below - 1)
                    self.faults.append(Fault(outcome.code, row, outcome.column, outcome.message))
                return
        elif not _has_code(text):
            pass
        elif cell.is_timed:
            placed.head, placed.moves = "def _():", True
        elif block.raises:
            body = f"{HAS_RUN}({', '.join(map(str, ran))})" if (ran := _ran(text, block.raised)) else "pass"
            placed.head, placed.foot, placed.moves = "try:", f"except {block.raises}:{body}", True
        self.plain[block.above : block.above + text.count("\n") + 1] = cell.text.split("\n")
        self.placed.append(placed)

    def document(self, source: Source, cells: Iterable[int] | None) -> Document:
        python, moved = self._joined()
        # What is Python alone need not be a part of a program.
        while self.placed and isinstance(refused := _parsed(python), Refusal):
            at = bisect_right(self.placed, refused.row, key=lambda each: each.block.above) - 1
            placed = self.placed[max(at, 0)]
            if placed.moves:
                placed.head, placed.foot, placed.moves = "", "", False
            else:
                self.placed.remove(placed)
                self.left_out += 1
            python, moved = self._joined()
        return Document(
            source,
            "\n".join(self.plain),
            python.encode(),
            frozenset(moved),
            tuple(self.faults),
            None if cells is None else tuple(cells),
            self.left_out,
        )

    def _joined(self) -> tuple[str, set[int]]:
        """The Python, and its rows that are indented by one column more than in the text."""
        rows = [""] * self._count
        moved: set[int] = set()
        for placed in self.placed:
            above, own = placed.block.above, placed.text.split("\n")
            if placed.head:
                rows[above - 1], rows[placed.block.below - 1] = f"{placed.head} {CELL}", placed.foot
            if placed.moves:
                for number in _rows_of_statements(placed.text):
                    own[number] = " " + own[number]
                    moved.add(above + 1 + number)
            rows[above : above + len(own)] = own
            for border in (above - 1, placed.block.below - 1):
                rows[border] = rows[border] or CELL
        return "\n".join(rows), moved


def _rows_of_statements(text: str) -> Iterator[int]:
    """The rows, from 0, in which a statement starts, or a comment."""
    rows = text.split("\n")
    number = start = 0
    while number < len(rows):
        if rows[number].strip():
            yield number
        behind = number + rows_of_statement(text, start)
        start += sum(map(len, rows[number:behind])) + behind - number
        number = behind


def _parsed(text: str) -> Outcome:
    return parsed(text.encode(), is_interactive=True)


def _as_part(text: str) -> str:
    """The text of a block as it may stand anywhere in a program. It has no encoding of its own, whatever its
    first rows say, half a character is none, and a mark at the start sets nothing off."""
    rows = text.split("\n")
    text = "\n".join([*("#" if _COOKIE.match(row) else row for row in rows[:2]), *rows[2:]])
    if text.startswith("\ufeff"):
        text = "\f" + text[1:]
    return _FUTURE.sub(rf"\1{ANY_FUTURE}\2", _SURROGATES.sub("?", text))


def _ran(text: str, raised: frozenset[int]) -> list[int]:
    """The statements of a cell, from 0, above the last one that has one of these rows; none that has one."""
    if not raised:
        return []
    try:
        body = ast.parse(text).body
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return []
    starts = [min([each.lineno, *(one.lineno for one in _decorators(each))]) for each in body]
    pairs = enumerate(zip(starts, body, strict=True))
    held = {
        at for at, (start, each) in pairs if any(start <= row <= (each.end_lineno or 0) for row in raised)
    }
    return [at for at in range(max(held, default=0)) if at not in held]


def _decorators(statement: ast.stmt) -> list[ast.expr]:
    return getattr(statement, "decorator_list", [])


def _is_indented(text: str) -> bool:
    """Whether the first row with something in it is; IPython takes that off."""
    return re.match(r"\s*^[ \t]", text, re.MULTILINE) is not None


def _has_code(text: str) -> bool:
    return any(row.strip() and row.lstrip()[0] != "#" for row in text.split("\n"))


def _joined(texts: Sequence[str]) -> str:
    """The texts of cells, each between two borders."""
    border = _BORDER
    rows = {row for text in texts for row in NEWLINE.split(text)}
    while border in rows:
        border += "%"
    return "\n".join(part for text in texts for part in (border, text, border))


def _borders(text: str) -> list[int]:
    """The rows of the borders, from 1."""
    rows = NEWLINE.split(text)
    return [number for number, row in enumerate(rows, 1) if row == rows[0]]


def _parted(text: str, count: int) -> list[str] | None:
    """The texts between the borders; None where they are not those of so many cells."""
    if not count:
        return [] if not text else None
    border = re.match(r"[^\r\n]*", text)
    if border is None or not border.group().startswith(_BORDER):
        return None
    name = re.escape(border.group())
    parts = re.split(rf"(?:^|(?<=\n)){name}(?:\n|\Z)", text)
    # Empty before the first border, and between the two borders of neighbours.
    own = parts[1::2]
    # A fix may take the last row of a cell with its newline.
    if len(own) != count or any(parts[0::2]) or not all(part.endswith("\n") for part in own if part):
        return None
    return [part[:-1] for part in own]


def _notebook(notebook: Notebook, text: str) -> Document:
    texts = _parted(text, len(notebook.cells))
    if texts is None:
        raise UnreadableSource("the border of a cell is gone")
    borders = _borders(text) if texts else []
    assembly = _Assembly(len(NEWLINE.split(text)))
    for number, (cell, own) in enumerate(zip(notebook.cells, texts, strict=True)):
        if cell.is_python:
            above, below = borders[2 * number : 2 * number + 2]
            is_doubtful = not notebook.is_run  # its cells may show text, or one function in parts
            assembly.add(Block(above, below, own, cell.raises, cell.raised, is_doubtful))
    return assembly.document(NotebookText(text, notebook=notebook), borders[0::2])


def _myst(text: str) -> Document:
    rows = NEWLINE.split(text)
    assembly = _Assembly(len(rows) + 1)  # the last fence need not be closed
    for block in fenced(rows):
        assembly.add(block)
    return assembly.document(Source(text), None)
