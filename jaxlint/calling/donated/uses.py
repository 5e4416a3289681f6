"""Whether a compiled function computes with a part of what it is given: JAX drops the other parts, and
deletes none of them.

In: the function, a parameter, and where in it the part is. Out: whether its text uses it. It refuses to know
what becomes of what it computes.
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.calling.donated.making import Route, Step, entered
from jaxlint.calling.donated.places import Places, Scope
from jaxlint.domain.join import Tuple
from jaxlint.domain.objects import Bound, Function, Instance
from jaxlint.domain.values import Value
from jaxlint.ir.nodes import (
    AssignStmt,
    AttrExpr,
    CallExpr,
    ConstExpr,
    DefStmt,
    LambdaExpr,
    NameExpr,
    Node,
    StarExpr,
    SubscriptExpr,
    TupleExpr,
)
from jaxlint.ir.program import Code
from jaxlint.ir.replaced_fields import COPYING
from jaxlint.ir.walks import children, walk

_DEPTH = 3  # how many calls are gone through


class Uses:
    """What functions of the program compute with."""

    def __init__(self, places: Places) -> None:
        self.places = places

    def is_used(self, func: Function, name: str, route: Route, value: Value, depth: int = _DEPTH) -> bool:
        """Whether a function uses a part of a parameter, of which this is the value."""
        scope = Scope(func.code, func.module.program, func.env, depth=1)
        return self._is_read(scope, name, route, value, depth)

    def _is_read(self, scope: Scope, name: str, route: Route, value: Value, depth: int) -> bool:
        return any(
            self._reads(scope, node, steps, around, route, value, depth)
            for node, steps, around in _reads_of(scope.code, scope, name)
        )

    def _reads(
        self, scope: Scope, node: Node, steps: Route, around: Node, route: Route, value: Value, depth: int
    ) -> bool:
        """Whether a read of the parameter, or of a part of it, is one of what is there, or of more."""
        cls = value.cls if isinstance(value, (Tuple, Instance)) else None
        if cls is not None and len(steps) == 1 and steps[0][0] == "." and isinstance(around, CallExpr):
            if around.func is node and steps[0][1] not in cls.all_fields():
                return self._calls(scope, around, str(steps[0][1]), route, value, depth)
        if steps:
            most = min(len(steps), len(route))
            return all(_is_alike(a, b) for a, b in zip(steps[:most], route[:most], strict=True))
        if isinstance(around, AssignStmt) and around.value is node and route:
            fields = [] if cls is None else [*cls.all_fields()]
            at = fields.index(route[0][1]) if route[0][1] in fields else route[0][1]
            return self._unpacks(scope, around, at)
        if isinstance(around, CallExpr) and around.func is not node and depth:
            func = self.places.function_of(around.func, scope)
            inner = entered(func, around, scope)
            names = [] if inner is None else [each for each, (one, _) in inner.given.items() if one is node]
            if inner is not None and names:
                return any(self._is_read(inner, each, route, value, depth - 1) for each in names)
        return True

    def _calls(
        self, scope: Scope, call: CallExpr, method: str, route: Route, value: Value, depth: int
    ) -> bool:
        """The same of a method of a record: one that gives it with other fields has those that it leaves."""
        cls = value.cls if isinstance(value, (Tuple, Instance)) else None
        found = None if cls is None else cls.lookup(method)
        if found is not None and isinstance(found[0], Function) and depth:
            inner = entered(Bound(found[0], value), call, scope)
            name = found[0].code.params[0].name if found[0].code.params else ""
            return inner is None or self._is_read(inner, name, route, value, depth - 1)
        if method not in COPYING:
            return True
        return not route or all(each.name != route[0][1] for each in call.keywords)

    def _unpacks(self, scope: Scope, statement: AssignStmt, at: object) -> bool:
        """The same of a tuple that is unpacked, of which the part is one item."""
        flow = self.places.flow_of(scope.code, scope.program)
        for target in statement.targets:
            if not isinstance(target, TupleExpr) or any(isinstance(each, StarExpr) for each in target.items):
                return True
            if type(at) is not int or at >= len(target.items):
                return True
            name = target.items[at]
            if not isinstance(name, NameExpr) or flow.readers(name.nid):
                return True
        return False


def _is_alike(a: Step, b: Step) -> bool:
    return a == b or a[0] != b[0]  # an item of a named tuple may be any field


def _reads_of(code: Code, scope: Scope, name: str) -> Iterator[tuple[Node, Route, Node]]:
    """The reads of a variable in a function and in those inside it, each with the attributes and items that
    are read of it at once, and with what it is directly in."""
    for around in walk(*code.body):
        if isinstance(around, (LambdaExpr, DefStmt)):
            inner = scope.program.codes[around.index]
            if name in inner.free:
                yield from _reads_of(inner, scope, name)
            continue
        for each in children(around):
            steps = _steps(each, name)
            if steps is not None and not (isinstance(around, AssignStmt) and each in around.targets):
                if not (steps_of := _steps(around, name)) or len(steps_of) <= len(steps):
                    yield each, steps, around


def _steps(node: Node, name: str) -> Route | None:
    """The attributes and items that are read of a variable; None of anything else."""
    if isinstance(node, NameExpr):
        return () if node.name == name else None
    if not isinstance(node, (AttrExpr, SubscriptExpr)):
        return None
    inner = _steps(node.value, name)
    if inner is None:
        return None
    if isinstance(node, AttrExpr):
        return (*inner, (".", node.name))
    return (*inner, ("[]", node.index.value)) if isinstance(node.index, ConstExpr) else None
