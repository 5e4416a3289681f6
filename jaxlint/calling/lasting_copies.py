"""What holds a donated array from before: since the turn before of a loop, or since another method ran.

In: the lowered code of functions and classes. Out: the variables and attributes, with the reads that see what
was set then. It refuses to know what is donated.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from jaxlint.calling.donated_copies import copies_of, place_of
from jaxlint.domain.objects import CONSTRUCTION, Class, Function
from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.def_use import DefUse
from jaxlint.ir.nodes import AssignStmt, AttrExpr, CallExpr, NameExpr
from jaxlint.ir.program import Code
from jaxlint.ir.walks import number_of, walk

Kept: TypeAlias = Mapping[str, Container[int]]
"""What holds a donated array since before, as text, with the reads that see what was set then."""

_ANY = range(sys.maxsize)  # all reads


def set_behind(flow: DefUse, code: Code, arg: NameExpr, call: int) -> Kept:
    """The variables that a loop sets to the result of a call behind it, and holds when the next turn donates
    that result. `arg`: the variable that the call donates and that gets the result."""
    found = {}
    seen = flow.seen_by(arg.nid)
    for target, source in copies_of(code):
        if not isinstance(target, NameExpr) or not isinstance(source, NameExpr) or source.name != arg.name:
            continue
        if any(call < binding < source.nid for binding in seen & flow.seen_by(source.nid)):
            found[target.name] = frozenset(flow.readers(target.nid) or ())
    return found


def left_by_methods(cls: Class, code: Code, arg: AttrExpr, call: int) -> Kept:
    """The attributes that a method of a class leaves the same as one that another method donates, `code`, and
    that this one reads as they were left. What a constructor leaves so counts where no method sets it."""
    owner = _owner_of(code)
    if not owner or place_of(arg.value) != owner or _is_set(code, arg.name, call):
        return {}
    methods = {
        name: value.code
        for base in reversed(cls.lineage())
        for name, value in base.attributes.items()
        if isinstance(value, Function) and value.code is not code
    }
    left = {name: _left_alike(method, arg.name) for name, method in methods.items()}
    others = {
        other
        for name, found in left.items()
        for other in found
        if name not in CONSTRUCTION
        or not any(_is_set(method, other) for each, method in methods.items() if other not in left[each])
    }
    return {f"{owner}.{other}": _ANY for other in sorted(others) if not _is_set(code, other, call)}


def _owner_of(method: Code) -> str:
    return method.params[0].name if method.params else ""


@lru_cache(maxsize=256)
def _left_alike(method: Code, name: str) -> frozenset[str]:
    """The attributes of its object that a method leaves the same as one: it sets one to the other, and then
    neither."""
    owner = _owner_of(method)
    whole = {id(each) for node in walk(*method.body) if isinstance(node, AssignStmt) for each in node.targets}
    found = set()
    for pair in copies_of(method):
        names = [each.name for each in pair if isinstance(each, AttrExpr) and place_of(each.value) == owner]
        if len(names) == 2 and name in names and id(pair[0]) in whole:
            last = max(number for each in names for number in _set_at(method, each))
            if last in map(number_of, pair):
                found |= {*names} - {name}
    return frozenset(found)


def _set_at(method: Code, name: str) -> Iterator[int]:
    """The numbers of the targets by which a method sets an attribute of its object."""
    place = f"{_owner_of(method)}.{name}"
    return (number_of(target) or 0 for target, _ in assigned(method.body) if place_of(target) == place)


def _is_set(method: Code, name: str, before: int = sys.maxsize) -> bool:
    """Whether a method sets an attribute of its object before a call, or may do so by another call."""
    if any(number < before for number in _set_at(method, name)):
        return True
    owner = _owner_of(method)
    calls = (each for each in walk(*method.body) if isinstance(each, CallExpr) and each.nid < before)
    return before < sys.maxsize and any(
        owner in map(place_of, (*each.args, *([each.func.value] if isinstance(each.func, AttrExpr) else ())))
        for each in calls
    )
