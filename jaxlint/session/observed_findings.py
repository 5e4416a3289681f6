"""What linting says of a project, beside what a run of it showed.

In: the folders of a run, its facts and the folder that their paths are from. Out: the findings of `check`
with the facts, each with what was seen of it; and where the analysis without them ceases to know what is
traced. It runs none of the user's code and keeps nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from jaxlint.diagnostic import Diagnostic
from jaxlint.observe import beliefs
from jaxlint.observe.beliefs import Beliefs, Found, Frontier
from jaxlint.observe.facts import Facts, split_key
from jaxlint.observe.ranking import Rows
from jaxlint.project.configuration import Configuration
from jaxlint.project.discovery import find_projects
from jaxlint.project.project import Project
from jaxlint.report.suppression import FAILURES
from jaxlint.rule.definition import Rule
from jaxlint.rule.registry import registry
from jaxlint.session.check import Check
from jaxlint.session.contradictions import NEVER_TRACED
from jaxlint.session.observed import NOTHING
from jaxlint.session.session import Session
from jaxlint.session.state import traced_functions

_NAME = ".jaxlint-observed.json"
"""The facts are given to the settings as a file of this name, which is never opened."""

Raised = Mapping[str, Sequence[tuple[int, str]]]
"""By real path: rows, and classes of errors that were raised there."""
Cells = Mapping[str, Sequence[int]]
"""Of notebooks, by real path: the rows at which their cells begin."""


def compared(
    roots: Iterable[str],
    folder: str,
    facts: Facts,
    rows: Rows,
    *,
    config: str | None = None,
    with_frontiers: bool = True,
) -> Beliefs:
    """What linting says of the projects in folders.

    Args:
        folder: The folder that paths of the facts are from.
        rows: Of the `def` of functions, by key.
        config: A configuration file in place of the closest one.
        with_frontiers: Whether the projects are analyzed once more without the facts.

    Raises:
        SettingsError: a configuration file that is wrong.
    """
    folder = os.path.realpath(folder)
    name = os.path.join(folder, _NAME)
    projects = find_projects(roots, Configuration(file=config, overrides={"facts": [name]})).projects
    raised = _raised(facts, folder, rows)
    found: list[tuple[Diagnostic, frozenset[str]]] = []
    session = Session(jobs=None, read=lambda _: facts)
    try:
        checks = [Check(project, session=session) for project in projects]
        session.analyse([pending for check in checks if (pending := check.pending) is not None])
        for check in checks:
            rules = {each.code: each.rule for each in registry(check.project.settings.plugins).entries}
            found += [(each, _errors(rules.get(each.code))) for each in check.diagnostics]
    except BaseException:
        session.stop()
        raise
    finally:
        session.close()
    failed = {each.filename for each, _ in found if each.code in FAILURES}
    problems = [f"{_relative(path, folder)}: not linted: `jaxlint check` says why" for path in sorted(failed)]
    rest = sorted(
        (each for each in found if each[0].code not in FAILURES), key=lambda each: each[0].sort_key()
    )
    notebooks = rows.cells
    cells = {_place(folder, f"{path}::"): starts for path, starts in notebooks.items()}
    shown = tuple(_found(each, errors, folder, raised, cells) for each, errors in rest)
    frontiers = _frontiers(projects, folder, facts, rows, cells) if with_frontiers else None
    return Beliefs(shown, frontiers, tuple(problems))


def _raised(facts: Facts, folder: str, rows: Rows) -> Raised:
    found: dict[str, list[tuple[int, str]]] = {}
    for event in facts.events:
        if event.kind == "raised" and event.function in rows:
            path = _place(folder, event.function)
            found.setdefault(path, []).append((rows[event.function] + event.line, event.error))
    return found


def _place(folder: str, key: str) -> str:
    """The real path of a function's file."""
    return os.path.realpath(os.path.join(folder, split_key(key)[0].replace("/", os.sep)))


def _errors(rule: type[Rule] | None) -> frozenset[str]:
    """The errors of JAX that a rule claims programs to raise."""
    if rule is None:
        return frozenset()
    claims = [rule.claim, *rule.also, *(example.claim for example in rule.examples)]
    raising = {claim.error for claim in claims if claim is not None and claim.kind == "raises"}
    return frozenset(error for error in raising if error.startswith("jax.errors."))


def _found(each: Diagnostic, errors: frozenset[str], folder: str, raised: Raised, cells: Cells) -> Found:
    cell = "" if each.cell is None else f"cell {each.cell}:"
    there = raised.get(os.path.realpath(each.filename), ())
    begin = _row(each.filename, each.cell, each.span.row, cells)
    end = begin + each.span.end_row - each.span.row
    is_raised = any(begin <= row <= end and error in errors for row, error in there)
    contradiction = next((note.message for note in each.related if NEVER_TRACED in note.message), "")
    place = f"{_relative(each.filename, folder)}:{cell}{each.span.row}"
    return Found(place, each.code, each.message, each.observed, is_raised, contradiction)


def _row(path: str, cell: int | None, row: int, cells: Cells) -> int:
    """A row of a file, of a notebook that in the text of its cells."""
    starts = cells.get(os.path.realpath(path), ())
    return row if cell is None or not 1 <= cell <= len(starts) else starts[cell - 1] + row - 1


def _relative(path: str, folder: str) -> str:
    try:
        return Path(os.path.relpath(os.path.realpath(path), folder)).as_posix()
    except ValueError:  # another drive
        return Path(path).as_posix()


def _frontiers(
    projects: Iterable[Project], folder: str, facts: Facts, rows: Rows, cells: Cells
) -> tuple[Frontier, ...]:
    """Where the analysis without facts ceases to know. Its functions are those of facts with the same file,
    row of `def` or `lambda`, and last name: the names before that are written in another way."""
    files: set[str] = set()
    traced: set[tuple[str, int, str]] = set()
    for project in projects:
        files.update(map(os.path.realpath, project.reported))
        for each in traced_functions(project, {}, NOTHING).functions:
            if each.chain:
                name = each.place.message.rpartition(".")[2]
                note = each.place
                row = _row(note.filename, note.cell, note.span.row, cells)
                traced.add((os.path.realpath(note.filename), row, name))
    places = {
        key: (_place(folder, key), rows[key], split_key(key)[1].rpartition(".")[2].partition("#")[0])
        for key in facts.functions
        if key in rows
    }
    known = {key for key, place in places.items() if place in traced}
    return beliefs.frontiers(facts, known, {key for key, place in places.items() if place[0] in files})
