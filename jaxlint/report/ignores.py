"""What the comments that hide findings say.

In: comments. Out: `Directive`s (`ignore`, `ignore-file`, `disable`, `enable`, `noqa`, and `noqa-file`, which
is `# flake8: noqa` or `# ruff: noqa`) with the place of each code in them, the comments that are malformed,
and the edits that take a code or a whole directive out again.
Knows nothing of findings, nor of which codes exist.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from jaxlint.diagnostic import Edit, Span
from jaxlint.source.comments import Comment, read_layout
from jaxlint.source.text import Source

Verb: TypeAlias = Literal["ignore", "ignore-file", "disable", "enable", "noqa", "noqa-file"]

# A comment may hold several: `# type: ignore  # jaxlint: ignore[key-reuse] -- see #12`.
_SEGMENT = re.compile(r"#(?=\s*[A-Za-z])")
_JAXLINT = re.compile(r"#\s*jaxlint\s*:\s*(?P<body>.*)", re.DOTALL | re.IGNORECASE)
_WITHOUT_COLON = re.compile(r"#\s*jaxlint\s+((?:ignore-file|ignore|disable|enable)\s*\[.*)", re.IGNORECASE)
_BRACKETED = re.compile(
    r"(?P<verb>ignore-file|ignore|disable|enable)\s*\[(?P<items>[^\[\]]*)\](?P<rest>.*)", re.DOTALL
)
_VERB = re.compile(r"(ignore-file|ignore|disable|enable)(?![\w-])")
_REASON = re.compile(r"\s*(?:--.*)?", re.DOTALL)
_NO_BLANKET = "# jaxlint: {}[CODE] with each code by name; there is no form for all rules"
_NOQA = re.compile(r"#\s*(?P<tool>(?:flake8|ruff)\s*[:=]\s*)?noqa(?![\w-])\s*(?P<codes>:)?", re.IGNORECASE)
_NOQA_ITEM = re.compile(r"[,\s]*(?P<item>[A-Za-z]+[0-9]+|[a-z]+(?:-[a-z0-9]+)+)(?![\w-])")


@dataclass(frozen=True, slots=True)
class Item:
    """A code or name as written; `column` counts from 1."""

    text: str
    column: int

    @property
    def end(self) -> int:
        return self.column + len(self.text)


@dataclass(frozen=True, slots=True)
class Directive:
    """From `column` to `end` of `comment`'s row; a `noqa` without items hides everything."""

    verb: Verb
    comment: Comment
    items: tuple[Item, ...]
    column: int
    end: int

    @property
    def row(self) -> int:
        return self.comment.row

    @property
    def span(self) -> Span:
        return Span(self.row, self.column, self.row, self.end)

    def span_of(self, item: Item) -> Span:
        return Span(self.row, item.column, self.row, item.end)

    def shown(self, items: Collection[Item]) -> str:
        texts = ", ".join(item.text for item in items)
        return f"noqa: {texts}" if self.verb.startswith("noqa") else f"{self.verb}[{texts}]"


@dataclass(frozen=True, slots=True)
class Malformed:
    span: Span
    message: str
    help: str


def directives_in(comment: Comment) -> Iterator[Directive | Malformed]:
    """What a comment says to jaxlint, from left to right."""
    for start, end in _segments(comment.text):
        segment = comment.text[start:end].rstrip()
        if match := _JAXLINT.match(segment):
            yield _bracketed(comment, start, segment, match)
        elif match := _WITHOUT_COLON.match(segment):
            span = Span(
                comment.row, comment.column + start, comment.row, comment.column + start + len(segment)
            )
            yield Malformed(
                span, "`jaxlint` has no colon behind it, so it does nothing", f"# jaxlint: {match[1]}"
            )
        elif match := _NOQA.match(segment):
            column = comment.column + start
            items = tuple(_noqa_items(segment, match, column))
            verb: Verb = "noqa" if match["tool"] is None else "noqa-file"
            if (items or match["codes"] is None) and (verb == "noqa" or comment.is_alone):
                yield Directive(verb, comment, items, column, column + len(segment))


def named_in_comment(source: Source, row: int, column: int) -> tuple[str, Span] | None:
    """The code or name that a comment has at a place of a text, and where it stands."""
    if "#" not in source.line(row):
        return None
    for comment in read_layout(source.text).comments:
        for directive in directives_in(comment) if comment.row == row else ():
            if isinstance(directive, Malformed):
                continue
            for item in directive.items:
                if item.column <= column <= item.end:
                    return item.text, directive.span_of(item)
    return None


def _segments(text: str) -> list[tuple[int, int]]:
    starts = [match.start() for match in _SEGMENT.finditer(text)]
    return list(zip(starts, [*starts[1:], len(text)], strict=False))


