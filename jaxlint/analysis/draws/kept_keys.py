"""Attributes of objects that no method of their class reads.

In: a class of the program, and the name of an attribute. Out: whether the text of the class says so, and that
its methods hand the object to nothing. It refuses to know who reads the attribute from outside.
"""

from __future__ import annotations

from functools import lru_cache

from jaxlint.domain.objects import Class
from jaxlint.ir.loop_carried import parts
from jaxlint.ir.nodes import AnnotatedStmt, AssignStmt, AttrExpr, NameExpr
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import codes_in, walk

_ALL = "__dict__"


@lru_cache(maxsize=256)
def is_unread_in(cls: Class, name: str) -> bool:
    """Whether nothing in a class that is no record, nor in those that it comes from, reads an attribute of
    its own object."""
    if cls.opaque() or cls.externals() - {"builtins.object"}:
        return False
    for each in cls.lineage():
        if each.code.decorators or each.code.keywords:
            return False
        program = each.module.program
        if not all(_leaves_alone(code, name, program) for code in _methods(each, program)):
            return False
    return True


def _methods(cls: Class, program: Program) -> list[Code]:
    owner = f"{cls.code.qualname}."
    return [
        code
        for code in program.codes
        if code.in_class and code.qualname.startswith(owner) and "." not in code.qualname[len(owner) :]
    ]


def _leaves_alone(method: Code, name: str, program: Program) -> bool:
    """Whether a method, with the functions in it, names its object for other attributes alone, or to set this
    one."""
    if not method.params:
        return True
    owner = method.params[0].name
    nodes = [each for code in (method, *codes_in(method, program)) for each in walk(*code.body)]
    stored = {
        id(part)
        for each in nodes
        if isinstance(each, (AssignStmt, AnnotatedStmt))
        for target in (each.targets if isinstance(each, AssignStmt) else (each.target,))
        for part in parts(target)
    }
    fine = {
        id(each.value)
        for each in nodes
        if isinstance(each, AttrExpr) and each.name != _ALL and (each.name != name or id(each) in stored)
    }
    return all(id(each) in fine for each in nodes if isinstance(each, NameExpr) and each.name == owner)
