"""GitHub's workflow commands: each diagnostic becomes an annotation on its lines.

GitHub reads `%`, newlines and, in properties, `:` and `,` as its own; they are escaped as its toolkit does.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.cli.formats.context import Context, span_in_file
from jaxlint.diagnostic import Diagnostic, Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_DATA = {ord("%"): "%25", ord("\r"): "%0D", ord("\n"): "%0A"}
_PROPERTY = _DATA | {ord(":"): "%3A", ord(","): "%2C"}


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    return "".join(_command(diagnostic, context) + "\n" for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic, context: Context) -> str:
    span = span_in_file(diagnostic)
    properties = {
        "file": context.posix_path(diagnostic.filename),
        "line": span.row,
        "col": span.column,
        "endLine": span.end_row,
        "endColumn": span.end_column,
        "title": f"jaxlint ({diagnostic.code})",
    }
    shown = ",".join(f"{key}={str(value).translate(_PROPERTY)}" for key, value in properties.items())
    message = f"{context.place(diagnostic)}: {diagnostic.code} {diagnostic.message}"
    if diagnostic.help is not None:
        message += f"\n  help: {diagnostic.help}"
    return f"::{_COMMANDS[diagnostic.severity]} {shown}::{message.translate(_DATA)}"
