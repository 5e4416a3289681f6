"""What several test modules share: a program linted with all rules, and every program that the tests know.

In: text, or a folder that is a project. Out: diagnostics of all rules, opt-in ones too. It judges nothing.
"""

from __future__ import annotations

import functools
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
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
    """`lint`, remembered: many tests ask about the same program."""
    return tuple(lint(text))


def lint_folder(folder: Path) -> list[Diagnostic]:
    """What all rules say of all files of a project, which is linted apart from this repository: file names
    are relative to the folder."""
    from jaxlint.project.configuration import Configuration
    from jaxlint.project.discovery import find_projects

    with tempfile.TemporaryDirectory() as place:
        root = Path(os.path.realpath(place)) / folder.name
        shutil.copytree(folder, root, ignore=shutil.ignore_patterns("__pycache__"))
        (root / "jaxlint.toml").touch()
        found = find_projects([str(root)], Configuration(isolated=True)).projects
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


def ready_jax() -> None:
    """JAX on the CPU in this process, with tracebacks that show every frame.

    What it compiles is kept between runs: most of the time that programs take is their compilation.
    """
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax

    jax.config.update("jax_traceback_filtering", "off")
    jax.config.update("jax_compilation_cache_dir", os.path.join(tempfile.gettempdir(), "jaxlint-tests"))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
