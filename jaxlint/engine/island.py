"""Which files can matter to any finding.

In: the files of a project, their bytes and their programs. Out: those that neither name a library the tables
know, nor are connected by imports, in either direction, with one that does. In these no value is ever JAX's,
so nothing can be found there. It refuses to know what the names mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from unicodedata import normalize

from jaxlint.engine.lower import Program, Stmt
from jaxlint.engine.project import Project, SourceFile
from jaxlint.settings import JaxSettings

LIBRARIES = ("jax", "flax", "haiku", "equinox", "optax", "chex", "penzai", "treex", "simple_pytree")
"""What the tables say something about; `jax` is also the beginning of jaxlib, jaxtyping and their like."""

Import = tuple[str, int, tuple[str, ...] | None]  # module, level, names; None: all, or the module itself

_NAMED = re.compile(rf"(?<![A-Za-z0-9])(?:jax|(?:{'|'.join(LIBRARIES)})\b)".encode())
_COOKIE = re.compile(rb"coding[=:]\s*(?!utf-?8\b|latin-?1\b|ascii\b|us-ascii\b|iso-8859-1\b)", re.IGNORECASE)


def is_decidable(project: Project) -> bool:
    """Whether names tell at all: what is taught, and the rules of plugins, may be about any file."""
    return project.settings.jax == JaxSettings() and not project.settings.plugins


def is_named(file: SourceFile, data: bytes) -> bool:
    """Whether a file, or its own name, may speak of a library that the tables know."""
    if _NAMED.search(data) or _COOKIE.search(data[:400]):
        return True
    if not data.isascii():
        # Python takes wide and styled letters of a name for the plain ones.
        data = normalize("NFKC", data.decode("utf-8", "replace")).encode("utf-8", "replace")
        if _NAMED.search(data):
            return True
    return any(_NAMED.search(name.encode()) for name in file.module)


def imports_of(program: Program) -> tuple[Import, ...]:
    found: dict[Import, None] = {}
    bodies: list[Iterable[Stmt]] = [code.body for code in program.codes]
    bodies += [cls.body for cls in program.classes]
    while bodies:
        for statement in bodies.pop():
            if statement[0] == "import":
                found.update(dict.fromkeys((name, 0, None) for _, name, _ in statement[1]))
            elif statement[0] == "from":
                _, _, level, module, items = statement
                found[module, level, None if items is None else tuple(item[1] for item in items)] = None
            elif statement[0] in _COMPOUND:
                bodies += _bodies(statement[1:])
    return tuple(found)


_COMPOUND = frozenset(("if", "while", "for", "try", "with", "match"))


def _bodies(parts: Iterable[object]) -> Iterator[Iterable[Stmt]]:
    """Every tuple in these that may hold statements, at any depth; expressions hold none."""
    stack = list(parts)
    while stack:
        part = stack.pop()
        if isinstance(part, tuple) and part and not isinstance(part[0], str):
            if any(isinstance(each, tuple) and each and isinstance(each[0], str) for each in part):
                yield [each for each in part if isinstance(each, tuple) and each]
            stack.extend(part)


def idle(project: Project, programs: Mapping[str, Program], data: Mapping[str, bytes]) -> list[str]:
    """The paths of the programs that cannot matter."""
    files = [file for file in project.files if file.path in programs]
    named = [file.path for file in files if is_named(file, data[file.path])]
    if len(named) == len(files):
        return []
    reached = connected(project, {path: imports_of(program) for path, program in programs.items()}, named)
    return [file.path for file in files if file.path not in reached]


def connected(project: Project, imports: Mapping[str, Iterable[Import]], named: Iterable[str]) -> set[str]:
    """The paths that imports connect, over any number of files and in either direction, with the named."""
    near: dict[str, set[str]] = {path: set() for path in imports}
    below: dict[str, list[str]] = {}
    for file in project.files:
        for name in file.module:
            while "." in name:
                name = name.rpartition(".")[0]
                below.setdefault(name, []).append(file.path)
    seen: dict[tuple[str, str, int], list[str]] = {}
    for path, rows in imports.items():
        for module, level, names in rows:
            wanted = [module]
            wanted += [f"{module}.{name}" if module else name for name in names or ()]
            for dotted in wanted:
                key = (dotted, path, level)
                if key not in seen:
                    seen[key] = list(_meant(project, dotted, path, level, below))
                for other in seen[key]:
                    if other in near and other != path:
                        near[path].add(other)
                        near[other].add(path)
    reached = set(named)
    stack = list(reached)
    while stack:
        for other in near.get(stack.pop(), ()):
            if other not in reached:
                reached.add(other)
                stack.append(other)
    return reached


def _meant(
    project: Project, dotted: str, importer: str, level: int, below: Mapping[str, list[str]]
) -> Iterator[str]:
    """The files that an import runs: the module, the packages on the way, all of a folder without a file."""
    parts = dotted.split(".") if dotted else []
    for end in range(0 if level else 1, len(parts) + 1):
        name = ".".join(parts[:end])
        file = project.resolve(name, importer, level)
        if file is not None:
            yield file.path
        elif not level and end == len(parts):
            yield from below.get(name, ())
