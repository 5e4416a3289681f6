"""The GitHub action: its schema, and its steps run by bash as a runner would, in git repositories.

The first step installs jaxlint with pip, so this test needs a package index.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import check_jsonschema
import jsonschema
import pytest
import yaml
from test_precommit import ROOT, SHIPPED, SOLVER, TRAIN, environment
from test_sarif import checked

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
SCHEMAS = Path(check_jsonschema.__file__).parent / "builtin_schemas" / "vendor"
STEPS = {step.get("name", step.get("uses")): step for step in ACTION["runs"]["steps"]}
pytestmark = pytest.mark.skipif(
    shutil.which("git") is None or shutil.which("bash") is None, reason="git or bash is not installed"
)
CLEAN = "import jax\n"
BAD = "import jax\n\n\n@jax.jit\ndef sign(x):\n    if x > 0:\n        return x\n    return -x\n"


@dataclass
class Job:
    """A job of a runner: the steps share its files and its variables."""

    folder: Path
    temp: Path
    variables: dict[str, str]
    outputs: dict[str, str] = field(default_factory=dict)
    log: str = ""
    status: int = 0

    def step(self, name: str, inputs: dict[str, str]) -> None:
        step = STEPS[name]
        known = {f"inputs.{key}": value["default"] for key, value in ACTION["inputs"].items()}
        known |= {f"inputs.{key}": value for key, value in inputs.items()}
        known |= {f"steps.lint.outputs.{key}": value for key, value in self.outputs.items()}
        known["steps.python.outputs.python-path"] = sys.executable

        def filled(text: str) -> str:
            return re.sub(r"\$\{\{ (\S+) \}\}", lambda match: known.get(match[1], ""), text)

        files = {name: self.temp / name for name in ("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.touch()
        given = {key: filled(value) for key, value in step["env"].items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.folder,
            env=self.variables | given | {key: str(file) for key, file in files.items()},
            capture_output=True,
            text=True,
            timeout=600,
        )
        self.log += done.stdout + done.stderr
        self.status = done.returncode
        self.variables |= dict(row.split("=", 1) for row in files["GITHUB_ENV"].read_text().splitlines())
        self.outputs |= dict(row.split("=", 1) for row in files["GITHUB_OUTPUT"].read_text().splitlines())

    @property
    def summary(self) -> str:
        return (self.temp / "GITHUB_STEP_SUMMARY").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables of a runner on which the first step has installed jaxlint from the action's checkout."""
    temp = tmp_path_factory.mktemp("runner temp")
    action = temp / "action"
    action.mkdir()
    for name in (*SHIPPED, "action.yml", ".github"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, action / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, action / name)
    variables = environment(temp / "home") | {"GITHUB_ACTION_PATH": str(action), "RUNNER_TEMP": str(temp)}
    variables = {key: value for key, value in variables.items() if not key.startswith(("GITHUB_EVENT", "JAXLINT_"))}
    job = Job(temp, temp, variables)
    job.step("Install jaxlint", {})
    assert job.status == 0, job.log
    return job.variables


@dataclass
class Repository:
    folder: Path
    variables: dict[str, str]

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env=self.variables, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def commit(self, files: dict[str, str | None]) -> str:
        for name, text in files.items():
            path = self.folder / name
            if text is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "change")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path, installed: dict[str, str]) -> Repository:
    folder = tmp_path / "repo sitory"
    folder.mkdir()
    found = Repository(folder, installed)
    found.git("init", "-q", "-b", "main")
    found.git("config", "uploadpack.allowAnySHA1InWant", "true")
    return found


Runs = Callable[..., Job]


@pytest.fixture
def runs(tmp_path: Path, installed: dict[str, str], repository: Repository) -> Runs:
    """Runs the step that lints, and the last one, under an event."""

    def run(
        inputs: dict[str, str], event: Any = None, folder: Path | None = None, **variables: str
    ) -> Job:
        temp = tmp_path / "temp"
        temp.mkdir()
        job = Job(folder or repository.folder, temp, installed | {"RUNNER_TEMP": str(temp)} | variables)
        if event is not None:
            (temp / "event.json").write_text(json.dumps(event))
            job.variables["GITHUB_EVENT_PATH"] = str(temp / "event.json")
        job.step("Lint", inputs)
        assert job.status == 0, job.log
        job.step("Status", inputs)
        return job

    return run


def annotated(job: Job) -> set[str]:
    return set(re.findall(r"^::\w+ file=([^,]+),", job.log, re.MULTILINE))


