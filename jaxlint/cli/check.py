"""`jaxlint check`: paths and flags to a report and an exit status.

In: the command line. Out: what is printed, files with their fixes written, 0 or 1; errors of the run leave as
exceptions. It ties the parts together and holds no knowledge of rules or of formats.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, redirect_stderr
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TextIO

import click

from jaxlint.cli.flag import CommandWithOptionalValues, flags_of_check, overrides
from jaxlint.cli.neutral import neutral
from jaxlint.cli.said import (
    say_facts,
    say_limits,
    say_projects,
    say_traces,
    say_without_effect,
    show_files,
    show_settings,
)
from jaxlint.cli.written import add_ignores, say_stale, stale_entries, write_baselines
from jaxlint.project.configuration import Configuration
from jaxlint.project.option import SettingsError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from jaxlint.cli.report import Report
    from jaxlint.diagnostic import Diagnostic
    from jaxlint.project.discovery import Found
    from jaxlint.session.check import Check, FixedFile
    from jaxlint.session.session import Session

STDIN = "-"


@click.command("check", cls=CommandWithOptionalValues)
@flags_of_check
@click.pass_context
def command(context: click.Context, /, **flags: Any) -> int:
    """Lint files and folders; without a path, the current folder.

    `-` reads standard input. Only the given paths are reported; the whole project is analyzed. The exit
    status is 0 if there are no findings, 1 if there are, 2 if the run failed.
    """
    with redirect_stderr(_nowhere()) if flags["silent"] else nullcontext():
        return _status(flags, is_process=bool(context.obj))


def _status(flags: Mapping[str, Any], is_process: bool) -> int:
    run = _Run(flags)
    session = run.new_session()
    try:
        if not flags["watch"]:
            if is_process:
                gc.disable()  # the process ends with this command
            return run.status(session)
        from jaxlint.cli.watch import watched

        if run.is_stdin:
            raise SettingsError("--watch goes with files, not with `-` (standard input)")
        if run.is_diff:
            raise SettingsError("--watch does not go with --diff")
        # A configuration is read anew in each round.
        return watched(lambda: _Run(flags).status(session), lambda: _Run(flags).found())
    except BaseException:
        session.stop()
        raise
    finally:
        session.close()


@dataclass
class _Outcome:
    """The files that fixes changed, what is left, and which files could not be written."""

    files: list[FixedFile] = field(default_factory=list)
    left: list[Diagnostic] = field(default_factory=list)
    unwritten: set[str] = field(default_factory=set)


class _Run:
    """One run of `check`."""

    def __init__(self, flags: Mapping[str, Any]) -> None:
        self.flags = flags
        given = overrides(flags)
        file, inline = _configurations(flags["config"])
        if file is None and not flags["isolated"]:
            file = os.environ.get("JAXLINT_CONFIG") or None
        self.configuration = Configuration(
            file=file, isolated=flags["isolated"], inline=inline, overrides=given
        )
        paths: Sequence[str] = flags["paths"]
        self.is_stdin = STDIN in paths or (not paths and flags["stdin_filename"] is not None)
        if self.is_stdin and len(paths) > 1:
            raise SettingsError("`-` (standard input) goes with no other path")
        self.paths = [] if self.is_stdin else list(paths or ["."])
        self.stdin_path = _place_of(flags["stdin_filename"] or STDIN)
        self.unsaved: dict[str, bytes] = {}
        self.checks: list[Check] = []
        self.quiet = flags["quiet"] or flags["silent"]
        own = self.configuration.for_folder(os.getcwd())

        def wanted(name: str, otherwise: bool) -> bool:
            return bool(otherwise if flags[name] is None else flags[name])

        # What settings say of fixes is of runs that report.
        given_reasons = [name for name in ("add_ignore", "add_noqa") if flags[name] is not None]
        if len(given_reasons) > 1:
            raise SettingsError("--add-ignore does not go with --add-noqa")
        reports = not given_reasons and not flags["write_baseline"]
        self.unsafe = wanted("unsafe_fixes", own.unsafe_fixes)
        self.shows_fixes = wanted("show_fixes", own.show_fixes)
        self.is_diff = flags["diff"]
        only = own.fix_only and reports and flags["fix"] is None
        self.is_fix_only = wanted("fix_only", only) or self.is_diff
        self.is_fix = wanted("fix", own.fix and reports) or self.is_fix_only
        for name in ("add_ignore", "add_noqa", "write_baseline"):
            if flags[name] not in (None, False) and (self.is_stdin or self.is_fix):
                other = "`-` (standard input)" if self.is_stdin else _fixing(flags)
                raise SettingsError(f"--{name.replace('_', '-')} does not go with {other}")
        if given_reasons and flags["write_baseline"]:
            name = given_reasons[0].replace("_", "-")
            raise SettingsError(f"--{name} does not go with --write-baseline")
        self.is_observed_only = flags["only_observed"]
        if self.is_observed_only and (given_reasons or flags["write_baseline"] or self.is_fix):
            name = "write_baseline" if flags["write_baseline"] else [*given_reasons, ""][0]
            other = f"--{name.replace('_', '-')}" if name else _fixing(flags)
            raise SettingsError(f"--only-observed does not go with {other}")
        self.reason = _reason(given_reasons[0], flags[given_reasons[0]]) if given_reasons else None

    def found(self) -> Found:
        from jaxlint.project.discovery import find_projects

        unsaved = [self.stdin_path] if self.is_stdin else []
        return find_projects(self.paths, self.configuration, unsaved=unsaved)

    def new_session(self) -> Session:
        from jaxlint.cli.progress import progress_of
        from jaxlint.cli.report import says
        from jaxlint.session.session import Session

        flags = self.flags
        progress = progress_of(self.quiet)

        def say(text: str) -> None:
            progress.erase()
            says(text)

        return Session(
            cache=not flags["no_cache"],
            jobs=os.cpu_count() if flags["jobs"] == 0 else flags["jobs"],
            is_lasting=self.is_fix or flags["watch"],
            executor=self._executor(),
            say=say if flags["verbose"] else None,
            warn=None if self.quiet else say,
            progress=progress,
        )

    def status(self, session: Session) -> int:
        from jaxlint.cli.report import says

        flags = self.flags
        found = self.found()
        if flags["show_files"]:
            return show_files(found)
        if flags["show_settings"]:
            return show_settings(found)
        if self.is_stdin:
            self.unsaved[self.stdin_path] = _standard_input()
        for path in self.paths:
            if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
                # A pipe, as of `jaxlint <(git show HEAD:a.py)`, can be read only once.
                with open(path, "rb") as file:
                    self.unsaved[_place_of(path)] = file.read()
        if not self.quiet:
            if not found.projects and not self.is_stdin:
                says("no Python files found under " + ", ".join(f"`{path}`" for path in self.paths))
        if flags["verbose"]:
            say_projects(found)
        return self._checked(found, session)

    def _checked(self, found: Found, session: Session) -> int:
        from jaxlint.cli.report import require_format

        flags = self.flags
        format = self.configuration.for_folder(os.getcwd()).output_format
        require_format(format or "concise", flags["statistics"])
        checks = self.checks = self._checks_of(found, session)
        session.analyse([pending for check in checks if (pending := check.pending) is not None])
        if self.reason is not None:
            for check in checks:
                # What is wrong with the settings of any project is known before a file is changed.
                _ = check.diagnostics
            session.progress.close()
            return add_ignores(checks, self.reason, flags["add_noqa"] is not None)
        if flags["write_baseline"]:
            return write_baselines(checks, session)
        outcome = self._fixed(checks, session) if self.is_fix else _Outcome()
        if not self.is_fix:
            outcome.left = [found for check in checks for found in self._wanted(check)]
        session.progress.close()
        if not self.quiet:
            say_without_effect(checks)
        if self.is_stdin and self.is_fix:
            self._write_stdin(outcome.files)
        return self._reported(checks, session, outcome, format)

    def _checks_of(self, found: Found, session: Session) -> list[Check]:
        """A check of each project, of which the baseline, if there is one, can be read.

        Raises:
            SettingsError: a baseline is asked for and none is named, or it is wrong.
        """
        from jaxlint.diagnostic import Severity
        from jaxlint.session.check import Check

        flags = self.flags
        if self.is_observed_only and not any(each.settings.facts for each in found.projects):
            raise SettingsError("--only-observed needs --facts FILE or the setting `facts`")
        if flags["write_baseline"] or flags["baseline_strict"]:
            for project in found.projects:
                if project.settings.baseline is None:
                    name = "--write-baseline" if flags["write_baseline"] else "--baseline-strict"
                    raise SettingsError(f"{name} needs --baseline FILE or the setting `baseline`")
        checks = [
            Check(
                project,
                unsaved=self.unsaved,
                honour=not flags["ignore_noqa"],
                lowest=Severity(flags["min_severity"]),
                session=session,
                baseline=not flags["write_baseline"],
            )
            for project in found.projects
        ]
        for check in checks:
            _ = check.baseline  # what is wrong with it is told before the work is done
        say_facts(checks, flags["verbose"])
        return checks

    def _wanted(self, check: Check) -> Sequence[Diagnostic]:
        """What is reported of a project: what ended the analysis of a file in any case."""
        from jaxlint.report.suppression import FAILURES

        found = check.diagnostics
        if not self.is_observed_only:
            return found
        return [each for each in found if each.observed or each.code in FAILURES]

    def _fixed(self, checks: Sequence[Check], session: Session) -> _Outcome:
        """Fixes the files of all projects, and writes them where that is asked for."""
        outcome = _Outcome()
        for check in checks:
            try:
                changed, rest = check.fixed(self.unsafe)
            except SettingsError:
                raise
            except Exception as error:
                outcome.left += [*check.diagnostics, check.internal_error(error)]
                continue
            session.progress.close()
            failed = self._write(changed)
            outcome.files += [file for file in changed if file.path not in failed]
            # What was to be fixed, and what that would have settled elsewhere, is still there.
            outcome.left += check.again() if failed else rest
            outcome.unwritten |= failed
        return outcome

    def _reported(
        self, checks: Sequence[Check], session: Session, outcome: _Outcome, format: str | None
    ) -> int:
        """Prints the report; the exit status."""
        from jaxlint.cli.formats import UTF_8
        from jaxlint.cli.report import default_format
        from jaxlint.diagnostic import Diagnostic
        from jaxlint.session.check import INTERNAL_ERROR

        flags = self.flags
        left = [self._named(diagnostic) for diagnostic in sorted(outcome.left, key=Diagnostic.sort_key)]
        fixed = sum(len(file.outcome.applied) for file in outcome.files)
        stale = stale_entries(checks) if flags["baseline_strict"] else []
        target: Any = nullcontext(self._stream())
        if flags["output_file"] is not None:
            target = _opened(flags["output_file"])
        with target as stream:
            format = format or default_format(stream)
            if format in UTF_8 and hasattr(stream, "reconfigure"):
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")
            report = self._report(format, stream, checks)
            known = sum(check.matched.known for check in checks)
            left = [*self._print(report, outcome.files, left, fixed, known, len(stale))]
        say_stale(stale)
        if flags["verbose"]:
            say_limits(session.reached)
            say_traces(left)
        if outcome.unwritten or any(diagnostic.code == INTERNAL_ERROR for diagnostic in left):
            return 2
        if flags["exit_zero"]:
            return 0
        if stale or (fixed and (self.is_diff or flags["exit_non_zero_on_fix"])):
            return 1
        return 1 if left and not self.is_fix_only else 0

    def _executor(self) -> Executor | None:
        if self.flags["executor"] is None:
            return None
        from jaxlint.session.cluster import executor_of

        return executor_of(self.flags["executor"])

    def _print(
        self,
        report: Report,
        files: Sequence[FixedFile],
        left: Sequence[Diagnostic],
        fixed: int,
        known: int,
        gone: int,
    ) -> Sequence[Diagnostic]:
        """Prints what is to be printed. Gives what is left, with what went wrong in printing it. `known`: how
        many findings the baseline has; `gone`: how many of its entries match nothing, where that is asked."""
        from jaxlint.cli.report import says

        quiet = self.quiet
        if self.is_diff:
            report.difference(files)
            if not quiet:
                says(f"{fixed} {'fix' if fixed == 1 else 'fixes'} would be applied")
        elif self.is_fix_only:
            if self.shows_fixes:
                report.fixes(files)
            if not quiet:
                says(f"{fixed} {'fix' if fixed == 1 else 'fixes'} applied")
        else:
            if self.flags["statistics"]:
                report.statistics(left)
            else:
                left = report.diagnostics(left)
            if self.shows_fixes:
                report.fixes(files)
            report.summary(left, fixed, known, gone)
        return left

    def _report(self, format: str, stream: TextIO, checks: Sequence[Check]) -> Report:
        from jaxlint.cli.report import Report, is_coloured

        plugins = tuple(dict.fromkeys(name for check in checks for name in check.project.settings.plugins))
        return Report(
            format=format,
            stream=stream,
            colour=is_coloured(self.flags["color"], stream),
            unsafe_fixes=self.unsafe,
            quiet=self.quiet,
            text_of=self._text_of,
            plugins=plugins,
        )

    def _stream(self) -> TextIO:
        """Standard output, unless the fixed text itself goes there, or nothing is to be printed."""
        if self.flags["silent"]:
            return _nowhere()
        return sys.stderr if self.is_stdin and self.is_fix and not self.is_diff else sys.stdout

    def _text_of(self, filename: str, cell: int | None) -> str | None:
        path = self.stdin_path if filename == STDIN else filename
        check = next((each for each in self.checks if path in each.project.by_path), None)
        document = None if check is None else check.document(path)
        return None if document is None else document.text_of(cell)

    def _named(self, diagnostic: Diagnostic) -> Diagnostic:
        """Text from standard input without a name is reported under `-`."""
        if not self.is_stdin or self.flags["stdin_filename"] or diagnostic.filename != self.stdin_path:
            return diagnostic
        return replace(diagnostic, filename=STDIN)

    def _write(self, files: Sequence[FixedFile]) -> set[str]:
        """Write what was fixed. Gives the files that could not be written."""
        from jaxlint.cli.report import says
        from jaxlint.failure import in_a_line
        from jaxlint.fixes.apply import Unwritable, encoded, write_fixed
        from jaxlint.source.text import UnreadableSource

        failed = set()
        for file in files:
            name = os.path.relpath(file.path)
            if file.outcome.broken:
                codes = ", ".join(sorted(file.outcome.broken))
                says(f"{name}: fixes of {codes} are left out: they make a syntax error")
            if not file.outcome.is_stable:
                says(f"{name}: the fixes do not converge")
            if self.is_diff or file.before.text == file.outcome.text:
                continue
            try:
                if self.is_stdin:  # it goes to standard output
                    encoded(file.before, file.outcome.text)
                else:
                    write_fixed(file.path, file.before.text, file.outcome.text, file.before.reread)
            except (Unwritable, UnreadableSource) as error:
                says(f"{name}: not fixed: {error.reason}")
                failed.add(file.path)
            except Exception as error:
                says(f"{name}: not fixed: internal error: {in_a_line(error)}")
                failed.add(file.path)
        return failed

    def _write_stdin(self, files: Sequence[FixedFile]) -> None:
        """The text from standard input as it is fixed, or as it was, to standard output."""
        data = self.unsaved[self.stdin_path]
        for file in files:
            data = file.before.with_text(file.outcome.text).encode()
        self.unsaved[self.stdin_path] = data
        if not self.is_diff:
            sys.stdout.buffer.write(data)


def _place_of(path: str) -> str:
    """The name that a path of the command line goes under in its project."""
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(folder), name)


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise SettingsError("standard input is closed")
    return sys.stdin.buffer.read()


def _fixing(flags: Mapping[str, Any]) -> str:
    """The flag by which files would be fixed."""
    return next(f"--{name.replace('_', '-')}" for name in ("diff", "fix_only", "fix") if flags[name])


def _configurations(given: Sequence[str]) -> tuple[str | None, list[str]]:
    """The configuration file and the single settings among the values of --config."""
    files = [text for text in given if "=" not in text or os.path.isfile(text)]
    if len(files) > 1:
        raise SettingsError(f"command line: --config names two files, `{files[0]}` and `{files[1]}`")
    return (files[0] if files else None), [text for text in given if text not in files]


def _opened(path: str) -> TextIO:
    try:
        return open(path, "w", encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise SettingsError(f"--output-file `{path}`: {error.strerror or error}") from None


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")


def _reason(name: str, given: str) -> str:
    """The reason of --add-ignore or --add-noqa; empty without one."""
    from jaxlint.report.ignores import is_reason

    flag = f"--{name.replace('_', '-')}"
    reason = given.strip()
    if neutral(reason) != reason:
        raise SettingsError(f"{flag}: a reason is one line without control characters")
    if not is_reason(reason):
        raise SettingsError(f"{flag}: the reason would be read as a suppression comment of its own")
    return reason
