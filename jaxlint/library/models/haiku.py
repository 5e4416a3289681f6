"""haiku."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.objects import Key
from jaxlint.domain.values import UNKNOWN, Array, Product, TracerPytree, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("haiku.transform", "haiku.transform_with_state")
def haiku_transform(call: Call, m: Parts) -> Value:
    func = call.get(0, "f")
    return UNKNOWN if func is None else Product("haiku", func, True, call.name.endswith("_with_state"))


@model("haiku.without_apply_rng")
def haiku_without_key(call: Call, m: Parts) -> Value:
    made = call.get(0, "f")
    if not isinstance(made, Product) or made.kind != "haiku":
        return UNKNOWN
    return Product("haiku", made.parts[0], False, made.parts[2])


@model("haiku.next_rng_key")
def haiku_key(call: Call, m: Parts) -> Value:
    return m.modules.new_key()


@model("haiku.next_rng_keys")
def haiku_keys(call: Call, m: Parts) -> Value:
    return Key(m.core.fresh(), m.core.arrays_level(()), many=True)


@model("haiku.get_parameter")
def haiku_parameter(call: Call, m: Parts) -> Value:
    """Whether it is traced depends on who applies the function; what is computed of it is."""
    return Array(0)


@model("haiku.get_state")
def haiku_state(call: Call, m: Parts) -> Value:
    return TracerPytree(0)
