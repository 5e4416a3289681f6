"""The pinned projects of `projects.csv`, fetched from where anyone can fetch them.

    python tests/ecosystem/fetch.py DESTINATION [PROJECT...]

In: the table. Out: one folder for each project under the destination, named as `folder_of` says: what the
wheel, the source distribution or the repository holds, without notebooks. A folder that is there is kept.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

PROJECTS = Path(__file__).with_name("projects.csv")


class Project(NamedTuple):
    """A pinned release: its version is that of the package index, or the commit of a repository."""

    name: str
    version: str
    kind: str
    source: str


def projects(table: Path = PROJECTS) -> dict[str, Project]:
    """The rows of the table by name."""
    with table.open(encoding="utf-8", newline="") as stream:
        return {
            row["project"]: Project(row["project"], row["version"], row["kind"], row["source"])
            for row in csv.DictReader(stream)
        }


def folder_of(project: Project) -> str:
    """The name of the folder that a project is unpacked into; a commit is cut to 12 digits."""
    return f"{project.name}-{project.version[:12] if project.kind == 'git' else project.version}"


def _download(project: Project, folder: Path) -> None:
    only = "--only-binary" if project.kind == "wheel" else "--no-binary"
    with tempfile.TemporaryDirectory() as scratch:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", only, ":all:"]
        subprocess.run([*pip, "--dest", scratch, f"{project.source}=={project.version}"], check=True)
        (archive,) = Path(scratch).iterdir()
        if project.kind == "wheel":
            with zipfile.ZipFile(archive) as wheel:
                wheel.extractall(folder)
            return
        with tarfile.open(archive) as distribution:
            distribution.extractall(scratch, filter="data")
        (top,) = (entry for entry in Path(scratch).iterdir() if entry.is_dir())
        top.rename(folder)


def _check_out(project: Project, folder: Path) -> None:
    folder.mkdir()
    for command in (
        ["init", "--quiet"],
        ["fetch", "--quiet", "--depth", "1", project.source, project.version],
        ["checkout", "--quiet", "FETCH_HEAD"],
    ):
        subprocess.run(["git", "-C", str(folder), *command], check=True)


def fetch(project: Project, destination: Path) -> Path:
    """Fetches one project unless its folder is there.

    Raises:
        subprocess.CalledProcessError: pip or git did not find it.
    """
    folder = destination / folder_of(project)
    if not folder.exists():
        (_check_out if project.kind == "git" else _download)(project, folder)
        for notebook in folder.rglob("*.ipynb"):
            notebook.unlink()
    return folder


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("destination", type=Path)
    parser.add_argument("project", nargs="*")
    arguments = parser.parse_args()
    table = projects()
    arguments.destination.mkdir(parents=True, exist_ok=True)
    for name in arguments.project or table:
        print(fetch(table[name], arguments.destination), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
