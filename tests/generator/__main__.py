"""`python -m tests.generator --seed N --count N --show K [--oracle-only]`: explore."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from . import report
from .oracle import outcomes
from .program import write
from .sample import draw


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.generator", description=__doc__)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4)))
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--show", type=int, default=5, help="programs to print")
    parser.add_argument("--oracle-only", action="store_true", help="run the programs, lint nothing")
    parser.add_argument("--keep", type=Path, help="a folder for the programs, else a temporary one")
    parser.add_argument("--by", action="append", default=[], help="a field to count endings by")
    options = parser.parse_args()
    print(f"seed {options.seed}")
    start = time.perf_counter()
    specs = draw(options.seed, options.count)
    programs = [write(spec, f"demo{number}") for number, spec in enumerate(specs)]
    print(f"drawn and written in {time.perf_counter() - start:.1f} s")
    with tempfile.TemporaryDirectory() as folder:
        root = options.keep or Path(folder)
        start = time.perf_counter()
        found = outcomes(programs, root)
        print(f"run in {time.perf_counter() - start:.1f} s; {report.balance(found)}")
        bad = [pair for pair in zip(programs, found, strict=True) if pair[1].verdict in ("invalid", "lost")]
        if options.oracle_only:
            chosen = bad or list(zip(programs, found, strict=True))
            for program, outcome in chosen[: options.show]:
                print(report.shown(program, outcome))
            for field in options.by:
                print(report.by_field(specs, found, field))
            if not bad:
                print(report.occurrence(specs))
            for (error, operation), number in Counter(
                (outcome.error, program.spec.operation) for program, outcome in bad
            ).most_common(20):
                print(f"{number:4} invalid: {error} in {operation}")
            return int(bool(bad))
        from .verdict import compared, explained

        comparison = compared(programs, found, root)
        print(explained(comparison, options.show))
        return int(bool(comparison.disagreements))


if __name__ == "__main__":
    sys.exit(main())
