"""Values that hold others, and the join: the value that stands for two."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Final

from jaxlint.domain.objects import Bound, Class, Function, Instance, Key, Partial, Transformed
from jaxlint.domain.plain_joins import hosts_of, keys_of, statics_of
from jaxlint.domain.ranks import rank_of
from jaxlint.domain.values import (
    INT,
    NONE,
    UNKNOWN,
    Array,
    Candidates,
    Const,
    Counter,
    External,
    FeatureProbe,
    ModuleName,
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
from jaxlint.ir.limits import CANDIDATES, ITEMS, NESTING, OPTIONS, REACHED


class VariableRef(TracerPytree):
    """A box of a framework that holds an array or a pytree, which what is in it may replace.

    is_parameter: whether the framework's gradients are with respect to it. depth: how many traces enclosed
    its making.
    """

    __slots__ = ("depth", "inner", "is_parameter")

    def __init__(self, inner: Value, is_parameter: bool, depth: int) -> None:
        super().__init__(level_of(inner))
        self.inner = inner
        self.is_parameter = is_parameter
        self.depth = depth

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, VariableRef)
            and other.inner == self.inner
            and other.is_parameter == self.is_parameter
            and other.depth == self.depth
        )

    def __hash__(self) -> int:
        return hash(("cell", self.is_parameter))

    def __repr__(self) -> str:
        return f"cell {self.inner}"

    def key(self, depth: int = 3) -> Hashable:
        return ("cell", self.inner.key(depth - 1) if depth else "", self.depth)

    def put(self, value: Value) -> None:
        """It may hold this too."""
        self.inner = join(self.inner, value)
        self.level = level_of(self.inner)


class Tuple(Value):
    """A tuple: its items, or where their number is not known what each of them is."""

    __slots__ = ("cls", "elem", "items", "nesting")

    def __init__(
        self, items: tuple[Value, ...] | None, elem: Value = UNKNOWN, cls: Class | None = None
    ) -> None:
        inner = [each.nesting for each in (elem, *(items or ())) if type(each) is Tuple]
        self.nesting: int = max(inner) + 1 if inner else 1
        if self.nesting > NESTING.most:
            REACHED[NESTING.name] += 1
            self.nesting, items, elem = 1, None, UNKNOWN
        self.items = items
        self.elem = elem
        self.cls = cls

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Tuple)
            and other.items == self.items
            and other.elem == self.elem
            and other.cls is self.cls
        )

    def __hash__(self) -> int:
        return hash((self.items, self.elem))

    def __repr__(self) -> str:
        return f"({self.items if self.items is not None else self.elem})"

    def key(self, depth: int = 3) -> Hashable:
        if not depth:
            return "tuple"
        if self.items is None:
            return ("tuple*", self.elem.key(depth - 1))
        return ("tuple", tuple([item.key(depth - 1) for item in self.items]))

    def each(self) -> Value:
        return join_all(self.items) if self.items is not None else self.elem


SHAPE: Final = Tuple(None, INT)


class MutableContainer(Value):
    """A mutable container. `depth` is how many traces enclosed its making, `block` where, `made` in which
    round, `source` of which other one it is a copy. `of_call`: it is what `**` takes of a call. `is_open`:
    code of which nothing is known has had it in hand, and may have put more into it. `lacking`: something
    has been taken out, of which it is not known what."""

    __slots__ = (
        "block",
        "depth",
        "elem",
        "entries",
        "home",
        "is_open",
        "items",
        "kind",
        "lacking",
        "made",
        "most",
        "of_call",
        "source",
    )
    is_shared = True

    def __init__(self, kind: str, depth: int, block: int) -> None:
        self.kind = kind  # list, set, dict, deque
        self.items: list[Value] | None = [] if kind != "dict" else None
        self.entries: dict[Any, Value] = {}
        self.elem: Value | None = None
        self.depth = depth
        self.block = block
        self.home: tuple[Instance, str] | None = None  # the attribute that holds it
        self.made = 0
        self.source: MutableContainer | None = None
        self.of_call = False
        self.is_open = False
        self.lacking = False
        self.most: int | None = None  # how many items it keeps, the last ones

    def __repr__(self) -> str:
        return f"{self.kind}{self.items if self.items is not None else self.entries or self.elem}"

    def key(self, depth: int = 3) -> Hashable:
        if not depth:
            return self
        elem = self.elem and self.elem.key(depth - 1)
        if self.kind == "dict":
            parts = tuple([(name, value.key(depth - 1)) for name, value in self.entries.items()])
            return (self, parts, elem, self.is_open)
        if self.items is None:
            return (self, elem)
        return (self, tuple([item.key(depth - 1) for item in self.items]))

    def fact(self) -> Hashable:
        held = self.entries.values() if self.items is None else self.items
        return self.key(), tuple([each.token for each in held if isinstance(each, (Unknown, TracerPytree))])

    def each(self) -> Value:
        """What any one element (of a dict: any one value) is."""
        found = [*(self.entries.values() if self.kind == "dict" else self.items or ())]
        if self.elem is not None:
            found.append(self.elem)
        return join_all(found)

    def records(self) -> list[tuple[Any, ...]]:
        """The parts of what it holds that is written as parts, the last one first where that is known."""
        held = options_of(self.each()) if self.items is None else reversed(self.items)
        return [each.parts for each in held if isinstance(each, Product)]

    def is_empty(self) -> bool:
        """Whether there is certainly nothing in it."""
        return not self.entries and not self.items and self.elem is None

    def fill_as(
        self, other: MutableContainer, change: Callable[[Value], Value] = lambda value: value
    ) -> None:
        """Makes it a copy of another one, with each value changed."""
        self.items = None if other.items is None else list(map(change, other.items))
        self.entries = {name: change(value) for name, value in other.entries.items()}
        self.elem = None if other.elem is None else change(other.elem)
        self.is_open, self.lacking = other.is_open, other.lacking

    def lacks(self, name: Hashable) -> bool:
        """Whether a dict that is known has nothing under a name. One that is empty may be a registry, which
        is filled elsewhere, if it is not of a call."""
        is_whole = self.entries or self.of_call or (self.source is not None and self.source.of_call)
        return bool(is_whole) and self.elem is None and not self.is_open and name not in self.entries

    def blur(self) -> None:
        """Forget the order and the number of elements."""
        if self.items is not None:
            self.elem = self.each() if self.items or self.elem is not None else None
            self.items = None

    def lose(self) -> None:
        """Something is taken out, or all of it."""
        self.blur()
        self.lacking = True

    def add(self, value: Value, block: int) -> None:
        if self.items is not None and block == self.block and len(self.items) < ITEMS.most:
            self.items.append(value)
            return
        if self.items is not None and len(self.items) >= ITEMS.most:
            REACHED["items"] += 1
        self.blur()
        self.elem = value if self.elem is None else join(self.elem, value)

    def insert(self, index: Value, value: Value, block: int) -> None:
        place: object = index.value if isinstance(index, Const) else None
        is_known = block == self.block and self.items is not None and len(self.items) < ITEMS.most
        if is_known and self.items is not None and isinstance(place, int):
            self.items.insert(place, value)
        else:
            self.widen(value)

    def set(self, name: Hashable, value: Value, block: int) -> None:
        before = self.entries.get(name)
        exact = before is None or block == self.block
        self.entries[name] = value if exact else join(before or value, value)

    def take(self, name: Hashable, block: int) -> None:
        """An entry is certainly taken out, where all of them are known."""
        if block == self.block and self.elem is None:
            self.entries.pop(name, None)

    def widen(self, value: Value) -> None:
        """Some element, which one is not known, is now also this."""
        self.blur()
        if self.kind == "dict":
            self.entries = {name: join(old, value) for name, old in self.entries.items()}
        self.elem = value if self.elem is None else join(self.elem, value)


def options_of(value: Value) -> tuple[Value, ...]:
    return value.options if isinstance(value, OneOf) else (value,)


def callees_of(value: Value) -> tuple[Value, ...]:
    """What is called where a value is called: each of several, of which none is nothing."""
    if isinstance(value, Candidates):
        return value.options
    return tuple([each for each in options_of(value) if not isinstance(each, Const)])


def may_call_many(func: Value) -> bool:
    """Whether more functions may be called where a value is called than a value may be one of: partials and
    results of transforms, of alternatives that are such again, may be many times that."""
    left = CANDIDATES.most
    stack = [func]
    while stack and left >= 0:
        each = stack.pop()
        if isinstance(each, (Bound, Partial, Transformed)):
            stack.append(each.func)
        elif isinstance(each, (Candidates, OneOf)):
            stack += callees_of(each)
        else:
            left -= 1
    return left < 0


def any_of(options: Sequence[Value]) -> Value:
    """One of these, of which none is summed up with another: what a test has left of a value."""
    found: list[Value] = []
    for option in options:
        for each in options_of(option):
            if isinstance(each, Candidates):
                return join_all(options)
            if isinstance(each, Unknown):
                return UNKNOWN
            if each not in found:
                found.append(each)
            else:
                at = found.index(each)
                found[at] = join(found[at], each)  # they may differ in what equality leaves out
    if len(found) == 1:
        return found[0]
    if len(found) > OPTIONS.most:
        REACHED["options"] += 1
        return UNKNOWN
    if not found:
        return UNKNOWN
    return OneOf(_in_order(found))


def either_way(a: Value, b: Value) -> Value:
    """What is known where one of two ways was taken, as `join`; but of an object, and of something of which
    nothing is known, a call may still call the object."""
    if type(a) is Unknown or type(b) is Unknown:
        called = [each for each in (*callees_of(a), *callees_of(b)) if type(each) in _CALLED]
        if called:
            return _candidates(_objects(called), is_open=True)
    return join(a, b)


def join(a: Value, b: Value) -> Value:
    """What is known where the value may be either: the least of what the domain has above both."""
    if a is b:
        return a
    kind = type(a)
    if kind is Unknown or type(b) is Unknown:
        return a if a == b else UNKNOWN
    if (kind is Const or kind is Array) and a == b:
        return a
    return _union((*options_of(a), *options_of(b)))


def join_all(values: Iterable[Value]) -> Value:
    if isinstance(values, list) and len(values) > OPTIONS.most:  # put in order once
        if not any(type(value) is Unknown for value in values):
            return _union(tuple([option for value in values for option in options_of(value)]))
    result: Value | None = None
    for value in values:
        result = value if result is None else join(result, value)
        if type(result) is Unknown and not result.made:
            return UNKNOWN
    return UNKNOWN if result is None else result


def _union(options: tuple[Value, ...]) -> Value:
    """The normal form of a set of values. Each kind of value is summed up apart from the others, by an
    operation that is commutative, associative and idempotent; so is this."""
    groups: dict[str, list[Value]] = {}
    is_open = False
    for each in {id(option): option for option in options}.values():
        kind = type(each)
        if kind is Unknown:
            return UNKNOWN
        if kind is Candidates:
            groups.setdefault("object", []).extend(each.options)  # type: ignore[attr-defined]
            is_open = is_open or each.is_open  # type: ignore[attr-defined]
            continue
        name = "none" if kind is Const and each == NONE else _GROUPS.get(kind, "object")
        group = groups.get(name)
        if group is None:
            groups[name] = [each]
        else:
            group.append(each)
    if is_open:
        return _candidates(_objects(groups["object"]), True, _token_of_all(options))
    found: list[Value] = []
    for name, group in groups.items():
        rows = group if len(group) == 1 else _SUMS[name](group)
        if len(rows) > OPTIONS.most and name != "static":
            REACHED["options"] += 1
            return _candidates(rows, len(groups) > 1) if name == "object" else UNKNOWN
        found += rows
    return found[0] if len(found) == 1 else OneOf(_in_order(found))


def _token_of_all(options: Sequence[Value]) -> Hashable:
    """Where a value comes from, where all that it may be comes from there."""
    tokens = {each.token if type(each) is Candidates else None for each in options}
    return tokens.pop() if len(tokens) == 1 else None


def _candidates(objects: list[Value], is_open: bool, token: Hashable = None) -> Value:
    """What is known of a value that may be any of so many objects: what a call of it may call."""
    if len(objects) > CANDIDATES.most or not all(type(each) in _CALLED for each in objects):
        return UNKNOWN
    return Candidates(_in_order(objects), is_open, token)


def _in_order(options: list[Value]) -> tuple[Value, ...]:
    """The options of a value by their ranks; of two, which most have, the type's name mostly tells."""
    if len(options) == 2:
        a, b = options
        one, other = type(a).__name__, type(b).__name__
        if one != other:
            return (a, b) if one < other else (b, a)
    return tuple(sorted(options, key=rank_of))


