"""What makes a diagnostic the same one after the file around it was edited.

In: diagnostics. Out: a hexadecimal digest for each, of its path, code and row's text without white space
at the ends; equal ones are numbered in order. Rows and messages are left out: they change too easily.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

from jaxlint.cli.formats.context import Context
from jaxlint.diagnostic import Diagnostic


def fingerprints(diagnostics: Sequence[Diagnostic], context: Context) -> list[str]:
    seen: Counter[tuple[str, str, str]] = Counter()
    digests = []
    for found in diagnostics:
        source = context.source(found.filename, found.cell)
        line = source.line(found.span.row).strip() if source is not None else found.message
        key = context.posix_path(found.filename), found.code, line
        seen[key] += 1
        data = "\0".join((*key, str(seen[key]))).encode("utf-8", "surrogatepass")
        digests.append(hashlib.sha256(data).hexdigest())
    return digests
