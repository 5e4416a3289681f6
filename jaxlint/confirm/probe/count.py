"""What happens while calls are made: traces, compilations, primitives bound, copies, effects."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

import jax
import jax.monitoring

from jaxlint.claim import Claim
from jaxlint.confirm.probe.base import Counting, Known, NotRunnable
from jaxlint.confirm.script import Pair, Script, Side, output, ready

_JITTED = "import jax\n\n\ndef f(x):\n    return x * 2\n\n\ng = jax.jit(f)\ng(1.0)\n"
_FRESH = "import jax\n\n\ndef f(x):\n    return x * 2\n\n\ndef g(x):\n    return jax.jit(lambda y: f(y))(x)\n"
_EAGER = "from jax import lax\n\n\ndef g(x):\n    return lax.sin(lax.cos(x))\n"


class Traces(Counting):
    """How often the body of a Python function of the program runs."""

    noun = "runs"
    known = (
        Known(Claim("traces", calls=("g(2.0)",), times=3, what="f", bad=3, good=0), _FRESH, _JITTED, True),
        Known(Claim("traces", calls=("g(2.0)",), times=3, what="f", bad=3, good=0), _JITTED, _JITTED, False),
    )

    def counts(self, pair: Pair, claim: Claim) -> Sequence[float]:
        ready(pair, claim)
        found = []
        for side in pair.sides(claim):
            with entries(side.script, claim.what) as entered:
                side.run(claim.times)
            found.append(len(entered))
        return found


class Compiles(Counting):
    """How often XLA compiles."""

    noun = "compilations"
    known = (
        Known(Claim("compiles", calls=("g(2.0)",), times=3, bad=3, good=0), _FRESH, _JITTED, True),
        Known(Claim("compiles", calls=("g(2.0)",), times=3, bad=3, good=0), _JITTED, _JITTED, False),
    )

    def counts(self, pair: Pair, claim: Claim) -> Sequence[float]:
        found = []
        for side in pair.sides(claim):
            jax.clear_caches()
            if claim.calls:
                side.script.run()
            with events(COMPILED) as seen:
                side.run(claim.times)
            found.append(len(seen))
        return found


class WarmBinds(Counting):
    """How many primitives a warm call binds from Python: what compiled code is not spared."""

    noun = "primitives bound"
    known = (
        Known(Claim("warm-binds", calls=("g(2.0)",), bad=">=2", good=0), _EAGER, _JITTED, True),
        Known(Claim("warm-binds", calls=("g(2.0)",), bad=">=2", good=0), _JITTED, _JITTED, False),
    )

    def counts(self, pair: Pair, claim: Claim) -> Sequence[float]:
        ready(pair, claim)
        found = []
        for side in pair.sides(claim):
            Side(side.script, side.calls[:1]).run(2)
            with binds() as bound:
                side.script.value(side.calls[0])
            found.append(len(bound))
        return found


class Transfers(Counting):
    """How many copies the transfer guard reports."""

    noun = "transfers"
    known = (
        Known(
            Claim("transfers", calls=("g(x)",), times=2, bad=2, good=0),
            f"import numpy as np\n{_JITTED}x = np.ones(3, np.float32)\ng(x)\n",
            f"import jax.numpy as jnp\n{_JITTED}x = jnp.ones(3)\ng(x)\n",
            True,
        ),
        Known(
            Claim("transfers", calls=("g(x)",), times=2, bad=2, good=0),
            f"import jax.numpy as jnp\n{_JITTED}x = jnp.ones(3)\ng(x)\n",
            f"import jax.numpy as jnp\n{_JITTED}x = jnp.ones(3)\ng(x)\n",
            False,
        ),
    )

    def counts(self, pair: Pair, claim: Claim) -> Sequence[float]:
        direction = claim.what or "host-to-device"
        if direction == "device-to-host" and jax.default_backend() == "cpu":
            raise NotRunnable("on the CPU arrays are in the host's memory already")
        ready(pair, claim)
        found = []
        for side in pair.sides(claim):
            with jax.transfer_guard("log_explicit"), output() as lines:
                side.run(claim.times)
            found.append(sum(f"{direction} transfer" in line for line in lines))
        return found


class SideEffect(Counting):
    """How often an effect of Python happens: the growth of a number, or the lines that are printed."""

    noun = "effects"
    known = (
        Known(
            Claim("side-effect", calls=("g(1.0)",), times=3, what="len(seen)", bad=3, good=0),
            "seen = []\n\n\ndef g(x):\n    seen.append(x)\n",
            "seen = []\n\n\ndef g(x):\n    pass\n",
            True,
        ),
        Known(
            Claim("side-effect", calls=("g(1.0)",), times=3, text="seen", bad=0, good=3),
            "import jax\n\n\n@jax.jit\ndef g(x):\n    print('seen', x)\n\n\ng(1.0)\n",
            "import jax\n\n\n@jax.jit\ndef g(x):\n    jax.debug.print('seen {}', x)\n\n\ng(1.0)\n",
            True,
        ),
        Known(
            Claim("side-effect", calls=("g(1.0)",), times=3, what="len(seen)", bad=3, good=0),
            "seen = []\n\n\ndef g(x):\n    pass\n",
            "seen = []\n\n\ndef g(x):\n    pass\n",
            False,
        ),
    )

    def counts(self, pair: Pair, claim: Claim) -> Sequence[float]:
        ready(pair, claim)
        found = []
        for side in pair.sides(claim):
            before = float(side.script.value(claim.what)) if claim.what and claim.calls else 0.0
            with output() as lines:
                side.run(claim.times)
            if claim.what:
                found.append(float(side.script.value(claim.what)) - before)
            else:
                found.append(sum(claim.text in line for line in lines))
        return found


COMPILED = re.compile("backend_compile_duration$")


@contextmanager
def events(wanted: re.Pattern[str]) -> Iterator[list[str]]:
    """The names of JAX's monitoring events of a kind that happen meanwhile."""
    seen: list[str] = []
    is_open = True

    def listener(event: str, duration: float, **details: Any) -> None:
        if is_open and wanted.search(event):
            seen.append(str(details.get("fun_name", "")))

    jax.monitoring.register_event_duration_secs_listener(listener)
    try:
        yield seen
    finally:
        is_open = False


