"""What other checkers say of programs that are wrong in the ways of JAX, beside the right ones.

    pip install ruff flake8 flake8-bugbear pylint fixit     # in an environment on PATH
    python benchmarks/others.py [--namesake PATH] [--run] [--write]

In: the pairs of tests/hazards and of the rules' examples, and the tools that are found on PATH. Out: a table
in Markdown; with `--write` it replaces the one in docs/comparison.md. A tool tells a pair apart if it reports
a code more often in the wrong program than in the right one. The layout of both is Python's own, and rules of
layout, names, docstrings, annotations and missing packages are left out. `--run` runs the programs as well,
with JAX alone and with JAX's own checks: there a pair is told apart if the wrong program fails and the right
one does not.
"""

from __future__ import annotations

import argparse
import ast
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from jaxlint.rule.registry import registry

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "comparison.md"
BEGIN, END = "<!-- measured: made by benchmarks/others.py -->", "<!-- end of measured -->"
NAMESAKE = "namesake"
LINE = re.compile(r"(?P<path>[^:\s][^:]*\.py):\d+:\d+: (?P<rest>.*)")
SHOWN = 5
TIMEOUT = 60

Pairs = Mapping[str, tuple[str, str]]


@dataclass(frozen=True)
class Tool:
    """command: without the folder. code: where the code is in the rest of `path:row:column: rest`."""

    title: str
    command: tuple[str, ...]
    code: str = r"(\w+)"
    version: tuple[str, ...] = ("--version",)


TOOLS = (
    Tool("jaxlint", ("jaxlint", "check", "--isolated", "--no-cache", "--output-format", "concise")),
    Tool(
        "jaxlint, all rules",
        ("jaxlint", "check", "--isolated", "--no-cache", "--select", "ALL", "--output-format", "concise"),
    ),
    Tool("Ruff", ("ruff", "check", "--isolated", "--no-cache", "--output-format", "concise")),
    Tool(
        "Ruff, all rules",
        (
            *("ruff", "check", "--isolated", "--no-cache", "--output-format", "concise", "--select", "ALL"),
            *("--ignore", "ANN,COM,D,E1,E2,E3,E5,E7,ERA,I,INP,N,Q,T20,W"),
        ),
    ),
    Tool(
        "flake8, flake8-bugbear",
        ("flake8", "--isolated", "-j1", "--extend-ignore", "E1,E2,E3,E5,E7,W2,W3,W5"),
    ),
    Tool(
        "pylint",
        (
            *("pylint", "--rcfile", os.devnull, "--msg-template={path}:{line}:{column}: {symbol}"),
            *("--disable", "C,R,import-error"),
        ),
        r"([\w-]+)",
    ),
    Tool(
        "Fixit",
        (
            *("fixit", "-o", "custom", "--output-template", "{path}:{start_line}:{start_col}: {rule_name}"),
            "lint",
        ),
    ),
    Tool(
        "`jaxlint` of the index",
        (NAMESAKE, "check", "--no-doc", "--format", "compact"),
        r".*\((\w+)\)$",
        ("version",),
    ),
)

RUNS = (
    ("JAX, the program is run", {}),
    ("JAX with `jax_debug_key_reuse`", {"JAX_DEBUG_KEY_REUSE": "1"}),
    ("JAX with `jax_check_tracer_leaks`", {"JAX_CHECK_TRACER_LEAKS": "1"}),
)


def hazards() -> Pairs:
    """Wrong and right program by the hazard's name."""
    folder = ROOT / "tests" / "hazards"
    texts = {
        kind: {path.stem: _program(path.read_text("utf-8")) for path in sorted((folder / kind).glob("*.py"))}
        for kind in ("bad", "good")
    }
    return {name: (bad, texts["good"][name]) for name, bad in texts["bad"].items() if name in texts["good"]}


def examples() -> Pairs:
    """Wrong and right program of each example that has both."""
    return {
        f"{entry.name}-{number}": (_program(example.bad), _program(example.good))
        for entry in registry().entries
        if entry.rule is not None
        for number, example in enumerate(entry.rule.examples)
        if example.good
    }


def _program(source: str) -> str:
    """The program without comments, in Python's own layout."""
    return ast.unparse(ast.parse(textwrap.dedent(source))) + "\n"


def told_apart(tool: Tool, binary: str, pairs: Pairs) -> tuple[int, Counter[str]]:
    """How many pairs a tool tells apart, and in how many by each code."""
    with tempfile.TemporaryDirectory() as folder:
        _write(pairs, Path(folder))
        found = reported(tool, binary, Path(folder))
    codes: Counter[str] = Counter()
    number = 0
    for name in pairs:
        more = found.get(f"bad/{name}.py", Counter()) - found.get(f"good/{name}.py", Counter())
        codes.update(set(more))
        number += bool(more)
    return number, codes


