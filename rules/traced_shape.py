"""JAX109: traced values where a static argument is needed."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import Array, Call, Claim, Example, Finding, Model, Part, Rule, traced_static_arguments


class TracedShape(Rule):
    """A traced value as a shape, an axis, a length or another static argument of a JAX function.

    ## What it does
    Finds arguments that must be static - shapes, sizes, axes, numbers of samples, classes, segments or steps
    - and are certainly traced; also the number that `jax.random.choice` and `permutation` take for a length.

    ## Why
    Shapes must be static under `jit`, so these arguments must be concrete while JAX traces the function. A
    traced argument is not: `ConcretizationTypeError` or another `TypeError`, or a `ValueError` where the
    function of JAX is itself compiled with that argument static.

    ## When it is fine
    Sizes taken from `x.shape`, `len(xs)`, static arguments and closed-over Python values. Arguments that may
    be traced: the fill value of `jnp.full`, the start of `lax.dynamic_slice`, the bounds of `lax.fori_loop`.
    Under `jax.grad` alone an integer that is not differentiated is concrete.

    ## Fix safety
    There is no fix: the argument may become static (`static_argnames`), which compiles once for each value,
    or the program may use arrays of the maximum size and a mask.
    """

    code = "JAX109"
    name = "traced-shape"
    category = "correctness"
    raises = (
        "ConcretizationTypeError",
        "TypeError",
        "JAXTypeError",
        "TracerIntegerConversionError",
        "ValueError",
    )
    calls = ("jax", "numpy")
    only_traced = True
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp


@jax.jit
def window(size):
    return jnp.hanning(size) / size + jnp.zeros(size)


print(window(4))
""",
            good="""
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="size")
def window(size):
    return jnp.hanning(size) / size + jnp.zeros(size)


print(window(4))
""",
            prints="[0.         0.1875     0.18749999 0.        ]",
        ),
    )
    claim = Claim("raises", "builtins.TypeError")

    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        if not call.exact:
            return
        for name, which, value in traced_static_arguments(call, m):
            # What jax.numpy makes of a shape has a rule of its own, jnp-on-static-shape.
            if isinstance(value, Array) and value.shape:
                continue
            if call.name == "jax.numpy.arange" and which == 0 and len(call.args) == 1:
                name = name if "stop" in call.keywords else "stop"
            yield Finding(
                call.nid,
                f"`{name}` of `{{func}}` must be static, not `{{it}}`: TypeError or ValueError",
                help="make `{it}` a static argument of the traced function, or take it from a shape",
                label=f"`{name}` is traced",
                names={"func": Part(call.nid, ("func",)), "it": Part(call.nid, (("argument", which),))},
            )
            return
