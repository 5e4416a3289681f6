"""What a donated record, dict or tuple holds: places of the function that it was made of, and arrays that it
holds twice.

In: a donated argument as it is written, with its value and what the call gives. Out: the places whose arrays
are deleted, and whether one array is donated twice. It refuses to know what is read after the call.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterator
from itertools import pairwise
from typing import NamedTuple

from jaxlint.calling.donated.copies import copies_of, is_deleted, is_vague, may_hold, place_of, written_parts
from jaxlint.calling.donated.lasting_copies import ANY_READ, is_set, owner_of
from jaxlint.calling.donated.making import Part, Route, at, child, parts_of, root_of, route_to
from jaxlint.calling.donated.places import Places, Scope
from jaxlint.calling.donated.uses import Uses
from jaxlint.domain.join import Tuple, options_of
from jaxlint.domain.objects import Class, Function, Instance, Transformed
from jaxlint.domain.questions import base_of
from jaxlint.domain.values import Unknown, Value
from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.nodes import AttrExpr, Expr
from jaxlint.ir.program import Code
from jaxlint.ir.walks import number_of


class Donated(NamedTuple):
    """An argument that is donated: what is called, for which parameter, the argument as it is written, its
    value, and what the call gives. is_replaced: the argument gets that."""

    func: Transformed
    param: str
    made: Expr
    value: Value
    result: Value
    is_replaced: bool


class Contents:
    """What donated arguments were made of."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.uses = Uses(places)

    def deleted(self, arg: Donated) -> Iterator[tuple[Expr, Value, Container[int]]]:
        """The places of this function of which the arrays are donated as parts of an argument, with what they
        hold, and the reads that see the same binding."""
        scope = self.places.scope()
        for part in (each for parts in self._parts(arg.made, arg.value) for each in parts):
            if not part.route or part.scope.code is not scope.code or part.scope.depth:
                continue
            held = self.places.held(part.place)
            if held is None or not _is_same(held, part.value) or not is_deleted(part.value):
                continue
            if self.is_taken(arg, part.route):
                yield part.place, held, self._reads_alike(part)
        for place, part in self._constructed(arg.made, arg.value):
            held = self.places.held(place)
            if held is not None and _is_same(held, part.value) and is_deleted(held):
                if self.is_taken(arg, part.route):
                    yield place, held, ANY_READ

    def _constructed(self, made: Expr, value: Value) -> Iterator[tuple[Expr, Part]]:
        """The attributes of an object that its constructor sets to what went into the one that is donated,
        which no other method sets."""
        func = self.places.flow.frame.func
        cls = None if func is None else func.cls
        init = None if cls is None else cls.lookup("__init__")
        if func is None or cls is None or init is None or not isinstance(init[0], Function):
            return
        if not isinstance(made, AttrExpr) or place_of(made.value) != owner_of(func.code):
            return
        before = number_of(made) or 0
        if is_set(func.code, made.name, before) or not _is_left(cls, made.name, func.code):
            return
        code = init[0].code
        own, scope = owner_of(code), Scope(code, init[0].module.program, init[0].env, depth=1)
        sets = [(target, given) for target, given in assigned(code.body) if isinstance(target, AttrExpr)]
        held = [
            (target, given) for target, given in sets if place_of(target.value) == own and place_of(given)
        ]
        for source in (given for target, given in sets if place_of(target) == f"{own}.{made.name}"):
            for part in parts_of(self.places, source, value, scope) if not place_of(source) else ():
                for target, given in held:
                    is_part = place_of(given) == place_of(part.place) and part.scope is scope
                    is_part = is_part and self._sees_alike(scope, given, part.place)
                    if is_part and _is_left(cls, target.name) and not is_set(func.code, target.name, before):
                        yield AttrExpr(made.nid, made.value, target.name), part

    def _sees_alike(self, scope: Scope, one: Expr, other: Expr) -> bool:
        return self.places.bindings(scope, one) == self.places.bindings(scope, other)

    def unused(self, func: Transformed, param: str, made: Expr, value: Value) -> set[int]:
        """The parts of a collection that is written out which a function of the program is not seen to use:
        their identities."""
        base, found = base_of(func), set[int]()
        for name, each in written_parts(made).items() if isinstance(base, Function) else ():
            if isinstance(base, Function) and not self.uses.is_used(base, param, (("[]", name),), value):
                found.add(id(each))
        return found

    def _parts(self, made: Expr, value: Value) -> Iterator[list[Part]]:
        """The parts of an argument, for each of the assignments that a variable may have got it by."""
        scope = self.places.scope()
        for source in self.places.set_to(scope, made) if place_of(made) else [made]:
            yield [*parts_of(self.places, source, value, scope)]
        yield [*self._stored(made, value)]

    def _stored(self, made: Expr, value: Value) -> Iterator[Part]:
        """The places that were put into an argument after it was made."""
        scope, name = self.places.scope(), place_of(made)
        for target, source in copies_of(scope.code):
            route = route_to(target, name) if name else None
            part = None if route is None else at(value, route)
            if route and part is not None:
                yield Part(route, source, scope, part)

    def _reads_alike(self, part: Part) -> Container[int]:
        """The reads of a place that may see what went into the argument."""
        flow = self.places.place_flow(part.scope.code, part.scope.program, place_of(part.place))
        root, seen = root_of(part.place), self.places.bindings(part.scope, part.place)
        if root is not part.place and root is not None and number_of(part.place) == root.nid:
            seen = {*flow.reads}  # of a record that is given again with other fields, where no text reads it
        elif not seen and root is not part.place:
            return ANY_READ  # of an attribute that the function has not set
        return frozenset(each for binding in seen for each in flow.reads.get(binding, ()))

    def twice(self, arg: Donated) -> tuple[Part, Part] | None:
        """Two parts of an argument that are one array."""
        for option in options_of(arg.value):
            given = arg._replace(value=option)
            for parts in self._parts(arg.made, option):
                for first, second in self._pairs(parts):
                    if _is_same(first.value, second.value) and is_deleted(first.value):
                        if self.is_taken(given, first.route) and self.is_taken(given, second.route):
                            return first, second
        return None

    def _pairs(self, parts: list[Part]) -> Iterator[tuple[Part, Part]]:
        """The parts that one binding of a place went into, of which none is in the other."""
        known: dict[Hashable, list[Part]] = {}
        for part in parts:
            root = root_of(part.place)
            bindings = frozenset(() if root is None else self.places.bindings(part.scope, root))
            home = part.scope if part.scope.depth else part.scope.code
            place = home, place_of(part.place), bindings
            known.setdefault(place, []).append(part)
        for found in known.values():
            for first, second in pairwise(found):
                a, b = first.route, second.route
                if a[: len(b)] != b and b[: len(a)] != a:
                    yield first, second

    @staticmethod
    def is_replaced_tree(arg: Donated) -> bool:
        """Whether a function of the program gives what takes the place of an argument, of which no more is
        known."""
        return arg.is_replaced and isinstance(base_of(arg.func), Function)

    def is_taken(self, arg: Donated, route: Route) -> bool:
        """Whether the result certainly has something like a part, and the function uses the part: else its
        buffer stays."""
        base, result = base_of(arg.func), arg.result
        if not isinstance(base, Function) or not self.uses.is_used(base, arg.param, route, arg.value):
            return False
        if is_vague(result, 0):
            return arg.is_replaced
        held = result.items if isinstance(result, Tuple) and result.cls is None and result.items else ()
        return any(_has(each, arg.value, route) for each in (result, *held))


def _is_left(cls: Class, name: str, but: Code | None = None) -> bool:
    """Whether no method of a class but its constructor, and one other, sets an attribute."""
    methods = [
        (each, value.code)
        for base in cls.lineage()
        for each, value in base.attributes.items()
        if isinstance(value, Function)
    ]
    return not any(is_set(code, name) for each, code in methods if each != "__init__" and code is not but)


def _is_same(a: Value, b: Value) -> bool:
    """Whether two values are one object: of one of which nothing is known a call gives another one with the
    same token."""
    return a is b or (isinstance(a, Unknown) and a.token is not None and a == b)


def _has(result: Value, value: Value, route: Route) -> bool:
    """Whether a result has something like a part where a value has the part."""
    kinds = (Tuple, Instance)
    if isinstance(result, kinds) and isinstance(value, kinds) and result.cls is not value.cls:
        return False
    for step in route:
        after, part = child(result, step), child(value, step)
        if after is None or part is None:
            return False
        result, value = after, part
    return may_hold(result, value)
