"""jaxlint as a plugin of flake8.

In: the files that flake8 checks. Out: jaxlint's findings in them, under flake8's selection, `# noqa`, formats
and exit status. A project is analyzed once, before flake8 starts processes of its own; which rules look is up
to jaxlint's configuration.
"""

from __future__ import annotations

import ast
import os
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from jaxlint._version import __version__
from jaxlint.diagnostic import Diagnostic
from jaxlint.project.configuration import Configuration
from jaxlint.project.discovery import find_projects
from jaxlint.project.option import SettingsError
from jaxlint.report.suppression import NAMES
from jaxlint.session.check import Check
from jaxlint.session.session import Session
from jaxlint.source.text import as_bytes

_OWN = frozenset(("JAX001", "JAX002"))  # flake8 reports what it cannot read itself

Found = tuple[int, int, str, type]


class Plugin:
    """What flake8 makes for each file.

    Args:
        tree: The file's syntax tree, which asks flake8 for files that parse.
        filename: Its path, or the name that standard input goes under.
        lines: Its text.
    """

    name = "jaxlint"
    version = __version__
    _honour: ClassVar[bool] = True
    _is_stdin: ClassVar[bool] = False
    _projects: ClassVar[dict[str, dict[str, list[Diagnostic]]]] = {}  # by root and path
    _session: ClassVar[Session | None] = None

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        self._path = os.path.abspath(filename)
        self._lines = lines

    @classmethod
    def parse_options(cls, manager: Any, options: Namespace, args: Sequence[str]) -> None:
        """Called once, before files are looked at.

        Raises:
            flake8.exceptions.ExecutionError: jaxlint's configuration is wrong.
        """
        cls._honour = not options.disable_noqa
        cls._projects = {}
        cls._session = Session(cache=True)
        names = list(options.filenames or ["."])
        cls._is_stdin = "-" in names
        if not cls._is_stdin:
            cls._analyse([name for name in names if os.path.lexists(name)])

    def run(self) -> Iterator[Found]:
        """The findings in the file."""
        for found in self._found():
            line = self._lines[found.span.row - 1] if found.span.row <= len(self._lines) else ""
            # Of comments, those that are flake8's are not judged.
            if found.code not in _OWN and (found.code not in NAMES or "jaxlint:" in line):
                yield found.span.row, found.span.column - 1, f"{found.code} {found.message}", type(self)

    def _found(self) -> Sequence[Diagnostic]:
        folder, name = os.path.split(self._path)
        path = os.path.join(os.path.realpath(folder), name)
        if self._is_stdin:
            return self._in_unsaved(path)
        for files in self._projects.values():
            if path in files:
                return files[path]
        self._analyse([path])
        return next((files[path] for files in self._projects.values() if path in files), ())

    def _in_unsaved(self, path: str) -> Sequence[Diagnostic]:
        text = as_bytes("".join(self._lines))
        with _as_flake8_says():
            projects = find_projects([], Configuration(), unsaved=[path]).projects  # none if it is excluded
            how: dict[str, Any] = {"unsaved": {path: text}, "honour": self._honour, "session": self._session}
            checks = [Check(project, **how) for project in projects]
            return [found for check in checks for found in check.diagnostics]

    @classmethod
    def _analyse(cls, names: Sequence[str]) -> None:
        """Looks at whole projects: other files of them will be asked for."""
        with _as_flake8_says():
            for project in find_projects(names, Configuration()).projects:
                if project.root in cls._projects:
                    continue
                everything = frozenset(file.path for file in project.files)
                whole = replace(project, reported=everything)
                files: dict[str, list[Diagnostic]] = {path: [] for path in everything}
                for found in Check(whole, honour=cls._honour, session=cls._session).diagnostics:
                    files[found.filename].append(found)
                cls._projects[project.root] = files


class _as_flake8_says:
    """A wrong configuration ends flake8 as its own would."""

    def __enter__(self) -> None:
        """Nothing is to be done before."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, SettingsError | FileNotFoundError):
            from flake8.exceptions import ExecutionError

            raise ExecutionError(f"jaxlint: {error}") from None
