"""Questions about values: levels, tokens, what is certain of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import reduce
from operator import and_
from typing import Any, Final, TypeGuard

from jaxlint.domain.join import MutableContainer, Tuple, join, join_all, level_of, options_of
from jaxlint.domain.key_tokens import TURNED
from jaxlint.domain.objects import Bound, Class, Function, Imported, Instance, Key, Partial, Transformed
from jaxlint.domain.values import (
    BATCHED,
    DIFFERENTIATED,
    INT,
    NONE,
    STAGED,
    UNKNOWN,
    Array,
    Candidates,
    Const,
    Counter,
    External,
    FeatureProbe,
    Number,
    NumPyArray,
    OneOf,
    Product,
    Static,
    Text,
    TracerPytree,
    Unknown,
    Value,
)

TRUE_BASES: Final = frozenset(
    "abc.ABC builtins.object equinox.Module flax.linen.Module flax.nnx.Module flax.struct.PyTreeNode "
    "haiku.Module typing.Generic typing.Protocol".split()
)
"""Bases of other libraries whose objects are true."""
# attributes of arrays, JAX's and NumPy's, that numbers and containers do not have
OF_ARRAYS: Final = frozenset(
    "shape dtype ndim size T astype item tolist reshape ravel flatten sum mean min max nbytes".split()
)

TRACER_CLASSES: Final = ("jax.core.Tracer", "jax.extend.core.Tracer")


def compares_fields(cls: Class, in_order: bool) -> Class | None:
    """The class whose comparison a decorator has made, of its fields: `==` and `!=`, or those of an order.
    None where a method compares objects, or that is not known."""
    names = ("__lt__", "__le__", "__gt__", "__ge__") if in_order else ("__eq__", "__ne__")
    for each in cls.lineage():
        if "altered" in each.marks or any(name in each.attributes for name in names):
            return None
        if ("ordered" if in_order else "compared") in each.marks:
            return each
        if any(not isinstance(base, Class) for base in each.bases):
            return None
    return None


def map_tokens(
    value: Value, change: Callable[[Hashable], Hashable], ran: Callable[[Key, Hashable], Any] | None = None
) -> Value:
    """The same value with its tokens replaced; containers with identity are left alone. `ran`: says of a key,
    and its new token, where the splits were run that it comes from."""
    if type(value) not in WITH_TOKENS:
        return value
    if isinstance(value, Candidates):
        return value if value.token is None else Candidates(value.options, True, change(value.token))
    if isinstance(value, Unknown):
        if value.token is None:
            return Unknown(arrays=value.arrays, made=value.made) if value.arrays or value.made else UNKNOWN
        return Unknown(change(value.token), value.truth, False, value.arrays, value.made)
    if isinstance(value, Key):
        token = change(value.token)
        made = () if ran is None else ran(value, token)
        return UNKNOWN if token is None else Key(token, value.level, value.many, value.count, made)
    if isinstance(value, TracerPytree):
        return value if value.token is None else TracerPytree(value.level, change(value.token), value.made)
    if isinstance(value, Number):
        return Number(change(value.token))
    if isinstance(value, Counter):
        return value.known_as(change(value.token))
    if isinstance(value, Tuple):
        if value.items is None:
            return Tuple(None, map_tokens(value.elem, change, ran))
        return Tuple(tuple([map_tokens(item, change, ran) for item in value.items]), cls=value.cls)
    if isinstance(value, OneOf):
        return join_all([map_tokens(option, change, ran) for option in value.options])
    raise AssertionError(value)


def with_token(value: Value, token: Hashable) -> Value:
    """The same value with another token."""
    return map_tokens(value, lambda _: token)


def has_tokens(value: Value) -> bool:
    """Whether `map_tokens` may change a value."""
    kind = type(value)
    if kind not in WITH_TOKENS:
        return False
    if isinstance(value, (Unknown, TracerPytree)):
        return value.token is not None
    if isinstance(value, Tuple):
        return has_tokens(value.elem) if value.items is None else any(map(has_tokens, value.items))
    return not isinstance(value, OneOf) or any(map(has_tokens, value.options))


def rename_tokens(before: Value, after: Value, names: dict[Hashable, Hashable]) -> None:
    """What the tokens of a value are called where another one has taken its place: nothing where that
    cannot be told."""
    if isinstance(before, Tuple):
        items = after.items if isinstance(after, Tuple) and after.items is not None else ()
        own = before.items if before.items is not None else (before.elem,)
        for index, item in enumerate(own):
            rename_tokens(item, items[index] if len(items) == len(own) else UNKNOWN, names)
    elif isinstance(before, OneOf):
        for option in before.options:
            rename_tokens(option, UNKNOWN, names)
    elif isinstance(before, (Key, Unknown, TracerPytree, Number, Counter)) and before.token is not None:
        token = getattr(after, "token", None)
        names[before.token] = token if names.get(before.token, token) == token else None


_MAY_ASK = frozenset((FeatureProbe, OneOf, Tuple, MutableContainer, Product))
WITH_TOKENS: Final = frozenset((Key, Unknown, Candidates, TracerPytree, Number, Counter, Tuple, OneOf))


def from_shape(values: Iterable[Value]) -> bool:
    """Whether these are all static, and a shape or a length is among them."""
    found = False
    for value in values:
        if isinstance(value, Array):
            if not value.shape:
                return False
            found = True
        elif isinstance(value, Static):
            found = found or value.type in ("int", "float")
        elif isinstance(value, (Tuple, MutableContainer)):
            items = value.items if value.items is not None else (value.each(),)
            if items and from_shape(items):
                found = True
            elif not all(isinstance(item, Const) for item in items):
                return False
        elif not isinstance(value, (Const, External)):
            return False
    return found


def asks(value: Value, depth: int = 2) -> str:
    """Whether a value rests on the version of a library (`version`) or on what it has (`name`)."""
    if type(value) not in _MAY_ASK:
        return ""
    parts: Iterable[Value] = ()
    if isinstance(value, FeatureProbe):
        return value.how
    if isinstance(value, OneOf):
        parts = value.options
    elif isinstance(value, Tuple):
        parts = value.items if value.items is not None else (value.elem,)
    elif isinstance(value, MutableContainer) and value.kind != "dict":
        parts = (*(value.items or ()), *((value.elem,) if value.elem is not None else ()))
    elif isinstance(value, Product) and value.kind == "iterator":
        parts = value.parts[:1]
    if depth:
        for part in parts:
            how = asks(part, depth - 1)
            if how:
                return how
    return ""


def texts_of(value: Value) -> frozenset[str]:
    """The texts of which a value is certainly one; none where it may be something else."""
    if isinstance(value, Static):
        return frozenset(value.texts or ())
    found = [each.value for each in options_of(value) if isinstance(each, Const)]
    are_texts = len(found) == len(options_of(value)) and all(isinstance(each, str) for each in found)
    return frozenset(found) if are_texts else frozenset()


def are_records(values: Sequence[Value]) -> TypeGuard[Sequence[MutableContainer]]:
    """Whether values are dictionaries with the same keys, and nothing under others."""
    names = None
    for each in values:
        if not isinstance(each, MutableContainer) or each.kind != "dict" or each.elem is not None:
            return False
        names = each.entries.keys() if names is None else names
        if each.entries.keys() != names:
            return False
    return bool(names)


def may_lack(value: Value) -> bool:
    """Whether a value is a library's name, or nothing where the library does not have it."""
    if not isinstance(value, OneOf) or NONE not in value.options:
        return False
    return any(isinstance(each, (External, Imported)) for each in value.options)


