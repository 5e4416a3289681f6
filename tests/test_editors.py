"""The set-ups in editors/, each in its editor where that is installed: findings arrive, a fix is applied."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

ROOT = Path(__file__).resolve().parent.parent
EDITORS = ROOT / "editors"
SOLVER = ROOT / "docs" / "example" / "solver.py"
OLD = "import jax\n\nx = jax.tree_map(abs, [1])\n"
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
CODE = os.environ.get("JAXLINT_VSCODE")  # the file server-main.js of VS Code's server
PATIENCE = 120  # seconds


def said(*command: object, cwd: Path | None = None, **environment: str) -> str:
    """What a program writes to standard output; it must end well."""
    ran = subprocess.run(
        [str(each) for each in command],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        stdin=subprocess.DEVNULL,
    )
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
    return ran.stdout


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file to repair; this jaxlint is first on PATH."""
    program = tmp_path / "bin" / "jaxlint"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m jaxlint "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("[tool.jaxlint]\n")
    (folder / "old.py").write_text(OLD)
    return folder


# ---- Neovim


def has_neovim() -> bool:
    """Whether there is a Neovim whose own client can be configured."""
    if shutil.which("nvim") is None:
        return False
    version = re.match(r"NVIM v(\d+)\.(\d+)", said("nvim", "--version"))
    return version is not None and (int(version[1]), int(version[2])) >= (0, 11)


@pytest.mark.skipif(not has_neovim(), reason="Neovim 0.11 is not installed")
def test_neovim(project: Path) -> None:
    script = ROOT / "tests" / "editors" / "neovim.lua"
    command = ("nvim", "--headless", "--clean", "-n", "-S", script)
    seen = json.loads(said(*command, cwd=project, JAXLINT_SETUP=str(EDITORS / "neovim.lua")))
    assert seen["first"] == {"code": "JAX901", "source": "jaxlint", "row": 3, "column": 5}
    assert seen["repaired"] == OLD.replace("tree_map", "tree.map").rstrip("\n")
    assert seen["typed"] == 13  # Neovim counts bytes
    assert seen["clients"] == ["jaxlint"]
    written = OLD + "y = '\U0001f600', jax.tree_map(abs, [1])\n"
    assert (project / "old.py").read_text(encoding="utf-8") == written.replace("tree_map", "tree.map")


def test_nvim_lint_reads_the_buffer_within_its_project(run: Run) -> None:
    text = "# typed and not saved\n" + SOLVER.read_text(encoding="utf-8")
    ran = run("check", "-", "--stdin-filename", SOLVER, "--output-format", "json", stdin=text.encode())
    assert ran.status == 1
    (found,) = json.loads(ran.out)
    assert (found["code"], found["location"]) == ("JAX101", {"row": 7, "column": 8})
    script = (EDITORS / "nvim-lint.lua").read_text(encoding="utf-8")
    assert '"check", "-", "--stdin-filename"' in script
    for key in set(re.findall(r"\bfound\.(\w+)", script)):
        assert key in found


# ---- Emacs


def has_eglot() -> bool:
    if shutil.which("emacs") is None:
        return False
    asked = ["emacs", "--batch", "-q", "--eval", "(package-initialize)", "--eval", "(require 'eglot)"]
    return subprocess.run(asked, capture_output=True, timeout=PATIENCE).returncode == 0


@pytest.mark.skipif(not has_eglot(), reason="Emacs with eglot is not installed")
def test_emacs(project: Path) -> None:
    command = ("emacs", "--batch", "-q", "-l", ROOT / "tests" / "editors" / "emacs.el")
    seen = json.loads(said(*command, cwd=project, JAXLINT_SETUP=str(EDITORS / "emacs.el")))
    assert (seen["first"]["row"], seen["first"]["word"]) == (3, "jax.tree_map")
    assert "JAX901" in seen["first"]["text"]
    assert seen["repaired"] == OLD.replace("tree_map", "tree.map")


