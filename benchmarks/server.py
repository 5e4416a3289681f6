"""How long an editor waits: from a change to the diagnostics of the text as it then is.

    python benchmarks/server.py [FOLDER...] [--edits N]

In: projects, or none: then three are made, of 10, 150 and 700 files. Out: for each the time of the first
look, and the median and the 95th percentile over edits of a file of about 1,000 lines, in milliseconds, with
a real client; the silence that the server waits for is in it. Each edit is another comment, name or statement
in a function.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from client import Client  # noqa: E402

LINES = 1000
SIZES = (10, 150, 700)
FUNCTION = '''

def step_{number}(params, batch, key):
    """A step of the program."""
    noise_key, key = jax.random.split(key)
    noise = jax.random.normal(noise_key, batch.shape)
    scores = params @ (batch + noise).T
    if scores.ndim > 1:
        scores = scores.sum(axis=0)
    return {call}jnp.where(scores > 0, scores, -scores)
'''


def made(folder: Path, count: int) -> Path:
    """A project of so many files, each of which imports another."""
    folder.mkdir()
    (folder / "pyproject.toml").touch()
    for number in range(count):
        other = f"from part_{number - 1} import step_{number - 1}_0\n" if number % 7 else ""
        text = f"import jax\nimport jax.numpy as jnp\n{other}"
        functions = LINES // 11 if number == count - 1 else 12
        for own in range(functions):
            call = f"step_{number - 1}_0(params, batch, key) + " if other and not own else ""
            text += FUNCTION.format(number=f"{number}_{own}", call=call)
        text += f"\n\ncompiled = jax.jit(step_{number}_0)\n"
        (folder / f"part_{number}.py").write_text(text)
    return folder


def chosen(folder: Path) -> Path:
    """The file with about as many lines as are wanted, of those that mention JAX."""
    files = [path for path in sorted(folder.rglob("*.py")) if b"jax" in path.read_bytes()]
    return min(files, key=lambda path: abs(path.read_bytes().count(b"\n") - LINES))


def edits(text: str, count: int) -> Iterator[str]:
    rng = random.Random(0)
    rows = text.split("\n")
    inside = [number for number, row in enumerate(rows) if row.startswith("    return ")] or [len(rows) - 1]
    for number in range(count):
        at = rng.choice(inside)
        new = rng.choice([f"    # note {number}", f"    unused_{number} = {number}", f"    print({number})"])
        yield "\n".join([*rows[:at], new, *rows[at:]])


def measured(folder: Path, count: int) -> tuple[float, list[float]]:
    """The seconds of the first look, and of each edit."""
    path = chosen(folder)
    text = path.read_text(encoding="utf-8")
    with Client(folder) as client:
        begin = time.perf_counter()
        uri = client.open(str(path.relative_to(folder)), text)
        client.published(uri)
        first = time.perf_counter() - begin
        waits = []
        for changed in edits(text, count):
            begin = time.perf_counter()
            client.change(uri, {"text": changed})
            client.published(uri)
            waits.append(time.perf_counter() - begin)
    return first, waits


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--edits", type=int, default=40)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        folders = []
        for number, folder in enumerate(given.folders):
            copy = work / f"copy{number}" / folder.resolve().name
            shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git"))
            (copy / "pyproject.toml").touch()
            folders.append(copy)
        folders = folders or [made(work / f"made{count}", count) for count in SIZES]
        print("| project | files | lines of the file | first, ms | p50, ms | p95, ms |")
        print("| --- | ---: | ---: | ---: | ---: | ---: |")
        for folder in folders:
            first, waits = measured(folder, given.edits)
            median = statistics.median(waits)
            slow = sorted(waits)[int(len(waits) * 0.95)]
            count = sum(1 for _ in folder.rglob("*.py"))
            lines = chosen(folder).read_text(encoding="utf-8").count("\n")
            figures = " | ".join(f"{1000 * each:,.0f}" for each in (first, median, slow))
            print(f"| {folder.name} | {count} | {lines} | {figures} |")


if __name__ == "__main__":
    main()