def test_schema() -> None:
    schema = json.loads((SCHEMAS / "github-actions.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator(schema).validate(ACTION)
    assert not jsonschema.Draft7Validator(schema).is_valid({**ACTION, "runs": {"using": "composite"}})


def test_nothing_of_the_inputs_is_read_as_code() -> None:
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
        used = set(re.findall(r"inputs\.([\w-]+)", json.dumps(step)))
        assert used <= ACTION["inputs"].keys()
    assert {key for key in ACTION["inputs"] if f"inputs.{key}" in json.dumps(ACTION)} == ACTION["inputs"].keys()


def test_findings(repository: Repository, runs: Runs) -> None:
    repository.commit({"train.py": TRAIN, "solver.py": SOLVER})
    job = runs({"sarif-file": "out/jax lint.sarif"})
    assert job.status == 1 and job.outputs == {"status": "1", "sarif-file": "out/jax lint.sarif"}
    assert "::error file=solver.py,line=5,col=8," in job.log and annotated(job) == {"solver.py"}
    assert "| `solver.py:5:8` | error" in job.summary and job.summary.startswith("## jaxlint\n")
    run = checked(json.loads((repository.folder / "out" / "jax lint.sarif").read_text(encoding="utf-8")))
    assert [result["ruleId"] for result in run["results"]] == ["JAX101"]


def test_no_findings(repository: Repository, runs: Runs) -> None:
    repository.commit({"a.py": CLEAN})
    job = runs({"upload-sarif": "true"})
    assert job.status == 0 and job.outputs["status"] == "0" and annotated(job) == set()
    assert job.summary == "## jaxlint\n\nAll checks passed.\n"
    assert checked(json.loads(Path(job.outputs["sarif-file"]).read_text(encoding="utf-8")))["results"] == []


def test_without_annotations_and_summary(repository: Repository, runs: Runs) -> None:
    repository.commit({"train.py": TRAIN, "solver.py": SOLVER})
    job = runs({"annotations": "false", "summary": "false"})
    assert job.status == 1 and annotated(job) == set() and job.summary == "" and "sarif-file" not in job.outputs
    assert "solver.py:5:8: JAX101" in job.log


def test_paths_and_arguments(repository: Repository, runs: Runs) -> None:
    repository.commit({"a b/x.py": TRAIN.replace("solver", "y"), "a b/y.py": SOLVER, "-c.py": BAD, "y.py": SOLVER})
    job = runs({"paths": "a b\n\n  -c.py\n", "args": "--select JAX101 --config \"exclude=['nothing here']\" --exit-zero"})
    assert job.status == 0 and annotated(job) == {"a b/y.py", "-c.py"}, job.log


def test_a_baseline(repository: Repository, runs: Runs, installed: dict[str, str]) -> None:
    repository.commit({"train.py": TRAIN, "solver.py": SOLVER})
    program = Path(installed["JAXLINT_ACTION_PYTHON"]).with_name("jaxlint")
    subprocess.run([program, "--baseline", "known list", "--write-baseline"], cwd=repository.folder, check=True)
    assert runs({"baseline": "known list"}).status == 0


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"args": "--select 'JAX1"}, "::error::jaxlint: the input `args`"),
        ({"args": "--select JAX999"}, "JAX999"),
        ({"paths": "nowhere", "changed-only": "true"}, "no such file or folder"),
        ({"baseline": "nowhere"}, "no such file"),
        ({"sarif-file": "a\nb=c"}, "is one path"),
    ],
)
def test_bad_inputs(repository: Repository, runs: Runs, inputs: dict[str, str], said: str) -> None:
    repository.commit({"a.py": CLEAN})
    job = runs(inputs)
    assert job.status == 2 and job.outputs == {"status": "2"} and said in job.log


def test_inputs_are_no_code(repository: Repository, runs: Runs) -> None:
    repository.commit({"a.py": CLEAN})
    job = runs({"args": "--select JAX101;touch$IFS'x' $(touch y) `touch z`", "paths": "$(touch w)"})
    assert job.status == 2 and {path.name for path in repository.folder.iterdir()} == {".git", "a.py"}


def test_a_summary_that_is_too_long(repository: Repository, runs: Runs) -> None:
    number = 500
    path = "/".join("abcdefghi"[each] * 240 for each in range(9)) + "/a.py"  # so that few rows are much text
    many = "".join(f"    if x > {row}:\n        y = y + {row}\n" for row in range(number))
    repository.commit({path: f"import jax\n\n\n@jax.jit\ndef f(x, y):\n{many}    return y\n"})
    job = runs({"annotations": "false"})
    size = len(job.summary.encode())
    assert job.status == 1 and 900_000 < size < 1_048_576 and job.summary.endswith("in the log.\n")


# ---- changed files


@pytest.fixture
def request_(repository: Repository) -> tuple[str, str, str]:
    """A pull request that changes, renames, deletes and adds files while its base goes on: the base when it
    was opened, its head, and GitHub's merge of it, which is checked out."""
    base = repository.commit({"gone.py": BAD, "moved.py": BAD, "kept.py": CLEAN, "old.py": BAD})
    repository.git("checkout", "-q", "-b", "feature")
    head = repository.commit(
        {
            "gone.py": None,
            "moved.py": None,
            "pack age/moved é.py": BAD,
            "kept.py": CLEAN + "x = 1\n",
            "note[1].ipynb": json.dumps({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}),
            "text.md": "x",
        }
    )
    repository.git("checkout", "-q", "main")
    repository.commit({"late.py": BAD})
    repository.git("merge", "-q", "--no-ff", "-m", "merge", "feature")
    return base, head, repository.git("rev-parse", "HEAD")


