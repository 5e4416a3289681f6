"""Agreement: what JAX did against what jaxlint says of the same program.

A raising program needs a finding at the very line, with a code of the operation, and none
elsewhere; a running program needs none at all. A function that the run never entered settles
nothing. Behind an opaque step a miss is allowed, a
false alarm is not.
"""

from __future__ import annotations

import ast
import os
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import jaxlint

from .operation import OPERATIONS
from .oracle import Outcome, Runner
from .program import Program
from .report import shown

# The families whose claim is that a tracer makes the line raise.
CODES = ("JAX1", "JAX501")

CRASH = "JAX003"
AGREES, HIDDEN = "agrees", "hidden"


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    path: str
    row: int
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Case:
    """One program, what happened, what jaxlint said, and how they compare."""

    program: Program
    outcome: Outcome
    findings: tuple[Finding, ...]
    kind: str

    @property
    def disagrees(self) -> bool:
        return self.kind not in (AGREES, HIDDEN)


@dataclass(frozen=True, slots=True)
class Comparison:
    cases: tuple[Case, ...]

    @property
    def disagreements(self) -> list[Case]:
        return [case for case in self.cases if case.disagrees]


def findings(folder: Path) -> tuple[Finding, ...]:
    """What jaxlint says; its own failure is a finding too, so that one program costs no others."""
    try:
        diagnostics = jaxlint.lint([folder], isolated=True, select=list(CODES))
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(last.filename).name}:{last.lineno}"
        return (Finding("", 0, CRASH, f"{where}: {type(error).__name__}: {error}"),)
    return tuple(
        sorted(
            {
                Finding(os.path.relpath(each.filename, folder), each.span.row, each.code, each.message)
                for each in diagnostics
            }
        )
    )


def compare(program: Program, outcome: Outcome, found: tuple[Finding, ...]) -> str:
    """The kind of agreement, or of disagreement."""
    if outcome.verdict not in ("raises", "runs"):
        return f"the program itself is {outcome.verdict}"
    if any(each.code == CRASH for each in found):
        return "crash"
    if outcome.verdict == "runs":
        return "false alarm" if found else AGREES
    here = [each for each in found if (each.path, each.row) == (outcome.path, outcome.row)]
    if len(here) != len(found):
        return "false alarm on another line" if here else "wrong line"
    if not here:
        return HIDDEN if program.spec.hidden else "missed"
    allowed = OPERATIONS[program.spec.operation].codes
    return AGREES if all(each.code in allowed for each in here) else "wrong code"


def settled(
    program: Program, found: tuple[Finding, ...], entered: frozenset[tuple[str, int]]
) -> tuple[Finding, ...]:
    """The findings that running the program says something about: those in functions it entered."""
    return tuple(
        each
        for each in found
        if first_line(program.files[each.path], each.row)
        in {0, *(row for path, row in entered if path == each.path)}
    )


def first_line(text: str, row: int) -> int:
    """The first line of the innermost function around a row; 0 at the top of a module."""
    best = 0
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.lineno <= row <= (
            node.end_lineno or 0
        ):
            best = max(best, min([node.lineno, *(each.lineno for each in node.decorator_list)]))
    return best


def compared(programs: Sequence[Program], outcomes: Sequence[Outcome], root: Path) -> Comparison:
    """Lints each program's folder, `root`/<number>, as a project of its own."""
    cases = []
    runner = Runner()
    for number, (program, outcome) in enumerate(zip(programs, outcomes, strict=True)):
        found = findings(root / str(number))
        kind = compare(program, outcome, found)
        if kind.startswith("false alarm"):
            found = settled(program, found, runner.entered(program, root / str(number)))
            kind = compare(program, outcome, found)
        cases.append(Case(program, outcome, found, kind))
    runner.stop()
    return Comparison(tuple(cases))


def size(case: Case) -> tuple[int, int]:
    texts = case.program.files.values()
    return sum(bool(text) for text in texts), sum(text.count("\n") for text in texts)


def explained(comparison: Comparison, shows: int) -> str:
    """Counts by kind, then the smallest disagreements in full."""
    counts = Counter((case.kind, case.outcome.verdict) for case in comparison.cases)
    lines = ["agreement:"]
    lines += [f"  {number:5} {kind} ({verdict})" for (kind, verdict), number in counts.most_common()]
    wrong = comparison.disagreements
    if wrong:
        fields = ("operation", "transform", "application", "guard", "opaque", "edit", "origin", "step")
        for field in fields:
            tally = Counter(str(getattr(case.program.spec, field)) or "-" for case in wrong)
            lines.append(
                f"disagreements by {field}: "
                + ", ".join(f"{name} {number}" for name, number in tally.most_common(8))
            )
        ways = Counter(f"{link.way}/{link.form}" for case in wrong for link in case.program.spec.links)
        lines.append(
            "disagreements by link: " + ", ".join(f"{name} {number}" for name, number in ways.most_common(8))
        )
    for case in sorted(wrong, key=size)[:shows]:
        lines.append("")
        lines.append(f"{case.kind.upper()}\n{shown(case.program, case.outcome)}")
        lines += [
            f">>> jaxlint: {each.path}:{each.row}: {each.code} {each.message}" for each in case.findings
        ] or [">>> jaxlint: nothing"]
    return "\n".join(lines)
