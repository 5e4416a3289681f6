"""flax.linen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.values import UNKNOWN, Product, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("flax.linen.Sequential", "haiku.Sequential", "equinox.nn.Sequential")
def sequential(call: Call, m: Parts) -> Value:
    layers = call.get(0, "layers")
    items = None if layers is None else m.expressions.known_items(layers)
    return UNKNOWN if items is None else Product("object", "flax.linen.Sequential", *items)


@model("flax.linen.Sequential.__call__")
def piped(call: Call, m: Parts) -> Value:
    """What the last of several layers gives, each of which gets what the one before it gives."""
    owner, *args = call.args
    keywords = call.keywords
    for layer in owner.parts[1:] if isinstance(owner, Product) else ():
        args = [m.calls.call(layer, args, keywords, call.nid, call.exact)]
        keywords = {name: value for name, value in keywords.items() if name == "key"}
    return args[0] if args else UNKNOWN
