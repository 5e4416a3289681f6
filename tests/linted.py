"""What several test modules share: a program linted with all rules, and every program that the tests know.

In: text, or a folder that is a project. Out: diagnostics of all rules, opt-in ones too. It judges nothing.
"""

from __future__ import annotations

import contextlib
import functools
import os
import pickle
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from verify_cases import PROJECTS, case_files, sections

from jaxlint.diagnostic import Diagnostic
from jaxlint.project.project import Project, SourceFile
from jaxlint.project.settings import Settings
from jaxlint.rule.registry import registry
from jaxlint.session import pipeline

HERE = Path(__file__).resolve().parent
HAZARDS = HERE / "hazards"
PATH = "/program/module.py"
# The variable that names the folder where the workers of a run keep what they have found, for each other.
SHARED = "JAXLINT_TESTS_FINDINGS"


@dataclass(frozen=True)
class Program:
    """A text that is a file, and a project, of its own. `row` is where it begins in `origin`."""

    name: str
    text: str
    origin: str
    row: int = 1


def lint(text: str) -> list[Diagnostic]:
    """What all rules say of a file that is a project of its own."""
    file = SourceFile(PATH, ("module",), False)
    project = Project("/program", (file,), frozenset([PATH]), Settings())
    return pipeline.analyse(project, {PATH: text.encode()})


@functools.cache
def findings(text: str) -> tuple[Diagnostic, ...]:
    """`lint`, remembered, by all workers of a run: many tests ask about the same program."""
    folder = os.environ.get(SHARED)
    if folder is None:
        return tuple(lint(text))
    path = Path(folder, sha256(text.encode()).hexdigest())
    with contextlib.suppress(FileNotFoundError):
        known: tuple[Diagnostic, ...] = pickle.loads(path.read_bytes())
        return known
    found = tuple(lint(text))
    written = path.with_suffix(f".{os.getpid()}")
    written.write_bytes(pickle.dumps(found))
    written.replace(path)
    return found


def prepare_findings(texts: Sequence[str]) -> None:
    """`findings` of many texts. Each worker begins at another place, so that all share the work."""
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    begin = len(texts) * number // int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    for text in (*texts[begin:], *texts[:begin]):
        findings(text)


def lint_folder(folder: Path) -> list[Diagnostic]:
    """What all rules say of all files of a project, which is linted apart from this repository, with its facts
    where it has some: file names are relative to the folder."""
    from jaxlint.project.configuration import Configuration
    from jaxlint.project.discovery import find_projects

    with tempfile.TemporaryDirectory() as place:
        root = Path(os.path.realpath(place)) / folder.name
        shutil.copytree(folder, root, ignore=shutil.ignore_patterns("__pycache__"))
        (root / "jaxlint.toml").touch()
        facts = [str(path) for path in root.glob("jaxlint-facts.json")]
        found = find_projects([str(root)], Configuration(isolated=True, overrides={"facts": facts})).projects
        rows = [row for project in found for row in pipeline.analyse(project)]
        return [replace(row, filename=Path(row.filename).relative_to(root).as_posix()) for row in rows]


def programs() -> Iterator[Program]:
    """Every single-file program: the sections of the case files, the rules' examples, the hazards."""
    for path in case_files():
        for section in sections(path):
            yield Program(f"{path.stem}: {section.title}", section.source, str(path), section.first_line)
    for entry in registry().entries:
        for number, example in enumerate(entry.rule.examples if entry.rule else (), 1):
            for kind, text in (("bad", example.bad), ("good", example.good)):
                if text:
                    yield Program(f"{entry.code} {kind} {number}", text.lstrip("\n"), entry.name)
    for path in sorted(HAZARDS.glob("*/*.py")):
        text = path.read_text(encoding="utf-8")
        yield Program(f"hazard {path.parent.name}/{path.stem}", text, str(path))


def projects() -> list[Path]:
    """The folders below tests/projects."""
    return [folder for folder in sorted(PROJECTS.iterdir()) if (folder / "main.py").exists()]
