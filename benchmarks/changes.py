"""What a run costs after a change of one function, for many functions, as a table.

    python benchmarks/changes.py FOLDER... [--count N] [--seed N]

The Python files of the folders are copied to a scratch folder, each folder a project of its own, and linted
with a cache. Then functions are chosen by chance; for each, one statement is put into its body, the run is
timed, and file and cache are put back. Times are by the clock, over that of `import libcst`, as
quartiles. What is found after each change is compared with a run without the cache.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import quantiles

from cost import least, ran
from tree import copied, edited_inside, functions_of, lines_of

PYTHON = sys.executable
CHECK = [PYTHON, "-m", "jaxlint", "check", ".", "--select", "ALL", "--output-format", "json", "-j", "1"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place).resolve() / "tree"
        paths = copied([folder.resolve() for folder in options.folders], tree)
        print(f"{len(paths)} files, {lines_of(paths)} lines, {options.count} functions, seed {options.seed}")
        ran(CHECK, tree)
        caches = {cache: cache.with_name("kept_cache") for cache in tree.rglob(".jaxlint_cache")}
        for cache, kept in caches.items():
            shutil.copytree(cache, kept)
        floor = least([ran([PYTHON, "-c", "import libcst"], tree).cost for _ in range(5)]).wall
        found = [(path, function) for path in paths for function in functions_of(path.read_bytes())]
        if len(found) < 2:
            raise SystemExit("there are no two functions in these folders")
        ratios = []
        for number, (path, function) in enumerate(chance.sample(found, min(options.count, len(found)))):
            data = path.read_bytes()
            path.write_bytes(edited_inside(data, function, number))
            done = ran(CHECK, tree)
            ratios.append(done.cost.wall / floor)
            if ran([*CHECK, "-n"], tree).text != done.text:
                raise SystemExit(f"another finding than without the cache: {path}, {function.name}")
            path.write_bytes(data)
            for cache, kept in caches.items():
                shutil.rmtree(cache)
                shutil.copytree(kept, cache)
    quarters = " ".join(f"{each:.2f}" for each in quantiles(ratios, n=4))
    print(f"wall, one function changed / `import libcst`: {quarters} (quartiles)")


if __name__ == "__main__":
    main()
