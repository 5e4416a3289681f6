"""What each stage of a run costs, per 1,000 lines and over the bare parse, and what a run leaves and sends.

    python benchmarks/stages.py FOLDER... [--copies N]

The folders are copied N times into one project, in which each has a name of its own and imports only itself.
One process lints it with all rules: without a cache, with an empty one, with a full one, and after a change
of one line. The stages are processor seconds of the second run, each without those that it calls; beside them
stands the bare parse of the same files (see cost.py). Then follow the time and the memory of all runs, the
size of the cache, and how many bytes the shards of the project and their findings are on the way to workers
and back.
"""

from __future__ import annotations

import argparse
import gc
import json
import pickle
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from cost import BARE_PARSE, ran
from tree import edited, lines_of, renamed

STAGES = (
    "discovery",
    "reading",
    "imports",
    "division",
    "parsing",
    "analysis",
    "rendering",
    "store",
    "release",
)
FLAGS = ["check", ".", "--select", "ALL", "--exit-zero", "-q", "-j", "1"]


class Clock:
    """Processor time by stage: the innermost stage that runs has it."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys((*STAGES, "the rest"), 0.0)
        self._stack = ["the rest"]
        self._since = 0.0  # the start of Python and the imports count

    def turn(self) -> None:
        now = time.process_time()
        self.seconds[self._stack[-1]] += now - self._since
        self._since = now

    def watch(self, owner: Any, name: str, stage: str) -> None:
        real: Callable[..., Any] = getattr(owner, name)

        def timed(*args: Any, **keywords: Any) -> Any:
            self.turn()
            self._stack.append(stage)
            try:
                return real(*args, **keywords)
            finally:
                self.turn()
                self._stack.pop()

        setattr(owner, name, timed)


def measured(flags: Sequence[str]) -> dict[str, Any]:
    """One run in this process: processor seconds by stage, what is sent, and MB."""
    clock = Clock()
    from jaxlint.cli.main import main
    from jaxlint.ir import parsing
    from jaxlint.project import discovery
    from jaxlint.session import division, fingerprints, pipeline, session, stage, state
    from jaxlint.session.store import Store

    clock.watch(discovery, "find_projects", "discovery")
    clock.watch(parsing, "read_bytes", "reading")
    clock.watch(division, "digest", "reading")
    clock.watch(fingerprints.Fingerprints, "of", "reading")
    clock.watch(division, "possible_imports", "imports")
    clock.watch(division, "is_named", "imports")
    clock.watch(division.Division, "__init__", "division")
    clock.watch(parsing, "parsed", "parsing")
    clock.watch(parsing, "outcome_of", "store")
    clock.watch(parsing, "record_of", "store")
    clock.watch(pipeline.Analysis, "diagnostics", "analysis")
    clock.watch(pipeline.Analysis, "_render", "rendering")
    clock.watch(pipeline.Analysis, "_walk", "rendering")
    clock.watch(stage._Tidying, "begin", "release")
    clock.watch(session, "read", "store")
    clock.watch(session, "written", "store")
    clock.watch(state, "read", "store")
    clock.watch(state, "written", "store")
    for name in ("bytes_of", "keep_bytes", "keep", "value_of"):
        clock.watch(Store, name, "store")
    gc.disable()  # as the command does
    with suppress(SystemExit):
        main([*flags])
    clock.turn()
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / scale
    return {"seconds": clock.seconds, "memory": memory}


def sent() -> dict[str, int]:
    """The shards of the project in this folder, and what comes of them, as bytes."""
    from jaxlint.project.configuration import Configuration
    from jaxlint.project.discovery import find_projects
    from jaxlint.session.division import Division
    from jaxlint.session.stage import _apart, _Item

    (project,) = find_projects(["."], Configuration(isolated=True)).projects
    found = {"shards": 0, "largest": 0, "files there": 0, "the rest there": 0, "back": 0}
    for shard in Division(project, {}).shards:
        there = len(pickle.dumps(_Item(shard, None, False, None).with_bytes()))
        found["shards"] += 1
        found["largest"] = max(found["largest"], shard.size)
        found["files there"] += shard.size
        found["the rest there"] += there - shard.size
        found["back"] += len(pickle.dumps(_apart(_Item(shard, None, False, None))))
    return found


def own(tree: Path, *arguments: str) -> Any:
    return json.loads(ran([sys.executable, __file__, *arguments], tree).text.splitlines()[-1])


def report(tree: Path, paths: Sequence[Path]) -> None:
    lines = lines_of(paths)
    bare = ran([sys.executable, "-c", BARE_PARSE], tree, "\n".join(map(str, paths))).cost.cpu
    without, cold = own(tree, "--run", *FLAGS, "-n"), own(tree, "--run", *FLAGS)
    print(f"{len(paths)} files, {lines} lines; bare parse {bare:.2f} s\n")
    print(f"{'':12}{'cpu s':>8}{'ms/1,000 lines':>16}{'of bare parse':>15}")
    rows = {**cold["seconds"], "all": sum(cold["seconds"].values())}
    for name, seconds in rows.items():
        print(f"{name:12}{seconds:8.2f}{1e6 * seconds / lines:16.3f}{seconds / bare:15.4f}")
    cache = [path.stat() for path in (tree / ".jaxlint_cache").rglob("*") if path.is_file()]
    warm = own(tree, "--run", *FLAGS)
    changed = max(paths, key=lambda path: path.stat().st_size)
    changed.write_bytes(edited(changed.read_bytes(), 1))
    after = own(tree, "--run", *FLAGS)
    print()
    for name, made in (
        ("without a cache", without),
        ("an empty one", cold),
        ("a full one", warm),
        ("after a change", after),
    ):
        seconds = sum(made["seconds"].values())
        print(f"{name:16}{seconds:8.2f} s {made['memory']:6.0f} MB")
    size = sum(each.st_size for each in cache)
    print(f"\ncache: {len(cache)} records, {size} bytes, {size / lines:.1f} a line")
    for name, number in own(tree, "--sent").items():
        print(
            f"{name}: {number}"
            + (f", {number / lines:.2f} a line" if "there" in name or name == "back" else "")
        )


def main() -> None:
    if sys.argv[1:2] == ["--run"]:
        print(json.dumps(measured(sys.argv[2:])))
        return
    if sys.argv[1:2] == ["--sent"]:
        print(json.dumps(sent()))
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--copies", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place).resolve()
        (tree / "jaxlint.toml").touch()
        paths: list[Path] = []
        for number in range(options.copies):
            for folder in options.folders:
                paths += renamed([folder.resolve()], tree, number)
        report(tree, paths)


if __name__ == "__main__":
    main()
