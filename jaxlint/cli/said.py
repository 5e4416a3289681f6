"""What `check` says beside its report: files, settings, limits that were reached, tracebacks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from jaxlint.cli.neutral import neutral
from jaxlint.project.settings import shown

if TYPE_CHECKING:
    from jaxlint.diagnostic import Diagnostic
    from jaxlint.project.discovery import Found
    from jaxlint.session.check import Check


def show_files(found: Found) -> int:
    for path in sorted(path for project in found.projects for path in project.reported):
        click.echo(neutral(path))
    return 0


def show_settings(found: Found) -> int:
    from jaxlint.rule.registry import registry

    pages = []
    for project in found.projects:
        settings = project.settings
        enabled = sorted(registry(settings.plugins).enabled(settings))
        lines = [f"# project {project.root}", f"# configuration file: {settings.origin or 'none'}"]
        lines += [f"{key} = {value}" for key, value in shown(settings)]
        lines.append(f"# rules that are on: {', '.join(enabled)}")
        pages.append("\n".join(map(neutral, lines)))
    click.echo("\n\n".join(pages))
    return 0


def say_projects(found: Found) -> None:
    from jaxlint.cli.report import says

    for project in found.projects:
        origin = project.settings.origin or "no configuration file"
        scope = "" if project.whole else ", only files connected by imports"
        says(
            f"project {project.root} ({origin}{scope}): {count_of_files(len(project.files))}, "
            f"{len(project.reported)} reported, jax {project.settings.target}"
        )


def say_without_effect(checks: Iterable[Check]) -> None:
    """Which selectors turn nothing on, as all that they mean are preview rules."""
    from jaxlint.cli.report import says

    for name in sorted({name for check in checks for name in check.without_effect}):
        says(f"selecting `{name}` has no effect without `--preview` or the setting `preview`")


def say_facts(checks: Iterable[Check], is_verbose: bool) -> None:
    """Which facts files are left out; and how much the others know, where that is wanted."""
    from jaxlint.cli.report import says

    for check in checks:
        for problem in check.problems:
            says(problem)
        facts = check.facts
        if is_verbose and facts is not None:
            hold, changed = facts.counts(check.tree_of)
            says(f"facts: functions that are as they were: {hold}; changed or gone: {changed}")


def say_limits(reached: Mapping[str, int]) -> None:
    """How often the analysis knew less than the program says, by the name of the limit."""
    from jaxlint.cli.report import says
    from jaxlint.ir.limits import LIMITS

    counts = [
        f"{name} (at most {LIMITS[name].most}): {count}" for name, count in sorted(reached.items()) if count
    ]
    if counts:
        says("limits of the analysis that were reached, and how often: " + ", ".join(counts))


def say_traces(found: Sequence[Diagnostic]) -> None:
    """Where jaxlint itself went wrong."""
    from jaxlint.cli.neutral import neutral_lines
    from jaxlint.cli.report import says

    for diagnostic in found:
        if diagnostic.trace:
            says(f"{os.path.relpath(diagnostic.filename)}: {diagnostic.message}")
            click.echo(neutral_lines(diagnostic.trace.rstrip()), err=True)


def count_of_files(number: int) -> str:
    return "1 file" if number == 1 else f"{number} files"
