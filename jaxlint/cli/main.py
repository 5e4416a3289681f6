"""The command `jaxlint`: finds the command that is meant; what goes wrong becomes one line and status 2.

A command's module is imported when that command runs, so that `jaxlint --help` loads none of them.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

import click

from jaxlint._version import __version__
from jaxlint.cli.neutral import neutral, neutral_lines
from jaxlint.project.option import SettingsError, meant

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# Module, and the line that help shows. A command whose machinery is not there yet has no module.
COMMANDS: dict[str, tuple[str, str]] = {
    "check": ("jaxlint.cli.check", "Lint files and folders. `jaxlint PATH...` is the same."),
    "rule": ("jaxlint.cli.rule", "Show a rule's page."),
    "config": ("jaxlint.cli.config", "Show the settings with their types and defaults."),
    "version": ("jaxlint.cli.version", "Show the versions of jaxlint, libcst and Python."),
    "clean": ("jaxlint.cli.clean", "Remove caches."),
    "confirm": ("jaxlint.cli.confirm", "Run the rules' claims with the JAX that is installed."),
    "analyze": ("jaxlint.cli.analyze", "Show what jaxlint believes of a project."),
    "completion": ("jaxlint.cli.completion", "Print the completion script of a shell."),
    "server": ("jaxlint.cli.server", "Run the language server on stdio."),
    "new": ("jaxlint.cli.new", "Write the files of a new rule."),
    "observe": ("jaxlint.cli.observe", "Run a command of yours and record what JAX traces in it."),
}

_OWN_FLAGS = ("-h", "--help", "-V", "--version")
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Commands(click.Group):
    """Commands by name, imported on demand; anything that is no command is given to `check`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _ = COMMANDS[cmd_name]
        command = import_module(module).command
        assert isinstance(command, click.Command)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if ctx.resilient_parsing and not args:
            return super().parse_args(ctx, args)  # a shell completes the first word
        if not args or (args[0] not in COMMANDS and args[0] not in _OWN_FLAGS):
            if args and args[0].startswith("-") and "check" in args and not os.path.exists("check"):
                args = [*args]
                args.remove("check")  # behind flags, as Ruff takes it
            args = ["check", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands, and as without a command the flags and paths of `check`."""
        from click.shell_completion import CompletionItem

        if incomplete.startswith("-"):
            check = self.get_command(ctx, "check")
            assert check is not None
            return check.shell_complete(click.Context(check, parent=ctx), incomplete)
        found = [
            CompletionItem(name, help=doc)
            for name, (module, doc) in COMMANDS.items()
            if module is not None and name.startswith(incomplete)
        ]
        # First: bash forgets what comes before it, and takes files where nothing else is found.
        return [CompletionItem(incomplete, type="file"), *found]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, doc) for name, (_, doc) in COMMANDS.items()])


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`jaxlint COMMAND --help` shows a command's flags.",
)
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
def commands() -> None:
    """A linter for JAX programs."""


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with its status: 0, 1, or 2 where the run itself went wrong."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by who started the run
            setattr(sys, name, open(os.devnull, "w"))
        # A name or a source line that the terminal cannot show must not end the run.
        if hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors="backslashreplace")
    if args is None and sys.argv[1:2] != ["observe"]:
        # What this process starts must not look for modules in the working folder either; the user's own
        # command may.
        os.environ["PYTHONSAFEPATH"] = "1"
    status = _flushed(_status(args))
    if args is None and sys.gettrace() is None and sys.getprofile() is None:
        # Taking the heap apart costs about as much as the analysis.
        os._exit(status)
    raise SystemExit(status)


def _status(args: Sequence[str] | None) -> int:
    given = sys.argv[1:] if args is None else list(args)
    try:
        given = _with_files(given)
        is_process = args is None
        status = commands.main(given, prog_name="jaxlint", standalone_mode=False, obj=is_process)
        return status if isinstance(status, int) else 0
    except click.UsageError as error:
        return _failed(_in_one_line(error))
    except click.ClickException as error:
        return _failed(error.format_message())
    except SettingsError as error:
        return _failed(str(error))
    except (KeyboardInterrupt, click.Abort):
        return 130
    except BrokenPipeError:
        _drop_stdout()
        return 1
    except Exception as error:
        # A path of the command line; what the system refuses elsewhere has a number.
        if isinstance(error, FileNotFoundError) and error.errno is None:
            word = given[0] if given and given[0] not in COMMANDS and not os.path.exists(given[0]) else ""
            hint = meant(word, list(COMMANDS))
            if not hint and word.isidentifier():
                hint = "; `jaxlint --help` lists the commands"
            return _failed(str(error) + hint)
        if isinstance(error, FileNotFoundError) and _is_folder_gone():
            return _failed("the working folder is gone")
        if isinstance(error, OSError) and error.errno in _FULL:
            _drop_stdout()
            return _failed(f"cannot write: {error.strerror}")
        if "-v" in given or "--verbose" in given:
            import traceback

            click.echo(neutral_lines(traceback.format_exc().rstrip()), err=True)
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        return _failed(f"internal error: {what} (`-v` shows where; please report it)")


def _with_files(words: Sequence[str]) -> list[str]:
    """The words of a command line, where `@FILE` stands for the lines of the file."""
    found: list[str] = []
    for word in words:
        if not word.startswith("@") or not os.path.isfile(word[1:]):
            found.append(word)
            continue
        try:
            with open(word[1:], encoding="utf-8-sig") as file:
                found += filter(None, file.read().splitlines())
        except (OSError, UnicodeError) as error:
            raise SettingsError(f"command line: `{word}` cannot be read: {error}") from None
    return found


def _is_folder_gone() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def _flushed(status: int) -> int:
    """The status, once what was said has reached its readers."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        _drop_stdout()
    except OSError as error:
        _drop_stdout()
        return _failed(f"cannot write: {error.strerror or error}")
    return status


def _in_one_line(error: click.UsageError) -> str:
    text = " ".join(error.format_message().split())
    if isinstance(error, click.NoSuchOption) and error.ctx is not None and not error.possibilities:
        flags = [flag for item in error.ctx.command.params for flag in item.opts]
        text = text.rstrip(".") + meant(error.option_name, flags)
    return text


def _failed(text: str) -> int:
    click.echo(f"jaxlint: {neutral(text)}", err=True)
    return 2


def _drop_stdout() -> None:
    """The reader has gone: nothing more can be said to it, the interpreter's last flush included."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
