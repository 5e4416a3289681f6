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


@model(*[f"flax.{part}.initializers.{kind}_init" for part in ("linen", "nnx") for kind in ("ones", "zeros")])
def constant_initializer(call: Call, m: Parts) -> Value:
    return Product("array-function", False)


@model("flax.linen.Sequential", "haiku.Sequential", "equinox.nn.Sequential")
def sequential(call: Call, m: Parts) -> Value:
    layers = call.get(0, "layers")
    items = None if layers is None else m.expressions.known_items(layers)
    return UNKNOWN if items is None else Product("object", "flax.linen.Sequential", *items)


@model("flax.linen.Sequential.__call__")
def piped(call: Call, m: Parts) -> Value:
    """What the last of several layers gives, each of which gets what the one before it gives, and in equinox
    a key of its own."""
    owner, *args = call.args
    keywords = dict(call.keywords)
    key = keywords.pop("key", None)
    for place, layer in enumerate(owner.parts[1:] if isinstance(owner, Product) else ()):
        if key is not None:
            keywords["key"] = m.keys.handed_on(key, place)
        args = [m.calls.call(layer, args, keywords, call.nid, call.exact)]
        keywords = {}
    return args[0] if args else UNKNOWN
