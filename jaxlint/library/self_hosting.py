"""Functions and classes of the project that are themselves a library's: jax linted as a project.

In: the modules of a project and the names of a library that the tables know. Out: for the code that
such a name leads to, through the imports of its module, that name. It refuses to know what they do.
"""

from __future__ import annotations

from collections.abc import Iterable

from jaxlint.domain.objects import Module
from jaxlint.domain.program import World
from jaxlint.ir.program import ClassCode, Code, Stmt


def published(world: World, names: Iterable[str]) -> dict[Code | ClassCode, str]:
    """The code behind each of these dotted names whose module is a file of the project."""
    found: dict[Code | ClassCode, str] = {}
    index: dict[str, dict[str, Stmt]] = {}
    for name in names:
        owner, _, own = name.rpartition(".")
        module = world.by_name.get(owner)
        if module is not None:
            code = _code(world, module, own, index)
            if code is not None:
                found.setdefault(code, name)
    return found


def _code(
    world: World, module: Module, name: str, index: dict[str, dict[str, Stmt]]
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
        if statement[0] == "def":
            return module.program.codes[statement[2]]
        if statement[0] == "class":
            return module.program.classes[statement[2]]
        _, _, level, owner, items = statement
        source = world.find(owner, module, level)
        if source is None:
            return None
        name = next(each for _, each, own in items if own == name)
        module = source
    return None


def _bindings(body: Iterable[Stmt], module: Module) -> dict[str, Stmt]:
    """The statements of a module that define or import a name, the last one of each."""
    found: dict[str, Stmt] = {}
    for statement in body:
        if statement[0] == "def":
            found[module.program.codes[statement[2]].name] = statement
        elif statement[0] == "class":
            found[module.program.classes[statement[2]].name] = statement
        elif statement[0] == "from" and statement[4] is not None:
            for _, _, own in statement[4]:
                found[own] = statement
    return found
