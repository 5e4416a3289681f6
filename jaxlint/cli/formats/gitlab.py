"""GitLab's code quality report.

The fingerprint, by which GitLab tells new problems from old ones, is made of the path, the code and the text
of the source row, so that it outlives rows added above.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from jaxlint.cli.formats.context import Context, cell_of, span_in_file
from jaxlint.cli.formats.fingerprint import fingerprints
from jaxlint.diagnostic import Diagnostic, Severity

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    issues = []
    for found, fingerprint in zip(diagnostics, fingerprints(diagnostics, context), strict=True):
        span = span_in_file(found)
        issues.append(
            {
                "check_name": found.code,
                "description": f"{found.code}: {cell_of(found)}{found.message}",
                "severity": _SEVERITIES[found.severity],
                "fingerprint": fingerprint,
                "location": {
                    "path": context.posix_path(found.filename),
                    "positions": {
                        "begin": {"line": span.row, "column": span.column},
                        "end": {"line": span.end_row, "column": span.end_column},
                    },
                },
            }
        )
    return json.dumps(issues, indent=2) + "\n"
