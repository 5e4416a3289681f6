"""Comments that hide findings, and what is wrong with them.

In: a file's text and its diagnostics. Out: the diagnostics that no comment hides, and those about the
comments themselves: JAX011 unused-ignore, JAX012 unknown-code, JAX013 malformed-ignore. Also the row where an
ignore would go, and the text with ignores added. Knows nothing of how findings were made, nor of rules beyond
the codes and names it is given.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from jaxlint.diagnostic import Diagnostic, Edit, Fix, Severity, Span
from jaxlint.report.ignores import (
    Directive,
    Item,
    Malformed,
    directives_in,
    with_codes,
    with_noqa,
    without_items,
)
from jaxlint.source.comments import Layout, read_layout
from jaxlint.source.text import Source

UNUSED, UNKNOWN, MALFORMED = "JAX011", "JAX012", "JAX013"
NAMES = {UNUSED: "unused-ignore", UNKNOWN: "unknown-code", MALFORMED: "malformed-ignore"}

# The tool's own failures: no comment hides them, and a file that has one was not analyzed to its end.
FAILURES = frozenset(("JAX001", "JAX002", "JAX003"))

# What speaks of other linters' codes only says nothing to this one, and the file need not be tokenized.
_FOREIGN = r"(?!JAX)[A-Z]+\d+\b"
_MENTIONED = re.compile(
    r"jaxlint\s*:|jaxlint\s+(?:ignore|disable|enable)"
    rf"|noqa(?!\s*:\s*{_FOREIGN}(?:[\s,]+{_FOREIGN})*[ \t]*(?:[\r\n#]|$))",
    re.IGNORECASE,
)
_OWN_CODE = re.compile(r"JAX\d{3}")
_LAST_ROW = 1 << 60


def apply(
    source: str,
    diagnostics: Sequence[Diagnostic],
    *,
    filename: str,
    known_codes: Mapping[str, str],
    enabled_codes: Collection[str],
    whole_project: bool,
    honour: bool = True,
) -> list[Diagnostic]:
    """What is left of one file's diagnostics, in order, with JAX011 to JAX013 added.

    Args:
        source: the text that the diagnostics' rows refer to.
        known_codes: each code there is and its name.
        enabled_codes: the codes that are on for this file; others are never called unused, and of JAX011 to
            JAX013 only those in it are reported.
        whole_project: whether all that can cause a finding here was analyzed; if not, nothing is unused.
        honour: False leaves the diagnostics as they are (`--ignore-noqa`).
    """
    if not honour or not _MENTIONED.search(source):
        return list(diagnostics)
    scopes, faults = _scopes(read_layout(source), known_codes)
    said = [fault.diagnostic(filename) for fault in faults if fault.code in enabled_codes]
    left = [diagnostic for diagnostic in [*diagnostics, *said] if not _hidden(diagnostic, scopes)]
    complete = whole_project and not any(diagnostic.code in FAILURES for diagnostic in diagnostics)
    if complete and UNUSED in enabled_codes:
        text = Source.from_text(source)
        unused = [fault.diagnostic(filename) for fault in _unused(text, scopes, enabled_codes)]
        left += [diagnostic for diagnostic in unused if not _hidden(diagnostic, scopes)]
    return sorted(left, key=Diagnostic.sort_key)


def noqa_row(source: str, row: int) -> int:
    """Where an ignore for a finding in `row` goes: the last row of the logical statement."""
    return read_layout(source).statement_of(row)[1]


def with_noqa_rows(source: str, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    layout = read_layout(source)
    return [replace(found, noqa_row=layout.statement_of(found.span.row)[1]) for found in diagnostics]


def add_ignores(
    source: str,
    diagnostics: Iterable[Diagnostic],
    reason: str = "",
    plain: str | None = None,
    noqa: bool = False,
) -> str:
    """The text with an ignore comment for each diagnostic that a comment can hide, each with the reason.

    Args:
        plain: Python with the same rows, where the text has other things in it.
        noqa: whether the comments are `# noqa`.
    """
    layout = read_layout(source if plain is None else plain)
    codes: dict[int, set[str]] = {}
    for found in diagnostics:
        if found.code not in FAILURES and found.code not in NAMES:
            codes.setdefault(layout.statement_of(found.span.row)[1], set()).add(found.code)
    comments = {comment.row: comment for comment in layout.comments}
    text = Source.from_text(source)
    result = source
    written = with_noqa if noqa else with_codes
    # From the last row up, so that the places of the others stay as they are.
    for row in sorted(codes, reverse=True):
        edit = written(text, row, comments.get(row), codes[row], reason)
        if edit is not None:
            start, end = text.offsets(edit.span)
            result = result[:start] + edit.content + result[end:]
    return result


@dataclass(frozen=True, slots=True)
class _Fault:
    code: str
    span: Span
    message: str
    help: str
    fix: Fix | None = None

    def diagnostic(self, filename: str) -> Diagnostic:
        return Diagnostic(
            filename=filename,
            span=self.span,
            code=self.code,
            name=NAMES[self.code],
            severity=Severity.WARNING,
            message=self.message,
            help=self.help,
            fix=self.fix,
            noqa_row=self.span.row,
        )


@dataclass(slots=True)
class _Scope:
    """The rows (first and last) in which one item of a directive hides `codes`; None hides every code.

    `enable` ends a block: the outermost one, where blocks of the same code are nested.
    """

    directive: Directive
    item: Item | None
    codes: frozenset[str] | None
    rows: tuple[int, int]
    used: set[str] = field(default_factory=set)
    enable: tuple[Directive, Item] | None = None

    def hides(self, found: Diagnostic) -> bool:
        return self.rows[0] <= found.span.row <= self.rows[1] and (
            self.codes is None or found.code in self.codes
        )

    def is_judged(self, enabled: Collection[str]) -> bool:
        """Whether hiding nothing says something: one whole code that is on, and not this very finding."""
        if self.item is None or self.codes is None or len(self.codes) != 1:
            return False
        exact = (
            not self.directive.verb.startswith("noqa")
            or _OWN_CODE.fullmatch(self.item.text.upper()) is not None
        )
        return exact and self.codes <= set(enabled) and self.codes != {UNUSED}


def _hidden(found: Diagnostic, scopes: Iterable[_Scope]) -> bool:
    if found.code in FAILURES:
        return False
    hiding = [scope for scope in scopes if scope.hides(found)]
    for scope in hiding:
        scope.used.add(found.code)
    return bool(hiding)


def _scopes(layout: Layout, known: Mapping[str, str]) -> tuple[list[_Scope], list[_Fault]]:
    by_name = {name: code for code, name in known.items()}
    scopes: list[_Scope] = []
    faults: list[_Fault] = []
    opened: dict[str, list[_Scope]] = {}
    for comment in layout.comments:
        for directive in directives_in(comment):
            if isinstance(directive, Malformed):
                faults.append(_Fault(MALFORMED, directive.span, directive.message, directive.help))
                continue
            if directive.verb.startswith("noqa"):
                scopes += _noqa_scopes(directive, layout, known, by_name)
                faults += _unknown_in_noqa(directive, known)
                continue
            for item in directive.items:
                code = item.text if item.text in known else by_name.get(item.text)
                if code is None:
                    faults.append(_unknown(directive, item, known))
                elif directive.verb == "enable":
                    blocks = opened.pop(code, [])
                    for block in blocks:
                        block.rows = block.rows[0], _block_row(directive, layout) - 1
                    if blocks:
                        blocks[0].enable = directive, item
                    else:
                        faults.append(_never_disabled(directive, item))
                else:
                    scope = _Scope(directive, item, frozenset((code,)), _rows(directive, layout))
                    scopes.append(scope)
                    if directive.verb == "disable":
                        opened.setdefault(code, []).append(scope)
    return scopes, faults


def _rows(directive: Directive, layout: Layout) -> tuple[int, int]:
    row = directive.row
    if directive.verb == "ignore-file":
        return 1, _LAST_ROW
    if directive.verb == "disable":
        return _block_row(directive, layout), _LAST_ROW
    if directive.comment.is_alone and not layout.is_in_statement(row):
        return layout.group_below(directive.comment) or (row, row)
    return layout.group_of(row)


def _block_row(directive: Directive, layout: Layout) -> int:
    """Where a block starts or ends: at a comment of its own, else at the statement it stands behind."""
    return directive.row if directive.comment.is_alone else layout.group_of(directive.row)[0]


def _noqa_scopes(
    directive: Directive, layout: Layout, known: Mapping[str, str], by_name: Mapping[str, str]
) -> Iterator[_Scope]:
    rows = (1, _LAST_ROW) if directive.verb == "noqa-file" else layout.statement_of(directive.row)
    if not directive.items:
        yield _Scope(directive, None, None, rows)
    for item in directive.items:
        # flake8 takes `JAX1` for all that starts with it, in either case.
        prefix = item.text.upper()
        codes = {code for code in known if code.startswith(prefix)} if prefix[-1].isdigit() else set()
        if item.text in by_name:
            codes.add(by_name[item.text])
        if codes:
            yield _Scope(directive, item, frozenset(codes), rows)


def _unknown_in_noqa(directive: Directive, known: Mapping[str, str]) -> Iterator[_Fault]:
    for item in directive.items:
        if _OWN_CODE.fullmatch(item.text) and item.text not in known:
            yield _unknown(directive, item, known)


def _unknown(directive: Directive, item: Item, known: Mapping[str, str]) -> _Fault:
    shown = item.text if len(item.text) <= 40 else item.text[:39] + "…"
    message = f"`{shown}` is not the code or name of a rule"
    if any(code.startswith(item.text) for code in known):
        advice = "list the codes or names of the rules: prefixes are not allowed in a comment"
    else:
        near = difflib.get_close_matches(item.text, sorted({*known, *known.values()}), n=1)
        near = near or difflib.get_close_matches(item.text.upper(), sorted(known), n=1)
        near = near or difflib.get_close_matches(item.text.lower(), sorted(known.values()), n=1)
        advice = f"the nearest is `{near[0]}`" if near else "`jaxlint rule --all` lists codes and names"
    return _Fault(UNKNOWN, directive.span_of(item), message, advice)


def _never_disabled(directive: Directive, item: Item) -> _Fault:
    message = f"no `disable[{item.text}]` is above this `enable[{item.text}]`"
    advice = f"# jaxlint: disable[{item.text}] where the block starts, or no enable"
    return _Fault(MALFORMED, directive.span_of(item), message, advice)


def _unused(source: Source, scopes: Sequence[_Scope], enabled: Collection[str]) -> Iterator[_Fault]:
    """One fault for each directive with items that hide nothing."""
    idle: dict[tuple[int, int], list[_Scope]] = {}
    for scope in scopes:
        if not scope.used and scope.is_judged(enabled):
            idle.setdefault((scope.directive.row, scope.directive.column), []).append(scope)
    for unused in idle.values():
        directive = unused[0].directive
        items = [scope.item for scope in unused if scope.item is not None]
        whole = len(items) == len(directive.items)
        edits = {without_items(source, directive, items): None}
        for scope in unused:
            if scope.enable is not None:
                edits[_without_enable(source, scope.enable[0], unused)] = None
        what = "the comment" if whole else ", ".join(f"`{item.text}`" for item in items)
        span = directive.span if whole else directive.span_of(items[0])
        shown = directive.shown(items)
        message = f"unused suppression comment: `{shown if len(shown) <= 60 else shown[:59] + '…'}`"
        yield _Fault(UNUSED, span, message, f"remove {what}", Fix("safe", f"remove {what}", tuple(edits)))


def _without_enable(source: Source, enable: Directive, unused: Iterable[_Scope]) -> Edit:
    pairs = [scope.enable for scope in unused if scope.enable is not None]
    items = [item for directive, item in pairs if directive == enable]
    return without_items(source, enable, items)
