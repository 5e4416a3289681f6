"""What a record, a dict or a tuple was made of: which variables it holds, and where.

In: an expression as it is written, the function that it is in, and the value that came of it. Out: the places
that went into it as they are. It refuses to know what is done with it then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from jaxlint.calling.donated.copies import item_of, place_of, returned, written_parts
from jaxlint.calling.donated.places import Places, Scope
from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.objects import Bound, Class, Function, Instance
from jaxlint.domain.values import External, Product, Value
from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.nodes import (
    OPAQUE,
    AttrExpr,
    BinaryExpr,
    CallExpr,
    ConstExpr,
    Expr,
    ListExpr,
    NameExpr,
    StarExpr,
    SubscriptExpr,
    TupleExpr,
)
from jaxlint.ir.walks import last_name

Step: TypeAlias = "tuple[str, object]"  # an attribute: (".", name); an item: ("[]", index)
Route: TypeAlias = "tuple[Step, ...]"
_DEPTH = 6  # how many calls and variables are gone through
_CHANGED = frozenset("__new__ __post_init__ __attrs_post_init__ setup __setattr__ __getattribute__".split())


class Part(NamedTuple):
    """A place that went into a value, and where it is in that: the value there."""

    route: Route
    place: Expr
    scope: Scope
    value: Value

    def name_in(self, holder: str) -> str:
        """The part as text; where nothing holds it, the place that it is."""
        steps = (f".{name}" if how == "." else f"[{name!r}]" for how, name in self.route)
        return f"{holder}{''.join(steps)}" if holder else place_of(self.place)


def parts_of(
    places: Places, made: Expr, value: Value, scope: Scope, route: Route = (), left: int = _DEPTH
) -> Iterator[Part]:
    """The places that went into a value as they are, and what these were made of in turn."""
    if not left:
        return
    if place_of(made):
        yield from _of_place(places, made, value, scope, route, left)
        return
    for step, each, home in (*_written(made, scope), *_called(places, made, value, scope, left)):
        inner = child(value, step)
        if inner is not None:
            yield from parts_of(places, each, inner, home, (*route, step), left - 1)


def _of_place(
    places: Places, made: Expr, value: Value, scope: Scope, route: Route, left: int
) -> Iterator[Part]:
    """A place, and what it was set to where it is set once before; of a parameter what is given for it."""
    root = root_of(made)
    given = None if root is None else scope.given.get(root.name)
    if root is not None and given is not None and _is_parameter(places, root, scope):
        outer = _put_in(made, given[0])
        if outer is not None and place_of(outer):
            yield from parts_of(places, outer, value, given[1], route, left - 1)
            return
    yield Part(route, made, scope, value)
    before = _before(places, scope, made)
    if before is not None:
        yield from parts_of(places, before, value, scope, route, left - 1)


def _is_parameter(places: Places, root: NameExpr, scope: Scope) -> bool:
    params = {each.nid for each in scope.code.params if each.name == root.name}
    return places.flow_of(scope.code, scope.program).seen_by(root.nid) == params


def _before(places: Places, scope: Scope, place: Expr) -> Expr | None:
    """What the only binding that a read of a place sees set it to."""
    before = places.set_to(scope, place)
    return before[0] if len(before) == 1 and len(places.bindings(scope, place)) == 1 else None


def root_of(place: Expr) -> NameExpr | None:
    while isinstance(place, (AttrExpr, SubscriptExpr)):
        place = place.value
    return place if isinstance(place, NameExpr) else None


def _put_in(place: Expr, given: Expr) -> Expr | None:
    """A place with what is given for its variable."""
    if isinstance(place, NameExpr):
        return given
    owner = _put_in(place.value, given) if isinstance(place, (AttrExpr, SubscriptExpr)) else None
    if owner is None or not place_of(owner):
        return None
    if isinstance(place, AttrExpr):
        return AttrExpr(place.nid, owner, place.name)
    return SubscriptExpr(place.nid, owner, place.index) if isinstance(place, SubscriptExpr) else None


def child(value: Value, step: Step) -> Value | None:
    """What a value holds in an attribute or an item that a transform traces; None where that is not known."""
    how, name = step
    if how == "[]":
        return item_of(value, name) if isinstance(value, (Tuple, MutableContainer)) else None
    fields = value.cls.all_fields() if isinstance(value, (Tuple, Instance)) and value.cls is not None else {}
    if isinstance(value, Tuple) and value.items is not None:
        names = [*fields]
        return value.items[names.index(name)] if name in names and len(names) == len(value.items) else None
    if not isinstance(value, Instance) or not isinstance(name, str) or fields.get(name, (None, False))[1]:
        return None
    return value.attributes.get(name)


def at(value: Value, route: Route) -> Value | None:
    """What a value holds at a place in it."""
    found: Value | None = value
    for step in route:
        found = None if found is None else child(found, step)
    return found


def route_to(place: Expr, name: str) -> Route | None:
    """Where a place is in the one with this name; None where it is not in it."""
    if place_of(place) == name:
        return ()
    inner = route_to(place.value, name) if isinstance(place, (AttrExpr, SubscriptExpr)) else None
    if inner is None:
        return None
    if isinstance(place, AttrExpr):
        return (*inner, (".", place.name))
    index = place.index if isinstance(place, SubscriptExpr) else None
    return (*inner, ("[]", index.value)) if isinstance(index, ConstExpr) else None


def _written(made: Expr, scope: Scope) -> Iterator[tuple[Step, Expr, Scope]]:
    """The parts of a collection that is written out, or of one that is repeated: `[zeros] * 2`."""
    for name, each in written_parts(made).items():
        yield ("[]", name), each, scope
    if isinstance(made, BinaryExpr) and made.operator == "*":
        for whole, times in ((made.left, made.right), (made.right, made.left)):
            if isinstance(whole, (ListExpr, TupleExpr)) and isinstance(times, ConstExpr):
                if type(times.value) is int and times.value > 1:
                    items = [*written_parts(whole).values()] * min(times.value, 2)
                    yield from ((("[]", number), each, scope) for number, each in enumerate(items))


def _called(
    places: Places, made: Expr, value: Value, scope: Scope, left: int
) -> Iterator[tuple[Step, Expr, Scope]]:
    """The parts of what a call gives: a record of its arguments, one with other fields, or what a function of
    the program gives back."""
    if not isinstance(made, CallExpr) or any(isinstance(each, StarExpr) for each in made.args):
        return
    if any(each.name is None for each in made.keywords):
        return
    cls = value.cls if isinstance(value, (Tuple, Instance)) else None
    func = places.function_of(made.func, scope)
    if cls is not None and (func is cls or _is_maker(func, cls)):
        yield from _constructed(places, made, cls, scope, by_name=func is not cls)
        return
    found = None if cls is None else cls.lookup(last_name(made.func))
    is_own = _is_own(func) or (found is not None and _is_own(found[0]))
    replaced = None if is_own else _replaced(made)
    if cls is not None and replaced is not None:
        named = {each.name: each.value for each in made.keywords}
        before = _before(places, scope, replaced) if place_of(replaced) else replaced
        made_of = () if before is None or left < 2 else _called(places, before, value, scope, left - 1)
        yield from (each for each in made_of if each[0][1] not in named)
        for name in cls.all_fields():
            again = AttrExpr(_number(replaced), replaced, name) if place_of(replaced) else None
            if name in named or again is not None:
                yield (".", name), named.get(name) or again or OPAQUE, scope
        return
    inner = entered(func, made, scope)
    end = None if inner is None else returned(inner.code)
    if inner is not None and end is not None and left > 1:
        if place_of(end):
            end = _before(places, inner, end) or end
        yield from _written(end, inner)
        yield from _called(places, end, value, inner, left - 1)


def _number(place: Expr) -> int:
    root = root_of(place)
    return 0 if root is None else root.nid


def _is_maker(func: Value | None, cls: Class) -> bool:
    """Whether a function of a library makes a record of its arguments by name: flax's `TrainState.create`."""
    func = func.func if isinstance(func, Bound) else func
    name = ""
    if isinstance(func, External):
        name = func.name
    elif isinstance(func, Product) and func.parts and isinstance(func.parts[-1], External):
        name = func.parts[-1].name
    return name == "flax.training.train_state.TrainState.create" and "params" in cls.all_fields()


