"""`jaxlint config`: the table of options as it stands in settings."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from jaxlint.project.option import Option, SettingsError, meant
from jaxlint.project.settings import OPTIONS


@click.command("config")
@click.argument("key", required=False)
@click.option("--output-format", type=click.Choice(["text", "json", "json-schema"]), default="text")
def command(key: str | None, output_format: str) -> int:
    """Show every setting, its default and meaning; with KEY only that one, or those of a table.

    `--output-format json-schema` prints what editors check configuration files by.
    """
    if output_format == "json-schema":
        if key is not None:
            raise SettingsError("--output-format json-schema goes with no KEY")
        click.echo(schema_text(), nl=False)
        return 0
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


def schema_text() -> str:
    """The JSON Schema of the configuration, with the selectors of jaxlint's own rules."""
    from jaxlint.cli.schema import schema
    from jaxlint.rule.registry import CATEGORIES, own_entries

    entries = own_entries()
    families = sorted({each.code[:4] for each in entries})
    own = [text for each in entries for text in (each.code, each.name)]
    return json.dumps(schema(OPTIONS, ["ALL", *CATEGORIES, *families, *own]), indent=2) + "\n"


def _is_meant(option: Option, key: str) -> bool:
    return option.key == key or option.key.startswith(f"{key}.")


def _page(option: Option) -> str:
    return f"{option.key}\n  {option.doc}\n  type: {option.type}\n  default: {option.default}"
