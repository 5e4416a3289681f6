"""The stage that works on one file alone: its bytes to its program, or to why it has none.

In: bytes. Out: a `Program` or a `Refusal`; or the record of either, for the cache and for other processes.
What comes out depends on the bytes, the versions of Python and LibCST, and nothing else. Python's own parser
is asked first, for it takes an eighth of the time that LibCST takes; LibCST reads what is written for a newer
Python, and what a fix may change.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from jaxlint._version import __version__
from jaxlint.failure import Failure, cut
from jaxlint.ir.codec import lead_of, lead_to, outcome_of, record_of
from jaxlint.ir.lowering import lower
from jaxlint.ir.program import Lead, Outcome, Program, Refusal
from jaxlint.source.deep_stack import with_room
from jaxlint.source.from_libcst import as_python
from jaxlint.source.magics import of_script
from jaxlint.source.newer_syntax import newer_tree
from jaxlint.source.regular_files import SOURCE, read_regular
from jaxlint.source.script_cells import borders_of
from jaxlint.source.text import UnreadableSource, read_source

__all__ = [
    "BRACKETS",
    "CELL",
    "Lead",
    "Outcome",
    "Refusal",
    "failed",
    "lead_of",
    "lead_to",
    "outcome_of",
    "parsed",
    "read_bytes",
    "record_of",
    "records",
    "unreadable",
    "versions",
]

CELL = "#%%\f"  # ends the row above a cell of a notebook, and is in no other file
BRACKETS = 200  # nested in each other, at most: Python reads no more
_Fault = tuple[str, int, int]  # what is wrong, with row and column

_DEEP: _Fault = ("nested too deeply to be parsed", 1, 1)
# What Python says before the reason why a literal is none.
_CODEC = re.compile(r"^\((?:unicode|value) error\) (?:'\w+' codec can't decode bytes? in position [\d-]+: )?")
_NO_BRACKETS = bytes(each for each in range(256) if each not in b"()[]{}")


def versions() -> tuple[str, ...]:
    """What outcomes depend on besides the bytes: jaxlint, Python, LibCST."""
    from libcst import _version

    return __version__, sys.version, str(_version.__version__)


def read_bytes(path: str) -> bytes:
    return read_regular(path, SOURCE)


def unreadable(error: OSError) -> Refusal:
    return Refusal("JAX002", f"cannot read: {error.strerror or error}")


def failed(error: Exception) -> Refusal:
    """What is reported of a file on which jaxlint itself fails."""
    failure = Failure.of(error, "")
    return Refusal("JAX003", failure.message, trace=failure.trace)


def parsed(data: bytes, is_interactive: bool = False) -> Program | Refusal:
    """The program of a file. `is_interactive`: whether it may await outside of functions, as in notebooks."""
    try:
        return _parsed(data, is_interactive)
    except Exception as error:
        return failed(error)


def _parsed(data: bytes, is_interactive: bool) -> Program | Refusal:
    try:
        text = read_source(data).text
    except UnreadableSource as error:
        return Refusal("JAX002", error.reason, error.row)
    try:
        tree, fault = _python_tree(text)
        if tree is None and (script := of_script(text)) is not None:
            text, is_interactive = script, True
            tree, fault = _python_tree(text)
        if tree is not None:
            program, _, is_doubtful = lower(tree)
            refused = _compiler_fault(text, is_interactive) if is_doubtful or "__debug__" in text else None
            if refused is None:
                program.cells = _cells(text, program)
                return program
            fault = refused
        # LibCST takes ages over what is nested deeply.
        elif fault is not _DEEP and _depth(data) <= BRACKETS:
            newer = newer_tree(text)
            if newer is not None:
                program = lower(as_python(newer)).program
                program.cells = _cells(text, program)
                return program
    except RecursionError:
        fault = _DEEP
    reason, row, column = _CODEC.sub("", fault[0]), *fault[1:]
    return Refusal("JAX001", cut(f"syntax error: {reason.rstrip('.')}"), max(row, 1), max(column, 1))


def _python_tree(text: str) -> tuple[ast.Module | None, _Fault]:
    """The tree of Python's parser; where it makes none, why, with row and column."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text), _DEEP
    except SyntaxError as error:
        return None, (error.msg, error.lineno or 1, error.offset or 1)
    except (MemoryError, RecursionError, ValueError):
        return None, _DEEP


def _cells(text: str, program: Program) -> tuple[int, ...]:
    """The first number behind each border of cells; in a script behind each comment that begins one."""
    borders = [row for row, each in enumerate(text.split("\n"), 1) if each.endswith(CELL)]
    borders = borders or borders_of(text)
    ends = [last for _, _, last in program.tops]
    behind = [bisect_left(ends, row) for row in borders]
    return tuple(sorted({program.tops[at][0] for at in behind if at < len(ends)}))


def _compiler_fault(text: str, is_interactive: bool) -> _Fault | None:
    """Why Python's compiler refuses what its parser has read; None where it does not."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if is_interactive else 0
            compile(text, "<text>", "exec", flags, dont_inherit=True)
    except SyntaxError as error:
        return error.msg, error.lineno or 1, error.offset or 1
    except (MemoryError, RecursionError, ValueError, OverflowError):
        pass  # its own limits, which are no faults of the text
    return None


def records(files: Sequence[bytes], wanted: Sequence[str]) -> list[bytes]:
    """The records of the outcomes of several files; an empty one where it cannot be written, or where other
    versions than those of the caller would make it."""
    if tuple(wanted) != versions():
        return [b"" for _ in files]
    return with_room(lambda: [record_of(parsed(data)) for data in files])


def _depth(data: bytes) -> int:
    """How deep brackets are nested at most; those in strings and comments count too."""
    brackets = data.translate(None, _NO_BRACKETS)
    return max(accumulate(1 if each in b"([{" else -1 for each in brackets), default=0)
