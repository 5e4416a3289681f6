"""Changes of files as a patch that `git apply` and `patch -p1` take.

In: the texts of a file before and after. Out: a unified diff in the bytes of the file: its encoding, mark and
newlines. The names are below `a/` and `b/`, relative to the working folder, and quoted as git quotes them.
"""

from __future__ import annotations

import difflib
import os

from jaxlint.cli.neutral import neutral


def patch(path: str, before: bytes, after: bytes) -> bytes:
    """The change of one file; empty where nothing changed.

    Args:
        path: Relative to the folder in which the patch is applied.
    """
    old, new = quoted(f"a/{path}"), quoted(f"b/{path}")
    rows = difflib.diff_bytes(difflib.unified_diff, _rows(before), _rows(after), old, new)
    return b"".join(row if row.endswith(b"\n") else row + b"\n\\ No newline at end of file\n" for row in rows)


def _rows(data: bytes) -> list[bytes]:
    """The rows as git reads them."""
    rows = [row + b"\n" for row in data.split(b"\n")]
    last = rows.pop().removesuffix(b"\n")
    return [*rows, last] if last else rows


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
