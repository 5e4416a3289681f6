"""What is made from the rules and from what is recorded of them: docs/*.md, docs/rules/<name>.md, the schema
of the configuration and the marked parts of README.md.

    python docs/generate.py [--check]

In: the registry, the evidence, and what jaxlint prints for docs/example. Out: the files, or with `--check`
their names where they differ and status 1. It knows nothing of a rule beyond what its class states.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from jaxlint.cli.config import schema_text
from jaxlint.cli.rule import markdown
from jaxlint.confirm import evidence, matrix
from jaxlint.confirm.folklore import ENTRIES, trial
from jaxlint.engine.limit import LIMITS
from jaxlint.registry import Entry, own_entries

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "docs" / "rules"

FAMILIES = {
    "0": "The tool itself",
    "1": "Tracing and control flow",
    "2": "Purity and leaked state",
    "3": "Random keys",
    "4": "The jit cache and static arguments",
    "5": "Arrays, indexing, dtypes",
    "6": "Composition of transforms",
    "7": "Performance and memory",
    "8": "Devices and sharding",
    "9": "Deprecated and removed APIs",
}


def table(rows: Iterable[Entry], folder: str) -> str:
    lines = ["| code | name | finds | kind | default | fix |", "| --- | --- | --- | --- | --- | --- |"]
    for entry in rows:
        finds = entry.summary.rstrip(".").replace("|", "\\|")
        default = ("on" if entry.on else "off") + ", off in tests" * (entry.on and entry.idle_in_tests)
        lines.append(
            f"| {entry.code} | [{entry.name}]({folder}/{entry.name}.md) | {finds} "
            f"| {entry.category} | {default} | {entry.fix or ''} |"
        )
    return "\n".join(lines)


def index() -> str:
    parts = ["# Rules", "One page a rule; `jaxlint rule CODE` prints the same text."]
    for digit, title in FAMILIES.items():
        rows = [entry for entry in own_entries() if entry.code.startswith(f"JAX{digit}")]
        if rows:
            parts += [f"## {title}", table(rows, "rules")]
    return "\n\n".join(parts) + "\n"


def versions() -> str:
    """The verdict on each rule by version of JAX, from what is recorded."""
    rows = [
        each.verdict for path in sorted(evidence.FOLDER.glob("cpu-*.json")) for each in evidence.read(path)
    ]
    about = (
        "The verdicts that `jaxlint confirm --platform cpu` recorded. A rule is refuted if one of its\n"
        "claims or fixes is; not-runnable means that nothing is claimed of that version."
    )
    return f"# Rules by version of JAX\n\n{about}\n\n{matrix.markdown(rows)}\n"


def folklore() -> str:
    """Common statements about JAX, with the verdicts that were recorded."""
    rows = [each.verdict for entry in ENTRIES for each in evidence.of_folklore(entry.name)]
    about = "Verdicts that `jaxlint confirm --folklore --platform cpu` recorded on statements about JAX."
    return f"# Folklore\n\n{about}\n\n{trial.markdown(trial.trials_of(ENTRIES, rows))}\n"


def example_output() -> str:
    """What jaxlint prints for docs/example."""
    flags = ("--output-format", "full", "--color", "never")
    done = subprocess.run(
        [sys.executable, "-m", "jaxlint", "check", "docs/example", *flags],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
    )
    if done.returncode != 1:
        raise RuntimeError(f"jaxlint ended with {done.returncode} on docs/example: {done.stderr}")
    return f"```text\n{done.stdout.rstrip()}\n```"


def limits() -> str:
    """The limits of the analysis, with what holds beyond each of them and why it is there."""
    lines = ["| name | at most | of | beyond it | reason |", "| --- | --- | --- | --- | --- |"]
    lines += [
        f"| {name} | {each.most} | {each.subject} | {each.beyond} | {each.reason} |"
        for name, each in LIMITS.items()
    ]
    return "\n".join(lines)


def readme(text: str) -> str:
    """README.md with its marked parts written again.

    Raises:
        ValueError: a marker is missing.
    """
    rules = [entry for entry in own_entries() if entry.rule is not None]
    parts = {"output": example_output(), "rules": table(rules, "docs/rules"), "limits": limits()}
    for name, made in parts.items():
        begin, end = f"<!-- {name}: made by docs/generate.py -->", f"<!-- end of {name} -->"
        if text.count(begin) != 1 or text.count(end) != 1:
            raise ValueError(f"README.md must have `{begin}` and `{end}` once")
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{made}\n{end}{rest.partition(end)[2]}"
    return text


def pages() -> Iterator[tuple[Path, str]]:
    """Each generated file and the text that belongs in it."""
    yield ROOT / "docs" / "rules.md", index()
    yield ROOT / "docs" / "versions.md", versions()
    yield ROOT / "docs" / "folklore.md", folklore()
    yield ROOT / "docs" / "jaxlint.schema.json", schema_text()
    for entry in own_entries():
        yield RULES / f"{entry.name}.md", markdown(entry).rstrip() + "\n"
    yield ROOT / "README.md", readme((ROOT / "README.md").read_text(encoding="utf-8"))


def stale() -> list[str]:
    """The files that differ from what belongs in them, and pages of rules that no longer exist."""
    wanted = dict(pages())
    names = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    names += [path for path in RULES.glob("*.md") if path not in wanted]
    return sorted(path.relative_to(ROOT).as_posix() for path in names)


def main() -> int:
    if "--check" in sys.argv[1:]:
        for name in (names := stale()):
            print(f"{name} is out of date: run `python docs/generate.py`")
        return int(bool(names))
    RULES.mkdir(exist_ok=True)
    wanted = dict(pages())
    for path in RULES.glob("*.md"):
        if path not in wanted:
            path.unlink()
    for path, text in wanted.items():
        path.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
