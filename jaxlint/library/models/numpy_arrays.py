"""Questions that NumPy answers of what something is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.values import BOOL, Array, Const, NumPyArray, TracerPytree, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("numpy.isscalar")
def isscalar(call: Call, m: Parts) -> Value:
    """NumPy takes no array of JAX for a scalar, nor a tracer; it has scalars of its own."""
    asked = call.get(0, "element")
    has_rows = isinstance(asked, NumPyArray) and bool(asked.ndim)
    return Const(False) if has_rows or isinstance(asked, (Array, TracerPytree)) else BOOL
