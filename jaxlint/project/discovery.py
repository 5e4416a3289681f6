"""Finds the projects around the paths that are to be reported.

In: paths and the configuration. Out: `Project`s, each with every file that is analysed and the paths of those
that are reported. What is analysed does not depend on which of a project's files were named. It looks at
names, markers and .gitignore files, never at Python text.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from jaxlint.project.configuration import Configuration
from jaxlint.project.folders import Packages, is_package, lies_in, upwards
from jaxlint.project.gitignore import GitIgnore
from jaxlint.project.project import Names, Project
from jaxlint.project.settings import Settings

SETTINGS_MARKERS = ("jaxlint.toml", ".jaxlint.toml", "pyproject.toml")
MARKERS = (*SETTINGS_MARKERS, ".git")

MOST_FOLDERS = 2000
"""How many folders are walked around a file that no marker says the project of."""


class MissingPath(FileNotFoundError):
    """Paths that do not exist; the text is one line."""

    def __init__(self, paths: Sequence[str]) -> None:
        super().__init__("no such file or folder: " + ", ".join(f"`{path}`" for path in paths))


@dataclass(frozen=True, slots=True)
class Found:
    """What the paths mean."""

    projects: tuple[Project, ...]


def find_projects(
    paths: Iterable[str], configuration: Configuration, *, unsaved: Iterable[str] = ()
) -> Found:
    """The projects of files and folders.

    Args:
        paths: What is reported, relative to the working folder or absolute.
        configuration: Where settings come from.
        unsaved: The names that unsaved texts go under; they are reported, and need not exist.

    Raises:
        MissingPath: a path that does not exist.
        SettingsError: a configuration file on the way that is wrong.
    """
    named = [os.path.abspath(path) for path in paths]
    missing = [path for path, full in zip(paths, named, strict=True) if not path or _is_missing(full)]
    if missing:
        raise MissingPath(missing)
    search = _Search(configuration)
    # Folders first: a file below a folder that was named too belongs to that folder's project.
    for path in sorted(named, key=lambda path: (not os.path.isdir(path), path)):
        if os.path.isdir(path):
            search.add_folder(path)
        else:
            search.add_file(path)
    for path in sorted(map(os.path.abspath, unsaved)):
        search.add_file(path)
    return search.found()


def _is_missing(path: str) -> bool:
    """Whether there is certainly nothing at a path: in a folder that cannot be entered there may be."""
    try:
        os.lstat(path)
    except PermissionError:
        return False
    except (OSError, ValueError):
        return True
    return False


@dataclass(slots=True)
class _Tree:
    """What a walk found: the files of one project, and the roots of others below it. A folder that may not be
    read counts as a file, which cannot be read either."""

    files: list[str] = field(default_factory=list)
    roots: list[str] = field(default_factory=list)
    is_cut: bool = False


@dataclass(slots=True)
class _Draft:
    """A project in the making."""

    root: str
    settings: Settings
    files: set[str] = field(default_factory=set)
    roots: set[str] = field(default_factory=set)
    reported: set[str] = field(default_factory=set)
    whole: bool = True
    is_walked: bool = False


class _Search:
    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self._drafts: dict[str, _Draft] = {}
        self._wide = _wide_folders()

    def found(self) -> Found:
        projects = []
        for draft in sorted(self._drafts.values(), key=lambda draft: draft.root):
            if draft.reported:
                names = Names(draft.root, draft.settings)
                files = tuple(names.source_file(path) for path in sorted(draft.files))
                projects.append(
                    Project(draft.root, files, frozenset(draft.reported), draft.settings, draft.whole)
                )
        return Found(tuple(projects))

    def add_folder(self, path: str) -> None:
        folder = os.path.realpath(path)
        root = self._marked_root(folder, named=True) or folder
        draft = self._draft(root)
        if draft.settings.force_exclude and _is_left_out(folder, root, draft.settings, is_folder=True):
            return
        self._walk_root(draft)
        if folder != root and _is_left_out(folder, root, draft.settings, is_folder=True):
            self._take(draft, _walk(folder, draft.settings))
        self._report(draft, folder)

    def add_file(self, path: str) -> None:
        folder = os.path.realpath(os.path.dirname(path))
        file = os.path.join(folder, os.path.basename(path))
        root = self._marked_root(folder, named=False)
        draft = self._draft(root) if root is not None else self._unmarked(folder)
        if draft.settings.force_exclude and _is_left_out(file, draft.root, draft.settings, is_folder=False):
            return
        self._walk_root(draft)
        draft.files.add(file)
        draft.reported.add(file)

    def _draft(self, root: str) -> _Draft:
        if root not in self._drafts:
            self._drafts[root] = _Draft(root, self._configuration.for_project(root))
        return self._drafts[root]

    def _walk_root(self, draft: _Draft) -> None:
        if not draft.is_walked:
            draft.is_walked = True
            self._take(draft, _walk(draft.root, draft.settings))

    def _take(self, draft: _Draft, tree: _Tree) -> None:
        draft.files.update(tree.files)
        draft.roots.update(tree.roots)

    def _report(self, draft: _Draft, folder: str) -> None:
        """Report what lies below a folder, in this project and in those nested in it."""
        draft.reported.update(path for path in draft.files if lies_in(path, folder))
        for root in sorted(draft.roots):
            if lies_in(root, folder):
                nested = self._draft(root)
                self._walk_root(nested)
                self._report(nested, root)

    def _marked_root(self, folder: str, named: bool) -> str | None:
        """The nearest folder upwards with a marker.

        A .git in the home folder keeps someone's dotfiles; it makes no project of the whole disk.
        """
        for step in upwards(folder):
            is_wide = step in self._wide and not (named and step == folder)
            markers = SETTINGS_MARKERS if is_wide else MARKERS
            if any(os.path.exists(os.path.join(step, marker)) for marker in markers):
                return step
        return None

    def _unmarked(self, folder: str) -> _Draft:
        """The project of a file that no marker says the project of: the folder that its package lies in."""
        for root in sorted(self._drafts, key=len, reverse=True):
            if self._drafts[root].is_walked and self._drafts[root].whole and lies_in(folder, root):
                return self._drafts[root]
        base = next(iter(Packages().bases(folder)), folder)
        draft = self._draft(base)
        tree = None
        if base not in self._wide and draft.whole and not draft.is_walked:
            tree = _walk(base, draft.settings, MOST_FOLDERS)
        if tree is not None and not tree.is_cut:
            self._take(draft, tree)
        elif not draft.is_walked or not draft.whole:
            draft.whole = False
            self._take(draft, _neighbourhood(folder, base, draft.settings))
        draft.is_walked = True
        return draft


def _walk(start: str, settings: Settings, most: int = sys.maxsize) -> _Tree:
    """The files below a folder, without what is left out and without projects of their own.

    Links to folders are not followed, so no loop can be walked. A walk past `most` folders is cut.
    """
    tree = _Tree()
    ignore = GitIgnore.above(start) if settings.respect_gitignore else GitIgnore()
    folders = [(start, ignore)]
    count = 0
    while folders:
        folder, ignore = folders.pop()
        count += 1
        if count > most:
            tree.is_cut = True
            return tree
        try:
            with os.scandir(folder) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except PermissionError:
            tree.files.append(folder)
            continue
        except OSError:
            continue
        names = {entry.name for entry in found}
        if folder != start and "pyvenv.cfg" in names:
            continue
        if folder != start and not names.isdisjoint(MARKERS):
            tree.roots.append(folder)
            continue
        if settings.respect_gitignore and ".gitignore" in names:
            ignore = ignore.below(folder)
        for entry in found:
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_folder and not _is_source(entry, start, settings):
                continue
            if _is_excluded(entry.path, settings) or ignore.ignores(entry.path, is_folder):
                continue
            if is_folder:
                folders.append((entry.path, ignore))
            else:
                tree.files.append(entry.path)
    return tree


def _is_source(entry: os.DirEntry[str], start: str, settings: Settings) -> bool:
    globs = (*settings.include, *settings.extend_include)
    if not any(glob.matches(entry.path) for glob in globs) and not _is_added(entry.name, settings):
        return False
    # A link to a file of the same tree is that file once more.
    if entry.is_symlink() and lies_in(os.path.realpath(entry.path), start):
        return False
    try:
        return entry.is_file()
    except OSError:
        # A link that leads back to itself.
        return False


def _is_added(name: str, settings: Settings) -> bool:
    """Whether the settings say how Python is found in files whose names end so."""
    return any(name.lower().endswith(f".{end}") for end, _ in settings.extension)


def _is_excluded(path: str, settings: Settings) -> bool:
    return any(glob.matches(path) for glob in (*settings.exclude, *settings.extend_exclude))


def _is_left_out(path: str, root: str, settings: Settings, is_folder: bool) -> bool:
    """Whether a walk from `root` would pass over `path`: it or a folder on the way is excluded or ignored. A
    pattern of the command line counts from where that was given, which may be above."""
    above = [*upwards(path)]
    steps = [step for step in above if lies_in(step, root) and step != root]
    for glob in (*settings.exclude, *settings.extend_exclude):
        given = [step for step in above if glob.base and lies_in(step, glob.base) and step != glob.base]
        if any(map(glob.matches, (*steps, *given))):
            return True
    if not settings.respect_gitignore:
        return False
    ignore = GitIgnore.above(root).below(root)
    for step in reversed(steps):
        if ignore.ignores(step, is_folder or step != path):
            return True
        ignore = ignore.below(step)
    return False


def _neighbourhood(folder: str, base: str, settings: Settings) -> _Tree:
    """The files beside one, and the packages of the folder that imports start from."""
    tree = _Tree()
    for place in {folder, base}:
        try:
            with os.scandir(place) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in found:
            if _is_excluded(entry.path, settings):
                continue
            if _is_source(entry, place, settings):
                tree.files.append(entry.path)
            elif place == base and entry.is_dir(follow_symlinks=False) and is_package(entry.path):
                tree.files += _walk(entry.path, settings).files
    return tree


def _wide_folders() -> frozenset[str]:
    """Folders that hold far more than a project: the home folder, all above it, the one for scratch files."""
    home = os.path.realpath(os.path.expanduser("~"))
    scratch = os.path.realpath(tempfile.gettempdir())
    return frozenset([*upwards(home), scratch, os.path.abspath(os.sep)])