def _arrays(group: list[Value]) -> list[Value]:
    """Arrays are one array, arrays and trees are a tree."""
    level = -1
    for each in group:
        level &= each.level  # type: ignore[attr-defined]
    first, *others = group
    if all(each == first for each in others):
        return [min(group, key=_hidden) if type(first) is VariableRef else first]
    arrays = [each for each in group if isinstance(each, Array)]
    if len(arrays) < len(group):
        return [TracerPytree(level)]
    dtypes, ndims = {each.dtype for each in arrays}, {each.ndim for each in arrays}
    return [
        Array(
            level,
            dtypes.pop() if len(dtypes) == 1 else "?",
            ndims.pop() if len(ndims) == 1 else None,
            all(each.shape for each in arrays),
        )
    ]


def _tuples(group: list[Value]) -> list[Value]:
    """Tuples of one length item by item, others by what any item is."""
    tuples = [each for each in group if isinstance(each, Tuple)]
    first, *others = tuples
    cls = first.cls if all(each.cls is first.cls for each in others) else None
    if first.items is not None and all(
        each.items is not None and len(each.items) == len(first.items) for each in others
    ):
        rows = [each.items for each in tuples if each.items is not None]
        return [Tuple(tuple([join_all(column) for column in zip(*rows, strict=True)]), cls=cls)]
    return [Tuple(None, join_all(each.each() for each in tuples))]


