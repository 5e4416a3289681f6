"""`jaxlint config`: the table of options as it stands in settings."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from jaxlint.settings import OPTIONS, Option, SettingsError, meant


@click.command("config")
@click.argument("key", required=False)
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text")
def command(key: str | None, output_format: str) -> int:
    """Show every setting, its default and meaning; with KEY only that one, or those of a table."""
    options = [option for option in OPTIONS if key is None or _is_meant(option, key)]
    if not options:
        assert key is not None
        near = meant(key.replace("_", "-"), [option.key for option in OPTIONS])
        raise SettingsError(f"no setting `{key}`{near}")
    if output_format == "json":
        click.echo(json.dumps([asdict(option) for option in options], indent=2))
    else:
        click.echo("\n\n".join(_page(option) for option in options))
    return 0


def _is_meant(option: Option, key: str) -> bool:
    return option.key == key or option.key.startswith(f"{key}.")


def _page(option: Option) -> str:
    return f"{option.key}\n  {option.doc}\n  type: {option.type}\n  default: {option.default}"
