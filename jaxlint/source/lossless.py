"""Text as LibCST parses it without losing a character of it, and the way back to places in the text.

In: text. Out: `Lossless`, the same text without the white space up to a form feed at the start of a
statement's line, which Python ignores and LibCST takes for indentation or drops. Offsets in the one are
mapped to offsets in the other. LibCST is loaded when a tree is asked for.
"""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import accumulate

from jaxlint.source.lazy_libcst import cst
from jaxlint.source.text import NEWLINE

_FORM_FEED = re.compile(r"[ \t\f]*\f")
_LAYOUT = frozenset((tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER))


class Unparsed(Exception):
    """LibCST does not parse a text."""


@dataclass(frozen=True, slots=True)
class Lossless:
    """`text` is what is parsed; before its offset `places[i]` `removed[i]` characters are left out in all."""

    text: str
    places: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()

    @classmethod
    def of(cls, text: str) -> Lossless:
        if "\f" not in text:
            return cls(text)
        pieces: list[str] = []
        lengths: list[int] = []
        end = 0
        for start in _statement_rows(text):
            found = _FORM_FEED.match(text, start)
            if found is not None:
                pieces.append(text[end:start])
                lengths.append(found.end() - start)
                end = found.end()
        places = tuple(accumulate(map(len, pieces)))
        return cls("".join([*pieces, text[end:]]), places, tuple(accumulate(lengths)))

    def module(self) -> cst.Module:
        """The tree of the text.

        Raises:
            Unparsed: LibCST does not read it. It states no list of what it raises then.
        """
        try:
            return cst.parse_module(self.text)
        except (RecursionError, MemoryError):
            raise
        except Exception as error:
            raise Unparsed(f"{type(error).__name__}: {error}") from error
        except BaseException as error:
            if type(error).__name__ != "PanicException":  # LibCST's parser itself failed
                raise
            raise Unparsed(f"{type(error).__name__}: {error}") from error

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The offsets in the whole text of what lies between two offsets of the parsed one."""
        if not self.places:
            return start, end
        first = bisect_right(self.places, start)
        last = max(first, bisect_left(self.places, end))
        before, behind = (self.removed[each - 1] if each else 0 for each in (first, last))
        return start + before, end + behind


def _statement_rows(text: str) -> list[int]:
    """The offsets of the rows on which a logical line of code starts; all rows where tokens cannot tell."""
    starts = [0, *(match.end() for match in NEWLINE.finditer(text))]
    found = []
    is_first = True
    try:
        for token in tokenize.generate_tokens(io.StringIO(NEWLINE.sub("\n", text), newline="\n").readline):
            if token.type == tokenize.NEWLINE:
                is_first = True
            elif is_first and token.type not in _LAYOUT:
                found.append(starts[token.start[0] - 1])
                is_first = False
    except (tokenize.TokenError, SyntaxError, RecursionError):
        return starts
    return found
