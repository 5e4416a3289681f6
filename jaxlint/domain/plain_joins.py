"""The join of values that hold no others: constants and their types, NumPy arrays, keys.

In: values of one kind. Out: those that stand for them, as few as say the same. It refuses to know containers
and objects.
"""

from __future__ import annotations

from jaxlint.domain.objects import Key
from jaxlint.domain.values import ANY, Const, FeatureProbe, NumPyArray, Static, Value
from jaxlint.ir.limits import CANDIDATES, OPTIONS, REACHED


def hosts_of(group: list[Value]) -> list[Value]:
    hosts = [each for each in group if isinstance(each, NumPyArray)]
    dtypes, ndims = {each.dtype for each in hosts}, {each.ndim for each in hosts}
    dtype, ndim = dtypes.pop() if len(dtypes) == 1 else "?", ndims.pop() if len(ndims) == 1 else None
    return [NumPyArray(dtype, ndim, min(each.read_only for each in hosts))]


def statics_of(group: list[Value]) -> list[Value]:
    """Constants of a type, up to a number of them, lie below the type, types below `any`, and all of these
    below what asks a library for something."""
    asked = [each for each in group if isinstance(each, FeatureProbe)]
    if asked:
        return [_asked(asked, {_type_of(each) for each in group}, len(asked) == len(group))]
    constants: dict[str, dict[Const, None]] = {}
    types: dict[str, list[Static]] = {}
    texts: frozenset[str] = frozenset()
    for each in group:
        if isinstance(each, Const):
            constants.setdefault(_type_of(each), {})[each] = None
        elif isinstance(each, Static) and each.texts:
            texts |= each.texts
        elif isinstance(each, Static):
            types.setdefault(each.type, []).append(each)
    if texts:
        known = texts.union([each.value for each in constants.get("str", ())])
        constants["str"] = {Const(each): None for each in known}
    for name, values in constants.items():
        if len(values) > OPTIONS.most:
            REACHED["options"] += 1
            if name == "str" and name not in types and len(values) <= CANDIDATES.most:
                types[name] = [Static(name, frozenset([each.value for each in values]))]
                constants = {each: rest for each, rest in constants.items() if each != name}
            else:
                types.setdefault(name, []).append(Static(name))
    if len(types) > 1 or "any" in types:
        return [ANY]
    found: list[Value] = []
    for name, own in types.items():
        is_one = not constants.get(name) and all(each == own[0] for each in own)
        found.append(own[0] if is_one else Static(name))
    return found + [each for name, values in constants.items() if name not in types for each in values]


def _asked(asked: list[FeatureProbe], types: set[str], is_pure: bool) -> FeatureProbe:
    """Asked of a library in one way or another; `is_pure`: there is nothing else."""
    first, *others = asked
    if is_pure and all(each == first for each in others):
        return first
    floors = {(each.floor, each.sense) for each in asked} if is_pure else set()
    floor, sense = floors.pop() if len(floors) == 1 else ((), True)
    ways = {each.how for each in asked}
    return FeatureProbe(
        types.pop() if len(types) == 1 else "any",
        ways.pop() if len(ways) == 1 else "name",
        all(each.own for each in asked),
        floor,
        sense,
    )


def _type_of(value: Value) -> str:
    return value.type if isinstance(value, Static) else type(value.value).__name__  # type: ignore[attr-defined]


def keys_of(group: list[Value]) -> list[Value]:
    """The same key is one, of which the count, or where it was split, may not be known."""
    found: dict[Key, Key] = {}
    for each in group:
        if isinstance(each, Key):
            same = found.setdefault(each, each)
            if same.count != each.count or same.made != each.made:
                count = same.count if same.count == each.count else None
                made = same.made if same.made == each.made else ()
                found[each] = Key(each.token, each.level, each.many, count, made)
    return list(found.values())
