"""`jaxlint rule`: a rule's page, from the rule itself.

In: the registry's entries. Out: pages as text, Markdown or JSON.
"""

from __future__ import annotations

import json
import os
from typing import Any

import click

from jaxlint.cli import complete
from jaxlint.confirm.rule_page import as_json, markdown, text
from jaxlint.project.configuration import Configuration
from jaxlint.project.option import SettingsError
from jaxlint.rule.registry import Entry, Registry, registry


@click.command("rule")
@click.argument("rule", required=False, metavar="CODE-or-NAME", shell_complete=complete.rule)
@click.option("--all", "all_rules", is_flag=True, help="Every rule.")
@click.option("--output-format", type=click.Choice(["text", "json", "markdown"]), default="text")
@click.option("--config", metavar="PATH", help="A configuration file, for its plugins.")
@click.option("--isolated", is_flag=True, help="Read no configuration file.")
@click.option("--no-plugins", is_flag=True, help="Do not import the plugins of the configuration.")
def command(
    rule: str | None,
    all_rules: bool,
    output_format: str,
    config: str | None,
    isolated: bool,
    no_plugins: bool,
) -> int:
    """Show a rule: what it reports, why, when the code is fine, and how safe its fixes are."""
    if all_rules == (rule is not None):
        raise SettingsError("`rule` takes a code or a name, or --all")
    overrides: dict[str, Any] | None = {"plugins": []} if no_plugins else None
    configuration = Configuration(file=config, isolated=isolated, overrides=overrides)
    rules = registry(configuration.for_folder(os.getcwd()).plugins)
    entries = rules.entries if rule is None else (_one(rules, rule),)
    if output_format == "json":
        pages = [as_json(entry) for entry in entries]
        click.echo(json.dumps(pages if all_rules else pages[0], indent=2))
    else:
        page = markdown if output_format == "markdown" else text
        click.echo("\n\n".join(page(entry) for entry in entries))
    return 0


def _one(rules: Registry, name: str) -> Entry:
    """The rule of this code or name.

    Raises:
        SettingsError: there is none; the beginning of several codes names these.
    """
    family = [each for each in rules.entries if each.code.startswith(name) and each.code != name]
    if family and name[-1:].isdigit():
        listed = ", ".join(f"{each.code} {each.name}" for each in family)
        raise SettingsError(f"`{name}` is the beginning of several codes: {listed}")
    return rules.entry(name)
