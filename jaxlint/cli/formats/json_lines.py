"""One JSON object a line, each as in the format `json`."""

from __future__ import annotations

import json
from collections.abc import Sequence

from jaxlint.cli.formats.context import Context
from jaxlint.diagnostic import Diagnostic


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    return "".join(json.dumps(diagnostic.to_json()) + "\n" for diagnostic in diagnostics)
