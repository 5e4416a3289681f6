"""Which arguments of a call of JAX must be known while tracing.

In: a call event. Out: the parameters that the API tables call static, with what is passed for them. It
refuses to know what follows from it: whether a tracer there is the user's value or was made of a shape.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jaxlint.analysis.events import Call
from jaxlint.domain.values import UNKNOWN
from jaxlint.library.rule_model import Model, MutableContainer, Tuple, Value
from jaxlint.tables.signatures import parameter_at, signature

# Parameters for which None will not do: whatever a traced function is given, and hands on here, is refused.
_REQUIRED = frozenset(
    f"jax.{name}"
    for name in (
        "numpy.arange.start numpy.linspace.num numpy.eye.N numpy.identity.n numpy.tri.N numpy.zeros.shape "
        "numpy.ones.shape numpy.empty.shape numpy.full.shape numpy.broadcast_to.shape numpy.reshape.shape "
        "numpy.tile.reps random.split.num random.normal.shape random.uniform.shape random.randint.shape "
        "nn.one_hot.num_classes lax.iota.size lax.full.shape"
    ).split()
)


# Parameters that are an array, or the length of one: a number there must be known.
_LENGTHS = {"jax.random.choice": (1, "a"), "jax.random.permutation": (1, "x")}


class StaticArgument(NamedTuple):
    """`which` argument of the call (a position or a keyword) fills the parameter; `value` is it, or the
    element of it that is traced."""

    parameter: str
    which: int | str
    value: Value


def static_arguments(call: Call) -> Iterator[StaticArgument]:
    """The arguments of a call that JAX wants to know while tracing."""
    found = signature(call.name)
    if found is None or not found[1]:
        return
    parameters, static = found
    for position, value in enumerate(call.args):
        name = parameter_at(parameters, position)
        if name is None:
            break
        if name.lstrip("*") in static:
            yield StaticArgument(name.lstrip("*"), position, value)
    for name, value in call.keywords.items():
        if name in static:
            yield StaticArgument(name, name, value)


def traced_static_arguments(call: Call, m: Model) -> Iterator[StaticArgument]:
    """The arguments that JAX wants to know while tracing but that are a tracer, or a list or tuple of one."""
    which, name = _LENGTHS.get(call.name, (-1, ""))
    length = call.arg(which, name)
    if name and m.is_scalar(length) and m.traced(length):
        yield StaticArgument(name, name if name in call.keywords else which, length or UNKNOWN)
    for argument in static_arguments(call):
        value = argument.value
        for item in (m.items(value) or ()) if isinstance(value, (Tuple, MutableContainer)) else (value,):
            if m.traced(item) or (f"{call.name}.{argument.parameter}" in _REQUIRED and m.no_number(item)):
                yield argument._replace(value=item)
                break
