"""Pictures of a run as SVG: when what was compiled, and who traces whom.

In: facts. Out: SVG elements that need nothing else; all texts are escaped.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from html import escape

from jaxlint.observe import ranking, sentence
from jaxlint.observe.facts import Compilation, Facts, Function

WIDTH, ROW, LABEL = 1100, 22, 260
LANES, NODES = 24, 60
BOX, HEIGHT, GAP = 230, 36, 80


def timeline(facts: Facts) -> str:
    """A lane for each function that took most seconds, a bar for each compilation: traced, lowered,
    compiled."""
    shown = [item for item in ranking.by_seconds(facts)[:LANES] if item[1].compilations]
    ends = [each.at + _lasts(each) for _, function in shown for each in function.compilations]
    if not ends:
        return ""
    scale = (WIDTH - LABEL - 20) / (max(ends) or 1.0)
    height = ROW * len(shown) + 30
    parts = []
    for lane, (key, function) in enumerate(shown):
        top = lane * ROW + 4
        parts.append(f'<text x="{LABEL - 8}" y="{top + 13}" text-anchor="end">{_short(key)}</text>')
        parts.append(f'<line x1="{LABEL}" x2="{WIDTH}" y1="{top + 17}" y2="{top + 17}" class="lane"/>')
        parts += [_bars(each, top, scale) for each in function.compilations]
    axis = "".join(
        f'<text x="{LABEL + max(ends) * part / 4 * scale:.0f}" y="{height - 6}" '
        f'text-anchor="middle">{max(ends) * part / 4:.3g} s</text>'
        for part in range(5)
    )
    label = f"timeline of {sum(len(function.compilations) for _, function in shown)} compilations"
    return _svg(label, WIDTH + 30, height, [*parts, axis])


def _lasts(compilation: Compilation) -> float:
    return compilation.trace + compilation.lower + compilation.compile


def _bars(compilation: Compilation, top: int, scale: float) -> str:
    said = ", ".join(f"{argument} {what}".strip() for argument, what, _, _ in compilation.reason)
    title = f"<title>{escape(f'at {compilation.at:.2f} s, {_lasts(compilation):.3f} s: {said}')}</title>"
    left = LABEL + compilation.at * scale
    parts = []
    for name in ("trace", "lower", "compile"):
        width = max(getattr(compilation, name) * scale, 0.0)
        if name == "trace":
            width = max(width, 1.5)
        parts.append(f'<rect class="{name}" x="{left:.1f}" y="{top}" width="{width:.1f}" height="15"/>')
        left += width
    return f"<g>{title}{''.join(parts)}</g>"


def graph(facts: Facts) -> str:
    """Functions that are traced, each right of the function that enters it; edges bear the transforms."""
    edges = _edges(facts)
    if not edges:
        return ""
    depth = _depths(edges)
    columns: dict[int, list[str]] = defaultdict(list)
    for key in sorted(depth, key=lambda each: (depth[each], each)):
        columns[depth[key]].append(key)
    at = {
        key: (10 + column * (BOX + GAP), 10 + row * (HEIGHT + 14))
        for column, keys in columns.items()
        for row, key in enumerate(keys)
    }
    parts = [_edge(at[one], at[other], name) for (one, other), name in edges.items()]
    parts += [_box(key, at[key], facts.functions.get(key)) for key in at]
    width = 20 + (max(columns) + 1) * (BOX + GAP)
    height = 20 + max(map(len, columns.values())) * (HEIGHT + 14)
    return _svg(f"graph of {len(at)} functions, who traces whom", width, height, parts)


def _edges(facts: Facts) -> dict[tuple[str, str], str]:
    """The transforms by which functions enter others that are traced, for those that are entered most
    often."""
    counts: Counter[tuple[str, str]] = Counter()
    names: dict[tuple[str, str], str] = {}
    for key, function in facts.functions.items():
        for entry in function.entries:
            if entry.transforms and entry.caller != key:
                edge = (entry.caller, key)
                counts[edge] += entry.count
                names.setdefault(edge, entry.transforms[-1].removeprefix("jax.").removeprefix("lax."))
    kept: dict[tuple[str, str], str] = {}
    nodes: set[str] = set()
    for edge, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if len(nodes | {*edge}) <= NODES:
            nodes |= {*edge}
            kept[edge] = names[edge]
    return kept


def _depths(edges: dict[tuple[str, str], str]) -> dict[str, int]:
    """The column of each function: its distance from those that nothing of these enters."""
    entered = {other for _, other in edges}
    nodes = sorted({key for edge in edges for key in edge})
    depth = {key: 0 for key in nodes if key not in entered}
    left = [*depth] or nodes[:1]
    depth.setdefault(left[0], 0)
    while True:
        for key in left:
            for one, other in edges:
                if one == key and other not in depth:
                    depth[other] = depth[key] + 1
                    left.append(other)
        rest = [key for key in nodes if key not in depth]
        if not rest:
            return depth
        depth[rest[0]] = 0  # a circle that nothing else enters
        left = rest[:1]


def _edge(one: tuple[int, int], other: tuple[int, int], name: str) -> str:
    x1, y1 = one[0] + BOX, one[1] + HEIGHT // 2
    x2, y2 = other[0], other[1] + HEIGHT // 2
    curve = f"M{x1},{y1} C{x1 + 40},{y1} {x2 - 40},{y2} {x2},{y2}"
    text = f'<text x="{x2 - 6}" y="{y2 - 4}" text-anchor="end" class="faint">{escape(name[:12])}</text>'
    return f'<path d="{curve}"/>{text}'


def _box(key: str, place: tuple[int, int], function: Function | None) -> str:
    x, y = place
    kind = "compiled" if function is not None and function.compiled else "plain"
    said = sentence.compilations(function) if function is not None and function.traced else ""
    return (
        f"<g><title>{escape(key or 'no function of the project')}</title>"
        f'<rect class="box {kind}" x="{x}" y="{y}" width="{BOX}" height="{HEIGHT}"/>'
        f'<text x="{x + 8}" y="{y + 15}">{_short(key)}</text>'
        f'<text x="{x + 8}" y="{y + 29}" class="faint">{escape(said)}</text></g>'
    )


def _short(key: str) -> str:
    name = sentence.name_of(key) if key else "(outside)"
    return escape(name if len(name) <= 32 else name[:31] + "…")


def _svg(label: str, width: int, height: int, parts: Sequence[str] | Iterator[str]) -> str:
    return (
        f'<svg role="img" aria-label="{escape(label)}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">{"".join(parts)}</svg>'
    )
