"""The page of `jaxlint analyze traces`: a graph of what is traced, and below it why.

In: functions, and how places are written. Out: one HTML page that needs nothing else: transforms at the left,
each function right of what leads to it. Whatever comes from the linted files is escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape

from jaxlint.diagnostic import Note
from jaxlint.report.tracedness import Traced

_WIDTH, _HEIGHT, _GAP, _ROW = 250, 38, 70, 50  # of a box and between boxes, in pixels
_LETTERS = 32  # that a box has room for

_STYLE = """
:root { color-scheme: light dark; --text: #1b1f24; --faint: #59636e; --box: #f1f4f8; --line: #8c959f;
  --root: #dbeafe }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --faint: #9aa4af; --box: #1c2430; --line: #6e7681; --root: #123458 } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem;
  color: var(--text) }
.graph { overflow-x: auto } svg text { font: 12px ui-monospace, monospace; fill: var(--text) }
svg .place, .faint { fill: var(--faint); color: var(--faint) }
rect { fill: var(--box); stroke: var(--line); rx: 6 } rect.root { fill: var(--root) }
path { fill: none; stroke: var(--line) } section { margin: 1rem 0 } li { margin: 0 } code { font-size: 13px }
h2 { font-size: 1rem; margin: 1rem 0 0 } ol { margin: 0.2rem 0 }
"""


_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(
    functions: Sequence[Traced],
    place_of: Callable[[Note], str],
    caller_of: Callable[[tuple[Note, ...]], str | None],
    total: int,
) -> str:
    """The page.

    Args:
        functions: Those that are traced.
        caller_of: The place of the function that the last step of a chain is in, where it is known.
        total: How many functions there are.
    """
    rows = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8"><title>jaxlint: traces</title>',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>',
        f"<h1>Traces</h1><p>{len(functions)} of {total} functions are traced.</p>",
    ]
    if functions:
        rows += ['<div class="graph">', *_graph(functions, place_of, caller_of), "</div>"]
    for each in functions:
        rows += _section(each, place_of)
    return "\n".join([*rows, "</body></html>", ""])


def _section(function: Traced, place_of: Callable[[Note], str]) -> Iterator[str]:
    place = place_of(function.place)
    yield f'<section id="{escape(place)}"><h2><code>{escape(function.place.message)}</code> '
    yield f'<span class="faint">{escape(place)}</span></h2><ol>'
    for note in function.chain:
        yield f'<li>{escape(note.message)} <span class="faint">{escape(place_of(note))}</span></li>'
    yield "</ol>"
    told = ", ".join(f"<code>{escape(name)}</code> {escape(what)}" for name, what in function.arguments)
    if told:
        yield f"<p>Arguments: {told}.</p>"
    if function.is_plain:
        yield "<p>It runs untraced too.</p>"
    yield "</section>"


def _graph(
    functions: Sequence[Traced],
    place_of: Callable[[Note], str],
    caller_of: Callable[[tuple[Note, ...]], str | None],
) -> Iterator[str]:
    boxes: dict[str, tuple[int, int]] = {}  # by place: the corner
    texts: dict[str, str] = {}
    used: dict[int, int] = {}  # boxes in each column
    edges: list[tuple[str, str]] = []

    def put(place: str, text: str, column: int) -> None:
        if place not in boxes:
            boxes[place] = column * (_WIDTH + _GAP), used.get(column, 0) * _ROW
            used[column] = used.get(column, 0) + 1
            texts[place] = text

    for each in sorted(functions, key=lambda each: len(each.chain)):
        source = caller_of(each.chain)
        if source is None:
            source = f"{place_of(each.chain[-1])} "
            put(source, each.chain[-1].message, len(each.chain) - 1)
        own = place_of(each.place)
        put(own, each.place.message, len(each.chain))
        edges.append((source, own))
    yield from _drawn(boxes, texts, edges, max(used) + 1, max(used.values()))


def _drawn(
    boxes: Mapping[str, tuple[int, int]],
    texts: Mapping[str, str],
    edges: Sequence[tuple[str, str]],
    columns: int,
    rows: int,
) -> Iterator[str]:
    width, height = columns * (_WIDTH + _GAP), rows * _ROW
    yield f'<svg role="img" aria-label="what traces what" width="{width}" height="{height}">'
    for source, target in edges:
        if source in boxes:
            x, y = boxes[source][0] + _WIDTH, boxes[source][1] + _HEIGHT // 2
            end, below = boxes[target][0], boxes[target][1] + _HEIGHT // 2
            middle = (x + end) // 2
            yield f'<path d="M{x} {y}C{middle} {y} {middle} {below} {end} {below}"/>'
    for place, (x, y) in boxes.items():
        kind = ' class="root"' if place.endswith(" ") else ""
        yield f'<a href="#{escape(place.strip())}">'
        yield f'<rect{kind} x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}"/>'
        yield f'<text x="{x + 8}" y="{y + 15}">{escape(_cut(texts[place]))}</text>'
        shown = escape(_cut(place.strip(), at_start=True))
        yield f'<text class="place" x="{x + 8}" y="{y + 31}">{shown}</text>'
        yield f"<title>{escape(texts[place])}</title></a>"
    yield "</svg>"


def _cut(text: str, at_start: bool = False) -> str:
    if len(text) <= _LETTERS:
        return text
    return f"…{text[1 - _LETTERS :]}" if at_start else f"{text[: _LETTERS - 1]}…"
