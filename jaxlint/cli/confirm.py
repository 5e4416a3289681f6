"""`jaxlint confirm`: the rules' claims run with the JAX that is installed, and what came of them.

In: the command line and the settings. Out: a report of verdicts, evidence where it is to be recorded, and 1
where JAX refutes a rule that is on by default. It imports no jax: that is for the children.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from jaxlint.cli import complete
from jaxlint.project.configuration import Configuration
from jaxlint.project.option import SettingsError, meant

if TYPE_CHECKING:
    from jaxlint.confirm.job import Job
    from jaxlint.confirm.pool import Pool
    from jaxlint.confirm.verdict import Verdict
    from jaxlint.rule.registry import Entry

PLATFORMS = ("cpu", "gpu", "tpu", "all")
MOST = 8
"""Children at once where nothing is said: each has XLA's threads, which are as many as there are cores."""
INSTALL = "{python} cannot import jax ({why}); in a clone of jaxlint: pip install -e '.[confirm]'"


@click.command("confirm")
@click.argument("rules", nargs=-1, metavar="[CODE-or-NAME]...", shell_complete=complete.rule)
@click.option(
    "--platform",
    multiple=True,
    type=click.Choice(PLATFORMS),
    help="Platforms to run on; by default all that JAX sees.",
)
@click.option(
    "--folklore", is_flag=True, help="Run common statements about JAX instead of the rules' claims."
)
@click.option(
    "--jax", metavar="X.Y.Z,...", help="Run with these versions of JAX, which pip installs for the run."
)
@click.option("-j", "--jobs", type=click.IntRange(1), help="Claims run at once; timings always run alone.")
@click.option(
    "--timeout", type=click.FloatRange(0, min_open=True), help="Time limit of one claim in seconds."
)
@click.option("--record", is_flag=True, help="Record the verdicts in the package, for `jaxlint rule`.")
@click.option("--output-format", type=click.Choice(["text", "json", "markdown", "html"]), default="text")
@click.option("--output-file", metavar="FILE", help="Write the report to a file.")
@click.option("-q", "--quiet", is_flag=True, help="Print only claims that are not confirmed.")
@click.option("--config", metavar="PATH", help="A configuration file.")
@click.option("--isolated", is_flag=True, help="Read no configuration file.")
@click.option("--no-plugins", is_flag=True, help="Do not import the plugins of the configuration.")
def command(**flags: Any) -> int:
    """Run what the rules claim about JAX, each claim in a process of its own: confirmed, refuted, or not
    runnable here.

    Ends with 1 where a rule that is on by default is refuted, with 2 where the run itself went wrong or no
    claim could be decided.
    """
    return _Run(flags).status()


