"""What .gitignore files leave out.

In: a folder. Out: `GitIgnore`, the rules in force there, which grows by a folder's own file on the way down.
The innermost file that says something about a path decides, as in git. pathspec is loaded only where there is
a file to read.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.engine.folder import upwards

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


@dataclass(frozen=True, slots=True)
class GitIgnore:
    """Specs with the folders that they are relative to, outermost first."""

    specs: tuple[tuple[str, GitIgnoreSpec], ...] = ()

    @classmethod
    def above(cls, folder: str) -> GitIgnore:
        """The rules that the folders above give, up to the top of the repository.

        A file that leaves out `folder` itself has no say: the folder was asked for.
        """
        found: list[tuple[str, GitIgnoreSpec]] = []
        for parent in _up_to_repository(folder):
            if parent != folder:
                found[:0] = _read(parent, ".gitignore")
            found[:0] = _read(parent, os.path.join(".git", "info", "exclude"))
        return cls(tuple(row for row in found if not cls((row,)).ignores(folder, is_folder=True)))

    def below(self, folder: str) -> GitIgnore:
        """These rules with those of the folder's own file."""
        own = _read(folder, ".gitignore")
        return GitIgnore((*self.specs, *own)) if own else self

    def ignores(self, path: str, is_folder: bool) -> bool:
        for base, spec in reversed(self.specs):
            relative = os.path.relpath(path, base).replace(os.sep, "/")
            if relative == ".":
                continue
            said = spec.check_file(relative + "/" if is_folder else relative).include
            if said is not None:
                return said
        return False


def _up_to_repository(folder: str) -> list[str]:
    """The folder and those above it, up to the one that holds .git; only itself where none does."""
    passed: list[str] = []
    for step in upwards(folder):
        passed.append(step)
        if os.path.exists(os.path.join(step, ".git")):
            return passed
    return [folder]


def _read(folder: str, name: str) -> list[tuple[str, GitIgnoreSpec]]:
    try:
        with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return []
    if not any(line and not line.startswith("#") for line in lines):
        return []
    from pathspec import GitIgnoreSpec

    valid = []
    for line in lines:
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError:
            # git passes over a pattern that it cannot read.
            continue
        valid.append(line)
    return [(folder, GitIgnoreSpec.from_lines(valid))]
