"""The code between the fences of a Markdown text: cells of MyST, or blocks that are marked as Python."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from jaxlint.source.text import NEWLINE

# Of a list's item it may be the first thing, or stand as far to the right. Text between backticks is none.
_FENCE = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:(`{3,})(?=[^`]*$)|(~{3,}|:{3,}))[ \t]*(.*)")
_CODE_CELL = re.compile(r"\{code-cell\}[ \t]*(\w*)")
_PYTHON_FENCE = re.compile(r"(?:\{code-block\}[ \t]*)?(?:python3?|py)\b", re.IGNORECASE)
_LANGUAGES = frozenset(("", "py", "python", "python3", "ipython", "ipython3"))
_OPTION = re.compile(r":[\w-]+:|---\s*$")
_NOT_RUN = re.compile(r"[ \t]*(?:>>>|In \[\d+\]:)")


# ---- making


@dataclass(frozen=True, slots=True)
class Block:
    """Code in a text: the rows above and below it, and what runs in between. raises: the class of the error
    in which it may end, or nothing. raised: the rows of the text, from 1, that are known to have raised it.
    """

    above: int
    below: int
    text: str
    raises: str = ""
    raised: frozenset[int] = frozenset()
    is_doubtful: bool = False  # code that need not parse


def prose(text: str) -> list[str]:
    """The rows of a text that are in no block."""
    rows = NEWLINE.split(text)
    inside = {row for block in fenced(rows) for row in range(block.above, block.below - 1)}
    return [row for number, row in enumerate(rows) if number not in inside]


def fenced(rows: Sequence[str]) -> list[Block]:
    """The code between fences: the code cells of MyST or, where there are none, what is marked as Python."""
    cells: list[Block] = []
    others: list[Block] = []
    above = 0
    while above < len(rows):
        opened = _FENCE.fullmatch(rows[above])
        above += 1
        if opened is None:
            continue
        fence, named = opened[1] or opened[2], opened[3]
        close = re.compile(rf"[ \t]*{re.escape(fence[0])}{{{len(fence)},}}[ \t]*")
        below = next((at for at in range(above, len(rows)) if close.fullmatch(rows[at])), len(rows))
        code = _CODE_CELL.match(named)
        if code is not None and code[1].lower() in _LANGUAGES:
            start, options = _behind_options(rows, above, below)
            cells.append(_block(rows, above, start, below, "raises-exception" in options))
        elif code is None and _PYTHON_FENCE.match(named):
            start = _behind_options(rows, above, below)[0] if named.startswith("{") else above
            others.append(replace(_block(rows, above, start, below, False), is_doubtful=True))
        elif fence[0] == ":":
            continue  # a directive around text, in which fences may stand
        above = below + 1
    return cells or [block for block in others if not any(map(_NOT_RUN.match, block.text.split("\n")))]


def _block(rows: Sequence[str], above: int, start: int, below: int, raises: bool) -> Block:
    """A block between the rows of fences; rows before `start` say how it is shown."""
    text = "\n".join([*[""] * (start - above), *rows[start:below]])
    return Block(above, below + 1, text, "Exception" if raises else "")


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