def kept_under(key: Value, before: Value | None, value: Value) -> Value:
    """What a mapping holds under keys that are not known, now that it holds a value under this one. Where a
    key may be no text, but a type or an operation, it decides what the many objects are called with."""
    after = value if before is None else join(before, value)
    kind = type(key.value) if isinstance(key, Const) else None
    is_text = kind in (str, int) or (isinstance(key, Static) and key.type == "str")
    return UNKNOWN if type(after) is Candidates and not is_text else after


def is_rest(value: Value) -> TypeGuard[Product]:
    """Whether this stands for arguments of which it is not known how many there are."""
    return isinstance(value, Product) and value.kind == "rest"


LEVELS: Final = {"S": STAGED, "B": BATCHED, "D": DIFFERENTIATED}


def holds(value: Value | None, letters: str, texts: bool = False) -> bool:
    """Whether a value is, or holds, a tracer of one of the levels that these letters stand for."""
    return value is not None and holds_level(value, sum(LEVELS[letter] for letter in letters), 4, texts)


def holds_level(value: Value, level: int, depth: int, texts: bool = False) -> bool:
    """Whether a value is, or holds up to some depth, a tracer of one of these levels; `texts`: or a text that
    is made of one."""
    if level_of(value) & level or (texts and isinstance(value, Text) and value.level & level):
        return True
    if depth == 0:
        return False
    if isinstance(value, Tuple):
        return any(holds_level(each, level, depth - 1, texts) for each in value.items or (value.elem,))
    if isinstance(value, MutableContainer):
        items = (*value.entries.values(), *(value.items or ()), *((value.elem,) if value.elem else ()))
        return any(holds_level(each, level, depth - 1, texts) for each in items)
    if isinstance(value, OneOf):
        kept = [each for each in value.options if not (isinstance(each, Const) and each.value is None)]
        return bool(kept) and all(holds_level(each, level, depth - 1, texts) for each in kept)
    return False


