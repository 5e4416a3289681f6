"""A glob of the configuration, anchored to the folder of the file that states it.

In: a pattern and a folder. Out: whether a path matches. The dialect is Ruff's: a pattern matches a path's
last part or the whole path below its folder; `*` and `**` also run across slashes; `{a,b}` is a choice. It
never touches the disk.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from jaxlint.project.wildcards import character_class, starred

_STAR, _DEEP = "*", "**/"
_MOST_CHOICES = 1000


class GlobError(ValueError):
    """The pattern is not a glob; the text says why."""


@dataclass(frozen=True, slots=True)
class Glob:
    """`base` is absolute; the pattern may be, too. Without a base it is matched against last parts only."""

    pattern: str
    base: str = ""

    def __post_init__(self) -> None:
        _translated(self.pattern)

    def matches(self, path: str) -> bool:
        """Whether the absolute `path`, or its last part alone, matches."""
        part, whole = _compiled(self.pattern, self.base)
        path = _posix(path)
        return part.fullmatch(path.rpartition("/")[2]) is not None or whole.fullmatch(path) is not None

    def __str__(self) -> str:
        return self.pattern


@lru_cache(maxsize=1024)
def _compiled(pattern: str, base: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    pattern = _posix(pattern).rstrip("/") or pattern
    if os.path.isabs(pattern):
        return re.compile(r"(?!)"), re.compile(_translated(pattern), re.DOTALL)
    if not base:
        return re.compile(_translated(pattern), re.DOTALL), re.compile(r"(?!)")
    base = _posix(base)
    while pattern.startswith(("./", "../")):
        step, _, pattern = pattern.partition("/")
        base = base if step == "." else base.rpartition("/")[0]
    body = _translated(pattern)
    whole = re.escape(base.rstrip("/") + "/") + body
    return re.compile(body, re.DOTALL), re.compile(whole, re.DOTALL)


def _posix(path: str) -> str:
    return path if os.sep == "/" else path.replace(os.sep, "/")


@lru_cache(maxsize=1024)
def _translated(pattern: str) -> str:
    """The pattern as a regular expression.

    Raises:
        GlobError: a bracket or a brace is left open, or the braces give too many choices.
    """
    text = "|".join(_sequence(each) for each in _choices(pattern, _tokens(pattern)))
    text = f"(?:{text})"
    try:
        re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise GlobError(f"`{pattern}` is not a glob: {error}") from error
    return text


def _tokens(pattern: str) -> list[str]:
    """`*`, `**/`, `{`, `,` and `}` where they have their meaning, and regular expressions of one character,
    which are longer or in brackets."""
    out: list[str] = []
    depth = 0
    i = 0
    while i < len(pattern):
        char = pattern[i]
        i += 1
        if char == "*":
            start = i - 1
            while i < len(pattern) and pattern[i] == "*":
                i += 1
            opens = start == 0 or pattern[start - 1] == "/"
            if i - start > 1 and opens and pattern[i : i + 1] == "/":
                out.append(_DEEP)
                i += 1
            else:
                out.append(_STAR)
        elif char == "?":
            out.append("[^/]")
        elif char == "[":
            end = pattern.find("]", i + 2 if pattern[i : i + 1] in ("!", "^") else i + 1)
            if end < 0:
                raise GlobError(f"`{pattern}` is not a glob: `[` is not closed")
            out.append(character_class(pattern[i:end]))
            i = end + 1
        elif char == "{":
            depth += 1
            out.append(char)
        elif char == "}" and depth:
            depth -= 1
            out.append(char)
        elif char == "," and depth:
            out.append(char)
        elif char == "\\" and os.sep == "/" and i < len(pattern):
            out.append(f"[{_escaped(pattern[i])}]")
            i += 1
        else:
            out.append(f"[{_escaped(char)}]")
    if depth:
        raise GlobError(f"`{pattern}` is not a glob: a brace is not closed")
    return out


def _escaped(char: str) -> str:
    return re.escape(char) if char != "^" else r"\^"


def _choices(pattern: str, tokens: Sequence[str]) -> list[tuple[str, ...]]:
    """The sequences without braces that a sequence with braces stands for."""
    # of each open brace: what stands before it, and its finished choices
    outer: list[tuple[list[tuple[str, ...]], list[tuple[str, ...]]]] = []
    now: list[tuple[str, ...]] = [()]
    for token in tokens:
        if token == "{":
            outer.append((now, []))
            now = [()]
        elif token == ",":
            outer[-1][1].extend(now)
            now = [()]
        elif token == "}":
            before, made = outer.pop()
            if len(before) * len(made := [*made, *now]) > _MOST_CHOICES:
                raise GlobError(f"`{pattern}` is not a glob: its braces give over {_MOST_CHOICES} choices")
            now = [(*left, *right) for left in before for right in made]
        else:
            now = [(*each, token) for each in now]
    return now


def _sequence(tokens: Sequence[str]) -> str:
    pieces = [""]
    for token in tokens:
        if token == _STAR:
            pieces.append("")
        elif token == _DEEP:  # nothing, or folders
            pieces.append(r"(?:\A|(?<=/))")
        else:
            pieces[-1] += token
    return starred(pieces, ".")
