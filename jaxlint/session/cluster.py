"""Workers on other machines, by the address of what gives them work.

In: the text of `--executor`. Out: an executor of Python's own interface. Shards of projects
go there with their bytes; findings come back.
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any

from jaxlint.project.option import SettingsError

SCHEME = "dask://"


def executor_of(address: str, timeout: float = 10.0) -> Executor:
    """The executor of a Dask scheduler, `dask://HOST:PORT`.

    Raises:
        SettingsError: another kind of address, no `distributed`, or no scheduler there.
    """
    if not address.startswith(SCHEME):
        raise SettingsError(f"--executor `{address}`: not of the form {SCHEME}HOST:PORT")
    try:
        from distributed import Client
    except ImportError:
        raise SettingsError(
            f"--executor `{address}` needs the package `distributed` (extra `distributed`)"
        ) from None
    place = address.removeprefix(SCHEME)
    try:
        client: Any = Client(f"tcp://{place}", timeout=timeout, set_as_default=False)
    except (OSError, ValueError) as error:
        what = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise SettingsError(f"--executor `{address}`: {what}") from None
    # A worker that dies has its work done by another.
    executor: Executor = client.get_executor(retries=3)
    return executor
