"""flax.training: the state of a training loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.join import Tuple
from jaxlint.domain.objects import Class, Instance
from jaxlint.domain.values import UNKNOWN, Const, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("flax.training.train_state.TrainState.create")
def create(call: Call, m: Parts) -> Value:
    """A state with the optimizer's own for its parameters."""
    cls = call.args[0] if call.args else UNKNOWN
    if not isinstance(cls, Class) or len(call.args) > 1:
        return UNKNOWN
    tx, params = call.keywords.get("tx", UNKNOWN), call.keywords.get("params", UNKNOWN)
    state = m.calls.call(m.attributes.attribute(tx, "init", call.nid), [params], {}, call.nid)
    keywords = {"step": Const(0), "opt_state": state, **call.keywords}
    return m.construction.instantiate(cls, [], keywords, call.nid, call.exact)


@model("flax.training.train_state.TrainState.apply_gradients")
def apply_gradients(call: Call, m: Parts) -> Value:
    """The state after a step of the optimizer."""
    owner = call.args[0] if call.args else UNKNOWN
    if not isinstance(owner, Instance) or not call.exact:
        return UNKNOWN
    changed = dict(call.keywords)
    grads = changed.pop("grads", UNKNOWN)
    step, params, tx, state = (
        m.attributes.attribute(owner, name, call.nid) for name in ("step", "params", "tx", "opt_state")
    )
    made = m.calls.call(m.attributes.attribute(tx, "update", call.nid), [grads, state, params], {}, call.nid)
    updates, state = (
        made.items if isinstance(made, Tuple) and made.items and len(made.items) == 2 else (UNKNOWN, UNKNOWN)
    )
    level = m.core.arrays_level((params, updates))
    after = {
        "step": m.core.made([step], "i", 0),
        "params": m.lifting.lower(params, level),
        "opt_state": state,
    }
    return m.construction.replaced(owner, {**after, **changed}, call.nid)
