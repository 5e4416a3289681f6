"""What several test modules share: the command run in this process, and a pipeline with findings by word."""

from __future__ import annotations

import gc
import io
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from linted import SHARED

from jaxlint.diagnostic import Applicability, Diagnostic, Edit, Fix, Severity, Span
from jaxlint.project.project import Project
from jaxlint.session import pipeline

if TYPE_CHECKING:
    from distribution import Scheduling

# The collector walks what JAX and the programs that were linted hold, which is much: less often than by default.
gc.set_threshold(100_000, 20, 100)

# Read where SciPy is loaded. After a fork OpenBLAS starts its threads anew, which from a thread of XLA's never ends.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A shell that starts the tests in the background has them ignore Ctrl-C, and with them the programs that they run.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling | None:
    if config.getvalue("dist") != "load":
        return None
    from distribution import Scheduling

    return Scheduling(config, log)


def pytest_configure(config: pytest.Config) -> None:
    """Workers get the folder from the process that starts them, which takes it away again."""
    if SHARED not in os.environ:
        os.environ[SHARED] = tempfile.mkdtemp(prefix="jaxlint-findings-")
        config.add_cleanup(lambda: shutil.rmtree(os.environ.pop(SHARED), ignore_errors=True))


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str


Run = Callable[..., Ran]
Tree = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run("check", "a.py", stdin=b"...")`: status, standard output and the other one."""
    from jaxlint.cli.main import main

    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def run(*args: object, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main([str(arg) for arg in args])
        said = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Ran(left.value.code, said.out, said.err)

    return run


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Writes files below a fresh folder, which becomes the working folder."""

    def write(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    monkeypatch.chdir(tmp_path)
    return write


# Word, code, name, severity, what a fix would write, how safe it is.
WORDS: tuple[tuple[str, str, str, Severity, str | None, Applicability | None], ...] = (
    ("BRANCH", "JAX101", "branch-on-traced", Severity.ERROR, None, None),
    ("NEST", "JAX601", "vmap-of-jit", Severity.WARNING, "nest", "unsafe"),
    ("MATMUL", "JAX712", "matmul-operator", Severity.INFO, "matmul", "safe"),
)


@pytest.fixture
def by_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipeline that finds JAX101 in BRANCH, JAX601 in NEST and JAX712 in MATMUL, whatever the syntax."""

    def analyze_component(
        project: Project, data: Mapping[str, bytes], outcomes: object, reported: Iterable[str], *rest: object
    ) -> list[Diagnostic]:
        found = []
        for path in sorted(reported):
            for row, line in enumerate(data[path].decode().splitlines(), 1):
                for word, code, name, severity, content, safety in WORDS:
                    for match in re.finditer(word, line):
                        span = Span(row, match.start() + 1, row, match.end() + 1)
                        fix = None
                        if content is not None and safety is not None:
                            fix = Fix(safety, f"write {content}", (Edit(span, content),))
                        found.append(
                            Diagnostic(path, span, code, name, severity, f"`{word}` is here", fix=fix)
                        )
        return found

    monkeypatch.setattr(pipeline, "analyze_component", analyze_component)
