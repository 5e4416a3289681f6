"""What people say of JAX, as data: the statement, where it is said, and programs that decide it.

An entry is prose and cases; a case is a claim and the one or two programs it is made of. Whether a
case holds is stated here and checked by running it. Nothing here knows JAX or how claims are run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from jaxlint.claim import Claim

Verdict = Literal["true", "false", "depends", "not-executable"]


@dataclass(frozen=True, slots=True)
class Case:
    """One reading of a statement.

    claim: the statement as a claim, never its negation. bad, good: programs, as of a rule's example.
    when: the condition under which it is looked at. holds: whether JAX confirms the claim.
    """

    claim: Claim
    bad: str
    good: str = ""
    when: str = ""
    holds: bool = True


@dataclass(frozen=True, slots=True)
class Folklore:
    """A statement about JAX and what running it gives.

    number: the statement's place in the order in which the notes make them; a statement of several
    parts is several entries of one number. name: unique, in kebab case. source: the note, by
    number, and the place in it. verdict: true when all cases hold, false when none does, depends
    when some do, not-executable when there is nothing to run, and then `why` is the reason.
    rule: the code of the rule that rests on it, where there is one.
    """

    number: int
    name: str
    statement: str
    source: str
    verdict: Verdict
    why: str
    cases: tuple[Case, ...] = ()
    rule: str = ""


__all__ = ["Case", "Folklore", "Verdict"]
