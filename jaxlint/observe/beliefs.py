"""What linting says of a program, beside what runs of it showed: as plain data, and as a sentence.

In: facts, and which functions the analysis knows to be traced without them. Out: where its knowledge ends.
It lints nothing itself: findings are given, see `session/observed_findings.py`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from jaxlint.observe.facts import Facts, Function
from jaxlint.observe.fingerprint import MODULE

RAISED, CONTRADICTED = "confirmed: raised", "contradicted"


class Found(NamedTuple):
    """A finding of which something was seen.

    place: `path:row`. has_run: whether its line ran; None where nothing is known. is_raised: the error that
    its rule claims was raised there. contradiction: the note that says so; empty where there is none.
    """

    place: str
    code: str
    message: str
    has_run: bool | None = None
    is_raised: bool = False
    contradiction: str = ""

    @property
    def ran(self) -> bool:
        return bool(self.has_run or self.is_raised)


class Frontier(NamedTuple):
    """Where knowledge of the analysis ends.

    caller: the key of a function whose calls lead on to what it does not know; empty where none of the
    project does. functions: the keys of those behind it.
    """

    caller: str
    functions: tuple[str, ...]


class Beliefs(NamedTuple):
    """What linting says. findings: all, in the order of the report. frontiers: those with most behind them
    first; None where they were not asked for. problems: a line for each thing that went wrong."""

    findings: tuple[Found, ...] = ()
    frontiers: tuple[Frontier, ...] | None = None
    problems: tuple[str, ...] = ()


def summary(findings: Iterable[Found]) -> str:
    """How many findings lie on lines that ran, did not run, and are contradicted."""
    found = [*findings]
    if not found:
        return "no findings of `check`"
    ran = [each for each in found if each.ran]
    raised = sum(each.is_raised for each in found)
    missed = sum(each.has_run is False and not each.ran for each in found)
    parts = [f"{len(ran)} on lines that ran" + (f" ({raised} {RAISED})" if raised else "")]
    parts.append(f"{missed} did not run")
    unknown = len(found) - len(ran) - missed
    if unknown:
        parts.append(f"of {unknown} it is not known")
    parts.append(f"{sum(bool(each.contradiction) for each in found)} contradicted")
    return f"{len(found)} {'finding' if len(found) == 1 else 'findings'} of `check`: {', '.join(parts)}"


def frontiers(facts: Facts, known: Container[str], analyzed: Container[str]) -> tuple[Frontier, ...]:
    """Where the analysis ceases to know that functions are traced.

    Args:
        known: The keys of functions that it knows to be traced.
        analyzed: The keys of functions that it looked at.
    """
    untold = {
        key: function
        for key, function in facts.functions.items()
        if key in analyzed and key not in known and not key.endswith(f"::{MODULE}") and is_traced(function)
    }
    behind: dict[str, list[str]] = {}
    for key in sorted(untold):
        behind.setdefault(_caller(key, untold), []).append(key)
    found = (Frontier(caller, tuple(keys)) for caller, keys in behind.items())
    return tuple(sorted(found, key=lambda each: (-len(each.functions), each.caller)))


def is_traced(function: Function) -> bool:
    """Whether a function was entered in a trace."""
    return any(entry.staged or entry.transforms for entry in function.entries)


def _caller(key: str, untold: Mapping[str, Function]) -> str:
    """The nearest caller that is not itself one of those; the most frequent one first."""
    level, seen = [key], {key}
    while level:
        callers = list(dict.fromkeys(caller for each in level for caller in _callers(untold[each])))
        outside = next((caller for caller in callers if caller and caller not in untold), None)
        if outside is not None:
            return outside
        level = [caller for caller in callers if caller in untold and caller not in seen]
        seen.update(level)
    return ""


def _callers(function: Function) -> Iterator[str]:
    """Who was seen to enter a function in a trace, the most frequent first."""
    counts: dict[str, int] = {}
    for entry in function.entries:
        if entry.staged or entry.transforms:
            counts[entry.caller] = counts.get(entry.caller, 0) + entry.count
    yield from sorted(counts, key=lambda caller: (-counts[caller], caller))
