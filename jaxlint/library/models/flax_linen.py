"""flax.linen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.objects import Class, Function
from jaxlint.domain.values import UNKNOWN, Product, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("flax.linen.scan")
def linen_scan(call: Call, m: Parts) -> Value:
    cls = call.get(0, "target")
    return Product("scanned-class", cls, call.keywords.get("in_axes")) if isinstance(cls, Class) else UNKNOWN


@model(
    "flax.linen.remat",
    "flax.linen.checkpoint",
    "flax.linen.jit",
    "flax.linen.vmap",
    "flax.linen.remat_scan",
)
def lifted(call: Call, m: Parts) -> Value:
    """A lifted class, or method, does what it did: what its methods see is what they are given."""
    target = call.get(0, "target")
    return target if isinstance(target, (Class, Function)) else UNKNOWN
