"""equinox: functions that give back what they are given, and primitives made of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.join import level_of
from jaxlint.domain.objects import Function, Transformed
from jaxlint.domain.values import UNKNOWN, Array, TracerPytree, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model(
    "equinox.branched_error_if",
    "equinox.debug.backward_nan",
    "equinox.error_if",
    "equinox.filter_shard",
    "equinox.internal.branched_error_if",
    "equinox.internal.closure_to_pytree",
    "equinox.internal.debug_backward_nan",
    "equinox.internal.error_if",
    "equinox.internal.noinline",
    "equinox.internal.nonbatchable",
    "equinox.internal.nondifferentiable",
    "equinox.internal.nondifferentiable_backward",
    "equinox.internal.nontraceable",
    "equinox.internal.buffer_at_set",
)
def same(call: Call, m: Parts) -> Value:
    """What they are given first; checked by something traced, its arrays are traced."""
    if not call.args or not call.exact:
        return UNKNOWN
    value, level = call.args[0], m.core.arrays_level([*call.args[1:], *call.keywords.values()])
    return m.lifting.lower(value, level | m.core.arrays_level([value])) if level else value


@model("equinox.internal.doc_repr")
def shown_as(call: Call, m: Parts) -> Value:
    """An object with another text in documentation."""
    return call.args[0] if call.args else UNKNOWN


@model("equinox.filter_closure_convert")
def closure_convert(call: Call, m: Parts) -> Value:
    """A function that does the same. One that closes over nothing is not traced for that."""
    func = call.get(0, "fn")
    if func is None or (isinstance(func, Function) and not _closes_over(func)):
        return func or UNKNOWN
    keywords = {name: value for name, value in call.keywords.items() if name != "fn"}
    made = m.transforms.wrap("equinox.filter_make_jaxpr", [func], {}, call.nid, True)
    with m.keys.unspent():
        m.calls.call(made, call.args[1:], keywords, call.nid, call.exact)
    return func


def _closes_over(func: Function) -> bool:
    """Whether a function reads variables of a function around it."""
    env = func.env
    while env.code is not None and env.parent is not None:
        if not env.code.bound.isdisjoint(func.code.free):
            return True
        env = env.parent
    return False


@model(
    "equinox.internal.unvmap_all",
    "equinox.internal.unvmap_any",
    "equinox.internal.unvmap_max",
)
def reduced(call: Call, m: Parts) -> Value:
    dtype = "b" if call.name.endswith(("_all", "_any")) else "?"
    return Array(level_of(call.args[0]), dtype, 0) if call.args else UNKNOWN


@model("equinox.internal.nextafter", "equinox.internal.prevbefore")
def neighbour(call: Call, m: Parts) -> Value:
    """The next number that a float can be."""
    if not call.args:
        return UNKNOWN
    value = call.args[0]
    ndim = value.ndim if isinstance(value, Array) else None
    return Array(level_of(value), "f", ndim)


@model("equinox.internal.materialise_zeros")
def materialise_zeros(call: Call, m: Parts) -> Value:
    """A tangent, or zeros in the place of one that is None."""
    primal, tangent = call.get(0, "primal"), call.get(1, "tangent")
    if primal is None:
        return UNKNOWN
    level = level_of(primal) | (0 if tangent is None else level_of(tangent))
    return Array(level, primal.dtype, primal.ndim) if isinstance(primal, Array) else TracerPytree(level)


# ---- primitives


@model(
    "equinox.internal.filter_primitive_batching",
    "equinox.internal.filter_primitive_def",
    "equinox.internal.filter_primitive_jvp",
    "equinox.internal.filter_primitive_transpose",
)
def rule(call: Call, m: Parts) -> Value:
    """A rule of a primitive, which is called with pytrees."""
    return call.args[0] if call.args else UNKNOWN


@model("equinox.internal.create_vprim")
def create_primitive(call: Call, m: Parts) -> Value:
    """A primitive: a function that has its own rule of forward-mode differentiation."""
    impl, jvp = call.get(1, "impl"), call.get(3, "jvp")
    if impl is None:
        return UNKNOWN
    made = m.transforms.wrap("equinox.filter_custom_jvp", [impl], {}, call.nid, True)
    if isinstance(made, Transformed) and jvp is not None:
        m.transform_rules.custom_rules[made.place] = (jvp,)
    return made


@model("equinox.internal.filter_primitive_bind")
def bind(call: Call, m: Parts) -> Value:
    """Runs what a primitive does."""
    return m.calls.call(call.args[0], call.args[1:], {}, call.nid, call.exact) if call.args else UNKNOWN
