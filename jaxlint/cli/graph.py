"""`jaxlint analyze graph`: which file leads to which.

In: paths. Out: the files that each file imports or that import it, as the analysis resolves them. Nothing is
analysed: the files are only parsed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence

import click

from jaxlint.cli.formats.context import Context
from jaxlint.cli.neutral import neutral
from jaxlint.project.configuration import Configuration
from jaxlint.project.project import Project

Graph = Mapping[str, Sequence[str]]
"""The files that each file leads to, by their shown names."""


@click.command("graph")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option(
    "--direction",
    type=click.Choice(["dependencies", "dependents"]),
    default="dependencies",
    help="What a file imports, or what imports it.",
)
@click.option("--output-format", type=click.Choice(["text", "json", "dot"]), default="text")
@click.option("--config", metavar="PATH", help="A configuration file.")
@click.option("--isolated", is_flag=True, help="Read no configuration file.")
def command(
    paths: tuple[str, ...], direction: str, output_format: str, config: str | None, isolated: bool
) -> int:
    """Show which file imports which, in the project; without a path, of the current folder.

    An import runs a module and the packages around it. Files outside of the project are left out.
    """
    from jaxlint.project.discovery import find_projects

    if config is None and not isolated:
        config = os.environ.get("JAXLINT_CONFIG") or None
    configuration = Configuration(file=config, isolated=isolated, overrides={"plugins": []})
    context = Context()
    found: dict[str, list[str]] = {}
    for project in find_projects(paths or (".",), configuration).projects:
        leads = _leads(project, context)
        if direction == "dependents":
            leads = _turned(leads)
        for path in project.reported:
            found[context.posix_path(path)] = sorted(map(context.posix_path, leads.get(path, ())))
    click.echo(_FORMATS[output_format](dict(sorted(found.items()))), nl=False)
    return 0


def _leads(project: Project, context: Context) -> dict[str, set[str]]:
    """The files of the project that each of its files imports, by their paths."""
    from jaxlint.cli.report import says
    from jaxlint.ir.document import read_document
    from jaxlint.ir.parsing import Refusal, lead_to, parsed, read_bytes
    from jaxlint.session.components import imported
    from jaxlint.source.formats import is_embedded
    from jaxlint.source.text import UnreadableSource

    imports = {}
    for file in project.files:
        try:
            document = read_document(file.format, read_bytes(file.path))
            outcome = parsed(document.python, is_embedded(file.format))
        except OSError as error:
            outcome = Refusal("JAX002", f"cannot read: {error.strerror or error}")
        except UnreadableSource as error:
            outcome = Refusal("JAX002", error.reason, error.row)
        if isinstance(outcome, Refusal):
            says(f"{context.path(file.path)}: its imports are not known: {outcome.message}")
        imports[file.path] = lead_to(outcome).imports
    return imported(project, imports)


def _turned(leads: Mapping[str, set[str]]) -> dict[str, set[str]]:
    turned: dict[str, set[str]] = {path: set() for path in leads}
    for path, others in leads.items():
        for other in others:
            turned[other].add(path)
    return turned


def _text(found: Graph) -> str:
    rows = []
    for path, others in found.items():
        rows += [neutral(path), *(f"  {neutral(other)}" for other in others)]
    return "".join(row + "\n" for row in rows)


def _json(found: Graph) -> str:
    return json.dumps(found, indent=2) + "\n"


def _dot(found: Graph) -> str:
    rows = [f"  {_node(path)};" for path in found]
    rows += [f"  {_node(path)} -> {_node(other)};" for path, others in found.items() for other in others]
    return "\n".join(["digraph jaxlint {", "  rankdir=LR;", "  node [shape=box];", *rows, "}\n"])


def _node(path: str) -> str:
    # In DOT's quotes only a quote and a backslash are read.
    return '"' + neutral(path).replace("\\", "\\\\").replace('"', '\\"') + '"'


_FORMATS: Mapping[str, Callable[[Graph], str]] = {"text": _text, "json": _json, "dot": _dot}
