"""A page in Markdown, for the summary of a CI job: how many findings of each rule, and a table of them.

Text of the linted files stands in it as code, or with what Markdown and HTML would read escaped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from jaxlint.cli.formats.context import Context
from jaxlint.diagnostic import Diagnostic

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")
_CODE = re.compile(r"`([^`]+)`")


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    if not diagnostics:
        return "## jaxlint\n\nAll checks passed.\n"
    number = len(diagnostics)
    rows = ["## jaxlint", "", f"{number} {'finding' if number == 1 else 'findings'}", ""]
    rows += ["| rule | findings | fixable |", "| --- | ---: | ---: |"]
    counts = Counter(each.code for each in diagnostics)
    fixable = Counter(each.code for each in diagnostics if context.is_fixable(each))
    shown = {each.code: _rule(each) for each in diagnostics}
    for code, count in sorted(counts.items(), key=lambda row: (-row[1], row[0])):
        rows.append(f"| {shown[code]} | {count} | {fixable[code]} |")
    rows += ["", "| place | rule | what |", "| --- | --- | --- |"]
    for each in diagnostics:
        rule = f"{each.severity.value} {shown[each.code]}"
        rows.append(f"| {_code(context.place(each))} | {rule} | {_message(each.message)} |")
    return "\n".join(rows) + "\n"


def _rule(diagnostic: Diagnostic) -> str:
    name = f"{_escaped(diagnostic.code)} {_escaped(diagnostic.name)}"
    return name if diagnostic.url is None else f"[{name}]({diagnostic.url})"


def _message(text: str) -> str:
    """A message, what it quotes as code."""
    parts = _CODE.split(text)
    return "".join(_code(part) if number % 2 else _escaped(part) for number, part in enumerate(parts))


def _code(text: str) -> str:
    return "`" + text.replace("`", "'").replace("|", "\\|") + "`"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
