"""Verdicts as text, JSON and markdown.

In: verdicts. Out: text without its last newline. It judges nothing and leaves nothing out but what is
confirmed, where it is asked to.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

from jaxlint.confirm.verdict import CONFIRMED, VERDICTS, Verdict


def text(verdicts: Sequence[Verdict], *, quiet: bool = False) -> str:
    """One paragraph a rule, and a line that counts."""
    lines = []
    for (code, name), rows in groupby(verdicts, key=lambda row: (row.code, row.name)):
        shown = [row for row in rows if not quiet or row.verdict != CONFIRMED]
        if shown:
            lines.append(f"{code} {name}" if code else name)
        for row in shown:
            lines.append(f"  {row.verdict:<12} {row.platform:<4} {row.claim}")
            if row.figures:
                lines.append(f"  {'':<17} {figures(row.figures)}")
            if row.detail:
                lines.append(f"  {'':<17} {row.detail}")
    return "\n".join([*lines, summary(verdicts)])


def summary(verdicts: Sequence[Verdict]) -> str:
    """How many of each verdict, and where: `83 confirmed, 1 refuted (jax 0.10.2; cpu: cpu)`."""
    counts = Counter(row.verdict for row in verdicts)
    said = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
    where = sorted({f"{row.platform}: {row.device}" for row in verdicts if row.device})
    versions = sorted({f"jax {row.jax}, jaxlib {row.jaxlib}" for row in verdicts if row.jax})
    return f"{said or 'nothing to run'} ({'; '.join([*versions, *where])})"


def as_json(verdicts: Sequence[Verdict], *, quiet: bool = False) -> str:
    return json.dumps(
        [row.to_json() for row in verdicts if not quiet or row.verdict != CONFIRMED],
        indent=2,
        allow_nan=False,
    )


def markdown(verdicts: Sequence[Verdict], *, quiet: bool = False) -> str:
    """A table, a row a claim, and a line that counts."""
    lines = ["| rule | claim | platform | verdict | figures |", "| --- | --- | --- | --- | --- |"]
    for row in verdicts:
        if quiet and row.verdict == CONFIRMED:
            continue
        rule = f"{row.code} {row.name}" if row.code else row.name
        shown = "; ".join(filter(None, (figures(row.figures), row.detail)))
        cells = (rule, row.claim, row.platform, row.verdict, shown)
        lines.append("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |")
    return "\n".join([*lines, "", summary(verdicts)])


def figures(numbers: Mapping[str, Any]) -> str:
    """Figures in a line: `bad 3, good 1`."""
    return ", ".join(f"{name} {_figure(value)}" for name, value in numbers.items())


def _figure(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "/".join(map(_figure, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


FORMATS: Mapping[str, Callable[..., str]] = {"text": text, "json": as_json, "markdown": markdown}
