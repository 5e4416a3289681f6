"""How long calls take: interleaved samples, and an interval for the ratio of the bad to the good one.

Both calls are warmed up, every result is waited for, and each round times both, in alternating order. The
interval is that of the median of the rounds' ratios, by bootstrap. The claim rests on the interval; where the
samples scatter because the machine is busy, it must be the clearer, or nothing is concluded.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from jaxlint.claim import Claim
from jaxlint.confirm.probe.base import Known, Observation, Probe, Unclear
from jaxlint.confirm.script import Pair, ready

SAMPLE = 2e-3
"""Seconds that a sample takes at least: a call is repeated until it fills them."""
ROUNDS = 25
"""Samples before the interval is looked at first."""
BUDGET = 5.0
"""Seconds after which no more samples are taken."""
NOISY = 0.5
"""Noise from which on an interval must be clear of the bound by a factor of one more than the noise."""
WIDE = 1.3
"""Upper over lower end of an interval around the bound from which on it says too little to refute."""

_WORK = "def f():\n    return sum(range({}))\n"


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds that each call took, round by round, and the 95% interval of the median of their ratios.

    noise: the spread of the middle half of the samples over their median, of the call that scatters more.
    """

    bads: Any
    goods: Any

    @property
    def interval(self) -> tuple[float, float]:
        return interval(self.bads / self.goods)

    @property
    def noise(self) -> float:
        return max(noise(self.bads), noise(self.goods))

    def exceeds(self, bound: float) -> bool | None:
        """Whether the ratio is greater; None where that cannot be told."""
        (low, high), loud = self.interval, self.noise
        slack = 1 + loud if loud > NOISY else 1.0
        if low > bound * slack:
            return True
        if high < bound / slack:
            return False
        return None

    def figures(self) -> dict[str, float]:
        low, high = self.interval
        return {
            "bad_us": _figure(np.median(self.bads) * 1e6),
            "good_us": _figure(np.median(self.goods) * 1e6),
            "ratio": _figure(np.median(self.bads / self.goods)),
            "low": _figure(low),
            "high": _figure(high),
            "samples": len(self.bads),
            "noise": _figure(self.noise),
        }


class Slower(Probe):
    """The bad call takes longer than the good one, and at least `ratio` times as long."""

    known = (
        Known(Claim("slower", calls=("f()",), ratio=2.0), _WORK.format(16000), _WORK.format(1000), True),
        Known(Claim("slower", calls=("f()",), ratio=4.0), _WORK.format(1000), _WORK.format(1000), False),
    )

    def observe(self, pair: Pair, claim: Claim) -> Observation:
        ready(pair, claim)
        calls = []
        for side in pair.sides(claim, comparing=True):
            side.script.value(side.calls[0])
            calls.append(side.script.call(side.calls[0]))
        bad, good = calls
        bound = max(1.0, claim.ratio)
        timing = measured(bad, good, bound)
        figures = timing.figures()
        exceeds = timing.exceeds(bound)
        if exceeds:
            return Observation(True, figures)
        (low, high), ratio = timing.interval, figures["ratio"]
        detail = f"ratio {ratio:.3g}, 95% between {low:.3g} and {high:.3g}, claimed more than {bound:g}"
        if exceeds is None and (timing.noise > NOISY or high / low > WIDE):
            raise Unclear(f"too noisy to tell: {detail}", figures)
        return Observation(False, figures, detail)


def measured(bad: Callable[[], Any], good: Callable[[], Any], bound: float) -> Timing:
    """Time both calls, until the ratio is known to lie on one side of the bound or the time is up."""
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
        timing = Timing(bads, goods)
        if timing.exceeds(bound) is not None or time.perf_counter() > end:
            return timing


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