def _bracketed(comment: Comment, start: int, segment: str, jaxlint: re.Match[str]) -> Directive | Malformed:
    column = comment.column + start
    span = Span(comment.row, column, comment.row, column + len(segment))
    body = jaxlint["body"]
    match = _BRACKETED.match(body)
    if match is None:
        verb = _VERB.match(body)
        if verb is None:
            word = re.match(r"[^\s\[]*", body)
            shown = word[0][:40] if word is not None else ""
            message = f"`jaxlint: {shown}` is no comment that jaxlint knows"
            return Malformed(span, message, "ignore[...], ignore-file[...], disable[...] or enable[...]")
        message = f"`{verb[1]}` names no code in brackets, so it does nothing"
        return Malformed(span, message, _NO_BLANKET.format(verb[1]))
    verb_name = match["verb"]
    items_at = column + jaxlint.start("body") + match.start("items")
    items = tuple(
        Item(piece.group(), items_at + piece.start())
        for piece in re.finditer(r"[^\s,][^,]*(?<![\s,])", match["items"])
    )
    if not items:
        message = f"`{verb_name}[]` names no code, so it does nothing"
        return Malformed(span, message, _NO_BLANKET.format(verb_name))
    if not _REASON.fullmatch(match["rest"]):
        message = f"text after `{verb_name}[...]` is no reason without ` -- ` before it"
        return Malformed(span, message, f"# jaxlint: {verb_name}[{match['items']}] -- the reason")
    return Directive(cast(Verb, verb_name), comment, items, column, column + len(segment))


def _noqa_items(segment: str, noqa: re.Match[str], column: int) -> Iterator[Item]:
    if noqa["codes"] is None:
        return
    position = noqa.end()
    while match := _NOQA_ITEM.match(segment, position):
        yield Item(match["item"], column + match.start("item"))
        position = match.end()


def without_items(source: Source, directive: Directive, items: Collection[Item]) -> Edit:
    """The edit that takes `items` out; the directive goes, and its row or comment, where none is left."""
    kept = [item for item in directive.items if item not in items]
    row = directive.row
    if kept:
        first, last = directive.items[0], directive.items[-1]
        return Edit(Span(row, first.column, row, last.end), ", ".join(item.text for item in kept))
    comment = directive.comment
    line = source.line(row)
    starts = comment.column
    segments = _segments(comment.text)
    after = [starts + start for start, _ in segments if starts + start > directive.column]
    if after:
        return Edit(Span(row, directive.column, row, after[0]), "")
    before = line[: directive.column - 1].rstrip()
    if before:
        return Edit(Span(row, len(before) + 1, row, len(line) + 1), "")
    if row < source.row_count:
        return Edit(Span(row, 1, row + 1, 1), "")
    return Edit(Span(row, 1, row, len(line) + 1), "")


def with_codes(
    source: Source, row: int, comment: Comment | None, codes: Collection[str], reason: str = ""
) -> Edit | None:
    """The edit that adds `codes` to the ignore at the end of a row, or adds one; None if all are there.

    The comment gets the reason, unless it has one already.
    """
    because = f" -- {reason}" if reason else ""
    if comment is not None:
        for directive in directives_in(comment):
            if isinstance(directive, Directive) and directive.verb == "ignore":
                named = {item.text for item in directive.items}
                new = sorted(code for code in codes if code not in named)
                start = directive.items[-1].end
                bracket, end, reason_there = source.line(row)[start - 1 : directive.end - 1].partition("]")
                if reason_there.strip():
                    because = ""
                added = "".join(f", {code}" for code in new) + bracket + end + because
                place = Span(row, start, row, start + len(bracket + end))
                return Edit(place, added) if new else None
    line = source.line(row)
    start = len(line.rstrip()) + 1
    ignore = f"  # jaxlint: ignore[{', '.join(sorted(codes))}]{because}"
    return Edit(Span(row, start, row, len(line) + 1), ignore)


def with_noqa(
    source: Source, row: int, comment: Comment | None, codes: Collection[str], reason: str = ""
) -> Edit | None:
    """As `with_codes`, with `# noqa: CODE`, which flake8 and Ruff read too."""
    directives = [] if comment is None else list(directives_in(comment))
    for directive in directives:
        if isinstance(directive, Directive) and directive.verb == "noqa" and directive.items:
            named = {item.text.upper() for item in directive.items}
            added = "".join(f", {code}" for code in sorted(codes) if code not in named)
            end = directive.items[-1].end
            return Edit(Span(row, end, row, end), added) if added else None
    line = source.line(row)
    because = f" -- {reason}" if reason else ""
    noqa = f"  # noqa: {', '.join(sorted(codes))}{because}"
    return Edit(Span(row, len(line.rstrip()) + 1, row, len(line) + 1), noqa)


def is_reason(text: str) -> bool:
    """Whether a text can be the reason of a comment: not where a part of it is read as another directive."""
    start = "# jaxlint: ignore[JAX001]"
    read = list(directives_in(Comment(1, 1, f"{start} -- {text}", True)))
    return len(read) == 1 and isinstance(read[0], Directive)