CHANGED = {"changed-only": "true", "args": "-v"}


def test_a_pull_request(repository: Repository, runs: Runs, request_: tuple[str, str, str]) -> None:
    base, _, merge = request_
    event = {"pull_request": {"base": {"sha": base}}}
    job = runs(CHANGED, event, GITHUB_SHA=merge, GITHUB_REF="refs/pull/3/merge")
    assert job.status == 1 and annotated(job) == {"pack age/moved é.py"}, job.log
    assert "late.py" not in job.log and "old.py" not in job.log and ", 3 reported," in job.log


@pytest.mark.parametrize("what", ["merge", "head"])
def test_a_shallow_clone(
    tmp_path: Path, repository: Repository, runs: Runs, request_: tuple[str, str, str], what: str
) -> None:
    base, head, merge = request_
    clone = Repository(tmp_path / "clone", repository.variables)
    clone.folder.mkdir()
    clone.git("init", "-q")
    clone.git("remote", "add", "origin", repository.folder.as_uri())
    clone.git("fetch", "-q", "--depth=1", "origin", merge if what == "merge" else head)
    clone.git("checkout", "-q", "FETCH_HEAD")
    event = {"pull_request": {"base": {"sha": base}}}
    job = runs(CHANGED, event, clone.folder, GITHUB_SHA=merge, GITHUB_REF="refs/pull/3/merge")
    assert job.status == 1 and annotated(job) == {"pack age/moved é.py"}, job.log


def test_paths_narrow_what_was_changed(repository: Repository, runs: Runs, request_: tuple[str, str, str]) -> None:
    event = {"pull_request": {"base": {"sha": request_[0]}}}
    job = runs(CHANGED | {"paths": "kept.py\nnote[1].ipynb"}, event, GITHUB_SHA=request_[2])
    assert job.status == 0 and "moved" not in job.log


def test_only_deletions(repository: Repository, runs: Runs) -> None:
    base = repository.commit({"a.py": CLEAN, "train.py": TRAIN, "solver.py": SOLVER})
    repository.commit({"a.py": None})
    job = runs({"changed-only": "true", "upload-sarif": "true"}, {"before": base})
    assert job.status == 0 and job.outputs == {"status": "0"} and "no Python file or notebook was changed" in job.log


def test_an_excluded_file_is_not_linted(repository: Repository, runs: Runs) -> None:
    base = repository.commit({"pyproject.toml": "[tool.jaxlint]\nexclude = ['old']\n", "a.py": CLEAN})
    repository.commit({"old/x.py": BAD})
    assert runs({"changed-only": "true"}, {"before": base}).status == 0


@pytest.mark.parametrize("event", [None, {}, {"before": "0" * 40}, {"before": "1" * 40}, []])
def test_what_was_changed_is_not_known(repository: Repository, runs: Runs, event: Any) -> None:
    repository.commit({"train.py": TRAIN, "solver.py": SOLVER})
    job = runs({"changed-only": "true"}, event)
    assert job.status == 1 and annotated(job) == {"solver.py"} and "all files are linted" in job.log


def test_a_merge_group(repository: Repository, runs: Runs) -> None:
    base = repository.commit({"a.py": CLEAN, "train.py": TRAIN, "solver.py": SOLVER})
    repository.commit({"a.py": CLEAN + "y = 1\n"})
    assert runs({"changed-only": "true"}, {"merge_group": {"base_sha": base}}).status == 0


def test_outside_of_a_repository(tmp_path: Path, runs: Runs) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "a.py").write_text(BAD)
    job = runs({"changed-only": "true"}, {"before": "1" * 40}, folder, GIT_CEILING_DIRECTORIES=str(tmp_path))
    assert "all files are linted" in job.log


def test_a_version(tmp_path: Path, installed: dict[str, str]) -> None:
    """A tag of the repository, which git finds in a local one."""
    source = Repository(tmp_path / "source", installed)
    source.folder.mkdir()
    shutil.copytree(Path(installed["GITHUB_ACTION_PATH"]), source.folder, dirs_exist_ok=True)
    shutil.rmtree(source.folder / "build", ignore_errors=True)
    init = source.folder / "jaxlint" / "_version.py"
    init.write_text(re.sub(r'__version__ = "[^"]*"', '__version__ = "77.1.0"', init.read_text(encoding="utf-8")))
    source.git("init", "-q")
    source.git("add", "-A")
    source.git("commit", "-q", "-m", "release")
    source.git("tag", "v77.1.0")
    moved = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{source.folder.as_uri()}.insteadOf",
        "GIT_CONFIG_VALUE_0": "https://github.com/jaxlint/jaxlint",
    }
    temp = tmp_path / "temp"
    temp.mkdir()
    job = Job(tmp_path, temp, installed | {"RUNNER_TEMP": str(temp)} | moved)
    job.step("Install jaxlint", {"version": "v77.1.0"})
    assert job.status == 0, job.log
    program = Path(job.variables["JAXLINT_ACTION_PYTHON"]).with_name("jaxlint")
    assert "77.1.0" in subprocess.run([program, "version"], capture_output=True, text=True, check=True).stdout
