"""`jaxlint completion`: the script by which a shell completes jaxlint's commands, flags and paths."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

# As click names it after the program.
VARIABLE = "_JAXLINT_COMPLETE"


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(context: click.Context, shell: str) -> int:
    """Print the completion script of a shell.

    bash: eval "$(jaxlint completion bash)" in ~/.bashrc; zsh: the same with zsh in ~/.zshrc; fish: jaxlint
    completion fish > ~/.config/fish/completions/jaxlint.fish.
    """
    found = get_completion_class(shell)
    assert found is not None  # click knows all three
    root = context.find_root()
    click.echo(found(root.command, {}, "jaxlint", VARIABLE).source())
    return 0
