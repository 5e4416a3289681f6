"""Text of a linted tree made fit for a terminal, a log or a page.

In: text that may hold names, code or messages of a tree. Out: the same with what would steer the reader
written as Python's escapes: control characters, line breaks, bidirectional controls, lone surrogates.
"""

from __future__ import annotations

import re

_STEERING = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff]"
)
# What a report may hold besides: line breaks, and the colours that jaxlint itself writes.
_REPORT = re.compile(f"\n|{_STEERING.pattern}")
_COLOURED = re.compile(rf"\n|\x1b\[[0-9;]*m|{_STEERING.pattern}")
_CHANGED = re.compile(f"\r?\n|\t|{_STEERING.pattern}")
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def neutral(text: str) -> str:
    """A text in one line."""
    return text if text.isascii() and text.isprintable() else _STEERING.sub(_escaped, text)


def neutral_lines(text: str) -> str:
    """A text whose line breaks are wanted."""
    return "\n".join(map(neutral, text.split("\n")))


def neutral_report(text: str, is_coloured: bool) -> str:
    """A report as a whole: nothing steers that no format means to."""
    return (_COLOURED if is_coloured else _REPORT).sub(_wanted, text)


def neutral_change(text: str) -> str:
    """A difference between texts, with their tabs and line ends."""
    return _CHANGED.sub(_wanted, text)


def _wanted(match: re.Match[str]) -> str:
    text = match[0]
    return text if len(text) > 1 or text in "\n\t" else _escaped(match)


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    code = ord(character)
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
