"""The cache folder: records by kind and key.

In: a folder, and JSON values or bytes to keep. Out: the same again, or None where there is no such record or
none that can be read. A record is written whole or not at all; what is wrong with one is no error, and a
folder that cannot be written is a store that forgets. It refuses to know what records mean.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable
from typing import Any

from jaxlint.source.regular_files import read_regular

NAME = ".jaxlint_cache"

TAG = "CACHEDIR.TAG"
"""The file that marks a folder as a cache (bford.info/cachedir)."""

FORM = "1"
"""The form of the records; a folder below the cache is named after it, so that versions do not meet."""

LARGEST = 256 << 20  # bytes that a store may hold
_TAG_TEXT = "Signature: 8a477f597d28d172789f06886806bc55\n# A cache of jaxlint; `jaxlint clean` removes it.\n"
_TAG_SIZE = 4096  # bytes that a tag may have
_OWN = b"A cache of jaxlint"
_DAY = 86_400
_HOUR = 3_600

Say = Callable[[str], None]


def _silent(text: str) -> None:
    """Says nothing."""


def folder_for(root: str, cache_dir: str | None) -> str:
    """The folder of a project's cache.

    A folder of someone's that is no cache and not empty is not made one: the cache goes into it.
    """
    if cache_dir is None:
        return os.path.join(root, NAME)
    with contextlib.suppress(OSError):
        if os.listdir(cache_dir) and not is_cache(cache_dir):
            return os.path.join(cache_dir, NAME)
    return cache_dir


def is_cache(folder: str) -> bool:
    """Whether a folder says that it is a cache of jaxlint. Other tools mark theirs in the same way."""
    try:
        return _OWN in read_regular(os.path.join(folder, TAG), _TAG_SIZE)
    except OSError:
        return False


class Store:
    """Records below one folder. `say` gets a line where the folder cannot be used."""

    def __init__(self, folder: str, say: Say = _silent, largest: int = LARGEST) -> None:
        self.folder = folder
        self._base = os.path.join(folder, FORM)
        self._say = say
        self._largest = largest
        # A tree's own link could lead anywhere. A folder that the settings name may be one.
        self._is_used = os.path.basename(folder) != NAME or not os.path.islink(folder)
        self._is_writable = self._is_used
        if not self._is_used:
            say(f"no cache in {folder}: it is a link")
        self._is_ready = False
        self._written = 0

    def bytes_of(self, kind: str, key: str) -> bytes | None:
        """A record as it was kept."""
        if not self._is_used:
            return None
        path = self._path(kind, key)
        try:
            data = read_regular(path, self._largest)
            age = time.time() - os.stat(path).st_mtime
        except (OSError, MemoryError):
            return None
        if age > _DAY:
            # What is read stays: the oldest records are dropped first.
            with contextlib.suppress(OSError):
                os.utime(path)
        return data

    def value_of(self, kind: str, key: str) -> Any:
        """A JSON record; None also where its text is damaged."""
        data = self.bytes_of(kind, key)
        if data is None:
            return None
        try:
            return json.loads(data)
        except Exception:  # a record may hold anything
            return None

    def keep_bytes(self, kind: str, key: str, data: bytes) -> None:
        if not self._is_writable:
            return
        path = self._path(kind, key)
        scratch = f"{path}.{os.getpid()}.{time.monotonic_ns()}.tmp"
        try:
            self._make_ready()
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(scratch, "xb") as file:
                file.write(data)
            os.replace(scratch, path)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.unlink(scratch)
            if not isinstance(error, PermissionError) or not os.path.exists(path):
                # On Windows a record that another run is reading cannot be replaced; it holds the same.
                self._is_writable = False
                self._say(f"no cache in {self.folder}: {error.strerror or error}")
        else:
            self._written += 1

    def keep(self, kind: str, key: str, value: Any) -> None:
        self.keep_bytes(kind, key, json.dumps(value, separators=(",", ":")).encode("ascii"))

    def trim(self) -> None:
        """Drops the oldest records where there is too much, and what dead runs and other forms left."""
        if not self._written:
            return
        self._written = 0
        now = time.time()
        rows: list[tuple[float, int, str]] = []
        for folder, below, names in os.walk(self.folder):
            if folder == self.folder:
                below[:] = [name for name in below if name.isdigit()]  # the forms, and nothing else
                continue
            for name in names:
                path = os.path.join(folder, name)
                with contextlib.suppress(OSError):
                    stat = os.lstat(path)
                    is_old_scratch = name.endswith(".tmp") and now - stat.st_mtime > _HOUR
                    if is_old_scratch or not folder.startswith(self._base):
                        os.unlink(path)
                    else:
                        rows.append((stat.st_mtime, stat.st_size, path))
        size = sum(row[1] for row in rows)
        if size <= self._largest:
            return
        for _, length, path in sorted(rows):
            with contextlib.suppress(OSError):
                os.unlink(path)
                size -= length
            if size <= self._largest * 3 // 4:
                break

    def _path(self, kind: str, key: str) -> str:
        return os.path.join(self._base, kind, key[:2], key)

    def _make_ready(self) -> None:
        if self._is_ready:
            return
        os.makedirs(self._base, exist_ok=True)
        for name, text in ((TAG, _TAG_TEXT), (".gitignore", "# Made by jaxlint.\n*\n")):
            with contextlib.suppress(FileExistsError), open(os.path.join(self.folder, name), "x") as file:
                file.write(text)
        self._is_ready = True
