"""flax.linen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.objects import Class
from jaxlint.domain.values import UNKNOWN, Product, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("flax.linen.scan")
def linen_scan(call: Call, m: Parts) -> Value:
    cls = call.get(0, "target")
    return Product("scanned-class", cls, call.keywords.get("in_axes")) if isinstance(cls, Class) else UNKNOWN
