"""Notebooks in the facts: the functions of their cells, and which notebook it was whose cells a kernel ran.

In: the bytes of a notebook; the texts from which a kernel compiled cells, as IPython had changed them. Out:
the syntax tree of the cells as one program, with the rows that they have in the text that is linted; and for
the rows of a kernel's cells those rows. No kernel knows which notebook it runs: of those that commands name,
and of those of the project, it is the one that has these cells.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from jaxlint.observe.fingerprint import tree_of
from jaxlint.observe.recorder.project import INSTALLED
from jaxlint.source.formats import NOTEBOOK, format_of
from jaxlint.source.magics import Plain, plain, with_automagic
from jaxlint.source.notebook import Cell, Notebook
from jaxlint.source.text import NEWLINE, UnreadableSource

MOST, LARGEST = 1000, 32 * 1024 * 1024
"""Notebooks of a project that are read, and bytes of one."""
_SHELL = "get_ipython("


def is_notebook(path: str) -> bool:
    return format_of(path, {}) == NOTEBOOK


def tree_of_file(path: str, data: bytes) -> ast.Module | None:
    """The syntax tree of a file, where it can be parsed; of a notebook that of its cells."""
    return NotebookCells(data).tree if is_notebook(path) else tree_of(data)


class NotebookCells:
    """The code cells of a notebook. Of what is no notebook there are none.

    first_rows: the row at which each begins in the text that is linted.
    """

    def __init__(self, data: bytes) -> None:
        self.first_rows: tuple[int, ...] = ()
        self._cells: tuple[Cell, ...] = ()
        try:
            notebook = Notebook.read(data)
        except UnreadableSource:
            return
        self.first_rows, self._cells = notebook.first_rows, notebook.cells

    @cached_property
    def _parsed(self) -> list[tuple[int, Cell, Plain, ast.Module]]:
        """The cells that are Python, by their first rows. What `%%timeit` runs is not a part of the
        program."""
        found = []
        for row, cell in zip(self.first_rows, self._cells, strict=True):
            for reading in (plain, with_automagic) if cell.is_python else ():
                made = reading(cell.text)
                if made is None or made.is_timed:
                    continue
                tree = tree_of(made.text)
                if tree is None:  # IPython takes indentation off
                    head = tree_of(f"if 1:\n{made.text}")
                    tree = None if head is None else ast.increment_lineno(head, -1)
                if tree is not None:
                    found.append((row, cell, made, tree))
                    break
        return found

    @cached_property
    def tree(self) -> ast.Module:
        """All of it as one module."""
        body: list[ast.stmt] = []
        for row, _, _, tree in self._parsed:
            body += ast.increment_lineno(tree, row - 1).body
        return ast.Module(body, [])

    @cached_property
    def rows_by_text(self) -> Mapping[tuple[str, ...], Sequence[int]]:
        """By what is Python in a cell, the rows that have it; of equal cells the first counts."""
        found: dict[tuple[str, ...], Sequence[int]] = {}
        for row, cell, made, _ in self._parsed:
            pairs = zip(NEWLINE.split(cell.text), NEWLINE.split(made.text), strict=False)
            same = enumerate((before if before == after else "" for before, after in pairs), row)
            rows = [(number, text) for number, text in same if _counts(text)]
            found.setdefault(tuple(text.strip() for _, text in rows), [number for number, _ in rows])
        return found


def _counts(row: str) -> bool:
    return bool(row.strip()) and _SHELL not in row


class Placed(NamedTuple):
    """Where a kernel's cell is: the notebook, and the rows of its text by those of the cell."""

    path: str
    rows: Mapping[int, int]


class Notebooks:
    """Notebooks among which those are that kernels ran.

    Args:
        roots: Folders of the project, as real paths; others don't count.
    """

    def __init__(self, roots: Iterable[str]) -> None:
        self._roots = [os.path.join(root, "") for root in roots]
        self._known: dict[str, NotebookCells] = {}

    def placed(
        self, cells: Mapping[str, str], defining: Iterable[str], named: Iterable[str]
    ) -> dict[str, Placed]:
        """Where the cells of a kernel are, of those that are in the notebook that has most of them.

        Args:
            cells: Their texts by the names of their code objects.
            defining: The names of those that define functions which ran.
            named: Notebooks that are the likeliest; of equally good ones the first is taken.
        """
        texts = {name: _rows(text) for name, text in cells.items()}
        likely = self._likely(named)
        best = self._best([*likely, *self._searched], {_key(texts[name]) for name in defining})
        # Others than those with functions are in many notebooks, or, of parameters, in what was written only.
        every = {*map(_key, texts.values())}
        best = best or next((path for path in likely if self._has(path, every)), "")
        best = best or self._best(self._searched, every)
        if not best:
            return {}
        known = self._cells(best).rows_by_text
        return {
            name: Placed(best, dict(zip([number for number, _ in rows], known[_key(rows)], strict=True)))
            for name, rows in texts.items()
            if rows and _key(rows) in known
        }

    def _cells(self, path: str) -> NotebookCells:
        if path not in self._known:
            self._known[path] = NotebookCells(_bytes(path))
        return self._known[path]

    def _has(self, path: str, texts: Set[tuple[str, ...]]) -> int:
        """How many of these cells a notebook has."""
        return len(texts & self._cells(path).rows_by_text.keys() - {()})

    def _best(self, paths: Iterable[str], texts: Set[tuple[str, ...]]) -> str:
        """The first of those that have most; empty where none has any."""
        counts = {path: self._has(path, texts) for path in paths}
        best = max(counts, key=counts.__getitem__, default="")
        return best if best and counts[best] else ""

    def _likely(self, named: Iterable[str]) -> list[str]:
        real = dict.fromkeys(os.path.realpath(path) for path in named)
        return [path for path in real if any(map(path.startswith, self._roots))]

    @cached_property
    def _searched(self) -> list[str]:
        found: list[str] = []
        for root in self._roots:
            for folder, folders, files in os.walk(root):
                folders[:] = sorted(
                    each
                    for each in folders
                    if not each.startswith(".")
                    and each not in INSTALLED
                    and not os.path.exists(os.path.join(folder, each, "pyvenv.cfg"))
                )
                found += [os.path.join(folder, each) for each in sorted(files) if is_notebook(each)]
                if len(found) >= MOST:
                    break
        return found[:MOST]


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes() if os.path.getsize(path) <= LARGEST else b""
    except OSError:
        return b""


def _rows(text: str) -> list[tuple[int, str]]:
    """The rows of a kernel's cell that are as the notebook has them."""
    return [(number, row) for number, row in enumerate(NEWLINE.split(text), 1) if _counts(row)]


def _key(rows: Sequence[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(row.strip() for _, row in rows)
