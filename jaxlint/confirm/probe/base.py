"""What probes share: what an observation is, how an expectation is read, how a probe shows that it observes.

In: numbers and expectations. Out: `Observation`. It runs nothing.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from jaxlint.claim import Claim, Expected
from jaxlint.confirm.script import Pair


class NotRunnable(Exception):
    """This platform or this JAX cannot show what the claim is about; the message says why."""


class Unclear(Exception):
    """The programs ran and nothing can be concluded, as from timings on a busy machine."""

    def __init__(self, detail: str, figures: Mapping[str, Any]) -> None:
        super().__init__(detail)
        self.figures = figures


@dataclass(frozen=True, slots=True)
class Observation:
    """Whether a claim holds, with what was counted or measured, and in words what speaks against it."""

    holds: bool
    figures: Mapping[str, Any] = field(default_factory=dict)
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """Programs of which it is known whether a claim holds."""

    claim: Claim
    bad: str
    good: str
    holds: bool


class Probe(ABC):
    """One kind of claim. known: programs on which it must observe what is claimed, and others on which it
    must not, so that a probe that has gone blind is not taken for a claim that no longer holds."""

    known: ClassVar[tuple[Known, ...]]

    @abstractmethod
    def observe(self, pair: Pair, claim: Claim) -> Observation:
        """Run what the claim is about.

        Raises:
            ScriptError: a program raises where the claim has it run.
            NotRunnable, Unclear: nothing can be said.
        """


class Counting(Probe):
    """A probe that gives a number for each program. noun: what it counts, in the singular."""

    noun: ClassVar[str]

    @abstractmethod
    def counts(self, pair: Pair, claim: Claim) -> Sequence[float]:
        """The number for the bad program, and for the good one where there is one."""

    def observe(self, pair: Pair, claim: Claim) -> Observation:
        return judged(self.counts(pair, claim), claim, self.noun)


_COMPARISON = re.compile(r"(>=|<=|==|!=|>|<)\s*(-?[\d.]+)$")


def meets(value: float, expected: Expected) -> bool:
    """Whether a number is as expected: a number, or a comparison such as `>=3`.

    Raises:
        ValueError: an expectation that is neither.
    """
    if not isinstance(expected, str):
        return value == expected
    match = _COMPARISON.match(expected)
    if match is None:
        raise ValueError(f"no number and no comparison: {expected}")
    bound = float(match[2])
    return {
        ">=": value >= bound,
        "<=": value <= bound,
        "==": value == bound,
        "!=": value != bound,
        ">": value > bound,
        "<": value < bound,
    }[match[1]]


def judged(counts: Sequence[float], claim: Claim, noun: str) -> Observation:
    """Numbers of both programs against what the claim expects of each, and of their ratio."""
    names = ("bad", "good")[: len(counts)]
    figures: dict[str, Any] = dict(zip(names, counts, strict=True))
    wrong = [
        f"{value:g} {noun} in the {name} program, claimed {expected}"
        for name, value, expected in zip(names, counts, (claim.bad, claim.good), strict=False)
        if expected is not None and not meets(value, expected)
    ]
    if claim.ratio and len(counts) == 2:
        ratio = counts[0] / counts[1] if counts[1] else float("inf") if counts[0] else 1.0
        figures["ratio"] = round(ratio, 3) if ratio != float("inf") else "inf"
        if ratio < claim.ratio:
            wrong.append(f"ratio {ratio:.3g}, claimed at least {claim.ratio:g}")
    if claim.bad is None and claim.good is None and not claim.ratio and len(set(counts)) > 1:
        wrong.append(f"{counts[0]:g} and {counts[1]:g} {noun}, claimed to be the same")
    return Observation(not wrong, figures, "; ".join(wrong))
