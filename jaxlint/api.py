"""jaxlint from Python: files linted and fixed, once or again and again.

In: paths, texts that stand in for files, settings. Out: diagnostics, and what fixes change. It does what the
command does, and prints nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

from jaxlint.diagnostic import Diagnostic
from jaxlint.failure import in_a_line
from jaxlint.project.configuration import Configuration
from jaxlint.project.discovery import find_projects
from jaxlint.session.check import Check, FixedFile
from jaxlint.session.session import Session
from jaxlint.source.formats import is_embedded
from jaxlint.source.text import as_bytes

Path = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Change:
    """What fixes make of a file.

    path: absolute. before, after: the bytes of the file; of a notebook all of it. applied: the findings that
    are fixed. problem: why the file was left as it was, in one line; None where it was not.
    """

    path: str
    before: bytes
    after: bytes
    applied: tuple[Diagnostic, ...] = ()
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Fixes:
    """What fixes change, by file, and the findings that are left, in the order of the report."""

    changes: tuple[Change, ...]
    left: tuple[Diagnostic, ...]


class Linter:
    """Lints and fixes with the same settings, and keeps what it has read for the next call.

    It can be used from several threads; calls wait for each other.

    Args:
        config: A configuration file to use for every file, instead of the closest one.
        isolated: Read no configuration file.
        cache: Also keep results on disk, as the command does.
        settings: Any setting by its name with underscores, in the types of the configuration file, such as
            `select=["JAX1", "key-reuse"]` or `target_jax=">=0.4.30"`. They win over the files.

    Raises:
        SettingsError: An unknown setting, or a value of the wrong type.
    """

    def __init__(
        self, *, config: Path | None = None, isolated: bool = False, cache: bool = False, **settings: Any
    ) -> None:
        self._how = {
            "file": None if config is None else os.fspath(config),
            "isolated": isolated,
            "overrides": _as_tables(settings),
        }
        self._configuration()  # what is wrong is told now
        self._session = Session(cache=cache, is_lasting=True)
        self._lock = Lock()

    def lint(
        self, paths: Path | Iterable[Path] = ".", *, unsaved: Mapping[Path, str] | None = None
    ) -> list[Diagnostic]:
        """The findings in files and folders; the projects around them are what is analyzed.

        Args:
            paths: What is reported.
            unsaved: Texts by path that stand in for files, which need not exist; they are reported too. The
                text of a notebook is its JSON.

        Returns:
            The diagnostics in the order of the report: by file, row, column, code.

        Raises:
            SettingsError: A configuration file that is wrong, or an unknown rule.
            MissingPath: A path that does not exist; a `FileNotFoundError`.
            TypeError: A path that is none, or a text that is no `str`.
        """
        with self._lock:
            found = [each for check in self._checks(paths, unsaved) for each in check.diagnostics]
        return sorted(found, key=Diagnostic.sort_key)

    def fix(
        self,
        paths: Path | Iterable[Path] = ".",
        *,
        unsafe: bool = False,
        write: bool = True,
        unsaved: Mapping[Path, str] | None = None,
    ) -> Fixes:
        """Applies the fixes of the findings, as `jaxlint check --fix` does.

        Args:
            unsafe: Apply unsafe fixes too, which may change results.
            write: Write the files; texts that stand in for files are never written.

        Raises:
            SettingsError: A configuration file that is wrong, or an unknown rule.
            MissingPath: A path that does not exist; a `FileNotFoundError`.
            TypeError: A path that is none, or a text that is no `str`.
        """
        changes: list[Change] = []
        left: list[Diagnostic] = []
        with self._lock:
            texts = _absolute(unsaved)
            for check in self._checks(paths, unsaved):
                files, rest = check.fixed(unsafe)
                made = [_change(file, write and file.path not in texts) for file in files]
                changes += made
                left += check.again() if any(each.problem for each in made) and write else rest
        return Fixes(tuple(changes), tuple(sorted(left, key=Diagnostic.sort_key)))

    def close(self) -> None:
        """Lets go of what is kept."""
        self._session.close()

    def __enter__(self) -> Linter:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _configuration(self) -> Configuration:
        return Configuration(**self._how, origin="jaxlint")  # type: ignore[arg-type]

    def _checks(self, paths: Path | Iterable[Path], unsaved: Mapping[Path, str] | None) -> list[Check]:
        named = [paths] if isinstance(paths, str | bytes | os.PathLike) else list(paths)
        texts = _absolute(unsaved)
        found = find_projects([_text_of(path) for path in named], self._configuration(), unsaved=texts)
        checks = []
        for project in found.projects:
            inside = {
                path: text.encode("utf-8", "replace") if is_embedded(own.format) else as_bytes(text)
                for path, text in texts.items()
                if (own := project.by_path.get(path)) is not None
            }
            checks.append(Check(project, unsaved=inside, session=self._session))
        return checks


def lint(
    paths: Path | Iterable[Path] = ".",
    *,
    config: Path | None = None,
    isolated: bool = False,
    **settings: Any,
) -> list[Diagnostic]:
    """Lint files and folders as `jaxlint check` does; as `Linter.lint`, once.

    Raises:
        SettingsError: An unknown setting or rule, or a value of the wrong type.
        MissingPath: A path that does not exist; a `FileNotFoundError`.
    """
    return _once(config, isolated, settings).lint(paths)


def fix(
    paths: Path | Iterable[Path] = ".",
    *,
    unsafe: bool = False,
    write: bool = True,
    config: Path | None = None,
    isolated: bool = False,
    **settings: Any,
) -> Fixes:
    """Fix files and folders as `jaxlint check --fix` does; as `Linter.fix`, once.

    Raises:
        SettingsError: An unknown setting or rule, or a value of the wrong type.
        MissingPath: A path that does not exist; a `FileNotFoundError`.
    """
    return _once(config, isolated, settings).fix(paths, unsafe=unsafe, write=write)


def _once(config: Path | None, isolated: bool, settings: Mapping[str, Any]) -> Linter:
    """A linter for one call, which keeps nothing."""
    linter = Linter(config=config, isolated=isolated, **settings)
    linter._session = Session()
    return linter


def _change(file: FixedFile, write: bool) -> Change:
    """What a fix changed, written if that is wanted; what cannot be is told."""
    from jaxlint.fixes.apply import Unwritable, write_fixed
    from jaxlint.source.text import UnreadableSource

    before = file.before.encode("replace")
    problem = None
    if file.outcome.broken and file.before.text == file.outcome.text:
        problem = f"the fixes of {', '.join(sorted(file.outcome.broken))} make a syntax error"
    elif file.before.text != file.outcome.text:
        try:
            if write:
                write_fixed(file.path, file.before.text, file.outcome.text, file.before.reread)
            after = file.before.with_text(file.outcome.text).encode()
            return Change(file.path, before, after, file.outcome.applied)
        except (Unwritable, UnreadableSource) as error:
            problem = error.reason
        except Exception as error:
            problem = f"internal error: {in_a_line(error)}"
    return Change(file.path, before, before, (), problem)


def _text_of(path: Path) -> str:
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"a path must be a str, not {type(text).__name__}")
    return text


def _absolute(unsaved: Mapping[Path, str] | None) -> dict[str, str]:
    found = {}
    for path, text in (unsaved or {}).items():
        if not isinstance(text, str):
            raise TypeError(f"the text of `{path!s}` must be a str, not {type(text).__name__}")
        folder, name = os.path.split(os.path.abspath(_text_of(path)))
        found[os.path.join(os.path.realpath(folder), name)] = text
    return found


def _as_tables(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with Python's names as the configuration file would give them."""
    tables: dict[str, Any] = {}
    for name, value in settings.items():
        if name in ("jax", "confirm") and isinstance(value, Mapping):
            value = _as_tables(value)
        tables[name.replace("_", "-")] = value
    return tables
