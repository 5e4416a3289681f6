"""What mkdocs does to the pages of rules and of folklore: what is recorded is drawn.

In: the Markdown of docs/rules/*.md, which is what `jaxlint rule` prints, and of docs/folklore.md. Out: the
same with charts beside the sentences, verdicts by version as a row of marks, and a card a statement in place
of the rows of a table. The files in the repository have no charts: elsewhere inline SVG is shown as text. The
one script that the theme would load from elsewhere is taken from docs/vendor.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from mkdocs.utils import get_relative_url
from parts.evidence import chart
from parts.rules import statements

from jaxlint.confirm.evidence import by_version, of_rule, shown
from jaxlint.confirm.sentence import sentence
from jaxlint.rule.registry import own_entries

SHIM, OWN_SHIM = "https://unpkg.com/iframe-worker/shim", "vendor/iframe-worker.js"

# At the link of the repository: has the theme's script ask GitHub for stars and releases.
_COUNTED = re.compile(r'(?<=\s)data-md-component="source"')

_SECTION = re.compile(r"(?<=\n## Evidence\n\n)(?:- [^\n]*\n)+")
_ROWS = re.compile(r"\| statement \| source \| verdict \| why \|\n\| --- .*\n((?:\| .*\n)+)")
_CELL = re.compile(r"(?<!\\) \| ")
_MARKS = {"confirmed": "✓", "refuted": "✗"}


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Called by mkdocs for each page.

    Raises:
        ValueError: a page says less of a rule than what is recorded.
    """
    path = page.file.src_uri
    if path == "folklore.md":
        return _ROWS.sub(lambda found: "\n\n".join(cards(found[1].splitlines())) + "\n", markdown)
    if not path.startswith("rules/"):
        return markdown
    title = re.match(r"# \S+ \((JAX\d{3})\)\n", markdown)
    if title is None:
        raise ValueError(f"{path} does not begin with a rule's name and code")
    text = f"{title[0]}\n[All rules](../rules.md)\n{markdown[title.end() :].rstrip()}\n"
    return _SECTION.sub(lambda found: drawn(title[1], found[0].splitlines()), text)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    return _COUNTED.sub("", output.replace(SHIM, get_relative_url(OWN_SHIM, page.url)))


def on_post_template(output: str, **_: Any) -> str:
    return _COUNTED.sub("", output.replace(SHIM, OWN_SHIM))


def cards(rows: list[str]) -> Iterator[str]:
    """A card for each row of the table of folklore."""
    names = {entry.code: entry.name for entry in own_entries()}
    for trial, row in zip(statements(), rows, strict=True):
        entry = trial.entry
        statement, source, verdict, why = (cell.replace("\\|", "|") for cell in _CELL.split(row[2:-2]))
        if statement != entry.statement:
            raise ValueError("docs/folklore.md is out of date: run `python docs/generate.py`")
        rule = f" · [{entry.rule}](rules/{names[entry.rule]}.md)" if entry.rule in names else ""
        yield f'<div class="said {verdict.partition(" ")[0]}" markdown>'
        yield f"**{statement}**"
        yield f"<b class=verdict>{verdict}</b> {why}"
        for each in trial.verdicts:
            if figure := chart(each):
                yield f'<figure class="evidence">{figure}</figure>'
                yield f"On {each.platform.upper()} {sentence(each)}."
        yield f"<small>{source}{rule}</small>\n\n</div>"


def drawn(code: str, lines: list[str]) -> str:
    """The lines of the section with their charts. Those of the verdicts come first, in the order recorded."""
    rows = list(of_rule(code))
    if len(lines) < len(rows):
        raise ValueError(f"the page of {code} has {len(lines)} lines of evidence for {len(rows)} verdicts")
    parts = []
    for row, line in zip(rows, lines, strict=False):
        beginning = shown(row).partition(" the ")[0].partition("`")[0]
        if not line.startswith(f"- {beginning}"):
            raise ValueError(f"the page of {code} is out of date: run `python docs/generate.py`")
        if figure := chart(row.verdict):
            parts.append(f'<figure class="evidence">{figure}</figure>')
        parts.append(line.removeprefix("- "))
    for line in lines[len(rows) :]:
        parts.append(_strip(code) if line.startswith("- Verdicts by version") else line.removeprefix("- "))
    return "\n\n".join(parts) + "\n"


def _strip(code: str) -> str:
    marks = "".join(
        f'<li class="{escape(verdict)}" title="JAX {version}: {escape(verdict)}">{version} '
        f"<b>{_MARKS.get(verdict, '–')}</b></li>"
        for version, verdict in by_version(code).items()
    )
    return (
        f'<div class="versions"><p>Verdicts by version of JAX (✓ confirmed, ✗ refuted, – not run):</p>'
        f"<ul>{marks}</ul></div>"
    )
