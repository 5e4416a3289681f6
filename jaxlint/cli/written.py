"""What `check` writes instead of a report: ignore comments and baselines."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.project.option import SettingsError

if TYPE_CHECKING:
    from jaxlint.report.baseline import Entry
    from jaxlint.session.check import Check
    from jaxlint.session.session import Session


def add_ignores(checks: Sequence[Check], reason: str, noqa: bool) -> int:
    """Add an ignore comment for each finding; 0, or 2 where a file could not be written."""
    from jaxlint.cli.report import says
    from jaxlint.fixes.apply import Unwritable, write_fixed
    from jaxlint.report.suppression import add_ignores

    added = 0
    status = 0
    for check in checks:
        for path in sorted({diagnostic.filename for diagnostic in check.diagnostics}):
            document = check.document(path)
            if document is None:
                continue
            found = [diagnostic for diagnostic in check.matched.new if diagnostic.filename == path]
            before = document.source.text
            text = add_ignores(before, found, reason, document.plain, noqa)
            if text == before:
                continue
            try:
                write_fixed(path, before, text, document.source.reread)
            except Unwritable as error:
                says(f"{os.path.relpath(path)}: not changed: {error.reason}")
                status = 2
            else:
                added += len(found)
    says(f"ignore comments added for {added} {'finding' if added == 1 else 'findings'}")
    return status


def write_baselines(checks: Sequence[Check], session: Session) -> int:
    """Write the findings to the baselines of their projects; 0, or 2 where something could not be analyzed or
    written."""
    from jaxlint.cli.report import says
    from jaxlint.report.baseline import Baseline
    from jaxlint.session.check import INTERNAL_ERROR
    from jaxlint.source.atomic import write_atomically

    found: dict[str, Baseline] = {}
    failed = []
    for check in checks:
        path = os.path.abspath(check.project.settings.baseline or "")
        if path not in found:
            found[path] = Baseline.read(path) if os.path.lexists(path) else Baseline(path)
        failed += check.put_into(found[path])
    session.progress.close()
    status = 2 if any(each.code == INTERNAL_ERROR for each in failed) else 0
    for each in failed:
        place = f"{os.path.relpath(each.filename)}:{each.span.row}"
        says(f"{place}: not in the baseline: {each.code} {each.message}")
    for path, baseline in found.items():
        name, count = os.path.relpath(path), baseline.counts.total()
        try:
            write_atomically(path, baseline.text().encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise SettingsError(f"baseline `{name}`: not written: {error.strerror or error}") from None
        says(f"{name}: {count} known {'finding' if count == 1 else 'findings'}")
    return status


def stale_entries(checks: Sequence[Check]) -> list[tuple[str, Entry]]:
    """The entries of baselines that nothing matches."""
    return sorted(
        {
            (check.baseline.path, entry)
            for check in checks
            if check.baseline is not None
            for entry in check.matched.stale
        }
    )


def say_stale(rows: Sequence[tuple[str, Entry]]) -> None:
    """Says which entries of baselines nothing matches."""
    from jaxlint.cli.report import says

    for path, entry in rows:
        where = f" in `{entry.scope}`" if entry.scope else ""
        says(f"{os.path.relpath(path)}: gone: {entry.path}: {entry.rule}{where}: {entry.line}")
