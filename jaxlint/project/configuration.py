"""Configuration files: which one a folder falls under, and what it says.

In: a folder, and what the command line says about configuration. Out: `Settings`, the same object for every
folder that falls under the same file. The closest file wins outright; `extend` is the only way to inherit.
Where there is none, the user's own one stands in for it.
It knows the names of files and of the table in pyproject.toml, not the keys.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from jaxlint.project.option import Place, SettingsError
from jaxlint.project.settings import Settings
from jaxlint.project.versions import declared_jax, jax_range, toml_of
from jaxlint.source.regular_files import SETTINGS, read_regular

FILE_NAMES = (".jaxlint.toml", "jaxlint.toml", "pyproject.toml")
COMMAND_LINE = "command line"


class Configuration:
    """Answers which settings a folder or a project falls under.

    Args:
        file: A configuration file for everything, instead of the closest one.
        isolated: Read no configuration file.
        inline: Texts `KEY = VALUE` that win over files.
        overrides: Settings by their kebab-case keys that win over all else.
        cwd: The folder that paths in `inline` and `overrides` are relative to.

    Raises:
        SettingsError: `file` with `isolated`, or a file or text that is wrong.
    """

    def __init__(
        self,
        *,
        file: str | None = None,
        isolated: bool = False,
        inline: Sequence[str] = (),
        overrides: Mapping[str, Any] | None = None,
        origin: str = COMMAND_LINE,
        cwd: str | None = None,
    ) -> None:
        if file is not None and isolated:
            raise SettingsError(f"{origin}: a configuration file (`{file}`) cannot be used with --isolated")
        self._isolated = isolated
        self._place = Place(origin, os.path.abspath(cwd or os.getcwd()))
        self._layers = [_inline(text, self._place) for text in inline]
        if overrides:
            self._layers.append(dict(overrides))
        self._folders: dict[str, str | None] = {}
        self._settings: dict[str | None, Settings] = {}
        self._fixed = None if file is None else os.path.join(self._place.base, os.path.expanduser(file))
        if self._fixed is not None and not os.path.isfile(self._fixed):
            raise SettingsError(f"{origin}: no configuration file `{file}`")
        self.for_file(self._fixed)

    def for_file(self, path: str | None) -> Settings:
        """The settings that a configuration file gives, with the command line's over them; None: no file."""
        settings = self._settings.get(path)
        if settings is None:
            settings = Settings() if path is None else replace(_from_file(path, ()), origin=path)
            settings = self._settings[path] = self._laid_over(settings)
        return settings

    def for_folder(self, folder: str) -> Settings:
        return self.for_file(self.file_for(folder))

    def for_project(self, root: str) -> Settings:
        """The settings of a project's folder; its own dependency on jax stands in for `target-jax`."""
        settings = self.for_folder(root)
        return settings if settings.target_jax is not None else replace(settings, target=declared_jax(root))

    def file_for(self, folder: str) -> str | None:
        """The configuration file that an absolute folder falls under."""
        if self._fixed is not None or self._isolated:
            return self._fixed
        if folder not in self._folders:
            parent = os.path.dirname(folder)
            found = next((path for path in _candidates(folder) if has_settings(path)), None)
            self._folders[folder] = found or (self.file_for(parent) if parent != folder else self._own)
        return self._folders[folder]

    @cached_property
    def _own(self) -> str | None:
        """The user's own file, for what falls under no other."""
        home = os.environ.get("APPDATA" if os.name == "nt" else "XDG_CONFIG_HOME")
        folder = os.path.join(home or os.path.expanduser("~/.config"), "jaxlint")
        found = next((path for path in _candidates(folder) if has_settings(path)), None)
        if found is not None:
            # Its paths and globs are those of the folder where jaxlint runs: below its own there is no code.
            settings = replace(_from_file(found, (), self._place.base), origin=found)
            self._settings[found] = self._laid_over(settings)
        return found

    def _laid_over(self, settings: Settings) -> Settings:
        """Settings with the command line's over them."""
        for layer in self._layers:
            settings = settings.updated(layer, self._place)
        if settings.target_jax is not None:
            settings = replace(settings, target=jax_range(settings.target_jax, "target-jax"))
        return settings


def _candidates(folder: str) -> list[str]:
    return [path for name in FILE_NAMES if os.path.isfile(path := os.path.join(folder, name))]


def has_settings(path: str) -> bool:
    """Whether a file is jaxlint's: by its name, or by its table [tool.jaxlint].

    A pyproject.toml that cannot be parsed is another tool's to complain about, unless it speaks of jaxlint.
    """
    if os.path.basename(path) != "pyproject.toml":
        return True
    try:
        data = read_regular(path, SETTINGS)
    except OSError:
        return False
    if b"jaxlint" not in data:
        return False
    return "jaxlint" in _tool(_parsed(path, _text(path)))


def _text(path: str) -> str:
    try:
        return read_regular(path, SETTINGS).decode("utf-8-sig")
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{path}: not UTF-8") from None


def _parsed(path: str, text: str) -> dict[str, Any]:
    try:
        return toml_of(text)
    except ValueError as error:
        raise SettingsError(f"{path}: {error}") from None


def _tool(document: Mapping[str, Any]) -> Mapping[str, Any]:
    tool = document.get("tool")
    return tool if isinstance(tool, Mapping) else {}


def _from_file(path: str, seen: tuple[str, ...], base: str | None = None) -> Settings:
    """`base`: the folder of its paths and globs; else that of the file."""
    text = _text(path)
    document = _parsed(path, text)
    is_shared = os.path.basename(path) == "pyproject.toml"
    table = _tool(document).get("jaxlint", {}) if is_shared else document
    folder = os.path.dirname(path)
    place = Place(path, base or folder, path=("tool", "jaxlint") if is_shared else (), text=text)
    if not isinstance(table, Mapping):
        raise place.error("`tool.jaxlint` must be a table")
    if not is_shared and "jaxlint" in _tool(table):
        raise place.error("`[tool.jaxlint]` is for pyproject.toml: here the keys stand without it")
    settings = Settings()
    parent = table.get("extend")
    if isinstance(parent, str):
        target = os.path.normpath(os.path.join(folder, os.path.expanduser(parent)))
        if target in (*seen, path):
            raise place.at("extend").error(f"`extend` comes back to `{parent}`")
        if not os.path.isfile(target):
            raise place.at("extend").error(f"`extend`: no configuration file `{parent}`")
        settings = _from_file(target, (*seen, path))
    return settings.updated(table, place)


def _inline(text: str, place: Place) -> dict[str, Any]:
    """One `KEY = VALUE`; a value that is no TOML is taken for a string."""
    try:
        return toml_of(text)
    except ValueError as error:
        key, _, value = text.partition("=")
        value = value.strip()
        if value and value[0] not in "\"'[{":
            quoted = value.replace("\\", "\\\\").replace('"', '\\"')
            with contextlib.suppress(ValueError):
                return toml_of(f'{key.strip()} = "{quoted}"')
        raise place.error(f"--config `{text}`: {error}") from None
