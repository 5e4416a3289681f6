"""The output formats by name; a format's module is imported when it is asked for.

In: diagnostics and a `Context`. Out: the whole report as text, empty or ending with a newline. A format knows
nothing of settings, exit status or streams.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TypeAlias, cast

from jaxlint.cli.formats.context import Context
from jaxlint.diagnostic import Diagnostic

__all__ = ["FORMATS", "Context", "Renderer", "format_named", "render"]

Renderer: TypeAlias = Callable[[Sequence[Diagnostic], Context], str]

# In the order in which help shows them: the module of each, below this package.
FORMATS = {
    "full": "full",
    "concise": "concise",
    "grouped": "grouped",
    "json": "json",
    "json-lines": "json_lines",
    "github": "github",
    "gitlab": "gitlab",
    "sarif": "sarif",
    "junit": "junit",
    "rdjson": "rdjson",
    "html": "html",
}


def format_named(name: str) -> Renderer:
    """The `render` of a format.

    Raises:
        KeyError: there is no format of that name.
    """
    return cast(Renderer, import_module(f"{__name__}.{FORMATS[name]}").render)


def render(name: str, diagnostics: Sequence[Diagnostic], context: Context) -> str:
    """The report in the format `name`, the diagnostics in their own order."""
    return format_named(name)(sorted(diagnostics, key=Diagnostic.sort_key), context)
