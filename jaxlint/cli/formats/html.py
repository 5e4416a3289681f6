"""One page that needs nothing else: how many findings of each rule and in each file, and the findings with
source frame, reasons, help and fix.

It can be read without its script. Whatever comes from the linted files is escaped, and the page's own policy
lets no other script or style in.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape

from jaxlint.cli.formats.change import hunks_of
from jaxlint.cli.formats.context import Context, by_file, ran_note
from jaxlint.cli.formats.frame import drawn, frame_of
from jaxlint.cli.formats.full import AROUND, BETWEEN, advice
from jaxlint.cli.formats.look import SCRIPT, STYLE
from jaxlint.diagnostic import Diagnostic, Severity

_CODE = re.compile(r"`([^`]+)`")
_ELEMENTS = {"-": "del", "+": "ins", " ": "span"}


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    files = by_file(diagnostics)
    switch = '<button id="theme" type="button" hidden>Dark</button>'
    parts = [*_head(), f"<header><h1>jaxlint</h1>{switch}</header>"]
    parts.append(f"<p>{_summary(diagnostics, len(files))}</p>")
    if diagnostics:
        parts += ['<div class="tables">', *_rules(diagnostics, context), *_files(files, context), "</div>"]
        parts += _form(diagnostics)
    number = 0
    for place, (filename, found) in enumerate(files, 1):
        path = _plain(context.path(filename))
        parts.append(f'<section class="file" data-path="{path}">')
        parts.append(f'<h2 class="path" id="file-{place}">{path}</h2>')
        for diagnostic in found:
            number += 1
            parts += _article(diagnostic, number, context)
        parts.append("</section>")
    version = f'<p class="faint">jaxlint {_plain(context.version)}</p>'
    return "\n".join([*parts, version, f"<script>{SCRIPT}</script>", "</body>\n</html>\n"])


def _head() -> Iterator[str]:
    policy = f"default-src 'none'; style-src '{_digest(STYLE)}'; script-src '{_digest(SCRIPT)}'; "
    policy += "base-uri 'none'; form-action 'none'"
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>jaxlint</title>'
    yield f"<style>{STYLE}</style>\n</head>\n<body>"


def _digest(text: str) -> str:
    """What a browser knows an element's text by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _summary(diagnostics: Sequence[Diagnostic], files: int) -> str:
    counts = Counter(found.severity for found in diagnostics)
    if not diagnostics:
        return "nothing found"
    grades = ", ".join(_counted(counts[grade], grade.value) for grade in Severity if counts[grade])
    return f"{grades} in {_counted(files, 'file')}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 or noun == "info" else f"{number} {noun}s"


def _rules(diagnostics: Sequence[Diagnostic], context: Context) -> Iterator[str]:
    """The table of the rules; each leads to its first finding."""
    counts = Counter(each.code for each in diagnostics)
    fixable = Counter(each.code for each in diagnostics if context.is_fixable(each))
    first = {each.code: (number, each) for number, each in reversed(list(enumerate(diagnostics, 1)))}
    yield '<div><h2>By rule</h2><table id="rules"><thead><tr><th>rule</th><th class="number">findings</th>'
    yield '<th class="number">fixable</th></tr></thead><tbody>'
    for code, count in sorted(counts.items(), key=lambda row: (-row[1], row[0])):
        number, found = first[code]
        yield (
            f'<tr class="{found.severity.value}"><td><a href="#finding-{number}">{_plain(code)}</a> '
            f'{_plain(found.name)}</td><td class="number">{count}</td>'
            f'<td class="number">{fixable[code]}</td></tr>'
        )
    yield "</tbody></table></div>"


def _files(files: Sequence[tuple[str, list[Diagnostic]]], context: Context) -> Iterator[str]:
    yield '<div><h2>By file</h2><table id="files"><thead><tr><th>file</th><th class="number">findings</th>'
    yield "</tr></thead><tbody>"
    rows = [(len(found), place, filename) for place, (filename, found) in enumerate(files, 1)]
    for count, place, filename in sorted(rows, key=lambda row: (-row[0], row[1])):
        name = f'<a href="#file-{place}">{_plain(context.path(filename))}</a>'
        yield f'<tr><td>{name}</td><td class="number">{count}</td></tr>'
    yield "</tbody></table></div>"


def _form(diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """The filter, which the script shows."""
    names = {each.code: each.name for each in diagnostics}
    rules = "".join(
        f'<option value="{_plain(code)}">{_plain(code)} {_plain(name)}</option>'
        for code, name in sorted(names.items())
    )
    there = {each.severity for each in diagnostics}
    grades = "".join(f"<option>{grade.value}</option>" for grade in Severity if grade in there)
    yield '<form hidden><input name="text" type="search" placeholder="Filter" aria-label="Text">'
    yield f'<select name="rule" aria-label="Rule"><option value="">all rules</option>{rules}</select>'
    yield '<select name="severity" aria-label="Severity"><option value="">all severities</option>'
    yield f"{grades}</select>"
    yield '<button type="reset">Reset</button> <output id="count" aria-live="polite"></output></form>'


def _article(found: Diagnostic, number: int, context: Context) -> Iterator[str]:
    place = context.place(found).removeprefix(context.path(found.filename) + ":")
    url = found.url if found.url and found.url.startswith(("https://", "http://")) else None
    code = f'<a href="{_plain(url)}">{_plain(found.code)}</a>' if url else _plain(found.code)
    grade = found.severity.value
    data = f'data-rule="{_plain(found.code)}" data-severity="{grade}"'
    yield f'<article class="{grade}" id="finding-{number}" {data}>'
    yield f'<p><span class="place">{place}</span> <b>{code}</b> {_plain(found.name)}</p>'
    yield f'<p><span class="severity">{grade}</span>: {_prose(found.message)}</p>'
    source = context.source(found.filename, found.cell)
    frame = None if source is None else frame_of(source, found.span)
    if frame is not None:
        label = f" {_plain(found.label)}" if found.label else ""
        yield f"<pre>{_plain(frame.text)}\n<mark>{frame.carets}{label}</mark></pre>"
    for note in found.related:
        yield f"<p>note: <code>{_plain(context.note_place(note))}</code>: {_prose(note.message)}</p>"
    ran = ran_note(found)
    if ran is not None:
        yield f"<p>note: {ran}</p>"
    for text in advice(found.help, found.fix):
        yield f"<p>help: {_prose(text)}</p>"
    yield from _fix(found, context)
    yield "</article>"


def _fix(found: Diagnostic, context: Context) -> Iterator[str]:
    """What the fix changes, as a diff."""
    source = context.source(found.filename, found.cell)
    hunks = []
    if source is not None and found.fix is not None:
        hunks = hunks_of(source, found.fix, AROUND, BETWEEN, found.cell)
    rows = []
    for hunk in hunks:
        rows.append(f'<span class="hunk">@@ row {hunk[0][0]} @@</span>')
        for _, sign, text in hunk:
            name = _ELEMENTS[sign]
            rows.append(f"<{name}>{sign} {_plain(drawn(text))}</{name}>")
    if rows:
        yield f'<pre class="fix">{"".join(rows)}</pre>'


def _plain(text: str) -> str:
    # A path may hold bytes that are no text; the page must still be UTF-8.
    return escape(text.encode("utf-8", "replace").decode("utf-8"))


def _prose(text: str) -> str:
    return _CODE.sub(r"<code>\1</code>", _plain(text))
