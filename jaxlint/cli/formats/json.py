"""A list of objects, the keys as Ruff's; only ASCII, so that no stream's encoding can refuse it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from jaxlint.cli.formats.context import Context
from jaxlint.diagnostic import Diagnostic


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    return json.dumps([diagnostic.to_json() for diagnostic in diagnostics], indent=2) + "\n"
