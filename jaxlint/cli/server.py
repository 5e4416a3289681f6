"""`jaxlint server`: the language server at standard input and output.

In: a client. Out: 0 once it has said goodbye or is gone, 1 where it ends the server without a goodbye, 2
where pygls is not installed or a message is too long.
"""

from __future__ import annotations

import logging
import os
import sys

import click

from jaxlint.project.option import SettingsError


@click.command("server")
@click.option("--stdio", is_flag=True, hidden=True, help="What clients add; there is no other way.")
@click.option("--config", metavar="PATH", help="A configuration file for everything.")
@click.option("--preview/--no-preview", default=False, help="Enable preview rules for selection.")
@click.option("-v", "--verbose", is_flag=True, help="Log to standard error.")
def command(stdio: bool, config: str | None, preview: bool, verbose: bool) -> int:
    """Run the language server on standard input and output. What a client sets wins over the flags."""
    try:
        from jaxlint.server.answers import server
        from jaxlint.server.option import Options
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in ("pygls", "lsprotocol", "cattrs", "attrs"):
            raise
        raise SettingsError(
            f"the language server needs `{missing}`: install jaxlint with its extra `server`, "
            "such as `pip install '.[server]'` in a clone"
        ) from None
    level = logging.INFO if verbose else logging.CRITICAL
    logging.basicConfig(stream=sys.stderr, level=level, format="jaxlint: %(message)s")
    made = server(Options(configuration=config and os.path.abspath(config), preview=preview))
    try:
        made.start_io()
    except (OverflowError, MemoryError):
        raise SettingsError("the client announces a message that is too long to be read") from None
    sys.stdout = open(os.devnull, "w")  # pygls has closed it
    return made.status
