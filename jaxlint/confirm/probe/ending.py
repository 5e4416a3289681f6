"""How a program ends: with an error of a class, through a line; with a warning; or at its last line."""

from __future__ import annotations

import importlib
import re
import traceback
from typing import Any, ClassVar

from jaxlint.claim import Claim
from jaxlint.confirm.probe.alike import alike, given, prints_alike
from jaxlint.confirm.probe.base import Known, Observation, Probe
from jaxlint.confirm.script import Pair, Script, output, recorded_warnings, said


def class_of(name: str, default: tuple[type[BaseException], ...]) -> tuple[type[BaseException], ...]:
    """The class with a dotted name.

    Raises:
        ImportError, AttributeError: there is none.
    """
    if not name:
        return default
    module, _, last = name.rpartition(".")
    found: type[BaseException] = getattr(importlib.import_module(module or "builtins"), last)
    return (found,)


def rows_of(error: BaseException, script: Script) -> list[int]:
    """The lines of a program that an error's traceback passes through, outermost first."""
    frames = traceback.walk_tb(error.__traceback__)
    return [row for frame, row in frames if frame.f_code.co_filename == str(script.path)]


class Raises(Probe):
    """The bad program ends with the error, through the line that the rule reports; the good one runs."""

    default: ClassVar[tuple[type[BaseException], ...]] = (Exception,)
    known: ClassVar[tuple[Known, ...]] = (
        Known(
            Claim("raises", "builtins.ZeroDivisionError", "zero"),
            "import jax\njax.jit(lambda x: x / (1 // 0))(1.0)\n",
            "import jax\njax.jit(lambda x: x / 1)(1.0)\n",
            True,
        ),
        Known(
            Claim("raises", "builtins.ZeroDivisionError", "zero"),
            "import jax\njax.jit(lambda x: x / {}['a'])(1.0)\n",
            "import jax\njax.jit(lambda x: x / 1)(1.0)\n",
            False,
        ),
        Known(Claim("raises", "builtins.ZeroDivisionError"), "1 / 1\n", "1 / 1\n", False),
        Known(Claim("raises", "builtins.ZeroDivisionError"), "1 / 0\n", "1 / 0\n", False),
    )

    def observe(self, pair: Pair, claim: Claim) -> Observation:
        figures: dict[str, Any] = {}
        error = pair.bad.outcome()
        if pair.good is None and claim.calls and error is None:
            error = _error_of_call(pair.bad, claim.calls[0])
        wrong = self.faults(error, pair, claim, figures)
        if pair.good is not None and not wrong:
            wrong = self.faults_of_good(pair.good, pair.prints, claim)
        return Observation(not wrong, figures, "; ".join(wrong))

    def faults(
        self, error: BaseException | None, pair: Pair, claim: Claim, figures: dict[str, Any]
    ) -> list[str]:
        if error is None:
            return ["the bad program runs to its end"]
        rows = rows_of(error, pair.bad)
        figures["error"] = type(error).__qualname__
        if rows:
            figures["line"] = rows[-1]
        if not isinstance(error, class_of(claim.error, self.default)):
            return [f"the bad program raises {said(error)}"]
        wrong = []
        if claim.text not in str(error):
            wrong.append(f'"{claim.text}" is not in the message: {said(error)}')
        if pair.rows and not claim.elsewhere and not set(rows) & set(pair.rows):
            wrong.append(f"raised at line {rows}, reported at line {pair.rows[0]}")
        return wrong

    @staticmethod
    def faults_of_good(good: Script, prints: str, claim: Claim) -> list[str]:
        with output() as lines:
            good.run()
        if prints and not prints_alike(prints.splitlines(), lines):
            return [f"the good program prints {' / '.join(lines)!r}, stated {prints!r}"]
        if claim.gives:
            value = good.value((claim.good_calls or claim.calls)[0])
            if not alike(value, given(claim.gives), typed=False):
                return [f"the good program gives {value}, stated {claim.gives}"]
        return []


class Missing(Raises):
    """What the bad program names is gone from this JAX."""

    default = (AttributeError, ImportError, TypeError)
    known = (
        Known(Claim("missing"), "import jax\njax.no_such_name\n", "import jax\njax.jit\n", True),
        Known(Claim("missing"), "import jax\njax.jit\n", "import jax\njax.jit\n", False),
        Known(Claim("missing"), "import jax\n1 / 0\n", "import jax\njax.jit\n", False),
    )


class Warns(Probe):
    """The bad program makes a warning of the class, and the good one none of it."""

    known = (
        Known(
            Claim("warns", text="is old"),
            "import warnings\nwarnings.warn('f is old', DeprecationWarning)\n",
            "import warnings\nwarnings.warn('f is old', UserWarning)\n",
            True,
        ),
        Known(Claim("warns"), "import jax\n", "import jax\n", False),
        Known(
            Claim("warns"),
            "import warnings\nwarnings.warn('f is old', DeprecationWarning)\n",
            "import warnings\nwarnings.warn('f is old', DeprecationWarning)\n",
            False,
        ),
    )

    def observe(self, pair: Pair, claim: Claim) -> Observation:
        (wanted,) = class_of(claim.error, (DeprecationWarning,))
        made = []
        for script in pair.scripts:
            with recorded_warnings() as warnings:
                script.run()
                if claim.calls:
                    script.value(
                        claim.calls[0] if script is pair.bad else (claim.good_calls or claim.calls)[0]
                    )
            made.append(
                [
                    str(warning.message)
                    for warning in warnings
                    if issubclass(warning.category, wanted) and claim.text in str(warning.message)
                ]
            )
        figures = dict(zip(("bad", "good"), map(len, made), strict=False))
        wrong = [] if made[0] else [f"the bad program makes no {wanted.__name__}"]
        if pair.good is not None and made[1]:
            wrong.append(f"the good program warns: {made[1][0].splitlines()[0]}")
        detail = "; ".join(wrong) or re.sub(r"\s+", " ", made[0][0])[:200]
        return Observation(not wrong, figures, detail)


def _error_of_call(script: Script, call: str) -> Exception | None:
    try:
        script.value(call)
    except Exception as error:
        cause = error.__cause__
        return cause if isinstance(cause, Exception) else error
    return None
