"""Which arguments of a call of JAX must be known while tracing, and which lists may be tuples.

In: a call event. Out: the parameters that the API tables call static, with what is passed for them. It
refuses to know what follows from it: whether a tracer there is the user's value or was made of a shape.
In: a function of the project. Out: whether it does with a parameter what only lists can do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jaxlint.analysis.events import Call
from jaxlint.domain.objects import Function
from jaxlint.domain.values import UNKNOWN
from jaxlint.ir.loop_carried import parts
from jaxlint.ir.nodes import (
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    BinaryExpr,
    CallExpr,
    CompareExpr,
    DeleteStmt,
    Expr,
    NameExpr,
    Node,
    SubscriptExpr,
)
from jaxlint.ir.walks import codes_in, last_name, walk
from jaxlint.library.rule_model import Model, MutableContainer, Tuple, Value
from jaxlint.tables.signatures import parameter_at, signature

# Parameters for which None will not do: whatever a traced function is given, and hands on here, is refused.
_REQUIRED = frozenset(
    f"jax.{name}"
    for name in (
        "numpy.arange.start numpy.linspace.num numpy.eye.N numpy.identity.n numpy.tri.N numpy.zeros.shape "
        "numpy.ones.shape numpy.empty.shape numpy.full.shape numpy.broadcast_to.shape numpy.reshape.shape "
        "numpy.tile.reps random.split.num random.normal.shape random.uniform.shape random.randint.shape "
        "random.choice.shape nn.one_hot.num_classes lax.iota.size lax.full.shape lax.top_k.k "
        "lax.dynamic_slice.slice_sizes lax.dynamic_slice_in_dim.slice_size"
    ).split()
)


# Parameters that are an array, or the length of one: a number there must be known.
_LENGTHS = {
    "jax.random.choice": (1, "a"),
    "jax.random.permutation": (1, "x"),
    "jax.numpy.histogram": (1, "bins"),
    "jax.numpy.histogram_bin_edges": (1, "bins"),
}

_FAR = 2  # how deep the lists are in which numbers stand that must be known


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
    """The arguments that JAX wants to know while tracing but that are a tracer, or a list or tuple of one, or
    of such, as the pairs are that `jnp.pad` takes."""
    which, name = _LENGTHS.get(call.name, (-1, ""))
    length = call.arg(which, name)
    if name and m.is_scalar(length) and m.traced(length):
        yield StaticArgument(name, name if name in call.keywords else which, length or UNKNOWN)
    for argument in static_arguments(call):
        value = argument.value
        is_sequence = isinstance(value, (Tuple, MutableContainer))
        is_required = is_sequence or f"{call.name}.{argument.parameter}" in _REQUIRED
        for item in (m.items(value) or ()) if is_sequence else (value,):
            found = item if is_required and m.no_number(item) else _tracer_in(item, m)
            if found is not None:
                yield argument._replace(value=found)
                break


def _tracer_in(value: Value, m: Model, depth: int = _FAR) -> Value | None:
    """The value if it is a tracer, or the first one in lists and tuples; None where there is none."""
    if m.traced(value):
        return value
    if not depth or not isinstance(value, (Tuple, MutableContainer)):
        return None
    inner = [_tracer_in(each, m, depth - 1) for each in m.items(value) or ()]
    return next((each for each in inner if each is not None), None)


_OF_TUPLES = frozenset(("count", "index"))
_ASK_TYPE = frozenset(("isinstance", "type", "issubclass"))


def takes_tuple(func: Function, name: str) -> bool:
    """Whether a function does with a parameter of this name nothing that a list can do and a tuple cannot, or
    does otherwise, as far as its text says: what the project's own functions do with it is not known."""
    program = func.module.program
    bodies = (each.body for each in (func.code, *codes_in(func.code, program)))

    def is_it(node: Expr) -> bool:
        return isinstance(node, NameExpr) and node.name == name

    def wants_list(node: Node) -> bool:
        if isinstance(node, BinaryExpr):
            return node.operator == "+" and (is_it(node.left) or is_it(node.right))
        if isinstance(node, AttrExpr):
            return is_it(node.value) and node.name not in _OF_TUPLES
        if isinstance(node, CompareExpr):
            return is_it(node.left) or any(is_it(each) and "in" not in how for how, each in node.rest)
        if isinstance(node, CallExpr) and any(map(is_it, node.args)):
            called = last_name(node.func)
            return called in _ASK_TYPE or program.function(called) is not None
        if isinstance(node, (AssignStmt, DeleteStmt)):
            held = [each for target in node.targets for each in parts(target)]
            is_changed = any(isinstance(each, SubscriptExpr) and is_it(each.value) for each in held)
            return is_changed or (isinstance(node, AssignStmt) and is_it(node.value))
        target = node.target if isinstance(node, AugmentedStmt) else None
        return target is not None and is_it(target.value if isinstance(target, SubscriptExpr) else target)

    return not any(map(wants_list, walk(*(statement for body in bodies for statement in body))))
