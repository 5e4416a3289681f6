"""What the harness says of one claim on one platform, as frozen plain data.

In: what a child observed, or how it ended. Out: `Verdict`, with the JSON form of `jaxlint confirm`. Knows
nothing of how a claim is run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

CONFIRMED = "confirmed"
REFUTED = "refuted"
NOT_RUNNABLE = "not-runnable"
FAILED = "failed"
VERDICTS = (CONFIRMED, REFUTED, NOT_RUNNABLE, FAILED)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One claim, and what running it gave.

    verdict: `confirmed`, `refuted`, `not-runnable` where this platform or this JAX cannot run it, `failed`
    where the run itself went wrong, so that nothing is known. figures: what was counted or measured.
    """

    code: str | None
    name: str
    claim: str
    verdict: str
    platform: str
    device: str = ""
    jax: str = ""
    jaxlib: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)
    detail: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Verdict:
        return cls(**{name: data[name] for name in cls.__dataclass_fields__})
