"""GitLab's template: its schema, and its script run by a shell as a runner would.

The script installs jaxlint with pip, so this test needs a package index.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest
import yaml
from test_action import BAD, SCHEMAS
from test_precommit import ROOT, SHIPPED, SOLVER, TRAIN, environment

TEMPLATE = yaml.safe_load((ROOT / ".gitlab" / "jaxlint.yml").read_text(encoding="utf-8"))
JOB = TEMPLATE["jaxlint"]
REPORT = JOB["artifacts"]["reports"]["codequality"]


def test_schema() -> None:
    validator = jsonschema.Draft7Validator(json.loads((SCHEMAS / "gitlab-ci.json").read_text(encoding="utf-8")))
    validator.validate(TEMPLATE)
    validator.validate({"include": [{"remote": "https://example.org/jaxlint.yml"}]})
    assert not validator.is_valid({"jaxlint": {**JOB, "artifacts": {"when": "sometimes"}}})


def test_jaxlint_is_never_installed_by_name() -> None:
    (source,) = [value for key, value in JOB["variables"].items() if key == "JAXLINT_SOURCE"]
    assert source.startswith("git+https://")
    assert [row for row in JOB["before_script"] if " install " in row and '"$JAXLINT_SOURCE"' not in row] == []


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a runner in which `before_script` has installed jaxlint from the checkout."""
    folder = tmp_path_factory.mktemp("builds")
    source = folder / "source"
    source.mkdir()
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source / name)
    done = run(folder, folder, "before_script", JAXLINT_SOURCE=str(source))
    assert done.returncode == 0, done.stderr
    return folder


def run(builds: Path, project: Path, section: str, **given: str) -> subprocess.CompletedProcess[str]:
    """A section of the job; GitLab expands variables within variables."""
    variables = environment(builds / "home") | {"CI_BUILDS_DIR": str(builds), "CI_PROJECT_DIR": str(project)}
    for name, value in {**JOB["variables"], **given}.items():
        variables[name] = value.replace("$CI_PROJECT_DIR", str(project))
    script = "\n".join(JOB[section])
    return subprocess.run(
        ["sh", "-e", "-c", script], cwd=project, env=variables, capture_output=True, text=True, timeout=600
    )


def project(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def reported(folder: Path) -> list[str]:
    rows = json.loads((folder / REPORT).read_text(encoding="utf-8"))
    for row in rows:  # what GitLab asks for
        assert row["description"] and row["check_name"] and row["fingerprint"]
        assert row["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert row["location"]["positions"]["begin"]["line"] >= 1
    return [row["location"]["path"] for row in rows]


def test_findings(tmp_path: Path, builds: Path) -> None:
    folder = project(tmp_path, {"src/train.py": TRAIN, "src/solver.py": SOLVER})
    done = run(builds, folder, "script")
    assert done.returncode == 1, done.stderr
    assert "src/solver.py:5:8: JAX101" in done.stdout and reported(folder) == ["src/solver.py"]
    assert (folder / JOB["cache"]["paths"][0]).is_dir()


def test_no_findings(tmp_path: Path, builds: Path) -> None:
    folder = project(tmp_path, {"a.py": "import jax\n"})
    done = run(builds, folder, "script")
    assert (done.returncode, done.stdout, reported(folder)) == (0, "All checks passed!\n", [])


def test_variables(tmp_path: Path, builds: Path) -> None:
    folder = project(tmp_path, {"a/x.py": BAD, "b/x.py": BAD, "c/x.py": BAD})
    done = run(builds, folder, "script", JAXLINT_PATHS="a c", JAXLINT_ARGS="--exclude c/*")
    assert done.returncode == 1 and reported(folder) == ["a/x.py"]


def test_a_failed_run(tmp_path: Path, builds: Path) -> None:
    done = run(builds, project(tmp_path, {"a.py": BAD}), "script", JAXLINT_ARGS="--select JAX999")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "JAX999" in done.stderr
