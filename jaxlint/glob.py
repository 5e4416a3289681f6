"""A glob of the configuration, anchored to the folder of the file that states it.

In: a pattern and a folder. Out: whether a path matches. The dialect is Ruff's: a pattern matches a path's
last part or the whole path below its folder; `*` and `**` also run across slashes; `{a,b}` is a choice. It
never touches the disk.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache


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


def _translated(pattern: str) -> str:
    """The pattern as a regular expression.

    Raises:
        GlobError: a bracket or a brace is left open.
    """
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
                out.append("(?:.*/)?")
                i += 1
            else:
                out.append(".*")
        elif char == "?":
            out.append("[^/]")
        elif char == "[":
            end = pattern.find("]", i + 2 if pattern[i : i + 1] in ("!", "^") else i + 1)
            if end < 0:
                raise GlobError(f"`{pattern}` is not a glob: `[` is not closed")
            body = re.sub(r"([\\\[&~|])", r"\\\1", pattern[i:end])
            negated = body.startswith(("!", "^"))
            out.append(f"[^{body[1:]}]" if negated else f"[{body}]")
            i = end + 1
        elif char == "{":
            depth += 1
            out.append("(?:")
        elif char == "}" and depth:
            depth -= 1
            out.append(")")
        elif char == "," and depth:
            out.append("|")
        elif char == "\\" and os.sep == "/" and i < len(pattern):
            out.append(re.escape(pattern[i]))
            i += 1
        else:
            out.append(re.escape(char))
    if depth:
        raise GlobError(f"`{pattern}` is not a glob: a brace is not closed")
    text = "".join(out)
    try:
        re.compile(text)
    except re.error as error:
        raise GlobError(f"`{pattern}` is not a glob: {error}") from error
    return text
