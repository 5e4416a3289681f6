"""What .gitignore files leave out.

In: a folder. Out: `GitIgnore`, the rules in force there, which grows by a folder's own file on the way down.
The innermost file that says something about a path decides, and in it the last row, as in git. Matching takes
no longer than a path times a pattern.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jaxlint.project.folders import upwards
from jaxlint.project.wildcards import starred
from jaxlint.source.regular_files import SETTINGS, read_regular

_DEEP = "**"  # any number of folders
_Part = str | re.Pattern[str]
_CLASSES = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "blank": r" \t", "cntrl": r"\x00-\x1f\x7f", "digit": "0-9",
    "graph": r"!-~", "lower": "a-z", "print": r" -~", "punct": r"!-/:-@\[-`{-~", "space": r"\s",
    "upper": "A-Z", "xdigit": "0-9A-Fa-f",
}  # fmt: skip


_DEEPS = re.compile(r"\*{2,}")
_NAMED = re.compile(r"\[:([^\]]*):\]")


@dataclass(frozen=True, slots=True)
class GitIgnore:
    """The rules of files with the folders that they are relative to, outermost first."""

    files: tuple[tuple[str, Rules], ...] = ()

    @classmethod
    def above(cls, folder: str) -> GitIgnore:
        """The rules that the folders above give, up to the top of the repository.

        A file that leaves out `folder` itself has no say: the folder was asked for.
        """
        found: list[tuple[str, Rules]] = []
        for parent in _up_to_repository(folder):
            if parent != folder:
                found[:0] = _read(parent, ".gitignore")
            found[:0] = _read(parent, os.path.join(".git", "info", "exclude"))
        steps = list(upwards(folder))
        return cls(tuple(row for row in found if not any(cls((row,)).ignores(step, True) for step in steps)))

    def below(self, folder: str) -> GitIgnore:
        """These rules with those of the folder's own file."""
        own = _read(folder, ".gitignore")
        return GitIgnore((*self.files, *own)) if own else self

    def ignores(self, path: str, is_folder: bool) -> bool:
        """Whether a path is left out, whose folder is not."""
        for base, rules in reversed(self.files):
            start = base.rstrip(os.sep) + os.sep
            if path.startswith(start):
                names = path[len(start) :].replace(os.sep, "/")
                if not names.isascii():
                    names = os.fsencode(names).decode("latin-1")
                said = rules.say(names.split("/"), is_folder)
                if said is not None:
                    return said
        return False


@dataclass(frozen=True, slots=True)
class _Rule:
    """One row. `parts` are of the whole path below the file's folder, or the path's last part alone."""

    parts: tuple[_Part, ...]
    is_whole: bool
    is_for_folders: bool
    ignores: bool

    def matches(self, path: Sequence[str], is_folder: bool) -> bool:
        if self.is_for_folders and not is_folder:
            return False
        return _match(path if self.is_whole else path[-1:], self.parts)


class Rules:
    """The rules of one file. Plain names, which most rows are, are looked up. A character is a byte, as in
    git."""

    def __init__(self, rows: Iterable[str]) -> None:
        self._rules = [rule for row in rows if (rule := _rule(row)) is not None]
        self._named: dict[str, list[int]] = {}  # the numbers of the rules, last first
        self._others: list[int] = []
        for number in reversed(range(len(self._rules))):
            rule = self._rules[number]
            if not rule.is_whole and isinstance(rule.parts[0], str):
                self._named.setdefault(rule.parts[0], []).append(number)
            else:
                self._others.append(number)

    def __bool__(self) -> bool:
        return bool(self._rules)

    def say(self, path: Sequence[str], is_folder: bool) -> bool | None:
        """Whether the last rule that matches leaves a path out; None where none matches."""
        last = -1
        for number in self._named.get(path[-1], ()):
            if is_folder or not self._rules[number].is_for_folders:
                last = number
                break
        for number in self._others:
            if number < last:
                break
            if self._rules[number].matches(path, is_folder):
                last = number
                break
        return self._rules[last].ignores if last >= 0 else None


def _match(path: Sequence[str], parts: Sequence[_Part]) -> bool:
    """Whether the names on a path match the parts of a pattern.

    After `**` as little as can be is passed over: behind the next `**` that makes no difference.
    """
    at = number = 0
    again: tuple[int, int] | None = None  # where to go on after the last `**`: in the path, in the pattern
    while at < len(path):
        part = parts[number] if number < len(parts) else None
        if part == _DEEP:
            again = at, number + 1
            number += 1
        elif part is not None and _is_match(path[at], part):
            at += 1
            number += 1
        elif again is not None:
            again = again[0] + 1, again[1]
            at, number = again
        else:
            return False
    return all(part == _DEEP for part in parts[number:])


