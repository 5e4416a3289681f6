"""What calls give: the same as others, something else, or a gradient that is no number."""

from __future__ import annotations

from typing import Any, ClassVar

import jax
import numpy as np

from jaxlint.claim import Claim
from jaxlint.confirm.probe.alike import alike, array, given
from jaxlint.confirm.probe.base import Known, Observation, Probe
from jaxlint.confirm.script import Pair, ready

_PROGRAM = "import jax.numpy as jnp\nx = jnp.arange(3.0)\ny = x{}\n"


def _shown(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


class Same(Probe):
    """Of one call: the bad and the good program give the same. Of several: they give the same in the bad
    program, and not in the good one."""

    known: ClassVar[tuple[Known, ...]] = (
        Known(Claim("same", calls=("y",)), _PROGRAM.format(" * 2"), _PROGRAM.format(" + x"), True),
        Known(Claim("same", calls=("y",)), _PROGRAM.format(" * 2"), _PROGRAM.format(" * 3"), False),
        Known(Claim("same", calls=("x", "y")), _PROGRAM.format(" * 1"), _PROGRAM.format(" * 2"), True),
        Known(Claim("same", calls=("x", "y")), _PROGRAM.format(" * 2"), _PROGRAM.format(" * 1"), False),
    )
    same = True

    def observe(self, pair: Pair, claim: Claim) -> Observation:
        ready(pair, claim)
        results = [[side.script.value(call) for call in side.calls] for side in pair.sides(claim)]
        if len(claim.calls) > 1:
            return self._within(results, claim)
        (bad,), (good,) = results
        wrong = []
        if alike(bad, good) is not self.same:
            wrong.append("the programs " + ("differ" if self.same else "give the same"))
        if claim.gives and not alike(good, given(claim.gives), typed=False):
            wrong.append(f"the good program gives {_shown(good)}, stated {claim.gives}")
        return Observation(not wrong, {"bad": _shown(bad), "good": _shown(good)}, "; ".join(wrong))

    def _within(self, results: list[list[Any]], claim: Claim) -> Observation:
        figures, wrong = {}, []
        for name, values, same in zip(("bad", "good"), results, (self.same, not self.same), strict=False):
            figures[name] = [_shown(value) for value in values]
            plain = any(isinstance(value, (bool, int, float, str, tuple, list)) for value in values)
            equal = all(
                alike(values[0], value, typed=not plain, exact=not plain or isinstance(value, (int, str)))
                for value in values[1:]
            )
            if equal is not same:
                wrong.append(f"in the {name} program they {'are the same' if equal else 'differ'}")
        if claim.gives and len(results) > 1 and not alike(results[1][-1], given(claim.gives), typed=False):
            wrong.append(f"the good program gives {_shown(results[1][-1])}, stated {claim.gives}")
        return Observation(not wrong, figures, "; ".join(wrong))


class Differs(Same):
    """The opposite of `Same`."""

    same = False
    known = (
        Known(Claim("differs", calls=("y",)), _PROGRAM.format(" * 2"), _PROGRAM.format(" * 3"), True),
        Known(Claim("differs", calls=("y",)), _PROGRAM.format(" * 2"), _PROGRAM.format(" + x"), False),
        Known(Claim("differs", calls=("x", "y")), _PROGRAM.format(" * 2"), _PROGRAM.format(" * 1"), True),
        Known(Claim("differs", calls=("x", "y")), _PROGRAM.format(" * 1"), _PROGRAM.format(" * 2"), False),
    )


_GRADIENT = "import jax\nimport jax.numpy as jnp\n\n\ndef f(x):\n    return {}\n\n\ng = jax.grad(f)\n"


class Gradient(Probe):
    """What a gradient holds: `nan`, `inf`, `zero` everywhere, or `finite` numbers."""

    known = (
        Known(
            Claim("gradient", calls=("g(0.0)",), bad="nan", good="finite"),
            _GRADIENT.format("jnp.where(x > 0, jnp.sqrt(x) * x / x, x)"),
            _GRADIENT.format("x * 2"),
            True,
        ),
        Known(
            Claim("gradient", calls=("g(0.0)",), bad="inf", good="zero"),
            _GRADIENT.format("jnp.sqrt(x)"),
            _GRADIENT.format("jnp.floor(x)"),
            True,
        ),
        Known(
            Claim("gradient", calls=("g(0.0)",), bad="nan", good="finite"),
            _GRADIENT.format("x * 2"),
            _GRADIENT.format("x * 2"),
            False,
        ),
    )

    def observe(self, pair: Pair, claim: Claim) -> Observation:
        ready(pair, claim)
        figures, wrong = {}, []
        for side, name, expected in zip(
            pair.sides(claim), ("bad", "good"), (claim.bad, claim.good), strict=False
        ):
            value = side.script.value(side.calls[0])
            figures[name] = found = _sort_of(value)
            if expected is not None and found != expected:
                wrong.append(f"{found} in the {name} program, claimed {expected}")
        return Observation(not wrong, figures, "; ".join(wrong))


def _sort_of(tree: Any) -> str:
    leaves = [array(leaf).astype(np.complex128) for leaf in jax.tree_util.tree_leaves(tree)]
    if any(np.isnan(leaf).any() for leaf in leaves):
        return "nan"
    if any(np.isinf(leaf).any() for leaf in leaves):
        return "inf"
    return "finite" if any(leaf.any() for leaf in leaves) else "zero"
