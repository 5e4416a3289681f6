"""From rules to the jobs that their claims are.

In: rules with their examples. Out: jobs without a platform: each claim on its pair of programs, with the
lines that the rule reports of the bad one, and each fix with the program that it makes. It lints and fixes;
it runs nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence

from jaxlint.claim import Claim
from jaxlint.confirm.job import Job
from jaxlint.confirm.statement import claims_of, statement
from jaxlint.diagnostic import Diagnostic
from jaxlint.fixes.apply import fix_until_stable
from jaxlint.project.project import Project, SourceFile
from jaxlint.project.settings import Settings
from jaxlint.rule.definition import Rule
from jaxlint.session import pipeline

_PATH = "/program/module.py"

Linter = Callable[[str], list[Diagnostic]]


def jobs_of(rules: Iterable[type[Rule]], lint: Linter | None = None) -> list[Job]:
    """The jobs of rules, in their order. lint: what all rules say of a program."""
    return [job for rule in rules for job in _jobs(rule, lint or lint_program)]


def lint_program(text: str) -> list[Diagnostic]:
    """What all rules say of a file that is a project of its own."""
    project = Project("/program", (SourceFile(_PATH, ("module",), False),), frozenset([_PATH]), Settings())
    return pipeline.analyse(project, {_PATH: text.encode()})


def program(text: str) -> str:
    """An example's text as the file that is linted and run."""
    return text.lstrip("\n")


def _jobs(rule: type[Rule], lint: Linter) -> Iterator[Job]:
    for example in rule.examples:
        bad, good = program(example.bad), program(example.good)
        claims = claims_of(rule, example)
        found = [each for each in lint(bad) if each.code == rule.code]
        rows = {row for each in found for row in rows_at(bad, each.span.row)}
        for claim in claims:
            yield Job(
                "claim",
                rule.code,
                rule.name,
                statement(claim),
                claim,
                bad,
                good,
                rows=tuple(sorted(rows)),
                prints=example.prints,
            )
        applied = {each.fix.applicability for each in found if each.fix} - {"displayonly"}
        if applied:
            safety = "safe" if applied == {"safe"} else "unsafe"
            fixed = fix_until_stable(bad, lint, lambda each: each.code == rule.code).text
            yield Job(
                "fix",
                rule.code,
                rule.name,
                _said_of_fix(safety, claims),
                _proof_of(claims),
                bad,
                good,
                fixed,
                safety,
                prints=example.prints,
            )


def _said_of_fix(safety: str, claims: Sequence[Claim]) -> str:
    if any(claim.kind in ("raises", "missing") for claim in claims):
        return f"the {safety} fix gives what the good program gives"
    if safety == "safe":
        return "the safe fix gives what the bad program gave, with no more runs of bodies and compilations"
    return "the unsafe fix runs"


def _proof_of(claims: Sequence[Claim]) -> Claim:
    """That two programs give the same, of the versions of JAX that the claims are about."""
    since = max((claim.since for claim in claims), key=_version, default="")
    until = min((claim.until for claim in claims if claim.until), key=_version, default="")
    return Claim("same", calls=("the program",), since=since, until=until)


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part)


def rows_at(text: str, row: int) -> range:
    """The lines of the innermost statement at a row; of a compound statement those of its header."""
    best = range(row, row + 1)
    size: int | None = None
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, (ast.stmt, ast.match_case, ast.excepthandler)):
            continue
        start = node.pattern.lineno if isinstance(node, ast.match_case) else node.lineno
        body = getattr(node, "body", None)
        inner = body[0].lineno if isinstance(body, list) and body else None
        end = max(start, inner - 1) if inner is not None else getattr(node, "end_lineno", None) or start
        if start <= row <= end and (size is None or end - start < size):
            best, size = range(start, end + 1), end - start
    return best
