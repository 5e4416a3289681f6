"""Folklore put to the test: the jobs that its cases are, and what running them gave.

In: entries, and the verdicts of their cases. Out: jobs; for each entry what was found against what it states;
text, JSON and markdown of that. It runs nothing and imports no jax.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from jaxlint.confirm.folklore.entry import Case, Folklore
from jaxlint.confirm.job import Job
from jaxlint.confirm.report import figures
from jaxlint.confirm.statement import statement
from jaxlint.confirm.verdict import CONFIRMED, NOT_RUNNABLE, REFUTED, Verdict

UNDECIDED = "undecided"
"""What was found where a case came to no result, or none can be run here."""

_ORDER = ("true", "false", "depends", "not-executable", UNDECIDED)


@dataclass(frozen=True, slots=True)
class Trial:
    """A statement, and the verdicts of its cases on one platform, in their order."""

    entry: Folklore
    verdicts: tuple[Verdict, ...]

    @property
    def found(self) -> str:
        """`true` when all cases that can be run here hold, `false` when none does, else `depends`."""
        if not self.entry.cases:
            return self.entry.verdict
        seen = {row.verdict for row in self.verdicts} - {NOT_RUNNABLE}
        if not seen or seen - {CONFIRMED, REFUTED}:
            return UNDECIDED
        if len(seen) > 1:
            return "depends"
        return "true" if CONFIRMED in seen else "false"

    @property
    def differing(self) -> tuple[tuple[Case, Verdict], ...]:
        """The cases that came out otherwise than stated; those that cannot be run here are not among them."""
        return tuple(
            (case, row)
            for case, row in zip(self.entry.cases, self.verdicts, strict=True)
            if row.verdict not in (CONFIRMED if case.holds else REFUTED, NOT_RUNNABLE)
        )

    def to_json(self) -> dict[str, Any]:
        entry = self.entry
        return {
            "number": entry.number,
            "name": entry.name,
            "statement": entry.statement,
            "source": entry.source,
            "stated": entry.verdict,
            "found": self.found,
            "why": entry.why,
            "rule": entry.rule,
            "cases": [
                {"when": case.when, "holds": case.holds, **row.to_json()}
                for case, row in zip(entry.cases, self.verdicts, strict=True)
            ],
        }


def jobs_of(entries: Iterable[Folklore]) -> list[Job]:
    """The jobs of all cases, without a platform."""
    return [
        Job(
            "claim",
            None,
            entry.name,
            statement(case.claim) if case.good else _of_one(statement(case.claim)),
            case.claim,
            case.bad.lstrip("\n"),
            case.good.lstrip("\n"),
        )
        for entry in entries
        for case in entry.cases
    ]


def trials_of(entries: Sequence[Folklore], verdicts: Iterable[Verdict]) -> list[Trial]:
    """Entries with the verdicts of their jobs, platform by platform, those of one in the order of `jobs_of`.

    Raises:
        ValueError: there are more or fewer verdicts of a platform than cases.
    """
    platforms: dict[str, list[Verdict]] = {}
    for row in verdicts:
        platforms.setdefault(row.platform, []).append(row)
    count = sum(len(entry.cases) for entry in entries)
    trials = [Trial(entry, ()) for entry in entries if not entry.cases]
    for platform, rows in platforms.items():
        if len(rows) != count:
            raise ValueError(f"{len(rows)} verdicts for {count} cases on {platform}")
        rest = iter(rows)
        trials += [Trial(entry, tuple(islice(rest, len(entry.cases)))) for entry in entries if entry.cases]
    return sorted(trials, key=lambda trial: trial.entry.number)


def text(trials: Sequence[Trial], *, quiet: bool = False) -> str:
    """A paragraph a statement, and a line that counts. quiet: only what is not as stated."""
    lines: list[str] = []
    for trial in trials:
        if not quiet or trial.differing or trial.found == UNDECIDED:
            lines += _paragraph(trial)
    return "\n".join([*lines, summary(trials)])


def summary(trials: Sequence[Trial]) -> str:
    """How many of each, whether that is what is stated, and with which JAX on which device."""
    counts = Counter(trial.found for trial in trials)
    said = ", ".join(f"{counts[word]} {word}" for word in _ORDER if counts[word])
    differing = [trial.entry.name for trial in trials if trial.differing]
    stated = f"not as stated: {', '.join(differing)}" if differing else "all as stated"
    rows = [row for trial in trials for row in trial.verdicts]
    places = {f"{row.platform}: {row.device}" for row in rows if row.device}
    where = sorted({f"jax {row.jax}, jaxlib {row.jaxlib}" for row in rows if row.jax}) + sorted(places)
    on = f" ({'; '.join(where)})" if where else ""
    return f"{_number(trials)}: {said}; {stated}{on}"


def markdown(trials: Sequence[Trial], *, quiet: bool = False) -> str:
    """A table, a row a statement, and the line that counts."""
    lines = ["| statement | source | verdict | why |", "| --- | --- | --- | --- |"]
    for trial in trials:
        if not quiet or trial.differing or trial.found == UNDECIDED:
            cells = (trial.entry.statement, trial.entry.source, _verdict(trial), trial.entry.why)
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join([*lines, "", summary(trials)])


def as_json(trials: Sequence[Trial], *, quiet: bool = False) -> str:
    rows = [trial for trial in trials if not quiet or trial.differing or trial.found == UNDECIDED]
    return json.dumps([trial.to_json() for trial in rows], indent=2, allow_nan=False)


def _number(trials: Sequence[Trial]) -> str:
    """`108 entries for 96 statements`."""
    entries = {trial.entry.name for trial in trials}
    statements = {trial.entry.number for trial in trials}
    words = ("entry" if len(entries) == 1 else "entries", "statement" + "s" * (len(statements) != 1))
    return f"{len(entries)} {words[0]} for {len(statements)} {words[1]}"


def _verdict(trial: Trial) -> str:
    found = trial.found
    return found if found == trial.entry.verdict else f"{found} (stated: {trial.entry.verdict})"


def _paragraph(trial: Trial) -> Iterator[str]:
    entry = trial.entry
    yield f"{_verdict(trial)}: {entry.statement}"
    yield f"  {entry.name}, {entry.source}{f', {entry.rule}' if entry.rule else ''}"
    yield f"  {entry.why}"
    for case, row in zip(entry.cases, trial.verdicts, strict=True):
        mark = "" if (case, row) not in trial.differing else " (not as stated)"
        when = f"{case.when}: " if case.when else ""
        yield f"    {row.verdict}{mark} on {row.platform}: {when}{row.claim}"
        if row.figures:
            said = figures(row.figures)
            yield f"      {said if case.good else said.removeprefix('bad ')}"
        if row.detail and (not row.figures or row.verdict not in (CONFIRMED, REFUTED)):
            yield f"      {row.detail if case.good else _of_one(row.detail)}"


def _of_one(said: str) -> str:
    """What is said of a bad program, said of the only one."""
    return said.replace(" in the bad program", "").replace("the bad program", "the program")


FORMATS: Mapping[str, Callable[..., str]] = {"text": text, "json": as_json, "markdown": markdown}
