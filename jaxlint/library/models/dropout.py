"""Layers and functions of frameworks that drop units with the key that they are called with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.values import NONE, UNKNOWN, Const, Product, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts

_NEVER = (Const(0), Const(0.0))


@model("equinox.nn.Dropout")
def made(call: Call, m: Parts) -> Value:
    """How many units it drops, and whether it is one that drops none."""
    rate, inference = call.get(0, "p"), call.get(1, "inference")
    return Product("layer", call.name, rate, call.keywords.get("deterministic", inference))


@model("equinox.nn.MultiheadAttention")
def attention(call: Call, m: Parts) -> Value:
    rate, inference = call.keywords.get("dropout_p", Const(0.0)), call.keywords.get("inference")
    return Product("layer", call.name, rate, inference)


def _drops(call: Call, m: Parts) -> bool | None:
    """Whether a layer of equinox drops units: what it is called with says so before what it is made with."""
    owner = call.args[0]
    rate, own = owner.parts[1:] if isinstance(owner, Product) else (None, None)
    said = call.keywords.get("deterministic", call.keywords.get("inference", NONE))
    inference = own if said == NONE else said
    if rate in _NEVER or (inference is not None and m.calls.truth(inference) is True):
        return False
    is_sure = call.exact and (inference is None or m.calls.truth(inference) is False)
    return True if is_sure and (rate is None or isinstance(rate, Const)) else None


@model("equinox.nn.Dropout.__call__")
def dropped(call: Call, m: Parts) -> Value:
    """Where it drops nothing it gives back what it was given."""
    drops, x = _drops(call, m), call.get(1, "x")
    if drops is not False and call.exact:
        m.consumption.consume(call.keywords.get("key"), call.nid, "dropout")
    if not drops or x is None:
        return UNKNOWN if drops is None or x is None else x
    return m.core.made([x, *call.keywords.values()])


@model("equinox.nn.MultiheadAttention.__call__")
def attended(call: Call, m: Parts) -> Value:
    """Each head has a child of the key."""
    if _drops(call, m) is not False and call.exact:
        m.consumption.consume(m.keys.handed_on(call.keywords.get("key"), "heads"), call.nid, "dropout")
    return m.core.made([*call.args[1:], *call.keywords.values()])


@model("haiku.dropout")
def drop(call: Call, m: Parts) -> Value:
    key, rate, x = call.get(0, "rng"), call.get(1, "rate"), call.get(2, "x")
    if rate not in _NEVER:
        m.consumption.consume(key, call.nid, "dropout")
    return UNKNOWN if x is None else m.core.made([x])
