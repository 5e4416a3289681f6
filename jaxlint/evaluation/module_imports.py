"""`import` and `from`: modules of the project, and names of libraries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jaxlint.analysis.core import Core
from jaxlint.analysis.feature_guards import FeatureGuards
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.trace_context import EAGER
from jaxlint.domain.objects import Imported, Module
from jaxlint.domain.values import UNKNOWN, Const, External, Product, Value
from jaxlint.evaluation.assignment import Assignment
from jaxlint.evaluation.expressions import Expressions
from jaxlint.ir.mentions import may_name_others
from jaxlint.ir.nodes import AttrExpr, FromStmt, ImportStmt, NameExpr
from jaxlint.ir.walks import last_name, walk


class ModuleImports:
    """Binds what is imported."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        guards: FeatureGuards,
        expressions: Expressions,
        assignments: Assignment,
        interpreter: Interpreter,
    ) -> None:
        self.flow = flow
        self.core = core
        self.guards = guards
        self.expressions = expressions
        self.assignments = assignments
        self.interpreter = interpreter
        self._parts: frozenset[tuple[str, str]] | None = None  # once asked
        self._users: dict[str, list[Module]] | None = None  # once asked
        self._others: dict[str, bool] = {}  # by path: whether there may be variables that are not written
        self._postponed: list[tuple[Module, ImportStmt | FromStmt]] = []  # for annotations alone

    def s_import(self, node: ImportStmt) -> bool:
        if self._is_postponed(node):
            return True
        for nid, name, asname in node.items:
            module = self.core.world.find(name, self.flow.module)
            if module is not None:
                self.interpreter.loader.load(module)
            elif not self.core.world.is_package(name):
                self.guards.refer(nid, name, "import")
            if asname is not None:
                self.assignments.bind(asname, self.module_value(name), nid)
            else:
                self.assignments.bind(name.partition(".")[0], self.module_value(name.partition(".")[0]), nid)
        return True

    def module_value(self, name: str) -> Value:
        module = self.core.world.find(name, self.flow.module)
        if module is not None:
            self.interpreter.loader.load(module)
            return Imported(module)
        if self.core.world.is_package(name):
            return Product("namespace", name)
        return self.interpreter.library.external(name)

    def s_from(self, node: FromStmt) -> bool:
        if self._is_postponed(node):
            return True
        nid, level, module_name, items = node.nid, node.level, node.module, node.items
        module = self.core.world.find(module_name, self.flow.module, level) if module_name or level else None
        if module is not None:
            self.interpreter.loader.load(module)
        if items is None:
            if module is None and level == 0:
                self.guards.refer(nid, module_name, "star")
            self._import_star(module, module_name, level)
            return True
        for item_nid, name, asname in items:
            value: Value | None = None
            if module is not None and module is not self.flow.module:
                value = module.env.vars.get(name)
            if value is None:
                value = self._submodule(module_name, name, level)
            if value is None and module is not None:
                value = self.member(module, name)
            if value is None:
                if level == 0:
                    self.guards.refer(item_nid, f"{module_name}.{name}", "from", statement=nid)
                    value = self.interpreter.library.external(f"{module_name}.{name}")
                else:
                    value = UNKNOWN
            self.assignments.bind(asname, value, item_nid)
        return True

    def bind_postponed(self) -> None:
        """Executes the imports that wait, once all modules are loaded. What is bound by then stays."""
        waiting, self._postponed = self._postponed, []
        saved = self.flow.position()
        for module, node in waiting:
            before = dict(module.env.vars)
            self.flow.frame, self.flow.env = self.core.homes[module.env], module.env
            self.flow.context, self.flow.module = EAGER, module
            if isinstance(node, ImportStmt):
                self.s_import(node)
            else:
                self.s_from(node)
            module.env.vars.update(before)
        self.flow.return_to(saved)

    def _is_postponed(self, node: ImportStmt | FromStmt) -> bool:
        """Whether an import is for type checkers alone, and of a module that imports this one: it waits until
        both have been loaded, since the program does not execute it."""
        own = self.flow.module
        if self.flow.frame.func is not None or not any(
            held.truth and last_name(held.test) == "TYPE_CHECKING" for held in self.flow.tests
        ):
            return False
        names = [node.module] if isinstance(node, FromStmt) else [name for _, name, _ in node.items]
        level = node.level if isinstance(node, FromStmt) else 0
        found = [self.core.world.find(name, own, level) for name in names]
        if isinstance(node, FromStmt):
            inner = [f"{node.module}.{name}" if node.module else name for _, name, _ in node.items or ()]
            found += [self.core.world.find(name, own, level) for name in inner]
        others = [each for each in found if each is not None and each.state != "done"]
        if not any(self.core.world.imports(each, own) for each in others):
            return False
        self._postponed.append((own, node))
        return True

    def _submodule(self, package: str, name: str, level: int) -> Value | None:
        full = f"{package}.{name}" if package else name
        inner = self.core.world.find(full, self.flow.module, level)
        if inner is not None:
            self.interpreter.loader.load(inner)
            return Imported(inner)
        if level == 0 and self.core.world.is_package(full):
            return Product("namespace", full)
        return None

    def member(self, module: Any, name: str) -> Value | None:
        """A name that a module has through a star import or `__getattr__`."""
        for star in module.stars:
            if isinstance(star, External):
                return self.interpreter.library.external(f"{star.name}.{name}")
        return UNKNOWN

    def there(self, owner: Value, names: list[str]) -> list[str]:
        """Those of some names that a module may have: reading one that it lacks raises."""
        return [each for each in names if not self.lacks(owner, each)]

    def lacks(self, owner: Value, name: str) -> bool:
        """Whether a value is a module of the project that certainly has nothing of this name."""
        module = None
        if isinstance(owner, Imported):
            module = owner.module
        elif isinstance(owner, External):
            module = self.core.world.by_name.get(owner.name)
        if module is None:
            return False
        self.interpreter.loader.load(module)
        held = module.env.vars
        if module.state != "done" or module.stars or name in held or "__getattr__" in held:
            return False
        if name.startswith("__") or any(name in code.global_names for code in module.program.codes):
            return False
        if any(f"{own}.{name}" in self.core.world.by_name for own in module.names):
            return False
        known = self._others.get(module.path)
        if known is None:
            known = self._others[module.path] = may_name_others(module.program)
        return not known and (module.path, name) not in self._imported()

    def is_named(self, module: Module, name: str) -> bool:
        """Whether a module mentions a variable of it, or one that imports it, or the variable, may."""
        if (module.path, name) in self._imported() or name in _mentioned(module):
            return True
        return any(name in _mentioned(each) for each in self._importers().get(module.path, ()))

    def _importers(self) -> dict[str, list[Module]]:
        """By the path of a module those that have it in hand, under whatever name."""
        if self._users is None:
            self._users = {}
            find = self.core.world.find
            for each in self.core.world.modules:
                for source, level, names in each.program.imports:
                    parts = [f"{source}.{name}" if source else name for name in names or ()]
                    for part in (source, *parts):
                        found = find(part, each, level) if part else None
                        if found is not None and found is not each:
                            self._users.setdefault(found.path, []).append(each)
        return self._users

    def _imported(self) -> frozenset[tuple[str, str]]:
        """What files import from modules of the project, by their paths: it may be a part of a package that
        is not linted, such as an extension."""
        if self._parts is None:
            self._parts = frozenset(
                (module.path, name)
                for each in self.core.world.modules
                for source, level, names in each.program.imports
                for module, name in self._bound_by(each, source, level, names)
            )
        return self._parts

    def _bound_by(
        self, importer: Module, source: str, level: int, names: tuple[str, ...] | None
    ) -> Iterator[tuple[Module, str]]:
        """The modules to which an import gives an attribute, with its name."""
        find = self.core.world.find
        package = find(source, importer, level) if source or level else None
        if package is not None:
            yield from ((package, name) for name in names or ())
        outer, _, own = source.rpartition(".")
        if outer and not level and (above := find(outer, importer)) is not None:
            yield above, own

    def _import_star(self, module: Any, name: str, level: int) -> None:
        if module is None:
            self.flow.module.stars.append(self.interpreter.library.external(name) if level == 0 else UNKNOWN)
            return
        listed = module.env.vars.get("__all__")
        names = self.expressions.known_items(listed) if listed is not None else None
        wanted = None if names is None else {each.value for each in names if isinstance(each, Const)}
        for each, value in list(module.env.vars.items()):
            if not isinstance(each, str) or each == "__all__":
                continue
            if each in wanted if wanted is not None else not each.startswith("_"):
                self.flow.env.vars[each] = value
        self.flow.module.stars.extend(module.stars)


def _mentioned(module: Module) -> set[str]:
    """The names of variables and attributes that stand in a module, but for definitions."""
    nodes = walk(*(part for code in module.program.codes for part in code.body))
    return {each.name for each in nodes if isinstance(each, (AttrExpr, NameExpr))}
