"""Layers and functions of frameworks that drop units with the key that they are called with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.key_tokens import root_of
from jaxlint.domain.values import NONE, UNKNOWN, Const, Product, Value
from jaxlint.ir.nodes import CallExpr, Expr
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
        m.consumption.consume(call.keywords.get("key"), call.nid, "dropout", drops is None)
    if not drops or x is None:
        return UNKNOWN if drops is None or x is None else x
    return m.core.made([x, *call.keywords.values()])


@model("equinox.nn.MultiheadAttention.__call__")
def attended(call: Call, m: Parts) -> Value:
    """Each head has a child of the key."""
    drops = _drops(call, m)
    if drops is not False and call.exact:
        key = m.keys.handed_on(call.keywords.get("key"), "heads")
        m.consumption.consume(key, call.nid, "dropout", drops is None)
    return m.core.made([*call.args[1:], *call.keywords.values()])


@model("flax.linen.Dropout")
def made_of_linen(call: Call, m: Parts) -> Value:
    stream = call.get(3, "rng_collection") or Const("dropout")
    return Product("layer", call.name, call.get(0, "rate"), call.get(2, "deterministic"), stream)


@model("flax.linen.MultiHeadAttention", "flax.linen.MultiHeadDotProductAttention", "flax.linen.SelfAttention")
def attention_of_linen(call: Call, m: Parts) -> Value:
    rate = call.keywords.get("dropout_rate", Const(0.0))
    return Product("layer", call.name, rate, call.keywords.get("deterministic"), Const("dropout"))


def _draws(call: Call, said: Value | None, key: Value | None, m: Parts) -> bool | None:
    """Whether a layer of linen drops units, with the key that it is given or with one of its stream."""
    owner = call.args[0]
    rate, own, stream = owner.parts[1:] if isinstance(owner, Product) else (None, None, None)
    deterministic = own if said is None or said == NONE else said
    truth = None if deterministic is None else m.calls.truth(deterministic)
    if rate in _NEVER or truth is True:
        return False
    if truth is None or not call.exact:
        written = _written_flag(call, m)
        if written is not None and isinstance(stream, Const) and (key is None or key == NONE):
            m.consumption.draw(str(stream.value), (written, False))
        return None
    if key is not None and key != NONE:
        m.consumption.consume(key, call.nid, "dropout")
    elif isinstance(stream, Const):
        m.consumption.draw(str(stream.value))
    return True if isinstance(rate, Const) else None


def _written_flag(call: Call, m: Parts) -> Expr | None:
    """The expression that says whether a layer of linen draws nothing, which is made where it is called or is
    told so by this call."""
    node = m.flow.calling
    if not call.exact or node is None or node.nid != call.nid:
        return None
    here = m.calls.written(call.nid, 1, "deterministic")
    if here is not None or not isinstance(node.func, CallExpr):
        return here
    return next((each.value for each in node.func.keywords if each.name == "deterministic"), None)


@model("flax.linen.Dropout.__call__")
def dropped_of_linen(call: Call, m: Parts) -> Value:
    x = call.get(1, "inputs")
    drops = _draws(call, call.get(2, "deterministic"), call.get(3, "rng"), m)
    if not drops or x is None:
        return UNKNOWN if drops is None or x is None else x
    return m.core.made([x])


@model(
    "flax.linen.MultiHeadAttention.__call__",
    "flax.linen.MultiHeadDotProductAttention.__call__",
    "flax.linen.SelfAttention.__call__",
)
def attended_of_linen(call: Call, m: Parts) -> Value:
    key = call.keywords.get("dropout_rng")
    _draws(call, call.keywords.get("deterministic"), key, m)
    return m.core.made([*call.args[1:], *call.keywords.values()])


@model("haiku.dropout")
def drop(call: Call, m: Parts) -> Value:
    key, rate, x = call.get(0, "rng"), call.get(1, "rate"), call.get(2, "x")
    if x is None or rate in _NEVER:
        return x or UNKNOWN
    m.consumption.consume(key, call.nid, "dropout", not isinstance(rate, Const))
    if isinstance(rate, Const):
        return m.core.made([x])
    stream = m.consumption.streams.get(root_of(m.consumption.token_of(key)))
    written = m.calls.written(call.nid, 1, "rate")
    if stream is not None and written is not None:
        m.consumption.draw(stream, (written, True))
    return UNKNOWN
