"""The picture of a chain: from the transform, through the calls, to the line that is reported.

In: a finding of jaxlint's JSON and the files. Out: an SVG with one card a step: place, line of code, and what
jaxlint says of it. It follows the reader's choice of light or dark, and has a background of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

WIDTH, CARD, GAP, ADVANCE = 480, 74, 30, 7.3
MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

_STYLE = """
.page { fill: #f6f7f9 } .card { fill: #fff; stroke: #c9cfd8 } .last { stroke: #c0392b; stroke-width: 2 }
.place { fill: #5b6675; font-size: 12px } .code { fill: #1d232b; font-size: 12.2px }
.said { fill: #34404d; font-size: 13px } .wrong { fill: #c0392b } .mark { fill: #fde0dc }
.arrow { stroke: #7a8696 } .head { fill: #7a8696 }
@media (prefers-color-scheme: dark) {
.page { fill: #1b1e25 } .card { fill: #262a33; stroke: #434a57 } .last { stroke: #ff7b86 }
.place { fill: #9aa5b5 } .code { fill: #e4e7ec } .said { fill: #c6ccd6 } .wrong { fill: #ff8f99 }
.mark { fill: #5a2b30 }
}
"""


def picture(finding: Mapping[str, Any], folder: Path) -> str:
    """The SVG of a finding that has a chain.

    Raises:
        ValueError: the finding has none.
    """
    if not finding["related"]:
        raise ValueError(f"{finding['code']} in {finding['filename']} has no chain")
    steps = [*finding["related"], {**finding, "message": finding["message"].partition(": ")[0]}]
    height = len(steps) * CARD + (len(steps) - 1) * GAP + 32
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" role="img" font-family="system-ui, sans-serif">',
        f"<title>{escape(' → '.join(_place(step, folder) for step in steps))}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect class="page" width="{WIDTH}" height="{height}" rx="8"/>',
    ]
    for number, step in enumerate(steps):
        top = 16 + number * (CARD + GAP)
        parts += _card(step, folder, top, is_last=number == len(steps) - 1)
        if number < len(steps) - 1:
            parts += _arrow(top + CARD)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _place(step: Mapping[str, Any], folder: Path) -> str:
    return f"{Path(step['filename']).relative_to(folder).as_posix()}:{step['location']['row']}"


def _card(step: Mapping[str, Any], folder: Path, top: int, is_last: bool) -> Iterator[str]:
    row, column = step["location"]["row"], step["location"]["column"]
    line = Path(step["filename"]).read_text(encoding="utf-8").splitlines()[row - 1]
    indent = len(line) - len(line.lstrip())
    kind = "card last" if is_last else "card"
    yield f'<rect class="{kind}" x="16" y="{top}" width="{WIDTH - 32}" height="{CARD}" rx="6"/>'
    yield f'<text class="place" x="30" y="{top + 20}">{escape(_place(step, folder))}</text>'
    if is_last:
        start, end = column - 1 - indent, step["end_location"]["column"] - 1 - indent
        yield (
            f'<rect class="mark" x="{30 + start * ADVANCE:.1f}" y="{top + 27}" '
            f'width="{(end - start) * ADVANCE:.1f}" height="17" rx="2"/>'
        )
    code = line.strip()
    yield (
        f'<text class="code" x="30" y="{top + 40}" font-family="{MONO}" '
        f'textLength="{len(code) * ADVANCE:.1f}" lengthAdjust="spacingAndGlyphs">{escape(code)}</text>'
    )
    said = step["message"].replace("`", "")
    kind = "said wrong" if is_last else "said"
    yield f'<text class="{kind}" x="30" y="{top + 61}">{escape(said)}</text>'


def _arrow(top: int) -> Iterator[str]:
    middle = WIDTH / 2
    ends = f'y1="{top + 4}" y2="{top + GAP - 9}"'
    yield f'<line class="arrow" x1="{middle:g}" x2="{middle:g}" {ends} stroke-width="2"/>'
    yield f'<path class="head" d="M{middle - 5:g} {top + GAP - 11} h10 l-5 8 z"/>'
