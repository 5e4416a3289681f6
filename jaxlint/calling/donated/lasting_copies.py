"""What holds a donated array from before: since the turn before of a loop, since another method ran, or since
an object or a function was given it.

In: the lowered code of functions and classes. Out: the variables and attributes, with the reads that see what
was set then. It refuses to know what is donated.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from jaxlint.calling.donated.copies import copies_of, place_of
from jaxlint.domain.objects import CONSTRUCTION, Class, Function
from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.def_use import DefUse
from jaxlint.ir.nodes import (
    AssignStmt,
    AttrExpr,
    CallExpr,
    ConstExpr,
    DictExpr,
    Expr,
    ForStmt,
    ListExpr,
    NameExpr,
    WhileStmt,
)
from jaxlint.ir.program import Code
from jaxlint.ir.walks import calls_of, last_name, nodes_of, number_of

Kept: TypeAlias = Mapping[str, Container[int]]
"""What holds a donated array since before, as text, with the reads that see what was set then."""

_ADDS = frozenset("append appendleft add extend insert setdefault update".split())
ANY_READ = range(sys.maxsize)  # all reads


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
    owner = owner_of(code)
    if not owner or place_of(arg.value) != owner or is_set(code, arg.name, call):
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
        or not any(is_set(method, other) for each, method in methods.items() if other not in left[each])
    }
    return {f"{owner}.{other}": ANY_READ for other in sorted(others) if not is_set(code, other, call)}


def owner_of(method: Code) -> str:
    """What a method calls its object."""
    return method.params[0].name if method.params else ""


@lru_cache(maxsize=256)
def _left_alike(method: Code, name: str) -> frozenset[str]:
    """The attributes of its object that a method leaves the same as one: it sets one to the other, and then
    neither."""
    owner = owner_of(method)
    whole = {
        id(each) for node in nodes_of(method.body) if isinstance(node, AssignStmt) for each in node.targets
    }
    found = set()
    for pair in (*copies_of(method), *_of_one_variable(method)):
        names = [each.name for each in pair if isinstance(each, AttrExpr) and place_of(each.value) == owner]
        if len(names) == 2 and name in names and id(pair[0]) in whole:
            last = max(number for each in names for number in _set_at(method, each))
            if last in map(number_of, pair):
                found |= {*names} - {name}
    return frozenset(found)


def _of_one_variable(method: Code) -> Iterator[tuple[Expr, Expr]]:
    """The attributes that a method sets, in no loop, to one variable, which it sets once or only gets as a
    parameter."""
    loops = [each for each in nodes_of(method.body) if isinstance(each, (ForStmt, WhileStmt))]
    repeated = {id(target) for target, _ in assigned(loops)}
    bound = Counter([each.name for each in method.params])
    bound.update([target.name for target, _ in assigned(method.body) if isinstance(target, NameExpr)])
    before: dict[str, list[Expr]] = {}
    for target, value in copies_of(method):
        if not isinstance(target, AttrExpr) or not isinstance(value, NameExpr):
            continue
        if bound[value.name] == 1 and id(target) not in repeated:
            others = before.setdefault(value.name, [])
            yield from ((target, each) for each in others)
            others.append(target)


def _set_at(method: Code, name: str) -> Iterator[int]:
    """The numbers of the targets by which a method sets an attribute of its object."""
    place = f"{owner_of(method)}.{name}"
    return (number_of(target) or 0 for target, _ in assigned(method.body) if place_of(target) == place)


def is_set(method: Code, name: str, before: int = sys.maxsize) -> bool:
    """Whether a method sets an attribute of its object before a call, or may do so by another call."""
    if any(number < before for number in _set_at(method, name)):
        return True
    owner = owner_of(method)
    calls = (each for each in calls_of(method.body) if each.nid < before)
    return before < sys.maxsize and any(
        owner in map(place_of, (*each.args, *([each.func.value] if isinstance(each.func, AttrExpr) else ())))
        for each in calls
    )


@lru_cache(maxsize=256)
def given_to(code: Code, place: str) -> tuple[Expr, ...]:
    """The variables and attributes that a function sets to the result of a call which is given a place as it
    is, and those of which a method is given it."""
    found: dict[str, Expr] = {}
    for target, value in assigned(code.body):
        if isinstance(value, CallExpr) and place_of(target) and _is_given(value, place):
            found.setdefault(place_of(target), target)
    for node in nodes_of(code.body):
        if isinstance(node, CallExpr) and isinstance(node.func, AttrExpr) and _is_given(node, place):
            if place_of(node.func.value):
                found.setdefault(place_of(node.func.value), node.func.value)
    return tuple(found.values())


def _is_given(call: CallExpr, place: str) -> bool:
    return place in map(place_of, (*call.args, *(each.value for each in call.keywords)))


def kept_by(cls: Class) -> frozenset[str]:
    """The attributes in which objects of a class keep what they are given as it is: fields, those that
    methods set to a parameter or to a constant, and lists to which they append a parameter."""
    methods = {
        id(value.code): value.code
        for base in cls.lineage()
        for value in base.attributes.values()
        if isinstance(value, Function)
    }
    if any(each.converters for each in cls.lineage()) or cls.lookup("__new__") is not None:
        return frozenset()
    kept = {*cls.all_fields()} if all(cls.lookup(name) is None for name in CONSTRUCTION) else set()
    other: set[str] = set()
    for method in methods.values():
        given, changed = _stored(method)
        kept |= given
        other |= changed
    return frozenset(kept - other)


@lru_cache(maxsize=256)
def _stored(method: Code) -> tuple[frozenset[str], frozenset[str]]:
    """The attributes in which a method stores a parameter as it is, and those in which it stores something
    else, or which it changes otherwise. An empty collection or a constant is neither."""
    owner, params = owner_of(method), {each.name for each in method.params}
    given: set[str] = set()
    changed: set[str] = set()
    for target, value in assigned(method.body):
        if isinstance(target, AttrExpr) and place_of(target.value) == owner:
            is_begun = isinstance(value, ConstExpr) or (
                isinstance(value, (ListExpr, DictExpr)) and not value.items
            )
            is_begun |= isinstance(value, CallExpr) and not value.args
            if isinstance(value, NameExpr) and value.name in params:
                given.add(target.name)
            elif not is_begun:
                changed.add(target.name)
    for node in nodes_of(method.body):
        func = node.func if isinstance(node, CallExpr) else None
        held = func.value if isinstance(func, AttrExpr) else None
        if not isinstance(node, CallExpr) or not isinstance(func, AttrExpr) or not isinstance(held, AttrExpr):
            continue
        if place_of(held.value) == owner and func.name in _ADDS:
            is_kept = func.name == "append" and isinstance(node.args[0] if node.args else None, NameExpr)
            (given if is_kept and last_name(node.args[0]) in params else changed).add(held.name)
    bound = {target.name for target, _ in assigned(method.body) if isinstance(target, NameExpr)}
    return (frozenset() if bound & params else frozenset(given)), frozenset(changed)
