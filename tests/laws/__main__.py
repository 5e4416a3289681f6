"""`python -m tests.laws cached|fixed|order|seeds|jobs --count N --seed N`: the laws at any size.

Prints a line for each difference, with the arguments that make it again (there, `--show` prints the program), and how
many programs and edits were tried. Status 1 where there is a difference.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from . import cached, crowd, family, order, processes, sample
from .edit import Texts

EDITS = 6  # of each program
AT_ONCE = 40  # programs for which the command is run


def program(options: argparse.Namespace, chance: random.Random) -> tuple[str, Texts]:
    """One program: of one file, or of several."""
    if options.package:
        return sample.package(chance.choice(options.package))
    kinds = ["joined"] * 6 + ["folder", "crowd", "family"]
    kind = "crowd" if options.crowd else "family" if options.family else chance.choice(kinds)
    if kind == "joined":
        return sample.joined(chance)
    return chance.choice(sample.folders()) if kind == "folder" else (kind, _generated(kind, chance))


def _generated(kind: str, chance: random.Random) -> Texts:
    return crowd.project(chance) if kind == "crowd" else family.project(chance)


def tried(options: argparse.Namespace, seed: int, root: Path, tally: Counter[str]) -> Iterator[str]:
    """The differences of one program; of several where the command is run."""
    chance = random.Random(seed)
    if options.law in ("seeds", "jobs"):
        names = processes.laid_out(root / str(seed), processes.projects(chance, AT_ONCE))
        tally["programs"] += len(names)
        yield from (processes.of_seeds if options.law == "seeds" else processes.of_jobs)(
            root / str(seed), names
        )
        return
    name, texts = program(options, chance)
    tally["programs"] += 1
    if options.probes:
        texts = {path: order.probed(text) if path.endswith(".py") else text for path, text in texts.items()}
    if options.law == "cached":
        rows = cached.after_edits(chance, root / "project", texts, EDITS, tally)
    elif options.law == "fixed":
        rows = cached.after_fixes(root / "project", texts)
    else:
        rows = order.differences(chance, root / "project", texts, worklists=options.worklists)
    for row in rows:
        yield f"{name}: {row}"


def is_over(options: argparse.Namespace, programs: int, tally: Counter[str]) -> bool:
    if options.law == "cached" and options.edits is not None:
        return _edits(tally) >= options.edits
    return programs >= options.count


def _edits(tally: Counter[str]) -> int:
    return tally["expression"] + tally["statement"] + tally["file"]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.laws", description=__doc__)
    parser.add_argument("law", choices=["cached", "fixed", "order", "seeds", "jobs"])
    parser.add_argument("--count", type=int, help="programs; of seeds and jobs, runs over some hundred each")
    parser.add_argument(
        "--edits", type=int, help="of the law cached: at least so many edits, instead of --count"
    )
    parser.add_argument(
        "--seed", type=int, default=int.from_bytes(os.urandom(3)), help="of the first program"
    )
    parser.add_argument("--show", action="store_true", help="print programs beside differences")
    parser.add_argument(
        "--worklists", type=int, default=3, help="of the law order: other orders of what waits"
    )
    parser.add_argument("--package", action="append", default=[], help="an installed package")
    parser.add_argument("--crowd", action="store_true", help="functions that are called in many ways")
    parser.add_argument("--family", action="store_true", help="classes that inherit methods")
    parser.add_argument("--probes", action="store_true", help="also compare which parameters are traced")
    options = parser.parse_args()
    if options.count is None:
        options.count = 1 if options.law in ("seeds", "jobs") else 200
    which = " ".join(f"--{name}" for name in ("crowd", "family", "probes") if getattr(options, name))
    which += "".join(f" --package {name}" for name in options.package)
    begin, tally, bad, number = time.perf_counter(), Counter[str](), 0, 0
    with tempfile.TemporaryDirectory() as place:
        while not is_over(options, number, tally):
            seed = options.seed + number
            number += 1
            for row in tried(options, seed, Path(place).resolve(), tally):
                bad += 1
                line = row if options.show else " ".join(row.partition("\n---")[0].split())[:400]
                print(f"--seed {seed} --count 1 {which}: {line}", flush=True)
    made = ", ".join(f"{tally[kind]} of {kind}s" for kind in ("expression", "statement", "file"))
    edits = f", {_edits(tally)} edits ({made})" if options.law == "cached" else ""
    print(f"{options.law}: {bad} differences{edits}, {tally['programs']} programs", end="")
    print(f", seeds {options.seed} to {options.seed + number - 1}, {time.perf_counter() - begin:.0f} s")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
