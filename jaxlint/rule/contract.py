"""Whether a rule class is one that this jaxlint can run.

In: a rule class, of a plugin or ours. Out: nothing, or what is wrong with it in one line. What it would never
be told of, or would be asked for in vain, is said when it is loaded: a rule that never finds anything looks
like code without findings. It refuses to know what the rule looks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from jaxlint.project.option import meant
from jaxlint.rule.definition import API_VERSION, Rule, SyntacticRule
from jaxlint.rule.event_names import EVENTS

_CODE = re.compile(r"[A-Z]{3}\d{3}")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def breach_of(rule: type[Rule]) -> str | None:
    """The first thing that is wrong with a rule; None where nothing is."""
    return next(_breaches(rule), None)


def _breaches(rule: type[Rule]) -> Iterator[str]:
    # First: what follows may be right in the version that the rule was written for.
    wanted: Any = getattr(rule, "api", None)
    if not _is_version(wanted):
        yield f"rule {rule.code}: `api` is no version of `jaxlint.rule`, such as {API_VERSION}"
    elif wanted > API_VERSION or wanted[0] != API_VERSION[0]:
        said, known = (".".join(map(str, version)) for version in (wanted, API_VERSION))
        which = "newer" if wanted > API_VERSION else "older"
        yield f"rule {rule.code} is for {which} version {said} of `jaxlint.rule`; this is {known}"
    if not _CODE.fullmatch(rule.code):
        yield f"a rule's code is three capital letters and three digits, not `{rule.code}`"
    if not _NAME.fullmatch(rule.name):
        yield f"rule {rule.code}: a name is of the form `jit-in-loop`, not `{rule.name}`"
    if issubclass(rule, SyntacticRule):
        if not _are_texts(rule.needs):
            yield f"rule {rule.code}: `needs` is a tuple of words"
        return
    for name in _listened(rule, "visit_"):
        if name not in EVENTS:
            yield f"rule {rule.code}: there is no event `{name}`{meant(name, EVENTS)}"
    for name in _listened(rule, "leave_"):
        yield f"rule {rule.code}: only a `SyntacticRule` has methods such as `leave_{name}`"


def _are_texts(given: object) -> bool:
    return isinstance(given, tuple) and all(type(each) is str for each in given)


def _is_version(given: object) -> bool:
    return isinstance(given, tuple) and len(given) == 2 and all(type(each) is int for each in given)


def _listened(rule: type[Rule], prefix: str) -> Iterator[str]:
    """What the rule's methods with such names are told of."""
    for name in dir(rule):
        if name.startswith(prefix) and callable(getattr(rule, name)):
            yield name.removeprefix(prefix)
