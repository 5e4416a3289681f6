"""The line that says how far a run is: on a terminal, after two seconds, gone before anything else is printed."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest
from conftest import Run, Tree
from test_robust import BRANCH, MARKED

from jaxlint.cli import progress
from jaxlint.cli.progress import ProgressLine, progress_of
from jaxlint.session.progress import SILENT


class Terminal(io.StringIO):
    """What is seen on a terminal: `shown` is every line that was there for a while."""

    def __init__(self) -> None:
        super().__init__()
        self.line = ""
        self.shown: list[str] = []

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        for piece in re.split(r"(\r\x1b\[K)", text):
            if piece == "\r\x1b[K":
                self.shown.append(self.line)
                self.line = ""
            else:
                self.line += piece
        return len(text)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> tuple[ProgressLine, Terminal, Clock]:
    monkeypatch.setenv("COLUMNS", "100")
    terminal, clock = Terminal(), Clock()
    return ProgressLine(terminal, clock), terminal, clock


def test_nothing_is_shown_at_first(line: tuple[ProgressLine, Terminal, Clock]) -> None:
    shown, terminal, clock = line
    for _ in range(19):
        clock.now += 0.1
        shown.read(1)
    assert terminal.line == "" and terminal.shown == []
    shown.close()
    assert terminal.shown == []


def test_what_is_shown(line: tuple[ProgressLine, Terminal, Clock], monkeypatch: pytest.MonkeyPatch) -> None:
    shown, terminal, clock = line
    clock.now += 5
    shown.read(3)
    assert terminal.line == "jaxlint: 3 files read"
    clock.now += 1
    shown.component(2, 7, [os.path.abspath("a/\x1bb.py"), "c.py", "d.py"])
    assert terminal.line == "jaxlint: 3 files read, 1 of 7 components analyzed"
    clock.now += 8
    shown.draw()
    assert terminal.line.endswith(r"; a/\x1bb.py and 2 others: 8 s")
    clock.now += 1
    shown.project(1, 3)
    assert terminal.line.startswith("jaxlint: 1 of 3 projects done, 3 files read")
    monkeypatch.setenv("COLUMNS", "20")
    clock.now += 1
    shown.draw()
    assert terminal.line == "jaxlint: 1 of 3 pr…"
    shown.close()
    assert terminal.line == ""


def test_it_is_not_drawn_too_often(line: tuple[ProgressLine, Terminal, Clock]) -> None:
    shown, terminal, clock = line
    clock.now += 5
    for _ in range(100):
        clock.now += 0.01
        shown.read(1)
    assert len(terminal.shown) <= 6


def test_where_it_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert progress_of(False) is SILENT
    monkeypatch.setattr("sys.stderr", Terminal())
    assert progress_of(True) is SILENT
    assert isinstance(progress_of(False), ProgressLine)


def test_a_terminal_that_goes_away(line: tuple[ProgressLine, Terminal, Clock]) -> None:
    shown, terminal, clock = line
    terminal.close()
    terminal.write = io.StringIO.write.__get__(terminal)  # type: ignore[method-assign]
    clock.now += 5
    shown.read(1)
    shown.close()


@pytest.mark.parametrize(
    "flags", [(), ("-n",), ("--fix",), ("--add-ignore",), ("-n", "-v"), ("-n", "-j", "2")]
)
def test_it_is_erased_before_anything_else_is_printed(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...]
) -> None:
    from jaxlint.cli.main import main

    tree({**MARKED, "a.py": BRANCH, "b.py": BRANCH, "other/jaxlint.toml": "", "other/c.py": BRANCH})
    monkeypatch.setenv("COLUMNS", "200")
    for name in ("AFTER", "PERIOD", "_SLOW"):
        monkeypatch.setattr(progress, name, 0.0001)
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    monkeypatch.setattr("sys.stderr", terminal)
    for _ in range(10):  # workers may be done before the line is drawn once
        with pytest.raises(SystemExit):
            main([*flags, "--color", "never", "."])
        if any("components analyzed" in each or "projects done" in each for each in terminal.shown):
            break
    else:
        raise AssertionError(terminal.shown)
    # What is printed begins on an empty line.
    for row in (terminal.line + "\n".join(terminal.shown)).split("\n"):
        assert "analyzed" not in row or row.startswith("jaxlint: ")
        assert row.count("jaxlint: ") <= 1
    assert "JAX101" in terminal.line or "--add-ignore" in flags
    assert "components analyzed" not in terminal.line


def test_quiet(tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tree({**MARKED, "a.py": BRANCH})
    monkeypatch.setattr(progress, "AFTER", 0.0)
    assert run(".").err == ""
