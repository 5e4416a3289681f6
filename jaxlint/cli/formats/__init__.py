"""The output formats by name; a format's module is imported when it is asked for.

In: diagnostics and a `Context`. Out: the whole report as text, empty or ending with a newline. A format knows
nothing of settings, exit status or streams. What names and code of the linted tree could do to a reader is
seen to here, so that no format can forget it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from typing import TypeAlias, cast

from jaxlint.cli.formats.context import Context
from jaxlint.cli.neutral import neutral, neutral_lines, neutral_report
from jaxlint.diagnostic import Diagnostic
from jaxlint.failure import Failure

__all__ = ["EXACT", "FORMATS", "Context", "Renderer", "format_named", "render", "showable"]

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
    "azure": "azure",
    "pylint": "pylint",
    "checkstyle": "checkstyle",
    "markdown": "markdown",
}


EXACT = frozenset(("json", "json-lines", "gitlab", "sarif", "rdjson"))
"""The formats that are JSON: names stay what they are, and are escaped as JSON escapes."""


UTF_8 = frozenset(("junit", "checkstyle", "html"))
"""The formats that say of themselves that they are UTF-8."""


def format_named(name: str) -> Renderer:
    """The `render` of a format.

    Raises:
        KeyError: there is no format of that name.
    """
    return cast(Renderer, import_module(f"{__name__}.{FORMATS[name]}").render)


def render(name: str, diagnostics: Sequence[Diagnostic], context: Context) -> str:
    """The report in the format `name`, the diagnostics in their own order."""
    found = sorted(diagnostics, key=Diagnostic.sort_key)
    if name in EXACT:
        return format_named(name)(found, context)
    text = format_named(name)([_neutral(each) for each in found], _neutral_context(found, context))
    return neutral_report(text, context.colour)


def showable(name: str, diagnostics: Sequence[Diagnostic], context: Context) -> list[Diagnostic]:
    """The diagnostics that the format can show, and internal errors in place of the others."""
    shown = []
    for each in diagnostics:
        try:
            render(name, [each], context)
        except Exception as error:
            failure = Failure.of(error, each.filename)
            each = failure.diagnostic(each.span, f"jaxlint failed to show {each.code}: {failure.what}")
        shown.append(each)
    return shown


def _neutral(found: Diagnostic) -> Diagnostic:
    fix = found.fix
    return replace(
        found,
        filename=neutral(found.filename),
        code=neutral(found.code),
        name=neutral(found.name),
        message=neutral(found.message),
        help=None if found.help is None else neutral_lines(found.help),
        fix=None if fix is None else replace(fix, message=neutral_lines(fix.message)),
        related=tuple(
            [
                replace(each, filename=neutral(each.filename), message=neutral(each.message))
                for each in found.related
            ]
        ),
        label=None if found.label is None else neutral(found.label),
        url=None if found.url is None else neutral(found.url),
    )


def _neutral_context(found: Sequence[Diagnostic], context: Context) -> Context:
    """The context in which texts are known under the names that are shown."""
    names: dict[str, str | None] = {}
    for filename in {each.filename for each in found}:
        shown = neutral(filename)
        names[shown] = None if shown in names else filename  # of two that look alike neither is meant

    def text_of(filename: str, cell: int | None) -> str | None:
        name = names.get(filename, filename)
        return None if name is None else context.text_of(name, cell)

    return replace(context, cwd=neutral(context.cwd), text_of=text_of, _sources={})
