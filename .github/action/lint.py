"""Runs jaxlint for the action: annotations, job summary, SARIF file.

In: the action's inputs as JAXLINT_ACTION_* and GitHub's own variables, in the checked out repository. Out:
annotations on standard output, the summary in $GITHUB_STEP_SUMMARY, and in $GITHUB_OUTPUT the exit status and
the SARIF file. Of a pull request, a push or a merge group it finds the files that were changed.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

SUFFIXES = (".py", ".pyi", ".ipynb")
LARGEST_SUMMARY = 1_000_000  # bytes; GitHub refuses more than 1 MiB
LONGEST_COMMAND = 25_000 if os.name == "nt" else 1_000_000  # characters that a system takes


def main() -> int:
    inputs = {
        name.removeprefix("JAXLINT_ACTION_").lower(): value
        for name, value in os.environ.items()
        if name.startswith("JAXLINT_ACTION_")
    }
    try:
        flags = ["check", *shlex.split(inputs.get("args", ""), comments=False)]
    except ValueError as error:
        print(f"::error::jaxlint: the input `args` cannot be split into arguments: {error}")
        return _done(2, None)
    if inputs.get("baseline"):
        flags += ["--baseline", inputs["baseline"]]
    paths = [path.strip() for path in inputs.get("paths", "").splitlines() if path.strip()] or ["."]
    if "\n" in inputs.get("sarif_file", ""):
        print("::error::jaxlint: the input `sarif-file` is one path")
        return _done(2, None)
    # Of a path that is not there jaxlint itself says so.
    if inputs.get("changed_only") == "true" and all(os.path.exists(path) for path in paths):
        changed = _changed(paths)
        if changed is not None:
            paths = changed
            flags.append("--force-exclude")
    if not paths:
        print("jaxlint: no Python file or notebook was changed")
        return _done(0, None)
    return _report(inputs, flags, ["--", *[f"./{path}" if path.startswith("-") else path for path in paths]])


def _report(inputs: Mapping[str, str], flags: Sequence[str], paths: Sequence[str]) -> int:
    """The runs, one for each format; what the first one finds, the others read from the cache."""
    shown = "github" if inputs.get("annotations") == "true" else "concise"
    status = _jaxlint(*flags, "--output-format", shown, *paths).returncode
    if status not in (0, 1):
        return _done(status, None)
    if inputs.get("summary") == "true" and os.environ.get("GITHUB_STEP_SUMMARY"):
        _summarize(_jaxlint(*flags, "-q", "--output-format", "markdown", *paths, captured=True).stdout or b"")
    file = inputs.get("sarif_file") or ""
    if not file and inputs.get("upload_sarif") == "true":
        file = os.path.join(os.environ["RUNNER_TEMP"], "jaxlint.sarif")
    if file:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        written = _jaxlint(*flags, "-q", "--output-format", "sarif", "--output-file", file, *paths)
        if written.returncode not in (0, 1):
            return _done(written.returncode, None)
    return _done(status, file or None)


def _jaxlint(*arguments: str, captured: bool = False) -> subprocess.CompletedProcess[bytes]:
    program = os.path.join(os.path.dirname(sys.executable), "jaxlint")
    sys.stdout.flush()
    return subprocess.run([program, *arguments], stdout=subprocess.PIPE if captured else None, check=False)


def _summarize(page: bytes) -> None:
    if len(page) > LARGEST_SUMMARY:
        page = page[:LARGEST_SUMMARY].rpartition(b"\n")[0] + b"\n\nThe other findings are in the log.\n"
    with open(os.environ["GITHUB_STEP_SUMMARY"], "ab") as file:
        file.write(page)


def _done(status: int, sarif: str | None) -> int:
    output = os.environ.get("GITHUB_OUTPUT")
    if output:
        with open(output, "a", encoding="utf-8") as file:
            file.write(f"status={status}\n")
            if sarif is not None:
                file.write(f"sarif-file={sarif}\n")
    return 0


# ---- the files that were changed


def _changed(paths: Sequence[str]) -> list[str] | None:
    """The changed files below `paths` that are still there; None where it is not known what was changed."""
    span = _span()
    if span is None:
        print("::notice::jaxlint: it is not known what was changed, so all files are linted")
        return None
    # Names as they are: a bracket or a star in a path is no pattern.
    asked = ["--literal-pathspecs", "diff", "--name-only", "-z", "--no-renames", "--diff-filter=d", *span]
    listed = _git(*asked, "--", *paths)
    if listed is None:
        print("::notice::jaxlint: git does not tell what was changed, so all files are linted")
        return None
    top = os.fsdecode(_git("rev-parse", "--show-toplevel") or b"").rstrip("\r\n")
    names = [os.fsdecode(name) for name in listed.split(b"\0") if name]
    files = [os.path.relpath(os.path.join(top, name)) for name in names if name.endswith(SUFFIXES)]
    files = [file for file in files if os.path.isfile(file)]
    if sum(len(file) + 1 for file in files) > LONGEST_COMMAND:
        print("::notice::jaxlint: too many files were changed to name them, so all files are linted")
        return None
    return files


def _span() -> list[str] | None:
    """What `git diff` is to compare."""
    event = _event()
    request = event.get("pull_request")
    if isinstance(request, Mapping):
        # GitHub checks out the merge of the request, whose first parent is the branch it goes to.
        is_merge = os.environ.get("GITHUB_REF", "").endswith("/merge")
        if is_merge and _commit("HEAD") == os.environ.get("GITHUB_SHA") and _has_parents():
            return ["HEAD^1", "HEAD"]
        base = str(request["base"]["sha"])
        if not _fetched(base):
            return None
        return [f"{base}...HEAD"] if _git("merge-base", base, "HEAD") else [base, "HEAD"]
    group = event.get("merge_group")
    base = str(group["base_sha"] if isinstance(group, Mapping) else event.get("before") or "")
    # A new branch was at no commit before.
    return [base, "HEAD"] if base.strip("0") and _fetched(base) else None


def _event() -> Mapping[str, object]:
    try:
        event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    except (KeyError, OSError, ValueError):
        return {}
    return event if isinstance(event, dict) else {}


def _has_parents() -> bool:
    """Whether HEAD is a merge whose parents are there; a shallow clone gets them."""
    if _commit("HEAD^2") is None:
        _git("fetch", "--no-tags", "--quiet", "--depth=2", "origin", os.environ.get("GITHUB_SHA", ""))
    return _commit("HEAD^2") is not None


def _fetched(commit: str) -> bool:
    if _commit(commit) is None:
        _git("fetch", "--no-tags", "--quiet", "--depth=1", "origin", commit)
    return _commit(commit) is not None


def _commit(name: str) -> str | None:
    found = _git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    return None if found is None else found.decode("ascii").strip()


def _git(*arguments: str) -> bytes | None:
    """What git prints; None where it fails."""
    done = subprocess.run(["git", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.stdout if done.returncode == 0 else None


if __name__ == "__main__":
    sys.exit(main())
