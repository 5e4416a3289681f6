"""What an index says: texts, and members of enumerations, name items of dicts and never those of arrays;
`:` takes all.

In: values. Out: whether an index is such. Members that are numbers are no names: arrays take them.
"""

from __future__ import annotations

from typing import Final

from jaxlint.domain.join import options_of
from jaxlint.domain.objects import Class
from jaxlint.domain.values import NONE, Const, Product, Static, Unknown, Value

MEMBER: Final = Static("member")  # of an enumeration, which one is not known
_NUMBERS = frozenset(("enum.IntEnum", "enum.IntFlag", "enum.ReprEnum", "builtins.int", "builtins.float"))


def is_enumeration(value: Value | None) -> bool:
    """Whether this is a class of members that are no numbers."""
    return isinstance(value, Class) and value.has_mark("enum") and _NUMBERS.isdisjoint(value.externals())


def is_name(index: Value) -> bool:
    """Whether an index is certainly a text or a member of an enumeration."""
    if isinstance(index, Product):
        return index.kind == "member" and is_enumeration(index.parts[0])
    if isinstance(index, Static):
        return index.type in ("str", MEMBER.type)
    return isinstance(index, Const) and isinstance(index.value, str)


def is_believed(owner: Value, index: Value) -> bool:
    """Whether that something is an array is only written where it is annotated, and this item of it, which an
    array does not have, says otherwise."""
    return is_name(index) and any(isinstance(each, Unknown) and each.annotated for each in options_of(owner))


def is_whole_slice(index: Value) -> bool:
    """Whether an index is `:`, which takes all that there is."""
    return isinstance(index, Product) and index.kind == "slice" and index.parts[:3] == (NONE, NONE, NONE)
