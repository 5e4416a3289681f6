"""Functions of jax itself: configuration, devices, caches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.trace_cache import EVERY
from jaxlint.domain.join import level_of
from jaxlint.domain.references import REF
from jaxlint.domain.values import (
    BATCHED,
    IN_ONE_PIECE,
    NONE,
    STAGED,
    UNKNOWN,
    Array,
    Const,
    NumPyArray,
    Product,
    Static,
    TracerPytree,
    Value,
)
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("jax.disable_jit", "chex.fake_jit")
def disable_jit(call: Call, m: Parts) -> Value:
    """`jax.disable_jit(flag)` changes what runs inside it only as far as the flag is known."""
    flag = call.get(0, "disable" if call.name == "jax.disable_jit" else "enable_patching")
    truth = m.calls.truth(flag) if flag is not None else True if call.exact else None
    return Product("context", {True: "unjitted", False: "jitted", None: "opaque"}[truth])


@model("jax.config.update")
def config_update(call: Call, m: Parts) -> Value:
    """`jax.config.update("jax_disable_jit", flag)` holds for what follows it in the same body."""
    if call.get(0, "name") == Const("jax_disable_jit") and m.flow.is_sure():
        flag = call.get(1, "val")
        truth = None if flag is None else m.calls.truth(flag)
        m.statements.set_context(m.flow.context._replace(unjitted=truth is True))
    return NONE


@model("jax.sharding.PartitionSpec", "jax.P")
def partition_spec(call: Call, m: Parts) -> Value:
    return Product("spec", *call.args)


@model("jax.new_ref", "jax.ref.new_ref")
def new_ref(call: Call, m: Parts) -> Value:
    return REF


@model("jax.devices", "jax.local_devices")
def devices(call: Call, m: Parts) -> Value:
    box = m.core.box("list", call.nid, call.name)
    box.items, box.elem = None, Product("device")
    return box


@model("jax.core.is_concrete")
def is_concrete(call: Call, m: Parts) -> Value:
    """A tracer of a gradient alone has a value."""
    value = call.get(0, "x") or UNKNOWN
    level = level_of(value)
    if not level:
        return Static("bool")
    m.core.see_tracer(value)
    return Const(not level & (STAGED | BATCHED))


@model("jax.device_get")
def device_get(call: Call, m: Parts) -> Value:
    """Copies of the leaves on the host, which nobody may write to, in the collections that they were in; a
    tracer is left as it is."""

    def on_host(value: Value) -> Value:
        if isinstance(value, (Array, TracerPytree)) and value.level:
            return value
        if isinstance(value, Array) and not value.level:
            return NumPyArray(value.dtype, value.ndim, IN_ONE_PIECE)
        return UNKNOWN

    return m.pytrees.changed(call.get(0, "x") or UNKNOWN, on_host, call.nid)


@model("jax.clear_caches")
def clear_caches(call: Call, m: Parts) -> Value:
    m.flow.frame.notes.cleared = True
    if not m.flow.context.depth:
        m.flow.frame.notes.clears[call.nid] = None
    m.staleness.note_made(EVERY)
    return NONE


@model("argparse.Namespace", "jax.named_scope", "jax.default_matmul_precision")
def opaque(call: Call, m: Parts) -> Value:
    return Product("opaque", call.name)
