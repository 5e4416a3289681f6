"""Azure Pipelines' logging commands: each diagnostic becomes an issue of the build, at its line.

The agent reads `;`, `]`, `%` and newlines as its own; they are escaped as it asks for. It knows no level
below a warning.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.cli.formats.context import Context, cell_of, span_in_file
from jaxlint.diagnostic import Diagnostic, Severity

_DATA = {ord("%"): "%AZP25", ord("\r"): "%0D", ord("\n"): "%0A"}
_PROPERTY = _DATA | {ord(";"): "%3B", ord("]"): "%5D"}


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    return "".join(_command(diagnostic, context) + "\n" for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic, context: Context) -> str:
    span = span_in_file(diagnostic)
    properties = {
        "type": "error" if diagnostic.severity is Severity.ERROR else "warning",
        "sourcepath": context.posix_path(diagnostic.filename),
        "linenumber": span.row,
        "columnnumber": span.column,
        "code": diagnostic.code,
    }
    shown = "".join(f"{key}={str(value).translate(_PROPERTY)};" for key, value in properties.items())
    return f"##vso[task.logissue {shown}]{(cell_of(diagnostic) + diagnostic.message).translate(_DATA)}"
