"""Which files of a project can have to do with each other, and which with JAX.

In: the files of a project, their bytes, what each imports. Out: components, the files that imports connect in
either direction, of which each is analyzed alone; and whether a file names a library that the tables know: in
a component without one no value is ever JAX's, so nothing can be found there. It refuses to know what the
names mean.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from unicodedata import normalize

from jaxlint.ir.program import Import
from jaxlint.project.folders import lies_in
from jaxlint.project.project import Project, SourceFile
from jaxlint.project.settings import JaxSettings

LIBRARIES = (
    "jax", "flax", "haiku", "jraph", "equinox", "optax", "chex", "penzai", "treex", "simple_pytree",
    "numpyro", "diffrax", "optimistix", "lineax", "blackjax",
)  # fmt: skip
"""What the tables say something about; `jax` is also the beginning of jaxlib, jaxtyping and their like."""

_NAMED = re.compile(rf"(?<![A-Za-z0-9])(?:jax|(?:{'|'.join(LIBRARIES)})\b)".encode())
_COOKIE = re.compile(rb"coding[=:]\s*(?!utf-?8\b|latin-?1\b|ascii\b|us-ascii\b|iso-8859-1\b)", re.IGNORECASE)


def is_decidable(project: Project) -> bool:
    """Whether names tell at all: what is taught, and the rules of plugins, may be about any file."""
    return project.settings.jax == JaxSettings() and not project.settings.plugins


def is_named(file: SourceFile, data: bytes) -> bool:
    """Whether a file, or its own name, may speak of a library that the tables know."""
    if _NAMED.search(data) or _COOKIE.search(data[:400]):
        return True
    if not data.isascii() and _NAMED.search(plain(data)):
        return True
    return any(_NAMED.search(name.encode()) for name in file.module)


def plain(data: bytes) -> bytes:
    """The bytes of a file with plain letters: Python takes wide and styled ones in names for these."""
    if data.isascii():
        return data
    return normalize("NFKC", data.decode("utf-8", "replace")).encode("utf-8", "replace")


def components(project: Project, imports: Mapping[str, Iterable[Import]]) -> list[list[SourceFile]]:
    """The files of `imports` (what each imports, by path), those together that imports connect over any
    number of files; in the order of the project."""
    near = _near(project, imports)
    found: list[list[SourceFile]] = []
    reached: set[str] = set()
    for file in project.files:
        if file.path in near and file.path not in reached:
            component = {file.path}
            stack = [file.path]
            while stack:
                for other in near[stack.pop()]:
                    if other not in component:
                        component.add(other)
                        stack.append(other)
            reached |= component
            found.append([project.by_path[path] for path in sorted(component)])
    return found


def _near(project: Project, imports: Mapping[str, Iterable[Import]]) -> dict[str, set[str]]:
    """The files that each file imports, and that import it."""
    near: dict[str, set[str]] = {path: set() for path in imports}
    for path, others in imported(project, imports).items():
        for other in others:
            near[path].add(other)
            near[other].add(path)
    for path in near:
        # pytest imports these for all that lie below
        if os.path.basename(path) == "conftest.py":
            for other in near:
                if other != path and lies_in(other, os.path.dirname(path)):
                    near[path].add(other)
                    near[other].add(path)
    return near


def imported(project: Project, imports: Mapping[str, Iterable[Import]]) -> dict[str, set[str]]:
    """The files of `imports` that each of them runs by its imports, packages on the way included."""
    leads: dict[str, set[str]] = {path: set() for path in imports}
    below: dict[str, list[str]] = {}
    for file in project.files:
        for name in file.module:
            while "." in name:
                name = name.rpartition(".")[0]
                below.setdefault(name, []).append(file.path)
    seen: dict[tuple[str, str, int], list[str]] = {}
    for path, rows in imports.items():
        folder = os.path.dirname(path)  # what an import means is the same in all files of a folder
        for module, level, names in rows:
            wanted = [module]
            wanted += [f"{module}.{name}" if module else name for name in names or ()]
            for dotted in wanted:
                key = (dotted, folder, level)
                if key not in seen:
                    seen[key] = list(_meant(project, dotted, path, level, below))
                leads[path].update(other for other in seen[key] if other in leads and other != path)
    return leads


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
