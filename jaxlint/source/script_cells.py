"""Where the cells of a script begin: comments that editors, jupytext and nbconvert write.

In: the text of a Python file, or its bytes. Out: the rows of these comments. It refuses to know notebooks.
"""

from __future__ import annotations

import re

_BORDER = re.compile(r"#\s?(%%|In\[[\d ]*\]:)")
# jupytext's light format has other marks, and names itself in the comments that the file begins with
_LIGHT = "format_name: light"
_LIGHT_BORDER = re.compile(r"#\s?(%%|[+-](\s|$))")
_IS_LIGHT = re.compile(rf"(#.*\n|[ \t]*\n)*#\s*{_LIGHT}\b")
_SIGNS = ("%%", "In[", _LIGHT)


def may_have_cells(data: bytes) -> bool:
    """Whether there may be such a comment, as far as can be told without decoding the file."""
    return any(sign.encode() in data for sign in _SIGNS)


def borders_of(text: str) -> list[int]:
    """The rows that begin cells, counted from 1."""
    if not any(sign in text for sign in _SIGNS):
        return []
    border = _LIGHT_BORDER if _IS_LIGHT.match(text) else _BORDER
    return [row for row, each in enumerate(text.split("\n"), 1) if border.match(each)]
