"""What a shell completes a word by: formats, paths, rules.

In: the word as far as it is typed. Out: the words that it may become.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from jaxlint.project.option import FORMATS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def path(context: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def format(context: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in FORMATS if name.startswith(incomplete)]


def rule(context: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names and codes of rules, with what they find."""
    return _matching(incomplete, ())


def selector(context: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What may stand in a list of selectors by comma, behind those that stand there."""
    from jaxlint.rule.registry import CATEGORIES

    return _matching(incomplete, ("ALL", *CATEGORIES))


def _matching(incomplete: str, others: tuple[str, ...]) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    from jaxlint.rule.registry import registry

    before, comma, word = incomplete.rpartition(",") if others else ("", "", incomplete)
    found = [CompletionItem(before + comma + each) for each in others if each.startswith(word)]
    for entry in registry().entries:
        # Names, unless a code is begun: two words for one rule are one too many to choose from.
        name = entry.code if word[:1].isupper() else entry.name
        if name.startswith(word):
            found.append(CompletionItem(before + comma + name, help=entry.summary))
    return found
