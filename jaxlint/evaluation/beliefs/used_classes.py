"""Of which class an object may be, by how a function uses it.

In: the lowered code of a function and one of its parameters; a class. Out: the attributes that are read of
the parameter, and whether the class has all of them. It refuses to know which classes there are.
"""

from __future__ import annotations

from collections import namedtuple
from functools import lru_cache
from typing import Final

from jaxlint.domain.objects import Class, Function
from jaxlint.ir.constant_attributes import assigned, is_of
from jaxlint.ir.nodes import AttrExpr, CallExpr, DefStmt, Expr, LambdaExpr, NameExpr
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import calls_of, codes_in, nodes_of, number_of
from jaxlint.tables.array_methods import METHODS

_KEPT = 1024  # functions of which is kept what they use
_ASK_CLASS = frozenset(("isinstance", "type"))
_RECORDS = frozenset(("pytree", "namedtuple"))  # whose objects a transform takes apart
_BUILT_IN: Final = METHODS.keys() | {name for kind in (dict, list, set, str) for name in dir(kind)}
_OF_TUPLES: Final = frozenset(dir(namedtuple("_OF_TUPLES", ())))


@lru_cache(maxsize=_KEPT)
def used_of(code: Code, program: Program, name: str) -> frozenset[str]:
    """The attributes that a function, with those in it, reads of a parameter before it sets the variable;
    none where it asks for the class of what it is given."""
    numbers = [number_of(each) or 0 for each, _ in assigned(code.body) if _name_of(each) == name]
    first = min(numbers, default=None)
    found: set[str] = set()
    for node in nodes_of(code.body):
        if isinstance(node, CallExpr) and _name_of(node.func) in _ASK_CLASS:
            if node.args and _name_of(node.args[0]) == name:
                return frozenset()
        elif isinstance(node, AttrExpr) and _name_of(node.value) == name:
            if first is None or node.nid < first:
                found.add(node.name)
        elif isinstance(node, (DefStmt, LambdaExpr)) and first is None:
            inner = program.codes[node.index]
            if name not in inner.bound and all(each.name != name for each in inner.params):
                found |= used_of(inner, program, name)
    return frozenset(found)


@lru_cache(maxsize=_KEPT)
def called_by_position(code: Code, program: Program, name: str) -> frozenset[str]:
    """The methods of a parameter that a function, with those in it, calls with positional arguments."""
    bodies = (each.body for each in (code, *codes_in(code, program)))
    calls = (each for body in bodies for each in calls_of(body) if each.args)
    return frozenset([each.func.name for each in calls if is_of(each.func, name)])


@lru_cache(maxsize=_KEPT)
def calls_by_name(code: Code) -> frozenset[str]:
    """The names by which the statements of a function call something."""
    return frozenset([_name_of(each.func) for each in calls_of(code.body)])


def _name_of(node: Expr) -> str:
    return node.name if isinstance(node, NameExpr) else ""


@lru_cache(maxsize=_KEPT)
def _sets_of(method: Code) -> frozenset[str]:
    """The attributes that a method sets of its own object."""
    own = method.params[0].name if method.params else ""
    return frozenset([each.name for each, _ in assigned(method.body) if is_of(each, own)])


def fits(cls: Class, used: frozenset[str], is_made: bool) -> bool:
    """Whether a class has all attributes that are used, which nothing that is built in has."""
    fields = cls.all_fields()
    others = {each for each in used if each not in fields}
    is_tuple, is_record = "namedtuple" in cls.marks, cls.has_any_mark(_RECORDS)
    others -= _OF_TUPLES if is_tuple else {"replace"} if cls.has_mark("replaces") else set()
    known = len(used) - len(others) + is_made
    if is_record and known > 1 and not used.isdisjoint(fields) and all(map(cls.lookup, others)):
        return True
    if is_tuple or len(used) < 2 or used <= _BUILT_IN:
        return False
    methods = [
        each.code for base in cls.lineage() for each in base.attributes.values() if type(each) is Function
    ]
    return any(isinstance(cls.attributes.get(each), Function) for each in used) and all(
        cls.lookup(each) or any(each in _sets_of(method) for method in methods) for each in others
    )
