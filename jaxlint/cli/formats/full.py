"""The format for people: place, message, source frame, the chain of reasons, help, the fix as a diff, and
where to read on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jaxlint.cli.formats.context import COLOURS, Context, ran_note
from jaxlint.cli.formats.frame import drawn, frame_of
from jaxlint.diagnostic import Diagnostic, Fix

AROUND, BETWEEN = 1, 8  # unchanged rows that are shown beside a change, and between two changes
_SIGNS = {"-": "red", "+": "green", " ": None}
_HOW = {
    "safe": " (`--fix` does this)",
    "unsafe": " (unsafe: `--fix --unsafe-fixes` does this)",
    "displayonly": " (`--fix` does not do this)",
}


def render(diagnostics: Sequence[Diagnostic], context: Context) -> str:
    return "\n".join("".join(line + "\n" for line in block(found, context)) for found in diagnostics)


def block(diagnostic: Diagnostic, context: Context) -> Iterator[str]:
    """The lines of one diagnostic."""
    colour = COLOURS[diagnostic.severity]
    place = context.style(context.place(diagnostic), bold=True)
    marker = " " + context.style("[*]", "cyan") if context.is_fixable(diagnostic) else ""
    yield f"{place}: {context.code(diagnostic)} {diagnostic.name}{marker}"
    yield f"{context.style(diagnostic.severity.value, colour, bold=True)}: {diagnostic.message}"
    yield from _frame(diagnostic, context)
    for note in diagnostic.related:
        yield f"{context.style('note', bold=True)}: {context.note_place(note)}: {note.message}"
    ran = ran_note(diagnostic)
    if ran is not None:
        yield f"{context.style('note', bold=True)}: {ran}"
    for text in advice(diagnostic.help, diagnostic.fix):
        first, *others = text.split("\n")
        yield f"{context.style('help', 'cyan', bold=True)}: {first}"
        yield from (f"      {other}".rstrip() for other in others)
    yield from _change(diagnostic, context)
    link = f" ({diagnostic.url})" if diagnostic.url else ""
    yield f"{context.style('see', bold=True)}: jaxlint rule {diagnostic.code}{link}"


def _frame(diagnostic: Diagnostic, context: Context) -> Iterator[str]:
    source = context.source(diagnostic.filename, diagnostic.cell)
    frame = None if source is None else frame_of(source, diagnostic.span)
    if frame is None:
        return
    number = str(frame.row)
    bar = context.style("|", "blue", bold=True)
    margin = " " * len(number)
    marks = context.style("^" * frame.width, COLOURS[diagnostic.severity], bold=True)
    label = f" {context.style(diagnostic.label, COLOURS[diagnostic.severity])}" if diagnostic.label else ""
    yield f"{margin} {bar}"
    yield f"{context.style(number, 'blue', bold=True)} {bar} {frame.text}".rstrip()
    yield f"{margin} {bar} {' ' * frame.indent}{marks}{label}"
    yield f"{margin} {bar}"


def _change(diagnostic: Diagnostic, context: Context) -> Iterator[str]:
    """The rows that a fix would change, before and after."""
    fix, before = diagnostic.fix, context.source(diagnostic.filename, diagnostic.cell)
    if fix is None or not fix.edits or before is None:
        return
    from jaxlint.cli.formats.change import hunks_of

    hunks = hunks_of(before, fix, AROUND, BETWEEN, diagnostic.cell)
    width = max((len(str(row)) for hunk in hunks for row, _, _ in hunk), default=0)
    bar = context.style("|", "blue", bold=True)
    for number, hunk in enumerate(hunks):
        if number:
            yield context.style("...", "blue", bold=True)
        for row, sign, text in hunk:
            number_shown = context.style(f"{row:{width}}", "blue", bold=True)
            line = f"{sign} {drawn(text)}".rstrip()
            yield f"{number_shown} {bar} {context.style(line, _SIGNS[sign])}".rstrip()


def advice(given: str | None, fix: Fix | None) -> Iterator[str]:
    """The help, and the fix where it says something else, each with how the fix is applied."""
    is_applicable = fix is not None and (fix.applicability != "displayonly" or fix.edits)
    how = _HOW[fix.applicability] if fix is not None and is_applicable else ""
    if fix is None or not fix.message or fix.message == given:
        if given:
            yield given + how
        return
    if given:
        yield given
    yield fix.message + how
