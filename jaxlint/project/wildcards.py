"""Wildcards as regular expressions that take no longer than a text times a pattern.

In: the pieces of a pattern between its stars, each of a fixed length. Out: a regular expression. A star takes
as little as the piece behind it allows; nothing is gained by taking more, so no star is tried twice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence


def starred(pieces: Sequence[str], star: str) -> str:
    """A pattern with a star between its pieces, for `fullmatch`.

    Args:
        pieces: Regular expressions that each match texts of one length, the first and last maybe empty.
        star: What one character that a star stands for matches.
    """
    first, *rest = pieces
    if not rest:
        return first
    *middle, last = rest
    return "".join([first, *(f"(?>{star}*?{piece})" for piece in middle), f"{star}*{last}"])


def character_class(text: str) -> str:
    """A class of characters, as it stands between the brackets of a glob: `a-z`, `!ab`."""
    body = re.sub(r"([\\\[&~|])", r"\\\1", text)
    return f"[^{body[1:]}]" if body.startswith(("!", "^")) else f"[{body}]"
