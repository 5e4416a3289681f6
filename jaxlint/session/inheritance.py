"""Methods that a class inherits, and that do another thing for its objects: template methods.

In: all function contexts of a round. What a method of a base looks up on its object may be what a subclass
has replaced, and the objects of that subclass need not be known: they are made by name, or by users of the
project. Out: the method is also analyzed on an object of which only the subclass is known, where it leads to
traces.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.core import rank_of
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.domain.objects import CONSTRUCTION, Bound, Class, Function, Instance, Partial, Transformed
from jaxlint.domain.values import Product, Unknown, Value

if TYPE_CHECKING:
    from jaxlint.calling.contexts import Contexts

# Function contexts that one leads to. What a method asks of its object in further ones is not counted.
_MOST = 200
_NOTHING: frozenset[Hashable] = frozenset()
_RUN = (Function, Transformed, Partial, Bound, Class, Product, Unknown)

Inherited = tuple[Class, Function, Value]
"""A class, the method of a base that its objects have, and what decorators have made of the method."""


def constructors(
    contexts: Contexts, left: Sequence[Function], analyzed: Container[Hashable], rewritten: Container[int]
) -> list[tuple[Function, Class]]:
    """The constructors that are to be analyzed for the objects of a class: those of another class, and those
    that modules run where other methods of the class are `left`, which read what any object has."""
    found = []
    asked = {func.cls for func in left}
    for cls in contexts.classes:
        for name in CONSTRUCTION:
            func, home = cls.lookup(name) or (None, cls)
            if not isinstance(func, Function) or (id(func.code), id(cls)) in analyzed:
                continue
            is_own = home is cls and id(func.code) in contexts.driven and cls in asked
            if home is cls and not is_own:
                continue
            if id(func.code) not in contexts.unjitted_codes and id(func.code) not in rewritten:
                found.append((func, cls))
    return found


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
        self._leading: set[FunctionContext] = set()
        self._lead(order)
        # by code: the runs of a method on objects of each class
        self._runs: dict[int, dict[Class, list[FunctionContext]]] = {}
        self._others: dict[int, list[tuple[FunctionContext, Class]]] = {}  # those that lead to none
        self._asked: dict[FunctionContext, set[Hashable]] = {}
        self._reads: dict[FunctionContext, dict[Class, set[Hashable]]] = {}
        for activation in order:
            self._note(activation)

    def run(self) -> None:
        for cls, func, value in self._inherited():
            if (id(func.code), cls) not in self._before and self._is_known(func, cls):
                continue
            self._before.add((id(func.code), cls))
            start = len(self._order)
            self._analyze(func, value, cls)
            made = self._order[start:]
            self._lead(made)
            for activation in made:
                self._note(activation)

    def _is_known(self, func: Function, cls: Class) -> bool:
        """Whether a method leads to no trace, or does for a class what it has done for another one."""
        runs = self._runs.get(id(func.code), {})
        if cls in runs:
            return True
        if not runs:
            return not self._leads(func, cls, set())
        return any(
            all(_agree(self._asked_in(each, other), other, cls) for each in made)
            for other, made in runs.items()
        )

    def _leads(self, func: Function, cls: Class, seen: set[int]) -> bool:
        """Whether a method that leads to no trace calls one on its object that does, as a class has it."""
        seen.add(id(func.code))
        for activation, own in self._others.get(id(func.code), ()):
            for lookup in self._reads_of(activation).get(own, _NOTHING):
                found = cls.lookup(lookup) if isinstance(lookup, str) else None
                method = None if found is None else _method_of(found[0])
                if method is None or method.cls is None or id(method.code) in seen:
                    continue
                if id(method.code) in self._runs or self._leads(method, cls, seen):
                    return True
        return False

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

    def _lead(self, made: Iterable[FunctionContext]) -> None:
        """Remembers which new function contexts are in traces, lead there, or make what will be traced."""
        callers: dict[FunctionContext, list[FunctionContext]] = {}
        stack = []
        for activation in made:
            if activation.context.depth or activation.scheduled:
                stack.append(activation)
            for callee in activation.callees:
                callers.setdefault(callee, []).append(activation)
                if callee in self._leading:
                    stack.append(callee)
        self._leading.update(stack)
        while stack:
            for caller in callers.get(stack.pop(), ()):
                if caller not in self._leading:
                    self._leading.add(caller)
                    stack.append(caller)

    def _note(self, activation: FunctionContext) -> None:
        """Remembers a run of a method, and whether it leads to a trace."""
        func = activation.func
        owner = activation.arguments[0] if activation.arguments else None
        if func is None or func.cls is None or not isinstance(owner, Instance):
            return
        if activation not in self._leading:
            self._others.setdefault(id(func.code), []).append((activation, owner.cls))
        else:
            runs = self._runs.setdefault(id(func.code), {})
            runs.setdefault(owner.cls, []).append(activation)

    def _asked_in(self, activation: FunctionContext, cls: Class) -> set[Hashable]:
        """What is asked of the objects of a class on the way to traces, and in them."""
        found = self._asked.get(activation)
        if found is None:
            found = self._asked[activation] = set()
            seen, stack = {activation}, [activation]
            for each in stack:
                found |= self._reads_of(each).get(cls, _NOTHING)
                for callee in each.callees:
                    if callee not in seen and callee in self._leading and len(seen) < _MOST:
                        seen.add(callee)
                        stack.append(callee)
        return found

    def _reads_of(self, activation: FunctionContext) -> dict[Class, set[Hashable]]:
        """What a function context itself asks of objects, by their class."""
        found = self._reads.get(activation)
        if found is None:
            found = self._reads[activation] = {}
            for holder, lookup in activation.reads:
                if type(holder) is Instance:
                    found.setdefault(holder.cls, set()).add(lookup)
        return found


def _rank(cls: Class) -> tuple[str, str, str]:
    return cls.module.name, cls.module.path, cls.code.qualname


def _makes(func: Function) -> bool:
    return func.code.name in CONSTRUCTION


def _method_of(value: Value | None) -> Function | None:
    while isinstance(value, (Transformed, Partial, Bound)):
        value = value.func
    return value if isinstance(value, Function) else None


def _agree(lookups: Iterable[Hashable], cls: Class, other: Class) -> bool:
    """Whether two classes have the same methods where they are asked for them."""
    return all(_found(lookup, cls) == _found(lookup, other) for lookup in lookups)


def _found(lookup: Any, cls: Class) -> Any:
    if isinstance(lookup, str):
        found = cls.lookup(lookup)
        if found is not None:
            return found[0] if isinstance(found[0], _RUN) else None
        return None if cls.generic is None else _method_of(cls.generic.attributes.get(lookup))
    if isinstance(lookup, tuple):  # what `super()` finds in the methods of a class
        lineage, after = cls.lineage(), lookup[1]
        return lineage[lineage.index(after) :] if after in lineage else None
    return None
