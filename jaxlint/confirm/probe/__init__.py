"""The probes by kind of claim. Only children of the harness import this: it imports jax."""

from __future__ import annotations

from jaxlint.confirm.probe.base import Probe
from jaxlint.confirm.probe.compiled import Memory, Program
from jaxlint.confirm.probe.count import Compiles, SideEffect, Traces, Transfers, WarmBinds
from jaxlint.confirm.probe.duration import Slower
from jaxlint.confirm.probe.ending import Missing, Raises, Warns
from jaxlint.confirm.probe.value import Differs, Gradient, Same

PROBES: dict[str, type[Probe]] = {
    "raises": Raises,
    "missing": Missing,
    "warns": Warns,
    "differs": Differs,
    "same": Same,
    "traces": Traces,
    "compiles": Compiles,
    "warm-binds": WarmBinds,
    "transfers": Transfers,
    "program": Program,
    "memory": Memory,
    "gradient": Gradient,
    "side-effect": SideEffect,
    "slower": Slower,
}
