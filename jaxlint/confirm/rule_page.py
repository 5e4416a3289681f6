"""A rule's page, from the rule itself and what was recorded of its claims.

In: the registry's entries. Out: pages as text, Markdown or JSON. It makes nothing up: what the rule does not
state is not on its page.
"""

from __future__ import annotations

import inspect
import textwrap
from typing import Any

from jaxlint.confirm.evidence import by_version, made_with, of_folklore, of_rule, shown
from jaxlint.confirm.folklore import ENTRIES
from jaxlint.confirm.statement import claims_of, statement
from jaxlint.rule.registry import Entry


def facts(entry: Entry) -> str:
    """The line below the title."""
    if entry.nursery:
        state = "preview: on only with --preview and a selector"
    else:
        state = "on by default" if entry.on else "off by default"
        state += ", off in tests" * entry.idle_in_tests
    fix = f"fix: {entry.fix}" if entry.fix else "no fix"
    return ", ".join([entry.category, str(entry.severity), state, fix, f"since {entry.since}"])


def text(entry: Entry) -> str:
    parts = [f"{entry.name} ({entry.code})", facts(entry), inspect.cleandoc(entry.doc)]
    for bad, good, note, prints in _examples(entry):
        parts.append("Bad:\n\n" + textwrap.indent(bad, "    "))
        if good:
            parts.append("Good:\n\n" + textwrap.indent(good, "    "))
        if prints:
            parts.append("Output:\n\n" + textwrap.indent(prints, "    "))
        if note:
            parts.append(note)
    if claims := _claims(entry):
        parts.append("Claims:\n\n" + textwrap.indent("\n".join(claims), "    "))
    if evidence := _evidence(entry):
        parts.append("Evidence:\n\n" + textwrap.indent("\n".join(evidence), "    "))
    if said := _folklore(entry):
        parts.append("Common statements:\n\n" + textwrap.indent("\n".join(said), "    "))
    return "\n\n".join(part.rstrip() for part in parts)


def markdown(entry: Entry) -> str:
    parts = [f"# {entry.name} ({entry.code})", f"*{facts(entry)}*", inspect.cleandoc(entry.doc)]
    examples = _examples(entry)
    if examples:
        parts.append("## Examples")
    for bad, good, note, prints in examples:
        parts.append(f"Bad:\n\n```python\n{bad.rstrip()}\n```")
        if good:
            parts.append(f"Good:\n\n```python\n{good.rstrip()}\n```")
        if prints:
            parts.append(f"Output:\n\n```text\n{prints}\n```")
        if note:
            parts.append(note)
    if claims := _claims(entry):
        parts += ["## Claims", "\n".join(f"- {claim}" for claim in claims)]
    if evidence := _evidence(entry):
        parts += ["## Evidence", "\n".join(f"- {line}" for line in evidence)]
    if said := _folklore(entry):
        parts += ["## Common statements", "\n".join(f"- {line}" for line in said)]
    return "\n\n".join(part.rstrip() for part in parts)


def as_json(entry: Entry) -> dict[str, Any]:
    return {
        "code": entry.code,
        "name": entry.name,
        "category": entry.category,
        "severity": entry.severity.value,
        "on": entry.on,
        "nursery": entry.nursery,
        "idle_in_tests": entry.idle_in_tests,
        "since": entry.since,
        "fix": entry.fix,
        "summary": entry.summary,
        "explanation": inspect.cleandoc(entry.doc),
        "examples": [
            {"bad": bad, "good": good, "note": note, "prints": prints}
            for bad, good, note, prints in _examples(entry)
        ],
        "claims": _claims(entry),
        "evidence": [each.to_json() for each in of_rule(entry.code)],
        "versions": by_version(entry.code),
        "folklore": _folklore(entry),
    }


def _examples(entry: Entry) -> list[tuple[str, str, str, str]]:
    if entry.rule is None:
        return []
    return [
        (_program(example.bad), _program(example.good), example.note.strip(), example.prints)
        for example in entry.rule.examples
    ]


def _program(source: str | None) -> str:
    return textwrap.dedent(source or "").strip("\n")


def _claims(entry: Entry) -> list[str]:
    """What the rule says about JAX: `raises jax.errors.TracerBoolConversionError`."""
    if entry.rule is None:
        return []
    said = [statement(claim) for example in entry.rule.examples for claim in claims_of(entry.rule, example)]
    return list(dict.fromkeys(said))


def _evidence(entry: Entry) -> list[str]:
    """What was observed of the claims, a sentence a verdict, and one on other versions of JAX."""
    rows = list(of_rule(entry.code))
    outputs = _outputs(entry)
    lines = []
    for each in rows:
        found = next((pair for pair in outputs if pair[0] == each.verdict.claim), ("", ""))
        if "error" in each.verdict.figures and found in outputs:
            outputs.remove(found)
        lines.append(shown(each, found[1]))
    if rows:
        lines.append(made_with(rows))
    versions = by_version(entry.code)
    if len(versions) > 1:
        lines.append(f"Verdicts by version of JAX: {', '.join(map(' '.join, versions.items()))}.")
    return lines


def _outputs(entry: Entry) -> list[tuple[str, str]]:
    """The claims of the examples in their order, each with what the good program prints."""
    rule = entry.rule
    if rule is None:
        return []
    return [(statement(claim), each.prints) for each in rule.examples for claim in claims_of(rule, each)]


def _folklore(entry: Entry) -> list[str]:
    """Common statements that the rule rests on, whether they are true, and what was observed."""
    lines = []
    for each in ENTRIES:
        if each.rule == entry.code:
            lines.append(f"{each.verdict}: {each.statement} {each.why}")
            lines += map(shown, of_folklore(each.name))
    return lines
