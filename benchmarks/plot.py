"""Draws the figures of growth: time against lines, both axes logarithmic.

    python benchmarks/plot.py FIGURES.csv PLOT.svg

In: rows of series, lines and seconds. Out: an SVG without scripts or fonts of its own. A dashed line through
the last figure of each series shows what would be exactly linear.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor, log10
from pathlib import Path

Points = Sequence[tuple[float, float]]

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 70, 190, 48, 56
SERIES = {
    "projects": ("jaxlint, many projects", "#1f5fa8"),
    "one project": ("jaxlint, one project", "#c2541b"),
    "bare parse": ("bare parse (LibCST)", "#777777"),
}
# By the colours on white.
DARK = {
    "#222": "#c6ccd6",
    "#fff": "#1b1e25",
    "#ddd": "#3a404b",
    "#777777": "#9aa5b5",
    "#1f5fa8": "#7fb6ff",
    "#c2541b": "#ff9d6b",
}


class Axes:
    """Where a point of the data lies on the page."""

    def __init__(self, points: Points) -> None:
        self.x = _decades([x for x, _ in points])
        self.y = _decades([y for _, y in points])

    def place(self, x: float, y: float) -> tuple[float, float]:
        across = (log10(x) - self.x[0]) / (self.x[1] - self.x[0])
        up = (log10(y) - self.y[0]) / (self.y[1] - self.y[0])
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)


def _decades(values: Sequence[float]) -> tuple[int, int]:
    # Lines are rounded to whole copies: 1,000,100 belongs to the decade that ends with 1,000,000.
    low, high = floor(log10(min(values) * 1.03)), ceil(log10(max(values) / 1.03))
    return low, max(high, low + 1)


def drawn(series: Mapping[str, Points]) -> str:
    axes = Axes([point for points in series.values() for point in points])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="13" fill="#222">',
        "<title>Processor time against lines</title>",
        _style(),
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="6" fill="#fff"/>',
        f'<text x="{LEFT}" y="26" font-size="15">Processor time against lines of code</text>',
        *_grid(axes),
    ]
    heights: list[float] = []
    order = sorted(series, key=lambda name: -series[name][-1][1])
    for name in order:
        text, colour = SERIES[name]
        points = sorted(series[name])
        x, y = points[-1]
        label = axes.place(x, y)[1]
        if heights:
            label = max(label, heights[-1] + 18)
        heights.append(label)
        right = axes.place(x, y)[0]
        parts.append(
            _line([axes.place(*each) for each in _linear(axes, x, y)], colour, 'stroke-dasharray="3 4"')
        )
        parts.append(_line([axes.place(*each) for each in points], colour, 'stroke-width="2"'))
        for each in points:
            across, down = axes.place(*each)
            parts.append(f'<circle cx="{across:.1f}" cy="{down:.1f}" r="3" fill="{colour}"/>')
        parts.append(f'<text x="{right + 10:.1f}" y="{label + 4:.1f}" fill="{colour}">{text}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _style() -> str:
    """The other colours, where the reader's system is dark."""
    rows = [
        f'[{name}="{light}"] {{ {name}: {dark} }}'
        for light, dark in DARK.items()
        for name in ("fill", "stroke")
    ]
    return "\n".join(["<style>", "@media (prefers-color-scheme: dark) {", *rows, "}", "</style>"])


def _linear(axes: Axes, x: float, y: float) -> Points:
    """From the figure down to where the line of the same time per line leaves the page."""
    start = max(10 ** axes.x[0], 10 ** axes.y[0] * x / y)
    return [(start, start * y / x), (x, y)]


def _grid(axes: Axes) -> Iterator[str]:
    bottom, top = 10 ** axes.y[0], 10 ** axes.y[1]
    left, right = 10 ** axes.x[0], 10 ** axes.x[1]
    for power in range(axes.x[0], axes.x[1] + 1):
        x = 10**power
        yield _line([axes.place(x, bottom), axes.place(x, top)], "#ddd")
        across, down = axes.place(x, bottom)
        yield f'<text x="{across:.1f}" y="{down + 20:.1f}" text-anchor="middle">{x:,}</text>'
    for power in range(axes.y[0], axes.y[1] + 1):
        y = 10**power
        yield _line([axes.place(left, y), axes.place(right, y)], "#ddd")
        across, down = axes.place(left, y)
        yield f'<text x="{across - 8:.1f}" y="{down + 4:.1f}" text-anchor="end">{y:,.3g} s</text>'
    middle, text = (LEFT + WIDTH - RIGHT) / 2, "lines (dashed: the same time per line)"
    yield f'<text x="{middle:.1f}" y="{HEIGHT - 14}" text-anchor="middle">{text}</text>'


def _line(places: Points, colour: str, more: str = "") -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    return f'<polyline points="{points}" fill="none" stroke="{colour}" {more}/>'


def read(path: Path) -> dict[str, list[tuple[float, float]]]:
    series: dict[str, list[tuple[float, float]]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            series.setdefault(row["series"], []).append((float(row["lines"]), float(row["seconds"])))
    return series


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.write_text(drawn(read(source)), encoding="utf-8")
