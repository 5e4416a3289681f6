"""flax.linen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.values import (
    UNKNOWN,
    Class,
    Product,
    Value,
)
from jaxlint.library.modelled import Call, model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("flax.linen.scan")
def linen_scan(call: Call, m: Parts) -> Value:
    cls = call.get(0, "target")
    return Product("scanned-class", cls, call.keywords.get("in_axes")) if isinstance(cls, Class) else UNKNOWN