def _objects(group: list[Value]) -> list[Value]:
    """Objects that are equal are one: the one that was made first in the text."""
    found: dict[Value, Value] = {}
    for each in group:
        same = found.setdefault(each, each)
        if same is not each and (rank_of(each), _hidden(each)) < (rank_of(same), _hidden(same)):
            found[each] = each
    return list(found.values())


def _hidden(value: Any) -> list[str]:
    """What equality leaves out of a value and of its parts: the rank of values that are equal."""
    parts: tuple[Any, ...] = ()
    own: list[str] = [value.spelled] if isinstance(value, External) else []
    if isinstance(value, Key):
        own = [repr(value.count), *(f"{module.path} {nid}" for module, nid in value.made)]
    elif isinstance(value, Transformed):
        own = [value.place[0].path, f"{value.place[1]:09}", repr(value.fresh), repr(value.conditions)]
        parts = (value.func, *(each for _, each in value.options))
    elif isinstance(value, Bound):
        parts = (value.func, value.owner)
    elif isinstance(value, Partial):
        parts = (value.func, *value.args, *(each for _, each in value.keywords))
    elif isinstance(value, Product):
        parts = value.parts
    elif isinstance(value, (Tuple, VariableRef)):
        parts = (value.inner,) if isinstance(value, VariableRef) else value.items or (value.elem,)
    elif isinstance(value, OneOf):
        return [text for texts in sorted(map(_hidden, value.options)) for text in texts]
    return [*own, *(text for each in parts for text in _hidden(each))]


