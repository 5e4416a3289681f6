"""Functions that give a pytree of the structure of an argument, with other leaves.

In: calls that restore, replicate or gather one. Out: a pytree of the same collections and objects. Nothing is
known of the leaves that a checkpoint holds, or another host.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from jaxlint.domain.handed_values import is_called
from jaxlint.domain.join import options_of
from jaxlint.domain.objects import Key
from jaxlint.domain.values import NONE, UNKNOWN, Array, NumPyArray, TracerPytree, Value
from jaxlint.ir.value_reads import TEMPLATES
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


def _restored(leaf: Value) -> Value:
    """What is in the place of a leaf: functions are not saved, and stay."""
    return leaf if is_called(leaf) else UNKNOWN


def _ranked(leaf: Value, more: int) -> Value:
    """An array with one dimension more, or less; a key that all devices have is that key, and which of
    several one of them has is not known."""
    if isinstance(leaf, TracerPytree):
        return Array(leaf.level)
    if isinstance(leaf, Key) and more > 0:
        return leaf
    if not isinstance(leaf, (Array, NumPyArray)):
        return UNKNOWN
    level = leaf.level if isinstance(leaf, Array) else 0
    return Array(level, leaf.dtype, None if leaf.ndim is None else max(leaf.ndim + more, 0))


@model("flax.jax_utils.replicate", "flax.jax_utils.unreplicate")
def replicate(call: Call, m: Parts) -> Value:
    more = -1 if call.name.endswith("unreplicate") else 1
    return m.pytrees.changed(call.get(0, "tree") or UNKNOWN, partial(_ranked, more=more), call.nid)


@model(
    "flax.serialization.from_bytes",
    "flax.serialization.from_state_dict",
    "flax.training.checkpoints.restore_checkpoint",
    "equinox.tree_deserialise_leaves",
)
def restored(call: Call, m: Parts) -> Value:
    """What was saved, in the place of the leaves of an argument."""
    like = call.get(*TEMPLATES[call.name.rpartition(".")[2]]) or UNKNOWN
    return UNKNOWN if NONE in options_of(like) else m.pytrees.changed(like, _restored, call.nid)


@model(
    "jax.experimental.multihost_utils.broadcast_one_to_all",
    "jax.experimental.multihost_utils.process_allgather",
)
def gathered(call: Call, m: Parts) -> Value:
    return m.pytrees.changed(call.get(0, "in_tree") or UNKNOWN, lambda leaf: UNKNOWN, call.nid)
