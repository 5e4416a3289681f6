"""`equinox.nn.Sequential`: a pytree of layers, which can be called, indexed and gone through."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from jaxlint.domain.join import any_of
from jaxlint.domain.values import UNKNOWN, Product, Value

SEQUENTIAL: Final = "equinox.nn.Sequential"


def sequence(layers: Iterable[Value]) -> Product:
    return Product("object", SEQUENTIAL, *layers)


def any_layer(value: Value) -> Value:
    """What a loop over one takes; nothing is known of what anything else gives."""
    return any_of(layers_of(value) or (UNKNOWN,))


def layers_of(value: Value) -> tuple[Value, ...] | None:
    """The layers of one; None of anything else."""
    if isinstance(value, Product) and value.kind == "object" and value.parts[0] == SEQUENTIAL:
        return value.parts[1:]
    return None
