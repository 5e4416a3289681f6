"""One thing for a child process to do, as plain data that travels as JSON.

In: a claim and its programs. Out: `Job`. Knows neither where the claim comes from nor how it is observed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from jaxlint.claim import Claim


@dataclass(frozen=True, slots=True)
class Job:
    """A claim on a pair of programs.

    kind: `claim`; `fix` (then `fixed` is what the fix makes of `bad`, and `safety` its applicability);
    `self-test` of the claim's probe; `devices`, which asks what JAX sees. rows: the lines of the bad program
    that its traceback may pass through; none: any. prints: what the good program prints, where stated.
    """

    kind: str
    code: str | None
    name: str
    statement: str
    claim: Claim
    bad: str = ""
    good: str = ""
    fixed: str = ""
    safety: str = ""
    rows: tuple[int, ...] = ()
    prints: str = ""
    platform: str = ""

    @property
    def is_timed(self) -> bool:
        """Whether other work on the machine would change what is observed."""
        return self.claim.kind == "slower" and self.kind in ("claim", "self-test")

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Job:
        fields = dict(data)
        claim: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in fields.pop("claim").items()
        }
        return cls(**{**fields, "rows": tuple(fields["rows"]), "claim": Claim(**claim)})
