"""IPython's own syntax in the cells of a notebook.

In: the text of a code cell. Out: text in plain Python with the same rows, in which what is Python stands in
the same columns: `%timeit f(x)` keeps `f(x)`, `!ls` becomes a statement without effect; or nothing, where the
cell is not Python (`%%bash`). What a line means is taken from IPython's documentation of its input
transformations; nothing of IPython is imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jaxlint.source.comments import PIECE
from jaxlint.source.text import NEWLINE

# The options of magics whose argument is code, as `getopt` reads them: a colon follows those with a value.
_OPTIONS = {
    "time": "",
    "timeit": "n:r:tcp:qov:",
    "prun": "D:l:rs:T:q",
    "memit": "r:t:i:co",
    "mprun": "rf:T:c",
    "lprun": "rsf:m:D:T:u:z",
}
_TIMED = "timeit"  # what its code gives is thrown away

_CODE_CELLS = frozenset(
    (*_OPTIONS, "capture", "debug", "heat", "ipytest", "pyinstrument", "scalene", "wandb")
)  # fmt: skip

_ESCAPED = re.compile(r"[ \t]*(?:[!%?]|[,;/](?=\S))")
# The first `=` of a statement; a bracket or a text that is open there would go on behind it.
_ASSIGNED = re.compile(
    r"""(?![ \t]*[!%?,;/])(?:[^\n#='"()\[\]{}]|'[^'\n]*'|"[^"\n]*"|\([^()\n]*\)|\[[^\[\]\n]*\])+"""
    r"=[ \t]*(?=%[A-Za-z_]|!(?!=))"
)
_HELP = re.compile(r"""[^#'"\n]*\?[ \t]*$""")
_CELL_MAGIC = re.compile(r"[ \t]*%%(\w+)(.*)")
_LINE_MAGIC = re.compile(r"([ \t]*)(%?)(\w+)(?=[ \t])(.*)")
_AUTOMAGIC = re.compile(
    r"([ \t]*)((?:cat|cd|conda|cp|env|less|load|load_ext|ls|mamba|man|matplotlib|memit|mkdir|more|mv|pip|prun"
    r"|pwd|rm|rmdir|run|time|timeit|uv|who|whos)"
    r"(?:[ \t]+(?:[^\s=(,.:\[*/<>|&^%@!+]|\.\.?(?:[/\s]|$))|[ \t]*$))"
)
# What cannot stand behind the head of a statement in its row.
_COMPOUND = re.compile(r"(?:(?:async|class|def|for|if|match|try|while|with)\b|@|#)")
# What begins a row of a script that only IPython runs, and of no text in Python but in a string.
_SCRIPT = re.compile(r"^[ \t]*(?:%[A-Za-z]|![A-Za-z./])", re.MULTILINE)
_SUSPECT = re.compile(r"[!%?]|^[ \t]*[,;/]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Plain:
    """A cell without magics.

    is_timed: whether its code runs apart from the rest, any number of times, in a scope of its own.
    """

    text: str
    is_timed: bool = False


def plain(cell: str) -> Plain | None:
    """A code cell in plain Python; None where it is of another language."""
    return _plain(NEWLINE.split(cell), False) if _SUSPECT.search(cell) else Plain(cell)


def of_script(text: str) -> str | None:
    """The text of a file that IPython runs, in plain Python; None where no row begins with a magic."""
    return "\n".join(_without_magics(NEWLINE.split(text), False)) if _SCRIPT.search(text) else None


def with_automagic(cell: str) -> Plain | None:
    """The same for a cell that does not parse otherwise: IPython takes `timeit f(x)` for `%timeit f(x)`."""
    rows = NEWLINE.split(cell)
    return _plain(rows, True) if any(map(_AUTOMAGIC.match, rows)) else None


def _plain(rows: list[str], is_automagic: bool) -> Plain | None:
    first = next((number for number, row in enumerate(rows) if row.strip() and row.strip()[0] != "#"), None)
    magic = None if first is None else _CELL_MAGIC.match(rows[first])
    if first is None or magic is None:
        return Plain("\n".join(_without_magics(rows, is_automagic)))
    name, rest = magic.groups()
    if name not in _CODE_CELLS:
        return None
    code = _code_of(name, rest) if name == _TIMED else ""
    rows[first] = _padded("if 1:", rows[first], code) if code else "pass"
    below = _plain(rows[first + 1 :], is_automagic)  # which may begin with a magic of its own
    if below is None:
        return None
    text = "\n".join(rows[: first + 1])
    if first + 1 < len(rows):
        text += f"\n{below.text}"
    return Plain(text, name == _TIMED or below.is_timed)


def _without_magics(rows: list[str], is_automagic: bool) -> Iterator[str]:
    """The rows, those replaced that are no Python."""
    text = "\n".join(rows)
    number = start = 0
    while number < len(rows):
        row = rows[number]
        first = number
        if (done := _replaced(row, is_automagic)) is None:
            number += rows_of_statement(text, start)
            yield from rows[first:number]
            start += sum(map(len, rows[first:number])) + number - first
            continue
        yield done
        # A backslash at the end joins the next row, as in a shell; after code Python reads it so as well.
        while rows[number].endswith("\\") and number + 1 < len(rows):
            number += 1
            yield rows[number] if done.endswith("\\") else ""
        number += 1
        start += sum(map(len, rows[first:number])) + number - first


def _replaced(row: str, is_automagic: bool) -> str | None:
    """A row that starts a statement, in plain Python; None where it is that already."""
    assigned = _ASSIGNED.match(row)
    if assigned is not None:
        return assigned.group() + "get_ipython()"
    if _HELP.match(row):
        return _indent(row) + "pass"
    if not _ESCAPED.match(row) and not (is_automagic and _AUTOMAGIC.match(row)):
        return None
    magic = _LINE_MAGIC.match(row)
    if magic is not None and magic[3] in _OPTIONS and (code := _code_of(magic[3], magic[4])):
        # Both heads are at most as long as what they stand for.
        return _padded(magic[1] + ("def _():" if magic[2] and magic[3] == _TIMED else "if 1:"), row, code)
    return _indent(row) + "pass"


def _indent(row: str) -> str:
    return row[: len(row) - len(row.lstrip(" \t"))]


def _padded(head: str, row: str, code: str) -> str:
    """The code at the end of a row, where it stands there, behind the head of a statement; `%time !ls` and
    `%time names = !ls` are IPython's as well."""
    done = _replaced(code, False)
    before = len(row) - len(code)
    if done is None and _COMPOUND.match(code):
        # A form feed sets the indentation back to nothing.
        indent = _indent(row)
        return " " * (before - len(indent) - 1) + "\f" + indent + code
    return head.ljust(before) + (code if done is None else done)


def _code_of(name: str, rest: str) -> str:
    """What is left of the arguments of a magic after its options."""
    left = rest.lstrip()
    while option := re.match(r"-(\w)(\S*)\s*", left):
        takes_value = f"{option[1]}:" in _OPTIONS[name]
        if option[1] not in _OPTIONS[name]:
            break  # a number below zero
        left = left[option.end() :]
        if takes_value and not option[2]:
            left = re.sub(r"^\S+\s*", "", left)
    while name == "time" and (option := re.match(r"--[\w-]+\s+", left)):
        left = left[option.end() :]
    inner = _LINE_MAGIC.match(left)
    return _code_of(inner[3], inner[4]) if inner and inner[2] and inner[3] in _OPTIONS else left


def rows_of_statement(text: str, start: int) -> int:
    """How many rows the logical line has that starts at an offset."""
    depth = 0
    count = 1
    for piece in PIECE.finditer(text, start):
        kind = piece.lastgroup
        if kind == "newline" and depth <= 0:
            break
        depth += (kind == "open") - (kind == "close")
        count += piece.group().count("\n")
    return count
