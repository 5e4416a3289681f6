"""Layers of equinox, flax and haiku as values: which they are, and which tracers their arrays are.

`Product("layer", name, *functions)` is one as it is made. In the parts behind, `ANY` says that leaves may be
NumPy's, or None; an array, of which level the arrays are that a trace has put in. `equinox.nn.Sequential` is
a pytree of layers, which can be called, indexed and gone through.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeGuard

from jaxlint.domain.join import Tuple, VariableRef, any_of
from jaxlint.domain.values import ANY, DIFFERENTIATED, UNKNOWN, Array, Product, Value
from jaxlint.tables.layers import FIELDS, SEVERAL, Held

SEQUENTIAL: Final = "equinox.nn.Sequential"


def is_layer(value: Value) -> TypeGuard[Product]:
    return isinstance(value, Product) and value.kind == "layer"


def level_of_layer(layer: Product) -> int:
    """Which tracers the arrays of a layer are, as far as a trace has made them so."""
    last = layer.parts[-1]
    return last.level if isinstance(last, Array) else 0


def with_level(layer: Product, level: int) -> Product:
    """The same layer with arrays of this level, where it is known to have some: flax's linen and haiku keep
    them apart from their layers."""
    held = [each for each in layer.parts if not isinstance(each, Array)]
    is_known = held[0] in FIELDS or held[0] in SEVERAL
    if not is_known or held[-1] == ANY or level == level_of_layer(layer):
        return layer
    return Product(layer.kind, *held, *[Array(level)] * bool(level))


def field_of(layer: Product, name: str, depth: int) -> Value | None:
    """What an attribute of a layer holds, where each layer of this class has it. `depth`: of the traces that
    read it. Of the variables of nnx only that is known what a trace has made of them."""
    level, of = level_of_layer(layer), layer.parts[0]
    if layer.parts[-1] == ANY or not (level or of.startswith("equinox.")):
        return None
    if (each := SEVERAL.get(of, {}).get(name)) is not None:
        return Tuple(None, with_level(Product(layer.kind, each), level))
    held = FIELDS.get(of, {}).get(name)
    if held is None or held is Held.ARRAY:
        return None if held is None else Array(level)
    if not isinstance(held, Held):
        return with_level(Product(layer.kind, held), level)
    is_parameter = held is Held.PARAMETER
    return VariableRef(Array(level if is_parameter else level & ~DIFFERENTIATED), is_parameter, depth)


def sequence(layers: Iterable[Value]) -> Product:
    return Product("object", SEQUENTIAL, *layers)


def any_layer(value: Value) -> Value:
    """What a loop over a sequence of layers takes; nothing is known of what anything else gives."""
    return any_of(layers_of(value) or (UNKNOWN,))


def layers_of(value: Value) -> tuple[Value, ...] | None:
    """The layers of a sequence of them; None of anything else."""
    if isinstance(value, Product) and value.kind == "object" and value.parts[0] == SEQUENTIAL:
        return value.parts[1:]
    return None
