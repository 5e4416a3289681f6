"""Where the comments and the logical statements of a text are.

In: text. Out: `Layout`: each comment with its place, and the rows of each logical statement - for a
compound statement its header alone, for a decorated one also the group of its decorators and its header.
Tokens decide, never a search for `#`, so a string that looks like a comment is none. Knows nothing of what
comments say.
"""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from jaxlint.source.text import NEWLINE

Rows = tuple[int, int]  # first and last, both included


@dataclass(frozen=True, slots=True)
class Comment:
    """`column` counts from 1; `text` starts with `#` and has no white space at its end."""

    row: int
    column: int
    text: str
    is_alone: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """`statements` and `groups` are in the order of the text; a group is a statement with its decorators."""

    comments: tuple[Comment, ...]
    statements: tuple[Rows, ...]
    groups: tuple[Rows, ...]
    alone: frozenset[int]  # the rows of comments that have a row for themselves

    def statement_of(self, row: int) -> Rows:
        """The rows of the logical statement that `row` is a part of; the row alone where it is in none."""
        return _holding(self.statements, row) or (row, row)

    def group_of(self, row: int) -> Rows:
        return _holding(self.groups, row) or (row, row)

    def is_in_statement(self, row: int) -> bool:
        return _holding(self.groups, row) is not None

    def group_below(self, comment: Comment) -> Rows | None:
        """The statement that starts right below a comment; between them only other comments may stand."""
        row = comment.row + 1
        while row in self.alone and not self.is_in_statement(row):
            row += 1
        group = _holding(self.groups, row)
        return group if group is not None and group[0] == row else None


@lru_cache(maxsize=8)
def read_layout(text: str) -> Layout:
    # The tokenizer's rows must be an editor's, and it does not know a lone \r on every Python.
    rows = NEWLINE.sub("\n", text)
    try:
        marks = list(_tokenized(rows))
    except (tokenize.TokenError, SyntaxError, RecursionError):
        marks = list(_scanned(rows))
    lines = rows.split("\n")
    comments = []
    statements: list[Rows] = []
    groups: list[Rows] = []
    group_start = None
    for mark in marks:
        if isinstance(mark, _Hash):
            line = lines[mark.row - 1]
            alone = not line[: mark.column - 1].strip()
            comments.append(Comment(mark.row, mark.column, line[mark.column - 1 :].rstrip(), alone))
            continue
        # Two statements that share a row (`"""...""" ; x`, an error recovered from) are one.
        first, last = mark.rows
        if statements and first <= statements[-1][1]:
            first = statements.pop()[0]
            if groups and groups[-1][1] >= first:
                first_of_group, _ = groups.pop()
                group_start = first_of_group if group_start is None else group_start
        statements.append((first, last))
        if group_start is None:
            group_start = first
        if not mark.is_decorator:
            groups.append((group_start, last))
            group_start = None
    if group_start is not None and statements:
        groups.append((group_start, statements[-1][1]))
    own = frozenset(comment.row for comment in comments if comment.is_alone)
    return Layout(tuple(comments), tuple(statements), tuple(groups), own)


@dataclass(frozen=True, slots=True)
class _Hash:
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class _Statement:
    rows: Rows
    is_decorator: bool


def _holding(ranges: tuple[Rows, ...], row: int) -> Rows | None:
    index = bisect_right(ranges, row, key=lambda rows: rows[0]) - 1
    if index >= 0 and ranges[index][0] <= row <= ranges[index][1]:
        return ranges[index]
    return None


_LAYOUT_TOKENS = frozenset((tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER))


def _tokenized(text: str) -> Iterator[_Hash | _Statement]:
    first: tokenize.TokenInfo | None = None
    last_row = 0
    for token in tokenize.generate_tokens(io.StringIO(text, newline="\n").readline):
        if token.type == tokenize.COMMENT:
            yield _Hash(token.start[0], token.start[1] + 1)
        elif token.type == tokenize.NEWLINE:
            if first is not None:
                yield _Statement((first.start[0], max(last_row, token.start[0])), first.string == "@")
            first = None
        elif token.type not in _LAYOUT_TOKENS:
            first = first or token
            last_row = token.end[0]
    if first is not None:
        yield _Statement((first.start[0], last_row), first.string == "@")


# For text that the tokenizer refuses: half-written code, a notebook's shell lines, or a string form that is
# newer than the running Python. It never fails; an unclosed string or bracket ends where a row starts a
# statement that cannot be inside one.
PIECE = re.compile(
    r"""
    (?P<comment>\#[^\n]*)
  | (?P<string>\"\"\"(?:\\.|(?!\"\"\").)*(?:\"\"\"|\Z) | '''(?:\\.|(?!''').)*(?:'''|\Z)
      | "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'?)
  | (?P<open>[(\[{]) | (?P<close>[)\]}])
  | (?P<joined>\\\n)
  | (?P<newline>\n)
  | (?P<blank>[^\S\n]+)
  | (?P<code>[^\#"'()\[\]{}\\\n\s]+|\\)
    """,
    re.VERBOSE | re.DOTALL,
)
_FRESH = re.compile(r"(?:@|(?:async|class|def|for|from|if|import|return|try|while|with)\b)")


def _scanned(text: str) -> Iterator[_Hash | _Statement]:
    row, row_start, depth = 1, 0, 0
    first: tuple[int, bool] | None = None
    for piece in PIECE.finditer(text):
        kind = piece.lastgroup
        if kind == "comment":
            yield _Hash(row, piece.start() - row_start + 1)
        elif kind == "newline":
            if depth and _FRESH.match(text, piece.end()):
                depth = 0
            if first is not None and not depth:
                yield _Statement((first[0], row), first[1])
                first = None
        elif kind != "blank" and kind != "joined":
            first = first or (row, text.startswith("@", piece.start()))
            depth = max(0, depth + (kind == "open") - (kind == "close"))
        breaks = piece.group().count("\n")
        if breaks:
            row += breaks
            row_start = piece.start() + piece.group().rindex("\n") + 1
    if first is not None:
        yield _Statement((first[0], row), first[1])
