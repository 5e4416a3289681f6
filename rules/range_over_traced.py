"""JAX104: `range` of traced values."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.engine.event import Call
from jaxlint.engine.model import Array, Model
from jaxlint.rule import Claim, Example, Finding, Part, Rule


class RangeOverTraced(Rule):
    """`range` of a traced number.

    ## What it does
    Finds `range(n)` where a bound or the step is certainly a traced array.

    ## Why
    A loop of Python runs while JAX traces the function, so its length must be a number by then. A tracer
    has none to give: `TracerIntegerConversionError`.

    ## When it is fine
    Lengths that are known while tracing: `range(x.shape[0])`, `range(len(layers))`, a static argument. Under
    `jax.grad` alone an integer that is not differentiated is a number.

    ## Fix safety
    No fix is applied. `lax.fori_loop` takes a traced length, but then what the loop carries must keep its
    shapes and dtypes, and it cannot be differentiated in reverse; `static_argnames` compiles once for each
    length.
    """

    code = "JAX104"
    name = "range-over-traced"
    category = "correctness"
    raises = ("TracerIntegerConversionError", "TypeError", "JAXTypeError")
    calls = ("builtins",)
    only_traced = True
    examples = (
        Example(
            bad="""
import jax


@jax.jit
def power(x, n):
    result = 1.0
    for _ in range(n):
        result = result * x
    return result


print(power(2.0, 5))
""",
            good="""
import jax
from jax import lax


@jax.jit
def power(x, n):
    return lax.fori_loop(0, n, lambda _, result: result * x, 1.0)


print(power(2.0, 5))
""",
            prints="32.0",
        ),
    )
    claim = Claim("raises", "jax.errors.TracerIntegerConversionError", "__index__() method was called")

    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        if call.name != "builtins.range":
            return
        for position, bound in enumerate(call.args):
            # What jax.numpy makes of a shape has a rule of its own, jnp-on-static-shape.
            if m.no_number(bound) and not (isinstance(bound, Array) and bound.shape):
                yield Finding(
                    call.nid,
                    "`range` of `{bound}` runs while tracing: raises TracerIntegerConversionError",
                    help="jax.lax.fori_loop(0, {bound}, body, init), or make `{bound}` a static argument",
                    label="a traced length",
                    names={"bound": Part(call.nid, (("argument", position),))},
                )
                return
