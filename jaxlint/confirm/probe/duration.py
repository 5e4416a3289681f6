"""How long calls take: interleaved samples, and an interval for the ratio of the bad to the good one.

Both calls are warmed up, every result is waited for, and each round times both, in alternating order. The
interval is that of the median of the rounds' ratios, by bootstrap. The claim rests on the interval; where it
is wide because the machine is busy, nothing is concluded.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from jaxlint.confirm.probe.base import Known, Observation, Probe, Unclear
from jaxlint.confirm.script import Pair, ready
from jaxlint.rule import Claim

SAMPLE = 2e-3
"""Seconds that a sample takes at least: a call is repeated until it fills them."""
ROUNDS = 25
"""Samples before the interval is looked at first."""
BUDGET = 5.0
"""Seconds after which no more samples are taken."""
NOISY = 0.5
"""Spread of the middle half of the samples over their median from which on it is mentioned."""
WIDE = 1.3
"""Upper over lower end of an interval from which on it says too little to refute a claim."""

_WORK = "def f():\n    return sum(range({}))\n"


class Slower(Probe):
    """The bad call takes longer than the good one, and at least `ratio` times as long."""

    known = (
        Known(Claim("slower", calls=("f()",), ratio=2.0), _WORK.format(8000), _WORK.format(1000), True),
        Known(Claim("slower", calls=("f()",), ratio=2.0), _WORK.format(1000), _WORK.format(1000), False),
    )

    def observe(self, pair: Pair, claim: Claim) -> Observation:
        ready(pair, claim)
        calls = []
        for side in pair.sides(claim, comparing=True):
            side.script.value(side.calls[0])
            calls.append(side.script.call(side.calls[0]))
        bad, good = calls
        bound = max(1.0, claim.ratio)
        bads, goods, (low, high) = measured(bad, good, bound)
        ratio = float(np.median(bads / goods))
        figures = {
            "bad_us": _figure(np.median(bads) * 1e6),
            "good_us": _figure(np.median(goods) * 1e6),
            "ratio": _figure(ratio),
            "low": _figure(low),
            "high": _figure(high),
            "samples": len(bads),
            "noise": _figure(max(noise(bads), noise(goods))),
        }
        loud = figures["noise"] > NOISY
        if low > bound:
            return Observation(True, figures, "the machine was busy with other things" if loud else "")
        detail = f"ratio {ratio:.3g}, 95% between {low:.3g} and {high:.3g}, claimed more than {bound:g}"
        if high >= bound and high / low > WIDE:
            raise Unclear(f"too noisy to tell: {detail}", figures)
        return Observation(False, figures, detail)


def measured(
    bad: Callable[[], Any], good: Callable[[], Any], bound: float
) -> tuple[Any, Any, tuple[float, float]]:
    """Seconds a call of both, round by round, until the interval of the ratio lies on one side of the bound
    or the time is up."""
    repeats = [_repeats(call) for call in (bad, good)]
    rows: list[tuple[float, float]] = []
    end = time.perf_counter() + BUDGET
    while True:
        for _ in range(ROUNDS):
            first = len(rows) % 2
            pair = [0.0, 0.0]
            for which in (first, 1 - first):
                pair[which] = _seconds((bad, good)[which], repeats[which])
            rows.append((pair[0], pair[1]))
        bads, goods = np.array(rows).T
        low, high = interval(bads / goods)
        if low > bound or high < bound or time.perf_counter() > end:
            return bads, goods, (low, high)


def interval(ratios: Any) -> tuple[float, float]:
    """The 95% bootstrap interval of the median."""
    draw = np.random.default_rng(0)
    medians = np.median(draw.choice(ratios, (2000, len(ratios))), axis=1)
    low, high = np.quantile(medians, (0.025, 0.975))
    return float(low), float(high)


def noise(seconds: Sequence[float]) -> float:
    """The spread of the middle half of the samples over their median."""
    quarters: Any = np.quantile(seconds, (0.25, 0.5, 0.75))
    return float((quarters[2] - quarters[0]) / quarters[1])


def _repeats(call: Callable[[], Any]) -> int:
    jax.block_until_ready(call())
    once = min(_seconds(call, 1) for _ in range(3))
    return max(1, min(10_000, int(SAMPLE / max(once, 1e-9))))


def _seconds(call: Callable[[], Any], repeats: int) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        jax.block_until_ready(call())
    return (time.perf_counter() - start) / repeats


def _figure(number: float) -> float:
    return float(f"{number:.4g}")
