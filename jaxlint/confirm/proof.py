"""The proof of a fix: the program before and after it, run side by side.

In: the bad, the fixed and the good program. Out: an observation. What a program gives is what it prints and
the numbers and arrays that its names stand for. A safe fix gives the same with no more traces or
compilations, or, where the bad program raises, what the good one gives. An unsafe one must run.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from jaxlint.confirm.probe.alike import alike, prints_alike
from jaxlint.confirm.probe.base import Observation
from jaxlint.confirm.probe.count import COMPILED, entries, events
from jaxlint.confirm.script import Script, output, said


@dataclass(frozen=True, slots=True)
class Given:
    """What a program gave, how often bodies of its functions ran, and how often XLA compiled for it."""

    error: Exception | None
    values: dict[str, Any]
    lines: list[str]
    runs: int
    compiles: int


def proof(bad: str, good: str, fixed: str, prints: str, safety: str) -> Observation:
    """Run all three and compare."""
    before, after = run(Script("bad", bad)), run(Script("fixed", fixed))
    figures: dict[str, Any] = {"safety": safety, "values": len(after.values), "lines": len(after.lines)}
    if after.error is not None:
        return Observation(False, figures, f"the fixed program raises {said(after.error)}")
    expected = before if before.error is None else run(Script("good", good))
    wrong = []
    if safety == "safe" or before.error is not None:
        wrong += differences(expected, after)
        if prints and not prints_alike(prints.splitlines(), after.lines):
            wrong.append(f"the fixed program prints {' / '.join(after.lines)!r}, stated {prints!r}")
    if before.error is None:
        figures |= {"runs": [before.runs, after.runs], "compiles": [before.compiles, after.compiles]}
        if safety == "safe" and after.runs > before.runs:
            wrong.append(f"bodies run {after.runs} times, before {before.runs}")
        if safety == "safe" and after.compiles > before.compiles:
            wrong.append(f"{after.compiles} compilations, before {before.compiles}")
    return Observation(not wrong, figures, "; ".join(wrong))


def run(script: Script) -> Given:
    """Run a program with nothing compiled before."""
    jax.clear_caches()
    with (
        warnings.catch_warnings(),
        output() as lines,
        entries(script, "") as runs,
        events(COMPILED) as compiles,
    ):
        # A warning is no part of what a program gives.
        warnings.simplefilter("ignore")
        error = script.outcome()
    values = {
        name: value
        for name, value in script.namespace.items()
        if not name.startswith("_")
        and isinstance(value, (bool, int, float, complex, np.generic, np.ndarray, jax.Array))
    }
    return Given(error, values, lines, len(runs), len(compiles))


def differences(expected: Given, got: Given) -> list[str]:
    """What the second program gives otherwise than the first."""
    wrong = [
        f"`{name}` differs"
        for name, value in expected.values.items()
        if name in got.values and not alike(value, got.values[name])
    ]
    if gone := expected.values.keys() - got.values.keys():
        wrong.append(f"`{min(gone)}` is missing")
    if not prints_alike(expected.lines, got.lines):
        wrong.append(f"prints {' / '.join(got.lines)!r}, expected {' / '.join(expected.lines)!r}")
    return wrong
