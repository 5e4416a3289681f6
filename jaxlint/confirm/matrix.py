"""Verdicts of several versions of JAX as one table: a row a rule, a column a version.

In: verdicts. Out: the verdict of each rule in each version, as data, text and markdown. A rule is refuted
where any of its claims is, and confirmed where all that could be run are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from jaxlint.confirm.report import summary
from jaxlint.confirm.verdict import CONFIRMED, FAILED, NOT_RUNNABLE, REFUTED, Verdict

# The first that any claim has is the rule's.
_ORDER = (REFUTED, FAILED, CONFIRMED, NOT_RUNNABLE)

Rows = Mapping[tuple[str, str], Mapping[str, str]]


def matrix(verdicts: Iterable[Verdict]) -> Rows:
    """Rules by code and name; for each, the verdict by version of JAX."""
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for row in verdicts:
        cells = rows.setdefault((row.code or "", row.name), {})
        found = (cells.get(row.jax, NOT_RUNNABLE), row.verdict)
        cells[row.jax] = min(found, key=_ORDER.index)
    return rows


def newest_first(versions: Iterable[str]) -> list[str]:
    return sorted(set(versions), key=number, reverse=True)


def number(version: str) -> tuple[int, ...]:
    """A version as numbers, for comparison; what is no number counts nothing."""
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def text(verdicts: Sequence[Verdict], *, quiet: bool = False) -> str:
    """The table, and below it each claim that is not confirmed where it could be run."""
    rows, versions = matrix(verdicts), newest_first(row.jax for row in verdicts)
    shown = {rule: cells for rule, cells in rows.items() if not quiet or {*cells.values()} != {CONFIRMED}}
    width = max((len(" ".join(rule)) for rule in shown), default=0)
    lines = [" ".join([" " * width, *(f"{version:<12}" for version in versions)]).rstrip()]
    for rule, cells in shown.items():
        said = (f"{cells.get(version, ''):<12}" for version in versions)
        lines.append(" ".join([f"{' '.join(rule):<{width}}", *said]).rstrip())
    for row in _wrong(verdicts):
        lines.append(f"{row.code or row.name}, JAX {row.jax}, {row.verdict}: {row.claim}: {row.detail}")
    return "\n".join([*lines, summary(verdicts)])


def markdown(verdicts: Sequence[Verdict], *, quiet: bool = False) -> str:
    rows, versions = matrix(verdicts), newest_first(row.jax for row in verdicts)
    lines = [f"| rule | {' | '.join(versions)} |", f"| --- |{' --- |' * len(versions)}"]
    for rule, cells in sorted(rows.items()):
        if not quiet or {*cells.values()} != {CONFIRMED}:
            said = " | ".join(cells.get(version, "") for version in versions)
            lines.append(f"| {' '.join(rule).strip()} | {said} |")
    wrong = _wrong(verdicts)
    lines += [""] * bool(wrong)
    for row in wrong:
        lines.append(f"- {row.code or row.name}, JAX {row.jax}, {row.verdict}: {row.claim}: {row.detail}")
    return "\n".join([*lines, "", summary(verdicts)])


def _wrong(verdicts: Sequence[Verdict]) -> list[Verdict]:
    return [row for row in verdicts if row.verdict in (REFUTED, FAILED)]
