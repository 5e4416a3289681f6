"""Generic functions of functools: `singledispatch` and `singledispatchmethod`.

In: what is registered, by a type, an annotation or a call, and calls. Out: the results of the
implementations that the type of the argument does not rule out. A generic function is a `Product` of the
kind `dispatcher`: the function that is called for all other types, and whether it is a method.
"""

from __future__ import annotations

from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import FlowState
from jaxlint.calling.calls import Calls
from jaxlint.domain.join import Tuple, options_of
from jaxlint.domain.objects import Class, Environment, Function, Partial, Transformed
from jaxlint.domain.values import UNKNOWN, Const, External, Product, Unknown, Value
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.narrowing import Narrowing
from jaxlint.ir.nodes import BinaryExpr, Expr, SubscriptExpr, TupleExpr
from jaxlint.ir.program import Code
from jaxlint.library.builtin import Builtins

_OBJECT = External("builtins.object")
_UNIONS = frozenset(("typing.Union", "typing.Optional"))


class Dispatching:
    """Registers implementations and calls them."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        expressions: Expressions,
        attributes: Attributes,
        narrowing: Narrowing,
        calls: Calls,
        builtins: Builtins,
    ) -> None:
        self.flow = flow
        self.core = core
        self.expressions = expressions
        self.attributes = attributes
        self.narrowing = narrowing
        self.calls = calls
        self.builtins = builtins
        # of a generic function, by its code and what it closes over: the implementations and their types
        self._registered: dict[tuple[Environment, Code], dict[tuple[Value, Value], None]] = {}

    def register(self, generic: Product, args: list[Value], keywords: dict[str, Value]) -> Value:
        """`register(type)` is a decorator, `register(type, function)` and `register(function)` are calls."""
        args = [*args, *keywords.values()]
        if len(args) == 1 and _function_of(args[0]) is None:
            return Product("registering", generic, args[0])
        own = _function_of(generic.parts[0])
        if own is None or len(args) not in (1, 2):
            return UNKNOWN
        func = args[-1]
        kinds = options_of(args[0]) if len(args) == 2 else self._annotated(func, generic.parts[1])
        known = self._registered.setdefault((own.env, own.code), {})
        before = len(known)
        for kind in kinds:
            items = self.expressions.known_items(kind) if isinstance(kind, Tuple) else None
            known.update(dict.fromkeys((each, func) for each in items or (kind,)))
        if len(known) > before:
            self.core.changed(own.env, _cell(own))
        return func

    def _annotated(self, func: Value, is_method: bool) -> tuple[Value, ...]:
        """The types that the first parameter is annotated with."""
        inner = _function_of(func)
        params = () if inner is None else inner.code.params[is_method : is_method + 1]
        if inner is None or not params or params[0].annotation is None:
            return (UNKNOWN,)
        with self.core.elsewhere(inner.env, inner.module):
            return tuple(self._types_of(params[0].annotation))

    def _types_of(self, node: Expr) -> list[Value]:
        if isinstance(node, BinaryExpr) and node.operator == "|":
            return self._types_of(node.left) + self._types_of(node.right)
        if isinstance(node, SubscriptExpr):
            owner = self.expressions.eval(node.value)
            if isinstance(owner, External) and owner.name in _UNIONS:
                items = node.index.items if isinstance(node.index, TupleExpr) else (node.index,)
                return [kind for item in items for kind in self._types_of(item)]
            return [owner]
        return [self.expressions.eval(node)]

    def call_product(
        self, func: Product, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        """A call of a generic function, or of the decorator that registers an implementation of one."""
        if func.kind == "registering":
            return self.register(func.parts[0], [func.parts[1], *args], keywords)
        return self.call(func, args, keywords, nid, exact)

    def call(
        self, generic: Product, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        default, is_method = generic.parts
        own = _function_of(default)
        if own is None or len(args) <= is_method or isinstance(args[is_method], Product):
            return UNKNOWN
        self.flow.frame.reads.setdefault((own.env, _cell(own)), self.core.changes)
        registered = self._registered.get((own.env, own.code), ())
        if type(args[is_method]) is Unknown:
            registered = ()  # which of them is called may rest on what the other arguments are
        fitting = self._fitting([*registered, (_OBJECT, default)], args[is_method])
        calls = []
        for kind, func in fitting:
            given = list(args)
            if not isinstance(kind, Unknown):
                given[is_method] = self.narrowing.by_class(args[is_method], kind, True)
            if is_method:
                func, given = self.attributes.bind_method(func, given[0], nid), given[1:]
            calls.append((func, given))
        if len(calls) == 1:
            return self.calls.call(*calls[0], keywords, nid, exact)
        return self.calls.call_any(calls, keywords, nid, exact)

    def _fitting(self, implementations: list[tuple[Value, Value]], value: Value) -> list[tuple[Value, Value]]:
        """The implementations that may be called for a value: those of its type, but where a subclass has
        one that is certainly called, not that of its base."""
        found = []
        certain: list[Value] = []
        for kind, func in implementations:
            answer = True if kind == _OBJECT else self._is_of(value, kind)
            if answer is not False:
                found.append((kind, func))
            if answer and kind != _OBJECT:
                certain.append(kind)
        return [each for each in found if not any(_is_below(kind, each[0]) for kind in certain)]

    def _is_of(self, value: Value, kind: Value) -> bool | None:
        if kind == Const(None):
            kind = External("types.NoneType")
        return self.builtins.instance_of(value, kind)


def _cell(own: Function) -> tuple[str, Code]:
    return "dispatch", own.code


def _function_of(value: Value) -> Function | None:
    """The function of the project beneath what decorators have made of it."""
    while True:
        if isinstance(value, (Transformed, Partial)):
            value = value.func
        elif isinstance(value, Product) and value.kind in ("staticmethod", "classmethod"):
            value = value.parts[0]
        else:
            break
    return value if isinstance(value, Function) else None


def _is_below(kind: Value, other: Value) -> bool:
    """Whether a class is below another one."""
    if other == _OBJECT:
        return kind != _OBJECT
    return (
        isinstance(kind, Class) and isinstance(other, Class) and kind is not other and other in kind.lineage()
    )
