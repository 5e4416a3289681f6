"""optax."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.join import Tuple
from jaxlint.domain.values import TracerPytree, Value
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
