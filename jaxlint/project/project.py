"""A project: the files that are analysed together, and what imports among them mean.

In: the files that discovery found, and the settings. Out: `Project`, which answers which file an import means
and which settings a file falls under. It never looks at Python text.
"""

from __future__ import annotations

import glob
import os
import sys
from dataclasses import dataclass
from functools import cached_property

from jaxlint.project.folders import Packages, lies_in
from jaxlint.project.settings import Settings
from jaxlint.source.formats import format_of


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file to analyse.

    `module` has the dotted names it can be imported under from anywhere in the project, the most usual one
    first; it is empty for a file that no import reaches, such as a script with a dash in its name. `format`
    says how the Python in it is found.
    """

    path: str
    module: tuple[str, ...]
    is_package: bool
    format: str = "python"

    @property
    def is_stub(self) -> bool:
        return self.path.endswith(".pyi")


@dataclass(frozen=True)
class Project:
    """The files under one root that are analysed together, sorted by path.

    `whole` is False where the root is too wide to be walked and only the neighbourhood of the named files is
    there: then nothing may be said that needs every user of a name.
    """

    root: str
    files: tuple[SourceFile, ...]
    reported: frozenset[str]
    settings: Settings
    whole: bool = True

    @cached_property
    def by_path(self) -> dict[str, SourceFile]:
        return {file.path: file for file in self.files}

    def resolve(self, name: str, importer: str, level: int = 0) -> SourceFile | None:
        """The file that `import name` in the file `importer` means; None where it is not in the project.

        With `level` the import is relative, as in the syntax tree: `from ..a import b` asks for
        `resolve("a", path, 2)`. A name that two files answer to means neither, unless one of them lies beside
        the importer. A script's own folder comes first, and a module of the standard library is shadowed only
        from there.
        """
        folder = os.path.dirname(importer)
        if level:
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            return self._at(folder, name)
        is_script = self._at(folder, "") is None
        if is_script and (beside := self._at(folder, name)) is not None:
            return beside
        if name.partition(".")[0] in sys.stdlib_module_names:
            return None
        found = self._by_module.get(name, ())
        return found[0] if len(found) == 1 else None

    def _at(self, folder: str, name: str) -> SourceFile | None:
        stem = os.path.join(folder, *filter(None, name.split(".")))
        for tail in (f"{os.sep}__init__.py", ".py", f"{os.sep}__init__.pyi", ".pyi"):
            # Without a name the folder itself is meant.
            if (name or tail.startswith(os.sep)) and (file := self.by_path.get(stem + tail)):
                return file
        return None

    @cached_property
    def _by_module(self) -> dict[str, tuple[SourceFile, ...]]:
        """The files of each name; a stub beside its module is left out."""
        table: dict[str, tuple[SourceFile, ...]] = {}
        for file in self.files:
            if file.is_stub and file.path[:-1] in self.by_path:
                continue
            for name in file.module:
                table[name] = (*table.get(name, ()), file)
        return table


class Names:
    """Gives the files of a project their dotted names."""

    def __init__(self, root: str, settings: Settings) -> None:
        self._extension = dict(settings.extension)
        self._packages: dict[str, list[str]] = {}
        self._bases_of = Packages().bases
        folders: list[str] = []
        for source in settings.src:
            pattern = os.path.join(root, source)
            matching = sorted(glob.glob(pattern)) if glob.has_magic(source) else [pattern]
            folders += [os.path.realpath(folder) for folder in matching if os.path.isdir(folder)]
        # The innermost first: `src/a/b.py` is `a.b` before it is `src.a.b`.
        self._roots = sorted(set(folders), key=lambda folder: (-len(folder), folder))

    def source_file(self, path: str) -> SourceFile:
        folder, name = os.path.split(path)
        stem = name.partition(".")[0] if name.endswith((".py", ".pyi")) else ""
        is_package = stem == "__init__"
        own = name.rpartition(".")[0]
        names: list[str] = []
        if is_package:
            names = [package for package in self._packages_of(folder) if package]
        elif stem and own.isidentifier():
            names = [f"{package}.{own}" if package else own for package in self._packages_of(folder)]
        return SourceFile(path, tuple(names), is_package, format_of(path, self._extension))

    def _packages_of(self, folder: str) -> list[str]:
        """The dotted names of a folder; an empty one where imports start from it."""
        if folder not in self._packages:
            found: list[str] = []
            for base in (*self._bases_of(folder), *self._roots):
                if lies_in(folder, base):
                    parts = os.path.relpath(folder, base).split(os.sep) if folder != base else []
                    dotted = ".".join(parts)
                    if dotted not in found and all(part.isidentifier() for part in parts):
                        found.append(dotted)
            self._packages[folder] = found
        return self._packages[folder]