def _is_own(func: Value | None) -> bool:
    """Whether a function is one of the program."""
    return isinstance(func.func if isinstance(func, Bound) else func, Function)


def _replaced(call: CallExpr) -> Expr | None:
    """The record that a call gives with other fields."""
    if last_name(call.func) not in ("replace", "_replace"):
        return None
    if isinstance(call.func, AttrExpr) and not call.args:
        return call.func.value
    return call.args[0] if len(call.args) == 1 else None


def _constructed(
    places: Places, made: CallExpr, cls: Class, scope: Scope, by_name: bool
) -> Iterator[tuple[Step, Expr, Scope]]:
    """The fields of a record that its class makes of its arguments, as they are given."""
    if any(each.converters for each in cls.lineage()) or any(map(cls.lookup, _CHANGED)):
        return
    init = cls.lookup("__init__")
    if init is not None and not by_name:
        inner = entered(Bound(init[0], cls), made, scope)
        owner = inner.code.params[0].name if inner is not None and inner.code.params else ""
        sets = [] if inner is None else [*assigned(inner.code.body)]
        names = [place_of(target) for target, _ in sets]
        for target, value in sets if inner is not None else ():
            if isinstance(target, AttrExpr) and place_of(target.value) == owner and inner is not None:
                if names.count(place_of(target)) == 1:
                    yield (".", target.name), value, inner
        return
    if made.args and by_name:
        return
    yield from (((".", name), each, scope) for name, each in zip(cls.all_fields(), made.args, strict=False))
    yield from (((".", each.name), each.value, scope) for each in made.keywords)


def entered(func: Value | None, call: CallExpr, scope: Scope) -> Scope | None:
    """The function of the program that a call runs as it is, with what it is given."""
    values: dict[str, Value] = {}
    arguments: Sequence[Expr | None] = call.args
    owner: Value | None = None
    if isinstance(func, Bound):
        receiver = call.func.value if isinstance(call.func, AttrExpr) else None
        owner, func, arguments = func.owner, func.func, (receiver, *call.args)
    if not isinstance(func, Function) or func.code.is_generator or func.code.is_async:
        return None
    params = [each.name for each in func.code.params if each.kind in "pn"]
    if owner is not None and params:
        values[params[0]] = owner
    given = {name: (each, scope) for name, each in zip(params, arguments, strict=False) if each is not None}
    if isinstance(owner, Class) and params:
        given.pop(params[0], None)
    named = {each.name for each in func.code.params}
    given.update({each.name: (each.value, scope) for each in call.keywords if each.name in named})
    return Scope(func.code, func.module.program, func.env, given, values, scope.depth + 1)
