"""What calls hand over that may be called: functions, objects, and what holds them, whichever call it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Final, TypeAlias

from jaxlint.domain.join import MutableContainer, Tuple, level_of
from jaxlint.domain.literals import dtype_of
from jaxlint.domain.objects import Bound, Class, Function, Instance, Partial, Transformed
from jaxlint.domain.questions import is_rest, partial_with
from jaxlint.domain.values import (
    UNKNOWN,
    Candidates,
    Const,
    External,
    OneOf,
    Product,
    Static,
    TracerPytree,
    Value,
)

ANY: Final = "*"
"""Where what is read is listed, and in a token: whichever item or leaf."""
Names: TypeAlias = "tuple[str | int, ...]"
"""What is read one after the other: attributes, and items by position or name, or whichever."""
HOLDING: Final = "holding"
"""The kind of a product: any object of a class, with the functions that it holds under names, and constants
beside them; or what is in a list or a dict, with each item by its name or place."""
DEEP: Final = 3  # how deep the functions that objects hold are looked for
CALLED: Final = frozenset((Function, Class, External, Instance, Bound, Partial, Transformed))
_FUNCTIONS: Final = (Function, Bound, Partial, Transformed, Candidates)
_FAR: Final = 6  # how deep containers are looked into
HANDED: Final = CALLED | {OneOf, Candidates, Tuple, MutableContainer}


class HandedValues:
    """Values without what differs from call to call.

    generic_instance: any object of a class; instance_for: the same in a trace, where it may have been made.
    """

    def __init__(
        self,
        generic_instance: Callable[[Class], Instance],
        instance_for: Callable[[Class, bool, bool], Instance],
    ) -> None:
        self._generic_instance = generic_instance
        self._instance_for = instance_for

    def options(self, value: Value) -> Iterator[Value]:
        options: Sequence[Value] = value.options if isinstance(value, (OneOf, Candidates)) else (value,)
        for option in options:
            found = self.general(option)
            if found is not None:
                yield found

    def general(self, value: Value, depth: int = DEEP) -> Value | None:
        """What can be called, without what differs from call to call: keys, arrays, which object it is; of an
        object and a dict that hold functions a product of kind `HOLDING`."""
        if isinstance(value, (Function, Class)):
            return value
        if isinstance(value, External):
            return value if dtype_of(value) == "?" else None
        if isinstance(value, Instance):
            return self._object(value, depth)
        if isinstance(value, MutableContainer) and depth:
            inside = [*leaves(value)]  # of a dict its values come first
            names = [name if type(name) is str else at for at, name in enumerate(value.entries)]
            names += range(len(names), len(inside))
            plain = tuple(map(self.part, inside))
            held = zip(names, [self.part(each, depth - 1) for each in inside], strict=True)
            return Product(HOLDING, Tuple(plain), tuple(held)) if any(map(is_called, plain)) else None
        if isinstance(value, Tuple):
            items = tuple(map(self.part, value.items or ()))
            is_known = value.items is not None if value.cls is not None else any(map(is_called, items))
            return Tuple(items, cls=value.cls) if is_known else None
        if isinstance(value, Bound):
            func, owner = self.general(value.func), value.owner
            return None if func is None else Bound(func, self._owner(owner), value.birth)
        if isinstance(value, Partial):
            func = self.general(value.func)
            return None if func is None else partial_with(value, func, self.part)
        if isinstance(value, Transformed):
            func = self.general(value.func)
            return None if func is None else _with_func(value, func)
        return None

    def part(self, value: Value, depth: int = 0) -> Value:
        found = value if isinstance(value, (Const, Static)) else self.general(value, depth)
        return UNKNOWN if found is None else found

    def _owner(self, value: Value) -> Value:
        found = self.general(value, 0)
        return value if found is None else found

    def _object(self, value: Instance, depth: int) -> Value:
        """Any object of a class, with the functions that this one holds."""
        any_one = self._generic_instance(value.cls)
        if value.generic or not depth:
            return any_one
        held = []
        for name, each in value.attributes.items():
            found = self.general(each, depth - 1) if type(each) in HANDED else None
            if found is not None and not isinstance(found, (Instance, Class, External)):
                held.append((name, found))
        if not held:
            return any_one
        held += [(name, each) for name, each in value.attributes.items() if type(each) is Const]
        return Product(HOLDING, any_one, tuple(sorted(held, key=itemgetter(0))))

    def inside(self, value: Value) -> Value:
        """The same in a trace, where an object may well have been made."""
        if isinstance(value, Instance):
            return self._instance_for(value.cls, True, False)
        if isinstance(value, Bound):
            return Bound(self.inside(value.func), self.inside(value.owner), value.birth)
        if isinstance(value, Partial):
            return partial_with(value, self.inside(value.func), self.inside)
        if isinstance(value, Transformed):
            return _with_func(value, self.inside(value.func))
        if isinstance(value, Tuple) and value.items is not None:
            return Tuple(tuple(map(self.inside, value.items)), cls=value.cls)
        return value


def read_of(value: Value, names: Names) -> Iterator[tuple[Value, Names]]:
    """What is held under the first names that are read of a value, each of its items where whichever is read,
    and the names that are left."""
    if isinstance(value, Product):
        any_one, rows = value.parts
        held = dict(rows)
        if names and names[0] in held:
            yield from read_of(held[names[0]], names[1:])
        elif names and names[0] == ANY and isinstance(any_one, Tuple):
            for each in held.values():
                yield from read_of(each, names[1:])
        else:
            yield from read_of(any_one, names)
    elif names and names[0] == ANY and isinstance(value, Tuple) and value.items is not None:
        for each in leaves(value):
            yield from read_of(each, names[1:])
    elif names and isinstance(value, Function) and names[0] in value.attributes:
        yield from read_of(value.attributes[str(names[0])], names[1:])
    else:
        yield value, names


def leaves(value: Value) -> Iterator[Value]:
    """What is in tuples, lists and dicts, whichever."""
    if isinstance(value, Tuple) and value.items is not None:
        for each in value.items:
            yield from leaves(each)
    elif isinstance(value, MutableContainer):
        yield from value.entries.values()
        yield from (value.items or ()) if value.elem is None else (*(value.items or ()), value.elem)
    else:
        yield value


def is_called(value: Value) -> bool:
    """Whether a value is one that a call may call, or read a function of."""
    return type(value) in CALLED


def in_any_call(value: Value) -> Value:
    """What holds of an argument whichever of the functions is called there: that it is traced, or which
    constant it is, and else not what it is, for one caller may hand over a function and another one what it
    is given. Of arguments in any number
    some are static in most programs."""
    if is_rest(value):
        return Product("rest", UNKNOWN)
    level = level_of(value)
    if level:
        return TracerPytree(level)
    return value if is_called(value) or type(value) is Const else UNKNOWN


def _with_func(value: Transformed, func: Value) -> Transformed:
    """What the same transform makes of another function."""
    if func is value.func:
        return value
    made = Transformed(value.kind, func, value.options, value.place, value.fresh)
    made.birth, made.conditions = value.birth, value.conditions
    return made


def text_of(value: Value) -> str:
    """What orders what one call may call: names and places, never an identity."""
    if isinstance(value, (Function, Class)):
        return f"{value.module.path}:{value.code.nid:09}"
    if isinstance(value, External):
        return value.name
    if isinstance(value, Const):
        return repr(value.value)
    if isinstance(value, Instance):
        return f"object {text_of(value.cls)}"
    if isinstance(value, Bound):
        return f"{text_of(value.func)} of {text_of(value.owner)}"
    if isinstance(value, Partial):
        parts = (*value.args, *(each for _, each in value.keywords))
        return f"partial {text_of(value.func)} {' '.join(map(text_of, parts))}"
    if isinstance(value, Transformed):
        return f"{value.kind} {text_of(value.func)} {value.place[0].path}:{value.place[1]:09}"
    if isinstance(value, Tuple) and value.items is not None:
        return " ".join(map(text_of, value.items))
    if isinstance(value, Product) and value.kind == HOLDING:
        return " ".join(
            (text_of(value.parts[0]), *[f"{name} {text_of(each)}" for name, each in value.parts[1]])
        )
    return type(value).__name__


def tells_called(value: Value) -> bool:
    """Whether an argument tells what a function calls: a function, or texts that name several."""
    return isinstance(value, _FUNCTIONS) or (type(value) is Static and bool(value.texts))


def holds_handed(value: Value, depth: int = _FAR) -> bool:
    """Whether functions or objects are among what an argument holds, as the layers of a network are."""
    if not depth or not isinstance(value, (Tuple, MutableContainer)):  # containers may hold one another
        return False
    held: Iterable[Value] = value.items or ()
    if isinstance(value, MutableContainer):
        held = held or value.entries.values()
    return any(type(each) is Instance or tells_called(each) or holds_handed(each, depth - 1) for each in held)


def keeps_handed(value: Value) -> bool:
    """Whether an argument is a known object with functions or objects in its attributes."""
    held = value.attributes.values() if isinstance(value, Instance) and not value.generic else ()
    return any(type(each) is Instance or tells_called(each) for each in held)
