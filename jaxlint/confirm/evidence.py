"""What was observed, kept in the package as JSON: one file a platform and version of JAX.

In: verdicts. Out: files below `jaxlint/confirm/recorded`, and for a rule what they say of it. Rows are
replaced by rule: recording some rules leaves what was recorded of the others.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from jaxlint.confirm.matrix import matrix
from jaxlint.confirm.sentence import sentence
from jaxlint.confirm.verdict import NOT_RUNNABLE, Verdict

FOLDER = Path(__file__).resolve().parent / "recorded"
FOLKLORE = FOLDER / "folklore"
"""What is recorded of folklore, in the same form."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A verdict with the version of Python that it was made with and its date, as year-month-day."""

    verdict: Verdict
    python: str
    date: str

    def to_json(self) -> dict[str, Any]:
        return {**self.verdict.to_json(), "python": self.python, "date": self.date}


def shown(evidence: Evidence, prints: str = "") -> str:
    """What is recorded of a claim, as a sentence. prints: what the good program prints."""
    row = evidence.verdict
    platform = row.platform.upper() + (f" ({row.device})" if row.device.lower() != row.platform else "")
    return f"With JAX {row.jax} on {platform} {sentence(row, prints)}."


def made_with(rows: Sequence[Evidence]) -> str:
    """When and with which Python the rows were recorded, as a sentence."""
    dates = sorted({each.date for each in rows})
    pythons = sorted({each.python for each in rows})
    when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    return f"Recorded with Python {' and '.join(pythons)}, {when}."


def record(verdicts: Sequence[Verdict], python: str, folder: Path = FOLDER, date: str = "") -> list[Path]:
    """Write verdicts; the files that were written. A platform that is not there leaves no evidence."""
    date = date or datetime.date.today().isoformat()
    folder.mkdir(parents=True, exist_ok=True)
    written = []

    def place(row: Verdict) -> str:
        return f"{row.platform}-{row.jax}.json"

    rows = [row for row in verdicts if row.device]
    for name, group in groupby(sorted(rows, key=place), key=place):
        new = list(group)
        names = {row.name for row in new}
        kept = [each for each in read(folder / name) if each.verdict.name not in names]
        entries = [*kept, *(Evidence(row, python, date) for row in new)]
        entries.sort(key=lambda each: (each.verdict.code or "", each.verdict.name))
        data = [each.to_json() for each in entries]
        (folder / name).write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8", newline="\n")
        written.append(folder / name)
    return written


def read(path: Path) -> list[Evidence]:
    """What a file holds; nothing where there is none.

    Raises:
        ValueError, KeyError: it is none of ours.
    """
    if not path.exists():
        return []
    data = json.loads(path.read_text(encoding="utf-8"))
    return [Evidence(Verdict.from_json(row), row["python"], row["date"]) for row in data]


def of_rule(code: str, folder: Path = FOLDER) -> Iterator[Evidence]:
    """What is recorded of a rule, by platform, the newest JAX of each only."""
    newest: dict[str, Path] = {}
    for path in sorted(folder.glob("*.json"), key=_version):
        newest[path.stem.partition("-")[0]] = path
    for platform in sorted(newest):
        for each in read(newest[platform]):
            if each.verdict.code == code and each.verdict.verdict != NOT_RUNNABLE:
                yield each


def of_folklore(name: str, folder: Path = FOLKLORE) -> list[Evidence]:
    """What is recorded of a statement's cases on the CPU with the newest JAX, in their order."""
    paths = sorted(folder.glob("cpu-*.json"), key=_version)
    return [each for path in paths[-1:] for each in read(path) if each.verdict.name == name]


def by_version(code: str, folder: Path = FOLDER) -> dict[str, str]:
    """What is recorded of a rule's claims on the CPU, by version of JAX, the newest first."""
    paths = sorted(folder.glob("cpu-*.json"), key=_version, reverse=True)
    rows = [each.verdict for path in paths for each in read(path) if each.verdict.code == code]
    return dict(next(iter(matrix(rows).values()), {}))


def _version(path: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in path.stem.partition("-")[2].split(".") if part.isdigit())
