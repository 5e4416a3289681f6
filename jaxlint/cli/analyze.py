"""`jaxlint analyze`: what the tool knows of a project, besides findings.

In: the command line. Out: what the command named prints; each is imported on demand.
"""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS = {
    "traces": ("jaxlint.cli.traces", "Show which functions are traced, by what, with what static."),
    "graph": ("jaxlint.cli.graph", "Show which file imports which."),
}


class _Parts(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command


@click.group("analyze", cls=_Parts, invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> int:
    """Show what jaxlint believes of a project."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
    return 2  # the status where no command follows
