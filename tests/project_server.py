"""Runs `main.py` of folders, each in a process of its own, which is forked from one that has imported JAX.

In, as a program: lines of JSON, a folder and a file for what the program writes to standard error. Out: a line with
the exit status of each. `run` asks for one, as `python -W ignore main.py` in the folder would be.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import selectors
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

LIMIT = 300.0  # seconds for one program


def run(folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """Exit status and standard error of a folder's program.

    Raises:
        TimeoutError: it has not ended within the limit.
    """
    server = _server(tuple(sorted(environment.items())))
    assert server.stdin is not None and server.stdout is not None
    with tempfile.NamedTemporaryFile() as said, selectors.DefaultSelector() as selector:
        server.stdin.write(json.dumps([str(folder.resolve()), said.name]) + "\n")
        server.stdin.flush()
        selector.register(server.stdout, selectors.EVENT_READ)
        if not selector.select(LIMIT):
            raise TimeoutError(f"{folder.name} has not ended within {LIMIT:.0f} seconds")
        return int(server.stdout.readline()), Path(said.name).read_text(encoding="utf-8")


@functools.cache
def _server(environment: tuple[tuple[str, str], ...]) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "ignore", __file__]
    server = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(environment)
    )
    atexit.register(server.kill)
    return server


def main() -> None:
    import jax.numpy  # noqa: F401

    for line in sys.stdin:
        folder, said = json.loads(line)
        child = os.fork()
        if child == 0:
            _become(folder, said)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _become(folder: str, said: str) -> None:
    """Runs the program as the only one of this process."""
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(0, 1)
    os.dup2(os.open(said, os.O_WRONLY), 2)
    os.chdir(folder)
    sys.path[0] = folder
    sys.argv = ["main.py"]
    main = ModuleType("__main__")
    main.__file__ = f"{folder}/main.py"
    sys.modules["__main__"] = main
    status = 1
    try:
        exec(
            compile(Path(main.__file__).read_bytes(), main.__file__, "exec", dont_inherit=True), main.__dict__
        )
        status = 0
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    main()
