"""Functions and classes of the project that are themselves a library's: jax linted as a project.

In: the modules of a project and the names of a library that the tables know. Out: for the code that
such a name leads to, through the imports of its module, that name. It refuses to know what they do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from jaxlint.domain.objects import Module
from jaxlint.domain.program import World
from jaxlint.ir.nodes import AssignStmt, AttrExpr, ClassStmt, DefStmt, FromStmt, NameExpr, Stmt
from jaxlint.ir.program import ClassCode, Code

Binding = DefStmt | ClassStmt | FromStmt | AssignStmt


def published(world: World, names: tuple[str, ...]) -> dict[Code | ClassCode, str]:
    """The code behind each of these dotted names whose module is a file of the project, the first of them."""
    found: dict[Code | ClassCode, str] = {}
    index: dict[str, dict[str, Binding]] = {}
    owned = _by_owner(names)
    places = sorted(place for owner in owned.keys() & world.by_name.keys() for place in owned[owner])
    for place in places:
        owner, _, own = names[place].rpartition(".")
        code = _code(world, world.by_name[owner], own, index)
        if code is not None:
            found.setdefault(code, names[place])
    return found


@lru_cache(maxsize=8)
def _by_owner(names: tuple[str, ...]) -> dict[str, list[int]]:
    """The places of dotted names by what is before their last dot."""
    found: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        found.setdefault(name.rpartition(".")[0], []).append(place)
    return found


def _code(
    world: World, module: Module, name: str, index: dict[str, dict[str, Binding]]
) -> Code | ClassCode | None:
    """What a module's name is defined by, there or where it is imported from."""
    seen: set[tuple[str, str]] = set()
    while (module.path, name) not in seen:
        seen.add((module.path, name))
        if module.path not in index:
            index[module.path] = _bindings(module.program.body.body, module)
        statement = index[module.path].get(name)
        if statement is None:
            return None
        if isinstance(statement, DefStmt):
            return module.program.codes[statement.index]
        if isinstance(statement, ClassStmt):
            return module.program.classes[statement.index]
        if isinstance(statement, FromStmt):
            source = world.find(statement.module, module, statement.level)
            name = _imported(statement, name)
        else:
            source, name = _aliased(world, module, statement, index[module.path])
        if source is None:
            return None
        module = source
    return None


def _imported(statement: FromStmt, own: str) -> str:
    """What a name is called where it is imported from."""
    return next(each for _, each, name in statement.items or () if name == own)


def _aliased(
    world: World, module: Module, statement: AssignStmt, bindings: Mapping[str, Binding]
) -> tuple[Module | None, str]:
    """Where a variable that stands for another name has it from: from its own module (`a = b`), or from one
    that this imports (`a = module.b`)."""
    value = statement.value
    if isinstance(value, NameExpr):
        return module, value.name
    if isinstance(value, AttrExpr) and isinstance(value.value, NameExpr):
        holder = bindings.get(value.value.name)
        if isinstance(holder, FromStmt):
            inner = f"{holder.module}.{_imported(holder, value.value.name)}".lstrip(".")
            return world.find(inner, module, holder.level), value.name
    return None, ""


def _bindings(body: Iterable[Stmt], module: Module) -> dict[str, Binding]:
    """The statements of a module that define or import a name, the last one of each."""
    found: dict[str, Binding] = {}
    for statement in body:
        if isinstance(statement, DefStmt):
            found[module.program.codes[statement.index].name] = statement
        elif isinstance(statement, ClassStmt):
            found[module.program.classes[statement.index].name] = statement
        elif isinstance(statement, FromStmt):
            for _, _, own in statement.items or ():
                found[own] = statement
        elif isinstance(statement, AssignStmt) and isinstance(statement.value, (NameExpr, AttrExpr)):
            found.update((each.name, statement) for each in statement.targets if isinstance(each, NameExpr))
    return found
