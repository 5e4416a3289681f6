"""autoray."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.objects import Key
from jaxlint.domain.values import Array, Const, Static, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("autoray.infer_backend")
def infer_backend(call: Call, m: Parts) -> Value:
    """The library that an array is of, by autoray."""
    value = call.get(0, "array")
    return Const("jax") if isinstance(value, (Array, Key)) else Static("str")
