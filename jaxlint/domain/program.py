"""The modules of a project and how imports between them are resolved.

In: source files with their lowered programs. Out: for a dotted name, the module of the project
that it names; for a relative import, the absolute one. It refuses to know what a module means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from jaxlint.domain.values import Environment, Value
from jaxlint.ir.lowering import Program, Stmt


@dataclass(slots=True, eq=False)
class Module:
    """One file of the project while it is analyzed."""

    path: str
    names: tuple[str, ...]
    is_package: bool
    program: Program
    env: Environment = field(init=False)
    state: str = "new"  # new, running, done
    stars: list[Value] = field(default_factory=list)
    rebound: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.env = Environment(self.program.body, self, None)
        self.rebound = rebound(self.program)

    @property
    def name(self) -> str:
        return self.names[0] if self.names else ""


def rebound(program: Program) -> frozenset[str]:
    """Module variables that are assigned more than once, or from inside a function."""
    seen: set[str] = set()
    twice: set[str] = set()

    def visit(body: Iterable[Stmt], inside: frozenset[str] | None, repeated: bool) -> None:
        for statement in body:
            kind = statement[0]
            targets: tuple[object, ...] = ()
            if kind == "assign":
                targets = statement[2]
            elif kind in ("aug", "for") or (kind == "ann" and statement[4] is not None):
                targets = (statement[2],)
            for target in targets:
                for name in _names(target):
                    if inside is not None:
                        if name in inside:
                            twice.add(name)
                    elif name in seen or kind in ("aug", "for") or repeated:
                        twice.add(name)
                    else:
                        seen.add(name)
            for part in statement[1:]:
                if isinstance(part, tuple) and part and isinstance(part[0], tuple):
                    if kind in ("if", "while", "for", "with", "try") and _is_body(part):
                        visit(part, inside, repeated or kind in ("while", "for"))
            if kind == "try":
                for _, _, handler in statement[3]:
                    visit(handler, inside, repeated)

    visit(program.body.body, None, False)
    for code in program.codes[1:]:
        if code.global_names:
            visit(code.body, code.global_names, False)
    return frozenset(twice)


def _is_body(part: tuple[object, ...]) -> bool:
    first = part[0]
    return isinstance(first, tuple) and bool(first) and first[0] in _STATEMENTS


_STATEMENTS = frozenset(
    "expr assign ann aug return raise assert del import from def class if while for try with match "
    "break continue".split()
)


def _names(target: object) -> list[str]:
    if not isinstance(target, tuple):
        return []
    if target[0] == "name":
        return [target[2]]
    if target[0] == "star":
        return _names(target[1])
    if target[0] == "tuple":
        return [name for each in target[1] for name in _names(each)]
    return []


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

    def find(self, name: str, origin: Module, level: int = 0) -> Module | None:
        """The module that an import in `origin` means; None where it is not in the project."""
        key = (name, origin.path, level)
        if key not in self._found:
            path = self._resolve(name, origin.path, level)
            self._found[key] = None if path is None else self.by_path.get(path)
        return self._found[key]

    def is_package(self, name: str) -> bool:
        """Whether this is a folder of modules without an `__init__`."""
        return name in self.packages
