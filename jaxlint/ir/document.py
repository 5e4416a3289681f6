"""Files that hold Python without being Python files: notebooks, and Markdown with code in it.

In: the bytes of a file and its format. Out: a `Document`: the text that rows and columns of findings refer to
and that fixes change, the Python in it, and what does not parse. The code cells of a file are one program, in
the order in which they are written.

A notebook's text is its code cells one below the other, each between two rows that no cell has; so a place in
the text says which cell it is in, and a changed text can be parted again.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from jaxlint.diagnostic import Diagnostic, Edit, Fix, Note, Span
from jaxlint.ir.parsing import Outcome, Refusal, parsed
from jaxlint.source.formats import NOTEBOOK, is_embedded
from jaxlint.source.magics import plain, with_automagic
from jaxlint.source.notebook import Notebook
from jaxlint.source.text import NEWLINE, Source, UnreadableSource, read_source

_BORDER = "#%%"
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,}|:{3,})[ \t]*(.*)")
_CODE_CELL = re.compile(r"\{code-cell\}[ \t]*(\w*)")
_PYTHON_FENCE = re.compile(r"(?:\{code-block\}[ \t]*)?(?:python3?|py)\b")
_LANGUAGES = frozenset(("", "py", "python", "python3", "ipython", "ipython3"))
_OPTION = re.compile(r":[\w-]+:|---\s*$")
_NOT_RUN = re.compile(r"[ \t]*(?:>>>|In \[\d+\]:)")
_COOKIE = re.compile(r"[ \t\f]*#.*?coding[:=]")
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
class Document:
    """A file's text, and the Python in it.

    source: What rows and columns refer to. plain: The same rows without magics and what is no code; what is
    Python stands in the same columns. python: What is analyzed: `plain`, with cells that run apart put into
    blocks, one column to the right. moved: The first and last rows of these. faults: The cells that do not
    parse, which `plain` and `python` lack. cells: The rows of the borders above each cell; None where the
    file has no cells with numbers.
    """

    source: Source
    plain: str
    python: bytes
    moved: tuple[tuple[int, int], ...] = ()
    faults: tuple[Fault, ...] = ()
    cells: tuple[int, ...] | None = None

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

    @cached_property
    def _is_moved(self) -> frozenset[int]:
        return frozenset(row for first, last in self.moved for row in range(first, last + 1))

    def moved_back(self, span: Span) -> Span:
        """Where something is in `source` that is at a place in `python`."""
        column = max(span.column - (span.row in self._is_moved), 1)
        end_column = max(span.end_column - (span.end_row in self._is_moved), 1)
        return Span(span.row, column, span.end_row, end_column)

    def edit_moved_back(self, edit: Edit) -> Edit:
        if edit.span.row not in self._is_moved:
            return edit
        first, *rows = edit.content.split("\n")
        if edit.span.column == 1:  # the indentation is part of what is written
            first = first.removeprefix(" ")
        return Edit(self.moved_back(edit.span), "\n".join([first, *(row.removeprefix(" ") for row in rows)]))

    def admits(self, text: str) -> bool:
        """Whether a fix may leave this text: the cells are there, and no more of them are broken."""
        try:
            if isinstance(self.source, NotebookText):
                after = _notebook(self.source.notebook, text)
            else:
                after = _myst(text)
        except UnreadableSource:
            return False
        return len(after.faults) <= len(self.faults)


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
    source = read_source(data)
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


# ---- making


@dataclass(frozen=True, slots=True)
class _Block:
    """Code in a text: the rows above and below it, and what runs in between."""

    above: int
    below: int
    text: str
    raises: bool = False
    is_doubtful: bool = False  # code that need not parse


class _Assembly:
    """Python made of the blocks of a text. Rows that are in no block stay empty."""

    def __init__(self, count: int) -> None:
        self.plain = [""] * count
        self.python = [""] * count
        self.moved: list[tuple[int, int]] = []
        self.faults: list[Fault] = []

    def add(self, block: _Block) -> None:
        cell = plain(block.text)
        if cell is None:
            return
        text = _without_cookie(cell.text)
        outcome = _parsed(text)
        if isinstance(outcome, Refusal) and (other := with_automagic(block.text)) is not None:
            again = _parsed(_without_cookie(other.text))
            if not isinstance(again, Refusal):
                cell, text, outcome = other, _without_cookie(other.text), again
        head = "def _():" if cell.is_timed else ""
        if isinstance(outcome, Refusal):
            head = "if 1:"
            if not _is_indented(text) or isinstance(_parsed(f"{head}\n{text}"), Refusal):
                if not block.is_doubtful:
                    row = min(block.above + outcome.row, block.below - 1)
                    self.faults.append(Fault(outcome.code, row, outcome.column, outcome.message))
                return
        rows = text.split("\n")
        first, last = block.above + 1, block.above + len(rows)
        self.plain[first - 1 : last] = cell.text.split("\n")
        foot = ""
        if block.raises and not head:
            head, foot = "try:", "except Exception:pass"
        if not head or not _has_code(text):
            self.python[first - 1 : last] = rows
            return
        moves = head != "if 1:"
        self.python[block.above - 1] = head
        self.python[first - 1 : last] = [" " + row if moves and row.strip() else row for row in rows]
        self.python[block.below - 1] = foot
        if moves:
            self.moved.append((first, last))

    def document(self, source: Source, cells: Iterable[int] | None) -> Document:
        return Document(
            source,
            "\n".join(self.plain),
            "\n".join(self.python).encode(),
            tuple(self.moved),
            tuple(self.faults),
            None if cells is None else tuple(cells),
        )


def _parsed(text: str) -> Outcome:
    return parsed(text.encode(), is_interactive=True)


def _without_cookie(text: str) -> str:
    """A cell has no encoding of its own, whatever its first rows say, and half a character is none."""
    rows = text.split("\n")
    text = "\n".join([*("#" if _COOKIE.match(row) else row for row in rows[:2]), *rows[2:]])
    return _SURROGATES.sub("?", text)


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
    if len(own) != count or any(parts[0::2]) or not all(part.endswith("\n") for part in own):
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
            assembly.add(_Block(above, below, own, cell.raises))
    return assembly.document(NotebookText(text, notebook=notebook), borders[0::2])


def _myst(text: str) -> Document:
    rows = NEWLINE.split(text)
    assembly = _Assembly(len(rows) + 1)  # the last fence need not be closed
    for block in _fenced(rows):
        assembly.add(block)
    return assembly.document(Source(text), None)


def _fenced(rows: Sequence[str]) -> list[_Block]:
    """The code between fences: the code cells of MyST or, where there are none, what is marked as Python."""
    cells: list[_Block] = []
    others: list[_Block] = []
    above = 0
    while above < len(rows):
        opened = _FENCE.fullmatch(rows[above])
        above += 1
        if opened is None:
            continue
        close = re.compile(rf" {{0,3}}{re.escape(opened[1][0])}{{{len(opened[1])},}}[ \t]*")
        below = next((at for at in range(above, len(rows)) if close.fullmatch(rows[at])), len(rows))
        code = _CODE_CELL.match(opened[2])
        if code is not None and code[1].lower() in _LANGUAGES:
            start, options = _behind_options(rows, above, below)
            cells.append(_block(rows, above, start, below, "raises-exception" in options))
        elif code is None and _PYTHON_FENCE.match(opened[2]):
            start = _behind_options(rows, above, below)[0] if opened[2].startswith("{") else above
            others.append(replace(_block(rows, above, start, below, False), is_doubtful=True))
        elif opened[1][0] == ":":
            continue  # a directive around text, in which fences may stand
        above = below + 1
    return cells or [block for block in others if not any(map(_NOT_RUN.match, block.text.split("\n")))]


def _block(rows: Sequence[str], above: int, start: int, below: int, raises: bool) -> _Block:
    """A block between the rows of fences; rows before `start` say how it is shown."""
    text = "\n".join([*[""] * (start - above), *rows[start:below]])
    return _Block(above, below + 1, text, raises)


def _behind_options(rows: Sequence[str], start: int, below: int) -> tuple[int, str]:
    """Where the options of a directive end, and their text."""
    at = start
    if at < below and rows[at].strip() == "---":
        end = next((row for row in range(at + 1, below) if rows[row].strip() == "---"), None)
        if end is not None:
            return end + 1, "\n".join(rows[at:end])
    while at < below and _OPTION.match(rows[at].strip()):
        at += 1
    return at, "\n".join(rows[start:at])
