"""`equinox.nn.Sequential`: a pytree of layers, which can be called, indexed and gone through."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from jaxlint.domain.values import Product, Value

SEQUENTIAL: Final = "equinox.nn.Sequential"


def sequence(layers: Iterable[Value]) -> Product:
    return Product("object", SEQUENTIAL, *layers)


def layers_of(value: Value) -> tuple[Value, ...] | None:
    """The layers of one; None of anything else."""
    if isinstance(value, Product) and value.kind == "object" and value.parts[0] == SEQUENTIAL:
        return value.parts[1:]
    return None
