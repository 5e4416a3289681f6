"""Reading files that a tree may hold: regular ones only, and only so much of them.

In: a path and how many bytes it may have. Out: the bytes. A pipe, a device or a link to one would block a run
or fill the memory; these, and what is larger, are refused as if the system refused them.
"""

from __future__ import annotations

import errno
import os
import stat

SOURCE = 256 << 20
"""Bytes that a file of Python text may have."""

SETTINGS = 16 << 20
"""Bytes that a file of settings, requirements or patterns may have."""

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def read_regular(path: str, most: int) -> bytes:
    """The bytes of a regular file, links to it followed.

    Raises:
        OSError: the file cannot be read, is not a regular one, or has more bytes than `most`.
    """
    handle = os.open(path, _FLAGS)
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", path)
        data = file.read(min(status.st_size, most) + 1)
        if status.st_size < len(data) <= most:  # it grows, or says that it is empty as files of /proc do
            data += file.read(most + 1 - len(data))
    if len(data) > most:
        raise OSError(errno.EFBIG, f"larger than {most >> 20} MiB", path)
    return data
