"""What a rule claims of JAX, and the programs that it claims it of, as data.

Out: `Claim` and `Example`, which rules state, `jaxlint confirm` runs and pages show. It imports nothing of
jaxlint: the harness uses it in environments that have JAX only.
"""

from __future__ import annotations

from dataclasses import dataclass

Expected = int | float | str | None

CLAIM_KINDS = (
    "raises", "missing", "warns", "differs", "same", "traces", "compiles", "warm-binds", "transfers",
    "program", "memory", "gradient", "side-effect", "slower",
)  # fmt: skip

_OF_CALLS = ("differs", "same", "warm-binds", "program", "memory", "gradient", "slower")


@dataclass(frozen=True, slots=True)
class Claim:
    """What is observed when a pair of programs runs, as data: `jaxlint confirm` runs it.

    `calls` are expressions in the program's namespace, evaluated after it has run. A claim is about the
    installed JAX where that is at least `since` and below `until`.

    - `raises`: the bad program ends with `error`, `text` in its message, its traceback through the line
      that the rule reports (`elsewhere`: through any); the good one runs. `missing`: likewise, because a
      name is gone. `warns`: a warning of class `error` with `text`.
    - `same`, `differs`: of one call: its value in the bad program and in the good one (which is `gives`,
      where stated); of several: their values in the bad program, and the opposite in the good one.
    - `traces` (entries into the Python function named `what`), `compiles`, `warm-binds` (primitives bound
      from Python), `transfers` (`what`: a direction), `side-effect` (growth of the expression `what`, or
      printed lines with `text`): how many while the calls are made `times` over, or, where no call is
      given, while the program runs.
    - `program` (`what`: a primitive, `eqns`, `hlo:NAME`; or `jaxpr`, `hlo`: the text), `memory` (`what`:
      `temp`, `output`, `argument`, `alias`, `constants` or `live`, in bytes): of the program that the call
      is, or, with `sizes` for `{n}`, how it grows.
    - `gradient`: `nan`, `inf`, `zero` or `finite`. `slower`: time of the bad call over that of the good one.

    bad, good: what is expected of each: a number, a comparison such as `>=3`, or a word of the kind.
    ratio: bad over good is at least this.
    """

    kind: str
    error: str = ""
    text: str = ""
    calls: tuple[str, ...] = ()
    good_calls: tuple[str, ...] = ()
    what: str = ""
    bad: Expected = None
    good: Expected = None
    ratio: float = 0.0
    gives: str = ""
    times: int = 1
    sizes: tuple[int, ...] = ()
    devices: int = 1
    since: str = ""
    until: str = ""
    elsewhere: bool = False

    def __post_init__(self) -> None:
        if self.kind not in CLAIM_KINDS:
            raise ValueError(f"no kind of claim: {self.kind}")
        if self.kind in _OF_CALLS and not self.calls:
            raise ValueError(f"a claim of the kind {self.kind} is about calls, and none is given")


@dataclass(frozen=True, slots=True)
class Example:
    """A bad program, the good one beside it, and what is to be said of the pair.

    prints: what the good program prints, where the bad one raises and so cannot show it. claim: what is
    claimed of this pair instead of the rule's claims.
    """

    bad: str
    good: str
    note: str = ""
    prints: str = ""
    claim: Claim | None = None
