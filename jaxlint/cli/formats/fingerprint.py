"""What makes a diagnostic the same one after the file around it was edited.

In: diagnostics. Out: a hexadecimal digest for each. Numbers of rows and messages are left out: they change
too easily.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

from jaxlint.cli.formats.context import Context
from jaxlint.diagnostic import Diagnostic
from jaxlint.report.baseline import Page


def fingerprints(diagnostics: Sequence[Diagnostic], context: Context) -> list[str]:
    """Of path, code and the row's text without white space at the ends; equal ones are numbered in order."""
    seen: Counter[tuple[str, str, str]] = Counter()
    digests = []
    for found in diagnostics:
        source = context.source(found.filename, found.cell)
        line = source.line(found.span.row).strip() if source is not None else found.message
        key = context.posix_path(found.filename), found.code, line
        seen[key] += 1
        digests.append(_digest(*key, str(seen[key])))
    return digests


def partial_fingerprints(diagnostics: Sequence[Diagnostic], context: Context) -> list[str]:
    """Of code, enclosing function or class and the row's text with single spaces, as in a baseline, without
    the path: a file may get another name. Equal ones in a file are numbered in order."""
    seen: Counter[tuple[str, str, str, str]] = Counter()
    pages: dict[tuple[str, int | None], Page] = {}
    digests = []
    for found in diagnostics:
        place = found.filename, found.cell
        if place not in pages:
            source = context.source(*place)
            pages[place] = Page("" if source is None else source.text)
        row = found.span.row
        key = pages[place].scope(row), pages[place].line(row) or found.message
        seen[(found.filename, found.code, *key)] += 1
        digests.append(_digest(found.code, *key, str(seen[(found.filename, found.code, *key)])))
    return digests


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
