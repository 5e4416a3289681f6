"""When the output is coloured: on a terminal and in a pipe, under the variables that users set, as Ruff does."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from verify_cases import share_of

from jaxlint.cli.report import is_coloured

pty = pytest.importorskip("pty", reason="no pseudo-terminals on this system")

RUFF = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select", "F", "a.py"]
JAXLINT = [sys.executable, "-m", "jaxlint", "check", "--isolated", "-n", "a.py"]
# What a run that takes long writes over itself on a terminal: on a busy machine any does.
PROGRESS = re.compile(rb"\r\x1b\[K(?:jaxlint: [^\r\n]*)?")
VARIABLES = {
    "NO_COLOR": (None, "", "0", "1"),
    "FORCE_COLOR": (None, "", "0", "1"),
    "TERM": ("xterm", "dumb", ""),
}
CASES = [dict(zip(VARIABLES, values, strict=True)) for values in product(*VARIABLES.values())]
CASES += [
    {"TERM": term, "CLICOLOR": soft, "CLICOLOR_FORCE": forced, "NO_COLOR": none}
    for term, soft, forced, none in product(("xterm", "dumb"), (None, "0"), (None, "", "0", "1"), (None, "1"))
]


def output(command: list[str], folder: Path, given: dict[str, str | None], terminal: bool) -> bytes:
    variables = {key: value for key, value in os.environ.items() if "COLOR" not in key and key != "CI"}
    variables |= {"PYTHONPATH": os.pathsep.join(sys.path)}
    variables |= {key: value for key, value in given.items() if value is not None}
    if not terminal:
        return subprocess.run(command, cwd=folder, env=variables, capture_output=True, timeout=60).stdout
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, cwd=folder, env=variables, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        parts = []
        try:
            while part := os.read(ours, 65536):
                parts.append(part)
        except OSError:  # the other end is closed
            pass
        process.wait(60)
    os.close(ours)
    return PROGRESS.sub(b"", b"".join(parts))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("colour")
    (made / "a.py").write_text("import os\nimport jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n")
    return made


class Stream(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "terminal"])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_as_ruff(
    folder: Path, case: dict[str, str | None], terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in {"NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM"}:
        monkeypatch.delenv(name, raising=False)
    for name, value in case.items():
        if value is not None:
            monkeypatch.setenv(name, value)
    theirs = output(RUFF, folder, case, terminal)
    assert b"F401" in theirs and is_coloured("auto", Stream(terminal)) == (b"\x1b[" in theirs)


@pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "terminal"])
@pytest.mark.parametrize("case", share_of(CASES[::9]), ids=str)
def test_a_run_as_ruff(folder: Path, case: dict[str, str | None], terminal: bool) -> None:
    ours, theirs = (output(command, folder, case, terminal) for command in (JAXLINT, RUFF))
    assert b"JAX101" in ours and (b"\x1b[" in ours) == (b"\x1b[" in theirs)


@pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "terminal"])
def test_the_flag_wins(folder: Path, terminal: bool) -> None:
    always = output([*JAXLINT, "--color", "always"], folder, {"NO_COLOR": "1", "TERM": "dumb"}, terminal)
    never = output([*JAXLINT, "--color", "never"], folder, {"FORCE_COLOR": "1", "TERM": "xterm"}, terminal)
    assert b"\x1b[" in always and b"\x1b[" not in never
