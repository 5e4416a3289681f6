"""The picture of a terminal: text with the escape sequences of colours becomes an SVG.

In: the command and what it printed. Out: an SVG without scripts and without fonts of its own; every stretch
of one style states its width, so that columns line up in any monospaced font.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

ADVANCE, LINE, MARGIN, BAR = 7.6, 18, 16, 34
FAMILY = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
BACKGROUND, TEXT = "#16191f", "#d7dae0"
COLOURS = {"31": "#ff7b86", "32": "#8fd694", "33": "#f2c46d", "34": "#74b0ff", "36": "#5fd0d8"}

_STYLE = re.compile(r"\x1b\[([0-9;]*)m")


def picture(command: str, printed: str) -> str:
    """The SVG.

    Raises:
        ValueError: an escape sequence that is none of those that jaxlint prints.
    """
    lines = [f"\x1b[32m$\x1b[0m \x1b[1m{command}\x1b[0m", *printed.rstrip().splitlines()]
    columns = max(len(_STYLE.sub("", line)) for line in lines)
    width = round(2 * MARGIN + columns * ADVANCE)
    height = BAR + len(lines) * LINE + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" font-family="{FAMILY}" font-size="12.6" xml:space="preserve">',
        f"<title>{escape(f'A terminal: {command}')}</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="{BACKGROUND}"/>',
    ]
    parts += [
        f'<circle cx="{MARGIN + 4 + 18 * number}" cy="16" r="5" fill="{colour}"/>'
        for number, colour in enumerate(("#ff5f57", "#febc2e", "#28c840"))
    ]
    for number, line in enumerate(lines):
        parts += _row(line, BAR + number * LINE + 13)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(line: str, bottom: float) -> Iterator[str]:
    column = 0
    for text, colour, is_bold in _stretches(line):
        shown = text.strip()
        start = column + len(text) - len(text.lstrip())
        column += len(text)
        if shown:
            weight = ' font-weight="bold"' if is_bold else ""
            yield (
                f'<text x="{MARGIN + start * ADVANCE:.1f}" y="{bottom:g}" fill="{colour}"{weight} '
                f'textLength="{len(shown) * ADVANCE:.1f}" lengthAdjust="spacingAndGlyphs">'
                f"{escape(shown)}</text>"
            )


def _stretches(line: str) -> Iterator[tuple[str, str, bool]]:
    """Stretches of one style: text, colour, whether it is bold."""
    colour, is_bold = TEXT, False
    pieces = _STYLE.split(line)
    for number, piece in enumerate(pieces):
        if number % 2 == 0:
            if "\x1b" in piece:
                raise ValueError(f"an escape sequence that is not known: {piece!r}")
            if piece:
                yield piece, colour, is_bold
            continue
        for code in piece.split(";"):
            if code in ("", "0"):
                colour, is_bold = TEXT, False
            elif code == "1":
                is_bold = True
            elif code in COLOURS:
                colour = COLOURS[code]
            else:
                raise ValueError(f"a style that is not known: {code}")
