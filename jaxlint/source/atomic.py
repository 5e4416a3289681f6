"""Writing a file so that its readers see the old bytes or the new ones, and nothing between."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress


def write_atomically(path: str, data: bytes) -> None:
    """Write `data` beside the file and move it there: a reader sees the old bytes or the new ones.

    A link is followed, so that what it points to is replaced and the link stays. The mode is kept.

    Raises:
        OSError: the file could not be written; it is as it was.
    """
    real = os.path.realpath(path)
    if os.path.exists(real) and not os.access(real, os.W_OK):
        raise PermissionError(13, "Permission denied", path)
    handle, temporary = tempfile.mkstemp(prefix=".", suffix=".jaxlint", dir=os.path.dirname(real))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _copy_access(real, temporary)
        os.replace(temporary, real)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _copy_access(real: str, temporary: str) -> None:
    try:
        status = os.stat(real)
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        return
    if hasattr(os, "chown"):
        # Only a privileged process may give a file away; the mode is what must hold.
        with suppress(OSError):
            os.chown(temporary, status.st_uid, status.st_gid)
    os.chmod(temporary, stat.S_IMODE(status.st_mode))
