"""The style of what is said: of every diagnostic that the tests' programs give rise to."""

from __future__ import annotations

import re

import pytest
from linted import findings, lint_folder, programs, projects

from jaxlint.diagnostic import Diagnostic
from jaxlint.registry import registry

LENGTH = 90


@pytest.fixture(scope="module")
def said() -> list[tuple[str, Diagnostic]]:
    found = [(program.name, each) for program in programs() for each in findings(program.text)]
    return found + [(folder.name, each) for folder in projects() for each in lint_folder(folder)]


def complaints(found: Diagnostic) -> list[str]:
    message = found.message
    rule = registry().entry(found.code).rule
    wrong = []
    if len(message) > LENGTH:
        wrong.append(f"{len(message)} characters")
    if "\n" in message:
        wrong.append("more than one line")
    if message[:1].isupper():
        wrong.append("begins with a capital")
    if message.endswith("."):
        wrong.append("ends with a period")
    if message.count("`") % 2:
        wrong.append("a backtick is not closed")
    for text in (message, found.help or "", found.label or "", *(note.message for note in found.related)):
        if re.search(r"(?<![{f\"'])\{[a-z_]+\}(?!\})", text) and not re.search(r"[\"']", text):
            wrong.append(f"a name is not filled in: {text}")
    if rule is not None and rule.claim is not None and rule.claim.kind == "raises":
        if not re.search(r"\braises? \w*(Error|error)\b", message) and "Error" not in message:
            wrong.append("names no class of error")
    if found.help and ((found.help.endswith(".") and not found.help.endswith("...")) or "\n" in found.help):
        wrong.append(f"help: {found.help}")
    return wrong


def test_messages(said: list[tuple[str, Diagnostic]]) -> None:
    wrong = sorted(
        {(found.code, problem, found.message) for _, found in said for problem in complaints(found)}
    )
    assert not wrong, "\n" + "\n".join(f"{code} {problem}: {message}" for code, problem, message in wrong)


def test_every_traced_finding_says_why(said: list[tuple[str, Diagnostic]]) -> None:
    silent = {(name, found.message) for name, found in said if found.code < "JAX118" and not found.related}
    allowed = {(name, message) for name, message in silent if message.startswith("syntax error")}
    assert silent == allowed
