"""What a verdict observed, as a sentence with its figures.

In: a verdict, and what the good program prints where the bad one raises. Out: the sentence, without its
beginning, which says where it was observed. It knows verdicts by the form of their claims and figures only,
so that verdicts of older versions read the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from jaxlint.confirm.verdict import CONFIRMED, FAILED, REFUTED, Verdict

_COUNTED = ("growth of ", "gradient ", "temporary memory", "memory of ", "aliased memory")
"""How subjects begin that are no counts."""

Figures = Mapping[str, Any]


def sentence(verdict: Verdict, prints: str = "") -> str:
    """`the bad program raised TypeError in line 4; the good one ran`, without a final period."""
    said = _observed(verdict, prints)
    if verdict.verdict == CONFIRMED:
        return said
    detail = verdict.detail or verdict.claim
    if verdict.verdict == REFUTED:
        return f"{said}, which refutes that “{verdict.claim}”" if said else f"refuted: {detail}"
    word = "the run failed" if verdict.verdict == FAILED else "not runnable"
    return f"{word}: {detail}"


def _observed(verdict: Verdict, prints: str) -> str:
    figures = verdict.figures
    for name, form in _FORMS.items():
        if name in figures:
            return form(verdict, prints)
    if "n" in figures or "bad" in figures:
        return _compared(verdict)
    return "the bad program ran without an error" if verdict.detail.endswith("runs to its end") else ""


def _raised(verdict: Verdict, prints: str) -> str:
    line = verdict.figures.get("line")
    where = f" in line {line}" if line is not None else ""
    who = "program" if verdict.code is None else "bad program"
    said = f"the {who} raised {verdict.figures['error']}{where}"
    if verdict.code is None or verdict.verdict != CONFIRMED:
        return said
    if not prints:
        return f"{said}; the good one ran without an error"
    return f"{said}; the good one printed `{' '.join(prints.split())}`"


def _fixed(verdict: Verdict, _: str) -> str:
    figures = verdict.figures
    after = f"the program after the {figures['safety']} fix"
    if verdict.verdict != CONFIRMED:
        return f"{after} was run: {verdict.detail}"
    compared = ((figures["values"], "value"), (figures["lines"], "line of output"))
    counted = _and(*(_plural(number, noun) for number, noun in compared if number)) or "no value"
    if verdict.claim.endswith("what the good program gives"):
        return f"{after} gave what the good one gives ({counted})"
    if figures["safety"] == "safe":
        said = f"{after} gave what the bad one gives ({counted})"
    else:
        said = f"{after} ran without an error"
    if "runs" not in figures:
        return said
    runs, compiles = figures["runs"], figures["compiles"]
    return (
        f"{said}; Python bodies ran {_times(runs[0])} before and {_times(runs[1])} after it, with "
        f"{_plural(compiles[0], 'compilation')} before and {compiles[1]} after it"
    )


def _timed(verdict: Verdict, _: str) -> str:
    figures = verdict.figures
    found = re.match(
        r"(`.*?`) takes (?:at least \S+ times the|more) time(?: (?:of|than) (`.*`))?", verdict.claim
    )
    one, other = (found[1], found[2]) if found else ("the bad program", None)
    where = "" if other else " in the bad program"
    second = other or "in the good one"
    return (
        f"{one} took {_duration(figures['bad_us'])}{where} and {_duration(figures['good_us'])} "
        f"{f'for {second}' if other else second}, {_figure(figures['ratio'])} times the time "
        f"(95% interval {_figure(figures['low'])} to {_figure(figures['high'])}, "
        f"{figures['samples']} samples)"
    )


def _same_text(verdict: Verdict, _: str) -> str:
    found = re.match(r"(`.*`) has (?:the same|another) (.*) in the good program", verdict.claim)
    what = f"{found[2]} of {found[1]}" if found else verdict.claim
    is_same = "the same in both programs" if verdict.figures["same"] else "not the same in both programs"
    return f"the {what} was {is_same} ({_plural(verdict.figures['lines'], 'line')})"


def _compared(verdict: Verdict) -> str:
    """Values, counts and bytes of one program or of both."""
    figures, claim = verdict.figures, verdict.claim
    if claim.startswith("warns "):
        message = f" ({verdict.detail.rstrip('.')})" if verdict.detail else ""
        warned = _plural(figures["bad"], "warning")
        return f"the bad program gave {warned}{message}, the good one {figures['good']}"
    subject, values = re.sub(r", made (\d+) times", r" (made \1 times)", claim.partition(": ")[0]), None
    if found := re.match(r"`(.*)` (?:are the same|differ)\b", claim):
        return _values(verdict, found[1].split("`, `"))
    elif found := re.match(r"(.*) is (?:not )?as in the good program", claim):
        subject, values = found[1], "was"
    is_memory = "memory of " in subject
    if values is None or is_memory:
        subject = f"the {subject}" if subject.startswith(_COUNTED) else f"the number of {subject}"
        values = "was"
    if subject.startswith("the number of equations"):
        subject = subject.replace("the number of equations", "the number of equations in the jaxpr", 1)
    form: Callable[[Any], str] = _bytes if is_memory else _figure
    said = f"{subject} {values} {form(figures['bad'])}"
    if "n" in figures:
        said = f"for n = {_figure(figures['n'])}, {said}"
    if "good" in figures:
        said += f" in the bad program and {form(figures['good'])} in the good one"
    if "ratio" in figures:
        said += f", {_figure(figures['ratio'])} times as much" if figures["ratio"] != 1 else ", the same"
    return said


def _values(verdict: Verdict, calls: list[str]) -> str:
    """The values of several expressions; of one that is stated, only what it was."""
    figures = verdict.figures
    is_stated = len(calls) == 2 and calls[1] == figures["bad"][1]
    of_bad, of_good = figures["bad"], figures.get("good")
    if is_stated:
        of_bad, of_good = of_bad[:1], of_good and of_good[:1]
    subject = _and(*(f"`{call}`" for call in calls[: len(of_bad)]))
    said = f"{subject} {'was' if is_stated else 'were'} {_figure(of_bad)}"
    return said if of_good is None else f"{said} in the bad program and {_figure(of_good)} in the good one"


_FORMS: Mapping[str, Callable[[Verdict, str], str]] = {
    "error": _raised,
    "safety": _fixed,
    "bad_us": _timed,
    "same": _same_text,
}


def _figure(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return _and(*map(_figure, value))
    if isinstance(value, (bool, str)):
        return str(value)
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}"


def _bytes(value: Any) -> str:
    return f"{_figure(value)} bytes"


def _duration(microseconds: float) -> str:
    for limit, divisor, unit in ((1000, 1, "µs"), (1_000_000, 1000, "ms")):
        if microseconds < limit:
            return f"{microseconds / divisor:.3g} {unit}"
    return f"{microseconds / 1_000_000:.3g} s"


def _plural(number: Any, noun: str) -> str:
    first, _, rest = noun.partition(" ")
    ending = "" if number == 1 else "s"
    return f"{number} {first}{ending}{f' {rest}' if rest else ''}"


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _and(*parts: str) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)
