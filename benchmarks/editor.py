"""What someone who types waits for: from the changed text of one file to its findings.

    python benchmarks/editor.py FOLDER [--edits N]

The projects below the folder are opened in one lasting session, as `--watch` has it, without a cache. Then
files of different sizes are edited in turn, in the buffer only: a statement comes into the middle of the
module. Printed as JSON: seconds by the clock and of the processor, for opening and for each edit.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

from tree import edited

from jaxlint.project.configuration import Configuration
from jaxlint.project.discovery import find_projects
from jaxlint.project.project import Project
from jaxlint.session.check import Check
from jaxlint.session.session import Session

SMALLEST = 1_000  # bytes of a file that someone works on


def chosen(projects: Sequence[Project], count: int) -> list[tuple[Project, str]]:
    """Files from evenly spread places of the order by size."""
    files = [(project, file.path) for project in projects for file in project.files]
    sizes = {path: Path(path).stat().st_size for _, path in files}
    ranked = sorted(files, key=lambda each: (sizes[each[1]], each[1]))
    ranked = [each for each in ranked if sizes[each[1]] >= SMALLEST] or ranked
    return [ranked[(2 * number + 1) * len(ranked) // (2 * count)] for number in range(count)]


def now() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def since(begin: tuple[float, float]) -> tuple[float, float]:
    return time.perf_counter() - begin[0], time.process_time() - begin[1]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder")
    parser.add_argument("--edits", type=int, default=9)
    options = parser.parse_args()
    begin = now()
    configuration = Configuration(overrides={"select": ["ALL"]}, origin="the benchmark")
    session = Session(is_lasting=True)
    projects = find_projects([options.folder], configuration).projects
    checks = [Check(project, session=session) for project in projects]
    session.analyse([pending for check in checks if (pending := check.pending) is not None])
    found = sum(len(check.diagnostics) for check in checks)
    opened = since(begin)
    edits = []
    for number, (project, path) in enumerate(chosen(projects, options.edits)):
        text = edited(Path(path).read_bytes(), number)
        begin = now()
        shown = Check(project, unsaved={path: text}, session=session).diagnostics
        _ = [each for each in shown if each.filename == path]
        edits.append(since(begin))
    session.close()
    print(json.dumps({"opened": opened, "edits": edits, "findings": found}))


if __name__ == "__main__":
    main()