def _is_match(name: str, part: _Part) -> bool:
    return name == part if isinstance(part, str) else part.fullmatch(name) is not None


def _rule(row: str) -> _Rule | None:
    """What a row says; None for a comment, an empty row and what git passes over."""
    row = row.removesuffix("\r")
    if row.startswith("#"):
        return None
    row = re.sub(r"(?<!\\)((?:\\\\)*)(\\ )? *\Z", r"\1\2", row) if row.endswith(" ") else row
    ignores = not row.startswith("!")
    row = row.removeprefix("!")
    is_for_folders = row.endswith("/")
    row = row[:-1] if is_for_folders else row
    if row in ("", "/"):
        return None
    is_whole = "/" in row
    try:
        names = _names(row.removeprefix("/"))
        if is_whole and _DEEPS.fullmatch(names[-1]):
            names.append("*")  # all that is below, and not the folder itself
        parts = tuple([_DEEP if is_whole and _DEEPS.fullmatch(name) else _part(name) for name in names])
    except ValueError:
        return None
    return _Rule(parts, is_whole, is_for_folders, ignores)


def _names(text: str) -> list[str]:
    """The text parted at its slashes, those in brackets left alone.

    Raises:
        ValueError: a bracket is left open.
    """
    names = [""]
    i = 0
    while i < len(text):
        start = i
        if text[i] == "[":
            i = _class(text, i + 1)[1]
        else:
            i += 2 if text[i] == "\\" and text[i + 1 : i + 2] != "/" else 1
        if text[start:i] == "/":
            names[-1] = names[-1].removesuffix("\\")
            names.append("")
        else:
            names[-1] += text[start:i]
    return names


def _part(text: str) -> _Part:
    """A name without wildcards as it is, any other as a regular expression.

    Raises:
        ValueError: a bracket is left open, or a backslash ends the text.
    """
    if not re.search(r"[*?\[\\]", text):
        return text
    pieces = [""]
    i = 0
    while i < len(text):
        char = text[i]
        i += 1
        if char == "*":
            if text[i - 2 : i - 1] != "*" or i == 1 or pieces[-1]:
                pieces.append("")
        elif char == "?":
            pieces[-1] += "."
        elif char == "[":
            piece, i = _class(text, i)
            pieces[-1] += piece
        else:
            if char == "\\":
                if i == len(text):
                    raise ValueError(text)
                char = text[i]
                i += 1
            pieces[-1] += re.escape(char)
    return re.compile(starred(pieces, "."), re.DOTALL)


def _class(text: str, i: int) -> tuple[str, int]:
    """The class of characters whose bracket is open, and where it ends."""
    negated = text[i : i + 1] in ("!", "^")
    start = i = i + negated
    body = ""
    while i == start or text[i : i + 1] != "]":
        named = _NAMED.match(text, i)
        if named is not None:
            if named[1] not in _CLASSES:
                raise ValueError(text)
            body += _CLASSES[named[1]]
            i = named.end()
            continue
        low, i = _character(text, i)
        high = low
        if text[i : i + 1] == "-" and text[i + 1 : i + 2] not in ("]", ""):
            high, i = _character(text, i + 1)
        # Of a range that ends before it starts git takes the start.
        body += f"{re.escape(low)}-{re.escape(high)}" if high >= low else re.escape(low)
    i += 1
    if not body:
        return ("." if negated else "(?!)"), i
    return f"[{'^' * negated}{body}]", i


def _character(text: str, i: int) -> tuple[str, int]:
    if text[i : i + 1] == "\\":
        i += 1
    if i >= len(text):
        raise ValueError(text)
    return text[i], i + 1


def _up_to_repository(folder: str) -> list[str]:
    """The folder and those above it, up to the one that holds .git; only itself where none does."""
    passed: list[str] = []
    for step in upwards(folder):
        passed.append(step)
        if os.path.exists(os.path.join(step, ".git")):
            return passed
    return [folder]


def _read(folder: str, name: str) -> list[tuple[str, Rules]]:
    try:
        data = read_regular(os.path.join(folder, name), SETTINGS)
    except OSError:
        return []
    rules = Rules(data.removeprefix(codecs.BOM_UTF8).decode("latin-1").split("\n"))
    return [(folder, rules)] if rules else []
