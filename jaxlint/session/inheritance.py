"""Methods that a class inherits, and that do another thing for its objects: template methods.

In: all function contexts of a round. What a method of a base looks up on its object may be what a subclass
has replaced, and the objects of that subclass need not be known: they are made by name, or by users of the
project. Out: the method is also analyzed on an object of which only the subclass is known, where it leads to
traces.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

from jaxlint.analysis.core import rank_of
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.domain.objects import CONSTRUCTION, Bound, Class, Function, Instance, Partial, Transformed
from jaxlint.domain.values import Value

# Function contexts that one leads to. What a method asks of its object in further ones is not counted.
_MOST = 200

Inherited = tuple[Class, Function, Value]
"""A class, the method of a base that its objects have, and what decorators have made of the method."""


class Inheritance:
    """Finds the methods to analyze for a subclass, and has `analyze` do it. `before`: for which it has."""

    def __init__(
        self,
        order: list[FunctionContext],
        classes: Iterable[Class],
        analyze: Callable[[Function, Value, Class], None],
        before: set[tuple[int, Class]],
    ) -> None:
        self._order = order
        self._classes = sorted(classes, key=lambda cls: (len(cls.lineage()), *_rank(cls)))
        self._analyze = analyze
        self._before = before
        self._leading = _leading(order)
        # by code: for each class of objects that the method has run on, what it has asked of them
        self._runs: dict[int, dict[Class, set[Hashable]]] = {}
        for activation in order:
            self._note(activation)

    def run(self) -> None:
        for cls, func, value in self._inherited():
            if (id(func.code), cls) not in self._before and self._is_known(func, cls):
                continue
            self._before.add((id(func.code), cls))
            start = len(self._order)
            self._analyze(func, value, cls)
            for activation in self._order[start:]:
                if activation.func is not None and activation.func.code is func.code:
                    self._leading.add(activation)
                    self._note(activation)

    def _is_known(self, func: Function, cls: Class) -> bool:
        """Whether a method leads to no trace, or does for a class what it has done for another one."""
        runs = self._runs.get(id(func.code), {})
        return not runs or cls in runs or any(_agree(asked, other, cls) for other, asked in runs.items())

    def _inherited(self) -> Iterator[Inherited]:
        for cls in self._classes:
            seen = set(cls.attributes)
            for base in cls.lineage()[1:]:
                fresh = [(name, value) for name, value in base.attributes.items() if name not in seen]
                seen.update(base.attributes)
                methods = [
                    (func, value)
                    for _, value in fresh
                    if (func := _method_of(value)) is not None and func.cls is base
                ]
                for func, value in sorted(methods, key=lambda each: (not _makes(each[0]), rank_of(each[0]))):
                    yield cls, func, value

    def _note(self, activation: FunctionContext) -> None:
        """Remembers a run of a method that leads into a trace, or that may make what others have traced."""
        func = activation.func
        if func is None or func.cls is None or not activation.arguments:
            return
        if activation not in self._leading and not _makes(func):
            return
        owner = activation.arguments[0]
        if isinstance(owner, Instance):
            runs = self._runs.setdefault(id(func.code), {})
            runs.setdefault(owner.cls, set()).update(_asked(activation, owner.cls))


def _rank(cls: Class) -> tuple[str, str, str]:
    return cls.module.name, cls.module.path, cls.code.qualname


def _makes(func: Function) -> bool:
    return func.code.name in CONSTRUCTION


def _method_of(value: Value | None) -> Function | None:
    while isinstance(value, (Transformed, Partial, Bound)):
        value = value.func
    return value if isinstance(value, Function) else None


def _leading(order: Iterable[FunctionContext]) -> set[FunctionContext]:
    """The function contexts in traces, and those that lead to them."""
    callers: dict[FunctionContext, list[FunctionContext]] = {}
    stack = []
    for activation in order:
        if activation.context.depth:
            stack.append(activation)
        for callee in activation.callees:
            callers.setdefault(callee, []).append(activation)
    found = set(stack)
    while stack:
        for caller in callers.get(stack.pop(), ()):
            if caller not in found:
                found.add(caller)
                stack.append(caller)
    return found


def _asked(activation: FunctionContext, cls: Class) -> Iterator[Hashable]:
    """What is asked of the objects of a class, in a function context and in those that it leads to."""
    seen, stack = {activation}, [activation]
    for each in stack:
        for holder, lookup in each.reads:
            if isinstance(holder, Instance) and holder.cls is cls:
                yield lookup
        for callee in each.callees:
            if callee not in seen and len(seen) < _MOST:
                seen.add(callee)
                stack.append(callee)


def _agree(lookups: Iterable[Hashable], cls: Class, other: Class) -> bool:
    """Whether two classes have the same methods and defaults where they are asked for them."""
    return all(_found(lookup, cls) == _found(lookup, other) for lookup in lookups)


def _found(lookup: Any, cls: Class) -> Any:
    if isinstance(lookup, str):
        found = cls.lookup(lookup)
        if found is not None:
            return found[0]
        return None if cls.generic is None else _method_of(cls.generic.attributes.get(lookup))
    if isinstance(lookup, tuple):  # what `super()` finds in the methods of a class
        lineage, after = cls.lineage(), lookup[1]
        return lineage[lineage.index(after) :] if after in lineage else None
    return None
