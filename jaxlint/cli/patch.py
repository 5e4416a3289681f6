"""Changes of files as a patch that `git apply` and `patch -p1` take.

In: the texts of a file before and after. Out: a unified diff in the bytes of the file: its encoding, mark and
newlines. The names are below `a/` and `b/`, relative to the working folder, and quoted as git quotes them.
Characters that steer a terminal are escaped, but for form feeds, which Python code has: a patch whose rows
have others is refused by git, and does no harm in a log.
"""

from __future__ import annotations

import codecs
import os
import re

from jaxlint.cli.neutral import neutral, neutral_change
from jaxlint.fixes.apply import unified_diff
from jaxlint.source.text import Source

_HEADER = re.compile(rb"--- [^\n]*\n\+\+\+ [^\n]*\n")


def patch(path: str, before: Source, after: str) -> bytes:
    """The change of one file; empty where nothing changed.

    Args:
        path: Relative to the folder in which the patch is applied.
    """
    # The mark is a part of the first row.
    mark = codecs.BOM_UTF8.decode() if before.bom else ""
    rows = unified_diff(mark + before.text, mark + after, "").split("\f")
    body = "\f".join(map(neutral_change, rows))
    data = body.encode(before.encoding, "backslashreplace")
    old, new = quoted(f"a/{path}"), quoted(f"b/{path}")
    return _HEADER.sub(lambda _: b"--- " + old + b"\n+++ " + new + b"\n", data, count=1)


def quoted(path: str) -> bytes:
    """The name of a file as git writes it in a patch: as it is, or in quotes with its odd bytes in octal."""
    path = path.replace(os.sep, "/")
    if neutral(path) == path and '"' not in path and "\\" not in path:
        # A tab ends a name that has spaces.
        return os.fsencode(path) + b"\t" * (" " in path)
    shown = "".join(
        chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\' else f"\\{byte:03o}"
        for byte in os.fsencode(path)
    )
    return b'"' + shown.encode("ascii") + b'"'
