"""`jaxlint confirm`: the rules' claims run with the JAX that is installed, and what came of them.

In: the command line and the settings. Out: a report of verdicts, evidence where it is to be recorded, and 1
where JAX refutes a rule that is on by default. It imports no jax: that is for the children.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from jaxlint.configfile import Configuration
from jaxlint.settings import SettingsError

if TYPE_CHECKING:
    from jaxlint.confirm.job import Job
    from jaxlint.confirm.pool import Pool
    from jaxlint.confirm.verdict import Verdict
    from jaxlint.registry import Entry

PLATFORMS = ("cpu", "gpu", "tpu", "all")
INSTALL = "{python} cannot import jax ({why}); in a clone of jaxlint: pip install -e '.[confirm]'"


@click.command("confirm")
@click.argument("rules", nargs=-1, metavar="[CODE-or-NAME]...")
@click.option(
    "--platform",
    "platforms",
    multiple=True,
    type=click.Choice(PLATFORMS),
    help="Where to run: all that JAX sees by default.",
)
@click.option("-j", "--jobs", type=click.IntRange(1), help="Children at once; timings always run alone.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), help="Seconds that one claim may take.")
@click.option("--record", is_flag=True, help="Write the verdicts into the package, for `jaxlint rule`.")
@click.option("--output-format", type=click.Choice(["text", "json", "markdown"]), default="text")
@click.option("--output-file", metavar="FILE", help="Write the report there.")
@click.option("-q", "--quiet", is_flag=True, help="Only what is not confirmed.")
@click.option("--config", metavar="PATH", help="A configuration file.")
@click.option("--isolated", is_flag=True, help="Read no configuration file.")
def command(
    rules: tuple[str, ...],
    platforms: tuple[str, ...],
    jobs: int | None,
    timeout: float | None,
    record: bool,
    output_format: str,
    output_file: str | None,
    quiet: bool,
    config: str | None,
    isolated: bool,
) -> int:
    """Run what the rules claim about JAX, each claim in a process of its own: confirmed, refuted, or not
    runnable here.

    Ends with 1 where a rule that is on by default is refuted, with 2 where the run itself went wrong.
    """
    from jaxlint.confirm import evidence, report
    from jaxlint.confirm.plan import jobs_of
    from jaxlint.confirm.pool import Limits, NoJax, Pool
    from jaxlint.registry import registry

    settings = Configuration(file=config, isolated=isolated).for_folder(os.getcwd())
    known = registry(settings.plugins)
    entries = [known.entry(rule) for rule in rules] or list(known.entries)
    chosen = [entry.rule for entry in entries if entry.rule is not None]
    if not chosen:
        raise SettingsError(f"{entries[0].code} is a code of the tool itself: it claims nothing about JAX")
    limits = Limits(timeout or settings.confirm.timeout)
    try:
        with Pool(jobs=jobs or os.cpu_count() or 1, limits=limits) as pool:
            where = _platforms(platforms or settings.confirm.platforms, pool)
            planned = [replace(job, platform=platform) for platform in where for job in jobs_of(chosen)]
            with _progress(len(planned)) as seen:
                verdicts = pool.verdicts(planned, seen)
            python = pool.versions["python"]
    except NoJax as error:
        raise SettingsError(INSTALL.format(python=sys.executable, why=error)) from None
    if record:
        evidence.record(verdicts, python)
    text = report.FORMATS[output_format](verdicts, quiet=quiet)
    if output_file:
        with open(output_file, "w", encoding="utf-8", newline="\n") as file:
            file.write(text + "\n")
    else:
        click.echo(text)
    return int(refuted_by_default(verdicts, known.by_code))


def refuted_by_default(verdicts: Sequence[Verdict], entries: Mapping[str, Entry]) -> bool:
    """Whether a rule is refuted that is on by default."""
    refuted = [entries.get(row.code or "") for row in verdicts if row.verdict == "refuted"]
    return any(entry is not None and entry.on and not entry.nursery for entry in refuted)


def _platforms(wanted: Sequence[str], pool: Pool) -> Sequence[str]:
    if wanted and "all" not in wanted:
        if unknown := sorted(set(wanted) - set(PLATFORMS)):
            raise SettingsError(f"no platform `{unknown[0]}`: {', '.join(PLATFORMS)}")
        return list(dict.fromkeys(wanted))
    return pool.platforms()


class _progress:
    """A bar on standard error, where that is a terminal."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.started = total, 0, False

    def __enter__(self) -> _progress:
        return self

    def __call__(self, job: Job, verdict: Verdict) -> None:
        self.done += 1
        if sys.stderr.isatty():
            filled = 30 * self.done // self.total
            bar = "#" * filled + "-" * (30 - filled)
            line = f"[{bar}] {self.done}/{self.total} {job.code or job.name} {verdict.verdict}"
            sys.stderr.write(f"\r\x1b[K{line[:100]}")
            sys.stderr.flush()

    def __exit__(self, *error: object) -> None:
        if self.done and sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
