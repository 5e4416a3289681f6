"""The settings and the command line as Markdown, from the table of options and from click's commands.

In: the table of options and the commands with their help. Out: a section for each setting and each command.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from html import escape

import click

from jaxlint.cli.main import COMMANDS, commands
from jaxlint.project.settings import OPTIONS
from jaxlint.server.option import Options


def settings() -> str:
    """One section a setting."""
    parts = []
    for option in OPTIONS:
        is_words = " " in option.default and option.default[0].isalpha()
        default = option.default if is_words else f"`{option.default}`"
        parts.append(f"### {option.key}\n\n{option.doc}\n\n- Type: {option.type}\n- Default: {default}")
    return "\n\n".join(parts)


def server_options() -> str:
    """One row for each option of the language server."""
    rows = ["| option | type | what it does | default |", "| --- | --- | --- | --- |"]
    for each in fields(Options):
        default = json.dumps(each.default)
        rows.append(f"| `{each.name}` | {each.metadata['type']} | {each.metadata['doc']} | `{default}` |")
    return "\n".join(rows)


def command_line() -> str:
    """One section a command that is in this release."""
    group = click.Context(commands, info_name="jaxlint")
    parts = []
    for name in COMMANDS:
        command = commands.get_command(group, name)
        if command is not None:
            parts.append("\n\n".join(_section(name, command, group)))
    return "\n\n".join(parts)


def _section(name: str, command: click.Command, group: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=group, help_option_names=["-h", "--help"])
    if isinstance(command, click.Group):
        for part in command.list_commands(context):
            below = command.get_command(context, part)
            if below is not None:
                yield from _section(part, below, context)
        return
    yield f"## `{context.command_path}`"
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"```text\n{usage}\n```"
    yield from (" ".join(part.split()) for part in (command.help or "").split("\n\n"))
    found = (item.get_help_record(context) for item in command.params if isinstance(item, click.Option))
    if records := [record for record in found if record is not None]:
        rows = [f"| {_flags(flags)} | {_cell(text)} |" for flags, text in records]
        table = "\n".join(["| flag | what it does |", "| --- | --- |", *rows])
        yield f'<div class="flags" markdown>\n\n{table}\n\n</div>'


def _flags(text: str) -> str:
    """Each spelling of a flag by itself, so that a line breaks between them."""
    return re.sub(r"( / |, (?=--))", r"</code>\1<code>", f"<code>{_cell(text)}</code>")


def _cell(text: str) -> str:
    return escape(" ".join(text.split()), quote=False).replace("|", "&#124;")
