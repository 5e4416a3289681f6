"""Layers of equinox that hold arrays however they are made, by name.

tests/test_framework_table.py makes each of them, with and without what can be left out.
"""

from __future__ import annotations

_WEIGHT = frozenset(("weight",))
_OF_CELL = frozenset(("weight_hh", "weight_ih"))
_CONVOLUTIONS = "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d"

# all whose leaves are arrays, and the attributes that are always one
OF_ARRAYS: dict[str, frozenset[str]] = {
    **{f"equinox.nn.{name}": _WEIGHT for name in (*_CONVOLUTIONS.split(), "Embedding", "Linear")},
    **{f"equinox.nn.{name}": _OF_CELL for name in ("GRUCell", "LSTMCell")},
}
# those that have other leaves, too: activations, the rate of a dropout
WITH_ARRAYS = frozenset(("equinox.nn.MLP", "equinox.nn.MultiheadAttention")) | OF_ARRAYS.keys()
