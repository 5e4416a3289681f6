"""Jobs to verdicts: child processes under limits of time and memory, several at once.

In: jobs. Out: a verdict for each, in their order, whatever becomes of the children. What a child that did not
leave a result died of becomes a verdict with a line. Knows nothing of rules, and imports no jax.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any

from jaxlint.claim import Claim
from jaxlint.confirm.job import Job
from jaxlint.confirm.verdict import FAILED, NOT_RUNNABLE, Verdict

PACKAGE = Path(__file__).resolve().parent.parent

# Finds jaxlint where it is, and everything else where the interpreter has it.
_START = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("jaxlint", sys.argv[1] + "/__init__.py",
                                              submodule_search_locations=[sys.argv[1]])
sys.modules["jaxlint"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["jaxlint"])
from jaxlint.confirm.zygote import main
main()
"""

_ENVIRONMENT = {
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "TF_CPP_MIN_LOG_LEVEL": "1",
    "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
}
# What a user's settings would change in what is observed.
_DROPPED = ("JAX_PLATFORMS", "JAX_DEBUG_NANS", "JAX_DISABLE_JIT", "JAX_ENABLE_X64", "JAX_NUM_CPU_DEVICES")


class NoJax(Exception):
    """The interpreter cannot import jax; the message says how it put it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a child may take: seconds of time, bytes of memory that are in use at once."""

    seconds: float = 60.0
    memory: int = 4 << 30