def level_of_all(value: Value, depth: int = 4) -> int:
    """Which tracers all arrays in a value certainly are: those in a dict, or a record, too."""
    if isinstance(value, (Tuple, MutableContainer)) and depth:
        held: Sequence[Value] = value.items or (() if isinstance(value, MutableContainer) else (value.elem,))
        if isinstance(value, MutableContainer):
            held = () if value.elem is not None else (*held, *value.entries.values())
        levels = [level_of_all(each, depth - 1) for each in held]
        return reduce(and_, levels) if levels else 0
    return level_of(value)


def is_always_true(value: Instance) -> bool:
    """Whether an object is true, as it has no method that says otherwise: one of the class itself, whose
    bases are known."""
    cls = value.cls
    if (
        value.generic
        or value.is_open
        or cls.opaque()
        or cls.has_mark("altered")
        or not cls.externals() <= TRUE_BASES
    ):
        return False
    if any(each.code.decorators and not each.marks & {"dataclass", "pytree"} for each in cls.lineage()):
        return False
    return cls.lookup("__bool__") is None and cls.lookup("__len__") is None


def is_basic_index(index: Value) -> bool:
    """Whether an index certainly gives a view of a NumPy array: numbers, slices, None and `...`."""
    if isinstance(index, Tuple):
        return index.items is not None and all(map(is_basic_index, index.items))
    if isinstance(index, Const):
        return index.value is None or index.value is ... or type(index.value) is int
    return index == INT or isinstance(index, Number) or (isinstance(index, Product) and index.kind == "slice")


def is_array(value: Value) -> bool:
    """Whether the value is certainly a JAX array, concrete or traced."""
    if isinstance(value, OneOf):
        return all(is_array(option) for option in value.options)
    return isinstance(value, Array)


def is_annotated_array(value: Value) -> bool:
    """Whether the value is an array of JAX by what is written, or certainly one."""
    if isinstance(value, OneOf):
        return all(is_annotated_array(option) for option in value.options)
    return isinstance(value, Array) or (type(value) is Unknown and value.annotated)


def arrays_of(value: Value) -> int:
    """Which tracers the arrays are of a value of which else nothing is known."""
    return value.arrays if isinstance(value, Unknown) else 0


def is_host_data(value: Value) -> bool:
    """Whether the value is certainly data that no transform traces."""
    if isinstance(value, OneOf):
        return all(is_host_data(option) for option in value.options)
    if isinstance(value, Tuple):
        return all(is_host_data(each) for each in value.items or (value.elem,))
    return isinstance(value, (Const, Static, NumPyArray))


def constants(value: Value) -> tuple[Any, ...] | None:
    """The Python value of a constant, or of a tuple or list of constants, as a tuple."""
    if isinstance(value, Const):
        return (value.value,)
    items: Iterable[Value] | None = None
    if isinstance(value, Tuple):
        items = value.items
    elif isinstance(value, MutableContainer) and value.kind in ("list", "set", "frozenset"):
        items = value.items
    if items is None:
        return None
    found = []
    for item in items:
        if not isinstance(item, Const):
            return None
        found.append(item.value)
    return tuple(found)


def is_open(value: Value) -> bool:
    """Whether a dict may have names of which nothing is known."""
    return any(isinstance(each, MutableContainer) and each.is_open for each in options_of(value))


CONTENTS: Final = "(contents)"
"""The attribute that stands for what an object holds of whose class one of Python's containers is a base."""


def contents_of(value: Value, *unless: str) -> MutableContainer | Tuple | None:
    """What an object holds of whose class one of Python's containers is a base; None where that is not known,
    or the class has one of these methods of its own."""
    held = (value.origin or value).attributes.get(CONTENTS) if isinstance(value, Instance) else None
    if not isinstance(held, (MutableContainer, Tuple)) or not isinstance(value, Instance):
        return None
    return None if any(value.cls.lookup(name) is not None for name in unless) else held


def known_items(value: Value) -> tuple[Value, ...] | None:
    """The items of an iterable where each of them is known; of a dict the keys."""
    value = contents_of(value, "__iter__") or value
    if isinstance(value, Tuple):
        return value.items
    if isinstance(value, MutableContainer):
        if value.kind == "dict":
            return tuple(Const(name) for name in value.entries) if value.elem is None else None
        return tuple(value.items) if value.items is not None else None
    if isinstance(value, Const) and isinstance(value.value, str) and len(value.value) < 32:
        return tuple(Const(letter) for letter in value.value)
    if isinstance(value, Product) and value.kind == "variables" and isinstance(value.parts[0], Class):
        return tuple(Const(name) for name in value.parts[0].attributes)
    return None


