"""JAX107: functions of `math` and `cmath` on traced values."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    MATH,
    Array,
    Call,
    Claim,
    Example,
    Finding,
    Fix,
    Located,
    Model,
    Part,
    Rule,
    bounds,
    cst,
    put,
    replaced,
    safety,
    spelling,
)

# Functions of `math` whose namesake in jax.numpy means the same, by their number of arguments.
_ALIKE = {
    1: frozenset(
        "cbrt cos cosh degrees exp exp2 expm1 fabs frexp isfinite isinf isnan log log10 log1p log2 modf"
        " radians sin sinh sqrt tan tanh".split()
    ),
    2: frozenset("copysign fmod gcd hypot lcm ldexp nextafter".split()),
}
_OTHER = {
    "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan",
    "atanh": "arctanh", "atan2": "arctan2", "pow": "power", "ceil": "ceil", "floor": "floor",
}  # fmt: skip
_INTEGER = ("ceil", "floor")
_OTHER_HELP = {"math.log": "jnp.log(...) / jnp.log(...), of the number and of the base"}


def namesake(name: str, count: int) -> str | None:
    """The function of jax.numpy that a function of `math` with so many arguments is."""
    if name in _ALIKE.get(count, ()):
        return name
    return _OTHER.get(name) if count == (2 if name in ("atan2", "pow") else 1) else None


_OF_SEQUENCES = frozenset(("math.fsum", "math.dist"))
_MULTIPLYING = frozenset(("math.prod", "math.sumprod"))  # of what they iterate over, with tracers as well


class MathOnTraced(Rule):
    """A function of `math` or `cmath` is called on a tracer.

    ## What it does
    Finds calls such as `math.sqrt(x)` where an argument is certainly a traced array.

    ## Why
    These functions convert their arguments to Python floats, and a tracer has no concrete value:
    `ConcretizationTypeError`, or `TracerIntegerConversionError` for those that need an integer. This holds
    under `jax.grad` alone, too.

    ## When it is fine
    Values that are concrete while tracing: `math.prod(x.shape)`, `math.sqrt(x.shape[-1])`, `math.log(eps)`
    of a Python number. `math.prod` and `math.sumprod` of a list of tracers, or of a traced array, multiply
    them and work.

    ## Fix safety
    The fix is unsafe: `jnp` computes in JAX's default dtype, mostly 32 bits, where `math` has 64, and
    returns nan or inf where `math` raises. It is only shown if the result may be needed while tracing.
    """

    code = "JAX107"
    name = "math-on-traced"
    category = "correctness"
    fix = "unsafe"
    raises = ("ConcretizationTypeError", "TracerIntegerConversionError", "TypeError", "JAXTypeError")
    calls = ("math", "cmath")
    only_traced = True
    examples = (
        Example(
            bad="""
import math

import jax


@jax.jit
def gaussian(x):
    return math.exp(-0.5 * x**2)


print(gaussian(1.0))
""",
            good="""
import math

import jax
import jax.numpy as jnp


@jax.jit
def gaussian(x):
    return jnp.exp(-0.5 * x**2)


print(gaussian(1.0))
""",
            prints="0.60653067",
        ),
    )
    claim = Claim("raises", "jax.errors.ConcretizationTypeError", "Abstract tracer value encountered")

    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        row = MATH.get(call.name)
        if row is None or not row[0]:
            return
        for position, value in enumerate(call.args):
            if call.name in _MULTIPLYING and not (isinstance(value, Array) and value.ndim == 0):
                continue
            inside = m.items(value) if call.name in _OF_SEQUENCES else None
            if any(m.no_number(each, row[0].lstrip("!")) for each in inside or (value,)):
                root, _, name = call.name.rpartition(".")
                other = namesake(name, len(call.args)) if root == "math" and not call.keywords else None
                yield Finding(
                    call.nid,
                    f"`{{func}}` is called on traced `{{it}}`: raises {row[2].split()[0]}",
                    help=f"jnp.{other}(...) computes with tracers"
                    if other
                    else _OTHER_HELP.get(call.name, ""),
                    label="of a traced value",
                    names={
                        "func": Part(call.nid, ("func",)),
                        "it": Part(call.nid, (("argument", position),)),
                    },
                    data=(name, other) if other and call.exact else None,
                )
                return

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        call = code.node(finding.nid)
        name = spelling(code, "jax.numpy")
        if finding.data is None or name is None or not isinstance(call, cst.Call):
            return None
        old, new = finding.data
        edits = [replaced(code, call.func, f"{name[0]}.{new}")]
        if old in _INTEGER:
            edits.append(put(code, bounds(code, call)[1], ".astype(int)"))
        return Fix(safety(code, call), f"write `{name[0]}.{new}`", (*edits, *name[1]))
