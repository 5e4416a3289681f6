"""CPU of a cold run of all rules against bare LibCST parsing of the same files, in one run.

    python benchmarks/speed.py FOLDER... [--rounds N]

Each folder is linted as a project of its own. Every figure is the least of N interleaved runs, each
in a fresh process with the garbage collector off on both sides; the ratio is what counts.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

PARSE = """
import gc, json, sys, time
gc.disable()
lines = files = 0
begin = time.process_time()
import libcst
for path in json.load(sys.stdin):
    data = open(path, "rb").read()
    lines += data.count(b"\\n")
    files += 1
    try:
        libcst.parse_module(data)
    except libcst.ParserSyntaxError:
        pass
print(json.dumps([time.process_time() - begin, files, lines]))
"""

LINT = """
import gc, json, sys, time
gc.disable()
begin = time.process_time()
import jaxlint
found = []
for folder in json.load(sys.stdin):
    found += jaxlint.lint(folder, isolated=True, select=["ALL"])
print(json.dumps([time.process_time() - begin, len(found)]))
"""


def run(program: str, argument: object) -> list[float]:
    """What a fresh interpreter prints for this program with `argument` on its standard input."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(argument),
        capture_output=True,
        text=True,
        check=True,
    )
    result: list[float] = json.loads(done.stdout)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    folders = [str(folder.resolve()) for folder in options.folders]
    paths = [str(path) for folder in options.folders for path in sorted(folder.resolve().rglob("*.py"))]
    parse: list[list[float]] = []
    lint: list[list[float]] = []
    for _ in range(options.rounds):
        parse.append(run(PARSE, paths))
        lint.append(run(LINT, folders))
    bare, files, lines = min(parse)
    whole, findings = min(lint)
    print(f"{int(files)} files, {int(lines)} lines, {int(findings)} findings")
    print(f"bare libcst.parse_module   {bare:7.2f} s   {1e6 * bare / lines:6.1f} ms per 1,000 lines")
    print(f"jaxlint, all rules, cold   {whole:7.2f} s   {1e6 * whole / lines:6.1f} ms per 1,000 lines")
    print(f"ratio                      {whole / bare:7.2f}")


if __name__ == "__main__":
    main()