_GROUPS: Final[Mapping[type, str]] = {
    **dict.fromkeys((Array, Counter, TracerPytree, VariableRef), "array"),
    **dict.fromkeys((Static, Text, Number, ModuleName, FeatureProbe, Const), "static"),
    NumPyArray: "host",
    Tuple: "tuple",
    Key: "key",
}
"""The kinds of values that are summed up together; all others are objects, which stay apart."""
_SUMS: Final[Mapping[str, Callable[[list[Value]], list[Value]]]] = {
    "array": _arrays,
    "static": statics_of,
    "host": hosts_of,
    "tuple": _tuples,
    "key": keys_of,
    "object": _objects,
    "none": lambda group: group[:1],
}
_CALLED = frozenset((Function, Bound, Partial, Transformed, Class, External, Instance, Product))
_WITH_LEVEL = frozenset((Array, Counter, TracerPytree, VariableRef, Key))
_NESTED = frozenset((OneOf, Tuple, MutableContainer))


def level_of(value: Value, depth: int = 4) -> int:
    """Which tracers this value, taken as an operand, certainly is; containers to some depth."""
    kind = type(value)
    if kind in _WITH_LEVEL:
        return value.level  # type: ignore[attr-defined, no-any-return]
    if kind not in _NESTED:
        return 0
    if isinstance(value, OneOf):
        level = 7
        for option in value.options:
            if isinstance(option, Const) and option.value is None:
                continue
            level &= level_of(option, depth)
        return level if level != 7 else 0
    if isinstance(value, (Tuple, MutableContainer)) and depth:
        level = 0
        if not isinstance(value, MutableContainer) or value.kind != "dict":
            for item in value.items if value.items is not None else (value.elem or UNKNOWN,):
                level |= level_of(item, depth - 1)
        return level
    return 0
