"""One page that needs nothing else: the diagnostics by file, each with its source frame, reasons and help."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape

from jaxlint.cli.formats.context import Context, by_file
from jaxlint.cli.formats.frame import frame_of
from jaxlint.diagnostic import Diagnostic

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
h2 { font: bold 1rem ui-monospace, monospace; margin: 2rem 0 .5rem; }
article { border-left: 4px solid gray; margin: 1rem 0; padding: .1rem 1rem; }
article.error { border-color: #c62828; } article.warning { border-color: #ef9a00; }
article.info { border-color: #1565c0; }
pre { overflow-x: auto; padding: .5rem; background: #8881; }
pre, code { font-family: ui-monospace, monospace; }
p { margin: .4rem 0; } .place { opacity: .7; } mark { background: none; color: #c62828; font-weight: bold; }
"""
_CODE = re.compile(r"`([^`]+)`")


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    counts = Counter(found.severity.value for found in diagnostics)
    summary = ", ".join(f"{counts[name]} {name}" for name in ("error", "warning", "info") if counts[name])
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>jaxlint</title>',
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>jaxlint</h1>",
        f"<p>{summary or 'nothing found'}</p>",
    ]
    for filename, found in by_file(diagnostics):
        parts.append(f"<section>\n<h2>{_plain(context.path(filename))}</h2>")
        for diagnostic in found:
            parts += _article(diagnostic, context)
        parts.append("</section>")
    return "\n".join([*parts, "</body>\n</html>\n"])


def _article(found: Diagnostic, context: Context) -> Iterator[str]:
    place = context.place(found).removeprefix(context.path(found.filename) + ":")
    url = found.url if found.url and found.url.startswith(("https://", "http://")) else None
    code = f'<a href="{escape(url)}">{_plain(found.code)}</a>' if url else _plain(found.code)
    yield f'<article class="{found.severity.value}">'
    yield f'<p><span class="place">{place}</span> <b>{code}</b> {_plain(found.name)}</p>'
    yield f"<p>{found.severity.value}: {_prose(found.message)}</p>"
    source = context.source(found.filename, found.cell)
    frame = None if source is None else frame_of(source, found.span)
    if frame is not None:
        label = f" {_plain(found.label)}" if found.label else ""
        yield f"<pre>{_plain(frame.text)}\n<mark>{frame.carets}{label}</mark></pre>"
    for note in found.related:
        yield f"<p>note: <code>{_plain(context.note_place(note))}</code>: {_prose(note.message)}</p>"
    if found.help is not None:
        yield f"<p>help: {_prose(found.help)}</p>"
    yield "</article>"


def _plain(text: str) -> str:
    # A path may hold bytes that are no text; the page must still be UTF-8.
    return escape(text.encode("utf-8", "replace").decode("utf-8"))


def _prose(text: str) -> str:
    return _CODE.sub(r"<code>\1</code>", _plain(text))
