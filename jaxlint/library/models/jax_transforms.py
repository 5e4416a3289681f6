"""Functions of jax that run what they are given at once: `eval_shape`, `jvp`, `vjp`, callbacks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from jaxlint.analysis.trace_context import Context
from jaxlint.domain.join import Tuple
from jaxlint.domain.values import (
    BATCHED,
    DIFFERENTIATED,
    UNKNOWN,
    Const,
    NumPyArray,
    Product,
    TracerPytree,
    Value,
)
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("jax.eval_shape")
def eval_shape(call: Call, m: Parts) -> Value:
    if call.args:
        with m.keys.unspent():
            m.primitives.run_staged(call.args[0], call.args[1:], call.nid, "eval_shape")
    return Product("opaque", "shapes")


@model("jax.jvp")
def jvp(call: Call, m: Parts) -> Value:
    is_filtered = call.name.startswith("equinox.")  # only arrays are differentiated
    func, primals = call.get(0, "fn" if is_filtered else "fun"), call.get(1, "primals")
    if func is None or primals is None:
        return UNKNOWN
    items = m.expressions.known_items(primals)
    if items is None:
        return UNKNOWN
    outer = m.core.arrays_level(items)
    lifted = [m.lifting.lift(item, DIFFERENTIATED, is_filtered) for item in items]
    found = m.transforms.enter_trace(func, lifted, {}, call.nid, "jvp", DIFFERENTIATED, lifted=items)
    result = m.lifting.lower(found, outer)
    if call.keywords.get("has_aux", Const(False)) == Const(False):
        tangents = m.expressions.known_items(call.get(2, "tangents") or UNKNOWN)
        slope = (outer & ~BATCHED) | m.core.arrays_level(tangents or ())  # the function may be linear
        return Tuple((result, m.lifting.lower(found, slope)))
    parts = m.expressions.known_items(result)
    return Tuple((parts[0], parts[0], parts[1])) if parts is not None and len(parts) == 2 else UNKNOWN


def pullback(primals: Iterable[Value]) -> Value:
    """A function that gives a tuple of the structure of what another one is called with."""
    return Product("object", "jax.$pullback", *primals)


def linear(result: Value) -> Value:
    """A function that gives what another one gives, seen from outside of its trace."""
    return Product("object", "jax.$linear", result)


@model("jax.$pullback.__call__", "jax.$linear.__call__")
def called(call: Call, m: Parts) -> Value:
    owner = call.args[0]
    held = owner.parts[1:] if isinstance(owner, Product) else ()
    # of a function that is linear, what it is applied to does not depend on where that is done
    level = m.core.arrays_level(call.args[1:]) | (m.core.arrays_level(held) & ~BATCHED)
    made = tuple([m.lifting.lower(each, level) for each in held])
    return made[0] if call.name == "jax.$linear.__call__" else Tuple(made)


@model("jax.vjp", "jax.linearize")
def vjp(call: Call, m: Parts) -> Value:
    func = call.get(0, "fun")
    if func is None:
        return UNKNOWN
    outer = m.core.arrays_level(call.args[1:])
    lifted = [m.lifting.lift(item, DIFFERENTIATED) for item in call.args[1:]]
    is_linear = call.name.endswith("linearize")
    name = "linearize" if is_linear else "vjp"
    result = m.transforms.enter_trace(func, lifted, {}, call.nid, name, DIFFERENTIATED, lifted=call.args[1:])
    has_aux = call.keywords.get("has_aux", Const(False)) != Const(False)
    items = m.expressions.known_items(result) if has_aux else None
    if has_aux and (items is None or len(items) != 2):
        return UNKNOWN
    if items is not None:
        result = items[0]
    made = m.lifting.lower(result, outer)
    back = linear(made) if is_linear else pullback(call.args[1:])
    found = back if call.exact else Product("opaque", "vjp")
    return Tuple((made, found)) if items is None else Tuple((made, found, m.lifting.lower(items[1], outer)))


@model(
    "jax.pure_callback",
    "jax.experimental.io_callback",
    "jax.debug.callback",
    "jax.experimental.host_callback.call",
)
def callback(call: Call, m: Parts) -> Value:
    """The body of a callback runs on the host, with NumPy arrays."""
    if not call.args:
        return UNKNOWN
    skip = 1 if call.name.endswith("debug.callback") else 2
    host = [NumPyArray() for _ in call.args[skip:]]
    saved = m.flow.context
    m.flow.context = Context(quiet=saved.quiet)
    m.calls.call(call.args[0], list(host), {}, call.nid, call.exact)
    m.flow.context = saved
    return TracerPytree(m.core.arrays_level(call.args[skip:]))
