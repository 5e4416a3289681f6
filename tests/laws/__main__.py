"""`python -m tests.laws cached|fixed|order --count N --seed N [--package NAME]`: the laws at any size.

Prints each difference, and how many programs and edits were tried. Status 1 where there is a difference.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from . import cached, crowd, family, order, sample

EDITS = 6  # of each project


def tried(options: argparse.Namespace, root: Path) -> Iterator[list[str]]:
    """The differences of each program that is tried."""
    chance = random.Random(options.seed)
    known = [sample.package(name) for name in options.package] or sample.folders()
    for number in range(options.count):
        apart = bool(options.package) or number % 8 == 7
        name, texts = chance.choice(known) if apart else sample.joined(chance)
        if options.crowd:
            name, texts = f"crowd {number}", crowd.project(chance)
        if options.family:
            name, texts = f"family {number}", family.project(chance)
        if options.probes:
            texts = {path: order.probed(text) if path.endswith(".py") else text for path, text in texts.items()}
        if options.law == "cached":
            rows = list(cached.after_edits(chance, root / "project", texts, EDITS))
        elif options.law == "fixed":
            rows = list(cached.after_fixes(root / "project", texts))
        else:
            rows = list(order.differences(chance, root / "project", texts))
        yield [f"== {name}\n{row}" for row in rows]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.laws", description=__doc__)
    parser.add_argument("law", choices=["cached", "fixed", "order"])
    parser.add_argument("--count", type=int, default=200, help="programs")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4)))
    parser.add_argument("--package", action="append", default=[], help="an installed package")
    parser.add_argument("--crowd", action="store_true", help="functions that are called in many ways")
    parser.add_argument("--family", action="store_true", help="classes that inherit methods")
    parser.add_argument("--probes", action="store_true", help="also compare which parameters are traced")
    options = parser.parse_args()
    begin = time.perf_counter()
    count = bad = 0
    with tempfile.TemporaryDirectory() as place:
        for rows in tried(options, Path(place).resolve()):
            count += 1
            bad += len(rows)
            for row in rows:
                print(row, flush=True)
    edits = f", {count * EDITS} states" if options.law == "cached" else ""
    print(f"{options.law}: {bad} differences, {count} programs{edits}, seed {options.seed}", end="")
    print(f", {time.perf_counter() - begin:.0f} s")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