class Zygote:
    """A process that has imported jax, and what is asked of it."""

    def __init__(self, python: str) -> None:
        environment = {name: value for name, value in os.environ.items() if name not in _DROPPED}
        self.process = subprocess.Popen(
            [python, "-P", "-c", _START, str(PACKAGE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env={**environment, **_ENVIRONMENT},
            start_new_session=True,
        )
        self.pending = b""
        first = self.answer(None)
        if first is None:
            assert self.process.stderr is not None
            lines = self.process.stderr.read().decode("utf-8", "replace").strip().splitlines()
            self.process.wait()
            raise NoJax(lines[-1] if lines else f"{python} ended with {self.process.returncode}")
        self.versions = first

    @property
    def is_usable(self) -> bool:
        return (
            self.process.stdin is not None and not self.process.stdin.closed and self.process.poll() is None
        )

    def answer(self, seconds: float | None) -> dict[str, Any] | None:
        """The next line it says; `{}` after that many seconds without one, None where it has ended."""
        assert self.process.stdout is not None
        while b"\n" not in self.pending:
            if not select.select([self.process.stdout], [], [], seconds)[0]:
                return {}
            read = os.read(self.process.stdout.fileno(), 1 << 16)
            if not read:
                return None
            self.pending += read
        line, _, self.pending = self.pending.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def run(self, job: Job, folder: str, limits: Limits) -> str:
        """Have a job done; what the child died of, empty where it ended by itself.

        Raises:
            BrokenPipeError: the process itself has gone.
        """
        assert self.process.stdin is not None
        order = json.dumps({"job": job.to_json(), "folder": folder})
        self.process.stdin.write(order.encode() + b"\n")
        started = self.answer(None)
        if started is None:
            raise BrokenPipeError("no answer")
        pid: int = started["pid"]
        end = time.monotonic() + limits.seconds
        killed = ""
        while True:
            answer = self.answer(0.02)
            if answer is None:
                raise BrokenPipeError("no answer")
            if answer:
                return killed or _death(answer["ended"])
            if not killed and time.monotonic() > end:
                killed = f"ran longer than {limits.seconds:g} seconds"
            elif not killed and _resident(pid) > limits.memory:
                killed = f"used more than {limits.memory / 2**30:g} GB of memory"
            if killed:
                _kill(pid)

    def stop(self) -> None:
        """Have it end, with the child that it may have."""
        if self.process.stdin is not None:
            self.process.stdin.close()

    def close(self) -> None:
        """Stop it, and wait for its end."""
        self.stop()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Pool:
    """Zygotes that share the jobs. python: the interpreter whose JAX is asked; jobs: how many at once.

    Raises:
        NoJax: that interpreter has none.
    """

    def __init__(self, python: str = sys.executable, jobs: int = 1, limits: Limits | None = None) -> None:
        self.python, self.jobs, self.limits = python, max(1, jobs), limits or Limits()
        self.lock = Lock()
        first = Zygote(python)
        self.versions: Mapping[str, str] = first.versions
        self.idle = [first]
        self.zygotes = [first]
        self.is_closed = False

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()
        for zygote in self.zygotes:
            zygote.close()

    def stop(self) -> None:
        """End what runs, and begin nothing more."""
        with self.lock:
            self.is_closed = True
            for zygote in self.zygotes:
                zygote.stop()

    def verdicts(
        self, jobs: Sequence[Job], seen: Callable[[Job, Verdict], None] = lambda job, verdict: None
    ) -> list[Verdict]:
        """A verdict for each job. `seen` is called as they come.

        What rests on a clock runs last and alone. Where a probe's own test fails, its claims have failed.
        """
        kinds = {(job.claim.kind, job.platform): job for job in jobs if job.kind == "claim"}
        tests = [
            replace(
                job,
                kind="self-test",
                code=None,
                name=kind,
                claim=replace(job.claim, devices=1),
                rows=(),
                prints="",
            )
            for (kind, _), job in kinds.items()
        ]
        made: dict[Job, Verdict] = {}

        def do(job: Job) -> None:
            made[job] = verdict = self.verdict(job)
            if job.kind != "self-test":
                with self.lock:
                    seen(job, verdict)

        everything = [*tests, *jobs]
        with ThreadPoolExecutor(self.jobs) as threads:
            running = [threads.submit(do, job) for job in everything if not job.is_timed]
            try:
                for done in running:
                    done.result()
            except BaseException:
                threads.shutdown(wait=False, cancel_futures=True)
                self.stop()
                raise
        for job in everything:
            if job.is_timed:
                do(job)
        blind = {
            (test.claim.kind, test.platform): made[test].detail
            for test in tests
            if made[test].verdict == FAILED
        }
        return [_unless_blind(job, made[job], blind) for job in jobs]

    def platforms(self) -> Sequence[str]:
        """What JAX sees: `cpu`, and `gpu` or `tpu` where there is one."""
        result = self._result(Job("devices", None, "devices", "", Claim("raises")))
        found: Sequence[str] = result.get("figures", {}).get("platforms", ("cpu",))
        return found

    def verdict(self, job: Job) -> Verdict:
        """The verdict of one job, whatever its probe sees of what is known."""
        result = self._result(job)
        return Verdict(
            job.code,
            job.name,
            job.statement,
            result["verdict"],
            job.platform,
            result.get("device", ""),
            result.get("jax", self.versions["jax"]),
            result.get("jaxlib", self.versions["jaxlib"]),
            result.get("figures", {}),
            result.get("detail", ""),
        )

    def _result(self, job: Job) -> dict[str, Any]:
        """What a child left, or a result that says what became of it."""
        folder = tempfile.mkdtemp(prefix="jaxlint-confirm-")
        zygote = self._take()
        try:
            death = zygote.run(job, folder, self.limits)
            result = _left(folder)
            return result if result is not None else {"verdict": FAILED, "detail": _why(death, folder)}
        except (OSError, ValueError) as error:
            # A program may end the process that it was forked from. The next job gets another one.
            zygote.stop()
            return {"verdict": FAILED, "detail": f"the process that starts the children ended: {error}"}
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            with self.lock:
                if not self.is_closed and zygote.is_usable:
                    self.idle.append(zygote)

    def _take(self) -> Zygote:
        with self.lock:
            if self.idle:
                return self.idle.pop()
        zygote = Zygote(self.python)
        with self.lock:
            self.zygotes.append(zygote)
            if self.is_closed:
                zygote.stop()
        return zygote


def _unless_blind(job: Job, verdict: Verdict, blind: Mapping[tuple[str, str], str]) -> Verdict:
    why = blind.get((job.claim.kind, job.platform)) if job.kind == "claim" else None
    if why is None or verdict.verdict == NOT_RUNNABLE:
        return verdict
    return replace(verdict, verdict=FAILED, detail=why)


def _left(folder: str) -> dict[str, Any] | None:
    """The result that a child left."""
    try:
        result = json.loads(Path(folder, "result.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return result if isinstance(result, dict) and "verdict" in result else None


def _why(death: str, folder: str) -> str:
    """What a child died of, and the last thing that it printed."""
    try:
        lines = Path(folder, "output").read_text("utf-8", "replace").strip().splitlines()
    except OSError:
        lines = []
    last = f": {lines[-1].strip()[:200]}" if lines else ""
    return f"the child {death or 'left no result'}{last}"


def _death(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = str(-code)
        return f"was ended by {name}"
    return f"ended with status {code}" if code else ""


def _resident(pid: int) -> int:
    """Bytes of memory that a process has in use; 0 where there is no /proc to say it."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0


def _kill(pid: int) -> None:
    """End a child with what it started."""
    for end in (os.killpg, os.kill):
        try:
            end(pid, signal.SIGKILL)
            return
        except (ProcessLookupError, PermissionError):
            continue