@contextmanager
def entries(script: Script, name: str) -> Iterator[list[str]]:
    """The functions of a program that are entered meanwhile: those of a name, or all."""
    entered: list[str] = []
    path = str(script.path)

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename == path and code.co_name != "<module>":
            if not name or code.co_name == name:
                entered.append(code.co_name)

    sys.setprofile(profile)
    threading.setprofile(profile)
    try:
        yield entered
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


@contextmanager
def binds() -> Iterator[list[str]]:
    """The names of the primitives that are bound from Python meanwhile."""
    bound: list[str] = []
    primitive = _primitive()
    kinds = [kind for kind in _family(primitive) if "bind" in vars(kind)]
    originals = {kind: vars(kind)["bind"] for kind in kinds}
    depth = 0

    def watching(original: Callable[..., Any]) -> Callable[..., Any]:
        def bind(self: Any, *args: Any, **params: Any) -> Any:
            nonlocal depth
            if depth == 0:
                bound.append(str(self.name))
            depth += original is not originals[primitive]
            try:
                return original(self, *args, **params)
            finally:
                depth -= original is not originals[primitive]

        return bind

    for kind, original in originals.items():
        kind.bind = watching(original)
    try:
        yield bound
    finally:
        for kind, original in originals.items():
            kind.bind = original


def _primitive() -> Any:
    """The class of primitives, by way of one of them."""
    return next(kind for kind in type(jax.lax.add_p).__mro__ if "bind" in vars(kind))


def _family(kind: Any) -> Iterator[Any]:
    yield kind
    for below in kind.__subclasses__():
        yield from _family(below)
