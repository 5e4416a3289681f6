"""The modules of a project and how imports between them are resolved.

In: source files with their lowered programs. Out: for a dotted name, the module of the project
that it names; for a relative import, the absolute one. It refuses to know what a module means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from jaxlint.domain.objects import Module
from jaxlint.ir.constant_attributes import assigned, given_attributes
from jaxlint.ir.mentions import keepers
from jaxlint.ir.nodes import AttrExpr, CallExpr, ConstExpr, Expr, FromStmt, NameExpr
from jaxlint.ir.program import ClassCode, Code, Program
from jaxlint.ir.walks import last_name, nodes_of, walk

# options of JAX that a file may set: by `jax.config.update`, by a context manager or in the environment
CHECKS_KEYS = "debug_key_reuse"
SCIPY_TAKES_ARRAYS = "scipy_array_api"  # of SciPy: many of its functions then compute with arrays of JAX


class World:
    """All modules of a project, in the order of their names. `resolve` says which path an import means:
    (name, importer, level)."""

    def __init__(self, modules: Iterable[Module], resolve: Callable[[str, str, int], str | None]) -> None:
        self.modules = sorted(modules, key=lambda module: (module.name, module.path))
        self.by_path: Mapping[str, Module] = {module.path: module for module in self.modules}
        self.by_name: dict[str, Module] = {}
        for module in self.modules:
            for name in module.names:
                self.by_name.setdefault(name, module)
        self.packages: set[str] = set()
        for name in self.by_name:
            parts = name.split(".")
            self.packages.update(".".join(parts[:end]) for end in range(1, len(parts)))
        self._resolve = resolve
        self._found: dict[tuple[str, str, int], Module | None] = {}
        self._programs = [each.program for each in self.modules]
        self._options: dict[str, bool] = {}  # whether a module names one, once asked
        self._through: dict[str, tuple[str, ...]] = {}  # by the name of a method
        self._asked: frozenset[str] | None = None
        self._set: dict[str, bool] = {}  # by the name of an attribute
        self._imported: dict[str, list[Module]] = {}  # by path

    def programs(self) -> list[Program]:
        """What the modules say."""
        return self._programs

    def find(self, name: str, origin: Module, level: int = 0) -> Module | None:
        """The module that an import in `origin` means; None where it is not in the project."""
        key = (name, origin.path, level)
        if key not in self._found:
            path = self._resolve(name, origin.path, level)
            self._found[key] = None if path is None else self.by_path.get(path)
        return self._found[key]

    def names_option(self, option: str) -> bool:
        """Whether a module names an option of JAX, so that it may have another value than JAX gives it."""
        if option not in self._options:
            self._options[option] = any(names_option(each, option) for each in self.programs())
        return self._options[option]

    def set_through(self, name: str) -> tuple[str, ...]:
        """The attributes in which setters and methods of a name keep what they are given, or those setters
        of which they set the attribute."""
        if name not in self._through:
            found: dict[str, None] = {}
            left = [name]
            while left:
                current = left.pop()
                held = [each for program in self.programs() for each in keepers(program).get(current, ())]
                left += [each for each in held if each not in found]
                found.update(dict.fromkeys(held))
            self._through[name] = tuple(found)
        return self._through[name]

    def asks_for(self, name: str) -> bool:
        """Whether a test asks for objects of a class of this name, by which a module knows it."""
        if self._asked is None:
            self._asked = frozenset().union(*map(_asked_classes, self.programs()))
        return name in self._asked

    def may_set(self, name: str) -> bool:
        """Whether a module may set attributes of this name, or what they hold."""
        if name not in self._set:
            given = map(given_attributes, self.programs())
            self._set[name] = any(each.is_any or name in each.names for each in given)
        return self._set[name]

    def is_package(self, name: str) -> bool:
        """Whether this is a folder of modules without an `__init__`."""
        return name in self.packages

    def imports(self, module: Module, other: Module) -> bool:
        """Whether loading a module may load another one, as far as the imports of all files say."""
        seen, stack = {module.path}, [module]
        while stack:
            for each in self._imported_by(stack.pop()):
                if each is other:
                    return True
                if each.path not in seen:
                    seen.add(each.path)
                    stack.append(each)
        return False

    def _imported_by(self, module: Module) -> list[Module]:
        known = self._imported.get(module.path)
        if known is None:
            named = [
                (full, level)
                for source, level, names in module.program.imports
                for full in (source, *(f"{source}.{each}" if source else each for each in names or ()))
                if full or level
            ]
            found = [self.find(full, module, level) for full, level in named]
            known = self._imported[module.path] = [each for each in found if each is not None]
        return known


def _asked_classes(program: Program) -> set[str]:
    """The last names of classes that `isinstance` is given: as they are written there, or in what is assigned
    to the variables that stand there, and as they are called where they are imported from."""
    bodies = [code.body for code in program.codes] + [each.body for each in program.classes]
    nodes = [node for body in bodies for node in nodes_of(body)]
    calls = (node for node in nodes if isinstance(node, CallExpr) and len(node.args) == 2)
    asked = _names_in(node.args[1] for node in calls if last_name(node.func) == "isinstance")
    if not asked:
        return asked
    pairs = [pair for body in bodies for pair in assigned(body)]
    asked |= _names_in(value for target, value in pairs if last_name(target) in asked)
    items = [item for node in nodes if isinstance(node, FromStmt) for item in node.items or ()]
    return asked.union(name for _, name, bound in items if bound in asked)


def _names_in(nodes: Iterable[Expr]) -> set[str]:
    return {each.name for each in walk(*nodes) if isinstance(each, (AttrExpr, NameExpr))}


def names_option(program: Program, option: str) -> bool:
    """Whether an attribute or a string of a file is, or contains, the name of an option, without `jax_`."""
    if any(option in name for _, _, names in program.imports for name in names or ()):
        return True
    codes: list[Code | ClassCode] = [*program.codes, *program.classes]
    for node in (node for each in codes for node in walk(*each.decorators, *each.body)):
        name = (
            node.name if isinstance(node, AttrExpr) else node.value if isinstance(node, ConstExpr) else None
        )
        if isinstance(name, str) and option in name.lower():
            return True
    return False