def as_mapping(value: Value) -> tuple[dict[Any, Value], Value | None] | None:
    """The entries of a dict, and what its other values are, if it has any; of several dicts the entries that
    all of them have. None where the value may be something else."""
    options = [contents_of(each, "keys", "__getitem__") or each for each in options_of(value)]
    dicts = [each for each in options if isinstance(each, MutableContainer) and each.kind == "dict"]
    if len(dicts) < len(options):
        return None
    first, *others = dicts
    if not others:
        return first.entries, first.elem
    shared = [name for name in first.entries if all(name in each.entries for each in others)]
    rest = [value for each in dicts for name, value in each.entries.items() if name not in shared]
    rest += [each.elem for each in dicts if each.elem is not None]
    entries = {name: join_all(each.entries[name] for each in dicts) for name in shared}
    return entries, join_all(rest) if rest else None


def remade(func: Function, call: Hashable) -> Function:
    """The same function, as one that this call of the function around has made."""
    copy = Function(func.code, func.module, func.env, func.cls)
    copy.defaults, copy.attributes, copy.birth = func.defaults, func.attributes, func.birth
    copy.caught, copy.stands_for, copy.made = func.caught, func.stands_for, call
    return copy


def with_function(value: Partial | Transformed, func: Value) -> Partial | Transformed:
    """The same partial, or result of a transform, of another function."""
    copy: Partial | Transformed
    if isinstance(value, Partial):
        copy = Partial(func, value.args, value.keywords)
    else:
        copy = Transformed(value.kind, func, value.options, value.place, value.fresh)
        copy.conditions = value.conditions
    copy.birth = value.birth
    return copy


def of_any_call(value: Value) -> Value:
    """A function that this call has made, or an earlier one."""
    if isinstance(value, Transformed):
        made = with_function(value, value.func)
        assert isinstance(made, Transformed), "a transform of another function is one"
        made.fresh = False
        return made
    if not isinstance(value, (Function, Partial)):
        return value
    copy = remade(value, value.made) if isinstance(value, Function) else with_function(value, value.func)
    copy.birth = None
    return copy


def partial_with(value: Partial, func: Value, part: Callable[[Value], Value]) -> Partial:
    """A partial of another function, with what `part` makes of each of its arguments."""
    keywords = tuple([(name, part(each)) for name, each in value.keywords])
    return Partial(func, tuple(map(part, value.args)), keywords)


def base_of(func: Value) -> Value:
    """The function beneath transforms, partials and bound methods."""
    while isinstance(func, (Transformed, Bound, Partial)):
        func = func.func
    return func


def is_of_all(owner: Instance, value: Value | None) -> bool:
    """Whether this, in an attribute, is the same thing in all objects that one stands for, or was when they
    were made."""
    return not owner.many or (isinstance(value, (Key, Unknown)) and first_of(owner, value.token) is not None)


def first_of(owner: Instance, token: Hashable) -> Hashable:
    """The key that several objects are made with that this is, or that one of them has made this of; None
    where there is none."""
    first = token[0] if isinstance(token, tuple) and len(token) == 3 and token[1] == TURNED else token
    return first if first in owner.alike else None


def may_be_empty(value: Value | None) -> bool:
    """Whether a value may have nothing in it: as many things as a caller likes of which nothing is known."""
    if isinstance(value, Tuple):
        return value.items is None and isinstance(value.elem, TracerPytree)
    return isinstance(value, MutableContainer) and not value.entries and isinstance(value.elem, TracerPytree)


def intercepts(cls: Class, name: str) -> bool:
    """Whether code of the program runs where an attribute of an object is set: `__setattr__` of its class, or
    `__set__` of what the class has by that name."""
    found = cls.lookup(name)
    if found is not None and isinstance(found[0], Instance) and found[0].cls.lookup("__set__") is not None:
        return True
    return cls.lookup("__setattr__") is not None


def but_for_none(value: Value) -> Value:
    """What a value is where it is not None."""
    held = [each for each in options_of(value) if each != NONE]
    return held[0] if len(held) == 1 else value


def is_static_method(func: Function) -> bool:
    """Whether a function is a static method, as its class has it."""
    held = None if func.cls is None else func.cls.attributes.get(func.code.name)
    return isinstance(held, Product) and held.kind == "staticmethod"
