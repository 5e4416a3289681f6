"""What pytest and absl call tests with: lists of arguments, and fixtures by their names.

In: the values that marks, parameters and fixtures are, see `library.models.testing`. Out: what is known of
the arguments of a test, or of a fixture. A fixture is looked for as pytest does: in the class, in the module,
in the files `conftest.py` from its folder upwards; one that asks for its own name gets the next one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeGuard

from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.calling.cases import Row, by_parameter, rows_of_all
from jaxlint.calling.contexts import Contexts
from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.objects import Class, Function, Module
from jaxlint.domain.questions import is_static_method
from jaxlint.domain.values import UNKNOWN, Const, Product, Value
from jaxlint.evaluation.definitions import Definitions

_NO_VALUES: Mapping[str, Value] = {}


class Fixtures:
    """Finds what tests are called with, and analyzes them."""

    def __init__(self, flow: FlowState, core: Core, definitions: Definitions, contexts: Contexts) -> None:
        self.flow = flow
        self.core = core
        self.definitions = definitions
        self.contexts = contexts
        self._made: dict[int, Product] = {}  # fixtures, by the code of their functions
        self._renamed: set[str] = set()  # names of fixtures that are not those of their functions
        self._runs: dict[int, Mapping[FunctionContext, None]] = {}  # by code: of a test, one for each row
        self._open: set[int] = set()  # codes of those that are being asked for
        self._homes: dict[str, tuple[Module, ...]] = {}  # by folder: where conftest files are

    def make(self, maker: Product, func: Value) -> Value:
        """The fixture that a decorator makes of a function."""
        params, name = maker.parts
        made = Product("fixture", func, params, name)
        if isinstance(func, Function):
            self._made[id(func.code)] = made
        if name:
            self._renamed.add(name)
        return made

    def analyze(self, func: Function) -> None:
        """Analyzes a function of which no call is known, as a test where it is one."""
        if self.contexts.is_analyzed(func) or id(func.code) in self._open:
            return
        if func.code.name == "__init__":
            self._open.add(id(func.code))
            for maker in self._makers(func):
                self.analyze(maker)
            self._open.discard(id(func.code))
        self._run(func)

    def _makers(self, func: Function) -> Iterator[Function]:
        """The constructors of what a constructor is handed: what they set is what it reads."""
        for belief in self.contexts.arguments.annotations.of_parameters(func).values():
            if isinstance(belief.kind, Class):
                for cls in (belief.kind, *self.definitions.heirs.below(belief.kind)):
                    maker = cls.attributes.get("__init__")
                    if isinstance(maker, Function) and id(maker.code) not in self.contexts.driven:
                        yield maker

    def _run(self, func: Function, param: Value | None = None) -> FunctionContext | None:
        """`param`: what a test has a fixture take for its parameter."""
        code = func.code
        cases = self._cases(func)
        if not cases and id(code) not in self._made and not code.name.startswith("test"):
            return self.contexts.analyze_generic(func)
        found: dict[FunctionContext, None] = {}
        self._open.add(id(code))
        flow = self.contexts.flow
        saved, flow.launching = flow.launching, True
        try:
            for row in rows_of_all([mark.parts[0] for mark in cases]):
                sources: dict[FunctionContext, None] = {}
                given = self._given(func, cases, row, param, sources)
                is_apart = param is not None or bool(found)
                activation = self.contexts.analyze_generic(func, given, sources, is_apart)
                if activation is not None:
                    found[activation] = None
        finally:
            self._open.discard(id(code))
            flow.launching = saved
        if param is None:
            self.contexts.retired.update(self._runs.get(id(code), ()))
            self.contexts.retired.difference_update(found)
            self._runs[id(code)] = found
        return next(iter(found), None)

    def _given(
        self,
        func: Function,
        cases: Iterable[Product],
        row: Row,
        param: Value | None,
        sources: dict[FunctionContext, None],
    ) -> Mapping[str, Value]:
        """What a test or a fixture gets in one run."""
        own = self._made.get(id(func.code))
        if own is not None and param is None:
            param = own.parts[1]
        names = [each for each in func.code.params if each.kind in "pnk"]
        if func.cls is not None and not is_static_method(func):
            names = names[1:]
        through = {name for mark in cases for name in mark.parts[1]}
        told = by_parameter(row, [each.name for each in names if each.kind in "pn"])
        found = {name: value for name, value in told.items() if name not in through}
        for each in names:
            if each.name in found or each.default is not None:
                continue
            if each.name == "request":
                found["request"] = Product("request", param or UNKNOWN, func)
            else:
                value = self._asked(func, each.name, told.get(each.name), sources)
                if value is not None:
                    found[each.name] = value
        return found

    # ---- lists of arguments

    def _cases(self, func: Function) -> list[Product]:
        """The lists of arguments of a test: its own, those of its class and of its module."""
        found = [*self.definitions.marks.get(id(func.code), {}).values()]
        if not func.code.name.startswith("test"):
            return found
        for cls in func.cls.lineage() if func.cls is not None else ():
            found += self.definitions.marks.get(id(cls.code), {}).values()
            found += _marks(cls.attributes.get("pytestmark"))
        return found + _marks(func.module.env.vars.get("pytestmark"))

    # ---- fixtures

    def value_of(self, func: Function, name: Value) -> Value:
        """What `request.getfixturevalue(name)` gives in a test or a fixture."""
        if not isinstance(name, Const) or not isinstance(name.value, str):
            return UNKNOWN
        return self._asked(func, name.value, None, self.flow.frame.callees) or UNKNOWN

    def _asked(
        self, func: Function, name: str, param: Value | None, sources: dict[FunctionContext, None]
    ) -> Value | None:
        """What a fixture gives; None where there is none of this name."""
        found = next(
            (each for each in self._named(func, name) if id(each.parts[0].code) not in self._open), None
        )
        if found is None:
            return None
        position, depth, cache = self.flow.position(), self.flow.depth, self.contexts.staleness.trace_cache
        activation = self._answer(found.parts[0], param)
        self.contexts.staleness.trace_cache = cache
        self.flow.return_to(position)
        self.flow.depth = depth
        if activation is None or activation.running:
            return UNKNOWN
        sources[activation] = None
        result = activation.result
        if activation.func is not None and activation.func.code.is_generator:
            return result.parts[0] if isinstance(result, Product) and result.kind == "iterator" else UNKNOWN
        return result

    def _answer(self, func: Function, param: Value | None) -> FunctionContext | None:
        known = self.contexts.generics.get(id(func.code)) if param is None else None
        return known if known is not None and known.done else self._run(func, param)

    def _named(self, func: Function, name: str) -> Iterator[Product]:
        """The fixtures of a name that a test or a fixture sees, the nearest one first."""
        places = [each.attributes for each in func.cls.lineage()] if func.cls is not None else []
        modules = (func.module, *self._conftests(func.module.path))
        variables = [*places, *(each.env.vars for each in dict.fromkeys(modules))]
        for held in variables:
            value = held.get(name)
            if _is_fixture(value) and value.parts[2] in ("", name):
                yield value
            elif name in self._renamed:
                yield from [each for each in held.values() if _is_fixture(each) and each.parts[2] == name]

    def _conftests(self, path: str) -> tuple[Module, ...]:
        folder = os.path.dirname(path)
        found = self._homes.get(folder)
        if found is None:
            above = os.path.dirname(folder)
            outer = self._conftests(folder) if above != folder else ()
            own = self.core.world.by_path.get(os.path.join(folder, "conftest.py"))
            found = self._homes[folder] = outer if own is None else (own, *outer)
        return found


def _is_fixture(value: Value | None) -> TypeGuard[Product]:
    return isinstance(value, Product) and value.kind == "fixture" and isinstance(value.parts[0], Function)


def _marks(value: Value | None) -> list[Product]:
    """The lists of arguments among the marks of a module or of a class."""
    items: Iterable[Value] = (value,) if value is not None else ()
    if isinstance(value, Tuple):
        items = value.items or ()
    elif isinstance(value, MutableContainer):
        items = value.items or ()
    return [each for each in items if isinstance(each, Product) and each.kind == "cases"]
