"""optax."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.values import UNKNOWN, Array, Const, Product, TracerPytree, Value
from jaxlint.library.gradient_transformations import functions_in
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("optax.EmptyState", "optax.MaskedNode")
def leafless(call: Call, m: Parts) -> Value:
    """A pytree without leaves: no transform makes a tracer of it."""
    return Tuple(())


@model("optax.apply_updates")
def apply_updates(call: Call, m: Parts) -> Value:
    params = call.get(0, "params")
    level = m.core.arrays_level(call.args)
    return TracerPytree(level) if params is None else m.lifting.lower(params, level)


@model("optax.join_schedules", "optax.schedules.join_schedules")
def join_schedules(call: Call, m: Parts) -> Value:
    return Product("schedule", *functions_in([*call.args[:1], *call.keywords.values()]))


@model("optax.inject_hyperparams", "optax.inject_stateful_hyperparams", over_source=True)
def inject_hyperparams(call: Call, m: Parts) -> Value:
    """A function that makes the transformation, of which the numbers are in the state."""
    factory = call.get(0, "inner_factory")
    static = call.get(1, "static_args") or Tuple(())
    names = static.items if isinstance(static, (Tuple, MutableContainer)) else (static,)
    known = frozenset([each.value for each in names or () if isinstance(each, Const)])
    return UNKNOWN if factory is None else Product("object", call.name, factory, known)


@model("optax.inject_hyperparams.__call__", "optax.inject_stateful_hyperparams.__call__")
def injected(call: Call, m: Parts) -> Value:
    owner = call.args[0]
    return m.gradients.inject(call, *owner.parts[1:]) if isinstance(owner, Product) else UNKNOWN


@model(
    "optax.incremental_update",
    "optax.periodic_update",
    "optax.tree_utils.tree_scale",
    "optax.tree_utils.tree_add",
    "optax.tree_utils.tree_sub",
    "optax.tree_utils.tree_mul",
    "optax.tree_utils.tree_div",
    "optax.tree_utils.tree_add_scale",
    "optax.tree_utils.tree_scalar_mul",
    "optax.tree_utils.tree_add_scalar_mul",
    "optax.tree_utils.tree_zeros_like",
    "optax.tree_utils.tree_ones_like",
    "optax.tree_utils.tree_full_like",
    "optax.tree_utils.tree_cast",
    "optax.tree_utils.tree_clip",
    "optax.tree_utils.tree_conj",
    "optax.tree_utils.tree_real",
    "optax.tree_utils.tree_where",
    "optax.tree_utils.tree_update_moment",
    "optax.tree_utils.tree_bias_correction",
    "optax.tree.scale",
    "optax.tree.add",
    "optax.tree.sub",
    "optax.tree.mul",
    "optax.tree.div",
    "optax.tree.add_scale",
    "optax.tree.zeros_like",
    "optax.tree.ones_like",
    "optax.tree.full_like",
    "optax.tree.cast",
    "optax.tree.clip",
    "optax.tree.conj",
    "optax.tree.real",
    "optax.tree.where",
    "optax.tree.update_moment",
    "optax.tree.bias_correction",
    "optax.update_moment",
    "optax.bias_correction",
)
def of_leaves(call: Call, m: Parts) -> Value:
    """A pytree that is computed leaf by leaf of one that is given."""
    position = (
        1 if call.name.endswith(("scale", "scalar_mul", "where", "clip")) and "add_" not in call.name else 0
    )
    position = 0 if call.name.endswith("clip") else position
    tree = call.args[position] if len(call.args) > position else None
    level = m.core.arrays_level([*call.args, *call.keywords.values()])
    if tree is None or not m.flow.context.staged:
        return TracerPytree(level)
    return m.lifting.lower(tree, level)


@model(
    "optax.tree_utils.tree_sum",
    "optax.tree_utils.tree_norm",
    "optax.tree_utils.tree_l2_norm",
    "optax.tree_utils.tree_vdot",
    "optax.tree_utils.tree_max",
    "optax.tree_utils.tree_min",
    "optax.tree.sum",
    "optax.tree.norm",
    "optax.tree.vdot",
    "optax.tree.max",
    "optax.tree.min",
    "optax.safe_increment",
    "optax.safe_int32_increment",
    "optax.safe_norm",
    "optax.safe_root_mean_squares",
)
def of_all_leaves(call: Call, m: Parts) -> Value:
    """One array, computed of all leaves."""
    is_count = call.name.endswith("increment")
    return Array(m.core.arrays_level(call.args), "i" if is_count else "?", 0 if is_count else None)


@model("optax.tree_utils.tree_get", "optax.tree.get", "optax.tree_utils.tree_set", "optax.tree.set")
def kept(call: Call, m: Parts) -> Value:
    """What a state holds under a name, which may be anything."""
    return UNKNOWN


@model("optax.value_and_grad_from_state")
def value_and_grad_from_state(call: Call, m: Parts) -> Value:
    """`jax.value_and_grad`, which a state may spare the evaluation; it takes the state as a keyword."""
    func = call.get(0, "value_fn")
    if func is None:
        return UNKNOWN
    return m.transforms.wrap("jax.value_and_grad", [func], {}, call.nid, call.exact)
