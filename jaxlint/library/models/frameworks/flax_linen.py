"""flax.linen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.layers import SEQUENTIAL
from jaxlint.domain.objects import Function
from jaxlint.domain.values import UNKNOWN, Product, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model(*[f"flax.{part}.initializers.{kind}_init" for part in ("linen", "nnx") for kind in ("ones", "zeros")])
def constant_initializer(call: Call, m: Parts) -> Value:
    return Product("array-function", False)


@model("flax.linen.Sequential", "haiku.Sequential", SEQUENTIAL)
def sequential(call: Call, m: Parts) -> Value:
    layers = call.get(0, "layers")
    items = None if layers is None else m.expressions.known_items(layers)
    if items is None:
        return UNKNOWN
    return Product("object", SEQUENTIAL if call.name == SEQUENTIAL else "flax.linen.Sequential", *items)


@model("equinox.nn.Lambda")
def plain(call: Call, m: Parts) -> Value:
    """A layer that is a function."""
    return call.get(0, "fn") or UNKNOWN


@model("flax.linen.Sequential.init", "flax.linen.Sequential.apply")
def of_sequential(call: Call, m: Parts) -> Value:
    owner, *args = call.args
    if not isinstance(owner, Product):
        return UNKNOWN
    name = call.name.rpartition(".")[2]
    return m.modules.layer_method(name, owner, args, call.keywords, call.nid, call.exact)


@model("flax.linen.Sequential.__call__", f"{SEQUENTIAL}.__call__")
def piped(call: Call, m: Parts) -> Value:
    """What the last of several layers gives, each of which gets what the one before it gives, and in equinox
    a key of its own."""
    owner, *args = call.args
    keywords = dict(call.keywords)
    key = keywords.pop("key", None)
    for place, layer in enumerate(owner.parts[1:] if isinstance(owner, Product) else ()):
        if key is not None and not isinstance(layer, Function):
            keywords["key"] = m.keys.handed_on(key, place)
        args = [m.calls.call(layer, args, keywords, call.nid, call.exact)]
        keywords = {}
    return args[0] if args else UNKNOWN
