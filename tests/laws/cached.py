"""A run that has a cache, on disk or in memory, finds what a run without one finds; and what is left after
`--fix` is what a new run finds.

In: a project as texts, and random edits. Out: the differences, as text; none where the law holds.
"""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from jaxlint.diagnostic import Diagnostic
from jaxlint.project.configuration import Configuration
from jaxlint.project.discovery import find_projects
from jaxlint.session.check import Check
from jaxlint.session.session import Session

from .edit import Texts, edited


def selecting(codes: Sequence[str]) -> Configuration:
    return Configuration(isolated=True, overrides={"select": list(codes)}, origin="the laws")


CONFIGURATION = selecting(["ALL"])


def written(root: Path, texts: Texts) -> None:
    """Makes the folder hold these files, and the cache that it has."""
    for path in sorted(root.rglob("*.py")):
        if path.relative_to(root).as_posix() not in texts:
            path.unlink()
    for name, text in {"jaxlint.toml": "", **texts}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def found(root: Path, session: Session, codes: Sequence[str] = ("ALL",)) -> list[Diagnostic]:
    """What the selected rules report of a folder."""
    projects = find_projects([str(root)], selecting(codes)).projects
    return [each for project in projects for each in Check(project, session=session).diagnostics]


def after_edits(
    chance: random.Random, root: Path, texts: Texts, edits: int, tally: Counter[str] | None = None
) -> Iterator[str]:
    """Edits a project several times, each time either the last state or the first one, and compares what is
    found with each kind of cache with what is found without one.

    Args:
        tally: Gets how many edits there were, by kind.
    """
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    lasting = Session(is_lasting=True)
    first, kind = texts, ""
    for number in range(edits + 1):
        written(root, texts)
        cold = found(root, Session())
        for name, session in (("disk", Session(cache=True)), ("memory", lasting)):
            difference = differing(cold, found(root, session))
            if difference:
                yield f"cache {name}, edit {number} of a {kind}: {difference}\n{shown(texts)}"
        if number < edits:
            texts, kind = edited(chance, texts if chance.random() < 0.5 else first)
            if tally is not None and kind:
                tally[kind] += 1


def after_fixes(root: Path, texts: Texts) -> Iterator[str]:
    """Applies all fixes and compares what is said to be left with what a new run finds."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    written(root, texts)
    for project in find_projects([str(root)], CONFIGURATION).projects:
        files, left = Check(project, session=Session(cache=True)).fixed(unsafe=True)
        for each in files:
            Path(each.path).write_text(each.outcome.text, encoding=each.before.encoding, newline="")
        difference = differing(
            [row for row in found(root, Session()) if row.filename in project.by_path], left
        )
        if difference:
            yield f"after fixes: {difference}\n{shown(texts)}"


def differing(one: list[Diagnostic], other: list[Diagnostic] | tuple[Diagnostic, ...]) -> str:
    """What only one of two runs found; empty where they agree. Fixes and notes count."""
    first, second = [*map(repr, one)], [*map(repr, other)]
    if first == second:
        return ""
    lost = [each for each in first if each not in second]
    new = [each for each in second if each not in first]
    return f"only without: {lost}; only with: {new}" if lost or new else "the order"


def shown(texts: Texts) -> str:
    return "\n".join(f"--- {name}\n{text}" for name, text in sorted(texts.items()) if len(text) < 4000)


__all__ = ["after_edits", "after_fixes", "differing", "found", "shown", "written"]
