"""`jaxlint observe`: a command of the user's, run as it is, and what its functions were seen to do.

In: the command line. Out: what the command itself writes, its exit status; a table on standard error, and on
request facts and a page. It is the one command of jaxlint that runs the user's code, and it does so because
it is asked to.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jaxlint.project.option import SettingsError

if TYPE_CHECKING:
    from jaxlint.observe.beliefs import Beliefs
    from jaxlint.observe.facts import Facts
    from jaxlint.observe.gather import Gatherer
    from jaxlint.observe.journals import Journals

_MARKERS = ("jaxlint.toml", ".jaxlint.toml", "pyproject.toml", "setup.py", "setup.cfg", ".git")


@click.command("observe", context_settings={"allow_interspersed_args": False})
@click.argument("words", nargs=-1, required=True, metavar="-- COMMAND...", type=click.UNPROCESSED)
@click.option("--facts", metavar="FILE", help="Write what was seen to this file, together with what it has.")
@click.option("--page", metavar="FILE", help="Write an HTML page of the facts.")
@click.option(
    "--root",
    "roots",
    multiple=True,
    metavar="FOLDER",
    help="Record functions below this folder only; may be given again. By default the project's.",
)
@click.option("--values", is_flag=True, help="Record static values themselves, not only type and hash.")
@click.option("--nans", is_flag=True, help="Record functions in which NaNs come into being; it is slow.")
@click.option("--leaks", is_flag=True, help="Turn JAX's leak check on: a program that leaks tracers raises.")
@click.option("--no-check", is_flag=True, help="Do not lint the project after the run.")
@click.option("-q", "--quiet", is_flag=True, help="Print no table.")
def command(words: tuple[str, ...], roots: tuple[str, ...], **flags: Any) -> int:
    """Run a command of yours as it is, and record what JAX traces and compiles in it.

    THIS EXECUTES YOUR PROGRAM, with your Python and your JAX: a script, `-m`, pytest with its workers. Its
    output and exit status are its own; what was seen goes to standard error. Then the project is linted, to
    say which findings lie on lines that ran.
    """
    from jaxlint.observe import journals
    from jaxlint.observe.cells import Notebooks
    from jaxlint.observe.run import JOURNALS, NotStarted, observation, prepared, run

    _check_files(flags)
    chosen = _roots(roots)
    with observation() as folder:
        config = {"roots": chosen, **{name: flags[name] for name in ("values", "nans", "leaks")}}
        try:
            status = run(words, prepared(folder, config, os.environ))
        except NotStarted as error:
            _say(str(error))
            return error.status
        try:
            found = journals.read(folder / JOURNALS, Notebooks(chosen))
            _report(found, chosen, flags)
        except (SettingsError, OSError) as error:
            # The program has run: what it ended with counts for more than what could not be kept of it.
            _say(f"facts not written: {getattr(error, 'strerror', None) or error}")
            return status or 2
    return status


def _say(text: str) -> None:
    from jaxlint.cli.report import says

    says(text)


def _check_files(flags: Mapping[str, Any]) -> None:
    """What is certain to go wrong in the end is said before the program runs.

    Raises:
        SettingsError: a folder is not there, or the facts file is not one.
    """
    from jaxlint.observe.facts import FactsError, read_facts

    for flag in ("facts", "page"):
        path = flags[flag]
        if path is not None and (not path or not os.path.isdir(os.path.dirname(os.path.abspath(path)))):
            raise SettingsError(f"--{flag}: no folder for `{path}`")
        if path is not None and os.path.isdir(path):
            raise SettingsError(f"--{flag}: `{path}` is a folder")
    if flags["facts"] and os.path.exists(flags["facts"]):
        try:
            read_facts(flags["facts"])
        except FactsError as error:
            raise SettingsError(f"facts `{flags['facts']}`: {error}") from None


def _roots(given: Sequence[str]) -> list[str]:
    """The folders that count: those given, or the nearest one upwards that is a project's.

    Raises:
        SettingsError: a folder is not there.
    """
    for folder in given:
        if not os.path.isdir(folder):
            raise SettingsError(f"--root: no folder `{folder}`")
    if given:
        return [os.path.realpath(folder) for folder in given]
    here = Path.cwd()
    home = Path.home()
    for above in [here, *here.parents]:
        if above in (home, Path(above.anchor)):
            break
        if any((above / marker).exists() for marker in _MARKERS):
            return [str(above)]
    return [str(here)]


def _report(found: Journals, roots: Sequence[str], flags: Mapping[str, Any]) -> None:
    """Writes and prints what was seen.

    Raises:
        SettingsError: the facts file has become one that cannot be read.
        OSError: a file cannot be written.
    """
    from jaxlint.observe.facts import FactsError
    from jaxlint.observe.gather import Gatherer, kept

    reason = nothing(found, roots)
    if reason:
        _say(f"nothing was recorded: {reason}")
        _say_notes(found)
        return
    folder = os.path.dirname(os.path.abspath(flags["facts"])) if flags["facts"] else roots[0]
    gatherer = Gatherer(folder)
    facts = gatherer.facts(found)
    if flags["facts"]:
        try:
            facts = kept(facts, flags["facts"])
        except FactsError as error:
            raise SettingsError(f"`{flags['facts']}`: {error}") from None
    linted = None
    if (flags["page"] or not flags["quiet"]) and not flags["no_check"]:
        linted = _linted(facts, gatherer, roots, is_full=bool(flags["page"]))
    if flags["page"]:
        _write_page(facts, gatherer, linted, flags["page"])
    if not flags["quiet"]:
        _print_table(facts, gatherer, linted, flags)
    _say_faults(found, gatherer)


def nothing(found: Journals, roots: Sequence[str]) -> str:
    """Why a run showed nothing; empty where it showed something."""
    from jaxlint.observe.recorder.recorder import OLDEST, numbers

    if not found.processes:
        return "the command started no Python that the recorder could be loaded in"
    if not found.jaxes:
        return f"JAX was not imported (Python {', '.join(sorted(found.pythons))})"
    if not found.seen:
        if all(numbers(version) < OLDEST for version in found.jaxes):
            oldest = ".".join(map(str, OLDEST))
            return f"JAX {', '.join(sorted(found.jaxes))} is older than {oldest}"
        below = ", ".join(map(os.path.relpath, roots))
        return (
            f"no notebook below {below} has the cells" if found.strays else f"no function below {below} ran"
        )
    return ""


def _linted(facts: Facts, gatherer: Gatherer, roots: Sequence[str], is_full: bool) -> Beliefs | None:
    """What linting says beside the facts; where it fails, a line says so, and that is all.

    is_full: also what was traced that linting does not know.
    """
    from jaxlint.failure import in_a_line
    from jaxlint.session.observed_findings import compared

    config = os.environ.get("JAXLINT_CONFIG") or None
    rows = gatherer.rows_of(facts)
    try:
        return compared(roots, gatherer.folder, facts, rows, config=config, with_frontiers=is_full)
    except SettingsError as error:
        _say(f"not linted: {error}")
    except KeyboardInterrupt:
        _say("not linted: interrupted")
    except Exception as error:
        _say(f"not linted: {in_a_line(error)}")
    return None


def _write_page(facts: Facts, gatherer: Gatherer, linted: Beliefs | None, path: str) -> None:
    from jaxlint.cli.neutral import neutral_lines
    from jaxlint.observe.page import Rule, html
    from jaxlint.report.render import URL
    from jaxlint.rule.registry import registry
    from jaxlint.source.atomic import write_atomically

    entries = registry(()).entries
    rules = {}
    for each in entries:
        if each.rule is not None:
            error = "" if each.rule.claim is None else each.rule.claim.error
            rules[each.code] = Rule(each.name, URL.format(name=each.name), error)
    text = neutral_lines(html(facts, gatherer.rows_of(facts), rules, linted))
    write_atomically(os.path.abspath(path), text.encode("utf-8", "backslashreplace"))


def _print_table(facts: Facts, gatherer: Gatherer, linted: Beliefs | None, flags: Mapping[str, Any]) -> None:
    from jaxlint.cli.neutral import neutral
    from jaxlint.observe import beliefs
    from jaxlint.observe.page import summary
    from jaxlint.observe.table import lines

    sys.stdout.flush()
    _say(summary(facts))
    for line in lines(facts, gatherer.rows_of(facts), gatherer.folder):
        click.echo(neutral(line), err=True)
    if linted is not None:
        _say(beliefs.summary(linted.findings))
        for problem in linted.problems:
            _say(problem)
    for flag, what in (("facts", "facts"), ("page", "page")):
        if flags[flag]:
            _say(f"{what}: {flags[flag]}")


def _say_notes(found: Journals) -> None:
    for note in sorted(found.notes):
        _say(note)


def _say_faults(found: Journals, gatherer: Gatherer) -> None:
    """What is missing, one line each."""
    _say_notes(found)
    if found.cut:
        _say(
            f"{found.cut} {'line' if found.cut == 1 else 'lines'} of journals were cut: a process was killed"
        )
    if gatherer.lost:
        count = gatherer.lost
        _say(f"{count} {'function is' if count == 1 else 'functions are'} not in the files as they are now")
    if found.strays:
        cells = "1 cell" if found.strays == 1 else f"{found.strays} cells"
        _say(f"functions of {cells} are left out: no notebook of the project has what ran")
    faults = found.faults.total()
    if faults or found.dropped:
        first = f" ({found.faults.most_common(1)[0][0]})" if faults else ""
        _say(f"the recorder missed something {faults + found.dropped} times{first}; please report it")
