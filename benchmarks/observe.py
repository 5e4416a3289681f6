"""How much longer a command takes under `jaxlint observe`, and how much more memory.

    python benchmarks/observe.py [--rounds N] [--root FOLDER] [--facts FILE] -- COMMAND...

COMMAND, for instance the tests of a project, is run in the working folder in turns as it is and observed, N
times each. Printed are the least seconds of each, of the clock and of the processors, and the most memory of
one process, with their ratios: the processors' seconds hardly depend on what else the machine does. The
reading of journals after the run counts; `check` does not run. With facts, their size is printed too.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from cost import Cost, Ran, least, ran


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--root", default=".")
    parser.add_argument("--facts")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    observe = [sys.executable, "-m", "jaxlint", "observe", "-q", "--root", options.root]
    if options.facts:
        observe += ["--facts", options.facts]
    plain, observed = [], []
    for _ in range(options.rounds):
        plain.append(_ran(options.command))
        observed.append(_ran([*observe, "--", *options.command]))
    one, other = _cost(plain), _cost(observed)
    for name, before, after, unit in (
        ("clock", one.wall, other.wall, "s"),
        ("processors", one.cpu, other.cpu, "s"),
        ("memory", one.memory, other.memory, "MB"),
    ):
        print(f"{name:>10}: {before:7.2f} {unit}, observed {after:7.2f} {unit}, ratio {after / before:.3f}")
    statuses = {each.status for each in plain}, {each.status for each in observed}
    print(f"exit status: {sorted(statuses[0])}, observed {sorted(statuses[1])}", f"({os.getcwd()})")
    if options.facts and os.path.exists(options.facts):
        print(f"facts: {os.path.getsize(options.facts) / 1000:.0f} kB")
    return int(statuses[0] != statuses[1])


def _ran(command: Sequence[str]) -> Ran:
    return ran(command, Path.cwd(), ends=None)


def _cost(runs: Sequence[Ran]) -> Cost:
    return least([each.cost for each in runs])


if __name__ == "__main__":
    sys.exit(main())