class _Run:
    """One run of `confirm`."""

    def __init__(self, flags: Mapping[str, Any]) -> None:
        from jaxlint.rule.registry import registry

        self.flags = flags
        overrides: dict[str, Any] | None = {"plugins": []} if flags["no_plugins"] else None
        configuration = Configuration(file=flags["config"], isolated=flags["isolated"], overrides=overrides)
        self.settings = configuration.for_folder(os.getcwd())
        self.registry = registry(self.settings.plugins)
        self.versions: Sequence[str] = _versions(flags["jax"]) if flags["jax"] else ()
        if flags["folklore"] and self.versions:
            raise SettingsError("--folklore and --jax do not go together")
        self.entries = _folklore(flags["rules"]) if flags["folklore"] else ()
        self.jobs = self._jobs()

    def _jobs(self) -> Sequence[Job]:
        from jaxlint.confirm.folklore import trial
        from jaxlint.confirm.plan import jobs_of

        if self.flags["folklore"]:
            return trial.jobs_of(self.entries)
        chosen = [self.registry.entry(rule) for rule in self.flags["rules"]] or self.registry.entries
        rules = [entry.rule for entry in chosen if entry.rule is not None]
        if not rules:
            raise SettingsError(f"{chosen[0].code} is a code of the tool itself: it claims nothing about JAX")
        jobs = jobs_of(rules)
        if not jobs:
            raise SettingsError(f"{', '.join(each.code for each in rules)}: no claims that could be run")
        return jobs

    def status(self) -> int:
        from jaxlint.confirm.matrix import newest_first
        from jaxlint.confirm.verdict import CONFIRMED, REFUTED

        verdicts = self._of_versions() if self.versions else self._of_interpreter(sys.executable)
        self._write(verdicts)
        newest = newest_first(row.jax for row in verdicts)[:1]
        judged = [row for row in verdicts if row.jax in newest]
        if not any(row.verdict in (CONFIRMED, REFUTED) for row in verdicts):
            return 2
        return int(refuted_by_default(judged, self.registry.by_code))

    def _of_interpreter(self, python: str) -> list[Verdict]:
        from jaxlint.confirm import evidence
        from jaxlint.confirm.pool import Limits, NoJax, Pool

        limits = Limits(self.flags["timeout"] or self.settings.confirm.timeout)
        try:
            jobs = self.flags["jobs"] or min(os.cpu_count() or 1, MOST)
            with Pool(python, jobs, limits) as pool:
                where = self._platforms(pool)
                planned = [replace(job, platform=platform) for platform in where for job in self.jobs]
                with _Progress(len(planned), pool.versions["jax"]) as progress:
                    verdicts = pool.verdicts(planned, progress)
                if self.flags["record"]:
                    folder = evidence.FOLKLORE if self.flags["folklore"] else evidence.FOLDER
                    evidence.record(verdicts, pool.versions["python"], folder)
        except NoJax as error:
            if self.versions:
                raise
            raise SettingsError(INSTALL.format(python=sys.executable, why=error)) from None
        return verdicts

    def _of_versions(self) -> list[Verdict]:
        from jaxlint.confirm.environment import interpreter_with
        from jaxlint.confirm.pool import NoJax
        from jaxlint.confirm.verdict import NOT_RUNNABLE, Verdict

        verdicts: list[Verdict] = []
        for version in self.versions:
            try:
                with interpreter_with(version) as python:
                    verdicts += self._of_interpreter(python)
            except NoJax as error:
                click.echo(f"jaxlint: JAX {version} was not run: {error}", err=True)
                verdicts += [
                    Verdict(
                        job.code, job.name, job.statement, NOT_RUNNABLE, "cpu", jax=version, detail=str(error)
                    )
                    for job in self.jobs
                ]
        return verdicts

    def _platforms(self, pool: Pool) -> Sequence[str]:
        wanted: Sequence[str] = self.flags["platform"] or self.settings.confirm.platforms
        if unknown := sorted(set(wanted) - set(PLATFORMS)):
            raise SettingsError(f"no platform `{unknown[0]}`{meant(unknown[0], PLATFORMS)}")
        if wanted and "all" not in wanted:
            return list(dict.fromkeys(wanted))
        return pool.platforms()

    def _write(self, verdicts: Sequence[Verdict]) -> None:
        text = self._report(verdicts)
        if path := self.flags["output_file"]:
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.write(text + "\n")
        else:
            click.echo(text)

    def _report(self, verdicts: Sequence[Verdict]) -> str:
        from jaxlint.confirm import matrix, page, report
        from jaxlint.confirm.folklore import trial

        form, quiet = self.flags["output_format"], self.flags["quiet"]
        if form == "html":
            return page.html(verdicts, quiet=quiet)
        if form != "json" and self.flags["folklore"]:
            size = len(self.jobs)
            platforms = [verdicts[start : start + size] for start in range(0, len(verdicts), size)]
            trials = [trial.trials_of(self.entries, rows) for rows in platforms]
            return "\n\n".join(trial.FORMATS[form](each, quiet=quiet) for each in trials)
        if form != "json" and self.versions:
            shown: Callable[..., str] = matrix.markdown if form == "markdown" else matrix.text
            return shown(verdicts, quiet=quiet)
        return report.FORMATS[form](verdicts, quiet=quiet)


def refuted_by_default(verdicts: Sequence[Verdict], entries: Mapping[str, Entry]) -> bool:
    """Whether a rule is refuted that is on by default."""
    refuted = [entries.get(row.code or "") for row in verdicts if row.verdict == "refuted"]
    return any(entry is not None and entry.on and not entry.nursery for entry in refuted)


def _versions(text: str) -> list[str]:
    versions = [each.strip() for each in text.split(",")]
    if wrong := [each for each in versions if not re.fullmatch(r"\d+\.\d+\.\d+(\.\d+)?", each)]:
        raise SettingsError(f"--jax takes versions such as 0.6.2, by comma, and `{wrong[0]}` is none")
    return list(dict.fromkeys(versions))


def _folklore(names: Sequence[str]) -> Sequence[Any]:
    from jaxlint.confirm.folklore import ENTRIES

    known = {entry.name: entry for entry in ENTRIES}
    if wrong := [name for name in names if name not in known]:
        raise SettingsError(f"no folklore `{wrong[0]}`{meant(wrong[0], known)}")
    return [known[name] for name in names] or ENTRIES


class _Progress:
    """A bar on standard error, where that is a terminal."""

    def __init__(self, total: int, version: str) -> None:
        self.total, self.version, self.done = total, version, 0

    def __enter__(self) -> _Progress:
        return self

    def __call__(self, job: Job, verdict: Verdict) -> None:
        self.done += 1
        if sys.stderr.isatty():
            filled = 30 * self.done // self.total
            bar = "#" * filled + "-" * (30 - filled)
            line = f"jax {self.version} [{bar}] {self.done}/{self.total} {job.name} {verdict.verdict}"
            sys.stderr.write(f"\r\x1b[K{line[:100]}")
            sys.stderr.flush()

    def __exit__(self, *error: object) -> None:
        if self.done and sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
