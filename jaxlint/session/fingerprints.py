"""What the findings of a project depend on, as one key.

In: a `Project`, unsaved text, and what an earlier run knew of the files. Out: the digest of every file's
bytes, of jaxlint itself, of LibCST and Python, and of the settings that the analysis reads. A file that has
not been touched since its digest was taken is not read again. It never looks at what the bytes say.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import time
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import blake2b
from typing import Any

from jaxlint._version import __version__
from jaxlint.project.folders import lies_in
from jaxlint.project.installed import installed
from jaxlint.project.project import Project, SourceFile
from jaxlint.session.store import Store
from jaxlint.source.regular_files import SOURCE, read_regular

# A file may change twice within one tick of its file system's clock: 2 s on FAT.
_TICK = 2_000_000_000
ASIDE = ("cli", "confirm", "server")  # folders that findings do not depend on
_COMPILED = "__pycache__"
_SUFFIXES = (".py", ".csv", ".json")

Fingerprint = list[Any]  # size, times of the last change of content and of the file's record, digest


def digest(data: bytes) -> str:
    return blake2b(data, digest_size=20).hexdigest()


class Fingerprints:
    """The digests of files, remembered by size and times in a record of the store."""

    def __init__(self, store: Store, name: str) -> None:
        self._store = store
        self._key = digest(name.encode("utf-8", "surrogatepass"))
        kept = store.value_of("files", self._key)
        rows = kept.get("files") if isinstance(kept, dict) else None
        sites = kept.get("sites") if isinstance(kept, dict) else None
        self._known: dict[str, Fingerprint] = rows if isinstance(rows, dict) else {}
        self._sites: dict[str, Fingerprint] = sites if isinstance(sites, dict) else {}
        self._seen: dict[str, Fingerprint] = {}
        self._seen_sites: dict[str, Fingerprint] = {}
        self._is_changed = False

    def of(self, path: str) -> str:
        """The digest of a file's bytes; what the system says of one that cannot be read."""
        try:
            stat = os.stat(path)
            fingerprint = self._known.get(path)
            times = stat.st_mtime_ns, stat.st_ctime_ns
            if (
                isinstance(fingerprint, list)
                and fingerprint[:3] == [stat.st_size, *times]
                and len(fingerprint) == 4
            ):
                self._seen[path] = fingerprint
                return str(fingerprint[3])
            found = digest(read_regular(path, SOURCE))
        except OSError as error:
            return f"unreadable: {error.strerror or error}"
        self._is_changed = True
        if max(times) + _TICK < time.time_ns():
            self._seen[path] = [stat.st_size, *times, found]
        return found

    def site(self, folder: str) -> tuple[list[str], bool]:
        """Of a folder that imports start from: the releases of LibCST in it, and whether anything that is
        installed there brings rules."""
        try:
            time_ns = os.stat(folder).st_mtime_ns
        except OSError:
            return [], False
        fingerprint = self._sites.get(folder)
        if not (isinstance(fingerprint, list) and len(fingerprint) == 3 and fingerprint[0] == time_ns):
            fingerprint = [time_ns, *installed(folder)]
            self._is_changed = True
        if time_ns + _TICK < time.time_ns():
            self._seen_sites[folder] = fingerprint
        return list(fingerprint[1]), bool(fingerprint[2])

    def save(self) -> None:
        if self._is_changed or self._seen.keys() != self._known.keys():
            self._store.keep("files", self._key, {"files": self._seen, "sites": self._seen_sites})


def tool_fingerprint(fingerprints: Fingerprints) -> str | None:
    """What of jaxlint, LibCST and Python the findings depend on; None where installed packages bring rules,
    which may depend on anything."""
    releases: list[str] = []
    for folder in dict.fromkeys(os.path.abspath(entry) for entry in sys.path):
        found, brings_rules = fingerprints.site(folder)
        if brings_rules:
            return None
        releases += found
    parts = [__version__, sys.version, *releases]
    parts += [f"{name} {fingerprints.of(path)}" for name, path in own_files()]
    return digest("\n".join(parts).encode("utf-8", "surrogatepass"))


@cache
def own_digest() -> str:
    """The digest of the files that jaxlint's analysis and rules are made of."""
    parts = [f"{name} {digest(read_regular(path, SOURCE))}" for name, path in own_files()]
    return digest("\n".join(parts).encode("utf-8", "surrogatepass"))


def own_files() -> Iterable[tuple[str, str]]:
    """The files that jaxlint's analysis and rules are made of."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    rules = importlib.util.find_spec("jaxlint.rules")
    found = (rules.submodule_search_locations or []) if rules is not None else []
    # installed, the rules lie in the package
    roots = [package, *(each for each in found if not lies_in(os.path.abspath(each), package))]
    for number, root in enumerate(roots):
        for folder, inside, names in os.walk(root):
            skipped = (*ASIDE, _COMPILED) if folder == package else (_COMPILED,)
            inside[:] = sorted(name for name in inside if name not in skipped)
            for name in sorted(names):
                if name.endswith(_SUFFIXES):
                    path = os.path.join(folder, name)
                    yield f"{number} {os.path.relpath(path, root)}", path


def project_fingerprint(
    project: Project, tool: str, digests: Mapping[str, str], unsaved: Mapping[str, bytes], facts: str = ""
) -> str:
    """The key of all findings in a project. facts: the digest of what runs showed of its files."""
    now = {**digests, **{path: digest(data) for path, data in unsaved.items()}}
    return files_fingerprint(shape_fingerprint(project, tool), project.files, now, facts)


def shape_fingerprint(project: Project, tool: str) -> str:
    """What findings depend on besides the bytes of files: settings, and what the files are named."""
    settings = project.settings
    parts = [tool, repr(settings.target.lowest), repr(settings.target.highest), repr(settings.jax)]
    parts += [repr(settings.tests), project.root]
    for file in project.files:
        parts.append(f"{file.path}\0{' '.join(file.module)}\0{file.is_package}\0{file.format}")
    return digest("\n".join(parts).encode("utf-8", "surrogatepass"))


def files_fingerprint(
    shape: str, files: Iterable[SourceFile], digests: Mapping[str, str], facts: str = ""
) -> str:
    """The key of the findings in some files of a project that are analyzed together. facts: the digest of
    what runs showed of them."""
    parts = [shape, *(f"{file.path}\0{digests[file.path]}" for file in files), *([facts] if facts else [])]
    return digest("\n".join(parts).encode("utf-8", "surrogatepass"))
