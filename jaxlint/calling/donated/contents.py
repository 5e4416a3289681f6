"""What a donated record, dict or tuple holds: places of the function that it was made of, and arrays that it
holds twice.

In: a donated argument as it is written, with its value and what the call gives. Out: the places whose arrays
are deleted, and whether one array is donated twice. It refuses to know what is read after the call.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import pairwise

from jaxlint.calling.donated.making import Part, Route, at, child, parts_of, root_of, route_to
from jaxlint.calling.donated.places import Places
from jaxlint.calling.donated.uses import Uses
from jaxlint.calling.donated_copies import copies_of, is_deleted, is_vague, may_hold, place_of
from jaxlint.domain.join import Tuple, options_of
from jaxlint.domain.objects import Function, Instance, Transformed
from jaxlint.domain.questions import base_of
from jaxlint.domain.values import Unknown, Value
from jaxlint.ir.nodes import Expr
from jaxlint.ir.walks import number_of


class Contents:
    """What donated arguments were made of."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.uses = Uses(places)

    def deleted(
        self, func: Transformed, param: str, made: Expr, value: Value, result: Value, is_replaced: bool
    ) -> Iterator[tuple[Expr, Value, frozenset[int]]]:
        """The places of this function of which the arrays are donated as parts of an argument, with what they
        hold, and the reads that see the same binding. is_replaced: the argument gets the result."""
        scope = self.places.scope()
        for part in (each for parts in self._parts(made, value) for each in parts):
            if not part.route or part.scope.code is not scope.code or part.scope.depth:
                continue
            held = self.places.held(part.place)
            if held is None or not _is_same(held, part.value) or not is_deleted(part.value):
                continue
            if self._is_taken(func, param, value, result, part.route, is_replaced):
                yield part.place, held, self._reads_alike(part)

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

    def _reads_alike(self, part: Part) -> frozenset[int]:
        """The reads of a place that may see what went into the argument."""
        flow = self.places.place_flow(part.scope.code, part.scope.program, place_of(part.place))
        root, seen = root_of(part.place), self.places.bindings(part.scope, part.place)
        if root is not part.place and root is not None and number_of(part.place) == root.nid:
            seen = {*flow.reads}  # of a record that is given again with other fields, where no text reads it
        return frozenset(each for binding in seen for each in flow.reads.get(binding, ()))

    def twice(
        self, func: Transformed, param: str, made: Expr, value: Value, result: Value, is_replaced: bool
    ) -> tuple[Part, Part] | None:
        """Two parts of an argument that are one array."""
        for option in options_of(value):
            for parts in self._parts(made, option):
                for first, second in self._pairs(parts):
                    routes = first.route, second.route
                    if _is_same(first.value, second.value) and is_deleted(first.value):
                        known = func, param, option, result
                        if all(self._is_taken(*known, each, is_replaced) for each in routes):
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

    def _is_taken(
        self, func: Transformed, param: str, value: Value, result: Value, route: Route, is_replaced: bool
    ) -> bool:
        """Whether the result certainly has something like a part, and the function uses the part: else its
        buffer stays."""
        base = base_of(func)
        if not isinstance(base, Function) or not self.uses.is_used(base, param, route, value):
            return False
        if is_vague(result, 0):
            return is_replaced
        held = result.items if isinstance(result, Tuple) and result.cls is None and result.items else ()
        return any(_has(each, value, route) for each in (result, *held))


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
