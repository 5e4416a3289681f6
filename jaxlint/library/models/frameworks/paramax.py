"""paramax: parameters that are wrapped, of which `unwrap` gives a pytree with what they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.values import UNKNOWN, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("paramax.unwrap", "paramax.non_trainable")
def unwrapped(call: Call, m: Parts) -> Value:
    """An object stays one of its class; of wrappers in it nothing is known."""
    tree = call.get(0, "tree")
    return UNKNOWN if tree is None else tree
