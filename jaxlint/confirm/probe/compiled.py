"""What a call is once it is traced and compiled: its jaxpr, its optimised HLO, the memory it needs.

A call `f(args)` is taken apart: the arguments are evaluated, and `f` is traced with them. What is counted is
the program, so nothing runs and no clock is read.
"""

from __future__ import annotations

import ast
import gc
import re
from collections.abc import Iterator, Sequence
from typing import Any

import jax
import numpy as np

from jaxlint.claim import Claim
from jaxlint.confirm.probe.base import Known, NotRunnable, Observation, Probe, judged
from jaxlint.confirm.script import Pair, Script, ready

_F = "import jax\nimport jax.numpy as jnp\n\n\ndef f(x):\n    {}\n    return x\n\n\nx = jnp.ones(8)\n"
_UNROLLED = _F.format("for _ in range(4):\n        x = jnp.sin(x)")
_SINGLE = _F.format("x = jnp.sin(x)")
_OUTER = _F.format("x = (x[:, None] * x[None, :]).cumsum(0).sum()")
_HELD = "import numpy as np\nheld = np.arange(100, dtype=np.float32)\n" + _F.format(
    "x = x + jnp.asarray(held)[:8]"
)
_GROWING = (
    "import jax.numpy as jnp\n\n\ndef f(n):\n    def g(x):\n        for _ in range({}):\n"
    "            x = jnp.sin(x)\n        return x\n\n    return g\n"
)


class Program(Probe):
    """How often a primitive or an instruction is in the program, or whether two programs are the same."""

    known = (
        Known(Claim("program", calls=("f(x)",), what="sin", bad=4, good=1), _UNROLLED, _SINGLE, True),
        Known(Claim("program", calls=("f(x)",), what="sin", bad=4, good=1), _SINGLE, _SINGLE, False),
        Known(Claim("program", calls=("f(x)",), what="jaxpr"), _SINGLE, _SINGLE, True),
        Known(Claim("program", calls=("f(x)",), what="jaxpr"), _SINGLE, _UNROLLED, False),
        Known(Claim("program", calls=("f(x)",), what="hlo"), _SINGLE, _SINGLE, True),
        Known(Claim("program", calls=("f(x)",), what="hlo"), _SINGLE, _UNROLLED, False),
        Known(
            Claim(
                "program", calls=("f({n})(1.0)",), what="eqns", sizes=(2, 8), bad="linear", good="constant"
            ),
            _GROWING.format("n"),
            _GROWING.format("3"),
            True,
        ),
    )

    def observe(self, pair: Pair, claim: Claim) -> Observation:
        ready(pair, claim)
        sides = pair.sides(claim, comparing=True)
        if claim.what in ("jaxpr", "hlo"):
            texts = [_text(Call(side.script, side.calls[0]), claim.what) for side in sides]
            same = texts[0] == texts[1]
            figures = {"same": same, "lines": len(texts[0].splitlines())}
            wanted = claim.bad != "differs"
            return Observation(
                same is wanted,
                figures,
                "" if same is wanted else f"{claim.what} {'same' if same else 'differs'}",
            )
        return _measured(
            [[Call(side.script, call) for call in _sized(side.calls[0], claim)] for side in sides],
            claim,
            claim.what,
            _number,
        )


class Memory(Probe):
    """Bytes that the compiled program says it needs, or bytes of the arrays that calls leave."""

    known = (
        Known(Claim("memory", calls=("f(x)",), what="argument", bad=32, good=32), _SINGLE, _OUTER, True),
        Known(Claim("memory", calls=("f(x)",), what="output", ratio=8.0), _SINGLE, _OUTER, True),
        Known(Claim("memory", calls=("f(x)",), what="output", ratio=8.0), _SINGLE, _SINGLE, False),
        Known(Claim("memory", calls=("f(x)",), what="constants", bad=400, good=0), _HELD, _SINGLE, True),
        Known(
            Claim("memory", calls=("kept.append(f(x))",), what="live", bad=32, good=0),
            _SINGLE + "kept = []\n",
            _SINGLE + "kept = type('', (), {'append': print})\n",
            True,
        ),
    )

    def observe(self, pair: Pair, claim: Claim) -> Observation:
        ready(pair, claim)
        sides = pair.sides(claim, comparing=True)
        if claim.what == "live":
            counts = []
            for side in sides:
                side.run(1)  # what a first call leaves in caches is no leak
                before = _live()
                side.run(claim.times)
                counts.append(_live() - before)
            return judged(counts, claim, "bytes")
        return _measured(
            [[Call(side.script, call) for call in _sized(side.calls[0], claim)] for side in sides],
            claim,
            claim.what or "temp",
            _bytes,
        )


