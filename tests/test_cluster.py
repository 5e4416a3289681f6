"""Work on a real Dask scheduler with two workers on loopback, one of which is killed in mid-run."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Ran, Run, Tree

HERE = Path(__file__).resolve().parent
FILE = "import jax\n\n\n@jax.jit\ndef f{0}(x):\n    if x > {0}:\n        return x\n    return -x\n"
FILES = {"jaxlint.toml": "", **{f"m{number}.py": FILE.format(number) * 5 for number in range(60)}}

SCHEDULER = """
import os, sys, time
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster:
        pids = [worker.pid for worker in cluster.workers.values()]
        print(cluster.scheduler_address, *pids, flush=True)
        sys.stdin.read()
"""


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[int]]]:
    """The address of a scheduler, and the processes of its workers."""
    place = tmp_path_factory.mktemp("cluster")
    (place / "scheduler.py").write_text(SCHEDULER)
    with subprocess.Popen(
        [sys.executable, "scheduler.py"], cwd=place, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, env={**os.environ, "PYTHONPATH": str(HERE.parent)},
    ) as scheduler:  # fmt: skip
        assert scheduler.stdout is not None and scheduler.stdin is not None
        address, *pids = scheduler.stdout.readline().split()
        try:
            yield address.replace("tcp://", "dask://"), [int(pid) for pid in pids]
        finally:
            scheduler.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                scheduler.wait(20)
            scheduler.kill()


def test_as_locally(tree: Tree, run: Run, cluster: tuple[str, list[int]]) -> None:
    tree(FILES)
    here = run("check", "-n", "--output-format", "json")
    assert len(re.findall("JAX101", here.out)) >= 60
    command = [
        sys.executable,
        "-m",
        "jaxlint",
        "check",
        "-n",
        "--output-format",
        "json",
        "--executor",
        cluster[0],
    ]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (here.status, here.out)


def test_worker_that_is_killed(tree: Tree, cluster: tuple[str, list[int]]) -> None:
    from jaxlint.project.configuration import Configuration
    from jaxlint.project.discovery import find_projects
    from jaxlint.session.cluster import executor_of
    from jaxlint.session.session import Session

    address, pids = cluster
    root = tree(FILES)
    (project,) = find_projects([str(root)], Configuration(isolated=True)).projects
    executor = executor_of(address)
    done: list[object] = []

    class Killing(type(executor)):  # type: ignore[misc]
        """Kills a worker once the first task is done, while others are under way."""

        def submit(self, fn, *args, **kwargs):  # type: ignore[no-untyped-def]
            future = executor.submit(fn, *args, **kwargs)
            future.add_done_callback(kill)
            return future

        def __init__(self) -> None:
            """Stands before the other one."""

    def kill(future: object) -> None:
        if not done:
            done.append(future)
            os.kill(pids[0], signal.SIGKILL)

    found = Session(executor=Killing()).results(project, {}).found()
    assert done, "no task went to the cluster"
    assert found == Session().results(project, {}).found()


def test_components_are_analyzed_on_the_workers(
    tree: Tree, run: Run, cluster: tuple[str, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes back fills the cache: a run without changes has nothing to do."""
    from jaxlint.session import pipeline

    root = tree(
        {**FILES, "pair/a.py": "from pair.b import g\n", "pair/b.py": FILE.format("g"), "torn.py": "def f("}
    )
    flags = ("check", "--output-format", "json")
    whole = run(*flags, "-n")

    def analyze_component(*given: object, **named: object) -> None:
        raise AssertionError("it is analyzed here")

    def on_workers() -> Ran:
        with monkeypatch.context() as patch:
            patch.setattr(pipeline, "analyze_component", analyze_component)
            ran = run(*flags, "--executor", cluster[0])
        assert [each["message"] for each in json.loads(ran.out) if each["code"] == "JAX003"] == []
        return ran

    for _ in range(2):
        assert on_workers() == whole
    (root / "m0.py").write_text(FILES["m0.py"] + "\ny = 1\n")
    assert on_workers() == run(*flags, "-n")


def test_a_cluster_that_goes_away(tree: Tree) -> None:
    """What no worker answers is analyzed by processes of this machine."""
    from concurrent.futures import Executor, Future

    from jaxlint.project.configuration import Configuration
    from jaxlint.project.discovery import find_projects
    from jaxlint.session.session import Session

    class Gone(Executor):
        def submit(self, fn, *args, **kwargs):  # type: ignore[no-untyped-def]
            future: Future[object] = Future()
            future.set_exception(OSError("gone"))
            return future

    (project,) = find_projects([str(tree({**FILES, "m1.py": ""}))], Configuration(isolated=True)).projects
    assert Session(executor=Gone()).results(project, {}).found() == Session().results(project, {}).found()
