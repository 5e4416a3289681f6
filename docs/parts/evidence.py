"""Charts of what is recorded of a rule: times, counts, memory and values, for the rule's page on the site.

In: the figures of a verdict. Out: an inline SVG that takes its colours from the page, or nothing where the
figures cannot be drawn. The sentence beside a chart is of the same verdict, and `jaxlint rule` prints it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from jaxlint.confirm.page import picture as general
from jaxlint.confirm.verdict import Verdict

WIDTH, LABEL, VALUE, BAR, STEP = 350, 62, 108, 16, 24

Row = tuple[str, str, float, str]
"""Label, class, length, and what is written at the end."""


def chart(verdict: Verdict) -> str:
    """The SVG, in one line; empty where there is nothing to draw."""
    figures = verdict.figures
    if "bad_us" in figures:
        rows = [_row(name, figures[f"{name}_us"], duration) for name in ("bad", "good")]
        interval = f"{figures['ratio']:.3g} times, 95% interval {figures['low']:.3g} to {figures['high']:.3g}"
        return _bars("time", rows, interval)
    if "runs" in figures:
        return _fixed(figures)
    bad, good = figures.get("bad"), figures.get("good")
    if "n" in figures:
        return general(figures)
    if isinstance(bad, list) and isinstance(good, list):
        return _dots(bad, good)
    if _is_number(bad) and _is_number(good):
        form = size if "memory of " in verdict.claim else count
        return _bars(subject(verdict.claim), [_row("bad", bad, form), _row("good", good, form)], "")
    return ""


def subject(claim: str) -> str:
    """What a claim counts: its words before the figures, without code marks."""
    return claim.partition(": ")[0].partition(" in `")[0].replace("`", "").partition(" is ")[0]


def duration(microseconds: float) -> str:
    if microseconds < 1e3:
        return f"{microseconds:.3g} µs"
    return f"{microseconds / 1e3:.3g} ms" if microseconds < 1e6 else f"{microseconds / 1e6:.3g} s"


def size(number: float) -> str:
    if number < 2**10:
        return f"{number:g} bytes"
    return f"{number / 2**10:.4g} KiB" if number < 2**20 else f"{number / 2**20:.4g} MiB"


def count(number: float) -> str:
    return f"{number:,g}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf


def _row(name: str, value: float, form: Callable[[float], str]) -> Row:
    return name, name, value, form(value)


def _fixed(figures: Mapping[str, Any]) -> str:
    """How often Python bodies ran and programs were compiled, before and after a fix."""
    rows: list[Row] = []
    for key, singular in (("runs", "traces"), ("compiles", "compiles")):
        if any(figures[key]):
            before, after = figures[key]
            rows.append((singular, "bad", before, f"{before} before"))
            rows.append(("", "good", after, f"{after} after the fix"))
    return _bars("traces and compilations before and after the fix", rows, "") if rows else ""


def _bars(title: str, rows: Sequence[Row], below: str) -> str:
    most = max(length for _, _, length, _ in rows) or 1
    parts = []
    for number, (label, kind, length, text) in enumerate(rows):
        top = 4 + STEP * number
        across = max((WIDTH - LABEL - VALUE) * length / most, 2 if length else 0)
        parts += [
            f'<text x="0" y="{top + 13}">{escape(label)}</text>',
            f'<rect class="{kind}" x="{LABEL}" y="{top}" width="{across:.1f}" height="{BAR}" rx="2"/>',
            f'<text x="{LABEL + across + 7:.1f}" y="{top + 13}">{escape(text)}</text>',
        ]
    height = 8 + STEP * len(rows)
    if below:
        parts.append(f'<text class="below" x="{LABEL}" y="{height + 10}">{escape(below)}</text>')
        height += 18
    said = "; ".join(f"{label} {text}".strip() for label, _, _, text in rows)
    return _svg(f"{title}: {said}", height, parts)


def _dots(bad: Sequence[Any], good: Sequence[Any]) -> str:
    """The values of the calls in both programs on one axis; equal ones are one dot with their number."""
    try:
        lines = {"bad": [float(value) for value in bad], "good": [float(value) for value in good]}
    except (TypeError, ValueError):
        return ""
    every = [value for line in lines.values() for value in line]
    if not all(map(math.isfinite, every)):
        return ""
    low, high = min(every), max(every)
    scale = (WIDTH - LABEL - VALUE - 16) / ((high - low) or 1)
    parts = []
    for number, (name, line) in enumerate(lines.items()):
        middle = 14 + 30 * number
        parts += [
            f'<text x="0" y="{middle + 4}">{name}</text>',
            f'<line class="axis" x1="{LABEL}" x2="{WIDTH - VALUE}" y1="{middle}" y2="{middle}"/>',
        ]
        times_of = Counter(line)
        for value, times in times_of.items():
            across = LABEL + 8 + (value - low) * scale
            parts.append(f'<circle class="{name}" cx="{across:.1f}" cy="{middle}" r="6"/>')
            if 1 < times < len(line):
                parts.append(f'<text class="below" x="{across + 10:.1f}" y="{middle - 3}">×{times}</text>')
        said = "all equal" if len(times_of) == 1 else f"{len(times_of)} distinct"
        parts.append(f'<text x="{WIDTH - VALUE + 7}" y="{middle + 4}">{said}</text>')
    return _svg(f"values, bad: {', '.join(map(str, bad))}; good: {', '.join(map(str, good))}", 60, parts)


def _svg(label: str, height: int, parts: Sequence[str]) -> str:
    return (
        f'<svg role="img" aria-label="{escape(label)}" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}">{"".join(parts)}</svg>'
    )
