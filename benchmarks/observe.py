"""How much longer a command takes under `jaxlint observe`.

    python benchmarks/observe.py [--rounds N] [--root FOLDER] [--facts FILE] -- COMMAND...

COMMAND, for instance the tests of a project, is run in the working folder in turns as it is and observed, N
times each. Printed are the least seconds of each, of the clock and of the processors, and their ratios: the
processors' seconds hardly depend on what else the machine does. The reading of journals after the run, and
the page, count.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence


def seconds(words: Sequence[str]) -> tuple[float, float, int]:
    """Seconds of the clock and of the processors that a command takes, and its exit status."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    status = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    clock, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, status


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
        plain.append(seconds(options.command))
        observed.append(seconds([*observe, "--", *options.command]))
    statuses = {each[2] for each in plain}, {each[2] for each in observed}
    for place, name in enumerate(("clock", "processors")):
        one, other = min(each[place] for each in plain), min(each[place] for each in observed)
        print(f"{name:>10}: {one:7.2f} s, observed {other:7.2f} s, ratio {other / one:.3f}")
    print(f"exit status: {sorted(statuses[0])}, observed {sorted(statuses[1])}", f"({os.getcwd()})")
    return int(statuses[0] != statuses[1])


if __name__ == "__main__":
    sys.exit(main())
