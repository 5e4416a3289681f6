"""JAX104: `range` of traced values."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
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
    as_fori_loop,
    kind_of,
    kinds_of,
)
from jaxlint.rule import Count as Counted

_ERRORS = {"collections.deque": "TypeError", "itertools.islice": "ValueError", "list": "TypeError"}


class RangeOverTraced(Rule):
    """`range` of a traced number.

    ## What it does
    Finds `range(n)` where a bound or the step is certainly a traced array, and other counts: a list, tuple
    or string times `n`, `itertools.islice`, `repeat` and `combinations` of `n` items.

    ## Why
    A Python loop runs while JAX traces the function, so its length must be a concrete integer. A tracer has
    no concrete value: `TracerIntegerConversionError`.

    ## When it is fine
    Lengths that are concrete while tracing: `range(x.shape[0])`, `range(len(layers))`, a static argument.
    Under `jax.grad` alone an integer that is not differentiated is concrete.

    ## Fix safety
    The fix, `jax.lax.fori_loop`, is only shown: with a traced length it does not support reverse-mode
    differentiation, while `static_argnames` would compile once for each length. It is offered if the body
    only computes variables that exist before the loop and certainly keep their shapes and dtypes.
    """

    code = "JAX104"
    name = "range-over-traced"
    category = "correctness"
    fix = "displayonly"
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


@jax.jit
def power(x, n):
    result = 1.0

    def body(_, result):
        result = result * x
        return result

    result = jax.lax.fori_loop(0, n, body, result)
    return result


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
                    "needs a concrete int, but `{bound}` is traced: raises TracerIntegerConversionError",
                    help="jax.lax.fori_loop(0, {bound}, body, init), or make `{bound}` a static argument",
                    label="a traced length",
                    names={"bound": Part(call.nid, (("argument", position),))},
                    data=kinds_of(m.mentioned(call)) if _can_count(call, m) else None,
                )
                return

    def visit_Count(self, count: Counted, m: Model) -> Iterator[Finding]:
        if not m.no_number(count.value) or (isinstance(count.value, Array) and count.value.shape):
            return
        said = f"`{count.function}` gets a traced count, `{{count}}`"
        if count.function in ("list", "str"):
            said = "`{it}` repeats a sequence by a traced number"
        error = _ERRORS.get(count.function, "TracerIntegerConversionError")
        yield Finding(
            count.nid,
            f"{said}: raises {error}",
            help="a static argument, or an array of the maximum length and a mask",
            label="a traced count",
            names={"it": count.nid, "count": Part(count.nid, (("argument", count.which),))},
            raises=(error, *self.raises),
        )

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        if finding.data is None:
            return None
        edits = as_fori_loop(code, code.node(finding.nid), finding.data)
        return None if edits is None else Fix("displayonly", "loop in the compiled program", edits)


def _can_count(call: Call, m: Model) -> bool:
    """Whether `fori_loop` takes the bounds: one of them an integer array, and nothing is differentiated."""
    kinds = [kind_of(value) for value in call.args]
    arrays = [kind for kind in kinds if kind is not None and kind.sort == "array"]
    numbers = [kind for kind in kinds if kind is not None and kind.sort == "number"]
    are_integers = all((kind.dtype, kind.ndim) == ("i", 0) for kind in (*arrays, *numbers))
    is_known = len(arrays) == 1 and len(arrays) + len(numbers) == len(kinds)
    return is_known and are_integers and not m.is_differentiated(call)
