"""The process that has imported jax and forks a child for each job.

In: lines of JSON on standard input, `{"job": ..., "folder": ...}`. Out: lines of JSON on standard output:
first the versions, then for each job the child's process number when it starts and its wait status when it
has ended. No backend is ever started here, so that what is forked has no threads of XLA's.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import traceback
from typing import Any

import jax
import jaxlib

from jaxlint.confirm import child
from jaxlint.confirm.job import Job


def main() -> None:
    """Serve until standard input closes."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    _say(answers, jax=jax.__version__, jaxlib=jaxlib.__version__, python=sys.version.split()[0])
    pending = b""
    while True:
        while b"\n" not in pending:
            read = os.read(0, 1 << 16)
            if not read:
                return
            pending += read
        line, _, pending = pending.partition(b"\n")
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            _be_child(Job.from_json(order["job"]), order["folder"])
        _say(answers, pid=pid)
        _say(answers, ended=_wait(pid))


def _be_child(job: Job, folder: str) -> None:
    status = 1
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        child.main(job, folder)
        status = 0
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        # XLA's threads are not waited for, and a claim may have left anything behind.
        os._exit(status)


def _wait(pid: int) -> int:
    """The wait status of a child. Where the one who gives the orders has gone, the child is ended."""
    ended = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None
    while True:
        # Nothing is sent while a job runs: what can be read is the end.
        watched = [0] if ended is None else [0, ended]
        readable, _, _ = select.select(watched, [], [], None if ended is not None else 0.01)
        if 0 in readable:
            _kill(pid)
        done, status = os.waitpid(pid, 0 if readable else os.WNOHANG)
        if done:
            _kill(pid)
            if ended is not None:
                os.close(ended)
            return status


def _kill(pid: int) -> None:
    """End the whole group of a child: what it started, too."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def _say(answers: Any, **fields: Any) -> None:
    answers.write(json.dumps(fields) + "\n")


if __name__ == "__main__":
    main()
