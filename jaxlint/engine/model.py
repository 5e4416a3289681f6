"""What rules may ask of the analysis."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from jaxlint.engine.values import (
    BATCHED,
    DIFFERENTIATED,
    STAGED,
    Array,
    Bound,
    Box,
    Class,
    Const,
    External,
    Function,
    Host,
    Instance,
    Or,
    Partial,
    Product,
    Static,
    Transformed,
    Tree,
    Tuple,
    Unknown,
    Value,
    constants,
    is_array,
    is_host_data,
    level_of,
    options_of,
)

if TYPE_CHECKING:
    from jaxlint.engine.library import Library

OPAQUE = STAGED | BATCHED
ANY_TRACER = STAGED | BATCHED | DIFFERENTIATED


class Model:
    """Questions about values, each answered by what is certain."""

    def __init__(self, machine: Library) -> None:
        self._machine = machine

    def traced(self, value: Value | None, levels: str = "SB") -> bool:
        """Whether the value is certainly one tracer array of one of these levels."""
        if value is None:
            return False
        level = 0
        for letter in levels:
            level |= {"S": STAGED, "B": BATCHED, "D": DIFFERENTIATED}.get(letter, 0)
        arrays = [each for each in options_of(value) if not self.is_none(each)]
        return bool(arrays) and all(
            isinstance(each, Array) and each.level & level for each in arrays
        )

    def tracer_tree(self, value: Value | None, levels: str = "SB") -> bool:
        """Whether the value is a tracer, or a pytree that holds nothing else."""
        level = sum({"S": STAGED, "B": BATCHED, "D": DIFFERENTIATED}[letter] for letter in levels)
        return value is not None and bool(level_of(value) & level)

    def level(self, value: Value) -> int:
        return level_of(value)

    def is_array(self, value: Value | None) -> bool:
        return value is not None and is_array(value)

    def is_host(self, value: Value | None) -> bool:
        """Whether the value is a NumPy array."""
        return value is not None and all(isinstance(each, Host) for each in options_of(value))

    def is_static(self, value: Value | None) -> bool:
        return value is not None and is_host_data(value)

    def is_none(self, value: Value | None) -> bool:
        return isinstance(value, Const) and value.value is None

    def is_mask(self, value: Value | None) -> bool:
        """Whether the value is certainly a boolean array with at least one dimension."""
        return isinstance(value, Array) and value.dtype == "b" and value.ndim != 0

    def constants(self, value: Value | None) -> tuple[object, ...] | None:
        return None if value is None else constants(value)

    def items(self, value: Value) -> tuple[Value, ...] | None:
        """The elements of a tuple, list or iterator whose number is known."""
        return self._machine.exact_items(value)

    def iterate(self, value: Value) -> Value:
        return self._machine.iterate(value, 0)

    def truth(self, value: Value) -> bool | None:
        return self._machine.truth(value)

    def is_fresh(self, func: Value) -> bool:
        return self._machine.is_fresh(func)

    def parameters(self, func: Value) -> list[str] | None:
        """The positional parameters that a caller fills."""
        return self._machine.parameter_names(func)

    def static_arguments(self, func: Transformed, count: int) -> tuple[set[int], set[str]] | None:
        return self._machine.static_positions(func, count)

    def each(self, value: Value) -> Iterable[Value]:
        return options_of(value)

    def target(self) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
        """The lowest and highest JAX that the project admits."""
        return self._machine.target


__all__ = [
    "Array", "Bound", "Box", "Class", "Const", "External", "Function", "Host", "Instance", "Model",
    "Or", "Partial", "Product", "Static", "Transformed", "Tree", "Tuple", "Unknown", "Value",
]  # fmt: skip
