"""Axes that a transform maps over: `in_axes` and `out_axes`, trees that begin as arguments and results do.

In: the axes as the program writes them, and what they are for. Out: arguments as one lane sees them, and
results as the caller does. What is not known of the axes is not known of the arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from jaxlint.calling.lifting import Lifting
from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.key_tokens import root_of
from jaxlint.domain.objects import Instance, Key, Transformed
from jaxlint.domain.values import (
    BATCHED,
    NONE,
    UNKNOWN,
    Const,
    OneOf,
    Product,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.expressions import Expressions


def roots(values: Iterable[Value]) -> Iterator[Any]:
    """What the tokens in some values begin with."""
    for value in values:
        if isinstance(value, Tuple):
            yield from roots(value.items if value.items is not None else (value.elem,))
        elif isinstance(value, OneOf):
            yield from roots(value.options)
        elif isinstance(value, MutableContainer):
            yield from roots([*value.entries.values(), *(value.items or ())])
        elif isinstance(value, Instance):
            yield id(value)
            # keys alone: objects may hold one another
            yield from roots(each for each in value.attributes.values() if isinstance(each, Key))
        elif (token := getattr(value, "token", None)) is not None:
            yield root_of(token)


def is_axis(axis: Value) -> bool:
    """Whether this is one axis, of all leaves below it, and not None."""
    return (isinstance(axis, Const) and axis != NONE) or (isinstance(axis, Product) and axis.kind == "axis")


class Axes:
    """Follows axes into arguments and results."""

    def __init__(self, expressions: Expressions, lifting: Lifting) -> None:
        self.expressions = expressions
        self.lifting = lifting

    def of_arguments(
        self, func: Transformed, count: int, names: Sequence[str] | None = None
    ) -> list[Value] | None:
        """`in_axes`, one for each positional argument; equinox takes them by parameters' names as well."""
        axes = func.option("in_axes")
        if axes is None:
            return [Const(0)] * count
        if axes == NONE or is_axis(axes):
            return [axes] * count
        if isinstance(axes, MutableContainer) and axes.kind == "dict":
            if axes.elem is not None or axes.is_open or names is None or len(names) < count:
                return None
            return [axes.entries.get(name, Const(0)) for name in names[:count]]
        items = self.expressions.known_items(axes)
        return list(items) if items is not None and len(items) == count else None

    def lifted(self, func: Transformed, value: Value, axis: Value) -> Value:
        """An argument as one lane sees it."""
        if axis == NONE:
            return self.lifting.rebuilt(value)
        if is_axis(axis):
            return self.lifting.lift_leaves(func, value, BATCHED, 1)
        if isinstance(value, Tuple) and value.items is not None:
            axes = self.expressions.known_items(axis)
            if isinstance(axis, (Tuple, MutableContainer)) and axes and len(axes) == len(value.items):
                return Tuple(
                    tuple(self.lifted(func, v, a) for v, a in zip(value.items, axes, strict=True)),
                    cls=value.cls,
                )
        elif isinstance(value, MutableContainer):
            return self._lifted_container(func, value, axis)
        elif isinstance(value, Instance) and isinstance(axis, Instance) and value.cls is axis.cls:
            return self._lifted_record(func, value, axis)
        elif isinstance(value, (Unknown, TracerPytree)):
            return self._lifted_by_axes(func, value, axis)
        return UNKNOWN

    def _lifted_container(self, func: Transformed, value: MutableContainer, axis: Value) -> Value:
        """A list or a dict: the axes are one of the same kind and names."""
        if not isinstance(axis, MutableContainer) or axis.kind != value.kind:
            return UNKNOWN
        copy = self.lifting.copy_of(value, ("axes", id(axis)), lambda each: UNKNOWN)
        if value.kind == "dict":
            for name, each in value.entries.items():
                copy.entries[name] = self.lifted(func, each, _axis_for(axis, name))
            only = axis.elem if axis.elem is not None and not axis.entries else UNKNOWN
            if value.elem is not None:
                copy.elem = self.lifted(func, value.elem, only)
        elif value.items is not None and axis.items is not None and len(value.items) == len(axis.items):
            pairs = zip(value.items, axis.items, strict=True)
            copy.items = [self.lifted(func, each, one) for each, one in pairs]
        return copy

    def _lifted_record(self, func: Transformed, value: Instance, axis: Instance) -> Value:
        """An object whose fields are its leaves: the axes are one of the same class."""
        fields = value.cls.all_fields()
        if not value.cls.has_mark("pytree") or value.cls.has_mark("flattened") or not fields:
            return UNKNOWN
        if self.lifting.parts_of(value) is not None:
            return UNKNOWN
        copy = self.lifting.copy_of_record(value, ("axes", id(axis)), lambda each: each)
        for name, (_, is_static) in fields.items():
            if name in copy.attributes and not is_static:
                held = self.lifted(func, copy.attributes[name], axis.attributes.get(name, UNKNOWN))
                copy.attributes[name] = held
        return copy

    def _lifted_by_axes(self, func: Transformed, value: Value, axis: Value) -> Value:
        """An argument of which nothing is known has the form of its axes."""
        leaf = Unknown(arrays=value.arrays) if isinstance(value, Unknown) else value
        if isinstance(axis, Tuple) and axis.items is not None:
            return Tuple(tuple([self.lifted(func, leaf, each) for each in axis.items]), cls=axis.cls)
        if isinstance(axis, MutableContainer) and axis.elem is None and axis.items != []:
            return self.lifting.copy_of(
                axis, ("axes of", func.kind), lambda each: self.lifted(func, leaf, each)
            )
        return UNKNOWN

    def mapped_parts(self, values: Sequence[Value], axes: Sequence[Value]) -> list[Value]:
        """The parts of some values that are mapped, or may be."""
        found: list[Value] = []
        for value, axis in zip(values, axes, strict=False):
            if axis == NONE:
                continue
            parts: Sequence[Value] | None = None
            below: Sequence[Value] = ()
            if isinstance(axis, MutableContainer) and isinstance(value, MutableContainer):
                if axis.kind == value.kind == "dict" and value.elem is None:
                    parts = [*value.entries.values()]
                    below = [_axis_for(axis, name) for name in value.entries]
                elif value.items is not None and axis.items is not None:
                    parts, below = value.items, axis.items
            elif isinstance(axis, (Tuple, MutableContainer)) and isinstance(value, Tuple):
                parts, below = value.items, self.expressions.known_items(axis) or ()
            elif isinstance(axis, Instance) and isinstance(value, Instance):
                parts = [*value.attributes.values()]
                below = [axis.attributes.get(name, UNKNOWN) for name in value.attributes]
            if parts is None or len(parts) != len(below):
                found.append(value)
            else:
                found += self.mapped_parts(parts, below)
        return found

    def lowered(self, value: Value, axis: Value | None, lower: Callable[[Value, int], Value]) -> Value:
        """A result as the caller sees it: what has no axis is not mapped, and has no dimension more. `lower`
        is given a result, or a part of it, and how many dimensions it has more."""
        if axis == NONE:
            return lower(value, 0)
        if isinstance(axis, (Tuple, MutableContainer)) and isinstance(value, Tuple):
            axes = self.expressions.known_items(axis)
            if axes and value.items is not None and len(axes) == len(value.items):
                pairs = zip(value.items, axes, strict=True)
                return Tuple(tuple([self.lowered(v, a, lower) for v, a in pairs]), cls=value.cls)
        made = lower(value, 1)
        if (
            isinstance(axis, MutableContainer)
            and isinstance(value, MutableContainer)
            and isinstance(made, MutableContainer)
            and axis.kind == value.kind
        ):
            for name, each in value.entries.items():
                made.entries[name] = self.lowered(each, _axis_for(axis, name), lower)
            if value.items and axis.items and len(value.items) == len(axis.items):
                pairs = zip(value.items, axis.items, strict=True)
                made.items = [self.lowered(each, one, lower) for each, one in pairs]
        return made


def _axis_for(axes: MutableContainer, name: Any) -> Value:
    """The axis of what a dict has under a name."""
    found = axes.entries.get(name)
    if found is None and axes.elem is not None and not axes.entries:
        return axes.elem
    return UNKNOWN if found is None else found
