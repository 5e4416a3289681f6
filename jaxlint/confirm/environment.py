"""A virtual environment with one version of JAX, for as long as it is needed.

In: a version. Out: the path of an interpreter that has it. It asks pip, through pip's own configuration, and
knows nothing of claims.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

from jaxlint.confirm.pool import NoJax


@contextmanager
def interpreter_with(version: str) -> Iterator[str]:
    """An interpreter with that version of JAX: the running one where it has it.

    Raises:
        NoJax: pip cannot install it; the message is what pip says.
    """
    if _installed() == version:
        yield sys.executable
        return
    with tempfile.TemporaryDirectory(prefix=f"jaxlint-jax-{version}-") as folder:
        venv.create(folder, with_pip=True, symlinks=True)
        python = str(Path(folder, "bin", "python"))
        done = subprocess.run(
            [
                python,
                "-P",
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                f"jax[cpu]=={version}",
            ],
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            said = [line for line in done.stderr.splitlines() if line.startswith("ERROR:")]
            raise NoJax(said[-1] if said else f"pip ended with status {done.returncode}")
        yield python


def _installed() -> str:
    try:
        return metadata.version("jax")
    except metadata.PackageNotFoundError:
        return ""
