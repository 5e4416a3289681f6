"""The command reports the same bytes whatever the hash seed of Python, and however many processes analyze the projects.

In: projects as texts. Out: the reports, as JSON.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from . import crowd, family, sample
from .edit import Texts

SEEDS = ("0", "1", "2")
JOBS = (1, 8)


def projects(chance: random.Random, count: int) -> Iterator[tuple[str, Texts]]:
    """Projects of all kinds: joined sections, all folders of the tests, crowds and families."""
    for number in range(count):
        yield f"joined{number}", sample.joined(chance)[1]
        if number % 4 == 0:
            yield f"crowd{number}", crowd.project(chance)
            yield f"family{number}", family.project(chance)
    yield from sample.folders()


def laid_out(root: Path, projects: Iterable[tuple[str, Texts]]) -> list[str]:
    """Writes each project to a folder of its own; gives the names of the folders."""
    names = []
    for name, texts in projects:
        for path, text in {"jaxlint.toml": "", **texts}.items():
            place = root / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        names.append(name)
    return names


def reported(root: Path, names: Iterable[str], *, seed: str = "0", jobs: int = 1) -> bytes:
    """What the command reports of these folders, in a new process.

    Raises:
        RuntimeError: it has not come to a report.
    """
    flags = ["--isolated", "--no-cache", "--select", "ALL", "--output-format", "json", "--jobs", str(jobs)]
    ran = subprocess.run(
        [sys.executable, "-m", "jaxlint", "check", *flags, *names],
        cwd=root,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        check=False,
    )
    if ran.returncode not in (0, 1):
        raise RuntimeError(f"status {ran.returncode}: {ran.stderr.decode(errors='replace')[-2000:]}")
    return ran.stdout


def unequal(reports: dict[str, bytes]) -> Iterator[str]:
    """Says of each report that is not the first one which findings only one of both has."""
    (first, base), *others = reports.items()
    for name, report in others:
        if report != base:
            one, other = (
                [json.dumps(each, sort_keys=True) for each in json.loads(each_report)]
                for each_report in (base, report)
            )
            lost = [each for each in one if each not in other]
            new = [each for each in other if each not in one]
            yield f"{name} is not {first}: only {first}: {lost}; only {name}: {new}"


def of_seeds(root: Path, names: list[str]) -> Iterator[str]:
    """What depends on the hash seed."""
    yield from unequal({f"PYTHONHASHSEED={seed}": reported(root, names, seed=seed) for seed in SEEDS})


def of_jobs(root: Path, names: list[str]) -> Iterator[str]:
    """What depends on the number of processes."""
    yield from unequal({f"-j {jobs}": reported(root, names, jobs=jobs) for jobs in JOBS})