def reported(tool: Tool, binary: str, folder: Path) -> dict[str, Counter[str]]:
    """How often each code is reported in each file.

    Raises:
        RuntimeError: the tool says nothing that can be read, neither findings nor that there are none.
    """
    command = [binary, *tool.command[1:], "bad", "good"]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", errors="replace")
    found: dict[str, Counter[str]] = {}
    for line in done.stdout.splitlines():
        place = LINE.match(line)
        code = place and re.match(tool.code, place["rest"])
        if place and code:
            path = os.path.relpath(os.path.join(folder, place["path"]), folder)
            found.setdefault(Path(path).as_posix(), Counter())[code[1]] += 1
    if not found and done.returncode not in (0, 1):
        raise RuntimeError(f"{tool.title} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
    return found


def runs_apart(variables: Mapping[str, str], pairs: Pairs) -> int:
    """In how many pairs the wrong program fails and the right one does not."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        _write(pairs, Path(folder))

        def fails(path: str) -> bool:
            environment = {**os.environ, "JAX_PLATFORMS": "cpu", **variables}
            try:
                done = subprocess.run(
                    [sys.executable, path], cwd=folder, env=environment, capture_output=True, timeout=TIMEOUT
                )
            except subprocess.TimeoutExpired:
                return False
            return done.returncode != 0

        bad = pool.map(fails, [f"bad/{name}.py" for name in pairs])
        good = pool.map(fails, [f"good/{name}.py" for name in pairs])
        return sum(wrong and not right for wrong, right in zip(bad, good, strict=True))


def _write(pairs: Pairs, folder: Path) -> None:
    for place, kind in enumerate(("bad", "good")):
        (folder / kind).mkdir()
        for name, programs in pairs.items():
            (folder / kind / f"{name}.py").write_text(programs[place], encoding="utf-8")


def rows(namesake: str | None, is_run: bool) -> Iterator[str]:
    sets = {"hazards": hazards(), "examples": examples()}
    numbers = " | ".join(f"{name}, {len(pairs)} pairs" for name, pairs in sets.items())
    yield f"| checker | version | {numbers} | by, in the hazards |"
    yield "| --- | --- | --- | --- | --- |"
    for tool in TOOLS:
        binary = namesake if tool.command[0] == NAMESAKE else shutil.which(tool.command[0])
        if binary is None:
            print(f"{tool.title}: not found", file=sys.stderr)
            continue
        results = [told_apart(tool, binary, pairs) for pairs in sets.values()]
        by = ", ".join(f"{code} {number}" for code, number in _first(results[0][1]))
        yield _row([tool.title, version_of(tool, binary), *(str(number) for number, _ in results), by])
    for title, variables in RUNS if is_run else ():
        version = _printed([sys.executable, "-c", "import jax; print(jax.__version__)"])
        yield _row([title, version, *(str(runs_apart(variables, pairs)) for pairs in sets.values()), ""])


def _first(codes: Counter[str]) -> Sequence[tuple[str, int]]:
    return sorted(codes.items(), key=lambda each: (-each[1], each[0]))[:SHOWN]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def version_of(tool: Tool, binary: str) -> str:
    found = re.search(r"\d+\.\d[\w.]*", _printed([binary, *tool.version]))
    return found[0] if found else ""


def _printed(command: Sequence[str]) -> str:
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.strip()


def mentions() -> Iterator[str]:
    """How many rules of the large linters say anything of JAX."""
    if ruff := shutil.which("ruff"):
        rules = json.loads(_printed([ruff, "rule", "--all", "--output-format", "json"]))
        about = sum("jax" in json.dumps(rule).lower() for rule in rules)
        yield f"Ruff documents {len(rules)} rules; {about} of them mention JAX."
    if pylint := shutil.which("pylint"):
        listed = _printed([pylint, "--list-msgs"])
        messages = re.findall(r"^:[\w-]+ \(\w+\):.*(?:\n  .*)*", listed, re.MULTILINE)
        about = sum("jax" in message.lower() for message in messages)
        yield f"pylint lists {len(messages)} messages; {about} of them mention JAX."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--namesake", metavar="PATH", help="the script of the package `jaxlint` of the index")
    parser.add_argument("--run", action="store_true", help="run the programs too; this needs JAX")
    parser.add_argument("--write", action="store_true", help="replace the table in docs/comparison.md")
    given = parser.parse_args()
    date = datetime.date.today().isoformat()
    table = "\n".join(rows(given.namesake, given.run))
    flags = " --run" * given.run
    python = sys.version.split()[0]
    about = f"Printed by `python benchmarks/others.py{flags}` on {date}, with Python {python}."
    text = f"{table}\n\n{about} {' '.join(mentions())}"
    print(text)
    if given.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        page = f"{before}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}"
        PAGE.write_text(page, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
