"""`jaxlint analyze traces`: which functions are traced, by what, and with which arguments static.

In: paths. Out: what the analysis believes of each function, as text, JSON, a graph or a page. It reports no
findings.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence

import click

from jaxlint.cli.neutral import neutral
from jaxlint.diagnostic import Note
from jaxlint.project.configuration import Configuration
from jaxlint.report.tracedness import Traced

FORMATS = ("text", "json", "dot", "html")


@click.command("traces")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option("--all", "everything", is_flag=True, help="List the functions too that are not traced.")
@click.option("--output-format", type=click.Choice(FORMATS), default="text", help="Format of the output.")
@click.option("--config", metavar="PATH", help="A configuration file.")
@click.option("--isolated", is_flag=True, help="Read no configuration file.")
@click.option(
    "--facts",
    multiple=True,
    metavar="FILE",
    help="A file of what runs showed, as `jaxlint observe` writes it.",
)
def command(
    paths: Sequence[str],
    everything: bool,
    output_format: str,
    config: str | None,
    isolated: bool,
    facts: Sequence[str],
) -> int:
    """Show which functions run while JAX traces, and why.

    For each function: the way from the transform to it, and what its parameters are in traced calls.
    """
    from jaxlint.cli.report import says
    from jaxlint.project.discovery import find_projects
    from jaxlint.session.observed import observed
    from jaxlint.session.state import traced_functions

    found: list[Traced] = []
    status = 0
    configuration = Configuration(
        file=config, isolated=isolated, overrides={"facts": list(facts)} if facts else {}
    )
    for project in find_projects(paths or ["."], configuration).projects:
        known = observed(project)
        for problem in known.problems:
            says(problem)
        believed = traced_functions(project, {}, known)
        found += believed.functions
        for path, problem in sorted(believed.unread.items()):
            says(f"{os.path.relpath(path)}: its functions are not known: {problem}")
        for failure in believed.failures:
            says(f"{os.path.relpath(failure.path) if failure.path else '?'}: {failure.message}")
            status = 2
    shown = found if everything or output_format == "json" else [each for each in found if each.chain]
    if output_format == "json":
        click.echo(json.dumps([each.to_json() for each in shown], indent=2))
    elif output_format == "dot":
        click.echo("\n".join(_dot(shown)))
    elif output_format == "html":
        from jaxlint.cli.formats.traces_page import page

        by_chain = _by_chain(found)
        traced = [each for each in found if each.chain]
        click.echo(page(traced, _place, lambda chain: _caller(chain, by_chain), len(found)), nl=False)
    else:
        for each in shown:
            click.echo("\n".join(_text(each)))
        count = sum(bool(each.chain) for each in found)
        click.echo(f"{count} of {len(found)} {'function is' if len(found) == 1 else 'functions are'} traced")
    return status


def _place(note: Note) -> str:
    cell = "" if note.cell is None else f"cell {note.cell}:"
    return neutral(f"{_path(note)}:{cell}{note.span.row}")


def _path(note: Note) -> str:
    """Relative where the file lies below the working folder."""
    path = os.path.relpath(note.filename)
    return note.filename if path.startswith(os.pardir) else path


def _text(function: Traced) -> Iterable[str]:
    kind = "is traced" if function.chain else "is not traced"
    also = ", and runs untraced too" if function.chain and function.is_plain else ""
    yield f"{_place(function.place)}: `{neutral(function.place.message)}` {kind}{also}"
    for note in function.chain:
        yield f"    {_place(note)}: {neutral(note.message)}"
    by_kind: dict[str, list[str]] = {}
    for name, what in function.arguments:
        by_kind.setdefault(what, []).append(neutral(name))
    for what, names in sorted(by_kind.items()):
        yield f"    {what}: {', '.join(names)}"


def _dot(functions: Sequence[Traced]) -> Iterable[str]:
    """Functions, with an edge to each from the function, or the transform, by which it is traced first."""
    by_chain = _by_chain(functions)
    yield "digraph traces {"
    yield "  rankdir=LR;"
    yield "  node [shape=box];"
    for each in functions:
        own = _place(each.place)
        style = "" if each.chain else ", style=dashed"
        yield f"  {_quoted(own)} [label={_quoted(each.place.message + chr(10) + own)}{style}];"
        if each.chain:
            source = _caller(each.chain, by_chain)
            if source is None:
                source = _place(each.chain[0])
                yield f"  {_quoted(source)} [shape=ellipse];"
            label = _quoted(each.chain[-1].message)
            yield f"  {_quoted(source)} -> {_quoted(own)} [label={label}];"
    yield "}"


def _by_chain(functions: Iterable[Traced]) -> Mapping[tuple[Note, ...], Sequence[Traced]]:
    found: dict[tuple[Note, ...], list[Traced]] = {}
    for each in functions:
        found.setdefault(each.chain, []).append(each)
    return found


def _caller(chain: tuple[Note, ...], by_chain: Mapping[tuple[Note, ...], Sequence[Traced]]) -> str | None:
    """The function in which the last step of a chain is: it has the chain before that."""
    last = chain[-1]
    above = [
        each.place
        for each in by_chain.get(chain[:-1], ())
        if chain[:-1] and (each.place.filename, each.place.cell) == (last.filename, last.cell)
        if each.place.span.row <= last.span.row
    ]
    return _place(max(above, key=lambda place: place.span.row)) if above else None


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
