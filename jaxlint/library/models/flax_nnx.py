"""flax.nnx."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.join import Tuple
from jaxlint.domain.values import GRAPHDEF, UNKNOWN, Product, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("flax.nnx.split")
def nnx_split(call: Call, m: Parts) -> Value:
    """The definition of a graph, which has no leaves, and a state for each filter."""
    if not call.exact or call.keywords:
        return UNKNOWN
    return Tuple((GRAPHDEF, *(UNKNOWN for _ in range(max(1, len(call.args) - 1)))))


@model("flax.nnx.graphdef")
def graphdef(call: Call, m: Parts) -> Value:
    return GRAPHDEF


@model("flax.nnx.Rngs")
def rngs(call: Call, m: Parts) -> Value:
    return Product("rngs")
