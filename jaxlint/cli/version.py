"""`jaxlint version`."""

from __future__ import annotations

import json
import platform

import click

from jaxlint._version import __version__


@click.command("version")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text")
def command(output_format: str) -> int:
    """Show the versions of jaxlint, libcst and Python."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        libcst = version("libcst")
    except PackageNotFoundError:
        libcst = "not installed"
    versions = {"jaxlint": __version__, "libcst": libcst, "python": platform.python_version()}
    if output_format == "json":
        click.echo(json.dumps(versions, indent=2))
    else:
        click.echo(f"jaxlint {__version__} (libcst {libcst}, Python {versions['python']})")
    return 0