class Call:
    """A call `f(args)` of a program, taken apart."""

    def __init__(self, script: Script, text: str) -> None:
        call = ast.parse(text, mode="eval").body
        if not isinstance(call, ast.Call):
            raise ValueError(f"no call: {text}")
        self.function = script.value(ast.unparse(call.func))
        call.func = ast.parse("lambda *args, **kwargs: (args, kwargs)", mode="eval").body
        self.args, self.kwargs = script.value(ast.unparse(call))

    def jaxpr(self) -> Any:
        if hasattr(self.function, "trace"):
            return self.function.trace(*self.args, **self.kwargs).jaxpr
        return jax.make_jaxpr(self.function)(*self.args, **self.kwargs)

    def compiled(self) -> Any:
        function = self.function if hasattr(self.function, "lower") else jax.jit(self.function)
        return function.lower(*self.args, **self.kwargs).compile()


def _sized(call: str, claim: Claim) -> Sequence[str]:
    return [call.replace("{n}", str(n)) for n in claim.sizes] or [call]


def _measured(sides: Sequence[Sequence[Call]], claim: Claim, what: str, measure: Any) -> Observation:
    """A number of each call, or with sizes how it grows."""
    noun = "bytes" if measure is _bytes else what
    counts = [[measure(call, what) for call in calls] for calls in sides]
    if not claim.sizes:
        return judged([row[0] for row in counts], claim, noun)
    figures: dict[str, Any] = {"n": list(claim.sizes)}
    wrong = []
    for name, row, expected in zip(("bad", "good"), counts, (claim.bad, claim.good), strict=False):
        figures[name] = row
        if expected is not None and (found := _growth(row, claim.sizes)) != expected:
            wrong.append(f"{noun} in the {name} program: {found}, claimed {expected}")
    return Observation(not wrong, figures, "; ".join(wrong))


def _growth(counts: Sequence[float], sizes: Sequence[int]) -> str:
    if len(set(counts)) == 1:
        return "constant"
    steps = [
        (after - before) / (size - smaller)
        for before, after, smaller, size in zip(counts, counts[1:], sizes, sizes[1:], strict=False)
    ]
    if steps[0] > 0 and max(steps) <= 1.5 * min(steps):
        return "linear"
    return "more than linear" if steps[-1] > steps[0] else "less than linear"


def _text(call: Call, what: str) -> str:
    if what == "jaxpr":
        return re.sub(r" at 0x[0-9a-f]+", "", str(call.jaxpr()))
    return "\n".join(_instructions(call))


def _instructions(call: Call) -> list[str]:
    """The lines of the optimised HLO without what says where in the source they are from."""
    lines = call.compiled().as_text().splitlines()
    start = next((number for number, line in enumerate(lines) if line.startswith(("%", "ENTRY"))), 0)
    return [re.sub(r", (?:metadata|backend_config)=\{.*", "", line) for line in lines[start:] if line.strip()]


def _number(call: Call, what: str) -> int:
    if what.startswith("hlo:"):
        found = re.compile(rf"= \S+ {re.escape(what[4:])}\(")
        return sum(bool(found.search(line)) for line in _instructions(call))
    names = list(primitives(call.jaxpr()))
    return len(names) if what == "eqns" else names.count(what)


def primitives(jaxpr: Any) -> Iterator[str]:
    """The name of the primitive of every equation, also of those in inner programs."""
    for each in _programs(jaxpr):
        for equation in getattr(each, "jaxpr", each).eqns:
            yield equation.primitive.name


def _programs(jaxpr: Any) -> Iterator[Any]:
    """A program and those that are parameters of its equations, to any depth."""
    yield jaxpr
    for equation in getattr(jaxpr, "jaxpr", jaxpr).eqns:
        for value in equation.params.values():
            for inner in value if isinstance(value, (list, tuple)) else (value,):
                if hasattr(inner, "eqns") or hasattr(inner, "jaxpr"):
                    yield from _programs(inner)


def _bytes(call: Call, what: str) -> int:
    if what == "constants":
        # Some versions wrap them in classes of their own.
        held = [constant for each in _programs(call.jaxpr()) for constant in getattr(each, "consts", ())]
        return sum(int(np.asarray(constant).nbytes) for constant in held)
    analysis = call.compiled().memory_analysis()
    if analysis is None:
        raise NotRunnable("this platform does not say how much memory a program needs")
    return int(getattr(analysis, f"{what}_size_in_bytes"))


def _live() -> int:
    gc.collect()
    return sum(array.nbytes for array in jax.live_arrays())
