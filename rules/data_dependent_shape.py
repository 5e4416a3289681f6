"""JAX110: functions whose result's shape depends on traced values."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    FUNCTIONS,
    METHOD,
    METHODS,
    Call,
    Claim,
    Example,
    Finding,
    Model,
    Part,
    Rule,
    Value,
    signature,
)


def _is_array_while_tracing(call: Call, value: Value | None, m: Model) -> bool:
    """A JAX array that staged code closes over is an operand of the trace, too."""
    return m.traced(value) or (call.staged and m.is_array(value))


class DataDependentShape(Rule):
    """The shape of a function's result depends on traced values.

    ## What it does
    Finds `jnp.nonzero`, `jnp.unique`, `jnp.where` with one argument, `jnp.repeat` with traced repeats and
    similar functions in traced code, without the argument that fixes the size of the result.

    ## Why
    Shapes must be static under `jit`, and this shape depends on values that are not known while JAX traces
    the function: `ConcretizationTypeError`.

    ## When it is fine
    With `size=` (`length=`, `total_repeat_length=`) the result has a static length and is padded.
    `jnp.where` with three arguments keeps the shape. Outside traced code, under `jax.grad` alone and on
    NumPy arrays the values are concrete.

    ## Fix safety
    There is no fix: only the author knows the maximum size of the result and a suitable fill value.
    """

    code = "JAX110"
    name = "data-dependent-shape"
    category = "correctness"
    raises = ("ConcretizationTypeError", "TypeError", "JAXTypeError", "TracerBoolConversionError")
    calls = ("jax",)
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp


@jax.jit
def first_events(spikes):
    return jnp.nonzero(spikes > 0.5)[0]


print(first_events(jnp.array([0.0, 1.0, 0.0, 1.0])))
""",
            good="""
import jax
import jax.numpy as jnp


@jax.jit
def first_events(spikes):
    return jnp.nonzero(spikes > 0.5, size=4, fill_value=-1)[0]


print(first_events(jnp.array([0.0, 1.0, 0.0, 1.0])))
""",
            prints="[ 1  3 -1 -1]",
        ),
    )
    claim = Claim("raises", "jax.errors.ConcretizationTypeError", "Abstract tracer value encountered")

    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        rule = _size_rule(call.name)
        if not rule or not call.exact or not (call.staged or call.level & 3):
            return
        size, _, when = rule.partition(":when=")
        given = None if size == "!" else _argument(call, size)
        if given is not None and not m.is_none(given):
            return
        if when == "unary":
            if len(call.args) + len(call.keywords) != 1:
                return
        elif when and not _is_array_while_tracing(call, _argument(call, when), m):
            return
        if not call.staged and not any(map(m.traced, [*call.args, call.receiver])):
            return
        if call.name.startswith(METHOD) and not call.staged and not m.traced(call.receiver):
            return
        yield Finding(
            call.nid,
            "shape of `{func}` depends on traced values: raises ConcretizationTypeError",
            help=f"{{func}}(..., {size}=...) has a static shape"
            if size != "!"
            else "a mask and jnp.where keep the shape",
            label="a data-dependent shape",
            names={"func": Part(call.nid, ("func",))},
        )


def _size_rule(name: str) -> str:
    """What the API tables say on how the shape of a function's result becomes known."""
    if name.startswith(METHOD):
        method = METHODS.get(name.removeprefix(METHOD))
        return "" if method is None else method[7]
    function = FUNCTIONS.get(name)
    return "" if function is None else function[4]


def _argument(call: Call, name: str) -> Value | None:
    """What is passed for a parameter."""
    if name in call.keywords:
        return call.keywords[name]
    found = signature(call.name)
    parameters = () if found is None else found[0]
    if name not in parameters:
        return None
    position = parameters.index(name)
    return call.arg(position) if "*" not in parameters[:position] else None
