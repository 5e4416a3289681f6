"""jax.example_libraries: networks of stax and its optimizers, which are tuples of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.join import Tuple
from jaxlint.domain.objects import Bound, Function, Partial
from jaxlint.domain.values import UNKNOWN, External, Product, TracerPytree, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts

_STAX, _OPTIMIZERS = "jax.example_libraries.stax", "jax.example_libraries.optimizers"
_OF_SEVERAL = ("parallel", "FanOut", "Identity")
"""Layers that may give back more than one array, or what they are given."""


def _pytree(call: Call, m: Parts) -> Value:
    """A pytree of arrays that are computed of what the call is given."""
    return TracerPytree(m.core.arrays_level([*call.args, *call.keywords.values()]))


def _made(call: Call, module: str, functions: tuple[str, ...]) -> Value:
    """The functions of one network or optimizer: they are equal where they are made of the same."""
    keywords = [part for name, value in sorted(call.keywords.items()) for part in (name, value)]
    rest = () if call.exact else (UNKNOWN, call.nid)
    made = (call.name.rpartition(".")[2], *call.args, *keywords, *rest)
    return Tuple(tuple([Product("object", f"{module}.${name}", *made) for name in functions]))


# ---- stax


_NETWORKS = """
    serial parallel Dense Conv GeneralConv BatchNorm Conv1DTranspose ConvTranspose GeneralConvTranspose
    AvgPool MaxPool SumPool Dropout elementwise FanOut
""".split()


@model(*[f"{_STAX}.{name}" for name in _NETWORKS])
def network(call: Call, m: Parts) -> Value:
    return _made(call, _STAX, ("init", "apply"))


def _draws(network: Value) -> bool:
    """Whether a network has weights that are drawn."""
    if isinstance(network, Tuple) and network.items:
        return _draws(network.items[0])
    if not isinstance(network, Product) or network.kind != "object":
        return False
    if network.parts[1] in ("serial", "parallel"):
        return any(_draws(each) for each in network.parts[2:] if isinstance(each, Value))
    return network.parts[1] == "Dense" or "Conv" in network.parts[1]


@model(f"{_STAX}.$init.__call__")
def initialized(call: Call, m: Parts) -> Value:
    """The shape of the outputs, and the weights."""
    if _draws(call.args[0]) and call.exact:
        m.consumption.consume(call.get(1, "rng"), call.nid, "init")
    return Tuple((UNKNOWN, _pytree(call, m)))


def _is_of_one(network: Value) -> bool:
    """Whether it gives back one array for one array."""
    if isinstance(network, Tuple) and network.items:
        return _is_of_one(network.items[-1])
    if isinstance(network, External):
        return network.name.startswith(_STAX) and network.name.rpartition(".")[2] not in _OF_SEVERAL
    if not isinstance(network, Product) or network.kind != "object":
        return False
    if network.parts[1] == "serial":
        return isinstance(network.parts[-1], Value) and _is_of_one(network.parts[-1])
    return network.parts[1] not in (*_OF_SEVERAL, "Dropout")


@model(f"{_STAX}.$apply.__call__")
def applied(call: Call, m: Parts) -> Value:
    if not _is_of_one(call.args[0]):
        return _pytree(call, m)
    return m.core.made([*call.args[1:], *call.keywords.values()])


# ---- optimizers


_RULES = "sgd momentum nesterov adagrad rmsprop rmsprop_momentum adam adamax sm3".split()


@model(*[f"{_OPTIMIZERS}.{name}" for name in _RULES])
def optimizer(call: Call, m: Parts) -> Value:
    return _made(call, _OPTIMIZERS, ("init", "update", "params"))


@model(f"{_OPTIMIZERS}.$update.__call__")
def updated(call: Call, m: Parts) -> Value:
    """The next state. A schedule is asked for the size of this step."""
    step, owner = call.get(1, "i"), call.args[0]
    for part in owner.parts[2:] if isinstance(owner, Product) else ():
        if isinstance(part, (Function, Bound, Partial)) and step is not None:
            m.calls.call(part, [step], {}, call.nid)
    return _pytree(call, m)


@model(f"{_OPTIMIZERS}.$init.__call__", f"{_OPTIMIZERS}.$params.__call__", f"{_OPTIMIZERS}.clip_grads")
def of_leaves(call: Call, m: Parts) -> Value:
    return _pytree(call, m)


@model(f"{_OPTIMIZERS}.l2_norm")
def l2_norm(call: Call, m: Parts) -> Value:
    return m.core.made(call.args, ndim=0)
