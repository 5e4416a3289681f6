"""Verdicts as one HTML page that needs nothing else: a table, and a picture for each claim that has numbers.

In: verdicts. Out: the page's text. A picture shows a ratio with its interval, counts of both programs, or how
a number grows with n; it is drawn from the figures alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from jaxlint.confirm.report import figures, summary
from jaxlint.confirm.verdict import CONFIRMED, VERDICTS, Verdict

WIDTH, HEIGHT = 260, 64

_STYLE = """
:root { color-scheme: light dark; --line: #8886; --bad: #c0392b; --good: #2471a3; --mark: #8888; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); }
td p { margin: .2rem 0 0; opacity: .75; font-size: 13px; overflow-wrap: anywhere; }
code { font-size: 13px; }
.verdict { white-space: nowrap; font-weight: 600; }
.confirmed .verdict { color: #1e8449; } .refuted .verdict { color: #c0392b; }
.failed .verdict { color: #b9770e; } .not-runnable .verdict { opacity: .6; }
svg text { font: 11px system-ui, sans-serif; fill: currentColor; }
.bad { fill: var(--bad); stroke: var(--bad); } .good { fill: var(--good); stroke: var(--good); }
polyline { fill: none !important; stroke-width: 2; } .mark { stroke: var(--mark); stroke-dasharray: 3 3; }
"""


def html(verdicts: Sequence[Verdict], *, quiet: bool = False) -> str:
    """The page."""
    rows = [_row(row) for row in verdicts if not quiet or row.verdict != CONFIRMED]
    counts = Counter(row.verdict for row in verdicts)
    said = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>jaxlint confirm: {escape(said)}</title><style>{_STYLE}</style></head><body>",
            f"<h1>jaxlint confirm</h1><p>{escape(summary(verdicts))}</p>",
            "<table><thead><tr><th>rule</th><th>claim</th><th>where</th><th>verdict</th><th></th></tr></thead>",
            "<tbody>",
            *rows,
            "</tbody></table></body></html>",
        ]
    )


def _row(row: Verdict) -> str:
    rule = f"{row.code} {row.name}" if row.code else row.name
    below = "".join(f"<p>{escape(text)}</p>" for text in (figures(row.figures), row.detail) if text)
    where = f"{row.platform}<p>{escape(row.device)} jax {escape(row.jax)}</p>"
    return (
        f'<tr class="{row.verdict}"><td>{escape(rule)}</td><td>{_code(row.claim)}{below}</td><td>{where}</td>'
        f'<td class="verdict">{row.verdict}</td><td>{picture(row.figures)}</td></tr>'
    )


def _code(text: str) -> str:
    """Text with what is between backticks as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))


def picture(numbers: Mapping[str, Any]) -> str:
    """An SVG for figures that can be drawn; empty for others."""
    if {"low", "high", "ratio"} <= numbers.keys():
        return _interval(numbers["low"], numbers["ratio"], numbers["high"])
    if "n" in numbers:
        lines = {name: numbers[name] for name in ("bad", "good") if name in numbers}
        return _growth(numbers["n"], lines)
    counts = {name: numbers[name] for name in ("bad", "good") if _is_count(numbers.get(name))}
    return _bars(counts) if counts and any(counts.values()) else ""


def _is_count(value: object) -> bool:
    return (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and math.isfinite(value)
        and value >= 0
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:.4g}"


def _interval(low: float, ratio: float, high: float) -> str:
    """The ratio and its interval on a logarithmic axis that has 1 on it."""
    first, last = math.log10(min(low, 1) / 1.2), math.log10(max(high, 1) * 1.2)

    def at(value: float) -> float:
        return 8 + (WIDTH - 16) * (math.log10(value) - first) / (last - first)

    return _svg(
        f"ratio {ratio:g}, between {low:g} and {high:g}",
        f'<line class="mark" x1="{at(1):.1f}" x2="{at(1):.1f}" y1="6" y2="46"/>',
        f'<text x="{at(1):.1f}" y="60" text-anchor="middle">1</text>',
        f'<line class="bad" x1="{at(low):.1f}" x2="{at(high):.1f}" y1="26" y2="26" stroke-width="3"/>',
        f'<circle class="bad" cx="{at(ratio):.1f}" cy="26" r="5"/>',
        f'<text x="{min(at(ratio), WIDTH - 40):.1f}" y="15" text-anchor="middle">{ratio:.3g}×</text>',
    )


def _bars(counts: Mapping[str, float]) -> str:
    most = max(counts.values())
    parts = []
    for place, (name, value) in enumerate(counts.items()):
        top, width = 8 + 28 * place, (WIDTH - 140) * value / most
        parts += [
            f'<text x="0" y="{top + 14}">{name}</text>',
            f'<rect class="{name}" x="40" y="{top}" width="{width:.1f}" height="18"/>',
            f'<text x="{48 + width:.1f}" y="{top + 14}">{_number(value)}</text>',
        ]
    return _svg(", ".join(f"{name} {value:g}" for name, value in counts.items()), *parts)


def _growth(sizes: Sequence[float], lines: Mapping[str, Sequence[float]]) -> str:
    most = max((max(line) for line in lines.values()), default=0) or 1
    parts = []
    for name, line in lines.items():
        points = " ".join(
            f"{8 + (WIDTH - 70) * n / max(sizes):.1f},{48 - 40 * value / most:.1f}"
            for n, value in zip(sizes, line, strict=True)
        )
        parts += [
            f'<polyline class="{name}" points="{points}"/>',
            f'<text x="{WIDTH - 58}" y="{52 - 40 * line[-1] / most:.1f}">{name} {line[-1]:g}</text>',
        ]
    parts.append(f'<text x="8" y="62">n = {sizes[0]:g} to {sizes[-1]:g}</text>')
    return _svg(", ".join(f"{name} {list(line)}" for name, line in lines.items()), *parts)


def _svg(label: str, *parts: str) -> str:
    return (
        f'<svg role="img" aria-label="{escape(label)}" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(parts)}</svg>'
    )
