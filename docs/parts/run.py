"""What jaxlint prints of docs/example, in a process of its own and in the repository's folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLE = "docs/example"


@cache
def printed(*flags: str) -> str:
    """The output of `jaxlint check docs/example FLAGS`.

    Raises:
        RuntimeError: jaxlint did not end with findings.
    """
    done = subprocess.run(
        [sys.executable, "-P", "-m", "jaxlint", "check", EXAMPLE, *flags],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
    )
    if done.returncode != 1:
        raise RuntimeError(f"jaxlint ended with {done.returncode} on {EXAMPLE}: {done.stderr}")
    return done.stdout


def output() -> str:
    """The output without colours, as a block of Markdown."""
    return f"```text\n{printed('--output-format', 'full', '--color', 'never').rstrip()}\n```"


def findings() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(printed("--output-format", "json"))
    return found
