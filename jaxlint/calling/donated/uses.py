"""Whether a compiled function computes with a part of what it is given: JAX drops the other parts, and
deletes none of them.

In: the function, a parameter, and where in it the part is. Out: whether its text certainly uses it, or hands
it on to what the function gives. It refuses to know the values that come of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jaxlint.calling.donated.copies import place_of
from jaxlint.calling.donated.making import Route, at, entered, root_of, route_to
from jaxlint.calling.donated.places import Places, Scope
from jaxlint.domain.join import Tuple
from jaxlint.domain.objects import Bound, Class, Function, Instance, Transformed
from jaxlint.domain.values import External, Value
from jaxlint.evaluation.attribute_names import METADATA
from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.loop_carried import parts
from jaxlint.ir.nodes import (
    AssignStmt,
    AttrExpr,
    BinaryExpr,
    CallExpr,
    CompareExpr,
    ComprehensionExpr,
    ConstExpr,
    DefStmt,
    DictExpr,
    Expr,
    Keyword,
    LambdaExpr,
    ListExpr,
    NameExpr,
    Node,
    ReturnStmt,
    StarExpr,
    SubscriptExpr,
    TupleExpr,
    UnaryExpr,
)
from jaxlint.ir.program import Code
from jaxlint.ir.replaced_fields import COPYING, MAPS, READERS_OF_STRUCTURE
from jaxlint.ir.walks import builtin_called, children, last_name, nodes_of, walk

_DEPTH = 4  # how many calls and variables are gone through
_COMPUTES = (BinaryExpr, UnaryExpr, CompareExpr, SubscriptExpr)
_HANDS_ON = (ReturnStmt, TupleExpr, ListExpr)


class _Read(NamedTuple):
    """A read of a variable with the attributes and items that are read of it at once, and what it is directly
    in: of an argument by keyword the call."""

    node: Expr
    steps: Route
    around: Node


class _Asked(NamedTuple):
    """A variable by one of its bindings, the part of it that is asked for, and its value."""

    scope: Scope
    name: str
    binding: int
    route: Route
    value: Value | None
    left: int


class Uses:
    """What functions of the program compute with."""

    def __init__(self, places: Places) -> None:
        self.places = places

    def is_used(self, func: Function, name: str, route: Route, value: Value) -> bool:
        """Whether a function certainly uses a part of a parameter, of which this is the value."""
        scope = Scope(func.code, func.module.program, func.env, depth=1)
        return self._of_parameter(scope, name, route, value, _DEPTH)

    def _of_parameter(self, scope: Scope, name: str, route: Route, value: Value | None, left: int) -> bool:
        found = [each.nid for each in scope.code.params if each.name == name and each.kind in "pnk"]
        return bool(found) and self._is_read(_Asked(scope, name, found[0], route, value, left))

    def _is_read(self, asked: _Asked) -> bool:
        scope, name = asked.scope, asked.name
        if not asked.left:
            return False
        targets = (route_to(target, name) for target, _ in assigned(scope.code.body))
        if any(each and each == asked.route[: len(each)] for each in targets):
            return False  # it gets another value
        flow = self.places.flow_of(scope.code, scope.program)
        return any(
            self._uses(asked, read)
            for read in _reads_of(self.places, scope, name)
            if (root := root_of(read.node)) is not None and flow.seen_by(root.nid) == {asked.binding}
        )

    def _uses(self, asked: _Asked, read: _Read) -> bool:
        """Whether a read is one of the part itself, or of what it is in, and uses it."""
        most = min(len(read.steps), len(asked.route))
        if not all(
            _is_alike(*pair, asked.value) for pair in zip(read.steps[:most], asked.route, strict=False)
        ):
            return self._copies(asked, read)
        beyond, rest = read.steps[len(asked.route) :], asked.route[len(read.steps) :]
        if beyond:
            return str(beyond[0][1]) not in METADATA and beyond[0][0] == "."
        inner = None if asked.value is None else at(asked.value, read.steps)
        of_part = asked._replace(route=rest, value=inner, left=asked.left - 1)
        around = read.around
        target = next((one for one, each in assigned(asked.scope.code.body) if each is read.node), None)
        if target is not None and not isinstance(around, AssignStmt):  # one of several that are set at once
            return isinstance(target, NameExpr) and self._is_read(
                of_part._replace(name=target.name, binding=target.nid)
            )
        if isinstance(around, AssignStmt):
            return self._is_bound(of_part, read.node, around)
        if isinstance(around, CallExpr):
            return self._is_given(of_part, read.node, around)
        if isinstance(around, ComprehensionExpr):
            return _is_gone_through(around, read.node)
        if isinstance(around, DictExpr):
            named = [key for key, each in around.items if key is not None and each is not read.node]
            is_whole = any(key is None and each is read.node for key, each in around.items)
            keys = [key.value if isinstance(key, ConstExpr) else rest[0][1] for key in named] if rest else []
            return not is_whole or bool(rest and rest[0][1] not in keys)
        return isinstance(around, _HANDS_ON) or (not rest and isinstance(around, _COMPUTES))

    def _copies(self, asked: _Asked, read: _Read) -> bool:
        """Whether a method of the record is called that gives it with other fields, or one of the program
        that uses the part."""
        call, value = read.around, asked.value
        cls = value.cls if isinstance(value, (Tuple, Instance)) else None
        if not isinstance(call, CallExpr) or call.func is not read.node or len(read.steps) != 1:
            return False
        method = str(read.steps[0][1])
        found = None if cls is None else cls.lookup(method)
        if cls is not None and found is not None and isinstance(found[0], Function) and value is not None:
            inner = entered(Bound(found[0], value), call, asked.scope)
            own = found[0].code.params[0].name if found[0].code.params else ""
            return inner is not None and self._of_parameter(inner, own, asked.route, value, asked.left - 1)
        return method in COPYING and _is_left_by(call, asked.route)

    def _is_bound(self, asked: _Asked, node: Expr, statement: AssignStmt) -> bool:
        """The same of what a variable is set to, or the variables that a tuple is unpacked to."""
        for target in statement.targets:
            if isinstance(target, NameExpr):
                return self._is_read(asked._replace(name=target.name, binding=target.nid))
            if not isinstance(target, TupleExpr) or any(isinstance(each, StarExpr) for each in target.items):
                return False
            number = _number(asked.route[0], asked.value) if asked.route else -1
            item = target.items[number] if 0 <= number < len(target.items) else None
            if isinstance(item, NameExpr):
                inner = asked._replace(name=item.name, binding=item.nid, route=asked.route[1:])
                return self._is_read(inner._replace(value=_at(asked.value, asked.route[:1])))
        return False

    def _is_given(self, asked: _Asked, node: Expr, call: CallExpr) -> bool:
        """The same of what is an argument of a call, or is called."""
        if call.func is node:
            return False
        func = self.places.function_of(call.func, asked.scope)
        while isinstance(func, Transformed):
            func = func.func
        name = func.name if isinstance(func, External) else ""
        if last_name(call.func) in COPYING:
            return (
                last_name(call.func) == "replace"
                and call.args[:1] == (node,)
                and _is_left_by(call, asked.route)
            )
        if name in MAPS:
            return self._is_mapped(asked, node, call)
        if isinstance(func, (Function, Bound)):
            inner = entered(func, call, asked.scope)
            names = [] if inner is None else [each for each, (one, _) in inner.given.items() if one is node]
            return inner is not None and any(
                self._of_parameter(inner, each, asked.route, asked.value, asked.left) for each in names
            )
        if isinstance(func, Class):
            return True
        if name in READERS_OF_STRUCTURE or (
            func is None and builtin_called(call, asked.scope.code) in _BUILTINS
        ):
            return False
        is_record = isinstance(asked.value, (Tuple, Instance)) and asked.value.cls is not None
        return not asked.route or not is_record

    def _is_mapped(self, asked: _Asked, node: Expr, call: CallExpr) -> bool:
        """The same of a tree of which a function is given the leaves."""
        func, trees = (call.args[0] if call.args else None), call.args[1:]
        if func is None or node not in trees or any(isinstance(each, StarExpr) for each in trees):
            return False
        if isinstance(func, LambdaExpr):
            code = asked.scope.program.codes[func.index]
            inner = Scope(code, asked.scope.program, asked.scope.env, depth=asked.scope.depth + 1)
        else:
            found = self.places.function_of(func, asked.scope)
            if not isinstance(found, Function):
                return isinstance(found, External) and found.name not in READERS_OF_STRUCTURE
            inner = Scope(found.code, found.module.program, found.env, depth=asked.scope.depth + 1)
        number = next(at for at, each in enumerate(trees) if each is node)
        if number >= len(inner.code.params):
            return False
        return self._of_parameter(inner, inner.code.params[number].name, (), None, asked.left)


_BUILTINS = frozenset(
    "len isinstance type id callable hasattr dict list tuple set sorted print repr str".split()
)


def _at(value: Value | None, route: Route) -> Value | None:
    return None if value is None else at(value, route)


def _number(step: tuple[str, object], value: Value | None) -> int:
    """Which item of a tuple, or of a named tuple, this is."""
    how, name = step
    fields = [*value.cls.all_fields()] if isinstance(value, Tuple) and value.cls is not None else []
    if how == ".":
        return fields.index(str(name)) if name in fields else -1
    return name if isinstance(name, int) else -1


def _is_alike(one: tuple[str, object], other: tuple[str, object], value: Value | None) -> bool:
    if one[0] == other[0]:
        return one == other
    return _number(one, value) == _number(other, value) >= 0


def _is_left_by(call: CallExpr, route: Route) -> bool:
    """Whether a call that gives a record with other fields leaves this one."""
    names = [each.name for each in call.keywords]
    return None not in names and (not route or route[0][1] not in names)


def _is_gone_through(made: ComprehensionExpr, node: Expr) -> bool:
    """Whether a comprehension computes with the items of this."""
    for clause in made.clauses:
        iterable = clause.iterable
        func = iterable.func if isinstance(iterable, CallExpr) else None
        whole = func.value if isinstance(func, AttrExpr) and func.name in ("items", "values") else iterable
        names = {place_of(each) for each in parts(clause.target)}
        if whole is node and not clause.tests:
            return any(isinstance(each, NameExpr) and each.name in names for each in walk(made.element))
    return False


def _reads_of(places: Places, scope: Scope, name: str) -> Iterator[_Read]:
    """The reads of a variable in a function and in those inside it, but for those in assignments to variables
    that nothing reads."""
    flow = places.flow_of(scope.code, scope.program)
    dead: set[int] = set()
    for node in nodes_of(scope.code.body):
        if isinstance(node, AssignStmt) and all(isinstance(each, NameExpr) for each in node.targets):
            if all(isinstance(each, NameExpr) and flow.readers(each.nid) == () for each in node.targets):
                dead |= {id(each) for each in (node, *walk(node.value))}
    return (each for each in _reads_in(scope.code, scope, name) if id(each.around) not in dead)


def _reads_in(code: Code, scope: Scope, name: str) -> Iterator[_Read]:
    for around in nodes_of(code.body):
        if isinstance(around, (LambdaExpr, DefStmt)):
            inner = scope.program.codes[around.index]
            if name in inner.free:
                yield from _reads_in(inner, scope, name)
            continue
        whole = _steps(around, name)
        for each in _inside(around):
            steps = _steps(each, name)
            if steps is not None and (whole is None or len(whole) <= len(steps)):
                yield _Read(each, steps, around)


def _inside(node: Node) -> Iterator[Expr]:
    """The expressions directly in a node; of a call the arguments by keyword, too."""
    if isinstance(node, Keyword):
        return
    if isinstance(node, ComprehensionExpr):
        for clause in node.clauses:
            func = clause.iterable.func if isinstance(clause.iterable, CallExpr) else None
            yield func.value if isinstance(func, AttrExpr) else clause.iterable
    for each in children(node):
        if isinstance(each, Keyword):
            yield each.value
        elif not (isinstance(node, AssignStmt) and each in node.targets):
            yield each  # type: ignore[misc]


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