# ---- Vim


def has_ale() -> bool:
    if shutil.which("vim") is None:
        return False
    asked = ["vim", "-Nes", "-u", "NONE", "-c", "packadd ale", "-c", "exe exists(':ALELint') && has('job') ? 'q' : 'cq'"]
    return subprocess.run(asked, capture_output=True, timeout=PATIENCE, stdin=subprocess.DEVNULL).returncode == 0


@pytest.mark.skipif(not has_ale(), reason="Vim with ALE is not installed")
def test_vim(project: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    command = ("vim", "-Nes", "-u", "NONE", "-S", ROOT / "tests" / "editors" / "vim.vim")
    said(*command, cwd=project, JAXLINT_SETUP=str(EDITORS / "vim.vim"), JAXLINT_REPORT=str(report))
    (found,) = json.loads(report.read_text())
    assert (found["code"], found["lnum"], found["col"], found["type"]) == ("JAX901", 3, 5, "E")


# ---- settings to paste


def commands() -> Mapping[str, list[str]]:
    """The command in each file of settings."""
    read: dict[str, Any] = {path.name: json.loads(path.read_text()) for path in EDITORS.glob("*.json")}
    helix = tomllib.loads((EDITORS / "helix.toml").read_text())["language-server"]["jaxlint"]
    zed = read["zed.json"]["lsp"]["pylsp"]["binary"]
    pycharm = json.loads((EDITORS / "pycharm" / "template.json").read_text())["programArgs"]
    return {
        "helix": [helix["command"], *helix["args"]],
        "zed": [zed["path"], *zed["arguments"]],
        "sublime": read["sublime.json"]["clients"]["jaxlint"]["command"],
        "kate": read["kate.json"]["servers"]["python"]["command"],
        "pycharm": pycharm["default"].split(),
    }


def test_settings_start_the_server() -> None:
    assert {path.stem for path in EDITORS.glob("*.*")} | {"pycharm"} == {
        *commands(), "emacs", "neovim", "nvim-lint", "vim"
    }  # fmt: skip
    for editor, (program, *more) in commands().items():
        assert (Path(program).name, more) == ("jaxlint", ["server"]), editor


def test_the_page_shows_the_files() -> None:
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```\w+\n(.*?)^```$", page, re.M | re.S)
    for path in EDITORS.glob("*.*"):
        if path.name != "nvim-lint.lua":
            assert path.read_text(encoding="utf-8") in blocks, path.name


# ---- VS Code


def has_node() -> bool:
    if shutil.which("node") is None or shutil.which("npm") is None:
        return False
    return int(said("node", "--version").lstrip("v").split(".")[0]) >= 20


needs_node = pytest.mark.skipif(not has_node(), reason="Node 20 and npm are not installed")


@pytest.fixture(scope="module")
def extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension, installed and built as its README says, beside the checkout."""
    root = tmp_path_factory.mktemp("vscode")
    folder = root / "editors" / "vscode"
    shutil.copy(ROOT / "LICENSE", root)
    shutil.copytree(EDITORS / "vscode", folder, ignore=shutil.ignore_patterns("node_modules", "dist", "*.vsix"))
    said("npm", "ci", "--prefer-offline", cwd=folder)
    said("npm", "run", "build", cwd=folder)
    return folder


@needs_node
def test_extension_is_built_and_packed(extension: Path) -> None:
    said("npm", "run", "package", cwd=extension)
    (made,) = extension.glob("*.vsix")
    held = said(sys.executable, "-m", "zipfile", "-l", made)
    files = {line.split()[0] for line in held.splitlines() if line.startswith("extension/")}
    wanted = {"dist/extension.js", "package.json", "readme.md", "LICENSE.txt"}
    assert files == {f"extension/{name}" for name in wanted}


@needs_node
def test_extension_finds_and_speaks_to_the_server(extension: Path) -> None:
    out = said("npm", "test", cwd=extension, JAXLINT_PYTHON=sys.executable)
    counts = {name: int(count) for name, count in re.findall(r"^\W*(tests|pass|fail) (\d+)$", out, re.M)}
    assert counts["fail"] == 0 and counts["tests"] == counts["pass"] >= 15, out


def test_the_extension_names_no_place_that_packages_came_from() -> None:
    lock = json.loads((EDITORS / "vscode" / "package-lock.json").read_text())
    assert not [name for name, package in lock["packages"].items() if "resolved" in package]
    assert all("integrity" in package for name, package in lock["packages"].items() if name)


@contextmanager
def running(*command: object, log: Path, **environment: str) -> Iterator[None]:
    """A program that runs, with all that it starts, until the block ends."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            [str(each) for each in command],
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def read_until(path: Path, pattern: str) -> re.Match[str]:
    """The first match in a file that is being written."""
    end = time.monotonic() + PATIENCE
    while True:
        text = path.read_text(errors="replace") if path.exists() else ""
        if found := re.search(pattern, text, re.S):
            return found
        assert time.monotonic() < end, f"no {pattern!r} in {text[-3000:]!r}"
        time.sleep(0.2)


@needs_node
@pytest.mark.skipif(CODE is None, reason="JAXLINT_VSCODE does not name VS Code's server")
@pytest.mark.skipif(BROWSER is None, reason="no browser is installed")
def test_extension_within_vscode(extension: Path, tmp_path: Path) -> None:
    assert CODE is not None and BROWSER is not None
    said("node", "build.mjs", "--tests", cwd=extension)
    project = tmp_path / "project"
    (project / ".vscode").mkdir(parents=True)
    (project / "pyproject.toml").write_text("[tool.jaxlint]\n")
    settings = {"jaxlint.interpreter": [sys.executable]}
    (project / ".vscode" / "settings.json").write_text(json.dumps(settings))
    user = tmp_path / "data" / "Machine" / "settings.json"
    user.parent.mkdir(parents=True)
    user.write_text('{"security.workspace.trust.enabled": false}')
    folders = [f"--{name}-dir={tmp_path / 'data'}" for name in ("user-data", "server-data", "extensions")]
    more = ["--host=127.0.0.1", "--port=0", "--without-connection-token", "--accept-server-license-terms"]
    log, report = tmp_path / "server.log", tmp_path / "report.txt"
    with running("node", CODE, *folders, *more, log=log, JAXLINT_REPORT=str(report)):
        host = "127.0.0.1:" + read_until(log, r"listening on (\d+)\n")[1]
        at = f"vscode-remote://{host}{extension}"
        payload = [["extensionDevelopmentPath", at], ["extensionTestsPath", f"{at}/dist/test/host.js"]]
        address = f"http://{host}/?folder={project}&payload={json.dumps(payload, separators=(',', ':'))}"
        arguments = ["--headless", "--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={tmp_path / 'web'}"]
        with running(BROWSER, *arguments, address, log=tmp_path / "browser.log"):
            lines = read_until(report, r"(.*)\n\Z")[1].splitlines()
    assert len(lines) >= 7 and all(line.startswith("ok ") for line in lines), "\n".join(lines)


def test_vscode_task_matches_the_lines_of_the_concise_format(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "docs" / "example")
    (task,) = json.loads((EDITORS / "vscode" / "tasks.json").read_text(encoding="utf-8"))["tasks"]
    assert task["command"] == "jaxlint"  # `python -m` looks for modules in the folder that is linted
    ran = run(*task["args"])
    pattern = task["problemMatcher"]["pattern"]
    rows = [re.match(pattern["regexp"], line) for line in ran.out.splitlines()]
    found = [(row[pattern["file"]], row[pattern["line"]], row[pattern["code"]]) for row in rows if row]
    assert found == [("model.py", "7", "JAX301"), ("model.py", "15", "JAX601"), ("solver.py", "6", "JAX101")]
    assert len(rows) == len(found)
