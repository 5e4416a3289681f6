"""Attributes of objects of which nothing reads what their constructor has set.

In: a class of the program, and the name of an attribute. Out: whether the text of the class says that no
method reads it, and that its methods hand the object to nothing; or whether all that read it, in the whole
program, set it first. It refuses to know who reads an attribute from outside that no method reads.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from jaxlint.analysis.draws.first_reads import first_read
from jaxlint.domain.objects import Class, Module
from jaxlint.ir.loop_carried import parts
from jaxlint.ir.mentions import sets_first
from jaxlint.ir.nodes import AnnotatedStmt, AssignStmt, AttrExpr, ConstExpr, NameExpr, Node
from jaxlint.ir.program import ClassCode, Code, Program
from jaxlint.ir.walks import codes_in, last_name, nodes_of

_ALL = "__dict__"
_WHOLE = frozenset((_ALL, "vars", "asdict", "astuple"))  # reads of what is not named


def is_set_again_in(cls: Class, name: str, modules: Iterable[Module], makers: Mapping[Code, int]) -> bool:
    """Whether whatever reads an attribute sets it first; or else the first method does so that those call who
    make the object. makers: functions, with the number of the call there that makes it."""
    if cls.opaque() or cls.externals() - {"builtins.object"}:
        return False
    methods: dict[Code, Program] = {}
    for each in cls.lineage():
        if each.code.decorators or each.code.keywords:
            return False
        methods.update(dict.fromkeys(_methods(each, each.module.program), each.module.program))
    setting = {code for code in methods if sets_first(code, name)}
    inner = {each for code in setting for each in codes_in(code, methods[code])}
    readers: set[Code] = set()
    for module in modules:
        reads = _readers(module.program)
        if not _WHOLE.isdisjoint(reads):
            return False
        readers |= reads.get(name, set())
    left = readers - setting - inner - _of_others(cls, name, modules)
    if not left:
        return True
    names = {code.name for code in setting}
    programs = {code: module.program for module in modules for code in module.program.codes}
    first = [first_read(code, programs[code], number, True)[0] for code, number in makers.items()]
    return bool(setting) and bool(first) and all(each and last_name(each.func) in names for each in first)


def _of_others(cls: Class, name: str, modules: Iterable[Module]) -> set[Code]:
    """The methods of classes that are not derived from others, which read the attribute of their own
    objects."""
    lineage = {each.code for each in cls.lineage()}
    found: set[Code] = set()
    for module in modules:
        program = module.program
        for record in program.classes:
            if record in lineage or record.bases:
                continue
            for code in _methods_of(record, program):
                owner = code.params[0].name if code.params else ""
                nodes = [
                    each for each in nodes_of(code.body) if isinstance(each, AttrExpr) and each.name == name
                ]
                if all(isinstance(each.value, NameExpr) and each.value.name == owner for each in nodes):
                    found.add(code)
    return found


@lru_cache(maxsize=64)
def _readers(program: Program) -> Mapping[str, set[Code]]:
    """By the name of an attribute, the functions that read it, or have the name as a text."""
    found: dict[str, set[Code]] = {}
    for code in dict.fromkeys((program.body, *program.codes)):
        nodes = nodes_of(code.body)
        stored = _stored(nodes)
        for each in nodes:
            if isinstance(each, AttrExpr) and id(each) not in stored:
                found.setdefault(each.name, set()).add(code)
            elif isinstance(each, ConstExpr) and isinstance(each.value, str):
                found.setdefault(each.value, set()).add(code)
            elif isinstance(each, NameExpr) and each.name in _WHOLE:
                found.setdefault(each.name, set()).add(code)
    return found


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
    return _methods_of(cls.code, program)


def _methods_of(record: ClassCode, program: Program) -> list[Code]:
    owner = f"{record.qualname}."
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
    nodes = [each for code in (method, *codes_in(method, program)) for each in nodes_of(code.body)]
    stored = _stored(nodes)
    fine = {
        id(each.value)
        for each in nodes
        if isinstance(each, AttrExpr) and each.name != _ALL and (each.name != name or id(each) in stored)
    }
    return all(id(each) in fine for each in nodes if isinstance(each, NameExpr) and each.name == owner)


def _stored(nodes: Iterable[Node]) -> Collection[int]:
    """The identities of what statements assign to."""
    return {
        id(part)
        for each in nodes
        if isinstance(each, (AssignStmt, AnnotatedStmt))
        for target in (each.targets if isinstance(each, AssignStmt) else (each.target,))
        for part in parts(target)
    }
