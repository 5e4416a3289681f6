"""What the layers of equinox and flax nnx hold however they are made, by name.

tests/test_framework_table.py makes each of them, with and without what can be left out.
"""

from __future__ import annotations

from enum import Enum


class Held(Enum):
    """What an attribute of a layer is, where it is no layer itself."""

    ARRAY = "array"
    PARAMETER = "parameter"  # a variable of nnx, and one that it differentiates
    VARIABLE = "variable"  # one that it does not


def _all(names: str, held: Held | str) -> dict[str, Held | str]:
    return dict.fromkeys(names.split(), held)


_WEIGHT = _all("weight", Held.ARRAY)
_KERNEL = _all("kernel", Held.PARAMETER)
_CONVOLUTIONS = "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d"
_EQUINOX: dict[str, dict[str, Held | str]] = {
    **dict.fromkeys((*_CONVOLUTIONS.split(), "Embedding", "Linear"), _WEIGHT),
    **dict.fromkeys(("GRUCell", "LSTMCell"), _all("weight_hh weight_ih", Held.ARRAY)),
    "MultiheadAttention": _all("query_proj key_proj value_proj output_proj", "equinox.nn.Linear"),
}
_NNX: dict[str, dict[str, Held | str]] = {
    **dict.fromkeys("Conv ConvTranspose Einsum Linear LinearGeneral".split(), _KERNEL),
    **dict.fromkeys(("GRUCell", "OptimizedLSTMCell"), _all("dense_h dense_i", "flax.nnx.Linear")),
    "BatchNorm": _all("mean var", Held.VARIABLE),
    "Embed": _all("embedding", Held.PARAMETER),
    "LSTMCell": _all("ii if_ ig io hi hf hg ho", "flax.nnx.Linear"),
    "MultiHeadAttention": _all("query key value out", "flax.nnx.LinearGeneral"),
    "PReLU": _all("negative_slope", Held.PARAMETER),
    "SimpleCell": _all("dense_h dense_i", "flax.nnx.Linear"),
}

# the attributes that are the same however a layer is made: what they are, or which layer
FIELDS: dict[str, dict[str, Held | str]] = {
    **{f"equinox.nn.{name}": fields for name, fields in _EQUINOX.items()},
    **{f"flax.nnx.{name}": fields for name, fields in _NNX.items()},
}
# those that are a tuple of layers of one class
SEVERAL: dict[str, dict[str, str]] = {"equinox.nn.MLP": {"layers": "equinox.nn.Linear"}}
# layers that hold an array that they are given, of JAX or not: the name and the place of the parameter
GIVEN: dict[str, tuple[str, int]] = {"equinox.nn.Embedding": ("weight", 2)}
# layers of equinox all whose leaves are arrays, and the attributes that are always one
OF_ARRAYS: dict[str, frozenset[str]] = {
    name: frozenset(fields) for name, fields in FIELDS.items() if Held.ARRAY in fields.values()
}
# those that have other leaves, too: activations, the rate of a dropout
WITH_ARRAYS = frozenset(("equinox.nn.MLP", "equinox.nn.MultiheadAttention")) | OF_ARRAYS.keys()
